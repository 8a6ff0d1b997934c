//! How the true robot differs from its file, and how the one does that the law knows: a payload at the output, friction and springs at the
//! drives. What is said here in numbers a scenario says in words: `[plant]` and `[model]`.

use super::options::Options;
use crate::place::{Held, Place};
use appell::description::{BodyDescription, JointEffects, PLATFORM, Spring};
use appell::mechanism::Mechanism;
use appell::spatial::{Sym3, Vec3};
use appell::{Model, Robot};
use appell_simulation::simulation::plant::joint_that_cannot_stick;

/// A mass at the output.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Payload {
    /// The joint whose body carries it, or the platform.
    pub(super) on: String,
    /// In that body's frame.
    pub(super) body: BodyDescription,
}

impl Payload {
    /// A mass at a point of the robot, if there is one.
    pub(super) fn new(robot: &Robot, held: Held, mass: f64) -> Result<Option<Self>, String> {
        if mass == 0.0 {
            return Ok(None);
        }
        let point = |com| BodyDescription { mass, com, inertia: Sym3::zero(0.0) };
        let tree = robot.tree();
        match held {
            Held::Platform => Ok(Some(Self { on: PLATFORM.into(), body: point(Vec3::zero(0.0)) })),
            Held::Frame(frame) => {
                let frame = &tree.frames()[frame];
                let fixed = || format!("{} does not move: it carries no payload; choose another output", frame.name);
                let joint = frame.body.ok_or_else(fixed)?;
                // A body is described in the frame of its joint's name.
                let own_from_body = tree.frames()[joint].body_from_frame.inverse();
                let com = (own_from_body * frame.body_from_frame).position;
                Ok(Some(Self { on: tree.joint_names()[joint].clone(), body: point(com) }))
            }
        }
    }

    fn put_on(&self, robot: &Robot) -> Robot {
        let loaded =
            |tree: &Mechanism| tree.with_bodies(|name, own| if name == self.on { own.with(&self.body) } else { own });
        match robot.model() {
            Model::Tree(tree) => loaded(tree).into(),
            Model::Closed(closed) if self.on == PLATFORM => closed.with_payload(&self.body).into(),
            Model::Closed(closed) => closed.with_tree(loaded).into(),
        }
    }
}

/// Effects of the joints that are other than in the robot's file, by the joints' names.
pub(super) fn effects(robot: &Robot, start: &Place, options: &Options) -> Vec<(String, JointEffects)> {
    if [options.viscous, options.coulomb, options.spring] == [0.0; 3] {
        return Vec::new();
    }
    let (tree, rows) = (robot.tree(), start.rows(robot));
    let changed = |row: usize| {
        let mut own = tree.effects()[row];
        if own.friction.coulomb == 0.0 && own.friction.curve.is_none() {
            own.friction.smoothing = 0.0;
        }
        own.friction.viscous += options.viscous;
        own.friction.coulomb += options.coulomb;
        let stiffness = own.spring.stiffness + options.spring;
        if options.spring > 0.0 {
            let rest = (own.spring.stiffness * own.spring.rest + options.spring * rows[row]) / stiffness;
            own.spring = Spring { stiffness, rest };
        }
        (tree.joint_names()[row].clone(), own)
    };
    driven_rows(robot).into_iter().map(changed).collect()
}

/// The rows of the tree that torques and forces act on, but for quaternions.
pub(super) fn driven_rows(robot: &Robot) -> Vec<usize> {
    let tree = robot.tree();
    match (robot.closed(), tree.coordinates()) {
        (Some(closed), _) => closed.driven().to_vec(),
        (None, None) => (0..tree.dof()).collect(),
        (None, Some(own)) => {
            let number = |(k, &row): (usize, &usize)| own.position_of(k).map(|_| row);
            own.of_velocities().iter().enumerate().filter_map(number).collect()
        }
    }
}

/// The true robot, and the one that the law knows.
pub(super) fn robots(robot: &Robot, held: Held, start: &Place, options: &Options) -> Result<[Robot; 2], String> {
    let payload = Payload::new(robot, held, options.payload)?;
    let loaded = payload.map_or_else(|| robot.clone(), |payload| payload.put_on(robot));
    let effects = effects(robot, start, options);
    let find = |name: &str| effects.iter().find(|(known, _)| known == name).map(|(_, effects)| *effects);
    let changed = |tree: &Mechanism| tree.with_effects(|name, own| find(name).unwrap_or(own));
    let truth: Robot = match loaded.model() {
        _ if effects.is_empty() => loaded.clone(),
        Model::Tree(tree) => changed(tree).into(),
        Model::Closed(closed) => closed.with_tree(changed).into(),
    };
    if let Some(joint) = joint_that_cannot_stick(truth.tree()) {
        return Err(format!(
            "joint {joint} cannot stick by dry friction: several velocities move it; take viscous friction"
        ));
    }
    let model = if options.law_knows_payload { loaded } else { robot.clone() };
    Ok([truth, model])
}
