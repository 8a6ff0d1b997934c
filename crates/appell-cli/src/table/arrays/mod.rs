//! Tables as arrays of NumPy and in Parquet, beside CSV.
//!
//! | file | columns |
//! |---|---|
//! | `.npy`, structured | the fields, by their names; a field of k numbers `q` is `q1` … `qk` |
//! | `.npy`, plain, two dimensions | those that the question needs, in the order in which its message names them, `t` before them if there is one more |
//! | `.npz` | an array per quantity: `t` and others of one dimension by their names, `q` of rows × k is `q1` … `qk` |
//! | `.parquet` | its columns, by their names; where appell is built with the feature `parquet` |
//!
//! Answers are written as a structured `.npy`, as `.npz` with an array per quantity: `tau` is rows × n, `M` is
//! rows × n × n, or as columns of a `.parquet`. A number that is not known is NaN. They are kept whole in memory, which CSV is not.

mod literal;
mod npy;
#[cfg_attr(not(feature = "parquet"), path = "without_parquet.rs")]
mod parquet;
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
    Parquet,
}

impl ArrayFormat {
    /// The format of a file, by its ending.
    pub(super) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "npy" => Some(Self::Npy),
            "npz" => Some(Self::Npz),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }

    /// Refuses a format that this program cannot write.
    pub(super) fn expect_written(self) -> anyhow::Result<()> {
        if self == Self::Parquet { parquet::expect() } else { Ok(()) }
    }
}

/// How a file of Parquet begins.
const PARQUET_MAGIC: &[u8] = b"PAR1";

/// Whether a file that begins so holds arrays.
pub(super) fn begins(bytes: &[u8]) -> bool {
    [npy::MAGIC, zip::MAGIC, PARQUET_MAGIC].iter().any(|magic| bytes.starts_with(magic))
}

/// The columns of a file that [begins](begins) so.
pub(super) fn read(bytes: &[u8]) -> anyhow::Result<Columns> {
    if bytes.starts_with(npy::MAGIC) {
        return of_array(npy::read(bytes)?);
    }
    if bytes.starts_with(PARQUET_MAGIC) {
        return parquet::read(bytes);
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
    match (array.shape.len(), &names) {
        (1, Some(_)) | (2, None) => {}
        (0 | 1, None) => bail!(
            "the array has one dimension, of which one cannot tell rows from columns; save it as rows × columns: array[:, None] is one \
             column, array[None, :] one row"
        ),
        (dimensions, _) => bail!("the array has {dimensions} dimensions; a table has rows and columns"),
    }
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
pub(super) fn write(format: ArrayFormat, names: &[String], numbers: &[f64]) -> anyhow::Result<Vec<u8>> {
    let rows = if names.is_empty() { 0 } else { numbers.len() / names.len() };
    match format {
        ArrayFormat::Npy => return Ok(npy::write_fields(names, rows, numbers)),
        ArrayFormat::Parquet => return parquet::write(names, numbers),
        ArrayFormat::Npz => {}
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
    Ok(zip::write(&arrays.collect::<Vec<_>>()))
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
            let read = read(&write(format, &names, &numbers).unwrap()).unwrap();
            assert_eq!(read.names.unwrap(), names);
            assert_eq!(read.numbers[1], [1.5, 2.5]);
            assert_eq!(read.numbers[3], [-3.0, 4.0]);
            assert!(read.numbers[2][0].is_nan());
        }
    }

    #[test]
    fn one_dimension_is_neither_rows_nor_columns() {
        let Err(refused) = read(&npy::write(&[3], &[1.0, 2.0, 3.0])) else { panic!("it is no table") };
        assert!(refused.to_string().contains("array[:, None]"), "{refused}");
        assert_eq!(read(&npy::write(&[3, 1], &[1.0, 2.0, 3.0])).unwrap().numbers, [[1.0, 2.0, 3.0]]);
    }

    #[cfg(not(feature = "parquet"))]
    #[test]
    fn parquet_is_refused_with_the_remedy() {
        let Err(refused) = read(b"PAR1") else { panic!("it is not read") };
        assert!(refused.to_string().contains("--features parquet"), "{refused}");
        let refused = ArrayFormat::of(Path::new("x.parquet")).unwrap().expect_written().unwrap_err();
        assert!(refused.to_string().contains(".npy"), "{refused}");
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
            let whole = write(format, &names, &[1.0, 2.0, 3.0, 4.0]).unwrap();
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
