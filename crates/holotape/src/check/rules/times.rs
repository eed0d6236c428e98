//! Keys at unsorted, repeated or non-finite times.

use super::CheckContext;
use crate::CurveRef;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};

pub(super) fn check(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    let checks = [
        (FindingKind::UnsortedTimes, unsorted as TimeCheck),
        (FindingKind::RepeatedTimes, repeated),
        (FindingKind::NonFiniteTimes, non_finite),
    ];
    for (kind, check) in checks {
        for (vector, curves) in context.recording.vectors() {
            let occurrences = curves.iter().map(|curve| check(CurveRef::Float(curve)));
            findings.add_each(kind, vector.curve_ids().into_iter().zip(occurrences));
        }
        for (id, flag) in context.recording.curves().filter(|(id, _)| id.is_bool()) {
            findings.add(kind, &[id], check(flag));
        }
    }
}

type TimeCheck = fn(CurveRef<'_>) -> Occurrences;

/// Whether all key times are finite and strictly increasing.
pub(in crate::check) fn has_increasing_times(curve: CurveRef<'_>) -> bool {
    curve.key_times().all(f32::is_finite) && curve.key_times().is_sorted_by(|a, b| a < b)
}

/// The times that are earlier than the one before. Non-finite times are neither early nor late.
pub(in crate::check) fn find_unsorted(times: impl Iterator<Item = f32>) -> Occurrences {
    let mut previous = f32::NEG_INFINITY;
    let is_early = |time: &f32| *time < std::mem::replace(&mut previous, *time);
    Occurrences::at_times(times.filter(|time| time.is_finite()).filter(is_early))
}

fn unsorted(curve: CurveRef<'_>) -> Occurrences {
    find_unsorted(curve.key_times())
}

fn repeated(curve: CurveRef<'_>) -> Occurrences {
    let mut times: Vec<_> = curve.key_times().filter(|time| time.is_finite()).collect();
    if !times.is_sorted() {
        times.sort_by(f32::total_cmp);
    }
    Occurrences::at_times(times.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[1]))
}

fn non_finite(curve: CurveRef<'_>) -> Occurrences {
    Occurrences::counted(curve.key_times().filter(|time| !time.is_finite()).count())
}
