//! What a URDF says beyond a robot's dynamics, kept as it is written: looks, shapes of contact, transmissions, plugins.

use super::parts::{Joint, Kind};
use super::place::last_suffix;
use super::tree::Branch;
use crate::description::xml::Element;
use crate::description::{BASE, Finding, Problems};
use roxmltree::Node;
use std::collections::{BTreeMap, HashMap};

/// What a URDF says beyond a [`Description`](crate::description::Description): [`read_with_extras`] keeps it and
/// [`write_with_extras`] puts it back, by the names of links and joints.
///
/// It is the text of the elements, without comments: `<visual>`, `<collision>` and what else a link holds,
/// `<safety_controller>` and `<calibration>` of joints, further attributes such as those of `<limit>`, and
/// `<material>`, `<transmission>`, `<gazebo>` and all else of the robot. Masses on the base, which move nothing, are
/// here too. The names of links and of fixed joints are known, so that what refers to them still finds them.
///
/// [`read_with_extras`]: super::read_with_extras
/// [`write_with_extras`]: super::write_with_extras
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extras {
    /// Of `<robot>`.
    pub(super) robot: Part,
    /// The vocabularies that `<robot>` declares: prefix and address.
    pub(super) vocabularies: Attributes,
    /// By the names of their frames.
    pub(super) links: HashMap<String, Part>,
    /// Those that move, by their names.
    pub(super) joints: HashMap<String, Part>,
    /// The frame of the root link, if that is fixed on the base.
    pub(super) root: Option<String>,
    /// The frame of the link behind each joint that moves.
    pub(super) children: HashMap<String, String>,
    /// The name of the fixed joint before each link, by the link's frame, and what it says.
    pub(super) fixed: HashMap<String, (String, Part)>,
}

/// Names and values as they are written, without quotes.
pub(super) type Attributes = Vec<(String, String)>;

/// What an element says that is not ours.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Part {
    pub(super) attributes: Attributes,
    /// Elements in it: their tags and their text.
    pub(super) elements: Vec<(String, String)>,
    /// Attributes of elements in it that are ours, by their tags.
    pub(super) of_elements: BTreeMap<&'static str, Attributes>,
}

/// Something to draw or to touch on a link, by its number: the tag of a URDF's element, and its text.
pub(in crate::description) struct ShapeOfLink {
    pub(in crate::description) link: usize,
    pub(in crate::description) tag: &'static str,
    pub(in crate::description) text: String,
}

/// The elements of a joint that are ours, with those of their attributes.
const OF_JOINT: [(&str, &[&str]); 7] = [
    ("parent", &["link"]),
    ("child", &["link"]),
    ("origin", &["xyz", "rpy"]),
    ("axis", &["xyz"]),
    ("limit", &["lower", "upper", "velocity", "effort"]),
    ("dynamics", &["damping", "friction"]),
    ("mimic", &["joint", "multiplier", "offset"]),
];

impl Extras {
    /// What is said in `text` about parts that were read from it. `frames` are the names of the links' frames, and
    /// `floats` says whether the root link moves.
    pub(super) fn of(
        text: &str,
        robot: &Element,
        joints: &[Joint],
        tree: &[Branch],
        frames: &[String],
        floats: bool,
    ) -> Self {
        let is_part = |node: &Node<'_, '_>| is(*node, "link") || is(*node, "joint");
        let mut extras =
            Self { robot: Part::of(text, robot.node, &["name"], |node| !is_part(node)), ..Self::default() };
        let declared = robot.node.namespaces().filter(|namespace| namespace.name() != Some("xml"));
        extras.vocabularies = declared.map(|own| (own.name().unwrap_or_default().into(), own.uri().into())).collect();
        let mut on_base = vec![!floats; frames.len()];
        let mut is_root = vec![true; frames.len()];
        let elements: Vec<Node<'_, '_>> = robot.node.children().filter(|node| is(*node, "joint")).collect();
        for branch in tree {
            let (joint, node, frame) = (&joints[branch.joint], elements[branch.joint], frames[branch.child].clone());
            on_base[branch.child] = on_base[branch.parent] && joint.kind == Kind::Fixed;
            is_root[branch.child] = false;
            let is_ours = |node: &Node<'_, '_>| OF_JOINT.iter().any(|(tag, _)| is(*node, tag));
            let mut part = Part::of(text, node, &["name", "type"], |node| !is_ours(node));
            for (tag, known) in OF_JOINT {
                let own = node.children().find(|node| is(*node, tag));
                let further = own.map_or(Vec::new(), |own| attributes(text, own, known));
                if !further.is_empty() {
                    part.of_elements.insert(tag, further);
                }
            }
            if joint.kind == Kind::Fixed {
                extras.fixed.insert(frame, (joint.name.clone(), part));
            } else {
                let last = format!("{}{}", joint.name, last_suffix(joint.kind));
                extras.children.insert(last.clone(), frame);
                extras.joints.insert(last, part);
            }
        }
        let elements = robot.node.children().filter(|node| is(*node, "link"));
        for (k, (node, frame)) in elements.zip(frames).enumerate() {
            // A mass on the base moves nothing, and no description holds it.
            let is_ours = |node: &Node<'_, '_>| is(*node, "inertial") && !on_base[k];
            extras.links.insert(frame.clone(), Part::of(text, node, &["name"], |node| !is_ours(node)));
            if is_root[k] && floats {
                extras.children.insert(format!("{BASE}{}", last_suffix(Kind::Floating)), frame.clone());
            } else if is_root[k] {
                extras.root = Some(frame.clone());
            }
        }
        extras
    }

