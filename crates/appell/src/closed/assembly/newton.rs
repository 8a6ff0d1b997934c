//! Newton's method on the gaps of some closures, damped far from the goal (Levenberg1944, Marquardt1963).

use super::super::constraints::Constraints;
use super::super::{ClosedMechanism, Closure, Configuration, On};
use super::turned;
use crate::description::JointKind;
use crate::linear::Cholesky;
use crate::spatial::{Pose, Vec3};
use core::ops::Range;

/// Where everything is, and how far the closures are open there.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    constraints: Constraints<f64>,
    gaps: Vec<f64>,
}

/// Unknowns that are solved from some closures.
#[derive(Debug, Clone)]
pub(super) struct Block {
    closures: Range<usize>,
    unknowns: Vec<usize>, // of u
    scales: Vec<f64>,     // what a unit of each weighs, squared
    normal: Vec<f64>,     // Jᵀ J
    downhill: Vec<f64>,   // −Jᵀ g, then the step
    row: Vec<f64>,        // of J
    cholesky: Cholesky<f64>,
    best: Vec<f64>, // positions of the unknown joints before the step
    cost: f64,
    damping: f64,
    moving: bool, // whether it is being solved
}

impl Block {
    pub(super) fn new(robot: &ClosedMechanism, closures: Range<usize>, unknowns: Vec<usize>) -> Self {
        let n = unknowns.len();
        let square = robot.length * robot.length;
        let scale = |&k: &usize| match robot.tree.links().get(k).map(|link| link.joint) {
            Some(JointKind::Revolute) => square,
            Some(JointKind::Prismatic) => 1.0,
            None if k < robot.tree.dof() + 3 => 1.0,
            None => square,
        };
        Self {
            closures,
            scales: unknowns.iter().map(scale).collect(),
            normal: vec![0.0; n * n],
            downhill: vec![0.0; n],
            row: vec![0.0; n],
            cholesky: Cholesky::new(n, 0.0),
            best: vec![0.0; n],
            unknowns,
            cost: f64::INFINITY,
            damping: 0.0,
            moving: false,
        }
    }

    /// Lets the next [`Placed::close`] solve this block, or leave it as it is.
    pub(super) fn begin(&mut self, moving: bool) {
        (self.cost, self.damping, self.moving) = (f64::INFINITY, 1e-4, moving && !self.unknowns.is_empty());
    }

    /// Whether the next [`Placed::close`] solves this block.
    pub(super) fn is_moving(&self) -> bool {
        self.moving
    }
}

impl Placed {
    pub(super) fn new(robot: &ClosedMechanism) -> Self {
        Self { constraints: Constraints::over(robot, 0.0), gaps: vec![0.0; robot.rows] }
    }

    /// Places everything.
    pub(super) fn place(&mut self, robot: &ClosedMechanism, at: &Configuration) {
        self.constraints.place(robot, at);
        self.constraints.gaps(robot, &mut self.gaps);
    }

    /// How far a closure is open, m.
    pub(super) fn opening(&self, robot: &ClosedMechanism, k: usize) -> f64 {
        self.constraints.opening(k, &robot.closures[k], &self.gaps, robot.length)
    }

    /// Solves the blocks that have begun, which must not touch each other, from where `at` is, in so many steps. What
    /// is best is kept, and everything is placed there.
    pub(super) fn close(
        &mut self,
        robot: &ClosedMechanism,
        at: &mut Configuration,
        blocks: &mut [Block],
        steps: usize,
    ) {
        let mut pose = at.pose;
        for _ in 0..steps {
            self.place(robot, at);
            let set_back = self.judge_all(robot, blocks, at, &mut pose);
            if blocks.iter().all(|block| !block.moving) {
                break;
            }
            // Blocks that were set back are placed again before their next step.
            if set_back {
                self.place(robot, at);
            }
            for block in blocks.iter_mut().filter(|block| block.moving) {
                self.step(robot, block, at);
            }
        }
        // What the last step did is kept only if it was for the better.
        self.place(robot, at);
        if self.judge_all(robot, blocks, at, &mut pose) {
            self.place(robot, at);
        }
        blocks.iter_mut().for_each(|block| block.moving = false);
    }

    /// Judges all moving blocks; whether any was set back.
    fn judge_all(
        &self,
        robot: &ClosedMechanism,
        blocks: &mut [Block],
        at: &mut Configuration,
        pose: &mut Pose,
    ) -> bool {
        let mut set_back = false;
        for block in blocks.iter_mut().filter(|block| block.moving) {
            set_back |= !self.judge(robot, block, at, pose);
        }
        set_back
    }

