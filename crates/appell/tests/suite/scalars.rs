//! Whole algorithms on every kind of number.

use crate::common::{assert_close, norm};
use appell::dynamics::joint_space::{self, Equations, Solver};
use appell::dynamics::{articulated_body, gibbs_appell_inertia, gibbs_appell_tensor, gibbs_appell_vectorial};
use appell::mechanism::Mechanism;
use appell::real::{Counted, Dual, Measured};
use appell::robots;
use appell::sample::{RandomState, Sampler};

fn robot_and_state(name: &str) -> (Mechanism, RandomState) {
    let robot = robots::find(name).unwrap().mechanism();
    let state = Sampler::new(11).state(&robot);
    (robot, state)
}

/// Inverse dynamics by both Gibbs-Appell forms, inertia matrix, and forward dynamics by two methods, as plain numbers.
fn everything<T: Measured>(robot: &Mechanism, state: &RandomState, lift: impl Fn(f64) -> T) -> [Vec<f64>; 5] {
    let numbers = |x: &[f64]| x.iter().map(|&x| lift(x)).collect::<Vec<T>>();
    let (q, v, a, tau) = (numbers(&state.q), numbers(&state.v), numbers(&state.a), numbers(&state.tau));
    let mut tensor = gibbs_appell_tensor::Workspace::with_scalar(robot, q[0]);
    let mut vectorial = gibbs_appell_vectorial::Workspace::with_scalar(robot, q[0]);
    let mut inertia = gibbs_appell_inertia::Workspace::with_scalar(robot, q[0]);
    let mut equations = joint_space::Workspace::with_scalar(robot, Equations::default(), Solver::default(), q[0]);
    let mut articulated = articulated_body::Workspace::with_scalar(robot, q[0]);
    [
        gibbs_appell_tensor::inverse_dynamics(robot, &mut tensor, &q, &v, &a),
        gibbs_appell_vectorial::inverse_dynamics(robot, &mut vectorial, &q, &v, &a),
        gibbs_appell_inertia::inertia_matrix(robot, &mut inertia, &q),
        joint_space::forward_dynamics(robot, &mut equations, &q, &v, &tau).unwrap(),
        articulated_body::forward_dynamics(robot, &mut articulated, &q, &v, &tau).unwrap(),
    ]
    .map(|answer| answer.iter().map(|&number| number.least()).collect())
}

/// Compares answer by answer, each on its own scale.
fn assert_answers_close(found: &[Vec<f64>; 5], expected: &[Vec<f64>; 5], tolerance: f64, label: &str) {
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_close(found, expected, tolerance, &format!("{label}, answer {k}"));
    }
}

#[test]
fn single_precision_is_near_double() {
    for name in ["puma560", "stanford", "scara", "seven-axis"] {
        let (robot, state) = robot_and_state(name);
        #[allow(clippy::cast_possible_truncation, reason = "single precision is the point")]
        let single = everything(&robot, &state, |x| x as f32);
        assert_answers_close(&single, &everything(&robot, &state, |x| x), 1e-4, name);
    }
}

#[test]
fn counting_does_not_change_a_bit() {
    for name in ["puma560", "stanford", "scara", "seven-axis"] {
        let (robot, state) = robot_and_state(name);
        let (counted, tally) = Counted::count(|| everything(&robot, &state, Counted));
        assert_eq!(counted, everything(&robot, &state, |x| x), "{name}");
        assert!(tally.total(|_| true).multiplications > 1000, "{name} was counted");
    }
}

#[test]
fn dual_numbers_carry_the_same_values() {
    for name in ["puma560", "stanford", "scara", "seven-axis"] {
        let (robot, state) = robot_and_state(name);
        let dual = everything(&robot, &state, |x| Dual::<3>::variable(x, 1));
        assert_answers_close(&dual, &everything(&robot, &state, |x| x), 1e-13, name);
    }
}

/// ∂τ/∂q, ∂τ/∂v and ∂τ/∂a in one run, against central differences; ∂τ/∂a is the inertia matrix.
#[test]
fn derivatives_of_inverse_dynamics() {
    const N: usize = 6;
    for name in ["puma560", "stanford"] {
        let (robot, state) = robot_and_state(name);
        let seeded = |x: &[f64], from: usize| -> Vec<Dual<18>> {
            x.iter().enumerate().map(|(k, &x)| Dual::variable(x, from + k)).collect()
        };
        let (q, v, a) = (seeded(&state.q, 0), seeded(&state.v, N), seeded(&state.a, 2 * N));
        let mut ws = gibbs_appell_tensor::Workspace::with_scalar(&robot, q[0]);
        let tau = gibbs_appell_tensor::inverse_dynamics(&robot, &mut ws, &q, &v, &a);

        let mut plain = gibbs_appell_tensor::Workspace::new(&robot);
        let h = 1e-5;
        for direction in 0..18 {
            let mut at = |step: f64| {
                let mut state = state.clone();
                let vector = [&mut state.q, &mut state.v, &mut state.a];
                vector[direction / N][direction % N] += step;
                gibbs_appell_tensor::inverse_dynamics(&robot, &mut plain, &state.q, &state.v, &state.a).to_vec()
            };
            let (ahead, behind) = (at(h), at(-h));
            for j in 0..N {
                let difference = (ahead[j] - behind[j]) / (2.0 * h);
                let exact = tau[j].derivative[direction];
                let scale = norm(&ahead).max(1.0);
                assert!((exact - difference).abs() < 1e-7 * scale, "{name} ∂τ{j}/∂x{direction}: {exact} {difference}");
            }
        }
        let mut ws = gibbs_appell_inertia::Workspace::new(&robot);
        let inertia = gibbs_appell_inertia::inertia_matrix(&robot, &mut ws, &state.q);
        let by_acceleration: Vec<f64> = tau.iter().flat_map(|tau| tau.derivative[12..].to_vec()).collect();
        assert_close(&by_acceleration, inertia, 1e-13, name);
    }
}
