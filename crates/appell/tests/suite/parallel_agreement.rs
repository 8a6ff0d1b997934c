//! Both methods for closed mechanisms agree with each other, and with the principle of virtual power, on seeded
//! random robots.

use crate::common::{assert_close, closed, closed_cases, norm, sharings};
use appell::closed::sample::ClosedState;
use appell::closed::singularity::{self, Metric};
use appell::closed::tree_closures::Solver;
use appell::closed::{ClosedMechanism, Configuration, Constraint, On, Side, assembly, legs_platform, tree_closures};
use appell::description::ClosingJoint;
use appell::dynamics::joint_effects;
use appell::kinematics;
use appell::linear::Jacobi;
use appell::real::{Dual, Real};
use appell::robots;
use appell::sample::{Family, Sampler};
use appell::spatial::{Acceleration, Mat3, Pose, Sym3, Twist, Vec3};

/// Conditions of random robots are bounded, so that this holds for all of them; most agree to 1e-13.
const TOLERANCE: f64 = 1e-10;

/// Robots of each family.
const SEEDS: u64 = 8;

#[test]
fn legs_and_platform_against_tree_and_closures() {
    for (robot, state, label) in closed_cases(|family| family.is_parallel() == Some(true), 0..20) {
        let ClosedState { at, r, r_dot, tau, load } = &state;
        let mut legs = legs_platform::Workspace::new(&robot);
        let mut tree = tree_closures::Workspace::new(&robot);
        let (u, u_dot) = legs_platform::motion(&robot, &mut legs, at, r, r_dot).unwrap();
        let (expected, expected_rate) = tree_closures::motion(&robot, &mut tree, at, r, r_dot).unwrap();
        assert_close(u, expected, TOLERANCE, &format!("{label}: velocities"));
        assert_close(u_dot, expected_rate, TOLERANCE, &format!("{label}: their rates"));
        for load in [&[], &load[..]] {
            let w = legs_platform::generalised_forces(&robot, &mut legs, at, r, r_dot, load).unwrap();
            let expected = tree_closures::generalised_forces(&robot, &mut tree, at, r, r_dot, load).unwrap();
            assert_close(w, expected, TOLERANCE, &format!("{label}: forces"));
            for sharing in sharings(&robot) {
                let tau = legs_platform::inverse_dynamics(&robot, &mut legs, at, r, r_dot, load, &sharing).unwrap();
                let expected =
                    tree_closures::inverse_dynamics(&robot, &mut tree, at, r, r_dot, load, &sharing).unwrap();
                assert_close(tau, expected, TOLERANCE, &format!("{label}: efforts with {sharing:?}"));
            }
            let growth = legs_platform::forward_dynamics(&robot, &mut legs, at, r, tau, load).unwrap();
            for solver in [Solver::Kkt, Solver::NullSpace] {
                tree.solver = solver;
                let expected = tree_closures::forward_dynamics(&robot, &mut tree, at, r, tau, load).unwrap();
                assert_close(growth, expected, TOLERANCE, &format!("{label}: accelerations by {solver:?}"));
            }
        }
        let inertia = legs_platform::inertia_matrix(&robot, &mut legs, at).unwrap();
        let expected = tree_closures::inertia_matrix(&robot, &mut tree, at).unwrap();
        assert_close(inertia, expected, TOLERANCE, &format!("{label}: inertia"));
        let n = robot.freedoms().len();
        let z = tree_closures::complement(&robot, &mut tree, at).unwrap();
        let driven: Vec<f64> = robot.driven().iter().flat_map(|&j| z[j * n..(j + 1) * n].to_vec()).collect();
        let j_inv = legs_platform::inverse_jacobian(&robot, &mut legs, at).unwrap();
        assert_close(j_inv, &driven, TOLERANCE, &format!("{label}: inverse Jacobian"));
    }
}

