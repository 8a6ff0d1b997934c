//! Vectors of space.

use crate::real::Real;
use core::ops::{Index, Neg};

/// A vector by its components; which frame they refer to, its name must say.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[expect(missing_docs, reason = "x, y and z speak for themselves")]
pub struct Vec3<T = f64> {
    pub x: T,
    pub y: T,
    pub z: T,
}

impl<T> Vec3<T> {
    /// The vector (x, y, z).
    #[inline(always)]
    pub const fn new(x: T, y: T, z: T) -> Self {
        Self { x, y, z }
    }

    /// Its components in order.
    #[inline(always)]
    pub fn to_array(self) -> [T; 3] {
        [self.x, self.y, self.z]
    }
}

impl<T> From<[T; 3]> for Vec3<T> {
    #[inline(always)]
    fn from([x, y, z]: [T; 3]) -> Self {
        Self { x, y, z }
    }
}

impl<T> Index<usize> for Vec3<T> {
    type Output = T;

    /// # Panics
    /// If `axis` is not 0, 1 or 2.
    #[inline(always)]
    fn index(&self, axis: usize) -> &T {
        match axis {
            0 => &self.x,
            1 => &self.y,
            2 => &self.z,
            _ => panic!("a vector of space has axes 0, 1 and 2, not {axis}"),
        }
    }
}

impl<T: Real> Vec3<T> {
    /// The zero vector, of the same kind as `like`.
    #[inline(always)]
    pub fn zero(like: T) -> Self {
        let zero = like.zero();
        Self::new(zero, zero, zero)
    }

    /// Scalar product.
    #[inline(always)]
    #[must_use]
    pub fn dot(self, other: Self) -> T {
        self.x.mul_add(other.x, self.y.mul_add(other.y, self.z * other.z))
    }

    /// Vector product `self × other`.
    #[inline(always)]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y.mul_sub(other.z, self.z * other.y),
            self.z.mul_sub(other.x, self.x * other.z),
            self.x.mul_sub(other.y, self.y * other.x),
        )
    }

    /// The vector times a number.
    #[inline(always)]
    #[must_use]
    pub fn times(self, k: T) -> Self {
        Self::new(self.x * k, self.y * k, self.z * k)
    }

    /// The vector times a model parameter.
    #[inline(always)]
    #[must_use]
    pub fn scale(self, k: f64) -> Self {
        Self::new(self.x.scale(k), self.y.scale(k), self.z.scale(k))
    }

    /// `self · other + b`, fused where that is one instruction.
    #[inline(always)]
    #[must_use]
    pub fn dot_add(self, other: Self, b: T) -> T {
        self.x.mul_add(other.x, self.y.mul_add(other.y, self.z.mul_add(other.z, b)))
    }

    /// `self × other + b`, fused where that is one instruction.
    #[inline(always)]
    #[must_use]
    pub fn cross_add(self, other: Self, b: Self) -> Self {
        Self::new(
            self.y.mul_add(other.z, (-self.z).mul_add(other.y, b.x)),
            self.z.mul_add(other.x, (-self.x).mul_add(other.z, b.y)),
            self.x.mul_add(other.y, (-self.y).mul_add(other.x, b.z)),
        )
    }

    /// `k · self + b`, fused where that is one instruction.
    #[inline(always)]
    #[must_use]
    pub fn times_add(self, k: T, b: Self) -> Self {
        Self::new(self.x.mul_add(k, b.x), self.y.mul_add(k, b.y), self.z.mul_add(k, b.z))
    }

    /// `k · self + b` for a model parameter `k`, fused where that is one instruction.
    #[inline(always)]
    #[must_use]
    pub fn scale_add(self, k: f64, b: Self) -> Self {
        Self::new(self.x.scale_add(k, b.x), self.y.scale_add(k, b.y), self.z.scale_add(k, b.z))
    }
}

impl Vec3<f64> {
    /// The same vector as numbers of the kind of `like`.
    #[inline(always)]
    #[must_use]
    pub fn lift<T: Real>(self, like: T) -> Vec3<T> {
        Vec3::new(like.constant(self.x), like.constant(self.y), like.constant(self.z))
    }

    /// `self × other` of a fixed vector and a moving one.
    #[inline(always)]
    #[must_use]
    pub fn cross_moving<T: Real>(self, other: Vec3<T>) -> Vec3<T> {
        Vec3::new(
            other.z.scale_sub(self.y, other.y.scale(self.z)),
            other.x.scale_sub(self.z, other.z.scale(self.x)),
            other.y.scale_sub(self.x, other.x.scale(self.y)),
        )
    }

    /// The z component of `self × other`.
    #[inline(always)]
    #[must_use]
    pub fn cross_moving_z<T: Real>(self, other: Vec3<T>) -> T {
        other.y.scale_sub(self.x, other.x.scale(self.y))
    }

    /// Euclidean length.
    #[must_use]
    pub fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }
}

sums!(Vec3 { x, y, z });

impl<T: Real> Neg for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_obey_lagrange() {
        let (a, b): (Vec3, Vec3) = (Vec3::new(1.0, -2.0, 0.5), Vec3::new(0.3, 4.0, -1.5));
        let c = a.cross(b);
        assert!(c.dot(a).abs() < 1e-15 && c.dot(b).abs() < 1e-15);
        assert!((c.dot(c) - (a.dot(a) * b.dot(b) - a.dot(b).powi(2))).abs() < 1e-13);
        assert_eq!(a.cross_moving(b), c);
        assert_eq!(a.cross_moving_z(b), c.z);
    }

    #[test]
    fn products_with_a_sum() {
        let (a, b): (Vec3, Vec3) = (Vec3::new(1.0, -2.0, 0.5), Vec3::new(0.25, 4.0, -1.5));
        let c = Vec3::new(3.0, 0.125, -8.0);
        assert_eq!(a.dot_add(b, 7.0), a.dot(b) + 7.0);
        assert_eq!(a.cross_add(b, c), a.cross(b) + c);
        assert_eq!(a.times_add(2.5, c), a.times(2.5) + c);
        assert_eq!(a.scale_add(2.5, c), a.scale(2.5) + c);
    }
}
