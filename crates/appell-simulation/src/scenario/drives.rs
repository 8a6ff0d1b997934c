//! What scenarios ask of the drives of a robot.

use appell::description::JointKind;
use appell::{Model, Robot};

/// Names of the drives.
pub(super) fn names(robot: &Robot) -> Vec<String> {
    robot.drives().iter().map(|joint| joint.name.to_owned()).collect()
}

/// Names and kinds of the drives.
pub(super) fn names_and_kinds(robot: &Robot) -> Vec<(String, JointKind)> {
    robot.drives().iter().map(|joint| (joint.name.to_owned(), joint.kind)).collect()
}

/// Names and kinds of the numbers of a position: those of the drives, but for quaternions.
pub(super) fn positions(robot: &Robot) -> Vec<(String, JointKind)> {
    let drives = names_and_kinds(robot);
    let kind = |name: &str| {
        let of_drive = drives.iter().find(|(drive, _)| drive == name).map(|(_, kind)| *kind);
        let slides = [".px", ".py", ".pz"].iter().any(|part| name.ends_with(part));
        of_drive.unwrap_or(if slides { JointKind::Prismatic } else { JointKind::Revolute })
    };
    robot.positions().iter().map(|name| ((*name).to_owned(), kind(name))).collect()
}

/// Positions of the drives: those given, else zero, or those at home.
pub(super) fn start(robot: &Robot, given: Option<&[f64]>) -> Vec<f64> {
    match (given, robot.model()) {
        (Some(given), _) => given.to_vec(),
        (None, Model::Tree(tree)) => vec![0.0; tree.velocities().len()],
        (None, Model::Closed(closed)) => closed.driven().iter().map(|&j| closed.home().q[j]).collect(),
    }
}
