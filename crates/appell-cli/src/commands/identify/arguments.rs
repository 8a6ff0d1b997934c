//! What is unknown of a robot, as `identify` and `excite` are asked for it.

use super::unknowns::{Asked, EffectName, Speeds, Unknowns};
use crate::place::{not_negative, positive};
use anyhow::ensure;
use appell_identification::data::Layout;
use appell_identification::parameters::{Model, Robot};

/// The unknowns: bodies, and what acts beside them.
#[derive(clap::Args)]
pub(crate) struct UnknownArgs {
    /// What acts in the driven joints beside the bodies; what the robot's file says of others is taken as known
    #[arg(long, value_enum, value_name = "EFFECT,…", value_delimiter = ',')]
    #[arg(default_values = ["viscous", "coulomb", "offset", "rotor"])]
    effects: Vec<EffectName>,
    /// Bodies alone are unknown; all that the robot's file says of its joints is taken as known
    #[arg(long, conflicts_with = "effects")]
    bodies_only: bool,
    /// Speed over which Coulomb friction changes its sign, rad/s or m/s; 0 lets it jump, which `appell simulate` refuses. If not
    /// given, that of the robot's file, or 0.01 where it has none
    #[arg(long, value_name = "SPEED", allow_hyphen_values = true, value_parser = smoothing)]
    smoothing: Option<f64>,
    /// Of the effect stribeck: the speed at which it is down to 37 %, rad/s or m/s; 0.1 if not given
    #[arg(long, value_name = "SPEED", allow_hyphen_values = true, value_parser = positive)]
    stribeck_speed: Option<f64>,
    /// Parameters that the robot's file knows: Ia*, *.elbow, ZZ3
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(super) known: Vec<String>,
    /// Of a parallel robot: the bodies of all legs are alike
    #[arg(long)]
    pub(super) equal_legs: bool,
}

/// Stribeck's speed where nobody says one, rad/s or m/s.
const STRIBECK: f64 = 0.1;

/// A speed far below those of the motion: faster, Coulomb friction would be viscous.
fn smoothing(text: &str) -> Result<f64, String> {
    let speed = not_negative(text)?;
    if speed <= 1.0 { Ok(speed) } else { Err("expected a speed far below those of the motion, at most 1".into()) }
}

impl UnknownArgs {
    /// The effects that are asked for.
    pub(crate) fn effects(&self) -> anyhow::Result<&[EffectName]> {
        let effects: &[EffectName] = if self.bodies_only { &[] } else { &self.effects };
        let is_twice = |(k, effect): (usize, &EffectName)| effects[..k].contains(effect);
        ensure!(!effects.iter().enumerate().any(is_twice), "--effects names one twice");
        Ok(effects)
    }

    /// The unknowns of a robot, and what is known of it; motors that several joints turn are those of a layout.
    pub(super) fn of(&self, robot: Robot<'_>, layout: Option<&Layout>) -> anyhow::Result<Unknowns> {
        let speeds = Speeds { smoothing: self.smoothing, stribeck: self.stribeck_speed.unwrap_or(STRIBECK) };
        let is_asked = |effect: EffectName| self.effects().is_ok_and(|effects| effects.contains(&effect));
        ensure!(
            self.smoothing.is_none() || is_asked(EffectName::Coulomb),
            "--smoothing is that of the effect coulomb, which is not asked for"
        );
        ensure!(
            self.stribeck_speed.is_none() || is_asked(EffectName::Stribeck),
            "--stribeck-speed is that of the effect stribeck, which is not asked for"
        );
        let asked = Asked { effects: self.effects()?, speeds, known: &self.known, equal_legs: self.equal_legs };
        Unknowns::new(robot, layout, asked)
    }

    /// The columns of the unknowns of a robot, for a motion that is to show them.
    pub(crate) fn model(&self, robot: Robot<'_>) -> anyhow::Result<Model> {
        ensure!(
            !self.effects()?.contains(&EffectName::Gain),
            "no motion shows a gain; leave it out here, and ask `appell identify` for it"
        );
        let model = self.of(robot, None)?.model;
        ensure!(!model.columns().is_empty(), "nothing is unknown that a motion could show; know less with --known");
        Ok(model)
    }
}
