//! `appell simulate`: scenarios that happen, those that end badly, and those that cannot be.

use super::{Run, appell_with, json, numbers};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A scenario on the SCARA, with more lines.
fn scenario(more: &str) -> String {
    format!(
        "name = \"trial\"\nrobot = \"scara\"\nduration = 0.4\nreference = {{ kind = \"joints\", to = [1.0, 0.5, 0.1, 0.2], time = \
         0.3 }}\ncontroller = {{ law = \"computed-torque\", natural_frequency = 20.0 }}\n{more}"
    )
}

/// Runs a scenario in a folder of its own.
fn simulate(folder: &Path, text: &str, more: &[&str]) -> Run {
    let file = folder.join("trial.toml");
    fs::write(&file, text).unwrap();
    let (file, out) = (file.display().to_string(), folder.join("out").display().to_string());
    let words: Vec<&str> = ["simulate", &file, "--out", &out].into_iter().chain(more.iter().copied()).collect();
    appell_with(&words, "")
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("out").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn a_scenario_leaves_record_plots_and_report() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = simulate(folder, &scenario("plant.scale = 1.2\n"), &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for word in ["to its end", "evaluations", "largest error", "report.html"] {
        assert!(run.stdout.contains(word), "{word} in\n{}", run.stdout);
    }
    let record = read(folder, "record.csv");
    let header = "t,q1,q2,q3,q4,v1,v2,v3,v4,tau1,tau2,tau3,tau4,wanted1,wanted2,wanted3,wanted4,error1,error2,error3,error4,\
                  kinetic,potential";
    assert_eq!(record.lines().next(), Some(header));
    let rows = numbers(&record);
    assert_eq!((rows.len(), rows[40][0]), (41, 0.4));
    assert!(
        rows.iter().all(|row| (row[1] - row[13] - row[17]).abs() < 1e-15),
        "an error is what is less what was wanted"
    );
    assert!(rows[20][17].abs() > 1e-5, "a heavier robot lags");
    let page = read(folder, "report.html");
    for plot in ["positions", "speeds", "efforts", "errors", "energy"] {
        let svg = read(folder, &format!("{plot}.svg"));
        assert!(svg.starts_with("<svg") && page.contains(&svg), "{plot}");
        let png = fs::read(folder.join("out").join(format!("{plot}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n") && png.len() > 5000, "{plot}");
    }
    for outside in ["<script", "<link", "<img", "src=", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn a_computer_is_reported_with_its_times() {
    let folder = tempfile::tempdir().unwrap();
    let wires = "[loop]\nperiod = 1e-3\nencoder = { counts = 4000, gear = 50.0 }\noutput = { torque_per_volt = 10.0, limit = 8.0 }\n\
                 [loop.joint.quill]\nover_temperature = { at = 0.35 }\n";
    let answer = json(&simulate(folder.path(), &scenario(wires), &["--json"]).stdout);
    assert_eq!((answer["stop"].as_str(), answer["instants"].as_u64()), (None, Some(350)));
    assert!(answer["trip"].as_str().unwrap().contains("quill"), "{answer}");
    assert!(answer["step_times"]["median"].as_f64().unwrap() > 0.0);
    assert_eq!(answer["drives"].as_array().unwrap().len(), 4);
    assert!(answer["drives"][0]["at_limit"].as_u64().unwrap() > 0, "{answer}");
    let record = read(folder.path(), "record.csv");
    assert!(record.lines().next().unwrap().contains(",measured1,"), "{record}");
}

#[test]
fn files_are_found_beside_the_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let robot = appell_with(&["convert", "scara", &folder.path().join("arm.toml").display().to_string()], "");
    assert_eq!(robot.code, 0, "{}", robot.stderr);
    fs::write(folder.path().join("points.csv"), "t,q1,q2,q3,q4\n0,0,0,0,0\n0.2,0.1,0.2,0,0\n0.4,0.2,0.1,0.05,0\n")
        .unwrap();
    let text = scenario("").replace("\"scara\"", "\"arm.toml\"");
    let text = text.replace(
        "kind = \"joints\", to = [1.0, 0.5, 0.1, 0.2], time = 0.3",
        "kind = \"spline\", file = \"points.csv\"",
    );
    let answer = json(&simulate(folder.path(), &text, &["--json"]).stdout);
    assert!(answer["drives"][0]["largest_error"].as_f64().unwrap() < 1e-6, "{answer}");
    let run = simulate(folder.path(), &text.replace("points.csv", "nothing.csv"), &[]);
    run.refused_with(&["nothing.csv"]);
}

/// What ends badly says why, and leaves what it has come to.
#[test]
fn a_law_that_runs_away_leaves_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let text = scenario("")
        .replace("natural_frequency = 20.0", "kp = -1e5, kd = 1.0")
        .replace("duration = 0.4", "duration = 9.0");
    let text = text.replace("[1.0, 0.5", "[2.0, 0.5") + "start = { q = [0.1, 0, 0, 0] }\nplant.scale = 1.1\n";
    let run = simulate(folder.path(), &text, &[]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("diverges") && run.stderr.contains("not stable"), "{}", run.stderr);
    let rows = numbers(&read(folder.path(), "record.csv"));
    assert!(rows.len() > 2 && rows.len() < 800, "{}", rows.len());
    assert!(read(folder.path(), "report.html").contains("diverges"));
}

#[test]
fn what_cannot_be_is_refused_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |text: &str, parts: &[&str]| {
        simulate(folder.path(), text, &[]).refused_with(parts);
        assert!(!folder.path().join("out").exists(), "{text}");
    };
    refused("robot = [", &["is not a scenario", "line 1"]);
    refused(&scenario("plant.scale = nan\n"), &["line 6", "plant.scale", "NaN"]);
    refused(&scenario("plant.joint.elbo.friction = { viscous = 1.0 }\n"), &["line 6", "elbo", "elbow"]);
    refused(&scenario("").replace("scara", "skara"), &["no robot", "scara"]);
    refused(&scenario("").replace("computed-torque", "fuzzy"), &["line 5", "fuzzy", "computed-torque"]);
    refused(&scenario("").replace("to = [1.0, 0.5, 0.1, 0.2]", "to = [1.0]"), &["line 4", "4"]);
    let unreachable = "robot = \"delta\"\nduration = 1.0\nstart.pose = [3, 0, -0.5]\n";
    refused(unreachable, &["line 3", "start.pose"]);
    let missing = appell_with(&["simulate", "nowhere.toml"], "");
    missing.refused_with(&["nowhere.toml: file not found"]);
    fs::write(folder.path().join("out"), "a file").unwrap();
    simulate(folder.path(), &scenario(""), &[]).refused_with(&["is not a folder"]);
    assert_eq!(fs::read_to_string(folder.path().join("out")).unwrap(), "a file");
}

/// Ctrl-C ends a long simulation with what it has come to.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_simulation_keeps_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long.toml");
    fs::write(&file, scenario("run = { record = 0.1 }\n").replace("duration = 0.4", "duration = 1e6")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_appell"))
        .args(["simulate", &file.display().to_string(), "--yes"])
        .args(["--out", &folder.path().join("out").display().to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    crate::wait_until_heard(&child, 2);
    std::thread::sleep(Duration::from_millis(500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(numbers(&read(folder.path(), "record.csv")).len() > 1);
    assert!(read(folder.path(), "report.html").contains("interrupted"));
}

#[test]
fn the_scenarios_of_the_repository_come_to_their_ends() {
    let folder = tempfile::tempdir().unwrap();
    let example = appell_with(&["simulate", "--example"], "").fine();
    let run = simulate(folder.path(), &example, &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let mut count = 0;
    for file in fs::read_dir(scenarios).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        // A part of each is enough.
        let text = if text.contains("duration") { text } else { format!("duration = 0.2\n{text}") };
        let short: String = text
            .lines()
            .map(|line| if line.starts_with("duration") { "duration = 0.2\n".to_owned() } else { format!("{line}\n") })
            .collect();
        let run = simulate(folder.path(), &short, &[]);
        assert_eq!(run.code, 0, "{short}{}", run.stderr);
        count += 1;
    }
    assert!(count >= 3);
}

#[test]
fn long_runs_and_large_records_ask_for_yes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let long = |run: &str| {
        scenario(&format!("run = {{ {run} }}\n"))
            .replace("duration = 0.4", "duration = 1e6")
            .replace("time = 0.3", "time = 9e5")
    };
    let steps = simulate(folder, &long("method = \"midpoint\", step = 1e-3, record = 100.0"), &[]);
    steps.refused_with(&["trial.toml", "at least 1e9 steps", "--yes"]);
    let record = simulate(folder, &long("record = 0.1"), &[]);
    record.refused_with(&["a record of about 5.9 GB", "1e7 rows", "--yes"]);
    assert!(!folder.join("out").exists());
    assert_eq!(simulate(folder, &scenario(""), &["--yes"]).code, 0);
}

#[test]
fn a_folder_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let names = || {
        let mut names: Vec<String> = fs::read_dir(folder.join("out"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    // One that cannot begin leaves no folder.
    let refused = simulate(folder, &scenario("start = { q = [9.0] }\n"), &[]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(!folder.join("out").exists());
    assert_eq!(simulate(folder, &scenario(""), &[]).code, 0);
    let (files, record) = (names(), read(folder, "record.csv"));
    assert!(files.iter().all(|name| !name.starts_with('.')), "{files:?}");
    // One that fails leaves what was there before; a folder in the place of a plot makes it fail at its end.
    fs::remove_file(folder.join("out/energy.svg")).unwrap();
    fs::create_dir(folder.join("out/energy.svg")).unwrap();
    let failed = simulate(folder, &scenario("plant.scale = 1.3\n"), &[]);
    assert_eq!(failed.code, 2, "{}", failed.stderr);
    assert!(failed.stderr.contains("energy.svg"), "{}", failed.stderr);
    assert_eq!((names(), read(folder, "record.csv")), (files, record));
}
