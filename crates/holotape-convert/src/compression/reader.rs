//! Random access to the contents of a compressed file, with bounded memory.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use holotape::Result;

use super::decoder::decompress_zstd_at_once;
use super::{Compression, Decompressor};
use crate::FileFormat;

/// Contents up to this size are decompressed once and kept. Larger ones are decompressed again for each pass.
const MAX_KEPT_BYTES: u64 = 64 << 20;

/// How much is decompressed at once.
const BLOCK_BYTES: u64 = 1 << 16;

/// How much stays in memory before a block: readers of recordings step back by less.
const HISTORY_BYTES: usize = 1 << 13;

/// The contents of a file, decompressed if it is compressed, as a seekable reader: [`Index`](holotape::format::Index),
/// [`Summary`](holotape::Summary) and [`ReadOptions`](holotape::format::ReadOptions) read from it.
///
/// Contents of more than 64 MiB are never in memory as a whole. Seeking back then decompresses from the start again.
///
/// ```
/// use std::io::{Cursor, Read};
/// use holotape_convert::compression::{Compression, DecompressedReader};
///
/// let mut file = Vec::new();
/// Compression::Gzip.write(&mut file, |out| Ok(out.write_all(b"take")?))?;
/// let mut reader = DecompressedReader::new(Cursor::new(file), 1000)?;
/// assert_eq!((reader.compression(), reader.byte_len()?), (Compression::Gzip, 4));
/// assert_eq!(std::io::read_to_string(&mut reader)?, "take");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DecompressedReader<R> {
    compression: Compression,
    contents: Contents<R>,
}

enum Contents<R> {
    Plain(R),
    Kept(Cursor<Vec<u8>>),
    Streamed(StreamedContents<R>),
}

impl<R: Read + Seek> DecompressedReader<R> {
    /// Detects the compression, and decompresses everything once, to know its length and to find all errors. Starts at the
    /// first byte, wherever the reader is.
    ///
    /// # Errors
    /// If reading fails, the compressed data is damaged or truncated, or the contents exceed `max_bytes` or the limits of
    /// [`Decompressor`].
    pub fn new(mut reader: R, max_bytes: u64) -> Result<Self> {
        reader.rewind()?;
        let start = read_start(&mut reader, 4)?;
        reader.rewind()?;
        let compression = Compression::detect(&start);
        if !compression.is_compressed() {
            return Ok(Self { compression, contents: Contents::Plain(reader) });
        }
        if compression == Compression::Zstd
            && let Some(contents) = decompress_at_once(&mut reader, max_bytes)?
        {
            return Ok(Self { compression, contents: Contents::Kept(Cursor::new(contents)) });
        }
        let mut decoder = compression.reader(&mut reader, max_bytes)?;
        let mut kept = Vec::new();
        decoder.by_ref().take(MAX_KEPT_BYTES + 1).read_to_end(&mut kept)?;
        if kept.len() as u64 <= MAX_KEPT_BYTES {
            return Ok(Self { compression, contents: Contents::Kept(Cursor::new(kept)) });
        }
        let byte_len = kept.len() as u64;
        drop(kept);
        let byte_len = byte_len + io::copy(&mut decoder, &mut io::sink())?;
        drop(decoder);
        let contents = Contents::Streamed(StreamedContents::new(reader, compression, byte_len)?);
        Ok(Self { compression, contents })
    }

    /// The compression of the file.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// The number of bytes after decompression.
    ///
    /// # Errors
    /// If seeking fails.
    pub fn byte_len(&mut self) -> io::Result<u64> {
        match &mut self.contents {
            Contents::Plain(reader) => {
                let position = reader.stream_position()?;
                let byte_len = reader.seek(SeekFrom::End(0))?;
                reader.seek(SeekFrom::Start(position))?;
                Ok(byte_len)
            }
            Contents::Kept(bytes) => Ok(bytes.get_ref().len() as u64),
            Contents::Streamed(contents) => Ok(contents.byte_len),
        }
    }

