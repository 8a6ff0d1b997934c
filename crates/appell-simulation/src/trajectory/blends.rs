//! Via points by straight lines and slerps at constant speeds, with blends from one to the next.
//!
//! ```text
//! β = 2 b (u³ − u⁴ / 2),  u = (t − tᵢ + b) / 2 b         from 0 at tᵢ − b to b at tᵢ + b: its rate goes from 0 to 1
//! f₀ = t − tᵢ − β,  f₁ = β
//! p = pᵢ + f₀ v₀ + f₁ v₁                                R = exp(f₁ ω̂₁) exp(f₀ ω̂₀) Rᵢ
//! ω = ḟ₁ ω₁ + ḟ₀ ω₀'                                    ω₀' = exp(f₁ ω̂₁) ω₀
//! ω̇ = f̈₁ ω₁ + f̈₀ ω₀' + ḟ₀ ḟ₁ ω₁ × ω₀'
//! ```
//!
//! Velocities and accelerations are continuous. A blend cuts its corner: it passes the via point at 3/16 b |v₁ − v₀|. At both
//! ends the path rests at its points themselves, and the first and last line begin and end in the middle of their blends.

use super::line::slerp;
use super::spline::check_times;
use super::time_law::clamped;
use super::{FollowError, FrameMotion, FrameReference, PathError, finite, positive};
use appell::spatial::{Acceleration, Pose, Twist, Vec3, turned};

/// A polyline with blends.
#[derive(Debug, Clone, PartialEq)]
pub struct Blends {
    knots: Vec<Knot>,
    blend: f64, // b: half of what a blend takes, s
    duration: f64,
}

/// A via point, with the rates of the line to it and of the one from it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Knot {
    time: f64,
    pose: Pose,
    rates: [Twist; 2],
}

impl Blends {
    /// Through poses at times, s, with blends that take `2 blend` each.
    ///
    /// ```
    /// use appell_simulation::trajectory::Blends;
    /// use appell::spatial::{Pose, Vec3};
    ///
    /// let place = |x, y| Pose { position: Vec3::new(x, y, 0.5), ..Pose::identity(0.0) };
    /// let path = Blends::new(&[0.0, 1.1, 2.2], &[place(0.0, 0.0), place(0.3, 0.0), place(0.3, 0.4)], 0.1)?;
    /// assert!((path.motion(0.5).twist.linear - Vec3::new(0.3, 0.0, 0.0)).norm() < 1e-15, "along the first line");
    /// assert!((path.motion(1.1).pose.position - Vec3::new(0.3, 0.0, 0.5)).norm() < 0.01, "past the corner");
    /// # Ok::<(), appell_simulation::trajectory::PathError>(())
    /// ```
    ///
    /// # Errors
    /// If there are fewer than two poses or one is not finite, the times do not grow, the blends overlap, or a turn is by
    /// half a turn.
    pub fn new(times: &[f64], poses: &[Pose], blend: f64) -> Result<Self, PathError> {
        check_times(times, poses.len())?;
        positive("blend", blend)?;
        poses.iter().try_for_each(|pose| finite("a pose", &pose.to_array()))?;
        let (last, start) = (poses.len() - 1, times[0]);
        let time = |i: usize| match i {
            0 => blend,
            _ if i == last => times[i] - start - blend,
            _ => times[i] - start,
        };
        let rest = Twist { linear: Vec3::zero(0.0), angular: Vec3::zero(0.0) };
        let mut knots: Vec<Knot> =
            poses.iter().enumerate().map(|(i, &pose)| Knot { time: time(i), pose, rates: [rest; 2] }).collect();
        for i in 0..last {
            let room = time(i + 1) - time(i);
            if room < 2.0 * blend * (1.0 - 1e-12) {
                return Err(PathError::Blends { blend, point: i + 1, next: i + 2, room });
            }
            let way = poses[i + 1].position - poses[i].position;
            let turn = slerp(&poses[i].rotation, &poses[i + 1].rotation, i + 2)?;
            let rate = Twist { linear: way.scale(1.0 / room), angular: turn.scale(1.0 / room) };
            knots[i].rates[1] = rate;
            knots[i + 1].rates[0] = rate;
        }
        Ok(Self { knots, blend, duration: times[last] - start })
    }

    /// Where the frame is and how it moves after the time `t`; at rest before the start and after the end.
    #[must_use]
    pub fn motion(&self, t: f64) -> FrameMotion {
        let (t, _) = clamped(t, self.duration); // it rests at both ends
        // A line belongs to the knot before it, a blend to its own.
        let after = self.knots.partition_point(|knot| knot.time - self.blend <= t);
        let Knot { time, pose, rates: [before, beyond] } = self.knots[after.saturating_sub(1)];
        let b = self.blend;
        let u = ((t - time + b) / (2.0 * b)).clamp(0.0, 1.0);
        let line = (t - time - b).max(0.0); // beyond the blend
        let beta = 2.0 * b * u * u * u * (1.0 - 0.5 * u);
        let (f0, f1) = ((t - time - line) - beta, beta + line);
        let f1_rate = u * u * (3.0 - 2.0 * u);
        let (f0_rate, second) = (1.0 - f1_rate, 3.0 * u * (1.0 - u) / b);
        let (w0, w1) = (before.angular, beyond.angular);
        let still = w0 == Vec3::zero(0.0) && w1 == Vec3::zero(0.0);
        let carried = turned(&appell::spatial::Mat3::identity(0.0), w1.scale(f1));
        let w0 = carried * w0;
        FrameMotion {
            pose: Pose {
                rotation: if still {
                    pose.rotation
                } else {
                    carried * turned(&pose.rotation, before.angular.scale(f0))
                },
                position: pose.position + before.linear.scale(f0) + beyond.linear.scale(f1),
            },
            twist: Twist {
                linear: before.linear.scale(f0_rate) + beyond.linear.scale(f1_rate),
                angular: w0.scale(f0_rate) + w1.scale(f1_rate),
            },
            acceleration: Acceleration {
                linear: (beyond.linear - before.linear).scale(second),
                angular: (w1 - w0).scale(second) + w1.cross(w0).scale(f0_rate * f1_rate),
            },
        }
    }
}

impl FrameReference for Blends {
    fn duration(&self) -> f64 {
        self.duration
    }

    fn at(&mut self, t: f64) -> Result<FrameMotion, FollowError> {
        Ok(self.motion(t))
    }
}
