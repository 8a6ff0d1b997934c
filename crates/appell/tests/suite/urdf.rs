//! URDF, DH tables and written URDF describe the same robots.

use crate::common::{assert_close, numbers};
use appell::description::urdf::{self, Options};
use appell::description::{Description, Finding, Limits, Mimic, Problems, toml};
use appell::dynamics::{composite_body, newton_euler};
use appell::kinematics;
use appell::mechanism::Mechanism;
use appell::robots;
use appell::sample::{RandomState, Sampler, Shape};
use appell::spatial::{Mat3, PlanarRotation, Pose, Quaternion, Vec3};
use serde_json::Value;
use std::collections::BTreeSet;

const TOLERANCE: f64 = 1e-12;

fn mechanism(urdf: &str) -> Mechanism {
    Mechanism::from_urdf(urdf).unwrap_or_else(|problems| panic!("{problems}\nin {urdf}"))
}

/// Poses of all frames.
fn poses(robot: &Mechanism, q: &[f64]) -> Vec<Pose<f64>> {
    kinematics::positions(robot, &mut kinematics::Workspace::new(robot), q).to_vec()
}

/// τ and M of a state.
fn dynamics(robot: &Mechanism, state: &RandomState) -> (Vec<f64>, Vec<f64>) {
    let mut ws = newton_euler::Workspace::new(robot);
    let tau = newton_euler::inverse_dynamics(robot, &mut ws, &state.q, &state.v, &state.a).to_vec();
    let mut ws = composite_body::Workspace::new(robot);
    (tau, composite_body::inertia_matrix(robot, &mut ws, &state.q).to_vec())
}

/// Asserts that two robots are the same but for the order of their joints: joint k of the first is `order[k]` of the
/// second.
#[track_caller]
fn assert_same(first: &Mechanism, second: &Mechanism, order: &[usize], label: &str) {
    let n = first.dof();
    assert_eq!((second.dof(), order.len()), (n, n), "{label}");
    let mut sampler = Sampler::new(3);
    for _ in 0..3 {
        let state = sampler.state(first);
        let reordered = |x: &[f64]| -> Vec<f64> {
            let mut result = vec![0.0; n];
            order.iter().zip(x).for_each(|(&k, x)| result[k] = *x);
            result
        };
        let other = RandomState {
            q: reordered(&state.q),
            v: reordered(&state.v),
            a: reordered(&state.a),
            tau: reordered(&state.tau),
        };
        let ((tau, inertia), (other_tau, other_inertia)) = (dynamics(first, &state), dynamics(second, &other));
        let back: Vec<f64> = order.iter().map(|&k| other_tau[k]).collect();
        assert_close(&back, &tau, TOLERANCE, &format!("{label}: tau"));
        let back: Vec<f64> = order
            .iter()
            .flat_map(|&i| order.iter().map(move |&j| (i, j)))
            .map(|(i, j)| other_inertia[n * i + j])
            .collect();
        assert_close(&back, &inertia, TOLERANCE, &format!("{label}: M"));
        let (poses, other_poses) = (poses(first, &state.q), poses(second, &other.q));
        for (frame, pose) in first.frames().iter().zip(poses) {
            if let Some(k) = second.frame(&frame.name) {
                assert_close(
                    &other_poses[k].to_array(),
                    &pose.to_array(),
                    TOLERANCE,
                    &format!("{label}: {}", frame.name),
                );
            }
        }
    }
}

/// The joints of one robot in another one, by their names.
fn order_by_name(first: &Mechanism, second: &Mechanism) -> Vec<usize> {
    let find = |name| second.joint_names().iter().position(|other| other == name).unwrap();
    first.joint_names().iter().map(find).collect()
}

/// A description written, read back and compared: what comes back, and what was left out.
#[track_caller]
fn round_trip(description: &Description) -> (Description, Problems) {
    let (text, dropped) = urdf::write(description).unwrap_or_else(|problems| panic!("{problems}"));
    let (mut back, _) =
        urdf::read(&text, Options::default()).unwrap_or_else(|problems| panic!("{problems}\nin {text}"));
    back.gravity = description.gravity;
    let [first, second] = [description, &back].map(|robot| Mechanism::new(robot).unwrap());
    assert_same(&first, &second, &order_by_name(&first, &second), &description.name);
    let [first, second] = [first, second]
        .map(|robot| -> BTreeSet<String> { robot.frames().iter().map(|frame| frame.name.clone()).collect() });
    assert_eq!(first, second, "{text}");
    (back, dropped)
}

