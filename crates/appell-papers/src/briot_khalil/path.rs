//! The motion of our reference data for the Gough-Stewart platform, in sines: position, and yaw, pitch and roll.

use appell::spatial::EulerAngles;
use appell_simulation::trajectory::FrameMotion;
use core::f64::consts::TAU;

/// Centre, m or rad, amplitude, frequency, Hz, and phase, rad.
const SINES: [[f64; 4]; 6] = [
    [0.0, 0.08, 0.5, 0.0],
    [0.0, 0.06, 0.7, 0.4],
    [0.78, 0.07, 0.6, 1.1],
    [0.0, 0.25, 0.45, 0.3],
    [0.0, 0.18, 0.65, 0.9],
    [0.0, 0.15, 0.8, 1.7],
];

/// x(t) = x₀ + A sin(ω t + φ) for x = (position, yaw, pitch, roll), R = Rz(yaw) Ry(pitch) Rx(roll), at the time t, s.
#[must_use]
pub fn path(t: f64) -> FrameMotion {
    let terms = SINES.map(|[centre, amplitude, frequency, phase]| {
        let omega = TAU * frequency;
        let (sin, cos) = omega.mul_add(t, phase).sin_cos();
        [centre + amplitude * sin, amplitude * omega * cos, -amplitude * omega * omega * sin]
    });
    let [x, rate, second] = [0, 1, 2].map(|order| terms.map(|term| term[order]));
    FrameMotion::of_coordinates(EulerAngles::Zyx, x, rate, second)
}
