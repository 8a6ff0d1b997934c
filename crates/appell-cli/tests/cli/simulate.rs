//! `appell simulate`: scenarios that run, those that end badly, and those that cannot be.

use super::{Folder, Run, appell, contains, json, numbers, repository, stands_alone};
use std::fs;
use std::path::Path;

/// A scenario on the SCARA, with more lines.
pub(crate) fn scenario(more: &str) -> String {
    format!(
        "name = \"trial\"\nrobot = \"scara\"\nduration = 0.4\nreference = {{ kind = \"joints\", to = [1.0, 0.5, 0.1, 0.2], time = \
         0.3 }}\ncontroller = {{ law = \"computed-torque\", natural_frequency = 20.0 }}\n{more}"
    )
}

/// Runs a scenario in a folder of its own.
fn simulate(folder: &Folder, text: &str, more: &str) -> Run {
    appell(&format!("simulate {} --out {} {more}", folder.write("trial.toml", text), folder.shown("out")))
}

#[test]
fn a_scenario_leaves_record_plots_and_report() {
    let folder = Folder::new();
    let text = simulate(&folder, &scenario("plant.scale = 1.2\n"), "").done();
    contains(&text, &["to its end", "evaluations", "largest error", "report.html"]);
    let record = folder.text("out/record.csv");
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
    let page = folder.text("out/report.html");
    for plot in ["positions", "speeds", "efforts", "errors", "energy"] {
        folder.has_plot(&format!("out/{plot}"), &page);
    }
    stands_alone(&page);
}

#[test]
fn a_computer_is_reported_with_its_times() {
    let folder = Folder::new();
    let wires = "[loop]\nperiod = 1e-3\nencoder = { counts = 4000, gear = 50.0 }\noutput = { torque_per_volt = 10.0, limit = 8.0 }\n\
                 [loop.joint.quill]\nover_temperature = { at = 0.35 }\n";
    let answer = json(&simulate(&folder, &scenario(wires), "--json").stdout);
    assert_eq!((answer["stop"].as_str(), answer["instants"].as_u64()), (None, Some(350)));
    assert!(answer["trip"].as_str().unwrap().contains("quill"), "{answer}");
    assert!(answer["step_times"]["median"].as_f64().unwrap() > 0.0);
    assert_eq!(answer["drives"].as_array().unwrap().len(), 4);
    assert!(answer["drives"][0]["at_limit"].as_u64().unwrap() > 0, "{answer}");
    let record = folder.text("out/record.csv");
    assert!(record.lines().next().unwrap().contains(",measured1,"), "{record}");
}

#[test]
fn files_are_found_beside_the_scenario() {
    let folder = Folder::new();
    appell(&format!("convert scara {}", folder.shown("arm.toml"))).done();
    folder.write("points.csv", "t,q1,q2,q3,q4\n0,0,0,0,0\n0.2,0.1,0.2,0,0\n0.4,0.2,0.1,0.05,0\n");
    let text = scenario("").replace("\"scara\"", "\"arm.toml\"");
    let text = text.replace(
        "kind = \"joints\", to = [1.0, 0.5, 0.1, 0.2], time = 0.3",
        "kind = \"spline\", file = \"points.csv\"",
    );
    let answer = json(&simulate(&folder, &text, "--json").stdout);
    assert!(answer["drives"][0]["largest_error"].as_f64().unwrap() < 1e-6, "{answer}");
    simulate(&folder, &text.replace("points.csv", "nothing.csv"), "").refused_with(&["nothing.csv"]);
}

