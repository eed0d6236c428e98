//! The spans in which hands are tracked.

use std::ops::Range;

use crate::{Hand, PoseId, Recording, VectorId, VectorOwner};

/// Sorted spans of time in which keys were recorded rather than interpolated.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spans(Vec<Range<f64>>);

impl Spans {
    /// One span over all times.
    pub(super) fn unbounded() -> Self {
        Self(vec![f64::NEG_INFINITY..f64::INFINITY])
    }

    /// The index of the span that contains a time.
    pub(super) fn find(&self, time: f64) -> Option<usize> {
        let after = self.0.partition_point(|span| span.start <= time);
        after.checked_sub(1).filter(|&span| time < self.0[span].end)
    }

    pub(super) fn in_same_span(&self, a: f64, b: f64) -> bool {
        self.find(a).is_some_and(|span| self.find(b) == Some(span))
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Range<f64>> {
        self.0.iter()
    }
}

/// When each body part was recorded: hands while they are tracked, camera and gaze always.
#[derive(Clone, Debug)]
pub(super) struct TrackedSpans {
    always: Spans,
    hands: [Spans; 2],
}

impl TrackedSpans {
    pub(super) fn new(recording: &Recording) -> Self {
        let hands = Hand::ALL.map(|hand| Spans(recording.hand(hand).tracked.spans_secs()));
        Self { always: Spans::unbounded(), hands }
    }

    /// When a hand is tracked, by its flag.
    pub(super) fn hand(&self, hand: Hand) -> &Spans {
        &self.hands[hand as usize]
    }

    /// The spans within which consecutive keys of a vector are compared. All of time if the hand is never tracked.
    pub(super) fn for_vector(&self, id: VectorId) -> &Spans {
        match id.owner() {
            VectorOwner::Pose(PoseId::Joint(hand, _)) if !self.hand(hand).0.is_empty() => self.hand(hand),
            _ => &self.always,
        }
    }
}
