//! A demonstration of our own: an arm that is simulated, recorded as real arms are, and identified, with the truth beside the estimate.
//!
//! | file | what it shows |
//! |---|---|
//! | `arm.toml` | the arm, its controller and its computer |
//! | [`recordings`] | three recordings of it, the last with a payload |
//! | [`study`] | what is found, and what is true |

mod recordings;
mod study;

use crate::report::compared;
use anyhow::Result;
use appell_drawing::{Across, page};
use appell_identification::estimate::Fit;
use appell_papers::report::within;
use appell_papers::report::{Figure, Origin, Paper, Section, Verdict};
use recordings::{NAMES, PAYLOAD_MASS, scenario};
use serde_json::{Value, json};
use study::{Left, Parameter, Study};

/// What is claimed: how many base parameters are within 2 σ of the truth, at least;
const WITHIN_TWO_SIGMA: f64 = 0.8;
/// how much more than the true parameters the free ones and the robot may leave of torques that were not fitted;
const MORE_THAN_TRUTH: f64 = 0.05;
/// how far its torques are from the true ones, over these;
const TORQUES_APART: f64 = 0.005;
/// how well the payload is weighed.
const WEIGHED: f64 = 0.02;

/// The folder of the scenarios, within that of the report.
const FOLDER: &str = "demonstration";

/// The study, and the scenarios by the names of their files, with which anybody makes the recordings.
pub(super) fn paper() -> Result<(Paper, Vec<(String, String)>)> {
    let scenarios = NAMES.map(|name| (format!("{FOLDER}/{name}.toml"), scenario(name)));
    let paper = Paper {
        number: "demonstration",
        origin: Origin::Simulated,
        citation: "A PUMA 560 of our own, simulated by appell, recorded and identified.",
        remark: "No paper, and no data of others: an arm whose bodies differ from its file by up to a tenth, with friction and rotors that the \
                 file lacks, under a PD law with encoders. A recorder writes 200 rows a second with noise in the torques; its stamps are \
                 uneven by up to 30 % of a step, and one row of a hundred is missing. All is seeded: the numbers are the same everywhere.",
        sections: vec![section()?],
        errata: &[],
    };
    Ok((paper, scenarios.into()))
}

fn section() -> Result<Section> {
    let study = Study::new()?;
    let found = &study.found;
    let part_within = |limit: f64| {
        let within = study.parameters.iter().filter(|own| off(own).abs() <= limit).count();
        within as f64 / study.parameters.len() as f64
    };
    let within_sigma = [1.0, 2.0, 3.0].map(part_within);
    let as_good = |(_, Left { truth, free, robot }): &(&str, Left)| {
        let limit = (1.0 + MORE_THAN_TRUTH) * truth.relative;
        robot.relative <= limit && free.as_ref().is_none_or(|free| free.relative <= limit)
    };
    let [mass, sigma] = study.weighed;
    let claims = [
        ("all base parameters show".to_owned(), study.parameters.len() == found.structural),
        (
            format!("{} % of them are within 2 σ of the truth", 100.0 * WITHIN_TWO_SIGMA),
            within_sigma[1] >= WITHIN_TWO_SIGMA,
        ),
        (
            format!(
                "torques that were not fitted are predicted as well as by the truth, to {} %",
                100.0 * MORE_THAN_TRUTH
            ),
            study.left[1..].iter().all(as_good),
        ),
        (
            format!("torques of the estimate are the true ones to {} %", 100.0 * TORQUES_APART),
            study.apart <= TORQUES_APART,
        ),
        (format!("the payload is weighed to {} %", 100.0 * WEIGHED), (mass / PAYLOAD_MASS - 1.0).abs() <= WEIGHED),
    ];
    let failed: Vec<&str> = claims.iter().filter(|(_, holds)| !holds).map(|(what, _)| what.as_str()).collect();
    let [one, two, three] = within_sigma.map(|part| (100.0 * part).round());
    let (_, second) = &study.left[1];
    let headline = format!(
        "{} base parameters, {one}, {two}, {three} % within 1, 2, 3 σ of the truth; {:.2} % left of torques that were not fitted, by the truth \
         {:.2} %, these two {:.2} % apart; payload of {PAYLOAD_MASS} kg: {mass:.3} kg",
        study.parameters.len(),
        100.0 * second.robot.relative,
        100.0 * second.truth.relative,
        100.0 * study.apart,
    );
    let held_out = found.efforts_per_joint(&found.held_out[0].equations);
    let (times, loaded) = &study.loaded;
    Ok(Section {
        name: "identification",
        title: "Parameters of a simulated arm beside the true ones",
        verdict: if failed.is_empty() { Verdict::Matches } else { Verdict::Fails },
        headline: if failed.is_empty() { headline } else { format!("not as we claim: {}", failed.join("; ")) },
        body: page::table(HEADINGS_OF_RESIDUALS, &residuals(&study)) + &page::table(HEADINGS, &rows(&study.parameters)),
        figures: vec![
            Figure {
                file: "demonstration-second.svg",
                caption: "Torques of the second recording, which was not fitted: measured, predicted by the free parameters, and the residual.",
                svg: within(&drawn("second recording", &found.held_out[0].times, &held_out), "demonstration-second"),
            },
            Figure {
                file: "demonstration-loaded.svg",
                caption: "Torques of the recording with a payload: measured, needed by the identified robot with that payload on its hand, and the \
                          residual.",
                svg: within(&drawn("with a payload", times, loaded), "demonstration-loaded"),
            },
        ],
        reasons: reasons(&study, [mass, sigma]),
        data: json!({
            "base_parameters": study.parameters.len(),
            "within_sigma": within_sigma,
            "parameters": study.parameters.iter().map(|own| json!({
                "name": own.name, "unit": own.unit, "truth": own.truth, "estimate": own.estimate, "sigma": own.sigma,
                "consistent": own.consistent, "before": own.before,
            })).collect::<Vec<_>>(),
            "residuals": study.left.iter().map(as_json).collect::<Vec<_>>(),
            "torques_apart": study.apart,
            "payload": { "truth": PAYLOAD_MASS, "estimate": mass, "sigma": sigma },
            "warnings": found.warnings,
        }),
    })
}

