//! From recordings to a robot's file and back.

use crate::recording::{case, excited, exciting, machine, record, whole_model};
use appell::Robot;
use appell::description::{Description, toml, urdf};
use appell::robots;
use appell_identification::base_parameters::{BaseParameters, structural};
use appell_identification::consistency::{self, Consistent, Prior, flaws};
use appell_identification::estimate::{Fit, Method, estimate, huber, reflections, weighted};
use appell_identification::identified::{Beyond, IdentifiedError, Provenance, Source, describe, to_toml, to_urdf};
use appell_identification::identify::{IdentifyError, Options, Recordings, identify};
use appell_identification::observation::Observation;
use appell_identification::parameters::{Column, Effect, Model};
use nalgebra::DVector;

/// The robot's file without the effects that `machine` adds: a prior.
fn described(name: &str) -> Description {
    toml::read(robots::find(name).unwrap().toml).unwrap().0
}

/// The consistent fit to weighted least squares.
fn consistent(equations: &Observation, base: &BaseParameters, prior: &Prior<'_>) -> Consistent {
    let free = weighted::estimate(&base.reduce(equations)).unwrap();
    consistency::fit(equations, base, &free, prior).unwrap()
}

/// Consistent parameters found from noisy data make a robot whose file comes back, and which needs the efforts of the real one
/// in a motion that was not recorded.
#[test]
fn identified_robots_move_like_the_real_ones() {
    for name in ["puma560", "seven-axis", "gough-stewart", "agile-wrist"] {
        let (machine, model, base) = case(name);
        let equations = excited(&machine, &model, 21, 0.02);
        // A prior that is wrong by half, and without friction.
        let description = described(name);
        let prior = model.values(&Robot::new(description.clone()).unwrap());
        let prior: Vec<f64> = prior.iter().map(|x| 1.5 * x).collect();
        let found = consistent(&equations, &base, &Prior { model: &model, values: &prior, trust: 1.0 });
        println!("{name}: {:.3} % against {:.3} %", 100.0 * found.fit.relative, 100.0 * found.unconstrained.relative);
        assert!(found.fit.relative < 1.1 * found.unconstrained.relative);
        let identified = describe(&description, &model, found.values.as_slice()).unwrap();
        let provenance = Provenance {
            sources: vec![Source { name: "run 1.csv".into(), hash: "sha256:12ab".into() }],
            method: "a consistent fit".into(),
            date: "2026-11-16".into(),
            fit: found.fit.clone(),
            validation: Some(found.unconstrained.clone()),
            layout: Some(Source { name: "a--b.toml".into(), hash: "sha256:34cd".into() }),
            settings: vec!["Trust: 1".into()],
            beyond: Some(Beyond { parameters: vec![("Fs1".into(), 0.25)], fit: found.fit.clone() }),
        };
        let text = to_toml(&identified, &provenance);
        assert!(
            text.starts_with(
                "# Identified on 2026-11-16 by a consistent fit.\n# Data: run 1.csv, sha256:12ab\n\
                              # Layout: a--b.toml, sha256:34cd\n# Trust: 1\n# Relative residual: "
            ),
            "{text}"
        );
        assert!(text.contains("# Beyond this file: Fs1 = 0.250000\n# With them"), "{text}");
        let (back, problems) = toml::read(&text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        assert_eq!((problems.errors(), back.joints.len()), (0, description.joints.len()));
        // The same robot by the library's own reading.
        let other = excited(&machine, &model, 22, 0.0);
        let values = model.values(&Robot::new(back).unwrap());
        let fit = Fit::of(&other, &DVector::from_vec(values));
        println!("{name}: {:.3} % of another motion", 100.0 * fit.relative);
        assert!(fit.relative < 0.02, "{name}: {fit:?}");
        let as_urdf = to_urdf(&identified, &provenance);
        assert_eq!(as_urdf.is_ok(), machine.closed().is_none());
        if let Ok((text, _)) = as_urdf {
            assert!(
                text.contains("run 1.csv") && text.contains("2026-11-16 by") && text.contains("a- -b.toml"),
                "{text}"
            );
            assert!(urdf::read(&text, urdf::Options::default()).is_ok(), "{text}");
        }
    }
}

/// Without any noise, and friction that is zero, at the border of what is consistent.
#[test]
fn exact_data_have_a_consistent_fit() {
    let machine = Robot::builtin("scara").unwrap();
    let model = whole_model(&machine);
    let base = structural(&machine, &model).unwrap();
    let equations = excited(&machine, &model, 23, 0.0);
    let prior: Vec<f64> = model.values(&machine).iter().map(|x| 1.5 * x).collect();
    let prior = Prior { model: &model, values: &prior, trust: 1.0 };
    let found = consistent(&equations, &base, &prior);
    assert!(found.fit.relative < 1e-4, "{}", found.fit.relative);
    assert_eq!(flaws(prior.model, found.whole.as_slice()), Vec::<String>::new());
}

#[test]
fn bodies_that_are_none_are_refused() {
    let machine = machine("puma560");
    let model = whole_model(&machine);
    let mut values = model.values(&machine);
    assert_eq!(flaws(&model, &values), Vec::<String>::new());
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

/// Springs come back with friction's offset, whichever parameters are asked for.
#[test]
fn springs_and_offsets_come_back() {
    let mut description = described("scara");
    let effects = &mut description.joints[0].effects;
    (effects.friction.offset, effects.friction.viscous) = (0.4, 1.5);
    (effects.spring.stiffness, effects.spring.rest) = (30.0, 0.2);
    effects.rotor.gear = 50.0;
    effects.rotor.inertia = 1e-4;
    let robot = Robot::new(description.clone()).unwrap();
    let model =
        Model::bodies(&robot).with_effects(&[Effect::Stiffness, Effect::Offset, Effect::Rotor, Effect::Viscous]);
    let values = model.values(&robot);
    let mut blank = description.clone();
    blank.joints[0].effects.spring.stiffness = 1.0;
    (blank.joints[0].effects.friction.offset, blank.joints[0].effects.friction.viscous) = (9.0, 0.0);
    let back = describe(&blank, &model, &values).unwrap().joints[0].effects;
    assert!((back.friction.offset - 0.4).abs() < 1e-12 && (back.rotor.inertia - 1e-4).abs() < 1e-16, "{back:?}");
    assert_eq!((back.spring.stiffness, back.spring.rest, back.friction.viscous), (30.0, 0.2, 1.5));
    let offsets = model.find("off*").unwrap();
    let without = model.with_columns(&(0..values.len()).filter(|k| !offsets.contains(k)).collect::<Vec<_>>());
    let back = describe(&blank, &without, &without.values(&robot)).unwrap().joints[0].effects;
    assert_eq!((back.spring.rest, back.friction.offset), (0.0, 9.0));
}

/// Legs that are alike have 47 base parameters in place of 112, better conditioned by two orders; every leg of the robot's file gets them.
#[test]
fn equal_legs_share_their_bodies() {
    let machine = machine("gough-stewart");
    let all = whole_model(&machine);
    let effects: Vec<Effect> = all.columns()[190..194].iter().map(effect).collect();
    let model = Model::bodies(&machine).with_equal_legs(&machine).with_effects(&effects);
    let base = structural(&machine, &model).unwrap();
    let recorded = record(&machine, &exciting(&machine, 23, 0.0));
    let equations = recorded.exact(&machine, &model);
    let expected = base.values(&model.values(&machine));
    let found = reflections::estimate(&base.reduce(&equations)).unwrap();
    println!("{} base parameters, condition {:.1e}\n{base}", base.len(), found.condition);
    assert!(base.len() < 60 && (&found.values - &expected).amax() < 1e-8 * expected.amax(), "{base}");
    // One wrong column would leave a residual.
    assert!(found.fit.relative < 1e-10, "{:?}", found.fit);
    let values = model.values(&machine).iter().map(|x| 1.25 * x).collect::<Vec<_>>();
    let heavier = describe(&described("gough-stewart"), &model, &values).unwrap();
    let masses: Vec<f64> = heavier.joints.iter().map(|joint| joint.body.mass).collect();
    assert_eq!(masses, [0.0, 5.0, 2.0].repeat(6));
}

fn effect(column: &Column) -> Effect {
    match column {
        Column::Effect { effect, .. } => *effect,
        other => panic!("{other:?} is no effect"),
    }
}

/// One sample in twenty is a collision: Huber's estimate is right, and so is the consistent fit to it; that of weighted least
/// squares is not.
#[test]
fn a_consistent_fit_is_as_robust_as_its_estimate() {
    let (machine, model, base) = case("puma560");
    let clean = excited(&machine, &model, 24, 0.01);
    let n = clean.rows().len();
    let hit = |k: usize| if (k / n).is_multiple_of(20) { 200.0 } else { 0.0 };
    let right = DVector::from_fn(clean.right().len(), |k, _| clean.right()[k] + hit(k));
    let equations = Observation::new(clean.matrix().clone(), right, model.clone(), clean.rows().to_vec());
    let values: Vec<f64> = model.values(&machine).iter().map(|x| 1.2 * x).collect();
    let prior = Prior { model: &model, values: &values, trust: 1.0 };
    let reduced = base.reduce(&equations);
    let left = |method: Method| {
        let free = estimate(&reduced, method, false).unwrap();
        let found = consistency::fit(&equations, &base, &free, &prior).unwrap();
        assert_eq!(flaws(prior.model, found.whole.as_slice()), Vec::<String>::new());
        Fit::of(&clean, &found.values).relative
    };
    let (robust, plain) = (left(Method::Huber { threshold: huber::USUAL_THRESHOLD }), left(Method::Weighted));
    println!("{robust:.4} {plain:.4}");
    assert!(robust < 0.02 && plain > 5.0 * robust, "{robust} {plain}");
}

/// For weighted least squares the nearest to the estimate is what fits the weighed equations best: no consistent neighbour does better.
#[test]
fn the_nearest_to_weighted_least_squares_fits_best() {
    let (machine, model, base) = case("puma560");
    let equations = excited(&machine, &model, 25, 0.1);
    let values = model.values(&machine);
    let prior = Prior { model: &model, values: &values, trust: 1e-3 };
    let free = weighted::estimate(&base.reduce(&equations)).unwrap();
    let found = consistency::fit(&equations, &base, &free, &prior).unwrap();
    let weighed = equations.weighed(&free.weights);
    let cost = |values: &DVector<f64>| (weighed.right() - weighed.predicted(values)).norm_squared();
    let best = cost(&found.values);
    let truth = DVector::from_vec(values.clone());
    for part in [1e-3, 1e-2, 0.1, 1.0] {
        // The set is convex: everything between two consistent robots is one.
        let between = &found.values * (1.0 - part) + &truth * part;
        assert_eq!(flaws(&model, between.as_slice()), Vec::<String>::new());
        assert!(cost(&between) > best * (1.0 - 1e-5), "{part}: {} {best}", cost(&between));
    }
}

/// A body that is known in part stays so; the rest of it is found.
#[test]
fn known_parameters_of_a_body_stay() {
    let machine = machine("puma560");
    let all = whole_model(&machine);
    let truth = all.values(&machine);
    let at = |name: &str| all.find(name).unwrap()[0];
    let known = ["ZZ3", "M5", "MX2"].map(|name| (name, truth[at(name)]));
    let equations = excited(&machine, &all, 26, 0.01).with_known(&known).unwrap();
    let model = equations.model().clone();
    let base = structural(&machine, &model).unwrap();
    let whole = model.with_whole_bodies();
    assert_eq!(whole.columns().len(), all.columns().len());
    // A prior that is wrong, but for the bodies of which something is known.
    let right = ["*2", "*3", "*5"].map(|name| whole.find(name).unwrap()).concat();
    let values = whole.values(&machine).into_iter().enumerate();
    let values: Vec<f64> = values.map(|(k, x)| if right.contains(&k) { x } else { 1.2 * x }).collect();
    let prior = Prior { model: &whole, values: &values, trust: 1.0 };
    let found = consistent(&equations, &base, &prior);
    assert_eq!(flaws(prior.model, found.whole.as_slice()), Vec::<String>::new());
    assert!(found.fit.relative < 1.1 * found.unconstrained.relative, "{found:?}");
    for (name, value) in known {
        assert_eq!(found.whole[whole.find(name).unwrap()[0]], value, "{name}");
    }
    let identified = describe(&described("puma560"), &whole, found.whole.as_slice()).unwrap();
    assert_eq!(identified.joints[4].body.mass, truth[at("M5")]);
}

/// The five-bar's platform is a point that does not turn: it stays one, of another mass. A point that turns becomes a body.
#[test]
fn points_have_a_consistent_fit() {
    let machine = Robot::builtin("five-bar").unwrap();
    let model = whole_model(&machine);
    let base = structural(&machine, &model).unwrap();
    let equations = excited(&machine, &model, 27, 0.0);
    let values: Vec<f64> = model.values(&machine).iter().map(|x| 1.3 * x).collect();
    let prior = Prior { model: &model, values: &values, trust: 1.0 };
    let found = consistent(&equations, &base, &prior);
    assert!(found.fit.relative < 1e-3 && found.balls.is_empty(), "{found:?}");
    let platform = model.find("*.platform").unwrap();
    assert!(platform[1..].iter().all(|&k| found.whole[k] == 0.0) && found.whole[platform[0]] > 0.0);
    assert!(describe(&described("five-bar"), &model, found.whole.as_slice()).is_ok());

    let mut description = described("scara");
    description.joints[1].body.inertia = appell::spatial::Sym3::default();
    let arm = Robot::new(description).unwrap();
    let model = whole_model(&arm);
    let base = structural(&arm, &model).unwrap();
    let equations = excited(&arm, &model, 28, 0.0);
    let values = model.values(&arm);
    let prior = Prior { model: &model, values: &values, trust: 1.0 };
    let found = consistent(&equations, &base, &prior);
    assert_eq!(found.balls, ["M2"]);
    assert!(found.fit.relative < 1e-3 && flaws(&model, found.whole.as_slice()).is_empty(), "{found:?}");
}

/// The two-link arm's gravity is in its plane, which a URDF cannot say: the file tells.
#[test]
fn a_urdf_tells_what_it_has_lost() {
    let mut description = described("two-link");
    description.joints.iter_mut().for_each(|joint| joint.effects.friction.offset = 0.1);
    let joints: Vec<&str> = description.joints.iter().map(|joint| joint.name.as_str()).collect();
    let offsets = format!("  friction.offset of {}: cannot be said in this format", joints.join(", "));
    let robot = Robot::new(description.clone()).unwrap();
    let model = Model::bodies(&robot);
    let identified = describe(&description, &model, &model.values(&robot)).unwrap();
    let provenance = Provenance {
        sources: Vec::new(),
        layout: None,
        method: "hand".into(),
        settings: Vec::new(),
        date: "today".into(),
        fit: Fit { relative: 0.0, rows: Vec::new() },
        validation: None,
        beyond: None,
    };
    let (text, lost) = to_urdf(&identified, &provenance).unwrap();
    let head = text.split("-->").next().unwrap();
    assert!(head.contains("  gravity: cannot be said in this format") && head.contains(&offsets), "{head}");
    assert_eq!(lost.len(), 2, "a line per kind: {lost:?}");
}

/// A file without the 5 kg that a SCARA carries: it counts less, and the payload comes out; one that is right counts as before.
#[test]
fn a_prior_without_the_payload_counts_less() {
    let (machine, model, base) = case("scara");
    let values = model.values(&machine);
    let at = |name: &str| model.find(name).unwrap()[0];
    // A point of 5 kg at x = 5 cm of the last body.
    let load = [("M4", 5.0), ("MX4", 0.25), ("YY4", 0.0125), ("ZZ4", 0.0125)];
    let equations = excited(&machine, &model, 31, 0.005);
    let mut efforts = equations.right().clone();
    for (name, value) in load {
        efforts.axpy(value, &equations.matrix().column(at(name)), 1.0);
    }
    let loaded = Observation::new(equations.matrix().clone(), efforts, model.clone(), equations.rows().to_vec());
    let prior = Prior { model: &model, values: &values, trust: 1.0 };
    let far = |equations: &Observation| {
        let estimate = weighted::estimate(&base.reduce(equations)).unwrap();
        consistency::fit_far(equations, &base, &estimate, &prior).unwrap()
    };
    let (as_before, found) = (far(&equations), far(&loaded));
    assert_eq!(as_before.trust, 1.0);
    assert!(found.trust < 1.0, "{}", found.trust);
    for (own, free) in found.fit.rows.iter().zip(&found.unconstrained.rows) {
        assert!(own.relative < 1.2 * free.relative, "{}: {} {}", own.name, own.relative, free.relative);
    }
    let moment = found.values[at("MX4")] - values[at("MX4")];
    assert!((moment / 0.25 - 1.0).abs() < 0.05, "{moment}");
}

/// A robot that was made of a mechanism has no file to write parameters into.
#[test]
fn a_robot_without_a_description_is_refused() {
    let arm = Robot::from(Robot::builtin("two-link").unwrap().tree());
    let error = identify(&arm, &Recordings::default(), &Options::usual(&arm, &[])).unwrap_err();
    assert_eq!(error, IdentifyError::NoDescription);
}
