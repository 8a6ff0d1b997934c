//! Gears and screws in closed loops, against closed forms of the same machines and against the robots without them.

use crate::common::{assert_close, assert_close_at};
use appell::closed::assembly::{self, Reached};
use appell::closed::drives::Sharing;
use appell::closed::formulation::Formulation;
use appell::closed::sample::ClosedState;
use appell::closed::singularity::{self, Metric};
use appell::closed::tree_closures::{self, Solver};
use appell::closed::{ClosedError, ClosedMechanism, Configuration, reactions};
use appell::description::{Branch, Description, Finding, JointType, toml};
use appell::real::{Dual, Real};
use appell::robots;
use appell::sample::{Family, Sampler};
use appell::spatial::{Pose, Vec3};
use core::f64::consts::TAU;

/// Two cranks on the base, of which the second turns backwards by a gear, and two rods that meet in a pin; in the plane x-y.
const GEARED_FIVE_BAR: &str = include_str!("../../../../tests/data/closed/geared-five-bar.toml");

/// A spindle that turns and slides along x in a thread of the base; on it, free to turn about x, a carriage with a rod to the end of
/// a crank in the plane x-z.
const JACK: &str = include_str!("../../../../tests/data/closed/screw-jack.toml");

/// A number with its first and second derivative.
type Twice = Dual<1, Dual<1>>;

/// A body that moves in a plane, or turns about a line in it: mass, inertia, where its centre is, and how far it has turned.
struct Moving {
    mass: f64,
    inertia: f64,
    centre: [Twice; 3],
    turn: Twice,
}

/// The effort of the one drive x by Lagrange's equation, with the rate and its rate; `up` is the direction against gravity.
fn lagrange(bodies: &[Moving], up: usize, rate: f64, second: f64) -> f64 {
    // Kinetic energy is ½ m(x) ẋ²; a derivative by x is a number and its derivative.
    let slope =
        |number: Twice| Dual::<1> { value: number.value.derivative[0], derivative: number.derivative[0].derivative };
    let square = |number: Twice| slope(number) * slope(number);
    let mut mass = Dual::<1>::fixed(0.0);
    let mut weight = 0.0;
    for Moving { mass: own, inertia, centre, turn } in bodies {
        mass = mass
            + (square(centre[0]) + square(centre[1]) + square(centre[2])).scale(*own)
            + square(*turn).scale(*inertia);
        weight += own * 9.81 * slope(centre[up]).value;
    }
    mass.value * second + 0.5 * mass.derivative[0] * rate * rate + weight
}

fn twice(x: f64) -> Twice {
    Dual { value: Dual { value: x, derivative: [1.0] }, derivative: [Dual { value: 1.0, derivative: [0.0] }] }
}

/// The point at distances `one` and `other` from two points, to the left of the way from the first to the second.
fn corner(first: [Twice; 2], second: [Twice; 2], one: f64, other: f64) -> [Twice; 2] {
    let way = [second[0] - first[0], second[1] - first[1]];
    let square = way[0] * way[0] + way[1] * way[1];
    let along = (square + square.constant(one * one - other * other)) / square.scale(2.0);
    let across = (square.constant(one * one) / square - along * along).sqrt();
    [first[0] + along * way[0] - across * way[1], first[1] + along * way[1] + across * way[0]]
}

fn from_to(from: [Twice; 2], to: [Twice; 2]) -> Twice {
    (to[1] - from[1]).atan2(to[0] - from[0])
}

/// A body on an axis across a plane, at an angle in it; its centre is given in its own axes.
fn in_plane((mass, [x, y], inertia): (f64, [f64; 2], f64), on: [Twice; 2], turn: Twice) -> Moving {
    let (sin, cos) = turn.sin_cos();
    let centre = [on[0] + cos.scale(x) - sin.scale(y), on[1] + sin.scale(x) + cos.scale(y), turn.zero()];
    Moving { mass, inertia, centre, turn }
}

