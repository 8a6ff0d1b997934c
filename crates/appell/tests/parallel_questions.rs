//! What is built on the dynamics of closed mechanisms, on every built-in one and by both formulations: Coriolis matrix,
//! regressor, derivatives, reactions.

mod common;

use appell::closed::drives::Sharing;
use appell::closed::scheme::{self, Scheme};
use appell::closed::variation::{still, vary};
use appell::closed::{
    ClosedMechanism, Configuration, Load, assembly, coriolis, derivatives, energy, reactions, regressor,
};
use appell::description::{Friction, JointEffects, JointKind, Rotor, Spring};
use appell::dynamics::reactions::ExternalWrench;
use appell::kinematics;
use appell::real::Dual;
use appell::robots;
use appell::sample::Sampler;
use appell::spatial::{Quaternion, Vec3, Wrench};
use common::{assert_close_at, norm};

struct State {
    at: Configuration,
    r: Vec<f64>,
    r_dot: Vec<f64>,
    tau: Vec<f64>,
}

/// A state near home: the driven joints moved a little.
fn state(robot: &ClosedMechanism, sampler: &mut Sampler) -> State {
    let mut draw = |n: usize, limit: f64| -> Vec<f64> { (0..n).map(|_| sampler.within(limit)).collect() };
    let (n, drives) = (robot.freedoms().len(), robot.driven().len());
    let step = draw(drives, 0.1);
    let positions: Vec<f64> = robot.driven().iter().zip(&step).map(|(&j, step)| robot.home().q[j] + step).collect();
    let mut at = robot.home().clone();
    assembly::at_drives(robot, &mut assembly::Workspace::new(robot), &positions, &mut at).unwrap();
    State { at, r: draw(n, 1.0), r_dot: draw(n, 3.0), tau: draw(drives, 10.0) }
}

/// Calls `test` for every built-in closed robot, formulation and some states.
fn everywhere(test: impl Fn(&ClosedMechanism, Scheme, &State, &str)) {
    for builtin in robots::CLOSED {
        let robot = builtin.closed();
        let mut sampler = Sampler::new(3);
        for k in 0..4 {
            let state = state(&robot, &mut sampler);
            for &scheme in Scheme::of(&robot) {
                test(&robot, scheme, &state, &format!("{} {k}: {}", builtin.name, scheme.name()));
            }
        }
    }
}

/// The same robot with friction, rotors and springs in all joints.
fn with_effects(robot: &ClosedMechanism) -> ClosedMechanism {
    robot.with_tree(|tree| {
        tree.with_effects(|_, _| JointEffects {
            friction: Friction { viscous: 0.4, coulomb: 0.3, smoothing: 0.5, offset: 0.1 },
            rotor: Rotor { inertia: 1e-5, gear: 30.0 },
            spring: Spring { stiffness: 2.0, rest: 0.2 },
        })
    })
}

#[test]
fn coriolis_matrix_is_right_and_skew() {
    everywhere(|robot, scheme, State { at, r, .. }, label| {
        let n = r.len();
        let mut workspace = coriolis::Workspace::new(robot, scheme);
        let matrix = coriolis::coriolis_matrix(robot, &mut workspace, at, r).unwrap().to_vec();
        let times_r: Vec<f64> = matrix.chunks_exact(n).map(|row| row.iter().zip(r).map(|(c, r)| c * r).sum()).collect();
        let weightless = robot.with_gravity(Vec3::default());
        let mut forces = scheme::Workspace::new(robot, scheme);
        let demand = forces.generalised_forces(&weightless, at, r, &vec![0.0; n], &[]).unwrap();
        assert_close_at(&times_r, demand, 1e-12, 1e-3, &format!("{label}: C r"));
        // Ṁ along the motion, exactly.
        let (u, _) = forces.motion(robot, at, r, &vec![0.0; n]).unwrap();
        let mut moving = still::<1>(robot);
        vary(robot, at, |k, _| u[k], &mut moving);
        let mut on_duals = scheme::Workspace::over(robot, scheme, Dual::<1>::fixed(0.0));
        let inertia = on_duals.inertia_matrix(robot, &moving).unwrap();
        let skew = |i: usize, k: usize| inertia[i * n + k].derivative[0] - 2.0 * matrix[i * n + k];
        let size = norm(&matrix);
        for i in 0..n {
            for k in 0..n {
                assert!((skew(i, k) + skew(k, i)).abs() <= 1e-11 * size.max(1e-3), "{label}: Ṁ − 2 C at {i} {k}");
            }
        }
    });
}

