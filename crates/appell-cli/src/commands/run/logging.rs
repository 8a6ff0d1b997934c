//! What the logging thread writes while a controller runs.

use super::ON;
use super::live::Show;
use crate::interrupt;
use crate::refusal;
use crate::trial::{EVENTS, FRAMES, Files, RECORD, RECORDING, RecordRows};
use anyhow::Context;
use appell::Robot;
use appell_realtime::frame::Frame;
use appell_realtime::log::{Busy, Entry, LogReader};
use appell_realtime::timing::Live;
use appell_simulation::control::sampled::{self, FaultKind, Sensors, Trip};
use appell_simulation::scenario::{Event, Held, Moment, Outcome, Prepared, Rows, ScenarioError};
use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// What is written stands on the disk after this time at the latest.
const FLUSH: Duration = Duration::from_millis(20);

/// Bytes of a line of a record at most.
const LONGEST_LINE: u64 = 1 << 16;

/// What writes.
pub(super) struct Logging<'r> {
    prepared: &'r Prepared<'r>,
    machine: &'r Robot,
    drives: &'r [usize],
    names: &'r [String],
    own_names: &'r [String],
    rows: Rows,
    out: Option<[Prompt; 4]>, // record, events, recording, frames
    /// Where timings are taken down for others.
    pub(super) live: Option<Live>,
    /// What shows them in the terminal.
    pub(super) show: Option<Show>,
    /// A call of a law or of boards that lasts longer does not come back, s.
    pub(super) hangs: f64,
}

/// How a run ended: what its loop says, the last sensors if there were any, and what else is worth an event.
pub(super) struct Last {
    pub(super) of_loop: sampled::Outcome,
    pub(super) sensors: Option<Sensors>,
    pub(super) events: Vec<Event>,
}

/// What was written: what came of it, the rows that the plots show, and why the record is cut, if it is.
pub(super) struct Logged {
    pub(super) outcome: Result<Outcome, ScenarioError>,
    pub(super) kept: Option<RecordRows>,
    pub(super) problem: Option<anyhow::Error>,
}

