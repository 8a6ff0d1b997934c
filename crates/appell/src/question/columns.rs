//! The names of the numbers that a question answers, made from its row of the table and the sizes of a robot.

use super::Question;
use crate::closed;
use crate::description::BASE;
use crate::dynamics::regressor;
use crate::{Model, Robot};

/// Components of a twist.
pub(super) const TWIST: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];

/// The columns of an answer.
#[derive(Debug, Clone, Copy)]
pub enum Columns {
    /// Of every robot.
    Of(&'static [Part]),
    /// Of open robots, and of those with closed loops.
    OpenAndClosed(&'static [Part], &'static [Part]),
}

/// Some columns of an answer.
#[derive(Debug, Clone, Copy)]
pub enum Part {
    /// `tau1 tau2 …`
    Vector(&'static str, Size),
    /// `M11 M12 …`, row by row.
    Matrix(&'static str, Size, Size),
    /// `dtau1_dq1 …`: all of them by the first vector, then by the next.
    Derivatives(&'static str, Size, &'static [(&'static str, Size)]),
    /// These words.
    Words(&'static [&'static str]),
    /// These words, if the robot has a platform.
    OfPlatform(&'static [&'static str]),
    /// `FRAME.x …` of every frame, the platform last.
    OfFrames(&'static [&'static str]),
    /// `q.JOINT …` of every joint, loops open.
    OfJoints(&'static [&'static str]),
    /// `JOINT.fx …` of every joint; of robots with closed loops also of closing joints and of the base.
    OfReactions(&'static [&'static str]),
}

/// An array of numbers that are together in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    /// `tau`, `M`, `dtau_dq`; of words what they are together, `pose`, or the question.
    pub name: String,
    /// Its sizes; numbers are row by row.
    pub shape: Vec<usize>,
}

/// How many rows or columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// As many.
    Of(usize),
    /// One per drive; every joint of an open robot counts as one.
    Drives,
    /// One per independent velocity; one per joint of an open robot.
    Freedoms,
    /// One per motor: of the transmissions, and of all joints that are their own.
    Motors,
    /// One per parameter of the regressor.
    Parameters,
}

impl Size {
    fn of(self, robot: &Robot) -> usize {
        match (self, robot.model()) {
            (Self::Of(size), _) => size,
            (Self::Drives | Self::Freedoms, Model::Tree(tree)) => tree.velocities().len(),
            (Self::Motors, _) => robot.tree().motors().names().len(),
            (Self::Parameters, Model::Tree(tree)) => regressor::columns(tree) / tree.dof() * tree.shown().len(),
            (Self::Drives, Model::Closed(robot)) => robot.driven().len(),
            (Self::Freedoms, Model::Closed(robot)) => robot.freedoms().len(),
            (Self::Parameters, Model::Closed(robot)) => closed::regressor::columns(robot),
        }
    }

    /// What follows a symbol: numbers from 1 on, or a dot and the names of what is counted. Parameters have no names here.
    fn labels(self, robot: &Robot, named: bool) -> Vec<String> {
        match self {
            Self::Drives if named => robot.drives().iter().map(|joint| format!(".{}", joint.name)).collect(),
            Self::Motors if named => robot.tree().motors().names().iter().map(|name| format!(".{name}")).collect(),
            Self::Freedoms if named => robot.freedoms().iter().map(|name| format!(".{name}")).collect(),
            Self::Of(6) if named => TWIST.map(|part| format!(".{part}")).to_vec(),
            Self::Of(3) if named => ["x", "y", "z"].map(|axis| format!(".{axis}")).to_vec(),
            _ if named => (1..=self.of(robot)).map(|k| format!(".{k}")).collect(),
            _ => (1..=self.of(robot)).map(|k| k.to_string()).collect(),
        }
    }
}

impl Question {
    /// The names of the numbers it answers of a robot: `tau2`, `M12`.
    #[must_use]
    pub fn columns(self, robot: &Robot) -> Vec<String> {
        self.parts(robot).iter().flat_map(|part| part.names(robot, false)).collect()
    }

    /// The same by the names of joints and independent velocities: `tau.elbow` for `tau2`, `M.shoulder.elbow` for
    /// `M12`, `dtau.shoulder_dq.elbow` for `dtau1_dq2`, `J.vx.elbow` for `J12`. Columns that carry names already stay.
    #[must_use]
    pub fn named_columns(self, robot: &Robot) -> Vec<String> {
        self.parts(robot).iter().flat_map(|part| part.names(robot, true)).collect()
    }

