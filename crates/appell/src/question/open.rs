//! A question made ready on one open robot: by its kernel on the processor's best numbers, or by another method on plain ones.

use super::method::{How, Run};
use super::own_coordinates::OwnCoordinates;
use super::ready::ready;
use super::{Method, Question, State, Target};
use crate::dynamics::InertiaError;
use crate::dynamics::reactions;
use crate::mechanism::Mechanism;

/// A question of an open robot, with all memory it needs.
pub(super) struct Open {
    question: Question,
    run: Run,
    outside: reactions::Workspace,
    tau: Vec<f64>,                    // what drives and external wrenches do together
    own: Option<Box<OwnCoordinates>>, // of robots whose coordinates are not their rows
}

impl Open {
    /// Prepares a method; its kernel by fused instructions where the processor has them and `plain` is not asked for.
    pub(super) fn new(robot: &Mechanism, question: Question, method: &Method, target: Target, plain: bool) -> Self {
        let run = match method.how {
            How::Open(prepare) => prepare(robot, target),
            _ => ready(robot, question, target, plain),
        };
        let own = robot.coordinates().map(|_| OwnCoordinates::new(robot, question, method, target, plain));
        let (outside, tau) = (reactions::Workspace::new(robot), vec![0.0; robot.dof()]);
        Self { question, run, outside, tau, own: own.map(Box::new) }
    }

    /// Answers a state whose vectors have the right lengths.
    #[inline]
    pub(super) fn evaluate(
        &mut self,
        robot: &Mechanism,
        state: &State<'_>,
        row: &mut [f64],
    ) -> Result<(), InertiaError> {
        if state.external.is_empty() && self.own.is_none() {
            return (self.run)(robot, state, row);
        }
        match self.own.take() {
            None => self.evaluate_rows(robot, state, row),
            Some(mut own) => {
                let run = |state: &State<'_>, row: &mut [f64]| self.evaluate_rows(robot, state, row);
                let answered = own.evaluate(robot, state, row, run);
                self.own = Some(own);
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
            Question::InverseDynamics | Question::Bias | Question::MotorTorques => {
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
