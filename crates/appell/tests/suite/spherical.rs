//! Spherical robots by their closed forms: golden data, 500 random robots against the two general formulations, and
//! what the equations of motion must be.

use crate::common::{assembled, assert_close, assert_close_at, closed, norm, numbers, parallel_golden, wrist};
use appell::closed::drives::Sharing;
use appell::closed::sample::ClosedState;
use appell::closed::spherical::{self, Coriolis, NotSpherical};
use appell::closed::{
    ClosedMechanism, Configuration, SingularError, assembly, legs_platform, tree_closures, variation,
};
use appell::linear::Cholesky;
use appell::real::Dual;
use appell::robots;
use appell::sample::{Family, Sampler};
use appell::spatial::{EulerAngles, Mat3, PlanarRotation, Pose, Vec3};
use core::f64::consts::PI;

/// Of closed forms, legs + platform and tree + closures, on random robots.
const AGREEMENT: f64 = 1e-11;

/// Of motions and matrices, digest §11.
const MATRIX: f64 = 1e-12;

/// Of torques and direct accelerations, digest §11.
const EFFORT: f64 = 1e-11;

/// 100 robots of one freedom, 150 of two and 250 of three, of two to six legs.
fn cases() -> impl Iterator<Item = (ClosedMechanism, ClosedState, String)> {
    (0..500).map(|seed| {
        let mut sampler = Sampler::new(9000 + seed);
        let family = Family::Spherical([3, 2, 3, 1, 3, 2, 3, 1, 3, 2][seed as usize % 10]);
        let robot = sampler.closed_robot(family);
        let state = sampler.closed_state(&robot);
        (robot, state, format!("{family:?}, seed {seed}"))
    })
}

#[test]
fn closed_forms_agree_with_both_general_formulations_on_500_robots() {
    for (robot, ClosedState { at, r, r_dot, tau, load }, label) in cases() {
        let mut ws = spherical::Workspace::new(&robot);
        let mut legs = legs_platform::Workspace::new(&robot);
        let mut tree = tree_closures::Workspace::new(&robot);
        let sharing = Sharing::default();
        let by_legs =
            legs_platform::inverse_dynamics(&robot, &mut legs, &at, &r, &r_dot, &load, &sharing).unwrap().to_vec();
        let by_tree = tree_closures::inverse_dynamics(&robot, &mut tree, &at, &r, &r_dot, &load, &sharing).unwrap();
        let found = spherical::inverse_dynamics(&robot, &mut ws, &at, &r, &r_dot, &load, &sharing).unwrap().to_vec();
        assert_close(&found, &by_legs, AGREEMENT, &format!("{label}: inverse dynamics, legs + platform"));
        assert_close(&found, by_tree, AGREEMENT, &format!("{label}: inverse dynamics, tree + closures"));
        let explicit = spherical::by_equations(&robot, &mut ws, &at, &r, &r_dot, &load, &sharing).unwrap();
        assert_close(explicit, &by_legs, AGREEMENT, &format!("{label}: equations, legs + platform"));
        let by_legs = legs_platform::inertia_matrix(&robot, &mut legs, &at).unwrap();
        let by_tree = tree_closures::inertia_matrix(&robot, &mut tree, &at).unwrap();
        let found = spherical::inertia_matrix(&robot, &mut ws, &at).unwrap();
        assert_close(found, by_legs, AGREEMENT, &format!("{label}: M, legs + platform"));
        assert_close(found, by_tree, AGREEMENT, &format!("{label}: M, tree + closures"));
        let by_legs = legs_platform::forward_dynamics(&robot, &mut legs, &at, &r, &tau, &load).unwrap();
        let by_tree = tree_closures::forward_dynamics(&robot, &mut tree, &at, &r, &tau, &load).unwrap();
        let found = spherical::forward_dynamics(&robot, &mut ws, &at, &r, &tau, &load).unwrap();
        assert_close(found, by_legs, AGREEMENT, &format!("{label}: forward dynamics, legs + platform"));
        assert_close(found, by_tree, AGREEMENT, &format!("{label}: forward dynamics, tree + closures"));
    }
}

