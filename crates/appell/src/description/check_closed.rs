//! What is wrong with a platform and with what closes loops.

use super::check_body::{check_body, check_pose};
use super::name::key;
use super::{BASE, Carrier, ClosureDescription, Description, Finding, PlatformDescription, Problems};
use std::collections::HashSet;

/// Checks all that makes a robot more than a tree; names are checked with those of the joints.
pub(super) fn check_closed(problems: &mut Problems, description: &Description) {
    if let Some(platform) = &description.platform {
        check_platform(problems, platform);
        if !description.closures.iter().any(|closure| attachments(closure).any(|on| *on == Carrier::Platform)) {
            problems.error("platform", Finding::NothingHolds);
        }
    }
    check_output(problems, description);
    let joints: HashSet<&str> = description.joints.iter().map(|joint| joint.name.as_str()).collect();
    let mut platform_is_missing = false;
    for closure in &description.closures {
        let place = format!("closure.{}", key(&closure.name));
        for (end, attachment) in [("first", &closure.first), ("second", &closure.second)] {
            let place = format!("{place}.{end}");
            check_pose(problems, &place, &attachment.pose);
            match &attachment.on {
                Carrier::Joint(name) if !joints.contains(name.as_str()) => {
                    let known = description.joints.iter().map(|joint| joint.name.clone()).collect();
                    problems.error(format!("{place}.on"), Finding::UnknownCarrier { name: name.clone(), known });
                }
                // One word is enough: all legs hold the same platform.
                Carrier::Platform if description.platform.is_none() && !platform_is_missing => {
                    platform_is_missing = true;
                    problems.error(place, Finding::NoPlatform);
                }
                _ => {}
            }
        }
        if closure.first.on == closure.second.on {
            problems.error(place, Finding::ClosesOnItself { on: closure.first.on.name().into() });
        }
    }
}

/// An output is a frame of something that moves, of a robot with closed loops.
fn check_output(problems: &mut Problems, description: &Description) {
    let Some(name) = &description.output else { return };
    let finding = match description.frame_of(name) {
        _ if !description.is_closed() => Finding::OutputOfTree,
        Some((Carrier::Base, _)) => Finding::OutputOnBase { name: name.clone() },
        None if name == BASE => Finding::OutputOnBase { name: name.clone() },
        None => Finding::UnknownOutput { name: name.clone(), known: description.outputs() },
        Some(_) => return,
    };
    problems.error("output", finding);
}

fn attachments(closure: &ClosureDescription) -> impl Iterator<Item = &Carrier> {
    [&closure.first.on, &closure.second.on].into_iter()
}

fn check_platform(problems: &mut Problems, platform: &PlatformDescription) {
    check_body(problems, "platform", &platform.body);
    check_body(problems, "platform.payload", &platform.payload);
    check_pose(problems, "platform.home", &platform.home);
    let freedoms = platform.freedoms.as_deref().unwrap_or_default();
    for (k, freedom) in freedoms.iter().enumerate() {
        let (place, name) = (format!("platform.freedoms[{}]", k + 1), freedom.name());
        if freedoms[..k].contains(freedom) {
            problems.error(place, Finding::DuplicateFreedom { freedom: name });
        } else if freedom.turns() && !platform.turns {
            problems.error(place, Finding::FreedomOfTurning { freedom: name });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{
        Attachment, ClosingJoint, FrameDescription, JointDescription, JointKind, PLATFORM, check,
    };
    use crate::mechanism::Mechanism;
    use crate::spatial::Pose;

    fn attachment(on: Carrier) -> Attachment {
        Attachment { on, pose: Pose::identity(0.0) }
    }

    /// A platform on one arm.
    fn robot() -> Description {
        let (first, second) = (attachment(Carrier::Joint("arm".into())), attachment(Carrier::Platform));
        Description {
            joints: vec![JointDescription::new("arm", JointKind::Revolute)],
            platform: Some(PlatformDescription::default()),
            closures: vec![ClosureDescription { name: "pin".into(), kind: ClosingJoint::Spherical, first, second }],
            ..Description::default()
        }
    }

    /// What `check` finds after one change to a sound robot, as `(place, finding)`.
    fn found(change: impl FnOnce(&mut Description)) -> Vec<(String, Finding)> {
        let mut robot = robot();
        change(&mut robot);
        check(&robot).into_iter().map(|problem| (problem.place, problem.finding)).collect()
    }

    fn one(place: &str, finding: Finding) -> Vec<(String, Finding)> {
        vec![(place.into(), finding)]
    }

    fn platform(change: impl FnOnce(&mut PlatformDescription)) -> Vec<(String, Finding)> {
        found(|robot| change(robot.platform.as_mut().unwrap()))
    }

    #[test]
    fn names_are_fit_and_unique() {
        let closure = |name: &str| found(|robot| robot.closures[0].name = name.into());
        assert_eq!(closure("pin"), []);
        assert_eq!(closure(BASE), one("closure.base", Finding::ReservedName { name: BASE }));
        assert_eq!(closure(""), one("closure.\"\"", Finding::EmptyName));
        let frame = |name: &str| FrameDescription { name: name.into(), parent: None, pose: Pose::identity(0.0) };
        assert_eq!(found(|robot| robot.frames.push(frame("pin"))), []);
        let reserved = Finding::ReservedName { name: PLATFORM };
        assert_eq!(found(|robot| robot.frames.push(frame(PLATFORM))), one("frame.platform", reserved));
        let open = Description { platform: None, closures: vec![], frames: vec![frame(PLATFORM)], ..robot() };
        assert!(check(&open).is_empty());
    }

    #[test]
    fn numbers_of_closed_robots_must_be_finite() {
        let infinite = || Finding::NotFinite { value: f64::INFINITY };
        let far = f64::INFINITY;
        assert_eq!(platform(|p| p.home.position.x = far), one("platform.home", infinite()));
        assert_eq!(platform(|p| p.payload.com.x = far), one("platform.payload.com", infinite()));
        assert_eq!(platform(|p| p.body.mass = -1.0), one("platform.mass", Finding::NegativeMass { value: -1.0 }));
        assert_eq!(found(|robot| robot.joints[0].home = far), one("joint.arm.home", infinite()));
        let moved = found(|robot| robot.closures[0].second.pose.position.z = far);
        assert_eq!(moved, one("closure.pin.second", infinite()));
    }

    #[test]
    fn a_tree_alone_can_be_a_mechanism() {
        let problems = Mechanism::new(&robot()).unwrap_err();
        let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert!(told.len() == 1 && told[0].starts_with("error: closure: has closed loops, by pin;"), "{told:?}");
    }
}
