//! `appell identify`: what methods, known parameters and gains make of a robot.

use super::recordings::{PUMA_MOTION, torque_error, true_puma};
use super::{Folder, json};

/// The robot's file is as robust as the method, keeps what is known, and can be simulated.
#[test]
fn the_robot_follows_the_method_and_what_is_known() {
    let folder = Folder::recorded();
    // A twentieth of the recording are collisions.
    let hit = |name: &str, k: usize, x: f64| if name.starts_with("tau") && k % 400 < 20 { x + 30.0 } else { x };
    folder.change("hit.csv", hit);
    let command = "puma560 --data hit.csv --decimate 4 --smoothing 0.05 --folds 0 --method";
    let [robust, plain] = ["huber", "weighted"].map(|method| {
        folder.identify(&format!("{command} {method}")).done();
        torque_error(&folder, "out/robot.toml")
    });
    assert!(robust < 0.05 && plain > 4.0 * robust, "{robust} {plain}");
    // A body that is known in part.
    folder.identify("true.toml --data run.csv --decimate 4 --folds 0 --known ZZ3,M5").done();
    assert!(folder.read("robot.toml").contains("# Known: ZZ3, M5"));
    assert!(torque_error(&folder, "out/robot.toml") < 0.01);
    // Friction that the built-in robot does not have is smoothed; asked for, it jumps, and that is warned of.
    let run = folder.identify("puma560 --data run.csv --decimate 4 --folds 0");
    run.ended(0, &[]);
    assert!(folder.read("robot.toml").contains("smoothing = 0.01") && !run.stderr.contains("jumps"), "{}", run.stderr);
    folder
        .identify("puma560 --data run.csv --decimate 4 --folds 0 --smoothing 0")
        .ended(0, &["simulations let such joints stick"]);
    for (option, words) in [
        ("--tolerance 1", "below 1"),
        ("--trust 1e300", "from 1e-6"),
        ("--trust 1e-300", "from 1e-6"),
        ("--effects viscous,gain", "nothing is known"),
        ("--smoothing 1e9", "at most 1"),
        ("--bodies-only --smoothing 0.1", "of which none is asked for"),
        ("--stribeck-speed 0.1", "which is not asked for"),
        ("--tolerance 0.1", "--tolerance is that of --method svd"),
        ("--border 9.9", "shorter border (--border)"),
        ("--method instruments --instruments run.csv", "an instrument knows nothing of it"),
    ] {
        folder.refuses(&format!("puma560 --data run.csv --decimate 4 {option}"), &[words]);
    }
}

/// Torques in units that are wrong, joint by joint, and a payload that was weighed.
#[test]
fn drive_gains_are_found_with_a_known_payload() {
    let folder = Folder::recorded();
    let payload =
        "\n[body.wrist-yaw]\nmass = 4.0\ncom = [0.06, -0.04, 0.1]\ninertia = { xx = 0.02, yy = 0.02, zz = 0.02 }\n";
    let text = true_puma();
    let start = text.find("[body.wrist-yaw]").unwrap();
    let end = start + text[start + 1..].find("\n[").unwrap() + 1;
    folder.write("loaded.toml", text[..start].to_owned() + payload.trim_start() + &text[end..]);
    folder.fourier("run.csv", &folder.shown("loaded.toml"), &format!("{PUMA_MOTION} --seed 3"));
    let gain = |joint: usize| 0.7 + 0.1 * joint as f64;
    let scaled = |name: &str, _: usize, x: f64| match name.strip_prefix("tau") {
        Some(joint) => x / gain(joint.parse().unwrap()),
        None => x,
    };
    folder.change("amperes.csv", scaled);
    let command = "loaded.toml --data amperes.csv --decimate 4 --folds 0 --effects viscous,coulomb,offset,rotor,gain --json --known";
    let answer = json(&folder.identify(&format!("{command} M*6,X?6,Y?6,ZZ6")).done());
    // The gain of a joint, and its σ.
    let found = |answer: &serde_json::Value, joint: usize| {
        let of_joint = |found: &&serde_json::Value| found["name"] == format!("g{joint}").as_str();
        let found = answer["parameters"].as_array().unwrap().iter().find(of_joint).unwrap();
        [&found["value"], &found["sigma"]].map(|number| number.as_f64().unwrap())
    };
    for joint in 1..=6 {
        let [value, _] = found(&answer, joint);
        assert!((value / gain(joint) - 1.0).abs() < 0.02, "g{joint}: {value} for {}", gain(joint));
    }
    assert!(answer["fit"]["relative"].as_f64().unwrap() < 0.02, "{}", answer["fit"]);
    assert!(folder.read("robot.toml").contains("# Beyond this file: g1 = "));
    // One gain that is known, and noise.
    let noisy = |name: &str, row: usize, x: f64| {
        let noise = (1e4 * (row as f64 + name.len() as f64).sin()).fract();
        scaled(name, row, x) + if name.starts_with("tau") { 0.5 * noise } else { 0.0 }
    };
    folder.change("noisy.csv", noisy);
    let answer = json(&folder.identify(&format!("{} g1", command.replace("amperes", "noisy"))).done());
    for joint in 2..=6 {
        let [value, sigma] = found(&answer, joint);
        let off = value - gain(joint) / gain(1);
        assert!(off.abs() < 5.0 * sigma && off.abs() < 0.1, "g{joint} = {value} ± {sigma}");
    }
    folder.refuses(
        &format!("{} g1 --method instruments --instruments run.csv", command.replace(" --json", "")),
        &["--effects gain goes with the other methods"],
    );
}

/// The platform of the five-bar is a point: it has a robot's file, too.
#[test]
fn a_five_bar_with_a_point_for_a_platform_is_identified() {
    let folder = Folder::new();
    folder.fourier("run.csv", "five-bar", "--harmonics 5 --amplitude 0.15 --frequency 0.5 --dt 0.002");
    let answer = json(&folder.identify("five-bar --data run.csv --bodies-only --decimate 2 --json").done());
    assert!(answer["robot_file_fit"]["relative"].as_f64().unwrap() < 0.01, "{answer}");
    assert!(folder.read("robot.toml").contains("[platform]"));
}
