//! Questions as functions of numbers of any kind: one text for a single state and for all lanes of a processor.

use crate::dynamics::derivatives::{Derivatives, analytic};
use crate::dynamics::{
    InertiaError, coriolis, energy, gibbs_appell_forward, gibbs_appell_inertia, gibbs_appell_tensor, gibbs_function,
    momentum, reactions, regressor, statics,
};
use crate::kinematics;
use crate::mechanism::{Axes, Mechanism};
use crate::question::{Question, Target};
use crate::real::{Fused, Measured};

/// A state over numbers of any kind.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "named as everywhere")]
pub struct Inputs<'s, T> {
    pub q: &'s [T],
    pub v: &'s [T],
    pub a: &'s [T],
    pub tau: &'s [T],
    pub w: &'s [T],
}

/// A question on numbers of any kind, with the memory it needs.
pub trait Kernel: 'static {
    /// What it is computed with.
    type Memory<T: Measured>;

    /// Memory for a robot.
    fn memory<T: Measured>(robot: &Mechanism, target: Target, like: T) -> Self::Memory<T>;

    /// Answers a state; every number is handed to `put` with its column. It is inlined where the processor's instructions are
    /// known.
    fn run<T: Measured>(
        robot: &Mechanism,
        memory: &mut Self::Memory<T>,
        state: &Inputs<'_, T>,
        put: impl FnMut(usize, T),
    ) -> Result<(), InertiaError>;
}

/// What is to be done with the kernel of a question, whichever it is.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it. Memory of single states may go to another thread.
    fn visit<K: Kernel>(self) -> Self::Output
    where
        K::Memory<f64>: Send,
        K::Memory<Fused>: Send;
}

/// Whether a question has a kernel.
#[must_use]
pub fn has(question: Question) -> bool {
    struct Here;
    impl Visitor for Here {
        type Output = ();
        fn visit<K: Kernel>(self) {}
    }
    visit(question, Here).is_some()
}

/// Hands over numbers one after the other.
#[inline(always)]
fn lay_out<T: Copy>(put: &mut impl FnMut(usize, T), numbers: &[T]) {
    for (column, &number) in numbers.iter().enumerate() {
        put(column, number);
    }
}

/// Hands over groups of numbers one after the other.
#[inline(always)]
fn lay_out_groups<T: Copy, const N: usize>(put: &mut impl FnMut(usize, T), groups: impl Iterator<Item = [T; N]>) {
    for (first, group) in groups.enumerate() {
        for (column, number) in group.into_iter().enumerate() {
            put(first * N + column, number);
        }
    }
}

/// Hands over three matrices one after the other.
#[inline(always)]
fn lay_out_slopes<T: Copy>(put: &mut impl FnMut(usize, T), Derivatives { by_q, by_v, by_input }: &Derivatives<T>) {
    for (k, matrix) in [by_q, by_v, by_input].into_iter().enumerate() {
        let first = k * matrix.len();
        for (column, &number) in matrix.iter().enumerate() {
            put(first + column, number);
        }
    }
}

/// Kernels: the name, its memory, how that is made if not by `with_scalar`, and the answer.
macro_rules! kernels {
    ($($name:ident: $memory:ty,
       $(make |$of:ident, $target:ident, $like:ident| $make:expr,)?
       |$robot:ident, $ws:ident, $s:ident, $put:ident| $answer:expr;)*) => {
    $(
        #[doc = concat!("[`Question::", stringify!($name), "`] on any number.")]
        #[derive(Debug)]
        pub struct $name;

        impl Kernel for $name {
            type Memory<T: Measured> = $memory;

            fn memory<T: Measured>(robot: &Mechanism, target: Target, like: T) -> Self::Memory<T> {
                let _ = target;
                kernels!(@memory $memory, robot, target, like $(, |$of, $target, $like| $make)?)
            }

            #[inline(always)]
            fn run<T: Measured>(
                $robot: &Mechanism,
                $ws: &mut Self::Memory<T>,
                $s: &Inputs<'_, T>,
                mut put: impl FnMut(usize, T),
            ) -> Result<(), InertiaError> {
                let $put = &mut put;
                $answer;
                Ok(())
            }
        }
    )*

        /// Does something with the kernel of a question; `None` if it has none, because it looks at values or is of closed
        /// robots alone.
        pub fn visit<V: Visitor>(question: Question, visitor: V) -> Option<V::Output> {
            Some(match question {
                $(Question::$name => visitor.visit::<$name>(),)*
                _ => return None,
            })
        }
    };
    (@memory $memory:ty, $robot:ident, $target:ident, $like:ident) => { <$memory>::with_scalar($robot, $like) };
    (@memory $memory:ty, $($given:ident),*, |$($own:ident),*| $make:expr) => {{
        let ($($own),*) = ($($given),*);
        $make
    }};
}

