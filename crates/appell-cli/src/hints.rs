//! The options that errors of the library ask for: it knows of no command line.

use appell::question::Refused;
use appell_codegen::Refused as NotGenerated;
use appell_identification::identify::IdentifyError;
use appell_identification::unknowns::UnknownsError;

/// The options of an error, if there are any.
pub(crate) fn options(error: &anyhow::Error) -> Option<&'static str> {
    error.chain().find_map(|cause| {
        if let Some(Refused::NoPlatform { .. }) = cause.downcast_ref() {
            return Some("--frame");
        }
        if let Some(NotGenerated::NoPlatform { .. }) = cause.downcast_ref() {
            return Some("--frame");
        }
        let of_unknowns = |error: &UnknownsError| match error {
            UnknownsError::NotParallel | UnknownsError::NoEqualLegs => Some("--equal-legs"),
            UnknownsError::CoupledGain => Some("--effects"),
            UnknownsError::Known(_) => Some("--known"),
            UnknownsError::Lock(_) => Some("--lock"),
            UnknownsError::Mounted { .. } => None,
        };
        match cause.downcast_ref::<IdentifyError>() {
            Some(IdentifyError::Unknowns(error)) => of_unknowns(error),
            Some(IdentifyError::NothingShown) => Some("--known, --effects"),
            Some(IdentifyError::InstrumentSamples { .. }) => Some("--instruments, --data"),
            _ => cause.downcast_ref().and_then(of_unknowns),
        }
    })
}
