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
use crate::spatial::{Acceleration, Mat3, Twist, Vec3};

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
    pub(super) fn over(robot: &ClosedMechanism, leg: &Leg, units: &[f64], witness: T) -> Self {
        let zero = Vec3::zero(witness);
        Self {
            joints: core::array::from_fn(|k| UnitMotion::over(robot, leg.joints[k], witness)),
            arm: zero,
            inverse: [zero; 3],
            deficit: zero,
            norms: [witness.zero(); 2],
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
        let rates = self.inverse.map(|row| row.dot(velocity));
        leg.joints.iter().zip(rates).for_each(|(&j, rate)| v[j] = rate);
        let end = end_motion(&self.joints, &rates, rates[0]);
        self.deficit = twist.angular.cross(turn) - end.acceleration;
    }

    /// q̈_i.
    #[inline(always)]
    pub(super) fn accelerate(&self, leg: &Leg, growth: Acceleration<T>, a: &mut [T]) {
        let needed = self.deficit + growth.linear + growth.angular.cross(self.arm);
        leg.joints.iter().zip(&self.inverse).for_each(|(&j, row)| a[j] = row.dot(needed));
    }

    /// The force at the point that the leg's joints feel as `forces`: J_i⁻ᵀ τ_i.
    #[inline(always)]
    pub(super) fn force(&self, leg: &Leg, forces: &[T]) -> Vec3<T> {
        let [a, b, c] = self.inverse;
        a.times(forces[leg.joints[0]]) + b.times(forces[leg.joints[1]]) + c.times(forces[leg.joints[2]])
    }

    /// Adds K_iᵀ τ_i.
    #[inline(always)]
    pub(super) fn feel(&self, leg: &Leg, forces: &[T], felt: &mut [T; 6]) {
        let force = self.force(leg, forces);
        let wrench = Twist { linear: force, angular: self.arm.cross(force) }.to_array();
        felt.iter_mut().zip(wrench).for_each(|(sum, part)| *sum = *sum + part);
    }

    /// Adds K_iᵀ M_i K_i to a 6 × 6 matrix; `entry` gives M_i.
    #[inline(always)]
    pub(super) fn add_inertia(&self, entry: impl Fn(usize, usize) -> T, matrix: &mut [T]) {
        let [a, b, c] = self.inverse;
        let along = |x: T, y: T, z: T| a.times(x) + b.times(y) + c.times(z);
        let row = |i| along(entry(i, 0), entry(i, 1), entry(i, 2));
        let (x, y, z) = (row(0), row(1), row(2)); // M_i J_i⁻¹
        let column = |k| Vec3::new(a[k], b[k], c[k]);
        let over = |c: Vec3<T>| x.times(c.x) + y.times(c.y) + z.times(c.z);
        let linear = Mat3::from_rows([over(column(0)), over(column(1)), over(column(2))]); // G
        let beside = |rows: [Vec3<T>; 3]| {
            let [x, y, z] = rows;
            Mat3::from_rows([self.arm.cross(x), self.arm.cross(y), self.arm.cross(z)])
        };
        let mixed = beside(linear.rows); // (b̂ G)ᵀ
        let angular = beside(mixed.transpose().rows); // b̂ G b̂ᵀ
        let mut add = |i: usize, k: usize, x: T| matrix[6 * i + k] = matrix[6 * i + k] + x;
        for i in 0..3 {
            for k in 0..3 {
                add(i, k, linear.rows[i][k]);
                add(i, 3 + k, mixed.rows[i][k]);
                add(3 + k, i, mixed.rows[i][k]);
                add(3 + i, 3 + k, angular.rows[i][k]);
            }
        }
    }
}
