//! The table of what happens in a run, written as it happens.

use crate::output::Output;
use crate::table::is_stream;
use anyhow::Context;
use appell_simulation::scenario::Event;
use std::io::Write;
use std::path::Path;

/// The columns.
const HEADER: &str = "t,kind,code,joint,value,limit,text";

/// The table. Nothing is written before the first event.
pub(crate) struct EventTable<'o> {
    path: &'o Path,
    stdout: Option<&'o mut dyn Write>,
    begun: Option<Output<'o>>,
}

impl<'o> EventTable<'o> {
    /// A table at `path`; `-` is the stream beside it.
    pub(crate) fn new(path: &'o Path, stdout: &'o mut dyn Write) -> Self {
        Self { path, stdout: Some(stdout), begun: None }
    }

    /// Writes an event.
    pub(crate) fn write(&mut self, event: &Event) -> anyhow::Result<()> {
        if self.begun.is_none() {
            let stdout = self.stdout.take().context("a table begins once")?;
            let mut out = Output::create(Some(self.path).filter(|path| !is_stream(path)), stdout)?;
            writeln!(out, "{HEADER}")?;
            self.begun = Some(out);
        }
        let Some(out) = &mut self.begun else { return Ok(()) };
        let Event { t, kind, code, joint, value, limit, text } = event;
        let number = |number: Option<f64>| {
            let mut buffer = ryu::Buffer::new();
            number.filter(|number| number.is_finite()).map_or(String::new(), |x| buffer.format_finite(x).to_owned())
        };
        let [t, value, limit] = [Some(*t + 0.0), *value, *limit].map(number);
        writeln!(out, "{t},{},{code},{joint},{value},{limit},{}", kind.name(), quoted(text))
            .and_then(|()| if is_stream(self.path) { out.flush() } else { Ok(()) }) // the next may be long in coming
            .context("cannot write the events")
    }

    /// Completes the table.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        self.begun.map_or(Ok(()), Output::finish)
    }
}

/// A text as a cell; names of joints need no quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\"").replace(['\n', '\r'], " "))
}
