//! A position in the bytes of a file, and errors that name location and byte.

use holotape::text::pluralize;
use holotape::{Error, ErrorKind, Location, Pose, Result};

use super::POSE_BYTES;

#[derive(Clone)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    offset: usize,
    /// The part of the file that is being read.
    pub(super) location: Location,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0, location: Location::Header }
    }

    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    pub(super) fn remaining(&self) -> usize {
        self.bytes.len() - self.offset
    }

    /// An error about the byte at an offset.
    pub(super) fn error_at(&self, offset: usize, kind: ErrorKind, message: impl Into<String>) -> Error {
        Error::new(kind, message).with_location(offset as u64, self.location)
    }

    pub(super) fn bytes(&mut self, count: usize, what: &str) -> Result<&'a [u8]> {
        let rest = &self.bytes[self.offset..];
        let Some((bytes, _)) = rest.split_at_checked(count) else {
            let missing = pluralize(count - rest.len(), "byte");
            let message = format!("truncated file: {what} has {count} bytes, {missing} missing");
            return Err(self.error_at(self.offset, ErrorKind::Truncated, message));
        };
        self.offset += count;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N, what)?);
        Ok(array)
    }

    pub(super) fn int(&mut self, what: &str) -> Result<i32> {
        self.array(what).map(i32::from_le_bytes)
    }

    pub(super) fn float(&mut self, what: &str) -> Result<f32> {
        self.array(what).map(f32::from_le_bytes)
    }

    pub(super) fn bool(&mut self, what: &str) -> Result<bool> {
        let offset = self.offset;
        match self.array(what)? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => {
                let message = format!("invalid flag: {what} is {other}, neither 0 nor 1");
                Err(self.error_at(offset, ErrorKind::Invalid, message))
            }
        }
    }

    pub(super) fn pose(&mut self, what: &str) -> Result<&'a [u8; POSE_BYTES]> {
        let offset = self.offset;
        let bytes = self.bytes(POSE_BYTES, what)?;
        bytes.first_chunk().ok_or_else(|| self.error_at(offset, ErrorKind::Truncated, "truncated pose"))
    }

    /// Poses in sequence. An error is about the first incomplete one.
    pub(super) fn poses(&mut self, count: usize, what: &str) -> Result<&'a [[u8; POSE_BYTES]]> {
        let (poses, _) = self.bytes[self.offset..].as_chunks();
        let complete = &poses[..poses.len().min(count)];
        self.offset += complete.len() * POSE_BYTES;
        if complete.len() < count {
            self.pose(what)?;
        }
        Ok(complete)
    }

    /// A string as .NET writes it: the number of bytes, seven bits per byte, lowest first, with the top bit set on all
    /// but the last byte; then UTF-8.
    pub(super) fn string(&mut self, what: &str) -> Result<&'a str> {
        let start = self.offset;
        let mut length = 0_u64;
        for shift in [0, 7, 14, 21, 28] {
            let [byte] = self.array(what)?;
            length |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
            if shift == 28 {
                return Err(self.error_at(start, ErrorKind::Invalid, format!("invalid length of {what}")));
            }
        }
        let Ok(length) = i32::try_from(length) else {
            let message = format!("invalid length of {what}: {}", length as u32 as i32);
            return Err(self.error_at(start, ErrorKind::Invalid, message));
        };
        let offset = self.offset;
        let bytes = self.bytes(usize::try_from(length).unwrap_or(0), what)?;
        str::from_utf8(bytes).map_err(|error| {
            self.error_at(offset + error.valid_up_to(), ErrorKind::Invalid, format!("{what} is not UTF-8"))
        })
    }
}

pub(super) fn pose(bytes: &[u8; POSE_BYTES]) -> Pose {
    let (chunks, _) = bytes.as_chunks();
    let float = |n: usize| chunks.get(n).map_or(0.0, |chunk| f32::from_le_bytes(*chunk));
    Pose { position: std::array::from_fn(float), rotation: std::array::from_fn(|n| float(3 + n)) }
}
