//! What the logging thread writes while a controller runs.

use super::ON;
use crate::trial::{Record, RecordRows};
use anyhow::Context;
use appell::Robot;
use appell_realtime::frame::Frame;
use appell_realtime::log::{Entry, LogReader};
use appell_simulation::control::sampled::{Sensors, Trip};
use appell_simulation::scenario::{Moment, Prepared, Rows};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// What is written stands on the disk after this time at the latest.
const FLUSH: Duration = Duration::from_millis(100);

/// Bytes of a line of a record at most.
const LONGEST_LINE: u64 = 1 << 16;

/// A path that means the writer beside it.
const STREAM: &str = "-";

/// What writes.
pub(super) struct Logging<'r> {
    prepared: &'r Prepared<'r>,
    machine: &'r Robot,
    drives: &'r [usize],
    names: &'r [String],
    rows: Rows,
    out: Option<(Prompt, Prompt)>, // record, frames
}

/// What was written: what was counted, the rows that the plots show, and why the record is cut, if it is.
pub(super) struct Logged {
    pub(super) rows: Rows,
    pub(super) kept: Option<RecordRows>,
    pub(super) problem: Option<anyhow::Error>,
}

impl<'r> Logging<'r> {
    pub(super) fn new(
        machine: &'r Robot,
        prepared: &'r Prepared<'r>,
        rows: Rows,
        (drives, names): (&'r [usize], &'r [String]),
        out: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let file = |name: &str, folder: &Path| Prompt::create(&folder.join(name));
        let out = out.map(|folder| Ok::<_, io::Error>((file("record.csv", folder)?, file("frames.bin", folder)?)));
        Ok(Self { prepared, machine, drives, names, rows, out: out.transpose()? })
    }

    /// Writes every period until the controller has ended, and the end, which comes by `last`. What cannot be written ends
    /// the record, not the run.
    pub(super) fn write(self, reader: LogReader, last: &Receiver<Sensors>) -> Logged {
        let Self { prepared, machine, drives, names, mut rows, out } = self;
        let (table, mut frames) = out.unzip();
        let mut table = table.map_or(Box::new(io::sink()) as Box<dyn Write>, |table| Box::new(table));
        let mut record = frames.is_some().then(|| Record::new(machine, Path::new(STREAM), &mut *table));
        let (mut frame, mut problem) = (Frame::default(), None);
        let mut held: Option<Entry> = None; // the last period, whose torques and forces the next one knows
        let mut write = |moment: &Moment<'_>, problem: &mut Option<anyhow::Error>| {
            if let Some(record) = record.as_mut().filter(|_| problem.is_none()) {
                *problem = record.write(moment).err();
            }
            ON
        };
        reader.read(|entry| {
            if let Some(before) = &held {
                let look = |moment: &Moment<'_>| write(moment, &mut problem);
                show(before, &entry.sensors.applied, (drives, names), &mut rows, look);
            }
            if let Some(frames) = frames.as_mut().filter(|_| problem.is_none()) {
                problem = write_frames(frames, &mut frame, entry).err();
            }
            held.get_or_insert_with(Entry::default).clone_from(entry);
        });
        if let (Some(entry), Ok(last)) = (&held, last.recv()) {
            show(entry, &last.applied, (drives, names), &mut rows, |moment| write(moment, &mut problem));
            if let Some(truth) = last.truth.as_ref().filter(|_| last.ended) {
                let look = &mut |moment: &Moment<'_>| write(moment, &mut problem);
                prepared.last_row(truth.view(last.t), truth.energy, drives, &last.applied, look);
            }
        }
        let flushed = frames.map_or(Ok(()), |mut frames| frames.flush()).map_err(anyhow::Error::new);
        let finished = record.map_or(Ok(None), Record::finish);
        let flushed = flushed.and(table.flush().map_err(anyhow::Error::new));
        problem = problem.or(flushed.err());
        let kept = finished.unwrap_or_else(|error| {
            problem = problem.take().or(Some(error));
            None
        });
        Logged { rows, kept, problem }
    }
}

/// Writes what came and what was made of it, as frames of no run.
fn write_frames(file: &mut Prompt, frame: &mut Frame, entry: &Entry) -> anyhow::Result<()> {
    frame.put_sensors(0, entry.wake_up, &entry.sensors);
    file.write_all(frame.bytes()).context("frames.bin")?;
    frame.put_outputs(0, entry.step, entry.sensors.t, &entry.outputs);
    file.write_all(frame.bytes()).context("frames.bin")
}

/// Shows a period to the rows.
fn show(
    entry: &Entry,
    applied: &[f64],
    (drives, names): (&[usize], &[String]),
    rows: &mut Rows,
    mut look: impl FnMut(&Moment<'_>) -> ControlFlow<()>,
) {
    let trip: Option<Trip> = entry.fault.map(|(t, fault)| fault.at(t, names));
    let _ = rows.take(&entry.instant(drives, applied, trip.as_ref()), &mut look);
}

/// Takes away the beginning of a line that a full disk has left at the end of a table, so that its readers take it.
pub(super) fn end_with_a_line(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let length = file.metadata()?.len();
    let begin = length.saturating_sub(LONGEST_LINE);
    file.seek(SeekFrom::Start(begin))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    let whole = tail.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    file.set_len(begin + whole as u64)
}

/// A file that is never long behind.
struct Prompt {
    file: BufWriter<File>,
    flushed: Instant,
}

impl Prompt {
    fn create(path: &Path) -> io::Result<Self> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let file = File::create(path).map_err(named)?;
        Ok(Self { file: BufWriter::with_capacity(1 << 16, file), flushed: Instant::now() })
    }
}

impl Write for Prompt {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        if self.flushed.elapsed() >= FLUSH {
            self.file.flush()?;
            self.flushed = Instant::now();
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
