//! Curves that share their key times and run straight between them: one place in time serves them all.
//!
//! Made for speed, and laid out for it: what a time needs of every bundle lies together, one cache line each, apart from
//! the keys, which are looked at only when a time leaves the span between two of them.

use glam::Vec4;

use super::clock::Clock;
use crate::{BezierKey, Curve, Keys, LinearKey, WrapMode};

/// Times and values beyond this, and steps in time below the other, could leave the range of 32 bits on the way. Nothing
/// that a device records comes near; what does is left to plain evaluation.
const LARGEST: f32 = 1e18;
const SHORTEST_SECS: f32 = 1e-12;

/// Further than any key: times are held within.
const FAR_SECS: f64 = 1e19;

/// What the values of a bundle are, and so what is done to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Position,
    Direction,
    Rotation,
}

/// Bundles of one meaning that are asked for together.
#[derive(Clone, Debug)]
pub(super) struct Bundles {
    pub(super) meaning: Meaning,
    spans: Vec<Span>,
    keys: Vec<Vec<Knot>>,
    /// At the last time, the fourth 0 for three curves.
    values: Vec<Vec4>,
    /// Bundles whose span the time has left, and how many keys they have up to it.
    stale: Vec<(usize, usize)>,
}

/// One time and the values of all curves there.
#[derive(Clone, Copy, Debug)]
struct Knot {
    time: f32,
    values: [f32; 4],
}

/// What it takes to evaluate between two knots, for times from `start` up to `end`.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Span {
    start: f64,
    end: f64,
    per_sec: f32,
    values: Vec4,
    steps: Vec4,
}

impl Bundles {
    pub(super) fn new(meaning: Meaning) -> Self {
        Self { meaning, spans: Vec::new(), keys: Vec::new(), values: Vec::new(), stale: Vec::new() }
    }

    /// Adds the bundle of these curves, if they are one, and gives its number.
    pub(super) fn push(&mut self, curves: &[Curve]) -> Option<usize> {
        self.keys.push(knots(curves)?);
        // A span that no time is in, so that the first time looks for its own.
        self.spans.push(Span { start: f64::NAN, ..Span::still(0.0, 0.0, [0.0; 4]) });
        self.values.push(Vec4::ZERO);
        Some(self.keys.len() - 1)
    }

    /// The key times of each bundle.
    pub(super) fn times(&self) -> impl Iterator<Item = Vec<f32>> {
        self.keys.iter().map(|knots| knots.iter().map(|knot| knot.time).collect())
    }

    #[inline]
    pub(super) fn values(&self, bundle: usize) -> [f32; 4] {
        self.values[bundle].to_array()
    }

    /// Evaluates all bundles. On the clock they are those from `first` on, and the time is at `tick`.
    pub(super) fn evaluate(&mut self, time: f64, clock: &Clock, first: usize, tick: Option<usize>) {
        let time = time.clamp(-FAR_SECS, FAR_SECS);
        self.find_stale(time);
        // First all places, then all keys: the memory for one does not wait for that of another.
        for (bundle, key_count) in &mut self.stale {
            *key_count = tick.map_or(0, |tick| clock.keys_up_to(first + *bundle, tick));
        }
        for &(bundle, key_count) in &self.stale {
            self.spans[bundle] = span_after(&self.keys[bundle], key_count, self.meaning);
        }
        let each = self.spans.iter().zip(&mut self.values);
        match self.meaning {
            Meaning::Position => each.for_each(|(span, values)| *values = span.at(time)),
            Meaning::Direction => each.for_each(|(span, values)| *values = unit(span.at(time), Vec4::ZERO)),
            Meaning::Rotation => each.for_each(|(span, values)| *values = unit(span.at(time), Vec4::W)),
        }
    }

    fn find_stale(&mut self, time: f64) {
        // Written whether stale or not, and kept if so: no guess of the processor can be wrong.
        self.stale.resize(self.spans.len(), (0, 0));
        let mut count = 0;
        for (bundle, span) in self.spans.iter().enumerate() {
            self.stale[count] = (bundle, 0);
            count += usize::from(!(span.start <= time && time < span.end));
        }
        self.stale.truncate(count);
    }
}

