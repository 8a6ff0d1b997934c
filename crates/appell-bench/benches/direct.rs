//! The direct problem of platforms on six legs: near the last pose, and all assemblies, on one core.
//!
//! Times are minima of one run. The drives of the first move by some tenths of a millimetre, or milliradian, a call, as a control step
//! moves them.

use appell::closed::{ClosedMechanism, assembly, direct};
use appell::robots;
use appell_bench::{Timing, time};
use std::hint::black_box;

/// Positions of the drives along a motion around home.
fn drives(robot: &ClosedMechanism, k: usize) -> Vec<f64> {
    let t = 1e-3 * k as f64;
    let of = |(i, &j): (usize, &usize)| robot.home().q[j] + 0.02 * (t * (1.0 + 0.3 * i as f64)).sin();
    robot.driven().iter().enumerate().map(of).collect()
}

/// From one control step to the next.
fn near(robot: &ClosedMechanism) -> Timing {
    let motion: Vec<Vec<f64>> = (0..4096).map(|k| drives(robot, k)).collect();
    let (mut workspace, mut at) = (assembly::Workspace::new(robot), robot.home().clone());
    time(|k| {
        // Forth and back, so that no step is long.
        let k = k % (2 * motion.len());
        let k = if k < motion.len() { k } else { 2 * motion.len() - 1 - k };
        assembly::at_drives(robot, &mut workspace, black_box(&motion[k]), &mut at).expect("near home");
        black_box(&at);
    })
}

/// All assemblies.
fn all(robot: &ClosedMechanism) -> Timing {
    let mut workspace = assembly::Workspace::new(robot);
    let positions = drives(robot, 700);
    time(|k| {
        let options = direct::Options { seed: k as u64 % 16, ..direct::Options::default() };
        let found = direct::all_at_drives(robot, &mut workspace, black_box(&positions), &options);
        black_box(found.expect("finite drives"));
    })
}

fn main() {
    println!("{:<16} {:>14} {:>14}", "robot", "near, µs", "all, ms");
    for name in ["gough-stewart", "hexapod-6rus"] {
        let robot = robots::find(name).expect("built in").closed();
        println!("{name:<16} {:>14.2} {:>14.2}", 1e-3 * near(&robot).min, 1e-6 * all(&robot).min);
    }
}
