//! The machine's numbers.

use super::{Measured, Real};

macro_rules! machine_number {
    ($float:ty, $sincos:path, $atan2:path, $exp:path) => {
        impl Real for $float {
            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, reason = "f32 rounds a model parameter by intention")]
            fn constant(self, x: f64) -> Self {
                x as $float
            }

            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                // One pure-Rust routine for both: faster than two calls into the platform's library, and the
                // same bits on every platform.
                $sincos(self)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                <$float>::sqrt(self)
            }

            #[inline(always)]
            fn atan2(self, x: Self) -> Self {
                $atan2(self, x)
            }

            #[inline(always)]
            fn exp(self) -> Self {
                $exp(self)
            }

            #[inline(always)]
            fn where_positive(self, yes: Self, no: Self) -> Self {
                if self > 0.0 { yes } else { no }
            }

            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                // Without the instruction, `mul_add` of the standard library calls a routine 20 times slower.
                if cfg!(target_feature = "fma") { <$float>::mul_add(self, a, b) } else { self * a + b }
            }

            #[inline(always)]
            fn mul_sub(self, a: Self, b: Self) -> Self {
                if cfg!(target_feature = "fma") { <$float>::mul_add(self, a, -b) } else { self * a - b }
            }

            #[inline(always)]
            fn scale_add(self, k: f64, b: Self) -> Self {
                Real::mul_add(self, self.constant(k), b)
            }

            #[inline(always)]
            fn scale_sub(self, k: f64, b: Self) -> Self {
                Real::mul_sub(self, self.constant(k), b)
            }
        }

        impl Measured for $float {
            #[allow(clippy::cast_lossless, reason = "one macro for both widths")]
            const EPSILON: f64 = <$float>::EPSILON as f64;

            type Plain = Self;

            #[inline(always)]
            fn plain(self) -> Self {
                self
            }

            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "one macro for both widths")]
            fn least(self) -> f64 {
                self as f64
            }
        }
    };
}

machine_number!(f64, libm::sincos, libm::atan2, libm::exp);
machine_number!(f32, libm::sincosf, libm::atan2f, libm::expf);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selection_takes_the_second_value_at_zero() {
        assert_eq!(Real::where_positive(1e-300, 3.0, 4.0), 3.0);
        assert_eq!(Real::where_positive(0.0, 3.0, 4.0), 4.0);
        assert_eq!(Real::where_positive(-1.0_f32, 3.0, 4.0), 4.0);
    }

    #[test]
    fn elementary_functions_agree_with_the_standard_library() {
        for k in -50..50 {
            let x = f64::from(k) * 0.37 + 0.011;
            let (s, c) = Real::sin_cos(x);
            assert!((s - x.sin()).abs() < 3e-16 && (c - x.cos()).abs() < 3e-16, "at {x}");
            assert!((Real::atan2(x, 0.3) - x.atan2(0.3)).abs() < 1e-15, "at {x}");
            assert!((Real::exp(x) - x.exp()).abs() <= 4e-16 * x.exp(), "at {x}");
        }
    }
}
