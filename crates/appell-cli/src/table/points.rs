//! Whole tables of points to go through.

use super::StateTable;
use anyhow::{Context, bail};
use appell::Robot;
use appell::question::{Motion, Question};
use appell::spatial::{Mat3, Vec3};
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
    let mut table = StateTable::open(path, robot, question, None, None)?;
    let mut points = JointPoints::default();
    while table.advance()? {
        let (state, name) = (table.state()?, table.reader.name());
        if !matches!(state.motion, Motion::Joints) {
            bail!("{name} gives poses of the platform; via points go through these")
        }
        points.times.push(table.time.with_context(|| format!("{name}: a spline needs times, in a column t"))?);
        let numbers = [state.q, state.v, state.a];
        points.rows.iter_mut().zip(numbers).for_each(|(rows, numbers)| rows.push(numbers.to_vec()));
    }
    Ok(points)
}

/// Reads a table of poses.
pub(crate) fn pose_points(robot: &Robot, path: &Path) -> anyhow::Result<PosePoints> {
    let mut table = StateTable::of_poses(path, robot)?;
    let mut points = PosePoints::default();
    while table.advance()? {
        points.times.extend(table.time);
        points.poses.push((table.position(), table.rotation().with_context(|| table.reader.place())?));
    }
    Ok(points)
}
