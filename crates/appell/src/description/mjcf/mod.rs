//! Robots as MJCF files, the format of MuJoCo, read as far as rigid dynamics goes.
//!
//! | in MJCF | here |
//! |---|---|
//! | `<body>` | a link: a named frame, its mass and inertia by `<inertial>` or by its geoms, as `<compiler>` says |
//! | joints `hinge`, `slide` of a body, in their order | revolute and prismatic joints, q = `ref` where nothing has moved |
//! | `ball`, `free` | spherical and free joints; a free one is seen from the world, but from its body where loops are closed |
//! | `range`, `damping`, `frictionloss`, `armature`, `stiffness`, `springref` | limits, viscous and Coulomb friction, rotor, spring |
//! | `<option gravity>` | gravity |
//! | `<site>` | a named frame |
//! | actuators with `joint` | which joints are driven, if there are any, and how strongly |
//! | `<equality>` `connect`, `weld` | closing joints, spherical and rigid, closed where the file puts the bodies |
//! | `<equality>` `joint` with a line as `polycoef` | mimicry |
//! | `<geom>` | mass, and what a URDF draws |
//!
//! Defaults with their classes, `childclass`, `<frame>`, all forms of orientation, `inertiafromgeom`, `boundmass`,
//! `boundinertia`, `balanceinertia` and `settotalmass` are followed. A library reads no files: [`with_includes`] puts the text of
//! files that are included in their places. The mass of a mesh is in a file too, so that a body of meshes alone
//! needs `<inertial>`. Contacts, tendons, sensors and what else is no rigid dynamics is left out, and listed.

mod actuators;
mod bodies;
mod defaults;
mod equality;
mod geoms;
mod include;
mod schema;
mod settings;

pub use include::{IncludeError, with_includes};

use super::linkage::Placed;
use super::urdf::Extras;
use super::xml::{self, Element, Reader};
use super::{Convention, Description, Finding, Problems, check, lint};
use defaults::Defaults;
use roxmltree::Node;
use settings::Settings;
use std::collections::BTreeMap;

/// Reads a robot, with what a URDF would draw of it, and the warnings about it; `name` is for a file that says none.
///
/// # Errors
/// Every problem of the text at once, warnings included, if any of them is an error: each with its line where one
/// is known, in the order of the lines.
pub fn read(text: &str, name: &str) -> Result<(Description, Extras, Problems), Problems> {
    read_and(check, text, name)
}

/// Everything wrong or doubtful in a file, with its line where one is known: what [`read`] finds, and what
/// [`lint()`] does.
#[must_use]
pub fn inspect(text: &str) -> Problems {
    read_and(lint, text, "").map_or_else(|problems| problems, |(_, _, warnings)| warnings)
}

fn read_and(
    inspect: fn(&Description) -> Problems,
    text: &str,
    name: &str,
) -> Result<(Description, Extras, Problems), Problems> {
    let text = xml::forgiven(text);
    let mut reader = Reader::new(&text);
    let read = description(&mut reader, &text, name);
    reader.finish(read, inspect)
}

/// What could be read of a file; the reader knows what could not.
fn description(reader: &mut Reader, text: &str, name: &str) -> Option<(Description, Extras)> {
    let document = reader.document(text)?;
    let root = reader.outermost(&document, "mujoco", "MJCF")?;
    let own_name = reader.text(&root, "model").map(|(name, _)| name).filter(|name| !name.is_empty());
    refuse_what_other_files_hold(reader, &root);
    schema::check(reader, &root);
    let settings = Settings::read(reader, &root);
    let defaults = Defaults::read(reader, &root);
    let meshes = geoms::meshes(reader, &settings, &defaults, &root);
    let mut model = bodies::Model::new(settings, defaults, meshes);
    model.worlds(reader, &root);
    model.equalities(reader, &root);
    model.actuators(reader, &root);
    left_out(reader, &root);
    let (linkage, gravity, shapes) = model.finish(reader);
    let Placed { joints, frames, closures, names, own_joints } = linkage.place(&mut reader.notes);
    let extras = Extras::of_shapes(&names, &own_joints, shapes);
    let description = Description {
        name: own_name.unwrap_or(name).into(),
        gravity,
        joints,
        frames,
        closures,
        convention: Convention::KhalilKleinfinger,
        ..Description::default()
    };
    Some((description, extras))
}

/// What only MuJoCo's compiler can expand.
fn refuse_what_other_files_hold(reader: &mut Reader, root: &Element) {
    let expands = ["include", "attach", "replicate", "composite", "flexcomp"];
    let found = root.node.descendants().filter(Node::is_element);
    for (number, node) in found.filter(|node| expands.contains(&node.tag_name().name())).enumerate() {
        let tag = node.tag_name().name();
        let element = reader.element(node, format!("{tag}[{}]", number + 1));
        let file = xml::attribute(node, "file").or(xml::attribute(node, "model")).unwrap_or_default();
        reader.notes.error(&element.place, Finding::ToBeExpanded { tag: tag.into(), file: file.into() });
    }
}

/// Lists what the file says beyond rigid bodies and joints, a line per kind.
fn left_out(reader: &mut Reader, root: &Element) {
    const SECTIONS: [&str; 7] = ["contact", "tendon", "sensor", "deformable", "extension", "custom", "keyframe"];
    let mut kinds: BTreeMap<&str, (Node, usize)> = BTreeMap::new();
    for node in root.node.children().filter(|node| SECTIONS.contains(&node.tag_name().name())) {
        let count = node.children().filter(Node::is_element).count();
        kinds.entry(node.tag_name().name()).or_insert((node, 0)).1 += count;
    }
    for (tag, (node, count)) in kinds.into_iter().filter(|(_, (_, count))| *count > 0) {
        let element = reader.element(node, tag.into());
        reader.notes.warning(&element.place, Finding::LeftOut { what: format!("<{tag}> with {count} entries") });
    }
}

#[cfg(test)]
mod tests;
