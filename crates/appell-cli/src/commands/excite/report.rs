//! What is reported of an exciting motion.

use super::options::CRITERIA;
use crate::output;
use appell::Robot;
use appell_drawing::listing::{Listing, counted, short};
use appell_identification::ILL_CONDITIONED;
use appell_identification::excitation::{Criterion, Excitation, Excited, Options, Peak};
use appell_identification::unknowns::may_share_legs;
use appell_simulation::trajectory::limits::Quantity;
use serde_json::{Value, json};
use std::io::Write;

/// What is reported.
pub(super) struct Report<'a> {
    pub(super) robot: &'a Robot,
    pub(super) options: &'a Options,
    pub(super) found: &'a Excitation,
    /// How many random motions, and the best of them.
    pub(super) compared: Option<&'a (usize, Excitation)>,
    /// How long the search took.
    pub(super) seconds: f64,
}

impl Report<'_> {
    pub(super) fn write(&self, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
        if json {
            writeln!(out, "{:#}", self.json())?;
            return Ok(());
        }
        let Self { options, found, .. } = self;
        let mut listing = Listing::new(["joint", "quantity", ">largest", ">limit", ">used"]);
        for peak in found.peaks.iter().filter(|peak| is_shown(peak)) {
            let limited = peak.limit.is_finite();
            let limit = if limited { short(peak.limit) } else { "–".into() };
            let used = if limited { format!("{:.1} %", 100.0 * peak.part) } else { String::new() };
            listing.push([peak.joint.clone(), peak.quantity.name().into(), short(peak.value), limit, used]);
        }
        listing.write(out)?;
        writeln!(
            out,
            "condition number {} of the matrix in SI units, {} with columns of length 1 (small is good), log det {} (large is good), of {} base \
             parameters ({} unknowns)",
            short(found.condition),
            short(found.scaled_condition),
            short(found.log_determinant),
            found.columns.len(),
            options.model.columns().len()
        )?;
        // A condition number that was not made small says little: that of scaled columns is what estimators solve with.
        let (condition, of_what) = match options.criterion {
            Criterion::Condition => (found.condition, ""),
            Criterion::ScaledCondition | Criterion::Determinant => {
                (found.scaled_condition, ", with columns of length 1,")
            }
        };
        if condition > ILL_CONDITIONED {
            output::note(format_args!(
                "warning: a condition number of {}{of_what} lets noise decide: take wider limits, a longer motion, more harmonics, or ask for \
                 fewer unknowns{}",
                short(condition),
                if may_share_legs(self.robot, &options.model) { " (--equal-legs)" } else { "" }
            ));
        }
        if let Some((count, drawn)) = self.compared {
            writeln!(out, "best of {count} random motions by the same measure: {}", self.beside(drawn))?;
        }
        let starts = counted(options.restarts, "start");
        writeln!(
            out,
            "best of {starts}, seed {}, number {}; searched for {:.1} s",
            options.seed,
            found.restart + 1,
            self.seconds
        )?;
        if found.stopped {
            writeln!(out, "stopped early: a longer search may find a better one")?;
        }
        if let Some(about) = self.about() {
            let about: Vec<String> = about.iter().map(ToString::to_string).collect();
            writeln!(out, "the series swings about {} (--about of `appell trajectory fourier`)", about.join(","))?;
        }
        Ok(())
    }

    /// The best random motion in the measure that was made small, with the gain, and then its other measures.
    fn beside(&self, drawn: &Excitation) -> String {
        let [condition, scaled, determinant] =
            [drawn.condition, drawn.scaled_condition, drawn.log_determinant].map(short);
        let gain = self.found.gain(drawn, self.options.criterion);
        match self.options.criterion {
            Criterion::Condition => format!(
                "condition number {condition} in SI units, {gain:.2} times as high (beside it: {scaled} with columns of length 1, log det \
                 {determinant})"
            ),
            Criterion::ScaledCondition => format!(
                "condition number {scaled} with columns of length 1, {gain:.2} times as high (beside it: {condition} in SI units, log det \
                 {determinant})"
            ),
            Criterion::Determinant => format!(
                "log det {determinant}, which makes σ {gain:.2} times as large, the geometric mean over the axes of their ellipsoid (beside \
                 it: condition number {condition} in SI units, {scaled} with columns of length 1)"
            ),
        }
    }

    fn json(&self) -> Value {
        let Self { robot, options, found, compared, seconds } = self;
        let peak = |peak: &Peak| {
            json!({ "joint": peak.joint, "quantity": peak.quantity.name(), "value": peak.value,
                    "limit": peak.limit.is_finite().then_some(peak.limit), "used": peak.part })
        };
        let peaks: Vec<Value> = found.peaks.iter().filter(|peak| is_shown(peak)).map(peak).collect();
        let names: Vec<String> = found.columns.iter().map(|&k| options.model.name(k)).collect();
        let random = compared.map(|(count, drawn)| {
            json!({ "motions": count, "condition": drawn.condition, "scaled_condition": drawn.scaled_condition,
                    "log_determinant": drawn.log_determinant, "gain": self.found.gain(drawn, self.options.criterion) })
        });
        json!({
            "robot": robot.name(),
            "criterion": CRITERIA.iter().find(|(.., known)| *known == options.criterion).map(|(name, ..)| *name),
            "condition": found.condition,
            "scaled_condition": found.scaled_condition,
            "log_determinant": found.log_determinant,
            "base_parameters": names,
            "duration": options.form.duration(),
            "about": self.about(),
            "seed": options.seed,
            "start": found.restart + 1,
            "stopped": found.stopped,
            "seconds": seconds,
            "random": random,
            "peaks": peaks,
        })
    }

    /// What a series swings about.
    fn about(&self) -> Option<Vec<f64>> {
        matches!(self.found.motion, Excited::Fourier(_)).then(|| self.found.motion.about())
    }
}

/// Efforts without a limit are not what a motion is made for.
fn is_shown(peak: &Peak) -> bool {
    peak.limit.is_finite() || peak.quantity != Quantity::Effort
}
