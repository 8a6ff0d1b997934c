//! A measured industrial robot, identified: the Stäubli TX40.
//!
//! | file | what it shows |
//! |---|---|
//! | [`recording`] | the published data, where a user has them |
//! | [`study`] | two models of friction, two estimators |

mod recording;
mod study;

use crate::report::compared;
use anyhow::Result;
use appell_drawing::{Across, page};
use appell_papers::report::within;
use appell_papers::report::{Figure, Origin, Paper, Section, Verdict};
use serde_json::{Value, json};
use std::path::Path;
use study::{By, Friction, Outcome, Trial};

/// What the section is called, with data and without.
const NAME: &str = "identification";
const TITLE: &str = "Parameters of a measured robot, and how well they predict its torques";

/// What plain weighted least squares reached elsewhere on these files, in percent: all data, joints 1 to 6, and the
/// second half with parameters of the first. From the README of the data.
struct Elsewhere {
    rate: &'static str,
    all: f64,
    joints: [f64; 6],
    second: f64,
}

const ELSEWHERE: [Elsewhere; 2] = [
    Elsewhere { rate: "100 Hz", all: 8.4, joints: [7.0, 8.0, 11.8, 12.7, 15.5, 15.1], second: 12.5 },
    Elsewhere { rate: "50 Hz", all: 7.5, joints: [5.9, 7.3, 10.3, 11.8, 14.2, 14.3], second: 11.6 },
];

/// Base parameters that were found elsewhere.
const PARAMETERS: usize = 61;

/// What a consistent fit may lose, over the residual without it.
const PRICE: f64 = 0.1;

/// The study of the recording in a folder; without one, what is needed.
pub(super) fn paper(data: Option<&Path>) -> Result<Paper> {
    Ok(Paper {
        number: "TX40",
        origin: Origin::Measured,
        citation: "Motor positions and torques of a Stäubli TX40, published with the examples of the identification toolkit FIGAROH \
                   (thanhndv212/figaroh-examples, Apache-2.0).",
        remark: "No paper, but a measurement: 9 s of a six-axis industrial robot at 1 kHz, thinned from 5 kHz. Positions are \
                 low-passed at 100 Hz, equations and torques low-passed and thinned together, as where the numbers beside ours come \
                 from. docs/identification.md says how appell identify makes it again.",
        sections: vec![data.map_or_else(|| Ok(without_data()), section)?],
        errata: &[],
    })
}

fn without_data() -> Section {
    Section {
        name: NAME,
        title: TITLE,
        verdict: Verdict::NeedsData,
        headline: "needs the published recording: --data FOLDER".into(),
        body: String::new(),
        figures: Vec::new(),
        reasons: vec![recording::NEEDED.into()],
        data: json!({ "needed": recording::NEEDED }),
    }
}

