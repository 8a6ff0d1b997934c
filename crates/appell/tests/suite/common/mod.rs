//! What the integration tests share: golden files, robots made from them, and a relative comparison.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]

use appell::closed::drives::Sharing;
use appell::closed::sample::ClosedState;
use appell::closed::{ClosedMechanism, Configuration, assembly, legs_platform};
use appell::description::{
    BodyDescription, Branch, Convention, Description, Friction, FrictionCurve, JointDescription, JointEffects,
    JointKind, KhalilKleinfinger, Rotor, STANDARD_GRAVITY, Spring, toml,
};
use appell::mechanism::Mechanism;
use appell::question::{Evaluator, Motion, Question, State, Target};
use appell::sample::{Family, RandomState, Sampler};
use appell::spatial::{Mat3, Pose, Sym3, Vec3};
use appell::{Robot, robots};
use core::ops::Range;
use serde_json::Value;
use std::path::Path;

/// A golden file, made by independent programs; its schema is inside.
pub fn golden(name: &str) -> Value {
    golden_in("serial", name)
}

/// A golden file of parallel robots.
pub fn parallel_golden(name: &str) -> Value {
    golden_in("parallel", name)
}

fn golden_in(folder: &str, name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden").join(folder).join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// All numbers in a JSON value, in order: vectors, and matrices row by row.
pub fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().unwrap_or_else(|| panic!("not a number: {number}"))],
    }
}

/// Largest absolute value.
pub fn norm(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |largest, value| value.abs().max(largest))
}

/// Largest difference over the largest expected value.
pub fn relative_difference(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let worst = found.iter().zip(expected).fold(0.0, |worst: f64, (f, e)| {
        let difference = (f - e).abs();
        if difference.is_nan() { f64::INFINITY } else { worst.max(difference) }
    });
    if worst == 0.0 { 0.0 } else { worst / norm(expected).max(f64::MIN_POSITIVE) }
}

/// Fails unless both agree to a relative tolerance in the max norm.
#[track_caller]
pub fn assert_close(found: &[f64], expected: &[f64], tolerance: f64, label: &str) {
    let difference = relative_difference(found, expected);
    assert!(
        difference <= tolerance,
        "{label}: differs by {difference:.2e} > {tolerance:.1e}\n found {found:?}\n expected {expected:?}"
    );
}

/// Fails unless both agree to a tolerance relative to the larger of what is expected and a scale of the quantity: near
/// rest all that is expected is rounding.
#[track_caller]
pub fn assert_close_at(found: &[f64], expected: &[f64], tolerance: f64, scale: f64, label: &str) {
    let tolerance = tolerance * (scale / norm(expected).max(f64::MIN_POSITIVE)).max(1.0);
    assert_close(found, expected, tolerance, label);
}

/// A question of a robot made ready by each of its methods, the default first, and at last by the default on the processor's
/// best instructions; nothing, if the robot does not answer it. Each with what it is.
pub fn evaluators(robot: impl Into<Robot>, question: Question) -> Vec<(String, Evaluator)> {
    let robot = robot.into();
    let methods = question.methods(&robot);
    let best = methods.first().map(|_| None);
    (methods.iter().map(|method| Some(method.name)).chain(best))
        .map(|method| {
            let evaluator = Evaluator::new(&robot, question, method, Target::default())
                .unwrap_or_else(|error| panic!("{} by {method:?}: {error}", question.name()));
            assert_eq!(evaluator.method().name, method.unwrap_or(methods[0].name), "what is reported is what ran");
            let way = method.unwrap_or("the default on best instructions");
            (format!("{}, {} by {way}", robot.name(), question.name()), evaluator)
        })
        .collect()
}

/// The answer for a state.
#[track_caller]
pub fn answer(evaluator: &mut Evaluator, state: &State<'_>, label: &str) -> Vec<f64> {
    let mut row = vec![f64::NAN; evaluator.columns().len()];
    evaluator.evaluate(state, &mut row).unwrap_or_else(|error| panic!("{label}: {error}"));
    row
}

