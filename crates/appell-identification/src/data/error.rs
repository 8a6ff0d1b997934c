//! What is wrong with a recording, and what is only odd.

use crate::number::{shown, shown_instant};
use crate::signals::{SignalError, UnitDoubt};

/// Why columns are no measurement of a robot.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DataError {
    /// Columns that are not there.
    #[error(
        "there is no column {}; there are {}; a layout says what columns of other names are",
        quoted(missing),
        quoted(found)
    )]
    Missing {
        /// As the layout names them.
        missing: Vec<String>,
        /// What there is.
        found: Vec<String>,
    },
    /// A column that stands twice.
    #[error("the column `{column}` stands twice; give one of them another name")]
    Twice {
        /// Its name.
        column: String,
    },
    /// A column that the layout means for two things.
    #[error("the layout names the column `{column}` twice; every joint and quantity has a column of its own")]
    NamedTwice {
        /// Its name.
        column: String,
    },
    /// A reference that is not of the recording.
    #[error(
        "row {row} is at {} s where the recording is at {} s; a reference must be at the same instants", shown_instant(*found), shown_instant(*expected)
    )]
    Instant {
        /// The first that is not, counted from 1.
        row: usize,
        /// s.
        found: f64,
        /// s.
        expected: f64,
    },
    /// A reference of another length.
    #[error("there are {found} rows where the recording has {expected}; a reference must be at the same instants")]
    Rows {
        /// How many there are.
        found: usize,
        /// How many the recording has.
        expected: usize,
    },
    /// Columns of different length.
    #[error("the column `{column}` has {found} samples and the first one {expected}; they must be of one recording")]
    Length {
        /// Its name.
        column: String,
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// As many columns as joints.
    #[error("`{section}` is given for {found} columns, but the robot has {expected} driven joints: {}", joints.join(", "))]
    Count {
        /// Of the layout.
        section: &'static str,
        /// How many.
        found: usize,
        /// How many there should be.
        expected: usize,
        /// Their names.
        joints: Vec<String>,
    },
    /// A gear matrix that cannot be inverted.
    #[error("`gear.matrix` cannot be inverted: some joint turns no motor of its own; check its rows")]
    Gears,
    /// Something measured at motors, without gears.
    #[error(
        "`{section}` is measured at motors, but there is no section [gear]; give `ratio` or `matrix`, or side = \"joint\""
    )]
    NoGears {
        /// Of the layout.
        section: &'static str,
    },
    /// Something said of a column that is none of the layout.
    #[error("`{section}` names `{column}`, which is no column of the layout; there are {}", quoted(known))]
    NotAColumn {
        /// Of the layout.
        section: &'static str,
        /// As named.
        column: String,
        /// The columns that there are.
        known: Vec<String>,
    },
    /// Gears, and nothing measured at motors.
    #[error(
        "`gear` is given, but all columns are said to be measured at the joints; say side = \"motor\" of position, velocity or effort, or \
         leave it out"
    )]
    UnusedGears,
    /// A rate that a column of time contradicts.
    #[error(
        "`time.rate` is {} Hz, but by the column `{column}` there are {} rows a second ({} if it is in ms); say time.column = \"{column}\", or \
         the right rate, or give that column another name", shown(*rate), shown(*of_column), shown(1e3 * of_column)
    )]
    Rate {
        /// As said, Hz.
        rate: f64,
        /// A column of time.
        column: String,
        /// Rows a unit of it.
        of_column: f64,
    },
    /// A number that is none, or beyond what anything measures.
    #[error("row {row} of column `{column}` is {}; leave out that row, or mend what recorded it", shown(*value))]
    NotFinite {
        /// Its name.
        column: String,
        /// Counted from 1, without the header.
        row: usize,
        /// NaN, an infinity or larger than 1e30.
        value: f64,
    },
    /// Nothing on a channel.
    #[error(
        "the column `{column}` keeps the value {} in all {rows} rows: not connected, or a joint that did not move; name it \
         in accept.constant if that is right", shown(*value)
    )]
    Constant {
        /// Its name.
        column: String,
        /// That value.
        value: f64,
        /// How many samples.
        rows: usize,
    },
    /// A position that no robot goes through.
    #[error(
        "the column `{column}` jumps by {} at row {row}, and moves little before and after: {}", shown(*step),
        if *is_turn { "a whole turn; unwrap the angles" } else { "samples were lost or are wrong; cut them out" }
    )]
    Jump {
        /// Its name.
        column: String,
        /// The row after the jump, counted from 1.
        row: usize,
        /// How far, in the column's unit.
        step: f64,
        /// Whether it is a whole turn.
        is_turn: bool,
    },
    /// Wrong time.
    #[error("column `{column}`: {source}")]
    Time {
        /// Its name.
        column: String,
        /// What is wrong.
        source: SignalError,
    },
    /// Too short to work with.
    #[error("{found} samples are too few, at least {least} are needed; record longer")]
    TooFew {
        /// How many there are.
        found: usize,
        /// How many it takes.
        least: usize,
    },
    /// Nothing is left between the borders.
    #[error(
        "{found} samples are fewer than the {least} that it takes to cut off {} s at both ends and keep one; record longer, give a \
         shorter border (--border), thin less (--decimate), or let the low-pass cut higher (--cut-off)", shown(*border)
    )]
    Borders {
        /// How many there are.
        found: usize,
        /// How many it takes.
        least: usize,
        /// What is cut off at an end, s.
        border: f64,
    },
    /// A unit that cannot be.
    #[error("joint `{joint}`, column `{column}`: {doubt}; or name the column in accept.unit if it is right")]
    Unit {
        /// The joint's name.
        joint: String,
        /// The column's name.
        column: String,
        /// Why.
        doubt: UnitDoubt,
    },
    /// Too little is right.
    #[error(
        "{bad} of {samples} samples of the efforts are cut off or dead, more than a third: {}; record again, with gentler motions",
        reasons.join("; ")
    )]
    LeftOut {
        /// How many are left out.
        bad: usize,
        /// How many there are.
        samples: usize,
        /// Why.
        reasons: Vec<String>,
    },
    /// A unit that is none of a joint.
    #[error(
        "`{section}.unit` of `{column}` is {unit}, but joint `{joint}` {}; units may be given one a column, of this one {}",
        if *turns { "turns" } else { "slides" },
        fitting.join(", ")
    )]
    UnitOfJoint {
        /// Of the layout.
        section: &'static str,
        /// The column's name.
        column: String,
        /// As said.
        unit: &'static str,
        /// The joint's name.
        joint: String,
        /// Whether it turns.
        turns: bool,
        /// Units that it may be in.
        fitting: Vec<&'static str>,
    },
    /// A filter that does not fit.
    #[error("`filter`: {0}")]
    Filter(SignalError),
}

