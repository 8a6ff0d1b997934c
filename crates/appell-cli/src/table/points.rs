//! Whole tables of points to go through.

use super::{ClosedStateTable, PoseTable, StateTable, StatesTable, Table, shown};
use anyhow::{Context, bail};
use appell::question::Motion;
use appell::question::Question;
use appell::spatial::{Mat3, Vec3};
use appell::{Model, Robot};
use std::path::Path;

/// Points of joints, or of drives.
#[derive(Default)]
pub(crate) struct JointPoints {
    /// s.
    pub(crate) times: Vec<f64>,
    /// Positions, velocities and accelerations, as far as they are asked for.
    pub(crate) rows: [Vec<Vec<f64>>; 3],
}

/// Points of a frame, or of a platform.
#[derive(Default)]
pub(crate) struct PosePoints {
    /// s; empty if the table has none.
    pub(crate) times: Vec<f64>,
    pub(crate) poses: Vec<(Vec3, Option<Mat3>)>,
}

/// Reads a table of points with times; `question` is one that reads the columns that are asked for.
pub(crate) fn joint_points(robot: &Robot, path: &Path, question: Question) -> anyhow::Result<JointPoints> {
    let name = shown(path);
    let mut table: Box<dyn StatesTable> = match robot.model() {
        Model::Tree(tree) => Box::new(StateTable::open(path, tree, question, None).with_context(|| name.clone())?),
        Model::Closed(closed) => {
            Box::new(ClosedStateTable::open(path, closed, question, None).with_context(|| name.clone())?)
        }
    };
    let mut points = JointPoints::default();
    while table.advance().with_context(|| name.clone())? {
        let state = table.state()?;
        if !matches!(state.motion, Motion::Joints) {
            bail!("{name} gives poses of the platform; via points go through these")
        }
        points.times.push(table.time().with_context(|| format!("{name}: a spline needs times, in a column t"))?);
        let numbers = [state.q, state.v, state.a];
        points.rows.iter_mut().zip(numbers).for_each(|(rows, numbers)| rows.push(numbers.to_vec()));
    }
    Ok(points)
}

/// Reads a table of poses.
pub(crate) fn pose_points(robot: &Robot, path: &Path) -> anyhow::Result<PosePoints> {
    let tree = robot.tree();
    let name = shown(path);
    let mut table = PoseTable::open(path, tree).with_context(|| name.clone())?;
    let mut points = PosePoints::default();
    while table.advance().with_context(|| name.clone())? {
        points.times.extend(table.time());
        let rotation = table.rotation().with_context(|| format!("{name}: line {}", table.line()))?;
        points.poses.push((table.position(), rotation));
    }
    Ok(points)
}
