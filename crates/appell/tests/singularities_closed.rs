//! Singularities of closed mechanisms against the golden data, and the laws they obey.

mod common;

use appell::closed::crossing::{self, CrossingError, Passage, Path, Shape};
use appell::closed::drives::{self, Sharing};
use appell::closed::singularity::{self, Metric};
use appell::closed::workspace_map::{self, Axis, Cell, Coordinate, MapError, Slice};
use appell::closed::{ClosedMechanism, Configuration, Screw, assembly, legs_platform, tree_closures};
use appell::description::{Carrier, Description, toml};
use appell::robots;
use appell::sample::Sampler;
use appell::spatial::{Mat3, Pose, Vec3};
use common::{assert_close, numbers, parallel_golden};
use core::ops::ControlFlow;
use serde_json::Value;

/// All in m and rad, as the golden data are.
const RAW: Metric = Metric { length: 1.0, tolerance: 1e-9 };

fn closed(name: &str) -> ClosedMechanism {
    robots::find(name).unwrap().closed()
}

fn rows<'v>(golden: &'v Value, key: &str) -> &'v [Value] {
    golden[key]["path"].as_array().unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// A five-bar's configuration as a golden row gives it.
fn five_bar_at(row: &Value) -> Configuration {
    let (p, mut q) = (numbers(&row["p"]), numbers(&row["q_leg1"]));
    q.extend(numbers(&row["q_leg2"]));
    Configuration { q, pose: Pose { position: Vec3::new(p[0], p[1], 0.0), rotation: Mat3::identity(0.0) } }
}

fn assembled(robot: &ClosedMechanism, pose: Pose) -> Configuration {
    let mut at = Configuration { pose, ..robot.home().clone() };
    let mut workspace = assembly::Workspace::new(robot);
    assembly::at_pose(robot, &mut workspace, &mut at).unwrap_or_else(|error| panic!("{error}"));
    at
}

fn yawed(robot: &ClosedMechanism, yaw: f64) -> Configuration {
    let rotation = Mat3::from_roll_pitch_yaw(Vec3::new(0.0, 0.0, yaw));
    assembled(robot, Pose { rotation, ..robot.home().pose })
}

/// Condition numbers agree if their inverses do to rounding.
#[track_caller]
fn assert_condition(inverse: f64, expected: &Value, label: &str) {
    assert_condition_within(inverse, expected, 1e-13, label);
}

#[track_caller]
fn assert_condition_within(inverse: f64, expected: &Value, tolerance: f64, label: &str) {
    let expected = expected.as_f64().map_or(0.0, |condition| 1.0 / condition);
    assert!((inverse - expected).abs() < tolerance, "{label}: 1 / condition is {inverse:e}, not {expected:e}");
}

fn efforts(robot: &ClosedMechanism, at: &Configuration, r: &[f64], r_dot: &[f64]) -> Vec<f64> {
    let mut ws = legs_platform::Workspace::new(robot);
    legs_platform::inverse_dynamics(robot, &mut ws, at, r, r_dot, &[], &Sharing::default()).unwrap().to_vec()
}

#[test]
fn five_bar_type_1() {
    let (robot, golden) = (closed("five-bar"), parallel_golden("shared_singularities.json"));
    let mut ws = singularity::Workspace::new(&robot);
    for row in rows(&golden, "five_bar_type1") {
        let (label, at) = (format!("eps {}", row["eps"]), five_bar_at(row));
        let measures = singularity::measures(&robot, &mut ws, &at, &RAW);
        assert!((measures.legs[0].least - number(&row["sigma_min_leg1"])).abs() < 1e-15, "{label}");
        assert_condition(measures.legs[0].inverse_condition, &row["cond_leg1"], &label);
        assert!(number(&row["eps"]).abs() > 0.2 || measures.nearest_leg() == Some(0), "{label}");
        // Rows of A are unit vectors: those of J_inv, each of the norm 1. Type 1 is not taken for Type 2.
        if row["cond_leg1"].is_null() {
            assert!(measures.inverse_jacobian.is_none() && measures.type1() < 1e-12 && measures.type2() > 0.1);
            assert!(measures.platform.unwrap().least < 1e-12, "the robot moves while the platform rests");
        } else {
            assert_condition(measures.type2(), &row["cond_A"], &label);
            let (a, b) = (numbers(&row["A"]), numbers(&row["B_diag"]));
            let expected: Vec<f64> = a.iter().enumerate().map(|(k, a)| a / b[k / 2]).collect();
            let tolerance = 1e-14 * number(&row["cond_leg1"]);
            assert_close(measures.inverse_jacobian.unwrap().matrix, &expected, tolerance, &label);
        }
    }
}

