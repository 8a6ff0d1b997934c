//! Joints of several degrees of freedom as elementary ones, which turn about or slide along their own z, with massless bodies
//! between: what a tree is computed with.
//!
//! The last row of a joint J keeps its name and carries its body, so that what refers to J needs no change; its frame is
//! the joint's, so that what hangs on it needs none either. The others are called `J.PART`.
//!
//! A spherical joint is an anchored chain: the quaternion is put into turns that stand still while velocities are taken,
//! and into the first moving one; the other moving ones are at zero, where the three axes are orthogonal. No attitude is
//! singular. The rows of a free joint are three anchored turns, slides along the body's axes, then turns at zero.
//!
//! ```text
//! spherical   z(φ) x(θ) | y(ψ + ·) x(·) z(·)                      anchored | moving
//! free        z(φ) x(θ) y(ψ) | x → y → z →  x(·) y(·) z(·)
//! ```

use super::{
    Branch, Description, JointDescription, JointEffects, JointKind, JointType, KhalilKleinfinger, Limits, Mimic,
};
use crate::spatial::{Mat3, PlanarRotation, Pose, Vec3};
use core::f64::consts::{FRAC_PI_2, TAU};
use std::borrow::Cow;

/// A joint of several elementary ones, in a description of elementary joints alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Compound {
    /// The joint's name, and that of its last row.
    pub name: String,
    /// Its type.
    pub kind: JointType,
    /// Its first row.
    pub first: usize,
    /// How many rows it has.
    pub rows: usize,
}

impl Compound {
    /// Whether a row is one of its own.
    #[must_use]
    pub fn has(&self, row: Option<usize>) -> bool {
        row.is_some_and(|row| (self.first..self.first + self.rows).contains(&row))
    }
}

/// How quaternions are written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charts {
    /// By anchored turns, so that no attitude is singular.
    Anchored,
    /// Without: three turns from q = 0, singular a right angle away. Loops have no place for rows that stand still.
    AtZero,
}

/// One elementary joint of a compound.
struct Part {
    /// What is added to the joint's name; the last row has none.
    name: &'static str,
    kind: JointKind,
    axis: Axis,
    anchored: bool,
}

#[derive(Clone, Copy)]
enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    /// Axes with this one as z.
    fn frame(self) -> Mat3<f64> {
        match self {
            Self::X => PlanarRotation::exact(FRAC_PI_2).matrix_y(),
            Self::Y => PlanarRotation::exact(-FRAC_PI_2).matrix_x(),
            Self::Z => Mat3::identity(0.0),
        }
    }
}

impl JointType {
    /// The elementary joints of one with several, in order.
    fn parts(self, charts: Charts) -> Vec<Part> {
        use Axis::{X, Y, Z};
        use JointKind::{Prismatic, Revolute};
        let moving = |name, kind, axis| Part { name, kind, axis, anchored: false };
        let still = |name, axis| Part { name, kind: Revolute, axis, anchored: true };
        let mut parts = match self {
            Self::Revolute | Self::Prismatic => vec![moving("", self.last(), Z)],
            Self::Universal => vec![moving(".x", Revolute, X), moving("", Revolute, Z)],
            Self::Cylindrical | Self::Screw => vec![moving(".slide", Prismatic, Z), moving("", Revolute, Z)],
            Self::Planar => {
                vec![moving(".x", Prismatic, X), moving(".y", Prismatic, Y), moving("", Revolute, Z)]
            }
            Self::Spherical => vec![
                still(".a1", Z),
                still(".a2", X),
                moving(".wy", Revolute, Y),
                moving(".wx", Revolute, X),
                moving("", Revolute, Z),
            ],
            Self::Free => vec![
                still(".a1", Z),
                still(".a2", X),
                still(".a3", Y),
                moving(".vx", Prismatic, X),
                moving(".vy", Prismatic, Y),
                moving(".vz", Prismatic, Z),
                moving(".wx", Revolute, X),
                moving(".wy", Revolute, Y),
                moving("", Revolute, Z),
            ],
        };
        parts.retain(|part| charts == Charts::Anchored || !part.anchored);
        parts
    }

    /// What is added to a joint's name for its rows but the last.
    pub(super) fn part_names(self) -> impl Iterator<Item = &'static str> {
        self.parts(Charts::Anchored).into_iter().map(|part| part.name).filter(|name| !name.is_empty())
    }
}