/// Efforts of redundant drives hold the demand, and none of the same effect is nearer to the preload.
#[test]
fn redundant_drives_share_by_least_norm() {
    let mut redundant = 0;
    for (robot, state, label) in
        closed_cases(|_| true, 0..SEEDS).filter(|(robot, ..)| robot.driven().len() > robot.freedoms().len())
    {
        redundant += 1;
        let ClosedState { at, r, r_dot, load, .. } = &state;
        let n = robot.freedoms().len();
        let mut tree = tree_closures::Workspace::new(&robot);
        let z = tree_closures::complement(&robot, &mut tree, at).unwrap().to_vec();
        let w = tree_closures::generalised_forces(&robot, &mut tree, at, r, r_dot, load).unwrap().to_vec();
        let [.., sharing] = sharings(&robot);
        let tau = tree_closures::inverse_dynamics(&robot, &mut tree, at, r, r_dot, load, &sharing).unwrap();
        let held: Vec<f64> =
            (0..n).map(|c| robot.driven().iter().zip(tau).map(|(&j, tau)| z[j * n + c] * tau).sum()).collect();
        assert_close(&held, &w, TOLERANCE, &format!("{label}: what the drives hold"));
        // The one effort that moves nothing does no work on S⁻² (τ − τ₀), with torques at the characteristic length.
        let driven: Vec<f64> = robot.driven().iter().flat_map(|&j| z[j * n..(j + 1) * n].to_vec()).collect();
        let mut jacobi = Jacobi::new(tau.len(), n);
        jacobi.decompose(&driven);
        let idle = jacobi.left(n);
        let unit = |i: usize| robot.tree().links()[robot.driven()[i]].joint.pick(robot.length(), 1.0);
        let pulls: Vec<f64> = (0..tau.len())
            .map(|i| idle[i] * (tau[i] - sharing.preload[i]) / (sharing.strengths[i] * unit(i)).powi(2))
            .collect();
        assert!(pulls.iter().sum::<f64>().abs() <= TOLERANCE * norm(&pulls), "{label}: {pulls:?}");
    }
    assert!(redundant > 20, "{redundant} robots have more drives than degrees of freedom");
}

/// A number with its first and second derivative in time.
type Twice = Dual<1, Dual<1>>;

fn twice(x: f64, rate: f64, growth: f64) -> Twice {
    Dual { value: Dual { value: x, derivative: [rate] }, derivative: [Dual { value: rate, derivative: [growth] }] }
}

/// A configuration along a motion.
fn moving(robot: &ClosedMechanism, at: &Configuration, u: &[f64], u_dot: &[f64]) -> Configuration<Twice> {
    let dof = robot.tree().dof();
    let q = (0..dof).map(|j| twice(at.q[j], u[j], u_dot[j])).collect();
    let mut pose = at.pose.lift(twice(0.0, 0.0, 0.0));
    if let (&[vx, vy, vz, wx, wy, wz], &[ax, ay, az, ex, ey, ez]) = (&u[dof..], &u_dot[dof..]) {
        let (omega, growth) = (Mat3::skew(Vec3::new(wx, wy, wz)), Mat3::skew(Vec3::new(ex, ey, ez)));
        let (rate, second) = (omega * at.pose.rotation, (growth + omega * omega) * at.pose.rotation);
        let p = at.pose.position;
        pose.position = Vec3::new(twice(p.x, vx, ax), twice(p.y, vy, ay), twice(p.z, vz, az));
        pose.rotation = Mat3::from_rows(core::array::from_fn(|i| {
            let entry = |k: usize| twice(at.pose.rotation.rows[i][k], rate.rows[i][k], second.rows[i][k]);
            Vec3::new(entry(0), entry(1), entry(2))
        }));
    }
    Configuration { q, pose }
}

/// What must vanish of the pose of a closing joint's second frame in its first.
fn gaps<T: Real>(constraint: Constraint, between: &Pose<T>) -> Vec<T> {
    let p = between.position;
    let entry = |i: usize, k: usize| between.rotation.rows[i][k];
    let (point, across) = (vec![p.x, p.y, p.z], vec![p.x, p.y]);
    let (axis, turn) = (vec![entry(0, 2), entry(1, 2)], vec![entry(0, 1), entry(1, 2), entry(2, 0)]);
    match constraint {
        Constraint::Joint(ClosingJoint::Spherical) => point,
        Constraint::Joint(ClosingJoint::Revolute) => [point, axis].concat(),
        Constraint::Joint(ClosingJoint::Universal) => [point, vec![entry(0, 1)]].concat(),
        Constraint::Joint(ClosingJoint::Cylindrical) => [across, axis].concat(),
        Constraint::Joint(ClosingJoint::Prismatic) => [across, turn].concat(),
        Constraint::Joint(ClosingJoint::Rigid) => [point, turn].concat(),
        Constraint::Attitude => turn,
    }
}

