//! Friction of a joint, by its velocity.
//!
//! ```text
//! f(v) = viscous v + coulomb s + offset
//!      + square_root √|v| s + cubic v³ + asymmetric |v| + stribeck exp(−(v/stribeck_speed)²) s        the curve
//! ```
//!
//! s is the sign of v, or v/√(v² + ε²) where friction is smoothed over a velocity ε: then |v| is v s, and √|v| s is v/(v² + ε²)^¼,
//! so that nothing jumps and nothing is steeper than one over ε.

use crate::real::Real;

/// Friction of a joint: `viscous v + coulomb sign(v) + offset`, and a curve where that is not all of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Friction {
    /// N m s/rad or N s/m.
    pub viscous: f64,
    /// N m or N.
    pub coulomb: f64,
    /// The velocity over which friction changes its sign, as v/√(v² + smoothing²); zero makes it jump, and
    /// the joint stick in a simulation.
    pub smoothing: f64,
    /// A constant force, as of a wrong current zero, N m or N.
    pub offset: f64,
    /// What the velocity does beyond that; a robot that has none of it pays nothing for it.
    pub curve: Option<FrictionCurve>,
}

/// What friction has beyond viscous and Coulomb friction. The default is none of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrictionCurve {
    /// Times √|v| sign(v): steep at first and flat later, as of greased gears; N m √(s/rad) or N √(s/m).
    pub square_root: f64,
    /// Times v³, N m (s/rad)³ or N (s/m)³.
    pub cubic: f64,
    /// Times |v|: by how much viscous friction is more forwards and less backwards, N m s/rad or N s/m.
    pub asymmetric: f64,
    /// Stribeck's excess near rest, times exp(−(v/stribeck_speed)²) sign(v), N m or N.
    pub stribeck: f64,
    /// Where the excess is down to 37 %, rad/s or m/s.
    pub stribeck_speed: f64,
}

/// The sign of a velocity, 0 at rest; changing over `smoothing` where that is not zero.
#[inline(always)]
pub fn sign<T: Real>(v: T, smoothing: f64) -> T {
    if smoothing == 0.0 {
        let (one, zero) = (v.constant(1.0), v.zero());
        v.where_positive(one, (-v).where_positive(-one, zero))
    } else {
        v / size(v, smoothing)
    }
}

/// |v|, or √(v² + ε²) where it is smoothed. One where a sharp one is at rest, so that neither its root nor what is over it is infinite.
#[inline(always)]
fn size<T: Real>(v: T, smoothing: f64) -> T {
    if smoothing == 0.0 {
        v.where_positive(v, (-v).where_positive(-v, v.constant(1.0)))
    } else {
        v.mul_add(v, v.constant(smoothing * smoothing)).sqrt()
    }
}

impl Friction {
    /// All of it but the offset, which resists in one direction only. A joint pays for what it has, which is mostly damping alone.
    #[inline(always)]
    pub fn resistance<T: Real>(&self, v: T) -> T {
        let mut force = v.scale(self.viscous);
        if self.coulomb != 0.0 {
            force = v.scale_add(self.viscous, sign(v, self.smoothing).scale(self.coulomb));
        }
        match &self.curve {
            None => force,
            Some(curve) => force + curve.force(v, self.smoothing),
        }
    }

    /// What must be exceeded before a joint at rest moves, N m or N.
    #[must_use]
    pub fn at_rest(&self) -> f64 {
        self.coulomb + self.curve.map_or(0.0, |curve| curve.stribeck)
    }
}

impl FrictionCurve {
    /// Its force, N m or N.
    #[inline(always)]
    pub fn force<T: Real>(&self, v: T, smoothing: f64) -> T {
        let sign = sign(v, smoothing);
        let mut sum = (v * v * v).scale(self.cubic) + (v * sign).scale(self.asymmetric);
        if self.square_root != 0.0 {
            sum = sum + (sign * size(v, smoothing).sqrt()).scale(self.square_root);
        }
        if self.stribeck != 0.0 {
            sum = sum + (self.excess(v) * sign).scale(self.stribeck);
        }
        sum
    }

