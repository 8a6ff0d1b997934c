//! `appell identify`: what a robot carried, and fingers that were not recorded.

use super::recordings::{PUMA_MOTION, true_puma};
use super::{Folder, appell, json, repository};
use appell::description::{BodyDescription, toml};
use appell::spatial::{Sym3, Vec3};
use std::fs;

/// Two fingers for the hand of a Panda, of which one follows the other.
const FINGERS: &str = r#"
  <link name="finger1"><inertial><mass value="0.05"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="finger2"><inertial><mass value="0.05"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="finger_joint1" type="prismatic"><parent link="HAND"/><child link="finger1"/><origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.2"/></joint>
  <joint name="finger_joint2" type="prismatic"><parent link="HAND"/><child link="finger2"/><origin xyz="0 0 0.1"/><axis xyz="0 -1 0"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.2"/><mimic joint="finger_joint1"/></joint>
</robot>"#;

/// A Panda with a gripper, of which the arm alone was recorded, by a Panda without one.
#[test]
fn fingers_that_were_not_recorded_stand() {
    let folder = Folder::new();
    let arm = repository("tests/data/urdf/panda7.urdf");
    let text = fs::read_to_string(&arm).unwrap();
    let hand = text.rfind("<child link=\"").map(|at| text[at + 13..].split('"').next().unwrap()).unwrap();
    folder.write("gripper.urdf", text.replace("</robot>", &FINGERS.replace("HAND", hand)));
    folder.fourier("run.csv", &arm, "--harmonics 5 --amplitude 0.4 --frequency 0.2 --periods 2 --dt 0.01 --seed 2");
    let command = "gripper.urdf --data run.csv --bodies-only --folds 0";
    folder.refuses(command, &["q8"]);
    folder.refuses(&format!("{command} --lock thumb"), &["--lock: there is no joint `thumb`", "finger_joint1"]);
    folder.refuses(&format!("{command} --lock finger_joint1=wide"), &["JOINT=POSITION"]);
    let answer = json(&folder.identify(&format!("{command} --lock finger_joint1=0.02 --json")).done());
    assert!(answer["fit"]["relative"].as_f64().unwrap() < 0.01, "{}", answer["fit"]);
    assert_eq!(answer["fit"]["joints"].as_array().unwrap().len(), 7);
    let written = folder.read("robot.toml");
    assert!(written.contains("# Standing joints: finger_joint1 = 0.02") && written.contains("mimic"), "{written}");
    assert!(folder.read("robot.urdf").contains("finger_joint2"));
    // A motion of the arm alone.
    let robot = folder.shown("gripper.urdf");
    let quick = "--bodies-only --velocity 2 --acceleration 6 --starts 1 --steps 2 --hops 0 --samples 40";
    let refused = appell(&format!("excite {robot} {quick}"));
    refused.refused_with(&["joint `finger_joint2` follows another"]);
    let table = appell(&format!("excite {robot} {quick} --lock finger_joint1 --dt 0.5")).done();
    assert_eq!(
        table.lines().find(|line| line.starts_with("t,")).map(|line| line.split(',').count()),
        Some(1 + 3 * 7),
        "{table}"
    );
}

/// Recordings with and without a payload, in units that are off by a tenth.
#[test]
fn a_weighed_payload_gives_the_gains() {
    let folder = Folder::new();
    let (mut robot, _) = toml::read(&true_puma()).unwrap();
    let inertia = Sym3 { xx: 0.02, yy: 0.02, zz: 0.01, xy: 0.0, xz: 0.0, yz: 0.0 };
    let body = BodyDescription { mass: 3.0, com: Vec3::new(0.05, -0.04, 0.1), inertia };
    robot.joints[5].body = robot.joints[5].body.with(&body);
    folder.write("carrying.toml", toml::write(&robot));
    folder.write("true.toml", true_puma());
    let gain = |joint: usize| 0.9 + 0.05 * joint as f64;
    let scaled = |name: &str, _: usize, x: f64| match name.strip_prefix("tau") {
        Some(joint) => x / gain(joint.parse().unwrap()),
        None => x,
    };
    for (name, robot, seed) in [("loaded.csv", "carrying.toml", 4), ("unloaded.csv", "true.toml", 3)] {
        folder.fourier("run.csv", &folder.shown(robot), &format!("{PUMA_MOTION} --seed {seed}"));
        folder.change(name, scaled);
    }
    let inertia = "inertia = { xx = 0.02, yy = 0.02, zz = 0.01 }";
    folder.write("payload.toml", format!("on = \"wrist-yaw\"\nmass = 3\ncom = [0.05, -0.04, 0.1]\n{inertia}\n"));
    let command = "puma560 --data unloaded.csv --decimate 4 --smoothing 0.05 --folds 0 --effects viscous,coulomb,offset,rotor,gain";
    let answer = json(&folder.identify(&format!("{command} --json --loaded loaded.csv --payload payload.toml")).done());
    for joint in 1..=6 {
        let of_joint = |found: &&serde_json::Value| found["name"] == format!("g{joint}").as_str();
        let found = answer["parameters"].as_array().unwrap().iter().find(of_joint).unwrap();
        let value = found["value"].as_f64().unwrap();
        assert!((value / gain(joint) - 1.0).abs() < 0.01, "g{joint}: {value} for {}", gain(joint));
    }
    assert!(folder.read("robot.toml").contains("3 kg on wrist-yaw"));
    folder.refuses(&format!("{command} --loaded loaded.csv"), &["--payload"]);
    folder.write("payload.toml", "on = \"spoon\"\nmass = 3\ncom = [0, 0, 0]\n");
    folder.refuses(&format!("{command} --loaded loaded.csv --payload payload.toml"), &["`spoon`", "wrist-yaw"]);
    folder.write("payload.toml", "mass = -3\ncom = [0, 0, 0]\n");
    folder.refuses(&format!("{command} --loaded loaded.csv --payload payload.toml"), &["is not a payload", "-3 kg"]);
}
