//! From a tree of links to a description: joints about z, bodies merged, every link a named frame.

use super::Options;
use super::parts::{Joint, Kind, Link};
use super::tree::Branch;
use crate::description::name::{key, tamed};
use crate::description::xml::Reader;
use crate::description::{
    BASE, Finding, FrameDescription, JointDescription, JointEffects, JointKind, KhalilKleinfinger,
};
use crate::spatial::{Mat3, PlanarRotation, Pose, Vec3};
use std::collections::{HashMap, HashSet};

/// Heads the name of the frame of a joint whose child cannot be the user's frame.
pub(super) const AXIS: &str = "axis:";

/// Where a link sits: on a joint's body or on the base, and where in the frame of that body's first link.
#[derive(Clone, Copy)]
struct Seat {
    joint: Option<usize>,
    body_from_link: Pose<f64>,
}

/// What became of links and joints.
pub(super) struct Placed {
    /// With their bodies.
    pub(super) joints: Vec<JointDescription>,
    pub(super) frames: Vec<FrameDescription>,
    /// What each link's frame is called.
    pub(super) names: Vec<String>,
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
    if options.floating_base {
        root = chains.add(BASE, &steps(Kind::Floating, Vec3::default()), root);
    }
    let mut seats = vec![root; links.len()];
    for branch in tree {
        let joint = &joints[branch.joint];
        let parent = seats[branch.parent];
        let seat = Seat { body_from_link: parent.body_from_link * joint.parent_from_child, ..parent };
        let first = chains.joints.len();
        seats[branch.child] = chains.add(&joint.name, &steps(joint.kind, joint.axis), seat);
        let added = &mut chains.joints[first..];
        if let [added] = added {
            added.limits = joint.limits;
            added.effects = JointEffects { friction: joint.friction, ..JointEffects::default() };
            added.mimic.clone_from(&joint.mimic);
        }
        for (added, row) in added.iter().zip(first + 1..) {
            let key = key(&added.name);
            for place in
                [format!("joints.{key}"), format!("joints[{row}]"), format!("joint.{key}"), format!("body.{key}")]
            {
                reader.notes.mark(place, joint.byte);
            }
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
    Placed { joints, frames, names }
}

/// One motion of a joint, along or about an axis.
struct Step {
    suffix: &'static str,
    kind: JointKind,
    axis: Vec3<f64>,
}

/// The motions of a joint in sequence; none if it is fixed.
fn steps(kind: Kind, axis: Vec3<f64>) -> Vec<Step> {
    use JointKind::{Prismatic, Revolute};
    let step = |(suffix, kind, axis)| Step { suffix, kind, axis };
    let [x, y, z] = Mat3::identity(0.0).rows;
    match kind {
        Kind::Fixed => Vec::new(),
        Kind::Revolute | Kind::Continuous => vec![step(("", Revolute, axis))],
        Kind::Prismatic => vec![step(("", Prismatic, axis))],
        Kind::Planar => {
            let plane = axes_about(axis);
            let slides = [("_1", Prismatic, plane.column(0)), ("_2", Prismatic, plane.column(1))];
            slides.into_iter().chain([("_turn", Revolute, axis)]).map(step).collect()
        }
        Kind::Floating => {
            let slides = [("_x", Prismatic, x), ("_y", Prismatic, y), ("_z", Prismatic, z)];
            let turns = [("_yaw", Revolute, z), ("_pitch", Revolute, y), ("_roll", Revolute, x)];
            slides.into_iter().chain(turns).map(step).collect()
        }
    }
}

/// The joints of a base that moves freely.
pub(in crate::description) fn floating_base() -> Vec<JointDescription> {
    let mut chains = Chains::default();
    let on_base = Seat { joint: None, body_from_link: Pose::identity(0.0) };
    chains.add(BASE, &steps(Kind::Floating, Vec3::default()), on_base);
    chains.joints
}

/// What is added to the name of a joint for the last of its motions.
pub(super) fn last_suffix(kind: Kind) -> &'static str {
    steps(kind, Vec3::default()).last().map_or("", |step| step.suffix)
}

/// Axes with the given unit vector as z: the identity where that is z, exact where it is along any axis.
fn axes_about(z: Vec3<f64>) -> Mat3<f64> {
    let across = z.x.hypot(z.y);
    let x = if across == 0.0 { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::new(-z.y / across, z.x / across, 0.0) };
    Mat3::from_rows([x, z.cross(x), z]).transpose()
}

/// Joints that turn about or slide along their own z, as they are added, parents first.
#[derive(Default)]
struct Chains {
    joints: Vec<JointDescription>,
    /// Whether something hangs on each joint.
    bears: Vec<bool>,
}

impl Chains {
    /// Adds a sequence of joints at a seat and says where the link behind it sits.
    fn add(&mut self, name: &str, steps: &[Step], seat: Seat) -> Seat {
        steps.iter().fold(seat, |seat, step| self.add_step(format!("{name}{}", step.suffix), step, seat))
    }

    fn add_step(&mut self, name: String, step: &Step, seat: Seat) -> Seat {
        let link_from_joint = Pose { rotation: axes_about(step.axis), position: Vec3::zero(0.0) };
        let parent = seat.joint.map(|parent| &self.joints[parent]);
        let parent_from_body = parent.map_or(Pose::identity(0.0), |parent| parent.link_frame);
        let parent_name = parent.map(|parent| parent.name.clone());
        let mut placement = KhalilKleinfinger::from_pose(&(parent_from_body * seat.body_from_link * link_from_joint));
        if let Some(parent) = seat.joint {
            if !self.bears[parent] {
                turn_towards(&mut self.joints[parent], &mut placement);
            }
            self.bears[parent] = true;
        }
        self.joints.push(JointDescription {
            parent: parent_name,
            placement,
            link_frame: link_from_joint.inverse(),
            ..JointDescription::new(name, step.kind)
        });
        self.bears.push(false);
        Seat { joint: Some(self.joints.len() - 1), body_from_link: Pose::identity(0.0) }
    }
}

/// Turns and slides a joint's frame along its z to where its first child wants it, so that γ = b = 0 there: in
/// chains every placement but the first is a row of a modified Denavit-Hartenberg table, the cheapest to compute with.
fn turn_towards(joint: &mut JointDescription, child: &mut KhalilKleinfinger) {
    let KhalilKleinfinger { gamma, b, .. } = *child;
    joint.placement.theta += gamma;
    joint.placement.r += b;
    let new_from_old = Pose { rotation: PlanarRotation::exact(-gamma).matrix_z(), position: Vec3::new(0.0, 0.0, -b) };
    joint.link_frame = new_from_old * joint.link_frame;
    *child = KhalilKleinfinger { gamma: 0.0, b: 0.0, ..*child };
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
