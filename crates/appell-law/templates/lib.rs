//! @SUMMARY@
//!
//! ```text
//! @EQUATION@
//! ```
//!
//! Parameters of the scenario: kp and kd, one value for all drives or one for each.
//! Build: cargo build --release
//! Run:   appell simulate trial.toml

mod appell_law;
@INCLUDE@
use appell_law::{Law, Moment, Setup, Status};
use std::ffi::CStr;

const PARAMETERS: Status = 1;
@STATUSES@
/// What the law keeps from step to step.
struct MyLaw {
    kp: Vec<f64>,
    kd: Vec<f64>,
}

appell_law::export!(MyLaw);

impl Law for MyLaw {
    const NAME: &'static CStr = c"@NAME@";

    fn new(setup: &Setup<'_>) -> Result<Self, Status> {
@CHECK@        if setup.parameters.len() != 2 {
            return Err(PARAMETERS);
        }
        Ok(Self { kp: setup.get("kp").ok_or(PARAMETERS)?, kd: setup.get("kd").ok_or(PARAMETERS)? })
    }

    fn step(&mut self, now: &Moment<'_>, effort: &mut [f64]) -> Result<(), Status> {
@STEP@
        Ok(())
    }

    fn message(status: Status) -> Option<&'static CStr> {
        match status {
            PARAMETERS => Some(c"it takes the parameters kp and kd, one value or one per drive"),
@MESSAGES@            _ => None,
        }
    }
}
