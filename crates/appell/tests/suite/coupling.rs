//! Robots with joints that follow others.

use crate::common::{answer, assert_close, norm};
use appell::description::Mimic;
use appell::dynamics::energy::energy;
use appell::kinematics;
use appell::mechanism::Mechanism;
use appell::question::{Evaluator, Question, State, Target};
use appell::real::Dual;
use appell::sample::{Sampler, Shape};

/// A tree of six joints in which the third follows the first, and the fifth follows the third and the second.
fn robot(seed: u64) -> (Mechanism, Sampler) {
    let mut sampler = Sampler::new(seed);
    let mut description = sampler.description(6, Shape::Tree);
    let [first, second, third] = [0, 1, 2].map(|joint| description.joints[joint].name.clone());
    description.joints[2].mimic = Some(Mimic::new(first, -0.5, 0.2));
    description.joints[4].mimic = Some(Mimic { joints: vec![(third, 2.0), (second, -0.3)], offset: 0.1 });
    (Mechanism::new(&description).unwrap().coupled().unwrap(), sampler)
}

#[test]
fn followers_follow_through_others() {
    let (robot, _) = robot(1);
    assert_eq!(robot.velocities(), ["joint1", "joint2", "joint4", "joint6"]);
    let mut q = [0.0; 6];
    robot.coordinates().unwrap().anchor(&[1.0, 2.0, 3.0, 4.0], &mut q);
    assert_close(&q, &[1.0, 2.0, -0.3, 3.0, -1.1, 4.0], 1e-15, "positions");
}

/// Forces in independent coordinates do the power of the energy's rate, and forward dynamics undoes them.
#[test]
fn power_and_forward_dynamics() {
    for seed in 0..20 {
        let (robot, mut sampler) = robot(seed);
        let state = sampler.state(&robot);
        let ready = |question| Evaluator::new(&robot, question, None, Target::default()).unwrap();
        let tau = answer(
            &mut ready(Question::InverseDynamics),
            &State::joints(&state.q, &state.v, &state.a),
            "inverse dynamics",
        );
        let along = |x: &[f64], rate: &[f64]| -> Vec<Dual<1>> {
            x.iter().zip(rate).map(|(&value, &rate)| Dual { value, derivative: [rate] }).collect()
        };
        let (mut q, mut v) = ([Dual::fixed(0.0); 6], [Dual::fixed(0.0); 6]);
        let own = robot.coordinates().unwrap();
        own.anchor(&along(&state.q, &state.v), &mut q);
        own.spread(&along(&state.v, &state.a), &mut v);
        let mut dual = kinematics::Workspace::with_scalar(&robot, q[0]);
        let energy = energy(&robot, &mut dual, &q, &v);
        let power: f64 = tau.iter().zip(&state.v).map(|(tau, rate)| tau * rate).sum();
        let expected = energy.kinetic.derivative[0] + energy.potential.derivative[0];
        assert!((power - expected).abs() <= 1e-11 * norm(&tau).max(1.0), "seed {seed}: {power} against {expected}");
        let forced = State::forced(&state.q, &state.v, &tau);
        let again = answer(&mut ready(Question::ForwardDynamics), &forced, "forward dynamics");
        assert_close(&again, &state.a, 1e-10, &format!("seed {seed}"));
    }
}

#[test]
fn circles_are_refused() {
    let mut description = Sampler::new(1).description(3, Shape::Chain);
    let led = |leaders: &[&str]| {
        Some(Mimic { joints: leaders.iter().map(|&joint| (joint.into(), 1.0)).collect(), offset: 0.0 })
    };
    // The first only leads into the circle.
    let leaders: [&[&str]; 3] = [&["joint2"], &["joint3"], &["joint2"]];
    description.joints.iter_mut().zip(leaders).for_each(|(joint, leaders)| joint.mimic = led(leaders));
    let error = Mechanism::new(&description).unwrap().coupled().unwrap_err();
    assert!(["joint2", "joint3"].contains(&error.joint.as_str()), "{error}");
    description.joints.extend(Sampler::new(2).description(4, Shape::Chain).joints.pop());
    description.joints[1].mimic = led(&["joint4", "joint3"]);
    let error = Mechanism::new(&description).unwrap().coupled().unwrap_err();
    assert!(["joint2", "joint3"].contains(&error.joint.as_str()), "{error}");
}