    /// What other formats draw: `names` are those of the links' frames, and `joints` those that carry them.
    pub(in crate::description) fn of_shapes(
        names: &[Option<String>],
        joints: &[Option<String>],
        shapes: Vec<ShapeOfLink>,
    ) -> Self {
        let mut extras = Self::default();
        for (name, joint) in names.iter().zip(joints) {
            if let (Some(name), Some(joint)) = (name, joint) {
                extras.children.insert(joint.clone(), name.clone());
            }
        }
        for ShapeOfLink { link, tag, text } in shapes {
            let frame = names[link].as_ref().or(joints[link].as_ref());
            if let Some(frame) = frame {
                extras.links.entry(frame.clone()).or_default().elements.push((tag.into(), text));
            }
        }
        extras
    }

    /// A warning for everything that a format without place for it leaves out: one per kind of element.
    #[must_use]
    pub fn dropped(&self) -> Problems {
        let mut kinds: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
        let links = self.links.iter().map(|(name, part)| ("link", name, part));
        let joints = self.joints.iter().map(|(name, part)| ("joint", name, part));
        let fixed = self.fixed.values().map(|(name, part)| ("joint", name, part));
        for (kind, name, part) in links.chain(joints).chain(fixed) {
            for what in part.said() {
                let names = kinds.entry((kind, what)).or_default();
                names.push(name);
            }
        }
        let mut problems = Problems::default();
        for ((kind, what), mut names) in kinds {
            names.sort_unstable();
            names.dedup();
            let owners = names.into_iter().map(Into::into).collect();
            problems.warning(format!("{kind}.{what}"), Finding::NotKept { kind, owners });
        }
        for what in self.robot.said() {
            problems.warning(format!("robot.{what}"), Finding::Dropped);
        }
        problems
    }
}

impl Part {
    /// What an element says beside the known attributes: of the elements in it those that are kept.
    fn of(text: &str, node: Node<'_, '_>, known: &[&str], keeps: impl Fn(&Node<'_, '_>) -> bool) -> Self {
        let elements = node.children().filter(|node| node.is_element() && keeps(node));
        let elements = elements.map(|node| (node.tag_name().name().into(), text[node.range()].into())).collect();
        Self { attributes: attributes(text, node, known), elements, of_elements: BTreeMap::new() }
    }

    /// What it says, as paths below it, each once.
    fn said(&self) -> Vec<String> {
        let mut said: Vec<String> = self.attributes.iter().map(|(name, _)| name.clone()).collect();
        let of_elements = self.of_elements.iter().flat_map(|(tag, own)| own.iter().map(move |own| (tag, own)));
        said.extend(of_elements.map(|(tag, (name, _))| format!("{tag}.{name}")));
        said.extend(self.elements.iter().map(|(tag, _)| tag.clone()));
        said.sort_unstable();
        said.dedup();
        said
    }

    /// Its elements as lines, indented.
    pub(super) fn lines(&self, indent: &str) -> String {
        self.elements.iter().map(|(_, text)| format!("{indent}{text}\n")).collect()
    }

    /// The further attributes of an element that is ours, as they are written there.
    pub(super) fn of_element(&self, tag: &str) -> String {
        self.of_elements.get(tag).map_or(String::new(), written)
    }
}

/// Attributes as a tag holds them.
pub(super) fn written(attributes: &Attributes) -> String {
    attributes.iter().map(|(name, value)| format!(" {name}=\"{}\"", value.replace('"', "&quot;"))).collect()
}

/// Whether an element is ours by its name and vocabulary.
fn is(node: Node<'_, '_>, name: &str) -> bool {
    let robot = node.document().root_element().tag_name().namespace();
    node.tag_name().name() == name && node.tag_name().namespace() == robot
}

/// The attributes of an element but for the known ones.
fn attributes(text: &str, node: Node<'_, '_>, known: &[&str]) -> Attributes {
    let further = node.attributes().filter(|own| own.namespace().is_some() || !known.contains(&own.name()));
    let parts = further.filter_map(|own| text[own.range()].split_once('='));
    let unquoted = |value: &str| value.trim().get(1..).map(|value| value[..value.len() - 1].to_owned());
    parts.filter_map(|(name, value)| Some((name.trim().into(), unquoted(value)?))).collect()
}
