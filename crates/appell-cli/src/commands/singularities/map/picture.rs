//! The map as a picture.

use super::range;
use crate::place::near_zero;
use appell::closed::ClosedMechanism;
use appell::closed::workspace_map::{Axis, Cell, Map, Slice};
use appell_drawing::listing::{short, short_vector};
use appell_drawing::{self, Field, HeatMap, Tile};

/// Draws a map, with the pose it goes through marked by its name.
pub(super) fn draw(robot: &ClosedMechanism, map: &Map, shown: &[usize], centre: &str) -> String {
    let Slice { columns, rows, pose } = map.slice;
    let fields = shown.iter().map(|&k| field(map, k)).collect();
    let position = pose.position.to_array();
    let mark = [columns, rows].map(|axis| position.get(axis.coordinate as usize).copied().unwrap_or(0.0));
    let place = short_vector(position.map(near_zero));
    let rpy = pose.rotation.to_roll_pitch_yaw().to_array();
    let rpy: Vec<String> = rpy.iter().map(|x| short((x.to_degrees() * 1e3).round() / 1e3)).collect();
    HeatMap {
        title: &format!("{}: distance to singularities", robot.name()),
        note: &format!(
            "inverse condition, 0 is singular; through {centre} at {place} m, roll pitch yaw ({}) deg",
            rpy.join(", ")
        ),
        x: axis(columns),
        y: axis(rows),
        tiles: [columns.cells, rows.cells],
        same_unit: range::is_angle(columns.coordinate) == range::is_angle(rows.coordinate),
        fields,
        mark: (mark, centre),
    }
    .draw("out of reach", "beyond the joints' limits")
}

/// An axis in m or degrees, half a cell longer at both ends.
fn axis(axis: Axis) -> appell_drawing::Axis {
    let half = 0.5 * (axis.to - axis.from) / (axis.cells - 1) as f64;
    let (unit, scale) = if range::is_angle(axis.coordinate) { ("deg", 1.0_f64.to_degrees()) } else { ("m", 1.0) };
    appell_drawing::Axis {
        label: format!("{} ({unit})", range::name(axis.coordinate)),
        from: (axis.from - half) * scale,
        to: (axis.to + half) * scale,
        degrees: range::is_angle(axis.coordinate),
    }
}

/// A field of one type.
fn field(map: &Map, k: usize) -> Field {
    let tile = |cell: &Cell| match *cell {
        Cell::Reachable { type1, type2 } => Tile::Value([type1, type2][k]),
        Cell::OutOfReach => Tile::Grey,
        Cell::OutOfLimits => Tile::Hatched,
    };
    let title = ["Type 1: the nearest leg", "Type 2: the drives"][k].into();
    Field { title, tiles: map.cells.iter().map(tile).collect() }
}
