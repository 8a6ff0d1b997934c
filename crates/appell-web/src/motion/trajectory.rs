//! Trajectories through taught points: as fast as asked, or as the limits permit; samples, and the first limit that is passed.

use super::course::{Course, Request};
use super::refuse_large;
use crate::bench::Bench;
use crate::numbers::{PoseNumbers, of_pose};
use crate::place::positions_of_drives;
use appell::Robot;
use appell_simulation::trajectory::limits::{self, Quantity, Violation};
use appell_simulation::trajectory::{JointStates, RobotMotion};
use serde::Serialize;

/// Rows of an answer at most.
const MOST_SAMPLES: usize = 5_000;

/// Places at which limits are looked at while a duration is searched for.
const LOOKS: usize = 160;

/// Halvings of the search for the shortest duration.
const ROUNDS: usize = 40;

/// `Trajectory` of the contract.
#[derive(Debug, Clone, Serialize)]
pub struct Trajectory {
    /// s.
    pub t: Vec<f64>,
    /// Positions of all joints, row by row.
    pub q: Vec<Vec<f64>>,
    /// Their velocities.
    pub v: Vec<Vec<f64>>,
    /// Their accelerations.
    pub a: Vec<Vec<f64>>,
    /// Of what the hand holds.
    pub pose: Vec<PoseNumbers>,
    /// Torques and forces of the drives.
    pub tau: Vec<Vec<f64>>,
    /// The first limit that is passed.
    pub limit: Option<String>,
    /// What was asked for.
    pub request: Request,
}

impl Bench {
    /// A motion through taught points.
    ///
    /// # Errors
    /// If the robot cannot follow, or there are no limits that say how fast.
    pub fn trajectory(&self, request: &Request) -> Result<Trajectory, String> {
        let robot = self.robot();
        refuse_large(robot)?;
        let samples = request.samples.clamp(2, MOST_SAMPLES);
        let course = Course::new(robot, request)?;
        let duration = match request.duration {
            Some(duration) => duration,
            None => quickest(robot, &course)?,
        };
        let times = course.times(robot, duration)?;
        let mut motion = course.motion(robot, &times)?;
        let drives = positions_of_drives(robot);
        let mut found = Trajectory {
            t: Vec::new(),
            q: Vec::new(),
            v: Vec::new(),
            a: Vec::new(),
            pose: Vec::new(),
            tau: Vec::new(),
            limit: None,
            request: request.clone(),
        };
        for k in 0..samples {
            let t = duration * k as f64 / (samples - 1) as f64;
            let (JointStates { q, v, a, tau }, place) = motion.at(t)?;
            found.t.push(t);
            found.pose.push(of_pose(&place.pose(robot, self.held())));
            // Torques of a tree have the order of its velocities already.
            found.tau.push(match robot.closed() {
                Some(_) => drives.iter().map(|&j| tau[j]).collect(),
                None => tau,
            });
            found.q.push(q);
            found.v.push(v);
            found.a.push(a);
        }
        let step = duration / (samples - 1).max(LOOKS) as f64;
        found.limit = first_violation(robot, motion.all(), step)?.map(|violation| violation.to_string());
        Ok(found)
    }
}

/// The first limit that is passed; none is known of robots whose joints follow others.
fn first_violation(robot: &Robot, motion: &mut dyn RobotMotion, step: f64) -> Result<Option<Violation>, String> {
    if robot.closed().is_none() && robot.tree().coordinates().is_some() {
        return Ok(None);
    }
    let report = limits::check(motion, &[], step).map_err(|error| error.to_string())?;
    Ok(report.first)
}

/// How the speeds and torques of a motion in a time are to their limits: the largest ratio; zero where there are no limits.
fn load(robot: &Robot, course: &Course, duration: f64) -> Result<f64, String> {
    let times = course.times(robot, duration)?;
    let mut motion = course.motion(robot, &times)?;
    let (drives, positions) = (robot.drives(), positions_of_drives(robot));
    let mut most = 0.0_f64;
    for k in 0..=LOOKS {
        let states = motion.all().at(duration * k as f64 / LOOKS as f64).map_err(|error| error.to_string())?;
        for (k, drive) in drives.iter().enumerate() {
            let (v, tau) = match robot.closed() {
                Some(_) => (states.v[positions[k]], states.tau[positions[k]]),
                None => (states.v[k], states.tau[k]),
            };
            for (value, limit) in [(v, drive.limits.velocity), (tau, drive.limits.effort)] {
                if limit.is_finite() && (drive.driven || value == v) {
                    most = most.max(if limit > 0.0 { value.abs() / limit } else { f64::INFINITY });
                }
            }
        }
    }
    Ok(most)
}

/// The shortest duration within the limits of speeds and of torques and forces.
fn quickest(robot: &Robot, course: &Course) -> Result<f64, String> {
    let (mut short, mut long) = (1e-2, 1e-2);
    let first = load(robot, course, long)?;
    if first == 0.0 {
        return Err(format!(
            "{} has no limits of speed and torque that say how fast it may be; give a duration",
            robot.name()
        ));
    }
    while load(robot, course, long)? > 1.0 {
        short = long;
        long *= 2.0;
        if long > 1000.0 {
            return Err("the drives are too weak for these points, however slowly they are passed: gravity alone \
                        needs more than their limits"
                .into());
        }
    }
    for _ in 0..ROUNDS {
        if long - short <= 1e-4 * long {
            break;
        }
        let middle = 0.5 * (short + long);
        *(if load(robot, course, middle)? > 1.0 { &mut short } else { &mut long }) = middle;
    }
    // Peaks between the places that were looked at are a little higher.
    for _ in 0..ROUNDS {
        let mut motion = course.motion(robot, &course.times(robot, long)?)?;
        match first_violation(robot, motion.all(), long / LOOKS as f64)? {
            Some(violation) if violation.quantity != Quantity::Position => long *= 1.0 + 1e-4,
            _ => break,
        }
    }
    Ok(long)
}
