//! Body parts and poses that end too early.

use super::CheckContext;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::vector::curves_without_lost_w;
use crate::{BodyPart, Curve, CurveRef, Recording, VectorId};

/// If another pose has this many keys, a single key is suspicious.
const MIN_PEER_KEYS: usize = 4;

pub(super) fn check(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    for body_part in BodyPart::ALL {
        check_body_part(context, body_part, findings);
    }
}

fn check_body_part(context: CheckContext<'_>, body_part: BodyPart, findings: &mut FindingAggregator) {
    let tolerance = context.options.end_tolerance_secs;
    let vectors =
        context.recording.vectors().filter(|(vector, _)| vector.body_part() == body_part && !vector.is_none_slot());
    let ends: Vec<_> = vectors.filter_map(|(vector, curves)| VectorEnd::new(vector, curves)).collect();
    let Some(last) = ends.iter().map(|end| end.time_secs).reduce(f64::max) else { return };
    if let Some(expected) = expected_end(context, body_part).filter(|expected| expected - last > tolerance) {
        let ids: Vec<_> = ends.iter().flat_map(|end| end.vector.curve_ids()).collect();
        findings.add(
            FindingKind::MissingEnd,
            &ids,
            Occurrences { count: 1, span_secs: Some([last, expected]), worst: expected - last },
        );
    }
    let max_keys = ends.iter().map(|end| end.key_count).max().unwrap_or(0);
    for VectorEnd { vector, time_secs, key_count } in ends.iter().filter(|end| last - end.time_secs > tolerance) {
        let is_single = *key_count == 1 && max_keys >= MIN_PEER_KEYS;
        let kind = if is_single { FindingKind::IsolatedKeys } else { FindingKind::EarlyEnd };
        findings.add(kind, &vector.curve_ids(), Occurrences::single(*time_secs, last - time_secs));
    }
}

/// Where a vector ends.
struct VectorEnd {
    vector: VectorId,
    time_secs: f64,
    key_count: usize,
}

impl VectorEnd {
    /// By the component that ends first, and the fewest keys of any. `None` if a component has no keys.
    fn new(vector: VectorId, curves: &[Curve]) -> Option<Self> {
        let curves = curves_without_lost_w(curves);
        let ends: Option<Vec<_>> = curves.iter().map(|curve| latest(CurveRef::Float(curve).key_times())).collect();
        let key_count = curves.iter().map(|curve| curve.keys.len()).min()?;
        Some(Self { vector, time_secs: ends?.into_iter().reduce(f64::min)?, key_count })
    }
}

/// When a body part should end: a hand with its last tracked span, the camera and the gaze with the recording.
fn expected_end(context: CheckContext<'_>, body_part: BodyPart) -> Option<f64> {
    // A recording that was shifted to end before 0 has no known end.
    let end = Some(end_secs(context.recording)).filter(|end| *end > 0.0)?;
    match body_part {
        BodyPart::Camera | BodyPart::Gaze => Some(end),
        BodyPart::Hand(hand) => context.tracked.hand(hand).iter().next_back().map(|span| span.end.min(end)),
    }
}

/// The latest time of any key.
pub(super) fn end_secs(recording: &Recording) -> f64 {
    recording.curves().filter_map(|(_, curve)| latest(curve.key_times())).fold(0.0, f64::max)
}

fn latest(times: impl Iterator<Item = f32>) -> Option<f64> {
    times.filter(|time| time.is_finite()).reduce(f32::max).map(f64::from)
}
