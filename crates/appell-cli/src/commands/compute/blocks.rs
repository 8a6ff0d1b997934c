//! Tables in blocks of rows: computed in lanes and on all cores, written in their order.

use super::{Answered, Args, refuse_overflow};
use crate::table::{self, Answers, StateTable, Table};
use anyhow::Context;
use appell::batch::{Batch, States};
use appell::mechanism::Mechanism;
use appell::question::{Evaluator, State};
use std::io::Write;

/// Rows of a block, where their answers are not too many numbers together.
const ROWS: usize = 4096;
const MOST_NUMBERS: usize = 1 << 22;

/// The rows of a block: what was read of each, and where it stood.
struct Block {
    lines: Vec<u64>,
    times: Vec<f64>,
    vectors: [Vec<f64>; 5], // row by row, as they come
}

/// Answers every row of a table that has no wrenches from outside.
pub(super) fn stream<'o>(
    args: &'o Args,
    json: bool,
    stdout: &'o mut dyn Write,
    table: &mut StateTable,
    robot: &Mechanism,
    batch: &Batch<'_>,
    evaluator: &mut Evaluator<'_>,
) -> anyhow::Result<Answered<'o>> {
    let (name, n) = (table::shown(&args.states), robot.dof());
    let columns = evaluator.columns().to_vec();
    let time = table.time().map(|_| "t".into());
    let header: Vec<String> = time.into_iter().chain(columns.iter().cloned()).collect();
    let mut answers = Answers::start(args.out.as_deref(), stdout, json, &header, table.work())?;
    let rows = (MOST_NUMBERS / columns.len().max(1)).clamp(64, ROWS);
    let mut block = Block { lines: Vec::new(), times: Vec::new(), vectors: Default::default() };
    let mut turned: [Vec<f64>; 5] = Default::default();
    let mut found = Vec::new();
    let mut answer = vec![0.0; columns.len()];
    loop {
        block.read(table, rows).with_context(|| name.clone())?;
        let count = block.lines.len();
        if count == 0 {
            break;
        }
        for (turned, vector) in turned.iter_mut().zip(&block.vectors) {
            turned.clear();
            turned.extend((0..n * count).map(|k| vector[(k % count) * n + k / count]));
        }
        found.resize(columns.len() * count, 0.0);
        let [q, v, a, tau, w] = &turned;
        let answered = batch.evaluate(&States { count, q, v, a, tau, w }, &mut found);
        for i in 0..count {
            let one = if answered.is_ok() {
                answer.iter_mut().enumerate().for_each(|(c, number)| *number = found[c * count + i]);
                Ok(())
            } else {
                // Some state has no answer: one by one it is found which.
                evaluator.evaluate(block.state(i, n), &mut answer).map_err(anyhow::Error::from)
            };
            one.and_then(|()| refuse_overflow(&columns, &answer))
                .with_context(|| format!("{name}: line {}", block.lines[i]))?;
            answers.write(block.times.get(i).copied().into_iter().chain(answer.iter().copied()))?;
        }
        answers.reach(table.done());
    }
    Ok(Answered { answers, rows: table.rows() })
}

impl Block {
    /// Reads as many rows as there are, at most so many.
    fn read(&mut self, table: &mut StateTable, rows: usize) -> anyhow::Result<()> {
        self.lines.clear();
        self.times.clear();
        self.vectors.iter_mut().for_each(Vec::clear);
        while self.lines.len() < rows && table.advance()? {
            self.lines.push(table.line());
            self.times.extend(table.time());
            let State { q, v, a, tau, w, .. } = table.state();
            self.vectors.iter_mut().zip([q, v, a, tau, w]).for_each(|(all, one)| all.extend_from_slice(one));
        }
        Ok(())
    }

    fn state(&self, i: usize, n: usize) -> State<'_> {
        let [q, v, a, tau, w] = self.vectors.each_ref().map(|vector| &vector[i * n..(i + 1) * n]);
        State { q, v, a, tau, w, ..State::default() }
    }
}
