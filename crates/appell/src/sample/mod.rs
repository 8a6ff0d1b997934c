//! Seeded random robots and states, for referees: tests, benchmarks and `appell agreement`.
//!
//! The same seed gives the same robot on every machine. Bodies are physically consistent, because each is made of
//! six point masses.
//!
//! | what | where |
//! |---|---|
//! | chains and trees, and states of them | [`Sampler::robot`], [`Sampler::state`] |
//! | robots with closed loops, as they stand assembled at home | [`Sampler::closed_candidate`], of a [`Family`] |
//! | those of them that can be driven, and states of them | [`closed::sample`](crate::closed::sample) |

mod coupled;
mod family;
mod legs;
mod linkage;
mod skeleton;
mod tree;

pub use family::Family;
pub use tree::{RandomState, Shape};

use crate::description::{BodyDescription, Friction, FrictionCurve, JointEffects, Rotor, Spring};
use crate::spatial::{Mat3, Sym3, Vec3};
use core::f64::consts::PI;

/// A small random generator, SplitMix64: enough for test data, and without a dependency.
#[derive(Debug, Clone)]
pub struct Sampler {
    state: u64,
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

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.bits() as usize % n
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of some things.
    ///
    /// # Panics
    /// If there are none.
    pub fn one_of<X: Copy>(&mut self, things: &[X]) -> X {
        things[self.below(things.len())]
    }

    /// A vector with components in ±`limit`.
    pub fn vector(&mut self, limit: f64) -> Vec3<f64> {
        Vec3::new(self.within(limit), self.within(limit), self.within(limit))
    }

    /// A vector of length 1.
    pub fn direction(&mut self) -> Vec3<f64> {
        loop {
            let vector = self.vector(1.0);
            if vector.norm() > 0.3 {
                return vector.scale(1.0 / vector.norm());
            }
        }
    }

    /// A rotation.
    pub fn rotation(&mut self) -> Mat3<f64> {
        Mat3::from_roll_pitch_yaw(self.vector(PI))
    }

    /// Six point masses of 0.1 to 1 kg within 0.3 m of the origin.
    pub fn body(&mut self) -> BodyDescription {
        let points: [(f64, Vec3<f64>); 6] = core::array::from_fn(|_| {
            let mass = 0.55 + self.within(0.45);
            (mass, self.vector(0.3))
        });
        let mass: f64 = points.iter().map(|(m, _)| m).sum();
        let com = points.iter().fold(Vec3::zero(0.0), |sum, (m, p)| sum + p.scale(m / mass));
        let inertia = points.iter().fold(Sym3::zero(0.0), |sum, (m, p)| sum + Sym3::of_point_mass(*m, *p - com));
        BodyDescription { mass, com, inertia }
    }

    /// Friction, which has a curve in every second joint or so, a rotor and a spring.
    pub fn effects(&mut self) -> JointEffects {
        let viscous = self.positive(2.0);
        let friction = Friction {
            viscous,
            coulomb: self.positive(3.0),
            smoothing: self.positive(0.1),
            offset: self.positive(0.5),
            curve: None,
        };
        let rotor = Rotor { inertia: self.positive(1e-4), gear: self.positive(100.0) };
        let spring = Spring { stiffness: self.positive(20.0), rest: self.positive(0.5) };
        // Of a generator of its own, so that what is drawn next does not depend on it.
        let mut own = self.clone();
        let curve = own.once_in(2).then(|| own.curve(viscous));
        JointEffects { friction: Friction { curve, ..friction }, rotor, spring }
    }

    /// A curve of friction that brakes at all speeds, beside viscous friction.
    fn curve(&mut self, viscous: f64) -> FrictionCurve {
        FrictionCurve {
            square_root: self.positive(1.0),
            cubic: self.positive(0.2),
            asymmetric: self.within(viscous),
            stribeck: self.positive(2.0),
            stribeck_speed: 0.05 + self.positive(0.5),
        }
    }

    /// A number from zero to `limit`.
    fn positive(&mut self, limit: f64) -> f64 {
        0.5 * (limit + self.within(limit))
    }
}
