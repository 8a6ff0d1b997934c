//! A robot, all its questions together, and one of them made ready: `Robot`, `Dynamics` and `Evaluator`.

use crate::common::{answer, assert_close, closed_state, evaluators, open_state};
use appell::description::{Finding, Severity};
use appell::kinematics;
use appell::mechanism::Axes;
use appell::question::{AnswerError, Dynamics, Evaluator, Input, Question, Refused, State, Target};
use appell::sample::{Sampler, Shape};
use appell::{Format, Kind, Robot, RobotError, robots};

/// A pendulum with nothing wrong.
const PENDULUM: &str = r#"
name = "Pendulum"
frames = "modified-dh"
joints = [["pivot", "revolute", "0", 0.0, "q", 0.0]]
[body.pivot]
mass = 2.0
com = [0.5, 0.0, 0.0]
inertia = { xx = 0.01, yy = 0.02, zz = 0.02 }
"#;

#[test]
fn kinds_of_the_built_in_robots() {
    let expected: [(Kind, &[&str]); 4] = [
        (Kind::Serial, &["puma560", "puma560-b", "two-link", "stanford", "scara", "seven-axis"]),
        (Kind::Parallel, &["gough-stewart", "five-bar", "planar-3rrr", "delta", "3-rps", "hexapod-6rus"]),
        (Kind::Spherical, &["agile-wrist", "sst"]),
        (Kind::Closed, &["four-bar"]),
    ];
    for builtin in robots::all() {
        let kind = Robot::builtin(builtin.name).unwrap().kind();
        let (expected, _) = expected.iter().find(|(_, names)| names.contains(&builtin.name)).unwrap();
        assert_eq!(kind, *expected, "{}", builtin.name);
    }
    assert_eq!(robots::all().count(), expected.iter().flat_map(|(_, names)| *names).count());
    assert_eq!(Robot::from(Sampler::new(1).robot(8, Shape::Tree)).kind(), Kind::Tree);
}

/// Joints, drives, freedoms and frames of an arm are its joints; of a platform they are not.
#[test]
fn what_a_robot_has() {
    let arm = Robot::builtin("scara").unwrap();
    let names: Vec<&str> = arm.joints().map(|joint| joint.name).collect();
    assert_eq!(arm.drives().iter().map(|joint| joint.name).collect::<Vec<_>>(), names);
    assert_eq!(arm.freedoms(), names);
    assert!(arm.closed().is_none() && arm.platform().is_none());
    assert_eq!(arm.joint(names[1]).unwrap().index, 1);
    assert!(arm.joint("nowhere").is_none());
    let tripod = Robot::builtin("3-rps").unwrap();
    assert_eq!(tripod.freedoms(), ["vz", "wx", "wy"]);
    assert!(tripod.drives().len() == 3 && tripod.drives().iter().all(|joint| joint.driven));
    assert!(tripod.joints().len() > 3 && tripod.closed().is_some());
    assert_eq!(tripod.frames().last(), Some(&"platform"));
    assert_eq!(tripod.clone(), tripod);
    assert_ne!(tripod, arm);
}

#[test]
fn warnings_are_kept() {
    assert_eq!(Robot::from_toml(PENDULUM).unwrap().warnings().count(), 0);
    let doubtful = Robot::from_toml(&PENDULUM.replace("zz = 0.02", "zz = 0.5")).unwrap();
    let warnings: Vec<_> = doubtful.warnings().collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!((warnings[0].severity, warnings[0].place.as_str()), (Severity::Warning, "body.pivot.inertia"));
    assert!(matches!(warnings[0].finding, Finding::TriangleInequality { .. }), "{:?}", warnings[0]);
    assert_eq!(doubtful.clone().warnings().count(), 1, "a clone has them, too");
    // A robot made of a mechanism was not read.
    assert!(Robot::from(doubtful.tree()).warnings().next().is_none());
    assert!(Robot::from(doubtful.tree()).file().is_none());
}

