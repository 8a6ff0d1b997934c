//! `appell identify` and its folder: a URDF that says what it leaves, and files of others that stay.

use super::{Folder, appell, compute, numbers};
use std::fs;

/// The part of the torques of run.csv that a robot's file leaves, by inverse dynamics along it.
fn left(folder: &Folder, robot: &str) -> f64 {
    let table = folder.text("run.csv");
    let found = compute(&format!("inverse-dynamics {}", folder.shown(robot)), &table).done();
    let (real, found) = (numbers(&table), numbers(&found));
    let torques = |row: &[f64]| row[row.len() - 6..].to_vec();
    let (mut residual, mut whole) = (0.0, 0.0);
    for (real, found) in real.iter().zip(&found) {
        for (real, found) in torques(real).iter().zip(torques(found)) {
            residual += (real - found).powi(2);
            whole += real.powi(2);
        }
    }
    (residual / whole).sqrt()
}

/// The residual in a file's head.
fn in_head(text: &str) -> f64 {
    let line = text.lines().find_map(|line| line.split_once("Relative residual: ")).unwrap().1;
    0.01 * line.split(' ').next().unwrap().parse::<f64>().unwrap()
}

#[test]
fn a_urdf_leaves_what_its_head_says_and_less_than_a_stripped_robot() {
    let folder = Folder::recorded();
    // Offsets that a URDF cannot say, larger than what its friction that jumps adds above the low-pass.
    folder.change("run.csv", |name, _, x| if name.starts_with("tau") { x + 6.0 } else { x });
    folder.identify("puma560 --data run.csv --decimate 4 --smoothing 0.05 --folds 0").done();
    let urdf = folder.read("robot.urdf");
    let (left_over, in_head) = (left(&folder, "out/robot.urdf"), in_head(&urdf));
    // The head is of low-passed torques without the ends of the recording.
    assert!((left_over / in_head - 1.0).abs() < 0.1, "{left_over}, and {in_head} in the head");
    // The same robot without what a URDF cannot say, as it is, would leave more.
    let [robot, stripped] = ["out/robot.toml", "stripped.urdf"].map(|name| folder.shown(name));
    appell(&format!("convert {robot} {stripped} --lossy")).done();
    let of_stripped = left(&folder, "stripped.urdf");
    println!("URDF {left_over}, in its head {in_head}, stripped {of_stripped}");
    assert!(left_over < of_stripped, "{left_over} {of_stripped}");
    // What is lost is a line per kind, in the head and on the page.
    let rotors = "rotor of waist, shoulder, elbow, wrist-roll, wrist-pitch, wrist-yaw: cannot be said";
    assert!(urdf.contains(rotors) && urdf.contains("Beyond this file: "), "{urdf}");
    assert!(folder.read("report.html").contains(rotors));
}

#[test]
fn files_of_others_are_not_replaced() {
    let folder = Folder::recorded();
    let command = "puma560 --data run.csv --decimate 4 --smoothing 0.05 --folds 0";
    fs::create_dir(folder.path("out")).unwrap();
    for name in ["parameters.csv", "efforts.csv", "report.html", "spectra.png", "validation.svg", "robot.urdf"] {
        let file = folder.write(&format!("out/{name}"), "mine");
        folder.refuses(command, &[name, "was not written by `appell identify`", "--out"]);
        assert_eq!(folder.names("out"), [name]);
        assert_eq!(folder.read(name), "mine");
        fs::remove_file(file).unwrap();
    }
    // Those of an earlier run are, and notes beside them stay.
    folder.write("out/notes.txt", "mine");
    folder.identify(command).done();
    folder.identify(command).done();
    assert_eq!(folder.read("notes.txt"), "mine");
}
