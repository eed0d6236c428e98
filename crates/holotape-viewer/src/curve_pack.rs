//! Tapes: the curves of a recording as the page takes them.
//!
//! The four bytes `HTP1`, the length of a JSON header as a little-endian number of 32 bits, the header, then arrays one after the
//! other: the times of each clock, and for each curve its values, followed by tangents, weights and modes where it has any.
//! Curves with the same times share a clock, keys are in order of time, and keys whose time is not a number are left out: no
//! page can show them. What goes over the wire or into a page is zipped. `web/src/tape/decode.ts` reads it.

use std::collections::HashMap;
use std::io::{self, Write};
use std::rc::Rc;

use flate2::Compression;
use flate2::write::GzEncoder;
use holotape::format::Channels;
use holotape::{BezierKey, CurveId, CurveRef, Keys, LinearKey, Recording};
use serde::Serialize;

const MAGIC: &[u8; 4] = b"HTP1";

/// The tape of a recording, zipped.
///
/// ```
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let tape = holotape_viewer::tape::zipped(&take)?;
/// assert!(tape.len() < take.to_vec()?.0.len() / 2);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// None that is known: writing to memory does not fail.
pub fn gzipped(recording: &Recording) -> holotape::Result<Vec<u8>> {
    let mut zip = GzEncoder::new(Vec::new(), Compression::fast());
    write(recording, &mut zip)?;
    Ok(zip.finish()?)
}

/// Writes the tape of a recording, not zipped.
///
/// ```
/// let mut tape = Vec::new();
/// holotape_viewer::tape::write(&holotape::Recording::default(), &mut tape)?;
/// assert!(tape.starts_with(b"HTP1"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If writing fails.
pub fn write(recording: &Recording, mut out: impl Write) -> io::Result<()> {
    let mut clocks = TimeArrays::default();
    let tracks: Vec<_> =
        recording.curves().filter_map(|(id, curve)| PackedCurve::new(id, curve, &mut clocks)).collect();
    let header = serde_json::to_vec(&Header {
        channels: recording.channels().into(),
        duration_secs: duration_secs(recording),
        clocks: clocks.times.iter().map(|times| times.len()).collect(),
        curves: tracks.iter().map(|track| &track.head).collect(),
    })?;
    out.write_all(MAGIC)?;
    out.write_all(&u32::try_from(header.len()).map_err(io::Error::other)?.to_le_bytes())?;
    out.write_all(&header)?;
    let mut packer = DeltaWriter { out, bytes: Vec::new() };
    for times in &clocks.times {
        packer.write(times.iter().copied())?;
    }
    tracks.iter().try_for_each(|track| track.write(&mut packer))
}

/// How long a recording is, in a number that JSON has: keys at infinity do not count.
pub(crate) fn duration_secs(recording: &Recording) -> f32 {
    let ends = recording.curves().filter_map(|(_, curve)| curve.end_secs());
    ends.filter(|end| end.is_finite()).fold(0.0, f32::max)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Header<'a> {
    channels: HeaderChannels,
    duration_secs: f32,
    clocks: Vec<usize>,
    curves: Vec<&'a PackedCurveHeader>,
}

#[derive(Serialize)]
pub(crate) struct HeaderChannels {
    camera: bool,
    hands: bool,
    gaze: bool,
}

