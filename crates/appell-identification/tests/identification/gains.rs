//! Drive gains: efforts in unknown units, joint by joint.

use crate::recording::{Recorded, Recording, record, whole_model, with_drives};
use appell::Robot;
use appell::description::{BodyDescription, toml};
use appell::robots;
use appell::spatial::{Sym3, Vec3};
use appell_identification::base_parameters::structural;
use appell_identification::data::Payload;
use appell_identification::estimate::{Estimate, EstimateError, Method, estimate, reflections};
use appell_identification::identified::Source;
use appell_identification::identify::{Identified, IdentifyError, Loaded, Options, Recordings, Table, identify};
use appell_identification::observation::Observation;
use appell_identification::parameters::{Effect, Model};

/// The PUMA with a heavy last body, as a payload that was weighed.
fn loaded() -> Robot {
    let (mut description, _) = toml::read(robots::find("puma560").unwrap().toml).unwrap();
    description.joints[5].body.mass = 4.0;
    description.joints[5].body.com = Vec3::new(0.06, -0.04, 0.1);
    Robot::new(description).unwrap()
}

/// N m per unit of the recorder's.
fn gain(joint: usize) -> f64 {
    [10.0, 20.0, 15.0, 2.0, 3.0, 0.7][joint]
}

/// A recording in units of its own, N m over [`gain`].
fn in_units(machine: &Robot, seed: u64, noise: f64) -> Recorded {
    let recording = Recording { seed, rate: 100.0, duration: 10.0, amplitude: 1.0, quantised: false, noise };
    let mut recorded = record(machine, &recording);
    recorded.tau.iter_mut().enumerate().for_each(|(k, tau)| tau.iter_mut().for_each(|x| *x /= gain(k)));
    recorded
}

/// Equations for all parameters but those of the weighed body, and the gains.
fn equations(machine: &Robot, recorded: &Recorded) -> Observation {
    let all = whole_model(machine).with_effects(&[Effect::DriveGain]);
    let truth = all.values(machine);
    let known: Vec<(String, f64)> = (50..60).map(|k| (all.name(k), truth[k])).collect();
    recorded.exact(machine, &all).with_known(&known).unwrap()
}

/// The base parameters by some method, with their names.
fn found(
    machine: &Robot,
    equations: &Observation,
    by: impl Fn(&Observation) -> Result<Estimate, EstimateError>,
) -> Estimate {
    let base = structural(machine, equations.model()).unwrap();
    by(&base.reduce(equations)).unwrap().named(base.names())
}

/// Gains, and how many σ they are off.
fn gains(found: &Estimate) -> Vec<(f64, f64)> {
    let of_joint = |k: usize| {
        let column = found.names.iter().position(|name| *name == format!("g{}", k + 1)).expect("a gain alone");
        let off = (found.values[column] - gain(k)) / found.sigma()[column];
        (found.values[column], off)
    };
    (0..6).map(of_joint).collect()
}

#[test]
fn drive_gains_are_found_where_a_body_is_known() {
    let machine = loaded();
    let equations = equations(&machine, &in_units(&machine, 29, 0.0));
    for method in [Method::Qr, Method::Weighted, Method::Huber { threshold: 1.345 }] {
        let found = found(&machine, &equations, |reduced| estimate(reduced, method, false));
        for (k, (own, _)) in gains(&found).into_iter().enumerate() {
            assert!((own / gain(k) - 1.0).abs() < 1e-7, "{} {k}: {own}", method.name());
        }
    }
    // Nothing known: all parameters times any number.
    let all: Model = whole_model(&machine).with_effects(&[Effect::DriveGain]);
    let homogeneous = structural(&machine, &all).unwrap();
    assert_eq!(homogeneous.len() + 1, structural(&machine, &whole_model(&machine)).unwrap().len() + 6);
}

/// A tenth of noise in the efforts, which stand in the columns: plain least squares makes gains too small by many σ, and the same
/// least squares about predicted efforts does not.
#[test]
fn noise_in_the_efforts_does_not_shrink_gains() {
    let machine = loaded();
    let (mut worst, mut sum, runs) = (0.0_f64, [0.0; 6], 5);
    for seed in 0..runs {
        let equations = equations(&machine, &in_units(&machine, 100 + seed, 0.1));
        let plain = gains(&found(&machine, &equations, reflections::estimate));
        assert!(plain.iter().any(|(_, off)| *off < -5.0), "{plain:?}");
        for method in [Method::Qr, Method::Weighted] {
            let found = found(&machine, &equations, |reduced| estimate(reduced, method, false));
            for (_, off) in gains(&found) {
                worst = worst.max(off.abs());
            }
            if method == Method::Weighted {
                gains(&found).iter().zip(&mut sum).for_each(|((_, off), sum)| *sum += off);
            }
        }
    }
    // 60 numbers of σ = 1, and their means over five runs of σ = 0.45.
    assert!(worst < 4.5, "{worst}");
    assert!(sum.iter().all(|sum| (sum / runs as f64).abs() < 1.6), "{sum:?}");
}

/// One gain that is trusted, and bodies of which nothing is known but it.
#[test]
fn one_known_gain_gives_the_others() {
    let machine = loaded();
    let mut recorded = in_units(&machine, 7, 0.05);
    recorded.tau[0].iter_mut().for_each(|x| *x *= gain(0));
    let all = whole_model(&machine).with_effects(&[Effect::DriveGain]);
    let equations = recorded.exact(&machine, &all).with_known(&[("g1", 1.0)]).unwrap();
    let base = structural(&machine, equations.model()).unwrap();
    let found = estimate(&base.reduce(&equations), Method::Weighted, false).unwrap().named(base.names());
    let own = found.names.iter().position(|name| name == "g2").expect("a gain alone");
    let off = (found.values[own] - gain(1)) / found.sigma()[own];
    assert!(off.abs() < 4.0, "{} ± {}", found.values[own], found.sigma()[own]);
}