fn reasons(study: &Study, [mass, sigma]: [f64; 2]) -> Vec<String> {
    let found = &study.found;
    let [first, second, loaded] = NAMES;
    let warnings = if found.warnings.is_empty() { "none".to_owned() } else { found.warnings.join("; ") };
    vec![
        format!(
            "The scenarios are in the folder {FOLDER} beside this page. With them, appell simulate {first}.toml --out {first} and the same for \
             {second} write the recordings, and appell identify puma560 --data {first}/recorder.csv --validate {second}/recorder.csv finds the \
             robot, with the numbers above."
        ),
        format!("{}. {}.", found.recordings[0].time, found.signals()),
        format!(
            "Without noise, the estimate's torques are {:.2} % of the torques apart from the true ones along the second recording.",
            100.0 * study.apart
        ),
        "What the true parameters leave is noise of the torques, and what filters and encoders make of the motion: nobody can leave less but by \
         chance, or by fitting it."
            .into(),
        format!(
            "The payload was on the hand in the recording {loaded}. The identified robot with that payload in its file predicts its torques; and \
             from that recording, with all of the robot known but its last body, the payload weighs {mass:.3} ± {sigma:.3} kg. This σ is of the \
             noise alone, not of the robot."
        ),
        format!("Warnings of the identification: {warnings}."),
    ]
}

fn drawn(what: &str, times: &[f64], joints: &[[Vec<f64>; 2]]) -> String {
    let labels: Vec<String> = (1..=joints.len()).map(|joint| format!("joint {joint} (N m)")).collect();
    compared(&format!("PUMA 560, {what}"), &Across::even("t (s)", times), joints, &labels)
}

/// How far an estimate is from the truth, in σ.
fn off(own: &Parameter) -> f64 {
    (own.estimate - own.truth) / own.sigma
}

const HEADINGS: [&str; 8] = ["parameter", "truth", "estimate", "σ", "off by, σ", "consistent", "before", "unit"];

fn rows(parameters: &[Parameter]) -> Vec<Vec<String>> {
    let row = |own: &Parameter| {
        let mut row = vec![own.name.clone()];
        let numbers =
            [(own.truth, 4), (own.estimate, 4), (own.sigma, 4), (off(own), 1), (own.consistent, 4), (own.before, 4)];
        row.extend(numbers.map(|(x, decimals)| fixed(x, decimals)));
        row.push(own.unit.to_owned());
        row
    };
    parameters.iter().map(row).collect()
}

/// A number with so many decimals; no zero is below zero.
fn fixed(x: f64, decimals: usize) -> String {
    let text = format!("{x:.decimals$}");
    if text.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) { text } else { text.trim_start_matches('-').into() }
}

const HEADINGS_OF_RESIDUALS: [&str; 9] = ["residual, %", "by", "all", "joint 1", "2", "3", "4", "5", "6"];

fn residuals(study: &Study) -> Vec<Vec<String>> {
    let what = ["first, fitted", "second, held out", "loaded, held out, payload known"];
    let mut rows = Vec::new();
    for (what, (_, Left { truth, free, robot })) in what.into_iter().zip(&study.left) {
        let by =
            [("the truth", Some(truth)), ("free parameters", free.as_ref()), ("the identified robot", Some(robot))];
        for (by, fit) in by.into_iter().filter_map(|(by, fit)| Some((by, fit?))) {
            let mut row = vec![what.to_owned(), by.to_owned(), format!("{:.2}", 100.0 * fit.relative)];
            row.extend(fit.rows.iter().map(|own| format!("{:.2}", 100.0 * own.relative)));
            rows.push(row);
        }
    }
    rows
}

fn as_json((name, Left { truth, free, robot }): &(&'static str, Left)) -> Value {
    let fit = |fit: &Fit| json!({ "all": fit.relative, "joints": fit.rows.iter().map(|row| row.relative).collect::<Vec<_>>() });
    json!({ "recording": name, "truth": fit(truth), "free": free.as_ref().map(fit), "robot": fit(robot) })
}
