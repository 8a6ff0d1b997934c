//! The wrist in a simulation under a stiff PD law, as the paper verifies its model (figures 4 to 7).
//!
//! ```text
//! τ = −K_p (θ − θ_d) − K_d (θ̇ − θ̇_d)        K_p = 2 max τ_d / ε,  K_d = 2 √(K_p m)
//! ```
//!
//! with θ_d of eq. 52 by eqs 34 and 40. Nothing is known in advance: the torque that the motion needs, τ_d, comes from an
//! error of about τ_d / K_p, and its derivatives follow with those of τ_d. So the gain must be so high if the error shall be
//! below ε. m is the least inertia that the drives have to turn anywhere on the way: with it all errors die away without
//! more swinging than √(m / m′) of a larger one allows, and no root is faster than ω = √(K_p / m).
//!
//! The simulated robot is computed by the general methods, legs + platform; it knows nothing of eqs 19 to 51.
//! Two things are looked at: how well it follows, and, as the paper does it, what its own motion becomes in the closed form.

use super::plant::EulerPlant;
use super::trajectory::{Angles, PERIOD, motion};
use super::{AgileWrist, WristError};
use crate::study::{Check, StudyError, largest};
use appell::closed::formulation::{self, Formulation};
use appell::closed::{ClosedMechanism, Configuration};
use appell::spatial::{EulerAngles, Vec3};
use appell_simulation::control::Gains;
use appell_simulation::simulation::{self, Cost, Method, Options, Reason, Stop, View, run};
use core::f64::consts::TAU;
use core::ops::ControlFlow;
use nalgebra::Matrix3;

/// What the paper's figures show, as orders of magnitude: θ, rad, its rate and acceleration, and the torque, N m  (§IV,
/// figures 6 and 7).
pub const PRINTED: [f64; 4] = [1e-7, 1e-6, 1e-5, 1e-5];

/// Time before the motion is looked at, s: the robot starts on it without the error that carries its weight.
pub const RUN_IN: f64 = 0.01;

/// ω h: steps of the classical Runge-Kutta method within its stability, which ends at 2.79.
const STEP_TIMES_FREQUENCY: f64 = 2.0;

/// Instants of a period at which the law looks for torques and inertias.
const PLANNED: usize = 200;

/// θ, θ̇, θ̈ and τ of the three drives, each one less another.
pub type Differences = [[f64; 3]; 4];

/// One instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// s.
    pub t: f64,
    /// What the law gives, N m.
    pub tau: [f64; 3],
    /// The simulated robot less the wanted motion, whose torques are the closed form's.
    pub tracking: Differences,
    /// The simulated robot less the closed form along its own motion.
    pub model: Differences,
}

/// The law, and what it is made for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Law {
    /// Of every drive, N m/rad and N m s/rad.
    pub gains: Gains,
    /// max τ_d, N m.
    pub torque: f64,
    /// m, kg m².
    pub inertia: f64,
    /// ω, rad/s.
    pub frequency: f64,
}

/// A run of the law.
#[derive(Debug, Clone, PartialEq)]
pub struct Controlled {
    /// The law.
    pub law: Law,
    /// Of the integration, s.
    pub step: f64,
    /// What it has cost.
    pub cost: Cost,
    /// At equal times, from 0 on.
    pub samples: Vec<Sample>,
}

impl Law {
    /// The law that keeps errors along the paper's motion below ε, rad, with a factor of two to spare.
    ///
    /// # Errors
    /// If the motion leads out of reach or through a singularity.
    pub fn for_error(wrist: &AgileWrist, error: f64) -> Result<Self, WristError> {
        let (mut torque, mut inertia) = (0.0_f64, f64::INFINITY);
        for k in 0..PLANNED {
            let [q, v, a] = motion(PERIOD * k as f64 / PLANNED as f64);
            torque = torque.max(largest(&wrist.inverse_dynamics(q, v, a)?));
            inertia = inertia.min(least_inertia(wrist, q)?);
        }
        let proportional = 2.0 * torque / error;
        let derivative = 2.0 * (proportional * inertia).sqrt();
        let gains = Gains { proportional, derivative, integral: 0.0 };
        Ok(Self { gains, torque, inertia, frequency: (proportional / inertia).sqrt() })
    }
}

