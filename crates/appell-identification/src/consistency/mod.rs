//! Physically consistent parameters: those that some body of positive density has.
//!
//! ```text
//! P = ⎡ Σ  h ⎤    Σ = ½ tr(J) 1 − J = ∫ x xᵀ dm,  h = m c        P = ∫ (x, 1) (x, 1)ᵀ dm  ≻ 0        (Wensing2018)
//!     ⎣ hᵀ m ⎦
//! ```
//!
//! P, the pseudo-inertia, is positive definite exactly if the mass is positive and the principal moments about the centre of
//! mass obey the triangle inequalities. Friction and rotors must not be negative; Stribeck's excess may be, but not its sum with Coulomb
//! friction, which holds a joint at rest.
//!
//! | what | where |
//! |---|---|
//! | what is wrong with given parameters | [`flaws`] |
//! | the consistent parameters nearest to an estimate, and to a prior where the data do not decide | [`fit`](fn@fit) |
//! | the same with a prior that may be far off | [`fit_far`] |

mod cone;
mod error;
mod fit;
mod pseudo_inertia;

pub use error::ConsistencyError;
pub use fit::{Consistent, Prior, fit, fit_far};
pub use pseudo_inertia::PseudoInertia;

use crate::parameters::{Body, Column, Effect, Inertial, Model};
use appell::dynamics::regressor::PARAMETERS_PER_BODY;

/// The bodies of a model of which all ten parameters are there, with their columns in the library's order; and those of
/// which some are missing, by the first column there is.
fn bodies(model: &Model) -> (Vec<[usize; PARAMETERS_PER_BODY]>, Option<usize>) {
    let place = |body: Body, parameter: Inertial| {
        model.columns().iter().position(|column| *column == Column::Inertial { body, parameter })
    };
    let (mut seen, mut whole, mut part) = (Vec::<Body>::new(), Vec::new(), None);
    for (k, column) in model.columns().iter().enumerate() {
        let Column::Inertial { body, .. } = *column else { continue };
        if seen.contains(&body) {
            continue;
        }
        seen.push(body);
        let columns = Inertial::ALL.map(|parameter| place(body, parameter));
        match columns.iter().all(Option::is_some) {
            true => whole.push(columns.map(|column| column.expect("all are there"))),
            false => part = part.or(Some(k)),
        }
    }
    (whole, part)
}

/// Everything that makes parameters physically inconsistent, in words; of bodies that have all ten. A body without any mass or inertia
/// is none, and consistent.
///
/// ```
/// use appell::Robot;
/// use appell_identification::{consistency::flaws, parameters::Model};
///
/// let arm = Robot::builtin("seven-axis").unwrap();
/// let model = Model::bodies(&arm);
/// let mut values = model.values(&arm);
/// assert!(flaws(&model, &values).is_empty());
/// values[model.find("ZZ3")?[0]] *= -1.0;
/// assert_eq!(flaws(&model, &values).len(), 1);
/// # Ok::<(), appell_identification::parameters::UnknownName>(())
/// ```
///
/// # Panics
/// If there is not one value per column.
#[must_use]
pub fn flaws(model: &Model, values: &[f64]) -> Vec<String> {
    assert_eq!(values.len(), model.columns().len(), "one value per column");
    let mut flaws = Vec::new();
    for columns in bodies(model).0 {
        let parameters = columns.map(|k| values[k]);
        let name = || model.name(columns[0]);
        if parameters.iter().all(|&x| x == 0.0) {
            continue;
        }
        if parameters[0] <= 0.0 || parameters[0].is_nan() {
            flaws.push(format!("{} = {:.4} kg is no mass", name(), parameters[0]));
        } else {
            let (least, size) = PseudoInertia::of(parameters).least_second_moment();
            if least < -ROUNDING * size || least.is_nan() {
                let no_body = "has principal moments of no body: the least ∫x² dm about its centre of mass is";
                flaws.push(format!("the body of {} {no_body} {least:.3e} kg m²", name()));
            }
        }
    }
    for (k, column) in model.columns().iter().enumerate() {
        let effect = !matches!(column, Column::Inertial { .. });
        if effect && column.lower_bound().is_some_and(|bound| values[k] < bound) {
            flaws.push(format!("{} = {:.4} must not be negative", model.name(k), values[k]));
        }
    }
    for Excess { column, coulomb } in excesses(model) {
        let at_rest = values[column] + coulomb.map_or(0.0, |k| values[k]);
        if at_rest < 0.0 {
            let beside = coulomb.map_or(String::new(), |k| format!(" + {}", model.name(k)));
            flaws.push(format!(
                "{}{beside} = {at_rest:.4} must not be negative: it drives a joint at rest",
                model.name(column)
            ));
        }
    }
    flaws
}

/// Stribeck's excess in a joint or motor, and the column of its Coulomb friction, if there is one.
struct Excess {
    column: usize,
    coulomb: Option<usize>,
}

fn excesses(model: &Model) -> Vec<Excess> {
    let columns = model.columns();
    let is_excess = |k: &usize| {
        let (Column::Effect { effect, .. } | Column::Coupled { effect, .. }) = columns[*k] else { return false };
        matches!(effect, Effect::Stribeck { .. })
    };
    let coulomb = |k: usize| {
        columns.iter().position(|other| match (columns[k], *other) {
            (Column::Effect { joint, .. }, Column::Effect { joint: own, effect: Effect::Coulomb { .. } }) => {
                joint == own
            }
            (Column::Coupled { motor, .. }, Column::Coupled { motor: own, effect: Effect::Coulomb { .. } }) => {
                motor == own
            }
            _ => false,
        })
    };
    (0..columns.len()).filter(is_excess).map(|column| Excess { column, coulomb: coulomb(column) }).collect()
}

/// Second moments below this, over their size, are zero: thin bodies are real enough.
const ROUNDING: f64 = 1e-12;
