//! Whole tables: points to go through, and Fourier coefficients.

use super::StateTable;
use super::header::Vocabulary;
use super::reader::Reader;
use anyhow::{Context, bail, ensure};
use appell::Robot;
use appell::question::{Motion, Question};
use appell::spatial::{Mat3, Vec3};
use std::collections::{HashMap, HashSet};
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
    let mut table = StateTable::open(path, robot, question, None)?;
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

/// What a column of Fourier coefficients gives: the sine or the cosine of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Coefficient {
    joint: usize,
    part: usize,
}

/// Reads `[sine, cosine]`, harmonic by harmonic for each joint; `-` is stdin.
pub(crate) fn harmonics(path: &Path, joints: usize) -> anyhow::Result<Vec<Vec<[f64; 2]>>> {
    let mut reader = Reader::open(path, |_| coefficients(joints))?;
    let mut terms = vec![Vec::new(); joints];
    let mut row = vec![[0.0; 2]; joints];
    while reader.next_row(|Coefficient { joint, part }, value| row[joint][part] = value)? {
        terms.iter_mut().zip(&row).for_each(|(terms, term)| terms.push(*term));
    }
    ensure!(reader.rows() > 0, "{}: there is a header and no row; give one row per harmonic", reader.name());
    Ok(terms)
}

fn coefficients(joints: usize) -> Vocabulary<Coefficient> {
    let parts = ["sin", "cos"].into_iter().enumerate();
    let all = parts.flat_map(|(part, name)| (0..joints).map(move |joint| (name, Coefficient { joint, part })));
    let known: HashMap<String, Coefficient> =
        all.map(|(name, quantity)| (format!("{name}{}", quantity.joint + 1), quantity)).collect();
    let optional = known.values().copied().collect();
    let hint =
        format!("a table of Fourier coefficients has sin1…sin{joints} and cos1…cos{joints}; those left out are zero");
    Vocabulary { known, needed: Vec::new(), optional, angles: HashSet::new(), hint }
}
