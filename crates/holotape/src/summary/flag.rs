//! When a boolean curve is true.

use std::ops::Range;

use crate::LinearKey;

/// When a boolean curve was true, between 0 and the end of the recording. Modes that repeat a curve do not count here.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().generate()?;
/// # let pinching = holotape::Summary::of(&take).hand(holotape::Hand::Right).pinching;
/// println!("{} pinches, {:.1} s in all", pinching.count, pinching.secs);
/// # assert!(pinching.count > 0);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlagSummary {
    /// How many times it was true, each from key to key.
    pub count: usize,
    /// For how long in all.
    pub total_secs: f64,
    /// The share of time for which it was true, in equal parts of the recording.
    pub timeline: [f32; Self::TIMELINE_BINS],
}

impl FlagSummary {
    /// How many parts a timeline has.
    pub const TIMELINE_BINS: usize = 60;
}

impl Default for FlagSummary {
    fn default() -> Self {
        Self { count: 0, total_secs: 0.0, timeline: [0.0; Self::TIMELINE_BINS] }
    }
}

/// Adds up the spans in which a boolean curve is true, key by key.
pub(super) struct FlagBuilder<'a> {
    summary: &'a mut FlagSummary,
    end: f64,
    /// Since when it is true. Before its first key, a curve is what it is there.
    on_since: Option<f64>,
    last_time: Option<f64>,
    in_order: bool,
}

impl<'a> FlagBuilder<'a> {
    /// Begins anew, for a recording that ends at `end`.
    pub(super) fn new(summary: &'a mut FlagSummary, end: f64) -> Self {
        *summary = FlagSummary::default();
        Self { summary, end, on_since: None, last_time: None, in_order: true }
    }

    pub(super) fn push(&mut self, key: LinearKey) {
        let time = f64::from(key.time);
        let is_first = self.last_time.is_none();
        self.in_order &= self.last_time.is_none_or(|last| last <= time);
        self.last_time = Some(time);
        match (self.on_since, key.value > 0.5) {
            (None, true) => self.on_since = Some(if is_first { 0.0 } else { time }),
            (Some(since), false) => {
                self.add(since..time);
                self.on_since = None;
            }
            _ => {}
        }
    }

    /// Whether the keys were in order of time. If they were not, they have to come again, sorted.
    pub(super) fn finish(mut self) -> bool {
        if let Some(since) = self.on_since {
            self.add(since..f64::INFINITY);
        }
        self.in_order
    }

    fn add(&mut self, span: Range<f64>) {
        if !(span.start <= self.end && span.end > 0.0) {
            return;
        }
        self.summary.count += 1;
        let span = span.start.max(0.0)..span.end.min(self.end);
        if span.is_empty() {
            return;
        }
        self.summary.total_secs += span.end - span.start;
        let part_secs = self.end / FlagSummary::TIMELINE_BINS as f64;
        let first = (span.start / part_secs) as usize;
        for (index, share) in self.summary.timeline.iter_mut().enumerate().skip(first) {
            let part = index as f64 * part_secs;
            if part >= span.end {
                break;
            }
            let overlap = span.end.min(part + part_secs) - span.start.max(part);
            *share = (*share + (overlap / part_secs).max(0.0) as f32).min(1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{BoolCurve, Hand, LinearKey, Recording, Summary};

    fn summary_of_left(duration: f32, pinching: &[(f32, f32)]) -> Summary {
        let mut recording = Recording::default();
        recording.hand_mut(Hand::Left).tracked = [LinearKey::new(duration, 0.0)].into_iter().collect();
        let keys = pinching.iter().map(|&(time, value)| LinearKey::new(time, value));
        recording.hand_mut(Hand::Left).pinching = keys.collect::<BoolCurve>();
        Summary::from_recording(&recording)
    }

    #[test]
    fn pinches_are_counted_and_timed() {
        let summary = summary_of_left(10.0, &[(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (4.0, 0.0), (9.0, 1.0)]);
        let pinching = summary.hand(Hand::Left).pinching;
        assert_eq!(pinching.count, 2);
        assert!((pinching.total_secs - 4.0).abs() < 1e-9, "{}", pinching.total_secs);
        assert!((summary.fraction(pinching.total_secs) - 0.4).abs() < 1e-9);
        let sum: f32 = pinching.timeline.iter().sum();
        assert!((sum / 60.0 - 0.4).abs() < 1e-4, "{sum}");
        assert_eq!(pinching.timeline[0], 0.0);
        assert_eq!(pinching.timeline[59], 1.0);
    }

    #[test]
    fn a_state_before_the_first_key_and_before_zero_counts_from_zero() {
        let before = summary_of_left(10.0, &[(-3.0, 1.0), (1.0, 0.0)]).hand(Hand::Left).pinching;
        assert_eq!((before.count, before.total_secs), (1, 1.0));
        let late = summary_of_left(10.0, &[(2.0, 1.0), (3.0, 0.0)]).hand(Hand::Left).pinching;
        assert_eq!((late.count, late.total_secs), (1, 3.0));
    }

    #[test]
    fn what_is_over_before_the_start_does_not_count() {
        let pinching = summary_of_left(10.0, &[(-5.0, 1.0), (-4.0, 0.0), (9.0, 1.0)]).hand(Hand::Left).pinching;
        assert_eq!((pinching.count, pinching.total_secs), (1, 1.0));
        let at_the_end = summary_of_left(10.0, &[(0.0, 0.0), (10.0, 1.0)]).hand(Hand::Left).pinching;
        assert_eq!((at_the_end.count, at_the_end.total_secs), (1, 0.0));
    }

    #[test]
    fn unsorted_keys_are_summed_up_in_order_of_time() {
        let unsorted = summary_of_left(10.0, &[(0.0, 0.0), (2.0, 0.0), (1.0, 1.0), (10.0, 0.0)]);
        assert_eq!(unsorted.hand(Hand::Left).pinching.total_secs, 1.0);
    }

    #[test]
    fn strange_times_add_nothing_and_break_nothing() {
        for time in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e30, 1e30] {
            let summary = summary_of_left(10.0, &[(0.0, 1.0), (time, 1.0), (5.0, 0.0), (time, 1.0), (1.0, 1.0)]);
            let pinching = summary.hand(Hand::Left).pinching;
            assert!(pinching.timeline.iter().all(|share| (0.0..=1.0).contains(share)), "{time}: {pinching:?}");
        }
    }
}
