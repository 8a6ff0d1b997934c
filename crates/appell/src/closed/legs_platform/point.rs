//! A leg of three joints that ends in a spherical one: it moves a point, and all is had by vectors of space.
//!
//! ```text
//! u = v + ω × b                   the point, b from the platform's origin
//! q̇_i = J_i⁻¹ u                   K_i = J_i⁻¹ (1  −b̂)
//! q̈_i = J_i⁻¹ (u̇ − a)             a: acceleration of the leg's end at q̈_i = 0
//! K_iᵀ τ_i = (f, b × f)           f = J_i⁻ᵀ τ_i
//! K_iᵀ M_i K_i                    from G = J_i⁻ᵀ M_i J_i⁻¹: G, b̂ G and b̂ G b̂ᵀ
//! ```

use super::super::constraints::Constraints;
use super::super::{ClosedMechanism, Leg};
use super::chain::{UnitMotion, end_motion};
use crate::real::Real;
use crate::spatial::{Acceleration, Mat3, Twist, Vec3, each};

/// What is kept of such a leg.
#[derive(Debug, Clone)]
pub(super) struct Point<T> {
    joints: [UnitMotion<T>; 3],
    arm: Vec3<T>,             // b
    inverse: [Vec3<T>; 3],    // rows of J_i⁻¹
    deficit: Vec3<T>,         // u̇ − a at V̇ = 0
    pub(super) norms: [T; 2], // squares of the norms of J_i and J_i⁻¹, without units
    squares: [[f64; 2]; 3],   // of each joint's unit, and its inverse
}

impl<T: Real> Point<T> {
    pub(super) fn with_scalar(robot: &ClosedMechanism, leg: &Leg, units: &[f64], like: T) -> Self {
        let zero = Vec3::zero(like);
        Self {
            joints: core::array::from_fn(|k| UnitMotion::with_scalar(robot, leg.joints[k], like)),
            arm: zero,
            inverse: [zero; 3],
            deficit: zero,
            norms: [like.zero(); 2],
            squares: core::array::from_fn(|k| [units[k] * units[k], 1.0 / (units[k] * units[k])]),
        }
    }

    /// J_i⁻¹ by cross products.
    #[inline(always)]
    pub(super) fn place(&mut self, robot: &ClosedMechanism, all: &Constraints<T>, leg: &Leg) {
        let point = all.point(leg.closure);
        self.arm = point - all.platform.pose.position;
        for (joint, &j) in self.joints.iter_mut().zip(&leg.joints) {
            joint.place(robot, all, j, point);
        }
        let columns @ [a, b, c] = self.joints.map(|joint| joint.linear);
        let normal = b.cross(c);
        let scale = a.x.constant(1.0) / a.dot(normal);
        self.inverse = [normal.times(scale), c.cross(a).times(scale), a.cross(b).times(scale)];
        self.norms = [scale.zero(); 2];
        for ((column, row), [square, inverse]) in columns.iter().zip(&self.inverse).zip(self.squares) {
            self.norms[0] = column.dot(*column).scale_add(square, self.norms[0]);
            self.norms[1] = row.dot(*row).scale_add(inverse, self.norms[1]);
        }
    }

    /// Row k of K_i.
    #[inline(always)]
    pub(super) fn row(&self, k: usize) -> [T; 6] {
        let row = self.inverse[k];
        Twist { linear: row, angular: self.arm.cross(row) }.to_array()
    }

    /// q̇_i, and with it what the point's acceleration lacks.
    #[inline(always)]
    pub(super) fn set_in_motion(&mut self, leg: &Leg, twist: Twist<T>, v: &mut [T]) {
        let turn = twist.angular.cross(self.arm);
        let velocity = twist.linear + turn;
        let rates = (Mat3::from_rows(self.inverse) * velocity).to_array();
        leg.joints.iter().zip(rates).for_each(|(&j, rate)| v[j] = rate);
        let end = end_motion(&self.joints, &rates, rates[0]);
        self.deficit = twist.angular.cross(turn) - end.acceleration;
    }

    /// q̈_i.
    #[inline(always)]
    pub(super) fn accelerate(&self, leg: &Leg, acceleration: Acceleration<T>, a: &mut [T]) {
        let needed = self.deficit + acceleration.linear + acceleration.angular.cross(self.arm);
        for (&j, row) in leg.joints.iter().zip(&self.inverse) {
            a[j] = row.dot(needed);
        }
    }

    /// The force at the point whose generalised forces on the leg's joints are `forces`: J_i⁻ᵀ τ_i.
    #[inline(always)]
    pub(super) fn force(&self, leg: &Leg, forces: &[T]) -> Vec3<T> {
        let [a, b, c] = self.inverse;
        a.times(forces[leg.joints[0]]) + b.times(forces[leg.joints[1]]) + c.times(forces[leg.joints[2]])
    }

    /// Adds K_iᵀ τ_i.
    #[inline(always)]
    pub(super) fn add_wrench(&self, leg: &Leg, forces: &[T], on_platform: &mut [T; 6]) {
        let force = self.force(leg, forces);
        let wrench = Twist { linear: force, angular: self.arm.cross(force) }.to_array();
        for (sum, part) in on_platform.iter_mut().zip(wrench) {
            *sum = *sum + part;
        }
    }

    /// Adds K_iᵀ M_i K_i to a 6 × 6 matrix; `entry` gives M_i.
    #[inline(always)]
    pub(super) fn add_inertia(&self, entry: impl Fn(usize, usize) -> T, matrix: &mut [T]) {
        let [a, b, c] = self.inverse;
        let [x, y, z] = each(
            [0, 1, 2],
            #[inline(always)]
            |i| a.times(entry(i, 0)) + b.times(entry(i, 1)) + c.times(entry(i, 2)),
        ); // M_i J_i⁻¹
        let columns = [Vec3::new(a.x, b.x, c.x), Vec3::new(a.y, b.y, c.y), Vec3::new(a.z, b.z, c.z)];
        let linear = Mat3::from_rows(each(
            columns,
            #[inline(always)]
            |c| x.times(c.x) + y.times(c.y) + z.times(c.z),
        )); // G
        let beside = {
            #[inline(always)]
            |row| self.arm.cross(row)
        };
        let mixed = Mat3::from_rows(each(linear.rows, beside)); // (b̂ G)ᵀ
        let angular = Mat3::from_rows(each(mixed.transpose().rows, beside)); // b̂ G b̂ᵀ
        for i in 0..3 {
            for k in 0..3 {
                let (cross, turn) = (mixed.rows[i][k], angular.rows[i][k]);
                for (place, x) in [
                    (6 * i + k, linear.rows[i][k]),
                    (6 * i + 3 + k, cross),
                    (6 * (3 + k) + i, cross),
                    (6 * (3 + i) + 3 + k, turn),
                ] {
                    matrix[place] = matrix[place] + x;
                }
            }
        }
    }
}
