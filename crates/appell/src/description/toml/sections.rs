//! The sections of a file, or of a chain in it: `[body.NAME]`, `[joint.NAME]` and `[frame.NAME]`.

use super::reader::{Node, Reader, Table};
use crate::description::name::key;
use crate::description::quantity::Dimension;
use crate::description::{
    Arc, BodyDescription, Branch, Convention, Finding, FrameDescription, Friction, FrictionCurve, JointDescription,
    JointEffects, Limits, Mimic, Rotor, Spring,
};
use crate::spatial::{Mat3, Pose, Sym3, Vec3};
use std::collections::HashSet;

const AXES: &str = "x, y, z";

/// Gives every joint its body.
pub(super) fn bodies(
    reader: &mut Reader,
    around: &Table,
    joints: &mut [JointDescription],
    convention: Option<Convention>,
) {
    let sections = reader.sections(around, "body");
    for (name, node) in &sections {
        let is_arc = node.value.as_table().is_some_and(|table| table.contains_key("arc"));
        let known: &[&str] = if is_arc { &["arc", "frame"] } else { &["mass", "com", "inertia", "arc", "frame"] };
        let Some(section) = reader.table(node, known) else { continue };
        let body = if is_arc { arc(reader, &section) } else { body(reader, &section, true) };
        let frame = link_frame(reader, &section, convention);
        for_joint(reader, around, joints, name, node, |joint| {
            joint.body = body;
            joint.link_frame = frame.unwrap_or(joint.link_frame);
        });
    }
    let described: HashSet<&str> = sections.iter().map(|(name, _)| *name).collect();
    for name in joints.iter().map(|joint| &joint.name).filter(|name| !described.contains(name.as_str())) {
        if !name.is_empty() {
            let finding =
                Finding::Missing { expected: "a section with mass, com and inertia, with an arc, or with mass = 0" };
            let [body, row] = ["body", "joints"].map(|kind| format!("{}.{}", around.place_of(kind), key(name)));
            reader.notes.error_at(&body, &row, finding);
        }
    }
}

/// What the section of a joint may say.
pub(super) const OF_A_JOINT: &[&str] =
    &["driven", "limits", "friction", "rotor", "spring", "mimic", "home", "branch", "e", "pitch"];

/// Gives every joint what its section says, by keys that are `known`.
pub(super) fn actuation(
    reader: &mut Reader,
    around: &Table,
    joints: &mut [JointDescription],
    known: &'static [&'static str],
) {
    for (name, node) in &reader.sections(around, "joint") {
        let Some(section) = reader.table(node, known) else { continue };
        let position = joints.iter().find(|joint| joint.name == *name).map_or(Dimension::Angle, position);
        let driven = reader.get(&section, "driven").and_then(|node| reader.truth(&node));
        let limits = limits(reader, &section, position);
        let effects = JointEffects {
            friction: friction(reader, &section),
            rotor: rotor(reader, &section),
            spring: spring(reader, &section, position),
        };
        let mimic = mimic(reader, &section, position);
        let home = reader.constant_or_zero(&section, "home", position);
        let branch = reader.get(&section, "branch").and_then(|node| branch(reader, &node));
        let e = reader.constant_or_zero(&section, "e", Dimension::Length);
        let pitch = reader.constant_or_zero(&section, "pitch", Dimension::Length);
        for_joint(reader, around, joints, name, node, |joint| {
            // Who follows has no motor of its own, unless the file says so.
            joint.driven = driven.unwrap_or(mimic.is_none());
            joint.limits = limits;
            joint.effects = effects;
            joint.mimic = mimic.clone();
            joint.home = home;
            joint.branch = branch.unwrap_or_default();
            joint.placement.e = e;
            joint.pitch = pitch;
        });
    }
}

/// What the position of a joint measures.
pub(super) fn position(joint: &JointDescription) -> Dimension {
    joint.kind.last().pick(Dimension::Angle, Dimension::Length)
}

/// A working mode.
pub(super) fn branch(reader: &mut Reader, node: &Node) -> Option<Branch> {
    reader.word(node, Branch::EXPECTED, Branch::find)
}

/// `limits` of a joint's section; none where they are left out.
pub(super) fn limits(reader: &mut Reader, section: &Table, position: Dimension) -> Limits {
    let Some(table) = part(reader, section, "limits", &["lower", "upper", "velocity", "effort"]) else {
        return Limits::default();
    };
    let mut bound = |key, none| reader.get(&table, key).map_or(none, |node| reader.limit(&node, position));
    let (lower, upper) = (bound("lower", f64::NEG_INFINITY), bound("upper", f64::INFINITY));
    let mut most = |key| match reader.get(&table, key) {
        Some(node) => reader.any_number(&node).unwrap_or(f64::NAN),
        None => f64::INFINITY,
    };
    Limits { lower, upper, velocity: most("velocity"), effort: most("effort") }
}

