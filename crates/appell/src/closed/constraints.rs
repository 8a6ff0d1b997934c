//! The constraints of all closures, in base axes, and of all couplings: gaps g, A u and its rate A u̇ + b, for u = (joint velocities,
//! twist of the platform).
//!
//! A row is a wrench that does no work, about the origin of the closure's second frame: a force e or a moment
//! n = L f × h, where the characteristic length L makes all rows lengths.
//!
//! ```text
//! linear    g = e·(p₂ − p₁)    ġ = e·u          g̈ = e·(a₂ − a₁ − 2 ω₁ × u)       u = v₂ − v₁
//! angular   g = −L f·h         ġ = n·(ω₂ − ω₁)  g̈ = n·(ω̇₂ − ω̇₁) + ṅ·(ω₂ − ω₁)
//! ```
//!
//! e and f are fixed in the first frame, h in the second; v₁ and a₁ are those of the first body's point where p₂ is.
//! Where all three linear rows are there, e is fixed in the base and the Coriolis term is absent. Couplings are linear in the
//! joints' positions: see [`Coupling`].

use super::closure::{Closure, On, Side};
use super::coupling::Coupling;
use super::{ClosedMechanism, Configuration};
use crate::description::JointKind;
use crate::kinematics::{self, BodyMotion};
use crate::real::{Measured, Real};
use crate::spatial::{Mat3, Twist, Vec3};

/// Motion of the tree, the platform and the closing frames.
#[derive(Debug, Clone)]
pub(crate) struct Constraints<T> {
    pub(crate) tree: kinematics::Workspace<T>,
    pub(crate) platform: BodyMotion<T>,
    base: BodyMotion<T>,
    points: Vec<Vec3<T>>,    // origin of each closure's second frame, in the base
    axes: Vec<[Mat3<T>; 2]>, // of both frames, in the base, where the rows turn with them
    rows: Vec<Row<T>>,
    coupling_gaps: Vec<T>, // of each coupling
}

/// Motion of a point that a body carries, in base axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PointMotion<T> {
    pub(crate) velocity: Vec3<T>,
    pub(crate) omega: Vec3<T>,
    pub(crate) acceleration: Vec3<T>,
    pub(crate) omega_dot: Vec3<T>,
}

impl<T: Real> PointMotion<T> {
    #[inline(always)]
    pub(crate) fn at_rest(like: T) -> Self {
        let zero = Vec3::zero(like);
        Self { velocity: zero, omega: zero, acceleration: zero, omega_dot: zero }
    }
}

impl<T: Real> BodyMotion<T> {
    /// The motion of a point of the body.
    #[inline(always)]
    pub(crate) fn at(&self, point: Vec3<T>) -> PointMotion<T> {
        let arm = point - self.pose.position;
        let (velocity, acceleration) = (self.velocity_of(arm), self.acceleration_of(arm));
        PointMotion { velocity, omega: self.omega, acceleration, omega_dot: self.omega_dot }
    }
}

/// A wrench that does no work, about the origin of the closure's second frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<T> {
    pub(crate) force: Vec3<T>,
    pub(crate) moment: Vec3<T>,
}

impl<T: Real> Row<T> {
    /// What it does at a velocity of its point and an angular velocity.
    #[inline(always)]
    pub(crate) fn along(&self, linear: Vec3<T>, angular: Vec3<T>) -> T {
        self.force.dot(linear) + self.moment.dot(angular)
    }
}

impl<T: Real> Constraints<T> {
    pub(crate) fn with_scalar(robot: &ClosedMechanism, like: T) -> Self {
        let (zero, at_rest) = (Vec3::zero(like), BodyMotion::at_rest(like));
        let mut rows = vec![Row { force: zero, moment: zero }; robot.rows()];
        // Rows along the base's axes never turn.
        for closure in robot.closures().iter().filter(|closure| closure.constraint.rows().along_base()) {
            for axis in 0..3 {
                rows[closure.row + axis].force = unit(axis, like);
            }
        }
        Self {
            tree: kinematics::Workspace::with_scalar(robot.tree(), like),
            platform: at_rest,
            base: at_rest,
            points: vec![zero; robot.closures().len()],
            axes: vec![[Mat3::identity(like); 2]; robot.closures().len()],
            rows,
            coupling_gaps: vec![like.zero(); robot.couplings().len()],
        }
    }

    /// Places all bodies and the rows of all closures.
    #[inline(always)]
    pub(crate) fn place(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) {
        self.tree.sweep_at_rest(robot.tree(), &at.q);
        self.platform.pose = at.pose;
        for (gap, coupling) in self.coupling_gaps.iter_mut().zip(robot.couplings()) {
            *gap = coupling.gap(&at.q);
        }
        for (k, closure) in robot.closures().iter().enumerate() {
            self.points[k] = self.origin(&closure.second);
            let rows = closure.constraint.rows();
            if rows.are_of_point() {
                continue;
            }
            self.axes[k] = [self.axes_of(&closure.first), self.axes_of(&closure.second)];
            let [first, second] = &self.axes[k];
            if !rows.along_base() {
                for (i, &axis) in rows.linear.iter().enumerate() {
                    self.rows[closure.row + i].force = first.column(axis);
                }
            }
            for (i, &(one, other)) in rows.angular.iter().enumerate() {
                let moment = first.column(one).cross(second.column(other)).scale(robot.length());
                self.rows[closure.row + rows.linear.len() + i].moment = moment;
            }
        }
    }

