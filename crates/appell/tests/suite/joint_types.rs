//! Joints of every type: files keep them, coordinates go there and back, and what is wrong with them is reported.

use crate::common::{answer, assert_close, evaluators};
use appell::description::urdf::{self, Options};
use appell::description::{Description, Finding, JointType, Limits, Mimic, check, toml};
use appell::mechanism::Mechanism;
use appell::question::{AnswerError, Evaluator, Question, State, Target};
use appell::sample::{Sampler, Shape};
use appell::spatial::{Mat3, Pose, Vec3};
use appell::{Robot, robots};

fn mixed(seed: u64, n: usize) -> Description {
    Sampler::new(seed).description(n, Shape::Mixed)
}

fn forces(description: &Description, seed: u64) -> Vec<f64> {
    let robot = Mechanism::new(description).unwrap();
    let state = Sampler::new(seed).state(&robot);
    let mut evaluator = Evaluator::new(&robot, Question::InverseDynamics, None, Target::default()).unwrap();
    answer(&mut evaluator, &State::joints(&state.q, &state.v, &state.a), "inverse dynamics")
}

#[test]
fn files_keep_them() {
    for seed in 0..20 {
        let robot = mixed(seed, 9);
        let text = toml::write(&robot);
        let (back, _) = toml::read(&text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        assert_eq!(back, robot, "{text}");
        let mut known = robot;
        for joint in &mut known.joints {
            if matches!(
                joint.kind,
                JointType::Universal | JointType::Cylindrical | JointType::Screw | JointType::Spherical
            ) {
                (joint.kind, joint.pitch) = (JointType::Planar, 0.0);
            }
        }
        let (text, _) = urdf::write(&known).unwrap_or_else(|problems| panic!("{problems}"));
        let (back, _) = urdf::read(&text, Options::default()).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        let kinds =
            |robot: &Description| robot.joints.iter().map(|joint| (joint.name.clone(), joint.kind)).collect::<Vec<_>>();
        let [mut ours, mut theirs] = [kinds(&known), kinds(&back)];
        for kinds in [&mut ours, &mut theirs] {
            kinds.sort_by(|a, b| a.0.cmp(&b.0));
        }
        assert_eq!(ours, theirs, "{text}");
        if kinds(&known) == kinds(&back) {
            assert_close(&forces(&back, seed), &forces(&known, seed), 1e-11, &text);
        }
    }
}

/// q ⊕ (p ⊖ q) is p, and rows that were anchored are released where they were.
#[test]
fn coordinates_go_there_and_back() {
    for seed in 0..20 {
        let mut sampler = Sampler::new(seed);
        let robot = sampler.robot(9, Shape::Mixed);
        let own = robot.coordinates().unwrap();
        let [from, to] = [(); 2].map(|()| sampler.state(&robot).q);
        let (mut step, mut q) = (vec![0.0; own.velocities().len()], from.clone());
        own.difference(&from, &to, &mut step);
        own.integrate(&mut q, &step);
        let mut rows = vec![0.0; robot.dof()];
        own.anchor(&to, &mut rows);
        let mut released = to.clone();
        own.release(&rows, &mut released);
        // Of both quaternions of an attitude the one that was there: a motion has no jumps.
        assert_close(&released[..], &to[..], 1e-12, &format!("seed {seed}"));
        for found in [&mut q, &mut released] {
            // Both signs of a quaternion are the same attitude.
            let mut poses = [(); 2].map(|()| vec![0.0; robot.dof()]);
            own.anchor(found, &mut poses[0]);
            own.anchor(&to, &mut poses[1]);
            let [one, other] = poses.map(|rows| {
                appell::kinematics::positions(&robot, &mut appell::kinematics::Workspace::new(&robot), &rows)
                    .iter()
                    .flat_map(|pose| pose.to_array())
                    .collect::<Vec<f64>>()
            });
            assert_close(&one[..], &other[..], 1e-12, &format!("seed {seed}"));
        }
    }
}

/// Rates and forces of a chart away from zero: velocities come back, power is the same, and a small step is a velocity.
#[test]
fn charts_are_exact_away_from_zero() {
    for seed in 0..20 {
        let mut sampler = Sampler::new(seed);
        let robot = sampler.robot(9, Shape::Mixed);
        let own = robot.coordinates().unwrap();
        let state = sampler.state(&robot);
        let m = own.velocities().len();
        let mut rows = vec![0.0; robot.dof()];
        own.anchor(&state.q, &mut rows);
        let step: Vec<f64> = (0..m).map(|_| sampler.within(0.5)).collect();
        own.step(&step, &mut rows);
        let (mut x, mut v, mut tau) = (vec![0.0; m], vec![0.0; m], vec![0.0; m]);
        own.rates(&rows, &state.v, &mut x);
        own.velocities_of(&rows, &x, &mut v);
        assert_close(&v, &state.v, 1e-13, "velocities");
        own.local_forces(&rows, &state.tau, &mut tau);
        let power = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        assert_close(&[power(&tau, &x)], &[power(&state.tau, &state.v)], 1e-12, "power");
        let (mut x_rate, mut a) = (vec![0.0; m], vec![0.0; m]);
        own.accelerations(&rows, &state.v, &x, &state.a, &mut x_rate);
        own.velocity_rates(&rows, &state.v, &x, &x_rate, &mut a);
        assert_close(&a, &state.a, 1e-13, "accelerations");
        // A step of h along the local rates is one of h v on the group, and of h² in the rates one of h a.
        let h = 1e-6;
        let q_at = |by: f64| {
            let (mut moved, mut q) = (rows.clone(), state.q.clone());
            let x: Vec<f64> = x.iter().map(|x| by * x).collect();
            own.step(&x, &mut moved);
            own.release(&moved, &mut q);
            q
        };
        let mut found = vec![0.0; m];
        own.difference(&q_at(-h), &q_at(h), &mut found);
        let found: Vec<f64> = found.iter().map(|step| step / (2.0 * h)).collect();
        assert_close(&found, &state.v, 1e-8, "a small step");
    }
}

#[test]
fn what_is_wrong_is_reported() {
    let mut robot = mixed(1, 8);
    let of = |robot: &Description, kind| robot.joints.iter().position(|joint| joint.kind == kind).unwrap();
    robot.joints.iter_mut().zip(JointType::ALL).for_each(|(joint, kind)| {
        (joint.kind, joint.pitch) = (kind, if kind == JointType::Screw { 0.2 } else { 0.0 });
    });
    assert_eq!(check(&robot).errors(), 0, "{}", check(&robot));
    let found = |change: &dyn Fn(&mut Description)| {
        let mut changed = robot.clone();
        change(&mut changed);
        check(&changed).into_iter().map(|problem| (problem.place, problem.finding)).collect::<Vec<_>>()
    };
    let (ball, screw) = (of(&robot, JointType::Spherical), of(&robot, JointType::Screw));
    let name = robot.joints[ball].name.clone();
    let unfit = found(&|robot| robot.joints[ball].limits = Limits { lower: 0.0, ..Limits::default() });
    let expected = Finding::NotOfQuaternion { kind: "spherical", what: "limits" };
    assert_eq!(unfit, [(format!("joint.{name}.limits"), expected)]);
    assert_eq!(found(&|robot| robot.joints[screw].pitch = 0.1), []);
    assert!(matches!(found(&|robot| robot.joints[0].pitch = 0.1)[..], [(_, Finding::NotAScrew { .. })]));
    let follows = found(&|robot| {
        robot.joints[0].mimic = Some(Mimic::new(&name, 1.0, 0.0));
    });
    assert!(matches!(follows[..], [(_, Finding::FollowsQuaternion { .. })]), "{follows:?}");
    let taken = found(&|robot| robot.joints[0].name = format!("{name}.wx"));
    assert!(taken.iter().any(|(_, finding)| matches!(finding, Finding::TakenByPart { .. })), "{taken:?}");
    assert!(urdf::write(&robot).unwrap_err().iter().any(|p| p.finding == Finding::NotInUrdf { kind: "spherical" }));
    let text = toml::write(&robot).replacen("\"free\"", "\"fre\"", 1);
    assert!(toml::read(&text).unwrap_err().to_string().contains("`fre` is not \"revolute\", \"prismatic\""));
}

/// A quaternion that is no attitude, and vectors of the wrong length, are refused.
#[test]
fn states_are_checked() {
    let robot: Robot = Sampler::new(3).robot(9, Shape::Mixed).into();
    let mut state = Sampler::new(3).state(robot.tree());
    let mut dynamics = robot.dynamics();
    assert!(matches!(dynamics.gravity(&state.v), Err(AnswerError::Length { .. })));
    state.q.iter_mut().for_each(|q| *q *= 1.1);
    let error = dynamics.gravity(&state.q).unwrap_err();
    assert!(matches!(&error, AnswerError::NotUnit(not) if (not.norm - 1.1).abs() < 1e-12), "{error}");
}

/// The built-in Gough-Stewart platform with its chain of legs written another way; `home` of a leg is its length alone.
fn hexapod(rows: &str, bodies: &str, closing: &str, rpy: &str) -> Robot {
    let text = robots::find("gough-stewart").unwrap().toml;
    let (head, rest) = text.split_once("[chain.ups]").unwrap();
    let (_, slide) = rest.split_once("[chain.ups.body.slide]").unwrap();
    let slide: String = slide
        .lines()
        .map(|line| match line.split_once("slide = ").filter(|_| line.starts_with("home")) {
            Some((_, length)) => format!("home = {{ slide = {length}\n"),
            None => line.replace("rpy = [0.0, \"90 deg\", 0.0]", rpy) + "\n",
        })
        .collect();
    let text = format!(
        "{head}[chain.ups]\njoints = [{rows}\n  [\"slide\", \"prismatic\", {slide_row}],\n]\ndriven = [\"slide\"]\n\
         closing = \"{closing}\"\n{bodies}\n[chain.ups.body.slide]{slide}",
        slide_row = if closing == "universal" { "\"0\", 0.0, \"0\", \"q\"" } else { "\"90 deg\", 0.0, \"0\", \"q\"" },
    );
    Robot::from_toml(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

const LOWER: &str = "mass = 4.0\ncom = [0.0, 0.0, 0.22]\n\
    inertia = { xx = 0.06872500000000001, yy = 0.06872500000000001, zz = 0.0024500000000000004 }\n";

/// All answers of a closed robot about a state of its platform, by all methods, which agree.
fn of_platform(robot: &Robot, question: Question) -> Vec<f64> {
    let home = robot.closed().unwrap().home().pose;
    let rotation = home.rotation * Mat3::from_roll_pitch_yaw(Vec3::new(0.1, -0.05, 0.2));
    let pose = Pose { position: home.position + Vec3::new(0.03, -0.02, 0.05), rotation };
    let (twist, rate) = ([0.1, 0.2, -0.1, 0.3, -0.2, 0.4], [0.5, -0.4, 0.3, 0.2, -0.6, 0.1]);
    let state = State { tau: &[10.0, 20.0, 30.0, 40.0, 50.0, 60.0], ..State::platform(pose, twist, rate) };
    let mut first: Option<Vec<f64>> = None;
    for (label, mut evaluator) in evaluators(robot, question) {
        let row = answer(&mut evaluator, &state, &label);
        assert_close(&row, first.get_or_insert_with(|| row.clone()), 1e-10, &label);
    }
    first.unwrap()
}

/// A universal joint in a chain is its two turns; a spherical one is three, and lets a leg spin.
#[test]
fn chains_of_closed_robots_have_them() {
    let questions =
        [Question::InverseDynamics, Question::ForwardDynamics, Question::InertiaMatrix, Question::CoriolisVector];
    let built_in = Robot::builtin("gough-stewart").unwrap();
    let universal = hexapod(
        "\n  [\"u\", \"universal\", \"-90 deg\", 0.0, \"-90 deg\", 0.0],",
        &format!("[chain.ups.body.u]\nframe = {{ rpy = [\"90 deg\", 0.0, 0.0] }}\n{LOWER}"),
        "spherical",
        "rpy = [0.0, \"90 deg\", 0.0]",
    );
    let spherical = hexapod(
        "\n  [\"ball\", \"spherical\", \"0\", 0.0, \"0\", 0.0],",
        &format!("[chain.ups.body.ball]\n{LOWER}"),
        "universal",
        "rpy = [0.0, 0.0, 0.0]",
    );
    assert_eq!(
        universal.joints().map(|joint| joint.name).take(3).collect::<Vec<_>>(),
        ["leg1.u.x", "leg1.u", "leg1.slide"]
    );
    assert_eq!(spherical.joints().len(), 24);
    for question in questions {
        let expected = of_platform(&built_in, question);
        assert_close(&of_platform(&universal, question), &expected, 1e-10, question.name());
        // A slender leg that does not spin as freely does not matter much.
        assert_close(&of_platform(&spherical, question), &expected, 3e-2, question.name());
    }
    // Rows of loops are joints like any other, with coordinates and frames of their own.
    for robot in [&universal, &spherical] {
        assert_eq!(robot.frames().len(), robot.tree().frames().len() + 1, "and the platform's");
        assert!(robot.tree().coordinates().is_none() && robot.neutral().len() == robot.drives().len());
        for question in [Question::Frames, Question::Velocities, Question::Accelerations, Question::Reactions] {
            of_platform(robot, question);
        }
    }
}
