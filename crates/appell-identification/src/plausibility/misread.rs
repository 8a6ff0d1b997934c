//! Recordings that fit the robot's file when they are read in another way: all columns, those of positions of one joint, or its efforts.

use super::reading::{Evidence, Part, Reading, readings};
use super::{CERTAIN, Found, LIKELY, Seen, Suspicion, scale, together};
use crate::data::{Layout, Measurement, Time};
use crate::parameters::Robot;
use core::f64::consts::{FRAC_PI_2, PI};
use core::fmt::{self, Display, Formatter};

/// Efforts of a joint have the other sign for certain if turned round they leave less than this, and as they are more than that.
const REVERSED: [f64; 2] = [0.1, 0.8];

/// A reading matters to joints of which it leaves more or less by this part; where they are explained as said it is not doubted.
const MATTERS: f64 = 0.1;
const UNEXPLAINED: f64 = 0.3;

/// Positions of a single joint are told where they leave less than this when read otherwise, and less than this part of what was left.
const SINGLE: [f64; 2] = [0.5, 0.4];

/// Efforts of a single joint that are too large are told where they are so for a thousand times within this factor: a payload that the
/// file lacks makes those of a wrist large, too.
const THOUSAND: f64 = 1.5;

/// No robot is recorded with fewer samples a second, Hz.
const SLOW: f64 = 5.0;

/// What a reading of time may leave more than the one that was said, if that is as slow.
const NOT_WORSE: f64 = 1.1;

/// A recording that fits the robot's file much better when it is read in another way.
#[derive(Debug, Clone, PartialEq)]
pub struct Misread {
    /// Which.
    pub reading: Reading,
    /// The joint, where it is about one.
    pub joint: Option<String>,
    /// The columns it is about; none where there is no column of time.
    pub columns: Vec<String>,
    /// Where it is about units of positions or efforts that a layout can say, those of all their columns.
    pub units: Vec<&'static str>,
    /// What is left of the efforts.
    pub evidence: Evidence,
    /// Whether nothing else is likely.
    pub is_certain: bool,
}

impl core::error::Error for Misread {}

impl Display for Misread {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { reading, joint, columns, units, evidence, .. } = self;
        let [what, looks, remedy] = reading.words();
        let remedy = match units.split_first() {
            None => remedy.to_owned(),
            Some((first, _)) if reading.part() == Part::Effort => {
                format!("say effort.unit = \"{first}\", or {remedy}")
            }
            Some((first, rest)) if rest.iter().all(|unit| unit == first) => format!("{remedy} = \"{first}\""),
            Some(_) => format!("{remedy} = {units:?}"),
        };
        let of_joint = joint.as_ref().map_or(String::new(), |joint| format!(" of joint `{joint}`"));
        let columns: Vec<String> = columns.iter().map(|column| format!("`{column}`")).collect();
        let columns = if columns.is_empty() { String::new() } else { format!(" ({})", columns.join(", ")) };
        write!(
            f,
            "{what}{of_joint} {looks}{columns}: {evidence}; {remedy}, or name the columns in accept.unit if they are right"
        )
    }
}

/// Ways of reading a recording that fit the robot's file much better than the one that was said; `free` are the same fits with rotors of any
/// size, for what a rotor that the file forgets, behind a high gear, looks like.
pub(super) fn misread(
    robot: Robot<'_>,
    layout: &Layout,
    measurement: &Measurement,
    sight: &Seen<'_>,
    free: &Seen<'_>,
) -> Vec<Found> {
    let mut found = of_all(robot, layout, measurement, sight, free);
    for single in of_positions(robot, layout, measurement, sight, free) {
        // Of all columns read alike, one that is enough by itself is the likelier.
        let is_same = |(other, _): &(Misread, f64)| other.reading == single.0.reading;
        found.retain(|other| !is_same(other) || other.1 < single.1);
        if !found.iter().any(is_same) {
            found.push(single);
        }
    }
    found.extend(of_joints(layout, measurement, sight, free));
    found.into_iter().map(|(misread, whole)| Found { suspicion: Suspicion::Misread(misread), whole }).collect()
}

