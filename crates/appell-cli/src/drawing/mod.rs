//! A robot as a drawing of its kinematics: joints as symbols, links as lines, in an axonometric view.
//!
//! The library says where everything is ([`skeleton`]), [`projection`] where that lies on the sheet; the rest is ink.

mod labels;
mod projection;
mod skeleton;
mod svg;
mod symbols;

use crate::listing::{clip, short};
use appell::mechanism::Mechanism;
use appell::spatial::{Pose, Vec3};
use labels::Labels;
use projection::{View, minus, norm, plus};
use skeleton::{Joint, Skeleton};
use svg::{SHEET, Svg};

/// Radius of a joint's symbol, px, and how much more the next one gets where several are in one place.
const SIZE: f64 = 14.0;
const STEP: f64 = 6.0;

/// As many joints are all named; of more, those where the robot ends or branches.
const ALL_NAMED: usize = 15;

/// Draws a robot at the coordinates `q`, as SVG.
///
/// # Errors
/// If the robot is too large for numbers.
pub(crate) fn draw(robot: &Mechanism, q: &[f64]) -> anyhow::Result<String> {
    let skeleton = Skeleton::new(robot, q);
    let view = View::of(&skeleton)?;
    let mut svg = Svg::new(&clip(robot.name()));
    let mut labels = Labels::default();
    frame_of_sheet(&mut svg, &mut labels, robot, &view, q);
    symbols::ground(&mut svg, &view);
    links(&mut svg, &mut labels, &view, &skeleton);
    let axes = symbols::triad(&mut svg, &view, &Pose::identity(0.0), 62.0);
    axes.iter().for_each(|&end| labels.avoid_line(view.point(Vec3::zero(0.0)), end));
    let joints = sized(&view, &skeleton.joints);
    for &(joint, size) in &joints {
        symbols::joint(&mut svg, &view, joint, size);
        let [start, end] = symbols::axis(&view, joint, size);
        labels.avoid(view.point(joint.pose.position), size);
        labels.avoid_line(start, end);
    }
    for tip in &skeleton.tips {
        symbols::triad(&mut svg, &view, &tip.pose, 30.0);
        labels.avoid(view.point(tip.pose.position), 14.0);
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

/// Title, gravity, scale and key, in the corners.
fn frame_of_sheet(svg: &mut Svg, labels: &mut Labels, robot: &Mechanism, view: &View, q: &[f64]) {
    let [width, height] = SHEET;
    svg.text("title", [28.0, 40.0], &clip(robot.name()));
    let at = if q.iter().all(|&q| q == 0.0) {
        "q = 0".into()
    } else {
        format!("q = ({})", q.iter().copied().map(short).collect::<Vec<_>>().join(", "))
    };
    svg.text("note", [28.0, 60.0], &clip(&at));
    symbols::scale_bar(svg, view, [28.0, height - 28.0]);
    let g = robot.gravity();
    if g.norm() > 0.0 {
        let at = [width - 90.0, 60.0];
        symbols::gravity(svg, view, at, g);
        svg.text("note", plus(at, [-50.0, -28.0]), &format!("g = {} m/s²", short(g.norm())));
        labels.avoid(at, 70.0);
    }
    if robot.mass() > 0.0 {
        symbols::centre_of_mass(svg, [width - 140.0, height - 32.0]);
        svg.text("note", [width - 124.0, height - 28.0], "centre of mass");
    }
}

fn links(svg: &mut Svg, labels: &mut Labels, view: &View, skeleton: &Skeleton) {
    for (class, lines) in [("twig", &skeleton.twigs), ("bone", &skeleton.bones)] {
        for &[from, to] in lines {
            let (from, to) = (view.point(from), view.point(to));
            if norm(minus(to, from)) > 0.5 {
                svg.line(class, from, to);
                labels.avoid_line(from, to);
            }
        }
    }
}

/// The joints with the sizes of their symbols, the far ones first.
///
/// Where axes meet, as in a wrist, the symbols lie within each other like the rings of a gimbal, the last one inside.
fn sized<'s>(view: &View, joints: &'s [Joint]) -> Vec<(&'s Joint, f64)> {
    let place = |joint: &Joint| view.point(joint.pose.position);
    let meets = |a: &Joint, b: &Joint| norm(minus(place(a), place(b))) < 0.5 * SIZE;
    let mut sized: Vec<(&Joint, f64)> = joints
        .iter()
        .enumerate()
        .map(|(j, joint)| {
            // Beyond five, rings are drawn over each other rather than over the whole robot.
            let within = joints[j + 1..].iter().filter(|other| meets(joint, other)).take(4).count();
            (joint, SIZE + STEP * within as f64)
        })
        .collect();
    let nearness = |(joint, _): &(&Joint, f64)| view.nearness(joint.pose.position);
    sized.sort_by(|a, b| nearness(a).total_cmp(&nearness(b)));
    sized
}

fn names(svg: &mut Svg, labels: &mut Labels, view: &View, skeleton: &Skeleton, joints: &[(&Joint, f64)]) {
    let all = joints.len() <= ALL_NAMED;
    for (joint, size) in joints.iter().filter(|(joint, _)| all || joint.children != 1) {
        labels.write(svg, "", view.point(joint.pose.position), *size, &shown(&joint.name));
    }
    let is_joint = |name: &str| skeleton.joints.iter().any(|joint| joint.name == name);
    for tip in skeleton.tips.iter().filter(|tip| all && !is_joint(&tip.name)) {
        labels.write(svg, "frame", view.point(tip.pose.position), 14.0, &shown(&tip.name));
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
