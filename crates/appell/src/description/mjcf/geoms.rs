//! Geoms: the mass they give a body, and what a URDF draws of them.

use super::super::shape::{Shape, escaped};
use super::super::xml::{Element, Reader, attribute};
use super::defaults::{Defaults, Settled};
use super::settings::{Settings, shortest_to, unit};
use crate::description::{BodyDescription, Finding};
use crate::spatial::{Pose, Vec3};
use roxmltree::Node;
use std::collections::HashMap;

/// A mesh of the assets.
pub(super) struct Mesh {
    file: String,
    scale: [f64; 3],
}

/// A geom of a body.
pub(super) struct Geom {
    /// In the frame of the body that holds it; massless unless it gives the body its mass.
    pub(super) body: BodyDescription,
    shape: Option<Shape>,
    name: Option<String>,
    pose: Pose<f64>,
    /// Whether it is shown, and whether it touches.
    uses: [bool; 2],
    material: String,
}

/// What the mass of a geom is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mass {
    /// For nothing: `<inertial>` says that of the body.
    Elsewhere,
    /// For a body that stands on the base, where it moves nothing.
    OnTheBase,
    /// For a body that moves.
    Moving,
}

/// The kinds of geoms.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plane,
    Field,
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
    Mesh,
}

const KINDS: &[(&str, Kind)] = &[
    ("plane", Kind::Plane),
    ("hfield", Kind::Field),
    ("sphere", Kind::Sphere),
    ("capsule", Kind::Capsule),
    ("ellipsoid", Kind::Ellipsoid),
    ("cylinder", Kind::Cylinder),
    ("box", Kind::Box),
    ("mesh", Kind::Mesh),
    ("sdf", Kind::Mesh),
];

/// The meshes of a file by their names.
pub(super) fn meshes<'d>(
    reader: &mut Reader,
    settings: &Settings,
    defaults: &Defaults<'d>,
    root: &Element<'d>,
) -> HashMap<&'d str, Mesh> {
    let sections = root.node.children().filter(|node| node.has_tag_name("asset"));
    let nodes = sections.flat_map(|section| section.children().filter(|node| node.has_tag_name("mesh")));
    let mesh = |node: Node<'d, 'd>| {
        let element = reader.element(node, "mesh".into());
        let mesh = Settled::new(reader, defaults, element, "mesh", None);
        let file = attribute(node, "file").unwrap_or_default();
        // Without a name it is called like its file, without folder and ending.
        let stem = file.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        let scale = mesh.array(reader, "scale").unwrap_or([1.0; 3]);
        let folder = &settings.mesh_folder;
        let path = if folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") };
        (attribute(node, "name").unwrap_or(stem), Mesh { file: path, scale })
    };
    nodes.map(mesh).collect()
}

impl Geom {
    /// Reads a geom; none where its size is not known. Only one that gives its body mass needs a solid shape.
    pub(super) fn read(
        reader: &mut Reader,
        settings: &Settings,
        meshes: &HashMap<&str, Mesh>,
        geom: &Settled,
        body_from_frame: Pose<f64>,
        mass: Mass,
    ) -> Option<Self> {
        const EXPECTED: &str = "plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh or sdf";
        let kind = geom.word(reader, "type", EXPECTED, KINDS).unwrap_or(Kind::Sphere);
        // A mesh with the type of a primitive is one that is fitted to it, whose size is in the file.
        let kind = if geom.has("mesh") { Kind::Mesh } else { kind };
        let mut pose = settings.pose(reader, geom);
        let mut size = geom.numbers(reader, "size", 1, 3).unwrap_or_default();
        if let Some([a, b, c, d, e, f]) = geom.array::<6>(reader, "fromto") {
            let [from, to] = [Vec3::new(a, b, c), Vec3::new(d, e, f)];
            let along = from - to;
            let z = unit(along).unwrap_or(Vec3::new(0.0, 0.0, 1.0));
            pose = Pose { rotation: shortest_to(z), position: (from + to).scale(0.5) };
            let radius = size.first().copied().unwrap_or(0.0);
            let half = 0.5 * along.norm();
            size = match kind {
                Kind::Box | Kind::Ellipsoid => vec![radius, radius, half],
                _ => vec![radius, half],
            };
        }
        let shape = shape(kind, &size, geom, reader, meshes);
        let group = geom.number(reader, "group").unwrap_or(0.0);
        let has_mass = mass != Mass::Elsewhere && (settings.groups[0]..=settings.groups[1]).contains(&group);
        let pose = body_from_frame * pose;
        let mut body = BodyDescription::default();
        if has_mass && !matches!(kind, Kind::Plane | Kind::Field) {
            body = solid(reader, geom, shape.as_ref(), mass).seen_from(&pose);
        }
        let [contype, conaffinity] = ["contype", "conaffinity"].map(|name| geom.number(reader, name).unwrap_or(1.0));
        let uses = [group <= 2.0, contype != 0.0 || conaffinity != 0.0];
        let colour = geom.array::<4>(reader, "rgba").map(|rgba| rgba.map(|x| x.to_string()).join(" "));
        let material = colour.map_or(String::new(), |rgba| {
            format!("<material name=\"{}\"><color rgba=\"{rgba}\"/></material>", escaped(&rgba))
        });
        let name = attribute(geom.element.node, "name").map(Into::into);
        Some(Self { body, shape, name, pose, uses, material })
    }

