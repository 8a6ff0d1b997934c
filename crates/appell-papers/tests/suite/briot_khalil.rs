//! The formulas of BriotKhalil written out, beside our methods and the golden data.

use crate::common::{assert_close, numbers, parallel_golden};
use crate::{assert_all_hold, evidence};
use appell::closed::{Configuration, assembly};
use appell::spatial::{Mat3, Pose, Vec3};
use appell_papers::briot_khalil::{
    LegTable, cost, crossing, leg, path, psi, robot, singular, tangential, trajectory, virtual_power,
};
use serde_json::Value;

fn rows<'v>(golden: &'v Value, key: &str) -> &'v [Value] {
    golden[key].as_array().unwrap()
}

fn pose(row: &Value) -> Pose {
    let (p, r) = (numbers(&row["p"]), numbers(&row["R"]));
    let rotation = Mat3::from_rows([0, 3, 6].map(|k| Vec3::new(r[k], r[k + 1], r[k + 2])));
    Pose { position: Vec3::new(p[0], p[1], p[2]), rotation }
}

#[test]
fn jacobians_are_the_papers() {
    assert_all_hold(&leg::compare(200, 3).unwrap());
}

#[test]
fn the_golden_states_fit_the_printed_formulas() {
    let golden = parallel_golden("shared_gough_stewart.json");
    let legs = leg::Ups::all(&robot("gough-stewart"));
    for row in rows(&golden, "states") {
        let placed = legs.iter().map(|leg| leg.placed(&pose(row)));
        let j_inv: Vec<f64> = placed.clone().flat_map(|leg| leg.inverse_row()).collect();
        assert_close(&j_inv, &numbers(&row["J_inv"]), 1e-13, "eq. 32");
        let v = numbers(&row["V"]);
        let rates = placed.flat_map(|leg| leg.rates_of_twist());
        let rates: Vec<f64> = rates.map(|row| row.iter().zip(&v).map(|(k, v)| k * v).sum()).collect();
        assert_close(&rates, &numbers(&row["qd"]), 1e-12, "eqs 27, 30");
    }
}

#[test]
fn the_path_is_the_golden_trajectory() {
    let (robot, golden) = (robot("gough-stewart"), parallel_golden("shared_gough_stewart.json"));
    let study = trajectory::study(&robot, 0.03, 100).unwrap();
    assert_all_hold(&study.checks);
    let trajectory = rows(&golden, "trajectory");
    assert_eq!(trajectory.len(), study.samples.len());
    for (row, sample) in trajectory.iter().zip(&study.samples) {
        let instant = path(row["t"].as_f64().unwrap());
        assert_close(&instant.pose.position.to_array(), &numbers(&row["p"]), 1e-13, "position");
        assert_close(&instant.twist.to_array(), &numbers(&row["V"]), 1e-13, "twist");
        assert_close(&instant.acceleration.to_array(), &numbers(&row["Vd"]), 1e-13, "acceleration");
        assert_close(&sample.forces, &numbers(&row["tau"]), 1e-12, "forces");
        let third = virtual_power::inverse_dynamics(&robot, &instant.pose, &instant.twist, &instant.acceleration);
        assert_close(&third.unwrap(), &numbers(&row["tau"]), 1e-12, "virtual powers");
    }
}

#[test]
fn table_1_fits_tangential_axes_alone() {
    let known = evidence("003", "Table 1", "");
    let tables: Vec<LegTable> = leg::Ups::all(&robot("gough-stewart")).iter().map(LegTable::of).collect();
    let worst = tables.iter().fold(0.0, |most: f64, table| most.max(table.axis_along_radius.abs()));
    assert!((worst - known["error_as_printed"].as_f64().unwrap()).abs() < 1e-12, "{worst}");
    for table in &tables {
        assert!(table.miss < 1e-15 && (table.miss_as_printed - table.row.r.abs()).abs() < 1e-15, "{table:?}");
    }
    let turned = tangential().unwrap();
    for table in leg::Ups::all(&turned).iter().map(LegTable::of) {
        assert!(table.axis_along_radius.abs() < 1e-15 && table.miss_as_printed < 1e-15, "{table:?}");
    }
    assert_all_hold(&trajectory::study(&turned, 0.03, 100).unwrap().checks);
}

#[test]
fn psi_belongs_around_everything() {
    let study = psi::study(200, 3).unwrap();
    assert_all_hold(&study.checks);
    println!("{study:?}");
    assert!(study.bias_error > 0.1 && study.inertia_error > 1e-3, "{study:?}");
    // The golden states.
    let (robot, golden) = (robot("3-rps"), parallel_golden("shared_rps3.json"));
    let (mut error, mut size): (f64, f64) = (0.0, 0.0);
    for row in rows(&golden, "data") {
        let mut at = Configuration { pose: pose(row), ..robot.home().clone() };
        assembly::at_pose(&robot, &mut assembly::Workspace::new(&robot), &mut at).unwrap();
        let (wrong, right) = psi::velocity_parts(&robot, &at, &numbers(&row["Vr"])).unwrap();
        error = wrong.iter().zip(&right).fold(error, |most, (a, b)| most.max((a - b).abs()));
        size = right.iter().fold(size, |most, x| most.max(x.abs()));
    }
    // The digest says 62 % of another sample.
    assert!((0.2..1.0).contains(&(error / size)), "{}", error / size);
}

#[test]
fn singularities_are_where_they_were() {
    let golden = parallel_golden("shared_singularities.json");
    let type2 = singular::type2().unwrap();
    assert_all_hold(&type2.checks);
    assert_close(&type2.twist, &numbers(&golden["gs_type2"]["singular_point"]["kernel_twist"]), 1e-14, "t_s");
    assert_all_hold(&singular::type1().unwrap().checks);
}

#[test]
fn the_crossing_is_the_golden_one() {
    let golden = parallel_golden("shared_singularities.json");
    let study = crossing::study().unwrap();
    println!("{:?} {:?} {:?}", study.limit, study.growth, study.place);
    assert_all_hold(&study.checks);
    assert_close(&study.twist, &numbers(&golden["five_bar_type2"]["singular_point"]["kernel_twist_ts"]), 1e-13, "t_s");
    for (run, known) in [&study.with, &study.without].into_iter().zip(rows(&golden["crossing"], "trajectories")) {
        assert_close(&run.acceleration, &numbers(&known["accel_at_crossing"]), 1e-11, "acceleration");
        assert!((run.defect - known["ts_dot_w_at_crossing"].as_f64().unwrap()).abs() < 1e-12);
    }
    // The numbers of the digest.
    assert_close(&study.limit, &[1.923766, -1.874758], 1e-6, "limit");
    assert!((study.growth[0] - 0.139).abs() < 1e-3);
}

#[test]
fn legs_and_platform_cost_less_than_tree_and_closures() {
    let lines = cost::lines().unwrap();
    for line in &lines {
        println!("{line:?}");
    }
    let of = |what: &str, method: &str| {
        let line = lines.iter().find(|line| line.what == what && line.method.starts_with(method)).unwrap();
        line.count.multiplications + line.count.additions
    };
    for what in ["inverse dynamics", "forward dynamics"] {
        assert!(of(what, "legs-platform") < of(what, "tree-closures"), "{what}");
    }
}
