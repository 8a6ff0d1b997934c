//! What is wrong with a recording, and what is only odd.

use crate::number::{percent, rough, shown, shown_instant};
use crate::signals::SignalError;

/// Why columns are no measurement of a robot.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum DataError {
    /// Columns that are not there.
    #[error(
        "there is no column {}; there are {}; a layout says what columns of other names are",
        quoted(missing),
        quoted(found)
    )]
    Missing { missing: Vec<String>, found: Vec<String> },
    /// A column that stands twice.
    #[error("the column `{column}` stands twice; give one of them another name")]
    Twice { column: String },
    /// A column that the layout means for two things.
    #[error("the layout names the column `{column}` twice; every joint and quantity has a column of its own")]
    NamedTwice { column: String },
    /// A reference that is not of the recording. `row`: the first that is not, counted from 1; `found` and
    /// `expected`: s.
    #[error(
        "row {row} is at {} s where the recording is at {} s; a reference must be at the same instants", shown_instant(*found), shown_instant(*expected)
    )]
    Instant { row: usize, found: f64, expected: f64 },
    /// A reference of another length.
    #[error("there are {found} rows where the recording has {expected}; a reference must be at the same instants")]
    Rows { found: usize, expected: usize },
    /// A reference that is cut into other pieces than its recording.
    #[error(
        "gaps of time leave {found} pieces where the recording has {expected}; a reference must be at the same instants"
    )]
    Pieces { found: usize, expected: usize },
    /// Columns of different length.
    #[error("the column `{column}` has {found} samples and the first one {expected}; they must be of one recording")]
    Length { column: String, found: usize, expected: usize },
    /// As many columns as joints.
    #[error("`{section}` is given for {found} columns, but the robot has {expected} driven joints: {}", joints.join(", "))]
    Count { section: &'static str, found: usize, expected: usize, joints: Vec<String> },
    /// A gear matrix that cannot be inverted.
    #[error("`gear.matrix` cannot be inverted: some joint turns no motor of its own; check its rows")]
    Gears,
    /// Something measured at motors, without gears.
    #[error(
        "`{section}` is measured at motors, but there is no section [gear]; give `ratio` or `matrix`, or side = \"joint\""
    )]
    NoGears { section: &'static str },
    /// Something said of a column that is none of the layout.
    #[error("`{section}` names `{column}`, which is no column of the layout; there are {}", quoted(known))]
    NotAColumn { section: &'static str, column: String, known: Vec<String> },
    /// Gears, and nothing measured at motors.
    #[error(
        "`gear` is given, but all columns are said to be measured at the joints; say side = \"motor\" of position, velocity or effort, or \
         leave it out"
    )]
    UnusedGears,
    /// A rate that a column of time contradicts. `rate`: as said, Hz; `of_column`: rows per unit of it.
    #[error(
        "`time.rate` is {} Hz, but by the column `{column}` there are {} rows per second ({} if it is in ms); say time.column = \"{column}\", or \
         the right rate, or give that column another name", shown(*rate), shown(*of_column), shown(1e3 * of_column)
    )]
    Rate { rate: f64, column: String, of_column: f64 },
    /// An infinity, or beyond what anything measures; no time of a sample. `row`: counted from 1, without the header; `value`:
    /// an infinity or larger than 1e30; of a column of time NaN.
    #[error(
        "row {row} of column `{column}` is {}; leave out that row, or mend what recorded it",
        if value.is_nan() { "empty".into() } else { shown(*value) }
    )]
    NotFinite { column: String, row: usize, value: f64 },
    /// A channel with hardly any samples.
    #[error(
        "the column `{column}` has numbers in {found} of {rows} rows, at least {least} are needed; is it the column that was meant?"
    )]
    Sparse { column: String, found: usize, rows: usize, least: usize },
    /// Nothing on a channel.
    #[error(
        "the column `{column}` keeps the value {} in all {rows} rows: not connected, or a joint that did not move; name it \
         in accept.constant if that is right", shown(*value)
    )]
    Constant { column: String, value: f64, rows: usize },
    /// A position that no robot goes through. `row`: the row after the jump, counted from 1; `step`: how far, in the
    /// column's unit.
    #[error(
        "the column `{column}` jumps by {} at row {row}, and moves little before and after: {}", shown(*step),
        if *is_turn { "a whole turn; unwrap the angles" } else { "samples were lost or are wrong; cut them out" }
    )]
    Jump { column: String, row: usize, step: f64, is_turn: bool },
    /// Wrong time.
    #[error("column `{column}`: {source}")]
    Time { column: String, source: SignalError },
    /// Too short to work with.
    #[error("{found} samples are too few, at least {least} are needed; record longer")]
    TooFew { found: usize, least: usize },
    /// Nothing is left between the borders. `border`: what is cut off at an end, s.
    #[error(
        "{found} samples are fewer than the {least} that it takes to cut off {} s at both ends and keep one; record longer, give a \
         shorter border (--border), thin less (--decimate), or let the low-pass cut higher (--cut-off)", shown(*border)
    )]
    Borders { found: usize, least: usize, border: f64 },
    /// A unit that cannot be.
    #[error("joint `{joint}`, column `{column}`: {doubt}; or name the column in accept.unit if it is right")]
    Unit { joint: String, column: String, doubt: String },
    /// Too little is right.
    #[error(
        "{bad} of {samples} samples of the torques and forces are cut off or dead, more than a third: {}; record again, with gentler motions",
        reasons.join("; ")
    )]
    LeftOut { bad: usize, samples: usize, reasons: Vec<String> },
    /// A unit that is none of a joint.
    #[error(
        "`{section}.unit` of `{column}` is {unit}, but joint `{joint}` {}; units may be given one per column, of this one {}",
        if *turns { "turns" } else { "slides" },
        fitting.join(", ")
    )]
    UnitOfJoint {
        section: &'static str,
        column: String,
        unit: &'static str,
        joint: String,
        turns: bool,
        fitting: Vec<&'static str>,
    },
    /// A filter that does not fit.
    #[error("`filter`: {0}")]
    Filter(SignalError),
}

