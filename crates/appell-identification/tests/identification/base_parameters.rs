//! Base parameters against the closed-form rules of Khalil and Kleinfinger, and against the efforts themselves.

use appell::description::toml;
use appell::{robots, sample::Sampler};
use appell_identification::base_parameters::{closed_form, structural};
use appell_identification::observation::{Samples, observe};
use appell_identification::parameters::{Coupling, Effect, Model, Robot};
use nalgebra::DVector;

/// The numbers of base parameters: of the PUMA in paper 002; 7 n − 6 of an arm whose first axis is vertical, as the literature
/// counts them; ZZ, MX and MY of every body of a planar arm under gravity.
#[test]
fn numbers_of_base_parameters() {
    for (name, expected) in [("puma560", 36), ("puma560-b", 36), ("seven-axis", 43), ("two-link", 6)] {
        let robot = robots::find(name).unwrap().mechanism();
        let base = structural(&robot, &Model::bodies(&robot)).unwrap();
        assert_eq!(base.len(), expected, "{name}\n{base}");
        let (least, largest) = base.gap();
        assert!(least > 1e-4 && largest < 1e-12, "{name}: {least:e} against {largest:e}");
    }
}

#[test]
fn regroupings_are_those_of_khalil_and_kleinfinger() {
    for name in ["puma560", "puma560-b", "seven-axis"] {
        let file = robots::find(name).unwrap();
        let robot = file.mechanism();
        let model = Model::bodies(&robot);
        let base = structural(&robot, &model).unwrap();
        let rules = closed_form::regrouping(&toml::read(file.toml).unwrap().0).unwrap();
        for (row, (&k, of)) in base.kept().iter().zip(base.names()).enumerate() {
            let difference = base.regrouping().row(row) - rules.row(k);
            assert!(difference.amax() < 1e-9, "{name}: {of}\n{base}");
        }
    }
}

/// The referee for all robots: efforts of a random set of parameters are those of its base parameters.
#[test]
fn base_parameters_determine_the_efforts() {
    for robot in robots::all() {
        let (tree, closed);
        let robot_of: Robot = if robots::TREES.contains(robot) {
            tree = robot.mechanism();
            (&tree).into()
        } else {
            closed = robot.closed();
            (&closed).into()
        };
        if matches!(robot_of, Robot::Closed(closed) if closed.driven().len() != closed.freedoms().len()) {
            continue;
        }
        let model = Model::bodies(robot_of).with_effects(&Effect::USUAL);
        let base = structural(robot_of, &model).unwrap();
        let mut sampler = Sampler::new(3);
        let parameters = DVector::from_fn(model.columns().len(), |_, _| sampler.within(1.0));
        // Other states than those which the base parameters were found at: near home.
        let n = robot_of.measured().len();
        let count = 20;
        let home: Vec<f64> = match robot_of {
            Robot::Tree(_) => vec![0.3; n],
            Robot::Closed(closed) => closed.driven().iter().map(|&j| closed.home().q[j]).collect(),
        };
        let q: Vec<f64> = home.iter().flat_map(|&home| [home; 20]).map(|home| home + sampler.within(0.02)).collect();
        let mut rates = || -> Vec<f64> { (0..n * count).map(|_| sampler.within(1.0)).collect() };
        let (v, a) = (rates(), rates());
        let motion = appell::batch::Motions::Drives { q: &q, v: &v, a: &a };
        let all = observe(robot_of, &model, &Samples { count, motion, effort: &v }).unwrap();
        let efforts = all.predicted(&parameters);
        let again = base.reduce(&all).predicted(&base.values(parameters.as_slice()));
        let error = (&efforts - &again).amax() / efforts.amax();
        let (least, largest) = base.gap();
        println!(
            "{}: {} of {}, {error:.1e}, gap {least:.1e} {largest:.1e}",
            robot.name,
            base.len(),
            model.columns().len()
        );
        assert!(error < 1e-9, "{}: {error:e}", robot.name);
        assert!(base.len() < model.columns().len());
    }
}

/// Rotors of the first joints cannot be told from the bodies; those of a coupled motor can.
#[test]
fn effects_and_coupled_motors() {
    let robot = robots::find("puma560").unwrap().mechanism();
    let coupling = Coupling { name: "m6".into(), coefficients: vec![0.0, 0.0, 0.0, 0.0, 1.0, 1.0] };
    let coupled = [Effect::Rotor, Effect::Viscous, Effect::Coulomb { smoothing: 0.0 }];
    let model = Model::bodies(&robot).with_effects(&Effect::USUAL).with_coupling(coupling, &coupled);
    let base = structural(&robot, &model).unwrap();
    let names = base.names();
    assert_eq!(base.len(), 61, "{base}");
    for (name, there) in [("Ia1", false), ("Ia2", false), ("Ia3", true), ("Iam6", true), ("Fcm6", true), ("off1", true)]
    {
        assert_eq!(names.iter().any(|other| other == name), there, "{name} in {names:?}");
    }
    let text = base.to_string();
    assert!(text.contains("ZZ1R = ZZ1 + ") && text.contains("Ia1"), "{text}");
}
