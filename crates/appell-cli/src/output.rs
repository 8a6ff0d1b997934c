//! Where a table goes: stdout, a device, or a file that appears complete or not at all.

use crate::interrupt;
use anyhow::{Context, anyhow, bail, ensure};
use appell_drawing::png;
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// A destination. What [`Output::finish`] has not seen never becomes a file.
pub(crate) enum Output<'o> {
    Stdout(&'o mut dyn Write),
    /// Something that is not a file of its own, such as `/dev/null` or a pipe: it cannot be replaced.
    Device {
        device: BufWriter<File>,
        path: PathBuf,
    },
    /// A temporary neighbour of the file it becomes at the end.
    File {
        temporary: BufWriter<NamedTempFile>,
        path: PathBuf,
    },
}

impl<'o> Output<'o> {
    /// Prepares to write `path`, or stdout if there is none.
    pub(crate) fn create(path: Option<&Path>, stdout: &'o mut dyn Write) -> anyhow::Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("/dev/stdout")) else { return Ok(Self::Stdout(stdout)) };
        let shown = path.display();
        let cannot_write = || format!("cannot write {shown}");
        let existing = fs::metadata(path).ok();
        ensure!(!existing.as_ref().is_some_and(fs::Metadata::is_dir), "{shown} is a folder; give the path of a file");
        if existing.as_ref().is_some_and(|existing| !existing.is_file()) || is_open_file(path) {
            let device = OpenOptions::new().append(true).open(path).with_context(cannot_write)?;
            return Ok(Self::Device { device: BufWriter::new(device), path: path.to_owned() });
        }
        ensure!(
            existing.is_some() || !path.is_symlink(),
            "{shown} is a link to nothing; remove it or make what it names"
        );
        if existing.is_some() {
            // Replacing needs no right to the file itself, but a file that is read-only is so for a reason.
            OpenOptions::new().write(true).open(path).with_context(cannot_write)?;
        }
        // A link stays, and what it points to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let temporary = new_file(folder).with_context(cannot_write)?;
        interrupt::remove_on_signal(temporary.path().to_owned());
        if let Some(existing) = existing {
            temporary.as_file().set_permissions(existing.permissions()).with_context(cannot_write)?;
        }
        Ok(Self::File { temporary: BufWriter::new(temporary), path })
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(out) => out,
            Self::Device { device, .. } => device,
            Self::File { temporary, .. } => temporary,
        }
    }

    /// What could not be written, with the name of where to.
    fn named<T>(&self, written: io::Result<T>) -> io::Result<T> {
        let (Self::Device { path, .. } | Self::File { path, .. }) = self else { return written };
        written.map_err(|error| io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display())))
    }

    /// Writes what is buffered; a file takes its name now.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let Self::File { temporary, path } = self else { return Ok(self.flush()?) };
        let cannot_write = || format!("cannot write {}", path.display());
        let temporary = temporary.into_inner().map_err(io::IntoInnerError::into_error).with_context(cannot_write)?;
        temporary.as_file().sync_all().with_context(cannot_write)?;
        match waiting().as_mut() {
            Some(waiting) => waiting.complete.push((temporary, path)),
            None => name(temporary, &path, &mut interrupt::temporary())?,
        }
        Ok(())
    }
}

/// What waits for others while some files are written together.
#[derive(Default)]
struct Waiting {
    complete: Vec<(NamedTempFile, PathBuf)>,
    notes: Vec<String>,
}

static TOGETHER: Mutex<Option<Waiting>> = Mutex::new(None);

fn waiting() -> MutexGuard<'static, Option<Waiting>> {
    TOGETHER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does work whose files take their names at its end, all of them; none where it fails.
pub(crate) fn together<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    *waiting() = Some(Waiting::default());
    let answer = work();
    let Waiting { complete, notes } = waiting().take().unwrap_or_default();
    let answer = answer?;
    // A signal waits until all have their names.
    let mut under_writing = interrupt::temporary();
    for (temporary, path) in complete {
        name(temporary, &path, &mut under_writing)?;
    }
    drop(under_writing);
    notes.iter().for_each(note);
    Ok(answer)
}

/// Says on stderr that a file was written, when it is.
pub(crate) fn note_file(message: impl Display) {
    match waiting().as_mut() {
        Some(waiting) => waiting.notes.push(message.to_string()),
        None => note(message),
    }
}

/// Gives a complete file its name.
fn name(temporary: NamedTempFile, path: &Path, under_writing: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    under_writing.retain(|other| other != temporary.path());
    let named = temporary.persist(path).map_err(|failed| failed.error);
    named.map(drop).with_context(|| format!("cannot write {}", path.display()))
}

