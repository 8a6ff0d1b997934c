//! A description as a `.par` file.

use super::reader::ROOT_JOINT;
use super::statements::{HOME, JOINTS, NAME};
use super::{KEYS, Length};
use crate::description::conversion::with_frames_on_joints;
use crate::description::name::key;
use crate::description::{
    BodyDescription, Branch, Carrier, ClosingJoint, Description, Finding, Friction, JointDescription, JointEffects,
    JointKind, JointType, KhalilKleinfinger, Limits, Problems, check,
};
use crate::spatial::{Pose, Sym3};
use core::f64::consts::{FRAC_PI_2, PI};
use std::collections::HashMap;

/// Writes a robot, with a warning for everything a `.par` file cannot say: the output, limits, springs, offsets, smoothing and curves of
/// friction, mimicry and modes, the name of a floating base, and frames of bodies that are not on their joints.
///
/// [`read`](super::read) gives the same robot back. Named frames are fixed links without mass, and a placement of
/// nearly parallel axes, which Khalil's and Kleinfinger's six numbers have no digits for, is two of them. Names and homes
/// are kept in comments.
///
/// # Errors
/// Everything [`check()`] finds, warnings included, if any of it is an error; a platform, and a closing joint that is not
/// revolute, prismatic or rigid.
pub fn write(description: &Description) -> Result<(String, Problems), Problems> {
    let mut problems = check(description);
    if description.platform.is_some() {
        problems.error("platform", Finding::PlatformInPar);
    }
    let floats = floating_base(description).is_some();
    for joint in description.joints.iter().skip(usize::from(floats)) {
        if joint.kind.elementary().is_none() {
            let place = format!("joints.{}.type", key(&joint.name));
            problems.error(place, Finding::JointInPar { kind: joint.kind.name() });
        }
    }
    for closure in &description.closures {
        if kind_of(closure.kind).is_none() {
            let place = format!("closure.{}", key(&closure.name));
            problems.error(place, Finding::ClosingJointInPar { kind: closure.kind.name() });
        }
    }
    if problems.errors() > 0 {
        return Err(problems);
    }
    let robot = with_frames_on_joints(description.clone());
    let rows = Rows::of(&robot);
    let mut text = format!("(* {NAME} = '{}' *)\n", fit(&robot.name));
    let names: Vec<String> = rows.list.iter().take(rows.joints).map(|row| fit(&row.name)).collect();
    text += &format!("(* {JOINTS} = {} *)\n", names.join(", "));
    if rows.list.iter().any(|row| row.home != 0.0) {
        let homes: Vec<String> = rows.list.iter().take(rows.links).map(|row| number(row.home)).collect();
        text += &format!("(* {HOME} = {} *)\n", homes.join(", "));
    }
    for key in &KEYS {
        text += match key.name {
            "ant" => "\n(* Geometric parameters *)\n",
            "XX" => "\n(* Dynamic parameters and external forces *)\n",
            "QP" => "\n(* Joint parameters *)\n",
            "W0" => "\n(* Speed and acceleration of the base *)\n",
            "G" => "\n(* Acceleration of gravity *)\n",
            _ => "",
        };
        let count = match key.length {
            Length::Single => {
                text += &format!("{} = {}\n", key.name, rows.single(key.name));
                continue;
            }
            Length::Frames => rows.list.len(),
            Length::Links => rows.links + usize::from(floats),
            Length::Joints => rows.joints,
            Length::Vector | Length::Matrix => 3,
        };
        let entries: Vec<String> = match key.name {
            "G" => robot.gravity.to_array().map(number).to_vec(),
            _ if key.length == Length::Vector => vec!["0".into(); 3],
            // The body of a floating base stands before those of the links.
            _ if key.length == Length::Links && floats => {
                let base = rows.base.iter().map(|base| base.entry(key.name, 0));
                base.chain((1..count).map(|k| rows.list[k - 1].entry(key.name, k))).collect()
            }
            _ => (0..count).map(|k| rows.list[k].entry(key.name, k + 1)).collect(),
        };
        text += &format!("{} = {{{}}}\n", key.name, entries.join(","));
    }
    text += "\n(* Transformation of 0 frame position fT0 *)\nZ = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}\n\n(* End of definition *)\n";
    Ok((text, dropped(description)))
}

/// A frame of the file.
struct Row {
    name: String,
    ant: usize,
    /// None if it is fixed.
    kind: Option<JointKind>,
    placement: KhalilKleinfinger,
    driven: bool,
    effects: JointEffects,
    home: f64,
    body: BodyDescription,
}

impl Row {
    fn fixed(name: String, ant: usize, placement: KhalilKleinfinger) -> Self {
        let joint = JointDescription { placement, driven: false, ..JointDescription::new(name, JointKind::Revolute) };
        Self { kind: None, ..Self::of(&joint, ant) }
    }

