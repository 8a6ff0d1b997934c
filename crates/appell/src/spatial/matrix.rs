//! Tensors of space: general and symmetric.

use super::Vec3;
use crate::real::Real;
use core::ops::{Add, Mul, Sub};

/// A 3 × 3 matrix by its rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mat3<T = f64> {
    /// First, second and third row.
    pub rows: [Vec3<T>; 3],
}

impl<T: Real> Mat3<T> {
    /// The matrix with the given rows.
    #[inline(always)]
    pub const fn from_rows(rows: [Vec3<T>; 3]) -> Self {
        Self { rows }
    }

    /// The zero matrix, of the same kind as `like`.
    #[inline(always)]
    pub fn zero(like: T) -> Self {
        Self { rows: [Vec3::zero(like); 3] }
    }

    /// The unit matrix, of the same kind as `like`.
    #[inline(always)]
    pub fn identity(like: T) -> Self {
        let (one, zero) = (like.constant(1.0), like.zero());
        Self { rows: [Vec3::new(one, zero, zero), Vec3::new(zero, one, zero), Vec3::new(zero, zero, one)] }
    }

    /// The matrix of the vector product: `skew(v) x = v × x`.
    #[inline(always)]
    pub fn skew(v: Vec3<T>) -> Self {
        let zero = v.x.zero();
        Self { rows: [Vec3::new(zero, -v.z, v.y), Vec3::new(v.z, zero, -v.x), Vec3::new(-v.y, v.x, zero)] }
    }

    /// The transpose.
    #[inline(always)]
    #[must_use]
    pub fn transpose(self) -> Self {
        Self { rows: [self.column(0), self.column(1), self.column(2)] }
    }

    /// One column.
    ///
    /// # Panics
    /// If `k` is not 0, 1 or 2.
    #[inline(always)]
    #[must_use]
    pub fn column(&self, k: usize) -> Vec3<T> {
        Vec3::new(self.rows[0][k], self.rows[1][k], self.rows[2][k])
    }

    /// The transpose times a vector, without forming the transpose.
    #[inline(always)]
    #[must_use]
    pub fn transpose_times(&self, v: Vec3<T>) -> Vec3<T> {
        self.rows[0].times(v.x) + self.rows[1].times(v.y) + self.rows[2].times(v.z)
    }

    /// The matrix times a fixed vector.
    #[inline(always)]
    #[must_use]
    pub fn times_fixed(&self, v: Vec3<f64>) -> Vec3<T> {
        let times = {
            #[inline(always)]
            |row: Vec3<T>| row.x.scale_add(v.x, row.y.scale_add(v.y, row.z.scale(v.z)))
        };
        let [x, y, z] = each(self.rows, times);
        Vec3::new(x, y, z)
    }

    /// The symmetric part of a matrix that is symmetric but for rounding: its upper triangle.
    #[inline(always)]
    #[must_use]
    pub fn upper(&self) -> Sym3<T> {
        let [a, b, c] = self.rows;
        Sym3 { xx: a.x, xy: a.y, xz: a.z, yy: b.y, yz: b.z, zz: c.z }
    }
}

impl Mat3<f64> {
    /// The same over the numbers of the kind of `like`.
    #[inline(always)]
    #[must_use]
    pub fn lift<T: Real>(self, like: T) -> Mat3<T> {
        let [x, y, z] = self.rows;
        Mat3 { rows: [x.lift(like), y.lift(like), z.lift(like)] }
    }
}

impl<T: Real> Mul<Vec3<T>> for Mat3<T> {
    type Output = Vec3<T>;
    #[inline(always)]
    fn mul(self, v: Vec3<T>) -> Vec3<T> {
        let [x, y, z] = self.rows;
        let (x, y, z) = (x.dot(v), y.dot(v), z.dot(v));
        Vec3::new(x, y, z)
    }
}

impl<T: Real> Mul for Mat3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let columns = other.transpose();
        let [x, y, z] = self.rows;
        Self { rows: [columns * x, columns * y, columns * z] }
    }
}

impl<T: Real> Add for Mat3<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([x, y, z], [a, b, c]) = (self.rows, other.rows);
        Self { rows: [x + a, y + b, z + c] }
    }
}

impl<T: Real> Sub for Mat3<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([x, y, z], [a, b, c]) = (self.rows, other.rows);
        Self { rows: [x - a, y - b, z - c] }
    }
}

/// What `of` makes of each of three. As the standard library's `map` is not, it is inlined whatever is in it: what lanes need.
#[inline(always)]
pub(crate) fn each<A, B>([a, b, c]: [A; 3], of: impl Fn(A) -> B) -> [B; 3] {
    [of(a), of(b), of(c)]
}

/// A symmetric 3 × 3 matrix, such as an inertia tensor: entries of the tensor, so `xy` = −∫ x y dm.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[expect(missing_docs, reason = "an entry is named by its row and column")]
pub struct Sym3<T = f64> {
    pub xx: T,
    pub xy: T,
    pub xz: T,
    pub yy: T,
    pub yz: T,
    pub zz: T,
}

impl<T: Real> Sym3<T> {
    /// The zero matrix, of the same kind as `like`.
    #[inline(always)]
    pub fn zero(like: T) -> Self {
        let zero = like.zero();
        Self { xx: zero, xy: zero, xz: zero, yy: zero, yz: zero, zz: zero }
    }

    /// All nine entries.
    #[inline(always)]
    #[must_use]
    pub fn full(self) -> Mat3<T> {
        Mat3::from_rows([
            Vec3::new(self.xx, self.xy, self.xz),
            Vec3::new(self.xy, self.yy, self.yz),
            Vec3::new(self.xz, self.yz, self.zz),
        ])
    }

