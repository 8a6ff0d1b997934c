//! What a formulation of the dynamics of closed mechanisms does, step by step, and the questions that are answered so.
//!
//! | step | finds | where |
//! |---|---|---|
//! | [`place`](Steps::place) | where everything is, and how it can move; J_inv | at a configuration |
//! | [`set_in_motion`](Steps::set_in_motion), [`accelerate`](Steps::accelerate) | the motion of r, then of ṙ | |
//! | [`project`](Steps::project) | w, what the motion demands of the independent velocities | |
//! | [`drive`](Steps::drive) | τ with J_invᵀ τ = w | inverse dynamics |
//! | [`fill_inertia`](Steps::fill_inertia), [`solve`](Steps::solve) | M ṙ = J_invᵀ τ − w | forward dynamics |
//!
//! The functions are those of every formulation: [`legs_platform`](super::legs_platform),
//! [`tree_closures`](super::tree_closures), [`spherical`](super::spherical) and [`formulation`](super::formulation) give them
//! their workspaces.

use super::drives::{Share, Sharing};
use super::{ClosedMechanism, Configuration, SingularError, refuse_massless};
use crate::linear::Cholesky;
use crate::real::{Measured, Real};

/// What the steps find, for n independent velocities r.
#[derive(Debug, Clone)]
pub struct Outputs<T> {
    pub(super) u: Vec<T>,
    pub(super) u_dot: Vec<T>,
    pub(super) j_inv: Vec<T>,   // drives × n, row by row: rates of the drives
    pub(super) z: Vec<T>,       // Z, velocities u × n row by row
    pub(super) w: Vec<T>,       // projected onto the independent velocities
    pub(super) inertia: Vec<T>, // M, n × n row by row
    pub(super) multipliers: Vec<T>,
    pub(super) r_dot: Vec<T>,
    pub(super) share: Share<T>,
    pub(super) cholesky: Cholesky<T>,
}

impl<T: Real> Outputs<T> {
    pub(super) fn with_scalar(robot: &ClosedMechanism, like: T) -> Self {
        let (width, n, drives) = (robot.velocities(), robot.freedoms().len(), robot.driven().len());
        let zeros = |many: usize| vec![like.zero(); many];
        Self {
            u: zeros(width),
            u_dot: zeros(width),
            j_inv: zeros(drives * n),
            z: zeros(width * n),
            w: zeros(n),
            inertia: zeros(n * n),
            multipliers: zeros(robot.rows()),
            r_dot: zeros(n),
            share: Share::with_scalar(robot, like),
            cholesky: Cholesky::new(n, like),
        }
    }
}

/// The steps of a formulation, on its workspace.
pub trait Steps<T: Measured> {
    /// What was found.
    fn out(&mut self) -> &mut Outputs<T>;

    /// Places everything, and finds J_inv and what Z is made of.
    ///
    /// # Errors
    /// Where a leg, or the constraints, are singular.
    fn place(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) -> Result<(), SingularError>;

    /// The motion of r, after [`place`](Self::place).
    fn set_in_motion(&mut self, robot: &ClosedMechanism, r: &[T]);

    /// The accelerations of ṙ, or those that forward dynamics begins with.
    fn accelerate(&mut self, robot: &ClosedMechanism, r_dot: Option<&[T]>);

    /// u and u̇, if no step before has written them.
    #[inline(always)]
    fn fill_motion(&mut self, _robot: &ClosedMechanism) {}

    /// w of the accelerated motion, less a load on u.
    fn project(&mut self, robot: &ClosedMechanism, at: &Configuration<T>, load: &[T]);

    /// M of what is placed.
    fn fill_inertia(&mut self, robot: &ClosedMechanism, at: &Configuration<T>);

    /// Z of what is placed.
    fn fill_complement(&mut self, robot: &ClosedMechanism);

    /// Zᵀ M Z into M, of an inertia matrix of the tree and one of the platform that are given.
    fn project_inertia(&mut self, robot: &ClosedMechanism, of_tree: &[T], of_platform: &[T]) {
        self.fill_complement(robot);
        let (dof, n) = (robot.tree().dof(), robot.freedoms().len());
        let Outputs { z, inertia, .. } = self.out();
        let zero = z[0].zero();
        // (M Z)_xc, then the upper half of Zᵀ (M Z).
        let times_z = |block: &[T], width: usize, first: usize, row: usize, c: usize| {
            let row = &block[row * width..(row + 1) * width];
            row.iter().enumerate().fold(zero, |sum, (y, &m)| m.mul_add(z[(first + y) * n + c], sum))
        };
        for c in 0..n {
            let of_joints = (0..dof).map(|row| times_z(of_tree, dof, 0, row, c));
            let moved: Vec<T> = of_joints.chain((0..6).map(|row| times_z(of_platform, 6, dof, row, c))).collect();
            for i in 0..=c {
                let sum = moved.iter().enumerate().fold(zero, |sum, (x, &m)| m.mul_add(z[x * n + i], sum));
                inertia[i * n + c] = sum;
                inertia[c * n + i] = sum;
            }
        }
    }

