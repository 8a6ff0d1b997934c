//! How a body hangs on its parent: the six Khalil-Kleinfinger parameters, made ready for computing.

use crate::description::{JointKind, KhalilKleinfinger};
use crate::real::Real;
use crate::spatial::{FixedTurn, Mat3, PlanarRotation, Pose, Sym3, Vec3};

/// The fixed part of a joint's transform and every way an algorithm turns a vector through it.
///
/// ```text
/// parent_from_body = Rz(γ) Tz(b) Ty(e) Rx(α) Tx(d) Rz(θ) Tz(r)      (Khalil1986 but for e)
/// ```
///
/// `θ = q + θ₀` for a revolute joint, `r = q + r₀` for a prismatic one. Modified Denavit-Hartenberg is γ = b = 0.
/// Vectors pass by plane turns, never by a 3 × 3 matrix: 8 × and 4 + where γ = 0 (rule R4 of the papers' counts).
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    joint: JointKind,
    /// γ, absent where it is zero: then nothing is computed for it.
    gamma: Option<PlanarRotation<f64>>,
    alpha: FixedTurn,
    /// θ₀, absent where it is zero.
    theta: Option<f64>,
    /// Turn by θ₀: the whole turn of a prismatic joint.
    theta_turn: PlanarRotation<f64>,
    /// O_parent → O_body at q = 0, in the parent's frame.
    offset: Vec3<f64>,
    /// The joint's axis z, in the parent's frame.
    axis: Vec3<f64>,
}

/// O_parent → O_body in the parent's frame: a constant of the robot unless the joint slides.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Offset<T> {
    Fixed(Vec3<f64>),
    Sliding(Vec3<T>),
}

impl Placement {
    pub(super) fn new(joint: JointKind, parameters: &KhalilKleinfinger) -> Self {
        let KhalilKleinfinger { gamma, b, e, alpha, d, theta, r } = *parameters;
        let gamma_turn = PlanarRotation::exact(gamma);
        let alpha = FixedTurn::exact(alpha);
        let axis = gamma_turn.about_z(alpha.about_x(Vec3::new(0.0, 0.0, 1.0)));
        let offset = gamma_turn.about_z(Vec3::new(d, e, 0.0)) + axis.scale(r) + Vec3::new(0.0, 0.0, b);
        Self {
            joint,
            gamma: (gamma_turn != PlanarRotation::NONE).then_some(gamma_turn),
            alpha,
            theta: (theta != 0.0).then_some(theta),
            theta_turn: PlanarRotation::exact(theta),
            offset,
            axis,
        }
    }

    /// Whether it is that of a revolute joint with γ = 0.
    pub(super) fn is_of_plain_chain(&self) -> bool {
        self.joint == JointKind::Revolute && self.gamma.is_none()
    }

    /// The same where [`Self::is_of_plain_chain`], with that as constants that a compiler sees.
    #[inline(always)]
    pub(super) fn of_plain_chain(&self) -> Self {
        Self { joint: JointKind::Revolute, gamma: None, ..self.clone() }
    }

    /// Turn about the body's own z, by the joint and the table together.
    #[inline(always)]
    pub(crate) fn turn<T: Real>(&self, q: T) -> PlanarRotation<T> {
        match self.joint {
            JointKind::Revolute => PlanarRotation::by(self.angle(q)),
            JointKind::Prismatic => self.theta_turn.lift(q),
        }
    }

    /// θ of a revolute joint.
    #[inline(always)]
    pub(crate) fn angle<T: Real>(&self, q: T) -> T {
        match self.theta {
            Some(theta) => q + q.constant(theta),
            None => q,
        }
    }

    /// O_parent → O_body, in the parent's frame.
    #[inline(always)]
    pub(crate) fn offset<T: Real>(&self, q: T) -> Offset<T> {
        match self.joint {
            JointKind::Revolute => Offset::Fixed(self.offset),
            JointKind::Prismatic => Offset::Sliding(Vec3::new(
                q.scale_add(self.axis.x, q.constant(self.offset.x)),
                q.scale_add(self.axis.y, q.constant(self.offset.y)),
                q.scale_add(self.axis.z, q.constant(self.offset.z)),
            )),
        }
    }

    /// θ at q = 0 of a revolute joint.
    pub fn theta(&self) -> f64 {
        self.theta.unwrap_or(0.0)
    }

    /// parent_from_body of a revolute joint at θ = 0.
    pub fn unturned(&self) -> Pose {
        Pose { rotation: self.rotation(PlanarRotation::NONE), position: self.offset }
    }

    /// O_parent → O_body of a revolute joint, or of a prismatic one at q = 0.
    pub(crate) fn offset_at_zero(&self) -> Vec3<f64> {
        self.offset
    }

    /// Parent's components → body's components: `Rᵀ v`, 8 × and 4 +.
    #[inline(always)]
    pub(crate) fn to_body<T: Real>(&self, turn: PlanarRotation<T>, v: Vec3<T>) -> Vec3<T> {
        turn.into_z(self.to_carrier(v))
    }

    /// Whether the joint's axis has the direction of the parent's z, and its x that of the parent's at θ = 0.
    pub(crate) fn is_parallel(&self) -> bool {
        self.gamma.is_none() && self.alpha.turn == PlanarRotation::NONE
    }

    /// Parent's components → those along the body's axes at θ = 0: what is left of `Rᵀ v` without the joint's turn.
    #[inline(always)]
    pub(crate) fn to_carrier<T: Real>(&self, v: Vec3<T>) -> Vec3<T> {
        self.alpha.into_x(match self.gamma {
            Some(gamma) => gamma.lift(v.x).into_z(v),
            None => v,
        })
    }