/// Whether the user knows better about all columns of a reading. Pace and gravity are told by the size and the sign of the efforts: who knows
/// these knows them.
fn is_accepted(layout: &Layout, reading: Reading) -> bool {
    let is_known = |part: Part| {
        let mut columns = columns(layout, part).peekable();
        columns.peek().is_some() && columns.all(|column| layout.accepted.unit.contains(column))
    };
    is_known(reading.part()) || (matches!(reading, Reading::Pace(_) | Reading::UpsideDown) && is_known(Part::Effort))
}

/// Readings of all columns of positions, of time or of efforts, and what is left with them.
fn of_all(
    robot: Robot<'_>,
    layout: &Layout,
    measurement: &Measurement,
    bounded: &Seen<'_>,
    free: &Seen<'_>,
) -> Vec<(Misread, f64)> {
    let tried: Vec<Reading> =
        readings(robot, layout).into_iter().filter(|reading| *reading != Reading::Turns).collect();
    let of_reading = |reading: Reading, evidence: Evidence, is_certain: bool| {
        let columns = columns(layout, reading.part()).cloned().collect();
        let units = match reading.part() {
            Part::Effort => reading.units_of_efforts(robot, layout),
            Part::Position | Part::Time | Part::Gravity => reading.units(robot, layout, None),
        };
        (Misread { reading, joint: None, columns, units, evidence, is_certain }, evidence.otherwise)
    };
    let mut found = Vec::new();
    for &reading in tried.iter().filter(|reading| !is_accepted(layout, **reading)) {
        let seen = if matches!(reading, Reading::Efforts(_)) { free } else { bounded };
        let Seen { sight, as_said, whole, .. } = seen;
        let residuals = sight.residuals(reading);
        let otherwise = together(&residuals);
        let is = |[most, part]: [f64; 2]| {
            let is_better = |said: f64, otherwise: f64| otherwise < most && otherwise < part * said;
            is_better(*whole, otherwise) || (reading.part() != Part::Effort && tells(as_said, &residuals, is_better))
        };
        let is_slow = measurement.clock.rate() < SLOW && reading.is_faster() && otherwise <= NOT_WORSE * *whole;
        if is(LIKELY) || is_slow {
            // Of a single joint a body that is turned round in the file looks the same.
            let better = as_said.iter().zip(&residuals).filter(|(said, other)| match (said, other) {
                (Some(said), Some(other)) => *other < LIKELY[1] * said,
                _ => false,
            });
            let is_seen = reading != Reading::UpsideDown || better.count() > 1;
            found.push(of_reading(reading, Evidence { as_said: *whole, otherwise }, is_seen && is(CERTAIN)));
        }
    }
    let scaled = scale::of_all(robot, layout, free, &tried).into_iter();
    for scaled in scaled.filter(|scaled| !is_accepted(layout, scaled.reading)) {
        found.retain(|(other, _)| other.reading != scaled.reading);
        found.push(of_reading(scaled.reading, scaled.evidence, scaled.is_certain));
    }
    found
}

/// Positions of one joint that are in another unit than those of the others, counted the other way with its efforts, or from another
/// zero; of each reading the best.
fn of_positions(
    robot: Robot<'_>,
    layout: &Layout,
    measurement: &Measurement,
    bounded: &Seen<'_>,
    free: &Seen<'_>,
) -> Vec<(Misread, f64)> {
    let mut found = Vec::new();
    let of_position = readings(robot, layout).into_iter().filter(|reading| reading.part() == Part::Position);
    // Loops do not close so far from home.
    let shifts = [FRAC_PI_2, PI, -FRAC_PI_2].map(Reading::Shifted);
    let shifts = shifts.into_iter().filter(|_| matches!(robot, Robot::Tree(_)));
    for reading in of_position.chain([Reading::Turned, Reading::Backwards]).chain(shifts) {
        let &Seen { ref sight, whole: as_said, .. } = if reading == Reading::Turns { free } else { bounded };
        let kinds = robot.measured().into_iter().map(|joint| robot.tree().links()[joint].joint);
        let read = kinds.enumerate().filter(|(k, kind)| {
            reading.is_about(*kind) && !layout.accepted.unit.contains(&layout.position.columns[*k])
        });
        let of_joint = |(k, _)| (k, together(&sight.residuals_of(reading, Some(k))));
        let Some((k, otherwise)) = read.map(of_joint).min_by(|one, other| one.1.total_cmp(&other.1)) else { continue };
        let is = |[most, part]: [f64; 2]| otherwise < most && otherwise < part * as_said;
        if is(SINGLE) {
            let is_seen = match reading {
                Reading::Turns => false,
                // A body that is turned round in the file looks like a zero or a direction that is wrong.
                Reading::Shifted(_) => false,
                Reading::Turned => !sight.is_last(k),
                _ => true,
            };
            let misread = Misread {
                reading,
                joint: Some(measurement.joints[k].clone()),
                columns: vec![layout.position.columns[k].clone()],
                units: reading.units(robot, layout, Some(k)),
                evidence: Evidence { as_said, otherwise },
                is_certain: is_seen && is(CERTAIN),
            };
            found.push((misread, otherwise));
        }
    }
    found
}

