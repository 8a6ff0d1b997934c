//! Closed-form inverse kinematics of arms of PUMA type: golden numbers, every branch, every way to write the arm down.

use crate::common::{assert_close, changed, golden, numbers, open, robot};
use appell::description::{Description, JointType, KhalilKleinfinger};
use appell::kinematics::damped_least_squares::{self, Goal, Options};
use appell::kinematics::spherical_wrist::{Arm, Branch, NotOfPumaType, OutOfReach, Sign};
use appell::kinematics::{self, positions};
use appell::mechanism::Mechanism;
use appell::sample::Sampler;
use appell::spatial::{Mat3, PlanarRotation, Pose, Vec3};
use serde_json::Value;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

const FIRST: Branch = Branch::ALL[0];

/// The straight line of a golden trajectory: its pose at an instant.
fn line(file: &Value, t: f64) -> Pose {
    let [phi, theta, psi] = numbers(&file["euler_zyz_deg"])[..] else { unreachable!() };
    let turn = |degrees: f64| PlanarRotation::by(degrees.to_radians());
    let (start, end) = (numbers(&file["p0"]), numbers(&file["p1"]));
    let progress = t / file["T"].as_f64().unwrap();
    Pose {
        rotation: turn(phi).matrix_z() * turn(theta).matrix_y() * turn(psi).matrix_z(),
        position: Vec3::from([0, 1, 2].map(|i| start[i] + (end[i] - start[i]) * progress)),
    }
}

#[test]
fn eight_branches_of_the_golden_pose() {
    let file = golden("b_trajectory_002.json");
    let arm = Arm::new(&robot(&file["robot"]), 5).unwrap();
    let expected = file["eight_branches_at_t0"].as_array().unwrap();
    assert_eq!(expected.len(), 8);
    for (branch, expected) in Branch::ALL.into_iter().zip(expected) {
        let signs = [branch.shoulder, branch.elbow, branch.wrist].map(Sign::value);
        assert_eq!(["shoulder", "elbow", "wrist"].map(|part| expected[part].as_f64().unwrap()), signs);
        let q = arm.inverse_kinematics(&line(&file, 0.0), branch).unwrap();
        assert_close(&q, &numbers(&expected["q"]), 1e-11, "joint positions");
    }
}

#[test]
fn golden_trajectories_on_the_first_branch() {
    for name in ["b_trajectory_002.json", "b_trajectory_001_part.json"] {
        let file = golden(name);
        let arm = Arm::new(&robot(&file["robot"]), 5).unwrap();
        let mut before: Option<[f64; 6]> = None;
        for (t, expected) in numbers(&file["t"]).into_iter().zip(file["q"].as_array().unwrap()) {
            let q = arm.inverse_kinematics(&line(&file, t), FIRST).unwrap();
            assert_close(&q, &numbers(expected), 1e-11, name);
            if let Some(before) = before.replace(q) {
                assert!(q.iter().zip(before).all(|(q, before)| (q - before).abs() < 0.5), "continuous at {t} s");
            }
        }
    }
}

/// Largest entry of the difference.
fn gap(a: &Pose, b: &Pose) -> f64 {
    a.to_array().iter().zip(b.to_array()).fold(0.0, |most, (x, y)| (x - y).abs().max(most))
}

/// Every branch reaches the poses of random configurations of an arm, and one of them is the configuration.
fn every_branch_reaches(robot: &Mechanism) {
    let frame = robot.frames().len() - 1;
    let arm = Arm::new(robot, frame).unwrap();
    let mut forward = kinematics::Workspace::new(robot);
    let mut sampler = Sampler::new(3);
    for _ in 0..200 {
        let there = sampler.state(robot).q;
        let pose = positions(robot, &mut forward, &there)[frame];
        let found = Branch::ALL.map(|branch| arm.inverse_kinematics(&pose, branch));
        for q in found.iter().flatten() {
            let left = gap(&positions(robot, &mut forward, q)[frame], &pose);
            assert!(left < 1e-12, "{}: {left:.1e} at {there:?}", robot.name());
            assert!(q.iter().all(|q| *q > -PI && *q <= PI));
        }
        let same =
            |q: &[f64; 6]| q.iter().zip(&there).all(|(x, y)| ((x - y) / TAU - ((x - y) / TAU).round()).abs() < 1e-9);
        assert!(found.iter().flatten().any(same), "{}: {there:?} is not among {found:?}", robot.name());
    }
}

