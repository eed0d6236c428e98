//! How often and for how long a hand pinched.

use crate::BoolCurve;

/// How often and for how long a hand pinched.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().generate()?;
/// # let stats = holotape::stats::Stats::of(&take, &Default::default())?;
/// let pinches = stats.right.unwrap().pinches;
/// assert!(pinches.shortest_secs <= pinches.mean_secs && pinches.mean_secs <= pinches.longest_secs);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PinchStats {
    /// How many pinches there were, those that go on at the start or the end included.
    pub count: usize,
    /// How long they were in all.
    pub total_secs: f64,
    /// How long they were on average.
    pub mean_secs: f64,
    /// The shortest.
    pub min_secs: f64,
    /// The longest.
    pub max_secs: f64,
}

impl PinchStats {
    pub(super) fn of(curve: &BoolCurve, duration_secs: f64) -> Self {
        let mut stats = Self::default();
        for secs in pinch_durations(curve, duration_secs) {
            stats.min_secs = if stats.count == 0 { secs } else { stats.min_secs.min(secs) };
            stats.max_secs = stats.max_secs.max(secs);
            stats.count += 1;
            stats.total_secs += secs;
        }
        if stats.count > 0 {
            stats.mean_secs = stats.total_secs / stats.count as f64;
        }
        stats
    }
}

/// How long each spell of truth was, between 0 and the end of the recording.
fn pinch_durations(curve: &BoolCurve, duration_secs: f64) -> impl Iterator<Item = f64> {
    let spans = curve.spans_secs().into_iter().map(move |span| span.start.max(0.0)..span.end.min(duration_secs));
    spans.filter(|span| !span.is_empty()).map(|span| span.end - span.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LinearKey;

    fn stats(keys: &[(f32, f32)]) -> PinchStats {
        PinchStats::of(&keys.iter().map(|&(time, value)| LinearKey::new(time, value)).collect(), 10.0)
    }

    #[test]
    fn pinches_are_timed_one_by_one() {
        let stats = stats(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (3.0, 1.0), (6.0, 0.0), (9.0, 1.0)]);
        assert_eq!((stats.count, stats.total_secs, stats.min_secs, stats.max_secs), (3, 5.0, 1.0, 3.0));
    }

    #[test]
    fn pinches_at_the_edges_count_for_what_is_inside() {
        let stats = stats(&[(-5.0, 1.0), (1.0, 0.0), (8.0, 1.0), (12.0, 0.0)]);
        assert_eq!((stats.count, stats.total_secs), (2, 3.0));
        assert_eq!(super::tests::stats(&[(-5.0, 1.0), (-4.0, 0.0)]).count, 0);
        assert_eq!(super::tests::stats(&[]), PinchStats::default());
        assert_eq!(super::tests::stats(&[(0.0, 0.0), (2.0, 1.0), (2.0, 0.0)]).count, 0, "of two keys the last counts");
    }
}
