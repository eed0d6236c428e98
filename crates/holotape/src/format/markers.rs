//! The marker list at the end of a file (docs/format.md, "Marker list").

use super::source::ByteSource;
use super::walk::Walker;
use crate::error::{Error, ErrorKind, Location, Result};

/// A marker's time, and the length byte of an empty name.
const MIN_MARKER_BYTES: u64 = 5;

impl<S: ByteSource> Walker<'_, S> {
    /// Walks the marker list, calls `visit` with the time and name of each marker, and returns their number.
    pub(super) fn for_each_marker(&mut self, mut visit: impl FnMut(f32, &str)) -> Result<usize> {
        let at = self.at;
        let count = self.int(Location::MarkerList)?;
        let Ok(count) = u32::try_from(count) else {
            let message = format!("a marker count of {count}");
            return Err(Error::new(ErrorKind::Invalid, message).with_location(at, Location::MarkerList));
        };
        let promised = format_args!("{count} markers (by the count at byte {at})");
        self.require(u64::from(count) * MIN_MARKER_BYTES, Location::MarkerList, promised)?;
        let count = count as usize;
        for index in 0..count {
            self.marker(Location::Marker { index }, &mut visit)?;
        }
        Ok(count)
    }

    pub(super) fn marker(&mut self, location: Location, visit: &mut impl FnMut(f32, &str)) -> Result<()> {
        let [time @ .., first] = self.bytes::<{ MIN_MARKER_BYTES as usize }>(location)?;
        let time = f32::from_le_bytes(time);
        let length = self.string_length(first, location)?;
        self.require(length, location, format_args!("a name of {length} bytes"))?;
        let at = self.at;
        self.at += length;
        let name = str::from_utf8(self.source.bytes(at..self.at)?).map_err(|error| {
            let bad = at + error.valid_up_to() as u64;
            Error::new(ErrorKind::Invalid, "a marker's name is not UTF-8").with_location(bad, location)
        })?;
        visit(time, name);
        Ok(())
    }

    /// A length as .NET writes it: seven bits per byte, lowest first, the top bit set on all but the last byte. The
    /// caller has read the first byte.
    fn string_length(&mut self, first: u8, location: Location) -> Result<u64> {
        if first < 0x80 {
            return Ok(first.into());
        }
        let at = self.at - 1;
        let invalid = |message: &str| Err(Error::new(ErrorKind::Invalid, message).with_location(at, location));
        let mut length = u64::from(first & 0x7f);
        for shift in [7, 14, 21, 28] {
            let [byte] = self.bytes(location)?;
            length |= u64::from(byte & 0x7f) << shift;
            if byte == 0 {
                return invalid("a marker's name length is padded with zeros");
            }
            if byte < 0x80 && length <= i32::MAX as u64 {
                return Ok(length);
            }
            if byte < 0x80 {
                break;
            }
        }
        invalid("a marker's name length does not fit 32 bits")
    }
}