#[test]
fn every_branch_of_the_pumas_reaches() {
    for name in ["puma560", "puma560-b"] {
        every_branch_reaches(&open(name));
    }
}

/// The PUMA of most textbooks: standard Denavit-Hartenberg, axes that point the other way, a mount and a tool.
#[test]
fn a_puma_written_in_another_way() {
    let text = r#"
        name = "PUMA in standard frames"
        frames = "standard-dh"
        joints = [
          ["waist", "revolute", "q", 0.67, 0.0, "90 deg"],
          ["shoulder", "revolute", "q + 20 deg", 0.0, 0.4318, "0"],
          ["elbow", "revolute", "q", 0.15005, 0.0203, "-90 deg"],
          ["roll", "revolute", "q - 30 deg", 0.4318, 0.0, "90 deg"],
          ["pitch", "revolute", "q", 0.0, 0.0, "-90 deg"],
          ["yaw", "revolute", "q", 0.056, 0.0, "0"],
        ]
        body = { waist.mass = 0, shoulder.mass = 0, elbow.mass = 0, roll.mass = 0, pitch.mass = 0, yaw.mass = 0 }
        [frame.tool]
        parent = "yaw"
        xyz = [0.03, 0.0, 0.2]
        rpy = [0.1, 0.2, 0.3]
    "#;
    every_branch_reaches(&Mechanism::from_toml(text).unwrap());
}

/// An industrial arm with an offset shoulder, placed with all six parameters.
#[test]
fn an_arm_with_an_offset_shoulder() {
    let [right, left] = [FRAC_PI_2, -FRAC_PI_2];
    let placements = [
        [0.3, 0.2, 0.4, 0.1, 0.5, 0.05],
        [0.7, 0.45, left, 0.15, 0.2, 0.03],
        [-0.4, 0.01, PI, 0.6, 0.1, 0.02],
        [0.2, -0.04, left, 0.12, -0.3, 0.62],
        [PI, 0.05, right, 0.0, 0.0, 0.0],
        [-1.0, 0.0, left, 0.0, 0.4, 0.1],
    ];
    every_branch_reaches(&changed("puma560", |description| {
        for (joint, [gamma, b, alpha, d, theta, r]) in description.joints.iter_mut().zip(placements) {
            joint.placement = KhalilKleinfinger { gamma, b, e: 0.0, alpha, d, theta, r };
        }
    }));
}

#[test]
fn numeric_and_closed_form_agree() {
    let robot = open("puma560");
    let arm = Arm::new(&robot, 5).unwrap();
    let mut ws = damped_least_squares::Workspace::new(&robot);
    let file = golden("b_trajectory_002.json");
    for branch in Branch::ALL {
        let pose = line(&file, 4.3);
        let exact = arm.inverse_kinematics(&pose, branch).unwrap();
        let start = exact.map(|q| q + 0.05);
        let options = Options::default();
        let found =
            damped_least_squares::inverse_kinematics(&robot, &mut ws, 5, &Goal::Pose(pose), &start, &options).unwrap();
        assert_close(found.q, &exact, 1e-11, "nearest branch");
    }
}

