//! Newton's method on the gaps of some closures and of all couplings, damped far from the goal (Levenberg1944, Marquardt1963).
//!
//! A closure is moved by the joints on the way to it and by the platform: of Jᵀ J, and of its triangle, the blocks between
//! different legs are zero and left out. A robot with couplings has no legs: its blocks are of all closures.

use super::super::constraints::{Constraints, Holding, unit};
use super::super::{ClosedMechanism, Closure, Configuration, Coupling, On};
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
    unknowns: Vec<usize>,      // of u
    movers: Vec<Vec<Mover>>,   // of each closure
    couplings: Vec<Vec<Term>>, // the unknowns in each coupling
    scales: Vec<f64>,          // what a unit of each unknown weighs, squared
    normal: Vec<f64>,          // Jᵀ J
    downhill: Vec<f64>,        // −Jᵀ g, then the step
    motions: Vec<[Vec3; 2]>,   // of a closure, by each of its movers: linear and angular
    row: Vec<f64>,             // of J, by the movers
    cholesky: Cholesky<f64>,
    best: Vec<f64>, // positions of the unknown joints before the step
    cost: f64,
    damping: f64,
    moving: bool, // whether it is being solved
}

/// An unknown that moves a closure.
#[derive(Debug, Clone, Copy)]
struct Mover {
    unknown: usize, // its place among the unknowns
    u: usize,       // and among all velocities
    sign: f64,      // +1 of the second body, −1 of the first
}

/// An unknown in a coupling.
#[derive(Debug, Clone, Copy)]
struct Term {
    unknown: usize, // its place among the unknowns
    factor: f64,    // its entry in the row
}

impl Term {
    /// The unknowns of a coupling, in order.
    fn all(coupling: &Coupling, unknowns: &[usize]) -> Vec<Self> {
        let factor = |u: usize| coupling.terms.iter().filter(|(j, _)| *j == u).map(|(_, factor)| factor).sum();
        let terms = unknowns.iter().enumerate().map(|(unknown, &u)| Self { unknown, factor: factor(u) });
        terms.filter(|term| term.factor != 0.0).collect()
    }
}

impl Mover {
    /// What moves a closure.
    fn all(robot: &ClosedMechanism, closure: &Closure, unknowns: &[usize]) -> Vec<Self> {
        let moves = |on: On, u: usize| match on {
            On::Base => false,
            On::Body(body) => robot.tree.path_to_base(body).any(|other| other == u),
            On::Platform => u >= robot.tree.dof(),
        };
        let sign = |yes: bool| if yes { 1.0 } else { 0.0 };
        let mover = |(unknown, &u): (usize, &usize)| {
            let sign = sign(moves(closure.second.on, u)) - sign(moves(closure.first.on, u));
            Self { unknown, u, sign }
        };
        unknowns.iter().enumerate().map(mover).filter(|mover| mover.sign != 0.0).collect()
    }
}

