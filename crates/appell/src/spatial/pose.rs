//! Where a frame is and how it moves.

use super::{Mat3, Vec3};
use crate::real::Real;
use core::ops::Mul;

/// Position and orientation of a frame in another, named by both: `world_from_hand`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose<T = f64> {
    /// Columns are the axes of the inner frame, seen from the outer one.
    pub rotation: Mat3<T>,
    /// Origin of the inner frame, seen from the outer one.
    pub position: Vec3<T>,
}

impl<T: Real> Pose<T> {
    /// Two frames that coincide, of the same kind as `like`.
    #[inline(always)]
    pub fn identity(like: T) -> Self {
        Self { rotation: Mat3::identity(like), position: Vec3::zero(like) }
    }

    /// Coordinates of a point of the inner frame, seen from the outer one.
    #[inline(always)]
    #[must_use]
    pub fn point(&self, p: Vec3<T>) -> Vec3<T> {
        self.rotation * p + self.position
    }

    /// The pose of the outer frame in the inner one: `b_from_a` of `a_from_b`.
    #[inline(always)]
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.transpose();
        Self { rotation, position: -(rotation * self.position) }
    }
}

impl<T: Real> Pose<T> {
    /// The rotation row by row, then the position.
    #[inline(always)]
    #[must_use]
    pub fn to_array(self) -> [T; 12] {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.rotation.rows.map(Vec3::to_array);
        let [x, y, z] = self.position.to_array();
        [a, b, c, d, e, f, g, h, i, x, y, z]
    }
}

impl Pose<f64> {
    /// The same pose as numbers of the kind of `like`.
    #[inline(always)]
    #[must_use]
    pub fn lift<T: Real>(self, like: T) -> Pose<T> {
        Pose { rotation: self.rotation.lift(like), position: self.position.lift(like) }
    }
}

impl<T: Real> Mul for Pose<T> {
    type Output = Self;
    /// `a_from_c = a_from_b * b_from_c`.
    #[inline(always)]
    fn mul(self, inner: Self) -> Self {
        Self { rotation: self.rotation * inner.rotation, position: self.point(inner.position) }
    }
}

/// Velocity of a frame: of its origin, and angular.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist<T = f64> {
    /// Velocity of the origin, m/s.
    pub linear: Vec3<T>,
    /// Angular velocity, rad/s.
    pub angular: Vec3<T>,
}

/// Acceleration of a frame: of its origin as a point of the body, and angular.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Acceleration<T = f64> {
    /// Acceleration of the origin, m/s².
    pub linear: Vec3<T>,
    /// Angular acceleration, rad/s².
    pub angular: Vec3<T>,
}

impl<T: Real> Twist<T> {
    /// Linear part first, then angular.
    #[inline(always)]
    #[must_use]
    pub fn to_array(self) -> [T; 6] {
        let ([a, b, c], [d, e, f]) = (self.linear.to_array(), self.angular.to_array());
        [a, b, c, d, e, f]
    }
}

impl<T: Real> Acceleration<T> {
    /// Linear part first, then angular.
    #[inline(always)]
    #[must_use]
    pub fn to_array(self) -> [T; 6] {
        let ([a, b, c], [d, e, f]) = (self.linear.to_array(), self.angular.to_array());
        [a, b, c, d, e, f]
    }
}

/// A force and a moment about the point it acts at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wrench<T = f64> {
    /// N
    pub force: Vec3<T>,
    /// N m
    pub moment: Vec3<T>,
}

impl<T: Real> Wrench<T> {
    /// No force and no moment, of the same kind as `like`.
    #[inline(always)]
    pub fn zero(like: T) -> Self {
        Self { force: Vec3::zero(like), moment: Vec3::zero(like) }
    }

    /// Force first, then moment.
    #[inline(always)]
    #[must_use]
    pub fn to_array(self) -> [T; 6] {
        let ([a, b, c], [d, e, f]) = (self.force.to_array(), self.moment.to_array());
        [a, b, c, d, e, f]
    }

    /// The same wrench about another point, from which its own lies at `arm`.
    #[inline(always)]
    #[must_use]
    pub fn about(self, arm: Vec3<T>) -> Self {
        Self { force: self.force, moment: self.moment + arm.cross(self.force) }
    }
}

sums!(Wrench { force, moment });