#[test]
fn five_bar_type_2() {
    let (robot, golden) = (closed("five-bar"), parallel_golden("shared_singularities.json"));
    let mut ws = singularity::Workspace::new(&robot);
    for row in rows(&golden, "five_bar_type2") {
        let label = format!("dy {}", row["dy"]);
        let at = assembled(&robot, five_bar_at(row).pose);
        assert_close(&at.q, &five_bar_at(row).q, 1e-13, &label);
        let measures = singularity::measures(&robot, &mut ws, &at, &RAW);
        let j_inv = measures.inverse_jacobian.unwrap();
        assert_condition(measures.type2(), &row["cond_A"], &label);
        assert_condition(j_inv.raw_inverse_condition, &row["cond_Jinv"], &label);
        assert_condition(j_inv.inverse_condition, &row["cond_Jinv"], &label);
        assert_close(j_inv.matrix, &numbers(&row["Jinv"]), 1e-12, &label);
        if let Some(cond) = row["tau_gravity"].as_array().map(|_| number(&row["cond_Jinv"])) {
            let tau = efforts(&robot, &at, &[0.0; 2], &[0.0; 2]);
            assert_close(&tau, &numbers(&row["tau_gravity"]), 1e-14 * cond.max(10.0), &label);
        }
    }
    let point = &golden["five_bar_type2"]["singular_point"];
    let at = five_bar_at(point);
    let motions = singularity::uncontrolled(&robot, &mut ws, &at, &RAW);
    let [motion] = &motions[..] else { panic!("one motion is not felt: {motions:?}") };
    assert_close(&motion.freedoms(&robot), &numbers(&point["kernel_twist_ts"]), 1e-14, "t_s");
    assert!(motion.felt < 1e-15 && matches!(motion.screw, Some(Screw::Slide { .. })));
    assert_eq!(motion.words(&robot), "slide along (0.0511, 0.9987, 0)");
}

#[test]
fn gough_stewart_type_2() {
    let (robot, golden) = (closed("gough-stewart"), parallel_golden("shared_singularities.json"));
    let mut ws = singularity::Workspace::new(&robot);
    for row in rows(&golden, "gs_type2") {
        let (label, at) = (format!("dpsi {}", row["dpsi"]), yawed(&robot, number(&row["psi"])));
        let lengths: Vec<f64> = (0..6).map(|leg| at.q[3 * leg + 2]).collect();
        assert_close(&lengths, &numbers(&row["leg_lengths"]), 1e-14, &label);
        let metric = Metric { length: 0.35, tolerance: 1e-9 };
        let j_inv = singularity::measures(&robot, &mut ws, &at, &metric).inverse_jacobian.unwrap();
        assert_condition(j_inv.raw_inverse_condition, &row["cond_Jinv"], &label);
        assert_condition(j_inv.inverse_condition, &row["cond_Jinv_normalised"], &label);
        let (determinant, expected) = (j_inv.determinant.unwrap(), number(&row["det_Jinv"]));
        assert!((determinant - expected).abs() < 1e-16, "{label}: {determinant:e} {expected:e}");
        let cond = number(&row["cond_Jinv"]);
        if cond < 1e10 {
            let tau = efforts(&robot, &at, &[0.0; 6], &[0.0; 6]);
            assert_close(&tau, &numbers(&row["tau_gravity"]), 1e-14 * cond.max(10.0), &label);
        }
    }
    let point = &golden["gs_type2"]["singular_point"];
    let motion = singularity::least_felt(&robot, &mut ws, &yawed(&robot, number(&point["psi"])), &RAW);
    assert_close(&motion.freedoms(&robot), &numbers(&point["kernel_twist"]), 1e-14, "t_s");
    let words = "turn about z through (0, 0, 0.75) m and slide along −z, pitch −0.2446 m/rad";
    assert_eq!(motion.words(&robot), words);
}

#[test]
fn gough_stewart_type_1() {
    let (robot, golden) = (closed("gough-stewart"), parallel_golden("shared_singularities.json"));
    let r = numbers(&golden["gs_type1"]["R"]);
    let rotation = Mat3::from_rows([0, 3, 6].map(|k| Vec3::new(r[k], r[k + 1], r[k + 2])));
    let mut ws = singularity::Workspace::new(&robot);
    for row in rows(&golden, "gs_type1") {
        let (label, p) = (format!("dq2 {}", row["dq2"]), numbers(&row["p"]));
        let mut at = robot.home().clone();
        at.pose = Pose { position: Vec3::new(p[0], p[1], p[2]), rotation };
        at.q[..3].copy_from_slice(&numbers(&row["q_leg1"]));
        assembly::at_pose(&robot, &mut assembly::Workspace::new(&robot), &mut at).unwrap();
        at.q[..3].copy_from_slice(&numbers(&row["q_leg1"]));
        let lengths: Vec<f64> = (0..6).map(|leg| at.q[3 * leg + 2]).collect();
        assert_close(&lengths, &numbers(&row["leg_lengths"]), 1e-14, &label);
        let measures = singularity::measures(&robot, &mut ws, &at, &RAW);
        let (least, expected) = (measures.legs[0].least, number(&row["sigma_min_J1"]));
        assert!((least - expected).abs() < 2e-16, "{label}: {least:e} {expected:e}");
        assert_condition(measures.legs[0].inverse_condition, &row["cond_J1"], &label);
        assert_eq!(measures.nearest_leg(), Some(0), "{label}");
        // The drive does not notice that its leg spins: J_inv stays as it is, to what J_1 leaves of its digits.
        let j_inv = measures.inverse_jacobian.unwrap();
        let tolerance = row["cond_J1"].as_f64().map_or(1e-13, |condition| 1e-13 + 1e-16 * condition);
        assert_condition_within(j_inv.raw_inverse_condition, &row["cond_Jinv"], tolerance, &label);
        assert_eq!(measures.freedoms, 6);
    }
}

