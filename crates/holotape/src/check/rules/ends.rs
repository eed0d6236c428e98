//! Where parts, poses and components end, and where they should.

use super::CheckContext;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::vector_curves::{VectorCurves, VectorOwner, vectors};
use crate::{BodyPart, Curve, CurveRef, Hand, PoseId, Recording};

/// As many keys beside which one alone is suspicious.
const MIN_PEER_KEYS: usize = 4;

pub(super) fn check(scene: CheckContext<'_>, tally: &mut FindingAggregator) {
    for part in BodyPart::ALL {
        check_part(scene, part, tally);
    }
}

fn check_part(scene: CheckContext<'_>, part: BodyPart, tally: &mut FindingAggregator) {
    let tolerance = scene.options.end_tolerance_secs;
    let bundles: Vec<_> = vectors(scene.recording)
        .filter(|bundle| part_of(bundle.owner) == part && !bundle.owner.is_none_slot())
        .filter_map(|bundle| Some((bundle_end(&bundle)?, bundle)))
        .collect();
    let Some(last) = bundles.iter().map(|(end, _)| *end).reduce(f64::max) else { return };
    if let Some(expected) = expected_end(scene, part).filter(|expected| expected - last > tolerance) {
        let ids: Vec<_> = bundles.iter().flat_map(|(_, bundle)| bundle.ids()).collect();
        tally.add(
            FindingKind::EndsLost,
            &ids,
            Occurrences { count: 1, span_secs: Some([last, expected]), worst: expected - last },
        );
    }
    let most_keys = bundles.iter().map(|(_, bundle)| key_count(bundle)).max().unwrap_or(0);
    for (end, bundle) in bundles.iter().filter(|(end, _)| last - end > tolerance) {
        let is_single = key_count(bundle) == 1 && most_keys >= MIN_PEER_KEYS;
        let fault = if is_single { FindingKind::SingleKeys } else { FindingKind::EndsEarly };
        tally.add(fault, &bundle.ids(), Occurrences::single(*end, last - end));
    }
}

fn part_of(owner: VectorOwner) -> BodyPart {
    match owner {
        VectorOwner::Pose(PoseId::Camera) => BodyPart::Camera,
        VectorOwner::Pose(PoseId::Joint(hand, _)) => BodyPart::Hand(hand),
        VectorOwner::Gaze => BodyPart::Gaze,
    }
}

/// When a part should end: the hands with the last of their being tracked, the rest with the recording.
fn expected_end(scene: CheckContext<'_>, part: BodyPart) -> Option<f64> {
    // What was moved before 0 as a whole has no end that anything could be missing at.
    let end = Some(end_secs(scene.recording)).filter(|end| *end > 0.0)?;
    match part {
        BodyPart::Camera | BodyPart::Gaze => Some(end),
        BodyPart::Hand(hand) => tracked_end(scene, hand).map(|tracked| tracked.min(end)),
    }
}

fn tracked_end(scene: CheckContext<'_>, hand: Hand) -> Option<f64> {
    scene.recorded.hand(hand).iter().next_back().map(|span| span.end)
}

/// The latest time of any key.
pub(super) fn end_secs(recording: &Recording) -> f64 {
    let ends = recording.curves().filter_map(|(_, curve)| match curve {
        CurveRef::Float(curve) => latest(curve.keys.iter().map(|key| key.time)),
        CurveRef::Bool(curve) => latest(curve.keys.iter().map(|key| key.time)),
    });
    ends.fold(0.0, f64::max)
}

fn latest(times: impl Iterator<Item = f32>) -> Option<f64> {
    times.filter(|time| time.is_finite()).reduce(f32::max).map(f64::from)
}

/// Where the first of the components ends.
fn bundle_end(bundle: &VectorCurves<&[Curve]>) -> Option<f64> {
    let ends: Option<Vec<_>> =
        bundle.valid_curves().iter().map(|curve| latest(curve.keys.iter().map(|key| key.time))).collect();
    ends?.into_iter().reduce(f64::min)
}

fn key_count(bundle: &VectorCurves<&[Curve]>) -> usize {
    bundle.valid_curves().iter().map(|curve| curve.keys.len()).min().unwrap_or(0)
}
