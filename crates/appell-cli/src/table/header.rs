//! Which column gives which quantity.

use anyhow::{bail, ensure};
use appell_drawing::listing::{clip, list};
use std::collections::HashMap;

/// The columns that a kind of table may have, where `Q` says what a column gives.
pub(super) struct Vocabulary<Q> {
    /// Every name a header may have.
    pub(super) known: HashMap<String, Q>,
    /// What must be there, in groups that go together.
    pub(super) needed: Vec<Vec<(String, Q)>>,
    /// What is read where it is there. The cells of any other column are not looked at.
    pub(super) optional: Vec<Q>,
    /// What to tell the user whose header is wrong.
    pub(super) hint: String,
}

/// A column of a table.
pub(super) struct Column<Q> {
    pub(super) name: String,
    pub(super) quantity: Q,
    pub(super) read: bool,
}

impl<Q: Copy + PartialEq> Vocabulary<Q> {
    /// Understands the names of a header.
    pub(super) fn columns<'h>(&self, names: impl Iterator<Item = &'h str>) -> anyhow::Result<Vec<Column<Q>>> {
        let mut columns: Vec<Column<Q>> = Vec::new();
        let mut unknown = Vec::new();
        for (k, name) in names.enumerate() {
            let Some(&quantity) = self.known.get(name) else {
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
            columns.push(Column { name: name.into(), quantity, read: self.is_read(quantity) });
        }
        let complaints: Vec<String> = [("unknown", unknown), ("missing", self.missing(&columns))]
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(word, names)| format!("{word} column{} {}", if names.len() == 1 { "" } else { "s" }, list(&names)))
            .collect();
        ensure!(complaints.is_empty(), "{}; {}", complaints.join(" and "), self.hint);
        Ok(columns)
    }

    fn is_read(&self, quantity: Q) -> bool {
        let mut needed = self.needed.iter().flatten();
        needed.any(|(_, needed)| *needed == quantity) || self.optional.contains(&quantity)
    }

    /// The needed columns that are not there; a whole group as a range.
    fn missing(&self, columns: &[Column<Q>]) -> Vec<String> {
        let mut missing = Vec::new();
        for group in &self.needed {
            let is_missing = |(_, wanted): &&(String, Q)| columns.iter().all(|column| column.quantity != *wanted);
            let names: Vec<&str> = group.iter().filter(is_missing).map(|(name, _)| name.as_str()).collect();
            if names.len() == group.len() {
                missing.push(range(&names));
            } else {
                missing.extend(names.into_iter().map(String::from));
            }
        }
        missing
    }
}

/// `q1…q6`.
pub(super) fn range(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).into(),
        [first, .., last] => format!("{first}…{last}"),
    }
}
