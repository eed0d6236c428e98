//! One gzip member of blocks that are compressed independently, so that several cores can work on it.

use std::io::{self, Write};
use std::mem;

use crc32fast::Hasher;
use flate2::Compression;
use flate2::write::DeflateEncoder;

/// Minimum size of all blocks but the last, without compression. Smaller blocks compress less.
pub(super) const BLOCK_BYTES: usize = 1 << 18;

/// Deflate, no name, no time, unknown system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// An empty last block of a deflate stream.
const END_OF_STREAM: [u8; 2] = [3, 0];

/// A part of a deflate stream that ends at a byte and needs no earlier part.
pub(super) struct Block {
    deflated: Vec<u8>,
    checksum: Hasher,
    byte_count: u32,
}

impl Block {
    /// Compresses all that `write` writes.
    pub(super) fn compress(write: impl FnOnce(&mut BlockWriter) -> io::Result<()>) -> io::Result<Self> {
        let mut writer = BlockWriter {
            encoder: DeflateEncoder::new(Vec::new(), Compression::fast()),
            checksum: Hasher::new(),
            byte_count: 0,
        };
        write(&mut writer)?;
        // Ends the compressed data at a byte, without ending the stream.
        writer.encoder.flush()?;
        let mut deflated = mem::take(writer.encoder.get_mut());
        deflated.shrink_to_fit();
        Ok(Self { deflated, checksum: writer.checksum, byte_count: writer.byte_count })
    }
}

pub(super) struct BlockWriter {
    encoder: DeflateEncoder<Vec<u8>>,
    checksum: Hasher,
    /// Modulo 2³², as the trailer of a gzip member has it.
    byte_count: u32,
}

impl Write for BlockWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.encoder.write(bytes)?;
        self.checksum.update(&bytes[..count]);
        self.byte_count = self.byte_count.wrapping_add(count as u32);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Joins blocks to a gzip member. Frees each block as soon as it is copied.
pub(super) fn member(blocks: Vec<Block>) -> Vec<u8> {
    let mut member = HEADER.to_vec();
    let mut checksum = Hasher::new();
    let mut byte_count = 0_u32;
    for block in blocks {
        member.extend(block.deflated);
        checksum.combine(&block.checksum);
        byte_count = byte_count.wrapping_add(block.byte_count);
    }
    member.extend(END_OF_STREAM);
    member.extend(checksum.finalize().to_le_bytes());
    member.extend(byte_count.to_le_bytes());
    member.shrink_to_fit();
    member
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn blocks_form_one_member() {
        let parts = [&b"the first block, the first block"[..], b"", b"the second one", &[7; 100_000]];
        let blocks = parts.map(|part| Block::compress(|out| out.write_all(part)).expect("memory"));
        let member = member(blocks.into());
        let mut decompressed = Vec::new();
        // Ends after one member, and fails if checksum or length are wrong.
        let mut decoder = GzDecoder::new(&member[..]);
        decoder.read_to_end(&mut decompressed).expect("valid gzip");
        assert_eq!(decompressed, parts.concat());
        assert!(decoder.into_inner().is_empty());
        assert!(member.len() < 1000);
    }

    #[test]
    fn no_blocks_form_an_empty_member() {
        let mut decompressed = Vec::new();
        GzDecoder::new(&member(Vec::new())[..]).read_to_end(&mut decompressed).expect("valid gzip");
        assert!(decompressed.is_empty());
    }
}
