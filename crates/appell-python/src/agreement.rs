//! How far the methods for one question differ on random states.

use crate::robot::Robot;
use crate::waiting::interruptible;
use appell::question::agreement::{Difference, compare};
use pyo3::prelude::*;

/// Question, method, the default method it is measured against, the largest relative difference, and why a state had no answer.
type Outcome = (&'static str, &'static str, &'static str, Option<f64>, Option<String>);

#[pymethods]
impl Robot {
    /// The largest differences between each question's default method and its others.
    #[pyo3(name = "_agreement", signature = (states, seed, pulse))]
    fn differences(
        &self,
        py: Python<'_>,
        states: u64,
        seed: u64,
        pulse: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Outcome>> {
        let inner = self.inner.clone();
        let found = interruptible(py, pulse.as_ref(), move |waiting| {
            compare(&inner, states, seed, |done| waiting.reach(done as usize, states as usize))
        })?;
        let shown = |Difference { question, method, against, worst, failed }: Difference| {
            let failed = failed.map(|(error, _)| error.to_string());
            (question.name(), method, against, worst.map(|(difference, _)| difference), failed)
        };
        Ok(found.into_iter().map(shown).collect())
    }
}
