//! What is wrong with a platform and with what closes loops.

use super::check::{check_body, check_pose};
use super::name::key;
use super::{Carrier, ClosureDescription, Description, Finding, PlatformDescription, Problems};
use std::collections::HashSet;

/// Checks all that makes a robot more than a tree; names are checked with those of the joints.
pub(super) fn check_closed(problems: &mut Problems, description: &Description) {
    if let Some(platform) = &description.platform {
        check_platform(problems, platform);
        if !description.closures.iter().any(|closure| attachments(closure).any(|on| *on == Carrier::Platform)) {
            problems.error("platform", Finding::NothingHolds);
        }
    }
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
