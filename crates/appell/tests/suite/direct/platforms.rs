//! Parallel robots of random geometry, described as a user would.

use appell::closed::ClosedMechanism;
use appell::sample::Sampler;
use appell::spatial::{Pose, Vec3};
use core::fmt::Write;

/// Points of base and platform, each in its own frame, and where the platform is at home.
pub(super) struct Platform {
    pub(super) base: Vec<Vec3>,
    pub(super) points: Vec<Vec3>,
    pub(super) home: Pose,
}

impl Platform {
    /// A platform on six legs between random points.
    pub(super) fn random(sampler: &mut Sampler) -> Self {
        let mut points = || (0..6).map(|_| sampler.vector(1.0)).collect::<Vec<_>>();
        let (base, points) = (points(), points());
        let home = Pose { rotation: sampler.rotation(), position: sampler.vector(1.0) + Vec3::new(0.0, 0.0, 1.0) };
        Self { base, points, home }
    }

    /// The lengths of the legs at a pose.
    pub(super) fn lengths(&self, pose: &Pose) -> Vec<f64> {
        self.base.iter().zip(&self.points).map(|(b, a)| (pose.point(*a) - *b).norm()).collect()
    }

    /// The 6-UPS robot with these points.
    pub(super) fn ups(&self) -> ClosedMechanism {
        let rpy = self.home.rotation.to_roll_pitch_yaw().to_array();
        let mut text = format!(
            r#"
name = "platform"
frames = "modified-dh"

[platform]
mass = 1.0
com = [0.0, 0.0, 0.0]
inertia = {{ xx = 0.1, yy = 0.1, zz = 0.1 }}
home = {{ xyz = {:?}, rpy = {rpy:?} }}

[chain.ups]
joints = [
  ["u1",    "revolute",  "0",       0.0, "q + 180 deg", 0.0],
  ["u2",    "revolute",  "90 deg",  0.0, "q + 90 deg",  0.0],
  ["slide", "prismatic", "90 deg",  0.0, "0",           "q"],
]
driven = ["slide"]
closing = "spherical"
joint.slide.branch = "+"
body = {{ u1.mass = 0, u2.mass = 0, slide.mass = 0 }}
"#,
            self.home.position.to_array()
        );
        for (k, (b, a)) in self.base.iter().zip(&self.points).enumerate() {
            writeln!(
                text,
                "[leg.leg{}]\nbase = {{ xyz = {:?}, rpy = [0.0, \"90 deg\", 0.0] }}\nplatform = {{ xyz = {:?} }}",
                k + 1,
                b.to_array(),
                a.to_array()
            )
            .expect("text");
        }
        ClosedMechanism::from_toml(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }
}
