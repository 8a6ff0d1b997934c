//! From recordings to a robot: the one call of `appell-identification`, with arrays in and out.

use crate::batch::pool;
use crate::errors::Kind;
use crate::robot::Robot;
use crate::waiting::interruptible;
use appell::description::{BodyDescription, Problems, check_body};
use appell::spatial::Sym3;
use appell_identification::data::{CutOff, Layout, Payload};
use appell_identification::estimate::{Fit, Method};
use appell_identification::identified::Source;
use appell_identification::identify::{
    Estimator, Identified, Loaded, Options, Recordings, Table, identify as identify_all,
};
use appell_identification::parameters::Effect;
use appell_identification::unknowns::{Asked, Lock, with_locked};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A recording: its name, a hash of what it holds, and its columns.
type Columns = (String, String, Vec<(String, Vec<f64>)>);

/// A base parameter: name, value, σ, σ in %, consistent value, value before, unit.
type ParameterRow = (String, f64, f64, f64, Option<f64>, f64, String);

/// What was carried: the frame, kg, m, and xx yy zz xy xz yz in kg m².
type Carried = (Option<String>, f64, [f64; 3], [f64; 6]);

fn carried((on, mass, com, [xx, yy, zz, xy, xz, yz]): Carried) -> PyResult<Payload> {
    let body = BodyDescription { mass, com: com.into(), inertia: Sym3 { xx, xy, xz, yy, yz, zz } };
    let mut problems = Problems::default();
    check_body(&mut problems, "payload", &body);
    if problems.errors() > 0 { Err(Kind::Recording.error(problems.to_string())) } else { Ok(Payload { on, body }) }
}

/// Joints that stand, and where.
pub(crate) type Locks = Vec<(String, Option<f64>)>;

pub(crate) fn locks(given: Locks) -> Vec<Lock> {
    given.into_iter().map(|(joint, position)| Lock { joint, position }).collect()
}

/// The robot with the joints that stand, for a function that takes robots whose joints are one number each.
pub(crate) fn by_joints(robot: &appell::Robot, locks: &[Lock], function: &str) -> PyResult<appell::Robot> {
    // Coupled followers may stand with their leaders: of their description they are joints.
    let described = robot.description().filter(|_| !locks.is_empty()).cloned().map(appell::Robot::new);
    let described = described.transpose().map_err(|error| Kind::Robot.error(error.to_string()))?;
    let plain = described.as_ref().unwrap_or(robot);
    if plain.closed().is_none() && plain.tree().coordinates().is_some() {
        return Err(Kind::Question.error(format!(
            "{} has quaternions, screws, transmissions or coupled followers; {function} is for robots whose joints are one number each, or \
             followers that stand (lock)",
            robot.name()
        )));
    }
    with_locked(plain, locks).map_err(|error| Kind::Recording.error(format!("lock: {error}")))
}

/// The names of the joints that move where some stand, in order.
#[pyfunction]
pub(crate) fn moving(robot: &Bound<'_, Robot>, lock: Locks) -> PyResult<Vec<String>> {
    let observed = by_joints(&robot.get().inner, &locks(lock), "identify")?;
    Ok(observed.drives().iter().map(|drive| drive.name.to_owned()).collect())
}

fn tables(columns: Vec<Columns>) -> Vec<Table> {
    let table = |(name, hash, columns)| Table { source: Source { name, hash }, columns };
    columns.into_iter().map(table).collect()
}

/// Identifies a robot; a dictionary of what was found.
#[pyfunction]
#[pyo3(signature = (robot, data, loaded, payload, validate, layout, method, effects, known, equal_legs, lock, cut_off, decimate, border, folds, trust, essential, smoothing, date))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn identify<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    data: Vec<Columns>,
    loaded: Vec<Columns>,
    payload: Option<Carried>,
    validate: Vec<Columns>,
    layout: Option<&str>,
    method: &str,
    effects: Option<Vec<String>>,
    known: Vec<String>,
    equal_legs: bool,
    lock: Locks,
    cut_off: Option<f64>,
    decimate: Option<usize>,
    border: Option<f64>,
    folds: usize,
    trust: Option<f64>,
    essential: Option<f64>,
    smoothing: Option<f64>,
    date: String,
) -> PyResult<Bound<'py, PyDict>> {
    let robot = &robot.get().inner.without_motors();
    let locked = locks(lock);
    let observed = by_joints(robot, &locked, "identify")?;
    let header: Vec<&str> = data
        .first()
        .or(loaded.first())
        .map(|(.., columns)| columns.iter().map(|(name, _)| name.as_str()).collect())
        .unwrap_or_default();
    let layout = match layout {
        Some(text) => Layout::read(text)
            .map_err(|problems| Kind::Recording.error(format!("this is not a layout of a recording\n{problems}")))?,
        None => Layout::usual_of_moving(robot, &observed, &header),
    };
    let mut options = Options::new(layout);
    let filter = &mut options.layout.filter;
    match cut_off {
        None => {}
        Some(frequency) if frequency == f64::INFINITY => filter.cut_off = CutOff::Off,
        Some(frequency) => filter.cut_off = CutOff::At(frequency),
    }
    filter.decimation = decimate.or(filter.decimation);
    filter.border = border.or(filter.border);
    let asked = Asked::default();
    let effects = effects.map_or(Ok(asked.effects), |names| names.iter().map(|name| effect(name)).collect())?;
    options.asked = Asked { effects, smoothing, known, equal_legs, locked, ..Asked::default() };
    options.estimator = Estimator { method: estimator(method)?, weighs: false, trust };
    (options.folds, options.essential, options.date) = (folds, essential, date);
    let payload = payload.map(carried).transpose()?;
    let with_payload = |(table, payload): (Table, Payload)| Loaded { table, payload };
    let loaded = tables(loaded).into_iter().zip(payload.into_iter().cycle()).map(with_payload).collect();
    let recordings = Recordings { data: tables(data), loaded, validate: tables(validate), ..Recordings::default() };
    let own = robot.clone();
    let pool = pool(0)?; // of this process, also after a fork
    let found = interruptible(py, None, move |_| pool.install(|| identify_all(&own, &recordings, &options)))?;
    let found = found.map_err(|error| Kind::Recording.error(error.to_string()))?;
    shown(py, &found)
}

