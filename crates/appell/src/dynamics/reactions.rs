//! What every joint transmits, and what external wrenches do to the joints, in base axes, O(n).
//!
//! The wrench a carrier must exert on a body at its joint balances the body's own and all beyond it:
//!
//! ```text
//! wⱼ = Σ_{i beyond j} ( m r̈,  I ω̇ + ω × I ω )ᵢ,   all about O_j
//! ```
//!
//! with r̈ minus gravity. Its part along the joint's axis is what the bodies demand of the drive, which makes this the
//! referee of inverse dynamics in other axes; the rest is what bearings and links must bear. External wrenches add
//! theirs with the other sign ([`external_reactions`]).

use super::along_joint;
use super::base_axes::sum_towards_base;
use crate::kinematics;
use crate::mechanism::Mechanism;
use crate::real::Real;
use crate::spatial::Wrench;

/// What the sweeps keep of each body.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    motion: kinematics::Workspace<T>, // bodies' motion, base axes                        outward
    carried: Vec<Wrench<T>>,          // w of a body and all beyond, about O, base axes   inward
    transmitted: Vec<Wrench<T>>,      // the same in the axes of the user's frames        at the end
    tau: Vec<T>,                      // joint forces of external wrenches                at the end
}

/// A wrench on the robot from outside: it acts at the origin of a frame, with components in base axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExternalWrench<T = f64> {
    /// Index of the frame in [`Mechanism::frames`].
    pub frame: usize,
    /// What acts there.
    pub wrench: Wrench<T>,
}

plain_workspace!(Workspace of Mechanism);

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let wrenches = vec![Wrench::zero(like); robot.dof()];
        Self {
            motion: kinematics::Workspace::with_scalar(robot, like),
            carried: wrenches.clone(),
            transmitted: wrenches,
            tau: vec![like.zero(); robot.dof()],
        }
    }

    /// Sums the external wrenches of each body and all beyond.
    #[inline(always)]
    fn carry_external(&mut self, robot: &Mechanism, q: &[T], external: &[ExternalWrench<T>]) {
        robot.expect_lengths(&[q]);
        self.motion.sweep_at_rest(robot, q);
        self.carried.fill(Wrench::zero(q[0]));
        for &ExternalWrench { frame, wrench } in external {
            if let Some(body) = robot.frames()[frame].body {
                let origin = self.motion.base_from_frame(robot, frame, q[0]).position;
                let arm = origin - self.motion.bodies[body].pose.position;
                self.carried[body] = self.carried[body] + wrench.about(arm);
            }
        }
        sum_towards_base(robot, &self.motion.bodies, &mut self.carried);
    }

    /// Expresses what is carried along the axes of the bodies' own frames.
    #[inline(always)]
    fn transmit(&mut self, robot: &Mechanism, like: T) {
        for j in 0..robot.dof() {
            let axes = self.motion.base_from_frame(robot, j, like).rotation;
            let slide = self.motion.bodies[j].axis().scale(-robot.joint_point(j));
            let Wrench { force, moment } = self.carried[j].about(slide);
            self.transmitted[j] = Wrench { force: axes.transpose_times(force), moment: axes.transpose_times(moment) };
        }
    }
}

/// The wrench that each joint transmits from its carrier to its body, along the axes of the body's own frame, the one
/// of the joint's name, and about the point of the joint's axis nearest to that frame's origin.
///
/// Friction, rotors and springs act between the two and change nothing here.
///
/// # Panics
/// If a slice does not have one value per joint.
#[inline(always)]
pub fn reactions<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
) -> &'w [Wrench<T>] {
    reactions_under(robot, ws, q, v, a, |_, wrench| wrench)
}

/// The same under wrenches from outside: `less_outside` gets a body and the wrench it needs, about its origin in base
/// axes, and takes off what acts on it.
#[inline(always)]
pub(crate) fn reactions_under<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
    less_outside: impl Fn(usize, Wrench<T>) -> Wrench<T>,
) -> &'w [Wrench<T>] {
    robot.expect_lengths(&[q, v, a]);
    ws.motion.sweep_with_gravity(robot, q, v, a);
    for (j, link) in robot.links().iter().enumerate() {
        let body = &ws.motion.bodies[j];
        let rotation = body.pose.rotation;
        let arm = rotation.times_fixed(link.com);
        let force = body.acceleration_of(arm).scale(link.mass);
        let (omega, omega_dot) = (rotation.transpose_times(body.omega), rotation.transpose_times(body.omega_dot));
        let spin = link.inertia.times_moving(omega);
        let moment = rotation * (link.inertia.times_moving(omega_dot) + omega.cross(spin));
        ws.carried[j] = less_outside(j, Wrench { force, moment }.about(arm));
    }
    sum_towards_base(robot, &ws.motion.bodies, &mut ws.carried);
    ws.transmit(robot, q[0]);
    &ws.transmitted
}

/// What external wrenches take off the joints' reactions, in the same axes and about the same points: the reactions
/// of a robot under these wrenches are its [`reactions`] minus this.
///
/// # Panics
/// If `q` does not have one value per joint, or a wrench acts at a frame that does not exist.
pub fn external_reactions<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    external: &[ExternalWrench<T>],
) -> &'w [Wrench<T>] {
    ws.carry_external(robot, q, external);
    ws.transmit(robot, q[0]);
    &ws.transmitted
}

/// The joint forces that external wrenches exert, Σ Jᵀ w: what they take off the drives.
///
/// Inverse dynamics of a robot under these wrenches is its inverse dynamics minus this; forward dynamics is that with
/// this added to the drives' forces.
///
/// # Panics
/// If `q` does not have one value per joint, or a wrench acts at a frame that does not exist.
pub fn external_joint_forces<'w, T: Real>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    external: &[ExternalWrench<T>],
) -> &'w [T] {
    ws.carry_external(robot, q, external);
    for (j, link) in robot.links().iter().enumerate() {
        ws.tau[j] = along_joint(link.joint, &ws.motion.bodies[j], ws.carried[j]);
    }
    &ws.tau
}
