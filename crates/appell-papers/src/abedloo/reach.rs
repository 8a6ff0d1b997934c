//! Where the legs of the wrist reach, and how far they are from stretched or folded: |h| over slices of attitudes.

use super::AgileWrist;
use appell::spatial::EulerAngles;

/// What a place of a slice is like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// A leg, counted from one, does not reach it.
    Beyond(usize),
    /// All legs do.
    Reached {
        /// The least |h| of the legs: zero where one is stretched or folded, a singularity of Type 1.
        least_h: f64,
        /// |det| of the three v × w, each of length one: zero where the drives hold nothing, a singularity of Type 2.
        drives: f64,
    },
}

/// The wrist at Euler angles.
#[must_use]
pub fn place(wrist: &AgileWrist, q: [f64; 3]) -> Place {
    let rotation = EulerAngles::Zyx.rotation(q);
    let mut least_h = f64::INFINITY;
    let mut rows = [rotation.rows[0]; 3];
    for (k, leg) in wrist.legs.iter().enumerate() {
        let Ok(leg) = leg.placed(&rotation) else { return Place::Beyond(k + 1) };
        let row = leg.v.cross(leg.w);
        rows[k] = row.scale(1.0 / row.norm());
        least_h = least_h.min(leg.h.abs());
    }
    Place::Reached { least_h, drives: rows[0].dot(rows[1].cross(rows[2])).abs() }
}
