//! Base parameters against the closed-form rules of Khalil and Kleinfinger, and against the efforts themselves.

use appell::Robot;
use appell::description::{Description, JointDescription, JointKind, KhalilKleinfinger, toml};
use appell::robots;
use appell::sample::{Sampler, Shape};
use appell::spatial::Vec3;
use appell_identification::base_parameters::{BaseParameters, closed_form, structural};
use appell_identification::observation::{Samples, observe};
use appell_identification::parameters::{Coupling, Effect, Model};
use core::f64::consts::{FRAC_PI_2, PI};
use nalgebra::DVector;

/// The numbers of base parameters: of the PUMA in paper 002; 7 n − 6 of an arm whose first axis is vertical, as the literature
/// counts them; ZZ, MX and MY of every body of a planar arm under gravity.
#[test]
fn numbers_of_base_parameters() {
    for (name, expected) in [("puma560", 36), ("puma560-b", 36), ("seven-axis", 43), ("two-link", 6)] {
        let robot = Robot::builtin(name).unwrap();
        let base = structural(&robot, &Model::bodies(&robot)).unwrap();
        assert_eq!(base.len(), expected, "{name}\n{base}");
        let (least, largest) = base.gap();
        assert!(least > 1e-4 && largest < 1e-12, "{name}: {least:e} against {largest:e}");
    }
}

/// Both ways to base parameters: the same stay, and the same is regrouped into them. `None` where the rules do not hold.
fn compare(description: &Description) -> Option<BaseParameters> {
    let robot = Robot::new(description.clone()).unwrap();
    let base = structural(&robot, &Model::bodies(&robot)).unwrap();
    let rules = closed_form::regrouping(description)?;
    let named = |kept: &[usize]| kept.iter().map(|&k| base.model().name(k)).collect::<Vec<_>>();
    assert_eq!(named(base.kept()), named(&rules.kept), "{}\n{base}", description.name);
    let difference = (base.regrouping() - rules.regrouping).amax();
    assert!(difference < 1e-7, "{}: {difference:e}\n{base}", description.name);
    Some(base)
}

#[test]
fn regroupings_are_those_of_khalil_and_kleinfinger() {
    for name in ["puma560", "puma560-b", "seven-axis", "two-link", "scara"] {
        compare(&toml::read(robots::find(name).unwrap().toml).unwrap().0).unwrap();
    }
}

/// A robot of a modified Denavit-Hartenberg table whose rows are type, α in quarter turns, d, θ in quarter turns, r.
fn of_table(name: &str, gravity: [f64; 3], rows: &[(JointKind, f64, f64, f64, f64)]) -> Description {
    let joint = |(k, &(kind, alpha, d, theta, r)): (usize, &(JointKind, f64, f64, f64, f64))| JointDescription {
        parent: (k > 0).then(|| format!("j{k}")),
        placement: KhalilKleinfinger {
            alpha: FRAC_PI_2 * alpha,
            d,
            theta: FRAC_PI_2 * theta,
            r,
            ..KhalilKleinfinger::default()
        },
        ..JointDescription::new(format!("j{}", k + 1), kind)
    };
    let (name, [x, y, z]) = (name.to_owned(), gravity);
    let joints = rows.iter().enumerate().map(joint).collect();
    Description { name, joints, gravity: Vec3::new(x, y, z), ..Description::default() }
}

/// Arms that slide, with the numbers that the table of the rules gives: M of slides before turns; 1 or 3 of the first turning body, 7 of
/// every one after the second direction; 4, 3 or 1 of slides.
#[test]
fn arms_that_slide_have_as_many_base_parameters_as_the_rules_say() {
    use JointKind::{Prismatic as P, Revolute as R};
    let (down, across, none) = ([0.0, 0.0, -9.81], [-9.81, 0.0, 0.0], [0.0; 3]);
    let gantry = [(P, 0.0, 0.0, 0.0, 0.0), (P, 1.0, 0.1, 0.0, 0.0), (P, 1.0, 0.2, 1.0, 0.0)];
    let cylindrical = [(R, 0.0, 0.0, 0.0, 0.0), (P, 0.0, 0.1, 0.0, 0.2), (P, 1.0, 0.0, 0.0, 0.3)];
    let stanford = [
        (R, 0.0, 0.0, 0.0, 0.4),
        (R, -1.0, 0.0, 0.0, 0.15),
        (P, 1.0, 0.0, 0.0, 0.0),
        (R, 0.0, 0.0, 0.0, 0.0),
        (R, -1.0, 0.0, 0.0, 0.0),
        (R, 1.0, 0.0, 0.0, 0.0),
    ];
    let on_rail = [(P, 1.0, 0.0, 0.0, 0.0), (R, -1.0, 0.2, 0.0, 0.0), (R, 1.0, 0.1, 0.0, 0.3)];
    for (name, gravity, rows, expected) in [
        ("gantry", down, &gantry[..], 3),
        ("cylindrical arm", down, &cylindrical, 1 + 1 + 3),
        ("cylindrical arm across", across, &cylindrical, 3 + 1 + 3),
        ("cylindrical arm in space", none, &cylindrical, 1 + 1 + 3),
        ("Stanford arm", down, &stanford, 1 + 7 + 4 + 3 * 7),
        ("arm on a rail", down, &on_rail, 1 + 3 + 7),
    ] {
        let base = compare(&of_table(name, gravity, rows)).unwrap();
        assert_eq!(base.len(), expected, "{name}\n{base}");
    }
}

