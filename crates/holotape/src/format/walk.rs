//! Walks the structure of a file under one assumption about its keys: header, flags, curve headers, markers.
//!
//! The walk compares every count with the rest of the file before it uses it, visits every byte at most once, and
//! stores only the locations of the curves.

use std::fmt;

use super::index::CurveLocation;
use super::source::ByteSource;
use super::{Channels, KeyLayout, MAGIC, Version, sniff};
use crate::error::{Error, ErrorKind, Location, Result};
use crate::{CurveId, WrapMode};

/// Magic number and version.
pub(super) const HEADER_BYTES: u64 = 16;

/// A curve's wrap modes and key count.
pub(super) const CURVE_HEADER_BYTES: u64 = 12;

/// A walk and its current offset.
pub(super) struct Walker<'a, S> {
    pub(super) source: &'a mut S,
    pub(super) at: u64,
}

/// A valid marker list: its offset and its number of markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MarkerList {
    pub(super) at: u64,
    pub(super) count: usize,
}

/// The valid curves, and what follows them.
pub(super) struct WalkResult {
    pub(super) curves: Vec<CurveLocation>,
    /// `None` if the file ends after its curves.
    pub(super) rest: Result<Option<MarkerList>>,
}

impl WalkResult {
    /// The number of curve headers with the wrap modes that all known files have. Of two readings of a damaged file,
    /// the wrong one reads values as headers and has fewer.
    pub(super) fn plausible_headers(&self) -> usize {
        let is_plausible = |curve: &&CurveLocation| [curve.pre_wrap, curve.post_wrap] == [WrapMode::CLAMP_FOREVER; 2];
        self.curves.iter().filter(is_plausible).count()
    }
}

impl<'a, S: ByteSource> Walker<'a, S> {
    pub(super) fn new(source: &'a mut S, at: u64) -> Self {
        Self { source, at }
    }

    pub(super) fn header(&mut self) -> Result<Version> {
        self.magic()?;
        let at = self.at;
        let major = self.int(Location::Header)?;
        let minor = self.int(Location::Header)?;
        Version::ALL.into_iter().find(|version| version.numbers() == [major, minor]).ok_or_else(|| {
            let message =
                format!("unsupported version {major}.{minor} of the input animation format; 1.0 and 1.1 are supported");
            Error::new(ErrorKind::UnsupportedVersion, message).with_location(at, Location::Header)
        })
    }

    fn magic(&mut self) -> Result<()> {
        let start = self.source.bytes(0..self.source.byte_len().min(sniff::SNIFF_BYTES))?;
        if start.is_empty() {
            return Err(Error::new(ErrorKind::Truncated, "the file is empty").with_location(0, Location::Header));
        }
        if !MAGIC.starts_with(&start[..start.len().min(MAGIC.len())]) {
            let message = format!("not an input animation: {}", sniff::describe(start));
            return Err(Error::new(ErrorKind::NotARecording, message).with_location(0, Location::Header));
        }
        self.require(HEADER_BYTES, Location::Header, format_args!("a header of {HEADER_BYTES} bytes"))?;
        self.at += MAGIC.len() as u64;
        Ok(())
    }

    pub(super) fn channels(&mut self) -> Result<Channels> {
        Ok(Channels { camera: self.flag("camera pose")?, hands: self.flag("hand data")?, gaze: self.flag("eye gaze")? })
    }

