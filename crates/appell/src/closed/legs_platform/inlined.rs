//! The questions as they are inlined where a processor's instructions are known: what the functions of
//! [`legs_platform`](super) call, and what batches run in lanes.

use super::super::drives::Sharing;
use super::super::{ClosedMechanism, Configuration, SingularError, refuse_massless};
use super::Workspace;
use crate::real::Measured;

#[inline(always)]
pub(crate) fn inverse_dynamics<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    load: &[T],
    sharing: &Sharing,
) -> Result<&'w [T], SingularError> {
    generalised_forces(robot, ws, at, r, r_dot, load)?;
    ws.share.efforts(robot, &ws.j_inv, &ws.w, sharing)
}

#[inline(always)]
pub(crate) fn generalised_forces<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[r, r_dot]);
    ws.place(robot, at);
    ws.set_in_motion(robot, r);
    ws.accelerate(robot, Some(r_dot));
    ws.feel(robot, at, load);
    ws.refuse_singular(robot)?;
    Ok(&ws.w)
}

#[inline(always)]
pub(crate) fn inertia_matrix<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[]);
    ws.place(robot, at);
    ws.fill_inertia(robot, at);
    ws.refuse_singular(robot)?;
    Ok(&ws.reduced)
}

#[inline(always)]
pub(crate) fn forward_dynamics<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    tau: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[r]);
    assert_eq!(tau.len(), robot.driven().len(), "one effort a drive");
    ws.place(robot, at);
    ws.set_in_motion(robot, r);
    ws.accelerate(robot, None);
    ws.feel(robot, at, load);
    ws.fill_inertia(robot, at);
    ws.refuse_singular(robot)?;
    let n = robot.freedoms().len();
    for (c, answer) in ws.answer.iter_mut().enumerate() {
        *answer = tau.iter().zip(ws.j_inv.chunks_exact(n)).fold(-ws.w[c], |sum, (&tau, row)| tau.mul_add(row[c], sum));
    }
    ws.cholesky.decompose(&ws.reduced);
    ws.cholesky.solve(&mut ws.answer);
    refuse_massless(robot, &ws.reduced, ws.cholesky.pivots())?;
    Ok(&ws.answer)
}

/// Rates of all velocities, (q̈, V̇), under the drives' efforts.
#[inline(always)]
pub(crate) fn accelerations<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    tau: &[T],
) -> Result<&'w [T], SingularError> {
    forward_dynamics(robot, ws, at, r, tau, &[])?;
    let r_dot = core::mem::take(&mut ws.answer);
    ws.accelerate(robot, Some(&r_dot));
    ws.answer = r_dot;
    Ok(&ws.u_dot)
}
