//! How long a step of the integration may be.
//!
//! All steps have one length, a power of two, so that their times are exact and the same steps are taken whenever a page looks: a motion
//! gives the same numbers at every frame rate, and the same as a scenario of these steps. The methods are explicit: dampers and springs on
//! small inertias ask for shorter steps than the motion itself.

use super::gains::responses;
use super::options::{Law, Options};
use super::state::State;
use appell::Robot;
use appell::closed::formulation::Formulation;
use appell::description::Friction;
use appell_simulation::control::Gains;

/// The shortest step, s.
const SHORTEST: f64 = 1.0 / 131_072.0;

/// What a step times the fastest rate may be: explicit methods of order 4 are stable up to 2.7 of a damper, and inertias change on the way.
const MOST: f64 = 0.7;

/// The steepest slope of a joint's friction, about, N m s/rad or N s/m: at rest, where it is smooth there.
fn steepest(friction: &Friction) -> f64 {
    let Friction { viscous, coulomb, smoothing, curve, .. } = *friction;
    let slope = if smoothing > 0.0 { (coulomb / smoothing).abs() } else { 0.0 };
    let of_curve = curve.filter(|_| smoothing > 0.0).map_or(0.0, |curve| curve.slope(0.0_f64, smoothing).abs());
    viscous.abs() + slope + of_curve
}

/// The step, s, for a robot under a law with these gains.
pub(super) fn step(truth: &Robot, start: &State, options: &Options, gains: &[Gains]) -> Result<f64, String> {
    let tree = truth.tree();
    let mut plant = start.plant(truth, None)?;
    let drives = plant.drives();
    let row = |joint: usize| tree.coordinates().map_or(joint, |own| own.of_velocities()[joint]);
    let (mut damping, mut stiffness) = (vec![0.0; plant.joints().0.len()], vec![0.0; plant.joints().0.len()]);
    for joint in 0..damping.len() {
        let effects = tree.effects()[row(joint)];
        damping[joint] = steepest(&effects.friction);
        stiffness[joint] = effects.spring.stiffness.abs();
    }
    if options.law == Law::HoldPd {
        for (gains, &joint) in gains.iter().zip(&drives) {
            damping[joint] += gains.derivative;
            stiffness[joint] += gains.proportional;
        }
    }
    let joints: Vec<usize> = (0..damping.len()).filter(|&j| damping[j] + stiffness[j] > 0.0).collect();
    let mut rate = 0.0_f64;
    if !joints.is_empty() {
        let (answers, many) = (responses(&mut *plant, &joints)?, joints.len());
        // The trace of M⁻¹ D is not less than the fastest rate of decay, that of M⁻¹ K than the square of the highest frequency.
        let trace =
            |of: &[f64]| -> f64 { joints.iter().enumerate().map(|(k, &j)| answers[k * many + k] * of[j]).sum() };
        rate = trace(&damping).max(trace(&stiffness).sqrt());
    }
    if options.law == Law::ComputedTorque {
        rate = rate.max(2.0 * options.zeta * options.omega).max(options.omega);
    }
    let mut step = longest(truth);
    while step * rate > MOST && step > SHORTEST {
        step *= 0.5;
    }
    if step * rate > 2.0 * MOST {
        return Err(format!(
            "friction, springs or gains are too stiff for the robot's inertia: rates of {rate:.1e} 1/s; take smaller ones"
        ));
    }
    Ok(step)
}

/// The longest step, s. Small robots are quick, and cheap to compute; the dynamics of many joints and loops without legs in closed form is
/// what a page has least time for.
fn longest(robot: &Robot) -> f64 {
    let Some(closed) = robot.closed() else { return 1.0 / 4096.0 };
    let is_general = Formulation::of(closed)[0] == Formulation::TreeClosures;
    1.0 / match (closed.velocities(), is_general) {
        (..=12, _) => 4096.0,
        (_, false) => 2048.0,
        (..=30, true) => 1024.0,
        (_, true) => 512.0,
    }
}
