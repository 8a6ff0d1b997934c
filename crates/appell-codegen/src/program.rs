//! A recorded computation, ready to be counted, run and written down.

use super::expr::{Expr, Recorder};
use super::graph::{Op, Ref};
use super::simplify;
use appell::real::Count;

/// Operations in an order in which they can be made, from inputs to outputs.
#[derive(Debug, Clone)]
pub struct Program {
    pub(super) steps: Vec<Op>, // references are places in this list
    pub(super) outputs: Vec<Ref>,
}

impl Recorder {
    /// The program that computes these expressions, in as few operations as simplification finds.
    #[must_use]
    pub fn program(&self, outputs: &[Expr<'_>]) -> Program {
        self.with_graph(outputs, |graph, outputs| {
            let (graph, outputs) = simplify::simplified(graph, outputs);
            let live = simplify::live(&graph, &outputs);
            let mut places: Vec<Option<Ref>> = vec![None; graph.len()];
            let mut program = Program { steps: Vec::new(), outputs: Vec::new() };
            // Sines and cosines go first, after what they need: some languages call for them, and what is kept over a call is
            // kept in memory; others compute them abreast.
            let early = simplify::live(&graph, &angles(&graph, &live));
            let is_angle = |index: usize| graph.op(Ref::new(index)).angle().is_some();
            let stage = |index: usize| if early[index] { usize::from(is_angle(index)) } else { 2 };
            for now in 0..3 {
                for index in (0..graph.len()).filter(|&index| live[index] && stage(index) == now) {
                    places[index] = Some(Ref::new(program.steps.len()));
                    let place = |at: Ref| places[at.index()].expect("operands come first").signed(at.is_negative());
                    program.steps.push(graph.op(Ref::new(index)).relabelled(place));
                }
            }
            let place = |at: &Ref| places[at.index()].expect("an output is live").signed(at.is_negative());
            program.outputs = outputs.iter().map(place).collect();
            program
        })
    }
}

/// Sines and cosines that depend on nothing but sums of inputs.
fn angles(graph: &super::graph::Graph, live: &[bool]) -> Vec<Ref> {
    let mut plain = vec![false; graph.len()];
    let mut found = Vec::new();
    for index in 0..graph.len() {
        let op = graph.op(Ref::new(index));
        let of_plain = op.operands().all(|operand| plain[operand.index()]);
        plain[index] = of_plain && matches!(op, Op::Input(_) | Op::Constant(_) | Op::Add(..));
        if live[index] && of_plain && matches!(op, Op::Sin(_) | Op::Cos(_)) {
            found.push(Ref::new(index));
        }
    }
    found
}

impl Program {
    /// What it costs: × ÷ √ and + −, as the papers count them.
    #[must_use]
    pub fn count(&self) -> Count {
        let mut sum = Count::default();
        self.steps.iter().for_each(|&op| sum += simplify::cost(op));
        sum
    }

    /// How many angles it takes sine or cosine of.
    #[must_use]
    pub fn angles(&self) -> usize {
        let mut angles: Vec<Ref> = self.steps.iter().filter_map(|op| op.angle()).collect();
        angles.sort_unstable();
        angles.dedup();
        angles.len()
    }

    /// Whether it takes exponentials, as only robots with Stribeck's friction do: in Rust its numbers must have them.
    #[must_use]
    pub fn has_exponentials(&self) -> bool {
        self.steps.iter().any(|op| matches!(op, Op::Exp(_)))
    }

    /// Runs it as it stands: the referee of the code that is made of it.
    ///
    /// # Panics
    /// If an input is missing.
    #[must_use]
    pub fn run(&self, inputs: &[f64]) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.steps.len());
        let signed = |values: &[f64], at: Ref| if at.is_negative() { -values[at.index()] } else { values[at.index()] };
        for &op in &self.steps {
            let at = |at: Ref| signed(&values, at);
            values.push(match op {
                Op::Input(place) => inputs[place],
                Op::Constant(bits) => f64::from_bits(bits),
                Op::Add(x, y) => at(x) + at(y),
                Op::Mul(x, y) => at(x) * at(y),
                Op::Div(x, y) => at(x) / at(y),
                Op::Sqrt(x) => at(x).sqrt(),
                Op::Sin(x) => libm::sin(at(x)),
                Op::Cos(x) => libm::cos(at(x)),
                Op::Atan2(y, x) => libm::atan2(at(y), at(x)),
                Op::Exp(x) => libm::exp(at(x)),
                Op::Where(x, yes, no) => at(if at(x) > 0.0 { yes } else { no }),
            });
        }
        self.outputs.iter().map(|&output| signed(&values, output)).collect()
    }
}

impl Op {
    /// The same of operands that stand elsewhere.
    pub(super) fn relabelled(self, place: impl Fn(Ref) -> Ref) -> Self {
        match self {
            Self::Input(_) | Self::Constant(_) => self,
            Self::Add(x, y) => Self::Add(place(x), place(y)),
            Self::Mul(x, y) => Self::Mul(place(x), place(y)),
            Self::Div(x, y) => Self::Div(place(x), place(y)),
            Self::Sqrt(x) => Self::Sqrt(place(x)),
            Self::Sin(x) => Self::Sin(place(x)),
            Self::Cos(x) => Self::Cos(place(x)),
            Self::Atan2(y, x) => Self::Atan2(place(y), place(x)),
            Self::Exp(x) => Self::Exp(place(x)),
            Self::Where(x, yes, no) => Self::Where(place(x), place(yes), place(no)),
        }
    }

    /// What it takes sine or cosine of.
    pub(super) fn angle(self) -> Option<Ref> {
        match self {
            Self::Sin(x) | Self::Cos(x) => Some(x),
            _ => None,
        }
    }
}
