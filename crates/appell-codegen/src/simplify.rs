//! What can only be seen of the whole graph: common factors of sums whose products nobody else uses.
//!
//! ```text
//! a b + a c − a d  →  a (b + c − d)
//! ```
//!
//! A sum whose terms are sums, used nowhere else, is one sum of many terms, and likewise a product. The factor that
//! most terms have in common is taken out first, then again among what is left; the rounds end when they save nothing.

use super::graph::{Graph, Op, Ref};
use appell::real::Count;

/// The same expressions in fewer operations, without what they do not need.
pub(super) fn simplified(graph: &Graph, outputs: &[Ref]) -> (Graph, Vec<Ref>) {
    let mut best = Pass::copy(graph, outputs);
    loop {
        let next = Pass::factor(&best.0, &best.1);
        if total(&next) >= total(&best) {
            return best;
        }
        best = next;
    }
}

fn total((graph, outputs): &(Graph, Vec<Ref>)) -> u64 {
    let Count { multiplications, additions } = count(graph, &live(graph, outputs));
    multiplications + additions
}

/// Which nodes the outputs need.
pub(super) fn live(graph: &Graph, outputs: &[Ref]) -> Vec<bool> {
    let mut live = vec![false; graph.len()];
    outputs.iter().for_each(|output| live[output.index()] = true);
    for index in (0..graph.len()).rev() {
        if live[index] {
            graph.op(Ref::new(index)).operands().for_each(|operand| live[operand.index()] = true);
        }
    }
    live
}

/// What the nodes that count cost, by the rules of the papers' tables.
pub(super) fn count(graph: &Graph, counts: &[bool]) -> Count {
    let mut sum = Count::default();
    for (index, _) in counts.iter().enumerate().filter(|(_, counts)| **counts) {
        sum += cost(graph.op(Ref::new(index)));
    }
    sum
}

/// What one operation costs.
pub(super) fn cost(op: Op) -> Count {
    match op {
        Op::Mul(..) | Op::Div(..) | Op::Sqrt(_) => Count::new(1, 0),
        Op::Add(..) => Count::new(0, 1),
        _ => Count::default(),
    }
}

/// A graph that is written anew.
struct Pass<'o> {
    old: &'o Graph,
    absorbed: Vec<bool>, // old nodes that are part of the only sum or product that uses them
    new: Graph,
    places: Vec<Option<Ref>>, // of the old nodes in the new graph
}

/// A term of a sum: a number times factors.
#[derive(Clone)]
struct Term {
    coefficient: f64,
    factors: Vec<Ref>, // of the new graph, positive
}

impl<'o> Pass<'o> {
    fn copy(old: &'o Graph, outputs: &[Ref]) -> (Graph, Vec<Ref>) {
        let absorbed = vec![false; old.len()];
        Self { old, absorbed, new: Graph::default(), places: vec![None; old.len()] }.run(outputs)
    }

    fn factor(old: &'o Graph, outputs: &[Ref]) -> (Graph, Vec<Ref>) {
        let absorbed = absorbed(old, outputs);
        Self { old, absorbed, new: Graph::default(), places: vec![None; old.len()] }.run(outputs)
    }

    fn run(mut self, outputs: &[Ref]) -> (Graph, Vec<Ref>) {
        let live = live(self.old, outputs);
        for index in (0..self.old.len()).filter(|&index| live[index]) {
            if !self.absorbed[index] {
                let place = self.rewrite(Ref::new(index));
                self.places[index] = Some(place);
            }
        }
        let outputs = outputs.iter().map(|&output| self.place(output)).collect();
        (self.new, outputs)
    }

    fn place(&self, old: Ref) -> Ref {
        self.places[old.index()].expect("operands come first").signed(old.is_negative())
    }

    fn rewrite(&mut self, at: Ref) -> Ref {
        match self.old.op(at) {
            Op::Add(x, y) if self.absorbed[x.index()] || self.absorbed[y.index()] => {
                let mut terms = Vec::new();
                self.collect_terms(at, 1.0, &mut terms);
                self.sum(terms)
            }
            Op::Mul(x, y) if self.absorbed[x.index()] || self.absorbed[y.index()] => {
                let mut term = Term { coefficient: 1.0, factors: Vec::new() };
                self.collect_factors(at, &mut term);
                self.product(&term)
            }
            op => {
                let value = self.old.value(at);
                let Self { new, places, .. } = self;
                new.make(op, value, |old| places[old.index()].expect("operands come first").signed(old.is_negative()))
            }
        }
    }

    /// The terms of a sum, through the sums that are part of it alone.
    fn collect_terms(&self, at: Ref, sign: f64, terms: &mut Vec<Term>) {
        let Op::Add(x, y) = self.old.op(at) else { unreachable!("a sum") };
        for operand in [x, y] {
            let sign = if operand.is_negative() { -sign } else { sign };
            match self.old.op(operand) {
                Op::Add(..) if self.absorbed[operand.index()] => self.collect_terms(operand, sign, terms),
                _ => {
                    let mut term = Term { coefficient: sign, factors: Vec::new() };
                    self.collect_factors_of(operand.positive(), &mut term);
                    terms.push(term);
                }
            }
        }
    }

