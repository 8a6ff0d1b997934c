//! The PUMA under inverse-dynamics control in the paper's loop of boards, on ramps and splines  [Valera, §§3 and 4, figure 5].
//!
//! | what | printed | taken |
//! |---|---|---|
//! | counts a turn of the motor | 200 at joints 1 and 2, 250 at the others | the same |
//! | start of the counts | potentiometers, 0 to 5 V, at one converter | 12 bits over a turn of the joint; index once a turn of the motor |
//! | outputs | 10 V, one converter | 12 bits; N m a volt: [`CONSTANTS`] |
//! | gears, period, gains, the references themselves | | [`GEARS`], [`PERIOD`], [`gains`], [`Reference`] |
//!
//! The real robot of the figure is a simulated one here: exactly the law's model, or with bodies [`HEAVIER`] than that.

use super::{PumaLine, StudyError};
use appell::mechanism::Mechanism;
use appell_simulation::control::sampled::{Axis, Chain, Position, SampledLoop, Speed, Statistics, Timing};
use appell_simulation::control::signal::{AnalogOutput, Encoder, Potentiometer, SignalError};
use appell_simulation::control::{ComputedTorque, Gains};
use appell_simulation::simulation::plant::Tree;
use appell_simulation::trajectory::{Ends, JointReference, Ramp, Shape, Spline, TimeLaw};
use core::f64::consts::PI;
use core::ops::ControlFlow;

/// Counts a turn of each motor, as printed.
pub const COUNTS: [u32; 6] = [200, 200, 250, 250, 250, 250];

/// Turns of each motor a turn of its joint: those commonly given for the PUMA 560, as the paper prints none for its 600.
pub const GEARS: [f64; 6] = [62.61, 107.82, 53.71, 76.04, 71.92, 76.69];

/// N m a volt at each joint: ten volts are about twice what these references need of this arm.
pub const CONSTANTS: [f64; 6] = [6.0, 15.0, 5.0, 0.3, 0.3, 0.05];

/// Between two samples, s: four times what a step took on the slower of the paper's computers, rounded.
pub const PERIOD: f64 = 1e-3;

/// From measuring to the change of the outputs, in periods: about what a step took on that computer.
pub const DELAY: f64 = 0.25;

/// Low-pass of the measured speeds, rad/s: a count a period would be half a radian a second.
pub const CUTOFF: f64 = 100.0;

/// What a real robot's masses and inertias are of its model's.
pub const HEAVIER: f64 = 1.05;

/// How long a control step took, s, and on what.
pub const PRINTED_TIMES: [(&str, f64); 2] = [("Pentium, 150 MHz", 0.225e-3), ("Pentium II, 350 MHz", 0.061e-3)];

/// Samples from one that is kept to the next.
const KEPT: usize = 10;

/// Time from one point of the references to the next, s.
const PASSAGE: f64 = 4.0;

/// What the arm shall follow; all places are on the paper's line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// From the start to the end of the line at constant joint speeds but for a tenth of the time at each end.
    Ramp,
    /// Cubic, through the start, the middle and the end of the line and back, from rest to rest.
    Splines,
}

/// Who follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// Tracking, with an exact model.
    Exact,
    /// Tracking, of a robot that is heavier than the model.
    Heavier,
    /// The same robot, with integral action.
    HeavierIntegral,
}

impl Case {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Heavier, Self::HeavierIntegral];
}

/// The gains of every joint: errors that die away with 10 rad/s and do not swing; with integral action as fast.
#[must_use]
pub fn gains(case: Case) -> Gains {
    match case {
        Case::Exact | Case::Heavier => Gains::of(10.0, 1.0),
        Case::HeavierIntegral => Gains::with_integral(10.0, 1.0, 10.0),
    }
}

/// A sample that was kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// s.
    pub t: f64,
    /// Where the joints shall be, rad.
    pub wanted: Vec<f64>,
    /// Where they are in truth, rad.
    pub truth: Vec<f64>,
}

