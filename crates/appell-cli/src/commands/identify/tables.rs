//! A recorder's files: read once and line by line, so that they may be pipes and large, with what tells them from others.

use crate::output::unread;
use crate::table::{Recorded, Wanted, is_stream};
use anyhow::{Context, anyhow, ensure};
use appell_identification::data::{Layout, Payload};
use appell_identification::identified::Source;
use appell_identification::identify::Table;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A file that is open.
pub(super) struct File {
    name: String,
    hash: Rc<RefCell<Sha256>>,
    table: Recorded,
}

/// Reads a layout's file.
pub(super) fn layout(path: &Path) -> anyhow::Result<Layout> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(unread).with_context(|| shown.to_string())?;
    Layout::read(&text).map_err(|problems| anyhow!("{shown} is not a layout of a recording\n{problems}"))
}

/// Reads a payload's file.
pub(super) fn payload(path: &Path) -> anyhow::Result<Payload> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(unread).with_context(|| shown.to_string())?;
    Payload::read(&text).map_err(|problems| anyhow!("{shown} is not a payload\n{problems}"))
}

/// Opens files of recordings.
pub(super) fn open(paths: &[PathBuf]) -> anyhow::Result<Vec<File>> {
    let open = |path: &PathBuf| {
        ensure!(!is_stream(path), "a recording is a file, whose name is kept; write stdin to one");
        File::open(path).with_context(|| path.display().to_string())
    };
    paths.iter().map(open).collect()
}

/// The name of a file, and what tells it from others.
pub(super) fn source(path: &Path) -> anyhow::Result<Source> {
    let name = path.display().to_string();
    let bytes = fs::read(path).map_err(unread).with_context(|| name.clone())?;
    Ok(Source { hash: shown(Sha256::digest(&bytes)), name })
}

fn shown(hash: impl core::fmt::LowerHex) -> String {
    format!("sha256:{hash:x}")
}

impl File {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let file = fs::File::open(path).map_err(unread)?;
        let metadata = file.metadata().map_err(unread)?;
        ensure!(!metadata.is_dir(), "is a folder; give the path of a table");
        let size = metadata.is_file().then_some(metadata.len());
        let hash = Rc::new(RefCell::new(Sha256::new()));
        let hashed = Hashed { source: BufReader::with_capacity(1 << 16, file), hash: Rc::clone(&hash) };
        Ok(Self { name: path.display().to_string(), hash, table: Recorded::open(Box::new(hashed), size)? })
    }

    /// The names of its columns.
    pub(super) fn header(&self) -> anyhow::Result<Vec<String>> {
        self.table.names(None).with_context(|| self.name.clone())
    }

    /// The columns that a layout names.
    pub(super) fn table(self, layout: &Layout) -> anyhow::Result<Table> {
        self.columns(layout, |name| match layout.columns().any(|known| known == name) {
            true => Wanted::Numbers,
            // Time beside a rate is compared with it if it holds numbers.
            false if layout.tells_time(name) => Wanted::IfNumbers,
            false => Wanted::Name,
        })
    }

    /// Those of a motion alone.
    pub(super) fn motion(self, layout: &Layout) -> anyhow::Result<Table> {
        let is_read = |name: &str| layout.columns_of_motion().any(|known| known == name);
        self.columns(layout, |name| if is_read(name) { Wanted::Numbers } else { Wanted::Name })
    }

    fn columns(self, layout: &Layout, wanted: impl Fn(&str) -> Wanted) -> anyhow::Result<Table> {
        let Self { name, hash, table } = self;
        let columns = table.columns(layout.header.as_deref(), wanted).with_context(|| name.clone())?;
        let hash = shown(hash.borrow().clone().finalize());
        Ok(Table { source: Source { name, hash }, columns })
    }
}

/// A source whose bytes are hashed as they are read.
struct Hashed<R> {
    source: R,
    hash: Rc<RefCell<Sha256>>,
}

impl<R: BufRead> BufRead for Hashed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, many: usize) {
        // What was filled is still there.
        if let Ok(bytes) = self.source.fill_buf() {
            self.hash.borrow_mut().update(&bytes[..many]);
        }
        self.source.consume(many);
    }
}

impl<R: BufRead> Read for Hashed<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let many = self.fill_buf()?.read(to)?;
        self.consume(many);
        Ok(many)
    }
}