    fn collect_factors(&self, at: Ref, term: &mut Term) {
        let Op::Mul(x, y) = self.old.op(at) else { unreachable!("a product") };
        self.collect_factors_of(x, term);
        self.collect_factors_of(y, term);
    }

    fn collect_factors_of(&self, at: Ref, term: &mut Term) {
        if self.absorbed[at.index()] {
            return self.collect_factors(at, term);
        }
        let place = self.place(at);
        let (k, rest) = match self.new.constant_of(place) {
            Some(k) => (k, None),
            // A number times something that is shared stays as it is.
            None => (if place.is_negative() { -1.0 } else { 1.0 }, Some(place.positive())),
        };
        term.coefficient *= k;
        term.factors.extend(rest);
    }

    /// Σ terms, common factors first.
    fn sum(&mut self, mut terms: Vec<Term>) -> Ref {
        while let Some(common) = most_common(&terms) {
            let (mut group, mut rest) = (Vec::new(), Vec::new());
            let mut place = None;
            for mut term in terms {
                if common.leave(&mut term) {
                    place.get_or_insert(rest.len());
                    group.push(term);
                } else {
                    rest.push(term);
                }
            }
            let inner = self.sum(group);
            let factored = common.times(inner, &self.new);
            rest.insert(place.expect("a common factor"), factored);
            terms = rest;
        }
        let mut sum = None;
        for term in &terms {
            let term = self.product(term);
            sum = Some(sum.map_or(term, |sum| self.new.add(sum, term)));
        }
        sum.unwrap_or_else(|| self.new.constant(0.0))
    }

    fn product(&mut self, term: &Term) -> Ref {
        let size = self.new.constant(term.coefficient.abs());
        let factors = term.factors.iter().copied();
        let product = factors.reduce(|product, factor| self.new.mul(product, factor));
        let product = product.map_or(size, |product| self.new.mul(product, size));
        product.signed(term.coefficient < 0.0)
    }
}

/// What several terms have in common.
#[derive(Clone, Copy, PartialEq)]
enum Common {
    Factor(Ref),
    Size(f64),
}

impl Common {
    /// Takes it out of a term, if it is there.
    fn leave(self, term: &mut Term) -> bool {
        match self {
            Self::Factor(factor) => {
                let found = term.factors.iter().position(|&other| other == factor);
                found.is_some_and(|place| {
                    term.factors.remove(place);
                    true
                })
            }
            Self::Size(size) => {
                let has = term.coefficient.abs() == size && !term.factors.is_empty();
                if has {
                    term.coefficient = term.coefficient.signum();
                }
                has
            }
        }
    }

    fn times(self, inner: Ref, new: &Graph) -> Term {
        let sign = if inner.is_negative() { -1.0 } else { 1.0 };
        let (k, factors) = match new.constant_of(inner.positive()) {
            Some(k) => (sign * k, Vec::new()),
            None => (sign, vec![inner.positive()]),
        };
        match self {
            Self::Factor(factor) => Term { coefficient: k, factors: [vec![factor], factors].concat() },
            Self::Size(size) => Term { coefficient: k * size, factors },
        }
    }
}

/// The factor, or size of a coefficient, that most terms have, the first of several; none if none has two.
fn most_common(terms: &[Term]) -> Option<Common> {
    let mut tally: Vec<(Common, usize)> = Vec::new();
    for term in terms {
        let size = term.coefficient.abs();
        let of_size = (size != 1.0 && !term.factors.is_empty()).then_some(Common::Size(size));
        let mut own: Vec<Common> = term.factors.iter().map(|&factor| Common::Factor(factor)).chain(of_size).collect();
        own.dedup();
        for common in own {
            match tally.iter_mut().find(|(known, _)| *known == common) {
                Some((_, many)) => *many += 1,
                None => tally.push((common, 1)),
            }
        }
    }
    let most = tally.iter().map(|(_, many)| *many).max().filter(|&many| many > 1)?;
    tally.into_iter().find(|(_, many)| *many == most).map(|(common, _)| common)
}

/// Which nodes are part of the only sum or product that uses them.
fn absorbed(graph: &Graph, outputs: &[Ref]) -> Vec<bool> {
    let live = live(graph, outputs);
    let mut uses = vec![0_u32; graph.len()];
    let mut user = vec![None; graph.len()];
    outputs.iter().for_each(|output| uses[output.index()] += 1);
    for index in (0..graph.len()).filter(|&index| live[index]) {
        let op = graph.op(Ref::new(index));
        for operand in op.operands() {
            uses[operand.index()] += 1;
            user[operand.index()] = Some(op);
        }
    }
    let is_part = |index: usize| match (graph.op(Ref::new(index)), user[index]) {
        (Op::Add(..) | Op::Mul(..), Some(Op::Add(..))) | (Op::Mul(..), Some(Op::Mul(..))) => uses[index] == 1,
        _ => false,
    };
    (0..graph.len()).map(is_part).collect()
}
