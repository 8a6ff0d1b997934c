//! Columns of two joints that are exchanged: friction makes an effort follow the velocity of its own joint.
//!
//! Where the efforts of two joints are not explained as declared, the columns of their efforts, of their positions, or of both, are taken
//! for each other's, and the same fit as for units is made. Joints that move alike are explained either way, and not doubted. Where both
//! are exchanged friction is explained, and only bodies tell.

use super::reading::{Evidence, Part};
use super::{Declared, Found, Recorded, Suspicion, together};
use crate::thresholds::{CERTAIN, EXPLAINED, LIKELY, RIVAL};

/// Two joints that are taken for each other.
struct Exchange {
    joints: [usize; 2],
    columns: Vec<[String; 2]>,
    evidence: Evidence,
    is_certain: bool,
    left: f64, // of all joints
}

impl Recorded<'_> {
    /// The two joints that look exchanged most clearly, with rotors of any size: one that the file forgets makes its joint unlike itself.
    pub(super) fn exchanged(&self, free: &Declared<'_>) -> Option<Found> {
        let columns = |part: Part, joints: [usize; 2]| {
            let all = if part == Part::Effort { &self.layout.effort.columns } else { &self.layout.position.columns };
            joints.map(|joint| all[joint].clone())
        };
        let [few, much] = EXPLAINED;
        let Declared { sampled, residuals, whole } = free;
        let n = residuals.len();
        let mut found = Vec::new();
        for joints @ [i, k] in (0..n).flat_map(|k| (0..k).map(move |i| [i, k])) {
            let left = |residuals: &[Option<f64>]| together(&[residuals[i], residuals[k]]);
            let as_declared = left(residuals);
            // Who knows that the efforts, or the positions, are in order knows which joint is which. Legs of closed robots are assembled
            // anew each time.
            let is_accepted = |part: Part| self.are_accepted(&columns(part, joints));
            if sampled.turns(i) != sampled.turns(k)
                || is_accepted(Part::Effort)
                || is_accepted(Part::Position)
                || as_declared < if self.robot.closed().is_some() { much } else { few }
            {
                continue;
            }
            for parts in [&[Part::Effort][..], &[Part::Position], &[Part::Effort, Part::Position]] {
                let after = sampled.exchanged(parts, i, k).residuals();
                let (evidence, left) = (Evidence { as_declared, otherwise: left(&after) }, together(&after));
                // A small residual of a rough file is larger or smaller by chance.
                if evidence.is_below(if as_declared > much { LIKELY } else { CERTAIN }) && left < *whole {
                    let is_certain = evidence.is_below(CERTAIN) && as_declared > much;
                    let columns = parts.iter().map(|&part| columns(part, joints)).collect();
                    found.push(Exchange { joints, columns, evidence, is_certain, left });
                }
            }
        }
        let best = found.iter().min_by(|one, other| one.left.total_cmp(&other.left))?;
        // Positions and efforts may explain it alike.
        let as_good: Vec<&Exchange> = found
            .iter()
            .filter(|other| other.joints == best.joints && other.is_certain == best.is_certain)
            .filter(|other| other.left <= RIVAL[0] * best.left)
            .collect();
        let pairs = |exchange: &&Exchange| {
            let pairs = exchange.columns.iter().map(|[one, other]| format!("`{one}` and `{other}`"));
            pairs.collect::<Vec<_>>().join(" together with ")
        };
        let joints = best.joints.map(|joint| self.measurement.joints[joint].clone()).to_vec();
        let text = format!(
            "joints `{}` look exchanged in the columns {}: {}; exchange the names in the layout, or name the columns in accept.unit if \
             they are right",
            joints.join("` and `"),
            as_good.iter().map(pairs).collect::<Vec<_>>().join(", or "),
            best.evidence
        );
        let columns = as_good.iter().flat_map(|exchange| exchange.columns.concat()).collect();
        Some((best.left, Suspicion { joints, columns, is_certain: best.is_certain, text }))
    }
}
