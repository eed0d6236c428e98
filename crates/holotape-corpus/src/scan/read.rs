//! Files as they are read: whole into a buffer that is used again and again, or, if they are large, where it matters.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::Path;

use holotape::format::MAGIC;

use crate::file::{MAX_BYTES, open};

/// Up to here a file is read in one go, however little of it is needed: going from header to header takes four hundred small
/// reads, which for a take of ten seconds measured slower than one large one.
const MAX_BYTES_AT_ONCE: u64 = 16 << 20;

/// Where a line of the processor's cache begins. Large blocks of memory come 16 bytes into a page, and files are cached in
/// whole pages: each byte copied would come from the place in its page that was written 16 bytes ago, which the processor
/// takes for the same place, and waits. Anywhere else the same copy takes half the time.
const CACHE_LINE_BYTES: usize = 64;

/// What was read of a file.
pub(super) enum FileContents<'a> {
    /// All of it.
    Whole(&'a [u8]),
    /// Nothing yet: it is an input animation, and a large one.
    Large(File),
}

pub(super) fn read<'a>(path: &Path, buffer: &'a mut Vec<u8>) -> io::Result<FileContents<'a>> {
    read_opened(open(path)?, buffer)
}

/// The same of a file that is open, with how it looks from outside.
pub(super) fn read_opened(
    (mut file, metadata): (File, Metadata),
    buffer: &mut Vec<u8>,
) -> io::Result<FileContents<'_>> {
    if metadata.len() > MAX_BYTES_AT_ONCE {
        buffer.clear();
        (&mut file).take(MAGIC.len() as u64).read_to_end(buffer)?;
        file.rewind()?;
        if *buffer == MAGIC {
            return Ok(FileContents::Large(file));
        }
    }
    Ok(FileContents::Whole(read_into(file, metadata.len(), buffer)?))
}

/// All of a file of some size; an error if there is no memory for it.
fn read_into(file: File, bytes: u64, buffer: &mut Vec<u8>) -> io::Result<&[u8]> {
    buffer.clear();
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).saturating_add(1 + CACHE_LINE_BYTES);
    buffer.try_reserve(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
    let start = buffer.as_ptr().align_offset(CACHE_LINE_BYTES).min(CACHE_LINE_BYTES);
    buffer.resize(start, 0);
    file.take(MAX_BYTES).read_to_end(buffer)?;
    Ok(&buffer[start..])
}

/// All of a file, however large it may be.
pub(super) fn read_whole<'a>(path: &Path, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
    let (file, metadata) = open(path)?;
    read_into(file, metadata.len(), buffer)
}
