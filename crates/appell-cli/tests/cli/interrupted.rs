//! Ctrl-C, termination and `kill -9`: what has been found is kept, and what is not complete leaves no file.
#![cfg(target_os = "linux")]

use super::singularities::way_down;
use super::{Folder, appell_with, kill, numbers, started, wait_until_heard};
use super::{excite::QUICK, simulate::scenario};
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A path of singularities that waits for more rows; its stdin must stay open, or the table would be whole.
fn path_of(folder: &Folder) -> [String; 7] {
    ["singularities", "path", "five-bar", "--poses", "-", "--out", &folder.shown("out.csv")].map(String::from)
}

fn feed(child: &mut Child) {
    child.stdin.as_mut().unwrap().write_all(way_down(5, 0.3).as_bytes()).unwrap();
}

/// Ends with a signal's code, though stdin is open: `wait` would close it.
fn ended_by_signal(child: &mut Child) {
    let _open = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn an_interrupted_path_leaves_no_file() {
    let folder = Folder::new();
    let mut child = started(&path_of(&folder).each_ref().map(String::as_str));
    feed(&mut child);
    wait_until_heard(&child, 2);
    assert_eq!(folder.names("").len(), 1, "the handler comes after the temporary file");
    kill(&child, "-INT");
    ended_by_signal(&mut child);
    assert!(folder.names("").is_empty());
}

/// A script's job in the background ignores Ctrl-C, and is ended by SIGTERM: without leaving its file.
#[test]
fn a_terminated_job_in_the_background_leaves_no_file() {
    let folder = Folder::new();
    // The shell ignores the signal, and so does what it becomes.
    let mut child = Command::new("sh")
        .args(["-c", "trap '' INT; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_appell")])
        .args(path_of(&folder))
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    feed(&mut child);
    wait_until_heard(&child, 15);
    while folder.names("").is_empty() {
        std::thread::sleep(Duration::from_millis(20));
    }
    kill(&child, "-INT");
    kill(&child, "-TERM");
    ended_by_signal(&mut child);
    assert!(folder.names("").is_empty());
}

/// Nothing can be done when `kill -9` comes: the next run that writes to the folder cleans up.
#[test]
fn what_a_killed_run_left_is_removed_by_the_next() {
    let folder = Folder::new();
    let words = path_of(&folder);
    let words = words.each_ref().map(String::as_str);
    let mut child = started(&words);
    feed(&mut child);
    wait_until_heard(&child, 2);
    assert_eq!(folder.names("").len(), 1);
    // Another run writes there meanwhile, and leaves it alone.
    appell_with(&words, &way_down(5, 0.3)).done();
    assert_eq!(folder.names("").len(), 2);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(folder.names("").len(), 2, "it could not clean up");
    appell_with(&words, &way_down(5, 0.3)).done();
    assert_eq!(folder.names("").len(), 1);
}

/// Starts a command and interrupts it; what it printed.
fn interrupted(command: &str, after: Duration) -> String {
    let child = started(&command.split_whitespace().collect::<Vec<_>>());
    wait_until_heard(&child, 2);
    std::thread::sleep(after);
    kill(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_interrupted_search_keeps_what_it_has_found() {
    let folder = Folder::new();
    let command = "excite puma560 --velocity 1.5 --starts 1000 --steps 1000 --out";
    interrupted(&format!("{command} {}", folder.shown("motion.csv")), Duration::ZERO);
    assert_eq!(numbers(&folder.text("motion.csv")).len(), 1001);
}

/// The motion is there, and all that is reported without the comparison.
#[test]
fn an_interrupted_comparison_keeps_the_motion() {
    let folder = Folder::new();
    let files = format!("--out {} --coefficients {}", folder.shown("motion.csv"), folder.shown("coefficients.csv"));
    let printed = interrupted(&format!("{QUICK} --compare 1000000000 {files}"), Duration::ZERO);
    assert!(printed.contains("condition number") && !printed.contains("random motions"), "{printed}");
    assert_eq!(folder.names(""), ["coefficients.csv", "motion.csv"]);
}

#[test]
fn an_interrupted_simulation_keeps_its_record() {
    let folder = Folder::new();
    let text = scenario("run = { record = 0.1 }\n").replace("duration = 0.4", "duration = 1e6");
    let command = format!("simulate {} --yes --out {}", folder.write("long.toml", text), folder.shown("out"));
    interrupted(&command, Duration::from_millis(500));
    assert!(numbers(&folder.text("out/record.csv")).len() > 1);
    assert!(folder.text("out/report.html").contains("interrupted"));
}
