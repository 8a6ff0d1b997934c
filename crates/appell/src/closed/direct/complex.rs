//! Complex numbers, one or several abreast, and linear equations of them.

use crate::real::{Lanes, Real};
use core::ops::{Add, Mul, Neg, Sub};
use fearless_simd::{Simd, SimdBase};

/// re + i im.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Complex<T = f64> {
    /// Real part.
    pub(super) re: T,
    /// Imaginary part.
    pub(super) im: T,
}

impl Complex {
    /// 0.
    pub(super) const ZERO: Self = Self { re: 0.0, im: 0.0 };

    /// A real number.
    pub(super) const fn real(re: f64) -> Self {
        Self { re, im: 0.0 }
    }

    /// The same over the numbers of the kind of `like`.
    #[inline(always)]
    pub(super) fn lift<T: Real>(self, like: T) -> Complex<T> {
        Complex { re: like.constant(self.re), im: like.constant(self.im) }
    }

    /// The larger of the sizes of both parts.
    pub(super) fn size(self) -> f64 {
        self.re.abs().max(self.im.abs())
    }
}

impl<T: Real> Complex<T> {
    #[inline(always)]
    pub(super) fn zero(like: T) -> Self {
        Self { re: like.zero(), im: like.zero() }
    }

    #[inline(always)]
    pub(super) fn scale(self, k: f64) -> Self {
        Self { re: self.re.scale(k), im: self.im.scale(k) }
    }

    #[inline(always)]
    pub(super) fn times(self, k: T) -> Self {
        Self { re: self.re * k, im: self.im * k }
    }

    /// |z|².
    #[inline(always)]
    pub(super) fn square(self) -> T {
        self.re.mul_add(self.re, self.im * self.im)
    }

    #[inline(always)]
    pub(super) fn inverse(self) -> Self {
        let per = self.re.constant(1.0) / self.square();
        Self { re: self.re * per, im: -(self.im * per) }
    }

    /// The root with a positive real part.
    #[inline(always)]
    pub(super) fn sqrt(self) -> Self {
        let re = (self.square().sqrt() + self.re).scale(0.5).sqrt();
        Self { re, im: self.im.scale(0.5) / re }
    }

    /// self + a b.
    #[inline(always)]
    pub(super) fn plus(self, a: Self, b: Self) -> Self {
        Self {
            re: a.re.mul_add(b.re, a.im.mul_add(-b.im, self.re)),
            im: a.re.mul_add(b.im, a.im.mul_add(b.re, self.im)),
        }
    }

    /// `yes` where `which` is positive, `self` where it is not.
    #[inline(always)]
    pub(super) fn or(self, which: T, yes: Self) -> Self {
        Self { re: which.where_positive(yes.re, self.re), im: which.where_positive(yes.im, self.im) }
    }
}

impl<T: Real> Add for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl<T: Real> Sub for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl<T: Real> Neg for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }
}

impl<T: Real> Mul for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self { re: self.re.mul_sub(other.re, self.im * other.im), im: self.re.mul_add(other.im, self.im * other.re) }
    }
}

/// Σ aₖ bₖ, without conjugates.
#[inline(always)]
pub(super) fn dot<T: Real, const N: usize>(a: &[Complex<T>; N], b: &[Complex<T>; N]) -> Complex<T> {
    let mut sum = a[0] * b[0];
    for k in 1..N {
        sum = sum.plus(a[k], b[k]);
    }
    sum
}

/// a − b.
#[inline(always)]
pub(super) fn minus<T: Real, const N: usize>(a: &[Complex<T>; N], b: &[Complex<T>; N]) -> [Complex<T>; N] {
    let mut difference = *a;
    for k in 0..N {
        difference[k] = a[k] - b[k];
    }
    difference
}

/// a × b.
#[inline(always)]
pub(super) fn cross<T: Real>(a: &[Complex<T>; 3], b: &[Complex<T>; 3]) -> [Complex<T>; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// x of m x = y, by elimination with the largest pivot of each column; not finite where m is singular.
#[inline(always)]
pub(super) fn solved<T: Real, const N: usize>(mut m: [[Complex<T>; N]; N], mut y: [Complex<T>; N]) -> [Complex<T>; N] {
    for k in 0..N {
        // Lanes have pivots of their own: each row that is larger changes places with this one.
        let mut largest = m[k][k].square();
        for r in k + 1..N {
            let size = m[r][k].square();
            let which = size - largest;
            largest = which.where_positive(size, largest);
            let (upper, lower) = (m[k], m[r]);
            for c in k..N {
                m[k][c] = upper[c].or(which, lower[c]);
                m[r][c] = lower[c].or(which, upper[c]);
            }
            let (upper, lower) = (y[k], y[r]);
            y[k] = upper.or(which, lower);
            y[r] = lower.or(which, upper);
        }
        m[k][k] = m[k][k].inverse();
        for r in k + 1..N {
            let factor = -(m[r][k] * m[k][k]);
            let pivot = m[k];
            for c in k + 1..N {
                m[r][c] = m[r][c].plus(factor, pivot[c]);
            }
            y[r] = y[r].plus(factor, y[k]);
        }
    }
    for k in (0..N).rev() {
        for c in k + 1..N {
            y[k] = y[k].plus(-m[k][c], y[c]);
        }
        y[k] = y[k] * m[k][k];
    }
    y
}

/// A number for several paths side by side.
pub(super) trait Abreast: Real {
    /// How many.
    const PATHS: usize;

    /// One of each path.
    fn gather(self, of: impl FnMut(usize) -> f64) -> Self;

    /// That of a path.
    fn path(self, k: usize) -> f64;
}

impl Abreast for f64 {
    const PATHS: usize = 1;

    #[inline(always)]
    fn gather(self, mut of: impl FnMut(usize) -> f64) -> Self {
        of(0)
    }

    #[inline(always)]
    fn path(self, _: usize) -> f64 {
        self
    }
}

impl<S: Simd> Abreast for Lanes<S> {
    const PATHS: usize = Self::LEN;

    #[inline(always)]
    fn gather(mut self, mut of: impl FnMut(usize) -> f64) -> Self {
        for k in 0..Self::LEN {
            self.set(k, of(k));
        }
        self
    }

    #[inline(always)]
    fn path(self, k: usize) -> f64 {
        self.0.as_slice()[k]
    }
}
