//! Laws of control that are functions of Python.

use crate::array;
use crate::errors::Kind;
use crate::place::pose_numbers;
use crate::record::twist_numbers;
use appell_simulation::simulation::{Law, Reason, View};
use core::cell::Cell;
use numpy::PyArray1;
use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;

/// Simulations within laws of each other at most: each takes some of the thread's stack.
const MOST_NESTED: usize = 16;

thread_local! {
    static NESTED: Cell<usize> = const { Cell::new(0) };
}

/// A simulation whose law is Python's, and may simulate as well.
pub(crate) struct Nested;

impl Nested {
    /// One more, if they are not too many.
    pub(crate) fn enter() -> PyResult<Self> {
        NESTED.with(|nested| match nested.get() {
            MOST_NESTED => Err(PyRecursionError::new_err(format!(
                "simulate within the law of a simulate, {MOST_NESTED} deep: does the law simulate itself under itself?"
            ))),
            depth => {
                nested.set(depth + 1);
                Ok(Self)
            }
        })
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        NESTED.with(|nested| nested.set(nested.get() - 1));
    }
}

/// A law of the user's: a function of time, positions and velocities, and of a platform also of its pose and twist.
pub(crate) struct PythonLaw<'py> {
    pub(crate) call: Bound<'py, PyAny>,
    pub(crate) drives: Option<Vec<usize>>, // of a robot with loops
    pub(crate) of_platform: bool,
    pub(crate) error: Option<PyErr>,
}

impl PythonLaw<'_> {
    /// Its torques and forces for a state.
    pub(crate) fn asked(&self, now: &View<'_>, efforts: &mut [f64]) -> PyResult<()> {
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
