//! Gradients of rollouts are what differences of their costs say.

use super::builtin;
use super::device::{Given, Over, run};
use appell::Robot;
use appell::sample::{Sampler, Shape};
use appell::spatial::Vec3;
use appell_codegen::Owner;
use appell_codegen::emit::device::{Code, PortKind};
use appell_codegen::rollout::{By, Channel, Cost, Law, Options, Reference, Refused, Scheme, Varied, Whose, gradient};
use std::collections::HashMap;

const STEPS: usize = 25;

/// How far a number is moved to either side.
const WAY: f64 = 1e-5;

/// Runs one robot, and for every entry of a port two more in which it is a little more or less; compares what differences
/// say with the gradient. Of long ports some entries are looked at.
fn check(label: &str, code: &Code, base: &Given<'_>, by: &[(&str, &str)], over: Over) -> HashMap<String, Vec<f64>> {
    let entries = |port: &str| base[port].len();
    let moved: Vec<(&str, usize)> = by
        .iter()
        .flat_map(|&(port, _)| {
            let many = entries(port);
            (0..many).step_by(1 + many / 16).map(move |k| (port, k))
        })
        .collect();
    let count = 2 + 2 * moved.len();
    let mut given: Given<'_> = HashMap::new();
    for port in &code.ports {
        let name = port.name.as_str();
        match port.kind {
            PortKind::Read(many) => {
                let numbers = &base.get_key_value(name).unwrap();
                let mut all: Vec<f64> = numbers.1.iter().flat_map(|&x| vec![x; count]).collect();
                assert_eq!(numbers.1.len(), many, "{name}");
                for (place, (_, k)) in moved.iter().enumerate().filter(|(_, (port, _))| *port == name) {
                    all[k * count + 2 + 2 * place] += WAY;
                    all[k * count + 3 + 2 * place] -= WAY;
                }
                given.insert(numbers.0, all);
            }
            PortKind::Written(_) => {}
            _ => {
                let (name, numbers) = base.get_key_value(name).unwrap();
                given.insert(name, numbers.clone());
            }
        }
    }
    let found = run(label, code, count, &given, over);
    assert!(found["off"].iter().all(|&off| off == 0.0), "{label}");
    for (place, (port, k)) in moved.iter().enumerate() {
        let (_, by) = by.iter().find(|(other, _)| other == port).unwrap();
        let difference = (found["cost"][2 + 2 * place] - found["cost"][3 + 2 * place]) / (2.0 * WAY);
        let slope = found[*by][k * count];
        let size = (0..entries(port)).fold(1e-3, |most: f64, k| most.max(found[*by][k * count].abs()));
        assert!(
            (slope - difference).abs() <= 1e-6 * size,
            "{label} {by} {k}: {slope:e}, not {difference:e}, of {size:e}"
        );
    }
    found
}

/// Of the PUMA by torques of all steps, start, a mass, friction and a payload.
#[test]
fn of_the_puma_by_torques_start_and_masses() {
    let puma = builtin("puma560");
    let varied = vec![
        Varied::Body("m3".parse().unwrap()),
        Varied::Viscous(0),
        Varied::Payload { owner: Owner::Body(5), at: Vec3::new(0.0, 0.05, 0.1) },
    ];
    let mut sampler = Sampler::new(17);
    for scheme in [Scheme::SemiImplicit, Scheme::RungeKutta4] {
        let options = Options {
            scheme,
            steps: STEPS,
            varied: varied.clone(),
            cost: Some(Cost::quadratic(&puma, Reference::Passage, Whose::Shared)),
            ..Options::new(Law::open(Whose::Own))
        };
        let made = gradient(&puma, &options, &[By::Start, By::Torques, By::Varied]).unwrap();
        assert_eq!(made.shared.len(), 5 * 6 + 13);
        let mut within = |limits: &[f64], many: usize| -> Vec<f64> {
            (0..many).flat_map(|_| limits.iter().map(|&limit| sampler.within(limit)).collect::<Vec<_>>()).collect()
        };
        let weights = [1.0, 0.1, 1e-4, 50.0, 5.0].iter().flat_map(|&x| [x; 6]);
        let given = HashMap::from([
            ("q0", within(&[1.0; 6], 1)),
            ("v0", within(&[1.0; 6], 1)),
            ("torques", within(&[40.0, 80.0, 40.0, 4.0, 4.0, 2.0], STEPS)),
            ("p", vec![9.0, 2.0, 3.0]),
            ("shared", weights.chain(within(&[1.0; 6], 2)).chain([0.2]).collect()),
            ("dt", vec![0.01]),
            ("steps", vec![STEPS as f64]),
        ]);
        let by = [("q0", "by_q0"), ("v0", "by_v0"), ("torques", "by_torques"), ("p", "by_p")];
        check(&format!("gradient-puma-{scheme:?}"), &made.code, &given, &by, Over::Lanes);
    }
}

