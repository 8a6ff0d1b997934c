//! Estimators: parameters from equations, one file per method.
//!
//! | method | what it does | where |
//! |---|---|---|
//! | least squares | normal equations by Cholesky | [`normal_equations`] |
//! | QR | the same by reflections, which keep twice the digits | [`reflections`] |
//! | weighted | each joint by its own noise, found again until it stays | [`weighted`] |
//! | SVD | without the directions that the data hardly see | [`truncated`] |
//! | pseudo-inverse | the shortest of all solutions, for dependent columns | [`pseudo_inverse`] |
//! | ridge | short parameters preferred, by L-curve or cross-validation | [`ridge`] |
//! | total least squares | noise in the matrix too | [`total`] |
//! | Huber | outliers count less | [`huber`] |
//! | instrumental variables | noise in the matrix that depends on the effort's, as in closed loops | [`instruments`] |
//!
//! Drive gains, whose columns are measured efforts with their noise, are found by any of them: [`gains`].
//!
//! All take an [`Observation`] of base parameters and give an [`Estimate`]. Columns are scaled to length 1 inside, so that
//! units do not matter, but where a method says otherwise. [`estimate`] calls any of them by its [`Method`], on
//! equations that are weighed by their joints' noise if asked for.
//!
//! Covariances are those of residuals that are white, from sample to sample; [`by_spectrum`] makes of them what the residuals' spectrum
//! says, as low-passed equations need it. [`doubts()`] lists
//! what was hardly excited, is collinear, or has the wrong sign; [`delays()`] looks for efforts that are late.

mod banded;
mod choice;
mod delay;
mod doubts;
pub mod gains;
pub mod huber;
pub mod instruments;
pub mod normal_equations;
pub mod pseudo_inverse;
pub mod reflections;
mod result;
pub mod ridge;
mod scaled;
pub mod total;
pub mod truncated;
pub mod weighted;

pub use banded::by_spectrum;
pub use choice::{Method, estimate};
pub use delay::{Delay, Stretch, delay_again, delays};
pub use doubts::{Doubt, doubts};
pub use result::{Estimate, EstimateError, Fit, RowFit};

use crate::observation::Observation;
