//! The parameters of the star-triangle robot, and the robot as a description for the general methods.

use crate::PivotedBody;
use crate::general::about_point;
use appell::description::{
    Attachment, Branch, Carrier, ClosingJoint, ClosureDescription, Description, Freedom, JointDescription, JointKind,
    KhalilKleinfinger, PlatformDescription,
};
use appell::spatial::{Mat3, PlanarRotation, Pose, Sym3, Vec3};
use core::f64::consts::FRAC_PI_2;

/// The robot: a base triangle, a star, three motors' links and three passive ones, gravity.
#[derive(Debug, Clone, PartialEq)]
pub struct StarTriangle {
    /// v_k: corners of the base's triangle, of length one, in base axes.
    pub corners: [Vec3<f64>; 3],
    /// α_k: angles between the star's arcs, rad. α₂ and α₃ count: the three sum to 2π.
    pub star_angles: [f64; 3],
    /// The star, z along s and y along t₁.
    pub star: PivotedBody,
    /// The links of the motors, in {1k}.
    pub motors: [PivotedBody; 3],
    /// The passive links, in {2k}.
    pub passive: [PivotedBody; 3],
    /// Acceleration of gravity in base axes, m/s².
    pub gravity: Vec3<f64>,
}

/// Why the closed form has no answer. Legs count from one.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum StarError {
    #[error("leg {leg} is at a singularity of Type 1, its arc along its side of the triangle: c = {c:.1e}")]
    SingularLeg { leg: usize, c: f64 },
    #[error(
        "the motors cannot hold the star here, a singularity of Type 2: the determinant of their Jacobian, columns of length one, is {determinant:.1e}"
    )]
    SingularDrives { determinant: f64 },
    #[error("the inertia matrix is singular: its determinant, columns of length one, is {determinant:.1e}")]
    SingularInertia { determinant: f64 },
}

impl StarTriangle {
    /// The robot of §7.1, with all axes of the base as corners and arcs 120° apart.
    ///
    /// The paper prints no centres of mass and leaves gravity out. Ours: gravity along −(1, 1, 1), centres of mass at
    /// 216 mm along s, (15, 0, 2) mm in {1k} and (280, 0, 0) mm in {2k}, which the printed inertias about the point
    /// allow. The printed inertia of the motor's link is that of no body, but zz alone acts.
    #[must_use]
    pub fn paper() -> Self {
        let diagonal = |xx: f64, yy: f64, zz: f64| Sym3 { xx, yy, zz, ..Sym3::default() };
        let motor = Sym3 { xz: -0.0001, ..diagonal(0.0001, 0.0008, 0.008) };
        let down = -9.81 / 3.0_f64.sqrt();
        Self {
            corners: [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0)],
            star_angles: [120.0_f64.to_radians(); 3],
            star: PivotedBody::new(2.6, Vec3::new(0.0, 0.0, 0.216), diagonal(0.224, 0.224, 0.15)),
            motors: [PivotedBody::new(3.0, Vec3::new(0.015, 0.0, 0.002), motor); 3],
            passive: [PivotedBody::new(0.06, Vec3::new(0.28, 0.0, 0.0), diagonal(0.00001, 0.005, 0.005)); 3],
            gravity: Vec3::new(down, down, down),
        }
    }

    /// The same robot under another gravity; the paper has none.
    #[must_use]
    pub fn with_gravity(mut self, gravity: Vec3<f64>) -> Self {
        self.gravity = gravity;
        self
    }

    /// base_from_0k: x along v_k, z along w_k  (eqs 1, 43).
    #[must_use]
    pub fn side(&self, k: usize) -> Mat3<f64> {
        let (v, across) = (self.corners[k], self.corners[k].cross(self.corners[(k + 1) % 3]));
        let w = across.scale(1.0 / across.norm());
        Mat3::from_rows([v, w.cross(v), w]).transpose()
    }

    /// The turn about the star's z that leads from arc 1 to arc k, rad: 0, α₃ and −α₂  (eqs 9 to 11).
    #[must_use]
    pub fn arc_angle(&self, k: usize) -> f64 {
        [0.0, self.star_angles[2], -self.star_angles[1]][k]
    }

    /// The same robot for the general methods: legs `leg1` to `leg3` of joints `gamma` and `mu`, and the star as the
    /// platform, at home at this attitude.
    #[must_use]
    pub fn description(&self, home: Mat3<f64>) -> Description {
        let mut robot = Description {
            name: "spherical star-triangle robot".into(),
            gravity: self.gravity,
            platform: Some(PlatformDescription {
                body: self.star.body(),
                home: about_point(home),
                freedoms: Some(vec![Freedom::Wx, Freedom::Wy, Freedom::Wz]),
                ..PlatformDescription::default()
            }),
            ..Description::default()
        };
        // The passive joint turns about −x of {1k}: Rx(−μ) = A Rz(μ) Aᵀ with A z = −x.
        let about = PlanarRotation::exact(-FRAC_PI_2).matrix_y();
        for (k, placed) in self.placed(&home).iter().enumerate() {
            let [first, second] = ["gamma", "mu"].map(|name| format!("leg{}.{name}", k + 1));
            robot.joints.push(JointDescription {
                placement: KhalilKleinfinger::from_pose(&about_point(self.side(k))),
                home: placed.gamma,
                body: self.motors[k].body(),
                ..JointDescription::new(&first, JointKind::Revolute)
            });
            robot.joints.push(JointDescription {
                parent: Some(first),
                placement: KhalilKleinfinger::from_pose(&about_point(about)),
                driven: false,
                home: placed.mu,
                branch: if placed.mu > 0.0 { Branch::Positive } else { Branch::Negative },
                link_frame: about_point(about.transpose()),
                body: self.passive[k].body(),
                ..JointDescription::new(&second, JointKind::Revolute)
            });
            let arc =
                PlanarRotation::exact(self.arc_angle(k)).matrix_z() * PlanarRotation::exact(-FRAC_PI_2).matrix_x();
            robot.closures.push(ClosureDescription {
                name: format!("leg{}.end", k + 1),
                kind: ClosingJoint::Revolute,
                first: Attachment { on: Carrier::Joint(second), pose: Pose::identity(0.0) },
                second: Attachment { on: Carrier::Platform, pose: about_point(arc) },
            });
        }
        robot
    }
}
