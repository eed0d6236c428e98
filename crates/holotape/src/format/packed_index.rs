//! Indexes of many files in little memory.

use super::index::{CurveLocation, Index, IndexHeader, LayoutEvidence};
use super::walk::{CURVE_HEADER_BYTES, MarkerList};
use super::{Channels, Format, Layout};
use crate::{CurveId, WrapMode};

/// The layouts, in the order of their numbers in bytes.
const LAYOUTS: [Layout; 3] = [Layout::Full10, Layout::Full11, Layout::Compact11];

/// A file of this size does not exist. Sums of smaller offsets do not overflow.
const MAX_FILE_BYTES: u64 = 1 << 62;

/// An [`Index`] in about a tenth of its memory, for caches of thousands.
///
/// ```
/// use holotape::format::Index;
///
/// # let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.to_vec()?;
/// let index = Index::from_slice(&bytes)?;
/// assert_eq!(index.pack().unpack(), index);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedIndex {
    header: IndexHeader,
    /// The offset of the first curve. The others follow without gaps.
    body_at: u64,
    /// The number of keys of each curve.
    key_counts: Box<[u32]>,
    wraps: Box<[WrapRun]>,
}

/// The wrap modes of consecutive curves; usually of all.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WrapRun {
    modes: [WrapMode; 2],
    curves: u32,
}

impl Index {
    /// Packs the index.
    #[must_use]
    pub fn pack(&self) -> PackedIndex {
        let mut wraps: Vec<WrapRun> = Vec::new();
        for curve in &self.curves {
            let modes = [curve.pre_wrap, curve.post_wrap];
            match wraps.last_mut().filter(|last| last.modes == modes) {
                Some(last) => last.curves += 1,
                None => wraps.push(WrapRun { modes, curves: 1 }),
            }
        }
        PackedIndex {
            header: self.header,
            body_at: self.curves.first().map_or(0, |curve| curve.header_at),
            key_counts: self.curves.iter().map(|curve| curve.key_count).collect(),
            wraps: wraps.into(),
        }
    }
}

impl PackedIndex {
    /// Unpacks the index.
    #[must_use]
    pub fn unpack(&self) -> Index {
        let wraps = self.wraps.iter().flat_map(|wraps| std::iter::repeat_n(wraps.modes, wraps.curves as usize));
        let IndexHeader { format, channels, .. } = self.header;
        let mut at = self.body_at;
        let curve = |((id, key_count), [pre_wrap, post_wrap]): ((CurveId, &u32), [WrapMode; 2])| {
            let header_at = at;
            let keys_at = header_at + CURVE_HEADER_BYTES;
            at = keys_at + u64::from(*key_count) * format.layout.keys().key_bytes_of(id);
            CurveLocation { id, pre_wrap, post_wrap, key_count: *key_count, header_at, key_range: keys_at..at }
        };
        let curves = CurveId::all(channels).zip(&self.key_counts).zip(wraps).map(curve).collect();
        Index { header: self.header, curves }
    }
}

