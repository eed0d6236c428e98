//! The interface between the search for keys and the values over time.

use super::slope_range::SlopeBounds;

/// Values over time, with a measure of error.
pub(super) trait KeyedMotion {
    /// What is evaluated between two keys if all keys between them are dropped.
    type Line;
    /// The motion relative to one of its keys.
    type AnchorView<'a>: AnchorView
    where
        Self: 'a;

    /// The key times, strictly increasing.
    fn times(&self) -> &[f64];

    fn line(&self, start: usize, end: usize) -> Self::Line;

    /// The squared distance of a line from a key.
    fn square_error(&self, line: &Self::Line, key: usize) -> f64;

    /// The largest allowed squared error.
    fn max_square_error(&self) -> f64;

    fn view_from(&self, start: usize) -> Self::AnchorView<'_>;
}

pub(super) trait AnchorView {
    /// The bounds that a later key puts on the slope of a segment.
    fn slope_bounds(&self, key: usize) -> SlopeBounds;
}

/// A line from one value to another over time.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinearSegment<const N: usize> {
    start_secs: f64,
    secs: f64,
    from: [f64; N],
    step: [f64; N],
}

impl<const N: usize> LinearSegment<N> {
    pub(super) fn new(start_secs: f64, end_secs: f64, from: [f64; N], to: [f64; N]) -> Self {
        let step = std::array::from_fn(|axis| to[axis] - from[axis]);
        Self { start_secs, secs: end_secs - start_secs, from, step }
    }

    /// The value at a time, bit for bit as curves evaluate it.
    #[inline]
    pub(super) fn at(&self, time_secs: f64) -> [f64; N] {
        let fraction = (time_secs - self.start_secs) / self.secs;
        std::array::from_fn(|axis| self.from[axis] + fraction * self.step[axis])
    }
}

#[inline]
pub(super) fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let mut sum = a[0] * b[0];
    for axis in 1..N {
        sum += a[axis] * b[axis];
    }
    sum
}

#[inline]
pub(super) fn square_distance<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let apart: [f64; N] = std::array::from_fn(|axis| a[axis] - b[axis]);
    dot(&apart, &apart)
}
