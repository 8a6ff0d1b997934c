//! A map of the workspace: a table, a picture and a summary.

mod range;

use crate::arguments::{choice, finite};
use crate::output;
use crate::place::{self, near_zero};
use crate::progress::{Progress, Work};
use crate::robot;
use crate::table::Answers;
use appell::closed::ClosedMechanism;
use appell::closed::workspace_map::{self, Axis, Cell, Coordinate, Map, Slice};
use appell_drawing::listing::{counted, short, short_vector};
use appell_drawing::{Field, HeatMap, Tile};
use serde_json::json;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Map the workspace in two coordinates of the platform: what is reachable, and how near to singularities.
///
/// Coordinates are x, y, z of the platform's origin (m) and the turns roll, pitch, yaw from its attitude at home about
/// the axes of the base (rad, or with a unit as in 30deg); the others stay as at home, or as --pose says. Where the
/// platform makes side motions, as that of a 3-RPS does, coordinates outside its degrees of freedom give way.
///
/// The table has one row per cell: the two coordinates, reachable and within_limits (1 or 0), and the inverse condition
/// numbers type1 and type2, from 1, the best, to 0, singular; empty where the robot cannot be.
#[derive(clap::Args)]
#[command(after_help = "Example: appell singularities map five-bar --over x,y --plot map.svg --out map.csv
Example: appell singularities map 3-rps --over roll,pitch --range roll=-60deg:60deg --cells 90 --plot map.svg")]
pub(super) struct MapArgs {
    #[command(flatten)]
    robot: robot::Choice,
    /// The two coordinates; the robot's first two degrees of freedom if not given
    #[arg(long, value_name = "X,Y", value_delimiter = ',', value_parser = range::coordinate)]
    over: Vec<Coordinate>,
    /// From where to where a coordinate goes; what the robot reaches if not given
    #[arg(long, value_name = "X=FROM:TO", allow_hyphen_values = true, value_parser = range::range)]
    range: Vec<(Coordinate, [f64; 2])>,
    /// Cells along each coordinate
    #[arg(long, default_value_t = 80, value_parser = clap::value_parser!(u16).range(2..=1000))]
    cells: u16,
    /// The pose that gives the other coordinates: PX,PY,PZ in m, followed by a quaternion QX,QY,QZ,QW or by roll, pitch
    /// and yaw in rad; home if not given
    #[arg(long, value_name = "PX,PY,PZ,…", value_delimiter = ',', value_parser = finite)]
    pose: Option<Vec<f64>>,
    /// What the picture shows
    #[arg(long, value_parser = choice(SHOWN), default_value = "both")]
    measure: &'static [usize],
    /// The picture
    #[arg(long, value_name = "OUT.svg|png", value_parser = crate::output::drawing)]
    plot: Option<PathBuf>,
    /// The table of cells; - is stdout
    #[arg(long, value_name = "OUT.csv")]
    out: Option<PathBuf>,
}

/// Which distances a picture shows, counted from 0.
const SHOWN: [(&str, &[usize]); 3] = [("type1", &[0]), ("type2", &[1]), ("both", &[0, 1])];

pub(super) fn run(args: &MapArgs, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = args.robot.load()?;
    let robot = super::closed(&robot)?;
    let coordinates = range::choose(robot, &args.over)?;
    let pose = args.pose.as_deref().map_or(Ok(robot.home().pose), |pose| place::pose("--pose", pose, robot))?;
    let [columns, rows] = range::axes(robot, &pose, coordinates, &args.range, args.cells.into())?;
    let slice = Slice { columns, rows, pose };
    let mut progress = Progress::start(Work::Cells((columns.cells * rows.cells) as u64), false);
    let map = workspace_map::map(robot, &slice, |done, _| {
        progress.reach(done as u64);
        ControlFlow::Continue(())
    })?;
    drop(progress);
    let to_stdout = args.out.as_ref().is_some_and(|path| path.as_os_str() == "-");
    if let Some(path) = &args.plot {
        let centre = if args.pose.is_some() { "pose" } else { "home" };
        output::write_drawing(path, &draw(robot, &map, args.measure, centre), out)?;
    }
    if let Some(path) = &args.out {
        write_table(&map, path, json, out)?;
    }
    if to_stdout {
        return Ok(true);
    }
    summarise(robot, &map, json, out)?;
    Ok(true)
}

