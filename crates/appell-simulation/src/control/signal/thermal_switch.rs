//! Over-temperature inputs: switches in the windings of motors.

use super::{SignalError, not_negative, positive};

/// A switch that closes when a motor is too hot, and stays closed.
#[derive(Debug, Clone, PartialEq)]
pub enum ThermalSwitch {
    /// Closes at a time, s, as a test of the safe stop wants it.
    At(f64),
    /// Closes when a winding is too hot.
    Winding(Winding),
}

/// A motor's winding that heats with the square of the effort, as copper does, and cools towards the air.
///
/// ```text
/// T ϑ′ = h τ² − ϑ
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Winding {
    heating: f64,
    time_constant: f64,
    largest: f64,
    rise: f64, // ϑ, K
}

impl Winding {
    /// A winding as warm as the air. `heating` is h, the rise that a unit of effort leads to in the end, K/(N m)² or K/N²;
    /// `time_constant` is T, s; the switch closes at the rise `largest`, K.
    ///
    /// # Errors
    /// If the heating is negative, or another number not positive.
    pub fn new(heating: f64, time_constant: f64, largest: f64) -> Result<Self, SignalError> {
        Ok(Self {
            heating: not_negative("heating", heating)?,
            time_constant: positive("thermal time constant", time_constant)?,
            largest: positive("largest rise of temperature", largest)?,
            rise: 0.0,
        })
    }

    /// How much warmer than the air it is, K.
    #[must_use]
    pub fn rise(&self) -> f64 {
        self.rise
    }

    /// Lets `time` pass, s, under an effort that does not change.
    pub fn heat(&mut self, effort: f64, time: f64) {
        let end = self.heating * effort * effort;
        self.rise += -libm::expm1(-time / self.time_constant) * (end - self.rise);
    }
}

impl ThermalSwitch {
    /// Lets `time` pass, s, under an effort that does not change.
    pub fn heat(&mut self, effort: f64, time: f64) {
        if let Self::Winding(winding) = self {
            winding.heat(effort, time);
        }
    }

    /// Whether it is closed at a time, s.
    #[must_use]
    pub fn is_closed(&self, t: f64) -> bool {
        match self {
            Self::At(time) => t >= *time,
            Self::Winding(winding) => winding.rise >= winding.largest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closes_at_its_time() {
        let switch = ThermalSwitch::At(0.25);
        assert!(!switch.is_closed(0.2499) && switch.is_closed(0.25) && switch.is_closed(1.0));
    }

    /// ϑ = h τ² (1 − e^(−t/T)), in however many pieces.
    #[test]
    fn a_winding_heats_exponentially() {
        let mut switch = ThermalSwitch::Winding(Winding::new(0.5, 20.0, 40.0).unwrap());
        let mut closed_at = None;
        for k in 0..40_000 {
            let t = 1e-3 * f64::from(k);
            if closed_at.is_none() && switch.is_closed(t) {
                closed_at = Some(t);
            }
            switch.heat(-10.0, 1e-3);
        }
        let ThermalSwitch::Winding(winding) = &switch else { unreachable!() };
        assert!((winding.rise() - 50.0 * (1.0 - (-2.0_f64).exp())).abs() < 1e-9);
        let expected = -20.0 * (1.0 - 40.0 / 50.0_f64).ln();
        assert!((closed_at.unwrap() - expected).abs() <= 1e-3);
    }
}
