//! Keys in order of time, one at each time.

use super::keys::{group_by_key_times, retain, retain_masked};
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::curve::sort_by_time;
use crate::{BoolCurve, Curve, CurveId, Keys, Marker, Markers, Recording};

/// Puts the keys of every curve in order. Of keys at one time the order stays, and with it which of them counts.
pub(super) fn sort_keys(recording: &mut Recording, done: &mut FindingAggregator) {
    for (vector, curves) in recording.vectors_mut() {
        let unsorted = curves.iter_mut().map(sort_curve);
        done.add_each(FindingKind::UnsortedTimes, vector.curve_ids().into_iter().zip(unsorted));
    }
    super::flags::for_each_mut(recording, |id, flag| {
        let unsorted = find_unsorted(flag.keys.iter().map(|key| key.time));
        if unsorted.count > 0 {
            sort_by_time(&mut flag.keys);
            done.add(FindingKind::UnsortedTimes, &[id], unsorted);
        }
    });
}

/// Sorts the keys of a curve, if they are not in order, and says what was not.
fn sort_curve(curve: &mut Curve) -> Occurrences {
    let unsorted = find_unsorted(curve.keys.iter().map(|key| key.time));
    match &mut curve.keys {
        _ if unsorted.count == 0 => {}
        Keys::Linear(keys) => sort_by_time(keys),
        Keys::Bezier(keys) => sort_by_time(keys),
    }
    unsorted
}

/// The keys that are earlier than the one before. A time that is no number is neither early nor late.
fn find_unsorted(times: impl Iterator<Item = f32>) -> Occurrences {
    let mut seen = Occurrences::default();
    let mut before = f32::NEG_INFINITY;
    for time in times.filter(|time| time.is_finite()) {
        if time < before {
            seen.add(time.into(), 0.0);
        }
        before = time;
    }
    seen
}

/// Drops keys at the time of another, but for the last of them, which is the one that counts.
pub(super) fn drop_duplicate_times(recording: &mut Recording, done: &mut FindingAggregator) {
    for (vector, curves) in recording.vectors_mut() {
        let ids = vector.curve_ids();
        for group in group_by_key_times(curves) {
            let times: Vec<_> = curves[group[0]].keys.iter().map(|key| key.time).collect();
            let (marks, seen) = mask_duplicates(&times);
            let ids: Vec<_> = group.iter().map(|component| ids[*component]).collect();
            done.add(FindingKind::RepeatedTimes, &ids, seen);
            if seen.count > 0 {
                group.iter().for_each(|component| retain(&mut curves[*component], &marks));
            }
        }
    }
    super::flags::for_each_mut(recording, |id: CurveId, flag: &mut BoolCurve| {
        let times: Vec<_> = flag.keys.iter().map(|key| key.time).collect();
        let (marks, seen) = mask_duplicates(&times);
        done.add(FindingKind::RepeatedTimes, &[id], seen);
        retain_masked(&mut flag.keys, &marks);
    });
}

/// Which keys are the last of their time, and what was seen of the others.
fn mask_duplicates(times: &[f32]) -> (Vec<bool>, Occurrences) {
    let is_last = |at: usize| times.get(at + 1).is_none_or(|next| *next != times[at]);
    let marks: Vec<_> = (0..times.len()).map(is_last).collect();
    let mut seen = Occurrences::default();
    times.iter().zip(&marks).filter(|(_, mark)| !**mark).for_each(|(time, _)| seen.add((*time).into(), 0.0));
    (marks, seen)
}

/// Puts markers in order of time; those at no time come last.
pub(super) fn sort_markers(markers: &mut Markers, done: &mut FindingAggregator) {
    let unsorted = find_unsorted(markers.iter().map(|marker| marker.time));
    if unsorted.count > 0 {
        markers.sort_by(|a: &Marker, b: &Marker| marker_sort_key(a).total_cmp(&marker_sort_key(b)));
        done.add_to_markers(FindingKind::UnsortedMarkers, unsorted);
    }
}

/// A time that sorts as it should: -0 as 0, and what is no number behind all that is.
fn marker_sort_key(marker: &Marker) -> f32 {
    if marker.time.is_finite() { marker.time + 0.0 } else { f32::NAN }
}
