//! What may act in a joint beside the bodies, as functions of its motion.
//!
//! ```text
//! Fv v    Fc sign v    off    Ia a    k q    Fs √|v| sign v    F3 v³    Fa |v|    Fb exp(−(v/w)²) sign v
//! ```
//!
//! Where a robot rests in measured data, the sign of its velocity is noise: smoothing lets Coulomb friction vanish there.

use appell::dynamics::joint_effects::sign;

/// Something that acts in a joint, linear in one number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Effect {
    /// `Fv`: friction v.
    Viscous,
    /// `Fc`: friction sign v, or v/√(v² + smoothing²).
    Coulomb {
        /// rad/s or m/s; zero makes it jump.
        smoothing: f64,
    },
    /// `off`: a constant force, as of a wrong current zero; with Coulomb friction, the friction that differs by direction.
    Offset,
    /// `Ia`: inertia of a rotor, seen from the joint, times a.
    Rotor,
    /// `k`: stiffness of a spring, times q; its rest position is in the offset.
    Stiffness,
    /// `Fs`: friction √|v| sign v: steep at first and flat later, as of greased gears.
    SquareRoot,
    /// `F3`: friction v³.
    Cubic,
    /// `Fa`: viscous friction that differs by direction, |v|.
    Asymmetric,
    /// `Fb`: Stribeck's excess of friction near rest, exp(−(v/speed)²) sign v.
    Stribeck {
        /// rad/s or m/s, where it is down to 37 %.
        speed: f64,
    },
    /// `g`: what a unit of the measured effort is in N m or N. It stands on the left, −τ g, so that the right side is zero:
    /// some other parameter must be known.
    DriveGain,
}

impl Effect {
    /// Friction and rotor as the library's robots have them, with friction that jumps.
    pub const USUAL: [Self; 4] = [Self::Viscous, Self::Coulomb { smoothing: 0.0 }, Self::Offset, Self::Rotor];

