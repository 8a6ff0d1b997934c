//! Why there is no motion to excite a robot with.

use crate::number::shown;
use crate::observation::ObservationError;
use appell::closed::SingularError;
use appell::closed::assembly::AssemblyError;
use appell_simulation::trajectory::PathError;
use appell_simulation::trajectory::limits::Quantity;

/// Why there is none.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum ExcitationError {
    /// A drive without an end.
    #[error("joint `{joint}` has no limits of position; say how far it may go")]
    NoRange { joint: String },
    /// A range that holds nothing. `lower` and `upper`: rad or m.
    #[error(
        "joint `{joint}` cannot move: its position may be {} to {}; let the lower limit be below the upper one",
        shown(*lower), shown(*upper)
    )]
    Range { joint: String, lower: f64, upper: f64 },
    /// A limit that allows nothing.
    #[error("joint `{joint}` cannot move: its limit of {} is {}; it must be positive", quantity.name(), shown(*limit))]
    Limit { joint: String, quantity: Quantity, limit: f64 },
    /// A limit that no robot has.
    #[error(
        "joint `{joint}`: a limit of {} of {} is that of no robot; give it in rad or m, rad/s, N m and so on, or leave it out where there is none",
        quantity.name(), shown(*limit)
    )]
    Absurd { joint: String, quantity: Quantity, limit: f64 },
    /// Limits of another robot.
    #[error("{found} limits were given for {expected} driven joints")]
    Count { found: usize, expected: usize },
    /// An effort that no posture keeps. `value` and `limit`: N m or N.
    #[error(
        "no posture within the limits of position can be held: at best joint `{joint}` needs {} at rest, and its limit \
         of effort is {}; raise that limit, or let the joints reach other postures", shown(*value), shown(*limit)
    )]
    Heavy { joint: String, value: f64, limit: f64 },
    /// Drives that do not say how the robot moves.
    #[error(
        "{drives} driven joints for {freedoms} degrees of freedom; excitation needs as many drives as degrees of freedom"
    )]
    Drives { drives: usize, freedoms: usize },
    /// A column that no motion of the drives determines.
    #[error(
        "excitation cannot be planned for `{column}`; leave it out of the model, the motion will do for it as well"
    )]
    Column { column: String },
    /// A form that is none.
    #[error("the form of the motion is not possible: {0}")]
    Form(#[from] PathError),
    /// Too few samples for the unknowns. `rows`: samples times drives.
    #[error("{rows} rows cannot tell {unknowns} unknowns apart; take more samples")]
    Samples { rows: usize, unknowns: usize },
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
    NotFound { restarts: usize, joint: String, quantity: Quantity, value: f64, limit: f64 },
    /// Motions without excitation. `joint`: the joint that may move least; `limit`: how large that may be; of a
    /// position from end to end.
    #[error(
        "none of {restarts} starts tells all {unknowns} unknowns apart; take a longer motion, more harmonics or points, or wider limits: \
         joint `{joint}` moves least, by its {} of {}",
        if *quantity == Quantity::Position { "range".to_owned() } else { format!("limit of {}", quantity.name()) },
        shown(*limit)
    )]
    NotExciting { restarts: usize, unknowns: usize, joint: String, quantity: Quantity, limit: f64 },
    /// The caller asked to stop before anything was found.
    #[error("stopped before a motion was found")]
    Stopped,
}
