//! Many states on a device, in generated code: arrays of NumPy go there and back, arrays on a GPU stay there.

use crate::batch::Answers;
use crate::dlpack::{self, DeviceArray, OnGpuOf};
use crate::errors::{self, Kind};
use crate::given::{Arguments, Given};
use crate::robot::{How, Robot};
use crate::shown::{Options, shown, shown_many, write_into};
use appell::question::{Input, Question};
use appell_batch::States;
use appell_device::{Columns, Device, DeviceBatch, DeviceError, Number, OnGpu, There};
use numpy::PyUntypedArrayMethods;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Arc, Mutex, PoisonError};

/// Answers a question on a device: the one that is named, or where the arrays are.
pub(crate) fn ask<'py>(
    robot: &Bound<'py, Robot>,
    question: Question,
    how: Option<&How>,
    arguments: &Arguments<'_, 'py>,
    options: &Options<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, own) = (robot.py(), robot.get());
    if options.external.is_some() || options.method.is_some() {
        return Err(Kind::Question.error(
            "generated code takes no wrenches and no other method; leave out `external` and `method`, or `device`",
        ));
    }
    let there = arguments.iter().flatten().find(|argument| dlpack::is_on_gpu(argument));
    let named = options.device.map(parsed).transpose()?;
    let plain = How::default();
    let how = how.unwrap_or(&plain);
    if let Some(first) = there {
        let device = dlpack::device_of(first)?;
        if let Some(named) = named.filter(|named| *named != device) {
            let error = DeviceError::Elsewhere { found: device.to_string(), expected: named.to_string() };
            return Err(errors::of_device(&error));
        }
        if options.out.is_some() {
            return Err(
                Kind::Question.error("answers of arrays on a GPU stay there, in memory of their own; leave out `out`")
            );
        }
        let batch = own.on_device(question, how, device)?;
        return if dlpack::is_single(first)? {
            stay::<f32>(py, own, question, &batch, device, arguments)
        } else {
            stay::<f64>(py, own, question, &batch, device, arguments)
        };
    }
    let device = named.expect("named, or where arrays are");
    let given = Given::read(own, py, question, arguments, options.external, options.of)?;
    given.expect_finite()?;
    let batch = own.on_device(question, how, device)?;
    let count = given.count.unwrap_or(1);
    let answers = if given.is_single {
        let single: Vec<f32> = there_and_back(py, own, &batch, &given, count)?;
        single.into_iter().map(f64::from).collect()
    } else {
        there_and_back::<f64>(py, own, &batch, &given, count)?
    };
    let answer = match given.count {
        None => shown(py, question, &answers, &question.arrays(&own.inner), given.is_single)?,
        Some(count) => shown_many(py, own, question, count, Answers::ByColumn(answers), given.is_single)?,
    };
    match options.out {
        None => Ok(answer),
        Some(out) => write_into(py, &answer, out),
    }
}

fn parsed(name: &str) -> PyResult<Device> {
    name.parse().map_err(|error| errors::of_device(&error))
}

/// Arrays of NumPy, one column after the other, in the precision that they have.
fn there_and_back<F: Number>(
    py: Python<'_>,
    robot: &Robot,
    batch: &Mutex<DeviceBatch>,
    given: &Given<'_>,
    count: usize,
) -> PyResult<Vec<F>> {
    let mut numbers: [Vec<f64>; Input::ALL.len()] = Default::default();
    for (k, columns) in numbers.iter_mut().enumerate() {
        let width = match (given.is_platform, k) {
            (true, 0) => 7,
            (true, 1 | 2) => 6,
            (_, k) => robot.widths[usize::from(k > 0)],
        };
        *columns = match &given.rows[k] {
            None => vec![0.0; width * count],
            Some(rows) => {
                let view = rows.numbers.as_array();
                debug_assert_eq!(rows.numbers.shape(), [count, width]);
                view.columns()
                    .into_iter()
                    .flat_map(|column| column.into_iter().copied().collect::<Vec<f64>>())
                    .collect()
            }
        };
    }
    let [q, v, a, tau, w] = numbers.each_ref().map(Vec::as_slice);
    let states = if given.is_platform {
        States { count, pose: q, twist: v, acceleration: a, tau, ..States::default() }
    } else {
        States { count, q, v, a, tau, w, ..States::default() }
    };
    let answered = py.detach(|| {
        let mut batch = batch.lock().unwrap_or_else(PoisonError::into_inner);
        let mut answers = vec![F::default(); batch.columns() * count];
        let vectors = batch.vectors(&states)?;
        let vectors: Vec<Vec<F>> =
            vectors.into_iter().map(|numbers| numbers.iter().map(|&x| F::nearest(x)).collect()).collect();
        let arguments: Vec<&[F]> = vectors.iter().map(Vec::as_slice).collect();
        if count > 0 {
            batch.evaluate_columns(&Columns { count, arguments: &arguments }, &mut answers)?;
        }
        Ok(answers)
    });
    answered.map_err(|error: DeviceError| errors::of_device(&error))
}