/// Ṁ − 2 C, with Ṁ by a dual number along the motion; M definite; C r the same of both kinds.
#[test]
fn the_equations_have_the_structure_of_mechanics() {
    for (robot, ClosedState { at, r, .. }, label) in cases() {
        let n = r.len();
        let mut ws = spherical::Workspace::new(&robot);
        let skew = spherical::equations(&robot, &mut ws, &at, &r, Coriolis::Skew).unwrap();
        let [m, c] = [skew.inertia, skew.coriolis].map(<[f64]>::to_vec);
        let paper = spherical::equations(&robot, &mut ws, &at, &r, Coriolis::Paper).unwrap();
        let times = |c: &[f64]| -> Vec<f64> {
            c.chunks_exact(n).map(|row| row.iter().zip(&r).map(|(c, r)| c * r).sum()).collect()
        };
        assert_close(&times(&c), &times(paper.coriolis), 1e-11, &format!("{label}: C r"));
        let rest = vec![0.0; n];
        let mut legs = legs_platform::Workspace::new(&robot);
        let (u, _) = legs_platform::motion(&robot, &mut legs, &at, &r, &rest).unwrap();
        let mut moving = variation::still::<1>(&robot);
        variation::vary(&robot, &at, |k, _| u[k], &mut moving);
        let mut varied = spherical::Workspace::with_scalar(&robot, Dual::<1>::fixed(0.0));
        let rate: Vec<f64> = spherical::inertia_matrix(&robot, &mut varied, &moving)
            .unwrap()
            .iter()
            .map(|entry| entry.derivative[0])
            .collect();
        let scale = norm(&rate).max(norm(&c)).max(norm(&m));
        for i in 0..n {
            for j in 0..n {
                let symmetric = 0.5 * (rate[i * n + j] + rate[j * n + i]) - c[i * n + j] - c[j * n + i];
                assert!(symmetric.abs() <= 1e-12 * scale, "{label}: Ṁ − 2 C is {symmetric:.1e} of {scale:.1e}");
            }
        }
        let mut cholesky = Cholesky::new(n, 0.0);
        cholesky.decompose(&m);
        assert!(cholesky.pivots().iter().all(|pivot| *pivot > 0.0), "{label}: {m:?}");
    }
}

/// In Euler angles M is definite but at the singularity of the angles, which is told.
#[test]
fn inertia_in_angles_is_definite_away_from_the_singularity() {
    let robot = closed("agile-wrist");
    let (mut ws, mut sampler) = (spherical::Workspace::new(&robot), Sampler::new(4));
    let mut definite = |robot: &ClosedMechanism, q: [f64; 3], v: [f64; 3]| {
        let rotation = EulerAngles::Zyx.rotation(q);
        let mut at = Configuration { pose: Pose { rotation, ..robot.home().pose }, ..robot.home().clone() };
        let mut search = assembly::Workspace::new(robot);
        assembly::at_pose(robot, &mut search, &mut at).ok()?;
        let r = (EulerAngles::Zyx.omega_of_rates(q) * Vec3::from(v)).to_array();
        let equations = spherical::equations(robot, &mut ws, &at, &r, Coriolis::Skew).ok()?;
        Some(equations.in_angles(EulerAngles::Zyx, q, v))
    };
    let mut reached = 0;
    for _ in 0..300 {
        let [q, v] = [[1.0, 1.5, 1.0], [2.0; 3]].map(|limits| limits.map(|limit| sampler.within(limit)));
        let Some(equations) = definite(&robot, q, v) else { continue };
        let mut cholesky = Cholesky::new(3, 0.0);
        cholesky.decompose(&flat(&equations.unwrap().inertia));
        assert!(cholesky.pivots().iter().all(|pivot| *pivot > 0.0), "{q:?}");
        reached += 1;
    }
    assert!(reached > 200, "{reached} attitudes within reach");
    let mut ws = spherical::Workspace::new(&robot);
    let equations = spherical::equations(&robot, &mut ws, robot.home(), &[0.0; 3], Coriolis::Skew).unwrap();
    let upright = equations.in_angles(EulerAngles::Zyx, [0.0, core::f64::consts::FRAC_PI_2, 0.0], [1.0; 3]);
    let told = upright.expect_err("pitch is a right angle").to_string();
    assert!(told.contains("321"), "{told}");
}

