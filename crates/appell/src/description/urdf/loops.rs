//! Loops of a URDF, which is a tree by itself: what simulators add to it.
//!
//! | element | of | here |
//! |---|---|---|
//! | `<loop_joint name type>` with `<link1 link xyz rpy/>`, `<link2 …/>`, `<axis xyz/>` in the frame of the first | Drake's older files, Isaac Sim | spherical, revolute, prismatic, fixed |
//! | `<drake:ball_constraint>` with bodies and points | Drake | spherical |
//! | `<gazebo><joint name type>` with `<parent>`, `<child>`, `<pose>` in the child's frame, `<axis><xyz>` | Gazebo | spherical, revolute, prismatic, fixed |
//!
//! Where there are loops and `<transmission>`s, joints without one are passive.

use super::parts::{AXES, Joint, Link, pose_of};
use super::tree::Branch;
use crate::description::linkage::axes_about;
use crate::description::name::{key, tamed};
use crate::description::xml::{Element, Reader, attribute};
use crate::description::{
    Attachment, BASE, Carrier, ClosingJoint, ClosureDescription, Finding, FrameDescription, JointDescription,
};
use crate::spatial::{Mat3, Pose, Vec3};
use roxmltree::Node;
use std::collections::{HashMap, HashSet};

/// Whether an element of a robot closes a loop, and nothing else.
pub(super) fn is_loop(node: Node) -> bool {
    matches!(node.tag_name().name(), "loop_joint" | "ball_constraint")
}

/// Where links and their frames are.
pub(super) struct Places<'l> {
    pub(super) links: &'l [Link],
    /// What each link's frame is called.
    pub(super) names: &'l [String],
    pub(super) joints: &'l [JointDescription],
    pub(super) frames: &'l [FrameDescription],
    /// Each link in the root's frame, before anything moves.
    at_start: Vec<Pose<f64>>,
}

impl<'l> Places<'l> {
    pub(super) fn new(
        links: &'l [Link],
        names: &'l [String],
        placed: (&'l [JointDescription], &'l [FrameDescription]),
        joints: &[Joint],
        tree: &[Branch],
    ) -> Self {
        let mut at_start = vec![Pose::identity(0.0); links.len()];
        for branch in tree {
            at_start[branch.child] = at_start[branch.parent] * joints[branch.joint].parent_from_child;
        }
        Self { links, names, joints: placed.0, frames: placed.1, at_start }
    }

    /// The link of a name; none, which is noted, where there is no such.
    fn find(&self, reader: &mut Reader, name: &str, place: &str) -> Option<usize> {
        let found = self.links.iter().position(|link| link.name == name);
        if found.is_none() {
            reader.notes.error(place, Finding::UnknownLink { name: name.into() });
        }
        found
    }

    /// A frame on a link, as the description has it.
    fn attachment(&self, link: usize, pose: Pose<f64>) -> Attachment {
        let name = self.names[link].as_str();
        if let Some(frame) = self.frames.iter().find(|frame| frame.name == name) {
            let on = frame.parent.as_deref().map_or(Carrier::Base, Carrier::from);
            return Attachment { on, pose: frame.pose * pose };
        }
        let is_joint = self.joints.iter().any(|joint| joint.name == name);
        Attachment { on: if is_joint { Carrier::Joint(name.into()) } else { Carrier::from(BASE) }, pose }
    }
}

/// All that closes loops.
pub(super) fn read(reader: &mut Reader, robot: &Element, places: &Places) -> Vec<ClosureDescription> {
    let mut taken: HashSet<String> = places.joints.iter().map(|joint| joint.name.clone()).collect();
    let mut closures: Vec<ClosureDescription> = Vec::new();
    for node in robot.node.children().filter(Node::is_element) {
        let found = match node.tag_name().name() {
            "loop_joint" => vec![loop_joint(reader, node, places)],
            "ball_constraint" => vec![ball_constraint(reader, node, places)],
            "gazebo" => {
                let joints = node.children().filter(|child| child.has_tag_name("joint"));
                joints.map(|joint| gazebo_joint(reader, joint, places)).collect()
            }
            _ => continue,
        };
        for mut closure in found.into_iter().flatten() {
            let number = closures.len() + 1;
            if closure.name.is_empty() || taken.contains(&closure.name) {
                closure.name = format!("loop{number}");
            }
            taken.insert(closure.name.clone());
            reader.notes.mark(format!("closure.{}", key(&closure.name)), node.range().start);
            closures.push(closure);
        }
    }
    closures
}

