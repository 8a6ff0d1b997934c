//! Configurations that close all loops: for a pose of the platform, or for positions of the driven joints.
//!
//! For a pose, every leg is solved by itself. The common legs have closed forms (`closed::leg_forms`), of
//! whose solutions the one nearest to where the leg was before is taken, so that it keeps its working mode. The others
//! are solved by Newton's method from there, damped far from the goal (Levenberg1944, Marquardt1963), and where that
//! fails or ends in another mode, from seeded random starts. Where a robot is not of legs and a platform alone, and for
//! driven joints, all loops are solved together in the same way.
//!
//! ```
//! use appell::{closed::assembly, robots};
//!
//! let robot = robots::find("gough-stewart").unwrap().closed();
//! let mut workspace = assembly::Workspace::new(&robot);
//! let mut at = robot.home().clone();
//! at.pose.position.z += 0.05;
//! assembly::at_pose(&robot, &mut workspace, &mut at)?;
//! assert!(at.q[2] > robot.home().q[2], "the legs are longer");
//! # Ok::<(), appell::closed::assembly::AssemblyError>(())
//! ```

mod home;
mod in_closed_form;
mod legs;
mod newton;
mod search;
mod type2;
mod whole;

use super::constraints::Holding;
use super::held::{LAST_STEP, Lengths, ROUGHLY};
use super::leg_forms::Form;
use super::{ClosedMechanism, Configuration, Leg};
use crate::description::{Branch, JointKind};
use crate::real::Real;
use crate::spatial::wrapped;
use core::f64::consts::PI;
use core::slice;
pub use home::{along_pose, near_pose};
pub(super) use home::{at_home, reaches, reaches_aside, search_home};
pub use in_closed_form::{InClosedForm, gaps, joints_in_closed_form};
pub use legs::leg_solutions;
pub(super) use legs::{come_near, leg_solutions_from, with_drives};
use newton::{Block, Placed};
pub use search::{apart, distance, search_at_drives};
use type2::Type2;
use whole::Hold;
pub use whole::all_at_pose;

/// A closure that is open by less than this, over the characteristic length, is closed.
pub const CLOSED: f64 = 1e-10;

/// A leg by its closed form that is open by less than this, over the characteristic length, is not improved.
pub(super) const EXACT: f64 = 1e-13;

/// How far on the other side of its branch a joint may be by rounding, rad, or over the characteristic length.
const ON_BOTH_SIDES: f64 = 1e-12;

/// Steps from one start.
const STEPS: usize = 60;

/// Configurations that are nearer to each other than this, rad, or over the characteristic length, are one.
pub(super) const SAME: f64 = 1e-6;

/// How near a robot that goes back comes to where it was, over the characteristic length, or rad.
const BACK: f64 = 1e-5;

/// Random starts of the whole robot.
const ROBOT_STARTS: usize = 200;

/// Why a configuration was not found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AssemblyError {
    /// A leg does not reach the platform.
    #[error(
        "leg `{leg}` cannot reach the platform: its closing joint stays open by {gap:.3e} m; move the pose nearer, into the directions in which the robot can move, or check the leg's lengths"
    )]
    OutOfReach {
        /// The leg.
        leg: String,
        /// How far its closing joint is open, m.
        gap: f64,
    },
    /// The base itself holds the platform, and not at this pose.
    #[error(
        "the pose opens `{closure}`, by which the base holds the platform, by {gap:.3e} m, where a turn counts in characteristic lengths; a platform with turns = false keeps its attitude at home: give that one, or let it turn"
    )]
    Held {
        /// The closing joint.
        closure: String,
        /// How far it is open, m.
        gap: f64,
    },
    /// A leg reaches the platform, or closes its loop with these drives, but not in its working mode.
    #[error(
        "leg `{leg}` is assembled here only with joint `{joint}` on the other side than its branch `{}`; choose the other branch, or another pose or other positions of the drives",
        branch.name()
    )]
    OtherMode {
        /// The leg.
        leg: String,
        /// A joint on the wrong side.
        joint: String,
        /// The side it should be on.
        branch: Branch,
    },
    /// Loops cannot be closed with these positions of the joints.
    #[error(
        "closing joint `{closure}` stays open by {gap:.3e} m; no configuration was found for these positions of the driven joints: try others, or another home"
    )]
    Open {
        /// The closure.
        closure: String,
        /// How far it is open, m.
        gap: f64,
    },
    /// A joint cannot follow the ones that it is coupled to while all loops stay closed.
    #[error(
        "joint `{joint}`, which follows others, stays off by {gap:.3e} m, where a turn counts in characteristic lengths, with all loops closed; try other positions, another home, or check its multiplier and offset"
    )]
    Uncoupled {
        /// The joint that follows.
        joint: String,
        /// How far it is off, m.
        gap: f64,
    },
    /// All loops together cannot be closed with the platform at this pose.
    #[error(
        "the robot does not reach this pose: closing joint `{closure}` stays open by {gap:.3e} m at least; move the pose nearer, into the directions in which the robot can move, or check its lengths"
    )]
    Unreached {
        /// The closure that is open most.
        closure: String,
        /// How far, m.
        gap: f64,
    },
    /// A number is not finite, or too large for any digit of an angle or a length to be left.
    #[error("the pose or a position is not finite, or beyond 1e15; check it, in m and rad")]
    NotFinite,
    /// The robot cannot go on to these positions of the driven joints as it is assembled.
    #[error(
        "the driven joints cannot come here from where they were: on the way the robot passes a singularity of Type 2, or the end of its reach, or the way is too long; keep away, take shorter steps, or give poses of the platform"
    )]
    Lost,
}

