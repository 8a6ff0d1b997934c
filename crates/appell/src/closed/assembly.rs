//! Configurations that close all loops: for a pose of the platform, or for positions of the driven joints.
//!
//! For a pose, every leg is solved by itself: Newton's method, damped far from the goal (Levenberg1944,
//! Marquardt1963), from where the leg was before, so that it keeps its working mode; where that fails or ends in
//! another mode, from seeded random starts. For driven joints all loops are solved together.
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

use super::constraints::Constraints;
use super::{ClosedMechanism, Closure, Configuration, Leg};
use crate::description::{Branch, JointKind};
use crate::linear::Cholesky;
use crate::sample::Sampler;
use crate::spatial::{Mat3, Quaternion, Vec3};
use core::f64::consts::{PI, TAU};
use core::ops::Range;

/// A closure that is open by less than this, over the characteristic length, is closed.
pub const CLOSED: f64 = 1e-10;

/// Steps from one start.
const STEPS: usize = 60;

/// Random starts of a leg, and of the whole robot.
const LEG_STARTS: usize = 100;
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
    /// A leg reaches the platform, but not in its working mode.
    #[error("leg `{leg}` reaches the pose only with joint `{joint}` on the other side than its branch `{}`; choose the other branch or another pose", branch.name())]
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
    /// A number is not finite.
    #[error("the pose or a position is not finite")]
    NotFinite,
}

/// Memory of the search.
#[derive(Debug, Clone)]
pub struct Workspace {
    constraints: Constraints<f64>,
    gaps: Vec<f64>,
    legs: Vec<Block>,
    robot: Block,
    start: Configuration,
}

/// Unknowns that are solved from some closures.
#[derive(Debug, Clone)]
struct Block {
    closures: Range<usize>,
    unknowns: Vec<usize>, // of u
    scales: Vec<f64>,     // what a unit of each weighs, squared
    normal: Vec<f64>,     // Jᵀ J
    downhill: Vec<f64>,   // −Jᵀ g, then the step
    row: Vec<f64>,        // of J
    cholesky: Cholesky<f64>,
    best: Vec<f64>, // positions of the unknown joints before the step
    cost: f64,
    damping: f64,
    moving: bool,
}

impl Block {
    fn new(robot: &ClosedMechanism, closures: Range<usize>, unknowns: Vec<usize>) -> Self {
        let n = unknowns.len();
        let square = robot.length * robot.length;
        let scale = |&k: &usize| match robot.tree.links().get(k).map(|link| link.joint) {
            Some(JointKind::Revolute) => square,
            Some(JointKind::Prismatic) => 1.0,
            None if k < robot.tree.dof() + 3 => 1.0,
            None => square,
        };
        Self {
            closures,
            scales: unknowns.iter().map(scale).collect(),
            normal: vec![0.0; n * n],
            downhill: vec![0.0; n],
            row: vec![0.0; n],
            cholesky: Cholesky::new(n, 0.0),
            best: vec![0.0; n],
            unknowns,
            cost: f64::INFINITY,
            damping: 0.0,
            moving: true,
        }
    }
}

