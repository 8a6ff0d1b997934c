//! Derivatives of what was recorded: along motions of the pose, then by the entries of two further vectors.
//!
//! Either of the answer itself, or of the equation that it solves, with the answer held in it:
//!
//! ```text
//! ρ(x, r, ṙ, τ) = w(x, r, ṙ) − J_invᵀ(x) τ = 0
//! ∂τ/∂x = J_inv⁻ᵀ ∂ρ/∂x        ∂τ/∂r = J_inv⁻ᵀ ∂w/∂r        ∂τ/∂ṙ = J_inv⁻ᵀ M
//! ∂ṙ/∂x = −M⁻¹ ∂ρ/∂x           ∂ṙ/∂r = −M⁻¹ ∂w/∂r            ∂ṙ/∂τ = M⁻¹ J_invᵀ
//! ```
//!
//! The second differentiates no elimination. Redundant drives share by least squares, which the equation does not determine.

use super::dynamics::Dynamics;
use crate::expr::Expr;
use crate::tree::FREE;
use appell::closed::SingularError;
use appell::linear::Cholesky;
use appell::real::Real;
use appell::spatial::Vec3;

/// Inputs with their rates in one motion.
type Along<'g> = Vec<(Expr<'g>, Expr<'g>)>;

/// How joints that are inputs, and the pose, change in each motion of one degree of freedom: their entries with their
/// rates, by Z, whose last rows are Ψ, the twists of the independent velocities.
///
/// ```text
/// ṗ = v        (qx, qy, qz, qw)˙ = ½ (ω, 0) (qx, qy, qz, qw)
/// ```
fn motions<'g>(
    dynamics: &mut Dynamics<'_, 'g>,
    [joints, pose]: [&[Expr<'g>]; 2],
) -> Result<Vec<Along<'g>>, SingularError> {
    let (n, dof) = (dynamics.robot.freedoms().len(), dynamics.robot.tree().dof());
    let complement = dynamics.complement()?;
    let psi = &complement[dof * n..];
    let motion = |k: usize| {
        let of_joints = joints.iter().enumerate().map(|(j, &q)| (q, complement[j * n + k]));
        let &[px, py, pz, x, y, z, w] = pose else { return of_joints.collect() };
        let vector = |first: usize| Vec3::new(psi[first * n + k], psi[(first + 1) * n + k], psi[(first + 2) * n + k]);
        let (velocity, half, axis) = (vector(0), vector(3).scale(0.5), Vec3::new(x, y, z));
        let turning = half.times(w) + half.cross(axis);
        let entries = [px, py, pz, x, y, z, w].into_iter();
        let rates = velocity.to_array().into_iter().chain(turning.to_array()).chain([-half.dot(axis)]);
        of_joints.chain(entries.zip(rates)).collect()
    };
    Ok((0..n).map(motion).collect())
}

/// Each entry of a vector by itself.
fn units<'g>(vector: &[Expr<'g>]) -> Vec<Along<'g>> {
    vector.iter().map(|&entry| vec![(entry, entry.constant(1.0))]).collect()
}

/// Matrices row by row, from their columns.
fn by_rows<'g>(blocks: &[Vec<Vec<Expr<'g>>>]) -> Vec<Expr<'g>> {
    let mut answer = Vec::new();
    for columns in blocks {
        let rows = columns.first().map_or(0, Vec::len);
        (0..rows).for_each(|row| answer.extend(columns.iter().map(|column| column[row])));
    }
    answer
}

/// The derivatives of an answer by the pose and two further vectors.
pub(super) fn of_answer<'g>(
    dynamics: &mut Dynamics<'_, 'g>,
    answer: &[Expr<'g>],
    at: [&[Expr<'g>]; 2],
    further: [&[Expr<'g>]; 2],
) -> Result<Vec<Expr<'g>>, SingularError> {
    let blocks = [motions(dynamics, at)?, units(further[0]), units(further[1])];
    let slopes = |block: &Vec<Along<'g>>| block.iter().map(|along| Expr::derivatives(answer, along)).collect();
    Ok(by_rows(&blocks.each_ref().map(slopes)))
}

/// ∂ρ/∂x and ∂ρ/∂r by columns, with `held` in the place of inputs that nobody gives.
fn of_equation<'g>(
    dynamics: &mut Dynamics<'_, 'g>,
    [r, r_dot, tau]: [&[Expr<'g>]; 3],
    at: [&[Expr<'g>]; 2],
    held: &[(Expr<'g>, Expr<'g>)],
) -> Result<[Vec<Vec<Expr<'g>>>; 2], SingularError> {
    let needed = dynamics.generalised_forces(dynamics.robot, r, r_dot)?;
    let driven = dynamics.on_freedoms(tau)?;
    let rest: Vec<Expr<'g>> = needed.into_iter().zip(driven).map(|(needed, driven)| needed - driven).collect();
    let slopes = |along: Along<'g>| Expr::substituted(&Expr::derivatives(&rest, &along), held);
    let [by_x, by_r] = [motions(dynamics, at)?, units(r)];
    Ok([by_x, by_r].map(|block| block.into_iter().map(slopes).collect()))
}

/// Inputs that nobody gives, of the values of some expressions, beside these.
fn held<'g>(found: &[Expr<'g>]) -> Vec<(Expr<'g>, Expr<'g>)> {
    let free = |(k, &found): (usize, &Expr<'g>)| (found.recorder().input(FREE + k, found.value()), found);
    found.iter().enumerate().map(free).collect()
}

/// Derivatives of the drives' torques and forces by their equation; as many drives as degrees of freedom.
pub(super) fn of_efforts<'g>(
    dynamics: &mut Dynamics<'_, 'g>,
    [r, r_dot]: [&[Expr<'g>]; 2],
    at: [&[Expr<'g>]; 2],
) -> Result<Vec<Expr<'g>>, SingularError> {
    let held = held(&dynamics.efforts(r, r_dot)?);
    let tau: Vec<Expr<'g>> = held.iter().map(|(free, _)| *free).collect();
    let [by_x, by_r] = of_equation(dynamics, [r, r_dot, &tau], at, &held)?;
    let by_r_dot = dynamics.inertia()?.chunks_exact(r.len()).map(<[_]>::to_vec).collect();
    let mut blocks = [by_x, by_r, by_r_dot];
    for column in blocks.iter_mut().flatten() {
        *column = dynamics.shared(column)?;
    }
    Ok(by_rows(&blocks))
}

/// Derivatives of ṙ by its equation.
pub(super) fn of_rates<'g>(
    dynamics: &mut Dynamics<'_, 'g>,
    [r, tau]: [&[Expr<'g>]; 2],
    at: [&[Expr<'g>]; 2],
) -> Result<Vec<Expr<'g>>, SingularError> {
    let held = held(&dynamics.rates(r, tau)?);
    let r_dot: Vec<Expr<'g>> = held.iter().map(|(free, _)| *free).collect();
    let mut blocks = Vec::from(of_equation(dynamics, [r, &r_dot, tau], at, &held)?);
    blocks.iter_mut().flatten().flatten().for_each(|entry| *entry = -*entry);
    blocks.push(dynamics.inverse_jacobian()?.chunks_exact(r.len()).map(<[_]>::to_vec).collect());
    let mut solver = Cholesky::new(r.len(), r[0]);
    solver.decompose(&dynamics.inertia()?);
    blocks.iter_mut().flatten().for_each(|column| solver.solve(column));
    Ok(by_rows(&blocks))
}