fn flat(matrix: &Mat3) -> Vec<f64> {
    matrix.rows.iter().flat_map(|row| row.to_array()).collect()
}

#[test]
fn agile_wrist_as_the_reference_has_it() {
    for file in ["shared_agile_wrist_states.json", "shared_agile_wrist_traj.json"] {
        for (k, state) in parallel_golden(file)["data"].as_array().unwrap().iter().enumerate() {
            let label = |what: &str| format!("{file} {k}: {what}");
            let robot = wrist(&numbers(&state["mode"]));
            let [q, v, a] = ["q", "qd", "qdd"].map(|key| <[f64; 3]>::try_from(numbers(&state[key])).unwrap());
            let kind = EulerAngles::Zyx;
            let at = assembled(&robot, Pose { rotation: kind.rotation(q), ..robot.home().pose });
            let (e, e_rate) = (kind.omega_of_rates(q), kind.omega_of_rates_rate(q, v));
            let omega = e * Vec3::from(v);
            let omega_rate = e * Vec3::from(a) + e_rate * Vec3::from(v);
            let (r, r_dot) = (omega.to_array(), omega_rate.to_array());
            let mut ws = spherical::Workspace::new(&robot);
            for (coriolis, key) in [(Coriolis::Paper, "C_paper"), (Coriolis::Skew, "C_skew")] {
                let equations = spherical::equations(&robot, &mut ws, &at, &r, coriolis).unwrap();
                let equations = equations.in_angles(kind, q, v).unwrap();
                assert_close_at(&flat(&equations.coriolis), &numbers(&state[key]), MATRIX, 1e-3, &label(key));
                assert_close(&flat(&equations.inertia), &numbers(&state["M"]), MATRIX, &label("M"));
                assert_close(&equations.gravity.to_array(), &numbers(&state["G"]), MATRIX, &label("G"));
                let j_act: Vec<f64> = equations.actuation.iter().flat_map(|row| row.to_array()).collect();
                assert_close(&j_act, &numbers(&state["J_act"]), MATRIX, &label("J_act"));
            }
            let sharing = Sharing::default();
            for method in [spherical::inverse_dynamics, spherical::by_equations] {
                let tau = method(&robot, &mut ws, &at, &r, &r_dot, &[], &sharing).unwrap();
                assert_close_at(tau, &numbers(&state["tau"]), EFFORT, 0.1, &label("tau"));
            }
            let tau = numbers(&state["tau_fd"]);
            let found = spherical::forward_dynamics(&robot, &mut ws, &at, &r, &tau, &[]).unwrap();
            let found = kind.accelerations(q, v, Vec3::new(found[0], found[1], found[2])).unwrap();
            assert_close(&found, &numbers(&state["fd_qdd"]), EFFORT, &label("direct"));
        }
    }
}

