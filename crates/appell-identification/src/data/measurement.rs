//! What a recorder's columns say of the joints, once they are understood.

use super::error::{DataError, Doubt};
use crate::signals::Clock;
use core::ops::Range;

/// Columns with their names.
pub type Columns = [(String, Vec<f64>)];

/// A table whose columns were understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// What was measured, one piece after the other: one, or as many as larger gaps of time leave.
    pub pieces: Vec<Measurement>,
    /// What was found about its stamps and done about them, in words; empty where they are even.
    pub time: String,
    /// What is odd about it.
    pub doubts: Vec<Doubt>,
}

impl Measured {
    /// The longest piece.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn longest(&self) -> &Measurement {
        self.pieces.iter().max_by_key(|piece| piece.time.len()).expect("a table has a piece")
    }
}

/// What was measured at the joints of a robot, in SI units, at even instants; of the driven joints where loops are closed.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// The joints' names.
    pub joints: Vec<String>,
    /// When, s.
    pub time: Vec<f64>,
    /// How evenly.
    pub clock: Clock,
    /// Positions, rad or m, joint by joint.
    pub q: Vec<Vec<f64>>,
    /// Velocities, rad/s or m/s, where they were measured.
    pub v: Option<Vec<Vec<f64>>>,
    /// Efforts, N m or N.
    pub effort: Vec<Vec<f64>>,
    /// Samples whose efforts are not what they were: cut off or dead.
    pub left_out: Vec<Range<usize>>,
}

impl Measurement {
    /// Refuses a reference that is not of the same instants, within half a step, as `data`.
    ///
    /// # Errors
    /// The first row that is at another instant, or how many there are.
    pub fn expect_instants_of(&self, data: &Self) -> Result<(), DataError> {
        let (found, expected) = (self.time.len(), data.time.len());
        if found != expected {
            return Err(DataError::Rows { found, expected });
        }
        let mut pairs = self.time.iter().zip(&data.time).enumerate();
        match pairs.find(|(_, (found, expected))| (*found - *expected).abs() > 0.5 * data.clock.step) {
            Some((k, (&found, &expected))) => Err(DataError::Instant { row: k + 1, found, expected }),
            None => Ok(()),
        }
    }
}

/// The samples of a column; none where it is not there.
pub(super) fn samples<'c>(columns: &'c Columns, name: &str) -> &'c [f64] {
    columns.iter().find(|(found, _)| found == name).map_or(&[], |(_, samples)| samples)
}
