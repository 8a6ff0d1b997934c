//! A turn about one axis.

use super::{Mat3, Sym3, Vec3};
use crate::real::Real;
use core::f64::consts::{PI, TAU};

/// A turn by one angle, as its cosine and sine. About which axis, the method says.
///
/// `about_z` takes components in the turned frame to components in the frame before the turn, `into_z` goes the
/// other way; each costs 4 × and 2 +.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanarRotation<T = f64> {
    /// Cosine of the angle.
    pub cos: T,
    /// Sine of the angle.
    pub sin: T,
}

impl<T: Real> PlanarRotation<T> {
    /// The turn by an angle in radians.
    #[inline(always)]
    pub fn by(angle: T) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self { cos, sin }
    }

    /// Components after the turn about z → components before it: `Rz v`.
    #[inline(always)]
    #[must_use]
    pub fn about_z(self, v: Vec3<T>) -> Vec3<T> {
        Vec3::new(self.cos.mul_sub(v.x, self.sin * v.y), self.sin.mul_add(v.x, self.cos * v.y), v.z)
    }

    /// Components before the turn about z → components after it: `Rzᵀ v`.
    #[inline(always)]
    #[must_use]
    pub fn into_z(self, v: Vec3<T>) -> Vec3<T> {
        Vec3::new(self.cos.mul_add(v.x, self.sin * v.y), self.cos.mul_sub(v.y, self.sin * v.x), v.z)
    }

    /// `Rz S Rzᵀ` of a symmetric matrix, in 11 × and 9 +  [Mata2002, §4.2 step 5].
    #[inline(always)]
    #[must_use]
    pub fn about_z_both(self, s: Sym3<T>) -> Sym3<T> {
        let (cc, ss, cs) = (self.cos * self.cos, self.sin * self.sin, self.cos * self.sin);
        let difference = s.xx - s.yy;
        let k = ss.mul_add(difference, (cs + cs) * s.xy);
        let arm = self.about_z(Vec3::new(s.xz, s.yz, s.zz));
        Sym3 {
            xx: s.xx - k,
            xy: cs.mul_add(difference, (cc - ss) * s.xy),
            xz: arm.x,
            yy: s.yy + k,
            yz: arm.y,
            zz: s.zz,
        }
    }
}

impl PlanarRotation<f64> {
    /// No turn.
    pub const NONE: Self = Self { cos: 1.0, sin: 0.0 };

    /// The turn by an angle of a robot's table, with exact 0 and ±1 at the multiples of a right angle.
    ///
    /// cos(π/2) is 6·10⁻¹⁷ in floating point; a table that says −90° means 0.
    #[must_use]
    pub fn exact(angle: f64) -> Self {
        let quarters = angle / core::f64::consts::FRAC_PI_2;
        let nearest = quarters.round();
        if (quarters - nearest).abs() > 4.0 * f64::EPSILON * quarters.abs().max(1.0) {
            return Self::by(angle);
        }
        match nearest.rem_euclid(4.0) {
            1.0 => Self { cos: 0.0, sin: 1.0 },
            2.0 => Self { cos: -1.0, sin: 0.0 },
            3.0 => Self { cos: 0.0, sin: -1.0 },
            _ => Self::NONE,
        }
    }

    /// The same turn as numbers of the kind of `like`.
    #[inline(always)]
    #[must_use]
    pub fn lift<T: Real>(self, like: T) -> PlanarRotation<T> {
        PlanarRotation { cos: like.constant(self.cos), sin: like.constant(self.sin) }
    }

    /// The rotation matrix about x.
    #[must_use]
    pub fn matrix_x(self) -> Mat3<f64> {
        Mat3::from_rows([
            Vec3::new(1.0, 0.0, 0.0),
            Vec3::new(0.0, self.cos, -self.sin),
            Vec3::new(0.0, self.sin, self.cos),
        ])
    }

    /// The rotation matrix about y.
    #[must_use]
    pub fn matrix_y(self) -> Mat3<f64> {
        Mat3::from_rows([
            Vec3::new(self.cos, 0.0, self.sin),
            Vec3::new(0.0, 1.0, 0.0),
            Vec3::new(-self.sin, 0.0, self.cos),
        ])
    }

    /// The rotation matrix about z.
    #[must_use]
    pub fn matrix_z(self) -> Mat3<f64> {
        Mat3::from_rows([
            Vec3::new(self.cos, -self.sin, 0.0),
            Vec3::new(self.sin, self.cos, 0.0),
            Vec3::new(0.0, 0.0, 1.0),
        ])
    }
}

/// A turn about x by a constant angle of the robot, applied to moving vectors and tensors.
///
/// `about_x` takes components in the turned frame to components in the frame before the turn, `into_x` goes the
/// other way; the products of cosine and sine are kept, because the papers count them as made off-line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedTurn {
    /// Cosine and sine of the angle.
    pub turn: PlanarRotation<f64>,
    cos_cos: f64,
    sin_sin: f64,
    cos_sin: f64,
}

impl FixedTurn {
    /// The turn by an angle of a robot's table; see [`PlanarRotation::exact`].
    #[must_use]
    pub fn exact(angle: f64) -> Self {
        let turn @ PlanarRotation { cos, sin } = PlanarRotation::exact(angle);
        Self { turn, cos_cos: cos * cos, sin_sin: sin * sin, cos_sin: cos * sin }
    }

