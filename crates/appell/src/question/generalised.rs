//! Questions in a robot's own [coordinates](crate::mechanism::Coordinates), on numbers of any kind, answered by methods that take the
//! rows of its tree as free joints.
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
//! | torques of motors | N⁻ᵀ Sᵀ τ, see [`Motors`] |
//! | regressor | Sᵀ Y, of bodies that a user knows |
//! | forward dynamics, derivatives | [`generalised`], [`derivatives::generalised`](by_q) |

use super::kernel::{self, Inputs};
use super::method::How;
use super::{Input, Method, Question};
use crate::dynamics::derivatives::{Derivatives, generalised as by_q};
use crate::dynamics::joint_space::Equations;
use crate::dynamics::regressor::PARAMETERS_PER_BODY;
use crate::dynamics::{InertiaError, generalised};
use crate::mechanism::{Coordinates, Mechanism, Motors};
use crate::real::{Measured, Real};

/// What stands between the states of a robot and the methods.
pub struct Generalised<T> {
    question: Question,
    own: Own<T>,
    q: Vec<T>, // of the rows, as the next three
    v: Vec<T>,
    a: Vec<T>,
    w: Vec<T>,
    local: Vec<T>,     // accelerations, then what is added to forces
    forces: Vec<T>,    // along velocities
    answer: Vec<T>,    // of the rows
    second: Vec<T>,    // inertia matrix or Jacobian of the rows
    projected: Vec<T>, // Sᵀ M S
}

/// What answers instead of a method of the rows.
enum Own<T> {
    Nothing,
    Forward(Box<generalised::Workspace<T>>),
    Derivatives(Box<by_q::Workspace<T>>),
    Motors(Motors), // torques of the rows first
}

impl<T: Measured> Generalised<T> {
    /// Memory for a question of a robot over the numbers of the kind of `like`; forward dynamics takes these equations.
    ///
    /// # Panics
    /// If the robot has no coordinates but its rows.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, question: Question, equations: Equations, like: T) -> Self {
        let (n, m) = (robot.dof(), of(robot).velocities().len());
        let own = match question {
            Question::ForwardDynamics => {
                Own::Forward(Box::new(generalised::Workspace::with_scalar(robot, equations, like)))
            }
            Question::InverseDynamicsDerivatives | Question::ForwardDynamicsDerivatives => {
                Own::Derivatives(Box::new(by_q::Workspace::with_scalar(robot, like)))
            }
            Question::MotorTorques => Own::Motors(robot.motors()),
            _ => Own::Nothing,
        };
        let answer = match own {
            Own::Nothing | Own::Motors(_) => question.columns(&robot.rows().into()).len(),
            _ => 0,
        };
        let (second, projected) = match beside(robot, question) {
            Some(Question::Jacobian) => (6 * n, 0),
            Some(_) => (n * n, m * m),
            None => (0, 0),
        };
        let zeros = |count| vec![like.zero(); count];
        Self {
            question,
            own,
            q: zeros(n),
            v: zeros(n),
            a: zeros(n),
            w: zeros(n),
            local: zeros(m),
            forces: zeros(m),
            answer: zeros(answer),
            second: zeros(second),
            projected: zeros(projected),
        }
    }

    /// Answers for a state whose vectors have the right lengths. `run` answers the question, and the one
    /// [beside] it, for the tree with every row a coordinate of its own.
    ///
    /// # Errors
    /// If the inertia matrix is singular.
    ///
    /// # Panics
    /// If a vector has the wrong length.
    pub fn evaluate(
        &mut self,
        robot: &Mechanism,
        state: &Inputs<'_, T>,
        row: &mut [T],
        mut run: impl FnMut(Question, &Inputs<'_, T>, &mut [T]) -> Result<(), InertiaError>,
    ) -> Result<(), InertiaError> {
        let coordinates = of(robot);
        let Self { question, own, q, v, a, w, local, forces, answer, second, projected } = self;
        let question = *question;
        match own {
            Own::Nothing | Own::Motors(_) => {}
            Own::Forward(ws) => {
                row.copy_from_slice(generalised::forward_dynamics(robot, ws, state.q, state.v, state.tau)?);
                return Ok(());
            }
            Own::Derivatives(ws) => {
                let found = match question {
                    Question::ForwardDynamicsDerivatives => {
                        by_q::of_forward_dynamics(robot, ws, state.q, state.v, state.tau)?
                    }
                    _ => by_q::of_inverse_dynamics(robot, ws, state.q, state.v, state.a),
                };
                lay_out(found, row);
                return Ok(());
            }
        }
        coordinates.anchor(state.q, q);
        local.fill(q[0].zero());
        if question.reads(Input::Velocities) {
            coordinates.spread(state.v, v);
            let other = if question.reads(Input::SecondVelocities) { state.w } else { state.v };
            coordinates.spread(other, w);
            coordinates.bias(state.v, other, local);
        }
        if question.reads(Input::Accelerations) {
            for (local, &a) in local.iter_mut().zip(state.a) {
                *local = *local + a;
            }
        }
        coordinates.spread(local, a);
        let of_rows = Inputs { q, v, a, w, tau: &[] };
        if is_same(question) {
            return run(question, &of_rows, row);
        }
        run(question, &of_rows, answer)?;
        if let Some(beside) = beside(robot, question) {
            run(beside, &of_rows, second)?;
        }
        let n = robot.dof();
        if let Own::Motors(motors) = own {
            coordinates.collect(answer, forces);
            motors.torques(forces, row);
            return Ok(());
        }
        match question {
            Question::InertiaMatrix => coordinates.project(answer, row),
            Question::CoriolisMatrix => {
                coordinates.project(answer, row);
                if !second.is_empty() {
                    coordinates.project(second, projected);
                    add_bias_matrix(coordinates, state.v, projected, [local, forces], row);
                }
            }
            Question::Jacobian | Question::CentreOfMassJacobian => coordinates.columns(answer, row),
            Question::JacobianRate => {
                for (cell, (&rate, jacobian)) in row.iter_mut().zip(answer.iter().zip(second.chunks_exact(n))) {
                    *cell = dot(jacobian, a, rate);
                }
            }
            Question::Regressor => regress(coordinates, answer, [forces, v], row),
            Question::Frames | Question::Velocities | Question::Accelerations | Question::Reactions => {
                let frames = if question == Question::Reactions { n } else { robot.frames().len() };
                let size = answer.len() / frames;
                let shown = coordinates.shown().iter().copied().chain(n..frames);
                for (from, to) in shown.zip(row.chunks_exact_mut(size)) {
                    to.copy_from_slice(&answer[from * size..][..size]);
                }
            }
            _ => {
                if !second.is_empty() {
                    for (force, inertia) in answer.iter_mut().zip(second.chunks_exact(n)) {
                        *force = dot(inertia, a, *force);
                    }
                }
                coordinates.collect(answer, row);
            }
        }
        Ok(())
    }
}

