//! Legs that reach for the platform at a pose, each by itself.

use super::super::leg_forms::Form;
use super::super::{ClosedMechanism, Closure, Configuration, Leg, On, Side};
use super::in_closed_form::{first_positions, nearest, way, ways};
use super::newton::Block;
use super::search::random_position;
use super::{
    AssemblyError, CLOSED, EXACT, SAME, STEPS, Workspace, in_other_mode, is_finite, off_branch, on_branch, unturned,
};
use crate::description::JointKind;
use crate::kinematics;
use crate::sample::Sampler;
use crate::spatial::{Pose, wrapped};
use core::f64::consts::PI;
use core::ops::ControlFlow;
use core::slice;

/// Random starts of a leg without a closed form.
const STARTS: usize = 100;

/// After how many of them the nearest solution is known.
const ENOUGH: usize = 12;

/// Brings all legs to the platform, from where `ws.start` and `at` are.
pub(super) fn reach(robot: &ClosedMechanism, ws: &mut Workspace, at: &mut Configuration) -> Result<(), AssemblyError> {
    for ((leg, form), block) in robot.legs.iter().zip(&ws.forms).zip(&mut ws.legs) {
        block.begin(form.is_none());
        if let Some(form) = form {
            take_nearest(robot, leg, form, at);
        }
    }
    if ws.legs.iter().any(Block::is_moving) {
        ws.placed.close(robot, at, &mut ws.legs, STEPS);
    } else if !robot.closures.iter().all(|closure| closure.constraint.rows().are_of_point()) {
        ws.placed.place(robot, at);
    }
    let mut inexact = false;
    for (index, leg) in robot.legs.iter().enumerate() {
        let closure = &robot.closures[leg.closure];
        let gap = if closure.constraint.rows().are_of_point() {
            gap_of_point(robot, closure, at)
        } else {
            ws.placed.opening(robot, leg.closure)
        };
        let is_closed = gap <= CLOSED * robot.length;
        if !is_closed && leg.joints.is_empty() {
            return Err(AssemblyError::Held { closure: robot.closures[leg.closure].name.clone(), gap });
        }
        if !is_closed || off_branch(robot, at, leg.joints.iter().copied()).is_some() {
            search(robot, ws, at, index)?;
        } else if ws.forms[index].is_some() && gap > EXACT * robot.length {
            ws.legs[index].begin(true);
            inexact = true;
        }
    }
    if inexact {
        ws.placed.close(robot, at, &mut ws.legs, 1);
    }
    unwind(robot, &ws.start.q, at, 0..robot.tree.dof());
    Ok(())
}

/// How far a closing joint that holds a point alone is open, m.
#[inline(always)]
fn gap_of_point(robot: &ClosedMechanism, closure: &Closure, at: &Configuration) -> f64 {
    let place = |side: &Side| match side.on {
        On::Base => side.pose.position,
        On::Body(body) => kinematics::point_in_base(&robot.tree, body, side.pose.position, &at.q),
        On::Platform => at.pose.point(side.pose.position),
    };
    (place(&closure.second) - place(&closure.first)).norm()
}

/// Brings all legs as near to the platform as they come, in their working modes where they have closed forms.
pub(in super::super) fn come_near(robot: &ClosedMechanism, ws: &mut Workspace, at: &mut Configuration) {
    for ((leg, form), block) in robot.legs.iter().zip(&ws.forms).zip(&mut ws.legs) {
        block.begin(true);
        if let Some(form) = form {
            take_nearest(robot, leg, form, at);
        }
    }
    ws.placed.close(robot, at, &mut ws.legs, STEPS);
}

/// Takes of these joints the turn nearest to where they were: a turn more is the same place, unless the joint is coupled.
pub(super) fn unwind(
    robot: &ClosedMechanism,
    before: &[f64],
    at: &mut Configuration,
    joints: impl Iterator<Item = usize>,
) {
    for j in joints.filter(|&j| robot.tree.links()[j].joint == JointKind::Revolute && !robot.is_coupled(j)) {
        let turn = at.q[j] - before[j];
        // A joint that made no turn too many keeps its last bit.
        if turn.abs() > PI {
            at.q[j] = before[j] + wrapped(turn);
        }
    }
}

