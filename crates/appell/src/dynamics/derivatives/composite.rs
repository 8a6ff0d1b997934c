//! Bodies, and bodies composed of them, as all of space sees them: in base axes, about the base's origin.
//!
//! About one fixed origin the bodies of a composite simply add up, and a wrench does work on any joint's motion without
//! being carried there.
//!
//! | symbol | meaning | unit |
//! |---|---|---|
//! | (ω, u) | motion: turning, and velocity of the point that passes the base's origin | rad/s, m/s |
//! | (n, f) | wrench: moment about the base's origin, force | N m, N |
//! | m, c, J | mass, first moment, inertia about the base's origin | kg, kg m, kg m² |
//! | p | linear momentum, ċ | kg m/s |
//! | A, E | ∫ ẋ xᵀ dm, and tr(A) 1 − A | kg m²/s |

use crate::mechanism::Link;
use crate::real::Real;
use crate::spatial::{Mat3, Sym3, Vec3, Wrench};

/// A velocity, a spatial acceleration, or the axis of a joint.
#[derive(Debug, Clone, Copy)]
pub(super) struct Motion<T> {
    pub(super) angular: Vec3<T>,
    pub(super) linear: Vec3<T>,
}

/// Where a body is and how it moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct State<T> {
    pub(super) rotation: Mat3<T>, // base_from_body
    pub(super) position: Vec3<T>, // of the body's origin
    pub(super) v: Motion<T>,      // velocity
    pub(super) a: Motion<T>,      // acceleration, minus gravity
}

/// A body, or several that move each by its own velocity. The mass of a composite is not part of the state: its link has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Composite<T> {
    first_moment: Vec3<T>,      // c
    inertia: Sym3<T>,           // J
    momentum: Vec3<T>,          // p
    half_rate: Mat3<T>,         // E, with J̇ = E + Eᵀ
    pub(super) load: Wrench<T>, // what the motion needs, about the base's origin
}

impl<T: Real> Motion<T> {
    #[inline(always)]
    pub(super) fn zero(like: T) -> Self {
        Self { angular: Vec3::zero(like), linear: Vec3::zero(like) }
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        Self { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }

    /// `k · self + other`.
    #[inline(always)]
    pub(super) fn times_add(self, k: T, other: Self) -> Self {
        let (angular, linear) = (self.angular.times_add(k, other.angular), self.linear.times_add(k, other.linear));
        Self { angular, linear }
    }

    /// The rate of a motion that `self` carries along: (ω × ω', ω × u' + u × ω').
    #[inline(always)]
    pub(super) fn cross(self, other: Self) -> Self {
        let linear = self.angular.cross_add(other.linear, self.linear.cross(other.angular));
        Self { angular: self.angular.cross(other.angular), linear }
    }

    /// The rate of a wrench that it carries along, and another: (ω × n + u × f, ω × f) + `other`.
    #[inline(always)]
    pub(super) fn carry_add(self, load: Wrench<T>, other: Wrench<T>) -> Wrench<T> {
        let Self { angular, linear } = self;
        Wrench {
            moment: angular.cross_add(load.moment, linear.cross_add(load.force, other.moment)),
            force: angular.cross_add(load.force, other.force),
        }
    }

    /// The power of a wrench.
    #[inline(always)]
    pub(super) fn dot(self, load: Wrench<T>) -> T {
        self.angular.dot_add(load.moment, self.linear.dot(load.force))
    }
}

impl<T: Real> Composite<T> {
    #[inline(always)]
    pub(super) fn zero(like: T) -> Self {
        let zero = Vec3::zero(like);
        Self {
            first_moment: zero,
            inertia: Sym3::zero(like),
            momentum: zero,
            half_rate: Mat3::zero(like),
            load: Wrench::zero(like),
        }
    }

