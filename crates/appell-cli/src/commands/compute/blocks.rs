//! Tables in blocks of rows: computed in lanes and on all cores, written in their order.

use super::Rows;
use super::modes::Undecided;
use super::nearness::Nearness;
use crate::place::quaternion;
use crate::table::StateTable;
use anyhow::Context;
use appell::question::AnswerError;
use appell::question::{Motion, State};
use appell_batch::{Batch, BatchError, Motions, States};
use appell_device::{DeviceBatch, DeviceError};

/// Rows of a block, of one that goes to a device and back, where their answers are not too many numbers together.
const ROWS: usize = 4096;
const ROWS_THERE: usize = 1 << 17;
const MOST_NUMBERS: usize = 1 << 22;

/// Who answers.
pub(super) enum Worker<'b> {
    Library(&'b Batch),
    Device(&'b mut DeviceBatch),
}

/// Why a block has no answers.
enum Fault {
    /// One of its states has none.
    State(AnswerError),
    /// Nobody answers.
    Device(DeviceError),
}

impl Worker<'_> {
    fn robot(&self) -> &appell::Robot {
        match self {
            Self::Library(batch) => batch.robot(),
            Self::Device(batch) => batch.robot(),
        }
    }

    fn columns(&self) -> usize {
        match self {
            Self::Library(batch) => batch.columns(),
            Self::Device(batch) => batch.columns(),
        }
    }

    /// The states whose assembly could not be decided; generated code reads poses alone.
    fn undecided(&self) -> Vec<usize> {
        match self {
            Self::Library(batch) => batch.undecided(),
            Self::Device(_) => Vec::new(),
        }
    }

    fn evaluate(&mut self, states: &States<'_>, answers: &mut [f64]) -> Result<(), Fault> {
        match self {
            Self::Library(batch) => {
                batch.evaluate(states, answers).map_err(|BatchError { source, .. }| Fault::State(source))
            }
            Self::Device(batch) => batch.evaluate(states, answers).map_err(|error| match error {
                DeviceError::State(BatchError { source, .. }) => Fault::State(source),
                other => Fault::Device(other),
            }),
        }
    }
}

/// Answers every row of a table that has no wrenches from outside; each begins at home.
pub(super) fn answer(
    mut worker: Worker<'_>,
    table: &mut StateTable,
    mut nearness: Option<&mut Nearness>,
    undecided: &mut Undecided,
    answers: &mut Rows<'_>,
) -> anyhow::Result<()> {
    let columns = worker.columns();
    let most = if matches!(worker, Worker::Library(_)) { ROWS } else { ROWS_THERE };
    let rows = (MOST_NUMBERS / columns.max(1)).clamp(64, most);
    let mut block = Block::new(worker.robot(), table.gives_platform());
    let (mut found, mut answer) = (Vec::new(), vec![0.0; columns]);
    while block.read(table, rows)? {
        let count = block.lines.len();
        found.resize(columns * count, 0.0);
        let vectors = block.in_arrays();
        let states = block.states(count, &vectors);
        if let Some(nearness) = &mut nearness {
            nearness.look_at(&states, &block.lines);
        }
        let answered = match worker.evaluate(&states, &mut found) {
            Err(Fault::Device(error)) if error.of_state().is_none() => return Err(error.into()),
            other => other,
        };
        if answered.is_ok() {
            worker.undecided().into_iter().for_each(|state| undecided.look(true, block.lines[state]));
        }
        for i in 0..count {
            let one = if answered.is_ok() {
                answer.iter_mut().enumerate().for_each(|(c, number)| *number = found[c * count + i]);
                Ok(())
            } else {
                // Some state has no answer: one by one it is found which.
                worker.evaluate(&block.states(1, &block.row(i)), &mut answer)
            };
            let said = |fault| match fault {
                Fault::State(error) => anyhow::Error::from(error),
                Fault::Device(error) => error.into(),
            };
            one.map_err(said)
                .and_then(|()| answers.write(block.times.get(i).copied(), &answer, &[]))
                .with_context(|| format!("{}: line {}", table.reader.name(), block.lines[i]))?;
        }
        answers.answers.reach(table.reader.done());
    }
    Ok(())
}

/// The rows of a block: what was read of each, and where it stood.
struct Block {
    lines: Vec<u64>,
    times: Vec<f64>,
    of_platform: bool, // whether the table gives the platform's motion
    /// How many numbers each vector of a state has: q, v, a, tau and w, or pose, twist, acceleration, tau and w.
    widths: [usize; 5],
    vectors: [Vec<f64>; 5], // row by row, as they come
}

impl Block {
    fn new(robot: &appell::Robot, of_platform: bool) -> Self {
        let [positions, n] = [robot.positions().len(), robot.drives().len()];
        let widths = if of_platform { [7, 6, 6, n, n] } else { [positions, n, n, n, n] };
        Self { lines: Vec::new(), times: Vec::new(), of_platform, widths, vectors: Default::default() }
    }

    /// Reads as many rows as there are, at most so many; whether there were some.
    fn read(&mut self, table: &mut StateTable, rows: usize) -> anyhow::Result<bool> {
        self.lines.clear();
        self.times.clear();
        self.vectors.iter_mut().for_each(Vec::clear);
        while self.lines.len() < rows && table.advance()? {
            self.add(&table.state().with_context(|| table.reader.place())?);
            self.lines.push(table.reader.line());
            self.times.extend(table.time);
        }
        Ok(!self.lines.is_empty())
    }

    fn add(&mut self, state: &State<'_>) {
        let [one, two, three, tau, w] = &mut self.vectors;
        match state.motion {
            Motion::Platform { pose, twist, acceleration } => {
                one.extend(pose.position.to_array().into_iter().chain(quaternion(&pose)));
                // What is not given is found from the others.
                two.extend(twist.map(|x| x.unwrap_or(f64::NAN)));
                three.extend(acceleration.map(|x| x.unwrap_or(f64::NAN)));
            }
            Motion::Joints => {
                let given = [state.q, state.v, state.a];
                [one, two, three].into_iter().zip(given).for_each(|(all, one)| all.extend_from_slice(one));
            }
            Motion::Assembled { .. } => unreachable!("no table gives a configuration"),
        }
        tau.extend_from_slice(state.tau);
        w.extend_from_slice(state.w);
    }

    /// All rows in structures of arrays.
    fn in_arrays(&self) -> [Vec<f64>; 5] {
        let (count, widths) = (self.lines.len(), self.widths);
        let number = |k: usize, width: usize, from: &[f64]| from[(k % count) * width + k / count];
        std::array::from_fn(|v| (0..widths[v] * count).map(|k| number(k, widths[v], &self.vectors[v])).collect())
    }

    /// One of them.
    fn row(&self, i: usize) -> [Vec<f64>; 5] {
        std::array::from_fn(|v| self.vectors[v][i * self.widths[v]..(i + 1) * self.widths[v]].to_vec())
    }

    /// States whose vectors lie in structures of arrays.
    fn states<'v>(&self, count: usize, [one, two, three, tau, w]: &'v [Vec<f64>; 5]) -> States<'v> {
        let motions = if self.of_platform {
            Motions::Platform { pose: one, twist: two, acceleration: three }
        } else {
            Motions::Joints { q: one, v: two, a: three }
        };
        States { tau, w, ..States::moving(count, motions) }
    }
}
