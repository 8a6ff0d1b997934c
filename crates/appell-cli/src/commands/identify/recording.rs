//! From the files of a recorder to equations.

use super::report::round;
use super::unknowns::Unknowns;
use crate::output;
use crate::table::{self, is_stream};
use anyhow::{Context, anyhow, ensure};
use appell_batch::{ClosedBatchError, Motions};
use appell_drawing::listing::{counted, short};
use appell_identification::data::{
    Accepted, Channels, Filter, JointMotion, Layout, Measurement, Smoothing, Span, Time, TimeUnit,
};
use appell_identification::estimate::Stretch;
use appell_identification::identified::Source;
use appell_identification::observation::{Observation, ObservationError, Samples, observe};
use appell_identification::parameters::{Model, Robot};
use appell_identification::plausibility::{Suspicion, suspicions};
use core::ops::Range;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

/// A last step that is short, over the one before.
const SHORT: f64 = 0.9;

/// Rows whose equations are made at once.
const AT_ONCE: usize = 2048;

/// A recording of whose rows more than this part are in another is no other.
const SHARED: f64 = 0.1;

/// Samples that are farther apart than so many steps do not follow each other.
const GAP: f64 = 1.5;

/// A recorder's file, read once, so that it may be a pipe.
pub(super) struct Table {
    /// Its path as the user gave it.
    pub(super) name: String,
    /// `sha256:…`.
    pub(super) hash: String,
    bytes: Arc<[u8]>,
}

/// A table that was understood.
pub(super) struct Taken {
    name: String,
    hash: String,
    pub(super) measurement: Measurement,
    doubts: Vec<String>,
}

/// A file with what it says.
pub(super) struct Recording {
    /// Its path as the user gave it.
    pub(super) name: String,
    /// `sha256:…`.
    pub(super) hash: String,
    pub(super) measured: Measured,
}

/// From tables to equations.
pub(super) struct Recorder<'r> {
    pub(super) robot: Robot<'r>,
    pub(super) layout: &'r Layout,
    pub(super) unknowns: &'r Unknowns,
}

/// What a recording says of the unknowns.
pub(crate) struct Measured {
    /// What is odd about it.
    pub(crate) doubts: Vec<String>,
    /// Rows of the table.
    pub(crate) rows: usize,
    /// Rows a second of the table, Hz.
    pub(crate) rate: f64,
    /// When the samples that are left were taken, s.
    pub(crate) times: Vec<f64>,
    /// Equations a second, Hz.
    pub(crate) thinned_rate: f64,
    /// How much it can say.
    pub(super) span: Span,
    /// For the unknowns, less what is known.
    pub(crate) equations: Observation,
    /// Positions, smoothed, and efforts, as they were, at all rows.
    motion: JointMotion,
}

/// Reads a layout's file.
pub(super) fn layout(path: &Path) -> anyhow::Result<Layout> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(output::unread).with_context(|| shown.to_string())?;
    Layout::read(&text).map_err(|problems| anyhow!("{shown} is no layout of a recording\n{problems}"))
}

/// The layout of the program's own tables: t, q1 …, tau1 …, and v1 … where the first file has them.
pub(super) fn usual_layout(robot: Robot<'_>, first: &Table) -> anyhow::Result<Layout> {
    let drives = robot.measured().len();
    let names = |symbol: &str| (1..=drives).map(|k| format!("{symbol}{k}")).collect::<Vec<_>>();
    let header = first.columns(|_| false)?;
    let has_all = |names: &[String]| names.iter().all(|name| header.iter().any(|(found, _)| found == name));
    let velocities = Some(names("v")).filter(|names| has_all(names));
    Ok(Layout {
        time: Time::Column { name: "t".into(), unit: TimeUnit::Second },
        position: Channels::usual(names("q")),
        velocity: velocities.map(Channels::usual),
        effort: Channels::usual(names("tau")),
        effort_limit: Vec::new(),
        gear: None,
        sign: Vec::new(),
        offset: Vec::new(),
        filter: Smoothing::default(),
        accepted: Accepted::default(),
    })
}

impl Table {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        ensure!(!is_stream(path), "a recording is a file, whose name is kept; write stdin to one");
        let name = path.display().to_string();
        let bytes = fs::read(path).with_context(|| format!("{name} cannot be read"))?;
        Ok(Self { hash: hash(&bytes), name, bytes: bytes.into() })
    }

    fn columns(&self, read: impl Fn(&str) -> bool) -> anyhow::Result<Vec<(String, Vec<f64>)>> {
        table::columns_of_bytes(&self.bytes, read).with_context(|| self.name.clone())
    }
}