impl From<Channels> for HeaderChannels {
    fn from(Channels { camera, hands, gaze }: Channels) -> Self {
        Self { camera, hands, gaze }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PackedCurveHeader {
    name: String,
    sort: CurveKind,
    pre_wrap: i32,
    post_wrap: i32,
    clock: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum CurveKind {
    Linear,
    Bezier,
    Bool,
}

/// A curve and the order in which its keys are sent.
struct PackedCurve<'a> {
    head: PackedCurveHeader,
    keys: PackedKeys<'a>,
    /// Nothing if the keys are in order as they are.
    order: Option<Vec<usize>>,
}

enum PackedKeys<'a> {
    Linear(&'a [LinearKey]),
    Bezier(&'a [BezierKey]),
}

impl<'a> PackedCurve<'a> {
    /// Nothing for a curve without keys.
    fn new(id: CurveId, curve: CurveRef<'a>, clocks: &mut TimeArrays) -> Option<Self> {
        let keys = match curve {
            CurveRef::Bool(curve) => PackedKeys::Linear(&curve.keys),
            CurveRef::Float(curve) => match &curve.keys {
                Keys::Linear(keys) => PackedKeys::Linear(keys),
                Keys::Bezier(keys) => PackedKeys::Bezier(keys),
            },
        };
        let sort = match keys {
            _ if id.is_bool() => CurveKind::Bool,
            PackedKeys::Linear(_) => CurveKind::Linear,
            // Full keys that run straight need no tangents.
            PackedKeys::Bezier(keys) if keys.iter().all(BezierKey::is_linear) => CurveKind::Linear,
            PackedKeys::Bezier(_) => CurveKind::Bezier,
        };
        let mut times = keys.times();
        let order = order_of(&times);
        if let Some(order) = &order {
            times = order.iter().map(|&index| times[index]).collect();
        }
        if times.is_empty() {
            return None;
        }
        let (pre_wrap, post_wrap) = curve.wrap_modes();
        let clock = clocks.number_of(&times);
        let head =
            PackedCurveHeader { name: id.to_string(), sort, pre_wrap: pre_wrap.0, post_wrap: post_wrap.0, clock };
        Some(Self { head, keys, order })
    }

    fn write(&self, packer: &mut DeltaWriter<impl Write>) -> io::Result<()> {
        match self.keys {
            PackedKeys::Linear(keys) => packer.write(self.column(keys, |key| key.value.to_bits())),
            PackedKeys::Bezier(keys) => {
                packer.write(self.column(keys, |key| key.value.to_bits()))?;
                if self.head.sort == CurveKind::Linear {
                    return Ok(());
                }
                packer.write(self.column(keys, |key| key.in_tangent.to_bits()))?;
                packer.write(self.column(keys, |key| key.out_tangent.to_bits()))?;
                packer.write(self.column(keys, |key| key.in_weight.to_bits()))?;
                packer.write(self.column(keys, |key| key.out_weight.to_bits()))?;
                packer.write(self.column(keys, |key| key.weighted_mode.0.cast_unsigned()))
            }
        }
    }

    /// One number of each key, in the order in which keys are sent.
    fn column<K>(&self, keys: &[K], word: impl Fn(&K) -> u32) -> impl Iterator<Item = u32> {
        let count = self.order.as_ref().map_or(keys.len(), Vec::len);
        (0..count).map(move |place| word(&keys[self.order.as_ref().map_or(place, |order| order[place])]))
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

/// The places of these times in order, without those that are no numbers; nothing if they are in order already.
fn order_of(times: &[f32]) -> Option<Vec<usize>> {
    if times.is_sorted() && times.iter().all(|time| !time.is_nan()) {
        return None;
    }
    let mut order: Vec<_> = (0..times.len()).filter(|&index| !times[index].is_nan()).collect();
    // Adding zero makes -0 and 0 one time, as evaluation does.
    order.sort_by(|&a, &b| (times[a] + 0.0).total_cmp(&(times[b] + 0.0)));
    Some(order)
}

/// The different sequences of times that curves have, as bits.
#[derive(Default)]
struct TimeArrays {
    times: Vec<Rc<[u32]>>,
    numbers: HashMap<Rc<[u32]>, usize>,
}

impl TimeArrays {
    fn number_of(&mut self, times: &[f32]) -> usize {
        let times: Rc<[u32]> = times.iter().map(|time| time.to_bits()).collect();
        *self.numbers.entry(Rc::clone(&times)).or_insert_with(|| {
            self.times.push(times);
            self.times.len() - 1
        })
    }
}

/// Writes words of 32 bits so that they zip well: each as its difference from the one before, the sign in the lowest bit, and all
/// lowest bytes first, then all second ones, and so on. What changes little from key to key becomes long runs of one byte.
struct DeltaWriter<W> {
    out: W,
    bytes: Vec<u8>,
}

impl<W: Write> DeltaWriter<W> {
    fn write(&mut self, message: impl Iterator<Item = u32>) -> io::Result<()> {
        let folded: Vec<_> = zigzag_deltas(message).collect();
        self.bytes.clear();
        for shift in [0, 8, 16, 24] {
            self.bytes.extend(folded.iter().map(|word| (word >> shift) as u8));
        }
        self.out.write_all(&self.bytes)
    }
}

fn zigzag_deltas(message: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    message.scan(0_u32, |last, word| {
        let difference = word.wrapping_sub(*last).cast_signed();
        *last = word;
        Some((difference << 1 ^ difference >> 31).cast_unsigned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_steps_either_way_are_small_numbers() {
        let words = [10, 11, 9, 9, 0, u32::MAX];
        assert_eq!(zigzag_deltas(words.into_iter()).collect::<Vec<_>>(), [20, 2, 3, 0, 17, 1]);
    }

    #[test]
    fn times_out_of_order_are_put_in_order_and_those_that_are_none_left_out() {
        assert_eq!(order_of(&[0.0, 1.0, 1.0, 2.0]), None);
        assert_eq!(order_of(&[2.0, f32::NAN, 1.0, 2.0, 0.0]), Some(vec![4, 2, 0, 3]));
        assert_eq!(order_of(&[f32::NAN]), Some(vec![]));
    }

    #[test]
    fn curves_with_the_same_times_share_a_clock() {
        let mut clocks = TimeArrays::default();
        let numbers = [[0.0, 1.0], [0.0, 2.0], [0.0, 1.0]].map(|times| clocks.number_of(&times));
        assert_eq!(numbers, [0, 1, 0]);
    }
}
