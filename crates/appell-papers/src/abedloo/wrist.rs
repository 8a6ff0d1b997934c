//! The parameters of the wrist, and the robot as a description for the general methods.

use crate::PivotedBody;
use crate::general::about_point;
use appell::description::{
    Arc, Attachment, Branch, Carrier, ClosingJoint, ClosureDescription, Description, Freedom, JointDescription,
    JointKind, KhalilKleinfinger, PlatformDescription, STANDARD_GRAVITY,
};
use appell::spatial::{EulerAngles, EulerSingularity, Mat3, PlanarRotation, Sym3, Vec3};
use core::f64::consts::PI;

/// The wrist: three legs, a platform, gravity.
#[derive(Debug, Clone, PartialEq)]
pub struct AgileWrist {
    /// The legs.
    pub legs: [Leg; 3],
    /// The platform, in its own axes.
    pub platform: PivotedBody,
    /// Acceleration of gravity in base axes, m/s².
    pub gravity: Vec3<f64>,
}

/// A leg by its angles, rad, its links and its working mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leg {
    /// α₁, from u to w: angular length of the first link.
    pub alpha1: f64,
    /// α₂, from w to v: angular length of the second link.
    pub alpha2: f64,
    /// β, from the platform's z to v.
    pub beta: f64,
    /// γ, from the base's −z to u.
    pub gamma: f64,
    /// λ, of u about the base's z.
    pub lambda: f64,
    /// η, of v about the platform's z.
    pub eta: f64,
    /// The first link in the frame R_i1, with z along u, and the second in R_i1 R_i2, with z along w  (eq. 27).
    pub links: [PivotedBody; 2],
    /// Which of both ways to reach a pose.
    pub mode: Mode,
}

/// The sign in eq. 34, and of h.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// h > 0; with 0 < α < π this is ψ < 0.
    Plus,
    /// h < 0.
    Minus,
}

impl Mode {
    /// All eight modes of three legs.
    pub const ALL: [[Self; 3]; 8] = {
        use Mode::{Minus as M, Plus as P};
        [[P, P, P], [P, P, M], [P, M, P], [P, M, M], [M, P, P], [M, P, M], [M, M, P], [M, M, M]]
    };

    /// ±1.
    #[must_use]
    pub const fn sign(self) -> f64 {
        match self {
            Self::Plus => 1.0,
            Self::Minus => -1.0,
        }
    }
}

/// Why the closed form has no answer. Legs count from one.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum WristError {
    #[error("leg {leg} does not reach this attitude: a² + b² − c² = {discriminant:.3e} is negative")]
    OutOfReach { leg: usize, discriminant: f64 },
    #[error("leg {leg} is stretched or folded, a singularity of Type 1: h = {h:.1e}")]
    SingularLeg { leg: usize, h: f64 },
    #[error(transparent)]
    Angles(#[from] EulerSingularity),
    #[error(
        "the drives cannot hold the wrist here, a singularity of Type 2: the determinant of J_act, columns of length one, is {determinant:.1e}"
    )]
    SingularDrives { determinant: f64 },
    #[error("the inertia matrix is singular: its determinant, columns of length one, is {determinant:.1e}")]
    SingularInertia { determinant: f64 },
}

impl AgileWrist {
    /// The radius of the links that we take where the paper prints none, m.
    pub const RADIUS: f64 = 0.1;

