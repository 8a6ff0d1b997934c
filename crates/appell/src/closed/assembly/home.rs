//! Configurations near one that is described or known, from one start: of a home, and of a neighbourhood.

use super::super::{ClosedMechanism, Configuration, spherical};
use super::search::{distance, pose_distance, random_position};
use super::whole::{self, Hold};
use super::{AssemblyError, ROBOT_STARTS, STEPS, Workspace, is_finite, is_of_platform, legs, off_branch, wrap};
use crate::sample::Sampler;
use core::slice;

/// Closes all loops near `at`, whatever must move for it.
pub(in super::super) fn at_home(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    at: &mut Configuration,
) -> Result<(), AssemblyError> {
    ws.all.begin(true);
    ws.placed.close(robot, at, slice::from_mut(&mut ws.all), STEPS);
    ws.verify(robot)
}

/// Closes all loops near `at`, or, where Newton's method finds nothing from there, as near to it as one of a dozen
/// configurations from random starts is.
pub(in super::super) fn search_home(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    at: &mut Configuration,
) -> Result<(), AssemblyError> {
    let described = at.clone();
    let first = at_home(robot, ws, at);
    if first.is_ok() {
        return first;
    }
    let mut sampler = Sampler::new(3);
    let mut found: Vec<Configuration> = Vec::new();
    for _ in 0..ROBOT_STARTS {
        at.pose = described.pose;
        for j in 0..robot.tree.dof() {
            at.q[j] = random_position(robot, &mut sampler, j);
        }
        if at_home(robot, ws, at).is_ok() {
            found.push(at.clone());
        }
        if found.len() == 12 {
            break;
        }
    }
    found.iter_mut().for_each(|one| wrap(robot, one));
    found.sort_by(|one, other| distance(robot, one, &described).total_cmp(&distance(robot, other, &described)));
    let is_in_mode = |one: &Configuration| off_branch(robot, one, 0..robot.tree.dof()).is_none();
    let in_mode = found.iter().position(is_in_mode).unwrap_or(0);
    let Some(nearest) = found.get(in_mode) else { return first };
    at.clone_from(nearest);
    Ok(())
}

/// A pose that is off by less than this, over the characteristic length, was meant for the nearest one.
const ROUNDED: f64 = 1e-4;

/// As [`at_pose`](super::at_pose), for a pose that may be rounded: of a robot with fewer than six degrees of freedom
/// hardly any pose to a few digits can be reached. The components of the platform outside its degrees of
/// freedom give way for it. Of an output they follow the others, however far: its attitude is not the user's to give where
/// two motors move a point.
///
/// # Errors
/// If a leg cannot reach the platform, by more than rounding, or only in another working mode.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn near_pose(robot: &ClosedMechanism, ws: &mut Workspace, at: &mut Configuration) -> Result<(), AssemblyError> {
    let follows = robot.platform.as_ref().is_some_and(|platform| platform.is_output);
    near(robot, ws, at, follows)
}

/// As [`near_pose`], and the dependent components of a platform of its own follow the others however far, too: those of a path that
/// says nothing of them, as of a line along which a 3-RPS or an Exechon turns.
///
/// # Errors
/// If the independent components cannot be reached, or only in another working mode.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn along_pose(robot: &ClosedMechanism, ws: &mut Workspace, at: &mut Configuration) -> Result<(), AssemblyError> {
    near(robot, ws, at, true)
}

fn near(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    at: &mut Configuration,
    follows: bool,
) -> Result<(), AssemblyError> {
    let gives_way = (robot.freedoms.len() < 6 || !is_of_platform(robot)) && robot.platform.is_some();
    if robot.legs.is_empty() && gives_way {
        return near_pose_of_whole(robot, ws, at);
    }
    // What is searched from, `ws.start` has of the joints.
    let pose = at.pose;
    let back = |ws: &Workspace, at: &mut Configuration| {
        at.q.copy_from_slice(&ws.start.q);
        at.pose = pose;
    };
    // Legs that must be searched for would be so at every pose that they do not reach.
    let searches = !(0..robot.legs.len()).all(|leg| ws.can_solve(robot, leg));
    if follows && gives_way && searches && is_finite(at) {
        if reaches_aside(robot, ws, at) {
            return Ok(());
        }
        back(ws, at);
    }
    let most = if follows { f64::INFINITY } else { ROUNDED * robot.length };
    let reached = super::at_pose(robot, ws, at);
    match reached {
        Err(AssemblyError::OutOfReach { gap, .. } | AssemblyError::Held { gap, .. }) if gap <= most && gives_way => {
            // Where a platform that turns about a point is, its attitude tells; then what does not reach is the reason.
            if let Ok(meeting) = spherical::recognise(robot) {
                let home = &robot.home.pose;
                let arm = home.rotation.transpose_times(home.position - meeting.centre);
                at.pose.position = meeting.centre + at.pose.rotation * arm;
                let exactly = super::at_pose(robot, ws, at);
                if exactly.is_err() {
                    back(ws, at);
                }
                return exactly;
            }
            if reaches_aside(robot, ws, at) {
                return Ok(());
            }
            back(ws, at);
            reached
        }
        _ => reached,
    }
}

/// [`near_pose`] of a robot that is not of legs and a platform alone.
fn near_pose_of_whole(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    at: &mut Configuration,
) -> Result<(), AssemblyError> {
    robot.tree.expect_lengths(&[&at.q]);
    if !is_finite(at) {
        return Err(AssemblyError::NotFinite);
    }
    // What is searched from, `ws.start` has of the joints.
    let pose = at.pose;
    if reaches(robot, ws, at) {
        return Ok(());
    }
    let back = |ws: &Workspace, at: &mut Configuration| {
        at.q.copy_from_slice(&ws.start.q);
        at.pose = pose;
    };
    back(ws, at);
    let follows = robot.platform.as_ref().is_some_and(|platform| platform.is_output) && is_of_platform(robot);
    let gone = |at: &Configuration| pose_distance(robot, &at.pose, &pose);
    if reaches_aside(robot, ws, at) && (follows || gone(at) <= ROUNDED) {
        return Ok(());
    }
    back(ws, at);
    let reached = whole::reach(robot, ws, at, if follows { Hold::Freedoms } else { Hold::Pose });
    if reached.is_err() {
        back(ws, at);
    }
    reached
}

/// As [`at_pose`](super::at_pose), from the one start that `at` gives: whether all legs reach the pose in their working
/// modes.
pub(in super::super) fn reaches(robot: &ClosedMechanism, ws: &mut Workspace, at: &mut Configuration) -> bool {
    ws.start.q.copy_from_slice(&at.q);
    ws.legs.iter_mut().for_each(|leg| leg.begin(true));
    ws.placed.close(robot, at, &mut ws.legs, STEPS);
    is_assembled(robot, ws, at)
}

/// As [`reaches`], where the components of the platform outside its degrees of freedom give way; all of them a little
/// where the independent velocities are not the platform's.
pub(in super::super) fn reaches_aside(robot: &ClosedMechanism, ws: &mut Workspace, at: &mut Configuration) -> bool {
    ws.start.q.copy_from_slice(&at.q);
    ws.give_way(robot, at);
    is_assembled(robot, ws, at)
}

fn is_assembled(robot: &ClosedMechanism, ws: &Workspace, at: &mut Configuration) -> bool {
    legs::unwind(robot, &ws.start.q, at, 0..robot.tree.dof());
    is_finite(at) && ws.verify(robot).is_ok() && off_branch(robot, at, 0..robot.tree.dof()).is_none()
}
