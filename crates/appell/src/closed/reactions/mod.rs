//! What every joint of a closed mechanism transmits: the tree's joints, the closing joints, and the base.
//!
//! The multipliers λ of the constraints are the closing joints' reactions. They act on the open tree and the platform
//! as wrenches from outside; what the tree's joints transmit then follows as for any tree, from the tips to the base.
//! The multiplier of a coupling is a torque or force in the joints it couples, part of what they transmit along their axes.
//! Where constraints repeat each other the reactions are not determined: then these are the ones of the least norm,
//! moments counted over the characteristic length.
//!
//! λ is that of a formulation and the tree's reactions are summed in base axes; or, as their referee, λ comes from the
//! singular values of A and the tree's reactions by Newton and Euler in link frames.

mod singular_values;

use super::constraints::Constraints;
use super::formulation::{self, Formulation, Outputs, Steps};
use super::{ClosedMechanism, Configuration, On, SingularError};
use crate::dynamics::reactions;
use crate::real::Measured;
use crate::spatial::{Vec3, Wrench};
use singular_values::SingularValues;

/// Workspace for the reactions.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    formulation: formulation::Workspace<T>,
    singular_values: Option<Box<SingularValues>>, // of plain numbers alone
    parts: Parts<T>,
}

/// What is found one after the other.
#[derive(Debug, Clone)]
struct Parts<T> {
    constraints: Constraints<T>,
    tree: reactions::Workspace<T>,
    outside: Vec<Wrench<T>>,  // on each body, about its origin, base axes
    closures: Vec<Wrench<T>>, // of the first body on the second, axes and origin of the second frame
    joints: Vec<Wrench<T>>,   // of the tree
    couplings: Vec<T>,        // in the joint that follows
    base: Wrench<T>,
}

/// The reactions at a state.
#[derive(Debug, Clone, Copy)]
pub struct Reactions<'w, T = f64> {
    /// What each joint of the tree transmits from its carrier to its body, as
    /// [`reactions`](crate::dynamics::reactions::reactions) gives it.
    pub joints: &'w [Wrench<T>],
    /// What each closure transmits from its first body to its second, along the axes of its second frame and about
    /// that frame's origin.
    pub closures: &'w [Wrench<T>],
    /// What each coupling adds to the drives in the joint that follows, N m or N; in the joints that lead it is by the coefficients
    /// of [`Coupling::terms`](super::Coupling::terms) so that it does no work.
    pub couplings: &'w [T],
    /// What the base exerts on the whole robot, about the base's origin and in its axes.
    pub base: Wrench<T>,
}

impl Workspace {
    /// A workspace for this robot and formulation, or [the next best](Formulation::with_reactions).
    #[must_use]
    pub fn new(robot: &ClosedMechanism, formulation: Formulation) -> Self {
        Self::with_scalar(robot, formulation, 0.0)
    }

    /// A workspace for this robot, by the singular values of A.
    #[must_use]
    pub fn by_singular_values(robot: &ClosedMechanism) -> Self {
        let singular_values = Some(Box::new(SingularValues::new(robot)));
        Self { singular_values, ..Self::new(robot, Formulation::TreeClosures) }
    }
}

impl<T: Measured> Workspace<T> {
    /// As [`new`](Self::new), over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &ClosedMechanism, formulation: Formulation, like: T) -> Self {
        let none = Wrench::zero(like);
        Self {
            formulation: formulation::Workspace::with_scalar(robot, formulation.with_reactions(), like),
            singular_values: None,
            parts: Parts {
                constraints: Constraints::with_scalar(robot, like),
                tree: reactions::Workspace::with_scalar(robot.tree(), like),
                outside: vec![none; robot.tree().dof()],
                closures: vec![none; robot.closures().len()],
                joints: vec![none; robot.tree().dof()],
                couplings: vec![like.zero(); robot.couplings().len()],
                base: none,
            },
        }
    }
}

