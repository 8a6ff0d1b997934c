//! IDIM-IV on a robot under control: coarse encoders are fed back, so that what is measured of the motion and the efforts have
//! their noise in common.

use crate::recording::Recorded;
use appell::Robot;
use appell::description::toml;
use appell_identification::base_parameters::structural;
use appell_identification::consistency::{Prior, fit};
use appell_identification::estimate::{Estimate, EstimateError, instruments, weighted};
use appell_identification::identified::describe;
use appell_identification::observation::Observation;
use appell_identification::parameters::{Effect, Model};
use appell_simulation::control::sampled::{Axis, Chain, Position, SampledLoop, Speed, Timing};
use appell_simulation::control::signal::Encoder;
use appell_simulation::control::{Gains, InAdvance, JointPd};
use appell_simulation::simulation::plant::Tree;
use appell_simulation::trajectory::{Fourier, JointReference};
use core::ops::ControlFlow;

const ARM: &str = include_str!("../../../../tests/data/planar-arm.toml");

const RATE: f64 = 1000.0;
const DURATION: f64 = 8.0;

fn reference() -> Fourier {
    let terms = [vec![[0.5, -0.2], [0.1, 0.3], [-0.15, 0.1]], vec![[-0.4, 0.3], [0.3, -0.2], [0.1, 0.2]]];
    Fourier::new(&[-1.2, 0.4], &terms, 0.5, 4.0).unwrap()
}

/// What the controller of a robot records: positions and commanded efforts.
fn run(robot: &Robot, position: Position) -> Recorded {
    let (mut q, mut v, mut a) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    reference().at(0.0, &mut q, &mut v, &mut a).unwrap();
    let gains = [(1500.0, 60.0), (400.0, 15.0)].map(|(proportional, derivative)| Gains {
        proportional,
        derivative,
        integral: 0.0,
    });
    let mut law = JointPd::new(robot.tree(), Box::new(reference()), gains.to_vec(), InAdvance::Nothing);
    let axis = Axis { position, speed: Speed::Difference { cutoff: Some(400.0) }, ..Axis::default() };
    let timing = Timing { period: 1.0 / RATE, delay: 0.0 };
    let mut plant = Tree::new(robot.tree(), &q, &v);
    let [mut q, mut tau] = [(); 2].map(|()| vec![Vec::new(); 2]);
    let mut sampled = SampledLoop::of_tree(robot.tree(), Chain::of(axis, 2), timing).unwrap();
    let outcome = sampled.run(&mut plant, &mut law, 0.0, DURATION, |now| {
        for j in 0..2 {
            q[j].push(now.q[j]);
            tau[j].push(now.commanded[j]);
        }
        ControlFlow::Continue(())
    });
    assert!(outcome.motion.stop.is_none(), "{outcome:?}");
    Recorded { count: q[0].len(), q, v: Vec::new(), a: Vec::new(), tau }
}

/// Equations of a recording, with a low-pass that lets most of the encoders' noise through, without its beginning and end.
fn equations(robot: &Robot, model: &Model, recorded: &Recorded) -> Observation {
    let all = recorded.processed(robot, model, RATE, 60.0, 10);
    all.part(30..all.samples() - 30)
}

#[test]
fn simulated_instruments_remove_the_bias_of_coarse_encoders() {
    let description = toml::read(ARM).unwrap().0;
    let robot = Robot::new(description.clone()).unwrap();
    let model = Model::bodies(&robot).with_effects(&[Effect::Viscous]);
    let base = structural(&robot, &model).unwrap();
    let coarse = Position::Encoder { encoder: Encoder::rotary(2000, 1.0).unwrap(), start: None };
    let measured = equations(&robot, &model, &run(&robot, coarse));
    let reduced = base.reduce(&measured);
    let plain = weighted::estimate(&reduced).unwrap();
    // The robot that was found, as far as the data show it and near a wrong guess elsewhere, in the same loop without noise.
    let guess: Vec<f64> = model.values(&robot).iter().map(|x| 1.3 * x).collect();
    let simulate = |found: &Estimate| -> Result<Observation, EstimateError> {
        let prior = Prior { model: &model, values: &guess, trust: 1e-3 };
        let values = fit(&measured, &base, found, &prior).unwrap().values;
        let identified = describe(&description, &model, values.as_slice()).unwrap();
        let robot = Robot::new(identified).unwrap();
        Ok(base.reduce(&equations(&robot, &model, &run(&robot, Position::Exact))))
    };
    let found = instruments::by_simulation(&reduced, plain.clone(), simulate).unwrap();
    let truth = base.values(&model.values(&robot));
    let off = |estimate: &Estimate| -> Vec<f64> {
        let relative = |k: usize| (estimate.values[k] - truth[k]) / truth[k].abs().max(0.02);
        (0..truth.len()).map(relative).collect()
    };
    let worst = |estimate: &Estimate| off(estimate).into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    println!("{:.3?}\n{:.3?}", off(&plain), off(&found));
    assert!(worst(&plain) > 0.5, "{:?}", off(&plain));
    assert!(worst(&found) < 0.05, "{:?}", off(&found));
}
