//! A robot with closed loops, for machines.

use super::Shown;
use crate::commands::show::json::{body, joint};
use crate::place::platform_json;
use appell::closed::spherical::{self, Meeting};
use appell::closed::{Closure, Coupling, Leg, Redundancy, Side};
use appell::description::JointDescription;
use appell_drawing::notation;
use serde_json::{Value, json};

/// The same as in words, in full precision. A limit that there is not is null; poses are twelve numbers, the rotation
/// row by row, then the position.
pub(in crate::commands::show) fn value(shown: &Shown<'_>) -> Value {
    let Shown { description, robot, place, at, com, .. } = shown;
    let names = robot.tree().joint_names();
    let leg = |leg: &Leg| {
        json!({
            "name": leg.name,
            "letters": notation::written(&notation::of_leg(robot, description, leg), false),
            "joints": leg.joints.iter().map(|&j| &names[j]).collect::<Vec<_>>(),
            "driven": leg.joints.iter().filter(|j| robot.driven().contains(j)).map(|&j| &names[j]).collect::<Vec<_>>(),
            "closing": robot.closures()[leg.closure].name,
        })
    };
    let side = |side: &Side| json!({ "on": shown.carrier(side.on), "pose": side.pose.to_array() });
    let closure = |closure: &Closure| {
        json!({
            "name": closure.name, "type": closure.constraint.name(), "constraints": closure.rows(),
            "first": side(&closure.first), "second": side(&closure.second),
        })
    };
    let coupling = |coupling: &Coupling| {
        let (leaders, offset) = coupling.position_by_leaders();
        let leader = |(j, multiplier): (usize, f64)| json!({ "joint": names[j], "multiplier": multiplier });
        json!({ "name": coupling.name, "leaders": leaders.map(leader).collect::<Value>(), "offset": offset })
    };
    let tree_joint = |description: &JointDescription| {
        let mut value = joint(description);
        value["mode"] = description.branch.name().into();
        value
    };
    let platform = robot.platform().zip(description.platform.as_ref()).map(|(platform, described)| {
        json!({
            "turns": platform.turns,
            "body": body(&described.body),
            "payload": body(&described.payload),
            "together": body(&platform.body()),
        })
    });
    json!({
        "name": description.name,
        "kind": if robot.legs().is_empty() { "closed" } else { "parallel" },
        "notation": notation::of_robot(robot, description, false),
        "mobility": mobility(shown),
        "spherical": spherical::recognise(robot).ok().map(|Meeting { centre, spread }| {
            json!({ "centre": centre.to_array(), "spread": spread })
        }),
        "mass": robot.mass(),
        "com": com.to_array(),
        "gravity": description.gravity.to_array(),
        "length": robot.length(),
        "at": { "place": place.name(), "q": at.q, "platform": platform_json(robot, at) },
        "legs": notation::legs(robot).map(leg).collect::<Value>(),
        "closures": robot.closures().iter().map(closure).collect::<Value>(),
        "couplings": robot.couplings().iter().map(coupling).collect::<Value>(),
        "platform": platform,
        "convention": description.convention.name(),
        "joints": description.joints.iter().map(tree_joint).collect::<Value>(),
        "questions": super::super::json::questions(shown.whole),
    })
}

fn mobility(shown: &Shown<'_>) -> Value {
    let (robot, mobility) = (shown.robot, shown.robot.mobility());
    let redundant =
        |one: &Redundancy| json!({ "name": one.name, "redundant": one.redundant, "constraints": one.constraints });
    json!({
        "joints": robot.tree().dof(),
        "driven": robot.driven().len(),
        "loops": shown.loops(),
        "velocities": robot.velocities(),
        "constraints": mobility.constraints,
        "rank": mobility.rank,
        "freedoms": mobility.freedoms,
        "independent": robot.freedom_names(),
        "redundant": mobility.redundant.iter().map(redundant).collect::<Value>(),
        "held": mobility.driven,
    })
}