#[test]
fn regressor_times_parameters_are_the_efforts() {
    everywhere(|robot, scheme, State { at, r, r_dot, .. }, label| {
        let without_springs = with_effects(robot)
            .with_tree(|tree| tree.with_effects(|_, effects| JointEffects { spring: Spring::default(), ..effects }));
        for robot in [robot, &without_springs] {
            let mut workspace = regressor::Workspace::new(robot, scheme);
            let matrix = regressor::regressor(robot, &mut workspace, at, r, r_dot).unwrap();
            let parameters = regressor::parameters(robot);
            let rows = matrix.chunks_exact(parameters.len());
            let found: Vec<f64> = rows.map(|row| row.iter().zip(&parameters).map(|(y, p)| y * p).sum()).collect();
            let mut inverse = scheme::Workspace::new(robot, scheme);
            let tau = inverse.inverse_dynamics(robot, at, r, r_dot, &[], &Sharing::default()).unwrap();
            assert_close_at(&found, tau, 1e-11, 0.1, label);
        }
    });
}

/// `at` moved along a freedom by a step, and assembled.
fn moved(robot: &ClosedMechanism, scheme: Scheme, at: &Configuration, freedom: usize, step: f64) -> Configuration {
    let n = robot.freedoms().len();
    let mut workspace = scheme::Workspace::new(robot, scheme);
    let z = workspace.complement(robot, at).unwrap();
    let along = |k: usize| step * z[k * n + freedom];
    let mut moved = at.clone();
    moved.q.iter_mut().enumerate().for_each(|(k, q)| *q += along(k));
    let dof = robot.tree().dof();
    if robot.platform().is_some() {
        moved.pose.position = at.pose.position + Vec3::new(along(dof), along(dof + 1), along(dof + 2));
        let half = Vec3::new(along(dof + 3), along(dof + 4), along(dof + 5)).scale(0.5);
        let turn = Quaternion { x: half.x, y: half.y, z: half.z, w: 1.0 }.normalized();
        moved.pose.rotation = turn.rotation() * at.pose.rotation;
    }
    moved
}

#[test]
fn derivatives_are_those_of_central_differences() {
    const STEP: f64 = 1e-5;
    everywhere(|robot, scheme, State { at, r, r_dot, tau }, label| {
        let robot = &with_effects(robot);
        let n = r.len();
        let mut workspace = derivatives::Workspace::new(robot, scheme);
        let inverse = derivatives::of_inverse_dynamics(robot, &mut workspace, at, r, r_dot).unwrap().clone();
        let forward = derivatives::of_forward_dynamics(robot, &mut workspace, at, r, tau).unwrap().clone();
        let mut plain = scheme::Workspace::new(robot, scheme);
        let sharing = Sharing::default();
        let column =
            |matrix: &[f64], width: usize, k: usize| matrix.iter().skip(k).step_by(width).copied().collect::<Vec<_>>();
        let check = |found: &[f64], plus: &[f64], minus: &[f64], what: &str| {
            let difference: Vec<f64> = plus.iter().zip(minus).map(|(p, m)| (p - m) / (2.0 * STEP)).collect();
            assert_close_at(found, &difference, 1e-6, 1.0, &format!("{label}: {what}"));
        };
        let shifted = |x: &[f64], k: usize, step: f64| {
            let mut x = x.to_vec();
            x[k] += step;
            x
        };
        for k in 0..n {
            let [plus, minus] = [STEP, -STEP].map(|step| moved(robot, scheme, at, k, step));
            let mut tau_at = |at: &Configuration, r: &[f64], r_dot: &[f64]| {
                plain.inverse_dynamics(robot, at, r, r_dot, &[], &sharing).unwrap().to_vec()
            };
            check(&column(&inverse.by_x, n, k), &tau_at(&plus, r, r_dot), &tau_at(&minus, r, r_dot), "∂τ/∂x");
            let [faster, slower] = [STEP, -STEP].map(|step| shifted(r, k, step));
            check(&column(&inverse.by_r, n, k), &tau_at(at, &faster, r_dot), &tau_at(at, &slower, r_dot), "∂τ/∂r");
            let [more, less] = [STEP, -STEP].map(|step| shifted(r_dot, k, step));
            check(&column(&inverse.by_third, n, k), &tau_at(at, r, &more), &tau_at(at, r, &less), "∂τ/∂ṙ");
            let mut rate_at = |at: &Configuration, r: &[f64], tau: &[f64]| {
                plain.forward_dynamics(robot, at, r, tau, &[]).unwrap().to_vec()
            };
            check(&column(&forward.by_x, n, k), &rate_at(&plus, r, tau), &rate_at(&minus, r, tau), "∂ṙ/∂x");
            check(&column(&forward.by_r, n, k), &rate_at(at, &faster, tau), &rate_at(at, &slower, tau), "∂ṙ/∂r");
        }
        for k in 0..tau.len() {
            let [more, less] = [STEP, -STEP].map(|step| shifted(tau, k, step));
            let mut rate_at = |tau: &[f64]| plain.forward_dynamics(robot, at, r, tau, &[]).unwrap().to_vec();
            check(&column(&forward.by_third, tau.len(), k), &rate_at(&more), &rate_at(&less), "∂ṙ/∂τ");
        }
    });
}