impl Workspace {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        let of_leg = |leg: &Leg| Block::new(robot, leg.closure..leg.closure + 1, leg.joints.clone());
        let passive = (0..robot.velocities()).filter(|k| !robot.driven.contains(k)).collect();
        Self {
            constraints: Constraints::over(robot, 0.0),
            gaps: vec![0.0; robot.rows],
            legs: robot.legs.iter().map(of_leg).collect(),
            robot: Block::new(robot, 0..robot.closures.len(), passive),
            start: robot.home.clone(),
        }
    }

    fn place(&mut self, robot: &ClosedMechanism, at: &Configuration) {
        self.constraints.place(robot, at);
        self.constraints.gaps(robot, &mut self.gaps);
    }

    /// The closure of a block that is open most, and how far.
    fn worst(&self, robot: &ClosedMechanism, closures: Range<usize>) -> (usize, f64) {
        let opening = |k: usize| self.constraints.opening(k, &robot.closures[k], &self.gaps, robot.length);
        closures
            .map(|k| (k, opening(k)))
            .fold((0, -1.0), |worst, new| if new.1 > worst.1 || new.1.is_nan() { new } else { worst })
    }

    /// Solves blocks that do not touch each other, from where `at` is.
    fn close(&mut self, robot: &ClosedMechanism, at: &mut Configuration, legs: bool) {
        let mut blocks = core::mem::take(&mut self.legs);
        let mut whole = core::mem::replace(&mut self.robot, Block::new(robot, 0..0, Vec::new()));
        let used = if legs { &mut blocks[..] } else { core::slice::from_mut(&mut whole) };
        for block in &mut *used {
            (block.cost, block.damping, block.moving) = (f64::INFINITY, 1e-4, !block.unknowns.is_empty());
        }
        let mut pose = at.pose;
        for _ in 0..STEPS {
            self.place(robot, at);
            for block in used.iter_mut().filter(|block| block.moving) {
                self.judge(robot, block, at, &mut pose);
            }
            if used.iter().all(|block| !block.moving) {
                break;
            }
            // Blocks that were set back are placed again before their next step.
            self.place(robot, at);
            for block in used.iter_mut().filter(|block| block.moving) {
                self.step(robot, block, at);
            }
        }
        // What the last step did is kept only if it was for the better.
        self.place(robot, at);
        for block in used.iter_mut().filter(|block| block.moving) {
            self.judge(robot, block, at, &mut pose);
        }
        self.place(robot, at);
        (self.legs, self.robot) = (blocks, whole);
    }

    /// Keeps the step a block has made, or takes it back.
    fn judge(
        &self,
        robot: &ClosedMechanism,
        block: &mut Block,
        at: &mut Configuration,
        pose: &mut crate::spatial::Pose,
    ) {
        let cost = self.cost(robot, block.closures.clone());
        let n = robot.tree.dof();
        if cost < block.cost {
            // Quadratic convergence has come to rounding when a step no longer halves what is left.
            block.moving = cost > 0.0 && !(cost < 1e-28 * robot.length * robot.length && cost > 0.25 * block.cost);
            block.cost = cost;
            block.damping = (0.1 * block.damping).max(1e-14);
            for (best, &k) in block.best.iter_mut().zip(&block.unknowns).filter(|(_, k)| **k < n) {
                *best = at.q[k];
            }
            if block.unknowns.last().is_some_and(|&k| k >= n) {
                *pose = at.pose;
            }
            return;
        }
        for (&best, &k) in block.best.iter().zip(&block.unknowns).filter(|(_, k)| **k < n) {
            at.q[k] = best;
        }
        if block.unknowns.last().is_some_and(|&k| k >= n) {
            at.pose = *pose;
        }
        block.damping = 10.0 * block.damping.max(1e-8);
        block.moving = block.damping < 1e6 && block.cost > 1e-30 * robot.length * robot.length;
    }

    fn cost(&self, robot: &ClosedMechanism, closures: Range<usize>) -> f64 {
        let of = |closure: &Closure| -> f64 {
            let rows = closure.row..closure.row + closure.rows();
            self.gaps[rows].iter().map(|gap| gap * gap).sum()
        };
        let cost: f64 = robot.closures[closures].iter().map(of).sum();
        if cost.is_nan() { f64::INFINITY } else { cost }
    }

    /// A damped Newton step of a block.
    fn step(&mut self, robot: &ClosedMechanism, block: &mut Block, at: &mut Configuration) {
        let n = block.unknowns.len();
        block.normal.fill(0.0);
        block.downhill.fill(0.0);
        for k in block.closures.clone() {
            let closure = &robot.closures[k];
            for i in 0..closure.rows() {
                self.fill_row(robot, k, i, &block.unknowns, &mut block.row);
                let gap = self.gaps[closure.row + i];
                for x in 0..n {
                    block.downhill[x] -= block.row[x] * gap;
                    for y in 0..=x {
                        block.normal[x * n + y] += block.row[x] * block.row[y];
                    }
                }
            }
        }
        let size = (0..n).map(|x| block.normal[x * n + x] / block.scales[x]).fold(0.0, f64::max);
        for x in 0..n {
            block.normal[x * n + x] += (block.damping * size + f64::MIN_POSITIVE) * block.scales[x];
        }
        block.cholesky.decompose(&block.normal);
        block.cholesky.solve(&mut block.downhill);
        let dof = robot.tree.dof();
        let mut twist = [0.0; 6];
        for (&step, &k) in block.downhill.iter().zip(&block.unknowns) {
            if k < dof {
                at.q[k] += step;
            } else {
                twist[k - dof] = step;
            }
        }
        let [x, y, z, a, b, c] = twist;
        at.pose.position = at.pose.position + Vec3::new(x, y, z);
        at.pose.rotation = turned(&at.pose.rotation, Vec3::new(a, b, c));
    }

    /// The entries of row i of closure k for some velocities.
    fn fill_row(&self, robot: &ClosedMechanism, k: usize, i: usize, unknowns: &[usize], row: &mut [f64]) {
        let closure = &robot.closures[k];
        let wrench = self.constraints.rows_of(closure)[i];
        let (point, dof) = (self.constraints.point(k), robot.tree.dof());
        let moves = |on: super::On, j: usize| match on {
            super::On::Body(body) => robot.tree.path_to_base(body).any(|other| other == j),
            _ => false,
        };
        let sign = |yes: bool| if yes { 1.0 } else { 0.0 };
        for (entry, &u) in row.iter_mut().zip(unknowns) {
            *entry = if u < dof {
                let turns = sign(moves(closure.second.on, u)) - sign(moves(closure.first.on, u));
                if turns == 0.0 {
                    0.0
                } else {
                    let (linear, angular) = self.constraints.unit_motion(robot, u, point);
                    turns * wrench.along(linear, angular)
                }
            } else {
                let on = |on: super::On| sign(on == super::On::Platform);
                let arm = point - self.constraints.platform.pose.position;
                let moment = arm.cross(wrench.force) + wrench.moment;
                let numbers = [wrench.force.to_array(), moment.to_array()];
                (on(closure.second.on) - on(closure.first.on)) * numbers.as_flattened()[u - dof]
            };
        }
    }
}

