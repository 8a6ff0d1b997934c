//! The motion of an operator's robot, from instant to instant.
//!
//! | stage | the drives | leaves it |
//! |---|---|---|
//! | `Rest` | stay | by a command |
//! | `Slew` | each to a speed of its own, at its acceleration limit | at rest |
//! | `Brake` | straight ahead to rest, together | at rest |
//! | `Line` | q₀ + (q₁ − q₀) s(t), a quintic | on arrival |
//! | `Path` | the trajectory at s(t): v = q′ ṡ, a = q″ ṡ² + q′ s̈, with ṡ = 1 but at its ends and to rest | at its end |
//! | `Freedom` | q′ = dq/dσ of a direction, σ̇ within what the drives can do | at rest |
//!
//! A command that needs rest waits for it. Each step of `Slew`, `Line` and `Freedom` is shown to the guard first; one that it
//! refuses is not taken, and the drives brake.

use super::bounds::{Bounds, Ending, MOST_DRIVES, OperatedError, Pace, Refusal};
use super::guard::Guard;
use super::output::{FITS, Output, unit};
use crate::trajectory::{Along, JointReference, Rates, Shape, TimeLaw};
use appell::Robot;
use appell::spatial::Pose;

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
    Freedom { direction: usize, way: f64, rate: f64, from: Pose },
}

/// A trajectory, and what was found about it when it was given.
struct Trajectory<'r> {
    reference: Box<dyn JointReference + 'r>,
    first: Vec<f64>,
    begins_at_rest: bool,
    ends_at_rest: bool,
    slowing: f64, // the largest −s̈ at its end, 1/s²
    s: f64,       // where it was asked for last, s
}

/// The motion.
pub(super) struct Moving<'r> {
    robot: Robot,
    bounds: Bounds,
    linear: f64,
    angular: f64,
    jog_timeout: f64,
    least_condition: f64,
    guard: Guard,
    output: Output,
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
    from: [Vec<f64>; 2],  // q and v where a stage began
    to: Vec<f64>,         // where `Line` ends, or will
    target: Vec<f64>,     // speeds of `Slew`
    trial: [Vec<f64>; 3], // a step that is not taken yet
    stop: Vec<f64>,       // where it comes to rest
    slope: [Vec<f64>; 2], // q' where the tool is, and half a step further
    bend: Vec<f64>,       // q''
}

