//! Where a robot with closed loops is: for a pose of its platform, or for its drives; and that as data for Python.

use crate::errors::Kind;
use crate::robot::Robot;
use appell::closed::assembly::{self, AssemblyError, Reached};
use appell::closed::singularity::{self, Metric};
use appell::closed::{ClosedMechanism, Configuration, direct};
use appell::description::Branch;
use appell::spatial::{Pose, Quaternion, Vec3};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// px py pz qx qy qz qw.
pub(crate) type PoseNumbers = [f64; 7];

/// A pose from its numbers; the quaternion has the norm 1.
pub(crate) fn pose(numbers: &PoseNumbers) -> Pose {
    let [px, py, pz, x, y, z, w] = *numbers;
    Pose { position: Vec3::new(px, py, pz), rotation: Quaternion { x, y, z, w }.rotation() }
}

/// The numbers of a pose.
pub(crate) fn pose_numbers(pose: &Pose) -> PoseNumbers {
    let ([px, py, pz], Quaternion { x, y, z, w }) = (pose.position.to_array(), Quaternion::of_rotation(&pose.rotation));
    [px, py, pz, x, y, z, w]
}

impl Robot {
    /// The robot, which must have closed loops; else `remedy` says what to do.
    pub(crate) fn expect_closed(&self, what: &str, remedy: &str) -> PyResult<&ClosedMechanism> {
        let name = self.inner.name();
        self.inner.closed().ok_or_else(|| Kind::Question.error(format!("{what}: {name} has no closed loops; {remedy}")))
    }

    /// Refuses a pose of a robot without a platform.
    pub(crate) fn expect_platform(&self, what: &str) -> PyResult<()> {
        if self.inner.platform().is_some() {
            return Ok(());
        }
        Err(Kind::Question.error(format!(
            "{what}: {} has no platform; give positions of its drives, or name its output: robot.with_output(\"FRAME\")",
            self.inner.name()
        )))
    }
}

/// Refuses a vector that does not have one value per drive.
pub(crate) fn expect_drives(robot: &ClosedMechanism, drives: &[f64]) -> PyResult<()> {
    let expected = robot.driven().len();
    if drives.len() != expected {
        let names: Vec<&str> = robot.driven().iter().map(|&j| robot.tree().joint_names()[j].as_str()).collect();
        return Err(Kind::Shape.error(format!(
            "`drives` has {} numbers; expected {expected}: {}",
            drives.len(),
            names.join(", ")
        )));
    }
    match drives.iter().position(|x| !x.is_finite()) {
        Some(k) => Err(Kind::Number.error(format!("`drives[{k}]` is {}", drives[k]))),
        None => Ok(()),
    }
}

/// The one configuration for a pose in the working modes of the robot's file, for drives, or home; and whether drives leave it
/// undecided, because they cannot come there straight.
pub(crate) fn assembled(
    robot: &ClosedMechanism,
    pose: Option<Pose>,
    drives: Option<&[f64]>,
) -> Result<(Configuration, bool), AssemblyError> {
    let mut at = robot.home().clone();
    let mut workspace = assembly::Workspace::new(robot);
    let mut is_undecided = false;
    match (pose, drives) {
        (Some(pose), _) => {
            at.pose = pose;
            assembly::near_pose(robot, &mut workspace, &mut at)?;
        }
        (None, Some(drives)) => {
            is_undecided = direct::at_drives(robot, &mut workspace, drives, &mut at)? == Reached::Undecided;
        }
        (None, None) => return Ok((at, false)),
    }
    assembly::wrap(robot, &mut at);
    Ok((at, is_undecided))
}

/// Why there is no such configuration.
pub(crate) fn of_assembly(error: &AssemblyError, name: &str) -> PyErr {
    let kind = if *error == AssemblyError::NotFinite { Kind::Number } else { Kind::State };
    kind.error(format!("{name} cannot be assembled so: {error}"))
}

/// What the search for a configuration left of a zero is zero.
fn near_zero(x: f64) -> f64 {
    if x.abs() < 1e-9 { 0.0 } else { x }
}

/// Whether a joint is on the side of zero that the robot's file asks for.
pub(crate) fn is_on_side(robot: &ClosedMechanism, j: usize, q: f64) -> bool {
    match robot.branches()[j] {
        Branch::Any => true,
        Branch::Positive => near_zero(q) >= 0.0,
        Branch::Negative => near_zero(q) <= 0.0,
    }
}

/// A configuration with all that is said of it.
pub(crate) struct Described {
    at: Configuration,
    sign: Option<char>, // of det J_inv
    type1: f64,
    type2: f64,
    distance: f64,
    multiplicity: &'static str,
}

impl Described {
    /// Measures a configuration; `present` is where distances begin.
    pub(crate) fn new(
        robot: &ClosedMechanism,
        workspace: &mut singularity::Workspace,
        at: Configuration,
        present: &Configuration,
        multiplicity: &'static str,
    ) -> Self {
        let measures = singularity::measures(robot, workspace, &at, &Metric::of(robot));
        let determinant = measures.inverse_jacobian.as_ref().and_then(|j_inv| j_inv.determinant);
        let sign = determinant.filter(|det| *det != 0.0).map(|det| if det > 0.0 { '+' } else { '-' });
        let (type1, type2) = (measures.type1(), measures.type2());
        let distance = assembly::distance(robot, &at, present);
        Self { at, sign, type1, type2, distance, multiplicity }
    }

    /// How far it is from where distances begin: m over the characteristic length, plus rad.
    pub(crate) fn distance(&self) -> f64 {
        self.distance
    }

    /// The same for Python.
    pub(crate) fn dict<'py>(&self, py: Python<'py>, robot: &ClosedMechanism) -> PyResult<Bound<'py, PyDict>> {
        let Configuration { q, pose } = &self.at;
        let names = robot.tree().joint_names();
        let modes = PyDict::new(py);
        for (j, &q) in q.iter().enumerate().filter(|(j, _)| robot.branches()[*j] != Branch::Any) {
            let side = match near_zero(q) {
                0.0 => "0",
                q if q > 0.0 => "+",
                _ => "-",
            };
            modes.set_item(&names[j], side)?;
        }
        let dict = PyDict::new(py);
        dict.set_item("pose", robot.platform().map(|_| PyArray1::from_slice(py, &pose_numbers(pose))))?;
        dict.set_item("q", PyArray1::from_slice(py, q))?;
        let drives = robot.driven().iter().map(|&j| q[j]).collect();
        dict.set_item("drives", PyArray1::from_vec(py, drives))?;
        dict.set_item("modes", modes)?;
        dict.set_item("in_mode", q.iter().enumerate().all(|(j, &q)| is_on_side(robot, j, q)))?;
        dict.set_item("side", self.sign.map(String::from))?;
        dict.set_item("type1", self.type1)?;
        dict.set_item("type2", self.type2)?;
        dict.set_item("distance", self.distance)?;
        dict.set_item("multiplicity", self.multiplicity)?;
        Ok(dict)
    }
}
