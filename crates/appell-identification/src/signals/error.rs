//! What can be wrong with a filter, or with the instants of a measurement.

use crate::number::{shown, shown_instant};
use crate::thresholds::{FINEST, LEAST_SAMPLES};

/// Why a signal cannot be treated as asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum SignalError {
    /// A frequency at which no filter of this sample rate can cut. `cut_off`: Hz; `nyquist`: half the sample rate,
    /// Hz.
    #[error(
        "a cut-off of {} Hz does not lie between 0 and {} Hz, half the sample rate; choose a lower one",
        shown(*cut_off), shown(*nyquist)
    )]
    CutOff { cut_off: f64, nyquist: f64 },
    /// A sample rate that is not positive. `rate`: Hz.
    #[error("a sample rate of {} Hz is not positive", shown(*rate))]
    Rate { rate: f64 },
    /// A filter's order that is not sensible. `most`: the highest that is offered.
    #[error("a filter of order {order} is not offered; choose 1 to {most}")]
    Order { order: usize, most: usize },
    /// A decimation that keeps nothing.
    #[error("a decimation by {factor} is not offered; 1 keeps every sample, 2 every second")]
    Decimation { factor: usize },
    /// Too few samples to work on.
    #[error("{found} samples are too few, {least} are needed; record longer, or decimate and trim less")]
    TooShort { found: usize, least: usize },
    /// NaN or an infinity. `row`: counted from 1; `value`: NaN or an infinity.
    #[error("sample {row} is {value}, not a number to compute with; leave out its row, or mend what recorded it")]
    NotFinite { row: usize, value: f64 },
    /// Time that does not grow. `row`: counted from 1; `time` and `before`: s.
    #[error(
        "time goes backwards: {} s at sample {row} after {} s; sort the rows, or split the file where a second \
         recording begins", shown_instant(*time), shown_instant(*before)
    )]
    Backwards { row: usize, time: f64, before: f64 },
    /// Channels that were never recorded at the same time. `first` and `other`: from when to when, s.
    #[error(
        "from {} to {} s and from {} to {} s have nothing in common; check that these columns of time are of one clock and in one unit",
        shown_instant(first[0]), shown_instant(first[1]), shown_instant(other[0]), shown_instant(other[1])
    )]
    NothingInCommon { first: [f64; 2], other: [f64; 2] },
    /// No rows that follow each other without a gap. `longest`: how many do.
    #[error(
        "no more than {longest} rows follow each other without a gap of several samples, and {LEAST_SAMPLES} are needed; check the column of time, or \
         give time.rate"
    )]
    Scattered { longest: usize },
    /// An even grid that is much finer than what was recorded. `rate` and `recorded`: Hz.
    #[error(
        "a rate of {} Hz is beyond {FINEST} times that of the rows, {} Hz; check time.rate, and the unit of that column",
        shown(*rate), shown(*recorded)
    )]
    TooFine { rate: f64, recorded: f64 },
    /// Time that never grows. `time`: s.
    #[error("all samples are at {} s; check the column of time, or give time.rate", shown_instant(*time))]
    StandsStill { time: f64 },
}

/// Refuses NaN and infinities.
pub(crate) fn finite(signal: &[f64]) -> Result<(), SignalError> {
    match signal.iter().position(|x| !x.is_finite()) {
        Some(k) => Err(SignalError::NotFinite { row: k + 1, value: signal[k] }),
        None => Ok(()),
    }
}

/// Refuses fewer samples than it takes.
pub(crate) fn long_enough(found: usize, least: usize) -> Result<(), SignalError> {
    if found < least { Err(SignalError::TooShort { found, least }) } else { Ok(()) }
}

/// Refuses a sample rate that is not positive.
pub(crate) fn positive_rate(rate: f64) -> Result<f64, SignalError> {
    if rate.is_finite() && rate > 0.0 { Ok(rate) } else { Err(SignalError::Rate { rate }) }
}
