//! Rollouts move as the library's forward dynamics does, step by step in plain numbers.

use super::builtin;
use super::device::{Over, run};
use appell::Robot;
use appell::description::{BodyDescription, JointEffects, Limits};
use appell::question::{Evaluator, Question, State, Target};
use appell::sample::{Sampler, Shape};
use appell::spatial::{Sym3, Vec3};
use appell_codegen::rollout::{Channel, Cost, Law, Options, Reference, Refused, Scheme, Varied, Whose, generate};
use appell_codegen::{Owner, Parameter};
use std::collections::HashMap;

/// A question of a tree in plain numbers.
struct Asked(Evaluator, usize);

impl Asked {
    fn new(robot: &Robot, question: Question) -> Self {
        Self(Evaluator::new(robot, question, None, Target::default()).unwrap(), robot.tree().dof())
    }

    fn of(&mut self, q: &[f64], v: &[f64], third: &[f64]) -> Vec<f64> {
        let mut answer = vec![0.0; self.1];
        self.0.evaluate(&State { q, v, a: third, tau: third, ..State::default() }, &mut answer).unwrap();
        answer
    }
}

/// The state, and what it cost.
#[derive(Debug, Clone, PartialEq)]
struct Moving {
    q: Vec<f64>,
    v: Vec<f64>,
    cost: f64,
}

/// Torques and running cost at a time and a state.
type Driven<'l> = dyn FnMut(f64, &[f64], &[f64]) -> (Vec<f64>, f64) + 'l;

/// One step from a time on; `law` is given the time and the state.
fn step(plant: &mut Asked, scheme: Scheme, at: &Moving, [t, dt]: [f64; 2], law: &mut Driven<'_>) -> Moving {
    let ahead = |x: &[f64], h: f64, rate: &[f64]| x.iter().zip(rate).map(|(x, rate)| x + h * rate).collect::<Vec<_>>();
    let mut rate = |t: f64, q: &[f64], v: &[f64]| {
        let (tau, cost) = law(t, q, v);
        (plant.of(q, v, &tau), cost)
    };
    match scheme {
        Scheme::SemiImplicit => {
            let (a, cost) = rate(t, &at.q, &at.v);
            let v = ahead(&at.v, dt, &a);
            Moving { q: ahead(&at.q, dt, &v), v, cost: at.cost + dt * cost }
        }
        Scheme::RungeKutta4 => {
            let mut next = at.clone();
            let (mut q, mut v) = (at.q.clone(), at.v.clone());
            for (part, weight, far) in [(0.0, 1.0, 0.5), (0.5, 2.0, 0.5), (0.5, 2.0, 1.0), (1.0, 1.0, 0.0)] {
                let (a, cost) = rate(t + part * dt, &q, &v);
                let share = weight * dt / 6.0;
                next = Moving {
                    q: ahead(&next.q, share, &v),
                    v: ahead(&next.v, share, &a),
                    cost: next.cost + share * cost,
                };
                (q, v) = (ahead(&at.q, far * dt, &v), ahead(&at.v, far * dt, &a));
            }
            next
        }
    }
}

/// A passage of fifth degree: q_d, q̇_d, q̈_d of a joint.
fn passage(t: f64, start: f64, goal: f64, time: f64) -> [f64; 3] {
    let s = (t / time).min(1.0);
    let way = goal - start;
    [
        start + way * (10.0 * s.powi(3) - 15.0 * s.powi(4) + 6.0 * s.powi(5)),
        way * (30.0 * s.powi(2) - 60.0 * s.powi(3) + 30.0 * s.powi(4)) / time,
        way * (60.0 * s - 180.0 * s.powi(2) + 120.0 * s.powi(3)) / (time * time),
    ]
}

/// Entry k of robot i from rows by robot.
fn by_entry(rows: &[Vec<f64>]) -> Vec<f64> {
    (0..rows[0].len()).flat_map(|k| rows.iter().map(move |row| row[k])).collect()
}

#[track_caller]
fn assert_near(found: f64, expected: f64, size: f64, label: &str) {
    assert!((found - expected).abs() <= 1e-10 * size.max(expected.abs()), "{label}: {found:e}, not {expected:e}");
}

