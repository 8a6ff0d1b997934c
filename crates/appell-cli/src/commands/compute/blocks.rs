//! Tables in blocks of rows: computed in lanes and on all cores, written in their order.

use super::nearness::Nearness;
use super::{Answered, Args, refuse_overflow};
use crate::table::{self, Answers, StatesTable};
use anyhow::Context;
use appell::question::{Motion, State};
use appell::spatial::Quaternion;
use appell_batch::{Batch, Motions, States};
use std::cell::RefCell;
use std::io::Write;

/// Rows of a block, where their answers are not too many numbers together.
const ROWS: usize = 4096;
const MOST_NUMBERS: usize = 1 << 22;

/// Answers every row of a table that has no wrenches from outside, under names for the first of the columns.
pub(super) fn stream<'o, T: StatesTable>(
    args: &'o Args,
    json: bool,
    stdout: &'o mut dyn Write,
    table: &mut T,
    (columns, names): (&[String], &[String]),
    question: &Rows<'_>,
) -> anyhow::Result<Answered<'o>> {
    let name = table::shown(&args.states);
    let time = table.time().map(|_| "t".into());
    let header: Vec<String> = time.into_iter().chain(names.iter().cloned()).collect();
    let mut answers = Answers::start(args.out.as_deref(), stdout, json, &header, table.work())?;
    let rows = (MOST_NUMBERS / columns.len().max(1)).clamp(64, ROWS);
    let mut block = Block::new(question.widths());
    let mut found = Vec::new();
    let mut answer = vec![0.0; columns.len()];
    loop {
        block.read(table, rows).with_context(|| name.clone())?;
        let count = block.lines.len();
        if count == 0 {
            break;
        }
        found.resize(columns.len() * count, 0.0);
        let vectors = block.in_arrays();
        question.look(&block.lines, &vectors);
        let answered = question.answer(count, &vectors, &mut found);
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
            answers.write(block.times.get(i).copied().into_iter().chain(answer[..names.len()].iter().copied()))?;
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
    fn read(&mut self, table: &mut impl StatesTable, rows: usize) -> anyhow::Result<()> {
        self.lines.clear();
        self.times.clear();
        self.vectors.iter_mut().for_each(Vec::clear);
        while self.lines.len() < rows && table.advance()? {
            let state = table.state().with_context(|| format!("line {}", table.line()))?;
            Rows::add(&state, &mut self.vectors);
            self.lines.push(table.line());
            self.times.extend(table.time());
        }
        Ok(())
    }

    /// All rows in structures of arrays; what the table does not give stays empty.
    fn in_arrays(&self) -> Vec<Vec<f64>> {
        let count = self.lines.len();
        let turned = |(vector, &width): (&Vec<f64>, &usize)| {
            let width = if vector.is_empty() { 0 } else { width };
            (0..width * count).map(|k| vector[(k % count) * width + k / count]).collect()
        };
        self.vectors.iter().zip(&self.widths).map(turned).collect()
    }

    /// One of them.
    fn row(&self, i: usize) -> Vec<Vec<f64>> {
        let of_row =
            |(vector, &width): (&Vec<f64>, &usize)| vector.get(i * width..(i + 1) * width).unwrap_or_default().to_vec();
        self.vectors.iter().zip(&self.widths).map(of_row).collect()
    }
}

/// A question of one robot for rows that each begin at home.
pub(super) struct Rows<'q> {
    pub(super) batch: &'q Batch,
    /// Whether the table gives the platform's motion.
    pub(super) of_platform: bool,
    /// Where torques are asked for.
    pub(super) nearness: RefCell<Option<Nearness>>,
}

impl Rows<'_> {
    /// How many numbers each vector of a state has: q, v, a, tau and w, or pose, twist, acceleration, tau and w.
    fn widths(&self) -> Vec<usize> {
        let drives = self.batch.robot().drives().len();
        let motion = if self.of_platform { [7, 6, 6] } else { [drives; 3] };
        [&motion[..], &[drives; 2]].concat()
    }

    /// Adds a state to the vectors.
    fn add(state: &State<'_>, vectors: &mut [Vec<f64>]) {
        let [one, two, three, tau, w] = vectors else { unreachable!("as many as there are widths") };
        match state.motion {
            Motion::Platform { pose, twist, acceleration } => {
                let Quaternion { x, y, z, w } = Quaternion::of_rotation(&pose.rotation);
                one.extend(pose.position.to_array());
                one.extend([x, y, z, w]);
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

    /// States whose vectors lie in structures of arrays.
    fn states<'v>(&self, count: usize, vectors: &'v [Vec<f64>]) -> States<'v> {
        let [one, two, three, tau, w] = vectors else { unreachable!("as many as there are widths") };
        let motions = if self.of_platform {
            Motions::Platform { pose: one, twist: two, acceleration: three }
        } else {
            Motions::Joints { q: one, v: two, a: three }
        };
        States { tau, w, ..States::moving(count, motions) }
    }

    fn answer(&self, count: usize, vectors: &[Vec<f64>], answers: &mut [f64]) -> anyhow::Result<()> {
        Ok(self.batch.evaluate(&self.states(count, vectors), answers).map_err(|error| error.source)?)
    }

    /// Looks at the states of some lines, before they are answered.
    fn look(&self, lines: &[u64], vectors: &[Vec<f64>]) {
        if let Some(nearness) = self.nearness.borrow_mut().as_mut() {
            nearness.look_at(&self.states(lines.len(), vectors), lines);
        }
    }
}
