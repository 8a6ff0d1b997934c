//! Laws of mechanics that no method for closed mechanisms may break, on seeded random robots.

use crate::common::{assembled, assert_close, described, norm, relative_difference};
use appell::closed::drives::Sharing;
use appell::closed::sample::ClosedState;
use appell::closed::tree_closures::Solver;
use appell::closed::{ClosedMechanism, Configuration, legs_platform, tree_closures};
use appell::description::elementary::{Charts, elementary};
use appell::description::{Carrier, ClosingJoint, Description, JointEffects, KhalilKleinfinger, resolve};
use appell::dynamics::{energy, joint_effects};
use appell::kinematics;
use appell::linear::Cholesky;
use appell::real::{Dual, Measured, Real};
use appell::sample::{Family, Sampler};
use appell::spatial::{Mat3, PlanarRotation, Pose, Sym3, Vec3};

const TOLERANCE: f64 = 1e-10;

/// Robots of each family.
const SEEDS: u64 = 6;

/// A robot, how it was described, and a state.
struct Case {
    description: Description,
    robot: ClosedMechanism,
    state: ClosedState,
    label: String,
}

fn cases() -> impl Iterator<Item = Case> {
    Family::ALL.into_iter().flat_map(|family| {
        (100..100 + SEEDS).map(move |seed| {
            let mut sampler = Sampler::new(seed);
            let description = sampler.closed_description(family);
            let robot = ClosedMechanism::new(&description).unwrap();
            let state = sampler.closed_state(&robot);
            Case { description, robot, state, label: format!("{family:?}, seed {seed}") }
        })
    })
}

/// Velocities u and their rates.
fn motion(robot: &ClosedMechanism, state: &ClosedState) -> (Vec<f64>, Vec<f64>) {
    let mut ws = tree_closures::Workspace::new(robot);
    let (u, u_dot) = tree_closures::motion(robot, &mut ws, &state.at, &state.r, &state.r_dot).unwrap();
    (u.to_vec(), u_dot.to_vec())
}

/// Efforts, by legs and platform where that applies.
fn efforts(robot: &ClosedMechanism, state: &ClosedState) -> Vec<f64> {
    let ClosedState { at, r, r_dot, load, .. } = state;
    let sharing = Sharing::default();
    if legs_platform::applies(robot) {
        let mut legs = legs_platform::Workspace::new(robot);
        return legs_platform::inverse_dynamics(robot, &mut legs, at, r, r_dot, load, &sharing).unwrap().to_vec();
    }
    let mut tree = tree_closures::Workspace::new(robot);
    tree_closures::inverse_dynamics(robot, &mut tree, at, r, r_dot, load, &sharing).unwrap().to_vec()
}

/// d(kinetic + potential)/dt = efforts, load and friction on the velocities, the derivative by a dual number.
#[test]
fn power_is_the_rate_of_energy() {
    for Case { robot, state, label, .. } in cases() {
        let (u, u_dot) = motion(&robot, &state);
        let along = |x: &[f64], rate: &[f64]| -> Vec<Dual<1>> {
            x.iter().zip(rate).map(|(&value, &rate)| Dual { value, derivative: [rate] }).collect()
        };
        let (dof, at) = (robot.tree().dof(), &state.at);
        let (q, velocities) = (along(&at.q, &u), along(&u, &u_dot));
        let mut ws = kinematics::Workspace::with_scalar(robot.tree(), q[0]);
        let of_tree = energy::energy(robot.tree(), &mut ws, &q, &velocities[..dof]);
        let mut rate = of_tree.kinetic.derivative[0] + of_tree.potential.derivative[0];
        if let Some(platform) = robot.platform() {
            let [vx, vy, vz, wx, wy, wz] = velocities[dof..] else { unreachable!() };
            let (velocity, omega) = (Vec3::new(vx, vy, vz), Vec3::new(wx, wy, wz));
            let turning = Mat3::skew(Vec3::new(u[dof + 3], u[dof + 4], u[dof + 5])) * at.pose.rotation;
            let rotation = Mat3::from_rows(core::array::from_fn(|i| {
                let [x, y, z] = along(&at.pose.rotation.rows[i].to_array(), &turning.rows[i].to_array())[..] else {
                    unreachable!()
                };
                Vec3::new(x, y, z)
            }));
            let [x, y, z] = along(&at.pose.position.to_array(), &u[dof..dof + 3])[..] else { unreachable!() };
            let (s, position) = (rotation.times_fixed(platform.first_moment), Vec3::new(x, y, z));
            let inertia = platform.inertia.lift(q[0]).turned_by(&rotation);
            let twice = velocity.dot(velocity).scale(platform.mass)
                + velocity.dot(omega.cross(s)).scale(2.0)
                + omega.dot(inertia * omega);
            let height = robot.tree().gravity().lift(q[0]).dot(position.scale(platform.mass) + s);
            rate += 0.5 * twice.derivative[0] - height.derivative[0];
        }
        let tau = efforts(&robot, &state);
        let driving = robot.driven().iter().zip(&tau).map(|(&j, tau)| tau * u[j]);
        let loading = state.load.iter().zip(&u).map(|(load, u)| load * u);
        let rubbing = (0..dof).map(|j| {
            let friction = JointEffects { friction: robot.tree().effects()[j].friction, ..JointEffects::default() };
            -joint_effects::force(&friction, at.q[j], u[j]) * u[j]
        });
        let powers: Vec<f64> = driving.chain(loading).chain(rubbing).collect();
        let power: f64 = powers.iter().sum();
        assert!((rate - power).abs() <= TOLERANCE * norm(&powers), "{label}: {rate} against {power}");
    }
}