/// The least inertia that the drives have to turn: one over the largest eigenvalue of J_act M⁻¹ J_actᵀ, which takes torques
/// to accelerations.
fn least_inertia(wrist: &AgileWrist, q: [f64; 3]) -> Result<f64, WristError> {
    let rest = [0.0; 3];
    let motion = wrist.motion(q, rest)?;
    let free = motion.theta_ddot(wrist.forward_dynamics(q, rest, rest)?);
    let mut response = Matrix3::zeros();
    for drive in 0..3 {
        let mut tau = rest;
        tau[drive] = 1.0;
        let driven = motion.theta_ddot(wrist.forward_dynamics(q, rest, tau)?);
        (0..3).for_each(|k| response[(k, drive)] = driven[k] - free[k]);
    }
    Ok(1.0 / response.symmetric_eigenvalues().max())
}

impl Controlled {
    /// The largest of each quantity of [`PRINTED`] over all instants and drives.
    #[must_use]
    pub fn largest(&self, of: impl Fn(&Sample) -> Differences) -> [f64; 4] {
        let largest = |k: usize| self.samples.iter().flat_map(|sample| of(sample)[k]).map(f64::abs).fold(0.0, f64::max);
        [0, 1, 2, 3].map(largest)
    }

    /// Whether both kinds of differences are as small as the paper's, in the units of [`PRINTED`].
    #[must_use]
    pub fn checks(&self) -> [Check; 8] {
        const WHAT: [&str; 8] = [
            "the robot follows eq. 52: θ, rad",
            "its rate, rad/s",
            "its acceleration, rad/s²",
            "torque of the law, and that of the closed form for eq. 52, N m",
            "the robot's own motion in the closed form, eqs 34 to 36: θ, rad",
            "its rate, eq. 40, rad/s",
            "its acceleration, eq. 41, rad/s²",
            "torque of the law, and that of the closed form for this motion, N m",
        ];
        let (tracking, model) = (self.largest(|sample| sample.tracking), self.largest(|sample| sample.model));
        core::array::from_fn(|k| {
            let difference = if k < 4 { tracking[k] } else { model[k - 4] };
            Check { what: WHAT[k], difference, limit: PRINTED[k % 4] }
        })
    }
}

/// Follows the motion for a time with a law; looks so often.
///
/// # Errors
/// If the motion leads out of reach or through a singularity, or the law does not hold the robot.
pub fn follow(wrist: &AgileWrist, law: Law, duration: f64, looks: usize) -> Result<Controlled, StudyError> {
    let [q, v, _] = motion(-RUN_IN);
    let robot = &ClosedMechanism::new(&wrist.description(q)?)?;
    let sampling = duration / looks as f64;
    let step = sampling / (sampling * law.frequency / STEP_TIMES_FREQUENCY).ceil();
    let options =
        |sampling| Options { method: Method::RungeKutta { step }, sampling: Some(sampling), ..Options::default() };

    let stop = |reason| Stop { t: -RUN_IN, reason };
    let mut plant = EulerPlant::new(robot, q, v).map_err(stop)?;
    let drives = [0, 1, 2].map(|k| robot.driven()[k]);
    let mut drive = HighGain::new(wrist, drives, law.gains, -RUN_IN);
    let outcome = run(&mut plant, &mut drive, -RUN_IN, 0.0, &options(RUN_IN), |_| ControlFlow::Continue(()));
    outcome.stop.map_or(Ok(()), Err)?;

    let referee = formulation::Workspace::new(robot, Formulation::TreeClosures);
    let mut looking = Looking { wrist, robot, drives, referee, at: robot.home().clone() };
    let mut drive = HighGain::new(wrist, drives, law.gains, 0.0);
    let mut samples = Vec::new();
    let outcome = run(&mut plant, &mut drive, 0.0, duration, &options(sampling), |sample| {
        samples.push(looking.at(&sample.view, sample.efforts));
        ControlFlow::Continue(())
    });
    outcome.stop.map_or(Ok(()), Err)?;
    let samples = samples.into_iter().collect::<Result<_, _>>()?;
    Ok(Controlled { law, step, cost: outcome.cost, samples })
}

