//! The measured Stäubli TX40, from the motors' files to equations.

use crate::recording::shared;
use appell::Robot;
use appell_batch::Motions;
use appell_identification::data::{Filter, Layout};
use appell_identification::observation::{Observation, Samples, observe};
use appell_identification::parameters::{Coupling, Effect, Model};
use appell_identification::plausibility::suspicions;
use appell_identification::signals::{Decimation, LowPass};
use std::path::Path;

/// Its recording at 1 kHz, by the layout's columns.
pub(crate) type Recording = Vec<(String, Vec<f64>)>;

/// A file of the report's study of it.
pub(crate) fn file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../appell-cli/src/commands/reproduce/tx40");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

pub(crate) fn robot() -> Robot {
    Robot::from_toml(&file("staubli-tx40.toml")).unwrap_or_else(|error| panic!("{error}"))
}

/// The published recording, low-passed and decimated from 5 kHz; data of others, which not every machine has.
pub(crate) fn recording() -> Option<Recording> {
    let folder = shared("tx40")?;
    let filter = LowPass::new(8, 400.0, 5000.0).unwrap().with_padding(200);
    let decimation = Decimation::with_filter(5, filter).unwrap().with_border(0);
    let rounded = |x: &f64| (x * 1e5).round() / 1e5;
    let mut columns = Vec::new();
    for (file, name) in [("motor_positions.csv", "position"), ("motor_torques.csv", "torque")] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let rows: Vec<Vec<f64>> =
            text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
        for k in 0..6 {
            let signal: Vec<f64> = rows.iter().map(|row| row[k]).collect();
            columns.push((format!("{name}{}", k + 1), decimation.of(&signal).unwrap().iter().map(rounded).collect()));
        }
    }
    Some(columns)
}

/// Bodies, friction and rotors of joints and of the coupled motor, with these effects beside viscous friction and rotors.
pub(crate) fn model(robot: &Robot, effects: &[Effect]) -> Model {
    let coupling = Coupling { name: "m6".into(), joint: 5, coefficients: vec![0.0, 0.0, 0.0, 0.0, 1.0, 1.0] };
    let both = [&[Effect::Rotor, Effect::Viscous][..], effects].concat();
    let of_joints = [&both[..], &[Effect::Offset]].concat();
    Model::bodies(robot).with_effects(&of_joints).with_coupling(coupling, &both)
}

/// Equations at 1000 Hz over `factor`: positions low-passed at 100 Hz and differentiated, columns and torques low-passed and
/// thinned together, one sample cut off at each end.
pub(crate) fn equations(robot: &Robot, model: &Model, recording: &[(String, Vec<f64>)], factor: usize) -> Observation {
    let layout = Layout::read(&file("layout.toml")).unwrap_or_else(|problems| panic!("{problems}"));
    let measured = layout.measure(robot, recording).unwrap();
    assert_eq!((measured.doubts.len(), measured.time.as_str()), (0, ""));
    let measured = measured.longest();
    let chosen = layout.filter.chosen(&[measured]).unwrap();
    assert_eq!(suspicions(robot, &layout, measured, &chosen).unwrap(), [], "the file is a guess, the units are right");
    let border = Some(factor as f64 / measured.clock.rate());
    let motion = measured.motion(&Filter { decimation: factor, border, ..chosen }).unwrap();
    let samples = Motions::Joints { q: &motion.q, v: &motion.v, a: &motion.a };
    let samples = Samples { count: motion.count, motion: samples, effort: &motion.effort };
    observe(robot, model, &samples).unwrap().decimated(&motion.decimation).unwrap()
}
