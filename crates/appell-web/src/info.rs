//! What does not change while a robot is on the bench.

use crate::bench::Bench;
use crate::drawn::{Point, Sketch};
use crate::numbers::{PoseNumbers, limit, of_pose};
use crate::place::{Place, positions_of_drives, positions_of_rows};
use crate::reading::Remark;
use appell::description::urdf::Mesh;
use appell::description::{JointKind, Limits};
use appell::question::Question;
use appell::{Joint, Robot};
use serde::Serialize;

/// `RobotInfo` of the contract.
#[derive(Debug, Clone, Serialize)]
pub struct Info {
    name: String,
    kind: &'static str,
    /// One per number of `q`.
    pub joints: Vec<JointInfo>,
    /// One per torque or force.
    pub drives: Vec<DriveInfo>,
    freedoms: Vec<String>,
    /// Names of the frames.
    pub frames: Vec<String>,
    output: String,
    has_platform: bool,
    legs: Vec<String>,
    size: f64,
    middle: Point,
    gravity: Point,
    mass: f64,
    questions: Vec<QuestionInfo>,
    warnings: Vec<Remark>,
    text: String,
    file: String,
    meshes: Vec<MeshInfo>,
}

/// A number of `q`.
#[derive(Debug, Clone, Serialize)]
pub struct JointInfo {
    /// Its name.
    pub name: String,
    r#type: &'static str,
    lower: Option<f64>,
    upper: Option<f64>,
    velocity: Option<f64>,
    effort: Option<f64>,
    driven: bool,
}

/// A torque or force.
#[derive(Debug, Clone, Serialize)]
pub struct DriveInfo {
    name: String,
    /// Its joint, as an index of the joints.
    pub joint: usize,
    /// Of a tree's joint without a drive: whoever asks wants to know what it would take.
    driven: bool,
    effort: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    unit: &'static str,
}

#[derive(Debug, Clone, Serialize)]
struct QuestionInfo {
    name: &'static str,
    summary: &'static str,
}

#[derive(Debug, Clone, Serialize)]
struct MeshInfo {
    frame: String,
    file: String,
    scale: Point,
    pose: PoseNumbers,
}

/// All numbers of `q` with their limits.
#[must_use]
pub fn joints(robot: &Robot) -> Vec<JointInfo> {
    let rows: Vec<Joint<'_>> = robot.joints().collect();
    let of_row = |row: &Joint<'_>, name: &str| {
        let Limits { lower, upper, velocity, effort } = row.limits;
        JointInfo {
            name: name.to_owned(),
            r#type: match row.kind {
                JointKind::Revolute => "revolute",
                JointKind::Prismatic => "prismatic",
            },
            lower: limit(lower),
            upper: limit(upper),
            velocity: limit(velocity),
            effort: limit(effort),
            driven: row.driven,
        }
    };
    if robot.closed().is_some() || robot.tree().coordinates().is_none() {
        return rows.iter().map(|row| of_row(row, row.name)).collect();
    }
    let part = |name: &str| {
        let is_quaternion = matches!(name.rsplit_once('.'), Some((_, "qx" | "qy" | "qz" | "qw")));
        let r#type = if is_quaternion { "quaternion" } else { "other" };
        let (lower, upper, velocity, effort) = (None, None, None, None);
        JointInfo { name: name.to_owned(), r#type, lower, upper, velocity, effort, driven: false }
    };
    let mut all: Vec<JointInfo> = robot.positions().into_iter().map(part).collect();
    for (row, position) in rows.iter().zip(positions_of_rows(robot.tree())) {
        if let Some(position) = position {
            all[position] = of_row(row, &all[position].name);
        }
    }
    all
}

impl Bench {
    /// What does not change.
    #[must_use]
    pub fn info(&self) -> Info {
        Info::new(self)
    }
}

impl Info {
    fn new(bench: &Bench) -> Self {
        let (robot, (text, file)) = (bench.robot(), bench.source());
        let tree = robot.tree();
        let drive = |(drive, joint): (Joint<'_>, usize)| DriveInfo {
            name: drive.name.to_owned(),
            joint,
            driven: robot.closed().is_some() || drive.driven,
            effort: limit(drive.limits.effort),
            lower: limit(drive.limits.lower),
            upper: limit(drive.limits.upper),
            unit: match drive.kind {
                JointKind::Revolute => "N m",
                JointKind::Prismatic => "N",
            },
        };
        let drawn = Sketch::new(robot, &Place::home(robot));
        let [low, high] = drawn.bounds();
        let mesh = |mesh: Mesh| MeshInfo {
            frame: mesh.frame,
            file: mesh.file,
            scale: mesh.scale,
            pose: of_pose(&mesh.frame_from_mesh),
        };
        let questions = Question::ALL.into_iter().filter(|question| !question.methods(robot).is_empty());
        let legs = robot.closed().map_or(Vec::new(), |closed| {
            let moving = closed.legs().iter().filter(|leg| !leg.joints.is_empty());
            moving.map(|leg| leg.name.clone()).collect()
        });
        Self {
            name: robot.name().to_owned(),
            kind: if robot.closed().is_some() { "closed" } else { "tree" },
            joints: joints(robot),
            drives: robot.drives().into_iter().zip(positions_of_drives(robot)).map(drive).collect(),
            freedoms: robot.freedoms(),
            frames: robot.frames().into_iter().map(str::to_owned).collect(),
            output: bench.output().to_owned(),
            has_platform: robot.platform().is_some(),
            legs,
            size: drawn.size(),
            middle: core::array::from_fn(|k| 0.5 * (low[k] + high[k])),
            gravity: tree.gravity().to_array(),
            mass: tree.mass() + robot.platform().map_or(0.0, |platform| platform.mass),
            questions: questions.map(|one| QuestionInfo { name: one.name(), summary: one.summary() }).collect(),
            warnings: bench.own().file().map_or(Vec::new(), |file| Remark::all(&file.warnings)),
            text: text.to_owned(),
            file: file.to_owned(),
            meshes: bench.own().file().map_or(Vec::new(), |file| file.extras.meshes().into_iter().map(mesh).collect()),
        }
    }
}
