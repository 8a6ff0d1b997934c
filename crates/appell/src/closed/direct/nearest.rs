//! The assembly in which drives bring a robot.

use super::super::assembly::{self, AssemblyError, Reached, Workspace};
use super::super::{ClosedMechanism, Configuration};
use super::{Options, counted};

/// Closes all loops with the driven joints at `positions`, as [`assembly::at_drives`] does. Where the drives cannot come there straight, it takes
/// the nearest of all assemblies in the joints' working modes, if they are counted, and not the nearest that a search finds.
///
/// # Errors
/// If there is no configuration, or only in another working mode; `at` is as it was then, but for the drives.
///
/// # Panics
/// If `positions` does not have one value per driven joint, or `at` belongs to another robot.
pub fn at_drives(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    positions: &[f64],
    at: &mut Configuration,
) -> Result<Reached, AssemblyError> {
    let answer = assembly::at_drives(robot, ws, positions, at);
    if !matches!(answer, Ok(Reached::Undecided) | Err(AssemblyError::Open { .. } | AssemblyError::Lost)) {
        return answer;
    }
    let before = ws.began().clone();
    let mut start = robot.home.clone();
    assembly::set_drives(robot, positions, &mut start);
    let Some(all) = counted(robot, ws, positions, start, Options::default().seed) else { return answer };
    let in_mode = all.assemblies.into_iter().map(|one| one.at).filter(|one| assembly::is_in_mode(robot, one));
    let unwound = in_mode.map(|mut one| {
        assembly::unwind_passive(robot, &before, &mut one);
        one
    });
    let far = |one: &Configuration| assembly::apart(robot, one, &before);
    let Some(nearest) = unwound.min_by(|one, other| far(one).total_cmp(&far(other))) else { return answer };
    *at = nearest;
    Ok(Reached::Undecided)
}
