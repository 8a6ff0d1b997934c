//! Efforts of one joint that are out of all proportion: friction and rotors may have any size, so that they explain efforts in any
//! unit, but not efforts that are stronger than all other drives of the robot, nor ones that are far from what its file knows.

use super::candidate_fit::CandidateFit;
use super::reading::times;
use super::{Guess, Suspicion};
use crate::data::{Layout, Measurement};
use crate::thresholds::{BEYOND_ALONE, BEYOND_BODIES, BEYOND_OTHERS, OTHER_UNIT};
use core::fmt::{self, Formatter};

/// What may be a thousand times, of a rough file.
const THOUSAND: core::ops::Range<f64> = 30.0..30_000.0;

/// Efforts that no joint of this robot has, in words: their size, that of the file, and that of others.
pub(super) fn write(
    f: &mut Formatter<'_>,
    joints: &[String],
    column: &str,
    unit: &str,
    [size, of_file]: [f64; 2],
    of_others: Option<f64>,
) -> fmt::Result {
    let joint = joints.join("`, `");
    write!(f, "the torques or forces of joint `{joint}` (`{column}`), {} {unit} on the average, are ", times(size))?;
    if of_file == 0.0 {
        write!(f, "not nothing, as by the robot's file")?;
    } else if size > of_file {
        write!(f, "{} times what the robot's file needs there", times(size / of_file))?;
    } else {
        write!(f, "{} times less than what the robot's file needs there", times(of_file / size))?;
    }
    if let Some(others) = of_others {
        write!(f, ", and {} times those of any other joint", times(size / others))?;
    }
    // Friction that the file lacks is no unit.
    let ratio = (size / of_file).max(of_file / size);
    let question = match THOUSAND.contains(&ratio) {
        true if size > of_file => format!(" are they in m{unit}?"),
        true => format!(" are they in k{unit}, or {unit} called m{unit}?"),
        false => String::new(),
    };
    write!(
        f,
        ":{question} Check effort.unit, which may be one per column, constants and gears; or name the column in accept.unit if it is right, or say in \
         the robot's file what friction and rotor the joint has"
    )
}

/// The joints whose efforts are out of proportion.
pub(super) fn disproportions(fit: &CandidateFit<'_>, layout: &Layout, measurement: &Measurement) -> Vec<Suspicion> {
    let Some(needs) = fit.needs() else { return Vec::new() };
    let sizes = fit.sizes();
    let judged = |k: usize| {
        let (size, need) = (sizes[k], needs[k]);
        let others = (0..sizes.len()).filter(|&j| j != k && fit.are_alike(j, k));
        let strongest = others.map(|j| sizes[j].max(needs[j].whole)).fold(0.0, f64::max);
        let of_others = match (size > 0.0, need.has_friction) {
            (true, true) if size > OTHER_UNIT * need.whole || need.whole > OTHER_UNIT * size => None,
            (true, false) if need.bodies > OTHER_UNIT * size => None,
            (true, false) if strongest == 0.0 && size > BEYOND_ALONE * need.bodies && need.bodies > 0.0 => None,
            (true, false)
                if size > BEYOND_BODIES * need.bodies && size > BEYOND_OTHERS * strongest && strongest > 0.0 =>
            {
                Some(strongest)
            }
            _ => return None,
        };
        let column = layout.effort.columns[k].clone();
        let is_doubted = !layout.accepted.unit.contains(&column);
        let joint = measurement.joints[k].clone();
        let unit = if fit.turns(k) { "N m" } else { "N" };
        let guess = Guess::Disproportion { column, unit, size, of_file: need.whole, of_others };
        is_doubted.then_some(Suspicion { guess, joints: vec![joint], is_certain: true })
    };
    (0..sizes.len()).filter_map(judged).collect()
}
