//! Indexes of many files in little memory.

use super::index::{CurveLocation, Index, IndexHeader};
use super::walk::CURVE_HEADER_BYTES;
use crate::{CurveId, WrapMode};

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
