//! The measured Stäubli TX40, from the motors' file to equations.

use appell::batch::Motions;
use appell::mechanism::Mechanism;
use appell_identification::observation::{Observation, Samples, observe};
use appell_identification::parameters::{Coupling, Effect, Model};
use appell_identification::signals::{Decimation, LowPass, first_derivative, second_derivative};
use core::f64::consts::FRAC_PI_2;
use std::path::Path;

/// Samples a second of the file.
const RATE: f64 = 1000.0;
/// Turns of a motor a turn of its joint; motor 6 turns with joint 5 too.
const GEARS: [f64; 6] = [32.0, 32.0, 45.0, -48.0, 45.0, 32.0];

pub(crate) fn robot_file() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/staubli-tx40.toml");
    std::fs::read_to_string(path).unwrap()
}

pub(crate) fn robot() -> Mechanism {
    Mechanism::from_toml(&robot_file()).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Bodies, friction and rotors of joints and of the coupled motor, with these effects beside viscous friction and rotors.
pub(crate) fn model(robot: &Mechanism, effects: &[Effect]) -> Model {
    let coupling = Coupling { name: "m6".into(), coefficients: vec![0.0, 0.0, 0.0, 0.0, 1.0, 1.0] };
    let both = [&[Effect::Rotor, Effect::Viscous][..], effects].concat();
    let of_joints = [&both[..], &[Effect::Offset]].concat();
    Model::bodies(robot).with_effects(&of_joints).with_coupling(coupling, &both)
}

/// Joint positions and torques at 1 kHz, joint by joint.
fn joints() -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tx40/motors.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    let column = |k: usize| rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
    let mut q: Vec<Vec<f64>> = (0..6).map(|j| column(1 + j).into_iter().map(|x| x / GEARS[j]).collect()).collect();
    let mut tau: Vec<Vec<f64>> = (0..6).map(|j| column(7 + j).into_iter().map(|x| x * GEARS[j]).collect()).collect();
    // R⁻¹ and Rᵀ with R[6,5] = 32 = N6.
    let fifth = q[4].clone();
    q[5].iter_mut().zip(fifth).for_each(|(q6, q5)| *q6 -= q5);
    let sixth = tau[5].clone();
    tau[4].iter_mut().zip(sixth).for_each(|(tau5, tau6)| *tau5 += tau6);
    q[1].iter_mut().for_each(|q| *q -= FRAC_PI_2);
    q[2].iter_mut().for_each(|q| *q += FRAC_PI_2);
    (q, tau)
}

/// Equations at 1000 Hz over `factor`: positions low-passed at 100 Hz and differentiated, columns and torques low-passed and
/// thinned together, without the borders of that filter.
pub(crate) fn equations(robot: &Mechanism, model: &Model, factor: usize) -> Observation {
    let (q, tau) = joints();
    let low_pass = LowPass::new(4, 100.0, RATE).unwrap();
    let q: Vec<Vec<f64>> = q.iter().map(|q| low_pass.zero_phase(q).unwrap()).collect();
    let v: Vec<f64> = q.iter().flat_map(|q| first_derivative(q, 1.0 / RATE).unwrap()).collect();
    let a: Vec<f64> = q.iter().flat_map(|q| second_derivative(q, 1.0 / RATE).unwrap()).collect();
    let (count, q) = (q[0].len(), q.concat());
    let motion = Motions::Drives { q: &q, v: &v, a: &a };
    let all = observe(robot, model, &Samples { count, motion, effort: &tau.concat() }).unwrap();
    all.decimated(&Decimation::new(factor, RATE).unwrap().with_border(factor)).unwrap()
}