/// A five-bar that follows a golden sample: configuration, r and ṙ.
fn sample(robot: &ClosedMechanism, row: &Value) -> (Configuration, Vec<f64>, Vec<f64>) {
    (assembled(robot, five_bar_at(row).pose), numbers(&row["v"]), numbers(&row["a"]))
}

#[test]
fn golden_crossings() {
    let (robot, golden) = (closed("five-bar"), parallel_golden("shared_singularities.json"));
    let point = &golden["five_bar_type2"]["singular_point"];
    let (through, ts) = (assembled(&robot, five_bar_at(point).pose), numbers(&point["kernel_twist_ts"]));
    let v = numbers(&golden["crossing"]["at_crossing"]["v"]);
    let mut ws = crossing::Workspace::new(&robot);
    let mut dynamics = legs_platform::Workspace::new(&robot);
    for (trajectory, satisfied) in golden["crossing"]["trajectories"].as_array().unwrap().iter().zip([true, false]) {
        let name = trajectory["name"].as_str().unwrap();
        for row in trajectory["samples"].as_array().unwrap() {
            let (at, r, r_dot) = sample(&robot, row);
            let (label, cond) = (format!("{name} {}", row["s"]), row["cond_Jinv"].as_f64().unwrap_or(f64::INFINITY));
            let w = legs_platform::generalised_forces(&robot, &mut dynamics, &at, &r, &r_dot, &[]).unwrap();
            let along: f64 = w.iter().zip(&ts).map(|(w, t)| w * t).sum();
            assert!((along - number(&row["ts_dot_w"])).abs() < 1e-12, "{label}: t_s · w is {along}");
            if row["tau"].is_array() {
                let tau = efforts(&robot, &at, &r, &r_dot);
                assert_close(&tau, &numbers(&row["tau"]), 1e-14 * cond.max(100.0), &label);
            }
        }
        let a = numbers(&trajectory["accel_at_crossing"]);
        let found = crossing::criterion(&robot, &mut ws, &through, &v, &a).unwrap();
        assert_close(&found.twist, &ts, 1e-14, name);
        assert_eq!(found.satisfied, satisfied, "{name}: {found:?}");
        let expected = number(&trajectory["ts_dot_w_at_crossing"]);
        assert!((found.defect - expected).abs() < 1e-13 && found.inverse_condition < 1e-15, "{name}: {found:?}");
        let corrected = crossing::corrected(&robot, &mut ws, &through, &v, &a).unwrap();
        assert!(crossing::criterion(&robot, &mut ws, &through, &v, &corrected).unwrap().satisfied, "{name}");
        assert!(!satisfied || common::relative_difference(&corrected, &a) < 1e-13, "{name}: nothing to correct");
        // The change is along t_s: what the drives do feel is as it was.
        let change = [corrected[0] - a[0], corrected[1] - a[1]];
        assert!((change[0] * ts[1] - change[1] * ts[0]).abs() < 1e-12, "{name}: {change:?}");
    }
}

/// The largest effort along a path, `near` seconds around its crossing left out on either side.
fn largest_effort(robot: &ClosedMechanism, path: &Path, from: f64, to: f64) -> f64 {
    let mut largest: f64 = 0.0;
    let mut at = assembled(robot, path.pose(0.0));
    for k in 0..=40 {
        let s = from * (to / from).powf(f64::from(k) / 40.0);
        for t in [path.crossing() - s, path.crossing() + s] {
            at.pose = path.pose(t);
            assembly::at_pose(robot, &mut assembly::Workspace::new(robot), &mut at).unwrap();
            let tau = efforts(robot, &at, &path.velocity(t), &path.acceleration(t));
            largest = largest.max(common::norm(&tau));
        }
    }
    largest
}

