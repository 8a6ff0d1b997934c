//! Motions that are integrated: golden free fall and energy runs, laws that hold along them, and what ends them.

use crate::common::{assembled, assert_close_at, closed, golden, numbers, parallel_golden, robot, wrist};
use crate::{difference, exactly};
use appell::closed::ClosedMechanism;
use appell::closed::coordinates::Coordinates;
use appell::description::{JointEffects, Limits, Spring, toml};
use appell::mechanism::Mechanism;
use appell::robots;
use appell::sample::{Family, Sampler};
use appell::spatial::{EulerAngles, Mat3, Pose, Quaternion, Vec3, Wrench};
use appell_simulation::simulation::law::{By, Constant, Free};
use appell_simulation::simulation::plant::{Closed, ForwardMethod, Tree};
use appell_simulation::simulation::{Law, Method, Options, Outcome, Plant, Reason, Sample, View, Watched, run};
use core::ops::ControlFlow;
use serde_json::Value;

/// Follows a motion, and keeps what `keep` makes of every sample.
fn keep<X>(
    plant: &mut dyn Plant,
    drive: &mut dyn Law,
    end: f64,
    options: &Options,
    keep: impl Fn(&Sample<'_>) -> X,
) -> (Vec<X>, Outcome) {
    let mut kept = Vec::new();
    let outcome = run(plant, drive, 0.0, end, options, |sample| {
        kept.push(keep(sample));
        ControlFlow::Continue(())
    });
    (kept, outcome)
}

fn total(sample: &Sample<'_>) -> f64 {
    sample.energy.kinetic + sample.energy.potential
}

#[test]
fn free_fall_of_the_puma() {
    let golden = golden("e_simulation.json");
    let (robot, fall) = (robot(&golden["robot"]), &golden["free_fall"][0]);
    let (q0, v0) = (numbers(&fall["q0"]), numbers(&fall["qd0"]));
    for method in [ForwardMethod::GibbsAppell, ForwardMethod::CompositeBody, ForwardMethod::ArticulatedBody] {
        let mut plant = Tree::with(&robot, &q0, &v0, method);
        let options = Options { sampling: Some(0.1), ..exactly(1e-12) };
        let (states, outcome) =
            keep(&mut plant, &mut Free, 1.0, &options, |s| (s.view.t, s.view.q.to_vec(), s.view.v.to_vec()));
        assert!(outcome.stop.is_none() && outcome.cost.evaluations > outcome.cost.steps, "{outcome:?}");
        assert_eq!(states.len(), 11, "every tenth, and the beginning");
        let rows = fall["q"].as_array().unwrap().iter().zip(fall["qd"].as_array().unwrap()).zip(numbers(&fall["t"]));
        for ((t, q, v), ((q_golden, v_golden), t_golden)) in states[1..].iter().zip(rows) {
            assert!((t - t_golden).abs() < 1e-12, "{t}");
            // What is between the steps is of fourth order: a little less exact than their ends.
            assert_close_at(q, &numbers(q_golden), 1e-8, 1.0, &format!("{method:?}: q at {t}"));
            assert_close_at(v, &numbers(v_golden), 1e-8, 1.0, &format!("{method:?}: v at {t}"));
        }
        let (_, q, v) = &states[10];
        assert_close_at(q, &numbers(&fall["q"][9]), 3e-11, 1.0, "q at the end");
        assert_close_at(v, &numbers(&fall["qd"][9]), 3e-11, 1.0, "v at the end");
    }
}

/// The platform's pose and twist of a golden sample; of the wrist by its angles.
fn platform(sample: &Value) -> (Pose, [f64; 6]) {
    if sample.get("q").is_some() {
        let [q, rates] = ["q", "qd"].map(|key| <[f64; 3]>::try_from(numbers(&sample[key])).unwrap());
        let omega = EulerAngles::Zyx.omega_of_rates(q) * Vec3::from(rates);
        let pose = Pose { rotation: EulerAngles::Zyx.rotation(q), position: Vec3::zero(0.0) };
        return (pose, [0.0, 0.0, 0.0, omega.x, omega.y, omega.z]);
    }
    let [p, quaternion, twist] = ["p", "quat_wxyz", "V"].map(|key| numbers(&sample[key]));
    let rotation = Quaternion { w: quaternion[0], x: quaternion[1], y: quaternion[2], z: quaternion[3] };
    let pose = Pose { rotation: rotation.normalized().rotation(), position: Vec3::new(p[0], p[1], p[2]) };
    (pose, twist.try_into().unwrap())
}

fn flat(rotation: &Mat3) -> Vec<f64> {
    rotation.rows.iter().flat_map(|row| row.to_array()).collect()
}

#[test]
fn free_motions_of_parallel_robots() {
    for case in parallel_golden("shared_energy.json")["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let robot = match case.get("mode") {
            Some(modes) => wrist(&numbers(modes)),
            None => closed("gough-stewart"),
        };
        let g = numbers(&case["gravity"]);
        let robot = robot.with_gravity(Vec3::new(g[0], g[1], g[2]));
        let samples = case["samples"].as_array().unwrap();
        let (pose, twist) = platform(&samples[0]);
        let at = assembled(&robot, pose);
        let dof = robot.tree().dof();
        let r: Vec<f64> = robot.freedoms().iter().map(|&k| twist[k - dof]).collect();
        let mut plant = Closed::new(&robot, &at, &r).unwrap();
        let options = Options { sampling: Some(0.1), longest_step: 0.02, ..exactly(1e-12) };
        let end = 0.1 * (samples.len() - 1) as f64;
        let tau = numbers(&case["tau"]);
        let (found, outcome) = keep(&mut plant, &mut Constant(tau), end, &options, |s| {
            let (pose, twist) = s.view.platform.unwrap();
            (pose, twist.to_array(), total(s))
        });
        assert!(outcome.stop.is_none(), "{name}: {outcome:?}");
        assert_eq!(found.len(), samples.len(), "{name}");
        for (k, ((pose, twist, energy), sample)) in found.iter().zip(samples).enumerate() {
            let (expected, expected_twist) = platform(sample);
            let close = |found: &[f64], expected: &[f64], what: &str| {
                assert_close_at(found, expected, 1e-9, 1.0, &format!("{name} {k}: {what}"));
            };
            close(&flat(&pose.rotation), &flat(&expected.rotation), "attitude");
            close(&pose.position.to_array(), &expected.position.to_array(), "position");
            close(twist, &expected_twist, "twist");
            let balance = energy - found[0].2 - sample["work"].as_f64().unwrap();
            assert!(balance.abs() < 1e-9 * found[0].2.abs().max(1.0), "{name} {k}: {balance:.1e} J");
        }
    }
}