/// How drives brought a robot to a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reached {
    /// Straight from where it was, by Newton's method in steps of a quarter radian or characteristic length at most, which come where their
    /// halves do: no singularity of Type 2 was seen on the way.
    #[default]
    Straight,
    /// The drives cannot come here straight: of the configurations that were found it is the nearest, and which one the robot would be in
    /// cannot be decided.
    Undecided,
}

/// Memory of the search.
#[derive(Debug, Clone)]
pub struct Workspace {
    placed: Placed,
    forms: Vec<Option<Form>>, // of the legs
    legs: Vec<Block>,         // each leg by itself, or all joints together where a platform has no legs
    aside: Block,             // all but the independent velocities, or everything where these are not the platform's
    passive: Block,           // all but the drives
    all: Block,               // everything
    platform: Block,          // the platform alone
    start: Configuration,     // where the search begins
    halves: Configuration,    // the end of a step on the way, by its halves
    whole: Configuration,     // and at once
    type2: Type2,             // how near it is at the ends of both halves
    lengths: Option<Lengths>, // where six legs hold the platform by distances
}

impl Workspace {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        let of_leg = |leg: &Leg| Block::new(robot, leg.closure..leg.closure + 1, leg.joints.clone());
        let of_all = |unknowns| Block::new(robot, 0..robot.closures.len(), unknowns);
        let of_platform = is_of_platform(robot);
        let legs = if robot.legs.is_empty() && robot.platform.is_some() {
            vec![of_all((0..robot.tree.dof()).collect())]
        } else {
            robot.legs.iter().map(of_leg).collect()
        };
        Self {
            placed: Placed::new(robot),
            forms: robot.legs.iter().map(|leg| Form::new(robot, leg)).collect(),
            legs,
            aside: of_all((0..robot.velocities()).filter(|k| !of_platform || !robot.freedoms.contains(k)).collect()),
            passive: of_all((0..robot.velocities()).filter(|k| !robot.driven.contains(k)).collect()),
            all: of_all((0..robot.velocities()).collect()),
            platform: of_all((robot.tree.dof()..robot.velocities()).collect()),
            start: robot.home.clone(),
            halves: robot.home.clone(),
            whole: robot.home.clone(),
            type2: Type2::new(robot),
            lengths: Lengths::of(robot),
        }
    }

    /// Whether a leg is solved in closed form, so that all its solutions for a pose are known.
    ///
    /// # Panics
    /// If there is no leg of this index of [`ClosedMechanism::legs`].
    #[must_use]
    pub fn has_closed_form(&self, leg: usize) -> bool {
        self.forms[leg].is_some()
    }

    /// Whether nothing of a leg must be searched for: it has a closed form, or no joints.
    pub(super) fn can_solve(&self, robot: &ClosedMechanism, leg: usize) -> bool {
        self.has_closed_form(leg) || robot.legs[leg].joints.is_empty()
    }

    /// Where the last search began.
    pub(super) const fn began(&self) -> &Configuration {
        &self.start
    }

    /// Solves the whole robot for its driven joints by Newton's method, from where `at` is.
    pub(super) fn close_passive(
        &mut self,
        robot: &ClosedMechanism,
        at: &mut Configuration,
    ) -> Result<(), AssemblyError> {
        self.passive.begin(true);
        self.placed.close(robot, at, slice::from_mut(&mut self.passive), STEPS);
        self.verify(robot)
    }

    /// Solves everything but the independent velocities from where `at` is, or everything, the joints first, where these
    /// are not the platform's.
    fn give_way(&mut self, robot: &ClosedMechanism, at: &mut Configuration) {
        if !is_of_platform(robot) {
            self.legs.iter_mut().for_each(|leg| leg.begin(true));
            self.placed.close(robot, at, &mut self.legs, STEPS);
        }
        self.aside.begin(true);
        self.placed.close(robot, at, slice::from_mut(&mut self.aside), STEPS);
    }

    /// Remembers how near Type 2 is at a configuration, by a number.
    fn keep(&mut self, robot: &ClosedMechanism, at: &Configuration, number: usize) {
        self.placed.place(robot, at);
        self.type2.keep(robot, self.placed.constraints(), number);
    }

    /// Whether no singularity of Type 2 is seen between the place of a number and where everything was closed last, which becomes another.
    fn is_clear(&mut self, robot: &ClosedMechanism, before: usize, number: usize) -> bool {
        self.type2.keep(robot, self.placed.constraints(), number);
        self.type2.is_clear(before, number)
    }

    /// How far the closure or coupling that is open most is open at a configuration, m.
    pub(super) fn widest_gap(&mut self, robot: &ClosedMechanism, at: &Configuration) -> f64 {
        self.placed.place(robot, at);
        self.placed.widest(robot).1
    }

    /// Whether all closures and couplings are closed.
    fn verify(&self, robot: &ClosedMechanism) -> Result<(), AssemblyError> {
        let (worst, gap) = self.placed.widest(robot);
        if gap <= CLOSED * robot.length { Ok(()) } else { Err(AssemblyError::open(worst, gap)) }
    }
}

