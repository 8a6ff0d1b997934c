//! Rotations as URDF and aviation write them: roll about x, then pitch about y, then yaw about z.

use super::{Mat3, PlanarRotation, Vec3};
use crate::real::Real;

impl Mat3<f64> {
    /// `Rz(yaw) Ry(pitch) Rx(roll)`, exact at right angles.
    #[must_use]
    pub fn from_roll_pitch_yaw(rpy: Vec3<f64>) -> Self {
        let [roll, pitch, yaw] = rpy.to_array().map(PlanarRotation::exact);
        yaw.matrix_z() * (pitch.matrix_y() * roll.matrix_x())
    }

    /// The angles of a rotation, each in [−π, π]; yaw is zero where pitch is a right angle.
    ///
    /// Near that pitch yaw is ill-determined. Roll is therefore read after undoing the yaw that was found, so that
    /// the three together give the rotation to rounding.
    #[must_use]
    pub fn to_roll_pitch_yaw(self) -> Vec3<f64> {
        let (x, y) = (self.rows[0].x, self.rows[1].x);
        let yaw = if x.hypot(y) <= 4.0 * f64::EPSILON { 0.0 } else { Real::atan2(y, x) };
        let level = PlanarRotation::exact(yaw).matrix_z().transpose() * self;
        let pitch = Real::atan2(0.0 - level.rows[2].x, level.rows[0].x);
        let roll = Real::atan2(0.0 - level.rows[1].z, level.rows[1].y);
        Vec3::new(roll, pitch, yaw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::FRAC_PI_2;
    use proptest::prelude::*;

    fn distance(a: Mat3, b: Mat3) -> f64 {
        (a - b).rows.into_iter().map(Vec3::norm).fold(0.0, f64::max)
    }

    #[test]
    fn right_angles_are_exact() {
        for k in 0..64 {
            let angles = [k % 4, k / 4 % 4, k / 16].map(|quarters| FRAC_PI_2 * f64::from(quarters));
            let rotation = Mat3::from_roll_pitch_yaw(angles.into());
            assert_eq!(Mat3::from_roll_pitch_yaw(rotation.to_roll_pitch_yaw()), rotation, "{angles:?}");
        }
    }

    proptest! {
        #[test]
        fn angles_give_the_rotation_back(angles in prop::array::uniform3(-4.0..4.0), near in -16..0_i32, pole: bool) {
            let mut angles: Vec3 = angles.into();
            if pole {
                angles.y = FRAC_PI_2 + 10f64.powi(near);
            }
            let rotation = Mat3::from_roll_pitch_yaw(angles);
            prop_assert!(distance(Mat3::from_roll_pitch_yaw(rotation.to_roll_pitch_yaw()), rotation) < 4e-15);
        }
    }
}
