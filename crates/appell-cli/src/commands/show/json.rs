//! A robot for machines.

use super::{Shown, driven, followers, parent};
use appell::Robot;
use appell::description::{
    BodyDescription, Friction, FrictionCurve, JointDescription, JointEffects, Limits, MotorDescription,
    TransmissionDescription,
};
use appell::mechanism::Frame;
use appell::question::{Input, Question};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The same as in words, in full precision. A limit that there is not is null; poses are twelve numbers, the rotation
/// row by row, then the position.
pub(super) fn value(shown: &Shown) -> Value {
    let Shown { description, mechanism, .. } = shown;
    let frame = |frame: &Frame| {
        let on = frame.body.map(|body| mechanism.joint_names()[body].as_str());
        json!({ "name": frame.name, "on": parent(on), "pose": frame.body_from_frame.to_array() })
    };
    let joints = &description.joints;
    json!({
        "name": description.name,
        "mobility": {
            "joints": joints.len(),
            "independent": joints.len() - followers(joints).count(),
            "driven": driven(joints),
            "followers": followers(joints).map(|(joint, _)| joint.name.as_str()).collect::<Vec<_>>(),
        },
        "mass": mechanism.mass(),
        "at": shown.q,
        "com": shown.com.to_array(),
        "gravity": description.gravity.to_array(),
        "convention": description.convention.name(),
        "joints": joints.iter().map(joint).collect::<Value>(),
        "transmissions": description.transmissions.iter().map(transmission).collect::<Value>(),
        "frames": mechanism.shown_frames().map(frame).collect::<Value>(),
        "questions": questions(shown.robot),
    })
}

/// What motors turn when joints do.
fn transmission(transmission: &TransmissionDescription) -> Value {
    let motor = |motor: &MotorDescription| {
        let mounting = motor.mounting.as_ref().map(|own| json!({ "on": own.on, "axis": own.axis.to_array() }));
        json!({ "name": motor.name, "inertia": motor.inertia, "mounting": mounting, "friction": friction(&motor.friction) })
    };
    json!({
        "name": transmission.name,
        "joints": transmission.joints,
        "motors": transmission.motors.iter().map(motor).collect::<Value>(),
        "matrix": transmission.matrix,
        "least": transmission.least,
    })
}

/// A joint and its body.
pub(super) fn joint(joint: &JointDescription) -> Value {
    let (p, Limits { lower, upper, velocity, effort }) = (joint.placement, joint.limits);
    let JointEffects { friction: f, rotor, spring } = joint.effects;
    let mimic = joint.mimic.as_ref().map(|mimic| match mimic.single() {
        Some((joint, multiplier)) => json!({ "joint": joint, "multiplier": multiplier, "offset": mimic.offset }),
        None => json!({ "joints": mimic.joints.iter().cloned().collect::<BTreeMap<_, _>>(), "offset": mimic.offset }),
    });
    json!({
        "name": joint.name,
        "type": joint.kind.name(),
        "parent": parent(joint.parent.as_deref()),
        "placement": { "gamma": p.gamma, "b": p.b, "e": p.e, "alpha": p.alpha, "d": p.d, "theta": p.theta, "r": p.r },
        "driven": joint.driven,
        "mimic": mimic,
        "limits": { "lower": lower, "upper": upper, "velocity": velocity, "effort": effort },
        "effects": {
            "friction": friction(&f),
            "rotor": { "inertia": rotor.inertia, "gear": rotor.gear },
            "spring": { "stiffness": spring.stiffness, "rest": spring.rest },
        },
        "body": body(&joint.body),
    })
}

/// Friction, with its curve where it has one.
fn friction(friction: &Friction) -> Value {
    let Friction { viscous, coulomb, smoothing, offset, curve } = *friction;
    let mut value = json!({ "viscous": viscous, "coulomb": coulomb, "smoothing": smoothing, "offset": offset });
    if let Some(FrictionCurve { square_root, cubic, asymmetric, stribeck, stribeck_speed }) = curve {
        value["square_root"] = json!(square_root);
        value["cubic"] = json!(cubic);
        value["asymmetric"] = json!(asymmetric);
        value["stribeck"] = json!(stribeck);
        value["stribeck_speed"] = json!(stribeck_speed);
    }
    value
}

/// Mass, centre of mass and inertia about it.
pub(super) fn body(BodyDescription { mass, com, inertia: i }: &BodyDescription) -> Value {
    json!({
        "mass": mass,
        "com": com.to_array(),
        "inertia": { "xx": i.xx, "yy": i.yy, "zz": i.zz, "xy": i.xy, "xz": i.xz, "yz": i.yz },
    })
}

/// The questions that the robot can answer, with the methods that do.
pub(super) fn questions(robot: &Robot) -> Value {
    let named = |question: Question| {
        let methods: Vec<&str> = question.methods(robot).iter().map(|method| method.name).collect();
        (!methods.is_empty()).then(|| {
            json!({
                "name": question.name(),
                "summary": question.summary(),
                "reads": question.inputs().iter().copied().map(Input::symbol).collect::<Vec<_>>(),
                "answers": question.columns(robot),
                "methods": methods,
            })
        })
    };
    Question::ALL.into_iter().filter_map(named).collect()
}
