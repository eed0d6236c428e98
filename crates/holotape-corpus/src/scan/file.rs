//! Files as they are read: whole into a buffer that is used again and again, or, if they are large, where it matters.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::Path;

use holotape::format::MAGIC;

/// Up to here a file is read in one go, however little of it is needed: going from header to header takes four hundred small
/// reads, which for a take of ten seconds measured slower than one large one.
const MOST_BYTES_AT_ONCE: u64 = 16 << 20;

/// What was read of a file.
pub(super) enum Contents<'a> {
    /// All of it.
    Whole(&'a [u8]),
    /// Nothing yet: it is an input animation, and a large one.
    Large(File),
}

/// A file that is open, and how it looks from outside.
pub(super) fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    Ok((file, metadata))
}

pub(super) fn read<'a>(path: &Path, buffer: &'a mut Vec<u8>) -> io::Result<Contents<'a>> {
    read_open(open(path)?, buffer)
}

/// The same of a file that is open.
pub(super) fn read_open((mut file, metadata): (File, Metadata), buffer: &mut Vec<u8>) -> io::Result<Contents<'_>> {
    buffer.clear();
    if metadata.is_file() && metadata.len() > MOST_BYTES_AT_ONCE {
        (&mut file).take(MAGIC.len() as u64).read_to_end(buffer)?;
        file.rewind()?;
        if *buffer == MAGIC {
            return Ok(Contents::Large(file));
        }
        buffer.clear();
    }
    // Pipes, devices and folders are no takes, and the first could keep us waiting forever.
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no file"));
    }
    buffer.reserve(usize::try_from(metadata.len()).unwrap_or(0).saturating_add(1));
    file.read_to_end(buffer)?;
    Ok(Contents::Whole(buffer))
}

/// All of a file, however large.
pub(super) fn read_whole<'a>(path: &Path, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
    let large = match read(path, buffer)? {
        Contents::Whole(_) => None,
        Contents::Large(file) => Some(file),
    };
    if let Some(mut file) = large {
        buffer.clear();
        file.read_to_end(buffer)?;
    }
    Ok(buffer)
}
