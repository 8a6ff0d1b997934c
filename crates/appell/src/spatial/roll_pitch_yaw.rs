//! Orientations as URDF and our files write them: roll, pitch and yaw.

use super::{Mat3, Turn, Vec3};

impl Mat3<f64> {
    /// `Rz(yaw) Ry(pitch) Rx(roll)` of the angles (roll, pitch, yaw) in rad; right angles are exact.
    #[must_use]
    pub fn from_roll_pitch_yaw(rpy: Vec3<f64>) -> Self {
        let [roll, pitch, yaw] = rpy.to_array().map(Turn::exact);
        yaw.matrix_z() * (pitch.matrix_y() * roll.matrix_x())
    }

    /// The angles (roll, pitch, yaw) of a rotation, rad, the pitch in ±π/2.
    ///
    /// Where the pitch is a right angle only the sum or difference of the others counts, and the roll is zero.
    #[must_use]
    pub fn roll_pitch_yaw(&self) -> Vec3<f64> {
        let [x, y, z] = self.rows;
        let cos_pitch = x.x.hypot(y.x);
        let pitch = (-z.x).atan2(cos_pitch);
        if cos_pitch < f64::EPSILON {
            Vec3::new(0.0, pitch, (-x.y).atan2(y.y))
        } else {
            Vec3::new(z.y.atan2(z.z), pitch, y.x.atan2(x.x))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn angles_come_back() {
        for rpy in [[0.3, -1.2, 2.5], [-3.0, 1.5, -0.1], [0.0, FRAC_PI_2, 0.7], [0.0, -FRAC_PI_2, -2.0]] {
            let back = Mat3::from_roll_pitch_yaw(rpy.into()).roll_pitch_yaw();
            assert!((back - rpy.into()).norm() < 1e-14, "{rpy:?} {back:?}");
        }
        for rpy in [[FRAC_PI_2, 0.0, 0.0], [PI, 0.0, -FRAC_PI_2], [0.0, FRAC_PI_2, 0.0], [0.0, 0.0, 0.0]] {
            assert_eq!(Mat3::from_roll_pitch_yaw(rpy.into()).roll_pitch_yaw().to_array(), rpy);
        }
    }

    #[test]
    fn the_rotation_comes_back_at_and_near_a_right_pitch() {
        for (pitch, roll) in [(FRAC_PI_2, 0.4), (FRAC_PI_2 - 1e-9, 0.4), (-FRAC_PI_2, 1.0)] {
            let rotation = Mat3::from_roll_pitch_yaw(Vec3::new(roll, pitch, 0.9));
            let difference = Mat3::from_roll_pitch_yaw(rotation.roll_pitch_yaw()) - rotation;
            assert!(difference.rows.iter().all(|row| row.norm() < 1e-15), "{difference:?}");
        }
    }
}
