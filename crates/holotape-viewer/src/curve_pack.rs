//! Curve packs: the curves of a recording in the transfer format of the page.
//!
//! A curve pack consists of the four bytes `HTP1`, the length of a JSON header (32-bit little-endian), the header, and a sequence
//! of arrays: first the time arrays, then for each curve its values, followed by tangents, weights and weighted modes if it has
//! any. Curves with equal key times share a time array. Keys are sorted by time; keys with a NaN time are dropped. The pack is
//! gzipped for transfer. `web/src/recording/decode.ts` reads it.

use std::collections::HashMap;
use std::io::{self, Write};
use std::rc::Rc;

use flate2::Compression;
use flate2::write::GzEncoder;
use holotape::{BezierKey, CurveId, CurveRef, Keys, LinearKey, Recording};
use serde::Serialize;

use crate::api::ChannelFlags;

const MAGIC: &[u8; 4] = b"HTP1";

/// Returns the gzipped curve pack of a recording.
///
/// ```
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let pack = holotape_viewer::curve_pack::gzipped(&recording)?;
/// assert!(pack.len() < recording.to_vec()?.0.len() / 2);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// Fails if the header exceeds 4 GiB.
pub fn gzipped(recording: &Recording) -> holotape::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    write(recording, &mut encoder)?;
    Ok(encoder.finish()?)
}

/// The size of gzipped data after decompression, from its last four bytes; wrong from 4 GiB on.
pub(crate) fn decompressed_bytes(gzipped: &[u8]) -> u32 {
    gzipped.last_chunk().map_or(0, |size| u32::from_le_bytes(*size))
}

/// Writes the curve pack of a recording, uncompressed.
///
/// ```
/// let mut pack = Vec::new();
/// holotape_viewer::curve_pack::write(&holotape::Recording::default(), &mut pack)?;
/// assert!(pack.starts_with(b"HTP1"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Fails if writing fails.
pub fn write(recording: &Recording, mut out: impl Write) -> io::Result<()> {
    let mut arrays = TimeArrays::default();
    let curves: Vec<_> =
        recording.curves().filter_map(|(id, curve)| PackedCurve::new(id, curve, &mut arrays)).collect();
    let header = serde_json::to_vec(&CurvePackHeader {
        channels: recording.channels().into(),
        duration_secs: duration_secs(recording),
        time_counts: arrays.times.iter().map(|times| times.len()).collect(),
        curves: curves.iter().map(|curve| &curve.header).collect(),
    })?;
    out.write_all(MAGIC)?;
    out.write_all(&u32::try_from(header.len()).map_err(io::Error::other)?.to_le_bytes())?;
    out.write_all(&header)?;
    let mut writer = DeltaWriter { out, bytes: Vec::new() };
    for times in &arrays.times {
        writer.write(times.iter().copied())?;
    }
    curves.iter().try_for_each(|curve| curve.write(&mut writer))
}

/// The duration of a recording without keys at non-finite times, which JSON cannot represent.
pub(crate) fn duration_secs(recording: &Recording) -> f32 {
    let ends = recording.curves().filter_map(|(_, curve)| curve.end_secs());
    ends.filter(|end| end.is_finite()).fold(0.0, f32::max)
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CurvePackHeader<'a> {
    channels: ChannelFlags,
    duration_secs: f32,
    /// Length of each time array.
    time_counts: Vec<usize>,
    /// Curves with at least one key, in the order of the file.
    curves: Vec<&'a PackedCurveHeader>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PackedCurveHeader {
    name: String,
    kind: CurveKind,
    pre_wrap: i32,
    post_wrap: i32,
    /// Index of the time array.
    times: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum CurveKind {
    Linear,
    Bezier,
    Bool,
}

struct PackedCurve<'a> {
    header: PackedCurveHeader,
    keys: PackedKeys<'a>,
    /// Key indices sorted by time; `None` if the keys are sorted.
    order: Option<Vec<usize>>,
}

