//! Markers that are unsorted, at non-finite times, or outside the recording.

use super::CheckContext;
use super::ends::end_secs;
use super::times::find_unsorted;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};

pub(super) fn check(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    let times = || context.recording.markers.iter().map(|marker| marker.time);
    let non_finite = times().filter(|time| !time.is_finite()).count();
    findings.add_to_markers(FindingKind::NonFiniteTimes, Occurrences::counted(non_finite));
    findings.add_to_markers(FindingKind::UnsortedMarkers, find_unsorted(times()));
    let recorded = 0.0..=end_secs(context.recording);
    let outside = times().filter(|time| time.is_finite() && !recorded.contains(&f64::from(*time)));
    findings.add_to_markers(FindingKind::MarkersOutOfRange, Occurrences::at_times(outside));
}
