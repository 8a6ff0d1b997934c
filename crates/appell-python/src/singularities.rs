//! How near a robot with closed loops is to its singularities: at a place, and over a map of its workspace.

use crate::batch::pool;
use crate::errors::Kind;
use crate::place::{self, PoseNumbers, assembled, expect_drives, of_assembly};
use crate::robot::Robot;
use crate::state::warn_undecided;
use crate::waiting::interruptible;
use appell::closed::ClosedMechanism;
use appell::closed::map_ranges;
use appell::closed::reach::{Coordinate, Reach};
use appell::closed::singularity::{self, Metric, Motion};
use appell::closed::workspace_map::{self, Axis, Cell, MapError, Slice};
use numpy::ndarray::Array2;
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// What open robots have instead.
const REMEDY: &str = "robot.singularity(q) answers for open ones";

/// Poses that one thread looks at before another may take over.
const BLOCK: usize = 32;

/// Numbers that are said of a pose.
const REACHED: usize = 11;

/// Three fields of a map, row by row: Type 1, Type 2, and whether it can be reached.
type Fields<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<u8>>);

/// The name of a coordinate, its first and its last value.
type Range = (&'static str, f64, f64);

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
        let place = interruptible(py, None, move |_| {
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

    /// What the robot can do at poses, each for itself, (N, 7): a row of 0, 1 or 2 for out of reach, beyond limits, reachable; distances to
    /// Type 1 and Type 2, the determinant of J_inv, and the pose with what gave way, NaN where there is none. `kept` are coordinates from `reference` that may not give way.
    #[pyo3(name = "_reach", signature = (poses, kept, reference, threads))]
    fn reached<'py>(
        &self,
        py: Python<'py>,
        poses: PyReadonlyArray2<'py, f64>,
        kept: Vec<String>,
        reference: PoseNumbers,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.expect_closed("reach", REMEDY)?;
        self.expect_platform("reach")?;
        let kept = kept.iter().map(|name| coordinate(name)).collect::<PyResult<Vec<_>>>()?;
        let rows: Vec<PoseNumbers> =
            poses.as_array().rows().into_iter().map(|row| core::array::from_fn(|k| row[k])).collect();
        let (inner, reference, count) = (self.inner.clone(), place::pose(&reference), rows.len());
        let pool = pool(threads.unwrap_or(0))?;
        let found = interruptible(py, None, move |waiting| {
            let robot = inner.closed().expect("it was looked at before");
            let mut found = vec![f64::NAN; REACHED * count];
            let block = |reach: &mut Reach<'_>, (to, poses): (&mut [f64], &[PoseNumbers])| {
                for (to, numbers) in to.chunks_exact_mut(REACHED).zip(poses).take_while(|_| !waiting.is_over()) {
                    let there = reach.at(&place::pose(numbers), &kept, &reference);
                    to[0] = there.map_or(0.0, |there| if there.within_limits { 2.0 } else { 1.0 });
                    if let Some(there) = there {
                        to[1..4].copy_from_slice(&[there.type1, there.type2, there.determinant.unwrap_or(f64::NAN)]);
                        to[4..].copy_from_slice(&place::pose_numbers(&there.pose));
                    }
                }
            };
            let blocks = found.par_chunks_mut(REACHED * BLOCK).zip(rows.par_chunks(BLOCK));
            pool.install(|| blocks.for_each_init(|| Reach::new(robot), block));
            found
        })?;
        Ok(PyArray2::from_owned_array(py, Array2::from_shape_vec((count, REACHED), found).expect("a row per pose")))
    }

    /// A map over two coordinates, ranges that are known, cells along each and a pose: both axes as name, first and last value; Type 1
    /// and Type 2, NaN where the robot is not, and 0, 1 or 2 for out of reach, beyond limits, reachable; a row per value of the second
    /// coordinate.
    #[pyo3(name = "_singularity_map", signature = (over, ranges, cells, pose, pulse))]
    fn mapped<'py>(
        &self,
        py: Python<'py>,
        over: Vec<String>,
        ranges: HashMap<String, [f64; 2]>,
        cells: [usize; 2],
        pose: PoseNumbers,
        pulse: Option<Bound<'py, PyAny>>,
    ) -> PyResult<([Range; 2], Fields<'py>)> {
        let robot = self.expect_closed("singularity_map", REMEDY)?;
        self.expect_platform("singularity_map")?;
        let asked = over.iter().map(|name| coordinate(name)).collect::<PyResult<Vec<_>>>()?;
        let chosen = map_ranges::choose(robot, &asked).map_err(|error| of_map(&error))?;
        let names = chosen.map(Coordinate::name);
        if let Some(other) = ranges.keys().find(|name| !names.contains(&name.as_str())) {
            let [columns, rows] = names;
            return Err(Kind::Question
                .error(format!("ranges: `{other}` is not an axis of the map, which is over {columns} and {rows}")));
        }
        let known = names.map(|name| ranges.get(name).copied());
        let (inner, pose) = (self.inner.clone(), place::pose(&pose));
        let map = interruptible(py, pulse.as_ref(), move |waiting| {
            let robot = inner.closed().expect("it was looked at before");
            // Of the coarse map before it only the end is looked for.
            let look = |_, _| if waiting.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            let found = map_ranges::ranges(robot, &pose, chosen, known, look)?;
            let [columns, rows] = [0, 1].map(|k| {
                let [from, to] = found[k];
                Axis { coordinate: chosen[k], from, to, cells: cells[k] }
            });
            workspace_map::map(robot, &Slice { columns, rows, pose }, |done, of| waiting.reach(done, of))
        })?;
        let map = map.map_err(|error| of_map(&error))?;
        let Slice { columns, rows, .. } = map.slice;
        let shape = (rows.cells, columns.cells);
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
        let axes = [columns, rows].map(|axis| (axis.coordinate.name(), axis.from, axis.to));
        Ok((axes, (distance(0), distance(1), PyArray2::from_owned_array(py, reach))))
    }
}

fn coordinate(name: &str) -> PyResult<Coordinate> {
    Coordinate::find(name).ok_or_else(|| {
        Kind::Question.error(format!("no coordinate `{name}`; coordinates are x, y, z, roll, pitch, yaw"))
    })
}

/// Why there is no map.
fn of_map(error: &MapError) -> PyErr {
    match error {
        MapError::Stopped { .. } => PyKeyboardInterrupt::new_err(error.to_string()),
        error => Kind::Question.error(error.to_string()),
    }
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
