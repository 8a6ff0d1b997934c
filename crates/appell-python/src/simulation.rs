//! Robots that move: differential equations with a law in Python, and whole trials in a file.

use crate::array;
use crate::errors::{self, Kind};
use crate::given::{self, Given};
use crate::place::pose_numbers;
use crate::robot::Robot;
use appell::question::{Question, State};
use appell::spatial::Twist;
use appell::{Evaluator, Model};
use appell_simulation::scenario::{Scenario, Watch};
use appell_simulation::simulation::law::{Constant, Free};
use appell_simulation::simulation::plant::{Closed, ForwardMethod, Generalised, Tree};
use appell_simulation::simulation::{
    Law, Method, Options, Outcome, Plant, Reason, Sample, Simulation, Tolerances, View, Watched,
};
use core::ops::ControlFlow;
use numpy::PyArray1;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Steps between two looks at Ctrl-C.
const BETWEEN_SIGNALS: usize = 64;

/// Rows of a record at most.
const MOST_ROWS: f64 = 1e7;

/// Rows of a record, column by column.
#[derive(Default)]
struct Record {
    t: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    energy: Vec<f64>,
    pose: Vec<f64>,
    twist: Vec<f64>,
    joints: Vec<f64>,
    wanted: Vec<f64>,
    commanded: Vec<f64>,
}

impl Record {
    /// Adds a row; of a robot with loops the drives' motion, and that of all joints.
    fn add(&mut self, view: &View<'_>, drives: Option<&[usize]>, efforts: &[f64], energy: [f64; 2]) {
        self.t.push(view.t);
        match drives {
            None => {
                self.q.extend(view.q);
                self.v.extend(view.v);
            }
            Some(drives) => {
                self.q.extend(drives.iter().map(|&j| view.q[j]));
                self.v.extend(drives.iter().map(|&j| view.v[j]));
                self.joints.extend(view.q);
            }
        }
        self.tau.extend(efforts);
        self.energy.extend(energy);
        if let Some((pose, twist)) = &view.platform {
            self.pose.extend(pose_numbers(pose));
            self.twist.extend(twist_numbers(twist));
        }
    }

    /// The record as flat arrays; rows are counted by `t`.
    fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let dict = PyDict::new(py);
        for (name, numbers) in [
            ("t", self.t),
            ("q", self.q),
            ("v", self.v),
            ("tau", self.tau),
            ("energy", self.energy),
            ("pose", self.pose),
            ("twist", self.twist),
            ("joints", self.joints),
            ("wanted", self.wanted),
            ("commanded", self.commanded),
        ] {
            dict.set_item(name, PyArray1::from_vec(py, numbers))?;
        }
        Ok(dict)
    }
}

fn twist_numbers(twist: &Twist<f64>) -> [f64; 6] {
    let ([vx, vy, vz], [wx, wy, wz]) = (twist.linear.to_array(), twist.angular.to_array());
    [vx, vy, vz, wx, wy, wz]
}

/// A law of the user's: a function of time, positions and velocities, and of a platform also of its pose and twist.
struct PythonLaw<'py> {
    call: Bound<'py, PyAny>,
    drives: Option<Vec<usize>>, // of a robot with loops
    of_platform: bool,
    error: Option<PyErr>,
}

impl PythonLaw<'_> {
    fn asked(&self, now: &View<'_>, efforts: &mut [f64]) -> PyResult<()> {
        let py = self.call.py();
        let vector = |all: &[f64]| match &self.drives {
            None => PyArray1::from_slice(py, all),
            Some(drives) => PyArray1::from_vec(py, drives.iter().map(|&j| all[j]).collect()),
        };
        let (q, v) = (vector(now.q), vector(now.v));
        let answer = match &now.platform {
            Some((pose, twist)) if self.of_platform => {
                let pose = PyArray1::from_slice(py, &pose_numbers(pose));
                let pose = py.import("appell._poses")?.call_method1("matrices", (pose,))?;
                self.call.call1((now.t, q, v, pose, PyArray1::from_slice(py, &twist_numbers(twist))))?
            }
            _ => self.call.call1((now.t, q, v))?,
        };
        let copied;
        let numbers = match array::numbers(&answer) {
            Some(numbers) => numbers,
            None => {
                copied = py
                    .import("numpy")?
                    .call_method1("asarray", (&answer, "float64"))?
                    .call_method0("ravel")?
                    .extract::<Vec<f64>>()?;
                &copied
            }
        };
        if numbers.len() != efforts.len() {
            return Err(Kind::Shape.error(format!(
                "the law gives {} numbers at t = {} s; expected {}, one per drive",
                numbers.len(),
                now.t,
                efforts.len()
            )));
        }
        if let Some(k) = numbers.iter().position(|x| !x.is_finite()) {
            return Err(Kind::Number.error(format!("the law gives tau[{k}] = {} at t = {} s", numbers[k], now.t)));
        }
        efforts.copy_from_slice(numbers);
        Ok(())
    }
}

