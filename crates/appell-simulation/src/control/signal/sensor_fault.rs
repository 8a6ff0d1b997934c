//! Sensors that break at a time, as trials of what watches them want it.

use super::{SignalError, not_negative};

/// A sensor of a position that breaks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SensorFault {
    at: f64,
    how: Broken,
    last: f64,
}

/// How a sensor is broken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Broken {
    /// It says the same for ever.
    Frozen,
    /// It is off by so much, rad or m.
    Offset(f64),
    /// It gives NaN.
    NotANumber,
}

impl SensorFault {
    /// A sensor that breaks at a time, s.
    ///
    /// # Errors
    /// If the time is negative or not finite.
    pub fn new(at: f64, how: Broken) -> Result<Self, SignalError> {
        Ok(Self { at: not_negative("time of a fault", at)?, how, last: f64::NAN })
    }

    /// What it says at a time, s, instead of a position and a speed.
    pub fn distort(&mut self, t: f64, (position, speed): (f64, f64)) -> (f64, f64) {
        if t < self.at {
            self.last = position;
            return (position, speed);
        }
        match self.how {
            Broken::Frozen => (if self.last.is_nan() { position } else { self.last }, 0.0),
            Broken::Offset(by) => (position + by, speed),
            Broken::NotANumber => (f64::NAN, f64::NAN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_the_truth_until_it_breaks() {
        for (how, expected) in [(Broken::Frozen, (0.1, 0.0)), (Broken::Offset(2.0), (2.5, 3.0))] {
            let mut fault = SensorFault::new(0.2, how).unwrap();
            assert_eq!(fault.distort(0.1, (0.1, 1.0)), (0.1, 1.0));
            assert_eq!(fault.distort(0.2, (0.5, 3.0)), expected);
        }
        let mut fault = SensorFault::new(0.0, Broken::NotANumber).unwrap();
        assert!(fault.distort(0.0, (1.0, 1.0)).0.is_nan());
        assert!(SensorFault::new(f64::NAN, Broken::Frozen).is_err());
    }
}
