//! A flag that caches the span of its last value, because flags change rarely.

use std::ops::Range;
use std::sync::Arc;

use crate::BoolCurve;
use crate::curve::BoolEvaluator;

#[derive(Clone, Debug)]
pub(super) struct CachedFlag {
    /// Clones share the keys.
    curve: Arc<BoolEvaluator<'static>>,
    span: Range<f64>,
    value: bool,
}

impl CachedFlag {
    pub(super) fn new(curve: &BoolCurve) -> Self {
        // No time is in this span, so the first evaluation searches for one.
        Self { curve: Arc::new(curve.evaluator().into_owned()), span: f64::NAN..f64::NAN, value: false }
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