    /// The multipliers of all constraints, after [`project`](Self::project), of the least norm where constraints repeat each
    /// other.
    ///
    /// # Panics
    /// Of a closed form, which has none.
    fn fill_multipliers(&mut self, _robot: &ClosedMechanism, _tau: &[T]) {
        panic!("a closed form has no multipliers; Formulation::with_reactions names the next best")
    }

    /// Torques and forces of the drives that hold w.
    ///
    /// # Errors
    /// Where they cannot, or if there are fewer drives than degrees of freedom.
    fn drive(&mut self, robot: &ClosedMechanism, sharing: &Sharing) -> Result<&[T], SingularError> {
        let Outputs { share, j_inv, w, .. } = self.out();
        share.efforts(robot, j_inv, w, sharing)
    }

    /// ṙ from M ṙ = J_invᵀ τ − w.
    ///
    /// # Errors
    /// If a degree of freedom moves no mass.
    #[inline(always)]
    fn solve(&mut self, robot: &ClosedMechanism, tau: &[T]) -> Result<(), SingularError> {
        let Outputs { j_inv, w, inertia, r_dot, cholesky, .. } = self.out();
        let n = w.len();
        for (c, r_dot) in r_dot.iter_mut().enumerate() {
            *r_dot = -w[c];
            for (&tau, row) in tau.iter().zip(j_inv.chunks_exact(n)) {
                *r_dot = tau.mul_add(row[c], *r_dot);
            }
        }
        cholesky.decompose(inertia);
        cholesky.solve(r_dot);
        refuse_massless(robot, robot.freedoms(), inertia, cholesky.pivots())
    }
}

/// Torques and forces of the drives that move the robot so, N m or N: one per driven joint.
///
/// `r` and `r_dot` are the independent velocities and their rates, `load` what acts from outside on u (empty: nothing).
/// Redundant drives share the work as `sharing` says.
///
/// # Errors
/// Near a singularity, with the leg or the condition number; and if there are fewer drives than degrees of freedom.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn inverse_dynamics<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut impl Steps<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    load: &[T],
    sharing: &Sharing,
) -> Result<&'w [T], SingularError> {
    generalised_forces(robot, ws, at, r, r_dot, load)?;
    ws.drive(robot, sharing)
}

/// The generalised forces of a motion, projected onto the independent velocities, w = M ṙ + c less the load's part: the
/// drives must hold it, J_invᵀ τ = w.
///
/// # Errors
/// Near a singularity of a leg, or of the constraints.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn generalised_forces<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut impl Steps<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[r, r_dot]);
    robot.expect_load(load);
    at.pose.position.x.within(
        #[inline(always)]
        move || {
            ws.place(robot, at)?;
            ws.set_in_motion(robot, r);
            ws.accelerate(robot, Some(r_dot));
            ws.project(robot, at, load);
            Ok(ws.out().w.as_slice())
        },
    )
}

/// All velocities u = (q̇, V) and their rates, of a motion of the independent ones.
///
/// # Errors
/// Near a singularity of a leg, or of the constraints.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn motion<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut impl Steps<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
) -> Result<(&'w [T], &'w [T]), SingularError> {
    robot.expect(at, &[r, r_dot]);
    at.pose.position.x.within(
        #[inline(always)]
        move || {
            ws.place(robot, at)?;
            ws.set_in_motion(robot, r);
            ws.accelerate(robot, Some(r_dot));
            ws.fill_motion(robot);
            let Outputs { u, u_dot, .. } = ws.out();
            Ok((u.as_slice(), u_dot.as_slice()))
        },
    )
}

/// M of the independent velocities, n × n row by row.
///
/// # Errors
/// Near a singularity of a leg, or of the constraints.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn inertia_matrix<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut impl Steps<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    let found = placed(
        robot,
        ws,
        at,
        #[inline(always)]
        |ws| ws.fill_inertia(robot, at),
    );
    Ok(&found?.inertia)
}

