//! How near a robot with closed loops is to its singularities: at a place, and over a map of its workspace.

use crate::errors::Kind;
use crate::place::{self, PoseNumbers, assembled, expect_drives, of_assembly};
use crate::robot::Robot;
use crate::state::warn_undecided;
use crate::waiting::interruptible;
use appell::closed::ClosedMechanism;
use appell::closed::singularity::{self, Metric, Motion};
use appell::closed::workspace_map::{self, Axis, Cell, Coordinate, Slice};
use appell::kinematics;
use numpy::ndarray::Array2;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;

/// What open robots have instead.
const REMEDY: &str = "robot.singularity(q) answers for open ones";

/// Coordinates by their names, in the order of the components of a twist.
const COORDINATES: [(&str, Coordinate); 6] = [
    ("x", Coordinate::X),
    ("y", Coordinate::Y),
    ("z", Coordinate::Z),
    ("roll", Coordinate::Roll),
    ("pitch", Coordinate::Pitch),
    ("yaw", Coordinate::Yaw),
];

/// An axis of a map: its coordinate, both ends, and how many values.
type Ends = (String, f64, f64, usize);

#[pymethods]
impl Robot {
    /// The measures at a pose, with drives, or at home; a turn by 1 rad counts as `length` m.
    #[pyo3(name = "_singularities", signature = (pose, drives, length))]
    fn measured<'py>(
        &self,
        py: Python<'py>,
        pose: Option<PoseNumbers>,
        drives: Option<Vec<f64>>,
        length: Option<f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let robot = self.expect_closed("singularities", REMEDY)?;
        if pose.is_some() {
            self.expect_platform("singularities(pose=…)")?;
        }
        if let Some(drives) = &drives {
            expect_drives(robot, drives)?;
        }
        let metric = Metric::of(robot);
        let metric = Metric { length: length.unwrap_or(metric.length), ..metric };
        let inner = self.inner.clone();
        let place = interruptible(py, move |_| {
            let robot = inner.closed().expect("it was looked at before");
            assembled(robot, pose.map(|pose| place::pose(&pose)), drives.as_deref())
        })?;
        let (at, is_undecided) = place.map_err(|error| of_assembly(&error, robot.name()))?;
        if is_undecided {
            warn_undecided(py, &[])?;
        }
        let mut workspace = singularity::Workspace::new(robot);
        let measures = singularity::measures(robot, &mut workspace, &at, &metric);
        let dict = PyDict::new(py);
        let legs = PyDict::new(py);
        for (leg, nearness) in robot.legs().iter().zip(measures.legs).filter(|(leg, _)| !leg.joints.is_empty()) {
            legs.set_item(&leg.name, nearness.inverse_condition)?;
        }
        dict.set_item("pose", robot.platform().map(|_| PyArray1::from_slice(py, &place::pose_numbers(&at.pose))))?;
        dict.set_item("q", PyArray1::from_slice(py, &at.q))?;
        dict.set_item("legs", legs)?;
        dict.set_item("type1", measures.type1())?;
        dict.set_item("type2", measures.type2())?;
        dict.set_item("constraints", measures.constraints.inverse_condition)?;
        dict.set_item("freedoms", measures.freedoms)?;
        dict.set_item("freedoms_at_home", robot.freedoms().len())?;
        let j_inv = measures.inverse_jacobian;
        dict.set_item("inverse_condition", j_inv.map_or(0.0, |j_inv| j_inv.inverse_condition))?;
        dict.set_item("raw_inverse_condition", j_inv.map_or(0.0, |j_inv| j_inv.raw_inverse_condition))?;
        let determinant = j_inv.and_then(|j_inv| j_inv.determinant).filter(|x| x.is_finite());
        dict.set_item("determinant", determinant)?;
        dict.set_item("length", metric.length)?;
        let least = singularity::least_controlled(robot, &mut workspace, &at, &metric);
        dict.set_item("least_controlled", motion(py, robot, &least)?)?;
        let free = singularity::uncontrolled(robot, &mut workspace, &at, &metric);
        dict.set_item("uncontrolled", free.iter().map(|one| motion(py, robot, one)).collect::<PyResult<Vec<_>>>()?)?;
        Ok(dict)
    }

    /// A map over two coordinates: Type 1 and Type 2, NaN where the robot is not, and 0, 1 or 2 for out of reach, beyond limits,
    /// reachable; a row per value of the second coordinate.
    #[pyo3(name = "_singularity_map", signature = (columns, rows, pose))]
    #[expect(clippy::type_complexity, reason = "three arrays")]
    fn mapped<'py>(
        &self,
        py: Python<'py>,
        columns: Ends,
        rows: Ends,
        pose: PoseNumbers,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<u8>>)> {
        self.expect_closed("singularity_map", REMEDY)?;
        let slice = Slice { columns: axis(columns)?, rows: axis(rows)?, pose: place::pose(&pose) };
        let (inner, shape) = (self.inner.clone(), (slice.rows.cells, slice.columns.cells));
        let map = interruptible(py, move |abandoned| {
            let robot = inner.closed().expect("it was looked at before");
            workspace_map::map(robot, &slice, |_, _| match abandoned.get() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        })?;
        let map = map.map_err(|error| match error {
            workspace_map::MapError::Stopped { .. } => PyKeyboardInterrupt::new_err(error.to_string()),
            error => Kind::Question.error(error.to_string()),
        })?;
        let distance = |k: usize| {
            let of_cell = |cell: &Cell| match *cell {
                Cell::Reachable { type1, type2 } => [type1, type2][k],
                _ => f64::NAN,
            };
            let all = map.cells.iter().map(of_cell).collect();
            PyArray2::from_owned_array(py, Array2::from_shape_vec(shape, all).expect("a number per cell"))
        };
        let reach = |cell: &Cell| match cell {
            Cell::OutOfReach => 0,
            Cell::OutOfLimits => 1,
            Cell::Reachable { .. } => 2,
        };
        let reach = Array2::from_shape_vec(shape, map.cells.iter().map(reach).collect()).expect("a number per cell");
        Ok((distance(0), distance(1), PyArray2::from_owned_array(py, reach)))
    }

    /// How large a robot with loops is at home, m: from its platform to the joint farthest from there.
    #[pyo3(name = "_size_at_home")]
    fn size_at_home(&self) -> PyResult<f64> {
        let robot = self.expect_closed("singularity_map", REMEDY)?;
        self.expect_platform("singularity_map")?;
        let (tree, home) = (robot.tree(), robot.home());
        let mut workspace = kinematics::Workspace::new(tree);
        let frames = kinematics::positions(tree, &mut workspace, &home.q);
        let distances = frames[..tree.dof()].iter().map(|frame| (frame.position - home.pose.position).norm());
        Ok(distances.fold(robot.length(), f64::max))
    }
}

fn axis((name, from, to, cells): Ends) -> PyResult<Axis> {
    let found = COORDINATES.into_iter().find(|(known, _)| *known == name);
    let (_, coordinate) = found.ok_or_else(|| {
        Kind::Question.error(format!("no coordinate `{name}`; coordinates are x, y, z, roll, pitch, yaw"))
    })?;
    Ok(Axis { coordinate, from, to, cells })
}

/// A motion that the drives hardly control, or not.
pub(crate) fn motion<'py>(py: Python<'py>, robot: &ClosedMechanism, motion: &Motion) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("controlled", motion.controlled)?;
    let twist = motion.twist(robot).map(|twist| PyArray1::from_slice(py, &twist.to_array()));
    dict.set_item("twist", twist)?;
    dict.set_item("joints", PyArray1::from_slice(py, &motion.u[..robot.tree().dof()]))?;
    dict.set_item("words", motion.words(robot))?;
    Ok(dict)
}