/// Refuses files to be written, by the options that name them, that are one and the same, or that are read.
pub(crate) fn expect_apart(outputs: &[(&str, &Path)], inputs: &[&Path]) -> anyhow::Result<()> {
    for (k, (option, path)) in outputs.iter().enumerate() {
        if let Some((other, _)) = outputs[..k].iter().find(|(_, other)| is_same(other, path)) {
            bail!("{other} and {option} would both write {}; give them different names", path.display());
        }
        let is_read = inputs.iter().any(|input| input.is_file() && is_same(input, path));
        ensure!(!is_read, "{option} would replace {}, which is read; give it another name", path.display());
    }
    Ok(())
}

/// Whether two paths lead to one file, which need not be there yet. Devices may be written twice.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| match path.canonicalize() {
        Ok(path) => path,
        Err(_) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            folder.canonicalize().unwrap_or_else(|_| folder.to_owned()).join(path.file_name().unwrap_or_default())
        }
    };
    place(one) == place(other) && !is_open_file(one)
}

/// Writes a whole file at once; `-` is stdout.
pub(crate) fn write_file(path: &Path, text: &str, stdout: &mut dyn Write) -> anyhow::Result<()> {
    write_bytes(path, text.as_bytes(), stdout)
}

/// The path of a drawing, by its ending; streams and files that are open have none.
pub(crate) fn drawing(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let is_drawing = |ending: &OsStr| ["svg", "png"].iter().any(|known| ending.eq_ignore_ascii_case(known));
    match path.extension() {
        Some(ending) if !is_drawing(ending) => Err("expected a name that ends in .svg or .png".into()),
        _ => Ok(path),
    }
}

/// Writes a drawing: as pixels where the file's name ends in .png, else as SVG; `-` is stdout.
pub(crate) fn write_drawing(path: &Path, svg: &str, stdout: &mut dyn Write) -> anyhow::Result<()> {
    let is_png = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    if is_png { write_bytes(path, &png(svg)?, stdout) } else { write_file(path, svg, stdout) }
}

/// The same of bytes.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8], stdout: &mut dyn Write) -> anyhow::Result<()> {
    let mut output = Output::create(Some(path).filter(|path| *path != Path::new("-")), stdout)?;
    output.write_all(bytes)?;
    output.finish()
}

/// Whether a path names a file that some process has open, such as `/dev/fd/3`: that one is written, not replaced.
fn is_open_file(path: &Path) -> bool {
    ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder))
}

/// Why a file cannot be read, as what follows its name.
pub(crate) fn unread(error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::NotFound => anyhow!("file not found"),
        io::ErrorKind::PermissionDenied => anyhow!("permission denied"),
        io::ErrorKind::IsADirectory => anyhow!("is a folder; give the path of a file"),
        _ => anyhow::Error::new(error).context("cannot be read"),
    }
}

/// Says something on stderr. If that is closed there is nowhere left to complain.
pub(crate) fn note(message: impl Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// How the names of temporary files begin and end.
const TEMPORARY: (&str, &str) = (".appell-", ".tmp");

/// A temporary file with the permissions of any other new file; left alone, `tempfile` hides it from other users. What
/// runs that were killed have left in its folder goes.
///
/// Whoever writes one holds its lock, which the system takes from a process that dies: one without a lock was left
/// behind.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    remove_abandoned(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        let file = builder.tempfile_in(folder)?;
        // Where a file system has no locks, files that were left behind stay.
        let is_locked = file.as_file().lock().is_ok();
        // Another run may have found it before it was locked, and removed it.
        if !is_locked || file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes temporary files that nobody writes any more. What cannot be read, locked or removed stays.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_temporary = entry
            .file_name()
            .to_str()
            .and_then(|name| name.strip_prefix(TEMPORARY.0)?.strip_suffix(TEMPORARY.1))
            .is_some();
        if !is_temporary || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(file) = OpenOptions::new().read(true).write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer().write(bytes);
        self.named(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.writer().flush();
        self.named(flushed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = entries.collect();
        names.sort();
        names
    }

    #[test]
    fn what_a_killed_run_left_goes_and_what_another_writes_stays() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for name in [".appell-killed.tmp", ".appell-notes", "appell-a.tmp", "run.csv"] {
            fs::write(folder.join(name), "t\n").unwrap();
        }
        fs::create_dir(folder.join(".appell-folder.tmp")).unwrap();
        let other = new_file(folder).unwrap();
        assert!(!folder.join(".appell-killed.tmp").exists());
        write_file(&folder.join("out.csv"), "t,q1\n", &mut io::sink()).unwrap();
        let other_name = other.path().file_name().unwrap().to_str().unwrap().to_owned();
        assert!(folder.join(&other_name).exists(), "it is under writing");
        drop(other);
        assert_eq!(names(folder), [".appell-folder.tmp", ".appell-notes", "appell-a.tmp", "out.csv", "run.csv"]);
    }
}
