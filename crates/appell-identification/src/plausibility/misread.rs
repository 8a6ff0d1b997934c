//! Recordings that fit the robot's file in other units, or with another sign: of all columns, or of one joint.

use super::fit::left;
use super::reading::{Evidence, PREFIXES, Part, Reading, factors, kinds, readings};
use super::{Declared, Found, Guess, Suspicion, together};
use crate::data::{Layout, Measurement, Time};
use crate::thresholds::{
    CERTAIN, CERTAIN_SIGN, CLOSE_FILE, LIKELY, LIKELY_OF_CLOSE_FILE, LIKELY_OF_ONE, MATTERS, ROUGH_FILE, UNEXPLAINED,
};
use appell::Robot;
use core::fmt::{self, Formatter};

/// A recording that fits the robot's file much better when it is read in another way, in words.
pub(super) fn write(
    f: &mut Formatter<'_>,
    reading: Reading,
    joints: &[String],
    columns: &[String],
    units: &[&str],
    evidence: Evidence,
) -> fmt::Result {
    let [what, looks, remedy] = reading.words();
    let remedy = match units.split_first() {
        None => remedy,
        Some((first, _)) if reading.part() == Part::Effort => {
            format!("say effort.unit = \"{first}\", or {remedy}")
        }
        Some((first, rest)) if rest.iter().all(|unit| unit == first) => format!("{remedy} = \"{first}\""),
        Some(_) => format!("{remedy} = {units:?}"),
    };
    let of_joint = joints.first().map_or(String::new(), |joint| format!(" of joint `{joint}`"));
    let columns: Vec<String> = columns.iter().map(|column| format!("`{column}`")).collect();
    let columns = if columns.is_empty() { String::new() } else { format!(" ({})", columns.join(", ")) };
    write!(
        f,
        "{what}{of_joint} {looks}{columns}: {evidence}; {remedy}, or name the columns in accept.unit if they are right"
    )
}

/// Readings that fit the robot's file much better than the declared one; `free` are the same fits with rotors of any size, for what a rotor
/// that the file forgets, behind a high gear, looks like.
pub(super) fn misread(
    robot: &Robot,
    layout: &Layout,
    measurement: &Measurement,
    bounded: &Declared<'_>,
    free: &Declared<'_>,
) -> Vec<Found> {
    let mut found = of_all(robot, layout, bounded, free);
    for single in of_positions(robot, layout, measurement, bounded) {
        // Of all columns read alike, one that is enough by itself is the likelier.
        let is_same = |other: &Found| reading_of(other) == reading_of(&single);
        found.retain(|other| !is_same(other) || other.whole < single.whole);
        if !found.iter().any(is_same) {
            found.push(single);
        }
    }
    found.extend(of_efforts(layout, measurement, bounded));
    found
}

/// Which reading it is.
fn reading_of(found: &Found) -> Option<Reading> {
    if let Guess::Misread { reading, .. } = found.suspicion.guess { Some(reading) } else { None }
}

/// Readings of all columns of positions, of time or of efforts, and what is left with them.
fn of_all(robot: &Robot, layout: &Layout, bounded: &Declared<'_>, free: &Declared<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    let mut tell = |reading: Reading, evidence: Evidence, is_certain: bool| {
        let columns: Vec<String> = columns(layout, reading.part());
        let is_accepted = !columns.is_empty() && columns.iter().all(|column| layout.accepted.unit.contains(column));
        if !is_accepted {
            let units = reading.units(robot, layout, None);
            let guess = Guess::Misread { reading, columns, units, evidence };
            let suspicion = Suspicion { guess, joints: Vec::new(), is_certain };
            found.push(Found { suspicion, whole: evidence.otherwise });
        }
    };
    for reading in readings(robot, layout) {
        let residuals = bounded.fit.residuals(reading, None);
        let evidence = Evidence { as_declared: bounded.whole, otherwise: together(&residuals) };
        let concerned = concerned(&bounded.residuals, &residuals)
            .filter(|_| reading.part() != Part::Effort && evidence.otherwise < evidence.as_declared);
        let is = |limits| evidence.is_below(limits) || concerned.is_some_and(|concerned| concerned.is_below(limits));
        if is(LIKELY) {
            tell(reading, evidence, is(CERTAIN));
        }
    }
    // The unit of the smallest residual if bodies are in proportion as in the file, if that is close; else a prefix, which a rough file tells, too.
    let fits = free.fits.as_deref().unwrap_or_default();
    let evidence = |factor: f64, wrong: f64| {
        let left = |factor: f64| together(&left(fits, 1.0 / factor, wrong));
        Evidence { as_declared: left(1.0), otherwise: left(factor) }
    };
    let best = |factors: &[f64], wrong: f64| {
        let tried = factors.iter().map(|&factor| (factor, evidence(factor, wrong)));
        tried.min_by(|one, other| one.1.otherwise.total_cmp(&other.1.otherwise))
    };
    let of_unit = best(&factors(robot, layout), 1.0);
    // Half the way to a unit is none: where that fits better, the masses of the file are wrong.
    let of_unit = of_unit.filter(|(factor, all)| evidence(factor.sqrt(), 1.0).otherwise > all.otherwise);
    let of_unit = of_unit.map(|(factor, _)| (factor, evidence(factor, CLOSE_FILE)));
    if let Some((factor, evidence)) = of_unit.filter(|(_, evidence)| evidence.is_below(LIKELY_OF_CLOSE_FILE)) {
        // Within what the masses of a file may be wrong by, they may be as well.
        tell(Reading::Efforts(factor), evidence, factor.max(1.0 / factor) > ROUGH_FILE);
    } else if let Some((factor, evidence)) = best(&PREFIXES, ROUGH_FILE).filter(|best| best.1.is_below(LIKELY)) {
        tell(Reading::Efforts(factor), evidence, evidence.is_below(CERTAIN));
    }
    found
}

