//! The axes of a map, as the command line gives them.

use anyhow::ensure;
use appell::closed::ClosedMechanism;
use appell::closed::map_ranges;
use appell::closed::workspace_map::{Axis, Coordinate};
use appell::spatial::Pose;
use std::f64::consts::PI;
use std::ops::ControlFlow;

/// A coordinate by its name.
pub(super) fn coordinate(text: &str) -> Result<Coordinate, String> {
    Coordinate::find(text.trim()).ok_or_else(|| "coordinates are x, y, z, roll, pitch and yaw".into())
}

/// A range `x=-0.3:0.3`, or in degrees `yaw=-90deg:90deg`.
pub(super) fn range(text: &str) -> Result<(Coordinate, [f64; 2]), String> {
    let parts = text.split_once('=').and_then(|(name, ends)| Some((name, ends.split_once(':')?)));
    let (name, (from, to)) = parts.ok_or("expected a range as in x=-0.3:0.3 or yaw=-90deg:90deg")?;
    let coordinate = coordinate(name)?;
    let number = |text: &str| -> Result<f64, String> {
        let text = text.trim();
        let (digits, unit) = match text.strip_suffix("deg") {
            Some(digits) if coordinate.is_angle() => (digits.trim(), PI / 180.0),
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

/// The two coordinates of a map: those asked for, or the robot's first degrees of freedom.
pub(super) fn choose(robot: &ClosedMechanism, asked: &[Coordinate]) -> anyhow::Result<[Coordinate; 2]> {
    ensure!(
        robot.platform().is_some(),
        "{} has no platform or output whose poses could be mapped; name its output with --frame",
        robot.name()
    );
    Ok(map_ranges::choose(robot, asked)?)
}

/// The axes: ranges that were given, else what the robot reaches.
pub(super) fn axes(
    robot: &ClosedMechanism,
    pose: &Pose,
    coordinates: [Coordinate; 2],
    given: &[(Coordinate, [f64; 2])],
    cells: usize,
) -> anyhow::Result<[Axis; 2]> {
    for (k, &(coordinate, _)) in given.iter().enumerate() {
        let name = coordinate.name();
        ensure!(coordinates.contains(&coordinate), "--range {name} is not an axis of the map");
        ensure!(given[..k].iter().all(|other| other.0 != coordinate), "--range {name} is given twice");
    }
    let known = coordinates.map(|coordinate| given.iter().find(|range| range.0 == coordinate).map(|range| range.1));
    let ranges = map_ranges::ranges(robot, pose, coordinates, known, |_, _| ControlFlow::Continue(()))?;
    Ok([0, 1].map(|k| Axis { coordinate: coordinates[k], from: ranges[k][0], to: ranges[k][1], cells }))
}
