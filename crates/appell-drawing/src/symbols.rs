//! The signs of a kinematic drawing. Their sizes are of the sheet, their directions of space.

use super::linkage::Node;
use super::projection::{View, minus, norm, plus};
use super::skeleton::Joint;
use super::svg::{Point, Svg};
use crate::listing::{clip, short};
use appell::description::{ClosingJoint, JointKind};
use appell::spatial::{Mat3, Pose, Vec3};

/// The axes of a frame: their names, and their classes.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// A joint: a ring about the axis it turns about, or a box along the axis it slides along. `size` is the ring's radius.
pub(super) fn joint(svg: &mut Svg, view: &View, joint: &Joint, size: f64) {
    let (at, rotation) = (view.point(joint.pose.position), &joint.pose.rotation);
    let [start, end] = axis(view, joint, size);
    svg.group(&format!("joint {}", joint.kind.name()), &clip(&joint.name), |svg| {
        svg.line("axis", start, end);
        match joint.kind {
            JointKind::Revolute => ring(svg, view, at, rotation.column(2), size),
            JointKind::Prismatic => cuboid(svg, view, at, rotation, [0.4 * size, 0.4 * size, size]),
        }
    });
}

/// A ring about an axis.
fn ring(svg: &mut Svg, view: &View, at: Point, axis: Vec3<f64>, size: f64) {
    let [x, y] = view.vector(axis, 1.0);
    svg.ellipse("", at, [view.nearness(axis).abs() * size, size], y.atan2(x).to_degrees());
}

/// A joint of a closed robot, or several in one.
pub(super) fn node(svg: &mut Svg, view: &View, node: &Node, size: f64) {
    let drive = if node.driven { "driven" } else { "passive" };
    let class = format!("node {} {drive}", node.sign.name());
    let at = view.point(node.at);
    svg.group(&class, &clip(&node.name), |svg| sign(svg, view, node.sign, at, node.axes, size));
}

/// The sign of a joint for the legend.
pub(super) fn sample(svg: &mut Svg, view: &View, of: ClosingJoint, driven: bool, at: Point) {
    let drive = if driven { "driven" } else { "passive" };
    let [right, up] = view.across();
    let axes = if of == ClosingJoint::Revolute { [view.towards(), right] } else { [right, up] };
    svg.group(&format!("node {} {drive}", of.name()), of.name(), |svg| sign(svg, view, of, at, axes, 7.0));
}

/// A ring turns, a box slides, a cross in a circle turns about both its lines, a full circle about all.
fn sign(svg: &mut Svg, view: &View, sign: ClosingJoint, at: Point, axes: [Vec3<f64>; 2], size: f64) {
    let [axis, across] = axes;
    let line = |svg: &mut Svg, class: &str, along: Vec3<f64>, half: f64| {
        let reach = view.vector(along, half);
        svg.line(class, minus(at, reach), plus(at, reach));
    };
    let slide = |svg: &mut Svg| {
        // Any two directions across the axis will do, if they are at right angles.
        let x = across.cross(axis);
        let x = x.scale(1.0 / x.norm().max(f64::MIN_POSITIVE));
        let columns = Mat3 { rows: [x, axis.cross(x), axis] };
        cuboid(svg, view, at, &columns.transpose(), [0.55 * size, 0.55 * size, 1.2 * size]);
    };
    match sign {
        ClosingJoint::Revolute => {
            line(svg, "axis", axis, 1.9 * size);
            ring(svg, view, at, axis, size);
        }
        ClosingJoint::Prismatic => slide(svg),
        ClosingJoint::Cylindrical => {
            slide(svg);
            ring(svg, view, at, axis, size);
        }
        ClosingJoint::Universal => {
            svg.ellipse("", at, [0.85 * size; 2], 0.0);
            line(svg, "cross", axis, 0.85 * size);
            line(svg, "cross", across, 0.85 * size);
        }
        ClosingJoint::Spherical => svg.ellipse("full", at, [0.7 * size; 2], 0.0),
        ClosingJoint::Rigid => cuboid(svg, view, at, &Mat3::identity(0.0), [0.5 * size; 3]),
    }
}

/// Where the base holds a joint: a triangle on hatched ground.
pub(super) fn pivot(svg: &mut Svg, at: Point) {
    let corner = |x: f64, y: f64| plus(at, [x, y]);
    svg.group("ground", "base", |svg| {
        svg.polygon("", &[at, corner(-14.0, 24.0), corner(14.0, 24.0)]);
        svg.line("", corner(-20.0, 24.0), corner(20.0, 24.0));
        for step in 0..5 {
            let x = 9.0 * f64::from(step) - 16.0;
            svg.line("", corner(x, 24.0), corner(x - 6.0, 31.0));
        }
    });
}

