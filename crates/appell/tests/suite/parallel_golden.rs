//! Parallel robots against the golden data: both methods, every quantity the files hold.

use crate::common::{
    answer, assembled, assert_close, assert_close_at, closed, evaluators, matrix, number, numbers, parallel_golden,
    vector, wrist,
};
use appell::closed::energy::energy;
use appell::closed::formulation::{self, Formulation};
use appell::closed::reactions::{self, reactions};
use appell::closed::tree_closures::Solver;
use appell::closed::{ClosedMechanism, Configuration, legs_platform, tree_closures};
use appell::kinematics;
use appell::question::{Motion, Question, State};
use appell::spatial::{EulerAngles, Mat3, PlanarRotation, Pose, Vec3, Wrench};
use serde_json::Value;

/// Of positions, rates, accelerations, M, c and J, and of efforts and direct accelerations (digest §11).
const MOTION: f64 = 1e-12;
const EFFORT: f64 = 1e-11;

fn pose(state: &Value) -> Pose<f64> {
    Pose { position: vector(&numbers(&state["p"])), rotation: matrix(&numbers(&state["R"])) }
}

/// A motion by the golden data: configuration, r, ṙ, efforts.
struct Expected {
    at: Configuration,
    r: Vec<f64>,
    r_dot: Vec<f64>,
    tau: Vec<f64>,
}

/// What every method of every question of the table that the file knows says, and its default on best instructions.
fn check_questions(robot: &ClosedMechanism, expected: &Expected, state: &Value, label: &str) {
    let Expected { at, r, r_dot, tau } = expected;
    let applied = state.get("tau_fd").map(numbers).unwrap_or_default();
    let given = State { motion: Motion::Assembled { at, r, r_dot }, tau: &applied, ..State::default() };
    let check = |question: Question, expected: &[f64], tolerance: f64, scale: f64| {
        for (name, mut evaluator) in evaluators(robot, question) {
            let label = format!("{label}: {name}");
            let found = answer(&mut evaluator, &given, &label);
            // Forward dynamics has the platform's acceleration before the drives'.
            assert_close_at(&found[found.len() - expected.len()..], expected, tolerance, scale, &label);
        }
    };
    check(Question::InverseDynamics, tau, EFFORT, 0.1);
    for (question, keys, tolerance, scale) in [
        (Question::InertiaMatrix, &["M_rob"][..], MOTION, 0.0),
        (Question::Bias, &["c_rob"], MOTION, 0.1),
        (Question::InverseJacobian, &["J_inv"], MOTION, 0.0),
        (Question::ForwardDynamics, &["fd_qdda"], EFFORT, 0.0),
        (Question::Energy, &["KE", "PE"], MOTION, 0.0),
        (Question::Joints, &["q", "qd", "qdd"], MOTION, 0.0),
    ] {
        let known: Option<Vec<&Value>> = keys.iter().map(|key| state.get(key)).collect();
        if let Some(values) = known {
            check(question, &values.into_iter().flat_map(numbers).collect::<Vec<_>>(), tolerance, scale);
        }
    }
}

/// What all methods say, and the rates of the independent velocities that efforts give.
fn check_dynamics(robot: &ClosedMechanism, expected: &Expected, state: &Value, label: &str) {
    check_questions(robot, expected, state, label);
    let Expected { at, r, .. } = expected;
    let Some(direct) = state.get("fd_Vrd").or(state.get("fd_Vd")) else { return };
    let applied = numbers(&state["tau_fd"]);
    let mut legs = legs_platform::Workspace::new(robot);
    let mut tree = tree_closures::Workspace::new(robot);
    let found = legs_platform::forward_dynamics(robot, &mut legs, at, r, &applied, &[]).unwrap().to_vec();
    assert_close(&found, &numbers(direct), EFFORT, label);
    for solver in [Solver::NullSpace, Solver::Kkt] {
        tree.solver = solver;
        let found = tree_closures::forward_dynamics(robot, &mut tree, at, r, &applied, &[]).unwrap();
        assert_close(found, &numbers(direct), EFFORT, &format!("{label}: {solver:?}"));
    }
}

