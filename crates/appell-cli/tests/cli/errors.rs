//! Errors with `--json`: a line of JSON on stderr, of every command.

use super::{Folder, Run, appell, appell_with, json};
use serde_json::{Value, json as value};

/// The error of a run, the last line on stderr; nothing else there looks like one.
#[track_caller]
fn error(run: &Run, code: i32) -> Value {
    assert_eq!(run.code, code, "{}", run.stderr);
    assert!(!run.stderr.lines().any(|line| line.starts_with("error")), "{}", run.stderr);
    let answer = json(run.stderr.lines().last().expect("an error"));
    let error = &answer["error"];
    assert!(error["message"].as_str().is_some_and(|text| !text.is_empty() && !text.starts_with("error")), "{error}");
    assert!(error["causes"].is_array() && error.get("place").is_some(), "{error}");
    error.clone()
}

/// What is wrong with files that are not there, of every command that reads one.
#[test]
fn every_command_names_its_files() {
    for command in [
        "show no.urdf",
        "check no.toml",
        "convert no.urdf -",
        "compute gravity two-link --states no.csv",
        "ik two-link --poses no.csv",
        "assemble no.toml --at 0",
        "singularities no.toml",
        "trajectory joints no.toml --to 1 --time 1",
        "simulate no.toml",
        #[cfg(target_os = "linux")]
        "run no.toml",
        #[cfg(target_os = "linux")]
        "plant no.toml",
        #[cfg(target_os = "linux")]
        "operate no.toml",
        "excite no.toml",
        "identify two-link --data no.csv",
        "identify two-link --data no.csv --layout no.csv",
        "generate no.toml --question gravity --lang c",
        "agreement no.toml",
    ] {
        let file = command.split_whitespace().find(|word| word.starts_with("no.")).unwrap();
        let error = error(&appell(&format!("{command} --json")), 2);
        assert_eq!(error["place"], value!({ "file": file }), "{command}: {error}");
        assert_eq!(error["kind"], "input", "{command}: {error}");
        assert!(error["message"].as_str().unwrap().contains("file not found"), "{command}: {error}");
    }
}

#[test]
fn every_command_refuses_an_option_that_it_does_not_know() {
    let commands = [
        "robots",
        "show",
        "lab",
        "check",
        "convert",
        "compute",
        "ik",
        "assemble",
        "singularities",
        "trajectory",
        "simulate",
        #[cfg(target_os = "linux")]
        "run",
        #[cfg(target_os = "linux")]
        "plant",
        #[cfg(target_os = "linux")]
        "operate",
        "excite",
        "identify",
        "generate",
        "law",
        "agreement",
        "reproduce",
    ];
    for command in commands {
        for words in [vec![command, "--no-such", "--json"], vec!["--json", command, "--no-such"]] {
            let error = error(&appell_with(&words, ""), 2);
            assert_eq!((&error["kind"], &error["place"]["option"]), (&"usage".into(), &"--no-such".into()), "{error}");
        }
    }
    // Help is no error, and without --json all is text.
    assert!(appell("identify --help --json").fine().starts_with("Identify"));
    appell("identify --no-such").refused_with(&["--no-such", "Usage"]);
}

#[test]
fn places_are_lines_keys_and_options() {
    let folder = Folder::new();
    let table = folder.write("states.csv", "q1,q2\n0,0\n0,x\n");
    let place = |run: &Run| error(run, 2)["place"].clone();
    let run = appell(&format!("compute gravity two-link --states {table} --json"));
    assert_eq!(place(&run), value!({ "file": table, "line": 3 }));
    let scenario = folder.write(
        "trial.toml",
        "robot = \"scara\"\nduration = 1\ncontroller.law = \"none\"\n[plant.joint.elbow]\nrotor = { inertia = -1 }\n",
    );
    let found = place(&appell(&format!("simulate {scenario} --json")));
    assert_eq!((&found["file"], &found["line"]), (&scenario.into(), &5.into()), "{found}");
    assert!(found["key"].as_str().unwrap().contains("rotor"), "{found}");
    let run = appell("identify two-link --data a.csv --trust 1e9 --json");
    assert_eq!((error(&run, 2)["kind"].clone(), place(&run)), ("usage".into(), value!({ "option": "--trust" })));
    let run = appell("identify two-link --data a.csv --tolerance 0.1 --json");
    assert_eq!((error(&run, 2)["kind"].clone(), place(&run)), ("usage".into(), value!({ "option": "--tolerance" })));
}

/// An answer that is "no" says why, beside the answer itself.
#[test]
fn an_answer_may_be_no() {
    let folder = Folder::new();
    let poses = folder.write("poses.csv", "px,py,pz\n9,9,9\n");
    let run = appell(&format!("ik two-link --poses {poses} --json"));
    let error = error(&run, 1);
    assert_eq!((&error["kind"], &error["place"]["line"]), (&"answer".into(), &2.into()), "{error}");
}