fn geared_five_bar(x: f64) -> (Vec<Moving>, [f64; 4]) {
    let (left, zero) = (twice(x), twice(0.0).zero());
    let right = left.scale(-1.5) + zero.constant(4.0);
    let ends = [(left, 0.0, 0.10), (right, 0.25, 0.12)].map(|(turn, at, length)| {
        let (sin, cos) = turn.sin_cos();
        [zero.constant(at) + cos.scale(length), sin.scale(length)]
    });
    let pin = corner(ends[0], ends[1], 0.22, 0.24);
    let rods = ends.map(|end| from_to(end, pin));
    let bodies = vec![
        in_plane((0.3, [0.06, 0.01], 4e-4), [zero, zero], left),
        in_plane((0.5, [0.11, -0.02], 2e-3), ends[0], rods[0]),
        // The rotor turns with its crank, twenty times as fast.
        in_plane((0.4, [0.05, 0.02], 6e-4 + 1e-5 * 400.0), [zero.constant(0.25), zero], right),
        in_plane((0.6, [0.13, 0.03], 3e-3), ends[1], rods[1]),
    ];
    let value = |number: Twice| number.value.value;
    (bodies, [value(left), value(rods[0] - left), value(right), value(rods[1] - right)])
}

/// Angles of rod and crank are from x towards z here.
fn jack(x: f64) -> (Vec<Moving>, [f64; 5]) {
    let (turn, zero) = (twice(x), twice(0.0).zero());
    let slide = turn.scale(0.02 / TAU);
    let (nut, pivot) = ([slide + zero.constant(0.05), zero], [zero.constant(0.5), zero]);
    let pin = corner(nut, pivot, 0.30, 0.25);
    let (rod, crank) = (from_to(nut, pin), from_to(pivot, pin));
    let (sin, cos) = turn.sin_cos();
    // Of the spindle x is y of the base and z is x; it turns from y to z.
    let spindle = [nut[0] + zero.constant(0.03), cos.scale(0.02) - sin.scale(0.01), sin.scale(0.02) + cos.scale(0.01)];
    let swap = |body: Moving| Moving { centre: [body.centre[0], body.centre[2], body.centre[1]], ..body };
    let carriage = [nut[0] + zero.constant(0.02), zero.constant(0.01), zero];
    let bodies = vec![
        Moving { mass: 0.7, inertia: 2e-4, centre: spindle, turn },
        Moving { mass: 0.4, inertia: 3e-4, centre: carriage, turn: zero },
        // Of the rod x is along it and y, at a right angle, is on the side of x of the base.
        swap(in_plane((0.5, [0.14, -0.02], 4e-3), nut, rod)),
        swap(in_plane((0.6, [0.11, 0.01], 3e-3), pivot, crank)),
    ];
    let value = |number: Twice| number.value.value;
    let quarter = 0.25 * TAU;
    (bodies, [value(slide), x, -x, quarter - value(rod), -value(crank)])
}

fn read(text: &str) -> Description {
    toml::read(text).unwrap_or_else(|problems| panic!("{problems}")).0
}

fn driven_to(robot: &ClosedMechanism, positions: &[f64]) -> (Configuration, Reached) {
    let mut at = robot.home().clone();
    let reached = assembly::at_drives(robot, &mut assembly::Workspace::new(robot), positions, &mut at).unwrap();
    (at, reached)
}

