//! From a tree of links to a description: joints about z, bodies merged, every link a named frame.

use super::Options;
use super::parts::{Joint, Kind, Link};
use super::tree::Branch;
use crate::description::linkage::{Chains, Seat, axes_about};
use crate::description::name::{key, tamed};
use crate::description::xml::Reader;
use crate::description::{BASE, Finding, FrameDescription, JointDescription, JointEffects, JointType};
use crate::spatial::{Pose, Vec3};
use std::collections::{HashMap, HashSet};

/// Heads the name of the frame of a joint whose child cannot be the user's frame.
pub(super) const AXIS: &str = "axis:";

/// What the joint of a floating root link is called.
const ROOT_JOINT: &str = "root_joint";

/// What became of links and joints.
pub(super) struct Placed {
    /// With their bodies.
    pub(super) joints: Vec<JointDescription>,
    pub(super) frames: Vec<FrameDescription>,
    /// What each link's frame is called.
    pub(super) names: Vec<String>,
    /// The joint by which the root link moves freely, if it does.
    pub(super) root_joint: Option<String>,
}

/// Joints with their bodies, and frames.
pub(super) fn place(
    reader: &mut Reader,
    links: &[Link],
    joints: &[Joint],
    tree: &[Branch],
    options: Options,
) -> Placed {
    let mut chains = Chains::default();
    let mut root = Seat { joint: None, body_from_link: Pose::identity(0.0) };
    let root_joint = options.floating_base.then(|| {
        let is_taken = |name: &String| joints.iter().any(|joint| joint.name == *name);
        let mut names = core::iter::successors(Some(String::from(ROOT_JOINT)), |name| Some(format!("{name}_")));
        names.find(|name| !is_taken(name)).unwrap_or_default()
    });
    if let Some(name) = &root_joint {
        root = chains.add(name, JointType::Free, Pose::identity(0.0), root);
    }
    let mut seats = vec![root; links.len()];
    for branch in tree {
        let joint = &joints[branch.joint];
        let parent = seats[branch.parent];
        let seat = Seat { body_from_link: parent.body_from_link * joint.parent_from_child, ..parent };
        let Some(kind) = joint_type(joint.kind) else {
            seats[branch.child] = seat;
            continue;
        };
        let link_from_joint = Pose { rotation: axes_about(joint.axis), position: Vec3::zero(0.0) };
        seats[branch.child] = chains.add(&joint.name, kind, link_from_joint, seat);
        let row = chains.joints.len();
        if let Some(added) = chains.joints.last_mut().filter(|added| added.kind.elementary().is_some()) {
            added.limits = joint.limits;
            added.effects = JointEffects { friction: joint.friction, ..JointEffects::default() };
            added.mimic.clone_from(&joint.mimic);
            added.driven = joint.mimic.is_none();
        }
        let key = key(&joint.name);
        for place in [format!("joints.{key}"), format!("joints[{row}]"), format!("joint.{key}"), format!("body.{key}")]
        {
            reader.notes.mark(place, joint.byte);
        }
    }
    let mut joints = chains.joints;
    for (link, seat) in links.iter().zip(&seats) {
        if let Some(joint) = seat.joint {
            let body = &mut joints[joint].body;
            *body = body.with(&link.body.seen_from(&seat.body_from_link));
        }
    }
    let (mut frames, names) = frames(reader, links, &seats, &joints);
    take_over_frames(&mut joints, &mut frames);
    Placed { joints, frames, names, root_joint }
}

/// What a joint is here; none if it is fixed.
const fn joint_type(kind: Kind) -> Option<JointType> {
    match kind {
        Kind::Fixed => None,
        Kind::Revolute | Kind::Continuous => Some(JointType::Revolute),
        Kind::Prismatic => Some(JointType::Prismatic),
        Kind::Planar => Some(JointType::Planar),
        Kind::Floating => Some(JointType::Free),
    }
}

/// A frame for every link but those that have one already: the root, if it is called `base`, and a joint's child of
/// the same name. With the names of all.
fn frames(
    reader: &mut Reader,
    links: &[Link],
    seats: &[Seat],
    joints: &[JointDescription],
) -> (Vec<FrameDescription>, Vec<String>) {
    let taken: HashSet<&str> = joints.iter().map(|joint| joint.name.as_str()).chain([BASE]).collect();
    let (mut frames, mut names) = (Vec::new(), Vec::new());
    for (link, seat) in links.iter().zip(seats) {
        let carrier = seat.joint.map(|joint| joints[joint].name.as_str());
        let is_carrier = link.name == carrier.unwrap_or(BASE);
        if is_carrier && seat.body_from_link == Pose::identity(0.0) {
            names.push(link.name.clone());
            continue;
        }
        let mut name = tamed(&link.name);
        if taken.contains(name.as_str()) && (!is_carrier || name == BASE) {
            name = format!("link:{name}");
        }
        if name != link.name {
            let finding = Finding::Renamed { name: link.name.clone(), instead: name.clone() };
            reader.notes.warning(&link.place, finding);
        }
        reader.notes.mark(format!("frame.{}", key(&name)), link.byte);
        names.push(name.clone());
        frames.push(FrameDescription { name, parent: carrier.map(Into::into), pose: seat.body_from_link });
    }
    (frames, names)
}

/// A link fixed on a joint's body and called like the joint is the user's frame of that body, and the joint's child
/// `axis:NAME` then only helps to say so: thus [`write`](super::write()) writes standard Denavit-Hartenberg tables.
fn take_over_frames(joints: &mut [JointDescription], frames: &mut Vec<FrameDescription>) {
    let is_own = |frame: &mut FrameDescription| frame.parent.as_ref() == Some(&frame.name);
    let own: HashMap<String, Pose<f64>> = frames.extract_if(.., is_own).map(|frame| (frame.name, frame.pose)).collect();
    if own.is_empty() {
        return;
    }
    let helps = |name: &str| name.strip_prefix(AXIS).is_some_and(|joint| own.contains_key(joint));
    frames.retain(|frame| !helps(&frame.name) || frame.pose != Pose::identity(0.0));
    for joint in joints {
        if let Some(pose) = own.get(&joint.name) {
            joint.link_frame = joint.link_frame * *pose;
            joint.body = joint.body.seen_from(&pose.inverse());
        }
    }
    for frame in frames {
        if let Some(pose) = frame.parent.as_ref().and_then(|parent| own.get(parent)) {
            frame.pose = pose.inverse() * frame.pose;
        }
    }
}
