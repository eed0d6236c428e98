//! Whether keys are where they should be: components together, joints together, joints while the hand is tracked.

use std::ops::Range;

use super::CheckContext;
use super::ends::end_secs;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::vector_curves::{times_agree, vector_pairs};
use crate::{Curve, CurveId, Hand, Joint, PoseComponent, PoseCurves};

pub(super) fn check(scene: CheckContext<'_>, tally: &mut FindingAggregator) {
    check_components(scene, tally);
    for hand in Hand::ALL {
        check_empty_joints(scene, hand, tally);
        check_tracked_spans(scene, hand, tally);
    }
}

fn check_components(scene: CheckContext<'_>, tally: &mut FindingAggregator) {
    for pair in vector_pairs(scene.recording) {
        let is_empty = |curve: &Curve| curve.keys.is_empty();
        let mut curves = pair.iter().flat_map(|bundle| bundle.valid_curves());
        let ids = pair.each_ref().map(|bundle| bundle.ids()).concat();
        if curves.clone().any(is_empty) && !curves.all(is_empty) {
            tally.add(FindingKind::IncompletePose, &ids, Occurrences::counted(1));
        }
        for bundle in &pair {
            let curves = bundle.valid_curves();
            if !curves.iter().any(is_empty) && !times_agree(curves) {
                tally.add(FindingKind::ComponentTimesDiffer, &bundle.ids(), Occurrences::counted(1));
            }
        }
    }
}

fn check_empty_joints(scene: CheckContext<'_>, hand: Hand, tally: &mut FindingAggregator) {
    let curves = scene.recording.hand(hand);
    let (empty, filled): (Vec<_>, Vec<_>) = joints_without_none().partition(|joint| is_empty(curves.joint(*joint)));
    if filled.is_empty() {
        return;
    }
    for joint in empty {
        tally.add(FindingKind::EmptyJoints, &ids(hand, joint), Occurrences::counted(1));
    }
}

/// Each joint that has keys at all should have some in each span in which the hand was tracked.
fn check_tracked_spans(scene: CheckContext<'_>, hand: Hand, tally: &mut FindingAggregator) {
    let key_times = |joint| (joint, key_times(scene.recording.hand(hand).joint(joint)));
    let joints: Vec<_> = joints_without_none().map(key_times).filter(|(_, times)| !times.is_empty()).collect();
    let mut without_any = Occurrences::default();
    let mut without = vec![Occurrences::default(); joints.len()];
    for span in tracked_spans(scene, hand) {
        let seen = Occurrences { count: 1, span_secs: Some([span.start, span.end]), worst: 0.0 };
        let tolerance = scene.options.end_tolerance_secs;
        let near = span.start - tolerance..span.end + tolerance;
        let has_keys: Vec<_> = joints.iter().map(|(_, times)| has_any_in(times, &near)).collect();
        if !has_keys.contains(&true) {
            without_any = without_any.plus(seen);
            continue;
        }
        let lacking = without.iter_mut().zip(has_keys).filter(|(_, has_keys)| !has_keys);
        lacking.for_each(|(without, _)| *without = without.plus(seen));
    }
    tally.add(FindingKind::TrackedWithoutJoints, &[CurveId::Tracked(hand)], without_any);
    for ((joint, _), seen) in joints.iter().zip(without) {
        tally.add(FindingKind::KeysMissing, &ids(hand, *joint), seen);
    }
}

/// The spans in which a hand was tracked, within the recording, that are long enough to have keys.
fn tracked_spans(scene: CheckContext<'_>, hand: Hand) -> impl Iterator<Item = Range<f64>> {
    let end = end_secs(scene.recording);
    // A recording begins at 0 even where the flag says nothing of when the hand was found.
    let within = scene.recorded.hand(hand).iter().map(move |span| span.start.max(0.0)..span.end.min(end));
    within.filter(move |span| span.end - span.start > scene.options.end_tolerance_secs)
}

fn joints_without_none() -> impl Iterator<Item = Joint> {
    Joint::ALL.into_iter().filter(|joint| *joint != Joint::None)
}

fn ids(hand: Hand, joint: Joint) -> [CurveId; 7] {
    PoseComponent::ALL.map(|part| CurveId::Joint(hand, joint, part))
}

fn is_empty(pose: &PoseCurves) -> bool {
    pose.position.iter().chain(&pose.rotation).all(|curve| curve.keys.is_empty())
}

/// The times of the position's and the rotation's keys, in order.
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
