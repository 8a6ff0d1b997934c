//! `appell identify` and what recorders write: units, encoders, pipes, the same twice, the wrong joint.

use super::recordings::{names, true_puma};
use super::{Folder, appell_fed, json};
use std::fs;

/// The table with cells changed, column by column; `None` leaves a column out.
fn with_columns(table: &str, change: &dyn Fn(&str, &str) -> Option<String>) -> String {
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let row = |(k, line): (usize, &str)| {
        let cells = line.split(',').zip(&header);
        let cells =
            cells.filter_map(|(cell, name)| change(name, cell).map(|new| if k == 0 { cell.to_owned() } else { new }));
        cells.collect::<Vec<_>>().join(",")
    };
    table.lines().enumerate().map(row).collect::<Vec<_>>().join("\n")
}

/// A change of the cells of columns that begin with a symbol.
fn scaled(symbol: &'static str, by: f64) -> impl Fn(&str, &str) -> Option<String> {
    move |name, cell| match cell.parse::<f64>() {
        Ok(number) if name.starts_with(symbol) => Some((by * number).to_string()),
        _ if name.starts_with(['v', 'a']) => None,
        _ => Some(cell.to_owned()),
    }
}

#[test]
fn an_encoder_at_a_kilohertz_needs_no_option() {
    let folder = Folder::new();
    folder.write("true.toml", true_puma());
    let options = "--harmonics 5 --amplitude 1 --frequency 0.2 --periods 2 --dt 0.001 --seed 3";
    folder.fourier("exact.csv", &folder.shown("true.toml"), options);
    let step = std::f64::consts::TAU / 131_072.0;
    let seen = with_columns(&folder.text("exact.csv"), &|name, cell| match cell.parse::<f64>() {
        Ok(number) if name.starts_with('q') => Some(((number / step).round() * step).to_string()),
        _ => (!name.starts_with(['v', 'a'])).then(|| cell.to_owned()),
    });
    folder.write("run.csv", seen);
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
    let table = folder.text("run.csv");
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
        let change = |name: &str, cell: &str| {
            if symbol == "t" && name.starts_with("tau") {
                Some(cell.to_owned())
            } else {
                scaled(symbol, by)(name, cell)
            }
        };
        folder.write("bad.csv", with_columns(&table, &change));
        folder.identify("puma560 --data bad.csv").refused_with(parts);
    }
    // Who follows the advice gets the robot.
    folder.write("bad.csv", with_columns(&table, &scaled("tau", 1.0 / 0.112_984_829)));
    folder.layout(6, "time.column = 't'", "effort.unit = 'lbf in'");
    folder.identify("puma560 --data bad.csv --layout layout.toml --smoothing 0.05 --folds 0").done();
    // What the user knows better.
    folder.write("bad.csv", with_columns(&table, &scaled("tau", -1.0)));
    folder.layout(6, "time.column = 't'", &format!("accept.unit = [{}]", names("tau", 6)));
    let run = folder.identify("puma560 --data bad.csv --layout layout.toml --folds 0");
    assert!(!run.stderr.contains("other sign"), "{}", run.stderr);
}

#[test]
fn recordings_are_different_and_references_of_the_same_instants() {
    let folder = Folder::recorded();
    fs::copy(folder.path("run.csv"), folder.path("copy.csv")).unwrap();
    folder.identify("puma560 --data run.csv copy.csv").refused_with(&[
        "run.csv and",
        "copy.csv hold the same",
        "count twice",
    ]);
    folder.identify("puma560 --data run.csv --validate copy.csv").refused_with(&["hold the same", "held-out"]);
    // Nor may one be a piece of the other.
    let whole = folder.text("run.csv");
    folder.write("piece.csv", whole.split_inclusive('\n').take(900).collect::<String>());
    folder
        .identify("puma560 --data run.csv --validate piece.csv")
        .refused_with(&["piece.csv share 100 % of their rows", "held-out"]);
    let table = folder.text("run.csv");
    // Motion alone, near to what was measured.
    let wanted = with_columns(&table, &|name, cell| match (name, cell.parse::<f64>()) {
        ("t", _) => Some(cell.to_owned()),
        (name, Ok(q)) if name.starts_with('q') => Some((q * (1.0 + 1e-9)).to_string()),
        (name, _) => name.starts_with('q').then(|| cell.to_owned()),
    });
    folder.write("wanted.csv", &wanted);
    let instruments = "puma560 --data run.csv --smoothing 0.05 --folds 0 --method instruments --instruments";
    folder.identify(&format!("{instruments} wanted.csv")).done();
    let late = with_columns(&wanted, &|name, cell| match cell.parse::<f64>() {
        Ok(t) if name == "t" => Some((t + 0.004).to_string()),
        _ => Some(cell.to_owned()),
    });
    folder.write("late.csv", late);
    folder.identify(&format!("{instruments} late.csv")).refused_with(&[
        "late.csv",
        "row 1 is at 0.004 s",
        "same instants",
    ]);
    folder.identify(&format!("{instruments} wanted.csv wanted.csv")).refused_with(&["2 tables for 1 recording"]);
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
