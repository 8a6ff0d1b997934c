//! Uniform circular arcs: the links of spherical robots, as bodies.

use super::BodyDescription;
use crate::spatial::{Sym3, Vec3};
use core::f64::consts::TAU;

/// A thin uniform arc about the origin of its frame, in the plane of y and z.
///
/// It begins on the z axis and ends on the z axis turned by `angle` about x: its points are ρ (0, −sin s, cos s). That is
/// where the next axis of a spherical chain is, if the table gives the chain `angle` as alpha.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    /// ρ, m.
    pub radius: f64,
    /// λ, kg/m.
    pub line_density: f64,
    /// α, rad.
    pub angle: f64,
}

impl Arc {
    /// Whether there can be such a body: nothing negative, at most one whole turn.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        let Self { radius, line_density, angle } = *self;
        [radius, line_density, angle].iter().all(|number| number.is_finite() && *number >= 0.0) && angle <= TAU
    }

    /// Mass, centre of mass and inertia about it.
    ///
    /// ```text
    /// m = λ ρ α,  m c = λ ρ² (0, cos α − 1, sin α)
    /// I_O: xx = λ ρ³ α,  yy, zz = λ ρ³ (α/2 ± sin 2α / 4),  yz = λ ρ³ sin² α / 2
    /// ```
    ///
    /// # Panics
    /// Unless it [is possible](Self::is_possible).
    #[must_use]
    pub fn body(&self) -> BodyDescription {
        assert!(self.is_possible(), "{self:?}");
        let Self { radius, line_density, angle } = *self;
        let mass = line_density * radius * angle;
        if mass == 0.0 {
            return BodyDescription::default();
        }
        let (sin, cos) = angle.sin_cos();
        let half = (0.5 * angle).sin();
        // 1 − cos α = 2 sin² α/2 keeps the digits of short arcs.
        let com = Vec3::new(0.0, -2.0 * half * half, sin).scale(radius / angle);
        let cube = line_density * radius * radius * radius;
        let (mean, swing) = (0.5 * angle, 0.5 * sin * cos);
        let about_origin = Sym3 {
            xx: cube * angle,
            yy: cube * (mean + swing),
            zz: cube * (mean - swing),
            yz: cube * 0.5 * sin * sin,
            ..Sym3::default()
        };
        BodyDescription { mass, com, inertia: about_origin - Sym3::of_point_mass(mass, com) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of many short straight pieces converges to the formulas by the square of their length.
    #[test]
    fn an_arc_is_the_sum_of_its_pieces() {
        for angle in [0.01, 1.2, 1.9, 4.5, TAU] {
            let arc = Arc { radius: 0.13, line_density: 2.1, angle };
            let pieces = 20_000;
            let (mut mass, mut moment, mut inertia) = (0.0, Vec3::zero(0.0), Sym3::zero(0.0));
            for k in 0..pieces {
                let (sin, cos) = (angle * (f64::from(k) + 0.5) / f64::from(pieces)).sin_cos();
                let (part, point) = (
                    arc.line_density * arc.radius * angle / f64::from(pieces),
                    Vec3::new(0.0, -sin, cos).scale(arc.radius),
                );
                mass += part;
                moment = moment + point.scale(part);
                inertia = inertia + Sym3::of_point_mass(part, point);
            }
            let body = arc.body();
            let about_origin = body.inertia + Sym3::of_point_mass(body.mass, body.com);
            assert!((body.mass - mass).abs() < 1e-9 * mass);
            assert!((body.com.scale(body.mass) - moment).norm() < 1e-8 * mass * arc.radius);
            let difference = (about_origin - inertia).full();
            assert!(difference.rows.iter().all(|row| row.norm() < 1e-8 * inertia.trace()), "{angle}: {difference:?}");
        }
    }

    #[test]
    fn impossible_arcs_are_told() {
        let arc = Arc { radius: 0.1, line_density: 1.0, angle: 1.0 };
        assert!(arc.is_possible());
        assert!(!Arc { angle: 7.0, ..arc }.is_possible());
        assert!(!Arc { radius: -0.1, ..arc }.is_possible());
        assert!(!Arc { line_density: f64::NAN, ..arc }.is_possible());
    }
}