    /// The arrays that its answer is made of, one after the other: the numbers of [`Question::columns`] by their sizes.
    #[must_use]
    pub fn arrays(self, robot: &Robot) -> Vec<Array> {
        self.parts(robot).iter().flat_map(|part| part.arrays(robot, self)).collect()
    }

    fn parts(self, robot: &Robot) -> &'static [Part] {
        match self.row().columns {
            Columns::Of(parts) => parts,
            Columns::OpenAndClosed(open, _) if robot.closed().is_none() => open,
            Columns::OpenAndClosed(_, closed) => closed,
        }
    }
}

impl Part {
    fn arrays(self, robot: &Robot, question: Question) -> Vec<Array> {
        let array = |name: &str, shape: &[usize]| Array { name: name.replace('-', "_"), shape: shape.to_vec() };
        let per_word = |words: usize| [self.names(robot, false).len() / words, words];
        match self {
            Self::Vector(symbol, size) => vec![array(symbol, &[size.of(robot)])],
            Self::Matrix(symbol, rows, columns) => vec![array(symbol, &[rows.of(robot), columns.of(robot)])],
            Self::Derivatives(of, rows, by) => {
                let one = |&(by, columns): &(&str, Size)| {
                    array(&format!("d{of}_d{by}"), &[rows.of(robot), columns.of(robot)])
                };
                by.iter().map(one).collect()
            }
            Self::Words(words) | Self::OfPlatform(words) => {
                let name = match words[0] {
                    "px" => "pose",
                    "vx" => "twist",
                    "ax" => "acceleration",
                    _ => question.name(),
                };
                let size = self.names(robot, false).len();
                if size == 0 { Vec::new() } else { vec![array(name, &[size])] }
            }
            Self::OfFrames(words) | Self::OfReactions(words) => vec![array(question.name(), &per_word(words.len()))],
            Self::OfJoints(symbols) => symbols.iter().map(|symbol| array(symbol, &[robot.joints().len()])).collect(),
        }
    }

    fn names(self, robot: &Robot, named: bool) -> Vec<String> {
        let of_each = |names: Vec<&str>, words: &[&str]| -> Vec<String> {
            names.iter().flat_map(|name| words.iter().map(move |word| format!("{name}.{word}"))).collect()
        };
        match self {
            Self::Vector(symbol, size) => {
                size.labels(robot, named).iter().map(|label| format!("{symbol}{label}")).collect()
            }
            Self::Matrix(symbol, rows, columns) => {
                let columns = columns.labels(robot, named);
                // Past nine columns `M111` would be two entries: set the numbers apart.
                let apart = if columns.len() > 9 && !named { "_" } else { "" };
                let row = |i: &String| columns.iter().map(|j| format!("{symbol}{i}{apart}{j}")).collect::<Vec<_>>();
                rows.labels(robot, named).iter().flat_map(row).collect()
            }
            Self::Derivatives(of, rows, by) => {
                let rows = rows.labels(robot, named);
                let entries = |&(by, columns): &(&'static str, Size)| -> Vec<String> {
                    let columns = columns.labels(robot, named);
                    let row = |i: &String| columns.iter().map(|j| format!("d{of}{i}_d{by}{j}")).collect::<Vec<_>>();
                    rows.iter().flat_map(row).collect()
                };
                by.iter().flat_map(entries).collect()
            }
            Self::Words(words) => words.iter().map(|&word| word.to_owned()).collect(),
            Self::OfPlatform(words) => {
                let words = if robot.platform().is_some() { words } else { &[] };
                words.iter().map(|&word| word.to_owned()).collect()
            }
            Self::OfFrames(words) => of_each(robot.frames(), words),
            Self::OfJoints(symbols) => {
                let names =
                    |symbol: &&str| robot.joints().map(|joint| format!("{symbol}.{}", joint.name)).collect::<Vec<_>>();
                symbols.iter().flat_map(names).collect()
            }
            Self::OfReactions(words) => {
                let tree = robot.tree();
                let mut names: Vec<&str> = tree.shown().map(|j| tree.joint_names()[j].as_str()).collect();
                if let Some(closed) = robot.closed() {
                    names.extend(closed.closures().iter().map(|closure| closure.name.as_str()).chain([BASE]));
                }
                of_each(names, words)
            }
        }
    }
}