kernels! {
    InverseDynamics: gibbs_appell_tensor::Workspace<T>,
        |robot, ws, s, put| lay_out(put, gibbs_appell_tensor::inverse_dynamics(robot, ws, s.q, s.v, s.a));
    MotorTorques: gibbs_appell_tensor::Workspace<T>,
        |robot, ws, s, put| lay_out(put, gibbs_appell_tensor::inverse_dynamics(robot, ws, s.q, s.v, s.a));
    Bias: gibbs_appell_tensor::Workspace<T>,
        |robot, ws, s, put| lay_out(put, gibbs_appell_tensor::bias(robot, ws, s.q, s.v));
    CoriolisVector: gibbs_appell_tensor::Workspace<T>,
        |robot, ws, s, put| lay_out(put, gibbs_appell_tensor::coriolis_vector(robot, ws, s.q, s.v));
    Gravity: statics::Workspace<T>,
        |robot, ws, s, put| lay_out(put, statics::gravity(robot, ws, s.q));
    InertiaMatrix: gibbs_appell_inertia::Workspace<T>,
        |robot, ws, s, put| lay_out(put, gibbs_appell_inertia::inertia_matrix(robot, ws, s.q));
    ForwardDynamics: gibbs_appell_forward::Workspace<T>,
        |robot, ws, s, put| lay_out(put, gibbs_appell_forward::forward_dynamics(robot, ws, s.q, s.v, s.tau)?);
    CoriolisMatrix: coriolis::Workspace<T>,
        |robot, ws, s, put| lay_out(put, coriolis::coriolis_matrix(robot, ws, s.q, s.v));
    TwoVelocityInverseDynamics: coriolis::Workspace<T>,
        |robot, ws, s, put| {
            lay_out(put, coriolis::two_velocity_inverse_dynamics(robot, ws, s.q, s.v, s.w, s.a));
        };
    Reactions: reactions::Workspace<T>,
        |robot, ws, s, put| {
            let wrenches = reactions::reactions(robot, ws, s.q, s.v, s.a).iter();
            lay_out_groups(put, wrenches.map(#[inline(always)] |wrench| wrench.to_array()));
        };
    Regressor: regressor::Workspace<T>,
        |robot, ws, s, put| lay_out(put, regressor::regressor(robot, ws, s.q, s.v, s.a));
    InverseDynamicsDerivatives: analytic::Workspace<T>,
        |robot, ws, s, put| lay_out_slopes(put, analytic::of_inverse_dynamics(robot, ws, s.q, s.v, s.a));
    ForwardDynamicsDerivatives: analytic::ForwardWorkspace<T>,
        |robot, ws, s, put| lay_out_slopes(put, analytic::of_forward_dynamics(robot, ws, s.q, s.v, s.tau)?);
    Energy: kinematics::Workspace<T>,
        |robot, ws, s, put| {
            let energy = energy::energy(robot, ws, s.q, s.v);
            lay_out(put, &[energy.kinetic, energy.potential]);
        };
    Momentum: kinematics::Workspace<T>,
        |robot, ws, s, put| {
            let momentum = momentum::momentum(robot, ws, s.q, s.v);
            lay_out_groups(put, [momentum.linear.to_array(), momentum.angular.to_array()].into_iter());
        };
    CentreOfMass: kinematics::Workspace<T>,
        |robot, ws, s, put| lay_out(put, &momentum::centre_of_mass(robot, ws, s.q).to_array());
    CentreOfMassJacobian: (kinematics::Workspace<T>, Vec<T>),
        make |robot, _target, like| (kinematics::Workspace::with_scalar(robot, like), vec![like.zero(); 3 * robot.dof()]),
        |robot, ws, s, put| {
            momentum::centre_of_mass_jacobian(robot, &mut ws.0, s.q, &mut ws.1);
            lay_out(put, &ws.1);
        };
    GibbsFunction: kinematics::Workspace<T>,
        |robot, ws, s, put| put(0, gibbs_function::gibbs_function(robot, ws, s.q, s.v, s.a));
    Frames: kinematics::Workspace<T>,
        |robot, ws, s, put| {
            let poses = kinematics::positions(robot, ws, s.q).iter();
            lay_out_groups(put, poses.map(#[inline(always)] |pose| pose.to_array()));
        };
    Velocities: kinematics::Workspace<T>,
        |robot, ws, s, put| {
            let twists = kinematics::velocities(robot, ws, s.q, s.v).iter();
            lay_out_groups(put, twists.map(#[inline(always)] |twist| twist.to_array()));
        };
    Accelerations: kinematics::Workspace<T>,
        |robot, ws, s, put| {
            let rates = kinematics::accelerations(robot, ws, s.q, s.v, s.a).iter();
            lay_out_groups(put, rates.map(#[inline(always)] |rate| rate.to_array()));
        };
    Jacobian: (kinematics::Workspace<T>, usize, Axes),
        make |robot, target, like| {
            (kinematics::Workspace::with_scalar(robot, like), target.frame_of(robot), target.axes)
        },
        |robot, ws, s, put| lay_out(put, kinematics::jacobian(robot, &mut ws.0, s.q, ws.1, ws.2));
    JacobianRate: (kinematics::Workspace<T>, usize, Axes),
        make |robot, target, like| {
            (kinematics::Workspace::with_scalar(robot, like), target.frame_of(robot), target.axes)
        },
        |robot, ws, s, put| {
            let rate = kinematics::jacobian_rate_times_v(robot, &mut ws.0, s.q, s.v, ws.1, ws.2);
            lay_out(put, &rate.to_array());
        };
}
