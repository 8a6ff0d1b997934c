//! Joints that stand still: fingers, and others that were not recorded.
//!
//! A joint that stands follows nothing, at a constant position. Its body is part of what carries it, and its parameters are regrouped into that body's,
//! but it stays a body of its own, so that a robot's file has the joint as before.

use appell::description::{Description, Mimic};
use appell::{Robot, RobotError};
use std::collections::HashSet;

/// A joint that stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Lock {
    /// Its name.
    pub joint: String,
    /// Where, rad or m; at its home, or at the limit that is nearest to that, if not given.
    pub position: Option<f64>,
}

/// Why a joint cannot stand.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum LockError {
    /// A joint that is none, or has several degrees of freedom.
    #[error("there is no joint `{joint}` of one degree of freedom; there are {}", known.join(", "))]
    Unknown { joint: String, known: Vec<String> },
    /// A joint twice.
    #[error("joint `{joint}` is named twice")]
    Twice { joint: String },
    /// A position that is none.
    #[error("joint `{joint}` cannot stand at {position}; expected a finite position, rad or m")]
    Position { joint: String, position: f64 },
    /// Nothing is left.
    #[error("all joints stand, so that nothing shows anything")]
    All,
    /// Loops.
    #[error(
        "joints stand in robots without closed loops; this one has some: leave out the joint in a copy of the file"
    )]
    Closed,
    /// Another robot than that of a description.
    #[error(
        "the robot has no description in which a joint could stand; make it with Robot::new or read it from a file"
    )]
    NoDescription,
    /// What comes of it is no robot.
    #[error("with these joints standing: {0}")]
    Robot(#[from] RobotError),
}

/// The same robot with some joints standing, and all that follow these alone: what is measured are the others, each by itself.
///
/// ```
/// use appell::Robot;
/// use appell_identification::unknowns::{Lock, with_locked};
///
/// let arm = Robot::builtin("scara")?;
/// let lock = Lock { joint: arm.drives()[2].name.into(), position: Some(0.1) };
/// assert_eq!(with_locked(&arm, &[lock])?.drives().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no such joint, or no other one, or the robot has closed loops.
pub fn with_locked(robot: &Robot, locks: &[Lock]) -> Result<Robot, LockError> {
    if locks.is_empty() {
        return Ok(robot.clone());
    }
    if robot.closed().is_some() {
        return Err(LockError::Closed);
    }
    let mut description = robot.description().ok_or(LockError::NoDescription)?.clone();
    let mut standing = HashSet::new();
    for Lock { joint, position } in locks {
        let found = description.joints.iter_mut().find(|own| own.name == *joint && own.kind.elementary().is_some());
        let Some(own) = found else {
            let known = description.joints.iter().filter(|own| own.kind.elementary().is_some());
            return Err(LockError::Unknown {
                joint: joint.clone(),
                known: known.map(|own| own.name.clone()).collect(),
            });
        };
        let offset = position.unwrap_or_else(|| own.home.max(own.limits.lower).min(own.limits.upper));
        if !offset.is_finite() {
            return Err(LockError::Position { joint: joint.clone(), position: offset });
        }
        if !standing.insert(joint.clone()) {
            return Err(LockError::Twice { joint: joint.clone() });
        }
        own.mimic = Some(Mimic { joints: Vec::new(), offset });
    }
    stand_with(&mut description, &mut standing);
    if standing.len() == description.joints.len() {
        return Err(LockError::All);
    }
    let made = Robot::new(description)?;
    Ok(made.coupled().expect("who stands follows none that moves"))
}

/// Lets what follows standing joints stand, and what follows others move by itself.
fn stand_with(description: &mut Description, standing: &mut HashSet<String>) {
    loop {
        let before = standing.len();
        for joint in &description.joints {
            if joint.mimic.as_ref().is_some_and(|mimic| mimic.names().all(|name| standing.contains(name))) {
                standing.insert(joint.name.clone());
            }
        }
        if standing.len() == before {
            break;
        }
    }
    description.joints.iter_mut().filter(|joint| !standing.contains(&joint.name)).for_each(|joint| joint.mimic = None);
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::description::Limits;

    fn lock(joint: &str, position: Option<f64>) -> Lock {
        Lock { joint: joint.into(), position }
    }

    /// A gripper of two fingers, one of which follows the other.
    fn gripper() -> Robot {
        let mut description = Robot::builtin("puma560").unwrap().description().unwrap().clone();
        let last = description.joints[5].clone();
        for (name, mimic) in [("finger", None), ("thumb", Some(Mimic::new("finger", -1.0, 0.0)))] {
            let limits = Limits { lower: 0.01, upper: 0.04, ..Limits::default() };
            let parent = Some(last.name.clone());
            description.joints.push(appell::description::JointDescription {
                name: name.into(),
                parent,
                mimic,
                limits,
                ..last.clone()
            });
        }
        description.convention = appell::description::Convention::KhalilKleinfinger;
        Robot::new(description).unwrap()
    }

    #[test]
    fn followers_stand_with_their_leaders() {
        let robot = gripper();
        assert_eq!(robot.drives().len(), 8);
        let standing = with_locked(&robot, &[lock("finger", None)]).unwrap();
        assert_eq!(standing.drives().iter().map(|drive| drive.index).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        let mut rows = [0.0; 8];
        standing.tree().coordinates().unwrap().anchor(&[0.5; 6], &mut rows);
        assert_eq!(rows[5..], [0.5, 0.01, -0.01]);
        // Who stands alone leaves its leader as it is, and one that follows nothing that stands moves by itself.
        assert_eq!(with_locked(&robot, &[lock("thumb", Some(0.0))]).unwrap().drives().len(), 7);
        let elbow = robot.drives()[2].name;
        assert_eq!(with_locked(&robot, &[lock(elbow, None)]).unwrap().drives().len(), 7);
    }

    #[test]
    fn what_cannot_stand_is_named() {
        let robot = gripper();
        let error = |locks: &[Lock]| with_locked(&robot, locks).unwrap_err().to_string();
        assert!(error(&[lock("hand", None)]).starts_with("there is no joint `hand`"));
        assert_eq!(error(&[lock("finger", None), lock("finger", None)]), "joint `finger` is named twice");
        assert!(error(&[lock("finger", Some(f64::NAN))]).contains("cannot stand at NaN"));
        let all: Vec<Lock> = robot.drives().iter().map(|drive| lock(drive.name, None)).collect();
        assert_eq!(with_locked(&robot, &all).unwrap_err(), LockError::All);
        let closed = Robot::builtin("five-bar").unwrap();
        assert_eq!(with_locked(&closed, &[lock("elbow", None)]).unwrap_err(), LockError::Closed);
    }
}