/// Takes the solution of a form that is in the leg's working mode and nearest to where the leg is; none if none is in
/// it. Whether the leg is closed there, the gap will tell.
fn take_nearest(robot: &ClosedMechanism, leg: &Leg, form: &Form, at: &mut Configuration) {
    if let Some(q) = nearest(robot, leg, form, &at.pose, &at.q) {
        set(leg, &q, &mut at.q);
    }
}

#[inline(always)]
fn set(leg: &Leg, q: &[f64], all: &mut [f64]) {
    leg.joints.iter().zip(q).for_each(|(&j, &q)| all[j] = q);
}

/// How far a drive may be from where it stands in a solution of its leg, rad, or over the characteristic length: where the leg is stretched,
/// rounding has the root of its size.
const AT_DRIVE: f64 = 1e-5;

/// Brings all legs to the platform at the pose of `at` by the closed forms, with their drives at `positions`: of the solutions those in the
/// legs' working modes before others, then those nearest to home. The leg that cannot, if one cannot.
pub(in super::super) fn with_drives<'r>(
    robot: &'r ClosedMechanism,
    ws: &mut Workspace,
    positions: &[f64],
    at: &mut Configuration,
) -> Result<(), &'r Leg> {
    for (leg, form) in robot.legs.iter().zip(&ws.forms).filter(|(leg, _)| !leg.joints.is_empty()) {
        let Some(form) = form else { return Err(leg) };
        let before = first_positions(robot, leg, &robot.home.q);
        let drive_of = |k: usize| robot.driven.iter().position(|&j| j == leg.joints[k]).map(|drive| positions[drive]);
        let is_at_drive = |k: usize, q: f64| {
            let j = leg.joints[k];
            drive_of(k).is_none_or(|position| way(robot, j, q, unturned(robot, j, position)) <= AT_DRIVE)
        };
        let mut best: Option<(bool, f64, [f64; 3])> = None;
        form.solve(&at.pose, before, (is_at_drive, |_: f64| true), |q| {
            let joints = || leg.joints.iter().enumerate();
            if !joints().all(|(k, _)| is_at_drive(k, q[k])) {
                return;
            }
            let is_off = joints().any(|(k, &j)| on_branch(robot, j, q[k]) < 0.0);
            let distance: f64 = joints().map(|(k, &j)| way(robot, j, q[k], before[k])).sum();
            if best.is_none_or(|(off, least, _)| (is_off, distance) < (off, least)) {
                best = Some((is_off, distance, q));
            }
        });
        let Some((_, _, q)) = best else { return Err(leg) };
        set(leg, &q, &mut at.q);
        robot.driven.iter().zip(positions).filter(|(j, _)| leg.joints.contains(j)).for_each(|(&j, &q)| at.q[j] = q);
    }
    Ok(())
}

/// What may close a leg.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The solutions of its form.
    Form,
    /// Where Newton's method goes from them.
    FormByNewton,
    /// Where Newton's method goes from home and from random starts.
    Starts,
}

/// Visits what may close a leg, with its gap there. The visitor also gets where the joints started; there stay angles
/// that the pose does not determine.
fn explore(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    at: &mut Configuration,
    index: usize,
    source: Source,
    mut visit: impl FnMut(f64, &Configuration, &[f64]) -> ControlFlow<()>,
) {
    let (leg, Workspace { placed, forms, legs, start, .. }) = (&robot.legs[index], ws);
    let block = &mut legs[index];
    let mut look = |at: &mut Configuration| {
        block.begin(source != Source::Form);
        placed.close(robot, at, slice::from_mut(block), STEPS);
        visit(placed.opening(robot, leg.closure), at, &start.q)
    };
    if let Some(form) = forms[index].as_ref().filter(|_| source != Source::Starts) {
        let pose = at.pose;
        form.solve(&pose, first_positions(robot, leg, &start.q), (|_: usize, _: f64| true, |_: f64| true), |q| {
            set(leg, &q, &mut at.q);
            // There are four at most: they are all looked at.
            let _ = look(at);
        });
        return;
    }
    let mut sampler = Sampler::new(leg.closure as u64 + 1);
    for start in 0..=STARTS {
        for &j in &leg.joints {
            at.q[j] = if start == 0 { robot.home.q[j] } else { random_position(robot, &mut sampler, j) };
        }
        if look(at).is_break() {
            break;
        }
    }
}

/// What a search for a leg has found.
struct Found {
    q: [f64; 6],               // the solution nearest to the start, or the nearest miss where there is none
    distance: f64,             // of the solution from the start
    gap: f64,                  // of the nearest miss
    other_mode: Option<usize>, // a joint on the wrong side, in a solution of another working mode
}

