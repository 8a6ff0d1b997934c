//! A number along a step, as a polynomial of degree 4 by Bernstein's coefficients: it lies within the hull of these, so that a limit is
//! either surely kept or found by halving the step (de Casteljau), however short the time beyond it is.

/// Σ c_k B_k(θ), B_k = (4 over k) θᵏ (1 − θ)⁴⁻ᵏ, θ from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Quartic([f64; 5]);

/// Halvings of a step: what is beyond a limit for less than 1/4096 of it, by less than rounding of that, is not seen.
const HALVINGS: usize = 12;

/// Places at which it is looked for what is farthest beyond limits.
const LOOKS: u32 = 32;

impl Quartic {
    /// a + θ (b + (1 − θ) (c + θ (d + (1 − θ) e))), which is how a step knows what happened within it.
    pub(super) fn of_extension([a, b, c, d, e]: [f64; 5]) -> Self {
        let powers = [a, b + c, d + e - c, -d - 2.0 * e, e];
        // c_k = Σ_i (k over i) / (4 over i) m_i of the powers' coefficients m.
        let [m0, m1, m2, m3, _] = powers;
        Self([m0, m0 + m1 / 4.0, m0 + m1 / 2.0 + m2 / 6.0, m0 + 0.75 * m1 + 0.5 * m2 + 0.25 * m3, a + b])
    }

    /// The one through values at θ = 0, ¼, ½, ¾ and 1.
    pub(super) fn through([a, b, c, d, e]: [f64; 5]) -> Self {
        Self([
            a,
            (-13.0 * a + 48.0 * b - 36.0 * c + 16.0 * d - 3.0 * e) / 12.0,
            (13.0 * a - 64.0 * b + 120.0 * c - 64.0 * d + 13.0 * e) / 18.0,
            (-3.0 * a + 16.0 * b - 36.0 * c + 48.0 * d - 13.0 * e) / 12.0,
            e,
        ])
    }

    /// A θ at which it is beyond limits, as near to the first as halving finds; none if it is within them.
    pub(super) fn beyond(&self, limits: [f64; 2]) -> Option<f64> {
        self.beyond_on(limits, 0.0, 1.0, HALVINGS)
    }

    /// A θ at which it is farthest beyond limits, among 33: where it stands for something that it only approximates, that is surest to be
    /// beyond there.
    pub(super) fn most_beyond(&self, [lower, upper]: [f64; 2]) -> Option<f64> {
        let beyond = |theta: f64| (lower - self.value(theta)).max(self.value(theta) - upper);
        let places = (0..=LOOKS).map(|k| f64::from(k) / f64::from(LOOKS));
        let most = places.map(|theta| (theta, beyond(theta))).max_by(|one, other| one.1.total_cmp(&other.1));
        most.filter(|(_, beyond)| *beyond > 0.0).map(|(theta, _)| theta)
    }

    fn value(&self, theta: f64) -> f64 {
        let rest = 1.0 - theta;
        let [a, b, c, d, e] = self.0;
        let outer = a * rest.powi(4) + e * theta.powi(4);
        outer + 4.0 * theta * rest * (b * rest * rest + d * theta * theta) + 6.0 * c * (theta * rest).powi(2)
    }

    fn beyond_on(&self, limits: [f64; 2], from: f64, width: f64, halvings: usize) -> Option<f64> {
        let is_out = |value: f64| value < limits[0] || value > limits[1];
        if !self.0.iter().any(|&c| is_out(c)) {
            return None;
        }
        if is_out(self.0[0]) {
            return Some(from);
        }
        if halvings == 0 {
            return is_out(self.0[4]).then_some(from + width);
        }
        let (left, right) = self.halves();
        let half = 0.5 * width;
        left.beyond_on(limits, from, half, halvings - 1)
            .or_else(|| right.beyond_on(limits, from + half, half, halvings - 1))
    }

    fn halves(&self) -> (Self, Self) {
        let (mut row, mut left, mut right) = (self.0, [0.0; 5], [0.0; 5]);
        for k in 0..5 {
            (left[k], right[4 - k]) = (row[0], row[4 - k]);
            for i in 0..4 - k {
                row[i] = 0.5 * (row[i] + row[i + 1]);
            }
        }
        (Self(left), Self(right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::sample::Sampler;

    #[test]
    fn both_ways_to_a_quartic_are_the_polynomial() {
        let mut sampler = Sampler::new(4);
        for _ in 0..20 {
            let given: [f64; 5] = core::array::from_fn(|_| sampler.within(1.0));
            let [a, b, c, d, e] = given;
            let extension = |theta: f64| a + theta * (b + (1.0 - theta) * (c + theta * (d + (1.0 - theta) * e)));
            let one = Quartic::of_extension(given);
            let other = Quartic::through([0.0, 0.25, 0.5, 0.75, 1.0].map(extension));
            for theta in [0.0, 0.1, 0.37, 0.5, 0.81, 1.0] {
                assert!((one.value(theta) - extension(theta)).abs() < 1e-14);
                assert!((other.value(theta) - extension(theta)).abs() < 1e-13);
            }
        }
    }

    /// Against looking at ten thousand places.
    #[test]
    fn nothing_beyond_a_limit_is_missed() {
        let mut sampler = Sampler::new(5);
        for _ in 0..200 {
            let quartic = Quartic::of_extension(core::array::from_fn(|_| sampler.within(1.0)));
            let start = quartic.value(0.0);
            let limits = [start - 0.3, start + 0.3];
            let mut places = (0..=10_000).map(|k| f64::from(k) * 1e-4);
            let first = places.find(|&theta| !(limits[0]..=limits[1]).contains(&quartic.value(theta)));
            match (quartic.beyond(limits), first) {
                (Some(found), Some(first)) => assert!((found - first).abs() < 4e-4, "{found} {first}"),
                (found, first) => assert_eq!(found, first),
            }
            // Where it is for long, it is also found where it is farthest.
            let out = |theta: f64| !(limits[0]..=limits[1]).contains(&quartic.value(theta));
            match quartic.most_beyond(limits) {
                Some(most) => assert!(out(most) && first.is_some_and(|first| first <= most + 1e-4), "{most} {first:?}"),
                None => assert!((0..=32).all(|k| !out(f64::from(k) / 32.0))),
            }
        }
    }
}
