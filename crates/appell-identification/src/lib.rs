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
//! | [`observation`] | the equations that samples give, of any robot |
//! | [`base_parameters`] | which combinations of parameters can be identified |
//! | [`excitation`] | motions that tell the unknowns apart, within limits |
//! | [`estimate`](mod@estimate) | parameters from equations, one file a method |
//! | [`consistency`] | parameters that a real robot can have |
//! | [`validation`] | held-out data, and the parameters that matter |
//! | [`identified`] | the robot's file with what was found, and where that comes from |
//!
//! ```
//! use appell::{batch::Motions, robots};
//! use appell_identification::observation::{Samples, observe};
//! use appell_identification::parameters::{Effect, Model};
//! use appell_identification::{base_parameters, estimate};
//!
//! // A recording: 60 samples of both joints of an arm without friction.
//! let arm = robots::find("two-link").unwrap().mechanism();
//! let wave = |size: f64, k: f64| move |i: usize| size * (k * i as f64).sin();
//! let signal = |a, b| -> Vec<f64> { (0..60).map(wave(a, 0.3)).chain((0..60).map(wave(b, 0.7))).collect() };
//! let (q, v, a) = (signal(1.0, 2.0), signal(3.0, -2.0), signal(-4.0, 5.0));
//! let model = Model::bodies(&arm).with_effects(&[Effect::Viscous]);
//! let motion = Motions::Drives { q: &q, v: &v, a: &a };
//! let equations = observe(&arm, &model, &Samples { count: 60, motion, effort: &vec![0.0; 120] })?;
//! let truth = model.values(&arm);
//! let effort = equations.predicted(&truth.clone().into());
//!
//! // What can be found, and what is.
//! let base = base_parameters::structural(&arm, &model)?;
//! let effort: Vec<f64> = (0..2).flat_map(|j| effort.iter().skip(j).step_by(2).copied().collect::<Vec<_>>()).collect();
//! let measured = base.reduce(&observe(&arm, &model, &Samples { count: 60, motion, effort: &effort })?);
//! let (found, _) = estimate::weighted::estimate(&measured)?;
//! assert_eq!(base.names(), ["MX1R", "MY1", "ZZ1R", "MX2", "MY2", "ZZ2", "Fv1", "Fv2"]);
//! assert!((found.values - base.values(&truth)).amax() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod signals;
pub mod parameters;
pub mod data;
pub mod observation;
pub mod base_parameters;
pub mod excitation;
pub mod estimate;
pub mod consistency;
pub mod validation;
pub mod identified;
