//! Expressions as a graph in which equal ones are one: nodes are simplified when they are made and never change.
//!
//! A reference carries a sign, so that x and −x are one node and a negation costs nothing. Of a sum the first term is
//! positive, of products, quotients, sines and cosines all operands are: what a sign can be pulled out of has none inside.

use std::collections::HashMap;

/// A node, or its negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Ref(u32);

impl Ref {
    pub(super) fn new(index: usize) -> Self {
        Self(u32::try_from(index << 1).expect("fewer than 2³¹ nodes"))
    }

    pub(super) fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// The node without its sign.
    pub(super) fn positive(self) -> Self {
        Self(self.0 & !1)
    }

    /// The same, negated where `negative`.
    pub(super) fn signed(self, negative: bool) -> Self {
        Self(self.0 ^ u32::from(negative))
    }

    /// The same, negated where another is negative.
    pub(super) fn signed_by(self, other: Self) -> Self {
        self.signed(other.is_negative())
    }

    pub(super) fn negated(self) -> Self {
        self.signed(true)
    }
}

/// What a node is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// A number that the caller gives, by its place.
    Input(usize),
    /// A number without a sign, by its bits.
    Constant(u64),
    Add(Ref, Ref),
    Mul(Ref, Ref),
    Div(Ref, Ref),
    Sqrt(Ref),
    Sin(Ref),
    Cos(Ref),
    /// Of y and x.
    Atan2(Ref, Ref),
    Exp(Ref),
    /// The second where the first is positive, else the third.
    Where(Ref, Ref, Ref),
}

impl Op {
    /// The nodes that it is made of.
    pub(super) fn operands(&self) -> impl Iterator<Item = Ref> {
        let operands = match *self {
            Self::Input(_) | Self::Constant(_) => [None; 3],
            Self::Sqrt(x) | Self::Sin(x) | Self::Cos(x) | Self::Exp(x) => [Some(x), None, None],
            Self::Add(x, y) | Self::Mul(x, y) | Self::Div(x, y) | Self::Atan2(x, y) => [Some(x), Some(y), None],
            Self::Where(x, y, z) => [Some(x), Some(y), Some(z)],
        };
        operands.into_iter().flatten()
    }
}

/// All nodes, operands before what is made of them, with their values at one state.
///
/// The values let algorithms that refuse singular states run on expressions: they look at this state. No
/// simplification depends on them.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    ops: Vec<Op>,
    values: Vec<f64>,
    known: HashMap<Op, usize>,
}

impl Graph {
    pub(super) fn op(&self, at: Ref) -> Op {
        self.ops[at.index()]
    }

    pub(super) fn len(&self) -> usize {
        self.ops.len()
    }

    /// The value at the state of recording.
    pub(super) fn value(&self, at: Ref) -> f64 {
        let value = self.values[at.index()];
        if at.is_negative() { -value } else { value }
    }

    /// The number that a node is, if it is a constant.
    pub(super) fn constant_of(&self, at: Ref) -> Option<f64> {
        matches!(self.op(at), Op::Constant(_)).then(|| self.value(at))
    }

    /// An input, by its place, with its value at the state of recording.
    pub(super) fn input(&mut self, place: usize, value: f64) -> Ref {
        self.insert(Op::Input(place), value)
    }

    pub(super) fn constant(&mut self, x: f64) -> Ref {
        let size = x.abs(); // −0 becomes 0
        self.insert(Op::Constant(size.to_bits()), size).signed(x < 0.0)
    }

    fn insert(&mut self, op: Op, value: f64) -> Ref {
        let Self { ops, values, known } = self;
        Ref::new(*known.entry(op).or_insert_with(|| {
            ops.push(op);
            values.push(value);
            ops.len() - 1
        }))
    }

    fn is(&self, at: Ref, x: f64) -> bool {
        self.constant_of(at) == Some(x)
    }

    pub(super) fn add(&mut self, a: Ref, b: Ref) -> Ref {
        if let (Some(x), Some(y)) = (self.constant_of(a), self.constant_of(b)) {
            return self.constant(x + y);
        }
        if self.is(a, 0.0) {
            return b;
        }
        if self.is(b, 0.0) {
            return a;
        }
        if a == b.negated() {
            return self.constant(0.0);
        }
        if let Some(less) = self.cancelled(a, b).or_else(|| self.cancelled(b, a)).or_else(|| self.collected(a, b)) {
            return less;
        }
        let (a, b) = if a.index() <= b.index() { (a, b) } else { (b, a) };
        let (first, second) = (a.positive(), b.signed(a.is_negative()));
        let value = self.value(first) + self.value(second);
        self.insert(Op::Add(first, second), value).signed(a.is_negative())
    }

