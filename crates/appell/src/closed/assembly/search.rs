//! Searches from random starts, where nothing better is known.

use super::super::{ClosedMechanism, Configuration};
use super::in_closed_form::ways;
use super::{BACK, ROBOT_STARTS, SAME, STEPS, Workspace, is_finite, is_in_mode, set_drives, unwind_passive, wrap};
use crate::description::JointKind;
use crate::sample::Sampler;
use crate::spatial::{Pose, Quaternion, Vec3, turned};
use core::f64::consts::PI;

/// A position for a search to begin with: within the joint's limits, or anywhere.
pub(super) fn random_position(robot: &ClosedMechanism, sampler: &mut Sampler, j: usize) -> f64 {
    let limits = robot.tree.limits()[j];
    if (limits.upper - limits.lower).is_finite() && limits.lower <= limits.upper {
        let half = 0.5 * (limits.upper - limits.lower);
        return limits.lower + half + sampler.within(half);
    }
    match robot.tree.links()[j].joint {
        JointKind::Revolute => sampler.within(PI),
        JointKind::Prismatic => robot.home.q[j] + sampler.within(robot.length),
    }
}

/// A random pose in the robot's size around home, the legs as near to it as they come, the drives at
/// `positions`.
pub(super) fn random_start(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    sampler: &mut Sampler,
    positions: &[f64],
    at: &mut Configuration,
) {
    let mut vector = |limit: f64| Vec3::new(sampler.within(limit), sampler.within(limit), sampler.within(limit));
    at.pose.position = robot.home.pose.position + vector(1.5 * robot.length);
    let free = robot.platform.as_ref().is_some_and(|platform| platform.turns);
    at.pose.rotation = if free { turned(&robot.home.pose.rotation, vector(PI)) } else { robot.home.pose.rotation };
    for j in 0..robot.tree.dof() {
        at.q[j] = random_position(robot, sampler, j);
    }
    if !robot.legs.is_empty() {
        ws.legs.iter_mut().for_each(|leg| leg.begin(true));
        ws.placed.close(robot, at, &mut ws.legs, STEPS);
    }
    set_drives(robot, positions, at);
}

/// The longest step in which Newton's method is trusted to keep the way a robot is assembled, rad, or over the characteristic
/// length: a longer one may end in another way, and lead back from there all the same.
pub(super) const LONGEST_STEP: f64 = 0.25;

/// Steps after which a way is too long to be walked: the nut of a screw makes hundreds of turns, and no robot a hundred thousand.
const MOST_STEPS: usize = 30_000;

/// The shortest step over the longest: where it takes shorter ones, a singularity is on the way, or nearer to it than can be decided.
const SHORTEST_STEP: f64 = 1e-6;

/// How far the drive with the longest way has to go, rad, or over the characteristic length.
pub(super) fn way_of_drives(robot: &ClosedMechanism, positions: &[f64], from: &Configuration) -> f64 {
    let way = |(&j, &position): (&usize, &f64)| match robot.tree.links()[j].joint {
        JointKind::Revolute => (position - from.q[j]).abs(),
        JointKind::Prismatic => (position - from.q[j]).abs() / robot.length,
    };
    robot.driven.iter().zip(positions).map(way).fold(0.0, f64::max)
}

/// Moves the drives to `positions` in steps as short as it takes, and all loops with them, from where the workspace
/// says that the search began; whether they arrive, as the robot was assembled there, and not after too many steps.
///
/// Newton's method goes astray where the way is long, or the robot nearly singular. A step is taken if it ends where its halves do, and if no
/// singularity of Type 2 is seen between any of the three places.
pub(super) fn walk(robot: &ClosedMechanism, ws: &mut Workspace, positions: &[f64], at: &mut Configuration) -> bool {
    at.clone_from(&ws.start);
    let longest = f64::min(1.0, LONGEST_STEP / way_of_drives(robot, positions, &ws.start));
    if longest * MOST_STEPS as f64 <= 1.0 {
        return false;
    }
    let (mut way, mut step, mut steps) = (0.0, longest, 0);
    ws.keep(robot, at, 0);
    while way < 1.0 && step > SHORTEST_STEP * longest && steps < MOST_STEPS {
        steps += 1;
        let end = f64::min(way + step, 1.0);
        if halves_agree(robot, ws, positions, at, [0.5 * (way + end), end]) {
            unwind_passive(robot, at, &mut ws.halves);
            at.clone_from(&ws.halves);
            ws.type2.swap(0, 2);
            (way, step) = (end, f64::min(2.0 * step, longest));
        } else {
            step *= 0.5;
        }
    }
    way == 1.0
}

