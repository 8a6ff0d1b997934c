//! Joints, each by itself: ends, axes, limits and effects.

use super::super::xml::{Element, Reader, attribute};
use super::poses::{Item, Kind, Scene};
use super::{children, number_of, numbers, text_of};
use crate::description::{Finding, Friction, JointEffects, Limits, Mimic, Spring};
use crate::spatial::{Pose, Vec3};
use core::f64::consts::TAU;

/// A joint between two links; none of these is the world.
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) place: String,
    pub(super) byte: usize,
    pub(super) kind: Type,
    pub(super) parent: Option<String>,
    pub(super) child: Option<String>,
    pub(super) in_world: Pose<f64>,
    /// In the world.
    pub(super) axes: Vec<Axis>,
    /// m a turn, of a screw.
    pub(super) pitch: f64,
}

/// One motion of a joint.
#[derive(Clone)]
pub(super) struct Axis {
    /// A unit vector in the world.
    pub(super) direction: Vec3<f64>,
    pub(super) limits: Limits,
    pub(super) effects: JointEffects,
    pub(super) mimic: Option<Mimic>,
}

/// How a joint moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Revolute,
    Continuous,
    Prismatic,
    Fixed,
    Ball,
    Universal,
    Revolute2,
    Screw,
}

named!(pub(super) Type {
    Revolute: "revolute",
    Continuous: "continuous",
    Prismatic: "prismatic",
    Fixed: "fixed",
    Ball: "ball",
    Universal: "universal",
    Revolute2: "revolute2",
    Screw: "screw",
});

/// All joints whose ends are known, in the order of the file.
pub(super) fn read(reader: &mut Reader, scene: &Scene) -> Vec<Joint> {
    scene.all(Kind::Joint).filter_map(|item| joint(reader, scene, item)).collect()
}

fn joint(reader: &mut Reader, scene: &Scene, item: &Item) -> Option<Joint> {
    const EXPECTED: &str = "revolute, continuous, prismatic, fixed, ball, universal, revolute2 or screw";
    let element = &item.element;
    let kind = reader.require(element, "type", EXPECTED);
    let kind = kind.and_then(|(text, place)| reader.notes.find(&place, text, EXPECTED, Type::find));
    let mut end = |name: &'static str| {
        let Some((text, end)) = text_of(reader, element, name) else {
            reader
                .notes
                .error(&format!("{}.{name}", element.place), Finding::Missing { expected: "the name of a link" });
            return None;
        };
        scene.link_of(reader, &item.scope, text, &end.place)
    };
    let (parent, child) = (end("parent"), end("child"));
    let in_world = scene.in_world(reader, item);
    let kind = kind?;
    let names: &[&'static str] = match kind {
        Type::Fixed | Type::Ball => &[],
        Type::Universal | Type::Revolute2 => &["axis", "axis2"],
        _ => &["axis"],
    };
    let axes: Vec<Axis> = names.iter().map(|name| axis(reader, scene, item, name, &in_world, kind)).collect();
    if let [first, second] = &axes[..]
        && !reader.notes.is_noted(&format!("{}.axis2", element.place))
        && first.direction.cross(second.direction).norm() < PARALLEL
    {
        reader.notes.error(&format!("{}.axis2", element.place), Finding::ParallelAxes);
    }
    let thread = number_of(reader, element, "thread_pitch").filter(|pitch| *pitch != 0.0).map(|pitch| -TAU / pitch);
    let said = number_of(reader, element, "screw_thread_pitch").or(thread);
    if kind == Type::Screw && said.is_none() {
        let expected = "m per turn: <screw_thread_pitch>0.005</screw_thread_pitch>; SDF takes 1 without it";
        reader.notes.warning(&format!("{}.screw_thread_pitch", element.place), Finding::Missing { expected });
    }
    let pitch = said.unwrap_or(1.0);
    let Element { place, byte, .. } = element;
    Some(Joint {
        name: item.name.clone(),
        place: place.clone(),
        byte: *byte,
        kind,
        parent: parent?,
        child: child?,
        in_world,
        axes,
        pitch,
    })
}

fn axis(reader: &mut Reader, scene: &Scene, item: &Item, name: &'static str, in_world: &Pose<f64>, kind: Type) -> Axis {
    let z = Vec3::new(0.0, 0.0, 1.0);
    let mut axis = Axis {
        direction: in_world.rotation * z,
        limits: Limits::default(),
        effects: JointEffects::default(),
        mimic: None,
    };
    let Some(node) = children(item.element.node, name).next() else {
        let place = format!("{}.{name}", item.element.place);
        reader.notes.error(&place, Finding::Missing { expected: "an axis: <axis><xyz>0 0 1</xyz></axis>" });
        return axis;
    };
    let element = reader.element(node, format!("{}.{name}", item.element.place));
    axis.direction = direction(reader, scene, item, &element, in_world).unwrap_or(axis.direction);
    axis.limits = limits(reader, &element, kind);
    reader.notes.mark(format!("{}.limits", item.element.place), element.byte);
    axis.effects = effects(reader, &element);
    axis.mimic = mimic(reader, &element, &item.scope);
    axis
}

