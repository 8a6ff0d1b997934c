//! `appell run` and `appell plant` when one of the two is killed or stands still, a stranger speaks, the disk is full, or
//! somebody wants an end: the one that is left ends by itself, the robot rests with its brakes on, what was recorded can be
//! read.
#![cfg(target_os = "linux")]

use super::run::{AT_MOST, Beside, Trial, plant_by_udp, said, wired};
use super::{Run, json, kill, numbers, repository};
use appell_realtime::frame::{Agreement, Frame, Kind};
use appell_realtime::operator::socket_of;
use appell_simulation::control::sampled::{FaultKind, Mode, Outputs};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::net::UdpSocket;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Within which time the scenarios state that the robot rests, s.
const REST_WITHIN: f64 = 0.3;

/// A robot that swings for a long time. By the clock it bears that a busy machine stands still for a while.
fn swings(more: &str) -> String {
    let reference = "reference = { kind = \"joints\", to = [1.0, 0.5, 0.1, 0.2], time = 0.3 }";
    let fourier = "reference = { kind = \"fourier\", frequency = 0.5, periods = 100000, sin = [[0.3, -0.15], [0.2, -0.1], [0.05, -0.025], [0.2, -0.1]] }";
    let text = wired(&format!("{more}[safety]\nwatchdog = 400\nrest_within = {REST_WITHIN}\n"));
    text.replace(reference, fourier).replace("duration = 0.4", "duration = 10000")
}

/// Both sides of a trial, the robot first.
struct Both {
    trial: Trial,
    plant: Beside,
    run: Beside,
}

/// By the clock, and in lockstep without the time that somebody at a debugger may take.
const MODES: [&str; 2] = ["", LOCKSTEP];
const LOCKSTEP: &str = "--lockstep --patience 1";

impl Both {
    fn start(name: &str, text: &str, mode: &str) -> Self {
        let trial = Trial::new(&format!("{name}{}", mode.len()), text);
        Self::again(trial, mode)
    }

    fn again(trial: Trial, mode: &str) -> Self {
        let plant = Beside::new(&trial.words("plant", "plant", &format!("--json --wait 60 {mode}")));
        let run = Beside::new(&trial.words("run", "out", &format!("--json --wait 60 {mode}")));
        Self { trial, plant, run }
    }

    /// Waits until some hundreds of periods are on the disk.
    fn under_way(self) -> Self {
        let begin = Instant::now();
        let frames = self.trial.folder.path("out/frames.bin");
        let record = self.trial.folder.path("out/record.csv");
        let length = |path| fs::metadata(path).map_or(0, |found| found.len());
        while length(&frames) < 100_000 || length(&record) < 4_000 {
            assert!(begin.elapsed() < AT_MOST, "it does not begin");
            sleep(Duration::from_millis(10));
        }
        self
    }
}

/// Asserts that a robot has braked, for a reason of its own or not, and is at rest in time.
#[track_caller]
fn at_rest(plant: &Run, code: Option<FaultKind>) -> Value {
    let answer = json(&plant.stdout);
    assert_eq!(answer["fault_code"].as_u64(), code.map(|kind| u64::from(kind.code())), "{answer} {}", plant.stderr);
    let [braked, rest] = ["braked_at", "at_rest"].map(|key| answer[key].as_f64().unwrap_or_else(|| panic!("{answer}")));
    assert!(rest - braked < REST_WITHIN, "{answer}");
    assert_eq!(plant.code, i32::from(code.is_some()), "{}", plant.stderr);
    answer
}

/// Asserts that a controller has ended by one of these faults.
#[track_caller]
fn ended_by(run: &Run, kinds: &[FaultKind]) -> Value {
    let answer = json(&run.stdout);
    let code = answer["run"]["fault_code"].as_u64();
    assert!(kinds.iter().any(|kind| Some(u64::from(kind.code())) == code), "{code:?}: {}", run.stderr);
    assert_eq!(run.code, 1);
    answer
}

/// Asserts that the record of a run can be read, and that its frames can be played back.
#[track_caller]
fn is_readable(trial: &Trial) -> Vec<Vec<f64>> {
    let record = trial.folder.text("out/record.csv");
    // At the end nothing is measured.
    let rows: Vec<&str> = record.lines().filter(|line| !line.contains(",,")).collect();
    let rows = numbers(&rows.join("\n"));
    assert!(rows.len() > 5 && rows.windows(2).all(|pair| pair[1][0] > pair[0][0]), "{record}");
    let columns = record.lines().next().unwrap().split(',').count();
    assert!(rows.iter().all(|row| row.len() == columns), "whole lines");
    let (different, periods) = trial.replayed("out");
    assert!(different == 0 && periods > 100, "{different} of {periods}");
    rows
}

