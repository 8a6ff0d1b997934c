//! The points at given distances from fixed ones: in space from three, in a plane from two.
//!
//! With the first centre as origin both are p·d = h for each of the others, and p·p = l₁²: a line through space, or through the plane,
//! that meets a sphere or a circle in two points, complex where it passes by.
//!
//! ```text
//! p·d = ½ (d·d − l² + l₁²)
//! ```

use super::solve::Ends;
use crate::spatial::Vec3;

/// A sine of centres in a line, and the distance of both points over the lengths' that is a double point.
const IN_LINE: f64 = 1e-9;
const DOUBLE: f64 = 1e-7;

/// A centre and a distance from it.
pub(super) type Sphere = (Vec3, f64);

/// Points on three spheres, and how they are counted.
pub(super) fn on_three([one, two, three]: [Sphere; 3]) -> (Vec<Vec3>, Ends) {
    let (d, e) = (two.0 - one.0, three.0 - one.0);
    let along = d.cross(e);
    if along.norm() <= IN_LINE * d.norm() * e.norm() || along.norm() == 0.0 {
        return (Vec::new(), Ends { infinite: 2, runs: 1, ..Ends::default() });
    }
    let [g, h] = [(d, two.1), (e, three.1)].map(|(d, l)| 0.5 * (d.dot(d) - l * l + one.1 * one.1));
    let foot = (e.cross(along).scale(g) + along.cross(d).scale(h)).scale(1.0 / along.dot(along));
    on_line(one, foot, along)
}

/// Points on two circles in the plane across a normal, in which both centres are.
pub(super) fn on_two([one, two]: [Sphere; 2], normal: Vec3) -> (Vec<Vec3>, Ends) {
    let d = two.0 - one.0;
    let size = one.1.abs().max(two.1.abs());
    if d.norm() <= IN_LINE * size || d.norm() == 0.0 {
        return (Vec::new(), Ends { infinite: 2, runs: 1, ..Ends::default() });
    }
    let g = 0.5 * (d.dot(d) - two.1 * two.1 + one.1 * one.1);
    on_line(one, d.scale(g / d.dot(d)), normal.cross(d))
}

/// Where a line meets a sphere; its foot is seen from the centre.
fn on_line((centre, length): Sphere, foot: Vec3, along: Vec3) -> (Vec<Vec3>, Ends) {
    let square = length * length - foot.dot(foot);
    let size = length * length + foot.dot(foot);
    let half = square.max(0.0).sqrt();
    let unit = along.scale(1.0 / along.norm());
    if square.abs() <= DOUBLE * DOUBLE * size {
        return (vec![centre + foot], Ends { singular: 2, runs: 1, ..Ends::default() });
    }
    let points = if square > 0.0 { vec![half, -half] } else { Vec::new() };
    let points = points.into_iter().map(|half| centre + foot + unit.scale(half)).collect();
    (points, Ends { regular: 2, runs: 1, ..Ends::default() })
}
