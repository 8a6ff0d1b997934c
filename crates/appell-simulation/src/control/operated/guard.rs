//! Where a robot may come to rest: what stops an operator's motion in time.
//!
//! A step of a motion is taken only if the robot can come to rest after it, straight ahead and within the acceleration
//! limits, in a place that it may be in: joints within their limits, loops closed, singularities away. So there is a way
//! out of every state, and a step that is refused is the moment to take it.

use super::bounds::{Bounds, Ending, OperatedError};
use appell::Robot;
use appell::closed::formulation::Formulation;
use appell::closed::{ClosedMechanism, Configuration, singularity};
use appell::question::closed::Found;
use appell::question::{Motion, State};

/// Looks at places where a robot would come to rest.
pub(super) struct Guard {
    robot: Robot,
    drives: Vec<usize>, // their joints
    loops: Option<Box<Loops>>,
    least: f64,   // inverse condition number
    place: Place, // that of the step before
}

/// A robot with closed loops where it would come to rest.
struct Loops {
    found: Found,
    good: Configuration, // the last that was right
    singularities: singularity::Workspace,
    metric: singularity::Metric,
    rest: Vec<f64>,
}

/// What is wrong with a place: nothing, where both are 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Place {
    beyond: f64, // a limit, rad or m
    joint: usize,
    near: f64, // how much nearer to a singularity than allowed, as an inverse condition number
}

impl Guard {
    pub(super) fn new(robot: &Robot, start: &[f64], least: f64) -> Result<Self, OperatedError> {
        let drives = robot.drives().iter().map(|drive| drive.index).collect();
        let loops = match robot.closed() {
            None => None,
            Some(closed) => {
                let mut found = Found::new(closed, Formulation::of(closed)[0]);
                found.continuous = true;
                let rest = vec![0.0; closed.freedoms().len()];
                found.find(closed, &State::joints(start, &rest, &[]), true, false)?;
                Some(Box::new(Loops {
                    good: found.moved.at.clone(),
                    found,
                    singularities: singularity::Workspace::new(closed),
                    metric: singularity::Metric::of(closed),
                    rest,
                }))
            }
        };
        let mut guard = Self { robot: robot.clone(), drives, loops, least, place: Place::default() };
        let place = guard.look(start).map_err(|_| OperatedError::NotFinite { what: "the start" })?;
        guard.place = place;
        Ok(guard)
    }

    /// Whether the robot may come to rest at `stop`. Where it begins beyond a limit or near a singularity, it may go on
    /// as long as that does not get worse.
    pub(super) fn admits(&mut self, bounds: &Bounds, stop: &[f64]) -> Result<(), Ending> {
        // Most refusals are found before the loops are looked at.
        let of_drives = beyond(self.drives.iter().copied(), stop, &bounds.lower, &bounds.upper);
        let before = self.place;
        let worse = |beyond: f64| beyond > before.beyond.max(ROUNDING);
        if of_drives.0.is_nan() || worse(of_drives.0) {
            return Err(Ending::Limit(of_drives.1));
        }
        let place = self.look(stop)?;
        if worse(place.beyond) {
            return Err(Ending::Limit(place.joint));
        }
        if place.near > before.near {
            return Err(Ending::Singular);
        }
        self.place = place;
        Ok(())
    }

    fn look(&mut self, stop: &[f64]) -> Result<Place, Ending> {
        let Some(loops) = &mut self.loops else {
            let limits = self.robot.tree().limits();
            let all = self.drives.iter().zip(stop).map(|(&j, q)| (j, *q, limits[j].lower, limits[j].upper));
            let (beyond, joint) = most_beyond(all);
            return Ok(Place { beyond, joint, near: 0.0 });
        };
        let closed = self.robot.closed().expect("a robot with loops");
        loops.go_to(closed, stop)?;
        let Loops { good, singularities, metric, .. } = &mut **loops;
        let limits = closed.tree().limits();
        let all = good.q.iter().zip(limits).enumerate().map(|(j, (q, limit))| (j, *q, limit.lower, limit.upper));
        let (beyond, joint) = most_beyond(all);
        let (type1, type2) = singularity::distances(closed, singularities, good, metric);
        let condition = if type1.is_nan() || type2.is_nan() { 0.0 } else { type1.min(type2) };
        Ok(Place { beyond, joint, near: (self.least - condition).max(0.0) })
    }

    /// Goes along with a motion that is not guarded, so that loops are followed from instant to instant.
    pub(super) fn go_along(&mut self, q: &[f64]) {
        if let (Some(loops), Some(closed)) = (&mut self.loops, self.robot.closed()) {
            let _ = loops.go_to(closed, q); // where they are lost, a guarded motion will say so
        }
    }

    /// Begins anew at a place; whether the robot can be there.
    pub(super) fn track(&mut self, q: &[f64]) -> bool {
        let place = self.look(q);
        self.place = place.unwrap_or(self.place);
        place.is_ok()
    }

    /// The configuration of a robot with loops where it would come to rest: where it is, at rest.
    pub(super) fn configuration(&self) -> Option<&Configuration> {
        self.loops.as_ref().map(|loops| &loops.good)
    }
}

impl Loops {
    /// Brings the drives there, from where they were. What failed has a text with names: that is the one case which
    /// allocates.
    fn go_to(&mut self, closed: &ClosedMechanism, q: &[f64]) -> Result<(), Ending> {
        let Self { found, good, rest, .. } = self;
        if found.find(closed, &State::joints(q, rest, &[]), false, false).is_err() {
            // Where it failed, it would not go on from there.
            let motion = Motion::Assembled { at: good, r: rest, r_dot: rest };
            let _ = found.find(closed, &State { motion, ..State::default() }, false, false);
            return Err(Ending::Unreachable);
        }
        good.clone_from(&found.moved.at);
        Ok(())
    }
}

/// Positions this little beyond a limit are at it.
const ROUNDING: f64 = 1e-9;

fn beyond(joints: impl Iterator<Item = usize>, q: &[f64], lower: &[f64], upper: &[f64]) -> (f64, usize) {
    let all = joints.zip(q).zip(lower.iter().zip(upper));
    most_beyond(all.map(|((j, q), (lower, upper))| (j, *q, *lower, *upper)))
}

fn most_beyond(all: impl Iterator<Item = (usize, f64, f64, f64)>) -> (f64, usize) {
    all.fold((0.0, 0), |most, (j, q, lower, upper)| {
        let beyond = (lower - q).max(q - upper);
        if beyond > most.0 || q.is_nan() { (if q.is_nan() { f64::NAN } else { beyond }, j) } else { most }
    })
}