/// Angles of legs are written as roll, pitch and yaw, so that the last digits may differ.
#[test]
fn files_are_written_and_read_again() {
    for builtin in robots::all() {
        let robot = Robot::builtin(builtin.name).unwrap();
        let (text, lost) = Format::Toml.write(robot.file().unwrap(), None).unwrap();
        assert!(lost.is_empty(), "{}: {lost}", builtin.name);
        let again = Robot::from_toml(&text).unwrap();
        if robot.closed().is_none() {
            assert_eq!(again, robot, "{}", builtin.name);
        }
        let of = |robot: &Robot| (robot.name().to_owned(), robot.kind(), robot.freedoms());
        assert_eq!(of(&again), of(&robot));
        assert_eq!(again.joints().collect::<Vec<_>>(), robot.joints().collect::<Vec<_>>(), "{}", builtin.name);
        let q: Vec<f64> = match robot.closed() {
            Some(closed) => closed.driven().iter().map(|&j| closed.home().q[j] + 0.01).collect(),
            None => vec![0.3; robot.joints().len()],
        };
        let rates = vec![0.2; q.len()];
        let expected = robot.dynamics().inverse_dynamics(&q, &rates, &rates).unwrap().to_vec();
        let mut again = again.dynamics();
        assert_close(again.inverse_dynamics(&q, &rates, &rates).unwrap(), &expected, 1e-9, builtin.name);
    }
}

/// A table of Denavit-Hartenberg's parameters, as CSV and as Markdown, is the robot that it was written from.
#[test]
fn tables_are_read_by_their_own_calls() {
    let robot = Robot::builtin("puma560").unwrap();
    for (format, read) in
        [(Format::CSV, Robot::from_csv as fn(&str, &str) -> _), (Format::MARKDOWN, Robot::from_markdown)]
    {
        let (text, _) = format.write(robot.file().unwrap(), None).unwrap();
        let table = read(&text, "arm").unwrap();
        assert_eq!(table.name(), "arm");
        let [expected, found] = [&robot, &table].map(|robot| {
            let mut dynamics = robot.dynamics();
            dynamics.jacobian(&[0.3; 6]).unwrap().to_vec()
        });
        assert_close(&found, &expected, 1e-12, "jacobian");
    }
}

/// What a URDF says beyond dynamics is in the robot's file.
#[test]
fn a_urdf_keeps_its_visuals() {
    let text = r#"<robot name="arm">
        <link name="base"/>
        <link name="hand">
            <inertial><mass value="2"/><inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
            <visual><geometry><sphere radius="0.1"/></geometry></visual>
        </link>
        <joint name="pivot" type="continuous"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/></joint>
    </robot>"#;
    let robot = Robot::from_urdf(text).unwrap();
    let file = robot.file().unwrap();
    let (again, _) = Format::Urdf.write(file, None).unwrap();
    assert!(again.contains("<sphere"), "{again}");
    assert_eq!(Robot::from_urdf(&again).unwrap(), robot);
    let (_, lost) = Format::Toml.write(file, None).unwrap();
    assert!(!lost.is_empty(), "TOML has no place for a visual");
    assert_eq!((robot.drives().len(), Robot::from_floating_urdf(text).unwrap().drives().len()), (1, 7));
}

#[test]
fn all_problems_of_a_text_are_in_one_error() {
    let text = PENDULUM.replace("mass = 2.0", "mass = -2.0").replace("com = [0.5, 0.0, 0.0]", "com = [0.5, 0.0, inf]");
    let error = Robot::from_toml(&text).unwrap_err();
    let RobotError::Description(problems) = &error else { panic!("{error:?}") };
    assert_eq!(problems.errors(), 2, "{problems}");
    let message = error.to_string();
    assert!(message.contains("body.pivot.mass") && message.contains("body.pivot.com"), "{message}");
}

