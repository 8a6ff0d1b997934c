//! Boards in shared libraries, compiled here: what they get, what they give, and all that can be wrong with them.

use super::support::{puma, with};
use appell_realtime::board::{Board, BoardError, HEADER, Setup};
use appell_realtime::controller::{self, Nobody, Plan};
use appell_realtime::hardware::Hardware;
use appell_realtime::log::{Ended, Entry, ring};
use appell_simulation::control::sampled::{Fault, FaultKind, Mode, Outputs, Sensors};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Boards around the texts of their reading and writing; `more` stands before them.
fn source(more: &str, read: &str, write: &str) -> String {
    format!(
        r#"
#include "appell_hardware.h"
#include <math.h>
#include <stdlib.h>
struct board {{ uint32_t drives, lockstep; double period, effort; uint64_t sample; uint32_t mode, fault; }};
{more}
uint32_t appell_hardware_abi(void) {{ return APPELL_HARDWARE_ABI; }}
int32_t appell_hardware_open(const appell_hardware_setup *setup, void **state)
{{
    struct board *board = calloc(1, sizeof *board);
    if (setup->arguments[0] == 'x') {{ free(board); return 7; }}
    board->drives = setup->drives; board->period = setup->period; board->lockstep = setup->lockstep;
    *state = board;
    return 0;
}}
int32_t appell_hardware_read(void *state, appell_hardware_sensors *sensors, uint64_t until)
{{
    struct board *board = state;
    uint32_t i;
    (void)until;
    for (i = 0; i < board->drives; ++i) {{ sensors->q[i] = 0.25 * i; sensors->v[i] = -1.0; }}
    {read}
    board->sample++;
    return 1;
}}
int32_t appell_hardware_write(void *state, const appell_hardware_outputs *outputs)
{{
    struct board *board = state;
    board->effort = outputs->efforts[0]; board->mode = outputs->mode; board->fault = outputs->fault;
    {write}
    return 0;
}}
void appell_hardware_close(void *state) {{ free(state); }}
const char *appell_hardware_message(int32_t status) {{ return status == 7 ? "no such boards" : status == -3 ? "the fuse" : NULL; }}
"#
    )
}

#[track_caller]
fn compile(folder: &Path, text: &str) -> PathBuf {
    fs::write(folder.join("appell_hardware.h"), HEADER).unwrap();
    fs::write(folder.join("board.c"), text).unwrap();
    let library = folder.join("board.so");
    let _ = fs::remove_file(&library); // a library that is open keeps its own
    let flags = "-std=c99 -pedantic -Wall -Wextra -Werror -O0 -fPIC -shared board.c -lm -o board.so";
    let output = Command::new("cc").current_dir(folder).args(flags.split(' ')).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    library
}

fn open(text: &str, arguments: &str, lockstep: bool) -> Result<Board, BoardError> {
    let folder = tempfile::tempdir().unwrap();
    let library = compile(folder.path(), text);
    let names = ["waist".to_owned(), "elbow".to_owned()];
    Board::open(&library, &Setup { names: &names, digital_outputs: 1, period: 1e-3, arguments, lockstep })
}

