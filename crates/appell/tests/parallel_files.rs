//! The files of closed robots against reference data: at the joints' golden positions every leg ends where the platform's
//! golden pose wants it, and turned as its closing joint allows.

mod common;

use appell::description::{Branch, Carrier, ClosingJoint, Description, toml};
use appell::kinematics;
use appell::mechanism::Mechanism;
use appell::spatial::{Mat3, Pose, Turn, Vec3};
use common::numbers;
use serde_json::Value;
use std::path::Path;

/// All files of closed robots.
const FILES: [&str; 9] =
    ["gough-stewart", "five-bar", "planar-3rrr", "delta", "3-rps", "agile-wrist", "sst", "four-bar", "hexapod-6rus"];

/// A file of the repository, by its path from the root.
fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn golden(name: &str) -> Value {
    serde_json::from_str(&text(&format!("tests/golden/parallel/{name}"))).unwrap()
}

fn description(name: &str) -> Description {
    let (description, warnings) =
        toml::read(&text(&format!("robots/{name}.toml"))).unwrap_or_else(|problems| panic!("{name}\n{problems}"));
    assert!(warnings.is_empty(), "{name}\n{warnings}");
    description
}

/// The tree that is left of a robot when nothing closes its loops.
fn opened(description: &Description) -> Mechanism {
    let open = Description { platform: None, closures: Vec::new(), ..description.clone() };
    Mechanism::new(&open).unwrap_or_else(|problems| panic!("{problems}"))
}

/// How far the closing joints are from being closed: distances, m, and cosines of angles that should be right ones.
fn gaps(description: &Description, q: &[f64], platform: &Pose<f64>) -> Vec<f64> {
    let robot = opened(description);
    let mut workspace = kinematics::Workspace::new(&robot);
    let poses = kinematics::positions(&robot, &mut workspace, q);
    let base_from = |on: &Carrier| match on {
        Carrier::Base => Pose::identity(0.0),
        Carrier::Joint(name) => poses[robot.frame(name).unwrap()],
        Carrier::Platform => *platform,
    };
    let gap = |closure: &appell::description::ClosureDescription| {
        let [first, second] = [&closure.first, &closure.second].map(|end| base_from(&end.on) * end.pose);
        let distance = (first.position - second.position).norm();
        let apart = |a: usize, b: usize| first.rotation.column(a) - second.rotation.column(b);
        let turned = match closure.kind {
            ClosingJoint::Spherical => 0.0,
            ClosingJoint::Revolute => apart(2, 2).norm(),
            ClosingJoint::Universal => first.rotation.column(0).dot(second.rotation.column(1)).abs(),
            other => panic!("{other:?}"),
        };
        distance.max(turned)
    };
    description.closures.iter().map(gap).collect()
}

#[track_caller]
fn assert_closed(label: &str, description: &Description, q: &[f64], platform: &Pose<f64>, tolerance: f64) {
    let gaps = gaps(description, q, platform);
    assert!(gaps.iter().all(|gap| *gap < tolerance), "{label}: {gaps:?}");
}

fn rotation(rows: &[f64]) -> Mat3<f64> {
    let row = |k: usize| Vec3::new(rows[3 * k], rows[3 * k + 1], rows[3 * k + 2]);
    Mat3::from_rows([row(0), row(1), row(2)])
}

/// Robots whose data give the platform's position and attitude, and q leg by leg.
#[test]
fn legs_reach_the_platform() {
    for (name, file, list) in [
        ("gough-stewart", "shared_gough_stewart.json", "states"),
        ("five-bar", "shared_five_bar.json", "data"),
        ("planar-3rrr", "shared_planar_3rrr.json", "data"),
        ("delta", "shared_delta.json", "data"),
        ("3-rps", "shared_rps3.json", "data"),
    ] {
        let (description, file) = (description(name), golden(file));
        let states = file[list].as_array().unwrap();
        assert!(states.len() >= 20);
        for (k, state) in states.iter().enumerate() {
            let [x, y, z] = numbers(&state["p"])[..] else { panic!() };
            let platform = Pose { rotation: rotation(&numbers(&state["R"])), position: Vec3::new(x, y, z) };
            assert_closed(&format!("{name} {k}"), &description, &numbers(&state["q"]), &platform, 1e-12);
        }
    }
}

