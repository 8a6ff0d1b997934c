//! The identified robot as files, with where its numbers come from.

use super::fitted::{Fitted, Masses};
use super::recording::Made;
use super::{Identified, IdentifyError, Instruments, Loaded, Options, Recordings, Urdf};
use crate::consistency::Consistent;
use crate::data::{Filter, Payload};
use crate::identified::{Beyond, Provenance, describe, to_toml, to_urdf};
use crate::number::{percent, rough, shown};
use crate::parameters::Column;
use crate::unknowns::Lock;
use appell::Robot;
use appell::description::Description;

/// Of a URDF that is fitted for itself.
const OF_URDF: &str = "This URDF was fitted for what it holds: bodies, viscous friction, and Coulomb friction that jumps at rest, by the gravity of robot.toml";

/// The robot's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotFiles {
    /// `robot.toml`.
    pub toml: String,
    /// `robot.urdf`; none where loops are closed, or its residual would be large.
    pub urdf: Option<String>,
    /// What a URDF cannot say, a line per kind.
    pub lost: Vec<String>,
}

/// The robot with the consistent parameters of what a file has numbers for; none where there is none.
pub(super) fn write(
    given: &Robot,
    description: &Description,
    recordings: &Recordings,
    options: &Options,
    made: &Made<'_>,
    identified: &Identified,
) -> Result<Option<RobotFiles>, IdentifyError> {
    let Some(found) = identified.robot() else { return Ok(None) };
    let file = identified.of_file();
    let robot = describe(description, &file.whole, found.whole.as_slice())?;
    let parameters = identified.beyond();
    let of_full = identified.full.consistent.as_ref().ok().filter(|_| !parameters.is_empty());
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
        sources: made.fitted.iter().map(|recording| recording.source.clone()).collect(),
        layout: options.layout_source.clone(),
        method: method(file),
        settings: settings(recordings, options, identified, found.trust),
        date: options.date.clone(),
        fit: found.fit.clone(),
        validation: held_out(file),
        beyond: of_full.map(|full| Beyond { parameters, fit: full.fit.clone() }),
    };
    let urdf = match (&identified.urdf, identified.urdf.own()) {
        (Urdf::None, _) => None,
        (_, None) => to_urdf(&robot, &provenance).ok(),
        (_, Some((own, parameters))) => {
            let mut of_urdf = Provenance {
                method: method(own),
                fit: parameters.fit.clone(),
                validation: held_out(own),
                beyond: Some(Beyond { parameters: beyond_urdf(file, found), fit: found.fit.clone() }),
                ..provenance.clone()
            };
            of_urdf.settings.push(OF_URDF.into());
            of_urdf.settings.push(format!("Masses: {}", Masses::of(given, file, own)));
            // What a URDF cannot say stays in the description, so that it is reported.
            let stripped = describe(&robot, &own.whole, parameters.whole.as_slice())?;
            to_urdf(&stripped, &of_urdf).ok()
        }
    };
    let (urdf, lost) = urdf.map_or((None, Vec::new()), |(text, lost)| (Some(text), lost));
    Ok(Some(RobotFiles { toml: to_toml(&robot, &provenance), urdf, lost }))
}

/// What robot.toml has, and a URDF has no numbers for.
fn beyond_urdf(file: &Fitted, found: &Consistent) -> Vec<(String, f64)> {
    let model = file.equations.model();
    let held = model.in_urdf().names();
    let all = model.names().into_iter().zip(found.values.iter().copied());
    all.filter(|(name, _)| !held.contains(name)).collect()
}

impl Identified {
    /// What is cut off at the ends of recordings, in words.
    fn ends(&self) -> String {
        let [border, lost] = self.ends;
        format!(", {} s cut off at both ends, {} of the samples", rough(border), percent(lost))
    }

    /// What signals went through, in words.
    #[must_use]
    pub fn signals(&self) -> String {
        let Filter { order, cut_off, decimation, .. } = self.filter;
        let low_pass = cut_off.map_or("positions as they are".into(), |cut_off| {
            let chosen = if self.is_chosen { ", above the motion with its starts and stops" } else { "" };
            format!("positions low-passed at {} Hz{chosen}, order {order}", shown(cut_off))
        });
        let thinned = if decimation > 1 { format!(", one equation of {decimation}") } else { String::new() };
        format!("{low_pass}{thinned}{}", self.ends())
    }
}

/// All settings that decide on the numbers, a line each; `trust` is that of the robot that was found.
fn settings(recordings: &Recordings, options: &Options, identified: &Identified, trust: f64) -> Vec<String> {
    let asked = &options.asked;
    let effects: Vec<&str> = asked.effects.iter().map(|effect| effect.words()[0]).collect();
    let smoothing = |column: &Column| match column {
        Column::Effect { effect, .. } | Column::Coupled { effect, .. } => effect.smoothing(),
        Column::Inertial { .. } => None,
    };
    let mut speeds: Vec<f64> = identified.unknowns.model.columns().iter().filter_map(smoothing).collect();
    speeds.sort_by(f64::total_cmp);
    speeds.dedup();
    let speeds: Vec<String> = speeds.into_iter().map(shown).collect();
    let mut lines = vec![format!("Signals: {}", identified.signals())];
    lines.push(format!("Effects: {}", if effects.is_empty() { "none".into() } else { effects.join(", ") }));
    if !speeds.is_empty() {
        lines.push(format!("Friction changes its sign over {} rad/s or m/s", speeds.join(", ")));
    }
    if !asked.known.is_empty() {
        lines.push(format!("Known: {}", asked.known.join(", ")));
    }
    for Loaded { table, payload: Payload { on, body } } in &recordings.loaded {
        let on = on.as_ref().map_or_else(String::new, |on| format!(" on {on}"));
        lines.push(format!("Payload of {}: {} kg{on}", table.source.name, shown(body.mass)));
    }
    if !asked.locked.is_empty() {
        let locked = asked.locked.iter().map(|lock| {
            let Lock { joint, position } = lock;
            position.map_or_else(|| joint.clone(), |position| format!("{joint} = {}", shown(position)))
        });
        lines.push(format!("Standing joints: {}", locked.collect::<Vec<_>>().join(", ")));
    }
    if asked.equal_legs {
        lines.push("The bodies of all legs are alike".into());
    }
    if let Instruments::Loops(loops) = &recordings.instruments {
        let names: Vec<&str> = loops.iter().map(|own| own.name.as_str()).collect();
        lines.push(format!("Simulated in: {}", names.join(", ")));
    }
    lines.push(format!("Trust in the robot's file before: {trust}"));
    lines
}
