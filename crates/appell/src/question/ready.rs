//! The kernel of a question made ready on one open robot: on the processor's best numbers, or on plain ones.

use super::kernel::{self, Inputs, Kernel, Visitor};
use super::method::Run;
use super::{Question, State, Target};
use crate::mechanism::Mechanism;
use crate::real::Fused;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use {super::fused, fearless_simd::Level};

/// The kernel of a question, by fused instructions where the processor has them and `plain` is not asked for.
///
/// # Panics
/// If the question has none.
pub(super) fn ready(robot: &Mechanism, question: Question, target: Target, plain: bool) -> Run {
    kernel::visit(question, Ready { robot, question, target, plain }).expect("the row names a kernel")
}

/// Makes the kernel of a question ready.
struct Ready<'r> {
    robot: &'r Mechanism,
    question: Question,
    target: Target,
    plain: bool,
}

impl Visitor for Ready<'_> {
    type Output = Run;

    fn visit<K: Kernel>(self) -> Run
    where
        K::Memory<f64>: Send,
        K::Memory<Fused>: Send,
    {
        let Self { robot, question, target, plain } = self;
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        if let Some(avx2) = Level::new().as_avx2().filter(|_| !plain) {
            return fused::prepare::<K>(avx2, robot, question, target);
        }
        let _ = (question, plain);
        let mut memory = K::memory(robot, target, 0.0);
        Box::new(move |robot, &State { q, v, a, tau, w, .. }, row| {
            K::run(robot, &mut memory, &Inputs { q, v, a, tau, w }, |column, number| row[column] = number)
        })
    }
}
