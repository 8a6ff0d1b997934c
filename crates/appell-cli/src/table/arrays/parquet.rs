//! Tables in Parquet: columns of numbers that have names, in groups of rows, perhaps compressed by Snappy.

use super::Columns;
use anyhow::{Context, bail, ensure};
use appell_drawing::listing::clip;
use bytes::Bytes;
use parquet::basic::{Repetition, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{DataType, DoubleType};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::sync::Arc;

/// What Pandas calls the numbers of its rows.
const INDEX: &str = "__index_level_";

/// What is said of a file whose parts do not fit.
const DAMAGED: &str = "the file is damaged; write it again";

/// Rows of a group that is written.
const ROWS_PER_GROUP: usize = 1 << 20;

/// Every format of tables can be written.
pub(super) fn expect() -> anyhow::Result<()> {
    Ok(())
}

/// Reads all columns; a number that is missing is NaN.
pub(super) fn read(bytes: &[u8]) -> anyhow::Result<Columns> {
    let file = SerializedFileReader::new(Bytes::copy_from_slice(bytes)).context(DAMAGED)?;
    let schema = file.metadata().file_metadata().schema_descr_ptr();
    let own: Vec<usize> = (0..schema.num_columns()).filter(|&k| !schema.column(k).name().starts_with(INDEX)).collect();
    let names: Vec<String> = own.iter().map(|&k| schema.column(k).path().string()).collect();
    let mut numbers: Vec<Vec<f64>> = vec![Vec::new(); own.len()];
    for (&k, name) in own.iter().zip(&names) {
        ensure!(
            schema.column(k).max_rep_level() == 0,
            "column `{}` holds lists; a table has one number per cell: write one column for each, such as q1, q2",
            clip(name)
        );
    }
    ensure!(file.metadata().row_groups().iter().all(|group| lies_within(group, bytes.len())), DAMAGED);
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group).context(DAMAGED)?;
        let rows = usize::try_from(group.metadata().num_rows()).context(DAMAGED)?;
        for ((&k, name), numbers) in own.iter().zip(&names).zip(&mut numbers) {
            let nested = schema.column(k).max_def_level();
            let column = group.get_column_reader(k).map_err(anyhow::Error::from);
            let values = column.and_then(|column| of_column(column, rows, nested));
            numbers.extend(values.with_context(|| format!("column `{}`", clip(name)))?);
        }
    }
    ensure!(!names.is_empty(), "there is no column in it");
    Ok(Columns { names: Some(names), numbers })
}

/// Whether the columns of a group are where the file is: the crate does not look.
fn lies_within(group: &RowGroupMetaData, size: usize) -> bool {
    let is_within = |column: &ColumnChunkMetaData| {
        let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
        let end = start.checked_add(column.compressed_size());
        start >= 0 && column.compressed_size() >= 0 && end.is_some_and(|end| end <= size as i64)
    };
    group.num_rows() >= 0 && group.columns().iter().all(is_within)
}

fn of_column(column: ColumnReader, rows: usize, nested: i16) -> anyhow::Result<Vec<f64>> {
    match column {
        ColumnReader::DoubleColumnReader(column) => values(column, rows, nested, |x| x),
        ColumnReader::FloatColumnReader(column) => values(column, rows, nested, f64::from),
        ColumnReader::Int32ColumnReader(column) => values(column, rows, nested, f64::from),
        ColumnReader::Int64ColumnReader(column) => values(column, rows, nested, |x| x as f64),
        ColumnReader::BoolColumnReader(column) => values(column, rows, nested, f64::from),
        _ => bail!("holds no numbers; leave it out, or write it as floating-point numbers"),
    }
}

/// The numbers of a column; `nested` is the level at which one is there.
fn values<D: DataType>(
    mut column: ColumnReaderImpl<D>,
    rows: usize,
    nested: i16,
    number: impl Fn(D::T) -> f64,
) -> anyhow::Result<Vec<f64>> {
    let (mut levels, mut present) = (Vec::new(), Vec::new());
    let mut read = 0;
    while read < rows {
        let (records, _, _) = column.read_records(rows - read, Some(&mut levels), None, &mut present)?;
        ensure!(records > 0, "it ends after {read} of {rows} rows; write the file again");
        read += records;
    }
    let mut present = present.into_iter().map(number);
    if nested == 0 {
        return Ok(present.collect());
    }
    Ok(levels
        .iter()
        .map(|&level| if level == nested { present.next().unwrap_or(f64::NAN) } else { f64::NAN })
        .collect())
}

/// A table as a file: `numbers` row by row, one per name.
pub(super) fn write(names: &[String], numbers: &[f64]) -> anyhow::Result<Vec<u8>> {
    let field = |name: &String| {
        let column = Type::primitive_type_builder(name, Physical::DOUBLE).with_repetition(Repetition::REQUIRED);
        column.build().map(Arc::new)
    };
    let fields = names.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder("table").with_fields(fields).build()?;
    let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::default())?;
    for rows in numbers.chunks(ROWS_PER_GROUP * names.len().max(1)) {
        let mut group = file.next_row_group()?;
        let mut k = 0;
        while let Some(mut column) = group.next_column()? {
            let own: Vec<f64> = rows.iter().skip(k).step_by(names.len()).copied().collect();
            column.typed::<DoubleType>().write_batch(&own, None, None)?;
            column.close()?;
            k += 1;
        }
        group.close()?;
    }
    Ok(file.into_inner()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By `pyarrow.parquet.write_table` of t = [0.5, 1.5] and q1 = [1, null] as integers, with Snappy and dictionaries.
    const PYARROW: &[u8] = include_bytes!("../../../tests/data/pyarrow.parquet");

    #[test]
    fn what_is_written_is_read() {
        let names = ["t".to_owned(), "q.elbow".to_owned()];
        let bytes = write(&names, &[0.0, 1.5, 0.1, f64::NAN, 0.2, -1e300]).unwrap();
        let read = read(&bytes).unwrap();
        assert_eq!(read.names.unwrap(), names);
        assert_eq!(read.numbers[0], [0.0, 0.1, 0.2]);
        assert_eq!([read.numbers[1][0], read.numbers[1][2]], [1.5, -1e300]);
        assert!(read.numbers[1][1].is_nan());
    }

    #[test]
    fn files_of_pyarrow_are_read() {
        let read = read(PYARROW).unwrap();
        assert_eq!(read.names.unwrap(), ["t", "q1"]);
        assert_eq!(read.numbers[0], [0.5, 1.5]);
        assert!(read.numbers[1][0] == 1.0 && read.numbers[1][1].is_nan());
    }

    #[test]
    fn damaged_files_are_refused_without_panic() {
        for k in 0..PYARROW.len() {
            let _ = read(&PYARROW[..k]);
            let mut changed = PYARROW.to_vec();
            changed[k] ^= 0x55;
            let _ = read(&changed);
        }
    }
}