#[test]
fn errors_say_what_there_is() {
    let error = Robot::builtin("puma").unwrap_err();
    assert_eq!(error, RobotError::Unknown { name: "puma".into() });
    assert!(error.to_string().contains("puma560") && error.to_string().contains("four-bar"), "{error}");
    // A leg that reaches nothing.
    let far = robots::find("five-bar").unwrap().toml;
    let far = far.replacen("base = { xyz = [-0.14", "base = { xyz = [-9.14", 1);
    assert!(matches!(Robot::from_toml(&far).unwrap_err(), RobotError::Closed(_)));
}

/// The same bits, question by question.
#[test]
fn dynamics_answers_as_an_evaluator() {
    let same = |robot: &Robot, state: &State<'_>| {
        let mut dynamics = robot.dynamics();
        for question in Question::ALL {
            let Some((label, mut best)) = evaluators(robot, question).pop() else {
                let refused = dynamics.ask(question, state).unwrap_err();
                assert!(matches!(refused, AnswerError::Refused(_)), "{}: {refused}", question.name());
                continue;
            };
            let expected = answer(&mut best, state, &label);
            assert_eq!(dynamics.ask(question, state).unwrap(), expected, "{label}");
        }
    };
    for builtin in robots::TREES {
        let tree = builtin.mechanism();
        let state = Sampler::new(3).state(&tree);
        same(&tree.into(), &open_state(&state));
    }
    for builtin in robots::CLOSED {
        let closed = builtin.closed();
        let state = Sampler::new(3).closed_state(&closed);
        same(&closed.into(), &closed_state(&state));
    }
    // Beyond 64 joints workspaces are made when they are asked for first.
    let mut sampler = Sampler::new(4);
    let long = sampler.robot(70, Shape::Chain);
    let state = sampler.state(&long);
    let (_, mut best) = evaluators(&long, Question::ForwardDynamics).pop().unwrap();
    let expected = answer(&mut best, &open_state(&state), "long");
    assert_eq!(Robot::from(long).dynamics().forward_dynamics(&state.q, &state.v, &state.tau).unwrap(), expected);
}

#[test]
fn questions_by_their_own_calls() {
    let robot = Robot::builtin("seven-axis").unwrap();
    let random = Sampler::new(8).state(robot.tree());
    let (state, mut dynamics, mut by_name) = (open_state(&random), robot.dynamics(), robot.dynamics());
    let State { q, v, a, tau, .. } = state;
    let mut same = |question: Question, found: &[f64]| {
        assert_eq!(found, by_name.ask(question, &state).unwrap(), "{}", question.name());
    };
    same(Question::InverseDynamics, dynamics.inverse_dynamics(q, v, a).unwrap());
    same(Question::ForwardDynamics, dynamics.forward_dynamics(q, v, tau).unwrap());
    same(Question::InertiaMatrix, dynamics.inertia_matrix(q).unwrap());
    same(Question::Bias, dynamics.bias(q, v).unwrap());
    same(Question::Gravity, dynamics.gravity(q).unwrap());
    same(Question::CoriolisMatrix, dynamics.coriolis_matrix(q, v).unwrap());
    same(Question::Jacobian, dynamics.jacobian(q).unwrap());
    same(Question::Regressor, dynamics.regressor(q, v, a).unwrap());
    same(Question::InverseDynamicsDerivatives, dynamics.inverse_dynamics_derivatives(q, v, a).unwrap());
}

#[test]
fn a_vector_of_the_wrong_length_is_named() {
    let mut arm = Robot::builtin("puma560").unwrap().dynamics();
    let error = arm.inverse_dynamics(&[0.1; 6], &[0.2; 5], &[0.3; 6]).unwrap_err();
    assert_eq!(error, AnswerError::Length { input: Input::Velocities, found: 5, expected: 6 });
    assert!(error.to_string().starts_with("`v` has the wrong length (5, expected 6)"), "{error}");
    let error = arm.forward_dynamics(&[0.1; 6], &[0.2; 6], &[]).unwrap_err();
    assert_eq!(error, AnswerError::Length { input: Input::Forces, found: 0, expected: 6 });
    let mut tripod = Robot::builtin("3-rps").unwrap().dynamics();
    let error = tripod.inertia_matrix(&[0.7; 9]).unwrap_err();
    assert_eq!(error, AnswerError::Length { input: Input::Positions, found: 9, expected: 3 });
}