/// The joints that have a motor, where a file names any.
pub(super) fn driven(robot: &Element) -> HashSet<String> {
    let transmissions = robot.node.children().filter(|node| node.has_tag_name("transmission"));
    let joints =
        transmissions.flat_map(|node| node.children().filter(|child| child.has_tag_name("joint")).collect::<Vec<_>>());
    joints.filter_map(|joint| attribute(joint, "name")).map(Into::into).collect()
}

/// The kinds of joints that close loops, by the names that simulators give them.
fn kind(reader: &mut Reader, element: &Element) -> Option<ClosingJoint> {
    const EXPECTED: &str = "spherical, ball, revolute, continuous, prismatic or fixed";
    let (text, place) = reader.require(element, "type", EXPECTED)?;
    let find = |text: &str| match text {
        "spherical" | "ball" => Some(ClosingJoint::Spherical),
        "revolute" | "continuous" => Some(ClosingJoint::Revolute),
        "prismatic" => Some(ClosingJoint::Prismatic),
        "fixed" => Some(ClosingJoint::Rigid),
        _ => None,
    };
    reader.notes.find(&place, text, EXPECTED, find)
}

fn part<'d>(reader: &mut Reader, node: Node<'d, 'd>, what: &str) -> (Element<'d>, String) {
    let name = tamed(attribute(node, "name").unwrap_or_default());
    (reader.element(node, format!("{what}.{}", key(&name))), name)
}

fn loop_joint(reader: &mut Reader, node: Node, places: &Places) -> Option<ClosureDescription> {
    let (element, name) = part(reader, node, "loop_joint");
    let kind = kind(reader, &element);
    // Isaac Sim's manual calls both ends link1.
    let ends = node.children().filter(|child| matches!(child.tag_name().name(), "link1" | "link2"));
    let mut attachments = Vec::new();
    for (end, number) in ends.zip(1..) {
        let end = reader.element(end, format!("{}.link{number}", element.place));
        let (link, place) = reader.require(&end, "link", "the name of a link")?;
        let link = places.find(reader, link, &place)?;
        attachments.push((link, pose_of(reader, &end)));
    }
    let Ok([first, second]) = <[_; 2]>::try_from(attachments) else {
        reader.notes.error(
            &element.place,
            Finding::Missing { expected: "two ends, <link1 link=\"…\"/> and <link2 link=\"…\"/>" },
        );
        return None;
    };
    let axis = node.children().find(|child| child.has_tag_name("axis")).map(|axis| {
        let axis = reader.element(axis, format!("{}.axis", element.place));
        reader.vector(&axis, "xyz", AXES).unwrap_or_default()
    });
    let turned = Pose { rotation: about(reader, axis, &element.place)?, position: Vec3::zero(0.0) };
    let [first, second] = [first, second].map(|(link, pose)| places.attachment(link, pose * turned));
    Some(ClosureDescription { name, kind: kind?, first, second })
}

fn ball_constraint(reader: &mut Reader, node: Node, places: &Places) -> Option<ClosureDescription> {
    let (element, name) = part(reader, node, "ball_constraint");
    let mut end = |body: (&str, &'static str), point: (&str, &'static str)| {
        let mut child = |tag: &str, expected: &'static str| {
            let found = node.children().find(|child| child.tag_name().name() == tag);
            if found.is_none() {
                reader.notes.error(&format!("{}.{tag}", element.place), Finding::Missing { expected });
            }
            found.map(|child| reader.element(child, format!("{}.{tag}", element.place)))
        };
        let (body, point) = (child(body.0, body.1), child(point.0, point.1));
        let (body, point) = (body?, point?);
        let (link, place) = reader.require(&body, "name", "the name of a link")?;
        let link = places.find(reader, link, &place)?;
        let position = reader.vector(&point, "value", AXES)?;
        Some(places.attachment(link, Pose { rotation: Mat3::identity(0.0), position: position.into() }))
    };
    let first = end(
        ("ball_constraint_body_A", "the first link: <drake:ball_constraint_body_A name=\"…\"/>"),
        ("ball_constraint_p_AP", "a point of the first link, m: <drake:ball_constraint_p_AP value=\"x y z\"/>"),
    );
    let second = end(
        ("ball_constraint_body_B", "the second link: <drake:ball_constraint_body_B name=\"…\"/>"),
        ("ball_constraint_p_BQ", "a point of the second link, m: <drake:ball_constraint_p_BQ value=\"x y z\"/>"),
    );
    Some(ClosureDescription { name, kind: ClosingJoint::Spherical, first: first?, second: second? })
}

