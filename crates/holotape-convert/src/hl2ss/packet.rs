//! Packets: a timestamp, a size, the payload, and in some streams the pose of the device.

use holotape::{Error, ErrorKind, Result};

use crate::ticks::secs_between;
use crate::{Loss, LossKind};

/// Timestamp and size.
const PACKET_HEADER_BYTES: usize = 12;

pub(super) struct Packets<'a> {
    bytes: &'a [u8],
    offset: usize,
    /// The time of the first packet.
    start: Option<u64>,
}

pub(super) struct Packet<'a> {
    /// Since the first packet.
    pub(super) time_secs: f64,
    pub(super) payload: &'a [u8],
    /// What follows the payload.
    pub(super) trailer: &'a [u8],
}

/// The allowed sizes of a packet, and the name of the stream for messages.
pub(super) struct Sizes {
    pub(super) payload: &'static [usize],
    pub(super) trailer: usize,
    pub(super) stream: &'static str,
}

impl<'a> Packets<'a> {
    /// The packets from an offset on.
    pub(super) fn new(bytes: &'a [u8], offset: usize) -> Self {
        Self { bytes, offset, start: None }
    }

    /// Visits every packet. A truncated last one is dropped and reported.
    pub(super) fn read(mut self, sizes: &Sizes, mut visit: impl FnMut(Packet<'a>)) -> Result<Option<Loss>> {
        let mut number = 1;
        while self.offset < self.bytes.len() {
            let Some(packet) = self.next(number, sizes)? else {
                let message = format!("dropped the last packet ({number}): truncated");
                return Ok(Some(Loss::new(LossKind::Unusable, message)));
            };
            visit(packet);
            number += 1;
        }
        Ok(None)
    }

    /// The next packet; `None` if it is truncated.
    fn next(&mut self, number: usize, sizes: &Sizes) -> Result<Option<Packet<'a>>> {
        let rest = &self.bytes[self.offset..];
        let Some((head, rest)) = rest.split_first_chunk::<PACKET_HEADER_BYTES>() else { return Ok(None) };
        let [ticks @ .., s0, s1, s2, s3] = *head;
        let size = u32::from_le_bytes([s0, s1, s2, s3]) as usize;
        if !sizes.payload.contains(&size) {
            return Err(self.size_error(number, size, sizes));
        }
        let Some((body, _)) = rest.split_at_checked(size + sizes.trailer) else { return Ok(None) };
        self.offset += PACKET_HEADER_BYTES + body.len();
        let (payload, trailer) = body.split_at(size);
        let ticks = u64::from_le_bytes(ticks);
        Ok(Some(Packet { time_secs: secs_between(*self.start.get_or_insert(ticks), ticks), payload, trailer }))
    }

    fn size_error(&self, number: usize, size: usize, sizes: &Sizes) -> Error {
        let known: Vec<_> = sizes.payload.iter().map(ToString::to_string).collect();
        let message = format!(
            "packet {number} at byte {}: invalid size {size}; {} has {}",
            self.offset,
            sizes.stream,
            known.join(" or ")
        );
        Error::new(ErrorKind::Invalid, message)
    }
}

/// Reads 32-bit floats; zeros after the end of the bytes.
pub(super) fn floats<const N: usize>(bytes: &[u8]) -> [f32; N] {
    let (chunks, _) = bytes.as_chunks();
    std::array::from_fn(|n| chunks.get(n).map_or(0.0, |chunk| f32::from_le_bytes(*chunk)))
}
