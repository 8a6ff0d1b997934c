//! The order of a program's steps: what waits to be used waits in a register, and long programs have more than there are.
//!
//! A greedy order is tried beside that of recording, and the one is taken in which fewer values wait at once at worst. A processor has 16 or 32 registers and memory close by, so that the order matters little there; a thread of a GPU
//! has 128 or 255, and what is beyond goes through memory that all threads share.

use super::graph::{Op, Ref};
use super::program::Program;

impl Program {
    /// The same steps, in an order in which fewer values wait.
    #[must_use]
    pub(super) fn with_few_waiting(&self) -> Self {
        let web = Web::of(self);
        let recorded = web.after_what_is_fixed((web.fixed..self.steps.len()).filter(|&step| !web.is_free[step]));
        let greedy = web.greedy();
        let best = if web.most_waiting(&greedy) < web.most_waiting(&recorded) { greedy } else { recorded };
        self.in_order(&best)
    }

    fn in_order(&self, order: &[usize]) -> Self {
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &step)| places[step] = place);
        let place = |at: Ref| Ref::new(places[at.index()]).signed(at.is_negative());
        Self {
            steps: order.iter().map(|&step| self.steps[step].relabelled(place)).collect(),
            outputs: self.outputs.iter().map(|&output| place(output)).collect(),
        }
    }
}

/// Which steps use which.
struct Web {
    operands: Vec<Vec<usize>>, // without inputs and numbers
    inputs: Vec<Vec<usize>>,   // these: they never wait, but are read where they are first used
    users: Vec<Vec<usize>>,
    fixed: usize, // sines and cosines of plain angles, and what they need, stay first
    is_free: Vec<bool>,
}

impl Web {
    fn of(program: &Program) -> Self {
        let steps = &program.steps;
        let is_free: Vec<bool> = steps.iter().map(|op| matches!(op, Op::Input(_) | Op::Constant(_))).collect();
        let mut users = vec![Vec::new(); steps.len()];
        let (mut operands, mut inputs) = (vec![Vec::new(); steps.len()], vec![Vec::new(); steps.len()]);
        for (index, op) in steps.iter().enumerate() {
            for operand in op.operands().map(Ref::index) {
                if is_free[operand] {
                    inputs[index].push(operand);
                } else if !operands[index].contains(&operand) {
                    operands[index].push(operand);
                    users[operand].push(index);
                }
            }
        }
        let is_early = |op: &Op| op.angle().is_some() || matches!(op, Op::Input(_) | Op::Constant(_) | Op::Add(..));
        let early = steps.iter().position(|op| !is_early(op)).unwrap_or(steps.len());
        let fixed = steps[..early].iter().rposition(|op| op.angle().is_some()).map_or(0, |last| last + 1);
        Self { operands, inputs, users, fixed, is_free }
    }

    /// The most values that wait between two steps.
    fn most_waiting(&self, order: &[usize]) -> usize {
        let mut left: Vec<usize> = self.users.iter().map(Vec::len).collect();
        let (mut waiting, mut most) = (0_usize, 0);
        for &step in order {
            waiting += usize::from(left[step] > 0);
            for &operand in &self.operands[step] {
                left[operand] -= 1;
                waiting -= usize::from(left[operand] == 0);
            }
            most = most.max(waiting);
        }
        most
    }

    /// From the last step to the first: of those that nobody else needs any more, the one that brings the fewest new values to
    /// wait for, of equal ones the one that was needed last.
    fn greedy(&self) -> Vec<usize> {
        let count = self.operands.len();
        let mut left: Vec<usize> = self.users.iter().map(Vec::len).collect();
        let mut is_needed = vec![false; count];
        let mut ready: Vec<usize> =
            (self.fixed..count).filter(|&step| left[step] == 0 && !self.is_free[step]).collect();
        let mut order = Vec::with_capacity(count);
        let brings = |step: usize, is_needed: &[bool]| {
            self.operands[step].iter().filter(|&&operand| operand >= self.fixed && !is_needed[operand]).count()
        };
        while let Some(next) = (0..ready.len()).rev().min_by_key(|&k| brings(ready[k], &is_needed)) {
            let step = ready.remove(next);
            order.push(step);
            for &operand in self.operands[step].iter().filter(|&&operand| operand >= self.fixed) {
                is_needed[operand] = true;
                left[operand] -= 1;
                if left[operand] == 0 {
                    ready.push(operand);
                }
            }
        }
        self.after_what_is_fixed(order.into_iter().rev())
    }

    /// What is fixed, then the rest, inputs and numbers before their first use.
    fn after_what_is_fixed(&self, rest: impl Iterator<Item = usize>) -> Vec<usize> {
        let fixed = (0..self.fixed).filter(|&step| !self.is_free[step]);
        let mut is_placed = vec![false; self.is_free.len()];
        let mut order = Vec::with_capacity(self.is_free.len());
        for step in fixed.chain(rest) {
            for next in self.inputs[step].iter().copied().chain([step]) {
                if !core::mem::replace(&mut is_placed[next], true) {
                    order.push(next);
                }
            }
        }
        // Those that are outputs themselves.
        order.extend((0..self.is_free.len()).filter(|&step| !is_placed[step]));
        order
    }
}
