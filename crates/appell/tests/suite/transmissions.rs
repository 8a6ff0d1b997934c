//! Robots whose motors drive several joints through gears, belts and tendons.

use crate::agreement::all_methods_agree;
use crate::common::{answer, assert_close, evaluators, norm};
use appell::Robot;
use appell::description::{
    Convention, Description, Finding, Friction, FrictionCurve, Limits, MotorDescription, Mounting,
    TransmissionDescription, dh_table, par, to_convention, toml, urdf,
};
use appell::dynamics::reactions::ExternalWrench;
use appell::dynamics::regressor;
use appell::kinematics::{self, jacobian};
use appell::mechanism::{Axes, Mechanism};
use appell::question::{Evaluator, Question, Refused, State, Target};
use appell::real::Dual;
use appell::sample::{Sampler, Shape};
use appell::spatial::{Pose, Vec3, Wrench};

/// Friction of a motor.
const RUBBING: Friction = Friction {
    viscous: 1e-3,
    coulomb: 0.1,
    smoothing: 0.1,
    offset: 0.02,
    curve: Some(FrictionCurve {
        square_root: 0.03,
        cubic: 1e-6,
        asymmetric: -2e-4,
        stribeck: 0.05,
        stribeck_speed: 3.0,
    }),
};

/// Motors of random ratios for some joints; `mounted` ones are on random bodies.
fn transmission(
    sampler: &mut Sampler,
    robot: &Description,
    name: &str,
    joints: &[usize],
    motors: usize,
    mounted: bool,
) -> TransmissionDescription {
    let motor = |sampler: &mut Sampler, k: usize| {
        let on = robot.joints[sampler.below(robot.joints.len())].name.clone();
        // Of any length, since only its direction counts.
        let mounting = mounted.then(|| Mounting { on, axis: sampler.direction().scale(1.0 + sampler.within(0.5)) });
        let inertia = 1e-3 * (2.0 + sampler.within(1.0));
        MotorDescription { inertia, mounting, ..MotorDescription::new(format!("{name} {k}")) }
    };
    let ratio = |sampler: &mut Sampler, k: usize, j: usize| sampler.within(5.0) + if k == j { 20.0 } else { 0.0 };
    TransmissionDescription {
        name: name.into(),
        joints: joints.iter().map(|&joint| robot.joints[joint].name.clone()).collect(),
        motors: (0..motors).map(|k| motor(sampler, k)).collect(),
        matrix: (0..motors).map(|k| (0..joints.len()).map(|j| ratio(sampler, k, j)).collect()).collect(),
        least: None,
    }
}

/// A tree of seven joints, four of them driven by two transmissions of as many motors, and the same without motors.
pub(crate) fn tree(seed: u64, mounted: bool) -> (Description, Description, Sampler) {
    let mut sampler = Sampler::new(seed);
    let mut plain = sampler.description(7, Shape::Tree);
    for joint in &mut plain.joints {
        joint.link_frame = Pose { rotation: sampler.rotation(), position: sampler.vector(0.1) };
    }
    let mut robot = plain.clone();
    for (name, joints) in [("first", [1, 2]), ("second", [6, 4])] {
        robot.transmissions.push(transmission(&mut sampler, &plain, name, &joints, 2, mounted));
    }
    (robot, plain, sampler)
}

/// The row of N of each motor over all joints of a robot, and the motor.
fn rows(robot: &Description) -> Vec<(Vec<f64>, &MotorDescription)> {
    let transmissions = robot.transmissions.iter();
    let of_motors = transmissions.flat_map(|own| own.motors.iter().zip(&own.matrix).map(move |pair| (own, pair)));
    let row = |(own, (motor, ratios)): (&TransmissionDescription, (_, &Vec<f64>))| {
        let mut row = vec![0.0; robot.joints.len()];
        for (name, ratio) in own.joints.iter().zip(ratios) {
            row[robot.joints.iter().position(|joint| joint.name == *name).unwrap()] = *ratio;
        }
        (row, motor)
    };
    of_motors.map(row).collect()
}

pub(crate) fn made(description: &Description) -> Mechanism {
    Mechanism::new(description).unwrap_or_else(|problems| panic!("{problems}"))
}

