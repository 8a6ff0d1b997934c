//! From the columns of a recorder's table to equations.

use super::Loaded;
use super::error::{FileError, IdentifyError};
use crate::data::{self, Columns, DataError, Filter, JointMotion, Layout, Load, Measurement, Span};
use crate::estimate::Stretch;
use crate::identified::Source;
use crate::observation::{Observation, ObservationError, Samples, observe, observe_thinned};
use crate::parameters::Model;
use crate::plausibility::suspicions;
use crate::signals::{Decimation, SignalError};
use crate::thresholds::{GAP, SHARED_ROWS, STANDSTILL};
use crate::unknowns::Unknowns;
use appell::Robot;
use appell_batch::{BatchError, Motions};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Rows whose equations are made at once, so that they need little memory,
const AT_ONCE: usize = 2048;

/// rows of a stretch at full rate: a spectrum has enough of them,
const AT_FULL_RATE: usize = 1 << 17;

/// and samples of equations at another cut-off: a quarter of an hour at 9 Hz tells a delay.
const AT_OTHER_CUT_OFF: usize = 1 << 13;

/// A recorder's table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its name, and what tells it from others.
    pub source: Source,
    /// All columns with their names; those that the layout does not name may be empty.
    pub columns: Vec<(String, Vec<f64>)>,
}

/// What a recording says of the unknowns.
#[derive(Debug, Clone)]
pub struct Recording {
    /// Its name, and what tells it from others.
    pub source: Source,
    /// What is odd about it.
    pub doubts: Vec<String>,
    /// What was found about its stamps and done about them, in words; empty where they are even.
    pub time: String,
    /// Rows of the table.
    pub rows: usize,
    /// Samples per second, Hz.
    pub rate: f64,
    /// What is cut off at both ends of each piece, s.
    pub border: f64,
    /// The part of the samples that is lost so.
    pub lost: f64,
    /// When the samples that are left were taken, s.
    pub times: Vec<f64>,
    /// Equations per second, Hz.
    pub thinned_rate: f64,
    /// How much it can say.
    pub span: Span,
    /// For the unknowns, less what is known.
    pub equations: Observation,
    /// How fast its joint moves, over the largest speed it has in this recording, equation by equation.
    pub speeds: Vec<f64>,
    /// Positions, smoothed, and efforts, as they were, at all samples; piece by piece.
    motions: Vec<JointMotion>,
    /// What the robot carried beside its own bodies.
    load: Option<Load>,
}

/// Recordings with their equations.
pub(super) struct Made<'m> {
    pub(super) fitted: &'m [Recording],
    pub(super) held_out: &'m [Recording],
    pub(super) of_reference: &'m [Recording],
}

/// A table whose columns were understood.
pub(super) struct Measured {
    pub(super) source: Source,
    pub(super) pieces: Vec<Measurement>,
    time: String,
    doubts: Vec<String>,
    /// Of positions and efforts, row by row.
    hashes: Vec<u64>,
    /// What the robot carried beside its own bodies.
    pub(super) load: Option<Load>,
}

/// From tables to equations.
#[derive(Clone, Copy)]
pub(super) struct Recorder<'r> {
    pub(super) robot: &'r Robot,
    pub(super) layout: &'r Layout,
    pub(super) unknowns: &'r Unknowns,
}

fn in_file(source: &Source) -> impl Fn(FileError) -> IdentifyError + use<> {
    let name = source.name.clone();
    move |cause| IdentifyError::File { name: name.clone(), cause: Box::new(cause) }
}

