//! Gains of one joint, by what the error shall do.

/// K_p, K_d and K_i of a joint. In a law with a model their units are 1/s², 1/s and 1/s³; in one without, those of its
/// efforts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gains {
    /// K_p.
    pub proportional: f64,
    /// K_d.
    pub derivative: f64,
    /// K_i.
    pub integral: f64,
}

impl Gains {
    /// An error that dies away like ë + 2 ζ ω ė + ω² e = 0.
    ///
    /// ```
    /// use appell::control::Gains;
    ///
    /// let gains = Gains::of(2.0, 0.5);
    /// assert_eq!((gains.proportional, gains.derivative, gains.integral), (4.0, 2.0, 0.0));
    /// ```
    #[must_use]
    pub fn of(natural_frequency: f64, damping: f64) -> Self {
        Self {
            proportional: natural_frequency * natural_frequency,
            derivative: 2.0 * damping * natural_frequency,
            integral: 0.0,
        }
    }

    /// The same with integral action, which adds a root at −p:
    ///
    /// ```text
    /// (s² + 2 ζ ω s + ω²)(s + p) = s³ + K_d s² + K_p s + K_i
    /// ```
    #[must_use]
    pub fn with_integral(natural_frequency: f64, damping: f64, root: f64) -> Self {
        let Self { proportional, derivative, .. } = Self::of(natural_frequency, damping);
        Self {
            proportional: proportional + derivative * root,
            derivative: derivative + root,
            integral: proportional * root,
        }
    }

    /// Whether the error of an exact model dies away: Routh's and Hurwitz's conditions.
    #[must_use]
    pub fn is_stable(&self) -> bool {
        let Self { proportional, derivative, integral } = *self;
        proportional > 0.0 && derivative > 0.0 && integral >= 0.0 && integral < proportional * derivative
    }
}
