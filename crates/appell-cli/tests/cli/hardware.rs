//! `appell run --hardware`: the example of somebody's boards, compiled here, under a controller.

use super::{Folder, appell, contains, json, numbers, repository};
use std::fs;
use std::process::Command;

/// A PUMA whose controller knows it, on boards with encoders and converters. A long watchdog: machines that test are slow.
const TRIAL: &str = r#"
robot = "puma560"
duration = 0.5
start = { q = [0, -0.8, 0.2, 0, 0.5, 0] }
reference = { kind = "joints", to = [0.3, -0.6, 0.0, 0.2, 0.7, 0.3], time = 0.4 }
controller = { law = "computed-torque", natural_frequency = 15.0 }
[loop]
period = 1e-3
[safety]
tracking = 0.05
watchdog = 2000
[run]
record = 1e-3
"#;

const START: &str = "0,-0.8,0.2,0,0.5,0";

/// Compiles the example with the model of a PUMA, after a change of its text.
#[track_caller]
fn compiled(folder: &Folder, change: impl Fn(String) -> String) {
    appell(&format!("generate puma560 --question forward-dynamics --lang c --out {}", folder.shown(""))).done();
    let text = fs::read_to_string(repository("crates/appell-realtime/examples/board.c")).unwrap();
    let header = fs::read_to_string(repository("crates/appell-realtime/include/appell_hardware.h")).unwrap();
    folder.write("appell_hardware.h", header);
    folder.write("board.c", change(text));
    folder.write("trial.toml", TRIAL);
    let flags = "-std=c99 -pedantic -Wall -Wextra -Werror -O2 -fPIC -shared -DMODEL=puma_560_forward_dynamics board.c \
                 puma_560_forward_dynamics.c -lm -o board.so";
    let output = Command::new("cc").current_dir(folder.path("")).args(flags.split_whitespace()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn command(folder: &Folder, options: &str) -> String {
    let [trial, board, out] = ["trial.toml", "board.so", "out"].map(|name| folder.shown(name));
    format!("run {trial} --hardware {board}:{START} --out {out} {options}")
}

#[test]
fn boards_in_c_follow_their_controller() {
    let folder = Folder::new();
    compiled(&folder, |text| text);
    for options in ["--lockstep --json", "--json"] {
        let answer = json(&appell(&command(&folder, options)).done());
        assert_eq!(answer["run"]["samples"], 500, "{answer:#}");
        let record = folder.text("out/record.csv");
        assert!(record.starts_with("t,q1,q2,q3,q4,q5,q6,v1,"));
        let rows = numbers(&record.replace(",,", ",0,").replace(",,", ",0,").replace(",\n", ",0\n")); // nobody knows the energies
        assert!(rows.len() >= 500, "{}", rows.len());
        let wanted = [0.3, -0.6, 0.0, 0.2, 0.7, 0.3];
        for (joint, wanted) in (1..=6).zip(wanted) {
            let reached = rows.last().unwrap()[joint];
            let least = if joint == 6 { 0.03 } else { 3e-3 }; // it needs less than a step of its converter
            assert!((reached - wanted).abs() < least, "joint {joint} is at {reached}");
        }
    }
    // What came of the boards gives the same outputs again.
    let replay = format!("run {} --replay {}", folder.shown("trial.toml"), folder.shown("out/frames.bin"));
    contains(&appell(&replay).fine(), &["500 periods, 0 with other outputs"]);
}

#[test]
fn boards_that_fail_are_named_and_braked() {
    let folder = Folder::new();
    compiled(&folder, |text| {
        let alive = "    if (board->status != 0) return board->status;\n";
        assert!(text.contains(alive));
        text.replace(alive, "    if (board->samples >= 100) return BUS_IS_SILENT;\n")
    });
    for options in ["--lockstep", ""] {
        let ended = appell(&command(&folder, options));
        ended.ended(
            1,
            &["at t = 0.099 s", "hardware has failed", "(fault 33)", "read failed: the bus is silent (status -1)"],
        );
        assert!(folder.text("out/record.csv").lines().count() > 90, "the record up to the fault is there");
    }
}

/// What a library does to the process is told as its own, and is no success.
#[test]
fn boards_that_crash_end_the_process_or_hang_are_named() {
    let folder = Folder::new();
    let stuck = "s (fault 33, hardware-failed)";
    let alive = "    if (board->status != 0) return board->status;\n";
    let dies = |what: &str| [alive.to_owned(), format!("    if (board->samples >= 100) {{ {what} }}\n{alive}")];
    let close = "void appell_hardware_close(void *state)\n{\n";
    let clock = "#include <time.h>\n#include <unistd.h>\nuint64_t appell_hardware_now(void *state) { struct timespec t; (void)state; clock_gettime(CLOCK_MONOTONIC, &t); \
                 return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec; }\n\
                 void appell_hardware_sleep_until(void *state, uint64_t time) { (void)time; if (((struct board *)state)->samples >= 100) pause(); }\n";
    for ([from, to], said) in [
        (dies("exit(0);"), "board.so ended the process (exit); the run ends here"),
        (dies("__builtin_trap();"), "board.so crashed: SIGILL"),
        (dies("for (;;) { }"), stuck),
        ([close.to_owned(), format!("{close}    for (;;) {{ }}\n")], stuck),
        ([close.to_owned(), format!("{clock}{close}")], stuck),
    ] {
        compiled(&folder, |text| {
            assert!(text.contains(&from), "{from}");
            format!("#define _POSIX_C_SOURCE 200809L\n{}", text.replace(&from, &to))
        });
        folder.write("trial.toml", TRIAL.replace("watchdog = 2000", "watchdog = 50"));
        appell(&command(&folder, "--priority 0")).ended(
            1,
            &["error: ", said, if said == stuck { "stuck: the hardware does not come back since" } else { "board.so" }],
        );
        let frames = format!("run {} --replay {}", folder.shown("trial.toml"), folder.shown("out/frames.bin"));
        let replay = appell(&frames);
        assert!(replay.code == 0 || replay.stderr.contains("has no frames"), "{}", replay.stderr);
    }
}

#[test]
fn boards_that_measure_nonsense_trip_the_controllers_faults() {
    let folder = Folder::new();
    let changed = |with: &'static str| {
        compiled(&folder, |text| {
            let braked = "    sensors->emergency_stop =";
            assert!(text.contains(braked));
            text.replace(braked, &format!("    if (board->samples == 50) {with}\n{braked}"))
        });
        appell(&command(&folder, "--lockstep"))
    };
    changed("sensors->q[2] = NAN;").ended(1, &["`elbow` gives NaN (fault 20)"]);
    changed("sensors->q[1] += 0.2;").ended(1, &["`shoulder` is off its reference", "(fault 13)"]);
    changed("sensors->fault = 4711;").ended(1, &["status 4711 (fault 33)"]);
}

#[test]
fn libraries_that_are_not_of_boards_are_refused() {
    let folder = Folder::new();
    compiled(&folder, |text| text);
    let [trial, board] = ["trial.toml", "board.so"].map(|name| folder.shown(name));
    appell(&format!("run {trial} --hardware {board}:1,2 --no-record")).refused_with(&[
        "--hardware",
        "board.so",
        "one position per drive",
        "(status 3)",
    ]);
    appell(&format!("run {trial} --hardware {trial}")).refused_with(&["trial.toml is not a shared library"]);
    appell(&format!("run {trial} --hardware none.so")).refused_with(&["none.so: file not found"]);
    appell(&format!("run {trial} --hardware {board} --plant")).refused_with(&["--hardware", "--plant"]);
    assert!(!folder.has("trial"), "nothing is left behind");
}
