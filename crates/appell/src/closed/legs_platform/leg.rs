//! A leg cut from the platform: how its joints move with the platform, and what it exerts.

use super::super::constraints::Constraints;
use super::super::refusal::condition_squared;
use super::super::{ClosedMechanism, Constraint, Leg, On};
use super::point::Point;
use super::reflections::Reflections;
use crate::description::ClosingJoint;
use crate::real::{Measured, Real};
use crate::spatial::{Acceleration, Twist, Vec3};

/// What is kept of a leg.
#[derive(Debug, Clone)]
pub(super) struct LegState<T> {
    solver: Solver<T>,
    pub(super) drives: Vec<Option<usize>>, // which of the robot's each joint is: legs may stand in another order than joints
}

/// How a leg's rates come from what its closing joint transmits.
#[derive(Debug, Clone)]
enum Solver<T> {
    /// Three joints to a point.
    Point(Point<T>),
    /// Any other.
    Reflections(Box<Reflections<T>>),
}

impl<T: Real> LegState<T> {
    pub(super) fn with_scalar(robot: &ClosedMechanism, leg: &Leg, like: T) -> Self {
        // In these units a leg's Jacobian has none.
        let units: Vec<f64> = leg.joints.iter().map(|&j| 1.0 / robot.length_scale(j)).collect();
        Self {
            solver: if ends_in_point(robot, leg) {
                Solver::Point(Point::with_scalar(robot, leg, &units, like))
            } else {
                Solver::Reflections(Box::new(Reflections::with_scalar(robot, leg, units, like)))
            },
            drives: leg.joints.iter().map(|j| robot.driven().iter().position(|drive| drive == j)).collect(),
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
        match &mut self.solver {
            Solver::Point(point) => {
                point.place(robot, all, leg);
                0
            }
            Solver::Reflections(reflections) => reflections.place(robot, all, leg, forbidden),
        }
    }

    /// Row k of K_i.
    #[inline(always)]
    pub(super) fn row(&self, k: usize) -> [T; 6] {
        match &self.solver {
            Solver::Point(point) => point.row(k),
            Solver::Reflections(reflections) => reflections.row(k),
        }
    }

    /// q̇_i = K_i V and k_i, and the rows' accelerations of N into `forbidden`; how many they are.
    #[inline(always)]
    pub(super) fn set_in_motion(
        &mut self,
        (robot, all): (&ClosedMechanism, &Constraints<T>),
        leg: &Leg,
        twist: Twist<T>,
        v: &mut [T],
        forbidden: &mut [T],
    ) -> usize {
        match &mut self.solver {
            Solver::Point(point) => {
                point.set_in_motion(leg, twist, v);
                0
            }
            Solver::Reflections(reflections) => reflections.set_in_motion((robot, all), leg, twist, v, forbidden),
        }
    }

    /// q̈_i = K_i V̇ + k_i.
    #[inline(always)]
    pub(super) fn accelerate(&self, leg: &Leg, acceleration: &[T; 6], a: &mut [T]) {
        match &self.solver {
            Solver::Point(point) => {
                let &[x, y, z, a1, a2, a3] = acceleration;
                point.accelerate(leg, Acceleration { linear: Vec3::new(x, y, z), angular: Vec3::new(a1, a2, a3) }, a);
            }
            Solver::Reflections(reflections) => reflections.accelerate(leg, acceleration, a),
        }
    }

    /// Adds K_iᵀ τ_i.
    #[inline(always)]
    pub(super) fn add_wrench(&self, leg: &Leg, forces: &[T], on_platform: &mut [T; 6]) {
        match &self.solver {
            Solver::Point(point) => point.add_wrench(leg, forces, on_platform),
            Solver::Reflections(reflections) => reflections.add_wrench(leg, forces, on_platform),
        }
    }

    /// Adds K_iᵀ M_i K_i to a 6 × 6 matrix, from the inertia matrix of the tree.
    #[inline(always)]
    pub(super) fn add_inertia(&self, leg: &Leg, of_tree: &[T], dof: usize, matrix: &mut [T]) {
        let entry = |i: usize, k: usize| of_tree[leg.joints[i] * dof + leg.joints[k]];
        match &self.solver {
            Solver::Point(point) => point.add_inertia(entry, matrix),
            Solver::Reflections(reflections) => reflections.add_inertia(entry, matrix),
        }
    }

    /// λ_i from what the leg's joints leave, and μ_i; how many μ_i are.
    #[inline(always)]
    pub(super) fn fill_multipliers(
        &self,
        robot: &ClosedMechanism,
        leg: &Leg,
        forces: &[T],
        shared: &[T],
        multipliers: &mut [T],
    ) -> usize {
        match &self.solver {
            Solver::Point(point) => {
                let sign = if robot.closures()[leg.closure].second.on == On::Platform { -1.0 } else { 1.0 };
                multipliers.copy_from_slice(&point.force(leg, forces).scale(sign).to_array());
                0
            }
            Solver::Reflections(reflections) => reflections.fill_multipliers(leg, forces, shared, multipliers),
        }
    }
}

impl<T: Measured> LegState<T> {
    /// The square of a bound of the condition number of J_i without units; none of a leg without joints.
    #[inline(always)]
    pub(super) fn condition_squared(&self, leg: &Leg, scratch: &mut [T]) -> Option<f64> {
        match &self.solver {
            Solver::Point(Point { norms: [size, inverse], .. }) => Some(condition_squared((*size, *inverse))),
            Solver::Reflections(_) if leg.joints.is_empty() => None,
            Solver::Reflections(reflections) => Some(condition_squared(reflections.jacobian.norms_squared(scratch))),
        }
    }
}

/// Whether a leg has three joints and ends in a spherical one.
fn ends_in_point(robot: &ClosedMechanism, leg: &Leg) -> bool {
    let spherical = robot.closures()[leg.closure].constraint == Constraint::Joint(ClosingJoint::Spherical);
    spherical && leg.joints.len() == 3
}
