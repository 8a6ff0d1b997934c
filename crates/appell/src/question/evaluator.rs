//! A question made ready on one robot, evaluated state by state.

use super::coupled::{self, Coupled};
use super::methods::{Method, Run, methods};
use super::{Question, State, Target};
use crate::dynamics::InertiaError;
use crate::dynamics::coupling::Coupling;
use crate::dynamics::reactions;
use crate::mechanism::Mechanism;

/// A question of one robot by one method, with all memory it needs: evaluates one state after another.
pub struct Evaluator<'r> {
    question: Question,
    method: &'static Method,
    columns: Vec<String>,
    run: Run<'r>,
    robot: &'r Mechanism,
    outside: reactions::Workspace,
    tau: Vec<f64>, // what drives and external wrenches do together
    coupled: Option<Coupled<'r>>,
}

impl<'r> Evaluator<'r> {
    /// Prepares a question; `method` is one of [`methods()`], the first if `None`.
    ///
    /// # Errors
    /// If the question has no such method.
    ///
    /// # Panics
    /// If `target` names a frame the robot does not have.
    pub fn new(
        robot: &'r Mechanism,
        question: Question,
        method: Option<&str>,
        target: Target,
    ) -> Result<Self, UnknownMethod> {
        let wanted = |known: &&Method| method.is_none_or(|name| known.name == name);
        let method = methods(question).find(wanted).ok_or_else(|| UnknownMethod {
            method: method.unwrap_or_default().into(),
            question: question.name(),
            known: methods(question).map(|method| method.name).collect(),
        })?;
        Ok(Self {
            question,
            method,
            columns: question.columns(robot),
            run: method.prepare(robot, target),
            robot,
            outside: reactions::Workspace::new(robot),
            tau: vec![0.0; robot.dof()],
            coupled: None,
        })
    }

    /// The same question of the robot with its followers coupled to their leaders.
    ///
    /// Of a state's vectors only the leaders' numbers are read. Joint forces and inertia are answered for the leaders
    /// alone; motions, energies and reactions as before.
    ///
    /// # Errors
    /// If the question has no coupled answer: those differentiated by joints, and forward dynamics by another method
    /// than its default.
    pub fn coupled(mut self, coupling: &'r Coupling) -> Result<Self, NotCoupled> {
        let is_default = methods(self.question).next().is_some_and(|method| method.name == self.method.name);
        if !coupled::has_answer(self.question) || (self.question == Question::ForwardDynamics && !is_default) {
            return Err(NotCoupled { question: self.question.name(), method: self.method.name });
        }
        let width = self.columns.len();
        self.columns = coupled::columns(self.question, self.columns, coupling, self.robot.dof());
        self.coupled = Some(Coupled::new(self.robot, coupling, self.question, width));
        Ok(self)
    }

    /// The question.
    #[must_use]
    pub fn question(&self) -> Question {
        self.question
    }

    /// The method that answers it.
    #[must_use]
    pub fn method(&self) -> &'static Method {
        self.method
    }

    /// The names of the numbers it answers.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Answers for one state into `row`, one number a column. Allocates nothing.
    ///
    /// # Errors
    /// If the inertia matrix is singular, for forward dynamics.
    ///
    /// # Panics
    /// If a vector that the question reads has not one number a joint, or `row` not one a column.
    pub fn evaluate(&mut self, state: State<'_>, row: &mut [f64]) -> Result<(), InertiaError> {
        assert_eq!(row.len(), self.columns.len(), "one number a column");
        match self.coupled.take() {
            None => self.evaluate_free(state, row),
            Some(mut coupled) => {
                let question = self.question;
                let answered = coupled.evaluate(question, state, row, |state, row| self.evaluate_free(state, row));
                self.coupled = Some(coupled);
                answered
            }
        }
    }

    /// Answers for the robot with every joint free.
    fn evaluate_free(&mut self, state: State<'_>, row: &mut [f64]) -> Result<(), InertiaError> {
        if state.external.is_empty() {
            return (self.run)(state, row);
        }
        if self.question == Question::Reactions {
            (self.run)(state, row)?;
            let outside = reactions::external_reactions(self.robot, &mut self.outside, state.q, state.external);
            let numbers = outside.iter().flat_map(|wrench| wrench.to_array());
            row.iter_mut().zip(numbers).for_each(|(cell, outside)| *cell -= outside);
            return Ok(());
        }
        let outside = reactions::external_joint_forces(self.robot, &mut self.outside, state.q, state.external);
        match self.question {
            Question::InverseDynamics | Question::Bias => {
                (self.run)(state, row)?;
                row.iter_mut().zip(outside).for_each(|(tau, outside)| *tau -= outside);
                Ok(())
            }
            Question::ForwardDynamics => {
                let forces = state.tau.iter().zip(outside).map(|(tau, outside)| tau + outside);
                self.tau.iter_mut().zip(forces).for_each(|(sum, force)| *sum = force);
                (self.run)(State { tau: &self.tau, ..state }, row)
            }
            _ => (self.run)(state, row),
        }
    }
}

/// A method that a question does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{method}` does not answer {question}; its methods are {}", known.join(", "))]
pub struct UnknownMethod {
    /// What was asked for.
    pub method: String,
    /// The question's name.
    pub question: &'static str,
    /// What there is.
    pub known: Vec<&'static str>,
}

/// A question that has no answer for coupled joints.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{question} by {method} has no answer for coupled joints; ask without coupling, or for forces, inertia or motion"
)]
pub struct NotCoupled {
    /// The question's name.
    pub question: &'static str,
    /// The method's name.
    pub method: &'static str,
}
