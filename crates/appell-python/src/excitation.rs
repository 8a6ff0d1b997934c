//! Motions that tell the unknowns of a robot apart, within its limits.

use crate::batch::pool;
use crate::errors::Kind;
use crate::identification::{Locks, by_joints, effect, locks};
use crate::robot::Robot;
use crate::waiting::interruptible;
use appell_identification::excitation::{self, Criterion, DriveLimits, ExcitationError, Form, Options, search};
use appell_identification::unknowns::{Asked, Unknowns};
use appell_simulation::trajectory::JointReference;
use core::sync::atomic::{AtomicUsize, Ordering};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Numbers of a kind, one for all drives or one each.
fn put(
    name: &str,
    numbers: Option<Vec<f64>>,
    limits: &mut [DriveLimits],
    set: fn(&mut DriveLimits, f64),
) -> PyResult<()> {
    let Some(numbers) = numbers else { return Ok(()) };
    if numbers.len() != 1 && numbers.len() != limits.len() {
        return Err(Kind::Shape.error(format!(
            "`{name}` has {} numbers; expected one for all drives, or {}, one each",
            numbers.len(),
            limits.len()
        )));
    }
    limits.iter_mut().enumerate().for_each(|(k, limits)| set(limits, numbers[k % numbers.len()]));
    Ok(())
}

/// Searches for a motion that excites a robot; rows of t, q, v, a as flat arrays, and what they are worth.
#[pyfunction]
#[pyo3(signature = (robot, lower, upper, velocity, acceleration, effort, harmonics, frequency, points, duration, effects, known, lock, criterion, samples, starts, steps, hops, seed, dt, pulse))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn excite<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    lower: Option<Vec<f64>>,
    upper: Option<Vec<f64>>,
    velocity: Option<Vec<f64>>,
    acceleration: Option<Vec<f64>>,
    effort: Option<Vec<f64>>,
    harmonics: usize,
    frequency: f64,
    points: Option<usize>,
    duration: Option<f64>,
    effects: Option<Vec<String>>,
    known: Vec<String>,
    lock: Locks,
    criterion: &str,
    samples: usize,
    starts: usize,
    steps: usize,
    hops: usize,
    seed: u64,
    dt: f64,
    pulse: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let robot = &robot.get().inner;
    let refused = |message: String| Kind::Recording.error(message);
    let locked = locks(lock);
    let observed = by_joints(robot, &locked, "excite")?;
    let robot = &observed;
    let asked = Asked::default();
    let effects = effects.map_or(Ok(asked.effects), |names| names.iter().map(|name| effect(name)).collect())?;
    let asked = Asked { effects, known, locked, ..Asked::default() };
    let model = Unknowns::new(robot, None, &asked).map_err(|error| refused(error.to_string()))?.model;
    if model.columns().is_empty() {
        return Err(refused("nothing is unknown that a motion could show; know fewer parameters".into()));
    }
    let mut options = Options::new(robot, model);
    let limits = &mut options.limits;
    put("lower", lower, limits, |limits, q| limits.lower = q)?;
    put("upper", upper, limits, |limits, q| limits.upper = q)?;
    put("velocity", velocity, limits, |limits, v| limits.velocity = v)?;
    put("acceleration", acceleration, limits, |limits, a| limits.acceleration = a)?;
    put("effort", effort, limits, |limits, tau| limits.effort = tau)?;
    options.form = match (points, duration) {
        (Some(points), Some(duration)) => Form::Spline { points, duration },
        (Some(_), None) => return Err(refused("a spline through points needs a duration, s".into())),
        (None, _) => Form::Fourier { harmonics, frequency },
    };
    options.criterion = match criterion {
        "condition" => Criterion::Condition,
        "scaled-condition" => Criterion::ScaledCondition,
        "determinant" => Criterion::Determinant,
        other => {
            return Err(refused(format!(
                "no criterion `{other}`; criteria are condition, scaled-condition, determinant"
            )));
        }
    };
    (options.samples, options.restarts, options.iterations) = (samples, starts, steps);
    (options.hops, options.seed) = (hops, seed);
    let names = options.model.names();
    let (own, pool) = (robot.clone(), pool(0)?); // of this process, also after a fork
    let (taken, most) = (AtomicUsize::new(0), options.most_steps());
    let found = interruptible(py, pulse.as_ref(), move |waiting| {
        let go_on = |_: &excitation::Progress| waiting.reach(taken.fetch_add(1, Ordering::Relaxed) + 1, most);
        pool.install(|| search(&own, &options, &go_on))
    })?;
    let mut found = found.map_err(|error| match error {
        ExcitationError::Heavy { .. } | ExcitationError::NotFound { .. } | ExcitationError::NotExciting { .. } => {
            Kind::State.error(error.to_string())
        }
        error => refused(error.to_string()),
    })?;
    let motion = &mut found.motion;
    let (n, end) = (motion.joints(), motion.duration());
    let rows = (end / dt).round().max(1.0) as usize;
    let [mut q, mut v, mut a] = [(); 3].map(|()| vec![0.0; n]);
    let [mut all_t, mut all_q, mut all_v, mut all_a] = [(); 4].map(|()| Vec::new());
    for t in (0..=rows).map(|k| end * k as f64 / rows as f64) {
        motion.at(t, &mut q, &mut v, &mut a).map_err(|error| refused(error.to_string()))?;
        all_t.push(t);
        all_q.extend(&q);
        all_v.extend(&v);
        all_a.extend(&a);
    }
    let dict = PyDict::new(py);
    for (name, numbers) in [("t", all_t), ("q", all_q), ("v", all_v), ("a", all_a)] {
        dict.set_item(name, PyArray1::from_vec(py, numbers))?;
    }
    dict.set_item("condition", found.condition)?;
    dict.set_item("columns", names)?;
    Ok(dict)
}