/// A payload of 3 kg, 5 cm before the flange.
fn payload() -> Payload {
    let inertia = Sym3 { xx: 4e-3, yy: 4e-3, zz: 3e-3, xy: 0.0, xz: 0.0, yz: 0.0 };
    Payload { on: None, body: BodyDescription { mass: 3.0, com: Vec3::new(0.04, -0.03, 0.1), inertia } }
}

/// How far off the recorder's torques are, joint by joint.
const OFF: [f64; 6] = [1.1, 0.9, 1.07, 0.94, 1.05, 0.92];

/// A recording of a PUMA whose true torques are so many times those of the recorder.
fn table(robot: &Robot, seed: u64, name: &str) -> Table {
    let recording = Recording { seed, rate: 200.0, duration: 20.0, amplitude: 0.8, quantised: true, noise: 0.01 };
    let recorded = record(&with_drives(robot), &recording);
    let mut columns = vec![("t".to_owned(), (0..recorded.count).map(|k| k as f64 / 200.0).collect::<Vec<f64>>())];
    columns.extend(recorded.q.iter().enumerate().map(|(k, q)| (format!("q{}", k + 1), q.clone())));
    let in_units = |(k, tau): (usize, &Vec<f64>)| (format!("tau{}", k + 1), tau.iter().map(|x| x / OFF[k]).collect());
    columns.extend(recorded.tau.iter().enumerate().map(in_units));
    Table { source: Source { name: name.into(), hash: name.into() }, columns }
}

/// What is found of two recordings of a PUMA, the second with a payload.
fn with_payload(given: &Robot, payloads: bool, trust: Option<f64>) -> Result<Identified, IdentifyError> {
    let robot = Robot::builtin("puma560").unwrap();
    let carrying = payload().on(&robot).unwrap().carried_by(&robot);
    let loaded = Loaded { table: table(&carrying, 32, "loaded.csv"), payload: payload() };
    let (data, loaded) = if payloads {
        (vec![table(&robot, 31, "unloaded.csv")], vec![loaded])
    } else {
        (vec![table(&robot, 31, "unloaded.csv")], Vec::new())
    };
    let mut options = Options::usual(&robot, &[]);
    options.asked.effects.push(Effect::DriveGain);
    options.asked.smoothing = Some(crate::recording::SMOOTHING);
    (options.folds, options.estimator.trust) = (0, trust);
    identify(given, &Recordings { data, loaded, ..Recordings::default() }, &options)
}

/// Torques that are off by a tenth, and a payload that was weighed: gains come out within what σ says, and so do masses.
#[test]
fn a_payload_gives_the_gains() {
    let robot = Robot::builtin("puma560").unwrap();
    let found = with_payload(&robot, true, None).unwrap();
    let (estimate, sigma) = (&found.full.estimate, found.full.estimate.sigma());
    for (k, expected) in OFF.into_iter().enumerate() {
        let own = estimate.names.iter().position(|name| *name == format!("g{}", k + 1)).expect("a gain alone");
        let (value, sigma) = (estimate.values[own], sigma[own]);
        println!("g{} = {value:.4} ± {sigma:.4}, truly {expected}", k + 1);
        assert!(sigma < 0.03, "{sigma}");
        assert!((value - expected).abs() < 3.5 * sigma, "g{} = {value} ± {sigma}", k + 1);
    }
    println!("{:#?}", found.warnings);
    let toml = &found.files.as_ref().unwrap().toml;
    assert!(toml.contains("# Payload of loaded.csv: 3 kg") && toml.contains("g1 = 1.1"), "{toml}");
    // The robot is written without the payload.
    let written = Robot::from_toml(toml).unwrap();
    let (own, written) = (robot.tree().mass(), written.tree().mass());
    assert!((written / own - 1.0).abs() < 0.3, "{written} {own}");
}

/// One recording without a payload shows ratios alone; and so does a loaded one without another.
#[test]
fn without_a_payload_there_are_no_gains() {
    let robot = Robot::builtin("puma560").unwrap();
    let error = with_payload(&robot, false, None).unwrap_err().to_string();
    assert!(error.contains("--payload") && error.contains("nothing is known"), "{error}");
    let carrying = payload().on(&robot).unwrap().carried_by(&robot);
    let loaded = vec![Loaded { table: table(&carrying, 32, "loaded.csv"), payload: payload() }];
    let mut options = Options::usual(&robot, &[]);
    options.asked.effects.push(Effect::DriveGain);
    let error = identify(&robot, &Recordings { loaded, ..Recordings::default() }, &options).unwrap_err().to_string();
    assert!(error.contains("cannot be told from other parameters"), "{error}");
}

/// A robot's file that is trusted beyond reason, and is wrong, moves gains; that is reported.
#[test]
fn a_prior_that_moves_gains_is_reported() {
    let mut description = Robot::builtin("puma560").unwrap().description().unwrap().clone();
    description.joints.iter_mut().for_each(|joint| joint.body = joint.body.scaled(1.5));
    let heavy = Robot::new(description).unwrap();
    let is_told = |found: &Identified| found.warnings.iter().any(|text| text.contains("moves drive gains"));
    let found = with_payload(&heavy, true, Some(1000.0)).unwrap();
    assert!(is_told(&found), "{:#?}", found.warnings);
    let loose = with_payload(&heavy, true, Some(1e-3)).unwrap();
    assert!(!is_told(&loose), "{:#?}", loose.warnings);
}