/// What is odd about a recording, but does not forbid to use it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum Doubt {
    /// Cut off at a limit. `row`: the first row of the first stretch, counted from 1.
    #[error(
        "the column `{column}` is cut off in {samples} samples, first from row {row} on, at {}; they are left out: use gentler \
         motions", shown(*value)
    )]
    Saturated { column: String, row: usize, value: f64, samples: usize },
    /// Dead for a while. `row`: the first row of the first stretch, counted from 1.
    #[error(
        "the column `{column}` is dead in {samples} samples, first from row {row} on, at {}; they are left out", shown(*value)
    )]
    Dead { column: String, row: usize, value: f64, samples: usize },
    /// Single samples far off. `row`: the first row, counted from 1.
    #[error("the column `{column}` has {}, the first in row {row}, {}; they are put between their neighbours", if *samples == 1 { "a spike".into() } else { format!("{samples} spikes") }, shown(*value))]
    Spikes { column: String, row: usize, value: f64, samples: usize },
    /// Beyond what the joint can by the robot's file. `reaches` and `limit`: N m or N.
    #[error(
        "the torques or forces of joint `{joint}` (`{column}`) reach {}, {:.1} times the limit of the robot's file, {}: check their unit, constants \
         and gears, or the limit", shown(*reaches), reaches / limit, shown(*limit)
    )]
    BeyondLimit { joint: String, column: String, reaches: f64, limit: f64 },
    /// Power near half the sample rate.
    #[error(
        "the column `{column}` has {:.0} % of its power near half the sample rate: it is noise, or folded down from above; sample \
         faster, or filter before sampling", 100.0 * part
    )]
    Aliased { column: String, part: f64 },
    /// Columns that look like those of further joints.
    #[error("{} {} not read: the robot has {joints} driven joints that move; is it another robot, or do joints stand?", quoted(columns), if columns.len() == 1 { "is" } else { "are" })]
    Unread { columns: Vec<String>, joints: usize },
    /// A rate, and stamps that are not even. `jitter`: how far a step is from that of the rate, as a part of it; `away`: how far a
    /// row is from where the rate has it, s.
    #[error(
        "`time.rate` is {} Hz, but by the column `{column}` steps differ from that by up to {}, and rows are up to {} ms from where the \
         rate has them; time.column = \"{column}\" would take its stamps", shown(*rate), percent(*jitter), rough(1e3 * away)
    )]
    UnevenStamps { rate: f64, column: String, jitter: f64, away: f64 },
}

fn quoted(names: &[String]) -> String {
    let mut text =
        names.iter().take(MOST_NAMES).map(|name| format!("`{}`", clipped(name))).collect::<Vec<_>>().join(", ");
    if names.len() > MOST_NAMES {
        text += &format!(" and {} more", names.len() - MOST_NAMES);
    }
    text
}

/// Names of columns that a message lists, and letters of each.
const MOST_NAMES: usize = 50;
const MOST_LETTERS: usize = 40;

fn clipped(name: &str) -> String {
    let clipped: String = name.chars().take(MOST_LETTERS).collect();
    if clipped.len() < name.len() { clipped + "…" } else { clipped }
}
