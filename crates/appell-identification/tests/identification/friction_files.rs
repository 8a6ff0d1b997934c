//! Friction of all shapes, and motors that several joints turn, from recordings to a robot's file: what is written is what was fitted.

use crate::recording::{Recording, record};
use crate::tx40_data;
use appell::Robot;
use appell::description::{Description, Friction, FrictionCurve, JointEffects, Rotor, toml};
use appell::question::{Evaluator, Question, State, Target};
use appell::sample::Sampler;
use appell_identification::data::Layout;
use appell_identification::estimate::Fit;
use appell_identification::identified::{Source, describe};
use appell_identification::identify::{Identified, Options, Recordings, Table, Urdf, identify};
use appell_identification::observation::{Samples, observe};
use appell_identification::parameters::{Coupling, Effect, Model};
use appell_identification::unknowns::{Asked, Unknowns, UnknownsError};
use nalgebra::DVector;

const SMOOTHING: f64 = 0.02;
const SPEED: f64 = 0.15;

/// All that may act in a joint.
fn all_effects() -> Vec<Effect> {
    let with_speed = |effect| match effect {
        Effect::Stribeck { smoothing, .. } => Effect::Stribeck { speed: SPEED, smoothing },
        other => other,
    };
    let described = Effect::ALL.into_iter().filter(Effect::is_described);
    described.map(|effect| with_speed(effect).smoothed(SMOOTHING)).collect()
}

/// The library's inverse dynamics of a robot, and what a model says of the same motion, at random states: the largest difference over the
/// largest torque.
fn difference(robot: &Robot, of_model: &Robot, model: &Model, values: &[f64]) -> f64 {
    let (n, count) = (of_model.drives().len(), 40);
    let mut sampler = Sampler::new(5);
    let mut draw = |limit: f64| -> Vec<f64> { (0..n * count).map(|_| sampler.within(limit)).collect() };
    let [q, v, a] = [2.0, 1.0, 5.0].map(&mut draw);
    let motion = appell_batch::Motions::Joints { q: &q, v: &v, a: &a };
    let effort = vec![1.0; n * count];
    let equations = observe(of_model, model, &Samples { count, motion, effort: &effort }).unwrap();
    let predicted = equations.predicted(&DVector::from_column_slice(values));
    let mut evaluator = Evaluator::new(robot, Question::InverseDynamics, None, Target::default()).unwrap();
    let mut off = 0.0_f64;
    for i in 0..count {
        let at = |all: &[f64]| -> Vec<f64> { (0..n).map(|joint| all[joint * count + i]).collect() };
        let mut tau = vec![0.0; n];
        evaluator.evaluate(&State::joints(&at(&q), &at(&v), &at(&a)), &mut tau).unwrap();
        tau.iter().enumerate().for_each(|(joint, tau)| off = off.max((tau - predicted[i * n + joint]).abs()));
    }
    off / predicted.amax()
}

