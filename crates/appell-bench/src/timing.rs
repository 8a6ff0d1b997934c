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
    const REPEAT_NS: f64 = 2.0e5;
    const ALL_NS: f64 = 4.0e8;
    let once = run(0, 5, &mut call);
    let calls = (REPEAT_NS / once).clamp(1.0, 2000.0);
    let each = run(5, calls as usize, &mut call);
    let repeats = (ALL_NS / (calls * each)).clamp(20.0, 400.0);
    time_repeats(repeats as usize, calls as usize, call)
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