/// The golden passage of the five-bar.
fn five_bar_passage(robot: &ClosedMechanism, shape: Shape) -> Passage {
    let golden = parallel_golden("shared_singularities.json");
    let trajectory = &golden["crossing"]["trajectories"][0];
    let samples = trajectory["samples"].as_array().unwrap();
    let through = assembled(robot, five_bar_at(&golden["five_bar_type2"]["singular_point"]).pose);
    Passage {
        from: five_bar_at(&samples[0]).pose,
        to: five_bar_at(samples.last().unwrap()).pose,
        through,
        velocity: numbers(&golden["crossing"]["at_crossing"]["v"]),
        acceleration: numbers(&trajectory["accel_at_crossing"]),
        crossing: number(&trajectory["t_cross"]),
        duration: number(&trajectory["duration"]),
        shape,
    }
}

#[test]
fn an_octic_is_the_golden_trajectory() {
    let (robot, golden) = (closed("five-bar"), parallel_golden("shared_singularities.json"));
    let path =
        crossing::passage(&robot, &mut crossing::Workspace::new(&robot), &five_bar_passage(&robot, Shape::Octic))
            .unwrap();
    for row in golden["crossing"]["trajectories"][0]["samples"].as_array().unwrap() {
        let t = path.crossing() + number(&row["s"]);
        let p = path.pose(t).position;
        assert_close(&[p.x, p.y], &numbers(&row["p"]), 1e-11, "position");
        let tolerance = |x: &[f64]| 1e-10 * x.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        for (found, expected) in [(path.velocity(t), numbers(&row["v"])), (path.acceleration(t), numbers(&row["a"]))] {
            let near = found.iter().zip(&expected).all(|(f, e)| (f - e).abs() < tolerance(&expected));
            assert!(near, "{t}: {found:?} {expected:?}");
        }
    }
}

#[test]
fn passages_need_bounded_efforts_and_others_do_not() {
    let robot = closed("five-bar");
    let mut ws = crossing::Workspace::new(&robot);
    for shape in [Shape::Quintics, Shape::Octic] {
        let wish = five_bar_passage(&robot, shape);
        let path = crossing::passage(&robot, &mut ws, &Passage { acceleration: Vec::new(), ..wish.clone() }).unwrap();
        let (a, crossing) = (path.acceleration(path.crossing()), path.crossing());
        assert!(crossing::criterion(&robot, &mut ws, &wish.through, &wish.velocity, &a).unwrap().satisfied);
        let (near, far) = (largest_effort(&robot, &path, 1e-6, 1e-4), largest_effort(&robot, &path, 1e-4, crossing));
        assert!(near < 30.0 && far < 100.0, "{shape:?}: {near} {far}");
        for (t, pose) in [(0.0, wish.from), (crossing, wish.through.pose), (path.duration(), wish.to)] {
            assert!((path.pose(t).position - pose.position).norm() < 1e-12, "{shape:?}");
        }
        for t in [-1.0, 0.0, path.duration(), 9.0] {
            assert!(common::norm(&path.velocity(t)) < 1e-11 && common::norm(&path.acceleration(t)) < 1e-9, "{shape:?}");
        }
        assert_close(&path.velocity(crossing), &wish.velocity, 1e-14, "velocity");
        let before = path.acceleration(crossing - 1e-9);
        assert_close(&before, &a, 1e-5, "acceleration is continuous");
    }
    // With another mass the same path misses the criterion, and needs efforts in proportion to 1 / |s|.
    let path = crossing::passage(&robot, &mut ws, &five_bar_passage(&robot, Shape::Quintics)).unwrap();
    let heavier = robot.with_gravity(Vec3::new(0.0, -12.0, 0.0));
    let (near, far) = (largest_effort(&heavier, &path, 1e-6, 1e-4), largest_effort(&heavier, &path, 1e-4, 1e-2));
    assert!((near / far - 100.0).abs() < 2.0, "{near} {far}");
}

#[test]
fn a_turning_platform_passes_too() {
    let robot = closed("gough-stewart");
    let mut ws = crossing::Workspace::new(&robot);
    let (from, to) = (yawed(&robot, 1.3), yawed(&robot, 1.8));
    let through = crossing::nearest(&robot, &mut ws, &from, &to, 10).unwrap();
    assert!(through.crossed && (through.along - (core::f64::consts::FRAC_PI_2 - 1.3) / 0.5).abs() < 1e-12);
    let wish = Passage {
        from: from.pose,
        to: to.pose,
        through: through.at.clone(),
        velocity: vec![0.05, -0.1, 0.1, 0.1, 0.2, 2.0],
        acceleration: vec![0.0; 6],
        crossing: 0.3,
        duration: 0.6,
        shape: Shape::Octic,
    };
    let path = crossing::passage(&robot, &mut ws, &wish).unwrap();
    let (near, far) = (largest_effort(&robot, &path, 1e-6, 1e-4), largest_effort(&robot, &path, 1e-4, 0.01));
    assert!(near < 2.0 * far + 100.0, "{near} {far}");
    let (one, other) = (path.pose(0.2), path.pose(0.2 + 1e-6));
    let slope = (other.position - one.position).scale(1e6) - path.motion(0.2).0.linear;
    assert!(slope.norm() < 1e-4);
}