#[test]
fn a_killed_controller_leaves_a_robot_at_rest() {
    for mode in MODES {
        let Both { trial, plant, run } = Both::start("kill-run", &swings(""), mode).under_way();
        kill(run.child(), "-KILL");
        let plant = plant.ended();
        at_rest(&plant, Some(FaultKind::OutputsLost));
        run.ended();
        is_readable(&trial);
        let last = trial.folder.text("plant/record.csv");
        let (header, last) = (last.lines().next().unwrap(), last.lines().last().unwrap());
        let speeds = header.split(',').zip(last.split(',')).filter(|(name, _)| name.starts_with('v'));
        assert!(speeds.into_iter().all(|(_, v)| v.parse::<f64>().unwrap().abs() < 1e-3), "{last}");
        assert_eq!(trial.memory(), [""; 0]);
    }
}

/// What a killed robot has left in memory is nobody's: the next one takes its place.
#[test]
fn a_killed_robot_ends_its_controller_and_the_next_takes_its_place() {
    for mode in MODES {
        let Both { trial, plant, run } = Both::start("kill-plant", &swings(""), mode).under_way();
        kill(plant.child(), "-KILL");
        ended_by(&run.ended(), &[FaultKind::SensorsLost]);
        plant.ended();
        is_readable(&trial);
        assert_eq!(trial.memory().len(), 1, "it could not clean up");
        fs::remove_dir_all(trial.folder.path("out")).unwrap();
        let Both { trial, plant, run } = Both::again(trial, mode).under_way();
        kill(run.child(), "-INT");
        assert_eq!(run.ended().code, 130);
        at_rest(&plant.ended(), None);
        assert_eq!(trial.memory(), [""; 0]);
    }
}

/// A robot that `--plant` has started is cleaned up after by the one who started it.
#[test]
fn a_robot_of_ones_own_that_is_killed_leaves_nothing() {
    let trial = Trial::new("kill-own", &swings(""));
    let run = Beside::new(&trial.words("run", "out", &format!("--json --plant {LOCKSTEP}")));
    let process = run.child().id();
    while fs::metadata(trial.folder.path("out/record.csv")).map_or(0, |found| found.len()) < 20_000 {
        sleep(Duration::from_millis(10));
    }
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap();
    let plant: Vec<&str> = children.split_whitespace().collect();
    assert_eq!(plant.len(), 1, "{children}");
    Command::new("kill").args(["-KILL", plant[0]]).status().unwrap();
    ended_by(&run.ended(), &[FaultKind::SensorsLost]);
    is_readable(&trial);
    assert_eq!(trial.memory(), [""; 0]);
}

/// A controller that has tripped and then dies does not let its robot wait for it, period after period.
#[test]
fn a_controller_that_dies_while_it_brakes_is_not_waited_for() {
    let hot = swings("[loop.joint.elbow]\nover_temperature = { at = 0.2 }\n");
    let Both { trial, plant, run } = Both::start("dies", &hot, LOCKSTEP).under_way();
    kill(run.child(), "-KILL");
    run.ended();
    let answer = at_rest(&plant.ended(), Some(FaultKind::OutputsLost));
    assert!((answer["braked_at"].as_f64().unwrap() - 0.2).abs() < 0.01, "{answer}");
    assert_eq!(trial.memory(), [""; 0]);
}

/// Without brakes the quill falls for ever: the robot ends all the same, and says that it is not at rest.
#[test]
fn a_robot_that_does_not_come_to_rest_ends_as_well() {
    let Both { trial, plant, run } = Both::start("falls", &swings("").replace("brakes", "# "), LOCKSTEP).under_way();
    kill(run.child(), "-KILL");
    run.ended();
    let plant = plant.ended();
    let answer = json(&plant.stdout);
    assert_eq!(
        (plant.code, answer["fault_code"].as_u64(), &answer["at_rest"]),
        (1, Some(31), &Value::Null),
        "{answer}"
    );
    assert_eq!(trial.memory(), [""; 0]);
}