impl<'r> Logging<'r> {
    pub(super) fn new(
        machine: &'r Robot,
        prepared: &'r Prepared<'r>,
        rows: Rows,
        (drives, names, own_names): (&'r [usize], &'r [String], &'r [String]),
        out: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let out = out.map(|folder| {
            let file = |name: &str| Prompt::create(&folder.join(name));
            Ok::<_, io::Error>([file(RECORD)?, file(EVENTS)?, file(RECORDING)?, file(FRAMES)?])
        });
        let out = out.transpose()?;
        let (live, show, hangs) = (None, None, f64::INFINITY);
        Ok(Self { prepared, machine, drives, names, own_names, rows, out, live, show, hangs })
    }

    /// Writes every period until the controller has ended, and the end, which comes by `last`. What cannot be written ends
    /// the record, not the run.
    pub(super) fn write(self, reader: LogReader, last: &Receiver<Last>) -> Logged {
        let Self { prepared, machine, drives, names, own_names, mut rows, mut out, live, show, hangs } = self;
        let shown = RefCell::new(show);
        let (streams, mut frames) = match &mut out {
            Some([record, events, recording, frames]) => (Some([record, events, recording]), Some(frames)),
            None => (None, None),
        };
        let mut files =
            streams.map(|streams| Files::streaming(machine, streams.map(|stream| stream as &mut dyn Write)));
        let (mut frame, mut problem) = (Frame::default(), None);
        let mut before: Option<Entry> = None; // the last period, whose torques and forces the next one knows
        let mut held = Held::default();
        let mut show = |entry: &Entry, after: &Sensors, held: &mut Held, files: &mut Option<Files<'_>>| {
            let trip: Option<Trip> = entry.fault.map(|(t, fault)| fault.at(t, names));
            let instant = entry.instant((drives, own_names), after, trip.as_ref());
            held.copy_from(&instant);
            let _ = rows.take(&instant, &mut |moment| write(files, moment));
            rows.events().for_each(|event| files.iter_mut().for_each(|files| files.event(&event)));
        };
        let each = |entry: &Entry| {
            if let Some(before) = &before {
                show(before, &entry.sensors, &mut held, &mut files);
            }
            if let Some(frames) = frames.as_mut().filter(|_| problem.is_none()) {
                problem = write_frames(frames, &mut frame, entry).err();
            }
            before.get_or_insert_with(Entry::default).clone_from(entry);
            live.iter().for_each(|live| live.take(&entry.timed));
            shown.borrow_mut().iter_mut().for_each(|show| show.note(entry));
        };
        let mut hung = None;
        let look = |busy: Busy, since: Duration| {
            shown.borrow_mut().iter_mut().for_each(Show::show);
            hung = Some((busy, since)).filter(|_| since.as_secs_f64() > hangs);
            if hung.is_some() { ControlFlow::Break(()) } else { ON }
        };
        let last = if reader.read_or(each, look).is_continue() { last.recv().ok() } else { None };
        if let (Some(entry), Some(sensors)) = (&before, last.as_ref().and_then(|last| last.sensors.as_ref())) {
            show(entry, sensors, &mut held, &mut files);
            if let Some(truth) = sensors.truth.as_ref().filter(|_| sensors.ended) {
                let view = truth.view(sensors.t);
                prepared.last_row(view, truth.energy, drives, &held, &mut |moment| write(&mut files, moment));
            }
        }
        let (of_loop, events) = last.map(|last| (last.of_loop, last.events)).unwrap_or_default();
        let outcome = prepared.outcome(of_loop, rows);
        let endings = outcome.iter().flat_map(|outcome| &outcome.last_events);
        events.iter().chain(endings).for_each(|event| files.iter_mut().for_each(|files| files.event(event)));
        problem = problem.or(files.as_mut().and_then(|files| files.problem.take()));
        let kept = files.map_or(Ok(None), Files::finish).unwrap_or_else(|error| {
            problem = problem.take().or(Some(error));
            None
        });
        let flushed = out.iter_mut().flatten().try_for_each(Prompt::flush);
        problem = problem.or(flushed.map_err(anyhow::Error::new).err());
        if let Some((busy, since)) = hung {
            end_what_hangs(busy, since);
        }
        Logged { outcome, kept, problem }
    }
}

/// Ends a controller whose law, or whose boards, do not come back: its robot has braked long ago.
pub(super) fn end_what_hangs(busy: Busy, since: Duration) -> ! {
    let (whose, kind) = match busy {
        Busy::Hardware => ("the hardware does", FaultKind::HardwareFailed),
        Busy::Law | Busy::No => ("its law does", FaultKind::LawLate),
    };
    refusal::no(format_args!(
        "the controller is stuck: {whose} not come back since {:.1} s (fault {}, {})",
        since.as_secs_f64(),
        kind.code(),
        kind.name()
    ));
    interrupt::remove_files();
    std::process::exit(1);
}

fn write(files: &mut Option<Files<'_>>, moment: &Moment<'_>) -> ControlFlow<()> {
    files.iter_mut().for_each(|files| files.write(moment));
    ON
}

/// Writes what came and what was made of it, as frames of no run.
fn write_frames(file: &mut Prompt, frame: &mut Frame, entry: &Entry) -> anyhow::Result<()> {
    frame.put_sensors(0, entry.timed.wake_up.unwrap_or(0), &entry.sensors);
    file.write_all(frame.bytes()).context(FRAMES)?;
    if let Some(order) = &entry.order {
        frame.put_order(entry.sensors.sample, entry.sensors.t, order);
        file.write_all(frame.bytes()).context(FRAMES)?;
    }
    frame.put_outputs(0, entry.timed.step, entry.sensors.t, &entry.outputs);
    file.write_all(frame.bytes()).context(FRAMES)
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
pub(super) struct Prompt {
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
