//! Time laws: how far along a path one is after a time, s(t) from 0 to 1, with ṡ and s̈.
//!
//! | shape | ṡ | s̈ | the jerk |
//! |---|---|---|---|
//! | constant | 1 / T throughout, ends included | 0 | infinite at the ends |
//! | trapezoidal | ramps up, stays, ramps down; a triangle where the way is short | steps | infinite at four instants |
//! | S-curve | as before, with rounded corners: seven segments | trapezoids | steps |
//! | cubic | 6 (τ − τ²) / T, largest 1.5 / T | 6 (1 − 2 τ) / T² | infinite at the ends |
//! | quintic | 30 (τ² − 2 τ³ + τ⁴) / T, largest 1.875 / T | largest 10 / √3 T² | 60 / T³ at the ends |
//!
//! τ = t / T. Before the start and after the end s rests at 0 and 1.

use super::PathError;

/// The shape of a time law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// The same speed throughout.
    Constant,
    /// Constant acceleration, then constant speed, then constant deceleration.
    Trapezoidal {
        /// The part of the duration that each ramp takes: above 0, and 1/2 for a triangle.
        ramp: f64,
    },
    /// The same with a limited jerk.
    SCurve {
        /// The part of the duration that each ramp takes: above 0, at most 1/2.
        ramp: f64,
        /// The part of a ramp in which the acceleration grows, and in which it falls: above 0, at most 1/2.
        rounding: f64,
    },
    /// A polynomial of degree 3, from rest to rest.
    Cubic,
    /// A polynomial of degree 5, from rest to rest without acceleration at the ends.
    Quintic,
}

/// The largest rates of s: infinite where there is no limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Of ṡ, 1/s.
    pub speed: f64,
    /// Of s̈, 1/s².
    pub acceleration: f64,
    /// Of its rate, 1/s³.
    pub jerk: f64,
}

/// How far along a path, and how fast.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Along {
    /// s, from 0 to 1.
    pub s: f64,
    /// ṡ, 1/s.
    pub rate: f64,
    /// s̈, 1/s².
    pub second: f64,
}

/// A time law: s(t) from 0 to 1.
///
/// ```
/// use appell_simulation::trajectory::{Shape, TimeLaw};
///
/// let law = TimeLaw::new(Shape::Quintic, 2.0)?;
/// assert_eq!(law.at(1.0).s, 0.5);
/// assert_eq!(law.at(1.0).rate, 1.875 / 2.0);
/// # Ok::<(), appell_simulation::trajectory::PathError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeLaw {
    duration: f64,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Polynomial([f64; 6]), // of τ
    Ramps(Ramps),
}

/// Ramps at both ends of a stretch of constant speed. The second half mirrors the first.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ramps {
    rounding: f64, // T_j: how long the acceleration grows, s; 0 for a trapezoid
    ramp: f64,     // T_a: how long the speed grows, s
    peak: f64,     // the largest acceleration
    speed: f64,    // the largest speed
}

/// A time this far beyond an end, over the duration, is the end: tables are made of sums of steps.
const AT_END: f64 = 1e-12;

impl Shape {
    /// Trapezoidal, with ramps of a quarter of the duration.
    pub const TRAPEZOIDAL: Self = Self::Trapezoidal { ramp: 0.25 };
    /// S-shaped, with ramps of a third of the duration, each a third jerk, a third acceleration, a third jerk.
    pub const S_CURVE: Self = Self::SCurve { ramp: 1.0 / 3.0, rounding: 1.0 / 3.0 };

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Trapezoidal { .. } => "trapezoidal",
            Self::SCurve { .. } => "s-curve",
            Self::Cubic => "cubic",
            Self::Quintic => "quintic",
        }
    }
}

impl Rates {
    /// No limits.
    pub const UNLIMITED: Self = Self { speed: f64::INFINITY, acceleration: f64::INFINITY, jerk: f64::INFINITY };

    /// The rates of s on a way of this length, or by this angle, whose own rates these are; a way of no length has none.
    #[must_use]
    pub fn over(self, length: f64) -> Self {
        let over = |limit: f64| if length > 0.0 { limit / length } else { f64::INFINITY };
        Self { speed: over(self.speed), acceleration: over(self.acceleration), jerk: over(self.jerk) }
    }

    /// The smaller of both, each by itself.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            speed: self.speed.min(other.speed),
            acceleration: self.acceleration.min(other.acceleration),
            jerk: self.jerk.min(other.jerk),
        }
    }
}

