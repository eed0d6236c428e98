//! The directory in which the server for the local network keeps its certificate and the paired devices.

use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use holotape::atomic;
use holotape::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Only the user can read the directory.
#[derive(Clone, Debug)]
pub(super) struct StateDir(PathBuf);

/// Changes when a file is replaced.
pub(super) type FileStamp = (SystemTime, u64);

/// The contents of a file.
pub(super) enum StateFile<T> {
    Missing,
    /// Not what this version of holotape writes.
    Damaged,
    Read(T),
}

/// A file that could not be read, and was renamed.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("devices.json"), "{")?;
/// let mut devices = holotape_viewer::PairedDevices::open(Some(folder.path().into()))?;
/// let damaged = devices.take_damaged().unwrap();
/// println!("{} is damaged; kept as {}", damaged.path.display(), damaged.kept.display());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedFile {
    /// The path of the file.
    pub path: PathBuf,
    /// Its new path.
    pub kept: PathBuf,
}

impl StateDir {
    /// Creates the directory if it is missing.
    pub(super) fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        create_private(&path).map_err(|error| Error::from(error).with_path(&path))?;
        Ok(Self(path))
    }

    /// The directory of the user; `None` if the system names none.
    pub(super) fn default_path() -> Option<PathBuf> {
        let from_env = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let state = if cfg!(windows) {
            from_env("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            env::home_dir().map(|home| home.join("Library/Application Support"))
        } else {
            from_env("XDG_STATE_HOME").or_else(|| env::home_dir().map(|home| home.join(".local/state")))
        };
        state.map(|state| state.join("holotape"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(super) fn read<T: DeserializeOwned>(&self, name: &str) -> Result<StateFile<T>> {
        match fs::read(self.path(name)) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).map_or(StateFile::Damaged, StateFile::Read)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(StateFile::Missing),
            Err(error) => Err(Error::from(error).with_path(self.path(name))),
        }
    }

    /// Replaces a file. Other users cannot read it, even if the directory is opened to them later.
    pub(super) fn write(&self, name: &str, value: &impl Serialize) -> Result<()> {
        let path = self.path(name);
        let replace = || {
            let json = serde_json::to_vec_pretty(value).map_err(io::Error::other)?;
            let mut file = atomic::temporary_file(&self.0, private_file())?;
            file.write_all(&json)?;
            file.as_file().sync_all()?;
            atomic::persist(file, &path)?;
            atomic::sync_folder(&self.0);
            Ok(())
        };
        replace().map_err(|error: Error| error.with_path(&path))
    }

    /// Renames a file, so that the next [`write`](Self::write) does not replace it.
    pub(super) fn keep_damaged(&self, name: &str) -> Result<DamagedFile> {
        let (path, kept) = (self.path(name), self.path(&format!("{name}.damaged")));
        atomic::rename(&path, &kept).map_err(|error| Error::from(error).with_path(&path))?;
        Ok(DamagedFile { path, kept })
    }

    /// `None` if the file is missing.
    pub(super) fn stamp(&self, name: &str) -> Option<FileStamp> {
        let metadata = fs::metadata(self.path(name)).ok()?;
        Some((metadata.modified().ok()?, metadata.len()))
    }

    /// Blocks other processes until the returned file is dropped.
    pub(super) fn lock(&self) -> Result<File> {
        let path = self.path("lock");
        let locked = File::create(&path).and_then(|file| file.lock().map(|()| file));
        locked.map_err(|error| Error::from(error).with_path(&path))
    }
}

#[cfg(unix)]
fn private_file() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;

    Some(fs::Permissions::from_mode(0o600))
}

/// Windows: a new file has the access rights of its folder.
#[cfg(not(unix))]
fn private_file() -> Option<fs::Permissions> {
    None
}

#[cfg(unix)]
fn create_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};

    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

/// The user's directories are private on Windows.
#[cfg(not(unix))]
fn create_private(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}
