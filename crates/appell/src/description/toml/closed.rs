//! What makes a robot more than a tree: `[platform]` and `[closure.NAME]`.

use super::reader::{Node, Reader, Table};
use super::sections::{body, part, place, pose};
use crate::description::{
    Attachment, BodyDescription, Carrier, ClosingJoint, ClosureDescription, Freedom, PlatformDescription,
};
use crate::spatial::Pose;

/// The body that legs hold; none where the section is no table.
pub(super) fn platform(reader: &mut Reader, node: &Node) -> Option<PlatformDescription> {
    let known = &["mass", "com", "inertia", "payload", "turns", "home", "freedoms"];
    let section = reader.table(node, known)?;
    let turns = reader.get(&section, "turns").and_then(|node| reader.truth(&node)).unwrap_or(true);
    let payload = part(reader, &section, "payload", &["mass", "com", "inertia"]);
    Some(PlatformDescription {
        body: body(reader, &section, turns),
        payload: payload.map_or(BodyDescription::default(), |payload| body(reader, &payload, turns)),
        turns,
        home: place(reader, &section, "home"),
        freedoms: reader.get(&section, "freedoms").and_then(|node| freedoms(reader, &node)),
    })
}

fn freedoms(reader: &mut Reader, node: &Node) -> Option<Vec<Freedom>> {
    let items = reader.items(node, "an array of components of the twist")?;
    items.iter().map(|item| reader.word(item, Freedom::EXPECTED, Freedom::find)).collect()
}

/// The joints that close loops of the tree, in the order of the file.
pub(super) fn closures(reader: &mut Reader, file: &Table) -> Vec<ClosureDescription> {
    let sections = reader.sections(file, "closure");
    sections.into_iter().filter_map(|(name, node)| closure(reader, name, &node)).collect()
}

/// A closing joint, as far as it can be read; none where it is not known what it joins.
fn closure(reader: &mut Reader, name: &str, node: &Node) -> Option<ClosureDescription> {
    let section = reader.table(node, &["joint", "first", "second"])?;
    let kind = closing_joint(reader, &section, "joint");
    let [first, second] = ["first", "second"].map(|end| attachment(reader, &section, end));
    Some(ClosureDescription { name: name.into(), kind, first: first?, second: second? })
}

/// How a loop is closed; a guess where that cannot be read.
pub(super) fn closing_joint(reader: &mut Reader, section: &Table, key: &str) -> ClosingJoint {
    let node = reader.require(section, key, ClosingJoint::EXPECTED);
    let kind = node.and_then(|node| reader.word(&node, ClosingJoint::EXPECTED, ClosingJoint::find));
    kind.unwrap_or(ClosingJoint::Spherical)
}

fn attachment(reader: &mut Reader, section: &Table, end: &str) -> Option<Attachment> {
    const CARRIER: &str = "the name of a joint, \"base\" or \"platform\"";
    let node =
        reader.require(section, end, "a table: what carries the joint's frame, `on`, and where, `xyz` and `rpy`")?;
    let table = reader.table(&node, &["on", "xyz", "rpy"])?;
    let pose: Pose<f64> = pose(reader, &table);
    let on = reader.require(&table, "on", CARRIER)?;
    let on = Carrier::from(reader.text(&on, CARRIER)?);
    Some(Attachment { on, pose })
}