    /// The bytes that [`FileFormat::detect`] needs. The next read starts at the first byte.
    ///
    /// # Errors
    /// If reading fails.
    pub fn start(&mut self) -> io::Result<Vec<u8>> {
        self.rewind()?;
        let start = read_start(&mut *self, FileFormat::DETECT_BYTES)?;
        self.rewind()?;
        Ok(start)
    }

    /// All bytes, if they are in memory: those of a small compressed file.
    #[must_use]
    pub fn kept_bytes(&self) -> Option<&[u8]> {
        match &self.contents {
            Contents::Kept(bytes) => Some(bytes.get_ref()),
            Contents::Plain(_) | Contents::Streamed(_) => None,
        }
    }

    /// Reads everything into memory.
    ///
    /// # Errors
    /// If reading fails.
    pub fn into_bytes(mut self) -> io::Result<Vec<u8>> {
        if let Contents::Kept(bytes) = self.contents {
            return Ok(bytes.into_inner());
        }
        let mut bytes = Vec::new();
        self.rewind()?;
        self.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Reads and decompresses a small zstd file; `None` if it is large, damaged, or could exceed a limit. The reader is then at its
/// first byte again.
fn decompress_at_once(mut reader: impl Read + Seek, max_bytes: u64) -> io::Result<Option<Vec<u8>>> {
    let byte_len = reader.seek(SeekFrom::End(0))?;
    reader.rewind()?;
    if byte_len > MAX_KEPT_BYTES {
        return Ok(None);
    }
    // One more byte, so that the end is found without another allocation.
    let mut compressed = Vec::with_capacity(usize::try_from(byte_len).unwrap_or(0).saturating_add(1));
    reader.by_ref().take(MAX_KEPT_BYTES).read_to_end(&mut compressed)?;
    let contents = decompress_zstd_at_once(&compressed, max_bytes.min(MAX_KEPT_BYTES));
    if contents.is_none() {
        reader.rewind()?;
    }
    Ok(contents)
}

fn read_start(reader: impl Read, count: usize) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(count);
    reader.take(count as u64).read_to_end(&mut start)?;
    Ok(start)
}

impl<R: Read + Seek> Read for DecompressedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.contents {
            Contents::Plain(reader) => reader.read(buffer),
            Contents::Kept(bytes) => bytes.read(buffer),
            Contents::Streamed(contents) => contents.read(buffer),
        }
    }
}

impl<R: Read + Seek> Seek for DecompressedReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.contents {
            Contents::Plain(reader) => reader.seek(to),
            Contents::Kept(bytes) => bytes.seek(to),
            Contents::Streamed(contents) => contents.seek(to),
        }
    }
}

/// Contents that are decompressed in blocks.
struct StreamedContents<R> {
    /// `None` only if a restart has failed.
    decoder: Option<Decompressor<R>>,
    compression: Compression,
    byte_len: u64,
    position: u64,
    /// The current block, after the end of the one before.
    block: Vec<u8>,
    block_start: u64,
}

impl<R: Read + Seek> StreamedContents<R> {
    fn new(mut reader: R, compression: Compression, byte_len: u64) -> Result<Self> {
        reader.rewind()?;
        // The first pass has checked the limits. The file may have grown since.
        let decoder = Some(compression.reader(reader, byte_len)?);
        Ok(Self { decoder, compression, byte_len, position: 0, block: Vec::new(), block_start: 0 })
    }

    fn restart(&mut self) -> io::Result<()> {
        let decoder = self.decoder.take().ok_or(io::ErrorKind::InvalidInput)?;
        let mut reader = decoder.into_inner();
        reader.rewind()?;
        self.decoder = Some(self.compression.reader(reader, self.byte_len).map_err(io::Error::other)?);
        self.block.clear();
        self.block_start = 0;
        Ok(())
    }

    fn next_block(&mut self) -> io::Result<()> {
        let decoder = self.decoder.as_mut().ok_or(io::ErrorKind::InvalidInput)?;
        let dropped = self.block.len().saturating_sub(HISTORY_BYTES);
        self.block.drain(..dropped);
        self.block_start += dropped as u64;
        match decoder.take(BLOCK_BYTES).read_to_end(&mut self.block)? {
            0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter while it was read")),
            _ => Ok(()),
        }
    }
}

