//! Missing keys: of components, of joints, and of joints while the hand is tracked.

use std::ops::Range;

use super::CheckContext;
use super::ends::end_secs;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::vector::{curves_without_lost_w, have_shared_times};
use crate::{Curve, CurveId, Hand, Joint, PoseComponent, PoseCurves};

pub(super) fn check(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    check_components(context, findings);
    for hand in Hand::ALL {
        check_empty_joints(context, hand, findings);
        check_tracked_spans(context, hand, findings);
    }
}

fn check_components(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    let vectors: Vec<_> =
        context.recording.vectors().map(|(vector, curves)| (vector, curves_without_lost_w(curves))).collect();
    let is_empty = |curve: &Curve| curve.keys.is_empty();
    for of_owner in vectors.chunk_by(|(a, _), (b, _)| a.owner() == b.owner()) {
        let mut curves = of_owner.iter().flat_map(|(_, curves)| *curves);
        if curves.clone().any(is_empty) && !curves.all(is_empty) {
            let ids: Vec<_> = of_owner.iter().flat_map(|(vector, _)| vector.curve_ids()).collect();
            findings.add(FindingKind::IncompletePose, &ids, Occurrences::counted(1));
        }
        for (vector, curves) in of_owner {
            if !curves.iter().any(is_empty) && !have_shared_times(curves) {
                findings.add(FindingKind::ComponentTimesDiffer, &vector.curve_ids(), Occurrences::counted(1));
            }
        }
    }
}

fn check_empty_joints(context: CheckContext<'_>, hand: Hand, findings: &mut FindingAggregator) {
    let curves = context.recording.hand(hand);
    let (empty, filled): (Vec<_>, Vec<_>) = joints_without_none().partition(|joint| is_empty(curves.joint(*joint)));
    if filled.is_empty() {
        return;
    }
    for joint in empty {
        findings.add(FindingKind::EmptyJoints, &ids(hand, joint), Occurrences::counted(1));
    }
}

/// Each joint that has any keys should have some in each tracked span.
fn check_tracked_spans(context: CheckContext<'_>, hand: Hand, findings: &mut FindingAggregator) {
    let key_times = |joint| (joint, key_times(context.recording.hand(hand).joint(joint)));
    let joints: Vec<_> = joints_without_none().map(key_times).filter(|(_, times)| !times.is_empty()).collect();
    let mut without_any = Occurrences::default();
    let mut without = vec![Occurrences::default(); joints.len()];
    for span in tracked_spans(context, hand) {
        let occurrences = Occurrences { count: 1, span_secs: Some([span.start, span.end]), worst: 0.0 };
        let tolerance = context.options.end_tolerance_secs;
        let near = span.start - tolerance..span.end + tolerance;
        let has_keys: Vec<_> = joints.iter().map(|(_, times)| has_any_in(times, &near)).collect();
        if !has_keys.contains(&true) {
            without_any = without_any.plus(occurrences);
            continue;
        }
        let lacking = without.iter_mut().zip(has_keys).filter(|(_, has_keys)| !has_keys);
        lacking.for_each(|(without, _)| *without = without.plus(occurrences));
    }
    findings.add(FindingKind::TrackedWithoutJoints, &[CurveId::Tracked(hand)], without_any);
    for ((joint, _), occurrences) in joints.iter().zip(without) {
        findings.add(FindingKind::MissingKeys, &ids(hand, *joint), occurrences);
    }
}

/// The tracked spans of a hand within the recording that are long enough to have keys.
fn tracked_spans(context: CheckContext<'_>, hand: Hand) -> impl Iterator<Item = Range<f64>> {
    let end = end_secs(context.recording);
    // Before its first key the flag has no start time; the recording starts at 0.
    let within = context.tracked.hand(hand).iter().map(move |span| span.start.max(0.0)..span.end.min(end));
    within.filter(move |span| span.end - span.start > context.options.end_tolerance_secs)
}

fn joints_without_none() -> impl Iterator<Item = Joint> {
    Joint::ALL.into_iter().filter(|joint| *joint != Joint::None)
}

fn ids(hand: Hand, joint: Joint) -> [CurveId; 7] {
    PoseComponent::ALL.map(|component| CurveId::Joint(hand, joint, component))
}

fn is_empty(pose: &PoseCurves) -> bool {
    pose.position.iter().chain(&pose.rotation).all(|curve| curve.keys.is_empty())
}

/// The sorted key times of the position and the rotation.
fn key_times(pose: &PoseCurves) -> Vec<f64> {
    let keys = [&pose.position[0], &pose.rotation[0]].into_iter().flat_map(|curve| curve.keys.iter());
    let mut times: Vec<_> = keys.map(|key| f64::from(key.time)).filter(|time| time.is_finite()).collect();
    times.sort_by(f64::total_cmp);
    times
}

fn has_any_in(times: &[f64], span: &Range<f64>) -> bool {
    let first = times.partition_point(|time| *time < span.start);
    times.get(first).is_some_and(|time| *time <= span.end)
}
