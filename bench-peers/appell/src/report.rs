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

/// The part of an answer that the peers' check looks at, if any, its joints in the peers' order.
pub(crate) fn check(model: &str, question: Question, kind: &str, order: &[usize], row: &[f64]) {
    let n = order.len();
    let pairs = || order.iter().flat_map(|i| order.iter().map(move |j| i * n + j));
    match question {
        Question::InverseDynamics => answer(model, "rnea", kind, order.iter().map(|&j| row[j])),
        Question::ForwardDynamics => answer(model, "fd", kind, order.iter().map(|&j| row[j])),
        Question::InertiaMatrix => answer(model, "massdiag", kind, order.iter().map(|&j| row[j * (n + 1)])),
        // Entry by entry the derivative by q, then the one by v.
        Question::InverseDynamicsDerivatives => {
            answer(model, "drnea", kind, pairs().flat_map(|k| [row[k], row[k + n * n]]));
        }
        _ => {}
    }
}