impl TimeLaw {
    /// A law of a shape that takes a time, s.
    ///
    /// # Errors
    /// If the duration is not positive, or a part of the shape is not what it can be.
    pub fn new(shape: Shape, duration: f64) -> Result<Self, PathError> {
        positive("duration", duration)?;
        let polynomial = |coefficients| Kind::Polynomial(coefficients);
        let kind = match shape {
            Shape::Constant => polynomial([0.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
            Shape::Cubic => polynomial([0.0, 0.0, 3.0, -2.0, 0.0, 0.0]),
            Shape::Quintic => polynomial([0.0, 0.0, 0.0, 10.0, -15.0, 6.0]),
            Shape::Trapezoidal { ramp } => Kind::Ramps(Ramps::new(0.0, duration * part("ramp", ramp)?, duration)),
            Shape::SCurve { ramp, rounding } => {
                let ramp = duration * part("ramp", ramp)?;
                Kind::Ramps(Ramps::new(ramp * part("rounding", rounding)?, ramp, duration))
            }
        };
        Ok(Self { duration, kind })
    }

    /// The quickest law of a shape within limits. Trapezoids and S-curves choose their ramps for it, and become triangles
    /// and the like where the way is short; of the others only the duration is chosen. Steps and infinities that the
    /// shape has by nature do not count: of `Constant` the speed is limited alone, of `Cubic` speed and acceleration.
    ///
    /// # Errors
    /// If a limit is not positive, or the shape would need no time or a jump, because a limit is missing.
    pub fn within(shape: Shape, most: Rates) -> Result<Self, PathError> {
        for (name, limit) in [("speed", most.speed), ("acceleration", most.acceleration), ("jerk", most.jerk)] {
            if limit.is_nan() || limit <= 0.0 {
                return Err(PathError::NotPositive { what: name, value: limit });
            }
        }
        let missing = |limit| PathError::Unlimited { shape: shape.name(), limit };
        let Rates { speed: v, acceleration: a, jerk: j } = most;
        let duration = match shape {
            Shape::Constant => 1.0 / v,
            Shape::Cubic => (1.5 / v).max((6.0 / a).sqrt()),
            Shape::Quintic => (1.875 / v).max((10.0 / (3.0_f64.sqrt() * a)).sqrt()).max((60.0 / j).cbrt()),
            Shape::Trapezoidal { .. } if a.is_infinite() => return Err(missing("acceleration")),
            Shape::Trapezoidal { .. } => {
                let (ramp, cruise) = if v * v < a { (v / a, 1.0 / v - v / a) } else { (a.sqrt().recip(), 0.0) };
                return Ok(Self::of_ramps(0.0, ramp, cruise));
            }
            Shape::SCurve { .. } if j.is_infinite() => return Err(missing("jerk")),
            Shape::SCurve { .. } => return Ok(Self::s_curve(v, a, j)),
        };
        let limit = if shape == Shape::Constant { "speed" } else { "speed or acceleration" };
        if duration > 0.0 { Self::new(shape, duration) } else { Err(missing(limit)) }
    }

    /// The quickest S-curve: with the largest speed if there is room to reach it, with the largest acceleration likewise.
    fn s_curve(v: f64, a: f64, j: f64) -> Self {
        // To the largest speed, with the largest acceleration or without reaching it.
        let rounding = (a / j).min((v / j).sqrt());
        let ramp = rounding + v / (j * rounding);
        if v * ramp <= 1.0 {
            return Self::of_ramps(rounding, ramp, 1.0 / v - ramp);
        }
        // Half-way lies 2 T_j j T_j² = 1 without the largest acceleration, and a (T_a − T_j) T_a = 1 with it.
        let rounding = (0.5 / j).cbrt();
        if j * rounding <= a {
            return Self::of_ramps(rounding, 2.0 * rounding, 0.0);
        }
        let rounding = a / j;
        Self::of_ramps(rounding, 0.5 * (rounding + (rounding * rounding + 4.0 / a).sqrt()), 0.0)
    }

    fn of_ramps(rounding: f64, ramp: f64, cruise: f64) -> Self {
        let duration = 2.0 * ramp + cruise;
        Self { duration, kind: Kind::Ramps(Ramps::new(rounding, ramp, duration)) }
    }

    /// T, s.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// s, ṡ and s̈ after the time `t`; at rest before the start and after the end.
    #[must_use]
    pub fn at(&self, t: f64) -> Along {
        let (t, moves) = clamped(t, self.duration);
        let along = match &self.kind {
            Kind::Polynomial(coefficients) => {
                let [s, rate, second] = appell::polynomial::evaluate(coefficients, t / self.duration);
                Along { s, rate: rate / self.duration, second: second / (self.duration * self.duration) }
            }
            Kind::Ramps(ramps) => ramps.at(t, self.duration),
        };
        if moves { along } else { Along { rate: 0.0, second: 0.0, ..along } }
    }
}

impl Ramps {
    /// The way is the speed times the time between the middles of the ramps, and the speed a (T_a − T_j).
    fn new(rounding: f64, ramp: f64, duration: f64) -> Self {
        let speed = 1.0 / (duration - ramp);
        Self { rounding, ramp, speed, peak: speed / (ramp - rounding) }
    }

    fn at(&self, t: f64, duration: f64) -> Along {
        if t > 0.5 * duration {
            let Along { s, rate, second } = self.first_half(duration - t);
            return Along { s: 1.0 - s, rate, second: -second };
        }
        self.first_half(t)
    }

    fn first_half(&self, t: f64) -> Along {
        let Self { rounding, ramp, peak, speed } = *self;
        if t >= ramp {
            return Along { s: speed * (t - 0.5 * ramp), rate: speed, second: 0.0 };
        }
        let jerk = peak / rounding; // infinite for a trapezoid, which goes neither here nor there
        if t < rounding {
            return Along { s: jerk * t * t * t / 6.0, rate: 0.5 * jerk * t * t, second: jerk * t };
        }
        let left = ramp - t;
        if left < rounding {
            let s = speed * (0.5 * ramp - left) + jerk * left * left * left / 6.0;
            return Along { s, rate: speed - 0.5 * jerk * left * left, second: jerk * left };
        }
        let s = peak * (0.5 * t * (t - rounding) + rounding * rounding / 6.0);
        Along { s, rate: peak * (t - 0.5 * rounding), second: peak }
    }
}

/// A time within a duration, and whether it is: outside all is at rest.
pub(super) fn clamped(t: f64, duration: f64) -> (f64, bool) {
    let slack = AT_END * duration;
    (t.max(0.0).min(duration), t >= -slack && t <= duration + slack)
}

/// A number that must be positive and finite.
pub(super) fn positive(what: &'static str, value: f64) -> Result<f64, PathError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(PathError::NotPositive { what, value }) }
}

fn part(what: &'static str, value: f64) -> Result<f64, PathError> {
    if value > 0.0 && value <= 0.5 { Ok(value) } else { Err(PathError::Part { what, value }) }
}