impl Recorder<'_> {
    /// What tables say of the joints.
    pub(super) fn measure(&self, tables: Vec<Table>) -> anyhow::Result<Vec<Taken>> {
        let measure = |table: Table| {
            let is_read = |name: &str| self.layout.columns().any(|known| known == name);
            // Time beside a rate is compared with it if it holds numbers.
            let columns = table.columns(|name| is_read(name) || self.layout.tells_time(name));
            let mut columns = columns.or_else(|_| table.columns(is_read))?;
            cut_short_step(self.layout, &mut columns);
            let measured = self.layout.measure(self.robot, &columns);
            // The error's text has its cause in it already.
            let (measurement, doubts) =
                measured.map_err(|error| anyhow!("{error}")).with_context(|| table.name.clone())?;
            let doubts = doubts.iter().map(ToString::to_string).collect();
            Ok(Taken { name: table.name, hash: table.hash, measurement, doubts })
        };
        tables.into_iter().map(measure).collect()
    }

    /// The same of motions that were wanted or simulated, one a recording, at its instants.
    pub(super) fn references(&self, tables: Vec<Table>, data: &[Taken]) -> anyhow::Result<Vec<Taken>> {
        ensure!(
            tables.is_empty() || tables.len() == data.len(),
            "--instruments gives {} for {}; give one each, in the same order",
            counted(tables.len(), "table"),
            counted(data.len(), "recording")
        );
        let measure = |(table, data): (Table, &Taken)| {
            let mut columns = table.columns(|name| self.layout.columns_of_motion().any(|known| known == name))?;
            cut_short_step(self.layout, &mut columns);
            let measured = self.layout.measure_motion(self.robot, &columns);
            let fits =
                measured.and_then(|reference| reference.expect_instants_of(&data.measurement).map(|()| reference));
            let measurement = fits.map_err(|error| anyhow!("{error}")).with_context(|| table.name.clone())?;
            ensure!(
                measurement.q != data.measurement.q,
                "{} has the positions of {} with their noise; an instrument knows nothing of it: give the motion that was wanted or simulated",
                table.name,
                data.name
            );
            Ok(Taken { name: table.name, hash: table.hash, measurement, doubts: Vec::new() })
        };
        tables.into_iter().zip(data).map(measure).collect()
    }

    /// The equations of all.
    pub(super) fn equations(&self, taken: Vec<Taken>, filter: &Filter) -> anyhow::Result<Vec<Recording>> {
        let equations = |Taken { name, hash, measurement, doubts }: Taken| {
            let measured = Measured::new(&measurement, self, filter);
            let mut measured = measured.with_context(|| name.clone())?;
            measured.doubts.splice(..0, doubts);
            Ok(Recording { name, hash, measured })
        };
        taken.into_iter().map(equations).collect()
    }
}

/// Refuses recordings that share rows, as pieces of one file do: their equations would count twice, or be predicted by themselves.
pub(super) fn expect_own_rows(data: &[Taken], validate: &[Taken]) -> anyhow::Result<()> {
    let rows = |taken: &Taken| -> HashSet<u64> {
        let Measurement { q, effort, .. } = &taken.measurement;
        let row = |i: usize| {
            let mut hasher = DefaultHasher::new();
            q.iter().chain(effort).for_each(|channel| channel[i].to_bits().hash(&mut hasher));
            hasher.finish()
        };
        (0..taken.measurement.time.len()).map(row).collect()
    };
    let mut before: Vec<(&str, HashSet<u64>)> = Vec::new();
    for (k, taken) in data.iter().chain(validate).enumerate() {
        let own = rows(taken);
        for (name, other) in &before {
            let part = own.intersection(other).count() as f64 / own.len().min(other.len()).max(1) as f64;
            let why = if k < data.len() {
                "they would count twice"
            } else {
                "held-out data must not be those that are fitted"
            };
            ensure!(part <= SHARED, "{name} and {} share {:.0} % of their rows; {why}", taken.name, 100.0 * part);
        }
        before.push((&taken.name, own));
    }
    Ok(())
}

impl Measured {
    /// Equations of a measurement, doubted where another reading of it fits the robot's file much better.
    pub(super) fn new(measurement: &Measurement, recorder: &Recorder<'_>, filter: &Filter) -> anyhow::Result<Self> {
        let Recorder { robot, layout, unknowns } = *recorder;
        let motion = measurement.motion(filter)?;
        let is_reference = measurement.effort.iter().flatten().all(|&effort| effort == 0.0);
        let suspicions = if is_reference { Vec::new() } else { suspicions(robot, layout, measurement, filter)? };
        let told: Vec<String> = suspicions.iter().map(ToString::to_string).collect();
        ensure!(!suspicions.iter().any(Suspicion::is_certain), "{}", told.join("\nor "));
        let right = motion.right_samples();
        let thinned = observed(&motion, robot, &unknowns.all)?;
        let rate = measurement.clock.rate();
        Ok(Self {
            doubts: told,
            rows: motion.count,
            rate,
            times: {
                let kept: Vec<usize> = motion.decimation.kept(motion.count).collect();
                right.iter().map(|&k| measurement.time[kept[k]]).collect()
            },
            thinned_rate: rate / filter.decimation as f64,
            span: measurement.span(),
            equations: thinned.with_known(&unknowns.known())?,
            motion,
        })
    }

