//! Tables in blocks of rows: computed in lanes and on all cores, written in their order.

use super::{Answered, Args, refuse_overflow};
use crate::table::{self, Answers, ClosedStateTable, StateTable, Table};
use anyhow::Context;
use appell::mechanism::Mechanism;
use appell::question::State;
use appell::question::closed::Motion;
use appell::spatial::Quaternion;
use appell_batch::{Batch, ClosedBatch, ClosedStates, Motions, States};
use std::io::Write;

/// Rows of a block, where their answers are not too many numbers together.
const ROWS: usize = 4096;
const MOST_NUMBERS: usize = 1 << 22;

/// A question of one robot for many rows of a table.
pub(super) trait InBlocks {
    /// Where rows come from.
    type Table: Table;

    /// How many numbers each vector of a state has.
    fn widths(&self) -> Vec<usize>;

    /// Adds the row that was read last to the vectors.
    fn add(&self, table: &Self::Table, vectors: &mut [Vec<f64>]) -> anyhow::Result<()>;

    /// Answers states whose vectors lie in structures of arrays.
    fn answer(&self, count: usize, vectors: &[Vec<f64>], answers: &mut [f64]) -> anyhow::Result<()>;
}

/// Answers every row of a table that has no wrenches from outside.
pub(super) fn stream<'o, Q: InBlocks>(
    args: &'o Args,
    json: bool,
    stdout: &'o mut dyn Write,
    table: &mut Q::Table,
    columns: &[String],
    question: &Q,
) -> anyhow::Result<Answered<'o>> {
    let name = table::shown(&args.states);
    let time = table.time().map(|_| "t".into());
    let header: Vec<String> = time.into_iter().chain(columns.iter().cloned()).collect();
    let mut answers = Answers::start(args.out.as_deref(), stdout, json, &header, table.work())?;
    let rows = (MOST_NUMBERS / columns.len().max(1)).clamp(64, ROWS);
    let mut block = Block::new(question.widths());
    let mut found = Vec::new();
    let mut answer = vec![0.0; columns.len()];
    loop {
        block.read(table, rows, question).with_context(|| name.clone())?;
        let count = block.lines.len();
        if count == 0 {
            break;
        }
        found.resize(columns.len() * count, 0.0);
        let answered = question.answer(count, &block.in_arrays(), &mut found);
        for i in 0..count {
            let one = if answered.is_ok() {
                answer.iter_mut().enumerate().for_each(|(c, number)| *number = found[c * count + i]);
                Ok(())
            } else {
                // Some state has no answer: one by one it is found which.
                question.answer(1, &block.row(i), &mut answer)
            };
            one.and_then(|()| refuse_overflow(columns, &answer))
                .with_context(|| format!("{name}: line {}", block.lines[i]))?;
            answers.write(block.times.get(i).copied().into_iter().chain(answer.iter().copied()))?;
        }
        answers.reach(table.done());
    }
    Ok(Answered { answers, rows: table.rows() })
}

/// The rows of a block: what was read of each, and where it stood.
struct Block {
    lines: Vec<u64>,
    times: Vec<f64>,
    widths: Vec<usize>,
    vectors: Vec<Vec<f64>>, // row by row, as they come
}

impl Block {
    fn new(widths: Vec<usize>) -> Self {
        Self { lines: Vec::new(), times: Vec::new(), vectors: vec![Vec::new(); widths.len()], widths }
    }

    /// Reads as many rows as there are, at most so many.
    fn read<Q: InBlocks>(&mut self, table: &mut Q::Table, rows: usize, question: &Q) -> anyhow::Result<()> {
        self.lines.clear();
        self.times.clear();
        self.vectors.iter_mut().for_each(Vec::clear);
        while self.lines.len() < rows && table.advance()? {
            question.add(table, &mut self.vectors).with_context(|| format!("line {}", table.line()))?;
            self.lines.push(table.line());
            self.times.extend(table.time());
        }
        Ok(())
    }