/// The ends of the line that a joint's axis is drawn as.
pub(super) fn axis(view: &View, joint: &Joint, size: f64) -> [Point; 2] {
    let (at, reach) =
        (view.point(joint.pose.position), view.vector(joint.pose.rotation.column(2), size + size.min(13.0)));
    [minus(at, reach), plus(at, reach)]
}

/// The three faces of a box that the eye sees; `half` are half its edges, px.
fn cuboid(svg: &mut Svg, view: &View, at: Point, rotation: &Mat3<f64>, half: [f64; 3]) {
    for normal in 0..3 {
        let edge = |k: usize| view.vector(rotation.column(k), half[k]);
        let side =
            if view.nearness(rotation.column(normal)) < 0.0 { minus([0.0; 2], edge(normal)) } else { edge(normal) };
        let (u, v, middle) = (edge((normal + 1) % 3), edge((normal + 2) % 3), plus(at, side));
        let corners = [
            plus(plus(middle, u), v),
            plus(minus(middle, u), v),
            minus(minus(middle, u), v),
            minus(plus(middle, u), v),
        ];
        svg.polygon("", &corners);
    }
}

/// The axes of a frame: x red, y green, z blue. Where they end.
pub(super) fn triad(svg: &mut Svg, view: &View, pose: &Pose<f64>, size: f64) -> [Point; 3] {
    let at = view.point(pose.position);
    let ends = [0, 1, 2].map(|k| plus(at, view.vector(pose.rotation.column(k), size)));
    for (class, end) in AXES.into_iter().zip(ends) {
        if norm(minus(end, at)) > 0.1 * size {
            svg.line(class, at, end);
        } else {
            svg.ellipse(class, at, [4.0; 2], 0.0); // towards the eye, or away from it
        }
    }
    ends
}

/// The ground: a hatched square in the base's x-y plane.
pub(super) fn ground(svg: &mut Svg, view: &View) {
    const HALF: f64 = 36.0;
    let origin = view.point(Vec3::zero(0.0));
    let corner = |x: f64, y: f64| plus(origin, view.vector(Vec3::new(x, y, 0.0), HALF));
    svg.group("ground", "base", |svg| {
        svg.polygon("", &[corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]);
        for step in 1..4 {
            let s = 0.5 * f64::from(step) - 1.0;
            svg.line("", corner(-1.0, s), corner(s, -1.0));
            svg.line("", corner(1.0, s), corner(s, 1.0));
        }
    });
}

/// The mark of a centre of mass: a disc in quarters.
pub(super) fn centre_of_mass(svg: &mut Svg, at: Point) {
    const RADIUS: f64 = 8.0;
    svg.group("mass", "centre of mass", |svg| {
        svg.ellipse("", at, [RADIUS; 2], 0.0);
        for start in [0, 180] {
            let rim = (start..=start + 90).step_by(10).map(|angle| {
                let (sin, cos) = f64::from(angle).to_radians().sin_cos();
                plus(at, [RADIUS * cos, RADIUS * sin])
            });
            svg.polygon("", &std::iter::once(at).chain(rim).collect::<Vec<_>>());
        }
    });
}

/// The direction of gravity, an arrow with its middle at `at`.
pub(super) fn gravity(svg: &mut Svg, view: &View, at: Point, gravity: Vec3<f64>) {
    let arrow = view.vector(gravity.scale(1.0 / gravity.norm()), 56.0);
    if norm(arrow) < 6.0 {
        svg.group("gravity", "gravity, across the sheet", |svg| {
            svg.ellipse("", at, [10.0; 2], 0.0);
            svg.line("", plus(at, [-7.0, -7.0]), plus(at, [7.0, 7.0]));
            svg.line("", plus(at, [-7.0, 7.0]), plus(at, [7.0, -7.0]));
        });
        return;
    }
    let half = arrow.map(|x| 0.5 * x);
    let (tip, length) = (plus(at, half), norm(arrow).max(1.0));
    let [x, y] = arrow.map(|x| 7.0 * x / length);
    let foot = minus(tip, [x, y]);
    svg.group("gravity", "gravity", |svg| {
        svg.line("", minus(at, half), foot);
        svg.polygon("", &[tip, plus(foot, [-0.4 * y, 0.4 * x]), plus(foot, [0.4 * y, -0.4 * x])]);
    });
}

/// A bar of a round length, from `at` to the right.
pub(super) fn scale_bar(svg: &mut Svg, view: &View, at: Point) {
    const LONGEST: f64 = 160.0;
    let power = 10f64.powf((LONGEST / view.scale()).log10().floor());
    let metres =
        [5.0, 2.0, 1.0].map(|digit| digit * power).into_iter().find(|l| l * view.scale() <= LONGEST).unwrap_or(power);
    let end = plus(at, [metres * view.scale(), 0.0]);
    svg.line("scale", at, end);
    for [x, y] in [at, end] {
        svg.line("scale", [x, y - 4.0], [x, y + 4.0]);
    }
    svg.text("note", plus(at, [0.0, -9.0]), &format!("{} m", short(metres)));
}
