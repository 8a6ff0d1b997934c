//! Poses around a centre as six numbers x = (Δp, φ): the way of the origin, and a rotation vector, in base axes.
//!
//! ```text
//! p = p₀ + Δp,  R = exp(φ̂) R₀
//! ω = φ̇ + b φ × φ̇ + c φ × (φ × φ̇)      b = (1 − cos θ) / θ²,  c = (θ − sin θ) / θ³,  θ = |φ|
//! ω̇ = φ̈ + b φ × φ̈ + c (φ̇ × (φ × φ̇) + φ × (φ × φ̈)) + ḃ φ × φ̇ + ċ φ × (φ × φ̇)
//! ```
//!
//! At the centre ω = φ̇ and ω̇ = φ̈.

use crate::spatial::{Acceleration, Pose, Twist, Vec3, turn_between, turned};

/// Terms of the series: more than enough for turns by π.
const TERMS: i32 = 20;

/// The numbers of a pose; the turn from the centre is by π at most.
pub(super) fn numbers(centre: &Pose, pose: &Pose) -> [f64; 6] {
    let way = pose.position - centre.position;
    let turn = turn_between(&centre.rotation, &pose.rotation);
    Twist { linear: way, angular: turn }.to_array()
}

/// The pose of some numbers.
pub(super) fn pose(centre: &Pose, x: &[f64; 6]) -> Pose {
    let (way, turn) = halves(x);
    Pose { position: centre.position + way, rotation: turned(&centre.rotation, turn) }
}

/// The twist and its rate, from the numbers and their first and second rates.
pub(super) fn motion(x: &[f64; 6], rate: &[f64; 6], second: &[f64; 6]) -> (Twist, Acceleration) {
    let (phi, (v, phi_1), (a, phi_2)) = (halves(x).1, halves(rate), halves(second));
    // b and c, and their rates, as power series of s = θ²: Σ (−s)ᵏ / (2 k + 2)! and Σ (−s)ᵏ / (2 k + 3)!.
    let (s, s_rate) = (phi.dot(phi), 2.0 * phi.dot(phi_1));
    let (mut b, mut c, mut b_rate, mut c_rate) = (0.0, 0.0, 0.0, 0.0);
    let (mut power, mut before, mut factorial) = (1.0, 0.0, 2.0);
    for k in 0..TERMS {
        let even = 1.0 / factorial;
        let odd = even / f64::from(2 * k + 3);
        b += even * power;
        c += odd * power;
        b_rate -= even * f64::from(k) * before * s_rate;
        c_rate -= odd * f64::from(k) * before * s_rate;
        (before, power) = (power, -power * s);
        factorial *= f64::from(2 * k + 3) * f64::from(2 * k + 4);
    }
    let once = phi.cross(phi_1);
    let twice = phi.cross(once);
    let across = phi.cross(phi_2);
    let angular = phi_2
        + across.scale(b)
        + (phi_1.cross(once) + phi.cross(across)).scale(c)
        + once.scale(b_rate)
        + twice.scale(c_rate);
    let omega = phi_1 + once.scale(b) + twice.scale(c);
    (Twist { linear: v, angular: omega }, Acceleration { linear: a, angular })
}

fn halves(x: &[f64; 6]) -> (Vec3<f64>, Vec3<f64>) {
    (Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sampler;

    #[test]
    fn twists_and_their_rates_are_derivatives() {
        let mut sampler = Sampler::new(11);
        for size in [0.0, 1e-6, 0.3, 1.5, 3.0] {
            let mut some = |limit: f64| -> [f64; 6] { core::array::from_fn(|_| sampler.within(limit)) };
            let (x, rate, second) = (some(size / 2.0), some(1.0), some(1.0));
            let centre = pose(&Pose::identity(0.0), &some(1.0));
            let at = |t: f64| -> ([f64; 6], [f64; 6]) {
                let x = core::array::from_fn(|k| x[k] + t * rate[k] + 0.5 * t * t * second[k]);
                (x, core::array::from_fn(|k| rate[k] + t * second[k]))
            };
            assert!(numbers(&centre, &pose(&centre, &x)).iter().zip(x).all(|(a, b)| (a - b).abs() < 1e-14));
            let h = 1e-5;
            let ((before, rate_before), (after, rate_after)) = (at(-h), at(h));
            let (twist, acceleration) = motion(&x, &rate, &second);
            let step = numbers(&pose(&centre, &before), &pose(&centre, &after));
            let (one, other) = (motion(&before, &rate_before, &second).0, motion(&after, &rate_after, &second).0);
            let steps = step.map(|x| x / (2.0 * h)).into_iter().zip(twist.to_array());
            assert!(steps.into_iter().all(|(step, rate)| (step - rate).abs() < 1e-8), "{size}: twist");
            let steps = one.to_array().into_iter().zip(other.to_array()).map(|(one, other)| (other - one) / (2.0 * h));
            assert!(
                steps.zip(acceleration.to_array()).all(|(step, rate)| (step - rate).abs() < 1e-8),
                "{size}: its rate"
            );
        }
    }
}
