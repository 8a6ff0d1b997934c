//! The Jacobian of the platform by its drives: rates give the twist, and small steps of the drives the change of the pose.

use crate::common::assert_close_at;
use appell::closed::formulation::{self, Formulation};
use appell::closed::{ClosedMechanism, Configuration, SingularError, assembly, platform_jacobian};
use appell::question::{Evaluator, Motion, Question, Refused, State, Target};
use appell::robots;
use appell::sample::{Family, Sampler};
use appell::spatial::{Pose, Vec3};

/// Built-in and random robots with a platform that their drives control.
fn robots() -> impl Iterator<Item = (String, ClosedMechanism)> {
    let built_in = robots::CLOSED.iter().map(|builtin| (builtin.name.to_owned(), builtin.closed()));
    let seeds = Family::ALL.into_iter().flat_map(|family| (0..3).map(move |seed| (family, seed)));
    let random = seeds.map(|(family, seed)| (format!("{family:?} {seed}"), Sampler::new(seed).closed_robot(family)));
    let controlled = |robot: &ClosedMechanism| robot.driven().len() >= robot.freedoms().len();
    built_in.chain(random).filter(move |(_, robot)| robot.platform().is_some() && controlled(robot))
}

#[test]
fn rates_of_the_drives_give_the_twist() {
    let mut asked = 0;
    for (name, robot) in robots() {
        let state = Sampler::new(4).closed_state(&robot);
        for &formulation in Formulation::of(&robot) {
            let label = format!("{name} by {}", formulation.name());
            let mut ws = platform_jacobian::Workspace::new(&robot, formulation);
            let jacobian = match platform_jacobian::jacobian(&robot, &mut ws, &state.at) {
                Err(SingularError::Drives { .. }) => continue,
                answer => answer.unwrap().to_vec(),
            };
            let mut motion = formulation::Workspace::new(&robot, formulation);
            let (u, _) = formulation::motion(&robot, &mut motion, &state.at, &state.r, &state.r_dot).unwrap();
            let rates: Vec<f64> = robot.driven().iter().map(|&j| u[j]).collect();
            let product = |row: &[f64]| row.iter().zip(&rates).map(|(j, v)| j * v).sum();
            let found: Vec<f64> = jacobian.chunks(rates.len()).map(product).collect();
            let condition = jacobian.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            assert_close_at(&found, &u[robot.tree().dof()..], 1e-10, condition, &label);
            asked += 1;
        }
    }
    assert!(asked > 20, "{asked}");
}

/// The pose that the drives give, near one that is known.
fn pose(robot: &ClosedMechanism, near: &Configuration, drives: &[f64]) -> Pose<f64> {
    let mut at = near.clone();
    assembly::follow(robot, &mut assembly::Workspace::new(robot), drives, &mut at).unwrap();
    at.pose
}

#[test]
fn small_steps_of_the_drives_move_the_platform_so() {
    const STEP: f64 = 1e-5;
    let as_many = |robot: &ClosedMechanism| robot.driven().len() == robot.freedoms().len();
    for builtin in robots::CLOSED.iter().filter(|builtin| as_many(&builtin.closed())) {
        let robot = builtin.closed();
        let Ok(mut evaluator) = Evaluator::new(&robot, Question::Jacobian, None, Target::default()) else { continue };
        let at = Sampler::new(9).closed_state(&robot).at;
        let drives: Vec<f64> = robot.driven().iter().map(|&j| at.q[j]).collect();
        let mut found = vec![0.0; evaluator.columns().len()];
        evaluator.evaluate(&State { motion: Motion::at_rest(at.pose), ..State::default() }, &mut found).unwrap();
        let mut expected = vec![0.0; found.len()];
        for k in 0..drives.len() {
            let stepped = |step: f64| {
                let mut moved = drives.clone();
                moved[k] += step;
                pose(&robot, &at, &moved)
            };
            let (ahead, behind) = (stepped(STEP), stepped(-STEP));
            let linear = (ahead.position - behind.position).scale(0.5 / STEP);
            // The small turn between the two, from the part of it that is skew-symmetric.
            let turn = (ahead.rotation * behind.rotation.transpose()).rows;
            let skew = Vec3::new(turn[2].y - turn[1].z, turn[0].z - turn[2].x, turn[1].x - turn[0].y);
            let angular = skew.scale(0.25 / STEP);
            let column = linear.to_array().into_iter().chain(angular.to_array());
            column.enumerate().for_each(|(row, x)| expected[row * drives.len() + k] = x);
        }
        assert_close_at(&found, &expected, 1e-6, 0.0, builtin.name);
    }
}

/// J̇ q̇_a is the difference of J a little later and earlier, times the drives' rates.
#[test]
fn the_rate_of_the_jacobian_is_its_difference() {
    const STEP: f64 = 1e-4;
    let mut compared = 0;
    for (name, robot) in robots().filter(|(_, robot)| robot.driven().len() == robot.freedoms().len()) {
        let state = Sampler::new(4).closed_state(&robot);
        let of_drives = |x: &[f64]| robot.driven().iter().map(|&j| x[j]).collect::<Vec<f64>>();
        for &formulation in Formulation::of(&robot) {
            let label = format!("{name} by {}", formulation.name());
            let mut ws = platform_jacobian::Workspace::new(&robot, formulation);
            let Ok(found) = platform_jacobian::rate(&robot, &mut ws, &state.at, &state.r) else { continue };
            let mut motion = formulation::Workspace::new(&robot, formulation);
            let (u, _) = formulation::motion(&robot, &mut motion, &state.at, &state.r, &state.r_dot).unwrap();
            let (q, v) = (of_drives(&state.at.q), of_drives(u));
            let mut twist = |time: f64| {
                let drives: Vec<f64> = q.iter().zip(&v).map(|(q, v)| q + time * v).collect();
                let mut at = state.at.clone();
                assembly::follow(&robot, &mut assembly::Workspace::new(&robot), &drives, &mut at).ok()?;
                let jacobian = platform_jacobian::jacobian(&robot, &mut ws, &at).ok()?;
                let product = |row: &[f64]| row.iter().zip(&v).map(|(j, v)| j * v).sum::<f64>();
                Some(jacobian.chunks(v.len()).map(product).collect::<Vec<f64>>())
            };
            let Some(twists) = [1.0, -1.0, 2.0, -2.0].map(|k| twist(k * STEP)).into_iter().collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            // Of the fourth order.
            let expected: Vec<f64> = (0..6)
                .map(|k| (8.0 * (twists[0][k] - twists[1][k]) - (twists[2][k] - twists[3][k])) / (12.0 * STEP))
                .collect();
            let scale = found.iter().chain(&twists[0]).fold(1.0_f64, |most, x| most.max(x.abs()));
            assert_close_at(&found, &expected, 1e-6, scale, &label);
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn every_formulation_answers_and_what_cannot_is_refused() {
    let wrist = robots::find("agile-wrist").unwrap().closed();
    assert_eq!(Question::Jacobian.methods(&(&wrist).into()).len(), 3);
    assert_eq!(Question::JacobianRate.methods(&(&wrist).into()).len(), 3);
    let bar = robots::find("four-bar").unwrap().closed();
    let refused = Evaluator::new(&bar, Question::Jacobian, None, Target::default()).err();
    assert_eq!(refused, Some(Refused::NoPlatform { question: "jacobian" }));
}
