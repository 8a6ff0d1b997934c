//! Whether what was found is a robot to be written: none is written that would mislead.

use super::fitted::{Fitted, price};
use super::report::round;
use super::study::Study;
use super::unknowns::unit;
use appell::description::JointKind;
use appell::mechanism::Mechanism;
use appell::question::{Evaluator, Question, State, Target};
use appell::sample::Sampler;
use appell_drawing::listing::short;
use appell_identification::consistency::{ConsistencyError, Consistent};
use appell_identification::parameters::{Column, Effect, Robot};

/// A robot that leaves more of the efforts than this is none of this machine.
const MOST_LEFT: f64 = 0.5;

/// Nor one that leaves so much, where free parameters leave less than half of it: those of real data, of many good recordings, leave
/// two thirds at least.
const SOME_LEFT: f64 = 0.01;

/// Held-out efforts of which less is left are not learnt by heart.
const MUCH_LEFT: f64 = 0.1;

/// Friction that drives, viscous and Coulomb, is so by this many σ where a sign is wrong.
const DRIVES: f64 = 5.0;

/// A condition number beyond which data decide nothing.
const NOTHING_SHOWN: f64 = 1e8;

/// And one beyond which it is likely, where they fit no robot, or free parameters predict worse than nothing what was not fitted.
const HARDLY_SHOWN: f64 = 1e4;

/// A rotor of more inertia than so many times what any other joint has to move, by the robot's file and with its rotor, is none. A slide's,
/// which a screw makes heavy, counts beside all masses of the robot.
const HEAVY: f64 = 10.0;

/// The same of the only joint that turns, or slides: a high gear may move a small load, and no other joint shows what the robot is like.
const HEAVY_ALONE: f64 = 900.0;

/// Nor one of more than so many times what the joint has in a file that knows its rotor.
const HEAVY_FOR_ITS_JOINT: f64 = 30.0;

/// A joint of which a robot leaves more than this is not explained at all. Where free parameters leave as much it is noise.
const UNEXPLAINED: f64 = 0.9;

/// Nor one that leaves more of a joint than no robot at all.
const WORSE_THAN_NOTHING: f64 = 1.0;

/// Nor one that leaves so many times as much of held-out efforts as of fitted ones.
const BY_HEART: f64 = 5.0;

/// Nor one whose bodies do more than so many times what those of the given robot do, or less than that part.
const NONE_OF_THEM: f64 = 20.0;

/// A rotor of so many times the inertia of what it turns is told: those of wrists with high gears may have a thousand times as much.
const ODD: f64 = 3000.0;

/// Drive gains beyond this, and below its inverse, are what noise makes of them.
const GAIN: f64 = 5.0;

/// States at which the robot's inertia is looked at.
const STATES: usize = 50;

/// Why there is no robot where no real one fits: the data, if they show too little.
pub(super) fn without_robot(file: &Fitted, error: &ConsistencyError) -> String {
    if file.estimate.condition > HARDLY_SHOWN { too_little(file) } else { error.to_string() }
}

fn too_little(file: &Fitted) -> String {
    format!(
        "the data show too little, in {} samples with a condition number of {}: record longer, move more (`appell excite`)",
        file.equations.samples(),
        short(round(file.estimate.condition))
    )
}

