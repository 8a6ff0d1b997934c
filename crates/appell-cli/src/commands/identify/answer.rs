//! What other programs read of an identification.

use super::report::{BaseParameter, Report, consistent_fits};
use appell_identification::estimate::{Estimate, Fit, RowFit};
use appell_identification::identify::{Fitted, Identified, Recording};
use serde_json::{Value, json};

/// Correlations that are reported, as many at most.
const CORRELATED: f64 = 0.9;
const MOST_PAIRS: usize = 20;

impl Report<'_> {
    pub(super) fn as_json(&self) -> Value {
        let Identified { full, file, essential, warnings, filter, recordings, .. } = self.found;
        let Fitted { base, estimate, validation, equations, .. } = full;
        let ([consistent, consistent_held_out], [of_file, of_file_held_out]) =
            (consistent_fits(full), consistent_fits(self.found.of_file()));
        let [of_urdf, of_urdf_held_out] =
            self.found.urdf.own().map_or([None; 2], |(fitted, _)| consistent_fits(fitted));
        let fit = |fit: &Fit| {
            let joint = |row: &RowFit| json!({ "name": row.name, "rms": row.rms, "relative": row.relative });
            json!({ "relative": fit.relative, "joints": fit.rows.iter().map(joint).collect::<Vec<_>>() })
        };
        let parameter = |found: BaseParameter| {
            json!({
                "name": found.name, "value": found.value, "sigma": found.sigma, "sigma_percent": found.relative_sigma,
                "consistent": found.consistent, "before": found.before, "unit": found.unit,
            })
        };
        let data = |recording: &Recording| {
            let errors = self.found.errors(recording);
            json!({
                "file": recording.source.name, "hash": recording.source.hash, "rows": recording.rows, "rate": recording.rate,
                "time": recording.time, "border": recording.border, "lost_at_ends": recording.lost,
                "standstill": recording.standstill(),
                "free": fit(&errors.free), "free_moving": fit(&errors.free_moving),
                "consistent": errors.consistent.as_ref().map(fit),
                "consistent_moving": errors.consistent_moving.as_ref().map(fit),
            })
        };
        json!({
            "robot": self.robot.tree().name(),
            "data": recordings.iter().map(data).collect::<Vec<_>>(),
            "validate": self.found.held_out.iter().map(data).collect::<Vec<_>>(),
            "cut_off": filter.cut_off,
            "decimation": filter.decimation,
            "samples": equations.samples(),
            "unknowns": self.found.unknowns.model.columns().len(),
            "base_parameters": base.len(),
            "structural_base_parameters": self.found.structural,
            "method": estimate.method,
            "method_note": estimate.note,
            "condition": estimate.condition,
            "fit": fit(&estimate.fit),
            "held_out": validation.as_ref().map(|found| fit(&found.estimate)),
            "consistent": consistent.map(fit),
            "consistent_held_out": consistent_held_out.map(fit),
            "essential": essential.as_ref().map(|found| {
                found.kept.iter().map(|&k| estimate.names[k].as_str()).collect::<Vec<_>>()
            }),
            "robot_file_fit": of_file.map(fit),
            "robot_file_held_out": of_file_held_out.map(fit),
            "urdf_fit": of_urdf.map(fit),
            "urdf_held_out": of_urdf_held_out.map(fit),
            "beyond_robot_file": file.as_ref().map(|_| {
                self.found.beyond().into_iter().map(|(name, value)| json!({ "name": name, "value": value })).collect::<Vec<_>>()
            }),
            "correlated": strongest(estimate).into_iter().map(|(one, other, correlation)| {
                json!({ "first": one, "second": other, "correlation": correlation })
            }).collect::<Vec<_>>(),
            "parameters": self.base_parameters().into_iter().map(parameter).collect::<Vec<_>>(),
            "regrouping": base.to_string().lines().collect::<Vec<_>>(),
            "warnings": warnings,
            "robot_file": self.found.files.as_ref().map(|_| self.out.join("robot.toml").display().to_string()),
            "report": self.out.join("report.html").display().to_string(),
        })
    }
}

/// The most correlated pairs of parameters, the strongest first.
fn strongest(estimate: &Estimate) -> Vec<(&str, &str, f64)> {
    let mut pairs = estimate.correlated(CORRELATED);
    pairs.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
    let named = |(i, k, correlation): (usize, usize, f64)| {
        (estimate.names[i].as_str(), estimate.names[k].as_str(), correlation)
    };
    pairs.into_iter().take(MOST_PAIRS).map(named).collect()
}
