//! Tables of states: joint positions, velocities, accelerations and forces, and wrenches from outside.

use super::header::{Vocabulary, range};
use super::reader::{Reader, Track};
use super::{StatesTable, Table};
use appell::description::JointKind;
use appell::dynamics::coupling::Coupling;
use appell::dynamics::reactions::ExternalWrench;
use appell::mechanism::Mechanism;
use appell::question::{Input, Question, State};
use appell::spatial::Wrench;
use appell_drawing::listing::{clip, list};
use std::collections::HashMap;
use std::path::Path;

/// A table of states under reading, with the row read last.
pub(crate) struct StateTable {
    reader: Reader<Quantity>,
    time: Option<f64>,             // if there is a column for it
    vectors: [Vec<f64>; 5],        // as in Input::ALL; zeros where the question does not read
    external: Vec<ExternalWrench>, // one a frame that has columns for it
}

/// What a column can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Quantity {
    /// `t`, which only passes through.
    Time,
    /// A number of a joint: `input` counts in [`Input::ALL`].
    OfJoint { input: usize, joint: usize },
    /// A part of an external wrench: force x, y, z, then moment x, y, z.
    OnFrame { frame: usize, part: usize },
}

/// The parts of a wrench, as columns name them.
pub(super) const WRENCH: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];

/// A part of a wrench, in the order of [`WRENCH`].
pub(super) fn part_of(wrench: &mut Wrench, part: usize) -> &mut f64 {
    let Wrench { force, moment } = wrench;
    [&mut force.x, &mut force.y, &mut force.z, &mut moment.x, &mut moment.y, &mut moment.z]
        .into_iter()
        .nth(part)
        .expect("a wrench has six parts")
}

impl StateTable {
    /// Opens a table of states of a robot for a question; `-` is stdin. A coupled robot needs its leaders alone.
    pub(crate) fn open(
        path: &Path,
        robot: &Mechanism,
        question: Question,
        coupling: Option<&Coupling>,
    ) -> anyhow::Result<Self> {
        let reader = Reader::open(path, |_| vocabulary(robot, question, coupling))?;
        let time = reader.has(Quantity::Time).then_some(0.0);
        let has_wrench = |&frame: &usize| (0..WRENCH.len()).any(|part| reader.has(Quantity::OnFrame { frame, part }));
        let external = (0..robot.frames().len())
            .filter(|frame| question.takes_wrenches() && has_wrench(frame))
            .map(|frame| ExternalWrench { frame, wrench: Wrench::zero(0.0) })
            .collect();
        Ok(Self { reader, time, vectors: std::array::from_fn(|_| vec![0.0; robot.dof()]), external })
    }

    /// Whether it has columns of external wrenches that the question takes.
    pub(crate) fn has_wrenches(&self) -> bool {
        !self.external.is_empty()
    }

    /// Whether joints go by their names.
    pub(crate) fn is_named(&self) -> bool {
        self.reader.is_named(|quantity| matches!(quantity, Quantity::OfJoint { .. }))
    }
}

impl StatesTable for StateTable {
    fn state(&self) -> anyhow::Result<State<'_>> {
        let [q, v, a, tau, w] = &self.vectors;
        Ok(State { q, v, a, tau, w, external: &self.external, ..State::default() })
    }
}

impl Table for StateTable {
    fn track(&self) -> &Track {
        self.reader.track()
    }

    fn time(&self) -> Option<f64> {
        self.time
    }

    fn advance(&mut self) -> anyhow::Result<bool> {
        self.reader.advance(|quantity, value| match quantity {
            Quantity::Time => self.time = Some(value),
            Quantity::OfJoint { input, joint } => self.vectors[input][joint] = value,
            Quantity::OnFrame { frame, part } => {
                let there = self.external.iter_mut().filter(|there| there.frame == frame);
                there.for_each(|there| *part_of(&mut there.wrench, part) = value);
            }
        })
    }
}

/// The columns of a table for a question; a quantity of a joint goes by its number, `q3`, or its name, `q.elbow`.
fn vocabulary(robot: &Mechanism, question: Question, coupling: Option<&Coupling>) -> Vocabulary<Quantity> {
    let leads = |joint: &usize| coupling.is_none_or(|coupling| coupling.independent().binary_search(joint).is_ok());
    let mut known = HashMap::from([("t".to_owned(), Quantity::Time)]);
    let (mut needed, mut reads, mut accepts) = (Vec::new(), Vec::new(), Vec::new());
    for (input, vector) in Input::ALL.into_iter().enumerate() {
        let of_joint = |joint| Quantity::OfJoint { input, joint };
        let names = numbered(vector.symbol(), robot);
        known.extend(names.iter().cloned().enumerate().map(|(joint, name)| (name, of_joint(joint))));
        let named = robot.joint_names().iter().enumerate();
        known.extend(named.map(|(joint, name)| (format!("{}.{name}", vector.symbol()), of_joint(joint))));
        let all = range(&names.iter().map(String::as_str).collect::<Vec<_>>());
        if question.reads(vector) {
            let leaders = names.into_iter().enumerate().filter(|(joint, _)| leads(joint));
            needed.push(leaders.map(|(joint, name)| (name, of_joint(joint))).collect());
            reads.push(all);
        } else {
            accepts.push(all);
        }
    }
    let mut optional = vec![Quantity::Time];
    // The derivatives of forces would change with wrenches, and do not know how: such columns are refused there.
    let is_derivative = matches!(question, Question::InverseDynamicsDerivatives | Question::ForwardDynamicsDerivatives);
    for (frame, name) in robot.frames().iter().map(|frame| &frame.name).enumerate().filter(|_| !is_derivative) {
        for (part, symbol) in WRENCH.iter().enumerate() {
            let quantity = Quantity::OnFrame { frame, part };
            known.insert(format!("{name}.{symbol}"), quantity);
            if question.takes_wrenches() {
                optional.push(quantity);
            }
        }
    }
    let hint = format!(
        "{} of {} reads {}, and accepts {}, t, and wrenches as in {}.fx … mz; a joint may go by its name, as in q.{}; joints are {}",
        question.name(),
        robot.name(),
        reads.join(", "),
        accepts.join(", "),
        clip(&robot.frames()[robot.frames().len() - 1].name),
        clip(&robot.joint_names()[0]),
        list(robot.joint_names()),
    );
    let turning = robot.links().iter().enumerate().filter(|(_, link)| link.joint == JointKind::Revolute);
    let angles = turning.map(|(joint, _)| Quantity::OfJoint { input: 0, joint }).collect(); // input 0: positions
    Vocabulary { known, needed, optional, angles, hint }
}

/// `q1`, `q2`, …
pub(super) fn numbered(symbol: &str, robot: &Mechanism) -> Vec<String> {
    (1..=robot.dof()).map(|j| format!("{symbol}{j}")).collect()
}
