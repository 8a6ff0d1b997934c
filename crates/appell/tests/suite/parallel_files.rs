//! The files of closed robots against reference data: at the joints' golden positions every leg ends where the platform's
//! golden pose wants it, turned as its closing joint allows, and all bodies together have the golden energy.

use crate::common::{closed, described, matrix, number, numbers, parallel_golden, vector};
use appell::closed::{ClosedMechanism, assembly};
use appell::description::{
    BodyDescription, Branch, Carrier, ClosingJoint, ClosureDescription, Description, resolve, toml,
};
use appell::dynamics::energy::energy;
use appell::kinematics;
use appell::mechanism::Mechanism;
use appell::robots;
use appell::sample::Sampler;
use appell::spatial::{Mat3, PlanarRotation, Pose, Vec3};
use serde_json::Value;
use std::f64::consts::PI;

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
    let gap = |closure: &ClosureDescription| {
        let [first, second] = [&closure.first, &closure.second].map(|end| base_from(&end.on) * end.pose);
        let distance = (first.position - second.position).norm();
        let apart = |a: usize, b: usize| first.rotation.column(a) - second.rotation.column(b);
        let turned = match closure.kind {
            ClosingJoint::Spherical => 0.0,
            ClosingJoint::Revolute => apart(2, 2).norm(),
            ClosingJoint::Universal => first.rotation.column(0).dot(second.rotation.column(1)).abs(),
            ClosingJoint::Rigid => apart(0, 0).norm().max(apart(1, 1).norm()),
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

/// A golden state: the joints' positions and velocities, the platform's pose and twist, and the energy of it all.
struct Golden {
    label: String,
    q: Vec<f64>,
    v: Vec<f64>,
    pose: Pose<f64>,
    velocity: Vec3<f64>,
    omega: Vec3<f64>,
    kinetic: f64,
    potential: f64,
}

/// Two lists of numbers, taken in turn.
fn interleaved(state: &Value, keys: [&str; 2]) -> Vec<f64> {
    let [a, b] = keys.map(|key| numbers(&state[key]));
    a.into_iter().zip(b).flat_map(|(a, b)| [a, b]).collect()
}

impl Golden {
    /// A state of a file that gives the platform's pose and twist, and q leg by leg.
    fn general(state: &Value) -> Self {
        let twist = numbers(&state["V"]);
        Self {
            label: String::new(),
            q: numbers(&state["q"]),
            v: numbers(&state["qd"]),
            pose: Pose { rotation: matrix(&numbers(&state["R"])), position: vector(&numbers(&state["p"])) },
            velocity: vector(&twist),
            omega: vector(&twist[3..]),
            kinetic: number(&state["KE"]),
            potential: number(&state["PE"]),
        }
    }

    /// A state of a robot whose platform turns about the origin; `joints` names the lists of positions, and `d` behind
    /// a name means velocities.
    fn spherical(state: &Value, joints: [&str; 2], rotation: Mat3<f64>, potential: &str) -> Self {
        let rates = joints.map(|name| format!("{name}d"));
        Self {
            label: String::new(),
            q: interleaved(state, joints),
            v: interleaved(state, [&rates[0], &rates[1]]),
            pose: Pose { rotation, ..Pose::identity(0.0) },
            velocity: Vec3::zero(0.0),
            omega: vector(&numbers(&state["omega"])),
            kinetic: number(&state["KE"]),
            potential: number(&state[potential]),
        }
    }
}

/// The golden states of a robot's file: those under `lists`, each made by `read`.
fn states(file: &str, lists: &[&str], read: impl Fn(&Value) -> Golden) -> Vec<Golden> {
    let content = parallel_golden(file);
    let states = lists.iter().flat_map(|list| content[*list].as_array().unwrap());
    let states: Vec<Golden> =
        states.enumerate().map(|(k, state)| Golden { label: format!("{file} {k}"), ..read(state) }).collect();
    assert!(states.len() >= 20);
    states
}

/// Every robot that has golden data, with its states.
fn all_golden() -> Vec<(&'static str, Vec<Golden>)> {
    let wrist = |state: &Value| {
        let [yaw, pitch, roll] = numbers(&state["q"])[..] else { panic!() };
        let rotation = Mat3::from_roll_pitch_yaw(Vec3::new(roll, pitch, yaw));
        Golden::spherical(state, ["theta", "psi"], rotation, "PE")
    };
    let star = |state: &Value| {
        let euler = vector(&numbers(&state["euler"])).to_array();
        let [theta, phi, psi] = euler.map(PlanarRotation::by);
        let rotation = theta.matrix_z() * phi.matrix_y() * psi.matrix_z();
        Golden::spherical(state, ["gamma", "mu"], rotation, "PE_gravity")
    };
    vec![
        ("gough-stewart", states("shared_gough_stewart.json", &["states", "trajectory"], Golden::general)),
        ("five-bar", states("shared_five_bar.json", &["data"], Golden::general)),
        ("planar-3rrr", states("shared_planar_3rrr.json", &["data"], Golden::general)),
        ("delta", states("shared_delta.json", &["data"], Golden::general)),
        ("3-rps", states("shared_rps3.json", &["data"], Golden::general)),
        ("agile-wrist", states("shared_agile_wrist_states.json", &["data"], wrist)),
        ("agile-wrist", states("shared_agile_wrist_traj.json", &["data"], wrist)),
        ("sst", states("shared_sst_traj.json", &["trajectory_1", "trajectory_2"], star)),
    ]
}

#[test]
fn legs_reach_the_platform() {
    for (name, states) in all_golden() {
        let description = described(name);
        for state in states {
            assert_closed(&state.label, &description, &state.q, &state.pose, 1e-12);
        }
    }
}

/// Masses and inertias: the energy of the open tree and of the platform beside it is that of the data.
#[test]
fn bodies_have_the_golden_energy() {
    for (name, states) in all_golden() {
        let description = described(name);
        let robot = opened(&description);
        let mut workspace = kinematics::Workspace::new(&robot);
        let BodyDescription { mass, com, inertia } = description.platform.unwrap().body;
        for state in states {
            let legs = energy(&robot, &mut workspace, &state.q, &state.v);
            let arm = state.pose.rotation * com;
            let velocity = state.velocity + state.omega.cross(arm);
            let omega = state.pose.rotation.transpose_times(state.omega);
            let kinetic = 0.5 * (mass * velocity.dot(velocity) + omega.dot(inertia.times_moving(omega)));
            let potential = -mass * description.gravity.dot(state.pose.position + arm);
            let found = [legs.kinetic + kinetic, legs.potential + potential];
            let expected = [state.kinetic, state.potential];
            let scale = expected[0].abs().max(expected[1].abs());
            let close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12 * scale);
            assert!(close, "{name}, {}: {found:?}, expected {expected:?}", state.label);
        }
    }
}

#[test]
fn robots_are_assembled_at_home_in_their_working_mode() {
    for name in robots::CLOSED.iter().map(|builtin| builtin.name) {
        let description = resolve(&described(name)).into_owned();
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
    for name in robots::all().map(|builtin| builtin.name) {
        let robot = described(name);
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

#[test]
fn fewer_freedoms_than_the_platform_has_are_refused() {
    let home = "home = { xyz = [0.0, 0.0, 0.75] }";
    let whole = robots::find("gough-stewart").unwrap().toml;
    let few = whole.replace(home, &format!("{home}\nfreedoms = [\"vx\", \"wz\"]"));
    let error = ClosedMechanism::from_toml(&few).unwrap_err().to_string();
    assert!(error.contains("freedoms vx wz do not describe its motion, which has 6; choose 6"), "{error}");
}

/// From far away Newton's method may turn a joint many times; nobody did.
#[test]
fn passive_joints_make_no_turns_of_their_own() {
    let robot = closed("delta");
    let mut workspace = assembly::Workspace::new(&robot);
    let mut sampler = Sampler::new(1);
    let mut assembled = 0;
    for _ in 0..50 {
        let mut at = robot.home().clone();
        let positions = [(); 3].map(|()| 0.7 + sampler.within(1.2));
        if assembly::at_drives(&robot, &mut workspace, &positions, &mut at).is_err() {
            continue;
        }
        assembled += 1;
        for (j, (q, home)) in at.q.iter().zip(&robot.home().q).enumerate() {
            assert!(robot.driven().contains(&j) || (q - home).abs() <= PI, "{}: {q}", robot.tree().joint_names()[j]);
        }
    }
    assert!(assembled > 30, "{assembled}");
}

/// Newton's method, at once from home, would assemble them in another way: a Delta's platform turned by 97°, a four-bar crossed.
#[test]
fn drives_far_from_home_are_assembled_as_at_home() {
    let delta = closed("delta");
    let (mut workspace, mut at) = (assembly::Workspace::new(&delta), delta.home().clone());
    assembly::at_drives(&delta, &mut workspace, &[1.441, 1.017, 0.598], &mut at).unwrap();
    for (row, home) in at.pose.rotation.rows.iter().zip(&delta.home().pose.rotation.rows) {
        assert!((*row - *home).norm() < 1e-9, "{:?}", at.pose);
    }
    let four_bar = closed("four-bar");
    let (mut workspace, mut at) = (assembly::Workspace::new(&four_bar), four_bar.home().clone());
    let mut on_the_way = at.clone();
    let crank = four_bar.driven()[0];
    for step in 1..=200 {
        let angle = at.q[crank] + f64::from(step) / 200.0 * (5.0 - at.q[crank]);
        assembly::follow(&four_bar, &mut workspace, &[angle], &mut on_the_way).unwrap();
    }
    assembly::at_drives(&four_bar, &mut workspace, &[5.0], &mut at).unwrap();
    for (at_once, in_steps) in at.q.iter().zip(&on_the_way.q) {
        assert!((at_once - in_steps).abs() < 1e-9, "{at_once} {in_steps}");
    }
}

/// On this way the platform of a 3-RPS robot comes to a singularity of Type 2, behind which it hangs head down.
#[test]
fn drives_that_lose_the_robot_are_refused() {
    let robot = closed("3-rps");
    let mut workspace = assembly::Workspace::new(&robot);
    let mut at = robot.home().clone();
    let outcome = (0..=60).map(|i| f64::from(i) / 60.0).find_map(|x| {
        let drives = [0.769 - 0.469 * x, 0.769 + 0.131 * x, 0.769 + 0.131 * x];
        let before = at.clone();
        let error = assembly::follow(&robot, &mut workspace, &drives, &mut at).err()?;
        assert_eq!(at.q, before.q, "as it was");
        Some((x, error))
    });
    let (x, error) = outcome.expect("no way leads on");
    assert!(x > 0.35 && x < 0.45, "{x}: {error}");
}
