//! The model of a URDF, which has no rotors, offsets, springs and no smoothing of friction: fitted for itself, so that its numbers take
//! over what they can, and its head tells what it leaves.

use super::fitted::{Data, Fitted, Trial};
use super::method::{Estimator, Method};
use super::recording::Recording;
use super::study::{Question, Study};
use appell_identification::base_parameters::structural;
use appell_identification::consistency::Consistent;
use appell_identification::observation::Observation;
use appell_identification::parameters::Robot;

/// A URDF that leaves more of the efforts than this is none of this robot.
const MOST_LEFT: f64 = 0.5;

/// One that leaves more than this, and so many times what robot.toml leaves, is told.
const WORTH_TELLING: f64 = 0.02;
const MUCH_MORE: f64 = 1.2;

/// What a URDF of the robot holds.
pub(super) enum Urdf {
    /// There is none: loops are closed, there is no robot, or it would mislead.
    None,
    /// All that robot.toml does.
    AsToml,
    /// Less, with numbers of its own.
    Own(Box<Fitted>),
}

impl Urdf {
    /// The model of its own with its parameters.
    pub(super) fn own(&self) -> Option<(&Fitted, &Consistent)> {
        match self {
            Self::Own(fitted) => fitted.consistent.as_ref().ok().map(|found| (fitted.as_ref(), found)),
            Self::None | Self::AsToml => None,
        }
    }
}

impl Question<'_> {
    /// What a URDF of the robot that was found holds, and what to say of it.
    pub(super) fn of_urdf(&self, study: &Study) -> (Urdf, Option<String>) {
        let (Robot::Tree(_), Ok(robot)) = (self.robot, study.robot()) else { return (Urdf::None, None) };
        if self.unknowns.all.in_urdf() == self.unknowns.all {
            return (Urdf::AsToml, None);
        }
        let fitted = self.fit_urdf(study).and_then(|fitted| match &fitted.consistent {
            Ok(found) => Ok((found.fit.relative, fitted)),
            Err(error) => Err(error.clone().into()),
        });
        let without = "a URDF has no rotors, offsets, springs, and no friction but viscous and Coulomb friction";
        match fitted {
            Err(error) => (Urdf::None, Some(format!("no robot.urdf is written: {without}; without them: {error:#}"))),
            Ok((left, _)) if left > MOST_LEFT => {
                let text =
                    format!("no robot.urdf is written: {without}; it would leave {:.0} % of the efforts", 100.0 * left);
                (Urdf::None, Some(text))
            }
            Ok((left, fitted)) => {
                let of_toml = robot.fit.relative;
                let is_told = left > WORTH_TELLING.max(MUCH_MORE * of_toml);
                let told = is_told.then(|| {
                    format!(
                        "robot.urdf leaves {:.0} % of the efforts, robot.toml {:.1} %: {without}",
                        100.0 * left,
                        100.0 * of_toml
                    )
                });
                (Urdf::Own(Box::new(fitted)), told)
            }
        }
    }

    /// The same data for what a URDF has numbers for. Known numbers stay, drive gains are what was found, and the rest is zero.
    fn fit_urdf(&self, study: &Study) -> anyhow::Result<Fitted> {
        let model = self.unknowns.all.in_urdf();
        let names = model.names();
        let found = study.gains();
        let mut known: Vec<(&str, f64)> = self.unknowns.known();
        known.retain(|(name, _)| names.iter().any(|own| own == name));
        let gains = (0..names.len()).filter(|&k| model.columns()[k].is_gain());
        for name in gains.map(|k| names[k].as_str()) {
            let value = found.iter().find(|(own, _)| own == name).map_or(1.0, |(_, value)| *value);
            if known.iter().all(|(own, _)| *own != name) {
                known.push((name, value));
            }
        }
        let joined = |recordings: &[Recording]| -> anyhow::Result<Option<Observation>> {
            let equations = |recording: &Recording| {
                anyhow::Ok(recording.measured.equations_of(self.robot, &model)?.with_known(&known)?)
            };
            let all = recordings.iter().map(equations).collect::<anyhow::Result<Vec<_>>>()?;
            Ok(all.into_iter().reduce(|all, next| all.followed_by(&next)))
        };
        let fitted = joined(self.recordings)?.expect("a study has recordings");
        let data = Data { fitted, held_out: joined(self.held_out)?, of_reference: joined(self.of_reference)? };
        let whole = structural(self.robot, data.fitted.model())?;
        let (base, _) = data.shown(self.robot, &whole)?;
        // Simulations are made of the whole robot: what a URDF leaves out would be missing in the loop.
        let method = if self.loops.is_some() { Method::Weighted } else { self.estimator.method };
        let estimator = Estimator { method, ..self.estimator };
        let names: Vec<&str> = self.held_out.iter().map(|recording| recording.name.as_str()).collect();
        let trial = Trial { estimator: &estimator, loops: None, folds: 0, by: &names.join(", ") };
        Fitted::new(data, base, self.robot, &trial)
    }
}