#[test]
fn passages_that_cannot_be_are_refused() {
    let robot = closed("five-bar");
    let mut ws = crossing::Workspace::new(&robot);
    let wish = five_bar_passage(&robot, Shape::Quintics);
    let mut refused = |wish: Passage| crossing::passage(&robot, &mut ws, &wish).unwrap_err();
    assert!(matches!(refused(Passage { crossing: 0.5, ..wish.clone() }), CrossingError::Times { .. }));
    assert!(matches!(refused(Passage { duration: f64::NAN, ..wish.clone() }), CrossingError::Times { .. }));
    let through = robot.home().clone();
    assert!(matches!(refused(Passage { through, ..wish.clone() }), CrossingError::NotSingular { .. }));
    let mut from = wish.from;
    from.position.z = 0.1;
    let error = refused(Passage { from, ..wish.clone() });
    assert!(matches!(error, CrossingError::Fixed { end: "start", component: "vz", .. }), "{error}");
    let velocity = vec![30.0, 30.0];
    assert!(matches!(refused(Passage { velocity, ..wish }), CrossingError::OutOfReach { .. }));
}

#[test]
fn the_nearest_singularity_of_a_way() {
    let (robot, golden) = (closed("five-bar"), parallel_golden("shared_singularities.json"));
    let singular = numbers(&golden["five_bar_type2"]["singular_point"]["p"]);
    let at = |x: f64, y: f64| assembled(&robot, Pose { position: Vec3::new(x, y, 0.0), rotation: Mat3::identity(0.0) });
    let mut ws = crossing::Workspace::new(&robot);
    let found = crossing::nearest(&robot, &mut ws, &at(0.02, 0.3), &at(0.02, 0.12), 7).unwrap();
    assert!(found.crossed && found.inverse_condition < 1e-14 && (found.at.pose.position.y - singular[1]).abs() < 1e-15);
    // A way that comes near and does not cross.
    let found = crossing::nearest(&robot, &mut ws, &at(-0.1, 0.35), &at(0.1, 0.3), 9).unwrap();
    assert!(!found.crossed && found.inverse_condition > 0.1);
    for along in [0.0, 0.2, 0.5, 0.8, 1.0] {
        let at = at(-0.1 + 0.2 * along, 0.35 - 0.05 * along);
        let mut ws = singularity::Workspace::new(&robot);
        let other = singularity::measures(&robot, &mut ws, &at, &Metric::of(&robot)).type2();
        assert!(other >= found.inverse_condition * (1.0 - 1e-9), "{along}");
    }
}

#[test]
fn least_squares_at_a_singular_point() {
    let robot = closed("gough-stewart");
    let at = yawed(&robot, core::f64::consts::FRAC_PI_2);
    let mut dynamics = legs_platform::Workspace::new(&robot);
    let zero = [0.0; 6];
    assert!(
        legs_platform::inverse_dynamics(&robot, &mut dynamics, &at, &zero, &zero, &[], &Sharing::default()).is_err()
    );
    let w = legs_platform::generalised_forces(&robot, &mut dynamics, &at, &zero, &zero, &[]).unwrap().to_vec();
    let mut ws = singularity::Workspace::new(&robot);
    let j_inv = singularity::measures(&robot, &mut ws, &at, &RAW).inverse_jacobian.unwrap().matrix.to_vec();
    let found = drives::least_squares(&robot, &j_inv, &w, 1e-9);
    // What is left acts along t_s in the metric of the robot's length, and is what t_s feels of the demand.
    let metric = Metric::of(&robot);
    let ts = singularity::least_felt(&robot, &mut ws, &at, &metric).freedoms(&robot);
    let power = |x: &[f64]| -> f64 { x.iter().zip(&ts).map(|(x, t)| x * t).sum() };
    assert!((power(&found.rest) - power(&w)).abs() < 1e-11 * common::norm(&w), "{found:?}");
    assert!(power(&w).abs() > 1.0 && found.condition > 1e14 && common::norm(&found.tau) < 1e4);
    let unit = |k: usize| if k < 3 { 1.0 } else { 1.0 / (robot.length() * robot.length()) };
    let expected: Vec<f64> = (0..6).map(|k| ts[k] / unit(k)).collect();
    let scale = found.rest[5] / expected[5];
    let expected: Vec<f64> = expected.iter().map(|x| scale * x).collect();
    assert_close(&found.rest, &expected, 1e-11, "the rest");
}

fn described(name: &str) -> Description {
    toml::read(robots::find(name).unwrap().toml).unwrap().0
}

