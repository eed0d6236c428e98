//! What stands in front of the payload of every record.

use super::checksum::crc32;

/// In front of every payload: its length, and a checksum over length and payload.
pub(super) const RECORD_HEADER_BYTES: usize = 8;

/// Enough for a frame with everything in it and for the name of a marker. A length beyond this is damage.
pub(super) const MAX_PAYLOAD_BYTES: usize = 64 << 10;

/// Fills in the head that a record has room for in front of its payload.
pub(super) fn write_header(record: &mut [u8]) {
    if let Some((head, payload)) = record.split_first_chunk_mut::<RECORD_HEADER_BYTES>() {
        *head = RecordHeader::of(payload).to_bytes();
    }
}

/// What stands in front of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordHeader {
    pub(super) payload_bytes: u32,
    checksum: u32,
}

impl RecordHeader {
    fn of(payload: &[u8]) -> Self {
        // No payload is longer than a record may be.
        let payload_bytes = payload.len() as u32;
        let length = payload_bytes.to_le_bytes();
        Self { payload_bytes, checksum: crc32(length.iter().chain(payload).copied()) }
    }

    fn to_bytes(self) -> [u8; RECORD_HEADER_BYTES] {
        (u64::from(self.checksum) << 32 | u64::from(self.payload_bytes)).to_le_bytes()
    }

    pub(super) fn from_bytes(bytes: [u8; RECORD_HEADER_BYTES]) -> Self {
        let both = u64::from_le_bytes(bytes);
        Self { payload_bytes: both as u32, checksum: (both >> 32) as u32 }
    }

    /// Whether this is the payload that the head was made for.
    pub(super) fn matches(self, payload: &[u8]) -> bool {
        payload.len() == self.payload_bytes as usize && self == Self::of(payload)
    }
}
