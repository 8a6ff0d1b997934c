//! `appell excite`: motions within limits, the files it leaves, and what it refuses.

use super::{Folder, appell, contains, json, numbers, repository};
use std::fs;

pub(crate) const QUICK: &str = "excite two-link --bodies-only --velocity 2 --acceleration 6 --harmonics 3 --frequency 0.2 --starts 2 --steps 30 --samples 40";

#[test]
fn a_motion_is_found_written_and_drawn() {
    let folder = Folder::new();
    let [out, coefficients, plot] = ["motion.csv", "coefficients.csv", "motion.svg"].map(|name| folder.shown(name));
    let more = format!("--out {out} --coefficients {coefficients} --plot {plot} --torques --compare 20 --dt 0.05");
    let text = appell(&format!("{QUICK} {more}")).done();
    contains(&text, &["condition number", "base parameters (20 unknowns)", "velocity", "swings about"]);
    contains(&text, &["best of 20 random motions by the same measure: condition number", "times as high (beside it: "]);
    let table = folder.text("motion.csv");
    assert_eq!(table.lines().next(), Some("t,q1,q2,v1,v2,a1,a2,tau1,tau2"));
    let rows = numbers(&table);
    assert_eq!((rows.len(), rows[100][0]), (101, 5.0));
    for row in &rows {
        assert!(row[3].abs() <= 2.0 && row[4].abs() <= 2.0 && row[5].abs() <= 6.0 && row[6].abs() <= 6.0, "{row:?}");
    }
    assert!(rows[0][3..7].iter().all(|x| x.abs() < 1e-9), "from rest: {:?}", rows[0]);
    assert!(folder.text("motion.svg").starts_with("<svg"));

    // The coefficients make the same motion again, and the program's own commands read the table.
    let about = text.lines().find_map(|line| line.strip_prefix("the series swings about ")).unwrap();
    let about = about.split(' ').next().unwrap();
    let options = format!("--coefficients {coefficients} --frequency 0.2 --about {about} --dt 0.05");
    let again = appell(&format!("trajectory fourier two-link {options}"));
    for (row, again) in rows.iter().zip(numbers(&again.fine())) {
        assert!(row[..7].iter().zip(&again).all(|(one, other)| (one - other).abs() < 1e-9), "{row:?} {again:?}");
    }
    assert_eq!(numbers(&appell(&format!("compute inverse-dynamics two-link --states {out}")).fine()).len(), 101);
}

#[test]
fn a_seed_gives_one_motion_and_machines_get_it() {
    let first = appell(QUICK);
    assert_eq!((first.code, first.stdout.lines().count()), (0, 502), "{}", first.stderr);
    assert_eq!(first.stdout, appell(QUICK).stdout);
    assert_ne!(first.stdout, appell(&format!("{QUICK} --seed 2")).stdout);
    let answer = with_effects("--effects viscous,coulomb --criterion determinant");
    assert_eq!((answer["criterion"].as_str(), answer["stopped"].as_bool()), (Some("determinant"), Some(false)));
    let names = base_parameters(&answer);
    assert!(names.contains(&"Fv1") && names.contains(&"Fc2"), "{names:?}");
    assert!(answer["peaks"].as_array().unwrap().iter().all(|peak| peak["used"].as_f64().unwrap_or(0.0) <= 1.0));
}

/// What machines get of the quick search with effects in joints.
fn with_effects(options: &str) -> serde_json::Value {
    let (quick, folder) = (QUICK.replace(" --bodies-only", ""), Folder::new());
    json(&appell(&format!("{quick} {options} --json --out {}", folder.shown("motion.csv"))).done())
}

