//! A recorder's files: read once, so that they may be pipes, with what tells them from others.

use crate::output;
use crate::table::{self, is_stream};
use anyhow::{Context, anyhow, ensure};
use appell_identification::data::{Layout, Payload};
use appell_identification::identified::Source;
use appell_identification::identify::Table;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file as it is.
pub(super) struct File {
    source: Source,
    bytes: Arc<[u8]>,
}

/// Reads a layout's file.
pub(super) fn layout(path: &Path) -> anyhow::Result<Layout> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(output::unread).with_context(|| shown.to_string())?;
    Layout::read(&text).map_err(|problems| anyhow!("{shown} is not a layout of a recording\n{problems}"))
}

/// Reads a payload's file.
pub(super) fn payload(path: &Path) -> anyhow::Result<Payload> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(output::unread).with_context(|| shown.to_string())?;
    Payload::read(&text).map_err(|problems| anyhow!("{shown} is not a payload\n{problems}"))
}

/// Reads files of recordings.
pub(super) fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<File>> {
    let read = |path: &PathBuf| {
        ensure!(!is_stream(path), "a recording is a file, whose name is kept; write stdin to one");
        File::read(path)
    };
    paths.iter().map(read).collect()
}

/// The name of a file, and what tells it from others.
pub(super) fn source(path: &Path) -> anyhow::Result<Source> {
    Ok(File::read(path)?.source)
}

impl File {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let bytes = fs::read(path).map_err(output::unread).with_context(|| name.clone())?;
        let hash = format!("sha256:{:x}", Sha256::digest(&bytes));
        Ok(Self { source: Source { name, hash }, bytes: bytes.into() })
    }

    /// The names of its columns.
    pub(super) fn header(&self) -> anyhow::Result<Vec<String>> {
        Ok(self.columns(None, |_| false)?.into_iter().map(|(name, _)| name).collect())
    }

    /// The columns that a layout names.
    pub(super) fn table(&self, layout: &Layout) -> anyhow::Result<Table> {
        let is_read = |name: &str| layout.columns().any(|known| known == name);
        // Time beside a rate is compared with it if it holds numbers.
        let named = layout.header.as_deref();
        let columns = self.columns(named, |name| is_read(name) || layout.tells_time(name));
        let columns = columns.or_else(|_| self.columns(named, is_read))?;
        Ok(Table { source: self.source.clone(), columns })
    }

    /// Those of a motion alone.
    pub(super) fn motion(&self, layout: &Layout) -> anyhow::Result<Table> {
        let is_read = |name: &str| layout.columns_of_motion().any(|known| known == name);
        let columns = self.columns(layout.header.as_deref(), is_read)?;
        Ok(Table { source: self.source.clone(), columns })
    }

    fn columns(
        &self,
        named: Option<&[String]>,
        read: impl Fn(&str) -> bool,
    ) -> anyhow::Result<Vec<(String, Vec<f64>)>> {
        table::columns_of_bytes(&self.bytes, named, read).with_context(|| self.source.name.clone())
    }
}
