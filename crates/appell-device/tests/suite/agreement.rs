//! Answers of devices are those of the library.

use super::{Sampled, devices};
use appell::Robot;
use appell::question::Question::{self, ForwardDynamics, ForwardDynamicsDerivatives, InertiaMatrix, InverseDynamics};
use appell_batch::Batch;
use appell_device::{Columns, Device, OnDevice, OnGpu, There};

/// Relative to the largest number of a state's answer.
#[track_caller]
fn assert_close(tolerance: f64, count: usize, found: &[f64], expected: &[f64], label: &str) {
    assert_eq!(found.len(), expected.len(), "{label}");
    for i in 0..count {
        let of = |all: &[f64]| all.iter().skip(i).step_by(count).copied().collect::<Vec<f64>>();
        let (found, expected) = (of(found), of(expected));
        let largest = expected.iter().fold(1e-3, |most: f64, x| most.max(x.abs()));
        for (k, (x, y)) in found.iter().zip(&expected).enumerate() {
            assert!((x - y).abs() <= tolerance * largest, "{label}, state {i}, entry {k}: {x:e}, not {y:e}");
        }
    }
}

const ASKED: [(&str, &[Question]); 5] = [
    ("puma560", &[InverseDynamics, ForwardDynamics, InertiaMatrix]),
    ("stanford", &[ForwardDynamicsDerivatives]),
    ("gough-stewart", &[InverseDynamics, ForwardDynamics]),
    ("delta", &[InverseDynamics]),
    ("five-bar", &[ForwardDynamics]),
];

#[test]
fn answers_are_those_of_the_library() {
    for (name, questions) in ASKED {
        let robot = Robot::builtin(name).unwrap();
        // Not a whole number of lanes, and more than one thread takes at a time.
        let sampled = Sampled::new(&robot, if name == "puma560" { 10_003 } else { 203 });
        for &question in questions {
            let batch = Batch::new(&robot, question).unwrap();
            let mut expected = vec![0.0; batch.columns() * sampled.count];
            batch.evaluate(&sampled.states(), &mut expected).unwrap();
            for device in devices() {
                let label = format!("{name} {} on {device}", question.name());
                let mut there = batch.on(device).unwrap();
                let mut found = vec![f64::NAN; expected.len()];
                there.evaluate(&sampled.states(), &mut found).unwrap();
                // Accelerations amplify rounding by the condition of the inertia matrix.
                let tolerance = if question == InverseDynamics || question == InertiaMatrix { 1e-11 } else { 1e-8 };
                assert_close(tolerance, sampled.count, &found, &expected, &label);
            }
        }
    }
}

#[test]
fn single_precision_is_off_by_its_rounding() {
    let robot = Robot::builtin("puma560").unwrap();
    let sampled = Sampled::new(&robot, 1001);
    let batch = Batch::new(&robot, InverseDynamics).unwrap();
    let mut expected = vec![0.0; batch.columns() * sampled.count];
    batch.evaluate(&sampled.states(), &mut expected).unwrap();
    let single: Vec<Vec<f32>> =
        ["q", "v", "a"].iter().map(|name| sampled.vector(name).iter().map(|&x| x as f32).collect()).collect();
    let arguments: Vec<&[f32]> = single.iter().map(Vec::as_slice).collect();
    for device in devices() {
        let mut there = batch.on(device).unwrap();
        let mut found = vec![f32::NAN; expected.len()];
        there.evaluate_columns(&Columns { count: sampled.count, arguments: &arguments }, &mut found).unwrap();
        let found: Vec<f64> = found.iter().map(|&x| f64::from(x)).collect();
        assert_close(2e-5, sampled.count, &found, &expected, &format!("single on {device}"));
        assert!(found.iter().zip(&expected).any(|(x, y)| x != y), "it was single precision");
    }
}

#[test]
fn a_few_states_are_as_good_as_many() {
    let robot = Robot::builtin("five-bar").unwrap();
    let batch = Batch::new(&robot, InverseDynamics).unwrap();
    for device in devices() {
        let mut there = batch.on(device).unwrap();
        for count in [0, 1, 3, 8, 9] {
            let sampled = Sampled::new(&robot, count);
            let mut expected = vec![0.0; batch.columns() * count];
            batch.evaluate(&sampled.states(), &mut expected).unwrap();
            let mut found = vec![f64::NAN; expected.len()];
            there.evaluate(&sampled.states(), &mut found).unwrap();
            assert_close(1e-11, count, &found, &expected, &format!("{count} states on {device}"));
        }
    }
}

#[test]
fn large_angles_lose_no_more_than_the_library_does() {
    let robot = Robot::builtin("puma560").unwrap();
    let mut sampled = Sampled::new(&robot, 64);
    let sizes = [1.0, 1e3, 1e5, 1e7];
    sampled.motion[0].iter_mut().enumerate().for_each(|(k, q)| *q *= sizes[k % 64 / 16]);
    let batch = Batch::new(&robot, Question::Gravity).unwrap();
    let mut expected = vec![0.0; batch.columns() * 64];
    batch.evaluate(&sampled.states(), &mut expected).unwrap();
    for device in devices() {
        let mut found = vec![f64::NAN; expected.len()];
        batch.on(device).unwrap().evaluate(&sampled.states(), &mut found).unwrap();
        // Two angles are summed before the sine: at 1e7 their rounding is 2e-9.
        assert_close(1e-8, 64, &found, &expected, &format!("large angles on {device}"));
    }
}

#[test]
fn what_is_on_the_gpu_stays_there() {
    let robot = Robot::builtin("puma560").unwrap();
    let sampled = Sampled::new(&robot, 300_000); // enough to measure which way to compile is the fastest
    let batch = Batch::new(&robot, ForwardDynamics).unwrap();
    let mut expected = vec![0.0; batch.columns() * sampled.count];
    batch.evaluate(&sampled.states(), &mut expected).unwrap();
    let gpus: Vec<Device> = devices().into_iter().filter(|&device| device != Device::Cpu).collect();
    for device in gpus {
        let mut there = batch.on(device).unwrap();
        let names: Vec<&str> = there.arguments().iter().map(|argument| argument.name).collect();
        let arrays: Vec<OnGpu<f64>> =
            names.iter().map(|name| OnGpu::copy(device, sampled.vector(name)).unwrap()).collect();
        let arrays: Vec<&OnGpu<f64>> = arrays.iter().collect();
        let mut answers = OnGpu::zeros(device, expected.len()).unwrap();
        there.evaluate_there(&There { count: sampled.count, arguments: &arrays }, &mut answers).unwrap();
        assert_close(1e-8, sampled.count, &answers.to_vec().unwrap(), &expected, "on the GPU");
    }
}
