//! Curve packs: the curves of a recording in the transfer format of the page.
//!
//! A curve pack consists of the four bytes `HTP1`, the length of a JSON header (32-bit little-endian), the header, and a sequence
//! of arrays: first the time arrays, then for each curve its values, followed by tangents, weights and weighted modes if it has
//! any. Curves with equal key times share a time array. Keys are sorted by time; keys with a NaN time are dropped. The pack is
//! gzipped for transfer. `web/src/recording/decode.ts` reads it.
//!
//! The *overview* of a long recording is a curve pack with fewer keys, which the page shows until it has all keys.

mod arrays;
mod gzip;
mod overview;

use std::io::{self, Write};
use std::mem;

use holotape::{BezierKey, CurveId, CurveRef, Keys, LinearKey, Recording, parallel};
use serde::Serialize;

use self::arrays::{DeltaWriter, TimeArrays, select, sort_order};
use self::gzip::Block;
use crate::api::ChannelFlags;

const MAGIC: &[u8; 4] = b"HTP1";

/// The page first loads the overview of recordings with more keys.
const MAX_KEYS_WITHOUT_OVERVIEW: usize = 1 << 20;

/// The keys that a curve pack contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeySelection {
    All,
    Overview,
}

/// Returns the gzipped curve pack of a recording. All cores compress; the bytes do not depend on their number.
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
    gzipped_keys(recording, KeySelection::All)
}

/// Returns the gzipped overview of a recording: a curve pack with all flags, and of every other curve all keys of the first 10 s
/// and some later ones. The first and the last key of a curve are among them.
///
/// ```
/// let recording = holotape::demo::DemoOptions::new().with_seconds(60.0).generate()?;
/// let overview = holotape_viewer::curve_pack::gzipped_overview(&recording)?;
/// assert!(overview.len() < holotape_viewer::curve_pack::gzipped(&recording)?.len());
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// Same as [`gzipped`].
pub fn gzipped_overview(recording: &Recording) -> holotape::Result<Vec<u8>> {
    gzipped_keys(recording, KeySelection::Overview)
}

pub(crate) fn gzipped_keys(recording: &Recording, keys: KeySelection) -> holotape::Result<Vec<u8>> {
    Ok(CurvePack::new(recording, keys)?.gzip(parallel::max_threads())?)
}

/// Whether a recording with this number of keys has an overview.
pub(crate) fn has_overview(key_count: usize) -> bool {
    key_count > MAX_KEYS_WITHOUT_OVERVIEW
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
    CurvePack::new(recording, KeySelection::All)?.sections().try_for_each(|section| section.write(&mut out))
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

struct CurvePack<'a> {
    /// Magic number, length of the header, and header.
    head: Vec<u8>,
    arrays: TimeArrays,
    curves: Vec<PackedCurve<'a>>,
}

impl<'a> CurvePack<'a> {
    fn new(recording: &'a Recording, keys: KeySelection) -> io::Result<Self> {
        let mut arrays = TimeArrays::default();
        let curves: Vec<_> =
            recording.curves().filter_map(|(id, curve)| PackedCurve::new(id, curve, keys, &mut arrays)).collect();
        let header = serde_json::to_vec(&CurvePackHeader {
            channels: recording.channels().into(),
            duration_secs: duration_secs(recording),
            time_counts: arrays.times.iter().map(|times| times.len()).collect(),
            curves: curves.iter().map(|curve| &curve.header).collect(),
        })?;
        let mut head = MAGIC.to_vec();
        head.extend(u32::try_from(header.len()).map_err(io::Error::other)?.to_le_bytes());
        head.extend(header);
        Ok(Self { head, arrays, curves })
    }