    fn flag(&mut self, what: &str) -> Result<bool> {
        let at = self.at;
        match self.bytes(Location::ChannelFlags)? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => {
                let message = format!("the flag for {what} is {other}, neither 0 nor 1");
                Err(Error::new(ErrorKind::Invalid, message).with_location(at, Location::ChannelFlags))
            }
        }
    }

    /// Walks the file after the flags.
    pub(super) fn walk_body(mut self, channels: Channels, keys: KeyLayout) -> WalkResult {
        let mut curves = Vec::new();
        for id in CurveId::all(channels) {
            match self.curve(id, keys) {
                Ok(curve) => curves.push(curve),
                Err(error) => {
                    let rest = Err(error);
                    return WalkResult { curves, rest };
                }
            }
        }
        let rest = self.tail();
        WalkResult { curves, rest }
    }

    fn curve(&mut self, id: CurveId, keys: KeyLayout) -> Result<CurveLocation> {
        let location = Location::Curve { id, key: None };
        let header_at = self.at;
        let header = self.bytes::<{ CURVE_HEADER_BYTES as usize }>(location)?;
        let [pre_wrap, post_wrap, count] = header_ints(&header);
        let key_bytes = keys.key_bytes_of(id);
        let Ok(key_count) = u32::try_from(count) else {
            let message = format!("invalid key count {count}: the file is damaged or not a known input animation");
            return Err(Error::new(ErrorKind::Invalid, message).with_location(header_at + 8, location));
        };
        let span_bytes = u64::from(key_count) * key_bytes;
        if span_bytes > self.remaining() {
            let key = usize::try_from(self.remaining() / key_bytes).ok();
            let promised = format_args!("{key_count} keys (by the count at byte {})", header_at + 8);
            return Err(self.truncated(Location::Curve { id, key }, span_bytes, promised));
        }
        let start = self.at;
        self.at += span_bytes;
        Ok(CurveLocation {
            id,
            pre_wrap: WrapMode(pre_wrap),
            post_wrap: WrapMode(post_wrap),
            key_count,
            header_at,
            key_range: start..self.at,
        })
    }

    /// Reads an optional marker list and checks that the file ends there.
    fn tail(&mut self) -> Result<Option<MarkerList>> {
        if self.remaining() == 0 {
            return Ok(None);
        }
        let at = self.at;
        let count = self.for_each_marker(|_, _| ())?;
        match self.remaining() {
            0 => Ok(Some(MarkerList { at, count })),
            extra => {
                let message = format!(
                    "{extra} more byte{} where the file should end: something was appended, or another program added \
                     a section of its own",
                    if extra == 1 { "" } else { "s" }
                );
                Err(Error::new(ErrorKind::Invalid, message).with_location(self.at, Location::End))
            }
        }
    }

    pub(super) fn int(&mut self, location: Location) -> Result<i32> {
        self.bytes(location).map(i32::from_le_bytes)
    }

    pub(super) fn bytes<const N: usize>(&mut self, location: Location) -> Result<[u8; N]> {
        self.require(N as u64, location, format_args!("{N} byte{}", if N == 1 { "" } else { "s" }))?;
        let bytes = self.source.array(self.at)?;
        self.at += N as u64;
        Ok(bytes)
    }

    pub(super) fn remaining(&self) -> u64 {
        // A file that was truncated after it was indexed ends before the indexed positions.
        self.source.byte_len().saturating_sub(self.at)
    }

    pub(super) fn require(&self, needed: u64, location: Location, promised: fmt::Arguments<'_>) -> Result<()> {
        if needed <= self.remaining() { Ok(()) } else { Err(self.truncated(location, needed, promised)) }
    }

    fn truncated(&self, location: Location, needed: u64, promised: fmt::Arguments<'_>) -> Error {
        let missing = match needed - self.remaining() {
            1 => "1 byte is missing".to_owned(),
            missing => format!("{missing} bytes are missing"),
        };
        // A count that exceeds the complete file was hardly ever written: it comes from damaged bytes.
        let or_damaged = if needed > self.source.byte_len().max(HEADER_BYTES) { " or damaged" } else { "" };
        let message = format!("truncated{or_damaged} file: expected {promised}, {missing}");
        Error::new(ErrorKind::Truncated, message).with_location(self.source.byte_len(), location)
    }
}

pub(super) fn header_ints(header: &[u8; CURVE_HEADER_BYTES as usize]) -> [i32; 3] {
    let int = |at: usize| i32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    [int(0), int(4), int(8)]
}
