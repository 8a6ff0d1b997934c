//! A description as a URDF.

use crate::description::khalil_kleinfinger::cleaned;
use crate::description::name::key;
use crate::description::{
    BASE, BodyDescription, Branch, Description, Finding, JointDescription, JointEffects, JointKind, Limits, Mimic,
    Problems, STANDARD_GRAVITY, check,
};
use crate::spatial::{Pose, Sym3, Vec3};
use core::fmt::Display;
use std::collections::{HashMap, HashSet};

/// Heads the name of the frame of a joint whose child cannot be the user's frame.
pub(super) const AXIS: &str = "axis:";

/// Writes a robot, with a warning for everything a URDF cannot say: gravity, undriven joints, homes, rotors, springs, and
/// friction beyond viscous and Coulomb.
///
/// [`read`](super::read) gives the same robot back, its joints depth first. A joint's child is the user's frame of
/// the body, called like the joint. A URDF wants that frame on the joint's axis; where it is off, as in standard
/// Denavit-Hartenberg tables, the child is called `axis:NAME` and the user's frame is fixed on it. An infinite
/// limit where ROS wants a number is the largest one.
///
/// # Errors
/// Everything [`check()`] finds, warnings included, if any of it is an error. A robot that closes loops is one.
pub fn write(description: &Description) -> Result<(String, Problems), Problems> {
    let mut problems = check(description);
    if description.is_closed() {
        problems.error("closure", Finding::LoopsInUrdf { closures: description.closure_names() });
    }
    if problems.errors() > 0 {
        return Err(problems);
    }
    let mut text = format!("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", escaped(&description.name));
    text += &link(BASE, &BodyDescription::default());
    let frames: HashMap<&str, &Pose<f64>> =
        description.joints.iter().map(|j| (j.name.as_str(), &j.link_frame)).collect();
    let mut names = Names::of(description);
    for joint in &description.joints {
        let parent = joint.parent.as_deref().unwrap_or(BASE);
        let user_from_parent = frames.get(parent).map_or(Pose::identity(0.0), |frame| frame.inverse());
        text += &moving(&mut names, joint, parent, &(user_from_parent * joint.placement.pose()));
    }
    for frame in &description.frames {
        let parent = frame.parent.as_deref().unwrap_or(BASE);
        text += &fixed(&mut names, &frame.name, &BodyDescription::default(), parent, &frame.pose);
    }
    Ok((text + "</robot>\n", dropped(description)))
}

/// The names of a robot, and those invented for its URDF.
struct Names(HashSet<String>);

impl Names {
    fn of(description: &Description) -> Self {
        let joints = description.joints.iter().map(|joint| joint.name.clone());
        Self(joints.chain(description.frames.iter().map(|frame| frame.name.clone())).collect())
    }

    /// A name with a prefix, repeated until nothing is called so.
    fn invent(&mut self, prefix: &str, name: &str) -> String {
        let mut invented = format!("{prefix}{name}");
        while !self.0.insert(invented.clone()) {
            invented.insert_str(0, prefix);
        }
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
            (joint.driven, "driven"),
            (joint.home == 0.0, "home"),
            (joint.branch == Branch::Any, "branch"),
            (friction.smoothing == 0.0, "friction.smoothing"),
            (friction.offset == 0.0, "friction.offset"),
            (rotor.reflected_inertia() == 0.0, "rotor"),
            (spring.stiffness == 0.0, "spring"),
        ] {
            if !said {
                problems.warning(format!("joints.{}.{what}", key(&joint.name)), Finding::Dropped);
            }
        }
    }
    problems
}

