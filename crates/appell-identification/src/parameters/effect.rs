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

    /// All of them, with the usual speeds; those that a robot's file has numbers for first.
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

    /// Symbol, name, what it is, and its unit in a joint that turns, or slides.
    const fn row(&self) -> (&'static str, [&'static str; 2], [&'static str; 2]) {
        match self {
            Self::Viscous => ("Fv", ["viscous", "Fv: friction v"], ["N m s/rad", "N s/m"]),
            Self::Coulomb { .. } => ("Fc", ["coulomb", "Fc: friction sign v, smoothed over --smoothing"], ["N m", "N"]),
            Self::Offset => ("off", ["offset", "off: a constant effort, as of a wrong current zero"], ["N m", "N"]),
            Self::Rotor => ("Ia", ["rotor", "Ia: inertia of the rotor, seen from the joint"], ["kg m²", "kg"]),
            Self::Stiffness => ("k", ["stiffness", "k: a spring"], ["N m/rad", "N/m"]),
            Self::SquareRoot => {
                ("Fs", ["square-root", "Fs: friction √|v| sign v, as of greased gears"], ["N m √(s/rad)", "N √(s/m)"])
            }
            Self::Cubic => ("F3", ["cubic", "F3: friction v³"], ["N m (s/rad)³", "N (s/m)³"]),
            Self::Asymmetric => {
                ("Fa", ["asymmetric", "Fa: viscous friction that differs by direction, |v|"], ["N m s/rad", "N s/m"])
            }
            Self::Stribeck { .. } => {
                let summary = "Fb: Stribeck's excess near rest, exp(−(v/w)²) sign v, with w of --stribeck-speed";
                ("Fb", ["stribeck", summary], ["N m", "N"])
            }
            Self::DriveGain => {
                let summary = "g: what a unit of the measured effort is in N m or N; something that gives the scale must be --known, as a payload";
                ("g", ["gain", summary], ["1", "1"])
            }
        }
    }

    /// Its symbol.
    #[must_use]
    pub const fn symbol(&self) -> &'static str {
        self.row().0
    }

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
        self.row().1
    }

    /// The effect of a name, with its usual speed.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.words()[0] == name)
    }

    /// Its unit in a joint that turns, or slides.
    #[must_use]
    pub const fn unit(&self, turns: bool) -> &'static str {
        let [turning, sliding] = self.row().2;
        if turns { turning } else { sliding }
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
        let at = |k: usize| self.at([q[k], v[k], a[k]], 0.0).map_or(0.0, |(value, _)| value);
        (0..v.len()).map(at).collect()
    }

    /// The same at one instant, with its derivatives by position, velocity and acceleration; signs change over `width` at least. `None` of a
    /// drive gain.
    pub(crate) fn at(&self, [q, v, a]: [f64; 3], width: f64) -> Option<(f64, [f64; 3])> {
        let root = (v * v + width * width).sqrt();
        let slope_of_sign = |width: f64| width * width / (v * v + width * width).powf(1.5);
        Some(match *self {
            Self::Viscous => (v, [0.0, 1.0, 0.0]),
            Self::Coulomb { smoothing } => {
                (sign(v, smoothing.max(width)), [0.0, slope_of_sign(smoothing.max(width)), 0.0])
            }
            Self::Offset => (1.0, [0.0; 3]),
            Self::Rotor => (a, [0.0, 0.0, 1.0]),
            Self::Stiffness => (q, [1.0, 0.0, 0.0]),
            Self::SquareRoot => {
                (sign(v, width) * root.sqrt(), [0.0, (1.0 - 0.5 * (v / root).powi(2)) / root.sqrt(), 0.0])
            }
            Self::Cubic => (v * v * v, [0.0, 3.0 * v * v, 0.0]),
            Self::Asymmetric => (root, [0.0, v / root, 0.0]),
            Self::Stribeck { speed } => {
                let (near, jump) = ((-(v / speed).powi(2)).exp(), sign(v, width));
                (near * jump, [0.0, near * (slope_of_sign(width) - 2.0 * v / (speed * speed) * jump), 0.0])
            }
            Self::DriveGain => return None,
        })
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

    #[test]
    fn slopes_match_differences() {
        let at = [0.3, 0.05, -2.0];
        for effect in Effect::ALL.into_iter().filter(|effect| *effect != Effect::DriveGain) {
            let value = |at| effect.at(at, 0.01).unwrap();
            for (k, slope) in value(at).1.into_iter().enumerate() {
                let f = |step: f64| {
                    let mut moved = at;
                    moved[k] += step;
                    value(moved).0
                };
                assert!((slope - (f(1e-6) - f(-1e-6)) / 2e-6).abs() < 1e-7 * (1.0 + slope.abs()), "{effect:?}");
            }
        }
    }
}
