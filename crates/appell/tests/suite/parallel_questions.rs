//! What is built on the dynamics of closed mechanisms, on every built-in one, on random ones and by both formulations:
//! Coriolis matrix, regressor, derivatives, reactions.

use crate::common::{assert_close_at, closed_cases, norm, with_effects};
use appell::closed::drives::Sharing;
use appell::closed::formulation::{self, Formulation};
use appell::closed::sample::ClosedState;
use appell::closed::variation::{still, vary};
use appell::closed::{
    ClosedMechanism, Configuration, Load, On, assembly, coriolis, derivatives, energy, reactions, regressor,
};
use appell::description::{Friction, JointEffects, Spring};
use appell::dynamics::joint_effects;
use appell::dynamics::reactions::ExternalWrench;
use appell::kinematics;
use appell::real::Dual;
use appell::robots;
use appell::sample::Sampler;
use appell::spatial::{Acceleration, Mat3, Pose, Quaternion, Sym3, Twist, Vec3, Wrench};

/// A state near home: the driven joints moved a little.
fn state(robot: &ClosedMechanism, sampler: &mut Sampler) -> ClosedState {
    let mut draw = |n: usize, limit: f64| -> Vec<f64> { (0..n).map(|_| sampler.within(limit)).collect() };
    let (n, drives) = (robot.freedoms().len(), robot.driven().len());
    let step = draw(drives, 0.1);
    let positions: Vec<f64> = robot.driven().iter().zip(&step).map(|(&j, step)| robot.home().q[j] + step).collect();
    let mut at = robot.home().clone();
    assembly::at_drives(robot, &mut assembly::Workspace::new(robot), &positions, &mut at).unwrap();
    ClosedState { at, r: draw(n, 1.0), r_dot: draw(n, 3.0), tau: draw(drives, 10.0), load: Vec::new() }
}

/// Calls `test` for every built-in closed robot, formulation and some states.
fn built_in(test: impl Fn(&ClosedMechanism, Formulation, &ClosedState, &str)) {
    for builtin in robots::CLOSED {
        let robot = builtin.closed();
        let mut sampler = Sampler::new(3);
        for k in 0..4 {
            let state = state(&robot, &mut sampler);
            for &formulation in Formulation::of(&robot) {
                test(&robot, formulation, &state, &format!("{} {k}: {}", builtin.name, formulation.name()));
            }
        }
    }
}

/// The same, and for random robots of every family, without friction, rotors and springs.
fn everywhere(test: impl Fn(&ClosedMechanism, Formulation, &ClosedState, &str)) {
    built_in(&test);
    for (robot, state, label) in closed_cases(|_| true, 200..203) {
        let bare = robot.with_tree(|tree| tree.with_effects(|_, _| JointEffects::default()));
        for &formulation in Formulation::of(&bare) {
            test(&bare, formulation, &state, &format!("{label}: {}", formulation.name()));
        }
    }
}

