//! Tables as arrays of NumPy, beside CSV.
//!
//! | file | columns |
//! |---|---|
//! | `.npy`, structured | the fields, by their names; a field of k numbers `q` is `q1` … `qk` |
//! | `.npy`, plain, two dimensions | those that the question needs, in the order in which its message names them, `t` before them if there is one more |
//! | `.npz` | an array per quantity: `t` and others of one dimension by their names, `q` of rows × k is `q1` … `qk` |
//!
//! Answers are written as a structured `.npy`, or as `.npz` with an array per quantity: `tau` is rows × n, `M` is
//! rows × n × n. A number that is not known is NaN. Arrays are kept whole in memory, which CSV is not.

mod literal;
mod npy;
mod zip;

use anyhow::{Context, bail, ensure};
use npy::Array;
use std::path::Path;

/// Columns of numbers, all of one length.
pub(super) struct Columns {
    /// None where the file does not name them.
    pub(super) names: Option<Vec<String>>,
    pub(super) numbers: Vec<Vec<f64>>,
}

/// A format of arrays that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArrayFormat {
    Npy,
    Npz,
}

impl ArrayFormat {
    /// The format of a file, by its ending.
    pub(super) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "npy" => Some(Self::Npy),
            "npz" => Some(Self::Npz),
            _ => None,
        }
    }
}

/// Whether a file that begins so holds arrays.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(npy::MAGIC) || bytes.starts_with(zip::MAGIC)
}

/// The columns of a file that [begins](begins) so.
pub(super) fn read(bytes: &[u8]) -> anyhow::Result<Columns> {
    if bytes.starts_with(npy::MAGIC) {
        return of_array(npy::read(bytes)?);
    }
    let (mut names, mut numbers): (Vec<String>, Vec<Vec<f64>>) = Default::default();
    for (name, bytes) in zip::read(bytes)? {
        let name = name.strip_suffix(".npy").unwrap_or(&name);
        let array = npy::read(&bytes).with_context(|| format!("array `{name}`"))?;
        for (column, values) in named(name, array)? {
            if let Some(first) = numbers.first() {
                let (rows, expected) = (values.len(), first.len());
                ensure!(rows == expected, "array `{name}` has {rows} rows where `{}` has {expected}", names[0]);
            }
            names.push(column);
            numbers.push(values);
        }
    }
    ensure!(!names.is_empty(), "there is no array in it; np.savez(FILE, q=…, v=…) writes some");
    Ok(Columns { names: Some(names), numbers })
}

/// The columns of one array.
fn of_array(array: Array) -> anyhow::Result<Columns> {
    let names = (!array.fields.is_empty()).then(|| array.fields.clone());
    let width = array.width();
    ensure!(
        array.shape.len() <= if names.is_some() { 1 } else { 2 },
        "the array has {} dimensions; a table has rows and columns",
        array.shape.len()
    );
    Ok(Columns { names, numbers: columns(&array.numbers, width) })
}

/// The columns of an array of a `.npz`.
fn named(name: &str, array: Array) -> anyhow::Result<Vec<(String, Vec<f64>)>> {
    let width = array.width();
    let names = match (&array.fields[..], array.shape.len()) {
        ([], 0 | 1) => vec![name.to_owned()],
        ([], 2) => (1..=width).map(|k| format!("{name}{k}")).collect(),
        ([], dimensions) => bail!("array `{name}` has {dimensions} dimensions; expected rows, or rows and columns"),
        (fields, _) => fields.to_vec(),
    };
    Ok(names.into_iter().zip(columns(&array.numbers, width)).collect())
}

/// Numbers row by row as columns.
fn columns(numbers: &[f64], width: usize) -> Vec<Vec<f64>> {
    (0..width).map(|k| numbers.iter().skip(k).step_by(width.max(1)).copied().collect()).collect()
}

/// A table as a file: `numbers` row by row, one per name.
pub(super) fn write(format: ArrayFormat, names: &[String], numbers: &[f64]) -> Vec<u8> {
    let rows = if names.is_empty() { 0 } else { numbers.len() / names.len() };
    if format == ArrayFormat::Npy {
        return npy::write_fields(names, rows, numbers);
    }
    let arrays = groups(names).into_iter().map(|group| {
        let Group { name, first, count, square } = group;
        let of_row = |row: &[f64]| row[first..first + count].to_vec();
        let own: Vec<f64> = numbers.chunks(names.len()).flat_map(of_row).collect();
        let shape = match square {
            Some(side) => vec![rows, side, side],
            None if name == names[first] => vec![rows],
            None => vec![rows, count],
        };
        (format!("{name}.npy"), npy::write(&shape, &own))
    });
    zip::write(&arrays.collect::<Vec<_>>())
}