/// Closing joints stay closed: their gaps, and the first and second derivatives, by dual numbers through the poses.
#[test]
fn motions_keep_all_loops_closed() {
    for (robot, state, label) in closed_cases(|_| true, 0..SEEDS) {
        let mut tree = tree_closures::Workspace::new(&robot);
        let (u, u_dot) = tree_closures::motion(&robot, &mut tree, &state.at, &state.r, &state.r_dot).unwrap();
        let at = moving(&robot, &state.at, u, u_dot);
        let mut ws = kinematics::Workspace::with_scalar(robot.tree(), at.q[0]);
        let bodies = kinematics::positions(robot.tree(), &mut ws, &at.q);
        let frame = |side: &Side| {
            let own = side.pose.lift(at.q[0]);
            match side.on {
                On::Base => own,
                On::Body(j) => bodies[j] * own,
                On::Platform => at.pose * own,
            }
        };
        let scale = [1.0, norm(u).max(1.0), norm(u_dot).max(norm(u) * norm(u))];
        for closure in robot.closures() {
            let between = frame(&closure.first).inverse() * frame(&closure.second);
            for gap in gaps(closure.constraint, &between) {
                let found = [gap.value.value, gap.value.derivative[0], gap.derivative[0].derivative[0]];
                for (found, scale) in found.iter().zip(scale) {
                    assert!(found.abs() <= 1e-10 * scale, "{label}: {} opens by {found:e}", closure.name);
                }
            }
        }
        for (j, follower) in robot.tree().followers().iter().enumerate() {
            let Some(follower) = follower else { continue };
            let mut gap = at.q[j] - at.q[j].constant(follower.offset);
            for &(leader, multiplier) in &follower.leaders {
                gap = gap - at.q[leader].scale(multiplier);
            }
            let found = [gap.value.value, gap.value.derivative[0], gap.derivative[0].derivative[0]];
            for (found, scale) in found.iter().zip(scale) {
                assert!(found.abs() <= 1e-10 * scale, "{label}: joint {j} leaves its leaders by {found:e}");
            }
        }
    }
}

/// Σ m (a − g)·∂v + (I α + ω × I ω)·∂ω over all bodies, in base axes, and the joints' own forces: the virtual power a
/// freedom, less the load's.
fn virtual_powers(robot: &ClosedMechanism, state: &ClosedState) -> Vec<f64> {
    let (n, dof) = (robot.freedoms().len(), robot.tree().dof());
    let mut ws = tree_closures::Workspace::new(robot);
    let z = tree_closures::complement(robot, &mut ws, &state.at).unwrap().to_vec();
    let (u, u_dot) = tree_closures::motion(robot, &mut ws, &state.at, &state.r, &state.r_dot).unwrap();
    let mut ws = kinematics::Workspace::new(robot.tree());
    let q = &state.at.q;
    let poses = kinematics::positions(robot.tree(), &mut ws, q).to_vec();
    let twists = kinematics::velocities(robot.tree(), &mut ws, q, &u[..dof]).to_vec();
    let accelerations = kinematics::accelerations(robot.tree(), &mut ws, q, &u[..dof], &u_dot[..dof]).to_vec();
    let of_platform =
        |u: &[f64]| [Vec3::new(u[dof], u[dof + 1], u[dof + 2]), Vec3::new(u[dof + 3], u[dof + 4], u[dof + 5])];
    (0..n)
        .map(|c| {
            let column: Vec<f64> = (0..robot.velocities()).map(|k| z[k * n + c]).collect();
            let partial = kinematics::velocities(robot.tree(), &mut ws, q, &column[..dof]);
            let mut power = 0.0;
            for (j, link) in robot.tree().links().iter().enumerate() {
                let inertia = link.inertia.turned_by(&poses[j].rotation);
                let arm = poses[j].rotation * link.com;
                power += body_power(robot, link.mass, arm, inertia, &twists[j], &accelerations[j], &partial[j]);
                let effects = &robot.tree().effects()[j];
                let own = joint_effects::force(effects, q[j], u[j]) + effects.rotor.reflected_inertia() * u_dot[j];
                power += own * column[j];
            }
            if let Some(platform) = robot.platform().filter(|platform| platform.mass > 0.0) {
                let [linear, angular] = of_platform(u);
                let twist = Twist { linear, angular };
                let [linear, angular] = of_platform(u_dot);
                let acceleration = Acceleration { linear, angular };
                let [linear, angular] = of_platform(&column);
                let partial = Twist { linear, angular };
                let com = platform.first_moment.scale(1.0 / platform.mass);
                let about_com = platform.inertia - Sym3::of_point_mass(platform.mass, com);
                let rotation = state.at.pose.rotation;
                let inertia = about_com.turned_by(&rotation);
                power += body_power(robot, platform.mass, rotation * com, inertia, &twist, &acceleration, &partial);
            }
            power - state.load.iter().zip(&column).map(|(load, partial)| load * partial).sum::<f64>()
        })
        .collect()
}

