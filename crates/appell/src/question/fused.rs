//! One state at a time on fused numbers, for processors that have their instructions.

use super::kernel::{Inputs, Kernel};
use super::method::Run;
use super::{Input, Question, State, Target};
use crate::dynamics::InertiaError;
use crate::mechanism::Mechanism;
use crate::real::Fused;
use fearless_simd::{Avx2, Simd};

/// A question's memory and its state.
struct Memory<K: Kernel> {
    kernel: K::Memory<Fused>,
    reads: [bool; 5], // which vectors of a state
    vectors: [Vec<Fused>; 5],
}

/// Prepares the kernel of a question.
pub(super) fn prepare<K: Kernel>(avx2: Avx2, robot: &Mechanism, question: Question, target: Target) -> Run
where
    K::Memory<Fused>: Send,
{
    let mut memory = Memory::<K> {
        kernel: K::memory(robot, target, Fused(0.0)),
        reads: Input::ALL.map(|input| question.reads(input)),
        vectors: core::array::from_fn(|_| vec![Fused(0.0); robot.dof()]),
    };
    Box::new(move |robot, state, row| {
        avx2.vectorize(
            #[inline(always)]
            || memory.run(robot, state, row),
        )
    })
}

impl<K: Kernel> Memory<K> {
    #[inline(always)]
    fn run(&mut self, robot: &Mechanism, state: &State<'_>, row: &mut [f64]) -> Result<(), InertiaError> {
        let State { q, v, a, tau, w, .. } = *state;
        for ((own, given), reads) in self.vectors.iter_mut().zip([q, v, a, tau, w]).zip(self.reads) {
            if !reads {
                continue; // it may be missing
            }
            for (own, &given) in own.iter_mut().zip(given) {
                *own = Fused(given);
            }
        }
        let [q, v, a, tau, w] = &self.vectors;
        K::run(
            robot,
            &mut self.kernel,
            &Inputs { q, v, a, tau, w },
            #[inline(always)]
            |column, number: Fused| row[column] = number.0,
        )
    }
}