    fn of(joint: &JointDescription, ant: usize) -> Self {
        let JointDescription { name, kind, placement, driven, effects, home, body, .. } = joint.clone();
        Self { name, ant, kind: kind.elementary(), placement, driven, effects, home, body }
    }

    /// An entry of its frame, number `k`.
    fn entry(&self, key: &str, k: usize) -> String {
        let KhalilKleinfinger { gamma, b, alpha, d, theta, r, .. } = self.placement;
        let BodyDescription { mass, com, inertia } = self.body;
        let Sym3 { xx, xy, xz, yy, yz, zz } = inertia + Sym3::of_point_mass(mass, com);
        let (rotor, friction) = (self.effects.rotor.reflected_inertia(), self.effects.friction);
        let variable = |letter: &str, offset: f64| match number(offset) {
            text if text == "0" => format!("{letter}{k}"),
            text if text.starts_with('-') => format!("{letter}{k}{text}"),
            text => format!("{letter}{k}+{text}"),
        };
        match (key, self.kind) {
            ("theta", Some(JointKind::Revolute)) => variable("th", theta),
            ("r", Some(JointKind::Prismatic)) => variable("r", r),
            ("ant", _) => self.ant.to_string(),
            ("sigma", kind) => kind.map_or("2", |kind| kind.pick("0", "1")).into(),
            ("mu", _) => u8::from(self.driven).to_string(),
            ("b", _) => number(b),
            ("d", _) => number(d),
            ("r", _) => number(r),
            ("gamma", _) => angle(gamma),
            ("alpha", _) => angle(alpha),
            ("theta", _) => angle(theta),
            ("XX", _) => number(xx),
            ("XY", _) => number(xy),
            ("XZ", _) => number(xz),
            ("YY", _) => number(yy),
            ("YZ", _) => number(yz),
            ("ZZ", _) => number(zz),
            ("MX", _) => number(mass * com.x),
            ("MY", _) => number(mass * com.y),
            ("MZ", _) => number(mass * com.z),
            ("M", _) => number(mass),
            ("IA", _) => number(rotor),
            ("FV", _) => number(friction.viscous),
            ("FS", _) => number(friction.coulomb),
            ("QP" | "QDP" | "GAM", _) => format!("{key}{k}"),
            _ => "0".into(),
        }
    }
}

/// The free joint of a floating base: the first, on the base and nowhere else.
fn floating_base(description: &Description) -> Option<&JointDescription> {
    let first = description.joints.first()?;
    let is_at_base = first.parent.is_none() && first.placement == KhalilKleinfinger::default();
    (first.kind == JointType::Free && is_at_base).then_some(first)
}

/// All frames: links, joints that are cut, and their second sides.
struct Rows {
    base: Option<Row>,
    list: Vec<Row>,
    links: usize,
    joints: usize,
    structure: usize,
}

impl Rows {
    fn of(robot: &Description) -> Self {
        let base = floating_base(robot);
        let mut rows =
            Self { base: base.map(|base| Row::of(base, 0)), list: Vec::new(), links: 0, joints: 0, structure: 0 };
        let mut by_name: HashMap<&str, usize> = base.iter().map(|base| (base.name.as_str(), 0)).collect();
        for joint in robot.joints.iter().skip(by_name.len()) {
            let ant = joint.parent.as_deref().and_then(|parent| by_name.get(parent)).copied().unwrap_or(0);
            let (ant, placement) = rows.without_e(&joint.name, ant, joint.placement);
            if ant != rows.list.len() {
                rows.structure = 1;
            }
            rows.list.push(Row { placement, ..Row::of(joint, ant) });
            by_name.insert(&joint.name, rows.list.len());
        }
        for frame in &robot.frames {
            let ant = frame.parent.as_deref().and_then(|parent| by_name.get(parent)).copied().unwrap_or(0);
            let (ant, placement) = rows.without_e(&frame.name, ant, KhalilKleinfinger::from_pose(&frame.pose));
            rows.structure = rows.structure.max(usize::from(ant != rows.list.len()));
            rows.list.push(Row::fixed(frame.name.clone(), ant, placement));
        }
        let on = |carrier: &Carrier| match carrier {
            Carrier::Joint(name) => by_name.get(name.as_str()).copied().unwrap_or(0),
            Carrier::Base | Carrier::Platform => 0,
        };
        let mut ends: Vec<[(usize, KhalilKleinfinger); 2]> = Vec::new();
        for closure in &robot.closures {
            let end = |rows: &mut Self, side: &crate::description::Attachment| {
                rows.without_e(&closure.name, on(&side.on), KhalilKleinfinger::from_pose(&side.pose))
            };
            let first = end(&mut rows, &closure.first);
            ends.push([first, end(&mut rows, &closure.second)]);
        }
        rows.links = rows.list.len();
        for (closure, [(ant, placement), _]) in robot.closures.iter().zip(&ends) {
            let kind = kind_of(closure.kind).expect("others were refused");
            rows.list.push(Row { kind, ..Row::fixed(closure.name.clone(), *ant, *placement) });
        }
        rows.joints = rows.list.len();
        for (closure, [_, (ant, placement)]) in robot.closures.iter().zip(ends) {
            rows.list.push(Row::fixed(closure.name.clone(), ant, placement));
        }
        if !robot.closures.is_empty() {
            rows.structure = 2;
        }
        rows
    }

