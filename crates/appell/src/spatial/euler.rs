//! Three angles of an attitude, their rates and where they fail: 321, as papers on wrists write them, and ZYZ.
//!
//! ```text
//! R = Rz(q₁) Ry(q₂) Rx(q₃)      321: singular at q₂ = ±90°
//! R = Rz(q₁) Ry(q₂) Rz(q₃)      ZYZ: singular at q₂ = 0 and ±180°
//! ω = E(q) q̇,  ω̇ = E q̈ + Ė q̇     the columns of E are the axes of the three turns, in base axes
//! ```
//!
//! Attitudes in between are rotation matrices or quaternions, which fail nowhere.

use super::{Mat3, PlanarRotation, Vec3};
use crate::real::Real;

/// Below this, det E counts as zero.
const SINGULAR: f64 = 1e-10;

/// Which three axes the angles turn about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EulerAngles {
    /// Yaw, pitch and roll: about z, then the new y, then the newest x.
    Zyx,
    /// About z, then the new y, then the newest z.
    Zyz,
}

/// An attitude at which two of the three axes are parallel, so that the rates are not unique.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "{} angles are singular where the middle one is {middle} rad: the sine of the angle between their outer axes is \
     {determinant:.1e}; give the attitude as a quaternion and its motion as angular velocities",
    kind.name()
)]
pub struct EulerSingularity {
    /// The angles.
    pub kind: EulerAngles,
    /// q₂, rad.
    pub middle: f64,
    /// det E: cos q₂ of 321, sin q₂ of ZYZ, up to sign.
    pub determinant: f64,
}

named!(pub EulerAngles { Zyx: "321", Zyz: "zyz" });

impl EulerAngles {
    /// The attitude with these angles.
    #[inline(always)]
    pub fn rotation<T: Real>(self, angles: [T; 3]) -> Mat3<T> {
        let [a, b, c] = angles.map(PlanarRotation::by);
        let x = Vec3::new(a.cos * b.cos, a.sin * b.cos, -b.sin);
        let y = Vec3::new(-a.sin, a.cos, a.cos.zero());
        let z = Vec3::new(a.cos * b.sin, a.sin * b.sin, b.cos);
        let columns = match self {
            Self::Zyx => [x, y.times(c.cos) + z.times(c.sin), z.times(c.cos) - y.times(c.sin)],
            Self::Zyz => [x.times(c.cos) + y.times(c.sin), y.times(c.cos) - x.times(c.sin), z],
        };
        Mat3::from_rows(columns).transpose()
    }

    /// The angles of an attitude, the outer ones in (−π, π], the middle one in ±π/2 for 321 and in 0 to π for ZYZ.
    ///
    /// # Errors
    /// At an attitude where they are singular.
    pub fn angles(self, rotation: &Mat3<f64>) -> Result<[f64; 3], EulerSingularity> {
        let angles = match self {
            Self::Zyx => {
                let [roll, pitch, yaw] = rotation.to_roll_pitch_yaw().to_array();
                [yaw, pitch, roll]
            }
            Self::Zyz => {
                let pole = rotation.column(2);
                let first = Real::atan2(pole.y, pole.x);
                // The other two are read after undoing the first, so that all three together give the rotation.
                let [x, y, z] = (PlanarRotation::by(first).matrix_z().transpose() * *rotation).rows;
                [first, Real::atan2(x.z, z.z), Real::atan2(y.x, y.y)]
            }
        };
        self.refuse_singular(angles)?;
        Ok(angles)
    }

    /// The axes of the three turns, in base axes.
    #[inline(always)]
    pub fn axes<T: Real>(self, angles: [T; 3]) -> [Vec3<T>; 3] {
        let [a, b] = [angles[0], angles[1]].map(PlanarRotation::by);
        let (zero, one) = (a.cos.zero(), a.cos.constant(1.0));
        let last = match self {
            Self::Zyx => Vec3::new(a.cos * b.cos, a.sin * b.cos, -b.sin),
            Self::Zyz => Vec3::new(a.cos * b.sin, a.sin * b.sin, b.cos),
        };
        [Vec3::new(zero, zero, one), Vec3::new(-a.sin, a.cos, zero), last]
    }

    /// E: ω = E q̇.
    #[inline(always)]
    pub fn omega_of_rates<T: Real>(self, angles: [T; 3]) -> Mat3<T> {
        Mat3::from_rows(self.axes(angles)).transpose()
    }

    /// Ė: ω̇ = E q̈ + Ė q̇. Each axis is carried by the turns before it.
    #[inline(always)]
    pub fn omega_of_rates_rate<T: Real>(self, angles: [T; 3], rates: [T; 3]) -> Mat3<T> {
        let [first, second, third] = self.axes(angles);
        let carrier = first.times(rates[0]);
        let columns = [Vec3::zero(rates[0]), carrier.cross(second), (carrier + second.times(rates[1])).cross(third)];
        Mat3::from_rows(columns).transpose()
    }

    /// q̇ of an angular velocity in base axes.
    ///
    /// # Errors
    /// Where the angles are singular.
    pub fn rates(self, angles: [f64; 3], omega: Vec3<f64>) -> Result<[f64; 3], EulerSingularity> {
        self.refuse_singular(angles)?;
        let [first, second, third] = self.axes(angles);
        let normals = [second.cross(third), third.cross(first), first.cross(second)];
        let determinant = first.dot(normals[0]);
        Ok(normals.map(|normal| normal.dot(omega) / determinant))
    }

