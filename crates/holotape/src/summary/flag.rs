//! The spans in which a flag is set.

use std::ops::Range;

use crate::curve::{clip_spans, total_secs};

/// The spans in which a flag is set, between 0 and the end of the recording, by the rule of
/// [`BoolCurve::spans_within_secs`](crate::BoolCurve::spans_within_secs).
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().generate()?;
/// # let summary = holotape::Summary::from_recording(&recording);
/// let pinching = &summary.hand(holotape::Hand::Right).pinching;
/// println!("{} pinches, {:.1} s total", pinching.count, pinching.total_secs);
/// # assert!(pinching.count > 0);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FlagSummary {
    /// Number of spans.
    pub count: usize,
    /// Total length of the spans.
    pub total_secs: f64,
    /// The spans, in order.
    pub spans_secs: Vec<Range<f64>>,
}

impl FlagSummary {
    pub(super) fn new(spans_secs: Vec<Range<f64>>, duration_secs: f64) -> Self {
        let spans_secs = clip_spans(spans_secs, duration_secs);
        Self { count: spans_secs.len(), total_secs: total_secs(&spans_secs), spans_secs }
    }
}

#[cfg(test)]
mod tests {
    use super::FlagSummary;
    use crate::{BoolCurve, Hand, LinearKey, Recording, Summary};

    fn summary_of_left(duration: f32, pinching: &[(f32, f32)]) -> Summary {
        let mut recording = Recording::default();
        recording.hand_mut(Hand::Left).tracked = [LinearKey::new(duration, 0.0)].into_iter().collect();
        let keys = pinching.iter().map(|&(time, value)| LinearKey::new(time, value));
        recording.hand_mut(Hand::Left).pinching = keys.collect::<BoolCurve>();
        Summary::from_recording(&recording)
    }

    fn pinching(keys: &[(f32, f32)]) -> FlagSummary {
        summary_of_left(10.0, keys).hand(Hand::Left).pinching.clone()
    }

    #[test]
    fn pinches_are_counted_and_timed() {
        let keys = [(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (4.0, 0.0), (9.0, 1.0)];
        let flag = pinching(&keys);
        assert_eq!((flag.count, flag.total_secs), (2, 4.0));
        assert_eq!(flag.spans_secs, [1.0..4.0, 9.0..10.0]);
        assert!((summary_of_left(10.0, &keys).fraction(flag.total_secs) - 0.4).abs() < 1e-9);
    }

    #[test]
    fn flag_set_at_first_key_counts_from_zero() {
        let before = pinching(&[(-3.0, 1.0), (1.0, 0.0)]);
        assert_eq!((before.count, before.total_secs), (1, 1.0));
        let late = pinching(&[(2.0, 1.0), (3.0, 0.0)]);
        assert_eq!((late.count, late.total_secs), (1, 3.0));
    }

    #[test]
    fn spans_outside_the_recording_and_empty_spans_are_not_counted() {
        let flag = pinching(&[(-5.0, 1.0), (-4.0, 0.0), (9.0, 1.0)]);
        assert_eq!((flag.count, flag.total_secs), (1, 1.0));
        assert_eq!(pinching(&[(0.0, 0.0), (10.0, 1.0)]), FlagSummary::default(), "starts at the end");
        assert_eq!(pinching(&[(0.0, 0.0), (2.0, 1.0), (2.0, 0.0)]), FlagSummary::default(), "the last key counts");
    }

    #[test]
    fn unsorted_keys_are_sorted_by_time() {
        assert_eq!(pinching(&[(0.0, 0.0), (2.0, 0.0), (1.0, 1.0), (10.0, 0.0)]).total_secs, 1.0);
    }

    #[test]
    fn non_finite_and_huge_times_give_spans_within_the_recording() {
        for time in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e30, 1e30] {
            let flag = pinching(&[(0.0, 1.0), (time, 1.0), (5.0, 0.0), (time, 1.0), (1.0, 1.0)]);
            assert!(flag.spans_secs.iter().all(|span| 0.0 <= span.start && span.end <= 10.0), "{time}: {flag:?}");
        }
    }
}
