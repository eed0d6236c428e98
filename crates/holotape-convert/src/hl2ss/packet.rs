//! Packets one after the other: a time, a size, as many bytes, and in some streams the pose of the device.

use holotape::{Error, ErrorKind, Result};

use crate::ticks::secs_between;
use crate::{Loss, LossKind};

/// Time and size.
const PACKET_HEADER_BYTES: usize = 12;

pub(super) struct Packets<'a> {
    bytes: &'a [u8],
    offset: usize,
    /// The time of the first packet.
    start: Option<u64>,
}

pub(super) struct Packet<'a> {
    /// From the first packet on.
    pub(super) time_secs: f64,
    pub(super) payload: &'a [u8],
    /// What follows the payload.
    pub(super) trailer: &'a [u8],
}

/// How long a packet may be, in words for a person if it is longer or shorter.
pub(super) struct Sizes {
    pub(super) payload: &'static [usize],
    pub(super) trailer: usize,
    pub(super) stream: &'static str,
}

impl<'a> Packets<'a> {
    /// The packets from a byte on.
    pub(super) fn new(bytes: &'a [u8], offset: usize) -> Self {
        Self { bytes, offset, start: None }
    }

    /// Hands over every packet. A last one that was cut short is left out, and said to be.
    pub(super) fn read(mut self, sizes: &Sizes, mut take: impl FnMut(Packet<'a>)) -> Result<Option<Loss>> {
        let mut number = 1;
        while self.offset < self.bytes.len() {
            let Some(packet) = self.next(number, sizes)? else {
                let message = format!("the last packet ({number}), which is cut short: left out");
                return Ok(Some(Loss::new(LossKind::Unusable, message)));
            };
            take(packet);
            number += 1;
        }
        Ok(None)
    }

    /// The next packet, or nothing if it is cut short.
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
            "packet {number} at byte {}: {size} bytes, where {} has {}",
            self.offset,
            sizes.stream,
            known.join(" or ")
        );
        Error::new(ErrorKind::Invalid, message)
    }
}

/// Floats of 32 bits, one after the other; zeros where the bytes end early.
pub(super) fn floats<const N: usize>(bytes: &[u8]) -> [f32; N] {
    let (chunks, _) = bytes.as_chunks();
    std::array::from_fn(|n| chunks.get(n).map_or(0.0, |chunk| f32::from_le_bytes(*chunk)))
}
