//! How designers of mechanisms write a parallel robot: 6-UPS, a letter per joint, the driven ones underlined.

use appell::closed::{ClosedMechanism, Constraint, Leg};
use appell::description::elementary::{Charts, elementary};
use appell::description::{ClosingJoint, Description, JointDescription, JointKind, JointType};

/// A letter of a leg.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Letter {
    /// R, P, U, S or C; H for a screw, E for a planar joint, F for a free one, 0 for a rigid end.
    pub letter: char,
    /// Whether a motor drives it.
    pub driven: bool,
}

/// A robot's legs of one kind together: `6-UPS`, or `3-UPS + 1-PU`; with `underlined` drives where text can show them.
pub fn of_robot(robot: &ClosedMechanism, description: &Description, underlined: bool) -> String {
    let mut kinds: Vec<(String, usize)> = Vec::new();
    for leg in legs(robot) {
        let letters = written(&of_leg(robot, description, leg), underlined);
        match kinds.iter_mut().find(|(kind, _)| *kind == letters) {
            Some((_, count)) => *count += 1,
            None => kinds.push((letters, 1)),
        }
    }
    kinds.iter().map(|(letters, count)| format!("{count}-{letters}")).collect::<Vec<_>>().join(" + ")
}

/// The legs that are made of something: a platform that may not turn is also held by what is not a joint.
pub fn legs(robot: &ClosedMechanism) -> impl Iterator<Item = &Leg> {
    robot.legs().iter().filter(|leg| matches!(robot.closures()[leg.closure].constraint, Constraint::Joint(_)))
}

/// Letters in a row, the driven ones underlined if text can show that.
pub fn written(letters: &[Letter], underlined: bool) -> String {
    let mark = |driven: bool| if driven && underlined { "\u{332}" } else { "" };
    letters.iter().map(|&Letter { letter, driven }| format!("{letter}{}", mark(driven))).collect()
}

/// The letters of a leg, from the base to its closing joint.
///
/// Two passive turns about axes that meet at a right angle, with nothing but a massless cross between them, are a
/// universal joint.
pub fn of_leg(robot: &ClosedMechanism, description: &Description, leg: &Leg) -> Vec<Letter> {
    let mut letters = Vec::new();
    let (description, compounds) = elementary(description, Charts::AtZero);
    let mut rows = leg.joints.iter().copied().peekable();
    while let Some(row) = rows.next() {
        let joint = &description.joints[row];
        if let Some(compound) = compounds.iter().find(|compound| compound.has(Some(row))) {
            let mut driven = joint.driven;
            while let Some(other) = rows.next_if(|&other| compound.has(Some(other))) {
                driven |= description.joints[other].driven;
            }
            letters.push(Letter { letter: of_type(compound.kind), driven });
            continue;
        }
        let letter = match (joint.kind.last(), rows.peek()) {
            (JointKind::Revolute, Some(&next)) if is_cross(joint, &description.joints[next]) => {
                rows.next();
                'U'
            }
            (JointKind::Revolute, _) => 'R',
            (JointKind::Prismatic, _) => 'P',
        };
        letters.push(Letter { letter, driven: joint.driven });
    }
    letters.push(Letter { letter: closing(robot.closures()[leg.closure].constraint), driven: false });
    letters
}

fn of_type(kind: JointType) -> char {
    match kind {
        JointType::Revolute => 'R',
        JointType::Prismatic => 'P',
        JointType::Universal => 'U',
        JointType::Cylindrical => 'C',
        JointType::Planar => 'E',
        JointType::Screw => 'H',
        JointType::Spherical => 'S',
        JointType::Free => 'F',
    }
}

/// Whether a joint carries nothing but the next one, at a right angle, and both turn freely.
fn is_cross(joint: &JointDescription, next: &JointDescription) -> bool {
    let place = next.placement;
    let meets = place.d == 0.0 && place.e == 0.0 && place.alpha.cos().abs() < 1e-9;
    next.kind == JointKind::Revolute && joint.body.mass == 0.0 && meets && !joint.driven && !next.driven
}

fn closing(constraint: Constraint) -> char {
    match constraint {
        Constraint::Joint(ClosingJoint::Spherical) => 'S',
        Constraint::Joint(ClosingJoint::Revolute) => 'R',
        Constraint::Joint(ClosingJoint::Universal) => 'U',
        Constraint::Joint(ClosingJoint::Cylindrical) => 'C',
        Constraint::Joint(ClosingJoint::Prismatic) => 'P',
        Constraint::Joint(ClosingJoint::Rigid) | Constraint::Attitude => '0',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::description::toml;
    use appell::robots;

    #[test]
    fn the_built_in_robots_are_called_as_designers_do() {
        for (name, expected) in [
            ("gough-stewart", "6-UP\u{332}S"),
            ("delta", "3-R\u{332}UU"),
            ("hexapod-6rus", "6-R\u{332}US"),
            ("3-rps", "3-RP\u{332}S"),
            ("planar-3rrr", "3-R\u{332}RR"),
            ("five-bar", "2-R\u{332}RS"),
            ("four-bar", ""),
        ] {
            let robot = robots::find(name).unwrap();
            let (description, _) = toml::read(robot.toml).unwrap();
            assert_eq!(of_robot(&robot.closed(), &description, true), expected);
        }
    }

    #[test]
    fn joints_of_several_degrees_of_freedom_have_one_letter() {
        let text = r#"
name = "platform"
frames = "modified-dh"
[platform]
mass = 1.0
com = [0.0, 0.0, 0.0]
inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }
home = { xyz = [0.0, 0.0, 1.0] }
[chain.ups]
joints = [
  ["ball",  "spherical", "0", 0.0, "0", 0.0],
  ["slide", "prismatic", "0", 0.0, "0", "q"],
]
driven = ["slide"]
closing = "universal"
joint.slide.home = 1.0
body = { ball.mass = 0, slide.mass = 0 }
[leg.one]
"#;
        let (description, _) = toml::read(text).unwrap_or_else(|problems| panic!("{problems}"));
        let robot = ClosedMechanism::from_toml(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(of_robot(&robot, &description, true), "1-SP\u{332}U");
    }
}
