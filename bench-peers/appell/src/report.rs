//! Lines of the peers' format.

use appell::question::Question;
use appell_bench::Timing;

/// What a call took.
pub(crate) fn time(model: &str, algorithm: &str, kind: &str, timing: Timing) {
    println!("R,{model},{algorithm},appell {kind},{:.2},{:.2},", timing.min, timing.median);
}

/// What a batch took, over its states.
pub(crate) fn batch(model: &str, algorithm: &str, kind: &str, timing: Timing, count: usize) {
    let each = |ns: f64| ns / count as f64;
    time(model, algorithm, kind, Timing { min: each(timing.min), median: each(timing.median) });
}

/// What was answered.
pub(crate) fn answer(model: &str, algorithm: &str, kind: &str, numbers: impl IntoIterator<Item = f64>) {
    let numbers: Vec<String> = numbers.into_iter().map(|x| format!("{x:e}")).collect();
    println!("C,{model},{algorithm},appell {kind},{}", numbers.join(","));
}

/// The part of an answer that the peers' check looks at, if any.
pub(crate) fn check(model: &str, question: Question, kind: &str, n: usize, row: &[f64]) {
    match question {
        Question::InverseDynamics => answer(model, "rnea", kind, row.iter().copied()),
        Question::ForwardDynamics => answer(model, "fd", kind, row.iter().copied()),
        Question::InertiaMatrix => answer(model, "massdiag", kind, (0..n).map(|j| row[j * (n + 1)])),
        // Entry by entry the derivative by q, then the one by v.
        Question::InverseDynamicsDerivatives => {
            answer(model, "drnea", kind, (0..2 * n * n).map(|k| row[k / 2 + k % 2 * n * n]));
        }
        _ => {}
    }
}