    /// Velocities, and accelerations at u̇ = 0, of what has been placed; `u` is joint velocities, then the twist.
    #[inline(always)]
    pub(crate) fn set_in_motion(&mut self, robot: &ClosedMechanism, u: &[T]) {
        let (v, twist) = u.split_at(robot.tree().dof());
        self.tree.move_unaccelerated(robot.tree(), v);
        if let &[vx, vy, vz, wx, wy, wz] = twist {
            let (linear, angular) = (Vec3::new(vx, vy, vz), Vec3::new(wx, wy, wz));
            self.set_platform_in_motion(Twist { linear, angular });
        }
    }

    /// The same of the platform alone.
    #[inline(always)]
    pub(crate) fn set_platform_in_motion(&mut self, twist: Twist<T>) {
        (self.platform.velocity, self.platform.omega) = (twist.linear, twist.angular);
    }

    /// The motion of what carries a side.
    #[inline(always)]
    pub(crate) fn carrier(&self, on: On) -> &BodyMotion<T> {
        match on {
            On::Base => &self.base,
            On::Body(j) => &self.tree.bodies[j],
            On::Platform => &self.platform,
        }
    }

    /// The origin of a side's frame, in the base.
    #[inline(always)]
    fn origin(&self, side: &Side) -> Vec3<T> {
        let carrier = &self.carrier(side.on).pose;
        carrier.position + carrier.rotation.times_fixed(side.pose.position)
    }

    /// The axes of a side's frame, in the base.
    #[inline(always)]
    pub(crate) fn axes_of(&self, side: &Side) -> Mat3<T> {
        let carrier = &self.carrier(side.on).pose;
        carrier.rotation * side.pose.rotation.lift(carrier.position.x)
    }

    /// The point about which a closure's rows are.
    #[inline(always)]
    pub(crate) fn point(&self, closure: usize) -> Vec3<T> {
        self.points[closure]
    }

    /// The rows of a closure.
    #[inline(always)]
    pub(crate) fn rows_of(&self, closure: &Closure) -> &[Row<T>] {
        &self.rows[closure.row..closure.row + closure.rows()]
    }

    /// The velocity of the point p that joint j gives, and the angular velocity, a unit of its rate.
    #[inline(always)]
    pub(crate) fn unit_motion(&self, robot: &ClosedMechanism, j: usize, p: Vec3<T>) -> (Vec3<T>, Vec3<T>) {
        let joint = &self.tree.bodies[j];
        let axis = joint.axis();
        match robot.tree().links()[j].joint {
            JointKind::Revolute => (axis.cross(p - joint.pose.position), axis),
            JointKind::Prismatic => (axis, Vec3::zero(axis.x)),
        }
    }

    /// g of all rows.
    #[inline(always)]
    pub(crate) fn gaps(&self, robot: &ClosedMechanism, gaps: &mut [T]) {
        for (k, closure) in robot.closures().iter().enumerate() {
            let rows = closure.constraint.rows();
            let apart = self.points[k] - self.origin(&closure.first);
            let [first, second] = &self.axes[k];
            for i in 0..rows.linear.len() {
                gaps[closure.row + i] = self.rows[closure.row + i].force.dot(apart);
            }
            for (i, &(one, other)) in rows.angular.iter().enumerate() {
                let cosine = first.column(one).dot(second.column(other));
                gaps[closure.row + rows.linear.len() + i] = cosine.scale(-robot.length());
            }
        }
        for (coupling, &gap) in robot.couplings().iter().zip(&self.coupling_gaps) {
            gaps[coupling.row] = gap;
        }
    }

    /// A, row by row with an entry a velocity of u.
    pub(crate) fn matrix(&self, robot: &ClosedMechanism, matrix: &mut [T]) {
        let width = robot.velocities();
        let zero = self.platform.omega.x.zero();
        matrix[..robot.rows() * width].fill(zero);
        for (k, closure) in robot.closures().iter().enumerate() {
            for (side, sign) in [(&closure.first, -1.0), (&closure.second, 1.0)] {
                let mut add = |column: usize, linear: Vec3<T>, angular: Vec3<T>| {
                    for (i, row) in self.rows_of(closure).iter().enumerate() {
                        let entry = &mut matrix[(closure.row + i) * width + column];
                        *entry = row.along(linear, angular).scale_add(sign, *entry);
                    }
                };
                match side.on {
                    On::Base => {}
                    On::Body(body) => {
                        for j in robot.tree().path_to_base(body) {
                            let (linear, angular) = self.unit_motion(robot, j, self.point(k));
                            add(j, linear, angular);
                        }
                    }
                    On::Platform => {
                        let arm = self.point(k) - self.platform.pose.position;
                        for x in 0..3 {
                            let unit = unit(x, zero);
                            add(robot.tree().dof() + x, unit, Vec3::zero(zero));
                            add(robot.tree().dof() + 3 + x, unit.cross(arm), unit);
                        }
                    }
                }
            }
        }
        for coupling in robot.couplings() {
            for &(joint, factor) in &coupling.terms {
                let entry = &mut matrix[coupling.row * width + joint];
                *entry = *entry + zero.constant(factor);
            }
        }
    }

