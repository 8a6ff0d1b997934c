//! `appell identify` and what recorders write: units, encoders, pipes, the same twice, the wrong joint.

use super::recordings::{names, true_puma};
use super::{Folder, appell_fed, json, shared};
use std::fs;

/// A change of the columns of a symbol; those of velocities and accelerations are left out.
fn scaled(symbol: &'static str, by: f64) -> impl Fn(&str, usize, f64) -> Option<f64> {
    move |name, _, x| match name.trim_end_matches(|letter: char| letter.is_ascii_digit()) {
        "v" | "a" => None,
        own if own == symbol => Some(by * x),
        _ => Some(x),
    }
}

#[test]
fn an_encoder_at_a_kilohertz_needs_no_option() {
    let folder = Folder::new();
    folder.write("true.toml", true_puma());
    let options = "--harmonics 5 --amplitude 1 --frequency 0.2 --periods 2 --dt 0.001 --seed 3";
    folder.fourier("run.csv", &folder.shown("true.toml"), options);
    let step = std::f64::consts::TAU / 131_072.0;
    let seen = |name: &str, _, x: f64| match name.as_bytes()[0] {
        b'v' | b'a' => None,
        b'q' => Some((x / step).round() * step),
        _ => Some(x),
    };
    folder.change("run.csv", seen);
    // The true file is the robot, so that what it says is what should come out.
    let answer = json(&folder.identify("true.toml --data run.csv --folds 0 --json").done());
    let cut_off = answer["cut_off"].as_f64().unwrap();
    assert!((8.0..40.0).contains(&cut_off), "{cut_off}");
    assert!(answer["fit"]["relative"].as_f64().unwrap() < 0.01, "{}", answer["fit"]);
    let parameters = answer["parameters"].as_array().unwrap();
    let number = |found: &serde_json::Value, key: &str| found[key].as_f64().unwrap();
    for found in parameters {
        let alike = parameters.iter().filter(|other| other["unit"] == found["unit"]);
        let largest = alike.map(|other| number(other, "before").abs()).fold(0.0, f64::max);
        let (value, truth) = (number(found, "value"), number(found, "before"));
        assert!((value - truth).abs() < 0.03 * truth.abs() + 0.003 * largest, "{found}");
    }
}