    pub(super) fn sub(&mut self, a: Ref, b: Ref) -> Ref {
        self.add(a, b.negated())
    }

    /// (x + y) − x, (x + y) + (z − x), and constants that meet: (x + 1) + 2.
    fn cancelled(&mut self, sum: Ref, b: Ref) -> Option<Ref> {
        let terms = |graph: &Self, at: Ref| match graph.op(at) {
            Op::Add(x, y) => Some([x.signed(at.is_negative()), y.signed(at.is_negative())]),
            _ => None,
        };
        let own = terms(self, sum)?;
        for (x, y) in [(own[0], own[1]), (own[1], own[0])] {
            if b == x.negated() {
                return Some(y);
            }
            if let (Some(p), Some(q)) = (self.constant_of(x), self.constant_of(b)) {
                let both = self.constant(p + q);
                return Some(self.add(y, both));
            }
            if let Some(others) = terms(self, b) {
                for (z, w) in [(others[0], others[1]), (others[1], others[0])] {
                    if x == z.negated() {
                        return Some(self.add(y, w));
                    }
                }
            }
        }
        None
    }

    /// 2 x + 3 x, and sin² + cos².
    fn collected(&mut self, a: Ref, b: Ref) -> Option<Ref> {
        let ((p, x), (q, y)) = (self.scaled(a), self.scaled(b));
        if x == y && a != b {
            let both = self.constant(p + q);
            return Some(self.mul(both, x));
        }
        let square_of = |at: Ref| match self.op(at) {
            Op::Mul(x, y) if x == y => Some(self.op(x)),
            _ => None,
        };
        let is_unit = match (square_of(x), square_of(y)) {
            (Some(Op::Sin(angle)), Some(Op::Cos(other))) | (Some(Op::Cos(angle)), Some(Op::Sin(other))) => {
                angle == other && p == q
            }
            _ => false,
        };
        is_unit.then(|| self.constant(p))
    }

    /// A node as a number times another, positive one.
    pub(super) fn scaled(&self, at: Ref) -> (f64, Ref) {
        let sign = if at.is_negative() { -1.0 } else { 1.0 };
        if let Op::Mul(x, y) = self.op(at) {
            for (k, rest) in [(x, y), (y, x)] {
                if let Some(k) = self.constant_of(k) {
                    return (sign * k, rest);
                }
            }
        }
        (sign, at.positive())
    }

    pub(super) fn mul(&mut self, a: Ref, b: Ref) -> Ref {
        let negative = a.is_negative() != b.is_negative();
        let (a, b) = (a.positive(), b.positive());
        if let (Some(x), Some(y)) = (self.constant_of(a), self.constant_of(b)) {
            return self.constant(x * y).signed(negative);
        }
        for (k, x) in [(a, b), (b, a)] {
            if let Some(k) = self.constant_of(k) {
                if k == 0.0 {
                    return self.constant(0.0);
                }
                if k == 1.0 {
                    return x.signed(negative);
                }
                let (inner, rest) = self.scaled(x);
                if inner != 1.0 {
                    let both = self.constant(k * inner);
                    return self.mul(both, rest).signed(negative);
                }
            }
            if let Op::Div(over, under) = self.op(x)
                && under == k
            {
                return over.signed(negative);
            }
        }
        if a == b
            && let Op::Sqrt(x) = self.op(a)
        {
            return x.signed(negative);
        }
        let (a, b) = if a.index() <= b.index() { (a, b) } else { (b, a) };
        let value = self.value(a) * self.value(b);
        self.insert(Op::Mul(a, b), value).signed(negative)
    }

    pub(super) fn div(&mut self, a: Ref, b: Ref) -> Ref {
        let negative = a.is_negative() != b.is_negative();
        let (a, b) = (a.positive(), b.positive());
        if self.is(a, 0.0) {
            return a;
        }
        if a == b {
            return self.constant(1.0).signed(negative);
        }
        if let Some(k) = self.constant_of(b).filter(|&k| k != 0.0) {
            let inverse = self.constant(1.0 / k);
            return self.mul(a, inverse).signed(negative);
        }
        let value = self.value(a) / self.value(b);
        self.insert(Op::Div(a, b), value).signed(negative)
    }

