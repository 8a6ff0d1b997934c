//! What is recorded of chains and trees: the library's own methods, run on expressions.

use super::expr::Expr;
use super::parameter::{self, Owner, Parameter};
use appell::description::BodyDescription;
use appell::dynamics::joint_space::Equations;
use appell::dynamics::link_origins::{self, Bodies, Body};
use appell::dynamics::regressor::PARAMETERS_PER_BODY;
use appell::dynamics::{InertiaError, regressor};
use appell::linear::Ltdl;
use appell::mechanism::Mechanism;
use appell::question::generalised::Generalised;
use appell::question::kernel::{self, Inputs, Kernel, Visitor};
use appell::question::{Input, Question, Target};
use appell::real::{Fused, Real};
use appell::spatial::{Sym3, Vec3};

/// The vectors that a question reads; those that it does not are empty.
pub(super) type Vectors<'s, T> = Inputs<'s, T>;

/// From the numbers of all inputs of a question, one after the other.
pub(super) fn split<'s, T>(question: Question, robot: &Mechanism, numbers: &'s [T]) -> Vectors<'s, T> {
    let mut state = Vectors { q: &[], v: &[], a: &[], tau: &[], w: &[] };
    let mut rest = numbers;
    for input in question.inputs() {
        let size = if *input == Input::Positions { robot.positions().len() } else { robot.velocities().len() };
        let (vector, others) = rest.split_at(size);
        rest = others;
        match input {
            Input::Positions => state.q = vector,
            Input::Velocities => state.v = vector,
            Input::Accelerations => state.a = vector,
            Input::Forces => state.tau = vector,
            Input::SecondVelocities => state.w = vector,
        }
    }
    state
}

/// Whether a question is answered in the ten parameters of each body, so that they can be regrouped, and kept.
pub(super) const fn is_about_origins(question: Question) -> bool {
    matches!(
        question,
        Question::InverseDynamics
            | Question::ForwardDynamics
            | Question::InertiaMatrix
            | Question::Bias
            | Question::Gravity
            | Question::CoriolisVector
            | Question::InverseDynamicsDerivatives
            | Question::ForwardDynamicsDerivatives
    )
}

/// Answers by the library's default method on expressions: the question's kernel, and what stands between it and the robot's
/// own coordinates.
pub(super) fn by_default<'g>(
    robot: &Mechanism,
    question: Question,
    target: Target,
    state: Vectors<'_, Expr<'g>>,
) -> Result<Vec<Expr<'g>>, InertiaError> {
    if robot.coordinates().is_none() {
        return of_rows(robot, question, target, state);
    }
    let like = state.q[0];
    let mut answer = vec![like.zero(); question.columns(&robot.into()).len()];
    let mut layer = Generalised::with_scalar(robot, question, Equations::default(), like);
    layer.evaluate(robot, &state, &mut answer, |question, state, row| {
        row.copy_from_slice(&of_rows(robot, question, target, *state)?);
        Ok(())
    })?;
    Ok(answer)
}

/// The question's kernel on expressions, every row of the tree a coordinate of its own.
fn of_rows<'g>(
    robot: &Mechanism,
    question: Question,
    target: Target,
    state: Vectors<'_, Expr<'g>>,
) -> Result<Vec<Expr<'g>>, InertiaError> {
    struct Record<'r, 's, 'g>(&'r Mechanism, Target, Vectors<'s, Expr<'g>>);
    impl<'g> Visitor for Record<'_, '_, 'g> {
        type Output = Result<Vec<Expr<'g>>, InertiaError>;

        fn visit<K: Kernel>(self) -> Self::Output
        where
            K::Memory<f64>: Send,
            K::Memory<Fused>: Send,
        {
            let Self(robot, target, state) = self;
            let mut answer = Vec::new();
            let mut memory = K::memory(robot, target, state.q[0]);
            K::run(robot, &mut memory, &state, |column, number| {
                answer.resize(answer.len().max(column + 1), number);
                answer[column] = number;
            })?;
            Ok(answer)
        }
    }
    kernel::visit(question, Record(robot, target, state)).expect("`answers` refuses what has no kernel")
}

/// The bodies of a robot, of which the parameters `kept` are other numbers.
pub(super) fn bodies<T: Real>(robot: &Mechanism, like: T, kept: &[(Parameter, T)]) -> Bodies<T> {
    Bodies::of(robot, like, |j| {
        let owner = Owner::Body(j);
        kept.iter().find(|(parameter, _)| parameter.owner == owner)?;
        let BodyDescription { mass, com, inertia } = robot.body(j);
        let (mass, com, inertia) = parameter::with_kept(mass, com, inertia, like, owner, kept);
        Some(Body::new(mass, com, inertia, &robot.frames()[j].body_from_frame))
    })
}

/// Adds a mass at a point of a body, in the body's own frame.
pub(super) fn load<T: Real>(bodies: &mut Bodies<T>, robot: &Mechanism, body: usize, mass: T, at: Vec3<f64>) {
    let pose = &robot.frames()[body].body_from_frame;
    let whole = bodies.as_slice()[body] + Body::new(mass, at.lift(mass), Sym3::zero(mass), pose);
    bodies.put(body, Body { is_round: false, ..whole });
}

