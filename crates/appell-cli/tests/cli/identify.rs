//! `appell identify`: recordings that give a robot back, a measured one, and bad data that are named.

use super::recordings::{names, torque_error, true_puma, write_tx40};
use super::{Folder, appell, contains, json, numbers, stands_alone};
use std::fs;

#[test]
fn a_recorded_puma_comes_back_as_a_robot_with_the_same_torques() {
    let folder = Folder::recorded();
    let text = folder
        .identify("puma560 --data run.csv --validate other.csv --decimate 4 --smoothing 0.05 --essential 0.05")
        .done();
    contains(&text, &["base parameters", "condition number", "Held out", "Consistency", "ZZ3R", "Essential"]);
    contains(&text, &["report.html"]);
    let toml = folder.read("robot.toml");
    assert!(toml.starts_with("# Identified on 2") && toml.contains("sha256:"), "{toml}");
    assert!(folder.read("robot.urdf").contains("sha256:"));
    // Torques of a motion that was not fitted, by the robot's file alone.
    let error = torque_error(&folder, "out/robot.toml");
    assert!(error < 0.01, "{error}");
    let correlation = numbers(
        &folder
            .read("correlation.csv")
            .lines()
            .skip(1)
            .fold("t\n".to_owned(), |text, line| text + line.split_once(',').unwrap().1 + "\n"),
    );
    assert!(
        correlation.iter().enumerate().all(|(k, row)| (row[k] - 1.0).abs() < 1e-9 && row.len() == correlation.len())
    );
    let page = folder.read("report.html");
    for plot in ["efforts", "spectra", "validation"] {
        folder.has_plot(&format!("out/{plot}"), &page);
    }
    // 500 equations at 50 Hz are all drawn; spectra go on to half of the 200 Hz that were recorded.
    assert!(!folder.has("out/efforts-detail.svg"));
    contains(&folder.read("spectra.svg"), &["equations cut at 20 Hz", ">10</text>"]);
    stands_alone(&page);
    assert_eq!(folder.read("efforts.csv").lines().next().unwrap().split(',').count(), 20);
    // All estimators agree on data that hold.
    let values = |method: &str| -> Vec<f64> {
        let command =
            format!("puma560 --data run.csv --decimate 4 --smoothing 0.05 --folds 0 --json --method {method}");
        let answer = json(&folder.identify(&command).stdout);
        assert_eq!(answer["base_parameters"], answer["structural_base_parameters"], "{method}");
        let parameters = answer["parameters"].as_array().unwrap();
        parameters.iter().map(|found| found["value"].as_f64().unwrap()).collect()
    };
    let weighted = values("weighted");
    let wanted = |name: &str, _: usize, x: f64| if name.starts_with('q') { x * (1.0 + 1e-9) } else { x };
    folder.change("wanted.csv", wanted);
    for method in ["least-squares", "qr", "huber", "instruments --instruments wanted.csv"] {
        let size = weighted.iter().map(|x| x.abs()).fold(0.0, f64::max);
        let worst = values(method).iter().zip(&weighted).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        assert!(worst < 0.02 * size, "{method}: {worst}");
    }
}

