//! `appell identify`: recordings that give a robot back, a measured one, and bad data that are named.

use super::{Run, appell_with, json, numbers};
use appell_identification::signals::{Decimation, LowPass};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The PUMA with friction, rotors and heavier bodies: the true one, where the built-in is the first idea of it.
pub(crate) fn true_puma() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../appell/robots/puma560.toml");
    let mut text = fs::read_to_string(file).unwrap().replace("mass = 8.767", "mass = 9.5").replace("3.3768", "3.5");
    for (k, joint) in ["waist", "shoulder", "elbow", "wrist-roll", "wrist-pitch", "wrist-yaw"].iter().enumerate() {
        let (viscous, coulomb, rotor) = (4.0 - 0.5 * k as f64, 5.0 - 0.7 * k as f64, 1e-4 / (1.0 + k as f64));
        text += &format!(
            "\n[joint.{joint}]\nfriction = {{ viscous = {viscous}, coulomb = {coulomb}, smoothing = 0.05, offset = 0.3 }}\n\
             rotor = {{ inertia = {rotor}, gear = 60.0 }}\n"
        );
    }
    text
}

/// A folder with recordings of robots, and with what is identified from them, in out.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With the true robot, and what a recorder would write of two of its motions: run.csv and other.csv.
    pub(crate) fn recorded() -> Self {
        let folder = Self::new();
        folder.write("true.toml", true_puma());
        for (name, seed) in [("run.csv", 3), ("other.csv", 4)] {
            folder.fourier(name, &folder.shown("true.toml"), &format!("{PUMA_MOTION} --seed {seed}"));
        }
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn shown(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    /// A file of what was identified.
    pub(crate) fn read(&self, name: &str) -> String {
        self.text(&format!("out/{name}"))
    }

    /// Runs the command; words that are names of files in the folder become paths.
    pub(crate) fn identify(&self, command: &str) -> Run {
        let path = |word: &str| if self.path(word).is_file() { self.shown(word) } else { word.to_owned() };
        let words = command.split_whitespace().map(path).chain(["--out".into(), self.shown("out")]);
        let words: Vec<String> = ["identify".to_owned()].into_iter().chain(words).collect();
        appell_with(&words.iter().map(String::as_str).collect::<Vec<_>>(), "")
    }

    /// The same where a robot is found.
    pub(crate) fn identified(&self, command: &str) -> Run {
        let run = self.identify(command);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run
    }

    /// Writes a motion of a robot with its efforts.
    pub(crate) fn fourier(&self, name: &str, robot: &str, options: &str) {
        let out = self.shown(name);
        let words = ["trajectory", "fourier", robot].into_iter().chain(options.split_whitespace());
        let run = appell_with(&words.chain(["--torques", "--out", &out]).collect::<Vec<_>>(), "");
        assert_eq!(run.code, 0, "{}", run.stderr);
    }

    /// Writes run.csv with other numbers: of a column's name, a row and a number.
    pub(crate) fn change(&self, name: &str, mut change: impl FnMut(&str, usize, f64) -> f64) {
        let table = self.text("run.csv");
        let mut lines = table.lines();
        let header: Vec<&str> = lines.next().unwrap().split(',').collect();
        let row = |(k, line): (usize, &str)| {
            let cells = line.split(',').zip(&header);
            let cells = cells.map(|(cell, name)| change(name, k, cell.parse().unwrap()).to_string());
            cells.collect::<Vec<_>>().join(",")
        };
        let lines = [header.join(",")].into_iter().chain(lines.enumerate().map(row));
        self.write(name, lines.collect::<Vec<_>>().join("\n"));
    }

    /// Writes a layout of the program's own tables without velocities, and more lines.
    pub(crate) fn layout(&self, joints: usize, time: &str, more: &str) {
        let [q, tau] = ["q", "tau"].map(|symbol| names(symbol, joints));
        self.write("layout.toml", format!("{time}\nposition.columns = [{q}]\neffort.columns = [{tau}]\n{more}\n"));
    }
}

/// A motion of the PUMA for [`Folder::fourier`].
const PUMA_MOTION: &str = "--harmonics 5 --amplitude 0.5 --frequency 0.2 --periods 2 --dt 0.005";

/// Columns of joints, in quotes.
pub(crate) fn names(symbol: &str, joints: usize) -> String {
    (1..=joints).map(|k| format!("'{symbol}{k}'")).collect::<Vec<_>>().join(", ")
}

/// The largest relative error of a joint's torques along other.csv, of a robot in the folder against the true one.
fn torque_error(folder: &Folder, robot: &str) -> f64 {
    let table = folder.text("other.csv");
    let of = |robot: &str| {
        let robot = folder.path(robot).display().to_string();
        let run = appell_with(&["compute", "inverse-dynamics", &robot, "--states", "-"], &table);
        assert_eq!(run.code, 0, "{}", run.stderr);
        numbers(&run.stdout)
    };
    let (real, found) = (of("true.toml"), of(robot));
    let error = |joint: usize| {
        let squares = |of: &dyn Fn(usize) -> f64| (0..real.len()).map(|k| of(k).powi(2)).sum::<f64>();
        let column = real[0].len() - 6 + joint;
        (squares(&|k| found[k][column] - real[k][column]) / squares(&|k| real[k][column])).sqrt()
    };
    (0..6).map(error).fold(0.0, f64::max)
}

#[test]
fn a_recorded_puma_comes_back_as_a_robot_with_the_same_torques() {
    let folder = Folder::recorded();
    let run =
        folder.identified("puma560 --data run.csv --validate other.csv --decimate 4 --smoothing 0.05 --essential 0.05");
    for word in ["base parameters", "condition number", "Held out", "Consistency", "ZZ3R", "Essential", "report.html"] {
        assert!(run.stdout.contains(word), "{word} in\n{}", run.stdout);
    }
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
        let svg = folder.read(&format!("{plot}.svg"));
        assert!(svg.starts_with("<svg") && page.contains(&svg), "{plot}");
        let png = fs::read(folder.path("out").join(format!("{plot}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n") && png.len() > 5000, "{plot}");
    }
    // 500 equations at 50 Hz are all drawn; spectra go on to half of the 200 Hz that were recorded.
    assert!(!folder.path("out/efforts-detail.svg").exists());
    let spectra = folder.read("spectra.svg");
    assert!(spectra.contains("equations cut at 20 Hz") && spectra.contains(">10</text>"), "{spectra}");
    for outside in ["<script", "<link", "<img", "src=", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
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

/// Writes robot, layout and published recording of the TX40 (decimated to 1 kHz) to a folder, as staubli-tx40.toml, layout.toml and
/// motors.csv; false where this machine does not have the recording, which is data of others.
pub(crate) fn write_tx40(folder: &Folder) -> bool {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = here.join("../../../shared/data/tx40");
    if !data.is_dir() {
        println!("skipped: the TX40's recording is not in ../shared/data/tx40");
        return false;
    }
    for file in ["staubli-tx40.toml", "layout.toml"] {
        fs::copy(here.join("src/commands/reproduce/tx40").join(file), folder.path(file)).unwrap();
    }
    let filter = LowPass::new(8, 400.0, 5000.0).unwrap().with_padding(200);
    let decimation = Decimation::with_filter(5, filter).unwrap().with_border(0);
    let rounded = |x: &f64| (x * 1e5).round() / 1e5;
    let (mut names, mut columns) = (Vec::new(), Vec::new());
    for (file, name) in [("motor_positions.csv", "position"), ("motor_torques.csv", "torque")] {
        let rows = numbers(&fs::read_to_string(data.join(file)).unwrap());
        for k in 0..6 {
            let signal: Vec<f64> = rows.iter().map(|row| row[k]).collect();
            names.push(format!("{name}{}", k + 1));
            columns.push(decimation.of(&signal).unwrap().iter().map(rounded).collect::<Vec<_>>());
        }
    }
    let row = |i: usize| columns.iter().map(|column| column[i].to_string()).collect::<Vec<_>>().join(",");
    let rows = (0..columns[0].len()).map(row);
    folder.write("motors.csv", [names.join(",")].into_iter().chain(rows).collect::<Vec<_>>().join("\n"));
    true
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
    // Friction of greased gears and the coupled motor are beyond a robot's file, which is fitted without them.
    let (with, without) = (residual(&greased, "consistent"), residual(&greased, "robot_file_fit"));
    assert!(without > 1.5 * with && without < 0.13 && residual(&greased, "robot_file_held_out") < 0.16, "{greased}");
    assert!(greased["beyond_robot_file"].as_array().unwrap().iter().any(|found| found["name"] == "Iam6"));
    let toml = folder.read("robot.toml");
    for words in [
        "# Layout: ",
        "# Signals: positions low-passed at 100 Hz",
        "# Effects: viscous, coulomb, square-root",
        "# Trust",
        "# Beyond this file: ",
        "Iam6 = ",
    ] {
        assert!(toml.contains(words), "{words}: {toml}");
    }
    let urdf = folder.read("robot.urdf");
    assert!(urdf.contains("Identified on 20") && !urdf.contains('\u{2010}'), "{urdf}");
    // What the file says is what its head says: the residual of its own efforts.
    let head = toml.lines().find_map(|line| line.strip_prefix("# Relative residual: ")).unwrap();
    let percent: f64 = head.split(' ').next().unwrap().parse().unwrap();
    assert!((percent - 100.0 * without).abs() < 0.01, "{head} {without}");
    // So do the table of efforts, and the URDF, which has no rotors and offsets: with the numbers of robot.toml it would leave 28 %.
    let table = numbers(&folder.read("efforts.csv"));
    let squares = |of: &dyn Fn(&[f64]) -> f64| {
        table.iter().flat_map(|row| row[2..].chunks_exact(3)).map(|joint| of(joint).powi(2)).sum::<f64>()
    };
    let left = (squares(&|joint| joint[0] - joint[2]) / squares(&|joint| joint[0])).sqrt();
    assert!((left / without - 1.0).abs() < 1e-9, "{left} {without}");
    let of_urdf = residual(&greased, "urdf_fit");
    assert!(of_urdf > without && of_urdf < 0.27, "{of_urdf}");
    assert!(urdf.contains(&format!("Relative residual: {:.2} %", 100.0 * of_urdf)), "{urdf}");
    // The page says of which joints the file leaves much more than free parameters do.
    let page = folder.read("report.html");
    let row = |k: usize| greased["robot_file_fit"]["joints"][k]["relative"].as_f64().unwrap();
    for k in [4, 5] {
        let told =
            format!("{:.2} % of {} (free: ", 100.0 * row(k), greased["fit"]["joints"][k]["name"].as_str().unwrap());
        assert!(page.contains(&told), "{told}");
    }
}

#[test]
fn a_parallel_robot_is_identified_from_its_drives() {
    let folder = Folder::new();
    // A period of 10/3 s leaves a last step that is shorter than the others.
    folder.fourier("run.csv", "agile-wrist", "--harmonics 5 --amplitude 0.2 --frequency 0.3 --dt 0.005");
    let run = folder.identified("agile-wrist --data run.csv --bodies-only --equal-legs --decimate 2 --json");
    let answer = json(&run.stdout);
    for key in ["fit", "held_out", "consistent"] {
        assert!(answer[key]["relative"].as_f64().unwrap() < 1e-3, "{key} in {answer}");
    }
    assert!(
        answer["parameters"].as_array().unwrap().iter().any(|found| found["name"].as_str().unwrap().contains(".*."))
    );
    assert!(folder.read("robot.toml").contains("[platform]") && !folder.path("out/robot.urdf").exists());
    folder.identify("agile-wrist --data run.csv --effects viscous,viscous").refused_with(&["names one twice"]);
    folder.identify("puma560 --data run.csv --equal-legs").refused_with(&["for parallel robots"]);
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
        (with("tau2", &|k, cell| if k == 77 { "NaN".into() } else { cell.into() }), &["line 78", "`tau2`", "`NaN`"]),
        (with("q1", &|k, cell| if k == 9 { String::new() } else { cell.into() }), &["line 10", "`q1` is empty"]),
        (swapped.join("\n"), &["bad.csv", "`t`", "time goes backwards", "sample 301"]),
        (lines[..12].join("\n"), &["bad.csv", "11 samples are too few"]),
        (lines[..27].join("\n"), &["bad.csv", "26 samples are fewer than the 75"]),
        (String::new(), &["bad.csv", "empty"]),
        (good.replacen(',', ";", 2), &["bad.csv", "separate columns by commas"]),
        (lines[..4].join("\n") + "\n1,2", &["line 5 has 2 cells"]),
    ];
    for (table, parts) in cases {
        folder.write("bad.csv", table);
        folder.identify("puma560 --data bad.csv --decimate 4").refused_with(parts);
        folder.identify("puma560 --data run.csv --validate bad.csv --decimate 4").refused_with(&parts[..1]);
    }
    folder.write("bad.csv", lines[..90].join("\n"));
    let run = folder.identify("puma560 --data bad.csv --decimate 4");
    run.refused_with(&["24 equations, in 4 samples, for", "base parameters: record longer"]);
    folder.identify("puma560 --data no-such.csv").refused_with(&["no-such.csv: file not found"]);
    folder.identify("puma560 --data run.csv --known Q9").refused_with(&["--known", "no parameter is called `Q9`"]);
    folder.identify("puma560 --data run.csv --cut-off 400").refused_with(&["run.csv", "between 0 and 100 Hz"]);
    folder.write("wrong.toml", "time.rate = 5\nposition.columns = ['q1']\neffort.unit = 'kp'");
    folder.identify("puma560 --data run.csv --layout wrong.toml").refused_with(&[
        "wrong.toml is not a layout",
        "line 3",
        "`kp` is not known",
        "effort.columns: is missing",
    ]);
    let left: Vec<_> = fs::read_dir(folder.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!((left, folder.read("robot.toml").as_str()), (vec!["robot.toml".into()], "kept"));
}

#[test]
fn what_a_motion_does_not_show_is_told() {
    let folder = Folder::new();
    folder.write("true.toml", true_puma());
    let (robot, out) = (folder.shown("true.toml"), folder.shown("run.csv"));
    // Only the waist moves: its own parameters show, and the weight of the others.
    let words = "--from 0,0.1,0.2,0.3,0.4,0.5 --to 2,0.1,0.2,0.3,0.4,0.5 --time 2 --dt 0.005 --torques";
    let words = ["trajectory", "joints", &robot].into_iter().chain(words.split_whitespace()).chain(["--out", &out]);
    let run = appell_with(&words.collect::<Vec<_>>(), "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    folder.layout(6, "time.column = 't'", "accept.constant = ['q2', 'q3', 'q4', 'q5', 'q6']");
    let run = folder.identify("puma560 --data run.csv --layout layout.toml --smoothing 0.05");
    assert!(run.code < 2, "{}", run.stderr);
    assert!(run.stderr.contains("the motion does not excite"), "{}", run.stderr);
}

#[test]
fn a_result_is_not_given_up_and_inputs_are_not_replaced() {
    let folder = Folder::recorded();
    let good = "puma560 --data run.csv --decimate 4 --smoothing 0.05 --folds 0";
    assert_eq!(folder.identify(good).code, 0);
    let robot = folder.read("robot.toml");
    // No robot comes of torques with the wrong sign: bodies would need negative mass.
    folder.change("negated.csv", |name, _, x| if name.starts_with("tau") { -x } else { x });
    let run = folder.identify("puma560 --data negated.csv");
    assert!(run.code == 2 && run.stderr.contains("the other sign"), "{}", run.stderr);
    // Who insists on the sign gets parameters, but no robot.
    folder.layout(6, "time.column = 't'", &format!("accept.unit = [{}]", names("tau", 6)));
    let wrong = "puma560 --data negated.csv --layout layout.toml --decimate 4 --smoothing 0.05 --folds 0";
    let run = folder.identify(wrong);
    assert!(run.code == 2 && run.stderr.contains("another folder"), "{}", run.stderr);
    fs::rename(folder.path("out"), folder.path("kept")).unwrap();
    let run = folder.identify(wrong);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("no robot is written: its residual would be") && run.stderr.contains("signs"),
        "{}",
        run.stderr
    );
    assert!(!folder.path("out/robot.toml").exists() && folder.path("out/report.html").exists());
    fs::remove_dir_all(folder.path("out")).unwrap();
    fs::rename(folder.path("kept"), folder.path("out")).unwrap();
    // Nothing is left, borders are longer than the recording.
    for (options, word) in
        [("--known *", "nothing can be identified"), ("--border 1e17", "sample"), ("--cut-off 1e-18", "sample")]
    {
        let run = folder.identify(&format!("{good} {options}"));
        assert!(run.code == 2 && run.stderr.contains(word), "{options}: {}", run.stderr);
    }
    assert_eq!(folder.read("robot.toml"), robot);
    // Data that lie where the answer would.
    let own = folder.path("out/efforts.csv");
    fs::copy(folder.path("run.csv"), &own).unwrap();
    folder.identify("puma560 --data out/efforts.csv").refused_with(&["would be replaced"]);
    assert_eq!(fs::read(&own).unwrap(), fs::read(folder.path("run.csv")).unwrap());
}

/// The robot's file is as robust as the method, keeps what is known, and can be simulated.
#[test]
fn the_robot_follows_the_method_and_what_is_known() {
    let folder = Folder::recorded();
    // A twentieth of the recording are collisions.
    let hit = |name: &str, k: usize, x: f64| if name.starts_with("tau") && k % 400 < 20 { x + 30.0 } else { x };
    folder.change("hit.csv", hit);
    let command = "puma560 --data hit.csv --decimate 4 --smoothing 0.05 --folds 0 --method";
    let [robust, plain] = ["huber", "weighted"].map(|method| {
        folder.identified(&format!("{command} {method}"));
        torque_error(&folder, "out/robot.toml")
    });
    assert!(robust < 0.05 && plain > 4.0 * robust, "{robust} {plain}");
    // A body that is known in part.
    folder.identified("true.toml --data run.csv --decimate 4 --folds 0 --known ZZ3,M5");
    assert!(folder.read("robot.toml").contains("# Known: ZZ3, M5"));
    assert!(torque_error(&folder, "out/robot.toml") < 0.01);
    // Friction that the built-in robot does not have is smoothed; asked for, it jumps, and that is told.
    let run = folder.identified("puma560 --data run.csv --decimate 4 --folds 0");
    assert!(folder.read("robot.toml").contains("smoothing = 0.01") && !run.stderr.contains("jumps"), "{}", run.stderr);
    let run = folder.identify("puma560 --data run.csv --decimate 4 --folds 0 --smoothing 0");
    assert!(run.code == 0 && run.stderr.contains("`appell simulate` will want"), "{}", run.stderr);
    for (option, words) in [
        ("--tolerance 1", "below 1"),
        ("--trust 1e300", "from 1e-6"),
        ("--trust 1e-300", "from 1e-6"),
        ("--effects viscous,gain", "nothing is known"),
        ("--smoothing 1e9", "at most 1"),
        ("--bodies-only --smoothing 0.1", "which is not asked for"),
        ("--stribeck-speed 0.1", "which is not asked for"),
        ("--tolerance 0.1", "--tolerance is that of --method svd"),
        ("--border 9.9", "shorter border (--border)"),
        ("--method instruments --instruments run.csv", "an instrument knows nothing of it"),
    ] {
        folder.identify(&format!("puma560 --data run.csv --decimate 4 {option}")).refused_with(&[words]);
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
    let run = folder.identified(&format!("{command} M*6,X?6,Y?6,ZZ6"));
    let answer = json(&run.stdout);
    for joint in 1..=6 {
        let name = format!("g{joint}");
        let found =
            answer["parameters"].as_array().unwrap().iter().find(|found| found["name"] == name.as_str()).unwrap();
        let value = found["value"].as_f64().unwrap();
        assert!((value / gain(joint) - 1.0).abs() < 0.02, "{name}: {value} for {}", gain(joint));
    }
    assert!(answer["fit"]["relative"].as_f64().unwrap() < 0.02, "{}", answer["fit"]);
    assert!(folder.read("robot.toml").contains("# Beyond this file: g1 = "));
    // One gain that is known, and noise.
    let noisy = |name: &str, row: usize, x: f64| {
        let noise = (1e4 * (row as f64 + name.len() as f64).sin()).fract();
        scaled(name, row, x) + if name.starts_with("tau") { 0.5 * noise } else { 0.0 }
    };
    folder.change("noisy.csv", noisy);
    let run = folder.identified(&format!("{} g1", command.replace("amperes", "noisy")));
    let answer = json(&run.stdout);
    for joint in 2..=6 {
        let of_joint = |found: &&serde_json::Value| found["name"] == format!("g{joint}").as_str();
        let found = answer["parameters"].as_array().unwrap().iter().find(of_joint).unwrap();
        let (value, sigma) = (found["value"].as_f64().unwrap(), found["sigma"].as_f64().unwrap());
        let off = value - gain(joint) / gain(1);
        assert!(off.abs() < 5.0 * sigma && off.abs() < 0.1, "g{joint} = {value} ± {sigma}");
    }
    folder
        .identify(&format!("{command} g1 --method instruments --instruments run.csv"))
        .refused_with(&["--effects gain goes with the other methods"]);
}

/// The platform of the five-bar is a point: it has a robot's file, too.
#[test]
fn a_five_bar_with_a_point_for_a_platform_is_identified() {
    let folder = Folder::new();
    folder.fourier("run.csv", "five-bar", "--harmonics 5 --amplitude 0.15 --frequency 0.5 --dt 0.002");
    let run = folder.identified("five-bar --data run.csv --bodies-only --decimate 2 --json");
    assert!(json(&run.stdout)["robot_file_fit"]["relative"].as_f64().unwrap() < 0.01, "{}", run.stdout);
    assert!(folder.read("robot.toml").contains("[platform]"));
}
