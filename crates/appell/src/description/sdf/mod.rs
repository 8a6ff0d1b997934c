//! Robots as SDF files, the format of Gazebo, read as far as rigid dynamics goes: versions 1.4 to 1.12.
//!
//! | in SDF | here |
//! |---|---|
//! | `<link>` | a named frame with its mass; one without `<inertial>` has 1 kg and 1 kg m², as the format says |
//! | revolute, continuous, prismatic, fixed, ball, screw joints | the same, closing joints where their child has a parent already |
//! | universal, revolute2 joint J | two revolute joints, `J` and `J_axis2` |
//! | `<limit>`, `<dynamics>`, `<mimic>` | limits, viscous and Coulomb friction, spring, mimicry; no motor where the effort is 0 |
//! | `<frame>` | a named frame |
//! | `<pose relative_to>`, `<frame attached_to>`, `expressed_in`, `use_parent_model_frame` | followed |
//! | `<model>` in a model | its parts are called `MODEL::PART` |
//! | `<gravity>` of the world | gravity |
//! | `<visual>`, `<collision>` | what a URDF draws |
//!
//! The base is the world. A model that no joint holds there would fall in Gazebo; here its root link is fixed on the base,
//! with a warning, unless [`Options::floating_base`] sets it free. Sensors, plugins, lights, and models that do not move
//! beside the one that does are left out, and listed.

mod joints;
mod links;
mod poses;
mod tree;

use super::linkage::Placed;
use super::urdf::{Extras, Options};
use super::xml::{self, Element, Reader};
use super::{Convention, Description, Finding, Problems, STANDARD_GRAVITY, check, lint};
use poses::Scene;
use roxmltree::Node;
use std::collections::BTreeMap;

/// Reads a robot, with what a URDF would draw of it, and the warnings about it.
///
/// # Errors
/// Every problem of the text at once, warnings included, if any of them is an error: each with its line where one
/// is known, in the order of the lines.
pub fn read(text: &str, options: Options) -> Result<(Description, Extras, Problems), Problems> {
    read_and(check, text, options)
}

/// Everything wrong or doubtful in a file, with its line where one is known: what [`read`] finds, and what
/// [`lint()`] does.
#[must_use]
pub fn inspect(text: &str, options: Options) -> Problems {
    read_and(lint, text, options).map_or_else(|problems| problems, |(_, _, warnings)| warnings)
}

fn read_and(
    inspect: fn(&Description) -> Problems,
    text: &str,
    options: Options,
) -> Result<(Description, Extras, Problems), Problems> {
    let text = xml::forgiven(text);
    let mut reader = Reader::new(&text);
    let read = description(&mut reader, &text, options);
    reader.finish(read, inspect)
}

/// What could be read of a file; the reader knows what could not.
fn description(reader: &mut Reader, text: &str, options: Options) -> Option<(Description, Extras)> {
    let document = reader.document(text)?;
    let root = reader.outermost(&document, "sdf", "SDF")?;
    let version = version(reader, &root);
    let world = children(root.node, "world").next();
    let gravity = world.and_then(|world| children(world, "gravity").next()).and_then(|node| {
        let element = reader.element(node, "world.gravity".into());
        numbers(reader, &element, 3, "x, y, z")
    });
    let model = model(reader, &root, world)?;
    let name = reader.require(&model, "name", "the model's name").map_or("", |(name, _)| name);
    for joint in world.into_iter().flat_map(|world| children(world, "joint")) {
        let element =
            reader.element(joint, format!("joint.{}", super::name::key(joint.attribute("name").unwrap_or_default())));
        reader.notes.error(&element.place, Finding::OutsideModel { what: "a joint of the world".into() });
    }
    let scene = Scene::read(reader, model.node, version);
    let links = links::read(reader, &scene);
    let joints = joints::read(reader, &scene);
    let is_static = children(model.node, "static").any(|node| is_true(node));
    let (linkage, shapes) = tree::grow(reader, &scene, links, joints, is_static, options)?;
    left_out(reader, model.node);
    let Placed { joints, frames, closures, names, own_joints } = linkage.place(&mut reader.notes);
    let extras = Extras::of_shapes(&names, &own_joints, shapes);
    let description = Description {
        name: name.into(),
        gravity: gravity.map_or(STANDARD_GRAVITY, |g| [g[0], g[1], g[2]].into()),
        joints,
        frames,
        closures,
        convention: Convention::KhalilKleinfinger,
        ..Description::default()
    };
    Some((description, extras))
}

/// The second number of the version: 6 of 1.6.
fn version(reader: &mut Reader, root: &Element) -> u32 {
    const LATEST: u32 = 12;
    let Some((text, place)) = reader.require(root, "version", "the version of the format, such as \"1.7\"") else {
        return LATEST;
    };
    let find = |text: &str| text.strip_prefix("1.").and_then(|minor| minor.parse::<u32>().ok());
    let minor = reader.notes.find(&place, text, "a version from 1.4 to 1.12", find).unwrap_or(LATEST);
    if !(4..=LATEST).contains(&minor) {
        reader.notes.warning(&place, Finding::Unreadable { text: text.into(), expected: "a version from 1.4 to 1.12" });
    }
    minor
}