/// A rotation turned further by a rotation vector in base axes, and made exact.
pub(crate) fn turned(rotation: &Mat3<f64>, by: Vec3<f64>) -> Mat3<f64> {
    let angle = by.norm();
    let half = 0.5 * angle;
    let sine = if angle > 0.0 { half.sin() / angle } else { 0.5 };
    let step = Quaternion { x: sine * by.x, y: sine * by.y, z: sine * by.z, w: half.cos() };
    Quaternion::of_rotation(&(step.normalized().rotation() * *rotation)).normalized().rotation()
}

/// An angle in (−π, π].
pub(crate) fn wrapped(angle: f64) -> f64 {
    let turns = ((angle - PI) / TAU).ceil();
    angle - turns * TAU
}

/// The first joint that is not on its side of zero.
fn off_branch(robot: &ClosedMechanism, at: &Configuration, joints: &[usize]) -> Option<usize> {
    let off = |&j: &usize| {
        let position = match robot.tree.links()[j].joint {
            JointKind::Revolute => wrapped(at.q[j]),
            JointKind::Prismatic => at.q[j],
        };
        match robot.branches[j] {
            Branch::Any => false,
            Branch::Positive => position < 0.0,
            Branch::Negative => position > 0.0,
        }
    };
    joints.iter().copied().find(off)
}

fn is_finite(at: &Configuration) -> bool {
    let pose = at.pose.to_array();
    at.q.iter().chain(&pose).all(|x| x.is_finite() && x.abs() < 1e15)
}

