//! Links with their masses, and what is drawn of them.

use super::super::shape::Shape;
use super::super::xml::{Element, Reader, attribute};
use super::poses::{Kind, Scene, pose_of};
use super::{children, is_true_attribute, number_of, numbers, text_of};
use crate::description::{BodyDescription, Finding, Problems, check_body};
use crate::spatial::{Pose, Sym3};

/// A link.
pub(super) struct Link {
    pub(super) name: String,
    pub(super) place: String,
    pub(super) byte: usize,
    pub(super) body: BodyDescription,
    pub(super) in_world: Pose<f64>,
    /// Tags and texts of a URDF's elements.
    pub(super) shapes: Vec<(&'static str, String)>,
}

/// All links, in the order of the file.
pub(super) fn read(reader: &mut Reader, scene: &Scene) -> Vec<Link> {
    let mut links = Vec::new();
    for item in scene.all(Kind::Link) {
        let in_world = scene.in_world(reader, item);
        let Element { place, byte, .. } = &item.element;
        links.push(Link {
            name: item.name.clone(),
            place: place.clone(),
            byte: *byte,
            body: body(reader, &item.element),
            in_world,
            shapes: shapes(reader, &item.element),
        });
        let gravity = children(item.element.node, "gravity").next().and_then(|node| node.text()).map(str::trim);
        if matches!(gravity, Some("0" | "false")) {
            reader.notes.warning(place, Finding::LeftOut { what: "that gravity does not act on this link".into() });
        }
    }
    links
}

/// The body of a link. Without numbers it is what the format says: 1 kg and 1 kg m².
fn body(reader: &mut Reader, link: &Element) -> BodyDescription {
    let unit = Sym3 { xx: 1.0, yy: 1.0, zz: 1.0, ..Sym3::default() };
    let usual = BodyDescription { mass: 1.0, inertia: unit, ..BodyDescription::default() };
    let Some(node) = children(link.node, "inertial").next() else {
        if attribute(link.node, "name") != Some(super::poses::WORLD) {
            reader.notes.warning(&link.place, Finding::UsualInertial);
        }
        return usual;
    };
    let inertial = reader.element(node, format!("{}.inertial", link.place));
    if is_true_attribute(reader, &inertial, "auto") {
        reader.notes.error(&inertial.place, Finding::AutoInertial);
        return usual;
    }
    let pose = pose_of(reader, &inertial);
    let mass = number_of(reader, &inertial, "mass").unwrap_or(1.0);
    let tensor = children(node, "inertia").next().map(|node| {
        let inertia = reader.element(node, format!("{}.inertia", inertial.place));
        let mut entry = |name: &'static str, usual: f64| number_of(reader, &inertia, name).unwrap_or(usual);
        Sym3 {
            xx: entry("ixx", 1.0),
            yy: entry("iyy", 1.0),
            zz: entry("izz", 1.0),
            xy: entry("ixy", 0.0),
            xz: entry("ixz", 0.0),
            yz: entry("iyz", 0.0),
        }
    });
    let body = BodyDescription { mass, com: pose.position, inertia: tensor.unwrap_or(unit).turned_by(&pose.rotation) };
    let mut problems = Problems::default();
    check_body(&mut problems, &inertial.place, &body);
    reader.notes.add(problems);
    body
}

/// What a URDF draws: visuals and collisions of shapes that it knows.
fn shapes(reader: &mut Reader, link: &Element) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for tag in ["visual", "collision"] {
        for node in children(link.node, tag) {
            let name = attribute(node, "name");
            let element = reader.element(node, format!("{}.{tag}", link.place));
            let pose = pose_of(reader, &element);
            let geometry = children(node, "geometry").next().map(|node| {
                let geometry = reader.element(node, format!("{}.geometry", element.place));
                shape(reader, &geometry)
            });
            if let Some(text) = geometry.flatten().and_then(|shape| shape.element(tag, name, &pose, "")) {
                found.push((tag, text));
            }
        }
    }
    found
}

fn shape(reader: &mut Reader, geometry: &Element) -> Option<Shape> {
    let node = geometry.node.children().find(roxmltree::Node::is_element)?;
    let shape = reader.element(node, format!("{}.{}", geometry.place, node.tag_name().name()));
    let three = |reader: &mut Reader, name: &'static str| {
        let node = children(shape.node, name).next()?;
        let element = reader.element(node, format!("{}.{name}", shape.place));
        numbers(reader, &element, 3, "x, y, z").map(|all| [all[0], all[1], all[2]])
    };
    Some(match node.tag_name().name() {
        "box" => Shape::Box(three(reader, "size")?),
        "sphere" => Shape::sphere(number_of(reader, &shape, "radius")?),
        "ellipsoid" => Shape::Ellipsoid(three(reader, "radii")?),
        "cylinder" => Shape::Cylinder {
            radius: number_of(reader, &shape, "radius")?,
            length: number_of(reader, &shape, "length")?,
        },
        "capsule" => Shape::Capsule {
            radius: number_of(reader, &shape, "radius")?,
            length: number_of(reader, &shape, "length")?,
        },
        "mesh" => {
            let (file, _) = text_of(reader, &shape, "uri")?;
            Shape::Mesh { file: file.into(), scale: three(reader, "scale").unwrap_or([1.0; 3]) }
        }
        _ => return None,
    })
}
