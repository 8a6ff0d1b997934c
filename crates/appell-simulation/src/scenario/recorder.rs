//! What stands beside the computer and keeps what it sees: the section `[recorder]`.
//!
//! Real recorders come when they can, miss rows, and measure currents with noise. This one takes the computer's sample that is nearest to
//!
//! ```text
//! t_k = (k + jitter u_k) / rate        u_k even in −1 … 1
//! ```
//!
//! with its own time: stamps are right, and uneven. A row is that time, the measured positions, and the torques and forces that act
//! then, with noise of their own.

use super::each::{some, some_count, some_positive};
use super::{Cause, Each, ScenarioError, at};
use crate::control::sampled::Instant;
use crate::control::signal::Noise;
use appell::description::notes::Notes;
use appell::description::toml::reader::{Reader, Table};
use appell::sample::Sampler;

/// The section.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RecorderPart {
    rate: f64, // Hz
    jitter: f64,
    lost: f64,
    noise: Option<Each>,
    seed: u32,
}

impl RecorderPart {
    pub(super) fn read(reader: &mut Reader, file: &Table<'_>) -> Option<Self> {
        let node = reader.get(file, "recorder")?;
        let table = reader.table(&node, &["rate", "jitter", "lost", "noise", "seed"])?;
        reader.require(&table, "rate", "rows a second, Hz");
        let mut part = |key: &str| some(reader, &table, key, Reader::number).unwrap_or(0.0);
        let (jitter, lost) = (part("jitter"), part("lost"));
        Some(Self {
            rate: some_positive(reader, &table, "rate")?,
            jitter,
            lost,
            noise: Each::read(reader, &table, "noise"),
            seed: some_count(reader, &table, "seed").unwrap_or(0),
        })
    }

    /// The recorder beside a computer of this period, s, with drives of these names.
    pub(super) fn of(&self, names: &[String], period: Option<f64>, notes: &Notes) -> Result<Recorder, ScenarioError> {
        let expect = |key: &str, value: f64, holds: bool, expected: &'static str| {
            let checked = if holds { Ok(()) } else { Err(Cause::OutOfRange { value, expected }) };
            at(notes, &format!("recorder.{key}"), checked)
        };
        let expected = "the computer whose samples it records";
        let period = at(notes, "loop", period.ok_or(Cause::Missing { expected }))?;
        let (rate, jitter, lost) = (self.rate, self.jitter, self.lost);
        expect("rate", rate, rate * period < 1.0 + 1e-9, "at most a row per sample of the computer")?;
        expect("jitter", jitter, (0.0..0.5).contains(&jitter), "a part of a step, from 0 to less than 0.5")?;
        expect("lost", lost, (0.0..1.0).contains(&lost), "a part of the rows, from 0 to less than 1")?;
        let noise = self.noise.as_ref().map_or(Ok(vec![0.0; names.len()]), |noise| noise.of(names, None));
        let noise = at(notes, "recorder.noise", noise)?;
        for value in &noise {
            expect("noise", *value, *value >= 0.0, "zero or a positive number, N m or N")?;
        }
        let seed = u64::from(self.seed);
        let (chance, random) = (Sampler::new(seed), Noise::new(!seed));
        Ok(Recorder {
            part: self.clone(),
            half: 0.5 * period,
            noise,
            chance,
            random,
            count: 0,
            next: 0.0,
            row: Vec::new(),
        })
    }
}

/// A recorder at work.
pub(super) struct Recorder {
    part: RecorderPart,
    half: f64,       // of a period
    noise: Vec<f64>, // N m or N, one a drive
    chance: Sampler,
    random: Noise,
    count: u32,    // rows that should be
    next: f64,     // row's time
    row: Vec<f64>, // empty where the last sample is none
}

impl Recorder {
    /// Takes a sample, or not.
    pub(super) fn take(&mut self, instant: &Instant<'_>) {
        self.row.clear();
        let t = instant.truth.t;
        if t + self.half < self.next {
            return;
        }
        if 0.5 + self.chance.within(0.5) >= self.part.lost {
            self.row.extend([t].iter().chain(instant.q));
            let random = &mut self.random;
            self.row.extend(instant.applied.iter().zip(&self.noise).map(|(tau, noise)| tau + noise * random.sample()));
        }
        while t + self.half >= self.next {
            self.count += 1;
            self.next = (f64::from(self.count) + self.chance.within(self.part.jitter)) / self.part.rate;
        }
    }

    /// The row of the last sample, if it is one.
    pub(super) fn row(&self) -> Option<&[f64]> {
        (!self.row.is_empty()).then_some(&self.row[..])
    }
}

/// Hears a row.
pub type RowListener<'w> = Box<dyn FnMut(&[f64]) + 'w>;

/// The columns of what a recorder keeps of so many drives: t, q1 …, tau1 ….
#[must_use]
pub fn recorded_columns(drives: usize) -> Vec<String> {
    let of = |symbol: &'static str| (1..=drives).map(move |k| format!("{symbol}{k}"));
    core::iter::once("t".to_owned()).chain(of("q")).chain(of("tau")).collect()
}
