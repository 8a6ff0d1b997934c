//! One number at a time, with multiplication and addition in one instruction.

use super::abreast::Abreast;
use super::{Measured, Real, polynomial_sin_cos};
use core::ops::{Add, Div, Mul, Neg, Sub};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::{Avx2, Level, Simd};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use std::sync::LazyLock;

/// An `f64` in code that is compiled for a processor with fused multiply-add: what an
/// [`Evaluator`](crate::Evaluator) runs on unless a method is named.
///
/// Anywhere else every fused operation is a call into a routine that does it by hand, twenty times slower, and robots with closed
/// loops refuse it where there is no AVX2; take `f64` there.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(transparent)]
pub struct Fused(pub f64);

/// The instructions, if this processor has them; asked once.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
static AVX2: LazyLock<Option<Avx2>> = LazyLock::new(|| Level::new().as_avx2());

macro_rules! operator {
    ($trait:ident, $method:ident, $symbol:tt) => {
        impl $trait for Fused {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $symbol other.0)
            }
        }
    };
}

operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl Neg for Fused {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Real for Fused {
    #[inline(always)]
    fn constant(self, x: f64) -> Self {
        Self(x)
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        if self.0.abs() <= polynomial_sin_cos::LARGEST { polynomial_sin_cos::sin_cos(self) } else { far(self) }
    }

    #[inline(always)]
    fn sin_cos_of(count: usize, angle: impl Fn(usize) -> Self, mut put: impl FnMut(usize, (Self, Self))) {
        for first in (0..count).step_by(Abreast::LEN) {
            let size = (count - first).min(Abreast::LEN);
            // The last angle again where there is none: nothing passes through memory, which wide reads would wait for.
            let angles = core::array::from_fn(
                #[inline(always)]
                |k| angle(first + k.min(size - 1)).0,
            );
            let (sin, cos) = Abreast(angles).sin_cos();
            for k in 0..size {
                put(first + k, (Self(sin.0[k]), Self(cos.0[k])));
            }
        }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }

    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        Self(libm::atan2(self.0, x.0))
    }

    #[inline(always)]
    fn exp(self) -> Self {
        Self(libm::exp(self.0))
    }

    #[inline(always)]
    fn where_positive(self, yes: Self, no: Self) -> Self {
        if self.0 > 0.0 { yes } else { no }
    }

    /// # Panics
    /// If the processor has no AVX2: there would be a second, slow text of every step.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    #[inline(always)]
    fn within<R>(self, step: impl FnOnce() -> R) -> R {
        AVX2.expect("fused numbers need AVX2: take f64").vectorize(step)
    }

    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self(self.0.mul_add(a.0, b.0))
    }

    #[inline(always)]
    fn mul_sub(self, a: Self, b: Self) -> Self {
        Self(self.0.mul_add(a.0, -b.0))
    }

    #[inline(always)]
    fn scale_add(self, k: f64, b: Self) -> Self {
        Self(self.0.mul_add(k, b.0))
    }

    #[inline(always)]
    fn scale_sub(self, k: f64, b: Self) -> Self {
        Self(self.0.mul_add(k, -b.0))
    }
}

/// Angles of thousands of turns, and what is not an angle.
#[cold]
#[inline(never)]
fn far(x: Fused) -> (Fused, Fused) {
    let (sin, cos) = libm::sincos(x.0);
    (Fused(sin), Fused(cos))
}

impl Measured for Fused {
    const EPSILON: f64 = f64::EPSILON;

    const OF_PROCESSOR: bool = true;

    type Plain = f64;

    #[inline(always)]
    fn plain(self) -> f64 {
        self.0
    }

    #[inline(always)]
    fn least(self) -> f64 {
        self.0
    }
}
