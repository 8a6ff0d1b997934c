//! Base parameters: the fewest combinations of parameters that determine the efforts.
//!
//! Columns of W that are linear combinations of others are regrouped into them, W φ = W_b β with β = B φ. Which ones stay is
//! a matter of order: columns are taken one after the other, and one stays if it is not a combination of those before
//! (Gautier1991). They are taken as Khalil's rules would keep them: of a body on a revolute joint XX, XY, XZ, YZ, ZZ, MX, MY,
//! on a prismatic joint MX, MY, MZ, M, of the platform all; then what is left of the bodies; then effects.
//!
//! | what | where |
//! |---|---|
//! | from any equations | [`BaseParameters::of`] |
//! | from the robot alone, at seeded random states | [`structural`] |
//! | closed-form rules for chains and trees of revolute and prismatic joints, the referee | [`closed_form`] |

pub mod closed_form;
mod states;

use crate::data::Load;
use crate::observation::{Observation, ObservationError};
use crate::parameters::{Body, Column, Inertial, Model};
use crate::triangle::triangle;
use appell::Robot;
use appell::description::JointKind;
use appell::spatial::Vec3;
use core::fmt;
use nalgebra::{DMatrix, DVector};

/// What is left of a column of length 1 that counts as none. Random states leave 10⁻¹⁵ of dependent columns and more than
/// 10⁻⁴ of others.
pub const TOLERANCE: f64 = 1e-8;

/// How many times the rounding of a robot's right angles a column may be left of that would vanish with exact ones,
const OF_ROUNDING: f64 = 10.0;

/// entries of rotations that are so near to 0 or 1, and are not, are right angles that were rounded: 1.5708 is off by 4e-6.
const ROUNDED: f64 = 5e-6;

/// A coefficient of a regrouping that counts as none.
const NO_COEFFICIENT: f64 = 1e-9;

/// Which parameters stay, and what is regrouped into them.
#[derive(Debug, Clone, PartialEq)]
pub struct BaseParameters {
    model: Model,
    kept: Vec<usize>,
    regrouping: DMatrix<f64>, // B, base parameters × all
    least_kept: f64,
    largest_left_out: f64,
    tolerance: f64,
}

/// The base parameters of a robot by its structure, whatever moves it.
///
/// ```
/// use appell::Robot;
/// use appell_identification::base_parameters::structural;
/// use appell_identification::parameters::Model;
///
/// let puma = Robot::builtin("puma560").unwrap();
/// let base = structural(&puma, &Model::bodies(&puma))?;
/// assert_eq!(base.len(), 36);
/// assert!(base.to_string().contains("XX6R = XX6 - YY6"));
/// # Ok::<(), appell_identification::observation::ObservationError>(())
/// ```
///
/// # Errors
/// If a robot with closed loops cannot move near its home.
///
/// # Panics
/// If the model is of another robot.
pub fn structural(robot: &Robot, model: &Model) -> Result<BaseParameters, ObservationError> {
    structural_loaded(robot, model, &[])
}

/// The same of a robot that carries these loads in turns, none of them where it carries nothing: with drive gains among the unknowns a load
/// that is known gives the scale.
///
/// # Errors
/// As [`structural`].
///
/// # Panics
/// As [`structural`].
pub fn structural_loaded(
    robot: &Robot,
    model: &Model,
    loads: &[Option<Load>],
) -> Result<BaseParameters, ObservationError> {
    Ok(BaseParameters::of(&states::random(robot, model, loads)?, &preference(robot, model), tolerance(robot)))
}

/// What is left of a column that counts as none: [`TOLERANCE`], or as much as the robot's file has rounded its right angles by.
#[must_use]
pub fn tolerance(robot: &Robot) -> f64 {
    let turned = robot.tree().links().iter().flat_map(|link| link.placement.unturned().rotation.rows);
    let off = turned.flat_map(Vec3::to_array).map(|entry| (entry - entry.round()).abs());
    let rounding = off.filter(|off| *off < ROUNDED).fold(0.0, f64::max);
    TOLERANCE.max(OF_ROUNDING * rounding)
}

/// The columns of a model in the order in which they are to stay.
#[must_use]
pub fn preference(robot: &Robot, model: &Model) -> Vec<usize> {
    let drives: Vec<usize> = robot.drives().iter().map(|drive| drive.index).collect();
    let stands = |joint: usize| robot.closed().is_none() && !drives.contains(&joint);
    let rank = |&k: &usize| match model.columns()[k] {
        Column::Inertial { body: Body::Platform, .. } => 0,
        // A body on a joint that stands is part of what carries it.
        Column::Inertial { body: Body::Joint(joint), .. } if stands(joint) => 3,
        Column::Inertial { body: Body::Joint(joint), parameter } => {
            let kept = match robot.tree().links()[joint].joint {
                JointKind::Revolute => !matches!(parameter, Inertial::Yy | Inertial::Mz | Inertial::M),
                JointKind::Prismatic => matches!(parameter, Inertial::Mx | Inertial::My | Inertial::Mz | Inertial::M),
            };
            if kept { 1 } else { 2 }
        }
        Column::Effect { .. } | Column::Coupled { .. } => 4,
    };
    let mut order: Vec<usize> = (0..model.columns().len()).collect();
    order.sort_by_key(rank);
    order
}

