//! Robots dragged along random ways: loops stay closed, forces add up, and the picture is where the frames are.

use crate::{Seeded, apart};
use appell::closed::coordinates::Coordinates;
use appell::robots;
use appell_web::Bench;
use appell_web::place::Place;
use serde_json::Value;

/// How far the loops are open, over the characteristic length.
fn gap(bench: &Bench) -> f64 {
    match (bench.robot().closed(), bench.place()) {
        (Some(robot), Place::Closed(at)) => Coordinates::new(robot).gap(robot, at) / robot.length(),
        _ => 0.0,
    }
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(Value::as_f64).collect()
}

/// What must hold wherever a robot was brought.
fn check(bench: &mut Bench, what: &str) {
    assert!(gap(bench) < 1e-9, "{what}: a loop is open by {:e}", gap(bench));
    assert!(bench.q().iter().chain(&bench.pose()).all(|x| x.is_finite()), "{what}");
    let live = serde_json::to_value(bench.live()).unwrap();
    if let (Some(tau), Some(gravity), Some(dynamic)) =
        (numbers(&live["tau"]), numbers(&live["gravity"]), numbers(&live["dynamic"]))
    {
        let sum: Vec<f64> = gravity.iter().zip(&dynamic).map(|(gravity, dynamic)| gravity + dynamic).collect();
        assert!(apart(&sum, &tau, 1e-9) < 1e-9, "{what}: {tau:?} {sum:?}");
    } else {
        assert!(!live["notes"].as_array().unwrap().is_empty(), "{what}: no torques and no reason");
    }
    let frames = bench.ask("frames").unwrap();
    for (frame, pose) in bench.sketch().frames.iter().zip(frames.chunks(12)) {
        assert!(apart(&frame.pose[..3], &pose[9..], 1.0) < 1e-12, "{what}: frame {}", frame.name);
    }
}

#[test]
fn poses() {
    for builtin in robots::all() {
        let (mut bench, mut random) = (Bench::builtin(builtin.name).unwrap(), Seeded::new(7));
        let size = 0.02 * bench.robot().closed().map_or(1.0, |robot| 8.0 * robot.length());
        let freedoms = bench.robot().freedoms().len();
        let rates = bench.rates();
        for step in 0..60 {
            let mut pose = bench.pose();
            let (before, before_q) = (pose, bench.q().to_vec());
            // Some ways go far beyond what can be reached.
            let far = if step % 10 == 9 { 20.0 } else { 1.0 };
            pose[..3].iter_mut().for_each(|x| *x += far * size * random.next());
            pose[3..].iter_mut().for_each(|x| *x += 0.1 * random.next());
            let v: Vec<f64> = (0..rates).map(|_| random.next()).collect();
            bench.set_motion(&v, &v).unwrap();
            let what = format!("{} at step {step}", builtin.name);
            let why = bench.set_pose(&pose).unwrap();
            check(&mut bench, &what);
            // A robot of six degrees of freedom that says it came there is there.
            if why.is_empty() && freedoms >= 6 {
                assert!(apart(&bench.pose()[..3], &pose[..3], 1.0) < 1e-7, "{what}");
            }
            assert!(why.is_empty() || why.len() > 10, "{what}: {why}");
            if before_q == bench.q() {
                assert_eq!(before, bench.pose(), "{what}");
            }
        }
    }
}

#[test]
fn drives_and_joints() {
    for builtin in robots::all() {
        let (mut bench, mut random) = (Bench::builtin(builtin.name).unwrap(), Seeded::new(3));
        for step in 0..40 {
            let far = if step % 10 == 9 { 2.0 } else { 0.1 };
            let what = format!("{} at step {step}", builtin.name);
            let drives: Vec<f64> = bench.drives().iter().map(|drive| drive + far * random.next()).collect();
            let why = bench.set_drives(&drives).unwrap();
            check(&mut bench, &what);
            if why.is_empty() {
                assert!(apart(&bench.drives(), &drives, 1.0) < 1e-9, "{what}");
            }
            let joint = step % bench.q().len();
            let goal = bench.q()[joint] + 0.1 * random.next();
            let why = bench.set_joint(joint, goal).unwrap();
            check(&mut bench, &what);
            if why.is_empty() {
                assert!(
                    (bench.q()[joint] - goal).abs() < 1e-7,
                    "{what}: joint {joint} is at {}, not {goal}",
                    bench.q()[joint]
                );
            }
        }
    }
}

