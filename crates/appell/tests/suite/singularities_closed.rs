//! Singularities of closed mechanisms against the golden data, and the laws they obey.

use crate::common::{
    assembled, assert_close, closed, described, efforts, five_bar_at, matrix, norm, number, numbers, parallel_golden,
    vector, yawed,
};
use appell::closed::drives::{self, Sharing};
use appell::closed::far;
use appell::closed::singularity::{self, Metric};
use appell::closed::{ClosedMechanism, Configuration, Screw, assembly, crossing, legs_platform, tree_closures};
use appell::description::{Carrier, Description};
use appell::robots;
use appell::sample::Sampler;
use appell::spatial::{Mat3, Pose, Vec3};
use serde_json::Value;

/// All in m and rad, as the golden data are.
const RAW: Metric = Metric { length: 1.0, tolerance: 1e-9 };

fn rows<'v>(golden: &'v Value, key: &str) -> &'v [Value] {
    golden[key]["path"].as_array().unwrap()
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
    assert!(motion.controlled < 1e-15 && matches!(motion.screw, Some(Screw::Slide { .. })));
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
    let motion = singularity::least_controlled(&robot, &mut ws, &yawed(&robot, number(&point["psi"])), &RAW);
    assert_close(&motion.freedoms(&robot), &numbers(&point["kernel_twist"]), 1e-14, "t_s");
    let words = "turn about z through (0, 0, 0.75) m and slide along −z, pitch −0.2446 m/rad";
    assert_eq!(motion.words(&robot), words);
}

