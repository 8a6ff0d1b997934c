//! Where the socket of a trial is: in a folder of the user's own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why there is no place for a socket.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum PlaceError {
    #[error("{}: cannot be made: {source}", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("{} is not a folder of yours that others cannot enter; remove it, or set XDG_RUNTIME_DIR", path.display())]
    NotOwn { path: PathBuf },
}

/// The longest part of a trial's name in the name of its socket: the system allows 108 bytes in all.
const LONGEST_STEM: usize = 32;

/// The socket of a trial: the same for all who name the same file. Its folder is made where it is missing.
///
/// # Errors
/// If there is no folder of the user's own for it.
pub fn socket_of(trial: &Path) -> Result<PathBuf, PlaceError> {
    let whole = fs::canonicalize(trial).unwrap_or_else(|_| trial.to_owned());
    let stem = whole.file_stem().unwrap_or_default().to_string_lossy();
    let stem: String =
        stem.chars().filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).take(LONGEST_STEM).collect();
    let mark = crc32fast::hash(whole.as_os_str().as_encoded_bytes());
    Ok(folder()?.join(format!("{stem}-{mark:08x}.sock")))
}

/// A folder that only the user enters.
fn folder() -> Result<PathBuf, PlaceError> {
    let given = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let path = match given.filter(|path| path.is_absolute() && path.is_dir()) {
        Some(path) => path.join("appell"),
        None => std::env::temp_dir().join(format!("appell-{}", user())),
    };
    match make(&path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(source) => return Err(PlaceError::Folder { path, source }),
    }
    if is_own(&path) { Ok(path) } else { Err(PlaceError::NotOwn { path }) }
}

fn make(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn make(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Not a link, the user's, and closed to all others.
fn is_own(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let own = |file: &fs::Metadata| file.is_dir() && file.uid() == user() && file.mode() & 0o077 == 0;
    fs::symlink_metadata(path).is_ok_and(|file| own(&file))
}

#[cfg(not(unix))]
fn is_own(path: &Path) -> bool {
    path.is_dir()
}

/// The user's number.
pub(super) fn user() -> u32 {
    nix::unistd::geteuid().as_raw()
}

#[cfg(not(unix))]
fn user() -> u32 {
    0
}
