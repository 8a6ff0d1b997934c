//! The pose of a platform on six legs near one that is known, by the lengths of the legs alone (Gough-Stewart platforms and their like).
//!
//! ```text
//! s = p + R a − b,   ½ s·s = ½ l²:    s·δp + (R a × s)·ω = ½ (l² − s·s)
//! ```
//!
//! Six unknowns in place of all passive joints: Newton's method takes a microsecond.

use super::{Held, PlacedLeg};
use crate::closed::ClosedMechanism;
use crate::description::JointKind;
use crate::linear::Householder;
use crate::spatial::{Pose, Vec3, turned};

/// Steps of Newton's method: near a known pose there are three or four.
const STEPS: usize = 8;

/// A step below this, over the characteristic length, is followed by one of rounding alone; and where a few digits are enough.
pub(in super::super) const LAST_STEP: f64 = 1e-8;
pub(in super::super) const ROUGHLY: f64 = 1e-4;

/// The longest first step, over the characteristic length, for a pose that is near.
const NEAR: f64 = 0.5;

/// A leg whose drive comes before the passive joints and moves the fixed point, or behind them and changes the length.
#[derive(Debug, Clone, PartialEq)]
struct LegLength {
    drive: usize,
    kind: JointKind,
    axis: Vec3,
    point: Vec3,
    moves_centre: bool,
    centre: Vec3,      // b, the drive at zero
    end: Vec3,         // where the closing joint is then, if passive joints are at zero
    on_platform: Vec3, // a
}

/// The six legs, and memory.
#[derive(Debug, Clone)]
pub(in super::super) struct Lengths {
    legs: Vec<LegLength>,
    length: f64,
    held: Vec<(Vec3, f64)>, // b and l²
    rows: Vec<[f64; 6]>,
    right: Vec<f64>,
    solver: Householder<f64>,
}

impl LegLength {
    fn new(leg: &PlacedLeg<'_>, drive: usize, size: f64) -> Option<Self> {
        let distance = leg.distance(size)?;
        let moving = leg.axes.iter().position(|axis| axis.driven)?;
        let axis = leg.axes[moving];
        let moves_centre = moving == 0;
        (moves_centre || moving + 1 == leg.axes.len()).then_some(Self {
            drive,
            kind: axis.kind,
            axis: axis.direction,
            point: axis.point,
            moves_centre,
            centre: distance.centre,
            end: leg.end.position,
            on_platform: distance.point,
        })
    }

    /// Where the drive carries a point.
    #[inline(always)]
    fn carry(&self, q: f64, x: Vec3) -> Vec3 {
        match self.kind {
            JointKind::Prismatic => x + self.axis.scale(q),
            JointKind::Revolute => {
                let (sin, cos) = q.sin_cos();
                let arm = x - self.point;
                let along = self.axis.scale(self.axis.dot(arm));
                self.point + along + (arm - along).scale(cos) + self.axis.cross(arm).scale(sin)
            }
        }
    }

    /// b and l² with the drive at q.
    #[inline(always)]
    fn at(&self, q: f64) -> (Vec3, f64) {
        let carried = self.carry(q, if self.moves_centre { self.centre } else { self.end });
        if self.moves_centre {
            (carried, (self.end - self.centre).dot(self.end - self.centre))
        } else {
            (self.centre, (carried - self.centre).dot(carried - self.centre))
        }
    }
}

impl Lengths {
    /// For a robot whose platform six legs hold by distances, whatever its drives.
    pub(in super::super) fn of(robot: &ClosedMechanism) -> Option<Self> {
        let zeros = vec![0.0; robot.driven.len()];
        let Some(Held::Spatial(_)) = Held::of(robot, &zeros) else { return None };
        let of_leg = |leg: usize| {
            let drive = robot.driven.iter().position(|&j| robot.legs[leg].joints.contains(&j))?;
            let placed = PlacedLeg::new(robot, &robot.legs[leg], &zeros)?;
            LegLength::new(&placed, drive, super::ROUNDING * robot.length)
        };
        let legs: Vec<LegLength> = (0..6).map(of_leg).collect::<Option<_>>()?;
        Some(Self {
            legs,
            length: robot.length,
            held: vec![(Vec3::zero(0.0), 0.0); 6],
            rows: vec![[0.0; 6]; 6],
            right: vec![0.0; 6],
            solver: Householder::new(6, 6, 0.0),
        })
    }

    /// Moves a pose that is near to where the drives are at positions given by their numbers, until a step is so short; whether there is one.
    pub(in super::super) fn near(&mut self, position: impl Fn(usize) -> f64, last: f64, pose: &mut Pose) -> bool {
        for (held, leg) in self.held.iter_mut().zip(&self.legs) {
            *held = leg.at(position(leg.drive));
        }
        for step in 0..STEPS {
            for (((leg, &(b, square)), row), right) in
                self.legs.iter().zip(&self.held).zip(&mut self.rows).zip(&mut self.right)
            {
                let arm = pose.rotation * leg.on_platform;
                let s = pose.position + arm - b;
                let moment = arm.cross(s).scale(1.0 / self.length);
                *row = [s.x, s.y, s.z, moment.x, moment.y, moment.z];
                *right = 0.5 * (square - s.dot(s));
            }
            let rows = &self.rows;
            self.solver.decompose_beside(|i, k| rows[i][k], &mut self.right);
            self.solver.solve_upper(&mut self.right);
            let size = self.right.iter().map(|x| x * x).sum::<f64>().sqrt() / self.length;
            // What is not a number is not near.
            let is_near = size < NEAR;
            if !is_near {
                return false;
            }
            let &[x, y, z, a, b, c] = &self.right[..] else { unreachable!("six unknowns") };
            pose.position = pose.position + Vec3::new(x, y, z);
            pose.rotation = turned(&pose.rotation, Vec3::new(a, b, c).scale(1.0 / self.length));
            if size < last {
                return true;
            }
            if step > 2 && size > 0.1 * NEAR {
                return false;
            }
        }
        false
    }
}