/// The direction of an axis in the world: in the joint's frame, the model's, or one that is named.
fn direction(
    reader: &mut Reader,
    scene: &Scene,
    item: &Item,
    axis: &Element,
    in_world: &Pose<f64>,
) -> Option<Vec3<f64>> {
    let node = children(axis.node, "xyz").next()?;
    let xyz = reader.element(node, format!("{}.xyz", axis.place));
    let numbers = numbers(reader, &xyz, 3, "x, y, z")?;
    let largest = numbers.iter().map(|x| x.abs()).fold(0.0, f64::max);
    if largest == 0.0 {
        reader.notes.error(&xyz.place, Finding::ZeroAxis);
        return None;
    }
    let vector = Vec3::new(numbers[0], numbers[1], numbers[2]).scale(1.0 / largest);
    let vector = vector.scale(1.0 / vector.norm());
    let expressed_in = attribute(node, "expressed_in").filter(|name| !name.is_empty());
    let of_model = children(axis.node, "use_parent_model_frame").any(super::is_true) || scene.version < 5;
    let model = item.scope.trim_end_matches("::");
    let frame = match expressed_in {
        Some("__model__") => scene.find(model),
        Some(name) => {
            let found = scene.find(&format!("{}{name}", item.scope));
            if found.is_none() {
                reader.notes.error(&xyz.place, Finding::UnknownFrame { name: name.into() });
            }
            found
        }
        None if of_model && scene.version < 7 => scene.find(model),
        None => return Some(in_world.rotation * vector),
    };
    frame.map(|frame| scene.in_world(reader, frame).rotation * vector)
}

/// The sine of an angle between axes that are parallel.
const PARALLEL: f64 = 1e-6;

/// A limit this large is none.
const NO_LIMIT: f64 = 1e16;

fn limits(reader: &mut Reader, axis: &Element, kind: Type) -> Limits {
    let free = Limits::default();
    let Some(node) = children(axis.node, "limit").next() else { return free };
    let limit = reader.element(node, format!("{}.limit", axis.place));
    let mut get = |name: &'static str, free: f64| {
        let Some((text, element)) = text_of(reader, &limit, name) else { return free };
        if matches!(text, "inf" | "+inf" | "-inf" | "infinity") {
            return free;
        }
        reader.finite(&element.place, text).filter(|limit| limit.abs() < NO_LIMIT).unwrap_or(free)
    };
    // A negative one stands for none.
    let positive = |limit: f64, free: f64| if limit < 0.0 { free } else { limit };
    let (velocity, effort) =
        (positive(get("velocity", free.velocity), free.velocity), positive(get("effort", free.effort), free.effort));
    let is_bounded = kind != Type::Continuous;
    let (lower, upper) =
        if is_bounded { (get("lower", free.lower), get("upper", free.upper)) } else { (free.lower, free.upper) };
    Limits { lower, upper, velocity, effort }
}

fn effects(reader: &mut Reader, axis: &Element) -> JointEffects {
    let Some(node) = children(axis.node, "dynamics").next() else { return JointEffects::default() };
    let dynamics = reader.element(node, format!("{}.dynamics", axis.place));
    let mut get = |name: &'static str| number_of(reader, &dynamics, name).unwrap_or(0.0);
    let stiffness = get("spring_stiffness");
    let rest = get("spring_reference");
    JointEffects {
        friction: Friction { viscous: get("damping"), coulomb: get("friction"), ..Friction::default() },
        spring: if stiffness == 0.0 { Spring::default() } else { Spring { stiffness, rest } },
        ..JointEffects::default()
    }
}

/// A follower: position = multiplier (leader − reference) + offset.
fn mimic(reader: &mut Reader, axis: &Element, scope: &str) -> Option<Mimic> {
    let node = children(axis.node, "mimic").next()?;
    let mimic = reader.element(node, format!("{}.mimic", axis.place));
    let (joint, _) = reader.require(&mimic, "joint", "the name of a joint")?;
    if attribute(node, "axis").is_some_and(|axis| axis != "axis") {
        reader.notes.warning(&mimic.place, Finding::LeftOut { what: "mimicry of a second axis".into() });
        return None;
    }
    let multiplier = number_of(reader, &mimic, "multiplier").unwrap_or(1.0);
    let offset = number_of(reader, &mimic, "offset").unwrap_or(0.0);
    let reference = number_of(reader, &mimic, "reference").unwrap_or(0.0);
    Some(Mimic::new(format!("{scope}{joint}"), multiplier, offset - multiplier * reference))
}
