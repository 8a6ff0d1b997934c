//! Random chains and trees, and states of them.

use super::Sampler;
use crate::description::{Convention, Description, JointDescription, JointKind, JointType, KhalilKleinfinger};
use crate::mechanism::Mechanism;
use crate::spatial::{Mat3, PlanarRotation, Pose, Vec3};

/// How the bodies of a random robot hang together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A chain with γ = b = 0: a modified Denavit-Hartenberg table.
    Chain,
    /// A tree with general γ and b.
    Tree,
    /// A tree on a body that moves freely: its first six joints slide along x, y, z and turn about z, y, x.
    Floating,
    /// A tree of joints of every type.
    Mixed,
}

/// A random state: positions, velocities, accelerations and forces, in the robot's own coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct RandomState {
    /// In ±π rad, or ±0.5 m for a prismatic joint; quaternions of any attitude.
    pub q: Vec<f64>,
    /// In ±2 rad/s, or ±1 m/s.
    pub v: Vec<f64>,
    /// In ±4 rad/s², or ±2 m/s².
    pub a: Vec<f64>,
    /// In ±20 N m or N.
    pub tau: Vec<f64>,
}

impl Sampler {
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
                let kind = match shape {
                    Shape::Mixed => JointType::ALL[(j + self.bits() as usize % 3) % JointType::ALL.len()],
                    _ if self.bits().is_multiple_of(4) => JointType::Prismatic,
                    _ => JointType::Revolute,
                };
                let parent = match shape {
                    Shape::Chain => j.checked_sub(1),
                    Shape::Tree | Shape::Mixed if j == 0 => None,
                    Shape::Tree | Shape::Mixed => (self.bits() as usize % (j + 1)).checked_sub(1),
                    Shape::Floating => Some(first - 1 + self.bits() as usize % (j + 1 - first)),
                };
                let (gamma, b) = match shape {
                    Shape::Chain => (0.0, 0.0),
                    Shape::Tree | Shape::Floating | Shape::Mixed => (self.within(3.0), self.within(0.2)),
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
                    pitch: if kind == JointType::Screw { self.within(0.5) } else { 0.0 },
                    body: self.body(),
                    ..JointDescription::new(format!("joint{}", j + 1), kind)
                }
            })
            .collect();
        let joints = free.into_iter().chain(hanging).collect();
        let convention = match shape {
            Shape::Chain => Convention::ModifiedDh,
            Shape::Tree | Shape::Floating | Shape::Mixed => Convention::KhalilKleinfinger,
        };
        Description { name: format!("random {n}"), joints, convention, ..Description::default() }
    }

    /// Six joints that let their last body move freely.
    fn free_body(&mut self) -> Vec<JointDescription> {
        use JointKind::{Prismatic, Revolute};
        let quarter = core::f64::consts::FRAC_PI_2;
        let [x, y, z] = [
            PlanarRotation::exact(quarter).matrix_y(),
            PlanarRotation::exact(-quarter).matrix_x(),
            Mat3::identity(0.0),
        ];
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

    /// The same robot with random friction, rotors and springs in its joints.
    #[must_use]
    pub fn with_effects(&mut self, robot: &Mechanism) -> Mechanism {
        robot.with_effects(|_, _| self.effects())
    }

    /// A state for this robot.
    #[must_use]
    pub fn state(&mut self, robot: &Mechanism) -> RandomState {
        let mut draw = |revolute: f64, prismatic: f64| -> Vec<f64> {
            let mut of_row = |row: usize| self.within(robot.links()[row].joint.pick(revolute, prismatic));
            match robot.coordinates() {
                None => (0..robot.dof()).map(of_row).collect(),
                Some(own) => own.of_velocities().iter().map(|&row| of_row(row)).collect(),
            }
        };
        let [step, v, a, tau] = [(core::f64::consts::PI, 0.5), (2.0, 1.0), (4.0, 2.0), (20.0, 20.0)]
            .map(|(revolute, prismatic)| draw(revolute, prismatic));
        let q = match robot.coordinates() {
            None => step,
            Some(own) => {
                let mut q = own.neutral();
                own.integrate(&mut q, &step);
                q
            }
        };
        RandomState { q, v, a, tau }
    }
}