fn base_parameters(answer: &serde_json::Value) -> Vec<&str> {
    answer["base_parameters"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn splines_and_platforms_move_too() {
    let folder = Folder::new();
    let [points, out] = ["points.csv", "arms.csv"].map(|name| folder.shown(name));
    let spline = "excite two-link --bodies-only --velocity 2 --points 6 --time 4 --starts 1 --steps 15";
    let spline = appell(&format!("{spline} --coefficients {points}")).done();
    let again = appell(&format!("trajectory joints two-link --points {points}")).fine();
    assert_eq!(numbers(&again).len(), numbers(&spline).len());
    let limits = "--lower 1.8,1.0 --upper 2.2,1.5 --velocity 1 --frequency 0.5 --harmonics 3";
    let arms = format!("excite five-bar --bodies-only {limits} --starts 1 --steps 12 --samples 30 --out {out}");
    contains(&appell(&arms).done(), &["of 11 base parameters (50 unknowns)"]);
    for row in numbers(&folder.text("arms.csv")) {
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
    heavy.ended(1, &["joint `shoulder` needs", "limit of effort is 5"]);
    assert!(heavy.stdout.is_empty());
    // So slow that accelerations show nothing.
    appell(&QUICK.replace("--velocity 2", "--velocity 2e-8,1e-8"))
        .ended(1, &["tells all", "unknowns apart", "joint `long` moves least, by its limit of velocity of 1e-8"]);
}

#[test]
fn files_do_not_replace_each_other_nor_what_is_read_and_come_all_or_none() {
    let folder = Folder::new();
    let path = |name: &str| folder.shown(name);
    let (one, robot) = (path("one.csv"), path("robot.toml"));
    let clash = |more: &str, parts: &[&str]| appell(&format!("{QUICK} {more}")).refused_with(parts);
    clash(&format!("--out {one} --coefficients {one}"), &["--out and --coefficients would both write", "one.csv"]);
    let (two, same) = (path("two.svg"), path("./two.svg"));
    clash(&format!("--out {two} --plot {same}"), &["--out and --plot would both write"]);
    clash(&format!("--plot {one}"), &["ends in .svg or .png"]);
    clash("--coefficients -", &["--out and --coefficients would both write -"]);
    fs::copy(repository("crates/appell/robots/two-link.toml"), &robot).unwrap();
    appell(&format!("excite {robot} --velocity 2 --out {robot}"))
        .refused_with(&["--out would replace", "which is read"]);
    // The last of three files cannot be written: none is.
    let plot = path("no-such-folder/plot.svg");
    clash(&format!("--coefficients {one} --out {} --plot {plot}", path("two.csv")), &["cannot write", "plot.svg"]);
    assert_eq!(folder.names(""), ["robot.toml"]);
}

#[test]
fn odd_numbers_are_refused_in_short_messages() {
    let refused = appell("excite puma560 --velocity 1e300");
    refused.refused_with(&["a limit of velocity of 1e300 is that of no robot"]);
    assert!(refused.stderr.len() < 300, "{}", refused.stderr);
    appell("excite puma560 --lower -1e300 --upper 1e300").refused_with(&["a limit of position of -1e300"]);
    for (option, part) in
        [("--starts -3", "--starts"), ("--dt -1", "a time must be positive"), ("--frequency -1", "positive number")]
    {
        appell(&format!("excite puma560 {option}")).ended(2, &["invalid value", part]);
    }
}

/// The gain is that of what was made small: σ by log det, one ratio of condition numbers otherwise.
#[test]
fn the_gain_is_in_the_measure_of_the_criterion() {
    let folder = Folder::new();
    let of = |criterion: &str| {
        let command = format!("{QUICK} --criterion {criterion} --compare 20 --out {}", folder.shown("motion.csv"));
        let text = appell(&command).stdout;
        let line = text.lines().find(|line| line.starts_with("best of 20 random")).unwrap().to_owned();
        (line, json(&appell(&format!("{command} --json")).stdout))
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
    let usual = with_effects("");
    let usual = base_parameters(&usual);
    assert!(["Fv1", "Fc1", "off2"].iter().all(|name| usual.contains(name)), "{usual:?}");
    let others = with_effects("--effects square-root,stribeck --stribeck-speed 0.3");
    assert!(base_parameters(&others).contains(&"Fb2"), "{others}");
}
