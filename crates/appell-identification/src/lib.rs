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
