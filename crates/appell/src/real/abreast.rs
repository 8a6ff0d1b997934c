//! Several numbers of one state side by side, for the sines and cosines of its joints.

use super::{Real, polynomial_sin_cos};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// Eight numbers that go through the same operations; a compiler that knows of wide registers uses them.
///
/// Without a token that proves such registers, as [`Lanes`](super::Lanes) carry, [`Fused`](super::Fused) numbers use it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Abreast(pub(super) [f64; Self::LEN]);

impl Abreast {
    /// How many: the joints of most arms at once.
    pub(super) const LEN: usize = 8;

    #[inline(always)]
    fn with(self, other: Self, of: impl Fn(f64, f64) -> f64) -> Self {
        Self(core::array::from_fn(
            #[inline(always)]
            |k| of(self.0[k], other.0[k]),
        ))
    }

    /// Sine and cosine with those of large arguments put right, one by one: the others stay as they are without them.
    #[cold]
    #[inline(never)]
    fn far_sin_cos(self, (mut sin, mut cos): (Self, Self)) -> (Self, Self) {
        for (k, x) in self.0.into_iter().enumerate() {
            if x.abs() > polynomial_sin_cos::LARGEST || x.is_nan() {
                (sin.0[k], cos.0[k]) = Real::sin_cos(x);
            }
        }
        (sin, cos)
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $symbol:tt) => {
        impl $trait for Abreast {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.with(other, #[inline(always)] |x, y| x $symbol y)
            }
        }
    };
}

operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl Neg for Abreast {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.with(
            self,
            #[inline(always)]
            |x, _| -x,
        )
    }
}

impl Real for Abreast {
    #[inline(always)]
    fn constant(self, x: f64) -> Self {
        Self([x; Self::LEN])
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let near = self.0.iter().fold(true, |near, x| near & (x.abs() <= polynomial_sin_cos::LARGEST));
        let found = polynomial_sin_cos::sin_cos(self);
        if near { found } else { self.far_sin_cos(found) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        self.with(x, Real::atan2)
    }

    #[inline(always)]
    fn exp(self) -> Self {
        Self(self.0.map(Real::exp))
    }

    #[inline(always)]
    fn where_positive(self, yes: Self, no: Self) -> Self {
        Self(core::array::from_fn(
            #[inline(always)]
            |k| if self.0[k] > 0.0 { yes.0[k] } else { no.0[k] },
        ))
    }

    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self(core::array::from_fn(
            #[inline(always)]
            |k| self.0[k].mul_add(a.0[k], b.0[k]),
        ))
    }

    #[inline(always)]
    fn scale_add(self, k: f64, b: Self) -> Self {
        self.mul_add(self.constant(k), b)
    }
}