/// Followers are coupled: the report has the leaders, each with its own numbers and units.
#[test]
fn drives_of_a_robot_with_followers_are_those_that_are_simulated() {
    let folder = Folder::new();
    let body = "{ mass = 1, com = [0.1, 0, 0.02], inertia = { xx = 0.01, yy = 0.02, zz = 0.02 } }";
    let arm = format!(
        "name = \"arm\"\nframes = \"modified-dh\"\njoints = [[\"a\", \"revolute\", 0, 0, \"q\", 0], [\"b\", \"revolute\", \
         \"90 deg\", 0.3, \"q\", 0], [\"c\", \"prismatic\", \"90 deg\", 0.3, 0.1, \"q\"]]\nbody.a = {body}\nbody.b = {body}\n\
         body.c = {body}\njoint.b.mimic = {{ joint = \"a\", multiplier = 2 }}\n"
    );
    folder.write("arm.toml", &arm);
    folder.write("points.csv", "t,q1,q2\n0,0,0\n0.1,0.05,0.01\n0.2,0.1,0.02\n");
    let trial =
        "robot = \"arm.toml\"\nduration = 0.2\ncontroller = { law = \"computed-torque\", natural_frequency = 20.0 }\n";
    for reference in ["kind = \"joints\", to = [0.1, 0.02], time = 0.2", "kind = \"spline\", file = \"points.csv\""] {
        let text = format!("{trial}reference = {{ {reference} }}\n");
        let report = simulate(&folder, &text, "").done();
        let row = |name: &str| report.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or("").to_owned();
        contains(&row("a "), &["rad/s", "N m"]);
        contains(&row("c "), &["m/s", "N"]);
        assert!(row("b ").is_empty() && !row("c ").contains("rad"), "{report}");
        let answer = json(&simulate(&folder, &text, "--json").stdout);
        let names: Vec<&str> =
            answer["drives"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["a", "c"]);
    }
    let panda = repository("tests/golden/urdf/panda.urdf");
    let text = format!(
        "robot = \"{panda}\"\nduration = 0.01\nstart = {{ q = [0, -0.5, 0, -1.5, 0, 1.5, 0, 0.02] }}\nreference = {{ kind = \
         \"hold\" }}\ncontroller = {{ law = \"computed-torque\", natural_frequency = 15.0 }}\n"
    );
    let report = simulate(&folder, &text, "").done();
    assert!(report.contains("panda_finger_joint1") && !report.contains("panda_finger_joint2"), "{report}");
}

/// A quaternion has more numbers than its joint has drives: every curve has the name of its own number.
#[test]
fn positions_are_plotted_by_their_own_names() {
    let folder = Folder::new();
    let body = "{ mass = 1, com = [0.1, 0, 0.02], inertia = { xx = 0.01, yy = 0.02, zz = 0.02 } }";
    let arm = format!(
        "name = \"arm\"\nframes = \"khalil-kleinfinger\"\njoints = [[\"a\", \"spherical\", \"base\", 0, 0, 0, 0, 0, 0], [\"b\", \
         \"revolute\", \"a\", 0, 0, 0, 0.3, \"q\", 0]]\nbody.a = {body}\nbody.b = {body}\n"
    );
    folder.write("arm.toml", &arm);
    simulate(&folder, "robot = \"arm.toml\"\nduration = 0.1\nstart = { v = [0.1, 0.2, 0.3, 0.4] }\n", "").done();
    contains(&folder.text("out/positions.svg"), &["a.qx", "a.qw", "b (rad)"]);
    contains(&folder.text("out/efforts.svg"), &["a.wx (N m)", "b (N m)"]);
}

/// What ends badly says why, and leaves what it has come to.
#[test]
fn a_law_that_runs_away_leaves_its_record() {
    let folder = Folder::new();
    let text = scenario("")
        .replace("natural_frequency = 20.0", "kp = -1e5, kd = 1.0")
        .replace("duration = 0.4", "duration = 9.0");
    let text = text.replace("[1.0, 0.5", "[2.0, 0.5") + "start = { q = [0.1, 0, 0, 0] }\nplant.scale = 1.1\n";
    simulate(&folder, &text, "").ended(1, &["diverges", "not stable"]);
    let rows = numbers(&folder.text("out/record.csv"));
    assert!(rows.len() > 2 && rows.len() < 800, "{}", rows.len());
    assert!(folder.text("out/report.html").contains("diverges"));
}

#[test]
fn what_cannot_be_is_refused_and_writes_nothing() {
    let folder = Folder::new();
    let refused = |text: &str, parts: &[&str]| {
        simulate(&folder, text, "").refused_with(parts);
        assert!(!folder.has("out"), "{text}");
    };
    refused("robot = [", &["is not a scenario", "line 1"]);
    refused(&scenario("plant.scale = nan\n"), &["line 6", "plant.scale", "NaN"]);
    refused(&scenario("plant.joint.elbo.friction = { viscous = 1.0 }\n"), &["line 6", "elbo", "elbow"]);
    refused(&scenario("").replace("scara", "skara"), &["no robot", "scara"]);
    refused(&scenario("").replace("computed-torque", "fuzzy"), &["line 5", "fuzzy", "computed-torque"]);
    refused(&scenario("").replace("to = [1.0, 0.5, 0.1, 0.2]", "to = [1.0]"), &["line 4", "4"]);
    let unreachable = "robot = \"delta\"\nduration = 1.0\nstart.pose = [3, 0, -0.5]\n";
    refused(unreachable, &["line 3", "start.pose"]);
    folder.write("out", "a file");
    simulate(&folder, &scenario(""), "").refused_with(&["is not a folder"]);
    assert_eq!(folder.text("out"), "a file");
}

