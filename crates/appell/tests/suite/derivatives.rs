//! Derivatives by the equations beside those on dual numbers: chains, trees, floating bodies, joints of all kinds.

use crate::common::{assert_close, assert_close_at};
use appell::dynamics::derivatives::{Derivatives, analytic, direct};
use appell::mechanism::Mechanism;
use appell::real::{Dual, Fused};
use appell::robots;
use appell::sample::{RandomState, Sampler, Shape};

/// Fails unless all three matrices agree.
#[track_caller]
fn assert_same(found: &Derivatives, expected: &Derivatives, tolerance: f64, label: &str) {
    assert_close_at(&found.by_q, &expected.by_q, tolerance, 1e-3, &format!("{label}, by q"));
    assert_close_at(&found.by_v, &expected.by_v, tolerance, 1e-3, &format!("{label}, by v"));
    assert_close_at(&found.by_input, &expected.by_input, tolerance, 1e-3, &format!("{label}, by the third"));
}

/// Robots of 1 to 12 joints of all shapes, every second one with effects, and several states of each.
fn cases() -> impl Iterator<Item = (Mechanism, Vec<RandomState>, String)> {
    (0..72_u64).map(|seed| {
        let mut sampler = Sampler::new(seed);
        let n = 1 + seed as usize % 12;
        let shape = match seed % 3 {
            0 => Shape::Chain,
            1 if n >= 6 => Shape::Floating,
            _ => Shape::Tree,
        };
        let bare = sampler.robot(n, shape);
        let robot = if seed % 2 == 0 { bare } else { sampler.with_effects(&bare) };
        let states = (0..3).map(|_| sampler.state(&robot)).collect();
        (robot, states, format!("seed {seed}, {n} joints, {shape:?}"))
    })
}

#[test]
fn inverse_dynamics_of_random_robots() {
    for (robot, states, label) in cases() {
        let (mut analytic, mut direct) = (analytic::Workspace::new(&robot), direct::Workspace::new(&robot));
        for RandomState { q, v, a, .. } in &states {
            let found = analytic::of_inverse_dynamics(&robot, &mut analytic, q, v, a);
            let expected = direct::of_inverse_dynamics(&robot, &mut direct, q, v, a);
            assert_same(found, expected, 1e-12, &label);
        }
    }
}

/// One workspace for several states: what a call leaves behind must not show in the next one.
#[test]
fn forward_dynamics_of_random_robots() {
    for (robot, states, label) in cases() {
        let (mut analytic, mut direct) = (analytic::ForwardWorkspace::new(&robot), direct::Workspace::new(&robot));
        for RandomState { q, v, tau, .. } in &states {
            let Ok(expected) = direct::of_forward_dynamics(&robot, &mut direct, q, v, tau) else { continue };
            let found = analytic::of_forward_dynamics(&robot, &mut analytic, q, v, tau).unwrap();
            // Both amplify rounding by the condition of the inertia matrix.
            assert_same(found, expected, 1e-8, &label);
        }
    }
}

/// Everything is told about the base's origin, which is far from the tips.
#[test]
fn a_chain_of_fifty_joints() {
    let mut sampler = Sampler::new(50);
    let robot = sampler.robot(50, Shape::Chain);
    let RandomState { q, v, a, .. } = sampler.state(&robot);
    let (mut analytic, mut direct) = (analytic::Workspace::new(&robot), direct::Workspace::new(&robot));
    let found = analytic::of_inverse_dynamics(&robot, &mut analytic, &q, &v, &a);
    assert_same(found, direct::of_inverse_dynamics(&robot, &mut direct, &q, &v, &a), 1e-11, "fifty joints");
}

/// A robot on rails, a kilometre from where its base is: digits are lost by the square of the distance over its size.
#[test]
fn far_from_the_base() {
    let mut sampler = Sampler::new(4);
    let robot = sampler.robot(10, Shape::Floating);
    let RandomState { mut q, v, a, .. } = sampler.state(&robot);
    q[0] += 1000.0;
    let (mut analytic, mut direct) = (analytic::Workspace::new(&robot), direct::Workspace::new(&robot));
    let found = analytic::of_inverse_dynamics(&robot, &mut analytic, &q, &v, &a);
    assert_same(found, direct::of_inverse_dynamics(&robot, &mut direct, &q, &v, &a), 1e-8, "a kilometre away");
}

/// The numbers' kind does not matter: derivatives of derivatives, and fused ones.
#[test]
fn on_other_numbers() {
    let robot = robots::find("stanford").unwrap().mechanism();
    let n = robot.dof();
    let RandomState { q, v, a, .. } = Sampler::new(8).state(&robot);
    let lift = |x: &[f64]| -> Vec<Dual<1>> { x.iter().map(|&x| Dual::fixed(x)).collect() };
    let mut plain = analytic::Workspace::new(&robot);
    let expected = analytic::of_inverse_dynamics(&robot, &mut plain, &q, &v, &a).clone();
    let mut moving = lift(&q);
    moving[2].derivative[0] = 1.0;
    let mut ws = analytic::Workspace::with_scalar(&robot, moving[0]);
    let found = analytic::of_inverse_dynamics(&robot, &mut ws, &moving, &lift(&v), &lift(&a));
    let values = |x: &[Dual<1>]| -> Vec<f64> { x.iter().map(|x| x.value).collect() };
    assert_close(&values(&found.by_q), &expected.by_q, 1e-14, "values");
    // ∂M/∂q₃ by the derivatives of M, and by those of τ: M is ∂τ/∂q̈ at any acceleration.
    let mut unit = a.clone();
    for k in 0..n {
        unit[k] += 1.0;
        let shifted = analytic::of_inverse_dynamics(&robot, &mut plain, &q, &v, &unit);
        let column: Vec<f64> = (0..n).map(|i| shifted.by_q[i * n + 2] - expected.by_q[i * n + 2]).collect();
        let rate: Vec<f64> = (0..n).map(|i| found.by_input[i * n + k].derivative[0]).collect();
        assert_close_at(&rate, &column, 1e-11, 1.0, "rate of inertia");
        unit[k] -= 1.0;
    }
    let fused: Vec<Fused> = q.iter().map(|&x| Fused(x)).collect();
    let mut ws = analytic::Workspace::with_scalar(&robot, Fused(0.0));
    let inertia = &analytic::of_inverse_dynamics(&robot, &mut ws, &fused, &fused, &fused).by_input;
    let inertia: Vec<f64> = inertia.iter().map(|x| x.0).collect();
    assert_close(&inertia, &expected.by_input, 1e-13, "fused");
}
