//! The closures of platforms whose drives stand still, as polynomial equations with complex numbers.
//!
//! The equations of a family have parameters, its geometry. Almost all members of a family have the same number of solutions, and these
//! move with the parameters without meeting (Morgan1989): so they are found by following those of one member to those of another.
//!
//! | family | a leg keeps | equations | solutions |
//! |---|---|---|---|
//! | [`SixLegs`] | a point of the platform at a distance from a fixed point | \|R a + p − b\|² = l², six | 40 (Raghavan1993, Ronga1995) |
//! | `SixLegs<true>` | the same, two legs at each of three points of the platform | six, a₁ = a₂, a₃ = a₄, a₅ = a₆ | 16 (Nanua1990) |
//! | [`Planar`] | the same in a plane | three | 6 (Hunt1983, Gosselin1992) |
//! | [`Spherical`] | a direction of the platform at an angle to a fixed one | w·R v = c, three | 8 (Gosselin1994) |
//!
//! With the first pair of points as origins, a₁ = b₁ = 0, the first distance says p·p = l₁², and from the others it is taken off
//! (Wampler1996):
//!
//! ```text
//! p·(R a − b) − b·R a + ½ c = 0        c = a·a + b·b − l² + l₁²
//! ```
//!
//! The rotation is R of a quaternion e with e·e = 1, or of a cosine and a sine in the plane, all complex. Equations are linearised in
//! small turns ω, ė = ½ ω e, so that no coordinates of R become singular; solutions at infinity have an infinite R.

use super::complex::{Complex, cross, dot, minus, solve};
use super::equations::{
    At, Equations, Linear, Vector, lifted, moved, per_norm, quaternion_rate, right_side, rotation, squares, subtract,
    turned,
};
use crate::real::Real;

/// Six legs, each of which keeps a point of the platform at a distance from a fixed point.
///
/// `PAIRED`: two legs each of three points, one after the other. As general members 24 of their solutions are at infinity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SixLegs<const PAIRED: bool> {
    pub(super) a: [Vector; 5],
    pub(super) b: [Vector; 5],
    pub(super) c: [Complex; 5],
    pub(super) square: Complex, // l₁²
}

/// Three of them in a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Planar {
    pub(super) a: [[Complex; 2]; 2],
    pub(super) b: [[Complex; 2]; 2],
    pub(super) c: [Complex; 2],
    pub(super) square: Complex,
}

/// Three legs, each of which keeps a direction of the platform at an angle to a fixed one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spherical {
    pub(super) v: [Vector; 3],
    pub(super) w: [Vector; 3],
    pub(super) c: [Complex; 3],
}

impl<const PAIRED: bool> Equations<6, 7> for SixLegs<PAIRED> {
    const SOLUTIONS: usize = if PAIRED { 16 } else { 40 };
    const OF_EITHER_SIGN: usize = 4;

    fn way(&self, other: &Self) -> Self {
        let mut way = *other;
        for i in 0..5 {
            subtract(&mut way.a[i], &self.a[i]);
            subtract(&mut way.b[i], &self.b[i]);
        }
        subtract(&mut way.c, &self.c);
        way.square = way.square - self.square;
        way
    }

    #[inline(always)]
    fn linearise<T: Real>(&self, way: &Self, At { tau, x, values }: At<'_, T, 7>, linear: &mut Linear<T, 6>) {
        let Linear { jacobian, right } = linear;
        let like = tau.re;
        let zero = Complex::zero(like);
        let [e0, e1, e2, e3, px, py, pz] = *x;
        let (r, p) = (rotation([e0, e1, e2, e3]), [px, py, pz]);
        jacobian[0] = [px, py, pz, zero, zero, zero];
        right[0] = if values {
            (self.square.lift(like).plus(way.square.lift(like), tau) - dot(&p, &p)).scale(0.5)
        } else {
            way.square.lift(like).scale(0.5)
        };
        for i in 0..5 {
            let b = moved(&self.b[i], &way.b[i], tau);
            let a = turned(&r, &moved(&self.a[i], &way.a[i], tau));
            let (s, w) = (minus(&a, &b), cross(&a, &minus(&p, &b)));
            jacobian[i + 1] = [s[0], s[1], s[2], w[0], w[1], w[2]];
            right[i + 1] = if values {
                let half = self.c[i].lift(like).plus(way.c[i].lift(like), tau).scale(0.5);
                right_side(&p, [&a, &b, &a, &b], half, true)
            } else {
                let rates = [turned(&r, &lifted(&way.a[i], like)), lifted(&way.b[i], like)];
                right_side(&p, [&a, &b, &rates[0], &rates[1]], way.c[i].lift(like).scale(0.5), false)
            };
        }
    }

