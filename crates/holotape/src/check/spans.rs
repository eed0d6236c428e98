//! When a hand was tracked.

use std::ops::Range;

use super::bundle::Owner;
use crate::{Hand, PoseId, Recording};

/// Spans of time, in order, in which keys were really recorded.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spans(Vec<Range<f64>>);

impl Spans {
    /// All of time.
    pub(super) fn always() -> Self {
        Self(vec![f64::NEG_INFINITY..f64::INFINITY])
    }

    /// Which span a time is in.
    pub(super) fn find(&self, time: f64) -> Option<usize> {
        let after = self.0.partition_point(|span| span.start <= time);
        after.checked_sub(1).filter(|&span| time < self.0[span].end)
    }

    /// Whether two times are in one span.
    pub(super) fn join(&self, a: f64, b: f64) -> bool {
        self.find(a).is_some_and(|span| self.find(b) == Some(span))
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Range<f64>> {
        self.0.iter()
    }
}

/// When each part of a recording was really recorded: the hands while they were tracked, the rest always.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    always: Spans,
    hands: [Spans; 2],
}

impl Recorded {
    pub(super) fn new(recording: &Recording) -> Self {
        let hands = Hand::ALL.map(|hand| Spans(recording.hand(hand).tracked.spans_secs()));
        Self { always: Spans::always(), hands }
    }

    /// When a hand was tracked, by its flag.
    pub(super) fn hand(&self, hand: Hand) -> &Spans {
        &self.hands[hand as usize]
    }

    /// When the keys of something belong together. Of a hand that was never tracked, if it has keys, all do.
    pub(super) fn of(&self, owner: Owner) -> &Spans {
        match owner {
            Owner::Pose(PoseId::Joint(hand, _)) if !self.hand(hand).0.is_empty() => self.hand(hand),
            _ => &self.always,
        }
    }
}
