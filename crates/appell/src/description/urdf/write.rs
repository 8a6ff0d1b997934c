//! A description as a URDF.

use super::extras::{Extras, Part, written};
use super::place::AXIS;
use crate::description::khalil_kleinfinger::cleaned;
use crate::description::linkage::axes_about;
use crate::description::name::key;
use crate::description::{
    BASE, BodyDescription, Branch, Description, Finding, FrameDescription, JointDescription, JointEffects, JointType,
    Limits, Mimic, Problems, STANDARD_GRAVITY, check,
};
use crate::spatial::{Mat3, Pose, Sym3, Vec3};
use core::fmt::Display;
use std::collections::{HashMap, HashSet};

/// Writes a robot, with a warning for everything a URDF cannot say: gravity, undriven joints, homes, rotors, springs, and
/// friction beyond viscous and Coulomb.
///
/// [`read`](super::read) gives the same robot back, its joints depth first. A joint's child is the user's frame of
/// the body, called like the joint. A URDF wants that frame on the joint's axis; where it is off, as in standard
/// Denavit-Hartenberg tables, the child is called `axis:NAME` and the user's frame is fixed on it. An infinite
/// limit where ROS wants a number is the largest one.
///
/// # Errors
/// Everything [`check()`] finds, warnings included, if any of it is an error. A robot with closed loops is one.
pub fn write(description: &Description) -> Result<(String, Problems), Problems> {
    write_with_extras(description, &Extras::default())
}

/// Writes a robot as [`write()`] does, with what its file said beyond that, as
/// [`read_with_extras`](super::read_with_extras) has kept it: links and fixed joints have the names they had, and the
/// bodies that fixed joints held together stay one.
///
/// # Errors
/// Those of [`write()`].
pub fn write_with_extras(description: &Description, extras: &Extras) -> Result<(String, Problems), Problems> {
    let mut problems = check(description);
    if description.is_closed() {
        problems.error("closure", Finding::LoopsInUrdf { closures: description.closure_names() });
    }
    for JointDescription { name, kind, .. } in &description.joints {
        if urdf_type(*kind, &Limits::default()).is_none() {
            problems.error(format!("joints.{}.type", key(name)), Finding::NotInUrdf { kind: kind.name() });
        }
    }
    if problems.errors() > 0 {
        return Err(problems);
    }
    let mut writer = Writer::new(description, extras);
    let vocabularies: String = extras
        .vocabularies
        .iter()
        .map(|(prefix, uri)| format!(" xmlns{}{prefix}=\"{}\"", if prefix.is_empty() { "" } else { ":" }, escaped(uri)))
        .collect();
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n<robot name=\"{}\"{}{vocabularies}>\n",
        escaped(&description.name),
        written(&extras.robot.attributes)
    );
    text += &writer.link(&writer.root.clone(), &BodyDescription::default());
    let frames: HashMap<&str, &Pose<f64>> =
        description.joints.iter().map(|j| (j.name.as_str(), &j.link_frame)).collect();
    // Frames are read in the order of the links: those before a joint's link stand before it.
    let mut frames_left = description.frames.iter();
    for joint in &description.joints {
        let own = writer.link_of(Some(&joint.name));
        if frames_left.as_slice().iter().any(|frame| frame.name == own) {
            let before = frames_left.by_ref().take_while(|frame| frame.name != own);
            text += &before.map(|frame| writer.frame(frame)).collect::<String>();
        }
        let parent = joint.parent.as_deref().filter(|&parent| parent != BASE);
        let user_from_parent = parent.and_then(|parent| frames.get(parent)).map(|frame| frame.inverse());
        let user_from_parent = user_from_parent.unwrap_or(Pose::identity(0.0));
        text += &writer.moving(joint, parent, &(user_from_parent * joint.placement.pose()));
    }
    text += &frames_left.map(|frame| writer.frame(frame)).collect::<String>();
    text += &extras.robot.lines("  ");
    let mut dropped = dropped(description);
    dropped.extend(writer.homeless());
    Ok((text + "</robot>\n", dropped))
}

