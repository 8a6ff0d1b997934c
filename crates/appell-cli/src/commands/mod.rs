//! One file per command: its arguments with their help, and what it does.

pub(crate) mod agreement;
pub(crate) mod assemble;
pub(crate) mod check;
pub(crate) mod compute;
pub(crate) mod convert;
pub(crate) mod excite;
pub(crate) mod generate;
pub(crate) mod identify;
pub(crate) mod ik;
pub(crate) mod lab;
pub(crate) mod law;
#[cfg(target_os = "linux")]
pub(crate) mod plant;
#[cfg(target_os = "linux")]
pub(crate) mod operate;
pub(crate) mod reproduce;
pub(crate) mod robots;
#[cfg(target_os = "linux")]
pub(crate) mod run;
pub(crate) mod show;
pub(crate) mod simulate;
pub(crate) mod singularities;
pub(crate) mod trajectory;