/// The bytes of an index, for caches on disk. They are valid for the same version of this crate.
impl PackedIndex {
    /// Returns the index as bytes.
    ///
    /// ```
    /// use holotape::format::{Index, PackedIndex};
    ///
    /// # let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.to_vec()?;
    /// let packed = Index::from_slice(&bytes)?.pack();
    /// assert_eq!(PackedIndex::from_bytes(&packed.to_bytes()), Some(packed));
    /// assert_eq!(PackedIndex::from_bytes(&bytes), None);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let IndexHeader { format, evidence, channels, markers, byte_len } = self.header;
        let Channels { camera, hands, gaze } = channels;
        let mut bytes = vec![
            number_in(&LAYOUTS, &format.layout),
            number_in(&LayoutEvidence::ALL, &evidence),
            camera.into(),
            hands.into(),
            gaze.into(),
            markers.is_some().into(),
        ];
        let MarkerList { at, count } = markers.unwrap_or(MarkerList { at: 0, count: 0 });
        for number in [at, count as u64, byte_len, self.body_at] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend((self.key_counts.len() as u64).to_le_bytes());
        self.key_counts.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
        for WrapRun { modes: [pre, post], curves } in &self.wraps {
            [pre.0.to_le_bytes(), post.0.to_le_bytes(), curves.to_le_bytes()].iter().for_each(|it| bytes.extend(it));
        }
        bytes
    }

    /// Reads the bytes of [`to_bytes`](Self::to_bytes); `None` if they are not those of an index, or if a curve would be outside of the
    /// indexed file.
    #[must_use]
    pub fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let [layout, evidence, camera, hands, gaze, has_markers] = take(&mut bytes)?;
        let [camera, hands, gaze, has_markers] = [camera, hands, gaze, has_markers].map(|flag| flag != 0);
        let mut number = || take(&mut bytes).map(u64::from_le_bytes).filter(|number| *number <= MAX_FILE_BYTES);
        let [at, count, byte_len, body_at, curve_count] = [number()?, number()?, number()?, number()?, number()?];
        let header = IndexHeader {
            format: Format { layout: *LAYOUTS.get(usize::from(layout))?, marker_list: has_markers },
            evidence: *LayoutEvidence::ALL.get(usize::from(evidence))?,
            channels: Channels { camera, hands, gaze },
            markers: has_markers.then_some(MarkerList { at, count: usize::try_from(count).ok()? }),
            byte_len,
        };
        if curve_count != CurveId::all(header.channels).count() as u64 || at > byte_len || count > byte_len {
            return None;
        }
        let key_counts = (0..curve_count).map(|_| take(&mut bytes).map(u32::from_le_bytes)).collect::<Option<_>>()?;
        let mut wraps = Vec::new();
        while !bytes.is_empty() {
            let modes = [take(&mut bytes)?, take(&mut bytes)?].map(|mode| WrapMode(i32::from_le_bytes(mode)));
            wraps.push(WrapRun { modes, curves: u32::from_le_bytes(take(&mut bytes)?) });
        }
        let wrap_count: u64 = wraps.iter().map(|wraps| u64::from(wraps.curves)).sum();
        let packed = Self { header, body_at, key_counts, wraps: wraps.into() };
        let is_inside = |curve: &CurveLocation| curve.key_range.end <= byte_len;
        (wrap_count == curve_count && packed.unpack().curves.last().is_none_or(is_inside)).then_some(packed)
    }
}

fn number_in<T: PartialEq>(all: &[T], value: &T) -> u8 {
    // There are a few values.
    all.iter().position(|it| it == value).unwrap_or_default() as u8
}

/// Splits off the first bytes.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index of two hands, with some markers.
    fn index_bytes() -> Vec<u8> {
        let channels = Channels { camera: false, hands: true, gaze: false };
        let curve_count = CurveId::all(channels).count() as u32;
        let header = IndexHeader {
            format: Format { layout: Layout::Compact11, marker_list: true },
            evidence: LayoutEvidence::Structure,
            channels,
            markers: Some(MarkerList { at: 99_000, count: 3 }),
            byte_len: 100_000,
        };
        let wraps = [(1, WrapMode::LOOP), (curve_count - 1, WrapMode::CLAMP_FOREVER)];
        let wraps = wraps.map(|(curves, mode)| WrapRun { modes: [mode, mode], curves }).into();
        PackedIndex { header, body_at: 13, key_counts: (0..curve_count).map(|n| n % 7).collect(), wraps }.to_bytes()
    }

    #[test]
    fn changed_bytes_are_rejected_or_stay_inside_the_file() {
        let bytes = index_bytes();
        assert_eq!(PackedIndex::from_bytes(&bytes).map(|index| index.to_bytes()), Some(bytes.clone()));
        for at in 0..bytes.len() {
            assert_eq!(PackedIndex::from_bytes(&bytes[..at]), None, "{at} bytes");
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                let Some(index) = PackedIndex::from_bytes(&changed) else { continue };
                let index = index.unpack();
                assert_eq!(index.curves.len(), CurveId::all(index.channels()).count(), "byte {at}");
                assert!(index.curves.iter().all(|curve| curve.key_range.end <= index.byte_len()), "byte {at}");
                assert!(index.marker_count() as u64 <= index.byte_len(), "byte {at}");
            }
        }
    }
}
