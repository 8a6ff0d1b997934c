//! Adjoints of recorded expressions: what a number that depends on many inputs does by each of them, all at once, by one
//! pass from the end to the beginning.
//!
//! ```text
//! x̄_k = ∂/∂x_k Σ weight_i y_i          of every node: x̄ = Σ over what uses it of ∂use/∂x · use̅
//! ```

use super::expr::Expr;
use super::graph::{Graph, Op, Ref};
use super::simplify::live;

impl<'g> Expr<'g> {
    /// The derivatives of Σ weight · y by inputs, of pairs of y and its weight, which are expressions themselves: Jᵀ times
    /// the weights, exact, and recorded.
    ///
    /// ```
    /// use appell_codegen::{Expr, Recorder};
    /// use appell::real::Real;
    ///
    /// let recorder = Recorder::default();
    /// let (x, y, weight) = (recorder.input(0, 0.5), recorder.input(1, 2.0), recorder.input(2, 1.0));
    /// let slopes = Expr::adjoints(&[(x.sin_cos().0 * y, weight)], &[x, y]);
    /// let found = recorder.program(&slopes).run(&[0.5, 2.0, 3.0]);
    /// assert!((found[0] - 3.0 * 2.0 * 0.5_f64.cos()).abs() < 1e-15);
    /// assert!((found[1] - 3.0 * 0.5_f64.sin()).abs() < 1e-15);
    /// ```
    #[must_use]
    pub fn adjoints(of: &[(Self, Self)], inputs: &[Self]) -> Vec<Self> {
        Self::rewritten(inputs, of, |graph, inputs, of| graph.adjoints(of, inputs))
    }
}

impl Graph {
    fn adjoints(&mut self, of: &[(Ref, Ref)], inputs: &[Ref]) -> Vec<Ref> {
        let zero = self.constant(0.0);
        let outputs: Vec<Ref> = of.iter().map(|(output, _)| *output).collect();
        let live = live(self, &outputs);
        let depends = self.depending(inputs, live.len());
        let mut felt = vec![zero; live.len()];
        for &(output, weight) in of {
            felt[output.index()] = self.add(felt[output.index()], weight.signed_by(output));
        }
        for index in (0..live.len()).rev().filter(|&index| live[index] && depends[index]) {
            let own = felt[index];
            if own.positive() == zero {
                continue;
            }
            for (operand, share) in self.shares(Ref::new(index), own, &depends).into_iter().flatten() {
                felt[operand.index()] = self.add(felt[operand.index()], share.signed_by(operand));
            }
        }
        inputs.iter().map(|input| felt.get(input.index()).map_or(zero, |felt| felt.signed_by(*input))).collect()
    }

    /// Which nodes depend on inputs.
    fn depending(&self, inputs: &[Ref], many: usize) -> Vec<bool> {
        let mut depends = vec![false; many];
        for index in 0..many {
            let at = Ref::new(index);
            let is_input = inputs.iter().any(|input| input.positive() == at);
            depends[index] = is_input || self.op(at).operands().any(|operand| depends[operand.index()]);
        }
        depends
    }

    /// What a node passes on to its operands, of which those that depend on nothing get none.
    fn shares(&mut self, at: Ref, own: Ref, depends: &[bool]) -> [Option<(Ref, Ref)>; 2] {
        let zero = self.constant(0.0);
        let wanted = |x: Ref| depends[x.index()];
        let mut shares = [None; 2];
        match self.op(at) {
            Op::Input(_) | Op::Constant(_) => {}
            Op::Add(x, y) => shares = [Some((x, own)), Some((y, own))],
            Op::Mul(x, y) if x == y => {
                let twice = self.add(own, own);
                shares[0] = Some((x, self.mul(twice, x)));
            }
            Op::Mul(x, y) => {
                shares[0] = wanted(x).then(|| (x, self.mul(own, y)));
                shares[1] = wanted(y).then(|| (y, self.mul(own, x)));
            }
            Op::Div(x, y) => {
                let over = self.div(own, y);
                shares[0] = Some((x, over));
                shares[1] = wanted(y).then(|| (y, self.mul(over, at).negated()));
            }
            Op::Sqrt(x) => {
                let twice = self.add(at, at);
                shares[0] = Some((x, self.div(own, twice)));
            }
            Op::Sin(x) => {
                let (_, cos) = self.sin_cos(x);
                shares[0] = Some((x, self.mul(own, cos)));
            }
            Op::Cos(x) => {
                let (sin, _) = self.sin_cos(x);
                shares[0] = Some((x, self.mul(own, sin).negated()));
            }
            Op::Atan2(y, x) => {
                let (a, b) = (self.mul(x, x), self.mul(y, y));
                let under = self.add(a, b);
                let over = self.div(own, under);
                shares[0] = wanted(y).then(|| (y, self.mul(over, x)));
                shares[1] = wanted(x).then(|| (x, self.mul(over, y).negated()));
            }
            Op::Exp(x) => shares[0] = Some((x, self.mul(own, at))),
            Op::Where(x, yes, no) => {
                shares[0] = wanted(yes).then(|| (yes, self.where_positive(x, own, zero)));
                shares[1] = wanted(no).then(|| (no, self.where_positive(x, zero, own)));
            }
        }
        shares.map(|share| share.filter(|(operand, _)| wanted(*operand)))
    }
}