impl Law for PythonLaw<'_> {
    fn efforts(&mut self, now: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        // The first exception ends it: shorter steps are tried in vain, and Python is not asked again.
        if let Some(error) = &self.error {
            return Err(Reason::Law(error.to_string()));
        }
        self.asked(now, efforts).map_err(|error| {
            let reason = Reason::Law(error.to_string());
            self.error = Some(error);
            reason
        })
    }
}

/// How a motion is followed.
fn options(
    method: &str,
    tolerance: f64,
    step: Option<f64>,
    record: f64,
    stop_at: &[String],
    most_steps: usize,
) -> PyResult<Options> {
    let stepped = || {
        step.filter(|step| *step > 0.0 && step.is_finite())
            .ok_or_else(|| PyValueError::new_err(format!("method=\"{method}\" needs a step, s: step=1e-3")))
    };
    let method = match method {
        "dormand-prince" => Method::DormandPrince(Tolerances { relative: tolerance, absolute: tolerance }),
        "runge-kutta" => Method::RungeKutta { step: stepped()? },
        "midpoint" => Method::Midpoint { step: stepped()? },
        other => {
            return Err(PyValueError::new_err(format!(
                "no method `{other}`; methods are dormand-prince, runge-kutta, midpoint"
            )));
        }
    };
    let mut watched = Watched::default();
    for name in stop_at {
        match name.as_str() {
            "position" => watched.position = true,
            "velocity" => watched.velocity = true,
            "effort" => watched.effort = true,
            other => {
                return Err(PyValueError::new_err(format!(
                    "stop_at: no limit `{other}`; limits are position, velocity, effort"
                )));
            }
        }
    }
    Ok(Options { method, sampling: Some(record), stop_at: watched, fastest: 1e6, most_steps, ..Options::default() })
}

/// A plant at a start; of a robot with loops by its drives' or its platform's motion.
fn plant<'r>(robot: &'r Robot, given: &Given<'_>) -> PyResult<Box<dyn Plant + 'r>> {
    let row = |k: usize, width: usize| {
        let rows = given.rows[k].as_ref();
        rows.map_or_else(|| vec![0.0; width], |rows| rows.numbers.as_array().row(0).to_vec())
    };
    let (q, v) = (row(0, robot.widths[0]), row(1, if given.is_platform { 6 } else { robot.widths[1] }));
    match robot.inner.model() {
        Model::Tree(tree) => match tree.coordinates() {
            None => Ok(Box::new(Tree::new(tree, &q, &v))),
            Some(own) => {
                own.check(&q).map_err(|error| Kind::State.error(error.to_string()))?;
                Ok(Box::new(Generalised::new(tree, &q, &v, ForwardMethod::GibbsAppell)))
            }
        },
        Model::Closed(closed) => {
            let mut evaluator =
                Evaluator::new(&robot.inner, Question::Energy, None, appell::question::Target::default())
                    .map_err(|error| errors::of_question(&error))?;
            let mut state = State { q: &q, v: &v, ..State::default() };
            if given.is_platform {
                state.motion = given::platform(&q, &v, &[]);
            }
            evaluator.evaluate(&state, &mut [0.0; 2]).map_err(|error| errors::of_answer(&error))?;
            let moved = evaluator.closed().expect("a robot with loops").moved();
            let plant = Closed::new(closed, &moved.at, &moved.r);
            Ok(Box::new(plant.map_err(|reason| Kind::State.error(reason.to_string()))?))
        }
    }
}