/// A description of revolute and prismatic joints alone, and which of them belong together.
///
/// Friction, rotor, spring and limits of a universal joint are those of either turn, of any other joint of its last one.
#[must_use]
pub fn elementary(description: &Description, charts: Charts) -> (Cow<'_, Description>, Vec<Compound>) {
    if description.joints.iter().all(|joint| joint.kind.elementary().is_some()) {
        return (Cow::Borrowed(description), Vec::new());
    }
    let (mut joints, mut compounds) = (Vec::new(), Vec::new());
    for joint in &description.joints {
        if joint.kind.elementary().is_some() {
            joints.push(joint.clone());
            continue;
        }
        let first = joints.len();
        write_out(joint, charts, &mut joints);
        compounds.push(Compound { name: joint.name.clone(), kind: joint.kind, first, rows: joints.len() - first });
    }
    (Cow::Owned(Description { joints, ..description.clone() }), compounds)
}

fn write_out(joint: &JointDescription, charts: Charts, joints: &mut Vec<JointDescription>) {
    let parts = joint.kind.parts(charts);
    let (last, mut before) = (parts.len() - 1, Mat3::identity(0.0));
    for (k, part) in parts.iter().enumerate() {
        let frame = part.axis.frame();
        let turned = Pose { rotation: before.transpose() * frame, position: Vec3::zero(0.0) };
        let placement = match (k, part.axis) {
            (0, Axis::Z) => joint.placement,
            (0, _) => KhalilKleinfinger::from_pose(&(joint.placement.pose() * turned)),
            _ => KhalilKleinfinger::from_pose(&turned),
        };
        let parent = if k == 0 { joint.parent.clone() } else { joints.last().map(|above| above.name.clone()) };
        let row = JointDescription::new(format!("{}{}", joint.name, part.name), part.kind);
        let row = JointDescription { parent, placement, driven: joint.driven, branch: joint.branch, ..row };
        joints.push(if k == last {
            let JointDescription { effects, limits, home, link_frame, body, .. } = *joint;
            // On which side a screw is, its slide says: it turns many times.
            let branch = if joint.kind == JointType::Screw { Branch::Any } else { joint.branch };
            JointDescription { effects, limits, mimic: joint.mimic.clone(), home, branch, link_frame, body, ..row }
        } else if joint.kind == JointType::Universal {
            JointDescription { effects: joint.effects, limits: joint.limits, ..row }
        } else if joint.kind == JointType::Screw {
            let mimic = Mimic::new(&joint.name, joint.pitch / TAU, 0.0);
            JointDescription { mimic: Some(mimic), home: joint.home * joint.pitch / TAU, driven: false, ..row }
        } else {
            row
        });
        before = frame;
    }
}

impl JointDescription {
    /// What a joint whose position is a quaternion cannot have: positions to be limited or followed, and forces by axis.
    pub(super) fn unfit_of_quaternion(&self) -> impl Iterator<Item = &'static str> {
        let Limits { lower, upper, .. } = self.limits;
        let has_effects = |part: JointEffects| part != JointEffects::default();
        let JointEffects { friction, rotor, spring } = self.effects;
        let none = JointEffects::default();
        [
            (lower > f64::NEG_INFINITY || upper < f64::INFINITY, "limits"),
            (has_effects(JointEffects { friction, ..none }), "friction"),
            (has_effects(JointEffects { rotor, ..none }), "rotor"),
            (has_effects(JointEffects { spring, ..none }), "spring"),
            (self.mimic.is_some(), "mimic"),
        ]
        .into_iter()
        .filter_map(move |(has, what)| (self.kind.is_quaternion() && has).then_some(what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frame of the last row is the joint's own, wherever the joint is.
    #[test]
    fn rows_end_in_the_joints_frame() {
        let placement = KhalilKleinfinger { gamma: 0.3, b: 0.1, e: 0.0, alpha: -0.7, d: 0.2, theta: 0.4, r: -0.5 };
        for kind in JointType::ALL {
            for charts in [Charts::Anchored, Charts::AtZero] {
                let joint = JointDescription { placement, ..JointDescription::new("j", kind) };
                let robot = Description { joints: vec![joint], ..Description::default() };
                let (written, _) = elementary(&robot, charts);
                let end = written.joints.iter().fold(Pose::identity(0.0), |pose, row| pose * row.placement.pose());
                let pairs = end.to_array().into_iter().zip(placement.pose().to_array());
                assert!(pairs.into_iter().all(|(found, expected)| (found - expected).abs() < 1e-15), "{kind:?}");
                assert_eq!(written.joints.last().unwrap().name, "j");
            }
        }
    }

    #[test]
    fn elementary_robots_are_left_alone() {
        let robot =
            Description { joints: vec![JointDescription::new("j", JointKind::Prismatic)], ..Description::default() };
        assert!(matches!(elementary(&robot, Charts::Anchored), (Cow::Borrowed(_), compounds) if compounds.is_empty()));
    }
}