    /// Keeps the step a block has made, or takes it back: whether it was kept.
    fn judge(&self, robot: &ClosedMechanism, block: &mut Block, at: &mut Configuration, pose: &mut Pose) -> bool {
        let cost = self.cost(robot, block.closures.clone());
        let n = robot.tree.dof();
        if cost < block.cost {
            // Quadratic convergence has come to rounding when a step no longer halves what is left.
            block.moving = cost > 0.0 && !(cost < 1e-28 * robot.length * robot.length && cost > 0.25 * block.cost);
            block.cost = cost;
            block.damping = (0.1 * block.damping).max(1e-14);
            for (best, &k) in block.best.iter_mut().zip(&block.unknowns).filter(|(_, k)| **k < n) {
                *best = at.q[k];
            }
            if block.unknowns.last().is_some_and(|&k| k >= n) {
                *pose = at.pose;
            }
            return true;
        }
        for (&best, &k) in block.best.iter().zip(&block.unknowns).filter(|(_, k)| **k < n) {
            at.q[k] = best;
        }
        if block.unknowns.last().is_some_and(|&k| k >= n) {
            at.pose = *pose;
        }
        block.damping = 10.0 * block.damping.max(1e-8);
        block.moving = block.damping < 1e6 && block.cost > 1e-30 * robot.length * robot.length;
        false
    }

    fn cost(&self, robot: &ClosedMechanism, closures: Range<usize>) -> f64 {
        let of = |closure: &Closure| -> f64 {
            let rows = closure.row..closure.row + closure.rows();
            self.gaps[rows].iter().map(|gap| gap * gap).sum()
        };
        let cost: f64 = robot.closures[closures].iter().map(of).sum();
        if cost.is_nan() { f64::INFINITY } else { cost }
    }

    /// A damped Newton step of a block.
    fn step(&mut self, robot: &ClosedMechanism, block: &mut Block, at: &mut Configuration) {
        let n = block.unknowns.len();
        block.normal.fill(0.0);
        block.downhill.fill(0.0);
        for k in block.closures.clone() {
            let closure = &robot.closures[k];
            for i in 0..closure.rows() {
                self.fill_row(robot, k, i, &block.unknowns, &mut block.row);
                let gap = self.gaps[closure.row + i];
                for x in 0..n {
                    block.downhill[x] -= block.row[x] * gap;
                    for y in 0..=x {
                        block.normal[x * n + y] += block.row[x] * block.row[y];
                    }
                }
            }
        }
        let size = (0..n).map(|x| block.normal[x * n + x] / block.scales[x]).fold(0.0, f64::max);
        for x in 0..n {
            block.normal[x * n + x] += (block.damping * size + f64::MIN_POSITIVE) * block.scales[x];
        }
        block.cholesky.decompose(&block.normal);
        block.cholesky.solve(&mut block.downhill);
        let dof = robot.tree.dof();
        let mut twist = [0.0; 6];
        for (&step, &k) in block.downhill.iter().zip(&block.unknowns) {
            if k < dof {
                at.q[k] += step;
            } else {
                twist[k - dof] = step;
            }
        }
        if block.unknowns.last().is_some_and(|&k| k >= dof) {
            let [x, y, z, a, b, c] = twist;
            at.pose.position = at.pose.position + Vec3::new(x, y, z);
            at.pose.rotation = turned(&at.pose.rotation, Vec3::new(a, b, c));
        }
    }

    /// The entries of row i of closure k for some velocities.
    fn fill_row(&self, robot: &ClosedMechanism, k: usize, i: usize, unknowns: &[usize], row: &mut [f64]) {
        let closure = &robot.closures[k];
        let wrench = self.constraints.rows_of(closure)[i];
        let (point, dof) = (self.constraints.point(k), robot.tree.dof());
        let moves = |on: On, j: usize| match on {
            On::Body(body) => robot.tree.path_to_base(body).any(|other| other == j),
            _ => false,
        };
        let sign = |yes: bool| if yes { 1.0 } else { 0.0 };
        for (entry, &u) in row.iter_mut().zip(unknowns) {
            *entry = if u < dof {
                let turns = sign(moves(closure.second.on, u)) - sign(moves(closure.first.on, u));
                if turns == 0.0 {
                    0.0
                } else {
                    let (linear, angular) = self.constraints.unit_motion(robot, u, point);
                    turns * wrench.along(linear, angular)
                }
            } else {
                let on = |on: On| sign(on == On::Platform);
                let arm = point - self.constraints.platform.pose.position;
                let moment = arm.cross(wrench.force) + wrench.moment;
                let numbers = [wrench.force.to_array(), moment.to_array()];
                (on(closure.second.on) - on(closure.first.on)) * numbers.as_flattened()[u - dof]
            };
        }
    }
}
