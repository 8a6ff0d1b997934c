//! The bodies of a parallel robot by ten parameters each, which may be any expressions: kept ones, or regrouped ones that
//! belong to no real body.
//!
//! ```text
//! f_u = (τ of the open legs, wrench of the platform)        M_u = (M of the open legs, 6 × 6 of the platform)
//! ```
//!
//! A leg's last body and the platform meet in the closing joint. What moves there with both has the same generalised forces on either side,
//! so that it may be counted to any of them, in any amount: the energy of the two together stays what it is, and with it
//! the forces on the independent velocities. That is a mass in a point that the joint holds, what is round about its
//! axis, and the inertia of what does not turn against the other.

use super::super::expr::Expr;
use super::super::parameter::{self, Owner, Parameter};
use super::super::tree;
use appell::closed::{ClosedMechanism, Closure, Configuration, Constraint, Leg, On, Platform, Side};
use appell::description::{BodyDescription, ClosingJoint, JointEffects};
use appell::dynamics::link_origins::{self, Bodies, Body, spin_tensor};
use appell::real::Real;
use appell::spatial::{Mat3, Pose, Sym3, Vec3};

/// What is below this, over what it is the sum of, is rounding.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The bodies of the legs, and the platform with what it carries.
pub(crate) struct Masses<'g> {
    legs: Bodies<Expr<'g>>,
    platform: Body<Expr<'g>>,
}

/// What of a leg's last body is counted to the platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exchange {
    /// Nothing.
    Nothing,
    /// All that may be.
    All,
    /// As much mass in the closing joint's point as leaves the body no first moment along the way there.
    Moment,
}

impl Exchange {
    pub(crate) const ALL: [Self; 3] = [Self::Nothing, Self::All, Self::Moment];
}

