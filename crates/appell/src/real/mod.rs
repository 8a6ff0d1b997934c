//! What a number must do, so that one text of an algorithm runs on many kinds of numbers.
//!
//! | instance | what running an algorithm on it gives |
//! |---|---|
//! | [`f64`], [`f32`] | numbers |
//! | [`Counted`] | numbers, and how many × ÷ √ and + − they cost, section by section |
//! | [`Dual`] | numbers and their exact derivatives, of any order by nesting |
//! | [`Fused`] | numbers, with the fused instructions of the processor at hand |
//! | `Expr` of the crate `appell-codegen` | the algorithm itself, written down: source code of one robot |
//! | [`Lanes`], [`Lanes32`] | as many numbers at once as the processor has lanes |
//!
//! It has no comparison and no test for NaN:
//! a lane type cannot answer them with one `bool`, an expression not at all. An algorithm branches on the
//! structure of the robot; where it must choose by value, it selects with [`Real::where_positive`].

mod abreast;
mod counted;
mod dual;
mod float;
mod fused;
mod lanes;
mod polynomial_atan2;
mod polynomial_sin_cos;

pub use counted::{Count, Counted, Tally};
pub use dual::Dual;
pub use fused::Fused;
pub use lanes::{Lanes, Lanes32};

use core::ops::{Add, Div, Mul, Neg, Sub};

/// A real number, or something that behaves like one: the only type parameter of the algorithms.
///
/// Model parameters stay `f64`: they enter by [`scale`](Real::scale) and [`constant`](Real::constant), so that
/// derivatives and lanes pay nothing for them.
///
/// ```
/// use appell::real::{Dual, Real};
///
/// fn area<T: Real>(radius: T) -> T {
///     (radius * radius).scale(std::f64::consts::PI)
/// }
/// let r = Dual::<1>::variable(2.0, 0);
/// assert!((area(r).derivative[0] - 4.0 * std::f64::consts::PI).abs() < 1e-15);
/// ```
pub trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// How many numbers it is made of: what is written out for one takes long to compile for many.
    const PARTS: usize = 1;

    /// The number `x`, of the same kind as `self`, whose value is not read.
    ///
    /// It takes a like because SIMD tokens and expression arenas travel with the values.
    #[must_use]
    fn constant(self, x: f64) -> Self;

    /// Sine and cosine, in this order.
    #[must_use]
    fn sin_cos(self) -> (Self, Self);

    /// Sines and cosines of `count` angles, each pair handed to `put` with its index.
    ///
    /// Numbers that gain by it compute several of them abreast.
    #[inline(always)]
    fn sin_cos_of(count: usize, angle: impl Fn(usize) -> Self, mut put: impl FnMut(usize, (Self, Self))) {
        for k in 0..count {
            put(k, angle(k).sin_cos());
        }
    }

    /// Square root.
    #[must_use]
    fn sqrt(self) -> Self;

    /// The angle of the vector (`x`, `self`), in (−π, π].
    #[must_use]
    fn atan2(self, x: Self) -> Self;

    /// e to the power of `self`.
    #[must_use]
    fn exp(self) -> Self;

    /// `yes` where `self` > 0, else `no`: the choice by value that lanes and expressions can make.
    #[must_use]
    fn where_positive(self, yes: Self, no: Self) -> Self;

    /// Zero, of the same kind as `self`.
    #[inline(always)]
    #[must_use]
    fn zero(self) -> Self {
        self.constant(0.0)
    }

    /// `k · self` for a model parameter `k`.
    #[inline(always)]
    #[must_use]
    fn scale(self, k: f64) -> Self {
        self * self.constant(k)
    }

    /// `self · a + b`, fused where that is one instruction. Never a call into a software fma.
    #[inline(always)]
    #[must_use]
    fn mul_add(self, a: Self, b: Self) -> Self {
        self * a + b
    }

    /// `self · a − b`, fused where that is one instruction.
    #[inline(always)]
    #[must_use]
    fn mul_sub(self, a: Self, b: Self) -> Self {
        self * a - b
    }

    /// `k · self + b` for a model parameter `k`, fused where that is one instruction.
    #[inline(always)]
    #[must_use]
    fn scale_add(self, k: f64, b: Self) -> Self {
        self.scale(k) + b
    }

    /// `k · self − b` for a model parameter `k`, fused where that is one instruction.
    #[inline(always)]
    #[must_use]
    fn scale_sub(self, k: f64, b: Self) -> Self {
        self.scale(k) - b
    }

    /// Runs a step where the instructions of this kind of number are known.
    ///
    /// Lanes compile it for their processor as a function of its own: what is large and used by many is compiled once, and
    /// not inlined into each. All others just run it.
    #[inline(always)]
    fn within<R>(self, step: impl FnOnce() -> R) -> R {
        step()
    }

    /// Marks the beginning of a step of a published algorithm. Only [`Counted`] listens.
    #[inline(always)]
    fn section(_name: &'static str) {}
}

/// A [`Real`] whose value can be looked at when an algorithm has ended, to refuse what is not a number or too small.
///
/// Recorded expressions have the value of the state at which they are recorded: what is refused or chosen by value is so
/// there.
pub trait Measured: Real {
    /// Relative distance from 1 to the next number.
    const EPSILON: f64;

    /// Whether it is computed by instructions that are chosen at run time, lanes and fused numbers: algorithms that choose
    /// by value are not compiled for them.
    const OF_PROCESSOR: bool = false;

    /// Values alone, for choices between numbers: nothing is recorded, counted or differentiated of what is done with them.
    type Plain: Measured;

    /// The value, or those of all lanes.
    fn plain(self) -> Self::Plain;

    /// The value as `f64`; of several lanes the one nearest to −∞, NaN if any is NaN.
    fn least(self) -> f64;

    /// The value as `f64`; of several lanes the one nearest to ∞, NaN if any is NaN.
    #[inline(always)]
    fn greatest(self) -> f64 {
        -(-self).least()
    }
}
