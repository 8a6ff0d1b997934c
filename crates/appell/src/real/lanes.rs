//! Many numbers at once, one per lane of the processor's widest registers.
//!
//! The token S is the proof that the processor has the instructions; [`dispatch!`](fearless_simd::dispatch) hands it out, and
//! compiles what is inlined into it for them. Everything between must therefore be `#[inline(always)]`: a call that is left
//! over passes lanes through memory, ten to forty times slower.

use super::polynomial_sin_cos::{self, LARGEST};
use super::{Measured, Real, polynomial_atan2};
use core::ops::{Add, Div, Mul, Neg, Sub};
use fearless_simd::{ExtractToken, Select, Simd, SimdBase, SimdFloat, SimdMask};

macro_rules! lanes {
    ($(#[$doc:meta])* $name:ident, $vector:ident, $element:ty) => {
        $(#[$doc])*
        pub struct $name<S: Simd>(pub S::$vector);

        impl<S: Simd> Clone for $name<S> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<S: Simd> Copy for $name<S> {}

        impl<S: Simd> core::fmt::Debug for $name<S> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_list().entries(self.0.as_slice()).finish()
            }
        }

        impl<S: Simd> $name<S> {
            /// How many there are.
            pub const LEN: usize = <S::$vector as SimdBase<S>>::LEN;

            /// The same number in all lanes.
            #[inline(always)]
            pub fn splat(simd: S, x: $element) -> Self {
                Self(S::$vector::splat(simd, x))
            }

            /// The first numbers of a slice.
            ///
            /// # Panics
            /// If the slice is shorter.
            #[inline(always)]
            pub fn load(simd: S, from: &[$element]) -> Self {
                Self(S::$vector::from_slice(simd, &from[..Self::LEN]))
            }

            /// Writes all lanes to the beginning of a slice.
            ///
            /// # Panics
            /// If the slice is shorter.
            #[inline(always)]
            pub fn store(self, to: &mut [$element]) {
                self.0.store_slice(&mut to[..Self::LEN]);
            }

            /// Puts a number into a lane.
            ///
            /// # Panics
            /// If there is no such lane.
            #[inline(always)]
            pub fn set(&mut self, lane: usize, x: $element) {
                self.0.as_mut_slice()[lane] = x;
            }

            /// Sine and cosine with those of large arguments put right, lane by lane: the others stay as they are without them.
            #[cold]
            #[inline(never)]
            fn far_sin_cos(self, (mut sin, mut cos): (Self, Self)) -> (Self, Self) {
                for (lane, &x) in self.0.as_slice().iter().enumerate() {
                    if x.abs() > LARGEST as $element || x.is_nan() {
                        let (s, c) = Real::sin_cos(x);
                        sin.set(lane, s);
                        cos.set(lane, c);
                    }
                }
                (sin, cos)
            }

            /// Whether a lane is larger than `most`, or no number.
            #[inline(always)]
            fn has_large(self, most: $element) -> bool {
                let small = (self.0 * self.0).simd_le(most * most);
                !small.all_true()
            }
        }

        lanes!(@operator $name, Add, add);
        lanes!(@operator $name, Sub, sub);
        lanes!(@operator $name, Mul, mul);
        lanes!(@operator $name, Div, div);

        impl<S: Simd> Neg for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }

        impl<S: Simd> Real for $name<S> {
            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, reason = "f32 rounds a model parameter by intention")]
            fn constant(self, x: f64) -> Self {
                Self::splat(self.0.token(), x as $element)
            }

            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                let near = self.near_sin_cos();
                if self.has_large(LARGEST as $element) { self.far_sin_cos(near) } else { near }
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Self(self.0.sqrt())
            }

            #[inline(always)]
            fn atan2(self, x: Self) -> Self {
                self.angle_of(x)
            }

            /// Lane by lane, as plain numbers have it: only friction that falls with the speed asks for it.
            #[inline(never)]
            fn exp(mut self) -> Self {
                self.0.as_mut_slice().iter_mut().for_each(|x| *x = Real::exp(*x));
                self
            }

            #[inline(always)]
            fn where_positive(self, yes: Self, no: Self) -> Self {
                Self(self.0.simd_gt(0.0).select(yes.0, no.0))
            }

            #[inline(always)]
            fn within<R>(self, step: impl FnOnce() -> R) -> R {
                self.0.token().vectorize(step)
            }

            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                Self(self.0.mul_add(a.0, b.0))
            }

            #[inline(always)]
            fn mul_sub(self, a: Self, b: Self) -> Self {
                Self(self.0.mul_sub(a.0, b.0))
            }

            #[inline(always)]
            fn scale_add(self, k: f64, b: Self) -> Self {
                self.mul_add(self.constant(k), b)
            }

            #[inline(always)]
            fn scale_sub(self, k: f64, b: Self) -> Self {
                self.mul_sub(self.constant(k), b)
            }
        }

        impl<S: Simd> Measured for $name<S> {
            #[allow(clippy::cast_lossless, reason = "one macro for both widths")]
            const EPSILON: f64 = <$element>::EPSILON as f64;

            const OF_PROCESSOR: bool = true;

            type Plain = Self;

            #[inline(always)]
            fn plain(self) -> Self {
                self
            }

            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "one macro for both widths")]
            fn least(self) -> f64 {
                let nearer = |least: f64, x: &$element| if x.is_nan() || (*x as f64) < least { *x as f64 } else { least };
                self.0.as_slice().iter().fold(f64::INFINITY, nearer)
            }
        }
    };
    (@operator $name:ident, $trait:ident, $method:ident) => {
        impl<S: Simd> $trait for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self($trait::$method(self.0, other.0))
            }
        }
    };
}

