//! Sine and cosine without a branch, in operations that every number has: what lanes need, and what compilers can weave into
//! the algorithm around it.
//!
//! ```text
//! n = round(2 x / π),  r = x − n π/2 by three parts of π/2,  |r| ≤ π/4
//! ```
//!
//! then the minimax polynomials of fdlibm (Sun Microsystems, 1993), and the quadrant n mod 4 by arithmetic on whole numbers.

use super::Real;
use core::f64::consts::FRAC_2_PI;

/// Arguments up to this size are reduced well enough: 2 ulp, also next to multiples of π/2.
pub(super) const LARGEST: f64 = 1e5;

/// Adding it rounds a small number to a whole one: 1.5 · 2⁵².
const ROUNDS: f64 = 6_755_399_441_055_744.0;

/// π/2 in parts: 33 bits, 33 bits, and the rest to the last bit.
const PARTS: [f64; 3] = [
    f64::from_bits(0x3FF9_21FB_5440_0000),
    f64::from_bits(0x3DD0_B461_1A60_0000),
    f64::from_bits(0x3BA3_198A_2E03_7073),
];

/// sin r = r + r³ (S₁ + S₂ r² + …)
const SIN: [f64; 6] = [
    f64::from_bits(0xBFC5_5555_5555_5549),
    f64::from_bits(0x3F81_1111_1110_F8A6),
    f64::from_bits(0xBF2A_01A0_19C1_61D5),
    f64::from_bits(0x3EC7_1DE3_57B1_FE7D),
    f64::from_bits(0xBE5A_E5E6_8A2B_9CEB),
    f64::from_bits(0x3DE5_D93A_5ACF_D57C),
];

/// cos r = 1 − r²/2 + r⁴ (C₁ + C₂ r² + …)
const COS: [f64; 6] = [
    f64::from_bits(0x3FA5_5555_5555_554C),
    f64::from_bits(0xBF56_C16C_16C1_5177),
    f64::from_bits(0x3EFA_01A0_19CB_1590),
    f64::from_bits(0xBE92_7E4F_809C_52AD),
    f64::from_bits(0x3E21_EE9E_BDB4_B1C4),
    f64::from_bits(0xBDA8_FAE9_BE88_38D4),
];

/// Sine and cosine of a number that is not larger than [`LARGEST`].
#[inline(always)]
pub(super) fn sin_cos<T: Real>(x: T) -> (T, T) {
    let rounds = x.constant(ROUNDS);
    let floor_of_half = |n: T| n.scale_add(0.5, x.constant(-0.25)) + rounds - rounds; // of whole numbers
    let n = x.scale_add(FRAC_2_PI, rounds) - rounds;
    let r = n.scale_add(-PARTS[2], n.scale_add(-PARTS[1], n.scale_add(-PARTS[0], x)));
    let z = r * r;
    let sin = (z * r).mul_add(horner(z, SIN), r);
    // 1 − z/2 is rounded; what that takes away is added again.
    let half = z.scale(0.5);
    let one = x.constant(1.0);
    let w = one - half;
    let cos = w + ((one - w - half) + z * z * horner(z, COS));
    // n mod 4 = 2 second + odd: which of both it is, and with which signs.
    let pairs = floor_of_half(n);
    let odd = pairs.scale_add(-2.0, n);
    let second = floor_of_half(pairs).scale_add(-2.0, pairs);
    let differs = odd + second - (odd * second).scale(2.0);
    let sign = |is: T| is.scale_add(-2.0, one);
    (odd.where_positive(cos, sin) * sign(second), odd.where_positive(sin, cos) * sign(differs))
}

#[inline(always)]
fn horner<T: Real>(z: T, [a, b, c, d, e, f]: [f64; 6]) -> T {
    let inner = z.scale_add(f, z.constant(e));
    z.mul_add(z.mul_add(z.mul_add(z.mul_add(inner, z.constant(d)), z.constant(c)), z.constant(b)), z.constant(a))
}
