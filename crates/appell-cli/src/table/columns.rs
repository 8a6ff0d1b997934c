//! Tables whose columns the user names: what a recorder wrote. Where its columns are separated by semicolons or tabs,
//! decimals may have a comma.

use super::arrays;
use super::lines::{Lines, cells};
use super::reader::{expect_cells, value};
use crate::progress::{Progress, Work};
use anyhow::{Context, bail, ensure};
use appell_drawing::listing::{clip, counted};
use std::borrow::Cow;
use std::io::Cursor;
use std::sync::Arc;

/// Rows from one look at the progress to the next.
const ROWS_A_PULSE: usize = 4096;

/// All columns of a table with their names, in order; those of one without a header are `named`. Numbers are read of those
/// that are asked for; others may hold anything, and come without.
pub(crate) fn columns_of_bytes(
    bytes: &Arc<[u8]>,
    named: Option<&[String]>,
    read: impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<(String, Vec<f64>)>> {
    if arrays::begins(bytes) {
        let arrays::Columns { names, numbers } = arrays::read(bytes)?;
        let names = names.or_else(|| named.map(<[String]>::to_vec)).context(
            "the array's columns have no names; a structured array or np.savez(FILE, q=…) has, or a layout: columns = […]",
        )?;
        expect_names(&names, numbers.len())?;
        if let Some((name, _)) =
            names.iter().zip(&numbers).find(|(name, all)| read(name) && !all.iter().all(|x| x.is_finite()))
        {
            bail!("column `{}` holds a number that is not finite", clip(name));
        }
        let wanted = |(name, all): (String, Vec<f64>)| if read(&name) { (name, all) } else { (name, Vec::new()) };
        return Ok(names.into_iter().zip(numbers).map(wanted).collect());
    }
    all(Lines::new(Box::new(Cursor::new(Arc::clone(bytes))), Some(bytes.len() as u64)), named, read)
}

/// Refuses names of other than so many columns.
fn expect_names(names: &[String], columns: usize) -> anyhow::Result<()> {
    let found = counted(names.len(), "column");
    ensure!(names.len() == columns, "the layout names {found}, and the table has {columns} without a header");
    Ok(())
}

fn all(
    mut lines: Lines,
    named: Option<&[String]>,
    read: impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<(String, Vec<f64>)>> {
    let mut progress = Progress::start(lines.size().map_or(Work::Rows, Work::Bytes), false);
    let header = lines.header()?;
    let is_number = |cell: &str| cell.trim().replace(',', ".").parse::<f64>().is_ok();
    // Between semicolons and tabs numbers may have commas of their own, which names have not.
    let rows_by = |separator: &char| header.contains(*separator) && header.split(*separator).all(is_number);
    let separator = [';', '\t'].into_iter().find(rows_by);
    let separator =
        separator.or_else(|| [',', ';', '\t'].into_iter().find(|&separator| header.contains(separator))).unwrap_or(',');
    let header = usual(&header, separator);
    let is_row = cells(&header).all(|cell| cell.parse::<f64>().is_ok());
    let mut columns: Vec<(String, Vec<f64>)> = match named.filter(|_| is_row) {
        Some(names) => {
            expect_names(names, cells(&header).count())?;
            lines.again();
            names.iter().map(|name| (name.clone(), Vec::new())).collect()
        }
        None => {
            ensure!(
                !is_row,
                "the first line holds numbers, so that there is no header; name the columns in it, or in a layout: columns = [\"t\", \"q1\", …]"
            );
            cells(&header).map(|name| (name.to_owned(), Vec::new())).collect()
        }
    };
    if let Some((name, _)) = columns.iter().find(|(name, _)| name.contains([';', '\t'])) {
        bail!("the header holds `{}`; separate columns by commas", clip(name));
    }
    let wanted: Vec<bool> = columns.iter().map(|(name, _)| read(name)).collect();
    for rows in 0_usize.. {
        let Some((number, line)) = lines.next()? else { break };
        let line = &*usual(line, separator);
        expect_cells(number, line, columns.len())?;
        let empty = cells(line).zip(&columns).zip(&wanted).find(|((cell, _), wanted)| **wanted && cell.is_empty());
        if let Some(((_, (name, _)), _)) = empty {
            let name = name.clone();
            ensure!(lines.next()?.is_none(), "line {number}: column `{name}` is empty; expected a number");
            break; // a last row that is not whole, as where a controller does not measure any more
        }
        for ((cell, (name, numbers)), _) in cells(line).zip(&mut columns).zip(&wanted).filter(|(_, wanted)| **wanted) {
            numbers.push(value(cell, name).with_context(|| format!("line {number}"))?);
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
        other => line.replace(',', ".").replace(other, ",").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns_of(text: &'static str) -> anyhow::Result<Vec<(String, Vec<f64>)>> {
        all(Lines::new(Box::new(text.as_bytes()), None), None, |_| true)
    }

    #[test]
    fn semicolons_and_tabs_separate_too_and_decimals_have_commas_then() {
        for text in ["t;q1\n0,5;-1,25e-3\n", "t\tq1\n0.5\t-1.25e-3\n", "t,q1\n0.5,-1.25e-3\n"] {
            assert_eq!(columns_of(text).unwrap(), [("t".into(), vec![0.5]), ("q1".into(), vec![-1.25e-3])]);
        }
        assert!(columns_of("t,q1;q2\n1,2\n").unwrap_err().to_string().contains("commas"));
        let short = columns_of("t,q1\n1,2\n3,\n").unwrap();
        assert_eq!(short[0].1, [1.0], "a last row that is not whole");
        assert!(columns_of("0,1\n1,2\n").unwrap_err().to_string().contains("there is no header"));
        let named = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            all(Lines::new(Box::new("0;1,5\n1;2\n".as_bytes()), None), Some(&names), |_| true)
        };
        assert_eq!(named(&["t", "q1"]).unwrap(), [("t".into(), vec![0.0, 1.0]), ("q1".into(), vec![1.5, 2.0])]);
        assert!(named(&["t"]).unwrap_err().to_string().contains("the layout names 1 column, and the table has 2"));
        assert!(columns_of("t,q1\n1,\n3,4\n").unwrap_err().to_string().contains("line 2: column `q1` is empty"));
    }
}
