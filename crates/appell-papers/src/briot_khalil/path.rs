//! A motion of a platform in sines: position, and yaw, pitch and roll.

use appell::spatial::EulerAngles;
use appell_simulation::trajectory::FrameMotion;
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
    pub fn at(&self, t: f64) -> FrameMotion {
        let terms: [[f64; 3]; 6] = core::array::from_fn(|k| {
            let omega = TAU * self.frequency[k];
            let (sin, cos) = omega.mul_add(t, self.phase[k]).sin_cos();
            let amplitude = self.amplitude[k];
            [self.centre[k] + amplitude * sin, amplitude * omega * cos, -amplitude * omega * omega * sin]
        });
        let [x, rate, second] = [0, 1, 2].map(|order| terms.map(|term| term[order]));
        FrameMotion::of_coordinates(EulerAngles::Zyx, x, rate, second)
    }
}
