//! Other assemblies, maps, uncontrolled motions, code and files.

use crate::apart;
use appell::robots;
use appell_web::Bench;
use appell_web::map::Request;
use serde_json::Value;

#[test]
fn every_assembly_and_working_mode_can_be_taken() {
    for (name, modes) in [("five-bar", 4), ("planar-3rrr", 8), ("agile-wrist", 8), ("3-rps", 8)] {
        let bench = Bench::builtin(name).unwrap();
        let found = bench.modes().unwrap();
        assert_eq!((found.assemblies.len(), found.proved), (modes, true), "{name}");
        assert_eq!(found.assemblies.iter().filter(|one| one.present).count(), 1, "{name}");
        let pose = bench.pose();
        for one in &found.assemblies {
            let mut bench = Bench::builtin(name).unwrap();
            assert_eq!(bench.set_q(&one.q).unwrap(), "", "{name}");
            assert!(apart(&bench.pose()[..3], &pose[..3], 1.0) < 1e-9, "{name}");
            // Taken by the hand it stays in its mode: every joint goes on from where it is.
            let mut goal = bench.pose();
            goal[0] += 1e-4;
            goal[5] += 1e-4;
            bench.set_pose(&goal).unwrap();
            let way = one.q.iter().zip(bench.q()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(way < 0.1, "{name} leaves its mode: {:?} {:?}", one.q, bench.q());
            bench.home();
            assert!(apart(bench.q(), Bench::builtin(name).unwrap().q(), 1.0) < 1e-12, "{name}");
        }
    }
}

#[test]
fn assemblies_of_the_drives_are_counted() {
    let bench = Bench::builtin("gough-stewart").unwrap();
    let found = bench.assemblies().unwrap();
    assert!(found.proved && found.assemblies.len() > 1);
    assert!(found.assemblies[0].present, "the nearest is where it is");
    let eight = Bench::builtin("puma560").unwrap();
    let mut bench = eight;
    bench.set_q(&[0.3, -0.9, 0.6, 0.4, 0.8, -0.2]).unwrap();
    let pose = bench.pose();
    let found = bench.modes().unwrap();
    assert_eq!((found.assemblies.len(), found.proved), (8, true));
    for one in &found.assemblies {
        bench.set_q(&one.q).unwrap();
        let now = bench.pose();
        assert!(apart(&now[..3], &pose[..3], 1.0) < 1e-9);
    }
}

/// The Gough-Stewart platform turned by a right angle is at Type 2: a screw about z that the drives do not hold.
#[test]
fn type_2_is_met_and_shown() {
    let mut bench = Bench::builtin("gough-stewart").unwrap();
    let mut pose = bench.pose();
    let half = std::f64::consts::FRAC_PI_4;
    pose[3..].copy_from_slice(&[0.0, 0.0, half.sin(), half.cos()]);
    assert_eq!(bench.set_pose(&pose).unwrap(), "", "poses do not mind Type 2");
    let live = serde_json::to_value(bench.live()).unwrap();
    assert!(live["singularity"]["type2"].as_f64().unwrap() < 1e-9);
    assert!(live["tau"].is_null() && !live["notes"].as_array().unwrap().is_empty());
    let motions = bench.uncontrolled();
    assert!(motions.len() == 1 && motions[0].controlled < 1e-9);
    let still = serde_json::to_value(bench.sketch()).unwrap();
    let corner = |value: &Value| -> Vec<f64> { serde_json::from_value(value["platform"][0].clone()).unwrap() };
    let nudged = |bench: &mut Bench, amount| corner(&serde_json::to_value(bench.nudged(0, amount).unwrap()).unwrap());
    assert!(apart(&nudged(&mut bench, 0.0), &corner(&still), 1.0) < 1e-12);
    assert!(apart(&nudged(&mut bench, 0.5), &corner(&still), 1.0) > 1e-2);
    assert_eq!(serde_json::to_value(bench.sketch()).unwrap(), still, "the state is left alone");
    assert!(bench.nudged(1, 0.5).is_err());
}

#[test]
fn maps_are_of_the_library() {
    use appell::closed::workspace_map::{Axis, Cell, Coordinate, Slice, map};
    for builtin in robots::all() {
        let bench = Bench::builtin(builtin.name).unwrap();
        let Some(mut request) = bench.map_ranges() else {
            assert_eq!(builtin.name, "four-bar", "all others have a map");
            continue;
        };
        (request.columns.cells, request.rows.cells) = (9, 3);
        for row in 0..3 {
            let cells = bench.map_row(&request, row).unwrap();
            assert_eq!((cells.type1.len(), cells.type2.len(), cells.reach.len()), (9, 9, 9), "{}", builtin.name);
        }
        let middle = bench.map_row(&request, 1).unwrap();
        assert!(middle.reach.iter().any(|&reach| reach > 0), "{}", builtin.name);
        assert!(bench.map_row(&request, 3).is_err());
    }
    let robot = robots::find("delta").unwrap().closed();
    let across = |coordinate| Axis { coordinate, from: -0.5, to: 0.5, cells: 11 };
    let slice = Slice::at_home(&robot, across(Coordinate::X), across(Coordinate::Y));
    let whole = map(&robot, &slice, |_, _| std::ops::ControlFlow::Continue(())).unwrap();
    let span = |name: &str| serde_json::json!({ "coordinate": name, "from": -0.5, "to": 0.5, "cells": 11 });
    let request: Request =
        serde_json::from_value(serde_json::json!({ "columns": span("x"), "rows": span("y") })).unwrap();
    let bench = Bench::builtin("delta").unwrap();
    for row in 0..11 {
        let cells = bench.map_row(&request, row).unwrap();
        for column in 0..11 {
            match whole.cell(row, column) {
                Cell::Reachable { type1, type2 } => {
                    assert_eq!(cells.reach[column], 2);
                    assert!((cells.type1[column].unwrap() - type1).abs() < 1e-9);
                    assert!((cells.type2[column].unwrap() - type2).abs() < 1e-9);
                }
                _ => assert_eq!(cells.type1[column], None),
            }
        }
    }
    let layer: Request = serde_json::from_value(
        serde_json::json!({ "columns": span("x"), "rows": span("y"), "layer": { "coordinate": "z", "value": 5.0 } }),
    )
    .unwrap();
    assert!(bench.map_row(&layer, 5).unwrap().reach.iter().all(|&reach| reach == 0), "nothing is so high");
}

#[test]
fn code_and_files_are_taken_home() {
    let bench = Bench::builtin("puma560").unwrap();
    let code = bench.generate("inverse-dynamics", "c").unwrap();
    assert!(code.contains("puma_560_inverse_dynamics"));
    assert!(bench.generate("inverse-dynamics", "cobol").unwrap_err().contains("cuda"));
    for format in ["toml", "urdf", "par", "csv", "md"] {
        let text = bench.write(format).unwrap();
        let read =
            Bench::read(&text, &format!("robot.{format}")).unwrap_or_else(|remarks| panic!("{format}: {remarks:?}"));
        assert_eq!(read.robot().drives().len(), 6, "{format}");
    }
    let closed = Bench::builtin("delta").unwrap();
    assert!(closed.write("urdf").unwrap_err().contains("closed loops"), "nothing is lost silently");
    assert!(closed.write("toml").is_ok());
}