    /// The parts of the pack, in order.
    fn sections(&self) -> impl Iterator<Item = Section<'_>> {
        let times = self.arrays.times.iter().map(|times| Section::Times(times));
        [Section::Head(&self.head)].into_iter().chain(times).chain(self.curves.iter().map(Section::Curve))
    }

    /// Compresses the pack with at most `threads` threads. Never holds it uncompressed.
    fn gzip(&self, threads: usize) -> io::Result<Vec<u8>> {
        let (mut blocks, mut block, mut block_bytes) = (Vec::new(), Vec::new(), 0);
        for section in self.sections() {
            block_bytes += section.byte_count();
            block.push(section);
            if block_bytes >= gzip::BLOCK_BYTES {
                blocks.push(mem::take(&mut block));
                block_bytes = 0;
            }
        }
        blocks.push(block);
        let compress = |sections: Vec<Section<'_>>| {
            Block::compress(|out| sections.iter().try_for_each(|section| section.write(out)))
        };
        let compressed = parallel::map(blocks, threads, compress);
        Ok(gzip::member(compressed.into_iter().collect::<io::Result<Vec<_>>>()?))
    }
}

#[derive(Clone, Copy)]
enum Section<'a> {
    Head(&'a [u8]),
    Times(&'a [u32]),
    Curve(&'a PackedCurve<'a>),
}

impl Section<'_> {
    /// The size without compression. Of a Bézier curve, only that of the values.
    fn byte_count(self) -> usize {
        match self {
            Self::Head(head) => head.len(),
            Self::Times(times) => size_of_val(times),
            Self::Curve(curve) => curve.key_count() * size_of::<u32>(),
        }
    }

    fn write(self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Head(head) => out.write_all(head),
            Self::Times(times) => DeltaWriter::new(out).write(times.iter().copied()),
            Self::Curve(curve) => curve.write(&mut DeltaWriter::new(out)),
        }
    }
}

struct PackedCurve<'a> {
    header: PackedCurveHeader,
    keys: PackedKeys<'a>,
    /// Indices of the keys, sorted by time; `None` for all keys in their order.
    order: Option<Vec<usize>>,
}

enum PackedKeys<'a> {
    Linear(&'a [LinearKey]),
    Bezier(&'a [BezierKey]),
}

impl<'a> PackedCurve<'a> {
    /// `None` if the curve has no keys.
    fn new(id: CurveId, curve: CurveRef<'a>, selection: KeySelection, arrays: &mut TimeArrays) -> Option<Self> {
        let keys = match curve {
            CurveRef::Bool(curve) => PackedKeys::Linear(&curve.keys),
            CurveRef::Float(curve) => match &curve.keys {
                Keys::Linear(keys) => PackedKeys::Linear(keys),
                Keys::Bezier(keys) => PackedKeys::Bezier(keys),
            },
        };
        let mut times = keys.times();
        let mut order = sort_order(&times);
        if let Some(order) = &order {
            times = select(&times, order);
        }
        let kept =
            if selection == KeySelection::Overview && !id.is_bool() { overview::kept_keys(&times) } else { None };
        if let Some(kept) = &kept {
            times = select(&times, kept);
            order = Some(order.map_or_else(|| kept.clone(), |order| select(&order, kept)));
        }
        if times.is_empty() {
            return None;
        }
        let kind = match keys {
            _ if id.is_bool() => CurveKind::Bool,
            PackedKeys::Linear(_) => CurveKind::Linear,
            // With the tangents of other segments, the curve would overshoot.
            PackedKeys::Bezier(_) if kept.is_some() => CurveKind::Linear,
            // Straight segments need no tangents.
            PackedKeys::Bezier(keys) if keys.iter().all(BezierKey::is_linear) => CurveKind::Linear,
            PackedKeys::Bezier(_) => CurveKind::Bezier,
        };
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

    fn key_count(&self) -> usize {
        self.order.as_ref().map_or(self.keys.len(), Vec::len)
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
        (0..self.key_count()).map(move |index| word(&keys[self.order.as_ref().map_or(index, |order| order[index])]))
    }
}

impl PackedKeys<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Linear(keys) => keys.len(),
            Self::Bezier(keys) => keys.len(),
        }
    }

    fn times(&self) -> Vec<f32> {
        match self {
            Self::Linear(keys) => keys.iter().map(|key| key.time).collect(),
            Self::Bezier(keys) => keys.iter().map(|key| key.time).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