    /// The derivative of its force by the velocity; a sharp sign is flat on both sides and at rest.
    ///
    /// ```text
    /// 3 cubic v² + asymmetric (s + v s') + square_root (1 − s²/2)/√r + stribeck exp(−(v/w)²) (s' − 2 v s/w²)
    /// r = √(v² + ε²),    s' = ε²/r³
    /// ```
    #[inline(always)]
    pub fn slope<T: Real>(&self, v: T, smoothing: f64) -> T {
        let (sign, size, square) = (sign(v, smoothing), size(v, smoothing), smoothing * smoothing);
        let of_sign = v.constant(square) / (size * size * size);
        let mut sum = (v * v).scale(3.0 * self.cubic) + v.mul_add(of_sign, sign).scale(self.asymmetric);
        if self.square_root != 0.0 {
            // At rest s² = 0, and the root of a sharp sign is flat as well.
            let part = if smoothing == 0.0 {
                (sign * sign).scale(0.5)
            } else {
                (sign * sign).scale_add(-0.5, v.constant(1.0))
            };
            sum = sum + (part / size.sqrt()).scale(self.square_root);
        }
        if self.stribeck != 0.0 {
            let falls = (v * sign).scale(2.0 / (self.stribeck_speed * self.stribeck_speed));
            sum = sum + (self.excess(v) * (of_sign - falls)).scale(self.stribeck);
        }
        sum
    }

    /// exp(−(v/w)²).
    #[inline(always)]
    fn excess<T: Real>(&self, v: T) -> T {
        let ratio = v.scale(1.0 / self.stribeck_speed);
        (-(ratio * ratio)).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::real::Dual;

    const CURVE: FrictionCurve =
        FrictionCurve { square_root: 2.0, cubic: 0.5, asymmetric: 0.25, stribeck: 3.0, stribeck_speed: 0.2 };

    #[test]
    fn a_smooth_sign_tends_to_the_sharp_one() {
        assert_eq!(sign(0.0, 0.01), 0.0);
        assert!((sign(1.0_f64, 0.01) - 1.0).abs() < 1e-4 && (sign(-1.0_f64, 0.01) + 1.0).abs() < 1e-4);
        assert!((sign(0.01, 0.01) - 0.5_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn the_curve_by_its_parts() {
        let near = 3.0 * (-0.04_f64 / 0.04).exp();
        assert!((CURVE.force(0.2, 0.0) - (2.0 * 0.2_f64.sqrt() + 0.5 * 0.008 + 0.25 * 0.2 + near)).abs() < 1e-15);
        assert!((CURVE.force(-0.2, 0.0) - (-2.0 * 0.2_f64.sqrt() - 0.5 * 0.008 + 0.25 * 0.2 - near)).abs() < 1e-15);
        for smoothing in [0.0, 0.01] {
            assert_eq!(CURVE.force(0.0, smoothing), 0.0);
            assert!((CURVE.force(1.5_f64, smoothing) - CURVE.force(1.5, 0.0)).abs() < 1e-4);
        }
        let friction = Friction { viscous: 0.1, coulomb: 1.5, offset: 9.0, curve: Some(CURVE), ..Friction::default() };
        assert_eq!(friction.at_rest(), 4.5);
        assert_eq!(friction.resistance(0.7), 0.1 * 0.7 + 1.5 + CURVE.force(0.7, 0.0));
    }

    /// Term by term, sharp and smooth, at rest too.
    #[test]
    fn slopes_are_those_of_dual_numbers() {
        let none = FrictionCurve { stribeck_speed: 0.2, ..FrictionCurve::default() };
        let terms = [
            CURVE,
            FrictionCurve { square_root: 1.0, ..none },
            FrictionCurve { cubic: 1.0, ..none },
            FrictionCurve { asymmetric: 1.0, ..none },
            FrictionCurve { stribeck: 1.0, ..none },
        ];
        for (curve, smoothing) in terms.into_iter().flat_map(|curve| [(curve, 0.0), (curve, 0.05)]) {
            for v in [-1.3, -0.04, 0.0, 1e-3, 0.3, 2.0] {
                let expected = curve.force(Dual::<1>::variable(v, 0), smoothing).derivative[0];
                let found = curve.slope(v, smoothing);
                assert!(
                    (found - expected).abs() <= 1e-13 * (1.0 + expected.abs()),
                    "{curve:?} at {v}: {found} {expected}"
                );
            }
        }
    }
}
