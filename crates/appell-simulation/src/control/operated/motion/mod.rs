//! The motion of an operator's robot, from instant to instant.
//!
//! | stage | the drives | leaves it |
//! |---|---|---|
//! | `Rest` | stay | by a command |
//! | `Slew` | each to a speed of its own, at its acceleration limit | at rest |
//! | `Brake` | straight ahead to rest, together | at rest |
//! | `Line` | q₀ + (q₁ − q₀) s(t), a quintic | on arrival |
//! | `Path` | the trajectory, at a pace of its own | at its end |
//! | `Freedom` | as a direction of the tool or platform wants it | at rest |
//!
//! A command that needs rest waits for it. Each step of `Slew`, `Line` and `Freedom` is shown to the guard first; one that it
//! refuses is not taken, and the drives brake.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod` | the stages, and what leads from one to another |
//! | `steps` | a step of each stage |
//! | `commands` | what commands do to them |
//! | `straight` | steps straight ahead: to a speed, to rest, to a point |
//! | `trajectory` | steps along a trajectory |
//! | `freedom` | steps of a tool or platform along a direction |

mod commands;
mod freedom;
mod steps;
mod straight;
mod trajectory;

use super::bounds::{Bounds, Ending, MOST_DRIVES, OperatedError, Pace};
use super::guard::Guard;
use super::output::Output;
use crate::trajectory::{JointReference, TimeLaw};
use appell::Robot;
use freedom::{Leading, Line};
use straight::Drives;
use trajectory::Trajectory;

/// What an operator's motion does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// At rest.
    #[default]
    Holding,
    /// Coming to rest.
    Stopping,
    /// A drive, or the tool or platform, is jogged.
    Jogging,
    /// On the way to a point.
    Going,
    /// On the way to the beginning of the trajectory.
    Approaching,
    /// On the trajectory.
    Following,
}

impl Mode {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holding => "holding",
            Self::Stopping => "stopping",
            Self::Jogging => "jogging",
            Self::Going => "going",
            Self::Approaching => "approaching",
            Self::Following => "following",
        }
    }
}

/// What waits for rest.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Next {
    Nothing,
    Go,
    Follow,
    Jog { drive: usize },
    Freedom { direction: usize },
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    Rest,
    Slew,
    Brake { begin: f64, time: f64 },
    Line { begin: f64, law: TimeLaw, follows: bool },
    Rewind, // the trajectory, to its beginning
    Path { rate: f64, stopping: bool },
    Freedom(Line),
}

/// The motion.
pub(super) struct Moving<'r> {
    robot: Robot,
    bounds: Bounds,
    jog_timeout: f64,
    guard: Guard,
    leading: Leading,
    trajectory: Option<Trajectory<'r>>,
    home: Vec<f64>,
    stage: Stage,
    next: Next,
    ending: Ending,
    t: Option<f64>, // of the instant asked for last
    deadline: f64,  // of a jog
    speed: f64,     // of a jog, wanted
    q: Vec<f64>,    // then
    v: Vec<f64>,
    a: Vec<f64>,
    from: [Vec<f64>; 2], // q and v where a stage began
    to: Vec<f64>,        // where `Line` ends, or will
    target: Vec<f64>,    // speeds of `Slew`
    trial: Drives,       // a step that is not taken yet
    stop: Vec<f64>,      // where it comes to rest
}

/// The longest step of a guarded motion, s, and how many there are at most from one instant to the next.
const LONGEST_STEP: f64 = 5e-3;
const MOST_STEPS: f64 = 100.0;

impl<'r> Moving<'r> {
    pub(super) fn new(robot: &Robot, start: &[f64], pace: &Pace) -> Result<Self, OperatedError> {
        let (name, drives) = (|| robot.name().to_owned(), robot.drives().len());
        if drives > MOST_DRIVES {
            return Err(OperatedError::TooMany { robot: name(), drives });
        }
        if robot.positions().len() != drives {
            return Err(OperatedError::Quaternion { robot: name() });
        }
        if let Some(freedoms) = robot.closed().map(|closed| closed.freedoms().len()).filter(|n| *n != drives) {
            return Err(OperatedError::Drives { robot: name(), drives, freedoms });
        }
        check("the start", start, drives)?;
        let bounds = Bounds::of(robot, pace)?;
        let zeros = || vec![0.0; drives];
        Ok(Self {
            guard: Guard::new(robot, start, pace.least_condition)?,
            leading: Leading::new(Output::new(robot, None, start), drives, pace),
            robot: robot.clone(),
            bounds,
            jog_timeout: pace.jog_timeout,
            trajectory: None,
            home: start.to_vec(),
            stage: Stage::Rest,
            next: Next::Nothing,
            ending: Ending::Done,
            t: None,
            deadline: 0.0,
            speed: 0.0,
            q: start.to_vec(),
            v: zeros(),
            a: zeros(),
            from: [zeros(), zeros()],
            to: zeros(),
            target: zeros(),
            trial: [zeros(), zeros(), zeros()],
            stop: zeros(),
        })
    }

    pub(super) fn set_home(&mut self, home: &[f64]) -> Result<(), OperatedError> {
        check("the home", home, self.drives())?;
        self.home.copy_from_slice(home);
        Ok(())
    }

    pub(super) fn set_tool(&mut self, frame: &str) -> Result<(), OperatedError> {
        let tree = self.robot.tree();
        let index = tree.frame(frame).ok_or_else(|| OperatedError::UnknownFrame {
            robot: self.robot.name().to_owned(),
            frame: frame.to_owned(),
            known: tree.frames().iter().map(|frame| frame.name.clone()).collect(),
        })?;
        self.leading.set_output(Output::new(&self.robot, Some(index), &self.q));
        Ok(())
    }