/// Positions, rates and accelerations of all joints, and the platform's twist.
fn check_motion(robot: &ClosedMechanism, expected: &Expected, state: &Value, label: &str) {
    let Expected { at, r, r_dot, .. } = expected;
    assert_close(&at.q, &numbers(&state["q"]), MOTION, &format!("{label}: positions"));
    let mut legs = legs_platform::Workspace::new(robot);
    let mut tree = tree_closures::Workspace::new(robot);
    let both = [
        legs_platform::motion(robot, &mut legs, at, r, r_dot).unwrap(),
        tree_closures::motion(robot, &mut tree, at, r, r_dot).unwrap(),
    ];
    let dof = robot.tree().dof();
    for (u, u_dot) in both {
        assert_close(&u[..dof], &numbers(&state["qd"]), MOTION, &format!("{label}: rates"));
        assert_close(&u_dot[..dof], &numbers(&state["qdd"]), MOTION, &format!("{label}: accelerations"));
        assert_close(&u[dof..], &numbers(&state["V"]), MOTION, &format!("{label}: twist"));
        assert_close(&u_dot[dof..], &numbers(&state["Vd"]), MOTION, &format!("{label}: its rate"));
        let found = energy(robot, &mut kinematics::Workspace::new(robot.tree()), at, u);
        assert_close(&[found.kinetic], &numbers(&state["KE"]), MOTION, &format!("{label}: kinetic energy"));
        assert_close(&[found.potential], &numbers(&state["PE"]), MOTION, &format!("{label}: potential energy"));
    }
}

/// Forces at the spherical joints and wrenches at the universal ones, in world axes.
fn check_reactions(robot: &ClosedMechanism, expected: &Expected, state: &Value, label: &str) {
    let Expected { at, r, r_dot, tau } = expected;
    let mut positions = kinematics::Workspace::new(robot.tree());
    let frames = kinematics::positions(robot.tree(), &mut positions, &at.q);
    for &formulation in Formulation::of(robot) {
        let mut workspace = reactions::Workspace::new(robot, formulation);
        let found = reactions(robot, &mut workspace, at, r, r_dot, tau, (&[], &[])).unwrap();
        let on_platform = found.closures.iter().flat_map(|wrench| (at.pose.rotation * wrench.force).to_array());
        let label = format!("{label}: {}", formulation.name());
        assert_close(&on_platform.collect::<Vec<_>>(), &numbers(&state["spherical_force"]), EFFORT, &label);
        assert!(found.closures.iter().all(|wrench| wrench.moment.norm() == 0.0));
        let first_joints = robot.legs().iter().map(|leg| leg.joints[0]);
        let on_legs = first_joints.flat_map(|j| {
            let Wrench { force, moment } = found.joints[j];
            let axes = frames[j].rotation;
            Wrench { force: axes * force, moment: axes * moment }.to_array()
        });
        assert_close(&on_legs.collect::<Vec<_>>(), &numbers(&state["base_wrench"]), EFFORT, &label);
    }
}

fn check_states(robot: &ClosedMechanism, states: &Value, label: &str) {
    for (k, state) in states.as_array().unwrap().iter().enumerate() {
        let label = format!("{label} {k}");
        let independent = |reduced: &str, full: &str| numbers(state.get(reduced).unwrap_or(&state[full]));
        let expected = Expected {
            at: assembled(robot, pose(state)),
            r: independent("Vr", "V"),
            r_dot: independent("Vrd", "Vd"),
            tau: numbers(&state["tau"]),
        };
        check_motion(robot, &expected, state, &label);
        check_dynamics(robot, &expected, state, &label);
        if state.get("spherical_force").is_some() {
            check_reactions(robot, &expected, state, &label);
        }
    }
}

#[test]
fn gough_stewart_states_and_trajectory() {
    let (robot, golden) = (closed("gough-stewart"), parallel_golden("shared_gough_stewart.json"));
    check_states(&robot, &golden["states"], "state");
    check_states(&robot, &golden["trajectory"], "trajectory");
}

