//! Sorts keys and markers by time, and drops duplicate times.

use super::keys::{group_by_key_times, retain, retain_masked};
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::check::rules::find_unsorted;
use crate::curve::sort_by_time;
use crate::{BoolCurve, Curve, CurveId, Keys, Marker, Markers, Recording};

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

/// Drops all but the last of several keys at one time, which is the one that is used.
pub(super) fn drop_duplicate_times(recording: &mut Recording, repaired: &mut FindingAggregator) {
    for (vector, curves) in recording.vectors_mut() {
        let ids = vector.curve_ids();
        for group in group_by_key_times(curves) {
            let times: Vec<_> = curves[group[0]].keys.iter().map(|key| key.time).collect();
            let (is_kept, occurrences) = mask_duplicates(&times);
            let ids: Vec<_> = group.iter().map(|component| ids[*component]).collect();
            repaired.add(FindingKind::RepeatedTimes, &ids, occurrences);
            if occurrences.count > 0 {
                group.iter().for_each(|component| retain(&mut curves[*component], &is_kept));
            }
        }
    }
    super::flags::for_each_mut(recording, |id: CurveId, flag: &mut BoolCurve| {
        let times: Vec<_> = flag.keys.iter().map(|key| key.time).collect();
        let (is_kept, occurrences) = mask_duplicates(&times);
        repaired.add(FindingKind::RepeatedTimes, &[id], occurrences);
        retain_masked(&mut flag.keys, &is_kept);
    });
}

/// Masks the keys to keep, which are the last of their time, and returns the others as occurrences.
fn mask_duplicates(times: &[f32]) -> (Vec<bool>, Occurrences) {
    let is_last = |at: usize| times.get(at + 1).is_none_or(|next| *next != times[at]);
    let is_kept: Vec<_> = (0..times.len()).map(is_last).collect();
    let dropped = times.iter().zip(&is_kept).filter(|(_, is_kept)| !**is_kept);
    let occurrences = Occurrences::at_times(dropped.map(|(time, _)| *time));
    (is_kept, occurrences)
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
