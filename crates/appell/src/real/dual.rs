//! Dual numbers: a value and its exact derivatives, carried through any algorithm.

use super::{Measured, Real};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A value with its derivatives in `N` directions; `Dual<N, Dual<M>>` carries second derivatives.
///
/// ```
/// use appell::real::{Dual, Real};
/// let x = Dual::<2>::variable(0.5, 0);
/// let y = Dual::<2>::variable(2.0, 1);
/// let z = x.sin_cos().0 * y;
/// assert_eq!(z.derivative, [2.0 * 0.5_f64.cos(), 0.5_f64.sin()]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dual<const N: usize, T = f64> {
    /// The value.
    pub value: T,
    /// Its derivative in each direction.
    pub derivative: [T; N],
}

impl<const N: usize, T: Real> Dual<N, T> {
    /// A number that does not depend on anything.
    #[inline(always)]
    #[must_use]
    pub fn fixed(value: T) -> Self {
        Self { value, derivative: [value.zero(); N] }
    }

    /// The number whose derivative is 1 in the given direction and 0 in the others.
    ///
    /// # Panics
    /// If `direction` is not below `N`.
    #[inline(always)]
    #[must_use]
    pub fn variable(value: T, direction: usize) -> Self {
        let mut derivative = [value.zero(); N];
        derivative[direction] = value.constant(1.0);
        Self { value, derivative }
    }

    /// A value with its derivative in each direction. A single one is inlined whatever is in it, which lanes need and the
    /// standard library's `from_fn` is not; of many that would take minutes to compile.
    #[inline(always)]
    fn with(value: T, rate: impl Fn(usize) -> T) -> Self {
        if N > 1 {
            return Self { value, derivative: core::array::from_fn(rate) };
        }
        let mut derivative = [value; N];
        for (i, x) in derivative.iter_mut().enumerate() {
            *x = rate(i);
        }
        Self { value, derivative }
    }

    /// f(self), from f's value and its derivative there.
    #[inline(always)]
    fn chain(self, value: T, slope: T) -> Self {
        Self::with(
            value,
            #[inline(always)]
            |i| self.derivative[i] * slope,
        )
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $symbol:tt) => {
        impl<const N: usize, T: Real> $trait for Dual<N, T> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self::with(self.value $symbol other.value, #[inline(always)] |i| self.derivative[i] $symbol other.derivative[i])
            }
        }
    };
}

operator!(Add, add, +);
operator!(Sub, sub, -);

impl<const N: usize, T: Real> Mul for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let value = self.value * other.value;
        Self::with(
            value,
            #[inline(always)]
            |i| self.derivative[i].mul_add(other.value, self.value * other.derivative[i]),
        )
    }
}

impl<const N: usize, T: Real> Div for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let inverse = value.constant(1.0) / other.value;
        Self::with(
            value,
            #[inline(always)]
            |i| (self.derivative[i] - value * other.derivative[i]) * inverse,
        )
    }
}

impl<const N: usize, T: Real> Neg for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::with(
            -self.value,
            #[inline(always)]
            |i| -self.derivative[i],
        )
    }
}

impl<const N: usize, T: Real> Real for Dual<N, T> {
    const PARTS: usize = (1 + N) * T::PARTS;

    #[inline(always)]
    fn constant(self, x: f64) -> Self {
        Self::fixed(self.value.constant(x))
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.sin_cos();
        (self.chain(sin, cos), self.chain(cos, -sin))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, root.constant(0.5) / root)
    }

    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        let angle = self.value.atan2(x.value);
        let inverse = angle.constant(1.0) / x.value.mul_add(x.value, self.value * self.value);
        Self::with(
            angle,
            #[inline(always)]
            |i| (self.derivative[i] * x.value - self.value * x.derivative[i]) * inverse,
        )
    }

    #[inline(always)]
    fn exp(self) -> Self {
        let value = self.value.exp();
        self.chain(value, value)
    }

    #[inline(always)]
    fn where_positive(self, yes: Self, no: Self) -> Self {
        let value = self.value.where_positive(yes.value, no.value);
        Self::with(
            value,
            #[inline(always)]
            |i| self.value.where_positive(yes.derivative[i], no.derivative[i]),
        )
    }

    #[inline(always)]
    fn scale(self, k: f64) -> Self {
        let value = self.value.scale(k);
        Self::with(
            value,
            #[inline(always)]
            |i| self.derivative[i].scale(k),
        )
    }

    #[inline(always)]
    fn within<R>(self, step: impl FnOnce() -> R) -> R {
        self.value.within(step)
    }
}

impl<const N: usize, T: Measured> Measured for Dual<N, T> {
    const EPSILON: f64 = T::EPSILON;

    const OF_PROCESSOR: bool = T::OF_PROCESSOR;

    type Plain = T::Plain;

    #[inline(always)]
    fn plain(self) -> T::Plain {
        self.value.plain()
    }

    #[inline(always)]
    fn least(self) -> f64 {
        self.value.least()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every elementary function against a central difference.
    #[test]
    fn derivatives_match_differences() {
        type Function = fn(Dual<1>) -> Dual<1>;
        let functions: [(&str, Function); 7] = [
            ("sin", |x| x.sin_cos().0),
            ("cos", |x| x.sin_cos().1),
            ("sqrt", Real::sqrt),
            ("quotient", |x| x.scale(2.0) / (x * x + x.constant(1.0))),
            ("atan2", |x| (x * x).atan2(x - x.constant(3.0))),
            ("exp", |x| (x - x * x).exp()),
            ("selection", |x| x.where_positive(x * x, -x)),
        ];
        for (name, f) in functions {
            for x in [0.3, 1.1, 2.9] {
                let h = 1e-6;
                let difference = (f(Dual::fixed(x + h)).value - f(Dual::fixed(x - h)).value) / (2.0 * h);
                let exact = f(Dual::variable(x, 0)).derivative[0];
                assert!((exact - difference).abs() < 1e-8, "{name} at {x}: {exact} against {difference}");
            }
        }
    }

    #[test]
    fn nesting_gives_second_derivatives() {
        let x = Dual::<1, Dual<1>>::variable(Dual::variable(0.7, 0), 0);
        let cube_of_sine = x.sin_cos().0 * x.sin_cos().0 * x.sin_cos().0;
        let (s, c) = 0.7_f64.sin_cos();
        let second = cube_of_sine.derivative[0].derivative[0];
        assert!((second - (6.0 * s * c * c - 3.0 * s * s * s)).abs() < 1e-15);
    }
}
