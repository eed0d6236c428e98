//! When a hand was tracked.

use std::ops::Range;

use crate::{Hand, PoseId, Recording, VectorId, VectorOwner};

/// Spans of time, in order, in which keys were really recorded.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spans(Vec<Range<f64>>);

impl Spans {
    /// All of time.
    pub(super) fn unbounded() -> Self {
        Self(vec![f64::NEG_INFINITY..f64::INFINITY])
    }

    /// Which span a time is in.
    pub(super) fn find(&self, time: f64) -> Option<usize> {
        let after = self.0.partition_point(|span| span.start <= time);
        after.checked_sub(1).filter(|&span| time < self.0[span].end)
    }

    /// Whether two times are in one span.
    pub(super) fn in_same_span(&self, a: f64, b: f64) -> bool {
        self.find(a).is_some_and(|span| self.find(b) == Some(span))
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Range<f64>> {
        self.0.iter()
    }
}

/// When each part of a recording was really recorded: the hands while they were tracked, the rest always.
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

    /// When a hand was tracked, by its flag.
    pub(super) fn hand(&self, hand: Hand) -> &Spans {
        &self.hands[hand as usize]
    }

    /// When the keys of something belong together. Of a hand that was never tracked, if it has keys, all do.
    pub(super) fn for_vector(&self, id: VectorId) -> &Spans {
        match id.owner() {
            VectorOwner::Pose(PoseId::Joint(hand, _)) if !self.hand(hand).0.is_empty() => self.hand(hand),
            _ => &self.always,
        }
    }
}
