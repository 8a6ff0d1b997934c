//! Robots with joints that follow others.

use crate::common::{assert_close, norm};
use appell::dynamics::coupling::{self, Coupling};
use appell::dynamics::energy::energy;
use appell::dynamics::{gibbs_appell_inertia, gibbs_appell_tensor};
use appell::kinematics;
use appell::mechanism::Mechanism;
use appell::real::Dual;
use appell::sample::{Sampler, Shape};

/// A tree of six joints in which the third follows the first, and the fifth follows the third.
fn robot(seed: u64) -> (Mechanism, Coupling, Sampler) {
    let mut sampler = Sampler::new(seed);
    let robot = sampler.robot(6, Shape::Tree);
    let leaders = [None, None, Some((0, -0.5, 0.2)), None, Some((2, 2.0, 0.1)), None];
    let coupling = Coupling::new(&robot, &leaders).unwrap();
    (robot, coupling, sampler)
}

fn draw(sampler: &mut Sampler, limit: f64) -> Vec<f64> {
    (0..4).map(|_| sampler.within(limit)).collect()
}

#[test]
fn followers_follow_through_others() {
    let (_, coupling, _) = robot(1);
    assert_eq!(coupling.independent(), [0, 1, 3, 5]);
    let mut q = [0.0; 6];
    coupling.positions(&[1.0, 2.0, 3.0, 4.0], &mut q);
    assert_close(&q, &[1.0, 2.0, -0.3, 3.0, -0.5, 4.0], 1e-15, "positions");
}

/// Forces in independent coordinates do the power of the energy's rate, and forward dynamics undoes them.
#[test]
fn power_and_forward_dynamics() {
    for seed in 0..20 {
        let (robot, coupling, mut sampler) = robot(seed);
        let (p, rate, growth) = (draw(&mut sampler, 3.0), draw(&mut sampler, 2.0), draw(&mut sampler, 4.0));
        let (mut q, mut v, mut a) = ([0.0; 6], [0.0; 6], [0.0; 6]);
        coupling.positions(&p, &mut q);
        coupling.rates(&rate, &mut v);
        coupling.rates(&growth, &mut a);
        let mut ws = gibbs_appell_tensor::Workspace::new(&robot);
        let mut tau = [0.0; 4];
        coupling.forces(gibbs_appell_tensor::inverse_dynamics(&robot, &mut ws, &q, &v, &a), &mut tau);

        let along = |x: &[f64], rate: &[f64]| -> Vec<Dual<1>> {
            x.iter().zip(rate).map(|(&value, &rate)| Dual { value, derivative: [rate] }).collect()
        };
        let (mut dual_q, mut dual_v) = ([Dual::fixed(0.0); 6], [Dual::fixed(0.0); 6]);
        coupling.positions(&along(&p, &rate), &mut dual_q);
        coupling.rates(&along(&rate, &growth), &mut dual_v);
        let mut dual = kinematics::Workspace::with_scalar(&robot, dual_q[0]);
        let energy = energy(&robot, &mut dual, &dual_q, &dual_v);
        let power: f64 = tau.iter().zip(&rate).map(|(tau, rate)| tau * rate).sum();
        let expected = energy.kinetic.derivative[0] + energy.potential.derivative[0];
        assert!((power - expected).abs() <= 1e-11 * norm(&tau).max(1.0), "seed {seed}: {power} against {expected}");

        let mut ws = coupling::Workspace::new(&robot, &coupling);
        let again = coupling::forward_dynamics(&robot, &coupling, &mut ws, &p, &rate, &tau).unwrap();
        assert_close(again, &growth, 1e-10, &format!("seed {seed}"));
    }
}

/// Gᵀ M G by columns: what a unit acceleration of one independent coordinate needs of all.
#[test]
fn the_inertia_matrix_is_projected() {
    let (robot, coupling, mut sampler) = robot(3);
    let p = draw(&mut sampler, 3.0);
    let mut q = [0.0; 6];
    coupling.positions(&p, &mut q);
    let mut ws = gibbs_appell_inertia::Workspace::new(&robot);
    let mut matrix = [0.0; 16];
    coupling.inertia(gibbs_appell_inertia::inertia_matrix(&robot, &mut ws, &q), &mut matrix);
    let mut inverse = gibbs_appell_tensor::Workspace::new(&robot);
    let bias = gibbs_appell_tensor::bias(&robot, &mut inverse, &q, &[0.0; 6]).to_vec();
    for k in 0..4 {
        let (mut unit, mut a) = ([0.0; 4], [0.0; 6]);
        unit[k] = 1.0;
        coupling.rates(&unit, &mut a);
        let tau = gibbs_appell_tensor::inverse_dynamics(&robot, &mut inverse, &q, &[0.0; 6], &a);
        let difference: Vec<f64> = tau.iter().zip(&bias).map(|(tau, bias)| tau - bias).collect();
        let mut column = [0.0; 4];
        coupling.forces(&difference, &mut column);
        let found: Vec<f64> = (0..4).map(|row| matrix[row * 4 + k]).collect();
        assert_close(&found, &column, 1e-12, "column");
    }
}

#[test]
fn circles_are_refused() {
    let robot = Sampler::new(1).robot(3, Shape::Chain);
    let circle = [None, Some((2, 1.0, 0.0)), Some((1, 1.0, 0.0))];
    assert_eq!(Coupling::new(&robot, &circle).unwrap_err().joint, "joint2");
}