#[test]
fn the_header_is_also_cpp() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("appell_hardware.h"), HEADER).unwrap();
    let text = "#include \"appell_hardware.h\"\nuint32_t appell_hardware_abi() { return APPELL_HARDWARE_ABI; }\n";
    fs::write(folder.path().join("board.cpp"), text).unwrap();
    let flags = "-std=c++11 -pedantic -Wall -Wextra -Werror -c board.cpp";
    let output = Command::new("g++").current_dir(folder.path()).args(flags.split(' ')).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_boards_leave_has_the_values_that_the_header_says() {
    let mut board = open(&source("", "", ""), "", true).unwrap();
    let (mut sensors, mut outputs) = (Sensors::new(2), Outputs::new(2, 1));
    assert!(board.read(&mut sensors, 0).unwrap());
    let first = Sensors { q: vec![0.0, 0.25], v: vec![-1.0; 2], ..Sensors::new(2) };
    assert_eq!(sensors, first);
    outputs.efforts = vec![3.0, 4.0];
    board.write(&outputs).unwrap();
    assert!(board.read(&mut sensors, 0).unwrap());
    let t = 1e-3;
    assert_eq!(sensors, Sensors { sample: 1, t, taken: 1, applied: vec![3.0, 4.0], ..first.clone() });
    // There are no torques with brakes; after a reset there are again.
    (outputs.sample, outputs.mode) = (1, Mode::Brake);
    board.write(&outputs).unwrap();
    assert!(board.read(&mut sensors, 0).unwrap());
    assert_eq!(sensors, Sensors { sample: 2, t: 2e-3, taken: 2, braked: true, ..first.clone() });
    (outputs.sample, outputs.mode) = (2, Mode::Run);
    board.write(&outputs).unwrap();
    assert!(board.read(&mut sensors, 0).unwrap());
    assert_eq!(sensors, Sensors { sample: 3, t: 3e-3, taken: 3, applied: vec![3.0, 4.0], ..first });
    // By the clock the time is the clock's.
    let mut board = open(&source("", "", ""), "", false).unwrap();
    assert!(board.read(&mut sensors, 0).unwrap() && sensors.t == 0.0);
    assert!(board.read(&mut sensors, 0).unwrap() && sensors.t > 0.0);
}

#[test]
fn what_boards_say_arrives() {
    let read = "sensors->t = 0.5 + (double)board->sample; sensors->sample = 10 + board->sample; sensors->applied[1] = board->effort; sensors->hot[1] = 1; \
                sensors->taken = 9; sensors->emergency_stop = 1; sensors->braked = board->mode; sensors->fault = board->sample ? 4711 : 31; \
                sensors->fault_drive = board->sample ? 1 : APPELL_HARDWARE_NO_DRIVE; sensors->fault_value = 12.0; sensors->fault_limit = 10.0;";
    let write = "if (outputs->digital[0] != 1 || outputs->sample != 10 || outputs->fault != 2) return -3;";
    let mut board = open(&source("", read, write), "", true).unwrap();
    let (mut sensors, mut outputs) = (Sensors::new(2), Outputs::new(2, 1));
    assert!(board.read(&mut sensors, 0).unwrap());
    assert_eq!((sensors.sample, sensors.t, sensors.taken), (10, 0.5, 9));
    assert_eq!((&sensors.hot[..], sensors.emergency_stop, sensors.braked), (&[false, true][..], true, false));
    assert_eq!(sensors.fault, Some(Fault::of_all(FaultKind::OutputsLost, 12.0, 10.0)));
    (outputs.sample, outputs.efforts, outputs.grippers) = (10, vec![2.5, 0.0], vec![true]);
    outputs.fault = Some(Fault::of_all(FaultKind::EmergencyStop, 1.0, 0.0));
    board.write(&outputs).unwrap();
    assert!(board.read(&mut sensors, 0).unwrap());
    assert_eq!(sensors.applied, [2.5, 2.5]);
    assert_eq!(
        sensors.fault,
        Some(Fault::of_drive(FaultKind::HardwareFailed, 1, 4711.0, 0.0)),
        "a number of their own"
    );
    // Torques that are not finite never come through.
    outputs.efforts[0] = f64::NAN;
    board.write(&outputs).unwrap();
    outputs.efforts[0] = 1.0;
    board.write(&outputs).unwrap();
    assert!(board.read(&mut sensors, 0).unwrap() && sensors.braked && sensors.applied == [0.0; 2]);
}

