//! What may stand in bodies, and what their parts may say: anything else is a mistake, which MuJoCo refuses too.

use super::super::xml::{Element, Reader};
use crate::description::Finding;
use crate::description::name::key;
use roxmltree::Node;

/// Where something is.
const PLACE: &str = "pos quat axisangle xyaxes zaxis euler";

/// Attributes of an element in a body beside [`PLACE`], of MuJoCo 3 and 4 (`mj_printSchema`).
fn attributes(tag: &str) -> Option<&'static str> {
    Some(match tag {
        "body" => "name childclass mocap gravcomp user sleep fuse simple",
        "frame" => "name childclass",
        "inertial" => "mass diaginertia fullinertia",
        "freejoint" => "name group align",
        "joint" => {
            "name class type group axis ref range limited armature damping stiffness springref springdamper springyield \
             frictionloss actuatorfrclimited actuatorfrcrange actuatorgravcomp margin solreflimit solimplimit solreffriction \
             solimpfriction user"
        }
        "geom" => {
            "name class type size fromto mesh hfield fitscale mass density shellinertia group contype conaffinity condim \
             priority friction solmix solref solimp margin gap material rgba fluidshape fluidcoef user adhesion castshadow \
             surfacevel"
        }
        "site" => "name class type size fromto mesh group material rgba user",
        _ => return None,
    })
}

/// What may stand in the world, and what in bodies too, which move.
const IN_WORLD: &str = "body frame geom site camera light plugin attach replicate composite flexcomp include";
const OF_BODY: &str = "joint freejoint inertial";

/// Refuses elements and attributes that bodies and defaults do not have.
pub(super) fn check(reader: &mut Reader, root: &Element) {
    let is_section = |node: &Node| node.has_tag_name("worldbody") || node.has_tag_name("default");
    for node in root.node.children().filter(is_section).flat_map(|section| section.descendants()) {
        let tag = node.tag_name().name();
        let name = node.attribute("name").filter(|name| !name.is_empty());
        let place = name.map_or(tag.into(), |name| format!("{tag}.{}", key(name)));
        if let Some(own) = attributes(tag) {
            let known = [own, PLACE];
            node.attributes().for_each(|attribute| refuse_unknown(reader, node, &place, attribute.name(), known));
        }
        let known = match tag {
            "worldbody" => [IN_WORLD, ""],
            "body" => [OF_BODY, IN_WORLD],
            _ => continue,
        };
        for child in node.children().filter(Node::is_element) {
            refuse_unknown(reader, child, &place, child.tag_name().name(), known);
        }
    }
}

/// Refuses a word that is not one of those known.
fn refuse_unknown(reader: &mut Reader, node: Node, place: &str, word: &str, known: [&str; 2]) {
    let words = || known.iter().flat_map(|words| words.split_whitespace());
    if !words().any(|known| known == word) {
        let place = format!("{place}.{word}");
        reader.notes.mark(place.clone(), node.range().start);
        let known = words().map(str::to_owned).collect();
        reader.notes.error(&place, Finding::UnknownWord { word: word.into(), known });
    }
}
