//! Laws of the questions beside forces and accelerations: Coriolis matrix, reactions, momentum, regressor, derivatives.

use crate::common::{assert_close, norm};
use appell::description::JointEffects;
use appell::dynamics::coriolis::{self, coriolis_matrix, two_velocity_inverse_dynamics};
use appell::dynamics::momentum::{centre_of_mass, centre_of_mass_jacobian, momentum};
use appell::dynamics::reactions::{self, ExternalWrench, external_joint_forces};
use appell::dynamics::{gibbs_appell_inertia, gibbs_appell_tensor, joint_effects, regressor};
use appell::kinematics;
use appell::mechanism::Mechanism;
use appell::question::{Evaluator, Question, State, Target};
use appell::real::Dual;
use appell::sample::{RandomState, Sampler, Shape};
use appell::spatial::{Vec3, Wrench};

/// Random trees of 1 to 10 joints, every second one with effects in its joints.
fn cases() -> impl Iterator<Item = (Mechanism, RandomState, String)> {
    (0..60_u64).map(|seed| {
        let mut sampler = Sampler::new(seed);
        let bare = sampler.robot(1 + seed as usize % 10, Shape::Tree);
        let robot = if seed % 2 == 0 { bare } else { sampler.with_effects(&bare) };
        let state = sampler.state(&robot);
        (robot, state, format!("seed {seed}"))
    })
}

/// x + t rate, differentiable by t.
fn along(x: &[f64], rate: &[f64]) -> Vec<Dual<1>> {
    x.iter().zip(rate).map(|(&value, &rate)| Dual { value, derivative: [rate] }).collect()
}

#[track_caller]
fn assert_near(found: f64, expected: f64, scale: f64, label: &str) {
    assert!((found - expected).abs() <= 1e-11 * scale.max(1.0), "{label}: {found} against {expected}");
}

/// dM/dt along v, row by row.
fn inertia_rate(robot: &Mechanism, state: &RandomState) -> Vec<f64> {
    let q = along(&state.q, &state.v);
    let mut ws = gibbs_appell_inertia::Workspace::with_scalar(robot, q[0]);
    gibbs_appell_inertia::inertia_matrix(robot, &mut ws, &q).iter().map(|entry| entry.derivative[0]).collect()
}

#[test]
fn the_rate_of_inertia_minus_twice_coriolis_is_skew() {
    for (robot, state, label) in cases() {
        let n = robot.dof();
        let mut ws = coriolis::Workspace::new(&robot);
        let c = coriolis_matrix(&robot, &mut ws, &state.q, &state.v);
        let rate = inertia_rate(&robot, &state);
        for i in 0..n {
            for j in 0..n {
                let (here, there) = (rate[i * n + j] - 2.0 * c[i * n + j], rate[j * n + i] - 2.0 * c[j * n + i]);
                assert!((here + there).abs() <= 1e-12 * norm(&rate).max(1.0), "{label}: {here} and {there}");
            }
        }
        let product: Vec<f64> = (0..n).map(|i| (0..n).map(|k| c[i * n + k] * state.v[k]).sum()).collect();
        let mut ws = gibbs_appell_tensor::Workspace::new(&robot);
        let vector = gibbs_appell_tensor::coriolis_vector(&robot, &mut ws, &state.q, &state.v);
        (0..n).for_each(|i| assert_near(product[i], vector[i], norm(vector), &label));
    }
}

#[test]
fn two_velocities_give_inertia_coriolis_and_gravity() {
    for (robot, state, label) in cases() {
        let n = robot.dof();
        let w: Vec<f64> = state.tau.iter().map(|x| 0.1 * x).collect();
        let mut ws = coriolis::Workspace::new(&robot);
        let c = coriolis_matrix(&robot, &mut ws, &state.q, &state.v).to_vec();
        let mut inertia = gibbs_appell_inertia::Workspace::new(&robot);
        let m = gibbs_appell_inertia::inertia_matrix(&robot, &mut inertia, &state.q);
        let mut statics = appell::dynamics::statics::Workspace::new(&robot);
        let gravity = appell::dynamics::statics::gravity(&robot, &mut statics, &state.q);
        let expected: Vec<f64> = (0..n)
            .map(|i| gravity[i] + (0..n).map(|k| m[i * n + k] * state.a[k] + c[i * n + k] * w[k]).sum::<f64>())
            .collect();
        let found = two_velocity_inverse_dynamics(&robot, &mut ws, &state.q, &state.v, &w, &state.a);
        assert_close(found, &expected, 1e-11, &label);
    }
}

