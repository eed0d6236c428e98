//! A cache of file indexes. A scan of an indexed file reads only the curves that it needs.

mod folder_file;

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::path::{self, Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, io};

use holotape::format::{Index, PackedIndex};
use holotape::paths;

use crate::file;

/// Maximum number of files, about 120 MB of memory.
const MAX_ENTRIES: usize = 1 << 16;

/// Maximum number of folders whose indexes are on disk.
const MAX_FOLDERS: usize = 1 << 12;

/// The environment variable with the folder of [`FileIndexCache::for_user`].
const DIR_VARIABLE: &str = "HOLOTAPE_CACHE_DIR";

/// A cache of file indexes. Scans that share it index each file once, and then read only the curves that they need.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let _ = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.save(folder.path().join("a.bin"))?;
/// use std::sync::Arc;
/// use holotape_corpus::{FileIndexCache, ScanOptions, Table, find_recordings, scan};
///
/// let (files, cache) = (find_recordings([folder.path()])?, Arc::new(FileIndexCache::default()));
/// for column in ["camera.position.x", "right.Palm.position.y"] {
///     let options = ScanOptions::new().with_columns([column]);
///     let rows = scan(files.clone(), Table::Frames, &options)?.with_index_cache(&cache);
///     assert_eq!(rows.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 61);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The indexes are in memory. [`in_dir`](Self::in_dir) and [`for_user`](Self::for_user) also keep them on disk, for other processes
/// and later ones: a file for each folder of recordings, which is read when a scan opens the first recording of that folder, and
/// replaced when a scan ends. An index is used only while size and times of its recording are the same. A damaged or missing cache
/// is not an error, and neither is one that cannot be written: the recordings are then indexed again.
#[derive(Debug, Default)]
pub struct FileIndexCache {
    dir: Option<PathBuf>,
    folders: Mutex<Folders>,
}

#[derive(Debug, Default)]
struct Folders {
    /// By their absolute paths.
    by_path: HashMap<PathBuf, FolderIndexes>,
    entry_count: usize,
}

/// The indexes of the files in one folder.
#[derive(Debug, Default)]
struct FolderIndexes {
    entries: Entries,
    /// Whether there are entries that are not on disk.
    is_changed: bool,
}

/// By the name of the file, in bytes.
type Entries = HashMap<Vec<u8>, (FileStamp, Arc<PackedFileIndex>)>;

/// The index and the duration of a file.
#[derive(Debug)]
pub(super) struct FileIndex {
    pub(super) index: Index,
    pub(super) duration_secs: f32,
}

/// The same in a tenth of the memory.
#[derive(Debug)]
struct PackedFileIndex {
    index: PackedIndex,
    duration_secs: f32,
}

/// Identifies the contents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    bytes: u64,
    modified_ns: u64,
    /// Changes if the file is replaced by another with the same size and modification time.
    replaced: u64,
}

impl FileStamp {
    /// `None` for files that changed too recently to detect the next change.
    pub(super) fn new(file: &File, metadata: &Metadata) -> Option<Self> {
        let modified: SystemTime = file::stable_mtime(metadata)?;
        let modified_ns = modified.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        Some(Self {
            bytes: metadata.len(),
            modified_ns: u64::try_from(modified_ns).ok()?,
            replaced: file::replaced_stamp(file, metadata),
        })
    }
}

