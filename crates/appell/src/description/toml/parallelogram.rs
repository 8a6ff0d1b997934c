//! Parallelograms in chains: a row that is two rods side by side, which keep what they carry from turning.
//!
//! ```text
//!            width
//!      ─────┬──┬─────  parent       y
//!           │  │                    │
//!   length  │  │  rods              └── the rods turn about z; at q = 0 they lie along x
//!           │  │
//!      ─────┴──┴─────  ROW.end
//! ```
//!
//! The row is a joint that turns. Its frame is in the middle between the rods, which turn about axes parallel to its z,
//! half the width from it along y. The row itself becomes the first rod; `ROW.second` is the other, alike, and
//! `ROW.end` what both carry, with its frame in the middle between their ends. What follows the row stands on `ROW.end`.
//! A closing joint `ROW.pin` holds the second rod by a point. Across the plane that repeats what the axes demand: the robot
//! is over-constrained by one constraint, as parallelograms are.

use super::reader::{Reader, Table};
use super::sections::{body, part};
use crate::description::quantity::Dimension;
use crate::description::{
    Attachment, BodyDescription, Carrier, ClosingJoint, ClosureDescription, Finding, JointDescription, JointEffects,
    JointKind, KhalilKleinfinger, Limits,
};
use crate::spatial::{Mat3, Pose, Vec3};

/// Two rods for one row of a chain.
#[derive(Debug, Clone)]
pub(super) struct Parallelogram {
    row: String,
    length: f64,
    width: f64,
    end: BodyDescription,
}

/// The parallelograms of a chain, whose rows are `joints`.
pub(super) fn parallelograms(reader: &mut Reader, chain: &Table, joints: &[JointDescription]) -> Vec<Parallelogram> {
    let mut found = Vec::new();
    for (row, node) in reader.sections(chain, "parallelogram") {
        let Some(section) = reader.table(&node, &["length", "width", "end"]) else { continue };
        let known: Vec<String> = joints.iter().map(|joint| joint.name.clone()).collect();
        match joints.iter().find(|joint| joint.name == row) {
            Some(joint) if joint.kind != JointKind::Revolute => {
                reader.error(&node.place, Finding::SlidingParallelogram);
            }
            Some(_) => {}
            None => reader.error(&node.place, Finding::UnknownLegJoint { name: row.into(), known }),
        }
        let mut length = |key: &str| {
            let node = reader.require(&section, key, "a length, m");
            let length = node.map_or(f64::NAN, |node| {
                let length = reader.constant(&node, Dimension::Length);
                if length <= 0.0 {
                    reader.error(&node.place, Finding::NotPositive { value: length });
                }
                length
            });
            if length > 0.0 { length } else { 1.0 }
        };
        let (length, width) = (length("length"), length("width"));
        let end = part(reader, &section, "end", &["mass", "com", "inertia"]);
        let end = end.map_or(BodyDescription::default(), |end| body(reader, &end, true));
        found.push(Parallelogram { row: row.into(), length, width, end });
    }
    found
}

impl Parallelogram {
    /// The row that it stands for.
    pub(super) fn row(&self) -> &str {
        &self.row
    }

    /// What the row's followers and the closing joint of the chain stand on.
    fn end_name(&self) -> String {
        format!("{}.end", self.row)
    }

    /// Writes the rods out among the rows of a chain: what closes them, and which rows came of this one.
    pub(super) fn write_out(&self, joints: &mut Vec<JointDescription>) -> Option<(ClosureDescription, [String; 2])> {
        let place = joints.iter().position(|joint| joint.name == self.row)?;
        let (end, second_name) = (self.end_name(), format!("{}.second", self.row));
        let aside = |way: f64| Pose { rotation: Mat3::identity(0.0), position: Vec3::new(0.0, way, 0.0) };
        let half = 0.5 * self.width;
        for joint in joints.iter_mut().filter(|joint| joint.parent.as_deref() == Some(&self.row)) {
            joint.parent = Some(end.clone());
            joint.placement = KhalilKleinfinger::from_pose(&(aside(-half) * joint.placement.pose()));
        }
        let row = joints[place].clone();
        let beside = |way: f64| KhalilKleinfinger::from_pose(&(row.placement.pose() * aside(way)));
        joints[place].placement = beside(half);
        let second = JointDescription {
            name: second_name.clone(),
            placement: beside(-half),
            driven: false,
            effects: JointEffects::default(),
            limits: Limits::default(),
            mimic: None,
            ..row.clone()
        };
        let length = Pose { rotation: Mat3::identity(0.0), position: Vec3::new(self.length, 0.0, 0.0) };
        let carried = JointDescription {
            parent: Some(row.name.clone()),
            placement: KhalilKleinfinger::from_pose(&length),
            driven: false,
            home: -row.home,
            link_frame: aside(-half),
            body: self.end,
            ..JointDescription::new(end.clone(), JointKind::Revolute)
        };
        joints.splice(place + 1..place + 1, [second, carried]);
        // The frame of a rod's body may be the user's own.
        let first = Attachment { on: Carrier::Joint(second_name.clone()), pose: row.link_frame.inverse() * length };
        let second = Attachment { on: Carrier::Joint(end.clone()), pose: aside(-half) };
        let pin =
            ClosureDescription { name: format!("{}.pin", self.row), kind: ClosingJoint::Spherical, first, second };
        Some((pin, [second_name, end]))
    }
}
