//! Markers out of order, out of time, or outside the recording.

use super::CheckContext;
use super::ends::end_secs;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};

pub(super) fn check(scene: CheckContext<'_>, tally: &mut FindingAggregator) {
    let times = || scene.recording.markers.iter().map(|marker| f64::from(marker.time));
    let finite: Vec<_> = times().filter(|time| time.is_finite()).collect();
    tally.add_to_markers(FindingKind::NonFiniteTimes, Occurrences::counted(times().count() - finite.len()));
    let mut unsorted = Occurrences::default();
    finite.windows(2).filter(|pair| pair[1] < pair[0]).for_each(|pair| unsorted.add(pair[1], 0.0));
    tally.add_to_markers(FindingKind::UnsortedMarkers, unsorted);
    let recorded = 0.0..=end_secs(scene.recording);
    let mut outside = Occurrences::default();
    finite.iter().filter(|time| !recorded.contains(*time)).for_each(|time| outside.add(*time, 0.0));
    tally.add_to_markers(FindingKind::MarkersOutside, outside);
}