    pub(super) fn set_trajectory(&mut self, reference: Box<dyn JointReference + 'r>) -> Result<(), OperatedError> {
        self.trajectory = Some(Trajectory::new(&self.robot, &self.bounds, reference)?);
        Ok(())
    }

    pub(super) fn drives(&self) -> usize {
        self.q.len()
    }

    pub(super) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    pub(super) fn freedoms(&self) -> &[String] {
        self.leading.names()
    }

    pub(super) fn freedom_speeds(&self) -> Vec<(bool, f64)> {
        (0..self.freedoms().len()).map(|direction| self.leading.speed(direction)).collect()
    }

    pub(super) fn has_trajectory(&self) -> bool {
        self.trajectory.is_some()
    }

    pub(super) fn ending(&self) -> Ending {
        self.ending
    }

    pub(super) fn mode(&self) -> Mode {
        match (self.stage, self.next) {
            (Stage::Rest, _) => Mode::Holding,
            (Stage::Slew, _) if self.target.iter().any(|target| *target != 0.0) => Mode::Jogging,
            (Stage::Freedom(_), Next::Nothing) if self.speed != 0.0 => Mode::Jogging,
            (Stage::Line { follows: false, .. }, Next::Nothing) => Mode::Going,
            (Stage::Line { follows: true, .. }, Next::Nothing) | (Stage::Rewind, _) => Mode::Approaching,
            (Stage::Path { stopping: false, .. }, Next::Nothing) => Mode::Following,
            _ => Mode::Stopping,
        }
    }

    /// Lets the stage come to rest by itself, and something follow.
    fn rest_then(&mut self, next: Next) {
        self.next = next;
        match &mut self.stage {
            Stage::Rest | Stage::Brake { .. } => {}
            Stage::Rewind => self.stage = Stage::Rest,
            Stage::Path { stopping, .. } => *stopping = true,
            Stage::Freedom(_) => {
                if !matches!(next, Next::Freedom { .. } | Next::Jog { .. }) {
                    self.speed = 0.0;
                }
            }
            Stage::Slew | Stage::Line { .. } => self.brake(),
        }
    }

    /// Brakes straight ahead.
    fn brake(&mut self) {
        let time = self.bounds.braking_time(&self.v);
        if time > 0.0 {
            self.from[0].copy_from_slice(&self.q);
            self.from[1].copy_from_slice(&self.v);
            self.stage = Stage::Brake { begin: self.t.unwrap_or(0.0), time };
        } else {
            self.rest();
        }
    }

    fn rest(&mut self) {
        self.v.fill(0.0);
        self.a.fill(0.0);
        self.stage = Stage::Rest;
    }

    /// Each drive to a speed of its own: one to that of the jog, the others to rest.
    fn slew(&mut self, drive: Option<usize>) {
        self.target.fill(0.0);
        if let Some(drive) = drive {
            self.target[drive] = self.speed;
        }
        self.next = Next::Nothing;
        self.stage = Stage::Slew;
    }

    /// Begins what waits, if the robot is at rest.
    fn start(&mut self) {
        if self.stage != Stage::Rest {
            return;
        }
        match core::mem::replace(&mut self.next, Next::Nothing) {
            Next::Nothing => {}
            Next::Go => self.line(false),
            Next::Follow => {
                if let Some(trajectory) = &self.trajectory {
                    self.to.copy_from_slice(trajectory.first());
                    self.line(true);
                }
            }
            Next::Jog { drive } => self.slew(Some(drive)),
            Next::Freedom { direction } => self.lead(direction),
        }
    }

    fn line(&mut self, follows: bool) {
        self.from[0].copy_from_slice(&self.q);
        match straight::time_law(&self.bounds, &self.q, &self.to) {
            Some(law) => self.stage = Stage::Line { begin: self.t.unwrap_or(0.0), law, follows },
            None if follows => self.stage = Stage::Rewind, // it is there
            None => {}
        }
    }

    /// Begins to move the tool or platform.
    fn lead(&mut self, direction: usize) {
        match self.leading.begin(&self.q, self.guard.configuration(), direction) {
            Ok(line) => self.stage = Stage::Freedom(line),
            Err(ending) => self.ending = ending,
        }
    }

    /// The motion after the time `t`.
    pub(super) fn at(&mut self, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) {
        let Some(before) = self.t else {
            // What was commanded before begins now.
            self.t = Some(t);
            self.deadline = t + self.jog_timeout;
            if let Stage::Line { begin, .. } = &mut self.stage {
                *begin = t;
            }
            return self.write(q, v, a);
        };
        if t > before {
            let steps = ((t - before) / LONGEST_STEP).ceil().clamp(1.0, MOST_STEPS);
            for k in 1..=steps as usize {
                let until = if k as f64 == steps { t } else { before + (t - before) * k as f64 / steps };
                self.advance(until);
            }
        }
        self.write(q, v, a);
    }

    fn write(&self, q: &mut [f64], v: &mut [f64], a: &mut [f64]) {
        q.copy_from_slice(&self.q);
        v.copy_from_slice(&self.v);
        a.copy_from_slice(&self.a);
    }
}

fn check(what: &'static str, numbers: &[f64], expected: usize) -> Result<(), OperatedError> {
    if numbers.len() != expected {
        return Err(OperatedError::Length { what, found: numbers.len(), expected });
    }
    if numbers.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(OperatedError::NotFinite { what }) }
}