/// Efforts of single joints that fit the file in another reading only. The file may be wrong as well, so that hardly one is certain.
fn of_joints(layout: &Layout, measurement: &Measurement, bounded: &Seen<'_>, free: &Seen<'_>) -> Vec<(Misread, f64)> {
    let mut found = Vec::new();
    let Seen { sight, as_said, .. } = bounded;
    let mut tell = |k: usize, reading: Reading, evidence: Evidence| {
        let Evidence { as_said: before, otherwise } = evidence;
        let column = &layout.effort.columns[k];
        if otherwise < CERTAIN[0] && otherwise < CERTAIN[1] * before && !layout.accepted.unit.contains(column) {
            let mut all = as_said.clone();
            all[k] = Some(otherwise);
            let misread = Misread {
                reading,
                joint: Some(measurement.joints[k].clone()),
                columns: vec![column.clone()],
                units: Vec::new(),
                evidence,
                is_certain: reading == Reading::Reversed && otherwise < REVERSED[0] && before > REVERSED[1],
            };
            found.push((misread, together(&all)));
        }
    };
    for (k, (said, other)) in as_said.iter().zip(sight.residuals(Reading::Reversed)).enumerate() {
        if let (Some(as_said), Some(otherwise)) = (*said, other) {
            tell(k, Reading::Reversed, Evidence { as_said, otherwise });
        }
    }
    for (k, fit) in free.fits.iter().flatten().enumerate().filter_map(|(k, fit)| Some((k, fit.as_ref()?))) {
        let (factor, evidence) = scale::of_joint(fit);
        if factor > 1.0 || (1.0 / THOUSAND..=THOUSAND).contains(&(1e3 * factor)) {
            tell(k, Reading::Efforts(factor), evidence);
        }
    }
    found
}

/// The columns that a reading is about.
fn columns(layout: &Layout, part: Part) -> impl Iterator<Item = &String> {
    let (time, of_joints): (Option<&String>, &[String]) = match (part, &layout.time) {
        (Part::Time, Time::Column { name, .. }) => (Some(name), &[]),
        (Part::Time, Time::Rate(_)) | (Part::Gravity, _) => (None, &[]),
        (Part::Position, _) => (None, &layout.position.columns),
        (Part::Effort, _) => (None, &layout.effort.columns),
    };
    time.into_iter().chain(of_joints)
}

/// Whether the joints that a reading matters to are much better with it: others, where something else is missing, would hide them.
fn tells(as_said: &[Option<f64>], otherwise: &[Option<f64>], is_better: impl Fn(f64, f64) -> bool) -> bool {
    let pairs = || as_said.iter().zip(otherwise);
    let matters = |(said, other): &(&Option<f64>, &Option<f64>)| match (said, other) {
        (Some(said), Some(other)) => (other / said - 1.0).abs() > MATTERS,
        _ => false,
    };
    let (said, other): (Vec<Option<f64>>, Vec<Option<f64>>) = pairs().filter(matters).unzip();
    let (before, after) = (together(&said), together(&other));
    let all = [together(as_said), together(otherwise)];
    2 * said.len() >= as_said.len() && before > UNEXPLAINED && is_better(before, after) && all[1] < all[0]
}
