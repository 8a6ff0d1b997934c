//! What acts in the driven joints beside the bodies, as `identify` and `excite` are asked for it.

use super::unknowns::{EffectName, Speeds, smooth};
use crate::place::{not_negative, positive};
use anyhow::ensure;
use appell_identification::parameters::{Effect, Model, Robot};

/// The unknowns beside the bodies.
#[derive(clap::Args)]
pub(crate) struct EffectArgs {
    /// What acts in the driven joints beside the bodies; what the robot's file says of others is taken as known
    #[arg(long, value_enum, value_name = "EFFECT,…", value_delimiter = ',')]
    #[arg(default_values = ["viscous", "coulomb", "offset", "rotor"])]
    effects: Vec<EffectName>,
    /// Bodies alone are unknown; all that the robot's file says of its joints is taken as known
    #[arg(long, conflicts_with = "effects")]
    bodies_only: bool,
    /// Speed over which Coulomb friction changes its sign, rad/s or m/s; 0 lets it jump, which `appell simulate` refuses. If not
    /// given, that of the robot's file, or 0.01 where it has none
    #[arg(long, value_name = "SPEED", allow_hyphen_values = true, value_parser = not_negative)]
    smoothing: Option<f64>,
    /// Of the effect stribeck: the speed at which it is down to 37 %, rad/s or m/s
    #[arg(long, value_name = "SPEED", default_value_t = 0.1, allow_hyphen_values = true, value_parser = positive)]
    stribeck_speed: f64,
}

impl EffectArgs {
    /// The effects that are asked for.
    pub(crate) fn effects(&self) -> anyhow::Result<&[EffectName]> {
        let effects: &[EffectName] = if self.bodies_only { &[] } else { &self.effects };
        let is_twice = |(k, effect): (usize, &EffectName)| effects[..k].contains(effect);
        ensure!(!effects.iter().enumerate().any(is_twice), "--effects names one twice");
        Ok(effects)
    }

    /// The speeds at which friction changes.
    pub(crate) fn speeds(&self) -> Speeds {
        Speeds { smoothing: self.smoothing, stribeck: self.stribeck_speed }
    }

    /// The unknowns of a robot: its bodies, and the effects in its driven joints.
    pub(crate) fn model(&self, robot: Robot<'_>) -> anyhow::Result<Model> {
        let effects = self.effects()?;
        ensure!(
            !effects.contains(&EffectName::Gain),
            "no motion shows a gain; leave it out here, and ask `appell identify` for it"
        );
        let mut model = Model::bodies(robot);
        for joint in robot.measured() {
            let smoothing = smooth(robot.tree().effects()[joint].friction.smoothing);
            let effects: Vec<Effect> = effects.iter().map(|name| name.effect(self.speeds(), smoothing)).collect();
            model = model.with_effects_in(&[joint], &effects);
        }
        Ok(model)
    }
}
