//! Via points by a spline of degree 5: through all of them, from rest to rest, continuous up to the fourth derivative.
//!
//! The orientation is a spline Q(t) of the four numbers of a quaternion, each with the sign nearer to the one before, over
//! its norm. It goes through all orientations, and between two of them on the shortest way, as slerp does:
//!
//! ```text
//! R = R(Q / |Q|)      ω = 2 Im(Q̇ Q*) / |Q|²      ω̇ = 2 Im(Q̈ Q*) / |Q|² − 2 ω (Q · Q̇) / |Q|²
//! ```

use super::line::slerp;
use super::spline::Spline;
use super::{Ends, FollowError, FrameMotion, FrameReference, JointReference, PathError, finite};
use appell::spatial::{Acceleration, Pose, Quaternion, Twist, Vec3};

/// A smooth path through poses.
#[derive(Debug, Clone, PartialEq)]
pub struct ViaSpline {
    numbers: Spline,                      // position and quaternion
    fixed: Option<appell::spatial::Mat3>, // the orientation, if all are the same
}

impl ViaSpline {
    /// Through poses at times, s.
    ///
    /// ```
    /// use appell_simulation::trajectory::ViaSpline;
    /// use appell::spatial::{Pose, Vec3};
    ///
    /// let place = |x, y| Pose { position: Vec3::new(x, y, 0.5), ..Pose::identity(0.0) };
    /// let path = ViaSpline::new(&[0.0, 1.0, 2.0], &[place(0.0, 0.0), place(0.3, 0.1), place(0.3, 0.4)])?;
    /// assert_eq!(path.motion(1.0).pose.position, Vec3::new(0.3, 0.1, 0.5));
    /// # Ok::<(), appell_simulation::trajectory::PathError>(())
    /// ```
    ///
    /// # Errors
    /// If there are fewer than two poses or one is not finite, the times do not grow, or a turn is by half a turn.
    pub fn new(times: &[f64], poses: &[Pose]) -> Result<Self, PathError> {
        poses.iter().try_for_each(|pose| finite("a pose", &pose.to_array()))?;
        for (i, pair) in poses.windows(2).enumerate() {
            slerp(&pair[0].rotation, &pair[1].rotation, i + 2)?;
        }
        let mut before = [0.0; 4];
        let rows: Vec<Vec<f64>> = poses
            .iter()
            .map(|pose| {
                let Quaternion { x, y, z, w } = Quaternion::of_rotation(&pose.rotation);
                let own = [x, y, z, w];
                let along: f64 = own.iter().zip(before).map(|(a, b)| a * b).sum();
                before = if along < 0.0 { own.map(|x| -x) } else { own };
                pose.position.to_array().into_iter().chain(before).collect()
            })
            .collect();
        let fixed = poses.first().map(|pose| pose.rotation).filter(|first| poses.iter().all(|p| p.rotation == *first));
        Ok(Self { numbers: Spline::quintic(times, &rows, Ends::Rest)?, fixed })
    }

    /// Where the frame is and how it moves after the time `t`; at rest before the start and after the end.
    #[must_use]
    pub fn motion(&self, t: f64) -> FrameMotion {
        let mut numbers = [[0.0; 7]; 3];
        self.numbers.each(t, |k, state| (0..3).for_each(|order| numbers[order][k] = state[order]));
        let place = |[x, y, z, ..]: [f64; 7]| Vec3::new(x, y, z);
        let quaternion = |[.., x, y, z, w]: [f64; 7]| Quaternion { x, y, z, w };
        let [position, velocity, acceleration] = numbers.map(place);
        let [q, rate, second] = numbers.map(quaternion);
        let square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        let along = q.x * rate.x + q.y * rate.y + q.z * rate.z + q.w * rate.w;
        let omega = q.angular_velocity(rate).scale(1.0 / square);
        let omega_rate = (q.angular_velocity(second) - omega.scale(2.0 * along)).scale(1.0 / square);
        let (rotation, [omega, omega_rate]) = match self.fixed {
            Some(rotation) => (rotation, [Vec3::zero(0.0); 2]),
            None => (q.normalized().rotation(), [omega, omega_rate]),
        };
        FrameMotion {
            pose: Pose { rotation, position },
            twist: Twist { linear: velocity, angular: omega },
            acceleration: Acceleration { linear: acceleration, angular: omega_rate },
        }
    }
}

impl FrameReference for ViaSpline {
    fn duration(&self) -> f64 {
        self.numbers.duration()
    }

    fn at(&mut self, t: f64) -> Result<FrameMotion, FollowError> {
        Ok(self.motion(t))
    }
}
