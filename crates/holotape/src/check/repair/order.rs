//! Keys in order of time, one at each time.

use super::keys::{groups_by_times, retain, retain_marked};
use crate::check::Fault;
use crate::check::bundle::for_each_bundle_mut;
use crate::check::tally::{Seen, Tally};
use crate::curve::sort_by_time;
use crate::{BoolCurve, Curve, CurveId, Keys, Marker, Markers, Recording};

/// Puts the keys of every curve in order. Of keys at one time the order stays, and with it which of them counts.
pub(super) fn sort_keys(recording: &mut Recording, done: &mut Tally) {
    for_each_bundle_mut(recording, |bundle| {
        let ids = bundle.ids();
        done.add_each(Fault::UnsortedTimes, ids.into_iter().zip(bundle.curves.iter_mut().map(sort_curve)));
    });
    super::flags::for_each_mut(recording, |id, flag| {
        let unsorted = unsorted(flag.keys.iter().map(|key| key.time));
        if unsorted.count > 0 {
            sort_by_time(&mut flag.keys);
            done.add(Fault::UnsortedTimes, &[id], unsorted);
        }
    });
}

/// Sorts the keys of a curve, if they are not in order, and says what was not.
fn sort_curve(curve: &mut Curve) -> Seen {
    let unsorted = unsorted(curve.keys.iter().map(|key| key.time));
    match &mut curve.keys {
        _ if unsorted.count == 0 => {}
        Keys::Linear(keys) => sort_by_time(keys),
        Keys::Bezier(keys) => sort_by_time(keys),
    }
    unsorted
}

/// The keys that are earlier than the one before. A time that is no number is neither early nor late.
fn unsorted(times: impl Iterator<Item = f32>) -> Seen {
    let mut seen = Seen::default();
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
pub(super) fn drop_repeats(recording: &mut Recording, done: &mut Tally) {
    for_each_bundle_mut(recording, |bundle| {
        for group in groups_by_times(bundle.curves) {
            let times: Vec<_> = bundle.curves[group[0]].keys.iter().map(|key| key.time).collect();
            let (marks, seen) = last_of_each_time(&times);
            let ids: Vec<_> = group.iter().map(|component| bundle.id(*component)).collect();
            done.add(Fault::RepeatedTimes, &ids, seen);
            if seen.count > 0 {
                group.iter().for_each(|component| retain(&mut bundle.curves[*component], &marks));
            }
        }
    });
    super::flags::for_each_mut(recording, |id: CurveId, flag: &mut BoolCurve| {
        let times: Vec<_> = flag.keys.iter().map(|key| key.time).collect();
        let (marks, seen) = last_of_each_time(&times);
        done.add(Fault::RepeatedTimes, &[id], seen);
        retain_marked(&mut flag.keys, &marks);
    });
}

/// Which keys are the last of their time, and what was seen of the others.
fn last_of_each_time(times: &[f32]) -> (Vec<bool>, Seen) {
    let is_last = |at: usize| times.get(at + 1).is_none_or(|next| *next != times[at]);
    let marks: Vec<_> = (0..times.len()).map(is_last).collect();
    let mut seen = Seen::default();
    times.iter().zip(&marks).filter(|(_, mark)| !**mark).for_each(|(time, _)| seen.add((*time).into(), 0.0));
    (marks, seen)
}

/// Puts markers in order of time; those at no time come last.
pub(super) fn sort_markers(markers: &mut Markers, done: &mut Tally) {
    let unsorted = unsorted(markers.iter().map(|marker| marker.time));
    if unsorted.count > 0 {
        markers.sort_by(|a: &Marker, b: &Marker| time_order(a).total_cmp(&time_order(b)));
        done.add_to_markers(Fault::UnsortedMarkers, unsorted);
    }
}

/// A time that sorts as it should: -0 as 0, and what is no number behind all that is.
fn time_order(marker: &Marker) -> f32 {
    if marker.time.is_finite() { marker.time + 0.0 } else { f32::NAN }
}
