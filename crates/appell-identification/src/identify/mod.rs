//! The whole way in one call: from what a controller recorded to a robot's file, with how far to trust it.
//!
//! ```text
//! recording → filters → observation → base parameters → estimate → consistency → validation → robot
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | [`identify`] | the pipeline, in that order |
//! | [`Table`], [`Recording`] | columns in, equations out |
//! | [`Loop`] | instruments by simulating what was found |
//! | [`Fitted`] | one model: base parameters, estimate, consistent fit, validation |
//! | `acceptance` | whether a robot is written |
//! | `warnings` | what to doubt, in words |
//! | [`RobotFiles`] | the identified robot with its provenance |
//!
//! ```
//! use appell::Robot;
//! use appell_identification::identified::Source;
//! use appell_identification::identify::{Options, Recordings, Table, identify};
//!
//! // Twenty seconds of an arm of two joints, at 100 Hz.
//! let arm = Robot::builtin("two-link")?;
//! let mut dynamics = arm.dynamics();
//! let mut columns = ["t", "q1", "q2", "tau1", "tau2"].map(|name| (name.to_owned(), Vec::new()));
//! for t in (0..2000).map(|k| 0.01 * f64::from(k)) {
//!     let wave = |w: f64| [(w * t).sin(), w * (w * t).cos(), -w * w * (w * t).sin()];
//!     let [one, other, third] = [wave(1.3), wave(2.1), wave(3.7)];
//!     let [q, v, a] = std::array::from_fn(|k| [one[k] + 0.5 * third[k], other[k] - 0.4 * third[k]]);
//!     let tau = dynamics.inverse_dynamics(&q, &v, &a)?;
//!     let row = [t, q[0], q[1], tau[0], tau[1]];
//!     columns.iter_mut().zip(row).for_each(|((_, column), x)| column.push(x));
//! }
//! let source = Source { name: "run.csv".into(), hash: "1".into() };
//! let recordings = Recordings { data: vec![Table { source, columns: columns.to_vec() }], ..Recordings::default() };
//! let found = identify(&arm, &recordings, &Options::usual(&arm, &[]))?;
//! assert!(found.full.estimate.fit.relative < 1e-3);
//! assert!(found.files.unwrap().toml.starts_with("# Identified on"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod acceptance;
mod error;
mod fitted;
mod pipeline;
mod recording;
mod robot_files;
mod simulation;
mod warnings;

pub use error::{FileError, IdentifyError, SimulationError};
pub use fitted::{Fitted, Validation, price};
pub use pipeline::identify;
pub use recording::{Recording, Table};
pub use robot_files::RobotFiles;
pub use simulation::Loop;

use crate::consistency::Consistent;
use crate::data::{Filter, Layout, Payload};
use crate::estimate::{Fit, Method};
use crate::identified::Source;
use crate::observation::Observation;
use crate::unknowns::{Asked, Unknowns};
use crate::validation::Essential;
use appell::Robot;

/// What was recorded.
#[derive(Debug, Clone, Default)]
pub struct Recordings {
    /// What is fitted.
    pub data: Vec<Table>,
    /// What is fitted, too, and was recorded with a payload that is known.
    pub loaded: Vec<Loaded>,
    /// What is only predicted.
    pub validate: Vec<Table>,
    /// Of [`Method::Instruments`]: motions that know nothing of the noise.
    pub instruments: Instruments,
}

/// A recording of a robot that carried a payload.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// What was recorded.
    pub table: Table,
    /// What was carried, beside the robot's own bodies.
    pub payload: Payload,
}

/// Motions that know nothing of the recordings' noise.
#[derive(Debug, Clone, Default)]
pub enum Instruments {
    /// There are none.
    #[default]
    None,
    /// One table per recording, with the motion that was wanted or simulated, at the same instants.
    Motions(Vec<Table>),
    /// One loop per recording, in which what was found is simulated, again and again.
    Loops(Vec<Loop>),
}

