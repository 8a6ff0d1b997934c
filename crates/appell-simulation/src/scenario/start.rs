//! Where the robot starts: the section `[start]`.

use super::drives;
use super::each::{exclude, pose_numbers, some};
use super::path::pose;
use super::{Cause, Each, Reference, ScenarioError, at};
use crate::control::Wanted;
use crate::simulation::plant::{Closed, ForwardMethod, Generalised, Tree};
use crate::simulation::{Plant, Watched};
use crate::trajectory::FrameMotion;
use appell::closed::formulation::Formulation;
use appell::closed::{ClosedMechanism, Configuration};
use appell::description::notes::Notes;
use appell::description::toml::reader::{Reader, Table};
use appell::question::closed::{Found, Motion};
use appell::spatial::Pose;
use appell::{Model, Robot};

/// Positions and velocities, as far as they are said.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Start {
    q: Option<Each>,
    v: Option<Each>,
    pose: Option<Vec<f64>>,
}

/// What is said of a start: positions of the drives, the pose of the platform.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Known {
    pub(super) drives: Option<Vec<f64>>,
    pub(super) pose: Option<Pose>,
}

/// A robot's state: of all joints of a tree, or of a configuration.
pub(super) enum State {
    Tree { q: Vec<f64>, v: Vec<f64> },
    Closed { at: Box<Configuration>, r: Vec<f64> },
}

impl Start {
    pub(super) fn read(reader: &mut Reader, file: &Table<'_>) -> Self {
        let Some(table) = reader.get(file, "start").and_then(|node| reader.table(&node, &["q", "v", "pose"])) else {
            return Self::default();
        };
        exclude(reader, &table, "pose", &["q", "v"]);
        Self {
            q: Each::read_positions(reader, &table, "q"),
            v: Each::read(reader, &table, "v"),
            pose: some(reader, &table, "pose", pose_numbers),
        }
    }

    /// What is said of where the robot begins.
    pub(super) fn known(&self, machine: &Robot, notes: &Notes) -> Result<Known, ScenarioError> {
        let drives = self.q.as_ref().map(|q| at(notes, "start.q", q.positions(&drives::positions(machine))));
        let drives = drives.transpose()?;
        if let (Some(q), Some(own)) = (&drives, machine.tree().coordinates()) {
            at(notes, "start.q", own.check(q))?;
        }
        let pose = match (machine.model(), &drives, &self.pose) {
            (Model::Closed(closed), _, Some(numbers)) => {
                Some(at(notes, "start.pose", pose(numbers, closed.home().pose.rotation))?)
            }
            (Model::Closed(closed), Some(q), None) if closed.platform().is_some() => {
                let mut found = Found::new(closed, Formulation::of(closed)[0]);
                let v = vec![0.0; q.len()];
                at(notes, "start.q", found.find(closed, &appell::State::joints(q, &v, &[]), true, false))?;
                Some(found.moved.at.pose)
            }
            _ => None,
        };
        Ok(Known { drives, pose })
    }

