//! A motion of a platform in sines: position, and yaw, pitch and roll.

use crate::spatial::{Acceleration, Mat3, Pose, Twist, Vec3};
use core::f64::consts::TAU;

/// x(t) = x₀ + A sin(ω t + φ) for x = (position, yaw, pitch, roll), R = Rz(yaw) Ry(pitch) Rx(roll).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Path {
    /// x₀, m and rad.
    pub centre: [f64; 6],
    /// A, m and rad.
    pub amplitude: [f64; 6],
    /// ω / 2π, Hz.
    pub frequency: [f64; 6],
    /// φ, rad.
    pub phase: [f64; 6],
}

/// Where the platform is and how it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instant {
    /// base_from_platform.
    pub pose: Pose,
    /// V.
    pub twist: Twist,
    /// V̇.
    pub acceleration: Acceleration,
}

impl Path {
    /// The motion of our reference data for the Gough-Stewart platform.
    pub const GOUGH_STEWART: Self = Self {
        centre: [0.0, 0.0, 0.78, 0.0, 0.0, 0.0],
        amplitude: [0.08, 0.06, 0.07, 0.25, 0.18, 0.15],
        frequency: [0.5, 0.7, 0.6, 0.45, 0.65, 0.8],
        phase: [0.0, 0.4, 1.1, 0.3, 0.9, 1.7],
    };

    /// At the time t, s.
    #[must_use]
    pub fn at(&self, t: f64) -> Instant {
        let terms: [[f64; 3]; 6] = core::array::from_fn(|k| {
            let omega = TAU * self.frequency[k];
            let (sin, cos) = omega.mul_add(t, self.phase[k]).sin_cos();
            let amplitude = self.amplitude[k];
            [self.centre[k] + amplitude * sin, amplitude * omega * cos, -amplitude * omega * omega * sin]
        });
        let [x, rate, second] = [0, 1, 2].map(|order| terms.map(|term| term[order]));
        let position = |x: [f64; 6]| Vec3::new(x[0], x[1], x[2]);
        let ([yaw, pitch, roll], [yaw_1, pitch_1, roll_1], [yaw_2, pitch_2, roll_2]) =
            (angles(x), angles(rate), angles(second));
        // ω is the sum of the rates about z, the node and the platform's x, which turn with what comes before.
        let (z, node) = (Vec3::new(0.0, 0.0, 1.0), Vec3::new(-yaw.sin(), yaw.cos(), 0.0));
        let ahead = Vec3::new(yaw.cos() * pitch.cos(), yaw.sin() * pitch.cos(), -pitch.sin());
        let carried = z.scale(yaw_1) + node.scale(pitch_1);
        let angular = carried + ahead.scale(roll_1);
        let growth = z.scale(yaw_2)
            + node.scale(pitch_2)
            + ahead.scale(roll_2)
            + z.cross(node).scale(yaw_1 * pitch_1)
            + carried.cross(ahead).scale(roll_1);
        Instant {
            pose: Pose { position: position(x), rotation: Mat3::from_roll_pitch_yaw(Vec3::new(roll, pitch, yaw)) },
            twist: Twist { linear: position(rate), angular },
            acceleration: Acceleration { linear: position(second), angular: growth },
        }
    }
}

fn angles(x: [f64; 6]) -> [f64; 3] {
    [x[3], x[4], x[5]]
}