impl Found {
    fn is_some(&self) -> bool {
        self.distance.is_finite()
    }

    fn look(&mut self, robot: &ClosedMechanism, leg: &Leg, gap: f64, at: &Configuration, start: &[f64]) {
        let is_closed = gap <= CLOSED * robot.length;
        let distance = ways(robot, leg.joints.iter().copied(), &at.q, start);
        let better = match off_branch(robot, at, leg.joints.iter().copied()) {
            Some(joint) if is_closed => {
                self.other_mode = Some(joint);
                false
            }
            _ if is_closed => distance < self.distance,
            _ => !self.is_some() && gap < self.gap,
        };
        if better {
            (self.distance, self.gap) = if is_closed { (distance, self.gap) } else { (self.distance, gap) };
            self.q.iter_mut().zip(&leg.joints).for_each(|(q, &j)| *q = at.q[j]);
        }
    }
}

/// Looks at all solutions of a leg, and takes the one in its working mode that is nearest to where it was.
fn search(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    at: &mut Configuration,
    index: usize,
) -> Result<(), AssemblyError> {
    let leg = &robot.legs[index];
    let mut found = Found { q: [0.0; 6], distance: f64::INFINITY, gap: f64::INFINITY, other_mode: None };
    // A form meets what it can and leaves the rest open: how near the leg comes in all, Newton's method tells.
    let sources: &[Source] =
        if ws.forms[index].is_some() { &[Source::Form, Source::FormByNewton] } else { &[Source::Starts] };
    for &source in sources {
        let mut visits = 0;
        explore(robot, ws, at, index, source, |gap, at, start| {
            found.look(robot, leg, gap, at, start);
            visits += 1;
            if found.is_some() && visits > ENOUGH { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if found.is_some() || found.other_mode.is_some() {
            break;
        }
    }
    if found.is_some() {
        set(leg, &found.q, &mut at.q);
        ws.placed.place(robot, at);
        return Ok(());
    }
    Err(match found.other_mode {
        Some(joint) => in_other_mode(robot, joint),
        None => AssemblyError::OutOfReach { leg: leg.name.clone(), gap: found.gap },
    })
}

/// All positions of a leg's joints that bring it to the platform at a pose, its working modes: those that its branches
/// exclude too. Angles are in (−π, π], the one nearest to home is first.
///
/// Legs of the common kinds have closed forms, which miss nothing; of others it is what random starts find. Where the
/// pose does not determine an angle it is as at home. None if the leg does not reach the pose, or it is not finite.
///
/// # Panics
/// If there is no leg of this index of [`ClosedMechanism::legs`].
#[must_use]
pub fn leg_solutions(robot: &ClosedMechanism, ws: &mut Workspace, pose: &Pose, leg: usize) -> Vec<Vec<f64>> {
    leg_solutions_from(robot, ws, Configuration { q: robot.home.q.clone(), pose: *pose }, leg)
}

/// As [`leg_solutions`], an angle that the pose does not determine as in `at`.
pub(in super::super) fn leg_solutions_from(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    mut at: Configuration,
    leg: usize,
) -> Vec<Vec<f64>> {
    let mut solutions: Vec<Vec<f64>> = Vec::new();
    if !is_finite(&at) {
        return solutions;
    }
    ws.start.q.copy_from_slice(&at.q);
    let joints = &robot.legs[leg].joints;
    let apart = |one: &[f64], other: &[f64]| -> f64 {
        joints.iter().enumerate().map(|(k, &j)| way(robot, j, one[k], other[k])).sum()
    };
    let source = if ws.has_closed_form(leg) { Source::Form } else { Source::Starts };
    explore(robot, ws, &mut at, leg, source, |gap, at, _| {
        let q: Vec<f64> = joints.iter().map(|&j| unturned(robot, j, at.q[j])).collect();
        if gap <= CLOSED * robot.length && solutions.iter().all(|other| apart(other, &q) > SAME) {
            solutions.push(q);
        }
        ControlFlow::Continue(())
    });
    let home: Vec<f64> = joints.iter().map(|&j| unturned(robot, j, robot.home.q[j])).collect();
    solutions.sort_by(|one, other| apart(&home, one).total_cmp(&apart(&home, other)));
    solutions
}
