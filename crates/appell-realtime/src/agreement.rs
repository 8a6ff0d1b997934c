//! How a controller and a robot find each other: a run is agreed on before anything moves.

use crate::frame::{Agreement, Frame, Kind};
use crate::link::Link;
use crate::system::{SECOND, now, random};
use std::io;

/// From one question to the next, ns.
const AGAIN: u64 = SECOND / 20;

/// Why no run was agreed on.
#[derive(Debug, thiserror::Error)]
pub enum AgreementError {
    /// The link has failed.
    #[error(transparent)]
    Link(#[from] io::Error),
    /// Nobody answers.
    #[error("no answer within {seconds} s")]
    Silence {
        /// How long it was waited for.
        seconds: f64,
    },
    /// The robot runs something else.
    #[error("the robot runs another trial, or the files differ; give both sides the same")]
    OtherTrial,
    /// The two differ in what they wait for.
    #[error("the robot {}", if *.robot { "goes in lockstep and the controller by the clock" } else { "goes by the clock and the controller in lockstep" })]
    OtherMode {
        /// Whether the robot goes in lockstep.
        robot: bool,
    },
}

/// The controller's part: asks for a run until the robot agrees, at most until an instant of the monotonic clock; the run.
///
/// # Errors
/// If there is no answer, or the robot runs another trial.
pub fn ask(link: &mut dyn Link, wanted: &Agreement, seconds: f64) -> Result<u64, AgreementError> {
    let until = now().saturating_add((seconds * SECOND as f64) as u64);
    let wanted = Agreement { run: random()?.max(1), ..*wanted };
    let (mut frame, mut answer) = (Frame::default(), None);
    while answer.is_none() {
        if now() >= until {
            return Err(AgreementError::Silence { seconds });
        }
        frame.put_agreement(Kind::Hello, now(), &wanted);
        link.send(&frame)?;
        link.agree(&mut frame, until.min(now() + AGAIN), &mut |frame| {
            answer = frame.agreement(Kind::Welcome).ok().filter(|found| found.run == wanted.run || found.run == 0);
            // UDP may lose the welcome: a robot that sends sensors of this run has agreed.
            let begun = frame.kind() == Ok(Kind::Sensors) && frame.run() == wanted.run;
            answer = answer.or(begun.then_some(wanted));
            answer.is_some()
        })?;
    }
    match answer {
        Some(found) if found == wanted => Ok(found.run),
        Some(found) if found.digest == wanted.digest && found.lockstep != wanted.lockstep => {
            Err(AgreementError::OtherMode { robot: found.lockstep })
        }
        _ => Err(AgreementError::OtherTrial),
    }
}

/// The robot's part: waits for a controller that wants the same trial; what was agreed on, or nothing if `waits` says no
/// more.
///
/// # Errors
/// If the link fails.
pub fn answer(link: &mut dyn Link, own: &Agreement, mut waits: impl FnMut() -> bool) -> io::Result<Option<Agreement>> {
    let mut frame = Frame::default();
    while waits() {
        let mut asked = None;
        link.agree(&mut frame, now() + AGAIN, &mut |frame| {
            asked = frame.agreement(Kind::Hello).ok();
            asked.is_some()
        })?;
        let Some(asked) = asked else { continue };
        let agreed = Agreement { run: asked.run, endless: asked.endless, ..*own } == asked && asked.run != 0;
        let reply = Agreement { run: if agreed { asked.run } else { 0 }, endless: asked.endless, ..*own };
        frame.put_agreement(Kind::Welcome, now(), &reply);
        link.send(&frame)?;
        if agreed {
            return Ok(Some(asked));
        }
        link.forget(); // whoever wants the right trial may be somewhere else
    }
    Ok(None)
}
