//! All that is written while a run goes on: the table of the motion, the events, both as MCAP, and what a recorder keeps.

use super::events::EventTable;
use super::record::{EVENTS, RECORD, RECORDER, RECORDING, Record, Rows};
use super::recorder::RecorderTable;
use super::recording::Recording;
use appell::Robot;
use appell_simulation::scenario::{Event, Moment};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where they are: record, events, recording, recorder's table.
pub(crate) struct Paths([PathBuf; 4], [io::Sink; 4]);

impl Paths {
    /// In a folder.
    pub(crate) fn of(folder: &Path) -> Self {
        Self([RECORD, EVENTS, RECORDING, RECORDER].map(|name| folder.join(name)), [(); 4].map(|()| io::sink()))
    }
}

/// The files. The first problem ends them all.
pub(crate) struct Files<'o> {
    record: Record<'o>,
    events: EventTable<'o>,
    recording: Recording<'o>,
    recorder: Option<RecorderTable<'o>>,
    /// What could not be written.
    pub(crate) problem: Option<anyhow::Error>,
}

impl<'o> Files<'o> {
    /// Files that appear when they are complete.
    pub(crate) fn new(machine: &Robot, paths: &'o mut Paths) -> Self {
        let Paths([record, events, recording, recorder], [one, two, three, four]) = paths;
        Self {
            record: Record::new(machine, record, one),
            events: EventTable::new(events, two),
            recording: Recording::new(machine, recording, three),
            recorder: Some(RecorderTable::new(machine.drives().len(), recorder, four)),
            problem: None,
        }
    }

    /// The same to streams.
    pub(crate) fn streaming(machine: &Robot, [record, events, recording]: [&'o mut dyn Write; 3]) -> Self {
        let stream = Path::new("-");
        Self {
            record: Record::new(machine, stream, record),
            events: EventTable::new(stream, events),
            recording: Recording::new(machine, stream, recording),
            recorder: None,
            problem: None,
        }
    }

    /// Writes a row.
    pub(crate) fn write(&mut self, moment: &Moment<'_>) {
        if self.problem.is_none() {
            self.problem = self.record.write(moment).and_then(|()| self.recording.write(moment)).err();
        }
    }

    /// Writes a row of the recorder.
    pub(crate) fn recorded(&mut self, row: &[f64]) {
        if let (None, Some(recorder)) = (&self.problem, &mut self.recorder) {
            self.problem = recorder.write(row).err();
        }
    }

    /// Writes an event.
    pub(crate) fn event(&mut self, event: &Event) {
        if self.problem.is_none() {
            self.problem = self.events.write(event).and_then(|()| self.recording.event(event)).err();
        }
    }

    /// Completes them, as long as they have become; nothing where there is no row.
    pub(crate) fn finish(self) -> anyhow::Result<Option<Rows>> {
        let Some(rows) = self.record.finish()? else { return Ok(None) };
        self.events.finish()?;
        self.recording.finish()?;
        self.recorder.map_or(Ok(()), RecorderTable::finish)?;
        Ok(Some(rows))
    }
}