    /// What a URDF draws of it.
    pub(super) fn elements(&self) -> Vec<(&'static str, String)> {
        let Some(shape) = &self.shape else { return Vec::new() };
        let tags = ["visual", "collision"].into_iter().zip(self.uses).filter(|(_, is_used)| *is_used);
        let element = |tag: &'static str| {
            let material = if tag == "visual" { self.material.as_str() } else { "" };
            Some((tag, shape.element(tag, self.name.as_deref(), &self.pose, material)?))
        };
        tags.filter_map(|(tag, _)| element(tag)).collect()
    }
}

/// The shape of a kind and its half sizes.
fn shape(kind: Kind, size: &[f64], geom: &Settled, reader: &mut Reader, meshes: &HashMap<&str, Mesh>) -> Option<Shape> {
    let shape = match (kind, size) {
        (Kind::Plane | Kind::Field, _) => return None,
        (Kind::Mesh, _) => {
            let (name, _) = geom.text(reader, "mesh")?;
            let mesh = meshes.get(name)?;
            return Some(Shape::Mesh { file: mesh.file.clone(), scale: mesh.scale });
        }
        (Kind::Sphere, [radius, ..]) => Shape::sphere(*radius),
        (Kind::Capsule, [radius, half, ..]) => Shape::Capsule { radius: *radius, length: 2.0 * half },
        (Kind::Cylinder, [radius, half, ..]) => Shape::Cylinder { radius: *radius, length: 2.0 * half },
        (Kind::Ellipsoid, [a, b, c]) => Shape::Ellipsoid([*a, *b, *c]),
        (Kind::Box, [a, b, c]) => Shape::Box([2.0 * a, 2.0 * b, 2.0 * c]),
        _ => {
            let expected = match kind {
                Kind::Box => "half lengths: size=\"x y z\", m",
                Kind::Ellipsoid => "half axes: size=\"x y z\", m",
                Kind::Capsule | Kind::Cylinder => {
                    "radius and half length: size=\"r h\", m; or size=\"r\" and fromto=\"x y z x y z\""
                }
                _ => "its radius: size=\"r\", m",
            };
            reader.notes.error(&format!("{}.size", geom.element.place), Finding::Missing { expected });
            return None;
        }
    };
    if !shape.is_possible() {
        reader.notes.error(&format!("{}.size", geom.element.place), Finding::NotPositive { value: size[0] });
        return None;
    }
    Some(shape)
}

/// The body of a geom by its mass, or by its density.
fn solid(reader: &mut Reader, geom: &Settled, shape: Option<&Shape>, mass: Mass) -> BodyDescription {
    let said = geom.number(reader, "mass");
    let density = geom.number(reader, "density").unwrap_or(1000.0);
    let volume = shape.and_then(Shape::volume);
    let Some((shape, volume)) = shape.zip(volume) else {
        let is_massless = said == Some(0.0) || (said.is_none() && density == 0.0);
        let is_mesh = geom.has("mesh");
        if is_mesh && !is_massless && mass == Mass::Moving {
            reader.notes.error(&geom.element.place, Finding::MassOfMesh);
        }
        return BodyDescription::default();
    };
    let yes = [("true", true), ("false", false)];
    if geom.word(reader, "shellinertia", "true or false", &yes) == Some(true) {
        let what = "shellinertia; the body is taken as solid, and shellinertia".into();
        reader.notes.warning(&geom.element.place, Finding::LeftOut { what });
    }
    shape.solid(said.unwrap_or(density * volume)).unwrap_or_default()
}
