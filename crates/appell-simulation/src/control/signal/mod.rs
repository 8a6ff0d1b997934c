//! What lies between a controller and its robot: sensors, converters, amplifiers, switches. Each is a type of its own,
//! without a clock and without I/O; what is random comes from a seed.
//!
//! | element | what it does to a signal | where |
//! |---|---|---|
//! | converter | n bits over a range of volts or of positions | [`Converter`] |
//! | incremental encoder | whole counts since it was switched on, with an index pulse every turn | [`Encoder`], [`Counter`] |
//! | potentiometer | the absolute position at the start, with noise, by a converter | [`Potentiometer`] |
//! | speed | the difference of counts over a period, perhaps smoothed | [`Differentiator`] |
//! | analogue output | ±10 V by a converter, an amplifier with a torque constant and a limit | [`AnalogOutput`] |
//! | over-temperature input | closed from a time on, or by a winding that heats | [`ThermalSwitch`] |
//! | gripper output | on or off from given times on | [`Gripper`] |
//!
//! They stand for the boards of a robot that a PC controls (Valera): encoder counters, 12-bit converters, digital
//! inputs and outputs.

mod converter;
mod encoder;
mod gripper;
mod noise;
mod output;
mod potentiometer;
mod sensor_fault;
mod thermal_switch;
mod velocity;

pub use converter::{Conversion, Converter};
pub use encoder::{Counter, Encoder};
pub use gripper::Gripper;
pub use noise::Noise;
pub use output::{AnalogOutput, Written};
pub use potentiometer::Potentiometer;
pub use sensor_fault::{Broken, SensorFault};
pub use thermal_switch::{ThermalSwitch, Winding};
pub use velocity::Differentiator;

use appell::description::plain;

/// Bits of a converter where nothing else is said.
pub const DEFAULT_BITS: u32 = 12;

/// Why there is no such element, chain or loop.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum SignalError {
    #[error("the {what} is {}; it must be a positive number", plain(*value))]
    NotPositive { what: &'static str, value: f64 },
    #[error("the {what} is {}; it must be zero or a positive number", plain(*value))]
    Negative { what: &'static str, value: f64 },
    #[error("the {what} is {}; it must be a number other than zero", plain(*value))]
    Zero { what: &'static str, value: f64 },
    #[error("a range from {} to {} is empty; it must rise, between finite numbers", plain(*lower), plain(*upper))]
    Range { lower: f64, upper: f64 },
    #[error("a converter of {bits} bits; there are those of 1 to 32")]
    Bits { bits: u32 },
    #[error("an index at count {index} of a turn that has {counts}")]
    Index { index: u32, counts: u32 },
    #[error("switching times must rise and be finite: {} s comes after {} s", plain(*time), plain(*before))]
    Times { time: f64, before: f64 },
    #[error("a delay of {} periods; there are those of 0 to {most}", plain(*periods))]
    Delay { periods: f64, most: f64 },
    #[error("{found} {what} where the robot has {expected} drives; give one for each")]
    Length { what: &'static str, found: usize, expected: usize },
    #[error(
        "joint `{joint}`: the potentiometer may be off by {accuracy:.3e}, more than half of the {turn:.3e} that the joint moves between index pulses, so that these do not say where it is; take a better one, or no index"
    )]
    Ambiguous { joint: String, accuracy: f64, turn: f64 },
    #[error(
        "{drives} measured drives do not determine the position of a robot with {freedoms} degrees of freedom; there must be as many drives"
    )]
    Unmeasured { drives: usize, freedoms: usize },
}

pub(super) fn positive(what: &'static str, value: f64) -> Result<f64, SignalError> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(SignalError::NotPositive { what, value }) }
}

pub(super) fn not_negative(what: &'static str, value: f64) -> Result<f64, SignalError> {
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err(SignalError::Negative { what, value }) }
}

fn not_zero(what: &'static str, value: f64) -> Result<f64, SignalError> {
    if value.is_finite() && value != 0.0 { Ok(value) } else { Err(SignalError::Zero { what, value }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_ones_are_refused() {
        assert_eq!(Converter::new(0.0, 1.0, 0), Err(SignalError::Bits { bits: 0 }));
        assert_eq!(Converter::new(0.0, 1.0, 33), Err(SignalError::Bits { bits: 33 }));
        assert_eq!(Converter::new(1.0, 1.0, 12), Err(SignalError::Range { lower: 1.0, upper: 1.0 }));
        assert!(Converter::new(f64::NAN, 1.0, 12).is_err() && Converter::new(0.0, f64::INFINITY, 12).is_err());
        assert!(matches!(Encoder::rotary(0, 1.0), Err(SignalError::NotPositive { .. })));
        assert_eq!(Encoder::rotary(100, 0.0), Err(SignalError::Zero { what: "gear", value: 0.0 }));
        assert!(Encoder::linear(100, f64::NAN).is_err() && Encoder::rotary(100, f64::INFINITY).is_err());
        let encoder = Encoder::rotary(100, 1.0).unwrap();
        assert_eq!(encoder.with_index(100), Err(SignalError::Index { index: 100, counts: 100 }));
        assert_eq!(encoder.index_distance(), None);
        assert_eq!(Gripper::new(vec![1.0, 1.0]), Err(SignalError::Times { time: 1.0, before: 1.0 }));
        assert!(Gripper::new(vec![f64::NAN]).is_err());
        assert!(matches!(AnalogOutput::new(0.0), Err(SignalError::Zero { .. })));
        let output = AnalogOutput::new(1.0).unwrap();
        assert!(output.with_limit(0.0).is_err() && output.with_limit(f64::NAN).is_err());
        assert!(output.with_bits(40).is_err());
        assert!(matches!(Potentiometer::new(1.0, -1.0, 0.0), Err(SignalError::Range { .. })));
        assert!(matches!(Potentiometer::new(-1.0, 1.0, -0.1), Err(SignalError::Negative { .. })));
        assert!(Potentiometer::new(-1.0, 1.0, f64::NAN).is_err());
        assert!(Potentiometer::new(-1.0, 1.0, 0.0).unwrap().with_bits(0).is_err());
        assert!(matches!(Winding::new(-1.0, 1.0, 1.0), Err(SignalError::Negative { .. })));
        assert!(Winding::new(1.0, 0.0, 1.0).is_err() && Winding::new(1.0, 1.0, f64::NAN).is_err());
        assert!(matches!(Differentiator::new(0.0, None, 0.0), Err(SignalError::NotPositive { .. })));
        assert!(Differentiator::new(1e-3, Some(-1.0), 0.0).is_err());
        assert!(Differentiator::new(f64::NAN, None, 0.0).is_err());
    }
}
