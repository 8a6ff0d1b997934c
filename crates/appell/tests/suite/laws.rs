//! Laws of mechanics that no implementation may break, with exact derivatives where they need some.

use crate::common::{assert_close, norm};
use appell::description::JointEffects;
use appell::dynamics::{
    articulated_body, energy::energy, gibbs_appell_inertia, gibbs_appell_tensor, gibbs_function::gibbs_function,
    joint_effects, joint_space,
};
use appell::kinematics;
use appell::linear::Cholesky;
use appell::mechanism::{Axes, Mechanism};
use appell::real::Dual;
use appell::robots;
use appell::sample::{RandomState, Sampler, Shape};
use proptest::prelude::*;

/// A random chain, tree or floating tree, with or without effects in its joints, and a state, from a seed that a
/// failure prints. The pitch of a floating base stays away from the right angle at which its three turns are two.
fn cases() -> impl Strategy<Value = (Mechanism, RandomState)> {
    (any::<u64>(), 1..=35_usize, 0..3_u8, any::<bool>()).prop_map(|(seed, n, shape, effects)| {
        let mut sampler = Sampler::new(seed);
        let mut robot = match shape {
            0 => sampler.robot(n, Shape::Chain),
            1 => sampler.robot(n, Shape::Tree),
            _ => sampler.robot(5 + n, Shape::Floating),
        };
        if effects {
            robot = sampler.with_effects(&robot);
        }
        let mut state = sampler.state(&robot);
        if shape > 1 {
            state.q[4] *= 0.4;
        }
        (robot, state)
    })
}