enum PackedKeys<'a> {
    Linear(&'a [LinearKey]),
    Bezier(&'a [BezierKey]),
}

impl<'a> PackedCurve<'a> {
    /// `None` if the curve has no keys.
    fn new(id: CurveId, curve: CurveRef<'a>, arrays: &mut TimeArrays) -> Option<Self> {
        let keys = match curve {
            CurveRef::Bool(curve) => PackedKeys::Linear(&curve.keys),
            CurveRef::Float(curve) => match &curve.keys {
                Keys::Linear(keys) => PackedKeys::Linear(keys),
                Keys::Bezier(keys) => PackedKeys::Bezier(keys),
            },
        };
        let kind = match keys {
            _ if id.is_bool() => CurveKind::Bool,
            PackedKeys::Linear(_) => CurveKind::Linear,
            // Straight segments need no tangents.
            PackedKeys::Bezier(keys) if keys.iter().all(BezierKey::is_linear) => CurveKind::Linear,
            PackedKeys::Bezier(_) => CurveKind::Bezier,
        };
        let mut times = keys.times();
        let order = sort_order(&times);
        if let Some(order) = &order {
            times = order.iter().map(|&index| times[index]).collect();
        }
        if times.is_empty() {
            return None;
        }
        let (pre_wrap, post_wrap) = curve.wrap_modes();
        let header = PackedCurveHeader {
            name: id.to_string(),
            kind,
            pre_wrap: pre_wrap.0,
            post_wrap: post_wrap.0,
            times: arrays.index_of(&times),
        };
        Some(Self { header, keys, order })
    }

    fn write(&self, writer: &mut DeltaWriter<impl Write>) -> io::Result<()> {
        match self.keys {
            PackedKeys::Linear(keys) => writer.write(self.column(keys, |key| key.value.to_bits())),
            PackedKeys::Bezier(keys) => {
                writer.write(self.column(keys, |key| key.value.to_bits()))?;
                if self.header.kind == CurveKind::Linear {
                    return Ok(());
                }
                writer.write(self.column(keys, |key| key.in_tangent.to_bits()))?;
                writer.write(self.column(keys, |key| key.out_tangent.to_bits()))?;
                writer.write(self.column(keys, |key| key.in_weight.to_bits()))?;
                writer.write(self.column(keys, |key| key.out_weight.to_bits()))?;
                writer.write(self.column(keys, |key| key.weighted_mode.0.cast_unsigned()))
            }
        }
    }

    /// One component of each key, sorted by time.
    fn column<K>(&self, keys: &[K], word: impl Fn(&K) -> u32) -> impl Iterator<Item = u32> {
        let count = self.order.as_ref().map_or(keys.len(), Vec::len);
        (0..count).map(move |index| word(&keys[self.order.as_ref().map_or(index, |order| order[index])]))
    }
}

impl PackedKeys<'_> {
    fn times(&self) -> Vec<f32> {
        match self {
            Self::Linear(keys) => keys.iter().map(|key| key.time).collect(),
            Self::Bezier(keys) => keys.iter().map(|key| key.time).collect(),
        }
    }
}

/// Indices that sort the times, without NaN; `None` if they are sorted.
fn sort_order(times: &[f32]) -> Option<Vec<usize>> {
    if times.is_sorted() && times.iter().all(|time| !time.is_nan()) {
        return None;
    }
    let mut order: Vec<_> = (0..times.len()).filter(|&index| !times[index].is_nan()).collect();
    // Adding zero turns -0 into 0, as evaluation does.
    order.sort_by(|&a, &b| (times[a] + 0.0).total_cmp(&(times[b] + 0.0)));
    Some(order)
}

/// The distinct time arrays of the curves, as bits.
#[derive(Default)]
struct TimeArrays {
    times: Vec<Rc<[u32]>>,
    indices: HashMap<Rc<[u32]>, usize>,
}

impl TimeArrays {
    fn index_of(&mut self, times: &[f32]) -> usize {
        let times: Rc<[u32]> = times.iter().map(|time| time.to_bits()).collect();
        *self.indices.entry(Rc::clone(&times)).or_insert_with(|| {
            self.times.push(times);
            self.times.len() - 1
        })
    }
}

/// Writes 32-bit words so that they compress well: as zigzag-encoded differences, all lowest bytes first, then all second bytes,
/// and so on. Slowly changing values become long runs of one byte.
struct DeltaWriter<W> {
    out: W,
    bytes: Vec<u8>,
}

impl<W: Write> DeltaWriter<W> {
    fn write(&mut self, words: impl Iterator<Item = u32>) -> io::Result<()> {
        let deltas: Vec<_> = zigzag_deltas(words).collect();
        self.bytes.clear();
        for shift in [0, 8, 16, 24] {
            self.bytes.extend(deltas.iter().map(|word| (word >> shift) as u8));
        }
        self.out.write_all(&self.bytes)
    }
}

fn zigzag_deltas(words: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    words.scan(0_u32, |last, word| {
        let difference = word.wrapping_sub(*last).cast_signed();
        *last = word;
        Some((difference << 1 ^ difference >> 31).cast_unsigned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_differences_become_small_numbers() {
        let words = [10, 11, 9, 9, 0, u32::MAX];
        assert_eq!(zigzag_deltas(words.into_iter()).collect::<Vec<_>>(), [20, 2, 3, 0, 17, 1]);
    }

    #[test]
    fn sort_order_skips_nan() {
        assert_eq!(sort_order(&[0.0, 1.0, 1.0, 2.0]), None);
        assert_eq!(sort_order(&[2.0, f32::NAN, 1.0, 2.0, 0.0]), Some(vec![4, 2, 0, 3]));
        assert_eq!(sort_order(&[f32::NAN]), Some(vec![]));
    }

    #[test]
    fn equal_times_share_an_array() {
        let mut arrays = TimeArrays::default();
        let indices = [[0.0, 1.0], [0.0, 2.0], [0.0, 1.0]].map(|times| arrays.index_of(&times));
        assert_eq!(indices, [0, 1, 0]);
    }
}
