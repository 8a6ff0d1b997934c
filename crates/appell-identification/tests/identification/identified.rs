//! From recordings to a robot's file and back.

use crate::recording::{Machine, Recording, machine, record};
use appell::closed::ClosedMechanism;
use appell::description::{Description, toml, urdf};
use appell::mechanism::Mechanism;
use appell::robots;
use appell_identification::base_parameters::structural;
use appell_identification::consistency::{self, flaws};
use appell_identification::estimate::Fit;
use appell_identification::identified::{IdentifiedError, Provenance, Source, describe, to_toml, to_urdf};
use nalgebra::DVector;

fn recording(machine: &Machine, seed: u64, noise: f64) -> Recording {
    let amplitude = if matches!(machine, Machine::Tree(_)) { 1.0 } else { 0.12 };
    Recording { seed, rate: 40.0, duration: 10.0, amplitude, quantised: false, noise }
}

/// The robot's file without the effects that `machine` adds: a prior.
fn described(name: &str) -> Description {
    toml::read(robots::find(name).unwrap().toml).unwrap().0
}

/// Consistent parameters found from noisy data make a robot whose file comes back, and which needs the efforts of the real one
/// in a motion that was not recorded.
#[test]
fn identified_robots_move_like_the_real_ones() {
    for name in ["puma560", "seven-axis", "gough-stewart", "agile-wrist"] {
        let machine = machine(name);
        let model = machine.model();
        let base = structural(machine.robot(), &model).unwrap();
        let equations = record(&machine, &recording(&machine, 21, 0.02)).exact(&machine, &model);
        // A prior that is wrong by half, and without friction.
        let description = described(name);
        let prior: Vec<f64> = match &machine {
            Machine::Tree(_) => model.values(&Mechanism::new(&description).unwrap()),
            Machine::Closed(_) => model.values(&ClosedMechanism::new(&description).unwrap()),
        };
        let prior: Vec<f64> = prior.iter().map(|x| 1.5 * x).collect();
        let found = consistency::fit(&equations, &base, &prior, 1.0).unwrap();
        println!(
            "{name}: {:.3} % against {:.3} %, {} rounds",
            100.0 * found.fit.relative,
            100.0 * found.unconstrained.relative,
            found.rounds
        );
        assert!(found.fit.relative < 1.1 * found.unconstrained.relative);
        let identified = describe(&description, &model, found.values.as_slice()).unwrap();
        assert_eq!(identified.left_out, []);
        let provenance = Provenance {
            sources: vec![Source { name: "run 1.csv".into(), hash: "sha256:12ab".into() }],
            method: "a consistent fit".into(),
            date: "2026-11-16".into(),
            fit: found.fit.clone(),
            validation: Some(found.unconstrained.clone()),
        };
        let text = to_toml(&identified, &provenance);
        assert!(
            text.starts_with("# Identified on 2026-11-16 by a consistent fit.\n# Data: run 1.csv, sha256:12ab\n# Rel"),
            "{text}"
        );
        let (back, problems) = toml::read(&text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        assert_eq!((problems.errors(), back.joints.len()), (0, description.joints.len()));
        // The same robot by the library's own reading.
        let other = record(&machine, &recording(&machine, 22, 0.0)).exact(&machine, &model);
        let values = match &machine {
            Machine::Tree(_) => model.values(&Mechanism::new(&back).unwrap()),
            Machine::Closed(_) => model.values(&ClosedMechanism::new(&back).unwrap()),
        };
        let fit = Fit::of(&other, &DVector::from_vec(values));
        println!("{name}: {:.3} % of another motion", 100.0 * fit.relative);
        assert!(fit.relative < 0.02, "{name}: {fit:?}");
        let as_urdf = to_urdf(&identified, &provenance);
        assert_eq!(as_urdf.is_ok(), matches!(machine, Machine::Tree(_)));
        if let Ok((text, _)) = as_urdf {
            assert!(text.contains("run 1.csv") && urdf::read(&text, urdf::Options::default()).is_ok(), "{text}");
        }
    }
}

#[test]
fn bodies_that_are_none_are_refused() {
    let machine = machine("puma560");
    let model = machine.model();
    let mut values = model.values(machine.robot());
    assert_eq!(flaws(&model, &values), []);
    values[model.find("M4").unwrap()[0]] = -0.1;
    values[model.find("Fc2").unwrap()[0]] = -1.0;
    assert_eq!(flaws(&model, &values).len(), 2);
    let error = describe(&described("puma560"), &model, &values).unwrap_err();
    assert!(matches!(error, IdentifiedError::Inconsistent { .. }), "{error}");
    values[model.find("M4").unwrap()[0]] = 1.052;
    values[model.find("Fc2").unwrap()[0]] = 1.0;
    let error = describe(&described("scara"), &model, &values).unwrap_err();
    assert_eq!(error, IdentifiedError::OtherRobot { joint: "waist".into() });
}
