//! Maps of workspace slices of closed mechanisms.

use crate::common::{assembled, closed};
use appell::closed::ClosedMechanism;
use appell::closed::map_ranges::{choose, ranges};
use appell::closed::reach::Reach;
use appell::closed::singularity::{self, Metric};
use appell::closed::workspace_map::{self, Axis, Cell, Coordinate, MapError, Slice};
use appell::spatial::Vec3;
use core::ops::ControlFlow;

fn axis(coordinate: Coordinate, from: f64, to: f64, cells: usize) -> Axis {
    Axis { coordinate, from, to, cells }
}

#[test]
fn map_of_a_five_bar() {
    let robot = closed("five-bar");
    let slice = Slice::at_home(&robot, axis(Coordinate::X, -0.7, 0.7, 29), axis(Coordinate::Y, 0.053, 0.753, 15));
    let mut last = 0;
    let map = workspace_map::map(&robot, &slice, |done, of| {
        assert!(done == last + 1 && of == 29 * 15);
        last = done;
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(last, 29 * 15);
    let mut ws = singularity::Workspace::new(&robot);
    for row in 0..15 {
        for column in 0..29 {
            let pose = slice.pose(row, column);
            let Vec3 { x, y, .. } = pose.position;
            let (left, right) = ((x + 0.14).hypot(y), (x - 0.14).hypot(y));
            let reached = left < 0.54 && left > 0.06 && right < 0.51 && right > 0.05;
            match map.cell(row, column) {
                Cell::OutOfLimits => panic!("no limits"),
                Cell::OutOfReach => assert!(!reached, "({x}, {y})"),
                Cell::Reachable { type1, type2 } => {
                    assert!(reached, "({x}, {y})");
                    let at = assembled(&robot, pose);
                    let measures = singularity::measures(&robot, &mut ws, &at, &Metric::of(&robot));
                    assert!((type1 - measures.type1()).abs() < 1e-9 && (type2 - measures.type2()).abs() < 1e-9);
                }
            }
        }
    }
}

#[test]
fn single_poses_are_as_in_a_map() {
    for (name, columns, rows) in [
        ("five-bar", axis(Coordinate::X, -0.7, 0.7, 29), axis(Coordinate::Y, 0.053, 0.753, 15)),
        ("3-rps", axis(Coordinate::Roll, -0.4, 0.4, 5), axis(Coordinate::Pitch, -0.4, 0.4, 5)),
    ] {
        let robot = closed(name);
        let slice = Slice::at_home(&robot, columns, rows);
        let map = workspace_map::map(&robot, &slice, |_, _| ControlFlow::Continue(())).unwrap();
        let mut reach = Reach::new(&robot);
        let mut sides = [0, 0];
        for (row, column) in (0..rows.cells).flat_map(|row| (0..columns.cells).map(move |column| (row, column))) {
            let pose = slice.pose(row, column);
            let there = reach.at(&pose, &[columns.coordinate, rows.coordinate], &slice.pose);
            match (map.cell(row, column), there) {
                (Cell::OutOfReach, None) => {}
                (Cell::OutOfLimits, Some(there)) => assert!(!there.within_limits, "{name} at {row}, {column}"),
                (Cell::Reachable { type1, type2 }, Some(there)) => {
                    assert!(there.within_limits, "{name} at {row}, {column}");
                    assert!((type1 - there.type1).abs() < 1e-9 && (type2 - there.type2).abs() < 1e-9);
                    sides[usize::from(there.determinant.unwrap() > 0.0)] += 1;
                }
                (cell, there) => panic!("{name} at {row}, {column}: {cell:?} and {there:?}"),
            }
        }
        assert!(sides.iter().sum::<i32>() > 20, "{name}: {sides:?}");
    }
}

#[test]
fn maps_with_limits_turns_and_side_motions() {
    let go_on = |_: usize, _: usize| ControlFlow::Continue(());
    let robot = closed("hexapod-6rus");
    let far = Slice::at_home(&robot, axis(Coordinate::Z, -0.6, 0.6, 9), axis(Coordinate::Yaw, -1.5, 1.5, 7));
    let far = Slice {
        columns: Axis {
            from: robot.home().pose.position.z - 0.6,
            to: robot.home().pose.position.z + 0.6,
            ..far.columns
        },
        ..far
    };
    let map = workspace_map::map(&robot, &far, go_on).unwrap();
    let count = |wanted: fn(&Cell) -> bool| map.cells.iter().filter(|cell| wanted(cell)).count();
    assert!(matches!(map.cell(3, 4), Cell::Reachable { .. }), "home");
    assert!(count(|cell| *cell == Cell::OutOfReach) > 5 && count(|cell| *cell == Cell::OutOfLimits) > 0);
    // A 3-RPS moves aside when it tilts.
    let robot = closed("3-rps");
    let slice = Slice::at_home(&robot, axis(Coordinate::Roll, -0.3, 0.3, 5), axis(Coordinate::Pitch, -0.3, 0.3, 5));
    let map = workspace_map::map(&robot, &slice, go_on).unwrap();
    assert!(map.cells.iter().all(|cell| matches!(cell, Cell::Reachable { .. })), "{:?}", map.cells);
    let slice = Slice::at_home(&robot, axis(Coordinate::X, 0.01, 0.3, 3), axis(Coordinate::Pitch, 0.0, 0.0, 1));
    let map = workspace_map::map(&robot, &slice, go_on).unwrap();
    assert!(map.cells.iter().all(|cell| *cell == Cell::OutOfReach), "{:?}", map.cells);
}

/// What a map of the ranges found reaches, a wider one does not leave.
#[test]
fn ranges_hold_what_is_reached() {
    let go_on = |_: usize, _: usize| ControlFlow::Continue(());
    for name in ["five-bar", "delta", "planar-3rrr"] {
        let robot = closed(name);
        let chosen = choose(&robot, &[]).unwrap();
        assert_eq!(chosen, [Coordinate::X, Coordinate::Y]);
        let found = ranges(&robot, &robot.home().pose, chosen, [None; 2], go_on).unwrap();
        let wide = found.map(|[from, to]| [from - 0.3 * (to - from), to + 0.3 * (to - from)]);
        let [columns, rows] = [0, 1].map(|k| axis(chosen[k], wide[k][0], wide[k][1], 33));
        let map = workspace_map::map(&robot, &Slice::at_home(&robot, columns, rows), go_on).unwrap();
        let mut reached = 0;
        for (row, column) in (0..33).flat_map(|row| (0..33).map(move |column| (row, column))) {
            if map.cell(row, column) != Cell::OutOfReach {
                let at = [columns.value(column), rows.value(row)];
                let is_in = |k: usize| (found[k][0]..=found[k][1]).contains(&at[k]);
                assert!(is_in(0) && is_in(1), "{name} reaches {at:?}, beyond {found:?}");
                reached += 1;
            }
        }
        assert!(reached > 33 * 33 / 10, "{name}: {reached} cells, in ranges far too wide: {found:?}");
        let known = [Some([-0.1, 0.2]), None];
        let [columns, _] = ranges(&robot, &robot.home().pose, chosen, known, go_on).unwrap();
        assert_eq!(columns, [-0.1, 0.2]);
    }
}

#[test]
fn coordinates_that_are_none_of_the_robots_are_refused() {
    let (x, y, z) = (Coordinate::X, Coordinate::Y, Coordinate::Z);
    let robot = closed("five-bar");
    let message = |asked: &[Coordinate]| choose(&robot, asked).unwrap_err().to_string();
    assert!(
        message(&[x, z]).contains("z is not a degree of freedom") && message(&[x, z]).contains("choose two of x, y")
    );
    for asked in [&[x, x][..], &[x], &[x, y, x]] {
        assert!(matches!(choose(&robot, asked), Err(MapError::NotTwo { .. })), "{asked:?}");
    }
    assert!(matches!(choose(&closed("four-bar"), &[]), Err(MapError::NoPlatform { .. })));
    let coordinates = Coordinate::ALL.map(|coordinate| Coordinate::find(coordinate.name()));
    assert_eq!(coordinates, Coordinate::ALL.map(Some));
}

#[test]
fn maps_that_cannot_be_are_refused() {
    let go_on = |_: usize, _: usize| ControlFlow::Continue(());
    let (robot, x) = (closed("delta"), axis(Coordinate::X, -0.1, 0.1, 3));
    let refused = |robot: &ClosedMechanism, columns, rows| {
        workspace_map::map(robot, &Slice::at_home(robot, columns, rows), go_on).unwrap_err()
    };
    assert!(matches!(refused(&closed("four-bar"), x, axis(Coordinate::Y, 0.0, 1.0, 2)), MapError::NoPlatform { .. }));
    assert!(matches!(refused(&robot, x, axis(Coordinate::Y, 0.0, 1.0, 0)), MapError::Axis(Axis { cells: 0, .. })));
    assert!(matches!(refused(&robot, x, axis(Coordinate::Y, f64::NAN, 1.0, 2)), MapError::Axis(_)));
    assert!(matches!(refused(&robot, x, x), MapError::Twice { .. }));
    assert!(matches!(refused(&robot, x, axis(Coordinate::Y, 0.0, 1.0, usize::MAX)), MapError::TooLarge { .. }));
    let slice = Slice::at_home(&robot, x, axis(Coordinate::Y, -0.1, 0.1, 3));
    let stop = |done: usize, _: usize| if done < 4 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    assert_eq!(workspace_map::map(&robot, &slice, stop), Err(MapError::Stopped { done: 4, of: 9 }));
}