/// Where all joints are, and torques by both methods and back, against closed forms and Lagrange's equation.
#[test]
fn closed_forms_of_machines_with_a_gear_and_with_a_screw() {
    let mut sampler = Sampler::new(5);
    for (text, up, places) in [(GEARED_FIVE_BAR, 1, [1.6, 1.9, 2.2]), (JACK, 2, [-10.0, 6.0, 60.0])] {
        let robot = ClosedMechanism::new(&read(text)).unwrap();
        let label = robot.name();
        assert_eq!((robot.freedoms().len(), robot.driven().len(), robot.couplings().len()), (1, 1, 1), "{label}");
        assert!(robot.legs().is_empty() && robot.freedoms() == robot.driven(), "{:?}", robot.mobility());
        for x in places {
            let (at, reached) = driven_to(&robot, &[x]);
            assert_eq!(reached, Reached::Straight, "{label} at {x}");
            let (bodies, q) = if up == 1 {
                let (bodies, q) = geared_five_bar(x);
                (bodies, q.to_vec())
            } else {
                let (bodies, q) = jack(x);
                (bodies, q.to_vec())
            };
            assert_close(&at.q, &q, 1e-12, &format!("{label} at {x}: positions"));
            let (r, r_dot) = ([sampler.within(5.0)], [sampler.within(20.0)]);
            let expected = lagrange(&bodies, up, r[0], r_dot[0]);
            let mut ws = tree_closures::Workspace::new(&robot);
            for solver in [Solver::NullSpace, Solver::Kkt] {
                ws.solver = solver;
                let sharing = Sharing::default();
                let tau = tree_closures::inverse_dynamics(&robot, &mut ws, &at, &r, &r_dot, &[], &sharing).unwrap();
                assert_close(tau, &[expected], 1e-11, &format!("{label} at {x}: torque by {solver:?}"));
                let back = tree_closures::forward_dynamics(&robot, &mut ws, &at, &r, &[expected], &[]).unwrap();
                assert_close(back, &r_dot, 1e-10, &format!("{label} at {x}: acceleration by {solver:?}"));
            }
        }
    }
}

/// The same robot whose joints do not follow: a screw slides and turns as it likes.
fn uncoupled(coupled: &Description) -> Description {
    let mut free = coupled.clone();
    for joint in &mut free.joints {
        joint.mimic = None;
        if joint.kind == JointType::Screw {
            (joint.kind, joint.pitch) = (JointType::Cylindrical, 0.0);
        }
    }
    free
}

/// A coupling takes one degree of freedom of the robot without it: w = Sᵀ w', M = Sᵀ M' S with r' = S r.
#[test]
fn couplings_project_the_robot_without_them() {
    let mut compared = 0;
    let families = [Family::Geared(1), Family::Geared(3), Family::Screw(1), Family::Screw(4)];
    for (family, seed) in families.into_iter().flat_map(|family| (40..49).map(move |seed| (family, seed))) {
        let mut sampler = Sampler::new(seed);
        let description = sampler.closed_description(family);
        let robot = ClosedMechanism::new(&description).unwrap();
        let ClosedState { at, r, r_dot, load, .. } = sampler.closed_state(&robot);
        let mut passive = uncoupled(&description);
        passive.joints.iter_mut().for_each(|joint| joint.driven = false);
        // Home may be singular without the gear.
        let Ok(free) = ClosedMechanism::new(&passive) else { continue };
        let label = format!("{family:?}, seed {seed}");
        let (n, more) = (r.len(), free.freedoms().len());
        assert_eq!(more, n + robot.couplings().len(), "{label}");
        let mut ws = tree_closures::Workspace::new(&robot);
        let z = tree_closures::complement(&robot, &mut ws, &at).unwrap().to_vec();
        let w = tree_closures::generalised_forces(&robot, &mut ws, &at, &r, &r_dot, &load).unwrap().to_vec();
        let inertia = tree_closures::inertia_matrix(&robot, &mut ws, &at).unwrap().to_vec();
        let (u, u_dot) = tree_closures::motion(&robot, &mut ws, &at, &r, &r_dot).unwrap();
        let of = |u: &[f64]| -> Vec<f64> { free.freedoms().iter().map(|&k| u[k]).collect() };
        let (r_free, r_dot_free) = (of(u), of(u_dot));
        let mut ws = tree_closures::Workspace::new(&free);
        if tree_closures::complement(&free, &mut ws, &at).is_err() {
            continue;
        }
        compared += 1;
        let s = |i: usize, c: usize| z[free.freedoms()[i] * n + c];
        let found = tree_closures::generalised_forces(&free, &mut ws, &at, &r_free, &r_dot_free, &load).unwrap();
        let found: Vec<f64> = (0..n).map(|c| (0..more).map(|i| s(i, c) * found[i]).sum()).collect();
        assert_close_at(&w, &found, 1e-10, 1.0, &format!("{label}: forces"));
        let found = tree_closures::inertia_matrix(&free, &mut ws, &at).unwrap();
        let projected =
            |c: usize, d: usize| -> f64 { (0..more * more).map(|k| s(k / more, c) * found[k] * s(k % more, d)).sum() };
        let found: Vec<f64> = (0..n * n).map(|k| projected(k / n, k % n)).collect();
        assert_close(&inertia, &found, 1e-10, &format!("{label}: inertia"));
    }
    assert!(compared > 20, "{compared} of 36 robots");
}

