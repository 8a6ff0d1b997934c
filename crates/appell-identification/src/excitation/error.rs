//! Why there is no motion to excite a robot with.

use crate::number::shown;
use crate::observation::ObservationError;
use appell::closed::SingularError;
use appell::closed::assembly::AssemblyError;
use appell_simulation::trajectory::PathError;
use appell_simulation::trajectory::limits::Quantity;

/// Why there is none.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ExcitationError {
    /// A drive without an end.
    #[error("joint `{joint}` has no limits of position; say how far it may go")]
    NoRange {
        /// Its name.
        joint: String,
    },
    /// A range that holds nothing.
    #[error(
        "joint `{joint}` cannot move: its position may be {} to {}; let the lower limit be below the upper one",
        shown(*lower), shown(*upper)
    )]
    Range {
        /// Its name.
        joint: String,
        /// rad or m.
        lower: f64,
        /// rad or m.
        upper: f64,
    },
    /// A limit that allows nothing.
    #[error("joint `{joint}` cannot move: its limit of {} is {}; it must be positive", quantity.name(), shown(*limit))]
    Limit {
        /// Its name.
        joint: String,
        /// Of what.
        quantity: Quantity,
        /// As given.
        limit: f64,
    },
    /// A limit that no robot has.
    #[error(
        "joint `{joint}`: a limit of {} of {} is that of no robot; give it in rad or m, rad/s, N m and so on, or leave it out where there is none",
        quantity.name(), shown(*limit)
    )]
    Absurd {
        /// Its name.
        joint: String,
        /// Of what.
        quantity: Quantity,
        /// As given.
        limit: f64,
    },
    /// Limits of another robot.
    #[error("{found} limits were given for {expected} driven joints")]
    Count {
        /// How many.
        found: usize,
        /// One a drive.
        expected: usize,
    },
    /// An effort that no posture keeps.
    #[error(
        "no posture within the limits of position can be held: at best joint `{joint}` needs {} at rest, and its limit \
         of effort is {}; raise that limit, or let the joints reach other postures", shown(*value), shown(*limit)
    )]
    Heavy {
        /// Its name.
        joint: String,
        /// N m or N.
        value: f64,
        /// N m or N.
        limit: f64,
    },
    /// Drives that do not say how the robot moves.
    #[error(
        "{drives} driven joints cannot move freely where {freedoms} freedoms are; excitation needs as many drives as freedoms"
    )]
    Drives {
        /// How many.
        drives: usize,
        /// How many.
        freedoms: usize,
    },
    /// A column that no motion of the drives determines.
    #[error(
        "excitation cannot be planned for `{column}`; leave it out of the model, the motion will do for it as well"
    )]
    Column {
        /// Its name.
        column: String,
    },
    /// A form that is none.
    #[error("the form of the motion is not possible: {0}")]
    Form(#[from] PathError),
    /// Too few samples for the unknowns.
    #[error("{rows} rows cannot tell {unknowns} unknowns apart; take more samples")]
    Samples {
        /// Samples times drives.
        rows: usize,
        /// Base parameters.
        unknowns: usize,
    },
    /// A robot whose base parameters are not known.
    #[error("base parameters: {0}")]
    Base(#[from] ObservationError),
    /// A closed robot that cannot be where it should.
    #[error("the robot cannot follow everywhere within the limits of position; narrow them around its home: {0}")]
    Assembly(#[from] AssemblyError),
    /// A closed robot whose efforts are not determined.
    #[error("the robot cannot follow everywhere within the limits of position; narrow them around its home: {0}")]
    Singular(#[from] SingularError),
    /// Nothing found.
    #[error(
        "none of {restarts} starts led to a motion within the limits; the last one failed at the {} of joint `{joint}`: \
         {} where {} is allowed; raise that limit, move more slowly, or try more starts", quantity.name(), shown(*value), shown(*limit)
    )]
    NotFound {
        /// How many were tried.
        restarts: usize,
        /// Its name.
        joint: String,
        /// Of what.
        quantity: Quantity,
        /// How large it is.
        value: f64,
        /// How large it may be.
        limit: f64,
    },
    /// Motions without excitation.
    #[error(
        "none of {restarts} starts tells all {unknowns} unknowns apart; take a longer motion, more harmonics or points, or wider limits: \
         joint `{joint}` moves least, by its {} of {}",
        if *quantity == Quantity::Position { "range".to_owned() } else { format!("limit of {}", quantity.name()) },
        shown(*limit)
    )]
    NotExciting {
        /// How many were tried.
        restarts: usize,
        /// Base parameters.
        unknowns: usize,
        /// The joint that may move least.
        joint: String,
        /// By what.
        quantity: Quantity,
        /// How large that may be; of a position from end to end.
        limit: f64,
    },
    /// The caller asked to stop before anything was found.
    #[error("stopped before a motion was found")]
    Stopped,
}
