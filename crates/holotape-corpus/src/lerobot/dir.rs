//! The folder of a LeRobot dataset: locking, staging and committing.
//!
//! ```text
//! OUT/meta/info.json                             exists only while the dataset is complete
//! OUT/meta/stats.json, tasks.parquet
//! OUT/meta/holotape.json                         the manifest
//! OUT/meta/episodes/chunk-000/file-000.parquet
//! OUT/data/chunk-000/file-000.parquet
//! OUT/.staging/                                  files of an unfinished build, each with a .json once it is complete
//! OUT/.staging/commit.json                       the next dataset is complete and being moved into place
//! OUT/.holotape-lerobot-lock                     the lock; its presence marks the folder as a LeRobot dataset
//! ```
//!
//! LeRobot prescribes the names of files, so a dataset cannot be replaced in one step. Instead, `meta/info.json`, without which
//! no reader opens the dataset, is removed before the first file is moved, and written after the last one. A build that finds
//! `commit.json` completes that first.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use holotape::atomic::{self, IfExists};
use holotape::{Error, Result};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::manifest::{DataFile, MANIFEST, Manifest, chunk_path};
use crate::build::dataset_dir::{STAGING_DIR, lock};

const LOCK_FILE: &str = ".holotape-lerobot-lock";
const INFO: &str = "meta/info.json";
const COMMIT: &str = "commit.json";

/// Files that are moved as they are.
const META_FILES: [&str; 2] = ["stats.json", "tasks.parquet"];

/// The two files with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    Data,
    Episodes,
}

impl FileKind {
    const ALL: [Self; 2] = [Self::Data, Self::Episodes];

    fn folder(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Episodes => "meta/episodes",
        }
    }

    fn staged_name(self, id: &str) -> String {
        match self {
            Self::Data => format!("data-{id}.parquet"),
            Self::Episodes => format!("episodes-{id}.parquet"),
        }
    }
}

/// A dataset that is complete in the staging folder.
#[derive(Serialize, Deserialize)]
struct Commit {
    manifest: Manifest,
    /// The text of `meta/info.json`.
    info: String,
}

/// A data file that is complete in the staging folder.
#[derive(Serialize, Deserialize)]
struct StagedFile {
    settings: String,
    file: DataFile,
}

/// Whether a folder is a LeRobot dataset, written by any program. Its Parquet files are not recordings.
pub(crate) fn is_lerobot_dataset(folder: &Path) -> bool {
    let head = || -> io::Result<String> {
        let mut head = Vec::new();
        crate::file::open(&folder.join(INFO))?.0.take(4096).read_to_end(&mut head)?;
        Ok(String::from_utf8_lossy(&head).into_owned())
    };
    folder.join(LOCK_FILE).is_file() || head().is_ok_and(|head| head.contains("\"codebase_version\""))
}

/// Rejects a folder that has contents and was not built by holotape.
pub(super) fn check_output_dir(folder: &Path) -> Result<()> {
    let reject = |message: &str| Err(Error::invalid_argument(message).with_path(folder));
    match fs::metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::from(error).with_path(folder)),
        Ok(metadata) if !metadata.is_dir() => {
            reject("the last argument is a file; it must be the folder of the dataset")
        }
        Ok(_) if folder.join(LOCK_FILE).is_file() || folder.join(MANIFEST).is_file() => Ok(()),
        Ok(_) if fs::read_dir(folder)?.next().is_none() => Ok(()),
        Ok(_) => reject("the folder is not empty and not a LeRobot dataset of holotape; name an empty or a new one"),
    }
}

/// The locked folder of a dataset. The operating system releases the lock when the process ends.
pub(super) struct LerobotDir {
    folder: PathBuf,
    _lock: File,
}

impl LerobotDir {
    /// Locks a folder, and completes an interrupted commit.
    pub(super) fn lock_for_build(folder: &Path) -> Result<Self> {
        check_output_dir(folder)?;
        let lock = lock(folder, LOCK_FILE).map_err(|error| error.with_path(folder))?;
        atomic::sync_folder(folder);
        let dir = Self { folder: folder.to_owned(), _lock: lock };
        // Durable, because a commit removes the old dataset when the new one is in this folder.
        dir.with_path(atomic::create_folder(&dir.folder.join(STAGING_DIR)))?;
        let commit = fs::read(dir.staging_path(COMMIT)).ok();
        if let Some(commit) = commit.and_then(|bytes| serde_json::from_slice::<Commit>(&bytes).ok()) {
            dir.move_into_place(&commit)?;
        }
        Ok(dir)
    }

    fn with_path<T>(&self, result: io::Result<T>) -> Result<T> {
        result.map_err(|error| Error::from(error).with_path(&self.folder))
    }

    pub(super) fn manifest(&self) -> Result<Option<Manifest>> {
        Manifest::read(&self.folder).map_err(|error| error.with_path(&self.folder))
    }

    /// Whether the files beside the data exist.
    pub(super) fn has_meta_files(&self) -> bool {
        let meta = self.folder.join("meta");
        self.folder.join(INFO).is_file() && META_FILES.iter().all(|name| meta.join(name).is_file())
    }

    /// Complete files of an earlier build with these settings that was interrupted.
    pub(super) fn staged_files(&self, settings: &str) -> Vec<DataFile> {
        let read = |name: &str| -> Option<DataFile> {
            let id = name.strip_prefix("file-")?.strip_suffix(".json")?;
            let staged: StagedFile = serde_json::from_slice(&fs::read(self.staging_path(name)).ok()?).ok()?;
            let file = Some(staged.file).filter(|_| staged.settings == settings)?;
            let is_complete = file.id == id && file.has_valid_id();
            (is_complete && FileKind::ALL.iter().all(|kind| self.staged_path(*kind, id).is_file())).then_some(file)
        };
        let mut names = names_in(&self.staging_path(""));
        names.sort();
        names.iter().filter_map(|name| read(name)).collect()
    }

