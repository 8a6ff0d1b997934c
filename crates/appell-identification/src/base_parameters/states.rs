//! Seeded random states that show the structure of a robot.

use crate::data::Load;
use crate::observation::{Observation, ObservationError, Samples, observe};
use crate::parameters::Model;
use appell::description::JointKind;
use appell::sample::Sampler;
use appell::{Joint, Robot};
use appell_batch::Motions;

/// The seed: base parameters of a robot are the same every time.
const SEED: u64 = 8;
/// Rows, over the columns.
const MORE_ROWS: usize = 3;
/// Largest velocity, rad/s or m/s, and acceleration, 1/s² of that.
const SPEED: f64 = 3.0;
/// How far drives of closed robots go from home, rad, or lengths of the robot.
const FROM_HOME: f64 = 0.3;
/// How often a state that cannot be assembled is tried again, nearer to home.
const HALVINGS: usize = 8;

/// Equations of a model at random states, with the efforts of the robot's bodies and, in turns, of what it carries.
pub(super) fn random(robot: &Robot, model: &Model, loads: &[Option<Load>]) -> Result<Observation, ObservationError> {
    let mut sampler = Sampler::new(SEED);
    let drives = robot.drives();
    let count = loads.len().max(1) * (MORE_ROWS * model.columns().len()).div_ceil(drives.len());
    let mut states = Vec::with_capacity(count); // q, v and a of the measured joints
    for _ in 0..count {
        states.push(state(robot, &drives, &mut sampler)?);
    }
    let vector = |rate: usize| -> Vec<f64> {
        (0..drives.len()).flat_map(|joint| states.iter().map(move |state| state[rate][joint])).collect()
    };
    let [q, v, a] = [0, 1, 2].map(vector);
    let motion = Motions::Joints { q: &q, v: &v, a: &a };
    // Efforts are of no interest but to drive gains, whose columns they are: those that the bodies need.
    let bodies = Model::bodies(robot);
    let moved = observe(robot, &bodies, &Samples { count, motion, effort: &vec![0.0; q.len()] })?;
    let mut needed = moved.predicted(&bodies.values(robot).into());
    let n = drives.len();
    for (turn, load) in loads.iter().enumerate() {
        let Some(load) = load else { continue };
        let loaded = moved.with_load(load);
        let carrying = (0..needed.len()).filter(|row| (row / n) % loads.len() == turn);
        carrying.for_each(|row| needed[row] += loaded.known()[row]);
    }
    let effort: Vec<f64> = (0..q.len()).map(|k| needed[(k % count) * n + k / count]).collect();
    observe(robot, model, &Samples { count, motion, effort: &effort })
}

/// One state, in which a closed robot can be assembled.
fn state(robot: &Robot, drives: &[Joint<'_>], sampler: &mut Sampler) -> Result<[Vec<f64>; 3], ObservationError> {
    let rates: [Vec<f64>; 2] = core::array::from_fn(|_| drives.iter().map(|_| sampler.within(SPEED)).collect());
    let [v, a] = rates;
    let slides = |drive: &Joint<'_>| drive.kind == JointKind::Prismatic;
    let Some(closed) = robot.closed() else {
        let position = |drive: &Joint<'_>| sampler.within(if slides(drive) { 1.0 } else { core::f64::consts::PI });
        return Ok([drives.iter().map(position).collect(), v, a]);
    };
    let way = |drive: &Joint<'_>| sampler.within(if slides(drive) { FROM_HOME * closed.length() } else { FROM_HOME });
    let mut ways: Vec<f64> = drives.iter().map(way).collect();
    let nothing = Model::bodies(robot).with_columns(&[]);
    let zeros = vec![0.0; drives.len()];
    for halving in 0.. {
        let q: Vec<f64> = drives.iter().zip(&ways).map(|(drive, way)| closed.home().q[drive.index] + way).collect();
        let motion = Motions::Joints { q: &q, v: &v, a: &a };
        match observe(robot, &nothing, &Samples { count: 1, motion, effort: &zeros }) {
            Ok(_) => return Ok([q, v, a]),
            Err(error) if halving == HALVINGS => return Err(error),
            Err(_) => ways.iter_mut().for_each(|way| *way *= 0.5),
        }
    }
    unreachable!("the last halving returns")
}