/// Chains of every pattern of revolute and prismatic joints, with axes that are parallel, at right angles, skew, or one, under gravity
/// in all directions or none.
#[test]
fn random_chains_of_all_patterns_obey_the_rules() {
    let mut compared = 0;
    for (n, cases) in [(1, 8), (2, 40), (3, 40), (4, 30), (5, 10)] {
        for (pattern, case) in (0..1_usize << n).flat_map(|pattern| (0..cases).map(move |case| (pattern, case))) {
            let seed = ((n << 10 | pattern) << 10 | case) as u64;
            let mut sampler = Sampler::new(seed);
            let mut robot = sampler.description(n, Shape::Chain);
            for (j, joint) in robot.joints.iter_mut().enumerate() {
                joint.kind =
                    if pattern >> j & 1 == 0 { JointKind::Revolute.into() } else { JointKind::Prismatic.into() };
                let placement = &mut joint.placement;
                placement.alpha = sampler.one_of(&[0.0, PI, FRAC_PI_2, -FRAC_PI_2, placement.alpha]);
                placement.theta = sampler.one_of(&[0.0, FRAC_PI_2, placement.theta]);
                placement.d = sampler.one_of(&[0.0, placement.d]);
                placement.r = sampler.one_of(&[0.0, placement.r]);
            }
            robot.gravity = sampler.one_of(&[
                Vec3::new(0.0, 0.0, -9.81),
                Vec3::new(0.0, 0.0, -9.81),
                Vec3::new(9.81, 0.0, 0.0),
                Vec3::new(2.0, -3.0, 8.0),
                Vec3::new(0.0, 0.0, 0.0),
            ]);
            robot.name = format!("seed {seed}, pattern {pattern:0n$b} from the tip");
            compared += usize::from(compare(&robot).is_some());
        }
    }
    println!("{compared} chains");
    assert!(compared > 1000, "{compared}");
}

#[test]
fn random_trees_obey_the_rules() {
    for seed in 0..12 {
        let mut robot = Sampler::new(seed).description(5, Shape::Tree);
        robot.name = format!("seed {seed}");
        assert!(compare(&robot).is_some());
    }
}

/// The referee for all robots: efforts of a random set of parameters are those of its base parameters.
#[test]
fn base_parameters_determine_the_efforts() {
    for robots::Builtin { name, .. } in robots::all() {
        let robot = Robot::builtin(name).unwrap();
        if robot.drives().len() != robot.freedoms().len() {
            continue;
        }
        let model = Model::bodies(&robot).with_effects(&Effect::USUAL);
        let base = structural(&robot, &model).unwrap();
        let mut sampler = Sampler::new(3);
        let parameters = DVector::from_fn(model.columns().len(), |_, _| sampler.within(1.0));
        // Other states than those which the base parameters were found at: near home.
        let n = robot.drives().len();
        let count = 20;
        let home: Vec<f64> = match robot.closed() {
            None => vec![0.3; n],
            Some(closed) => closed.driven().iter().map(|&j| closed.home().q[j]).collect(),
        };
        let q: Vec<f64> = home.iter().flat_map(|&home| [home; 20]).map(|home| home + sampler.within(0.02)).collect();
        let mut rates = || -> Vec<f64> { (0..n * count).map(|_| sampler.within(1.0)).collect() };
        let (v, a) = (rates(), rates());
        let motion = appell_batch::Motions::Joints { q: &q, v: &v, a: &a };
        let all = observe(&robot, &model, &Samples { count, motion, effort: &v }).unwrap();
        let efforts = all.predicted(&parameters);
        let again = base.reduce(&all).predicted(&base.values(parameters.as_slice()));
        let error = (&efforts - &again).amax() / efforts.amax();
        let (least, largest) = base.gap();
        let columns = model.columns().len();
        println!("{name}: {} of {columns}, {error:.1e}, gap {least:.1e} {largest:.1e}", base.len());
        assert!(error < 1e-9, "{name}: {error:e}");
        assert!(base.len() < columns);
    }
}

/// Rotors of the first joints cannot be told from the bodies; those of a coupled motor can.
#[test]
fn effects_and_coupled_motors() {
    let robot = Robot::builtin("puma560").unwrap();
    let coupling = Coupling { name: "m6".into(), joint: 5, coefficients: vec![0.0, 0.0, 0.0, 0.0, 1.0, 1.0] };
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

/// 1.5708 for 90 degrees: the same parameters stay, and the same are regrouped, as of the exact angle.
#[test]
fn rounded_right_angles_regroup_as_exact_ones() {
    for name in ["puma560", "seven-axis"] {
        let text = appell::robots::find(name).unwrap().toml;
        let rounded = text.replace("\"-90 deg\"", "-1.5708").replace("\"90 deg\"", "1.5708");
        assert_ne!(text, rounded, "{name}");
        let [exact, rounded] = [text, rounded.as_str()].map(|text| {
            let robot = Robot::from_toml(text).unwrap();
            let model = Model::bodies(&robot).with_effects(&[Effect::Viscous, Effect::Rotor]);
            structural(&robot, &model).unwrap()
        });
        assert!(exact.tolerance() < 2e-8 && rounded.tolerance() > 1e-5, "{name}: {}", rounded.tolerance());
        assert_eq!(exact.names(), rounded.names(), "{name}");
        let off = (exact.regrouping() - rounded.regrouping()).amax();
        assert!(off < 1e-3, "{name}: {off}");
    }
}
