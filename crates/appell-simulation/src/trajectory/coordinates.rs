//! Paths of a frame by six coordinates: position and Euler angles, each moving as a joint of its own.

use super::{FollowError, FrameMotion, FrameReference, JointReference, PathError};
use appell::spatial::{Acceleration, EulerAngles, Pose, Twist, Vec3};

/// A joint path of six numbers (x, y, z, and three Euler angles) as the path of a frame: ramps, splines and Fourier series
/// for platforms.
///
/// ```text
/// R = R(q)      ω = E(q) q̇      ω̇ = E q̈ + Ė q̇
/// ```
///
/// That way round nothing is singular, whatever the angles.
///
/// ```
/// use appell_simulation::trajectory::{Coordinates, FrameReference, Ramp, Shape, TimeLaw};
/// use appell::spatial::EulerAngles;
///
/// let (from, to) = ([0.0, 0.0, 0.7, 0.0, 0.0, 0.0], [0.0, 0.1, 0.8, 0.4, 0.0, 0.0]);
/// let ramp = Ramp::new(&from, &to, TimeLaw::new(Shape::Quintic, 1.0)?)?;
/// let mut path = Coordinates::new(Box::new(ramp), EulerAngles::Zyx)?;
/// assert!((path.at(0.5).unwrap().twist.angular.z - 0.4 * 1.875).abs() < 1e-15);
/// # Ok::<(), appell_simulation::trajectory::PathError>(())
/// ```
pub struct Coordinates<'p> {
    path: Box<dyn JointReference + 'p>,
    angles: EulerAngles,
}

impl<'p> Coordinates<'p> {
    /// The path of a frame whose coordinates move so.
    ///
    /// # Errors
    /// If they are not six.
    pub fn new(path: Box<dyn JointReference + 'p>, angles: EulerAngles) -> Result<Self, PathError> {
        match path.joints() {
            6 => Ok(Self { path, angles }),
            found => Err(PathError::Length { what: "a path of a frame", found, expected: 6 }),
        }
    }
}

impl FrameReference for Coordinates<'_> {
    fn duration(&self) -> f64 {
        self.path.duration()
    }

    fn at(&mut self, t: f64) -> Result<FrameMotion, FollowError> {
        let [mut x, mut rate, mut second] = [[0.0; 6]; 3];
        self.path.at(t, &mut x, &mut rate, &mut second)?;
        Ok(FrameMotion::of_coordinates(self.angles, x, rate, second))
    }
}

impl FrameMotion {
    /// The motion of a frame whose position and Euler angles move so.
    #[must_use]
    pub fn of_coordinates(angles: EulerAngles, x: [f64; 6], rate: [f64; 6], second: [f64; 6]) -> Self {
        let place = |[x, y, z, ..]: [f64; 6]| Vec3::new(x, y, z);
        let turn = |[.., a, b, c]: [f64; 6]| [a, b, c];
        let (q, v, a) = (turn(x), turn(rate), turn(second));
        let (e, e_rate) = (angles.omega_of_rates(q), angles.omega_of_rates_rate(q, v));
        Self {
            pose: Pose { rotation: angles.rotation(q), position: place(x) },
            twist: Twist { linear: place(rate), angular: e * Vec3::from(v) },
            acceleration: Acceleration { linear: place(second), angular: e * Vec3::from(a) + e_rate * Vec3::from(v) },
        }
    }
}