/// Reactions hold the whole robot, do no work in passive joints, and are the efforts in driven ones.
#[test]
fn reactions_balance_under_a_load() {
    everywhere(|robot, scheme, State { at, r, r_dot, .. }, label| {
        let tree = robot.tree();
        let mut load = Load::new(robot);
        let push = |a: f64| Wrench { force: Vec3::new(3.0, -a, 5.0), moment: Vec3::new(a, 0.4, -0.3) };
        let (on_body, on_platform) = (ExternalWrench { frame: 0, wrench: push(2.0) }, push(7.0));
        load.set(robot, at, &[on_body], on_platform);
        let mut inverse = scheme::Workspace::new(robot, scheme);
        let sharing = Sharing::default();
        let tau = inverse.inverse_dynamics(robot, at, r, r_dot, load.on_velocities(), &sharing).unwrap().to_vec();
        let mut workspace = reactions::Workspace::new(robot, scheme);
        let found = reactions::reactions(robot, &mut workspace, at, r, r_dot, &tau, &load).unwrap();
        let size = found.joints.iter().flat_map(|wrench| wrench.to_array()).fold(1.0, |most: f64, x| most.max(x.abs()));
        for (j, link) in tree.links().iter().enumerate() {
            let axis = tree.frames()[j].body_from_frame.rotation.transpose_times(Vec3::new(0.0, 0.0, 1.0));
            let along = match link.joint {
                JointKind::Revolute => found.joints[j].moment.dot(axis),
                JointKind::Prismatic => found.joints[j].force.dot(axis),
            };
            let effort = robot.driven().iter().position(|&driven| driven == j).map_or(0.0, |k| tau[k]);
            assert!((along - effort).abs() < 1e-11 * size, "{label}: joint {}", tree.joint_names()[j]);
        }
        // The rate of momentum, by differences of the kinetic energy with respect to nothing: force balance of all
        // bodies from their accelerations.
        let (u, u_dot) = inverse.motion(robot, at, r, r_dot).unwrap();
        let dof = tree.dof();
        let momentum = |at: &Configuration, u: &[f64]| {
            let mut ws = kinematics::Workspace::new(tree);
            let mut linear = appell::dynamics::momentum::momentum(tree, &mut ws, &at.q, &u[..dof]).linear;
            if let Some(platform) = robot.platform() {
                let omega = Vec3::new(u[dof + 3], u[dof + 4], u[dof + 5]);
                let com = at.pose.rotation * platform.first_moment;
                linear = linear + Vec3::new(u[dof], u[dof + 1], u[dof + 2]).scale(platform.mass) + omega.cross(com);
            }
            linear
        };
        const STEP: f64 = 1e-5;
        let later = |step: f64| {
            let mut moved = still::<1>(robot);
            vary(robot, at, |k, _| u[k], &mut moved);
            let at = Configuration {
                q: moved.q.iter().map(|q| q.value + step * q.derivative[0]).collect(),
                pose: {
                    let mut pose = at.pose;
                    if robot.platform().is_some() {
                        let half = Vec3::new(u[dof + 3], u[dof + 4], u[dof + 5]).scale(0.5 * step);
                        let turn = Quaternion { x: half.x, y: half.y, z: half.z, w: 1.0 }.normalized();
                        pose.rotation = turn.rotation() * at.pose.rotation;
                    }
                    pose
                },
            };
            let u: Vec<f64> = u.iter().zip(u_dot).map(|(u, u_dot)| u + step * u_dot).collect();
            momentum(&at, &u)
        };
        let rate = (later(STEP) - later(-STEP)).scale(0.5 / STEP);
        let mass = tree.mass() + robot.platform().map_or(0.0, |platform| platform.mass);
        let outside = push(2.0).force + if robot.platform().is_some() { push(7.0).force } else { Vec3::default() };
        let needed = rate - tree.gravity().scale(mass) - outside;
        assert!(
            (needed - found.base.force).norm() < 1e-6 * size.max(1.0),
            "{label}: {needed:?} {:?}",
            found.base.force
        );
    });
}

#[test]
fn kinetic_energy_is_that_of_the_inertia_matrix() {
    everywhere(|robot, scheme, State { at, r, .. }, label| {
        let n = r.len();
        let mut workspace = scheme::Workspace::new(robot, scheme);
        let matrix = workspace.inertia_matrix(robot, at).unwrap().to_vec();
        let half: f64 = (0..n * n).map(|k| 0.5 * r[k / n] * matrix[k] * r[k % n]).sum();
        let (u, _) = workspace.motion(robot, at, r, &vec![0.0; n]).unwrap();
        let found = energy::energy(robot, &mut kinematics::Workspace::new(robot.tree()), at, u);
        assert_close_at(&[found.kinetic], &[half], 1e-12, 1e-6, label);
    });
}
