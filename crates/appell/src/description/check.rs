//! Everything wrong or doubtful in a description, all at once.

use super::check_body::{check_body, check_finite, check_pose};
use super::check_closed::check_closed;
use super::check_effects::{check_effects, check_limits};
use super::check_transmission::check_transmissions;
use super::name::{LONGEST_NAME, key, unfit_character};
use super::{BASE, Description, Finding, JointDescription, JointType, Mimic, PLATFORM, Problems};
use std::collections::{HashMap, HashSet};

/// Lists everything wrong or doubtful in a description; where nothing is, the list is empty.
///
/// Errors forbid to compute. A tensor of inertia that no body can have is a warning: published tables have such,
/// and the equations still hold. Places are paths as a file would spell them, `body.elbow.mass`; a joint whose name
/// is in question goes by its row, counted from 1, `joints[3].name`.
#[must_use]
pub fn check(description: &Description) -> Problems {
    let mut problems = Problems::default();
    if description.joints.is_empty() {
        problems.error("joints", Finding::NoJoints);
    }
    if let Some(character) = description.name.chars().find(|c| c.is_control()) {
        problems.error("name", Finding::BadName { name: description.name.clone(), character });
    }
    check_finite(&mut problems, "gravity", description.gravity.to_array());
    check_names(&mut problems, description);
    let rows = Rows::of(&description.joints);
    for (row, joint) in description.joints.iter().enumerate() {
        let key = key(&joint.name);
        let place = format!("joints.{key}");
        let parent = joint.parent.as_deref();
        let parent = parent.filter(|&name| name != PLATFORM || description.platform.is_none());
        check_parent(&mut problems, &format!("{place}.parent"), parent, &rows, row);
        check_placement(&mut problems, &place, joint);
        check_mimic(&mut problems, &format!("joint.{key}.mimic"), joint, &rows, description.is_closed());
        check_type(&mut problems, &format!("joint.{key}"), joint, &rows, description);
        check_body(&mut problems, &format!("body.{key}"), &joint.body);
        check_finite(&mut problems, &format!("joint.{key}.home"), [joint.home]);
        check_limits(&mut problems, &format!("joint.{key}.limits"), &joint.limits);
        check_effects(&mut problems, &format!("joint.{key}"), &joint.effects);
    }
    for frame in &description.frames {
        let place = format!("frame.{}", key(&frame.name));
        let parent = frame.parent.as_deref().filter(|&name| name != PLATFORM || description.platform.is_none());
        check_parent(&mut problems, &format!("{place}.parent"), parent, &rows, usize::MAX);
        check_pose(&mut problems, &place, &frame.pose);
    }
    check_closed(&mut problems, description);
    check_transmissions(&mut problems, description);
    problems
}

/// Joints, frames and motors share one namespace, joints and what closes loops another, and their names head the columns of
/// CSV tables.
fn check_names(problems: &mut Problems, description: &Description) {
    let joints = description.joints.iter().enumerate().map(|(row, joint)| {
        let number = row + 1;
        (joint.name.as_str(), format!("joints[{number}].name"), format!("joint {number}"))
    });
    let frames = description.frames.iter().map(|frame| {
        let key = key(&frame.name);
        (frame.name.as_str(), format!("frame.{key}"), format!("frame {key}"))
    });
    let motors = description.transmissions.iter().flat_map(|transmission| {
        let place = format!("transmission.{}", key(&transmission.name));
        transmission.motors.iter().enumerate().map(move |(k, motor)| {
            (motor.name.as_str(), format!("{place}.motors[{}]", k + 1), format!("motor {}", key(&motor.name)))
        })
    });
    let mut taken: HashMap<&str, String> = HashMap::new();
    for (name, place, owner) in joints.chain(frames).chain(motors) {
        check_name(problems, place, name, owner, &mut taken, description.is_closed());
    }
    let joints: HashSet<&str> = description.joints.iter().map(|joint| joint.name.as_str()).collect();
    taken.retain(|name, _| joints.contains(name));
    for closure in &description.closures {
        let key = key(&closure.name);
        let (place, owner) = (format!("closure.{key}"), format!("closure {key}"));
        check_name(problems, place, &closure.name, owner, &mut taken, true);
    }
}

