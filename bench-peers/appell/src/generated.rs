//! Code that `appell generate` wrote from the same files, one state at a time by fused numbers and in lanes.
//!
//! `APPELL_KERNELS` names the folder when this is compiled.

use crate::report;
use appell::question::Question;
use appell_bench::{STATES, States, Timing, time, time_repeats};
use fearless_simd::Level;
use std::hint::black_box;

/// What a generated file asks of its numbers: of `f64`, as users write it, with the sines and cosines of the library and fused
/// multiply-add, which is one instruction where `one` lets it be; and of the library's lanes.
macro_rules! scalar {
    () => {
        impl Scalar for f64 {
            #[inline(always)]
            fn constant(self, x: f64) -> Self {
                x
            }
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                let (sin, cos) = Real::sin_cos(Fused(self));
                (sin.0, cos.0)
            }
            #[inline(always)]
            fn sin_cos_of<const N: usize>(angles: [Self; N]) -> [(Self, Self); N] {
                let mut pairs = [(0.0, 0.0); N];
                <Fused as Real>::sin_cos_of(
                    N,
                    #[inline(always)]
                    |k| Fused(angles[k]),
                    #[inline(always)]
                    |k, (sin, cos)| pairs[k] = (sin.0, cos.0),
                );
                pairs
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn atan2(self, x: Self) -> Self {
                Real::atan2(self, x)
            }
            #[inline(always)]
            fn where_positive(self, yes: Self, no: Self) -> Self {
                if self > 0.0 { yes } else { no }
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                self.mul_add(a, b)
            }
            #[inline(always)]
            fn mul_sub(self, a: Self, b: Self) -> Self {
                self.mul_add(a, -b)
            }
            #[inline(always)]
            fn neg_mul_add(self, a: Self, b: Self) -> Self {
                (-self).mul_add(a, b)
            }
        }

        impl<S: Simd> Scalar for Lanes<S> {
            #[inline(always)]
            fn constant(self, x: f64) -> Self {
                Real::constant(self, x)
            }
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                Real::sin_cos(self)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                Real::sqrt(self)
            }
            #[inline(always)]
            fn atan2(self, x: Self) -> Self {
                Real::atan2(self, x)
            }
            #[inline(always)]
            fn where_positive(self, yes: Self, no: Self) -> Self {
                Real::where_positive(self, yes, no)
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                Real::mul_add(self, a, b)
            }
            #[inline(always)]
            fn mul_sub(self, a: Self, b: Self) -> Self {
                Real::mul_sub(self, a, b)
            }
            #[inline(always)]
            fn neg_mul_add(self, a: Self, b: Self) -> Self {
                Real::mul_add(-self, a, b)
            }
        }
    };
}

/// A generated function as a module: `one` state, its arguments one after the other.
macro_rules! generated {
    ($module:ident: $function:ident($($argument:ident: $length:literal),+) -> $width:literal) => {
        #[allow(dead_code, reason = "its self-test: answers are compared with the peers'")]
        pub(crate) mod $module {
            use appell::real::{Fused, Lanes, Real};
            use fearless_simd::{Level, Simd};

            include!(concat!(env!("APPELL_KERNELS"), "/", stringify!($function), ".rs"));
            scalar!();

            pub(crate) const INPUTS: usize = 0 $(+ $length)+;
            pub(crate) const WIDTH: usize = $width;

            #[inline(always)]
            pub(crate) fn run<T: Scalar>(inputs: &[T; INPUTS], answer: &mut [T; WIDTH]) {
                let rest = &inputs[..];
                $(let ($argument, rest) = rest.split_first_chunk::<$length>().expect("as many as were counted");)+
                let _ = rest;
                $function($($argument,)+ answer);
            }

            /// One state, by fused instructions where the processor has them.
            #[inline]
            pub(crate) fn one(level: Level, inputs: &[f64; INPUTS], answer: &mut [f64; WIDTH]) {
                #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
                if let Some(avx2) = level.as_avx2() {
                    return avx2.vectorize(
                        #[inline(always)]
                        || run(inputs, answer),
                    );
                }
                let _ = level;
                run(inputs, answer);
            }
        }
    };
}

/// Adds `many` states to a generated module: `inputs[j * count + i]` is argument j of state i, answers alike.
macro_rules! in_lanes {
    ($module:ident, $many:ident) => {
        pub(crate) fn $many(level: Level, count: usize, inputs: &[f64], answers: &mut [f64]) {
            use appell::real::Lanes;
            use fearless_simd::{Simd, dispatch};
            use prefetch_index::prefetch_index;
            #[inline(always)]
            fn all<S: Simd>(simd: S, count: usize, inputs: &[f64], answers: &mut [f64]) {
                assert_eq!(count % Lanes::<S>::LEN, 0, "whole registers");
                for begin in (0..count).step_by(Lanes::<S>::LEN) {
                    let mut x = [Lanes::splat(simd, 0.0); $module::INPUTS];
                    for (j, x) in x.iter_mut().enumerate() {
                        prefetch_index(inputs, j * count + begin + AHEAD * Lanes::<S>::LEN);
                        *x = Lanes::load(simd, &inputs[j * count + begin..]);
                    }
                    let mut y = [Lanes::splat(simd, 0.0); $module::WIDTH];
                    $module::run(&x, &mut y);
                    for (j, y) in y.iter().enumerate() {
                        prefetch_index(&*answers, j * count + begin + AHEAD * Lanes::<S>::LEN);
                        y.store(&mut answers[j * count + begin..]);
                    }
                }
            }
            dispatch!(level, simd => all(simd, count, inputs, answers))
        }
    };
}

