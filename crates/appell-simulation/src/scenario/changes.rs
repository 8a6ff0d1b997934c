//! How a robot differs from its file: what it carries, what its bodies weigh, what its joints do.

use super::each::{exclude, some, some_count, some_positive};
use super::{Cause, at};
use crate::simulation::plant::joint_that_cannot_stick;
use appell::closed::ClosedMechanism;
use appell::description::notes::Notes;
use appell::description::quantity::Dimension;
use appell::description::toml::reader::{Node, Reader, Table};
use appell::description::toml::sections;
use appell::description::{
    BodyDescription, Finding, Friction, JointEffects, PLATFORM, Problems, Rotor, Spring, check_body, check_effects,
};
use appell::mechanism::Mechanism;
use appell::sample::Sampler;
use appell::spatial::Vec3;
use appell::{Model, Robot};

/// The section `[plant]` or `[model]`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Changes {
    section: &'static str,
    scale: Option<f64>,
    spread: Option<f64>,
    seed: u32,
    gravity: Option<Vec3<f64>>,
    payload: Option<(Option<String>, BodyDescription)>,
    bodies: Vec<(String, Body)>,
    effects: Effects,               // of all joints
    joints: Vec<(String, Effects)>, // of single ones
}

/// Another body, or the same made heavier.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Body {
    Scaled(f64),
    Other(BodyDescription),
}

/// What of a joint's effects is other than in its file.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Effects {
    friction: Option<Friction>,
    rotor: Option<Rotor>,
    spring: Option<Spring>,
}

impl Effects {
    fn read(reader: &mut Reader, section: &Table<'_>, place: &str) -> Self {
        let has = |reader: &mut Reader, key| reader.get(section, key).is_some();
        let effects = Self {
            friction: has(reader, "friction").then(|| sections::friction(reader, section)),
            rotor: has(reader, "rotor").then(|| sections::rotor(reader, section)),
            spring: has(reader, "spring").then(|| sections::spring(reader, section, Dimension::Angle)),
        };
        let mut problems = Problems::default();
        check_effects(&mut problems, place, &effects.of(JointEffects::default()));
        note(reader, problems);
        effects
    }

    fn of(&self, own: JointEffects) -> JointEffects {
        JointEffects {
            friction: self.friction.unwrap_or(own.friction),
            rotor: self.rotor.unwrap_or(own.rotor),
            spring: self.spring.unwrap_or(own.spring),
        }
    }
}

impl Changes {
    pub(super) fn read(reader: &mut Reader, file: &Table<'_>, section: &'static str) -> Self {
        let Some(node) = reader.get(file, section) else { return Self { section, ..Self::default() } };
        let known = &["scale", "spread", "seed", "gravity", "payload", "body", "joint", "friction", "rotor", "spring"];
        let Some(table) = reader.table(&node, known) else { return Self { section, ..Self::default() } };
        let gravity = reader.get(&table, "gravity").map(|node| sections::gravity(reader, &node));
        let payload = reader.get(&table, "payload").and_then(|node| payload(reader, &node));
        let bodies = reader.sections(&table, "body");
        let bodies = bodies.iter().filter_map(|(name, node)| Some(((*name).to_owned(), body(reader, node)?)));
        let bodies = bodies.collect();
        let joints = reader.sections(&table, "joint");
        let joints = joints.iter().filter_map(|(name, node)| {
            let section = reader.table(node, &["friction", "rotor", "spring"])?;
            Some(((*name).to_owned(), Effects::read(reader, &section, &node.place)))
        });
        let joints = joints.collect();
        let spread = some(reader, &table, "spread", Reader::number);
        if let Some(value) = spread.filter(|spread| !(0.0..1.0).contains(spread)) {
            reader.error(&table.place_of("spread"), Finding::NotAPart { value });
        }
        Self {
            section,
            scale: some_positive(reader, &table, "scale"),
            spread,
            seed: some_count(reader, &table, "seed").unwrap_or(0),
            gravity,
            payload,
            bodies,
            joints,
            effects: Effects::read(reader, &table, section),
        }
    }