/// Arrays that are on the GPU; answers stay there.
fn stay<'py, F: OnGpuOf>(
    py: Python<'py>,
    robot: &Robot,
    question: Question,
    batch: &Arc<Mutex<DeviceBatch>>,
    device: Device,
    arguments: &Arguments<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    // Never waited for with the interpreter's lock in hand: who computes may need that to give arrays back.
    let locked = || batch.lock().unwrap_or_else(PoisonError::into_inner);
    let takes: Vec<(&'static str, usize)> = py.detach(|| {
        let batch = locked();
        batch.arguments().iter().map(|argument| (argument.name, argument.entries.len())).collect()
    });
    let mut count = None;
    let mut arrays: Vec<Option<OnGpu<F>>> = Vec::new();
    for &(name, width) in &takes {
        let place = match name {
            "q" | "pose" => 0,
            "v" | "twist" => 1,
            "a" | "acceleration" => 2,
            "tau" => 3,
            "w" => 4,
            _ => return Err(errors::of_device(&DeviceError::Assembled { ports: names(&takes) })),
        };
        let Some(argument) = arguments[place] else {
            arrays.push(None);
            continue;
        };
        let (array, rows) = dlpack::columns::<F>(argument, name, width, device)?;
        if let Some(other) = count.filter(|&other| other != rows) {
            return Err(Kind::Shape.error(format!("`{name}` has {rows} states, others have {other}; give as many")));
        }
        count = Some(rows);
        arrays.push(Some(array));
    }
    let count = count.ok_or_else(|| Kind::Question.error(format!("{} needs arrays on {device}", question.name())))?;
    let answers = py.detach(|| {
        let mut batch = locked();
        for (array, (_, width)) in arrays.iter_mut().zip(&takes).filter(|(array, _)| array.is_none()) {
            *array = Some(OnGpu::zeros(device, width * count)?);
        }
        let mut answers = OnGpu::zeros(device, batch.columns() * count)?;
        if count > 0 {
            let arguments: Vec<&OnGpu<F>> = arrays.iter().flatten().collect();
            batch.evaluate_there(&There { count, arguments: &arguments }, &mut answers)?;
        }
        Ok(Arc::new(answers))
    });
    let answers = answers.map_err(|error: DeviceError| errors::of_device(&error))?;
    let shapes = question.arrays(&robot.inner);
    let mut first = 0;
    let mut shown = Vec::new();
    for array in &shapes {
        shown.push(Bound::new(py, DeviceArray::new(&answers, first, count, &array.shape))?.into_any());
        first += array.shape.iter().product::<usize>();
    }
    if shown.len() == 1 { Ok(shown.remove(0)) } else { Ok(PyTuple::new(py, shown)?.into_any()) }
}

fn names(takes: &[(&'static str, usize)]) -> String {
    takes.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// What a device says of itself, "cpu", "cuda" or "cuda:1"; one that is not there is a `DeviceError`.
///
/// >>> "processor" in appell.describe_device("cpu")
/// True
#[pyfunction]
pub(crate) fn describe_device(name: &str) -> PyResult<String> {
    let device = parsed(name)?;
    let described = device.describe().map_err(|error| errors::of_device(&error))?;
    Ok(match described.memory {
        None => described.name,
        Some((total, free)) => {
            format!("{}, {:.1} GB of memory, {:.1} free", described.name, total as f64 / 1e9, free as f64 / 1e9)
        }
    })
}
