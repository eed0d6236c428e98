//! Markers out of order, out of time, or outside the recording.

use super::CheckContext;
use super::ends::end_secs;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};

pub(super) fn check(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    let times = || context.recording.markers.iter().map(|marker| f64::from(marker.time));
    let finite: Vec<_> = times().filter(|time| time.is_finite()).collect();
    findings.add_to_markers(FindingKind::NonFiniteTimes, Occurrences::counted(times().count() - finite.len()));
    let mut unsorted = Occurrences::default();
    finite.windows(2).filter(|pair| pair[1] < pair[0]).for_each(|pair| unsorted.add(pair[1], 0.0));
    findings.add_to_markers(FindingKind::UnsortedMarkers, unsorted);
    let recorded = 0.0..=end_secs(context.recording);
    let mut outside = Occurrences::default();
    finite.iter().filter(|time| !recorded.contains(*time)).for_each(|time| outside.add(*time, 0.0));
    findings.add_to_markers(FindingKind::MarkersOutside, outside);
}