pub(crate) fn effect(name: &str) -> PyResult<Effect> {
    let found = Effect::ALL.into_iter().find(|effect| effect.words()[0] == name);
    found.ok_or_else(|| {
        let known: Vec<&str> = Effect::ALL.iter().map(|effect| effect.words()[0]).collect();
        Kind::Recording.error(format!("no effect `{name}`; effects are {}", known.join(", ")))
    })
}

fn estimator(name: &str) -> PyResult<Method> {
    let found = Method::ALL.into_iter().find(|method| method.name() == name);
    found.filter(|method| *method != Method::Instruments).ok_or_else(|| {
        let known = Method::ALL.iter().filter(|method| **method != Method::Instruments);
        let known: Vec<&str> = known.map(Method::name).collect();
        Kind::Recording.error(format!("no method `{name}`; methods are {}", known.join(", ")))
    })
}

fn fit<'py>(py: Python<'py>, fit: &Fit) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("relative", fit.relative)?;
    let joints: Vec<(String, f64, f64)> =
        fit.rows.iter().map(|row| (row.name.clone(), row.rms, row.relative)).collect();
    dict.set_item("joints", joints)?;
    Ok(dict)
}

fn shown<'py>(py: Python<'py>, found: &Identified) -> PyResult<Bound<'py, PyDict>> {
    let robot = &found.observed;
    let dict = PyDict::new(py);
    let full = &found.full;
    let (base, estimate) = (&full.base, &full.estimate);
    let consistent = full.consistent.as_ref().ok();
    let consistent_values = consistent.map(|found| base.values(found.values.as_slice()));
    let before = base.values(&found.unknowns.model.values(robot));
    let (sigma, relative) = (estimate.sigma(), estimate.relative_sigma());
    let rows: Vec<ParameterRow> = estimate
        .names
        .iter()
        .enumerate()
        .map(|(k, name)| {
            let unit = found.unknowns.model.unit(robot, base.kept()[k]).to_owned();
            let consistent = consistent_values.as_ref().map(|values| values[k]);
            (name.clone(), estimate.values[k], sigma[k], relative[k], consistent, before[k], unit)
        })
        .collect();
    dict.set_item("parameters", rows)?;
    dict.set_item("method", estimate.method_and_note())?;
    dict.set_item("condition", estimate.condition)?;
    dict.set_item("samples", full.equations.samples())?;
    dict.set_item("cut_off", found.filter.cut_off)?;
    dict.set_item("fit", fit(py, &estimate.fit)?)?;
    dict.set_item("held_out", full.validation.as_ref().map(|found| fit(py, &found.estimate)).transpose()?)?;
    dict.set_item("held_out_by", full.validation.as_ref().map(|found| found.by.clone()))?;
    dict.set_item("consistent", consistent.map(|found| fit(py, &found.fit)).transpose()?)?;
    dict.set_item("regrouping", base.to_string().lines().map(String::from).collect::<Vec<_>>())?;
    dict.set_item("refusal", found.refusal.clone())?;
    dict.set_item("warnings", found.warnings.clone())?;
    dict.set_item("toml", found.files.as_ref().map(|files| files.toml.clone()))?;
    dict.set_item("urdf", found.files.as_ref().and_then(|files| files.urdf.clone()))?;
    let mut recordings = Vec::new();
    for recording in &found.recordings {
        let row = PyDict::new(py);
        let [measured, predicted] = full.efforts(&recording.equations);
        row.set_item("name", &recording.source.name)?;
        row.set_item("t", numpy::PyArray1::from_slice(py, &recording.times))?;
        row.set_item("measured", numpy::PyArray1::from_vec(py, measured))?;
        row.set_item("predicted", numpy::PyArray1::from_vec(py, predicted))?;
        recordings.push(row);
    }
    dict.set_item("recordings", recordings)?;
    Ok(dict)
}