impl Recorder<'_> {
    /// What tables say of the joints.
    pub(super) fn measure(&self, tables: &[Table]) -> Result<Vec<Measured>, IdentifyError> {
        let measure = |table: &Table| {
            let measured = self.layout.measure(self.robot, &table.columns).map_err(FileError::from);
            let data::Measured { pieces, time, doubts } = measured.map_err(in_file(&table.source))?;
            let doubts = doubts.iter().map(ToString::to_string).collect();
            let hashes = hashes(self.layout, &table.columns);
            // Speeds have been compared with the positions; nothing else reads them.
            let pieces = pieces.into_iter().map(|piece| Measurement { v: None, ..piece }).collect();
            Ok(Measured { source: table.source.clone(), pieces, time, doubts, hashes, load: None })
        };
        tables.iter().map(measure).collect()
    }

    /// The same of tables with payloads.
    pub(super) fn measure_loaded(&self, loaded: &[Loaded]) -> Result<Vec<Measured>, IdentifyError> {
        let measure = |Loaded { table, payload }: &Loaded| {
            let name = table.source.name.clone();
            let load = payload.on(self.robot).map_err(|cause| IdentifyError::Payload { name, cause })?;
            let measured = self.measure(core::slice::from_ref(table))?.remove(0);
            Ok(Measured { load: Some(load), ..measured })
        };
        loaded.iter().map(measure).collect()
    }

    /// The same of motions that were wanted or simulated, one per recording, at its instants.
    pub(super) fn references(&self, tables: &[Table], data: &[Measured]) -> Result<Vec<Measured>, IdentifyError> {
        if tables.len() != data.len() {
            let (found, expected) = (tables.len(), data.len());
            return Err(IdentifyError::Instruments { what: "table", found, expected });
        }
        let measure = |(table, data): (&Table, &Measured)| {
            let measured = self.layout.measure_motion(self.robot, &table.columns);
            let fits = measured.and_then(|pieces| {
                let (found, expected) = (pieces.len(), data.pieces.len());
                if found != expected {
                    return Err(DataError::Pieces { found, expected });
                }
                pieces.iter().zip(&data.pieces).try_for_each(|(own, data)| own.expect_instants_of(data))?;
                Ok(pieces)
            });
            let pieces = fits.map_err(FileError::from).map_err(in_file(&table.source))?;
            if pieces.iter().zip(&data.pieces).all(|(own, data)| own.q == data.q) {
                let data = data.source.name.clone();
                return Err(in_file(&table.source)(FileError::NotAnInstrument { data }));
            }
            let source = table.source.clone();
            Ok(Measured {
                source,
                pieces,
                time: String::new(),
                doubts: Vec::new(),
                hashes: Vec::new(),
                load: data.load,
            })
        };
        tables.iter().zip(data).map(measure).collect()
    }

    /// The equations of all.
    pub(super) fn observe(&self, measured: Vec<Measured>, filter: &Filter) -> Result<Vec<Recording>, IdentifyError> {
        let observe = |Measured { source, pieces, time, doubts, hashes, load }: Measured| {
            let in_file = in_file(&source);
            let mut recording = Recording::new(source, pieces, self, filter, load).map_err(in_file)?;
            recording.doubts.splice(..0, doubts);
            recording.time = time;
            if !hashes.is_empty() {
                recording.rows = hashes.len();
            }
            Ok(recording)
        };
        measured.into_iter().map(observe).collect()
    }
}

/// What tells the rows of a table from others: positions and efforts.
fn hashes(layout: &Layout, columns: &Columns) -> Vec<u64> {
    let is_read = |name: &String| layout.position.columns.contains(name) || layout.effort.columns.contains(name);
    let channels: Vec<&Vec<f64>> =
        columns.iter().filter(|(name, _)| is_read(name)).map(|(_, channel)| channel).collect();
    let row = |i: usize| {
        let mut hasher = DefaultHasher::new();
        channels.iter().for_each(|channel| channel[i].to_bits().hash(&mut hasher));
        hasher.finish()
    };
    (0..channels.first().map_or(0, |channel| channel.len())).map(row).collect()
}

/// Refuses recordings that are given twice, or share rows, as pieces of one file do: their equations would count twice, or be predicted
/// by themselves.
pub(super) fn expect_own_rows(data: &[Measured], validate: &[Measured]) -> Result<(), IdentifyError> {
    let rows = |measured: &Measured| -> HashSet<u64> { measured.hashes.iter().copied().collect() };
    let mut before: Vec<(&str, HashSet<u64>)> = Vec::new();
    for (k, measured) in data.iter().chain(validate).enumerate() {
        let own = rows(measured);
        for (name, other) in &before {
            let part = own.intersection(other).count() as f64 / own.len().min(other.len()).max(1) as f64;
            if part > SHARED_ROWS {
                let (one, is_same, is_held_out) = ((*name).to_owned(), own == *other, k >= data.len());
                let other = measured.source.name.clone();
                return Err(match is_same {
                    true => IdentifyError::Same { one, other, is_held_out },
                    false => IdentifyError::SharedRows { one, other, part, is_held_out },
                });
            }
        }
        before.push((&measured.source.name, own));
    }
    Ok(())
}

