//! Identification against known robots, published rules and measured data.

mod base_parameters;
mod closed_loop;
mod delay;
mod estimators;
mod excitation;
mod friction_files;
mod gains;
mod good_recordings;
mod identified;
mod locked;
mod lwr4;
mod observation;
mod plausibility;
mod recorded_table;
mod recording;
mod recovered;
mod tx40;
mod tx40_data;
