//! Decodes a file with a valid [`Index`] into a [`Recording`]. Only reading can fail here.

use super::KeyLayout;
use super::index::{CurveLocation, Index};
use super::source::ByteSource;
use crate::error::Result;
use crate::recording::CurveMut;
use crate::{BezierKey, BoolCurve, Curve, CurveId, Keys, LinearKey, Markers, Recording, WeightedMode};

pub(super) fn decode(source: &mut impl ByteSource, index: &Index) -> Result<Recording> {
    let mut recording = Recording::with_channels(index.channels());
    recording.format = index.format();
    decode_curves(source, index.curves(), &mut recording, |_| true)?;
    recording.markers = Markers::from(index.markers_from(source)?);
    Ok(recording)
}

/// Decodes the selected curves into a recording that has the format already.
pub(super) fn decode_curves(
    source: &mut impl ByteSource,
    locations: &[CurveLocation],
    recording: &mut Recording,
    mut is_selected: impl FnMut(CurveId) -> bool,
) -> Result<()> {
    let layout = recording.format.layout.keys();
    for (location, slot) in locations.iter().zip(recording.curves_mut()).filter(|(it, _)| is_selected(it.id)) {
        let bytes = source.bytes(location.key_range.clone())?;
        let (pre_wrap, post_wrap) = (location.pre_wrap, location.post_wrap);
        match (slot, layout) {
            (CurveMut::Float(curve), KeyLayout::Compact) => {
                *curve = Curve { pre_wrap, post_wrap, keys: Keys::Linear(linear_keys(bytes)) };
            }
            (CurveMut::Float(curve), KeyLayout::Full) => {
                let keys = bytes.as_chunks().0.iter().map(bezier_key).collect();
                *curve = Curve { pre_wrap, post_wrap, keys: Keys::Bezier(keys) };
            }
            (CurveMut::Bool(curve), _) => *curve = BoolCurve { pre_wrap, post_wrap, keys: linear_keys(bytes) },
        }
    }
    Ok(())
}

fn linear_keys(bytes: &[u8]) -> Vec<LinearKey> {
    bytes.as_chunks().0.iter().map(linear_key).collect()
}

pub(crate) fn linear_key(bytes: &[u8; 8]) -> LinearKey {
    LinearKey::new(float(bytes, 0), float(bytes, 1))
}

fn bezier_key(bytes: &[u8; 28]) -> BezierKey {
    BezierKey {
        time: float(bytes, 0),
        value: float(bytes, 1),
        in_tangent: float(bytes, 2),
        out_tangent: float(bytes, 3),
        in_weight: float(bytes, 4),
        out_weight: float(bytes, 5),
        weighted_mode: WeightedMode(i32::from_le_bytes(word(bytes, 6))),
    }
}

fn float(bytes: &[u8], index: usize) -> f32 {
    f32::from_le_bytes(word(bytes, index))
}

fn word(bytes: &[u8], index: usize) -> [u8; 4] {
    let at = 4 * index;
    [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
}