/// How parameters are estimated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimator {
    /// The method.
    pub method: Method,
    /// Whether equations are divided by their joints' noise, where the method does not do so itself.
    pub weighs: bool,
    /// How much the robot's file counts in a consistent fit; 1 if not given, and less where it is far off.
    pub trust: Option<f64>,
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Options {
    /// What the columns are, and how signals are filtered.
    pub layout: Layout,
    /// Where the layout comes from, for the head of the robot's file.
    pub layout_source: Option<Source>,
    /// What is unknown.
    pub asked: Asked,
    /// How it is estimated.
    pub estimator: Estimator,
    /// Where nothing is held out: parts of the data that are predicted by the others; none below two.
    pub folds: usize,
    /// By what part the residual may grow when parameters are left out; none are if not given.
    pub essential: Option<f64>,
    /// When, for the head of the robot's file: the library has no clock.
    pub date: String,
}

impl Options {
    /// The usual ones for a layout: weighted least squares, five parts.
    #[must_use]
    pub fn new(layout: Layout) -> Self {
        Self {
            layout,
            layout_source: None,
            asked: Asked::default(),
            estimator: Estimator { method: Method::Weighted, weighs: false, trust: None },
            folds: 5,
            essential: None,
            date: "an unknown day".into(),
        }
    }

    /// The same for columns t, q1 …, tau1 …, and v1 … if the header has them.
    #[must_use]
    pub fn usual(robot: &Robot, header: &[&str]) -> Self {
        Self::new(Layout::usual(robot, header))
    }
}

/// What a URDF of the robot holds.
#[derive(Debug, Clone)]
pub enum Urdf {
    /// There is none: loops are closed, there is no robot, or it would mislead.
    None,
    /// All that robot.toml does.
    AsToml,
    /// Less, with parameters of its own, so that they take over what they can.
    Own(Box<Fitted>),
}

impl Urdf {
    /// The model of its own with its parameters.
    #[must_use]
    pub fn own(&self) -> Option<(&Fitted, &Consistent)> {
        match self {
            Self::Own(fitted) => fitted.consistent.as_ref().ok().map(|found| (fitted.as_ref(), found)),
            Self::None | Self::AsToml => None,
        }
    }
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Identified {
    /// The robot as it was recorded, with the joints that stood.
    pub observed: Robot,
    /// What was unknown, and what was known.
    pub unknowns: Unknowns,
    /// What signals went through.
    pub filter: Filter,
    /// Whether its cut-off was chosen from the motion.
    pub is_chosen: bool,
    /// What is cut off at each end of the recordings that are fitted, s, at most; and the part of their samples that is lost so.
    pub ends: [f64; 2],
    /// What was fitted.
    pub recordings: Vec<Recording>,
    /// What was only predicted.
    pub held_out: Vec<Recording>,
    /// How many base parameters the robot has, whatever moves it.
    pub structural: usize,
    /// The model that was asked for.
    pub full: Fitted,
    /// That of what a robot's file has numbers for; none where it is the same.
    pub file: Option<Fitted>,
    /// That of what a URDF has numbers for.
    pub urdf: Urdf,
    /// The parameters that matter, where these were asked for.
    pub essential: Option<Essential>,
    /// How many times as much as those of the given robot its bodies do, by least squares; none where these do nothing.
    pub body_ratio: Option<f64>,
    /// Why there is no robot, if there is none.
    pub refusal: Option<String>,
    /// What to doubt, the most important first.
    pub warnings: Vec<String>,
    /// The robot's files; none where there is no robot.
    pub files: Option<RobotFiles>,
}

/// How well the model that was asked for predicts one recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Errors {
    /// The free parameters, of all samples.
    pub free: Fit,
    /// The same, joint by joint of the samples in which that joint moves.
    pub free_moving: Fit,
    /// The consistent parameters, where there are some.
    pub consistent: Option<Fit>,
    /// The same of moving samples.
    pub consistent_moving: Option<Fit>,
}

