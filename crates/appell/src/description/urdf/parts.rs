//! The links and joints of a URDF, each by itself.

use crate::description::check_body;
use crate::description::name::{key, tamed};
use crate::description::xml::{Element, Reader};
use crate::description::{BASE, BodyDescription, Finding, Friction, Limits, Mimic, Problems};
use crate::spatial::{Mat3, Pose, Sym3, Vec3};

/// A link: a frame with mass.
pub(super) struct Link {
    pub(super) name: String,
    /// Where it is written.
    pub(super) place: String,
    pub(super) byte: usize,
    /// In the link's frame.
    pub(super) body: BodyDescription,
}

/// A joint between two links; its frame is the child's.
pub(super) struct Joint {
    pub(super) name: String,
    /// Where it is written.
    pub(super) place: String,
    pub(super) byte: usize,
    pub(super) kind: Kind,
    /// The names of the links; none where unreadable.
    pub(super) parent: Option<String>,
    pub(super) child: Option<String>,
    pub(super) parent_from_child: Pose<f64>,
    /// A unit vector in the child's frame.
    pub(super) axis: Vec3<f64>,
    pub(super) limits: Limits,
    pub(super) friction: Friction,
    pub(super) mimic: Option<Mimic>,
}

/// How a joint moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Revolute,
    Continuous,
    Prismatic,
    Fixed,
    Floating,
    Planar,
}

named!(pub(super) Kind {
    Revolute: "revolute",
    Continuous: "continuous",
    Prismatic: "prismatic",
    Fixed: "fixed",
    Floating: "floating",
    Planar: "planar",
});

/// How far the length of an axis may be from 1 without a word: files are rounded.
const UNIT_TOLERANCE: f64 = 1e-5;

pub(super) const AXES: &str = "x, y, z";

/// All links, in the order of the file.
pub(super) fn links(reader: &mut Reader, robot: &Element) -> Vec<Link> {
    let elements = reader.children(robot, "link", |number, name| place("links", number, name));
    elements.iter().map(|element| link(reader, element)).collect()
}

/// All joints, in the order of the file.
pub(super) fn joints(reader: &mut Reader, robot: &Element) -> Vec<Joint> {
    let elements = reader.children(robot, "joint", |number, name| place("joint", number, name));
    elements.iter().map(|element| joint(reader, element)).collect()
}

/// The path of a part: by its name, or by its number where it has none.
fn place(kind: &str, number: usize, name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("{kind}.{}", key(name)),
        _ => format!("{kind}[{number}]"),
    }
}

/// The name of a part; empty where it has none, which is noted.
fn name<'d>(reader: &mut Reader, element: &Element<'d>) -> &'d str {
    let Some((name, place)) = reader.require(element, "name", "a name") else { return "" };
    if name.is_empty() {
        reader.notes.error(&place, Finding::EmptyName);
    }
    name
}

fn link(reader: &mut Reader, element: &Element) -> Link {
    let inertial = reader.child(element, "inertial");
    Link {
        name: name(reader, element).into(),
        place: element.place.clone(),
        byte: element.byte,
        body: inertial.map_or(BodyDescription::default(), |inertial| body(reader, &inertial)),
    }
}

/// The body of a link, massless where it cannot be read. It is checked here, where its line is known, and not after
/// it was merged with others.
fn body(reader: &mut Reader, inertial: &Element) -> BodyDescription {
    let frame = origin(reader, inertial);
    let mass = reader.require_child(inertial, "mass", "<mass value=\"…\"/>, kg");
    let mass = mass.and_then(|mass| reader.require_number(&mass, "value", "a number, kg"));
    let inertia = reader.require_child(inertial, "inertia", "<inertia ixx=\"…\" …/> about the centre of mass, kg m²");
    let inertia = inertia.and_then(|inertia| tensor(reader, &inertia));
    let (Some(mass), Some(inertia)) = (mass, inertia) else { return BodyDescription::default() };
    let body = BodyDescription { mass, com: frame.position, inertia: inertia.turned_by(&frame.rotation) };
    let mut problems = Problems::default();
    check_body(&mut problems, &inertial.place, &body);
    reader.notes.add(problems);
    body
}

/// The entries of the tensor; those off the diagonal are zero where they are left out.
fn tensor(reader: &mut Reader, element: &Element) -> Option<Sym3<f64>> {
    let mut moment = |entry| reader.require_number(element, entry, "a number, kg m²");
    let (xx, yy, zz) = (moment("ixx"), moment("iyy"), moment("izz"));
    let mut product = |entry| reader.number(element, entry).unwrap_or(0.0);
    Some(Sym3 { xx: xx?, yy: yy?, zz: zz?, xy: product("ixy"), xz: product("ixz"), yz: product("iyz") })
}