impl<T: Measured> Parts<T> {
    /// The wrenches of the closures and the forces of the couplings, and what they and the load do to the bodies and the base.
    #[inline(always)]
    fn close(&mut self, robot: &ClosedMechanism, multipliers: &[T], on_bodies: &[Wrench<T>]) {
        let none = Wrench::zero(self.base.force.x);
        self.outside.fill(none);
        self.outside.iter_mut().zip(on_bodies).for_each(|(outside, &load)| *outside = load);
        self.base = none;
        for (force, coupling) in self.couplings.iter_mut().zip(robot.couplings()) {
            let (_, factor) = coupling.terms[0];
            *force = multipliers[coupling.row].scale(factor);
        }
        for (k, closure) in robot.closures().iter().enumerate() {
            let point = self.constraints.point(k);
            let mut wrench = none;
            for (row, &multiplier) in self.constraints.rows_of(closure).iter().zip(&multipliers[closure.row..]) {
                wrench.force = wrench.force + row.force.times(multiplier);
                wrench.moment = wrench.moment + row.moment.times(multiplier);
            }
            let opposite = Wrench { force: -wrench.force, moment: -wrench.moment };
            for (on, acting) in [(closure.first.on, opposite), (closure.second.on, wrench)] {
                match on {
                    On::Body(j) => {
                        let arm = point - self.constraints.carrier(on).pose.position;
                        self.outside[j] = self.outside[j] + acting.about(arm);
                    }
                    // `acting` is on the base, and answers with its opposite.
                    On::Base => self.base = self.base - acting.about(point),
                    On::Platform => {}
                }
            }
            let axes = self.constraints.axes_of(&closure.second);
            self.closures[k] =
                Wrench { force: axes.transpose_times(wrench.force), moment: axes.transpose_times(wrench.moment) };
        }
    }

    /// What the tree's joints transmit under all that.
    #[inline(always)]
    fn transmit(&mut self, robot: &ClosedMechanism, at: &Configuration<T>, u: &[T], u_dot: &[T]) {
        let (dof, outside) = (robot.tree().dof(), &self.outside);
        let (v, a, less_outside) = (&u[..dof], &u_dot[..dof], |j: usize, wrench| wrench - outside[j]);
        let found = reactions::reactions_under(robot.tree(), &mut self.tree, &at.q, v, a, less_outside);
        self.joints.copy_from_slice(found);
    }

    /// What the base bears of the tree, added to what it bears of closures.
    #[inline(always)]
    fn bear(&mut self, robot: &ClosedMechanism) {
        for (j, _) in robot.tree().links().iter().enumerate().filter(|(_, link)| link.parent.is_none()) {
            let frame = &robot.tree().frames()[j].body_from_frame;
            let body = &self.constraints.carrier(On::Body(j)).pose;
            let like = body.position.x;
            let axes = body.rotation * frame.rotation.lift(like);
            let point = body.position + body.rotation.times_fixed(Vec3::new(0.0, 0.0, frame.position.z));
            let Wrench { force, moment } = self.joints[j];
            self.base = self.base + Wrench { force: axes * force, moment: axes * moment }.about(point);
        }
    }

    fn answer(&self) -> Reactions<'_, T> {
        Reactions { joints: &self.joints, closures: &self.closures, couplings: &self.couplings, base: self.base }
    }
}

/// The reactions of a motion under the drives' torques and forces `tau` and a load, given by what acts on u and on the bodies
/// as [`Load`](super::Load) has it; both are empty if nothing does.
///
/// # Errors
/// Near a singularity of a leg, or of the constraints.
///
/// # Panics
/// If a slice does not have one value per degree of freedom or per drive, or `at` belongs to another robot.
pub fn reactions<'w>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace,
    at: &Configuration,
    r: &[f64],
    r_dot: &[f64],
    tau: &[f64],
    (on_velocities, on_bodies): (&[f64], &[Wrench]),
) -> Result<Reactions<'w>, SingularError> {
    let Workspace { formulation, singular_values: Some(method), parts } = ws else {
        return by_formulation(robot, ws, at, r, r_dot, tau, (on_velocities, on_bodies));
    };
    let (u, u_dot) = formulation::motion(robot, formulation, at, r, r_dot)?;
    parts.constraints.place(robot, at);
    let multipliers = method.multipliers(robot, &parts.constraints, at, [u, u_dot], tau, on_velocities);
    parts.close(robot, multipliers, on_bodies);
    let rates = [u, u_dot].map(|u| &u[..robot.tree().dof()]);
    method.of_tree(robot, &parts.constraints, at, rates, &parts.outside, &mut parts.joints);
    parts.bear(robot);
    Ok(parts.answer())
}

/// The same on numbers of any kind, with the multipliers of the formulation.
pub(crate) fn by_formulation<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    tau: &[T],
    (on_velocities, on_bodies): (&[T], &[Wrench<T>]),
) -> Result<Reactions<'w, T>, SingularError> {
    formulation::multipliers(robot, &mut ws.formulation, at, r, r_dot, tau, on_velocities)?;
    let (Outputs { u, u_dot, multipliers, .. }, parts) = (ws.formulation.out(), &mut ws.parts);
    at.pose.position.x.within(
        #[inline(always)]
        || {
            parts.constraints.place(robot, at);
            parts.close(robot, multipliers, on_bodies);
            parts.transmit(robot, at, u, u_dot);
            parts.bear(robot);
        },
    );
    Ok(parts.answer())
}
