//! Where everything of a model is: poses that are relative to each other, found for all frames by their names.

use super::super::xml::{Element, Reader, attribute};
use super::{children, is_true_attribute, numbers};
use crate::description::Finding;
use crate::description::name::key;
use crate::spatial::{Mat3, Pose, Quaternion};
use core::f64::consts::PI;
use roxmltree::Node;
use std::collections::HashMap;

/// What has a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Model,
    Link,
    Joint,
    Frame,
}

/// A frame of a model.
pub(super) struct Item<'d> {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) element: Element<'d>,
    /// Before the names of what is in the same model: empty, or `MODEL::`.
    pub(super) scope: String,
    pose: Pose<f64>,
    /// The frame that the pose is seen from; none is the world.
    relative_to: Option<String>,
    /// The frame that it is fixed on, of frames and joints.
    attached_to: Option<String>,
}

/// A model and those within it, flat: names begin with those of the models that they are in.
pub(super) struct Scene<'d> {
    pub(super) items: Vec<Item<'d>>,
    by_name: HashMap<String, usize>,
    pub(super) version: u32,
}

/// What a model calls its own frame.
const OWN: &str = "__model__";
/// The frame that does not move.
pub(super) const WORLD: &str = "world";
/// What the outermost model is called here: the file's own names are not empty.
const OUTERMOST: &str = "";

impl<'d> Scene<'d> {
    /// Reads all frames. Without recursion, for the sake of the stack: models may be nested deeply.
    pub(super) fn read(reader: &mut Reader, model: Node<'d, 'd>, version: u32) -> Self {
        let mut scene = Self { items: Vec::new(), by_name: HashMap::new(), version };
        let mut stack = vec![(model, String::new(), None::<String>)];
        while let Some((node, scope, own)) = stack.pop() {
            let own = own.unwrap_or_else(|| {
                scene.add(reader, node, OUTERMOST.into(), Kind::Model, String::new(), None);
                OUTERMOST.into()
            });
            for child in node.children().filter(Node::is_element) {
                let kind = match child.tag_name().name() {
                    "link" => Kind::Link,
                    "joint" => Kind::Joint,
                    "frame" => Kind::Frame,
                    "model" => Kind::Model,
                    "include" => {
                        let element = reader.element(child, "model.include".into());
                        let uri = children(child, "uri").next().and_then(|uri| uri.text()).unwrap_or_default().trim();
                        reader.notes.error(&element.place, Finding::IncludedModel { uri: uri.into() });
                        continue;
                    }
                    _ => continue,
                };
                let name = format!("{scope}{}", attribute(child, "name").unwrap_or_default());
                scene.add(reader, child, name.clone(), kind, scope.clone(), Some(&own));
                if kind == Kind::Model {
                    stack.push((child, format!("{name}::"), Some(name)));
                }
            }
        }
        scene
    }

    fn add(
        &mut self,
        reader: &mut Reader,
        node: Node<'d, 'd>,
        name: String,
        kind: Kind,
        scope: String,
        model: Option<&str>,
    ) {
        let word = match kind {
            Kind::Model => "model",
            Kind::Link => "link",
            Kind::Joint => "joint",
            Kind::Frame => "frame",
        };
        let place = if name.is_empty() { word.into() } else { format!("{word}.{}", key(&name)) };
        let element = reader.element(node, place.clone());
        if model.is_some() && attribute(node, "name").unwrap_or_default().is_empty() {
            reader.notes.error(&place, Finding::EmptyName);
            return;
        }
        let scoped =
            |name: &str| if name == OWN { model.unwrap_or_default().to_owned() } else { format!("{scope}{name}") };
        let attached = match kind {
            Kind::Joint => children(node, "child").next().and_then(|child| child.text()).map(str::trim),
            Kind::Frame => attribute(node, "attached_to").filter(|name| !name.is_empty()),
            Kind::Model | Kind::Link => None,
        };
        let attached_to = attached.map(scoped);
        let said = children(node, "pose").next();
        let pose = said.map_or(Pose::identity(0.0), |said| {
            let element = reader.element(said, format!("{place}.pose"));
            pose(reader, &element)
        });
        let relative_to =
            said.and_then(|said| attribute(said, "relative_to")).filter(|name| !name.is_empty()).map(scoped);
        let usual = attached_to.clone().or_else(|| model.map(Into::into));
        if let Some(name) = relative_to.as_ref().filter(|name| model.is_none() && *name != WORLD) {
            reader.notes.error(&format!("{place}.pose"), Finding::OutsideModel { what: format!("the frame `{name}`") });
        }
        let relative_to = if model.is_none() { None } else { relative_to.or(usual) };
        if node.has_attribute("placement_frame") {
            let what = "placement_frame; the model's pose is that of its own frame, and placement_frame".into();
            reader.notes.warning(&place, Finding::LeftOut { what });
        }
        let (number, first) = (self.items.len(), word);
        if self.by_name.insert(name.clone(), number).is_some() {
            reader
                .notes
                .error(&place, Finding::DuplicateName { name: name.clone(), first: format!("another {first}") });
        }
        self.items.push(Item { name, kind, element, scope, pose, relative_to, attached_to });
    }