/// A robot under writing: which link stands for what.
struct Writer<'d> {
    names: Names,
    extras: &'d Extras,
    /// The link that does not move.
    root: String,
    /// The links behind joints, where they are not called like the joint.
    children: HashMap<&'d str, &'d str>,
    /// Links that are the root or a joint's child, and not fixed on one.
    taken_over: HashSet<&'d str>,
    /// Links that are written.
    links: HashSet<String>,
}

impl<'d> Writer<'d> {
    fn new(description: &'d Description, extras: &'d Extras) -> Self {
        let at_origin: HashMap<&str, Option<&str>> = description
            .frames
            .iter()
            .filter(|frame| frame.pose == Pose::identity(0.0))
            .map(|frame| (frame.name.as_str(), frame.parent.as_deref().filter(|&parent| parent != BASE)))
            .collect();
        let root = extras.root.as_deref().filter(|root| at_origin.get(root) == Some(&None));
        let is_own = |(joint, link): &(&str, &str)| at_origin.get(link) == Some(&Some(*joint));
        let own = extras.children.iter().map(|(joint, link)| (joint.as_str(), link.as_str()));
        let children: HashMap<&str, &str> = own.filter(is_own).collect();
        Self {
            names: Names::of(description),
            extras,
            root: root.unwrap_or(BASE).into(),
            taken_over: children.values().copied().chain(root).collect(),
            children,
            links: HashSet::new(),
        }
    }

    /// A frame, but nothing where it is a link that a joint moves, or the root.
    fn frame(&mut self, frame: &FrameDescription) -> String {
        if self.taken_over.contains(frame.name.as_str()) {
            return String::new();
        }
        let parent = self.link_of(frame.parent.as_deref());
        self.fixed(&frame.name, &BodyDescription::default(), &parent, &frame.pose)
    }

    /// The link whose frame is that of a joint's body, or of the base.
    fn link_of(&self, joint: Option<&str>) -> String {
        let Some(joint) = joint.filter(|&joint| joint != BASE) else { return self.root.clone() };
        self.children.get(joint).copied().unwrap_or(joint).into()
    }

    /// A joint with its body; `parent_from_joint` at q = 0, in the user's frame of the parent.
    fn moving(&mut self, joint: &JointDescription, parent: Option<&str>, parent_from_joint: &Pose<f64>) -> String {
        let frame = &joint.link_frame;
        let own = self.link_of(Some(&joint.name));
        let is_at_joint = frame.position == Vec3::zero(0.0);
        let is_child = match joint.kind {
            JointType::Prismatic => true,
            JointType::Free => is_at_joint && frame.rotation == Mat3::identity(0.0),
            JointType::Planar => is_at_joint && frame.rotation == axes_about(frame.rotation.rows[2]).transpose(),
            _ => frame.position.x == 0.0 && frame.position.y == 0.0,
        };
        let (child, parent_from_child, axis) = if is_child {
            (own.clone(), *parent_from_joint * *frame, frame.rotation.rows[2])
        } else {
            (self.names.invent(AXIS, &joint.name), *parent_from_joint, Vec3::new(0.0, 0.0, 1.0))
        };
        let kind = urdf_type(joint.kind, &joint.limits).unwrap_or_default();
        let nothing = Part::default();
        let said = self.extras.joints.get(&joint.name).unwrap_or(&nothing);
        let content = format!(
            "    <axis xyz=\"{}\"/>\n{}{}{}",
            numbers(cleaned(axis, 1.0)),
            limit(&joint.limits, kind, &said.of_element("limit")),
            dynamics(&joint.effects, &said.of_element("dynamics")),
            joint.mimic.as_ref().map_or(String::new(), |own| mimic(own, &said.of_element("mimic"))),
        );
        let parent = self.link_of(parent);
        let connection = connection(&joint.name, kind, [&parent, &child], &parent_from_child, &content, said);
        if child == own {
            self.link(&child, &joint.body) + &connection
        } else {
            let body = self.link(&child, &BodyDescription::default());
            body + &connection + &self.fixed(&own, &joint.body, &child, frame)
        }
    }

