//! Encodes a [`Recording`] and lists what its format cannot represent.

use std::fmt;
use std::io::Write;

use super::walk::{CURVE_HEADER_BYTES, HEADER_BYTES};
use super::{Channels, KeyLayout, MAGIC, Version};
use crate::error::{Error, ErrorKind, Location, Result};
use crate::recording::CurveRef;
use crate::text::pluralize;
use crate::{BezierKey, BoolCurve, Curve, CurveId, Keys, LinearKey, Marker, Recording, WrapMode};

/// Data that the chosen format cannot represent.
///
/// ```
/// use holotape::{Recording, format::{Format, FormatLoss}};
///
/// let mut recording = Recording::default();
/// recording.markers.add(1.0, "start");
/// recording.format = Format { marker_list: false, ..Format::default() };
/// let (_, losses) = recording.to_vec()?;
/// assert_eq!(losses.as_slice(), [FormatLoss::Markers { count: 1 }]);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatLoss {
    /// Version 1.0 has no eye gaze.
    Gaze {
        /// Keys of the gaze in all its curves.
        keys: usize,
    },
    /// Compact keys have no tangents and no weights: the curve becomes linear between its keys.
    Tangents {
        /// Keys with tangents or weights.
        keys: usize,
        /// Curves with such keys.
        curves: usize,
        /// The first of these curves.
        first: CurveId,
    },
    /// A file without a marker list has no markers.
    Markers {
        /// How many markers the recording has.
        count: usize,
    },
}

impl fmt::Display for FormatLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gaze { keys } => {
                write!(f, "dropped eye gaze ({}): version 1.0 does not support it", pluralize(*keys, "key"))
            }
            Self::Tangents { keys, curves, first } => write!(
                f,
                "dropped tangents and weights ({} in {}, first in {first}): compact keys do not support them",
                pluralize(*keys, "key"),
                pluralize(*curves, "curve")
            ),
            Self::Markers { count } => {
                write!(f, "dropped {}: the format has no marker list", pluralize(*count, "marker"))
            }
        }
    }
}

/// Data lost by writing; empty if everything was kept.
///
/// Version 1.0 always has camera and hands. Adding empty ones to a recording without them is not a loss.
///
/// ```
/// let losses = holotape::Recording::default().write_to(std::io::sink())?;
/// assert!(losses.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "the losses list data that the file does not have"]
pub struct FormatLosses(Vec<FormatLoss>);

impl FormatLosses {
    /// Whether everything was kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The losses, at most one per kind.
    #[must_use]
    pub fn as_slice(&self) -> &[FormatLoss] {
        &self.0
    }

    /// Iterates over the losses.
    pub fn iter(&self) -> std::slice::Iter<'_, FormatLoss> {
        self.0.iter()
    }

    /// The losses of writing this recording in its format.
    pub(crate) fn of(recording: &Recording) -> Self {
        let format = recording.format;
        let gaze = recording.gaze.as_ref().filter(|_| format.layout.version() == Version::V1_0);
        let gaze = gaze.map(|gaze| FormatLoss::Gaze {
            keys: gaze.origin.iter().chain(&gaze.direction).map(|curve| curve.keys.len()).sum(),
        });
        let tangents = match format.layout.keys() {
            KeyLayout::Compact => lost_tangents(recording),
            KeyLayout::Full => None,
        };
        let count = recording.markers.len();
        let markers = (count > 0 && !format.marker_list).then_some(FormatLoss::Markers { count });
        Self([gaze, tangents, markers].into_iter().flatten().collect())
    }
}