#[test]
fn the_inertia_matrix_is_symmetric_positive_definite_and_of_the_kinetic_energy() {
    for Case { robot, state, label, .. } in cases() {
        let n = robot.freedoms().len();
        let mut tree = tree_closures::Workspace::new(&robot);
        let inertia = tree_closures::inertia_matrix(&robot, &mut tree, &state.at).unwrap().to_vec();
        let transposed: Vec<f64> = (0..n * n).map(|k| inertia[k % n * n + k / n]).collect();
        assert_close(&transposed, &inertia, 1e-13, &format!("{label}: symmetry"));
        let mut cholesky = Cholesky::new(n, 0.0);
        cholesky.decompose(&inertia);
        assert!(cholesky.pivots().iter().all(|&pivot| pivot > 0.0), "{label}: {:?}", cholesky.pivots());
        // M is what forces gain with accelerations.
        let mut force = |r_dot: &[f64]| {
            tree_closures::generalised_forces(&robot, &mut tree, &state.at, &state.r, r_dot, &[]).unwrap().to_vec()
        };
        let (moved, bias) = (force(&state.r_dot), force(&vec![0.0; n]));
        let sum: Vec<f64> =
            (0..n).map(|i| bias[i] + (0..n).map(|k| inertia[i * n + k] * state.r_dot[k]).sum::<f64>()).collect();
        assert_close(&sum, &moved, TOLERANCE, &format!("{label}: M ṙ + c"));
    }
}

#[test]
fn forward_and_inverse_dynamics_undo_each_other() {
    for Case { robot, state, label, .. } in cases() {
        let ClosedState { at, r, r_dot, tau, load } = &state;
        let held = efforts(&robot, &state);
        let mut tree = tree_closures::Workspace::new(&robot);
        // Efforts cancel what velocities, weight and load alone would do, which may be far more than what is left.
        let idle = vec![0.0; held.len()];
        let left_alone = tree_closures::forward_dynamics(&robot, &mut tree, at, r, &idle, load);
        let scale = norm(r_dot).max(norm(left_alone.unwrap()));
        let check = |found: &[f64], by: &str| {
            for (found, expected) in found.iter().zip(r_dot) {
                assert!((found - expected).abs() <= TOLERANCE * scale, "{label}, {by}: {found} against {expected}");
            }
        };
        for solver in [Solver::Kkt, Solver::NullSpace] {
            tree.solver = solver;
            let found = tree_closures::forward_dynamics(&robot, &mut tree, at, r, &held, load);
            check(found.unwrap(), &format!("{solver:?}"));
        }
        if legs_platform::applies(&robot) {
            let mut legs = legs_platform::Workspace::new(&robot);
            check(legs_platform::forward_dynamics(&robot, &mut legs, at, r, &held, load).unwrap(), "legs");
        }
        // Redundant drives pull against each other: what moves nothing of given efforts is lost.
        if robot.driven().len() == robot.freedoms().len() {
            let found = tree_closures::forward_dynamics(&robot, &mut tree, at, r, tau, load);
            let again = efforts(&robot, &ClosedState { r_dot: found.unwrap().to_vec(), ..state.clone() });
            let unmoved = efforts(&robot, &ClosedState { r_dot: vec![0.0; r.len()], ..state.clone() });
            let scale = norm(tau).max(norm(&unmoved));
            for (again, tau) in again.iter().zip(tau) {
                assert!((again - tau).abs() <= TOLERANCE * scale, "{label}: efforts {again} against {tau}");
            }
        }
    }
}

