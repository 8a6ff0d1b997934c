//! Robots that follow paths: the papers' lines, other arms, platforms.

use super::{assert_joint_rates, pose};
use crate::common::{assert_close, golden, numbers, robot};
use crate::{golden_line, joints};
use appell::closed::{ClosedMechanism, assembly};
use appell::kinematics::spherical_wrist::{Branch, Sign};
use appell::kinematics::{self, damped_least_squares};
use appell::mechanism::Mechanism;
use appell::robots;
use appell::spatial::{Pose, Vec3, turn_between, turned};
use appell_simulation::trajectory::{
    Arc, Attitude, ClosedMotion, Ends, FollowError, Follower, JointReference, Line, RobotMotion, Shape, Spline, Start,
    Task, TimeLaw, TreeMotion,
};

/// A frame with the joints at some positions.
fn frame_at(robot: &Mechanism, q: &[f64], frame: usize) -> Pose {
    kinematics::positions(robot, &mut kinematics::Workspace::new(robot), q)[frame]
}

/// A pose further along.
fn moved(from: Pose, x: f64, y: f64, z: f64) -> Pose {
    Pose { position: from.position + Vec3::new(x, y, z), ..from }
}

const FIRST_BRANCH: Branch = Branch { shoulder: Sign::Plus, elbow: Sign::Plus, wrist: Sign::Plus };

/// q, q̇, q̈ and τ along the straight lines of both papers, by closed form and from instant to instant.
#[test]
fn the_papers_lines() {
    for (name, instants) in [("b_trajectory_002.json", 87), ("b_trajectory_001_part.json", 4)] {
        let file = golden(name);
        let robot = robot(&file["robot"]);
        let line = golden_line(&file);
        let rows = |key: &str| file[key].as_array().unwrap().iter().map(numbers).collect::<Vec<_>>();
        let (q, v, a, tau) = (rows("q"), rows("qd"), rows("qdd"), rows("tau"));
        let near = q[0].clone();
        for start in [Start::Branch(FIRST_BRANCH, &near), Start::Near(&near)] {
            let follower = Follower::new(&robot, 5, Box::new(line), Task::Pose, start, &[]).unwrap();
            let mut motion = TreeMotion::new(&robot, Box::new(follower), true);
            for (k, t) in numbers(&file["t"]).into_iter().enumerate() {
                let found = motion.at(t).unwrap();
                let label = format!("{name}, instant {k}, {start:?}");
                assert_close(&found.q, &q[k], 1e-11, &label);
                assert_close(&found.v, &v[k], 1e-10, &label);
                assert_close(&found.a, &a[k], 1e-10, &label);
                assert_close(&found.tau, &tau[k], 1e-10, &label);
            }
            assert_eq!(tau.len(), instants);
        }
    }
}

#[test]
fn rates_of_the_joints_are_derivatives() {
    let robot = robots::find("puma560").unwrap().mechanism();
    let near = [0.3, -1.0, 0.2, 0.4, 1.0, 0.0];
    let from = frame_at(&robot, &near, 5);
    let law = TimeLaw::new(Shape::Quintic, 1.5).unwrap();
    let to = Pose {
        position: from.position + Vec3::new(-0.1, 0.1, 0.2),
        rotation: pose([0.0; 3], [0.4, 0.1, 0.2]).rotation * from.rotation,
    };
    let line = Line::new(&from, &to, law).unwrap();
    let mut follower = Follower::new(&robot, 5, Box::new(line), Task::Pose, Start::Near(&near), &[]).unwrap();
    assert_joint_rates(&mut follower, 1e-6, "line");
    let up = Vec3::new(0.0, 0.3, 1.0);
    let arc = Arc::about(&from, from.position + Vec3::new(0.1, 0.0, 0.0), up, 4.0, Attitude::Constant, law).unwrap();
    let mut follower = Follower::new(&robot, 5, Box::new(arc), Task::Pose, Start::Near(&near), &[]).unwrap();
    assert_joint_rates(&mut follower, 1e-6, "arc");
    // In one leap to the end and back: the joints come back to where they were.
    let (start, _) = (joints(&mut follower, 0.0), joints(&mut follower, 1.5));
    assert!(crate::difference(&joints(&mut follower, 0.0)[0], &start[0]) < 1e-12);
}

