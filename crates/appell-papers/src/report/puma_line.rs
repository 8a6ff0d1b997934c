//! The PUMA along the line of a paper: drawn in several places, and its joints over time.

use super::over_time::{self, Series};
use super::plot::{self, Axis, Curve, Panel};
use super::robot_drawing::within;
use crate::PumaLine;
use anyhow::{Context, Result};
use appell::mechanism::Mechanism;
use appell::robots;
use appell_simulation::trajectory::{JointStates, RobotMotion, TreeMotion};
use plotters::chart::SeriesLabelPosition;

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
pub(super) fn by_joint(label: &str, series: &Series<6>, beside: Option<&Series<6>>) -> Vec<Panel> {
    let of = |j: usize, series: &Series<6>| series.iter().map(|(t, x)| (*t, x[j])).collect::<Vec<_>>();
    let panel = |j: usize| {
        let points = of(j, series);
        // One legend does for all.
        let named = |name| if j == 0 { name } else { "" };
        let range = plot::range(points.iter().map(|(_, y)| y));
        let (end, last) = points.last().copied().unwrap_or((1.0, 0.0));
        let ends_high = last > 0.5 * (range.start + range.end);
        let mut curves = vec![Curve::new(named("robot"), plot::EACH[j], points)];
        curves.extend(beside.map(|other| Curve::dashed(named("reference"), plot::INK, of(j, other))));
        Panel {
            x: Axis::linear("time, s", 0.0..end),
            y: Axis::linear(format!("joint {}, {label}", j + 1), range),
            curves,
            legend: if ends_high { SeriesLabelPosition::LowerRight } else { SeriesLabelPosition::UpperRight },
        }
    };
    (0..6).map(panel).collect()
}

/// All joints over one pair of axes, with their names at the right.
pub(super) fn together(label: &str, series: &Series<6>) -> Panel {
    let names = ["joint 1", "joint 2", "joint 3", "joint 4", "joint 5", "joint 6"];
    over_time::with_names(label, names, series, 1.36)
}
