//! What every joint of a closed mechanism transmits: the tree's joints, the closing joints, and the base.
//!
//! The multipliers λ of the constraints are the closing joints' reactions. They act on the open tree and the platform
//! as wrenches from outside; what the tree's joints transmit then follows as for any tree, from the tips to the base.
//! Where constraints repeat each other the reactions are not determined: then these are the ones of the least norm,
//! moments counted over the characteristic length.
//!
//! λ is that of a formulation and the tree's reactions are summed in base axes; or, as their referee, λ comes from the
//! singular values of A and the tree's reactions by Newton and Euler in link frames.

mod singular_values;

use super::constraints::Constraints;
use super::scheme::{self, Scheme};
use super::{ClosedMechanism, Configuration, Load, On, SingularError};
use crate::dynamics::reactions;
use crate::spatial::{Vec3, Wrench};
use singular_values::SingularValues;

/// Room for the reactions.
#[derive(Debug, Clone)]
pub struct Workspace {
    scheme: scheme::Workspace,
    singular_values: Option<Box<SingularValues>>,
    constraints: Constraints<f64>,
    tree: reactions::Workspace,
    u: [Vec<f64>; 2],      // u and u̇
    outside: Vec<Wrench>,  // on each body, about its origin, base axes
    closures: Vec<Wrench>, // of the first body on the second, axes and origin of the second frame
    joints: Vec<Wrench>,   // of the tree
}

/// The reactions at a state.
#[derive(Debug, Clone, Copy)]
pub struct Reactions<'w> {
    /// What each joint of the tree transmits from its carrier to its body, as
    /// [`reactions`](crate::dynamics::reactions::reactions) gives it.
    pub joints: &'w [Wrench],
    /// What each closure transmits from its first body to its second, along the axes of its second frame and about
    /// that frame's origin.
    pub closures: &'w [Wrench],
    /// What the base exerts on the whole robot, about the base's origin and in its axes.
    pub base: Wrench,
}

impl Workspace {
    /// A workspace for this robot and formulation, or [the next best](Scheme::with_reactions).
    #[must_use]
    pub fn new(robot: &ClosedMechanism, scheme: Scheme) -> Self {
        let scheme = scheme.with_reactions();
        let (width, none) = (robot.velocities(), Wrench::zero(0.0));
        Self {
            scheme: scheme::Workspace::new(robot, scheme),
            singular_values: None,
            constraints: Constraints::over(robot, 0.0),
            tree: reactions::Workspace::new(robot.tree()),
            u: [vec![0.0; width], vec![0.0; width]],
            outside: vec![none; robot.tree().dof()],
            closures: vec![none; robot.closures().len()],
            joints: vec![none; robot.tree().dof()],
        }
    }

    /// A workspace for this robot, by the singular values of A.
    #[must_use]
    pub fn by_singular_values(robot: &ClosedMechanism) -> Self {
        let singular_values = Some(Box::new(SingularValues::new(robot)));
        Self { singular_values, ..Self::new(robot, Scheme::TreeClosures) }
    }
}

/// The reactions of a motion under the drives' efforts `tau` and a load.
///
/// # Errors
/// Near a singularity of a leg, or of the constraints.
///
/// # Panics
/// If a slice has not one number a freedom or a drive, or `at` belongs to another robot.
pub fn reactions<'w>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace,
    at: &Configuration,
    r: &[f64],
    r_dot: &[f64],
    tau: &[f64],
    load: &Load,
) -> Result<Reactions<'w>, SingularError> {
    let dof = robot.tree().dof();
    let (u, u_dot) = ws.scheme.motion(robot, at, r, r_dot)?;
    ws.u[0].copy_from_slice(u);
    ws.u[1].copy_from_slice(u_dot);
    ws.constraints.place(robot, at);
    let load_on_u = load.on_velocities();
    let multipliers = match &mut ws.singular_values {
        None => ws.scheme.multipliers(robot, at, r, r_dot, tau, load_on_u)?,
        Some(method) => method.multipliers(robot, &ws.constraints, at, [&ws.u[0], &ws.u[1]], tau, load_on_u),
    };
    ws.outside.copy_from_slice(load.on_bodies());
    let mut base = Wrench::zero(0.0);
    for (k, closure) in robot.closures().iter().enumerate() {
        let point = ws.constraints.point(k);
        let mut wrench = Wrench::zero(0.0);
        for (row, &multiplier) in ws.constraints.rows_of(closure).iter().zip(&multipliers[closure.row..]) {
            wrench.force = wrench.force + row.force.scale(multiplier);
            wrench.moment = wrench.moment + row.moment.scale(multiplier);
        }
        let opposite = Wrench { force: -wrench.force, moment: -wrench.moment };
        for (on, acting) in [(closure.first.on, opposite), (closure.second.on, wrench)] {
            match on {
                On::Body(j) => {
                    let arm = point - ws.constraints.carrier(on).pose.position;
                    ws.outside[j] = ws.outside[j] + acting.about(arm);
                }
                // The base feels `acting`, and answers with its opposite.
                On::Base => base = base - acting.about(point),
                On::Platform => {}
            }
        }
        let axes = ws.constraints.axes_of(&closure.second);
        ws.closures[k] =
            Wrench { force: axes.transpose_times(wrench.force), moment: axes.transpose_times(wrench.moment) };
    }
    let ([v, a], outside) = (ws.u.each_ref().map(|u| &u[..dof]), &ws.outside);
    let tree = robot.tree();
    match &mut ws.singular_values {
        None => {
            let less_outside = |j: usize, wrench| wrench - outside[j];
            let found = reactions::reactions_under(tree, &mut ws.tree, &at.q, v, a, less_outside);
            ws.joints.copy_from_slice(found);
        }
        Some(method) => {
            method.of_tree(robot, &ws.constraints, at, [v, a], outside, &mut ws.joints);
        }
    }
    for (j, _) in robot.tree().links().iter().enumerate().filter(|(_, link)| link.parent.is_none()) {
        let frame = &robot.tree().frames()[j].body_from_frame;
        let body = &ws.constraints.carrier(On::Body(j)).pose;
        let axes = body.rotation * frame.rotation;
        let point = body.point(Vec3::new(0.0, 0.0, frame.position.z));
        let Wrench { force, moment } = ws.joints[j];
        base = base + Wrench { force: axes * force, moment: axes * moment }.about(point);
    }
    Ok(Reactions { joints: &ws.joints, closures: &ws.closures, base })
}
