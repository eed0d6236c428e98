//! What a scan did: who asks for little should see that little was read.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a scan did so far.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let _ = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.save(folder.path().join("a.bin"))?;
/// use holotape_corpus::{ScanOptions, Table, find, scan};
///
/// let options = ScanOptions::new().with_columns(["camera.position.y"]);
/// let mut rows = scan(find([folder.path()])?, Table::Frames, &options)?;
/// assert_eq!(rows.by_ref().map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 61);
/// assert_eq!(rows.counts().curves, 3, "the three of a position are evaluated together");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScanCounts {
    /// Takes that were looked into.
    pub takes: u64,
    /// Takes that could not be read, and have no rows.
    pub skipped: u64,
    /// Curves whose keys were read.
    pub curves: u64,
    /// Bytes of files that were read, but for those of headers of which there is no telling.
    pub bytes: u64,
}

/// The same as it grows, on many threads.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) takes: AtomicU64,
    pub(super) skipped: AtomicU64,
    pub(super) curves: AtomicU64,
    pub(super) bytes: AtomicU64,
}

impl Counters {
    pub(super) fn snapshot(&self) -> ScanCounts {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        ScanCounts {
            takes: of(&self.takes),
            skipped: of(&self.skipped),
            curves: of(&self.curves),
            bytes: of(&self.bytes),
        }
    }
}

pub(super) fn add(counter: &AtomicU64, count: u64) {
    counter.fetch_add(count, Ordering::Relaxed);
}