#[test]
fn a_measured_robot_is_identified_with_its_coupled_motors() {
    let folder = Folder::new();
    if !write_tx40(&folder) {
        return;
    }
    let recorded = "staubli-tx40.toml --data motors.csv --layout layout.toml";
    let plain = format!("{recorded} --smoothing 0 --json");
    let plain = json(&folder.identify(&plain).stdout);
    let greased = format!("{recorded} --smoothing 0.01 --json --effects viscous,coulomb,square-root,offset,rotor");
    let greased = json(&folder.identify(&greased).stdout);
    assert_eq!(plain["base_parameters"], 61);
    let residual = |answer: &serde_json::Value, key: &str| answer[key]["relative"].as_f64().unwrap();
    assert!(residual(&plain, "fit") <= 0.075, "{plain}");
    assert!(residual(&greased, "held_out") < 0.9 * residual(&plain, "held_out"), "{greased}");
    assert!(residual(&greased, "consistent") < 1.1 * residual(&greased, "fit"), "{greased}");
    // Friction of greased gears and the coupled motor are in the robot's file, which is what was fitted.
    let with = residual(&greased, "consistent");
    assert!(residual(&greased, "robot_file_fit") == with && greased["beyond_robot_file"].is_null(), "{greased}");
    for k in [4, 5] {
        let joint = &greased["consistent"]["joints"][k];
        assert!(joint["relative"].as_f64().unwrap() < 0.2, "{joint}");
    }
    let toml = folder.read("robot.toml");
    contains(&toml, &["# Layout: ", "# Signals: positions low-passed at 100 Hz", "# Trust", "[transmission.gear]"]);
    contains(&toml, &["# Effects: viscous, coulomb, square-root", "square_root = ", "name = \"m6\", inertia = "]);
    let urdf = folder.read("robot.urdf");
    assert!(urdf.contains("Identified on 20") && !urdf.contains('\u{2010}'), "{urdf}");
    // What the file says is what its head says: the residual of its own efforts.
    let head = toml.lines().find_map(|line| line.strip_prefix("# Relative residual: ")).unwrap();
    let percent: f64 = head.split(' ').next().unwrap().parse().unwrap();
    assert!((percent - 100.0 * with).abs() < 0.01, "{head} {with}");
    // So do the table of efforts, and the URDF, which has no rotors and offsets: with the numbers of robot.toml it would leave 28 %.
    let table = numbers(&folder.read("efforts.csv"));
    let squares = |of: &dyn Fn(&[f64]) -> f64| {
        table.iter().flat_map(|row| row[2..].chunks_exact(3)).map(|joint| of(joint).powi(2)).sum::<f64>()
    };
    let left = (squares(&|joint| joint[0] - joint[2]) / squares(&|joint| joint[0])).sqrt();
    assert!((left / with - 1.0).abs() < 1e-9, "{left} {with}");
    let of_urdf = residual(&greased, "urdf_fit");
    assert!(of_urdf > 1.5 * with && of_urdf < 0.27, "{of_urdf}");
    assert!(urdf.contains(&format!("Relative residual: {:.2} %", 100.0 * of_urdf)), "{urdf}");
    // The page says of which joints the URDF leaves much more than free parameters do.
    let page = folder.read("report.html");
    let row = |k: usize| greased["urdf_fit"]["joints"][k]["relative"].as_f64().unwrap();
    for k in [4, 5] {
        let name = greased["fit"]["joints"][k]["name"].as_str().unwrap();
        contains(&page, &[&format!("{:.2} % of {name} (free: ", 100.0 * row(k))]);
    }
    // The file is a robot that computes, is shown, and is identified again.
    contains(&appell(&format!("show {}", folder.shown("out/robot.toml"))).done(), &["Curves of friction", "m6"]);
    fs::copy(folder.path("out/robot.toml"), folder.path("again.toml")).unwrap();
    let again = folder.identify(
        "again.toml --data motors.csv --layout layout.toml --folds 0 --json --effects viscous,coulomb,square-root,offset,rotor",
    );
    let again = json(&again.stdout);
    assert!((residual(&again, "consistent") / with - 1.0).abs() < 0.05, "{again}");
}

#[test]
fn a_parallel_robot_is_identified_from_its_drives() {
    let folder = Folder::new();
    // A period of 10/3 s leaves a last step that is shorter than the others.
    folder.fourier("run.csv", "agile-wrist", "--harmonics 5 --amplitude 0.2 --frequency 0.3 --dt 0.005");
    let answer =
        json(&folder.identify("agile-wrist --data run.csv --bodies-only --equal-legs --decimate 2 --json").done());
    for key in ["fit", "held_out", "consistent"] {
        assert!(answer[key]["relative"].as_f64().unwrap() < 1e-3, "{key} in {answer}");
    }
    assert!(
        answer["parameters"].as_array().unwrap().iter().any(|found| found["name"].as_str().unwrap().contains(".*."))
    );
    assert!(folder.read("robot.toml").contains("[platform]") && !folder.has("out/robot.urdf"));
    folder.refuses("agile-wrist --data run.csv --effects viscous,viscous", &["names one twice"]);
    folder.refuses("puma560 --data run.csv --equal-legs", &["for parallel robots"]);
}

