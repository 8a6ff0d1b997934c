//! `appell excite`: motions within limits, the files it leaves, and what it refuses.

use super::{appell, json, numbers, wait_until_heard};
use std::fs;
use std::process::{Command, Stdio};

const QUICK: &str = "excite two-link --bodies-only --velocity 2 --acceleration 6 --harmonics 3 --frequency 0.2 --starts 2 --steps 30 --samples 40";

#[test]
fn a_motion_is_found_written_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (out, coefficients, plot) = (path("motion.csv"), path("coefficients.csv"), path("motion.svg"));
    let more = format!("--out {out} --coefficients {coefficients} --plot {plot} --torques --compare 20 --dt 0.05");
    let run = appell(&format!("{QUICK} {more}"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in [
        "condition number",
        "base parameters (20 unknowns)",
        "best of 20 random motions by the same measure: condition number",
        "times as high (beside it: ",
        "velocity",
        "swings about",
    ] {
        assert!(run.stdout.contains(part), "{part} in\n{}", run.stdout);
    }
    let table = fs::read_to_string(&out).unwrap();
    assert_eq!(table.lines().next(), Some("t,q1,q2,v1,v2,a1,a2,tau1,tau2"));
    let rows = numbers(&table);
    assert_eq!((rows.len(), rows[100][0]), (101, 5.0));
    for row in &rows {
        assert!(row[3].abs() <= 2.0 && row[4].abs() <= 2.0 && row[5].abs() <= 6.0 && row[6].abs() <= 6.0, "{row:?}");
    }
    assert!(rows[0][3..7].iter().all(|x| x.abs() < 1e-9), "from rest: {:?}", rows[0]);
    assert!(fs::read_to_string(&plot).unwrap().starts_with("<svg"));

    // The coefficients make the same motion again, and the program's own commands read the table.
    let about = run.stdout.lines().find_map(|line| line.strip_prefix("the series swings about ")).unwrap();
    let about = about.split(' ').next().unwrap();
    let options = format!("--coefficients {coefficients} --frequency 0.2 --about {about} --dt 0.05");
    let again = appell(&format!("trajectory fourier two-link {options}"));
    for (row, again) in rows.iter().zip(numbers(&again.fine())) {
        assert!(row[..7].iter().zip(&again).all(|(one, other)| (one - other).abs() < 1e-9), "{row:?} {again:?}");
    }
    assert_eq!(numbers(&appell(&format!("compute inverse-dynamics two-link --states {out}")).fine()).len(), 101);
}

#[test]
fn a_seed_gives_one_motion_and_json_tells_it() {
    let first = appell(QUICK);
    assert_eq!((first.code, first.stdout.lines().count()), (0, 502), "{}", first.stderr);
    assert_eq!(first.stdout, appell(QUICK).stdout);
    assert_ne!(first.stdout, appell(&format!("{QUICK} --seed 2")).stdout);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("motion.csv").display().to_string();
    let answer = json(
        &appell(&format!(
            "{} --effects viscous,coulomb --criterion determinant --out {out} --json",
            QUICK.replace(" --bodies-only", "")
        ))
        .stdout,
    );
    assert_eq!((answer["criterion"].as_str(), answer["stopped"].as_bool()), (Some("determinant"), Some(false)));
    let names: Vec<&str> =
        answer["base_parameters"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert!(names.contains(&"Fv1") && names.contains(&"Fc2"), "{names:?}");
    assert!(answer["peaks"].as_array().unwrap().iter().all(|peak| peak["used"].as_f64().unwrap_or(0.0) <= 1.0));
}

#[test]
fn splines_and_platforms_move_too() {
    let folder = tempfile::tempdir().unwrap();
    let points = folder.path().join("points.csv").display().to_string();
    let spline = appell(&format!(
        "excite two-link --bodies-only --velocity 2 --points 6 --time 4 --starts 1 --steps 15 --coefficients {points}"
    ));
    assert_eq!(spline.code, 0, "{}", spline.stderr);
    let again = appell(&format!("trajectory joints two-link --points {points}")).fine();
    assert_eq!(numbers(&again).len(), numbers(&spline.stdout).len());
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("arms.csv").display().to_string();
    let arms = appell(&format!(
        "excite five-bar --bodies-only --lower 1.8,1.0 --upper 2.2,1.5 --velocity 1 --frequency 0.5 --harmonics 3 --starts 1 --steps 12 --samples \
         30 --out {out}"
    ));
    assert_eq!(arms.code, 0, "{}", arms.stderr);
    assert!(arms.stdout.contains("of 11 base parameters (50 unknowns)"), "{}", arms.stdout);
    for row in numbers(&fs::read_to_string(&out).unwrap()) {
        assert!((1.8..2.2).contains(&row[1]) && (1.0..1.5).contains(&row[2]) && row[3].abs() <= 1.0, "{row:?}");
    }
}

#[test]
fn limits_that_leave_nothing_are_refused() {
    appell("excite puma560 --velocity 0").refused_with(&["joint `waist` cannot move", "limit of velocity is 0"]);
    appell("excite puma560 --lower 1 --upper 0.5").refused_with(&["its position may be 1 to 0.5"]);
    appell("excite puma560 --velocity 1,2").refused_with(&["--velocity gives 2 numbers; expected one, or 6"]);
    appell("excite gough-stewart").refused_with(&["joint `leg1.slide` has no limits of position"]);
    let heavy = appell("excite puma560 --lower -0.3 --upper 0.3 --effort 5");
    assert_eq!(heavy.code, 1, "{}", heavy.stderr);
    assert!(
        heavy.stderr.contains("joint `shoulder` needs") && heavy.stderr.contains("limit of effort is 5"),
        "{}",
        heavy.stderr
    );
    assert!(heavy.stdout.is_empty());
    // So slow that accelerations show nothing.
    let narrow = appell(&QUICK.replace("--velocity 2", "--velocity 2e-8,1e-8"));
    assert_eq!(narrow.code, 1, "{}", narrow.stderr);
    for part in ["tells all", "unknowns apart", "joint `long` moves least, by its limit of velocity of 1e-8"] {
        assert!(narrow.stderr.contains(part), "{part} in {}", narrow.stderr);
    }
}

/// Ctrl-C ends a long search with the best motion so far.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_search_keeps_what_it_has_found() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("motion.csv");
    let command = "excite puma560 --velocity 1.5 --starts 1000 --steps 1000 --out";
    let mut child = Command::new(env!("CARGO_BIN_EXE_appell"))
        .args(command.split(' '))
        .arg(&out)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until_heard(&child, 2);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(numbers(&fs::read_to_string(&out).unwrap()).len(), 1001);
}

/// Ctrl-C ends a comparison, too: the motion is there, and all that is told without it.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_comparison_keeps_the_motion() {
    let folder = tempfile::tempdir().unwrap();
    let (out, coefficients) = (folder.path().join("motion.csv"), folder.path().join("coefficients.csv"));
    let child = Command::new(env!("CARGO_BIN_EXE_appell"))
        .args(QUICK.split(' '))
        .args(["--compare", "1000000000", "--out"])
        .arg(&out)
        .arg("--coefficients")
        .arg(&coefficients)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until_heard(&child, 2);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("condition number") && !told.contains("random motions"), "{told}");
    assert!(out.exists() && coefficients.exists());
}