/// Columns that make one array.
struct Group {
    name: String,
    first: usize,
    count: usize,
    /// The side of a square matrix.
    square: Option<usize>,
}

/// Neighbours that differ in their numbers alone, `q1` … `q6` or `M11` … `M66`.
fn groups(names: &[String]) -> Vec<Group> {
    let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_').to_owned();
    let mut groups: Vec<Group> = Vec::new();
    for (k, column) in names.iter().enumerate() {
        let name = stem(column);
        let is_numbered = name != *column && !name.is_empty();
        match groups.last_mut() {
            Some(last) if is_numbered && last.name == name && names[last.first] != name => last.count += 1,
            _ => {
                let name = if is_numbered { name } else { column.clone() };
                groups.push(Group { name, first: k, count: 1, square: None });
            }
        }
    }
    for group in &mut groups {
        let side = group.count.isqrt();
        let apart = if names[group.first].ends_with("1_1") { "_" } else { "" };
        let label = |k: usize| format!("{}{}{apart}{}", group.name, k / side + 1, k % side + 1);
        let is_square = side * side == group.count && side > 0;
        if is_square && (0..group.count).all(|k| names[group.first + k] == label(k)) {
            group.square = Some(side);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> Vec<String> {
        all.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let names = names(&["t", "q1", "q2", "q.elbow"]);
        let numbers = [0.0, 1.5, f64::NAN, -3.0, 0.1, 2.5, 1e300, 4.0];
        for format in [ArrayFormat::Npy, ArrayFormat::Npz] {
            let read = read(&write(format, &names, &numbers)).unwrap();
            assert_eq!(read.names.unwrap(), names);
            assert_eq!(read.numbers[1], [1.5, 2.5]);
            assert_eq!(read.numbers[3], [-3.0, 4.0]);
            assert!(read.numbers[2][0].is_nan());
        }
    }

    #[test]
    fn matrices_are_squares() {
        let found = groups(&names(&["t", "M11", "M12", "M21", "M22", "tau1", "tau2", "px", "py", "x1"]));
        let found: Vec<_> = found.iter().map(|group| (group.name.as_str(), group.count, group.square)).collect();
        let expected =
            [("t", 1, None), ("M", 4, Some(2)), ("tau", 2, None), ("px", 1, None), ("py", 1, None), ("x", 1, None)];
        assert_eq!(found, expected);
        assert_eq!(groups(&names(&["M1_1", "M1_2", "M2_1", "M2_2"]))[0].square, Some(2));
    }

    /// By `np.savez_compressed(f, q=np.arange(6.0).reshape(3, 2).astype('>f4', order='F'), t=np.array([1, 2, 3], 'i2'))`.
    #[test]
    fn numpys_own_files_are_read() {
        let bytes = include_bytes!("../../../tests/data/compressed.npz");
        let read = read(bytes).unwrap();
        assert_eq!(read.names.unwrap(), ["q1", "q2", "t"]);
        assert_eq!(read.numbers, [[0.0, 2.0, 4.0], [1.0, 3.0, 5.0], [1.0, 2.0, 3.0]]);
    }

    #[test]
    fn damaged_files_are_refused_without_panic() {
        let names = names(&["q1", "q2"]);
        for format in [ArrayFormat::Npy, ArrayFormat::Npz] {
            let whole = write(format, &names, &[1.0, 2.0, 3.0, 4.0]);
            for k in 0..whole.len() {
                let _ = read(&whole[..k]);
                let mut changed = whole.clone();
                changed[k] = changed[k].wrapping_add(0x55);
                let _ = read(&changed);
            }
        }
        let compressed = include_bytes!("../../../tests/data/compressed.npz");
        for k in 0..compressed.len() {
            let mut changed = compressed.to_vec();
            changed[k] ^= 0xff;
            let _ = read(&changed);
        }
    }
}