#[test]
fn what_is_not_of_boards_is_refused_by_name() {
    let fine = source("", "", "");
    let error = |text: &str| open(text, "", false).unwrap_err();
    let missing = error(&fine.replace("appell_hardware_close", "appell_hardware_end"));
    assert!(matches!(missing, BoardError::Symbol { symbol: "appell_hardware_close", .. }), "{missing}");
    let newer = error(&fine.replace("return APPELL_HARDWARE_ABI", "return 2"));
    assert!(matches!(newer, BoardError::Version { found: 2, .. }), "{newer}");
    let half = error(&format!("{fine}uint64_t appell_hardware_now(void *state) {{ (void)state; return 0; }}\n"));
    assert!(matches!(half, BoardError::Clock { .. }), "{half}");
    let unlinked = error(&source("void driver(void);", "driver();", ""));
    assert!(unlinked.to_string().contains("undefined symbol: driver"), "{unlinked}");
    let refused = open(&fine, "x", false).unwrap_err();
    assert!(refused.to_string().ends_with("board.so cannot be opened: no such boards (status 7)"), "{refused}");
    let zero = open(&fine, "a\0b", false).unwrap_err();
    assert!(matches!(zero, BoardError::Text { .. }), "{zero}");
    let setup = Setup { names: &[], digital_outputs: 0, period: 1e-3, arguments: "", lockstep: true };
    let none = Board::open(Path::new("/nowhere/board.so"), &setup).unwrap_err();
    assert_eq!(none.to_string(), "/nowhere/board.so: file not found");
    let names = vec![String::new(); 65];
    let many = Board::open(Path::new("board.so"), &Setup { names: &names, ..setup }).unwrap_err();
    assert!(matches!(many, BoardError::Drives { found: 65, .. }), "{many}");
}

#[test]
fn a_clock_of_their_own_is_taken() {
    let clock = "uint64_t appell_hardware_now(void *state) { return ((struct board *)state)->sample; }\n\
                 void appell_hardware_sleep_until(void *state, uint64_t time) { ((struct board *)state)->sample = time; }\n";
    let mut board = open(&source(clock, "", ""), "", false).unwrap();
    board.sleep_until(77);
    assert_eq!(board.now(), 77);
}

/// Runs a PUMA's controller with boards whose reading does something at sample 20, after which everything is written.
fn run(at_twenty: &str, write: &str, lockstep: bool) -> Ended {
    let read = format!(
        "for (i = 0; i < board->drives; ++i) {{ sensors->q[i] = 0.0; sensors->v[i] = 0.0; }} if (board->sample >= 20) {{ {at_twenty} }}"
    );
    let folder = tempfile::tempdir().unwrap();
    let library = compile(folder.path(), &source("", &read, write));
    let text = puma("[safety]\nwatchdog = 2000\n").replace("[0, -0.8, 0.2, 0, 0.5, 0]", "[0, 0, 0, 0, 0, 0]");
    with(&text, |prepared| {
        let mut computer = prepared.sampled_loop().unwrap().into_computer();
        let mut law = prepared.law().unwrap();
        computer.begin(&*law).unwrap();
        let names = computer.names().to_vec();
        let setup = Setup { names: &names, digital_outputs: 0, period: 1e-3, arguments: "", lockstep };
        let mut board = Board::open(&library, &setup).unwrap();
        let room = Entry::room(&computer, &Sensors::new(6), &Outputs::new(6, 0));
        let (mut log, reader) = ring(&room, false);
        let reading = std::thread::spawn(move || reader.read(|_| {}));
        let plan = Plan { duration: prepared.duration(), lockstep, patience: 0.2, stays: false };
        let ended = controller::run(&mut board, &mut computer, &mut *law, &plan, &mut log, &mut Nobody);
        drop(log);
        reading.join().unwrap();
        ended
    })
}

fn fault(ended: &Ended) -> Option<(u16, Option<usize>)> {
    ended.trip.as_ref().map(|trip| (trip.fault.kind.code(), trip.fault.drive))
}