#[test]
fn files_do_not_replace_each_other_nor_what_is_read_and_come_all_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (one, robot) = (path("one.csv"), path("robot.toml"));
    let clash = |more: &str, parts: &[&str]| appell(&format!("{QUICK} {more}")).refused_with(parts);
    clash(&format!("--out {one} --coefficients {one}"), &["--out and --coefficients would both write", "one.csv"]);
    let (two, same) = (path("two.svg"), format!("{}/./two.svg", folder.path().display()));
    clash(&format!("--out {two} --plot {same}"), &["--out and --plot would both write"]);
    clash(&format!("--plot {one}"), &["ends in .svg or .png"]);
    clash("--coefficients -", &["--out and --coefficients would both write -"]);
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../appell/robots/two-link.toml");
    fs::copy(source, &robot).unwrap();
    appell(&format!("excite {robot} --velocity 2 --out {robot}"))
        .refused_with(&["--out would replace", "which is read"]);
    // The last of three files cannot be written: none is.
    let plot = path("no-such-folder/plot.svg");
    clash(&format!("--coefficients {one} --out {} --plot {plot}", path("two.csv")), &["cannot write", "plot.svg"]);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["robot.toml"]);
}

#[test]
fn odd_numbers_are_told_shortly() {
    let told = appell("excite puma560 --velocity 1e300");
    told.refused_with(&["a limit of velocity of 1e300 is that of no robot"]);
    assert!(told.stderr.len() < 300, "{}", told.stderr);
    appell("excite puma560 --lower -1e300 --upper 1e300").refused_with(&["a limit of position of -1e300"]);
    for (option, part) in
        [("--starts -3", "--starts"), ("--dt -1", "a time must be positive"), ("--frequency -1", "positive number")]
    {
        let run = appell(&format!("excite puma560 {option}"));
        assert!(run.code == 2 && run.stderr.contains("invalid value") && run.stderr.contains(part), "{}", run.stderr);
    }
}

