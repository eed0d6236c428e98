//! The flag changes and markers of a recording, in order of time.

use std::sync::Arc;

use super::EventKind;
use crate::{BoolCurve, Hand, HandCurves, Recording};

/// The flags of both hands, left and right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags([HandFlags; 2]);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct HandFlags {
    tracked: bool,
    pinching: bool,
}

impl Flags {
    /// The events that lead from these flags to `other`. A pinch ends before its hand is lost and starts after it is
    /// found.
    pub(super) fn changes_to(self, other: Self) -> impl Iterator<Item = EventKind> {
        Hand::ALL.into_iter().zip(self.0.into_iter().zip(other.0)).flat_map(|(hand, (before, after))| {
            let kinds = [
                (before.pinching && !after.pinching, EventKind::PinchEnded(hand)),
                (before.tracked && !after.tracked, EventKind::HandLost(hand)),
                (!before.tracked && after.tracked, EventKind::HandFound(hand)),
                (!before.pinching && after.pinching, EventKind::PinchStarted(hand)),
            ];
            kinds.into_iter().filter_map(|(is_so, kind)| is_so.then_some(kind))
        })
    }
}

/// A time at which flags change or a marker is, or both.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimelinePoint {
    pub(super) time_secs: f64,
    /// The flags from here on.
    pub(super) flags: Flags,
    /// The index of the marker.
    pub(super) marker: Option<usize>,
}

/// The points from 0 to the end of a recording.
#[derive(Clone, Debug)]
pub(super) struct Timeline {
    at_zero: Flags,
    points: Vec<TimelinePoint>,
    marker_names: Vec<Arc<str>>,
}

impl Timeline {
    pub(super) fn new(recording: &Recording) -> Self {
        let end = f64::from(recording.duration_secs());
        let curves = Hand::ALL.map(|hand| clamped_flags(recording.hand(hand)));
        let evaluators = curves.each_ref().map(|flags| flags.each_ref().map(BoolCurve::evaluator));
        let flags_at = |time| {
            Flags(evaluators.each_ref().map(|[tracked, pinching]| HandFlags {
                tracked: tracked.value_at(time),
                pinching: pinching.value_at(time),
            }))
        };
        let mut points = Vec::new();
        let mut flags = flags_at(0.0);
        for time_secs in key_times(&curves).into_iter().filter(|time| (0.0..=end).contains(time)) {
            let before = std::mem::replace(&mut flags, flags_at(time_secs));
            if flags != before {
                points.push(TimelinePoint { time_secs, flags, marker: None });
            }
        }
        for (index, marker) in recording.markers.iter().enumerate() {
            // Adding zero makes -0 and 0 the same time.
            let time_secs = f64::from(marker.time) + 0.0;
            if (0.0..=end).contains(&time_secs) {
                points.push(TimelinePoint { time_secs, flags: flags_at(time_secs), marker: Some(index) });
            }
        }
        points.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        let marker_names = recording.markers.iter().map(|marker| marker.name.as_str().into()).collect();
        Self { at_zero: flags_at(0.0), points, marker_names }
    }

    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<TimelinePoint> {
        self.points.get(index).copied()
    }

    /// The index of the first point at or after a time.
    pub(super) fn first_at_or_after(&self, time_secs: f64) -> usize {
        self.points.partition_point(|point| point.time_secs < time_secs)
    }

    pub(super) fn flags_at(&self, time_secs: f64) -> Flags {
        let after = self.points.partition_point(|point| point.time_secs <= time_secs);
        self.points[..after].last().map_or(self.at_zero, |point| point.flags)
    }

    pub(super) fn marker_name(&self, index: usize) -> Arc<str> {
        self.marker_names[index].clone()
    }
}

/// The flags of a hand, clamped at both ends: a repeating curve could change any number of times.
fn clamped_flags(hand: &HandCurves) -> [BoolCurve; 2] {
    [&hand.tracked, &hand.pinching].map(|curve| curve.keys.iter().copied().collect())
}

fn key_times(hands: &[[BoolCurve; 2]; 2]) -> Vec<f64> {
    let keys = hands.as_flattened().iter().flat_map(|curve| &curve.keys);
    let mut times: Vec<_> = keys.map(|key| f64::from(key.time)).collect();
    times.sort_by(f64::total_cmp);
    times
}