/// Goes on from a place on the way, by half a step and by another; whether one whole step comes there too, clear of Type 2.
fn halves_agree(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    positions: &[f64],
    from: &Configuration,
    [half, end]: [f64; 2],
) -> bool {
    let vacant = || Configuration { q: Vec::new(), pose: from.pose };
    let mut halves = core::mem::replace(&mut ws.halves, vacant());
    let mut whole = core::mem::replace(&mut ws.whole, vacant());
    halves.clone_from(from);
    whole.clone_from(from);
    let goes = |ws: &mut Workspace, next: &mut Configuration, part: f64| {
        for (&j, &position) in robot.driven.iter().zip(positions) {
            next.q[j] = ws.start.q[j] + part * (position - ws.start.q[j]);
        }
        ws.close_passive(robot, next).is_ok()
    };
    let agree = goes(ws, &mut halves, half)
        && ws.is_clear(robot, 0, 1)
        && goes(ws, &mut halves, end)
        && ws.is_clear(robot, 1, 2)
        && goes(ws, &mut whole, end)
        && apart(robot, &whole, &halves) < BACK;
    (ws.halves, ws.whole) = (halves, whole);
    agree
}

/// Looks for configurations in the joints' working modes from random starts, and takes of some, and of one that is known
/// perhaps, the nearest to where the workspace says that the search began; whether there is one.
pub(super) fn nearest_at_drives(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    positions: &[f64],
    known: Option<Configuration>,
    at: &mut Configuration,
) -> bool {
    const ENOUGH: usize = 8;
    let mut sampler = Sampler::new(1);
    let mut found: Vec<Configuration> = known.into_iter().collect();
    for _ in 0..ROBOT_STARTS {
        random_start(robot, ws, &mut sampler, positions, at);
        if ws.close_passive(robot, at).is_ok() && is_in_mode(robot, at) {
            unwind_passive(robot, &ws.start, at);
            found.push(at.clone());
        }
        if found.len() == ENOUGH {
            break;
        }
    }
    let far = |one: &Configuration| apart(robot, one, &ws.start);
    let nearest = found.iter().min_by(|one, other| far(one).total_cmp(&far(other)));
    nearest.inspect(|nearest| at.clone_from(nearest)).is_some()
}

/// All configurations with the driven joints at `positions` that `starts` random starts find, those in other
/// working modes of the passive joints included: the one nearest to home first.
///
/// A Gough-Stewart platform has up to 40 (Dietmaier1998); a search from random starts cannot prove that it found all.
///
/// # Panics
/// If `positions` does not have one value per driven joint.
#[must_use]
pub fn search_at_drives(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    positions: &[f64],
    starts: usize,
    seed: u64,
) -> Vec<Configuration> {
    assert_eq!(positions.len(), robot.driven.len(), "one position per driven joint");
    let mut fixed = robot.home.clone();
    set_drives(robot, positions, &mut fixed);
    let mut sampler = Sampler::new(seed);
    let mut found: Vec<Configuration> = Vec::new();
    for start in 0..=starts {
        let mut at = fixed.clone();
        if start > 0 {
            random_start(robot, ws, &mut sampler, positions, &mut at);
        }
        if !is_finite(&at) {
            continue;
        }
        if ws.close_passive(robot, &mut at).is_err() {
            continue;
        }
        wrap(robot, &mut at);
        // Joints that cross, such as those of a universal joint, have two positions for one configuration.
        match found.iter_mut().find(|other| distance(robot, other, &at) <= SAME) {
            Some(other) if is_in_mode(robot, &at) && !is_in_mode(robot, other) => *other = at,
            Some(_) => {}
            None => found.push(at),
        }
    }
    found.sort_by(|a, b| distance(robot, a, &robot.home).total_cmp(&distance(robot, b, &robot.home)));
    found
}

/// How far two configurations are apart, over the characteristic length: of the platform where there is one, else
/// of the joints.
#[must_use]
pub fn distance(robot: &ClosedMechanism, one: &Configuration, other: &Configuration) -> f64 {
    if robot.platform.is_some() {
        return pose_distance(robot, &one.pose, &other.pose);
    }
    ways(robot, 0..robot.tree.dof(), &one.q, &other.q)
}

/// How far two poses of the platform are apart: the way over the characteristic length, and the angle.
pub(super) fn pose_distance(robot: &ClosedMechanism, one: &Pose, other: &Pose) -> f64 {
    let way = (one.position - other.position).norm() / robot.length;
    let turn = Quaternion::of_rotation(&(one.rotation * other.rotation.transpose()));
    way + turn.rotation_vector().norm()
}

/// How far two configurations are apart, platform and joints: where loops hang on others, one of them does not say it all.
#[must_use]
pub fn apart(robot: &ClosedMechanism, one: &Configuration, other: &Configuration) -> f64 {
    let of_platform = if robot.platform.is_some() { distance(robot, one, other) } else { 0.0 };
    of_platform + ways(robot, 0..robot.tree.dof(), &one.q, &other.q)
}