/// θ, θ̇, θ̈ and τ of a motion of the Euler angles in closed form.
fn closed_form(wrist: &AgileWrist, [q, v, a]: Angles) -> Result<Differences, WristError> {
    let motion = wrist.motion(q, v)?;
    let theta = motion.placed.map(|leg| leg.theta);
    Ok([theta, motion.theta_dot(), motion.theta_ddot(a), wrist.inverse_dynamics(q, v, a)?])
}

/// One angle less another, the short way round.
fn turn(from: f64, to: f64) -> f64 {
    let difference = to - from;
    difference - TAU * (difference / TAU).round()
}

/// The law. It carries the wanted motion along as states of its own, what has been added to q_d and q̇_d since the start:
/// see [`EulerPlant`].
struct HighGain<'s> {
    wrist: &'s AgileWrist,
    drives: [usize; 3], // their joints
    gains: Gains,
    start: Angles,
}

impl<'s> HighGain<'s> {
    fn new(wrist: &'s AgileWrist, drives: [usize; 3], gains: Gains, begin: f64) -> Self {
        Self { wrist, drives, gains, start: motion(begin) }
    }
}

impl simulation::Law for HighGain<'_> {
    fn states(&self) -> usize {
        6
    }

    fn efforts(&mut self, now: &View<'_>, own: &[f64], rates: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        let [q, v, _] = self.start;
        let (q, v) = ([0, 1, 2].map(|k| q[k] + own[k]), [0, 1, 2].map(|k| v[k] + own[3 + k]));
        let [_, _, a] = motion(now.t);
        rates[..3].copy_from_slice(&v);
        rates[3..].copy_from_slice(&a);
        let wanted = self.wrist.motion(q, v).map_err(|error| Reason::Law(error.to_string()))?;
        for ((effort, &j), (placed, moving)) in
            efforts.iter_mut().zip(&self.drives).zip(wanted.placed.iter().zip(&wanted.moving))
        {
            *effort = -self.gains.proportional * turn(placed.theta, now.q[j])
                - self.gains.derivative * (now.v[j] - moving.theta_dot);
        }
        Ok(())
    }
}

/// What looks at the simulated robot, with room for its accelerations by another method than the simulation's.
struct Looking<'s> {
    wrist: &'s AgileWrist,
    robot: &'s ClosedMechanism,
    drives: [usize; 3],
    referee: formulation::Workspace,
    at: Configuration,
}

impl Looking<'_> {
    fn at(&mut self, now: &View<'_>, efforts: &[f64]) -> Result<Sample, StudyError> {
        let Self { wrist, robot, drives, referee, at } = self;
        at.q.copy_from_slice(now.q);
        (at.pose, _) = now.platform.expect("a wrist has a platform");
        let omega_dot = <[f64; 3]>::try_from(formulation::forward_dynamics(robot, referee, at, now.r, efforts, &[])?)
            .expect("three freedoms");
        let (_, accelerations) = formulation::motion(robot, referee, at, now.r, &omega_dot)?;
        let tau = [0, 1, 2].map(|k| efforts[k]);
        let simulated = [drives.map(|j| now.q[j]), drives.map(|j| now.v[j]), drives.map(|j| accelerations[j]), tau];

        let omega = Vec3::new(now.r[0], now.r[1], now.r[2]);
        let q = EulerAngles::Zyx.angles(&at.pose.rotation)?;
        let v = EulerAngles::Zyx.rates(q, omega)?;
        let a = EulerAngles::Zyx.accelerations(q, v, omega_dot.into())?;
        let less = |other: Differences| -> Differences {
            core::array::from_fn(|what| {
                let minus = |k: usize| match what {
                    0 => turn(other[0][k], simulated[0][k]),
                    _ => simulated[what][k] - other[what][k],
                };
                [0, 1, 2].map(minus)
            })
        };
        let tracking = less(closed_form(wrist, motion(now.t))?);
        let model = less(closed_form(wrist, [q, v, a])?);
        Ok(Sample { t: now.t, tau, tracking, model })
    }
}
