//! Arguments as numbers: vectors of one state or of many, poses of a platform, wrenches at frames.

use crate::errors::Kind;
use crate::robot::Robot;
use appell::dynamics::reactions::ExternalWrench;
use appell::question::{Input, Motion, Question};
use appell::spatial::{Pose, Quaternion, Vec3, Wrench};
use numpy::{PyArray2, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The arguments of a question by input: `q`, `v`, `a`, `tau`, `w`. None is zero.
pub(crate) type Arguments<'a, 'py> = [Option<&'a Bound<'py, PyAny>>; Input::ALL.len()];

/// Rows of numbers, one per state.
pub(crate) struct Rows<'py> {
    /// A row per state; all of them one row where that serves every state.
    pub(crate) numbers: PyReadonlyArray2<'py, f64>,
    /// Whether it was one vector, not a table of them.
    pub(crate) is_one: bool,
    name: String,
    may_lack: bool, // NaN stands for a number that is left out
}

impl Rows<'_> {
    /// Refuses NaN and infinite numbers by their place.
    pub(crate) fn expect_finite(&self) -> PyResult<()> {
        let view = self.numbers.as_array();
        if view.as_slice_memory_order().is_some_and(are_finite) {
            return Ok(());
        }
        match view.indexed_iter().find(|(_, x)| !self.may_be(**x)) {
            None => Ok(()),
            Some(((row, column), _)) => Err(self.not_finite(row, column)),
        }
    }

    /// Whether a number is one that can be computed with.
    pub(crate) fn may_be(&self, x: f64) -> bool {
        x.is_finite() || (self.may_lack && x.is_nan())
    }

    /// The exception for a number that is not finite.
    pub(crate) fn not_finite(&self, row: usize, column: usize) -> PyErr {
        let (name, x) = (&self.name, self.numbers.as_array()[[row, column]]);
        Kind::Number.error(if self.is_one {
            format!("`{name}[{column}]` is {x}")
        } else {
            format!("`{name}[{row}, {column}]` is {x}")
        })
    }
}

/// Whether all of some numbers are finite: 0 x is zero then, and so are sums of it. Of one sum each addition would wait for the one before.
#[inline]
pub(crate) fn are_finite(numbers: &[f64]) -> bool {
    let (groups, rest) = numbers.as_chunks::<8>();
    let mut sums = [0.0_f64; 8];
    for group in groups {
        for (sum, x) in sums.iter_mut().zip(group) {
            *sum += 0.0 * x;
        }
    }
    sums.iter().all(|sum| *sum == 0.0) && rest.iter().all(|x| x.is_finite())
}

