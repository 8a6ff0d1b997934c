//! How much better a searched motion of the PUMA is than the best of 1000 random ones within the same limits.
//!
//! `cargo run --release -p appell-identification --example excite_puma [restarts] [iterations]`: one start of twenty steps, which
//! takes seconds, unless told otherwise; `appell excite` takes many more.

use appell::Robot;
use appell_identification::excitation::{ExcitationError, Options, random, search};
use appell_identification::parameters::Model;
use std::ops::ControlFlow;
use std::time::Instant;

fn main() -> Result<(), ExcitationError> {
    let puma = Robot::builtin("puma560").expect("a built-in robot");
    let mut options = Options::new(&puma, Model::bodies(&puma));
    for limits in &mut options.limits {
        (limits.velocity, limits.acceleration) = (1.5, 4.0);
    }
    let mut numbers = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    options.restarts = numbers.next().unwrap_or(1);
    options.iterations = numbers.next().unwrap_or(20);
    let start = Instant::now();
    let drawn = random(&puma, &options, 1000, &|| std::ops::ControlFlow::Continue(()))?;
    println!("best of 1000 random motions: condition {:.1}, {:.1} s", drawn.condition, start.elapsed().as_secs_f64());
    let start = Instant::now();
    let found = search(&puma, &options, &|_| ControlFlow::Continue(()))?;
    println!(
        "{} starts of {} steps: condition {:.2} by start {}, {:.1} s; {:.2} times lower",
        options.restarts,
        options.iterations,
        found.condition,
        found.restart,
        start.elapsed().as_secs_f64(),
        drawn.condition / found.condition
    );
    let most = found.peaks.iter().map(|peak| peak.part).fold(0.0, f64::max);
    println!("{} base parameters, {:.2} % of a limit used at most", found.columns.len(), 100.0 * most);
    assert!(found.condition < drawn.condition && most <= 1.0 + 1e-9, "better, and within the limits");
    Ok(())
}