/// Why a robot is not written.
pub(super) fn refusal(study: &Study, found: &Consistent) -> Option<String> {
    let file = study.of_file();
    let check = "check the units and signs of positions and efforts, gears, the order of the joints, and the robot's geometry and gravity";
    let free = file.validation.as_ref().map_or(0.0, |validation| validation.estimate.relative);
    let is_noise = file.estimate.condition > HARDLY_SHOWN && free > WORSE_THAN_NOTHING;
    if file.estimate.condition > NOTHING_SHOWN || is_noise {
        return Some(too_little(file));
    }
    let left = file.left(found);
    if left > MOST_LEFT {
        let of_full = study.full.consistent.as_ref().map_or(1.0, |found| study.full.left(found));
        let remedy = if of_full > MOST_LEFT { check } else { "what matters is beyond what a robot's file can hold" };
        return Some(format!("it would leave {:.0} % of the efforts: {remedy}", 100.0 * left));
    }
    let mut joints = found.fit.rows.iter().zip(&found.unconstrained.rows);
    if let Some((row, _)) = joints.find(|(own, free)| own.relative > UNEXPLAINED && free.relative < MOST_LEFT) {
        return Some(format!("it would leave {:.0} % of the efforts of {}: {check}", 100.0 * row.relative, row.name));
    }
    if let Some(row) = found.fit.rows.iter().find(|row| row.relative > WORSE_THAN_NOTHING) {
        return Some(format!(
            "it would leave {:.0} % of the efforts of {}, more than a robot without mass: {check}",
            100.0 * row.relative,
            row.name
        ));
    }
    let validation = file.validation.as_ref();
    let held_out = validation.map(|validation| validation.consistent.as_ref().unwrap_or(&validation.estimate));
    if let Some(fit) = held_out.filter(|fit| fit.relative > MUCH_LEFT.max(BY_HEART * left)) {
        return Some(format!(
            "it would leave {:.0} % of efforts that were not fitted, and {:.1} % of fitted ones: too short or too poor a motion was learnt by \
             heart, or not all recordings are of the same robot, load and layout; check that, or record longer and richer ones",
            100.0 * fit.relative,
            100.0 * left
        ));
    }
    if let Some(fit) = held_out.filter(|fit| fit.relative > MOST_LEFT) {
        return Some(format!(
            "it would leave {:.0} % of efforts that were not fitted: record longer and richer motions, or check that these are of \
             the same robot",
            100.0 * fit.relative
        ));
    }
    if let Some((name, gain)) = study.gains().into_iter().find(|(_, gain)| !(1.0 / GAIN..=GAIN).contains(gain)) {
        return Some(format!(
            "the gain {name} = {} is far from 1: check the unit of the efforts and what is said to be known, or know something heavier",
            short(round(gain))
        ));
    }
    if let Some(friction) = driving_friction(file) {
        return Some(format!(
            "its friction would drive the joint, {friction}, if it could: positions and efforts there do not count in the same direction; \
             check their signs (joint.sign)"
        ));
    }
    if left > SOME_LEFT && price(found).is_some_and(|price| price > 1.0) {
        return Some(format!(
            "it would leave {:.1} % of the efforts, more than twice what free parameters leave: {check}",
            100.0 * left
        ));
    }
    if let Some(factor) = study.factor.filter(|factor| !(1.0 / NONE_OF_THEM..=NONE_OF_THEM).contains(&factor.abs())) {
        return Some(format!(
            "its bodies would do {} times what those of the given robot do: {check}; or give a robot of about the right masses",
            short(round(factor))
        ));
    }
    study.too_heavy.clone()
}

/// Viscous and Coulomb friction that both drive a joint, beyond all doubt, where parameters are free; in words.
fn driving_friction(file: &Fitted) -> Option<String> {
    let (model, sigma) = (file.equations.model(), file.estimate.sigma());
    // Friction is regrouped with nothing: a base parameter of it is itself.
    let drives = |k: &usize| file.estimate.values[*k] < -DRIVES * sigma[*k];
    let columns = (0..sigma.len()).filter(drives).map(|k| (k, &model.columns()[file.base.kept()[k]]));
    let of = |wanted: fn(&Effect) -> bool| {
        columns.clone().filter_map(move |(k, column)| match column {
            Column::Effect { joint, effect } if wanted(effect) => Some((*joint, k)),
            _ => None,
        })
    };
    let told = |k: usize| format!("{} = {}", file.estimate.names[k], short(round(file.estimate.values[k])));
    let mut viscous = of(|effect| matches!(effect, Effect::Viscous));
    viscous.find_map(|(joint, k)| {
        let (_, other) = of(|effect| matches!(effect, Effect::Coulomb { .. })).find(|(of, _)| *of == joint)?;
        Some(format!("{} and {}", told(k), told(other)))
    })
}

