//! From the columns of a recorder's table to equations.

use super::error::{FileError, IdentifyError};
use crate::data::{Columns, Filter, JointMotion, Layout, Measurement, Span, Time};
use crate::estimate::Stretch;
use crate::identified::Source;
use crate::observation::{Observation, ObservationError, Samples, observe};
use crate::parameters::Model;
use crate::plausibility::suspicions;
use crate::thresholds::{GAP, SHARED_ROWS, SHORT_STEP};
use crate::unknowns::Unknowns;
use appell::Robot;
use appell_batch::{BatchError, Motions};
use core::ops::Range;
use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Rows whose equations are made at once, so that they need little memory.
const AT_ONCE: usize = 2048;

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
    /// Rows of the table.
    pub rows: usize,
    /// Rows per second of the table, Hz.
    pub rate: f64,
    /// When the samples that are left were taken, s.
    pub times: Vec<f64>,
    /// Equations per second, Hz.
    pub thinned_rate: f64,
    /// How much it can say.
    pub span: Span,
    /// For the unknowns, less what is known.
    pub equations: Observation,
    /// Positions, smoothed, and efforts, as they were, at all rows.
    motion: JointMotion,
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
    pub(super) measurement: Measurement,
    doubts: Vec<String>,
}

/// From tables to equations.
#[derive(Clone, Copy)]
pub(super) struct Recorder<'r> {
    pub(super) robot: &'r Robot,
    pub(super) layout: &'r Layout,
    pub(super) unknowns: &'r Unknowns,
}

fn in_file(source: &Source) -> impl Fn(FileError) -> IdentifyError {
    let name = source.name.clone();
    move |cause| IdentifyError::File { name: name.clone(), cause: Box::new(cause) }
}

impl Recorder<'_> {
    /// What tables say of the joints.
    pub(super) fn measure(&self, tables: &[Table]) -> Result<Vec<Measured>, IdentifyError> {
        let measure = |table: &Table| {
            let columns = without_short_step(self.layout, &table.columns);
            let measured = self.layout.measure(self.robot, &columns).map_err(FileError::from);
            let (measurement, doubts) = measured.map_err(in_file(&table.source))?;
            let doubts = doubts.iter().map(ToString::to_string).collect();
            Ok(Measured { source: table.source.clone(), measurement, doubts })
        };
        tables.iter().map(measure).collect()
    }

    /// The same of motions that were wanted or simulated, one per recording, at its instants.
    pub(super) fn references(&self, tables: &[Table], data: &[Measured]) -> Result<Vec<Measured>, IdentifyError> {
        if tables.len() != data.len() {
            let (found, expected) = (tables.len(), data.len());
            return Err(IdentifyError::Instruments { what: "table", found, expected });
        }
        let measure = |(table, data): (&Table, &Measured)| {
            let columns = without_short_step(self.layout, &table.columns);
            let measured = self.layout.measure_motion(self.robot, &columns);
            let fits =
                measured.and_then(|reference| reference.expect_instants_of(&data.measurement).map(|()| reference));
            let measurement = fits.map_err(FileError::from).map_err(in_file(&table.source))?;
            if measurement.q == data.measurement.q {
                let data = data.source.name.clone();
                return Err(in_file(&table.source)(FileError::NotAnInstrument { data }));
            }
            Ok(Measured { source: table.source.clone(), measurement, doubts: Vec::new() })
        };
        tables.iter().zip(data).map(measure).collect()
    }

    /// The equations of all.
    pub(super) fn observe(&self, measured: &[Measured], filter: &Filter) -> Result<Vec<Recording>, IdentifyError> {
        let observe = |Measured { source, measurement, doubts }: &Measured| {
            let made = Recording::new(source.clone(), measurement, self, filter);
            let mut recording = made.map_err(in_file(source))?;
            recording.doubts.splice(..0, doubts.iter().cloned());
            Ok(recording)
        };
        measured.iter().map(observe).collect()
    }
}

