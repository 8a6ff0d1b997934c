//! What is unknown of a robot, as `identify` and `excite` are asked for it.

use crate::arguments::{choice, number_that, positive};
use crate::hints;
use anyhow::{anyhow, ensure};
use appell::Robot;
use appell_identification::estimate::Method;
use appell_identification::parameters::{Effect, Model};
use appell_identification::unknowns::{Asked, Lock, Unknowns, with_locked};
use clap::builder::{PossibleValue, TypedValueParser};

/// The unknowns: bodies, and what acts beside them.
#[derive(clap::Args)]
pub(crate) struct UnknownArgs {
    /// What acts in the driven joints beside the bodies; what the robot's file says of others is taken as known
    #[arg(long, value_parser = effects(), value_name = "EFFECT,…", value_delimiter = ',')]
    #[arg(default_values = ["viscous", "coulomb", "offset", "rotor"])]
    effects: Vec<Effect>,
    /// Bodies alone are unknown; all that the robot's file says of its joints is taken as known
    #[arg(long, conflicts_with = "effects")]
    bodies_only: bool,
    /// Speed over which friction changes its sign, rad/s or m/s; 0 lets it jump: joints stick in `appell simulate`. If not given, that of the robot's file, or 0.01 where it has none
    #[arg(long, value_name = "SPEED", value_parser = smoothing)]
    smoothing: Option<f64>,
    /// Of the effect stribeck: the speed at which it is down to 37 %, rad/s or m/s. If not given, that of the robot's file,
    /// or 0.1 where it has none
    #[arg(long, value_name = "SPEED", value_parser = positive)]
    stribeck_speed: Option<f64>,
    /// Parameters that the robot's file knows: Ia*, *.elbow, ZZ3
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    known: Vec<String>,
    /// Of a parallel robot: the bodies of all legs are alike
    #[arg(long)]
    equal_legs: bool,
    /// Joints that stand and were not recorded, as fingers: finger=0.02 (rad or m), or finger, at its home. Those that
    /// follow them stand, too; their bodies are part of what carries them
    #[arg(long, value_name = "JOINT[=POSITION],…", value_delimiter = ',', value_parser = lock)]
    lock: Vec<Lock>,
}

/// Effects by their names.
fn effects() -> impl TypedValueParser<Value = Effect> {
    choice(Effect::ALL.map(|effect| (PossibleValue::new(effect.words()[0]).help(effect.words()[1]), effect)))
}

/// Estimators by their names.
pub(super) fn methods() -> impl TypedValueParser<Value = Method> {
    let named = |method: Method| PossibleValue::new(method.name()).aliases(method.alias()).help(method.summary());
    choice(Method::ALL.map(|method| (named(method), method)))
}

/// A speed far below those of the motion: faster, Coulomb friction would be viscous.
fn smoothing(text: &str) -> Result<f64, String> {
    let expected = "expected zero, or a speed far below those of the motion, at most 1";
    number_that(text, |speed| (0.0..=1.0).contains(&speed), expected)
}

/// A joint that stands, and where.
fn lock(text: &str) -> Result<Lock, String> {
    let Some((joint, position)) = text.rsplit_once('=') else {
        return Ok(Lock { joint: text.trim().into(), position: None });
    };
    let position = number_that(position, f64::is_finite, "expected a joint, or JOINT=POSITION in rad or m")?;
    Ok(Lock { joint: joint.trim().into(), position: Some(position) })
}

impl UnknownArgs {
    /// The robot with the joints that stand.
    pub(crate) fn observed(&self, robot: &Robot) -> anyhow::Result<Robot> {
        with_locked(robot, &self.lock).map_err(|error| anyhow!("--lock: {error}"))
    }

    /// What is asked for.
    pub(crate) fn asked(&self) -> anyhow::Result<Asked> {
        let effects = if self.bodies_only { Vec::new() } else { self.effects.clone() };
        let is_twice = |(k, effect): (usize, &Effect)| effects[..k].contains(effect);
        ensure!(!effects.iter().enumerate().any(is_twice), "--effects names one twice");
        let has = |symbol: &str| effects.iter().any(|effect| effect.symbol() == symbol);
        ensure!(
            self.smoothing.is_none() || effects.iter().any(|effect| effect.smoothing().is_some()),
            "--smoothing is that of the effects coulomb, square-root, asymmetric and stribeck, of which none is asked for"
        );
        ensure!(
            self.stribeck_speed.is_none() || has("Fb"),
            "--stribeck-speed is that of the effect stribeck, which is not asked for"
        );
        let (known, equal_legs) = (self.known.clone(), self.equal_legs);
        let (smoothing, stribeck_speed, locked) = (self.smoothing, self.stribeck_speed, self.lock.clone());
        Ok(Asked { effects, smoothing, stribeck_speed, known, equal_legs, locked })
    }

    /// The columns of the unknowns of a robot, for a motion that is to show them.
    pub(crate) fn model(&self, robot: &Robot) -> anyhow::Result<Model> {
        let asked = self.asked()?;
        ensure!(
            !asked.effects.contains(&Effect::DriveGain),
            "no motion shows a gain; leave it out here, and ask `appell identify` for it"
        );
        let model = Unknowns::new(robot, None, &asked).map_err(hints::told)?.model;
        ensure!(
            !model.columns().is_empty(),
            "nothing is unknown that a motion could show; fix fewer parameters with --known"
        );
        Ok(model)
    }
}
