//! What may act in a joint beside the bodies, as functions of its motion.
//!
//! ```text
//! Fv v    Fc sign v    off    Ia a    k q    Fs √|v| sign v    F3 v³    Fa |v|    Fb exp(−(v/w)²) sign v
//! ```
//!
//! Friction is that of the library's robots ([`Friction`]), a unit of one of its terms at a time. Where a robot rests in measured data, the
//! sign of its velocity is noise: smoothing lets friction that jumps vanish there. A joint has one smoothing for all of it.

use appell::description::{Friction, JointEffects};
use appell::real::Dual;

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
    SquareRoot {
        /// As of Coulomb friction.
        smoothing: f64,
    },
    /// `F3`: friction v³.
    Cubic,
    /// `Fa`: viscous friction that differs by direction, |v|.
    Asymmetric {
        /// As of Coulomb friction.
        smoothing: f64,
    },
    /// `Fb`: Stribeck's excess of friction near rest, exp(−(v/speed)²) sign v.
    Stribeck {
        /// rad/s or m/s, where it is down to 37 %.
        speed: f64,
        /// As of Coulomb friction.
        smoothing: f64,
    },
    /// `g`: what a unit of the measured effort is in N m or N. It stands on the left, −τ g, so that the right side is zero:
    /// some other parameter must be known.
    DriveGain,
}

impl Effect {
    /// Friction and rotor as the library's robots have them, with friction that jumps.
    pub const USUAL: [Self; 4] = [Self::Viscous, Self::Coulomb { smoothing: 0.0 }, Self::Offset, Self::Rotor];

    /// The speed of Stribeck's excess where nobody says another, rad/s or m/s.
    pub const STRIBECK_SPEED: f64 = 0.1;