/// Robots with fewer than six joints follow what they can, and one with seven with a joint held.
#[test]
fn other_arms_follow_too() {
    let law = TimeLaw::new(Shape::Quintic, 1.0).unwrap();
    let scara = robots::find("scara").unwrap().mechanism();
    let near = [0.4, 0.8, 0.05, 0.3];
    let frame = scara.frames().len() - 1;
    let from = frame_at(&scara, &near, frame);
    let to = moved(from, -0.1, 0.05, 0.02);
    let line = Line::new(&from, &to, law).unwrap();
    let mut follower = Follower::new(&scara, frame, Box::new(line), Task::Pose, Start::Near(&near), &[]).unwrap();
    assert_joint_rates(&mut follower, 1e-6, "scara");

    let tilted = Pose { rotation: pose([0.0; 3], [0.1, 0.0, 0.0]).rotation * to.rotation, ..to };
    let line = Line::new(&from, &tilted, law).unwrap();
    let mut follower = Follower::new(&scara, frame, Box::new(line), Task::Pose, Start::Near(&near), &[]).unwrap();
    let [mut q, mut v, mut a] = [[0.0; 4]; 3];
    let error = follower.at(0.5, &mut q, &mut v, &mut a).unwrap_err();
    assert!(matches!(error, FollowError::NotReached { .. }), "a SCARA does not tilt: {error}");

    let near = [0.3, 0.9];
    let text = "name = \"planar\"\nframes = \"modified-dh\"\njoints = [[\"a\", \"revolute\", 0, 0, \"q\", 0], \
                [\"b\", \"revolute\", 0, 1, \"q\", 0]]\nbody.a.mass = 0\nbody.b.mass = 0\n[frame.tip]\nparent = \"b\"\nxyz = [1, 0, 0]\n";
    let planar = Mechanism::from_toml(text).unwrap_or_else(|problems| panic!("{problems}"));
    let tip = planar.frame("tip").unwrap();
    let from = frame_at(&planar, &near, tip);
    let to = moved(from, -0.5, 0.1, 0.0);
    let line = Line::new(&from, &to, law).unwrap();
    let mut follower = Follower::new(&planar, tip, Box::new(line), Task::Position, Start::Near(&near), &[]).unwrap();
    assert_joint_rates(&mut follower, 1e-6, "two hinges");

    let seven = robots::find("seven-axis").unwrap().mechanism();
    let near = [0.1, 0.5, -0.2, -1.5, 0.3, 1.8, 0.4];
    let flange = seven.frame("flange").unwrap();
    let from = frame_at(&seven, &near, flange);
    let to = moved(from, 0.05, 0.1, -0.1);
    let line = Line::new(&from, &to, law).unwrap();
    let free = Follower::new(&seven, flange, Box::new(line), Task::Pose, Start::Near(&near), &[]);
    assert!(matches!(free.err(), Some(FollowError::Redundant { joints: 7, numbers: 6, .. })));
    let mut follower = Follower::new(&seven, flange, Box::new(line), Task::Pose, Start::Near(&near), &[2]).unwrap();
    assert_joint_rates(&mut follower, 1e-6, "seven axes");
    assert_eq!(joints(&mut follower, 0.7)[0][2], -0.2);
    // Even to a start that is far away, a held joint does not move.
    let away = Line::new(&moved(from, -0.2, 0.2, 0.15), &to, law).unwrap();
    let mut follower = Follower::new(&seven, flange, Box::new(away), Task::Pose, Start::Near(&near), &[2]).unwrap();
    assert_joint_rates(&mut follower, 1e-6, "seven axes, from afar");
    assert_eq!(joints(&mut follower, 0.7)[0][2], -0.2);
}

