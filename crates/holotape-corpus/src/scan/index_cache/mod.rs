//! A cache of file indexes. A scan of an indexed file reads only the curves that it needs.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use holotape::format::{Index, PackedIndex};

use crate::file;

/// Maximum number of files, about 120 MB of memory.
const MAX_ENTRIES: usize = 1 << 16;

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
#[derive(Debug, Default)]
pub struct FileIndexCache(Mutex<HashMap<PathBuf, (FileStamp, Arc<PackedFileIndex>)>>);

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

/// Size and modification time of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    bytes: u64,
    modified: SystemTime,
}

impl FileStamp {
    /// `None` for files that changed too recently to detect the next change.
    pub(super) fn from_metadata(metadata: &Metadata) -> Option<Self> {
        Some(Self { bytes: metadata.len(), modified: file::stable_mtime(metadata)? })
    }
}

impl FileIndexCache {
    /// The index of a file, unless its size or time has changed.
    pub(super) fn get(&self, path: &Path, stamp: FileStamp) -> Option<FileIndex> {
        let packed = {
            let entries = self.0.lock().ok()?;
            entries.get(path).filter(|(cached, _)| *cached == stamp).map(|(_, packed)| Arc::clone(packed))?
        };
        Some(FileIndex { index: packed.index.unpack(), duration_secs: packed.duration_secs })
    }

    pub(super) fn insert(&self, path: &Path, stamp: FileStamp, file_index: &FileIndex) {
        let packed =
            Arc::new(PackedFileIndex { index: file_index.index.pack(), duration_secs: file_index.duration_secs });
        if let Ok(mut entries) = self.0.lock()
            && (entries.len() < MAX_ENTRIES || entries.contains_key(path))
        {
            entries.insert(path.to_owned(), (stamp, packed));
        }
    }
}
