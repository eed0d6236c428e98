//! Rotations and directions: vectors of length 1 in four and in three dimensions, and the angle from one to another.
//! Between keys they run along a chord and are brought back to length 1.

use super::cone::{Sight, larger, on_axes, smaller};
use super::motion::{Motion, Straight, View, dot, square_distance};

/// Vectors over time, none of them zero, and how far in angle from them a reduced curve may be.
#[derive(Debug)]
pub(super) struct Turns<'a, const N: usize> {
    times: &'a [f64],
    values: &'a [[f64; N]],
    units: Vec<[f64; N]>,
    lengths: Vec<f64>,
    shortest: f64,
    longest: f64,
    meaning: Meaning,
    /// The tolerance as the length of a chord.
    chord: f64,
    /// The same with room for rounding: a span that passes a key further off cannot be within it.
    reach: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A quaternion, which is the same rotation as its negative, and half of its angle.
    Rotation,
    Direction,
}

impl Meaning {
    fn chord(self, angle_deg: f64) -> f64 {
        let angle = if self == Self::Rotation { angle_deg / 2.0 } else { angle_deg };
        2.0 * (angle.to_radians() / 2.0).sin()
    }

    fn angle_deg(self, chord: f64) -> f64 {
        let angle = 2.0 * (chord / 2.0).min(1.0).asin().to_degrees();
        if self == Self::Rotation { 2.0 * angle } else { angle }
    }
}

/// The ends of a span have to be less than a right angle apart, which for rotations is half a turn: further apart there
/// is no short way from one to the other, or none that all evaluate alike. As a cosine, with room for 32 bits.
const RIGHT_ANGLE: f64 = 1e-6;

impl<'a, const N: usize> Turns<'a, N> {
    pub(super) fn new(times: &'a [f64], values: &'a [[f64; N]], tolerance_deg: f64, meaning: Meaning) -> Self {
        let lengths: Vec<_> = values.iter().map(|value| dot(value, value).sqrt()).collect();
        let units = values.iter().zip(&lengths).map(|(value, length)| value.map(|x| x / length)).collect();
        let shortest = lengths.iter().copied().fold(f64::INFINITY, f64::min);
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        let chord = meaning.chord(tolerance_deg.min(180.0));
        let reach = chord * (1.0 + 1e-12) + 1e-13;
        Self { times, values, units, lengths, shortest, longest, meaning, chord, reach }
    }

    pub(super) fn angle_deg(&self, square_error: f64) -> f64 {
        self.meaning.angle_deg(square_error.sqrt())
    }
}

impl<const N: usize> Motion for Turns<'_, N> {
    type Line = Straight<N>;
    type View<'a>
        = TurnView<'a, N>
    where
        Self: 'a;

    fn times(&self) -> &[f64] {
        self.times
    }

    fn line(&self, start: usize, end: usize) -> Straight<N> {
        let (from, to) = (self.values[start], self.values[end]);
        let to = if self.meaning == Meaning::Rotation && dot(&from, &to) < 0.0 { to.map(|x| -x) } else { to };
        Straight::new(self.times[start], self.times[end], from, to)
    }

    /// Of the chord between both, which says more about small angles than their product does.
    #[inline]
    fn square_error(&self, line: &Straight<N>, key: usize) -> f64 {
        let (value, unit) = (line.at(self.times[key]), self.units[key]);
        let length = dot(&value, &value).sqrt();
        let length = if self.meaning == Meaning::Rotation { length.copysign(dot(&value, &unit)) } else { length };
        square_distance(&value.map(|x| x / length), &unit)
    }

    /// A hair less than the tolerance, so that what is measured in degrees is not a hair more.
    fn largest_square_error(&self) -> f64 {
        self.chord * self.chord * (1.0 - 1e-12)
    }

    fn view_from(&self, start: usize) -> TurnView<'_, N> {
        let from = self.units[start];
        TurnView {
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
pub(super) struct TurnView<'a, const N: usize> {
    turns: &'a Turns<'a, N>,
    from: [f64; N],
    pole: f64,
    fold: f64,
    per_length: f64,
}

impl<const N: usize> TurnView<'_, N> {
    /// How far a vector is along the start, and how far across.
    #[inline]
    fn components(&self, unit: &[f64; N]) -> (f64, [f64; 3]) {
        let along = dot(&self.from, unit);
        let fold = (along + self.pole * unit[N - 1]) * self.fold;
        let across = |axis| if axis < N - 1 { unit[axis] - self.from[axis] * fold } else { 0.0 };
        (along, std::array::from_fn(across))
    }
}

impl<const N: usize> View for TurnView<'_, N> {
    #[inline]
    fn sight(&self, key: usize) -> Sight {
        let Turns { lengths, shortest, longest, reach, .. } = self.turns;
        let is_rotation = self.turns.meaning == Meaning::Rotation;
        let (mut along, mut across) = self.components(&self.turns.units[key]);
        if is_rotation && along < 0.0 {
            (along, across) = (-along, across.map(|x| -x));
        }
        let sine = across.iter().map(|x| x.abs()).sum::<f64>() + reach;
        let across = on_axes(across);
        let end = (along > RIGHT_ANGLE).then(|| across.map(|x| x * (lengths[key] * self.per_length)));
        if is_rotation && along <= *reach {
            // Near half a turn, the span may pass either quaternion of the rotation.
            return Sight::unbounded(end);
        }
        let least = (1.0 - sine).max(0.7) * shortest * self.per_length;
        let most = longest * self.per_length;
        let low = across.map(|x| x - reach).map(|x| smaller(x * least, x * most));
        let high = across.map(|x| x + reach).map(|x| larger(x * least, x * most));
        Sight { end, low, high }
    }
}
