//! A prepared question with arrays of its own, for loops at control rate: fill `q`, `v`, `a`, call, read `tau`.

use crate::array::{self, Memory};
use crate::errors::{self, Kind};
use crate::given;
use crate::robot::{self, Robot};
use appell::question::{Evaluator, Input, State};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Mutex, PoisonError};

/// A prepared question with arrays of its own: fill them, call it, read the answer; nothing is allocated.
///
/// >>> solve = appell.load("two-link").solver("gravity")
/// >>> solve([0.1, 0.2])
/// >>> solve.g.shape
/// (2,)
#[pyclass(frozen, module = "appell._appell")]
pub(crate) struct Solver {
    state: Mutex<Ready>,
    vectors: [Py<Memory>; Input::ALL.len()],
    answer: Py<Memory>,
    is_platform: bool,
    question: &'static str,
    method: &'static str,
    arrays: Vec<(String, Py<PyAny>)>,
}

struct Ready {
    evaluator: Evaluator,
    row: Vec<f64>,
}

#[pymethods]
impl Robot {
    /// Prepares a question: an object with arrays of its own (`q`, `v`, `a`, `tau`, …) that is called to answer.
    ///
    /// With `of="platform"` a parallel robot takes `pose` (px py pz qx qy qz qw), `twist` and `acceleration`. With
    /// `continuous=True` each state goes on from the one before. For one thread at a time.
    ///
    /// >>> solve = appell.load("puma560").solver("inverse-dynamics")
    /// >>> solve.q[:] = 0.1
    /// >>> solve()
    /// >>> solve.tau.shape
    /// (6,)
    #[pyo3(signature = (question, *, method = None, frame = None, axes = None, of = None, continuous = false))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn solver(
        &self,
        py: Python<'_>,
        question: &str,
        method: Option<&str>,
        frame: Option<&str>,
        axes: Option<&str>,
        of: Option<&str>,
        continuous: bool,
    ) -> PyResult<Solver> {
        let question = robot::find(question)?;
        let is_platform = match of {
            None | Some("drives") => false,
            Some("platform") if self.inner.platform().is_some() => true,
            Some(other) => {
                return Err(Kind::Question
                    .error(format!("of=\"{other}\": expected \"drives\", or \"platform\" of a robot that has one")));
            }
        };
        let how = self.how(question, method, frame, axes)?.unwrap_or_default();
        let evaluator = Evaluator::new(&self.inner, question, how.method.as_deref(), how.target())
            .map_err(|error| errors::of_question(&error))?
            .continuous(continuous);
        let mut arrays = Vec::new();
        let mut vectors = Vec::new();
        for (k, input) in Input::ALL.into_iter().enumerate() {
            let is_read = question.reads(input);
            let (name, width) = match (is_platform, k) {
                (true, 0) => ("pose", 7),
                (true, 1) => ("twist", 6),
                (true, 2) => ("acceleration", 6),
                _ => (input.symbol(), self.widths[usize::from(k > 0)]),
            };
            let memory = Bound::new(py, Memory::zeros(if is_read { width } else { 0 }))?;
            if is_read {
                arrays.push((name.to_owned(), Memory::array(&memory, 0, &[width]).into_any().unbind()));
            }
            vectors.push(memory);
        }
        if is_platform {
            vectors[0].get().set(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        } else {
            vectors[0].get().set(&self.inner.neutral());
        }
        let row = vec![0.0; evaluator.columns().len()];
        let answer = Bound::new(py, Memory::zeros(row.len()))?;
        let mut start = 0;
        for array in question.arrays(&self.inner) {
            // An answer of the name of an argument, as the drives' motion has, has another.
            let taken = arrays.iter().any(|(name, _)| *name == array.name);
            let name = if taken { format!("{}_out", array.name) } else { array.name };
            arrays.push((name, Memory::array(&answer, start, &array.shape).into_any().unbind()));
            start += array.shape.iter().product::<usize>();
        }
        let mut vectors = vectors.into_iter().map(Bound::unbind);
        Ok(Solver {
            question: question.name(),
            method: evaluator.method().name,
            state: Mutex::new(Ready { evaluator, row }),
            vectors: core::array::from_fn(|_| vectors.next().expect("one per input")),
            answer: answer.unbind(),
            is_platform,
            arrays,
        })
    }
}