/// Closes all loops with the platform at the pose of `at`, whose joint positions are where the search begins.
///
/// Legs keep their working modes. Where the robot is not of legs and a platform alone, the pose may give way.
///
/// # Errors
/// If a leg cannot reach the platform, or only in another working mode.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn at_pose(robot: &ClosedMechanism, ws: &mut Workspace, at: &mut Configuration) -> Result<(), AssemblyError> {
    robot.tree.expect_lengths(&[&at.q]);
    if !is_finite(at) {
        return Err(AssemblyError::NotFinite);
    }
    if robot.legs.is_empty() {
        return at_home(robot, ws, at);
    }
    ws.start.q.copy_from_slice(&at.q);
    ws.close(robot, at, true);
    for index in 0..robot.legs.len() {
        let leg = &robot.legs[index];
        let is_closed = |ws: &Workspace| ws.worst(robot, leg.closure..leg.closure + 1).1 <= CLOSED * robot.length;
        if is_closed(ws) && off_branch(robot, at, &leg.joints).is_none() {
            continue;
        }
        search_leg(robot, ws, at, leg)?;
    }
    unwind(robot, &ws.start.q, at, 0..robot.tree.dof());
    ws.place(robot, at);
    Ok(())
}

/// As [`at_pose`], from the one start that `at` gives: whether all legs reach the pose in their working modes.
pub(super) fn reaches(robot: &ClosedMechanism, ws: &mut Workspace, at: &mut Configuration) -> bool {
    ws.start.q.copy_from_slice(&at.q);
    ws.close(robot, at, true);
    unwind(robot, &ws.start.q, at, 0..robot.tree.dof());
    is_assembled(robot, ws, at)
}

/// As [`reaches`], where the components of the platform that are none of its freedoms give way.
pub(super) fn reaches_aside(robot: &ClosedMechanism, ws: &mut Workspace, at: &mut Configuration) -> bool {
    let aside = (0..robot.velocities()).filter(|k| !robot.freedoms.contains(k)).collect();
    let passive = core::mem::replace(&mut ws.robot, Block::new(robot, 0..robot.closures.len(), aside));
    ws.start.q.copy_from_slice(&at.q);
    ws.close(robot, at, false);
    ws.robot = passive;
    unwind(robot, &ws.start.q, at, 0..robot.tree.dof());
    is_assembled(robot, ws, at)
}

fn is_assembled(robot: &ClosedMechanism, ws: &Workspace, at: &Configuration) -> bool {
    is_finite(at) && verify(robot, ws).is_ok() && off_branch(robot, at, &all_joints(robot)).is_none()
}

/// Brings the positions of all revolute joints to (−π, π], as they stand when nothing was before.
pub fn wrap(robot: &ClosedMechanism, at: &mut Configuration) {
    for (q, _) in at.q.iter_mut().zip(robot.tree.links()).filter(|(_, link)| link.joint == JointKind::Revolute) {
        *q = wrapped(*q);
    }
}

/// A turn more of a joint is the same place: takes the one nearest to where it was.
fn unwind(robot: &ClosedMechanism, before: &[f64], at: &mut Configuration, joints: impl IntoIterator<Item = usize>) {
    for j in joints {
        if robot.tree.links()[j].joint == JointKind::Revolute {
            at.q[j] = before[j] + wrapped(at.q[j] - before[j]);
        }
    }
}

/// Looks for a leg's positions from random starts, and takes the solution nearest to where it was.
fn search_leg(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    at: &mut Configuration,
    leg: &Leg,
) -> Result<(), AssemblyError> {
    let mut sampler = Sampler::new(leg.closure as u64 + 1);
    let mut nearest = f64::INFINITY;
    let (mut least, mut other_mode) = (f64::INFINITY, None);
    let before = at.clone();
    let mut found = at.clone();
    for start in 0..=LEG_STARTS {
        at.q.copy_from_slice(&before.q);
        for &j in &leg.joints {
            at.q[j] = match start {
                0 => robot.home.q[j],
                _ => random_position(robot, &mut sampler, j),
            };
        }
        ws.close(robot, at, true);
        let (_, gap) = ws.worst(robot, leg.closure..leg.closure + 1);
        if gap.is_nan() || gap > CLOSED * robot.length {
            least = least.min(gap);
            continue;
        }
        unwind(robot, &ws.start.q, at, leg.joints.iter().copied());
        let distance: f64 = leg.joints.iter().map(|&j| (at.q[j] - ws.start.q[j]).abs()).sum();
        if let Some(joint) = off_branch(robot, at, &leg.joints) {
            other_mode = Some(joint);
        } else if distance < nearest {
            nearest = distance;
            found.q.copy_from_slice(&at.q);
        }
        // A dozen solutions are enough to know the nearest.
        if nearest.is_finite() && start >= 12 {
            break;
        }
    }
    at.q.copy_from_slice(if nearest.is_finite() { &found.q } else { &before.q });
    match other_mode {
        _ if nearest.is_finite() => {
            ws.place(robot, at);
            Ok(())
        }
        Some(joint) => Err(AssemblyError::OtherMode {
            leg: leg.name.clone(),
            joint: robot.tree.joint_names()[joint].clone(),
            branch: robot.branches[joint],
        }),
        None => Err(AssemblyError::OutOfReach { leg: leg.name.clone(), gap: least }),
    }
}

