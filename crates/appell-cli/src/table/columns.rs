//! Tables whose columns the user names: what a recorder wrote. Where its columns are separated by semicolons or tabs,
//! decimals may have a comma; where there are neither of these nor commas, spaces separate, as many as there are. Lines above the table that begin with # or % are
//! comments; the last one names the columns where rows of as many numbers follow. An empty cell is no sample, and NaN in memory.

use super::arrays;
use super::lines::{Lines, cells};
use super::reader::{expect_cells, value};
use crate::output::unread;
use crate::progress::{Progress, Work};
use anyhow::{Context, bail, ensure};
use appell_drawing::listing::{clip, counted};
use std::borrow::Cow;
use std::io::BufRead;

/// Rows from one look at the progress to the next.
const ROWS_A_PULSE: usize = 4096;

/// What comments begin with.
const COMMENTS: [char; 2] = ['#', '%'];

/// What is read of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Its name.
    Name,
    /// Numbers, if that is all it holds.
    IfNumbers,
    /// Numbers, and anything else is an error.
    Numbers,
}

/// A table that is open.
pub(crate) struct Recorded {
    source: Source,
}

/// Where the numbers come from.
enum Source {
    /// A text, whose first line below the comments comes once more, and the comment that names its columns.
    Lines { lines: Lines, first: String, separator: char, comment: Option<String> },
    /// Columns that are in memory.
    Arrays(arrays::Columns),
}

impl Recorded {
    /// Opens a table, of so many bytes if that is known.
    pub(crate) fn open(mut source: Box<dyn BufRead>, size: Option<u64>) -> anyhow::Result<Self> {
        if arrays::begins(source.fill_buf().map_err(unread)?) {
            let mut bytes = Vec::new();
            source.read_to_end(&mut bytes).map_err(unread)?;
            return Ok(Self { source: Source::Arrays(arrays::read(&bytes)?) });
        }
        let mut lines = Lines::new(source, size);
        let (mut first, mut comment) = (lines.header()?, None);
        while let Some(text) = first.trim_start().strip_prefix(COMMENTS) {
            let text = text.trim_start_matches(COMMENTS);
            comment = Some(usual(text, separator(text)).into_owned());
            first = lines.header()?;
        }
        lines.again();
        let separator = separator(&first);
        let first = usual(&first, separator).into_owned();
        let comment = comment.filter(|names| is_row(&first) && cells(names).count() == cells(&first).count());
        Ok(Self { source: Source::Lines { lines, first, separator, comment } })
    }

    /// The names of its columns, in order; of a table without a header those that it is given.
    pub(crate) fn names(&self, given: Option<&[String]>) -> anyhow::Result<Vec<String>> {
        match &self.source {
            Source::Arrays(arrays::Columns { names, numbers }) => {
                let names = names.as_deref().or(given).context(
                    "the array's columns have no names; a structured array or np.savez(FILE, q=…) has, or a layout: columns = […]",
                )?;
                expect_names(names, numbers.len())?;
                Ok(names.to_vec())
            }
            Source::Lines { comment: Some(names), .. } if given.is_none() => {
                Ok(cells(names).map(str::to_owned).collect())
            }
            Source::Lines { first, .. } if is_row(first) => {
                let names = given.context(
                    "the first line holds numbers, so that there is no header; name the columns in it, or in a layout: columns = [\"t\", \"q1\", …]",
                )?;
                expect_names(names, cells(first).count())?;
                Ok(names.to_vec())
            }
            Source::Lines { first, .. } => {
                let names: Vec<String> = cells(first).map(str::to_owned).collect();
                if let Some(name) = names.iter().find(|name| name.contains([';', '\t'])) {
                    bail!("the header holds `{}`; separate columns by commas", clip(name));
                }
                Ok(names)
            }
        }
    }

