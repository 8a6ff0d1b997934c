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

/// One value per direction. A single one is inlined whatever is in it, which lanes need and the standard library's `from_fn` is
/// not; of many that would take minutes to compile.
#[inline(always)]
fn each<const N: usize, T: Real>(of: impl Fn(usize) -> T, like: T) -> [T; N] {
    if N > 1 {
        return core::array::from_fn(of);
    }
    let mut all = [like; N];
    for (i, x) in all.iter_mut().enumerate() {
        *x = of(i);
    }
    all
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

    /// f(self), from f's value and its derivative there.
    #[inline(always)]
    fn chain(self, value: T, slope: T) -> Self {
        Self {
            value,
            derivative: each(
                #[inline(always)]
                |i| self.derivative[i] * slope,
                value,
            ),
        }
    }
}

impl<const N: usize, T: Real> Add for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let value = self.value + other.value;
        Self {
            value,
            derivative: each(
                #[inline(always)]
                |i| self.derivative[i] + other.derivative[i],
                value,
            ),
        }
    }
}

impl<const N: usize, T: Real> Sub for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let value = self.value - other.value;
        Self {
            value,
            derivative: each(
                #[inline(always)]
                |i| self.derivative[i] - other.derivative[i],
                value,
            ),
        }
    }
}

impl<const N: usize, T: Real> Mul for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let value = self.value * other.value;
        let rate = {
            #[inline(always)]
            |i: usize| self.derivative[i].mul_add(other.value, self.value * other.derivative[i])
        };
        Self { value, derivative: each(rate, value) }
    }
}

impl<const N: usize, T: Real> Div for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let inverse = value.constant(1.0) / other.value;
        let rate = {
            #[inline(always)]
            |i: usize| (self.derivative[i] - value * other.derivative[i]) * inverse
        };
        Self { value, derivative: each(rate, value) }
    }
}

impl<const N: usize, T: Real> Neg for Dual<N, T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self {
            value: -self.value,
            derivative: each(
                #[inline(always)]
                |i| -self.derivative[i],
                self.value,
            ),
        }
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
        let rate = {
            #[inline(always)]
            |i: usize| (self.derivative[i] * x.value - self.value * x.derivative[i]) * inverse
        };
        Self { value: angle, derivative: each(rate, angle) }
    }

    #[inline(always)]
    fn where_positive(self, yes: Self, no: Self) -> Self {
        let value = self.value.where_positive(yes.value, no.value);
        let rate = {
            #[inline(always)]
            |i: usize| self.value.where_positive(yes.derivative[i], no.derivative[i])
        };
        Self { value, derivative: each(rate, value) }
    }

    #[inline(always)]
    fn scale(self, k: f64) -> Self {
        let value = self.value.scale(k);
        Self {
            value,
            derivative: each(
                #[inline(always)]
                |i| self.derivative[i].scale(k),
                value,
            ),
        }
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
        let functions: [(&str, Function); 6] = [
            ("sin", |x| x.sin_cos().0),
            ("cos", |x| x.sin_cos().1),
            ("sqrt", Real::sqrt),
            ("quotient", |x| x.scale(2.0) / (x * x + x.constant(1.0))),
            ("atan2", |x| (x * x).atan2(x - x.constant(3.0))),
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
