//! The axes of a map that fits a robot: along which coordinates it moves, and how far it reaches.

use super::ClosedMechanism;
use super::workspace_map::{Axis, Cell, Coordinate, Map, MapError, Slice, map};
use crate::kinematics;
use crate::spatial::Pose;
use core::f64::consts::PI;
use core::ops::ControlFlow;

/// Cells a side of the coarse map that finds the ranges.
const COARSE: usize = 41;

/// How far it looks, in sizes of the robot.
const FAR: f64 = 2.5;

/// How far it tilts, rad: not to 90°, where roll and yaw are one.
const TILT: f64 = 1.4;

/// The coordinates of the platform that are degrees of freedom of the robot.
#[must_use]
pub fn free(robot: &ClosedMechanism) -> Vec<Coordinate> {
    let is_free = |coordinate: &Coordinate| robot.freedoms().contains(&(robot.tree().dof() + *coordinate as usize));
    Coordinate::ALL.into_iter().filter(is_free).collect()
}

/// The two coordinates of a map: those asked for, or the robot's first degrees of freedom if there are none.
///
/// # Errors
/// If the robot has no platform, does not move so, or others than two are asked for.
pub fn choose(robot: &ClosedMechanism, asked: &[Coordinate]) -> Result<[Coordinate; 2], MapError> {
    let name = || robot.name().to_owned();
    if robot.platform().is_none() {
        return Err(MapError::NoPlatform { robot: name() });
    }
    let free = free(robot);
    if let Some(&coordinate) = asked.iter().find(|coordinate| !free.contains(coordinate)) {
        return Err(MapError::NotFree { coordinate, robot: name(), free });
    }
    match asked {
        [] => free.first_chunk().copied().ok_or_else(|| MapError::OneFreedom { robot: name() }),
        &[one, other] if one != other => Ok([one, other]),
        _ => Err(MapError::NotTwo { given: asked.to_vec(), free }),
    }
}

/// The ranges of a map of two coordinates, first value and last: those that are known, else what a coarse map finds reachable, with a
/// little room. `progress` is that of the coarse map.
///
/// # Errors
/// If the robot cannot be mapped, or the caller stops it.
pub fn ranges(
    robot: &ClosedMechanism,
    pose: &Pose,
    coordinates: [Coordinate; 2],
    known: [Option<[f64; 2]>; 2],
    progress: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<[[f64; 2]; 2], MapError> {
    if let [Some(columns), Some(rows)] = known {
        return Ok([columns, rows]);
    }
    let position = pose.position.to_array();
    let widest = |coordinate: Coordinate| match coordinate {
        Coordinate::Roll | Coordinate::Pitch => [-TILT, TILT],
        Coordinate::Yaw => [-PI, PI],
        _ => [-1.0, 1.0].map(|side| position[coordinate as usize] + side * FAR * size(robot)),
    };
    let [columns, rows] = [0, 1].map(|k| {
        let [from, to] = known[k].unwrap_or_else(|| widest(coordinates[k]));
        Axis { coordinate: coordinates[k], from, to, cells: COARSE }
    });
    let found = extent(&map(robot, &Slice { columns, rows, pose: *pose }, progress)?);
    Ok([0, 1].map(|k| known[k].unwrap_or(found[k])))
}

/// How large a robot is at home, m: from its platform to the joint farthest from there.
fn size(robot: &ClosedMechanism) -> f64 {
    let (tree, home) = (robot.tree(), robot.home());
    let mut workspace = kinematics::Workspace::new(tree);
    let frames = kinematics::positions(tree, &mut workspace, &home.q);
    let distances = frames[..tree.dof()].iter().map(|frame| (frame.position - home.pose.position).norm());
    distances.fold(robot.length(), f64::max)
}

/// The least ranges with all that is reachable, and a coarse cell more on each side; the whole where nothing is. Where
/// all is, slides without limits reach anywhere, and the middle half will do.
fn extent(map: &Map) -> [[f64; 2]; 2] {
    let Slice { columns, rows, .. } = map.slice;
    let all = (0..rows.cells).flat_map(|row| (0..columns.cells).map(move |column| [column, row]));
    let reached: Vec<[usize; 2]> = all.filter(|&[column, row]| map.cell(row, column) != Cell::OutOfReach).collect();
    [(0, columns), (1, rows)].map(|(k, axis)| {
        let places = || reached.iter().map(|cell| cell[k]);
        let (Some(least), Some(most)) = (places().min(), places().max()) else { return [axis.from, axis.to] };
        if reached.len() == map.cells.len() && !axis.coordinate.is_angle() {
            return [0.75 * axis.from + 0.25 * axis.to, 0.25 * axis.from + 0.75 * axis.to];
        }
        [axis.value(least.saturating_sub(1)), axis.value((most + 1).min(axis.cells - 1))]
    })
}
