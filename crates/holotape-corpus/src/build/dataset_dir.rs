//! The folder of a dataset: who may write into it, what is finished in it and what is not.
//!
//! ```text
//! OUT/dataset.json                    what counts
//! OUT/frames/part-HASH.parquet        a file of a table
//! OUT/.unfinished/                    parts of a build that has not come to its end, each with a .json once it is whole
//! OUT/.holotape-build                 the lock, and the sign that this folder is ours
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

const LOCK_FILE: &str = ".holotape-build";
const STAGING_DIR: &str = ".unfinished";
const TEMP_PREFIX: &str = ".holotape-";

/// The folder of a dataset, for whoever holds its lock. The system lets go of it when the process ends, however it ends.
pub(super) struct DatasetDir {
    folder: PathBuf,
    _lock: File,
}

impl DatasetDir {
    /// Takes a folder that is empty, a dataset, or not there yet.
    pub(super) fn lock_for_build(folder: &Path) -> Result<Self> {
        let named = |error: Error| error.with_path(folder);
        check_output_dir(folder)?;
        let lock = lock(folder).map_err(named)?;
        fs::create_dir_all(folder.join(STAGING_DIR)).map_err(|error| named(error.into()))?;
        Ok(Self { folder: folder.to_owned(), _lock: lock })
    }

    pub(super) fn manifest(&self) -> Result<Option<Manifest>> {
        Manifest::read(&self.folder).map_err(|error| error.with_path(&self.folder))
    }

    /// The parts that a build before this one has finished without coming to its end.
    pub(super) fn staged_partitions(&self) -> Vec<Partition> {
        let whole = |name: &str| {
            let id = name.strip_suffix(".json").and_then(|part| partition_id(part))?;
            let part: Partition = serde_json::from_slice(&fs::read(self.unfinished(name)).ok()?).ok()?;
            (part.id() == Some(id)).then_some(part)
        };
        self.names_in(STAGING_DIR).iter().filter_map(|name| whole(name)).collect()
    }

    /// Whether all files of a part are there, where they belong or not yet moved.
    pub(super) fn contains(&self, part: &Partition, tables: &[Table]) -> bool {
        let Some(id) = part.id() else { return false };
        tables.iter().all(|table| self.folder.join(part.file(*table)).is_file() || self.staged(*table, id).is_file())
    }

    /// A file that gets its name when it is finished.
    pub(super) fn temporary_file(&self) -> Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(TEMP_PREFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Less the process's mask, as for every new file; by itself a temporary file is its owner's alone.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(self.folder.join(STAGING_DIR));
        file.map_err(|error| Error::from(io::Error::from(error.kind())).with_path(&self.folder))
    }

    /// Keeps the files of a part, which are on the disk already. The part counts from when the last step here is done.
    pub(super) fn stage(&self, part: &Partition, files: Vec<(Table, NamedTempFile)>) -> Result<()> {
        let named = |error: io::Error| Error::from(error).with_path(&self.folder);
        let id = part.id().ok_or_else(|| Error::new(ErrorKind::Invalid, "a part without a name"))?;
        for (table, file) in files {
            file.persist(self.staged(table, id)).map_err(|error| named(error.error))?;
        }
        let json = serde_json::to_vec(part).map_err(|error| named(error.into()))?;
        let path = self.unfinished(&format!("{}.json", partition_file_name(id)));
        atomic::write(path, IfExists::Replace, |out| Ok(out.write_all(&json)?))
    }

    /// Puts finished parts where they belong, then says so in one step, then removes what no longer counts.
    pub(super) fn commit(&self, manifest: &Manifest) -> Result<()> {
        let named = |error: io::Error| Error::from(error).with_path(&self.folder);
        for table in manifest.tables() {
            let folder = self.folder.join(table.name());
            fs::create_dir_all(&folder).map_err(named)?;
            for part in &manifest.parts {
                let staged = self.staged(table, part.id().unwrap_or_default());
                if staged.is_file() {
                    fs::rename(staged, self.folder.join(part.file(table))).map_err(named)?;
                }
            }
            sync(&folder);
        }
        let path = self.folder.join(MANIFEST_NAME);
        atomic::write(path, IfExists::Replace, |out| {
            serde_json::to_writer_pretty(&mut *out, manifest).map_err(io::Error::from)?;
            Ok(out.write_all(b"\n")?)
        })?;
        self.remove_unreferenced(manifest);
        Ok(())
    }