/// `friction` of a joint's section; none where it is left out.
pub fn friction(reader: &mut Reader, section: &Table) -> Friction {
    const KEYS: &[&str] = &[
        "viscous",
        "coulomb",
        "smoothing",
        "offset",
        "square_root",
        "cubic",
        "asymmetric",
        "stribeck",
        "stribeck_speed",
    ];
    let Some(table) = part(reader, section, "friction", KEYS) else { return Friction::default() };
    let mut number = |key| reader.number_or(&table, key, 0.0);
    let curve = FrictionCurve {
        square_root: number("square_root"),
        cubic: number("cubic"),
        asymmetric: number("asymmetric"),
        stribeck: number("stribeck"),
        stribeck_speed: number("stribeck_speed"),
    };
    Friction {
        viscous: number("viscous"),
        coulomb: number("coulomb"),
        smoothing: number("smoothing"),
        offset: number("offset"),
        curve: (curve != FrictionCurve::default()).then_some(curve),
    }
}

/// `rotor` of a joint's section; none where it is left out.
pub fn rotor(reader: &mut Reader, section: &Table) -> Rotor {
    let Some(table) = part(reader, section, "rotor", &["inertia", "gear"]) else { return Rotor::default() };
    Rotor { inertia: reader.number_or(&table, "inertia", 0.0), gear: reader.number_or(&table, "gear", 1.0) }
}

/// `spring` of a joint's section; none where it is left out.
pub fn spring(reader: &mut Reader, section: &Table, position: Dimension) -> Spring {
    let Some(table) = part(reader, section, "spring", &["stiffness", "rest"]) else { return Spring::default() };
    let stiffness = reader.number_or(&table, "stiffness", 0.0);
    Spring { stiffness, rest: reader.constant_or_zero(&table, "rest", position) }
}

fn mimic(reader: &mut Reader, section: &Table, position: Dimension) -> Option<Mimic> {
    let node = reader.get(section, "mimic")?;
    let follows_several = node.value.as_table().is_some_and(|table| table.contains_key("joints"));
    let known: &[&str] = if follows_several { &["joints", "offset"] } else { &["joint", "multiplier", "offset"] };
    let table = reader.table(&node, known)?;
    let offset = reader.constant_or_zero(&table, "offset", position);
    if follows_several {
        let leaders = reader.sections(&table, "joints");
        let joints = leaders.iter().map(|(name, node)| ((*name).into(), reader.number(node))).collect();
        return Some(Mimic { joints, offset });
    }
    let joint = reader.require(&table, "joint", "the name of a joint, or `joints`, a table of multipliers")?;
    let joint = reader.text(&joint, "the name of a joint")?;
    Some(Mimic::new(joint, reader.number_or(&table, "multiplier", 1.0), offset))
}

/// A table inside a section, if it is there.
pub fn part<'a>(
    reader: &mut Reader,
    section: &Table<'a>,
    key: &str,
    known: &'static [&'static str],
) -> Option<Table<'a>> {
    let node = reader.get(section, key)?;
    reader.table(&node, known)
}

/// Changes the joint a section is about. There is none only if the table and all names could be read.
fn for_joint(
    reader: &mut Reader,
    around: &Table,
    joints: &mut [JointDescription],
    name: &str,
    section: &Node,
    change: impl Fn(&mut JointDescription),
) {
    let known: Vec<String> = joints.iter().map(|joint| joint.name.clone()).collect();
    let readable = !known.is_empty() || !reader.notes.is_noted(&around.place_of("joints"));
    if known.iter().all(|known| !known.is_empty() && known != name) && readable {
        reader.error(&section.place, Finding::UnknownBody { name: name.into(), known });
    }
    joints.iter_mut().filter(|joint| joint.name == name).for_each(change);
}

/// Mass, centre of mass and inertia; a body of mass zero may leave out the others, one that never turns its inertia.
pub fn body(reader: &mut Reader, section: &Table, turns: bool) -> BodyDescription {
    let mass = reader.require_number(section, "mass", "a number, kg");
    let mut part = |name, expected, needed: bool| {
        if needed && mass != 0.0 { reader.require(section, name, expected) } else { reader.get(section, name) }
    };
    let com = part("com", "the centre of mass, three numbers, m", true);
    let inertia = part("inertia", "{ xx, yy, zz } about the centre of mass, kg m²", turns);
    BodyDescription {
        mass,
        com: com.map_or(Vec3::default(), |node| lengths(reader, &node)),
        inertia: inertia.map_or(Sym3::default(), |node| tensor(reader, &node)),
    }
}