    #[inline(always)]
    fn rates<T: Real>(x: &[Complex<T>; 7], u: &[Complex<T>; 6]) -> [Complex<T>; 7] {
        let [w, x, y, z] = quaternion_rate([x[0], x[1], x[2], x[3]], [u[3], u[4], u[5]]);
        [w, x, y, z, u[0], u[1], u[2]]
    }

    #[inline(always)]
    fn normalise<T: Real>(x: &mut [Complex<T>; 7]) {
        let per = per_norm(&[x[0], x[1], x[2], x[3]]);
        for e in &mut x[..4] {
            *e = *e * per;
        }
    }

    #[inline(always)]
    fn size<T: Real>(x: &[Complex<T>; 7]) -> T {
        let (e, p) = (squares(&x[..4]), squares(&x[4..]));
        e * e + p
    }
}

impl Equations<3, 4> for Planar {
    const SOLUTIONS: usize = 6;
    const OF_EITHER_SIGN: usize = 0;

    fn way(&self, other: &Self) -> Self {
        let mut way = *other;
        for i in 0..2 {
            subtract(&mut way.a[i], &self.a[i]);
            subtract(&mut way.b[i], &self.b[i]);
        }
        subtract(&mut way.c, &self.c);
        way.square = way.square - self.square;
        way
    }

    #[inline(always)]
    fn linearise<T: Real>(&self, way: &Self, At { tau, x, values }: At<'_, T, 4>, linear: &mut Linear<T, 3>) {
        let Linear { jacobian, right } = linear;
        let [cos, sin, px, py] = *x;
        let like = tau.re;
        let zero = Complex::zero(like);
        let (r, p) = ([[cos, -sin], [sin, cos]], [px, py]);
        jacobian[0] = [px, py, zero];
        right[0] = if values {
            (self.square.lift(like).plus(way.square.lift(like), tau) - dot(&p, &p)).scale(0.5)
        } else {
            way.square.lift(like).scale(0.5)
        };
        for i in 0..2 {
            let b = moved(&self.b[i], &way.b[i], tau);
            let a = turned(&r, &moved(&self.a[i], &way.a[i], tau));
            let (s, arm) = (minus(&a, &b), minus(&p, &b));
            jacobian[i + 1] = [s[0], s[1], a[0] * arm[1] - a[1] * arm[0]];
            right[i + 1] = if values {
                let half = self.c[i].lift(like).plus(way.c[i].lift(like), tau).scale(0.5);
                right_side(&p, [&a, &b, &a, &b], half, true)
            } else {
                let rates = [turned(&r, &lifted(&way.a[i], like)), lifted(&way.b[i], like)];
                right_side(&p, [&a, &b, &rates[0], &rates[1]], way.c[i].lift(like).scale(0.5), false)
            };
        }
    }

    #[inline(always)]
    fn rates<T: Real>(&[cos, sin, ..]: &[Complex<T>; 4], &[x, y, omega]: &[Complex<T>; 3]) -> [Complex<T>; 4] {
        [-(omega * sin), omega * cos, x, y]
    }

    #[inline(always)]
    fn normalise<T: Real>(x: &mut [Complex<T>; 4]) {
        let per = per_norm(&[x[0], x[1]]);
        (x[0], x[1]) = (x[0] * per, x[1] * per);
    }

    #[inline(always)]
    fn size<T: Real>(x: &[Complex<T>; 4]) -> T {
        squares(x)
    }
}

impl Equations<3, 4> for Spherical {
    const SOLUTIONS: usize = 8;
    const OF_EITHER_SIGN: usize = 4;

    fn way(&self, other: &Self) -> Self {
        let mut way = *other;
        for i in 0..3 {
            subtract(&mut way.v[i], &self.v[i]);
            subtract(&mut way.w[i], &self.w[i]);
        }
        subtract(&mut way.c, &self.c);
        way
    }