/// The independent velocities and their rates of a motion that another robot shares.
fn with_motion(robot: &ClosedMechanism, at: Configuration, u: &[f64], u_dot: &[f64], load: Vec<f64>) -> ClosedState {
    let pick = |x: &[f64]| robot.freedoms().iter().map(|&k| x[k]).collect();
    ClosedState { at, r: pick(u), r_dot: pick(u_dot), tau: Vec::new(), load }
}

/// Turns the vectors of a platform's six numbers, and leaves the joints'.
fn turned(x: &[f64], dof: usize, by: &Mat3<f64>) -> Vec<f64> {
    let of_platform = x[dof..].chunks_exact(3).flat_map(|v| (*by * Vec3::new(v[0], v[1], v[2])).to_array());
    x[..dof].iter().copied().chain(of_platform).collect()
}

/// Where the robot stands, and which way it is turned, makes no difference if gravity goes with it.
#[test]
fn the_base_may_stand_anywhere() {
    for Case { mut description, robot, state, label } in cases() {
        let mut sampler = Sampler::new(1);
        let moved = Pose { rotation: sampler.rotation(), position: sampler.vector(2.0) };
        description.gravity = moved.rotation * description.gravity;
        for joint in description.joints.iter_mut().filter(|joint| joint.parent.is_none()) {
            joint.placement = KhalilKleinfinger::from_pose(&(moved * joint.placement.pose()));
        }
        for closure in &mut description.closures {
            for side in [&mut closure.first, &mut closure.second].into_iter().filter(|side| side.on == Carrier::Base) {
                side.pose = moved * side.pose;
            }
        }
        if let Some(platform) = &mut description.platform {
            platform.home = moved * platform.home;
        }
        let other = ClosedMechanism::new(&description).unwrap_or_else(|error| panic!("{label}: {error}"));
        let (u, u_dot) = motion(&robot, &state);
        let at = Configuration { q: state.at.q.clone(), pose: moved * state.at.pose };
        let turn = |x: &[f64]| turned(x, robot.tree().dof(), &moved.rotation);
        let same = with_motion(&other, at, &turn(&u), &turn(&u_dot), turn(&state.load));
        assert_close(&efforts(&other, &same), &efforts(&robot, &state), TOLERANCE, &label);
    }
}

/// Which point of the platform is its origin, and how its axes lie, makes no difference to the same motion.
#[test]
fn the_platforms_frame_may_lie_anywhere() {
    for Case { mut description, robot, state, label } in cases().filter(|case| case.robot.platform().is_some()) {
        description = resolve(&description).into_owned();
        let mut sampler = Sampler::new(2);
        let frame = Pose { rotation: sampler.rotation(), position: sampler.vector(0.3) };
        let platform = description.platform.as_mut().unwrap();
        platform.home = platform.home * frame;
        platform.body = platform.body.seen_from(&frame.inverse());
        platform.payload = platform.payload.seen_from(&frame.inverse());
        for closure in &mut description.closures {
            for side in [&mut closure.first, &mut closure.second] {
                if side.on == Carrier::Platform {
                    side.pose = frame.inverse() * side.pose;
                }
            }
        }
        let other = ClosedMechanism::new(&description).unwrap_or_else(|error| panic!("{label}: {error}"));
        let (u, u_dot) = motion(&robot, &state);
        let dof = robot.tree().dof();
        let arm = state.at.pose.rotation * frame.position;
        let vector = |x: &[f64], k: usize| Vec3::new(x[dof + k], x[dof + k + 1], x[dof + k + 2]);
        let (omega, alpha) = (vector(&u, 3), vector(&u_dot, 3));
        let with_origin = |x: &[f64], linear: Vec3<f64>, angular: Vec3<f64>| {
            [&x[..dof], &linear.to_array(), &angular.to_array()].concat()
        };
        let velocity = vector(&u, 0) + omega.cross(arm);
        let acceleration = vector(&u_dot, 0) + alpha.cross(arm) + omega.cross(omega.cross(arm));
        let (force, moment) = (vector(&state.load, 0), vector(&state.load, 3));
        let same = with_motion(
            &other,
            Configuration { q: state.at.q.clone(), pose: state.at.pose * frame },
            &with_origin(&u, velocity, omega),
            &with_origin(&u_dot, acceleration, alpha),
            with_origin(&state.load, force, moment - arm.cross(force)),
        );
        let (found, expected) = (efforts(&other, &same), efforts(&robot, &state));
        // Torques of drives compare with their forces at the characteristic length, which belongs to the frame.
        if robot.driven().len() == robot.freedoms().len() {
            assert_close(&found, &expected, TOLERANCE, &label);
        }
    }
}

