//! The program from outside: what it answers, what it says, and how it exits.

mod assemble;
mod closed;
mod compute;
mod compute_closed;
mod convert;
mod errors;
mod excite;
mod formats;
mod friction;
mod general;
mod device;
mod generate;
#[cfg(target_os = "linux")]
mod hardware;
mod identify;
mod identify_carried;
mod identify_data;
mod identify_files;
mod identify_looks;
mod identify_loop;
mod identify_robot;
mod identify_wrong;
mod ik;
mod lab;
mod law;
mod interrupted;
#[cfg(unix)]
mod operate;
mod outputs;
mod recordings;
mod records;
mod reproduce;
mod run;
mod run_faults;
mod run_identify;
mod show;
mod simulate;
mod singularities;
mod support;
mod trajectory;
mod transmissions;
mod urdf;

use support::*;
