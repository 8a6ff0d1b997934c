//! Outputs anywhere: what is a platform by another way of writing moves as the frame it stands for, and changes no dynamics.

use super::common::{assert_close, evaluators, norm, numbers, parallel_golden};
use appell::closed::formulation::{self, Formulation};
use appell::closed::sample::ClosedState;
use appell::closed::workspace_map::{Axis, Cell, Coordinate, Slice, map};
use appell::closed::{ClosedMechanism, Configuration, Load, assembly};
use appell::description::{BodyDescription, Description, JointType, toml};
use appell::question::{Evaluator, Motion, Question, State, Target};
use appell::sample::{Family, Sampler};
use appell::spatial::{Pose, Vec3, Wrench};
use appell::{Robot, RobotError, kinematics, robots};
use core::ops::ControlFlow;

const FAMILIES: [Family; 9] = [
    Family::LinkageOutput(1),
    Family::LinkageOutput(2),
    Family::LinkageOutput(3),
    Family::LoopOutput(1),
    Family::LoopOutput(2),
    Family::Hybrid(2),
    Family::Hybrid(4),
    Family::Hybrid(6),
    Family::Hybrid(7),
];

/// Random robots with an output called `tool`, at a state.
fn cases() -> impl Iterator<Item = (Description, ClosedMechanism, ClosedState, String)> {
    FAMILIES.into_iter().flat_map(|family| (0..4).map(move |seed| (family, seed))).map(|(family, seed)| {
        let mut sampler = Sampler::new(900 + seed);
        let description = sampler.closed_description(family);
        let robot = ClosedMechanism::new(&description).unwrap();
        let state = sampler.closed_state(&robot);
        (description, robot, state, format!("{family:?}, seed {seed}"))
    })
}

fn answer(robot: &Robot, question: Question, state: &State<'_>) -> Vec<f64> {
    let mut evaluator = Evaluator::new(robot, question, None, Target::default()).unwrap();
    let mut row = vec![0.0; evaluator.columns().len()];
    evaluator.evaluate(state, &mut row).unwrap_or_else(|error| panic!("{}: {error}", question.name()));
    row
}

/// Pose, twist and acceleration of the platform are those of the frame on the tree, where the body stayed there.
#[test]
fn an_output_moves_as_its_frame() {
    let mut compared = 0;
    for (_, robot, state, label) in cases() {
        let Some(tool) = robot.tree().frame("tool") else { continue };
        let dof = robot.tree().dof();
        let mut ws = formulation::Workspace::new(&robot, Formulation::TreeClosures);
        let (u, u_dot) = formulation::motion(&robot, &mut ws, &state.at, &state.r, &state.r_dot).unwrap();
        let mut ws = kinematics::Workspace::new(robot.tree());
        let q = &state.at.q;
        let pose = kinematics::positions(robot.tree(), &mut ws, q)[tool];
        assert_close(&pose.to_array(), &state.at.pose.to_array(), 1e-10, &label);
        let twist = kinematics::velocities(robot.tree(), &mut ws, q, &u[..dof])[tool];
        assert_close(&twist.to_array(), &u[dof..], 1e-10, &label);
        let acceleration = kinematics::accelerations(robot.tree(), &mut ws, q, &u[..dof], &u_dot[..dof])[tool];
        let scale = norm(u_dot).max(norm(u) * norm(u)).max(1.0);
        for (one, other) in acceleration.to_array().iter().zip(&u_dot[dof..]) {
            assert!((one - other).abs() < 1e-10 * scale, "{label}: {one} {other}");
        }
        compared += 1;
    }
    assert!(compared > 25, "{compared}");
}

