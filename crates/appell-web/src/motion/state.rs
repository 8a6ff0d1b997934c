//! A state of a robot in motion: what a plant is made of, and what stays of it.

use crate::place::Place;
use appell::closed::Configuration;
use appell::spatial::Wrench;
use appell::{Model, Robot};
use appell_simulation::simulation::plant::{Closed, ForwardMethod, Generalised, Tree};
use appell_simulation::simulation::{Plant, View};

/// Where a robot is and how it moves.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum State {
    Tree {
        q: Vec<f64>,
        v: Vec<f64>,
    },
    /// With the independent velocities.
    Closed {
        at: Configuration,
        r: Vec<f64>,
    },
}

impl State {
    /// At rest.
    pub(super) fn at_rest(robot: &Robot, place: &Place) -> Self {
        match place {
            Place::Tree(q) => Self::Tree { q: q.clone(), v: vec![0.0; robot.tree().velocities().len()] },
            Place::Closed(at) => Self::Closed { at: at.clone(), r: vec![0.0; robot.freedoms().len()] },
        }
    }

    /// What a plant has come to.
    pub(super) fn of(&self, view: &View<'_>) -> Self {
        match self {
            Self::Tree { .. } => Self::Tree { q: view.q.to_vec(), v: view.v.to_vec() },
            Self::Closed { at, .. } => {
                let pose = view.platform.map_or(at.pose, |(pose, _)| pose);
                Self::Closed { at: Configuration { q: view.q.to_vec(), pose }, r: view.r.to_vec() }
            }
        }
    }

    /// Where it is.
    pub(super) fn place(&self) -> Place {
        match self {
            Self::Tree { q, .. } => Place::Tree(q.clone()),
            Self::Closed { at, .. } => Place::Closed(at.clone()),
        }
    }

    /// A plant in this state, pushed at its platform.
    pub(super) fn plant<'r>(&self, robot: &'r Robot, push: Option<&Wrench>) -> Result<Box<dyn Plant + 'r>, String> {
        match (self, robot.model()) {
            (Self::Tree { q, v }, Model::Tree(tree)) => Ok(match tree.coordinates() {
                None => Box::new(Tree::new(tree, q, v)),
                Some(_) => Box::new(Generalised::new(tree, q, v, ForwardMethod::default())),
            }),
            (Self::Closed { at, r }, Model::Closed(closed)) => {
                let plant = Closed::new(closed, at, r).map_err(|reason| reason.to_string())?;
                Ok(Box::new(match push {
                    Some(wrench) => plant.pushed(wrench),
                    None => plant,
                }))
            }
            _ => Err("the state is one of another robot".into()),
        }
    }

    /// The independent velocities.
    pub(super) fn rates(&self) -> &[f64] {
        match self {
            Self::Tree { v, .. } => v,
            Self::Closed { r, .. } => r,
        }
    }

    /// Numbers that it keeps, for bounds of memory.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Tree { q, v } => q.len() + v.len(),
            Self::Closed { at, r } => at.q.len() + 12 + r.len(),
        }
    }
}
