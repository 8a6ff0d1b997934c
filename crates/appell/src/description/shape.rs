//! Solid shapes: their mass and inertia, and how a URDF draws them.

use super::BodyDescription;
use super::khalil_kleinfinger::cleaned;
use crate::spatial::{Pose, Sym3, Vec3};
use core::f64::consts::PI;

/// A shape about the origin of its frame; what is long is so along z.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// By its sides.
    Box([f64; 3]),
    /// By its half axes.
    Ellipsoid([f64; 3]),
    /// Length from base to base.
    Cylinder { radius: f64, length: f64 },
    /// Length between the centres of its halves of a sphere.
    Capsule { radius: f64, length: f64 },
    /// A file, by its name, and how it is stretched: only to be drawn.
    Mesh { file: String, scale: [f64; 3] },
}

impl Shape {
    /// A ball.
    pub(super) const fn sphere(radius: f64) -> Self {
        Self::Ellipsoid([radius; 3])
    }

    /// Its volume, m³; none of a file, which is not read.
    pub(super) fn volume(&self) -> Option<f64> {
        Some(match *self {
            Self::Box([x, y, z]) => x * y * z,
            Self::Ellipsoid([a, b, c]) => 4.0 / 3.0 * PI * a * b * c,
            Self::Cylinder { radius, length } => PI * radius * radius * length,
            Self::Capsule { radius, length } => PI * radius * radius * (length + 4.0 / 3.0 * radius),
            Self::Mesh { .. } => return None,
        })
    }

    /// The solid body of this mass; none of a file.
    pub(super) fn solid(&self, mass: f64) -> Option<BodyDescription> {
        let round = |across: f64, along: f64| Sym3 { xx: across, yy: across, zz: along, ..Sym3::default() };
        let inertia = match *self {
            Self::Box([x, y, z]) => diagonal(mass / 12.0, [x, y, z]),
            Self::Ellipsoid([a, b, c]) => diagonal(mass / 5.0, [a, b, c]),
            Self::Cylinder { radius, length } => cylinder(mass, radius, length),
            Self::Capsule { radius, length } => {
                let ends = mass * 4.0 * radius / (4.0 * radius + 3.0 * length);
                let ball = 0.4 * ends * radius * radius;
                // Half a ball's centre of mass is 3/8 of its radius off its flat side.
                let apart = ends * length * (0.25 * length + 0.375 * radius);
                cylinder(mass - ends, radius, length) + round(ball + apart, ball)
            }
            Self::Mesh { .. } => return None,
        };
        Some(BodyDescription { mass, com: Vec3::zero(0.0), inertia })
    }

    /// Whether all its sides are positive.
    pub(super) fn is_possible(&self) -> bool {
        let is_size = |size: f64| size > 0.0 && size.is_finite();
        match *self {
            Self::Box(sides) | Self::Ellipsoid(sides) => sides.into_iter().all(is_size),
            Self::Cylinder { radius, length } | Self::Capsule { radius, length } => is_size(radius) && is_size(length),
            Self::Mesh { .. } => true,
        }
    }

