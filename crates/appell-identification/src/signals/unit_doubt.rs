//! Signs that a channel is in another unit than was said: degrees for radians, millimetres for metres, the other direction.
//!
//! A range far beyond the joint's limits that fits them after conversion is one; a turning joint without limits that makes
//! several turns another. A measured velocity is the surest: its least-squares factor k in v ≈ k ẋ, by the derivative of the
//! position, must be 1.

use super::SignalError;
use super::channel::extremes;
use super::difference::first_derivative;
use crate::number::shown;
use crate::thresholds::{ALIKE_VELOCITY, BEYOND_RANGE, MANY_TURNS, VELOCITY_FACTOR};
use core::f64::consts::{PI, TAU};

/// What a channel looks like instead.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum UnitDoubt {
    /// Positions of a turning joint, in degrees. `reaches`: the position farthest from zero, as if in rad.
    Degrees { reaches: f64 },
    /// Positions of a sliding joint, in millimetres. `reaches`: the position farthest from zero, as if in m.
    Millimetres { reaches: f64 },
    /// Velocities that are not the derivative of the positions. `factor`: how many times as large as the derivative
    /// they are.
    Velocity { factor: f64 },
}

impl core::fmt::Display for UnitDoubt {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::Degrees { reaches } => {
                write!(
                    f,
                    "reaches {} rad, beyond what the joint can; it fits if it is in degrees: say unit = \"deg\", if need be one per column",
                    shown(reaches)
                )
            }
            Self::Millimetres { reaches } => write!(
                f,
                "reaches {} m, beyond what the joint can; it fits if it is in millimetres: say unit = \"mm\", if need be one per column",
                shown(reaches)
            ),
            Self::Velocity { factor } => {
                let is = |expected: f64| (factor / expected - 1.0).abs() < VELOCITY_FACTOR;
                let known = [
                    (180.0 / PI, "one of them is in degrees"),
                    (PI / 180.0, "the positions are in degrees"),
                    (TAU, "the positions are in turns"),
                    (60.0 / TAU, "the velocities are in turns a minute"),
                    (60.0, "the velocities are in turns a minute, and the positions in turns"),
                    (-1.0, "their directions differ"),
                ];
                let likely = known.iter().find(|(expected, _)| is(*expected)).map(|(_, words)| *words);
                let likely = likely.unwrap_or("check units, gear ratio and sample rate");
                write!(f, "is {} times the derivative of the position; {likely}", shown(factor))
            }
        }
    }
}

/// Whether positions that should be in rad (or m, of a sliding joint) look like another unit, given the joint's limits, which
/// may be infinite.
///
/// ```
/// use appell_identification::signals::{UnitDoubt, position_doubt};
///
/// let degrees = [0.0, 45.0, 90.0, -80.0];
/// assert_eq!(position_doubt(&degrees, true, [-3.0, 3.0]), Some(UnitDoubt::Degrees { reaches: 90.0 }));
/// assert_eq!(position_doubt(&[0.0, 1.5], true, [-3.0, 3.0]), None);
/// ```
#[must_use]
pub fn position_doubt(positions: &[f64], turns: bool, [lower, upper]: [f64; 2]) -> Option<UnitDoubt> {
    let [least, most] = extremes(positions);
    let reaches = if most > -least { most } else { least };
    let (unit, allowed) = if turns { (PI / 180.0, MANY_TURNS * TAU) } else { (1e-3, 100.0) };
    let beyond = if lower.is_finite() && upper.is_finite() {
        let margin = (BEYOND_RANGE - 1.0) * (upper - lower);
        let fits = least * unit >= lower - 0.1 * margin && most * unit <= upper + 0.1 * margin;
        (most > upper + margin || least < lower - margin) && fits
    } else {
        reaches.abs() > allowed
    };
    beyond.then_some(if turns { UnitDoubt::Degrees { reaches } } else { UnitDoubt::Millimetres { reaches } })
}

/// Whether measured velocities are the derivative of the positions, `step` s apart, in the same unit and direction.
///
/// # Errors
/// As [`first_derivative`].
///
/// # Panics
/// If there are not as many velocities as positions.
pub fn velocity_doubt(positions: &[f64], velocities: &[f64], step: f64) -> Result<Option<UnitDoubt>, SignalError> {
    assert_eq!(positions.len(), velocities.len(), "one velocity a position");
    let rates = first_derivative(positions, step)?;
    super::error::finite(velocities)?;
    let sum = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
    let (rr, rv, vv) = (sum(&rates, &rates), sum(&rates, velocities), sum(velocities, velocities));
    let factor = rv / rr;
    let is_alike = rr > 0.0 && rv * rv > ALIKE_VELOCITY * ALIKE_VELOCITY * rr * vv;
    Ok((is_alike && (factor - 1.0).abs() > VELOCITY_FACTOR).then_some(UnitDoubt::Velocity { factor }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_seen_with_and_without_limits() {
        let free = [f64::NEG_INFINITY, f64::INFINITY];
        assert_eq!(position_doubt(&[0.0, -100.0], true, free), Some(UnitDoubt::Degrees { reaches: -100.0 }));
        assert_eq!(position_doubt(&[0.0, 12.0], true, free), None, "two turns are possible");
        assert_eq!(position_doubt(&[0.0, 700.0], true, [-1.0, 1.0]), None, "700 deg would not fit either");
        let slides = position_doubt(&[0.0, 350.0], false, [0.0, 0.4]);
        assert_eq!(slides, Some(UnitDoubt::Millimetres { reaches: 350.0 }));
        assert_eq!(position_doubt(&[0.1, 0.3], false, [0.0, 0.4]), None);
    }

    #[test]
    fn velocities_tell_unit_and_direction() {
        let wave = |f: fn(f64) -> f64| (0..500).map(|k| f(0.01 * f64::from(k))).collect::<Vec<_>>();
        let (q, v) = (wave(|t| (3.0 * t).sin()), wave(|t| 3.0 * (3.0 * t).cos()));
        let scaled = |k: f64| v.iter().map(|v| k * v).collect::<Vec<_>>();
        assert_eq!(velocity_doubt(&q, &v, 0.01).unwrap(), None);
        for (factor, word) in [
            (-1.0, "directions"),
            (180.0 / PI, "degrees"),
            (PI / 180.0, "positions are in degrees"),
            (TAU, "positions are in turns"),
            (60.0 / TAU, "turns a minute"),
            (2.0, "gear"),
        ] {
            let doubt = velocity_doubt(&q, &scaled(factor), 0.01).unwrap().unwrap();
            assert!(doubt.to_string().contains(word), "{doubt}");
        }
        assert_eq!(
            velocity_doubt(&q, &wave(|t| (40.0 * t * t).cos()), 0.01).unwrap(),
            None,
            "something else altogether"
        );
    }
}
