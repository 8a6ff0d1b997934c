//! The measured Stäubli TX40, from the motors' file to equations.

use appell::mechanism::Mechanism;
use appell_batch::Motions;
use appell_identification::data::{Filter, Layout};
use appell_identification::observation::{Observation, Samples, observe};
use appell_identification::parameters::{Coupling, Effect, Model};
use appell_identification::plausibility::suspicions;
use std::path::Path;

/// A file of the repository.
pub(crate) fn file(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)).unwrap()
}

pub(crate) fn robot() -> Mechanism {
    Mechanism::from_toml(&file("robots/staubli-tx40.toml")).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Bodies, friction and rotors of joints and of the coupled motor, with these effects beside viscous friction and rotors.
pub(crate) fn model(robot: &Mechanism, effects: &[Effect]) -> Model {
    let coupling = Coupling { name: "m6".into(), coefficients: vec![0.0, 0.0, 0.0, 0.0, 1.0, 1.0] };
    let both = [&[Effect::Rotor, Effect::Viscous][..], effects].concat();
    let of_joints = [&both[..], &[Effect::Offset]].concat();
    Model::bodies(robot).with_effects(&of_joints).with_coupling(coupling, &both)
}

/// Equations at 1000 Hz over `factor`: positions low-passed at 100 Hz and differentiated, columns and torques low-passed and
/// thinned together, one sample cut off at each end.
pub(crate) fn equations(robot: &Mechanism, model: &Model, factor: usize) -> Observation {
    let layout = Layout::read(&file("tests/data/tx40/layout.toml")).unwrap_or_else(|problems| panic!("{problems}"));
    let text = file("tests/data/tx40/motors.csv");
    let mut lines = text.lines().map(|line| line.split(','));
    let mut columns: Vec<(String, Vec<f64>)> =
        lines.next().unwrap().map(|name| (name.to_owned(), Vec::new())).collect();
    for line in lines {
        columns.iter_mut().zip(line).for_each(|((_, column), cell)| column.push(cell.parse().unwrap()));
    }
    let (measured, doubts) = layout.measure(robot, &columns).unwrap();
    assert_eq!(doubts, []);
    let chosen = layout.filter.chosen(&[&measured]).unwrap();
    assert_eq!(suspicions(robot, &layout, &measured, &chosen).unwrap(), [], "the file is a guess, the units are right");
    let border = Some(factor as f64 / measured.clock.rate());
    let motion = measured.motion(&Filter { decimation: factor, border, ..chosen }).unwrap();
    let samples = Motions::Drives { q: &motion.q, v: &motion.v, a: &motion.a };
    let samples = Samples { count: motion.count, motion: samples, effort: &motion.effort };
    observe(robot, model, &samples).unwrap().decimated(&motion.decimation).unwrap()
}