/// Refuses recordings that are given twice, or share rows, as pieces of one file do: their equations would count twice, or be predicted
/// by themselves.
pub(super) fn expect_own_rows(data: &[Measured], validate: &[Measured]) -> Result<(), IdentifyError> {
    let rows = |measured: &Measured| -> HashSet<u64> {
        let Measurement { q, effort, .. } = &measured.measurement;
        let row = |i: usize| {
            let mut hasher = DefaultHasher::new();
            q.iter().chain(effort).for_each(|channel| channel[i].to_bits().hash(&mut hasher));
            hasher.finish()
        };
        (0..measured.measurement.time.len()).map(row).collect()
    };
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
    /// Equations of a measurement; refused where it fits the robot's file in other units, signs or order of joints only, and doubted where
    /// it may.
    pub(super) fn new(
        source: Source,
        measurement: &Measurement,
        &Recorder { robot, layout, unknowns }: &Recorder<'_>,
        filter: &Filter,
    ) -> Result<Self, FileError> {
        let motion = measurement.motion(filter)?;
        let is_reference = measurement.effort.iter().flatten().all(|&effort| effort == 0.0);
        let suspicions = if is_reference { Vec::new() } else { suspicions(robot, layout, measurement, filter)? };
        if suspicions.iter().any(|suspicion| suspicion.is_certain) {
            return Err(FileError::Misread { suspicions });
        }
        let rate = measurement.clock.rate();
        let kept: Vec<usize> = motion.decimation.kept(motion.count).collect();
        Ok(Self {
            source,
            doubts: suspicions.iter().map(ToString::to_string).collect(),
            rows: motion.count,
            rate,
            times: motion.right_samples().iter().map(|&k| measurement.time[kept[k]]).collect(),
            thinned_rate: rate / filter.decimation as f64,
            span: measurement.span(),
            equations: thinned(&motion, robot, &unknowns.all)?.with_known(&unknowns.known)?,
            motion,
        })
    }

    /// The equations of a table alone, with the filter that its layout asks for.
    ///
    /// # Errors
    /// If something is wrong with its columns, or they fit the robot's file in other units, signs or order of joints only.
    pub fn of_table(table: &Table, robot: &Robot, layout: &Layout, unknowns: &Unknowns) -> Result<Self, IdentifyError> {
        let recorder = Recorder { robot, layout, unknowns };
        let measured = recorder.measure(core::slice::from_ref(table))?;
        let filter = layout.filter.chosen(&[&measured[0].measurement])?;
        Ok(recorder.observe(&measured, &filter)?.remove(0))
    }

    /// The equations of the same samples for other columns of the same robot.
    pub(super) fn equations_of(&self, robot: &Robot, model: &Model) -> Result<Observation, IdentifyError> {
        thinned(&self.motion, robot, model).map_err(in_file(&self.source))
    }

    /// Where the equations are cut off, Hz, if they are.
    #[must_use]
    pub fn cut_off(&self) -> Option<f64> {
        self.motion.decimation.cut_off()
    }

    /// The equations of all rows of the longest stretch without faults between the borders, neither low-passed nor thinned, some after
    /// the other.
    pub(super) fn at_full_rate(
        &self,
        robot: &Robot,
        unknowns: &Unknowns,
    ) -> impl Iterator<Item = Result<Observation, FileError>> {
        let motion = &self.motion;
        let border = motion.decimation.border();
        let whole = border..motion.count.saturating_sub(border);
        let mut stretches: Vec<Range<usize>> = core::iter::once(whole).collect();
        for fault in &motion.left_out {
            let cut = |stretch: &Range<usize>| {
                let before = stretch.start..stretch.end.min(fault.start);
                let after = stretch.start.max(fault.end)..stretch.end;
                [before, after].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>()
            };
            stretches = stretches.iter().flat_map(cut).collect();
        }
        let longest = stretches.into_iter().max_by_key(ExactSizeIterator::len).unwrap_or_default();
        longest.clone().step_by(AT_ONCE).map(move |begin| {
            let rows = begin..longest.end.min(begin + AT_ONCE);
            let of_rows = |all: &[f64]| -> Vec<f64> {
                all.chunks_exact(motion.count).flat_map(|joint| joint[rows.clone()].iter().copied()).collect()
            };
            let [q, v, a, effort] = [&motion.q, &motion.v, &motion.a, &motion.effort].map(|all| of_rows(all));
            let samples =
                Samples { count: rows.len(), motion: Motions::Joints { q: &q, v: &v, a: &a }, effort: &effort };
            Ok(observe(robot, &unknowns.all, &samples)?.with_known(&unknowns.known)?)
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

/// The equations of a motion, low-passed and thinned.
fn thinned(motion: &JointMotion, robot: &Robot, model: &Model) -> Result<Observation, FileError> {
    let (q, v, a) = (&motion.q, &motion.v, &motion.a);
    let samples = Samples { count: motion.count, motion: Motions::Joints { q, v, a }, effort: &motion.effort };
    let equations = observe(robot, model, &samples).map_err(|error| match error {
        ObservationError::Closed(BatchError { state, source: cause }) => {
            let drives = q.chunks_exact(motion.count).map(|drive| drive[state]).collect();
            FileError::Unreachable { row: state + 1, drives, cause }
        }
        other => other.into(),
    })?;
    Ok(equations.decimated(&motion.decimation)?.samples_of(&motion.right_samples()))
}

/// Columns without the last row where its step is shorter than the others, as our own tables have it: they end where the motion does.
fn without_short_step<'c>(layout: &Layout, columns: &'c Columns) -> Cow<'c, Columns> {
    let Time::Column { name, .. } = &layout.time else { return columns.into() };
    let time = columns.iter().find(|(column, _)| column == name).map_or(&[][..], |(_, time)| time);
    let [.., before, last, end] = *time else { return columns.into() };
    let (usual, step, rows) = (last - before, end - last, time.len());
    if step <= 0.0 || step >= SHORT_STEP * usual {
        return columns.into();
    }
    let mut shorter = columns.to_vec();
    shorter.iter_mut().for_each(|(_, numbers)| numbers.truncate(rows - 1));
    shorter.into()
}
