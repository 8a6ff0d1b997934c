//! Numeric inverse kinematics: poses made by forward kinematics are found again, within limits, from anywhere.

use crate::common::{changed, open, scaled};
use appell::description::{JointKind, JointType, Limits};
use appell::kinematics::damped_least_squares::{
    Goal, Options, Residual, Solution, Unreached, Workspace, inverse_kinematics,
};
use appell::kinematics::{self, positions};
use appell::mechanism::Mechanism;
use appell::robots;
use appell::sample::{Sampler, Shape};
use appell::spatial::{PlanarRotation, Pose, Quaternion, Vec3};
use std::f64::consts::PI;

fn last_frame(robot: &Mechanism) -> usize {
    robot.frames().len() - 1
}

fn pose_of(robot: &Mechanism, frame: usize, q: &[f64]) -> Pose {
    positions(robot, &mut kinematics::Workspace::new(robot), q)[frame]
}

/// How far two poses are apart.
fn distance(a: &Pose, b: &Pose) -> Residual {
    let turn = Quaternion::of_rotation(&(a.rotation * b.rotation.transpose())).rotation_vector();
    Residual { position: (a.position - b.position).norm(), orientation: turn.norm() }
}

/// Solves for the last frame with the default options.
fn solve<'w>(robot: &Mechanism, ws: &'w mut Workspace, goal: &Goal, start: &[f64]) -> Result<Solution<'w>, Unreached> {
    inverse_kinematics(robot, ws, last_frame(robot), goal, start, &Options::default())
}

/// The pose at `q` is found again from `start`.
#[track_caller]
fn found_again(robot: &Mechanism, ws: &mut Workspace, q: &[f64], start: &[f64]) -> Vec<f64> {
    let frame = last_frame(robot);
    let pose = pose_of(robot, frame, q);
    let solution = solve(robot, ws, &Goal::Pose(pose), start)
        .unwrap_or_else(|error| panic!("{} at {q:?} from {start:?}: {error}", robot.name()));
    let left = distance(&pose, &pose_of(robot, frame, solution.q));
    assert!(left.position < 1e-10 && left.orientation < 1e-10, "{}: {left:?}", robot.name());
    solution.q.to_vec()
}

#[test]
fn poses_of_any_robot_are_found_again_from_other_starts() {
    let mut sampler = Sampler::new(7);
    let mut robots: Vec<Mechanism> = robots::TREES.iter().map(robots::Builtin::mechanism).collect();
    for n in [6, 6, 7, 9] {
        let mut description = sampler.description(n, Shape::Chain);
        description.joints.iter_mut().for_each(|joint| joint.kind = JointType::Revolute);
        robots.push(Mechanism::new(&description).unwrap());
        robots.push(sampler.robot(n, Shape::Chain));
    }
    for robot in &robots {
        let mut ws = Workspace::new(robot);
        for _ in 0..50 {
            let (there, start) = (sampler.state(robot).q, sampler.state(robot).q);
            let q = found_again(robot, &mut ws, &there, &start);
            for (j, link) in robot.links().iter().enumerate() {
                let turned = (q[j] - start[j]).abs();
                assert!(link.joint == JointKind::Prismatic || turned <= PI + 1e-12, "no needless turns: {turned}");
            }
        }
    }
}

#[test]
fn positions_alone_need_few_joints_and_orientations_alone_need_three() {
    let mut sampler = Sampler::new(8);
    for name in ["two-link", "scara", "puma560", "seven-axis"] {
        let robot = open(name);
        let (frame, mut ws) = (last_frame(&robot), Workspace::new(&robot));
        for _ in 0..50 {
            let (there, start) = (sampler.state(&robot).q, sampler.state(&robot).q);
            let pose = pose_of(&robot, frame, &there);
            let solution = solve(&robot, &mut ws, &Goal::Position(pose.position), &start).unwrap();
            assert!(distance(&pose, &pose_of(&robot, frame, solution.q)).position < 1e-10, "{name}");
            let solution = solve(&robot, &mut ws, &Goal::Orientation(pose.rotation), &start).unwrap();
            assert!(distance(&pose, &pose_of(&robot, frame, solution.q)).orientation < 1e-10, "{name}");
        }
    }
}

#[test]
fn limits_are_respected() {
    // those of the Franka Panda
    let limits = [(-2.8, 2.8), (-1.7, 1.7), (-2.8, 2.8), (-3.0, -0.1), (-2.8, 2.8), (0.0, 3.7), (-2.8, 2.8)];
    let robot = changed("seven-axis", |description| {
        for (joint, (lower, upper)) in description.joints.iter_mut().zip(limits) {
            joint.limits = Limits { lower, upper, ..Limits::default() };
        }
    });
    let within = |q: &[f64]| q.iter().zip(limits).all(|(q, (lower, upper))| (lower..=upper).contains(q));
    let (mut sampler, mut ws) = (Sampler::new(9), Workspace::new(&robot));
    let mut draw = || limits.map(|(lower, upper)| 0.5 * (lower + upper) + sampler.within(0.5 * (upper - lower)));
    for _ in 0..100 {
        let (there, start) = (draw(), draw());
        assert!(within(&found_again(&robot, &mut ws, &there, &start)));
    }
    let stiff = changed("two-link", |description| {
        description.joints[0].limits = Limits { lower: -0.5, upper: 0.5, ..Limits::default() };
        description.joints[1].limits = Limits { lower: -0.1, upper: 0.1, ..Limits::default() };
    });
    let far_left = pose_of(&stiff, last_frame(&stiff), &[1.5, 0.0]);
    let error = solve(&stiff, &mut Workspace::new(&stiff), &Goal::Position(far_left.position), &[0.0; 2]).unwrap_err();
    assert_eq!(error.q, [0.5, 0.1], "as far as it may go: {error}");
}