/// How a robot has followed.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// Every tenth.
    pub samples: Vec<Sample>,
    /// Of all samples.
    pub statistics: Statistics,
}

impl Response {
    /// The largest error of all joints, rad.
    #[must_use]
    pub fn largest(&self) -> f64 {
        self.statistics.tracking.iter().fold(0.0, |most, joint| most.max(joint.largest))
    }
}

/// A reference that goes through places of the paper's line.
///
/// # Errors
/// If the arm cannot follow the line.
pub fn reference(robot: &Mechanism, which: Reference) -> Result<Box<dyn JointReference>, StudyError> {
    let mut joints = PumaLine::VALERA.joints(robot)?;
    let mut place = |part: f64| {
        let [mut q, mut v, mut a] = [0, 1, 2].map(|_| vec![0.0; robot.dof()]);
        joints.at(part * PumaLine::VALERA.duration, &mut q, &mut v, &mut a).map(|()| q)
    };
    let (start, middle, end) = (place(0.0)?, place(0.5)?, place(1.0)?);
    Ok(match which {
        Reference::Ramp => Box::new(Ramp::new(&start, &end, TimeLaw::new(Shape::Trapezoidal { ramp: 0.1 }, PASSAGE)?)?),
        Reference::Splines => {
            let points = [start.clone(), middle.clone(), end, middle, start];
            let times = [0.0, 0.5, 1.0, 1.5, 2.0].map(|k| k * PASSAGE);
            Box::new(Spline::cubic(&times, &points, Ends::Rest)?)
        }
    })
}

/// The boards between the law and the six drives.
///
/// # Errors
/// Never, with these numbers.
pub fn chain() -> Result<Chain, SignalError> {
    let axis = |j: usize| {
        Ok(Axis {
            position: Position::Encoder {
                encoder: Encoder::rotary(COUNTS[j], GEARS[j])?.with_index(0)?,
                start: Some(Potentiometer::new(-PI, PI, 0.0)?),
            },
            speed: Speed::Difference { cutoff: Some(CUTOFF) },
            output: Some(AnalogOutput::new(CONSTANTS[j])?),
            ..Axis::default()
        })
    };
    let axes = (0..6).map(axis).collect::<Result<_, SignalError>>()?;
    Ok(Chain { axes, ..Chain::default() })
}

/// Follows a reference, and half a second more; `clock` tells the time in s.
///
/// # Errors
/// If the arm cannot follow the line, or the simulation ends before its time.
pub fn respond(
    robot: &Mechanism,
    which: Reference,
    case: Case,
    clock: impl FnMut() -> f64,
) -> Result<Response, StudyError> {
    let mut wanted = reference(robot, which)?;
    let end = wanted.duration() + 0.5;
    let [mut q, mut v, mut a] = [0, 1, 2].map(|_| vec![0.0; robot.dof()]);
    wanted.at(0.0, &mut q, &mut v, &mut a)?;
    let real = if case == Case::Exact { robot.clone() } else { robot.with_bodies(|_, body| body.scaled(HEAVIER)) };
    let mut law = ComputedTorque::tracking(robot, wanted, vec![gains(case); robot.dof()]);
    let mut plant = Tree::new(&real, &q, &vec![0.0; robot.dof()]);
    let timing = Timing { period: PERIOD, delay: DELAY };
    let mut sampled =
        SampledLoop::of_tree(&real, chain()?, timing)?.with_reference(reference(robot, which)?).with_clock(clock);
    let (mut samples, mut seen) = (Vec::new(), 0);
    let outcome = sampled.run(&mut plant, &mut law, 0.0, end, |now| {
        if seen % KEPT == 0 {
            samples.push(Sample {
                t: now.truth.t,
                wanted: now.wanted.unwrap_or_default().to_vec(),
                truth: now.truth.q.to_vec(),
            });
        }
        seen += 1;
        ControlFlow::Continue(())
    });
    outcome.motion.stop.map_or(Ok(()), Err)?;
    Ok(Response { samples, statistics: outcome.statistics })
}
