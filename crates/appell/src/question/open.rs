//! A question made ready on one open robot: by its kernel on the processor's best numbers, or by another method on plain ones.

use super::generalised::Generalised;
use super::kernel::{self, Inputs, Kernel, Visitor};
use super::method::{How, Run};
use super::{Method, Question, State, Target};
use crate::dynamics::InertiaError;
use crate::dynamics::reactions;
use crate::mechanism::Mechanism;
use crate::real::Fused;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use {super::fused, fearless_simd::Level};

/// A question of an open robot, with all memory it needs.
pub(super) struct Open {
    question: Question,
    run: Run,
    outside: reactions::Workspace,
    tau: Vec<f64>,                         // what drives and external wrenches do together
    generalised: Option<Box<Generalised>>, // of robots whose coordinates are not their rows
}

impl Open {
    /// Prepares a method; its kernel by fused instructions where the processor has them and `plain` is not asked for.
    pub(super) fn new(robot: &Mechanism, question: Question, method: &Method, target: Target, plain: bool) -> Self {
        let run = match method.how {
            How::Open(prepare) => prepare(robot, target),
            _ => ready(robot, question, target, plain),
        };
        let generalised = robot.coordinates().map(|_| Generalised::new(robot, question, method, target, plain));
        let (outside, tau) = (reactions::Workspace::new(robot), vec![0.0; robot.dof()]);
        Self { question, run, outside, tau, generalised: generalised.map(Box::new) }
    }

    /// Answers a state whose vectors have the right lengths.
    #[inline]
    pub(super) fn evaluate(
        &mut self,
        robot: &Mechanism,
        state: &State<'_>,
        row: &mut [f64],
    ) -> Result<(), InertiaError> {
        if state.external.is_empty() && self.generalised.is_none() {
            return (self.run)(robot, state, row);
        }
        match self.generalised.take() {
            None => self.evaluate_rows(robot, state, row),
            Some(mut generalised) => {
                let question = self.question;
                let run = |state: &State<'_>, row: &mut [f64]| self.evaluate_rows(robot, state, row);
                let answered = generalised.evaluate(robot, question, state, row, run);
                self.generalised = Some(generalised);
                answered
            }
        }
    }

    /// Answers for the tree with every row a coordinate of its own.
    fn evaluate_rows(&mut self, robot: &Mechanism, state: &State<'_>, row: &mut [f64]) -> Result<(), InertiaError> {
        if state.external.is_empty() {
            return (self.run)(robot, state, row);
        }
        if self.question == Question::Reactions {
            (self.run)(robot, state, row)?;
            let outside = reactions::external_reactions(robot, &mut self.outside, state.q, state.external);
            let numbers = outside.iter().flat_map(|wrench| wrench.to_array());
            row.iter_mut().zip(numbers).for_each(|(cell, outside)| *cell -= outside);
            return Ok(());
        }
        let outside = reactions::external_joint_forces(robot, &mut self.outside, state.q, state.external);
        match self.question {
            Question::InverseDynamics | Question::Bias => {
                (self.run)(robot, state, row)?;
                row.iter_mut().zip(outside).for_each(|(tau, outside)| *tau -= outside);
                Ok(())
            }
            Question::ForwardDynamics => {
                let forces = state.tau.iter().zip(outside).map(|(tau, outside)| tau + outside);
                self.tau.iter_mut().zip(forces).for_each(|(sum, force)| *sum = force);
                (self.run)(robot, &State { tau: &self.tau, ..*state }, row)
            }
            _ => (self.run)(robot, state, row),
        }
    }
}

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