/// How far two poses are apart; q and −q are one attitude.
fn between(one: &[f64; 7], other: &[f64; 7]) -> f64 {
    let turned = other.map(|x| -x);
    apart(&one[..3], &other[..3], 1.0) + apart(&one[3..], &other[3..], 1.0).min(apart(&one[3..], &turned[3..], 1.0))
}

/// All positions bring a robot back, whatever it did meanwhile, rounded or not.
#[test]
fn positions_bring_a_robot_back() {
    for builtin in robots::all() {
        let (mut bench, mut random) = (Bench::builtin(builtin.name).unwrap(), Seeded::new(5));
        let drives: Vec<f64> = bench.drives().iter().map(|drive| drive + 0.02 * random.next()).collect();
        bench.set_drives(&drives).unwrap();
        let (q, pose) = (bench.q().to_vec(), bench.pose());
        bench.home();
        assert_eq!(bench.set_q(&q).unwrap(), "", "{}", builtin.name);
        assert!(between(&bench.pose(), &pose) < 1e-9, "{}: {:?} {pose:?}", builtin.name, bench.pose());
        bench.home();
        let rounded: Vec<f64> = q.iter().map(|q| (q * 1e6).round() / 1e6).collect();
        assert_eq!(bench.set_q(&rounded).unwrap(), "", "{}", builtin.name);
        assert!(between(&bench.pose(), &pose) < 1e-4, "{}", builtin.name);
        check(&mut bench, builtin.name);
    }
}

#[test]
fn limits_are_named() {
    let mut bench = Bench::builtin("hexapod-6rus").unwrap();
    let mut drives = bench.drives();
    drives[0] += 10.0;
    let why = bench.set_drives(&drives).unwrap();
    assert!(why.contains("limit of joint") || why.contains("met") || why.contains("reach"), "{why}");
    check(&mut bench, "hexapod");
    let text = "name = \"arm\"\nframes = \"modified-dh\"\njoints = [[\"turn\", \"revolute\", \"0\", 0.0, \"q\", 0.0]]\n\
                [body.turn]\nmass = 0\n[joint.turn]\nlimits = { lower = -1.0, upper = 1.0 }\n";
    let mut arm = Bench::read(text, "arm.toml").unwrap_or_else(|remarks| panic!("{remarks:?}"));
    assert_eq!(arm.set_joint(0, 2.0).unwrap(), "limit of joint turn: 57.3°");
    assert_eq!(arm.q(), [1.0]);
}

/// A stretched arm has no way inwards that a derivative sees.
#[test]
fn a_stretched_arm_comes_in() {
    let mut scara = Bench::builtin("scara").unwrap();
    let mut goal = scara.pose();
    goal[0] -= 0.1;
    assert_eq!(scara.set_pose(&goal).unwrap(), "");
    let left = scara.pose().iter().zip(&goal).map(|(at, goal)| (at - goal).abs()).fold(0.0, f64::max);
    assert!(left < 1e-8, "{left}");
}

/// Fewer joints than six come to a place in whatever attitude; a turn alone is refused.
#[test]
fn few_joints_choose_a_place() {
    let mut arm = Bench::builtin("two-link").unwrap();
    assert_eq!(arm.set_joint(1, 1.0).unwrap(), "");
    let mut goal = arm.pose();
    goal[1] -= 1e-3;
    assert_eq!(arm.set_pose(&goal).unwrap(), "");
    assert!((arm.pose()[1] - goal[1]).abs() < 1e-8);
    let turned = [goal[0], goal[1], goal[2], 0.0, 0.0, (0.5_f64).sin(), (0.5_f64).cos()];
    assert!(arm.set_pose(&turned).unwrap().contains("left"));
}

/// A goal that is thousands of turns away costs no more than one of some.
#[test]
fn far_goals_are_come_nearer() {
    for (robot, joint) in [("four-bar", 0), ("four-bar", 2), ("tricept", 6), ("palletizer", 0), ("gough-stewart", 2)] {
        let mut bench = Bench::builtin(robot).unwrap();
        for far in [1e2, -1e5, 1e9] {
            let why = bench.set_joint(joint, far).unwrap();
            assert!(!why.is_empty(), "{robot} came to {far}");
            check(&mut bench, robot);
        }
    }
    let mut crank = Bench::builtin("four-bar").unwrap();
    let before = crank.q()[0];
    assert!(crank.set_joint(0, 100.0).unwrap().contains("too far for one move"));
    assert!(crank.q()[0] > before + 10.0, "it turns fully: {}", crank.q()[0]);
}