    pub(super) fn path(&self, kind: FileKind, number: usize) -> PathBuf {
        self.folder.join(kind.folder()).join(chunk_path(number))
    }

    pub(super) fn staged_path(&self, kind: FileKind, id: &str) -> PathBuf {
        self.staging_path(&kind.staged_name(id))
    }

    fn staging_path(&self, name: &str) -> PathBuf {
        self.folder.join(STAGING_DIR).join(name)
    }

    /// A temporary file, which is renamed when it is complete.
    pub(super) fn temporary_file(&self) -> Result<NamedTempFile> {
        atomic::temporary_file(&self.staging_path(""), None).map_err(|error| error.with_path(&self.folder))
    }

    /// Moves complete files into the staging folder. The last step, writing the .json, makes them a part of the next dataset.
    pub(super) fn stage(
        &self,
        settings: &str,
        file: &DataFile,
        data: NamedTempFile,
        episodes: NamedTempFile,
    ) -> Result<()> {
        for (kind, temporary) in [(FileKind::Data, data), (FileKind::Episodes, episodes)] {
            self.with_path(temporary.as_file().sync_all())?;
            self.with_path(atomic::persist(temporary, &self.staged_path(kind, &file.id)))?;
        }
        self.write(
            &self.staging_path(&format!("file-{}.json", file.id)),
            &json(&StagedFile { settings: settings.to_owned(), file: file.clone() })?,
        )
    }

    /// Replaces the manifest only: modification times of recordings have changed.
    pub(super) fn replace_manifest(&self, manifest: &Manifest) -> Result<()> {
        self.write(&self.folder.join(MANIFEST), &json(manifest)?)
    }

    /// Replaces the dataset by the staged files.
    pub(super) fn commit(&self, manifest: &Manifest, info: String, stats: &[u8], tasks: &[u8]) -> Result<()> {
        for (name, bytes) in META_FILES.into_iter().zip([stats, tasks]) {
            self.write(&self.staging_path(name), bytes)?;
        }
        let commit = Commit { manifest: manifest.clone(), info };
        self.write(&self.staging_path(COMMIT), &json(&commit)?)?;
        self.move_into_place(&commit)
    }

    /// Every step can be repeated.
    fn move_into_place(&self, Commit { manifest, info }: &Commit) -> Result<()> {
        let meta = self.folder.join("meta");
        self.with_path(atomic::create_folder(&meta))?;
        if self.folder.join(INFO).exists() {
            self.with_path(fs::remove_file(self.folder.join(INFO)))?;
            atomic::sync_folder(&meta);
        }
        for kind in FileKind::ALL {
            self.move_files(kind, manifest)?;
        }
        for name in META_FILES {
            self.move_if_staged(&self.staging_path(name), &meta.join(name))?;
        }
        self.replace_manifest(manifest)?;
        // Everything before is durable now: writing the manifest has synced the folder.
        self.write(&self.folder.join(INFO), info.as_bytes())?;
        self.remove_staged();
        Ok(())
    }

    fn move_files(&self, kind: FileKind, manifest: &Manifest) -> Result<()> {
        let mut expected = HashSet::new();
        for (number, file) in manifest.numbered_files() {
            let path = self.path(kind, number);
            let staged = self.staged_path(kind, &file.id);
            if staged.is_file() {
                if let Some(folder) = path.parent() {
                    self.with_path(atomic::create_folder(folder))?;
                }
                self.with_path(atomic::rename(&staged, &path))?;
            }
            expected.insert(path);
        }
        let root = self.folder.join(kind.folder());
        for chunk in names_in(&root).into_iter().filter(|name| name.starts_with("chunk-")) {
            let folder = root.join(chunk);
            for name in names_in(&folder).into_iter().filter(|name| is_numbered_file(name)) {
                let path = folder.join(name);
                if !expected.contains(&path) {
                    self.with_path(fs::remove_file(path))?;
                }
            }
            atomic::sync_folder(&folder);
            // Fails if it has files.
            fs::remove_dir(folder).ok();
        }
        Ok(())
    }

    fn move_if_staged(&self, from: &Path, to: &Path) -> Result<()> {
        if from.is_file() { self.with_path(atomic::rename(from, to)) } else { Ok(()) }
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        atomic::write(path, IfExists::Replace, |out| Ok(out.write_all(bytes)?))
    }

    /// Removes all files of unfinished builds. Files that cannot be removed are left to the next build.
    pub(super) fn remove_staged(&self) {
        let is_staged = |name: &str| {
            let prefixes = ["data-", "episodes-", "file-", atomic::TEMP_PREFIX];
            name == COMMIT || META_FILES.contains(&name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
        };
        for name in names_in(&self.staging_path("")).iter().filter(|name| is_staged(name)) {
            fs::remove_file(self.staging_path(name)).ok();
        }
        fs::remove_dir(self.staging_path("")).ok();
        let meta = self.folder.join("meta");
        for name in names_in(&meta).iter().filter(|name| name.starts_with(atomic::TEMP_PREFIX)) {
            fs::remove_file(meta.join(name)).ok();
        }
    }
}

fn is_numbered_file(name: &str) -> bool {
    let number = name.strip_prefix("file-").and_then(|name| name.strip_suffix(".parquet"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
}

fn json(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(io::Error::from)?;
    bytes.push(b'\n');
    Ok(bytes)
}
