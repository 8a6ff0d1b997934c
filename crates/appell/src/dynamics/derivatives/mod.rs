//! Exact derivatives of inverse and forward dynamics, by running the algorithms on dual numbers.
//!
//! | derivatives of | file | way |
//! |---|---|---|
//! | inverse and forward dynamics | [`sparing`] | Gibbs-Appell inverse dynamics, and the inertia matrix for the rest |
//! | the same | [`direct`] | Newton-Euler and articulated bodies, differentiated by everything |
//!
//! The second is the referee of the first. Where Coulomb friction jumps, its derivative is that of the branch it is on.

pub mod direct;
pub mod sparing;

use crate::real::Dual;

/// Directions that one run carries: more would cost registers, fewer more runs.
const DIRECTIONS: usize = 6;

/// The numbers that are differentiated.
type Number = Dual<DIRECTIONS>;

/// Derivatives of n numbers by three vectors of n numbers, q, v and a third: each n × n and row by row.
///
/// The third is q̈ for inverse dynamics and τ for forward dynamics.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "named by what they are")]
pub struct Derivatives {
    pub by_q: Vec<f64>,
    pub by_v: Vec<f64>,
    pub by_third: Vec<f64>,
}

impl Derivatives {
    fn new(n: usize) -> Self {
        Self { by_q: vec![0.0; n * n], by_v: vec![0.0; n * n], by_third: vec![0.0; n * n] }
    }

    /// Keeps what a run in the directions from `first` on found.
    fn keep(&mut self, first: usize, answers: &[Number]) {
        let n = answers.len();
        for (row, answer) in answers.iter().enumerate() {
            for (index, &derivative) in (first..3 * n).zip(&answer.derivative) {
                let matrix = [&mut self.by_q, &mut self.by_v, &mut self.by_third];
                matrix[index / n][row * n + index % n] = derivative;
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
