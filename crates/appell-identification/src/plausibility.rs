//! Units that a range cannot tell: what a recording leaves unexplained of its efforts when it is read in another way.
//!
//! The robot's file says roughly what efforts a motion needs. Joint by joint, means removed,
//!
//! ```text
//! s τ ≈ α g(q) + β d(q, q̇, q̈) + I q̈ + Fv q̇ + Fc sign q̇          ⅕ ≤ α, β ≤ 5     0 ≤ I ≤ 20 ‖d‖/‖q̈‖     Fv, Fc ≥ 0
//! ```
//!
//! with the file's gravity g and the rest d of what its bodies and rotors need, so that masses may be wrong by five, rotors forgotten and
//! friction whatever it is. The columns depend on how positions, time and efforts are read: degrees turn g into noise, milliseconds
//! taken for seconds make d a millionth, mN m or a turned direction cannot be had within the bounds. A reading that leaves much less
//! than the one that was said is told; where it leaves little and the other most, it is certain.
//!
//! Nothing is told where the motion hardly shows the bodies, or the file is so far off that no reading explains the efforts.

mod exchange;
mod proportion;
mod reading;
mod residual;

pub use exchange::Exchanged;
pub use proportion::Disproportion;
pub use reading::{Evidence, Misread, Reading};

use crate::data::{DataError, Filter, JointMotion, Layout, Measurement, Smoothing, Time};
use crate::parameters::Robot;
use crate::signals::{LowPass, SignalError};
use reading::{Part, readings};
use residual::Sight;

/// A reading is certain that leaves less than this of the efforts, and less than this part of what the one that was said leaves.
const CERTAIN: [f64; 2] = [0.3, 0.33];

/// Efforts of a joint have the other sign for certain if turned round they leave less than this, and as they are more than that.
const REVERSED: [f64; 2] = [0.1, 0.8];

/// A reading is likely that does so.
const LIKELY: [f64; 2] = [0.5, 0.6];

/// A reading matters to joints of which it leaves more or less by this part; where they are explained as said it is not doubted.
const MATTERS: f64 = 0.1;
const UNEXPLAINED: f64 = 0.3;

/// No robot is recorded with fewer samples a second, Hz.
const SLOW: f64 = 5.0;

/// What a reading of time may leave more than the one that was said, if that is as slow.
const NOT_WORSE: f64 = 1.1;

/// What the robot's file makes unlikely about a recording.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(transparent)]
pub enum Suspicion {
    /// Units and signs.
    Misread(Misread),
    /// The order of columns.
    Exchanged(Exchanged),
    /// The size of one joint's efforts.
    Disproportion(Disproportion),
}

impl Suspicion {
    /// Whether nothing else is likely, so that the recording is to be refused.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        match self {
            Self::Misread(misread) => misread.is_certain,
            Self::Exchanged(exchanged) => exchanged.is_certain,
            Self::Disproportion(_) => true,
        }
    }
}

/// All that the robot's file makes unlikely, the surest first; columns of `accept.unit` are left alone. `filter` is that of the
/// measurement's motion.
///
/// # Errors
/// If the filter does not fit the measurement.
pub fn suspicions<'r>(
    robot: impl Into<Robot<'r>>,
    layout: &Layout,
    measurement: &Measurement,
    filter: &Filter,
) -> Result<Vec<Suspicion>, DataError> {
    let robot = robot.into();
    // Without a low-pass, accelerations are noise, and say nothing about units.
    let chosen = Smoothing::default().chosen(&[measurement])?;
    let motion = smooth(measurement, if filter.cut_off.is_some() { filter } else { &chosen })?;
    let sight = Sight::new(robot, layout, &motion);
    let as_said = sight.residuals(Reading::AsSaid);
    let misread = misread(robot, layout, measurement, &sight, &as_said);
    let exchanged = exchange::exchanged(&sight, layout, measurement, &as_said);
    let mut found: Vec<Suspicion> = misread.into_iter().map(Suspicion::Misread).collect();
    // Units of all columns would make every joint odd.
    if found.iter().all(|suspicion| !suspicion.is_certain()) {
        found.extend(exchanged.map(Suspicion::Exchanged));
        if found.iter().all(|suspicion| !suspicion.is_certain()) {
            let odd = proportion::disproportions(&sight, layout, measurement);
            found.extend(odd.into_iter().map(Suspicion::Disproportion));
        }
    }
    // Beside what is certain, readings that are only likely follow from it.
    if found.iter().any(Suspicion::is_certain) {
        found.retain(Suspicion::is_certain);
    }
    Ok(found)
}

