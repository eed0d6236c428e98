//! Random access to bytes: a slice, or a window over a seekable reader.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

/// The bytes of a recording. Callers stay within its length.
pub(crate) trait ByteSource {
    fn byte_len(&self) -> u64;
    fn bytes(&mut self, span: Range<u64>) -> io::Result<&[u8]>;

    fn array<const N: usize>(&mut self, at: u64) -> io::Result<[u8; N]> {
        let bytes = self.bytes(at..at + N as u64)?;
        bytes.try_into().map_err(|_| io::ErrorKind::UnexpectedEof.into())
    }
}

impl ByteSource for &[u8] {
    fn byte_len(&self) -> u64 {
        self.len() as u64
    }

    fn bytes(&mut self, span: Range<u64>) -> io::Result<&[u8]> {
        part(self, span).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// One page around the requested offset: distant curve headers cost one small read each, near ones share it.
const WINDOW_BYTES: u64 = 4096;

/// A seekable reader and its last window.
pub(crate) struct SeekSource<R> {
    reader: R,
    byte_len: u64,
    window_bytes: u64,
    window_start: u64,
    window: Vec<u8>,
}

impl<R: Read + Seek> SeekSource<R> {
    pub(crate) fn new(reader: R) -> io::Result<Self> {
        Self::with_window_bytes(reader, WINDOW_BYTES)
    }

    /// Creates a source with a smaller window, for walks that need nothing between the headers.
    pub(crate) fn with_window_bytes(mut reader: R, window_bytes: u64) -> io::Result<Self> {
        let byte_len = reader.seek(SeekFrom::End(0))?;
        Ok(Self { reader, byte_len, window_bytes, window_start: 0, window: Vec::new() })
    }

    fn windowed(&self, span: &Range<u64>) -> Option<&[u8]> {
        let within = span.start.checked_sub(self.window_start)?..span.end.checked_sub(self.window_start)?;
        part(&self.window, within)
    }

    fn move_window(&mut self, span: &Range<u64>) -> io::Result<()> {
        self.window.clear();
        self.window_start = span.start;
        self.reader.seek(SeekFrom::Start(span.start))?;
        let length = (span.end - span.start).max(self.window_bytes);
        self.reader.by_ref().take(length).read_to_end(&mut self.window)?;
        Ok(())
    }
}

impl<R: Read + Seek> ByteSource for SeekSource<R> {
    fn byte_len(&self) -> u64 {
        self.byte_len
    }

    fn bytes(&mut self, span: Range<u64>) -> io::Result<&[u8]> {
        if self.windowed(&span).is_none() {
            self.move_window(&span)?;
        }
        self.windowed(&span).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

fn part(bytes: &[u8], span: Range<u64>) -> Option<&[u8]> {
    bytes.get(usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?)
}