/// What a question is asked about.
pub(crate) struct Given<'py> {
    /// By input; those that are not read are none. Of a platform's motion the first three are pose (7), twist and acceleration (6).
    pub(crate) rows: [Option<Rows<'py>>; Input::ALL.len()],
    /// Whether a robot with loops moves as its platform does, not its drives.
    pub(crate) is_platform: bool,
    /// Wrenches from outside: at a frame of the tree, or at the platform.
    pub(crate) external: Vec<(Option<usize>, Rows<'py>)>,
    /// How many states; none if it is one, without a dimension for them.
    pub(crate) count: Option<usize>,
    /// Whether all numbers were given in single precision.
    pub(crate) is_single: bool,
}

impl<'py> Given<'py> {
    /// Reads what a question needs.
    pub(crate) fn read(
        robot: &Robot,
        py: Python<'py>,
        question: Question,
        arguments: &Arguments<'_, 'py>,
        external: Option<&Bound<'py, PyDict>>,
        of: Option<&str>,
    ) -> PyResult<Self> {
        let mut given =
            Self { rows: Default::default(), is_platform: false, external: Vec::new(), count: None, is_single: true };
        let mut any = false;
        let pose = match arguments[0] {
            Some(first) => robot.pose_numbers(py, first, of)?,
            None => None,
        };
        given.is_platform = pose.is_some();
        for (k, input) in Input::ALL.into_iter().enumerate().filter(|(_, input)| question.reads(*input)) {
            let width = given.width(robot, input);
            let rows = match (arguments[k], &pose) {
                (Some(_), Some((pose, is_single))) if k == 0 => {
                    let before = given.is_single && *is_single;
                    let rows = given.rows(pose, "pose", 7, false)?;
                    given.is_single = before;
                    Some(rows)
                }
                (Some(argument), Some(_)) if k < 3 => {
                    Some(given.twist(robot, argument, ["pose", "twist", "acceleration"][k])?)
                }
                (Some(argument), _) => Some(given.rows(argument, input.symbol(), width, false)?),
                (None, _) if k == 0 => {
                    return Err(PyTypeError::new_err(format!("{} needs positions `q`", question.name())));
                }
                (None, _) => None,
            };
            any |= rows.is_some();
            given.rows[k] = rows;
        }
        for (name, wrench) in external.iter().flat_map(|external| external.iter()) {
            let name: String = name.extract()?;
            let frame = robot.frame_of_wrench(question, &name)?;
            let rows = given.rows(&wrench, &format!("external[\"{name}\"]"), 6, false)?;
            given.external.push((frame, rows));
        }
        given.is_single &= any;
        given.share(py)?;
        Ok(given)
    }

    /// How many numbers an input has.
    fn width(&self, robot: &Robot, input: Input) -> usize {
        match input {
            Input::Positions if self.is_platform => 7,
            Input::Velocities | Input::Accelerations if self.is_platform => 6,
            Input::Positions => robot.widths[0],
            _ => robot.widths[1],
        }
    }

    /// The six components of a platform's twist or acceleration; or the robot's independent ones, where others follow.
    fn twist(&mut self, robot: &Robot, argument: &Bound<'py, PyAny>, name: &str) -> PyResult<Rows<'py>> {
        let places = &robot.twist_places;
        let last = argument.getattr("shape").and_then(|shape| shape.get_item(-1)?.extract::<usize>()).ok();
        let length = last.or_else(|| argument.len().ok());
        if places.len() < 6 && length == Some(places.len()) {
            let py = argument.py();
            let array = self.plain(argument, name)?;
            let mut shape: Vec<usize> = array.shape().to_vec();
            *shape.last_mut().expect("it has a length") = 6;
            let numpy = py.import("numpy")?;
            let wide = numpy.call_method1("full", (shape, f64::NAN))?;
            let key = (py.Ellipsis(), places.clone());
            wide.set_item(key, array)?;
            return self.rows(&wide, name, 6, true);
        }
        self.rows(argument, name, 6, true)
    }

    /// An array of real numbers.
    fn plain(&mut self, argument: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyUntypedArray>> {
        let py = argument.py();
        let numpy = py.import("numpy")?;
        if argument.hasattr("mask")? && numpy.getattr("ma")?.call_method1("is_masked", (argument,))?.is_truthy()? {
            return Err(Kind::Number.error(format!("`{name}` has masked numbers; fill them first")));
        }
        let array = numpy.call_method1("asarray", (argument,))?;
        let array = array.cast_into::<PyUntypedArray>()?;
        let kind = array.dtype().kind();
        if !matches!(kind, b'f' | b'i' | b'u' | b'b') {
            return Err(PyTypeError::new_err(format!(
                "`{name}` is an array of {}; expected real numbers",
                array.dtype()
            )));
        }
        self.is_single &= kind == b'f' && array.dtype().itemsize() <= 4;
        Ok(array)
    }

    /// An argument as rows of `width` numbers; NaN stands for a number that is left out, where that is allowed.
    fn rows(&mut self, argument: &Bound<'py, PyAny>, name: &str, width: usize, may_lack: bool) -> PyResult<Rows<'py>> {
        let py = argument.py();
        let array = self.plain(argument, name)?;
        let shape = array.shape().to_vec();
        let is_one = shape.len() == 1;
        if shape.last() != Some(&width) || shape.len() > 2 {
            let found = array.getattr("shape")?;
            return Err(Kind::Shape.error(format!(
                "`{name}` has shape {found}; expected ({width},) for one state or (N, {width}) for N of them"
            )));
        }
        // Aligned numbers of this machine's order, as they are where they are so.
        let numpy = py.import("numpy")?;
        let array = if array.is_empty() {
            numpy.call_method1("zeros", (shape.clone(),))? // the memory of none may begin anywhere
        } else {
            numpy.call_method1("require", (array, "float64", "A"))?
        };
        let array = if is_one { array.call_method1("reshape", (1, width))? } else { array };
        let numbers = array
            .cast_into::<PyArray2<f64>>()?
            .try_readonly()
            .map_err(|error| PyValueError::new_err(format!("`{name}` cannot be read: {error}")))?;
        if !is_one {
            let count = shape[0];
            if let Some(other) = self.count.filter(|&other| other != count) {
                return Err(Kind::Shape.error(format!(
                    "`{name}` has {count} states, others have {other}; give as many, or one vector for all"
                )));
            }
            self.count = Some(count);
        }
        Ok(Rows { numbers, is_one, name: name.to_owned(), may_lack })
    }

    /// Refuses numbers that are not finite.
    pub(crate) fn expect_finite(&self) -> PyResult<()> {
        let wrenches = self.external.iter().map(|(_, rows)| rows);
        self.rows.iter().flatten().chain(wrenches).try_for_each(Rows::expect_finite)
    }

    /// Lets vectors that were given once serve all states.
    fn share(&mut self, py: Python<'py>) -> PyResult<()> {
        let Some(count) = self.count else { return Ok(()) };
        let rows = self.rows.iter_mut().flatten().chain(self.external.iter_mut().map(|(_, rows)| rows));
        for rows in rows.filter(|rows| rows.is_one) {
            let width = rows.numbers.shape()[1];
            let shared = py.import("numpy")?.call_method1("broadcast_to", (&*rows.numbers, (count, width)))?;
            rows.numbers = shared.cast_into::<PyArray2<f64>>()?.readonly();
        }
        Ok(())
    }
}

/// A platform's motion from its numbers; those that are NaN are found from the others.
pub(crate) fn platform(pose: &[f64], twist: &[f64], acceleration: &[f64]) -> Motion<'static> {
    let six = |numbers: &[f64]| -> [Option<f64>; 6] {
        core::array::from_fn(|k| numbers.get(k).map_or(Some(0.0), |&x| (!x.is_nan()).then_some(x)))
    };
    let rotation = Quaternion { x: pose[3], y: pose[4], z: pose[5], w: pose[6] }.rotation();
    let pose = Pose { position: Vec3::new(pose[0], pose[1], pose[2]), rotation };
    Motion::Platform { pose, twist: six(twist), acceleration: six(acceleration) }
}

/// A wrench from its six numbers.
pub(crate) fn wrench(numbers: &[f64]) -> Wrench {
    let [fx, fy, fz, mx, my, mz] = core::array::from_fn(|k| numbers[k]);
    Wrench { force: Vec3::new(fx, fy, fz), moment: Vec3::new(mx, my, mz) }
}

/// Wrenches at frames of the tree, and the one on the platform.
pub(crate) fn wrenches(given: &[(Option<usize>, Vec<f64>)]) -> (Vec<ExternalWrench>, Option<Wrench>) {
    let at = |(frame, numbers): &(Option<usize>, Vec<f64>)| {
        frame.map(|frame| ExternalWrench { frame, wrench: wrench(numbers) })
    };
    let of_tree = given.iter().filter_map(at).collect();
    (of_tree, given.iter().find(|(frame, _)| frame.is_none()).map(|(_, numbers)| wrench(numbers)))
}
