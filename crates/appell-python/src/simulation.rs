//! Robots that move: differential equations, without a law or with one in Python.

use crate::errors::{self, Kind};
use crate::given::{self, Given};
use crate::law::{Nested, PythonLaw};
use crate::record::Record;
use crate::robot::Robot;
use appell::question::{Question, State};
use appell::{Evaluator, Model};
use appell_simulation::simulation::law::{Constant, Free};
use appell_simulation::simulation::plant::{Closed, ForwardMethod, Generalised, Tree};
use appell_simulation::simulation::{Law, Method, Options, Outcome, Plant, Sample, Simulation, Tolerances, Watched};
use core::ops::ControlFlow;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Steps between two looks at Ctrl-C.
pub(crate) const BETWEEN_SIGNALS: usize = 64;

/// Rows of a record at most.
const MOST_ROWS: f64 = 1e7;

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

/// Where a motion begins: positions and velocities of the joints or drives, or pose and twist of the platform.
struct Start {
    q: Vec<f64>,
    v: Vec<f64>,
    is_platform: bool,
}

impl Start {
    fn read(robot: &Robot, given: &Given<'_>) -> PyResult<Self> {
        given.expect_finite()?;
        if given.count.is_some() {
            return Err(Kind::Shape.error("a simulation starts from one state; give vectors, not tables"));
        }
        let row = |k: usize, width: usize| {
            let rows = given.rows[k].as_ref();
            rows.map_or_else(|| vec![0.0; width], |rows| rows.numbers.as_array().row(0).to_vec())
        };
        let is_platform = given.is_platform;
        let width = if is_platform { 6 } else { robot.widths[1] };
        Ok(Self { q: row(0, robot.widths[0]), v: row(1, width), is_platform })
    }

    /// A plant there.
    fn plant<'r>(&self, robot: &'r Robot) -> PyResult<Box<dyn Plant + 'r>> {
        let Self { q, v, is_platform } = self;
        match robot.inner.model() {
            Model::Tree(tree) => match tree.coordinates() {
                None => Ok(Box::new(Tree::new(tree, q, v))),
                Some(own) => {
                    own.check(q).map_err(|error| Kind::State.error(error.to_string()))?;
                    Ok(Box::new(Generalised::new(tree, q, v, ForwardMethod::GibbsAppell)))
                }
            },
            Model::Closed(closed) => {
                let mut evaluator =
                    Evaluator::new(&robot.inner, Question::Energy, None, appell::question::Target::default())
                        .map_err(|error| errors::of_question(&error))?;
                let mut state = State { q, v, ..State::default() };
                if *is_platform {
                    state.motion = given::platform(q, v, &[]);
                }
                evaluator.evaluate(&state, &mut [0.0; 2]).map_err(|error| errors::of_answer(&error))?;
                let moved = evaluator.closed().expect("a robot with loops").moved();
                let plant = Closed::new(closed, &moved.at, &moved.r);
                Ok(Box::new(plant.map_err(|reason| Kind::State.error(reason.to_string()))?))
            }
        }
    }
}

/// How long, and how it is looked at.
struct Trial {
    options: Options,
    duration: f64,
    record: f64,
    period: Option<f64>,
    pulse: Option<Py<PyAny>>,
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
    pulse: Option<Py<PyAny>>,
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
    let start = Start::read(own, &given)?;
    let options = options(method, tolerance, step, record, &stop_at, most_steps)?;
    let trial = Trial { options, duration, record, period, pulse };
    let (rows, outcome) = match law {
        None => py.detach(|| trial.run(own, &start, None))?,
        Some(call) => {
            let _nested = Nested::enter()?;
            trial.run(own, &start, Some(PythonLaw { call, drives: None, of_platform, error: None }))?
        }
    };
    let stop = outcome.stop.as_ref().map(ToString::to_string);
    Ok((rows.into_dict(py)?, stop, outcome.t, outcome.cost.steps))
}

impl Trial {
    /// Lets the robot move.
    fn run(&self, robot: &Robot, start: &Start, mut asked: Option<PythonLaw<'_>>) -> PyResult<(Record, Outcome)> {
        let mut plant = start.plant(robot)?;
        let drives = robot.inner.closed().map(|_| plant.drives());
        if let Some(law) = &mut asked {
            law.drives.clone_from(&drives);
        }
        let mut rows = Record::default();
        let mut interrupted: Option<PyErr> = None;
        let mut steps = 0_usize;
        let look = |sample: &Sample<'_>| {
            rows.add(&sample.view, drives.as_deref(), sample.efforts, [sample.energy.kinetic, sample.energy.potential]);
            ControlFlow::Continue(())
        };
        let watch = |t: f64| {
            steps += 1;
            if steps.is_multiple_of(BETWEEN_SIGNALS)
                && let Err(error) = self.look_up(t)
            {
                interrupted = Some(error);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let outcome = {
            let mut simulation = Simulation::new(&mut *plant, 0, 0.0, &self.options).with_pulse(Box::new(watch));
            match (&mut asked, self.period) {
                (None, _) => simulation.advance(&mut Free, self.duration, look),
                (Some(law), None) => simulation.advance(law, self.duration, look),
                (Some(law), Some(period)) => held(&mut simulation, law, period, self.duration, look),
            }
        };
        if let Some(error) = interrupted {
            return Err(error);
        }
        if let Some(error) = asked.as_mut().and_then(|law| law.error.take()) {
            return Err(error);
        }
        // The end is a row, too, where no multiple of `record` falls on it.
        if rows.t.last().is_some_and(|t| *t < outcome.t - 1e-9 * self.record) {
            let mut efforts = vec![0.0; plant.efforts()];
            if let Some(law) = &asked {
                law.asked(&plant.view(outcome.t), &mut efforts)?;
            }
            let energy = plant.energy();
            rows.add(&plant.view(outcome.t), drives.as_deref(), &efforts, [energy.kinetic, energy.potential]);
        }
        Ok((rows, outcome))
    }

    /// Looks whether Ctrl-C was pressed, and says how far the motion is.
    fn look_up(&self, t: f64) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            self.pulse.as_ref().map_or(Ok(()), |pulse| pulse.call1(py, (t, self.duration)).map(|_| ()))
        })
    }
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