#[test]
fn coriolis_matrix_is_right_and_skew() {
    everywhere(|robot, formulation, ClosedState { at, r, .. }, label| {
        let n = r.len();
        let mut workspace = coriolis::Workspace::new(robot, formulation);
        let matrix = coriolis::coriolis_matrix(robot, &mut workspace, at, r).unwrap().to_vec();
        let times_r: Vec<f64> = matrix.chunks_exact(n).map(|row| row.iter().zip(r).map(|(c, r)| c * r).sum()).collect();
        let weightless = robot.with_gravity(Vec3::default());
        let mut forces = formulation::Workspace::new(robot, formulation);
        let demand = formulation::generalised_forces(&weightless, &mut forces, at, r, &vec![0.0; n], &[]).unwrap();
        assert_close_at(&times_r, demand, 1e-12, 1e-3, &format!("{label}: C r"));
        // Ṁ along the motion, exactly.
        let (u, _) = formulation::motion(robot, &mut forces, at, r, &vec![0.0; n]).unwrap();
        let mut moving = still::<1>(robot);
        vary(robot, at, |k, _| u[k], &mut moving);
        let mut on_duals = formulation::Workspace::with_scalar(robot, formulation, Dual::<1>::fixed(0.0));
        let inertia = formulation::inertia_matrix(robot, &mut on_duals, &moving).unwrap();
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
    everywhere(|robot, formulation, ClosedState { at, r, r_dot, .. }, label| {
        // Springs, and curves of friction, have no columns.
        let with_columns = |effects: JointEffects| JointEffects {
            spring: Spring::default(),
            friction: Friction { curve: None, ..effects.friction },
            ..effects
        };
        let with_columns = with_effects(robot).with_tree(|tree| tree.with_effects(|_, effects| with_columns(effects)));
        for robot in [robot, &with_columns] {
            let mut workspace = regressor::Workspace::new(robot, formulation);
            let matrix = regressor::regressor(robot, &mut workspace, at, r, r_dot).unwrap();
            let parameters = regressor::parameters(robot);
            let rows = matrix.chunks_exact(parameters.len());
            let found: Vec<f64> = rows.map(|row| row.iter().zip(&parameters).map(|(y, p)| y * p).sum()).collect();
            let mut inverse = formulation::Workspace::new(robot, formulation);
            let tau =
                formulation::inverse_dynamics(robot, &mut inverse, at, r, r_dot, &[], &Sharing::default()).unwrap();
            assert_close_at(&found, tau, 1e-11, 0.1, label);
        }
    });
}

/// `at` moved along a freedom by a step; loops stay closed but for the square of the step.
fn moved(
    robot: &ClosedMechanism,
    formulation: Formulation,
    at: &Configuration,
    freedom: usize,
    step: f64,
) -> Configuration {
    let n = robot.freedoms().len();
    let mut workspace = formulation::Workspace::new(robot, formulation);
    let z = formulation::complement(robot, &mut workspace, at).unwrap();
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

/// The derivative by differences of the fourth order: some random robots turn fast for a small step of a freedom.
fn difference(step: f64, mut answer: impl FnMut(f64) -> Vec<f64>) -> Vec<f64> {
    let [far_minus, minus, plus, far_plus] = [-2.0, -1.0, 1.0, 2.0].map(|steps| answer(steps * step));
    (0..plus.len()).map(|k| (8.0 * (plus[k] - minus[k]) - (far_plus[k] - far_minus[k])) / (12.0 * step)).collect()
}

#[test]
fn derivatives_are_those_of_central_differences() {
    // Small for what bends, large for what is linear: ṙ and τ.
    const STEP: f64 = 1e-6;
    const RATE_STEP: f64 = 1e-4;
    const LINEAR_STEP: f64 = 1.0;
    everywhere(|robot, formulation, ClosedState { at, r, r_dot, tau, .. }, label| {
        let robot = &with_effects(robot);
        let n = r.len();
        let mut workspace = derivatives::Workspace::new(robot, formulation);
        let inverse = derivatives::of_inverse_dynamics(robot, &mut workspace, at, r, r_dot).unwrap().clone();
        let forward = derivatives::of_forward_dynamics(robot, &mut workspace, at, r, tau).unwrap().clone();
        let mut plain = formulation::Workspace::new(robot, formulation);
        let sharing = Sharing::default();
        let check = |found: &[f64], width: usize, k: usize, expected: &[f64], what: &str| {
            let column: Vec<f64> = found.iter().skip(k).step_by(width).copied().collect();
            assert_close_at(&column, expected, 1e-6, 1.0, &format!("{label}: {what}"));
        };
        let shifted = |x: &[f64], k: usize, step: f64| {
            let mut x = x.to_vec();
            x[k] += step;
            x
        };
        for k in 0..n {
            let moved = |step: f64| moved(robot, formulation, at, k, step);
            let mut tau_at = |at: &Configuration, r: &[f64], r_dot: &[f64]| {
                formulation::inverse_dynamics(robot, &mut plain, at, r, r_dot, &[], &sharing).unwrap().to_vec()
            };
            check(&inverse.by_x, n, k, &difference(STEP, |step| tau_at(&moved(step), r, r_dot)), "∂τ/∂x");
            check(&inverse.by_r, n, k, &difference(RATE_STEP, |step| tau_at(at, &shifted(r, k, step), r_dot)), "∂τ/∂r");
            check(
                &inverse.by_input,
                n,
                k,
                &difference(LINEAR_STEP, |step| tau_at(at, r, &shifted(r_dot, k, step))),
                "∂τ/∂ṙ",
            );
            let mut rate_at = |at: &Configuration, r: &[f64]| {
                formulation::forward_dynamics(robot, &mut plain, at, r, tau, &[]).unwrap().to_vec()
            };
            // What rounding leaves of a difference is by the size of what is differenced.
            let size = norm(&rate_at(at, r)).max(1.0);
            let column: Vec<f64> = forward.by_x.iter().skip(k).step_by(n).copied().collect();
            let expected = difference(STEP, |step| rate_at(&moved(step), r));
            assert_close_at(&column, &expected, 1e-6, size, &format!("{label}: ∂ṙ/∂x"));
            check(&forward.by_r, n, k, &difference(RATE_STEP, |step| rate_at(at, &shifted(r, k, step))), "∂ṙ/∂r");
        }
        for k in 0..tau.len() {
            let mut rate_at =
                |tau: &[f64]| formulation::forward_dynamics(robot, &mut plain, at, r, tau, &[]).unwrap().to_vec();
            check(
                &forward.by_input,
                tau.len(),
                k,
                &difference(LINEAR_STEP, |step| rate_at(&shifted(tau, k, step))),
                "∂ṙ/∂τ",
            );
        }
    });
}

/// Forces and moments of a body's own motion, less gravity, about the base's origin and in its axes.
fn demand(
    robot: &ClosedMechanism,
    (mass, com, inertia): (f64, Vec3<f64>, Sym3<f64>),
    pose: &Pose<f64>,
    twist: &Twist<f64>,
    rate: &Acceleration<f64>,
) -> Wrench {
    let (omega, alpha, arm) = (twist.angular, rate.angular, pose.rotation * com);
    let inertia = inertia.turned_by(&pose.rotation);
    let of_centre = rate.linear + alpha.cross(arm) + omega.cross(omega.cross(arm));
    let force = (of_centre - robot.tree().gravity()).scale(mass);
    Wrench { force, moment: inertia * alpha + omega.cross(inertia * omega) }.about(pose.position + arm)
}

/// Reactions balance every body with its motion, its weight and a load; along the axes they are the efforts, less what
/// friction, rotor and spring take.
#[test]
fn reactions_balance_every_body() {
    everywhere(|robot, formulation, state, label| {
        for robot in [robot, &with_effects(robot)] {
            check_balance(robot, formulation, state, label);
        }
    });
}

fn check_balance(
    robot: &ClosedMechanism,
    formulation: Formulation,
    ClosedState { at, r, r_dot, .. }: &ClosedState,
    label: &str,
) {
    let (tree, dof) = (robot.tree(), robot.tree().dof());
    let push = |a: f64| Wrench { force: Vec3::new(3.0, -a, 5.0), moment: Vec3::new(a, 0.4, -0.3) };
    let mut load = Load::new(robot);
    load.set(robot, at, &[ExternalWrench { frame: 0, wrench: push(2.0) }], push(7.0));
    let mut inverse = formulation::Workspace::new(robot, formulation);
    let sharing = Sharing::default();
    let tau = formulation::inverse_dynamics(robot, &mut inverse, at, r, r_dot, load.on_velocities(), &sharing)
        .unwrap()
        .to_vec();
    let mut workspace = reactions::Workspace::new(robot, formulation);
    let acting = (load.on_velocities(), load.on_bodies());
    let found = reactions::reactions(robot, &mut workspace, at, r, r_dot, &tau, acting).unwrap();
    let (u, u_dot) = formulation::motion(robot, &mut inverse, at, r, r_dot).unwrap();

    let mut ws = kinematics::Workspace::new(tree);
    let frames = kinematics::positions(tree, &mut ws, &at.q).to_vec();
    let twists = kinematics::velocities(tree, &mut ws, &at.q, &u[..dof]).to_vec();
    let rates = kinematics::accelerations(tree, &mut ws, &at.q, &u[..dof], &u_dot[..dof]).to_vec();
    // What acts on each body, the platform and, last, the base, less what its motion demands: all about the base's
    // origin and in its axes.
    let frame_from_body: Vec<Pose<f64>> = (0..dof).map(|j| tree.frames()[j].body_from_frame.inverse()).collect();
    let poses: Vec<Pose<f64>> = (0..dof).map(|j| frames[j] * frame_from_body[j]).collect();
    let mut rest: Vec<Wrench> = (0..dof)
        .map(|j| {
            let (link, seen) = (&tree.links()[j], &frame_from_body[j]);
            let body = (link.mass, seen.point(link.com), link.inertia.turned_by(&seen.rotation));
            Wrench::zero(0.0) - demand(robot, body, &frames[j], &twists[j], &rates[j])
        })
        .collect();
    rest.resize(dof + 2, Wrench::zero(0.0));
    let (on_platform, on_base) = (dof, dof + 1);
    if let Some(platform) = robot.platform() {
        let vector = |u: &[f64], k: usize| Vec3::new(u[dof + k], u[dof + k + 1], u[dof + k + 2]);
        let twist = Twist { linear: vector(u, 0), angular: vector(u, 3) };
        let rate = Acceleration { linear: vector(u_dot, 0), angular: vector(u_dot, 3) };
        let com = platform.first_moment.scale(1.0 / platform.mass);
        let body = (platform.mass, com, platform.inertia - Sym3::of_point_mass(platform.mass, com));
        rest[on_platform] = push(7.0).about(at.pose.position) - demand(robot, body, &at.pose, &twist, &rate);
    }
    rest[0] = rest[0] + push(2.0).about(frames[0].position);
    let mut pass = |from: usize, to: usize, wrench: Wrench, axes: Mat3<f64>, point: Vec3<f64>| {
        let wrench = Wrench { force: axes * wrench.force, moment: axes * wrench.moment }.about(point);
        rest[from] = rest[from] - wrench;
        rest[to] = rest[to] + wrench;
        norm(&wrench.to_array())
    };
    let mut size: f64 = 1.0;
    for (j, link) in tree.links().iter().enumerate() {
        // The point of the joint's axis nearest to the frame of its name.
        let along = tree.frames()[j].body_from_frame.position.z;
        let point = poses[j].point(Vec3::new(0.0, 0.0, along));
        let carrier = link.parent.unwrap_or(on_base);
        size = size.max(pass(carrier, j, found.joints[j], frames[j].rotation, point));
    }
    for (closure, &wrench) in robot.closures().iter().zip(found.closures) {
        let place = |on: On| match on {
            On::Base => (on_base, Pose::identity(0.0)),
            On::Body(j) => (j, poses[j]),
            On::Platform => (on_platform, at.pose),
        };
        let ((first, _), (second, pose)) = (place(closure.first.on), place(closure.second.on));
        let frame = pose * closure.second.pose;
        size = size.max(pass(first, second, wrench, frame.rotation, frame.position));
    }
    rest[on_base] = rest[on_base] + found.base;
    for (k, rest) in rest.iter().enumerate() {
        assert!(norm(&rest.to_array()) < 1e-10 * size, "{label}: {rest:?} is left on body {k} of {dof}, of {size}");
    }
    for (j, (link, effects)) in tree.links().iter().zip(tree.effects()).enumerate() {
        let axis = tree.frames()[j].body_from_frame.rotation.transpose_times(Vec3::new(0.0, 0.0, 1.0));
        let along = link.joint.pick(found.joints[j].moment, found.joints[j].force).dot(axis);
        let effort = robot.driven().iter().position(|&driven| driven == j).map_or(0.0, |k| tau[k]);
        let by_couplings: f64 = robot
            .couplings()
            .iter()
            .zip(found.couplings)
            .map(|(coupling, force)| {
                let factors = coupling.terms.iter().filter(|(k, _)| *k == j).map(|(_, factor)| factor);
                force * factors.sum::<f64>() / coupling.terms[0].1
            })
            .sum();
        let taken = joint_effects::force(effects, at.q[j], u[j]) + effects.rotor.reflected_inertia() * u_dot[j];
        assert!(
            (along - effort - by_couplings + taken).abs() < 1e-10 * size,
            "{label}: joint {}",
            tree.joint_names()[j]
        );
    }
}

#[test]
fn kinetic_energy_is_that_of_the_inertia_matrix() {
    everywhere(|robot, formulation, ClosedState { at, r, .. }, label| {
        let n = r.len();
        let mut workspace = formulation::Workspace::new(robot, formulation);
        let matrix = formulation::inertia_matrix(robot, &mut workspace, at).unwrap().to_vec();
        let half: f64 = (0..n * n).map(|k| 0.5 * r[k / n] * matrix[k] * r[k % n]).sum();
        let (u, _) = formulation::motion(robot, &mut workspace, at, r, &vec![0.0; n]).unwrap();
        let found = energy::energy(robot, &mut kinematics::Workspace::new(robot.tree()), at, u);
        assert_close_at(&[found.kinetic], &[half], 1e-12, 1e-6, label);
    });
}
