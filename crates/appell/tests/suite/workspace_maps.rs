//! Maps of workspace slices of closed mechanisms.

use crate::common::{assembled, closed};
use appell::closed::ClosedMechanism;
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