fn body_power(
    robot: &ClosedMechanism,
    mass: f64,
    arm: Vec3<f64>,
    inertia: Sym3<f64>,
    twist: &Twist<f64>,
    acceleration: &Acceleration<f64>,
    partial: &Twist<f64>,
) -> f64 {
    let (omega, alpha) = (twist.angular, acceleration.angular);
    let of_centre = acceleration.linear + alpha.cross(arm) + omega.cross(omega.cross(arm));
    let force = (of_centre - robot.tree().gravity()).scale(mass);
    let moment = inertia * alpha + omega.cross(inertia * omega);
    force.dot(partial.linear + partial.angular.cross(arm)) + moment.dot(partial.angular)
}

#[test]
fn forces_are_virtual_powers() {
    for (robot, state, label) in closed_cases(|_| true, 0..SEEDS) {
        let ClosedState { at, r, r_dot, load, .. } = &state;
        let mut tree = tree_closures::Workspace::new(&robot);
        let w = tree_closures::generalised_forces(&robot, &mut tree, at, r, r_dot, load).unwrap();
        assert_close(w, &virtual_powers(&robot, &state), TOLERANCE, &label);
    }
}

/// From a configuration a little off, assembly comes back: to the pose leg by leg, and to the drives' positions.
#[test]
fn assembly_finds_configurations_again() {
    for (robot, state, label) in closed_cases(|_| true, 0..SEEDS) {
        let mut sampler = Sampler::new(1);
        let mut ws = assembly::Workspace::new(&robot);
        let mut off = state.at.clone();
        off.q.iter_mut().for_each(|q| *q += sampler.within(2e-3));
        // An output that moves with fewer degrees of freedom than the robot does not say where all joints are.
        let n = robot.freedoms().len();
        let is_determined = n == 1 || robot.freedoms()[0] >= robot.tree().dof();
        // Where the joints hardly notice the pose, a gap of rounding lets them be anywhere.
        let metric = Metric::of(&robot);
        let mut measured = singularity::Workspace::new(&robot);
        let nearness = singularity::measures(&robot, &mut measured, &state.at, &metric);
        let is_clear = !robot.legs().is_empty() || nearness.type1() * nearness.constraints.inverse_condition > 1e-3;
        if robot.platform().is_some() && is_determined && is_clear {
            let mut at = off.clone();
            assembly::at_pose(&robot, &mut ws, &mut at).unwrap_or_else(|error| panic!("{label}: {error}"));
            assert_close(&at.q, &state.at.q, 1e-8, &format!("{label}: at the pose"));
        }
        off.pose.position.x += 1e-3 * robot.length();
        let positions: Vec<f64> = robot.driven().iter().map(|&j| state.at.q[j]).collect();
        assembly::at_drives(&robot, &mut ws, &positions, &mut off).unwrap_or_else(|error| panic!("{label}: {error}"));
        assert_close(&off.q, &state.at.q, 1e-8, &format!("{label}: with the drives"));
    }
}