impl Recording {
    /// Equations of a measurement, piece by piece; refused where it fits the robot's file in other units, signs or order of joints only, and
    /// doubted where it may. Pieces that are shorter than what the filters cut off at their ends are left out.
    pub(super) fn new(
        source: Source,
        pieces: Vec<Measurement>,
        &Recorder { robot, layout, unknowns }: &Recorder<'_>,
        filter: &Filter,
        load: Option<Load>,
    ) -> Result<Self, FileError> {
        let longest =
            pieces.iter().max_by_key(|piece| piece.time.len()).ok_or(DataError::TooFew { found: 0, least: 1 })?;
        let motions = pieces.iter().map(|piece| match piece.motion(filter) {
            Err(DataError::Borders { .. }) if piece.time.len() < longest.time.len() => Ok(None),
            made => made.map(Some),
        });
        let motions: Vec<Option<JointMotion>> = motions.collect::<Result<_, _>>()?;
        let is_reference = longest.effort.iter().flatten().all(|&effort| effort == 0.0);
        let loaded = load.map(|load| load.carried_by(robot));
        let suspected = loaded.as_ref().unwrap_or(robot);
        let suspicions = if is_reference { Vec::new() } else { suspicions(suspected, layout, longest, filter)? };
        if suspicions.iter().any(|suspicion| suspicion.is_certain) {
            return Err(FileError::Misread { suspicions });
        }
        let rate = longest.clock.rate();
        let fastest = |joint: usize| {
            let speeds =
                motions.iter().flatten().flat_map(|motion| &motion.v[joint * motion.count..(joint + 1) * motion.count]);
            speeds.fold(0.0, |most: f64, v| most.max(v.abs()))
        };
        let fastest: Vec<f64> = (0..longest.q.len()).map(|joint| fastest(joint).max(f64::MIN_POSITIVE)).collect();
        let (mut times, mut speeds) = (Vec::new(), Vec::new());
        for (motion, piece) in motions.iter().zip(&pieces).filter_map(|(motion, piece)| Some((motion.as_ref()?, piece)))
        {
            for at in motion.right_samples(&motion.decimation) {
                times.push(piece.time[at]);
                let speed = |(joint, most): (usize, &f64)| motion.v[joint * motion.count + at].abs() / most;
                speeds.extend(fastest.iter().enumerate().map(speed));
            }
        }
        let rows: usize = pieces.iter().map(|piece| piece.time.len()).sum();
        let motions: Vec<JointMotion> = motions.into_iter().flatten().collect();
        let border = motions.first().map_or(0, |motion| motion.decimation.border());
        let between: usize = motions.iter().map(|motion| motion.count - 2 * border).sum();
        let span = pieces.iter().map(Measurement::span).reduce(Span::and).expect("there is a longest");
        drop(pieces);
        Ok(Self {
            source,
            doubts: suspicions.iter().map(ToString::to_string).collect(),
            time: String::new(),
            rows,
            rate,
            border: border as f64 / rate,
            lost: 1.0 - between as f64 / rows as f64,
            times,
            thinned_rate: rate / filter.decimation as f64,
            span,
            equations: thinned(&motions, robot, &unknowns.all, load, |_| None)?.with_known(&unknowns.known)?,
            speeds,
            motions,
            load,
        })
    }

    /// The equations of a table alone, with the filter that its layout asks for.
    ///
    /// # Errors
    /// If something is wrong with its columns, or they fit the robot's file in other units, signs or order of joints only.
    pub fn of_table(table: &Table, robot: &Robot, layout: &Layout, unknowns: &Unknowns) -> Result<Self, IdentifyError> {
        let recorder = Recorder { robot, layout, unknowns };
        let measured = recorder.measure(core::slice::from_ref(table))?;
        let filter = layout.filter.chosen(&measured[0].pieces.iter().collect::<Vec<_>>())?;
        Ok(recorder.observe(measured, &filter)?.remove(0))
    }

    /// The equations of the same samples for other columns of the same robot.
    pub(super) fn equations_of(&self, robot: &Robot, model: &Model) -> Result<Observation, IdentifyError> {
        thinned(&self.motions, robot, model, self.load, |_| None).map_err(in_file(&self.source))
    }

    /// The part of the samples in which no joint moves.
    #[must_use]
    pub fn standstill(&self) -> f64 {
        let moving = self.moving();
        let samples = moving.chunks(self.equations.rows().len());
        let all = samples.len().max(1);
        samples.filter(|joints| !joints.contains(&true)).count() as f64 / all as f64
    }

    /// Whether its joint moves, equation by equation.
    #[must_use]
    pub fn moving(&self) -> Vec<bool> {
        self.speeds.iter().map(|speed| *speed > STANDSTILL).collect()
    }

