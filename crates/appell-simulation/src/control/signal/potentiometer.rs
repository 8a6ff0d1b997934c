//! Potentiometers: the absolute position of a joint, roughly.

use super::{Conversion, Converter, DEFAULT_BITS, Noise, SignalError, not_negative};

/// A potentiometer at a joint, read by a converter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Potentiometer {
    lower: f64,
    upper: f64,
    noise: f64,
    converter: Converter,
}

impl Potentiometer {
    /// A potentiometer whose converter, of [`DEFAULT_BITS`], spans positions from `lower` to `upper`, rad or m; its noise
    /// has this deviation, in the same unit.
    ///
    /// # Errors
    /// If the range is empty or the noise negative.
    pub fn new(lower: f64, upper: f64, noise: f64) -> Result<Self, SignalError> {
        let noise = not_negative("noise of a potentiometer", noise)?;
        Ok(Self { lower, upper, noise, converter: Converter::new(lower, upper, DEFAULT_BITS)? })
    }

    /// The same with a converter of other bits.
    ///
    /// # Errors
    /// If they are not 1 to 32.
    pub fn with_bits(self, bits: u32) -> Result<Self, SignalError> {
        Ok(Self { converter: Converter::new(self.lower, self.upper, bits)?, ..self })
    }

    /// What it says of a joint at `position`, rad or m; clipped if that is beyond its range.
    #[must_use]
    pub fn read(&self, position: f64, noise: &mut Noise) -> Conversion {
        self.converter.convert(position + self.noise * noise.sample())
    }

    /// How far off a reading within its range may be, rad or m: half a step and the largest noise.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        0.5 * self.converter.step() + Noise::LARGEST * self.noise
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_as_accurate_as_it_says() {
        let mut noise = Noise::new(3);
        for (deviation, bits) in [(0.0, 12), (0.0, 16), (1e-3, 12), (0.01, 8)] {
            let pot = Potentiometer::new(-3.0, 3.0, deviation).unwrap().with_bits(bits).unwrap();
            assert_eq!(pot.accuracy(), 3.0 / f64::from(bits).exp2() + 4.0 * deviation);
            for k in -280..=280 {
                let position = 0.01 * f64::from(k);
                assert!((pot.read(position, &mut noise).value - position).abs() <= pot.accuracy() + 1e-15);
            }
        }
    }

    #[test]
    fn twelve_bits_unless_told_and_ends() {
        let pot = Potentiometer::new(0.0, 4.096, 0.0).unwrap();
        let mut noise = Noise::new(0);
        assert!((pot.read(1.0004, &mut noise).value - 1.0).abs() < 1e-12);
        assert!((pot.read(9.0, &mut noise).value - 4.095).abs() < 1e-12);
        assert_eq!(pot.read(-1.0, &mut noise), Conversion { code: 0, value: 0.0, clipped: true });
    }
}
