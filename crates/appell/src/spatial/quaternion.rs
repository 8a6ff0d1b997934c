//! Orientations as unit quaternions: four numbers a file can hold, and the way to the rotation vector.

use super::{Mat3, Vec3};
use crate::real::Real;

/// A quaternion x i + y j + z k + w. One of unit norm is an orientation, and so is its opposite.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "x, y, z and w speak for themselves")]
pub struct Quaternion {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub w: f64,
}

impl Quaternion {
    /// The unit quaternion of a rotation, with w ≥ 0 (Shepperd1978).
    ///
    /// Each of the four cases is 4 k (x, y, z, w) with k the largest component, so that normalising loses no digit
    /// at any angle.
    #[must_use]
    pub fn of_rotation(rotation: &Mat3<f64>) -> Self {
        let [[a, b, c], [d, e, f], [g, h, i]] = rotation.rows.map(Vec3::to_array);
        let trace = a + e + i;
        let multiple = if trace >= a.max(e).max(i) {
            Self { x: h - f, y: c - g, z: d - b, w: 1.0 + trace }
        } else if a >= e.max(i) {
            Self { x: 1.0 + a - e - i, y: b + d, z: c + g, w: h - f }
        } else if e >= i {
            Self { x: b + d, y: 1.0 - a + e - i, z: f + h, w: c - g }
        } else {
            Self { x: c + g, y: f + h, z: 1.0 - a - e + i, w: d - b }
        };
        multiple.divided_by(multiple.norm().copysign(multiple.w))
    }

    /// The rotation matrix of a unit quaternion.
    #[must_use]
    pub fn rotation(self) -> Mat3<f64> {
        Self::rotation_of([self.x, self.y, self.z, self.w])
    }

    /// The rotation matrix of x, y, z and w of a unit quaternion, numbers of any kind.
    #[inline(always)]
    pub fn rotation_of<T: Real>([x, y, z, w]: [T; 4]) -> Mat3<T> {
        let twice = |a: T| a.scale(2.0);
        let without = |a: T| a.constant(1.0) - twice(a);
        Mat3::from_rows([
            Vec3::new(without(y * y + z * z), twice(x * y - z * w), twice(x * z + y * w)),
            Vec3::new(twice(x * y + z * w), without(x * x + z * z), twice(y * z - x * w)),
            Vec3::new(twice(x * z - y * w), twice(y * z + x * w), without(x * x + y * y)),
        ])
    }

    /// The rotation vector of a unit quaternion with w ≥ 0: the axis times the angle, which is in 0 to π.
    #[must_use]
    pub fn rotation_vector(self) -> Vec3<f64> {
        let half_sine = Vec3::new(self.x, self.y, self.z);
        let sine = half_sine.norm();
        let angle_over_sine = if sine > 0.0 { 2.0 * sine.atan2(self.w) / sine } else { 2.0 };
        half_sine.scale(angle_over_sine)
    }

    /// Its rate at an angular velocity in base axes: ½ (ω, 0) times the quaternion.
    #[must_use]
    pub fn rate(self, omega: Vec3<f64>) -> Self {
        let (v, half) = (Vec3::new(self.x, self.y, self.z), omega.scale(0.5));
        let Vec3 { x, y, z } = half.scale(self.w) + half.cross(v);
        Self { x, y, z, w: -half.dot(v) }
    }

    /// The angular velocity in base axes at a rate of a unit quaternion: the inverse of [`rate`](Self::rate).
    #[must_use]
    pub fn angular_velocity(self, rate: Self) -> Vec3<f64> {
        let (v, v_rate) = (Vec3::new(self.x, self.y, self.z), Vec3::new(rate.x, rate.y, rate.z));
        (v_rate.scale(self.w) - v.scale(rate.w) + v.cross(v_rate)).scale(2.0)
    }

    /// Length in four dimensions.
    #[must_use]
    pub fn norm(self) -> f64 {
        self.x.hypot(self.y).hypot(self.z.hypot(self.w))
    }

    /// The quaternion of unit norm in the same direction.
    #[must_use]
    pub fn normalized(self) -> Self {
        self.divided_by(self.norm())
    }

    fn divided_by(self, k: f64) -> Self {
        Self { x: self.x / k, y: self.y / k, z: self.z / k, w: self.w / k }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sampler;
    use crate::spatial::PlanarRotation;
    use core::f64::consts::PI;

    /// A rotation by `angle` about a random axis, which is returned with it.
    fn about_some_axis(sampler: &mut Sampler, angle: f64) -> (Vec3<f64>, Mat3<f64>) {
        let (longitude, latitude) = (PlanarRotation::by(sampler.within(PI)), PlanarRotation::by(sampler.within(1.5)));
        let base_from_axis = longitude.matrix_z() * latitude.matrix_y();
        (base_from_axis.column(2), base_from_axis * PlanarRotation::by(angle).matrix_z() * base_from_axis.transpose())
    }

    #[test]
    fn rotation_vectors_are_exact_at_every_angle() {
        let mut sampler = Sampler::new(1);
        for angle in [0.0, 1e-200, 1e-12, 1e-7, 0.1, 1.0, PI / 2.0, 3.0, PI - 1e-7, PI - 1e-12] {
            for _ in 0..50 {
                let (axis, rotation) = about_some_axis(&mut sampler, angle);
                let vector = Quaternion::of_rotation(&rotation).rotation_vector();
                assert!((vector - axis.scale(angle)).norm() < 3e-15, "{angle}: {vector:?}");
            }
        }
    }

    #[test]
    fn rates_are_those_of_the_rotation() {
        let mut sampler = Sampler::new(3);
        for _ in 0..50 {
            let angle = sampler.within(PI);
            let (_, rotation) = about_some_axis(&mut sampler, angle);
            let (quaternion, omega) = (Quaternion::of_rotation(&rotation), sampler.vector(3.0));
            let rate = quaternion.rate(omega);
            assert!((quaternion.angular_velocity(rate) - omega).norm() < 1e-14);
            let step = 1e-6;
            let moved = Quaternion {
                x: quaternion.x + step * rate.x,
                y: quaternion.y + step * rate.y,
                z: quaternion.z + step * rate.z,
                w: quaternion.w + step * rate.w,
            };
            let turned = moved.normalized().rotation() * rotation.transpose();
            let by = Quaternion::of_rotation(&turned).rotation_vector();
            assert!((by.scale(1.0 / step) - omega).norm() < 1e-8, "{omega:?}");
        }
    }

    #[test]
    fn quaternion_and_matrix_are_one_rotation() {
        let mut sampler = Sampler::new(2);
        for angle in [0.0, 1e-9, 0.5, 2.0, PI - 1e-9, PI, 3.5, 6.0] {
            for _ in 0..50 {
                let (_, rotation) = about_some_axis(&mut sampler, angle);
                let quaternion = Quaternion::of_rotation(&rotation);
                assert!((quaternion.norm() - 1.0).abs() < 1e-15 && quaternion.w >= 0.0);
                let difference = quaternion.rotation() - rotation;
                assert!(difference.rows.iter().all(|row| row.norm() < 2e-15), "{angle}: {difference:?}");
            }
        }
    }
}