/// Getters of the arrays that most questions have: Python finds them sooner than by `__getattr__`.
macro_rules! arrays {
    ($($(#[doc = $doc:literal])* $name:ident;)*) => {
        #[pymethods]
        impl Solver {
            $(
                $(#[doc = $doc])*
                #[getter]
                fn $name(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.__getattr__(py, stringify!($name))
                }
            )*
        }
    };
}

arrays! {
    /// Positions, rad or m.
    q;
    /// Velocities, rad/s or m/s.
    v;
    /// Accelerations, rad/s² or m/s².
    a;
    /// Torques and forces, N m or N.
    tau;
    /// The platform's px py pz qx qy qz qw.
    pose;
    /// The platform's twist, linear first.
    twist;
    /// The platform's acceleration, linear first.
    acceleration;
}

#[pymethods]
impl Solver {
    /// Answers for what the arrays hold, or for vectors that are given, in their order, and copied there first: `solve(q, v, a)`. The
    /// answer's arrays change only if there is one.
    #[pyo3(signature = (*vectors))]
    fn __call__(&self, vectors: &Bound<'_, PyTuple>) -> PyResult<()> {
        if !vectors.is_empty() {
            self.take(vectors)?;
        }
        let [q, v, a, tau, w] = &self.vectors; // one by one: a `map` of all is a call of its own
        let [q, v, a] = [q.get().numbers(), v.get().numbers(), a.get().numbers()];
        let mut state = State { q, v, a, tau: tau.get().numbers(), w: w.get().numbers(), ..State::default() };
        if self.is_platform {
            state.motion = given::platform(q, v, a);
        }
        let mut ready = self.state.try_lock().or_else(|error| match error {
            std::sync::TryLockError::Poisoned(poisoned) => Ok(PoisonError::into_inner(poisoned)),
            std::sync::TryLockError::WouldBlock => {
                Err(Kind::State.error("this solver is in use by another thread; make one for each thread"))
            }
        })?;
        let Ready { evaluator, row } = &mut *ready;
        evaluator.evaluate(&state, row).map_err(|error| errors::of_answer(&error))?;
        if !given::are_finite(row) {
            return Err(Kind::Number.error("the answer is not finite; look for NaN and huge numbers in the arrays"));
        }
        self.answer.get().set(row);
        Ok(())
    }

    /// The other arrays, those of the answer, by name.
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let found = self.arrays.iter().find(|(own, _)| own == name);
        found.map(|(_, array)| array.clone_ref(py)).ok_or_else(|| {
            let known: Vec<&str> = self.arrays.iter().map(|(name, _)| name.as_str()).collect();
            PyAttributeError::new_err(format!(
                "a solver of {} has no `{name}`; it has {}",
                self.question,
                known.join(", ")
            ))
        })
    }

    fn __dir__(&self) -> Vec<String> {
        let own = ["question", "method"].map(String::from);
        self.arrays.iter().map(|(name, _)| name.clone()).chain(own).collect()
    }

    /// The question.
    #[getter]
    fn question(&self) -> &'static str {
        self.question
    }

    /// The method that answers it.
    #[getter]
    fn method(&self) -> &'static str {
        self.method
    }

    fn __repr__(&self) -> String {
        let names: Vec<&str> = self.arrays.iter().map(|(name, _)| name.as_str()).collect();
        format!("<appell.Solver of {} by {}: {}>", self.question, self.method, names.join(", "))
    }
}

impl Solver {
    /// Copies vectors into the arrays that the question reads, all or none of them.
    fn take(&self, vectors: &Bound<'_, PyTuple>) -> PyResult<()> {
        let read: Vec<&Memory> =
            self.vectors.iter().map(Py::get).filter(|memory| !memory.numbers().is_empty()).collect();
        if vectors.len() != read.len() {
            let names: Vec<&str> = self.arrays.iter().take(read.len()).map(|(name, _)| name.as_str()).collect();
            return Err(Kind::Shape.error(format!(
                "{} vectors; expected none, or {}: {}",
                vectors.len(),
                read.len(),
                names.join(", ")
            )));
        }
        let mut copied = Vec::with_capacity(read.len());
        for ((vector, memory), (name, _)) in vectors.iter().zip(&read).zip(&self.arrays) {
            let numbers = match array::numbers(&vector) {
                Some(numbers) => numbers.to_vec(),
                None => vector.extract::<Vec<f64>>()?,
            };
            if numbers.len() != memory.numbers().len() {
                let (found, expected) = (numbers.len(), memory.numbers().len());
                return Err(Kind::Shape.error(format!("`{name}` has {found} numbers; expected {expected}")));
            }
            copied.push(numbers);
        }
        read.iter().zip(copied).for_each(|(memory, numbers)| memory.set(&numbers));
        Ok(())
    }
}
