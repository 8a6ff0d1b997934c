//! A robot in several places at once, with the way of its hand.

use super::projection::View;
use super::sheet::Sheet;
use super::skeleton::Skeleton;
use super::symbols;
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
    let mut sheet = Sheet::new(view, robot.name(), notes, robot.gravity());
    symbols::ground(&mut sheet.svg, &view);
    let axes = sheet.triad(&Pose::identity(0.0), 62.0);
    let on_sheet: Vec<_> = way.iter().map(|&point| view.point(point)).collect();
    sheet.svg.polyline("curve dashed s8", &on_sheet);
    on_sheet.windows(2).for_each(|pair| sheet.labels.avoid_line(pair[0], pair[1]));
    for (k, (skeleton, (name, _))) in skeletons.iter().zip(places).enumerate() {
        let colour = format!("s{}", k + 1);
        let Sheet { svg, labels, .. } = &mut sheet;
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
    sheet.name_axes(axes);
    for (skeleton, (name, _)) in skeletons.iter().zip(places) {
        let hand = skeleton.tips.first().map_or(Vec3::zero(0.0), |tip| tip.pose.position);
        sheet.name("", hand, 2.0 * JOINT, name);
    }
    Ok(sheet.svg.finish())
}
