//! Sine and cosine of fused numbers and of lanes, against twice the precision.

use appell::real::{Fused, Lanes, Lanes32, Real};
use appell::sample::Sampler;
use fearless_simd::{Level, Simd, dispatch};

/// A number as a sum of two, of 106 bits.
#[derive(Clone, Copy)]
struct Twofold(f64, f64);

impl Twofold {
    fn sum(a: f64, b: f64) -> Self {
        let s = a + b;
        let t = s - a;
        Self(s, (a - (s - t)) + (b - t))
    }

    fn plus(self, other: Self) -> Self {
        let Self(s, e) = Self::sum(self.0, other.0);
        Self::sum(s, e + self.1 + other.1)
    }

    fn times(self, other: Self) -> Self {
        let p = self.0 * other.0;
        let e = self.0.mul_add(other.0, -p) + self.0 * other.1 + self.1 * other.0;
        Self::sum(p, e)
    }
}

/// π/2 in four parts, 212 bits.
const HALF_PI: [f64; 4] =
    [core::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17, -1.497_384_904_859_169_8e-33, 4.320_574_262_296_449e-50];

/// Sine and cosine by their series, of what is left after multiples of π/2.
fn reference(x: f64) -> (Twofold, Twofold) {
    let n = (x / HALF_PI[0]).round();
    let mut r = Twofold(x, 0.0);
    for part in HALF_PI {
        r = r.plus(Twofold(n, 0.0).times(Twofold(-part, 0.0)));
    }
    let square = r.times(r);
    let (mut sin, mut cos) = (r, Twofold(1.0, 0.0));
    let (mut sin_term, mut cos_term) = (r, Twofold(1.0, 0.0));
    for k in 1..16 {
        let k = f64::from(k);
        sin_term = divided(sin_term.times(square), -(2.0 * k) * (2.0 * k + 1.0));
        cos_term = divided(cos_term.times(square), -(2.0 * k - 1.0) * (2.0 * k));
        (sin, cos) = (sin.plus(sin_term), cos.plus(cos_term));
    }
    let minus = |x: Twofold| Twofold(-x.0, -x.1);
    match n.rem_euclid(4.0) as u8 {
        0 => (sin, cos),
        1 => (cos, minus(sin)),
        2 => (minus(sin), minus(cos)),
        _ => (minus(cos), sin),
    }
}

fn divided(x: Twofold, by: f64) -> Twofold {
    let first = x.0 / by;
    let rest = x.plus(Twofold(first, 0.0).times(Twofold(-by, 0.0)));
    Twofold::sum(first, rest.0 / by)
}

/// Distance in units of the last place of the true value.
fn ulps(found: f64, expected: Twofold) -> f64 {
    let size = expected.0.abs().max(f64::MIN_POSITIVE);
    let ulp = f64::from_bits(size.to_bits() + 1) - size;
    (((found - expected.0) - expected.1) / ulp).abs()
}

/// Random arguments, and those next to multiples of π/2, where almost all of an argument is taken away.
fn arguments(most: f64) -> Vec<f64> {
    let mut sampler = Sampler::new(8);
    let mut all: Vec<f64> = (0..20_000).map(|_| sampler.within(most)).collect();
    all.extend((0..20_000).map(|_| sampler.within(1.0).powi(9) * most));
    let last = (most / HALF_PI[0]) as i32;
    for n in (-last..=last).step_by((last as usize / 4000).max(1)) {
        let near = f64::from(n) * HALF_PI[0];
        all.extend([near, f64::from_bits(near.to_bits() + 1), f64::from_bits(near.to_bits().saturating_sub(1))]);
    }
    all.retain(|x| x.abs() <= most);
    all
}

#[test]
fn fused_numbers_are_right_to_two_ulps() {
    let mut worst = (0.0, 0.0);
    for x in arguments(1e4) {
        let (sin, cos) = Fused(x).sin_cos();
        let (true_sin, true_cos) = reference(x);
        for error in [ulps(sin.0, true_sin), ulps(cos.0, true_cos)] {
            if error > worst.0 {
                worst = (error, x);
            }
        }
    }
    assert!(worst.0 <= 2.0, "{} ulp at {}", worst.0, worst.1);
    assert!(worst.0 > 0.4, "a reference that is none: {}", worst.0);
}

