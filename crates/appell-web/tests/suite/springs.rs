//! Modes of vibration on the bench, limits that a page sets, and joints without drive.

use appell_web::Bench;
use serde_json::{Value, json};

const PENDULUM: &str = "name = 'pendulum'\nframes = 'modified-dh'\n\
    joints = [['pivot', 'revolute', '-90 deg', 0.0, 'q', 0.0]]\n[body.pivot]\nmass = 2.0\ncom = [0.5, 0.0, 0.0]\n\
    inertia = { xx = 0.01, yy = 0.02, zz = 0.02 }\n[joint.pivot]\ndriven = false\n";

fn bench(text: &str) -> Bench {
    Bench::read(text, "robot.toml").unwrap_or_else(|remarks| panic!("{remarks:?}"))
}

/// A pendulum that hangs swings, one that stands falls, and one that lies has to be held.
#[test]
fn a_pendulum_swings() {
    let mut pendulum = bench(PENDULUM);
    let omega = (2.0 * 9.81 * 0.5 / 0.52_f64).sqrt();
    let places = [core::f64::consts::FRAC_PI_2, -core::f64::consts::FRAC_PI_2];
    let mut frequencies = Vec::new();
    for q in places {
        pendulum.set_q(&[q]).unwrap();
        let found = pendulum.vibration(&[0.0]).unwrap();
        assert!(found.unheld.is_empty(), "{:?}", found.unheld);
        match (found.modes[0].frequency, found.modes[0].growth) {
            (Some(frequency), None) => frequencies.push(core::f64::consts::TAU * frequency),
            (None, Some(growth)) => frequencies.push(1.0 / growth),
            other => panic!("{other:?}"),
        }
    }
    assert!(frequencies.iter().all(|found| (found / omega - 1.0).abs() < 1e-4), "{frequencies:?} {omega}");
    pendulum.set_q(&[0.0]).unwrap();
    assert_eq!(pendulum.vibration(&[0.0]).unwrap().unheld, ["pivot"]);
    assert!(pendulum.vibration(&[-1.0]).unwrap_err().contains("not negative"));
    assert!(pendulum.vibration(&[]).is_err());
}

/// Stiff drives make every mode of a platform a vibration, as fast as the root of their stiffness, and the sketch moves with it.
#[test]
fn a_platform_on_stiff_drives() {
    let robot = Bench::builtin("gough-stewart").unwrap();
    let [soft, stiff] = [1e8, 4e8].map(|k| robot.vibration(&[k; 6]).unwrap());
    for (soft, stiff) in soft.modes.iter().zip(&stiff.modes) {
        let ratio = stiff.frequency.unwrap() / soft.frequency.unwrap();
        assert!((ratio - 2.0).abs() < 1e-3, "gravity hardly counts: {ratio}");
    }
    let place = serde_json::to_value(robot.sketch()).unwrap();
    for mode in &soft.modes {
        let swung = serde_json::to_value(robot.swung(&mode.shape, 1.0).unwrap()).unwrap();
        assert_ne!(swung["platform"], place["platform"]);
        assert_eq!(swung["base"], place["base"]);
    }
}

#[test]
fn limits_become_part_of_the_text() {
    for (name, joint) in [("puma560", "elbow"), ("gough-stewart", "leg1.slide")] {
        let robot = Bench::builtin(name).unwrap();
        let info = serde_json::to_value(robot.info()).unwrap();
        let known: Vec<&str> =
            info["joints"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
        assert!(known.contains(&joint), "{known:?}");
        let given = json!([{ "joint": joint, "lower": null, "upper": 2.5, "velocity": 1.5, "effort": 100.0 }]);
        let text = robot.limited(&serde_json::from_value::<Vec<_>>(given).unwrap()).unwrap();
        let info: Value = serde_json::to_value(bench(&text).info()).unwrap();
        let limited = info["joints"].as_array().unwrap().iter().find(|one| one["name"] == joint).unwrap();
        assert_eq!(
            (&limited["lower"], &limited["upper"], &limited["velocity"], &limited["effort"]),
            (&Value::Null, &json!(2.5), &json!(1.5), &json!(100.0)),
            "{name}"
        );
        let nobody = json!([{ "joint": "nobody", "lower": null, "upper": null, "velocity": null, "effort": null }]);
        let nobody = serde_json::from_value::<Vec<_>>(nobody).unwrap();
        assert!(robot.limited(&nobody).unwrap_err().contains("nobody"));
    }
}

#[test]
fn a_joint_without_drive_is_no_drive() {
    let info = serde_json::to_value(bench(PENDULUM).info()).unwrap();
    assert_eq!(info["drives"][0]["driven"], json!(false));
    let info = serde_json::to_value(Bench::builtin("five-bar").unwrap().info()).unwrap();
    assert!(info["drives"].as_array().unwrap().iter().all(|drive| drive["driven"] == json!(true)));
}