/// Rotors that are much heavier than what they turn, in words: high gears do that, and efforts in wrong units.
pub(super) fn odd_rotors(robot: Robot<'_>, file: &Fitted) -> Vec<String> {
    let Ok(found) = &file.consistent else { return Vec::new() };
    let (tree, model) = (robot.tree(), file.equations.model());
    let inertias = greatest_inertias(tree);
    let odd = |(k, column): (usize, &Column)| {
        let Column::Effect { joint, effect: Effect::Rotor } = *column else { return None };
        let (own, value) = (inertias[joint], found.values[k]);
        (own > 0.0 && value > ODD * own).then(|| {
            format!(
                "the rotor {} = {} {} has {:.0} times the inertia that the given robot has about {}: right for a high gear that its file \
                 does not know, or the unit of these efforts is wrong",
                model.name(k),
                short(round(value)),
                unit(model, robot, k),
                value / own,
                tree.joint_names()[joint]
            )
        })
    };
    model.columns().iter().enumerate().filter_map(odd).collect()
}

/// A rotor that is heavier than the robot, in words.
pub(super) fn too_heavy(robot: Robot<'_>, file: &Fitted) -> Option<String> {
    let found = file.consistent.as_ref().ok()?;
    let (tree, model) = (robot.tree(), file.equations.model());
    let inertias = greatest_inertias(tree);
    let is_alike = |j: usize, other: usize| tree.links()[j].joint == tree.links()[other].joint;
    let mass = match robot {
        Robot::Tree(tree) => tree.mass(),
        Robot::Closed(closed) => closed.mass(),
    };
    let rotor = |of: usize| {
        let is_it = |column: &Column| *column == Column::Effect { joint: of, effect: Effect::Rotor };
        model.columns().iter().position(is_it).map_or(0.0, |k| found.values[k])
    };
    let of_any = |joint: usize| {
        let least = if tree.links()[joint].joint == JointKind::Prismatic { mass } else { 0.0 };
        let alike = inertias.iter().enumerate().filter(|(j, _)| is_alike(*j, joint));
        alike.map(|(j, &inertia)| if j == joint { inertia } else { inertia + rotor(j) }).fold(least, f64::max)
    };
    model.columns().iter().enumerate().find_map(|(k, column)| {
        let Column::Effect { joint, effect: Effect::Rotor } = *column else { return None };
        let (own, any, value) = (inertias[joint], of_any(joint), found.values[k]);
        let is_alone = inertias.iter().enumerate().all(|(j, _)| j == joint || !is_alike(j, joint));
        let most = if is_alone { HEAVY_ALONE } else { HEAVY };
        let knows_rotor = tree.effects()[joint].rotor.inertia > 0.0;
        let of_what = if any > 0.0 && value > most * any {
            format!("{:.0} times the inertia that any other joint moves", value / any)
        } else if knows_rotor && value > HEAVY_FOR_ITS_JOINT * own {
            format!("{:.0} times the inertia that the given robot has there", value / own)
        } else {
            return None;
        };
        let (name, rounded) = (&tree.joint_names()[joint], short(round(value)));
        // Joints of legs are described in their chains.
        let place = match name.split_once('.').filter(|_| matches!(robot, Robot::Closed(_))) {
            Some((leg, own)) => format!("[chain.….joint.{own}] of the chain of {leg}"),
            None => format!("[joint.{name}]"),
        };
        Some(format!(
            "its rotor {} = {rounded} {} would have {of_what}: check the unit of the efforts of {name}, or, if it is right, say in the \
             robot's file about what it is, {place}: rotor = {{ inertia = {rounded}, gear = 1.0 }}",
            model.name(k),
            unit(model, robot, k),
        ))
    })
}

/// The greatest inertia that a robot has somewhere about each joint, rotors included.
fn greatest_inertias(tree: &Mechanism) -> Vec<f64> {
    let n = tree.dof();
    let mut evaluator =
        Evaluator::new(tree, Question::InertiaMatrix, None, Target::default()).expect("every question has a method");
    let (mut sampler, mut matrix, mut most) = (Sampler::new(1), vec![0.0; n * n], vec![0.0_f64; n]);
    for _ in 0..STATES {
        let state = sampler.state(tree);
        let answered = evaluator.evaluate(State { q: &state.q, ..State::default() }, &mut matrix);
        answered.expect("nothing is divided by an inertia");
        most.iter_mut().enumerate().for_each(|(j, most)| *most = most.max(matrix[j * (n + 1)]));
    }
    most
}