    /// Components along the body's axes at θ = 0 → parent's.
    #[inline(always)]
    pub(crate) fn carrier_to_parent<T: Real>(&self, v: Vec3<T>) -> Vec3<T> {
        let v = self.alpha.about_x(v);
        match self.gamma {
            Some(gamma) => gamma.lift(v.x).about_z(v),
            None => v,
        }
    }

    /// `Rᵀ (0, 0, w)`, 4 ×.
    #[inline(always)]
    pub(crate) fn to_body_along_z<T: Real>(&self, turn: PlanarRotation<T>, w: T) -> Vec3<T> {
        let (y, z) = (w.scale(self.alpha.turn.sin), w.scale(self.alpha.turn.cos));
        Vec3::new(turn.sin * y, turn.cos * y, z)
    }

    /// The parent's z axis in the body's components, `Rᵀ z`: the third row of R, 2 ×.
    #[inline(always)]
    pub(crate) fn parent_axis_in_body<T: Real>(&self, turn: PlanarRotation<T>) -> Vec3<T> {
        let PlanarRotation { cos, sin } = self.alpha.turn;
        Vec3::new(turn.sin.scale(sin), turn.cos.scale(sin), turn.cos.constant(cos))
    }

    /// Body's components → parent's components: `R v`, 8 × and 4 +.
    #[inline(always)]
    pub(crate) fn to_parent<T: Real>(&self, turn: PlanarRotation<T>, v: Vec3<T>) -> Vec3<T> {
        self.carrier_to_parent(turn.about_z(v))
    }

    /// The z component of `R v`, 4 × and 2 +.
    #[inline(always)]
    pub(crate) fn to_parent_z<T: Real>(&self, turn: PlanarRotation<T>, v: Vec3<T>) -> T {
        let y = turn.sin.mul_add(v.x, turn.cos * v.y);
        self.alpha.about_x_z(Vec3::new(v.x, y, v.z))
    }

    /// The x and y components of `R v`, 6 × and 3 +; z is left zero.
    #[inline(always)]
    pub(crate) fn to_parent_xy<T: Real>(&self, turn: PlanarRotation<T>, v: Vec3<T>) -> Vec3<T> {
        let turned = turn.about_z(v);
        let v = Vec3::new(turned.x, self.alpha.about_x_y(turned), v.z.zero());
        match self.gamma {
            None => v,
            Some(gamma) => gamma.lift(v.x).about_z(v),
        }
    }

    /// `R S Rᵀ` of a symmetric tensor, 22 × and 19 +.
    #[inline(always)]
    pub(crate) fn tensor_to_parent<T: Real>(&self, turn: PlanarRotation<T>, s: Sym3<T>) -> Sym3<T> {
        let s = self.alpha.about_x_both(turn.about_z_both(s));
        match self.gamma {
            None => s,
            Some(gamma) => gamma.lift(s.xx).about_z_both(s),
        }
    }

    /// The zz entry of `R S Rᵀ`, 11 × and 7 +.
    #[inline(always)]
    pub(crate) fn tensor_to_parent_zz<T: Real>(&self, turn: PlanarRotation<T>, s: Sym3<T>) -> T {
        self.alpha.about_x_and_z_both_zz(turn, s)
    }

    /// The rotation matrix R, 4 ×.
    #[inline(always)]
    pub(crate) fn rotation<T: Real>(&self, turn: PlanarRotation<T>) -> Mat3<T> {
        let PlanarRotation { cos, sin } = self.alpha.turn;
        let (c, s) = (turn.cos, turn.sin);
        let zero = c.zero();
        let rows = [
            Vec3::new(c, -s, zero),
            Vec3::new(s.scale(cos), c.scale(cos), c.constant(-sin)),
            Vec3::new(s.scale(sin), c.scale(sin), c.constant(cos)),
        ];
        match self.gamma {
            None => Mat3::from_rows(rows),
            Some(PlanarRotation { cos, sin }) => Mat3::from_rows([
                rows[0].scale(cos) - rows[1].scale(sin),
                rows[0].scale(sin) + rows[1].scale(cos),
                rows[2],
            ]),
        }
    }
}

impl<T: Real> Offset<T> {
    /// `s × v`.
    #[inline(always)]
    pub(crate) fn cross(self, v: Vec3<T>) -> Vec3<T> {
        match self {
            Self::Fixed(s) => s.cross_moving(v),
            Self::Sliding(s) => s.cross(v),
        }
    }

    /// The z component of `s × v`.
    #[inline(always)]
    pub(crate) fn cross_z(self, v: Vec3<T>) -> T {
        match self {
            Self::Fixed(s) => s.cross_moving_z(v),
            Self::Sliding(s) => s.x.mul_sub(v.y, s.y * v.x),
        }
    }

    /// k times the x component.
    #[inline(always)]
    pub(crate) fn x_times(self, k: T) -> T {
        match self {
            Self::Fixed(s) => k.scale(s.x),
            Self::Sliding(s) => k * s.x,
        }
    }

    /// k times the y component.
    #[inline(always)]
    pub(crate) fn y_times(self, k: T) -> T {
        match self {
            Self::Fixed(s) => k.scale(s.y),
            Self::Sliding(s) => k * s.y,
        }
    }

    /// `A s` of a matrix.
    #[inline(always)]
    pub(crate) fn times(self, matrix: &Mat3<T>) -> Vec3<T> {
        match self {
            Self::Fixed(s) => matrix.times_fixed(s),
            Self::Sliding(s) => *matrix * s,
        }
    }

    /// The vector itself, as numbers of the kind of `like`.
    #[inline(always)]
    pub(crate) fn vector(self, like: T) -> Vec3<T> {
        match self {
            Self::Fixed(s) => s.lift(like),
            Self::Sliding(s) => s,
        }
    }
}
