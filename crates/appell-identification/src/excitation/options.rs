//! What a search is given: form, limits, unknowns, and how much work it may be.

use super::criterion::Criterion;
use super::form::Form;
use super::limits::DriveLimits;
use crate::parameters::Model;
use appell::Robot;

/// How a motion is looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The family of motions.
    pub form: Form,
    /// One a drive.
    pub limits: Vec<DriveLimits>,
    /// The unknowns; those that no motion tells apart are left to others.
    pub model: Model,
    /// What is made small.
    pub criterion: Criterion,
    /// What an equation of each drive counts, such as 1 over the noise of its effort; all alike if empty.
    pub weights: Vec<f64>,
    /// Instants that a motion is seen at.
    pub samples: usize,
    /// Starts.
    pub restarts: usize,
    /// Steps of each start.
    pub iterations: usize,
    /// Jumps for each start, which begin at the best of them.
    pub hops: usize,
    /// Of the random starts.
    pub seed: u64,
}

impl Options {
    /// For these unknowns of a robot: the limits of its description, a Fourier series of five harmonics in ten seconds, 80
    /// instants, 16 starts of 200 steps, 8 jumps for each, seed 1.
    #[must_use]
    pub fn new(robot: &Robot, model: Model) -> Self {
        Self {
            form: Form::Fourier { harmonics: 5, frequency: 0.1 },
            limits: DriveLimits::of(robot),
            model,
            criterion: Criterion::default(),
            weights: Vec::new(),
            samples: 80,
            restarts: 16,
            iterations: 200,
            hops: 8,
            seed: 1,
        }
    }
}
