//! Which link hangs on which: the first joint of a link carries it, and further ones close loops.

use super::super::linkage::{self, Frame, Linkage, Loop, axes_about};
use super::super::urdf::{Options, ShapeOfLink};
use super::super::xml::Reader;
use super::joints::{Axis, Joint, Type};
use super::links::Link;
use super::poses::{Kind, Scene};
use crate::description::{ClosingJoint, Finding, JointEffects, JointType, Limits};
use crate::spatial::{Mat3, Pose, Vec3};
use std::collections::HashMap;

/// Links and joints with their parents first; or notes on why there is no tree.
pub(super) fn grow(
    reader: &mut Reader,
    scene: &Scene,
    links: Vec<Link>,
    joints: Vec<Joint>,
    is_static: bool,
    options: Options,
) -> Option<(Linkage, Vec<ShapeOfLink>)> {
    if links.is_empty() {
        reader.notes.error("model", Finding::Missing { expected: "links: <link name=\"…\">" });
        return None;
    }
    let numbers: HashMap<String, usize> = links.iter().enumerate().map(|(k, link)| (link.name.clone(), k)).collect();
    let number = |name: &Option<String>| name.as_ref().and_then(|name| numbers.get(name)).copied();
    let mut carried: Vec<Option<usize>> = vec![None; links.len()];
    let mut closing = Vec::new();
    for (k, joint) in joints.iter().enumerate() {
        match number(&joint.child) {
            Some(child) if carried[child].is_none() && joint.parent != joint.child => carried[child] = Some(k),
            _ => closing.push(k),
        }
    }
    let roots: Vec<usize> = (0..links.len()).filter(|&link| carried[link].is_none()).collect();
    if let [first, others @ ..] = &roots[..] {
        for &other in others.iter().filter(|_| !is_static) {
            reader.notes.error(&links[other].place, Finding::SecondRoot { root: links[*first].name.clone() });
        }
    }
    let order = parents_first(&carried, |joint| number(&joints[joint].parent));
    if order.len() < links.len() {
        let is_left = |link: &usize| !order.contains(link);
        let names: Vec<String> = (0..links.len()).filter(is_left).map(|link| links[link].name.clone()).collect();
        reader.notes.error("model", Finding::Loop { links: names });
        return None;
    }
    let mut linkage = Linkage::default();
    let mut shapes = Vec::new();
    for (link, Link { name, place, byte, body, shapes: own, .. }) in links.iter().enumerate() {
        let (name, place) = (name.clone(), place.clone());
        linkage.links.push(linkage::Link { name, place, byte: *byte, body: *body });
        shapes.extend(own.iter().map(|(tag, text)| ShapeOfLink { link, tag, text: text.clone() }));
    }
    for &child in &order {
        let Some(joint) = carried[child].map(|joint| &joints[joint]) else {
            let kind = (options.floating_base && !is_static).then_some(JointType::Free);
            if kind.is_none() && !is_static && links[child].name != super::poses::WORLD {
                reader.notes.warning(&links[child].place, Finding::RootOnBase { link: links[child].name.clone() });
            }
            let root = linkage::Joint::new("root_joint".into(), kind, None, child);
            let pose = if kind.is_some() { Pose::identity(0.0) } else { links[child].in_world };
            linkage.joints.push(linkage::Joint { parent_from_child: pose, byte: links[child].byte, ..root });
            continue;
        };
        let parent = number(&joint.parent);
        let parent_pose = parent.map_or(Pose::identity(0.0), |parent| links[parent].in_world);
        let pose = parent_pose.inverse() * links[child].in_world;
        add(&mut linkage, joint, parent, child, pose, &links[child].in_world);
    }
    for &k in &closing {
        close(reader, &mut linkage, &joints[k], [number(&joints[k].parent), number(&joints[k].child)], &links);
    }
    for item in scene.all(Kind::Frame) {
        let place = &item.element.place;
        let Some(on) = scene.link_of(reader, "", &item.name, place) else { continue };
        let link = number(&on);
        let base = link.map_or(Pose::identity(0.0), |link| links[link].in_world);
        let pose = base.inverse() * scene.in_world(reader, item);
        linkage.frames.push(Frame {
            name: item.name.clone(),
            place: place.clone(),
            byte: item.element.byte,
            link,
            pose,
        });
    }
    Some((linkage, shapes))
}

/// All links that hang on a root, depth first in the order of the file. Without recursion: chains may be long.
fn parents_first(carried: &[Option<usize>], parent: impl Fn(usize) -> Option<usize>) -> Vec<usize> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); carried.len()];
    let mut stack = Vec::new();
    for (child, joint) in carried.iter().enumerate().rev() {
        match joint.and_then(&parent) {
            Some(parent) => below[parent].push(child),
            None => stack.push(child),
        }
    }
    // In the order of the joints, as a URDF's are.
    below.iter_mut().for_each(|children| children.sort_by_key(|&child| core::cmp::Reverse(carried[child])));
    let mut order = Vec::new();
    while let Some(link) = stack.pop() {
        order.push(link);
        stack.extend(&below[link]);
    }
    order
}

