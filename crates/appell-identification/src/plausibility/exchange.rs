//! Columns of two joints that are exchanged: friction makes an effort follow the velocity of its own joint.
//!
//! Where the efforts of two joints are not explained as declared, the columns of their efforts, of their positions, or of both, are taken
//! for each other's, and the same fit as for units is made. Joints that move alike are explained either way, and not doubted. Where both
//! are exchanged friction is explained, and only bodies tell.

use super::reading::{Evidence, Part, Reading};
use super::{Declared, Found, Guess, Suspicion, together};
use crate::data::{Layout, Measurement};
use crate::thresholds::{CERTAIN, EXPLAINED, LIKELY, RIVAL};
use core::fmt::{self, Formatter};

/// Two joints that fit the robot's file much better when each is taken for the other, in words.
pub(super) fn write(
    f: &mut Formatter<'_>,
    joints: &[String],
    pairs: &[Vec<[String; 2]>],
    evidence: Evidence,
) -> fmt::Result {
    let pair = |[one, other]: &[String; 2]| format!("`{one}` and `{other}`");
    let together = |pairs: &Vec<[String; 2]>| pairs.iter().map(pair).collect::<Vec<_>>().join(" together with ");
    let pairs: Vec<String> = pairs.iter().map(together).collect();
    write!(
        f,
        "joints `{}` look exchanged in the columns {}: {evidence}; exchange the names in the layout, \
         or name the columns in accept.unit if they are right",
        joints.join("` and `"),
        pairs.join(", or ")
    )
}

/// The two joints that look exchanged most clearly, with rotors of any size: one that the file forgets makes its joint unlike itself.
pub(super) fn exchanged(free: &Declared<'_>, layout: &Layout, measurement: &Measurement) -> Option<Found> {
    let of = |part: Part, joint: usize| match part {
        Part::Effort => layout.effort.columns[joint].clone(),
        _ => layout.position.columns[joint].clone(),
    };
    let [few, much] = EXPLAINED;
    let Declared { fit, residuals, whole: of_all, .. } = free;
    let n = residuals.len();
    let mut found = Vec::new(); // what is left of all joints, which two, by which columns, with what evidence, and whether for certain
    for [i, k] in (0..n).flat_map(|k| (0..k).map(move |i| [i, k])).filter(|&[i, k]| fit.are_alike(i, k)) {
        // Who knows that the efforts, or the positions, are in order knows which joint is which.
        let is_accepted = |part: Part| [i, k].iter().all(|&joint| layout.accepted.unit.contains(&of(part, joint)));
        if is_accepted(Part::Effort) || is_accepted(Part::Position) {
            continue;
        }
        let left = |residuals: &[Option<f64>]| together(&[residuals[i], residuals[k]]);
        let as_declared = left(residuals);
        // Legs of closed robots are assembled anew each time.
        if as_declared < if fit.is_closed() { much } else { few } {
            continue;
        }
        for parts in [&[Part::Effort][..], &[Part::Position], &[Part::Effort, Part::Position]] {
            let after = fit.exchanged(parts, i, k).residuals(Reading::AsDeclared, None);
            let (evidence, whole) = (Evidence { as_declared, otherwise: left(&after) }, together(&after));
            // A small residual of a rough file is larger or smaller by chance.
            if evidence.is_below(if as_declared > much { LIKELY } else { CERTAIN }) && whole < *of_all {
                let pairs: Vec<[String; 2]> = parts.iter().map(|&part| [of(part, i), of(part, k)]).collect();
                let is_certain = evidence.is_below(CERTAIN) && as_declared > much;
                found.push((whole, [i, k], pairs, evidence, is_certain));
            }
        }
    }
    let &(whole, best, _, evidence, is_certain) = found.iter().min_by(|one, other| one.0.total_cmp(&other.0))?;
    // Positions and efforts may explain it alike.
    let as_good = found.into_iter().filter(|(left, joints, _, _, other_is_certain)| {
        *joints == best && *other_is_certain == is_certain && *left <= RIVAL[0] * whole
    });
    let guess = Guess::Exchanged { pairs: as_good.map(|(_, _, pairs, _, _)| pairs).collect(), evidence };
    let joints = best.map(|joint| measurement.joints[joint].clone()).to_vec();
    Some(Found { suspicion: Suspicion { guess, joints, is_certain }, whole })
}