/// A name is fit and not taken; from now on it is taken by `owner`.
fn check_name<'d>(
    problems: &mut Problems,
    place: String,
    name: &'d str,
    owner: String,
    taken: &mut HashMap<&'d str, String>,
    closed: bool,
) {
    let length = name.chars().count();
    if name.is_empty() {
        problems.error(place, Finding::EmptyName);
    } else if length > LONGEST_NAME {
        problems.error(place, Finding::LongName { length, most: LONGEST_NAME });
    } else if name == BASE {
        problems.error(place, Finding::ReservedName { name: BASE });
    } else if name == PLATFORM && closed {
        problems.error(place, Finding::ReservedName { name: PLATFORM });
    } else if let Some(character) = unfit_character(name) {
        problems.error(place, Finding::BadName { name: name.into(), character });
    } else if let Some(first) = taken.get(name) {
        problems.error(place, Finding::DuplicateName { name: name.into(), first: first.clone() });
    } else {
        taken.insert(name, owner);
    }
}

/// The joints with the first row of every name.
struct Rows<'d> {
    joints: &'d [JointDescription],
    by_name: HashMap<&'d str, usize>,
}

impl<'d> Rows<'d> {
    fn of(joints: &'d [JointDescription]) -> Self {
        Self {
            joints,
            by_name: joints.iter().enumerate().rev().map(|(row, joint)| (joint.name.as_str(), row)).collect(),
        }
    }

    /// All joints that a joint follows, those that they follow included.
    fn led_by(&self, mimic: &'d Mimic) -> HashSet<&'d str> {
        let (mut all, mut next): (HashSet<&str>, Vec<&str>) = (HashSet::new(), mimic.names().collect());
        while let Some(name) = next.pop() {
            if all.insert(name) {
                let further = self.by_name.get(name).and_then(|&row| self.joints[row].mimic.as_ref());
                next.extend(further.into_iter().flat_map(Mimic::names));
            }
        }
        all
    }
}

/// A parent is the base or one of the joints above row `child`.
fn check_parent(problems: &mut Problems, place: &str, parent: Option<&str>, rows: &Rows, child: usize) {
    let Some(parent) = parent.filter(|&name| name != BASE) else { return };
    match rows.by_name.get(parent).copied() {
        None => problems.error(place, Finding::UnknownParent { name: parent.into() }),
        Some(row) if row == child => problems.error(place, Finding::ParentIsItself),
        Some(row) if row > child => problems.error(place, Finding::ParentAfterChild { parent: parent.into() }),
        Some(_) => {}
    }
}

fn check_placement(problems: &mut Problems, place: &str, joint: &JointDescription) {
    let p = &joint.placement;
    let columns =
        [("gamma", p.gamma), ("b", p.b), ("e", p.e), ("alpha", p.alpha), ("d", p.d), ("theta", p.theta), ("r", p.r)];
    for (column, value) in columns {
        check_finite(problems, &format!("{place}.{column}"), [value]);
    }
    check_pose(problems, &format!("{place}.link_frame"), &joint.link_frame);
}

/// Coordinates of a tree are independent whatever a joint mimics, so a missing one is only doubtful; in a robot with closed
/// loops joints always follow.
fn check_mimic<'d>(problems: &mut Problems, place: &str, joint: &'d JointDescription, rows: &Rows<'d>, closed: bool) {
    let Some(mimic) = &joint.mimic else { return };
    let doubt = |problems: &mut Problems, finding| match closed {
        true => problems.error(place, finding),
        false => problems.warning(place, finding),
    };
    check_finite(problems, place, mimic.joints.iter().map(|(_, multiplier)| *multiplier).chain([mimic.offset]));
    if rows.led_by(mimic).contains(joint.name.as_str()) {
        doubt(problems, Finding::MimicsItself);
    }
    for name in mimic.names() {
        match rows.by_name.get(name).map(|&row| rows.joints[row].kind) {
            None => doubt(problems, Finding::UnknownMimic { name: name.into() }),
            Some(kind) if kind.is_quaternion() => {
                problems.error(place, Finding::FollowsQuaternion { name: name.into(), kind: kind.name() });
            }
            Some(_) => {}
        }
    }
}