    /// All columns with their names, in order; those of a table without a header are `given`. Columns of which only the name is wanted, or that
    /// hold something else, come without numbers.
    pub(crate) fn columns(
        self,
        given: Option<&[String]>,
        wanted: impl Fn(&str) -> Wanted,
    ) -> anyhow::Result<Vec<(String, Vec<f64>)>> {
        let names = self.names(given)?;
        match self.source {
            Source::Arrays(arrays) => {
                let of_name = |(name, all): (String, Vec<f64>)| {
                    let all = if wanted(&name) == Wanted::Name { Vec::new() } else { all };
                    if let Some(infinite) = all.iter().find(|x| x.is_infinite()) {
                        bail!("column `{}` holds {infinite}; expected finite numbers", clip(&name));
                    }
                    Ok((name, all))
                };
                names.into_iter().zip(arrays.numbers).map(of_name).collect()
            }
            Source::Lines { mut lines, first, separator, .. } => {
                if !is_row(&first) {
                    lines.next()?;
                }
                numbers(lines, separator, names, wanted)
            }
        }
    }
}

/// What separates the cells of a table, by its first line.
fn separator(first: &str) -> char {
    let is_number = |cell: &str| cell.trim().replace(',', ".").parse::<f64>().is_ok();
    // Between semicolons and tabs numbers may have commas of their own, which names have not.
    let rows_by = |separator: &char| first.contains(*separator) && first.split(*separator).all(is_number);
    let otherwise = || [',', ';', '\t'].into_iter().find(|&separator| first.contains(separator)).unwrap_or(' ');
    [';', '\t'].into_iter().find(rows_by).unwrap_or_else(otherwise)
}

/// Whether a line holds nothing but numbers.
fn is_row(line: &str) -> bool {
    cells(line).all(|cell| cell.parse::<f64>().is_ok())
}

/// Refuses names of other than so many columns.
fn expect_names(names: &[String], columns: usize) -> anyhow::Result<()> {
    let found = counted(names.len(), "column");
    ensure!(names.len() == columns, "the layout names {found}, and the table has {columns} without a header");
    Ok(())
}

/// The numbers of the columns in the lines that follow.
fn numbers(
    mut lines: Lines,
    separator: char,
    names: Vec<String>,
    wanted: impl Fn(&str) -> Wanted,
) -> anyhow::Result<Vec<(String, Vec<f64>)>> {
    let mut progress = Progress::start(lines.size().map_or(Work::Rows, Work::Bytes), false);
    let mut wanted: Vec<Wanted> = names.iter().map(|name| wanted(name)).collect();
    let mut columns: Vec<(String, Vec<f64>)> = names.into_iter().map(|name| (name, Vec::new())).collect();
    for rows in 0_usize.. {
        let Some((number, line)) = lines.next()? else { break };
        let is_cut = !line.ends_with('\n');
        let line = &*usual(line, separator);
        // A recorder was stopped while it wrote.
        if is_cut && rows > 0 && cells(line).count() < columns.len() {
            break;
        }
        expect_cells(number, line, columns.len())?;
        for (cell, (wanted, (name, numbers))) in cells(line).zip(wanted.iter_mut().zip(&mut columns)) {
            let is_empty = cell.is_empty() || cell.eq_ignore_ascii_case("nan");
            match wanted {
                Wanted::Name => {}
                Wanted::IfNumbers | Wanted::Numbers if is_empty => numbers.push(f64::NAN),
                Wanted::Numbers => numbers.push(value(cell, name).with_context(|| format!("line {number}"))?),
                Wanted::IfNumbers => match value(cell, name) {
                    Ok(x) => numbers.push(x),
                    Err(_) => (*wanted, *numbers) = (Wanted::Name, Vec::new()),
                },
            }
        }
        if rows.is_multiple_of(ROWS_A_PULSE) {
            progress.reach(if lines.size().is_some() { lines.bytes() } else { rows as u64 });
        }
    }
    Ok(columns)
}

