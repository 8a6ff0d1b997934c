//! The bodies by ten parameters each, and their regrouping.

use crate::description::{BodyDescription, JointKind};
use crate::mechanism::{Mechanism, Placement};
use crate::real::Real;
use crate::spatial::{Mat3, PlanarRotation, Pose, Sym3, Vec3};
use core::ops::Add;

/// What is below this, over what it is made of, is rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// A body in its joint's frame, by what dynamics is linear in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body<T = f64> {
    /// m, kg.
    pub mass: T,
    /// m c, kg m.
    pub first_moment: Vec3<T>,
    /// J about the frame's origin, kg m².
    pub inertia: Sym3<T>,
    /// Whether it is round about its joint's axis and carries nothing: then its angle does not matter, and it is left
    /// where it is.
    pub is_round: bool,
}

/// All bodies of a robot.
#[derive(Debug, Clone, PartialEq)]
pub struct Bodies<T = f64>(Vec<Body<T>>);

impl<T: Real> Body<T> {
    /// A body without mass.
    #[must_use]
    pub fn zero(like: T) -> Self {
        Self { mass: like.zero(), first_moment: Vec3::zero(like), inertia: Sym3::zero(like), is_round: false }
    }

    /// A body given by mass, centre of mass, and inertia about it, in a frame that sits on the joint's.
    #[must_use]
    pub fn new(mass: T, com: Vec3<T>, inertia: Sym3<T>, joint_from_frame: &Pose<f64>) -> Self {
        let inertia = inertia + Sym3::of_point_mass(mass, com);
        Self::of_parameters(mass, com.times(mass), inertia, joint_from_frame)
    }

    /// A body given by its ten parameters, about the origin of a frame that sits on the joint's.
    #[must_use]
    pub fn of_parameters(mass: T, first_moment: Vec3<T>, inertia: Sym3<T>, joint_from_frame: &Pose<f64>) -> Self {
        let Pose { rotation, position } = joint_from_frame.lift(mass);
        Self::shifted(mass, rotation * first_moment, inertia.turned_by(&rotation), position)
    }

    /// The same body seen from the frame that its joint hangs on.
    pub(super) fn seen_from_parent(&self, place: &Placement, turn: PlanarRotation<T>, s: Vec3<T>) -> Self {
        let first_moment = place.to_parent(turn, self.first_moment);
        Self::shifted(self.mass, first_moment, place.tensor_to_parent(turn, self.inertia), s)
    }

    /// A body about another origin, from which its own lies at s, along the same axes.
    ///
    /// ```text
    /// mc' = c + m s        J' = J + m (s·s 1 − s sᵀ) + 2 s·c 1 − s cᵀ − c sᵀ        c = mc
    /// ```
    fn shifted(mass: T, c: Vec3<T>, inertia: Sym3<T>, s: Vec3<T>) -> Self {
        let (xx, yy, zz) = (s.x * c.x, s.y * c.y, s.z * c.z);
        let twice = |x: T| x + x;
        let crossed = Sym3 {
            xx: twice(yy + zz),
            xy: -(s.x * c.y + s.y * c.x),
            xz: -(s.x * c.z + s.z * c.x),
            yy: twice(xx + zz),
            yz: -(s.y * c.z + s.z * c.y),
            zz: twice(xx + yy),
        };
        Self {
            mass,
            first_moment: c + s.times(mass),
            inertia: inertia + Sym3::of_point_mass(mass, s) + crossed,
            is_round: false,
        }
    }

    fn map<U: Real>(&self, mut convert: impl FnMut(T) -> U) -> Body<U> {
        let (mc, j) = (self.first_moment, self.inertia);
        let mut of = |x: T| convert(x);
        Body {
            mass: of(self.mass),
            first_moment: Vec3::new(of(mc.x), of(mc.y), of(mc.z)),
            inertia: Sym3 { xx: of(j.xx), xy: of(j.xy), xz: of(j.xz), yy: of(j.yy), yz: of(j.yz), zz: of(j.zz) },
            is_round: self.is_round,
        }
    }

    /// Force, and moment about the origin, that the body needs for its motion.
    ///
    /// ```text
    /// f = m s̈ + Ω mc        n = J ω̇ + ω × J ω + mc × s̈
    /// ```
    ///
    /// The entries of Ω serve both: (J ω̇ + ω × J ω)_x = Jxx ω̇x + (Jzz − Jyy) ωy ωz + Jxz Ω_yx − Jxy Ω_zx + Jyz (Ω_yy − Ω_zz).
    ///
    /// `tensor` is Ω, [`spin_tensor`] of ω and ω̇; all in the body's frame.
    #[must_use]
    pub fn needs(&self, w: Vec3<T>, wd: Vec3<T>, tensor: &Mat3<T>, s_ddot: Vec3<T>) -> (Vec3<T>, Vec3<T>) {
        let (j, [a, b, c]) = (&self.inertia, tensor.rows);
        let force = *tensor * self.first_moment + s_ddot.times(self.mass);
        let spin = Vec3::new(
            j.xx * wd.x + (j.zz - j.yy) * (w.y * w.z) + (j.xz * b.x - j.xy * c.x) + j.yz * (b.y - c.z),
            j.yy * wd.y + (j.xx - j.zz) * (w.x * w.z) + (j.xy * c.y - j.yz * a.y) + j.xz * (c.z - a.x),
            j.zz * wd.z + (j.yy - j.xx) * (w.x * w.y) + (j.yz * a.z - j.xz * b.z) + j.xy * (a.x - b.y),
        );
        (force, spin + self.first_moment.cross(s_ddot))
    }
}

