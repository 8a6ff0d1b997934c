//! Operations of a call on the Gough-Stewart platform, by the conventions of the serial papers' tables.
//!
//! BriotKhalil prints no counts; it says that a leg's torques are best had by the recursion of Newton and Euler, that
//! Jacobians are known in closed form and that J_r is found by inverting J_inv numerically.

use super::{StudyError, assembled, path, robot};
use appell::closed::drives::Sharing;
use appell::closed::tree_closures::Solver;
use appell::closed::{SingularError, assembly, legs_platform, tree_closures};
use appell::dynamics::gibbs_appell_tensor;
use appell::real::{Count, Counted};
use appell_simulation::trajectory::FrameMotion;

/// What a computation costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// What is computed.
    pub what: &'static str,
    /// With what.
    pub method: &'static str,
    /// × and +.
    pub count: Count,
}

/// Counts, on the code that users run, of one configuration in motion; none depends on its numbers but the
/// eliminations of tree-closures, whose pivots may be others elsewhere.
///
/// # Errors
/// None for this robot.
pub fn lines() -> Result<Vec<Line>, StudyError> {
    let robot = &robot("gough-stewart");
    let FrameMotion { pose, twist, acceleration } = path(0.0);
    let at = assembled(robot, &mut assembly::Workspace::new(robot), robot.home(), pose)?.lift(Counted(0.0));
    let (r, r_dot) = (twist.to_array().map(Counted), acceleration.to_array().map(Counted));
    let (rest, sharing) = (vec![Counted(0.0); robot.tree().dof()], Sharing::default());
    let mut legs = legs_platform::Workspace::with_scalar(robot, Counted(0.0));
    let mut tree = tree_closures::Workspace::with_scalar(robot, Counted(0.0));
    let mut open = gibbs_appell_tensor::Workspace::with_scalar(robot.tree(), Counted(0.0));
    let mut lines = Vec::new();
    let mut count = |what, method, work: &mut dyn FnMut() -> Result<(), SingularError>| {
        let (result, tally) = Counted::count(work);
        lines.push(Line { what, method, count: tally.total(|_| true) });
        result
    };
    count("torques of the six open legs, τ_i", "Gibbs-Appell recursion", &mut || {
        gibbs_appell_tensor::inverse_dynamics(robot.tree(), &mut open, &at.q, &rest, &rest);
        Ok(())
    })?;
    count("J_inv", "legs-platform", &mut || legs_platform::inverse_jacobian(robot, &mut legs, &at).map(drop))?;
    count("inverse dynamics", "legs-platform", &mut || {
        legs_platform::inverse_dynamics(robot, &mut legs, &at, &r, &r_dot, &[], &sharing).map(drop)
    })?;
    count("inverse dynamics", "tree-closures, projection", &mut || {
        tree_closures::inverse_dynamics(robot, &mut tree, &at, &r, &r_dot, &[], &sharing).map(drop)
    })?;
    count("forward dynamics", "legs-platform, Cholesky", &mut || {
        legs_platform::forward_dynamics(robot, &mut legs, &at, &r, &r, &[]).map(drop)
    })?;
    for (method, solver) in [("tree-closures, null space", Solver::NullSpace), ("tree-closures, KKT", Solver::Kkt)] {
        tree.solver = solver;
        count("forward dynamics", method, &mut || {
            tree_closures::forward_dynamics(robot, &mut tree, &at, &r, &r, &[]).map(drop)
        })?;
    }
    Ok(lines)
}
