//! `appell identify` and recordings that would give a wrong robot: too short, in wrong units, with exchanged columns.

use super::Folder;
use super::recordings::write_tx40;
use appell::sample::Sampler;
use std::fs;

/// The first rows of run.csv, as short.csv.
fn cut(folder: &Folder, rows: usize) {
    let table = folder.text("run.csv");
    folder.write("short.csv", table.split_inclusive('\n').take(rows + 1).collect::<String>());
}

/// run.csv with two columns exchanged, as bad.csv.
fn exchange(folder: &Folder, one: &str, other: &str) {
    let table = folder.text("run.csv");
    let header = table.lines().next().unwrap();
    let name = |name| match name {
        _ if name == one => other,
        _ if name == other => one,
        _ => name,
    };
    let names: Vec<&str> = header.split(',').map(name).collect();
    folder.write("bad.csv", table.replacen(header, &names.join(","), 1));
}

#[test]
fn half_a_second_is_too_little_however_many_rows_it_has() {
    let folder = Folder::new();
    for (robot, options, rows) in [
        ("puma560", "--harmonics 5 --amplitude 0.5 --frequency 0.2 --periods 2 --dt 0.005 --seed 3", 100),
        ("puma560", "--harmonics 5 --amplitude 0.5 --frequency 0.2 --periods 2 --dt 0.0005 --seed 3", 1000),
        ("agile-wrist", "--harmonics 5 --amplitude 0.2 --frequency 0.3 --dt 0.005", 100),
        ("gough-stewart", "--harmonics 5 --amplitude 0.05 --frequency 0.3 --dt 0.005", 100),
    ] {
        folder.fourier("run.csv", robot, options);
        cut(&folder, rows);
        folder.refuses(
            &format!("{robot} --data short.csv --folds 0"),
            &[
                "short.csv",
                "too little was recorded: 0.5 s of a motion of about",
                "Hz hold",
                "independent equations",
                "unknowns; record longer",
            ],
        );
    }
    assert!(!folder.has("out"));
}

/// Equations enough, but parameters that noise decides: they predict worse than nothing what they were not fitted to.
#[test]
fn no_robot_comes_of_parameters_that_predict_worse_than_nothing() {
    let folder = Folder::new();
    folder.fourier("run.csv", "five-bar", "--harmonics 5 --amplitude 0.15 --frequency 0.3 --dt 0.005");
    // Efforts with some noise.
    let shaken = |name: &str, row: usize, x: f64| {
        if name.starts_with("tau") { x + 0.05 * (1e4 * ((row + 1) * (row + 7)) as f64).sin() } else { x }
    };
    folder.change("run.csv", shaken);
    cut(&folder, 160);
    folder.identify("five-bar --data short.csv").ended(1, &["no robot is written: the data show too little"]);
}

/// Friction and rotors explain efforts of any size, but not those of a wrist that is stronger than the shoulder.
#[test]
fn one_joint_in_another_unit_is_refused_even_if_friction_explains_it() {
    let folder = Folder::recorded();
    for (joint, by) in [("tau6", 1000.0), ("tau5", 1000.0), ("tau1", 1000.0), ("tau2", 0.001)] {
        let scaled = |name: &str, _: usize, x: f64| if name == joint { by * x } else { x };
        folder.change("bad.csv", scaled);
        folder.refuses("puma560 --data bad.csv --smoothing 0.05 --folds 0", &[joint, "effort.unit"]);
        // By a file that knows the friction, too.
        folder.refuses("true.toml --data bad.csv --folds 0", &[joint, "effort.unit"]);
    }
    // Who knows better may say so.
    let scaled = |name: &str, _: usize, x: f64| if name == "tau6" { 1000.0 * x } else { x };
    folder.change("bad.csv", scaled);
    folder.layout(6, "time.column = 't'", "accept.unit = ['tau6']");
    let run = folder.identify("puma560 --data bad.csv --layout layout.toml --smoothing 0.05 --folds 0");
    assert!(run.code < 2 && !run.stderr.contains("are they in mN m"), "{}", run.stderr);
}

#[test]
fn exchanged_wrist_joints_are_known_by_their_friction() {
    let folder = Folder::recorded();
    for [one, other] in [["q5", "q6"], ["tau5", "tau6"], ["tau1", "tau2"]] {
        exchange(&folder, one, other);
        folder.layout(6, "time.column = 't'", "");
        folder.refuses(
            "puma560 --data bad.csv --layout layout.toml --smoothing 0.05 --folds 0",
            &["look exchanged", &format!("`{one}` and `{other}`"), "exchange the names in the layout"],
        );
    }
}

/// One of three recordings was made with a payload that the others lack.
#[test]
fn a_recording_of_another_load_is_named() {
    let folder = Folder::new();
    let puma = appell::robots::find("puma560").unwrap().toml;
    let loaded = folder.write("loaded.toml", puma.replace("mass = 0.351", "mass = 3.0"));
    let mut names = Vec::new();
    for (k, robot) in ["puma560", &loaded, "puma560"].into_iter().enumerate() {
        let options = format!("--harmonics 5 --amplitude 0.5 --frequency 0.2 --dt 0.01 --seed {}", k + 1);
        folder.fourier("run.csv", robot, &options);
        names.push(format!("run{k}.csv"));
        fs::copy(folder.path("run.csv"), folder.path(&names[k])).unwrap();
    }
    let run = folder.identify(&format!("puma560 --data {} --bodies-only --folds 0", names.join(" ")));
    let named = |name: &str| run.stderr.contains(&format!("{name} does not fit the other recordings"));
    assert!(named("run1.csv") && !named("run0.csv") && !named("run2.csv"), "{}", run.stderr);
    assert!(run.stdout.contains(", residual "), "{}", run.stdout);
    // One that is only noisier fits.
    let mut sampler = Sampler::new(1);
    folder.change("run2.csv", |name, _, x| if name.starts_with("tau") { x + sampler.within(3.0) } else { x });
    let run = folder.identify("puma560 --data run0.csv run2.csv --bodies-only --folds 0");
    assert!(run.code == 0 && !run.stderr.contains("does not fit"), "{}", run.stderr);
}

