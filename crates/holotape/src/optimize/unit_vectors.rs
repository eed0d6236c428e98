//! Rotations and directions: unit vectors in four and three dimensions, with the angle as the error. Between keys they are
//! interpolated along a chord and normalized.

use super::keyed_motion::{AnchorView, KeyedMotion, LinearSegment, dot, square_distance};
use super::slope_range::{SlopeBounds, fast_max, fast_min, project_on_axes};
use crate::VectorKind;

/// Non-zero vectors over time, with the tolerance for a reduced curve.
#[derive(Debug)]
pub(super) struct UnitVectors<'a, const N: usize> {
    times: &'a [f64],
    values: &'a [[f64; N]],
    units: Vec<[f64; N]>,
    lengths: Vec<f64>,
    min_length: f64,
    max_length: f64,
    kind: VectorKind,
    /// The tolerance as the length of a chord.
    chord: f64,
    /// The same with a margin for rounding: a segment that passes a key farther away is not within it.
    reach: f64,
}

/// The length of the chord of an angle. Quaternions turn by half the angle of their rotation.
fn chord(angle_deg: f64, kind: VectorKind) -> f64 {
    let angle = if kind == VectorKind::Rotation { angle_deg / 2.0 } else { angle_deg };
    2.0 * (angle.to_radians() / 2.0).sin()
}

/// The ends of a segment must be less than 90° apart, which for rotations is 180°: beyond that there is no unambiguous
/// short way between them. As a cosine, with a margin for rounding to 32 bits.
const MIN_COSINE: f64 = 1e-6;

impl<'a, const N: usize> UnitVectors<'a, N> {
    pub(super) fn new(times: &'a [f64], values: &'a [[f64; N]], tolerance_deg: f64, kind: VectorKind) -> Self {
        let lengths: Vec<_> = values.iter().map(|value| dot(value, value).sqrt()).collect();
        let units = values.iter().zip(&lengths).map(|(value, length)| value.map(|x| x / length)).collect();
        let min_length = lengths.iter().copied().fold(f64::INFINITY, f64::min);
        let max_length = lengths.iter().copied().fold(0.0, f64::max);
        let chord = chord(tolerance_deg.min(180.0), kind);
        let reach = chord * (1.0 + 1e-12) + 1e-13;
        Self { times, values, units, lengths, min_length, max_length, kind, chord, reach }
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

    /// The squared chord, which is more precise for small angles than the dot product.
    #[inline]
    fn square_error(&self, line: &LinearSegment<N>, key: usize) -> f64 {
        let (value, unit) = (line.at(self.times[key]), self.units[key]);
        let length = dot(&value, &value).sqrt();
        let length = if self.kind == VectorKind::Rotation { length.copysign(dot(&value, &unit)) } else { length };
        square_distance(&value.map(|x| x / length), &unit)
    }

    /// Slightly less than the tolerance, so that the error in degrees does not exceed it by rounding.
    fn max_square_error(&self) -> f64 {
        self.chord * self.chord * (1.0 - 1e-12)
    }

    fn view_from(&self, start: usize) -> UnitVectorView<'_, N> {
        let from = self.units[start];
        UnitVectorView {
            units: self,
            from,
            pole: 1_f64.copysign(from[N - 1]),
            fold: 1.0 / (1.0 + from[N - 1].abs()),
            per_length: 1.0 / self.lengths[start],
        }
    }
}

/// The vectors, reflected so that the start lies along the last axis. The other axes then measure the deviation from it.
///
/// There, a segment is a line x from 0 with the slope of its end. It passes a key q if x / |x| is within reach of q, so x
/// is between |x| (q - reach) and |x| (q + reach) along each axis. |x| depends on the end, but only little. On the chord
/// from start to end, x is at most as long as the longer of the two. As they are less than 90° apart, it is at least
/// 1 / (sin + cos) of its own angle from the start times the shorter of the two; that factor is at least 1 - sin, and
/// above 0.7. Lengths are relative to that of the start.
#[derive(Debug)]
pub(super) struct UnitVectorView<'a, const N: usize> {
    units: &'a UnitVectors<'a, N>,
    from: [f64; N],
    pole: f64,
    fold: f64,
    per_length: f64,
}

impl<const N: usize> UnitVectorView<'_, N> {
    /// The components of a vector along the start and perpendicular to it.
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
        let UnitVectors { lengths, min_length, max_length, reach, .. } = self.units;
        let is_rotation = self.units.kind == VectorKind::Rotation;
        let (mut along, mut across) = self.components(&self.units.units[key]);
        if is_rotation && along < 0.0 {
            (along, across) = (-along, across.map(|x| -x));
        }
        let sine = across.iter().map(|x| x.abs()).sum::<f64>() + reach;
        let across = project_on_axes(across);
        let end = (along > MIN_COSINE).then(|| across.map(|x| x * (lengths[key] * self.per_length)));
        if is_rotation && along <= *reach {
            // Near 180°, the segment may pass either quaternion of the rotation.
            return SlopeBounds::unbounded(end);
        }
        let min = (1.0 - sine).max(0.7) * min_length * self.per_length;
        let max = max_length * self.per_length;
        let low = across.map(|x| x - reach).map(|x| fast_min(x * min, x * max));
        let high = across.map(|x| x + reach).map(|x| fast_max(x * min, x * max));
        SlopeBounds { end, low, high }
    }
}
