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
//! than the one that was said is told; where it leaves little and the other most, it is certain, unless another explains as much that is
//! not. Of readings that explain the same only those that leave least are told.
//!
//! Nothing is told where the motion hardly shows the bodies, or the file is so far off that no reading explains the efforts.

mod exchange;
mod fit;
mod misread;
mod proportion;
mod reading;
mod residual;
mod scale;

pub use exchange::Exchanged;
pub use misread::Misread;
pub use proportion::Disproportion;
pub use reading::{Evidence, Reading};

use crate::data::{DataError, Filter, JointMotion, Layout, Measurement, Smoothing};
use crate::parameters::Robot;
use crate::signals::{LowPass, SignalError};
use fit::JointFit;
use residual::Sight;

/// A reading is certain that leaves less than this of the efforts, and less than this part of what the one that was said leaves.
const CERTAIN: [f64; 2] = [0.3, 0.33];

/// A reading is likely that does so.
const LIKELY: [f64; 2] = [0.5, 0.6];

/// Readings that leave more than the best one, by this factor and by this part of the efforts, are not told.
const RIVAL: [f64; 2] = [1.5, 0.02];

/// Independent equations a joint below which a recording is too short to be read otherwise.
const SHORT: usize = 10;

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

    /// The same where something else is as likely.
    fn doubted(mut self) -> Self {
        match &mut self {
            Self::Misread(misread) => misread.is_certain = false,
            Self::Exchanged(exchanged) => exchanged.is_certain = false,
            Self::Disproportion(_) => {}
        }
        self
    }
}

/// A recording as it was said to be.
struct Seen<'s> {
    sight: Sight<'s>,
    /// None where the robot cannot be so.
    fits: Option<Vec<Option<JointFit>>>,
    /// What is left of each joint's efforts.
    as_said: Vec<Option<f64>>,
    /// Of all together.
    whole: f64,
}

impl<'s> Seen<'s> {
    fn new(sight: Sight<'s>) -> Self {
        let fits = sight.fits(Reading::AsSaid, None);
        let as_said = sight.left(fits.as_deref());
        Self { whole: together(&as_said), sight, fits, as_said }
    }
}

/// What explains a recording otherwise, and what it leaves of the efforts of all joints.
struct Found {
    suspicion: Suspicion,
    whole: f64,
}

/// Those that leave least: what leaves more explains less, and follows from another. Nothing is certain where something that is not
/// explains as much.
fn surest(mut found: Vec<Found>) -> Vec<Suspicion> {
    found.sort_by(|one, other| one.whole.total_cmp(&other.whole));
    let least = found.first().map_or(0.0, |best| best.whole);
    found.retain(|found| found.whole <= (RIVAL[0] * least).max(least + RIVAL[1]));
    let is_certain = found.iter().take_while(|found| found.suspicion.is_certain()).count();
    let told = |(k, found): (usize, Found)| if k < is_certain { found.suspicion } else { found.suspicion.doubted() };
    found.into_iter().enumerate().map(told).collect()
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
    // In a piece of a motion anything explains anything.
    if measurement.span().equations < (SHORT * measurement.joints.len()) as f64 {
        return Ok(Vec::new());
    }
    // Without a low-pass, accelerations are noise, and say nothing about units.
    let chosen = Smoothing::default().chosen(&[measurement])?;
    let motion = smooth(measurement, if filter.cut_off.is_some() { filter } else { &chosen })?;
    let sight = Sight::new(robot, layout, &motion);
    let (sight, free) = (Seen::new(sight.clone()), Seen::new(sight.with_any_rotor()));
    let mut found = misread::misread(robot, layout, measurement, &sight, &free);
    found.extend(exchange::exchanged(&free, layout, measurement));
    let mut found = surest(found);
    // Units of all columns would make every joint odd.
    if found.iter().all(|suspicion| !suspicion.is_certain()) {
        let odd = proportion::disproportions(&sight.sight, layout, measurement);
        found.extend(odd.into_iter().map(Suspicion::Disproportion));
    }
    // Beside what is certain, readings that are only likely follow from it.
    if found.iter().any(Suspicion::is_certain) {
        found.retain(Suspicion::is_certain);
    }
    Ok(found)
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

/// The root of the mean square over the joints that are seen; those that cannot be as read count as three times unexplained.
fn together(residuals: &[Option<f64>]) -> f64 {
    const WORST: f64 = 3.0;
    let seen: Vec<f64> = residuals.iter().flatten().map(|residual| residual.min(WORST)).collect();
    if seen.is_empty() { WORST } else { (seen.iter().map(|x| x * x).sum::<f64>() / seen.len() as f64).sqrt() }
}
