//! The identified robot as files, with where its numbers come from.

use super::recording::Recording;
use super::study::Study;
use super::unknowns::Unknowns;
use appell::description::Description;
use appell_identification::estimate::Fit;
use appell_identification::identified::{Provenance, Source, describe, to_toml, to_urdf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The robot's files.
pub(super) struct RobotFiles {
    pub(super) toml: String,
    /// None where loops are closed.
    pub(super) urdf: Option<String>,
    /// What a robot's file cannot say, with its value.
    pub(super) left_out: Vec<(String, f64)>,
    /// How well the equations hold without that.
    pub(super) fit: Fit,
    /// What a URDF cannot say.
    pub(super) lost: Vec<String>,
}

/// The robot with the consistent parameters; none where there are none.
pub(super) fn write(
    description: &Description,
    unknowns: &Unknowns,
    recordings: &[Recording],
    study: &Study,
) -> anyhow::Result<Option<RobotFiles>> {
    let Ok(found) = &study.consistent else { return Ok(None) };
    let identified = describe(description, &unknowns.model, found.values.as_slice())?;
    let mut values = found.values.clone();
    for (name, _) in &identified.left_out {
        unknowns.model.find(name)?.into_iter().for_each(|k| values[k] = 0.0);
    }
    let fit = Fit::of(&study.equations, &values);
    let source = |recording: &Recording| Source { name: recording.name.clone(), hash: recording.hash.clone() };
    let provenance = Provenance {
        sources: recordings.iter().map(source).collect(),
        method: format!("a physically consistent fit, with appell {}", env!("CARGO_PKG_VERSION")),
        date: today(),
        fit: found.fit.clone(),
        of_file: (!identified.left_out.is_empty()).then(|| fit.clone()),
        validation: study.validation.as_ref().and_then(|validation| validation.consistent.clone()),
    };
    let (urdf, lost) = match to_urdf(&identified, &provenance) {
        Ok((text, lost)) => (Some(text), lost.iter().map(ToString::to_string).collect()),
        Err(_) => (None, Vec::new()),
    };
    Ok(Some(RobotFiles { toml: to_toml(&identified, &provenance), urdf, left_out: identified.left_out, fit, lost }))
}

/// The date in Greenwich, 2026-11-16.
pub(super) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let [year, month, day] = date(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day of a day counted from 1970.
fn date(mut day: u64) -> [u64; 3] {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    [year, month, day + 1]
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_have_dates() {
        // `date -u -d @SECONDS` of each day's beginning.
        for (day, expected) in [
            (0, [1970, 1, 1]),
            (59, [1970, 3, 1]),
            (11_016, [2000, 2, 29]),
            (19_782, [2024, 2, 29]),
            (20_088, [2024, 12, 31]),
            (20_773, [2026, 11, 16]),
        ] {
            assert_eq!(date(day), expected);
        }
    }
}