#[test]
fn jacobians_are_about_the_frame_asked_for() {
    let robot = Robot::builtin("puma560").unwrap();
    let error = robot.dynamics().about("nowhere").err().unwrap();
    assert!(matches!(&error, Refused::Frame { frame, known } if frame == "nowhere" && known.len() == 6), "{error:?}");
    assert!(error.to_string().contains("wrist-yaw"), "{error}");
    let (q, elbow) = ([0.3, -1.0, 0.2, 0.4, 1.0, 0.0], robot.tree().frame("elbow").unwrap());
    let mut workspace = kinematics::Workspace::new(robot.tree());
    let expected = kinematics::jacobian(robot.tree(), &mut workspace, &q, elbow, Axes::Base).to_vec();
    let mut about_elbow = robot.dynamics().about("elbow").unwrap();
    assert_close(about_elbow.jacobian(&q).unwrap(), &expected, 1e-14, "Jacobian of the elbow");
    assert_ne!(robot.dynamics().jacobian(&q).unwrap(), expected);
}

/// A closed robot takes the motion of its drives by the same calls, or that of its platform.
#[test]
fn closed_robots_by_drives_and_by_platform() {
    let robot = Robot::builtin("gough-stewart").unwrap();
    let mut dynamics = robot.dynamics();
    let mut pose = robot.closed().unwrap().home().pose;
    pose.position.x += 0.02;
    let (twist, acceleration) = ([0.1, -0.2, 0.3, 0.2, -0.1, 0.1], [0.4, 0.5, -0.6, 0.3, 0.2, 0.1]);
    let by_platform = State::platform(pose, twist, acceleration);
    let drives = dynamics.ask(Question::Actuated, &by_platform).unwrap().to_vec();
    let ([q, v, a], []) = drives.as_chunks::<6>() else { panic!("{drives:?}") };
    let tau = dynamics.ask(Question::InverseDynamics, &by_platform).unwrap().to_vec();
    assert_close(dynamics.inverse_dynamics(q, v, a).unwrap(), &tau, 1e-10, "forces of the drives");
    let found = dynamics.forward_dynamics(q, v, &tau).unwrap();
    assert_close(found, &[&acceleration[..], a].concat(), 1e-10, "accelerations of the platform, then of the drives");
    let platform = dynamics.ask(Question::Platform, &State::joints(q, v, a)).unwrap();
    assert_close(&platform[..3], &pose.position.to_array(), 1e-10, "the platform's position");
    assert_close(&platform[7..], &[twist, acceleration].concat(), 1e-9, "the platform's motion");
}

/// Evaluators own their robot, and may go to another thread.
#[test]
fn evaluators_outlive_the_robots_they_were_made_of() {
    fn is_send<T: Send + 'static>(it: T) -> T {
        it
    }
    for builtin in robots::all() {
        let robot = Robot::builtin(builtin.name).unwrap();
        let question = Question::CentreOfMass;
        let mut evaluator = is_send(Evaluator::new(&robot, question, None, Target::default()).unwrap());
        let mut dynamics: Dynamics = is_send(robot.dynamics());
        let home: Vec<f64> = match robot.closed() {
            Some(closed) => closed.driven().iter().map(|&j| closed.home().q[j]).collect(),
            None => vec![0.1; robot.joints().len()],
        };
        drop(robot);
        let answers = std::thread::spawn(move || {
            let state = State::joints(&home, &[], &[]);
            let row = answer(&mut evaluator, &state, builtin.name);
            assert_eq!(evaluator.robot(), dynamics.robot());
            assert_eq!(dynamics.ask(question, &state).unwrap(), row);
            row
        });
        assert_eq!(answers.join().unwrap().len(), 3, "{}", builtin.name);
    }
}
