//! What recordings are called where there is little room.

use appell_identification::identify::{Identified, Recording};
use std::path::Path;

/// The names of files without their folders; with them where two would be called the same.
pub(super) struct Names<'f> {
    found: &'f Identified,
    are_apart: bool,
}

impl<'f> Names<'f> {
    /// Those of all recordings that were fitted or held out.
    pub(super) fn of(found: &'f Identified) -> Self {
        let mut names: Vec<&str> = all(found).map(without_folder).collect();
        names.sort_unstable();
        Self { found, are_apart: names.windows(2).all(|pair| pair[0] != pair[1]) }
    }

    /// The name of a recording.
    pub(super) fn name<'r>(&self, recording: &'r Recording) -> &'r str {
        if self.are_apart { without_folder(recording) } else { &recording.source.name }
    }

    /// What is held out, in words; none where nothing is.
    pub(super) fn held_out(&self) -> Option<String> {
        match &self.found.held_out[..] {
            [] => self.found.full.validation.as_ref().map(|validation| validation.by.clone()),
            [one] => Some(self.name(one).to_owned()),
            several => {
                let names: Vec<&str> = several.iter().map(|recording| self.name(recording)).collect();
                Some(format!("{}, all files together; file by file below", names.join(", ")))
            }
        }
    }
}

/// All recordings, those that were fitted first.
pub(super) fn all(found: &Identified) -> impl Iterator<Item = &Recording> {
    found.recordings.iter().chain(&found.held_out)
}

fn without_folder(recording: &Recording) -> &str {
    let name = &recording.source.name;
    Path::new(name).file_name().and_then(|own| own.to_str()).unwrap_or(name)
}
