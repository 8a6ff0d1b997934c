//! The operations our methods make, counted on the code that users run, with [`Counted`] for a number.
//!
//! The robot is what the papers count for: a chain of revolute joints with general α, a, d, on a fixed base, gravity
//! along z. What depends on the robot alone is made off-line; sines, cosines and signs are free.

use super::{Formula, Polynomial};
use appell::description::JointType;
use appell::dynamics::joint_space::{self, Equations, Solver};
use appell::dynamics::{
    articulated_body, composite_body, gibbs_appell_inertia, gibbs_appell_tensor, gibbs_appell_vectorial, newton_euler,
    orthogonal_complement,
};
use appell::linear::Cholesky;
use appell::mechanism::Mechanism;
use appell::real::{Count, Counted, Real, Tally};
use appell::sample::{Sampler, Shape};
use core::ops::RangeInclusive;

/// The numbers of joints for which our formulas hold.
pub const JOINTS: RangeInclusive<usize> = 2..=30;

/// The steps of [`Work::Cholesky`].
pub const CHOLESKY_STEPS: [&str; 2] = ["decomposition", "substitutions"];

/// A computation whose operations are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Inverse dynamics by [`gibbs_appell_tensor`].
    Tensor,
    /// Inverse dynamics by [`gibbs_appell_vectorial`], in its [`STEPS`](gibbs_appell_vectorial::STEPS).
    Vectorial,
    /// Inverse dynamics by [`newton_euler`].
    NewtonEuler,
    /// Bias by [`gibbs_appell_tensor`].
    Bias,
    /// Inertia matrix by [`gibbs_appell_inertia`], in its [`STEPS`](gibbs_appell_inertia::STEPS).
    Inertia,
    /// Inertia matrix by [`composite_body`].
    CompositeBody,
    /// Inertia matrix by [`orthogonal_complement`].
    OrthogonalComplement,
    /// The equations of the joints solved by [`Cholesky`], in [`CHOLESKY_STEPS`].
    Cholesky,
    /// Forward dynamics by [`joint_space`] with Cholesky.
    JointSpace(Equations),
    /// Forward dynamics by [`articulated_body`].
    ArticulatedBody,
}

/// The robot on which we count: `n` revolute joints whose parameters are arbitrary but for θ₀ = 0, because an offset
/// would cost an addition that the papers do not have.
///
/// # Panics
/// If `n` is zero.
#[must_use]
pub fn revolute_chain(n: usize) -> Mechanism {
    let mut description = Sampler::new(2002).description(n, Shape::Chain);
    for joint in &mut description.joints {
        joint.kind = JointType::Revolute;
        joint.placement.theta = 0.0;
    }
    Mechanism::new(&description).expect("a random robot is valid by construction")
}

/// What a computation costs on [`revolute_chain`]`(n)`, step by step.
///
/// # Panics
/// If `n` is zero.
#[must_use]
pub fn measure(work: Work, n: usize) -> Tally {
    let robot = &revolute_chain(n);
    let state = Sampler::new(2002).state(robot);
    let [q, v, a, tau] = [&state.q, &state.v, &state.a, &state.tau].map(|x| counted(x));
    let (q, v, a, tau, zero) = (&q[..], &v[..], &a[..], &tau[..], Counted(0.0));
    let regular = "the bodies of a random robot have inertia";
    let ((), tally) = Counted::count(|| match work {
        Work::Tensor => {
            let mut ws = gibbs_appell_tensor::Workspace::with_scalar(robot, zero);
            gibbs_appell_tensor::inverse_dynamics(robot, &mut ws, q, v, a);
        }
        Work::Vectorial => {
            let mut ws = gibbs_appell_vectorial::Workspace::with_scalar(robot, zero);
            gibbs_appell_vectorial::inverse_dynamics(robot, &mut ws, q, v, a);
        }
        Work::NewtonEuler => {
            let mut ws = newton_euler::Workspace::with_scalar(robot, zero);
            newton_euler::inverse_dynamics(robot, &mut ws, q, v, a);
        }
        Work::Bias => {
            let mut ws = gibbs_appell_tensor::Workspace::with_scalar(robot, zero);
            gibbs_appell_tensor::bias(robot, &mut ws, q, v);
        }
        Work::Inertia => {
            let mut ws = gibbs_appell_inertia::Workspace::with_scalar(robot, zero);
            gibbs_appell_inertia::inertia_matrix(robot, &mut ws, q);
        }
        Work::CompositeBody => {
            let mut ws = composite_body::Workspace::with_scalar(robot, zero);
            composite_body::inertia_matrix(robot, &mut ws, q);
        }
        Work::OrthogonalComplement => {
            let mut ws = orthogonal_complement::Workspace::with_scalar(robot, zero);
            orthogonal_complement::inertia_matrix(robot, &mut ws, q);
        }
        Work::Cholesky => {
            let mut ws = gibbs_appell_inertia::Workspace::new(robot);
            let matrix = counted(gibbs_appell_inertia::inertia_matrix(robot, &mut ws, &state.q));
            let (mut cholesky, mut x) = (Cholesky::new(n, zero), tau.to_vec());
            Counted::section(CHOLESKY_STEPS[0]);
            cholesky.decompose(&matrix);
            Counted::section(CHOLESKY_STEPS[1]);
            cholesky.solve(&mut x);
        }
        Work::JointSpace(equations) => {
            let mut ws = joint_space::Workspace::with_scalar(robot, equations, Solver::Cholesky, zero);
            joint_space::forward_dynamics(robot, &mut ws, q, v, tau).expect(regular);
        }
        Work::ArticulatedBody => {
            let mut ws = articulated_body::Workspace::with_scalar(robot, zero);
            articulated_body::forward_dynamics(robot, &mut ws, q, v, tau).expect(regular);
        }
    });
    tally
}

fn counted(numbers: &[f64]) -> Vec<Counted> {
    numbers.iter().copied().map(Counted).collect()
}

/// The count of one step, or of all but the entries of the rotation matrices, which Mata et al. take as given.
#[must_use]
pub fn count(tally: &Tally, step: Option<&str>) -> Count {
    match step {
        Some(step) => tally.section(step),
        None => tally.total(|name| name != gibbs_appell_inertia::ROTATION),
    }
}

/// The formula of our own count, found from n = 2…5 and checked for all [`JOINTS`]; `None` if it fails there.
#[must_use]
pub fn formula(work: Work, step: Option<&str>) -> Option<Formula> {
    let measured = |n| count(&measure(work, n), step);
    let first = [2, 3, 4, 5].map(measured);
    let formula = Formula {
        multiplications: Polynomial::through(first.map(|count| count.multiplications as i64)),
        additions: Polynomial::through(first.map(|count| count.additions as i64)),
    };
    JOINTS.skip(first.len()).all(|n| formula.at(n) == measured(n)).then_some(formula)
}
