//! Positions that are not vectors: steps along velocities, and the velocities between two positions.

use crate::errors::Kind;
use crate::given::Given;
use crate::robot::Robot;
use appell::Question;
use numpy::ndarray::{Array2, ArrayView1, Axis};
use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;

/// Rows made of rows of positions and of another vector.
fn row_by_row<'py>(
    robot: &Robot,
    py: Python<'py>,
    given: &Given<'py>,
    width: usize,
    make: impl Fn(ArrayView1<'_, f64>, ArrayView1<'_, f64>) -> PyResult<Vec<f64>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (Some(q), Some(other)) = (&given.rows[0], &given.rows[1]) else {
        return Err(Kind::Shape.error(format!("two vectors are needed of {}", robot.inner.name())));
    };
    let (q, other) = (q.numbers.as_array(), other.numbers.as_array());
    let mut rows = Vec::with_capacity(q.nrows() * width);
    for (q, other) in q.rows().into_iter().zip(other.rows()) {
        rows.extend(make(q, other)?);
    }
    let rows = Array2::from_shape_vec((q.nrows(), width), rows).expect("as many numbers").into_pyarray(py);
    Ok(match given.count {
        Some(_) => rows.into_any(),
        None => rows.readonly().as_array().index_axis(Axis(0), 0).to_owned().into_pyarray(py).into_any(),
    })
}

#[pymethods]
impl Robot {
    /// The positions after a step along velocities, q ⊕ v: quaternions turn by the rotation vector v (body axes), all else is added.
    ///
    /// Shapes: (nq,), (nv,) → (nq,), or (N, nq), (N, nv) → (N, nq). For a time step multiply v by it.
    ///
    /// >>> robot = appell.load("puma560")
    /// >>> robot.integrate(np.zeros(6), np.full(6, 0.1)).tolist()
    /// [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]
    fn integrate<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        v: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given =
            Given::read(self, py, Question::Energy, &[Some(q), Some(v), None, None, None], None, Some("drives"))?;
        given.expect_finite()?;
        let own = self.inner.closed().is_none().then(|| self.inner.tree().coordinates()).flatten();
        row_by_row(self, py, &given, self.widths[0], |q, v| match own {
            None => Ok(q.iter().zip(v).map(|(q, v)| q + v).collect()),
            Some(own) => {
                let (mut q, v) = (q.to_vec(), v.to_vec());
                own.check(&q).map_err(|error| Kind::State.error(error.to_string()))?;
                own.integrate(&mut q, &v);
                Ok(q)
            }
        })
    }

    /// The velocities that lead from one position to another in a second, v of q₀ ⊕ v = q₁: the inverse of `integrate`.
    ///
    /// >>> robot = appell.load("puma560")
    /// >>> robot.difference(np.zeros(6), np.ones(6)).tolist()
    /// [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    fn difference<'py>(
        &self,
        py: Python<'py>,
        q0: &Bound<'py, PyAny>,
        q1: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let read =
            |q| Given::read(self, py, Question::Frames, &[Some(q), None, None, None, None], None, Some("drives"));
        let (mut given, other) = (read(q0)?, read(q1)?);
        if given.count != other.count {
            return Err(Kind::Shape.error("`q0` and `q1` have different shapes"));
        }
        let [rest, ..] = other.rows;
        given.rows[1] = rest;
        given.expect_finite()?;
        let own = self.inner.closed().is_none().then(|| self.inner.tree().coordinates()).flatten();
        let width = self.widths[1];
        row_by_row(self, py, &given, width, |from, to| match own {
            None => Ok(from.iter().zip(to).map(|(from, to)| to - from).collect()),
            Some(own) => {
                let (from, to) = (from.to_vec(), to.to_vec());
                for q in [&from, &to] {
                    own.check(q).map_err(|error| Kind::State.error(error.to_string()))?;
                }
                let mut v = vec![0.0; width];
                own.difference(&from, &to, &mut v);
                Ok(v)
            }
        })
    }
}
