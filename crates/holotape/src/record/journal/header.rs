//! The header of a journal: magic number and the recorder options needed to rebuild the recording.

use std::time::SystemTime;

use super::JOURNAL_MAGIC;
use crate::error::{Error, ErrorKind, Location, Result};
use crate::format::Channels;

const VERSION: u32 = 1;

/// Magic number, version; channels, `keep_last_secs`, start, checksum.
pub(in crate::record) const HEADER_BYTES: usize = 8 + 4 + 1 + 8 + 8 + 4;

/// The header of a journal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::record) struct Header {
    pub(in crate::record) channels: Channels,
    pub(in crate::record) keep_last_secs: Option<f64>,
    /// When the recorder was started, in nanoseconds since 1970: the same in both files of one journal.
    started: u64,
}

impl Header {
    pub(in crate::record) fn new(channels: Channels, keep_last_secs: Option<f64>) -> Self {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self { channels, keep_last_secs, started: since.as_nanos() as u64 }
    }

    pub(super) fn is_same_take(&self, other: &Self) -> bool {
        self.started == other.started
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let Channels { camera, hands, gaze } = self.channels;
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        bytes.extend(JOURNAL_MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(u8::from(camera) | u8::from(hands) << 1 | u8::from(gaze) << 2);
        bytes.extend(self.keep_last_secs.unwrap_or(f64::INFINITY).to_le_bytes());
        bytes.extend(self.started.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Parses the header; `None` if it is damaged. The records after it can still be valid.
    pub(super) fn parse(bytes: &[u8]) -> Result<Option<Self>> {
        if !bytes.starts_with(&JOURNAL_MAGIC[..bytes.len().min(JOURNAL_MAGIC.len())]) {
            let message = "not a journal: the first eight bytes are not `holojrnl`";
            return Err(Error::new(ErrorKind::NotARecording, message).with_location(0, Location::Header));
        }
        let Some(bytes) = bytes.first_chunk::<HEADER_BYTES>() else {
            let message = "truncated journal: it ends in its header, so nothing was recorded";
            return Err(Error::new(ErrorKind::Truncated, message).with_location(bytes.len() as u64, Location::Header));
        };
        let version = u32::from_le_bytes(array(bytes, 8));
        if version != VERSION {
            let message = format!("a journal of version {version}; this program knows version {VERSION} only");
            return Err(Error::new(ErrorKind::UnsupportedVersion, message).with_location(8, Location::Header));
        }
        let [channels] = array(bytes, 12);
        let has = |bit: u8| channels >> bit & 1 == 1;
        let keep_last_secs = f64::from_le_bytes(array(bytes, 13));
        let header = Self {
            channels: Channels { camera: has(0), hands: has(1), gaze: has(2) },
            keep_last_secs: (keep_last_secs.is_finite() && keep_last_secs > 0.0).then_some(keep_last_secs),
            started: u64::from_le_bytes(array(bytes, 21)),
        };
        Ok((header.to_bytes() == bytes).then_some(header))
    }
}

fn array<const N: usize>(bytes: &[u8; HEADER_BYTES], at: usize) -> [u8; N] {
    std::array::from_fn(|n| bytes[at + n])
}