impl AssemblyError {
    /// What stays open, and by how much, m.
    pub(super) fn open(what: Holding<'_>, gap: f64) -> Self {
        match what {
            Holding::Closure(closure) => Self::Open { closure: closure.name.clone(), gap },
            Holding::Coupling(coupling) => Self::Uncoupled { joint: coupling.name.clone(), gap },
        }
    }
}

/// Whether all independent velocities are components of the platform's twist.
fn is_of_platform(robot: &ClosedMechanism) -> bool {
    robot.freedoms.iter().all(|&k| k >= robot.tree.dof())
}

/// How far a joint is on its side of zero at a position, an angle of at most half a turn; negative on the other side.
#[inline(always)]
fn on_branch<T: Real>(robot: &ClosedMechanism, j: usize, position: T) -> T {
    let side = match robot.branches[j] {
        Branch::Any => return position.constant(f64::INFINITY),
        Branch::Positive => position,
        Branch::Negative => -position,
    };
    match robot.tree.links()[j].joint {
        // Stretched or folded legs are on both sides, whatever rounding makes of 0 and π.
        JointKind::Revolute => {
            let (beyond_zero, beyond_half) =
                (side + side.constant(ON_BOTH_SIDES), side.constant(ON_BOTH_SIDES - PI) - side);
            (beyond_zero - beyond_half).where_positive(beyond_zero, beyond_half)
        }
        JointKind::Prismatic => side + side.constant(ON_BOTH_SIDES * robot.length),
    }
}

/// The first joint that is not on its side of zero.
fn off_branch(robot: &ClosedMechanism, at: &Configuration, mut joints: impl Iterator<Item = usize>) -> Option<usize> {
    let is_on_branch = |j: usize| on_branch(robot, j, unturned(robot, j, at.q[j])) >= 0.0;
    joints.find(|&j| !is_on_branch(j))
}

/// Whether all joints are on the side of zero that their working modes demand. A robot that has passed a stretched leg is not;
/// [`at_pose`] would bring it back to the other side.
#[must_use]
pub fn is_in_working_mode(robot: &ClosedMechanism, at: &Configuration) -> bool {
    off_branch(robot, at, 0..robot.tree.dof()).is_none()
}

/// A joint's position, whole turns taken off.
#[inline(always)]
pub(super) fn unturned(robot: &ClosedMechanism, j: usize, position: f64) -> f64 {
    match robot.tree.links()[j].joint {
        JointKind::Revolute => wrapped(position),
        JointKind::Prismatic => position,
    }
}

pub(super) fn is_finite(at: &Configuration) -> bool {
    let pose = at.pose.to_array();
    at.q.iter().chain(&pose).all(|x| x.is_finite() && x.abs() < 1e15)
}