impl<T: Real> Add for Body<T> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            mass: self.mass + other.mass,
            first_moment: self.first_moment + other.first_moment,
            inertia: self.inertia + other.inertia,
            is_round: self.is_round,
        }
    }
}

impl<T: Real> Bodies<T> {
    /// The bodies of a robot; `change` may put another one, given its index.
    #[must_use]
    pub fn of(robot: &Mechanism, like: T, mut change: impl FnMut(usize) -> Option<Body<T>>) -> Self {
        let body = |j: usize| change(j).unwrap_or_else(|| clean(robot, j).map(|x| like.constant(x)));
        Self((0..robot.dof()).map(body).collect())
    }

    /// One body that is given, and all others without mass.
    #[must_use]
    pub fn alone(robot: &Mechanism, index: usize, body: Body<T>) -> Self {
        let of = |j: usize| if j == index { body } else { Body::zero(body.mass) };
        Self((0..robot.dof()).map(of).collect())
    }

    /// The bodies, one per joint.
    #[must_use]
    pub fn as_slice(&self) -> &[Body<T>] {
        &self.0
    }

    /// Puts another body in the place of one.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn put(&mut self, index: usize, body: Body<T>) {
        self.0[index] = body;
    }

    /// Moves to its carrier what has the same effect on the joints: of bodies on revolute joints the mass, the first moment
    /// along the axis and Jyy, as of a thin rod along it; of those on prismatic joints the inertia (Gautier1990).
    ///
    /// Joint forces stay what they are, with fewer parameters; forces and moments that the joints transmit do not.
    ///
    /// # Panics
    /// If the bodies are those of another robot.
    pub fn regroup(&mut self, robot: &Mechanism) {
        assert_eq!(self.0.len(), robot.dof(), "the bodies of this robot");
        for (j, link) in robot.links().iter().enumerate().rev() {
            let body = &mut self.0[j];
            let zero = body.mass.zero();
            let mut moved = Body::zero(zero);
            match link.joint {
                JointKind::Revolute => {
                    let yy = body.inertia.yy;
                    moved.mass = core::mem::replace(&mut body.mass, zero);
                    moved.first_moment.z = core::mem::replace(&mut body.first_moment.z, zero);
                    (moved.inertia.xx, moved.inertia.yy) = (yy, yy);
                    body.inertia.xx = body.inertia.xx - yy;
                    body.inertia.yy = zero;
                }
                JointKind::Prismatic => moved.inertia = core::mem::replace(&mut body.inertia, Sym3::zero(zero)),
            }
            if let Some(p) = link.parent {
                let offset = link.placement.offset_at_zero().lift(zero);
                // What is moved is round about the joint's axis, or does not turn: any angle will do.
                let turn = match link.joint {
                    JointKind::Revolute => PlanarRotation::NONE.lift(zero),
                    JointKind::Prismatic => link.placement.turn(zero),
                };
                self.0[p] = self.0[p] + moved.seen_from_parent(&link.placement, turn, offset);
            }
        }
    }
}

/// Ω = ω̇~ + ω~ω~, in 6 × and 9 +  [Mata2002, eq. 12].
#[inline(always)]
pub fn spin_tensor<T: Real>(w: Vec3<T>, wd: Vec3<T>) -> Mat3<T> {
    let (xx, yy, zz) = (w.x * w.x, w.y * w.y, w.z * w.z);
    let (xy, xz, yz) = (w.x * w.y, w.x * w.z, w.y * w.z);
    Mat3::from_rows([
        Vec3::new(-(yy + zz), xy - wd.z, xz + wd.y),
        Vec3::new(xy + wd.z, -(xx + zz), yz - wd.x),
        Vec3::new(xz - wd.y, yz + wd.x, -(xx + yy)),
    ])
}

/// A body of the robot, its rounding errors taken for the zeros that they stand for.
fn clean(robot: &Mechanism, j: usize) -> Body<f64> {
    let link = &robot.links()[j];
    let BodyDescription { mass, com, inertia } =
        BodyDescription { mass: link.mass, com: link.com, inertia: link.inertia };
    let size = inertia.trace().abs() + mass.abs() * com.dot(com);
    let arm = com.norm();
    let snap = |x: f64, size: f64| if x.abs() <= ROUNDING * size { 0.0 } else { x };
    let com = Vec3::new(snap(com.x, arm), snap(com.y, arm), snap(com.z, arm));
    let about_origin = inertia + Sym3::of_point_mass(mass, com);
    let Sym3 { xx, xy, xz, yy, yz, zz } = about_origin;
    let mut inertia =
        Sym3 { xx, xy: snap(xy, size), xz: snap(xz, size), yy: xx - snap(xx - yy, size), yz: snap(yz, size), zz };
    let crooked = [com.x, com.y, inertia.xy, inertia.xz, inertia.yz, inertia.xx - inertia.yy];
    let is_round = link.leaf && link.joint == JointKind::Revolute && crooked.iter().all(|&x| x == 0.0);
    if is_round {
        inertia.yy = inertia.xx;
    }
    Body { mass, first_moment: com.scale(mass), inertia, is_round }
}