/// What a gear or a thread transmits is what a second motor in its place would do.
#[test]
fn a_coupling_does_what_a_second_motor_would() {
    for (text, follower, ratio) in [(GEARED_FIVE_BAR, "right", -1.5), (JACK, "spindle.slide", 0.02 / TAU)] {
        let coupled = read(text);
        let mut free = uncoupled(&coupled);
        free.joints.iter_mut().filter(|joint| joint.name == follower).for_each(|joint| joint.driven = true);
        let (robot, free) = (ClosedMechanism::new(&coupled).unwrap(), ClosedMechanism::new(&free).unwrap());
        let place = |name: &str| robot.tree().joint_names().iter().position(|joint| joint == name).unwrap();
        let (j, leader) = (place(follower), robot.driven()[0]);
        assert_eq!(free.driven().len(), 2);
        let (at, _) = driven_to(&robot, &[robot.home().q[leader] + 0.1]);
        let (r, r_dot) = ([1.3], [-4.0]);
        let sharing = Sharing::default();
        let mut ws = tree_closures::Workspace::new(&robot);
        let tau = tree_closures::inverse_dynamics(&robot, &mut ws, &at, &r, &r_dot, &[], &sharing).unwrap().to_vec();
        let (u, u_dot) = tree_closures::motion(&robot, &mut ws, &at, &r, &r_dot).unwrap();
        let of = |u: &[f64]| -> Vec<f64> { free.freedoms().iter().map(|&k| u[k]).collect() };
        let mut ws = tree_closures::Workspace::new(&free);
        let apart =
            tree_closures::inverse_dynamics(&free, &mut ws, &at, &of(u), &of(u_dot), &[], &sharing).unwrap().to_vec();
        let motor = |row: usize| apart[free.driven().iter().position(|&driven| driven == row).unwrap()];
        assert_close(&tau, &[motor(leader) + ratio * motor(j)], 1e-11, "torque of the drive");
        let by_projection = reactions::Workspace::new(&robot, Formulation::TreeClosures);
        for mut ws in [by_projection, reactions::Workspace::by_singular_values(&robot)] {
            let found = reactions::reactions(&robot, &mut ws, &at, &r, &r_dot, &tau, (&[], &[])).unwrap();
            assert_close(found.couplings, &[motor(j)], 1e-10, "what the coupling transmits");
        }
    }
}

/// Whole turns of a coupled joint count: they are kept, not taken back.
#[test]
fn a_screw_goes_a_long_way_in_many_turns() {
    let robot = ClosedMechanism::new(&read(JACK)).unwrap();
    let far = 300.0 * 0.1 * TAU;
    let fine = read(&JACK.replace("pitch = 0.02", "pitch = 0.002"));
    let fine = ClosedMechanism::new(&fine).unwrap();
    let (at, reached) = driven_to(&fine, &[far]);
    assert_eq!(reached, Reached::Straight);
    assert_close(&at.q[..2], &[far * 0.002 / TAU, far], 1e-13, "slide and turn");
    let mut ws = assembly::Workspace::new(&robot);
    let found = assembly::search_at_drives(&robot, &mut ws, &[40.0], 60, 1);
    assert!(found.len() >= 2 && found.iter().all(|at| (at.q[0] - 40.0 * 0.02 / TAU).abs() < 1e-12), "{found:?}");
    // A pose of an output is reached with as many turns as it takes.
    let output = format!("output = \"carriage\"\n{JACK}");
    let robot = ClosedMechanism::new(&read(&output)).unwrap();
    let (expected, _) = driven_to(&robot, &[50.0]);
    let mut at = Configuration { pose: expected.pose, ..robot.home().clone() };
    assembly::at_pose(&robot, &mut assembly::Workspace::new(&robot), &mut at).unwrap();
    assert!((at.q[0] - expected.q[0]).abs() < 1e-9 && (at.q[1] - 50.0).abs() < 1e-6, "{:?}", at.q);
}