lanes! {
    /// As many `f64` as the processor has lanes for: 2, 4 or 8.
    Lanes, f64s, f64
}

lanes! {
    /// As many `f32` as the processor has lanes for: 4, 8 or 16.
    Lanes32, f32s, f32
}

/// Vectors of lanes whose larger side is between these have their angles by the polynomial.
const NEAR_SIDES: [f64; 2] = [1e-120, 1e120];

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    fn near_sin_cos(self) -> (Self, Self) {
        polynomial_sin_cos::sin_cos(self)
    }

    #[inline(always)]
    fn angle_of(self, x: Self) -> Self {
        let near = polynomial_atan2::atan2(self, x);
        let squares = self.0 * self.0 + x.0 * x.0;
        let [least, most] = NEAR_SIDES.map(|side| side * side);
        let is_near = squares.simd_ge(least).all_true() && squares.simd_le(most).all_true();
        if is_near { near } else { self.far_angle_of(x, near) }
    }

    /// The angle with those of tiny, huge or no vectors put right, lane by lane: the others stay as they are without them.
    #[cold]
    #[inline(never)]
    fn far_angle_of(self, x: Self, mut angle: Self) -> Self {
        let [least, most] = NEAR_SIDES.map(|side| side * side);
        for (lane, (&y, &x)) in self.0.as_slice().iter().zip(x.0.as_slice()).enumerate() {
            if !(least..=most).contains(&(y * y + x * x)) {
                angle.set(lane, Real::atan2(y, x));
            }
        }
        angle
    }
}

impl<S: Simd> Lanes32<S> {
    #[inline(always)]
    fn angle_of(self, x: Self) -> Self {
        let mut angle = self;
        for (lane, (&y, &x)) in self.0.as_slice().iter().zip(x.0.as_slice()).enumerate() {
            angle.set(lane, Real::atan2(y, x));
        }
        angle
    }

    /// In `f64`, half of the lanes at a time: an `f32` has too few bits for the parts of π/2.
    #[inline(always)]
    fn near_sin_cos(self) -> (Self, Self) {
        let simd = self.0.token();
        let half = Lanes::<S>::LEN;
        let (mut sin, mut cos) = (self, self);
        for first in [0, half] {
            let wide = Lanes::<S>(S::f64s::from_fn(simd, |k| f64::from(self.0.as_slice()[first + k])));
            let (s, c) = polynomial_sin_cos::sin_cos(wide);
            for k in 0..half {
                #[allow(clippy::cast_possible_truncation, reason = "back to the width it came from")]
                let narrow = |x: Lanes<S>| x.0.as_slice()[k] as f32;
                sin.0.as_mut_slice()[first + k] = narrow(s);
                cos.0.as_mut_slice()[first + k] = narrow(c);
            }
        }
        (sin, cos)
    }
}