/// A closed robot with springs at its drives, so that it swings about home and stays away from singularities.
fn sprung(name: &str, stiffness: f64) -> ClosedMechanism {
    let robot = closed(name);
    let rest = |joint: &str| {
        let j = robot.tree().joint_names().iter().position(|name| name == joint).unwrap();
        (robot.driven().contains(&j), robot.home().q[j])
    };
    robot.with_tree(|tree| {
        tree.with_effects(|joint, effects| match rest(joint) {
            (true, rest) => JointEffects { spring: Spring { stiffness, rest }, ..effects },
            _ => effects,
        })
    })
}

/// Ten seconds of free motion at 1e-12: the energy stays, to 1e-9 of what moves.
#[test]
fn energy_of_long_free_motions_stays() {
    let options = Options { sampling: Some(0.1), ..exactly(1e-12) };
    let check = |name: &str, plant: &mut dyn Plant| {
        let (energies, outcome) = keep(plant, &mut Free, 10.0, &options, |s| (s.energy.kinetic, total(s)));
        assert!(outcome.stop.is_none() && energies.len() == 101, "{name}: {outcome:?}");
        let size = energies.iter().fold(0.0_f64, |size, (kinetic, _)| size.max(*kinetic));
        let first = energies[0].1;
        let drift = energies.iter().fold(0.0_f64, |most, (_, energy)| most.max((energy - first).abs()));
        assert!(drift < 1e-9 * size, "{name}: {drift:.1e} of {size:.1e} J");
    };
    let puma = robots::find("puma560").unwrap().mechanism();
    check("PUMA", &mut Tree::new(&puma, &[0.3, -0.7, 0.4, 0.2, 0.9, -0.5], &[0.4, 0.1, -0.3, 0.5, 0.2, 0.6]));
    let wrist = sprung("agile-wrist", 4.0);
    check("Agile Wrist", &mut Closed::new(&wrist, wrist.home(), &[1.0, -1.5, 1.0]).unwrap());
    let stewart = sprung("gough-stewart", 5e3);
    let r = [0.2, -0.1, 0.1, 0.2, 0.3, -0.2];
    check("Gough-Stewart", &mut Closed::new(&stewart, stewart.home(), &r).unwrap());
}