impl Span {
    fn still(start: f64, end: f64, values: [f32; 4]) -> Self {
        Self { start, end, per_sec: 0.0, values: Vec4::from_array(values), steps: Vec4::ZERO }
    }

    #[inline]
    fn at(&self, time: f64) -> Vec4 {
        self.values + self.steps * ((time - self.start) as f32 * self.per_sec)
    }
}

fn span_after(keys: &[Knot], key_count: usize, meaning: Meaning) -> Span {
    let (before, after) = keys.split_at(key_count.min(keys.len()));
    match (before.last(), after.first()) {
        (Some(k0), Some(k1)) => {
            let [from, to] = [k0, k1].map(|knot| Vec4::from_array(knot.values));
            // Of the two quaternions of a rotation, the one nearer to where it comes from: the short way.
            let to = if meaning == Meaning::Rotation && from.dot(to) < 0.0 { -to } else { to };
            Span {
                start: k0.time.into(),
                end: k1.time.into(),
                per_sec: 1.0 / (k1.time - k0.time),
                values: from,
                steps: to - from,
            }
        }
        (Some(last), None) => Span::still(last.time.into(), f64::INFINITY, last.values),
        (None, Some(first)) => Span::still(-2.0 * FAR_SECS, first.time.into(), first.values),
        (None, None) => Span::still(-2.0 * FAR_SECS, f64::INFINITY, [f32::NAN; 4]),
    }
}

/// To length 1; what has no length becomes `otherwise`.
#[inline]
fn unit(values: Vec4, otherwise: Vec4) -> Vec4 {
    let square = values.length_squared();
    if (1e-20..1e20).contains(&square) { values / square.sqrt() } else { unit_in_64_bits(values, otherwise) }
}

/// For what is too long or too short for 32 bits, or nothing, or NaN.
#[cold]
fn unit_in_64_bits(values: Vec4, otherwise: Vec4) -> Vec4 {
    let values = values.as_dvec4();
    let length = values.length();
    if length == 0.0 { otherwise } else { (values / length).as_vec4() }
}

/// Whether these curves are evaluated as a bundle. If they are a rotation, it takes the short way.
pub(crate) fn is_bundle(curves: &[Curve]) -> bool {
    knots(curves).is_some()
}

/// The keys of these curves, if they share their times, run straight between them and clamp outside.
fn knots(curves: &[Curve]) -> Option<Vec<Knot>> {
    let times: Vec<_> = curves.first()?.keys.iter().map(|key| key.time).collect();
    let shared = |curve: &Curve| curve.keys.iter().map(|key| key.time).eq(times.iter().copied());
    let tame = |curve: &Curve| is_straight(curve) && curve.keys.iter().all(|key| is_tame(&key));
    if times.is_empty() || !curves.iter().all(|curve| shared(curve) && tame(curve)) || !times.windows(2).all(is_rising)
    {
        return None;
    }
    let mut knots: Vec<_> = times.iter().map(|&time| Knot { time, values: [0.0; 4] }).collect();
    for (column, curve) in curves.iter().enumerate() {
        for (knot, key) in knots.iter_mut().zip(curve.keys.iter()) {
            knot.values[column] = key.value;
        }
    }
    Some(knots)
}

fn is_straight(curve: &Curve) -> bool {
    let repeats = |mode| [WrapMode::LOOP, WrapMode::PING_PONG].contains(&mode);
    let is_straight = match &curve.keys {
        Keys::Linear(_) => true,
        Keys::Bezier(keys) => keys.iter().all(BezierKey::is_linear),
    };
    is_straight && !repeats(curve.pre_wrap) && !repeats(curve.post_wrap)
}

fn is_tame(key: &LinearKey) -> bool {
    key.time.abs() <= LARGEST && key.value.abs() <= LARGEST
}

fn is_rising(times: &[f32]) -> bool {
    times[1] - times[0] >= SHORTEST_SECS
}