#[test]
fn a_controller_that_stands_still_is_given_up() {
    for mode in MODES {
        let Both { trial, plant, run } = Both::start("stop-run", &swings(""), mode).under_way();
        kill(run.child(), "-STOP");
        at_rest(&plant.ended(), Some(FaultKind::OutputsLost));
        kill(run.child(), "-CONT");
        // It finds that the robot has given it up, or that its clock has gone on without it.
        ended_by(&run.ended(), &[FaultKind::OutputsLost, FaultKind::ClockJump, FaultKind::SensorsLost]);
        is_readable(&trial);
        assert_eq!(trial.memory(), [""; 0]);
    }
}

#[test]
fn a_robot_that_stands_still_is_given_up_and_brakes_when_it_goes_on() {
    for mode in MODES {
        let Both { trial, plant, run } = Both::start("stop-plant", &swings(""), mode).under_way();
        kill(plant.child(), "-STOP");
        ended_by(&run.ended(), &[FaultKind::SensorsLost]);
        kill(plant.child(), "-CONT");
        // The last word of its controller is waiting for it.
        let plant = plant.ended();
        let own = json(&plant.stdout)["fault_code"].as_u64().map(|_| FaultKind::OutputsLost);
        at_rest(&plant, own);
        is_readable(&trial);
        assert_eq!(trial.memory(), [""; 0]);
    }
}

/// In lockstep nobody has a clock: pauses that are shorter than the patience change nothing.
#[test]
fn pauses_in_lockstep_change_nothing() {
    let text = swings("").replace("duration = 10000", "duration = 12");
    let trial = Trial::new("pauses", &text);
    let expected = trial.simulated();
    let Both { trial, plant, run } = Both::again(trial, "--lockstep").under_way();
    for paused in [&run, &plant, &run] {
        kill(paused.child(), "-STOP");
        sleep(Duration::from_millis(100));
        kill(paused.child(), "-CONT");
        sleep(Duration::from_millis(20));
    }
    let run = run.ended();
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(plant.ended().code, 0);
    assert!(trial.folder.text("out/record.csv") == expected);
}

/// Torques first, then brakes; the record stays, and says what was done.
#[test]
fn an_interrupt_stops_the_robot_and_keeps_the_record() {
    for mode in MODES {
        let slows = "braking = { time = 0.3, damping = [4.0, 2.0, 40.0, 0.02] }\n";
        let Both { trial, plant, run } = Both::start("int-run", &(swings("") + slows), mode).under_way();
        kill(run.child(), "-INT");
        let run = run.ended();
        let answer = json(&run.stdout);
        assert_eq!((run.code, answer["interrupted"].as_bool()), (130, Some(true)), "{}", run.stderr);
        assert_eq!(answer["run"]["fault_code"], FaultKind::EmergencyStop.code());
        let plant = at_rest(&plant.ended(), None);
        let rows = is_readable(&trial);
        assert!(rows.last().unwrap()[0] <= plant["t"].as_f64().unwrap());
        assert!(trial.folder.text("out/report.html").contains("interrupted"));
        // Somebody at the robot may want it as well.
        fs::remove_dir_all(trial.folder.path("out")).unwrap();
        let Both { trial, plant, run } = Both::again(trial, mode).under_way();
        kill(plant.child(), "-INT");
        ended_by(&run.ended(), &[FaultKind::EmergencyStop]);
        let plant = plant.ended();
        assert_eq!((plant.code, json(&plant.stdout)["fault_code"].as_u64()), (130, Some(2)), "{}", plant.stderr);
        is_readable(&trial);
    }
}

