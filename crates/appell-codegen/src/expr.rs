//! Recorded expressions: numbers that remember how they were computed.

use super::graph::{Graph, Ref};
use appell::real::{Count, Measured, Real};
use core::cell::{Cell, RefCell};
use core::fmt;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// Where expressions are recorded.
#[derive(Debug, Default)]
pub struct Recorder {
    graph: RefCell<Graph>,
    requested: Cell<Count>,
}

/// A number that records every operation made on it: an algorithm that ran on them has written itself down.
///
/// It carries its value at the state of recording, so that algorithms which refuse singular states run on it too: they
/// look at that state, and what they choose by value is chosen there.
///
/// ```
/// use appell_codegen::Recorder;
/// use appell::real::Real;
///
/// let recorder = Recorder::default();
/// let x = recorder.input(0, 0.5);
/// let y = (x * x.constant(2.0) + x.zero()).scale(3.0);
/// assert_eq!(recorder.program(&[y]).run(&[2.0]), [12.0]);
/// assert_eq!(recorder.program(&[y]).count().multiplications, 1);
/// ```
// Nothing is inlined: algorithms inline all of their own, and one operation there must stay one call here.
#[derive(Clone, Copy)]
pub struct Expr<'g> {
    recorder: &'g Recorder,
    at: Ref,
}

impl Recorder {
    /// The input of a place in the list of inputs, with its value at the state of recording.
    pub fn input(&self, place: usize, value: f64) -> Expr<'_> {
        let at = self.graph.borrow_mut().input(place, value);
        Expr { recorder: self, at }
    }

    /// A number.
    pub fn constant(&self, x: f64) -> Expr<'_> {
        let at = self.graph.borrow_mut().constant(x);
        Expr { recorder: self, at }
    }

    /// What the algorithm asked for: as [`Counted`](appell::real::Counted) would count it, zeros and ones included.
    pub fn requested(&self) -> Count {
        self.requested.get()
    }

    fn request(&self, cost: Count) {
        let mut requested = self.requested.get();
        requested += cost;
        self.requested.set(requested);
    }

    /// Calls `use_graph` with what was recorded and where the expressions are in it.
    pub(super) fn with_graph<R>(&self, expressions: &[Expr<'_>], use_graph: impl FnOnce(&Graph, &[Ref]) -> R) -> R {
        let refs: Vec<Ref> = expressions.iter().map(|expression| expression.at).collect();
        use_graph(&self.graph.borrow(), &refs)
    }
}

impl<'g> Expr<'g> {
    /// The number that it is, if it depends on no input.
    #[must_use]
    pub fn as_constant(self) -> Option<f64> {
        self.recorder.graph.borrow().constant_of(self.at)
    }

    /// Its value at the state of recording.
    #[must_use]
    pub fn value(self) -> f64 {
        self.recorder.graph.borrow().value(self.at)
    }

    /// Other expressions made of these and of pairs of an input and what stands for it.
    pub(super) fn rewritten(
        of: &[Self],
        pairs: &[(Self, Self)],
        rewrite: impl FnOnce(&mut Graph, &[Ref], &[(Ref, Ref)]) -> Vec<Ref>,
    ) -> Vec<Self> {
        let Some(&Self { recorder, .. }) = of.first() else { return Vec::new() };
        let refs: Vec<Ref> = of.iter().map(|expression| expression.at).collect();
        let pairs: Vec<(Ref, Ref)> = pairs.iter().map(|(input, other)| (input.at, other.at)).collect();
        let found = rewrite(&mut recorder.graph.borrow_mut(), &refs, &pairs);
        found.into_iter().map(|at| Self { recorder, at }).collect()
    }

    /// Where it is recorded.
    pub(super) fn recorder(self) -> &'g Recorder {
        self.recorder
    }

    fn make(self, make: impl FnOnce(&mut Graph) -> Ref) -> Self {
        let at = make(&mut self.recorder.graph.borrow_mut());
        Self { at, ..self }
    }
}

impl fmt::Debug for Expr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expr({:?} = {})", self.at, self.value())
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $cost:expr) => {
        impl $trait for Expr<'_> {
            type Output = Self;
            #[inline(never)]
            fn $method(self, other: Self) -> Self {
                self.recorder.request($cost);
                self.make(|graph| graph.$method(self.at, other.at))
            }
        }
    };
}

operator!(Add, add, Count::new(0, 1));
operator!(Sub, sub, Count::new(0, 1));
operator!(Mul, mul, Count::new(1, 0));
operator!(Div, div, Count::new(1, 0));

impl Neg for Expr<'_> {
    type Output = Self;
    #[inline(never)]
    fn neg(self) -> Self {
        Self { at: self.at.negated(), ..self }
    }
}

impl Real for Expr<'_> {
    #[inline(never)]
    fn constant(self, x: f64) -> Self {
        self.make(|graph| graph.constant(x))
    }

    #[inline(never)]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.recorder.graph.borrow_mut().sin_cos(self.at);
        (Self { at: sin, ..self }, Self { at: cos, ..self })
    }

    #[inline(never)]
    fn sqrt(self) -> Self {
        self.recorder.request(Count::new(1, 0));
        self.make(|graph| graph.sqrt(self.at))
    }

    #[inline(never)]
    fn atan2(self, x: Self) -> Self {
        self.make(|graph| graph.atan2(self.at, x.at))
    }

    #[inline(never)]
    fn exp(self) -> Self {
        self.make(|graph| graph.exp(self.at))
    }

    #[inline(never)]
    fn where_positive(self, yes: Self, no: Self) -> Self {
        self.make(|graph| graph.where_positive(self.at, yes.at, no.at))
    }
}

impl Measured for Expr<'_> {
    const EPSILON: f64 = f64::EPSILON;

    type Plain = f64;

    #[inline(never)]
    fn plain(self) -> f64 {
        self.value()
    }

    #[inline(never)]
    fn least(self) -> f64 {
        self.value()
    }
}
