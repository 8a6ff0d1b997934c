//! Whether what was found is a robot to be written: none is written that would mislead.

use super::Identified;
use super::fitted::{Fitted, price};
use crate::number::{percent, rough};
use crate::parameters::{Column, Effect};
use crate::thresholds::{
    DRIVING_FRICTION, EXACT, HARDLY_SHOWN, MAX_BODY_RATIO, MAX_GAIN, MAX_JOINT_RESIDUAL, MAX_RESIDUAL,
    NOTABLE_RESIDUAL, NOTHING_SHOWN, OVERFIT_RATIO, OVERFIT_RESIDUAL,
};
use appell::Robot;

/// What may be wrong where a residual is large.
const CHECK: &str = "check the units and signs of positions, torques and forces, gears, the order of the joints, and the robot's geometry and gravity";

/// The same where it is so small that units and signs are right.
const MISSES: &str = "free parameters take over what the model misses; ask for more --effects, check gears and the robot's geometry, or record longer";

/// Why a robot is not written, if it is not.
pub(super) fn refusal(identified: &Identified) -> Option<String> {
    let file = identified.of_file();
    let condition = file.estimate.condition;
    let too_little = || {
        format!(
            "the data show too little, in {} samples with a condition number of {}: record longer, move more (`appell excite`)",
            file.equations.samples(),
            rough(condition)
        )
    };
    let found = match &file.consistent {
        Ok(found) => found,
        Err(_) if condition > HARDLY_SHOWN => return Some(too_little()),
        Err(error) => return Some(error.to_string()),
    };
    let free = file.validation.as_ref().map_or(0.0, |validation| validation.estimate.relative);
    if condition > NOTHING_SHOWN || (condition > HARDLY_SHOWN && free > 1.0) {
        return Some(too_little());
    }
    let residual = file.residual(found);
    if residual > MAX_RESIDUAL {
        let of_full = identified.full.consistent.as_ref().map_or(1.0, |found| identified.full.residual(found));
        let remedy = if of_full > MAX_RESIDUAL { CHECK } else { "what matters is beyond what a robot's file can hold" };
        return Some(format!("its residual would be {} of the torques: {remedy}", percent(residual)));
    }
    let mut joints = found.fit.rows.iter().zip(&found.unconstrained.rows);
    let is_unexplained = |own: f64, free: f64| own > 1.0 || (own > MAX_JOINT_RESIDUAL && free < MAX_RESIDUAL);
    if let Some((row, _)) = joints.find(|(own, free)| is_unexplained(own.relative, free.relative)) {
        return Some(format!(
            "its residual would be {} of the torques of {}: {CHECK}",
            percent(row.relative),
            row.name
        ));
    }
    let limit = MAX_RESIDUAL.min(OVERFIT_RESIDUAL.max(OVERFIT_RATIO * residual));
    if let Some(fit) = file.held_out().filter(|fit| fit.relative > limit) {
        return Some(format!(
            "its residual would be {} of torques that were not fitted, and {} of fitted ones: the motion is too short or too poor, or not \
             all recordings are of the same robot, load and layout; check that, or record longer and richer ones",
            percent(fit.relative),
            percent(residual)
        ));
    }
    if let Some((name, gain)) = identified.gains().into_iter().find(|(_, gain)| !is_within(*gain, MAX_GAIN)) {
        return Some(format!(
            "the gain {name} = {} is far from 1: check the unit of the torques and forces and what is said to be known, or know something heavier",
            rough(gain)
        ));
    }
    if let Some(friction) = driving_friction(file) {
        return Some(format!(
            "its friction would drive the joint, {friction}, if it could: positions and torques there do not count in the same direction; \
             check their signs (joint.sign)"
        ));
    }
    if residual > EXACT && price(found).is_some_and(|price| price > 1.0) {
        let remedy = if residual > NOTABLE_RESIDUAL { CHECK } else { MISSES };
        return Some(format!(
            "its residual would be {} of the torques, more than twice that of free parameters: {remedy}",
            percent(residual)
        ));
    }
    let ratio = identified.body_ratio.filter(|ratio| !is_within(ratio.abs(), MAX_BODY_RATIO))?;
    Some(format!(
        "its bodies would do {} times what those of the given robot do: {CHECK}; or give a robot of about the right masses",
        rough(ratio)
    ))
}

/// Whether a factor is between a limit and its inverse.
pub(super) fn is_within(factor: f64, limit: f64) -> bool {
    (1.0 / limit..=limit).contains(&factor)
}

/// How many times as much as those of the given robot the bodies that were found do.
pub(super) fn body_ratio(robot: &Robot, file: &Fitted) -> Option<f64> {
    let found = file.consistent.as_ref().ok()?;
    let model = file.equations.model();
    let before = model.values(robot);
    let is_body = |k: usize| matches!(model.columns()[k], Column::Inertial { .. });
    let bodies = |values: &dyn Fn(usize) -> f64| {
        let values: Vec<f64> = (0..before.len()).map(|k| if is_body(k) { values(k) } else { 0.0 }).collect();
        file.equations.predicted(&values.into())
    };
    let (now, then) = (bodies(&|k| found.values[k]), bodies(&|k| before[k]));
    (then.norm() > 0.0).then(|| now.dot(&then) / then.norm_squared())
}

/// Viscous and Coulomb friction that both drive a joint, beyond all doubt, where parameters are free; in words.
fn driving_friction(file: &Fitted) -> Option<String> {
    let (model, sigma) = (file.equations.model(), file.estimate.sigma());
    // Friction is regrouped with nothing: a base parameter of it is itself.
    let drives = |k: &usize| file.estimate.values[*k] < -DRIVING_FRICTION * sigma[*k];
    let columns = (0..sigma.len()).filter(drives).map(|k| (k, &model.columns()[file.base.kept()[k]]));
    let of = |wanted: fn(&Effect) -> bool| {
        columns.clone().filter_map(move |(k, column)| match column {
            Column::Effect { joint, effect } if wanted(effect) => Some((*joint, k)),
            _ => None,
        })
    };
    let named = |k: usize| format!("{} = {}", file.estimate.names[k], rough(file.estimate.values[k]));
    let mut viscous = of(|effect| matches!(effect, Effect::Viscous));
    viscous.find_map(|(joint, k)| {
        let (_, other) = of(|effect| matches!(effect, Effect::Coulomb { .. })).find(|(of, _)| *of == joint)?;
        Some(format!("{} and {}", named(k), named(other)))
    })
}
