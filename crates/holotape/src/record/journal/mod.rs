//! The on-disk log of an unsaved take, written while it is recorded.
//!
//! A journal starts with a header, followed by one record per frame and marker in order of arrival: length of the
//! payload, checksum (32 bits each), payload. All numbers are little-endian.
//!
//! | payload | |
//! |---|---|
//! | frame | 1, time as 64-bit float, 64 bits that say what there is, then as 32-bit floats the poses (position x, y, z, rotation x, y, z, w) and the gaze (origin x, y, z, direction x, y, z) |
//! | marker | 2, time as 64-bit float, name in UTF-8 |
//!
//! The bits, from the lowest: camera; 27 joints of the left hand, 27 of the right; gaze; left tracked, right tracked,
//! left pinching, right pinching. Poses are in the order of the bits. Times are those of the source.
//!
//! With `keep_last_secs` there are two files. When the newer one, `take.journal`, covers that span, it replaces the
//! older one, `take.journal.old`, and a new file is started: at any time both together cover the span.

mod header;
mod read;
mod sink;
mod thread;
mod write;

pub use read::Journal;

pub(super) use header::Header;
pub(super) use sink::JournalSink;
pub(super) use write::JournalFiles;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The first eight bytes of every journal.
pub(crate) const JOURNAL_MAGIC: [u8; 8] = *b"holojrnl";

/// The path of the journal for a recording that will be saved at `target`: `take.journal` beside `take.bin`.
///
/// ```
/// use std::path::Path;
///
/// assert_eq!(holotape::record::journal_path("takes/a.bin"), Path::new("takes/a.journal"));
/// ```
#[must_use]
pub fn journal_path(target: impl AsRef<Path>) -> PathBuf {
    target.as_ref().with_extension("journal")
}

/// The suffix of the older file of a journal.
const ROTATED_SUFFIX: &str = ".old";

fn with_suffix(journal: &Path, suffix: &str) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn is_journal_file(path: &Path) -> bool {
    let mut start = [0; JOURNAL_MAGIC.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == JOURNAL_MAGIC
}