    /// The state; what is not said is that of the reference at its beginning.
    pub(super) fn state(
        &self,
        machine: &Robot,
        reference: Option<&Reference>,
        notes: &Notes,
    ) -> Result<State, ScenarioError> {
        let known = self.known(machine, notes)?;
        let given = known.drives.clone();
        let names = drives::names(machine);
        let velocities = |v: Option<Vec<f64>>| match &self.v {
            Some(each) => at(notes, "start.v", each.of(&names, Some(0.0))),
            None => Ok(v.unwrap_or(vec![0.0; names.len()])),
        };
        if let (Some(_), Model::Tree(tree)) = (&self.pose, machine.model()) {
            let (robot, remedy) = (tree.name().to_owned(), "give `q`, the positions of its joints");
            return at(notes, "start.pose", Err(Cause::NotForThis { of: "robots with a platform", robot, remedy }));
        }
        let on_reference = reference.filter(|_| given.is_none() && self.pose.is_none());
        let begin = match on_reference {
            Some(reference) => Some(at(notes, "reference", first(reference, machine, &known))?),
            None => None,
        };
        match machine.model() {
            Model::Tree(_) => {
                let (q, v) = begin.unzip();
                Ok(State::Tree { q: given.or(q).unwrap_or_else(|| machine.neutral()), v: velocities(v)? })
            }
            Model::Closed(closed) => {
                let mut found = Found::new(closed, Formulation::of(closed)[0]);
                let mut find = |state: &appell::State<'_>| found.find(closed, state, true, false).map_err(Cause::from);
                let path = on_reference.filter(|reference| reference.is_of_frame() && self.v.is_none());
                let result = if let Some(reference) = path {
                    of_path(reference, closed, &known)
                        .and_then(|motion| find(&appell::State { motion, ..Default::default() }))
                } else if let (Some(_), Some(pose)) = (&self.pose, known.pose) {
                    find(&appell::State { motion: Motion::at_rest(pose), ..Default::default() })
                } else {
                    let (q, v) = begin.unzip();
                    let q = drives::start(machine, given.or(q).as_deref());
                    let v = velocities(v)?;
                    find(&appell::State::joints(&q, &v, &[]))
                };
                let place = match (&self.pose, &self.q) {
                    (Some(_), _) => "start.pose",
                    (None, Some(_)) => "start.q",
                    (None, None) => "start",
                };
                at(notes, place, result)?;
                Ok(State::Closed { at: Box::new(found.moved.at), r: found.moved.r })
            }
        }
    }
}

/// Positions and velocities of the drives at the beginning of a reference.
fn first(reference: &Reference, machine: &Robot, known: &Known) -> Result<(Vec<f64>, Vec<f64>), Cause> {
    let mut wanted = Wanted::new(reference.joints(machine, known)?);
    wanted.find(0.0)?;
    Ok((wanted.q, wanted.v))
}

/// The beginning of a platform's path.
fn of_path(reference: &Reference, robot: &ClosedMechanism, known: &Known) -> Result<Motion<'static>, Cause> {
    let FrameMotion { pose, twist, .. } = reference.platform(robot, known)?.at(0.0)?;
    let dof = robot.tree().dof();
    let is_free = |k: usize| robot.freedoms().contains(&(dof + k));
    let part = core::array::from_fn(|k| is_free(k).then(|| twist.to_array()[k]));
    Ok(Motion::Platform { pose, twist: part, acceleration: [None; 6] })
}

impl State {
    /// The plant in this state.
    pub(super) fn plant<'r>(&self, machine: &'r Robot) -> Result<Box<dyn Plant + 'r>, Cause> {
        match (self, machine.model()) {
            (Self::Tree { q, v }, Model::Tree(tree)) => Ok(match tree.coordinates() {
                None => Box::new(Tree::new(tree, q, v)),
                Some(_) => Box::new(Generalised::new(tree, q, v, ForwardMethod::default())),
            }),
            (Self::Closed { at, r }, Model::Closed(closed)) => Ok(Box::new(Closed::new(closed, at, r)?)),
            _ => unreachable!("a state of this robot"),
        }
    }

    /// Refuses a start beyond a limit that is watched.
    pub(super) fn check(&self, machine: &Robot, watched: Watched) -> Result<(), Cause> {
        let q = match self {
            Self::Tree { q, .. } => q,
            Self::Closed { at, .. } => &at.q,
        };
        let tree = machine.tree();
        for (k, joint) in tree.velocities().iter().enumerate() {
            let (row, place) = match tree.coordinates() {
                None => (k, Some(k)),
                Some(own) => (own.of_velocities()[k], own.position_of(k)),
            };
            let (limits, Some(value)) = (tree.limits()[row], place.map(|place| q[place])) else { continue };
            let beyond = [(value < limits.lower, "lower", limits.lower), (value > limits.upper, "upper", limits.upper)];
            if let Some((_, which, limit)) = beyond.into_iter().find(|(is, ..)| *is && watched.position) {
                return Err(Cause::Start { joint: joint.clone(), value, which, limit });
            }
        }
        Ok(())
    }
}
