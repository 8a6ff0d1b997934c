//! The options that errors of the library ask for: it knows of no command line.

use anyhow::anyhow;
use appell::question::Refused;
use appell_codegen::Refused as NotGenerated;
use appell_identification::identify::IdentifyError;
use appell_identification::unknowns::UnknownsError;
use std::error::Error;

/// An error whose text has its causes in it already, and the options that it asks for.
pub(crate) fn told(error: impl Error + Send + Sync + 'static) -> anyhow::Error {
    let error = anyhow::Error::new(error);
    anyhow!("{error}{}", in_brackets(&error))
}

/// The options of an error, as they stand behind its text; nothing where it asks for none.
pub(crate) fn in_brackets(error: &anyhow::Error) -> String {
    options(error).map_or_else(String::new, |options| format!(" ({options})"))
}

fn options(error: &anyhow::Error) -> Option<&'static str> {
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
