//! The directory in which the server for the local network keeps its certificate and the paired devices.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use holotape::{Error, Result, atomic, paths};
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
        paths::create_private_dir(&path).map_err(|error| Error::from(error).with_path(&path))?;
        Ok(Self(path))
    }

    /// The directory of the user; `None` if the system names none.
    pub(super) fn default_path() -> Option<PathBuf> {
        paths::user_state_dir().map(|state| state.join("holotape"))
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
            let mut file = atomic::temporary_file(&self.0, paths::private_permissions())?;
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
