//! The axes of a map, as the command line gives them, and ranges that fit the robot.

use anyhow::{Context, bail, ensure};
use appell::closed::ClosedMechanism;
use appell::closed::workspace_map::{Axis, Cell, Coordinate, Map, Slice, map};
use appell::kinematics;
use appell::spatial::Pose;
use std::f64::consts::PI;
use std::ops::ControlFlow;

/// Coordinates with their names, in the order of the components of a twist.
const COORDINATES: [(Coordinate, &str); 6] = [
    (Coordinate::X, "x"),
    (Coordinate::Y, "y"),
    (Coordinate::Z, "z"),
    (Coordinate::Roll, "roll"),
    (Coordinate::Pitch, "pitch"),
    (Coordinate::Yaw, "yaw"),
];

/// Cells a side of the coarse map that finds the ranges.
const COARSE: usize = 41;

/// How far it looks, in sizes of the robot.
const FAR: f64 = 2.5;

/// How far it tilts, rad: not to 90°, where roll and yaw are one.
const TILT: f64 = 1.4;

/// The name of a coordinate.
pub(super) fn name(coordinate: Coordinate) -> &'static str {
    COORDINATES[coordinate as usize].1
}

/// Whether it is an angle.
pub(super) fn is_angle(coordinate: Coordinate) -> bool {
    matches!(coordinate, Coordinate::Roll | Coordinate::Pitch | Coordinate::Yaw)
}

/// A coordinate by its name.
pub(super) fn coordinate(text: &str) -> Result<Coordinate, String> {
    let found = COORDINATES.into_iter().find(|(_, name)| *name == text.trim());
    found.map(|(coordinate, _)| coordinate).ok_or_else(|| "coordinates are x, y, z, roll, pitch and yaw".into())
}

/// A range `x=-0.3:0.3`, or in degrees `yaw=-90deg:90deg`.
pub(super) fn range(text: &str) -> Result<(Coordinate, [f64; 2]), String> {
    let parts = text.split_once('=').and_then(|(name, ends)| Some((name, ends.split_once(':')?)));
    let (name, (from, to)) = parts.ok_or("expected a range as in x=-0.3:0.3 or yaw=-90deg:90deg")?;
    let coordinate = coordinate(name)?;
    let number = |text: &str| -> Result<f64, String> {
        let text = text.trim();
        let (digits, unit) = match text.strip_suffix("deg") {
            Some(digits) if is_angle(coordinate) => (digits.trim(), PI / 180.0),
            Some(_) => return Err(format!("{text} is an angle, and {name} is in m")),
            None => (text, 1.0),
        };
        let number: Option<f64> = digits.parse().ok();
        number.map(|x| x * unit).filter(|x| x.is_finite()).ok_or_else(|| format!("{text} is not a number, in m or rad"))
    };
    let (from, to) = (number(from)?, number(to)?);
    if from >= to {
        return Err(format!("{name} from {from} to {to} is not a range; give the lower end first"));
    }
    Ok((coordinate, [from, to]))
}

/// The coordinates that are degrees of freedom of the robot.
fn free(robot: &ClosedMechanism) -> Vec<Coordinate> {
    let is_free = |coordinate: Coordinate| robot.freedoms().contains(&(robot.tree().dof() + coordinate as usize));
    COORDINATES.into_iter().map(|(coordinate, _)| coordinate).filter(|&coordinate| is_free(coordinate)).collect()
}

/// The two coordinates of a map: those asked for, or the robot's first degrees of freedom.
pub(super) fn choose(robot: &ClosedMechanism, asked: &[Coordinate]) -> anyhow::Result<[Coordinate; 2]> {
    ensure!(
        robot.platform().is_some(),
        "{} has no platform or output whose poses could be mapped; name its output with --frame",
        robot.name()
    );
    let free = free(robot);
    let names = |coordinates: &[Coordinate]| coordinates.iter().map(|&c| name(c)).collect::<Vec<_>>().join(", ");
    if let Some(&bound) = asked.iter().find(|coordinate| !free.contains(coordinate)) {
        bail!("{} is not a degree of freedom of {}; choose two of {}", name(bound), robot.name(), names(&free));
    }
    match asked {
        [] => free
            .first_chunk()
            .copied()
            .with_context(|| format!("{} has one degree of freedom; a map needs two", robot.name())),
        &[one, other] if one != other => Ok([one, other]),
        _ => bail!("--over gives {}; choose two different ones of {}", names(asked), names(&free)),
    }
}

/// The axes: ranges that were given, else what a coarse map finds reachable, with a little room.
pub(super) fn axes(
    robot: &ClosedMechanism,
    pose: &Pose,
    coordinates: [Coordinate; 2],
    given: &[(Coordinate, [f64; 2])],
    cells: usize,
) -> anyhow::Result<[Axis; 2]> {
    for (k, &(coordinate, _)) in given.iter().enumerate() {
        ensure!(coordinates.contains(&coordinate), "--range {} is not an axis of the map", name(coordinate));
        ensure!(given[..k].iter().all(|other| other.0 != coordinate), "--range {} is given twice", name(coordinate));
    }
    let position = pose.position.to_array();
    let known = coordinates.map(|coordinate| given.iter().find(|range| range.0 == coordinate).map(|range| range.1));
    let widest = |coordinate: Coordinate| match coordinate {
        Coordinate::Roll | Coordinate::Pitch => [-TILT, TILT],
        Coordinate::Yaw => [-PI, PI],
        _ => [-1.0, 1.0].map(|side| position[coordinate as usize] + side * FAR * size(robot)),
    };
    let ranges = [0, 1].map(|k| known[k].unwrap_or_else(|| widest(coordinates[k])));
    let axis = |k: usize, [from, to]: [f64; 2], cells| Axis { coordinate: coordinates[k], from, to, cells };
    if let [Some(columns), Some(rows)] = known {
        return Ok([axis(0, columns, cells), axis(1, rows, cells)]);
    }
    let [columns, rows] = [0, 1].map(|k| axis(k, ranges[k], COARSE));
    let seen = map(robot, &Slice { columns, rows, pose: *pose }, |_, _| ControlFlow::Continue(()))?;
    let found = extent(&seen);
    Ok([0, 1].map(|k| axis(k, known[k].unwrap_or(found[k]), cells)))
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
        if reached.len() == map.cells.len() && !is_angle(axis.coordinate) {
            return [0.75 * axis.from + 0.25 * axis.to, 0.25 * axis.from + 0.75 * axis.to];
        }
        [axis.value(least.saturating_sub(1)), axis.value((most + 1).min(axis.cells - 1))]
    })
}
