//! Sorts keys and markers by time, and separates keys at one time.

use super::keys::{group_by_key_times, retain, retain_masked};
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::rules::find_unsorted;
use crate::curve::sort_by_time;
use crate::{BezierKey, BoolCurve, Curve, CurveId, Keys, Marker, Markers, Recording};

/// Sorts the keys of every curve. The sort is stable: of keys at one time, the last is the one that is used.
pub(super) fn sort_keys(recording: &mut Recording, repaired: &mut FindingAggregator) {
    for (vector, curves) in recording.vectors_mut() {
        let unsorted = curves.iter_mut().map(sort_curve);
        repaired.add_each(FindingKind::UnsortedTimes, vector.curve_ids().into_iter().zip(unsorted));
    }
    super::flags::for_each_mut(recording, |id, flag| {
        let unsorted = find_unsorted(flag.keys.iter().map(|key| key.time));
        if unsorted.count > 0 {
            sort_by_time(&mut flag.keys);
            repaired.add(FindingKind::UnsortedTimes, &[id], unsorted);
        }
    });
}

/// Sorts the keys of a curve and returns those that were out of order.
fn sort_curve(curve: &mut Curve) -> Occurrences {
    let unsorted = find_unsorted(curve.keys.iter().map(|key| key.time));
    match &mut curve.keys {
        _ if unsorted.count == 0 => {}
        Keys::Linear(keys) => sort_by_time(keys),
        Keys::Bezier(keys) => sort_by_time(keys),
    }
    unsorted
}

/// Makes the key times of every curve strictly increasing, without changing its motion. Of several keys at one time only
/// the first, where the curve arrives, and the last, where it continues, are evaluated. The first moves to the preceding
/// 32-bit time, and the others are dropped.
pub(super) fn separate_repeated_times(recording: &mut Recording, repaired: &mut FindingAggregator) {
    for (vector, curves) in recording.vectors_mut() {
        let ids = vector.curve_ids();
        for group in group_by_key_times(curves) {
            let times: Vec<_> = curves[group[0]].keys.iter().map(|key| key.time).collect();
            let is_same = |a: usize, b: usize| group.iter().all(|component| has_same_keys(&curves[*component], a, b));
            let (new_times, occurrences) = separate_times(&times, is_same);
            let ids: Vec<_> = group.iter().map(|component| ids[*component]).collect();
            repaired.add(FindingKind::RepeatedTimes, &ids, occurrences);
            if occurrences.count > 0 {
                group.iter().for_each(|component| set_times(&mut curves[*component], &new_times));
            }
        }
    }
    super::flags::for_each_mut(recording, |id: CurveId, flag: &mut BoolCurve| {
        let times: Vec<_> = flag.keys.iter().map(|key| key.time).collect();
        // A flag holds its value until the next key, so the first of several keys matters only before all other keys.
        let is_unused = |first: usize, last: usize| first > 0 || flag.keys[first].value == flag.keys[last].value;
        let (new_times, occurrences) = separate_times(&times, is_unused);
        repaired.add(FindingKind::RepeatedTimes, &[id], occurrences);
        flag.keys.iter_mut().zip(&new_times).for_each(|(key, time)| key.time = time.unwrap_or(key.time));
        retain_masked(&mut flag.keys, &is_kept(&new_times));
    });
}

/// Whether two keys of a curve differ in their times only.
fn has_same_keys(curve: &Curve, a: usize, b: usize) -> bool {
    match &curve.keys {
        Keys::Linear(keys) => keys[a].value == keys[b].value,
        Keys::Bezier(keys) => BezierKey { time: keys[b].time, ..keys[a] } == keys[b],
    }
}

/// The new time of each key, `None` for a key to drop, and the repeated times. `is_same(first, last)` returns whether the
/// first key of a time can be dropped.
fn separate_times(times: &[f32], is_same: impl Fn(usize, usize) -> bool) -> (Vec<Option<f32>>, Occurrences) {
    let mut new_times = Vec::with_capacity(times.len());
    let mut repeated = Vec::new();
    for group in times.chunk_by(|a, b| a == b) {
        let (first, last) = (new_times.len(), new_times.len() + group.len() - 1);
        if first < last {
            let earlier = group[0].next_down();
            // Without a segment before it, the first key is evaluated only at earlier times.
            let is_evaluated = if first > 0 { times[first - 1] < earlier } else { earlier > 0.0 };
            new_times.push((is_evaluated && !is_same(first, last)).then_some(earlier));
            new_times.resize(last, None);
            repeated.resize(repeated.len() + last - first, group[0]);
        }
        new_times.push(Some(times[last]));
    }
    (new_times, Occurrences::at_times(repeated))
}

fn is_kept(new_times: &[Option<f32>]) -> Vec<bool> {
    new_times.iter().map(Option::is_some).collect()
}

fn set_times(curve: &mut Curve, new_times: &[Option<f32>]) {
    curve.keys.iter_mut().zip(new_times).for_each(|((time, _), new)| *time = new.unwrap_or(*time));
    retain(curve, &is_kept(new_times));
}

/// Sorts markers by time; those at non-finite times come last.
pub(super) fn sort_markers(markers: &mut Markers, repaired: &mut FindingAggregator) {
    let unsorted = find_unsorted(markers.iter().map(|marker| marker.time));
    if unsorted.count > 0 {
        markers.sort_by(|a: &Marker, b: &Marker| marker_sort_key(a).total_cmp(&marker_sort_key(b)));
        repaired.add_to_markers(FindingKind::UnsortedMarkers, unsorted);
    }
}

/// -0 sorts as 0, and non-finite times after all others.
fn marker_sort_key(marker: &Marker) -> f32 {
    if marker.time.is_finite() { marker.time + 0.0 } else { f32::NAN }
}