#[test]
fn star_triangle_as_the_reference_has_it() {
    let golden = parallel_golden("shared_sst_traj.json");
    let robot = closed("sst");
    let weightless = robot.with_gravity(Vec3::default());
    let kind = EulerAngles::Zyz;
    for trajectory in ["trajectory_1", "trajectory_2"] {
        for (k, state) in golden[trajectory].as_array().unwrap().iter().enumerate() {
            let label = |what: &str| format!("{trajectory} {k}: {what}");
            let angles = <[f64; 3]>::try_from(numbers(&state["euler"])).unwrap();
            let [r, r_dot] = ["omega", "omegad"].map(|key| numbers(&state[key]));
            let at = assembled(&robot, Pose { rotation: kind.rotation(angles), ..robot.home().pose });
            for (robot, suffix) in [(&robot, "gravity"), (&weightless, "nogravity")] {
                let mut ws = spherical::Workspace::new(robot);
                for method in [spherical::inverse_dynamics, spherical::by_equations] {
                    let tau = method(robot, &mut ws, &at, &r, &r_dot, &[], &Sharing::default()).unwrap();
                    assert_close_at(tau, &numbers(&state[format!("tau_{suffix}")]), EFFORT, 0.1, &label(suffix));
                }
                let equations = spherical::equations(robot, &mut ws, &at, &r, Coriolis::Skew).unwrap();
                assert_close(equations.inertia, &numbers(&state["M"]), MATRIX, &label("M"));
                assert_close(equations.actuation, &numbers(&state["J_gamma"]), MATRIX, &label("J_gamma"));
                let bias: Vec<f64> = (equations.coriolis.chunks_exact(3).zip(equations.gravity))
                    .map(|(row, g)| g + row.iter().zip(&r).map(|(c, r)| c * r).sum::<f64>())
                    .collect();
                assert_close_at(&bias, &numbers(&state[format!("bias_{suffix}")]), MATRIX, 0.1, &label("bias"));
            }
            let mut ws = spherical::Workspace::new(&robot);
            let found = spherical::forward_dynamics(&robot, &mut ws, &at, &r, &numbers(&state["tau_fd"]), &[]).unwrap();
            assert_close(found, &numbers(&state["fd_omegad"]), EFFORT, &label("direct"));
        }
    }
}

#[test]
fn the_spherical_ones_are_recognised_and_no_others() {
    for builtin in robots::CLOSED {
        let robot = builtin.closed();
        let expected = ["agile-wrist", "sst"].contains(&builtin.name);
        match spherical::recognise(&robot) {
            Ok(meeting) => assert!(expected && meeting.spread <= 1e-10 * robot.length(), "{}", builtin.name),
            Err(problem) => assert!(!expected && !problem.to_string().is_empty(), "{}: {problem}", builtin.name),
        }
    }
}

/// Forward kinematics: as many configurations as an independent search in Python found from 20 000 starts.
#[test]
fn all_ways_to_assemble_a_wrist() {
    let robot = closed("agile-wrist");
    let mut search = assembly::Workspace::new(&robot);
    for (drives, expected) in
        [([1.2, 1.0, 0.8], 2), ([1.9, 1.9, 0.1], 4), ([1.4, -2.5, -2.3], 6), ([-0.4, -1.1, 2.7], 0)]
    {
        let found = assembly::search_at_drives(&robot, &mut search, &drives, 500, 1);
        assert_eq!(found.len(), expected, "{drives:?}");
        for at in &found {
            // The angle between the axes of the outer links is theirs, in base axes.
            for (leg, theta) in drives.into_iter().enumerate() {
                let turn = |angle: f64| PlanarRotation::by(angle);
                let place = turn(leg as f64 * 2.0 * PI / 3.0).matrix_z();
                let base = place * turn(0.955_316_618_124_509_3 - PI).matrix_x() * turn(theta).matrix_z();
                let w = (base * turn(80_f64.to_radians()).matrix_x()).column(2);
                let v = (at.pose.rotation * place * turn(-0.615_479_708_670_387_3).matrix_x()).column(2);
                assert!((v.dot(w) - 70_f64.to_radians().cos()).abs() < 1e-12, "{drives:?}, leg {leg}");
            }
        }
    }
}

