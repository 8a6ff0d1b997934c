//! The library against golden data, other methods, laws of mechanics and itself on other numbers.

mod common;

mod agreement;
mod allocations;
mod closed_form;
mod coupling;
mod crossings_closed;
mod cycles;
mod derivatives;
mod direct;
mod golden;
mod inverse_kinematics;
mod laws;
mod leg_forms;
mod model_questions;
mod par;
mod parallel_agreement;
mod parallel_energy;
mod parallel_files;
mod parallel_golden;
mod parallel_laws;
mod parallel_questions;
mod parallel_referees;
mod platform_jacobian;
mod readme;
mod real_robots;
mod robot;
mod scalars;
mod simulators;
mod sin_cos;
mod singular;
mod singularities_closed;
mod singularity;
mod spherical;
mod urdf;
mod workspace_maps;
