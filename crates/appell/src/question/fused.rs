//! One state at a time on fused numbers, for processors that have their instructions.

use super::kernel::{Inputs, Kernel};
use crate::dynamics::InertiaError;
use crate::mechanism::Mechanism;
use crate::question::{Input, Question, State, Target};
use crate::real::Fused;

/// A question's memory and its state.
pub(super) struct Room<K: Kernel> {
    memory: K::Memory<Fused>,
    reads: [bool; 5], // which vectors of a state
    vectors: [Vec<Fused>; 5],
    columns: usize,
}

impl<K: Kernel> Room<K> {
    pub(super) fn new(robot: &Mechanism, question: Question, target: Target) -> Self {
        Self {
            memory: K::memory(robot, target, Fused(0.0)),
            reads: Input::ALL.map(|input| question.inputs().contains(&input)),
            vectors: core::array::from_fn(|_| vec![Fused(0.0); robot.dof()]),
            columns: question.columns(robot).len(),
        }
    }

    #[inline(always)]
    pub(super) fn run(&mut self, robot: &Mechanism, state: &State<'_>, row: &mut [f64]) -> Result<(), InertiaError> {
        assert_eq!(row.len(), self.columns, "one number a column");
        let State { q, v, a, tau, w, .. } = *state;
        for ((own, given), reads) in self.vectors.iter_mut().zip([q, v, a, tau, w]).zip(self.reads) {
            if !reads {
                continue; // it may be missing
            }
            assert_eq!(own.len(), given.len(), "one number a joint");
            for (own, &given) in own.iter_mut().zip(given) {
                *own = Fused(given);
            }
        }
        let [q, v, a, tau, w] = &self.vectors;
        K::run(
            robot,
            &mut self.memory,
            &Inputs { q, v, a, tau, w },
            #[inline(always)]
            |column, number: Fused| row[column] = number.0,
        )
    }
}
