//! The measured TX40, identified with two models of friction and by two estimators.

use anyhow::{Context, Result, anyhow};
use appell::Robot;
use appell_identification::consistency::{self, Prior};
use appell_identification::data::Layout;
use appell_identification::estimate::{Fit, weighted};
use appell_identification::identified::Source;
use appell_identification::identify::{Identified, Options, Recordings, Table, identify};
use appell_identification::parameters::Effect;
use appell_identification::unknowns::Asked;
use std::ops::Range;

const ROBOT: &str = include_str!("staubli-tx40.toml");
const LAYOUT: &str = include_str!("layout.toml");

/// Parts of the recording, each of which is predicted by the others.
const FOLDS: usize = 5;

/// Friction as a user may take it to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Friction {
    /// Viscous and Coulomb friction that jumps: what was done elsewhere.
    Jumping,
    /// Coulomb friction that vanishes at rest, viscous friction, and the root of the speed.
    Greased,
}

/// An estimator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Weighted,
    Consistent,
}

/// How well a model does.
pub(super) struct Outcome {
    pub(super) parameters: usize,
    /// Of all data.
    pub(super) all: Fit,
    /// The residual of the second half, with parameters of the first; and the other way round.
    pub(super) halves: [f64; 2],
    /// The residual of all parts, each with parameters of the others.
    pub(super) folds: f64,
}

/// What was found with one friction model.
pub(super) struct Trial {
    pub(super) found: Identified,
    prior: Vec<f64>,
}

pub(super) fn robot() -> Result<Robot> {
    Robot::from_toml(ROBOT).map_err(|error| anyhow!("the TX40's file: {error}"))
}

impl Trial {
    /// Of a recording at 1 kHz, keeping one equation of `decimation`.
    pub(super) fn new(
        robot: &Robot,
        recording: &[(String, Vec<f64>)],
        friction: Friction,
        decimation: usize,
    ) -> Result<Self> {
        let mut layout = Layout::read(LAYOUT).map_err(|problems| anyhow!("the TX40's layout\n{problems}"))?;
        layout.filter.decimation = Some(decimation);
        layout.filter.border = Some(1e-3 * decimation as f64);
        let (smoothing, more): (f64, &[Effect]) = match friction {
            Friction::Jumping => (0.0, &[]),
            Friction::Greased => (0.01, &[Effect::SquareRoot { smoothing: 0.01 }]),
        };
        let coulomb = Effect::Coulomb { smoothing };
        let usual = [Effect::Rotor, Effect::Viscous, coulomb, Effect::Offset];
        let effects = [&usual[..], more].concat();
        let asked = Asked { effects, smoothing: Some(smoothing), ..Asked::default() };
        let source = Source { name: "motors.csv".into(), hash: String::new() };
        let data = vec![Table { source, columns: recording.to_vec() }];
        let options = Options { asked, folds: FOLDS, ..Options::new(layout) };
        let found = identify(robot, &Recordings { data, ..Recordings::default() }, &options)?;
        let prior = found.unknowns.model.values(robot);
        Ok(Self { found, prior })
    }

    /// Measured torques of each joint, and what the weighted estimate predicts of them.
    pub(super) fn torques(&self) -> Vec<[Vec<f64>; 2]> {
        self.found.efforts_per_joint(&self.found.full.equations)
    }

    /// How well an estimator does on all data and on what it has not seen.
    pub(super) fn outcome(&self, by: By) -> Result<Outcome> {
        let full = &self.found.full;
        let validation = full.validation.as_ref().context("no part of the recording was predicted by the others")?;
        let (all, folds) = match by {
            By::Weighted => (&full.estimate.fit, Some(&validation.estimate)),
            By::Consistent => (&full.consistent.as_ref().map_err(Clone::clone)?.fit, validation.consistent.as_ref()),
        };
        let folds = folds.context("no consistent fit of a part")?.relative;
        let n = full.equations.samples();
        let (first, second) = (0..n / 2, n / 2..n);
        let halves = [self.across(by, first.clone(), second.clone())?, self.across(by, second, first)?];
        Ok(Outcome { parameters: full.base.len(), all: all.clone(), halves, folds })
    }

    /// The residual of some samples, with parameters of others.
    fn across(&self, by: By, fitted: Range<usize>, predicted: Range<usize>) -> Result<f64> {
        let full = &self.found.full;
        let [on, other] = [fitted, predicted].map(|part| full.equations.part(part));
        let reduced = full.base.reduce(&other);
        let free = weighted::estimate(&full.base.reduce(&on))?;
        let fit = match by {
            By::Weighted => Fit::of(&reduced, &free.values),
            By::Consistent => {
                let prior = Prior { model: full.equations.model(), values: &self.prior, trust: 1.0 };
                Fit::of(&other, &consistency::fit(&on, &full.base, &free, &prior)?.values)
            }
        };
        Ok(fit.relative)
    }
}
