//! States in structures of arrays: one vector after the other, `q[j * count + i]` is joint j of state i.

use appell::question::{Input, State};

/// Any number of states. Vectors that the question does not read may be empty.
///
/// They have one value per joint of an open robot, per drive of one with closed loops, and state. Where `pose` is given, a robot
/// with closed loops moves as its platform does.
#[derive(Debug, Clone, Copy, Default)]
pub struct States<'s> {
    /// How many.
    pub count: usize,
    /// Positions, rad or m.
    pub q: &'s [f64],
    /// Velocities, rad/s or m/s.
    pub v: &'s [f64],
    /// Accelerations, rad/s² or m/s².
    pub a: &'s [f64],
    /// Torques and forces, N m or N.
    pub tau: &'s [f64],
    /// Second velocities, rad/s or m/s.
    pub w: &'s [f64],
    /// Seven numbers of the platform's pose, px py pz qx qy qz qw: m, and a quaternion of length 1.
    pub pose: &'s [f64],
    /// Six of its twist, linear first, m/s and rad/s. A component that depends on others may be NaN, and is found from them.
    pub twist: &'s [f64],
    /// Six of the twist's rate, likewise, m/s² and rad/s².
    pub acceleration: &'s [f64],
}

/// How states move.
#[derive(Debug, Clone, Copy)]
pub enum Motions<'s> {
    /// As the platform does.
    Platform {
        /// px py pz qx qy qz qw.
        pose: &'s [f64],
        /// m/s and rad/s.
        twist: &'s [f64],
        /// m/s² and rad/s².
        acceleration: &'s [f64],
    },
    /// As the joints of an open robot, or the drives of one with closed loops, do.
    Joints {
        /// rad or m.
        q: &'s [f64],
        /// rad/s or m/s.
        v: &'s [f64],
        /// rad/s² or m/s².
        a: &'s [f64],
    },
}

impl<'s> States<'s> {
    /// States that move so.
    #[must_use]
    pub fn moving(count: usize, motions: Motions<'s>) -> Self {
        match motions {
            Motions::Joints { q, v, a } => Self { count, q, v, a, ..Self::default() },
            Motions::Platform { pose, twist, acceleration } => {
                Self { count, pose, twist, acceleration, ..Self::default() }
            }
        }
    }

    /// How they move.
    #[must_use]
    pub fn motions(&self) -> Motions<'s> {
        let Self { q, v, a, pose, twist, acceleration, .. } = *self;
        if pose.is_empty() { Motions::Joints { q, v, a } } else { Motions::Platform { pose, twist, acceleration } }
    }

    pub(crate) fn vector(&self, input: Input) -> &'s [f64] {
        let Self { q, v, a, tau, w, .. } = *self;
        State { q, v, a, tau, w, ..State::default() }.vector(input)
    }
}