    /// All of them, with the usual speeds and friction that jumps.
    pub const ALL: [Self; 10] = [
        Self::Viscous,
        Self::Coulomb { smoothing: 0.0 },
        Self::Offset,
        Self::Rotor,
        Self::Stiffness,
        Self::SquareRoot { smoothing: 0.0 },
        Self::Cubic,
        Self::Asymmetric { smoothing: 0.0 },
        Self::Stribeck { speed: Self::STRIBECK_SPEED, smoothing: 0.0 },
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
            Self::SquareRoot { .. } => {
                ("Fs", ["square-root", "Fs: friction √|v| sign v, as of greased gears"], ["N m √(s/rad)", "N √(s/m)"])
            }
            Self::Cubic => ("F3", ["cubic", "F3: friction v³"], ["N m (s/rad)³", "N (s/m)³"]),
            Self::Asymmetric { .. } => {
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
    /// assert_eq!(Effect::find("stribeck"), Some(Effect::Stribeck { speed: 0.1, smoothing: 0.0 }));
    /// assert_eq!(Effect::SquareRoot { smoothing: 0.01 }.words(), ["square-root", "Fs: friction √|v| sign v, as of greased gears"]);
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

    /// Whether a robot's file has a number for it: gains of drives belong to the recorder.
    #[must_use]
    pub const fn is_described(&self) -> bool {
        !matches!(self, Self::DriveGain)
    }

    /// The speed over which its sign changes, where it has a sign.
    #[must_use]
    pub const fn smoothing(&self) -> Option<f64> {
        match *self {
            Self::Coulomb { smoothing }
            | Self::SquareRoot { smoothing }
            | Self::Asymmetric { smoothing }
            | Self::Stribeck { smoothing, .. } => Some(smoothing),
            _ => None,
        }
    }

    /// The same with another smoothing, if it has one.
    #[must_use]
    pub const fn smoothed(mut self, over: f64) -> Self {
        if let Self::Coulomb { smoothing }
        | Self::SquareRoot { smoothing }
        | Self::Asymmetric { smoothing }
        | Self::Stribeck { smoothing, .. } = &mut self
        {
            *smoothing = over;
        }
        self
    }

    /// Whether a negative value would drive the robot: friction that helps, a rotor without mass. Shapes that only correct
    /// others may have any sign.
    #[must_use]
    pub const fn resists(&self) -> bool {
        matches!(self, Self::Viscous | Self::Coulomb { .. } | Self::SquareRoot { .. } | Self::Rotor | Self::DriveGain)
    }

    /// Friction of which its number is one and all others are zero, if it is friction; the sign changes over `width` at least.
    fn friction(&self, width: f64) -> Option<Friction> {
        let mut one = JointEffects::default();
        let is_friction = !matches!(self, Self::Offset | Self::Rotor | Self::Stiffness | Self::DriveGain);
        self.smoothed(self.smoothing().map_or(0.0, |smoothing| smoothing.max(width))).put(&mut one, 1.0);
        is_friction.then_some(one.friction)
    }

    /// Puts a value of it into what acts in a joint.
    pub(crate) fn put(&self, effects: &mut JointEffects, value: f64) {
        let JointEffects { friction, rotor, spring } = effects;
        let curve = &mut friction.curve;
        match *self {
            Self::Viscous => friction.viscous = value,
            Self::Coulomb { .. } => friction.coulomb = value,
            Self::Offset => friction.offset = value,
            Self::Rotor => rotor.inertia = value / (rotor.gear * rotor.gear),
            Self::Stiffness => spring.stiffness = value,
            Self::SquareRoot { .. } => curve.get_or_insert_default().square_root = value,
            Self::Cubic => curve.get_or_insert_default().cubic = value,
            Self::Asymmetric { .. } => curve.get_or_insert_default().asymmetric = value,
            Self::Stribeck { speed, .. } => {
                let curve = curve.get_or_insert_default();
                (curve.stribeck, curve.stribeck_speed) = (value, speed);
            }
            Self::DriveGain => {}
        }
        friction.smoothing = self.smoothing().unwrap_or(friction.smoothing);
    }

    /// Its value in what acts in a joint; one of a drive gain. A spring's rest position is in the offset.
    pub(crate) fn of(&self, effects: &JointEffects) -> f64 {
        let JointEffects { friction, rotor, spring } = effects;
        let curve = friction.curve.unwrap_or_default();
        match self {
            Self::Viscous => friction.viscous,
            Self::Coulomb { .. } => friction.coulomb,
            Self::Offset => friction.offset - spring.stiffness * spring.rest,
            Self::Rotor => rotor.reflected_inertia(),
            Self::Stiffness => spring.stiffness,
            Self::SquareRoot { .. } => curve.square_root,
            Self::Cubic => curve.cubic,
            Self::Asymmetric { .. } => curve.asymmetric,
            Self::Stribeck { .. } => curve.stribeck,
            Self::DriveGain => 1.0,
        }
    }

    /// What multiplies its number, at every sample of a joint's motion; nothing of a drive gain, which is no function of it.
    #[must_use]
    pub fn along(&self, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
        match (self, self.friction(0.0)) {
            (Self::Viscous, _) => v.to_vec(),
            (Self::Rotor, _) => a.to_vec(),
            (Self::Stiffness, _) => q.to_vec(),
            (Self::Offset, _) => vec![1.0; v.len()],
            (_, Some(friction)) => v.iter().map(|&v| friction.resistance(v)).collect(),
            (_, None) => vec![0.0; v.len()],
        }
    }

    /// The same at one instant, with its derivatives by position, velocity and acceleration; signs change over `width` at least. `None` of a
    /// drive gain.
    pub(crate) fn at(&self, [q, v, a]: [f64; 3], width: f64) -> Option<(f64, [f64; 3])> {
        Some(match (self, self.friction(width)) {
            (Self::Offset, _) => (1.0, [0.0; 3]),
            (Self::Rotor, _) => (a, [0.0, 0.0, 1.0]),
            (Self::Stiffness, _) => (q, [1.0, 0.0, 0.0]),
            (_, Some(friction)) => {
                let Dual { value, derivative: [slope] } = friction.resistance(Dual::<1>::variable(v, 0));
                (value, [0.0, slope, 0.0])
            }
            (_, None) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::description::Rotor;
    use appell::dynamics::joint_effects;

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
        assert_eq!(of(Effect::SquareRoot { smoothing: 0.0 }), [0.2, -2.0]);
        assert!((of(Effect::SquareRoot { smoothing: 0.03 })[0] - 0.8 * 0.05_f64.sqrt()).abs() < 1e-15);
        assert_eq!(of(Effect::Cubic)[1], -64.0);
        assert_eq!(of(Effect::Asymmetric { smoothing: 0.0 }), [0.04, 4.0]);
        assert!((of(Effect::Stribeck { speed: 0.04, smoothing: 0.0 })[0] - (-1.0_f64).exp()).abs() < 1e-15);
    }

    /// What is put into a joint is found there again, and does what its column does.
    #[test]
    fn effects_are_those_of_joints() {
        for effect in Effect::ALL.into_iter().filter(Effect::is_described).map(|effect| effect.smoothed(0.02)) {
            let mut joint = JointEffects { rotor: Rotor { inertia: 0.0, gear: -30.0 }, ..JointEffects::default() };
            effect.put(&mut joint, 1.5);
            assert!((effect.of(&joint) - 1.5).abs() < 1e-15, "{effect:?}");
            let (q, v, a) = ([0.4, -0.3], [0.03, -1.2], [2.0, 0.7]);
            for (k, along) in effect.along(&q, &v, &a).into_iter().enumerate() {
                let force = joint_effects::force(&joint, q[k], v[k]) + joint.rotor.reflected_inertia() * a[k];
                assert!((force - 1.5 * along).abs() < 1e-14, "{effect:?}: {force}");
            }
        }
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