/// The robot whose platform's frame is elsewhere on the same platform.
fn with_origin(mut description: Description, platform_from_new: Vec3<f64>) -> ClosedMechanism {
    for closure in &mut description.closures {
        for side in [&mut closure.first, &mut closure.second] {
            if side.on == Carrier::Platform {
                side.pose.position = side.pose.position - platform_from_new;
            }
        }
    }
    let platform = description.platform.as_mut().unwrap();
    platform.body.com = platform.body.com - platform_from_new;
    platform.home.position = platform.home.point(platform_from_new);
    ClosedMechanism::new(&description).unwrap()
}

#[test]
fn the_platforms_origin_does_not_matter() {
    let (robot, offset) = (closed("gough-stewart"), Vec3::new(0.2, -0.1, 0.15));
    let moved = with_origin(described("gough-stewart"), offset);
    let (mut ws, mut moved_ws) = (singularity::Workspace::new(&robot), singularity::Workspace::new(&moved));
    let mut sampler = Sampler::new(3);
    for k in 0..20 {
        let mut at = yawed(&robot, core::f64::consts::FRAC_PI_2);
        if k > 0 {
            let some = |sampler: &mut Sampler| Vec3::new(sampler.within(0.1), sampler.within(0.1), sampler.within(0.1));
            at.pose.position = at.pose.position + some(&mut sampler);
            at.pose.rotation = Mat3::from_roll_pitch_yaw(some(&mut sampler)) * at.pose.rotation;
            at = assembled(&robot, at.pose);
        }
        let other = assembled(&moved, Pose { position: at.pose.point(offset), rotation: at.pose.rotation });
        assert_close(&other.q, &at.q, 1e-12, "the same legs");
        let determinant = |robot: &ClosedMechanism, ws: &mut singularity::Workspace, at: &Configuration| {
            singularity::measures(robot, ws, at, &RAW).inverse_jacobian.unwrap().determinant.unwrap()
        };
        let both = [determinant(&robot, &mut ws, &at), determinant(&moved, &mut moved_ws, &other)];
        assert!((both[0] - both[1]).abs() < 1e-15, "{k}: {both:?}");
        if k == 0 {
            assert!(singularity::measures(&moved, &mut moved_ws, &other, &Metric::of(&moved)).type2() < 1e-14);
            let one = singularity::least_felt(&robot, &mut ws, &at, &RAW).screw.unwrap();
            let other = singularity::least_felt(&moved, &mut moved_ws, &other, &RAW).screw.unwrap();
            let (Screw::Turn { direction, pitch, .. }, Screw::Turn { direction: d, point, pitch: h }) = (one, other)
            else {
                panic!("{one} or {other} is no turn")
            };
            assert!((direction - d).norm() < 1e-13 && (pitch - h).abs() < 1e-13 && point.x.hypot(point.y) < 1e-13);
        }
    }
}

/// The dead points of a four-bar that is driven by its rocker: crank and coupler in line.
#[test]
fn dead_points_of_a_four_bar() {
    let mut description = described("four-bar");
    for joint in &mut description.joints {
        joint.driven = joint.name == "rocker";
    }
    let robot = ClosedMechanism::new(&description).unwrap();
    let mut ws = singularity::Workspace::new(&robot);
    let (crank, coupler, rocker, base): (f64, f64, f64, f64) = (0.10, 0.28, 0.24, 0.30);
    let at = |reach: f64, coupler: f64| {
        let angle = ((reach * reach + base * base - rocker * rocker) / (2.0 * reach * base)).acos();
        let (x, y) = (reach * angle.cos() - base, reach * angle.sin());
        let turn = if coupler == 0.0 { 0.0 } else { core::f64::consts::PI };
        Configuration { q: vec![angle + turn, coupler, y.atan2(x)], ..robot.home().clone() }
    };
    for at in [at(crank + coupler, 0.0), at(coupler - crank, core::f64::consts::PI)] {
        let measures = singularity::measures(&robot, &mut ws, &at, &Metric::of(&robot));
        assert!(measures.type2() < 1e-14 && measures.freedoms == 1 && measures.constraints.inverse_condition > 0.01);
        assert!(measures.inverse_jacobian.is_none() && measures.platform.is_none() && measures.type1() == 1.0);
        let motions = singularity::uncontrolled(&robot, &mut ws, &at, &Metric::of(&robot));
        let [motion] = &motions[..] else { panic!("one motion: {motions:?}") };
        assert!(motion.u[2].abs() < 1e-14 && motion.screw.is_none() && motion.twist(&robot).is_none());
        let words = motion.words(&robot);
        assert!(words.starts_with("joints move: ") && !words.contains("rocker"), "{words}");
    }
    let measures = singularity::measures(&robot, &mut ws, robot.home(), &Metric::of(&robot));
    assert!(measures.type2() > 0.1 && measures.inverse_jacobian.unwrap().determinant == Some(1.0));
    assert_eq!(singularity::uncontrolled(&robot, &mut ws, robot.home(), &Metric::of(&robot)), []);
}

