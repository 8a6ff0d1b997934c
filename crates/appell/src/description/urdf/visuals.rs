//! Meshes among the looks of links, of the elements that are kept as they are written.

use super::Extras;
use crate::spatial::{Mat3, Pose, Vec3};
use roxmltree::{Document, Node};

/// A mesh that shows a link.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    /// The link's frame.
    pub frame: String,
    /// The file, as it is written.
    pub file: String,
    /// By which its lengths are multiplied, along its axes.
    pub scale: [f64; 3],
    /// Where it is, seen from the frame.
    pub frame_from_mesh: Pose,
}

impl Extras {
    /// The meshes of all links, in the order of their frames' names. What is not written as it should be is passed over.
    #[must_use]
    pub fn meshes(&self) -> Vec<Mesh> {
        let mut links: Vec<_> = self.links.iter().collect();
        links.sort_by_key(|(frame, _)| *frame);
        let visuals = links.into_iter().flat_map(|(frame, part)| {
            part.elements.iter().filter(|(tag, _)| tag == "visual").map(move |(_, text)| (frame, text))
        });
        visuals.filter_map(|(frame, text)| mesh(frame, text)).collect()
    }
}

fn mesh(frame: &str, text: &str) -> Option<Mesh> {
    let document = Document::parse(text).ok()?;
    let visual = document.root_element();
    let child =
        |node: Node<'_, '_>, tag: &str| node.children().find(|child| child.has_tag_name(tag)).map(|child| child.id());
    let get = |id| document.get_node(id);
    let geometry = get(child(visual, "geometry")?)?;
    let mesh = get(child(geometry, "mesh")?)?;
    let origin = child(visual, "origin").and_then(get);
    let numbers = |node: Option<Node<'_, '_>>, name: &str, default: [f64; 3]| -> Option<[f64; 3]> {
        let Some(text) = node.and_then(|node| node.attribute(name).map(str::to_owned)) else { return Some(default) };
        let all: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        <[f64; 3]>::try_from(all).ok().filter(|all| all.iter().all(|x| x.is_finite()))
    };
    let [x, y, z] = numbers(origin, "xyz", [0.0; 3])?;
    let rpy = numbers(origin, "rpy", [0.0; 3])?;
    Some(Mesh {
        frame: frame.to_owned(),
        file: mesh.attribute("filename")?.to_owned(),
        scale: numbers(Some(mesh), "scale", [1.0; 3])?,
        frame_from_mesh: Pose { position: Vec3::new(x, y, z), rotation: Mat3::from_roll_pitch_yaw(rpy.into()) },
    })
}