/// Steps of a trajectory when it is looked at, s, and their largest number.
const LOOK: f64 = 5e-3;
const MOST_LOOKS: f64 = 1e5;
/// Speeds below this part of the largest are rest.
const AT_REST: f64 = 1e-6;
/// The longest step of a guarded motion, s, and how many there are at most from one instant to the next.
const LONGEST_STEP: f64 = 5e-3;
const MOST_STEPS: f64 = 100.0;
/// The part of the drives' limits that the shape of a tool's path may take, the rest being for its speed.
const SHAPE: f64 = 0.5;
/// The part of its largest speed that a drive has while it leads a tool: where the path bends there must be time to slow down.
const NEARLY: f64 = 0.9;
/// The largest rate of a trajectory's pace, 1/s².
const QUICKEST: f64 = 1e3;
/// Rounding of an acceleration.
const SLACK: f64 = 1e-6;

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
            output: Output::new(robot, None, start),
            robot: robot.clone(),
            bounds,
            linear: pace.linear,
            angular: pace.angular,
            jog_timeout: pace.jog_timeout,
            least_condition: pace.least_condition,
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
            slope: [zeros(), zeros()],
            bend: zeros(),
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
        self.output = Output::new(&self.robot, Some(index), &self.q);
        Ok(())
    }

    pub(super) fn set_trajectory(&mut self, mut reference: Box<dyn JointReference + 'r>) -> Result<(), OperatedError> {
        let n = self.drives();
        if reference.joints() != n {
            return Err(OperatedError::Length { what: "the trajectory", found: reference.joints(), expected: n });
        }
        let duration = reference.duration();
        let steps = (duration / LOOK).ceil().clamp(1.0, MOST_LOOKS);
        let joints: Vec<String> = self.robot.drives().iter().map(|drive| drive.name.to_owned()).collect();
        let [mut q, mut v, mut a, mut first] = [(); 4].map(|()| vec![0.0; n]);
        let (mut begins_at_rest, mut slowing, mut ends_at_rest) = (true, QUICKEST, true);
        let fastest = self.bounds.speed.clone();
        let rests = |v: &[f64]| v.iter().zip(&fastest).all(|(v, most)| v.abs() <= AT_REST * most);
        for k in 0..=steps as usize {
            let time = duration * k as f64 / steps;
            reference.at(time, &mut q, &mut v, &mut a)?;
            for (j, q) in q.iter().enumerate() {
                for (limit, beyond) in [(self.bounds.lower[j], -1.0), (self.bounds.upper[j], 1.0)] {
                    if q.is_nan() || beyond * (q - limit) > SLACK {
                        let joint = joints[j].clone();
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
                slowing = quickest(&self.bounds, &v).min(QUICKEST);
            }
        }
        // What goes from instant to instant goes back so.
        for k in (0..=steps as usize).rev() {
            reference.at(duration * k as f64 / steps, &mut q, &mut v, &mut a)?;
        }
        self.trajectory = Some(Trajectory { reference, first, begins_at_rest, ends_at_rest, slowing, s: 0.0 });
        Ok(())
    }

    pub(super) fn drives(&self) -> usize {
        self.q.len()
    }

    pub(super) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    pub(super) fn freedoms(&self) -> &[String] {
        self.output.names()
    }

    pub(super) fn freedom_speeds(&self) -> Vec<(bool, f64)> {
        let speed = |turns: bool| (turns, if turns { self.angular } else { self.linear });
        (0..self.output.names().len()).map(|direction| speed(self.output.turns(direction))).collect()
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
            (Stage::Freedom { .. }, Next::Nothing) if self.speed != 0.0 => Mode::Jogging,
            (Stage::Line { follows: false, .. }, Next::Nothing) => Mode::Going,
            (Stage::Line { follows: true, .. }, Next::Nothing) | (Stage::Rewind, _) => Mode::Approaching,
            (Stage::Path { stopping: false, .. }, Next::Nothing) => Mode::Following,
            _ => Mode::Stopping,
        }
    }

    pub(super) fn hold(&mut self) {
        self.ending = Ending::Done;
        self.rest_then(Next::Nothing);
    }

    pub(super) fn go_to(&mut self, positions: &[f64]) -> Result<(), Refusal> {
        self.check(positions)?;
        for (drive, (value, q)) in positions.iter().zip(&self.q).enumerate() {
            let (lower, upper) = (self.bounds.lower[drive], self.bounds.upper[drive]);
            let limit = if *value < lower { lower } else { upper };
            // Whoever is beyond a limit may stay there, or come nearer.
            let beyond = |value: f64| (lower - value).max(value - upper).max(0.0);
            if beyond(*value) > beyond(*q) {
                return Err(Refusal::BeyondLimit { drive, value: *value, limit });
            }
        }
        self.ending = Ending::Done;
        self.rest_then(Next::Go);
        self.to.copy_from_slice(positions);
        self.start();
        Ok(())
    }

    pub(super) fn home(&mut self) -> Result<(), Refusal> {
        let home = core::mem::take(&mut self.home);
        let answer = self.go_to(&home);
        self.home = home;
        answer
    }

    pub(super) fn follow(&mut self) -> Result<(), Refusal> {
        if self.trajectory.is_none() {
            return Err(Refusal::NoTrajectory);
        }
        self.ending = Ending::Done;
        self.rest_then(Next::Follow);
        self.start();
        Ok(())
    }

    pub(super) fn jog(&mut self, drive: usize, speed: f64) -> Result<(), Refusal> {
        if drive >= self.drives() {
            return Err(Refusal::UnknownDrive { number: drive + 1, drives: self.drives() });
        }
        let most = self.bounds.speed[drive];
        self.renew(speed, most)?;
        if matches!(self.stage, Stage::Path { .. } | Stage::Freedom { .. }) {
            self.rest_then(Next::Jog { drive });
        } else {
            self.slew(Some(drive));
        }
        Ok(())
    }

    pub(super) fn jog_freedom(&mut self, direction: usize, speed: f64) -> Result<(), Refusal> {
        let freedoms = self.output.names().len();
        if direction >= freedoms {
            return Err(Refusal::UnknownFreedom { number: direction + 1, freedoms });
        }
        let most = if self.output.turns(direction) { self.angular } else { self.linear };
        self.renew(speed, most)?;
        let is_same = matches!(self.stage, Stage::Freedom { direction: now, .. } if now == direction);
        self.next = Next::Nothing;
        if !is_same {
            self.rest_then(Next::Freedom { direction });
            self.start();
        }
        Ok(())
    }

    pub(super) fn restart(&mut self, positions: &[f64]) -> Result<(), Refusal> {
        self.check(positions)?;
        if !self.guard.track(positions) {
            return Err(Refusal::Unreachable);
        }
        self.q.copy_from_slice(positions);
        self.v.fill(0.0);
        self.a.fill(0.0);
        (self.stage, self.next, self.ending) = (Stage::Rest, Next::Nothing, Ending::Done);
        Ok(())
    }

    fn check(&self, positions: &[f64]) -> Result<(), Refusal> {
        let (found, expected) = (positions.len(), self.drives());
        if found != expected {
            return Err(Refusal::Length { found, expected });
        }
        if positions.iter().all(|q| q.is_finite()) { Ok(()) } else { Err(Refusal::NotFinite) }
    }

    fn renew(&mut self, speed: f64, most: f64) -> Result<(), Refusal> {
        if !speed.is_finite() {
            return Err(Refusal::NotFinite);
        }
        // Of a jog that ended at a limit the reason stays while it is renewed.
        if !matches!(self.stage, Stage::Rest) || self.ending == Ending::NotRenewed {
            self.ending = Ending::Done;
        }
        self.speed = speed.clamp(-most, most);
        self.deadline = self.t.unwrap_or(0.0) + self.jog_timeout;
        Ok(())
    }

    /// Lets the stage come to rest by itself, and something follow.
    fn rest_then(&mut self, next: Next) {
        self.next = next;
        match &mut self.stage {
            Stage::Rest | Stage::Brake { .. } => {}
            Stage::Rewind => self.stage = Stage::Rest,
            Stage::Path { stopping, .. } => *stopping = true,
            Stage::Freedom { .. } => {
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
                    self.to.copy_from_slice(&trajectory.first);
                    self.line(true);
                }
            }
            Next::Jog { drive } => self.slew(Some(drive)),
            Next::Freedom { direction } => self.lead(direction),
        }
    }

    fn line(&mut self, follows: bool) {
        let ways = self.q.iter().zip(&self.to).map(|(from, to)| (to - from).abs());
        let limits = self.bounds.speed.iter().zip(&self.bounds.acceleration);
        let most = ways.zip(limits).fold(Rates::UNLIMITED, |least, (way, (&speed, &acceleration))| {
            least.and(Rates { speed, acceleration, jerk: f64::INFINITY }.over(way))
        });
        self.from[0].copy_from_slice(&self.q);
        match TimeLaw::within(Shape::Quintic, most) {
            Ok(law) => self.stage = Stage::Line { begin: self.t.unwrap_or(0.0), law, follows },
            Err(_) if follows => self.stage = Stage::Rewind, // it is there
            Err(_) => {}
        }
    }

    /// Begins to move the tool or platform.
    fn lead(&mut self, direction: usize) {
        match self.output.begin(&self.q, self.guard.configuration(), direction) {
            Ok(condition) if condition >= self.least_condition => {
                self.output.rates(&unit(direction), &mut self.slope[0]);
                self.bend.fill(0.0);
                let from = self.output.pose();
                self.stage = Stage::Freedom { direction, way: 0.0, rate: 0.0, from };
            }
            Ok(_) => self.ending = Ending::Singular,
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

    fn advance(&mut self, until: f64) {
        let now = self.t.unwrap_or(until);
        let dt = until - now;
        let jogs = matches!(self.stage, Stage::Slew | Stage::Freedom { .. }) && self.speed != 0.0;
        if jogs && now >= self.deadline {
            (self.speed, self.ending) = (0.0, Ending::NotRenewed);
            self.target.fill(0.0);
            self.next = Next::Nothing;
        }
        match self.stage {
            Stage::Rest => {}
            Stage::Slew => self.step_slew(dt),
            Stage::Brake { begin, time } => self.step_brake(until - begin, time),
            Stage::Line { begin, law, follows } => self.step_line(until - begin, &law, follows),
            Stage::Rewind => self.step_rewind(dt),
            Stage::Path { rate, stopping } => self.step_path(dt, rate, stopping),
            Stage::Freedom { direction, way, rate, from } => self.step_freedom(dt, direction, way, rate, &from),
        }
        self.t = Some(until);
        // A step that was refused: braking has begun where it would have.
        if let Stage::Brake { begin, time } = self.stage
            && begin == now
        {
            self.step_brake(until - begin, time);
        }
        self.start();
    }

    /// Whether the robot can come to rest after the trial step.
    fn admitted(&mut self) -> Result<(), Ending> {
        let [q, v, _] = &self.trial;
        let time = self.bounds.braking_time(v);
        for (stop, (q, v)) in self.stop.iter_mut().zip(q.iter().zip(v)) {
            *stop = (0.5 * time).mul_add(*v, *q);
        }
        self.guard.admits(&self.bounds, &self.stop)
    }

    /// Takes the trial step.
    fn take(&mut self) {
        let [q, v, a] = &mut self.trial;
        core::mem::swap(&mut self.q, q);
        core::mem::swap(&mut self.v, v);
        core::mem::swap(&mut self.a, a);
    }

    /// Takes the trial step if the robot can come to rest after it, else brakes; whether it was taken.
    fn take_if_admitted(&mut self) -> bool {
        let admitted = self.admitted();
        match admitted {
            Ok(()) => self.take(),
            Err(ending) => self.refuse(ending),
        }
        if admitted.is_ok() && self.speed != 0.0 {
            self.ending = Ending::Done; // of a jog that was stopped before, and leads away now
        }
        admitted.is_ok()
    }

    fn refuse(&mut self, ending: Ending) {
        (self.ending, self.next) = (ending, Next::Nothing);
        self.brake();
    }

    fn step_slew(&mut self, dt: f64) {
        let [q, v, a] = &mut self.trial;
        for (j, target) in self.target.iter().enumerate() {
            let most = self.bounds.acceleration[j];
            let change = target - self.v[j];
            let time = change.abs() / most;
            if time > dt {
                a[j] = most.copysign(change);
                v[j] = a[j].mul_add(dt, self.v[j]);
                q[j] = self.q[j] + 0.5 * (self.v[j] + v[j]) * dt;
            } else {
                (v[j], a[j]) = (*target, 0.0);
                q[j] = self.q[j] + 0.5 * (self.v[j] + target) * time + target * (dt - time);
            }
        }
        if self.take_if_admitted() && self.v.iter().all(|v| *v == 0.0) && self.target.iter().all(|v| *v == 0.0) {
            self.rest();
        }
    }

    fn step_brake(&mut self, since: f64, time: f64) {
        let [q, v] = &self.from;
        if since >= time {
            for (j, now) in self.q.iter_mut().enumerate() {
                *now = (0.5 * time).mul_add(v[j], q[j]);
            }
            self.rest();
            return;
        }
        let left = 1.0 - since / time;
        for j in 0..q.len() {
            self.q[j] = (since * 0.5 * (1.0 + left)).mul_add(v[j], q[j]);
            (self.v[j], self.a[j]) = (v[j] * left, -v[j] / time);
        }
    }

    fn step_line(&mut self, since: f64, law: &TimeLaw, follows: bool) {
        let arrived = since >= law.duration();
        let Along { s, rate, second } = law.at(since.min(law.duration()));
        let [q, v, a] = &mut self.trial;
        for (j, (from, to)) in self.from[0].iter().zip(&self.to).enumerate() {
            let way = to - from;
            (q[j], v[j], a[j]) = (way.mul_add(s, *from), way * rate, way * second);
            if arrived {
                (q[j], v[j], a[j]) = (*to, 0.0, 0.0);
            }
        }
        if self.take_if_admitted() && arrived {
            self.rest();
            if follows {
                self.stage = Stage::Rewind;
            }
        }
    }

    /// Brings the trajectory back to its beginning while the robot waits there: it may go from instant to instant.
    fn step_rewind(&mut self, dt: f64) {
        let Some(trajectory) = &mut self.trajectory else { return self.rest() };
        let [q, v, a] = &mut self.trial;
        trajectory.s = (trajectory.s - LOOK.max(4.0 * dt)).max(0.0);
        if trajectory.reference.at(trajectory.s, q, v, a).is_err() {
            self.ending = Ending::Lost;
            return self.rest();
        }
        if trajectory.s == 0.0 {
            let rate = if trajectory.begins_at_rest { 1.0 } else { 0.0 };
            self.stage = Stage::Path { rate, stopping: false };
        }
    }

    fn step_path(&mut self, dt: f64, before: f64, stopping: bool) {
        let Some(trajectory) = &mut self.trajectory else { return self.brake() };
        let [q, v, a] = &mut self.trial;
        let duration = trajectory.reference.duration();
        // q' where the robot is; at the very beginning, where ṡ = 0, that of the trajectory there.
        let most = if before > 0.0 {
            self.v.iter().zip(&self.bounds.acceleration).fold(QUICKEST, |most, (v, a)| most.min(a * before / v.abs()))
        } else {
            if trajectory.reference.at(trajectory.s, q, v, a).is_err() {
                return self.refuse(Ending::Lost);
            }
            quickest(&self.bounds, v).min(QUICKEST)
        };
        let mut rate = if stopping { (before - most * dt).max(0.0) } else { (before + most * dt).min(1.0) };
        let left = duration - trajectory.s;
        if !trajectory.ends_at_rest {
            rate = rate.min((2.0 * trajectory.slowing * (left - before * dt).max(0.0)).sqrt());
        }
        let ahead = 0.5 * (before + rate) * dt;
        let s = trajectory.s + ahead;
        let ended = s >= duration || rate == 0.0;
        let s = s.min(duration);
        if trajectory.reference.at(s, q, v, a).is_err() {
            return self.refuse(Ending::Lost);
        }
        trajectory.s = s;
        let second = (rate - before) / dt;
        for (v, a) in v.iter_mut().zip(&mut *a) {
            *a = *a * rate * rate + *v * second;
            *v *= rate;
        }
        self.take();
        self.guard.go_along(&self.q);
        self.stage = Stage::Path { rate, stopping };
        if ended {
            self.guard.track(&self.q);
            self.rest();
        }
    }

    fn step_freedom(&mut self, dt: f64, direction: usize, way: f64, before: f64, from: &Pose) {
        let Bounds { speed, acceleration, .. } = &self.bounds;
        // How fast, and how quickly faster, so that the drives keep their limits.
        let (mut fastest, mut quickest) = (f64::INFINITY, f64::INFINITY);
        for (j, slope) in self.slope[0].iter().enumerate() {
            fastest =
                fastest.min(NEARLY * speed[j] / slope.abs()).min((SHAPE * acceleration[j] / self.bend[j].abs()).sqrt());
            quickest = quickest.min((1.0 - SHAPE) * acceleration[j] / slope.abs());
        }
        let waits = self.next != Next::Nothing;
        let wanted = if waits { 0.0 } else { self.speed.clamp(-fastest, fastest) };
        let rate = before + (wanted - before).clamp(-quickest * dt, quickest * dt);
        if rate == 0.0 && before == 0.0 {
            if waits || self.speed == 0.0 {
                self.rest();
            }
            return;
        }
        let ahead = 0.5 * (before + rate) * dt;
        match self.try_freedom(dt, direction, [way, ahead], rate, from) {
            Ok(()) => {
                self.take();
                self.stage = Stage::Freedom { direction, way: way + ahead, rate, from: *from };
            }
            Err(ending) => self.refuse(ending),
        }
    }

    fn try_freedom(
        &mut self,
        dt: f64,
        direction: usize,
        [way, ahead]: [f64; 2],
        rate: f64,
        from: &Pose,
    ) -> Result<(), Ending> {
        let [q, v, a] = &mut self.trial;
        let (e, missing) = (unit(direction), self.output.missing(from, direction, way));
        let [here, middle] = &mut self.slope;
        // A midpoint step, and what the one before has left of the line.
        self.output.rates(&missing, v);
        for (j, q) in q.iter_mut().enumerate() {
            *q = (0.5 * ahead).mul_add(here[j], self.q[j]);
        }
        self.output.place(q)?;
        self.output.rates(&e, middle);
        for (j, q) in q.iter_mut().enumerate() {
            *q = ahead.mul_add(middle[j], self.q[j]) + v[j];
        }
        let condition = self.output.place(q)?;
        let left_out = self.output.rates(&e, middle);
        for (j, slope) in middle.iter().enumerate() {
            v[j] = slope * rate;
            a[j] = (v[j] - self.v[j]) / dt;
            let is_sharp =
                a[j].abs() > (1.0 + SLACK) * self.bounds.acceleration[j] || v[j].abs() > self.bounds.speed[j];
            if is_sharp || a[j].is_nan() {
                return Err(if condition < self.least_condition { Ending::Singular } else { Ending::TooSharp });
            }
        }
        if condition < self.least_condition {
            return Err(Ending::Singular);
        }
        if left_out > FITS {
            return Err(Ending::CannotMove);
        }
        self.admitted()?;
        let [here, middle] = &mut self.slope;
        for (j, bend) in self.bend.iter_mut().enumerate() {
            if ahead.abs() > f64::EPSILON {
                *bend = (middle[j] - here[j]) / ahead;
            }
        }
        core::mem::swap(here, middle);
        Ok(())
    }
}

/// The largest |s̈| that the drives can do where q' is this, 1/s².
fn quickest(bounds: &Bounds, slope: &[f64]) -> f64 {
    slope.iter().zip(&bounds.acceleration).fold(f64::INFINITY, |most, (v, a)| most.min(a / v.abs()))
}

fn check(what: &'static str, numbers: &[f64], expected: usize) -> Result<(), OperatedError> {
    if numbers.len() != expected {
        return Err(OperatedError::Length { what, found: numbers.len(), expected });
    }
    if numbers.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(OperatedError::NotFinite { what }) }
}
