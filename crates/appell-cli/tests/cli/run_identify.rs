//! Identification on the robot, end to end: a motion that excites it, run by the controller and recorded, gives the robot's
//! parameters without any conversion in between.
#![cfg(target_os = "linux")]

use super::run::Beside;
use super::{Folder, appell, contains, json};
use serde_json::Value;

/// A SCARA with a tool that its file does not know, and friction, behind encoders and converters.
const TRIAL: &str = r#"
robot = "scara"
[plant]
payload = { on = "wrist", mass = 1.5, com = [0.02, 0, 0.06], inertia = { xx = 3e-3, yy = 3e-3, zz = 2e-3 } }
friction = { viscous = 0.3, coulomb = 0.05, smoothing = 0.01 }
[reference]
kind = "spline"
file = "motion.csv"
[controller]
law = "computed-torque"
natural_frequency = 30.0
[loop]
period = 1e-3
encoder = { counts = 4000, gear = 50.0 }
speed = { by = "difference", cutoff = 500.0 }
output = { torque_per_volt = 10.0, bits = 16 }
brakes = { torque = 60.0 }
[loop.joint.quill]
encoder = { counts = 4000, lead = 0.01 }
[run]
record = 1e-3
"#;

/// Base parameters that the tool and the friction change: what they are in truth.
const TRUTH: [(&str, f64); 6] = [
    ("M3R", 0.8 + 0.4 + 1.5),
    ("MX4", 1.5 * 0.02),
    ("ZZ4", 2e-4 + 2e-3 + 1.5 * 0.02 * 0.02),
    ("Fv1", 0.3),
    ("Fv2", 0.3),
    ("Fv4", 0.3),
];

const EXCITE: &str = "excite scara --lower -1.5,-1.5,0,-2 --upper 1.5,1.5,0.2,2 --velocity 2.5,2.5,0.5,4 --acceleration 12,15,4,30 \
                      --harmonics 4 --frequency 0.25 --starts 1 --steps 20 --samples 30 --effects viscous,coulomb --dt 0.01";

/// Finds a motion and lets the robot move so; the record's file.
fn recorded(folder: &Folder, seed: u32) -> String {
    appell(&format!("{EXCITE} --seed {seed} --out {}", folder.shown("motion.csv"))).done();
    let trial = folder.write("trial.toml", TRIAL);
    let out = format!("out{seed}");
    let run = Beside::new(&format!("run {trial} --lockstep --plant --out {}", folder.shown(&out))).ended();
    assert_eq!(run.code, 0, "{}", run.stderr);
    folder.shown(&format!("{out}/record.csv"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn a_robot_is_identified_by_the_record_of_its_own_controller() {
    let folder = Folder::new();
    let (data, other) = (recorded(&folder, 1), recorded(&folder, 2));
    let found = folder.shown("found");
    let command = format!("identify scara --data {data} --validate {other} --effects viscous,coulomb --json");
    let answer = json(&appell(&format!("{command} --out {found}")).done());
    assert!(number(&answer["held_out"]["relative"]) < 0.01, "{}", answer["held_out"]);
    assert!(number(&answer["robot_file_held_out"]["relative"]) < 0.02, "{answer}");
    let parameters = answer["parameters"].as_array().unwrap();
    for (name, truth) in TRUTH {
        let parameter = parameters.iter().find(|found| found["name"] == name).unwrap();
        let [value, before] = ["value", "before"].map(|key| number(&parameter[key]));
        let (off, was_off) = ((value - truth).abs(), (before - truth).abs());
        assert!(off < 0.05 * truth && off < 0.1 * was_off, "{name}: {parameter}, in truth {truth}");
    }
    // The robot that was found is the model of the next trial: a plant of it, and a law that knows it, agree.
    let text = TRIAL.replace("\"scara\"", "\"found/robot.toml\"");
    let (_, plain) = text.split_once("[reference]").unwrap();
    let knows = folder.write("knows.toml", format!("robot = \"found/robot.toml\"\n[reference]{plain}"));
    let run = Beside::new(&format!("run {knows} --lockstep --plant --json --out {}", folder.shown("knows"))).ended();
    assert_eq!(run.code, 0, "{}", run.stderr);
    let errors = |answer: &Value| number(&answer["drives"][2]["rms_error"]);
    let blind = json(
        &appell(&format!("simulate {} --json --out {}", folder.shown("trial.toml"), folder.shown("blind"))).done(),
    );
    assert!(errors(&json(&run.stdout)) < 0.1 * errors(&blind));
    // What was measured is what it was identified from, not what only a simulation knows: without that it is the same.
    let table = folder.text("out1/record.csv");
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    contains(&table, &["measured1", "tau1"]);
    let kept: Vec<usize> = (0..header.len())
        .filter(|&k| ["t", "measured", "tau"].contains(&header[k].trim_end_matches(|c: char| c.is_ascii_digit())))
        .collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        kept.iter().map(|&k| cells[k]).collect::<Vec<_>>().join(",") + "\n"
    };
    let bare = folder.write("bare.csv", table.lines().map(row).collect::<String>());
    let command = command.replace(&data, &bare);
    let again = json(&appell(&format!("{command} --out {}", folder.shown("again"))).done());
    assert_eq!(again["parameters"], answer["parameters"]);
}
