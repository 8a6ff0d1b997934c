//! A motion through taught points: `TrajectoryRequest` of the contract, its times, and the motion itself.
//!
//! Cubic, quintic and trapezoidal laws go from point to point and rest at each; a spline goes through all of them without stopping. Each is
//! a `[reference]` of scenarios as well, so that both follow the same.

use crate::numbers;
use crate::place::{Place, positions_of_drives};
use appell::Robot;
use appell::spatial::{Pose, turn_between};
use appell_simulation::trajectory::{
    ClosedMotion, Ends, FrameReference, JointReference, JointStates, PathError, RobotMotion, Shape, Spline, Stops,
    TreeMotion, ViaSpline,
};
use serde::{Deserialize, Serialize};

/// Points at most.
const MOST_POINTS: usize = 1000;

/// How the way is gone along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeLaw {
    /// Of degree 3, resting at each point.
    Cubic,
    /// Of degree 5, resting at each point.
    Quintic,
    /// Constant acceleration, speed and deceleration, resting at each point.
    Trapezoid,
    /// Of degree 5 through all points.
    Spline,
}

/// What the points are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Of {
    /// Positions of the joints of a tree, or of all joints or the drives of a robot with loops.
    Joints,
    /// Poses of the platform.
    Pose,
}

/// `TrajectoryRequest` of the contract.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Positions or poses.
    pub points: Vec<Vec<f64>>,
    /// What they are.
    pub of: Of,
    /// How the way is gone along.
    pub law: TimeLaw,
    /// s; as fast as the limits permit where it is not given.
    pub duration: Option<f64>,
    /// Rows of the answer.
    pub samples: usize,
}

/// Points that fit a robot, without times.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Course {
    pub(super) points: Points,
    pub(super) law: TimeLaw,
}

/// What moves through them.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Points {
    /// Positions of the drives.
    Drives(Vec<Vec<f64>>),
    /// The platform.
    Poses(Vec<Pose>),
}

impl TimeLaw {
    /// The law between two points; none of a spline.
    pub(super) fn shape(self) -> Option<Shape> {
        match self {
            Self::Cubic => Some(Shape::Cubic),
            Self::Quintic => Some(Shape::Quintic),
            Self::Trapezoid => Some(Shape::TRAPEZOIDAL),
            Self::Spline => None,
        }
    }
}

impl Course {
    /// The points of a request, if they fit the robot.
    pub(super) fn new(robot: &Robot, request: &Request) -> Result<Self, String> {
        let many = request.points.len();
        if !(2..=MOST_POINTS).contains(&many) {
            return Err(format!("a trajectory through {many} points; expected 2 to {MOST_POINTS}"));
        }
        let tree = robot.tree();
        let is_quaternion = tree
            .coordinates()
            .is_some_and(|own| (0..own.velocities().len()).any(|velocity| own.position_of(velocity).is_none()));
        if robot.closed().is_none() && is_quaternion {
            return Err(format!("{} has joints that are quaternions; trajectories are for plain ones", robot.name()));
        }
        let points = match request.of {
            Of::Pose if robot.platform().is_none() => {
                return Err(format!("{} has no platform; let its joints move", robot.name()));
            }
            Of::Pose => Points::Poses(request.points.iter().map(|row| numbers::pose(row)).collect::<Result<_, _>>()?),
            Of::Joints => {
                let drives = positions_of_drives(robot);
                let all = if robot.closed().is_some() { tree.dof() } else { robot.positions().len() };
                let row = |row: &Vec<f64>| {
                    if robot.closed().is_some() && row.len() == drives.len() {
                        numbers::expect("points", row, drives.len())?;
                        return Ok(row.clone());
                    }
                    numbers::expect("points", row, all)?;
                    Ok(drives.iter().map(|&k| row[k]).collect())
                };
                Points::Drives(request.points.iter().map(row).collect::<Result<_, String>>()?)
            }
        };
        Ok(Self { points, law: request.law })
    }

