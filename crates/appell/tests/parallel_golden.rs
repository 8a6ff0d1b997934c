//! Parallel robots against the golden data: both methods, every quantity the files hold.

mod common;

use appell::closed::drives::Sharing;
use appell::closed::tree_closures::Solver;
use appell::closed::{ClosedMechanism, Configuration, assembly, legs_platform, tree_closures};
use appell::robots;
use appell::spatial::{Mat3, Pose, Vec3};
use common::{assert_close, numbers, parallel_golden};
use serde_json::Value;

/// Of positions, rates, accelerations, M, c and J, and of efforts and direct accelerations (digest §11).
const MOTION: f64 = 1e-12;
const EFFORT: f64 = 1e-11;

fn pose(state: &Value) -> Pose<f64> {
    let (p, r) = (numbers(&state["p"]), numbers(&state["R"]));
    Pose {
        position: Vec3::new(p[0], p[1], p[2]),
        rotation: Mat3::from_rows([0, 3, 6].map(|k| Vec3::new(r[k], r[k + 1], r[k + 2]))),
    }
}

/// The configuration of a pose, from home.
fn assembled(robot: &ClosedMechanism, pose: Pose<f64>) -> Configuration {
    let mut at = Configuration { pose, ..robot.home().clone() };
    let mut workspace = assembly::Workspace::new(robot);
    assembly::at_pose(robot, &mut workspace, &mut at).unwrap_or_else(|error| panic!("{error}"));
    assembly::wrap(robot, &mut at);
    at
}

/// A motion by the golden data: configuration, r, ṙ, efforts.
struct Expected {
    at: Configuration,
    r: Vec<f64>,
    r_dot: Vec<f64>,
    tau: Vec<f64>,
}

/// What both methods say of efforts, M, c, J and direct accelerations.
fn check_dynamics(robot: &ClosedMechanism, expected: &Expected, state: &Value, label: &str) {
    let Expected { at, r, r_dot, tau } = expected;
    let zero = vec![0.0; r.len()];
    let sharing = Sharing::default();
    let mut legs = legs_platform::Workspace::new(robot);
    let mut tree = tree_closures::Workspace::new(robot);
    let found = legs_platform::inverse_dynamics(robot, &mut legs, at, r, r_dot, &[], &sharing).unwrap();
    assert_close(found, tau, EFFORT, &format!("{label}: efforts, legs"));
    let found = tree_closures::inverse_dynamics(robot, &mut tree, at, r, r_dot, &[], &sharing).unwrap();
    assert_close(found, tau, EFFORT, &format!("{label}: efforts, tree"));
    if state.get("M_rob").is_none() {
        return;
    }
    let number = |key: &str| numbers(&state[key]);
    assert_close(legs_platform::inertia_matrix(robot, &mut legs, at).unwrap(), &number("M_rob"), MOTION, label);
    assert_close(tree_closures::inertia_matrix(robot, &mut tree, at).unwrap(), &number("M_rob"), MOTION, label);
    let bias = legs_platform::generalised_forces(robot, &mut legs, at, r, &zero, &[]).unwrap();
    assert_close(bias, &number("c_rob"), MOTION, label);
    let bias = tree_closures::generalised_forces(robot, &mut tree, at, r, &zero, &[]).unwrap();
    assert_close(bias, &number("c_rob"), MOTION, label);
    assert_close(legs_platform::inverse_jacobian(robot, &mut legs, at).unwrap(), &number("J_inv"), MOTION, label);
    let (applied, direct) = (number("tau_fd"), state.get("fd_Vrd").or(state.get("fd_Vd")).unwrap());
    let found = legs_platform::forward_dynamics(robot, &mut legs, at, r, &applied, &[]).unwrap().to_vec();
    assert_close(&found, &numbers(direct), EFFORT, label);
    let (_, growth) = legs_platform::motion(robot, &mut legs, at, r, &found).unwrap();
    let driven: Vec<f64> = robot.driven().iter().map(|&j| growth[j]).collect();
    assert_close(&driven, &number("fd_qdda"), EFFORT, label);
    for solver in [Solver::NullSpace, Solver::Kkt] {
        let found = tree_closures::forward_dynamics(robot, &mut tree, at, r, &applied, &[], solver).unwrap();
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
    }
}

fn closed(name: &str) -> ClosedMechanism {
    robots::find(name).unwrap().closed()
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