#[test]
fn what_contradicts_itself_or_would_be_ignored_is_refused() {
    let folder = Folder::recorded();
    let with_layout = "puma560 --data run.csv --layout layout.toml --smoothing 0.05 --folds 0";
    folder.layout(6, "time.rate = 500", "");
    folder.refuses(with_layout, &["`time.rate` is 500 Hz", "`t`", "200 rows per second", "time.column"]);
    folder.layout(6, "time.rate = 200", "");
    folder.identify(with_layout).done();
    folder.layout(6, "time.column = 't'", "gear.ratio = [60, 60, 60, 60, 60, 60]");
    folder.refuses(with_layout, &["`gear` is given", "side = \"motor\""]);
    folder.refuses("puma560 --data run.csv --validate other.csv --folds 3", &["--folds", "--validate"]);
    for method in ["weighted", "consistent"] {
        folder.refuses(&format!("puma560 --data run.csv --weigh --method {method}"), &["--weigh"]);
    }
}

/// The TX40 with radians called degrees: nothing is wrong with its efforts.
#[test]
fn a_wrong_unit_of_positions_is_not_blamed_on_efforts() {
    let folder = Folder::new();
    if !write_tx40(&folder) {
        return;
    }
    let text = folder.text("layout.toml");
    folder.write("layout.toml", text.replacen("unit = \"rad\"", "unit = \"deg\"", 1));
    let run = folder.identify("staubli-tx40.toml --data motors.csv --layout layout.toml");
    let first = run.stderr.lines().next().unwrap_or_default();
    assert!(run.code == 2 && first.contains("positions look like radians"), "{}", run.stderr);
}

/// Rotors and friction that the file forgets are no other unit; the slide's efforts in another unit are refused though it has no peer.
#[test]
fn a_file_without_friction_and_rotors_does_not_make_units_wrong() {
    let folder = Folder::new();
    let mut text = appell::robots::find("scara").unwrap().toml.to_owned();
    // A screw makes the rotor of the quill heavier than all that it moves.
    for (joint, viscous, coulomb, inertia, gear) in [
        ("shoulder", 2.0, 3.0, 1e-5, 50.0),
        ("elbow", 1.0, 2.0, 1e-5, 50.0),
        ("quill", 20.0, 15.0, 2e-5, 800.0),
        ("wrist", 0.05, 0.1, 1e-5, 50.0),
    ] {
        text += &format!(
            "\n[joint.{joint}]\nfriction = {{ viscous = {viscous}, coulomb = {coulomb}, smoothing = 0.02 }}\n\
             rotor = {{ inertia = {inertia}, gear = {gear} }}\n"
        );
    }
    let robot = folder.write("true.toml", text);
    folder.fourier("run.csv", &robot, "--harmonics 5 --amplitude 0.3 --frequency 0.3 --periods 2 --dt 0.005");
    let run = folder.identify("scara --data run.csv --smoothing 0.02 --folds 0");
    assert!(run.code == 0 && !run.stderr.contains("look"), "{}", run.stderr);
    let scaled = |name: &str, _: usize, x: f64| if name == "tau3" { 1000.0 * x } else { x };
    folder.change("bad.csv", scaled);
    folder.refuses("scara --data bad.csv --smoothing 0.02 --folds 0", &["quill", "`tau3`", "are they in mN?"]);
}

/// Positions of one joint counted the other way, where its bodies weigh too little to show it: friction would drive it.
#[test]
fn a_wrong_sign_of_positions_is_named() {
    let folder = Folder::recorded();
    for joint in ["q4", "q5"] {
        let turned = |name: &str, _: usize, x: f64| if name == joint { -x } else { x };
        folder.change("bad.csv", turned);
        folder.layout(6, "time.column = 't'", "");
        let run = folder.identify("puma560 --data bad.csv --layout layout.toml --smoothing 0.05 --folds 0");
        assert!(run.code != 0 && run.stderr.contains("sign"), "{joint}: {}", run.stderr);
        assert!(!folder.has("out/robot.toml"), "{joint}");
    }
}

/// Drives where the loops cannot close: the row, the drives and what to look for; once.
#[test]
fn places_that_a_closed_robot_cannot_reach_are_named_by_their_row() {
    let folder = Folder::new();
    folder.fourier("run.csv", "five-bar", "--harmonics 5 --amplitude 0.15 --frequency 0.3 --dt 0.005");
    let away = |name: &str, row: usize, x: f64| {
        let bump = 1.6 * (-(((row as f64) - 300.0) / 60.0).powi(2)).exp();
        match name {
            "q1" => x + bump,
            "q2" => x - bump,
            _ => x,
        }
    };
    folder.change("bad.csv", away);
    folder.layout(2, "time.column = 't'", "");
    let run = folder.identify("five-bar --data bad.csv --layout layout.toml --folds 0");
    run.refused_with(&["bad.csv: row ", "with the drives at ", "joint.offset"]);
    assert_eq!(run.stderr.matches("stays open").count(), 1, "{}", run.stderr);
}
