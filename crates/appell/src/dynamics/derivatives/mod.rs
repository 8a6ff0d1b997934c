//! Exact derivatives of inverse and forward dynamics.
//!
//! | derivatives of | file | way | cost |
//! |---|---|---|---|
//! | inverse dynamics | [`analytic`] | the equations differentiated: composite bodies in base axes | O(n · depth) |
//! | forward dynamics | [`analytic`] | through those of inverse dynamics and the inertia matrix | O(n³) |
//! | both | [`generalised`] | in a robot's own coordinates: quaternions, followers, screws | O(n³) |
//! | both | [`direct`] | Newton-Euler and articulated bodies on dual numbers, differentiated by everything | O(n²) |
//!
//! The last is the referee of the others. Where Coulomb friction jumps, its derivative is that of the branch it is on.

pub mod analytic;
mod composite;
pub mod direct;
pub mod generalised;

use crate::real::{Dual, Real};

/// Directions that one run carries: a referee need not be fast, and many take long to compile.
const DIRECTIONS: usize = 1;

/// The numbers that are differentiated.
type Number = Dual<DIRECTIONS>;

/// Derivatives of n numbers by three vectors of n numbers, q, v and a third: each n × n and row by row.
///
/// The third is q̈ for inverse dynamics and τ for forward dynamics.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "named by what they are")]
pub struct Derivatives<T = f64> {
    pub by_q: Vec<T>,
    pub by_v: Vec<T>,
    pub by_input: Vec<T>,
}

impl<T: Real> Derivatives<T> {
    fn new(n: usize, like: T) -> Self {
        let zeros = || vec![like.zero(); n * n];
        Self { by_q: zeros(), by_v: zeros(), by_input: zeros() }
    }

    #[inline(always)]
    fn matrices(&mut self) -> [&mut [T]; 3] {
        [&mut self.by_q, &mut self.by_v, &mut self.by_input]
    }
}

impl Derivatives {
    /// Keeps what a run in the directions from `first` on found.
    fn keep(&mut self, first: usize, answers: &[Number]) {
        let n = answers.len();
        for (row, answer) in answers.iter().enumerate() {
            for (index, &derivative) in (first..3 * n).zip(&answer.derivative) {
                self.matrices()[index / n][row * n + index % n] = derivative;
            }
        }
    }
}

/// The three vectors as numbers that vary in some of their 3n directions.
#[derive(Debug, Clone)]
struct Seeds {
    vectors: [Vec<Number>; 3],
}

impl Seeds {
    fn new(n: usize) -> Self {
        Self { vectors: core::array::from_fn(|_| vec![Dual::fixed(0.0); n]) }
    }

    /// Lets the numbers vary in the directions from `first` on, as many as a run carries.
    fn vary(&mut self, first: usize, values: [&[f64]; 3]) {
        let seeds = self.vectors.iter_mut().flatten();
        for (index, (seed, &value)) in seeds.zip(values.into_iter().flatten()).enumerate() {
            *seed = match index.checked_sub(first) {
                Some(direction) if direction < DIRECTIONS => Dual::variable(value, direction),
                _ => Dual::fixed(value),
            };
        }
    }
}