/// A rocker that a rod of variable length turns: pushed by a thread on the rod.
const PUSHED_ROCKER: &str = r#"
name = "pushed rocker"
frames = "khalil-kleinfinger"
joints = [
  ["rod",    "revolute", "base", 0.0,      0.0, 0.0,      0.0, "q", 0.0],
  ["push",   "screw",    "rod",  "90 deg", 0.0, "90 deg", 0.0, "q", 0.25],
  ["rocker", "revolute", "base", 0.0,      0.0, 0.0,      0.4, "q", 0.0],
]
body.rod = { mass = 1.0, com = [0.1, 0, 0], inertia = { xx = 1e-3, yy = 3e-3, zz = 4e-3 } }
body.push = { mass = 0.5, com = [0, 0, 0.05], inertia = { xx = 2e-3, yy = 2e-3, zz = 1e-4 } }
body.rocker = { mass = 0.8, com = [0.15, 0, 0], inertia = { xx = 1e-3, yy = 5e-3, zz = 6e-3 } }
joint.rod = { home = 0.75, driven = false }
joint.rocker = { home = 1.9, driven = false }
[joint.push]
pitch = 0.02
home = 20.0
[closure.ball]
joint = "spherical"
first = { on = "push", xyz = [0, 0, 0.1] }
second = { on = "rocker", xyz = [0.3, 0, 0] }
"#;

/// A drive is measured through its thread: the pitch does not matter, and stretched out the rocker is not held, as one sees.
#[test]
fn singularities_do_not_depend_on_the_pitch() {
    let type2 = |pitch: f64, slide: f64| {
        let home = 0.4 / pitch;
        let text =
            PUSHED_ROCKER.replace("pitch = 0.02", &format!("pitch = {pitch}")).replace("20.0", &home.to_string());
        let robot = ClosedMechanism::new(&read(&text)).unwrap();
        let (at, _) = driven_to(&robot, &[slide * TAU / pitch]);
        let mut ws = singularity::Workspace::new(&robot);
        singularity::measures(&robot, &mut ws, &at, &Metric::of(&robot)).type2()
    };
    for slide in [0.1, 0.3, 0.345, 0.3499] {
        assert_close(&[type2(0.0005, slide)], &[type2(0.02, slide)], 1e-7, "pitch");
    }
    let [far, near, nearer] = [0.1, 0.3499, 0.349999].map(|slide| type2(0.02, slide));
    assert!(far > 0.3 && near < 0.05 && nearer < 0.005, "{far} {near} {nearer}");
}

/// Near home legs that screws lengthen reach the poses of those that slide, in the file's modes: these are the slides', not the turns'.
#[test]
fn screws_reach_the_poses_of_slides() {
    const PITCH: f64 = 0.02;
    let (slides, _) = toml::read(robots::find("gough-stewart").unwrap().toml).unwrap();
    let mut screws = slides.clone();
    for joint in screws.joints.iter_mut().filter(|joint| joint.kind == JointType::Prismatic) {
        (joint.kind, joint.pitch, joint.home) = (JointType::Screw, PITCH, joint.home * TAU / PITCH);
        joint.branch = Branch::Positive;
    }
    let [slides, screws] = [&slides, &screws].map(|description| ClosedMechanism::new(description).unwrap());
    for [x, y, z] in [[0.0, 0.0, 0.76], [0.03, -0.02, 0.78]] {
        let [sliding, turning] = [&slides, &screws].map(|robot| {
            let pose = Pose { position: Vec3::new(x, y, z), ..robot.home().pose };
            let mut at = Configuration { pose, ..robot.home().clone() };
            assembly::at_pose(robot, &mut assembly::Workspace::new(robot), &mut at).unwrap();
            robot.driven().iter().map(|&j| at.q[j]).collect::<Vec<f64>>()
        });
        let turning: Vec<f64> = turning.iter().map(|turn| turn * PITCH / TAU).collect();
        assert_close(&turning, &sliding, 1e-9, &format!("{x} {y} {z}"));
    }
}

