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
    decode_curves(source, index.curves(), &mut recording)?;
    recording.markers = Markers::from(index.markers_from(source)?);
    Ok(recording)
}

/// Decodes the first curves into a recording that has the format already.
pub(super) fn decode_curves(
    source: &mut impl ByteSource,
    spans: &[CurveLocation],
    recording: &mut Recording,
) -> Result<()> {
    decode_selected(source, spans, recording, |_| true)
}

/// Decodes the selected curves.
pub(super) fn decode_selected(
    source: &mut impl ByteSource,
    spans: &[CurveLocation],
    recording: &mut Recording,
    mut wanted: impl FnMut(CurveId) -> bool,
) -> Result<()> {
    let keys = recording.format.layout.keys();
    for (span, slot) in spans.iter().zip(recording.curves_mut()).filter(|(span, _)| wanted(span.id)) {
        let bytes = source.bytes(span.key_range.clone())?;
        match slot {
            CurveMut::Float(curve) => *curve = float_curve(span, keys, bytes),
            CurveMut::Bool(curve) => *curve = bool_curve(span, bytes),
        }
    }
    Ok(())
}

fn float_curve(span: &CurveLocation, keys: KeyLayout, bytes: &[u8]) -> Curve {
    Curve {
        pre_wrap: span.pre_wrap,
        post_wrap: span.post_wrap,
        keys: match keys {
            KeyLayout::Compact => Keys::Linear(linear_keys(bytes)),
            KeyLayout::Full => Keys::Bezier(bezier_keys(bytes)),
        },
    }
}

fn bool_curve(span: &CurveLocation, bytes: &[u8]) -> BoolCurve {
    BoolCurve { pre_wrap: span.pre_wrap, post_wrap: span.post_wrap, keys: linear_keys(bytes) }
}

fn linear_keys(bytes: &[u8]) -> Vec<LinearKey> {
    bytes.as_chunks().0.iter().map(linear_key).collect()
}

fn bezier_keys(bytes: &[u8]) -> Vec<BezierKey> {
    bytes.as_chunks().0.iter().map(bezier_key).collect()
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