    /// Its symbol.
    #[must_use]
    pub const fn symbol(&self) -> &'static str {
        match self {
            Self::Viscous => "Fv",
            Self::Coulomb { .. } => "Fc",
            Self::Offset => "off",
            Self::Rotor => "Ia",
            Self::Stiffness => "k",
            Self::SquareRoot => "Fs",
            Self::Cubic => "F3",
            Self::Asymmetric => "Fa",
            Self::Stribeck { .. } => "Fb",
            Self::DriveGain => "g",
        }
    }

    /// All of them, with the usual speeds.
    pub const ALL: [Self; 10] = [
        Self::Viscous,
        Self::Coulomb { smoothing: 0.0 },
        Self::Offset,
        Self::Rotor,
        Self::Stiffness,
        Self::SquareRoot,
        Self::Cubic,
        Self::Asymmetric,
        Self::Stribeck { speed: 0.1 },
        Self::DriveGain,
    ];

    /// What a robot's file can say of a joint.
    pub const DESCRIBED: [Self; 5] =
        [Self::Viscous, Self::Coulomb { smoothing: 0.0 }, Self::Offset, Self::Rotor, Self::Stiffness];

    /// Its name, as users ask for it, and what it is in a line.
    ///
    /// ```
    /// use appell_identification::parameters::Effect;
    ///
    /// assert_eq!(Effect::find("stribeck"), Some(Effect::Stribeck { speed: 0.1 }));
    /// assert_eq!(Effect::SquareRoot.words(), ["square-root", "Fs: friction √|v| sign v, as of greased gears"]);
    /// ```
    #[must_use]
    pub const fn words(&self) -> [&'static str; 2] {
        match self {
            Self::Viscous => ["viscous", "Fv: friction v"],
            Self::Coulomb { .. } => ["coulomb", "Fc: friction sign v, smoothed over --smoothing"],
            Self::Offset => ["offset", "off: a constant effort, as of a wrong current zero"],
            Self::Rotor => ["rotor", "Ia: inertia of the rotor, seen from the joint"],
            Self::Stiffness => ["stiffness", "k: a spring"],
            Self::SquareRoot => ["square-root", "Fs: friction √|v| sign v, as of greased gears"],
            Self::Cubic => ["cubic", "F3: friction v³"],
            Self::Asymmetric => ["asymmetric", "Fa: viscous friction that differs by direction, |v|"],
            Self::Stribeck { .. } => {
                ["stribeck", "Fb: Stribeck's excess near rest, exp(−(v/w)²) sign v, with w of --stribeck-speed"]
            }
            Self::DriveGain => [
                "gain",
                "g: what a unit of the measured effort is in N m or N; something that gives the scale must be --known, as a payload",
            ],
        }
    }

    /// The effect of a name, with its usual speed.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.words()[0] == name)
    }

    /// Its unit in a joint that turns, or slides.
    #[must_use]
    pub const fn unit(&self, turns: bool) -> &'static str {
        match (self, turns) {
            (Self::Viscous | Self::Asymmetric, true) => "N m s/rad",
            (Self::Viscous | Self::Asymmetric, false) => "N s/m",
            (Self::Coulomb { .. } | Self::Offset | Self::Stribeck { .. }, true) => "N m",
            (Self::Coulomb { .. } | Self::Offset | Self::Stribeck { .. }, false) => "N",
            (Self::Rotor, true) => "kg m²",
            (Self::Rotor, false) => "kg",
            (Self::Stiffness, true) => "N m/rad",
            (Self::Stiffness, false) => "N/m",
            (Self::SquareRoot, true) => "N m √(s/rad)",
            (Self::SquareRoot, false) => "N √(s/m)",
            (Self::Cubic, true) => "N m (s/rad)³",
            (Self::Cubic, false) => "N (s/m)³",
            (Self::DriveGain, _) => "1",
        }
    }

    /// Whether a robot's file has a number for it.
    #[must_use]
    pub const fn is_described(&self) -> bool {
        matches!(self, Self::Viscous | Self::Coulomb { .. } | Self::Offset | Self::Rotor | Self::Stiffness)
    }

    /// Whether a negative value would drive the robot: friction that helps, a rotor without mass. Shapes that only correct
    /// others may have any sign.
    #[must_use]
    pub const fn resists(&self) -> bool {
        matches!(self, Self::Viscous | Self::Coulomb { .. } | Self::SquareRoot | Self::Rotor | Self::DriveGain)
    }

    /// What multiplies its number, at every sample of a joint's motion; nothing of a drive gain, which is no function of it.
    #[must_use]
    pub fn along(&self, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
        let of_speed = |f: &dyn Fn(f64) -> f64| v.iter().map(|&v| f(v)).collect();
        match *self {
            Self::Viscous => v.to_vec(),
            Self::Coulomb { smoothing } => of_speed(&|v| sign(v, smoothing)),
            Self::Offset => vec![1.0; v.len()],
            Self::Rotor => a.to_vec(),
            Self::Stiffness => q.to_vec(),
            Self::SquareRoot => of_speed(&|v| sign(v, 0.0) * v.abs().sqrt()),
            Self::Cubic => of_speed(&|v| v * v * v),
            Self::Asymmetric => of_speed(&f64::abs),
            Self::Stribeck { speed } => of_speed(&|v| sign(v, 0.0) * (-(v / speed).powi(2)).exp()),
            Self::DriveGain => vec![0.0; v.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_by_their_formulas() {
        let (q, v, a) = ([0.5, 0.6], [0.04, -4.0], [3.0, -1.0]);
        let of = |effect: Effect| effect.along(&q, &v, &a);
        assert_eq!(of(Effect::Viscous), v);
        assert_eq!(of(Effect::Coulomb { smoothing: 0.0 }), [1.0, -1.0]);
        assert!((of(Effect::Coulomb { smoothing: 0.03 })[0] - 0.8).abs() < 1e-15);
        assert_eq!(of(Effect::Offset), [1.0, 1.0]);
        assert_eq!(of(Effect::Rotor), a);
        assert_eq!(of(Effect::Stiffness), q);
        assert_eq!(of(Effect::SquareRoot), [0.2, -2.0]);
        assert_eq!(of(Effect::Cubic)[1], -64.0);
        assert_eq!(of(Effect::Asymmetric), [0.04, 4.0]);
        assert!((of(Effect::Stribeck { speed: 0.04 })[0] - (-1.0_f64).exp()).abs() < 1e-15);
    }
}
