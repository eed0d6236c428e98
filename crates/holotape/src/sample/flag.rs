//! A boolean curve that remembers the span it was asked about last: it seldom changes.

use std::ops::Range;

use crate::BoolCurve;
use crate::curve::BoolEvaluator;

#[derive(Clone, Debug)]
pub(super) struct CachedFlag {
    curve: BoolEvaluator<'static>,
    span: Range<f64>,
    value: bool,
}

impl CachedFlag {
    pub(super) fn new(curve: &BoolCurve) -> Self {
        // A span that no time is in, so that the first time looks for its own.
        Self { curve: curve.evaluator().into_owned(), span: f64::NAN..f64::NAN, value: false }
    }

    #[inline]
    pub(super) fn at(&mut self, time: f64) -> bool {
        if !self.span.contains(&time) {
            self.value = self.curve.value_at(time);
            self.span = self.curve.constant_span_at(time);
        }
        self.value
    }
}