    pub(super) fn sqrt(&mut self, x: Ref) -> Ref {
        match self.constant_of(x) {
            Some(x) => self.constant(x.sqrt()),
            None => self.insert(Op::Sqrt(x), self.value(x).sqrt()),
        }
    }

    /// Sine and cosine.
    pub(super) fn sin_cos(&mut self, x: Ref) -> (Ref, Ref) {
        let (negative, x) = (x.is_negative(), x.positive());
        if let Some(angle) = self.constant_of(x) {
            let (sin, cos) = libm::sincos(angle);
            return (self.constant(sin).signed(negative), self.constant(cos));
        }
        if let Some((rest, quarters)) = self.less_right_angles(x) {
            let (sin, cos) = self.sin_cos(rest);
            let (sin, cos) = match quarters {
                1 => (cos, sin.negated()),
                2 => (sin.negated(), cos.negated()),
                3 => (cos.negated(), sin),
                _ => (sin, cos),
            };
            return (sin.signed(negative), cos);
        }
        if let Op::Atan2(over, under) = self.op(x) {
            // The angle of a vector is not needed where its direction is.
            let (a, b) = (self.mul(over, over), self.mul(under, under));
            let square = self.add(a, b);
            let length = self.sqrt(square);
            let (sin, cos) = (self.div(over, length), self.div(under, length));
            return (sin.signed(negative), cos);
        }
        let (sin, cos) = libm::sincos(self.value(x));
        (self.insert(Op::Sin(x), sin).signed(negative), self.insert(Op::Cos(x), cos))
    }

    /// An angle without the right angles that a table adds to it, and how many of four they are.
    fn less_right_angles(&self, x: Ref) -> Option<(Ref, i8)> {
        let Op::Add(a, b) = self.op(x) else { return None };
        let (rest, offset) = match (self.constant_of(a), self.constant_of(b)) {
            (Some(offset), _) => (b, offset),
            (_, Some(offset)) => (a, offset),
            _ => return None,
        };
        let quarters = offset / core::f64::consts::FRAC_PI_2;
        let nearest = quarters.round();
        let is_right = (quarters - nearest).abs() <= 4.0 * f64::EPSILON * quarters.abs();
        #[expect(clippy::cast_possible_truncation, reason = "0 to 3")]
        is_right.then(|| (rest, nearest.rem_euclid(4.0) as i8))
    }

    pub(super) fn atan2(&mut self, y: Ref, x: Ref) -> Ref {
        match (self.constant_of(y), self.constant_of(x)) {
            (Some(y), Some(x)) => self.constant(libm::atan2(y, x)),
            _ => {
                let negative = y.is_negative();
                let value = libm::atan2(self.value(y.positive()), self.value(x));
                self.insert(Op::Atan2(y.positive(), x), value).signed(negative)
            }
        }
    }

    pub(super) fn exp(&mut self, x: Ref) -> Ref {
        match self.constant_of(x) {
            Some(x) => self.constant(libm::exp(x)),
            None => self.insert(Op::Exp(x), libm::exp(self.value(x))),
        }
    }

    pub(super) fn where_positive(&mut self, x: Ref, yes: Ref, no: Ref) -> Ref {
        if yes == no {
            return yes;
        }
        let chosen = if self.value(x) > 0.0 { yes } else { no };
        match self.constant_of(x) {
            Some(_) => chosen,
            None => self.insert(Op::Where(x, yes, no), self.value(chosen)),
        }
    }

    /// Makes a node of another graph from operands of this one.
    pub(super) fn make(&mut self, op: Op, value: f64, mut operand: impl FnMut(Ref) -> Ref) -> Ref {
        match op {
            Op::Input(place) => self.input(place, value),
            Op::Constant(bits) => self.constant(f64::from_bits(bits)),
            Op::Add(x, y) => self.add(operand(x), operand(y)),
            Op::Mul(x, y) => self.mul(operand(x), operand(y)),
            Op::Div(x, y) => self.div(operand(x), operand(y)),
            Op::Sqrt(x) => self.sqrt(operand(x)),
            Op::Sin(x) => self.sin_cos(operand(x)).0,
            Op::Cos(x) => self.sin_cos(operand(x)).1,
            Op::Atan2(y, x) => self.atan2(operand(y), operand(x)),
            Op::Exp(x) => self.exp(operand(x)),
            Op::Where(x, yes, no) => self.where_positive(operand(x), operand(yes), operand(no)),
        }
    }
}
