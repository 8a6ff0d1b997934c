//! Gains of one joint, by what the error shall do.

use nalgebra::DMatrix;

/// K_p, K_d and K_i of a joint. In a law with a model their units are 1/s², 1/s and 1/s³; in one without, those of its
/// torques and forces.
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
    /// use appell_simulation::control::Gains;
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

    /// By what factor the error of an exact model grows from sample to sample in the long run, where a computer gives
    /// the torques and forces once a `period`, s, and they act a `delay` later, in periods: below 1 it dies away.
    ///
    /// ```text
    /// ë = u,  u = −K_p e − K_d ė − K_i Σ e T, held, and late: the spectral radius of the step from sample to sample
    /// ```
    ///
    /// None for delays of more than 20 periods.
    ///
    /// ```
    /// use appell_simulation::control::Gains;
    ///
    /// let gains = Gains::of(20.0, 1.0);
    /// assert!(gains.growth_per_sample(1e-3, 1.0).unwrap() < 1.0);
    /// assert!(gains.growth_per_sample(0.1, 1.0).unwrap() > 1.0, "too slow for so stiff a law");
    /// ```
    #[must_use]
    pub fn growth_per_sample(&self, period: f64, delay: f64) -> Option<f64> {
        let (whole, part) = (delay as usize, delay.fract());
        let n = 4 + whole; // e, ė, Σ e T, and the torques and forces of the whole + 1 samples before
        if whole > 20 {
            return None;
        }
        let mut step = DMatrix::zeros(n, n);
        let feedback = [-self.proportional, -self.derivative, -self.integral];
        // What an effort does that acts from `begin` to `end` of the period.
        let acts = |begin: f64, end: f64| {
            let time = end - begin;
            [time * (period - begin) - 0.5 * time * time, time]
        };
        let mut add = |acting: [f64; 2], sample: usize| {
            for (row, gain) in acting.into_iter().enumerate() {
                match sample.checked_sub(1) {
                    Some(before) => step[(row, 3 + before)] += gain,
                    None => (0..3).for_each(|k| step[(row, k)] += gain * feedback[k]),
                }
            }
        };
        add(acts(0.0, part * period), whole + 1);
        add(acts(part * period, period), whole);
        step[(0, 0)] += 1.0;
        step[(0, 1)] += period;
        step[(1, 1)] += 1.0;
        step[(2, 0)] += period;
        step[(2, 2)] += 1.0;
        (0..3).for_each(|k| step[(3, k)] = feedback[k]);
        (4..n).for_each(|row| step[(row, row - 1)] = 1.0);
        if self.integral == 0.0 {
            // The sum is not fed back; alone it would neither grow nor die away.
            step = step.remove_row(2).remove_column(2);
        }
        let growth = step.complex_eigenvalues().iter().map(|root| root.norm()).fold(0.0, f64::max);
        growth.is_finite().then_some(growth)
    }
}