/// The one model that is a robot: the only one, or the only one that moves.
fn model<'d>(reader: &mut Reader, root: &Element<'d>, world: Option<Node<'d, 'd>>) -> Option<Element<'d>> {
    let parents = [Some(root.node), world].into_iter().flatten();
    let all: Vec<Node<'d, 'd>> = parents.flat_map(|parent| children(parent, "model").collect::<Vec<_>>()).collect();
    let moves = |model: &Node<'d, 'd>| {
        !children(*model, "static").any(is_true) && model.descendants().any(|node| node.has_tag_name("joint"))
    };
    let moving: Vec<Node<'d, 'd>> = all.iter().copied().filter(moves).collect();
    for include in world.into_iter().flat_map(|world| children(world, "include")) {
        let element = reader.element(include, "world.include".into());
        let uri = children(include, "uri").next().and_then(|uri| uri.text()).unwrap_or_default().trim();
        reader.notes.warning(&element.place, Finding::LeftOut { what: format!("the included model {uri}") });
    }
    let chosen = match (&moving[..], &all[..]) {
        ([one], _) | ([], [one]) => *one,
        ([], []) => {
            reader.notes.error(&root.place, Finding::Missing { expected: "a robot: <model name=\"…\">" });
            return None;
        }
        ([first, ..], _) | ([], [first, ..]) => {
            let named = |node: &Node| node.attribute("name").unwrap_or_default().to_owned();
            let models: Vec<String> = if moving.is_empty() { &all } else { &moving }.iter().map(named).collect();
            let element = reader.element(*first, "model".into());
            reader.notes.error(&element.place, Finding::SeveralModels { models });
            return None;
        }
    };
    for other in all.iter().filter(|model| **model != chosen) {
        let name = other.attribute("name").unwrap_or_default();
        let element = reader.element(*other, format!("model.{}", super::name::key(name)));
        reader
            .notes
            .warning(&element.place, Finding::LeftOut { what: format!("the model `{name}`, which has no joints,") });
    }
    Some(reader.element(chosen, "model".into()))
}

/// Lists what the file says beyond rigid bodies and joints, a line per kind.
fn left_out(reader: &mut Reader, model: Node) {
    const KINDS: [&str; 9] = [
        "sensor",
        "plugin",
        "light",
        "gripper",
        "battery",
        "audio_source",
        "particle_emitter",
        "projector",
        "fluid_added_mass",
    ];
    let mut found: BTreeMap<&str, (Node, usize)> = BTreeMap::new();
    for node in model.descendants().filter(|node| KINDS.contains(&node.tag_name().name())) {
        found.entry(node.tag_name().name()).or_insert((node, 0)).1 += 1;
    }
    for (tag, (node, count)) in found {
        let element = reader.element(node, tag.into());
        let what = if count == 1 { format!("<{tag}>") } else { format!("<{tag}>, {count} times,") };
        reader.notes.warning(&element.place, Finding::LeftOut { what });
    }
}

/// Elements of a name within another one.
fn children<'d>(node: Node<'d, 'd>, name: &'static str) -> impl Iterator<Item = Node<'d, 'd>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

fn is_true(node: Node) -> bool {
    matches!(node.text().map(str::trim), Some("1" | "true" | "True"))
}

/// Whether an attribute says yes, as the format writes it; no where it is not there.
fn is_true_attribute(reader: &mut Reader, element: &Element, name: &'static str) -> bool {
    let Some((text, place)) = reader.text(element, name) else { return false };
    let word = |text: &str| match text.to_ascii_lowercase().as_str() {
        "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    };
    reader.notes.find(&place, text, "true or false", word).unwrap_or(false)
}

/// The text of an element within another one, and its path.
fn text_of<'d>(reader: &mut Reader, parent: &Element<'d>, name: &'static str) -> Option<(&'d str, Element<'d>)> {
    let node = children(parent.node, name).next()?;
    let element = reader.element(node, format!("{}.{name}", parent.place));
    Some((node.text().unwrap_or_default().trim(), element))
}

/// The number in an element within another one.
fn number_of(reader: &mut Reader, parent: &Element, name: &'static str) -> Option<f64> {
    let (text, element) = text_of(reader, parent, name)?;
    reader.finite(&element.place, text)
}

/// So many numbers in an element.
fn numbers(reader: &mut Reader, element: &Element, count: usize, columns: &'static str) -> Option<Vec<f64>> {
    let words: Vec<&str> = element.node.text().unwrap_or_default().split_whitespace().collect();
    if words.len() != count {
        reader.notes.error(&element.place, Finding::WrongLength { found: words.len(), expected: count, columns });
        return None;
    }
    words.into_iter().map(|word| reader.finite(&element.place, word)).collect()
}

#[cfg(test)]
mod tests;
