//! Rotations and directions: vectors of length 1 in four and in three dimensions, and the angle from one to another.
//! Between keys they run along a chord and are brought back to length 1.

use super::keyed_motion::{AnchorView, KeyedMotion, LinearSegment, dot, square_distance};
use super::slope_range::{SlopeBounds, fast_max, fast_min, project_on_axes};
use crate::VectorKind;

/// Vectors over time, none of them zero, and how far in angle from them a reduced curve may be.
#[derive(Debug)]
pub(super) struct UnitVectors<'a, const N: usize> {
    times: &'a [f64],
    values: &'a [[f64; N]],
    units: Vec<[f64; N]>,
    lengths: Vec<f64>,
    shortest: f64,
    longest: f64,
    kind: VectorKind,
    /// The tolerance as the length of a chord.
    chord: f64,
    /// The same with room for rounding: a span that passes a key further off cannot be within it.
    reach: f64,
}

/// The length of the chord of an angle. Quaternions turn by half the angle of their rotation.
fn chord(angle_deg: f64, kind: VectorKind) -> f64 {
    let angle = if kind == VectorKind::Rotation { angle_deg / 2.0 } else { angle_deg };
    2.0 * (angle.to_radians() / 2.0).sin()
}

/// The ends of a span have to be less than a right angle apart, which for rotations is half a turn: further apart there
/// is no short way from one to the other, or none that all evaluate alike. As a cosine, with room for 32 bits.
const MIN_COSINE: f64 = 1e-6;

impl<'a, const N: usize> UnitVectors<'a, N> {
    pub(super) fn new(times: &'a [f64], values: &'a [[f64; N]], tolerance_deg: f64, kind: VectorKind) -> Self {
        let lengths: Vec<_> = values.iter().map(|value| dot(value, value).sqrt()).collect();
        let units = values.iter().zip(&lengths).map(|(value, length)| value.map(|x| x / length)).collect();
        let shortest = lengths.iter().copied().fold(f64::INFINITY, f64::min);
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        let chord = chord(tolerance_deg.min(180.0), kind);
        let reach = chord * (1.0 + 1e-12) + 1e-13;
        Self { times, values, units, lengths, shortest, longest, kind, chord, reach }
    }

    pub(super) fn angle_deg(&self, square_error: f64) -> f64 {
        let angle = 2.0 * (square_error.sqrt() / 2.0).min(1.0).asin().to_degrees();
        if self.kind == VectorKind::Rotation { 2.0 * angle } else { angle }
    }
}

impl<const N: usize> KeyedMotion for UnitVectors<'_, N> {
    type Line = LinearSegment<N>;
    type AnchorView<'a>
        = UnitVectorView<'a, N>
    where
        Self: 'a;

    fn times(&self) -> &[f64] {
        self.times
    }

    fn line(&self, start: usize, end: usize) -> LinearSegment<N> {
        let (from, to) = (self.values[start], self.values[end]);
        let is_flip = self.kind == VectorKind::Rotation && dot(&from, &to) < 0.0;
        let to = if is_flip { to.map(|x| -x) } else { to };
        LinearSegment::new(self.times[start], self.times[end], from, to)
    }

    /// Of the chord between both, which says more about small angles than their product does.
    #[inline]
    fn square_error(&self, line: &LinearSegment<N>, key: usize) -> f64 {
        let (value, unit) = (line.at(self.times[key]), self.units[key]);
        let length = dot(&value, &value).sqrt();
        let length = if self.kind == VectorKind::Rotation { length.copysign(dot(&value, &unit)) } else { length };
        square_distance(&value.map(|x| x / length), &unit)
    }

    /// A hair less than the tolerance, so that what is measured in degrees is not a hair more.
    fn max_square_error(&self) -> f64 {
        self.chord * self.chord * (1.0 - 1e-12)
    }

    fn view_from(&self, start: usize) -> UnitVectorView<'_, N> {
        let from = self.units[start];
        UnitVectorView {
            turns: self,
            from,
            pole: 1_f64.copysign(from[N - 1]),
            fold: 1.0 / (1.0 + from[N - 1].abs()),
            per_length: 1.0 / self.lengths[start],
        }
    }
}

/// The vectors mirrored so that the one at the start lies along the last axis, which leaves the others to tell how far
/// they are from it.
///
/// There, a span is a straight line x from 0 with the slope that its end has. It passes a key q if x / |x| is within reach
/// of q, so x is between |x| (q - reach) and |x| (q + reach) along each axis. What |x| is depends on the end, but not by
/// much: on the chord from start to end, x is no longer than the longer of both. And as they are less than a right angle
/// apart, it is no shorter than 1 / (sin + cos) of its own angle from the start, times the shorter of both: and that is at
/// least 1 - sin, and above 0.7. Lengths are in those of the start.
#[derive(Debug)]
pub(super) struct UnitVectorView<'a, const N: usize> {
    turns: &'a UnitVectors<'a, N>,
    from: [f64; N],
    pole: f64,
    fold: f64,
    per_length: f64,
}

impl<const N: usize> UnitVectorView<'_, N> {
    /// How far a vector is along the start, and how far across.
    #[inline]
    fn components(&self, unit: &[f64; N]) -> (f64, [f64; 3]) {
        let along = dot(&self.from, unit);
        let fold = (along + self.pole * unit[N - 1]) * self.fold;
        let across = |axis| if axis < N - 1 { unit[axis] - self.from[axis] * fold } else { 0.0 };
        (along, std::array::from_fn(across))
    }
}

impl<const N: usize> AnchorView for UnitVectorView<'_, N> {
    #[inline]
    fn slope_bounds(&self, key: usize) -> SlopeBounds {
        let UnitVectors { lengths, shortest, longest, reach, .. } = self.turns;
        let is_rotation = self.turns.kind == VectorKind::Rotation;
        let (mut along, mut across) = self.components(&self.turns.units[key]);
        if is_rotation && along < 0.0 {
            (along, across) = (-along, across.map(|x| -x));
        }
        let sine = across.iter().map(|x| x.abs()).sum::<f64>() + reach;
        let across = project_on_axes(across);
        let end = (along > MIN_COSINE).then(|| across.map(|x| x * (lengths[key] * self.per_length)));
        if is_rotation && along <= *reach {
            // Near half a turn, the span may pass either quaternion of the rotation.
            return SlopeBounds::unbounded(end);
        }
        let least = (1.0 - sine).max(0.7) * shortest * self.per_length;
        let most = longest * self.per_length;
        let low = across.map(|x| x - reach).map(|x| fast_min(x * least, x * most));
        let high = across.map(|x| x + reach).map(|x| fast_max(x * least, x * most));
        SlopeBounds { end, low, high }
    }
}
