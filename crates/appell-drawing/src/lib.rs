//! A robot as a drawing of its kinematics: joints as symbols, links as lines, in an axonometric view.
//!
//! The library says where everything is (`skeleton`, or `linkage` where loops are closed), `projection` where that lies on the
//! sheet; the rest is ink.
//!
//! Diagrams, of curves and of fields over a plane, stand in `axes`.

mod axes;
pub mod listing;
pub mod notation;
pub mod page;
mod chart;
mod closed;
mod colours;
mod heat_map;
mod labels;
mod linkage;
mod placed;
mod png;
mod poses;
mod projection;
mod skeleton;
mod sphere;
mod strips;
mod svg;
mod symbols;

pub use axes::Axis;
pub use chart::{Curve, log_chart};
pub use closed::draw_closed;
pub use heat_map::{Field, HeatMap, Tile};
pub use png::png;
pub use poses::draw_poses;
pub use strips::{Across, Look, Strip, strips};

use crate::listing::{clip, coordinates, short};
use appell::mechanism::Mechanism;
use appell::spatial::{Pose, Vec3};
use labels::Labels;
use projection::{View, minus, norm};
use skeleton::{Joint, Skeleton};
use svg::{SHEET, Svg};

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
    let mut svg = Svg::new(&clip(robot.name()));
    let mut labels = Labels::default();
    heading(&mut svg, &mut labels, &view, robot.name(), &[coordinates(q)], robot.gravity());
    if robot.mass() > 0.0 {
        let [width, height] = SHEET;
        symbols::centre_of_mass(&mut svg, [width - 140.0, height - 32.0]);
        svg.text("note", [width - 124.0, height - 28.0], "centre of mass");
    }
    symbols::ground(&mut svg, &view);
    links(&mut svg, &mut labels, &view, &skeleton);
    let axes = symbols::triad(&mut svg, &view, &Pose::identity(0.0), 62.0);
    axes.iter().for_each(|&end| labels.avoid_line(view.point(Vec3::zero(0.0)), end));
    let size = (SIZE * (ALL_NAMED as f64 / robot.dof() as f64).sqrt()).clamp(SMALLEST, SIZE);
    let joints = sized(&view, &skeleton.joints, size);
    for (joint, size) in far_first(&view, joints.clone()) {
        symbols::joint(&mut svg, &view, joint, size);
        let [start, end] = symbols::axis(&view, joint, size);
        labels.avoid(view.point(joint.pose.position), size);
        labels.avoid_line(start, end);
    }
    for tip in &skeleton.tips {
        let axes = symbols::triad(&mut svg, &view, &tip.pose, 2.0 * size);
        axes.iter().for_each(|&end| labels.avoid_line(view.point(tip.pose.position), end));
    }
    if let Some(com) = skeleton.com {
        symbols::centre_of_mass(&mut svg, view.point(com));
        labels.avoid(view.point(com), 10.0);
    }
    for (name, end) in symbols::AXES.into_iter().zip(axes) {
        labels.write(&mut svg, "", end, 1.0, name);
    }
    names(&mut svg, &mut labels, &view, &skeleton, &joints);
    Ok(svg.finish())
}

/// Title, gravity and scale, in the corners.
fn heading(svg: &mut Svg, labels: &mut Labels, view: &View, name: &str, notes: &[String], g: Vec3<f64>) {
    let [width, height] = SHEET;
    svg.text("title", [28.0, 40.0], &clip(name));
    for (line, note) in notes.iter().enumerate() {
        svg.text("note", [28.0, 60.0 + 17.0 * line as f64], note);
    }
    symbols::scale_bar(svg, view, [28.0, height - 28.0]);
    if g.norm() > 0.0 {
        let at = [width - 90.0, 84.0];
        symbols::gravity(svg, view, at, g);
        svg.text("note", [width - 130.0, 40.0], &format!("g = {} m/s²", short(g.norm())));
        labels.avoid(at, 50.0);
    }
}

fn links(svg: &mut Svg, labels: &mut Labels, view: &View, skeleton: &Skeleton) {
    let bone = if skeleton.joints.len() > ALL_NAMED { "bone fine" } else { "bone" };
    for (class, lines) in [("twig", &skeleton.twigs), (bone, &skeleton.bones)] {
        for &[from, to] in lines {
            let (from, to) = (view.point(from), view.point(to));
            if norm(minus(to, from)) > 0.5 {
                svg.line(class, from, to);
                labels.avoid_line(from, to);
            }
        }
    }
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

/// Names what is named: joints, and tips that are not called as their joints.
fn names(svg: &mut Svg, labels: &mut Labels, view: &View, skeleton: &Skeleton, joints: &[(&Joint, f64)]) {
    let all = joints.len() <= ALL_NAMED;
    for (joint, size) in joints.iter().filter(|(joint, _)| all || joint.children != 1).take(MOST_NAMED) {
        labels.write(svg, "", view.point(joint.pose.position), *size, &shown(&joint.name));
    }
    let is_joint = |name: &str| skeleton.joints.iter().any(|joint| joint.name == name);
    for tip in skeleton.tips.iter().filter(|tip| all && !is_joint(&tip.name)) {
        labels.write(svg, "frame", view.point(tip.pose.position), 10.0, &shown(&tip.name));
    }
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
