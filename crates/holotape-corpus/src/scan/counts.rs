//! Counters of a scan, which show how much it has read.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a scan has read so far.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let _ = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.save(folder.path().join("a.bin"))?;
/// use holotape_corpus::{ScanOptions, Table, find_recordings, scan};
///
/// let options = ScanOptions::new().with_columns(["camera.position.y"]);
/// let mut rows = scan(find_recordings([folder.path()])?, Table::Frames, &options)?;
/// assert_eq!(rows.by_ref().map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 61);
/// assert_eq!(rows.counts().curves, 3, "all components of a position are read");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScanCounts {
    /// Processed recordings.
    pub recordings: u64,
    /// Recordings that could not be read, and have no rows.
    pub skipped: u64,
    /// Curves whose keys were read.
    pub curves: u64,
    /// Bytes read from files, except from headers.
    pub bytes: u64,
}

/// The same, updated by several threads.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) recordings: AtomicU64,
    pub(super) skipped: AtomicU64,
    pub(super) curves: AtomicU64,
    pub(super) bytes: AtomicU64,
}

impl Counters {
    pub(super) fn snapshot(&self) -> ScanCounts {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        ScanCounts {
            recordings: load(&self.recordings),
            skipped: load(&self.skipped),
            curves: load(&self.curves),
            bytes: load(&self.bytes),
        }
    }
}

pub(super) fn add(counter: &AtomicU64, count: u64) {
    counter.fetch_add(count, Ordering::Relaxed);
}