impl Identified {
    /// How well the model that was asked for predicts a recording, whether that was fitted or held out.
    #[must_use]
    pub fn errors(&self, recording: &Recording) -> Errors {
        let Fitted { base, estimate, consistent, .. } = &self.full;
        let (equations, moving) = (&recording.equations, &recording.moving());
        let reduced = base.reduce(equations);
        let consistent = consistent.as_ref().ok();
        Errors {
            free: Fit::of(&reduced, &estimate.values),
            free_moving: Fit::of_some(&reduced, &estimate.values, moving),
            consistent: consistent.map(|found| Fit::of(equations, &found.values)),
            consistent_moving: consistent.map(|found| Fit::of_some(equations, &found.values, moving)),
        }
    }

    /// The model whose consistent parameters a robot's file holds.
    #[must_use]
    pub fn of_file(&self) -> &Fitted {
        self.file.as_ref().unwrap_or(&self.full)
    }

    /// The parameters of the robot that is written, if one is.
    #[must_use]
    pub fn robot(&self) -> Option<&Consistent> {
        self.of_file().consistent.as_ref().ok().filter(|_| self.refusal.is_none())
    }

    /// The parameters that were found and that a robot's file has no numbers for, with their values.
    #[must_use]
    pub fn beyond(&self) -> Vec<(String, f64)> {
        let model = self.full.equations.model();
        self.found(|k| !model.is_described(k))
    }

    /// The drive gains among them.
    fn gains(&self) -> Vec<(String, f64)> {
        let model = self.full.equations.model();
        self.found(|k| model.columns()[k].is_gain())
    }

    /// Consistent parameters of some columns, with their names.
    fn found(&self, is_asked: impl Fn(usize) -> bool) -> Vec<(String, f64)> {
        let Ok(found) = &self.full.consistent else { return Vec::new() };
        let model = self.full.equations.model();
        let asked = (0..model.columns().len()).filter(|&k| is_asked(k));
        asked.map(|k| (model.name(k), found.values[k])).collect()
    }

    /// What robot.toml predicts of the efforts of equations of the model that was asked for; none where there is no robot. What it has no
    /// numbers for is zero.
    #[must_use]
    pub fn predicted_by_robot(&self, equations: &Observation) -> Option<Vec<f64>> {
        let found = self.robot()?;
        let (of_file, gains) = (self.of_file().equations.model(), self.gains());
        let model = equations.model();
        let value = |k: usize| {
            let own = of_file.columns().iter().position(|column| *column == model.columns()[k]);
            let gain = || gains.iter().find(|(name, _)| *name == model.name(k)).map_or(0.0, |(_, gain)| *gain);
            own.map_or_else(gain, |own| found.values[own])
        };
        let values: Vec<f64> = (0..model.columns().len()).map(value).collect();
        let [_, predicted] = equations.efforts(&values.into());
        Some(predicted)
    }

    /// Efforts of a recording at all its rows between the borders, neither low-passed nor thinned, per joint: measured, and predicted by the
    /// estimate.
    ///
    /// # Errors
    /// If the robot cannot be where a row says.
    pub fn efforts_at_full_rate(&self, robot: &Robot, recording: &Recording) -> Result<Vec<[Vec<f64>; 2]>, FileError> {
        let mut joints: Vec<[Vec<f64>; 2]> = vec![Default::default(); self.full.equations.rows().len()];
        for equations in recording.at_full_rate(robot, &self.unknowns) {
            let part = self.efforts_per_joint(&equations?);
            for (joint, part) in joints.iter_mut().zip(part) {
                joint.iter_mut().zip(part).for_each(|(to, from)| to.extend(from));
            }
        }
        Ok(joints)
    }

    /// Efforts of equations of the model that was asked for, per joint: measured, and predicted by the estimate.
    #[must_use]
    pub fn efforts_per_joint(&self, equations: &Observation) -> Vec<[Vec<f64>; 2]> {
        let (stacked, n) = (self.full.efforts(equations), equations.rows().len());
        let of_row = |row: usize| stacked.each_ref().map(|all| all.iter().skip(row).step_by(n).copied().collect());
        (0..n).map(of_row).collect()
    }
}
