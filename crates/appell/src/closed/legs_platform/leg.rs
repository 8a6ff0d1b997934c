//! A leg cut from the platform: how its joints move with the platform, and what it exerts.

use super::super::constraints::Constraints;
use super::super::singular::condition_squared;
use super::super::{ClosedMechanism, Constraint, Leg, On};
use crate::description::{ClosingJoint, JointKind};
use crate::linear::Householder;
use crate::real::{Measured, Real};
use crate::spatial::Vec3;

/// What is kept of a leg.
#[derive(Debug, Clone)]
pub(super) struct LegState<T> {
    solver: Solver<T>,
    pub(super) k: Vec<T>,                  // K_i, row by row of six
    pub(super) drives: Vec<Option<usize>>, // which of the robot's each joint is: legs may stand in another order than joints
    units: Vec<f64>,                       // of each joint: with them J_i has none
}

/// How a leg's rates come from what its closing joint transmits.
#[derive(Debug, Clone)]
enum Solver<T> {
    /// Three joints to a point.
    Point(Point<T>),
    /// Any other.
    Reflections(Householder<T>),
}

/// The inverse of a Jacobian of three columns.
#[derive(Debug, Clone)]
struct Point<T> {
    inverse: [Vec3<T>; 3],  // rows of J_i⁻¹
    norms: [T; 2],          // squares of the norms of J_i and J_i⁻¹, without units
    squares: [[f64; 2]; 3], // of each joint's unit, and its inverse
}