/// Frames of another run, garbage and forged greetings, before a run and while it goes on.
#[test]
fn nothing_moves_by_a_strangers_word() {
    let text = swings("grippers = [[0.1, 0.2]]\n").replace("duration = 10000", "duration = 2");
    let trial = Trial::new("stranger", &text);
    let expected = trial.simulated();
    let (plant, address) = plant_by_udp(&trial, "--lockstep");
    let stranger = UdpSocket::bind("127.0.0.1:0").unwrap();
    let mut frames: Vec<Vec<u8>> = vec![b"torque, please".to_vec(), vec![0; 1400], Vec::new()];
    let mut frame = Frame::default();
    let mut outputs = Outputs::new(4, 1);
    outputs.efforts = vec![1e3; 4];
    for mode in [Mode::Run, Mode::Brake, Mode::End] {
        for (run, sample) in [(0, 0), (77, 3), (u64::MAX, u64::MAX - 1)] {
            (outputs.mode, outputs.sample) = (mode, sample);
            frame.put_outputs(run, 0, 0.0, &outputs);
            frames.push(frame.bytes().to_vec());
        }
    }
    // A greeting that wants another trial: it is refused, and the robot waits on for the right one.
    let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    let wanted = Agreement { run: 5, digest, period: 1e-3, lockstep: true, drives: 4, endless: false };
    frame.put_agreement(Kind::Hello, 0, &Agreement { digest: [7; 32], ..wanted });
    frames.push(frame.bytes().to_vec());
    frames.iter().for_each(|bytes| assert_eq!(stranger.send_to(bytes, &address).unwrap(), bytes.len()));
    // While a run goes on a greeting that fits is none either.
    frame.put_agreement(Kind::Hello, 0, &wanted);
    frames.push(frame.bytes().to_vec());
    let done = AtomicBool::new(false);
    let run = std::thread::scope(|scope| {
        let (frames, stranger, done, address, folder) = (&frames, &stranger, &done, &address, &trial.folder);
        scope.spawn(move || {
            while !done.load(Ordering::Relaxed) {
                if folder.has("out/frames.bin") {
                    frames.iter().for_each(|bytes| drop(stranger.send_to(bytes, address)));
                }
                sleep(Duration::from_millis(1));
            }
        });
        let run = trial.run("run", "out", &format!("--lockstep --udp {address} --json"));
        done.store(true, Ordering::Relaxed);
        run
    });
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(trial.folder.text("out/record.csv") == expected, "the records differ");
    let answer = json(&plant.ended().stdout);
    assert!(answer["strangers"].as_u64().unwrap() > 20 && answer["corrupt"] == 0, "{answer}");
}

/// A second controller is refused, and the first does not notice.
#[test]
fn a_robot_has_one_controller() {
    let text = swings("").replace("duration = 10000", "duration = 12");
    let trial = Trial::new("second", &text);
    let expected = trial.simulated();
    let Both { trial, plant, run } = Both::again(trial, "--lockstep").under_way();
    trial.run("run", "other", "--lockstep --wait 5").refused_with(&["the robot has another controller"]);
    let run = run.ended();
    assert_eq!((run.code, plant.ended().code), (0, 0), "{}", run.stderr);
    assert!(trial.folder.text("out/record.csv") == expected);
}

/// Files may not grow any more: the run goes on to its end, and says that its record does not.
#[test]
fn a_full_disk_cuts_the_record_and_not_the_run() {
    for (mode, blocks, record) in [("--lockstep", 64, "2e-3"), ("--lockstep", 151, "1e-3"), ("", 64, "2e-3")] {
        let text = swings("").replace("duration = 10000", "duration = 1") + &format!("[run]\nrecord = {record}\n");
        let trial = Trial::new(&format!("full-{blocks}{mode}").replace("--", "-"), &text);
        let mut plant = Beside::new(&trial.words("plant", "", &format!("--json --wait 60 {mode}")));
        said(&mut plant, "waits");
        let words = trial.words("run", "out", &format!("--json --wait 60 {mode}"));
        let limit = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let run = Command::new("bash")
            .args(["-c", &limit, "bash", env!("CARGO_BIN_EXE_appell")])
            .args(words.split_whitespace())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let run = Beside(Some(run)).ended();
        run.ended(1, &["{\"error\":{\"kind\":\"answer\",\"message\":\"the record is cut", "too large"]);
        let answer = json(&run.stdout);
        assert_eq!((answer["t"].as_f64(), &answer["trip"]), (Some(1.0), &Value::Null), "{answer} {}", run.stderr);
        let plant = plant.ended();
        assert_eq!((plant.code, json(&plant.stdout)["samples"].as_u64()), (0, Some(1000)), "{}", plant.stderr);
        let rows = is_readable(&trial);
        assert!(rows.last().unwrap()[0] < 0.9, "{:?}", rows.last());
        // The table is one that other commands read.
        assert!(trial.folder.text("out/record.csv").ends_with('\n'));
    }
}

/// A law that ends in a crash after half a second.
const CRASHES: &str = r#"#include "appell_law.h"
#include <signal.h>
#include <stdlib.h>
uint32_t appell_law_abi(void) { return APPELL_LAW_ABI; }
const char *appell_law_name(void) { return "wild"; }
int32_t appell_law_create(const appell_law_setup *setup, void **state) { (void)setup; *state = 0; return 0; }
int32_t appell_law_step(void *state, const appell_law_moment *now, double *effort)
{
    (void)state;
    if (now->t > 0.5) raise(SIGSEGV);
    for (int i = 0; i < 4; ++i) effort[i] = 0.0;
    return 0;
}
void appell_law_destroy(void *state) { (void)state; }
const char *appell_law_message(int32_t status) { (void)status; return 0; }
uint32_t appell_law_recorded(const void *state, double *values, const char **names)
{
    (void)state, (void)values, (void)names;
    return 0;
}
"#;

