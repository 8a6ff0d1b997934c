//! Small vibrations: closed forms, and forward dynamics a little way along each mode.

use crate::common::assert_close_at;
use appell::closed::coordinates::Coordinates;
use appell::closed::formulation::{self, Formulation};
use appell::question::{Evaluator, Motion, Question, State, Target};
use appell::vibration::{Vibration, VibrationError};
use appell::{Model, Robot, robots};

fn answer(robot: &Robot, question: Question, state: &State<'_>) -> Vec<f64> {
    let mut evaluator = Evaluator::new(robot, question, None, Target::default()).unwrap();
    let mut row = vec![0.0; evaluator.columns().len()];
    evaluator.evaluate(state, &mut row).unwrap();
    row
}

/// A pendulum of 2 kg on a rod of 0.5 m, with a spring: ω² = (k + m g l cos q) / (m l² + I).
#[test]
fn a_pendulum() {
    let text = "name = 'pendulum'\nframes = 'modified-dh'\ngravity = [9.81, 0.0, 0.0]\n\
                joints = [['pivot', 'revolute', '0', 0.0, 'q', 0.0]]\n[body.pivot]\nmass = 2.0\ncom = [0.5, 0.0, 0.0]\n\
                inertia = { xx = 0.01, yy = 0.02, zz = 0.02 }\n[joint.pivot]\nspring = { stiffness = 3.0 }\n";
    let robot = Robot::from_toml(text).unwrap();
    for (q, stiffness) in [(0.0_f64, 0.0), (0.4, 0.0), (3.0, 0.0), (0.4, 25.0)] {
        let found = Vibration::about(&robot, &State { q: &[q], ..State::default() }, &[stiffness]).unwrap();
        let expected = (3.0 + stiffness + 2.0 * 9.81 * 0.5 * q.cos()) / (2.0 * 0.25 + 0.02);
        let [mode] = found.modes.as_slice() else { panic!("{found:?}") };
        assert!((mode.omega_squared / expected - 1.0).abs() < 1e-12, "{} {expected}", mode.omega_squared);
        assert_eq!(mode.frequency().is_some(), expected > 0.0);
        assert!((mode.shape[0] * mode.shape[0] * 0.52 - 1.0).abs() < 1e-12, "x M x = 1");
        assert!((found.tau[0] - (3.0 * q + 2.0 * 9.81 * 0.5 * q.sin())).abs() < 1e-12);
    }
}

/// A little way along each mode of each built-in robot, accelerations are −ω² of it.
#[test]
fn modes_are_what_the_robot_does() {
    const STEP: f64 = 1e-5;
    let mut checked = 0;
    for builtin in robots::all() {
        let robot = Robot::builtin(builtin.name).unwrap();
        let stiffness: Vec<f64> = (0..robot.drives().len()).map(|k| 3e3 + 500.0 * k as f64).collect();
        let (n, rest) = (robot.freedoms().len(), vec![0.0; robot.freedoms().len()]);
        let home: Vec<f64> = robot.neutral().iter().enumerate().map(|(k, q)| q + 0.3 + 0.1 * k as f64).collect();
        let place = match robot.model() {
            Model::Closed(closed) => {
                let motion = Motion::Assembled { at: closed.home(), r: &rest, r_dot: &rest };
                State { motion, ..State::default() }
            }
            Model::Tree(_) => State { q: &home, ..State::default() },
        };
        let found = match Vibration::about(&robot, &place, &stiffness) {
            Ok(found) => found,
            Err(VibrationError::NoInertia | VibrationError::Answer(_)) => continue,
            Err(error) => panic!("{}: {error}", builtin.name),
        };
        assert_eq!(found.modes.len(), n, "{}", builtin.name);
        for mode in &found.modes {
            assert!((mode.parts.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{}: {:?}", builtin.name, mode.parts);
            // Accelerations at both ends of a small way, under drives that are springs.
            let end = |way: f64| -> Vec<f64> {
                let x: Vec<f64> = mode.shape.iter().map(|x| way * x).collect();
                match robot.model() {
                    Model::Closed(closed) => {
                        let mut coordinates = Coordinates::new(closed);
                        coordinates.anchor(closed.home());
                        let mut at = closed.home().clone();
                        coordinates.place(closed, &x, &mut at).unwrap();
                        let drives = closed.driven().iter().zip(&found.tau).zip(&stiffness);
                        let tau: Vec<f64> =
                            drives.map(|((&j, tau), k)| tau - k * (at.q[j] - closed.home().q[j])).collect();
                        let mut workspace = formulation::Workspace::new(closed, Formulation::of(closed)[0]);
                        formulation::forward_dynamics(closed, &mut workspace, &at, &rest, &tau, &[]).unwrap().to_vec()
                    }
                    Model::Tree(_) => {
                        let q: Vec<f64> = home.iter().zip(&x).map(|(q, x)| q + x).collect();
                        let tau: Vec<f64> =
                            found.tau.iter().zip(&stiffness).zip(&x).map(|((tau, k), x)| tau - k * x).collect();
                        let state = State { q: &q, v: &rest, tau: &tau, ..State::default() };
                        answer(&robot, Question::ForwardDynamics, &state)
                    }
                }
            };
            let (plus, minus) = (end(STEP), end(-STEP));
            let slope: Vec<f64> = plus.iter().zip(&minus).map(|(p, m)| (p - m) / (2.0 * STEP)).collect();
            let expected: Vec<f64> = mode.shape.iter().map(|x| -mode.omega_squared * x).collect();
            let largest = found.modes[n - 1].omega_squared.abs();
            let size = mode.shape.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            assert_close_at(&slope, &expected, 1e-5, largest * size, builtin.name);
        }
        checked += 1;
    }
    assert!(checked >= 20, "{checked} robots have modes");
}

#[test]
fn stiffnesses_are_counted() {
    let scara = Robot::builtin("scara").unwrap();
    let error = Vibration::about(&scara, &State { q: &[0.0; 4], ..State::default() }, &[1.0]).unwrap_err();
    assert_eq!(error.to_string(), "there are 1 stiffnesses of drives, expected 4");
}
