//! The measured Stäubli TX40: plain least squares as others reached it, and better.

use crate::tx40_data::{self, Recording};
use appell::description::toml;
use appell_identification::base_parameters::{BaseParameters, structural};
use appell_identification::consistency::{self, Prior};
use appell_identification::estimate::{Fit, weighted};
use appell_identification::observation::Observation;
use appell_identification::parameters::Effect;
use appell_identification::validation::cross_validate;

/// Friction that jumps: the model of the table in the data's README.
const JUMPING: &[Effect] = &[Effect::Coulomb { smoothing: 0.0 }];
/// Friction that vanishes at rest and grows with the root of the speed.
const GREASED: &[Effect] = &[Effect::Coulomb { smoothing: 0.01 }, Effect::SquareRoot { smoothing: 0.01 }];

/// The robot's own parameters, its base parameters and equations with some effects.
fn case(recording: &Recording, effects: &[Effect], factor: usize) -> (Vec<f64>, BaseParameters, Observation) {
    let robot = tx40_data::robot();
    let model = tx40_data::model(&robot, effects);
    let base = structural(&robot, &model).unwrap();
    (model.values(&robot), base, tx40_data::equations(&robot, &model, recording, factor))
}

/// Relative residual of all data, and of the second half with parameters of the first and the other way round.
fn residuals(recording: &Recording, effects: &[Effect], factor: usize) -> (usize, [f64; 3]) {
    let (_, base, equations) = case(recording, effects, factor);
    let equations = base.reduce(&equations);
    let n = equations.samples();
    let (first, second) = (equations.part(0..n / 2), equations.part(n / 2..n));
    let fit = |on: &_| weighted::estimate(on).unwrap();
    let all = fit(&equations);
    let across = [(&first, &second), (&second, &first)].map(|(on, by)| Fit::of(by, &fit(on).values).relative);
    println!("{effects:?} at {} Hz: {} samples, {} parameters", 1000 / factor, n, base.len());
    println!(
        "{:.3} % all, {:.3} % second by first, {:.3} % first by second",
        100.0 * all.fit.relative,
        100.0 * across[0],
        100.0 * across[1]
    );
    println!("joints {:.1?}", all.fit.rows.iter().map(|row| 100.0 * row.relative).collect::<Vec<_>>());
    (base.len(), [all.fit.relative, across[0], across[1]])
}

/// The robot's file is sound, and its prior is physically consistent.
#[test]
fn the_prior_is_plausible() {
    let problems = toml::inspect(&tx40_data::file("staubli-tx40.toml"));
    assert!(problems.is_empty(), "{problems}");
    let robot = tx40_data::robot();
    let model = tx40_data::model(&robot, JUMPING);
    assert_eq!(consistency::flaws(&model, &model.values(&robot)), Vec::<String>::new());
}

#[test]
fn plain_friction_is_at_least_as_good_as_elsewhere() {
    let Some(recording) = tx40_data::recording() else { return };
    let (parameters, [all, across, _]) = residuals(&recording, JUMPING, 20);
    assert_eq!(parameters, 61);
    assert!(all <= 0.075 && across <= 0.116, "{all} {across}");
    let (_, [all, across, _]) = residuals(&recording, JUMPING, 10);
    assert!(all <= 0.084 && across <= 0.125, "{all} {across}");
}

#[test]
fn friction_that_vanishes_at_rest_is_better_across_halves() {
    let Some(recording) = tx40_data::recording() else { return };
    let (_, plain) = residuals(&recording, JUMPING, 20);
    let (_, better) = residuals(&recording, GREASED, 20);
    for (plain, better) in plain.iter().zip(better) {
        assert!(better < 0.9 * plain, "{plain} {better}");
    }
}

/// Five parts of the recording, each predicted by the other four.
#[test]
fn cross_validation_prefers_friction_that_vanishes_at_rest_and_consistent_parameters() {
    let Some(recording) = tx40_data::recording() else { return };
    let validated = |effects: &[Effect], consistent: bool| {
        let (prior, base, equations) = case(&recording, effects, 20);
        let model = equations.model();
        let found = match consistent {
            false => {
                cross_validate(&base.reduce(&equations), 5, |part| weighted::estimate(part).map(|found| found.values))
                    .unwrap()
            }
            true => cross_validate(&equations, 5, |part| {
                let free = weighted::estimate(&base.reduce(part)).unwrap();
                let prior = Prior { model, values: &prior, trust: 1.0 };
                consistency::fit(part, &base, &free, &prior).map(|found| found.values)
            })
            .unwrap(),
        };
        println!("{effects:?}, consistent {consistent}: {:.2} %", 100.0 * found.relative);
        found.relative
    };
    let steps = [(JUMPING, false), (GREASED, false), (GREASED, true)].map(|(effects, with)| validated(effects, with));
    assert!(steps[0] > steps[1] && steps[1] > steps[2] && steps[2] < 0.85 * steps[0], "{steps:?}");
}

/// All standard parameters, physically consistent and nearest to the prior of the robot's file, cost little of the fit, and say more
/// about data they have not seen than unconstrained ones.
#[test]
fn consistent_parameters_lose_less_than_a_tenth_and_predict_better() {
    let Some(recording) = tx40_data::recording() else { return };
    let (prior, base, equations) = case(&recording, GREASED, 20);
    let model = equations.model();
    let n = equations.samples();
    let (first, second) = (equations.part(0..n / 2), equations.part(n / 2..n));
    let (_, [plain, plain_across @ ..]) = residuals(&recording, GREASED, 20);
    for trust in [1.0, 10.0] {
        let prior = Prior { model, values: &prior, trust };
        let fit = |on: &_| {
            let free = weighted::estimate(&base.reduce(on)).unwrap();
            consistency::fit(on, &base, &free, &prior).unwrap()
        };
        let found = fit(&equations);
        let across = [(&first, &second), (&second, &first)].map(|(on, by)| Fit::of(by, &fit(on).values).relative);
        println!(
            "trust {trust}: {:.2} % all, {:.2} %, {:.2} % across",
            100.0 * found.fit.relative,
            100.0 * across[0],
            100.0 * across[1]
        );
        assert_eq!(consistency::flaws(model, found.whole.as_slice()), Vec::<String>::new());
        assert!((found.unconstrained.relative - plain).abs() < 1e-9);
        assert!(found.fit.relative < 1.1 * plain, "{}", found.fit.relative);
        assert!(across.iter().zip(&plain_across).all(|(with, without)| with < without), "{across:?} {plain_across:?}");
    }
}
