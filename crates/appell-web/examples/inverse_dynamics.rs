//! Nanoseconds per call of the PUMA's inverse dynamics on this machine, by what the page measures in a browser:
//! `scripts/bench-laboratory` puts them side by side.

use std::time::Instant;

fn main() -> Result<(), String> {
    const CALLS: u32 = 200_000;
    let mut least = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        let sum = appell_web::timing::inverse_dynamics(CALLS)?;
        assert!(sum.is_finite());
        least = least.min(1e9 * start.elapsed().as_secs_f64() / f64::from(CALLS));
    }
    println!("{least:.1}");
    Ok(())
}