/// The order in which closing joints and legs are written, and which side of a symmetric joint is first, is nothing.
#[test]
fn the_order_of_words_is_nothing() {
    for Case { description, robot, state, label } in cases() {
        let description = elementary(&resolve(&description), Charts::AtZero).0.into_owned();
        let (u, u_dot) = motion(&robot, &state);
        let expected = efforts(&robot, &state);
        let mut other = description.clone();
        other.closures.rotate_left(1);
        for closure in other.closures.iter_mut().filter(|closure| closure.kind != ClosingJoint::Universal) {
            std::mem::swap(&mut closure.first, &mut closure.second);
        }
        let other = ClosedMechanism::new(&other).unwrap_or_else(|error| panic!("{label}: {error}"));
        let same = with_motion(&other, state.at.clone(), &u, &u_dot, state.load.clone());
        assert_close(&efforts(&other, &same), &expected, TOLERANCE, &format!("{label}: closing joints"));

        // Joints level by level: first all on the base, then all that hang on these.
        let depth = |j: usize| robot.tree().path_to_base(j).count();
        let dof = robot.tree().dof();
        let mut order: Vec<usize> = (0..dof).rev().collect();
        order.sort_by_key(|&j| depth(j));
        let joints = order.iter().map(|&j| description.joints[j].clone()).collect();
        let other = ClosedMechanism::new(&Description { joints, ..description }).unwrap();
        let reordered =
            |x: &[f64]| -> Vec<f64> { order.iter().map(|&j| x[j]).chain(x[dof..].iter().copied()).collect() };
        let at = Configuration { q: reordered(&state.at.q), ..state.at };
        let same = with_motion(&other, at, &reordered(&u), &reordered(&u_dot), reordered(&state.load));
        let found = efforts(&other, &same);
        let place = |&j: &usize| other.driven().iter().position(|&k| order[k] == j).unwrap();
        let found: Vec<f64> = robot.driven().iter().map(|j| found[place(j)]).collect();
        assert_close(&found, &expected, TOLERANCE, &format!("{label}: joints"));
    }
}

/// A universal joint says how a leg turns about its own axis, and a thin rod does not feel that.
#[test]
fn universal_joints_of_thin_legs_may_point_anywhere() {
    let mut described = described("gough-stewart");
    let difference = |thick: &Description| {
        let mut other = thick.clone();
        for joint in other.joints.iter_mut().filter(|joint| joint.parent.is_none()) {
            let pose = joint.placement.pose();
            let turn = PlanarRotation::by(0.7).matrix_z();
            let pose = Pose { rotation: turn * pose.rotation, position: pose.position };
            joint.placement = KhalilKleinfinger::from_pose(&pose);
            joint.home = 0.0;
        }
        let tau = |description: &Description| {
            let robot = ClosedMechanism::new(description).unwrap();
            let position = robot.home().pose.position + Vec3::new(0.05, -0.03, 0.02);
            let rotation = Mat3::from_roll_pitch_yaw(Vec3::new(0.1, -0.15, 0.2));
            let at = assembled(&robot, Pose { position, rotation });
            let (r, r_dot) = (vec![0.3, -0.4, 0.2, 0.7, -0.5, 0.9], vec![1.0, -2.0, 0.5, 3.0, 1.0, -2.0]);
            efforts(&robot, &ClosedState { at, r, r_dot, tau: Vec::new(), load: Vec::new() })
        };
        relative_difference(&tau(&other), &tau(thick))
    };
    assert!((1e-7..1e-3).contains(&difference(&described)), "legs that are not thin feel their spin a little");
    for joint in &mut described.joints {
        joint.body.inertia = Sym3 { zz: 0.0, ..joint.body.inertia };
    }
    assert!(difference(&described) < 1e-12);
}

