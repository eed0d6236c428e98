//! One pass over the structure of a file under one assumption about its keys: header, flags, curve headers, markers.
//!
//! Nothing is allocated but what has been seen to be there, and every byte is looked at no more than once.

use std::fmt;

use super::index::CurveSpan;
use super::source::ByteSource;
use super::{Channels, KeyLayout, MAGIC, Version};
use crate::error::{Error, ErrorKind, Place, Result};
use crate::{CurveId, Marker, WrapMode};

/// Magic number and version.
pub(super) const HEADER_BYTES: u64 = 16;

/// A curve's wrap modes and key count.
const CURVE_HEADER_BYTES: u64 = 12;

/// A marker's time, and the length of a name that is empty.
const LEAST_MARKER_BYTES: u64 = 5;

/// Where the walk stands.
pub(super) struct Walker<'a, S> {
    source: &'a mut S,
    at: u64,
}

/// The curves that made sense, and what came behind them.
pub(super) struct Walked {
    pub(super) curves: Vec<CurveSpan>,
    /// The markers; absent where the file ends with its curves.
    pub(super) rest: Result<Option<Vec<Marker>>>,
}

impl Walked {
    /// How many curve headers look like those of every file seen so far. Tells which reading of a broken file was
    /// the right one: a wrong one reads values as headers.
    pub(super) fn familiar_headers(&self) -> usize {
        let familiar = |curve: &&CurveSpan| [curve.pre_wrap, curve.post_wrap] == [WrapMode::CLAMP_FOREVER; 2];
        self.curves.iter().filter(familiar).count()
    }
}

impl<'a, S: ByteSource> Walker<'a, S> {
    pub(super) fn new(source: &'a mut S, at: u64) -> Self {
        Self { source, at }
    }

    /// The offset behind the last thing read.
    pub(super) fn position(&self) -> u64 {
        self.at
    }

    pub(super) fn header(&mut self) -> Result<Version> {
        self.magic()?;
        let at = self.at;
        let major = self.int(Place::Header)?;
        let minor = self.int(Place::Header)?;
        Version::ALL.into_iter().find(|version| version.numbers() == [major, minor]).ok_or_else(|| {
            let message = format!("this is an input animation of version {major}.{minor}; only 1.0 and 1.1 are known");
            Error::new(ErrorKind::UnsupportedVersion, message).at(at, Place::Header)
        })
    }

    fn magic(&mut self) -> Result<()> {
        let start = self.source.bytes(0..self.source.byte_len().min(MAGIC.len() as u64))?;
        if start.is_empty() {
            return Err(Error::new(ErrorKind::Truncated, "the file is empty").at(0, Place::Header));
        }
        if !MAGIC.starts_with(start) {
            let message = format!("not an input animation: {}", describe_start(start));
            return Err(Error::new(ErrorKind::NotARecording, message).at(0, Place::Header));
        }
        self.require(HEADER_BYTES, Place::Header, format_args!("a header of {HEADER_BYTES} bytes"))?;
        self.at += MAGIC.len() as u64;
        Ok(())
    }

    pub(super) fn channels(&mut self) -> Result<Channels> {
        Ok(Channels { camera: self.flag("camera pose")?, hands: self.flag("hand data")?, gaze: self.flag("eye gaze")? })
    }