/// M of bodies that are not the robot's: their inertia matrix on the open tree, and that of a platform, 6 × 6, both row by
/// row.
///
/// # Errors
/// As [`inertia_matrix`].
///
/// # Panics
/// If `at` belongs to another robot, or a matrix has another size.
pub fn projected_inertia<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut impl Steps<T>,
    at: &Configuration<T>,
    of_tree: &[T],
    of_platform: &[T],
) -> Result<&'w [T], SingularError> {
    Ok(&placed(robot, ws, at, |ws| ws.project_inertia(robot, of_tree, of_platform))?.inertia)
}

/// J_inv, drives × n row by row: the driven joints' rates, q̇_a = J_inv r.
///
/// # Errors
/// Near a singularity of a leg, or of the constraints.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn inverse_jacobian<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut impl Steps<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    Ok(&placed(robot, ws, at, |_| ())?.j_inv)
}

/// Z, velocities u by row, independent velocities by column: u = Z r.
///
/// # Errors
/// Near a singularity of a leg, or of the constraints.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn complement<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut impl Steps<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    let found = placed(
        robot,
        ws,
        at,
        #[inline(always)]
        |ws| ws.fill_complement(robot),
    );
    Ok(&found?.z)
}

/// What a step finds at a configuration.
#[inline(always)]
fn placed<'w, T: Measured, S: Steps<T>>(
    robot: &ClosedMechanism,
    ws: &'w mut S,
    at: &Configuration<T>,
    step: impl FnOnce(&mut S),
) -> Result<&'w Outputs<T>, SingularError> {
    robot.expect(at, &[]);
    at.pose.position.x.within(
        #[inline(always)]
        move || {
            ws.place(robot, at)?;
            step(ws);
            Ok(&*ws.out())
        },
    )
}

/// The multipliers of all constraints, of a motion under the drives' torques and forces `tau`: see
/// [`reactions`](super::reactions) for the wrenches they are.
///
/// Where constraints repeat each other these are the ones of least norm; the motion does not depend on them.
///
/// # Errors
/// Near a singularity of a leg, or of the constraints.
///
/// # Panics
/// If a slice does not have one value per degree of freedom or per drive, or `at` belongs to another robot. Of a closed form,
/// which has none: ask [`Formulation::with_reactions`](super::formulation::Formulation::with_reactions) before.
pub fn multipliers<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut impl Steps<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    tau: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    assert_eq!(tau.len(), robot.driven().len(), "one effort per drive");
    generalised_forces(robot, ws, at, r, r_dot, load)?;
    ws.fill_multipliers(robot, tau);
    Ok(&ws.out().multipliers)
}

/// Rates of the independent velocities that the drives' torques and forces give.
///
/// # Errors
/// Near a singularity of a leg or of the constraints, or if a degree of freedom moves no mass. Singularities of the drives, of
/// Type 2, are no obstacle.
///
/// # Panics
/// If a slice does not have one value per degree of freedom or per drive, or `at` belongs to another robot.
pub fn forward_dynamics<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut impl Steps<T>,
    at: &Configuration<T>,
    r: &[T],
    tau: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[r]);
    robot.expect_load(load);
    assert_eq!(tau.len(), robot.driven().len(), "one effort per drive");
    at.pose.position.x.within(
        #[inline(always)]
        move || {
            ws.place(robot, at)?;
            ws.set_in_motion(robot, r);
            ws.accelerate(robot, None);
            ws.project(robot, at, load);
            ws.fill_inertia(robot, at);
            ws.solve(robot, tau)?;
            Ok(ws.out().r_dot.as_slice())
        },
    )
}

/// Rates of all velocities, u̇ = (q̈, V̇), that the drives' torques and forces give.
///
/// # Errors
/// As [`forward_dynamics`].
///
/// # Panics
/// If a slice does not have one value per degree of freedom or per drive, or `at` belongs to another robot.
pub fn accelerations<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut impl Steps<T>,
    at: &Configuration<T>,
    r: &[T],
    tau: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    forward_dynamics(robot, ws, at, r, tau, load)?;
    let r_dot = core::mem::take(&mut ws.out().r_dot);
    at.pose.position.x.within(
        #[inline(always)]
        || {
            ws.accelerate(robot, Some(&r_dot));
            ws.fill_motion(robot);
        },
    );
    ws.out().r_dot = r_dot;
    Ok(&ws.out().u_dot)
}