#[test]
fn gough_stewart_type_1() {
    let (robot, golden) = (closed("gough-stewart"), parallel_golden("shared_singularities.json"));
    let rotation = matrix(&numbers(&golden["gs_type1"]["R"]));
    let mut ws = singularity::Workspace::new(&robot);
    for row in rows(&golden, "gs_type1") {
        let (label, p) = (format!("dq2 {}", row["dq2"]), numbers(&row["p"]));
        let mut at = robot.home().clone();
        at.pose = Pose { position: vector(&p), rotation };
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
    let ts = singularity::least_controlled(&robot, &mut ws, &at, &metric).freedoms(&robot);
    let power = |x: &[f64]| -> f64 { x.iter().zip(&ts).map(|(x, t)| x * t).sum() };
    assert!((power(&found.rest) - power(&w)).abs() < 1e-11 * norm(&w), "{found:?}");
    assert!(power(&w).abs() > 1.0 && found.condition > 1e14 && norm(&found.tau) < 1e4);
    let unit = |k: usize| if k < 3 { 1.0 } else { 1.0 / (robot.length() * robot.length()) };
    let expected: Vec<f64> = (0..6).map(|k| ts[k] / unit(k)).collect();
    let scale = found.rest[5] / expected[5];
    let expected: Vec<f64> = expected.iter().map(|x| scale * x).collect();
    assert_close(&found.rest, &expected, 1e-11, "the rest");
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
            let one = singularity::least_controlled(&robot, &mut ws, &at, &RAW).screw.unwrap();
            let other = singularity::least_controlled(&moved, &mut moved_ws, &other, &RAW).screw.unwrap();
            let (
                Screw::PlanarRotation { direction, pitch, .. },
                Screw::PlanarRotation { direction: d, point, pitch: h },
            ) = (one, other)
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

/// The four-bar with its crank and its coupler as long as what they face.
fn parallelogram() -> ClosedMechanism {
    let mut description = described("four-bar");
    description.joints[1].placement.d = 0.24;
    description.closures[0].first.pose.position = Vec3::new(0.30, 0.0, 0.0);
    description.joints.iter_mut().zip([1.0, -1.0, 1.0]).for_each(|(joint, home)| joint.home = home);
    ClosedMechanism::new(&description).unwrap()
}

/// A parallelogram that lies flat may go on as an antiparallelogram: a freedom more.
#[test]
fn a_flat_parallelogram_has_a_freedom_more() {
    let robot = parallelogram();
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
    let motion = singularity::least_controlled(&robot, &mut ws, &at(0.0), &Metric::of(&robot));
    assert!(motion.u[0].abs() < 1e-14, "the crank rests: {motion:?}");
    // The memory serves another configuration after it.
    assert!(singularity::measures(&robot, &mut ws, &at(1.0), &Metric::of(&robot)).type2() > 0.1);
}

/// The quick look calls no place far that the measures call near; and homes are far.
#[test]
fn what_is_far_from_singularities_is_not_near_by_the_measures() {
    const NEAR: f64 = 1e-6;
    let mut near = [0; 3];
    let mut look = |robot: &ClosedMechanism, at: &Configuration| {
        let (mut ws, mut quick) = (singularity::Workspace::new(robot), far::Workspace::new(robot));
        let metric = Metric::of(robot);
        let is_far = far::is_far(robot, &mut quick, at, &metric);
        let measures = singularity::measures(robot, &mut ws, at, &metric);
        let all = [measures.type1(), measures.type2(), measures.constraints.inverse_condition];
        all.iter().zip(&mut near).for_each(|(measure, count)| *count += usize::from(*measure < NEAR));
        let least = all.into_iter().fold(1.0, f64::min);
        assert!(!is_far || least > 1e2 * NEAR, "{}: far at {all:?}", robot.name());
        assert!(is_far || least < 0.05, "{}: not far at {all:?}", robot.name());
    };
    for robot in robots::CLOSED {
        look(&robot.closed(), robot.closed().home());
    }
    let golden = parallel_golden("shared_singularities.json");
    let five_bar = closed("five-bar");
    for key in ["five_bar_type1", "five_bar_type2"] {
        rows(&golden, key).iter().for_each(|row| look(&five_bar, &five_bar_at(row)));
    }
    let gough = closed("gough-stewart");
    for off in [0.5, 1e-2, 1e-4, 1e-6, 1e-8, 0.0] {
        look(&gough, &yawed(&gough, core::f64::consts::FRAC_PI_2 - off));
    }
    let parallelogram = parallelogram();
    for angle in [1.0, 1e-2, 1e-5, 1e-8, 0.0] {
        let at = Configuration { q: vec![angle, -angle, angle], ..parallelogram.home().clone() };
        look(&parallelogram, &at);
    }
    assert!(near.iter().all(|&count| count > 0), "every type was met: {near:?}");
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
        let motion = singularity::least_controlled(&robot, &mut ws, &found.at, &Metric::of(&robot));
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
            let Some(Screw::PlanarRotation { point, pitch: 0.0, .. }) = motion.screw else { panic!("{motion:?}") };
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

/// The same platform with the first leg's base turned has the same twists: only the ball's three angles fail there, and they are named.
#[test]
fn three_angles_at_a_right_angle_are_named_in_place_of_the_robot() {
    let text = include_str!("../../../../tests/data/closed/right-angle.toml");
    let robot = ClosedMechanism::from_toml(text).unwrap();
    assert_eq!(robot.singular_angles(robot.home()), Some("leg1.ball"));
    let question = appell::question::Question::Jacobian;
    let mut evaluator = appell::question::Evaluator::new(&robot, question, None, Default::default()).unwrap();
    let mut row = vec![0.0; evaluator.columns().len()];
    let motion = appell::question::Motion::at_rest(robot.home().pose);
    let error = evaluator.evaluate(&appell::question::State { motion, ..Default::default() }, &mut row).unwrap_err();
    assert!(error.to_string().contains("three angles of `leg1.ball` are singular here, not the robot"), "{error}");
    // Turned by a little it is a robot like any other.
    let turned = text.replace("-0.18107513550281706", "0.3");
    let robot = ClosedMechanism::from_toml(&turned).unwrap();
    assert_eq!(robot.singular_angles(robot.home()), None);
}
