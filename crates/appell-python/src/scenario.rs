//! Whole trials in a file: a robot, its law, its signals and what is wrong with them.

use crate::errors::Kind;
use crate::record::Record;
use crate::robot::Robot;
use crate::simulation::BETWEEN_SIGNALS;
use appell_simulation::scenario::{Scenario, Watch};
use core::ops::ControlFlow;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What a scenario's text names: its robot, its output, the file of its points, and whether these are poses.
#[pyfunction]
pub(crate) fn scenario_needs(text: &str) -> PyResult<(String, Option<String>, Option<String>, bool)> {
    let scenario = read(text)?;
    let points = scenario.points_file().map(ToString::to_string);
    let are_poses = points.is_some() && scenario.points_are_poses();
    Ok((scenario.robot.clone(), scenario.output.clone(), points, are_poses))
}

fn read(text: &str) -> PyResult<Scenario> {
    Scenario::read(text).map_err(|problems| Kind::Robot.error(format!("this is not a scenario\n{problems}")))
}

/// Runs a scenario with its robot and the rows of its points; a record as flat arrays, and how it ended.
#[pyfunction]
pub(crate) fn play<'py>(
    py: Python<'py>,
    text: &str,
    robot: &Bound<'py, Robot>,
    points: Option<(Vec<f64>, Vec<Vec<f64>>)>,
) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
    let mut scenario = read(text)?;
    if let Some((times, rows)) = points {
        scenario.put_points(times, rows);
    }
    let machine = &robot.get().inner;
    let is_closed = machine.closed().is_some();
    let mut rows = Record::default();
    let mut interrupted = false;
    let mut steps = 0_usize;
    let outcome = py.detach(|| {
        let pulse = Box::new(|_: f64| {
            steps += 1;
            let heard = |py: Python<'_>| py.check_signals();
            if steps.is_multiple_of(BETWEEN_SIGNALS) && Python::attach(heard).is_err() {
                interrupted = true;
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        scenario.play(machine, Watch { pulse: Some(pulse), ..Watch::default() }, |moment| {
            let drives = is_closed.then_some(moment.drives);
            rows.add(&moment.view, drives, moment.efforts, [moment.energy.kinetic, moment.energy.potential]);
            rows.wanted.extend(moment.wanted.unwrap_or_default());
            rows.commanded.extend(moment.sampling.map(|sampling| sampling.commanded).unwrap_or_default());
            ControlFlow::Continue(())
        })
    });
    if interrupted {
        return Err(PyKeyboardInterrupt::new_err(()));
    }
    let outcome = outcome.map_err(|error| Kind::Robot.error(format!("the scenario: {error}")))?;
    let summary = PyDict::new(py);
    summary.set_item("t", outcome.t)?;
    summary.set_item("steps", outcome.cost.steps)?;
    summary.set_item("stop", outcome.stop.as_ref().map(ToString::to_string))?;
    summary.set_item("trip", outcome.trip.as_ref().map(ToString::to_string))?;
    summary.set_item("warnings", outcome.doubts.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    summary.set_item("largest_error", outcome.tracking.iter().map(|row| row.largest).collect::<Vec<_>>())?;
    summary.set_item("rms_error", outcome.tracking.iter().map(|row| row.rms).collect::<Vec<_>>())?;
    Ok((rows.into_dict(py)?, summary))
}
