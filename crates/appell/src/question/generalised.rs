//! Questions in a robot's own [coordinates](crate::mechanism::Coordinates), answered by methods that take the rows of its tree as
//! free joints.
//!
//! With S, B and ẋ as there, and B = 1 where a position has just been anchored:
//!
//! | question | of the rows' answer |
//! |---|---|
//! | forces | Sᵀ τ, at accelerations S (a + Ḃ v) |
//! | forces without accelerations | Sᵀ (c + M S Ḃ v) |
//! | inertia, Coriolis matrix | Sᵀ M S; Sᵀ (C S + M S Ḃ) |
//! | Jacobians | J S; rate times v: J̇ v + J S Ḃ v |
//! | frames, reactions | those of bodies that a user knows |
//! | regressor | Sᵀ Y, of bodies that a user knows |
//! | forward dynamics, derivatives | [`generalised`], [`derivatives::generalised`](by_q) |

use super::kernel;
use super::method::{How, Run};
use super::methods::concatenate;
use super::open::ready;
use super::{Input, Method, Question, State, Target};
use crate::dynamics::derivatives::{Derivatives, generalised as by_q};
use crate::dynamics::joint_space::Equations;
use crate::dynamics::regressor::PARAMETERS_PER_BODY;
use crate::dynamics::{InertiaError, composite_body, generalised, reactions};
use crate::mechanism::{Coordinates, Mechanism};

/// What stands between the states of a robot and the methods.
pub(super) struct Generalised {
    beside: Beside,
    outside: reactions::Workspace,
    q: Vec<f64>, // of the rows, as the next three
    v: Vec<f64>,
    a: Vec<f64>,
    w: Vec<f64>,
    local: Vec<f64>,     // accelerations, then what is added to forces
    tau: Vec<f64>,       // forces of drives and from outside
    answer: Vec<f64>,    // of the rows
    second: Vec<f64>,    // inertia matrix or Jacobian of the rows
    projected: Vec<f64>, // Sᵀ M S
}

/// What answers beside the method of the rows.
enum Beside {
    Nothing,
    Forward(Box<generalised::Workspace>),
    Derivatives(Box<by_q::Workspace>),
    Directly(Box<by_q::Direct>),
    Second(Run), // the inertia matrix or Jacobian of the rows
}

impl Generalised {
    pub(super) fn new(robot: &Mechanism, question: Question, method: &Method, target: Target, plain: bool) -> Self {
        let (n, coordinates) = (robot.dof(), of(robot));
        let m = coordinates.velocities().len();
        let is_default = matches!(method.how, How::Kernel);
        let beside = match question {
            Question::ForwardDynamics => {
                let equations = match method.name {
                    "composite-body" => Equations::CompositeBody,
                    "orthogonal-complement" => Equations::OrthogonalComplement,
                    _ => Equations::GibbsAppell,
                };
                Beside::Forward(Box::new(generalised::Workspace::with_scalar(robot, equations, 0.0)))
            }
            Question::InverseDynamicsDerivatives | Question::ForwardDynamicsDerivatives if is_default => {
                Beside::Derivatives(Box::new(by_q::Workspace::new(robot)))
            }
            Question::InverseDynamicsDerivatives | Question::ForwardDynamicsDerivatives => {
                Beside::Directly(Box::new(by_q::Direct::new(robot)))
            }
            Question::JacobianRate => Beside::Second(ready(robot, Question::Jacobian, target, plain)),
            Question::Bias | Question::CoriolisVector | Question::CoriolisMatrix if !coordinates.is_linear() => {
                Beside::Second(if is_default {
                    ready(robot, Question::InertiaMatrix, target, plain)
                } else {
                    super::methods::slice(composite_body::Workspace::new(robot), |robot, ws, s| {
                        composite_body::inertia_matrix(robot, ws, s.q)
                    })
                })
            }
            _ => Beside::Nothing,
        };
        let second = match (&beside, question) {
            (Beside::Second(_), Question::JacobianRate) => 6 * n,
            (Beside::Second(_), _) => n * n,
            _ => 0,
        };
        let answer = match beside {
            Beside::Nothing | Beside::Second(_) => question.columns(&robot.rows().into()).len(),
            _ => 0,
        };
        Self {
            outside: reactions::Workspace::new(robot),
            q: vec![0.0; n],
            v: vec![0.0; n],
            a: vec![0.0; n],
            w: vec![0.0; n],
            local: vec![0.0; m],
            tau: vec![0.0; m],
            answer: vec![0.0; answer],
            projected: vec![0.0; if second == n * n { m * m } else { 0 }],
            second: vec![0.0; second],
            beside,
        }
    }

