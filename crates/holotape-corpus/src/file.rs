//! Opening files that may be anything: no pipe keeps us waiting, and nothing is read that no memory would hold.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use holotape::format::ReadOptions;

/// Larger files are refused, by scans and by builds alike.
pub(crate) const MAX_BYTES: u64 = ReadOptions::DEFAULT_MAX_BYTES;

/// Opens what is a file, and not too large. Whoever reads all of it should read [`MAX_BYTES`] at most: it may grow.
pub(crate) fn open(path: &Path) -> io::Result<(File, Metadata)> {
    // Before it is opened: opening a pipe waits for somebody to write into it.
    let there = fs::metadata(path)?;
    if !there.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not a file"));
    }
    if there.len() > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("more than {MAX_BYTES} bytes")));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    Ok((file, metadata))
}