/// A line with commas between its cells, and points in its numbers.
fn usual(line: &str, separator: char) -> Cow<'_, str> {
    match separator {
        ',' => line.into(),
        ' ' => line.split_whitespace().collect::<Vec<_>>().join(",").into(),
        other => line.replace(',', ".").replace(other, ",").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(text: &'static str) -> Recorded {
        Recorded::open(Box::new(text.as_bytes()), None).unwrap()
    }

    fn columns_of(text: &'static str) -> anyhow::Result<Vec<(String, Vec<f64>)>> {
        open(text).columns(None, |_| Wanted::Numbers)
    }

    #[test]
    fn semicolons_and_tabs_separate_too_and_decimals_have_commas_then() {
        for text in ["t;q1\n0,5;-1,25e-3\n", "t\tq1\n0.5\t-1.25e-3\n", "t,q1\n0.5,-1.25e-3\n"] {
            assert_eq!(columns_of(text).unwrap(), [("t".into(), vec![0.5]), ("q1".into(), vec![-1.25e-3])]);
        }
        assert!(columns_of("t,q1;q2\n1,2\n").unwrap_err().to_string().contains("commas"));
        assert!(columns_of("0,1\n1,2\n").unwrap_err().to_string().contains("there is no header"));
        let named = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            open("0;1,5\n1;2\n").columns(Some(&names), |_| Wanted::Numbers)
        };
        assert_eq!(named(&["t", "q1"]).unwrap(), [("t".into(), vec![0.0, 1.0]), ("q1".into(), vec![1.5, 2.0])]);
        assert!(named(&["t"]).unwrap_err().to_string().contains("the layout names 1 column, and the table has 2"));
    }

    /// As `numpy.savetxt` and others write tables: spaces, as many as there are, and comments above, the last of which names the columns.
    #[test]
    fn spaces_separate_too_and_comments_may_name_columns() {
        let expected = [("t".to_owned(), vec![0.5, 1.0]), ("q1".to_owned(), vec![-1.25e-3, 2.0])];
        for text in [
            "t q1\n0.5 -1.25e-3\n1 2\n",
            "  t    q1\n  0.5   -1.25e-3\n  1    2\n",
            "# t q1\n0.5 -1.25e-3\n1 2\n",
            "# t,q1\n0.5 -1.25e-3\n1 2\n",
            "%t,q1\n0.5,-1.25e-3\n1,2\n",
            "# of Monday, the 5th, by me\n## t;q1\n0,5;-1,25e-3\n1;2\n",
            "# of Monday\nt,q1\n0.5,-1.25e-3\n1,2\n",
        ] {
            assert_eq!(columns_of(text).unwrap(), expected, "{text}");
        }
        let names = ["t".to_owned(), "q1".to_owned()];
        for text in ["0.5 -1.25e-3\n1 2\n", "# a b\n0.5 -1.25e-3\n1 2\n", "# of Monday, all day\n0.5 -1.25e-3\n1 2\n"] {
            assert_eq!(open(text).columns(Some(&names), |_| Wanted::Numbers).unwrap(), expected, "{text}");
        }
        for text in ["0.5 -1.25e-3\n1 2\n", "# all of it\n0.5 -1.25e-3\n1 2\n"] {
            assert!(columns_of(text).unwrap_err().to_string().contains("there is no header"), "{text}");
        }
        let error = Recorded::open(Box::new("# t,q1\n".as_bytes()), None).err().unwrap();
        assert!(error.to_string().contains("the table is empty"), "{error}");
    }

    /// No sample is no number; words are none either, but where numbers are asked for they are an error.
    #[test]
    fn empty_cells_are_no_samples() {
        let read = columns_of("t,q1,u1\n1,,3\n2,5,\n3,NaN,4\n").unwrap();
        assert_eq!(read[0].1, [1.0, 2.0, 3.0]);
        assert!(read[1].1[0].is_nan() && read[1].1[1] == 5.0 && read[1].1[2].is_nan(), "{read:?}");
        assert!(read[2].1[1].is_nan() && read[2].1.len() == 3, "{read:?}");
        let error = |text| format!("{:#}", columns_of(text).unwrap_err());
        assert!(error("t,q1\n1,x\n").contains("line 2: column `q1` holds `x`"), "{}", error("t,q1\n1,x\n"));
        for text in ["t,q1\n1,2\n3\n", "t,q1\n1,2\n3,4,5\n", "t,q1\n1,2\n3,4,\n"] {
            assert!(error(text).contains("line 3 has"), "{text}: {}", error(text));
        }
        // A last row without its end is that of a recorder that was stopped.
        assert_eq!(columns_of("t,q1,u1\n1,2,3\n2,3,4\n3,4").unwrap()[1].1, [2.0, 3.0]);
        assert!(error("t,q1\n1").contains("line 2 has"), "{}", error("t,q1\n1"));
        let read = open("t,when\n1,2\n2,noon\n").columns(None, |_| Wanted::IfNumbers).unwrap();
        assert_eq!(read, [("t".into(), vec![1.0, 2.0]), ("when".into(), Vec::new())]);
    }
}