    /// Components after the turn → before it: `Rx v`, in 4 × and 2 +.
    #[inline(always)]
    #[must_use]
    pub fn about_x<T: Real>(&self, v: Vec3<T>) -> Vec3<T> {
        Vec3::new(v.x, self.about_x_y(v), self.about_x_z(v))
    }

    /// The y component of `Rx v`, in 2 × and 1 +.
    #[inline(always)]
    #[must_use]
    pub fn about_x_y<T: Real>(&self, v: Vec3<T>) -> T {
        v.y.scale_sub(self.turn.cos, v.z.scale(self.turn.sin))
    }

    /// The z component of `Rx v`, in 2 × and 1 +.
    #[inline(always)]
    #[must_use]
    pub fn about_x_z<T: Real>(&self, v: Vec3<T>) -> T {
        v.y.scale_add(self.turn.sin, v.z.scale(self.turn.cos))
    }

    /// Components before the turn → after it: `Rxᵀ v`, in 4 × and 2 +.
    #[inline(always)]
    #[must_use]
    pub fn into_x<T: Real>(&self, v: Vec3<T>) -> Vec3<T> {
        let PlanarRotation { cos, sin } = self.turn;
        Vec3::new(v.x, v.y.scale_add(cos, v.z.scale(sin)), v.z.scale_sub(cos, v.y.scale(sin)))
    }

    /// `Rx S Rxᵀ`, in 11 × and 10 +  [Mata2002, §4.2 step 5].
    #[inline(always)]
    #[must_use]
    pub fn about_x_both<T: Real>(&self, s: Sym3<T>) -> Sym3<T> {
        let x = s.yz.scale(self.cos_sin);
        let twice = x + x;
        let cosine_of_twice = s.yz.constant(self.cos_cos) - s.yz.constant(self.sin_sin); // the paper counts this one
        let arm = self.about_x(Vec3::new(s.xx, s.xy, s.xz));
        Sym3 {
            xx: s.xx,
            xy: arm.y,
            xz: arm.z,
            yy: s.yy.scale_add(self.cos_cos, s.zz.scale(self.sin_sin)) - twice,
            yz: (s.yy - s.zz).scale_add(self.cos_sin, cosine_of_twice * s.yz),
            zz: s.yy.scale_add(self.sin_sin, s.zz.scale(self.cos_cos)) + twice,
        }
    }

    /// The zz entry of `Rx Rz S Rzᵀ Rxᵀ` alone, in 11 × and 7 +  [Mata2002, §4.2 step 5, i = 1].
    #[inline(always)]
    #[must_use]
    pub fn about_x_and_z_both_zz<T: Real>(&self, about_z: PlanarRotation<T>, s: Sym3<T>) -> T {
        let PlanarRotation { cos, sin } = about_z;
        let (cc, ss, cs) = (cos * cos, sin * sin, cos * sin);
        let x = cs * s.xy;
        let yy = ss.mul_add(s.xx, cc * s.yy) + (x + x);
        let yz = sin.mul_add(s.xz, cos * s.yz);
        let y = yz.scale(self.cos_sin);
        yy.scale_add(self.sin_sin, s.zz.scale(self.cos_cos)) + (y + y)
    }
}

/// The same angle in (−π, π]; one that is there already keeps its last bit.
pub fn wrapped(angle: f64) -> f64 {
    if angle > -PI && angle <= PI { angle } else { angle - TAU * ((angle - PI) / TAU).ceil() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn right_angles_are_exact() {
        for (angle, cos, sin) in [(FRAC_PI_2, 0.0, 1.0), (-FRAC_PI_2, 0.0, -1.0), (PI, -1.0, 0.0), (2.5 * PI, 0.0, 1.0)]
        {
            assert_eq!(PlanarRotation::exact(angle), PlanarRotation { cos, sin }, "{angle}");
        }
        assert_ne!(PlanarRotation::exact(FRAC_PI_2 + 1e-9).cos, 0.0);
    }

    #[test]
    fn both_sided_turns_equal_the_product_of_matrices() {
        let (turn, fixed) = (PlanarRotation::by(0.7), FixedTurn::exact(0.7));
        let s = Sym3 { xx: 2.0, xy: 0.3, xz: -0.1, yy: 1.0, yz: 0.2, zz: 2.5 };
        let pairs = [
            (turn.about_z_both(s), s.turned_by(&turn.matrix_z())),
            (fixed.about_x_both(s), s.turned_by(&turn.matrix_x())),
        ];
        for (ours, product) in pairs {
            let difference = (ours - product).full();
            assert!(difference.rows.iter().all(|row| row.norm() < 1e-15), "{difference:?}");
        }
        let zz = fixed.about_x_and_z_both_zz(turn, s);
        assert!((zz - fixed.about_x_both(turn.about_z_both(s)).zz).abs() < 1e-15);
    }

    #[test]
    fn into_undoes_about() {
        let (turn, v) = (PlanarRotation::by(-1.2), Vec3::new(0.4, -2.0, 1.0));
        assert!((turn.into_z(turn.about_z(v)) - v).norm() < 1e-15);
        let fixed = FixedTurn::exact(-1.2);
        assert!((fixed.into_x(fixed.about_x(v)) - v).norm() < 1e-15);
    }
}
