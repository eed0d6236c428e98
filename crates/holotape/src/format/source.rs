//! Bytes that can be asked for by position: a slice, or a window over something seekable.

use std::io::{self, Read, Seek, SeekFrom};

/// Where an index is read from. Callers stay within `len`.
pub(crate) trait ByteSource {
    fn byte_len(&self) -> u64;
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl ByteSource for &[u8] {
    fn byte_len(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let bytes = usize::try_from(offset)
            .ok()
            .and_then(|start| self.get(start..)?.get(..buffer.len()))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }
}

/// One page around the place asked for: curve headers far apart cost one small read each, near ones share it.
const WINDOW_BYTES: usize = 4096;

/// A seekable reader and the part of it that was read last.
pub(crate) struct SeekSource<R> {
    reader: R,
    len: u64,
    window_start: u64,
    window: Vec<u8>,
}

impl<R: Read + Seek> SeekSource<R> {
    pub(crate) fn new(mut reader: R) -> io::Result<Self> {
        let len = reader.seek(SeekFrom::End(0))?;
        Ok(Self { reader, len, window_start: 0, window: Vec::with_capacity(WINDOW_BYTES) })
    }

    fn windowed(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let start = usize::try_from(offset.checked_sub(self.window_start)?).ok()?;
        self.window.get(start..)?.get(..len)
    }

    fn fill_window(&mut self, offset: u64) -> io::Result<()> {
        self.window.clear();
        self.window_start = offset;
        self.reader.seek(SeekFrom::Start(offset))?;
        let mut page = self.reader.by_ref().take(WINDOW_BYTES as u64);
        page.read_to_end(&mut self.window).map(drop)
    }
}

impl<R: Read + Seek> ByteSource for SeekSource<R> {
    fn byte_len(&self) -> u64 {
        self.len
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        if buffer.len() > WINDOW_BYTES {
            self.reader.seek(SeekFrom::Start(offset))?;
            return self.reader.read_exact(buffer);
        }
        if self.windowed(offset, buffer.len()).is_none() {
            self.fill_window(offset)?;
        }
        let bytes = self.windowed(offset, buffer.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }
}
