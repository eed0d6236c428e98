//! Positions: straight lines between keys, and the distance from one place to another.

use super::cone::{Sight, on_axes};
use super::motion::{Motion, Straight, View, square_distance};

/// Positions over time, and how far from them a reduced curve may be.
#[derive(Debug)]
pub(super) struct Places<'a> {
    times: &'a [f64],
    values: &'a [[f64; 3]],
    tolerance_m: f64,
    /// The tolerance with room for rounding: a span that passes a key further off cannot be within it.
    reach: f64,
}

impl<'a> Places<'a> {
    pub(super) fn new(times: &'a [f64], values: &'a [[f64; 3]], tolerance_m: f64) -> Self {
        let largest = values.iter().flatten().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let reach = tolerance_m * (1.0 + 1e-12) + largest * 1e-13;
        Self { times, values, tolerance_m, reach }
    }
}

impl Motion for Places<'_> {
    type Line = Straight<3>;
    type View<'a>
        = PlaceView<'a>
    where
        Self: 'a;

    fn times(&self) -> &[f64] {
        self.times
    }

    fn line(&self, start: usize, end: usize) -> Straight<3> {
        Straight::new(self.times[start], self.times[end], self.values[start], self.values[end])
    }

    #[inline]
    fn square_error(&self, line: &Straight<3>, key: usize) -> f64 {
        square_distance(&line.at(self.times[key]), &self.values[key])
    }

    fn largest_square_error(&self) -> f64 {
        self.tolerance_m * self.tolerance_m
    }

    fn view_from(&self, start: usize) -> PlaceView<'_> {
        PlaceView { values: self.values, from: self.values[start], reach: self.reach }
    }
}

#[derive(Debug)]
pub(super) struct PlaceView<'a> {
    values: &'a [[f64; 3]],
    from: [f64; 3],
    reach: f64,
}

impl View for PlaceView<'_> {
    #[inline]
    fn sight(&self, key: usize) -> Sight {
        let end = on_axes(std::array::from_fn(|axis| self.values[key][axis] - self.from[axis]));
        Sight { end: Some(end), low: end.map(|x| x - self.reach), high: end.map(|x| x + self.reach) }
    }
}