const ROBOTS: usize = 4;
const STEPS: usize = 200;

/// Computed torque of the nominal arm on arms with other masses, inertias, friction and loads: by both schemes, over plain
/// numbers and lanes, with all that can be stored.
#[test]
fn computed_torque_of_pumas_with_masses_of_their_own() {
    let puma = builtin("puma560");
    let joints = puma.tree().dof();
    let at = Vec3::new(0.05, -0.02, 0.1);
    let parameters: Vec<Parameter> = ["m2", "cx3", "Izz3"].map(|word| word.parse().unwrap()).to_vec();
    let mut varied: Vec<Varied> = parameters.iter().copied().map(Varied::Body).collect();
    varied.push(Varied::Viscous(1));
    varied.push(Varied::Payload { owner: Owner::Body(5), at });
    let mut sampler = Sampler::new(3);
    let mut of_robots = |limits: &[f64]| -> Vec<Vec<f64>> {
        (0..ROBOTS).map(|_| limits.iter().map(|&limit| sampler.within(limit)).collect()).collect()
    };
    let (starts, goals, rates) = (of_robots(&[1.0; 6]), of_robots(&[1.0; 6]), of_robots(&[0.3; 6]));
    let off = of_robots(&[0.1; 5]);
    let p: Vec<Vec<f64>> = off
        .iter()
        .map(|off| {
            let nominal = |k: usize| parameters[k].of(&puma).unwrap() * (1.0 + off[k]);
            vec![nominal(0), nominal(1), nominal(2), 1.0 + off[3], 2.0 + off[4]]
        })
        .collect();
    let (kp, kd, time, dt) = (100.0, 20.0, 0.15, 1e-3);
    for scheme in [Scheme::SemiImplicit, Scheme::RungeKutta4] {
        let options = Options {
            varied: varied.clone(),
            scheme,
            steps: STEPS,
            stored: vec![Channel::Positions, Channel::Torques, Channel::Velocities],
            stride: 20,
            cost: Some(Cost::quadratic(&puma, Reference::Passage, Whose::Own)),
            ..Options::new(Law::computed_torque(&puma, Reference::Passage, Whose::Own))
        };
        let rollout = generate(&puma, &options).unwrap();
        assert_eq!((rollout.rows, rollout.columns.len(), rollout.own.len()), (10, 18, 26));
        let weights = [1.0, 0.1, 1e-4, 50.0, 5.0];
        let shared: Vec<f64> = [kp, kd].iter().chain(&weights).flat_map(|&x| [x; 6]).collect();
        assert_eq!(rollout.shared.len(), shared.len());
        let numbers = |i: usize| [&starts[i][..], &goals[i], &[time]].concat();
        let own: Vec<Vec<f64>> = (0..ROBOTS).map(|i| [numbers(i), numbers(i)].concat()).collect();
        let given = HashMap::from([
            ("q0", by_entry(&starts)),
            ("v0", by_entry(&rates)),
            ("p", by_entry(&p)),
            ("own", by_entry(&own)),
            ("shared", shared),
            ("dt", vec![dt]),
            ("steps", vec![STEPS as f64]),
        ]);
        let label = format!("puma-{scheme:?}");
        let found = run(&label, &rollout.code, ROBOTS, &given, Over::Doubles);
        let in_lanes = run(&label, &rollout.code, ROBOTS, &given, Over::Lanes);
        let mut model = Asked::new(&puma, Question::InverseDynamics);
        for i in 0..ROBOTS {
            let own = parameters.iter().zip(&p[i]).fold(puma.clone(), |robot, (one, &value)| one.put(&robot, value));
            let names = puma.tree().joint_names();
            let own = own.tree().with_effects(|name, mut effects| {
                if name == names[1] {
                    effects.friction.viscous = p[i][3];
                }
                effects
            });
            let own = own.with_bodies(|name, body| if name == names[5] { loaded(&body, p[i][4], at) } else { body });
            let mut plant = Asked::new(&Robot::from(own), Question::ForwardDynamics);
            let desired = |t: f64| (0..joints).map(|j| passage(t, starts[i][j], goals[i][j], time)).collect::<Vec<_>>();
            let squares = |t: f64, q: &[f64], v: &[f64], of: [f64; 2]| -> f64 {
                let one = |(j, d): (usize, [f64; 3])| of[0] * (q[j] - d[0]).powi(2) + of[1] * (v[j] - d[1]).powi(2);
                desired(t).into_iter().enumerate().map(one).sum()
            };
            let mut law = |t: f64, q: &[f64], v: &[f64]| {
                let demand = |(j, d): (usize, [f64; 3])| d[2] + kd * (d[1] - v[j]) + kp * (d[0] - q[j]);
                let demand: Vec<f64> = desired(t).into_iter().enumerate().map(demand).collect();
                let tau = model.of(q, v, &demand);
                let cost =
                    squares(t, q, v, [weights[0], weights[1]]) + weights[2] * tau.iter().map(|x| x * x).sum::<f64>();
                (tau, cost)
            };
            let mut at = Moving { q: starts[i].clone(), v: rates[i].clone(), cost: 0.0 };
            for k in 0..STEPS {
                let t = k as f64 * dt;
                let (tau, _) = law(t, &at.q, &at.v);
                at = step(&mut plant, scheme, &at, [t, dt], &mut law);
                if (k + 1) % 20 == 0 {
                    let row = [&at.q[..], &tau, &at.v].concat();
                    for (c, x) in row.iter().enumerate() {
                        let place = ((k / 20) * 18 + c) * ROBOTS + i;
                        let size = if (6..12).contains(&c) { 100.0 } else { 1.0 };
                        assert_near(found["samples"][place], *x, size, &format!("{label} step {k} column {c} of {i}"));
                    }
                }
            }
            for j in 0..joints {
                assert_near(found["q"][j * ROBOTS + i], at.q[j], 1.0, &format!("{label} q{j} of {i}"));
                assert_near(found["v"][j * ROBOTS + i], at.v[j], 1.0, &format!("{label} v{j} of {i}"));
            }
            let total = at.cost + squares(STEPS as f64 * dt, &at.q, &at.v, [weights[3], weights[4]]);
            assert_near(found["cost"][i], total, 1.0, &format!("{label} cost of {i}"));
            assert_eq!(found["off"][i], 0.0);
        }
        for (port, numbers) in &found {
            let largest = numbers.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
            let pairs = numbers.iter().zip(&in_lanes[port]);
            pairs.for_each(|(x, y)| assert_near(*y, *x, largest, &format!("{label} {port} in lanes")));
        }
    }
}

