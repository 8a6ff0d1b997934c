//! What the equations of a family must give to be followed, and what they are made of.

use super::complex::{Complex, dot, minus, solve};
use crate::real::Real;

pub(super) type Vector<T = f64> = [Complex<T>; 3];

/// Equations in N unknown rates, of which the M coordinates of a solution follow.
pub(super) trait Equations<const N: usize, const M: usize>: Copy {
    /// The number of solutions of almost all members.
    const SOLUTIONS: usize;

    /// How many of the coordinates, the first ones, stand for the same rotation with the other sign.
    const OF_EITHER_SIGN: usize;

    /// This member and the way of its parameters to another: (1 − τ) self + τ other.
    fn way(&self, other: &Self) -> Self;

    /// The Jacobian at τ, with minus the values of the equations, or minus their derivatives by τ.
    fn linearise<T: Real>(&self, way: &Self, at: At<'_, T, M>, linear: &mut Linear<T, N>);

    /// Rates of the coordinates.
    fn rates<T: Real>(x: &[Complex<T>; M], unknowns: &[Complex<T>; N]) -> [Complex<T>; M];

    /// Takes off what rounding and long steps did to e·e = 1.
    fn normalise<T: Real>(x: &mut [Complex<T>; M]);

    /// The square of how far away a solution is: of the elements of R and of p.
    fn size<T: Real>(x: &[Complex<T>; M]) -> T;
}

/// Where equations are linearised, and whether for their values or their derivatives by τ.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'x, T, const M: usize> {
    pub(super) tau: Complex<T>,
    pub(super) x: &'x [Complex<T>; M],
    pub(super) values: bool,
}

/// Linear equations of the unknown rates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Linear<T, const N: usize> {
    pub(super) jacobian: [[Complex<T>; N]; N],
    pub(super) right: [Complex<T>; N],
}

impl<T: Real, const N: usize> Linear<T, N> {
    #[inline(always)]
    pub(super) fn new(like: T) -> Self {
        Self { jacobian: [[Complex::zero(like); N]; N], right: [Complex::zero(like); N] }
    }

    /// Solves them into the right side.
    #[inline(always)]
    pub(super) fn solve(&mut self) {
        solve(&mut self.jacobian, &mut self.right);
    }
}

pub(super) fn subtract<const N: usize>(a: &mut [Complex; N], b: &[Complex; N]) {
    *a = minus(a, b);
}

/// a + τ d.
#[inline(always)]
pub(super) fn moved<T: Real, const N: usize>(a: &[Complex; N], d: &[Complex; N], tau: Complex<T>) -> [Complex<T>; N] {
    let mut moved = [tau; N];
    for k in 0..N {
        moved[k] = a[k].lift(tau.re).plus(d[k].lift(tau.re), tau);
    }
    moved
}

#[inline(always)]
pub(super) fn lifted<T: Real, const N: usize>(a: &[Complex; N], like: T) -> [Complex<T>; N] {
    let mut lifted = [Complex::zero(like); N];
    for k in 0..N {
        lifted[k] = a[k].lift(like);
    }
    lifted
}

/// The rows of the rotation of a quaternion w, x, y, z with e·e = 1.
#[inline(always)]
pub(super) fn rotation<T: Real>([w, x, y, z]: [Complex<T>; 4]) -> [Vector<T>; 3] {
    let (xx, yy, zz, ww) = (x * x, y * y, z * z, w * w);
    let (xy, xz, yz) = (x * y, x * z, y * z);
    let (wx, wy, wz) = (w * x, w * y, w * z);
    [
        [ww + xx - yy - zz, (xy - wz).scale(2.0), (xz + wy).scale(2.0)],
        [(xy + wz).scale(2.0), ww - xx + yy - zz, (yz - wx).scale(2.0)],
        [(xz - wy).scale(2.0), (yz + wx).scale(2.0), ww - xx - yy + zz],
    ]
}

#[inline(always)]
pub(super) fn turned<T: Real, const N: usize>(rotation: &[[Complex<T>; N]; N], a: &[Complex<T>; N]) -> [Complex<T>; N] {
    let mut turned = *a;
    for k in 0..N {
        turned[k] = dot(&rotation[k], a);
    }
    turned
}

/// ė = ½ ω e.
#[inline(always)]
pub(super) fn quaternion_rate<T: Real>([w, x, y, z]: [Complex<T>; 4], omega: Vector<T>) -> [Complex<T>; 4] {
    let [a, b, c] = [omega[0].scale(0.5), omega[1].scale(0.5), omega[2].scale(0.5)];
    [-(a * x + b * y + c * z), a * w + b * z - c * y, b * w + c * x - a * z, c * w + a * y - b * x]
}

/// 1/√(e·e).
#[inline(always)]
pub(super) fn per_norm<T: Real, const N: usize>(e: &[Complex<T>; N]) -> Complex<T> {
    dot(e, e).sqrt().inverse()
}

#[inline(always)]
pub(super) fn squares<T: Real>(x: &[Complex<T>]) -> T {
    let mut sum = x[0].square();
    for x in &x[1..] {
        sum = sum + x.square();
    }
    sum
}

/// What a leg that keeps a distance has on its right side: −f, or −∂f/∂τ.
#[inline(always)]
pub(super) fn right_side<T: Real, const D: usize>(
    p: &[Complex<T>; D],
    [a, b, turned_rate, b_rate]: [&[Complex<T>; D]; 4],
    half: Complex<T>,
    values: bool,
) -> Complex<T> {
    if values {
        return dot(b, a) - dot(p, &minus(a, b)) - half;
    }
    let mut sum = *p;
    for k in 0..D {
        sum[k] = p[k] + a[k];
    }
    dot(&sum, b_rate) - dot(&minus(p, b), turned_rate) - half
}

/// The quaternion of a complex Rodrigues vector.
pub(super) fn quaternion(rodrigues: Vector) -> [Complex; 4] {
    let [x, y, z] = rodrigues;
    let e = [Complex::real(1.0), x, y, z];
    e.map(|component| component * per_norm(&e))
}
