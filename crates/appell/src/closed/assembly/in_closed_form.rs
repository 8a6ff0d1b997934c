//! Legs by their closed forms, on numbers of any kind: which of the solutions a leg takes, and whole robots in lanes.
//!
//! What is chosen is chosen by value. Lanes choose together: where one would take another solution than its neighbours, has
//! a double one, or none, all of them have no answer, and are assembled one by one.

use super::super::constraints::Constraints;
use super::super::leg_forms::{Form, Positions, is_positive};
use super::super::{ClosedMechanism, Configuration, Leg};
use super::{EXACT, on_branch, unturned};
use crate::description::JointKind;
use crate::real::{Measured, Real};
use crate::spatial::Pose;
use core::cell::Cell;
use core::f64::consts::TAU;

/// What rounding may make of a cosine, and a little more.
const UNSURE: f64 = 1e-12;

/// The solution of a form that is in the leg's working mode and nearest to where the leg was among `before`.
#[inline(always)]
pub(super) fn nearest<T: Measured>(
    robot: &ClosedMechanism,
    leg: &Leg,
    form: &Form,
    pose: &Pose<T>,
    before: &[f64],
) -> Option<Positions<T>> {
    let before = first_positions(robot, leg, before);
    let like = pose.position.x.plain();
    let nearest = Cell::new(like.constant(f64::INFINITY));
    // One joint alone may be too far: the others need not be computed then.
    let may = {
        #[inline(always)]
        |k: usize, q: T::Plain| {
            let j = leg.joints[k];
            is_positive(lesser(on_branch(robot, j, q), nearest.get() - way(robot, j, q, before[k]))) != Some(false)
        }
    };
    // Nor its angle, if by the cosine of its turn it is too far: cos d ≥ 1 − d²/2.
    let may_turn = {
        #[inline(always)]
        |cosine: T::Plain| {
            let half_square = (nearest.get() * nearest.get()).scale(0.5);
            is_positive(cosine + half_square + like.constant(UNSURE - 1.0)) != Some(false)
        }
    };
    let (mut found, mut disagree) = (None, false);
    form.solve(
        pose,
        before,
        (may, may_turn),
        #[inline(always)]
        |q| {
            let mut distance = like.zero();
            for (k, &j) in leg.joints.iter().enumerate() {
                distance = distance + way(robot, j, q[k].plain(), before[k]);
            }
            // What is not a number stays it: `lesser` keeps its second argument.
            let mut margin = nearest.get() - distance;
            for (k, &j) in leg.joints.iter().enumerate() {
                margin = lesser(on_branch(robot, j, q[k].plain()), margin);
            }
            match is_positive(margin) {
                Some(true) => {
                    nearest.set(distance);
                    found = Some(q);
                }
                Some(false) => {}
                None => disagree = true,
            }
        },
    );
    if disagree { None } else { found }
}

/// The lesser of two numbers, the second if one is none.
#[inline(always)]
fn lesser<T: Real>(a: T, b: T) -> T {
    (b - a).where_positive(a, b)
}

/// The positions of all joints for a pose of the platform, by the closed forms of the legs and in the working modes that
/// are nearest to home where the numbers have their values; the leg that has no form, or does not reach the pose, if one
/// does not.
pub fn joints_in_closed_form<'r, T: Measured>(robot: &'r ClosedMechanism, pose: &Pose<T>) -> Result<Vec<T>, &'r Leg> {
    let mut q: Vec<T> = robot.home.q.iter().map(|&q| pose.position.x.constant(q)).collect();
    for leg in robot.legs.iter().filter(|leg| !leg.joints.is_empty()) {
        let form = Form::new(robot, leg).ok_or(leg)?;
        let found = nearest(robot, leg, &form, pose, &robot.home.q).ok_or(leg)?;
        leg.joints.iter().zip(found).for_each(|(&j, found)| q[j] = found);
    }
    Ok(q)
}

/// How far every row of the closing joints and couplings is open in a configuration, m; angles count by the robot's length.
pub fn gaps<T: Measured>(robot: &ClosedMechanism, at: &Configuration<T>) -> Vec<T> {
    let mut constraints = Constraints::with_scalar(robot, at.pose.position.x);
    constraints.place(robot, at);
    let mut gaps = vec![at.pose.position.x.zero(); robot.rows()];
    constraints.gaps(robot, &mut gaps);
    gaps
}

/// A robot all of whose legs have closed forms, with memory to see whether they meet the platform.
#[derive(Debug, Clone)]
pub struct InClosedForm<T> {
    forms: Vec<Option<Form>>, // none of legs without joints
    constraints: Constraints<T>,
    gaps: Vec<T>,
}

impl<T: Measured> InClosedForm<T> {
    /// `None` if a leg has no form, or the robot no legs.
    pub fn new(robot: &ClosedMechanism, like: T) -> Option<Self> {
        let forms: Vec<_> = robot.legs.iter().map(|leg| Form::new(robot, leg)).collect();
        let are_all = forms.iter().zip(&robot.legs).all(|(form, leg)| form.is_some() || leg.joints.is_empty());
        (are_all && !forms.is_empty()).then(|| Self {
            forms,
            constraints: Constraints::with_scalar(robot, like),
            gaps: vec![like.zero(); robot.rows],
        })
    }

    /// Closes all loops at the pose of `at` as [`at_pose`](super::at_pose) does from home, angles in ±π; or reports that it
    /// takes a search to know.
    pub fn reach(&mut self, robot: &ClosedMechanism, at: &mut Configuration<T>) -> bool {
        at.pose.position.x.within(
            #[inline(always)]
            || {
                for (leg, form) in robot.legs.iter().zip(&self.forms) {
                    let Some(form) = form else { continue };
                    let Some(found) = nearest(robot, leg, form, &at.pose, &robot.home.q) else { return false };
                    for (&j, found) in leg.joints.iter().zip(found) {
                        at.q[j] = found;
                    }
                }
                self.constraints.place(robot, at);
                self.constraints.gaps(robot, &mut self.gaps);
                for (k, closure) in robot.closures.iter().enumerate() {
                    let opening = self.constraints.opening(k, closure, &self.gaps, robot.length);
                    let is_closed = opening <= EXACT * robot.length;
                    if !is_closed {
                        return false;
                    }
                }
                true
            },
        )
    }
}

/// The positions of the first joints of a leg, whole turns taken off.
#[inline(always)]
pub(super) fn first_positions(robot: &ClosedMechanism, leg: &Leg, q: &[f64]) -> Positions {
    core::array::from_fn(|k| leg.joints.get(k).map_or(0.0, |&j| unturned(robot, j, q[j])))
}

/// How far a joint moves, rad; a slide counts in characteristic lengths. Angles have no whole turns.
#[inline(always)]
pub(super) fn way<T: Real>(robot: &ClosedMechanism, j: usize, to: T, from: f64) -> T {
    let between = to - to.constant(from);
    let size = between.where_positive(between, -between);
    match robot.tree.links()[j].joint {
        JointKind::Revolute => {
            let other = size.constant(TAU) - size;
            (other - size).where_positive(size, other)
        }
        JointKind::Prismatic => size.scale(1.0 / robot.length),
    }
}

/// How far some joints move between two positions of all, whole turns taken off. Limits do not count: who moves beyond them
/// shall not find himself in another working mode.
pub(super) fn ways(robot: &ClosedMechanism, joints: impl Iterator<Item = usize>, to: &[f64], from: &[f64]) -> f64 {
    joints.map(|j| way(robot, j, unturned(robot, j, to[j]), unturned(robot, j, from[j]))).sum()
}