    /// q̈ of an angular acceleration in base axes.
    ///
    /// # Errors
    /// Where the angles are singular.
    pub fn accelerations(
        self,
        angles: [f64; 3],
        rates: [f64; 3],
        omega_rate: Vec3<f64>,
    ) -> Result<[f64; 3], EulerSingularity> {
        self.rates(angles, omega_rate - self.omega_of_rates_rate(angles, rates) * Vec3::from(rates))
    }

    /// Refuses angles whose rates are not unique.
    ///
    /// # Errors
    /// There.
    pub fn refuse_singular(self, angles: [f64; 3]) -> Result<(), EulerSingularity> {
        let [first, second, third] = self.axes(angles);
        let determinant = first.dot(second.cross(third)).abs();
        if determinant >= SINGULAR {
            Ok(())
        } else {
            Err(EulerSingularity { kind: self, middle: angles[1], determinant })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::real::Dual;
    use crate::sample::Sampler;
    use core::f64::consts::{FRAC_PI_2, PI};

    fn distance(a: Mat3, b: Mat3) -> f64 {
        (a - b).rows.into_iter().map(Vec3::norm).fold(0.0, f64::max)
    }

    #[test]
    fn the_product_of_three_turns() {
        let mut sampler = Sampler::new(1);
        for _ in 0..50 {
            let angles @ [a, b, c] = sampler.vector(PI).to_array();
            let [a, b, c] = [a, b, c].map(PlanarRotation::by);
            let both = a.matrix_z() * b.matrix_y();
            assert!(distance(EulerAngles::Zyx.rotation(angles), both * c.matrix_x()) < 1e-15);
            assert!(distance(EulerAngles::Zyz.rotation(angles), both * c.matrix_z()) < 1e-15);
        }
    }

    #[test]
    fn angles_give_the_attitude_back() {
        let mut sampler = Sampler::new(2);
        for kind in EulerAngles::ALL {
            for _ in 0..200 {
                let rotation = sampler.rotation();
                let angles = kind.angles(&rotation).expect("no random attitude is singular");
                assert!(distance(kind.rotation(angles), rotation) < 4e-15, "{angles:?}");
            }
        }
    }

    /// Ṙ = ω̃ R, and its derivative once more, by nested dual numbers from the rotation alone.
    #[test]
    fn rates_are_the_derivatives_of_the_attitude() {
        let mut sampler = Sampler::new(3);
        for kind in EulerAngles::ALL {
            for _ in 0..50 {
                let [q, v, a] = [3.0, 2.0, 5.0].map(|size| sampler.vector(size).to_array());
                let moving: [Dual<1, Dual<1>>; 3] = core::array::from_fn(|k| Dual {
                    value: Dual { value: q[k], derivative: [v[k]] },
                    derivative: [Dual { value: v[k], derivative: [a[k]] }],
                });
                let r = kind.rotation(moving);
                let part = |f: fn(&Dual<1, Dual<1>>) -> Dual<1>| {
                    Mat3::from_rows(r.rows.map(|row| row.to_array().map(|x| f(&x)).into()))
                };
                let (rotation, rate) = (part(|x| x.value), part(|x| x.derivative[0]));
                let spin = rate * rotation.transpose();
                let omega = [spin.rows[2].y, spin.rows[0].z, spin.rows[1].x];
                let (omega, omega_rate) = (omega.map(|x| x.value).into(), Vec3::from(omega.map(|x| x.derivative[0])));
                let e = kind.omega_of_rates(q);
                let e_rate = kind.omega_of_rates_rate(q, v);
                assert!((e * Vec3::from(v) - omega).norm() < 1e-13);
                assert!((e * Vec3::from(a) + e_rate * Vec3::from(v) - omega_rate).norm() < 1e-13);
                let Ok(rates) = kind.rates(q, omega) else { panic!("{q:?} is not singular") };
                let accelerations = kind.accelerations(q, v, omega_rate).expect("as before");
                let determinant = e.rows[0].dot(e.rows[1].cross(e.rows[2])).abs();
                for k in 0..3 {
                    assert!((rates[k] - v[k]).abs() < 1e-13 / determinant, "{kind:?} {q:?}");
                    assert!((accelerations[k] - a[k]).abs() < 1e-12 / determinant, "{kind:?} {q:?}");
                }
            }
        }
    }

    #[test]
    fn singular_angles_are_refused_by_name() {
        let straight = EulerAngles::Zyx.rotation([0.3, FRAC_PI_2, 0.1]);
        let error = EulerAngles::Zyx.angles(&straight).expect_err("pitch is a right angle").to_string();
        assert!(error.contains("321") && error.contains("1.5707963"), "{error}");
        let error = EulerAngles::Zyz.rates([0.1, 0.0, 0.2], Vec3::zero(0.0)).expect_err("the poles meet").to_string();
        assert!(error.contains("zyz") && error.contains("quaternion"), "{error}");
        assert!(EulerAngles::Zyz.angles(&Mat3::identity(0.0)).is_err());
        assert!(EulerAngles::Zyx.refuse_singular([0.0, f64::NAN, 0.0]).is_err());
    }
}