    /// Khalil's and Kleinfinger's six parameters, on a further fixed frame where e is not zero:
    /// `Ty(e) = Rz(π/2) Tx(e) Rz(−π/2)`.
    fn without_e(&mut self, name: &str, ant: usize, placement: KhalilKleinfinger) -> (usize, KhalilKleinfinger) {
        let KhalilKleinfinger { gamma, b, e, .. } = placement;
        if e == 0.0 {
            return (ant, placement);
        }
        let before = KhalilKleinfinger { gamma: gamma + FRAC_PI_2, b, d: e, ..KhalilKleinfinger::default() };
        self.list.push(Row::fixed(format!("{name}.e"), ant, before));
        (self.list.len(), KhalilKleinfinger { gamma: -FRAC_PI_2, b: 0.0, e: 0.0, ..placement })
    }

    fn single(&self, key: &str) -> usize {
        match key {
            "NL" => self.links,
            "NJ" => self.joints,
            "NF" => self.list.len(),
            "Type" => self.structure,
            "is_floating" => usize::from(self.base.is_some()),
            _ => 0,
        }
    }
}

/// How the variable of a closing joint moves, none if it is fixed; and none at all of joints with more than one.
fn kind_of(closing: ClosingJoint) -> Option<Option<JointKind>> {
    match closing {
        ClosingJoint::Revolute => Some(Some(JointKind::Revolute)),
        ClosingJoint::Prismatic => Some(Some(JointKind::Prismatic)),
        ClosingJoint::Rigid => Some(None),
        _ => None,
    }
}

/// What the file does not say.
fn dropped(description: &Description) -> Problems {
    let mut problems = Problems::default();
    if description.output.is_some() {
        problems.warning("output", Finding::Dropped);
    }
    for joint in &description.joints {
        let JointEffects { friction: Friction { smoothing, offset, curve, .. }, spring, .. } = joint.effects;
        for (said, what) in [
            (joint.limits == Limits::default(), "limits"),
            (joint.branch == Branch::Any, "branch"),
            (smoothing == 0.0, "friction.smoothing"),
            (offset == 0.0, "friction.offset"),
            (curve.is_none(), "friction.curve"),
            (spring.stiffness == 0.0, "spring"),
            (joint.mimic.is_none(), "mimic"),
        ] {
            if !said {
                problems.warning(format!("joint.{}.{what}", key(&joint.name)), Finding::Dropped);
            }
        }
    }
    // The frame of a link is where Khalil's and Kleinfinger's parameters put it.
    let moved = description.joints.iter().filter(|joint| joint.link_frame != Pose::identity(0.0));
    let owners: Vec<String> = moved.map(|joint| joint.name.clone()).collect();
    if !owners.is_empty() {
        problems.warning("body.frame", Finding::NotKept { kind: "joint", owners });
    }
    if let Some(base) = floating_base(description).filter(|base| base.name != ROOT_JOINT) {
        problems.warning(format!("joint.{}.name", key(&base.name)), Finding::Dropped);
    }
    for transmission in &description.transmissions {
        problems.warning(format!("transmission.{}", key(&transmission.name)), Finding::Dropped);
    }
    problems
}

/// A name within a comment, between commas.
fn fit(name: &str) -> String {
    name.replace("*)", "* )").replace("(*", "( *").replace(',', " ")
}

/// An angle, by π where that is exact.
fn angle(x: f64) -> String {
    let known = [("pi", PI), ("-pi", -PI), ("pi/2", FRAC_PI_2), ("-pi/2", -FRAC_PI_2)];
    known.iter().find(|(_, value)| *value == x).map_or_else(|| number(x), |(text, _)| (*text).into())
}

/// The shortest number that is read back to the last bit; a zero has no sign.
fn number(x: f64) -> String {
    let text = format!("{:?}", x + 0.0);
    text.strip_suffix(".0").map_or(text.clone(), Into::into)
}
