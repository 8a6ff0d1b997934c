//! Taught points, in a file of TOML.
//!
//! ```toml
//! [points.above-table]
//! waist = 0.1
//! shoulder = -0.8
//! ```
//!
//! Positions are in rad or m, by the names of the drives. A file is replaced as a whole: a neighbour is written, brought to
//! the disk and renamed. It is read each time it is asked for, since somebody may have changed it meanwhile.

use super::command::check_name;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// More points than these are refused.
const MOST_POINTS: usize = 1000;
/// A longer file is not one of points, bytes.
const LONGEST_FILE: u64 = 4 << 20;

/// A name, and positions of the drives.
type Point = (String, Vec<f64>);

/// Named points of one robot, in a file.
#[derive(Debug, Clone)]
pub struct Points {
    path: PathBuf,
    drives: Vec<String>,
}

/// Why points cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum PointsError {
    #[error("{}: cannot be read: {source}", path.display())]
    Unread { path: PathBuf, source: io::Error },
    #[error("{}: is not a file of points: {what}", path.display())]
    Malformed { path: PathBuf, what: String },
    #[error("{}: cannot be written: {source}", path.display())]
    Unwritten { path: PathBuf, source: io::Error },
    #[error("there is no point `{name}`; there are {}", if known.is_empty() { "none".to_owned() } else { known.join(", ") })]
    Unknown { name: String, known: Vec<String> },
    #[error("there are {MOST_POINTS} points already; forget some")]
    TooMany,
}

impl Points {
    /// Those of a file, which need not be there.
    ///
    /// # Errors
    /// If it cannot be read, or does not give every drive of every point one finite number.
    pub fn open(path: &Path, drives: &[String]) -> Result<Self, PointsError> {
        let points = Self { path: path.to_owned(), drives: drives.to_vec() };
        points.all().map(|_| points)
    }

    /// All points, in the order of the file, as it is now.
    ///
    /// # Errors
    /// As of [`open`](Self::open).
    pub fn all(&self) -> Result<Vec<Point>, PointsError> {
        let unread = |source| PointsError::Unread { path: self.path.clone(), source };
        let length = match fs::metadata(&self.path) {
            Ok(file) if !file.is_file() => return Err(self.malformed("it is no file".to_owned())), // a pipe or a device never ends
            Ok(file) => file.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(unread(error)),
        };
        if length > LONGEST_FILE {
            return Err(self.malformed(format!("{length} bytes are too many")));
        }
        self.parse(&fs::read_to_string(&self.path).map_err(unread)?)
    }

    fn malformed(&self, what: String) -> PointsError {
        PointsError::Malformed { path: self.path.clone(), what }
    }

    fn parse(&self, text: &str) -> Result<Vec<Point>, PointsError> {
        let document = DeTable::parse(text).map_err(|error| self.malformed(error.to_string()))?;
        let mut points = Vec::new();
        for (key, value) in document.get_ref() {
            let (key, DeValue::Table(named)) = (key.get_ref(), value.get_ref()) else {
                return Err(self.malformed(format!("`{}`; expected [points.NAME]", key.get_ref())));
            };
            if key != "points" {
                return Err(self.malformed(format!("`{key}`; expected [points.NAME]")));
            }
            for (name, point) in named {
                let name = check_name(name.get_ref()).map_err(|error| self.malformed(error.to_string()))?;
                let DeValue::Table(point) = point.get_ref() else {
                    return Err(self.malformed(format!("points.{name}; expected a position of every drive")));
                };
                points.push((name.clone(), self.positions(&name, point)?));
            }
        }
        if points.len() > MOST_POINTS {
            return Err(PointsError::TooMany);
        }
        Ok(points)
    }