impl<'g> Masses<'g> {
    /// Those of a robot, of which the parameters `kept` are other numbers.
    pub(crate) fn of(robot: &ClosedMechanism, like: Expr<'g>, kept: &[(Parameter, Expr<'g>)]) -> Self {
        let platform = robot.platform().expect("a robot of legs and a platform");
        let is_kept = kept.iter().any(|(parameter, _)| parameter.owner == Owner::Platform);
        let unmoved = Pose::identity(0.0);
        let platform = if is_kept {
            let BodyDescription { mass, com, inertia } = platform.body();
            let (mass, com, inertia) = parameter::with_kept(mass, com, inertia, like, Owner::Platform, kept);
            Body::new(mass, com, inertia, &unmoved)
        } else {
            let &Platform { mass, first_moment, inertia, .. } = platform;
            let mass = like.constant(mass);
            Body::of_parameters(mass, first_moment.lift(like), inertia.lift(like), &unmoved)
        };
        Self { legs: tree::bodies(robot.tree(), like, kept), platform }
    }

    /// Adds a mass at a point of a body or of the platform, in its own frame.
    pub(crate) fn load(&mut self, robot: &ClosedMechanism, owner: Owner, mass: Expr<'g>, at: Vec3<f64>) {
        match owner {
            Owner::Body(body) => tree::load(&mut self.legs, robot.tree(), body, mass, at),
            Owner::Platform => {
                let point = Body::new(mass, at.lift(mass), Sym3::zero(mass), &Pose::identity(0.0));
                self.platform = self.platform + point;
            }
        }
    }

    /// Moves to its carrier what has the same effect on the joints, after the exchange between legs and platform.
    pub(crate) fn regroup(&mut self, robot: &ClosedMechanism, exchange: Exchange) {
        robot.legs().iter().for_each(|leg| self.exchange(robot, leg, exchange));
        self.legs.regroup(robot.tree());
    }

    fn exchange(&mut self, robot: &ClosedMechanism, leg: &Leg, exchange: Exchange) {
        let closure = &robot.closures()[leg.closure];
        let (Some(&last), Some([on_leg, on_platform])) = (leg.joints.last(), sides(closure)) else { return };
        let [on_leg, on_platform] = [on_leg, on_platform].map(|side| clean(&side.pose, robot.length()));
        let body = self.legs.as_slice()[last];
        let moved = match exchange {
            Exchange::Nothing => return,
            Exchange::All => common(closure.constraint, &placed(&body, &on_leg.inverse())),
            Exchange::Moment => along_the_way(closure.constraint, &body, on_leg.position),
        };
        if numbers(&moved).iter().all(|x| x.as_constant() == Some(0.0)) {
            return; // what is round stays so
        }
        self.legs.put(last, joined(&body, &placed(&moved, &on_leg), |x, y| x - y));
        self.platform = joined(&self.platform, &placed(&moved, &on_platform), |x, y| x + y);
    }

    /// What the bodies need for a motion u with the rates u̇: forces of the open legs' joints, and the wrench of the
    /// platform about its origin, in base axes. Joints have no effects here.
    ///
    /// ```text
    /// f = m s̈ + R Ω mc        n = R (J ω̇ + ω × J ω + mc × Rᵀ s̈)        ω, ω̇, Ω in the platform's axes
    /// ```
    pub(crate) fn needs(
        &self,
        robot: &ClosedMechanism,
        at: &Configuration<Expr<'g>>,
        u: &[Expr<'g>],
        u_dot: &[Expr<'g>],
    ) -> Vec<Expr<'g>> {
        let dof = robot.tree().dof();
        let bare = robot.tree().with_effects(|_, _| JointEffects::default());
        let mut ws = link_origins::Workspace::with_scalar(&bare, u[0]);
        let legs = link_origins::inverse_dynamics(&bare, &self.legs, &mut ws, &at.q, &u[..dof], &u_dot[..dof]);
        let vector = |numbers: &[Expr<'g>]| Vec3::new(numbers[0], numbers[1], numbers[2]);
        let rotation = &at.pose.rotation;
        let s_ddot = vector(&u_dot[dof..]) - robot.tree().gravity().lift(u[0]);
        let [omega, omega_dot] = [u, u_dot].map(|all| rotation.transpose_times(vector(&all[dof + 3..])));
        // The mass needs no turn, there and back.
        let turning = Body { mass: u[0].zero(), ..self.platform };
        let tensor = spin_tensor(omega, omega_dot);
        let (force, moment) = turning.needs(omega, omega_dot, &tensor, rotation.transpose_times(s_ddot));
        let force = s_ddot.times(self.platform.mass) + *rotation * force;
        legs.iter().copied().chain(force.to_array()).chain((*rotation * moment).to_array()).collect()
    }

    /// The inertia matrices of the open legs, rotors included, and of the platform in base axes, row by row.
    ///
    /// ```text
    /// ⎡ m 1  −ŝ    ⎤
    /// ⎣ ŝ    R J Rᵀ ⎦        s = R mc
    /// ```
    pub(crate) fn inertia(
        &self,
        robot: &ClosedMechanism,
        at: &Configuration<Expr<'g>>,
    ) -> (Vec<Expr<'g>>, Vec<Expr<'g>>) {
        let mut ws = link_origins::Workspace::with_scalar(robot.tree(), at.q[0]);
        let legs = link_origins::inertia_matrix(robot.tree(), &self.legs, &mut ws, &at.q).to_vec();
        let Body { mass, first_moment, inertia, .. } = self.platform;
        let skew = Mat3::skew(at.pose.rotation * first_moment);
        let turned = inertia.turned_by(&at.pose.rotation).full();
        let mut platform = vec![mass.zero(); 36];
        for i in 0..3 {
            platform[7 * i] = mass;
            let (skew, turned) = (skew.rows[i].to_array(), turned.rows[i].to_array());
            for k in 0..3 {
                platform[6 * i + 3 + k] = -skew[k];
                platform[6 * (3 + i) + k] = skew[k];
                platform[6 * (3 + i) + 3 + k] = turned[k];
            }
        }
        (legs, platform)
    }
}

/// The closing joint's frame on the leg's last body, and on the platform.
fn sides(closure: &Closure) -> Option<[&Side; 2]> {
    match (closure.first.on, closure.second.on) {
        (On::Body(_), On::Platform) => Some([&closure.first, &closure.second]),
        (On::Platform, On::Body(_)) => Some([&closure.second, &closure.first]),
        _ => None,
    }
}

/// A pose whose rounding errors are taken for the zeros and ones that they stand for; positions are of the size of `length`.
fn clean(pose: &Pose<f64>, length: f64) -> Pose<f64> {
    let snap = |x: f64| if (x - x.round()).abs() <= ROUNDING { x.round() } else { x };
    let near_zero = |x: f64| if x.abs() <= ROUNDING * length { 0.0 } else { x };
    let Vec3 { x, y, z } = pose.position;
    let row = |row: Vec3<f64>| Vec3::new(snap(row.x), snap(row.y), snap(row.z));
    let position = Vec3::new(near_zero(x), near_zero(y), near_zero(z));
    Pose { position, rotation: Mat3::from_rows(pose.rotation.rows.map(row)) }
}

/// What of a body, given in the closing joint's frame, moves with both sides of the joint.
fn common<'g>(constraint: Constraint, body: &Body<Expr<'g>>) -> Body<Expr<'g>> {
    let zero = body.mass.zero();
    let nothing = Body::zero(zero);
    let rod = Sym3 { xx: body.inertia.yy, yy: body.inertia.yy, ..nothing.inertia };
    match constraint {
        Constraint::Joint(ClosingJoint::Spherical | ClosingJoint::Universal) => Body { mass: body.mass, ..nothing },
        Constraint::Joint(ClosingJoint::Revolute) => {
            let first_moment = Vec3::new(zero, zero, body.first_moment.z);
            Body { mass: body.mass, first_moment, inertia: rod, ..nothing }
        }
        Constraint::Joint(ClosingJoint::Cylindrical) => Body { inertia: rod, ..nothing },
        Constraint::Joint(ClosingJoint::Prismatic) => Body { inertia: body.inertia, ..nothing },
        Constraint::Joint(ClosingJoint::Rigid) => Body { is_round: false, ..*body },
        Constraint::Attitude => nothing,
    }
}

