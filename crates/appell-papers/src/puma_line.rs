//! The straight lines along which Mata2002 and Valera let the PUMA carry its hand.

use super::StudyError;
use appell::kinematics::spherical_wrist::{Branch, Sign};
use appell::mechanism::Mechanism;
use appell::spatial::{EulerAngles, Pose, Vec3};
use appell_simulation::trajectory::{Follower, Line, Shape, Start, Task, TimeLaw};

/// A line at constant speed and attitude. Its point is the wrist's centre, the origin of the last frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PumaLine {
    /// m.
    pub from: [f64; 3],
    /// m.
    pub to: [f64; 3],
    /// ZYZ, degrees.
    pub attitude: [f64; 3],
    /// s.
    pub duration: f64,
}

impl PumaLine {
    /// Of Mata2002, §5.2. It prints 0.1 m/s too, with which this line would last 3.29 s and not 5.
    pub const MATA: Self =
        Self { from: [0.50, 0.0, 0.05], to: [0.62, 0.30, 0.11], attitude: [0.0, 90.0, 180.0], duration: 5.0 };

    /// Of Valera, §4: 0.1 m/s, rounded to 8.6 s.
    pub const VALERA: Self =
        Self { from: [0.6, 0.175, 0.250], to: [0.018, 0.757, 0.0], attitude: [45.0, 60.0, 90.0], duration: 8.6 };

    /// The speed that both papers print, m/s.
    pub const PRINTED_SPEED: f64 = 0.1;

    /// m.
    #[must_use]
    pub fn length(&self) -> f64 {
        (Vec3::from(self.to) - Vec3::from(self.from)).norm()
    }

    /// The motion of an arm's joints along the line: with its shoulder, elbow and wrist on their first sides, as neither
    /// paper says which of the eight branches it takes.
    ///
    /// # Errors
    /// If the arm is not of the PUMA's type, or does not reach the start.
    pub fn joints<'r>(&self, robot: &'r Mechanism) -> Result<Follower<'r>, StudyError> {
        let rotation = EulerAngles::Zyz.rotation(self.attitude.map(f64::to_radians));
        let [from, to] = [self.from, self.to].map(|place| Pose { rotation, position: place.into() });
        let line = Line::new(&from, &to, TimeLaw::new(Shape::Constant, self.duration)?)?;
        let branch = Branch { shoulder: Sign::Plus, elbow: Sign::Plus, wrist: Sign::Plus };
        let near = vec![0.0; robot.dof()];
        let hand = robot.dof() - 1; // the first frames are the bodies'
        Ok(Follower::new(robot, hand, Box::new(line), Task::Pose, Start::Branch(branch, &near), &[])?)
    }
}