    /// A link that is fixed on another one, by a joint of the name it had.
    fn fixed(&mut self, name: &str, body: &BodyDescription, parent: &str, parent_from_link: &Pose<f64>) -> String {
        let nothing = Part::default();
        let (joint, said) = match self.extras.fixed.get(name) {
            Some((joint, said)) if self.names.is_joint_free(joint) => (self.names.take_joint(joint), said),
            Some((_, said)) => (self.names.invent("fixed:", name), said),
            None => (self.names.invent("fixed:", name), &nothing),
        };
        self.link(name, body) + &connection(&joint, "fixed", [parent, name], parent_from_link, "", said)
    }

    /// A link, with what was said of it beyond its body.
    fn link(&mut self, name: &str, body: &BodyDescription) -> String {
        self.links.insert(name.into());
        let nothing = Part::default();
        let said = self.extras.links.get(name).unwrap_or(&nothing);
        let content = inertial(body) + &said.lines("    ");
        let head = format!("  <link name=\"{}\"{}", escaped(name), written(&said.attributes));
        if content.is_empty() { head + "/>\n" } else { format!("{head}>\n{content}  </link>\n") }
    }

    /// What was said of links that are not there any more.
    fn homeless(&self) -> Problems {
        let gone =
            self.extras.links.iter().filter(|(name, said)| !self.links.contains(*name) && **said != Part::default());
        let mut names: Vec<&str> = gone.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        let mut problems = Problems::default();
        names.into_iter().for_each(|name| problems.warning(format!("links.{}", key(name)), Finding::Dropped));
        problems
    }
}

/// What a URDF calls a joint, if it knows such.
fn urdf_type(kind: JointType, limits: &Limits) -> Option<&'static str> {
    let is_free = limits.lower == f64::NEG_INFINITY && limits.upper == f64::INFINITY;
    match kind {
        JointType::Prismatic => Some("prismatic"),
        JointType::Revolute => Some(if is_free { "continuous" } else { "revolute" }),
        JointType::Planar => Some("planar"),
        JointType::Free => Some("floating"),
        _ => None,
    }
}

/// The names of a robot, and those invented for its URDF.
struct Names {
    all: HashSet<String>,
    joints: HashSet<String>,
}

impl Names {
    fn of(description: &Description) -> Self {
        let joints: HashSet<String> = description.joints.iter().map(|joint| joint.name.clone()).collect();
        let frames = description.frames.iter().map(|frame| frame.name.clone());
        Self { all: joints.iter().cloned().chain(frames).collect(), joints }
    }

    /// Whether no joint has this name; links may, since a URDF keeps them apart.
    fn is_joint_free(&self, name: &str) -> bool {
        !name.is_empty() && !self.joints.contains(name)
    }

    /// From now on a joint has this name.
    fn take_joint(&mut self, name: &str) -> String {
        self.joints.insert(name.into());
        self.all.insert(name.into());
        name.into()
    }

    /// A name with a prefix, repeated until nothing is called so.
    fn invent(&mut self, prefix: &str, name: &str) -> String {
        let mut invented = format!("{prefix}{name}");
        while !self.all.insert(invented.clone()) {
            invented.insert_str(0, prefix);
        }
        self.joints.insert(invented.clone());
        invented
    }
}

/// What the URDF does not say.
fn dropped(description: &Description) -> Problems {
    let mut problems = Problems::default();
    if description.gravity != STANDARD_GRAVITY {
        problems.warning("gravity", Finding::Dropped);
    }
    for joint in &description.joints {
        let JointEffects { friction, rotor, spring } = joint.effects;
        for (said, what) in [
            (joint.driven == joint.mimic.is_none(), "driven"),
            (joint.home == 0.0, "home"),
            (joint.branch == Branch::Any, "branch"),
            (friction.smoothing == 0.0, "friction.smoothing"),
            (friction.offset == 0.0, "friction.offset"),
            (friction.curve.is_none(), "friction.curve"),
            (rotor.reflected_inertia() == 0.0, "rotor"),
            (spring.stiffness == 0.0, "spring"),
            (joint.mimic.as_ref().is_none_or(|mimic| mimic.single().is_some()), "mimic"),
        ] {
            if !said {
                problems.warning(format!("joints.{}.{what}", key(&joint.name)), Finding::Dropped);
            }
        }
    }
    for transmission in &description.transmissions {
        problems.warning(format!("transmission.{}", key(&transmission.name)), Finding::Dropped);
    }
    problems
}

