//! The header before the payload of every record.

/// The length of the payload, and the CRC-32 of length and payload, as in ZIP and PNG.
pub(super) const RECORD_HEADER_BYTES: usize = 8;

/// Enough for a complete frame and for a marker's name. A larger length is damage.
pub(super) const MAX_PAYLOAD_BYTES: usize = 64 << 10;

/// Fills in the header of a record, which has space for it before its payload.
pub(super) fn write_header(record: &mut [u8]) {
    if let Some((head, payload)) = record.split_first_chunk_mut::<RECORD_HEADER_BYTES>() {
        *head = RecordHeader::new(payload).to_bytes();
    }
}

/// The header of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordHeader {
    pub(super) payload_bytes: u32,
    checksum: u32,
}

impl RecordHeader {
    fn new(payload: &[u8]) -> Self {
        // Payloads are shorter than `MAX_PAYLOAD_BYTES`.
        let payload_bytes = payload.len() as u32;
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&payload_bytes.to_le_bytes());
        checksum.update(payload);
        Self { payload_bytes, checksum: checksum.finalize() }
    }

    fn to_bytes(self) -> [u8; RECORD_HEADER_BYTES] {
        (u64::from(self.checksum) << 32 | u64::from(self.payload_bytes)).to_le_bytes()
    }

    pub(super) fn from_bytes(bytes: [u8; RECORD_HEADER_BYTES]) -> Self {
        let both = u64::from_le_bytes(bytes);
        Self { payload_bytes: both as u32, checksum: (both >> 32) as u32 }
    }

    /// Whether the checksum matches this payload.
    pub(super) fn matches(self, payload: &[u8]) -> bool {
        payload.len() == self.payload_bytes as usize && self == Self::new(payload)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_is_crc_32_of_length_and_payload() {
        assert_eq!(RecordHeader::new(b"123456789").checksum, 0xa51c_61e2);
    }
}