    #[inline(always)]
    fn linearise<T: Real>(&self, way: &Self, At { tau, x, values }: At<'_, T, 4>, linear: &mut Linear<T, 3>) {
        let Linear { jacobian, right } = linear;
        let like = tau.re;
        let r = rotation(*x);
        for i in 0..3 {
            let w = moved(&self.w[i], &way.w[i], tau);
            let v = turned(&r, &moved(&self.v[i], &way.v[i], tau));
            jacobian[i] = cross(&v, &w);
            right[i] = if values {
                self.c[i].lift(like).plus(way.c[i].lift(like), tau) - dot(&w, &v)
            } else {
                let rates = [turned(&r, &lifted(&way.v[i], like)), lifted(&way.w[i], like)];
                way.c[i].lift(like) - dot(&w, &rates[0]) - dot(&rates[1], &v)
            };
        }
    }

    #[inline(always)]
    fn rates<T: Real>(x: &[Complex<T>; 4], u: &[Complex<T>; 3]) -> [Complex<T>; 4] {
        quaternion_rate(*x, *u)
    }

    #[inline(always)]
    fn normalise<T: Real>(x: &mut [Complex<T>; 4]) {
        let per = per_norm(x);
        for e in x {
            *e = *e * per;
        }
    }

    #[inline(always)]
    fn size<T: Real>(x: &[Complex<T>; 4]) -> T {
        let e = squares(x);
        e * e
    }
}

impl<const PAIRED: bool> SixLegs<PAIRED> {
    /// Takes the lengths of which `x` is a solution.
    pub(super) fn fit_lengths(&mut self, x: &[Complex; 7]) {
        let (r, p) = (rotation([x[0], x[1], x[2], x[3]]), [x[4], x[5], x[6]]);
        self.square = dot(&p, &p);
        for i in 0..5 {
            let a = turned(&r, &self.a[i]);
            self.c[i] = (dot(&self.b[i], &a) - dot(&p, &minus(&a, &self.b[i]))).scale(2.0);
        }
    }

    /// The solution with a rotation: its place follows from three of the equations, which are linear in it.
    pub(super) fn placed(&self, e: [Complex; 4]) -> [Complex; 7] {
        let r = rotation(e);
        let mut m = [[Complex::ZERO; 3]; 3];
        let mut y = [Complex::ZERO; 3];
        for i in 0..3 {
            let a = turned(&r, &self.a[i]);
            m[i] = minus(&a, &self.b[i]);
            y[i] = dot(&self.b[i], &a) - self.c[i].scale(0.5);
        }
        solve(&mut m, &mut y);
        [e[0], e[1], e[2], e[3], y[0], y[1], y[2]]
    }
}

impl Planar {
    /// Takes the lengths of which `x` is a solution.
    pub(super) fn fit_lengths(&mut self, &[cos, sin, px, py]: &[Complex; 4]) {
        let (r, p) = ([[cos, -sin], [sin, cos]], [px, py]);
        self.square = dot(&p, &p);
        for i in 0..2 {
            let a = turned(&r, &self.a[i]);
            self.c[i] = (dot(&self.b[i], &a) - dot(&p, &minus(&a, &self.b[i]))).scale(2.0);
        }
    }

    /// The solution with a rotation: its place follows from two of the equations, which are linear in it.
    pub(super) fn placed(&self, [cos, sin]: [Complex; 2]) -> [Complex; 4] {
        let r = [[cos, -sin], [sin, cos]];
        let mut m = [[Complex::ZERO; 2]; 2];
        let mut y = [Complex::ZERO; 2];
        for i in 0..2 {
            let a = turned(&r, &self.a[i]);
            m[i] = minus(&a, &self.b[i]);
            y[i] = dot(&self.b[i], &a) - self.c[i].scale(0.5);
        }
        solve(&mut m, &mut y);
        [cos, sin, y[0], y[1]]
    }
}

impl Spherical {
    /// Takes the angles of which `x` is a solution.
    pub(super) fn fit_angles(&mut self, x: &[Complex; 4]) {
        let r = rotation(*x);
        self.c = core::array::from_fn(|i| dot(&self.w[i], &turned(&r, &self.v[i])));
    }
}
