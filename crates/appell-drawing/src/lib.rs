//! A robot as a drawing of its kinematics: joints as symbols, links as lines, in an axonometric view.
//!
//! The library says where everything is (`skeleton`, or `linkage` where loops are closed), `projection` where that lies
//! on the sheet; the rest is ink.
//!
//! Diagrams, of curves and of fields over a plane, stand in `axes`.

mod axes;
pub mod listing;
pub mod notation;
pub mod page;
mod chart;
mod closed;
mod heat_map;
mod labels;
mod linkage;
mod placed;
#[cfg(feature = "png")]
mod png;
mod poses;
mod projection;
mod sheet;
mod skeleton;
pub mod sketch;
mod sphere;
mod strips;
mod svg;
mod symbols;

pub use axes::Axis;
pub use chart::{Curve, log_chart};
pub use closed::draw_closed;
pub use heat_map::{Field, HeatMap, Tile};
#[cfg(feature = "png")]
pub use png::png;
pub use poses::draw_poses;
pub use strips::{Across, Look, Strip, strips};

use crate::listing::{clip, coordinates};
use appell::mechanism::Mechanism;
use appell::spatial::Pose;
use projection::{View, norm};
use sheet::Sheet;
use skeleton::{Joint, Skeleton};
use svg::SHEET;

/// Radius of a joint's symbol, px, and the smallest one, of a robot of very many.
const SIZE: f64 = 14.0;
const SMALLEST: f64 = 4.0;

/// As many joints are all named; of more, the first of those where the robot ends or branches.
const ALL_NAMED: usize = 15;
const MOST_NAMED: usize = 40;

/// Draws a robot at the coordinates `q`, as SVG.
///
/// # Errors
/// If the robot is too large for numbers.
pub fn draw(robot: &Mechanism, q: &[f64]) -> anyhow::Result<String> {
    let skeleton = Skeleton::new(robot, q);
    let (lines, points): (Vec<_>, Vec<_>) = (skeleton.lines().copied().collect(), skeleton.points().collect());
    let view = View::of(&lines, &points)?;
    let mut sheet = Sheet::new(view, robot.name(), &[coordinates(q)], robot.gravity());
    if robot.mass() > 0.0 {
        let [width, height] = SHEET;
        symbols::centre_of_mass(&mut sheet.svg, [width - 140.0, height - 32.0]);
        sheet.svg.text("note", [width - 124.0, height - 28.0], "centre of mass");
    }
    symbols::ground(&mut sheet.svg, &view);
    let bone = if skeleton.joints.len() > ALL_NAMED { "bone fine" } else { "bone" };
    for (class, lines) in [("twig", &skeleton.twigs), (bone, &skeleton.bones)] {
        for &[from, to] in lines.iter().filter(|[from, to]| norm(view.vector(*to - *from, view.scale())) > 0.5) {
            sheet.line(class, from, to);
        }
    }
    let axes = sheet.triad(&Pose::identity(0.0), 62.0);
    let size = (SIZE * (ALL_NAMED as f64 / robot.dof() as f64).sqrt()).clamp(SMALLEST, SIZE);
    let joints = sized(&view, &skeleton.joints, size);
    for (joint, size) in far_first(&view, joints.clone()) {
        symbols::joint(&mut sheet.svg, &view, joint, size);
        let [start, end] = symbols::axis(&view, joint, size);
        sheet.labels.avoid(view.point(joint.pose.position), size);
        sheet.labels.avoid_line(start, end);
    }
    for tip in &skeleton.tips {
        sheet.triad(&tip.pose, 2.0 * size);
    }
    skeleton.com.into_iter().for_each(|com| sheet.centre_of_mass(com));
    sheet.name_axes(axes);
    // Joints, and tips that are not called as their joints.
    let all = joints.len() <= ALL_NAMED;
    for (joint, size) in joints.iter().filter(|(joint, _)| all || joint.children != 1).take(MOST_NAMED) {
        sheet.name("", joint.pose.position, *size, &shown(&joint.name));
    }
    let is_joint = |name: &str| skeleton.joints.iter().any(|joint| joint.name == name);
    for tip in skeleton.tips.iter().filter(|tip| all && !is_joint(&tip.name)) {
        sheet.name("frame", tip.pose.position, 10.0, &shown(&tip.name));
    }
    Ok(sheet.svg.finish())
}

/// The joints with the sizes of their symbols.
///
/// Where axes meet, as in a wrist, the symbols lie within each other like the rings of a gimbal, the last one inside.
fn sized<'s>(view: &View, joints: &'s [Joint], size: f64) -> Vec<(&'s Joint, f64)> {
    let near = 0.5 * size / view.scale();
    let meets = |a: &Joint, b: &Joint| (a.pose.position - b.pose.position).norm() < near;
    let sized = |(j, joint): (usize, &'s Joint)| {
        // Beyond five, rings are drawn over each other rather than over the whole robot.
        let within = joints[j + 1..].iter().filter(|other| meets(joint, other)).take(4).count();
        (joint, size * (1.0 + 0.4 * within as f64))
    };
    joints.iter().enumerate().map(sized).collect()
}

/// In the order of painting: what is near covers what is far.
fn far_first<'s>(view: &View, mut joints: Vec<(&'s Joint, f64)>) -> Vec<(&'s Joint, f64)> {
    let nearness = |(joint, _): &(&Joint, f64)| view.nearness(joint.pose.position);
    joints.sort_by(|a, b| nearness(a).total_cmp(&nearness(b)));
    joints
}

/// A name as the drawing has room for.
fn shown(name: &str) -> String {
    const LONGEST: usize = 24;
    let name = clip(name);
    if name.chars().count() <= LONGEST {
        name.into_owned()
    } else {
        name.chars().take(LONGEST).chain(['…']).collect()
    }
}