/// Follows the motion of a robot under a law; a record as flat arrays, and how it ended.
#[pyfunction]
#[pyo3(signature = (robot, law, of_platform, q, v, of, duration, record, method, tolerance, step, period, stop_at, most_steps, pulse))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    law: Option<Bound<'py, PyAny>>,
    of_platform: bool,
    q: &Bound<'py, PyAny>,
    v: Option<&Bound<'py, PyAny>>,
    of: Option<&str>,
    duration: f64,
    record: f64,
    method: &str,
    tolerance: f64,
    step: Option<f64>,
    period: Option<f64>,
    stop_at: Vec<String>,
    most_steps: usize,
    pulse: Option<Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, Option<String>, f64, usize)> {
    for (name, number) in [("duration", Some(duration)), ("record", Some(record)), ("period", period)] {
        if let Some(number) = number.filter(|number| !(number.is_finite() && *number > 0.0)) {
            return Err(Kind::Number.error(format!("{name}={number}; expected a positive time, s")));
        }
    }
    if duration / record > MOST_ROWS {
        return Err(Kind::Number.error(format!(
            "a record of {:.3e} rows; take a longer time from row to row: record={}",
            duration / record,
            duration / MOST_ROWS
        )));
    }
    let own = robot.get();
    let given = Given::read(own, py, Question::Energy, &[Some(q), v, None, None, None], None, of)?;
    given.expect_finite()?;
    if given.count.is_some() {
        return Err(Kind::Shape.error("a simulation starts from one state; give vectors, not tables"));
    }
    let options = options(method, tolerance, step, record, &stop_at, most_steps)?;
    let mut plant = plant(own, &given)?;
    let drives = own.inner.closed().map(|_| plant.drives());
    let mut rows = Record::default();
    let mut interrupted: Option<PyErr> = None;
    let mut steps = 0_usize;
    let look = |sample: &Sample<'_>| {
        rows.add(&sample.view, drives.as_deref(), sample.efforts, [sample.energy.kinetic, sample.energy.potential]);
        ControlFlow::Continue(())
    };
    let watch = |t: f64| {
        steps += 1;
        if !steps.is_multiple_of(BETWEEN_SIGNALS) {
            return ControlFlow::Continue(());
        }
        let heard = py.check_signals().and_then(|()| match &pulse {
            Some(pulse) => pulse.call1((t,)).map(|_| ()),
            None => Ok(()),
        });
        match heard {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                interrupted = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let mut asked = law.map(|call| PythonLaw { call, drives: drives.clone(), of_platform, error: None });
    let outcome = {
        let mut simulation = Simulation::new(&mut *plant, 0, 0.0, &options).with_pulse(Box::new(watch));
        match (&mut asked, period) {
            (None, _) => simulation.advance(&mut Free, duration, look),
            (Some(law), None) => simulation.advance(law, duration, look),
            (Some(law), Some(period)) => held(&mut simulation, law, period, duration, look),
        }
    };
    if let Some(error) = interrupted {
        return Err(error);
    }
    if let Some(error) = asked.as_mut().and_then(|law| law.error.take()) {
        return Err(error);
    }
    // The end is a row, too, where no multiple of `record` falls on it.
    if rows.t.last().is_some_and(|t| *t < outcome.t - 1e-9 * record) {
        let mut efforts = vec![0.0; plant.efforts()];
        if let Some(law) = &asked {
            law.asked(&plant.view(outcome.t), &mut efforts)?;
        }
        let energy = plant.energy();
        rows.add(&plant.view(outcome.t), drives.as_deref(), &efforts, [energy.kinetic, energy.potential]);
    }
    let stop = outcome.stop.as_ref().map(ToString::to_string);
    Ok((rows.into_dict(py)?, stop, outcome.t, outcome.cost.steps))
}

/// A law in a computer: asked once a period, its torques and forces held in between.
fn held(
    simulation: &mut Simulation<'_>,
    law: &mut PythonLaw<'_>,
    period: f64,
    duration: f64,
    mut look: impl FnMut(&Sample<'_>) -> ControlFlow<()>,
) -> Outcome {
    let mut efforts = Constant(vec![0.0; simulation.plant().efforts()]);
    let mut k = 0_u64;
    loop {
        let t = simulation.t();
        let answered = law.efforts(&simulation.plant().view(t), &[], &mut [], &mut efforts.0);
        if answered.is_err() {
            return Outcome { t, ..Outcome::default() };
        }
        k += 1;
        let end = (k as f64 * period).min(duration);
        let outcome = simulation.advance(&mut efforts, end, &mut look);
        if outcome.stop.is_some() || outcome.interrupted || end >= duration {
            return outcome;
        }
    }
}

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
