//! Which robots are spherical, and the constants of those that are.

use super::super::closure::{Constraint, On, Side};
use super::super::constraints::unit;
use super::super::{ClosedMechanism, Leg};
use crate::description::{ClosingJoint, JointKind};
use crate::kinematics;
use crate::linear::Jacobi;
use crate::spatial::{Pose, Sym3, Vec3};

/// How far axes may pass by the point where they meet, over the size of the robot: dynamics is exact to this times the
/// condition of the configuration.
pub const TOLERANCE: f64 = 1e-11;

/// Axes that pass by within so many tolerances nearly meet: some thousandths of the characteristic length.
const NEAR: f64 = 5e8;

/// Two directions whose vector product is below this are one.
const PARALLEL: f64 = 1e-6;

/// Where all axes of a robot meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meeting {
    /// O, the point nearest to all axes, m in the base.
    pub centre: Vec3<f64>,
    /// The largest distance of an axis from it, m.
    pub spread: f64,
}

/// Why a robot is not spherical, or has no closed form.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotSpherical {
    /// It is not of legs and a platform.
    #[error("the robot is not of legs and a platform alone")]
    NoLegs,
    /// Something slides.
    #[error("joint `{joint}` slides; the joints of a spherical robot turn")]
    Slides {
        /// The joint.
        joint: String,
    },
    /// An axis passes by.
    #[error(
        "the axis of `{joint}` passes the point where others meet at {distance:.3e} m; {tolerance:.1e} m is allowed"
    )]
    Apart {
        /// The joint of the tree, or the closing joint.
        joint: String,
        /// How far, m.
        distance: f64,
        /// What is allowed, m.
        tolerance: f64,
    },
    /// A leg moves by itself, or is of another kind.
    #[error(
        "leg `{leg}` has {axes} axes, those of its closing joint included; the closed form is for legs of one to three"
    )]
    Axes {
        /// The leg.
        leg: String,
        /// How many it has.
        axes: usize,
    },
    /// The platform can do more, or less, than its axes let it.
    #[error("the robot has {freedoms} degrees of freedom, but axes through a point leave it {expected}")]
    Freedoms {
        /// What it has.
        freedoms: usize,
        /// What its legs' axes leave of three turns.
        expected: usize,
    },
}

impl NotSpherical {
    /// Whether the robot is nearly spherical, so that its user may have meant it to be.
    #[must_use]
    pub fn is_near(&self) -> bool {
        matches!(self, Self::Apart { distance, tolerance, .. } if *distance < NEAR * tolerance)
    }
}

/// Inertia of a body that turns about O, in its own axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Body {
    /// m ρ, kg m.
    pub(super) first_moment: Vec3<f64>,
    /// I, kg m².
    pub(super) inertia: Sym3<f64>,
}

/// A leg of one to three axes through O.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LegForm {
    /// Which of the robot's legs it is.
    pub(super) leg: usize,
    /// Its joints of the tree, one to three, and their bodies; none where the base itself holds the platform.
    pub(super) joints: Vec<usize>,
    pub(super) bodies: Vec<Body>,
    /// Which of the robot's drives each joint is.
    pub(super) drives: Vec<Option<usize>>,
    /// u: the first axis, which stands still in the base.
    pub(super) first: Vec3<f64>,
    /// w: the second of three, which the first body carries.
    pub(super) second: Option<Vec3<f64>>,
    /// v: the last of two or three, which the platform carries.
    pub(super) last: Option<Vec3<f64>>,
}

impl LegForm {
    /// How many axes it has.
    pub(super) fn axes(&self) -> usize {
        1 + usize::from(self.second.is_some()) + usize::from(self.last.is_some())
    }
}

/// A row that gives a part of ω.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Row {
    /// A component of ω, along a vector that stands still: a degree of freedom, or what a leg of one axis forbids.
    Along(Vec3<f64>),
    /// A component of the velocity of the platform's origin: a degree of freedom.
    Moves(Vec3<f64>),
    /// What a leg of two axes forbids: to turn about u × v.
    Across(usize),
}

/// The constants of a spherical robot.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Form {
    pub(super) meeting: Meeting,
    pub(super) legs: Vec<LegForm>,
    pub(super) platform: Body,
    /// O → the platform's origin, in its axes.
    pub(super) arm: Vec3<f64>,
    /// B ω = (r, 0); the independent velocities first.
    pub(super) rows: [Row; 3],
    /// How many of them are independent velocities.
    pub(super) freedoms: usize,
    /// Whether r is ω itself.
    pub(super) plain: bool,
}

/// A line of the robot at home.
struct Axis {
    name: String,
    point: Vec3<f64>,
    direction: Vec3<f64>,
}