/// Closes all loops with the platform at the pose of `at`, whose joint positions are where the search begins.
///
/// Legs keep their working modes. Where the robot is not of legs and a platform alone, all joints are solved together, and
/// those that the pose does not determine stay near to where they are. Without a platform the pose has no meaning.
///
/// # Errors
/// If a leg cannot reach the platform, or only in another working mode; `at` is as it was then.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn at_pose(robot: &ClosedMechanism, ws: &mut Workspace, at: &mut Configuration) -> Result<(), AssemblyError> {
    robot.tree.expect_lengths(&[&at.q]);
    if !is_finite(at) {
        return Err(AssemblyError::NotFinite);
    }
    if robot.platform.is_none() {
        return home::at_home(robot, ws, at);
    }
    ws.start.q.copy_from_slice(&at.q);
    let reached =
        if robot.legs.is_empty() { whole::reach(robot, ws, at, Hold::Pose) } else { legs::reach(robot, ws, at) };
    if reached.is_err() {
        at.q.copy_from_slice(&ws.start.q);
    }
    reached
}

/// Brings the positions of all revolute joints to (−π, π], as they stand when nothing was before; but those of joints that are
/// coupled, whose turns count.
pub fn wrap(robot: &ClosedMechanism, at: &mut Configuration) {
    for (j, q) in at.q.iter_mut().enumerate().filter(|(j, _)| !robot.is_coupled(*j)) {
        *q = unturned(robot, j, *q);
    }
}

/// Closes all loops with the joints where they are in `at`: finds the platform's pose, from where it is there, and what is missing
/// in the joints that are not driven, as of positions that are rounded. Whatever working modes these are in, they keep.
///
/// # Errors
/// If the loops stay open; `at` is not assembled then.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn with_joints(robot: &ClosedMechanism, ws: &mut Workspace, at: &mut Configuration) -> Result<(), AssemblyError> {
    robot.tree.expect_lengths(&[&at.q]);
    if !is_finite(at) {
        return Err(AssemblyError::NotFinite);
    }
    ws.start.clone_from(at);
    ws.platform.begin(true);
    ws.placed.close(robot, at, slice::from_mut(&mut ws.platform), STEPS);
    if ws.verify(robot).is_ok() {
        return Ok(());
    }
    ws.close_passive(robot, at)?;
    unwind_passive(robot, &ws.start, at);
    Ok(())
}

/// Closes all loops with the driven joints at `positions`: as the robot is assembled at `at`, where its drives can come here
/// straight from there ([`follow`]). Where they cannot, because of a singularity or the end of reach on the way, the
/// configuration nearest to `at` of those that Newton's method finds from there and from random starts: [`Reached`] says which. Where all
/// assemblies are counted, [`direct::at_drives`](super::direct::at_drives) takes it from them.
///
/// # Errors
/// If no configuration was found, or only in another working mode; `at` is as it was then, but for the drives.
///
/// # Panics
/// If `positions` does not have one value per driven joint, or `at` belongs to another robot.
pub fn at_drives(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    positions: &[f64],
    at: &mut Configuration,
) -> Result<Reached, AssemblyError> {
    // Where the search begins may be rough: loops are closed there first, if they can be.
    robot.tree.expect_lengths(&[&at.q]);
    assert_eq!(positions.len(), robot.driven.len(), "one position per driven joint");
    ws.start.clone_from(at);
    if near_by_lengths(robot, ws, positions, at) {
        return Ok(Reached::Straight);
    }
    if is_finite(at) && ws.close_passive(robot, at).is_err() {
        at.clone_from(&ws.start);
    }
    let refused = match follow(robot, ws, positions, at) {
        Err(refused @ (AssemblyError::Lost | AssemblyError::Open { .. } | AssemblyError::Uncoupled { .. })) => refused,
        // A way that leads into another working mode is an answer.
        answer => {
            set_drives(robot, positions, at);
            return answer.map(|()| Reached::Straight);
        }
    };
    set_drives(robot, positions, at);
    let mut found = at.clone();
    let first = ws.close_passive(robot, &mut found);
    let other_mode = off_branch(robot, &found, 0..robot.tree.dof()).filter(|_| first.is_ok());
    unwind_passive(robot, &ws.start, &mut found);
    let direct = (first.is_ok() && other_mode.is_none()).then(|| found.clone());
    match (search::nearest_at_drives(robot, ws, positions, direct, &mut found), other_mode) {
        (true, _) => {
            at.clone_from(&found);
            Ok(Reached::Undecided)
        }
        (false, Some(joint)) => Err(in_other_mode(robot, joint)), // the loops were closed, but so
        (false, None) => Err(match first {
            Err(open) => open,
            Ok(()) => refused,
        }),
    }
}

