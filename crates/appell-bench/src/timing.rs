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
    let mut k = 0;
    let mut run = |calls: usize| {
        let start = Instant::now();
        for _ in 0..calls {
            call(k);
            k += 1;
        }
        start.elapsed().as_nanos() as f64 / calls as f64
    };
    run(100);
    let calls = (REPEAT_NS / run(200)).clamp(5.0, 2000.0) as usize;
    let mut means: Vec<f64> = (0..REPEATS).map(|_| run(calls)).collect();
    means.sort_by(f64::total_cmp);
    Timing { min: means[0], median: means[REPEATS / 2] }
}
