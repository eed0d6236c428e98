//! The time span of a plot.

use std::ops::RangeInclusive;

use holotape::{Error, ErrorKind, Recording, Result};

/// Shorter spans are widened.
const MIN_SECS: f64 = 1e-6;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) start: f64,
    pub(super) end: f64,
}

impl Span {
    /// The requested span, or the entire recording.
    pub(super) fn new(recording: &Recording, requested: Option<&RangeInclusive<f64>>) -> Result<Self> {
        let Some(requested) = requested else { return Ok(Self::of_recording(recording)) };
        let (start, end) = (*requested.start(), *requested.end());
        if !(start.is_finite() && end.is_finite() && start <= end) {
            let message = format!("invalid span: {start} s to {end} s");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        Ok(Self { start, end })
    }

    /// From 0 to the last key, or to the last marker if there are no keys.
    fn of_recording(recording: &Recording) -> Self {
        let markers = recording.markers.iter().map(|marker| marker.time);
        let end = match recording.duration_secs() {
            duration if duration > 0.0 && duration.is_finite() => duration,
            duration if duration > 0.0 => last_finite(recording.curves().flat_map(|(_, curve)| curve.key_times())),
            _ => last_finite(markers),
        };
        Self { start: 0.0, end: f64::from(end) }
    }

    /// The span of the axis: at least one second around a single point in time.
    pub(super) fn axis(self) -> Self {
        let min_secs = MIN_SECS.max(1e-9 * self.start.abs().max(self.end.abs()));
        if self.end - self.start > min_secs {
            return self;
        }
        let padding = 0.5_f64.max(1e-3 * self.start.abs());
        Self { start: self.start - padding, end: self.end + padding }
    }

    pub(super) fn length(self) -> f64 {
        self.end - self.start
    }

    pub(super) fn contains(self, time: f64) -> bool {
        self.start <= time && time <= self.end
    }

    /// `count` equal steps from start to end.
    pub(super) fn steps(self, count: usize) -> impl Iterator<Item = f64> {
        (0..=count).map(move |n| self.start + self.length() * (n as f64 / count.max(1) as f64))
    }

    /// The given times within the span and both of its ends, sorted and without duplicates.
    pub(super) fn times(self, times: impl IntoIterator<Item = f64>) -> Vec<f64> {
        let mut within: Vec<_> = times.into_iter().filter(|time| self.contains(*time)).collect();
        within.extend([self.start, self.end]);
        // A stable sort is fast on mostly sorted input.
        within.sort_by(f64::total_cmp);
        within.dedup();
        within
    }
}

fn last_finite(times: impl Iterator<Item = f32>) -> f32 {
    times.filter(|time| time.is_finite()).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axis_widens_empty_spans() {
        for (start, end) in [(0.0, 0.0), (5.0, 5.0), (0.0, 1e-40), (1e30, 1e30), (-7.0, -7.0)] {
            let axis = Span { start, end }.axis();
            assert!(axis.start < start && axis.end > end, "{axis:?}");
        }
        let second = Span { start: 0.0, end: 1.0 };
        assert_eq!(second.axis(), second);
    }

    #[test]
    fn times_are_clipped_sorted_and_unique() {
        let span = Span { start: -1.0, end: 2.0 };
        assert_eq!(span.times([5.0, 1.0, f64::NAN, -1.0, 1.0, -3.0]), [-1.0, 1.0, 2.0]);
        assert_eq!(span.steps(3).collect::<Vec<_>>(), [-1.0, 0.0, 1.0, 2.0]);
    }
}
