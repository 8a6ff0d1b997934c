//! Any leg, by orthogonal reflections of the rows of its closing joint.

use super::super::constraints::Constraints;
use super::super::{ClosedMechanism, Closure, Leg, On};
use super::chain::{UnitMotion, end_motion};
use crate::linear::Householder;
use crate::real::Real;
use crate::spatial::Twist;

/// What is kept of such a leg.
#[derive(Debug, Clone)]
pub(super) struct Reflections<T> {
    joints: Vec<UnitMotion<T>>,
    pub(super) jacobian: Householder<T>, // J_i without units
    k: Vec<T>,                           // K_i, row by row of six
    bias: Vec<T>,                        // k_i
    units: Vec<f64>,                     // of each joint: with them J_i has none
}

impl<T: Real> Reflections<T> {
    pub(super) fn with_scalar(robot: &ClosedMechanism, leg: &Leg, units: Vec<f64>, like: T) -> Self {
        let n = leg.joints.len();
        Self {
            joints: leg.joints.iter().map(|&j| UnitMotion::with_scalar(robot, j, like)).collect(),
            jacobian: Householder::new(robot.closures()[leg.closure].rows(), n, like),
            k: vec![like.zero(); 6 * n],
            bias: vec![like.zero(); n],
            units,
        }
    }

    /// K_i, and the leg's rows of N into `forbidden`; how many they are.
    #[inline(always)]
    pub(super) fn place(
        &mut self,
        robot: &ClosedMechanism,
        all: &Constraints<T>,
        leg: &Leg,
        forbidden: &mut [T],
    ) -> usize {
        let closure = &robot.closures()[leg.closure];
        let point = all.point(leg.closure);
        let arm = point - all.platform.pose.position;
        for (joint, &j) in self.joints.iter_mut().zip(&leg.joints) {
            joint.place(robot, all, j, point);
        }
        let rows = all.rows_of(closure);
        let (m, n) = (rows.len(), leg.joints.len());
        let (leg_sign, platform_sign) = if closure.second.on == On::Platform { (-1.0, 1.0) } else { (1.0, -1.0) };
        let (joints, units) = (&self.joints, &self.units);
        self.jacobian.decompose(
            #[inline(always)]
            |i, k| rows[i].along(joints[k].linear, joints[k].angular).scale(leg_sign * units[k]),
        );
        let mut column = [point.x.zero(); 6];
        for x in 0..6 {
            for (entry, row) in column.iter_mut().zip(rows) {
                let along = if x < 3 { row.force[x] } else { (arm.cross(row.force) + row.moment)[x - 3] };
                *entry = along.scale(platform_sign);
            }
            self.jacobian.turn_into(&mut column[..m]);
            for i in n..m {
                forbidden[6 * (i - n) + x] = column[i];
            }
            self.jacobian.solve_upper(&mut column[..n]);
            for ((k, unit), &entry) in self.k.chunks_exact_mut(6).zip(&self.units).zip(&column) {
                k[x] = entry.scale(-unit);
            }
        }
        m - n
    }

    /// Row k of K_i.
    #[inline(always)]
    pub(super) fn row(&self, k: usize) -> [T; 6] {
        core::array::from_fn(|x| self.k[6 * k + x])
    }

    /// The joints of a leg, with their rows of K_i.
    #[inline(always)]
    fn rows<'s>(&'s self, leg: &'s Leg) -> impl Iterator<Item = (usize, &'s [T])> {
        leg.joints.iter().copied().zip(self.k.chunks_exact(6))
    }

    /// q̇_i and k_i, and the rows' accelerations of N into `forbidden`; how many they are.
    #[inline(always)]
    pub(super) fn set_in_motion(
        &mut self,
        (robot, all): (&ClosedMechanism, &Constraints<T>),
        leg: &Leg,
        twist: Twist<T>,
        v: &mut [T],
        forbidden: &mut [T],
    ) -> usize {
        let closure: &Closure = &robot.closures()[leg.closure];
        let (m, n) = (closure.rows(), leg.joints.len());
        let mut rates = [twist.linear.x; 6];
        let velocities = twist.to_array();
        for ((j, k), rate) in self.rows(leg).zip(&mut rates) {
            *rate = dot(k, &velocities);
            v[j] = *rate;
        }
        let on_leg = end_motion(&self.joints, &rates[..n], twist.linear.x);
        let on_platform = all.platform.at(all.point(leg.closure));
        let sides = if closure.second.on == On::Platform { [on_leg, on_platform] } else { [on_platform, on_leg] };
        let mut bias = [twist.linear.x; 6];
        all.bias_between(leg.closure, closure, robot.length(), &sides, &mut bias[..m]);
        self.jacobian.turn_into(&mut bias[..m]);
        forbidden[..m - n].copy_from_slice(&bias[n..m]);
        self.jacobian.solve_upper(&mut bias[..n]);
        for ((own, unit), &bias) in self.bias.iter_mut().zip(&self.units).zip(&bias) {
            *own = bias.scale(-unit);
        }
        m - n
    }

    /// q̈_i = K_i V̇ + k_i.
    #[inline(always)]
    pub(super) fn accelerate(&self, leg: &Leg, acceleration: &[T; 6], a: &mut [T]) {
        for ((j, k), &bias) in self.rows(leg).zip(&self.bias) {
            a[j] = bias + dot(k, acceleration);
        }
    }

    /// Adds K_iᵀ τ_i.
    #[inline(always)]
    pub(super) fn add_wrench(&self, leg: &Leg, forces: &[T], on_platform: &mut [T; 6]) {
        for (j, k) in self.rows(leg) {
            for (sum, &k) in on_platform.iter_mut().zip(k) {
                *sum = k.mul_add(forces[j], *sum);
            }
        }
    }

    /// Adds K_iᵀ M_i K_i to a 6 × 6 matrix; `entry` gives M_i.
    #[inline(always)]
    pub(super) fn add_inertia(&self, entry: impl Fn(usize, usize) -> T, matrix: &mut [T]) {
        for (i, ki) in self.k.chunks_exact(6).enumerate() {
            let mut product = [ki[0].zero(); 6]; // of M_i K_i
            for (j, kj) in self.k.chunks_exact(6).enumerate() {
                let entry = entry(i, j);
                for (sum, &k) in product.iter_mut().zip(kj) {
                    *sum = entry.mul_add(k, *sum);
                }
            }
            for (row, &k) in matrix.chunks_exact_mut(6).zip(ki) {
                for (entry, x) in row.iter_mut().zip(product) {
                    *entry = k.mul_add(x, *entry);
                }
            }
        }
    }

    /// λ_i from what the leg's joints leave, and μ_i; how many μ_i are.
    #[inline(always)]
    pub(super) fn fill_multipliers(&self, leg: &Leg, forces: &[T], shared: &[T], multipliers: &mut [T]) -> usize {
        let (m, n) = (multipliers.len(), leg.joints.len());
        for ((entry, &j), &unit) in multipliers.iter_mut().zip(&leg.joints).zip(&self.units) {
            *entry = forces[j].scale(unit);
        }
        self.jacobian.solve_upper_transposed(multipliers);
        multipliers[n..].copy_from_slice(&shared[..m - n]);
        self.jacobian.turn_out(multipliers);
        m - n
    }
}

#[inline(always)]
pub(super) fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    let mut sum = a[0] * b[0];
    for (&x, &y) in a[1..].iter().zip(&b[1..]) {
        sum = x.mul_add(y, sum);
    }
    sum
}
