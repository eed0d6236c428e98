//! Number and durations of pinches.

use std::ops::Range;

use crate::curve::total_secs;

/// Number and durations of the pinches of a hand.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().generate()?;
/// # let stats = holotape::stats::Stats::from_recording(&recording, &Default::default())?;
/// let pinches = stats.right.unwrap().pinches;
/// assert!(pinches.min_secs <= pinches.mean_secs && pinches.mean_secs <= pinches.max_secs);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PinchStats {
    /// Number of pinches, including those at the start and the end of the recording.
    pub count: usize,
    /// Total duration.
    pub total_secs: f64,
    /// Mean duration; 0 without pinches.
    pub mean_secs: f64,
    /// Shortest duration; 0 without pinches.
    pub min_secs: f64,
    /// Longest duration; 0 without pinches.
    pub max_secs: f64,
}

impl PinchStats {
    pub(super) fn new(spans_secs: &[Range<f64>]) -> Self {
        let durations = || spans_secs.iter().map(|span| span.end - span.start);
        let (count, total_secs) = (spans_secs.len(), total_secs(spans_secs));
        Self {
            count,
            total_secs,
            mean_secs: if count > 0 { total_secs / count as f64 } else { 0.0 },
            min_secs: durations().reduce(f64::min).unwrap_or(0.0),
            max_secs: durations().reduce(f64::max).unwrap_or(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoolCurve, LinearKey};

    fn stats(keys: &[(f32, f32)]) -> PinchStats {
        let curve: BoolCurve = keys.iter().map(|&(time, value)| LinearKey::new(time, value)).collect();
        PinchStats::new(&curve.spans_within_secs(10.0))
    }

    #[test]
    fn durations_are_those_of_single_pinches() {
        let stats = stats(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (3.0, 1.0), (6.0, 0.0), (9.0, 1.0)]);
        assert_eq!((stats.count, stats.total_secs, stats.min_secs, stats.max_secs), (3, 5.0, 1.0, 3.0));
    }

    #[test]
    fn pinches_at_the_ends_are_clipped_to_the_recording() {
        let stats = stats(&[(-5.0, 1.0), (1.0, 0.0), (8.0, 1.0), (12.0, 0.0)]);
        assert_eq!((stats.count, stats.total_secs), (2, 3.0));
        assert_eq!(super::tests::stats(&[(-5.0, 1.0), (-4.0, 0.0)]).count, 0);
        assert_eq!(super::tests::stats(&[]), PinchStats::default());
        assert_eq!(
            super::tests::stats(&[(0.0, 0.0), (2.0, 1.0), (2.0, 0.0)]).count,
            0,
            "of two keys at one time the last counts"
        );
    }
}