    /// The equations of the same samples for other columns of the same robot.
    pub(super) fn equations_of(&self, robot: Robot<'_>, model: &Model) -> anyhow::Result<Observation> {
        observed(&self.motion, robot, model)
    }

    /// Where the equations are cut off, Hz, if they are.
    pub(super) fn cut_off(&self) -> Option<f64> {
        self.motion.decimation.cut_off()
    }

    /// The equations of all rows of the longest stretch without faults between the borders, neither low-passed nor thinned, some after
    /// the other, so that they need little room.
    pub(super) fn at_full_rate(&self, recorder: &Recorder<'_>) -> impl Iterator<Item = anyhow::Result<Observation>> {
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
        let known = recorder.unknowns.known();
        longest.clone().step_by(AT_ONCE).map(move |begin| {
            let rows = begin..longest.end.min(begin + AT_ONCE);
            let of_rows = |all: &[f64]| -> Vec<f64> {
                all.chunks_exact(motion.count).flat_map(|joint| joint[rows.clone()].iter().copied()).collect()
            };
            let [q, v, a, effort] = [&motion.q, &motion.v, &motion.a, &motion.effort].map(|all| of_rows(all));
            let samples =
                Samples { count: rows.len(), motion: Motions::Drives { q: &q, v: &v, a: &a }, effort: &effort };
            Ok(observe(recorder.robot, &recorder.unknowns.all, &samples)?.with_known(&known)?)
        })
    }

    /// Samples that follow each other without a gap, again and again, of the recording of this number.
    pub(super) fn stretches(&self, recording: usize) -> Vec<Stretch> {
        let step = self.thinned_rate.recip();
        let follow = |before: &f64, after: &f64| after - before < GAP * step;
        let stretch = |times: &[f64]| Stretch { recording, samples: times.len(), step };
        self.times.chunk_by(follow).map(stretch).collect()
    }

    /// Equations of the columns of a table.
    pub(crate) fn of_columns(
        columns: &[(String, Vec<f64>)],
        robot: Robot<'_>,
        layout: &Layout,
        unknowns: &Unknowns,
    ) -> anyhow::Result<Self> {
        let (measurement, _) = layout.measure(robot, columns).map_err(|error| anyhow!("{error}"))?;
        let filter = layout.filter.chosen(&[&measurement])?;
        Self::new(&measurement, &Recorder { robot, layout, unknowns }, &filter)
    }
}

/// The equations of a motion, low-passed and thinned.
fn observed(motion: &JointMotion, robot: Robot<'_>, model: &Model) -> anyhow::Result<Observation> {
    let (q, v, a) = (&motion.q, &motion.v, &motion.a);
    let samples = Samples { count: motion.count, motion: Motions::Drives { q, v, a }, effort: &motion.effort };
    let equations = observe(robot, model, &samples).map_err(|error| match error {
        // The robot cannot be there: its text has its cause in it already.
        ObservationError::Closed(ClosedBatchError { state, source }) => {
            let at: Vec<String> = q.chunks_exact(motion.count).map(|drive| short(round(drive[state]))).collect();
            anyhow!(
                "row {} of the data, with the drives at {}: {source}. Check units, signs and zeros of the positions (position.unit, \
                 joint.sign, joint.offset), and the robot's home",
                state + 1,
                at.join(", ")
            )
        }
        other => anyhow!("{other}"),
    })?;
    let thinned = equations.decimated(&motion.decimation)?;
    Ok(thinned.samples_of(&motion.right_samples()))
}

/// Leaves out the last row where its step is shorter than the others, as the program's own tables have it: they end where the
/// motion does.
fn cut_short_step(layout: &Layout, columns: &mut [(String, Vec<f64>)]) {
    let Time::Column { name, .. } = &layout.time else { return };
    let time = columns.iter().find(|(column, _)| column == name).map_or(&[][..], |(_, time)| time);
    let [.., before, last, end] = *time else { return };
    let (usual, step) = (last - before, end - last);
    let rows = time.len();
    if step > 0.0 && step < SHORT * usual {
        columns.iter_mut().for_each(|(_, numbers)| numbers.truncate(rows - 1));
    }
}

/// A file with its hash.
pub(super) fn source(path: &Path) -> anyhow::Result<Source> {
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| format!("{name} cannot be read"))?;
    Ok(Source { hash: hash(&bytes), name })
}

/// The equations of all files, one after the other.
pub(super) fn joined(recordings: &[Recording]) -> Option<Observation> {
    let mut equations = recordings.iter().map(|recording| &recording.measured.equations);
    let first = equations.next()?.clone();
    Some(equations.fold(first, |all, next| all.followed_by(next)))
}

/// What tells a file from others.
fn hash(bytes: &[u8]) -> String {
    format!("sha256:{:x}", Sha256::digest(bytes))
}