generated!(puma_id: puma560_inverse_dynamics(q: 6, v: 6, a: 6) -> 6);
generated!(puma_m: puma560_inertia_matrix(q: 6) -> 36);
generated!(puma_fd: puma560_forward_dynamics(q: 6, v: 6, tau: 6) -> 6);
generated!(puma_did: puma560_inverse_dynamics_derivatives(q: 6, v: 6, a: 6) -> 108);
generated!(panda_id: panda7_inverse_dynamics(q: 7, v: 7, a: 7) -> 7);
generated!(panda_m: panda7_inertia_matrix(q: 7) -> 49);
generated!(panda_fd: panda7_forward_dynamics(q: 7, v: 7, tau: 7) -> 7);
generated!(panda_did: panda7_inverse_dynamics_derivatives(q: 7, v: 7, a: 7) -> 147);
generated!(gough_id: gough_stewart_platform_inverse_dynamics(pose: 7, twist: 6, acceleration: 6) -> 6);
generated!(gough_fd: gough_stewart_platform_forward_dynamics(pose: 7, twist: 6, tau: 6) -> 12);
in_lanes!(puma_id, puma_ids);
in_lanes!(panda_id, panda_ids);
in_lanes!(streams_of_6, puma_streams);
in_lanes!(streams_of_7, panda_streams);

/// How many blocks of lanes ahead memory is asked for, as batches of the library do.
const AHEAD: usize = 4;

/// As many numbers read and written as inverse dynamics has, and hardly any arithmetic: what memory alone takes.
macro_rules! streams {
    ($module:ident: $joints:literal) => {
        mod $module {
            pub(crate) const INPUTS: usize = 3 * $joints;
            pub(crate) const WIDTH: usize = $joints;

            #[inline(always)]
            pub(crate) fn run<T: appell::real::Real>(inputs: &[T; INPUTS], answer: &mut [T; WIDTH]) {
                for (j, answer) in answer.iter_mut().enumerate() {
                    *answer = inputs[j] + inputs[j + WIDTH] + inputs[j + 2 * WIDTH];
                }
            }
        }
    };
}
streams!(streams_of_6: 6);
streams!(streams_of_7: 7);

/// Joints of a chain.
const ORDER: [usize; 7] = [0, 1, 2, 3, 4, 5, 6];

/// States of a batch in the cache, and of one that is not.
const COUNTS: [usize; 2] = [1000, 1_000_000];

pub(crate) fn measure() {
    let level = Level::new();
    macro_rules! measure {
        ($($module:ident of $model:literal: $question:ident, $short:literal;)+) => {$({
            let n = if $model == "panda7" { 7 } else { 6 };
            let common = States::of_joints(n);
            let states: Vec<[f64; $module::INPUTS]> = (0..STATES).map(|k| inputs(&common, k, 1.0)).collect();
            let mut answer = [0.0; $module::WIDTH];
            let timing = time(|k| {
                $module::one(level, black_box(&states[k % STATES]), &mut answer);
                black_box(&answer);
            });
            report::time($model, concat!($short, " generated"), "generated Rust", timing);
            let factor = if $short == "FD" { 3.0 } else { 1.0 };
            $module::one(level, &inputs(&common, 1, factor), &mut answer);
            report::check($model, Question::$question, "generated Rust", &ORDER[..n], &answer);
        })+};
    }
    measure! {
        puma_id of "puma560": InverseDynamics, "ID";
        puma_m of "puma560": InertiaMatrix, "M";
        puma_fd of "puma560": ForwardDynamics, "FD";
        puma_did of "puma560": InverseDynamicsDerivatives, "dID";
        panda_id of "panda7": InverseDynamics, "ID";
        panda_m of "panda7": InertiaMatrix, "M";
        panda_fd of "panda7": ForwardDynamics, "FD";
        panda_did of "panda7": InverseDynamicsDerivatives, "dID";
    }
    for count in COUNTS {
        batch("puma560", 6, count, "generated lanes", |x, y| puma_ids(level, count, x, y));
        batch("panda7", 7, count, "generated lanes", |x, y| panda_ids(level, count, x, y));
        batch("puma560", 6, count, STREAMS, |x, y| puma_streams(level, count, x, y));
        batch("panda7", 7, count, STREAMS, |x, y| panda_streams(level, count, x, y));
    }
}

/// The name of what reads and writes as inverse dynamics does, without computing it.
const STREAMS: &str = "memory alone";

fn batch(model: &str, n: usize, count: usize, kind: &str, run: impl Fn(&[f64], &mut [f64])) {
    let States { q, v, a } = States::of_joints(n);
    let spread = |table: &[Vec<f64>]| -> Vec<f64> {
        (0..n).flat_map(|j| (0..count).map(move |i| table[i % STATES][j])).collect()
    };
    let given = [spread(&q), spread(&v), spread(&a)].concat();
    let mut answers = vec![0.0; n * count];
    let call = |_| {
        run(black_box(&given), &mut answers);
        black_box(&answers);
    };
    let timing: Timing = if count > 10_000 { time_repeats(20, 1, call) } else { time(call) };
    report::batch(model, &format!("ID batch {count}"), kind, timing, count);
    if kind != STREAMS {
        let first: Vec<f64> = (0..n).map(|j| answers[j * count + 1]).collect();
        report::check(model, Question::InverseDynamics, kind, &ORDER[..n], &first);
    }
}

/// The common state k, vector after vector, as many numbers as there is room for; the third vector is scaled.
fn inputs<const N: usize>(States { q, v, a }: &States, k: usize, factor: f64) -> [f64; N] {
    let third = a[k].iter().map(|a| factor * a);
    let mut numbers = q[k].iter().chain(&v[k]).copied().chain(third);
    core::array::from_fn(|_| numbers.next().expect("at most three vectors"))
}
