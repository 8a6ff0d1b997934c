//! What does not change while a robot is operated.

use appell::Robot;
use appell::description::JointKind;
use appell_simulation::control::operated::{Bounds, Operated};
use serde_json::{Value, json};

/// Names, units and limits, for those who show and check what is commanded.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// The robot's name.
    pub robot: String,
    /// Names of the drives.
    pub drives: Vec<String>,
    /// Whether each slides: m, m/s and N, where others have rad, rad/s and N m.
    pub slides: Vec<bool>,
    /// Names of all joints, as endings of motions number them.
    pub joints: Vec<String>,
    /// Names of the degrees of freedom that can be jogged.
    pub freedoms: Vec<String>,
    /// Of each whether it turns, and its largest speed, rad/s or m/s.
    pub freedom_speeds: Vec<(bool, f64)>,
    /// The limits that an operator's motions keep.
    pub bounds: Bounds,
    /// Largest torques and forces, N m or N; infinite where the robot's file has none.
    pub effort: Vec<f64>,
    /// s.
    pub period: f64,
    /// Whether there is a trajectory to follow.
    pub has_trajectory: bool,
}

impl Facts {
    /// Those of a robot under an operator, with the period of its controller, s.
    #[must_use]
    pub fn of(robot: &Robot, operated: &Operated<'_>, period: f64) -> Self {
        let drives = robot.drives();
        let effort = |limit: f64| if limit > 0.0 { limit } else { f64::INFINITY };
        Self {
            robot: robot.name().to_owned(),
            drives: drives.iter().map(|drive| drive.name.to_owned()).collect(),
            slides: drives.iter().map(|drive| drive.kind == JointKind::Prismatic).collect(),
            joints: robot.joints().map(|joint| joint.name.to_owned()).collect(),
            freedoms: operated.freedoms(),
            freedom_speeds: operated.freedom_speeds(),
            bounds: operated.bounds(),
            effort: drives.iter().map(|drive| effort(drive.limits.effort)).collect(),
            period,
            has_trajectory: operated.has_trajectory(),
        }
    }

    /// As JSON; what is not limited is null.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let Bounds { lower, upper, speed, acceleration } = &self.bounds;
        let drive = |i: usize| {
            json!({
                "name": self.drives[i],
                "unit": if self.slides[i] { "m" } else { "rad" },
                "lower": lower[i],
                "upper": upper[i],
                "speed": speed[i],
                "acceleration": acceleration[i],
                "effort": self.effort[i],
            })
        };
        let freedom = |(name, (turns, speed)): (&String, &(bool, f64))| json!({ "name": name, "unit": if *turns { "rad" } else { "m" }, "speed": speed });
        json!({
            "robot": self.robot,
            "drives": (0..self.drives.len()).map(drive).collect::<Vec<_>>(),
            "freedoms": self.freedoms.iter().zip(&self.freedom_speeds).map(freedom).collect::<Vec<_>>(),
            "period": self.period,
            "trajectory": self.has_trajectory,
        })
    }
}