/// What a joint transmits along its axis is what the bodies demand of it.
#[test]
fn reactions_along_the_axes_are_the_joint_forces() {
    for (robot, state, label) in cases() {
        let bare = robot.with_effects(|_, _| JointEffects::default());
        let mut ws = gibbs_appell_tensor::Workspace::new(&bare);
        let tau = gibbs_appell_tensor::inverse_dynamics(&bare, &mut ws, &state.q, &state.v, &state.a);
        let mut ws = reactions::Workspace::new(&robot);
        let wrenches = reactions::reactions(&robot, &mut ws, &state.q, &state.v, &state.a);
        for (j, link) in robot.links().iter().enumerate() {
            let along = link.joint.pick(wrenches[j].moment.z, wrenches[j].force.z);
            assert_near(along, tau[j], norm(tau), &label);
        }
    }
}

/// The base's reactions, the weight and external wrenches change the momentum: Newton's and Euler's laws of the whole.
#[test]
fn the_base_and_the_weight_change_the_momentum() {
    for (robot, state, label) in cases() {
        let (q, v) = (along(&state.q, &state.v), along(&state.v, &state.a));
        let mut dual = kinematics::Workspace::with_scalar(&robot, q[0]);
        let rate = momentum(&robot, &mut dual, &q, &v);
        let rates = |vector: Vec3<Dual<1>>| vector.to_array().map(|x| x.derivative[0]);

        let hand = robot.frames().len() - 1;
        let push = Wrench { force: Vec3::new(3.0, -1.0, 2.0), moment: Vec3::new(0.5, 0.2, -0.4) };
        let mut plain = kinematics::Workspace::new(&robot);
        let middle = centre_of_mass(&robot, &mut plain, &state.q);
        let poses = kinematics::positions(&robot, &mut plain, &state.q).to_vec();
        let external = [ExternalWrench { frame: hand, wrench: push }];
        let mut evaluator = Evaluator::new(&robot, Question::Reactions, None, Target::default()).unwrap();
        let mut row = vec![0.0; evaluator.columns().len()];
        let here = State { q: &state.q, v: &state.v, a: &state.a, external: &external, ..State::default() };
        evaluator.evaluate(&here, &mut row).unwrap();
        let wrenches: Vec<Wrench> = row
            .chunks_exact(6)
            .map(|w| Wrench { force: Vec3::new(w[0], w[1], w[2]), moment: Vec3::new(w[3], w[4], w[5]) })
            .collect();

        let mut total = push.about(poses[hand].position - middle);
        total.force = total.force + robot.gravity().scale(robot.mass());
        for (j, _) in robot.links().iter().enumerate().filter(|(_, link)| link.parent.is_none()) {
            let rotation = poses[j].rotation;
            let from_base = Wrench { force: rotation * wrenches[j].force, moment: rotation * wrenches[j].moment };
            total = total + from_base.about(poses[j].position - middle);
        }
        let scale = norm(&total.to_array()).max(robot.mass() * 9.81);
        let expected = [rates(rate.linear), rates(rate.angular)].concat();
        for (found, expected) in total.to_array().iter().zip(&expected) {
            assert_near(*found, *expected, scale, &label);
        }
    }
}

#[test]
fn the_centre_of_mass_moves_by_its_jacobian() {
    for (robot, state, label) in cases() {
        let n = robot.dof();
        let mut ws = kinematics::Workspace::new(&robot);
        let mut jacobian = vec![0.0; 3 * n];
        centre_of_mass_jacobian(&robot, &mut ws, &state.q, &mut jacobian);
        let linear = momentum(&robot, &mut ws, &state.q, &state.v).linear.to_array();
        let q = along(&state.q, &state.v);
        let mut dual = kinematics::Workspace::with_scalar(&robot, q[0]);
        let rate = centre_of_mass(&robot, &mut dual, &q).to_array();
        for row in 0..3 {
            let velocity: f64 = (0..n).map(|k| jacobian[row * n + k] * state.v[k]).sum();
            assert_near(velocity, rate[row].derivative[0], 1.0, &label);
            assert_near(velocity * robot.mass(), linear[row], norm(&linear), &label);
        }
    }
}

