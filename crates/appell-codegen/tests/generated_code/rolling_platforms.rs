//! Rollouts of parallel robots move as the library's formulations do, and keep their loops closed.

use super::builtin;
use super::device::{Over, run};
use appell::Robot;
use appell::closed::coordinates::Coordinates;
use appell::closed::drives::Sharing;
use appell::closed::formulation::{self, Formulation, Workspace};
use appell::closed::{ClosedMechanism, Configuration, assembly};
use appell::description::Limits;
use appell::sample::Sampler;
use appell::spatial::{Quaternion, Vec3};
use appell_codegen::Owner;
use appell_codegen::rollout::{
    By, Channel, Cost, Law, Options, Reference, Refused, Scheme, Varied, Whose, generate, gradient,
};
use std::collections::HashMap;

const STEPS: usize = 100;

/// Accelerations of the drives that are asked for, of their positions and velocities.
type Demand<'d> = dyn Fn(&[f64], &[f64]) -> Vec<f64> + 'd;

/// A robot in plain numbers: its own, and the one that the law knows.
struct Plain {
    own: ClosedMechanism,
    nominal: ClosedMechanism,
    viscous: f64, // of the first drive
    legs: assembly::Workspace,
    ws: [Workspace<f64>; 2],
    at: Configuration,
}

impl Plain {
    fn new(nominal: &ClosedMechanism, own: ClosedMechanism, viscous: f64) -> Self {
        // Some formulations keep the masses of their robot.
        let ws = |robot: &ClosedMechanism| Workspace::new(robot, Formulation::of(robot)[0]);
        let ws = [ws(nominal), ws(&own)];
        let (legs, at) = (assembly::Workspace::new(nominal), nominal.home().clone());
        Self { own, nominal: nominal.clone(), viscous, legs, ws, at }
    }

    /// Brings all joints to a pose.
    fn place(&mut self, pose: &[f64]) {
        self.at.q.copy_from_slice(&self.nominal.home().q);
        self.at.pose.position = Vec3::new(pose[0], pose[1], pose[2]);
        let length = pose[3..].iter().map(|x| x * x).sum::<f64>().sqrt();
        let [x, y, z, w] = [3, 4, 5, 6].map(|k| pose[k] / length);
        self.at.pose.rotation = Quaternion { x, y, z, w }.rotation();
        assembly::at_pose(&self.nominal, &mut self.legs, &mut self.at).unwrap();
    }

    fn drives(&self) -> Vec<f64> {
        self.nominal.driven().iter().map(|&j| self.at.q[j]).collect()
    }

    /// Computed torque with the errors that `demand` makes of positions and velocities of the drives, and what the robot's own
    /// forward dynamics makes of it.
    fn rates(&mut self, pose: &[f64], r: &[f64], demand: &Demand<'_>) -> (Vec<f64>, Vec<f64>) {
        self.place(pose);
        let Self { own, nominal, at, ws: [ws, own_ws], .. } = self;
        let n = r.len();
        let j_inv = formulation::inverse_jacobian(nominal, ws, at).unwrap().to_vec();
        let speeds: Vec<f64> = j_inv.chunks(n).map(|row| row.iter().zip(r).map(|(j, r)| j * r).sum()).collect();
        let by_motion = formulation::motion(nominal, ws, at, r, &vec![0.0; n]).unwrap().1.to_vec();
        let q: Vec<f64> = nominal.driven().iter().map(|&j| at.q[j]).collect();
        let wanted = demand(&q, &speeds);
        let rest: Vec<f64> = nominal.driven().iter().zip(&wanted).map(|(&j, a)| a - by_motion[j]).collect();
        let r_dot = solved(j_inv, rest);
        let sharing = Sharing::default();
        let tau = formulation::inverse_dynamics(nominal, ws, at, r, &r_dot, &[], &sharing).unwrap().to_vec();
        let mut left = tau.clone();
        left[0] -= self.viscous * speeds[0];
        (formulation::forward_dynamics(own, own_ws, at, r, &left, &[]).unwrap().to_vec(), tau)
    }
}

