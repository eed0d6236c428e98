//! Writes MCAP records: an opcode, the length of the contents, and the contents, in little-endian byte order.

use std::collections::BTreeMap;

/// The bytes of opcode and length.
pub(super) const RECORD_HEADER_BYTES: usize = 9;

/// The contents of a record.
pub(super) struct Contents<'a>(&'a mut Vec<u8>);

/// Appends a record whose contents are written by `write`.
pub(super) fn append_record(out: &mut Vec<u8>, opcode: u8, write: impl FnOnce(&mut Contents<'_>)) {
    out.push(opcode);
    append_with_length::<8>(out, |out| write(&mut Contents(out)));
}

/// Appends what `write` writes, after its length as an integer of `N` bytes.
fn append_with_length<const N: usize>(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len() + N;
    out.resize(start, 0);
    write(out);
    let length = (out.len() - start) as u64;
    out[start - N..start].copy_from_slice(&length.to_le_bytes()[..N]);
}

impl Contents<'_> {
    pub(super) fn u8(&mut self, value: u8) -> &mut Self {
        self.bytes(&[value])
    }

    pub(super) fn u16(&mut self, value: u16) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    pub(super) fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    pub(super) fn u64(&mut self, value: u64) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    /// Bytes without their length.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// Anything that has its length in bytes before it.
    pub(super) fn sized(&mut self, write: impl FnOnce(&mut Contents<'_>)) -> &mut Self {
        append_with_length::<4>(self.0, |out| write(&mut Contents(out)));
        self
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.sized(|contents| {
            contents.bytes(text.as_bytes());
        })
    }

    pub(super) fn texts(&mut self, map: &BTreeMap<String, String>) -> &mut Self {
        self.sized(|contents| {
            for (key, value) in map {
                contents.text(key).text(value);
            }
        })
    }

    /// A number per channel.
    pub(super) fn numbers(&mut self, by_channel: &BTreeMap<u16, u64>) -> &mut Self {
        self.sized(|contents| {
            for (channel, number) in by_channel {
                contents.u16(*channel).u64(*number);
            }
        })
    }
}