/// Workspaces keep nothing from call to call: the same state gives the same bits after other states.
pub fn assert_nothing_is_kept(robot: &Robot, states: &[State<'_>]) {
    for question in Question::ALL {
        let fresh = || evaluators(robot, question);
        for (k, (label, mut used)) in fresh().into_iter().enumerate() {
            for state in states {
                let (_, mut fresh) = fresh().swap_remove(k);
                assert_eq!(answer(&mut used, state, &label), answer(&mut fresh, state, &label), "{label}");
            }
        }
    }
}

/// A random state with all that a question of an open robot may read.
pub fn open_state(RandomState { q, v, a, tau, .. }: &RandomState) -> State<'_> {
    State { q, v, a, tau, w: a, ..State::default() }
}

/// The same of a robot with closed loops.
pub fn closed_state(ClosedState { at, r, r_dot, tau, .. }: &ClosedState) -> State<'_> {
    State { motion: Motion::Assembled { at, r, r_dot }, tau, ..State::default() }
}

/// Seeded robots of some families with closed loops, with a state of each, and what to call them.
pub fn closed_cases(
    families: impl Fn(Family) -> bool,
    seeds: Range<u64>,
) -> impl Iterator<Item = (ClosedMechanism, ClosedState, String)> {
    let families = Family::ALL.into_iter().filter(move |family| families(*family));
    families.flat_map(move |family| {
        seeds.clone().map(move |seed| {
            let mut sampler = Sampler::new(seed);
            let robot = sampler.closed_robot(family);
            let state = sampler.closed_state(&robot);
            (robot, state, format!("{family:?}, seed {seed}"))
        })
    })
}

/// The description of a built-in robot.
pub fn described(name: &str) -> Description {
    toml::read(robots::find(name).unwrap().toml).unwrap().0
}

/// A built-in robot of the shape of a tree.
pub fn open(name: &str) -> Mechanism {
    robots::find(name).unwrap().mechanism()
}

/// The same, changed before it is built.
pub fn changed(name: &str, change: impl Fn(&mut Description)) -> Mechanism {
    let mut description = described(name);
    change(&mut description);
    Mechanism::new(&description).unwrap()
}

/// The same, `k` times as large.
pub fn scaled(name: &str, k: f64) -> Mechanism {
    changed(name, |description| {
        for joint in &mut description.joints {
            joint.placement.d *= k;
            joint.placement.r *= k;
            joint.link_frame.position = joint.link_frame.position.scale(k);
        }
    })
}

/// A vector by the first three numbers, and a matrix row by row.
pub fn vector(numbers: &[f64]) -> Vec3<f64> {
    Vec3::new(numbers[0], numbers[1], numbers[2])
}

pub fn matrix(numbers: &[f64]) -> Mat3<f64> {
    Mat3::from_rows([0, 3, 6].map(|k| vector(&numbers[k..])))
}

/// The description of a golden file's robot.
pub fn description(robot: &Value) -> Description {
    let column = |name: &str| numbers(&robot[name]);
    let (alpha, a, d, theta) = (column("alpha"), column("a"), column("d"), column("theta"));
    let (mass, com, inertia) = (column("mass"), column("com"), column("inertia_com_xx_xy_xz_yy_yz_zz"));
    let kinds = robot["joint_type"].as_array().expect("a list of R and P");
    let joints = kinds.iter().enumerate().map(|(j, kind)| {
        let [xx, xy, xz, yy, yz, zz] = inertia[6 * j..6 * j + 6] else { unreachable!() };
        let kind = if kind == "R" { JointKind::Revolute } else { JointKind::Prismatic };
        JointDescription {
            parent: (j > 0).then(|| format!("joint{j}")),
            placement: KhalilKleinfinger {
                alpha: alpha[j],
                d: a[j],
                theta: theta[j],
                r: d[j],
                ..KhalilKleinfinger::default()
            },
            body: BodyDescription {
                mass: mass[j],
                com: vector(&com[3 * j..]),
                inertia: Sym3 { xx, xy, xz, yy, yz, zz },
            },
            ..JointDescription::new(format!("joint{}", j + 1), kind)
        }
    });
    let gravity = Vec3::new(0.0, 0.0, -robot["g"].as_f64().expect("g"));
    assert_eq!(gravity, STANDARD_GRAVITY);
    Description {
        name: robot["name"].to_string(),
        gravity,
        joints: joints.collect(),
        convention: Convention::ModifiedDh,
        ..Description::default()
    }
}