    /// Answers for a state whose vectors have the right lengths. `run` is the method of the rows.
    pub(super) fn evaluate(
        &mut self,
        robot: &Mechanism,
        question: Question,
        state: &State<'_>,
        row: &mut [f64],
        mut run: impl FnMut(&State<'_>, &mut [f64]) -> Result<(), InertiaError>,
    ) -> Result<(), InertiaError> {
        let coordinates = of(robot);
        let Self { beside, outside, q, v, a, w, local, tau, answer, second, projected } = self;
        match beside {
            Beside::Forward(forward) => {
                tau.copy_from_slice(state.tau);
                if !state.external.is_empty() {
                    coordinates.anchor(state.q, q);
                    let forces = reactions::external_joint_forces(robot, outside, q, state.external);
                    coordinates.add_collected(forces, tau);
                }
                row.copy_from_slice(generalised::forward_dynamics(robot, forward, state.q, state.v, tau)?);
                return Ok(());
            }
            Beside::Derivatives(ws) => {
                concatenate(
                    by_all(match question {
                        Question::ForwardDynamicsDerivatives => {
                            by_q::of_forward_dynamics(robot, ws, state.q, state.v, state.tau)?
                        }
                        _ => by_q::of_inverse_dynamics(robot, ws, state.q, state.v, state.a),
                    }),
                    row,
                );
                return Ok(());
            }
            Beside::Directly(ws) => {
                concatenate(
                    by_all(match question {
                        Question::ForwardDynamicsDerivatives => {
                            by_q::of_forward_dynamics_directly(robot, ws, state.q, state.v, state.tau)?
                        }
                        _ => by_q::of_inverse_dynamics_directly(robot, ws, state.q, state.v, state.a),
                    }),
                    row,
                );
                return Ok(());
            }
            Beside::Nothing | Beside::Second(_) => {}
        }
        coordinates.anchor(state.q, q);
        if question.reads(Input::Velocities) {
            coordinates.spread(state.v, v);
            let second = if question.reads(Input::SecondVelocities) { state.w } else { state.v };
            coordinates.spread(second, w);
            coordinates.bias(state.v, second, local);
        } else {
            local.fill(0.0);
        }
        if question.reads(Input::Accelerations) {
            local.iter_mut().zip(state.a).for_each(|(local, a)| *local += a);
        }
        coordinates.spread(local, a);
        let of_rows = State { q, v, a, w, ..*state };
        let n = robot.dof();
        if is_same(question) {
            return run(&of_rows, row);
        }
        run(&of_rows, answer)?;
        if let Beside::Second(second_question) = beside {
            second_question(robot, &of_rows, second)?;
        }
        match question {
            Question::InertiaMatrix => coordinates.project(answer, row),
            Question::CoriolisMatrix => {
                coordinates.project(answer, row);
                if !coordinates.is_linear() {
                    coordinates.project(second, projected);
                    add_bias_matrix(coordinates, state.v, projected, [local, tau], row);
                }
            }
            Question::Jacobian | Question::CentreOfMassJacobian => coordinates.columns(answer, row),
            Question::JacobianRate => {
                for (cell, (rate, jacobian)) in row.iter_mut().zip(answer.iter().zip(second.chunks_exact(n))) {
                    *cell = rate + dot(jacobian, a);
                }
            }
            Question::Regressor => regress(coordinates, answer, [tau, v], row),
            Question::Bias | Question::CoriolisVector => {
                if !coordinates.is_linear() {
                    for (force, inertia) in answer.iter_mut().zip(second.chunks_exact(n)) {
                        *force += dot(inertia, a);
                    }
                }
                coordinates.collect(answer, row);
            }
            Question::Frames | Question::Velocities | Question::Accelerations | Question::Reactions => {
                let frames = if question == Question::Reactions { n } else { robot.frames().len() };
                let size = answer.len() / frames;
                let shown = coordinates.shown().iter().copied().chain(n..frames);
                for (from, to) in shown.zip(row.chunks_exact_mut(size)) {
                    to.copy_from_slice(&answer[from * size..][..size]);
                }
            }
            _ => coordinates.collect(answer, row),
        }
        Ok(())
    }
}

/// Whether the rows' answer is the robot's.
fn is_same(question: Question) -> bool {
    matches!(
        question,
        Question::Energy
            | Question::Momentum
            | Question::CentreOfMass
            | Question::GibbsFunction
            | Question::Singularity
    )
}

/// Adds Sᵀ M S Ḃ(v), column by column.
fn add_bias_matrix(
    coordinates: &Coordinates,
    v: &[f64],
    inertia: &[f64],
    [unit, bias]: [&mut Vec<f64>; 2],
    row: &mut [f64],
) {
    let m = v.len();
    unit.fill(0.0);
    for k in 0..m {
        unit[k] = 1.0;
        coordinates.bias(v, unit, bias);
        unit[k] = 0.0;
        for i in 0..m {
            row[i * m + k] += dot(&inertia[i * m..][..m], bias);
        }
    }
}

/// The columns of a regressor that a user's robot has, its rows collected.
fn regress(coordinates: &Coordinates, of_rows: &[f64], [forces, column]: [&mut Vec<f64>; 2], row: &mut [f64]) {
    let (n, m, shown) = (column.len(), forces.len(), coordinates.shown());
    let width = of_rows.len() / n;
    let own_width = row.len() / m;
    let bodies = shown.iter().flat_map(|&j| (0..PARAMETERS_PER_BODY).map(move |k| PARAMETERS_PER_BODY * j + k));
    let of_joint = width / n - PARAMETERS_PER_BODY;
    let joints = shown.iter().flat_map(|&j| (0..of_joint).map(move |k| PARAMETERS_PER_BODY * n + of_joint * j + k));
    for (own, from) in bodies.chain(joints).enumerate() {
        for (number, of_row) in column.iter_mut().zip(of_rows.chunks_exact(width)) {
            *number = of_row[from];
        }
        coordinates.collect(column, forces);
        for (i, force) in forces.iter().enumerate() {
            row[i * own_width + own] = *force;
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn by_all(Derivatives { by_q, by_v, by_input }: &Derivatives) -> [&[f64]; 3] {
    [by_q, by_v, by_input]
}

/// The methods of a question that take rows as free joints: all but those of forward dynamics that are no equations of rows.
pub(super) fn has_method(question: Question, method: &Method) -> bool {
    match question {
        Question::ForwardDynamics => {
            matches!(method.name, "gibbs-appell" | "composite-body" | "orthogonal-complement")
        }
        Question::ForwardDynamicsDerivatives => method.name != "articulated-body",
        _ => kernel::has(question) || matches!(method.how, How::Open(_)),
    }
}

/// The coordinates of a robot that has some.
fn of(robot: &Mechanism) -> &Coordinates {
    robot.coordinates().expect("a robot whose coordinates are not its rows")
}
