//! Input files: pipes do not block, files that exceed the size limit are rejected, and changes are detected by time.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use holotape::format::ReadOptions;
use holotape::paths;

/// Maximum file size, for scans and builds.
pub(crate) const MAX_BYTES: u64 = ReadOptions::DEFAULT_MAX_BYTES;

/// A file that changed less than this before it was read may change again with the same modification time: some file
/// systems have a resolution of two seconds.
const MIN_MTIME_AGE: Duration = Duration::from_secs(2);

/// The modification time, if it is old enough to identify the contents.
pub(crate) fn stable_mtime(metadata: &Metadata) -> Option<SystemTime> {
    let modified = metadata.modified().ok()?;
    let age = SystemTime::now().duration_since(modified).ok()?;
    (age > MIN_MTIME_AGE).then_some(modified)
}

/// A number that changes if another file takes the place of this one, even with the same size and modification time: the time of the
/// last change of its metadata on Unix, the number of the file on Windows, where a new file can inherit the creation time.
pub(crate) fn replaced_stamp(file: &File, metadata: &Metadata) -> u64 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;

        let _ = file;
        // The stamps are only compared, so a wrapped number is as good as any other.
        (metadata.ctime() as u64).wrapping_mul(1_000_000_000).wrapping_add(metadata.ctime_nsec() as u64)
    }
    #[cfg(windows)]
    {
        use std::os::windows::fs::MetadataExt;

        winapi_util::file::information(file).map_or_else(|_| metadata.creation_time(), |file| file.file_index())
    }
    #[cfg(not(any(unix, windows)))]
    {
        let _ = (file, metadata);
        0
    }
}

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
    let file = paths::open(path)?;
    let metadata = file.metadata()?;
    Ok((file, metadata))
}