fn fixed<const N: usize>(x: &[f64]) -> Vec<Dual<N>> {
    x.iter().map(|&x| Dual::fixed(x)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// ID ∘ FD = identity on forces, FD ∘ ID = identity on accelerations as far as the inertia's condition lets it.
    #[test]
    fn forward_and_inverse_dynamics_undo_each_other((robot, state) in cases()) {
        let mut inverse = gibbs_appell_tensor::Workspace::new(&robot);
        let mut equations = joint_space::Workspace::new(&robot);
        let mut articulated = articulated_body::Workspace::new(&robot);
        let tau = gibbs_appell_tensor::inverse_dynamics(&robot, &mut inverse, &state.q, &state.v, &state.a).to_vec();
        let a = joint_space::forward_dynamics(&robot, &mut equations, &state.q, &state.v, &tau).unwrap();
        assert_close(a, &state.a, 1e-10, "accelerations, joint space");
        let a = articulated_body::forward_dynamics(&robot, &mut articulated, &state.q, &state.v, &tau).unwrap();
        assert_close(a, &state.a, 1e-10, "accelerations, articulated body");

        let a = joint_space::forward_dynamics(&robot, &mut equations, &state.q, &state.v, &state.tau).unwrap();
        let again = gibbs_appell_tensor::inverse_dynamics(&robot, &mut inverse, &state.q, &state.v, a);
        let scale = norm(a).max(norm(&state.tau));
        for (again, tau) in again.iter().zip(&state.tau) {
            prop_assert!((again - tau).abs() <= 1e-11 * scale, "forces: {again} against {tau}");
        }
    }

    #[test]
    fn inverse_dynamics_is_inertia_times_acceleration_plus_bias((robot, state) in cases()) {
        let n = robot.dof();
        let mut ws = gibbs_appell_tensor::Workspace::new(&robot);
        let tau = gibbs_appell_tensor::inverse_dynamics(&robot, &mut ws, &state.q, &state.v, &state.a).to_vec();
        let bias = gibbs_appell_tensor::bias(&robot, &mut ws, &state.q, &state.v).to_vec();
        let mut ws = gibbs_appell_inertia::Workspace::new(&robot);
        let inertia = gibbs_appell_inertia::inertia_matrix(&robot, &mut ws, &state.q);
        let sum: Vec<f64> = (0..n)
            .map(|i| bias[i] + (0..n).map(|k| inertia[i * n + k] * state.a[k]).sum::<f64>())
            .collect();
        assert_close(&sum, &tau, 1e-11, "D a + bias");
    }

    #[test]
    fn the_inertia_matrix_is_symmetric_and_positive_definite((robot, state) in cases()) {
        let n = robot.dof();
        let mut ws = gibbs_appell_inertia::Workspace::new(&robot);
        let inertia = gibbs_appell_inertia::inertia_matrix(&robot, &mut ws, &state.q);
        for i in 0..n {
            for j in 0..n {
                prop_assert_eq!(inertia[i * n + j], inertia[j * n + i]);
            }
        }
        let mut cholesky = Cholesky::new(n, 0.0);
        cholesky.decompose(inertia);
        prop_assert!(cholesky.pivots().iter().all(|&pivot| pivot > 0.0), "{:?}", cholesky.pivots());
    }

    /// The power of the joint forces, less what friction takes, is the rate of the energy:
    /// d(kinetic + potential)/dt = (τ − friction)·v, the time derivative taken by a dual number along the motion.
    #[test]
    fn power_is_the_rate_of_energy((robot, state) in cases()) {
        let along = |x: &[f64], rate: &[f64]| -> Vec<Dual<1>> {
            x.iter().zip(rate).map(|(&value, &rate)| Dual { value, derivative: [rate] }).collect()
        };
        let (q, v) = (along(&state.q, &state.v), along(&state.v, &state.a));
        let mut ws = kinematics::Workspace::with_scalar(&robot, q[0]);
        let energy = energy(&robot, &mut ws, &q, &v);
        let rate = energy.kinetic.derivative[0] + energy.potential.derivative[0];
        let mut ws = gibbs_appell_tensor::Workspace::new(&robot);
        let tau = gibbs_appell_tensor::inverse_dynamics(&robot, &mut ws, &state.q, &state.v, &state.a);
        let powers: Vec<f64> = (0..robot.dof())
            .map(|j| {
                let friction = JointEffects { friction: robot.effects()[j].friction, ..JointEffects::default() };
                (tau[j] - joint_effects::force(&friction, state.q[j], state.v[j])) * state.v[j]
            })
            .collect();
        let power: f64 = powers.iter().sum();
        prop_assert!((rate - power).abs() <= 1e-11 * norm(&powers).max(1.0), "{rate} against {power}");
    }

    /// J̇ v by the time derivative of the Jacobian, through a dual number.
    #[test]
    fn the_jacobians_rate_is_its_derivative((robot, state) in cases()) {
        let n = robot.dof();
        let q: Vec<Dual<1>> =
            state.q.iter().zip(&state.v).map(|(&value, &v)| Dual { value, derivative: [v] }).collect();
        let frame = robot.frames().len() - 1;
        let mut ws = kinematics::Workspace::with_scalar(&robot, q[0]);
        let jacobian = kinematics::jacobian(&robot, &mut ws, &q, frame, Axes::Base);
        let expected: Vec<f64> = (0..6)
            .map(|row| (0..n).map(|k| jacobian[row * n + k].derivative[0] * state.v[k]).sum())
            .collect();
        let mut ws = kinematics::Workspace::new(&robot);
        let rate = kinematics::jacobian_rate_times_v(&robot, &mut ws, &state.q, &state.v, frame, Axes::Base);
        let scale = norm(&expected).max(1.0);
        for (found, expected) in rate.to_array().iter().zip(&expected) {
            prop_assert!((found - expected).abs() <= 1e-12 * scale, "{found} against {expected}");
        }
    }

    /// Twist = J v and acceleration = J a + J̇ v, for the last frame.
    #[test]
    fn the_jacobian_maps_joint_motion((robot, state) in cases()) {
        let (n, frame) = (robot.dof(), robot.frames().len() - 1);
        let mut ws = kinematics::Workspace::new(&robot);
        let jacobian = kinematics::jacobian(&robot, &mut ws, &state.q, frame, Axes::Base).to_vec();
        let rate = kinematics::jacobian_rate_times_v(&robot, &mut ws, &state.q, &state.v, frame, Axes::Base);
        let map = |x: &[f64], row: usize| (0..n).map(|k| jacobian[row * n + k] * x[k]).sum::<f64>();
        let twist = kinematics::velocities(&robot, &mut ws, &state.q, &state.v)[frame].to_array();
        let expected: Vec<f64> = (0..6).map(|row| map(&state.v, row)).collect();
        assert_close(&twist, &expected, 1e-12, "twist");
        let acceleration =
            kinematics::accelerations(&robot, &mut ws, &state.q, &state.v, &state.a)[frame].to_array();
        let expected: Vec<f64> = (0..6).map(|row| map(&state.a, row) + rate.to_array()[row]).collect();
        assert_close(&acceleration, &expected, 1e-12, "acceleration");
    }

    /// ∂G/∂q̈ = τ and ∂²G/∂q̈² = D, by first and second dual numbers in six directions.
    #[test]
    fn gibbs_function_gives_forces_and_inertia(seed in any::<u64>(), tree in any::<bool>()) {
        const N: usize = 6;
        let mut sampler = Sampler::new(seed);
        let bare = sampler.robot(N, if tree { Shape::Tree } else { Shape::Chain });
        let robot = sampler.with_effects(&bare);
        let state = sampler.state(&robot);
        let twice = |x: &[f64]| -> Vec<Dual<N, Dual<N>>> { fixed::<N>(x).into_iter().map(Dual::fixed).collect() };
        let a: Vec<Dual<N, Dual<N>>> =
            (0..N).map(|k| Dual::variable(Dual::variable(state.a[k], k), k)).collect();
        let mut ws = kinematics::Workspace::with_scalar(&robot, a[0]);
        let gibbs = gibbs_function(&robot, &mut ws, &twice(&state.q), &twice(&state.v), &a);
        let gradient: Vec<f64> = gibbs.derivative.iter().map(|d| d.value).collect();
        let hessian: Vec<f64> = gibbs.derivative.iter().flat_map(|d| d.derivative).collect();
        let mut inverse = gibbs_appell_tensor::Workspace::new(&robot);
        let tau = gibbs_appell_tensor::inverse_dynamics(&robot, &mut inverse, &state.q, &state.v, &state.a);
        assert_close(&gradient, tau, 1e-11, "gradient of Gibbs' function");
        let mut inertia = gibbs_appell_inertia::Workspace::new(&robot);
        let matrix = gibbs_appell_inertia::inertia_matrix(&robot, &mut inertia, &state.q);
        assert_close(&hessian, matrix, 1e-11, "Hessian of Gibbs' function");
    }
}

/// The derivative of the potential energy holds the arm.
#[test]
fn gravity_is_the_gradient_of_the_potential() {
    let robot = robots::find("stanford").unwrap().mechanism();
    let state = Sampler::new(3).state(&robot);
    let q: Vec<Dual<6>> = (0..6).map(|k| Dual::variable(state.q[k], k)).collect();
    let mut ws = kinematics::Workspace::with_scalar(&robot, q[0]);
    let gradient = energy(&robot, &mut ws, &q, &fixed(&[0.0; 6])).potential.derivative;
    let mut ws = appell::dynamics::statics::Workspace::new(&robot);
    assert_close(appell::dynamics::statics::gravity(&robot, &mut ws, &state.q), &gradient, 1e-13, "gravity");
}
