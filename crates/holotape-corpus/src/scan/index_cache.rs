//! What is where in files that were read before: the next scan reads the curves that it needs, and nothing else.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use holotape::format::{Index, PackedIndex};

/// As many as are remembered: some hundred and twenty megabytes.
const MAX_ENTRIES: usize = 1 << 16;

/// A file that was changed just now may be changed once more within one tick of its clock.
const MIN_MTIME_AGE: Duration = Duration::from_secs(2);

/// What is where in files that scans have read. Scans that share this look for it once, and then read only the curves that
/// they need.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let _ = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.save(folder.path().join("a.bin"))?;
/// use std::sync::Arc;
/// use holotape_corpus::{FileIndexCache, ScanOptions, Table, find, scan};
///
/// let (takes, outlines) = (find([folder.path()])?, Arc::new(FileIndexCache::default()));
/// for column in ["camera.position.x", "right.Palm.position.y"] {
///     let options = ScanOptions::new().with_columns([column]);
///     let rows = scan(takes.clone(), Table::Frames, &options)?.with_outlines(&outlines);
///     assert_eq!(rows.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 61);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct FileIndexCache(Mutex<HashMap<PathBuf, (FileStamp, Arc<PackedFileIndex>)>>);

/// What is where in a file.
#[derive(Debug)]
pub(super) struct FileIndex {
    pub(super) index: Index,
    pub(super) duration_secs: f32,
}

/// As it is remembered.
#[derive(Debug)]
struct PackedFileIndex {
    index: PackedIndex,
    duration_secs: f32,
}

/// How a file looked from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    bytes: u64,
    modified: SystemTime,
}

impl FileStamp {
    /// Nothing for files of which nobody can tell whether they change.
    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        let modified = metadata.modified().ok()?;
        let is_settled = SystemTime::now().duration_since(modified).is_ok_and(|age| age > MIN_MTIME_AGE);
        is_settled.then_some(Self { bytes: metadata.len(), modified })
    }
}

impl FileIndexCache {
    /// What is known of a file, if it still looks as it did.
    pub(super) fn get(&self, path: &Path, stamp: FileStamp) -> Option<FileIndex> {
        let packed = {
            let known = self.0.lock().ok()?;
            known.get(path).filter(|(then, _)| *then == stamp).map(|(_, packed)| Arc::clone(packed))?
        };
        Some(FileIndex { index: packed.index.unpack(), duration_secs: packed.duration_secs })
    }

    pub(super) fn insert(&self, path: &Path, stamp: FileStamp, outline: &FileIndex) {
        let packed = Arc::new(PackedFileIndex { index: outline.index.pack(), duration_secs: outline.duration_secs });
        if let Ok(mut known) = self.0.lock()
            && (known.len() < MAX_ENTRIES || known.contains_key(path))
        {
            known.insert(path.to_owned(), (stamp, packed));
        }
    }
}
