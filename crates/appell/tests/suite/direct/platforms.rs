//! Parallel robots of random geometry, described as a user would.

use appell::closed::ClosedMechanism;
use appell::sample::Sampler;
use appell::spatial::{Pose, Vec3};
use core::fmt::Write;

/// Points of base and platform, each in its own frame, and where the platform is at home.
#[derive(Clone)]
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

    /// One whose legs meet in pairs on the platform, the base in a plane where it is `flat`.
    pub(super) fn paired(sampler: &mut Sampler, flat: bool) -> Self {
        let mut platform = Self::random(sampler);
        for k in 0..3 {
            platform.points[k + 3] = platform.points[k];
        }
        for point in platform.base.iter_mut().filter(|_| flat) {
            point.z = 0.0;
        }
        platform
    }

    /// Base and platform exchanged.
    pub(super) fn inverse(self) -> Self {
        Self { base: self.points, points: self.base, home: self.home.inverse() }
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

/// Three legs of a planar robot: where they stand, what they are made of, and where they hold the platform.
pub(super) struct PlanarRobot {
    pub(super) kind: &'static str,
    pub(super) base: [[f64; 2]; 3],
    pub(super) points: [[f64; 2]; 3],
    pub(super) links: [[f64; 2]; 3],
}

impl PlanarRobot {
    /// A robot of random lengths: `rrr`, `rpr` or `prr`, whose driven joints come first or, in `rpr`, second.
    pub(super) fn random(sampler: &mut Sampler, kind: &'static str) -> Self {
        let corners = [[-1.0, -0.6], [1.0, -0.6], [0.0, 1.1]];
        let mut near = |x: f64, limit: f64| x + sampler.within(limit);
        let base = corners.map(|[x, y]| [near(x, 0.2), near(y, 0.2)]);
        let points = corners.map(|[x, y]| [near(0.5 * x, 0.1), near(0.5 * y, 0.1)]);
        let links = [(); 3].map(|()| [near(0.8, 0.2), near(0.8, 0.2)]);
        Self { kind, base, points, links }
    }

    /// The robot.
    pub(super) fn closed(&self) -> ClosedMechanism {
        let mut text = String::from(
            "name = 'planar'\nframes = 'modified-dh'\n[platform]\nmass = 1.0\ncom = [0.0, 0.0, 0.0]\n\
             inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }\nfreedoms = ['vx', 'vy', 'wz']\n",
        );
        for k in 0..3 {
            let ([x, y], [px, py], [upper, lower]) = (self.base[k], self.points[k], self.links[k]);
            let (rows, driven, end) = match self.kind {
                "rrr" => (
                    format!("['one', 'revolute', '0', 0, 'q', 0], ['two', 'revolute', '0', {upper}, 'q', 0]"),
                    "one",
                    lower,
                ),
                // The slide is along x of the first body.
                "rpr" => (
                    "['one', 'revolute', '0', 0, 'q + 90 deg', 0], ['two', 'prismatic', '90 deg', 0, '0', 'q']".into(),
                    "two",
                    0.0,
                ),
                _ => (
                    "['one', 'prismatic', '0', 0, '0', 'q'], ['two', 'revolute', '-90 deg', 0, 'q', 0]".into(),
                    "one",
                    lower + upper,
                ),
            };
            // Frames of a slide have their z along it: the closing joint's is across the plane.
            let (base, closing) = match self.kind {
                "rrr" => (format!("{{ xyz = [{x}, {y}, 0] }}"), format!("{{ xyz = [{end}, 0, 0] }}")),
                "rpr" => (format!("{{ xyz = [{x}, {y}, 0] }}"), "{ rpy = ['-90 deg', 0, 0] }".into()),
                _ => {
                    (format!("{{ xyz = [{x}, {y}, 0], rpy = ['90 deg', 0, 0] }}"), format!("{{ xyz = [{end}, 0, 0] }}"))
                }
            };
            writeln!(
                text,
                "[chain.c{k}]\njoints = [{rows}]\ndriven = ['{driven}']\nclosing = 'revolute'\nend = {closing}\n\
                 body = {{ one.mass = 0, two.mass = 0 }}\n[leg.leg{k}]\nchain = 'c{k}'\nbase = {base}\n\
                 platform = {{ xyz = [{px}, {py}, 0] }}"
            )
            .expect("text");
        }
        ClosedMechanism::from_toml(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }
}
