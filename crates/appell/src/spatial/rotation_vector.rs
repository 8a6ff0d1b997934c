//! Rotations by a vector: its direction is the axis, its length the angle.

use super::{Mat3, Quaternion, Vec3};

/// A rotation turned further by a rotation vector in base axes, and made exact.
pub fn turned(rotation: &Mat3<f64>, by: Vec3<f64>) -> Mat3<f64> {
    let angle = by.norm();
    let half = 0.5 * angle;
    let sine = if angle > 0.0 { half.sin() / angle } else { 0.5 };
    let step = Quaternion { x: sine * by.x, y: sine * by.y, z: sine * by.z, w: half.cos() };
    Quaternion::of_rotation(&(step.normalized().rotation() * *rotation)).normalized().rotation()
}

/// The rotation vector, in base axes, that turns one rotation into another: by π at most.
pub fn turn_between(from: &Mat3<f64>, to: &Mat3<f64>) -> Vec3<f64> {
    Quaternion::of_rotation(&(*to * from.transpose())).rotation_vector()
}

/// D(φ): ω = D φ̇.
pub fn omega_of_rotation_vector_rate(phi: Vec3<f64>) -> Mat3<f64> {
    let square = phi.dot(phi);
    let angle = square.sqrt();
    // Series where the quotients lose their digits.
    let (a, b) = if angle < 1e-2 {
        (0.5 - square / 24.0 * (1.0 - square / 30.0), (1.0 - square / 20.0 * (1.0 - square / 42.0)) / 6.0)
    } else {
        ((1.0 - angle.cos()) / square, (angle - angle.sin()) / (square * angle))
    };
    let skew = Mat3::skew(phi);
    let [first, second] =
        [(skew, a), (skew * skew, b)].map(|(matrix, k)| Mat3::from_rows(matrix.rows.map(|row| row.scale(k))));
    Mat3::identity(0.0) + first + second
}

/// φ̇ = D(φ)⁻¹ ω.
pub fn rotation_vector_rate(phi: Vec3<f64>, omega: Vec3<f64>) -> Vec3<f64> {
    let square = phi.dot(phi);
    let half = 0.5 * square.sqrt();
    let k = if half < 5e-3 { (1.0 + square / 60.0) / 12.0 } else { (1.0 - half / half.tan()) / square };
    let cross = phi.cross(omega);
    omega - cross.scale(0.5) + phi.cross(cross).scale(k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sampler;

    #[test]
    fn rates_of_rotation_vectors_and_back() {
        let mut sampler = Sampler::new(1);
        for size in [0.0, 1e-9, 1e-3, 4e-3, 9.9e-3, 1.01e-2, 0.3, 2.0, 6.0] {
            for _ in 0..20 {
                let (phi, omega) = (sampler.direction().scale(size), sampler.vector(1.0));
                let rate = rotation_vector_rate(phi, omega);
                let back = omega_of_rotation_vector_rate(phi) * rate;
                assert!((back - omega).norm() < 1e-12, "{size}: {back:?} {omega:?}");
                // Against a difference of the exponential.
                let h = 1e-6;
                let by = |h: f64| turned(&Mat3::identity(0.0), phi + rate.scale(h));
                let turn = by(h) * by(-h).transpose();
                let found = Quaternion::of_rotation(&turn).rotation_vector().scale(0.5 / h);
                assert!((found - omega).norm() < 1e-8, "{size}: {found:?} {omega:?}");
            }
        }
    }
}