/// A parallelogram that lies flat may go on as an antiparallelogram: a freedom more.
#[test]
fn a_flat_parallelogram_has_a_freedom_more() {
    let mut description = described("four-bar");
    let (crank, coupler) = (0.24, 0.30);
    description.joints[1].placement.d = crank;
    description.closures[0].first.pose.position = Vec3::new(coupler, 0.0, 0.0);
    description.joints[0].home = 1.0;
    description.joints[1].home = -1.0;
    description.joints[2].home = 1.0;
    let robot = ClosedMechanism::new(&description).unwrap();
    let mut ws = singularity::Workspace::new(&robot);
    let at = |angle: f64| Configuration { q: vec![angle, -angle, angle], ..robot.home().clone() };
    for angle in [0.3, 1e-3, 1e-6] {
        let measures = singularity::measures(&robot, &mut ws, &at(angle), &Metric::of(&robot));
        assert_eq!(measures.freedoms, 1);
        let near = measures.constraints.inverse_condition / angle;
        assert!(0.05 < near && near < 1.0, "{near}");
    }
    let measures = singularity::measures(&robot, &mut ws, &at(0.0), &Metric::of(&robot));
    assert!(measures.freedoms == 2 && measures.constraints.least < 1e-15 && measures.type2() < 1e-15);
    let motion = singularity::least_felt(&robot, &mut ws, &at(0.0), &Metric::of(&robot));
    assert!(motion.u[0].abs() < 1e-14, "the crank rests: {motion:?}");
    // The memory serves another configuration after it.
    assert!(singularity::measures(&robot, &mut ws, &at(1.0), &Metric::of(&robot)).type2() > 0.1);
}

#[test]
fn numbers_that_are_not_finite_stop_nothing() {
    for name in ["gough-stewart", "five-bar", "four-bar", "3-rps"] {
        let robot = closed(name);
        let mut at = robot.home().clone();
        at.q[0] = f64::NAN;
        let mut ws = singularity::Workspace::new(&robot);
        let measures = singularity::measures(&robot, &mut ws, &at, &Metric::of(&robot));
        assert_eq!(measures.type2(), 0.0, "{name}");
        let _ = singularity::uncontrolled(&robot, &mut ws, &at, &Metric::of(&robot));
    }
}

fn axis(coordinate: Coordinate, from: f64, to: f64, cells: usize) -> Axis {
    Axis { coordinate, from, to, cells }
}