#[test]
fn robots_of_fewer_freedoms() {
    for (name, file, freedoms) in [
        ("five-bar", "shared_five_bar.json", "vx vy"),
        ("planar-3rrr", "shared_planar_3rrr.json", "vx vy wz"),
        ("delta", "shared_delta.json", "vx vy vz"),
        ("3-rps", "shared_rps3.json", "vz wx wy"),
    ] {
        let robot = closed(name);
        assert_eq!(robot.freedom_names().join(" "), freedoms, "{name}");
        check_states(&robot, &parallel_golden(file)["data"], name);
    }
}

/// The general 6-UPS as a file: every leg a chain of its own, its universal joint oblique.
fn general_gough_stewart(model: &Value) -> String {
    let list = |value: &Value| format!("{:?}", numbers(value));
    let body = |body: &Value| {
        let i = numbers(&body["inertia_C"]);
        let [mass, xx, yy, zz, xy, xz, yz] = [number(&body["mass"]), i[0], i[4], i[8], i[1], i[2], i[5]];
        let com = list(&body["com"]);
        format!(
            "mass = {mass:?}\ncom = {com}\ninertia = {{ xx = {xx:?}, yy = {yy:?}, zz = {zz:?}, xy = {xy:?}, xz = {xz:?}, yz = {yz:?} }}\n"
        )
    };
    let rotation = |value: &Value| matrix(&numbers(value));
    let rpy = |rotation: Mat3<f64>| format!("{:?}", rotation.to_roll_pitch_yaw().to_array());
    let mut text = format!(
        "name = 'general'\nframes = 'modified-dh'\ngravity = {}\n[platform]\n{}home = {{ xyz = {}, rpy = {} }}\n",
        list(&model["gravity"]),
        body(&model["platform"]),
        list(&model["home"]["p"]),
        rpy(rotation(&model["home"]["R"])),
    );
    let quarter = PlanarRotation::exact(core::f64::consts::FRAC_PI_2).matrix_y();
    for (k, leg) in model["legs"].as_array().unwrap().iter().enumerate() {
        text += &format!(
            "[chain.c{k}]\njoints = [['u1', 'revolute', '0', 0, 'q + 180 deg', 0], \
             ['u2', 'revolute', '90 deg', 0, 'q + 90 deg', 0], ['slide', 'prismatic', '90 deg', 0, '0', 'q']]\n\
             driven = ['slide']\nclosing = 'spherical'\n[chain.c{k}.body.u1]\nmass = 0\n\
             [chain.c{k}.body.u2]\nframe = {{ rpy = ['90 deg', 0, 0] }}\n{}\
             [chain.c{k}.body.slide]\n{}[chain.c{k}.joint.slide]\nbranch = '+'\nhome = 0.8\n\
             [leg.leg{k}]\nchain = 'c{k}'\nbase = {{ xyz = {}, rpy = {} }}\nplatform = {{ xyz = {} }}\n",
            body(&leg["lower"]),
            body(&leg["upper"]),
            list(&leg["B"]),
            rpy(rotation(&leg["U"]) * quarter),
            list(&leg["P"]),
        );
    }
    text
}

#[test]
fn a_general_gough_stewart() {
    let golden = parallel_golden("shared_gough_stewart_general.json");
    let robot = ClosedMechanism::from_toml(&general_gough_stewart(&golden["robot"])).unwrap_or_else(|e| panic!("{e}"));
    check_states(&robot, &golden["states"], "general");
}

/// Efforts and joint motions of a spherical robot along golden states; `modes` are the second joints' branches.
fn check_spherical(
    robot: &ClosedMechanism,
    state: &Value,
    attitude: Mat3<f64>,
    names: [&str; 2],
    label: &str,
) -> Expected {
    let expected = Expected {
        at: assembled(robot, Pose { rotation: attitude, position: Vec3::default() }),
        r: numbers(&state["omega"]),
        r_dot: numbers(&state["omegad"]),
        tau: Vec::new(),
    };
    let mut legs = legs_platform::Workspace::new(robot);
    let (u, u_dot) = legs_platform::motion(robot, &mut legs, &expected.at, &expected.r, &expected.r_dot).unwrap();
    for (k, name) in names.into_iter().enumerate() {
        let of = |all: &[f64]| robot.legs().iter().map(|leg| all[leg.joints[k]]).collect::<Vec<_>>();
        for (suffix, all) in [("", &expected.at.q[..]), ("d", u), ("dd", u_dot)] {
            let key = format!("{name}{suffix}");
            assert_close_at(&of(all), &numbers(&state[&key]), MOTION, 1.0, &format!("{label}: {key}"));
        }
    }
    expected
}