impl FileIndexCache {
    /// A cache that is kept on disk in a folder, which is made if it is missing.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// let cache = holotape_corpus::FileIndexCache::in_dir(folder.path().join("indexes"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn in_dir(dir: impl Into<PathBuf>) -> Self {
        Self { dir: Some(dir.into()), folders: Mutex::default() }
    }

    /// A cache that is kept on disk for the user: in the folder that the environment variable `HOLOTAPE_CACHE_DIR` names, or in `holotape`
    /// of the user's cache folder (`$XDG_CACHE_HOME` or `~/.cache`, `~/Library/Caches` on macOS, `%LOCALAPPDATA%` on Windows).
    /// Only in memory if the variable is empty, or if there is no such folder.
    #[must_use]
    pub fn for_user() -> Self {
        let dir = match env::var_os(DIR_VARIABLE) {
            Some(dir) => Some(PathBuf::from(dir)).filter(|dir| !dir.as_os_str().is_empty()),
            None => paths::user_cache_dir().map(|dir| dir.join("holotape")),
        };
        dir.map_or_else(Self::default, |dir| Self::in_dir(dir.join("indexes")))
    }

    /// The index of a file, unless its size or times have changed.
    pub(super) fn get(&self, path: &Path, stamp: FileStamp) -> Option<FileIndex> {
        let (folder, name) = split(path)?;
        let packed = {
            let mut folders = self.folders.lock().ok()?;
            let entries = &folders.folder(&folder, self.dir.as_deref()).entries;
            entries.get(&name).filter(|(cached, _)| *cached == stamp).map(|(_, packed)| Arc::clone(packed))?
        };
        Some(FileIndex { index: packed.index.unpack(), duration_secs: packed.duration_secs })
    }

    pub(super) fn insert(&self, path: &Path, stamp: FileStamp, file_index: &FileIndex) {
        let packed =
            Arc::new(PackedFileIndex { index: file_index.index.pack(), duration_secs: file_index.duration_secs });
        let Some((folder, name)) = split(path) else { return };
        let Ok(mut folders) = self.folders.lock() else { return };
        let has_space = folders.entry_count < MAX_ENTRIES;
        let folder = folders.folder(&folder, self.dir.as_deref());
        let is_new = !folder.entries.contains_key(&name);
        if has_space || !is_new {
            folder.entries.insert(name, (stamp, packed));
            folder.is_changed = true;
            folders.entry_count += usize::from(is_new);
        }
    }

    /// Writes the indexes that are not on disk yet. If that is not possible, they stay in memory.
    pub(super) fn save(&self) {
        let Some(dir) = &self.dir else { return };
        let changed: Vec<_> = {
            let Ok(mut folders) = self.folders.lock() else { return };
            let take = |(path, folder): (&PathBuf, &mut FolderIndexes)| {
                std::mem::take(&mut folder.is_changed).then(|| (path.clone(), folder.entries.clone()))
            };
            folders.by_path.iter_mut().filter_map(take).collect()
        };
        if changed.is_empty() || paths::create_private_dir(dir).is_err() {
            return;
        }
        for (folder, mut entries) in changed {
            // Another process may have indexed other files of the folder.
            for (name, entry) in folder_file::read(dir, &folder) {
                entries.entry(name).or_insert(entry);
            }
            let _ = folder_file::write(dir, &folder, &entries);
        }
        let _ = remove_oldest(dir, MAX_FOLDERS);
    }
}

impl Folders {
    /// The indexes of a folder; at first those on disk.
    fn folder(&mut self, folder: &Path, dir: Option<&Path>) -> &mut FolderIndexes {
        let Self { by_path, entry_count } = self;
        by_path.entry(folder.to_owned()).or_insert_with(|| {
            let mut entries = dir.map(|dir| folder_file::read(dir, folder)).unwrap_or_default();
            if *entry_count + entries.len() > MAX_ENTRIES {
                entries.clear();
            }
            *entry_count += entries.len();
            FolderIndexes { entries, is_changed: false }
        })
    }
}

/// The absolute path of the folder of a file, and the name of the file.
fn split(path: &Path) -> Option<(PathBuf, Vec<u8>)> {
    let name = path.file_name()?.as_encoded_bytes().to_vec();
    Some((path::absolute(path).ok()?.parent()?.to_owned(), name))
}

/// Removes the oldest files with indexes if a folder has more than `max` of them. Other files in it stay.
fn remove_oldest(dir: &Path, max: usize) -> io::Result<()> {
    let files = fs::read_dir(dir)?.flatten().filter(|file| folder_file::is_name(&file.file_name()));
    let mut files: Vec<_> =
        files.filter_map(|file| Some((file.metadata().ok()?.modified().ok()?, file.path()))).collect();
    files.sort();
    let excess = files.len().saturating_sub(max);
    // Some more, so that the next call does not have to remove one again.
    let count = if excess == 0 { 0 } else { excess + max / 8 };
    files.iter().take(count).try_for_each(|(_, path)| fs::remove_file(path))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn oldest_files_are_removed_above_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let name = |n: u64| format!("{n:032x}");
        let of_others = ["0", "notes.txt", "x000000000000000000000000000000x"];
        let ours = (0..20).map(name);
        for (n, name) in (0..).zip(of_others.map(str::to_owned).into_iter().chain(ours)) {
            let file = fs::File::create(folder.path().join(name)).unwrap();
            file.set_modified(UNIX_EPOCH + Duration::from_secs(n)).unwrap();
        }
        let exists = |name: &str| folder.path().join(name).exists();
        let numbers = || (0..20).filter(|&n| exists(&name(n))).collect::<Vec<_>>();
        remove_oldest(folder.path(), 20).unwrap();
        assert_eq!(numbers().len(), 20);
        remove_oldest(folder.path(), 16).unwrap();
        assert_eq!(numbers(), (6..20).collect::<Vec<_>>());
        assert!(of_others.iter().all(|name| exists(name)));
    }
}