#[test]
fn what_cannot_be_followed_is_named_with_its_time() {
    let robot = robots::find("puma560").unwrap().mechanism();
    let near = [0.3, -1.0, 0.2, 0.4, 1.0, 0.0];
    let from = frame_at(&robot, &near, 5);
    let law = TimeLaw::new(Shape::Constant, 1.0).unwrap();
    let far = moved(from, 2.0, 0.0, 0.0);
    let line = Line::new(&from, &far, law).unwrap();
    for start in [Start::Near(&near), Start::Branch(FIRST_BRANCH, &near)] {
        let mut follower = Follower::new(&robot, 5, Box::new(line), Task::Pose, start, &[]).unwrap();
        let mut state = [[0.0; 6]; 3];
        let mut times = (1..=100).map(|k| f64::from(k) / 100.0);
        let error = times.find_map(|t| {
            let [q, v, a] = &mut state;
            follower.at(t, q, v, a).err()
        });
        let error = error.expect("2 m are too far");
        let time = error.time().unwrap();
        assert!((0.01..0.9).contains(&time), "{error}");
        let text = error.to_string();
        assert!(text.contains(" s") && !text.is_empty(), "{text}");
    }
    let nowhere = Line::new(&Pose { position: Vec3::new(9.0, 0.0, 0.0), ..from }, &far, law).unwrap();
    let error = Follower::new(&robot, 5, Box::new(nowhere), Task::Pose, Start::Near(&near), &[]).err().unwrap();
    assert!(matches!(&error, FollowError::Start(damped_least_squares::Unreached { .. })), "{error}");
    // A straight wrist: joints 4 and 6 turn about one axis.
    let straight = [0.3, -1.0, 0.2, 0.4, 0.0, 0.0];
    let from = frame_at(&robot, &straight, 5);
    let to = moved(from, 0.0, 0.1, 0.0);
    let line = Line::new(&from, &to, law).unwrap();
    for start in [Start::Near(&straight), Start::Branch(FIRST_BRANCH, &straight)] {
        let found = Follower::new(&robot, 5, Box::new(line), Task::Pose, start, &[]);
        let [mut q, mut v, mut a] = [[0.0; 6]; 3];
        let error = found.and_then(|mut follower| follower.at(0.0, &mut q, &mut v, &mut a)).unwrap_err();
        assert!(matches!(error, FollowError::Singular { .. }), "{error}");
    }
}

/// All joints of parallel robots along lines of their platforms: rates are derivatives, efforts those of the evaluator.
#[test]
fn platforms_follow_lines() {
    let law = TimeLaw::new(Shape::Quintic, 0.8).unwrap();
    for (name, way) in [
        ("gough-stewart", [0.03, -0.02, 0.05]),
        ("delta", [0.05, 0.04, -0.03]),
        ("five-bar", [0.04, 0.03, 0.0]),
        ("planar-3rrr", [0.03, 0.02, 0.0]),
        ("hexapod-6rus", [0.01, 0.0, 0.02]),
    ] {
        let robot: ClosedMechanism = robots::find(name).unwrap().closed();
        let home = robot.home().pose;
        let to = Pose { position: home.position + way.into(), ..home };
        let line = Line::new(&home, &to, law).unwrap();
        let mut drives = ClosedMotion::of_platform(&robot, Box::new(line), false);
        assert_joint_rates(&mut drives, 1e-5, name);
        // And the drives' motion gives the platform's back.
        let mut drives = ClosedMotion::of_platform(&robot, Box::new(line), true);
        let end = joints(&mut drives, 0.8)[0].clone();
        let start = joints(&mut drives, 0.0)[0].clone();
        let mut at = robot.home().clone();
        let mut workspace = assembly::Workspace::new(&robot);
        assembly::at_drives(&robot, &mut workspace, &end, &mut at).unwrap();
        assert!((at.pose.position - to.position).norm() < 1e-9, "{name}");
        let spline = Spline::quintic(&[0.0, 0.5], &[start, end], Ends::Rest).unwrap();
        let mut whole = ClosedMotion::of_drives(&robot, Box::new(spline), true);
        let states = RobotMotion::at(&mut whole, 0.25).unwrap();
        let driven = robot.driven();
        assert!(driven.iter().any(|&j| states.tau[j].abs() > 0.0) || name == "five-bar", "{name}: {:?}", states.tau);
        assert!((0..robot.tree().dof()).all(|j| driven.contains(&j) || states.tau[j] == 0.0), "{name}");
    }
}