/// The gain is that of what was made small: σ by log det, one ratio of condition numbers otherwise.
#[test]
fn the_gain_is_told_in_the_measure_of_the_criterion() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("motion.csv").display().to_string();
    let of = |criterion: &str| {
        let told = appell(&format!("{QUICK} --criterion {criterion} --compare 20 --out {out}")).stdout;
        let line = told.lines().find(|line| line.starts_with("best of 20 random")).unwrap().to_owned();
        (line, json(&appell(&format!("{QUICK} --criterion {criterion} --compare 20 --out {out} --json")).stdout))
    };
    let number = |answer: &serde_json::Value, key: &str| answer[key].as_f64().unwrap();
    for (criterion, key) in [("condition", "condition"), ("scaled-condition", "scaled_condition")] {
        let (line, answer) = of(criterion);
        let gain = number(&answer["random"], key) / number(&answer, key);
        assert!((number(&answer["random"], "gain") / gain - 1.0).abs() < 1e-12, "{answer}");
        assert!(line.contains(&format!("{gain:.2} times as high")) && line.matches("times").count() == 1, "{line}");
    }
    let (line, answer) = of("determinant");
    let unknowns = answer["base_parameters"].as_array().unwrap().len() as f64;
    let more = number(&answer, "log_determinant") - number(&answer["random"], "log_determinant");
    let gain = (more / (2.0 * unknowns)).exp();
    assert!(gain > 1.0 && (number(&answer["random"], "gain") / gain - 1.0).abs() < 1e-12, "{answer}");
    assert!(
        line.contains(&format!("makes σ {gain:.2} times as large")) && line.matches("times").count() == 1,
        "{line}"
    );
}

/// What `identify` takes as unknown is what `excite` tells apart, by the same words.
#[test]
fn unknowns_are_those_of_identify() {
    let quick = QUICK.replace(" --bodies-only", "");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("motion.csv").display().to_string();
    let names = |more: &str| -> Vec<String> {
        let run = appell(&format!("{quick} {more} --json --out {out}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        let answer = json(&run.stdout);
        answer["base_parameters"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    };
    let usual = names("");
    for name in ["Fv1", "Fc1", "off2"] {
        assert!(usual.iter().any(|own| own == name), "{name} in {usual:?}");
    }
    assert!(names("--effects square-root,stribeck --stribeck-speed 0.3").contains(&"Fb2".to_owned()));
}
