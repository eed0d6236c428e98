//! Where parts, poses and components end, and where they should.

use super::CheckContext;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::vector::curves_without_lost_w;
use crate::{BodyPart, Curve, CurveRef, Hand, Recording, VectorId};

/// As many keys beside which one alone is suspicious.
const MIN_PEER_KEYS: usize = 4;

pub(super) fn check(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    for part in BodyPart::ALL {
        check_part(context, part, findings);
    }
}

fn check_part(context: CheckContext<'_>, part: BodyPart, findings: &mut FindingAggregator) {
    let tolerance = context.options.end_tolerance_secs;
    let vectors =
        context.recording.vectors().filter(|(vector, _)| vector.body_part() == part && !vector.is_none_slot());
    let ends: Vec<_> = vectors.filter_map(|(vector, curves)| VectorEnd::new(vector, curves)).collect();
    let Some(last) = ends.iter().map(|end| end.time_secs).reduce(f64::max) else { return };
    if let Some(expected) = expected_end(context, part).filter(|expected| expected - last > tolerance) {
        let ids: Vec<_> = ends.iter().flat_map(|end| end.vector.curve_ids()).collect();
        findings.add(
            FindingKind::EndsLost,
            &ids,
            Occurrences { count: 1, span_secs: Some([last, expected]), worst: expected - last },
        );
    }
    let max_keys = ends.iter().map(|end| end.key_count).max().unwrap_or(0);
    for VectorEnd { vector, time_secs, key_count } in ends.iter().filter(|end| last - end.time_secs > tolerance) {
        let is_single = *key_count == 1 && max_keys >= MIN_PEER_KEYS;
        let kind = if is_single { FindingKind::SingleKeys } else { FindingKind::EndsEarly };
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

/// When a part should end: the hands with the last of their being tracked, the rest with the recording.
fn expected_end(context: CheckContext<'_>, part: BodyPart) -> Option<f64> {
    // What was moved before 0 as a whole has no end that anything could be missing at.
    let end = Some(end_secs(context.recording)).filter(|end| *end > 0.0)?;
    match part {
        BodyPart::Camera | BodyPart::Gaze => Some(end),
        BodyPart::Hand(hand) => tracked_end(context, hand).map(|tracked| tracked.min(end)),
    }
}

fn tracked_end(context: CheckContext<'_>, hand: Hand) -> Option<f64> {
    context.tracked.hand(hand).iter().next_back().map(|span| span.end)
}

/// The latest time of any key.
pub(super) fn end_secs(recording: &Recording) -> f64 {
    recording.curves().filter_map(|(_, curve)| latest(curve.key_times())).fold(0.0, f64::max)
}

fn latest(times: impl Iterator<Item = f32>) -> Option<f64> {
    times.filter(|time| time.is_finite()).reduce(f32::max).map(f64::from)
}
