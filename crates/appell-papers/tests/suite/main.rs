//! What the papers print, held against what we compute.

#[path = "../../../appell/tests/suite/common/mod.rs"]
mod common;

mod abedloo;
mod briot_khalil;
mod enferadi;
mod formula;
mod operation_counts;
mod puma;
mod stability;

use appell::closed::drives::Sharing;
use appell::closed::energy::energy;
use appell::closed::tree_closures::{self, Solver};
use appell::closed::{ClosedMechanism, Load, legs_platform};
use appell::description::Description;
use appell::dynamics::energy::Energy;
use appell::kinematics;
use appell::spatial::{Mat3, Pose, Vec3, Wrench};
use appell_papers::{Check, Erratum, PivotedBody};
use common::{assembled, assert_close, assert_close_at, numbers, parallel_golden};
use serde_json::Value;

/// Of positions, rates, accelerations, M, c and J, and of efforts and direct accelerations (digest §11).
const MOTION: f64 = 1e-12;
const EFFORT: f64 = 1e-11;

fn triple(value: &Value) -> [f64; 3] {
    numbers(value).try_into().unwrap()
}

fn entries(m: Mat3<f64>) -> Vec<f64> {
    m.rows.iter().flat_map(|row| row.to_array()).collect()
}

fn assert_all_hold(checks: &[Check]) {
    for check in checks {
        println!("{:.2e} ≤ {:.0e}  {}", check.difference, check.limit, check.what);
    }
    assert!(checks.iter().all(Check::holds), "{checks:#?}");
}

/// Printed forms fail, and corrected ones hold.
fn assert_errata_hold(errata: &[Erratum]) {
    for erratum in errata {
        for evidence in &erratum.evidence {
            println!("{:22} {evidence:?}", erratum.place);
            assert!(evidence.holds(), "{erratum:#?}");
        }
    }
}

/// The golden evidence of a paper's erratum, about something that these words name.
fn evidence(paper: &str, equation: &str, words: &str) -> Value {
    let golden = parallel_golden("shared_errata_evidence.json");
    let is_about = |row: &Value| row["what"].as_str().is_none_or(|what| what.contains(words));
    let is_it = |row: &&Value| row["paper"] == paper && row["eq"] == equation && is_about(row);
    let row = golden["evidence"].as_array().unwrap().iter().find(is_it);
    row.unwrap_or_else(|| panic!("{equation} {words}")).clone()
}

fn assert_same_body(body: &PivotedBody, known: &Value, tolerance: f64) {
    assert_close(&[body.mass], &numbers(&known["mass"]), 1e-15, "mass");
    assert_close(&body.com().to_array(), &numbers(&known["com"]), tolerance, "centre of mass");
    assert_close(&entries(body.inertia.full()), &numbers(&known["inertia_O"]), tolerance, "inertia");
}

/// What a closed form says of a robot about a point, at one state.
struct ClosedForm {
    /// Two of each leg: positions, rates, accelerations.
    joints: [Vec<f64>; 3],
    energy: Energy<f64>,
    /// Of the motion, under a moment on the platform from outside.
    torques: [f64; 3],
    /// ω̇ under the torques that act, and that moment.
    omega_dot: [f64; 3],
    /// Its referee.
    solver: Solver,
}

impl ClosedForm {
    /// Compares it with the general methods at an attitude with ω and ω̇, and under torques and a moment from outside.
    fn assert_general(
        &self,
        description: &Description,
        (rotation, omega, omega_dot): (Mat3<f64>, Vec3<f64>, Vec3<f64>),
        (tau, external): ([f64; 3], Vec3<f64>),
        label: &str,
    ) {
        let robot = ClosedMechanism::new(description).unwrap_or_else(|e| panic!("{label}: {e}"));
        let at = assembled(&robot, Pose { rotation, position: Vec3::default() });
        let (r, r_dot) = (omega.to_array(), omega_dot.to_array());
        let close = |found: &[f64], known: &[f64], what: &str| {
            assert_close(found, known, EFFORT, &format!("{label}: {what}"));
        };
        let (mut tree, mut legs) = (tree_closures::Workspace::new(&robot), legs_platform::Workspace::new(&robot));
        let (u, u_dot) = tree_closures::motion(&robot, &mut tree, &at, &r, &r_dot).unwrap();
        close(&self.joints[0], &at.q, "positions");
        close(&self.joints[1], &u[..6], "rates");
        close(&self.joints[2], &u_dot[..6], "accelerations");
        let known = energy(&robot, &mut kinematics::Workspace::new(robot.tree()), &at, u);
        close(&[self.energy.kinetic], &[known.kinetic], "kinetic energy");
        assert_close_at(
            &[self.energy.potential],
            &[known.potential],
            EFFORT,
            1.0,
            &format!("{label}: potential energy"),
        );
        let mut load = Load::new(&robot);
        load.set(&robot, &at, &[], Wrench { force: Vec3::default(), moment: external });
        let (load, sharing) = (load.on_velocities(), Sharing::default());
        let known = legs_platform::inverse_dynamics(&robot, &mut legs, &at, &r, &r_dot, load, &sharing).unwrap();
        close(&self.torques, known, "torques, legs");
        let known = tree_closures::inverse_dynamics(&robot, &mut tree, &at, &r, &r_dot, load, &sharing).unwrap();
        close(&self.torques, known, "torques, tree");
        let known = legs_platform::forward_dynamics(&robot, &mut legs, &at, &r, &tau, load).unwrap();
        close(&self.omega_dot, known, "accelerations, legs");
        tree.solver = self.solver;
        let known = tree_closures::forward_dynamics(&robot, &mut tree, &at, &r, &tau, load).unwrap();
        close(&self.omega_dot, known, "accelerations, tree");
    }
}
