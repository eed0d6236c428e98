//! The flag changes and markers of a recording, in order of time.

use std::sync::Arc;

use super::EventKind;
use crate::{BoolCurve, BoolEvaluator, Hand, HandCurves, Recording};

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
    moments: Vec<TimelinePoint>,
    marker_names: Vec<Arc<str>>,
}

impl Timeline {
    pub(super) fn new(recording: &Recording) -> Self {
        let end = f64::from(recording.duration_secs());
        let curves = Hand::ALL.map(|hand| recording.hand(hand)).map(FlagCurves::new);
        let evaluators = curves.each_ref().map(FlagCurves::evaluators);
        let flags_at = |time| Flags(evaluators.each_ref().map(|hand| hand.at(time)));
        let mut moments = Vec::new();
        let mut flags = flags_at(0.0);
        for time_secs in key_times(&curves).into_iter().filter(|time| (0.0..=end).contains(time)) {
            let before = std::mem::replace(&mut flags, flags_at(time_secs));
            if flags != before {
                moments.push(TimelinePoint { time_secs, flags, marker: None });
            }
        }
        for (index, marker) in recording.markers.iter().enumerate() {
            // Adding zero makes -0 and 0 the same time.
            let time_secs = f64::from(marker.time) + 0.0;
            if (0.0..=end).contains(&time_secs) {
                moments.push(TimelinePoint { time_secs, flags: flags_at(time_secs), marker: Some(index) });
            }
        }
        moments.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        let marker_names = recording.markers.iter().map(|marker| marker.name.as_str().into()).collect();
        Self { at_zero: flags_at(0.0), moments, marker_names }
    }

    pub(super) fn len(&self) -> usize {
        self.moments.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<TimelinePoint> {
        self.moments.get(index).copied()
    }

    /// The index of the first point at or after a time.
    pub(super) fn first_at_or_after(&self, time_secs: f64) -> usize {
        self.moments.partition_point(|moment| moment.time_secs < time_secs)
    }

    pub(super) fn flags_at(&self, time_secs: f64) -> Flags {
        let after = self.moments.partition_point(|moment| moment.time_secs <= time_secs);
        self.moments[..after].last().map_or(self.at_zero, |moment| moment.flags)
    }

    pub(super) fn marker_name(&self, index: usize) -> Arc<str> {
        self.marker_names[index].clone()
    }
}

/// The flags of a hand, clamped at both ends: a repeating curve could change any number of times.
struct FlagCurves {
    tracked: BoolCurve,
    pinching: BoolCurve,
}

impl FlagCurves {
    fn new(hand: &HandCurves) -> Self {
        let clamped = |curve: &BoolCurve| curve.keys.iter().copied().collect();
        Self { tracked: clamped(&hand.tracked), pinching: clamped(&hand.pinching) }
    }

    fn evaluators(&self) -> FlagEvaluators<'_> {
        FlagEvaluators { tracked: self.tracked.evaluator(), pinching: self.pinching.evaluator() }
    }
}

struct FlagEvaluators<'a> {
    tracked: BoolEvaluator<'a>,
    pinching: BoolEvaluator<'a>,
}

impl FlagEvaluators<'_> {
    fn at(&self, time: f64) -> HandFlags {
        HandFlags { tracked: self.tracked.value_at(time), pinching: self.pinching.value_at(time) }
    }
}

fn key_times(hands: &[FlagCurves; 2]) -> Vec<f64> {
    let curves = hands.iter().flat_map(|hand| [&hand.tracked, &hand.pinching]);
    let mut times: Vec<_> = curves.flat_map(|curve| curve.keys.iter().map(|key| f64::from(key.time))).collect();
    times.sort_by(f64::total_cmp);
    times
}