/// A uniform circular arc.
fn arc(reader: &mut Reader, section: &Table) -> BodyDescription {
    let Some(table) = part(reader, section, "arc", &["radius", "line_density", "angle", "thickness"]) else {
        return BodyDescription::default();
    };
    let mut size = |name, expected, dimension| {
        reader.require(&table, name, expected).map_or(f64::NAN, |node| reader.constant(&node, dimension))
    };
    let radius = size("radius", "a length, m", Dimension::Length);
    let angle = size("angle", "an angle, rad or \"80 deg\"", Dimension::Angle);
    let line_density = reader.require_number(&table, "line_density", "a number, kg/m");
    let thickness = reader.constant_or_zero(&table, "thickness", Dimension::Length);
    let arc = Arc { radius, line_density, angle, thickness };
    if arc.is_possible() {
        return arc.body();
    }
    // What could not be read is noted already.
    if [radius, line_density, angle, thickness].iter().all(|number| number.is_finite()) {
        reader.error(&section.place_of("arc"), Finding::ImpossibleArc { radius, line_density, angle, thickness });
    }
    BodyDescription::default()
}

/// The six entries of a tensor of inertia; those off the diagonal are zero where they are left out.
fn tensor(reader: &mut Reader, node: &Node) -> Sym3<f64> {
    let Some(table) = reader.table(node, &["xx", "yy", "zz", "xy", "xz", "yz"]) else { return Sym3::default() };
    let [xx, yy, zz] = ["xx", "yy", "zz"].map(|entry| reader.require_number(&table, entry, "a number, kg m²"));
    let [xy, xz, yz] = ["xy", "xz", "yz"].map(|entry| reader.number_or(&table, entry, 0.0));
    Sym3 { xx, yy, zz, xy, xz, yz }
}

/// Where a body's own frame is on its joint's, if the section says so. The rows of a standard table say it.
fn link_frame(reader: &mut Reader, section: &Table, convention: Option<Convention>) -> Option<Pose<f64>> {
    let node = reader.get(section, "frame")?;
    if convention == Some(Convention::StandardDh) {
        reader.error(&node.place, Finding::FrameInTable);
    }
    let table = reader.table(&node, &["xyz", "rpy"])?;
    Some(pose(reader, &table))
}

/// Frames fixed on bodies or on the base, in the order of the file.
pub(super) fn frames(reader: &mut Reader, file: &Table) -> Vec<FrameDescription> {
    let sections = reader.sections(file, "frame");
    sections.into_iter().map(|(name, node)| frame(reader, name, &node)).collect()
}

fn frame(reader: &mut Reader, name: &str, node: &Node) -> FrameDescription {
    let mut frame = FrameDescription { name: name.into(), parent: None, pose: Pose::identity(0.0) };
    let Some(section) = reader.table(node, &["parent", "xyz", "rpy"]) else { return frame };
    let parent = reader.require(&section, "parent", "the name of a joint, or \"base\"");
    frame.parent = parent.and_then(|node| reader.parent(&node));
    frame.pose = pose(reader, &section);
    frame
}

/// Where a frame is by a table inside a section; that of its carrier where there is none.
pub(super) fn place(reader: &mut Reader, section: &Table, key: &str) -> Pose<f64> {
    let table = part(reader, section, key, &["xyz", "rpy"]);
    table.map_or(Pose::identity(0.0), |table| pose(reader, &table))
}

/// Position and orientation; each is that of the parent where it is left out.
pub(super) fn pose(reader: &mut Reader, table: &Table) -> Pose<f64> {
    let mut pose = Pose::identity(0.0);
    if let Some(node) = reader.get(table, "xyz") {
        pose.position = lengths(reader, &node);
    }
    if let Some(node) = reader.get(table, "rpy") {
        let angle = |reader: &mut Reader, node: &Node| reader.constant(node, Dimension::Angle);
        pose.rotation = Mat3::from_roll_pitch_yaw(reader.vector(&node, "roll, pitch, yaw", angle));
    }
    pose
}

fn lengths(reader: &mut Reader, node: &Node) -> Vec3<f64> {
    reader.vector(node, AXES, |reader, node| reader.constant(node, Dimension::Length))
}

/// Gravity in the base frame.
pub fn gravity(reader: &mut Reader, node: &Node) -> Vec3<f64> {
    reader.vector(node, AXES, Reader::number)
}