/// x with A x = b, by elimination with the largest pivot of each column.
fn solved(mut a: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).unwrap();
        (0..n).for_each(|c| a.swap(k * n + c, best * n + c));
        b.swap(k, best);
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i * n + k] / a[k * n + k];
            (k..n).for_each(|c| a[i * n + c] -= factor * a[k * n + c]);
            b[i] -= factor * b[k];
        }
    }
    (0..n).map(|k| b[k] / a[k * n + k]).collect()
}

/// ½ (ω, 0) Q, by the product of quaternions, and the platform's velocity, of independent velocities at these places.
fn pose_rates(freedoms: &[usize], pose: &[f64], r: &[f64]) -> Vec<f64> {
    let mut twist = [0.0; 6];
    freedoms.iter().zip(r).for_each(|(&k, r)| twist[k] = *r);
    let [a, v] = [Vec3::new(twist[3], twist[4], twist[5]), Vec3::new(pose[3], pose[4], pose[5])];
    let turned = v.cross(a).scale(-1.0) + a.scale(pose[6]);
    let of_quaternion = [turned.x, turned.y, turned.z, -a.dot(v)].map(|x| 0.5 * x);
    [&twist[..3], &of_quaternion].concat()
}

fn ahead(x: &[f64], h: f64, rate: &[f64]) -> Vec<f64> {
    x.iter().zip(rate).map(|(x, rate)| x + h * rate).collect()
}

fn by_entry(rows: &[Vec<f64>]) -> Vec<f64> {
    (0..rows[0].len()).flat_map(|k| rows.iter().map(move |row| row[k])).collect()
}

#[track_caller]
fn assert_near(tolerance: f64, found: f64, expected: f64, label: &str) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1.0), "{label}: {found:e}, not {expected:e}");
}