#[test]
fn units_that_no_range_shows_are_refused_by_the_robots_file() {
    let folder = Folder::recorded();
    let cases: [(&'static str, f64, &[&str]); 6] = [
        ("tau", 1e3, &["bad.csv", "torques and forces look 1000 times too large", "mN m", "accept.unit"]),
        ("tau", 1.0 / 9.80665, &["bad.csv", "torques and forces look 9.81 times too small", "effort.unit = \"kgf m\""]),
        (
            "tau",
            1.0 / 0.112985,
            &["bad.csv", "torques and forces look 8.85 times too large", "effort.unit = \"lbf in\""],
        ),
        ("tau", -1.0, &["bad.csv", "other sign", "joint.sign"]),
        ("q", 180.0 / std::f64::consts::PI, &["bad.csv", "degrees"]),
        ("t", 1e3, &["bad.csv", "milliseconds", "time.unit"]),
    ];
    for (symbol, by, parts) in cases {
        folder.change("bad.csv", scaled(symbol, by));
        folder.refuses("puma560 --data bad.csv", parts);
    }
    // Who follows the advice gets the robot.
    folder.change("bad.csv", scaled("tau", 1.0 / 0.112_984_829));
    folder.layout(6, "time.column = 't'", "effort.unit = 'lbf in'");
    folder.identify("puma560 --data bad.csv --layout layout.toml --smoothing 0.05 --folds 0").done();
    // What the user knows better.
    folder.change("bad.csv", scaled("tau", -1.0));
    folder.layout(6, "time.column = 't'", &format!("accept.unit = [{}]", names("tau", 6)));
    let run = folder.identify("puma560 --data bad.csv --layout layout.toml --folds 0");
    assert!(!run.stderr.contains("other sign"), "{}", run.stderr);
}

#[test]
fn recordings_are_different_and_references_of_the_same_instants() {
    let folder = Folder::recorded();
    fs::copy(folder.path("run.csv"), folder.path("copy.csv")).unwrap();
    folder.refuses("puma560 --data run.csv copy.csv", &["run.csv and", "copy.csv hold the same", "count twice"]);
    folder.refuses("puma560 --data run.csv --validate copy.csv", &["hold the same", "held-out"]);
    // Nor may one be a piece of the other.
    let table = folder.text("run.csv");
    folder.write("piece.csv", table.split_inclusive('\n').take(900).collect::<String>());
    folder.refuses("puma560 --data run.csv --validate piece.csv", &["piece.csv share 100 % of their rows", "held-out"]);
    // Motion alone, near to what was measured.
    let wanted = |name: &str, late: f64, x: f64| match name {
        "t" => Some(x + late),
        _ => name.starts_with('q').then_some(x * (1.0 + 1e-9)),
    };
    folder.change("wanted.csv", |name, _, x| wanted(name, 0.0, x));
    let instruments = "puma560 --data run.csv --smoothing 0.05 --folds 0 --method instruments --instruments";
    folder.identify(&format!("{instruments} wanted.csv")).done();
    folder.change("late.csv", |name, _, x| wanted(name, 0.004, x));
    folder.refuses(&format!("{instruments} late.csv"), &["late.csv", "row 1 is at 0.004 s", "same instants"]);
    folder.refuses(&format!("{instruments} wanted.csv wanted.csv"), &["2 tables for 1 recording"]);
    // Columns of a seventh joint.
    let seven: Vec<String> =
        table.lines().enumerate().map(|(k, row)| format!("{row},{}", if k == 0 { "q7" } else { "0" })).collect();
    folder.write("seven.csv", seven.join("\n"));
    folder
        .identify("puma560 --data seven.csv --smoothing 0.05 --folds 0")
        .ended(0, &["`q7` is not read: the robot has 6"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_recording_may_come_through_a_pipe_and_odd_numbers_have_short_messages() {
    let folder = Folder::recorded();
    let table = folder.text("run.csv");
    let piped = "identify puma560 --data /dev/stdin --smoothing 0.05 --folds 0 --out";
    appell_fed(&format!("{piped} {}", folder.shown("out")), &table).done();
    assert!(folder.read("robot.toml").contains("sha256:"));
    let run = folder.identify("puma560 --data run.csv --cut-off 1e300");
    run.ended(2, &["cut-off of 1e300 Hz"]);
    assert!(run.stderr.len() < 300, "{}", run.stderr);
    for option in ["--cut-off -3", "--decimate -3", "--border -1", "--trust -1", "--smoothing -1"] {
        folder.identify(&format!("puma560 --data run.csv {option}")).ended(2, &["invalid value"]);
    }
}

/// A motion of a moment gives no robot, and the message says why.
#[test]
fn no_robot_comes_of_a_moment() {
    let folder = Folder::recorded();
    let options = "--smoothing 0.05 --folds 0";
    let table = folder.text("run.csv");
    let moment: String = table.split_inclusive('\n').take(60).collect();
    folder.write("moment.csv", moment);
    folder
        .identify(&format!("puma560 --data moment.csv {options} --cut-off none --decimate 1"))
        .ended(2, &["record longer"]);
    assert!(!folder.has("out/robot.toml"));
}

/// Stamps of a real recorder, a table without a header, a rate that uneven stamps contradict, and several files that are held out.
#[test]
fn recordings_are_taken_as_they_are() {
    let folder = Folder::recorded();
    let steps: Vec<f64> = folder
        .text("run.csv")
        .lines()
        .skip(1)
        .take(2)
        .map(|line| line.split(',').next().unwrap().parse().unwrap())
        .collect();
    let step = steps[1] - steps[0];
    let late = |k: usize| step * 0.3 * ((k * 7919 % 101) as f64 / 50.0 - 1.0);
    folder.change("late.csv", |name, k, x| match name.as_bytes()[0] {
        b'v' | b'a' => None,
        b't' if name == "t" => Some(x + late(k)),
        _ => Some(x),
    });
    let answer = json(&folder.identify("puma560 --data late.csv --smoothing 0.05 --folds 0 --json").done());
    let time = answer["data"][0]["time"].as_str().unwrap();
    assert!(time.contains("stamps uneven by up to") && time.contains("rows are counted instead"), "{time}");
    assert!(answer["fit"]["relative"].as_f64().unwrap() < 0.02, "{}", answer["fit"]);

    // Torques in every second row alone, and a cell that is missing.
    let text = folder.text("late.csv");
    let torques = text.lines().next().unwrap().split(',').position(|name| name == "tau1").unwrap();
    let emptied = |(k, line): (usize, &str)| {
        let cells = line.split(',').enumerate();
        let is_empty = |column: usize| (k % 2 == 1 && column >= torques) || (k, column) == (40, 1);
        cells.map(|(column, cell)| if is_empty(column) { "" } else { cell }).collect::<Vec<_>>().join(",")
    };
    let sparse: Vec<String> =
        text.lines().enumerate().map(|(k, line)| if k == 0 { line.into() } else { emptied((k, line)) }).collect();
    folder.write("sparse.csv", sparse.join("\n"));
    let own = json(&folder.identify("puma560 --data sparse.csv --smoothing 0.05 --folds 0 --json").done());
    let time = own["data"][0]["time"].as_str().unwrap();
    assert!(time.contains("torques and forces at ") && time.contains("1 sample missing in 1 gap bridged"), "{time}");
    assert!(own["fit"]["relative"].as_f64().unwrap() < 0.03, "{}", own["fit"]);

    let (header, rows) = text.split_once('\n').unwrap();
    folder.write("bare.csv", rows);
    folder.refuses("puma560 --data bare.csv", &["bare.csv", "there is no header", "columns = ["]);
    let quoted = |names: &str| names.split(',').map(|name| format!("{:?}", name.trim())).collect::<Vec<_>>().join(", ");
    let of = |symbol: &str| (1..=6).map(|k| format!("\"{symbol}{k}\"")).collect::<Vec<_>>().join(", ");
    let layout = |time: &str| {
        format!(
            "columns = [{}]\ntime.{time}\nposition.columns = [{}]\neffort.columns = [{}]\n",
            quoted(header),
            of("q"),
            of("tau")
        )
    };
    folder.write("layout.toml", layout("column = \"t\""));
    let command = "puma560 --data bare.csv --layout layout.toml --smoothing 0.05 --folds 0 --json";
    let named = json(&folder.identify(command).done());
    assert_eq!(named["fit"], answer["fit"]);
    folder.write("layout.toml", layout(&format!("rate = {}", 1.0 / step)));
    let warnings = json(&folder.identify(command).done())["warnings"].to_string();
    assert!(warnings.contains("steps differ from that by up to"), "{warnings}");
}

/// A KUKA LWR4+ as published, where its recordings are.
#[test]
fn an_lwr4_is_identified_as_published() {
    let Some(data) = shared("lwr4") else { return };
    let folder = Folder::new();
    let command =
        format!("{data}/kuka_lwr4.urdf --data {data}/run1.csv --validate {data}/run2.csv {data}/run3.csv --json");
    let answer = json(&folder.identify(&command).done());
    let part = |file: usize, by: &str| answer["validate"][file][by]["relative"].as_f64().unwrap();
    let found = [part(0, "free"), part(0, "consistent"), part(1, "consistent")];
    assert!(found[0] <= 0.018 && found[1] <= 0.022 && found[2] <= 0.07, "{found:?}");
    assert!(!answer["warnings"].to_string().contains("look for a delay"), "{}", answer["warnings"]);
}
