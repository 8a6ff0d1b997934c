//! What is wrong with transmissions.

use super::check_body::{LARGEST, check_finite};
use super::check_effects::{check_effects, check_limits};
use super::name::key;
use super::transmission::about;
use super::{
    BASE, Description, Finding, JointDescription, JointEffects, JointType, MotorDescription, Mounting, Problems,
    TransmissionDescription,
};
use std::collections::HashMap;

/// Checks all transmissions; names of motors are checked with those of the joints.
pub(super) fn check_transmissions(problems: &mut Problems, description: &Description) {
    let joints: HashMap<&str, &JointDescription> =
        description.joints.iter().map(|joint| (joint.name.as_str(), joint)).collect();
    let mut driven: HashMap<&str, &str> = HashMap::new();
    for transmission in &description.transmissions {
        let place = format!("transmission.{}", key(&transmission.name));
        if description.is_closed() {
            problems.error(&place, Finding::TransmissionInLoops);
        }
        for (k, name) in transmission.joints.iter().enumerate() {
            let place = format!("{place}.joints[{}]", k + 1);
            check_joint(problems, &place, name, &joints, description);
            if let Some(first) = driven.insert(name, &transmission.name) {
                problems.error(place, Finding::DrivenTwice { joint: name.clone(), first: first.into() });
            }
        }
        for (k, motor) in transmission.motors.iter().enumerate() {
            check_motor(problems, &format!("{place}.motors[{}]", k + 1), motor, &joints);
        }
        check_matrix(problems, &place, transmission);
    }
    check_carriers(problems, description);
}

/// A joint is there, moves by one number, and follows none.
fn check_joint(
    problems: &mut Problems,
    place: &str,
    name: &str,
    joints: &HashMap<&str, &JointDescription>,
    description: &Description,
) {
    let finding = match joints.get(name) {
        None => {
            let known = description.joints.iter().map(|joint| joint.name.clone()).collect();
            Finding::UnknownJoint { name: name.into(), known }
        }
        Some(joint) if !matches!(joint.kind, JointType::Revolute | JointType::Prismatic | JointType::Screw) => {
            Finding::SeveralDegrees { joint: name.into(), kind: joint.kind.name() }
        }
        Some(joint) if joint.mimic.is_some() => Finding::FollowerInTransmission { joint: name.into() },
        Some(joint) if !joint.driven => Finding::UndrivenInTransmission { joint: name.into() },
        Some(_) => return,
    };
    problems.error(place, finding);
}

fn check_motor(
    problems: &mut Problems,
    place: &str,
    motor: &MotorDescription,
    joints: &HashMap<&str, &JointDescription>,
) {
    check_finite(problems, &format!("{place}.inertia"), [motor.inertia]);
    if motor.inertia < 0.0 {
        problems.error(format!("{place}.inertia"), Finding::Negative { value: motor.inertia });
    }
    check_effects(problems, place, &JointEffects { friction: motor.friction, ..JointEffects::default() });
    check_limits(problems, &format!("{place}.limits"), &motor.limits);
    let Some(Mounting { on, axis }) = &motor.mounting else { return };
    check_finite(problems, &format!("{place}.axis"), axis.to_array());
    if axis.norm() == 0.0 {
        problems.error(format!("{place}.axis"), Finding::ZeroAxis);
    }
    if on != BASE && !joints.contains_key(on.as_str()) {
        problems.error(format!("{place}.on"), Finding::UnknownParent { name: on.clone() });
    }
}

/// The matrix has a row per motor and a number per joint, and its rows do not repeat each other.
fn check_matrix(problems: &mut Problems, place: &str, transmission: &TransmissionDescription) {
    let TransmissionDescription { joints, motors, matrix, least, .. } = transmission;
    for (what, is_empty) in [("joints", joints.is_empty()), ("motors", motors.is_empty())] {
        if is_empty {
            return problems.error(format!("{place}.{what}"), Finding::EmptyTransmission);
        }
    }
    let at = format!("{place}.matrix");
    let Some(ratios) = transmission.ratios() else {
        let row = matrix.iter().position(|row| row.len() != joints.len());
        let (at, found, expected, columns) = match row.filter(|_| matrix.len() == motors.len()) {
            Some(row) => (format!("{at}[{}]", row + 1), matrix[row].len(), joints.len(), "a number per joint"),
            None => (at, matrix.len(), motors.len(), "a row per motor"),
        };
        return problems.error(at, Finding::WrongLength { found, expected, columns });
    };
    if let Some(row) = matrix.iter().position(|row| !row.iter().all(|x| x.abs() <= LARGEST)) {
        return check_finite(problems, &format!("{at}[{}]", row + 1), matrix[row].iter().copied());
    }
    let (same, unmoved) = ratios.dependent();
    let motor = same.first().map(|&motor| ("motor", motors[motor].name.clone()));
    if let Some((kind, name)) = motor.or(unmoved.first().map(|&joint| ("joint", joints[joint].clone()))) {
        return problems.error(at, Finding::DependentRatios { kind, name });
    }
    let Some(least) = *least else { return };
    let at = format!("{place}.least");
    check_finite(problems, &at, [least]);
    if least < 0.0 {
        problems.error(at, Finding::Negative { value: least });
    } else if ratios.motors() != ratios.joints() + 1 {
        let (tendons, joints) = (ratios.motors(), ratios.joints());
        problems.error(at, Finding::CountOfTendons { tendons, joints });
    } else if ratios.pretension().is_none() {
        problems.error(at, Finding::NoPretension);
    }
}

/// A body counts the rotors that it carries, so that it is no thinner than they are about their axes.
fn check_carriers(problems: &mut Problems, description: &Description) {
    for joint in &description.joints {
        let motors = description.transmissions.iter().flat_map(|transmission| &transmission.motors);
        let carried = motors.filter_map(|motor| Some((motor, motor.mounting.as_ref()?)));
        let mut left = joint.body.inertia;
        for (motor, Mounting { axis, .. }) in carried.filter(|(_, mounting)| mounting.on == joint.name) {
            let axis = axis.scale(1.0 / axis.norm());
            left = left - about(axis, motor.inertia);
            let least = axis.dot(left.times_moving(axis));
            if least < 0.0 {
                let own = axis.dot(joint.body.inertia.times_moving(axis));
                let finding = Finding::RotorBeyondCarrier { motor: motor.name.clone(), inertia: motor.inertia, own };
                problems.warning(format!("body.{}.inertia", key(&joint.name)), finding);
            }
        }
    }
}