fn joint(reader: &mut Reader, element: &Element) -> Joint {
    let name = name(reader, element);
    let kind = kind(reader, element);
    let parent = end(reader, element, "parent");
    let child = end(reader, element, "child");
    let moves_along_axis = matches!(kind, Kind::Revolute | Kind::Continuous | Kind::Prismatic | Kind::Planar);
    // A floating joint has the axes of its frame, whatever it says.
    let axis = if moves_along_axis { axis(reader, element) } else { Vec3::new(0.0, 0.0, 1.0) };
    let fit_name = fit(name);
    if kind != Kind::Fixed && fit_name != name {
        reader.notes.warning(&element.place, Finding::Renamed { name: name.into(), instead: fit_name.clone() });
    }
    Joint {
        name: fit_name,
        place: element.place.clone(),
        byte: element.byte,
        kind,
        parent,
        child,
        parent_from_child: origin(reader, element),
        axis,
        limits: limits(reader, element, kind),
        friction: friction(reader, element),
        mimic: mimic(reader, element),
    }
}

/// The name of a joint, which must not be that of the base, nor break the header of a table.
fn fit(name: &str) -> String {
    if name == BASE { format!("joint:{name}") } else { tamed(name) }
}

/// A joint of unknown type is fixed, so that what hangs on it is understood.
fn kind(reader: &mut Reader, element: &Element) -> Kind {
    const EXPECTED: &str = "revolute, continuous, prismatic, fixed, floating or planar";
    let Some((text, place)) = reader.require(element, "type", EXPECTED) else { return Kind::Fixed };
    reader.notes.find(&place, text, EXPECTED, Kind::find).unwrap_or(Kind::Fixed)
}

/// The link at one end of a joint.
fn end(reader: &mut Reader, joint: &Element, name: &str) -> Option<String> {
    const EXPECTED: &str = "the name of a link";
    let end = reader.require_child(joint, name, EXPECTED)?;
    reader.require(&end, "link", EXPECTED).map(|(link, _)| link.into())
}

/// The pose an `<origin>` gives; the identity without one.
fn origin(reader: &mut Reader, element: &Element) -> Pose<f64> {
    let Some(origin) = reader.child(element, "origin") else { return Pose::identity(0.0) };
    pose_of(reader, &origin)
}

/// The pose that attributes `xyz` and `rpy` give.
pub(super) fn pose_of(reader: &mut Reader, element: &Element) -> Pose<f64> {
    let xyz = reader.vector(element, "xyz", AXES).unwrap_or_default();
    let rpy = reader.vector(element, "rpy", "roll, pitch, yaw").unwrap_or_default();
    Pose { rotation: Mat3::from_roll_pitch_yaw(rpy.into()), position: xyz.into() }
}

/// The axis as a unit vector; x where none is given.
fn axis(reader: &mut Reader, joint: &Element) -> Vec3<f64> {
    let x = Vec3::new(1.0, 0.0, 0.0);
    let Some(element) = reader.child(joint, "axis") else { return x };
    let Some(axis) = reader.vector(&element, "xyz", AXES) else { return x };
    let largest = axis.into_iter().map(f64::abs).fold(0.0, f64::max);
    if largest == 0.0 {
        reader.notes.error(&element.place, Finding::ZeroAxis);
        return x;
    }
    // Divided by the largest entry first: squares of very large or small numbers leave the range of f64.
    let direction = Vec3::from(axis.map(|entry| entry / largest));
    let length = direction.norm() * largest;
    let excess = (length - 1.0).abs();
    if excess > UNIT_TOLERANCE {
        reader.notes.warning(&element.place, Finding::AxisNotUnit { length });
    }
    direction.scale(1.0 / direction.norm())
}

/// Missing limits are none; a continuous joint has none on its position.
fn limits(reader: &mut Reader, joint: &Element, kind: Kind) -> Limits {
    let free = Limits::default();
    let Some(limit) = reader.child(joint, "limit") else { return free };
    reader.notes.mark(format!("{}.limits", joint.place), limit.byte);
    // An infinite limit is none, whatever its sign.
    let mut read = |name, free| reader.limit(&limit, name).filter(|limit| limit.is_finite()).unwrap_or(free);
    let (velocity, effort) = (read("velocity", free.velocity), read("effort", free.effort));
    if kind == Kind::Continuous {
        return Limits { velocity, effort, ..free };
    }
    Limits { lower: read("lower", free.lower), upper: read("upper", free.upper), velocity, effort }
}

fn friction(reader: &mut Reader, joint: &Element) -> Friction {
    let Some(dynamics) = reader.child(joint, "dynamics") else { return Friction::default() };
    let mut read = |name| reader.number(&dynamics, name).unwrap_or(0.0);
    Friction { viscous: read("damping"), coulomb: read("friction"), ..Friction::default() }
}

fn mimic(reader: &mut Reader, joint: &Element) -> Option<Mimic> {
    let element = reader.child(joint, "mimic")?;
    let (joint, _) = reader.require(&element, "joint", "the name of a joint")?;
    let multiplier = reader.number(&element, "multiplier").unwrap_or(1.0);
    let offset = reader.number(&element, "offset").unwrap_or(0.0);
    Some(Mimic::new(fit(joint), multiplier, offset))
}
