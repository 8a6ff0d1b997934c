//! Seeded random robots and states, for referees: tests, benchmarks and the program's `agreement`.
//!
//! The same seed gives the same robot on every machine. Bodies are physically consistent, because each is made of
//! six point masses.

use crate::description::{
    BodyDescription, Convention, Description, Friction, JointDescription, JointEffects, JointKind, KhalilKleinfinger,
    Rotor, Spring,
};
use crate::mechanism::Mechanism;
use crate::spatial::{Mat3, Pose, Sym3, Turn, Vec3};

/// A small random generator, SplitMix64: enough for test data, and without a dependency.
#[derive(Debug, Clone)]
pub struct Sampler {
    state: u64,
}

/// How the bodies of a random robot hang together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A chain with γ = b = 0: a modified Denavit-Hartenberg table.
    Chain,
    /// A tree with general γ and b.
    Tree,
    /// A tree on a body that moves freely: its first six joints slide along x, y, z and turn about z, y, x.
    Floating,
}

/// A random state: positions, velocities, accelerations and forces of all joints.
#[derive(Debug, Clone, PartialEq)]
pub struct RandomState {
    /// In ±π rad, or ±0.5 m for a prismatic joint.
    pub q: Vec<f64>,
    /// In ±2 rad/s, or ±1 m/s.
    pub v: Vec<f64>,
    /// In ±4 rad/s², or ±2 m/s².
    pub a: Vec<f64>,
    /// In ±20 N m or N.
    pub tau: Vec<f64>,
}

impl Sampler {
    /// A generator that starts from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in ±`limit`.
    pub fn within(&mut self, limit: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        limit * (2.0 * unit - 1.0)
    }

    /// A robot of `n` joints, a quarter of them prismatic, with gravity in z.
    ///
    /// # Panics
    /// If `n` is zero, or below six for a floating one.
    #[must_use]
    pub fn robot(&mut self, n: usize, shape: Shape) -> Mechanism {
        Mechanism::new(&self.description(n, shape)).expect("a random robot is valid by construction")
    }

    /// The description of a robot of `n` joints, a quarter of them prismatic, with gravity in z.
    #[must_use]
    pub fn description(&mut self, n: usize, shape: Shape) -> Description {
        let free = if shape == Shape::Floating { self.free_body() } else { Vec::new() };
        let first = free.len();
        let hanging: Vec<JointDescription> = (first..n)
            .map(|j| {
                let kind = if self.bits().is_multiple_of(4) { JointKind::Prismatic } else { JointKind::Revolute };
                let parent = match shape {
                    Shape::Chain => j.checked_sub(1),
                    Shape::Tree if j == 0 => None,
                    Shape::Tree => (self.bits() as usize % (j + 1)).checked_sub(1),
                    Shape::Floating => Some(first - 1 + self.bits() as usize % (j + 1 - first)),
                };
                let (gamma, b) = match shape {
                    Shape::Chain => (0.0, 0.0),
                    Shape::Tree | Shape::Floating => (self.within(3.0), self.within(0.2)),
                };
                JointDescription {
                    parent: parent.map(|p| format!("joint{}", p + 1)),
                    placement: KhalilKleinfinger {
                        gamma,
                        b,
                        e: 0.0,
                        alpha: self.within(3.0),
                        d: self.within(0.3),
                        theta: self.within(3.0),
                        r: self.within(0.3),
                    },
                    body: self.body(),
                    ..JointDescription::new(format!("joint{}", j + 1), kind)
                }
            })
            .collect();
        let joints = free.into_iter().chain(hanging).collect();
        let convention = match shape {
            Shape::Chain => Convention::ModifiedDh,
            Shape::Tree | Shape::Floating => Convention::KhalilKleinfinger,
        };
        Description { name: format!("random {n}"), joints, convention, ..Description::default() }
    }

    /// Six joints that let their last body move freely.
    fn free_body(&mut self) -> Vec<JointDescription> {
        use JointKind::{Prismatic, Revolute};
        let quarter = core::f64::consts::FRAC_PI_2;
        let [x, y, z] = [Turn::exact(quarter).matrix_y(), Turn::exact(-quarter).matrix_x(), Mat3::identity(0.0)];
        let axes = [(Prismatic, x), (Prismatic, y), (Prismatic, z), (Revolute, z), (Revolute, y), (Revolute, x)];
        let mut before = Mat3::identity(0.0);
        let mut joints: Vec<JointDescription> = Vec::new();
        for (j, (kind, frame)) in axes.into_iter().enumerate() {
            let pose = Pose { rotation: before.transpose() * frame, position: Vec3::zero(0.0) };
            joints.push(JointDescription {
                parent: (j > 0).then(|| format!("joint{j}")),
                placement: KhalilKleinfinger::from_pose(&pose),
                ..JointDescription::new(format!("joint{}", j + 1), kind)
            });
            before = frame;
        }
        joints[5].body = self.body();
        joints
    }

    /// Six point masses of 0.1 to 1 kg within 0.3 m of the origin.
    fn body(&mut self) -> BodyDescription {
        let points: [(f64, Vec3<f64>); 6] = core::array::from_fn(|_| {
            let mass = 0.55 + self.within(0.45);
            (mass, Vec3::new(self.within(0.3), self.within(0.3), self.within(0.3)))
        });
        let mass: f64 = points.iter().map(|(m, _)| m).sum();
        let com = points.iter().fold(Vec3::zero(0.0), |sum, (m, p)| sum + p.scale(m / mass));
        let inertia = points.iter().fold(Sym3::zero(0.0), |sum, (m, p)| sum + Sym3::of_point_mass(*m, *p - com));
        BodyDescription { mass, com, inertia }
    }

    /// The same robot with random friction, rotors and springs in its joints.
    #[must_use]
    pub fn with_effects(&mut self, robot: &Mechanism) -> Mechanism {
        let mut positive = |limit: f64| 0.5 * (limit + self.within(limit));
        robot.with_effects(|_, _| JointEffects {
            friction: Friction {
                viscous: positive(2.0),
                coulomb: positive(3.0),
                smoothing: positive(0.1),
                offset: positive(0.5),
            },
            rotor: Rotor { inertia: positive(1e-4), gear: positive(100.0) },
            spring: Spring { stiffness: positive(20.0), rest: positive(0.5) },
        })
    }

    /// A state for this robot.
    #[must_use]
    pub fn state(&mut self, robot: &Mechanism) -> RandomState {
        let mut draw = |revolute: f64, prismatic: f64| -> Vec<f64> {
            let limits = robot.links().iter().map(|link| match link.joint {
                JointKind::Revolute => revolute,
                JointKind::Prismatic => prismatic,
            });
            limits.map(|limit| self.within(limit)).collect()
        };
        RandomState { q: draw(core::f64::consts::PI, 0.5), v: draw(2.0, 1.0), a: draw(4.0, 2.0), tau: draw(20.0, 20.0) }
    }
}