/// What this processor has, and what narrower ones have.
fn levels() -> Vec<Level> {
    let widest = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let avx2 = widest.as_avx2().map(Level::Avx2);
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let avx2 = None;
    [Some(widest), avx2, Some(Level::baseline())].into_iter().flatten().collect()
}

#[inline(always)]
fn all_lanes<S: Simd>(simd: S, x: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    for first in (0..x.len() - Lanes::<S>::LEN + 1).step_by(Lanes::<S>::LEN) {
        let (s, c) = Lanes::<S>::load(simd, &x[first..]).sin_cos();
        s.store(&mut sin[first..]);
        c.store(&mut cos[first..]);
    }
}

#[inline(always)]
fn all_lanes_32<S: Simd>(simd: S, x: &[f32], sin: &mut [f32], cos: &mut [f32]) {
    for first in (0..x.len() - Lanes32::<S>::LEN + 1).step_by(Lanes32::<S>::LEN) {
        let (s, c) = Lanes32::<S>::load(simd, &x[first..]).sin_cos();
        s.store(&mut sin[first..]);
        c.store(&mut cos[first..]);
    }
}

#[test]
fn lanes_are_right_to_two_ulps() {
    let mut x = arguments(1e4);
    x.truncate(x.len() / 16 * 16);
    let (mut sin, mut cos) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    let expected: Vec<_> = x.iter().map(|&x| reference(x)).collect();
    for level in levels() {
        dispatch!(level, simd => all_lanes(simd, &x, &mut sin, &mut cos));
        for (k, &x) in x.iter().enumerate() {
            let off = f64::max(ulps(sin[k], expected[k].0), ulps(cos[k], expected[k].1));
            assert!(off <= 2.0, "{level:?} at {x}: {} {}", sin[k], cos[k]);
        }
    }
}

#[test]
fn narrow_lanes_are_right_to_the_last_bit_or_two() {
    let mut x: Vec<f32> = arguments(1e4).into_iter().map(|x| x as f32).collect();
    x.truncate(x.len() / 16 * 16);
    let (mut sin, mut cos) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    let ulps = |found: f32, expected: f64| {
        let size = (expected.abs() as f32).max(f32::MIN_POSITIVE);
        (f64::from(found) - expected).abs() / f64::from(f32::from_bits(size.to_bits() + 1) - size)
    };
    for level in levels() {
        dispatch!(level, simd => all_lanes_32(simd, &x, &mut sin, &mut cos));
        for (k, &x) in x.iter().enumerate() {
            let off = f64::max(ulps(sin[k], f64::from(x).sin()), ulps(cos[k], f64::from(x).cos()));
            assert!(off <= 2.0, "{level:?} at {x}: {} {}", sin[k], cos[k]);
        }
    }
}

/// Large arguments are reduced as carefully, and what is no number gives none.
#[test]
fn large_arguments_and_none() {
    let x = [1.1e5, -3e7, 1e10, 1e22, -1e300, 0.0, -0.0, 1.0, 4e5, 2e15, 7.0, -2.0, 1e5, -1e5, 99_999.0, 3.0];
    let (mut sin, mut cos) = ([0.0; 16], [0.0; 16]);
    for level in levels() {
        dispatch!(level, simd => all_lanes(simd, &x, &mut sin, &mut cos));
        for (k, x) in x.into_iter().enumerate() {
            let off = f64::max((sin[k] - x.sin()).abs(), (cos[k] - x.cos()).abs());
            assert!(off <= 4e-16, "{level:?} at {x}: {} {}", sin[k], cos[k]);
        }
    }
    for x in x {
        let (sin, cos) = Fused(x).sin_cos();
        assert!((sin.0 - x.sin()).abs() <= 4e-16 && (cos.0 - x.cos()).abs() <= 4e-16, "at {x}: {} {}", sin.0, cos.0);
    }
    for none in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let (sin, cos) = Fused(none).sin_cos();
        assert!(sin.0.is_nan() && cos.0.is_nan());
    }
}
