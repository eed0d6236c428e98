//! Counts bytes without storing them.

use std::io;

#[derive(Debug, Default)]
pub(crate) struct ByteCounter(u64);

impl ByteCounter {
    pub(crate) fn bytes(&self) -> u64 {
        self.0
    }
}

impl io::Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
