//! Where a robot on the bench is, and which number of `q` belongs to which row of its tree.

use appell::closed::Configuration;
use appell::description::PLATFORM;
use appell::kinematics;
use appell::mechanism::Mechanism;
use appell::spatial::Pose;
use appell::{Model, Robot};
use std::borrow::Cow;

/// Where a robot is.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// The positions of a tree, as its user counts them: quaternions have four numbers.
    Tree(Vec<f64>),
    /// An assembled configuration of a robot with loops.
    Closed(Configuration),
}

/// What the hand holds and answers are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// A frame of the tree, by its index.
    Frame(usize),
    /// The platform.
    Platform,
}

impl Place {
    /// Where a robot begins: a tree at zero, or as near to it as its limits permit; one with loops as its file says.
    #[must_use]
    pub fn home(robot: &Robot) -> Self {
        match robot.model() {
            Model::Closed(closed) => Self::Closed(closed.home().clone()),
            Model::Tree(tree) => {
                let mut q = robot.neutral();
                for (row, position) in positions_of_rows(tree).into_iter().enumerate() {
                    let limits = tree.limits()[row];
                    if let Some(own) = position.filter(|_| limits.lower <= limits.upper).map(|k| &mut q[k]) {
                        *own = own.clamp(limits.lower, limits.upper);
                    }
                }
                Self::Tree(q)
            }
        }
    }

    /// All positions.
    #[must_use]
    pub fn q(&self) -> &[f64] {
        match self {
            Self::Tree(q) => q,
            Self::Closed(at) => &at.q,
        }
    }

    /// The configuration of a robot with loops.
    #[must_use]
    pub fn configuration(&self) -> Option<&Configuration> {
        match self {
            Self::Tree(_) => None,
            Self::Closed(at) => Some(at),
        }
    }

    /// Positions of the rows of the robot's tree.
    #[must_use]
    pub fn rows(&self, robot: &Robot) -> Cow<'_, [f64]> {
        match (self, robot.tree().coordinates()) {
            (Self::Tree(q), Some(own)) if !q.is_empty() => {
                let mut rows = vec![0.0; robot.tree().dof()];
                own.anchor(q, &mut rows);
                Cow::Owned(rows)
            }
            _ => Cow::Borrowed(self.q()),
        }
    }

    /// The poses of all frames of the tree.
    #[must_use]
    pub fn frames(&self, robot: &Robot) -> Vec<Pose> {
        let mut workspace = kinematics::Workspace::new(robot.tree());
        kinematics::positions(robot.tree(), &mut workspace, &self.rows(robot)).to_vec()
    }

    /// The pose of a frame or of the platform.
    #[must_use]
    pub fn pose(&self, robot: &Robot, held: Held) -> Pose {
        match (held, self) {
            (Held::Platform, Self::Closed(at)) => at.pose,
            (Held::Platform, Self::Tree(_)) => Pose::identity(0.0),
            (Held::Frame(frame), _) => {
                let mut workspace = kinematics::Workspace::new(robot.tree());
                workspace.sweep_at_rest(robot.tree(), &self.rows(robot));
                workspace.base_from_frame(robot.tree(), frame, 0.0)
            }
        }
    }
}

impl Held {
    /// What is held at first: the platform, or the last frame.
    #[must_use]
    pub fn of(robot: &Robot) -> Self {
        match robot.platform() {
            Some(_) => Self::Platform,
            None => Self::Frame(robot.tree().last_frame()),
        }
    }

    /// A frame by its name, or the platform.
    #[must_use]
    pub fn find(robot: &Robot, name: &str) -> Option<Self> {
        if name == PLATFORM && robot.platform().is_some() {
            return Some(Self::Platform);
        }
        robot.tree().frame(name).map(Self::Frame)
    }

    /// Its name.
    #[must_use]
    pub fn name(self, robot: &Robot) -> String {
        match self {
            // An output that a file names keeps its name.
            Self::Platform => {
                let output = robot.file().and_then(|file| file.description.output.clone());
                output.unwrap_or_else(|| PLATFORM.to_owned())
            }
            Self::Frame(frame) => robot.tree().frames()[frame].name.clone(),
        }
    }
}

/// The place among the positions of each row of a tree that is one of them: not of quaternions and of joints that follow others.
#[must_use]
pub fn positions_of_rows(tree: &Mechanism) -> Vec<Option<usize>> {
    let Some(own) = tree.coordinates() else { return (0..tree.dof()).map(Some).collect() };
    let mut places = vec![None; tree.dof()];
    for (velocity, &row) in own.of_velocities().iter().enumerate() {
        places[row] = own.position_of(velocity);
    }
    places
}

/// The place among the positions of each drive, in the order of `tau`; of a quaternion its first number.
#[must_use]
pub fn positions_of_drives(robot: &Robot) -> Vec<usize> {
    let tree = robot.tree();
    match (robot.closed(), tree.coordinates()) {
        (Some(closed), _) => closed.driven().to_vec(),
        (None, None) => (0..tree.dof()).collect(),
        (None, Some(own)) => {
            let of = |velocity: usize| {
                own.position_of(velocity).unwrap_or_else(|| {
                    let joint = own.velocities()[velocity].rsplit_once('.').map_or("", |(joint, _)| joint);
                    let is_part = |name: &String| name.rsplit_once('.').is_some_and(|(own, _)| own == joint);
                    own.positions().iter().position(is_part).unwrap_or_default()
                })
            };
            (0..own.velocities().len()).map(of).collect()
        }
    }
}