/// A joint with its body; `parent_from_joint` at q = 0, in the user's frame of the parent.
fn moving(names: &mut Names, joint: &JointDescription, parent: &str, parent_from_joint: &Pose<f64>) -> String {
    let frame = &joint.link_frame;
    let on_axis = frame.position.x == 0.0 && frame.position.y == 0.0;
    let (child, parent_from_child, axis) = if on_axis || joint.kind == JointKind::Prismatic {
        (joint.name.clone(), *parent_from_joint * *frame, frame.rotation.rows[2])
    } else {
        (names.invent(AXIS, &joint.name), *parent_from_joint, Vec3::new(0.0, 0.0, 1.0))
    };
    let Limits { lower, upper, .. } = joint.limits;
    let kind = match joint.kind {
        JointKind::Prismatic => "prismatic",
        JointKind::Revolute if lower == f64::NEG_INFINITY && upper == f64::INFINITY => "continuous",
        JointKind::Revolute => "revolute",
    };
    let content = format!(
        "    <axis xyz=\"{}\"/>\n{}{}{}",
        numbers(cleaned(axis, 1.0)),
        limit(&joint.limits, kind),
        dynamics(&joint.effects),
        joint.mimic.as_ref().map_or(String::new(), mimic),
    );
    let connection = connection(&joint.name, kind, parent, &child, &parent_from_child, &content);
    if child == joint.name {
        link(&child, &joint.body) + &connection
    } else {
        link(&child, &BodyDescription::default()) + &connection + &fixed(names, &joint.name, &joint.body, &child, frame)
    }
}

/// A link that is fixed on another one.
fn fixed(names: &mut Names, name: &str, body: &BodyDescription, parent: &str, parent_from_link: &Pose<f64>) -> String {
    link(name, body) + &connection(&names.invent("fixed:", name), "fixed", parent, name, parent_from_link, "")
}

fn link(name: &str, body: &BodyDescription) -> String {
    let name = escaped(name);
    if body.mass == 0.0 && body.inertia == Sym3::default() {
        return format!("  <link name=\"{name}\"/>\n");
    }
    let Sym3 { xx, xy, xz, yy, yz, zz } = body.inertia;
    let [xx, xy, xz, yy, yz, zz] = [xx, xy, xz, yy, yz, zz].map(number);
    format!(
        "  <link name=\"{name}\">\n    <inertial>\n      <origin xyz=\"{}\"/>\n      <mass value=\"{}\"/>\n      \
         <inertia ixx=\"{xx}\" ixy=\"{xy}\" ixz=\"{xz}\" iyy=\"{yy}\" iyz=\"{yz}\" izz=\"{zz}\"/>\n    \
         </inertial>\n  </link>\n",
        numbers(body.com),
        number(body.mass),
    )
}

fn connection(name: &str, kind: &str, parent: &str, child: &str, pose: &Pose<f64>, content: &str) -> String {
    let xyz = numbers(cleaned(pose.position, pose.position.norm()));
    let rpy = numbers(cleaned(pose.rotation.to_roll_pitch_yaw(), 1.0));
    let [name, parent, child] = [name, parent, child].map(escaped);
    format!(
        "  <joint name=\"{name}\" type=\"{kind}\">\n    <parent link=\"{parent}\"/>\n    <child link=\"{child}\"/>\n    \
         <origin xyz=\"{xyz}\" rpy=\"{rpy}\"/>\n{content}  </joint>\n",
    )
}

/// ROS wants all four numbers but for a continuous joint, which takes what there is.
fn limit(limits: &Limits, kind: &str) -> String {
    let Limits { lower, upper, velocity, effort } = *limits;
    let all = [("lower", lower), ("upper", upper), ("effort", effort), ("velocity", velocity)];
    let said: String = all
        .into_iter()
        .filter(|(_, limit)| kind != "continuous" || limit.is_finite())
        .map(|(name, limit)| format!(" {name}=\"{}\"", number(limit.clamp(-f64::MAX, f64::MAX))))
        .collect();
    if said.is_empty() { said } else { format!("    <limit{said}/>\n") }
}

fn dynamics(effects: &JointEffects) -> String {
    let (viscous, coulomb) = (effects.friction.viscous, effects.friction.coulomb);
    if viscous == 0.0 && coulomb == 0.0 {
        return String::new();
    }
    format!("    <dynamics damping=\"{}\" friction=\"{}\"/>\n", number(viscous), number(coulomb))
}

fn mimic(mimic: &Mimic) -> String {
    let (joint, multiplier, offset) = (escaped(&mimic.joint), number(mimic.multiplier), number(mimic.offset));
    format!("    <mimic joint=\"{joint}\" multiplier=\"{multiplier}\" offset=\"{offset}\"/>\n")
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