/// Ways of reading a recording that fit the robot's file much better than the one that was said, the surest first.
fn misread(
    robot: Robot<'_>,
    layout: &Layout,
    measurement: &Measurement,
    sight: &Sight<'_>,
    as_said: &[Option<f64>],
) -> Vec<Misread> {
    let accepted = |reading: Reading| {
        let mut columns = columns(layout, reading.part()).peekable();
        columns.peek().is_some() && columns.all(|column| layout.accepted.unit.contains(column))
    };
    let whole = together(as_said);
    let mut found: Vec<Misread> = Vec::new();
    let of_all = readings(robot, layout).into_iter().filter(|&reading| reading != Reading::Turns && !accepted(reading));
    for reading in of_all {
        let residuals = sight.residuals(reading);
        let otherwise = together(&residuals);
        let is = |[most, part]: [f64; 2]| {
            let is_better = |said: f64, otherwise: f64| otherwise < most && otherwise < part * said;
            is_better(whole, otherwise) || (reading.part() != Part::Effort && tells(as_said, &residuals, is_better))
        };
        let is_slow = measurement.clock.rate() < SLOW && reading.is_faster() && otherwise <= NOT_WORSE * whole;
        if is(LIKELY) || is_slow {
            let columns = columns(layout, reading.part()).cloned().collect();
            let is_certain = is(CERTAIN);
            let units = match reading.part() {
                Part::Effort => reading.units_of_efforts(robot, layout),
                Part::Position | Part::Time => reading.units(robot, layout, None),
            };
            let evidence = Evidence { as_said: whole, otherwise };
            found.push(Misread { reading, joint: None, columns, units, evidence, is_certain });
        }
    }
    for single in of_positions(robot, sight, layout, measurement, whole) {
        // Of all columns read alike, one that is enough by itself is the likelier.
        found.retain(|other| other.reading != single.reading || other.evidence.otherwise < single.evidence.otherwise);
        if found.iter().all(|other| other.reading != single.reading) {
            found.push(single);
        }
    }
    if found.iter().all(|misread| !misread.is_certain) {
        found.extend(of_joints(sight, layout, measurement, as_said));
    }
    found.sort_by(|one, other| one.evidence.otherwise.total_cmp(&other.evidence.otherwise));
    found
}

/// Positions of one joint that are in another unit than those of the others, or counted the other way with its efforts; of each reading
/// the best.
fn of_positions(
    robot: Robot<'_>,
    sight: &Sight<'_>,
    layout: &Layout,
    measurement: &Measurement,
    as_said: f64,
) -> Vec<Misread> {
    let mut found = Vec::new();
    let of_position = readings(robot, layout).into_iter().filter(|reading| reading.part() == Part::Position);
    let free = sight.with_any_rotor();
    let of_free = together(&free.residuals(Reading::AsSaid));
    for reading in of_position.chain([Reading::Turned]) {
        let (sight, as_said) = if reading == Reading::Turns { (&free, of_free) } else { (sight, as_said) };
        let kinds = robot.measured().into_iter().map(|joint| robot.tree().links()[joint].joint);
        let read = kinds.enumerate().filter(|(k, kind)| {
            reading.of_position(*kind) != 1.0 && !layout.accepted.unit.contains(&layout.position.columns[*k])
        });
        let of_joint = |(k, _)| (k, together(&sight.residuals_of(reading, Some(k))));
        let Some((k, otherwise)) = read.map(of_joint).min_by(|one, other| one.1.total_cmp(&other.1)) else { continue };
        if otherwise < LIKELY[0] && otherwise < LIKELY[1] * as_said {
            found.push(Misread {
                reading,
                joint: Some(measurement.joints[k].clone()),
                columns: vec![layout.position.columns[k].clone()],
                units: reading.units(robot, layout, Some(k)),
                evidence: Evidence { as_said, otherwise },
                is_certain: reading != Reading::Turns && otherwise < CERTAIN[0] && otherwise < CERTAIN[1] * as_said,
            });
        }
    }
    found
}

/// Efforts of single joints that fit the file in another reading only. The file may be wrong as well, and a rotor that it forgets looks
/// like efforts that are too large, so that hardly one is certain.
fn of_joints(sight: &Sight<'_>, layout: &Layout, measurement: &Measurement, as_said: &[Option<f64>]) -> Vec<Misread> {
    let mut found: Vec<Misread> = Vec::new();
    for reading in [Reading::Reversed, Reading::Thousandfold, Reading::Thousandth] {
        for (k, (said, other)) in as_said.iter().zip(sight.residuals(reading)).enumerate() {
            let (Some(as_said), Some(otherwise), column) = (*said, other, &layout.effort.columns[k]) else { continue };
            let is_better = otherwise < CERTAIN[0] && otherwise < CERTAIN[1] * as_said;
            if is_better && !layout.accepted.unit.contains(column) {
                let (joint, columns) = (Some(measurement.joints[k].clone()), vec![column.clone()]);
                found.push(Misread {
                    reading,
                    joint,
                    columns,
                    units: Vec::new(),
                    evidence: Evidence { as_said, otherwise },
                    is_certain: reading == Reading::Reversed && otherwise < REVERSED[0] && as_said > REVERSED[1],
                });
            }
        }
    }
    found
}

/// The motion, with efforts as smooth.
fn smooth(measurement: &Measurement, filter: &Filter) -> Result<JointMotion, DataError> {
    let mut motion = measurement.motion(filter)?;
    if let Some(cut_off) = filter.cut_off {
        let low_pass = LowPass::new(filter.order, cut_off, measurement.clock.rate())?;
        let smooth = measurement.effort.iter().map(|effort| low_pass.zero_phase(effort));
        motion.effort = smooth.collect::<Result<Vec<_>, SignalError>>()?.concat();
    }
    Ok(motion)
}

/// The columns that a reading is about.
fn columns(layout: &Layout, part: Part) -> impl Iterator<Item = &String> {
    let (time, of_joints): (Option<&String>, &[String]) = match (part, &layout.time) {
        (Part::Time, Time::Column { name, .. }) => (Some(name), &[]),
        (Part::Time, Time::Rate(_)) => (None, &[]),
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

/// The root of the mean square over the joints that are seen; those that cannot be as read count as three times unexplained.
fn together(residuals: &[Option<f64>]) -> f64 {
    const WORST: f64 = 3.0;
    let seen: Vec<f64> = residuals.iter().flatten().map(|residual| residual.min(WORST)).collect();
    if seen.is_empty() { WORST } else { (seen.iter().map(|x| x * x).sum::<f64>() / seen.len() as f64).sqrt() }
}