/// Answers about the links' origins, for [`is_about_origins`] and the regressor.
pub(super) fn about_origins<'g>(
    robot: &Mechanism,
    bodies: &Bodies<Expr<'g>>,
    question: Question,
    state: Vectors<'_, Expr<'g>>,
) -> Result<Vec<Expr<'g>>, InertiaError> {
    let Vectors { q, v, a, tau, .. } = state;
    let ws = &mut link_origins::Workspace::with_scalar(robot, q[0]);
    Ok(match question {
        Question::InverseDynamics => link_origins::inverse_dynamics(robot, bodies, ws, q, v, a).to_vec(),
        Question::Bias => link_origins::bias(robot, bodies, ws, q, v).to_vec(),
        Question::CoriolisVector => link_origins::coriolis_vector(robot, bodies, ws, q, v).to_vec(),
        Question::Gravity => link_origins::gravity(robot, bodies, ws, q).to_vec(),
        Question::InertiaMatrix => link_origins::inertia_matrix(robot, bodies, ws, q).to_vec(),
        Question::ForwardDynamics => link_origins::forward_dynamics(robot, bodies, ws, q, v, tau)?.to_vec(),
        Question::InverseDynamicsDerivatives => {
            let tau = link_origins::inverse_dynamics(robot, bodies, ws, q, v, a).to_vec();
            let slopes = slopes(&tau, q, v);
            [&slopes[..], link_origins::inertia_matrix(robot, bodies, ws, q)].concat()
        }
        Question::ForwardDynamicsDerivatives => {
            let found = link_origins::forward_dynamics(robot, bodies, ws, q, v, tau)?.to_vec();
            // τ(q, q̇, q̈) is differentiated with q̈ held; what q̈ is, is put in afterwards.
            let free = |(j, a): (usize, &Expr<'g>)| q[0].recorder().input(FREE + j, a.value());
            let a: Vec<Expr<'g>> = found.iter().enumerate().map(free).collect();
            let tau = link_origins::inverse_dynamics(robot, bodies, ws, q, v, &a).to_vec();
            let pairs: Vec<_> = a.into_iter().zip(found).collect();
            let slopes = Expr::substituted(&slopes(&tau, q, v), &pairs);
            let inertia = link_origins::inertia_matrix(robot, bodies, ws, q);
            through_inertia(inertia, &slopes, q.len())
        }
        Question::Regressor => unit_bodies(robot, state)?,
        other => unreachable!("{} is not about the links' origins", other.name()),
    })
}

/// Places of inputs that no caller gives.
pub(super) const FREE: usize = 1 << 20;

/// ∂τ/∂q and ∂τ/∂q̇, each row by row.
fn slopes<'g>(tau: &[Expr<'g>], q: &[Expr<'g>], v: &[Expr<'g>]) -> Vec<Expr<'g>> {
    let (n, one) = (tau.len(), q[0].constant(1.0));
    let mut slopes = vec![q[0].zero(); 2 * n * n];
    for (k, &variable) in q.iter().chain(v).enumerate() {
        for (row, slope) in Expr::derivatives(tau, &[(variable, one)]).into_iter().enumerate() {
            slopes[k / n * n * n + row * n + k % n] = slope;
        }
    }
    slopes
}

/// ∂q̈/∂x = −M⁻¹ ∂τ/∂x for x = q, q̇, and ∂q̈/∂τ = M⁻¹.
fn through_inertia<T: Real>(inertia: &[T], slopes: &[T], n: usize) -> Vec<T> {
    let zero = inertia[0].zero();
    let mut solver = Ltdl::new(n, zero);
    solver.decompose(inertia);
    let mut answer = vec![zero; 3 * n * n];
    for k in 0..3 * n {
        let (block, column) = (k / n * n * n, k % n);
        let demand = |row: usize| match slopes.get(block + row * n + column) {
            Some(&slope) => -slope,
            None => zero.constant(if row == column { 1.0 } else { 0.0 }),
        };
        let mut x: Vec<T> = (0..n).map(demand).collect();
        solver.solve(&mut x);
        x.into_iter().enumerate().for_each(|(row, x)| answer[block + row * n + column] = x);
    }
    answer
}

/// The regressor, its columns of bodies each by the forces of a body of which one parameter is one.
fn unit_bodies<'g>(robot: &Mechanism, state: Vectors<'_, Expr<'g>>) -> Result<Vec<Expr<'g>>, InertiaError> {
    let Vectors { q, v, a, .. } = state;
    let mut matrix = by_default(robot, Question::Regressor, Target::default(), state)?;
    let bare = robot.with_effects(|_, _| appell::description::JointEffects::default());
    let (width, mut ws) = (regressor::columns(robot), link_origins::Workspace::with_scalar(robot, q[0]));
    for column in 0..PARAMETERS_PER_BODY * robot.dof() {
        let (body, parameter) = (column / PARAMETERS_PER_BODY, column % PARAMETERS_PER_BODY);
        let one = |other: usize| q[0].constant(if parameter == other { 1.0 } else { 0.0 });
        let first_moment = Vec3::new(one(1), one(2), one(3));
        let inertia = Sym3 { xx: one(4), xy: one(5), yy: one(6), xz: one(7), yz: one(8), zz: one(9) };
        let pose = &robot.frames()[body].body_from_frame;
        let bodies = Bodies::alone(robot, body, Body::of_parameters(one(0), first_moment, inertia, pose));
        let tau = link_origins::inverse_dynamics(&bare, &bodies, &mut ws, q, v, a);
        tau.iter().enumerate().for_each(|(row, &tau)| matrix[row * width + column] = tau);
    }
    Ok(matrix)
}
