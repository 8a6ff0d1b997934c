//! What was compiled once, on disk: a file by the hash of all that it was made of.
//!
//! Files are written beside and then renamed, so that nobody reads half of one and several programs may compile the same. Who
//! may not write there computes all the same: then the file lives as long as the program.

use super::DeviceError;
use sha2::{Digest, Sha256};
use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The name of what is made of some texts.
pub(super) fn key(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    hash.update(env!("CARGO_PKG_VERSION"));
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Where files are kept: `$APPELL_CACHE`, `$XDG_CACHE_HOME/appell`, or `.cache/appell` at home.
fn folder() -> Result<&'static Path, DeviceError> {
    static OF_THIS_PROGRAM: OnceLock<Option<TempDir>> = OnceLock::new();
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    if let Some(folder) = FOLDER.get() {
        return Ok(folder);
    }
    let named = |name: &str| env::var_os(name).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let asked = named("APPELL_CACHE");
    let usual = || {
        let base = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")))?;
        Some(base.join("appell"))
    };
    let is_asked = asked.is_some();
    if let Some(folder) = asked.or_else(usual) {
        match fs::create_dir_all(&folder).and_then(|()| tempfile::tempfile_in(&folder)) {
            Ok(_) => return Ok(FOLDER.get_or_init(|| folder)),
            Err(error) if is_asked => {
                return Err(DeviceError::Cache { folder: folder.display().to_string(), said: error.to_string() });
            }
            Err(_) => {}
        }
    }
    let own = OF_THIS_PROGRAM.get_or_init(|| TempDir::new().ok()).as_ref();
    let error =
        || DeviceError::Cache { folder: env::temp_dir().display().to_string(), said: "no temporary folder".into() };
    Ok(FOLDER.get_or_init(|| own.map_or_else(env::temp_dir, |own| own.path().to_owned()))).and_then(
        |folder: &PathBuf| {
            if folder.is_dir() { Ok(folder.as_path()) } else { Err(error()) }
        },
    )
}

/// Where a file of this name is, or would be.
pub(super) fn place(name: &str) -> Result<PathBuf, DeviceError> {
    Ok(folder()?.join(name))
}

/// Its bytes, if it is there.
pub(super) fn read(name: &str) -> Option<Vec<u8>> {
    fs::read(place(name).ok()?).ok()
}

/// Keeps bytes under a name. That they cannot be kept is no reason not to go on with them.
pub(super) fn keep(name: &str, bytes: &[u8]) {
    let Ok(folder) = folder() else { return };
    let Ok(mut file) = tempfile::NamedTempFile::new_in(folder) else { return };
    if file.write_all(bytes).is_ok() {
        file.persist(folder.join(name)).ok();
    }
}

/// A folder to compile in, on the same disk.
pub(super) fn workshop() -> Result<TempDir, DeviceError> {
    let folder = folder()?;
    tempfile::tempdir_in(folder)
        .map_err(|error| DeviceError::Cache { folder: folder.display().to_string(), said: error.to_string() })
}
