//! Units, signs and exchanged joints that the robot's file makes unlikely: the residual of a recording when it is
//! read in another way.
//!
//! The robot's file says roughly what torques a motion needs. Per joint, means removed,
//!
//! ```text
//! s τ ≈ α g(q) + β d(q, q̇, q̈) + I q̈ + Fv q̇ + Fc sign q̇          ⅕ ≤ α, β ≤ 5     0 ≤ I ≤ 20 ‖d‖/‖q̈‖     Fv, Fc ≥ 0
//! ```
//!
//! with the file's gravity g and the rest d of what its bodies and rotors need, so that masses may be wrong by five, rotors forgotten and
//! friction whatever it is. The columns depend on how positions, time and efforts are read: degrees turn g into noise, milliseconds
//! taken for seconds make d a millionth, mN m or a wrong sign cannot be had within the bounds. A reading with a much smaller
//! residual than the declared one is reported; where its residual is small and the other large, it is certain, unless another explains as much that is
//! not. Of readings that explain the same only those with the smallest residual are reported.
//!
//! | guess | of |
//! |---|---|
//! | another unit | all positions, time, all efforts; positions or efforts of one joint |
//! | the other sign | all efforts; positions, efforts, or both, of one joint |
//! | exchanged joints | efforts, positions, or both, of two joints |
//!
//! Delays are seen in the residual of the fit: [`delays`](crate::estimate::delays()). What else is wrong shows in that residual alone. Nothing is
//! reported where the motion hardly shows the bodies, or the file is so far off that no reading explains the torques.

mod exchange;
mod fit;
mod misread;
mod proportion;
mod reading;
mod sampled_motion;

use crate::data::{DataError, Filter, Layout, Measurement, Smoothing};
use crate::thresholds::{RIVAL, SHORT_RECORDING};
use appell::Robot;
use core::fmt;
use sampled_motion::{INSTANTS, SampledMotion};

/// What the robot's file makes unlikely about a recording; its text says why, and what to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Suspicion {
    /// Whose columns; none where it is about those of all joints.
    pub joints: Vec<String>,
    /// The columns.
    pub columns: Vec<String>,
    /// Whether nothing else is likely, so that the recording is to be refused.
    pub is_certain: bool,
    text: String,
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What is suspected.
struct Recorded<'r> {
    robot: &'r Robot,
    layout: &'r Layout,
    measurement: &'r Measurement,
}

impl Recorded<'_> {
    /// Whether the user knows better about all of these columns.
    fn are_accepted(&self, columns: &[String]) -> bool {
        columns.iter().all(|column| self.layout.accepted.unit.contains(column))
    }
}

/// A recording as it was declared.
struct Declared<'s> {
    sampled: SampledMotion<'s>,
    /// The residual of each joint.
    residuals: Vec<Option<f64>>,
    /// Of all together.
    whole: f64,
}

impl<'s> Declared<'s> {
    fn new(sampled: SampledMotion<'s>) -> Self {
        let residuals = sampled.residuals();
        Self { whole: together(&residuals), sampled, residuals }
    }
}

/// The residual of all joints with what explains a recording otherwise, and that.
type Found = (f64, Suspicion);

/// Those with the smallest residual: what has a larger one explains less, and follows from another. Nothing is certain where something that is not
/// explains as much.
fn surest(mut found: Vec<Found>) -> Vec<Suspicion> {
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    let least = found.first().map_or(0.0, |best| best.0);
    found.retain(|(left, _)| *left <= (RIVAL[0] * least).max(least + RIVAL[1]));
    let doubted = found.iter().position(|(_, suspicion)| !suspicion.is_certain).unwrap_or(found.len());
    found[doubted..].iter_mut().for_each(|(_, suspicion)| suspicion.is_certain = false);
    found.into_iter().map(|(_, suspicion)| suspicion).collect()
}

/// All that the robot's file makes unlikely, the surest first; columns of `accept.unit` are left alone. `filter` is that of the
/// measurement's motion.
///
/// # Errors
/// If the filter does not fit the measurement.
pub fn suspicions(
    robot: &Robot,
    layout: &Layout,
    measurement: &Measurement,
    filter: &Filter,
) -> Result<Vec<Suspicion>, DataError> {
    // In a piece of a motion anything explains anything.
    if measurement.span().equations < (SHORT_RECORDING * measurement.joints.len()) as f64 {
        return Ok(Vec::new());
    }
    // Without a low-pass, accelerations are noise, and say nothing about units.
    let filter = if filter.cut_off.is_some() { *filter } else { Smoothing::default().chosen(&[measurement])? };
    let sampled = SampledMotion::new(robot, layout, measurement.smooth(&filter, INSTANTS)?);
    let (free, bounded) = (Declared::new(sampled.with_any_rotor()), Declared::new(sampled));
    let recorded = Recorded { robot, layout, measurement };
    let mut found = recorded.misread(&bounded, &free);
    found.extend(recorded.exchanged(&free));
    let mut found = surest(found);
    // Units of all columns would make every joint odd.
    if found.iter().all(|suspicion| !suspicion.is_certain) {
        found.extend(recorded.disproportions(&bounded.sampled));
    }
    // Beside what is certain, readings that are only likely follow from it.
    if found.iter().any(|suspicion| suspicion.is_certain) {
        found.retain(|suspicion| suspicion.is_certain);
    }
    Ok(found)
}

/// The root of the mean square over the joints that are seen; those where the robot cannot be as read count as three times unexplained.
fn together(residuals: &[Option<f64>]) -> f64 {
    const WORST: f64 = 3.0;
    let sampled: Vec<f64> = residuals.iter().flatten().map(|residual| residual.min(WORST)).collect();
    if sampled.is_empty() { WORST } else { (sampled.iter().map(|x| x * x).sum::<f64>() / sampled.len() as f64).sqrt() }
}
