//! How long a call takes.

use std::time::Instant;

/// Time of one call, ns.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "named by what they are")]
pub struct Timing {
    pub min: f64,
    pub median: f64,
}

/// Minimum and median, over many short repeats, of the mean time a call within a repeat.
///
/// `call` gets a running index, so that it can cycle through states.
pub fn time(mut call: impl FnMut(usize)) -> Timing {
    const REPEATS: usize = 400;
    const REPEAT_NS: f64 = 2.0e5;
    run(0, 100, &mut call);
    let calls = (REPEAT_NS / run(100, 200, &mut call)).clamp(5.0, 2000.0) as usize;
    time_repeats(REPEATS, calls, call)
}

/// The same for calls that are long by themselves: so many repeats of so many calls.
pub fn time_repeats(repeats: usize, calls: usize, mut call: impl FnMut(usize)) -> Timing {
    let mut means: Vec<f64> = (0..repeats).map(|repeat| run(repeat * calls, calls, &mut call)).collect();
    means.sort_by(f64::total_cmp);
    Timing { min: means[0], median: means[repeats / 2] }
}

/// Mean time of some calls, the first with index `first`.
fn run(first: usize, calls: usize, call: &mut impl FnMut(usize)) -> f64 {
    let start = Instant::now();
    (first..first + calls).for_each(call);
    start.elapsed().as_nanos() as f64 / calls as f64
}