#[test]
fn peers_urdf_and_our_tables_are_the_same_robots() {
    for (urdf, name) in [
        (include_str!("../../../../tests/data/urdf/puma560.urdf"), "puma560"),
        (include_str!("../../../../tests/data/urdf/panda7.urdf"), "seven-axis"),
    ] {
        let (table, urdf) = (robots::find(name).unwrap().mechanism(), mechanism(urdf));
        assert_same(&table, &urdf, &Vec::from_iter(0..table.dof()), name);
        // The placements are found again as the table has them.
        for (ours, theirs) in urdf.links().iter().zip(table.links()) {
            assert_eq!(ours.placement, theirs.placement, "{name}");
        }
    }
}

#[test]
fn any_axis_and_merged_links_are_the_same_robot() {
    let table = Mechanism::from_toml(
        "name = 'pendulum'\nframes = 'modified-dh'\njoints = [\n['a', 'revolute', '-90 deg', 0, 'q', 0],\n\
         ['b', 'revolute', 0, 0.5, 'q', 0],\n['c', 'prismatic', '90 deg', 0.1, 0, 'q + 0.3'],\n]\n\
         [body.a]\nmass = 2\ncom = [0.3, 0, 0]\ninertia = { xx = 0.02, yy = 0.06, zz = 0.05 }\n\
         [body.b]\nmass = 1\ncom = [0.2, 0, 0]\ninertia = { xx = 0.01, yy = 0.02, zz = 0.02, xy = 0.001 }\n\
         [body.c]\nmass = 3\ncom = [0, 0, 0.1]\ninertia = { xx = 0.01, yy = 0.02, zz = 0.02 }",
    )
    .unwrap();
    // Half of body a is a link fixed on it and turned; the next links keep its axes.
    let half = "<mass value='1'/><inertia ixx='0.01' iyy='0.015' izz='0.02'/>";
    let urdf = mechanism(&format!(
        "<robot name='pendulum'><link name='floor'/>\n\
         <link name='upper'><inertial><origin xyz='0.2 0 0'/>{half}</inertial></link>\n\
         <link name='far'><inertial><origin xyz='0 0 -0.1'/>\n\
           <mass value='1'/><inertia ixx='0.02' iyy='0.015' izz='0.01'/></inertial></link>\n\
         <link name='fore'><inertial><origin xyz='0 0 0.2' rpy='1.5707963267948966 0 0'/>\n\
           <mass value='1'/><inertia ixx='0.02' iyy='0.01' izz='0.02' ixy='0.001'/></inertial></link>\n\
         <link name='quill'><inertial><origin xyz='-0.1 0 0'/>\n\
           <mass value='3'/><inertia ixx='0.02' iyy='0.02' izz='0.01'/></inertial></link>\n\
         <joint name='j' type='continuous'><parent link='floor'/><child link='upper'/><axis xyz='0 1 0'/></joint>\n\
         <joint name='k' type='fixed'><parent link='upper'/><child link='far'/>\n\
           <origin xyz='0.5 0 0' rpy='0 1.5707963267948966 0'/></joint>\n\
         <joint name='l' type='continuous'><parent link='far'/><child link='fore'/>\n\
           <axis xyz='0 1 0'/></joint>\n\
         <joint name='m' type='prismatic'><parent link='fore'/><child link='quill'/>\n\
           <origin xyz='-0.3 0 0.1'/><axis xyz='-1 0 0'/></joint></robot>"
    ));
    assert_same(&table, &urdf, &[0, 1, 2], "pendulum");
}

