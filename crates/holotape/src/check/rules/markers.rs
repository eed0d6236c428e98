//! Markers out of order, out of time, or outside the recording.

use super::Scene;
use super::ends::end_secs;
use crate::check::Fault;
use crate::check::tally::{Seen, Tally};

pub(super) fn check(scene: Scene<'_>, tally: &mut Tally) {
    let times = || scene.recording.markers.iter().map(|marker| f64::from(marker.time));
    let finite: Vec<_> = times().filter(|time| time.is_finite()).collect();
    tally.add_to_markers(Fault::NonFiniteTimes, Seen::times(times().count() - finite.len()));
    let mut unsorted = Seen::default();
    finite.windows(2).filter(|pair| pair[1] < pair[0]).for_each(|pair| unsorted.add(pair[1], 0.0));
    tally.add_to_markers(Fault::UnsortedMarkers, unsorted);
    let recorded = 0.0..=end_secs(scene.recording);
    let mut outside = Seen::default();
    finite.iter().filter(|time| !recorded.contains(*time)).for_each(|time| outside.add(*time, 0.0));
    tally.add_to_markers(Fault::MarkersOutside, outside);
}