    /// The wrist of §IV with links of a radius: arcs of 80° and 70° with 1.378 kg/m, a platform of 1.351 kg.
    ///
    /// The paper prints neither the radius nor the platform's centre of mass, taken at 50 mm along its z: the printed
    /// inertia, taken about the centre, allows 51.65 mm at most.
    #[must_use]
    pub fn paper(radius: f64) -> Self {
        let [alpha1, alpha2] = [80.0_f64, 70.0].map(f64::to_radians);
        let links =
            [alpha1, alpha2].map(|angle| Arc { radius, line_density: 1.378, angle, thickness: 0.0 }.body().into());
        let third = 3.0_f64.sqrt() / 3.0;
        let leg = |k: usize| {
            let around = (120.0 * k as f64).to_radians();
            Leg {
                alpha1,
                alpha2,
                beta: third.asin(),
                gamma: third.acos(),
                lambda: around,
                eta: around,
                links,
                mode: Mode::Plus,
            }
        };
        let inertia = Sym3 { xx: 38.29e-4, yy: 38.29e-4, zz: 4.5e-4, ..Sym3::default() };
        Self {
            legs: [0, 1, 2].map(leg),
            platform: PivotedBody::new(1.351, Vec3::new(0.0, 0.0, 0.05), inertia),
            gravity: STANDARD_GRAVITY,
        }
    }

    /// The same wrist in other working modes.
    #[must_use]
    pub fn in_modes(mut self, modes: [Mode; 3]) -> Self {
        self.legs.iter_mut().zip(modes).for_each(|(leg, mode)| leg.mode = mode);
        self
    }

    /// The same wrist with the platform's centre of mass in the point, its inertia about the point unchanged.
    #[must_use]
    pub fn balanced(mut self) -> Self {
        self.platform.first_moment = Vec3::zero(0.0);
        self
    }

    /// The same robot for the general methods: legs `leg1` to `leg3` of joints `theta` and `psi`, and a platform, at
    /// home at these Euler angles.
    ///
    /// # Errors
    /// If a leg does not reach home.
    pub fn description(&self, home: [f64; 3]) -> Result<Description, WristError> {
        let placed = self.placed(home)?;
        let mut robot = Description {
            name: "Agile Wrist".into(),
            gravity: self.gravity,
            platform: Some(PlatformDescription {
                body: self.platform.body(),
                home: about_point(EulerAngles::Zyx.rotation(home)),
                freedoms: Some(vec![Freedom::Wx, Freedom::Wy, Freedom::Wz]),
                ..PlatformDescription::default()
            }),
            ..Description::default()
        };
        for (k, (leg, placed)) in self.legs.iter().zip(&placed).enumerate() {
            let [first, second] = ["theta", "psi"].map(|name| format!("leg{}.{name}", k + 1));
            robot.joints.push(JointDescription {
                placement: KhalilKleinfinger {
                    gamma: leg.lambda,
                    alpha: leg.gamma - PI,
                    ..KhalilKleinfinger::default()
                },
                home: placed.theta,
                body: leg.links[0].body(),
                ..JointDescription::new(&first, JointKind::Revolute)
            });
            robot.joints.push(JointDescription {
                parent: Some(first),
                placement: KhalilKleinfinger { alpha: leg.alpha1, ..KhalilKleinfinger::default() },
                driven: false,
                home: placed.psi,
                branch: if placed.psi > 0.0 { Branch::Positive } else { Branch::Negative },
                body: leg.links[1].body(),
                ..JointDescription::new(&second, JointKind::Revolute)
            });
            let end = about_point(PlanarRotation::exact(leg.alpha2).matrix_x());
            robot.closures.push(ClosureDescription {
                name: format!("leg{}.end", k + 1),
                kind: ClosingJoint::Revolute,
                first: Attachment { on: Carrier::Joint(second), pose: end },
                second: Attachment { on: Carrier::Platform, pose: about_point(leg.platform_rotation()) },
            });
        }
        Ok(robot)
    }
}

impl Leg {
    /// Rz(λ) Rx(γ − π), whose z is u.
    #[must_use]
    pub fn base_rotation(&self) -> Mat3<f64> {
        PlanarRotation::exact(self.lambda).matrix_z() * PlanarRotation::exact(self.gamma - PI).matrix_x()
    }

    /// Rz(η) Rx(−β), whose z is v in the platform's axes  (eq. 28).
    #[must_use]
    pub fn platform_rotation(&self) -> Mat3<f64> {
        PlanarRotation::exact(self.eta).matrix_z() * PlanarRotation::exact(-self.beta).matrix_x()
    }
}
