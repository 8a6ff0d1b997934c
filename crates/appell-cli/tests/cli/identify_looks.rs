//! `appell identify` and what it shows: several files that are held out, pictures of long names, a URDF without rotors.

use super::recordings::true_puma;
use super::{Folder, appell, contains, json};

/// Two files that are held out stand apart in tables, pictures and JSON, and joints have columns of their own for the URDF.
#[test]
fn files_that_are_held_out_are_told_apart() {
    let folder = Folder::recorded();
    folder.fourier(
        "third.csv",
        &folder.shown("true.toml"),
        "--harmonics 5 --amplitude 0.4 --frequency 0.25 --dt 0.005 --seed 5",
    );
    let command = "puma560 --data run.csv --validate other.csv third.csv --decimate 4 --smoothing 0.05";
    let text = folder.identify(command).done();
    contains(
        &text,
        &["held out: other.csv, third.csv, all files together; file by file below", "robot.urdf, held out"],
    );
    // Files are called by their names alone, where these are enough, and torques have a unit.
    let rows = |text: &str, name: &str| text.lines().filter(|line| line.trim_start().starts_with(name)).count();
    assert_eq!([rows(&text, "run.csv "), rows(&text, "other.csv "), rows(&text, "third.csv ")], [6; 3], "{text}");
    assert!(
        text.lines().any(|line| line.trim_start().starts_with("other.csv  waist") && line.contains(" N m ")),
        "{text}"
    );
    contains(&folder.read("validation.svg"), &[">other.csv</text>", ">third.csv</text>", "files one after the other"]);
    assert!(!folder.read("efforts.svg").contains("run.csv"), "one file needs no name");
    contains(
        &folder.read("report.html"),
        &["<th>robot.urdf, held out</th>", "other.csv, third.csv, all files together"],
    );

    let answer = json(&folder.identify(&format!("{command} --json")).done());
    let relative = |fit: &serde_json::Value| fit["relative"].as_f64().unwrap();
    let files: Vec<&str> =
        answer["validate"].as_array().unwrap().iter().map(|file| file["file"].as_str().unwrap()).collect();
    assert!(files[0].ends_with("other.csv") && files[1].ends_with("third.csv"), "{files:?}");
    assert!(
        relative(&answer["urdf_held_out"]) > relative(&answer["consistent_held_out"]),
        "{}",
        answer["urdf_held_out"]
    );
    // Of one name in two folders, both are written out.
    std::fs::create_dir(folder.path("again")).unwrap();
    std::fs::copy(folder.path("third.csv"), folder.path("again/other.csv")).unwrap();
    let text = folder
        .identify("puma560 --data run.csv --validate other.csv again/other.csv --decimate 4 --smoothing 0.05")
        .done();
    assert!(text.contains("again/other.csv, all files together"), "{text}");
}

/// Names of any length stand above their curves, and every panel has numbers at both sides.
#[test]
fn pictures_of_long_names_are_readable() {
    let folder = Folder::new();
    let long = |name: &str| format!("leg1.upper_arm_{name}_of_a_very_long_robot_joint");
    let joints = ["waist", "shoulder", "elbow", "wrist-roll", "wrist-pitch", "wrist-yaw"];
    let robot = joints.iter().fold(true_puma(), |text, name| {
        text.replace(&format!("\"{name}\""), &format!("{:?}", long(name)))
            .replace(&format!(".{name}]"), &format!(".{:?}]", long(name)))
    });
    folder.write("true.toml", robot);
    folder.fourier(
        "run.csv",
        &folder.shown("true.toml"),
        "--harmonics 5 --amplitude 0.5 --frequency 0.2 --dt 0.005 --seed 3",
    );
    folder.identify("true.toml --data run.csv --decimate 4 --folds 0").done();
    let svg = folder.read("efforts.svg");
    for name in joints {
        let label = svg.lines().find(|line| line.contains(&long(name))).unwrap_or_else(|| panic!("no {name}"));
        assert!(!label.contains("rotate"), "{label}");
    }
    // Two ticks at least at the left of each of twelve strips: texts that end there.
    assert!(svg.matches("\"tick end\"").count() >= 24, "{}", svg.matches("\"tick end\"").count());
    assert!(svg.matches("\"tick middle\"").count() >= 6 * 5, "{}", svg.matches("\"tick middle\"").count());
}

/// Rotors that outweigh the bodies: what a URDF makes of them is said with all masses, in a warning and in its head.
#[test]
fn heavy_rotors_do_not_move_into_bodies_silently() {
    let folder = Folder::new();
    let mut robot = appell::robots::find("puma560").unwrap().toml.to_owned();
    for joint in ["waist", "shoulder", "elbow", "wrist-roll", "wrist-pitch", "wrist-yaw"] {
        robot += &format!(
            "\n[joint.{joint}]\nfriction = {{ viscous = 2.0, coulomb = 1.0, smoothing = 0.05 }}\nrotor = {{ inertia = 1e-3, gear = 90.0 }}\n"
        );
    }
    folder.write("true.toml", robot);
    folder.fourier(
        "run.csv",
        &folder.shown("true.toml"),
        "--harmonics 5 --amplitude 0.5 --frequency 0.2 --dt 0.005 --seed 3",
    );
    let run = folder.identify("puma560 --data run.csv --decimate 4 --smoothing 0.05 --folds 0");
    run.ended(0, &["the bodies of robot.urdf weigh ", "those of robot.toml ", "those of the robot before 37.52 kg"]);
    let masses = run.stderr.split("the bodies of robot.urdf weigh ").nth(1).unwrap().split(" kg").next().unwrap();
    let urdf = folder.read("robot.urdf");
    contains(
        &urdf,
        &[&format!("Masses: the bodies of robot.urdf weigh {masses} kg"), "before 37.52 kg", "rotor of waist"],
    );
    // What it says is what the files weigh.
    let mass = |name: &str| {
        let shown = json(&appell(&format!("show {} --json", folder.shown(name))).done());
        shown["joints"].as_array().unwrap().iter().map(|joint| joint["body"]["mass"].as_f64().unwrap()).sum::<f64>()
    };
    let (own, toml) = (mass("out/robot.urdf"), mass("out/robot.toml"));
    assert!((own / masses.parse::<f64>().unwrap() - 1.0).abs() < 1e-3, "{own} kg, and {masses} kg in words");
    assert!((own / toml - 1.0).abs() > 0.05, "{own} {toml}");
}
