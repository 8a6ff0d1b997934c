//! Robots that are not of legs and a platform alone, with the platform at a pose: all joints together.

use super::super::{ClosedMechanism, Configuration};
use super::in_closed_form::ways;
use super::search::random_position;
use super::{AssemblyError, ROBOT_STARTS, SAME, STEPS, Workspace, in_other_mode, is_finite, legs, off_branch, wrap};
use crate::sample::Sampler;
use crate::spatial::Pose;

/// After how many solutions the nearest one is known.
const ENOUGH: usize = 8;

/// What of the platform's pose is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// All of it.
    Pose,
    /// Its independent components.
    Freedoms,
}

/// Closes all loops at the pose of `at`: from where it is, else, of what home and random starts lead to, as near to that
/// as possible and in the joints' working modes.
pub(super) fn reach(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    at: &mut Configuration,
    hold: Hold,
) -> Result<(), AssemblyError> {
    let all = || 0..robot.tree.dof();
    let pose = at.pose;
    let mut least = close(robot, ws, at, hold);
    let mut other_mode = off_branch(robot, at, all()).filter(|_| least.is_ok());
    if least.is_ok() && other_mode.is_none() {
        legs::unwind(robot, &ws.start.q, at, all());
        return Ok(());
    }
    let mut found: Vec<Configuration> = Vec::new();
    let mut sampler = Sampler::new(5);
    for start in 0..ROBOT_STARTS {
        at.pose = pose;
        for j in all() {
            at.q[j] = if start == 0 { robot.home.q[j] } else { random_position(robot, &mut sampler, j) };
        }
        match close(robot, ws, at, hold) {
            Err(other) => least = least.map_err(|one| lesser(one, other)),
            Ok(()) => match off_branch(robot, at, all()) {
                Some(joint) => other_mode = Some(joint),
                None => {
                    legs::unwind(robot, &ws.start.q, at, all());
                    found.push(at.clone());
                }
            },
        }
        if found.len() == ENOUGH {
            break;
        }
    }
    let far = |one: &Configuration| ways(robot, all(), &one.q, &ws.start.q);
    match (found.iter().min_by(|one, other| far(one).total_cmp(&far(other))), other_mode, least) {
        (Some(nearest), ..) => {
            at.clone_from(nearest);
            Ok(())
        }
        (None, Some(joint), _) => Err(in_other_mode(robot, joint)),
        (None, None, least) => least,
    }
}

/// Newton's method from where `at` is.
fn close(robot: &ClosedMechanism, ws: &mut Workspace, at: &mut Configuration, hold: Hold) -> Result<(), AssemblyError> {
    match hold {
        Hold::Pose => {
            ws.legs.iter_mut().for_each(|block| block.begin(true));
            ws.placed.close(robot, at, &mut ws.legs, STEPS);
        }
        Hold::Freedoms => ws.give_way(robot, at),
    }
    match ws.verify(robot) {
        Err(AssemblyError::Open { closure, gap }) => Err(AssemblyError::Unreached { closure, gap }),
        verified => verified,
    }
}

/// The error with the lesser gap.
fn lesser(one: AssemblyError, other: AssemblyError) -> AssemblyError {
    let gap = |error: &AssemblyError| match error {
        AssemblyError::Unreached { gap, .. } | AssemblyError::Uncoupled { gap, .. } => *gap,
        _ => f64::INFINITY,
    };
    if gap(&other) < gap(&one) { other } else { one }
}

/// All positions of the joints with the platform at a pose that `starts` random starts find, those in other working modes
/// included; the one nearest to home first. Angles are in (−π, π]. A search cannot prove that it found all.
///
/// Where the pose does not determine all joints, every start may find another position.
///
/// # Panics
/// If the robot has no platform.
#[must_use]
pub fn all_at_pose(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    pose: &Pose,
    starts: usize,
    seed: u64,
) -> Vec<Configuration> {
    assert!(robot.platform.is_some(), "a robot with a platform");
    let mut sampler = Sampler::new(seed);
    let mut found: Vec<Configuration> = Vec::new();
    let apart = |one: &Configuration, other: &Configuration| ways(robot, 0..robot.tree.dof(), &one.q, &other.q);
    for start in 0..=starts {
        let mut at = Configuration { q: robot.home.q.clone(), pose: *pose };
        if start > 0 {
            for j in 0..robot.tree.dof() {
                at.q[j] = random_position(robot, &mut sampler, j);
            }
        }
        ws.legs.iter_mut().for_each(|block| block.begin(true));
        ws.placed.close(robot, &mut at, &mut ws.legs, STEPS);
        if !is_finite(&at) || ws.verify(robot).is_err() {
            continue;
        }
        wrap(robot, &mut at);
        if found.iter().all(|other| apart(other, &at) > SAME) {
            found.push(at);
        }
    }
    found.sort_by(|a, b| apart(a, &robot.home).total_cmp(&apart(b, &robot.home)));
    found
}
