//! A trajectory that is followed at a pace of its own: v = q′ ṡ, a = q″ ṡ² + q′ s̈, with ṡ = 1 but at its ends and to rest.

use super::super::bounds::{Bounds, Ending, OperatedError};
use super::straight::Drives;
use crate::trajectory::JointReference;
use appell::Robot;

/// Steps of a trajectory when it is looked at, s, and their largest number.
const LOOK: f64 = 5e-3;
const MOST_LOOKS: f64 = 1e5;
/// Speeds below this part of the largest are rest.
const AT_REST: f64 = 1e-6;
/// The largest rate of a trajectory's pace, 1/s².
const QUICKEST: f64 = 1e3;
/// Rounding of a position at its limit, rad or m.
const SLACK: f64 = 1e-6;

/// A trajectory, and what was found about it when it was given.
pub(super) struct Trajectory<'r> {
    reference: Box<dyn JointReference + 'r>,
    first: Vec<f64>,
    begins_at_rest: bool,
    ends_at_rest: bool,
    slowing: f64, // the largest −s̈ at its end, 1/s²
    s: f64,       // where it was asked for last, s
}

impl<'r> Trajectory<'r> {
    /// Walks through it once, so that nothing is wrong with it later.
    pub(super) fn new(
        robot: &Robot,
        bounds: &Bounds,
        mut reference: Box<dyn JointReference + 'r>,
    ) -> Result<Self, OperatedError> {
        let drives = robot.drives();
        let n = drives.len();
        if reference.joints() != n {
            return Err(OperatedError::Length { what: "the trajectory", found: reference.joints(), expected: n });
        }
        let duration = reference.duration();
        let steps = (duration / LOOK).ceil().clamp(1.0, MOST_LOOKS);
        let [mut q, mut v, mut a, mut first] = [(); 4].map(|()| vec![0.0; n]);
        let (mut begins_at_rest, mut slowing, mut ends_at_rest) = (true, QUICKEST, true);
        let rests = |v: &[f64]| v.iter().zip(&bounds.speed).all(|(v, most)| v.abs() <= AT_REST * most);
        for k in 0..=steps as usize {
            let time = duration * k as f64 / steps;
            reference.at(time, &mut q, &mut v, &mut a)?;
            for (j, q) in q.iter().enumerate() {
                for (limit, beyond) in [(bounds.lower[j], -1.0), (bounds.upper[j], 1.0)] {
                    if q.is_nan() || beyond * (q - limit) > SLACK {
                        let joint = drives[j].name.to_owned();
                        return Err(OperatedError::MotionBeyondLimit { time, joint, value: *q, limit });
                    }
                }
            }
            if k == 0 {
                first.copy_from_slice(&q);
                begins_at_rest = rests(&v);
            }
            if k == steps as usize {
                ends_at_rest = rests(&v);
                slowing = quickest(bounds, &v);
            }
        }
        // What goes from instant to instant goes back so.
        for k in (0..=steps as usize).rev() {
            reference.at(duration * k as f64 / steps, &mut q, &mut v, &mut a)?;
        }
        Ok(Self { reference, first, begins_at_rest, ends_at_rest, slowing, s: 0.0 })
    }

    /// Where it begins.
    pub(super) fn first(&self) -> &[f64] {
        &self.first
    }

    /// Goes back towards its beginning; the rate to begin with, where it is there.
    pub(super) fn rewind(&mut self, dt: f64, [q, v, a]: &mut Drives) -> Result<Option<f64>, Ending> {
        self.s = (self.s - LOOK.max(4.0 * dt)).max(0.0);
        self.reference.at(self.s, q, v, a).map_err(|_| Ending::Lost)?;
        Ok((self.s == 0.0).then_some(if self.begins_at_rest { 1.0 } else { 0.0 }))
    }

    /// A step from the rate `before`, and from the velocities `v_0` that it has there; the rate after it, and whether that
    /// was the end.
    pub(super) fn step(
        &mut self,
        bounds: &Bounds,
        dt: f64,
        (before, stopping): (f64, bool),
        v_0: &[f64],
        [q, v, a]: &mut Drives,
    ) -> Result<(f64, bool), Ending> {
        let duration = self.reference.duration();
        // q' where the robot is; at the very beginning, where ṡ = 0, that of the trajectory there.
        let most = if before > 0.0 {
            v_0.iter().zip(&bounds.acceleration).fold(QUICKEST, |most, (v, a)| most.min(a * before / v.abs()))
        } else {
            self.reference.at(self.s, q, v, a).map_err(|_| Ending::Lost)?;
            quickest(bounds, v)
        };
        let mut rate = if stopping { (before - most * dt).max(0.0) } else { (before + most * dt).min(1.0) };
        let left = duration - self.s;
        if !self.ends_at_rest {
            rate = rate.min((2.0 * self.slowing * (left - before * dt).max(0.0)).sqrt());
        }
        let s = self.s + 0.5 * (before + rate) * dt;
        let ended = s >= duration || rate == 0.0;
        let s = s.min(duration);
        self.reference.at(s, q, v, a).map_err(|_| Ending::Lost)?;
        self.s = s;
        let second = (rate - before) / dt;
        for (v, a) in v.iter_mut().zip(a) {
            *a = *a * rate * rate + *v * second;
            *v *= rate;
        }
        Ok((rate, ended))
    }
}

/// The largest |s̈| that the drives can do where q' is this, 1/s².
fn quickest(bounds: &Bounds, slope: &[f64]) -> f64 {
    slope.iter().zip(&bounds.acceleration).fold(QUICKEST, |most, (v, a)| most.min(a / v.abs()))
}