/// Closes all loops with the driven joints at `positions`, as [`at_drives`] does, but never assembled in another way than
/// `at`: drives that go back to where they were bring the robot back.
///
/// # Errors
/// If no such configuration was found, or only in another working mode; `at` is as it was then.
///
/// # Panics
/// If `positions` does not have one value per driven joint, or `at` belongs to another robot.
pub fn follow(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    positions: &[f64],
    at: &mut Configuration,
) -> Result<(), AssemblyError> {
    assert_eq!(positions.len(), robot.driven.len(), "one position per driven joint");
    robot.tree.expect_lengths(&[&at.q]);
    ws.start.clone_from(at);
    if near_by_lengths(robot, ws, positions, at) {
        return Ok(());
    }
    set_drives(robot, positions, at);
    let answer = if is_finite(at) { go_on(robot, ws, positions, at) } else { Err(AssemblyError::NotFinite) };
    if answer.is_err() {
        at.clone_from(&ws.start);
    }
    answer
}

/// Goes on from where the workspace says that the search begins by the lengths of six legs and their closed forms, where the drives have a short
/// way and come back; whether that is so, in the legs' working modes. Otherwise `at` is as it was.
fn near_by_lengths(robot: &ClosedMechanism, ws: &mut Workspace, positions: &[f64], at: &mut Configuration) -> bool {
    let Some(lengths) = &mut ws.lengths else { return false };
    // What is not a number is no short way.
    let is_short = search::way_of_drives(robot, positions, &ws.start) <= search::LONGEST_STEP;
    if !is_short {
        return false;
    }
    let before = ws.start.pose;
    let (mut pose, start) = (before, &ws.start.q);
    if !lengths.near(|drive| positions[drive], LAST_STEP, &mut pose) {
        return false;
    }
    let mut back = pose;
    let comes_back = lengths.near(|drive| start[robot.driven[drive]], ROUGHLY, &mut back)
        && (back.position - before.position).norm() < BACK * robot.length
        && (back.rotation - before.rotation).rows.iter().all(|row| row.norm() < BACK);
    if !comes_back {
        return false;
    }
    at.pose = pose;
    let is_at_drive = |at: &Configuration| {
        robot
            .driven
            .iter()
            .zip(positions)
            .all(|(&j, &position)| in_closed_form::way(robot, j, at.q[j], position) < BACK)
    };
    if legs::reach(robot, ws, at).is_ok() && is_at_drive(at) {
        set_drives(robot, positions, at);
        // Near a stretched leg a drive may be off by more than rounding, and opens the loop.
        ws.placed.place(robot, at);
        if ws.verify(robot).is_ok() {
            return true;
        }
    }
    at.clone_from(&ws.start);
    false
}

/// Follows drives that are at `positions` already, from where the workspace says that the search begins.
fn go_on(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    positions: &[f64],
    at: &mut Configuration,
) -> Result<(), AssemblyError> {
    if !search::walk(robot, ws, positions, at) {
        set_drives(robot, positions, at);
        return ws.close_passive(robot, at).and(Err(AssemblyError::Lost));
    }
    off_branch(robot, at, 0..robot.tree.dof()).map_or(Ok(()), |joint| Err(in_other_mode(robot, joint)))
}

fn in_other_mode(robot: &ClosedMechanism, joint: usize) -> AssemblyError {
    let leg = robot.legs.iter().find(|leg| leg.joints.contains(&joint)).map_or(robot.name(), |leg| &leg.name);
    AssemblyError::OtherMode {
        leg: leg.to_owned(),
        joint: robot.tree.joint_names()[joint].clone(),
        branch: robot.branches[joint],
    }
}

/// Whether all joints are in their working modes.
pub(super) fn is_in_mode(robot: &ClosedMechanism, at: &Configuration) -> bool {
    off_branch(robot, at, 0..robot.tree.dof()).is_none()
}

/// Takes back whole turns of passive joints that a long step of Newton's method made: nobody turned them.
pub(super) fn unwind_passive(robot: &ClosedMechanism, from: &Configuration, at: &mut Configuration) {
    let passive = (0..robot.tree.dof()).filter(|j| !robot.driven.contains(j));
    legs::unwind(robot, &from.q, at, passive);
}

pub(super) fn set_drives(robot: &ClosedMechanism, positions: &[f64], at: &mut Configuration) {
    for (&j, &position) in robot.driven.iter().zip(positions) {
        at.q[j] = position;
    }
}