impl<R: Read + Seek> Read for StreamedContents<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.position >= self.byte_len {
            return Ok(0);
        }
        if self.position < self.block_start {
            self.restart()?;
        }
        while self.position >= self.block_start + self.block.len() as u64 {
            self.next_block()?;
        }
        let from = usize::try_from(self.position - self.block_start).unwrap_or(usize::MAX);
        let rest = self.block.get(from..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.position += count as u64;
        Ok(count)
    }
}

impl<R> Seek for StreamedContents<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.byte_len.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use holotape::Summary;
    use holotape::format::{Index, ReadOptions};

    use super::*;

    /// Bytes that differ everywhere.
    fn contents(byte_len: usize) -> Vec<u8> {
        (0_u32..).flat_map(|number| number.wrapping_mul(0x9e37_79b1).to_le_bytes()).take(byte_len).collect()
    }

    #[test]
    fn streamed_contents_equal_a_cursor_after_any_seek() {
        let expected = contents(300_000);
        for compression in [Compression::Gzip, Compression::Zstd] {
            let mut file = Vec::new();
            compression.write(&mut file, |out| Ok(out.write_all(&expected)?)).unwrap();
            let mut streamed = StreamedContents::new(Cursor::new(file), compression, 300_000).unwrap();
            let mut cursor = Cursor::new(&expected);
            let seeks = [
                SeekFrom::Start(70_000),
                SeekFrom::Current(-100),
                SeekFrom::Current(-8000),
                SeekFrom::Start(299_990),
                SeekFrom::Start(5),
                SeekFrom::End(-70_000),
                SeekFrom::End(10),
            ];
            for seek in seeks {
                assert_eq!(streamed.seek(seek).unwrap(), cursor.seek(seek).unwrap(), "{seek:?}");
                let [mut from_stream, mut from_cursor] = [Vec::new(), Vec::new()];
                streamed.by_ref().take(66_000).read_to_end(&mut from_stream).unwrap();
                cursor.by_ref().take(66_000).read_to_end(&mut from_cursor).unwrap();
                assert!(from_stream == from_cursor, "{compression:?}, {seek:?}");
            }
            assert!(streamed.seek(SeekFrom::End(-400_000)).is_err());
            assert!(streamed.block.len() <= HISTORY_BYTES + BLOCK_BYTES as usize);
        }
    }

    #[test]
    fn recordings_are_read_from_streamed_contents() {
        let recording = holotape::demo::DemoOptions::new().with_seconds(2.0).generate().unwrap();
        let (bytes, _) = recording.to_vec().unwrap();
        for compression in [Compression::Gzip, Compression::Zstd] {
            let mut file = Vec::new();
            compression.write(&mut file, |out| Ok(out.write_all(&bytes)?)).unwrap();
            let streamed = || StreamedContents::new(Cursor::new(&file), compression, bytes.len() as u64).unwrap();
            let reader = || DecompressedReader { compression, contents: Contents::Streamed(streamed()) };
            assert_eq!(ReadOptions::new().from_seekable_reader(reader()).unwrap(), recording);
            assert_eq!(Summary::from_reader(reader()).unwrap(), Summary::from_reader(Cursor::new(&bytes)).unwrap());
            let expected = Index::from_reader_with_duration(Cursor::new(&bytes)).unwrap();
            assert_eq!(Index::from_reader_with_duration(reader()).unwrap(), expected);
            assert!(reader().into_bytes().unwrap() == bytes);
            assert_eq!(reader().start().unwrap(), bytes[..FileFormat::DETECT_BYTES]);
        }
    }

    #[test]
    fn changed_file_is_an_error() {
        let mut file = Vec::new();
        Compression::Gzip.write(&mut file, |out| Ok(out.write_all(&contents(1000))?)).unwrap();
        let mut streamed = StreamedContents::new(Cursor::new(file), Compression::Gzip, 2000).unwrap();
        let error = streamed.read_to_end(&mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("became shorter"), "{error}");
    }
}