#[test]
fn the_scenarios_of_the_repository_come_to_their_ends() {
    let folder = Folder::new();
    simulate(&folder, &appell("simulate --example").fine(), "").done();
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../appell-simulation/scenarios");
    let mut count = 0;
    for file in fs::read_dir(scenarios).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        // A part of each is enough.
        let text = if text.contains("duration") { text } else { format!("duration = 0.2\n{text}") };
        let short: String = text
            .lines()
            .map(|line| if line.starts_with("duration") { "duration = 0.2\n".to_owned() } else { format!("{line}\n") })
            .collect();
        simulate(&folder, &short, "").done();
        count += 1;
    }
    assert!(count >= 3);
}

#[test]
fn long_runs_and_large_records_ask_for_yes() {
    let folder = Folder::new();
    let long = |run: &str| {
        scenario(&format!("run = {{ {run} }}\n"))
            .replace("duration = 0.4", "duration = 1e6")
            .replace("time = 0.3", "time = 9e5")
    };
    let steps = simulate(&folder, &long("method = \"midpoint\", step = 1e-3, record = 100.0"), "");
    steps.refused_with(&["trial.toml", "at least 1e9 steps", "--yes"]);
    let record = simulate(&folder, &long("record = 0.1"), "");
    record.refused_with(&["a record of about 23.4 GB", "1e7 rows", "--yes"]);
    assert!(!folder.has("out"));
    simulate(&folder, &scenario(""), "--yes").done();
}

#[test]
fn a_folder_is_written_whole_or_not_at_all() {
    let folder = Folder::new();
    // One that cannot begin leaves no folder.
    simulate(&folder, &scenario("start = { q = [9.0] }\n"), "").ended(2, &[]);
    assert!(!folder.has("out"));
    simulate(&folder, &scenario(""), "").done();
    let (files, record) = (folder.names("out"), folder.text("out/record.csv"));
    assert!(files.iter().all(|name| !name.starts_with('.')), "{files:?}");
    // One that fails leaves what was there before; a folder in the place of a plot makes it fail at its end.
    fs::remove_file(folder.path("out/energy.svg")).unwrap();
    fs::create_dir(folder.path("out/energy.svg")).unwrap();
    simulate(&folder, &scenario("plant.scale = 1.3\n"), "").ended(2, &["energy.svg"]);
    assert_eq!((folder.names("out"), folder.text("out/record.csv")), (files, record));
}

/// A recorder beside the computer: a table for `appell identify`, and none where there is none.
#[test]
fn a_recorder_keeps_what_the_computer_sees() {
    let folder = Folder::new();
    let wires = "[loop]\nperiod = 1e-3\nencoder = { counts = 4000, gear = 50.0 }\n";
    let recorder = "[recorder]\nrate = 250\njitter = 0.4\nlost = 0.1\nnoise = 0.3\nseed = 4\n";
    let run = simulate(&folder, &scenario(&format!("{wires}{recorder}")), "");
    run.ended(0, &["recorder.csv: ", "rows of the recorder"]);
    let table = folder.text("out/recorder.csv");
    assert_eq!(table.lines().next(), Some("t,q1,q2,q3,q4,tau1,tau2,tau3,tau4"));
    let times: Vec<f64> = numbers(&table).iter().map(|row| row[0]).collect();
    let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!((70..100).contains(&times.len()) && steps.iter().all(|step| *step > 0.0), "{}", times.len());
    assert!(steps.iter().any(|step| *step < 0.0035) && steps.iter().any(|step| *step > 0.0045), "{steps:?}");
    // That of a run before does not stay.
    simulate(&folder, &scenario(wires), "").done();
    assert!(!folder.has("out/recorder.csv"));
    let refused = |text: &str, parts: &[&str]| simulate(&folder, &scenario(text), "").refused_with(parts);
    refused(recorder, &["loop: is missing", "whose samples it records"]);
    refused(&format!("{wires}{}", recorder.replace("250", "2500")), &["recorder.rate: is 2500", "row per sample"]);
    refused(&format!("{wires}{}", recorder.replace("0.4", "0.5")), &["line 11", "recorder.jitter: is 0.5"]);
    refused(
        &format!("{wires}{}", recorder.replace("0.3", "[0.3, 1]")),
        &["recorder.noise", "wrong length (2, expected 4)"],
    );
    refused(&format!("{wires}[recorder]\njitter = 0.1\n"), &["rate: is missing"]);
}