/// The same of hybrids and robots with loops in their legs and plates, for a fifth of a second.
#[test]
fn energy_of_hybrids_and_parallelograms_stays() {
    let options = Options { sampling: Some(0.02), ..exactly(1e-12) };
    for (name, stiffness, speed) in
        [("tricept", 5e3, 0.1), ("palletizer", 2e4, 0.2), ("orthoglide", 1e3, 0.1), ("par4", 50.0, 0.2)]
    {
        let robot = sprung(name, stiffness);
        let mut plant = Closed::new(&robot, robot.home(), &vec![speed; robot.freedoms().len()]).unwrap();
        let (energies, outcome) = keep(&mut plant, &mut Free, 0.2, &options, |s| (s.energy.kinetic, total(s)));
        assert!(outcome.stop.is_none() && energies.len() == 11, "{name}: {outcome:?}");
        let size = energies.iter().fold(0.0_f64, |size, (kinetic, _)| size.max(*kinetic));
        let drift = energies.iter().fold(0.0_f64, |most, (_, energy)| most.max((energy - energies[0].1).abs()));
        assert!(drift < 1e-9 * size, "{name}: {drift:.1e} of {size:.1e} J");
    }
}

/// The error of a fixed step falls by its order when the step is halved.
#[test]
fn fixed_steps_have_their_order() {
    let robot = robots::find("two-link").unwrap().mechanism();
    let end = |method: Method| {
        let mut plant = Tree::new(&robot, &[0.1, 0.2], &[0.0, 0.0]);
        let mut last = Vec::new();
        let outcome = run(&mut plant, &mut Free, 0.0, 0.05, &Options { method, ..Options::default() }, |s| {
            last = s.view.q.to_vec();
            ControlFlow::Continue(())
        });
        assert!(outcome.stop.is_none(), "{outcome:?}");
        last
    };
    let exact = end(exactly(1e-13).method);
    let error = |method: Method| difference(&end(method), &exact);
    let step = 5e-4;
    let ratio = error(Method::RungeKutta { step }) / error(Method::RungeKutta { step: 0.5 * step });
    assert!((13.0..19.0).contains(&ratio), "Runge-Kutta: {ratio}");
    let ratio = error(Method::Midpoint { step }) / error(Method::Midpoint { step: 0.5 * step });
    assert!((3.7..4.3).contains(&ratio), "midpoint: {ratio}");
}

/// Over many swings the energy of the symplectic step goes up and down, and that of Runge's and Kutta's goes away.
#[test]
fn the_midpoint_keeps_the_energy_of_long_motions() {
    let robot = robots::find("scara").unwrap().mechanism().with_gravity(Vec3::new(9.81, 0.0, 0.0));
    let n = robot.dof();
    let drift = |method: Method| {
        let mut q = vec![0.0; n];
        q[0] = 0.8;
        let mut plant = Tree::new(&robot, &q, &vec![0.0; n]);
        let options = Options { method, sampling: Some(0.5), ..Options::default() };
        let (energies, outcome) = keep(&mut plant, &mut Free, 100.0, &options, total);
        assert!(outcome.stop.is_none(), "{outcome:?}");
        let part = |range: core::ops::Range<usize>| -> f64 {
            energies[range].iter().map(|e| e - energies[0]).sum::<f64>() / 50.0
        };
        // The mean over the last quarter less the mean over the first.
        (part(150..200) - part(0..50)).abs()
    };
    let (symplectic, classical) = (drift(Method::Midpoint { step: 0.02 }), drift(Method::RungeKutta { step: 0.02 }));
    assert!(symplectic < 0.05 * classical, "{symplectic:.1e} against {classical:.1e} J");
}

