//! What a controller has answered.

use crate::commands::run::timings::KINDS;
use anyhow::Context;
use appell_realtime::timing::Summary;
use serde_json::Value;

/// A drive and its limits; infinite where there is none.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Drive {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) speed: f64,
    pub(super) effort: f64,
}

/// A degree of freedom, with its largest speed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Freedom {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) speed: f64,
}

/// What does not change.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Facts {
    pub(super) robot: String,
    pub(super) drives: Vec<Drive>,
    pub(super) freedoms: Vec<Freedom>,
    pub(super) period: f64,
    pub(super) trajectory: bool,
}

/// A drive at an instant; not numbers where something is not known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moving {
    pub(super) position: f64,
    pub(super) velocity: f64,
    pub(super) effort: f64,
    pub(super) wanted: f64,
    pub(super) error: f64,
}

/// What the robot does.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Status {
    pub(super) t: f64,
    pub(super) mode: String,
    pub(super) ending: String,
    pub(super) stopped: bool,
    pub(super) fault: Option<String>,
    pub(super) load: f64,
    pub(super) misses: u64,
    pub(super) drives: Vec<Moving>,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

impl Facts {
    pub(super) fn read(line: &str) -> anyhow::Result<Self> {
        let facts: Value = serde_json::from_str(line).context("the controller's answer is not JSON")?;
        let drive = |drive: &Value| Drive {
            name: text(&drive["name"]),
            unit: text(&drive["unit"]),
            lower: drive["lower"].as_f64().unwrap_or(f64::NEG_INFINITY),
            upper: drive["upper"].as_f64().unwrap_or(f64::INFINITY),
            speed: drive["speed"].as_f64().unwrap_or(0.0),
            effort: drive["effort"].as_f64().unwrap_or(f64::INFINITY),
        };
        let freedom = |freedom: &Value| Freedom {
            name: text(&freedom["name"]),
            unit: text(&freedom["unit"]),
            speed: freedom["speed"].as_f64().unwrap_or(0.0),
        };
        Ok(Self {
            robot: text(&facts["robot"]),
            drives: list(&facts["drives"]).map(drive).collect(),
            freedoms: list(&facts["freedoms"]).map(freedom).collect(),
            period: facts["period"].as_f64().unwrap_or(f64::NAN),
            trajectory: facts["trajectory"].as_bool().unwrap_or(false),
        })
    }
}

impl Status {
    pub(super) fn read(line: &str) -> anyhow::Result<Self> {
        let status: Value = serde_json::from_str(line).context("the controller's answer is not JSON")?;
        let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
        let drive = |drive: &Value| Moving {
            position: number(&drive["position"]),
            velocity: number(&drive["velocity"]),
            effort: number(&drive["effort"]),
            wanted: number(&drive["wanted"]),
            error: number(&drive["error"]),
        };
        let fault = &status["fault"];
        Ok(Self {
            t: number(&status["t"]),
            mode: text(&status["mode"]),
            ending: text(&status["ending"]),
            stopped: status["stopped"].as_bool().unwrap_or(false),
            fault: fault.is_object().then(|| format!("fault {}: {}", fault["code"], text(&fault["text"]))),
            load: number(&status["load"]),
            misses: status["misses"].as_u64().unwrap_or(0),
            drives: list(&status["drives"]).map(drive).collect(),
        })
    }
}

/// How long things take: a summary of each kind of [`KINDS`].
pub(super) fn timings(line: &str) -> anyhow::Result<Vec<Summary>> {
    let timings: Value = serde_json::from_str(line).context("the controller's answer is not JSON")?;
    Ok(KINDS.iter().map(|(_, key, _)| Summary::from_json(&timings[*key])).collect())
}

/// Names of the taught points.
pub(super) fn points(line: &str) -> Vec<String> {
    let points: Value = serde_json::from_str(line).unwrap_or_default();
    points.as_object().map(|points| points.keys().cloned().collect()).unwrap_or_default()
}