impl<T: Real> LegState<T> {
    pub(super) fn over(robot: &ClosedMechanism, leg: &Leg, witness: T) -> Self {
        let units: Vec<f64> = leg.joints.iter().map(|&j| unit(robot, j)).collect();
        Self {
            solver: if ends_in_point(robot, leg) {
                Solver::Point(Point {
                    inverse: [Vec3::zero(witness); 3],
                    norms: [witness.zero(); 2],
                    squares: core::array::from_fn(|k| [units[k] * units[k], 1.0 / (units[k] * units[k])]),
                })
            } else {
                let rows = robot.closures()[leg.closure].rows();
                Solver::Reflections(Householder::new(rows, leg.joints.len(), witness))
            },
            k: vec![witness.zero(); 6 * leg.joints.len()],
            drives: leg.joints.iter().map(|j| robot.driven().iter().position(|drive| drive == j)).collect(),
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
        match &mut self.solver {
            Solver::Point(Point { inverse, norms, squares }) => {
                let &[a, b, c] = &leg.joints[..] else { unreachable!("three joints") };
                let column = |j| all.unit_motion(robot, j, point).0;
                let columns @ [a, b, c] = [column(a), column(b), column(c)];
                let normal = b.cross(c);
                let scale = a.x.constant(1.0) / a.dot(normal);
                *inverse = [normal.times(scale), c.cross(a).times(scale), a.cross(b).times(scale)];
                *norms = [scale.zero(); 2];
                for ((column, row), [square, inverse]) in columns.iter().zip(&*inverse).zip(squares) {
                    norms[0] = column.dot(*column).scale_add(*square, norms[0]);
                    norms[1] = row.dot(*row).scale_add(*inverse, norms[1]);
                }
                for (row, k) in inverse.iter().zip(self.k.chunks_exact_mut(6)) {
                    k[..3].copy_from_slice(&row.to_array());
                    k[3..].copy_from_slice(&arm.cross(*row).to_array());
                }
                0
            }
            Solver::Reflections(reflections) => {
                let rows = all.rows_of(closure);
                let (m, n) = (rows.len(), leg.joints.len());
                let (leg_sign, platform_sign) =
                    if closure.second.on == On::Platform { (-1.0, 1.0) } else { (1.0, -1.0) };
                reflections.decompose(|i, k| {
                    let (linear, angular) = all.unit_motion(robot, leg.joints[k], point);
                    rows[i].along(linear, angular).scale(leg_sign * self.units[k])
                });
                let mut column = [point.x.zero(); 6];
                for x in 0..6 {
                    for (entry, row) in column.iter_mut().zip(rows) {
                        let moment = || arm.cross(row.force) + row.moment;
                        *entry = (if x < 3 { row.force[x] } else { moment()[x - 3] }).scale(platform_sign);
                    }
                    reflections.turn_into(&mut column[..m]);
                    for i in n..m {
                        forbidden[6 * (i - n) + x] = column[i];
                    }
                    reflections.solve_upper(&mut column[..n]);
                    for ((k, unit), &entry) in self.k.chunks_exact_mut(6).zip(&self.units).zip(&column) {
                        k[x] = entry.scale(-unit);
                    }
                }
                m - n
            }
        }
    }

    /// k_i into `a`, and the rows' accelerations of N into `forbidden`; how many they are.
    #[inline(always)]
    pub(super) fn bias(
        &self,
        robot: &ClosedMechanism,
        all: &Constraints<T>,
        leg: &Leg,
        a: &mut [T],
        forbidden: &mut [T],
    ) -> usize {
        let closure = &robot.closures()[leg.closure];
        match &self.solver {
            Solver::Point(Point { inverse, .. }) => {
                let [on_leg, on_platform] = match closure.second.on {
                    On::Platform => [closure.first.on, closure.second.on],
                    _ => [closure.second.on, closure.first.on],
                };
                let point = all.point(leg.closure);
                let acceleration = |on| {
                    let carrier = all.carrier(on);
                    carrier.acceleration_of(point - carrier.pose.position)
                };
                let between = acceleration(on_platform) - acceleration(on_leg);
                for (&j, row) in leg.joints.iter().zip(inverse) {
                    a[j] = row.dot(between);
                }
                0
            }
            Solver::Reflections(reflections) => {
                let (m, n) = (closure.rows(), leg.joints.len());
                let mut bias = [all.platform.omega.x.zero(); 6];
                all.bias_of(leg.closure, closure, robot.length(), &mut bias[..m]);
                reflections.turn_into(&mut bias[..m]);
                forbidden[..m - n].copy_from_slice(&bias[n..m]);
                reflections.solve_upper(&mut bias[..n]);
                for ((&j, unit), &bias) in leg.joints.iter().zip(&self.units).zip(&bias) {
                    a[j] = bias.scale(-unit);
                }
                m - n
            }
        }
    }

    /// q̇_i = K_i V.
    #[inline(always)]
    pub(super) fn rates(&self, leg: &Leg, twist: &[T], v: &mut [T]) {
        for (&j, k) in leg.joints.iter().zip(self.k.chunks_exact(6)) {
            v[j] = dot(k, twist);
        }
    }

    #[inline(always)]
    pub(super) fn add_rates(&self, leg: &Leg, twist: &[T], v: &mut [T]) {
        for (&j, k) in leg.joints.iter().zip(self.k.chunks_exact(6)) {
            v[j] = v[j] + dot(k, twist);
        }
    }

    /// Adds K_iᵀ τ_i.
    #[inline(always)]
    pub(super) fn feel(&self, leg: &Leg, forces: &[T], felt: &mut [T; 6]) {
        for (&j, k) in leg.joints.iter().zip(self.k.chunks_exact(6)) {
            felt.iter_mut().zip(k).for_each(|(sum, &k)| *sum = k.mul_add(forces[j], *sum));
        }
    }

    /// λ_i from what the leg's joints leave, and μ_i; how many μ_i are.
    pub(super) fn fill_multipliers(
        &self,
        robot: &ClosedMechanism,
        leg: &Leg,
        forces: &[T],
        shared: &[T],
        multipliers: &mut [T],
    ) -> usize {
        let closure = &robot.closures()[leg.closure];
        match &self.solver {
            Solver::Point(Point { inverse, .. }) => {
                let sign = if closure.second.on == On::Platform { -1.0 } else { 1.0 };
                let zero = Vec3::zero(forces[0]);
                let sum = leg.joints.iter().zip(inverse).fold(zero, |sum, (&j, row)| sum + row.times(forces[j]));
                multipliers.copy_from_slice(&sum.scale(sign).to_array());
                0
            }
            Solver::Reflections(reflections) => {
                let (m, n) = (multipliers.len(), leg.joints.len());
                for ((entry, &j), &unit) in multipliers.iter_mut().zip(&leg.joints).zip(&self.units) {
                    *entry = forces[j].scale(unit);
                }
                reflections.solve_upper_transposed(multipliers);
                multipliers[n..].copy_from_slice(&shared[..m - n]);
                reflections.turn_out(multipliers);
                m - n
            }
        }
    }
}

impl<T: Measured> LegState<T> {
    /// The square of a bound of the condition number of J_i without units; none of a leg without joints.
    pub(super) fn condition_squared(&self, leg: &Leg, scratch: &mut [T]) -> Option<f64> {
        match &self.solver {
            Solver::Reflections(_) if leg.joints.is_empty() => None,
            Solver::Reflections(reflections) => Some(condition_squared(reflections.norms_squared(scratch))),
            Solver::Point(Point { norms: [size, inverse], .. }) => Some(condition_squared((*size, *inverse))),
        }
    }
}

/// The turn that moves a thing at the characteristic length by 1 m; 1 for a slide. In these units a leg's Jacobian
/// has none.
#[inline(always)]
fn unit(robot: &ClosedMechanism, j: usize) -> f64 {
    match robot.tree().links()[j].joint {
        JointKind::Revolute => 1.0 / robot.length(),
        JointKind::Prismatic => 1.0,
    }
}

/// Whether a leg has three joints and ends in a spherical one.
fn ends_in_point(robot: &ClosedMechanism, leg: &Leg) -> bool {
    let spherical = robot.closures()[leg.closure].constraint == Constraint::Joint(ClosingJoint::Spherical);
    spherical && leg.joints.len() == 3
}

#[inline(always)]
pub(super) fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    a[1..].iter().zip(&b[1..]).fold(a[0] * b[0], |sum, (&x, &y)| x.mul_add(y, sum))
}