fn asked(robot: &Mechanism, question: Question, state: &State<'_>) -> Vec<f64> {
    answer(&mut Evaluator::new(robot, question, None, Target::default()).unwrap(), state, question.name())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Every question by every method, quaternions and screws beside, mounted or not, joints and motors as coordinates.
#[test]
fn all_methods_agree_on_robots_with_transmissions() {
    for seed in 0..8 {
        for mounted in [false, true] {
            let (robot, _, mut sampler) = tree(seed, mounted);
            let robot = made(&robot);
            for robot in [&robot, &robot.by_motors().unwrap()] {
                let label = format!("seed {seed}, mounted: {mounted}, {:?}", robot.velocities());
                all_methods_agree(robot, &sampler.state(robot), 1e-10, &label);
            }
        }
        let mut sampler = Sampler::new(100 + seed);
        let mut mixed = sampler.description(9, Shape::Mixed);
        let one = |j: &usize| matches!(mixed.joints[*j].kind.name(), "revolute" | "prismatic" | "screw");
        let joints: Vec<usize> = (0..9).filter(one).take(2).collect();
        let all = transmission(&mut sampler, &mixed, "all", &joints, joints.len(), true);
        mixed.transmissions.push(all);
        let robot = made(&mixed);
        all_methods_agree(&robot, &sampler.state(&robot), 1e-10, &format!("of every type, seed 100 + {seed}"));
    }
}

/// Without a carrier a rotor is inertia alone: M grows by Nᵀ J N, and nothing else changes.
#[test]
fn rotors_are_reflected_inertia() {
    for seed in 0..10 {
        let (robot, plain, mut sampler) = tree(seed, false);
        let (with, without) = (made(&robot), made(&plain));
        let state = sampler.state(&without);
        let state = State { tau: &state.tau, ..State::joints(&state.q, &state.v, &state.a) };
        let mut expected = asked(&without, Question::InertiaMatrix, &state);
        for (row, motor) in rows(&robot) {
            for (k, entry) in expected.iter_mut().enumerate() {
                *entry += motor.inertia * row[k / 7] * row[k % 7];
            }
        }
        let found = asked(&with, Question::InertiaMatrix, &state);
        assert_close(&found, &expected, 1e-13, &format!("M, seed {seed}"));
        for question in [Question::Bias, Question::Gravity, Question::CoriolisMatrix, Question::Momentum] {
            let [found, expected] = [&with, &without].map(|robot| asked(robot, question, &state));
            assert_close(&found, &expected, 1e-12, &format!("{}, seed {seed}", question.name()));
        }
    }
}

/// Friction of motors, curves and all, is along their own positions: Nᵀ f(N v).
#[test]
fn motors_rub_behind_the_matrix() {
    for seed in 0..10 {
        let (mut robot, plain, mut sampler) = tree(seed, seed % 2 == 0);
        let without = made(&robot);
        robot.transmissions.iter_mut().flat_map(|own| &mut own.motors).for_each(|motor| motor.friction = RUBBING);
        let with = made(&robot);
        all_methods_agree(&with, &sampler.state(&with), 1e-10, &format!("rubbing motors, seed {seed}"));
        let state = sampler.state(&made(&plain));
        let state = State::joints(&state.q, &state.v, &state.a);
        let mut expected = asked(&without, Question::InverseDynamics, &state);
        for (row, _) in rows(&robot) {
            let force = RUBBING.resistance(dot(&row, state.v)) + RUBBING.offset;
            row.iter().zip(&mut expected).for_each(|(ratio, tau)| *tau += ratio * force);
        }
        let found = asked(&with, Question::InverseDynamics, &state);
        assert_close(&found, &expected, 1e-11, &format!("friction of motors, seed {seed}"));
    }
}

/// Gyroscopic torques by Lagrange: rotors on bodies add T = Σ J θ̇ w·v + ½ J θ̇² with θ̇ = N v and w·v the carrier's angular velocity
/// along the rotor's axis, w(q) by its Jacobian on dual numbers:
///
/// ```text
/// τᵢ = J (Nᵢ w·a + wᵢ N·a + Nᵢ N·a) + J (Nᵢ Σ ∂ₖwⱼ vⱼ vₖ + θ̇ Σ (∂ₖwᵢ − ∂ᵢwₖ) vₖ)
/// ```
#[test]
fn gyroscopic_torques_are_lagranges() {
    let mut gyroscopic = 0.0_f64;
    for seed in 0..10 {
        let (robot, plain, mut sampler) = tree(seed, true);
        let (with, without) = (made(&robot), made(&plain));
        let state = sampler.state(&without);
        let (v, a) = (&state.v, &state.a);
        let at = State::joints(&state.q, v, a);
        let q: Vec<Dual<7>> = state.q.iter().enumerate().map(|(k, &q)| Dual::variable(q, k)).collect();
        let mut dual = kinematics::Workspace::with_scalar(&without, q[0]);
        let mut expected = asked(&without, Question::InverseDynamics, &at);
        for (n, motor) in rows(&robot) {
            let Mounting { on, axis } = motor.mounting.as_ref().unwrap();
            let axis = axis.scale(1.0 / axis.norm()).to_array();
            let frame = without.frame(on).unwrap();
            let jacobian = jacobian(&without, &mut dual, &q, frame, Axes::Frame(frame));
            let entry = |j: usize| (0..3).map(move |k| (axis[k], jacobian[(3 + k) * 7 + j]));
            let w: Vec<f64> = (0..7).map(|j| entry(j).map(|(axis, entry)| axis * entry.value).sum()).collect();
            let slope = |j: usize, k: usize| entry(j).map(|(axis, entry)| axis * entry.derivative[k]).sum::<f64>();
            let rate = dot(&n, v);
            let along: f64 = (0..49).map(|jk| slope(jk / 7, jk % 7) * v[jk / 7] * v[jk % 7]).sum();
            for i in 0..7 {
                let turned: f64 = (0..7).map(|k| (slope(i, k) - slope(k, i)) * v[k]).sum();
                let accelerated = n[i] * dot(&w, a) + w[i] * dot(&n, a) + n[i] * dot(&n, a);
                expected[i] += motor.inertia * (accelerated + n[i] * along + rate * turned);
                gyroscopic = gyroscopic.max((motor.inertia * rate * turned / norm(&expected)).abs());
            }
        }
        for (label, mut evaluator) in evaluators(&with, Question::InverseDynamics) {
            assert_close(&answer(&mut evaluator, &at, &label), &expected, 1e-10, &format!("{label}, seed {seed}"));
        }
    }
    assert!(gyroscopic > 1e-3, "rotors that matter: {gyroscopic}");
}

/// τ_motor · θ̇ = τ · q̇, with wrenches from outside too; joints without a transmission are their own motors.
#[test]
fn motors_do_the_work_of_the_joints() {
    for seed in 0..10 {
        let (robot, _, mut sampler) = tree(seed, seed % 2 == 0);
        let robot = made(&robot);
        let state = sampler.state(&robot);
        let push = Wrench { force: sampler.vector(5.0), moment: sampler.vector(2.0) };
        let external = [ExternalWrench { frame: 5, wrench: push }];
        let state = State { external: &external, ..State::joints(&state.q, &state.v, &state.a) };
        let motors = robot.motors();
        let names = ["joint1", "joint4", "joint6", "first 0", "first 1", "second 0", "second 1"];
        assert_eq!(motors.names(), names);
        let columns = Question::MotorTorques.named_columns(&(&robot).into());
        assert_eq!(columns, names.map(|name| format!("tau.{name}")));
        let tau = asked(&robot, Question::InverseDynamics, &state);
        let (mut rates, mut again) = (vec![0.0; 7], vec![0.0; 7]);
        motors.velocities(state.v, &mut rates);
        for (label, mut evaluator) in evaluators(&robot, Question::MotorTorques) {
            let found = answer(&mut evaluator, &state, &label);
            let (work, expected) = (dot(&found, &rates), dot(&tau, state.v));
            assert!((work - expected).abs() <= 1e-11 * norm(&tau) * norm(state.v), "{label}: {work}, {expected}");
            motors.joint_torques(&found, &mut again);
            assert_close(&again, &tau, 1e-11, &label);
        }
        let plain = asked(&made(&tree(seed, false).1), Question::MotorTorques, &state);
        assert_eq!(plain, asked(&made(&tree(seed, false).1), Question::InverseDynamics, &state));
    }
}

/// Torques of the motors, in their coordinates, accelerate them as the joints do.
#[test]
fn motors_are_coordinates() {
    for seed in 0..10 {
        let (robot, _, mut sampler) = tree(seed, true);
        let robot: Robot = made(&robot).into();
        let by_motors = robot.by_motors().unwrap();
        let state = sampler.state(robot.tree());
        let joints = State::joints(&state.q, &state.v, &state.a);
        let tau = asked(robot.tree(), Question::MotorTorques, &joints);
        assert!(by_motors.drives().iter().map(|drive| drive.name).eq(robot.motors().names()), "one order of motors");
        let moved = |x: &[f64]| {
            let mut motors = vec![0.0; x.len()];
            robot.motors().velocities(x, &mut motors);
            motors
        };
        let [q, v, a] = [&state.q, &state.v, &state.a].map(|x| moved(x));
        let found = asked(by_motors.tree(), Question::ForwardDynamics, &State::forced(&q, &v, &tau));
        assert_close(&found, &a, 1e-9, &format!("seed {seed}"));
        assert_eq!(by_motors.motors().names(), by_motors.tree().velocities());
    }
}

/// Identification sees rotors as bodies and effects: τ = Y φ.
#[test]
fn regressors_have_rotors() {
    for mounted in [false, true] {
        let (robot, _, mut sampler) = tree(3, mounted);
        let robot = made(&robot);
        let state = sampler.state(&robot);
        let state = State::joints(&state.q, &state.v, &state.a);
        let (y, phi) = (asked(&robot, Question::Regressor, &state), regressor::parameters(&robot));
        let found: Vec<f64> = y.chunks_exact(phi.len()).map(|row| dot(row, &phi)).collect();
        assert_close(&found, &asked(&robot, Question::InverseDynamics, &state), 1e-11, "Y phi");
    }
}

/// More motors than joints share by least squares; tendons pull, the slackest with its least tension.
#[test]
fn tendons_pull() {
    for seed in 0..10 {
        let (mut robot, _, mut sampler) = tree(seed, false);
        robot.transmissions.truncate(1);
        // Three tendons of two joints, and between them they hold each other: their rows add up to nothing.
        let [x, y] = [robot.transmissions[0].matrix[0].clone(), robot.transmissions[0].matrix[1].clone()];
        let z = x.iter().zip(&y).map(|(x, y)| -x - 2.0 * y).collect();
        let pull = [1.0, 2.0, 1.0];
        let own = &mut robot.transmissions[0];
        own.matrix = vec![x, y, z];
        own.motors = ["a", "b", "c"].map(MotorDescription::new).to_vec();
        let shared = made(&robot);
        robot.transmissions[0].least = Some(5.0);
        let pulled = made(&robot);
        let state = sampler.state(&shared);
        let state = State::joints(&state.q, &state.v, &state.a);
        let tau = asked(&shared, Question::InverseDynamics, &state);
        assert_eq!(Question::MotorTorques.methods(&(&shared).into()).len(), 1, "tendons are no coordinates");
        let [shared, pulled] = [&shared, &pulled].map(|robot| {
            let found = asked(robot, Question::MotorTorques, &state);
            let mut again = vec![0.0; 7];
            robot.motors().joint_torques(&found, &mut again);
            assert_close(&again, &tau, 1e-11, &format!("seed {seed}"));
            found[found.len() - 3..].to_vec()
        });
        assert!(dot(&shared, &pull).abs() < 1e-10 * norm(&shared).max(1.0), "nothing is pulled in vain: {shared:?}");
        let least = pulled.iter().copied().fold(f64::INFINITY, f64::min);
        assert!((least - 5.0).abs() < 1e-9, "the slackest of {pulled:?}");
    }
}

#[test]
fn fewer_motors_than_joints_are_refused() {
    let (mut robot, plain, mut sampler) = tree(1, false);
    robot.transmissions = vec![transmission(&mut sampler, &plain, "finger", &[1, 2, 3], 1, false)];
    let robot = made(&robot);
    let refused = Evaluator::new(&robot, Question::MotorTorques, None, Target::default()).err().unwrap();
    let expected = Refused::Underactuated { question: "motor-torques", transmission: "finger".into() };
    assert_eq!(refused, expected);
    assert!(refused.to_string().contains("`finger` has fewer motors than joints"), "{refused}");
    assert!(robot.by_motors().unwrap_err().to_string().contains("1 motors for 3 joints"));
    all_methods_agree(&robot, &sampler.state(&robot), 1e-10, "one motor of three joints");
}

/// Without its motors a robot is that of the plain file, and its description says what there was.
#[test]
fn motors_can_be_left_out() {
    let (robot, plain, mut sampler) = tree(3, false);
    let (with, without) = (Robot::new(robot.clone()).unwrap(), Robot::new(plain).unwrap());
    let bare = with.without_motors();
    assert!(bare.tree() == without.tree() && bare.description() == Some(&robot));
    assert!(with.tree().coordinates().is_some() && bare.tree().coordinates().is_none());
    let state = sampler.state(bare.tree());
    let state = State { tau: &state.tau, ..State::joints(&state.q, &state.v, &state.a) };
    let [found, expected] = [&bare, &without].map(|robot| asked(robot.tree(), Question::InverseDynamics, &state));
    assert_eq!(found, expected);
    assert!(without.without_motors().tree() == without.tree());
}

/// A file keeps transmissions, and so do other conventions; other formats say what they leave out.
#[test]
fn transmissions_are_written() {
    let (mut robot, ..) = tree(5, true);
    let motors = &mut robot.transmissions[1].motors;
    motors[0].friction = RUBBING;
    motors[1].limits = Limits { effort: 2.0, lower: -1.0, ..Limits::default() };
    motors[1].mounting = None;
    let mut tendons = robot.transmissions[0].clone();
    (tendons.name, tendons.joints, tendons.least) = ("tendons".into(), vec!["joint4".into()], Some(2.0));
    (tendons.motors, tendons.matrix) = (["a", "b"].map(MotorDescription::new).to_vec(), vec![vec![0.01], vec![-0.02]]);
    robot.transmissions.push(tendons);
    let text = toml::write(&robot);
    assert!(text.contains("motors = [\"a\", \"b\"]\nmatrix = [[0.01], [-0.02]]\nleast = 2.0\n"), "{text}");
    let (back, _) = toml::read(&text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    assert_eq!(back.transmissions, robot.transmissions);
    let dropped = |problems: appell::description::Problems| {
        let places = problems.into_iter().filter(|problem| problem.place.starts_with("transmission"));
        places.map(|problem| problem.place).collect::<Vec<_>>()
    };
    let names = ["transmission.first", "transmission.second", "transmission.tendons"];
    assert_eq!(dropped(urdf::write(&robot).unwrap().1), names);
    assert_eq!(dropped(par::write(&robot).unwrap().1), names);
}

/// A chain with a motor on its third body, whose frame moves when the table becomes a standard one.
#[test]
fn other_conventions_keep_the_axes_of_rotors() {
    let mut sampler = Sampler::new(9);
    let mut chain = sampler.description(5, Shape::Chain);
    (chain.joints[0].placement.alpha, chain.joints[0].placement.d) = (0.0, 0.0);
    let mut wrist = transmission(&mut sampler, &chain, "wrist", &[3, 4], 2, true);
    wrist.motors.iter_mut().for_each(|motor| motor.mounting.as_mut().unwrap().on = "joint3".into());
    chain.transmissions.push(wrist);
    let robot = made(&chain);
    assert_eq!(Robot::from(&robot).kind().name(), "serial");
    let state = sampler.state(&robot);
    let state = State::joints(&state.q, &state.v, &state.a);
    let expected = asked(&robot, Question::MotorTorques, &state);
    for convention in [Convention::StandardDh, Convention::KhalilKleinfinger] {
        let other = to_convention(&chain, convention).unwrap();
        let (other, _) = toml::read(&toml::write(&other)).unwrap();
        assert_close(&asked(&made(&other), Question::MotorTorques, &state), &expected, 1e-11, convention.name());
    }
    let (_, left_out) = dh_table::write(&chain, Convention::ModifiedDh, dh_table::Layout::Csv).unwrap();
    assert!(left_out.iter().any(|problem| problem.place == "transmission.wrist"), "{left_out}");
}

/// A wrist whose motors turn it through shafts in each other.
const WRIST: &str = include_str!("../../../../tests/data/geared-wrist.toml");

/// N is triangular, so that its inverse can be had by hand: from the last joint to the first.
#[test]
fn a_wrist_with_shafts_in_each_other() {
    let robot = Robot::from_toml(WRIST).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(robot.kind().name(), "serial");
    assert_eq!(robot.motors().names(), ["elbow", "m4", "m5", "m6"]);
    assert_eq!(Target::default().frame_of(robot.tree()), robot.tree().frame("turn").unwrap());
    assert_eq!(robot.tree().limits()[robot.tree().frame("m6").unwrap()].effort, 0.6);
    let (q, v, a) = ([0.3, -0.4, 0.9, 0.5], [0.7, 1.1, -0.6, 2.0], [2.0, -1.0, 3.0, 4.0]);
    let state = State::joints(&q, &v, &a);
    let tau = asked(robot.tree(), Question::InverseDynamics, &state);
    let m6 = tau[3] / 77.0;
    let m5 = (tau[2] - 14.0 * m6) / 72.0;
    let m4 = (tau[1] - m5 - m6) / 76.0;
    let found = asked(robot.tree(), Question::MotorTorques, &state);
    assert_close(&found, &[tau[0], m4, m5, m6], 1e-13, "by hand");
    let mut rates = [0.0; 4];
    robot.motors().velocities(&v, &mut rates);
    assert_close(&rates, &[0.7, 76.0 * 1.1, 1.1 - 72.0 * 0.6, 1.1 - 14.0 * 0.6 + 154.0], 1e-15, "of the motors");
}

/// What is wrong in a file is found with its line and its remedy.
#[test]
fn wrong_transmissions_are_reported() {
    type Case = (&'static str, &'static str, usize, &'static str, &'static str);
    let cases: [Case; 16] = [
        ("\"bend\", \"turn\"]", "\"bnd\", \"turn\"]", 28, "transmission.wrist.joints[2]", "no joint `bnd` to drive"),
        ("\"bend\", \"turn\"]", "\"roll\", \"turn\"]", 28, "transmission.wrist.joints[2]", "`roll` is driven by"),
        ("[[76, 0, 0], ", "[", 34, "transmission.wrist.matrix", "has 2 entries; expected 3: a row per motor"),
        ("[76, 0, 0]", "[76, 0]", 34, "transmission.wrist.matrix[1]", "has 2 entries; expected 3: a number per joint"),
        ("[1, 72, 0]", "[76, 0, 0]", 34, "transmission.wrist.matrix", "the row of motor `m"),
        ("[76, 0, 0]", "[nan, 0, 0]", 34, "transmission.wrist.matrix[1][1]", "is NaN"),
        ("[76, 0, 0]", "[\"a\", 0, 0]", 34, "transmission.wrist.matrix[1][1]", "is \"a\"; expected a number"),
        ("name = \"m5\"", "name = \"bend\"", 31, "transmission.wrist.motors[2]", "the name `bend` is taken already"),
        (
            "name = \"m5\"",
            "name = \"m4\"",
            31,
            "transmission.wrist.motors[2]",
            "the name `m4` is taken already by motor m4",
        ),
        ("name = \"m5\", ", "", 31, "transmission.wrist.motors[2].name", "is missing; expected the motor's name"),
        ("limits = { effort", "limit = { effort", 32, "transmission.wrist.motors[3].limit", "is not known here"),
        (
            "on = \"elbow\", axis = [0, -1, 0], f",
            "axis = [0, -1, 0], f",
            30,
            "transmission.wrist.motors[1].axis",
            "is the axis of a rotor",
        ),
        ("[0, -1, 0], f", "[0, 0, 0], f", 30, "transmission.wrist.motors[1].axis", "the axis is zero"),
        (
            "\"m6\", inertia = 3.3e-5, on = \"elbow\"",
            "\"m6\", inertia = 3.3e-5, on = \"arm\"",
            32,
            "transmission.wrist.motors[3].on",
            "there is no joint `arm`",
        ),
        (
            "\"m6\", inertia = 3.3e-5",
            "\"m6\", inertia = -1",
            32,
            "transmission.wrist.motors[3].inertia",
            "is -1; expected zero or",
        ),
        ("77]]", "77]]\nleast = 5", 35, "transmission.wrist.least", "tensions are shared among one tendon more"),
    ];
    for (from, to, line, place, message) in cases {
        assert!(WRIST.contains(from), "{from}");
        let problems = toml::read(&WRIST.replacen(from, to, 1)).expect_err(to);
        let found = problems.iter().any(|problem| {
            problem.line == Some(line) && problem.place == place && problem.finding.to_string().contains(message)
        });
        assert!(found, "expected line {line}: {place}: {message}\nfound {problems}");
    }
    let ball = WRIST.replacen(
        "\"bend\",  \"revolute\", \"-90 deg\", 0.0, \"q\"",
        "\"bend\",  \"spherical\", \"-90 deg\", 0.0, \"0\"",
        1,
    );
    let problems = toml::read(&ball).unwrap_err();
    let expected = Finding::SeveralDegrees { joint: "bend".into(), kind: "spherical" };
    assert!(problems.iter().any(|problem| problem.finding == expected && problem.line == Some(28)), "{problems}");
    let follower = WRIST.to_owned() + "[joint.turn]\nmimic = { joint = \"bend\" }\n";
    let problems = toml::read(&follower).unwrap_err().to_string();
    assert!(problems.contains("`turn` follows other joints already; remove its mimic"), "{problems}");
    let thin = WRIST.replacen("inertia = { xx = 0.07, yy = 0.02", "inertia = { xx = 0.07, yy = 2e-5", 1);
    let (_, warnings) = toml::read(&thin).unwrap();
    assert!(
        warnings.to_string().contains("about the axis of motor `m4`, less than the rotor's 0.000033"),
        "{warnings}"
    );
    let closed = toml::write(&{
        let (mut robot, _) = toml::read(appell::robots::find("four-bar").unwrap().toml).unwrap();
        let joint = robot.joints[0].name.clone();
        robot.transmissions.push(TransmissionDescription {
            name: "gear".into(),
            joints: vec![joint],
            motors: vec![MotorDescription::new("motor")],
            matrix: vec![vec![50.0]],
            least: None,
        });
        robot
    });
    let problems = toml::read(&closed).unwrap_err().to_string();
    assert!(problems.contains("transmission.gear: is in a robot with closed loops"), "{problems}");
}

/// A rotor on a body that does not turn has no gyroscopic torque, whatever its axis is.
#[test]
fn rotors_on_the_base_are_inertia_alone() {
    let on_base = WRIST.replace("on = \"elbow\"", "on = \"base\"");
    let nowhere = WRIST.replace(", on = \"elbow\", axis = [0, -1, 0]", "");
    let [on_base, nowhere] = [on_base, nowhere].map(|text| Robot::from_toml(&text).unwrap_or_else(|e| panic!("{e}")));
    let (q, v, a) = ([0.3, -0.4, 0.9, 0.5], [0.7, 1.1, -0.6, 2.0], [2.0, -1.0, 3.0, 4.0]);
    let state = State::joints(&q, &v, &a);
    let [found, expected] = [&on_base, &nowhere].map(|robot| asked(robot.tree(), Question::MotorTorques, &state));
    assert_close(&found, &expected, 1e-13, "torques");
    let axis = Vec3::new(0.0, -1.0, 0.0);
    let mounting = Mounting { on: "base".into(), axis };
    let read = on_base.description().unwrap();
    assert_eq!(read.transmissions[0].motors[0].mounting, Some(mounting));
}
