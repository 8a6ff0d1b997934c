//! What moves: the forward dynamics of a tree on expressions, with parameters that every robot has of its own.
//!
//! ```text
//! q̈ = M(q; p)⁻¹ (τ − b(q, q̇; p))        b with friction, springs, gravity
//! ```

use super::Refused;
use crate::expr::Expr;
use crate::parameter::{Owner, Parameter};
use crate::tree;
use appell::Robot;
use appell::description::{JointEffects, sign};
use appell::dynamics::link_origins::{self, Bodies};
use appell::mechanism::Mechanism;
use appell::real::Real;
use appell::spatial::Vec3;

/// What every robot of a rollout may have of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Varied {
    /// A parameter of a body.
    Body(Parameter),
    /// Viscous friction of a joint, from 0; N m s/rad or N s/m.
    Viscous(usize),
    /// Coulomb friction of a joint, from 0, with the smoothing that the robot's file gives it; N m or N.
    Coulomb(usize),
    /// A mass at a point of a body, in the body's own frame; kg.
    Payload {
        /// The body that a joint moves, from 0, or the platform.
        owner: Owner,
        /// m.
        at: Vec3<f64>,
    },
}

impl Varied {
    /// What the robot itself has of it: no payload.
    #[must_use]
    pub fn of(&self, robot: &Robot) -> Option<f64> {
        let friction = |joint: usize| robot.tree().effects().get(joint).map(|effects| &effects.friction);
        match *self {
            Self::Body(parameter) => parameter.of(robot),
            Self::Viscous(joint) => friction(joint).map(|friction| friction.viscous),
            Self::Coulomb(joint) => friction(joint).map(|friction| friction.coulomb),
            Self::Payload { owner: Owner::Body(body), .. } => (body < robot.tree().dof()).then_some(0.0),
            Self::Payload { owner: Owner::Platform, .. } => robot.platform().map(|_| 0.0),
        }
    }

    /// Its name: `m2`, `fv2`, `fc2`, `load2`.
    #[must_use]
    pub fn name(&self) -> String {
        match *self {
            Self::Body(parameter) => parameter.to_string(),
            Self::Viscous(joint) => format!("fv{}", joint + 1),
            Self::Coulomb(joint) => format!("fc{}", joint + 1),
            Self::Payload { owner: Owner::Body(body), .. } => format!("load{}", body + 1),
            Self::Payload { owner: Owner::Platform, .. } => "loadP".into(),
        }
    }
}

/// Refuses what the robot has not, what is named twice, and friction that jumps.
pub(super) fn check(robot: &Robot, varied: &[Varied]) -> Result<(), Refused> {
    for (place, one) in varied.iter().enumerate() {
        if varied[..place].iter().any(|other| other.name() == one.name()) {
            return Err(Refused::Twice { name: one.name() });
        }
        if let (Some(closed), Varied::Viscous(joint) | Varied::Coulomb(joint)) = (robot.closed(), *one)
            && joint < robot.tree().dof()
            && !closed.driven().contains(&joint)
        {
            return Err(Refused::Passive { name: one.name(), joint: robot.tree().joint_names()[joint].clone() });
        }
        if one.of(robot).is_none() {
            let (joints, platform) = (robot.tree().dof(), robot.platform().is_some());
            return Err(Refused::Unknown { name: one.name(), joints, platform });
        }
    }
    for (joint, JointEffects { friction, .. }) in robot.tree().effects().iter().enumerate() {
        let curve = friction.curve.unwrap_or_default();
        let jumps = friction.coulomb != 0.0 || curve.stribeck != 0.0 || varied.contains(&Varied::Coulomb(joint));
        if jumps && friction.smoothing == 0.0 {
            return Err(Refused::Jumps { joint: robot.tree().joint_names()[joint].clone() });
        }
    }
    Ok(())
}

/// The parameters of bodies among what every robot has of its own.
pub(super) fn kept<'g>(varied: &[Varied], own: &[Expr<'g>]) -> Vec<(Parameter, Expr<'g>)> {
    let parameter = |(one, &number): (&Varied, &Expr<'g>)| match *one {
        Varied::Body(parameter) => Some((parameter, number)),
        _ => None,
    };
    varied.iter().zip(own).filter_map(parameter).collect()
}