    /// The robot that is meant.
    pub(super) fn of(&self, machine: &Robot, notes: &Notes) -> Result<Robot, super::ScenarioError> {
        let place = |key: &str| format!("{}.{key}", self.section);
        let tree = match machine.model() {
            Model::Tree(tree) => &**tree,
            Model::Closed(closed) => closed.tree(),
        };
        let has_platform = machine.platform().is_some();
        let mut known = tree.joint_names().to_vec();
        let unknown =
            |name: &str, known: &[String]| Err(Cause::UnknownJoint { name: name.to_owned(), known: known.to_vec() });
        if let Some((name, _)) = self.joints.iter().find(|(name, _)| !known.contains(name)) {
            return at(notes, &place(&format!("joint.{name}")), unknown(name, &known));
        }
        known.extend(has_platform.then(|| PLATFORM.to_owned()));
        if let Some((name, _)) = self.bodies.iter().find(|(name, _)| !known.contains(name)) {
            return at(notes, &place(&format!("body.{name}")), unknown(name, &known));
        }
        let on = match &self.payload {
            Some((Some(on), _)) if !known.contains(on) => return at(notes, &place("payload.on"), unknown(on, &known)),
            Some((None, _)) if !has_platform => {
                let expected = "the joint whose body carries it";
                return at(notes, &place("payload.on"), Err(Cause::Missing { expected }));
            }
            Some((on, _)) => on.as_deref().unwrap_or(PLATFORM),
            None => "",
        };
        let payload = |name: &str| self.payload.as_ref().filter(|_| on == name).map(|(_, body)| *body);
        let mut factors = self.factors();
        let mut changed = |name: &str, own: BodyDescription| {
            let factor = factors();
            let given = self.bodies.iter().find(|(known, _)| known == name).map(|(_, body)| *body);
            let body = match given {
                Some(Body::Other(other)) => other,
                Some(Body::Scaled(scale)) => own.scaled(scale),
                None => own.scaled(factor),
            };
            payload(name).map_or(body, |payload| body.with(&payload))
        };
        let is_quaternion = |name: &str| {
            let row = tree.joint_names().iter().position(|known| known == name);
            tree.compounds().iter().any(|compound| compound.kind.is_quaternion() && compound.has(row))
        };
        if let Some((name, _)) = self.joints.iter().find(|(name, _)| is_quaternion(name)) {
            let joint = name.clone();
            return at(notes, &place(&format!("joint.{name}")), Err(Cause::EffectsOfQuaternion { joint }));
        }
        let effects = |name: &str, own: JointEffects| {
            if is_quaternion(name) {
                return own;
            }
            let own = self.effects.of(own);
            self.joints.iter().find(|(known, _)| known == name).map_or(own, |(_, effects)| effects.of(own))
        };
        let mut turned = |tree: &Mechanism| {
            let tree = tree.with_bodies(&mut changed).with_effects(effects);
            match self.gravity {
                Some(gravity) => tree.with_gravity(gravity),
                None => tree,
            }
        };
        let changed: Robot = match machine.model() {
            Model::Tree(tree) => at(notes, "robot", turned(tree).coupled())?.into(),
            Model::Closed(closed) => {
                let robot = closed.with_tree(turned);
                with_platform(&robot, changed).into()
            }
        };
        match joint_that_cannot_stick(changed.tree()).map(str::to_owned) {
            Some(joint) => at(notes, &place("friction"), Err(Cause::Sharp { joint })),
            None => Ok(changed),
        }
    }

    /// The factors of all bodies, one after the other.
    fn factors(&self) -> impl FnMut() -> f64 + use<> {
        let (scale, spread) = (self.scale.unwrap_or(1.0), self.spread.unwrap_or(0.0));
        let mut sampler = Sampler::new(u64::from(self.seed));
        move || scale * (1.0 + sampler.within(1.0) * spread)
    }
}

/// The same robot with another platform: what it has more is put on it, or taken off.
fn with_platform(
    robot: &ClosedMechanism,
    mut change: impl FnMut(&str, BodyDescription) -> BodyDescription,
) -> ClosedMechanism {
    let Some(platform) = robot.platform() else { return robot.clone() };
    let own = platform.body();
    robot.with_payload(&change(PLATFORM, own)).with_payload(&own.scaled(-1.0))
}

fn payload(reader: &mut Reader, node: &Node<'_>) -> Option<(Option<String>, BodyDescription)> {
    let table = reader.table(node, &["on", "mass", "com", "inertia"])?;
    let on = reader.get(&table, "on").and_then(|node| reader.text(&node, "the name of a joint").map(Into::into));
    Some((on, checked(reader, node, &table, false)))
}

/// A body that can be.
fn checked(reader: &mut Reader, node: &Node<'_>, table: &Table<'_>, turns: bool) -> BodyDescription {
    let body = sections::body(reader, table, turns);
    let mut problems = Problems::default();
    check_body(&mut problems, &node.place, &body);
    note(reader, problems);
    body
}

/// Notes problems but for NaN and infinite numbers, which were noted when they were read.
fn note(reader: &mut Reader, problems: Problems) {
    let news = problems.into_iter().filter(|problem| !matches!(problem.finding, Finding::NotFinite { .. }));
    reader.notes.add(news.collect());
}

fn body(reader: &mut Reader, node: &Node<'_>) -> Option<Body> {
    let table = reader.table(node, &["scale", "mass", "com", "inertia"])?;
    exclude(reader, &table, "scale", &["mass", "com", "inertia"]);
    match some_positive(reader, &table, "scale") {
        Some(scale) => Some(Body::Scaled(scale)),
        None => Some(Body::Other(checked(reader, node, &table, true))),
    }
}