fn section(data: &Path) -> Result<Section> {
    let robot = study::robot()?;
    let recording = recording::read(data)?;
    let plain = [10, 20].map(|decimation| Trial::new(&robot, &recording, Friction::Jumping, decimation));
    let [at_100, at_50] = plain;
    let greased = Trial::new(&robot, &recording, Friction::Greased, 20)?;
    let ours: [(String, Outcome); 4] = [
        ("plain friction, 100 Hz".into(), at_100?.outcome(By::Weighted)?),
        ("plain friction, 50 Hz".into(), at_50?.outcome(By::Weighted)?),
        ("friction of greased gears, 50 Hz".into(), greased.outcome(By::Weighted)?),
        ("the same, physically consistent".into(), greased.outcome(By::Consistent)?),
    ];
    let [(_, fast), (_, slow), (_, better), (_, consistent)] = &ours;
    let as_good = |own: &Outcome, elsewhere: &Elsewhere| {
        100.0 * own.all.relative <= elsewhere.all && 100.0 * own.halves[0] <= elsewhere.second
    };
    let price = consistent.all.relative / better.all.relative - 1.0;
    let claims = [
        ("61 base parameters with plain friction", slow.parameters == PARAMETERS && fast.parameters == PARAMETERS),
        (
            "plain weighted least squares as good as elsewhere",
            as_good(fast, &ELSEWHERE[0]) && as_good(slow, &ELSEWHERE[1]),
        ),
        ("other friction better on parts that were not fitted", better.folds < slow.folds),
        ("consistent parameters better still there", consistent.folds < better.folds),
        ("a consistent fit loses less than a tenth", price < PRICE),
    ];
    let failed: Vec<&str> = claims.iter().filter(|(_, holds)| !holds).map(|(what, _)| *what).collect();
    let headline = format!(
        "{} base parameters, {:.1} % left; {:.1} % with other friction",
        slow.parameters,
        100.0 * slow.all.relative,
        100.0 * better.all.relative
    );
    Ok(Section {
        name: NAME,
        title: TITLE,
        verdict: if failed.is_empty() { Verdict::Matches } else { Verdict::Fails },
        headline: if failed.is_empty() { headline } else { format!("not as we claim: {}", failed.join("; ")) },
        body: table(&ours),
        figures: vec![Figure {
            file: "TX40-torques.svg",
            caption: "Torques of the joints: measured, predicted with the friction of greased gears, and the residual.",
            svg: within(&torques(&greased), "tx40-torques"),
        }],
        reasons: vec![
            "Relative residuals, ‖τ − W φ‖ / ‖τ‖. The second half is predicted with parameters of the first, the first with those of \
             the second; five parts each with those of the other four. Only data that were not fitted separate a better model from one that \
             has more to fit with."
                .into(),
            "The friction of greased gears: Coulomb friction that vanishes at rest, within 0.01 rad/s, since the sign of a filtered \
             velocity is noise while the robot stands; and a part with the root of the speed, steep at first and flat later."
                .into(),
            format!(
                "A consistent fit finds bodies of positive density and friction that brakes, nearest to the plausible masses of \
                 staubli-tx40.toml. It loses {:.1} % of the fit and gains on data it has not seen.",
                100.0 * price
            ),
        ],
        data: json!({
            "base_parameters": slow.parameters,
            "price_of_consistency": price,
            "elsewhere": ELSEWHERE.iter().map(|row| json!({
                "rate": row.rate, "all": 0.01 * row.all, "joints": row.joints.map(|x| 0.01 * x), "second_half": 0.01 * row.second,
            })).collect::<Vec<_>>(),
            "ours": ours.iter().map(as_json).collect::<Vec<_>>(),
        }),
    })
}

fn table(ours: &[(String, Outcome)]) -> String {
    let headings = [
        "residual, %",
        "parameters",
        "all",
        "joint 1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "second half",
        "first half",
        "five parts",
    ];
    let number = |x: f64| format!("{x:.1}");
    let elsewhere = |row: &Elsewhere| {
        let mut cells = vec![format!("elsewhere, {}", row.rate), PARAMETERS.to_string(), number(row.all)];
        cells.extend(row.joints.map(number));
        cells.extend([number(row.second), "–".into(), "–".into()]);
        cells
    };
    let own = |(name, outcome): &(String, Outcome)| {
        let mut cells = vec![name.clone(), outcome.parameters.to_string(), number(100.0 * outcome.all.relative)];
        cells.extend(outcome.all.rows.iter().map(|row| number(100.0 * row.relative)));
        cells.extend(outcome.halves.iter().chain([&outcome.folds]).map(|x| number(100.0 * x)));
        cells
    };
    let [fast, slow] = ELSEWHERE.each_ref().map(elsewhere);
    let rows: Vec<Vec<String>> = [fast, own(&ours[0]), slow].into_iter().chain(ours[1..].iter().map(own)).collect();
    page::table(headings, &rows)
}

fn torques(trial: &Trial) -> String {
    let joints = trial.torques();
    let labels: Vec<String> = (1..=joints.len()).map(|joint| format!("joint {joint} (N m)")).collect();
    compared("Stäubli TX40", &Across::even("t (s)", &trial.found.recordings[0].times), &joints, &labels)
}

fn as_json((name, outcome): &(String, Outcome)) -> Value {
    json!({
        "model": name,
        "parameters": outcome.parameters,
        "all": outcome.all.relative,
        "joints": outcome.all.rows.iter().map(|row| row.relative).collect::<Vec<_>>(),
        "second_half": outcome.halves[0],
        "first_half": outcome.halves[1],
        "five_parts": outcome.folds,
    })
}