/// ∂w/∂ṙ = M exactly, ∂w/∂r against central differences, by both methods at once.
#[test]
fn derivatives_by_dual_numbers() {
    const N: usize = 7;
    for Case { robot, state, label, .. } in cases() {
        let n = robot.freedoms().len();
        let seeded = |x: &[f64], from: usize| -> Vec<Dual<{ 2 * N }>> {
            x.iter().enumerate().map(|(k, &x)| Dual::variable(x, from + k)).collect()
        };
        let (r, r_dot) = (seeded(&state.r, 0), seeded(&state.r_dot, N));
        let at = state.at.lift(r[0]);
        let mut tree = tree_closures::Workspace::with_scalar(&robot, r[0]);
        let w = tree_closures::generalised_forces(&robot, &mut tree, &at, &r, &r_dot, &[]).unwrap();
        let part = |w: &[Dual<{ 2 * N }>], from: usize| -> Vec<f64> {
            w.iter().flat_map(|w| w.derivative[from..from + n].to_vec()).collect()
        };
        let (by_r, by_r_dot) = (part(w, 0), part(w, N));
        if legs_platform::applies(&robot) {
            let mut legs = legs_platform::Workspace::with_scalar(&robot, r[0]);
            let w = legs_platform::generalised_forces(&robot, &mut legs, &at, &r, &r_dot, &[]).unwrap();
            assert_close(&part(w, 0), &by_r, TOLERANCE, &format!("{label}: ∂w/∂r"));
            assert_close(&part(w, N), &by_r_dot, TOLERANCE, &format!("{label}: ∂w/∂ṙ"));
        }
        let mut plain = tree_closures::Workspace::new(&robot);
        let inertia = tree_closures::inertia_matrix(&robot, &mut plain, &state.at).unwrap().to_vec();
        assert_close(&by_r_dot, &inertia, TOLERANCE, &format!("{label}: ∂w/∂ṙ is M"));
        let h = 1e-6;
        let mut difference = vec![0.0; n * n];
        for k in 0..n {
            let mut at = |step: f64| {
                let mut r = state.r.clone();
                r[k] += step;
                tree_closures::generalised_forces(&robot, &mut plain, &state.at, &r, &state.r_dot, &[])
                    .unwrap()
                    .to_vec()
            };
            let (ahead, behind) = (at(h), at(-h));
            for i in 0..n {
                difference[i * n + k] = (ahead[i] - behind[i]) / (2.0 * h);
            }
        }
        // Forces are large beside what velocities give them, which bounds what differences can tell.
        let scale = norm(&w.iter().map(|w| w.value).collect::<Vec<f64>>()).max(norm(&by_r));
        for (exact, difference) in by_r.iter().zip(&difference) {
            assert!((exact - difference).abs() < 1e-5 * scale, "{label}: {exact} against {difference}");
        }
    }
}

#[test]
#[allow(clippy::cast_possible_truncation, reason = "single precision is the point")]
fn single_precision_is_near_double() {
    fn all<T: Measured>(robot: &ClosedMechanism, state: &ClosedState, lift: impl Fn(f64) -> T) -> [Vec<f64>; 3] {
        let numbers = |x: &[f64]| x.iter().map(|&x| lift(x)).collect::<Vec<T>>();
        let (r, r_dot, tau, load) =
            (numbers(&state.r), numbers(&state.r_dot), numbers(&state.tau), numbers(&state.load));
        let at = state.at.lift(r[0]);
        let plain = |x: &[T]| x.iter().map(|x| x.least()).collect::<Vec<f64>>();
        let mut ws = tree_closures::Workspace::with_scalar(robot, r[0]);
        let w = plain(tree_closures::generalised_forces(robot, &mut ws, &at, &r, &r_dot, &load).unwrap());
        let m = plain(tree_closures::inertia_matrix(robot, &mut ws, &at).unwrap());
        let by_legs = if legs_platform::applies(robot) {
            let mut ws = legs_platform::Workspace::with_scalar(robot, r[0]);
            plain(legs_platform::generalised_forces(robot, &mut ws, &at, &r, &r_dot, &load).unwrap())
        } else {
            let f = tree_closures::forward_dynamics(robot, &mut ws, &at, &r, &tau, &load);
            plain(f.unwrap())
        };
        [w, m, by_legs]
    }
    for Case { robot, state, label, .. } in cases() {
        let (single, double) = (all(&robot, &state, |x| x as f32), all(&robot, &state, |x| x));
        for (k, (single, double)) in single.iter().zip(&double).enumerate() {
            assert_close(single, double, 2e-2, &format!("{label}: answer {k}"));
        }
    }
}
