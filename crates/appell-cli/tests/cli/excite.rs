//! `appell excite`: motions within limits, the files it leaves, and what it refuses.

use super::{appell, appell_with, json, numbers};
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

const QUICK: &str =
    "excite two-link --velocity 2 --acceleration 6 --harmonics 3 --frequency 0.2 --starts 2 --steps 30 --samples 40";

#[test]
fn a_motion_is_found_written_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (out, coefficients, plot) = (path("motion.csv"), path("coefficients.csv"), path("motion.svg"));
    let more = format!("--out {out} --coefficients {coefficients} --plot {plot} --torques --compare 20 --dt 0.05");
    let run = appell(&format!("{QUICK} {more}"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in
        ["condition number", "base parameters (20 unknowns)", "best of 20 random motions", "velocity", "swings about"]
    {
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
    let again = appell_with(
        &[
            "trajectory",
            "fourier",
            "two-link",
            "--coefficients",
            &coefficients,
            "--frequency",
            "0.2",
            "--about",
            about,
            "--dt",
            "0.05",
        ],
        "",
    );
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
    let answer =
        json(&appell(&format!("{QUICK} --effects viscous,coulomb --criterion determinant --out {out} --json")).stdout);
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
        "excite two-link --velocity 2 --points 6 --time 4 --starts 1 --steps 15 --coefficients {points}"
    ));
    assert_eq!(spline.code, 0, "{}", spline.stderr);
    let again = appell(&format!("trajectory joints two-link --points {points}")).fine();
    assert_eq!(numbers(&again).len(), numbers(&spline.stdout).len());
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("arms.csv").display().to_string();
    let arms = appell(&format!(
        "excite five-bar --lower 1.8,1.0 --upper 2.2,1.5 --velocity 1 --frequency 0.5 --harmonics 3 --starts 1 --steps 12 --samples \
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
    // From when on the program catches SIGINT, which is number 2.
    let status = format!("/proc/{}/status", child.id());
    let catches = |line: &str| {
        let caught = line.strip_prefix("SigCgt:").and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        caught.is_some_and(|mask| mask & 2 != 0)
    };
    while !fs::read_to_string(&status).unwrap().lines().any(catches) {
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(numbers(&fs::read_to_string(&out).unwrap()).len(), 1001);
}