impl Block {
    pub(super) fn new(robot: &ClosedMechanism, closures: Range<usize>, unknowns: Vec<usize>) -> Self {
        let n = unknowns.len();
        let movers: Vec<Vec<Mover>> =
            robot.closures[closures.clone()].iter().map(|closure| Mover::all(robot, closure, &unknowns)).collect();
        let couplings: Vec<Vec<Term>> = robot.couplings.iter().map(|coupling| Term::all(coupling, &unknowns)).collect();
        let most = movers.iter().map(Vec::len).max().unwrap_or(0);
        // The first unknown with which each moves a closure, or is coupled.
        let mut first: Vec<usize> = (0..n).collect();
        for movers in &movers {
            for mover in movers {
                first[mover.unknown] = first[mover.unknown].min(movers[0].unknown);
            }
        }
        for terms in &couplings {
            for term in terms {
                first[term.unknown] = first[term.unknown].min(terms[0].unknown);
            }
        }
        Self {
            closures,
            movers,
            couplings,
            scales: unknowns.iter().map(|&k| robot.length_scale(k).powi(2)).collect(),
            normal: vec![0.0; n * n],
            downhill: vec![0.0; n],
            motions: Vec::with_capacity(most),
            row: Vec::with_capacity(most),
            cholesky: Cholesky::of_rows_from(first, 0.0),
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
        Self { constraints: Constraints::with_scalar(robot, 0.0), gaps: vec![0.0; robot.rows] }
    }

    /// Places everything.
    pub(super) fn place(&mut self, robot: &ClosedMechanism, at: &Configuration) {
        self.constraints.place(robot, at);
        self.constraints.gaps(robot, &mut self.gaps);
    }

    /// Where everything was placed last.
    pub(super) fn constraints(&self) -> &Constraints<f64> {
        &self.constraints
    }

    /// What is open most, and by how much, m.
    pub(super) fn widest<'r>(&self, robot: &'r ClosedMechanism) -> (Holding<'r>, f64) {
        self.constraints.widest(robot, &self.gaps)
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
        let couplings = robot.couplings.iter().map(|coupling| self.gaps[coupling.row].powi(2));
        let cost = robot.closures[closures].iter().map(of).sum::<f64>() + couplings.sum::<f64>();
        if cost.is_nan() { f64::INFINITY } else { cost }
    }

    /// A damped Newton step of a block.
    fn step(&mut self, robot: &ClosedMechanism, block: &mut Block, at: &mut Configuration) {
        let n = block.unknowns.len();
        block.normal.fill(0.0);
        block.downhill.fill(0.0);
        let Block { closures, movers, couplings, normal, downhill, motions, row, .. } = &mut *block;
        for (k, movers) in closures.clone().zip(movers) {
            let closure = &robot.closures[k];
            motions.clear();
            motions.extend(movers.iter().map(|mover| self.motion(robot, k, mover)));
            for (wrench, gap) in self.constraints.rows_of(closure).iter().zip(&self.gaps[closure.row..]) {
                row.clear();
                row.extend(motions.iter().map(|&[linear, angular]| wrench.along(linear, angular)));
                for (i, one) in movers.iter().enumerate() {
                    downhill[one.unknown] -= row[i] * gap;
                    for (j, other) in movers[..=i].iter().enumerate() {
                        normal[one.unknown * n + other.unknown] += row[i] * row[j];
                    }
                }
            }
        }
        for (coupling, terms) in robot.couplings.iter().zip(couplings) {
            for (i, one) in terms.iter().enumerate() {
                downhill[one.unknown] -= one.factor * self.gaps[coupling.row];
                for other in &terms[..=i] {
                    normal[one.unknown * n + other.unknown] += one.factor * other.factor;
                }
            }
        }
        let size = (0..n).map(|x| block.normal[x * n + x] / block.scales[x]).fold(0.0, f64::max);
        for x in 0..n {
            block.normal[x * n + x] += (block.damping * size + f64::MIN_POSITIVE) * block.scales[x];
        }
        block.cholesky.decompose(&block.normal);
        block.cholesky.solve(&mut block.downhill);
        at.advance(block.unknowns.iter().copied().zip(block.downhill.iter().copied()));
    }

    /// How a unit of an unknown moves the second body of closure k against the first at its point.
    fn motion(&self, robot: &ClosedMechanism, k: usize, mover: &Mover) -> [Vec3; 2] {
        let (point, dof) = (self.constraints.point(k), robot.tree.dof());
        let (linear, angular) = if mover.u < dof {
            self.constraints.unit_motion(robot, mover.u, point)
        } else {
            let arm = point - self.constraints.platform.pose.position;
            let axis = unit((mover.u - dof) % 3, 0.0);
            if mover.u < dof + 3 { (axis, Vec3::zero(0.0)) } else { (axis.cross(arm), axis) }
        };
        [linear, angular].map(|vector| vector.scale(mover.sign))
    }
}
