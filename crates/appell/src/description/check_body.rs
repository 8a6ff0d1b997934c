//! What is wrong with the numbers of a body and of a pose.

use super::{BodyDescription, Finding, Problems};
use crate::spatial::{Pose, Vec3};

/// How far a principal moment may fall short of what physics asks, relative to the sum of the moments: thin rods
/// have one at zero and another at the limit of the triangle inequality, and printed tables are rounded.
const TOLERANCE: f64 = 4e-9;

/// Beyond this, products of a robot's numbers leave the range of f64.
pub(super) const LARGEST: f64 = 1e30;

/// A mass below this is none, but its reciprocal is a number that breaks others.
pub(super) const LIGHTEST: f64 = 1e-30;

pub(super) fn check_pose(problems: &mut Problems, place: &str, pose: &Pose<f64>) {
    let [a, b, c] = pose.rotation.rows;
    check_finite(problems, place, [a, b, c, pose.position].into_iter().flat_map(Vec3::to_array));
}

/// A body's numbers, at `place.mass`, `place.com` and `place.inertia`.
pub fn check_body(problems: &mut Problems, place: &str, body: &BodyDescription) {
    let BodyDescription { mass, com, inertia } = *body;
    let entries = [inertia.xx, inertia.yy, inertia.zz, inertia.xy, inertia.xz, inertia.yz];
    let inertia_place = format!("{place}.inertia");
    check_finite(problems, &format!("{place}.mass"), [mass]);
    check_finite(problems, &format!("{place}.com"), com.to_array());
    check_finite(problems, &inertia_place, entries);
    if mass > 0.0 && mass < LIGHTEST {
        problems.error(format!("{place}.mass"), Finding::TooLight { value: mass });
    }
    if mass < 0.0 {
        problems.error(format!("{place}.mass"), Finding::NegativeMass { value: mass });
    }
    if entries.iter().any(|entry| !entry.is_finite()) {
        return;
    }
    if mass == 0.0 && entries.iter().any(|&entry| entry != 0.0) {
        problems.warning(&inertia_place, Finding::InertiaWithoutMass);
    }
    let moments @ [least, middle, largest] = inertia.eigenvalues();
    let tolerance = TOLERANCE * moments.iter().map(|moment| moment.abs()).sum::<f64>();
    if least < -tolerance {
        problems.warning(&inertia_place, Finding::NegativeInertia { least });
    } else if largest > least + middle + tolerance {
        problems.warning(&inertia_place, Finding::TriangleInequality { moments });
    }
}

/// Names the first number that is not finite, or beyond all measure: one per place is enough to find it.
pub(super) fn check_finite(problems: &mut Problems, place: &str, numbers: impl IntoIterator<Item = f64>) {
    for value in numbers {
        let finding = match value.abs() {
            size if size <= LARGEST => continue,
            size if size.is_finite() => Finding::TooLarge { value },
            _ => Finding::NotFinite { value },
        };
        return problems.error(place, finding);
    }
}