/// A body with a mass at a point.
fn loaded(body: &BodyDescription, mass: f64, at: Vec3<f64>) -> BodyDescription {
    let whole = body.mass + mass;
    let com = (body.com.scale(body.mass) + at.scale(mass)).scale(1.0 / whole);
    let about_origin = body.inertia + Sym3::of_point_mass(body.mass, body.com) + Sym3::of_point_mass(mass, at);
    let inertia = about_origin + Sym3::of_point_mass(-whole, com);
    BodyDescription { mass: whole, com, inertia }
}

/// A tree with friction of all shapes, springs and rotors, of which some friction is every robot's own: a law by gravity and
/// errors along a sinusoid that all share, and open torques of every robot.
#[test]
fn a_tree_with_friction_of_its_own() {
    let mut sampler = Sampler::new(5);
    let bare = sampler.robot(4, Shape::Tree);
    let tree = Robot::from(sampler.with_effects(&bare));
    let names = tree.tree().joint_names().to_vec();
    let dt = 2e-4;
    let varied = vec![Varied::Coulomb(1), Varied::Viscous(2)];
    let state = |seed: u64| Sampler::new(seed).state(tree.tree());
    let p: Vec<Vec<f64>> = (0..ROBOTS).map(|i| vec![1.0 + 0.3 * i as f64, 0.5 + 0.2 * i as f64]).collect();
    let of = |i: usize| {
        let changed = tree.tree().with_effects(|name, effects: JointEffects| {
            let mut friction = effects.friction;
            if name == names[1] {
                friction.coulomb = p[i][0];
            }
            if name == names[2] {
                friction.viscous = p[i][1];
            }
            JointEffects { friction, ..effects }
        });
        Asked::new(&Robot::from(changed), Question::ForwardDynamics)
    };
    let start: Vec<Moving> =
        (0..ROBOTS as u64).map(|seed| Moving { q: state(seed).q, v: state(seed).v, cost: 0.0 }).collect();
    let basic = |scheme| {
        HashMap::from([
            ("q0", by_entry(&start.iter().map(|at| at.q.clone()).collect::<Vec<_>>())),
            ("v0", by_entry(&start.iter().map(|at| at.v.clone()).collect::<Vec<_>>())),
            ("p", by_entry(&p)),
            ("dt", vec![dt]),
            ("steps", vec![STEPS as f64 + if scheme == Scheme::SemiImplicit { 0.0 } else { 7.0 }]),
        ])
    };
    for scheme in [Scheme::SemiImplicit, Scheme::RungeKutta4] {
        // Open torques: more steps than it was generated for are not made.
        let options = Options { varied: varied.clone(), scheme, steps: STEPS, ..Options::new(Law::open(Whose::Own)) };
        let rollout = generate(&tree, &options).unwrap();
        let torques: Vec<Vec<f64>> = (0..ROBOTS as u64)
            .map(|seed| (0..STEPS as u64).flat_map(|k| state(1000 * seed + k).tau).collect())
            .collect();
        let mut given = basic(scheme);
        given.insert("torques", by_entry(&torques));
        let found = run(&format!("open-{scheme:?}"), &rollout.code, ROBOTS, &given, Over::Lanes);
        // Gravity and errors along a sinusoid.
        let law = Law::gravity_and_pd(&tree, Reference::Sinusoid, Whose::Shared);
        let options = Options { varied: varied.clone(), scheme, steps: STEPS, ..Options::new(law) };
        let rollout = generate(&tree, &options).unwrap();
        let sinusoid = [[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [3.0, 4.0, 5.0, 6.0], [0.0, 0.5, 1.0, 1.5]];
        let gains = [[30.0; 4], [5.0; 4]];
        let mut given = basic(Scheme::SemiImplicit);
        given.insert("shared", gains.iter().chain(&sinusoid).flatten().copied().collect());
        let guided = run(&format!("guided-{scheme:?}"), &rollout.code, ROBOTS, &given, Over::Doubles);
        let mut gravity = Asked::new(&tree, Question::Gravity);
        for i in 0..ROBOTS {
            let mut plant = of(i);
            let mut at = [start[i].clone(), start[i].clone()];
            for k in 0..STEPS {
                let t = k as f64 * dt;
                let tau = torques[i][4 * k..4 * k + 4].to_vec();
                at[0] = step(&mut plant, scheme, &at[0], [t, dt], &mut |_, _, _| (tau.clone(), 0.0));
                let mut law = |t: f64, q: &[f64], v: &[f64]| {
                    let mut tau = gravity.of(q, v, &[]);
                    for (j, tau) in tau.iter_mut().enumerate() {
                        let (sin, cos) = (sinusoid[2][j] * t + sinusoid[3][j]).sin_cos();
                        let desired = sinusoid[0][j] + sinusoid[1][j] * sin;
                        let rate = sinusoid[1][j] * sinusoid[2][j] * cos;
                        *tau += 30.0 * (desired - q[j]) + 5.0 * (rate - v[j]);
                    }
                    (tau, 0.0)
                };
                at[1] = step(&mut plant, scheme, &at[1], [t, dt], &mut law);
            }
            for j in 0..4 {
                for (found, at) in [(&found, &at[0]), (&guided, &at[1])] {
                    assert_near(found["q"][j * ROBOTS + i], at.q[j], 1.0, &format!("{scheme:?} q{j} of {i}"));
                    assert_near(found["v"][j * ROBOTS + i], at.v[j], 10.0, &format!("{scheme:?} v{j} of {i}"));
                }
            }
        }
    }
}

/// What leaves the limits stands still from then on, and others move.
#[test]
fn limits_end_a_rollout() {
    let (arm, joints) = (builtin("scara"), 4);
    let free =
        Limits { lower: f64::NEG_INFINITY, upper: f64::INFINITY, velocity: f64::INFINITY, effort: f64::INFINITY };
    // The numbers of a law as an expression: a push that every robot has, and damping that all share.
    let law = || {
        Law::of(vec!["damping".into()], vec!["push".into()], |moment| {
            let damped = |&v: &_| -(moment.shared[0] * v);
            let mut tau: Vec<_> = moment.v.iter().map(damped).collect();
            let held = moment.gravity();
            tau.iter_mut().zip(held).for_each(|(tau, held)| *tau = *tau + held);
            tau[0] = tau[0] + moment.own[0];
            tau
        })
    };
    let limits = vec![Limits { lower: -1.0, upper: 0.5, ..free }, Limits { velocity: 50.0, ..free }, free, free];
    let with = |limits| Options { limits, steps: STEPS, stored: vec![Channel::Positions], ..Options::new(law()) };
    let rollout = generate(&arm, &with(limits)).unwrap();
    let push = vec![0.0, 10.0, -10.0, f64::NAN];
    let given = HashMap::from([
        ("q0", vec![0.1; joints * ROBOTS]),
        ("v0", vec![0.0; joints * ROBOTS]),
        ("own", push),
        ("shared", vec![1e-3]),
        ("dt", vec![0.01]),
        ("steps", vec![STEPS as f64]),
    ]);
    let found = run("limits", &rollout.code, ROBOTS, &given, Over::Lanes);
    let ended = &found["ended"];
    assert_eq!((ended[0], ended[3]), (STEPS as f64, 0.0), "{ended:?}");
    assert_eq!(found["off"], [0.0; 4], "a robot that ends has numbers that are finite");
    for i in [1, 2] {
        let way = |k: usize| found["samples"][k * joints * ROBOTS + i];
        let last = ended[i] as usize;
        assert!((2..STEPS - 2).contains(&last), "{ended:?}");
        assert!((-1.0..0.5).contains(&way(last - 1)) && way(last) == way(last - 1), "{} {}", way(last - 1), way(last));
        let next = 2.0 * way(last - 1) - way(last - 2);
        assert!(!(-0.95..0.45).contains(&next), "it was about to leave: {next}");
        assert_eq!(found["q"][i], way(last - 1));
    }
    // Without limits it goes on, and what is not finite is told.
    let rollout = generate(&arm, &with(Vec::new())).unwrap();
    let found = run("no-limits", &rollout.code, ROBOTS, &given, Over::Doubles);
    assert!(found["q"][1] > 0.5 && found["off"][3].is_nan() && found["off"][0] == 0.0);
}

#[test]
fn what_cannot_be_rolled_out_says_why() {
    let refused = |robot: &Robot, options: &Options<'_>| generate(robot, options).unwrap_err();
    let arm = builtin("two-link");
    let open = || Options::new(Law::open(Whose::Shared));
    let none = Law::of(vec![], vec![], |_| Vec::new());
    assert_eq!(refused(&arm, &Options::new(none)), Refused::Torques { found: 0, joints: 2 });
    assert_eq!(refused(&arm, &Options { stride: 0, ..open() }), Refused::Stride);
    let free = Limits { lower: -1.0, upper: 1.0, velocity: f64::INFINITY, effort: f64::INFINITY };
    let limited = Options { limits: vec![free], ..open() };
    assert_eq!(refused(&arm, &limited), Refused::Limits { found: 1, joints: 2 });
    let twice = Options { varied: vec![Varied::Viscous(0); 2], ..open() };
    assert!(refused(&arm, &twice).to_string().contains("fv1"));
    let unknown = Options { varied: vec![Varied::Viscous(2)], ..open() };
    assert!(refused(&arm, &unknown).to_string().contains("2 joints"));
    let sharp = Options { varied: vec![Varied::Coulomb(0)], ..open() };
    let Refused::Jumps { joint } = refused(&arm, &sharp) else { panic!("friction that jumps") };
    assert_eq!(joint, arm.tree().joint_names()[0]);
    let free = Robot::new(Sampler::new(1).description(4, Shape::Mixed)).unwrap();
    if free.tree().coordinates().is_some() {
        assert!(matches!(refused(&free, &open()), Refused::Robot { .. }));
    }
}