#[test]
fn bad_data_are_named_and_nothing_is_written_over() {
    let folder = Folder::recorded();
    fs::create_dir(folder.path("out")).unwrap();
    folder.write("out/robot.toml", "kept");
    let good = folder.text("run.csv");
    let lines: Vec<&str> = good.lines().collect();
    let header: Vec<&str> = lines[0].split(',').collect();
    let place = |name: &str| header.iter().position(|column| *column == name).unwrap();
    // The table with the cells of a column changed, row by row.
    let with = |column: &str, change: &dyn Fn(usize, &str) -> String| {
        let row = |(k, line): (usize, &&str)| {
            let mut cells: Vec<String> = line.split(',').map(String::from).collect();
            if k > 0 {
                cells[place(column)] = change(k, &cells[place(column)]);
            }
            cells.join(",")
        };
        lines.iter().enumerate().map(row).collect::<Vec<_>>().join("\n")
    };
    let mut swapped = lines.clone();
    swapped.swap(300, 301);
    folder.change("bad.csv", |name, _, x| if name.starts_with('q') { x.to_degrees() } else { x });
    let all_in_degrees = folder.text("bad.csv");
    let cases: Vec<(String, &[&str])> = vec![
        (good.replacen("tau3", "torque3", 1), &["bad.csv", "no column `tau3`", "`torque3`"]),
        (all_in_degrees, &["bad.csv", "waist", "`v1`", "degrees"]),
        (with("q4", &|_, _| "0.25".into()), &["bad.csv", "`q4` keeps the value 0.25"]),
        (with("tau2", &|k, cell| if k == 77 { "inf".into() } else { cell.into() }), &["line 78", "`tau2`", "`inf`"]),
        (with("q1", &|k, cell| if k == 9 { "lost".into() } else { cell.into() }), &["line 10", "`q1` holds `lost`"]),
        (with("t", &|k, cell| if k == 9 { String::new() } else { cell.into() }), &["row 9 of column `t` is empty"]),
        (swapped.join("\n"), &["bad.csv", "`t`", "time goes backwards", "sample 301"]),
        (lines[..12].join("\n"), &["bad.csv", "11 samples are too few"]),
        (String::new(), &["bad.csv", "empty"]),
        (good.replacen(',', ";", 2), &["bad.csv", "separate columns by commas"]),
        (lines[..4].join("\n") + "\n1,2\n", &["line 5 has 2 cells"]),
    ];
    for (table, parts) in cases {
        folder.write("bad.csv", table);
        folder.refuses("puma560 --data bad.csv --decimate 4", parts);
        folder.refuses("puma560 --data run.csv --validate bad.csv --decimate 4", &parts[..1]);
    }
    folder.write("bad.csv", lines[..27].join("\n"));
    let few = ["36 equations, in 6 samples, for 58 base parameters: record longer"];
    folder.refuses("puma560 --data bad.csv --decimate 4", &few);
    folder.refuses("puma560 --data bad.csv --decimate 4 --border 0.1", &["26 samples are fewer than the 41"]);
    folder.write("bad.csv", lines[..90].join("\n"));
    let run = folder.identify("puma560 --data bad.csv --decimate 4");
    run.refused_with(&["bad.csv", "too little was recorded", "58 unknowns"]);
    folder.refuses("puma560 --data no-such.csv", &["no-such.csv: file not found"]);
    folder.refuses("puma560 --data run.csv --known Q9", &["--known", "no parameter is called `Q9`"]);
    folder.refuses("puma560 --data run.csv --cut-off 400", &["run.csv", "between 0 and 100 Hz"]);
    folder.write("wrong.toml", "time.rate = 5\nposition.columns = ['q1']\neffort.unit = 'kp'");
    folder.refuses(
        "puma560 --data run.csv --layout wrong.toml",
        &["wrong.toml is not a layout", "line 3", "`kp` is not known", "effort.columns: is missing"],
    );
    assert_eq!(folder.names("out"), ["robot.toml"]);
    assert_eq!(folder.read("robot.toml"), "kept");
}

#[test]
fn what_a_motion_does_not_show_is_warned_of() {
    let folder = Folder::new();
    let (robot, out) = (folder.write("true.toml", true_puma()), folder.shown("run.csv"));
    // Only the waist moves: its own parameters show, and the weight of the others.
    let motion = "--from 0,0.1,0.2,0.3,0.4,0.5 --to 2,0.1,0.2,0.3,0.4,0.5 --time 2 --dt 0.005 --torques";
    appell(&format!("trajectory joints {robot} {motion} --out {out}")).done();
    folder.layout(6, "time.column = 't'", "accept.constant = ['q2', 'q3', 'q4', 'q5', 'q6']");
    let run = folder.identify("puma560 --data run.csv --layout layout.toml --smoothing 0.05");
    assert!(run.code < 2, "{}", run.stderr);
    assert!(run.stderr.contains("the motion does not excite"), "{}", run.stderr);
}

#[test]
fn a_result_is_not_given_up_and_inputs_are_not_replaced() {
    let folder = Folder::recorded();
    let good = "puma560 --data run.csv --decimate 4 --smoothing 0.05 --folds 0";
    folder.identify(good).done();
    let robot = folder.read("robot.toml");
    // No robot comes of torques with the wrong sign: bodies would need negative mass.
    folder.change("negated.csv", |name, _, x| if name.starts_with("tau") { -x } else { x });
    folder.identify("puma560 --data negated.csv").ended(2, &["the other sign"]);
    // Who insists on the sign gets parameters, but no robot.
    folder.layout(6, "time.column = 't'", &format!("accept.unit = [{}]", names("tau", 6)));
    let wrong = "puma560 --data negated.csv --layout layout.toml --decimate 4 --smoothing 0.05 --folds 0";
    folder.identify(wrong).ended(2, &["another folder"]);
    fs::rename(folder.path("out"), folder.path("kept")).unwrap();
    folder.identify(wrong).ended(1, &["no robot is written: its residual would be", "signs"]);
    assert!(!folder.has("out/robot.toml") && folder.has("out/report.html"));
    fs::remove_dir_all(folder.path("out")).unwrap();
    fs::rename(folder.path("kept"), folder.path("out")).unwrap();
    // Nothing is left, borders are longer than the recording.
    for (options, word) in
        [("--known *", "nothing can be identified"), ("--border 1e17", "sample"), ("--cut-off 1e-18", "sample")]
    {
        folder.identify(&format!("{good} {options}")).ended(2, &[word]);
    }
    assert_eq!(folder.read("robot.toml"), robot);
    // Data that lie where the answer would.
    let own = folder.path("out/efforts.csv");
    fs::copy(folder.path("run.csv"), &own).unwrap();
    folder.refuses("puma560 --data out/efforts.csv", &["would be replaced"]);
    assert_eq!(fs::read(&own).unwrap(), fs::read(folder.path("run.csv")).unwrap());
}