/// Positions of one joint in another unit than those of the others, or with the other sign, alone or with its efforts; of each reading the
/// best.
fn of_positions(robot: &Robot, layout: &Layout, measurement: &Measurement, bounded: &Declared<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    let units = readings(robot, layout).into_iter().filter(|reading| reading.part() == Part::Position);
    for reading in units.chain([Reading::Turned, Reading::Backwards]) {
        let read = kinds(robot).into_iter().enumerate().filter(|(k, kind)| {
            reading.of_position(*kind) != 1.0 && !layout.accepted.unit.contains(&layout.position.columns[*k])
        });
        let of_joint = |(k, _)| (k, together(&bounded.fit.residuals(reading, Some(k))));
        let Some((k, otherwise)) = read.map(of_joint).min_by(|one, other| one.1.total_cmp(&other.1)) else { continue };
        let evidence = Evidence { as_declared: bounded.whole, otherwise };
        if evidence.is_below(LIKELY_OF_ONE) {
            // A last body that is turned round in the file looks the same.
            let is_seen = reading != Reading::Turned || !bounded.fit.is_last(k);
            let (columns, units) = (vec![layout.position.columns[k].clone()], reading.units(robot, layout, Some(k)));
            let guess = Guess::Misread { reading, columns, units, evidence };
            let is_certain = is_seen && evidence.is_below(CERTAIN);
            let suspicion = Suspicion { guess, joints: vec![measurement.joints[k].clone()], is_certain };
            found.push(Found { suspicion, whole: otherwise });
        }
    }
    found
}

/// Efforts of single joints with the other sign.
fn of_efforts(layout: &Layout, measurement: &Measurement, bounded: &Declared<'_>) -> Vec<Found> {
    let otherwise = bounded.fit.residuals(Reading::Reversed, None);
    let of_joint = |k: usize| {
        let evidence = Evidence { as_declared: bounded.residuals[k]?, otherwise: otherwise[k]? };
        let column = &layout.effort.columns[k];
        if !evidence.is_below(CERTAIN) || layout.accepted.unit.contains(column) {
            return None;
        }
        let mut all = bounded.residuals.clone();
        all[k] = otherwise[k];
        let (reading, columns) = (Reading::Reversed, vec![column.clone()]);
        let guess = Guess::Misread { reading, columns, units: Vec::new(), evidence };
        let is_certain = evidence.otherwise < CERTAIN_SIGN[0] && evidence.as_declared > CERTAIN_SIGN[1];
        let suspicion = Suspicion { guess, joints: vec![measurement.joints[k].clone()], is_certain };
        Some(Found { suspicion, whole: together(&all) })
    };
    (0..otherwise.len()).filter_map(of_joint).collect()
}

/// The evidence of those joints alone that a reading matters to, if these are most, and not explained as declared: others, where something
/// else is missing, would hide them.
fn concerned(declared: &[Option<f64>], otherwise: &[Option<f64>]) -> Option<Evidence> {
    let matters = |(declared, other): &(&Option<f64>, &Option<f64>)| match (declared, other) {
        (Some(declared), Some(other)) => (other / declared - 1.0).abs() > MATTERS,
        _ => false,
    };
    let (before, after): (Vec<_>, Vec<_>) = declared.iter().zip(otherwise).filter(matters).unzip();
    let evidence = Evidence { as_declared: together(&before), otherwise: together(&after) };
    (2 * before.len() >= declared.len() && evidence.as_declared > UNEXPLAINED).then_some(evidence)
}

/// The columns that a reading is about.
fn columns(layout: &Layout, part: Part) -> Vec<String> {
    match (part, &layout.time) {
        (Part::Time, Time::Column { name, .. }) => vec![name.clone()],
        (Part::Time, Time::Rate(_)) => Vec::new(),
        (Part::Position, _) => layout.position.columns.clone(),
        (Part::Effort, _) => layout.effort.columns.clone(),
    }
}
