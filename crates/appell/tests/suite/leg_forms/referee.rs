//! Newton's method on a leg alone, written apart from the library's.

use appell::closed::{ClosedMechanism, Constraint, On, Side};
use appell::description::{ClosingJoint, JointKind};
use appell::kinematics;
use appell::spatial::Pose;
use std::f64::consts::TAU;

use ClosingJoint::{Revolute as ClosingRevolute, Spherical, Universal};
use JointKind::{Prismatic, Revolute};

pub(super) fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Both frames of a leg's closing joint, by forward kinematics of the tree.
pub(super) struct Referee<'r> {
    robot: &'r ClosedMechanism,
    leg: usize,
    forward: kinematics::Workspace,
}

impl<'r> Referee<'r> {
    pub(super) fn new(robot: &'r ClosedMechanism, leg: usize) -> Self {
        Self { robot, leg, forward: kinematics::Workspace::new(robot.tree()) }
    }

    pub(super) fn side(&mut self, side: &Side, q: &[f64], pose: &Pose) -> Pose {
        let carrier = match side.on {
            On::Base => Pose::identity(0.0),
            On::Platform => *pose,
            On::Body(j) => {
                let user = kinematics::positions(self.robot.tree(), &mut self.forward, q)[j];
                user * self.robot.tree().frames()[j].body_from_frame.inverse()
            }
        };
        carrier * side.pose
    }

    /// The gaps of the closing joint with the leg's joints at `x`, angles times the characteristic length; and whether
    /// axes that should be one are opposite.
    pub(super) fn gaps(&mut self, x: &[f64], pose: &Pose) -> (Vec<f64>, bool) {
        let leg = &self.robot.legs()[self.leg];
        let mut q = self.robot.home().q.clone();
        leg.joints.iter().zip(x).for_each(|(&j, &x)| q[j] = x);
        let closure = self.robot.closures()[leg.closure].clone();
        let (one, two) = (self.side(&closure.first, &q, pose), self.side(&closure.second, &q, pose));
        let mut gaps = (two.position - one.position).to_array().to_vec();
        let cosine = |k: usize, l: usize| one.rotation.column(k).dot(two.rotation.column(l)) * self.robot.length();
        match closure.constraint {
            Constraint::Joint(Spherical) => (gaps, false),
            Constraint::Joint(Universal) => {
                gaps.push(cosine(0, 1));
                (gaps, false)
            }
            Constraint::Joint(ClosingRevolute) => {
                gaps.extend([cosine(0, 2), cosine(1, 2)]);
                (gaps, cosine(2, 2) < 0.0)
            }
            _ => unreachable!(),
        }
    }

    pub(super) fn gap(&mut self, x: &[f64], pose: &Pose) -> f64 {
        let (gaps, opposite) = self.gaps(x, pose);
        norm(&gaps) + if opposite { self.robot.length() } else { 0.0 }
    }

    /// Levenberg's and Marquardt's method with differences for derivatives, from a start: where it ends.
    pub(super) fn newton(&mut self, pose: &Pose, start: &[f64]) -> Vec<f64> {
        const STEP: f64 = 1e-6;
        let (n, mut x, mut damping) = (start.len(), start.to_vec(), 1e-3);
        let mut gap = norm(&self.gaps(&x, pose).0);
        for _ in 0..100 {
            let gaps = self.gaps(&x, pose).0;
            let columns: Vec<Vec<f64>> = (0..n)
                .map(|k| {
                    let mut at = |step: f64| {
                        let mut x = x.clone();
                        x[k] += step;
                        self.gaps(&x, pose).0
                    };
                    at(STEP).iter().zip(at(-STEP)).map(|(plus, minus)| (plus - minus) / (2.0 * STEP)).collect()
                })
                .collect();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let mut rows: Vec<Vec<f64>> = (0..n)
                .map(|k| {
                    let entry =
                        |l: usize| dot(&columns[k], &columns[l]) * if k == l { 1.0 + damping } else { 1.0 } + 1e-300;
                    (0..n).map(entry).chain([-dot(&columns[k], &gaps)]).collect()
                })
                .collect();
            for k in 0..n {
                for l in 0..n {
                    if l != k {
                        let factor = rows[l][k] / rows[k][k];
                        let pivot = rows[k].clone();
                        rows[l].iter_mut().zip(pivot).for_each(|(entry, pivot)| *entry -= factor * pivot);
                    }
                }
            }
            let next: Vec<f64> = (0..n).map(|k| x[k] + rows[k][n] / rows[k][k]).collect();
            let new = norm(&self.gaps(&next, pose).0);
            if new < gap {
                (x, gap, damping) = (next, new, 0.1 * damping);
            } else {
                damping = 10.0 * damping.max(1e-9);
            }
            if gap < 1e-14 || damping > 1e8 {
                break;
            }
        }
        x
    }
}

/// How far two positions of a leg are apart.
pub(super) fn apart(robot: &ClosedMechanism, leg: usize, one: &[f64], other: &[f64]) -> f64 {
    let joints = &robot.legs()[leg].joints;
    let ways = joints.iter().zip(one).zip(other).map(|((&j, a), b)| match robot.tree().links()[j].joint {
        Revolute => (a - b - TAU * ((a - b) / TAU).round()).abs(),
        Prismatic => (a - b).abs(),
    });
    ways.fold(0.0, f64::max)
}