impl BaseParameters {
    /// Base parameters of some equations. `preference` lists all columns, those first that shall stay; a column stays if
    /// more than `tolerance` of its length is no combination of those before.
    ///
    /// # Panics
    /// If the preference does not name every column once.
    #[must_use]
    pub fn of(equations: &Observation, preference: &[usize], tolerance: f64) -> Self {
        let columns = equations.matrix().ncols();
        let mut sorted = preference.to_vec();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..columns), "every column once");
        // Dependencies are those of R, which is small.
        let all = equations.matrix();
        let matrix = triangle(all.nrows(), columns, &|i, k| all[(i, k)]);
        let lengths: Vec<f64> = matrix.column_iter().map(|column| column.norm()).collect();
        let nothing = tolerance * lengths.iter().copied().fold(0.0, f64::max);
        let (mut kept, mut basis) = (Vec::new(), Vec::<DVector<f64>>::new());
        let (mut least_kept, mut largest_left_out) = (1.0_f64, 0.0_f64);
        for &k in preference {
            if lengths[k] <= nothing {
                continue; // it moves nothing, as the mass of a body on the base
            }
            let mut rest = matrix.column(k) / lengths[k];
            for _ in 0..2 {
                // Twice is enough: what rounding left of the basis is gone then.
                basis.iter().for_each(|unit| rest.axpy(-unit.dot(&rest), unit, 1.0));
            }
            let left = rest.norm();
            if left > tolerance {
                least_kept = least_kept.min(left);
                basis.push(rest / left);
                kept.push(k);
            } else {
                largest_left_out = largest_left_out.max(left);
            }
        }
        kept.sort_unstable();
        let none = NO_COEFFICIENT.max(if tolerance > TOLERANCE { tolerance } else { 0.0 });
        let regrouping = regrouping(&matrix, &kept, &lengths, nothing, none);
        Self { model: equations.model().clone(), kept, regrouping, least_kept, largest_left_out, tolerance }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether nothing of the robot can be identified.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The columns that they are chosen from.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The columns that stay, in order.
    #[must_use]
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// B: a row per base parameter, a column per parameter.
    #[must_use]
    pub fn regrouping(&self) -> &DMatrix<f64> {
        &self.regrouping
    }

    /// The gap that the tolerance lies in: what is left of the nearest dependent column that stayed, and of the farthest
    /// that did not, both over their lengths. Where they are near each other, the number of base parameters is doubtful.
    #[must_use]
    pub fn gap(&self) -> (f64, f64) {
        (self.least_kept, self.largest_left_out)
    }

    /// What a column was compared with.
    #[must_use]
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// Their names: with an R where something was added.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let alone = |row: usize| self.regrouping.row(row).iter().filter(|c| **c != 0.0).count() == 1;
        let name = |(row, &k): (usize, &usize)| match alone(row) {
            true => self.model.name(k),
            false => self.model.regrouped_name(k),
        };
        self.kept.iter().enumerate().map(name).collect()
    }

    /// The equations for the base parameters alone.
    ///
    /// # Panics
    /// If the equations have other columns.
    #[must_use]
    pub fn reduce(&self, equations: &Observation) -> Observation {
        assert_eq!(equations.model(), &self.model, "equations of the same model");
        equations.with_columns(&self.kept)
    }

    /// How large base parameters may be, by the sizes of what is regrouped into them: Σ |B| × size.
    ///
    /// # Panics
    /// If there is not one value per parameter.
    #[must_use]
    pub fn sizes(&self, sizes: &[f64]) -> DVector<f64> {
        self.regrouping.abs() * DVector::from_column_slice(sizes)
    }

    /// β = B φ.
    ///
    /// # Panics
    /// If there is not one value per parameter.
    #[must_use]
    pub fn values(&self, parameters: &[f64]) -> DVector<f64> {
        &self.regrouping * DVector::from_column_slice(parameters)
    }
}

/// B: W_b β = W φ, with ones where a parameter stays itself.
fn regrouping(matrix: &DMatrix<f64>, kept: &[usize], lengths: &[f64], nothing: f64, none: f64) -> DMatrix<f64> {
    let mut regrouping = DMatrix::zeros(kept.len(), matrix.ncols());
    kept.iter().enumerate().for_each(|(row, &k)| regrouping[(row, k)] = 1.0);
    if kept.is_empty() {
        return regrouping;
    }
    let scaled = DMatrix::from_columns(&kept.iter().map(|&k| matrix.column(k) / lengths[k]).collect::<Vec<_>>());
    let qr = scaled.qr();
    let (q, r) = (qr.q(), qr.r());
    for k in (0..matrix.ncols()).filter(|&k| lengths[k] > nothing && !kept.contains(&k)) {
        let unit = matrix.column(k) / lengths[k];
        let shares = r.solve_upper_triangular(&q.tr_mul(&unit)).expect("columns that stay are independent");
        for (row, share) in shares.iter().enumerate().filter(|(_, share)| share.abs() > none) {
            regrouping[(row, k)] = tidy(share * lengths[k] / lengths[kept[row]], none);
        }
    }
    regrouping
}

/// What rounding made of whole numbers.
fn tidy(x: f64, none: f64) -> f64 {
    if (x - x.round()).abs() < none { x.round() } else { x }
}

/// A line a base parameter: `ZZ2R = ZZ2 + Ia2 + 0.0506 M3 + …`.
impl fmt::Display for BaseParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, (name, &own)) in self.names().iter().zip(&self.kept).enumerate() {
            write!(f, "{name}")?;
            let others = (0..self.regrouping.ncols()).filter(|&k| k != own && self.regrouping[(row, k)] != 0.0);
            for (place, k) in core::iter::once(own).chain(others).enumerate() {
                let c = self.regrouping[(row, k)];
                let term = match c.abs() {
                    1.0 => self.model.name(k),
                    size => format!("{} {}", significant(size), self.model.name(k)),
                };
                match place {
                    0 if name == &term => {}
                    0 => write!(f, " = {term}")?,
                    _ => write!(f, " {} {term}", if c < 0.0 { '-' } else { '+' })?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Six digits, without zeros at the end.
fn significant(x: f64) -> String {
    let digits = (5 - x.log10().floor() as i32).clamp(0, 15) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}