impl<'a> IntoIterator for &'a FormatLosses {
    type Item = &'a FormatLoss;
    type IntoIter = std::slice::Iter<'a, FormatLoss>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

fn lost_tangents(recording: &Recording) -> Option<FormatLoss> {
    let mut lost = recording.curves().filter_map(|(id, curve)| match curve {
        CurveRef::Float(Curve { keys: Keys::Bezier(keys), .. }) => {
            match keys.iter().filter(|key| !key.is_linear()).count() {
                0 => None,
                keys => Some((id, keys)),
            }
        }
        _ => None,
    });
    let (first, keys) = lost.next()?;
    let (keys, curves) = lost.fold((keys, 1), |(sum, curves), (_, keys)| (sum + keys, curves + 1));
    Some(FormatLoss::Tangents { keys, curves, first })
}

/// The number of bytes that [`encode`] appends.
pub(crate) fn encoded_bytes(recording: &Recording) -> u64 {
    let layout = recording.format.layout;
    let channels = channels_written(recording);
    let flags = if layout.version() == Version::V1_0 { 0 } else { 3 };
    let curves = CurveId::all(channels).map(|id| {
        let keys = recording.curve(id).map_or(0, CurveRef::key_count) as u64;
        CURVE_HEADER_BYTES + keys * layout.keys().key_bytes_of(id)
    });
    let markers = recording.markers.iter().map(|marker| {
        let length = marker.name.len() as u64;
        let length_bytes = 1 + length.checked_ilog2().unwrap_or(0) / 7;
        4 + u64::from(length_bytes) + length
    });
    let marker_list = if recording.format.marker_list { 4 + markers.sum::<u64>() } else { 0 };
    HEADER_BYTES + flags + curves.sum::<u64>() + marker_list
}

/// The channels in the file: those of the recording, or those that version 1.0 always has.
fn channels_written(recording: &Recording) -> Channels {
    match recording.format.layout.version() {
        Version::V1_0 => Channels::V1_0,
        Version::V1_1 => recording.channels(),
    }
}

/// The number of keys to encode before checking whether to flush the buffer.
const KEYS_PER_FLUSH: usize = 4096;

/// Appends a recording to a buffer. Calls `flush` regularly, which may write the buffer out and clear it.
pub(crate) fn encode(
    recording: &Recording,
    out: &mut Vec<u8>,
    mut flush: impl FnMut(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    let format = recording.format;
    let channels = channels_written(recording);
    out.extend(MAGIC);
    out.extend(format.layout.version().numbers().map(i32::to_le_bytes).as_flattened());
    if format.layout.version() == Version::V1_1 {
        out.extend([channels.camera, channels.hands, channels.gaze].map(u8::from));
    }
    let (no_curve, no_flags) = (Curve::new(), BoolCurve::new());
    for id in CurveId::all(channels) {
        let absent = if id.is_bool() { CurveRef::Bool(&no_flags) } else { CurveRef::Float(&no_curve) };
        match recording.curve(id).unwrap_or(absent) {
            CurveRef::Float(curve) => {
                push_curve_header(out, id, curve.pre_wrap, curve.post_wrap, curve.keys.len())?;
                push_float_keys(out, &curve.keys, format.layout.keys(), &mut flush)?;
            }
            CurveRef::Bool(curve) => {
                push_curve_header(out, id, curve.pre_wrap, curve.post_wrap, curve.keys.len())?;
                push_keys(out, &curve.keys, linear_bytes, &mut flush)?;
            }
        }
    }
    if format.marker_list {
        out.extend(count(recording.markers.len(), "markers", Location::MarkerList)?);
        for (index, marker) in recording.markers.iter().enumerate() {
            push_marker(out, marker, Location::Marker { index })?;
            flush(out)?;
        }
    }
    flush(out)
}

/// Writes a recording through a small buffer.
pub(crate) fn encode_to(recording: &Recording, mut writer: impl Write) -> Result<()> {
    const FLUSH_BYTES: usize = 64 << 10;
    let mut buffer = Vec::with_capacity(2 * FLUSH_BYTES);
    encode(recording, &mut buffer, |buffer| {
        if buffer.len() >= FLUSH_BYTES {
            writer.write_all(buffer)?;
            buffer.clear();
        }
        Ok(())
    })?;
    writer.write_all(&buffer)?;
    writer.flush()?;
    Ok(())
}

fn push_curve_header(out: &mut Vec<u8>, id: CurveId, pre: WrapMode, post: WrapMode, keys: usize) -> Result<()> {
    let count = count(keys, "keys", Location::Curve { id, key: None })?;
    out.extend([pre.0.to_le_bytes(), post.0.to_le_bytes(), count].as_flattened());
    Ok(())
}

fn push_float_keys(
    out: &mut Vec<u8>,
    keys: &Keys,
    layout: KeyLayout,
    flush: &mut impl FnMut(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    match (layout, keys) {
        (KeyLayout::Compact, Keys::Linear(keys)) => push_keys(out, keys, linear_bytes, flush),
        (KeyLayout::Compact, Keys::Bezier(keys)) => {
            push_keys(out, keys, |key| linear_bytes(&LinearKey::new(key.time, key.value)), flush)
        }
        (KeyLayout::Full, Keys::Bezier(keys)) => push_keys(out, keys, bezier_bytes, flush),
        (KeyLayout::Full, Keys::Linear(keys)) => {
            push_keys(out, keys, |key| bezier_bytes(&BezierKey::from(*key)), flush)
        }
    }
}

fn push_keys<K, const N: usize>(
    out: &mut Vec<u8>,
    keys: &[K],
    to_bytes: impl Fn(&K) -> [u8; N],
    flush: &mut impl FnMut(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    for keys in keys.chunks(KEYS_PER_FLUSH) {
        let start = out.len();
        out.resize(start + N * keys.len(), 0);
        let (slots, _) = out[start..].as_chunks_mut();
        for (slot, key) in slots.iter_mut().zip(keys) {
            *slot = to_bytes(key);
        }
        flush(out)?;
    }
    Ok(())
}

fn linear_bytes(key: &LinearKey) -> [u8; 8] {
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&key.time.to_le_bytes());
    bytes[4..].copy_from_slice(&key.value.to_le_bytes());
    bytes
}

fn bezier_bytes(key: &BezierKey) -> [u8; 28] {
    let words = [
        key.time.to_le_bytes(),
        key.value.to_le_bytes(),
        key.in_tangent.to_le_bytes(),
        key.out_tangent.to_le_bytes(),
        key.in_weight.to_le_bytes(),
        key.out_weight.to_le_bytes(),
        key.weighted_mode.0.to_le_bytes(),
    ];
    let mut bytes = [0; 28];
    bytes.copy_from_slice(words.as_flattened());
    bytes
}

fn push_marker(out: &mut Vec<u8>, marker: &Marker, location: Location) -> Result<()> {
    out.extend(marker.time.to_le_bytes());
    let mut rest = u32::from_le_bytes(count(marker.name.len(), "bytes in a marker's name", location)?);
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
    out.extend(marker.name.as_bytes());
    Ok(())
}

/// A count as the file stores it: a signed 32-bit integer.
fn count(count: usize, of: &str, location: Location) -> Result<[u8; 4]> {
    i32::try_from(count).map(i32::to_le_bytes).map_err(|_| {
        let message = format!("{count} {of} in {location} are more than the format can count");
        Error::new(ErrorKind::LimitExceeded, message)
    })
}
