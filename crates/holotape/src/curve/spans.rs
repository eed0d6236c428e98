//! The spans in which a boolean curve is true, found key by key.

use std::ops::Range;

use super::BoolCurve;
use crate::LinearKey;

/// Collects the spans of a boolean curve from its keys, sorted by time. Keys at non-finite times are ignored.
#[derive(Default)]
pub(crate) struct SpanBuilder {
    spans: Vec<Range<f64>>,
    start: Option<f64>,
    last_time: Option<f64>,
    is_unsorted: bool,
}

impl SpanBuilder {
    pub(crate) fn push(&mut self, key: LinearKey) {
        let time = f64::from(key.time);
        if !time.is_finite() {
            return;
        }
        let is_first = self.last_time.is_none();
        self.is_unsorted |= self.last_time.is_some_and(|last| last > time);
        self.last_time = Some(time);
        match (self.start, key.value > 0.5) {
            (None, true) if is_first => self.start = Some(f64::NEG_INFINITY),
            (None, true) => self.start = Some(self.resume_span(time)),
            (Some(start), false) => self.end_span(start..time),
            _ => {}
        }
    }

    /// The spans; `None` if the keys were not sorted by time.
    pub(crate) fn finish(mut self) -> Option<Vec<Range<f64>>> {
        if let Some(start) = self.start {
            self.end_span(start..f64::INFINITY);
        }
        (!self.is_unsorted).then_some(self.spans)
    }

    /// The start of the span that contains a time: of the last span, if a key at the same time has ended it.
    fn resume_span(&mut self, time: f64) -> f64 {
        self.spans.pop_if(|span| span.end == time).map_or(time, |span| span.start)
    }

    fn end_span(&mut self, span: Range<f64>) {
        self.start = None;
        // Of several keys at one time only the last counts.
        if !span.is_empty() {
            self.spans.push(span);
        }
    }
}

impl BoolCurve {
    /// Returns the spans in which the curve is true, in order. A curve has the value of its first key before that key, so
    /// the first span may start at negative infinity, and the last may end at infinity. Repeating wrap modes are ignored.
    ///
    /// ```
    /// use holotape::{BoolCurve, LinearKey};
    ///
    /// let keys = [(0.0, 0.0), (2.0, 1.0), (3.0, 0.0), (5.0, 1.0)].map(|(time, value)| LinearKey::new(time, value));
    /// assert_eq!(BoolCurve::from_iter(keys).spans_secs(), [2.0..3.0, 5.0..f64::INFINITY]);
    /// ```
    #[must_use]
    pub fn spans_secs(&self) -> Vec<Range<f64>> {
        let spans = |keys: &[LinearKey]| {
            let mut spans = SpanBuilder::default();
            keys.iter().for_each(|key| spans.push(*key));
            spans.finish()
        };
        spans(&self.keys).unwrap_or_else(|| {
            let mut sorted = self.keys.clone();
            sorted.retain(|key| key.time.is_finite());
            super::sort_by_time(&mut sorted);
            spans(&sorted).unwrap_or_default()
        })
    }

    /// Returns the spans in which the curve is true, limited to a recording of this duration. Spans that are empty within
    /// the recording are omitted. Tracked spans, pinches and their statistics are counted by this rule everywhere.
    ///
    /// ```
    /// use holotape::{BoolCurve, LinearKey};
    ///
    /// let keys = [(2.0, 1.0), (3.0, 0.0), (5.0, 1.0)].map(|(time, value)| LinearKey::new(time, value));
    /// assert_eq!(BoolCurve::from_iter(keys).spans_within_secs(6.0), [0.0..3.0, 5.0..6.0]);
    /// ```
    #[must_use]
    pub fn spans_within_secs(&self, duration_secs: f64) -> Vec<Range<f64>> {
        clip_spans(self.spans_secs(), duration_secs)
    }
}

/// The total length of spans.
pub(crate) fn total_secs(spans: &[Range<f64>]) -> f64 {
    // Not `sum`, which is -0 for no spans.
    spans.iter().fold(0.0, |total, span| total + (span.end - span.start))
}

/// The parts of spans between 0 and the end of a recording.
pub(crate) fn clip_spans(spans: Vec<Range<f64>>, duration_secs: f64) -> Vec<Range<f64>> {
    let clipped = spans.into_iter().map(|span| span.start.max(0.0)..span.end.min(duration_secs));
    clipped.filter(|span| !span.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use crate::{BoolCurve, LinearKey};

    #[test]
    fn keys_at_one_time_do_not_split_a_span() {
        let spans = |keys: &[(f32, f32)]| {
            keys.iter().map(|&(time, value)| LinearKey::new(time, value)).collect::<BoolCurve>().spans_secs()
        };
        let (started, ended) = ([(0.0, 0.0), (1.0, 1.0)], (3.0, 0.0));
        assert_eq!(spans(&[&started[..], &[(2.0, 0.0), (2.0, 1.0), ended]].concat()), [1.0..3.0]);
        assert_eq!(
            spans(&[&started[..], &[(2.0, 0.0), (2.0, 1.0), (2.0, 0.0), (2.0, 1.0), ended]].concat()),
            [1.0..3.0]
        );
        assert_eq!(spans(&[&started[..], &[(2.0, 0.0), (2.0, 1.0), (2.0, 0.0), ended]].concat()), [1.0..2.0]);
        assert_eq!(spans(&[(1.0, 1.0), (1.0, 0.0), (1.0, 1.0), ended]), [f64::NEG_INFINITY..3.0]);
    }
}