/// Computed torque of the drives on robots with platforms of other masses, loads and friction, by both schemes; the pose
/// stays one of the robot's to rounding.
#[test]
fn computed_torque_of_parallel_robots_by_their_drives() {
    const ROBOTS: usize = 2;
    for (name, scheme, over) in [
        ("five-bar", Scheme::RungeKutta4, Over::Lanes),
        ("five-bar", Scheme::SemiImplicit, Over::Doubles),
        ("delta", Scheme::RungeKutta4, Over::Lanes),
        ("planar-3rrr", Scheme::RungeKutta4, Over::Doubles),
        ("gough-stewart", Scheme::RungeKutta4, Over::Lanes),
        ("gough-stewart", Scheme::SemiImplicit, Over::Doubles),
        ("agile-wrist", Scheme::RungeKutta4, Over::Doubles),
    ] {
        let robot = builtin(name);
        let closed = robot.closed().unwrap();
        let (dof, n, drives) = (closed.tree().dof(), closed.freedoms().len(), closed.driven().len());
        let freedoms: Vec<usize> = closed.freedoms().iter().map(|&k| k - dof).collect();
        let at = Vec3::new(0.01, 0.02, -0.01);
        let varied = vec![
            Varied::Body("mP".parse().unwrap()),
            Varied::Viscous(closed.driven()[0]),
            Varied::Payload { owner: Owner::Platform, at },
        ];
        let reference = Reference::Passage;
        let options = Options {
            varied: varied.clone(),
            scheme,
            steps: STEPS,
            stored: vec![Channel::Positions, Channel::Velocities, Channel::Torques],
            stride: 10,
            cost: Some(Cost::of(vec![], vec![], |moment| moment.r[0] * moment.r[0], |moment| moment.pose[1])),
            ..Options::new(Law::computed_torque(&robot, reference, Whose::Own))
        };
        let rollout = generate(&robot, &options).unwrap();
        let width = 7 + n + drives;
        assert_eq!((rollout.rows, rollout.columns.len()), (10, width), "{name}");
        let (kp, kd, time, dt) = (100.0, 20.0, 0.2, 2e-3);
        let mut plain = Plain::new(closed, closed.clone(), 0.0);
        let starts: Vec<(Vec<f64>, Vec<f64>)> = (0..ROBOTS as u64)
            .map(|seed| {
                let state = Sampler::new(seed).closed_state(closed);
                // Near home, where all legs are in its working mode; slowly.
                let [home, far] = [closed.home(), &state.at].map(|at| {
                    let Quaternion { x, y, z, w } = Quaternion::of_rotation(&at.pose.rotation);
                    [&at.pose.position.to_array()[..], &[x, y, z, w]].concat()
                });
                let pose = home.iter().zip(far).map(|(home, far)| home + 0.3 * (far - home)).collect();
                (pose, state.r.iter().map(|r| 0.1 * r).collect())
            })
            .collect();
        let p: Vec<Vec<f64>> = (0..ROBOTS)
            .map(|i| vec![varied[0].of(&robot).unwrap() * (1.1 + 0.1 * i as f64), 0.5, 0.2 * i as f64])
            .collect();
        let own: Vec<Vec<f64>> = starts
            .iter()
            .map(|(pose, _)| {
                plain.place(pose);
                let start = plain.drives();
                let goal: Vec<f64> = start.iter().enumerate().map(|(k, q)| q + 0.02 * (k as f64 - 1.0)).collect();
                [start, goal, vec![time]].concat()
            })
            .collect();
        let (poses, rates): (Vec<_>, Vec<_>) = starts.iter().cloned().unzip();
        let given = HashMap::from([
            ("q0", by_entry(&poses)),
            ("v0", by_entry(&rates)),
            ("p", by_entry(&p)),
            ("own", by_entry(&own)),
            ("shared", [vec![kp; drives], vec![kd; drives]].concat()),
            ("dt", vec![dt]),
            ("steps", vec![STEPS as f64]),
        ]);
        let label = format!("{name}-{scheme:?}");
        let found = run(&label, &rollout.code, ROBOTS, &given, over);
        for i in 0..ROBOTS {
            let body = robot.platform().unwrap().body();
            let heavier = closed.with_platform(&appell::description::BodyDescription { mass: p[i][0], ..body });
            let point = appell::description::BodyDescription {
                mass: p[i][2],
                com: at,
                inertia: appell::spatial::Sym3::zero(0.0),
            };
            let mut plain = Plain::new(closed, heavier.with_payload(&point), p[i][1]);
            let (mut pose, mut r, mut cost) = (starts[i].0.clone(), starts[i].1.clone(), 0.0);
            for k in 0..STEPS {
                let t = k as f64 * dt;
                let mut rate = |t: f64, pose: &[f64], r: &[f64]| {
                    let demand = |q: &[f64], v: &[f64]| -> Vec<f64> {
                        let s: f64 = (t / time).min(1.0);
                        let one = |j: usize| {
                            let (start, way) = (own[i][j], own[i][drives + j] - own[i][j]);
                            let desired = start + way * (10.0 * s.powi(3) - 15.0 * s.powi(4) + 6.0 * s.powi(5));
                            let speed = way * (30.0 * s.powi(2) - 60.0 * s.powi(3) + 30.0 * s.powi(4)) / time;
                            let rate = way * (60.0 * s - 180.0 * s.powi(2) + 120.0 * s.powi(3)) / (time * time);
                            rate + kd * (speed - v[j]) + kp * (desired - q[j])
                        };
                        (0..drives).map(one).collect()
                    };
                    plain.rates(pose, r, &demand)
                };
                let (a, tau) = rate(t, &pose, &r);
                match scheme {
                    Scheme::SemiImplicit => {
                        cost += dt * r[0] * r[0];
                        r = ahead(&r, dt, &a);
                        pose = ahead(&pose, dt, &pose_rates(&freedoms, &pose, &r));
                    }
                    Scheme::RungeKutta4 => {
                        let (mut next, mut next_r, mut stage, mut stage_r) =
                            (pose.clone(), r.clone(), pose.clone(), r.clone());
                        for (part, weight, far) in [(0.0, 1.0, 0.5), (0.5, 2.0, 0.5), (0.5, 2.0, 1.0), (1.0, 1.0, 0.0)]
                        {
                            let (a, _) = rate(t + part * dt, &stage, &stage_r);
                            let way = pose_rates(&freedoms, &stage, &stage_r);
                            let share = weight * dt / 6.0;
                            cost += share * stage_r[0] * stage_r[0];
                            (next, next_r) = (ahead(&next, share, &way), ahead(&next_r, share, &a));
                            (stage, stage_r) = (ahead(&pose, far * dt, &way), ahead(&r, far * dt, &a));
                        }
                        (pose, r) = (next, next_r);
                    }
                }
                let length = pose[3..].iter().map(|x| x * x).sum::<f64>().sqrt();
                pose[3..].iter_mut().for_each(|x| *x /= length);
                if (k + 1) % 10 == 0 {
                    let row = [&pose[..], &r, &tau].concat();
                    let largest = tau.iter().fold(1.0_f64, |most, tau| most.max(tau.abs()));
                    for (c, x) in row.iter().enumerate() {
                        let place = ((k / 10) * width + c) * ROBOTS + i;
                        let size = if c < 7 + n { 1.0 } else { largest };
                        assert_near(
                            1e-9 * size,
                            found["samples"][place],
                            *x,
                            &format!("{label} step {k} column {c} of {i}"),
                        );
                    }
                }
            }
            for (k, x) in pose.iter().enumerate() {
                assert_near(1e-10, found["q"][k * ROBOTS + i], *x, &format!("{label} pose {k} of {i}"));
            }
            assert_near(1e-9, found["cost"][i], cost + pose[1], &format!("{label} cost of {i}"));
            let violation = found["violation"][i];
            assert!(violation <= 1e-12 * closed.length(), "{label}: loops are open by {violation:e}");
            assert_eq!(found["off"][i], 0.0);
        }
    }
}