/// A golden file's robot.
pub fn robot(value: &Value) -> Mechanism {
    Mechanism::new(&description(value)).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The wrist with other working modes: mode + has ψ < 0.
pub fn wrist(modes: &[f64]) -> ClosedMechanism {
    let mut description = described("agile-wrist");
    for (joint, &mode) in description.joints.iter_mut().filter(|joint| joint.name.ends_with("psi")).zip(modes) {
        joint.branch = if mode > 0.0 { Branch::Negative } else { Branch::Positive };
    }
    ClosedMechanism::new(&description).unwrap_or_else(|error| panic!("{error}"))
}

/// A built-in robot with closed loops.
pub fn closed(name: &str) -> ClosedMechanism {
    robots::find(name).unwrap().closed()
}

/// The configuration of a pose, from home, its angles in (−π, π].
pub fn assembled(robot: &ClosedMechanism, pose: Pose<f64>) -> Configuration {
    let mut at = Configuration { pose, ..robot.home().clone() };
    let mut workspace = assembly::Workspace::new(robot);
    assembly::at_pose(robot, &mut workspace, &mut at).unwrap_or_else(|error| panic!("{error}"));
    assembly::wrap(robot, &mut at);
    at
}

/// A five-bar's configuration as a golden row gives it.
pub fn five_bar_at(row: &Value) -> Configuration {
    let (p, mut q) = (numbers(&row["p"]), numbers(&row["q_leg1"]));
    q.extend(numbers(&row["q_leg2"]));
    Configuration { q, pose: Pose { position: Vec3::new(p[0], p[1], 0.0), rotation: Mat3::identity(0.0) } }
}

/// A robot at home but for a turn about the base's z.
pub fn yawed(robot: &ClosedMechanism, yaw: f64) -> Configuration {
    let rotation = Mat3::from_roll_pitch_yaw(Vec3::new(0.0, 0.0, yaw));
    assembled(robot, Pose { rotation, ..robot.home().pose })
}

/// Efforts of the drives by legs + platform.
pub fn efforts(robot: &ClosedMechanism, at: &Configuration, r: &[f64], r_dot: &[f64]) -> Vec<f64> {
    let mut ws = legs_platform::Workspace::new(robot);
    legs_platform::inverse_dynamics(robot, &mut ws, at, r, r_dot, &[], &Sharing::default()).unwrap().to_vec()
}

/// A number of a golden file.
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The same robot with friction, rotors and springs in all joints, no two alike.
pub fn with_effects(robot: &ClosedMechanism) -> ClosedMechanism {
    let mut much = 0.5;
    robot.with_tree(|tree| {
        tree.with_effects(|_, _| {
            much += 0.1;
            JointEffects {
                friction: Friction {
                    viscous: 0.4 * much,
                    coulomb: 0.3,
                    smoothing: 0.5 * much,
                    offset: 0.1,
                    curve: Some(FrictionCurve {
                        square_root: 0.2 * much,
                        cubic: 0.1,
                        asymmetric: -0.1 * much,
                        stribeck: 0.4,
                        stribeck_speed: 0.3 * much,
                    }),
                },
                rotor: Rotor { inertia: 1e-5 * much, gear: 30.0 },
                spring: Spring { stiffness: 2.0 * much, rest: 0.2 },
            }
        })
    })
}

/// Ways to share: no preference, drives of different strengths, and these with a preload.
pub fn sharings(robot: &ClosedMechanism) -> [Sharing; 3] {
    let drives = robot.driven().len();
    let strengths: Vec<f64> = (0..drives).map(|k| 1.0 + 0.5 * k as f64).collect();
    let preload = (0..drives).map(|k| 3.0 - k as f64).collect();
    [Sharing::default(), Sharing { strengths: strengths.clone(), ..Sharing::default() }, Sharing { strengths, preload }]
}

/// The model of a law that is wrong by a tenth.
pub fn heavier(robot: &Mechanism) -> Mechanism {
    robot.with_bodies(|_, body| body.scaled(1.1))
}