/// What a joint has fits its type, and no other joint has the name of one of its parts.
fn check_type(problems: &mut Problems, place: &str, joint: &JointDescription, rows: &Rows, description: &Description) {
    let kind = joint.kind.name();
    for what in joint.unfit_of_quaternion() {
        problems.error(format!("{place}.{what}"), Finding::NotOfQuaternion { kind, what });
    }
    check_finite(problems, &format!("{place}.pitch"), [joint.pitch]);
    match joint.kind {
        JointType::Screw if joint.pitch == 0.0 => problems.error(format!("{place}.pitch"), Finding::NoPitch),
        JointType::Screw => {}
        _ if joint.pitch != 0.0 => problems.error(format!("{place}.pitch"), Finding::NotAScrew { kind }),
        _ => {}
    }
    for part in joint.kind.part_names() {
        let (name, finding) =
            (format!("{}{part}", joint.name), Finding::TakenByPart { joint: joint.name.clone(), kind });
        if let Some(&row) = rows.by_name.get(name.as_str()) {
            problems.error(format!("joints[{}].name", row + 1), finding.clone());
        }
        for transmission in &description.transmissions {
            if let Some(k) = transmission.motors.iter().position(|motor| motor.name == name) {
                let place = format!("transmission.{}.motors[{}]", key(&transmission.name), k + 1);
                problems.error(place, finding.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check_body::{LARGEST, LIGHTEST};
    use super::super::{BodyDescription, FrameDescription, FrictionCurve, JointEffects, JointKind, Limits};
    use super::*;
    use crate::description::Severity;
    use crate::spatial::{Pose, Sym3, Vec3};
    use proptest::prelude::*;

    fn inertia(xx: f64, yy: f64, zz: f64) -> Sym3<f64> {
        Sym3 { xx, yy, zz, ..Sym3::default() }
    }

    fn joint(name: &str, parent: Option<&str>) -> JointDescription {
        JointDescription {
            parent: parent.map(Into::into),
            body: BodyDescription { mass: 1.0, com: Vec3::new(0.1, 0.0, 0.0), inertia: inertia(0.01, 0.02, 0.025) },
            ..JointDescription::new(name, JointKind::Revolute)
        }
    }

    fn arm() -> Description {
        Description {
            name: "arm".into(),
            joints: vec![joint("shoulder", None), joint("elbow", Some("shoulder"))],
            frames: vec![FrameDescription {
                name: "tool".into(),
                parent: Some("elbow".into()),
                pose: Pose::identity(0.0),
            }],
            ..Description::default()
        }
    }

    /// What `check` finds after one change to a sound arm, as `(place, finding)`.
    fn found(change: impl FnOnce(&mut Description)) -> Vec<(String, Finding)> {
        let mut arm = arm();
        change(&mut arm);
        check(&arm).into_iter().map(|problem| (problem.place, problem.finding)).collect()
    }

    fn one(place: &str, finding: Finding) -> Vec<(String, Finding)> {
        vec![(place.into(), finding)]
    }

    #[test]
    fn numbers_must_be_finite() {
        type Number = fn(&mut Description) -> &mut f64;
        let numbers: [(Number, &str); 7] = [
            (|arm| &mut arm.gravity.y, "gravity"),
            (|arm| &mut arm.joints[1].placement.r, "joints.elbow.r"),
            (|arm| &mut arm.joints[1].link_frame.position.x, "joints.elbow.link_frame"),
            (|arm| &mut arm.joints[1].body.mass, "body.elbow.mass"),
            (|arm| &mut arm.joints[1].body.com.z, "body.elbow.com"),
            (|arm| &mut arm.joints[1].body.inertia.xy, "body.elbow.inertia"),
            (|arm| &mut arm.frames[0].pose.rotation.rows[2].x, "frame.tool"),
        ];
        for (number, place) in numbers {
            let infinite = Finding::NotFinite { value: f64::INFINITY };
            assert_eq!(found(|arm| *number(arm) = f64::INFINITY), one(place, infinite));
        }
    }

    #[test]
    fn names_must_be_fit_and_unique() {
        let name = |name: &'static str| found(move |arm| arm.joints[1] = joint(name, Some("shoulder")));
        for (unfit, character) in [("a,b", ','), ("a\nb", '\n'), ("a\"b", '"'), (" a", ' '), ("a ", ' ')] {
            assert_eq!(name(unfit)[0], one("joints[2].name", Finding::BadName { name: unfit.into(), character })[0]);
        }
        assert_eq!(name("")[0], one("joints[2].name", Finding::EmptyName)[0]);
        assert_eq!(name("base")[0], one("joints[2].name", Finding::ReservedName { name: BASE })[0]);
        let taken = |name: &str, first: &str| Finding::DuplicateName { name: name.into(), first: first.into() };
        assert_eq!(name("shoulder")[0], one("joints[2].name", taken("shoulder", "joint 1"))[0]);
        assert_eq!(found(|arm| arm.frames[0].name = "elbow".into()), one("frame.elbow", taken("elbow", "joint 2")));
    }

    #[test]
    fn a_screw_has_a_pitch() {
        let screw =
            |pitch: f64| found(move |arm| (arm.joints[1].kind, arm.joints[1].pitch) = (JointType::Screw, pitch));
        assert_eq!(screw(0.0), one("joint.elbow.pitch", Finding::NoPitch));
        assert_eq!(screw(-0.01), []);
    }

    #[test]
    fn who_is_mimicked_must_be_there() {
        let mimic = |joint: &str| Some(Mimic::new(joint, 1.0, 0.0));
        assert_eq!(found(|arm| arm.joints[1].mimic = mimic("shoulder")), []);
        let unknown = Finding::UnknownMimic { name: "knee".into() };
        assert_eq!(found(|arm| arm.joints[1].mimic = mimic("knee")), one("joint.elbow.mimic", unknown));
    }

    #[test]
    fn impossible_bodies_are_found() {
        let body = |mass: f64, inertia: Sym3<f64>| {
            found(move |arm| arm.joints[1].body = BodyDescription { mass, com: Vec3::default(), inertia })
        };
        let place = "body.elbow.inertia";
        assert_eq!(body(-1.0, inertia(1.0, 1.0, 1.0)), one("body.elbow.mass", Finding::NegativeMass { value: -1.0 }));
        assert_eq!(body(0.0, inertia(1.0, 1.0, 1.0)), one(place, Finding::InertiaWithoutMass));
        assert_eq!(body(1.0, inertia(1.0, 1.0, -0.5)), one(place, Finding::NegativeInertia { least: -0.5 }));
        let moments = [1.0, 2.0, 3.1];
        assert_eq!(body(1.0, inertia(3.1, 1.0, 2.0)), one(place, Finding::TriangleInequality { moments }));
        assert_eq!(body(0.0, Sym3::default()), []);
        assert_eq!(found(|_| ()), []);
    }

    #[test]
    fn thin_rods_and_rounding_pass() {
        let rod = |zz: f64| found(move |arm| arm.joints[1].body.inertia = inertia(0.0, 1.0, zz));
        assert_eq!(rod(1.0), []);
        assert_eq!(rod(1.0 + 1e-9), []);
        assert_eq!(rod(1.0 + 1e-7).len(), 1);
    }

    #[test]
    fn limits_are_ordered_and_may_be_infinite() {
        let limits = |limits: Limits| found(move |arm| arm.joints[1].limits = limits);
        let none = Limits::default();
        let place = "joint.elbow.limits";
        let reversed = Finding::LimitsReversed { lower: 1.0, upper: -1.0 };
        assert_eq!(limits(Limits { lower: 1.0, upper: -1.0, ..none }), one(place, reversed));
        assert_eq!(limits(Limits { lower: 1.0, upper: 1.0, ..none }), []);
        assert_eq!(limits(Limits { upper: f64::NAN, ..none }), one("joint.elbow.limits.upper", Finding::NotANumber));
        let negative = || Finding::Negative { value: -1.0 };
        assert_eq!(limits(Limits { velocity: -1.0, ..none }), one("joint.elbow.limits.velocity", negative()));
        assert_eq!(limits(Limits { effort: -1.0, ..none }), one("joint.elbow.limits.effort", negative()));
    }

    #[test]
    fn effects_are_checked() {
        let effects = |change: fn(&mut JointEffects, f64), value: f64| {
            let mut arm = arm();
            change(&mut arm.joints[1].effects, value);
            let problems = check(&arm);
            let places: Vec<String> = problems.iter().map(|problem| problem.place.clone()).collect();
            (places.join(" "), problems.errors(), problems.warnings())
        };
        fn curve(effects: &mut JointEffects) -> &mut FrictionCurve {
            effects.friction.curve.insert(FrictionCurve { stribeck_speed: 0.1, ..FrictionCurve::default() })
        }
        type Change = fn(&mut JointEffects, f64);
        let table: [(&str, Change, usize, usize); 12] = [
            ("friction.viscous", |e, x| e.friction.viscous = x, 0, 1),
            ("friction.coulomb", |e, x| e.friction.coulomb = x, 0, 1),
            ("friction.smoothing", |e, x| e.friction.smoothing = x, 1, 0),
            ("friction.offset", |e, x| e.friction.offset = x, 0, 0),
            ("friction.square_root", |e, x| curve(e).square_root = x, 0, 0),
            ("friction.cubic", |e, x| curve(e).cubic = x, 0, 0),
            ("friction.asymmetric", |e, x| curve(e).asymmetric = x, 0, 0),
            ("friction.stribeck", |e, x| curve(e).stribeck = x, 0, 1),
            ("friction.stribeck_speed", |e, x| curve(e).stribeck_speed = x, 1, 0),
            ("rotor.inertia", |e, x| e.rotor.inertia = x, 1, 0),
            ("rotor.gear", |e, x| e.rotor.gear = x, 0, 0),
            ("spring.stiffness", |e, x| e.spring.stiffness = x, 0, 1),
        ];
        for (key, change, errors, warnings) in table {
            let place = format!("joint.elbow.{key}");
            let told = if errors + warnings > 0 { place.clone() } else { String::new() };
            assert_eq!(effects(change, -1.0), (told, errors, warnings));
            assert_eq!(effects(change, f64::NAN), (place, 1, 0));
        }
        assert_eq!(effects(|e, x| e.spring.rest = x, f64::INFINITY), ("joint.elbow.spring.rest".into(), 1, 0));
        let without_speed: Change = |e, x| *curve(e) = FrictionCurve { stribeck: x, ..FrictionCurve::default() };
        assert_eq!(effects(without_speed, 1.0), ("joint.elbow.friction.stribeck_speed".into(), 1, 0));
        // Stribeck's excess may be negative where Coulomb friction is larger.
        let dips: Change = |e, x| (e.friction.coulomb, curve(e).stribeck) = (x, -0.5 * x);
        assert_eq!(effects(dips, 1.0), (String::new(), 0, 0));
    }

    #[test]
    fn doubtful_is_a_warning_wrong_is_an_error() {
        let mut arm = arm();
        arm.joints[0].body.inertia.zz = 1.0;
        assert_eq!(check(&arm).iter().map(|p| p.severity).collect::<Vec<_>>(), [Severity::Warning]);
        arm.joints[0].body.mass = -1.0;
        let problems = check(&arm);
        assert_eq!((problems.errors(), problems.warnings()), (1, 1));
    }

    proptest! {
        /// The eigenvalues come from an iteration, which must end for every tensor.
        #[test]
        fn any_body_is_checked(mass in any::<f64>(), entries in any::<[f64; 6]>()) {
            let [xx, xy, xz, yy, yz, zz] = entries;
            let mut arm = arm();
            arm.joints[0].body = BodyDescription { mass, inertia: Sym3 { xx, xy, xz, yy, yz, zz }, ..arm.joints[0].body };
            let usual = entries.iter().chain([&mass]).all(|x| x.abs() <= LARGEST);
            prop_assert_eq!(check(&arm).errors() == 0, (mass == 0.0 || mass >= LIGHTEST) && usual);
        }
    }
}