impl Form {
    pub(super) fn new(robot: &ClosedMechanism) -> Result<Self, NotSpherical> {
        if robot.legs().is_empty() {
            return Err(NotSpherical::NoLegs);
        }
        let home = robot.home();
        let poses = poses_at_home(robot);
        let axes_of_legs = robot.legs().iter().map(|leg| axes_of(robot, leg, &poses)).collect::<Result<Vec<_>, _>>()?;
        let others = robot.legs().iter().filter_map(|leg| other_side(robot, leg, &poses)).collect::<Vec<_>>();
        let meeting = meeting(size(robot, &poses), axes_of_legs.iter().flatten().chain(&others))?;
        let centre = meeting.centre;
        let platform_axes = home.pose.rotation.transpose();
        let arm = platform_axes * (home.pose.position - centre);
        let platform = robot.platform().expect("a robot of legs has a platform");
        let mut legs = Vec::new();
        let mut forbidden = Vec::new();
        for (number, (leg, axes)) in robot.legs().iter().zip(&axes_of_legs).enumerate() {
            // A ball at the centre holds the point, and no more.
            if axes.len() == 3 && leg.joints.is_empty() {
                continue;
            }
            let form = leg_form(robot, number, axes, &poses, centre);
            match axes.len() {
                1 => forbidden.extend(perpendicular(form.first).map(|v| (Row::Along(v), v))),
                2 => forbidden.push((Row::Across(legs.len()), axes[0].direction.cross(axes[1].direction))),
                _ => {}
            }
            legs.push(form);
        }
        let forbidden = independent(&forbidden);
        let (freedoms, dof) = (robot.freedoms(), robot.tree().dof());
        let own = freedoms.iter().map(|&k| match k - dof {
            component @ 3.. => Row::Along(unit(component - 3, 0.0)),
            component => Row::Moves(unit(component, 0.0)),
        });
        let rows: Vec<Row> = own.chain(forbidden.iter().copied()).collect();
        let [a, b, c] = rows[..] else {
            let expected = 3 - forbidden.len();
            return Err(NotSpherical::Freedoms { freedoms: freedoms.len(), expected });
        };
        Ok(Self {
            meeting,
            legs,
            platform: about_centre(platform.mass, platform.first_moment, platform.inertia, arm),
            arm,
            rows: [a, b, c],
            freedoms: freedoms.len(),
            plain: [a, b, c] == [0, 1, 2].map(|axis| Row::Along(unit(axis, 0.0))),
        })
    }
}

/// Inertia and first moment about O of a body whose are known about its origin, which O → origin is `arm`.
///
/// ```text
/// m ρ_O = m ρ + m s,   I_O = I + (m of the body moved by s) − (m of it where it was)
/// ```
fn about_centre(mass: f64, first_moment: Vec3<f64>, inertia: Sym3<f64>, arm: Vec3<f64>) -> Body {
    let moved = first_moment + arm.scale(mass);
    if mass == 0.0 {
        return Body { first_moment: moved, inertia };
    }
    let (before, after) = (first_moment.scale(1.0 / mass), moved.scale(1.0 / mass));
    let about_com = inertia - Sym3::of_point_mass(mass, before);
    Body { first_moment: moved, inertia: about_com + Sym3::of_point_mass(mass, after) }
}

fn leg_form(robot: &ClosedMechanism, number: usize, axes: &[Axis], poses: &[Pose], centre: Vec3<f64>) -> LegForm {
    let leg = &robot.legs()[number];
    let in_platform = |axis: &Axis| robot.home().pose.rotation.transpose_times(axis.direction);
    let body = |&j: &usize| {
        let (link, pose) = (&robot.tree().links()[j], &poses[j]);
        let arm = pose.rotation.transpose_times(pose.position - centre);
        about_centre(link.mass, link.com.scale(link.mass), link.composite.inertia_at_origin, arm)
    };
    LegForm {
        leg: number,
        joints: leg.joints.clone(),
        bodies: leg.joints.iter().map(body).collect(),
        drives: leg.joints.iter().map(|j| robot.driven().iter().position(|drive| drive == j)).collect(),
        first: axes[0].direction,
        second: (axes.len() == 3).then(|| poses[leg.joints[0]].rotation.transpose_times(axes[1].direction)),
        last: (axes.len() > 1).then(|| in_platform(&axes[axes.len() - 1])),
    }
}

/// base_from_body of all bodies, at home.
fn poses_at_home(robot: &ClosedMechanism) -> Vec<Pose> {
    let mut ws = kinematics::Workspace::new(robot.tree());
    ws.sweep_at_rest(robot.tree(), &robot.home().q);
    ws.bodies.iter().map(|body| body.pose).collect()
}