/// Rounded right angles make axes nearly parallel, which common normals do not survive.
#[test]
fn a_file_with_rounded_angles_gives_pinocchios_numbers() {
    let robot = mechanism(include_str!("../../../../tests/data/urdf/rounded.urdf"));
    let golden: Value = serde_json::from_str(include_str!("../../../../tests/golden/urdf/rounded.json")).unwrap();
    assert_eq!(serde_json::json!(robot.joint_names()), golden["joints"]);
    for state in golden["states"].as_array().unwrap() {
        let [q, v, a] = ["q", "v", "a"].map(|key| numbers(&state[key]));
        let poses = poses(&robot, &q);
        let (tau, inertia) = dynamics(&robot, &RandomState { q, v, a, tau: Vec::new() });
        assert_close(&tau, &numbers(&state["tau"]), 1e-14, "tau");
        assert_close(&inertia, &numbers(&state["inertia_matrix"]), 1e-14, "M");
        for (name, pose) in state["frames"].as_object().unwrap() {
            assert_close(&poses[robot.frame(name).unwrap()].to_array(), &numbers(pose), 1e-14, name);
        }
    }
}

#[test]
fn built_in_robots_round_trip() {
    for robot in robots::TREES {
        let (description, _) = toml::read(robot.toml).unwrap();
        let (_, dropped) = round_trip(&description);
        assert!(dropped.iter().all(|problem| problem.place == "gravity"), "{dropped}");
    }
}

#[test]
fn random_robots_round_trip() {
    for seed in 0..40 {
        let shape = if seed % 2 == 0 { Shape::Chain } else { Shape::Tree };
        let mut sampler = Sampler::new(seed);
        round_trip(&sampler.description(1 + seed as usize, shape));
    }
}

#[test]
fn standard_tables_keep_their_frames() {
    let (description, _) = toml::read(
        "name = 'x'\nframes = 'standard-dh'\njoints = [['a', 'revolute', 'q', 0.1, 0.3, '90 deg'],\n\
         ['b', 'prismatic', '30 deg', 'q', 0.2, 0.7], ['c', 'revolute', 'q - 1', 0, 0, '-90 deg']]\n\
         [body.a]\nmass = 1\ncom = [0.1, 0.2, 0.5]\ninertia = { xx = 1, yy = 2, zz = 2.5, xy = 0.1 }\n\
         [body.b]\nmass = 2\ncom = [0.1, 0, 0]\ninertia = { xx = 1, yy = 2, zz = 2.5, xy = 0.1 }\n\
         [body.c]\nmass = 0\n[frame.tool]\nparent = 'a'\nxyz = [0.1, 0.2, 0.3]\nrpy = [1, 2, 3]\n\
         [frame.stand]\nparent = 'base'\nxyz = [1, 2, 3]",
    )
    .unwrap();
    let (back, _) = round_trip(&round_trip(&description).0);
    let names: Vec<&str> = back.frames.iter().map(|frame| frame.name.as_str()).collect();
    assert_eq!(names, ["tool", "stand"]);
}

/// Limits, friction and mimicry survive; what a URDF cannot say is told.
#[test]
fn what_a_urdf_says_is_kept_and_the_rest_is_told() {
    let mut description = Sampler::new(1).description(3, Shape::Chain);
    let [a, b, c] = &mut description.joints[..] else { unreachable!() };
    a.limits = Limits { lower: -1.0, upper: 2.5, ..Limits::default() };
    b.limits = Limits { velocity: 3.0, ..Limits::default() };
    b.effects.friction.viscous = 0.1;
    b.effects.friction.coulomb = 1e-7;
    c.mimic = Some(Mimic::new(&a.name, -2.0, 0.1));
    c.driven = false; // as a follower is read
    let (back, dropped) = round_trip(&description);
    assert!(dropped.is_empty(), "{dropped}");
    for (ours, theirs) in description.joints.iter().zip(&back.joints) {
        assert_eq!((ours.limits, ours.effects, &ours.mimic), (theirs.limits, theirs.effects, &theirs.mimic));
    }
    description.gravity = Vec3::new(0.0, 9.81, 0.0);
    let joint = &mut description.joints[1];
    joint.driven = false;
    joint.effects.rotor.inertia = 1e-4;
    joint.effects.spring.stiffness = 1.0;
    joint.effects.friction.offset = 0.2;
    joint.effects.friction.smoothing = 0.01;
    let (_, dropped) = urdf::write(&description).unwrap();
    let places: Vec<&str> = dropped.iter().map(|problem| problem.place.as_str()).collect();
    let parts = ["driven", "friction.smoothing", "friction.offset", "rotor", "spring"];
    let expected = parts.map(|part| format!("joints.joint2.{part}"));
    assert_eq!(places[0], "gravity");
    assert_eq!(places[1..], expected);
    assert!(dropped.iter().all(|problem| problem.finding == Finding::Dropped));
    description.joints[1].body.mass = -1.0;
    assert!(urdf::write(&description).is_err());
}

