//! The measured TX40, identified with two models of friction and by two estimators.

use anyhow::{Result, anyhow};
use appell::Robot;
use appell_identification::base_parameters::{BaseParameters, structural};
use appell_identification::consistency::{self, Prior};
use appell_identification::data::Layout;
use appell_identification::estimate::{Fit, weighted};
use appell_identification::identified::Source;
use appell_identification::identify::{Recording, Table};
use appell_identification::observation::Observation;
use appell_identification::parameters::Effect;
use appell_identification::unknowns::{Asked, Unknowns};
use appell_identification::validation::cross_validate;

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

/// Equations of one friction model.
pub(super) struct Trial {
    pub(super) measured: Recording,
    pub(super) base: BaseParameters,
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
            Friction::Greased => (0.01, &[Effect::SquareRoot]),
        };
        let coulomb = Effect::Coulomb { smoothing };
        let usual = [Effect::Rotor, Effect::Viscous, coulomb, Effect::Offset];
        let effects = [&usual[..], more].concat();
        let asked = Asked { effects, smoothing: Some(smoothing), ..Asked::default() };
        let unknowns = Unknowns::new(robot, Some(&layout), &asked)?;
        let source = Source { name: "motors.csv".into(), hash: String::new() };
        let table = Table { source, columns: recording.to_vec() };
        let measured = Recording::of_table(&table, robot, &layout, &unknowns)?;
        let base = structural(robot, &unknowns.model)?;
        let prior = unknowns.model.values(robot);
        Ok(Self { measured, base, prior })
    }

    /// Measured torques of each joint, and what the weighted estimate predicts of them.
    pub(super) fn torques(&self) -> Result<Vec<[Vec<f64>; 2]>> {
        let reduced = self.base.reduce(&self.measured.equations);
        let predicted = reduced.predicted(&weighted::estimate(&reduced)?.values);
        let n = reduced.rows().len();
        let of_joint = |joint: usize| {
            [reduced.right(), &predicted].map(|all| all.iter().skip(joint).step_by(n).copied().collect())
        };
        Ok((0..n).map(of_joint).collect())
    }

    /// How well an estimator does on all data and on what it has not seen.
    pub(super) fn outcome(&self, by: By) -> Result<Outcome> {
        let whole = &self.measured.equations;
        let reduced = self.base.reduce(whole);
        let prior = Prior { model: whole.model(), values: &self.prior, trust: 1.0 };
        let all = if by == By::Weighted { &reduced } else { whole };
        let fit = |on: &Observation| -> Result<_> {
            Ok(match by {
                By::Weighted => weighted::estimate(on)?.values,
                By::Consistent => {
                    let free = weighted::estimate(&self.base.reduce(on))?;
                    consistency::fit(on, &self.base, &free, &prior)?.values
                }
            })
        };
        let n = all.samples();
        let (first, second) = (0..n / 2, n / 2..n);
        let across = |on, other| -> Result<f64> { Ok(Fit::of(&all.part(other), &fit(&all.part(on))?).relative) };
        Ok(Outcome {
            parameters: self.base.len(),
            all: Fit::of(all, &fit(all)?),
            halves: [across(first.clone(), second.clone())?, across(second, first)?],
            folds: cross_validate(all, FOLDS, fit)?.relative,
        })
    }
}