    fn positions(&self, name: &str, point: &DeTable<'_>) -> Result<Vec<f64>, PointsError> {
        if let Some((drive, _)) = point.iter().find(|(drive, _)| !self.drives.iter().any(|own| own == drive.get_ref()))
        {
            let (drive, known) = (drive.get_ref(), self.drives.join(", "));
            return Err(self.malformed(format!("points.{name}: unknown drive `{drive}`; expected {known}")));
        }
        let position = |drive: &String| {
            let number = match point.get(drive.as_str()).map(toml::Spanned::get_ref) {
                Some(DeValue::Float(number)) => number.as_str().parse().ok(),
                Some(DeValue::Integer(number)) => number.as_str().parse().ok(),
                _ => None,
            };
            let finite = number.filter(|number: &f64| number.is_finite());
            finite.ok_or_else(|| self.malformed(format!("points.{name}.{drive}: expected a position, rad or m")))
        };
        self.drives.iter().map(position).collect()
    }

    /// The positions of a point.
    ///
    /// # Errors
    /// If there is no such point, or as of [`open`](Self::open).
    pub fn get(&self, name: &str) -> Result<Vec<f64>, PointsError> {
        let mut all = self.all()?;
        let found = all.iter().position(|(known, _)| known == name);
        found.map(|k| all.swap_remove(k).1).ok_or_else(|| unknown(name, &all))
    }

    /// Keeps a point, in place of one of the same name, and writes the file. What somebody else has changed in it stays.
    ///
    /// # Errors
    /// If there are too many, or the file cannot be read or written: it is as before then.
    ///
    /// # Panics
    /// If there is not one value per drive.
    pub fn teach(&self, name: &str, positions: &[f64]) -> Result<(), PointsError> {
        assert_eq!(positions.len(), self.drives.len(), "one value per drive");
        let mut points = self.all()?;
        match points.iter().position(|(known, _)| known == name) {
            Some(k) => points[k].1 = positions.to_vec(),
            None if points.len() == MOST_POINTS => return Err(PointsError::TooMany),
            None => points.push((name.to_owned(), positions.to_vec())),
        }
        self.replace(&points)
    }

    /// Removes a point and writes the file.
    ///
    /// # Errors
    /// If there is no such point, or the file cannot be read or written.
    pub fn forget(&self, name: &str) -> Result<(), PointsError> {
        let mut points = self.all()?;
        let before = points.len();
        points.retain(|(known, _)| known != name);
        if points.len() == before { Err(unknown(name, &points)) } else { self.replace(&points) }
    }

    fn replace(&self, points: &[Point]) -> Result<(), PointsError> {
        write(&self.path, &self.text(points))
            .map_err(|source| PointsError::Unwritten { path: self.path.clone(), source })
    }

    fn text(&self, points: &[Point]) -> String {
        let mut text = "# Points taught by an operator: positions of the drives, rad or m.\n".to_owned();
        for (name, positions) in points {
            let _ = write!(text, "\n[points.{name}]\n");
            for (drive, position) in self.drives.iter().zip(positions) {
                let _ = writeln!(text, "{} = {position:?}", key(drive));
            }
        }
        text
    }
}

fn unknown(name: &str, points: &[Point]) -> PointsError {
    PointsError::Unknown { name: name.to_owned(), known: points.iter().map(|(name, _)| name.clone()).collect() }
}

/// A drive's name as a key of TOML.
fn key(name: &str) -> String {
    let mut key = "\"".to_owned();
    for c in name.chars() {
        match c {
            '"' | '\\' => key.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(key, "\\u{:04X}", u32::from(c));
            }
            c => key.push(c),
        }
    }
    key + "\""
}

/// Replaces a file by a neighbour that is complete.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()); // a link stays
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy().into_owned();
    let neighbour = folder.join(format!(".{name}.{}.tmp", std::process::id()));
    let written = (|| {
        let mut file = File::create(&neighbour)?;
        if let Ok(existing) = fs::metadata(&path) {
            file.set_permissions(existing.permissions())?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&neighbour, &path)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&neighbour);
    }
    written
}
