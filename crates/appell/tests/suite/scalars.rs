//! Whole algorithms on every kind of number.

use crate::common::{assert_close, open};
use appell::dynamics::derivatives::{Derivatives, analytic};
use appell::dynamics::joint_space::{self, Equations, Solver};
use appell::dynamics::{articulated_body, gibbs_appell_inertia, gibbs_appell_tensor, gibbs_appell_vectorial};
use appell::mechanism::Mechanism;
use appell::real::{Counted, Dual, Measured};
use appell::sample::{RandomState, Sampler};

fn robot_and_state(name: &str) -> (Mechanism, RandomState) {
    let robot = open(name);
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

/// ∂τ/∂q, ∂τ/∂v and ∂τ/∂a in one run, against the equations differentiated; these are checked by differences.
#[test]
fn derivatives_of_inverse_dynamics() {
    for name in ["puma560", "stanford"] {
        let (robot, RandomState { q, v, a, .. }) = robot_and_state(name);
        let seeded = |x: &[f64], from: usize| -> Vec<Dual<18>> {
            x.iter().enumerate().map(|(k, &x)| Dual::variable(x, from + k)).collect()
        };
        let mut ws = gibbs_appell_tensor::Workspace::with_scalar(&robot, Dual::fixed(0.0));
        let tau =
            gibbs_appell_tensor::inverse_dynamics(&robot, &mut ws, &seeded(&q, 0), &seeded(&v, 6), &seeded(&a, 12));
        let part =
            |from: usize| -> Vec<f64> { tau.iter().flat_map(|tau| tau.derivative[from..from + 6].to_vec()).collect() };
        let mut ws = analytic::Workspace::new(&robot);
        let Derivatives { by_q, by_v, by_input } = analytic::of_inverse_dynamics(&robot, &mut ws, &q, &v, &a);
        for (found, expected) in [(part(0), by_q), (part(6), by_v), (part(12), by_input)] {
            assert_close(&found, expected, 1e-12, name);
        }
    }
}
