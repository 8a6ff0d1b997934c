//! Crossing singularities of Type 2 of closed mechanisms: golden trajectories, and paths that satisfy the criterion.

use crate::common::{assembled, assert_close, closed, efforts, five_bar_at, number, numbers, parallel_golden, yawed};
use appell::closed::crossing::{self, CrossingError, Passage, Path, Shape};
use appell::closed::singularity::{self, Metric};
use appell::closed::{ClosedMechanism, Configuration, assembly, legs_platform};
use appell::spatial::{Mat3, Pose, Vec3};
use serde_json::Value;

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
        assert!(!satisfied || crate::common::relative_difference(&corrected, &a) < 1e-13, "{name}: nothing to correct");
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
            largest = largest.max(crate::common::norm(&tau));
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
            assert!(
                crate::common::norm(&path.velocity(t)) < 1e-11 && crate::common::norm(&path.acceleration(t)) < 1e-9,
                "{shape:?}"
            );
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
