//! A rate beside a column of time: the two are compared.

use super::error::{DataError, Doubt};
use super::layout::{Layout, Time};
use super::measurement::{Columns, samples};
use crate::thresholds::{JITTER, SAME_RATE};

/// A column of time beside a rate may be in any of these units, s.
const UNITS_OF_TIME: [f64; 4] = [1.0, 1e-3, 1e-6, 1e-9];

impl Layout {
    /// Refuses a rate that a column of time contradicts.
    pub(super) fn expect_rate(&self, columns: &Columns) -> Result<(), DataError> {
        let Time::Rate(rate) = self.time else { return Ok(()) };
        match self.stamps_beside_rate(columns, rate) {
            Some((column, of_column, None)) => Err(DataError::Rate { rate, column: column.to_owned(), of_column }),
            _ => Ok(()),
        }
    }

    /// A column of time beside a rate, with its rows per unit and the unit in which the two agree, s, if there is one.
    fn stamps_beside_rate<'c>(&self, columns: &'c Columns, rate: f64) -> Option<(&'c str, f64, Option<f64>)> {
        let goes_on = |time: &[f64]| time.len() > 1 && time[time.len() - 1] > time[0];
        let (column, time) = columns.iter().find(|(name, time)| self.tells_time(name) && goes_on(time))?;
        let of_column = (time.len() - 1) as f64 / (time[time.len() - 1] - time[0]);
        let agrees = |in_si: &f64| (of_column / (in_si * rate) - 1.0).abs() < SAME_RATE;
        Some((column, of_column, UNITS_OF_TIME.into_iter().find(agrees)))
    }

    /// By how much a rate that is given misses the stamps beside it.
    pub(super) fn uneven_stamps(&self, columns: &Columns) -> Option<Doubt> {
        let Time::Rate(rate) = self.time else { return None };
        let (column, _, Some(in_si)) = self.stamps_beside_rate(columns, rate)? else { return None };
        let stamps = samples(columns, column);
        let worst = |distances: &mut dyn Iterator<Item = f64>| distances.map(f64::abs).fold(0.0, f64::max);
        let jitter = worst(&mut stamps.windows(2).map(|pair| (pair[1] - pair[0]) * in_si * rate - 1.0));
        let away = worst(&mut stamps.iter().enumerate().map(|(k, t)| (t - stamps[0]) * in_si - k as f64 / rate));
        let is_uneven = jitter > JITTER || away * rate > 1.0;
        is_uneven.then(|| Doubt::UnevenStamps { rate, column: column.to_owned(), jitter, away })
    }
}
