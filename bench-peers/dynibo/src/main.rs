//! Measures the crate dynibo on the models and states of the peers' harness: `dynibo-bench-peers MODEL.urdf…`.
//!
//! It prints the harness's lines, as appell's own bench does; its profile is the one dynibo is released with.

#[path = "../../../crates/appell-bench/src/timing.rs"]
#[allow(dead_code, unfulfilled_lint_expectations, reason = "one text for all benches")]
mod timing;

use dynibo::Robot;
use std::hint::black_box;
use std::path::Path;
use timing::{Timing, time};

/// States that are cycled through.
const STATES: usize = 64;

fn main() {
    for file in std::env::args().skip(1) {
        let model = Path::new(&file).file_stem().expect("a file").to_string_lossy().into_owned();
        match Robot::from_urdf(&file) {
            Ok(robot) => measure(&model, robot),
            Err(refused) => eprintln!("dynibo does not take {model}: {refused}"),
        }
    }
}

fn measure(model: &str, mut robot: Robot) {
    let n = robot.joint_count();
    let table = |of: fn(f64, f64) -> f64| -> Vec<Vec<f64>> {
        (0..STATES).map(|k| (0..n).map(|i| of(k as f64, i as f64)).collect()).collect()
    };
    let q = table(|k, i| 1.20 * (0.37 * k + 1.10 * i + 0.20).sin());
    let v = table(|k, i| 0.90 * (0.53 * k + 0.70 * i + 0.40).cos());
    let a = table(|k, i| 1.50 * (0.29 * k + 0.90 * i + 1.00).sin());
    let mut answer = vec![0.0; n];
    let mut inertia = vec![0.0; n * n];
    let mut tau = vec![vec![0.0; n]; STATES];
    for k in 0..STATES {
        robot.inverse_dynamics(&q[k], &v[k], &a[k], &[], &mut tau[k]).expect("a regular state");
    }
    check(model, "rnea", &tau[1]);
    let forces: Vec<f64> = a[1].iter().map(|a| 3.0 * a).collect();
    robot.forward_dynamics(&q[1], &v[1], &forces, &[], &mut answer).expect("a regular state");
    check(model, "fd", &answer);
    robot.mass_matrix(&q[1], &mut inertia).expect("a regular state");
    check(model, "massdiag", &(0..n).map(|j| inertia[j * (n + 1)]).collect::<Vec<_>>());
    report(
        model,
        "ID inverse_dynamics",
        time(|k| {
            let k = k % STATES;
            robot.inverse_dynamics(black_box(&q[k]), &v[k], &a[k], &[], &mut answer).expect("a regular state");
            black_box(&answer);
        }),
    );
    report(
        model,
        "M mass_matrix",
        time(|k| {
            robot.mass_matrix(black_box(&q[k % STATES]), &mut inertia).expect("a regular state");
            black_box(&inertia);
        }),
    );
    report(
        model,
        "FD forward_dynamics",
        time(|k| {
            let k = k % STATES;
            robot.forward_dynamics(black_box(&q[k]), &v[k], &tau[k], &[], &mut answer).expect("a regular state");
            black_box(&answer);
        }),
    );
}

fn report(model: &str, algorithm: &str, Timing { min, median }: Timing) {
    println!("R,{model},{algorithm},dynibo,{min:.2},{median:.2},");
}

fn check(model: &str, algorithm: &str, numbers: &[f64]) {
    let numbers: Vec<String> = numbers.iter().map(|x| format!("{x:e}")).collect();
    println!("C,{model},{algorithm},dynibo,{}", numbers.join(","));
}
