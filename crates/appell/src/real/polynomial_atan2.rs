//! The angle of a vector without a branch, in operations that every number has: what lanes need.
//!
//! ```text
//! t = tan of the angle to the nearer axis, 0 to 1;  beyond tan π/8 it is counted from π/4: (t − 1) / (t + 1)
//! ```
//!
//! then the polynomial of fdlibm's arctangent (Sun Microsystems, 1993), which holds up to 7/16, and the octant.

use super::Real;
use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// tan π/8
const TAN_PI_8: f64 = 0.414_213_562_373_095_03;

/// What π/4 has beyond its last bit.
const REST_OF_PI_4: f64 = 3.061_616_997_868_383e-17;

/// atan z = z − z (A₀ z² + A₁ z⁴ + …)
const ATAN: [f64; 11] = [
    3.333_333_333_333_293e-1,
    -1.999_999_999_987_648_3e-1,
    1.428_571_427_250_346_6e-1,
    -1.111_111_040_546_235_6e-1,
    9.090_887_133_436_507e-2,
    -7.691_876_205_044_83e-2,
    6.661_073_137_387_531e-2,
    -5.833_570_133_790_573_5e-2,
    4.976_877_994_615_932e-2,
    -3.653_157_274_421_691_6e-2,
    1.628_582_011_536_578_2e-2,
];

/// The angle of the vector (x, y), in (−π, π]; neither tiny nor huge.
#[inline(always)]
pub(super) fn atan2<T: Real>(y: T, x: T) -> T {
    let (across, along) = (y.where_positive(y, -y), x.where_positive(x, -x));
    let is_steep = across - along;
    let (short, long) = (is_steep.where_positive(along, across), is_steep.where_positive(across, along));
    let one = y.constant(1.0);
    // 1 where the angle is counted from π/4.
    let beyond = long.scale_add(-TAN_PI_8, short).where_positive(one, y.zero());
    let z = (short - beyond * long) / beyond.mul_add(short, long);
    let square = z * z;
    let mut polynomial = y.constant(ATAN[10]);
    for &a in ATAN[..10].iter().rev() {
        polynomial = polynomial.mul_add(square, y.constant(a));
    }
    let small = z - z * (square * polynomial);
    let to_axis = beyond.scale_add(FRAC_PI_4, beyond.scale_add(REST_OF_PI_4, small));
    let quarter = is_steep.where_positive(y.constant(FRAC_PI_2) - to_axis, to_axis);
    let half = x.where_positive(quarter, (-x).where_positive(y.constant(PI) - quarter, quarter));
    (-y).where_positive(-half, half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_the_standard_library() {
        let mut worst: f64 = 0.0;
        for k in 0..100_000 {
            let angle = PI * (f64::from(k) / 50_000.0 - 1.0) + 1e-6;
            for size in [1e-100, 0.3, 7e5] {
                let (y, x) = (size * angle.sin(), size * angle.cos());
                let (found, exact) = (atan2(y, x), y.atan2(x));
                worst = worst.max((found - exact).abs() / (f64::EPSILON * exact.abs()));
            }
        }
        assert!(worst <= 2.0, "{worst} ulp");
    }

    #[test]
    fn angles_along_the_axes_are_exact() {
        for (y, x, angle) in [(0.0, 2.0, 0.0), (3.0, 0.0, FRAC_PI_2), (-3.0, 0.0, -FRAC_PI_2), (0.0, -1.0, PI)] {
            assert_eq!(atan2(y, x), angle);
        }
        assert_eq!(atan2(-0.0, -1.0), PI);
        assert_eq!(atan2(1.0, 1.0), FRAC_PI_4);
        assert_eq!(atan2(-1.0, -1.0), -3.0 * FRAC_PI_4);
    }
}
