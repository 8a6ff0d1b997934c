//! From measured motions and torques to a trusted model, for serial, tree-like and parallel robots.
//!
//! A crate beside `appell`, so that optimisation and statistics do not weigh on those who only compute dynamics.
//! The data flows one way, and a module uses only those above it:
//!
//! | module | what it is |
//! |---|---|
//! | [`signals`] | filters, derivatives, decimation, spectra; what is wrong with a recording |
//! | [`parameters`] | what is to be identified: names of columns, friction, coupled motors |
//! | [`data`] | what the columns of a recording are, and what is wrong with them |
//! | [`unknowns`] | what is unknown of a robot, and what its file knows |
//! | [`observation`] | the equations that samples give, of any robot |
//! | [`plausibility`] | units, signs and exchanged joints, by the robot's file |
//! | [`base_parameters`] | which combinations of parameters can be identified |
//! | [`excitation`] | motions that tell the unknowns apart, within limits |
//! | [`estimate`](mod@estimate) | parameters from equations, one file per method |
//! | [`consistency`] | physically consistent parameters |
//! | [`validation`] | held-out data, and the parameters that matter |
//! | [`identified`] | the robot's file with what was found, and where that comes from |
//! | [`identify`](mod@identify) | all of this in one call |
//!
//! ```
//! use appell::{Robot, sample::Sampler};
//! use appell_batch::Motions;
//! use appell_identification::observation::{Observation, Samples, observe};
//! use appell_identification::parameters::{Effect, Model};
//! use appell_identification::{base_parameters, estimate};
//!
//! // 60 samples of an arm of two joints, without any order, and what it needs for them.
//! let arm = Robot::builtin("two-link").unwrap();
//! let model = Model::bodies(&arm).with_effects(&[Effect::Viscous]);
//! let mut sampler = Sampler::new(1);
//! let [q, v, a] = [1.0, 2.0, 5.0].map(|limit| (0..120).map(|_| sampler.within(limit)).collect::<Vec<_>>());
//! let motion = Motions::Joints { q: &q, v: &v, a: &a };
//! let moved = observe(&arm, &model, &Samples { count: 60, motion, effort: &[0.0; 120] })?;
//! let truth = model.values(&arm);
//! let effort = moved.predicted(&truth.clone().into());
//! let measured = Observation::new(moved.matrix().clone(), effort, model.clone(), moved.rows().to_vec());
//!
//! // What can be found, and what is.
//! let base = base_parameters::structural(&arm, &model)?;
//! let found = estimate::weighted::estimate(&base.reduce(&measured))?;
//! assert_eq!(base.names(), ["MX1R", "MY1", "ZZ1R", "MX2", "MY2", "ZZ2", "Fv1", "Fv2"]);
//! assert!((found.values - base.values(&truth)).amax() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod number;
mod thresholds;
mod triangle;
pub mod signals;
pub mod parameters;
pub mod data;
pub mod unknowns;
pub mod observation;
pub mod plausibility;
pub mod base_parameters;
pub mod excitation;
pub mod estimate;
pub mod consistency;
pub mod validation;
pub mod identified;
pub mod identify;

pub use thresholds::ILL_CONDITIONED;
