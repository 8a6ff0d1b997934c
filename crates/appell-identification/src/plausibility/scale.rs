//! Efforts and clocks that are off by a common factor, whatever its size.
//!
//! With efforts that are f times what they were taken for, all bodies do 1/f of what the file says; with a time that passed s times as
//! slowly gravity stays, and the rest is 1/s² of it. The factor is that which fits best if bodies are in proportion as in the file; rotors and
//! friction are free. Gravity tells the two apart; where it does not show, both are told.
//!
//! A file may be wrong by a factor, too: what is off by no more than 20, in a factor that is of no unit, is never certain.

use super::fit::{JointFit, ROUGH, Scale, left};
use super::reading::{Evidence, Part, Reading, named};
use super::{CERTAIN, LIKELY, Seen, together};
use crate::data::{Layout, Unit};
use crate::parameters::Robot;

/// The factors that are tried, and the first step between them.
const LEAST: f64 = 1e-4;
const MOST: f64 = 1e4;
const STEP: f64 = 1.1;

/// By what bodies may be out of proportion where a file is close.
const CLOSE: f64 = 1.3;

/// A factor between this and its inverse is none.
const NONE: f64 = 1.8;

/// A close file explains efforts that leave less than this, and less than this part of what they leave as said.
const EXPLAINED: [f64; 2] = [0.2, 0.33];

/// By what bodies of a file may be off.
const POOR_FILE: f64 = 20.0;

/// A factor that is near one that is tried anyway is that.
const SAME: f64 = 5.0;

/// A reading by a factor.
pub(super) struct Scaled {
    pub(super) reading: Reading,
    pub(super) evidence: Evidence,
    pub(super) is_certain: bool,
}

/// When a reading by a factor is certain: a file may be off as well, but hardly by the factor of a unit.
#[derive(Clone, Copy)]
enum Certainty {
    Never,
    IfClear,
    IfLikely,
}

/// What is to be told about all efforts, and about time, beside readings that are tried anyway.
pub(super) fn of_all(robot: Robot<'_>, layout: &Layout, free: &Seen<'_>, tried: &[Reading]) -> Vec<Scaled> {
    let Some(fits) = free.fits.as_deref() else { return Vec::new() };
    let mut efforts = best(fits, of_efforts);
    // A factor near one that is tried anyway is that.
    let mut near = tried.iter().filter_map(|other| match other {
        Reading::Efforts(factor) => Some(*factor),
        _ => None,
    });
    if let Some(factor) = near.find(|factor| (1.0 / SAME..=SAME).contains(&(efforts / factor))) {
        efforts = factor;
    } else if let Some(unit) = named(robot, layout, efforts) {
        efforts = unit.in_si() / layout.effort.units[0].in_si();
    }
    let pace = best(fits, of_pace);
    let may_be = |factor: f64| {
        let is_beyond = !(1.0 / POOR_FILE..=POOR_FILE).contains(&factor);
        if is_beyond { Certainty::IfClear } else { Certainty::Never }
    };
    let is_unit = named(robot, layout, efforts).is_some();
    [
        (Reading::Efforts(efforts), of_efforts(efforts), if is_unit { Certainty::IfLikely } else { may_be(efforts) }),
        (Reading::Pace(pace), of_pace(pace), may_be(pace * pace)),
    ]
    .into_iter()
    .filter(|(reading, ..)| tried.iter().all(|other| !is_same_time(*reading, *other)))
    .filter_map(|(reading, scale, certainty)| judged(fits, reading, scale, certainty))
    .collect()
}

/// By what the efforts of one joint alone are off, and what is left of them then and as said.
pub(super) fn of_joint(fit: &JointFit) -> (f64, Evidence) {
    let fits = [Some(fit.clone())];
    let factor = best(&fits, of_efforts);
    let evidence =
        Evidence { as_said: fit.left(Scale::default(), ROUGH), otherwise: fit.left(of_efforts(factor), ROUGH) };
    (factor, evidence)
}

fn of_efforts(factor: f64) -> Scale {
    Scale { gravity: 1.0 / factor, inertia: 1.0 / factor }
}

fn of_pace(factor: f64) -> Scale {
    Scale { gravity: 1.0, inertia: 1.0 / (factor * factor) }
}

/// The factor that a reading is about; none if it is about something else.
fn factor(reading: Reading) -> Option<f64> {
    match (reading, reading.part()) {
        (Reading::Efforts(factor), _) => Some(factor),
        (_, Part::Time) => Some(reading.of_time()),
        _ => None,
    }
}

/// Whether both are about time, by the same factor.
fn is_same_time(one: Reading, other: Reading) -> bool {
    let are_of_time = one.part() == Part::Time && other.part() == Part::Time;
    are_of_time && (1.0 / SAME..=SAME).contains(&(one.of_time() / other.of_time()))
}

/// The factor that leaves least if bodies are in proportion.
fn best(fits: &[Option<JointFit>], scale: fn(f64) -> Scale) -> f64 {
    let left = |factor: f64| together(&left(fits, scale(factor), 1.0));
    let least = |from: f64, to: f64, step: f64| {
        let steps = ((to / from).ln() / step.ln()).ceil() as i32;
        let tried = (0..=steps).map(|k| from * step.powi(k)).map(|factor| (factor, left(factor)));
        tried.min_by(|one, other| one.1.total_cmp(&other.1)).map_or(1.0, |(factor, _)| factor)
    };
    let coarse = least(LEAST, MOST, STEP);
    least(coarse / STEP, coarse * STEP, STEP.powf(0.05))
}

/// A reading, if it explains much more than the one that was said: of a close file, or of any.
fn judged(fits: &[Option<JointFit>], reading: Reading, scale: Scale, certainty: Certainty) -> Option<Scaled> {
    let is_one = factor(reading).is_none_or(|factor| (1.0 / NONE..=NONE).contains(&factor));
    let evidence = |wrong: f64| {
        let left = |scale: Scale| together(&left(fits, scale, wrong));
        Evidence { as_said: left(Scale::default()), otherwise: left(scale) }
    };
    let is = |evidence: Evidence, [most, part]: [f64; 2]| {
        evidence.otherwise < most && evidence.otherwise < part * evidence.as_said
    };
    let (close, rough) = (evidence(CLOSE), evidence(ROUGH));
    let is_certain = match certainty {
        Certainty::Never => false,
        Certainty::IfClear => is(rough, CERTAIN),
        Certainty::IfLikely => is(rough, CERTAIN) || is(close, EXPLAINED),
    };
    let told = [(rough, is(rough, LIKELY)), (close, is(close, EXPLAINED))];
    let (evidence, _) = told.into_iter().find(|(_, is_told)| *is_told)?;
    (!is_one).then_some(Scaled { reading, evidence, is_certain })
}