/// Of a 3-RPS three components of the twist depend on the pose: it moves as in the library's local coordinates by the same
/// scheme, of fourth order both, and its loops stay closed to rounding.
#[test]
fn a_platform_whose_twist_depends_on_its_pose() {
    let robot = builtin("3-rps");
    let closed = robot.closed().unwrap();
    let (dof, n) = (closed.tree().dof(), closed.freedoms().len());
    let options = Options { steps: STEPS, ..Options::new(Law::open(Whose::Shared)) };
    let rollout = generate(&robot, &options).unwrap();
    let mut ws = Workspace::new(closed, Formulation::of(closed)[0]);
    let rest = vec![0.0; n];
    let home = closed.home();
    let held = formulation::inverse_dynamics(closed, &mut ws, home, &rest, &rest, &[], &Sharing::default()).unwrap();
    let tau: Vec<f64> = held.iter().enumerate().map(|(k, tau)| tau * (1.0 + 0.1 * k as f64)).collect();
    let start = vec![0.1, 0.8, -0.5];
    let Quaternion { x, y, z, w } = Quaternion::of_rotation(&home.pose.rotation);
    let pose = [&home.pose.position.to_array()[..], &[x, y, z, w]].concat();
    let far = |steps: usize, dt: f64| {
        let given = HashMap::from([
            ("q0", pose.clone()),
            ("v0", start.clone()),
            ("torques", tau.repeat(STEPS)),
            ("dt", vec![dt]),
            ("steps", vec![steps as f64]),
        ]);
        run(&format!("3-rps-{steps}"), &rollout.code, 1, &given, Over::Doubles)
    };
    let found = far(STEPS, 2e-3);
    let coarse = far(STEPS / 2, 4e-3);
    // In local coordinates about home.
    let mut coordinates = Coordinates::new(closed);
    coordinates.anchor(home);
    let mut at = home.clone();
    let mut rate = |x: &[f64], r: &[f64]| {
        coordinates.place(closed, x, &mut at).unwrap();
        let u = formulation::motion(closed, &mut ws, &at, r, &rest).unwrap().0.to_vec();
        let mut rates = vec![0.0; n];
        coordinates.rates(closed, &u, &mut rates);
        (rates, formulation::forward_dynamics(closed, &mut ws, &at, r, &tau, &[]).unwrap().to_vec(), at.clone(), u)
    };
    let (mut x, mut r, dt) = (vec![0.0; n], start.clone(), 1e-3);
    for _ in 0..2 * STEPS {
        let (mut next, mut next_r, mut stage, mut stage_r) = (x.clone(), r.clone(), x.clone(), r.clone());
        for (weight, far) in [(1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (1.0, 0.0)] {
            let (way, a, ..) = rate(&stage, &stage_r);
            (next, next_r) = (ahead(&next, weight * dt / 6.0, &way), ahead(&next_r, weight * dt / 6.0, &a));
            (stage, stage_r) = (ahead(&x, far * dt, &way), ahead(&r, far * dt, &a));
        }
        (x, r) = (next, next_r);
    }
    let (.., at, u) = rate(&x, &r);
    let expected = at.pose.position.to_array();
    let off = |found: &HashMap<String, Vec<f64>>| {
        (0..3).map(|k| (found["q"][k] - expected[k]).abs()).fold(0.0, f64::max)
            + (0..n).map(|k| (found["v"][k] - r[k]).abs()).fold(0.0, f64::max)
    };
    assert!(u[dof].abs() > 1e-4, "it moves along what depends on the pose: {u:?}");
    assert!((expected[2] - home.pose.position.z).abs() > 1e-3, "it moves");
    let (fine, coarse_off) = (off(&found), off(&coarse));
    assert!(fine < 1e-7 && fine < coarse_off / 8.0, "{fine:e} {coarse_off:e}");
    for found in [found, coarse] {
        assert!(found["violation"][0] <= 1e-10 * closed.length(), "{:e}", found["violation"][0]);
        assert_eq!(found["off"], [0.0]);
    }
}

/// Drives end at their limits; poses out of reach are told.
#[test]
fn drives_of_a_platform_end_a_rollout() {
    let robot = builtin("five-bar");
    let closed = robot.closed().unwrap();
    let push = Law::of(vec![], vec!["push".into()], |moment| {
        let held = moment.gravity();
        vec![held[0] + moment.own[0], held[1]]
    });
    let driven = closed.driven()[0];
    let home = closed.home().q[driven];
    let free = Limits { lower: f64::NEG_INFINITY, upper: f64::INFINITY, velocity: 100.0, effort: f64::INFINITY };
    let limits = vec![Limits { lower: home - 0.1, upper: home + 0.1, ..free }, free];
    let options = Options { limits, steps: STEPS, ..Options::new(push) };
    let rollout = generate(&robot, &options).unwrap();
    let pose = [0.0, 0.4, 0.0, 0.0, 0.0, 0.0, 1.0];
    // Of the last robot the start is out of reach.
    let starts: Vec<Vec<f64>> = [0.4, 0.4, 0.4, 4.0].map(|y| [&[pose[0], y], &pose[2..]].concat()).to_vec();
    let given = HashMap::from([
        ("q0", by_entry(&starts)),
        ("v0", vec![0.0; 8]),
        ("own", vec![0.0, 2.0, -2.0, 0.0]),
        ("dt", vec![2e-3]),
        ("steps", vec![STEPS as f64]),
    ]);
    let found = run("five-bar-limits", &rollout.code, 4, &given, Over::Lanes);
    let ended = &found["ended"];
    assert!(ended[0] == STEPS as f64 && ended[3] == 0.0, "{ended:?}");
    assert!((1.0..STEPS as f64).contains(&ended[1]) && (1.0..STEPS as f64).contains(&ended[2]), "{ended:?}");
    assert!(found["off"][3].is_nan() && found["violation"][3].is_nan(), "it stands where loops cannot close");
    let mut plain = Plain::new(closed, closed.clone(), 0.0);
    for i in 0..3 {
        let pose: Vec<f64> = (0..7).map(|k| found["q"][k * 4 + i]).collect();
        plain.place(&pose);
        assert!((plain.at.q[driven] - home).abs() <= 0.1, "{i}: {}", plain.at.q[driven]);
        assert!(found["violation"][i] < 1e-13);
    }
}

#[test]
fn loops_that_cannot_be_rolled_out_say_why() {
    let open = || Options::new(Law::open(Whose::Shared));
    let refused = |robot: &Robot, options: &Options<'_>| generate(robot, options).unwrap_err().to_string();
    for (name, why) in [("four-bar", "closed forms"), ("tricept", "closed forms"), ("exechon", "closed forms")] {
        let said = refused(&builtin(name), &open());
        assert!(said.contains(why), "{name}: {said}");
    }
    let platform = builtin("gough-stewart");
    let closed = platform.closed().unwrap();
    let passive = (0..18).find(|j| !closed.driven().contains(j)).unwrap();
    let passive = Options { varied: vec![Varied::Viscous(passive)], ..open() };
    assert!(refused(&platform, &passive).contains("not driven"));
    let cost = Some(Cost::quadratic(&platform, Reference::Passage, Whose::Shared));
    let options = Options { cost, ..open() };
    assert!(matches!(gradient(&platform, &options, &[By::Start]), Err(Refused::NotOfGradient { .. })));
}