fn refused(text: &str) -> ClosedError {
    match toml::read(text) {
        Ok((description, _)) => ClosedMechanism::new(&description).unwrap_err(),
        Err(problems) => ClosedError::Description(problems),
    }
}

#[test]
fn wrong_couplings_are_named() {
    // A four-bar moves by its crank; a rocker that follows it too leaves nothing.
    let four_bar = appell::robots::find("four-bar").unwrap().toml;
    let locked =
        four_bar.replace("rocker = { driven = false,", "rocker = { mimic = { joint = \"crank\", offset = 0.5879 },");
    let error = refused(&locked);
    assert!(
        matches!(&error, ClosedError::Coupled { freedoms: 1, couplings } if couplings == &["`rocker` follows `crank`"]),
        "{error}"
    );
    assert!(error.to_string().contains("let fewer joints follow others"), "{error}");
    // Where the rocker cannot be.
    let far =
        four_bar.replace("rocker = { driven = false,", "rocker = { mimic = { joint = \"crank\", multiplier = 0 },");
    let error = refused(&far);
    assert!(matches!(error, ClosedError::NotAssembled(_)), "{error}");
    // A leader that is not there, and one that follows.
    for (leader, finding) in [("gone", Finding::UnknownMimic { name: "gone".into() }), ("right", Finding::MimicsItself)]
    {
        let text = GEARED_FIVE_BAR.replace("joint = \"left\",", &format!("joint = \"{leader}\","));
        let error = refused(&text);
        let ClosedError::Description(problems) = &error else { panic!("{error}") };
        let place = |problem: &&appell::description::Problem| problem.finding == finding && problem.line.is_some();
        assert!(problems.errors() == 1 && problems.iter().any(|problem| place(&problem)), "{error}");
    }
    // A motor that the gear locks.
    let held =
        GEARED_FIVE_BAR.replace("multiplier = -1.5, offset = 4.0 }", "multiplier = 0, offset = 1.2 }, driven = true");
    assert!(matches!(refused(&held), ClosedError::LockedDrive { joint } if joint == "right"));
}

/// A gear that repeats what the loops do already is named as redundant, and computed all the same.
#[test]
fn a_gear_beside_a_parallelogram_is_redundant() {
    let parallelogram = GEARED_FIVE_BAR
        .replace("0.25, \"q\",  0.0],", "0.22, \"q\",  0.0],")
        .replace("xyz = [0.24, 0.0, 0.0]", "xyz = [0.10, 0.0, 0.0]")
        .replace("[\"right_rod\", \"revolute\", \"right\", 0.0,  0.0, 0.0,  0.12, \"q\",  0.0],", "")
        .replace("right_rod = { driven = false, home = 0.9 }", "")
        .replace("second = { on = \"right_rod\"", "second = { on = \"right\"")
        .replace("left_rod = { driven = false, home = -0.9 }", "left_rod = { driven = false, home = -1.9 }")
        .replace("multiplier = -1.5, offset = 4.0", "multiplier = 1.0");
    let body = parallelogram.lines().find(|line| line.starts_with("body.right_rod")).unwrap().to_owned();
    let robot = ClosedMechanism::new(&read(&parallelogram.replace(&body, ""))).unwrap();
    let gear = robot.mobility().redundant.last().unwrap();
    assert_eq!((gear.name.as_str(), gear.redundant, gear.constraints), ("right", 1, 1), "{:?}", robot.mobility());
    assert_eq!(robot.freedoms().len(), 1);
}

/// Who follows has no motor unless the file says so, and files keep it.
#[test]
fn followers_have_no_motor_unless_the_file_says_so() {
    let driven = |description: &Description| description.joints.iter().map(|joint| joint.driven).collect::<Vec<_>>();
    let described = read(GEARED_FIVE_BAR);
    assert_eq!(driven(&described), [true, false, false, false]);
    let two = read(&GEARED_FIVE_BAR.replace("right = { mimic", "right = { driven = true, mimic"));
    assert_eq!(driven(&two), [true, false, true, false]);
    for description in [described, two, read(JACK)] {
        assert_eq!(read(&toml::write(&description)), description);
    }
}
