//! A tool or platform that is led along a direction: q′ = dq/dσ, with σ̇ within what the drives can do.

use super::super::bounds::{Bounds, Ending, Pace};
use super::super::output::{FITS, Output, unit};
use super::straight::Drives;
use appell::closed::Configuration;
use appell::spatial::Pose;

/// The part of the drives' limits that the shape of a tool's path may take, the rest being for its speed.
const SHAPE: f64 = 0.5;
/// The part of its largest speed that a drive has while it leads a tool: where the path bends there must be time to slow down.
const NEARLY: f64 = 0.9;
/// Rounding of an acceleration.
const SLACK: f64 = 1e-6;

/// A line that a tool or platform is led along.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    pub(super) direction: usize,
    way: f64,
    ahead: f64, // of it, in the last step
    rate: f64,
    from: Pose,
}

/// What leads it.
pub(super) struct Leading {
    output: Output,
    linear: f64,
    angular: f64,
    least_condition: f64,
    slope: [Vec<f64>; 2], // q' where it is, and half a step further
    bend: Vec<f64>,       // q''
}

impl Leading {
    pub(super) fn new(output: Output, drives: usize, pace: &Pace) -> Self {
        let zeros = || vec![0.0; drives];
        Self {
            output,
            linear: pace.linear,
            angular: pace.angular,
            least_condition: pace.least_condition,
            slope: [zeros(), zeros()],
            bend: zeros(),
        }
    }

    /// Leads another output.
    pub(super) fn set_output(&mut self, output: Output) {
        self.output = output;
    }

    /// Names of the directions.
    pub(super) fn names(&self) -> &[String] {
        self.output.names()
    }

    /// Whether a direction turns, and its largest speed.
    pub(super) fn speed(&self, direction: usize) -> (bool, f64) {
        let turns = self.output.turns(direction);
        (turns, if turns { self.angular } else { self.linear })
    }

    /// Begins a line where the drives are at rest, of a robot with loops in this configuration.
    pub(super) fn begin(&mut self, q: &[f64], at: Option<&Configuration>, direction: usize) -> Result<Line, Ending> {
        if self.output.begin(q, at, direction)? < self.least_condition {
            return Err(Ending::Singular);
        }
        self.output.rates(&unit(direction), &mut self.slope[0]);
        self.bend.fill(0.0);
        Ok(Line { direction, way: 0.0, ahead: 0.0, rate: 0.0, from: self.output.pose() })
    }

    /// A step towards a speed from where the drives are; the line after it, or nothing if it is at rest and stays so.
    pub(super) fn step(
        &mut self,
        bounds: &Bounds,
        dt: f64,
        line: Line,
        wanted: f64,
        [q_0, v_0]: [&[f64]; 2],
        trial: &mut Drives,
    ) -> Result<Option<Line>, Ending> {
        let Bounds { speed, acceleration, .. } = bounds;
        // How fast, and how quickly faster, so that the drives keep their limits.
        let (mut fastest, mut quickest) = (f64::INFINITY, f64::INFINITY);
        for (j, slope) in self.slope[0].iter().enumerate() {
            fastest =
                fastest.min(NEARLY * speed[j] / slope.abs()).min((SHAPE * acceleration[j] / self.bend[j].abs()).sqrt());
            quickest = quickest.min((1.0 - SHAPE) * acceleration[j] / slope.abs());
        }
        let Line { way, rate: before, .. } = line;
        let wanted = wanted.clamp(-fastest, fastest);
        let rate = before + (wanted - before).clamp(-quickest * dt, quickest * dt);
        if rate == 0.0 && before == 0.0 {
            return Ok(None);
        }
        let ahead = 0.5 * (before + rate) * dt;
        let next = Line { way: way + ahead, ahead, rate, ..line };
        self.attempt(bounds, dt, &line, &next, [q_0, v_0], trial)?;
        Ok(Some(next))
    }

    fn attempt(
        &mut self,
        bounds: &Bounds,
        dt: f64,
        line: &Line,
        next: &Line,
        [q_0, v_0]: [&[f64]; 2],
        [q, v, a]: &mut Drives,
    ) -> Result<(), Ending> {
        let ahead = next.ahead;
        let (e, missing) = (unit(line.direction), self.output.missing(&line.from, line.direction, line.way));
        let [here, middle] = &mut self.slope;
        // A midpoint step, and what the one before has left of the line.
        self.output.rates(&missing, v);
        for (j, q) in q.iter_mut().enumerate() {
            *q = (0.5 * ahead).mul_add(here[j], q_0[j]);
        }
        self.output.place(q)?;
        self.output.rates(&e, middle);
        for (j, q) in q.iter_mut().enumerate() {
            *q = ahead.mul_add(middle[j], q_0[j]) + v[j];
        }
        let condition = self.output.place(q)?;
        let left_out = self.output.rates(&e, middle);
        for (j, slope) in middle.iter().enumerate() {
            v[j] = slope * next.rate;
            a[j] = (v[j] - v_0[j]) / dt;
            let is_sharp = a[j].abs() > (1.0 + SLACK) * bounds.acceleration[j] || v[j].abs() > bounds.speed[j];
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
        Ok(())
    }

    /// Takes the last step.
    pub(super) fn take(&mut self, line: &Line) {
        let ahead = line.ahead;
        let [here, middle] = &mut self.slope;
        for (j, bend) in self.bend.iter_mut().enumerate() {
            if ahead.abs() > f64::EPSILON {
                *bend = (middle[j] - here[j]) / ahead;
            }
        }
        core::mem::swap(here, middle);
    }
}