#[test]
fn map_of_a_five_bar() {
    let robot = closed("five-bar");
    let slice = Slice::at_home(&robot, axis(Coordinate::X, -0.7, 0.7, 29), axis(Coordinate::Y, 0.053, 0.753, 15));
    let mut last = 0;
    let map = workspace_map::map(&robot, &slice, |done, of| {
        assert!(done == last + 1 && of == 29 * 15);
        last = done;
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(last, 29 * 15);
    let mut ws = singularity::Workspace::new(&robot);
    for row in 0..15 {
        for column in 0..29 {
            let pose = slice.pose(row, column);
            let Vec3 { x, y, .. } = pose.position;
            let (left, right) = ((x + 0.14).hypot(y), (x - 0.14).hypot(y));
            let reached = left < 0.54 && left > 0.06 && right < 0.51 && right > 0.05;
            match map.cell(row, column) {
                Cell::OutOfLimits => panic!("no limits"),
                Cell::OutOfReach => assert!(!reached, "({x}, {y})"),
                Cell::Reachable { type1, type2 } => {
                    assert!(reached, "({x}, {y})");
                    let at = assembled(&robot, pose);
                    let measures = singularity::measures(&robot, &mut ws, &at, &Metric::of(&robot));
                    assert!((type1 - measures.type1()).abs() < 1e-9 && (type2 - measures.type2()).abs() < 1e-9);
                }
            }
        }
    }
}

#[test]
fn maps_with_limits_turns_and_side_motions() {
    let go_on = |_: usize, _: usize| ControlFlow::Continue(());
    let robot = closed("hexapod-6rus");
    let far = Slice::at_home(&robot, axis(Coordinate::Z, -0.6, 0.6, 9), axis(Coordinate::Yaw, -1.5, 1.5, 7));
    let far = Slice {
        columns: Axis {
            from: robot.home().pose.position.z - 0.6,
            to: robot.home().pose.position.z + 0.6,
            ..far.columns
        },
        ..far
    };
    let map = workspace_map::map(&robot, &far, go_on).unwrap();
    let count = |wanted: fn(&Cell) -> bool| map.cells.iter().filter(|cell| wanted(cell)).count();
    assert!(matches!(map.cell(3, 4), Cell::Reachable { .. }), "home");
    assert!(count(|cell| *cell == Cell::OutOfReach) > 5 && count(|cell| *cell == Cell::OutOfLimits) > 0);
    // A 3-RPS moves aside when it tilts.
    let robot = closed("3-rps");
    let slice = Slice::at_home(&robot, axis(Coordinate::Roll, -0.3, 0.3, 5), axis(Coordinate::Pitch, -0.3, 0.3, 5));
    let map = workspace_map::map(&robot, &slice, go_on).unwrap();
    assert!(map.cells.iter().all(|cell| matches!(cell, Cell::Reachable { .. })), "{:?}", map.cells);
    let slice = Slice::at_home(&robot, axis(Coordinate::X, 0.01, 0.3, 3), axis(Coordinate::Pitch, 0.0, 0.0, 1));
    let map = workspace_map::map(&robot, &slice, go_on).unwrap();
    assert!(map.cells.iter().all(|cell| *cell == Cell::OutOfReach), "{:?}", map.cells);
}

#[test]
fn maps_that_cannot_be_are_refused() {
    let go_on = |_: usize, _: usize| ControlFlow::Continue(());
    let (robot, x) = (closed("delta"), axis(Coordinate::X, -0.1, 0.1, 3));
    let refused = |robot: &ClosedMechanism, columns, rows| {
        workspace_map::map(robot, &Slice::at_home(robot, columns, rows), go_on).unwrap_err()
    };
    assert!(matches!(refused(&closed("four-bar"), x, axis(Coordinate::Y, 0.0, 1.0, 2)), MapError::NoLegs { .. }));
    assert!(matches!(refused(&robot, x, axis(Coordinate::Y, 0.0, 1.0, 0)), MapError::Axis { cells: 0, .. }));
    assert!(matches!(refused(&robot, x, axis(Coordinate::Y, f64::NAN, 1.0, 2)), MapError::Axis { .. }));
    assert!(matches!(refused(&robot, x, x), MapError::Twice { .. }));
    assert!(matches!(refused(&robot, x, axis(Coordinate::Y, 0.0, 1.0, usize::MAX)), MapError::TooLarge { .. }));
    let slice = Slice::at_home(&robot, x, axis(Coordinate::Y, -0.1, 0.1, 3));
    let stop = |done: usize, _: usize| if done < 4 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    assert_eq!(workspace_map::map(&robot, &slice, stop), Err(MapError::Stopped { done: 4, of: 9 }));
}

#[test]
fn measures_allocate_nothing() {
    for name in ["gough-stewart", "five-bar", "four-bar", "delta", "3-rps"] {
        let (robot, metric) = (closed(name), Metric::of(&closed(name)));
        let mut ws = singularity::Workspace::new(&robot);
        let info = allocation_counter::measure(|| {
            singularity::measures(&robot, &mut ws, robot.home(), &metric);
        });
        assert_eq!(info.count_total, 0, "{name}");
    }
}

/// What is not felt is a motion of the robot by the other methods too, with the drives at rest.
#[test]
fn motions_that_are_not_felt_are_motions() {
    for (name, turn) in [("gough-stewart", Vec3::new(0.1, -0.2, 1.9)), ("planar-3rrr", Vec3::new(0.0, 0.0, -1.2))] {
        let robot = closed(name);
        let mut far = robot.home().clone();
        far.pose.rotation = Mat3::from_roll_pitch_yaw(turn) * far.pose.rotation;
        let found = crossing::nearest(&robot, &mut crossing::Workspace::new(&robot), robot.home(), &far, 40).unwrap();
        assert!(found.crossed && found.inverse_condition < 1e-14, "{name}");
        let mut ws = singularity::Workspace::new(&robot);
        let motion = singularity::least_felt(&robot, &mut ws, &found.at, &Metric::of(&robot));
        let r = motion.freedoms(&robot);
        let zero = vec![0.0; r.len()];
        let mut legs = legs_platform::Workspace::new(&robot);
        let mut tree = tree_closures::Workspace::new(&robot);
        let (u, _) = legs_platform::motion(&robot, &mut legs, &found.at, &r, &zero).unwrap();
        assert_close(&motion.u, u, 1e-12, name);
        let (u, _) = tree_closures::motion(&robot, &mut tree, &found.at, &r, &zero).unwrap();
        assert_close(&motion.u, u, 1e-12, name);
        assert!(robot.driven().iter().all(|&j| u[j].abs() < 1e-12), "{name}: the drives rest");
        if name == "planar-3rrr" {
            // The forearms' lines meet in one point, about which the platform turns.
            let Some(Screw::Turn { point, pitch: 0.0, .. }) = motion.screw else { panic!("{motion:?}") };
            let mut kinematics = appell::kinematics::Workspace::new(robot.tree());
            let poses = appell::kinematics::positions(robot.tree(), &mut kinematics, &found.at.q);
            for leg in robot.legs() {
                let elbow = &poses[leg.joints[1]];
                let away = elbow.rotation.column(0).cross(point - elbow.position).norm();
                assert!(away < 1e-12, "{away}");
            }
        }
    }
}