fn gazebo_joint(reader: &mut Reader, node: Node, places: &Places) -> Option<ClosureDescription> {
    let (element, name) = part(reader, node, "gazebo.joint");
    let kind = kind(reader, &element);
    let texts: HashMap<&str, &str> = node
        .descendants()
        .filter(Node::is_element)
        .map(|child| (child.tag_name().name(), child.text().unwrap_or_default().trim()))
        .collect();
    let mut link = |tag: &str| {
        let place = format!("{}.{tag}", element.place);
        let Some(name) = texts.get(tag) else {
            reader.notes.error(&place, Finding::Missing { expected: "the name of a link" });
            return None;
        };
        places.find(reader, name, &place)
    };
    let (parent, child) = (link("parent"), link("child"));
    for (name, what) in [("relative_to", "relative_to of its pose"), ("expressed_in", "expressed_in of its axis")] {
        if node.descendants().any(|child| attribute(child, name).is_some_and(|frame| !frame.is_empty())) {
            let what = format!("{what}, which is seen from the child link,");
            reader.notes.warning(&element.place, Finding::LeftOut { what });
        }
    }
    let mut numbers = |tag: &str, expected: usize, columns: &'static str| -> Option<Vec<f64>> {
        let text = texts.get(tag).filter(|text| !text.is_empty())?;
        let place = format!("{}.{tag}", element.place);
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() != expected {
            reader.notes.error(&place, Finding::WrongLength { found: words.len(), expected, columns });
            return None;
        }
        words.into_iter().map(|word| reader.finite(&place, word)).collect()
    };
    let (pose, axis) = (numbers("pose", 6, "x y z roll pitch yaw"), numbers("xyz", 3, "x y z"));
    let needs_axis = matches!(kind, Some(ClosingJoint::Revolute | ClosingJoint::Prismatic));
    if needs_axis && texts.get("xyz").is_none_or(|text| text.is_empty()) {
        let expected = "an axis: <axis><xyz>0 0 1</xyz></axis>; without one it is z of the joint's frame";
        reader.notes.warning(&format!("{}.axis", element.place), Finding::Missing { expected });
    }
    let pose = pose.and_then(|pose| <[f64; 6]>::try_from(pose).ok()).unwrap_or_default();
    let [x, y, z, roll, pitch, yaw] = pose;
    let rotation = Mat3::from_roll_pitch_yaw([roll, pitch, yaw].into());
    let axis = axis.and_then(|axis| <[f64; 3]>::try_from(axis).ok());
    let turned = about(reader, axis, &element.place)?;
    let on_child = Pose { rotation: rotation * turned, position: [x, y, z].into() };
    let (parent, child) = (parent?, child?);
    let on_parent = places.at_start[parent].inverse() * places.at_start[child] * on_child;
    let [first, second] = [(parent, on_parent), (child, on_child)].map(|(link, pose)| places.attachment(link, pose));
    Some(ClosureDescription { name, kind: kind?, first, second })
}

/// Axes with a direction as z; as they are without one.
fn about(reader: &mut Reader, axis: Option<[f64; 3]>, place: &str) -> Option<Mat3<f64>> {
    let Some(axis) = axis else { return Some(Mat3::identity(0.0)) };
    let largest = axis.into_iter().map(f64::abs).fold(0.0, f64::max);
    if largest == 0.0 {
        reader.notes.error(place, Finding::ZeroAxis);
        return None;
    }
    let direction = Vec3::from(axis.map(|entry| entry / largest));
    Some(axes_about(direction.scale(1.0 / direction.norm())))
}