/// A line says nothing of what depends on it: that of a 3-RPS turns and heaves, that of an Exechon moves.
#[test]
fn what_a_line_leaves_open_follows_it() {
    let law = TimeLaw::new(Shape::Quintic, 0.8).unwrap();
    for (name, way, turn) in
        [("exechon", [0.12, 0.08, -0.05], [0.0; 3]), ("3-rps", [0.0, 0.0, 0.05], [0.15, -0.1, 0.0])]
    {
        let robot: ClosedMechanism = robots::find(name).unwrap().closed();
        let home = robot.home().pose;
        let rotation = turned(&home.rotation, turn.into());
        let to = Pose { position: home.position + way.into(), rotation };
        let line = Line::new(&home, &to, law).unwrap();
        let mut motion = ClosedMotion::of_platform(&robot, Box::new(line), true);
        assert_joint_rates(&mut motion, 1e-5, name);
        let mut strayed = 0.0_f64;
        for t in [0.2, 0.4, 0.8] {
            let found = motion.platform(t).unwrap().unwrap();
            let at = motion.configuration().clone();
            let open = assembly::gaps(&robot, &at).into_iter().fold(0.0, |most: f64, gap| most.max(gap.abs()));
            assert!(open < 1e-9, "{name} at {t}: {open}");
            let wanted = line.motion(t);
            let off = found.pose.position - wanted.pose.position;
            for &freedom in robot.freedoms() {
                let k = freedom - robot.tree().dof();
                assert!(k >= 3 || off.to_array()[k].abs() < 1e-9, "{name} at {t}: {off:?}");
            }
            // Of a 3-RPS the direction of the base's z is as the path says, seen from the platform.
            let z = Vec3::new(0.0, 0.0, 1.0);
            let seen = found.pose.rotation.transpose_times(z) - wanted.pose.rotation.transpose_times(z);
            assert!(name == "exechon" || seen.norm() < 1e-9, "{name} at {t}: {seen:?}");
            strayed = strayed.max(off.norm() + turn_between(&wanted.pose.rotation, &found.pose.rotation).norm());
        }
        assert!(strayed > 1e-3, "{name} strays by {strayed}, so that nothing is tested");
    }
    // What is not the robot's to choose, and moves, is refused.
    let delta = robots::find("delta").unwrap().closed();
    let home = delta.home().pose;
    let to = Pose { rotation: turned(&home.rotation, Vec3::new(0.0, 0.1, 0.0)), ..home };
    let mut motion = ClosedMotion::of_platform(&delta, Box::new(Line::new(&home, &to, law).unwrap()), false);
    let error = RobotMotion::at(&mut motion, 0.4).unwrap_err();
    assert!(matches!(&error, FollowError::Constrained { component, .. } if component == "wy"), "{error}");
}

#[test]
fn a_platform_out_of_reach_is_named_with_its_time() {
    let five_bar = robots::find("five-bar").unwrap().closed();
    let away = Pose { position: five_bar.home().pose.position + Vec3::new(0.0, 2.0, 0.0), ..five_bar.home().pose };
    let law = TimeLaw::new(Shape::Constant, 1.0).unwrap();
    let line = Line::new(&five_bar.home().pose, &away, law).unwrap();
    let mut motion = ClosedMotion::of_platform(&five_bar, Box::new(line), false);
    let error = (0..=100).find_map(|k| RobotMotion::at(&mut motion, f64::from(k) / 100.0).err()).unwrap();
    assert!(error.time().is_some_and(|t| t > 0.0) && error.to_string().contains("cannot reach"), "{error}");
    let four_bar = robots::find("four-bar").unwrap().closed();
    let mut motion = ClosedMotion::of_platform(&four_bar, Box::new(line), false);
    let error = RobotMotion::at(&mut motion, 0.0).unwrap_err().to_string();
    assert!(error.contains("no platform"), "{error}");
}