    fn flag(&mut self, what: &str) -> Result<bool> {
        let at = self.at;
        match self.bytes(Place::ChannelFlags)? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => {
                let message = format!("the flag for {what} is {other}, neither 0 nor 1");
                Err(Error::new(ErrorKind::Invalid, message).at(at, Place::ChannelFlags))
            }
        }
    }

    /// The rest of the file behind the flags.
    pub(super) fn body(mut self, channels: Channels, keys: KeyLayout) -> Walked {
        let mut curves = Vec::new();
        for id in CurveId::all(channels) {
            match self.curve(id, keys) {
                Ok(curve) => curves.push(curve),
                Err(error) => {
                    let rest = Err(error);
                    return Walked { curves, rest };
                }
            }
        }
        let rest = self.tail();
        Walked { curves, rest }
    }

    fn curve(&mut self, id: CurveId, keys: KeyLayout) -> Result<CurveSpan> {
        let place = Place::Curve { id, key: None };
        let header_at = self.at;
        let header = self.bytes::<{ CURVE_HEADER_BYTES as usize }>(place)?;
        let [pre_wrap, post_wrap, count] = header_ints(&header);
        let key_bytes = if id.is_bool() { KeyLayout::Compact } else { keys }.key_bytes();
        let Ok(key_count) = u32::try_from(count) else {
            let message = format!("a key count of {count}: the file is damaged, or no input animation that is known");
            return Err(Error::new(ErrorKind::Invalid, message).at(header_at + 8, place));
        };
        let span_bytes = u64::from(key_count) * key_bytes;
        if span_bytes > self.remaining() {
            let key = usize::try_from(self.remaining() / key_bytes).ok();
            let promised = format_args!("{key_count} keys (by the count at byte {})", header_at + 8);
            return Err(self.truncated(Place::Curve { id, key }, span_bytes, promised));
        }
        let start = self.at;
        self.at += span_bytes;
        Ok(CurveSpan {
            id,
            pre_wrap: WrapMode(pre_wrap),
            post_wrap: WrapMode(post_wrap),
            key_count,
            header_at,
            key_span: start..self.at,
        })
    }

    /// Nothing, or a marker list; and then the end.
    fn tail(&mut self) -> Result<Option<Vec<Marker>>> {
        if self.remaining() == 0 {
            return Ok(None);
        }
        let markers = self.markers()?;
        match self.remaining() {
            0 => Ok(Some(markers)),
            extra => {
                let message = format!(
                    "{extra} more byte{} where the file should end: something was appended, or another program added \
                     a section of its own",
                    if extra == 1 { "" } else { "s" }
                );
                Err(Error::new(ErrorKind::Invalid, message).at(self.at, Place::End))
            }
        }
    }

    fn markers(&mut self) -> Result<Vec<Marker>> {
        let at = self.at;
        let count = self.int(Place::MarkerList)?;
        let Ok(count) = usize::try_from(count) else {
            let message = format!("a marker count of {count}");
            return Err(Error::new(ErrorKind::Invalid, message).at(at, Place::MarkerList));
        };
        let promised = format_args!("{count} markers (by the count at byte {at})");
        self.require(count as u64 * LEAST_MARKER_BYTES, Place::MarkerList, promised)?;
        // Grown as markers are found: the count alone is no reason to allocate.
        let mut markers = Vec::new();
        for index in 0..count {
            markers.push(self.marker(Place::Marker { index })?);
        }
        Ok(markers)
    }

    fn marker(&mut self, place: Place) -> Result<Marker> {
        let time = f32::from_le_bytes(self.bytes(place)?);
        let length = self.string_length(place)?;
        let at = self.at;
        self.require(length, place, format_args!("a name of {length} bytes"))?;
        self.at += length;
        let name = str::from_utf8(self.source.bytes(at..self.at)?).map_err(|error| {
            let bad = at + error.valid_up_to() as u64;
            Error::new(ErrorKind::Invalid, "a marker's name is not UTF-8").at(bad, place)
        })?;
        Ok(Marker { time, name: name.to_owned() })
    }

    /// A length as .NET writes it: seven bits a byte, lowest first, the top bit set on all but the last.
    fn string_length(&mut self, place: Place) -> Result<u64> {
        let at = self.at;
        let invalid = |message: &str| Err(Error::new(ErrorKind::Invalid, message).at(at, place));
        let mut length = 0_u64;
        for shift in [0, 7, 14, 21, 28] {
            let [byte] = self.bytes(place)?;
            length |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return match () {
                    () if byte == 0 && shift > 0 => invalid("a marker's name length is padded with zeros"),
                    () if length > i32::MAX as u64 => invalid("a marker's name length does not fit 32 bits"),
                    () => Ok(length),
                };
            }
        }
        invalid("a marker's name length does not fit 32 bits")
    }

    fn int(&mut self, place: Place) -> Result<i32> {
        self.bytes(place).map(i32::from_le_bytes)
    }

    fn bytes<const N: usize>(&mut self, place: Place) -> Result<[u8; N]> {
        self.require(N as u64, place, format_args!("{N} byte{}", if N == 1 { "" } else { "s" }))?;
        let bytes = self.source.array(self.at)?;
        self.at += N as u64;
        Ok(bytes)
    }

    fn remaining(&self) -> u64 {
        self.source.byte_len() - self.at
    }

    fn require(&self, needed: u64, place: Place, promised: fmt::Arguments<'_>) -> Result<()> {
        if needed <= self.remaining() { Ok(()) } else { Err(self.truncated(place, needed, promised)) }
    }

    fn truncated(&self, place: Place, needed: u64, promised: fmt::Arguments<'_>) -> Error {
        let missing = match needed - self.remaining() {
            1 => "1 byte of that is missing".to_owned(),
            missing => format!("{missing} bytes of that are missing"),
        };
        // What is more than the whole file was hardly ever written: it is read from damaged bytes.
        let or_damaged = if needed > self.source.byte_len().max(HEADER_BYTES) { " or is damaged" } else { "" };
        let message = format!("the file ends too early{or_damaged}: {promised} should follow, but {missing}");
        Error::new(ErrorKind::Truncated, message).at(self.source.byte_len(), place)
    }
}

