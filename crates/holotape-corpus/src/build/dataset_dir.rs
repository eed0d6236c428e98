//! The folder of a dataset: locking, staging and committing of partitions.
//!
//! ```text
//! OUT/dataset.json                    the manifest
//! OUT/frames/part-HASH.parquet        a file of a table
//! OUT/.staging/                       partitions of an unfinished build, each with a .json once it is complete
//! OUT/.holotape-lock                  the lock; its presence marks the folder as a dataset
//! ```

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use holotape::atomic::{self, IfExists};
use holotape::{Error, ErrorKind, Result};
use tempfile::NamedTempFile;

use crate::Table;
use crate::dataset::{MANIFEST_NAME, Manifest, Partition, partition_file_name, partition_id};

const LOCK_FILE: &str = ".holotape-lock";
pub(crate) const STAGING_DIR: &str = ".staging";

/// The locked folder of a dataset. The operating system releases the lock when the process ends.
pub(super) struct DatasetDir {
    folder: PathBuf,
    _lock: File,
}

impl DatasetDir {
    /// Locks a folder that is empty, a dataset, or missing.
    pub(super) fn lock_for_build(folder: &Path) -> Result<Self> {
        let with_path = |error: Error| error.with_path(folder);
        check_output_dir(folder)?;
        let lock = lock(folder, LOCK_FILE).map_err(with_path)?;
        // A folder that has other files but lost its lock file in a power failure would be rejected by the next build.
        atomic::sync_folder(folder);
        fs::create_dir_all(folder.join(STAGING_DIR)).map_err(|error| with_path(error.into()))?;
        Ok(Self { folder: folder.to_owned(), _lock: lock })
    }

    pub(super) fn manifest(&self) -> Result<Option<Manifest>> {
        Manifest::read(&self.folder).map_err(|error| error.with_path(&self.folder))
    }

    /// Complete partitions of an earlier build that was interrupted.
    pub(super) fn staged_partitions(&self) -> Vec<Partition> {
        let read = |name: &str| {
            let id = name.strip_suffix(".json").and_then(|partition| partition_id(partition))?;
            let partition: Partition = serde_json::from_slice(&fs::read(self.staging_path(name)).ok()?).ok()?;
            (partition.id() == Some(id)).then_some(partition)
        };
        self.names_in(STAGING_DIR).iter().filter_map(|name| read(name)).collect()
    }

    /// Whether all files of a partition exist, in place or staged.
    pub(super) fn contains(&self, partition: &Partition, tables: &[Table]) -> bool {
        let Some(id) = partition.id() else { return false };
        tables
            .iter()
            .all(|table| self.folder.join(partition.file(*table)).is_file() || self.staged_file(*table, id).is_file())
    }

    /// A temporary file, which is renamed when it is complete.
    pub(super) fn temporary_file(&self) -> Result<NamedTempFile> {
        let file = atomic::temporary_file(&self.folder.join(STAGING_DIR), None);
        file.map_err(|error| error.with_path(&self.folder))
    }

    /// Moves the files of a partition, which are synced already, into the staging folder. The last step, writing its .json,
    /// makes the partition complete.
    pub(super) fn stage(&self, partition: &Partition, files: Vec<(Table, NamedTempFile)>) -> Result<()> {
        let with_path = |error: io::Error| Error::from(error).with_path(&self.folder);
        let id = partition.id().ok_or_else(|| Error::new(ErrorKind::Invalid, "partition without a hash"))?;
        for (table, file) in files {
            atomic::persist(file, &self.staged_file(table, id)).map_err(with_path)?;
        }
        let json = serde_json::to_vec(partition).map_err(|error| with_path(error.into()))?;
        let path = self.staging_path(&format!("{}.json", partition_file_name(id)));
        atomic::write(path, IfExists::Replace, |out| Ok(out.write_all(&json)?))
    }

    /// Moves staged partitions into place, replaces the manifest atomically, then removes obsolete files.
    pub(super) fn commit(&self, manifest: &Manifest) -> Result<()> {
        let with_path = |error: io::Error| Error::from(error).with_path(&self.folder);
        for table in manifest.tables() {
            let folder = self.folder.join(table.name());
            // Durable before the manifest, which would otherwise list files in a missing folder after a power failure.
            atomic::create_folder(&folder).map_err(with_path)?;
            for partition in &manifest.partitions {
                let staged = self.staged_file(table, partition.id().unwrap_or_default());
                if staged.is_file() {
                    atomic::rename(&staged, &self.folder.join(partition.file(table))).map_err(with_path)?;
                }
            }
            atomic::sync_folder(&folder);
        }
        let path = self.folder.join(MANIFEST_NAME);
        atomic::write(path, IfExists::Replace, |out| {
            serde_json::to_writer_pretty(&mut *out, manifest).map_err(io::Error::from)?;
            Ok(out.write_all(b"\n")?)
        })?;
        self.remove_unreferenced(manifest);
        Ok(())
    }