#[test]
fn external_wrenches_do_the_same_power_in_the_joints() {
    for (robot, state, label) in cases() {
        let frame = robot.frames().len() - 1;
        let wrench = Wrench { force: Vec3::new(1.0, -2.0, 0.5), moment: Vec3::new(0.3, 0.1, -0.7) };
        let mut ws = kinematics::Workspace::new(&robot);
        let twist = kinematics::velocities(&robot, &mut ws, &state.q, &state.v)[frame];
        let power = wrench.force.dot(twist.linear) + wrench.moment.dot(twist.angular);
        let mut ws = reactions::Workspace::new(&robot);
        let tau = external_joint_forces(&robot, &mut ws, &state.q, &[ExternalWrench { frame, wrench }]);
        let in_joints: f64 = tau.iter().zip(&state.v).map(|(tau, v)| tau * v).sum();
        assert_near(in_joints, power, norm(tau), &label);
    }
}

/// Forward dynamics undoes inverse dynamics under the same external wrenches.
#[test]
fn external_wrenches_act_both_ways() {
    for (robot, state, label) in cases() {
        let wrench = Wrench { force: Vec3::new(30.0, -20.0, 5.0), moment: Vec3::new(3.0, 1.0, -7.0) };
        let external = [ExternalWrench { frame: robot.dof() / 2, wrench }];
        let mut tau = vec![0.0; robot.dof()];
        let mut inverse = Evaluator::new(&robot, Question::InverseDynamics, None, Target::default()).unwrap();
        let mut there = State { q: &state.q, v: &state.v, a: &state.a, external: &external, ..State::default() };
        inverse.evaluate(&there, &mut tau).unwrap();
        there.tau = &tau;
        let mut a = vec![0.0; robot.dof()];
        let mut forward = Evaluator::new(&robot, Question::ForwardDynamics, None, Target::default()).unwrap();
        forward.evaluate(&there, &mut a).unwrap();
        assert_close(&a, &state.a, 1e-9, &label);
    }
}

#[test]
fn forces_are_the_regressor_times_the_parameters() {
    for (robot, state, label) in cases() {
        let mut ws = gibbs_appell_tensor::Workspace::new(&robot);
        let tau = gibbs_appell_tensor::inverse_dynamics(&robot, &mut ws, &state.q, &state.v, &state.a);
        let (columns, parameters) = (regressor::columns(&robot), regressor::parameters(&robot));
        assert_eq!(parameters.len(), columns);
        let mut ws = regressor::Workspace::new(&robot);
        let y = regressor::regressor(&robot, &mut ws, &state.q, &state.v, &state.a);
        for j in 0..robot.dof() {
            let product: f64 = (0..columns).map(|k| y[j * columns + k] * parameters[k]).sum();
            let left_out = regressor::left_out(&robot.effects()[j]);
            let expected = tau[j] - joint_effects::force(&left_out, state.q[j], state.v[j]);
            assert_near(product, expected, norm(tau), &label);
        }
    }
}

/// The derivatives of both questions, by both ways, against central differences of the questions themselves.
#[test]
fn derivatives_match_differences() {
    for (robot, state, label) in cases().filter(|(robot, ..)| robot.dof() >= 2) {
        let n = robot.dof();
        let here = State { q: &state.q, v: &state.v, a: &state.a, tau: &state.tau, ..State::default() };
        for (of, derivatives) in [
            (Question::InverseDynamics, Question::InverseDynamicsDerivatives),
            (Question::ForwardDynamics, Question::ForwardDynamicsDerivatives),
        ] {
            let mut exact = vec![0.0; 3 * n * n];
            let mut evaluator = Evaluator::new(&robot, derivatives, None, Target::default()).unwrap();
            evaluator.evaluate(&here, &mut exact).unwrap();
            let mut plain = Evaluator::new(&robot, of, None, Target::default()).unwrap();
            let h = 1e-5;
            for (which, matrix) in exact.chunks_exact(n * n).enumerate() {
                for k in 0..n {
                    let mut at = |step: f64| {
                        let mut moved = state.clone();
                        let third = if of == Question::InverseDynamics { &mut moved.a } else { &mut moved.tau };
                        [&mut moved.q, &mut moved.v, third][which][k] += step;
                        let there =
                            State { q: &moved.q, v: &moved.v, a: &moved.a, tau: &moved.tau, ..State::default() };
                        let mut row = vec![0.0; n];
                        plain.evaluate(&there, &mut row).unwrap();
                        row
                    };
                    let (ahead, behind) = (at(h), at(-h));
                    for row in 0..n {
                        let (found, expected) = (matrix[row * n + k], (ahead[row] - behind[row]) / (2.0 * h));
                        let scale = norm(matrix).max(norm(&ahead));
                        assert!((found - expected).abs() < 1e-6 * scale, "{label}, {}: {found} {expected}", of.name());
                    }
                }
            }
        }
    }
}
