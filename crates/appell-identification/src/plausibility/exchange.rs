//! Columns of two joints that are exchanged: friction makes an effort follow the velocity of its own joint.
//!
//! Where the efforts of two joints are not explained as said, the columns of their efforts, of their positions, or of both, are taken
//! for each other's, and the same fit as for units is made. Joints that move alike are explained either way, and not doubted. Where both
//! are exchanged friction is explained, and only bodies tell.

use super::reading::{Evidence, Part, Reading};
use super::{CERTAIN, Found, LIKELY, RIVAL, Seen, Suspicion, together};
use crate::data::{Layout, Measurement};
use core::fmt::{self, Display, Formatter};

/// Two joints of which less than this is left of their efforts are not looked at.
const EXPLAINED: f64 = 0.03;

/// And none is certain of which less is left than this. Closed robots, whose legs are assembled anew each time, are only looked at beyond it.
const MUCH_LEFT: f64 = 0.2;

/// Two columns that fit the robot's file much better when each is taken for the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchanged {
    /// The joints.
    pub joints: [String; 2],
    /// Pairs of columns that explain it: each by itself, or some together.
    pub columns: Vec<Vec<[String; 2]>>,
    /// What is left of the efforts of both joints.
    pub evidence: Evidence,
    /// Whether nothing else is likely.
    pub is_certain: bool,
}

impl core::error::Error for Exchanged {}

impl Display for Exchanged {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { joints: [first, second], columns, evidence, .. } = self;
        let pair = |[one, other]: &[String; 2]| format!("`{one}` and `{other}`");
        let together = |pairs: &Vec<[String; 2]>| pairs.iter().map(pair).collect::<Vec<_>>().join(" together with ");
        let pairs: Vec<String> = columns.iter().map(together).collect();
        write!(
            f,
            "joints `{first}` and `{second}` look exchanged in the columns {}: {evidence}; exchange the names in the layout, \
             or name the columns in accept.unit if they are right",
            pairs.join(", or ")
        )
    }
}

/// The two joints that look exchanged most clearly, with rotors of any size: one that the file forgets makes its joint unlike itself.
pub(super) fn exchanged(free: &Seen<'_>, layout: &Layout, measurement: &Measurement) -> Option<Found> {
    let of = |part: Part, joint: usize| match part {
        Part::Effort => layout.effort.columns[joint].clone(),
        _ => layout.position.columns[joint].clone(),
    };
    let Seen { sight, as_said, whole: of_all, .. } = free;
    let n = as_said.len();
    let mut found: Vec<(f64, Exchanged)> = Vec::new();
    for [i, k] in (0..n).flat_map(|k| (0..k).map(move |i| [i, k])).filter(|&[i, k]| sight.are_alike(i, k)) {
        // Who knows that the efforts, or the positions, are in order knows which joint is which.
        let is_accepted = |part: Part| [i, k].iter().all(|&joint| layout.accepted.unit.contains(&of(part, joint)));
        if is_accepted(Part::Effort) || is_accepted(Part::Position) {
            continue;
        }
        let left = |residuals: &[Option<f64>]| together(&[residuals[i], residuals[k]]);
        let before = left(as_said);
        if before < if sight.is_closed() { MUCH_LEFT } else { EXPLAINED } {
            continue;
        }
        for parts in [&[Part::Effort][..], &[Part::Position], &[Part::Effort, Part::Position]] {
            let columns: Vec<[String; 2]> = parts.iter().map(|&part| [of(part, i), of(part, k)]).collect();
            let after = sight.exchanged(parts, i, k).residuals(Reading::AsSaid);
            let (otherwise, whole) = (left(&after), together(&after));
            let is = |[most, part]: [f64; 2]| otherwise < most && otherwise < part * before;
            // Of little a rough file leaves more or less by chance.
            let is_likely = is(if before > MUCH_LEFT { LIKELY } else { CERTAIN });
            if is_likely && whole < *of_all {
                let joints = [i, k].map(|joint| measurement.joints[joint].clone());
                let evidence = Evidence { as_said: before, otherwise };
                let is_certain = is(CERTAIN) && before > MUCH_LEFT;
                found.push((whole, Exchanged { joints, columns: vec![columns], evidence, is_certain }));
            }
        }
    }
    let (whole, mut best) = found.iter().min_by(|one, other| one.0.total_cmp(&other.0))?.clone();
    // Positions and efforts may explain it alike.
    let as_good = |(left, other): &(f64, Exchanged)| {
        other.joints == best.joints && other.is_certain == best.is_certain && *left <= RIVAL[0] * whole
    };
    best.columns = found.into_iter().filter(as_good).flat_map(|(_, other)| other.columns).collect();
    Some(Found { suspicion: Suspicion::Exchanged(best), whole })
}
