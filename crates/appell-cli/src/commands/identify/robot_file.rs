//! The identified robot as files, with where its numbers come from.

use super::fitted::Fitted;
use super::recording::Recording;
use super::study::Study;
use super::urdf::Urdf;
use appell::description::Description;
use appell_identification::consistency::Consistent;
use appell_identification::identified::{Beyond, Provenance, Source, describe, to_toml, to_urdf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Of a URDF that is fitted for itself.
const OF_URDF: &str = "This URDF was fitted for what it holds: bodies, viscous friction, and Coulomb friction that jumps at rest, by the gravity of robot.toml";

/// The robot's files.
pub(super) struct RobotFiles {
    pub(super) toml: String,
    /// None where loops are closed, or it would leave most of the efforts.
    pub(super) urdf: Option<String>,
    /// What a URDF cannot say, a line a kind.
    pub(super) lost: Vec<String>,
}

/// What the numbers come from, beside the recordings.
pub(super) struct Origin {
    pub(super) layout: Option<Source>,
    pub(super) settings: Vec<String>,
}

/// The robot with the consistent parameters of what a file has numbers for; none where there is none.
pub(super) fn write(
    description: &Description,
    Origin { layout, settings }: Origin,
    recordings: &[Recording],
    study: &Study,
) -> anyhow::Result<Option<RobotFiles>> {
    let Ok(found) = study.robot() else { return Ok(None) };
    let file = study.of_file();
    let identified = describe(description, &file.whole, found.whole.as_slice())?;
    let source = |recording: &Recording| Source { name: recording.name.clone(), hash: recording.hash.clone() };
    let parameters = study.beyond();
    let of_full = study.full.consistent.as_ref().ok().filter(|_| !parameters.is_empty());
    let method = |fitted: &Fitted| {
        let method = if fitted.estimate.method.contains("consistent") {
            "weighted least squares".into()
        } else {
            fitted.estimate.method_and_note()
        };
        format!("a physically consistent fit to {method}, with appell {}", env!("CARGO_PKG_VERSION"))
    };
    let held_out = |fitted: &Fitted| fitted.validation.as_ref().and_then(|validation| validation.consistent.clone());
    let provenance = Provenance {
        sources: recordings.iter().map(source).collect(),
        layout,
        method: method(file),
        settings,
        date: today(),
        fit: found.fit.clone(),
        validation: held_out(file),
        beyond: of_full.map(|full| Beyond { parameters, fit: full.fit.clone() }),
    };
    let urdf = match (&study.urdf, study.urdf.own()) {
        (Urdf::None, _) => None,
        (_, None) => to_urdf(&identified, &provenance).ok(),
        (_, Some((own, parameters))) => {
            let mut told = Provenance {
                method: method(own),
                fit: parameters.fit.clone(),
                validation: held_out(own),
                beyond: Some(Beyond { parameters: beyond_urdf(file, found), fit: found.fit.clone() }),
                ..provenance.clone()
            };
            told.settings.push(OF_URDF.into());
            // What a URDF cannot say stays in the description, so that it is told.
            let stripped = describe(&identified.description, &own.whole, parameters.whole.as_slice())?;
            to_urdf(&stripped, &told).ok()
        }
    };
    let (urdf, lost) = urdf.map_or((None, Vec::new()), |(text, lost)| (Some(text), lost));
    Ok(Some(RobotFiles { toml: to_toml(&identified, &provenance), urdf, lost }))
}

/// What robot.toml has, and a URDF has no numbers for.
fn beyond_urdf(file: &Fitted, found: &Consistent) -> Vec<(String, f64)> {
    let model = file.equations.model();
    let held = model.in_urdf().names();
    let all = model.names().into_iter().zip(found.values.iter().copied());
    all.filter(|(name, _)| !held.contains(name)).collect()
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
