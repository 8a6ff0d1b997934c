//! Why recordings give no parameters.

use crate::consistency::ConsistencyError;
use crate::data::{DataError, PayloadError, TooLittle};
use crate::estimate::EstimateError;
use crate::identified::IdentifiedError;
use crate::number::{counted, shown};
use crate::observation::ObservationError;
use crate::parameters::UnknownName;
use crate::plausibility::Suspicion;
use crate::signals::SignalError;
use crate::unknowns::UnknownsError;
use appell::RobotError;
use appell::question::AnswerError;
use appell_simulation::scenario::ScenarioError;
use appell_simulation::simulation::Stop;

/// Why recordings give no parameters.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum IdentifyError {
    /// The robot was not made from a description.
    #[error(
        "the robot has no description to write the parameters into; make it with Robot::new or read it from a file"
    )]
    NoDescription,
    /// Nothing to fit.
    #[error("there is no recording to be fitted")]
    NoData,
    /// Something is wrong with a file.
    #[error("{name}: {cause}")]
    File { name: String, cause: Box<FileError> },
    /// A recording that is given twice. `is_held_out`: whether the other was to be held out.
    #[error("{one} and {other} hold the same; {}", why(*is_held_out))]
    Same { one: String, other: String, is_held_out: bool },
    /// Recordings that overlap, as pieces of one file do. `part`: what part of the shorter one; `is_held_out`:
    /// whether the other was to be held out.
    #[error("{one} and {other} share {:.0} % of their rows; {}", 100.0 * part, why(*is_held_out))]
    SharedRows { one: String, other: String, part: f64, is_held_out: bool },
    /// Not one instrument per recording. `what`: tables, or scenarios.
    #[error("{} for {}; give one each, in the same order", counted(*found, what), counted(*expected, "recording"))]
    Instruments { what: &'static str, found: usize, expected: usize },
    /// A payload that the robot cannot carry.
    #[error("{name}: {cause}")]
    Payload { name: String, cause: PayloadError },
    /// Loops of robots with joints that stand.
    #[error(
        "--scenario lets all joints move, and --lock holds some; give --instruments, or the robot without these joints"
    )]
    LockedLoop,
    /// Instruments that lost samples which the recordings have.
    #[error("instruments give {found} samples and the data {expected}; they must be of the same instants")]
    InstrumentSamples { found: usize, expected: usize },
    /// Parameters that the robot does not have.
    #[error(transparent)]
    Unknowns(#[from] UnknownsError),
    /// Gains that nothing determines.
    #[error("{what}: {}", gain_remedy(*joints))]
    Gain { what: String, joints: usize },
    /// Fewer equations than parameters.
    #[error(
        "{rows} equations, in {samples} samples, for {parameters} base parameters: record longer, or decimate less"
    )]
    TooFew { rows: usize, samples: usize, parameters: usize },
    /// Data without influence of any parameter.
    #[error(
        "nothing can be identified from these data: no parameter has an influence; let fewer parameters be known, ask \
         for effects, check the units"
    )]
    NothingShown,
    /// Recordings too short for their unknowns.
    #[error("{names}: {cause}")]
    TooLittle { names: String, cause: TooLittle },
    /// A filter that is none.
    #[error(transparent)]
    Filter(#[from] SignalError),
    /// No base parameters.
    #[error(transparent)]
    Observation(#[from] ObservationError),
    /// No estimate.
    #[error("{samples} samples, {parameters} base parameters: {cause}")]
    NoEstimate { samples: usize, parameters: usize, cause: Box<IdentifyError> },
    /// The estimator fails.
    #[error(transparent)]
    Estimate(#[from] EstimateError),
    /// No physically consistent parameters where these were asked for.
    #[error(transparent)]
    Consistency(#[from] ConsistencyError),
    /// Parameters that make no robot.
    #[error(transparent)]
    Robot(#[from] IdentifiedError),
    /// A simulation of what was found, as an instrument.
    #[error("{name}: {cause}")]
    Simulation { name: String, cause: Box<SimulationError> },
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum FileError {
    /// Its columns.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Its signals, under the filter.
    #[error(transparent)]
    Signal(#[from] SignalError),
    /// Its equations.
    #[error(transparent)]
    Observation(#[from] ObservationError),
    /// A closed robot that cannot be where a row says. `row`: counted from 1; `drives`: positions, rad or m.
    #[error(
        "row {row} of the data, with the drives at {}: {cause}. Check units, signs and zeros of the positions (position.unit, \
         joint.sign, joint.offset), and the robot's home", drives.iter().map(|q| shown(*q)).collect::<Vec<_>>().join(", ")
    )]
    Unreachable { row: usize, drives: Vec<f64>, cause: AnswerError },
    /// It fits the robot's file in other units, signs or order of joints. `suspicions`: the surest first.
    #[error("{}", suspicions.iter().map(ToString::to_string).collect::<Vec<_>>().join("\nor "))]
    Misread { suspicions: Vec<Suspicion> },
    /// A name that is none.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// An instrument that is the recording itself.
    #[error(
        "it has the positions of {data} with their noise; an instrument knows nothing of it: give the motion that was wanted or \
         simulated"
    )]
    NotAnInstrument { data: String },
}

/// Why a simulation of what was found is no instrument.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum SimulationError {
    /// The scenario.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// It ends before its time.
    #[error("the robot that was found does not move as recorded: {0}")]
    Stopped(Stop),
    /// It is of another time than its recording. `scenario`: its first and last instant, s; `recording`: those of the
    /// recording, s.
    #[error(
        "it lasts from {} to {} s, and the recording from {} to {} s: the scenario must be that of the whole recording, with the \
         same time", shown(scenario[0]), shown(scenario[1]), shown(recording[0]), shown(recording[1])
    )]
    Span { scenario: [f64; 2], recording: [f64; 2] },
    /// Its motion gives no equations.
    #[error(transparent)]
    Equations(#[from] FileError),
    /// What was found is not a valid robot.
    #[error(transparent)]
    Robot(#[from] RobotError),
}

/// Why recordings must differ.
fn why(is_held_out: bool) -> &'static str {
    if is_held_out {
        "held-out data must not be those that are fitted, nor count twice"
    } else {
        "its equations would count twice"
    }
}

fn gain_remedy(last: usize) -> String {
    format!(
        "record it with and without a payload that was weighed (--loaded, --payload), which moves that joint; or know something else that gives the scale there, \
         such as a body of the robot's file, --known 'M*{last},X?{last},Y?{last},ZZ{last}'; or a gain, --known g1; or ask for fewer other effects of that joint"
    )
}