/// The mass, in the closing joint's point p, that has the body's first moment along the largest entry of p.
fn along_the_way<'g>(constraint: Constraint, body: &Body<Expr<'g>>, p: Vec3<f64>) -> Body<Expr<'g>> {
    let nothing = Body::zero(body.mass);
    let largest = |most: (f64, Expr<'g>), one: (f64, Expr<'g>)| if one.0.abs() > most.0.abs() { one } else { most };
    let (p, moment) = p.to_array().into_iter().zip(body.first_moment.to_array()).fold((0.0, nothing.mass), largest);
    let mass = if constraint.holds_point() && p != 0.0 { moment.scale(1.0 / p) } else { nothing.mass };
    Body { mass, ..nothing }
}

/// A body given in a frame that sits at this pose.
fn placed<'g>(body: &Body<Expr<'g>>, pose: &Pose<f64>) -> Body<Expr<'g>> {
    Body::of_parameters(body.mass, body.first_moment, body.inertia, pose)
}

fn numbers<'g>(body: &Body<Expr<'g>>) -> [Expr<'g>; 10] {
    parameter::to_array(body.mass, body.first_moment, body.inertia)
}

/// Two bodies as one, or one less the other; rounding errors are taken for the zeros that they stand for.
fn joined<'g>(
    one: &Body<Expr<'g>>,
    other: &Body<Expr<'g>>,
    join: impl Fn(Expr<'g>, Expr<'g>) -> Expr<'g>,
) -> Body<Expr<'g>> {
    let (one, other) = (numbers(one), numbers(other));
    let (mass, first_moment, inertia) = parameter::from_array(core::array::from_fn(|k| {
        let (x, y) = (one[k], other[k]);
        let both = join(x, y);
        match both.as_constant() {
            Some(rest) if rest.abs() <= ROUNDING * (x.value().abs() + y.value().abs()) => both.zero(),
            _ => both,
        }
    }));
    Body { mass, first_moment, inertia, is_round: false }
}
