//! From the files of a recorder to equations.

use super::unknowns::Unknowns;
use crate::table::{self, is_stream};
use anyhow::{Context, anyhow, ensure};
use appell::batch::Motions;
use appell_identification::data::{
    Accepted, Channels, Doubt, EffortUnit, Filter, Layout, PositionUnit, Side, Time, TimeUnit, VelocityUnit,
};
use appell_identification::identified::Source;
use appell_identification::observation::{Observation, Samples, observe};
use appell_identification::parameters::Robot;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// A last step that is short, over the one before.
const SHORT: f64 = 0.9;

/// A file with what it says.
pub(super) struct Recording {
    /// Its path as the user gave it.
    pub(super) name: String,
    /// `sha256:…`.
    pub(super) hash: String,
    pub(super) measured: Measured,
}

/// What a recording says of the unknowns.
pub(crate) struct Measured {
    /// What is odd about it.
    pub(crate) doubts: Vec<Doubt>,
    /// Rows of the table.
    pub(crate) rows: usize,
    /// Rows a second of the table, Hz.
    pub(crate) rate: f64,
    /// When the samples that are left were taken, s.
    pub(crate) times: Vec<f64>,
    /// Equations a second, Hz.
    pub(crate) thinned_rate: f64,
    /// For the unknowns, less what is known.
    pub(crate) equations: Observation,
}

/// Reads a layout's file.
pub(super) fn layout(path: &Path) -> anyhow::Result<Layout> {
    let shown = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{shown} cannot be read"))?;
    Layout::read(&text).map_err(|problems| anyhow!("{shown} is no layout of a recording\n{problems}"))
}

/// The layout of the program's own tables: t, q1 …, tau1 …, and v1 … where the first file has them.
pub(super) fn usual_layout(robot: Robot<'_>, first: &Path) -> anyhow::Result<Layout> {
    let drives = robot.measured().len();
    let names = |symbol: &str| (1..=drives).map(|k| format!("{symbol}{k}")).collect::<Vec<_>>();
    let header = table::columns(first, |_| false)?;
    let has_all = |names: &[String]| names.iter().all(|name| header.iter().any(|(found, _)| found == name));
    let velocities = Some(names("v")).filter(|names| has_all(names));
    let velocity = |columns| Channels { columns, unit: VelocityUnit::default(), factor: Vec::new(), side: Side::Joint };
    Ok(Layout {
        time: Time::Column { name: "t".into(), unit: TimeUnit::Second },
        position: Channels {
            columns: names("q"),
            unit: PositionUnit::default(),
            factor: Vec::new(),
            side: Side::Joint,
        },
        velocity: velocities.map(velocity),
        effort: Channels { columns: names("tau"), unit: EffortUnit::default(), factor: Vec::new(), side: Side::Joint },
        effort_limit: Vec::new(),
        gear: None,
        sign: Vec::new(),
        offset: Vec::new(),
        filter: Filter::default(),
        accepted: Accepted::default(),
    })
}

impl Recording {
    /// Reads a file and makes equations of it.
    pub(super) fn read(path: &Path, robot: Robot<'_>, layout: &Layout, unknowns: &Unknowns) -> anyhow::Result<Self> {
        ensure!(!is_stream(path), "a recording is a file, whose hash is kept; write stdin to one");
        let name = path.display().to_string();
        let mut columns = table::columns(path, |name| layout.columns().any(|known| known == name))?;
        cut_short_step(layout, &mut columns);
        let measured = Measured::new(&columns, robot, layout, unknowns).with_context(|| name.clone())?;
        Ok(Self { hash: hash(path).with_context(|| format!("{name} cannot be read"))?, name, measured })
    }
}

impl Measured {
    /// Equations of the columns of a table.
    pub(crate) fn new(
        columns: &[(String, Vec<f64>)],
        robot: Robot<'_>,
        layout: &Layout,
        unknowns: &Unknowns,
    ) -> anyhow::Result<Self> {
        // The error's text has its cause in it already.
        let (measured, doubts) = layout.measure(robot, columns).map_err(|error| anyhow!("{error}"))?;
        let motion = measured.motion(&layout.filter)?;
        let (q, v, a) = (&motion.q, &motion.v, &motion.a);
        let samples = Samples { count: motion.count, motion: Motions::Drives { q, v, a }, effort: &motion.effort };
        let thinned = observe(robot, &unknowns.all, &samples)?.decimated(&motion.decimation)?;
        let known: Vec<(&str, f64)> = unknowns.known.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let rate = measured.clock.rate();
        Ok(Self {
            doubts,
            rows: motion.count,
            rate,
            times: motion.decimation.kept(motion.count).map(|k| measured.time[k]).collect(),
            thinned_rate: rate / layout.filter.decimation as f64,
            equations: thinned.with_known(&known)?,
        })
    }
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
    Ok(Source { hash: hash(path).with_context(|| format!("{name} cannot be read"))?, name })
}

/// The equations of all files, one after the other.
pub(super) fn joined(recordings: &[Recording]) -> Option<Observation> {
    let mut equations = recordings.iter().map(|recording| &recording.measured.equations);
    let first = equations.next()?.clone();
    Some(equations.fold(first, |all, next| all.followed_by(next)))
}

fn hash(path: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    io::copy(&mut File::open(path)?, &mut digest)?;
    Ok(format!("sha256:{:x}", digest.finalize()))
}