/// The question whose answer for the rows is needed beside that of `question`, if any is.
#[must_use]
pub fn beside(robot: &Mechanism, question: Question) -> Option<Question> {
    match question {
        Question::JacobianRate => Some(Question::Jacobian),
        Question::Bias | Question::CoriolisVector | Question::CoriolisMatrix if !of(robot).is_linear() => {
            Some(Question::InertiaMatrix)
        }
        _ => None,
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
fn add_bias_matrix<T: Real>(
    coordinates: &Coordinates,
    v: &[T],
    inertia: &[T],
    [unit, bias]: [&mut Vec<T>; 2],
    row: &mut [T],
) {
    let (m, zero) = (v.len(), v[0].zero());
    unit.fill(zero);
    for k in 0..m {
        unit[k] = zero.constant(1.0);
        coordinates.bias(v, unit, bias);
        unit[k] = zero;
        for i in 0..m {
            row[i * m + k] = dot(&inertia[i * m..][..m], bias, row[i * m + k]);
        }
    }
}

/// The columns of a regressor that a user's robot has, its rows collected.
fn regress<T: Real>(coordinates: &Coordinates, of_rows: &[T], [forces, column]: [&mut Vec<T>; 2], row: &mut [T]) {
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
        for (i, &force) in forces.iter().enumerate() {
            row[i * own_width + own] = force;
        }
    }
}

/// a · b, and what is there already.
fn dot<T: Real>(a: &[T], b: &[T], already: T) -> T {
    a.iter().zip(b).fold(already, |sum, (&a, &b)| a.mul_add(b, sum))
}

/// Three matrices one after the other.
pub(super) fn lay_out<T: Copy>(Derivatives { by_q, by_v, by_input }: &Derivatives<T>, row: &mut [T]) {
    let entries = by_q.iter().chain(by_v).chain(by_input);
    row.iter_mut().zip(entries).for_each(|(cell, &entry)| *cell = entry);
}

/// The methods of a question that take rows as free joints: all but those of forward dynamics that are no equations of rows.
pub(super) fn has_method(question: Question, method: &Method) -> bool {
    match question {
        Question::ForwardDynamics => equations(method).is_some(),
        Question::ForwardDynamicsDerivatives => method.name != "articulated-body",
        _ => kernel::has(question) || matches!(method.how, How::Open(_)),
    }
}

/// The equations of rows by which a method of forward dynamics goes, if it goes by such.
pub(super) fn equations(method: &Method) -> Option<Equations> {
    match method.name {
        "gibbs-appell" => Some(Equations::GibbsAppell),
        "composite-body" => Some(Equations::CompositeBody),
        "orthogonal-complement" => Some(Equations::OrthogonalComplement),
        _ => None,
    }
}

/// The coordinates of a robot that has some.
fn of(robot: &Mechanism) -> &Coordinates {
    robot.coordinates().expect("a robot whose coordinates are not its rows")
}
