//! How answers look in Python: arrays of the user's shape and precision, poses as 4 × 4 matrices.

use crate::batch::Answers;
use crate::errors::Kind;
use crate::robot::Robot;
use appell::question::{Array, Question};
use appell::spatial::Quaternion;
use numpy::ndarray::{ArrayView2, IxDyn};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// What else is asked for.
#[derive(Default)]
pub(crate) struct Options<'a, 'py> {
    pub(crate) external: Option<&'a Bound<'py, PyDict>>,
    pub(crate) method: Option<&'a str>,
    pub(crate) frame: Option<&'a str>,
    pub(crate) axes: Option<&'a str>,
    pub(crate) of: Option<&'a str>,
    pub(crate) out: Option<&'a Bound<'py, PyAny>>,
    pub(crate) threads: Option<usize>,
    pub(crate) device: Option<&'a str>,
}

/// An answer as arrays: one, or a tuple of them.
pub(crate) fn shown<'py>(
    py: Python<'py>,
    question: Question,
    row: &[f64],
    arrays: &[Array],
    is_single: bool,
) -> PyResult<Bound<'py, PyAny>> {
    if is_single {
        expect_single(row)?;
    }
    let mut start = 0;
    let mut one = |array: &Array| -> PyResult<Bound<'py, PyAny>> {
        let size: usize = array.shape.iter().product();
        let numbers = &row[start..start + size];
        start += size;
        let shown = match (as_poses(question, array, numbers), array.shape.as_slice()) {
            (Some((shape, poses)), _) => PyArray1::from_vec(py, poses).reshape(IxDyn(&shape))?.into_any(),
            (None, &[rows, columns]) => {
                let view = ArrayView2::from_shape((rows, columns), numbers).expect("as many numbers");
                PyArray2::from_array(py, &view).into_any()
            }
            (None, _) => PyArray1::from_slice(py, numbers).into_any(),
        };
        if is_single { shown.call_method1("astype", ("float32",)) } else { Ok(shown) }
    };
    match arrays {
        [array] => one(array),
        arrays => Ok(PyTuple::new(py, arrays.iter().map(one).collect::<PyResult<Vec<_>>>()?)?.into_any()),
    }
}

/// Refuses an answer that single precision cannot hold.
fn expect_single(numbers: &[f64]) -> PyResult<()> {
    match numbers.iter().find(|x| x.abs() > f64::from(f32::MAX)) {
        None => Ok(()),
        Some(x) => {
            Err(Kind::Number
                .error(format!("{x:e} is beyond float32, in which the arguments are; give them in float64")))
        }
    }
}

/// Poses as 4 × 4 matrices, where an array has others: twelve numbers of a frame, or position and quaternion of a platform.
fn as_poses(question: Question, array: &Array, numbers: &[f64]) -> Option<Matrices> {
    let matrix = |rotation: [f64; 9], [x, y, z]: [f64; 3]| {
        let [a, b, c, d, e, f, g, h, i] = rotation;
        [a, b, c, x, d, e, f, y, g, h, i, z, 0.0, 0.0, 0.0, 1.0]
    };
    if !are_poses(question, array) {
        return None;
    }
    if question == Question::Frames {
        let frame = |n: &[f64]| matrix(core::array::from_fn(|k| n[k]), [n[9], n[10], n[11]]);
        return Some((vec![array.shape[0], 4, 4], numbers.chunks_exact(12).flat_map(frame).collect()));
    }
    let pose = |n: &[f64]| {
        let rotation = Quaternion { x: n[3], y: n[4], z: n[5], w: n[6] }.rotation();
        matrix(core::array::from_fn(|k| rotation.rows[k / 3].to_array()[k % 3]), [n[0], n[1], n[2]])
    };
    Some((vec![4, 4], numbers.chunks_exact(7).flat_map(pose).collect()))
}

/// Whether an array of an answer has poses.
fn are_poses(question: Question, array: &Array) -> bool {
    question == Question::Frames || (question == Question::Platform && array.name == "pose")
}

/// The shape of matrices 4 × 4, and their numbers.
type Matrices = (Vec<usize>, Vec<f64>);

/// Answers of many states as arrays: one, or a tuple of them, with the states first.
pub(crate) fn shown_many<'py>(
    py: Python<'py>,
    robot: &Robot,
    question: Question,
    count: usize,
    answers: Answers,
    is_single: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let arrays = question.arrays(&robot.inner);
    let columns: usize = arrays.iter().map(|array| array.shape.iter().product::<usize>()).sum();
    if is_single {
        let (Answers::ByState(numbers) | Answers::ByColumn(numbers)) = &answers;
        expect_single(numbers)?;
    }
    let in_precision =
        |shown: Bound<'py, PyAny>| if is_single { shown.call_method1("astype", ("float32",)) } else { Ok(shown) };
    let mut start = 0;
    let poses = arrays.iter().map(|array| {
        let size: usize = array.shape.iter().product();
        start += size;
        let numbers = are_poses(question, array).then(|| answers.rows(count, start - size..start));
        numbers.and_then(|numbers| as_poses(question, array, &numbers))
    });
    let poses: Vec<Option<Matrices>> = poses.collect();
    // A row per state, whatever the order in memory.
    let all = match answers {
        Answers::ByState(numbers) => PyArray1::from_vec(py, numbers).reshape(IxDyn(&[count, columns]))?.into_any(),
        Answers::ByColumn(numbers) => {
            PyArray1::from_vec(py, numbers).reshape(IxDyn(&[columns, count]))?.into_any().getattr("T")?
        }
    };
    let all = in_precision(all)?;
    let mut start = 0;
    let one = |(array, poses): (&Array, Option<Matrices>)| -> PyResult<Bound<'py, PyAny>> {
        let size: usize = array.shape.iter().product();
        let part = if arrays.len() == 1 {
            all.clone()
        } else {
            let columns = pyo3::types::PySlice::new(py, start as isize, (start + size) as isize, 1);
            all.get_item((pyo3::types::PySlice::full(py), columns))?
        };
        start += size;
        if let Some((mut shape, poses)) = poses {
            shape.insert(0, count);
            return in_precision(PyArray1::from_vec(py, poses).reshape(IxDyn(&shape))?.into_any());
        }
        if array.shape.len() == 1 {
            return Ok(part);
        }
        let mut shape = vec![count];
        shape.extend(&array.shape);
        part.call_method1("reshape", (PyTuple::new(py, shape)?,))
    };
    let mut shown = arrays.iter().zip(poses).map(one).collect::<PyResult<Vec<_>>>()?;
    if shown.len() == 1 { Ok(shown.remove(0)) } else { Ok(PyTuple::new(py, shown)?.into_any()) }
}

/// Writes an answer into arrays of the user's, all or none of them.
pub(crate) fn write_into<'py>(
    py: Python<'py>,
    answer: &Bound<'py, PyAny>,
    out: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("appell._out")?.call_method1("write", (answer, out))?;
    Ok(out.clone())
}