/// The drives' torques and forces for a motion of the drives are the same with an output and without.
#[test]
fn an_output_changes_no_dynamics() {
    let mut compared = 0;
    for (description, robot, state, label) in cases().filter(|(description, ..)| description.platform.is_none()) {
        let plain = ClosedMechanism::new(&Description { output: None, ..description.clone() }).unwrap();
        let mut ws = formulation::Workspace::new(&robot, Formulation::of(&robot)[0]);
        let (u, u_dot) = formulation::motion(&robot, &mut ws, &state.at, &state.r, &state.r_dot).unwrap();
        let of_drives = |x: &[f64]| robot.driven().iter().map(|&j| x[j]).collect::<Vec<f64>>();
        let (q, v, a) = (of_drives(&state.at.q), of_drives(u), of_drives(u_dot));
        // From where the output is, the same loops are closed in the same way.
        let mut at = plain.home().clone();
        let names = plain.tree().joint_names();
        for (j, name) in robot.tree().joint_names().iter().enumerate() {
            at.q[names.iter().position(|other| other == name).unwrap()] = state.at.q[j];
        }
        assembly::at_drives(&plain, &mut assembly::Workspace::new(&plain), &q, &mut at).unwrap();
        let given = State::joints(&q, &v, &a);
        let expected = answer(&Robot::from(&robot), Question::InverseDynamics, &given);
        let found = {
            // r and ṙ of the plain robot are joints of its own.
            let drives = answer(&Robot::from(&plain), Question::Joints, &given);
            let n = plain.tree().dof();
            let pick = |part: usize| plain.freedoms().iter().map(|&k| drives[part * n + k]).collect::<Vec<f64>>();
            let (r, r_dot) = (pick(1), pick(2));
            let mut ws = formulation::Workspace::new(&plain, Formulation::TreeClosures);
            let at = Configuration { q: drives[..n].to_vec(), ..at };
            formulation::inverse_dynamics(&plain, &mut ws, &at, &r, &r_dot, &[], &Default::default()).unwrap().to_vec()
        };
        // Redundant drives share by units that the independent velocities belong to.
        if robot.driven().len() == robot.freedoms().len() {
            assert_close(&found, &expected, 1e-8, &label);
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared}");
}

/// From a pose and a twist all joints are found again, by twists of outputs whose independent velocities are joints too.
#[test]
fn a_motion_of_the_output_is_one_of_the_joints() {
    for (_, robot, state, label) in cases() {
        let n = robot.freedoms().len();
        if n > 1 && robot.freedoms()[0] < robot.tree().dof() {
            continue; // the output does not say all
        }
        let mut ws = formulation::Workspace::new(&robot, Formulation::TreeClosures);
        let (u, u_dot) = formulation::motion(&robot, &mut ws, &state.at, &state.r, &state.r_dot).unwrap();
        let (dof, six) = (robot.tree().dof(), |x: &[f64]| -> [f64; 6] { x.try_into().unwrap() });
        let (twist, acceleration) = (six(&u[dof..]), six(&u_dot[dof..]));
        if norm(&twist) < 1e-3 * norm(u) {
            continue; // an output that nearly rests
        }
        let whole = Robot::from(&robot);
        let mut evaluator = Evaluator::new(&whole, Question::Joints, None, Target::default()).unwrap().continuous(true);
        let mut row = vec![0.0; 3 * dof];
        // The search begins where the robot is.
        let rest = vec![0.0; n];
        let here = Motion::Assembled { at: &state.at, r: &rest, r_dot: &rest };
        evaluator.evaluate(&State { motion: here, ..State::default() }, &mut row).unwrap();
        evaluator.evaluate(&State::platform(state.at.pose, twist, acceleration), &mut row).unwrap();
        assert_close(&row[..dof], &state.at.q, 1e-8, &format!("{label}: q"));
        assert_close(&row[dof..2 * dof], &u[..dof], 1e-7, &format!("{label}: v"));
        assert_close(&row[2 * dof..], &u_dot[..dof], 1e-5, &format!("{label}: a"));
    }
}

/// A wrench on the output is −Jᵀ of it in the drives, and a mass there is one more on the body.
#[test]
fn wrenches_and_payloads_act_at_the_output() {
    let robot = Robot::builtin("palletizer").unwrap();
    let closed = robot.closed().unwrap();
    let mut sampler = Sampler::new(3);
    let state = sampler.closed_state(closed);
    let ClosedState { at, r, r_dot, .. } = &state;
    let efforts = |robot: &ClosedMechanism, load: &[f64]| {
        let mut ws = formulation::Workspace::new(robot, Formulation::TreeClosures);
        formulation::inverse_dynamics(robot, &mut ws, at, r, r_dot, load, &Default::default()).unwrap().to_vec()
    };
    let wrench = Wrench { force: Vec3::new(3.0, -2.0, 5.0), moment: Vec3::new(0.4, 0.7, -0.3) };
    let mut load = Load::new(closed);
    load.set(closed, at, &[], wrench);
    let on_output = load.on_velocities().to_vec();
    let jacobian =
        answer(&robot, Question::Jacobian, &State { motion: Motion::Assembled { at, r, r_dot }, ..State::default() });
    let (found, free) = (efforts(closed, &on_output), efforts(closed, &[]));
    let drives = free.len();
    for (k, (found, free)) in found.iter().zip(&free).enumerate() {
        let power: f64 = wrench.to_array().iter().enumerate().map(|(i, w)| w * jacobian[i * drives + k]).sum();
        assert!((found - (free - power)).abs() < 1e-10 * free.abs().max(1.0), "{found} {free} {power}");
    }
    let payload = BodyDescription { mass: 12.0, com: Vec3::new(0.02, -0.01, 0.1), ..BodyDescription::default() };
    let carried = efforts(&closed.with_payload(&payload), &[]);
    let mut description = toml::read(robots::find("palletizer").unwrap().toml).unwrap().0;
    let tool = description.frames[0].pose;
    let flange = description.joints.iter_mut().find(|joint| joint.name == "flange").unwrap();
    flange.body = flange.body.with(&payload.seen_from(&tool));
    assert_close(&carried, &efforts(&ClosedMechanism::new(&description).unwrap(), &[]), 1e-11, "a heavier flange");
}

/// A tool on a platform is the platform's frame moved there; a frame of a leg is an output as well.
#[test]
fn a_parallel_robot_may_have_another_output() {
    let text = robots::find("gough-stewart").unwrap().toml.replace(
        "[platform]",
        "[frame.tool]\nparent = \"platform\"\nxyz = [0.0, 0.02, 0.1]\nrpy = [0.3, 0.0, 0.0]\n[platform]",
    );
    let plain = Robot::from_toml(&text).unwrap();
    let tool = plain.with_output("tool").unwrap();
    let [one, other] = [&plain, &tool].map(|robot| robot.closed().unwrap());
    assert_eq!(one.legs(), other.legs());
    let moved = one.home().pose.inverse() * other.home().pose;
    assert_close(&moved.position.to_array(), &[0.0, 0.02, 0.1], 1e-12, "the tool");
    let at_rest = |robot: &ClosedMechanism| State { motion: Motion::at_rest(robot.home().pose), ..State::default() };
    let [one, other] = [(&plain, one), (&tool, other)]
        .map(|(robot, closed)| answer(robot, Question::InverseDynamics, &at_rest(closed)));
    assert_close(&other, &one, 1e-11, "holding");

    let leg = Robot::builtin("gough-stewart").unwrap().with_output("leg2.slide").unwrap();
    let closed = leg.closed().unwrap();
    assert!(closed.legs().is_empty() && closed.freedoms().len() == 6, "{:?}", closed.freedom_names());
    assert!(leg.joint("platform.yaw").is_some());
    // The end of a leg moves by its own three joints: the other degrees of freedom are other joints'.
    assert!(closed.freedoms()[0] < closed.tree().dof());
    // The same place and the same names.
    let plain = Robot::builtin("gough-stewart").unwrap();
    let plain = plain.closed().unwrap();
    let mut at = closed.home().clone();
    for (j, name) in closed.tree().joint_names().iter().enumerate() {
        let place = plain.tree().joint_names().iter().position(|other| other == name);
        at.q[j] = place.map_or(0.0, |k| plain.home().q[k]);
    }
    let frame = closed.tree().frame("leg2.slide").unwrap();
    at.pose = kinematics::positions(closed.tree(), &mut kinematics::Workspace::new(closed.tree()), &at.q)[frame];
    let holding = |robot: &ClosedMechanism, at: &Configuration| {
        let (rest, sharing) = ([0.0; 6], Default::default());
        let mut ws = formulation::Workspace::new(robot, Formulation::TreeClosures);
        formulation::inverse_dynamics(robot, &mut ws, at, &rest, &rest, &[], &sharing).unwrap().to_vec()
    };
    assert_close(&holding(closed, &at), &holding(plain, plain.home()), 1e-10, "holding");
}

/// A five-bar written as a tree has legs when its tip is the output, and a map and lines like any other.
#[test]
fn a_linkage_with_an_output_is_a_parallel_robot() {
    let robot = Robot::from_toml(FIVE_BAR).unwrap();
    let closed = robot.closed().unwrap();
    assert_eq!(closed.legs().len(), 2);
    assert_eq!(closed.freedom_names(), ["vx", "vy"]);
    assert_eq!(Formulation::of(closed)[0], Formulation::LegsPlatform);
    let home = closed.home().pose;
    assert_close(&home.position.to_array(), &[0.15, 0.4, 0.0], 1e-12, "home");
    // Only its position is the user's: the attitude follows.
    let pose = Pose { position: Vec3::new(0.2, 0.35, 0.0), ..home };
    let mut at = Configuration { pose, ..closed.home().clone() };
    assembly::near_pose(closed, &mut assembly::Workspace::new(closed), &mut at).unwrap();
    assert_close(&at.pose.position.to_array(), &pose.position.to_array(), 1e-12, "held");
    let axis = |coordinate, from, to| Axis { coordinate, from, to, cells: 5 };
    let slice = Slice::at_home(closed, axis(Coordinate::X, 0.0, 0.3), axis(Coordinate::Y, 0.3, 0.45));
    let map = map(closed, &slice, |_, _| ControlFlow::Continue(())).unwrap();
    assert!(map.cells.iter().all(|cell| matches!(cell, Cell::Reachable { type2, .. } if *type2 > 0.01)), "{map:?}");
}

/// MuJoCo's open trees and NumPy's loops (scripts/golden-loops.py) have the same torques for the same motion of the drives,
/// by every method, and the same output.
#[test]
fn robots_with_loops_are_those_of_another_program() {
    let golden = parallel_golden("loops.json");
    for name in ["hexaglide", "exechon", "tricept", "palletizer", "delta-parallelograms", "orthoglide", "par4"] {
        let robot = Robot::builtin(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let closed = robot.closed().unwrap();
        let drives: Vec<&str> =
            golden[name]["drives"].as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect();
        // Where each drive of ours stands in theirs.
        let order: Vec<usize> =
            robot.drives().iter().map(|d| drives.iter().position(|x| *x == d.name).unwrap()).collect();
        for (k, state) in golden[name]["states"].as_array().unwrap().iter().enumerate() {
            let label = format!("{name} {k}");
            let ours = |key: &str| {
                let theirs = numbers(&state[key]);
                order.iter().map(|&k| theirs[k]).collect::<Vec<f64>>()
            };
            let (q, v, a, tau) = (ours("q"), ours("v"), ours("a"), ours("tau"));
            let given = State::joints(&q, &v, &a);
            for (method, mut evaluator) in evaluators(closed, Question::InverseDynamics) {
                let mut found = vec![0.0; q.len()];
                evaluator.evaluate(&given, &mut found).unwrap_or_else(|error| panic!("{label}: {error}"));
                assert_close(&found, &tau, 1e-9, &format!("{label}: {method}"));
            }
            let platform = answer(&robot, Question::Platform, &given);
            assert_close(&platform[..3], &numbers(&state["p"]), 1e-10, &format!("{label}: place"));
            assert_close(&platform[7..13], &numbers(&state["V"]), 1e-9, &format!("{label}: twist"));
        }
    }
}

/// Wrong outputs are named, each with a remedy.
#[test]
fn wrong_outputs_say_what_there_is() {
    let reported = |text: String| match Robot::from_toml(&text) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("a robot"),
    };
    let with = |output: &str| FIVE_BAR.replace("output = \"tip\"", &format!("output = \"{output}\""));
    let unknown = reported(with("hand"));
    assert!(unknown.contains("line 5: error: output: there is no frame `hand`"), "{unknown}");
    assert!(unknown.contains("frames are left, right, lower, upper, tip"), "{unknown}");
    for fixed in ["base", "foot"] {
        let text = with(fixed) + "[frame.foot]\nparent = \"base\"\n";
        assert!(reported(text).contains("stands on the base and never moves"), "{fixed}");
    }
    assert!(reported(with("tip").replace("output = \"tip\"", "output = 7")).contains("expected the name of a frame"));
    let still = Robot::from_toml(STILL).unwrap_err();
    assert!(matches!(&still, RobotError::Closed(error) if error.to_string().contains("does not move")), "{still}");
    let serial = format!("output = \"tool\"\n{}", robots::find("puma560").unwrap().toml);
    assert!(reported(serial).contains("no closed loops"));
    let arm = Robot::builtin("puma560").unwrap();
    assert!(arm.with_output("wrist").is_err());
    assert!(matches!(Robot::from(arm.tree()).with_output("wrist"), Err(RobotError::NoDescription)));
}

/// What is wrong with a parallelogram, a part or what a leg stands on is reported where it is written.
#[test]
fn wrong_parallelograms_and_parts_are_told_with_their_lines() {
    let delta = robots::find("delta-parallelograms").unwrap().toml;
    let line = |text: &str, part: &str| text.lines().position(|line| line.contains(part)).unwrap() + 1;
    let place = line(delta, "parallelogram.forearm]");
    for (from, to, expected) in [
        (
            "parallelogram.forearm]",
            "parallelogram.elbow]",
            format!("line {place}: error: chain.rrpar.parallelogram.elbow: the leg has no joint `elbow`"),
        ),
        (
            "length = 0.8",
            "length = -0.8",
            format!(
                "line {}: error: chain.rrpar.parallelogram.forearm.length: is -0.8; expected a positive number",
                place + 1
            ),
        ),
        (
            "width = 0.1",
            "",
            format!("line {place}: error: chain.rrpar.parallelogram.forearm.width: is missing; expected a length"),
        ),
        (
            "width = 0.1",
            "width = 0.1\nlenght = 1",
            format!("line {}: error: chain.rrpar.parallelogram.forearm.lenght: is not known here", place + 3),
        ),
        (
            "[leg.leg1]\nplatform = { xyz",
            "[leg.leg1]\nplatform = { on = \"plate\", xyz",
            format!("line {}: error: leg.leg1.platform.on: there is no joint `plate`", line(delta, "[leg.leg1]") + 1),
        ),
    ] {
        assert!(delta.contains(from), "{from}");
        let reported = Robot::from_toml(&delta.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(reported.contains(&expected), "{expected}\n{reported}");
    }
    let orthoglide = robots::find("orthoglide").unwrap().toml.replace("parallelogram.rods", "parallelogram.slide");
    assert!(Robot::from_toml(&orthoglide).unwrap_err().to_string().contains("a joint that slides"));
    let heavy = TWO_STAGES.replacen("mass = 8.0", "mass = -8.0", 1);
    assert!(Robot::from_toml(&heavy).unwrap_err().to_string().contains("line 4: error: part.lower.mass: is -8 kg"));
    let taken = TWO_STAGES.replace("[part.lower]", "[part.base]").replace("\"lower\"", "\"base\"");
    assert!(Robot::from_toml(&taken).unwrap_err().to_string().contains("part.base"));
}

/// A platform on another one: the first is a part, on which the legs of the second stand.
#[test]
fn two_stages_stand_on_each_other() {
    let robot = Robot::from_toml(TWO_STAGES).unwrap_or_else(|error| panic!("{error}"));
    let closed = robot.closed().unwrap();
    assert_eq!((closed.freedoms().len(), closed.driven().len()), (6, 6), "{:?}", closed.mobility());
    let mut sampler = Sampler::new(5);
    for _ in 0..5 {
        let ClosedState { at, r, r_dot, .. } = sampler.closed_state(closed);
        let mut by_space = formulation::Workspace::new(closed, Formulation::TreeClosures);
        let mut by_kkt = formulation::Workspace::with_reactions(closed, 0.0);
        let sharing = Default::default();
        let tau =
            formulation::inverse_dynamics(closed, &mut by_space, &at, &r, &r_dot, &[], &sharing).unwrap().to_vec();
        let kkt = formulation::inverse_dynamics(closed, &mut by_kkt, &at, &r, &r_dot, &[], &sharing).unwrap();
        assert_close(kkt, &tau, 1e-9, "KKT");
        let back = formulation::forward_dynamics(closed, &mut by_kkt, &at, &r, &tau, &[]).unwrap();
        assert_close(back, &r_dot, 1e-8, "forward");
    }
}

const FIVE_BAR: &str = r#"name = "five-bar as a tree"
frames = "khalil-kleinfinger"
gravity = [0.0, -9.81, 0.0]

output = "tip"
joints = [
  ["left",  "revolute", "base",  0, 0, 0, 0,    "q", 0],
  ["right", "revolute", "base",  0, 0, 0, 0.3,  "q", 0],
  ["lower", "revolute", "right", 0, 0, 0, 0.25, "q", 0],
  ["upper", "revolute", "left",  0, 0, 0, 0.25, "q", 0],
]
body.left = { mass = 0.4, com = [0.12, 0, 0], inertia = { xx = 1e-4, yy = 3e-3, zz = 3e-3 } }
body.right = { mass = 0.4, com = [0.12, 0, 0], inertia = { xx = 1e-4, yy = 3e-3, zz = 3e-3 } }
body.lower = { mass = 0.3, com = [0.15, 0, 0], inertia = { xx = 1e-4, yy = 3e-3, zz = 3e-3 } }
body.upper = { mass = 0.3, com = [0.15, 0, 0], inertia = { xx = 1e-4, yy = 3e-3, zz = 3e-3 } }
joint.left.home = 1.970835948986386
joint.right.home = 1.170756704603407
joint.lower = { driven = false, home = 1.3694384060045657 }
joint.upper = { driven = false, home = -1.3694384060045657 }
[frame.tip]
parent = "upper"
xyz = [0.3, 0, 0]
[closure.pin]
joint = "revolute"
first = { on = "lower", xyz = [0.3, 0, 0] }
second = { on = "upper", xyz = [0.3, 0, 0] }
"#;

/// A four-bar, and beside it a lever that a strut holds.
const STILL: &str = r#"name = "a lever that a strut holds"
frames = "khalil-kleinfinger"
output = "lever"
joints = [
  ["crank",   "revolute", "base",  0, 0, 0, 0,    "q", 0],
  ["coupler", "revolute", "crank", 0, 0, 0, 0.1,  "q", 0],
  ["rocker",  "revolute", "base",  0, 0, 0, 0.3,  "q", 0],
  ["lever",   "revolute", "base",  0, 0, 0, -0.5, "q", 0],
]
body.crank.mass = 0
body.coupler = { mass = 0.4, com = [0.1, 0, 0], inertia = { xx = 1e-4, yy = 3e-3, zz = 3e-3 } }
body.rocker.mass = 0
body.lever.mass = 0
joint.crank.home = "60 deg"
joint.coupler = { driven = false, home = -0.469527 }
joint.rocker = { driven = false, home = 1.635148 }
joint.lever.driven = false
[closure.pin]
joint = "revolute"
first = { on = "coupler", xyz = [0.28, 0, 0] }
second = { on = "rocker", xyz = [0.24, 0, 0] }
[closure.strut]
joint = "revolute"
first = { on = "lever", xyz = [0.2, 0, 0] }
second = { on = "base", xyz = [-0.3, 0, 0] }
"#;

/// Three legs lift and tilt a part; on it three arms in its plane move the platform.
const TWO_STAGES: &str = r#"name = "two stages"
frames = "modified-dh"
[part.lower]
mass = 8.0
com = [0.01, -0.008, 0.03]
inertia = { xx = 0.16, yy = 0.17, zz = 0.3 }
home = { xyz = [0.0, 0.0, 0.75] }
[platform]
mass = 2.0
com = [0.0, 0.0, 0.02]
inertia = { xx = 0.02, yy = 0.02, zz = 0.04 }
home = { xyz = [0.0, 0.0, 0.8] }
[chain.rps]
joints = [
  ["hinge", "revolute",  "-90 deg", 0.45, "q",   0.0],
  ["slide", "prismatic", "90 deg",  0.0,  "0",   "q"],
]
driven = ["slide"]
closing = "spherical"
body.hinge = { mass = 2.4, com = [0.0, -0.18, 0.0], inertia = { xx = 0.03, yy = 0.002, zz = 0.031 } }
body.slide = { mass = 1.1, com = [0.0, 0.0, -0.19], inertia = { xx = 0.0135, yy = 0.0136, zz = 0.0005 } }
joint.hinge.home = -0.2229
joint.slide = { home = 0.769025, branch = "+" }
[chain.rrr]
joints = [
  ["arm",  "revolute", "0", 0.25, "q", 0.0],
  ["link", "revolute", "0", 0.15, "q", 0.0],
]
driven = ["arm"]
closing = "revolute"
end = { xyz = [0.2, 0.0, 0.0] }
body.arm = { mass = 0.5, com = [0.07, 0.0, 0.0], inertia = { xx = 1e-4, yy = 1e-3, zz = 1e-3 } }
body.link = { mass = 0.4, com = [0.1, 0.0, 0.0], inertia = { xx = 1e-4, yy = 1.4e-3, zz = 1.4e-3 } }
joint.arm.home = 1.9032
joint.link.home = 2.026
[leg.A1]
chain = "rps"
platform = { on = "lower", xyz = [0.28, 0.0, 0.0] }
[leg.A2]
chain = "rps"
base = { rpy = [0.0, 0.0, "120 deg"] }
platform = { on = "lower", xyz = [-0.14, 0.24248711305964282, 0.0] }
[leg.A3]
chain = "rps"
base = { rpy = [0.0, 0.0, "240 deg"] }
platform = { on = "lower", xyz = [-0.14, -0.24248711305964282, 0.0] }
[leg.B1]
chain = "rrr"
base = { on = "lower", xyz = [0.0, 0.0, 0.05] }
platform = { xyz = [0.06, 0.0, 0.0] }
[leg.B2]
chain = "rrr"
base = { on = "lower", xyz = [0.0, 0.0, 0.05], rpy = [0.0, 0.0, "120 deg"] }
platform = { xyz = [-0.03, 0.05196152422706632, 0.0] }
[leg.B3]
chain = "rrr"
base = { on = "lower", xyz = [0.0, 0.0, 0.05], rpy = [0.0, 0.0, "240 deg"] }
platform = { xyz = [-0.03, -0.05196152422706632, 0.0] }
"#;

/// The home of a joint of several degrees of freedom is that of its turn about z, for the output too.
#[test]
fn the_home_of_every_joint_is_kept_by_its_output() {
    let text = robots::find("tricept").unwrap().toml;
    for kind in [JointType::Revolute, JointType::Universal, JointType::Cylindrical, JointType::Planar] {
        let (mut description, _) = toml::read(text).unwrap();
        let joint = description.joints.iter_mut().find(|joint| joint.name == "wrist2").unwrap();
        (joint.kind, joint.home) = (kind, 0.3);
        let robot = ClosedMechanism::new(&description).unwrap_or_else(|error| panic!("{kind:?}: {error}"));
        let row = robot.tree().joint_names().iter().position(|name| name == "wrist2").unwrap();
        // The file gives the legs to a few digits.
        assert!((robot.home().q[row] - 0.3).abs() < 1e-5, "{kind:?}: {}", robot.home().q[row]);
    }
}
