//! The PUMA along the line of a paper: drawn in several places, and its joints over time.

use super::plot::{self, Axis, Curve, Panel};
use super::robot_drawing::within;
use crate::PumaLine;
use anyhow::{Context, Result};
use appell::mechanism::Mechanism;
use appell::robots;
use appell_simulation::trajectory::{JointStates, RobotMotion, TreeMotion};
use plotters::chart::SeriesLabelPosition;
use plotters::style::RGBColor;

/// A colour per joint.
pub(super) const COLOURS: [RGBColor; 6] =
    [plot::BLUE, plot::VERMILION, plot::GREEN, plot::ORANGE, plot::SKY, plot::PURPLE];

/// The arm of both papers.
pub(super) fn robot() -> Result<Mechanism> {
    Ok(robots::find("puma560").context("the PUMA is not built in")?.mechanism())
}

/// All joints along a line, with their torques, in so many steps.
pub(super) fn states(robot: &Mechanism, line: &PumaLine, steps: usize) -> Result<Vec<(f64, JointStates)>> {
    let mut motion = TreeMotion::new(robot, Box::new(line.joints(robot)?), true);
    let at = |k: usize| {
        let t = line.duration * k as f64 / steps as f64;
        Ok((t, motion.at(t)?.clone()))
    };
    (0..=steps).map(at).collect()
}

/// The arm in places of a line, each by its name and the part of the way.
pub(super) fn drawing(robot: &Mechanism, line: &PumaLine, places: &[(&str, f64)]) -> Result<String> {
    let mut motion = TreeMotion::new(robot, Box::new(line.joints(robot)?), false);
    let mut drawn = Vec::new();
    for &(name, part) in places {
        drawn.push((name, motion.at(part * line.duration)?.q.clone()));
    }
    let note = format!(
        "{:.3} m in {} s, attitude ZYZ {}",
        line.length(),
        line.duration,
        line.attitude.map(|angle| format!("{angle}°")).join(", ")
    );
    let way = [line.from, line.to].map(Into::into);
    Ok(within(&appell_drawing::draw_poses(robot, &[note], &drawn, &way)?, "robot-drawing"))
}

/// One panel per joint of something over time, and dashed over it what it shall be.
pub(super) fn by_joint(label: &str, series: &[(f64, Vec<f64>)], beside: Option<&[(f64, Vec<f64>)]>) -> Vec<Panel> {
    let end = series.last().map_or(1.0, |(t, _)| *t);
    let of = |j: usize, series: &[(f64, Vec<f64>)]| series.iter().map(|(t, x)| (*t, x[j])).collect::<Vec<_>>();
    let panel = |j: usize| {
        let points = of(j, series);
        // One legend does for all.
        let named = |name: &str| if j == 0 { name.into() } else { String::new() };
        let mut curves =
            vec![Curve { name: named("robot"), colour: COLOURS[j], dashed: false, points: points.clone() }];
        curves.extend(beside.map(|other| Curve {
            name: named("reference"),
            colour: plot::INK,
            dashed: true,
            points: of(j, other),
        }));
        let range = plot::range(points.iter().map(|(_, y)| y));
        let range = if range.start < range.end { range } else { range.start - 1.0..range.end + 1.0 };
        let ends_high = points.last().is_some_and(|(_, y)| *y > 0.5 * (range.start + range.end));
        Panel {
            x: Axis::linear("time, s", 0.0..end),
            y: Axis::linear(format!("joint {}, {label}", j + 1), range),
            curves,
            legend: if ends_high { SeriesLabelPosition::LowerRight } else { SeriesLabelPosition::UpperRight },
        }
    };
    (0..COLOURS.len()).map(panel).collect()
}

/// All joints over one pair of axes, with their names at the right.
pub(super) fn together(label: &str, series: &[(f64, Vec<f64>)]) -> Panel {
    let end = series.last().map_or(1.0, |(t, _)| *t);
    let curve = |j: usize| Curve {
        name: format!("joint {}", j + 1),
        colour: COLOURS[j],
        dashed: false,
        points: series.iter().map(|(t, x)| (*t, x[j])).collect(),
    };
    Panel {
        // Room at the right for the names.
        x: Axis::linear("time, s", 0.0..end).extended_to(1.36 * end),
        y: Axis::linear(label, plot::range(series.iter().flat_map(|(_, x)| x))),
        curves: (0..COLOURS.len()).map(curve).collect(),
        legend: SeriesLabelPosition::MiddleRight,
    }
}
