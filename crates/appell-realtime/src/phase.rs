//! Periods that keep in step with those of a robot, whose clock goes a little faster or slower than ours.
//!
//! Two machines count the same period by clocks of their own, some 10⁻⁵ to 10⁻⁴ apart, so that a controller's place in the robot's period
//! wanders through all of it within minutes. Each period is therefore made longer or shorter by a small part of what the place is off,
//! which is known from when the sensors came: a first-order loop, so slow that the jitter of single frames does not pass.

/// The controller wakes this part of a period after the robot, so that the sensors have arrived.
pub(crate) const PHASE: u64 = 8;

/// The part of what the place is off that one period mends.
const GAIN: i64 = 64;

/// A period is changed by this part of it at most.
const MOST: i64 = 1000;

/// What a period is to be longer by, ns: one that began at an instant, of which the sensors came at another, on the same clock.
pub(crate) fn correction(began: u64, came: u64, period: u64) -> i64 {
    let period = period.min(i64::MAX as u64) as i64;
    // Whole periods are the watchdogs' business.
    let late = (began.wrapping_sub(came) as i64).rem_euclid(period.max(1));
    let off = late - period / PHASE as i64;
    let off = if off > period / 2 { off - period } else { off };
    (-off / GAIN).clamp(-period / MOST, period / MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: u64 = 1_000_000;

    #[test]
    fn the_place_is_sought_by_the_shorter_way() {
        let of = |late: i64| correction(10_000_000_u64.wrapping_add_signed(late), 10_000_000, PERIOD);
        assert_eq!(of(125_000), 0);
        assert_eq!((of(125_640), of(124_360)), (-10, 10));
        assert_eq!((of(500_000), of(0)), (-1000, 1000), "no more than a thousandth");
        assert_eq!(of(-100_000), 1000, "sensors that were waited for: a little later");
        assert_eq!(of(700_000), 1000, "nearer by the next ones");
        assert_eq!(of(7_125_000), 0, "whole periods are none of its business");
        assert_eq!(correction(5, u64::MAX, 0), 0);
    }

    /// A clock that is off by 10⁻⁴ is followed to within a hundredth of a period.
    #[test]
    fn a_clock_that_is_off_is_followed() {
        for rate in [-1e-4, 1e-4] {
            let (mut came, mut began) = (0.0, 3.7e5);
            for _ in 0..20_000 {
                came += PERIOD as f64 * (1.0 + rate);
                began += PERIOD as f64 + correction(began as u64, came as u64, PERIOD) as f64;
            }
            let place = ((began - came) / PERIOD as f64).rem_euclid(1.0);
            assert!((place - 0.125).abs() < 0.01, "{rate}: {place}");
        }
    }
}
