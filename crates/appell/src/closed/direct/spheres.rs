//! The points at given distances from fixed ones: in space from three, in a plane from two.
//!
//! With the first centre as origin both are p·d = h for each of the others, and p·p = l₁²: a line through space, or through the plane,
//! that meets a sphere or a circle in two points, complex where it passes by.
//!
//! ```text
//! p·d = ½ (d·d − l² + l₁²)
//! ```
//!
//! Centres in a line, or in one point, give the same condition twice: then there is no point, or a circle or a sphere of them, of which one is
//! given as a double one.

use super::solve::Ends;
use crate::spatial::Vec3;

/// A sine of centres in a line, and the distance of both points over the lengths' that is a double point.
const IN_LINE: f64 = 1e-9;
const DOUBLE: f64 = 1e-7;

/// Both solutions at infinity, and both in one point.
const NOWHERE: Ends = Ends { regular: 0, far: 0, singular: 0, infinite: 2, lost: 0, runs: 1 };
const TWICE: Ends = Ends { singular: 2, infinite: 0, ..NOWHERE };

/// A centre and a distance from it.
pub(super) type Sphere = (Vec3, f64);

/// Points on three spheres, and how they are counted.
pub(super) fn on_three([one, two, three]: [Sphere; 3]) -> (Vec<Vec3>, Ends) {
    let (d, e) = (two.0 - one.0, three.0 - one.0);
    let along = d.cross(e);
    let [g, h] = [(d, two.1), (e, three.1)].map(|(d, l)| 0.5 * (d.dot(d) - l * l + one.1 * one.1));
    let size = [one.1, two.1, three.1].into_iter().fold(0.0, f64::max);
    let near = [d, e].map(|d| d.norm() <= IN_LINE * size);
    if near[0] || near[1] || along.norm() <= IN_LINE * d.norm() * e.norm() {
        let (longer, along_longer) = if d.norm() > e.norm() { (d, g) } else { (e, h) };
        let foot = if near[0] && near[1] { Vec3::zero(0.0) } else { longer.scale(along_longer / longer.dot(longer)) };
        let fits = |d: Vec3, g: f64| (foot.dot(d) - g).abs() <= IN_LINE * size * size;
        return if fits(d, g) && fits(e, h) { on_circle(one, foot) } else { (Vec::new(), NOWHERE) };
    }
    let foot = (e.cross(along).scale(g) + along.cross(d).scale(h)).scale(1.0 / along.dot(along));
    on_line(one, foot, along)
}

/// Points on two circles in the plane across a normal, in which both centres are.
pub(super) fn on_two([one, two]: [Sphere; 2], normal: Vec3) -> (Vec<Vec3>, Ends) {
    let d = two.0 - one.0;
    let size = one.1.abs().max(two.1.abs());
    let g = 0.5 * (d.dot(d) - two.1 * two.1 + one.1 * one.1);
    if d.norm() <= IN_LINE * size {
        let is_one = g.abs() <= IN_LINE * size * size;
        return if is_one { (vec![one.0 + across(normal).scale(one.1)], TWICE) } else { (Vec::new(), NOWHERE) };
    }
    on_line(one, d.scale(g / d.dot(d)), normal.cross(d))
}

/// A point of the circle in which a plane cuts a sphere, or of the whole sphere if the foot is its centre.
fn on_circle((centre, length): Sphere, foot: Vec3) -> (Vec<Vec3>, Ends) {
    let square = length * length - foot.dot(foot);
    if square < 0.0 {
        return (Vec::new(), NOWHERE);
    }
    (vec![centre + foot + across(foot).scale(square.sqrt())], TWICE)
}

/// A unit vector at right angles to another, or any where that is zero.
fn across(v: Vec3) -> Vec3 {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
    let candidates = axes.map(|axis| v.cross(axis));
    let longest = candidates.into_iter().max_by(|a, b| a.norm().total_cmp(&b.norm())).expect("three candidates");
    if longest.norm() > 0.0 { longest.scale(1.0 / longest.norm()) } else { axes[0] }
}

/// Where a line meets a sphere; its foot is seen from the centre.
fn on_line((centre, length): Sphere, foot: Vec3, along: Vec3) -> (Vec<Vec3>, Ends) {
    let square = length * length - foot.dot(foot);
    let size = length * length + foot.dot(foot);
    let half = square.max(0.0).sqrt();
    let unit = along.scale(1.0 / along.norm());
    if square.abs() <= DOUBLE * DOUBLE * size {
        return (vec![centre + foot], TWICE);
    }
    let points = if square > 0.0 { vec![half, -half] } else { Vec::new() };
    let points = points.into_iter().map(|half| centre + foot + unit.scale(half)).collect();
    (points, Ends { regular: 2, infinite: 0, ..NOWHERE })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sphere(x: f64, length: f64) -> Sphere {
        (Vec3::new(x, 0.2, -0.1), length)
    }

    #[test]
    fn centres_in_a_line_hold_a_circle_or_nothing() {
        // Circles of radius 1 about the line.
        let length = |x: f64| (1.0 + x * x).sqrt();
        for centres in [[0.3, -0.5, 0.9], [0.3, 0.3, 0.9], [0.3, 0.9, 0.3], [0.3, 0.3, 0.3]] {
            let (points, ends) = on_three(centres.map(|x| sphere(x, length(x))));
            assert_eq!((points.len(), ends), (1, TWICE), "{centres:?}");
            for x in centres {
                assert!(((points[0] - sphere(x, 0.0).0).norm() - length(x)).abs() < 1e-14, "{centres:?}");
            }
            let [one, two, _] = centres.map(|x| sphere(x, length(x)));
            assert_eq!(on_three([one, two, sphere(centres[2], 1.7)]), (Vec::new(), NOWHERE), "{centres:?}");
        }
    }

    #[test]
    fn circles_about_one_point_are_one_or_do_not_meet() {
        let normal = Vec3::new(0.0, 0.0, 1.0);
        let (points, ends) = on_two([sphere(0.1, 0.5), sphere(0.1, 0.5)], normal);
        assert_eq!(ends, TWICE);
        assert!(((points[0] - sphere(0.1, 0.0).0).norm() - 0.5).abs() < 1e-15 && points[0].z == -0.1);
        assert_eq!(on_two([sphere(0.1, 0.5), sphere(0.1, 0.4)], normal), (Vec::new(), NOWHERE));
    }
}