fn at(x: f64, y: f64, z: f64) -> Pose<f64> {
    Pose { rotation: Mat3::identity(0.0), position: Vec3::new(x, y, z) }
}

fn turned(rotation: Mat3) -> Pose<f64> {
    Pose { rotation, position: Vec3::default() }
}

#[test]
fn a_floating_base_moves_freely() {
    let text = include_str!("../../../../tests/data/urdf/puma560.urdf");
    let (free, _) = urdf::read(text, Options { floating_base: true }).unwrap();
    let free = Mechanism::new(&free).unwrap();
    let names = ["px", "py", "pz", "qx", "qy", "qz", "qw"].map(|part| format!("root_joint.{part}"));
    assert_eq!(free.positions()[..7], names);
    let (fixed, mut sampler) = (mechanism(text), Sampler::new(5));
    let state = sampler.state(&free);
    let [px, py, pz, x, y, z, w] = state.q[..7] else { unreachable!() };
    let base = at(px, py, pz) * turned(Quaternion { x, y, z, w }.rotation());
    let mut rows = vec![0.0; free.dof()];
    free.coordinates().unwrap().anchor(&state.q, &mut rows);
    let (moved, still) = (poses(&free, &rows), poses(&fixed, &state.q[7..]));
    for (frame, pose) in fixed.frames().iter().zip(still) {
        let found = moved[free.frame(&frame.name).unwrap()];
        assert_close(&found.to_array(), &(base * pose).to_array(), TOLERANCE, &frame.name);
    }
}

/// An axis means nothing to it, and there is one by default.
#[test]
fn a_floating_joint_has_the_axes_of_its_frame() {
    for axis in ["", "<axis xyz='1 0 0'/>", "<axis xyz='0 1 0'/>"] {
        let text = format!(
            "<robot name='x'><link name='a'/><link name='b'/>\
             <joint name='j' type='floating'><origin xyz='0 0 5'/><parent link='a'/><child link='b'/>{axis}</joint></robot>"
        );
        let robot = mechanism(&text);
        let q = [1.0, 2.0, 3.0, 0.0, 0.0, 0.6, 0.8];
        let mut rows = vec![0.0; robot.dof()];
        robot.coordinates().unwrap().anchor(&q, &mut rows);
        let found = poses(&robot, &rows)[robot.frame("b").unwrap()];
        let turn = Quaternion { x: 0.0, y: 0.0, z: 0.6, w: 0.8 };
        assert_close(&found.to_array(), &(at(1.0, 2.0, 8.0) * turned(turn.rotation())).to_array(), TOLERANCE, axis);
    }
}

#[test]
fn a_planar_joint_slides_across_its_axis_and_turns_about_it() {
    let text = |axis: &str| {
        format!(
            "<robot name='x'><link name='a'/><link name='b'/><joint name='j' type='planar'><parent link='a'/>\
             <child link='b'/><origin xyz='1 2 3' rpy='0.3 0 0'/><axis xyz='{axis}'/></joint></robot>"
        )
    };
    let q = [0.1, 0.2, 0.3];
    let turn = PlanarRotation::by(q[2]);
    for (axis, slide, turn) in [
        ("0 0 1", at(q[0], q[1], 0.0), turn.matrix_z()),
        ("1 0 0", at(0.0, q[0], q[1]), turn.matrix_x()),
        ("0 1 0", at(-q[0], 0.0, q[1]), turn.matrix_y()),
    ] {
        let robot = mechanism(&text(axis));
        assert_eq!(robot.joint_names(), ["j.x", "j.y", "j"]);
        let origin = at(1.0, 2.0, 3.0) * turned(PlanarRotation::by(0.3).matrix_x());
        let expected = origin * slide * turned(turn);
        let found = poses(&robot, &q)[robot.frame("b").unwrap()];
        assert_close(&found.to_array(), &expected.to_array(), TOLERANCE, axis);
    }
}
