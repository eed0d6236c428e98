//! Reading files: small ones completely into a reused buffer, large ones in parts, and compressed ones decompressed.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::Path;

use holotape::Result;
use holotape::format::MAGIC;
use holotape_convert::FileFormat;
use holotape_convert::compression::{Compression, DecompressedReader};

use crate::file::{MAX_BYTES, open};

/// Up to this size a file is read completely. Reading only headers takes 400 small reads, which measured slower for a
/// recording of ten seconds.
const MAX_BYTES_AT_ONCE: u64 = 16 << 20;

/// Alignment of the buffer. Large allocations start 16 bytes into a page, and cached files at page boundaries. Copying with
/// this offset takes twice as long, because the processor assumes that reads depend on recent writes to the same page
/// offset (4K aliasing).
const CACHE_LINE_BYTES: usize = 64;

/// The contents of a file.
pub(super) enum FileContents<'a> {
    /// All bytes.
    Complete(&'a [u8]),
    /// A large input animation, of which nothing has been read yet.
    Large(DecompressedReader<File>),
}

/// Reads a file, and returns its compression as well.
pub(super) fn read<'a>(path: &Path, buffer: &'a mut Vec<u8>) -> Result<(FileContents<'a>, Compression)> {
    read_opened(open(path)?, buffer)
}

/// The same for an open file with its metadata.
pub(super) fn read_opened(
    (mut file, metadata): (File, Metadata),
    buffer: &mut Vec<u8>,
) -> Result<(FileContents<'_>, Compression)> {
    buffer.clear();
    (&mut file).take(MAGIC.len() as u64).read_to_end(buffer)?;
    file.rewind()?;
    let compression = Compression::detect(buffer);
    let contents = match compression {
        Compression::None if metadata.len() > MAX_BYTES_AT_ONCE && *buffer == MAGIC => {
            FileContents::Large(DecompressedReader::new(file, MAX_BYTES)?)
        }
        Compression::None => FileContents::Complete(read_into(file, metadata.len(), buffer)?),
        Compression::Gzip | Compression::Zstd => decompress(file, buffer)?,
    };
    Ok((contents, compression))
}

fn decompress(file: File, buffer: &mut Vec<u8>) -> Result<FileContents<'_>> {
    let mut reader = DecompressedReader::new(file, MAX_BYTES)?;
    if reader.kept_bytes().is_none() && FileFormat::detect(&reader.start()?) == Some(FileFormat::Bin) {
        return Ok(FileContents::Large(reader));
    }
    *buffer = reader.into_bytes()?;
    Ok(FileContents::Complete(buffer))
}

/// Reads a file of a known size; an error if there is not enough memory.
fn read_into(file: File, bytes: u64, buffer: &mut Vec<u8>) -> io::Result<&[u8]> {
    buffer.clear();
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).saturating_add(1 + CACHE_LINE_BYTES);
    buffer.try_reserve(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
    let start = buffer.as_ptr().align_offset(CACHE_LINE_BYTES).min(CACHE_LINE_BYTES);
    buffer.resize(start, 0);
    file.take(MAX_BYTES).read_to_end(buffer)?;
    Ok(&buffer[start..])
}

/// Reads a complete file, whatever its size.
pub(super) fn read_complete<'a>(path: &Path, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
    let (file, metadata) = open(path)?;
    read_into(file, metadata.len(), buffer)
}
