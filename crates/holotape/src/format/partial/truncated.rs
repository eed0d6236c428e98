//! The curve that a walk stopped at, and those of its keys that are there.

use crate::error::Result;
use crate::format::KeyLayout;
use crate::format::decode::linear_key;
use crate::format::index::CurveLocation;
use crate::format::source::ByteSource;
use crate::format::walk::{CURVE_HEADER_BYTES, header_ints};
use crate::{CurveId, WrapMode};

/// A curve of which not all keys could be read.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// use holotape::check::{SalvageOptions, salvage};
///
/// let (bytes, _) = recording.to_vec()?;
/// let truncated = salvage(&bytes[..19 + 12 + 80], &SalvageOptions::new())?.truncated.unwrap();
/// assert_eq!(truncated.id.to_string(), "camera.position.x");
/// assert_eq!((truncated.kept_keys, truncated.promised_keys), (10, Some(61)));
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TruncatedCurve {
    /// Which curve.
    pub id: CurveId,
    /// The number of keys that were read.
    pub kept_keys: usize,
    /// The number of keys in the header, if it is plausible.
    pub promised_keys: Option<usize>,
}

/// The header of a curve that may be damaged.
#[derive(Clone, Copy, Debug)]
pub(super) struct CurveHeader {
    id: CurveId,
    at: u64,
    pre_wrap: WrapMode,
    post_wrap: WrapMode,
    /// `None` if it is negative.
    key_count: Option<u32>,
}

impl CurveHeader {
    pub(super) fn new(id: CurveId, at: u64, bytes: &[u8; CURVE_HEADER_BYTES as usize]) -> Self {
        let [pre_wrap, post_wrap, count] = header_ints(bytes);
        let [pre_wrap, post_wrap] = [pre_wrap, post_wrap].map(WrapMode);
        Self { id, at, pre_wrap, post_wrap, key_count: count.try_into().ok() }
    }

    /// Whether the wrap modes are those of all known files. If not, the bytes are not a header.
    pub(super) fn is_plausible(&self) -> bool {
        [self.pre_wrap, self.post_wrap] == [WrapMode::CLAMP_FOREVER; 2]
    }

    /// Reads the keys that follow, as far as they are plausible: a damaged count promises too many, and after the last
    /// key comes the next curve.
    pub(super) fn with_keys(
        &self,
        source: &mut impl ByteSource,
        keys: KeyLayout,
    ) -> Result<(CurveLocation, TruncatedCurve)> {
        let key_bytes = keys.key_bytes_of(self.id);
        let start = self.at + CURVE_HEADER_BYTES;
        let max_keys = source.byte_len().saturating_sub(start) / key_bytes;
        let promised = self.key_count.map_or(max_keys, u64::from).min(max_keys);
        let mut kept: u32 = 0;
        let mut before = f32::NEG_INFINITY;
        while u64::from(kept) < promised {
            let time = linear_key(&source.array(start + u64::from(kept) * key_bytes)?).time;
            if !(is_time(time) && time >= before) {
                break;
            }
            before = time;
            kept += 1;
        }
        let key_range = start..start + u64::from(kept) * key_bytes;
        let &Self { id, at: header_at, pre_wrap, post_wrap, key_count } = self;
        let promised_keys = key_count.map(|count| count as usize);
        let span = CurveLocation { id, pre_wrap, post_wrap, key_count: kept, header_at, key_range };
        Ok((span, TruncatedCurve { id, kept_keys: kept as usize, promised_keys }))
    }
}

/// Whether this can be a time. The small integers of a curve's header, read as one, are so small that no clock has them.
fn is_time(time: f32) -> bool {
    time == 0.0 || time.is_normal()
}
