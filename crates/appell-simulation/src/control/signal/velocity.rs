//! Speeds from positions that come once a period.

use super::{SignalError, positive};

/// The difference of two positions over the time between them, perhaps through a low-pass of first order:
///
/// ```text
/// d = (qₖ − qₖ₋₁) / T        vₖ = vₖ₋₁ + (1 − e^(−ω T)) (d − vₖ₋₁)
/// ```
///
/// It begins at rest. One count of an encoder is a step of count/T in d: a short period makes speeds coarse, and the
/// low-pass trades that for a delay of 1/ω.
#[derive(Debug, Clone, PartialEq)]
pub struct Differentiator {
    period: f64,
    part: f64, // of a difference that is believed at once
    before: f64,
    speed: f64,
}

impl Differentiator {
    /// Begins at rest at `position`, with samples every `period`, s, and a low-pass of the angular frequency `cutoff`,
    /// rad/s, if given.
    ///
    /// # Errors
    /// If a number is not positive.
    pub fn new(period: f64, cutoff: Option<f64>, position: f64) -> Result<Self, SignalError> {
        let period = positive("sample period", period)?;
        let part = match cutoff {
            Some(cutoff) => -libm::expm1(-positive("cut-off frequency", cutoff)? * period),
            None => 1.0,
        };
        Ok(Self { period, part, before: position, speed: 0.0 })
    }

    /// The speed with the next position, one period after the last.
    pub fn next(&mut self, position: f64) -> f64 {
        let difference = (position - self.before) / self.period;
        self.before = position;
        self.speed += self.part * (difference - self.speed);
        self.speed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_motion_is_found_at_once_or_in_the_filter_s_time() {
        let (mut plain, mut smooth) =
            (Differentiator::new(1e-3, None, 1.0).unwrap(), Differentiator::new(1e-3, Some(100.0), 1.0).unwrap());
        for k in 1..=100 {
            let t = 1e-3 * f64::from(k);
            assert!((plain.next(1.0 + 2.0 * t) - 2.0).abs() < 1e-11);
            // As the continuous filter answers to a jump.
            assert!((smooth.next(1.0 + 2.0 * t) - 2.0 * (1.0 - (-100.0 * t).exp())).abs() < 1e-11);
        }
    }
}