/// Two lists of numbers, taken in turn.
fn interleaved(state: &Value, keys: [&str; 2]) -> Vec<f64> {
    let [a, b] = keys.map(|key| numbers(&state[key]));
    a.into_iter().zip(b).flat_map(|(a, b)| [a, b]).collect()
}

#[test]
fn legs_of_the_wrist_reach_the_platform() {
    let description = description("agile-wrist");
    for file in ["shared_agile_wrist_states.json", "shared_agile_wrist_traj.json"] {
        for state in golden(file)["data"].as_array().unwrap() {
            let [yaw, pitch, roll] = numbers(&state["q"])[..] else { panic!() };
            let rotation = Mat3::from_roll_pitch_yaw(Vec3::new(roll, pitch, yaw));
            let platform = Pose { rotation, ..Pose::identity(0.0) };
            assert_closed(file, &description, &interleaved(state, ["theta", "psi"]), &platform, 1e-12);
        }
    }
}

#[test]
fn legs_of_the_star_triangle_reach_the_star() {
    let (description, file) = (description("sst"), golden("shared_sst_traj.json"));
    for state in ["trajectory_1", "trajectory_2"].iter().flat_map(|list| file[*list].as_array().unwrap()) {
        let [theta, phi, psi] = numbers(&state["euler"])[..] else { panic!() };
        let [theta, phi, psi] = [theta, phi, psi].map(Turn::by);
        let rotation = theta.matrix_z() * phi.matrix_y() * psi.matrix_z();
        let platform = Pose { rotation, ..Pose::identity(0.0) };
        assert_closed("sst", &description, &interleaved(state, ["gamma", "mu"]), &platform, 1e-12);
    }
}

#[test]
fn robots_are_assembled_at_home_in_their_working_mode() {
    for name in FILES {
        let description = description(name);
        let home: Vec<f64> = description.joints.iter().map(|joint| joint.home).collect();
        let platform = description.platform.as_ref().map_or(Pose::identity(0.0), |platform| platform.home);
        assert_closed(name, &description, &home, &platform, 2e-6);
        for joint in &description.joints {
            let fits = match joint.branch {
                Branch::Any => true,
                Branch::Positive => joint.home > 0.0,
                Branch::Negative => joint.home < 0.0,
            };
            assert!(fits, "{name}: {} is at {} on branch {}", joint.name, joint.home, joint.branch.name());
        }
    }
}

#[test]
fn files_come_back_from_the_writer() {
    for name in FILES {
        let robot = description(name);
        let text = toml::write(&robot);
        let (back, _) = toml::read(&text).unwrap_or_else(|problems| panic!("{name}\n{problems}\n{text}"));
        assert_eq!(unturned(&back), unturned(&robot), "{name}");
        for (back, pose) in rotations(&back).into_iter().zip(rotations(&robot)) {
            assert!((back - pose).rows.iter().all(|row| row.norm() < 1e-15), "{name}: {back:?} {pose:?}");
        }
    }
}

/// All rotations of a description, which come back from roll, pitch and yaw to rounding only.
fn rotations(robot: &Description) -> Vec<Mat3<f64>> {
    let mut robot = robot.clone();
    poses(&mut robot).into_iter().map(|pose| pose.rotation).collect()
}

/// A description but for its rotations.
fn unturned(robot: &Description) -> Description {
    let mut robot = robot.clone();
    poses(&mut robot).into_iter().for_each(|pose| pose.rotation = Mat3::identity(0.0));
    robot
}

fn poses(robot: &mut Description) -> Vec<&mut Pose<f64>> {
    let joints = robot.joints.iter_mut().map(|joint| &mut joint.link_frame);
    let frames = robot.frames.iter_mut().map(|frame| &mut frame.pose);
    let closures = robot.closures.iter_mut().flat_map(|closure| [&mut closure.first.pose, &mut closure.second.pose]);
    let home = robot.platform.iter_mut().map(|platform| &mut platform.home);
    joints.chain(frames).chain(closures).chain(home).collect()
}