#[test]
fn agile_wrist_by_the_general_scheme() {
    for file in ["shared_agile_wrist_states.json", "shared_agile_wrist_traj.json"] {
        for (k, state) in parallel_golden(file)["data"].as_array().unwrap().iter().enumerate() {
            let label = format!("{file} {k}");
            let robot = wrist(&numbers(&state["mode"]));
            let angles = <[f64; 3]>::try_from(numbers(&state["q"])).unwrap();
            let rotation = EulerAngles::Zyx.rotation(angles);
            let mut expected = check_spherical(&robot, state, rotation, ["theta", "psi"], &label);
            expected.tau = numbers(&state["tau"]);
            check_dynamics(&robot, &expected, &Value::Null, &label);
            // In Euler's angles: ω = E q̇, so M = Eᵀ M_rob E.
            let e = EulerAngles::Zyx.omega_of_rates(angles);
            let mut legs = legs_platform::Workspace::new(&robot);
            let found = legs_platform::inertia_matrix(&robot, &mut legs, &expected.at).unwrap();
            let in_angles = e.transpose() * matrix(found) * e;
            let found: Vec<f64> = in_angles.rows.iter().flat_map(|row| row.to_array()).collect();
            assert_close(&found, &numbers(&state["M"]), MOTION, &format!("{label}: M"));
            let at = &expected.at;
            let j_inv = legs_platform::inverse_jacobian(&robot, &mut legs, at).unwrap();
            let found: Vec<f64> = (matrix(j_inv) * e).rows.iter().flat_map(|row| row.to_array()).collect();
            assert_close(&found, &numbers(&state["J_act"]), MOTION, &format!("{label}: J"));
            let applied = numbers(&state["tau_fd"]);
            for &formulation in Formulation::of(&robot) {
                let mut ws = formulation::Workspace::new(&robot, formulation);
                let found =
                    formulation::forward_dynamics(&robot, &mut ws, at, &expected.r, &applied, &[]).unwrap().to_vec();
                let (_, growth) = legs_platform::motion(&robot, &mut legs, at, &expected.r, &found).unwrap();
                let driven: Vec<f64> = robot.driven().iter().map(|&j| growth[j]).collect();
                let label = format!("{label}: direct, {}", formulation.name());
                assert_close(&driven, &numbers(&state["fd_thetadd"]), EFFORT, &label);
            }
        }
    }
}

#[test]
fn star_triangle_by_the_general_scheme() {
    let golden = parallel_golden("shared_sst_traj.json");
    let robot = closed("sst");
    let weightless = robot.with_gravity(Vec3::default());
    for trajectory in ["trajectory_1", "trajectory_2"] {
        for (k, state) in golden[trajectory].as_array().unwrap().iter().enumerate() {
            let label = format!("{trajectory} {k}");
            let rotation = EulerAngles::Zyz.rotation(numbers(&state["euler"]).try_into().unwrap());
            let mut expected = check_spherical(&robot, state, rotation, ["gamma", "mu"], &label);
            expected.tau = numbers(&state["tau_gravity"]);
            let of_all = [
                ("M_rob", "M"),
                ("c_rob", "bias_gravity"),
                ("J_inv", "J_gamma"),
                ("tau_fd", "tau_fd"),
                ("fd_Vrd", "fd_omegad"),
                ("fd_qdda", "fd_gammadd"),
            ];
            let renamed = of_all.into_iter().map(|(ours, theirs)| (ours.to_owned(), state[theirs].clone()));
            check_dynamics(&robot, &expected, &Value::Object(renamed.collect()), &label);
            expected.tau = numbers(&state["tau_nogravity"]);
            check_dynamics(&weightless, &expected, &Value::Null, &label);
        }
    }
}