/// Every effect in every joint, all together: the robot that is written, and read again, needs the torques of the equations.
#[test]
fn written_friction_is_that_of_the_equations() {
    for name in ["puma560", "scara"] {
        let robot = Robot::builtin(name).unwrap();
        let model = Model::bodies(&robot).with_effects(&all_effects());
        let mut sampler = Sampler::new(3);
        let values: Vec<f64> = (0..model.columns().len())
            .zip(model.values(&robot))
            .map(
                |(k, value)| {
                    if model.name(k).starts_with(['F', 'k', 'o', 'I']) { 1.0 + sampler.within(0.9) } else { value }
                },
            )
            .collect();
        let described = describe(robot.description().unwrap(), &model, &values).unwrap();
        let (back, problems) = toml::read(&toml::write(&described)).unwrap();
        assert_eq!((problems.errors(), &back), (0, &described));
        let written = Robot::new(back).unwrap();
        assert!(difference(&written, &robot, &model, &values) < 1e-12, "{name}");
        let same = model.values(&written).iter().zip(&values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(same < 1e-10, "{name}: {same:e}");
    }
}

/// Wrists whose last motors turn with the joints before them, one of three joints, become transmissions, which say the same; and read again
/// they are columns with the values that were written.
#[test]
fn coupled_motors_become_transmissions() {
    let robot = Robot::builtin("puma560").unwrap();
    let effects = |k: f64| -> Vec<Effect> {
        let of_motor = |effect: &Effect| !matches!(effect, Effect::Offset | Effect::Stiffness);
        all_effects().into_iter().filter(of_motor).take(if k > 5.0 { 3 } else { 9 }).collect()
    };
    for couplings in [
        vec![Coupling { name: "m6".into(), joint: 5, coefficients: vec![0.0, 0.0, 0.0, 0.0, 1.0, 1.0] }],
        vec![
            Coupling { name: "m5".into(), joint: 4, coefficients: vec![0.0, 0.0, 0.0, 0.3, 1.0, 0.0] },
            Coupling { name: "m6".into(), joint: 5, coefficients: vec![0.0, 0.0, 0.0, -0.2, 0.5, 1.0] },
            Coupling { name: "m3".into(), joint: 2, coefficients: vec![0.0, 1.0, 1.0, 0.0, 0.0, 0.0] },
        ],
    ] {
        let mut model = Model::bodies(&robot).with_effects(&[Effect::Viscous, Effect::Rotor]);
        for coupling in &couplings {
            model = model.with_coupling(coupling.clone(), &effects(coupling.joint as f64));
        }
        let values: Vec<f64> = (0..model.columns().len())
            .zip(model.values(&robot))
            .map(|(k, value)| if k < 60 { value } else { 0.2 + 0.01 * k as f64 })
            .collect();
        let described = describe(robot.description().unwrap(), &model, &values).unwrap();
        let transmissions = described.transmissions.len();
        assert_eq!(transmissions, couplings.len().div_ceil(2), "joints that hang together are one");
        let text = toml::write(&described);
        let (back, problems) = toml::read(&text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        assert_eq!(problems.errors(), 0);
        let written = Robot::new(back).unwrap();
        assert!(difference(&written, &robot, &model, &values) < 1e-12, "{text}");
        // The same unknowns, by the file alone.
        let asked = Asked { effects: all_effects(), ..Asked::default() };
        let unknowns = Unknowns::new(&written, None, &asked).unwrap();
        let found = unknowns.all.values(&written.without_motors());
        for (k, name) in model.names().iter().enumerate() {
            let again = unknowns.all.find(name).unwrap()[0];
            assert!((found[again] - values[k]).abs() < 1e-10, "{name}: {} {}", found[again], values[k]);
        }
        assert!(unknowns.known.is_empty(), "{:?}", unknowns.known);
        // What is fitted again goes into the same transmissions.
        let twice = describe(&described, &unknowns.all, &found).unwrap();
        assert_eq!(twice.transmissions.len(), transmissions);
        assert_eq!(toml::write(&twice).matches("name = ").count(), text.matches("name = ").count());
    }
}

/// What a file says of motors and curves, and nobody asks for, is known, with the file's speeds.
#[test]
fn what_a_file_says_is_known() {
    let mut description = Robot::builtin("scara").unwrap().description().unwrap().clone();
    let curve = FrictionCurve { square_root: 0.4, stribeck: -0.2, stribeck_speed: 0.3, ..FrictionCurve::default() };
    description.joints[0].effects.friction =
        Friction { coulomb: 1.0, smoothing: 0.05, curve: Some(curve), ..Friction::default() };
    let robot = Robot::new(description).unwrap();
    let asked = Asked { effects: vec![Effect::Viscous, Effect::Coulomb { smoothing: 0.0 }], ..Asked::default() };
    let unknowns = Unknowns::new(&robot, None, &asked).unwrap();
    let known: Vec<(&str, f64)> = unknowns.known.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    assert_eq!(known, [("Fs1", 0.4), ("Fb1", -0.2)]);
    let values = unknowns.all.values(&robot);
    assert!(difference(&robot, &robot, &unknowns.all, &values) < 1e-12, "with the file's speeds");
    // Speeds that are asked for hold for all friction of a joint.
    let asked = Asked { smoothing: Some(0.2), ..asked };
    let unknowns = Unknowns::new(&robot, None, &asked).unwrap();
    let described = describe(robot.description().unwrap(), &unknowns.model, &unknowns.model.values(&robot)).unwrap();
    let values = unknowns.all.values(&robot);
    assert!(difference(&Robot::new(described).unwrap(), &robot, &unknowns.all, &values) < 1e-12);
}

#[test]
fn mounted_motors_are_refused() {
    let (mut description, model) = (tx40_data::robot().description().unwrap().clone(), tx40_data::robot());
    let model = tx40_data::model(&model, &[]);
    let values = model.values(&tx40_data::robot());
    description = describe(&description, &model, &values).unwrap();
    description.transmissions[0].motors[1].mounting =
        Some(appell::description::Mounting { on: "base".into(), axis: appell::spatial::Vec3::new(0.0, 0.0, 1.0) });
    let error = Unknowns::new(&Robot::new(description).unwrap(), None, &Asked::default()).unwrap_err();
    assert_eq!(error, UnknownsError::Mounted { motor: "m6".into() });
}

/// A PUMA with friction of greased gears and Stribeck's excess.
fn greased() -> Robot {
    let tree = Robot::builtin("puma560").unwrap().tree().with_effects(|_, _| JointEffects {
        friction: Friction {
            viscous: 1.0,
            coulomb: 2.0,
            smoothing: SMOOTHING,
            offset: 0.1,
            curve: Some(FrictionCurve {
                square_root: 1.5,
                stribeck: 0.8,
                stribeck_speed: SPEED,
                ..FrictionCurve::default()
            }),
        },
        rotor: Rotor { inertia: 2e-5, gear: 100.0 },
        ..JointEffects::default()
    });
    Robot::from(tree)
}

fn identified(robot: &Robot, columns: Vec<(String, Vec<f64>)>, options: &Options) -> Identified {
    let source = Source { name: "run.csv".into(), hash: "1".into() };
    let recordings = Recordings { data: vec![Table { source, columns }], ..Recordings::default() };
    identify(robot, &recordings, options).unwrap()
}

/// The residual of what is written, as its own numbers predict the fitted equations.
fn of_written(found: &Identified) -> (Fit, Description) {
    let (description, problems) = toml::read(&found.files.as_ref().unwrap().toml).unwrap();
    assert_eq!(problems.errors(), 0);
    let robot = Robot::new(description.clone()).unwrap().without_motors();
    let equations = &found.full.equations;
    (Fit::of(equations, &DVector::from_vec(equations.model().values(&robot))), description)
}

/// Recorded with noise, fitted, written and read: the file predicts what the consistent fit does, and its friction is the true one.
#[test]
fn a_robot_with_stribeck_friction_is_written_as_it_was_fitted() {
    let recording = Recording { seed: 9, rate: 400.0, duration: 20.0, amplitude: 0.6, quantised: false, noise: 0.003 };
    let (true_robot, robot) = (greased(), Robot::builtin("puma560").unwrap());
    let recorded = record(&true_robot, &recording);
    let mut columns = vec![("t".to_owned(), (0..recorded.count).map(|k| k as f64 / 400.0).collect::<Vec<f64>>())];
    columns.extend(recorded.q.iter().enumerate().map(|(k, q)| (format!("q{}", k + 1), q.clone())));
    columns.extend(recorded.tau.iter().enumerate().map(|(k, tau)| (format!("tau{}", k + 1), tau.clone())));
    let mut options = Options::usual(&robot, &[]);
    let speeds = [Effect::SquareRoot { smoothing: 0.0 }, Effect::Stribeck { speed: 0.1, smoothing: 0.0 }];
    options.asked.effects.extend(speeds);
    (options.asked.smoothing, options.asked.stribeck_speed) = (Some(SMOOTHING), Some(SPEED));
    let found = identified(&robot, columns, &options);
    assert!(found.file.is_none() && found.beyond().is_empty(), "a file has numbers for all of it");
    let consistent = &found.full.consistent.as_ref().unwrap().fit;
    let (written, description) = of_written(&found);
    assert!((written.relative - consistent.relative).abs() < 1e-9, "{} {}", written.relative, consistent.relative);
    assert!(written.relative < 0.006, "{written:?}");
    let truth = greased().tree().effects()[0].friction;
    for joint in &description.joints {
        let own = joint.effects.friction;
        assert_eq!((own.smoothing, own.curve.unwrap().stribeck_speed), (SMOOTHING, SPEED));
        for v in [0.01_f64, 0.05, 0.3, 1.0, -0.2] {
            let (found, expected) = (own.resistance(v), truth.resistance(v));
            assert!((found - expected).abs() < 0.2, "{} at {v}: {found} {expected}", joint.name);
        }
    }
}

/// The published TX40: joints 5 and 6 of the written robot, whose motor 6 turns both, are as in the consistent fit; a second run begins with
/// that file.
#[test]
fn the_written_tx40_is_the_fitted_one() {
    let Some(columns) = tx40_data::recording() else { return };
    let robot = tx40_data::robot();
    let layout = Layout::read(&tx40_data::file("layout.toml")).unwrap();
    let mut options = Options::new(layout);
    options.asked.effects.push(Effect::SquareRoot { smoothing: 0.0 });
    options.asked.smoothing = Some(0.01);
    let found = identified(&robot, columns.clone(), &options);
    let consistent = &found.full.consistent.as_ref().unwrap().fit;
    let (written, description) = of_written(&found);
    println!(
        "{:.2} %, {:.2?}",
        100.0 * written.relative,
        written.rows.iter().map(|row| 100.0 * row.relative).collect::<Vec<_>>()
    );
    assert!((written.relative - consistent.relative).abs() < 1e-9);
    assert!(
        written.relative < 0.062 && written.rows[4].relative < 0.13 && written.rows[5].relative < 0.15,
        "{written:?}"
    );
    assert_eq!(description.transmissions[0].motors[1].name, "m6");
    assert!(matches!(found.urdf, Urdf::Own(_)));
    // Its torques are those of the equations.
    let (file, model) = (Robot::new(description).unwrap(), found.full.equations.model());
    let values = model.values(&file.without_motors());
    assert!(difference(&file, &robot, model, &values) < 1e-10);
    // The file is a robot that can be identified again.
    let again = identified(&file, columns, &options);
    let (written_again, description) = of_written(&again);
    assert_eq!(description.transmissions.len(), 1);
    assert!(
        (written_again.relative / written.relative - 1.0).abs() < 0.02,
        "{} {}",
        written_again.relative,
        written.relative
    );
}
