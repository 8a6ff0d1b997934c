//! Which column gives which quantity of which joint.

use crate::listing::{clip, list};
use anyhow::{bail, ensure};
use appell::mechanism::Mechanism;
use appell::question::{Input, Question};
use std::collections::HashMap;

/// A column of a table of states.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) quantity: Quantity,
    /// Whether the question asks for it; otherwise its cells are not looked at.
    pub(super) read: bool,
}

/// What a column can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    /// `t`, which only passes through.
    Time,
    /// A number of a joint: `input` counts in [`Input::ALL`].
    OfJoint { input: usize, joint: usize },
}

/// Understands the names of a header; a quantity of a joint goes by its number, `q3`, or its name, `q.elbow`.
pub(super) fn columns<'h>(
    names: impl Iterator<Item = &'h str>,
    robot: &Mechanism,
    question: Question,
) -> anyhow::Result<Vec<Column>> {
    let known = known(robot);
    let is_read = |quantity: Quantity| match quantity {
        Quantity::Time => true,
        Quantity::OfJoint { input, .. } => question.inputs().contains(&Input::ALL[input]),
    };
    let mut columns: Vec<Column> = Vec::new();
    let mut unknown = Vec::new();
    for (k, name) in names.enumerate() {
        let Some(&quantity) = known.get(name) else {
            unknown.push(match name {
                "" => format!("{} (without a name)", k + 1),
                _ if name.contains([';', '\t']) => format!("`{}` (separate columns by commas)", clip(name)),
                _ => format!("`{}`", clip(name)),
            });
            continue;
        };
        if let Some(first) = columns.iter().find(|column| column.quantity == quantity) {
            bail!("columns `{}` and `{name}` give the same quantity; keep one of them", first.name);
        }
        columns.push(Column { name: name.into(), quantity, read: is_read(quantity) });
    }
    let missing = missing(&columns, robot, question);
    let complaints: Vec<String> = [("unknown", unknown), ("missing", missing)]
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(word, names)| format!("{word} column{} {}", if names.len() == 1 { "" } else { "s" }, list(&names)))
        .collect();
    ensure!(
        complaints.is_empty(),
        "{}; {} of {} reads {}, and accepts {} and t; a joint may go by its name, as in q.{}; joints are {}",
        complaints.join(" and "),
        question.name(),
        robot.name(),
        ranges(robot, |input| question.inputs().contains(&input)),
        ranges(robot, |input| !question.inputs().contains(&input)),
        clip(&robot.joint_names()[0]),
        list(robot.joint_names()),
    );
    Ok(columns)
}

/// Everything a header may name.
fn known(robot: &Mechanism) -> HashMap<String, Quantity> {
    let mut known = HashMap::from([("t".to_owned(), Quantity::Time)]);
    for (input, symbol) in Input::ALL.map(Input::symbol).into_iter().enumerate() {
        for (joint, name) in robot.joint_names().iter().enumerate() {
            let quantity = Quantity::OfJoint { input, joint };
            known.insert(format!("{symbol}{}", joint + 1), quantity);
            known.insert(format!("{symbol}.{name}"), quantity);
        }
    }
    known
}

/// The columns that the question needs and that are not there; a whole vector as a range.
fn missing(columns: &[Column], robot: &Mechanism, question: Question) -> Vec<String> {
    let mut missing = Vec::new();
    for (input, &vector) in Input::ALL.iter().enumerate().filter(|(_, vector)| question.inputs().contains(vector)) {
        let is_missing = |&joint: &usize| {
            let wanted = Quantity::OfJoint { input, joint };
            columns.iter().all(|column| column.quantity != wanted)
        };
        let joints: Vec<usize> = (0..robot.dof()).filter(is_missing).collect();
        if joints.len() == robot.dof() {
            missing.push(range(robot, vector));
        } else {
            missing.extend(joints.iter().map(|joint| format!("{}{}", vector.symbol(), joint + 1)));
        }
    }
    missing
}

/// The columns of some vectors, as ranges.
fn ranges(robot: &Mechanism, wanted: impl Fn(Input) -> bool) -> String {
    let vectors = Input::ALL.into_iter().filter(|&input| wanted(input));
    vectors.map(|input| range(robot, input)).collect::<Vec<_>>().join(", ")
}

/// The columns of a vector: `q1…q6`.
fn range(robot: &Mechanism, input: Input) -> String {
    let symbol = input.symbol();
    match robot.dof() {
        1 => format!("{symbol}1"),
        n => format!("{symbol}1…{symbol}{n}"),
    }
}
