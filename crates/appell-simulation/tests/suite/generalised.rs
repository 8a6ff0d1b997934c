//! Motions of robots whose positions are not one number per joint: quaternions, followers, screws.

use crate::exactly;
use appell::description::{JointEffects, Limits, urdf};
use appell::mechanism::Mechanism;
use appell::sample::{Sampler, Shape};
use appell_simulation::scenario::{Scenario, Watch};
use appell_simulation::simulation::law::{Constant, Free};
use appell_simulation::simulation::plant::{ForwardMethod, Generalised};
use appell_simulation::simulation::{Law, Options, Reason, Sample, Stop, Watched, run};
use core::ops::ControlFlow;
use std::path::Path;

/// The text of a recorded URDF.
fn urdf_text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/urdf").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// What a motion of a second and a half is, sample by sample, from a state on.
fn motion<X>(
    robot: &Mechanism,
    [q, v]: [&[f64]; 2],
    law: &mut dyn Law,
    mut look: impl FnMut(&Sample<'_>) -> X,
) -> Vec<X> {
    let mut plant = Generalised::new(robot, q, v, ForwardMethod::GibbsAppell);
    let options = Options { sampling: Some(0.05), ..exactly(1e-12) };
    let mut found = Vec::new();
    let outcome = run(&mut plant, law, 0.0, 1.5, &options, |sample| {
        found.push(look(sample));
        ControlFlow::Continue(())
    });
    assert!(outcome.stop.is_none(), "{outcome:?}");
    found
}

/// The sum of both energies.
fn total(sample: &Sample<'_>) -> f64 {
    sample.energy.kinetic + sample.energy.potential
}

/// Free motions of joints of every type keep their energy, and driven ones gain what the drives do.
#[test]
fn energy_is_kept() {
    for seed in 0..6 {
        let mut sampler = Sampler::new(seed);
        let robot = sampler.robot(6 + seed as usize, Shape::Mixed);
        let state = sampler.state(&robot);
        let energies = motion(&robot, [&state.q, &state.v], &mut Free, total);
        let size = energies.iter().fold(1.0_f64, |size, energy| size.max(energy.abs()));
        let drift = energies.iter().map(|energy| (energy - energies[0]).abs()).fold(0.0, f64::max);
        assert!(drift < 1e-9 * size, "seed {seed}: {drift:e} of {size}");
    }
}

/// A floating robot tumbles through every attitude, right angles of pitch among them, and keeps energy and the momentum that
/// gravity does not change.
#[test]
fn a_floating_robot_tumbles() {
    let floating = urdf::Options { floating_base: true };
    let (description, _) = urdf::read(&urdf_text("solo12.urdf"), floating).unwrap();
    let robot = Mechanism::new(&description).unwrap().with_effects(|_, _| JointEffects::default());
    let own = robot.coordinates().unwrap();
    let (q, mut v) = (own.neutral(), vec![0.0; own.velocities().len()]);
    v[4] = 5.0; // about y: a pitch of 90° after 0.3 s
    v[3] = 0.3;
    let found = motion(&robot, [&q, &v], &mut Free, |sample| {
        let [x, y, z, w] = [3, 4, 5, 6].map(|k| sample.view.q[k]);
        (2.0 * (w * y - z * x), x.hypot(y).hypot(z.hypot(w)), total(sample))
    });
    let steepest = found.iter().map(|(sine, ..)| sine.abs()).fold(0.0, f64::max);
    assert!(steepest > 0.99, "the pitch passes a right angle: {steepest}");
    for (_, norm, energy) in &found {
        assert!((norm - 1.0).abs() < 1e-14);
        assert!((energy - found[0].2).abs() < 1e-9 * found[0].2.abs().max(1.0), "{energy} {}", found[0].2);
    }
}

/// The gripper of a panda: one finger follows the other, and a force on the leader does the work of both.
#[test]
fn followers_follow_in_time() {
    let robot = Mechanism::from_urdf(&urdf_text("panda.urdf")).unwrap().with_effects(|_, _| JointEffects::default());
    let robot = robot.coupled().unwrap();
    assert_eq!(robot.velocities().len(), 8);
    let (q, v) = (vec![0.1; 8], vec![0.0; 8]);
    let mut push = Constant(vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
    let found =
        motion(&robot, [&q, &v], &mut push, |sample| (total(sample) - 0.5 * sample.view.q[7], sample.view.q[7]));
    for (energy, _) in &found {
        assert!((energy - found[0].0).abs() < 1e-9 * found[0].0.abs().max(1.0), "{energy} {}", found[0].0);
    }
    assert!(found.last().unwrap().1 > 0.2, "the fingers open");
}

/// A follower that comes to its limit ends the motion as its leader would.
#[test]
fn limits_of_followers_are_watched() {
    let text = urdf_text("panda.urdf");
    let (mut description, _) = urdf::read(&text, urdf::Options::default()).unwrap();
    description.joints.iter_mut().for_each(|joint| joint.limits = Limits::default());
    let follower = description.joints.iter_mut().find(|joint| joint.mimic.is_some()).unwrap();
    follower.limits.upper = 0.03;
    let name = follower.name.clone();
    let robot = Mechanism::new(&description).unwrap().with_effects(|_, _| JointEffects::default()).coupled().unwrap();
    let mut plant = Generalised::new(&robot, &[0.02; 8], &[0.0; 8], ForwardMethod::CompositeBody);
    let mut push = Constant(vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
    let stop_at = Watched { position: true, ..Watched::default() };
    let outcome =
        run(&mut plant, &mut push, 0.0, 1.5, &Options { stop_at, ..exactly(1e-10) }, |_| ControlFlow::Continue(()));
    let Some(Stop { reason: Reason::Limit { joint, limit, .. }, .. }) = &outcome.stop else { panic!("{outcome:?}") };
    assert_eq!((joint, *limit), (&name, 0.03));
}

/// Articulated bodies are not taken for another method.
#[test]
#[should_panic(expected = "articulated bodies are for joints that are coordinates")]
fn articulated_bodies_are_refused() {
    let robot = Mechanism::from_urdf(&urdf_text("panda.urdf")).unwrap().coupled().unwrap();
    let _ = Generalised::new(&robot, &[0.0; 8], &[0.0; 8], ForwardMethod::ArticulatedBody);
}

/// Friction of a free joint would act along no axis.
#[test]
fn effects_of_quaternions_are_refused() {
    let floating = urdf::Options { floating_base: true };
    let (description, _) = urdf::read(&urdf_text("solo12.urdf"), floating).unwrap();
    let robot = appell::Robot::from(Mechanism::new(&description).unwrap());
    for (section, is_refused) in [("[plant.joint.root_joint]\nfriction = { viscous = 1 }\n", true), ("", false)] {
        let text = format!("robot = 'solo12.urdf'\nduration = 0.001\n[plant]\nfriction = {{ coulomb = 0 }}\n{section}");
        let scenario = Scenario::read(&text).unwrap_or_else(|problems| panic!("{problems}"));
        let played = scenario.play(&robot, Watch::default(), |_| ControlFlow::Continue(()));
        let message = played.err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(message.contains("friction, rotor and spring act along one axis"), is_refused, "{message}");
    }
}

/// The same robot in a scenario, held by computed torque.
#[test]
fn a_scenario_takes_followers() {
    let robot = appell::Robot::from_urdf(&urdf_text("panda.urdf")).unwrap();
    let text = "robot = 'panda.urdf'\nduration = 0.2\n[model]\nfriction = { coulomb = 0 }\n[plant]\nfriction = { coulomb = 0 }\n\
                [start]\nq = [0.1, 0.1, 0.1, -1.5, 0.1, 1.0, 0.1, 0.02]\n[reference]\nkind = 'hold'\n[controller]\nlaw = 'computed-torque'\nnatural_frequency = 10\n";
    let scenario = Scenario::read(text).unwrap_or_else(|problems| panic!("{problems}"));
    let outcome = scenario.play(&robot, Watch::default(), |_| ControlFlow::Continue(())).unwrap();
    assert!(outcome.stop.is_none(), "{outcome:?}");
    assert_eq!(outcome.tracking.len(), 8);
}
