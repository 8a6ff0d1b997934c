//! Recorded expressions by themselves: what is simplified, what it costs, and that it stays the same number.

use appell::dynamics::link_origins::{self, Bodies};
use appell::real::{Count, Counted, Dual, Real};
use appell::sample::{Sampler, Shape};
use appell_codegen::{Expr, Recorder};
use core::f64::consts::FRAC_PI_2;

/// What expressions of three inputs cost after simplification, and before.
fn cost(write: impl Fn([Expr<'_>; 3]) -> Expr<'_>) -> (Count, Count) {
    let recorder = Recorder::default();
    let inputs = [0.3, -0.7, 1.9];
    let [x, y, z] = core::array::from_fn(|k| recorder.input(k, inputs[k]));
    let answer = write([x, y, z]);
    let program = recorder.program(&[answer]);
    let found = program.run(&inputs)[0];
    assert!((found - answer.value()).abs() <= 1e-15 * found.abs().max(1.0), "{found} {}", answer.value());
    (program.count(), recorder.requested())
}

#[test]
fn what_is_nothing_costs_nothing() {
    let free = Count::default();
    assert_eq!(cost(|[x, ..]| x * x.zero() + x.scale(1.0) - x.zero()).0, free);
    assert_eq!(cost(|[x, y, _]| (x + y) - x).0, free);
    assert_eq!(cost(|[x, y, _]| (x - y) + y).0, free);
    assert_eq!(cost(|[x, ..]| x - x).0, free);
    assert_eq!(cost(|[x, y, _]| -(-x) * (y / y)).0, free);
    let (unit, _) = cost(|[x, ..]| {
        let (s, c) = x.sin_cos();
        s * s + c * c
    });
    assert_eq!(unit, free);
    // A right angle of a table turns a sine into a cosine.
    assert_eq!(cost(|[x, ..]| (x + x.constant(FRAC_PI_2)).sin_cos().0 - x.sin_cos().1).0, free);
}

#[test]
fn equal_expressions_are_one_and_factors_are_common() {
    assert_eq!(cost(|[x, y, z]| (x + y) * z - (y + x) * z + x * y).0, Count::new(1, 0));
    assert_eq!(cost(|[x, y, z]| x * y + x * z).0, Count::new(1, 1));
    assert_eq!(cost(|[x, y, z]| x * y * z - z * x + x.scale(3.0) * z).0, Count::new(2, 1));
    assert_eq!(cost(|[x, y, _]| x.scale(0.5) + y.scale(0.5)).0, Count::new(1, 1));
    assert_eq!(cost(|[x, ..]| x.scale(2.0).scale(3.0)), (Count::new(1, 0), Count::new(2, 0)));
    assert_eq!(cost(|[x, y, _]| (y - x) * (x - y)).0, Count::new(1, 1), "a sign is no operation");
}

#[test]
fn every_function_is_recorded_and_differentiated() {
    fn all<T: Real>(x: T, y: T) -> T {
        let (s, c) = (x * y).sin_cos();
        let root = (x * x + y * y + x.constant(1.0)).sqrt();
        (s / root).atan2(c - y) + x.where_positive(x * c, y * s) + y.atan2(x).sin_cos().0 + (-(x * x)).exp() * y
    }
    for (x, y) in [(0.4, 0.9), (-1.2, 0.3), (2.0, -0.8)] {
        let recorder = Recorder::default();
        let (p, q) = (recorder.input(0, 0.1), recorder.input(1, 0.2));
        let value = all(p, q);
        let slopes = Expr::derivatives(&[value], &[(p, p.constant(1.0)), (q, p.constant(0.5))]);
        let backwards = Expr::adjoints(&[(-value, p.constant(-1.0))], &[p, q]);
        let found = recorder.program(&[value, slopes[0], backwards[0], backwards[1]]).run(&[x, y]);
        let mut varied = Dual::<1>::variable(y, 0);
        varied.derivative[0] = 0.5;
        let expected = all(Dual::variable(x, 0), varied);
        assert!((found[0] - expected.value).abs() < 1e-14, "{found:?} {expected:?}");
        assert!((found[1] - expected.derivative[0]).abs() < 1e-13, "{found:?} {expected:?}");
        assert!((found[2] + 0.5 * found[3] - expected.derivative[0]).abs() < 1e-13, "{found:?} {expected:?}");
        let along_y = Dual::<1>::variable(y, 0);
        assert!((found[3] - all(along_y.constant(x), along_y).derivative[0]).abs() < 1e-13);
    }
}

/// Of inverse dynamics, Σ w τ: by all positions, velocities and accelerations at once what the derivatives are one by one,
/// and by differences; and what does not depend on an input has none.
#[test]
fn adjoints_are_derivatives_by_all_inputs() {
    let robot = Sampler::new(4).robot(5, Shape::Tree);
    let n = robot.dof();
    let state = Sampler::new(8).state(&robot);
    let values = [&state.q[..], &state.v, &state.a, &state.tau].concat();
    let recorder = Recorder::default();
    let inputs: Vec<Expr<'_>> = values.iter().enumerate().map(|(k, &x)| recorder.input(k, x)).collect();
    let (bodies, mut ws) =
        (Bodies::of(&robot, inputs[0], |_| None), link_origins::Workspace::with_scalar(&robot, inputs[0]));
    let [q, v, a, weights] = [0, 1, 2, 3].map(|k| &inputs[k * n..(k + 1) * n]);
    let tau = link_origins::inverse_dynamics(&robot, &bodies, &mut ws, q, v, a).to_vec();
    let pairs: Vec<_> = tau.iter().copied().zip(weights.iter().copied()).collect();
    let adjoints = Expr::adjoints(&pairs, &inputs[..3 * n]);
    let backwards = recorder.program(&adjoints);
    let found = backwards.run(&values);
    let forwards = recorder.program(&tau);
    for k in 0..3 * n {
        let slopes = Expr::derivatives(&tau, &[(inputs[k], inputs[k].constant(1.0))]);
        let slopes = recorder.program(&slopes).run(&values);
        let expected: f64 = slopes.iter().zip(&state.tau).map(|(slope, weight)| slope * weight).sum();
        assert!((found[k] - expected).abs() <= 1e-11 * expected.abs().max(1.0), "{k}: {} {expected}", found[k]);
        let at = |step: f64| -> f64 {
            let mut near = values.clone();
            near[k] += step;
            forwards.run(&near).iter().zip(&state.tau).map(|(tau, weight)| tau * weight).sum()
        };
        let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((found[k] - difference).abs() <= 1e-6 * difference.abs().max(10.0), "{k}: {} {difference}", found[k]);
    }
    // One pass costs a few times the function, whatever the number of inputs.
    let total = |count: Count| count.multiplications + count.additions;
    let ratio = total(backwards.count()) as f64 / total(forwards.count()) as f64;
    assert!(ratio < 5.0, "{ratio}");
    let none = Expr::adjoints(&[(q[0], q[0].constant(1.0))], &[v[0], q[0]]);
    assert_eq!((none[0].as_constant(), none[1].as_constant()), (Some(0.0), Some(1.0)));
}

/// What an algorithm asks of expressions is what it asks of counting numbers.
#[test]
fn requests_are_counted_as_the_papers_count() {
    let robot = Sampler::new(3).robot(4, Shape::Chain);
    let state = Sampler::new(4).state(&robot);
    let count = |q: &[Counted]| {
        let mut ws = appell::dynamics::gibbs_appell_inertia::Workspace::with_scalar(&robot, q[0]);
        appell::dynamics::gibbs_appell_inertia::inertia_matrix(&robot, &mut ws, q).len()
    };
    let counted: Vec<Counted> = state.q.iter().map(|&q| Counted(q)).collect();
    let (_, tally) = Counted::count(|| count(&counted));
    let recorder = Recorder::default();
    let q: Vec<Expr<'_>> = state.q.iter().enumerate().map(|(k, &q)| recorder.input(k, q)).collect();
    let mut ws = appell::dynamics::gibbs_appell_inertia::Workspace::with_scalar(&robot, q[0]);
    appell::dynamics::gibbs_appell_inertia::inertia_matrix(&robot, &mut ws, &q);
    assert_eq!(recorder.requested(), tally.total(|_| true));
}

/// Regrouped bodies are fewer parameters and the same robot, of any structure.
#[test]
fn regrouping_leaves_the_joint_forces() {
    for seed in 0..30 {
        let mut sampler = Sampler::new(seed);
        let shape = if seed % 2 == 0 { Shape::Chain } else { Shape::Tree };
        let bare = sampler.robot(6, shape);
        let robot = sampler.with_effects(&bare);
        let state = sampler.state(&robot);
        let whole = Bodies::of(&robot, 0.0, |_| None);
        let mut regrouped = whole.clone();
        regrouped.regroup(&robot);
        assert_ne!(whole, regrouped);
        let tau = |bodies: &Bodies| {
            let mut ws = link_origins::Workspace::with_scalar(&robot, 0.0);
            let tau = link_origins::inverse_dynamics(&robot, bodies, &mut ws, &state.q, &state.v, &state.a).to_vec();
            [tau, link_origins::inertia_matrix(&robot, bodies, &mut ws, &state.q).to_vec()]
        };
        for (x, y) in tau(&whole).iter().zip(&tau(&regrouped)) {
            super::harness::assert_close(y, x, &format!("seed {seed}"));
        }
    }
}
