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

/// What to say of positions that should be in rad (or m, of a sliding joint) and look like another unit, given the joint's limits, which
/// may be infinite.
///
/// ```
/// use appell_identification::signals::position_doubt;
///
/// let doubt = position_doubt(&[0.0, 45.0, 90.0, -80.0], true, [-3.0, 3.0]).unwrap();
/// assert!(doubt.starts_with("reaches 90 rad, beyond what the joint can; it fits if it is in degrees"));
/// assert_eq!(position_doubt(&[0.0, 1.5], true, [-3.0, 3.0]), None);
/// ```
#[must_use]
pub fn position_doubt(positions: &[f64], turns: bool, [lower, upper]: [f64; 2]) -> Option<String> {
    let [least, most] = extremes(positions);
    let reaches = if most > -least { most } else { least };
    let (unit, allowed, [own, other, word]) = match turns {
        true => (PI / 180.0, MANY_TURNS * TAU, ["rad", "degrees", "deg"]),
        false => (1e-3, 100.0, ["m", "millimetres", "mm"]),
    };
    let beyond = if lower.is_finite() && upper.is_finite() {
        let margin = (BEYOND_RANGE - 1.0) * (upper - lower);
        let fits = least * unit >= lower - 0.1 * margin && most * unit <= upper + 0.1 * margin;
        (most > upper + margin || least < lower - margin) && fits
    } else {
        reaches.abs() > allowed
    };
    beyond.then(|| {
        format!(
            "reaches {} {own}, beyond what the joint can; it fits if it is in {other}: say unit = \"{word}\", if need be one per column",
            shown(reaches)
        )
    })
}

/// What to say of measured velocities that are not the derivative of the positions, `step` s apart, in the same unit and direction.
///
/// # Errors
/// As [`first_derivative`].
///
/// # Panics
/// If there are not as many velocities as positions.
pub fn velocity_doubt(positions: &[f64], velocities: &[f64], step: f64) -> Result<Option<String>, SignalError> {
    assert_eq!(positions.len(), velocities.len(), "one velocity per position");
    let rates = first_derivative(positions, step)?;
    super::error::finite(velocities)?;
    let sum = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
    let (rr, rv, vv) = (sum(&rates, &rates), sum(&rates, velocities), sum(velocities, velocities));
    let factor = rv / rr;
    let is_alike = rr > 0.0 && rv * rv > ALIKE_VELOCITY * ALIKE_VELOCITY * rr * vv;
    let known = [
        (180.0 / PI, "one of them is in degrees"),
        (PI / 180.0, "the positions are in degrees"),
        (TAU, "the positions are in turns"),
        (60.0 / TAU, "the velocities are in turns a minute"),
        (60.0, "the velocities are in turns a minute, and the positions in turns"),
        (-1.0, "their directions differ"),
    ];
    let likely = known.into_iter().find(|(expected, _)| (factor / expected - 1.0).abs() < VELOCITY_FACTOR);
    let likely = likely.map_or("check units, gear ratio and sample rate", |(_, words)| words);
    let text = || format!("is {} times the derivative of the position; {likely}", shown(factor));
    Ok((is_alike && (factor - 1.0).abs() > VELOCITY_FACTOR).then(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_seen_with_and_without_limits() {
        let free = [f64::NEG_INFINITY, f64::INFINITY];
        for (positions, turns, limits, expected) in [
            ([0.0, -100.0], true, free, "reaches -100 rad, beyond what the joint can; it fits if it is in degrees"),
            ([0.0, 12.0], true, free, ""),         // two turns are possible
            ([0.0, 700.0], true, [-1.0, 1.0], ""), // 700 deg would not fit either
            (
                [0.0, 350.0],
                false,
                [0.0, 0.4],
                "reaches 350 m, beyond what the joint can; it fits if it is in millimetres",
            ),
            ([0.1, 0.3], false, [0.0, 0.4], ""),
        ] {
            let doubt = position_doubt(&positions, turns, limits).unwrap_or_default();
            assert!(doubt.starts_with(expected) && doubt.is_empty() == expected.is_empty(), "{positions:?}: {doubt}");
        }
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
            assert!(doubt.contains(word), "{doubt}");
        }
        let other = wave(|t| (40.0 * t * t).cos());
        assert_eq!(velocity_doubt(&q, &other, 0.01).unwrap(), None, "something else altogether");
    }
}