/// Its last act.
const CRASH: &str = "raise(SIGSEGV)";

/// A trial with that law, which does something else.
fn wild(name: &str, [from, to]: [&str; 2], text: &str) -> Trial {
    let law = "controller = { law = \"computed-torque\", natural_frequency = 20.0, integral_root = 4.0 }";
    assert!(text.contains(law));
    let trial = Trial::new(name, &text.replace(law, "controller = { law = { library = \"law.so\" } }"));
    let source = trial.folder.write("law.c", CRASHES.replacen(from, to, 1));
    let headers = repository("crates/appell-law/include");
    let compiler = ["-fPIC", "-shared", "-I", &headers, &source, "-o", &trial.folder.shown("law.so")];
    assert!(Command::new("cc").args(compiler).status().unwrap().success());
    trial
}

/// A law of somebody's own that crashes, or ends the process as if all were well, ends the controller, which names it; the robot hears of
/// it, and brakes.
#[test]
fn a_law_that_crashes_leaves_a_robot_at_rest() {
    for (mode, act, said) in [
        (MODES[0], "raise(SIGSEGV)", "crashed: SIGSEGV"),
        (MODES[1], "raise(SIGSEGV)", "crashed: SIGSEGV"),
        (MODES[0], "exit(0)", "ended the process (exit)"),
        (MODES[1], "exit(0)", "ended the process (exit)"),
    ] {
        let name = format!("crash{}-{}", mode.len(), &act[..4]);
        let Both { trial, plant, run } = Both::again(wild(&name, [CRASH, act], &swings("")), mode);
        run.ended().ended(1, &["law `wild`", said]);
        at_rest(&plant.ended(), Some(FaultKind::LawCrashed));
        let (different, periods) = trial.replayed("out");
        assert!(different == 0 && periods > 0, "{different} of {periods}");
        assert_eq!(trial.memory(), [""; 0]);
    }
}

/// A law that never comes back: the robot brakes after its watchdog, and the controller ends soon after, with what it has recorded.
#[test]
fn a_law_that_hangs_is_ended() {
    let text = swings("").replace("watchdog = 400", "watchdog = 100");
    for (mode, most) in [("--priority 0", 60.0), (LOCKSTEP, 60.0)] {
        let Both { trial, plant, run } =
            Both::again(wild(&format!("hang{}", mode.len()), [CRASH, "for (;;) { }"], &text), mode);
        at_rest(&plant.ended(), Some(FaultKind::OutputsLost));
        let begin = Instant::now();
        run.ended().ended(1, &["stuck: its law does not come back since", "(fault 42, law-late)"]);
        assert!(begin.elapsed().as_secs_f64() < most);
        let (different, periods) = trial.replayed("out");
        assert!(different == 0 && periods > 100, "{different} of {periods}");
        assert_eq!(trial.memory(), [""; 0]);
    }
    // At its end it may hang as well: the run is over then, and its record is there.
    let end = "void appell_law_destroy(void *state) { ";
    let text = text.replace("duration = 10000", "duration = 0.2");
    let trial = wild("hang-end", [end, &format!("{end}for (;;) {{ }} ")], &text);
    let run = trial.run("run", "out", "--lockstep --patience 0.2 --plant");
    run.ended(1, &["stuck: its law does not come back since", "(fault 42, law-late)"]);
    assert!(trial.folder.text("out/record.csv").lines().last().unwrap().starts_with("0.2,"));
    assert_eq!(trial.memory(), [""; 0]);
}

