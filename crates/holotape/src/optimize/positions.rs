//! Positions: lines between keys, with the distance in space as the error.

use super::keyed_motion::{AnchorView, KeyedMotion, LinearSegment, square_distance};
use super::slope_range::{SlopeBounds, project_on_axes};

/// Positions over time, with the tolerance for a reduced curve.
#[derive(Debug)]
pub(super) struct Positions<'a> {
    times: &'a [f64],
    values: &'a [[f64; 3]],
    tolerance_m: f64,
    /// The tolerance with a margin for rounding: a segment that passes a key farther away is not within it.
    reach: f64,
}

impl<'a> Positions<'a> {
    pub(super) fn new(times: &'a [f64], values: &'a [[f64; 3]], tolerance_m: f64) -> Self {
        let largest = values.iter().flatten().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let reach = tolerance_m * (1.0 + 1e-12) + largest * 1e-13;
        Self { times, values, tolerance_m, reach }
    }
}

impl KeyedMotion for Positions<'_> {
    type Line = LinearSegment<3>;
    type AnchorView<'a>
        = PositionView<'a>
    where
        Self: 'a;

    fn times(&self) -> &[f64] {
        self.times
    }

    fn line(&self, start: usize, end: usize) -> LinearSegment<3> {
        LinearSegment::new(self.times[start], self.times[end], self.values[start], self.values[end])
    }

    #[inline]
    fn square_error(&self, line: &LinearSegment<3>, key: usize) -> f64 {
        square_distance(&line.at(self.times[key]), &self.values[key])
    }

    fn max_square_error(&self) -> f64 {
        self.tolerance_m * self.tolerance_m
    }

    fn view_from(&self, start: usize) -> PositionView<'_> {
        PositionView { values: self.values, from: self.values[start], reach: self.reach }
    }
}

#[derive(Debug)]
pub(super) struct PositionView<'a> {
    values: &'a [[f64; 3]],
    from: [f64; 3],
    reach: f64,
}

impl AnchorView for PositionView<'_> {
    #[inline]
    fn slope_bounds(&self, key: usize) -> SlopeBounds {
        let end = project_on_axes(std::array::from_fn(|axis| self.values[key][axis] - self.from[axis]));
        SlopeBounds { end: Some(end), low: end.map(|x| x - self.reach), high: end.map(|x| x + self.reach) }
    }
}
