//! Six legs that meet in pairs, at three points of the platform or of the base: the 6-3 platforms.

use super::super::held::Distance;
use crate::spatial::Vec3;

/// Points nearer to each other than this are one, over the longest of their distances.
const SAME: f64 = 1e-10;

/// Where legs meet in pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pairs {
    OnPlatform,
    OnBase,
}

impl Pairs {
    /// Where each leg shares its point with exactly one other; the platform where both do.
    pub(super) fn of(legs: &[Distance; 6]) -> Option<Self> {
        if partners(&legs.map(|leg| leg.point)).is_some() {
            Some(Self::OnPlatform)
        } else {
            partners(&legs.map(|leg| leg.centre)).map(|_| Self::OnBase)
        }
    }
}

/// Legs whose points are in pairs, the two of each pair after each other.
pub(super) fn in_pairs(legs: [Distance; 6], point: impl Fn(&Distance) -> Vec3) -> [Distance; 6] {
    let partners = partners(&legs.each_ref().map(point)).expect("legs in pairs");
    let mut order: Vec<usize> = Vec::new();
    for (k, &partner) in partners.iter().enumerate() {
        if k < partner {
            order.extend([k, partner]);
        }
    }
    core::array::from_fn(|k| legs[order[k]])
}

/// The other one at each point, where there is exactly one.
fn partners(points: &[Vec3; 6]) -> Option<[usize; 6]> {
    let far = |k: usize, other: usize| (points[k] - points[other]).norm();
    let size = (1..6).map(|k| far(0, k)).fold(0.0, f64::max);
    let mut partners = [0; 6];
    for (k, partner) in partners.iter_mut().enumerate() {
        let mut near = (0..6).filter(|&other| other != k && far(k, other) <= SAME * size);
        *partner = near.next().filter(|_| near.next().is_none())?;
    }
    Some(partners)
}