    /// Removes what builds have made and no manifest names. What cannot be removed now is removed by the next build.
    fn remove_unreferenced(&self, manifest: &Manifest) {
        let named: HashSet<_> = manifest.parts.iter().filter_map(Partition::id).collect();
        let tables = manifest.tables();
        for table in Table::ALL {
            let counts = |id: &str| tables.contains(&table) && named.contains(id);
            for name in self.names_in(table.name()) {
                if partition_id(&name).is_some_and(|id| !counts(id)) {
                    fs::remove_file(self.folder.join(table.name()).join(name)).ok();
                }
            }
            if !tables.contains(&table) {
                // Only if nothing of anybody else's is in it.
                fs::remove_dir(self.folder.join(table.name())).ok();
            }
        }
        for name in self.names_in(STAGING_DIR) {
            let is_staged = Table::ALL.iter().any(|table| name.strip_prefix(table.name()).is_some_and(is_staged_end));
            let is_note = name.strip_suffix(".json").and_then(partition_id).is_some();
            if is_staged || is_note || name.starts_with(TEMP_PREFIX) {
                fs::remove_file(self.unfinished(&name)).ok();
            }
        }
        fs::remove_dir(self.folder.join(STAGING_DIR)).ok();
    }

    /// How large the files of a dataset are, by table.
    pub(super) fn sizes(&self, manifest: &Manifest) -> HashMap<Table, u64> {
        let size = |path: &str| self.folder.join(path).metadata().map_or(0, |file| file.len());
        let sizes = |table| manifest.parts.iter().map(|part| size(part.file(table))).sum();
        manifest.tables().into_iter().map(|table| (table, sizes(table))).collect()
    }

    fn unfinished(&self, name: &str) -> PathBuf {
        self.folder.join(STAGING_DIR).join(name)
    }

    fn staged(&self, table: Table, id: &str) -> PathBuf {
        self.unfinished(&format!("{table}.{}", partition_file_name(id)))
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.folder.join(folder)).into_iter().flatten();
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
    }
}

fn is_staged_end(end: &str) -> bool {
    end.strip_prefix('.').and_then(partition_id).is_some()
}

/// Fails over a folder that has something in it and is no dataset.
pub(super) fn check_output_dir(folder: &Path) -> Result<()> {
    check_output_dir_inner(folder).map_err(|error| error.with_path(folder))
}

fn check_output_dir_inner(folder: &Path) -> Result<()> {
    let refuse = |message: &str| Err(Error::new(ErrorKind::Invalid, message));
    match fs::metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
        Ok(there) if !there.is_dir() => refuse("this is a file; a dataset is a folder, and is named last"),
        Ok(_) if folder.join(LOCK_FILE).is_file() => Ok(()),
        // One that was copied without its hidden files.
        Ok(_) if Manifest::read(folder)?.is_some() => Ok(()),
        Ok(_) if fs::read_dir(folder)?.next().is_none() => Ok(()),
        Ok(_) => refuse("there is something in this folder, and it is no dataset: name an empty or a new one"),
    }
}

fn lock(folder: &Path) -> Result<File> {
    fs::create_dir_all(folder)?;
    let file = File::options().create(true).truncate(false).write(true).open(folder.join(LOCK_FILE))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::Error(error)) => Err(error.into()),
        Err(TryLockError::WouldBlock) => {
            let message = "another build is at work in this folder: wait until it is done";
            Err(Error::from(io::Error::new(io::ErrorKind::WouldBlock, message)))
        }
    }
}

/// Makes new names last through a power cut, where the system lets a folder be synced.
fn sync(folder: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder) {
        folder.sync_all().ok();
    }
    #[cfg(not(unix))]
    let _ = folder;
}