/// A position for a search to begin with: within the joint's limits, or anywhere.
fn random_position(robot: &ClosedMechanism, sampler: &mut Sampler, j: usize) -> f64 {
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

/// Closes all loops near `at`, whatever must move for it.
pub(super) fn at_home(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    at: &mut Configuration,
) -> Result<(), AssemblyError> {
    let all = Block::new(robot, 0..robot.closures.len(), (0..robot.velocities()).collect());
    let passive = core::mem::replace(&mut ws.robot, all);
    ws.close(robot, at, false);
    ws.robot = passive;
    verify(robot, ws)
}

/// Closes all loops near `at`, or, where Newton's method finds nothing from there, as near to it as one of a dozen
/// configurations from random starts is.
pub(super) fn search_home(
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
    let joints = all_joints(robot);
    let in_mode = found.iter().position(|one| off_branch(robot, one, &joints).is_none()).unwrap_or(0);
    let Some(nearest) = found.get(in_mode) else { return first };
    at.clone_from(nearest);
    Ok(())
}

/// Whether all closures are closed.
fn verify(robot: &ClosedMechanism, ws: &Workspace) -> Result<(), AssemblyError> {
    let (worst, gap) = ws.worst(robot, 0..robot.closures.len());
    if gap <= CLOSED * robot.length {
        Ok(())
    } else {
        Err(AssemblyError::Open { closure: robot.closures[worst].name.clone(), gap })
    }
}

/// Closes all loops with the driven joints at `positions`; the search begins at `at` and ends in the configuration
/// nearest to it that Newton's method finds, at once or in steps, or, where it finds none, in one from random starts.
///
/// # Errors
/// If no configuration was found.
///
/// # Panics
/// If `positions` has not one number a driven joint, or `at` belongs to another robot.
pub fn at_drives(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    positions: &[f64],
    at: &mut Configuration,
) -> Result<(), AssemblyError> {
    assert_eq!(positions.len(), robot.driven.len(), "one position a driven joint");
    robot.tree.expect_lengths(&[&at.q]);
    let before = at.clone();
    set_drives(robot, positions, at);
    if !is_finite(at) {
        return Err(AssemblyError::NotFinite);
    }
    let start = at.clone();
    ws.close(robot, at, false);
    let first = verify(robot, ws);
    if first.is_ok() && off_branch(robot, at, &all_joints(robot)).is_none() {
        return Ok(());
    }
    let other_mode = at.clone();
    at.clone_from(&before);
    if walk(robot, ws, positions, at) && off_branch(robot, at, &all_joints(robot)).is_none() {
        return Ok(());
    }
    let mut sampler = Sampler::new(1);
    for _ in 0..ROBOT_STARTS {
        random_start(robot, ws, &mut sampler, &start, at);
        ws.close(robot, at, false);
        if verify(robot, ws).is_ok() && off_branch(robot, at, &all_joints(robot)).is_none() {
            return Ok(());
        }
    }
    at.clone_from(&start);
    first?;
    // The loops were closed at once, but in another mode.
    let joint = off_branch(robot, &other_mode, &all_joints(robot)).unwrap_or(0);
    let leg = robot.legs.iter().find(|leg| leg.joints.contains(&joint)).map_or(robot.name(), |leg| &leg.name);
    Err(AssemblyError::OtherMode {
        leg: leg.to_owned(),
        joint: robot.tree.joint_names()[joint].clone(),
        branch: robot.branches[joint],
    })
}

/// Moves the drives to `positions` in steps as short as it takes, and all loops with them; whether they arrive.
///
/// Newton's method goes astray where the way is long, or the robot nearly singular.
fn walk(robot: &ClosedMechanism, ws: &mut Workspace, positions: &[f64], at: &mut Configuration) -> bool {
    let from: Vec<f64> = robot.driven.iter().map(|&j| at.q[j]).collect();
    let (mut way, mut step) = (0.0, 0.25);
    let mut next = at.clone();
    while way < 1.0 && step > 1e-3 {
        let part = f64::min(way + step, 1.0);
        for (k, &j) in robot.driven.iter().enumerate() {
            next.q[j] = from[k] + part * (positions[k] - from[k]);
        }
        ws.close(robot, &mut next, false);
        if verify(robot, ws).is_ok() {
            way = part;
            at.clone_from(&next);
        } else {
            step *= 0.5;
            next.clone_from(at);
        }
    }
    way == 1.0
}

fn all_joints(robot: &ClosedMechanism) -> Vec<usize> {
    (0..robot.tree.dof()).collect()
}

fn set_drives(robot: &ClosedMechanism, positions: &[f64], at: &mut Configuration) {
    for (&j, &position) in robot.driven.iter().zip(positions) {
        at.q[j] = position;
    }
}

/// A random pose in the robot's size around home, the legs as near to it as they come, the drives as in `fixed`.
fn random_start(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    sampler: &mut Sampler,
    fixed: &Configuration,
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
        ws.close(robot, at, true);
    }
    for &j in &robot.driven {
        at.q[j] = fixed.q[j];
    }
}