/// A screw and a gear in a loop, swinging freely: the energy stays, and so does what is coupled.
#[test]
fn couplings_in_loops_keep_the_energy() {
    for (text, rate, end) in [
        (include_str!("../../../../tests/data/closed/screw-jack.toml"), 20.0, 0.3),
        (include_str!("../../../../tests/data/closed/geared-five-bar.toml"), 1.0, 0.15),
    ] {
        let robot = ClosedMechanism::from_toml(text).unwrap();
        let mut plant = Closed::new(&robot, robot.home(), &[rate]).unwrap();
        let (found, outcome) = keep(&mut plant, &mut Free, end, &exactly(1e-11), |s| (total(s), s.view.q.to_vec()));
        assert!(outcome.stop.is_none() && found.len() > 10, "{}: {outcome:?}", robot.name());
        let turned = (found.last().unwrap().1[robot.driven()[0]] - robot.home().q[robot.driven()[0]]).abs();
        assert!(turned > 0.1, "{}: {turned}", robot.name());
        for (energy, q) in &found {
            assert!((energy - found[0].0).abs() < 1e-9, "{}: {energy} J", robot.name());
            for coupling in robot.couplings() {
                let (leaders, offset) = coupling.position_by_leaders();
                let expected = leaders.map(|(j, multiplier)| multiplier * q[j]).sum::<f64>() + offset;
                assert!((q[coupling.follower()] - expected).abs() < 1e-12, "{}: {q:?}", robot.name());
            }
        }
    }
}

/// Random robots of all kinds under steady efforts: what the drives do is what the energy gains.
#[test]
fn work_is_the_gain_of_energy_on_random_closed_robots() {
    let mut moved = 0;
    for family in Family::ALL {
        for seed in 0..2 {
            let mut sampler = Sampler::new(700 + seed);
            let robot = sampler.closed_robot(family);
            let robot = robot.with_tree(|tree| tree.with_effects(|_, _| Default::default()));
            let state = sampler.closed_state(&robot);
            let label = format!("{family:?}, seed {seed}");
            let r: Vec<f64> = state.r.iter().map(|r| 0.1 * r).collect();
            let mut plant = Closed::new(&robot, &state.at, &r).unwrap();
            let options = Options { least_condition: Some(0.01), ..exactly(1e-10) };
            let driven = robot.driven().to_vec();
            let (found, outcome) = keep(&mut plant, &mut Constant(state.tau.clone()), 0.02, &options, |s| {
                (total(s), driven.iter().map(|&j| s.view.q[j]).collect::<Vec<f64>>())
            });
            // A robot may come near a singularity; till there the balance holds.
            let near =
                matches!(outcome.stop.as_ref().map(|stop| &stop.reason), None | Some(Reason::NearSingular { .. }));
            assert!(near, "{label}: {outcome:?}");
            moved += usize::from(found.len() > 2);
            let (first, last) = (&found[0], found.last().unwrap());
            let work: f64 = last.1.iter().zip(&first.1).zip(&state.tau).map(|((q, q0), tau)| (q - q0) * tau).sum();
            let size = first.0.abs().max(work.abs()).max(1.0);
            assert!((last.0 - first.0 - work).abs() < 1e-7 * size, "{label}: {} {work}", last.0 - first.0);
        }
    }
    assert!(moved > 36, "{moved} of 44 robots went some way");
}

/// The PUMA with limits of some joints.
fn limited(limits: &[(usize, Limits)]) -> Mechanism {
    let mut description = toml::read(robots::find("puma560").unwrap().toml).unwrap().0;
    limits.iter().for_each(|&(joint, limits)| description.joints[joint].limits = limits);
    Mechanism::new(&description).unwrap()
}