/// The wrist with its last axis as a third joint of each leg, rigidly joined to the platform, is the same robot. A joint
/// that forbids all turns must not be closed with its axes x, y and z in each other's places.
#[test]
fn a_rigid_end_is_not_closed_in_false_positions() {
    let text = robots::find("agile-wrist").unwrap().toml;
    let text = text
        .replace(
            "  [\"psi\",   \"revolute\", \"80 deg\",                  0.0, \"q\",   0.0],\n",
            "  [\"psi\",   \"revolute\", \"80 deg\", 0.0, \"q\", 0.0],\n  [\"xi\", \"revolute\", \"70 deg\", 0.0, \"q\", 0.0],\n",
        )
        .replace("closing = \"revolute\"\nend = { rpy = [\"70 deg\", 0.0, 0.0] }", "closing = \"rigid\"")
        .replace("[chain.rrr.body]\n", "[chain.rrr.body]\nxi.mass = 0\n");
    let rigid = ClosedMechanism::from_toml(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(rigid.tree().dof(), 9, "{text}");
    let wrist = closed("agile-wrist");
    let mut sampler = Sampler::new(8);
    let (mut searches, mut compared) = ((assembly::Workspace::new(&wrist), assembly::Workspace::new(&rigid)), 0);
    for _ in 0..120 {
        let rotation = EulerAngles::Zyx.rotation([sampler.within(1.2), sampler.within(0.6), sampler.within(0.6)]);
        let [mut one, mut other] = [&wrist, &rigid]
            .map(|robot| Configuration { pose: Pose { rotation, ..robot.home().pose }, ..robot.home().clone() });
        if assembly::at_pose(&wrist, &mut searches.0, &mut one).is_err() {
            continue;
        }
        assembly::at_pose(&rigid, &mut searches.1, &mut other).unwrap_or_else(|error| panic!("{error}"));
        let (r, r_dot, sharing) = ([0.4, -0.3, 0.2], [1.0, 2.0, -1.0], Sharing::default());
        let mut ws = tree_closures::Workspace::new(&wrist);
        let expected = tree_closures::inverse_dynamics(&wrist, &mut ws, &one, &r, &r_dot, &[], &sharing);
        let Ok(expected) = expected.map(<[f64]>::to_vec) else { continue };
        let mut ws = tree_closures::Workspace::new(&rigid);
        let found = tree_closures::inverse_dynamics(&rigid, &mut ws, &other, &r, &r_dot, &[], &sharing).unwrap();
        assert_close_at(found, &expected, 1e-8, 0.1, "torques");
        compared += 1;
    }
    assert!(compared > 80, "{compared}");
}

#[test]
fn others_are_told_what_is_in_the_way() {
    let problem = |name: &str| spherical::recognise(&closed(name)).expect_err("not spherical");
    assert_eq!(problem("four-bar"), NotSpherical::NoLegs);
    assert!(matches!(problem("gough-stewart"), NotSpherical::Axes { axes: 5.., .. } | NotSpherical::Slides { .. }));
    assert!(matches!(problem("3-rps"), NotSpherical::Slides { joint } if joint.contains("leg1")));
    let apart = problem("planar-3rrr");
    assert!(matches!(&apart, NotSpherical::Apart { distance, .. } if *distance > 0.1), "{apart}");
    let text = apart.to_string();
    assert!(text.contains("leg") && text.contains("is allowed"), "{text}");
}

/// With ψ = 0 all axes of a wrist's leg are on one great circle, at the border of its reach.
#[test]
fn a_flat_leg_is_refused_with_its_volume() {
    let robot = closed("agile-wrist");
    let joint = |name: &str| robot.tree().joint_names().iter().position(|known| known == name).unwrap();
    let mut at = robot.home().clone();
    at.q[joint("leg1.psi")] = 0.0;
    let [gamma, alpha] =
        [0.955_316_618_124_509_3 - PI, 150_f64.to_radians()].map(|angle| PlanarRotation::by(angle).matrix_x());
    let end = (gamma * PlanarRotation::by(at.q[joint("leg1.theta")]).matrix_z() * alpha).column(2);
    let bearing = &robot.closures()[robot.legs()[0].closure].second;
    let home = at.pose.rotation * bearing.pose.rotation.column(2);
    let [home, end] = [home, end].map(|v| nalgebra::Vector3::from(v.to_array()));
    let turn = nalgebra::Rotation3::rotation_between(&home, &end).unwrap();
    let rows = core::array::from_fn(|i| Vec3::new(turn[(i, 0)], turn[(i, 1)], turn[(i, 2)]));
    at.pose.rotation = Mat3::from_rows(rows) * at.pose.rotation;
    let mut ws = spherical::Workspace::new(&robot);
    let error = spherical::inertia_matrix(&robot, &mut ws, &at).expect_err("axes in a plane");
    assert!(matches!(&error, SingularError::Axes { leg, volume } if leg == "leg1" && volume.abs() < 1e-9), "{error}");
    assert!(error.to_string().contains("leg1"), "{error}");
}