    /// The frame of a name.
    pub(super) fn find(&self, name: &str) -> Option<&Item<'d>> {
        self.by_name.get(name).map(|&number| &self.items[number])
    }

    /// All of a kind, in the order of the file.
    pub(super) fn all(&self, kind: Kind) -> impl Iterator<Item = &Item<'d>> {
        self.items.iter().filter(move |item| item.kind == kind)
    }

    /// Where a frame is in the world, before anything moves.
    pub(super) fn in_world(&self, reader: &mut Reader, item: &Item<'d>) -> Pose<f64> {
        let mut pose = item.pose;
        let mut next = item.relative_to.as_deref();
        for _ in 0..=self.items.len() {
            let Some(name) = next else { return pose };
            let Some(other) = self.find(name) else {
                if name != WORLD {
                    reader.notes.error(&item.element.place, Finding::UnknownFrame { name: name.into() });
                }
                return pose;
            };
            pose = other.pose * pose;
            next = other.relative_to.as_deref();
        }
        reader.notes.error(&item.element.place, Finding::PosesInCircle);
        pose
    }

    /// The link that a name in a scope means: itself, what a frame is fixed on, or the first link of a model. `Some(None)`
    /// is the world.
    pub(super) fn link_of(&self, reader: &mut Reader, scope: &str, name: &str, place: &str) -> Option<Option<String>> {
        let mut name = if name == OWN { scope.trim_end_matches("::").to_owned() } else { format!("{scope}{name}") };
        for _ in 0..=self.items.len() {
            let Some(item) = self.find(&name) else {
                if name == format!("{scope}{WORLD}") || name == WORLD {
                    return Some(None);
                }
                reader.notes.error(place, Finding::UnknownLink { name });
                return None;
            };
            match item.kind {
                Kind::Link => return Some(Some(item.name.clone())),
                Kind::Model => {
                    let inner = if item.name.is_empty() { String::new() } else { format!("{}::", item.name) };
                    let canonical = attribute(item.element.node, "canonical_link").map(|link| format!("{inner}{link}"));
                    let first = || {
                        self.all(Kind::Link).find(|link| link.name.starts_with(&inner)).map(|link| link.name.clone())
                    };
                    name = canonical.or_else(first)?;
                }
                Kind::Joint | Kind::Frame => {
                    let model = item.scope.trim_end_matches("::").to_owned();
                    name = item.attached_to.clone().unwrap_or(model);
                }
            }
        }
        reader.notes.error(place, Finding::PosesInCircle);
        None
    }
}

/// The pose that an element says: position, then roll, pitch and yaw or a quaternion.
pub(super) fn pose(reader: &mut Reader, element: &Element) -> Pose<f64> {
    if element.node.text().unwrap_or_default().trim().is_empty() {
        return Pose::identity(0.0);
    }
    let format = attribute(element.node, "rotation_format").unwrap_or("euler_rpy");
    if !["euler_rpy", "quat_xyzw"].contains(&format) {
        let known = vec!["euler_rpy".into(), "quat_xyzw".into()];
        reader.notes.error(&element.place, Finding::UnknownWord { word: format.into(), known });
        return Pose::identity(0.0);
    }
    if format == "quat_xyzw" {
        let Some(all) = numbers(reader, element, 7, "x, y, z, qx, qy, qz, qw") else { return Pose::identity(0.0) };
        let quaternion = Quaternion { x: all[3], y: all[4], z: all[5], w: all[6] };
        if quaternion.norm() < 1e-12 {
            let text = "0 0 0 0".into();
            reader
                .notes
                .error(&element.place, Finding::Unreadable { text, expected: "a quaternion; no turn is 0 0 0 1" });
            return Pose::identity(0.0);
        }
        let rotation = quaternion.normalized().rotation();
        return Pose { rotation, position: [all[0], all[1], all[2]].into() };
    }
    let Some(all) = numbers(reader, element, 6, "x, y, z, roll, pitch, yaw") else { return Pose::identity(0.0) };
    let degrees = is_true_attribute(reader, element, "degrees");
    let unit = if degrees { PI / 180.0 } else { 1.0 };
    let angles = [all[3], all[4], all[5]].map(|angle| angle * unit);
    Pose { rotation: Mat3::from_roll_pitch_yaw(angles.into()), position: [all[0], all[1], all[2]].into() }
}

/// The pose of an element within another one; the identity without it.
pub(super) fn pose_of(reader: &mut Reader, parent: &Element) -> Pose<f64> {
    let Some(node) = children(parent.node, "pose").next() else { return Pose::identity(0.0) };
    let element = reader.element(node, format!("{}.pose", parent.place));
    pose(reader, &element)
}
