//! The platform: a body that legs hold, with its wrench, inertia and energy in base axes.

use crate::description::{BodyDescription, PlatformDescription};
use crate::dynamics::regressor::PARAMETERS_PER_BODY;
use crate::real::Real;
use crate::spatial::{Mat3, Pose, Sym3, Vec3, Wrench};

/// The platform and what it carries, in its own frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Platform {
    /// m, kg.
    pub mass: f64,
    /// m c: first moment, kg m.
    pub first_moment: Vec3<f64>,
    /// I_P: inertia about the frame's origin, kg m².
    pub inertia: Sym3<f64>,
    /// Whether it may turn.
    pub turns: bool,
    /// Whether it stands for the robot's output, a frame of another body.
    pub is_output: bool,
}

/// The platform's masses in base axes, at some attitude.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turned<T> {
    mass: f64,
    first_moment: Vec3<T>,
    inertia: Sym3<T>,
}

impl Platform {
    pub(super) fn new(description: &PlatformDescription) -> Self {
        let mut platform = Self {
            mass: 0.0,
            first_moment: Vec3::zero(0.0),
            inertia: Sym3::zero(0.0),
            turns: description.turns,
            is_output: description.is_output,
        };
        platform.load(&description.body);
        platform.load(&description.payload);
        platform
    }

    /// Adds a body that is fixed on the platform, given in the platform's frame.
    pub(super) fn load(&mut self, body: &BodyDescription) {
        self.mass += body.mass;
        self.first_moment = self.first_moment + body.com.scale(body.mass);
        self.inertia = self.inertia + body.inertia + Sym3::of_point_mass(body.mass, body.com);
    }

    /// m, m c and I_P in the order of a [`regressor`](super::regressor)'s columns.
    #[must_use]
    pub fn parameters(&self) -> [f64; PARAMETERS_PER_BODY] {
        let (c, Sym3 { xx, xy, xz, yy, yz, zz }) = (self.first_moment, self.inertia);
        [self.mass, c.x, c.y, c.z, xx, xy, yy, xz, yz, zz]
    }

    /// Takes other ones, whatever they are.
    pub(super) fn put_parameters(&mut self, [mass, x, y, z, xx, xy, yy, xz, yz, zz]: [f64; PARAMETERS_PER_BODY]) {
        self.mass = mass;
        self.first_moment = Vec3::new(x, y, z);
        self.inertia = Sym3 { xx, xy, xz, yy, yz, zz };
    }

    /// The platform and what it carries as one body, in the platform's frame.
    #[must_use]
    pub fn body(&self) -> BodyDescription {
        let per_mass = if self.mass > 0.0 { 1.0 / self.mass } else { 0.0 };
        let com = self.first_moment.scale(per_mass);
        BodyDescription { mass: self.mass, com, inertia: self.inertia - Sym3::of_point_mass(self.mass, com) }
    }

    /// The wrench about the origin, force first, that moves the platform so under gravity, by its twist and the twist's rate.
    #[inline(always)]
    pub(crate) fn needs<T: Real>(&self, attitude: &Mat3<T>, gravity: Vec3<f64>, twist: &[T], rate: &[T]) -> [T; 6] {
        let (&[_, _, _, wx, wy, wz], &[ax, ay, az, ex, ey, ez]) = (twist, rate) else { unreachable!("six components") };
        let dv = Vec3::new(ax, ay, az) - gravity.lift(ax);
        self.turned(attitude).wrench(Vec3::new(wx, wy, wz), dv, Vec3::new(ex, ey, ez)).to_array()
    }

    /// The masses at an attitude.
    #[inline(always)]
    pub(crate) fn turned<T: Real>(&self, attitude: &Mat3<T>) -> Turned<T> {
        Turned {
            mass: self.mass,
            first_moment: attitude.times_fixed(self.first_moment),
            inertia: self.inertia.lift(attitude.rows[0].x).turned_by(attitude),
        }
    }

    /// −m g·c, weight from the base's origin.
    #[inline(always)]
    pub(crate) fn potential<T: Real>(&self, pose: &Pose<T>, gravity: Vec3<f64>) -> T {
        let moment = pose.position.scale(self.mass) + pose.rotation.times_fixed(self.first_moment);
        -gravity.lift(pose.position.x).dot(moment)
    }
}

impl<T: Real> Turned<T> {
    /// The wrench about the origin that moves the platform so  [BriotKhalil, eqs 10 and 11; `dv` is v̇ − g].
    ///
    /// ```text
    /// f = m (v̇ − g) + ω̇ × s + ω × (ω × s)        s = m R c
    /// n = s × (v̇ − g) + I_P ω̇ + ω × I_P ω
    /// ```
    #[inline(always)]
    fn wrench(&self, omega: Vec3<T>, dv: Vec3<T>, domega: Vec3<T>) -> Wrench<T> {
        let s = self.first_moment;
        Wrench {
            force: dv.scale(self.mass) + domega.cross(s) + omega.cross(omega.cross(s)),
            moment: s.cross(dv) + self.inertia * domega + omega.cross(self.inertia * omega),
        }
    }

    /// Adds the 6 × 6 inertia, row by row, of linear velocity and then angular velocity.
    ///
    /// ```text
    /// ⎡ m 1  −ŝ  ⎤
    /// ⎣ ŝ     I_P ⎦
    /// ```
    #[inline(always)]
    pub(crate) fn add_inertia(&self, matrix: &mut [T], stride: usize) {
        let skew = Mat3::skew(self.first_moment);
        let inertia = self.inertia.full();
        for i in 0..3 {
            let (skew, inertia) = (skew.rows[i].to_array(), inertia.rows[i].to_array());
            let own = i * stride + i;
            matrix[own] = matrix[own] + inertia[0].constant(self.mass);
            for k in 0..3 {
                let (above, below) = (i * stride + k, (3 + i) * stride + k);
                matrix[above + 3] = matrix[above + 3] - skew[k];
                matrix[below] = matrix[below] + skew[k];
                matrix[below + 3] = matrix[below + 3] + inertia[k];
            }
        }
    }

    /// Adds a 6 × 6 matrix C with C V = the wrench at V̇ = 0 without gravity, and Ṁ − 2 C skew-symmetric.
    ///
    /// ```text
    /// ⎡ 0  −(ω × s)^ ⎤
    /// ⎣ 0   ω̂ I_P    ⎦
    /// ```
    #[inline(always)]
    pub(crate) fn add_coriolis(&self, omega: Vec3<T>, matrix: &mut [T], stride: usize) {
        let force = Mat3::skew(omega.cross(self.first_moment));
        let moment = Mat3::skew(omega) * self.inertia.full();
        for i in 0..3 {
            let (force, moment) = (force.rows[i].to_array(), moment.rows[i].to_array());
            for k in 0..3 {
                let (linear, angular) = (i * stride + 3 + k, (3 + i) * stride + 3 + k);
                matrix[linear] = matrix[linear] - force[k];
                matrix[angular] = matrix[angular] + moment[k];
            }
        }
    }

    /// ½ m v·v + v·(ω × s) + ½ ω·I_P ω.
    #[inline(always)]
    pub(crate) fn kinetic(&self, velocity: Vec3<T>, omega: Vec3<T>) -> T {
        let linear = velocity.scale(0.5 * self.mass) + omega.cross(self.first_moment);
        velocity.dot(linear) + omega.dot(self.inertia * omega).scale(0.5)
    }
}