    /// A `<visual>` or `<collision>` of a URDF; none of an ellipsoid that is not a ball.
    pub(super) fn element(&self, tag: &str, name: Option<&str>, pose: &Pose<f64>, material: &str) -> Option<String> {
        let numbers = |all: [f64; 3]| all.map(|x| format!("{}", x + 0.0)).join(" ");
        let geometry = match self {
            Self::Box(sides) => format!("<box size=\"{}\"/>", numbers(*sides)),
            Self::Ellipsoid([a, b, c]) if a == b && b == c => format!("<sphere radius=\"{a}\"/>"),
            Self::Ellipsoid(_) => return None,
            Self::Cylinder { radius, length } => format!("<cylinder radius=\"{radius}\" length=\"{length}\"/>"),
            Self::Capsule { radius, length } => format!("<capsule radius=\"{radius}\" length=\"{length}\"/>"),
            Self::Mesh { file, scale: [1.0, 1.0, 1.0] } => format!("<mesh filename=\"{}\"/>", escaped(file)),
            Self::Mesh { file, scale } => {
                format!("<mesh filename=\"{}\" scale=\"{}\"/>", escaped(file), numbers(*scale))
            }
        };
        let xyz = numbers(cleaned(pose.position, pose.position.norm()).to_array());
        let rpy = numbers(cleaned(pose.rotation.to_roll_pitch_yaw(), 1.0).to_array());
        let name = name.map_or(String::new(), |name| format!(" name=\"{}\"", escaped(name)));
        let origin = format!("<origin xyz=\"{xyz}\" rpy=\"{rpy}\"/>");
        Some(format!("<{tag}{name}>{origin}<geometry>{geometry}</geometry>{material}</{tag}>"))
    }
}

/// k (y² + z², x² + z², x² + y²).
fn diagonal(k: f64, [x, y, z]: [f64; 3]) -> Sym3<f64> {
    Sym3 { xx: k * (y * y + z * z), yy: k * (x * x + z * z), zz: k * (x * x + y * y), ..Sym3::default() }
}

fn cylinder(mass: f64, radius: f64, length: f64) -> Sym3<f64> {
    let across = mass * (3.0 * radius * radius + length * length) / 12.0;
    Sym3 { xx: across, yy: across, zz: 0.5 * mass * radius * radius, ..Sym3::default() }
}

/// Text as the value of an attribute. XML has no control characters.
pub(super) fn escaped(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums over a fine grid of points converge to the formulas.
    #[test]
    fn shapes_are_the_sums_of_their_points() {
        let shapes = [
            (Shape::Box([0.4, 0.6, 1.0]), [0.2, 0.3, 0.5]),
            (Shape::Ellipsoid([0.4, 0.6, 1.0]), [0.4, 0.6, 1.0]),
            (Shape::sphere(0.5), [0.5; 3]),
            (Shape::Cylinder { radius: 0.5, length: 1.2 }, [0.5, 0.5, 0.6]),
            (Shape::Capsule { radius: 0.5, length: 1.2 }, [0.5, 0.5, 1.1]),
        ];
        let is_within = |shape: &Shape, [x, y, z]: [f64; 3]| match *shape {
            Shape::Ellipsoid([a, b, c]) => (x / a).powi(2) + (y / b).powi(2) + (z / c).powi(2) <= 1.0,
            Shape::Cylinder { radius, .. } => x.hypot(y) <= radius,
            Shape::Capsule { radius, length } => x.hypot(y).hypot((z.abs() - 0.5 * length).max(0.0)) <= radius,
            _ => true,
        };
        for (shape, half) in shapes {
            const N: i32 = 60;
            let (mut count, mut moments) = (0.0, [0.0; 3]);
            let at = |k: i32, half: f64| half * (f64::from(2 * k + 1) / f64::from(N) - 1.0);
            for k in 0..N * N * N {
                let point = [at(k % N, half[0]), at(k / N % N, half[1]), at(k / N / N, half[2])];
                if is_within(&shape, point) {
                    count += 1.0;
                    point.iter().zip(&mut moments).for_each(|(x, moment)| *moment += x * x);
                }
            }
            let cell = 8.0 * half.iter().product::<f64>() / f64::from(N).powi(3);
            let volume = shape.volume().unwrap();
            assert!((count * cell / volume - 1.0).abs() < 3e-3, "{shape:?}");
            let [x, y, z] = moments.map(|moment| moment / count);
            let Sym3 { xx, yy, zz, .. } = shape.solid(1.0).unwrap().inertia;
            for (found, expected) in [(y + z, xx), (x + z, yy), (x + y, zz)] {
                assert!((found / expected - 1.0).abs() < 3e-3, "{shape:?}");
            }
        }
    }
}