#[test]
fn an_unreachable_goal_leaves_the_shortest_way() {
    let robot = open("puma560");
    let mut ws = Workspace::new(&robot);
    let goal = Vec3::new(0.0, 2.0, 0.0);
    let error = solve(&robot, &mut ws, &Goal::Position(goal), &[0.1; 6]).unwrap_err();
    let reach = (0.432 + 0.02_f64.hypot(0.433)).hypot(0.15);
    assert!((error.residual.position - (2.0 - reach)).abs() < 1e-6, "{error}");
    assert_eq!((error.residual.orientation, error.restarts, error.frame.as_str()), (0.0, 100, "wrist-yaw"));
    let best = pose_of(&robot, last_frame(&robot), &error.q);
    assert!(((best.position - goal).norm() - error.residual.position).abs() < 1e-15);
    assert!(error.to_string().contains("frame `wrist-yaw` does not reach the goal"), "{error}");

    let nowhere = Goal::Position(Vec3::new(f64::NAN, 0.0, 0.0));
    let error = solve(&robot, &mut ws, &nowhere, &[0.1; 6]).unwrap_err();
    assert_eq!(error.residual.position, f64::INFINITY);
}

/// At a stretched arm nothing pulls inwards: the gradient is zero, and a restart must help.
#[test]
fn a_singular_start_does_not_stall() {
    let robot = open("two-link");
    let mut ws = Workspace::new(&robot);
    let inwards = Goal::Position(Vec3::new(1.99, 0.0, 0.0));
    let solution = solve(&robot, &mut ws, &inwards, &[0.0; 2]).unwrap();
    assert!((1..5).contains(&solution.restarts), "{solution:?}");

    let robot = open("puma560");
    let mut ws = Workspace::new(&robot);
    let elbow = 0.02_f64.atan2(-0.433) + PI / 2.0; // upper arm and forearm in line
    for start in [[0.0; 6], [0.3, -0.4, elbow, 0.0, 0.0, 0.0]] {
        found_again(&robot, &mut ws, &[0.7, -1.0, 0.3, -0.2, 1.1, 0.4], &start);
    }
}

#[test]
fn singular_goals_are_reached() {
    let mut sampler = Sampler::new(10);
    for (name, joint, value) in [("puma560", 4, 0.0), ("puma560", 4, PI), ("stanford", 4, 0.0), ("seven-axis", 3, 0.0)]
    {
        let robot = open(name);
        let mut ws = Workspace::new(&robot);
        for _ in 0..20 {
            let (mut there, start) = (sampler.state(&robot).q, sampler.state(&robot).q);
            there[joint] = value;
            found_again(&robot, &mut ws, &there, &start);
        }
    }
}

#[test]
fn half_turns_are_found() {
    let robot = open("puma560");
    let mut ws = Workspace::new(&robot);
    let start = [0.3, -0.8, 0.2, 0.5, 0.9, -0.4];
    let pose = pose_of(&robot, last_frame(&robot), &start);
    for angle in [PI, PI - 1e-9, -PI + 1e-9, 3.0] {
        for turn in [
            PlanarRotation::by(angle).matrix_x(),
            PlanarRotation::by(angle).matrix_y(),
            PlanarRotation::by(angle).matrix_z(),
        ] {
            let goal = Goal::Pose(Pose { rotation: turn * pose.rotation, ..pose });
            solve(&robot, &mut ws, &goal, &start).unwrap();
        }
    }
}

#[test]
fn joints_that_do_not_carry_the_frame_stay() {
    let mut sampler = Sampler::new(11);
    let robot = sampler.robot(12, Shape::Tree);
    let mut ws = Workspace::new(&robot);
    for frame in 0..12 {
        let (there, start) = (sampler.state(&robot).q, sampler.state(&robot).q);
        let goal = Goal::Pose(pose_of(&robot, frame, &there));
        let solution = inverse_kinematics(&robot, &mut ws, frame, &goal, &start, &Options::default()).unwrap();
        let carriers: Vec<usize> = robot.path_to_base(frame).collect();
        for j in (0..12).filter(|j| !carriers.contains(j)) {
            assert!((solution.q[j] - start[j]).abs() < 1e-15);
        }
    }
}

/// A robot 1024 times as large goes through the very same numbers.
#[test]
fn size_does_not_matter() {
    let (small, large) = (open("stanford"), scaled("stanford", 1024.0));
    let (mut ws_small, mut ws_large) = (Workspace::new(&small), Workspace::new(&large));
    let enlarged =
        |q: &[f64]| -> Vec<f64> { q.iter().zip([1.0, 1.0, 1024.0, 1.0, 1.0, 1.0]).map(|(q, k)| q * k).collect() };
    let mut sampler = Sampler::new(12);
    for _ in 0..20 {
        let (there, start) = (sampler.state(&small).q, sampler.state(&small).q);
        let frame = last_frame(&small);
        let mut options = Options::default();
        let goal = Goal::Pose(pose_of(&small, frame, &there));
        let found = inverse_kinematics(&small, &mut ws_small, frame, &goal, &start, &options).unwrap();
        options.tolerance.position *= 1024.0;
        let goal = Goal::Pose(pose_of(&large, frame, &enlarged(&there)));
        let same = inverse_kinematics(&large, &mut ws_large, frame, &goal, &enlarged(&start), &options).unwrap();
        assert_eq!((same.q, same.iterations), (enlarged(found.q).as_slice(), found.iterations));
    }
}
