//! A robot in several places at once, with the way of its hand.

use super::labels::Labels;
use super::projection::View;
use super::skeleton::Skeleton;
use super::svg::Svg;
use super::{heading, symbols};
use crate::listing::clip;
use appell::mechanism::Mechanism;
use appell::spatial::{Pose, Vec3};

/// Radius of a joint, px.
const JOINT: f64 = 6.0;

/// Draws a robot at several coordinates, each with its name at the hand, and the way of the hand.
///
/// # Errors
/// If the robot is too large for numbers.
pub fn draw_poses(
    robot: &Mechanism,
    notes: &[String],
    places: &[(&str, Vec<f64>)],
    way: &[Vec3<f64>],
) -> anyhow::Result<String> {
    let skeletons: Vec<Skeleton> = places.iter().map(|(_, q)| Skeleton::new(robot, q)).collect();
    let lines: Vec<_> = skeletons.iter().flat_map(Skeleton::lines).copied().collect();
    let points: Vec<_> = skeletons.iter().flat_map(Skeleton::points).chain(way.iter().copied()).collect();
    let view = View::of(&lines, &points)?;
    let mut svg = Svg::new(&clip(robot.name()));
    let mut labels = Labels::default();
    heading(&mut svg, &mut labels, &view, robot.name(), notes, robot.gravity());
    symbols::ground(&mut svg, &view);
    let origin = view.point(Vec3::zero(0.0));
    let axes = symbols::triad(&mut svg, &view, &Pose::identity(0.0), 62.0);
    axes.iter().for_each(|&end| labels.avoid_line(origin, end));
    let on_sheet: Vec<_> = way.iter().map(|&point| view.point(point)).collect();
    svg.polyline("curve dashed s8", &on_sheet);
    on_sheet.windows(2).for_each(|pair| labels.avoid_line(pair[0], pair[1]));
    for (k, (skeleton, (name, _))) in skeletons.iter().zip(places).enumerate() {
        let colour = format!("s{}", k + 1);
        svg.group(&colour, name, |svg| {
            for &[from, to] in &skeleton.bones {
                let (from, to) = (view.point(from), view.point(to));
                svg.line(&format!("bone {colour}"), from, to);
                labels.avoid_line(from, to);
            }
            for joint in &skeleton.joints {
                svg.ellipse(&format!("joint-dot {colour}"), view.point(joint.pose.position), [JOINT; 2], 0.0);
            }
        });
    }
    for (name, end) in symbols::AXES.into_iter().zip(axes) {
        labels.write(&mut svg, "", end, 1.0, name);
    }
    for (skeleton, (name, _)) in skeletons.iter().zip(places) {
        let hand = skeleton.tips.first().map_or(Vec3::zero(0.0), |tip| tip.pose.position);
        labels.write(&mut svg, "", view.point(hand), 2.0 * JOINT, name);
    }
    Ok(svg.finish())
}
