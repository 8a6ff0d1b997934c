//! How it is simulated: the section `[run]`.

use super::each::{some_count, some_positive, some_word};
use crate::simulation::{Method, Options, Tolerances, Watched};
use appell::description::Finding;
use appell::description::toml::reader::{Reader, Table};

/// Options of the simulation, and the time from row to row of the record, s.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub(super) options: Options,
    pub(super) record: f64,
}

/// A method made of the length of its steps.
type InSteps = fn(f64) -> Method;

/// A part of what is watched.
type Part = fn(&mut Watched) -> &mut bool;

/// The methods: adaptive, or in steps.
const METHODS: &[(&str, Option<InSteps>)] = &[
    ("dormand-prince", None),
    ("runge-kutta", Some(|step| Method::RungeKutta { step })),
    ("midpoint", Some(|step| Method::Midpoint { step })),
];

const LIMITS: &[(&str, Part)] = &[
    ("position", |watched| &mut watched.position),
    ("velocity", |watched| &mut watched.velocity),
    ("effort", |watched| &mut watched.effort),
];

/// Time from row to row of a record, where nothing else is said, s.
const RECORD: f64 = 0.01;

/// No robot moves faster, rad/s or m/s.
const FASTEST: f64 = 1e4;

/// The shortest such time, s.
const SHORTEST: f64 = 1e-9;

impl Run {
    pub(super) fn read(reader: &mut Reader, file: &Table<'_>) -> Self {
        let stop_at = Watched { position: true, ..Watched::default() };
        let mut run = Self { options: Options { stop_at, fastest: FASTEST, ..Options::default() }, record: RECORD };
        let known = &["method", "tolerance", "step", "stop_at", "least_condition", "fastest", "most_steps", "record"];
        let Some(table) = reader.get(file, "run").and_then(|node| reader.table(&node, known)) else { return run };
        let in_steps = some_word(reader, &table, "method", METHODS).flatten();
        let tolerance = some_positive(reader, &table, "tolerance");
        let step = some_positive(reader, &table, "step");
        run.options.method = match (in_steps, step) {
            (None, _) => {
                let default = Tolerances::default();
                Method::DormandPrince(tolerance.map_or(default, |relative| Tolerances { relative, absolute: relative }))
            }
            (Some(method), Some(step)) => method(step),
            (Some(_), None) => {
                reader.error(&table.place_of("step"), Finding::Missing { expected: "the length of a step, s" });
                run.options.method
            }
        };
        let unused = if in_steps.is_none() { step.map(|_| "step") } else { tolerance.map(|_| "tolerance") };
        if let Some(key) = unused {
            let known = if key == "step" { &["method", "tolerance"] } else { &["method", "step"] };
            reader.error(&table.place_of(key), Finding::UnknownKey { known });
        }
        run.options.stop_at = watched(reader, &table).unwrap_or(run.options.stop_at);
        run.options.least_condition = some_positive(reader, &table, "least_condition");
        run.options.fastest = some_positive(reader, &table, "fastest").unwrap_or(FASTEST);
        if let Some(most) = some_count(reader, &table, "most_steps") {
            run.options.most_steps = most as usize;
        }
        if let Some(record) = some_positive(reader, &table, "record") {
            if record < SHORTEST {
                reader.error(&table.place_of("record"), Finding::NotPositive { value: record });
            }
            run.record = record;
        }
        run
    }
}

/// The limits that are named.
fn watched(reader: &mut Reader, table: &Table<'_>) -> Option<Watched> {
    let node = reader.get(table, "stop_at")?;
    let mut all = Watched::default();
    for item in reader.items(&node, "an array of \"position\", \"velocity\", \"effort\"")? {
        let text = reader.text(&item, "\"position\", \"velocity\" or \"effort\"")?;
        match LIMITS.iter().find(|(word, _)| *word == text) {
            Some((_, limit)) => *limit(&mut all) = true,
            None => {
                let known = LIMITS.iter().map(|(word, _)| (*word).to_owned()).collect();
                reader.error(&item.place, Finding::UnknownWord { word: text.to_owned(), known });
            }
        }
    }
    Some(all)
}
