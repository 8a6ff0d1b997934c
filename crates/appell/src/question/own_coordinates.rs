//! A question made ready on an open robot whose coordinates are not the rows of its tree: the method of the rows, and what stands
//! between.

use super::by_motors::ByMotors;
use super::generalised::{self, Generalised};
use super::kernel::Inputs;
use super::method::{How, Run};
use super::methods::slice;
use super::ready::ready;
use super::{Method, Question, State, Target};
use crate::dynamics::derivatives::generalised as by_q;
use crate::dynamics::joint_space::Equations;
use crate::dynamics::{InertiaError, composite_body, reactions};
use crate::mechanism::Mechanism;

/// What stands between a state and the method of the rows.
pub(super) struct OwnCoordinates {
    question: Question,
    layer: Generalised<f64>,
    directly: Option<Box<by_q::Direct>>, // derivatives on dual numbers, as a second method
    by_motors: Option<Box<ByMotors>>,    // torques of motors, as a second method
    beside: Option<Run>,                 // the inertia matrix or Jacobian of the rows
    outside: reactions::Workspace,
    q: Vec<f64>,   // of the rows, for wrenches from outside
    tau: Vec<f64>, // with what these do
}

impl OwnCoordinates {
    pub(super) fn new(robot: &Mechanism, question: Question, method: &Method, target: Target, plain: bool) -> Self {
        let is_default = matches!(method.how, How::Kernel);
        let is_derivative =
            matches!(question, Question::InverseDynamicsDerivatives | Question::ForwardDynamicsDerivatives);
        let equations = generalised::equations(method).unwrap_or(Equations::GibbsAppell);
        let beside = generalised::beside(robot, question).map(|beside| match beside {
            Question::InertiaMatrix if !is_default => slice(composite_body::Workspace::new(robot), |robot, ws, s| {
                composite_body::inertia_matrix(robot, ws, s.q)
            }),
            beside => ready(robot, beside, target, plain),
        });
        Self {
            question,
            layer: Generalised::with_scalar(robot, question, equations, 0.0),
            directly: (is_derivative && !is_default).then(|| Box::new(by_q::Direct::new(robot))),
            by_motors: (question == Question::MotorTorques && !is_default)
                .then(|| ByMotors::new(robot).map(Box::new))
                .flatten(),
            beside,
            outside: reactions::Workspace::new(robot),
            q: vec![0.0; robot.dof()],
            tau: vec![0.0; robot.velocities().len()],
        }
    }

    /// Answers for a state whose vectors have the right lengths. `run` is the method of the rows.
    pub(super) fn evaluate(
        &mut self,
        robot: &Mechanism,
        state: &State<'_>,
        row: &mut [f64],
        mut run: impl FnMut(&State<'_>, &mut [f64]) -> Result<(), InertiaError>,
    ) -> Result<(), InertiaError> {
        let Self { question, layer, directly, by_motors, beside, outside, q: rows, tau: sum } = self;
        let State { q, v, a, mut tau, w, .. } = *state;
        if let Some(ws) = directly {
            let found = match question {
                Question::ForwardDynamicsDerivatives => by_q::of_forward_dynamics_directly(robot, ws, q, v, tau)?,
                _ => by_q::of_inverse_dynamics_directly(robot, ws, q, v, a),
            };
            generalised::lay_out(found, row);
            return Ok(());
        }
        if *question == Question::ForwardDynamics
            && !state.external.is_empty()
            && let Some(own) = robot.coordinates()
        {
            own.anchor(q, rows);
            sum.copy_from_slice(tau);
            own.add_collected(reactions::external_joint_forces(robot, outside, rows, state.external), sum);
            tau = sum;
        }
        let inputs = Inputs { q, v, a, tau, w };
        let run = |asked: Question, of_rows: &Inputs<'_, f64>, row: &mut [f64]| {
            let &Inputs { q, v, a, tau, w } = of_rows;
            let state = State { q, v, a, tau, w, ..*state };
            match beside {
                Some(beside) if asked != *question => beside(robot, &state, row),
                _ => run(&state, row),
            }
        };
        match by_motors {
            Some(by_motors) => by_motors.evaluate(robot, &inputs, row, run),
            None => layer.evaluate(robot, &inputs, row, run),
        }
    }
}