/// All configurations with the driven joints at `positions` that `starts` random starts find, those in other
/// working modes of the passive joints included: the one nearest to home first.
///
/// A Gough-Stewart platform has up to 40 (Dietmaier1998); a search from random starts cannot prove that it found all.
///
/// # Panics
/// If `positions` has not one number a driven joint.
#[must_use]
pub fn all_at_drives(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    positions: &[f64],
    starts: usize,
    seed: u64,
) -> Vec<Configuration> {
    assert_eq!(positions.len(), robot.driven.len(), "one position a driven joint");
    let mut fixed = robot.home.clone();
    set_drives(robot, positions, &mut fixed);
    let mut sampler = Sampler::new(seed);
    let mut found: Vec<Configuration> = Vec::new();
    for start in 0..=starts {
        let mut at = fixed.clone();
        if start > 0 {
            random_start(robot, ws, &mut sampler, &fixed, &mut at);
        }
        if !is_finite(&at) {
            continue;
        }
        ws.close(robot, &mut at, false);
        if verify(robot, ws).is_err() {
            continue;
        }
        wrap(robot, &mut at);
        if found.iter().all(|other| distance(robot, other, &at) > 1e-6) {
            found.push(at);
        }
    }
    found.sort_by(|a, b| distance(robot, a, &robot.home).total_cmp(&distance(robot, b, &robot.home)));
    found
}

/// How far two configurations are apart, over the characteristic length: of the platform where there is one, else
/// of the joints.
fn distance(robot: &ClosedMechanism, one: &Configuration, other: &Configuration) -> f64 {
    if robot.platform.is_some() {
        let way = (one.pose.position - other.pose.position).norm() / robot.length;
        let turn = Quaternion::of_rotation(&(one.pose.rotation * other.pose.rotation.transpose()));
        return way + turn.rotation_vector().norm();
    }
    let apart = one.q.iter().zip(&other.q).zip(robot.tree.links()).map(|((a, b), link)| match link.joint {
        JointKind::Revolute => wrapped(a - b).abs(),
        JointKind::Prismatic => (a - b).abs() / robot.length,
    });
    apart.sum()
}