/// `timeout` sends two signals at once: they are one request. A second one, later, ends the program at once, and leaves neither socket nor
/// memory.
#[test]
fn a_second_signal_leaves_nothing_behind() {
    let Both { trial, plant, run } = Both::start("twice", &swings(""), "").under_way();
    kill(run.child(), "-TERM");
    kill(run.child(), "-TERM");
    let run = run.ended();
    assert_eq!((run.code, json(&run.stdout)["interrupted"].as_bool()), (130, Some(true)), "{}", run.stderr);
    at_rest(&plant.ended(), None);
    is_readable(&trial);

    let trial = Trial::new("at-once", &swings(""));
    let socket = socket_of(&trial.folder.path(&format!("{}.toml", trial.name))).unwrap();
    let run = Beside::new(&trial.words("run", "out", "--lockstep --plant --operate"));
    let begin = Instant::now();
    while fs::metadata(trial.folder.path("out/frames.bin")).map_or(0, |found| found.len()) < 20_000 {
        assert!(begin.elapsed() < AT_MOST);
        sleep(Duration::from_millis(10));
    }
    assert!(socket.exists() && trial.memory().len() == 1);
    let process = run.child().id();
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap();
    let signal =
        |signal: &str| assert!(Command::new("kill").args([signal, children.trim()]).status().unwrap().success());
    signal("-STOP"); // a robot that does not answer is waited for
    kill(run.child(), "-TERM");
    sleep(Duration::from_millis(700));
    kill(run.child(), "-TERM");
    let run = run.ended();
    signal("-KILL");
    assert_eq!(run.code, 130, "{}", run.stderr);
    assert!(run.stderr.contains("interrupted; twice, so that it ends at once"), "{}", run.stderr);
    let lock = std::path::PathBuf::from(format!("{}.lock", socket.display()));
    assert!(!socket.exists() && !lock.exists());
    assert_eq!(trial.memory(), [""; 0]);
}

/// Every kind of fault, and the tests that provoke it.
const PROVOKED: &[(FaultKind, &str, &str)] = &[
    (FaultKind::OverTemperature, SAFETY, "every_fault_of_a_scenario_stops_the_robot"),
    (FaultKind::EmergencyStop, HERE, "an_interrupt_stops_the_robot_and_keeps_the_record"),
    (FaultKind::Position, SAFETY, "every_fault_of_a_scenario_stops_the_robot"),
    (FaultKind::Velocity, SAFETY, "every_fault_of_a_scenario_stops_the_robot"),
    (FaultKind::Effort, SAFETY, "every_fault_of_a_scenario_stops_the_robot"),
    (FaultKind::Tracking, SAFETY, "every_fault_of_a_scenario_stops_the_robot"),
    (FaultKind::SensorNotFinite, SAFETY, "every_fault_of_a_scenario_stops_the_robot"),
    (FaultKind::SensorRange, SAFETY, "every_fault_of_a_scenario_stops_the_robot"),
    (FaultKind::SensorJump, SAFETY, "every_fault_of_a_scenario_stops_the_robot"),
    (FaultKind::SensorFrozen, SAFETY, "every_fault_of_a_scenario_stops_the_robot"),
    (FaultKind::SensorsLost, HERE, "a_killed_robot_ends_its_controller_and_the_next_takes_its_place"),
    (FaultKind::OutputsLost, HERE, "a_killed_controller_leaves_a_robot_at_rest"),
    (FaultKind::Corrupt, REALTIME, "damaged_frames_are_a_fault_of_their_own"),
    (FaultKind::HardwareFailed, BOARD, "every_wrong_answer_ends_in_brakes_and_is_named"),
    (FaultKind::LawFailed, REALTIME, "laws_that_fail_are_named"),
    (FaultKind::LawNotFinite, REALTIME, "laws_that_fail_are_named"),
    (FaultKind::LawLate, REALTIME, "a_law_that_is_late_is_stopped"),
    (FaultKind::LawCrashed, HERE, "a_law_that_crashes_leaves_a_robot_at_rest"),
    (FaultKind::ClockJump, REALTIME, "clocks_that_jump_end_a_run"),
    (FaultKind::Suspended, REALTIME, "a_machine_that_was_suspended_ends_a_run"),
];

const HERE: &str = include_str!("run_faults.rs");
const SAFETY: &str = include_str!("../../../appell-simulation/tests/suite/safety.rs");
const REALTIME: &str = include_str!("../../../appell-realtime/tests/suite/faults.rs");
const BOARD: &str = include_str!("../../../appell-realtime/tests/suite/board.rs");

#[test]
fn every_fault_is_provoked_by_a_test() {
    for kind in FaultKind::ALL {
        let known = PROVOKED.iter().find(|(known, ..)| *known == kind);
        let (_, source, test) = known.unwrap_or_else(|| panic!("no test provokes {kind:?}"));
        assert!(source.contains(&format!("#[test]\nfn {test}()")), "{test}");
        assert!(source.contains(&format!("FaultKind::{kind:?}")), "{kind:?} in {test}");
    }
}
