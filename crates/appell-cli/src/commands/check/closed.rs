//! Findings about a robot with closed loops: whether it can be assembled, move, and be held.

use super::{Remark, Weight};
use appell::closed::assembly::AssemblyError;
use appell::closed::{ClosedError, ClosedMechanism, Redundancy, SingularError};
use appell::description::{Description, toml};
use appell_drawing::listing::{counted, short};

/// Makes the robot ready for computing and says what is wrong, doubtful or worth knowing; `text` is its file.
pub(super) fn inspect(text: &str, description: &Description) -> Vec<Remark> {
    match ClosedMechanism::new(description) {
        Ok(robot) => findings(text, &robot),
        Err(error) => {
            let (place, line) = place_of(text, &error);
            vec![Remark { line, place, weight: Weight::Error, message: error.to_string() }]
        }
    }
}

/// Where the file speaks of what is wrong.
fn place_of(text: &str, error: &ClosedError) -> (String, Option<usize>) {
    let closure = |name: &str| toml::locate(text, "closure", name);
    match error {
        ClosedError::NotAssembled(AssemblyError::OutOfReach { leg, .. } | AssemblyError::OtherMode { leg, .. }) => {
            toml::locate(text, "leg", leg)
        }
        ClosedError::NotAssembled(
            AssemblyError::Open { closure: name, .. } | AssemblyError::Unreached { closure: name, .. },
        ) => closure(name),
        ClosedError::NotAssembled(AssemblyError::Held { .. }) => toml::locate(text, "platform", "home"),
        ClosedError::LockedDrive { joint } | ClosedError::NotAssembled(AssemblyError::Uncoupled { joint, .. }) => {
            toml::locate(text, "joint", joint)
        }
        ClosedError::Freedoms { .. } => toml::locate(text, "platform", "freedoms"),
        ClosedError::StillOutput { .. } => toml::locate_key(text, "output"),
        ClosedError::SingularHome { .. } => ("home".into(), None),
        ClosedError::NotAssembled(AssemblyError::NotFinite | AssemblyError::Lost)
        | ClosedError::Description(_)
        | ClosedError::Open
        | ClosedError::Coupled { .. }
        | ClosedError::Immobile { .. } => ("mobility".into(), None),
    }
}

/// What is doubtful or worth knowing about a robot that can be computed.
fn findings(text: &str, robot: &ClosedMechanism) -> Vec<Remark> {
    let mut remarks = redundancies(text, robot);
    remarks.extend(beyond_limits(text, robot));
    remarks.extend(drives(robot));
    let mobility = robot.mobility();
    remarks.push(remark(
        Weight::Note,
        "mobility",
        format!(
            "assembled at home; {}, {}: {} velocities − {} independent constraints of {}",
            counted(mobility.freedoms, "degree of freedom"),
            robot.freedom_names().join(" "),
            robot.velocities(),
            mobility.rank,
            mobility.constraints
        ),
    ));
    remarks
}

/// Closing joints, and joints that follow others, that demand what those before them do already.
fn redundancies(text: &str, robot: &ClosedMechanism) -> Vec<Remark> {
    let one = |redundancy: &Redundancy| {
        let Redundancy { name, redundant, constraints } = redundancy;
        let is_coupling = robot.couplings().iter().any(|coupling| coupling.name == *name);
        let (place, line) = toml::locate(text, if is_coupling { "joint" } else { "closure" }, name);
        let (what, mend) = if is_coupling {
            (format!("joint `{name}` follows others as the loops demand already"), "letting it move by its own")
        } else {
            let what = format!("the closing joint `{name}` repeats {redundant} of its {constraints} constraints");
            (what, "a joint that forbids less")
        };
        let message = format!(
            "{what}: the robot is over-constrained; it is computed, but its reactions are not unique, which {mend} \
             would mend"
        );
        Remark { line, place, weight: Weight::Warning, message }
    };
    robot.mobility().redundant.iter().map(one).collect()
}

/// Joints that are beyond their limits at home.
fn beyond_limits(text: &str, robot: &ClosedMechanism) -> Vec<Remark> {
    let tree = robot.tree();
    let joints = tree.joint_names().iter().zip(&robot.home().q).zip(tree.limits());
    let beyond = joints.filter(|((_, q), limits)| **q < limits.lower || **q > limits.upper);
    beyond
        .map(|((name, q), limits)| {
            let (place, line) = toml::locate(text, "joint", name);
            let [q, lower, upper] = [*q, limits.lower, limits.upper].map(short);
            let message =
                format!("`{name}` is at {q} at home, beyond its limits {lower} and {upper}; move home or the limits");
            Remark { line, place, weight: Weight::Warning, message }
        })
        .collect()
}

/// What the drives do not hold, and drives that hold nothing more.
fn drives(robot: &ClosedMechanism) -> Option<Remark> {
    let (mobility, drives) = (robot.mobility(), robot.driven().len());
    let (held, freedoms) = (mobility.driven, mobility.freedoms);
    let (weight, message) = match drives {
        _ if drives < freedoms => (
            Weight::Warning,
            format!(
                "{} for {}: the robot moves on its own, and inverse dynamics has no answer; drive more joints",
                counted(drives, "drive"),
                counted(freedoms, "degree of freedom")
            ),
        ),
        _ if held < freedoms && robot.singular_angles(robot.home()).is_some() => {
            (Weight::Warning, SingularError::Drives { condition: f64::INFINITY }.at(robot, robot.home()).to_string())
        }
        _ if held < freedoms => (
            Weight::Warning,
            format!(
                "home is a singularity of Type 2: the drives hold {held} of {freedoms} degrees of freedom there; \
                 describe another home, or drive other joints"
            ),
        ),
        _ if drives > freedoms => (
            Weight::Note,
            format!(
                "{} for {}: redundant actuation; inverse dynamics gives the torques and forces of least norm",
                counted(drives, "drive"),
                counted(freedoms, "degree of freedom")
            ),
        ),
        _ => return None,
    };
    Some(remark(weight, "drives", message))
}

fn remark(weight: Weight, place: &str, message: String) -> Remark {
    Remark { line: None, place: place.into(), weight, message }
}
