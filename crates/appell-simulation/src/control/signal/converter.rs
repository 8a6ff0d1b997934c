//! Conversion between a number and n bits.

use super::SignalError;

/// A range in 2ⁿ equal steps, from analogue to digital or back.
///
/// The values are `lower + code · step` with codes from 0 to 2ⁿ − 1, as offset binary has them: of ±10 V zero is exact,
/// and the largest value is one step below 10 V.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Converter {
    lower: f64,
    step: f64,
    bits: u32,
}

/// What a converter made of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conversion {
    /// From 0 to 2ⁿ − 1.
    pub code: u32,
    /// What the code stands for, in the range's unit.
    pub value: f64,
    /// Whether the number was outside the range. If not, the value is off by half a step at most.
    pub clipped: bool,
}

impl Converter {
    /// A converter of a range.
    ///
    /// # Errors
    /// If the range is empty or not finite, or the bits are not 1 to 32.
    pub fn new(lower: f64, upper: f64, bits: u32) -> Result<Self, SignalError> {
        let width = upper - lower;
        if !(lower.is_finite() && width.is_finite() && width > 0.0) {
            return Err(SignalError::Range { lower, upper });
        }
        if !(1..=32).contains(&bits) {
            return Err(SignalError::Bits { bits });
        }
        Ok(Self { lower, step: width / codes(bits), bits })
    }

    /// One step, in the range's unit.
    #[must_use]
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The nearest code of a number, and what it stands for.
    ///
    /// ```
    /// use appell_simulation::control::signal::Converter;
    ///
    /// let output = Converter::new(-10.0, 10.0, 12)?;
    /// assert_eq!(output.convert(0.0).value, 0.0);
    /// assert!((output.convert(3.3).value - 3.3).abs() <= 10.0 / 4096.0);
    /// assert!(output.convert(12.0).clipped);
    /// # Ok::<(), appell_simulation::control::signal::SignalError>(())
    /// ```
    #[must_use]
    pub fn convert(&self, value: f64) -> Conversion {
        let last = codes(self.bits) - 1.0;
        let ideal = ((value - self.lower) / self.step).round();
        let code = ideal.clamp(0.0, last) as u32; // NaN becomes 0
        Conversion { code, value: self.value(code), clipped: !(0.0..=last).contains(&ideal) }
    }

    fn value(&self, code: u32) -> f64 {
        self.lower + f64::from(code) * self.step
    }
}

fn codes(bits: u32) -> f64 {
    (1_u64 << bits) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_off_by_half_a_step_or_clips() {
        for bits in [1, 8, 12, 16, 32] {
            let converter = Converter::new(-10.0, 10.0, bits).unwrap();
            assert_eq!(converter.step(), 20.0 / codes(bits));
            for k in -1200..=1200 {
                let value = f64::from(k) * 0.01;
                let Conversion { value: found, clipped, .. } = converter.convert(value);
                assert!(clipped || (found - value).abs() <= 0.5 * converter.step() + 1e-14, "{bits} bits, {value}");
                assert!((-10.0..10.0).contains(&found));
                assert!(!clipped || value < -10.0 || value >= 10.0 - 0.5 * converter.step(), "{bits} bits, {value}");
            }
            assert_eq!(converter.convert(0.0).value, 0.0);
        }
    }

    #[test]
    fn ends_and_what_is_no_number() {
        let converter = Converter::new(-10.0, 10.0, 12).unwrap();
        assert_eq!(converter.convert(100.0).code, 4095);
        assert_eq!(converter.convert(-100.0), Conversion { code: 0, value: -10.0, clipped: true });
        assert!(converter.convert(f64::NAN).clipped && converter.convert(f64::NAN).value.is_finite());
        assert!(!converter.convert(-10.0).clipped && converter.convert(10.0).clipped);
    }
}