/// Where drives were far before, and where a description is rough: homes to a millimetre and a milliradian.
#[test]
fn assembly_bears_long_ways_and_rough_homes() {
    let rounded = |x: f64| (1e3 * x).round() / 1e3;
    for family in Family::ALL {
        for seed in 0..SEEDS {
            let label = format!("{family:?}, seed {seed}");
            let mut sampler = Sampler::new(seed);
            let mut description = sampler.closed_description(family);
            let robot = ClosedMechanism::new(&description).unwrap();
            let state = sampler.closed_state(&robot);
            let positions: Vec<f64> = robot.driven().iter().map(|&j| state.at.q[j]).collect();
            let (mut ws, mut at) = (assembly::Workspace::new(&robot), robot.home().clone());
            assembly::at_drives(&robot, &mut ws, &positions, &mut at)
                .unwrap_or_else(|error| panic!("{label}: {error}"));
            description.joints.iter_mut().for_each(|joint| joint.home = rounded(joint.home));
            if let Some(platform) = &mut description.platform {
                platform.home.position = platform.home.position.to_array().map(rounded).into();
            }
            let rough = ClosedMechanism::new(&description).unwrap_or_else(|error| panic!("{label}: {error}"));
            assert_eq!(rough.mobility(), robot.mobility(), "{label}");
        }
    }
}

/// Without any word of where joints are at home, legs find the platform, and most loops close.
#[test]
fn homes_of_joints_may_be_left_out() {
    // Of these all loops are closed at once, which takes better starts.
    let are_hard = |family: &Family| matches!(family, Family::Branched(_) | Family::Hybrid(_) | Family::Screw(_));
    let families = Family::ALL.into_iter().filter(|family| !are_hard(family));
    for family in families {
        for seed in 0..SEEDS {
            let mut description = Sampler::new(seed).closed_description(family);
            description.joints.iter_mut().for_each(|joint| joint.home = 0.0);
            let robot = ClosedMechanism::new(&description).unwrap_or_else(|error| panic!("{family:?} {seed}: {error}"));
            assert_eq!(robot.freedoms().len(), family.freedoms(), "{family:?} {seed}");
        }
    }
}

/// A platform that is described to six digits stays there, though its legs are far from where they begin.
#[test]
fn a_rough_platform_stays_while_legs_come() {
    let text = robots::find("3-rps").unwrap().toml.replace("0.24248711305964282", "0.242487");
    for (begin, other) in
        [("platform = { xyz = [0.28,", "platform = { xyz = [2.8,"), ("branch = \"+\"", "branch = \"-\"")]
    {
        let robot = ClosedMechanism::from_toml(&text.replace(begin, other)).unwrap_or_else(|error| panic!("{error}"));
        let home = robot.home().pose.position;
        assert!((home - Vec3::new(0.0, 0.0, 0.75)).norm() < 1e-6, "{other}: {home:?}");
    }
}

/// Every configuration found for some lengths of a Gough-Stewart platform's legs has these lengths.
#[test]
fn a_gough_stewart_platform_has_several_poses_for_its_lengths() {
    let robot = closed("gough-stewart");
    let lengths: Vec<f64> = robot
        .driven()
        .iter()
        .zip([0.01, -0.02, 0.015, 0.0, 0.02, -0.01])
        .map(|(&j, way)| robot.home().q[j] + way)
        .collect();
    let mut ws = assembly::Workspace::new(&robot);
    let found = assembly::search_at_drives(&robot, &mut ws, &lengths, 100, 1);
    assert!(found.len() >= 4, "{} configurations", found.len());
    let mut kinematics = kinematics::Workspace::new(robot.tree());
    for at in &found {
        let feet = kinematics::positions(robot.tree(), &mut kinematics, &at.q).to_vec();
        for (leg, &length) in robot.legs().iter().zip(&lengths) {
            let closure = &robot.closures()[leg.closure];
            let side = if closure.first.on == On::Platform { &closure.first } else { &closure.second };
            let way = at.pose.point(side.pose.position) - feet[leg.joints[0]].position;
            assert!((way.norm() - length).abs() < 1e-9, "{}: {} m for {length} m", leg.name, way.norm());
        }
    }
}