#[test]
fn a_joint_at_its_limit_ends_the_motion_there() {
    let mut sampler = Sampler::new(3);
    let robot = limited(&[(1, Limits { upper: 0.3, ..Limits::default() })]);
    let q: Vec<f64> = (0..6).map(|_| sampler.within(0.01)).collect();
    let mut plant = Tree::new(&robot, &q, &[0.0; 6]);
    let options = Options { stop_at: Watched { position: true, velocity: true, effort: true }, ..exactly(1e-9) };
    let (times, outcome) = keep(&mut plant, &mut Free, 5.0, &options, |s| (s.view.t, s.view.q[1]));
    let stop = outcome.stop.expect("the arm falls to its limit");
    let Reason::Limit { quantity, joint, value, limit } = &stop.reason else { panic!("{stop}") };
    assert!(*joint == robot.joint_names()[1] && *quantity == "position" && *limit == 0.3, "{stop}");
    assert!((value - 0.3).abs() < 1e-9 && *value > 0.3, "{stop}");
    assert_eq!(times.last().unwrap().0, outcome.t, "the last sample is the stop");
    assert!(times.windows(2).all(|pair| pair[0].0 < pair[1].0));
    // A start beyond the limit ends at once.
    let mut plant = Tree::new(&robot, &[0.0, 0.5, 0.0, 0.0, 0.0, 0.0], &[0.0; 6]);
    let (_, outcome) = keep(&mut plant, &mut Free, 5.0, &options, |_| ());
    assert_eq!(outcome.t, 0.0);
    assert!(outcome.stop.is_some());
}