    /// All rows in structures of arrays.
    fn in_arrays(&self) -> Vec<Vec<f64>> {
        let count = self.lines.len();
        let turned = |(vector, &width): (&Vec<f64>, &usize)| {
            (0..width * count).map(|k| vector[(k % count) * width + k / count]).collect()
        };
        self.vectors.iter().zip(&self.widths).map(turned).collect()
    }

    /// One of them.
    fn row(&self, i: usize) -> Vec<Vec<f64>> {
        let of_row = |(vector, &width): (&Vec<f64>, &usize)| vector[i * width..(i + 1) * width].to_vec();
        self.vectors.iter().zip(&self.widths).map(of_row).collect()
    }
}

/// A question of an open robot.
pub(super) struct Open<'q> {
    pub(super) robot: &'q Mechanism,
    pub(super) batch: Batch<'q>,
}

impl InBlocks for Open<'_> {
    type Table = StateTable;

    fn widths(&self) -> Vec<usize> {
        vec![self.robot.dof(); 5]
    }

    fn add(&self, table: &StateTable, vectors: &mut [Vec<f64>]) -> anyhow::Result<()> {
        let State { q, v, a, tau, w, .. } = table.state();
        vectors.iter_mut().zip([q, v, a, tau, w]).for_each(|(all, one)| all.extend_from_slice(one));
        Ok(())
    }

    fn answer(&self, count: usize, vectors: &[Vec<f64>], answers: &mut [f64]) -> anyhow::Result<()> {
        let [q, v, a, tau, w] = vectors else { unreachable!("as many as there are widths") };
        Ok(self.batch.evaluate(&States { count, q, v, a, tau, w }, answers).map_err(|error| error.source)?)
    }
}

/// A question of a robot with closed loops, whose rows begin at home.
pub(super) struct Closed<'q> {
    pub(super) batch: ClosedBatch<'q>,
    /// Whether the table gives the platform's motion.
    pub(super) of_platform: bool,
    pub(super) drives: usize,
}

impl InBlocks for Closed<'_> {
    type Table = ClosedStateTable;

    fn widths(&self) -> Vec<usize> {
        let motion = if self.of_platform { [7, 6, 6] } else { [self.drives; 3] };
        [&motion[..], &[self.drives]].concat()
    }

    fn add(&self, table: &ClosedStateTable, vectors: &mut [Vec<f64>]) -> anyhow::Result<()> {
        let state = table.state()?;
        let [one, two, three, tau] = vectors else { unreachable!("as many as there are widths") };
        match state.motion {
            Motion::Platform { pose, twist, acceleration } => {
                let Quaternion { x, y, z, w } = Quaternion::of_rotation(&pose.rotation);
                one.extend(pose.position.to_array());
                one.extend([x, y, z, w]);
                // What is not given is found from the others.
                two.extend(twist.map(|x| x.unwrap_or(f64::NAN)));
                three.extend(acceleration.map(|x| x.unwrap_or(f64::NAN)));
            }
            Motion::Drives { q, v, a } => {
                [one, two, three].into_iter().zip([q, v, a]).for_each(|(all, one)| all.extend_from_slice(one));
            }
            Motion::Assembled { .. } => unreachable!("no table gives a configuration"),
        }
        tau.extend_from_slice(state.tau);
        Ok(())
    }

    fn answer(&self, count: usize, vectors: &[Vec<f64>], answers: &mut [f64]) -> anyhow::Result<()> {
        let [one, two, three, tau] = vectors else { unreachable!("as many as there are widths") };
        let motions = if self.of_platform {
            Motions::Platform { pose: one, twist: two, acceleration: three }
        } else {
            Motions::Drives { q: one, v: two, a: three }
        };
        Ok(self.batch.evaluate(&ClosedStates { count, motions, tau }, answers).map_err(|error| error.source)?)
    }
}