fn write_table(map: &Map, path: &Path, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let Slice { columns, rows, .. } = map.slice;
    let names = [columns.coordinate.name(), rows.coordinate.name()];
    let header: Vec<String> =
        names.into_iter().chain(["reachable", "within_limits", "type1", "type2"]).map(String::from).collect();
    let mut answers = Answers::start(Some(path), out, json, &header, Work::Cells(map.cells.len() as u64))?;
    for row in 0..rows.cells {
        for column in 0..columns.cells {
            let (reachable, within, distances) = match map.cell(row, column) {
                Cell::Reachable { type1, type2 } => (1.0, 1.0, [Some(type1), Some(type2)]),
                Cell::OutOfLimits => (1.0, 0.0, [None; 2]),
                Cell::OutOfReach => (0.0, 0.0, [None; 2]),
            };
            let place = [columns.value(column), rows.value(row), reachable, within].map(Some);
            answers.write_known(place.into_iter().chain(distances))?;
        }
    }
    answers.finish(counted(map.cells.len(), "cell"))
}

/// How much is reachable, and where it is nearest to singular.
fn summarise(robot: &ClosedMechanism, map: &Map, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let Slice { columns, rows, .. } = map.slice;
    let count = |wanted: fn(&Cell) -> bool| map.cells.iter().filter(|cell| wanted(cell)).count();
    let reachable = count(|cell| matches!(cell, Cell::Reachable { .. }));
    let beyond = count(|cell| matches!(cell, Cell::OutOfLimits));
    let least = [0, 1].map(|k| {
        let distance = |cell: &Cell| match *cell {
            Cell::Reachable { type1, type2 } => Some([type1, type2][k]),
            _ => None,
        };
        let known = map.cells.iter().enumerate().filter_map(|(index, cell)| Some((index, distance(cell)?)));
        known.min_by(|one, other| one.1.total_cmp(&other.1))
    });
    let at = |index: usize| [columns.value(index % columns.cells), rows.value(index / columns.cells)];
    let names = [columns.coordinate.name(), rows.coordinate.name()];
    if json {
        let nearest = |k: usize| least[k].map(|(index, distance)| json!({ "distance": distance, "at": at(index) }));
        let axis = |axis: Axis| json!({ "coordinate": axis.coordinate.name(), "from": axis.from, "to": axis.to });
        let value = json!({
            "robot": robot.name(), "columns": axis(columns), "rows": axis(rows), "cells": map.cells.len(),
            "reachable": reachable, "beyond_limits": beyond,
            "out_of_reach": map.cells.len() - reachable - beyond, "type1": nearest(0), "type2": nearest(1),
        });
        writeln!(out, "{value:#}")?;
        return Ok(());
    }
    let ends = |axis: Axis| format!("{} from {} to {}", axis.coordinate.name(), short(axis.from), short(axis.to));
    writeln!(out, "{}: {}, {}; m, rad", robot.name(), ends(columns), ends(rows))?;
    let all = map.cells.len();
    writeln!(out, "{reachable} of {all} cells are reachable, {beyond} more beyond the joints' limits")?;
    for (kind, least) in ["Type 1", "Type 2"].into_iter().zip(least) {
        let Some((index, distance)) = least else { continue };
        let [x, y] = at(index).map(short);
        let [column, row] = names;
        writeln!(out, "closest to {kind}: {} at {column} = {x}, {row} = {y}", short(distance))?;
    }
    Ok(())
}

/// Draws a map, with the pose it goes through marked by its name.
fn draw(robot: &ClosedMechanism, map: &Map, shown: &[usize], centre: &str) -> String {
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
        x: drawn_axis(columns),
        y: drawn_axis(rows),
        tiles: [columns.cells, rows.cells],
        same_unit: columns.coordinate.is_angle() == rows.coordinate.is_angle(),
        fields,
        mark: (mark, centre),
    }
    .draw("out of reach", "beyond the joints' limits")
}

/// An axis in m or degrees, half a cell longer at both ends.
fn drawn_axis(axis: Axis) -> appell_drawing::Axis {
    let half = 0.5 * (axis.to - axis.from) / (axis.cells - 1) as f64;
    let (unit, scale) = if axis.coordinate.is_angle() { ("deg", 1.0_f64.to_degrees()) } else { ("m", 1.0) };
    appell_drawing::Axis {
        label: format!("{} ({unit})", axis.coordinate.name()),
        from: (axis.from - half) * scale,
        to: (axis.to + half) * scale,
        degrees: axis.coordinate.is_angle(),
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