    /// A body of the robot.
    ///
    /// ```text
    /// r = position + R com     c = m r     p = m (u + ω × r)     Σ = R Σ_c Rᵀ      Σ_c: Euler's tensor, ∫ x xᵀ dm about the com
    /// J = tr(Σ + c rᵀ) 1 − (Σ + c rᵀ)      A = ω~ Σ + p rᵀ
    /// n = J ω̇ + c × u̇ + E ω                f = m u̇ + ω̇ × c + ω × p
    /// ```
    #[inline(always)]
    pub(super) fn set_body(&mut self, link: &Link, at: &State<T>) {
        let State { rotation, position, v, a } = at;
        let (omega, r) = (v.angular, *position + rotation.times_fixed(link.com));
        let c = r.scale(link.mass);
        let p = omega.cross_add(r, v.linear).scale(link.mass);
        let spread = turned(&link.euler, rotation);
        // The columns of A.
        let [x, y, z] = spread.full().rows;
        let (x, y, z) = (omega.cross(x), omega.cross(y), omega.cross(z));
        let (x, y, z) = (p.times_add(r.x, x), p.times_add(r.y, y), p.times_add(r.z, z));
        let half_rate = Mat3::from_rows([
            Vec3::new(y.y + z.z, -y.x, -z.x),
            Vec3::new(-x.y, x.x + z.z, -z.y),
            Vec3::new(-x.z, -y.z, x.x + y.y),
        ]);
        let (xx, yy, zz) = (r.x.mul_add(c.x, spread.xx), r.y.mul_add(c.y, spread.yy), r.z.mul_add(c.z, spread.zz));
        let inertia = Sym3 {
            xx: yy + zz,
            xy: -r.x.mul_add(c.y, spread.xy),
            xz: -r.x.mul_add(c.z, spread.xz),
            yy: xx + zz,
            yz: -r.y.mul_add(c.z, spread.yz),
            zz: xx + yy,
        };
        let load = Wrench {
            moment: inertia * a.angular + c.cross_add(a.linear, half_rate * omega),
            force: a.angular.cross_add(c, omega.cross_add(p, a.linear.scale(link.mass))),
        };
        *self = Self { first_moment: c, inertia, momentum: p, half_rate, load };
    }

    /// Takes in another one.
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        self.first_moment = self.first_moment + other.first_moment;
        self.inertia = self.inertia + other.inertia;
        self.momentum = self.momentum + other.momentum;
        self.half_rate = self.half_rate + other.half_rate;
        self.load = self.load + other.load;
    }

    /// I times a motion: (J ω + c × u, m u + ω × c).
    #[inline(always)]
    pub(super) fn inertia_times(&self, mass: f64, motion: Motion<T>) -> Wrench<T> {
        let Motion { angular, linear } = motion;
        Wrench {
            moment: self.first_moment.cross_add(linear, self.inertia * angular),
            force: angular.cross_add(self.first_moment, linear.scale(mass)),
        }
    }

    /// B times a motion, of which only the turning matters, and another wrench: (E ω, ω × p) + `other`.
    #[inline(always)]
    pub(super) fn coriolis_times_add(&self, omega: Vec3<T>, other: Wrench<T>) -> Wrench<T> {
        Wrench { moment: self.half_rate * omega + other.moment, force: omega.cross_add(self.momentum, other.force) }
    }

    /// Bᵀ times a motion: Eᵀ ω + p × u, and no force.
    #[inline(always)]
    pub(super) fn coriolis_transposed_times(&self, motion: Motion<T>) -> Vec3<T> {
        self.momentum.cross_add(motion.linear, self.half_rate.transpose_times(motion.angular))
    }
}

/// R S Rᵀ of a fixed tensor. Less Szz 1, which no turn changes, it is u xᵀ + x uᵀ + w yᵀ + y wᵀ: fewer products than of two
/// matrices, 36 × and 24 +.
///
/// ```text
/// u = ½ (Sxx − Szz) x + Sxy y + Sxz z      w = ½ (Syy − Szz) y + Syz z      x, y, z: the columns of R
/// ```
#[inline(always)]
fn turned<T: Real>(s: &Sym3<f64>, rotation: &Mat3<T>) -> Sym3<T> {
    let (x, y, z) = (rotation.column(0), rotation.column(1), rotation.column(2));
    let u = x.scale_add(0.5 * (s.xx - s.zz), y.scale_add(s.xy, z.scale(s.xz)));
    let w = y.scale_add(0.5 * (s.yy - s.zz), z.scale(s.yz));
    Sym3 {
        xx: on_diagonal(u.x, x.x, w.x, y.x, s.zz),
        xy: u.x.mul_add(x.y, u.y.mul_add(x.x, w.x.mul_add(y.y, w.y * y.x))),
        xz: u.x.mul_add(x.z, u.z.mul_add(x.x, w.x.mul_add(y.z, w.z * y.x))),
        yy: on_diagonal(u.y, x.y, w.y, y.y, s.zz),
        yz: u.y.mul_add(x.z, u.z.mul_add(x.y, w.y.mul_add(y.z, w.z * y.y))),
        zz: on_diagonal(u.z, x.z, w.z, y.z, s.zz),
    }
}

/// 2 (u x + w y) + k.
#[inline(always)]
fn on_diagonal<T: Real>(u: T, x: T, w: T, y: T, k: f64) -> T {
    u.mul_add(x, w * y).scale_add(2.0, u.constant(k))
}