    /// Times of the points for a duration, s: in proportion to the ways, each over the speed that its joint may have.
    pub(super) fn times(&self, robot: &Robot, duration: f64) -> Result<Vec<f64>, String> {
        if !(1e-3..=1e4).contains(&duration) {
            return Err(format!("a trajectory of {duration} s; expected 0.001 to 10000 s"));
        }
        let drives = robot.drives();
        let ways: Vec<f64> = match &self.points {
            Points::Drives(points) => {
                let speed = |k: usize| Some(drives[k].limits.velocity).filter(|v| v.is_finite() && *v > 0.0);
                let way = |pair: &[Vec<f64>]| {
                    let ways = pair[0].iter().zip(&pair[1]).enumerate();
                    ways.map(|(k, (a, b))| (b - a).abs() / speed(k).unwrap_or(1.0)).fold(0.0, f64::max)
                };
                points.windows(2).map(way).collect()
            }
            Points::Poses(poses) => {
                let length = robot.closed().map_or(1.0, appell::closed::ClosedMechanism::length);
                let way = |pair: &[Pose]| {
                    let turn = turn_between(&pair[0].rotation, &pair[1].rotation).norm();
                    (pair[1].position - pair[0].position).norm().max(length * turn)
                };
                poses.windows(2).map(way).collect()
            }
        };
        let total: f64 = ways.iter().sum();
        if total <= 0.0 {
            return Err("all points of the trajectory are the same; teach another one".into());
        }
        // Points that are the same take a little time all the same: times grow.
        let least = 1e-3 * total;
        let total: f64 = ways.iter().map(|way| way.max(least)).sum();
        let mut time = 0.0;
        let mut times = vec![0.0];
        for way in &ways {
            time += duration * way.max(least) / total;
            times.push(time);
        }
        if let Some(last) = times.last_mut() {
            *last = duration;
        }
        Ok(times)
    }

    fn joints(points: &[Vec<f64>], times: &[f64], law: TimeLaw) -> Result<Box<dyn JointReference>, PathError> {
        Ok(match law.shape() {
            Some(shape) => Box::new(Stops::of_joints(times, points, shape)?),
            None => Box::new(Spline::quintic(times, points, Ends::Rest)?),
        })
    }

    fn path(poses: &[Pose], times: &[f64], law: TimeLaw) -> Result<Box<dyn FrameReference>, PathError> {
        Ok(match law.shape() {
            Some(shape) => Box::new(Stops::of_poses(times, poses, shape)?),
            None => Box::new(ViaSpline::new(times, poses)?),
        })
    }

    /// The motion of the drives.
    pub(super) fn drives(&self, robot: &Robot, times: &[f64]) -> Result<Box<dyn JointReference>, String> {
        let words = |error: PathError| error.to_string();
        match (&self.points, robot.closed()) {
            (Points::Drives(points), _) => Self::joints(points, times, self.law).map_err(words),
            (Points::Poses(poses), Some(closed)) => {
                let path = Self::path(poses, times, self.law).map_err(words)?;
                Ok(Box::new(ClosedMotion::of_platform(closed, path, false)))
            }
            (Points::Poses(_), None) => Err(format!("{} has no platform", robot.name())),
        }
    }

    /// The motion of all joints, with torques and forces.
    pub(super) fn motion<'r>(&self, robot: &'r Robot, times: &[f64]) -> Result<Moving<'r>, String> {
        let words = |error: PathError| error.to_string();
        match (&self.points, robot.closed()) {
            (Points::Drives(points), None) => {
                let reference = Self::joints(points, times, self.law).map_err(words)?;
                Ok(Moving::Tree(TreeMotion::new(robot.tree(), reference, true)))
            }
            (Points::Drives(points), Some(closed)) => {
                let reference = Self::joints(points, times, self.law).map_err(words)?;
                Ok(Moving::Closed(Box::new(ClosedMotion::of_drives(closed, reference, true))))
            }
            (Points::Poses(poses), Some(closed)) => {
                let path = Self::path(poses, times, self.law).map_err(words)?;
                Ok(Moving::Closed(Box::new(ClosedMotion::of_platform(closed, path, true))))
            }
            (Points::Poses(_), None) => Err(format!("{} has no platform", robot.name())),
        }
    }
}

/// All joints of a robot on a course.
pub(super) enum Moving<'r> {
    Tree(TreeMotion<'r>),
    Closed(Box<ClosedMotion<'static>>),
}

impl<'r> Moving<'r> {
    /// As the library's limits are checked on it.
    pub(super) fn all(&mut self) -> &mut (dyn RobotMotion + 'r) {
        match self {
            Self::Tree(motion) => motion,
            Self::Closed(motion) => &mut **motion,
        }
    }

    /// All joints at a time, and where the robot is then.
    pub(super) fn at(&mut self, t: f64) -> Result<(JointStates, Place), String> {
        let states = self.all().at(t).map_err(|error| error.to_string())?.clone();
        let place = match self {
            Self::Tree(_) => Place::Tree(states.q.clone()),
            Self::Closed(motion) => Place::Closed(motion.configuration().clone()),
        };
        Ok((states, place))
    }
}
