//! The frames of a run, given to a controller again: it must make the same of them.

use crate::output;
use crate::refusal;
use anyhow::{Context, ensure};
use appell_realtime::frame::{Frame, Kind};
use appell_simulation::control::sampled::{Computer, Fault, FaultKind, Outputs, Sensors};
use appell_simulation::simulation::Law;
use serde_json::json;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Plays frames into a controller; whether all its outputs have the same bits.
pub(super) fn replay(
    path: &Path,
    computer: &mut Computer<'_>,
    law: &mut dyn Law,
    json: bool,
    stdout: &mut dyn Write,
) -> anyhow::Result<bool> {
    let shown = path.display();
    let bytes = fs::read(path).map_err(output::unread).with_context(|| shown.to_string())?;
    let n = computer.names().len();
    let (mut sensors, mut outputs) = (Sensors::new(n), Outputs::new(n, computer.grippers()));
    let mut recorded = outputs.clone();
    let (mut frame, mut rest) = (Frame::default(), &bytes[..]);
    let (mut periods, mut different, mut first) = (0_u64, 0_u64, None);
    let wrong = |period: u64| format!("{shown}: period {period}: not the frames of a run of this trial");
    // A run that was killed leaves the beginning of a frame at the end.
    while let Some(after) = next(rest, &mut frame, Kind::Sensors, n)
        && let Some(after) = {
            frame.sensors(0, &mut sensors).with_context(|| wrong(periods))?;
            next(after, &mut frame, Kind::Outputs, n)
        }
    {
        frame.outputs(0, &mut recorded).with_context(|| wrong(periods))?;
        rest = after;
        // What the controller was asked for from outside, and how long its law took, no sensor knows.
        let told = recorded.fault.filter(|_| computer.trip().is_none());
        if let Some(fault) = told.filter(|fault| fault.kind == FaultKind::EmergencyStop && !sensors.emergency_stop) {
            computer.stop(fault, sensors.t);
        }
        let failed = computer.step(law, &sensors, &mut outputs).is_err();
        if failed || told.is_some_and(|fault| fault.kind == FaultKind::LawLate) {
            let fault = told.unwrap_or(Fault::of_all(FaultKind::LawFailed, 0.0, 0.0));
            computer.give_up(fault, &sensors, &mut outputs);
        }
        let bits = |outputs: &Outputs| outputs.efforts.iter().map(|effort| effort.to_bits()).collect::<Vec<_>>();
        if bits(&outputs) != bits(&recorded) || outputs.mode != recorded.mode || outputs.grippers != recorded.grippers {
            different += 1;
            first.get_or_insert(sensors.t);
        }
        periods += 1;
    }
    ensure!(periods > 0, "{shown} has no frames of this robot; it is the frames.bin of a run");
    if json {
        let value = json!({ "periods": periods, "different": different, "first_difference": first });
        writeln!(stdout, "{value:#}")?;
    } else {
        writeln!(stdout, "Replay: {periods} periods, {different} with other outputs")?;
    }
    if !rest.is_empty() {
        output::note(format_args!("warning: {shown} ends in the middle of a period, after t = {} s", sensors.t));
    }
    if let Some(t) = first {
        refusal::no(format_args!(
            "{shown}: the outputs differ from t = {t} s on: another trial, another law, or a run that an operator moved"
        ));
    }
    Ok(different == 0)
}

/// Takes a frame of a robot with so many drives from the front of bytes; the rest, if there was one.
fn next<'b>(bytes: &'b [u8], frame: &mut Frame, kind: Kind, drives: usize) -> Option<&'b [u8]> {
    let words = match kind {
        Kind::Sensors => 11 + 3 * drives,
        _ => 11 + drives,
    };
    let (own, rest) = bytes.split_at_checked(8 * words)?;
    frame.room(own.len()).copy_from_slice(own);
    Some(rest)
}
