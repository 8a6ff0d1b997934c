//! Gripper outputs: digital, by a plan.

use super::SignalError;

/// An output that is off at first and changes at given times. A safe stop leaves it as it is, so that nothing falls.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gripper {
    changes: Vec<f64>,
}

impl Gripper {
    /// An output that changes at these times, s: on, off, on, …
    ///
    /// # Errors
    /// If the times do not rise, or are not finite.
    pub fn new(changes: Vec<f64>) -> Result<Self, SignalError> {
        let mut before = f64::NEG_INFINITY;
        for &time in &changes {
            if !(time.is_finite() && time > before) {
                return Err(SignalError::Times { time, before });
            }
            before = time;
        }
        Ok(Self { changes })
    }

    /// Whether it is on at a time, s.
    #[must_use]
    pub fn is_on(&self, t: f64) -> bool {
        self.changes.partition_point(|&time| time <= t) % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_at_its_times() {
        let gripper = Gripper::new(vec![0.5, 1.0, 1.5]).unwrap();
        let on: Vec<bool> = [0.0, 0.5, 0.99, 1.0, 1.4, 1.5, 9.0].iter().map(|&t| gripper.is_on(t)).collect();
        assert_eq!(on, [false, true, true, false, false, true, true]);
        assert!(!Gripper::default().is_on(1.0));
    }
}