/// What is odd about a recording, but does not forbid to use it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Doubt {
    /// Cut off at a limit.
    #[error(
        "the column `{column}` is cut off in {samples} samples, first from row {row} on, at {}; they are left out: use gentler \
         motions", shown(*value)
    )]
    Saturated {
        /// Its name.
        column: String,
        /// The first row of the first stretch, counted from 1.
        row: usize,
        /// The value there.
        value: f64,
        /// How many samples in all.
        samples: usize,
    },
    /// Dead for a while.
    #[error(
        "the column `{column}` is dead in {samples} samples, first from row {row} on, at {}; they are left out", shown(*value)
    )]
    Dead {
        /// Its name.
        column: String,
        /// The first row of the first stretch, counted from 1.
        row: usize,
        /// The value there.
        value: f64,
        /// How many samples in all.
        samples: usize,
    },
    /// Single samples far off.
    #[error("the column `{column}` has {}, the first in row {row}, {}; they are put between their neighbours", if *samples == 1 { "a spike".into() } else { format!("{samples} spikes") }, shown(*value))]
    Spikes {
        /// Its name.
        column: String,
        /// The first row, counted from 1.
        row: usize,
        /// The value there.
        value: f64,
        /// How many.
        samples: usize,
    },
    /// Beyond what the joint can by the robot's file.
    #[error(
        "the efforts of joint `{joint}` (`{column}`) reach {}, {:.1} times the limit of the robot's file, {}: check their unit, constants \
         and gears, or the limit", shown(*reaches), reaches / limit, shown(*limit)
    )]
    BeyondLimit {
        /// The joint's name.
        joint: String,
        /// The column's name.
        column: String,
        /// N m or N.
        reaches: f64,
        /// N m or N.
        limit: f64,
    },
    /// Power near half the sample rate.
    #[error(
        "the column `{column}` has {:.0} % of its power near half the sample rate: it is noise, or folded down from above; sample \
         faster, or filter before sampling", 100.0 * part
    )]
    Aliased {
        /// Its name.
        column: String,
        /// Which part.
        part: f64,
    },
    /// Columns that look like those of further joints.
    #[error("{} {} not read: the robot has {joints} driven joints; is it another robot?", quoted(columns), if columns.len() == 1 { "is" } else { "are" })]
    Unread {
        /// Their names.
        columns: Vec<String>,
        /// How many the robot has.
        joints: usize,
    },
    /// Uneven time.
    #[error("steps of time differ by up to {:.1} %; they are taken as even", 100.0 * jitter)]
    Jitter {
        /// As a part of a step.
        jitter: f64,
    },
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