#[test]
fn every_wrong_answer_ends_in_brakes_and_is_named() {
    for lockstep in [true, false] {
        let whole = run("", "", lockstep);
        assert!(whole.trip.is_none() && whole.reason.is_none() && whole.samples > 20, "{whole:?}");
        let ended = run("return -3;", "", lockstep);
        assert_eq!((fault(&ended), ended.samples), (Some((33, None)), 20), "{ended:?}");
        assert!(ended.reason.unwrap().ends_with("board.so: read failed: the fuse (status -3)"));
        assert_eq!(ended.trip.unwrap().fault.value, -3.0);
        let ended = run("return 2;", "", lockstep);
        assert_eq!(fault(&ended), Some((33, None)));
        assert!(ended.reason.unwrap().ends_with("read returned 2, which is no answer"));
        let ended = run("sensors->v[6] = 0.0;", "", lockstep);
        assert_eq!(fault(&ended), Some((33, None)));
        assert!(ended.reason.unwrap().contains("wrote behind its 6 values"));
        for array in ["q", "v", "applied", "hot"] {
            let ended = run(&format!("sensors->{array}[-1] = 0;"), "", lockstep);
            assert_eq!(fault(&ended), Some((33, None)), "{array}");
            assert!(ended.reason.unwrap().contains("wrote before its 6 values"), "{array}");
        }
        let ended = run("", "if (outputs->sample == 20 && outputs->mode == 0) return -8;", lockstep);
        assert_eq!((fault(&ended), ended.samples), (Some((33, None)), 21), "{ended:?}");
        assert!(ended.reason.unwrap().ends_with("write failed: status -8"));
        let ended = run("sensors->q[3] = NAN;", "", lockstep);
        assert_eq!(fault(&ended), Some((20, Some(3))), "{ended:?}");
        let ended = run("sensors->fault = 999; sensors->fault_drive = 2;", "", lockstep);
        assert_eq!(fault(&ended), Some((33, Some(2))));
        let ended = run("sensors->hot[5] = 1;", "", lockstep);
        assert_eq!(fault(&ended), Some((1, Some(5))));
        let ended = run("sensors->emergency_stop = 1;", "", lockstep);
        assert_eq!(fault(&ended), Some((2, None)));
    }
}

#[test]
fn samples_that_cannot_be_are_not_taken() {
    for (wrong, code) in [
        ("return 0;", 30),
        ("sensors->sample = 3;", 30),
        ("sensors->t = NAN * 0.0;", 32),
        ("sensors->t = 1e300;", 32),
        ("sensors->t = -1.0;", 32),
    ] {
        let ended = run(wrong, "", true);
        assert_eq!((fault(&ended), ended.samples), (Some((code, None)), 20), "{wrong} {ended:?}");
    }
}

#[test]
fn the_end_that_boards_refuse_is_told() {
    let ended = run("", "if (outputs->mode == APPELL_HARDWARE_END) return -3;", true);
    assert!(ended.trip.is_none() && ended.reason.unwrap().ends_with("write failed: the fuse (status -3)"));
}

#[test]
fn boards_that_are_dropped_have_ended() {
    let folder = tempfile::tempdir().unwrap();
    let told = folder.path().join("told");
    let more = format!(
        "#include <stdio.h>\nstatic void tell(uint32_t mode) {{ FILE *file = fopen({told:?}, \"a\"); fprintf(file, \"%u \", mode); fclose(file); }}"
    );
    let mut board = open(&source(&more, "", "tell(outputs->mode);"), "", true).unwrap();
    board.write(&Outputs::new(2, 1)).unwrap();
    drop(board);
    assert_eq!(fs::read_to_string(told).unwrap(), "0 2 ");
}

#[test]
fn reading_and_writing_allocate_nothing() {
    let mut board = open(&source("", "", ""), "", true).unwrap();
    let (mut sensors, outputs) = (Sensors::new(2), Outputs::new(2, 1));
    let counted = allocation_counter::measure(|| {
        for _ in 0..1000 {
            assert!(board.read(&mut sensors, 0).unwrap());
            board.write(&outputs).unwrap();
        }
    });
    assert_eq!(counted.count_total, 0);
}