#[test]
fn a_straight_wrist_turns_with_its_last_joint() {
    let robot = open("puma560");
    let arm = Arm::new(&robot, 5).unwrap();
    let mut forward = kinematics::Workspace::new(&robot);
    let mut sampler = Sampler::new(4);
    for pitch in [0.0, PI, 1e-14, 1e-12, 1e-10, -1e-7] {
        for _ in 0..50 {
            let mut there = sampler.state(&robot).q;
            there[4] = pitch;
            let pose = positions(&robot, &mut forward, &there)[5];
            for branch in Branch::ALL {
                let q = arm.inverse_kinematics(&pose, branch).unwrap();
                assert!(gap(&positions(&robot, &mut forward, &q)[5], &pose) < 1e-12, "{pitch}: {q:?}");
            }
        }
    }
    let pose = positions(&robot, &mut forward, &[0.1, -0.8, 0.3, 0.4, 0.0, 0.5])[5];
    let q = arm.inverse_kinematics(&pose, FIRST).unwrap();
    assert_eq!(q[3], 0.0);
    assert!((q[5] - 0.9).abs() < 1e-14);
}

#[test]
fn the_reason_of_an_unreachable_pose() {
    let robot = open("puma560");
    let arm = Arm::new(&robot, 5).unwrap();
    let at = |x, y, z| {
        let pose = Pose { rotation: Mat3::identity(0.0), position: Vec3::new(x, y, z) };
        Branch::ALL.map(|branch| arm.inverse_kinematics(&pose, branch)).map(Result::unwrap_err)[0]
    };
    let forearm = 0.02_f64.hypot(0.433);
    let OutOfReach::TooFar { distance, most } = at(2.0, 0.0, 0.0) else { panic!() };
    assert!((distance - (4.0_f64 - 0.0225).sqrt()).abs() < 1e-15 && (most - 0.432 - forearm).abs() < 1e-15);
    let OutOfReach::TooNear { least, .. } = at(0.15, 0.0, 0.0) else { panic!() };
    assert!((least - (forearm - 0.432)).abs() < 1e-15);
    let OutOfReach::InsideShoulderOffset { distance, least } = at(0.0, 0.1, 0.3) else { panic!() };
    assert_eq!((distance, least), (0.1, 0.15));
    assert!(at(2.0, 0.0, 0.0).to_string().starts_with("the pose is too far: 1.994"), "{}", at(2.0, 0.0, 0.0));
}

/// The border itself is reached, on both sides of rounding.
#[test]
fn a_stretched_arm_is_in_reach() {
    let robot = open("puma560");
    let arm = Arm::new(&robot, 5).unwrap();
    let mut forward = kinematics::Workspace::new(&robot);
    let straight = 0.433_f64.atan2(-0.02);
    let mut sampler = Sampler::new(5);
    for _ in 0..100 {
        let mut there = sampler.state(&robot).q;
        there[2] = -straight;
        let pose = positions(&robot, &mut forward, &there)[5];
        for branch in Branch::ALL {
            let q = arm.inverse_kinematics(&pose, branch).unwrap();
            assert!(gap(&positions(&robot, &mut forward, &q)[5], &pose) < 1e-12);
        }
    }
}

#[test]
fn other_robots_are_refused_with_the_first_joint_that_deviates() {
    type Change = fn(&mut Description);
    let cases: [(Change, &str); 6] = [
        (|d| d.joints[0].kind = JointType::Prismatic, "`waist` should turn, not slide"),
        (|d| d.joints[1].placement.alpha = 1.5, "`shoulder` should be at a right angle"),
        (|d| d.joints[2].placement.alpha = 1e-3, "`elbow` should be parallel"),
        (|d| d.joints[3].placement.alpha = 0.0, "`wrist-roll` should be at a right angle"),
        (|d| d.joints[4].placement.r = 0.1, "`wrist-pitch` should meet the one before"),
        (|d| d.joints[5].placement.d = 0.1, "`wrist-yaw` should meet the two before"),
    ];
    for (change, message) in cases {
        let found = Arm::new(&changed("puma560", change), 5).unwrap_err().to_string();
        assert!(found.contains(message), "{found}");
    }
    let seven = open("seven-axis");
    assert!(matches!(Arm::new(&seven, 7), Err(NotOfPumaType::Joints { .. })));
    let puma = open("puma560");
    assert_eq!(Arm::new(&puma, 4), Err(NotOfPumaType::Frame { frame: "wrist-pitch".into() }));
}
