//! What robots of a rollout follow: motions of all joints that few numbers describe.
//!
//! ```text
//! passage     q_d = start + (goal − start) (10 s³ − 15 s⁴ + 6 s⁵)     s = t / time, at most 1
//! sinusoid    q_d = middle + amplitude sin(ω t + phase)
//! ```

use crate::expr::Expr;
use appell::real::Real;

/// A motion of all joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// From rest to rest by a polynomial of fifth degree. Its numbers: start of every joint, goal of every joint, the time it
    /// takes, in s.
    Passage,
    /// Every joint to and fro. Its numbers: middle, amplitude, ω in rad/s, phase in rad, each of every joint.
    Sinusoid,
}

impl Reference {
    /// The names of its numbers.
    #[must_use]
    pub fn numbers(self, joints: usize) -> Vec<String> {
        let (of_joints, of_all): (&[&str], &[&str]) = match self {
            Self::Passage => (&["start", "goal"], &["time"]),
            Self::Sinusoid => (&["middle", "amplitude", "omega", "phase"], &[]),
        };
        let numbered = of_joints.iter().flat_map(|name| (1..=joints).map(move |j| format!("{name}{j}")));
        numbered.chain(of_all.iter().map(|name| (*name).to_owned())).collect()
    }

    /// q_d, q̇_d and q̈_d at a time.
    pub(super) fn at<'g>(self, t: Expr<'g>, numbers: &[Expr<'g>], joints: usize) -> [Vec<Expr<'g>>; 3] {
        let of = |group: usize, j: usize| numbers[group * joints + j];
        match self {
            Self::Passage => {
                let rate = t.constant(1.0) / numbers[2 * joints];
                let [s, one] = [t * rate, t.constant(1.0)];
                let s = (one - s).where_positive(s, one);
                let (square, over) = (s * s, one - s);
                let shape = square * s * ((s.scale(6.0) - s.constant(15.0)) * s + s.constant(10.0));
                let slope = (square * over * over).scale(30.0) * rate;
                let bend = (s * over * (one - s.scale(2.0))).scale(60.0) * rate * rate;
                let way = |j: usize| of(1, j) - of(0, j);
                [
                    (0..joints).map(|j| of(0, j) + way(j) * shape).collect(),
                    (0..joints).map(|j| way(j) * slope).collect(),
                    (0..joints).map(|j| way(j) * bend).collect(),
                ]
            }
            Self::Sinusoid => {
                let turns: Vec<_> = (0..joints).map(|j| (of(2, j) * t + of(3, j)).sin_cos()).collect();
                let along = |j: usize| of(1, j) * of(2, j);
                [
                    (0..joints).map(|j| of(0, j) + of(1, j) * turns[j].0).collect(),
                    (0..joints).map(|j| along(j) * turns[j].1).collect(),
                    (0..joints).map(|j| -(along(j) * of(2, j) * turns[j].0)).collect(),
                ]
            }
        }
    }
}
