//! A map of a parallel robot's workspace: where it reaches, and how near to a singularity it is there.
//!
//! `cargo run -p appell --example singularity_map`

use appell::closed::workspace_map::{Axis, Cell, Coordinate, Slice, map};
use appell::{Question, Robot, State};
use std::ops::ControlFlow;

const CELLS: usize = 41;

/// The nearest singularity of either type: an inverse condition, from 0, singular, to 1.
fn nearest(cell: Cell) -> Option<f64> {
    match cell {
        Cell::Reachable { type1, type2 } => Some(type1.min(type2)),
        Cell::OutOfReach | Cell::OutOfLimits => None,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = Robot::builtin("planar-3rrr")?;
    let closed = robot.closed().expect("a robot with loops");
    let home = closed.home().pose;
    let axis = |coordinate, middle: f64| Axis { coordinate, from: middle - 0.3, to: middle + 0.3, cells: CELLS };
    let slice = Slice::at_home(closed, axis(Coordinate::X, home.position.x), axis(Coordinate::Y, home.position.y));
    let map = map(closed, &slice, |_done, _of| ControlFlow::Continue(()))?;

    for row in map.cells.chunks_exact(CELLS).rev() {
        let shade = |&cell: &Cell| match nearest(cell) {
            None => ' ',
            Some(near) if near < 0.01 => '!',
            Some(near) if near < 0.05 => '-',
            Some(near) if near < 0.15 => '+',
            Some(_) => '#',
        };
        println!("{}", row.iter().map(shade).collect::<String>());
    }
    let reached = map.cells.iter().filter(|&&cell| nearest(cell).is_some()).count();
    println!("{reached} of {} cells are reached", map.cells.len());
    assert!(reached > 100 && reached < map.cells.len());
    assert!(map.cells.iter().filter_map(|&cell| nearest(cell)).all(|near| (0.0..=1.0).contains(&near)));

    // What a cell holds is what the question answers at its pose.
    let middle = map.cell(CELLS / 2, CELLS / 2);
    let mut dynamics = robot.dynamics();
    let at_home = dynamics.ask(Question::Singularity, &State::platform(home, [0.0; 6], [0.0; 6]))?;
    let Cell::Reachable { type1, type2 } = middle else { panic!("home is reached") };
    assert!((type1 - at_home[0]).abs() < 1e-9 && (type2 - at_home[1]).abs() < 1e-9);
    Ok(())
}