    /// b of a closure's rows, their rate of rate at u̇ = 0, from the motion of both sides' points there.
    #[inline(always)]
    pub(crate) fn bias_between(
        &self,
        k: usize,
        closure: &Closure,
        length: f64,
        [one, two]: &[PointMotion<T>; 2],
        bias: &mut [T],
    ) {
        let [first, second] = &self.axes[k];
        let rows = closure.constraint.rows();
        let mut between = two.acceleration - one.acceleration;
        if !rows.along_base() && !rows.linear.is_empty() {
            let coriolis = one.omega.cross(two.velocity - one.velocity);
            between = between - coriolis - coriolis;
        }
        for (i, row) in self.rows_of(closure)[..rows.linear.len()].iter().enumerate() {
            bias[i] = row.force.dot(between);
        }
        let (turn, turn_rate) = (two.omega - one.omega, two.omega_dot - one.omega_dot);
        for (i, &(axis, other)) in rows.angular.iter().enumerate() {
            let (f, h) = (first.column(axis), second.column(other));
            let moment_rate = one.omega.cross(f).cross(h) + f.cross(two.omega.cross(h));
            bias[rows.linear.len() + i] = (f.cross(h).dot(turn_rate) + moment_rate.dot(turn)).scale(length);
        }
    }

    /// b of all rows, after [`set_in_motion`](Self::set_in_motion).
    pub(crate) fn bias(&self, robot: &ClosedMechanism, bias: &mut [T]) {
        for (k, closure) in robot.closures().iter().enumerate() {
            let sides = [closure.first.on, closure.second.on].map(|on| self.carrier(on).at(self.points[k]));
            let own = &mut bias[closure.row..closure.row + closure.rows()];
            self.bias_between(k, closure, robot.length(), &sides, own);
        }
        for coupling in robot.couplings() {
            bias[coupling.row] = self.platform.omega.x.zero();
        }
    }
}

/// The unit vector along an axis of the base.
#[inline(always)]
pub(super) fn unit<T: Real>(axis: usize, like: T) -> Vec3<T> {
    Vec3::from(core::array::from_fn(|k| like.constant(if k == axis { 1.0 } else { 0.0 })))
}

impl<T: Measured> Constraints<T> {
    /// How far a closure is open, m: the gaps of its rows together.
    ///
    /// Frames that are turned against each other by half a turn satisfy the rows, and are open all the same; so are
    /// those of a joint that forbids all turns where their axes have changed places, x for y, y for z and z for x. Of
    /// several lanes it is the one that is most open.
    #[inline(always)]
    pub(crate) fn opening(&self, k: usize, closure: &Closure, gaps: &[T], length: f64) -> f64 {
        let own = &gaps[closure.row..closure.row + closure.rows()];
        let [first, second] = &self.axes[k];
        // Where the rows are satisfied each is 1; in false positions −1, or 0 where three are shared.
        let shared = closure.constraint.shared_axes();
        let least = if shared.len() == 3 { 0.5 } else { 0.0 };
        let mut is_turned = false;
        for &axis in shared {
            is_turned |= first.column(axis).dot(second.column(axis)).least() < least;
        }
        let mut squares = self.platform.omega.x.zero();
        for &x in own {
            squares = x.mul_add(x, squares);
        }
        squares.greatest().sqrt() + if is_turned { length } else { 0.0 }
    }
}

impl Constraints<f64> {
    /// What is open most at these gaps, and by how much, m.
    pub(crate) fn widest<'r>(&self, robot: &'r ClosedMechanism, gaps: &[f64]) -> (Holding<'r>, f64) {
        let closures = robot.closures().iter().enumerate();
        let closures =
            closures.map(|(k, closure)| (Holding::Closure(closure), self.opening(k, closure, gaps, robot.length())));
        let couplings = robot.couplings().iter();
        let couplings = couplings.map(|coupling| (Holding::Coupling(coupling), gaps[coupling.row].abs()));
        let is_worse = |one: f64, other: f64| one > other || one.is_nan();
        let worst = closures.chain(couplings).reduce(|worst, new| if is_worse(new.1, worst.1) { new } else { worst });
        worst.expect("a closed mechanism has closures")
    }
}

/// What demands constraints.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Holding<'r> {
    /// A closing joint.
    Closure(&'r Closure),
    /// A joint that follows others.
    Coupling(&'r Coupling),
}