/// Limits of speed and effort end a motion where they are passed, and only if they are watched.
#[test]
fn speeds_and_efforts_have_limits_too() {
    let slow = (1, Limits { velocity: 0.4, ..Limits::default() });
    let robot = limited(&[slow, (2, Limits { effort: 3.0, ..Limits::default() })]);
    let found = |stop_at: Watched| {
        let mut plant = Tree::new(&robot, &[0.0; 6], &[0.0; 6]);
        let mut grows = By(|now: &View<'_>, efforts: &mut [f64]| efforts.fill(now.t * 20.0));
        let options = Options { stop_at, ..exactly(1e-9) };
        let (_, outcome) = keep(&mut plant, &mut grows, 0.3, &options, |_| ());
        (outcome.t, outcome.stop.map(|stop| stop.reason), plant.view(outcome.t).v[1])
    };
    let (t, none, _) = found(Watched::default());
    assert!(none.is_none() && t == 0.3);
    let (t, reason, _) = found(Watched { effort: true, ..Watched::default() });
    let Some(Reason::Limit { quantity: "effort", joint, .. }) = reason else { panic!("{reason:?}") };
    assert!(joint == robot.joint_names()[2] && (t - 0.15).abs() < 1e-9, "{t}");
    let (t, reason, speed) = found(Watched { velocity: true, ..Watched::default() });
    let Some(Reason::Limit { quantity: "velocity", value, .. }) = reason else { panic!("{reason:?}") };
    assert!(t < 0.3 && (value.abs() - 0.4).abs() < 1e-9 && (speed.abs() - 0.4).abs() < 1e-9, "{t} {value} {speed}");
}

#[test]
fn what_cannot_go_on_says_why() {
    // Efforts that grow with the speed: the motion runs away.
    let robot = robots::find("two-link").unwrap().mechanism();
    let mut plant = Tree::new(&robot, &[0.0; 2], &[1.0, 0.0]);
    let mut runaway = By(|now: &View<'_>, efforts: &mut [f64]| {
        efforts.iter_mut().zip(now.v).for_each(|(effort, v)| *effort = 1e3 * v * v * v);
    });
    let (seen, outcome) = keep(&mut plant, &mut runaway, 10.0, &exactly(1e-6), |s| s.view.v.to_vec());
    let stop = outcome.stop.expect("no end to it");
    assert!(outcome.t < 10.0 && !stop.to_string().is_empty(), "{stop}");
    // The plant is where the motion has come to, not where a step was tried.
    assert!(plant.view(outcome.t).v.iter().zip(&seen.last().unwrap()[..]).all(|(v, seen)| v == seen), "{stop}");
    // NaN from a drive.
    let mut plant = Tree::new(&robot, &[0.0; 2], &[0.0; 2]);
    let mut nonsense = By(|_: &View<'_>, efforts: &mut [f64]| efforts.fill(f64::NAN));
    let (_, outcome) = keep(&mut plant, &mut nonsense, 1.0, &exactly(1e-6), |_| ());
    assert!(matches!(outcome.stop.unwrap().reason, Reason::NotFinite { .. } | Reason::Inertia(_)));
    // A five-bar that is let go falls until a singularity is near, which is told when asked for.
    let robot = closed("five-bar").with_gravity(Vec3::new(0.0, -9.81, 0.0));
    let mut plant = Closed::new(&robot, robot.home(), &[0.0, 0.0]).unwrap();
    let options = Options { least_condition: Some(0.05), ..exactly(1e-9) };
    let (_, outcome) = keep(&mut plant, &mut Free, 20.0, &options, |_| ());
    let stop = outcome.stop.expect("it falls");
    assert!(matches!(&stop.reason, Reason::NearSingular { value, .. } if (value - 0.05).abs() < 1e-6), "{stop}");
}

#[test]
fn whoever_looks_may_end_it() {
    let robot = robots::find("scara").unwrap().mechanism();
    let mut plant = Tree::new(&robot, &[0.1; 4], &[0.0; 4]);
    let mut seen = 0;
    let options = Options { sampling: Some(0.01), ..Options::default() };
    let outcome = run(&mut plant, &mut Free, 0.0, 1.0, &options, |_| {
        seen += 1;
        if seen == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(outcome.interrupted && outcome.stop.is_none() && seen == 5, "{outcome:?}");
}

/// Nothing is corrected along a motion, and nothing drifts: the loops are closed by construction.
#[test]
fn loops_stay_closed_along_a_motion() {
    for name in ["gough-stewart", "agile-wrist", "delta", "five-bar", "four-bar", "tricept", "palletizer", "par4"] {
        let robot = robots::find(name).unwrap().closed();
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        let mut plant = Closed::new(&robot, robot.home(), &vec![0.0; n]).unwrap();
        let options = Options { sampling: Some(0.01), ..Options::default() };
        let mut coordinates = Coordinates::new(&robot);
        let (mut worst, mut seen) = (0.0_f64, 0);
        let outcome = run(&mut plant, &mut Constant(vec![1.0; drives]), 0.0, 0.2, &options, |sample| {
            let mut at = robot.home().clone();
            at.q.copy_from_slice(sample.view.q);
            at.pose = sample.view.platform.map_or(at.pose, |(pose, _)| pose);
            worst = worst.max(coordinates.gap(&robot, &at));
            seen += 1;
            ControlFlow::Continue(())
        });
        assert!(seen > 5 && worst < 1e-12 * robot.length(), "{name}: {worst:.1e} after {} s", outcome.t);
        assert!(plant.energy().kinetic > 0.0, "{name} moves");
    }
}

#[test]
fn a_push_at_the_platform_does_the_work_that_energy_gains() {
    let robot = robots::find("gough-stewart").unwrap().closed();
    let push = Wrench { force: Vec3::new(30.0, -20.0, 10.0), moment: Vec3::new(1.0, 2.0, -1.0) };
    let rest = vec![0.0; 6];
    let mut plant = Closed::new(&robot, robot.home(), &rest).unwrap().pushed(&push);
    let (mut work, mut before) = (0.0, None::<f64>);
    let options = Options { sampling: Some(1e-3), ..Options::default() };
    let mut total = Vec::new();
    let outcome = run(&mut plant, &mut Free, 0.0, 0.2, &options, |sample| {
        let (_, twist) = sample.view.platform.unwrap();
        let power = push.force.dot(twist.linear) + push.moment.dot(twist.angular);
        if let Some(last) = before {
            work += 0.5e-3 * (last + power);
        }
        before = Some(power);
        total.push((sample.energy.kinetic + sample.energy.potential, work));
        ControlFlow::Continue(())
    });
    assert_eq!(outcome.stop, None);
    let (begin, (end, work)) = (total[0].0, total[total.len() - 1]);
    assert!(work.abs() > 0.1 && (end - begin - work).abs() < 1e-4 * work.abs(), "{} {work}", end - begin);
}
