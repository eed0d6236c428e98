//! Keys that are out of order, at one time, or at no time.

use super::Scene;
use crate::CurveRef;
use crate::check::Fault;
use crate::check::bundle::bundles;
use crate::check::tally::{Seen, Tally};

pub(super) fn check(scene: Scene<'_>, tally: &mut Tally) {
    let looks = [
        (Fault::UnsortedTimes, unsorted as Look),
        (Fault::RepeatedTimes, repeated),
        (Fault::NonFiniteTimes, non_finite),
    ];
    for (fault, look) in looks {
        for bundle in bundles(scene.recording) {
            let seen = bundle.curves.iter().map(|curve| look(&times_of(CurveRef::Float(curve))));
            tally.add_each(fault, bundle.ids().into_iter().zip(seen));
        }
        for (id, flag) in scene.recording.curves().filter(|(id, _)| id.is_bool()) {
            tally.add(fault, &[id], look(&times_of(flag)));
        }
    }
}

type Look = fn(&[f32]) -> Seen;

/// Whether the times of keys are numbers that rise from each to the next.
pub(in crate::check) fn has_rising_times(curve: CurveRef<'_>) -> bool {
    let times = times_of(curve);
    times.iter().all(|time| time.is_finite()) && times.is_sorted_by(|a, b| a < b)
}

fn times_of(curve: CurveRef<'_>) -> Vec<f32> {
    match curve {
        CurveRef::Float(curve) => curve.keys.iter().map(|key| key.time).collect(),
        CurveRef::Bool(curve) => curve.keys.iter().map(|key| key.time).collect(),
    }
}

fn finite(times: &[f32]) -> Vec<f32> {
    times.iter().copied().filter(|time| time.is_finite()).collect()
}

fn unsorted(times: &[f32]) -> Seen {
    let mut seen = Seen::default();
    for pair in finite(times).windows(2).filter(|pair| pair[1] < pair[0]) {
        seen.add(pair[1].into(), 0.0);
    }
    seen
}

fn repeated(times: &[f32]) -> Seen {
    let mut times = finite(times);
    if !times.is_sorted() {
        times.sort_by(f32::total_cmp);
    }
    let mut seen = Seen::default();
    for pair in times.windows(2).filter(|pair| pair[0] == pair[1]) {
        seen.add(pair[1].into(), 0.0);
    }
    seen
}

fn non_finite(times: &[f32]) -> Seen {
    Seen::times(times.iter().filter(|time| !time.is_finite()).count())
}
