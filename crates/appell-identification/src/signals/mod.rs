//! From what a recorder wrote to signals a model can be fitted to, and what is wrong with them.
//!
//! | what | where |
//! |---|---|
//! | Butterworth's low-pass without delay | [`LowPass`] |
//! | first and second derivative by central differences | [`first_derivative`], [`second_derivative`] |
//! | fewer samples of many columns alike, without their borders | [`Decimation`] |
//! | the same of signals that are made block by block | `blocks` |
//! | uneven, doubled and missing instants; those that even ones are made of | [`Instants`], [`Grid`] |
//! | dead, cut-off and jumping channels, spikes | [`is_constant`], [`dead`], [`saturated`], [`jump`], [`spikes`] |
//! | degrees for radians, wrong directions | [`position_doubt`], [`velocity_doubt`] |
//! | spectra, and power near half the sample rate | [`Spectrum`] |
//! | how fast a motion is | [`bandwidth`](bandwidth()) |
//!
//! The usual way of a measurement: low-pass the positions, differentiate twice, build the observation matrix, then decimate
//! its columns and the torques together and cut off their borders. Rows in messages are counted from 1.

mod bandwidth;
pub(crate) mod blocks;
mod channel;
mod cosines;
mod decimation;
mod difference;
pub(crate) mod error;
mod grid;
mod instants;
mod low_pass;
mod spectrum;
mod spline;
mod unit_doubt;

pub use bandwidth::bandwidth;
pub(crate) use channel::quantum;
pub use channel::{dead, is_constant, jump, saturated, spikes};
pub(crate) use cosines::Cosines;
pub use decimation::Decimation;
pub use difference::{first_derivative, second_derivative};
pub use error::SignalError;
pub use grid::Grid;
pub use instants::{Clock, Instants};
pub use low_pass::{HIGHEST_ORDER, LowPass};
pub use spectrum::Spectrum;
pub use unit_doubt::{position_doubt, velocity_doubt};