/// Adds a joint that carries a link, where this is at `child_in_world`.
fn add(
    linkage: &mut Linkage,
    joint: &Joint,
    parent: Option<usize>,
    child: usize,
    pose: Pose<f64>,
    child_in_world: &Pose<f64>,
) {
    let to_child = child_in_world.inverse();
    let anchor = to_child.point(joint.in_world.position);
    let local = |axis: &Axis| to_child.rotation * axis.direction;
    let one = |name: String,
               kind: Option<JointType>,
               axis: Option<&Axis>,
               parent: Option<usize>,
               child: usize,
               pose: Pose<f64>| {
        let none = Axis {
            direction: Vec3::zero(0.0),
            limits: Limits::default(),
            effects: JointEffects::default(),
            mimic: None,
        };
        let Axis { limits, effects, mimic, .. } = axis.unwrap_or(&none).clone();
        linkage::Joint {
            place: joint.place.clone(),
            byte: joint.byte,
            parent_from_child: pose,
            anchor,
            axis: axis.map_or(Vec3::new(0.0, 0.0, 1.0), local),
            // As Drake has it: what may not be pushed has no motor.
            driven: limits.effort > 0.0 && mimic.is_none(),
            limits,
            effects,
            mimic,
            ..linkage::Joint::new(name, kind, parent, child)
        }
    };
    let name = joint.name.clone();
    let first = joint.axes.first();
    let kind = match joint.kind {
        Type::Fixed => None,
        Type::Ball => Some(JointType::Spherical),
        Type::Prismatic => Some(JointType::Prismatic),
        Type::Revolute | Type::Continuous | Type::Universal | Type::Revolute2 => Some(JointType::Revolute),
        Type::Screw => Some(JointType::Screw),
    };
    let Some(second) = joint.axes.get(1) else {
        let pitch = if joint.kind == Type::Screw { joint.pitch } else { 0.0 };
        linkage.joints.push(linkage::Joint { pitch, ..one(name, kind, first, parent, child, pose) });
        return;
    };
    linkage.links.push(linkage::Link::between());
    let between = linkage.links.len() - 1;
    linkage.joints.push(one(name.clone(), kind, first, parent, between, pose));
    let name = format!("{name}_axis2");
    linkage.joints.push(one(name, kind, Some(second), Some(between), child, Pose::identity(0.0)));
}

/// Adds a joint that closes a loop.
fn close(reader: &mut Reader, linkage: &mut Linkage, joint: &Joint, ends: [Option<usize>; 2], links: &[Link]) {
    let along = |k: usize| joint.axes.get(k).map_or(Vec3::new(0.0, 0.0, 1.0), |axis| axis.direction);
    let (kind, rotations) = match joint.kind {
        Type::Revolute | Type::Continuous => (ClosingJoint::Revolute, [axes_about(along(0)); 2]),
        Type::Prismatic => (ClosingJoint::Prismatic, [axes_about(along(0)); 2]),
        Type::Ball => (ClosingJoint::Spherical, [joint.in_world.rotation; 2]),
        Type::Fixed => (ClosingJoint::Rigid, [joint.in_world.rotation; 2]),
        Type::Universal => {
            // x of the first frame, y of the second.
            let (x, y) = (along(0), along(1));
            let z = x.cross(y);
            if z.norm() < 1.0 - 1e-9 {
                reader
                    .notes
                    .error(&joint.place, Finding::CutJoint { kind: "universal joint whose axes are not orthogonal" });
                return;
            }
            (ClosingJoint::Universal, [Mat3::from_rows([x, y, z]).transpose(); 2])
        }
        Type::Revolute2 | Type::Screw => {
            reader.notes.error(&joint.place, Finding::CutJoint { kind: joint.kind.name() });
            return;
        }
    };
    let has_effects = joint.axes.iter().any(|axis| axis.effects != JointEffects::default() || axis.mimic.is_some());
    if has_effects {
        let what = "friction, spring or mimicry of a joint that closes a loop".into();
        reader.notes.warning(&joint.place, Finding::LeftOut { what });
    }
    let place = |k: usize| {
        let world = Pose { rotation: rotations[k], position: joint.in_world.position };
        let link = ends[k].map_or(Pose::identity(0.0), |link| links[link].in_world);
        (ends[k], link.inverse() * world)
    };
    let ends = [place(0), place(1)];
    linkage.loops.push(Loop { name: joint.name.clone(), place: joint.place.clone(), byte: joint.byte, kind, ends });
}
