//! Keys that are out of order, at one time, or at no time.

use super::CheckContext;
use crate::CurveRef;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};

pub(super) fn check(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    let looks = [
        (FindingKind::UnsortedTimes, unsorted as TimeCheck),
        (FindingKind::RepeatedTimes, repeated),
        (FindingKind::NonFiniteTimes, non_finite),
    ];
    for (fault, look) in looks {
        for (vector, curves) in context.recording.vectors() {
            let occurrences = curves.iter().map(|curve| look(&times_of(CurveRef::Float(curve))));
            findings.add_each(fault, vector.curve_ids().into_iter().zip(occurrences));
        }
        for (id, flag) in context.recording.curves().filter(|(id, _)| id.is_bool()) {
            findings.add(fault, &[id], look(&times_of(flag)));
        }
    }
}

type TimeCheck = fn(&[f32]) -> Occurrences;

/// Whether the times of keys are numbers that rise from each to the next.
pub(in crate::check) fn has_increasing_times(curve: CurveRef<'_>) -> bool {
    let times = times_of(curve);
    times.iter().all(|time| time.is_finite()) && times.is_sorted_by(|a, b| a < b)
}

fn times_of(curve: CurveRef<'_>) -> Vec<f32> {
    curve.key_times().collect()
}

fn finite(times: &[f32]) -> Vec<f32> {
    times.iter().copied().filter(|time| time.is_finite()).collect()
}

fn unsorted(times: &[f32]) -> Occurrences {
    let mut occurrences = Occurrences::default();
    for pair in finite(times).windows(2).filter(|pair| pair[1] < pair[0]) {
        occurrences.add(pair[1].into(), 0.0);
    }
    occurrences
}

fn repeated(times: &[f32]) -> Occurrences {
    let mut times = finite(times);
    if !times.is_sorted() {
        times.sort_by(f32::total_cmp);
    }
    let mut occurrences = Occurrences::default();
    for pair in times.windows(2).filter(|pair| pair[0] == pair[1]) {
        occurrences.add(pair[1].into(), 0.0);
    }
    occurrences
}

fn non_finite(times: &[f32]) -> Occurrences {
    Occurrences::counted(times.iter().filter(|time| !time.is_finite()).count())
}
