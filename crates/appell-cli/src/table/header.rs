//! Which column gives which quantity.

use anyhow::{bail, ensure};
use appell_drawing::listing::{clip, list};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The columns that a kind of table may have, where `Q` says what a column gives.
pub(super) struct Vocabulary<Q> {
    /// Every name a header may have.
    pub(super) known: HashMap<String, Q>,
    /// What must be there, in groups that go together.
    pub(super) needed: Vec<Vec<(String, Q)>>,
    /// What is read where it is there. The cells of any other column are not looked at.
    pub(super) optional: Vec<Q>,
    /// What is an angle, rad.
    pub(super) angles: HashSet<Q>,
    /// The hint for a wrong header.
    pub(super) hint: String,
}

/// A column of a table.
pub(super) struct Column<Q> {
    pub(super) name: String,
    pub(super) quantity: Q,
    pub(super) read: bool,
    pub(super) is_angle: bool,
}

impl<Q: Copy + Eq + Hash> Vocabulary<Q> {
    /// Understands the names of a header.
    pub(super) fn columns(&self, names: &[&str]) -> anyhow::Result<Vec<Column<Q>>> {
        let needed = self.needed.iter().flatten().map(|(_, needed)| needed);
        let read: HashSet<&Q> = needed.chain(&self.optional).collect();
        let mut columns: Vec<Column<Q>> = Vec::new();
        let mut given: HashMap<Q, usize> = HashMap::new(); // by which column
        let mut unknown = Vec::new();
        for (k, &name) in names.iter().enumerate() {
            let Some(&quantity) = self.known.get(name) else {
                unknown.push(match name {
                    "" => format!("{} (without a name)", k + 1),
                    _ if name.contains([';', '\t']) => format!("`{}` (separate columns by commas)", clip(name)),
                    _ => format!("`{}`", clip(name)),
                });
                continue;
            };
            if let Some(first) = given.insert(quantity, columns.len()) {
                bail!("columns `{}` and `{name}` give the same quantity; keep one of them", columns[first].name);
            }
            let (read, is_angle) = (read.contains(&quantity), self.angles.contains(&quantity));
            columns.push(Column { name: name.into(), quantity, read, is_angle });
        }
        let complaints: Vec<String> = [("unknown", unknown), ("missing", self.missing(&given))]
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(word, names)| format!("{word} column{} {}", if names.len() == 1 { "" } else { "s" }, list(&names)))
            .collect();
        ensure!(complaints.is_empty(), "{}; {}", complaints.join(" and "), self.hint);
        Ok(columns)
    }

    /// What the columns of an array are that names none: the needed ones, `t` before them if there is one more.
    pub(super) fn usual(&self, count: usize) -> anyhow::Result<Vec<String>> {
        let mut names: Vec<String> = self.needed.iter().flatten().map(|(name, _)| name.clone()).collect();
        if count == names.len() + 1 && self.known.contains_key("t") {
            names.insert(0, "t".into());
        }
        let groups: Vec<String> = self.needed.iter().map(|group| range(group)).collect();
        ensure!(
            count == names.len(),
            "an array without names has {count} columns where {} are needed, {}, with or without t before them; give \
             these, or names, as in a structured array or np.savez(FILE, q=…)",
            names.len(),
            groups.join(", ")
        );
        Ok(names)
    }

    /// The needed columns that are not there; a whole group as a range.
    fn missing(&self, given: &HashMap<Q, usize>) -> Vec<String> {
        let mut missing = Vec::new();
        for group in &self.needed {
            let is_missing = |(_, wanted): &&(String, Q)| !given.contains_key(wanted);
            let names: Vec<String> = group.iter().filter(is_missing).map(|(name, _)| name.clone()).collect();
            missing.extend(if names.len() == group.len() { vec![range(group)] } else { names });
        }
        missing
    }
}

/// `q1…q6`.
pub(super) fn range<Q>(group: &[(String, Q)]) -> String {
    match group {
        [] => String::new(),
        [(only, _)] => only.clone(),
        [(first, _), .., (last, _)] => format!("{first}…{last}"),
    }
}