fn header_ints(header: &[u8; CURVE_HEADER_BYTES as usize]) -> [i32; 3] {
    let int = |at: usize| i32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    [int(0), int(4), int(8)]
}

/// What else a file may be, for those who took the wrong one.
fn describe_start(start: &[u8]) -> &'static str {
    let reversed: Vec<u8> = MAGIC.iter().rev().copied().collect();
    let headerless = [8, 0, 0, 0, 8, 0, 0, 0];
    let known: [(&[u8], &str); 14] = [
        (&reversed, "its magic number is byte-swapped, which no known program writes"),
        (
            &headerless,
            "it has no header, like recordings from before the first release in 2019; put one of version 1.0 in front",
        ),
        (b"HL2SS", "it is an hl2ss stream, which uses .bin as well"),
        (b"glTF", "it is a binary glTF scene"),
        (b"PK", "it is a ZIP archive; unpack it first"),
        (b"\x1f\x8b", "it is compressed with gzip; unpack it first"),
        (b"\x28\xb5\x2f\xfd", "it is compressed with zstd; unpack it first"),
        (b"\x89MCAP", "it is an MCAP log"),
        (b"PAR1", "it is a Parquet table"),
        (b"\xfd7zXZ", "it is compressed with xz; unpack it first"),
        (b"\xff\xfe", "it is text in UTF-16; JSON documents have to be in UTF-8"),
        (b"\x89PNG", "it is a picture"),
        (b"%YAML", "it is a Unity asset in text form"),
        (b"version https://git-lfs", "it is a Git LFS pointer; run `git lfs pull` to get the file itself"),
    ];
    let known = known.into_iter().find(|(magic, _)| start.starts_with(&magic[..magic.len().min(MAGIC.len())]));
    match known {
        Some((_, words)) => words,
        None if start.first().is_some_and(|byte| b"{[".contains(byte)) => "it looks like JSON text",
        None if start.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()) => "it looks like text",
        None if start.iter().all(|&byte| byte == 0) => "it begins with zeros, as a file that was never written out",
        None => "the first eight bytes are not the magic number c6 42 9e 0f 6e af 8f 6a",
    }
}
