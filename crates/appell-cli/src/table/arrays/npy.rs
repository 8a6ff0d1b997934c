//! One array of NumPy: a magic word, a header that says what follows, and the numbers.

use super::literal::{self, Literal};
use anyhow::{Context, bail, ensure};

/// How such a file begins.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// An array of numbers.
#[derive(Debug, PartialEq)]
pub(super) struct Array {
    pub(super) shape: Vec<usize>,
    /// Names of the numbers of a structured array; none of a plain one.
    pub(super) fields: Vec<String>,
    /// Row by row.
    pub(super) numbers: Vec<f64>,
}

impl Array {
    /// How many numbers a row has.
    pub(super) fn width(&self) -> usize {
        if self.fields.is_empty() { self.shape.iter().skip(1).product() } else { self.fields.len() }
    }
}

/// A kind of number: its letter, its bytes, and whether the largest come first.
#[derive(Clone, Copy)]
struct Number {
    kind: u8,
    bytes: usize,
    big: bool,
}

/// Reads an array.
pub(super) fn read(bytes: &[u8]) -> anyhow::Result<Array> {
    let cut = "the file is cut off; write it again";
    let version = *bytes.strip_prefix(MAGIC).context("is not an array of NumPy")?.first().context(cut)?;
    let (at, length): (usize, usize) = match (version, bytes.get(8..12)) {
        (1, Some(&[a, b, ..])) => (10, usize::from(u16::from_le_bytes([a, b]))),
        (2 | 3, Some(&[a, b, c, d])) => (12, u32::from_le_bytes([a, b, c, d]) as usize),
        (1..=3, _) => bail!(cut),
        (other, _) => bail!("version {other} of the format is not known; np.save writes 1"),
    };
    let header = at.checked_add(length).and_then(|end| bytes.get(at..end)).context(cut)?;
    let header = str::from_utf8(header).ok().and_then(literal::read).context("its header is not NumPy's")?;
    let part = |key: &str| header.get(key).with_context(|| format!("its header says no {key}"));
    let shape = part("shape")?.numbers().context("its shape is no tuple of numbers")?;
    let (fields, numbers) = record(part("descr")?)?;
    let by_columns = part("fortran_order")? == &Literal::Truth(true);
    ensure!(
        !by_columns || shape.len() < 2 || (shape.len() == 2 && numbers.len() == 1),
        "its numbers are in Fortran's order, which is read of plain arrays of two dimensions; save np.ascontiguousarray of it"
    );
    let record_size: usize = numbers.iter().map(|number| number.bytes).sum();
    let count = shape.iter().try_fold(1_usize, |product, side| product.checked_mul(*side));
    let size = count.and_then(|count| count.checked_mul(record_size)).context("its shape is too large")?;
    let data = bytes.get(at + length..).and_then(|data| data.get(..size)).context(cut)?;
    let mut read = Vec::with_capacity(size.checked_div(record_size).unwrap_or(0) * numbers.len());
    for record in data.chunks(record_size.max(1)) {
        let mut at = 0;
        for number in &numbers {
            read.push(number.read(&record[at..at + number.bytes]));
            at += number.bytes;
        }
    }
    if let (true, &[rows, width]) = (by_columns, &shape[..]) {
        read = (0..rows * width).map(|k| read[k % width * rows + k / width]).collect();
    }
    Ok(Array { shape, fields, numbers: read })
}

/// The fields of a record and its numbers; a plain array is one number without a name.
fn record(descr: &Literal) -> anyhow::Result<(Vec<String>, Vec<Number>)> {
    let fields = match descr {
        Literal::Text(text) => return Ok((Vec::new(), vec![Number::of(text)?])),
        Literal::List(fields) => fields,
        _ => bail!("its dtype is not known"),
    };
    let (mut names, mut numbers) = (Vec::new(), Vec::new());
    for field in fields {
        let Literal::List(field) = field else { bail!("its dtype is not known") };
        let (name, number, shape) = match &field[..] {
            [Literal::Text(name), Literal::Text(number)] => (name, number, None),
            [Literal::Text(name), Literal::Text(number), shape] => (name, number, shape.numbers()),
            _ => bail!("a field of its dtype is not a number; keep fields of numbers"),
        };
        let number = Number::of(number).with_context(|| format!("field `{name}`"))?;
        match shape.as_deref() {
            None => {
                names.push(name.clone());
                numbers.push(number);
            }
            Some(&[count]) if count <= 100_000 => {
                names.extend((1..=count).map(|k| format!("{name}{k}")));
                numbers.extend(vec![number; count]);
            }
            Some(_) => bail!("field `{name}` has several dimensions; a table has columns"),
        }
    }
    ensure!(!names.is_empty(), "its dtype has no field");
    Ok((names, numbers))
}

impl Number {
    fn of(text: &str) -> anyhow::Result<Self> {
        let (order, rest) = text.split_at_checked(1).unwrap_or_default();
        let (kind, bytes) = rest.split_at_checked(1).unwrap_or_default();
        let number = kind.bytes().next().zip(bytes.parse::<usize>().ok());
        match (order, number) {
            (
                "<" | ">" | "|" | "=",
                Some(
                    (kind @ b'f', bytes @ (4 | 8))
                    | (kind @ (b'i' | b'u'), bytes @ (1 | 2 | 4 | 8))
                    | (kind @ b'b', bytes @ 1),
                ),
            ) => Ok(Self { kind, bytes, big: order == ">" }),
            _ => bail!("its dtype is `{text}`; expected floating-point numbers of 4 or 8 bytes, or integers"),
        }
    }

    fn read(self, bytes: &[u8]) -> f64 {
        let mut own = [0; 8];
        for (k, byte) in bytes.iter().enumerate() {
            own[if self.big { self.bytes - 1 - k } else { k }] = *byte;
        }
        match (self.kind, self.bytes) {
            (b'f', 8) => f64::from_le_bytes(own),
            (b'f', _) => f64::from(f32::from_le_bytes([own[0], own[1], own[2], own[3]])),
            (b'i', bytes) => {
                let shift = 64 - 8 * bytes;
                (i64::from_le_bytes(own) << shift >> shift) as f64
            }
            _ => u64::from_le_bytes(own) as f64,
        }
    }
}

/// Writes a plain array.
pub(super) fn write(shape: &[usize], numbers: &[f64]) -> Vec<u8> {
    whole("'<f8'", shape, numbers)
}

/// Writes rows of named numbers.
pub(super) fn write_fields(names: &[String], rows: usize, numbers: &[f64]) -> Vec<u8> {
    // Names of columns hold no quote: descriptions allow none.
    let fields: String = names.iter().map(|name| format!("('{}', '<f8'), ", name.replace(['\'', '\\'], "_"))).collect();
    whole(&format!("[{fields}]"), &[rows], numbers)
}

fn whole(descr: &str, shape: &[usize], numbers: &[f64]) -> Vec<u8> {
    let shape: String = shape.iter().map(|side| format!("{side}, ")).collect();
    let mut header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({shape}), }}");
    // The numbers begin at a multiple of 64 bytes; names beyond ASCII need version 3.
    let version: u8 = if header.is_ascii() { 2 } else { 3 };
    let before = MAGIC.len() + 2 + 4;
    let padding = 64 - (before + header.len() + 1) % 64;
    header.extend(core::iter::repeat_n(' ', padding));
    header.push('\n');
    let mut bytes = MAGIC.to_vec();
    bytes.extend([version, 0]);
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}
