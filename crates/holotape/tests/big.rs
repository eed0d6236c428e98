//! Indexing and summarizing a huge recording reads almost nothing of it.

use std::io::{self, Read, Seek, SeekFrom};

use holotape::Summary;
use holotape::format::{Index, Layout, MAGIC};

/// A recording of 395 curves with a given number of keys each, all zeros, generated while it is read.
struct GeneratedFile {
    keys: u32,
    at: u64,
    bytes_read: u64,
}

impl GeneratedFile {
    const START: u64 = 19;

    fn curve_bytes(&self) -> u64 {
        12 + 8 * u64::from(self.keys)
    }

    fn len(&self) -> u64 {
        Self::START + 395 * self.curve_bytes() + 4
    }

    fn byte(&self, at: u64) -> u8 {
        let [a, b, c, d] = self.keys.to_le_bytes();
        let header = [8, 0, 0, 0, 8, 0, 0, 0, a, b, c, d];
        match at {
            0..8 => MAGIC[at as usize],
            8 | 12 | 16..19 => 1,
            9..16 => 0,
            _ if at >= self.len() - 4 => 0,
            _ => header.get(((at - Self::START) % self.curve_bytes()) as usize).copied().unwrap_or(0),
        }
    }
}

impl Read for GeneratedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(usize::try_from(self.len() - self.at).unwrap_or(usize::MAX));
        for (offset, byte) in buffer[..length].iter_mut().enumerate() {
            *byte = self.byte(self.at + offset as u64);
        }
        self.at += length as u64;
        self.bytes_read += length as u64;
        Ok(length)
    }
}

impl Seek for GeneratedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(by) => self.len().saturating_add_signed(by),
            SeekFrom::Current(by) => self.at.saturating_add_signed(by),
        };
        Ok(self.at)
    }
}

/// 300 MB, and the maximum of the format: 395 times 2^31 - 1 keys, 6.8 TB.
const KEYS: [u32; 2] = [94_000, i32::MAX as u32];

#[test]
fn index_reads_one_page_per_curve() {
    for keys in KEYS {
        let mut file = GeneratedFile { keys, at: 0, bytes_read: 0 };
        let index = Index::from_reader(&mut file).expect("valid");
        assert_eq!(index.format().layout, Layout::Compact11);
        assert_eq!(index.byte_len(), file.len());
        assert!(index.curves().iter().all(|curve| curve.key_count == keys));
        assert!(file.bytes_read < 400 * 4096, "{} bytes read", file.bytes_read);
    }
}

#[test]
fn summary_reads_only_headers_and_flags() {
    let mut file = GeneratedFile { keys: KEYS[0], at: 0, bytes_read: 0 };
    let summary = Summary::from_reader(&mut file).expect("valid");
    assert_eq!(summary.key_count(), 395 * u64::from(KEYS[0]));
    let flags = 4 * 8 * u64::from(KEYS[0]);
    assert!(file.bytes_read < flags + 4 * 400 * 4096, "{} bytes read", file.bytes_read);
}