/// Of a tree with friction under a law, by the law's and the cost's numbers: what is shared counts as what is a robot's own.
#[test]
fn of_a_tree_by_the_numbers_of_its_law() {
    let mut sampler = Sampler::new(5);
    let bare = sampler.robot(3, Shape::Tree);
    let tree = Robot::from(sampler.with_effects(&bare));
    let state = Sampler::new(2).state(tree.tree());
    for scheme in [Scheme::SemiImplicit, Scheme::RungeKutta4] {
        // Two gains, of which one is shared, act alike.
        let law = Law::of(vec!["kp".into()], vec!["kp".into(), "kd".into()], |moment| {
            let held = moment.gravity();
            let (kp, kd) = (moment.shared[0] + moment.own[0], moment.own[1]);
            (0..3).map(|j| held[j] - kp * moment.q[j] - kd * moment.v[j]).collect()
        });
        let options = Options {
            scheme,
            steps: STEPS,
            varied: vec![Varied::Coulomb(1)],
            cost: Some(Cost::quadratic(&tree, Reference::Sinusoid, Whose::Own)),
            ..Options::new(law)
        };
        let made = gradient(&tree, &options, &[By::Start, By::Varied, By::Own, By::Shared]).unwrap();
        let sinusoid = [0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 3.0, 4.0, 5.0, 0.0, 0.5, 1.0];
        let weights = [1.0, 0.1, 1e-2, 5.0, 0.5].iter().flat_map(|&x| [x; 3]);
        let given = HashMap::from([
            ("q0", state.q.clone()),
            ("v0", state.v.clone()),
            ("p", vec![1.5]),
            ("own", [vec![10.0, 3.0], sinusoid.to_vec()].concat()),
            ("shared", [20.0].into_iter().chain(weights).collect()),
            ("dt", vec![1e-3]),
            ("steps", vec![STEPS as f64]),
        ]);
        let by = [("q0", "by_q0"), ("v0", "by_v0"), ("p", "by_p"), ("own", "by_own")];
        let found = check(&format!("gradient-tree-{scheme:?}"), &made.code, &given, &by, Over::Doubles);
        let (own, shared) = (found["by_own"][0], found["by_shared"][0]);
        assert!(own != 0.0 && (own - shared).abs() <= 1e-12 * own.abs(), "{own} {shared}");
    }
}

#[test]
fn what_has_no_gradient_says_why() {
    let arm = builtin("two-link");
    let options = |law| Options { steps: 3, ..Options::new(law) };
    let cost = || Some(Cost::quadratic(&arm, Reference::Passage, Whose::Shared));
    let open = || Law::open(Whose::Own);
    assert_eq!(gradient(&arm, &options(open()), &[By::Start]).unwrap_err(), Refused::NoCost);
    let stored = Options { stored: vec![Channel::Positions], cost: cost(), ..options(open()) };
    assert!(matches!(gradient(&arm, &stored, &[By::Start]), Err(Refused::NotOfGradient { .. })));
    let limited = Options { limits: arm.tree().limits().to_vec(), cost: cost(), ..options(open()) };
    assert!(matches!(gradient(&arm, &limited, &[By::Start]), Err(Refused::NotOfGradient { .. })));
    let guided = Law::gravity_and_pd(&arm, Reference::Passage, Whose::Own);
    let guided = Options { cost: cost(), ..options(guided) };
    assert_eq!(gradient(&arm, &guided, &[By::Torques]).unwrap_err(), Refused::NotOpen);
}
