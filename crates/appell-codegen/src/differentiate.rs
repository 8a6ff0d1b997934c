//! Derivatives of recorded expressions, and others put in the place of their inputs.

use super::expr::Expr;
use super::graph::{Graph, Op, Ref};
use super::simplify::live;

impl<'g> Expr<'g> {
    /// How fast expressions change while inputs change at these rates: exact, as by dual numbers, but recorded.
    ///
    /// ```
    /// use appell_codegen::{Expr, Recorder};
    /// use appell::real::Real;
    ///
    /// let recorder = Recorder::default();
    /// let x = recorder.input(0, 0.5);
    /// let slope = Expr::derivatives(&[x.sin_cos().0 * x], &[(x, x.constant(1.0))]);
    /// let found = recorder.program(&slope).run(&[0.5])[0];
    /// assert!((found - (0.5_f64.cos() * 0.5 + 0.5_f64.sin())).abs() < 1e-15);
    /// ```
    #[must_use]
    pub fn derivatives(of: &[Self], along: &[(Self, Self)]) -> Vec<Self> {
        Self::rewritten(of, along, Graph::derivatives)
    }

    /// The same expressions with others in the place of inputs.
    #[must_use]
    pub(super) fn substituted(of: &[Self], pairs: &[(Self, Self)]) -> Vec<Self> {
        Self::rewritten(of, pairs, Graph::substituted)
    }
}

impl Graph {
    fn derivatives(&mut self, of: &[Ref], along: &[(Ref, Ref)]) -> Vec<Ref> {
        let zero = self.constant(0.0);
        let live = live(self, of);
        let mut slopes = vec![zero; live.len()];
        for index in (0..live.len()).filter(|&index| live[index]) {
            let at = Ref::new(index);
            let given = along.iter().find(|(input, _)| *input == at);
            slopes[index] = match given {
                Some((_, rate)) => *rate,
                None => self.slope(at, |operand| slopes[operand.index()].signed(operand.is_negative())),
            };
        }
        of.iter().map(|&at| slopes[at.index()].signed(at.is_negative())).collect()
    }

    /// The derivative of a node from those of its operands.
    fn slope(&mut self, at: Ref, slope: impl Fn(Ref) -> Ref) -> Ref {
        let zero = self.constant(0.0);
        let op = self.op(at);
        if op.operands().all(|operand| slope(operand).positive() == zero) {
            return zero;
        }
        match op {
            Op::Input(_) | Op::Constant(_) => zero,
            Op::Add(x, y) => self.add(slope(x), slope(y)),
            Op::Mul(x, y) => {
                let (left, right) = (self.mul(slope(x), y), self.mul(x, slope(y)));
                self.add(left, right)
            }
            Op::Div(x, y) => {
                let part = self.mul(at, slope(y));
                let rest = self.sub(slope(x), part);
                self.div(rest, y)
            }
            Op::Sqrt(x) => {
                let twice = self.add(at, at);
                self.div(slope(x), twice)
            }
            Op::Sin(x) => {
                let (_, cos) = self.sin_cos(x);
                self.mul(cos, slope(x))
            }
            Op::Cos(x) => {
                let (sin, _) = self.sin_cos(x);
                self.mul(sin.negated(), slope(x))
            }
            Op::Atan2(y, x) => {
                let (left, right) = (self.mul(slope(y), x), self.mul(y, slope(x)));
                let (a, b) = (self.mul(x, x), self.mul(y, y));
                let (over, under) = (self.sub(left, right), self.add(a, b));
                self.div(over, under)
            }
            Op::Exp(x) => self.mul(at, slope(x)),
            Op::Where(x, yes, no) => self.where_positive(x, slope(yes), slope(no)),
        }
    }

    fn substituted(&mut self, of: &[Ref], pairs: &[(Ref, Ref)]) -> Vec<Ref> {
        let live = live(self, of);
        let mut places: Vec<Ref> = (0..live.len()).map(Ref::new).collect();
        for index in (0..live.len()).filter(|&index| live[index]) {
            let at = Ref::new(index);
            places[index] = match pairs.iter().find(|(input, _)| *input == at) {
                Some((_, other)) => *other,
                None => {
                    let (op, value) = (self.op(at), self.value(at));
                    self.make(op, value, |operand| places[operand.index()].signed(operand.is_negative()))
                }
            };
        }
        of.iter().map(|&at| places[at.index()].signed(at.is_negative())).collect()
    }
}