/// The axes of a leg from the base to the platform, those of its closing joint included.
fn axes_of(robot: &ClosedMechanism, leg: &Leg, poses: &[Pose]) -> Result<Vec<Axis>, NotSpherical> {
    let mut axes = Vec::new();
    for &j in &leg.joints {
        let name = robot.tree().joint_names()[j].clone();
        if robot.tree().links()[j].joint == JointKind::Prismatic {
            return Err(NotSpherical::Slides { joint: name });
        }
        axes.push(Axis { name, point: poses[j].position, direction: poses[j].rotation.column(2) });
    }
    let closure = &robot.closures()[leg.closure];
    let [first, second] = [&closure.first, &closure.second].map(|side| base_from(robot, side, poses));
    let along = |pose: &Pose, axis: usize| Axis {
        name: closure.name.clone(),
        point: pose.position,
        direction: pose.rotation.column(axis),
    };
    match closure.constraint {
        Constraint::Joint(ClosingJoint::Rigid) => {}
        Constraint::Joint(ClosingJoint::Revolute | ClosingJoint::Cylindrical) => axes.push(along(&first, 2)),
        Constraint::Joint(ClosingJoint::Universal) if closure.second.on == On::Platform => {
            axes.extend([along(&first, 0), along(&second, 1)]);
        }
        Constraint::Joint(ClosingJoint::Universal) => axes.extend([along(&second, 1), along(&first, 0)]),
        // Three axes through its middle, whichever they are.
        Constraint::Joint(ClosingJoint::Spherical) => axes.extend([0, 1, 2].map(|axis| along(&first, axis))),
        Constraint::Joint(ClosingJoint::Prismatic) | Constraint::Attitude => {
            return Err(NotSpherical::Slides { joint: closure.name.clone() });
        }
    }
    if axes.is_empty() || axes.len() > 3 {
        return Err(NotSpherical::Axes { leg: leg.name.clone(), axes: axes.len() });
    }
    Ok(axes)
}

fn base_from(robot: &ClosedMechanism, side: &Side, poses: &[Pose]) -> Pose {
    match side.on {
        On::Base => side.pose,
        On::Body(body) => poses[body] * side.pose,
        On::Platform => robot.home().pose * side.pose,
    }
}

/// The axis of a closing joint that turns about one, as its other side has it.
fn other_side(robot: &ClosedMechanism, leg: &Leg, poses: &[Pose]) -> Option<Axis> {
    let closure = &robot.closures()[leg.closure];
    let Constraint::Joint(ClosingJoint::Revolute | ClosingJoint::Cylindrical) = closure.constraint else { return None };
    let Pose { position: point, rotation } = base_from(robot, &closure.second, poses);
    Some(Axis { name: closure.name.clone(), point, direction: rotation.column(2) })
}

/// How large the robot is: its characteristic length, but no more than twice what the centres of its links are apart,
/// where the platform's origin is out of the way.
fn size(robot: &ClosedMechanism, poses: &[Pose]) -> f64 {
    let centres = poses.iter().zip(robot.tree().links()).map(|(pose, link)| pose.point(link.com));
    let centres: Vec<Vec3<f64>> = centres.collect();
    let apart = centres.iter().flat_map(|a| centres.iter().map(|b| (*a - *b).norm())).fold(0.0, f64::max);
    if apart > 0.0 { robot.length().min(2.0 * apart) } else { robot.length() }
}

/// The point nearest to all axes, Σ (1 − d dᵀ)(x − p) = 0, if they pass through it.
fn meeting<'a>(size: f64, axes: impl Iterator<Item = &'a Axis> + Clone) -> Result<Meeting, NotSpherical> {
    let (mut matrix, mut sum) = ([0.0; 9], Vec3::default());
    for Axis { point, direction, .. } in axes.clone() {
        let d = direction.to_array();
        for (k, entry) in matrix.iter_mut().enumerate() {
            *entry += f64::from(u8::from(k / 3 == k % 3)) - d[k / 3] * d[k % 3];
        }
        sum = sum + *point - direction.scale(direction.dot(*point));
    }
    // Where all axes are parallel there are many nearest points: the least serves to tell how far they are apart.
    let mut values = Jacobi::new(3, 3);
    values.decompose(&matrix);
    let mut centre = Vec3::default();
    for (k, &value) in values.values().iter().enumerate().filter(|(_, value)| **value > PARALLEL) {
        let [x, y, z] = [0, 1, 2].map(|i| values.left(k)[i]);
        let along = Vec3::new(x, y, z);
        centre = centre + along.scale(along.dot(sum) / value);
    }
    let distance = |axis: &Axis| axis.direction.cross(centre - axis.point).norm();
    let tolerance = TOLERANCE * size;
    let farthest = axes.max_by(|a, b| distance(a).total_cmp(&distance(b))).expect("a leg has axes");
    let spread = distance(farthest);
    if spread <= tolerance {
        Ok(Meeting { centre, spread })
    } else {
        Err(NotSpherical::Apart { joint: farthest.name.clone(), distance: spread, tolerance })
    }
}

/// Rows that say different things at home, in order.
fn independent(rows: &[(Row, Vec3<f64>)]) -> Vec<Row> {
    let mut kept: Vec<(Row, Vec3<f64>)> = Vec::new();
    for &(row, mut rest) in rows {
        for (_, direction) in &kept {
            rest = rest - direction.scale(direction.dot(rest));
        }
        if rest.norm() > PARALLEL {
            kept.push((row, rest.scale(1.0 / rest.norm())));
        }
    }
    kept.into_iter().map(|(row, _)| row).collect()
}

/// Two directions at right angles to another and to each other.
fn perpendicular(direction: Vec3<f64>) -> [Vec3<f64>; 2] {
    let least = [0, 1, 2].into_iter().min_by(|&a, &b| direction[a].abs().total_cmp(&direction[b].abs()));
    let across = direction.cross(unit(least.unwrap_or(0), 0.0));
    let across = across.scale(1.0 / across.norm());
    [across, direction.cross(across)]
}