    /// The third column.
    #[inline(always)]
    #[must_use]
    pub fn z_column(self) -> Vec3<T> {
        Vec3::new(self.xz, self.yz, self.zz)
    }

    /// −a ã ã for a number `a`: the inertia about a point at distance ã from a mass `a`.
    #[inline(always)]
    #[must_use]
    pub fn of_point_mass(mass: T, at: Vec3<T>) -> Self {
        let (xx, yy, zz) = (at.x * at.x, at.y * at.y, at.z * at.z);
        Self {
            xx: mass * (yy + zz),
            xy: -(mass * (at.x * at.y)),
            xz: -(mass * (at.x * at.z)),
            yy: mass * (xx + zz),
            yz: -(mass * (at.y * at.z)),
            zz: mass * (xx + yy),
        }
    }

    /// `k · self`.
    #[inline(always)]
    #[must_use]
    pub fn scale(self, k: f64) -> Self {
        Self {
            xx: self.xx.scale(k),
            xy: self.xy.scale(k),
            xz: self.xz.scale(k),
            yy: self.yy.scale(k),
            yz: self.yz.scale(k),
            zz: self.zz.scale(k),
        }
    }

    /// `R self Rᵀ`.
    #[inline(always)]
    #[must_use]
    pub fn turned_by(self, rotation: &Mat3<T>) -> Self {
        (*rotation * (self.full() * rotation.transpose())).upper()
    }
}

impl Sym3<f64> {
    /// The same matrix as numbers of the kind of `like`.
    #[inline(always)]
    #[must_use]
    pub fn lift<T: Real>(self, like: T) -> Sym3<T> {
        Sym3 {
            xx: like.constant(self.xx),
            xy: like.constant(self.xy),
            xz: like.constant(self.xz),
            yy: like.constant(self.yy),
            yz: like.constant(self.yz),
            zz: like.constant(self.zz),
        }
    }

    /// The fixed matrix times a moving vector.
    #[inline(always)]
    #[must_use]
    pub fn times_moving<T: Real>(self, v: Vec3<T>) -> Vec3<T> {
        Vec3::new(
            v.x.scale_add(self.xx, v.y.scale_add(self.xy, v.z.scale(self.xz))),
            v.x.scale_add(self.xy, v.y.scale_add(self.yy, v.z.scale(self.yz))),
            v.x.scale_add(self.xz, v.y.scale_add(self.yz, v.z.scale(self.zz))),
        )
    }

    /// Sum of the diagonal.
    #[must_use]
    pub fn trace(self) -> f64 {
        self.xx + self.yy + self.zz
    }

    /// Its three eigenvalues, ascending: of an inertia tensor the principal moments.
    #[must_use]
    pub fn eigenvalues(self) -> [f64; 3] {
        let mut m = [[self.xx, self.xy, self.xz], [self.xy, self.yy, self.yz], [self.xz, self.yz, self.zz]];
        // Jacobi's rotations, each of which makes one entry beside the diagonal zero; they converge quadratically.
        for _ in 0..SWEEPS {
            let beside = m[0][1].abs() + m[0][2].abs() + m[1][2].abs();
            if beside == 0.0 {
                break;
            }
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                rotate_symmetric(&mut m, p, q);
            }
        }
        let mut values = [m[0][0], m[1][1], m[2][2]];
        values.sort_by(f64::total_cmp);
        values
    }
}

/// Six are usual; more only happen to numbers that are not finite.
const SWEEPS: usize = 30;

/// Turns a symmetric matrix in the plane of two axes so that its entry (p, q) is zero.
fn rotate_symmetric(m: &mut [[f64; 3]; 3], p: usize, q: usize) {
    if m[p][q] == 0.0 {
        return;
    }
    let zeta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
    let tangent = 1.0_f64.copysign(zeta) / (zeta.abs() + zeta.hypot(1.0));
    let cos = 1.0 / tangent.hypot(1.0);
    let sin = cos * tangent;
    let r = 3 - p - q;
    let [along_p, along_q] = [m[r][p], m[r][q]];
    m[p][p] -= tangent * m[p][q];
    m[q][q] += tangent * m[p][q];
    (m[p][q], m[q][p]) = (0.0, 0.0);
    (m[r][p], m[r][q]) = (cos * along_p - sin * along_q, sin * along_p + cos * along_q);
    (m[p][r], m[q][r]) = (m[r][p], m[r][q]);
}

sums!(Sym3 { xx, xy, xz, yy, yz, zz });

impl<T: Real> Mul<Vec3<T>> for Sym3<T> {
    type Output = Vec3<T>;
    #[inline(always)]
    fn mul(self, v: Vec3<T>) -> Vec3<T> {
        self.full() * v
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_mass_resists_like_minus_m_skew_squared() {
        let (m, p): (f64, Vec3) = (2.5, Vec3::new(0.3, -0.2, 0.7));
        let square = Mat3::skew(p) * Mat3::skew(p);
        let inertia = Sym3::of_point_mass(m, p).full();
        for i in 0..3 {
            for j in 0..3 {
                assert!((inertia.rows[i][j] + m * square.rows[i][j]).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn eigenvalues_ascend_and_sum_to_the_trace() {
        let inertia = Sym3 { xx: 2.0, xy: 0.3, xz: -0.1, yy: 1.0, yz: 0.2, zz: 2.5 };
        let [a, b, c] = inertia.eigenvalues();
        assert!(a <= b && b <= c);
        assert!((a + b + c - inertia.trace()).abs() < 1e-14);
    }
}