    /// Removes files of builds that the manifest does not list. Files that cannot be removed are left to the next build.
    fn remove_unreferenced(&self, manifest: &Manifest) {
        let listed: HashSet<_> = manifest.partitions.iter().filter_map(Partition::id).collect();
        let tables = manifest.tables();
        for table in Table::ALL {
            let is_listed = |id: &str| tables.contains(&table) && listed.contains(id);
            for name in self.names_in(table.name()) {
                if partition_id(&name).is_some_and(|id| !is_listed(id)) {
                    fs::remove_file(self.folder.join(table.name()).join(name)).ok();
                }
            }
            if !tables.contains(&table) {
                // Fails if it has other files.
                fs::remove_dir(self.folder.join(table.name())).ok();
            }
        }
        for name in self.names_in(STAGING_DIR) {
            let is_staged =
                Table::ALL.iter().any(|table| name.strip_prefix(table.name()).is_some_and(is_staged_suffix));
            let is_staged_json = name.strip_suffix(".json").and_then(partition_id).is_some();
            if is_staged || is_staged_json || name.starts_with(atomic::TEMP_PREFIX) {
                fs::remove_file(self.staging_path(&name)).ok();
            }
        }
        fs::remove_dir(self.folder.join(STAGING_DIR)).ok();
        // Unfinished manifests of killed builds.
        for name in self.names_in("").iter().filter(|name| name.starts_with(atomic::TEMP_PREFIX) && *name != LOCK_FILE)
        {
            fs::remove_file(self.folder.join(name)).ok();
        }
    }

    /// File sizes of a dataset, by table.
    pub(super) fn sizes(&self, manifest: &Manifest) -> HashMap<Table, u64> {
        let size = |path: &str| self.folder.join(path).metadata().map_or(0, |file| file.len());
        let sizes = |table| manifest.partitions.iter().map(|partition| size(partition.file(table))).sum();
        manifest.tables().into_iter().map(|table| (table, sizes(table))).collect()
    }

    fn staging_path(&self, name: &str) -> PathBuf {
        self.folder.join(STAGING_DIR).join(name)
    }

    fn staged_file(&self, table: Table, id: &str) -> PathBuf {
        self.staging_path(&format!("{table}.{}", partition_file_name(id)))
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.folder.join(folder)).into_iter().flatten();
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
    }
}

fn is_staged_suffix(suffix: &str) -> bool {
    suffix.strip_prefix('.').and_then(partition_id).is_some()
}

/// Rejects a folder that has contents and is not a dataset.
pub(super) fn check_output_dir(folder: &Path) -> Result<()> {
    check_output_dir_inner(folder).map_err(|error| error.with_path(folder))
}

fn check_output_dir_inner(folder: &Path) -> Result<()> {
    let reject = |message: &str| Err(Error::invalid_argument(message));
    match fs::metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
        Ok(metadata) if !metadata.is_dir() => {
            reject("the last argument is a file; it must be the folder of the dataset")
        }
        Ok(_) if folder.join(LOCK_FILE).is_file() => Ok(()),
        // A dataset that was copied without its hidden files.
        Ok(_) if Manifest::read(folder)?.is_some() => Ok(()),
        Ok(_) if fs::read_dir(folder)?.next().is_none() => Ok(()),
        Ok(_) => reject("the folder is not empty and not a dataset; name an empty or a new one"),
    }
}

/// Creates a folder, and locks a file in it.
pub(crate) fn lock(folder: &Path, name: &str) -> Result<File> {
    atomic::create_folder(folder)?;
    let file = File::options().create(true).truncate(false).write(true).open(folder.join(name))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::Error(error)) => Err(error.into()),
        Err(TryLockError::WouldBlock) => {
            let message = "another build is running in this folder; wait until it has finished";
            Err(Error::from(io::Error::new(io::ErrorKind::WouldBlock, message)))
        }
    }
}
