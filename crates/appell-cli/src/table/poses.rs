//! Tables of poses: a position, an orientation as quaternion, and where to start looking for joint positions.

use super::Table;
use super::header::{Vocabulary, range};
use super::reader::{Reader, Track};
use super::states::numbered;
use anyhow::ensure;
use appell::description::JointKind;
use appell::mechanism::Mechanism;
use appell::spatial::{Mat3, Quaternion, Vec3};
use std::collections::HashMap;
use std::path::Path;

/// A table of poses under reading, with the row read last.
pub(crate) struct PoseTable {
    reader: Reader<Quantity>,
    time: Option<f64>, // if there is a column for it
    position: [f64; 3],
    quaternion: Option<[f64; 4]>, // if there are columns for it
    start: Vec<Option<f64>>,      // of the joints that have a column
}

/// What a column can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Quantity {
    /// `t`, which only passes through.
    Time,
    Position(usize),
    Quaternion(usize),
    /// A joint position to start from.
    Start(usize),
}

pub(super) const POSITION: [&str; 3] = ["px", "py", "pz"];
pub(super) const QUATERNION: [&str; 4] = ["qx", "qy", "qz", "qw"];

/// How far the norm of a quaternion may be from 1: what rounding to six digits does, and no more.
const ROUNDING: f64 = 1e-6;

impl PoseTable {
    /// Opens a table of poses for a robot; `-` is stdin.
    pub(crate) fn open(path: &Path, robot: &Mechanism) -> anyhow::Result<Self> {
        let reader = Reader::open(path, |names| vocabulary(robot, names))?;
        Ok(Self {
            time: reader.has(Quantity::Time).then_some(0.0),
            position: [0.0; 3],
            quaternion: reader.has(Quantity::Quaternion(0)).then_some([0.0; 4]),
            start: vec![None; robot.dof()],
            reader,
        })
    }

    /// The position of the row.
    pub(crate) fn position(&self) -> Vec3 {
        self.position.into()
    }

    /// The orientation of the row; `None` if the table has no columns for it.
    pub(crate) fn rotation(&self) -> anyhow::Result<Option<Mat3>> {
        self.quaternion.map(unit_quaternion).transpose()
    }

    /// Overwrites the joint positions that have a column with those of the row.
    pub(crate) fn write_start(&self, q: &mut [f64]) {
        for (q, start) in q.iter_mut().zip(&self.start) {
            *q = start.unwrap_or(*q);
        }
    }
}

impl Table for PoseTable {
    fn track(&self) -> &Track {
        self.reader.track()
    }

    fn time(&self) -> Option<f64> {
        self.time
    }

    fn advance(&mut self) -> anyhow::Result<bool> {
        self.reader.advance(|quantity, value| match quantity {
            Quantity::Time => self.time = Some(value),
            Quantity::Position(axis) => self.position[axis] = value,
            Quantity::Quaternion(part) => self.quaternion.get_or_insert_default()[part] = value,
            Quantity::Start(joint) => self.start[joint] = Some(value),
        })
    }
}

/// The rotation of a quaternion (x, y, z, w), which must have the norm 1.
pub(super) fn unit_quaternion([x, y, z, w]: [f64; 4]) -> anyhow::Result<Mat3> {
    let quaternion = Quaternion { x, y, z, w };
    let norm = quaternion.norm();
    ensure!((norm - 1.0).abs() <= ROUNDING, "the quaternion (qx, qy, qz, qw) has the norm {norm}; expected 1");
    Ok(quaternion.normalized().rotation())
}

/// The columns of a table of poses. The four of an orientation are needed as soon as there is one of them.
fn vocabulary(robot: &Mechanism, header: &[&str]) -> Vocabulary<Quantity> {
    let position = POSITION.into_iter().map(String::from).zip((0..).map(Quantity::Position));
    let quaternion = QUATERNION.into_iter().map(String::from).zip((0..).map(Quantity::Quaternion));
    let joints = numbered("q", robot);
    let mut known: HashMap<String, Quantity> = position.clone().chain(quaternion.clone()).collect();
    known.insert("t".into(), Quantity::Time);
    for (joint, (number, name)) in joints.iter().zip(robot.joint_names()).enumerate() {
        known.insert(number.clone(), Quantity::Start(joint));
        known.insert(format!("q.{name}"), Quantity::Start(joint));
    }
    let mut needed = vec![position.collect()];
    if QUATERNION.iter().any(|name| header.contains(name)) {
        needed.push(quaternion.collect());
    }
    let start = (0..robot.dof()).map(Quantity::Start);
    let hint = format!(
        "a table of poses has px, py, pz, and qx, qy, qz, qw for orientations, and accepts {} to start from, and t",
        range(&joints.iter().map(String::as_str).collect::<Vec<_>>())
    );
    let turns = |joint: &usize| robot.links()[*joint].joint == JointKind::Revolute;
    let angles = (0..robot.dof()).filter(turns).map(Quantity::Start).collect();
    Vocabulary { known, needed, optional: start.chain([Quantity::Time]).collect(), angles, hint }
}