    /// The same samples with equations that are thinned more or less, cut off as low or high as that asks for, with their stretches: of each piece
    /// the middle one, where it has more than 8192; none where that is not possible.
    pub(super) fn thinned_by(
        &self,
        factor: usize,
        number: usize,
        robot: &Robot,
        unknowns: &Unknowns,
    ) -> Option<(Observation, Vec<Stretch>)> {
        let mut stretches = Vec::new();
        let by = |motion: &JointMotion| {
            let decimation = Decimation::new(factor, self.rate)?.with_border(motion.decimation.border());
            Ok::<_, SignalError>(decimation.with_most(AT_OTHER_CUT_OFF))
        };
        for motion in &self.motions {
            // Samples that follow each other.
            let right = motion.right_samples(&by(motion).ok()?);
            for run in right.chunk_by(|one, other| one + factor == *other) {
                stretches.push(Stretch { recording: number, samples: run.len(), step: factor as f64 / self.rate });
            }
        }
        let equations = thinned(&self.motions, robot, &unknowns.all, self.load, |motion| by(motion).ok());
        Some((equations.ok()?.with_known(&unknowns.known).ok()?, stretches))
    }

    /// Where the equations are cut off, Hz, if they are.
    #[must_use]
    pub fn cut_off(&self) -> Option<f64> {
        self.motions.first().and_then(|motion| motion.decimation.cut_off())
    }

    /// The equations of the rows of the longest stretch without faults between the borders, neither low-passed nor thinned, some after
    /// the other; of its first 131 072 rows, where it has more.
    pub(super) fn at_full_rate(
        &self,
        robot: &Robot,
        unknowns: &Unknowns,
    ) -> impl Iterator<Item = Result<Observation, FileError>> {
        let longest =
            self.motions.iter().flat_map(|motion| motion.right_stretches().into_iter().map(move |own| (motion, own)));
        let longest = longest.max_by_key(|(_, own)| own.len());
        let (motion, longest) = longest.unwrap_or_else(|| (&self.motions[0], 0..0));
        let end = longest.end.min(longest.start + AT_FULL_RATE);
        (longest.start..end).step_by(AT_ONCE).map(move |begin| {
            let rows: Vec<usize> = (begin..end.min(begin + AT_ONCE)).collect();
            let [q, v, a, effort] = motion.at(&rows);
            let samples =
                Samples { count: rows.len(), motion: Motions::Joints { q: &q, v: &v, a: &a }, effort: &effort };
            Ok(loaded(observe(robot, &unknowns.all, &samples)?, self.load).with_known(&unknowns.known)?)
        })
    }

    /// Samples that follow each other without a gap, again and again, of the recording of this number.
    #[must_use]
    pub fn stretches(&self, recording: usize) -> Vec<Stretch> {
        let step = self.thinned_rate.recip();
        let follow = |before: &f64, after: &f64| after - before < GAP * step;
        let stretch = |times: &[f64]| Stretch { recording, samples: times.len(), step };
        self.times.chunk_by(follow).map(stretch).collect()
    }
}

/// Equations with what the robot carries on their right side.
fn loaded(equations: Observation, load: Option<Load>) -> Observation {
    match load {
        None => equations,
        Some(load) => equations.with_load(&load),
    }
}

/// The equations of pieces of a motion, low-passed and thinned; as they ask for where nothing else is wanted.
fn thinned(
    motions: &[JointMotion],
    robot: &Robot,
    model: &Model,
    load: Option<Load>,
    otherwise: impl Fn(&JointMotion) -> Option<Decimation>,
) -> Result<Observation, FileError> {
    let mut before = 0;
    let mut of_piece = |motion: &JointMotion| {
        let other = otherwise(motion);
        let decimation = other.as_ref().unwrap_or(&motion.decimation);
        let equations = observe_thinned(robot, model, motion, decimation).map_err(|error| match error {
            ObservationError::Closed(BatchError { state, source: cause }) => {
                let drives = motion.q.chunks_exact(motion.count).map(|drive| drive[state]).collect();
                FileError::Unreachable { row: before + state + 1, drives, cause }
            }
            other => other.into(),
        })?;
        before += motion.count;
        Ok::<_, FileError>(equations)
    };
    let all = motions.iter().map(&mut of_piece).collect::<Result<Vec<_>, _>>()?;
    let all = all.into_iter().reduce(|all, next| all.followed_by(&next)).expect("a recording has a piece");
    Ok(loaded(all, load))
}