fn inertial(body: &BodyDescription) -> String {
    if body.mass == 0.0 && body.inertia == Sym3::default() {
        return String::new();
    }
    let Sym3 { xx, xy, xz, yy, yz, zz } = body.inertia;
    let [xx, xy, xz, yy, yz, zz] = [xx, xy, xz, yy, yz, zz].map(number);
    format!(
        "    <inertial>\n      <origin xyz=\"{}\"/>\n      <mass value=\"{}\"/>\n      \
         <inertia ixx=\"{xx}\" ixy=\"{xy}\" ixz=\"{xz}\" iyy=\"{yy}\" iyz=\"{yz}\" izz=\"{zz}\"/>\n    \
         </inertial>\n",
        numbers(body.com),
        number(body.mass),
    )
}

/// A joint between two links, with what was said of it beyond that.
fn connection(name: &str, kind: &str, ends: [&str; 2], pose: &Pose<f64>, content: &str, said: &Part) -> String {
    let xyz = numbers(cleaned(pose.position, pose.position.norm()));
    let rpy = numbers(cleaned(pose.rotation.to_roll_pitch_yaw(), 1.0));
    let [parent, child] = ends.map(escaped);
    format!(
        "  <joint name=\"{}\" type=\"{kind}\"{}>\n    <parent link=\"{parent}\"/>\n    <child link=\"{child}\"/>\n    \
         <origin xyz=\"{xyz}\" rpy=\"{rpy}\"/>\n{content}{}  </joint>\n",
        escaped(name),
        written(&said.attributes),
        said.lines("    ")
    )
}

/// ROS wants all four numbers but for a continuous joint, which takes what there is.
fn limit(limits: &Limits, kind: &str, further: &str) -> String {
    let Limits { lower, upper, velocity, effort } = *limits;
    let all = [("lower", lower), ("upper", upper), ("effort", effort), ("velocity", velocity)];
    let said: String = all
        .into_iter()
        .filter(|(_, limit)| matches!(kind, "revolute" | "prismatic") || limit.is_finite())
        .map(|(name, limit)| format!(" {name}=\"{}\"", number(limit.clamp(-f64::MAX, f64::MAX))))
        .collect();
    if said.is_empty() && further.is_empty() { said } else { format!("    <limit{said}{further}/>\n") }
}

fn dynamics(effects: &JointEffects, further: &str) -> String {
    let (viscous, coulomb) = (effects.friction.viscous, effects.friction.coulomb);
    if viscous == 0.0 && coulomb == 0.0 && further.is_empty() {
        return String::new();
    }
    format!("    <dynamics damping=\"{}\" friction=\"{}\"{further}/>\n", number(viscous), number(coulomb))
}

/// What follows several joints is left out, which is reported.
fn mimic(mimic: &Mimic, further: &str) -> String {
    let Some((joint, multiplier)) = mimic.single() else { return String::new() };
    let (joint, multiplier, offset) = (escaped(joint), number(multiplier), number(mimic.offset));
    format!("    <mimic joint=\"{joint}\" multiplier=\"{multiplier}\" offset=\"{offset}\"{further}/>\n")
}

fn numbers(v: Vec3<f64>) -> impl Display {
    v.to_array().map(number).join(" ")
}

/// The shortest text that is read back as this number, without a sign on zero.
fn number(x: f64) -> String {
    let text = format!("{:?}", x + 0.0);
    text.strip_suffix(".0").map_or(text.clone(), Into::into)
}

/// A name as the value of an attribute. XML has no control characters.
fn escaped(name: &str) -> String {
    let name = name.replace(char::is_control, " ");
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
