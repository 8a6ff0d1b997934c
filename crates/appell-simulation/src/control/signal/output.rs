//! Analogue outputs: from a wanted effort to volts in steps, and through an amplifier to the effort of a drive.

use super::{Converter, DEFAULT_BITS, SignalError, not_zero, positive};

/// Largest voltage of an output, V.
const VOLTS: f64 = 10.0;

/// A ±10 V output with its converter, and the amplifier and motor behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnalogOutput {
    converter: Converter,
    constant: f64,
    limit: f64,
}

/// What an output made of a wanted effort.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Written {
    /// V.
    pub volts: f64,
    /// What the drive gives, N m or N.
    pub effort: f64,
    /// Whether more was wanted than volts or amplifier can give. If not, the effort is off by half a step at most.
    pub saturated: bool,
}

impl AnalogOutput {
    /// An output of [`DEFAULT_BITS`]; `constant` is the effort at the joint a volt, N m/V or N/V, negative where the wires
    /// are swapped.
    ///
    /// # Errors
    /// If the constant is zero or not finite.
    pub fn new(constant: f64) -> Result<Self, SignalError> {
        let converter = Converter::new(-VOLTS, VOLTS, DEFAULT_BITS)?;
        Ok(Self { converter, constant: not_zero("torque constant", constant)?, limit: f64::INFINITY })
    }

    /// The same with a converter of other bits.
    ///
    /// # Errors
    /// If they are not 1 to 32.
    pub fn with_bits(self, bits: u32) -> Result<Self, SignalError> {
        Ok(Self { converter: Converter::new(-VOLTS, VOLTS, bits)?, ..self })
    }

    /// The same with a drive that gives no more than `limit`, N m or N, whatever the volts.
    ///
    /// # Errors
    /// If the limit is not positive.
    pub fn with_limit(self, limit: f64) -> Result<Self, SignalError> {
        Ok(Self { limit: positive("largest effort", limit)?, ..self })
    }

    /// One step of the converter as effort, N m or N.
    #[must_use]
    pub fn step(&self) -> f64 {
        self.converter.step() * self.constant.abs()
    }

    /// What becomes of a wanted effort. One that is NaN switches the output to zero and counts as saturated.
    #[must_use]
    pub fn write(&self, wanted: f64) -> Written {
        if wanted.is_nan() {
            return Written { volts: 0.0, effort: 0.0, saturated: true };
        }
        let cut = wanted.clamp(-self.limit, self.limit);
        let conversion = self.converter.convert(cut / self.constant);
        // Rounding may ask for more than the limit; the amplifier does not give it.
        let effort = (self.constant * conversion.value).clamp(-self.limit, self.limit);
        Written { volts: conversion.value, effort, saturated: cut != wanted || conversion.clipped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_off_by_half_a_step_or_saturated() {
        for constant in [9.7, -0.3] {
            for bits in [8, 12, 16] {
                let output = AnalogOutput::new(constant).unwrap().with_bits(bits).unwrap().with_limit(60.0).unwrap();
                assert!((output.step() - constant.abs() * 20.0 / f64::from(bits).exp2()).abs() < 1e-15);
                for k in -1000..=1000 {
                    let wanted = 0.1 * f64::from(k);
                    let Written { effort, saturated, volts } = output.write(wanted);
                    assert!(saturated || (effort - wanted).abs() <= 0.5 * output.step() + 1e-12, "{wanted}");
                    assert!(effort.abs() <= 60.0 && volts.abs() <= 10.0);
                    let most = 60.0_f64.min(10.0 * constant.abs());
                    assert!(saturated || wanted.abs() <= most);
                    assert!(!saturated || wanted.abs() >= most - output.step());
                }
            }
        }
    }

    #[test]
    fn nothing_is_not_a_number() {
        let output = AnalogOutput::new(2.0).unwrap();
        assert_eq!(output.write(0.0), Written { volts: 0.0, effort: 0.0, saturated: false });
        assert_eq!(output.write(f64::NAN), Written { volts: 0.0, effort: 0.0, saturated: true });
        assert_eq!(output.write(f64::NEG_INFINITY), Written { volts: -10.0, effort: -20.0, saturated: true });
    }
}