/// The same robot without the friction that is every robot's own.
pub(super) fn without_varied(tree: &Mechanism, varied: &[Varied]) -> Mechanism {
    let names = tree.joint_names();
    tree.with_effects(|name, mut effects| {
        let joint = names.iter().position(|joint| joint == name).expect("a joint of the robot");
        if varied.contains(&Varied::Viscous(joint)) {
            effects.friction.viscous = 0.0;
        }
        if varied.contains(&Varied::Coulomb(joint)) {
            effects.friction.coulomb = 0.0;
        }
        effects
    })
}

/// What resists at a joint by the friction that is every robot's own.
pub(super) fn resistance<'g>(
    tree: &Mechanism,
    varied: &[Varied],
    own: &[Expr<'g>],
    joint: usize,
    v: Expr<'g>,
) -> Expr<'g> {
    let smoothing = tree.effects()[joint].friction.smoothing;
    varied.iter().zip(own).fold(v.zero(), |sum, (varied, &number)| match *varied {
        Varied::Viscous(other) if other == joint => sum + number * v,
        Varied::Coulomb(other) if other == joint => sum + number * sign(v, smoothing),
        _ => sum,
    })
}

/// A tree whose joints have one coordinate each.
pub(super) struct Tree<'r> {
    pub(super) robot: &'r Mechanism,
    bare: Mechanism, // without the friction of `varied`
    varied: &'r [Varied],
}

impl<'r> Tree<'r> {
    pub(super) fn new(robot: &'r Mechanism, varied: &'r [Varied]) -> Self {
        Self { robot, bare: without_varied(robot, varied), varied }
    }

    /// The bodies with what every robot has of its own, regrouped.
    fn bodies<'g>(&self, like: Expr<'g>, own: &[Expr<'g>]) -> Bodies<Expr<'g>> {
        let mut bodies = tree::bodies(self.robot, like, &kept(self.varied, own));
        for (one, &mass) in self.varied.iter().zip(own) {
            if let Varied::Payload { owner: Owner::Body(body), at } = *one {
                tree::load(&mut bodies, self.robot, body, mass, at);
            }
        }
        bodies.regroup(self.robot);
        bodies
    }

    /// q̈ under the torques of the drives.
    pub(super) fn accelerations<'g>(
        &self,
        q: &[Expr<'g>],
        v: &[Expr<'g>],
        tau: &[Expr<'g>],
        own: &[Expr<'g>],
    ) -> Result<Vec<Expr<'g>>, Refused> {
        let bodies = self.bodies(q[0], own);
        let left = |j: usize| tau[j] - resistance(self.robot, self.varied, own, j, v[j]);
        let left: Vec<Expr<'g>> = (0..tau.len()).map(left).collect();
        let ws = &mut link_origins::Workspace::with_scalar(&self.bare, q[0]);
        Ok(link_origins::forward_dynamics(&self.bare, &bodies, ws, q, v, &left)?.to_vec())
    }
}

/// τ of the robot as its file describes it.
pub(super) fn efforts<'g>(robot: &Mechanism, q: &[Expr<'g>], v: &[Expr<'g>], a: &[Expr<'g>]) -> Vec<Expr<'g>> {
    let bodies = nominal(robot, q[0]);
    let ws = &mut link_origins::Workspace::with_scalar(robot, q[0]);
    link_origins::inverse_dynamics(robot, &bodies, ws, q, v, a).to_vec()
}

/// τ that holds the robot as its file describes it.
pub(super) fn gravity<'g>(robot: &Mechanism, q: &[Expr<'g>]) -> Vec<Expr<'g>> {
    let bodies = nominal(robot, q[0]);
    let ws = &mut link_origins::Workspace::with_scalar(robot, q[0]);
    link_origins::gravity(robot, &bodies, ws, q).to_vec()
}

fn nominal<'g>(robot: &Mechanism, like: Expr<'g>) -> Bodies<Expr<'g>> {
    let mut bodies = tree::bodies(robot, like, &[]);
    bodies.regroup(robot);
    bodies
}
