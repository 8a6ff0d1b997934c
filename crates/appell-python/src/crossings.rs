//! Motions through singularities of Type 2: where one meets them and what that costs, and motions that cross with finite torques.

use crate::errors::Kind;
use crate::place::{self, PoseNumbers, of_assembly, pose_numbers};
use crate::robot::Robot;
use crate::waiting::interruptible;
use appell::closed::ClosedMechanism;
use appell::closed::crossing::{self, CrossingError, Passage, Shape};
use appell::closed::singularity::Metric;
use appell::question::State;
use appell::question::crossings::{Place, Watch};
use numpy::ndarray::Array2;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

#[pymethods]
impl Robot {
    /// Where a motion of the platform crosses Type 2 or comes near, a dictionary per place.
    #[pyo3(name = "_crossings", signature = (poses, twists, accelerations, times, threshold, length))]
    #[expect(clippy::too_many_arguments, reason = "a motion, and what counts as near")]
    fn crossed<'py>(
        &self,
        py: Python<'py>,
        poses: Vec<PoseNumbers>,
        twists: Vec<[f64; 6]>,
        accelerations: Vec<[f64; 6]>,
        times: Option<Vec<f64>>,
        threshold: f64,
        length: Option<f64>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let robot = self.expect_crossings("crossings")?;
        let metric = Metric::of(robot);
        let metric = Metric { length: length.unwrap_or(metric.length), ..metric };
        let inner = self.inner.clone();
        let found = interruptible(py, None, move |waiting| {
            let mut watch = Watch::new(&inner, metric, threshold);
            for (k, ((pose, twist), acceleration)) in poses.iter().zip(twists).zip(accelerations).enumerate() {
                if waiting.is_over() {
                    break;
                }
                let state = State::platform(place::pose(pose), twist, acceleration);
                watch.take(times.as_ref().map(|t| t[k]), &state).map_err(|error| (Some(k), error))?;
            }
            watch.finish().map_err(|error| (None, error))
        })?;
        let places = found.map_err(|(row, error)| match (row, error) {
            (Some(k), error) => Kind::State.error(format!("state {k}: {error}")),
            (None, error) => Kind::State.error(format!("{}: {error}", robot.name())),
        })?;
        let shown = |place: &Place| {
            let dict = PyDict::new(py);
            dict.set_item("rows", place.rows)?;
            dict.set_item("t", place.time)?;
            dict.set_item("crosses", place.crosses)?;
            dict.set_item("type2", place.criterion.inverse_condition)?;
            dict.set_item("defect", place.criterion.defect)?;
            dict.set_item("scale", place.criterion.scale)?;
            dict.set_item("relative_defect", place.relative_defect())?;
            dict.set_item("largest_effort", place.largest_effort)?;
            dict.set_item("uncontrolled", crate::singularities::motion(py, robot, &place.uncontrolled)?)?;
            Ok(dict)
        };
        places.iter().map(shown).collect()
    }

    /// Times, poses, twists and accelerations of a motion from rest to rest that crosses Type 2 with finite torques and forces.
    #[pyo3(name = "_passage", signature = (from_, to, through, velocity, acceleration, crossing, duration, shape, rows))]
    #[expect(clippy::too_many_arguments, clippy::type_complexity, reason = "a motion has as many parts")]
    fn passed<'py>(
        &self,
        py: Python<'py>,
        from_: PoseNumbers,
        to: PoseNumbers,
        through: Option<PoseNumbers>,
        velocity: Vec<f64>,
        acceleration: Vec<f64>,
        crossing: f64,
        duration: f64,
        shape: &str,
        rows: usize,
    ) -> PyResult<(
        Bound<'py, PyArray1<f64>>,
        Bound<'py, PyArray2<f64>>,
        Bound<'py, PyArray2<f64>>,
        Bound<'py, PyArray2<f64>>,
    )> {
        let robot = self.expect_crossings("passage")?;
        let shape = match shape {
            "quintics" => Shape::Quintics,
            "octic" => Shape::Octic,
            other => {
                return Err(Kind::Question.error(format!("shape=\"{other}\"; expected \"quintics\" or \"octic\"")));
            }
        };
        let inner = self.inner.clone();
        let made = interruptible(py, None, move |_| {
            let robot = inner.closed().expect("it was looked at before");
            let mut workspace = crossing::Workspace::new(robot);
            let (from, to) = (place::pose(&from_), place::pose(&to));
            let through = match through {
                Some(pose) => place::assembled(robot, Some(place::pose(&pose)), None).map_err(CrossingError::Way)?.0,
                None => crossing::between(robot, &mut workspace, from, to)?,
            };
            let wish = Passage { from, through, to, velocity, acceleration, crossing, duration, shape };
            let path = crossing::passage(robot, &mut workspace, &wish)?;
            crossing::crosses_once(robot, &mut workspace, &wish.through, &path, rows)?;
            Ok(path)
        })?;
        let path = made.map_err(|error: CrossingError| match error {
            CrossingError::Way(error) => of_assembly(&error, robot.name()),
            error => Kind::State.error(format!("{}: {error}", robot.name())),
        })?;
        let times: Vec<f64> = path.times(rows).collect();
        let table = |width: usize, row: &dyn Fn(f64) -> Vec<f64>| {
            let all = times.iter().flat_map(|&t| row(t)).collect();
            let all = Array2::from_shape_vec((times.len(), width), all).expect("a row per time");
            PyArray2::from_owned_array(py, all)
        };
        Ok((
            PyArray1::from_slice(py, &times),
            table(7, &|t| pose_numbers(&path.pose(t)).to_vec()),
            table(6, &|t| path.motion(t).0.to_array().to_vec()),
            table(6, &|t| path.motion(t).1.to_array().to_vec()),
        ))
    }
}

impl Robot {
    /// The robot, which must be one to which the criterion applies.
    fn expect_crossings(&self, what: &str) -> PyResult<&ClosedMechanism> {
        let robot = self.expect_closed(what, "only robots with loops have singularities of Type 2")?;
        self.expect_platform(what)?;
        if crossing::applies(robot) {
            return Ok(robot);
        }
        Err(Kind::Question.error(format!(
            "{what}: crossings are known where the platform's twist tells the motion, and that of {} is not; choose another output: \
             robot.with_output(\"FRAME\")",
            robot.name()
        )))
    }
}
