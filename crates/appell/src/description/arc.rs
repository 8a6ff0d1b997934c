//! Uniform circular arcs: the links of spherical robots, as bodies.

use super::BodyDescription;
use crate::spatial::{Sym3, Vec3};
use core::f64::consts::TAU;

/// A uniform arc about the origin of its frame, in the plane of y and z.
///
/// It begins on the z axis and ends on the z axis turned by `angle` about x: its points are ρ (0, −sin s, cos s). That is
/// where the next axis of a spherical chain is, if the table gives the chain `angle` as alpha.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    /// ρ, m.
    pub radius: f64,
    /// λ, kg/m.
    pub line_density: f64,
    /// α, rad; it may be negative.
    pub angle: f64,
    /// t, m: the side of its square section; 0 is a line.
    pub thickness: f64,
}

impl Arc {
    /// Whether there can be such a body: of some length and mass, at most one whole turn, thinner than its radius.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        let Self { radius, line_density, angle, thickness } = *self;
        let is_positive = |number: f64| number > 0.0 && number.is_finite();
        is_positive(radius)
            && is_positive(line_density)
            && is_positive(angle.abs())
            && angle.abs() <= TAU
            && (0.0..=radius).contains(&thickness)
    }

    /// Mass, centre of mass and inertia about it.
    ///
    /// ```text
    /// m = λ ρ α,  m c = λ ρ² (0, cos α − 1, sin α)
    /// ∫ r rᵀ dm = λ ρ (ρ² + t²/12) ∫ e eᵀ ds + m t²/12 x xᵀ        e = (0, −sin s, cos s)
    /// ∫ e_y² ds, ∫ e_z² ds = α/2 ∓ sin 2α / 4,  ∫ e_y e_z ds = −sin² α / 2
    /// ```
    ///
    /// # Panics
    /// Unless it [is possible](Self::is_possible).
    #[must_use]
    pub fn body(&self) -> BodyDescription {
        assert!(self.is_possible(), "{self:?}");
        let Self { radius, line_density, angle, thickness } = *self;
        // An arc to the other side is the mirror image.
        let (side, angle) = (angle.signum(), angle.abs());
        let mass = line_density * radius * angle;
        let (sin, cos) = angle.sin_cos();
        let half = (0.5 * angle).sin();
        // 1 − cos α = 2 sin² α/2 keeps the digits of short arcs.
        let com = Vec3::new(0.0, -2.0 * side * half * half, sin).scale(radius / angle);
        let section = thickness * thickness / 12.0;
        let along = line_density * radius * (radius * radius + section);
        let (mean, swing) = (0.5 * angle, 0.5 * sin * cos);
        let (xx, yy, zz) = (mass * section, along * (mean - swing), along * (mean + swing));
        let about_origin =
            Sym3 { xx: yy + zz, yy: xx + zz, zz: xx + yy, yz: 0.5 * side * along * sin * sin, ..Sym3::default() };
        BodyDescription { mass, com, inertia: about_origin - Sym3::of_point_mass(mass, com) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of many short pieces, each of four points that stand for its section, converges to the formulas.
    #[test]
    fn an_arc_is_the_sum_of_its_pieces() {
        for (angle, thickness) in [(0.01, 0.0), (1.2, 0.02), (-1.2, 0.02), (1.9, 0.0), (-4.5, 0.05), (TAU, 0.01)] {
            let arc = Arc { radius: 0.13, line_density: 2.1, angle, thickness };
            let pieces = 20_000;
            let (mut mass, mut moment, mut inertia) = (0.0, Vec3::zero(0.0), Sym3::zero(0.0));
            for k in 0..pieces {
                let (sin, cos) = (angle * (f64::from(k) + 0.5) / f64::from(pieces)).sin_cos();
                let out = Vec3::new(0.0, -sin, cos);
                let part = 0.25 * arc.line_density * arc.radius * angle.abs() / f64::from(pieces);
                // Two points at ± t/√12 along each side have the section's second moments.
                let off = thickness / 12.0_f64.sqrt() * core::f64::consts::SQRT_2;
                for aside in [Vec3::new(off, 0.0, 0.0), Vec3::new(-off, 0.0, 0.0), out.scale(off), out.scale(-off)] {
                    let point = out.scale(arc.radius) + aside;
                    mass += part;
                    moment = moment + point.scale(part);
                    inertia = inertia + Sym3::of_point_mass(part, point);
                }
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
        let arc = Arc { radius: 0.1, line_density: 1.0, angle: 1.0, thickness: 0.0 };
        assert!(arc.is_possible());
        assert!(!Arc { angle: 7.0, ..arc }.is_possible());
        assert!(!Arc { angle: 0.0, ..arc }.is_possible());
        assert!(!Arc { radius: -0.1, ..arc }.is_possible());
        assert!(!Arc { thickness: 0.2, ..arc }.is_possible());
        assert!(!Arc { line_density: f64::NAN, ..arc }.is_possible());
    }
}
