//! Opening input files: pipes do not block, and files that exceed the size limit are rejected.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use holotape::format::ReadOptions;

/// Maximum file size, for scans and builds.
pub(crate) const MAX_BYTES: u64 = ReadOptions::DEFAULT_MAX_BYTES;

/// Opens a regular file of at most [`MAX_BYTES`]. It may grow, so callers must limit their reads.
pub(crate) fn open(path: &Path) -> io::Result<(File, Metadata)> {
    // Checked before opening, because opening a pipe blocks until it has a writer.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("the file has more than {MAX_BYTES} bytes")));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    Ok((file, metadata))
}
