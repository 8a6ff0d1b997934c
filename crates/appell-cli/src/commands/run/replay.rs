//! The frames of a run, given to a controller again: it must make the same of them.

use crate::output;
use crate::refusal;
use anyhow::{Context, ensure};
use appell_realtime::frame::{Frame, Kind};
use appell_simulation::control::operated::{Operated, Order};
use appell_simulation::control::sampled::{Computer, Fault, FaultKind, Outputs, Sensors};
use appell_simulation::simulation::Law;
use serde_json::json;
use std::fs;
use std::io::Write;
use std::path::Path;

/// The frames of a run.
pub(super) struct Frames {
    shown: String,
    bytes: Vec<u8>,
}

impl Frames {
    /// Reads a file of them.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let shown = path.display().to_string();
        let bytes = fs::read(path).map_err(output::unread).with_context(|| shown.clone())?;
        Ok(Self { shown, bytes })
    }

    /// Whether an operator has made the reference: then there is an order with the first sample.
    pub(super) fn is_operated(&self) -> bool {
        let drives = self.bytes.get(40..42).map_or(0, |bytes| usize::from(u16::from_le_bytes([bytes[0], bytes[1]])));
        self.bytes.get(length(Kind::Sensors, drives)..).and_then(Frame::length_at).is_some()
    }

    /// Plays them into a controller, with the orders of its operator; whether all its outputs have the same bits.
    pub(super) fn play(
        &self,
        computer: &mut Computer<'_>,
        law: &mut dyn Law,
        operated: Option<&Operated<'_>>,
        json: bool,
        stdout: &mut dyn Write,
    ) -> anyhow::Result<bool> {
        let Self { shown, bytes } = self;
        let n = computer.names().len();
        let (mut sensors, mut outputs) = (Sensors::new(n), Outputs::new(n, computer.grippers()));
        let mut recorded = outputs.clone();
        let (mut frame, mut rest) = (Frame::default(), &bytes[..]);
        let (mut periods, mut different, mut first) = (0_u64, 0_u64, None);
        let wrong = |period: u64| format!("{shown}: period {period}: not the frames of a run of this trial");
        // A run that was killed leaves the beginning of a period at the end.
        while let Some(after) = next(rest, &mut frame, length(Kind::Sensors, n)) {
            frame.sensors(0, &mut sensors).with_context(|| wrong(periods))?;
            let mut order = None;
            let mut after = after;
            if let Some(length) = Frame::length_at(after) {
                let Some(behind) = next(after, &mut frame, length) else { break };
                order = Some(frame.order().with_context(|| wrong(periods))?);
                after = behind;
            }
            let Some(after) = next(after, &mut frame, length(Kind::Outputs, n)) else { break };
            frame.outputs(0, &mut recorded).with_context(|| wrong(periods))?;
            rest = after;
            if let (Some(order), Some(operated)) = (&order, operated) {
                let _ = operated.obey(order); // what was refused then is refused again
                if matches!(order, Order::Restart(_)) && sensors.fault.is_none() {
                    computer.reset();
                }
            }
            // What the controller was asked for from outside, and how long its law took, no sensor knows.
            let told = recorded.fault.filter(|_| computer.trip().is_none());
            if let Some(fault) = told.filter(|fault| fault.kind == FaultKind::EmergencyStop && !sensors.emergency_stop)
            {
                computer.stop(fault, sensors.t);
            }
            let failed = computer.step(law, &sensors, &mut outputs).is_err();
            if failed || told.is_some_and(|fault| fault.kind == FaultKind::LawLate) {
                let fault = told.unwrap_or(Fault::of_all(FaultKind::LawFailed, 0.0, 0.0));
                computer.give_up(fault, &sensors, &mut outputs);
            }
            let bits = |outputs: &Outputs| outputs.efforts.iter().map(|effort| effort.to_bits()).collect::<Vec<_>>();
            if bits(&outputs) != bits(&recorded)
                || outputs.mode != recorded.mode
                || outputs.grippers != recorded.grippers
            {
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
            refusal::no(format_args!("{shown}: the outputs differ from t = {t} s on: another trial, or another law"));
        }
        Ok(different == 0)
    }
}

/// Bytes of a frame of a robot with so many drives.
fn length(kind: Kind, drives: usize) -> usize {
    8 * match kind {
        Kind::Sensors => 11 + 3 * drives,
        _ => 11 + drives,
    }
}

/// Takes a frame of so many bytes from the front of some; the rest, if there was one.
fn next<'b>(bytes: &'b [u8], frame: &mut Frame, length: usize) -> Option<&'b [u8]> {
    let (own, rest) = bytes.split_at_checked(length)?;
    frame.room(own.len()).copy_from_slice(own);
    Some(rest)
}
