//! Curves that share their key times and run straight between them: one place in time serves them all.
//!
//! Made for speed, and laid out for it: what a time needs of every bundle lies together, one cache line each, apart from
//! the keys, which are looked at only when a time leaves the span between two of them.

use std::sync::Arc;

use glam::Vec4;

use super::key_time_index::{SharedKeys, TimeCursor};
use crate::{BezierKey, Curve, Keys, LinearKey, WrapMode};

/// Times and values beyond this, and steps in time below the other, could leave the range of 32 bits on the way. Nothing
/// that a device records comes near; what does is left to plain evaluation.
const MAX_SAFE_VALUE: f32 = 1e18;
const MIN_STEP_SECS: f32 = 1e-12;

/// Further than any key: times are held within.
const MAX_TIME_SECS: f64 = 1e19;

/// What the values of a bundle are, and so what is done to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VectorKind {
    Position,
    Direction,
    Rotation,
}

/// Bundles of one meaning that are asked for together.
#[derive(Clone, Debug)]
pub(super) struct SharedKeyTracks {
    pub(super) meaning: VectorKind,
    spans: Vec<Segment>,
    keys: Vec<SharedKeys>,
    /// How many keys there are up to the span.
    key_counts: Vec<usize>,
    /// At the last time, the fourth 0 for three curves.
    values: Vec<Vec4>,
    /// Bundles whose span the time has left.
    stale: Vec<usize>,
}

/// One time and the values of all curves there.
#[derive(Clone, Copy, Debug)]
pub(super) struct VectorKey {
    pub(super) time: f32,
    pub(super) values: [f32; 4],
}

/// What it takes to evaluate between two knots, for times from `start` up to `end`.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Segment {
    start: f64,
    end: f64,
    per_sec: f32,
    values: Vec4,
    steps: Vec4,
}

impl SharedKeyTracks {
    pub(super) fn new(meaning: VectorKind) -> Self {
        let (spans, keys, key_counts) = Default::default();
        Self { meaning, spans, keys, key_counts, values: Vec::new(), stale: Vec::new() }
    }

    /// Adds the bundle of these curves, if they are one, and gives its number.
    pub(super) fn push(&mut self, curves: &[Curve]) -> Option<usize> {
        self.keys.push(Arc::new(vector_keys(curves)?));
        // A span that no time is in, so that the first time looks for its own.
        self.spans.push(Segment { start: f64::NAN, ..Segment::constant(0.0, 0.0, [0.0; 4]) });
        self.key_counts.push(0);
        self.values.push(Vec4::ZERO);
        Some(self.keys.len() - 1)
    }

    /// The keys of each bundle.
    pub(super) fn keys(&self) -> &[SharedKeys] {
        &self.keys
    }

    #[inline]
    pub(super) fn values(&self, bundle: usize) -> [f32; 4] {
        self.values[bundle].to_array()
    }

    /// Evaluates all bundles. On the clock they are those from `first` on.
    pub(super) fn evaluate(&mut self, time: f64, place: &mut TimeCursor<'_>, first: usize) {
        let time = time.clamp(-MAX_TIME_SECS, MAX_TIME_SECS);
        self.find_stale(time);
        // First all places, then all keys: the memory for one does not wait for that of another.
        for &bundle in &self.stale {
            let key_count = &mut self.key_counts[bundle];
            let next = next_count(&self.keys[bundle], *key_count, time);
            *key_count = next.unwrap_or_else(|| place.key_count(first + bundle));
        }
        for &bundle in &self.stale {
            self.spans[bundle] = segment_after(&self.keys[bundle], self.key_counts[bundle], self.meaning);
        }
        let each = self.spans.iter().zip(&mut self.values);
        match self.meaning {
            VectorKind::Position => each.for_each(|(span, values)| *values = span.at(time)),
            VectorKind::Direction => each.for_each(|(span, values)| *values = unit(span.at(time), Vec4::ZERO)),
            VectorKind::Rotation => each.for_each(|(span, values)| *values = unit(span.at(time), Vec4::W)),
        }
    }

    fn find_stale(&mut self, time: f64) {
        // Written whether stale or not, and kept if so: no guess of the processor can be wrong.
        self.stale.resize(self.spans.len(), 0);
        let mut count = 0;
        for (bundle, span) in self.spans.iter().enumerate() {
            self.stale[count] = bundle;
            count += usize::from(!(span.start <= time && time < span.end));
        }
        self.stale.truncate(count);
    }
}

impl Segment {
    fn constant(start: f64, end: f64, values: [f32; 4]) -> Self {
        Self { start, end, per_sec: 0.0, values: Vec4::from_array(values), steps: Vec4::ZERO }
    }

    #[inline]
    fn at(&self, time: f64) -> Vec4 {
        self.values + self.steps * ((time - self.start) as f32 * self.per_sec)
    }
}

/// How many keys there are up to a time that is just behind so many: one more, or two. Nothing if it is elsewhere.
/// Which of the two is added up, not chosen: a processor that had to guess would wait for the memory of every bundle.
#[inline]
fn next_count(keys: &[VectorKey], key_count: usize, time: f64) -> Option<usize> {
    let [next, second, third] = keys.get(key_count..)?.first_chunk()?;
    let [next, second, third] = [next, second, third].map(|key| f64::from(key.time) <= time);
    (next & !third).then_some(key_count + 1 + usize::from(second))
}

fn segment_after(keys: &[VectorKey], key_count: usize, meaning: VectorKind) -> Segment {
    let (before, after) = keys.split_at(key_count.min(keys.len()));
    match (before.last(), after.first()) {
        (Some(k0), Some(k1)) => {
            let [from, to] = [k0, k1].map(|knot| Vec4::from_array(knot.values));
            // Of the two quaternions of a rotation, the one nearer to where it comes from: the short way.
            let to = if meaning == VectorKind::Rotation && from.dot(to) < 0.0 { -to } else { to };
            Segment {
                start: k0.time.into(),
                end: k1.time.into(),
                per_sec: 1.0 / (k1.time - k0.time),
                values: from,
                steps: to - from,
            }
        }
        (Some(last), None) => Segment::constant(last.time.into(), f64::INFINITY, last.values),
        (None, Some(first)) => Segment::constant(-2.0 * MAX_TIME_SECS, first.time.into(), first.values),
        (None, None) => Segment::constant(-2.0 * MAX_TIME_SECS, f64::INFINITY, [f32::NAN; 4]),
    }
}

/// To length 1; what has no length becomes `otherwise`.
#[inline]
fn unit(values: Vec4, otherwise: Vec4) -> Vec4 {
    let square = values.length_squared();
    if (1e-20..1e20).contains(&square) { values / square.sqrt() } else { unit_f64(values, otherwise) }
}

/// For what is too long or too short for 32 bits, or nothing, or NaN.
#[cold]
fn unit_f64(values: Vec4, otherwise: Vec4) -> Vec4 {
    let values = values.as_dvec4();
    let length = values.length();
    if length == 0.0 { otherwise } else { (values / length).as_vec4() }
}

/// Whether these curves are evaluated as a bundle. If they are a rotation, it takes the short way.
pub(crate) fn have_shared_keys(curves: &[Curve]) -> bool {
    vector_keys(curves).is_some()
}

/// The keys of these curves, if they share their times, run straight between them and clamp outside.
fn vector_keys(curves: &[Curve]) -> Option<Vec<VectorKey>> {
    let first = curves.first()?;
    if first.keys.is_empty() || !curves.iter().all(is_linear) {
        return None;
    }
    let mut knots: Vec<_> = first.keys.iter().map(|key| VectorKey { time: key.time, values: [0.0; 4] }).collect();
    let fit = curves.iter().enumerate().all(|(column, curve)| match &curve.keys {
        Keys::Linear(keys) => fill(&mut knots, column, keys.iter().copied()),
        Keys::Bezier(keys) => fill(&mut knots, column, keys.iter().map(|key| LinearKey::new(key.time, key.value))),
    });
    (fit && knots.windows(2).all(is_increasing)).then_some(knots)
}

/// Fills one column of the knots, and says whether the keys are at their times and tame. No way out of the loop before
/// its end, which is what makes it fast.
fn fill(knots: &mut [VectorKey], column: usize, keys: impl ExactSizeIterator<Item = LinearKey>) -> bool {
    let mut fits = keys.len() == knots.len();
    for (knot, key) in knots.iter_mut().zip(keys) {
        fits &= (knot.time == key.time) & is_f32_safe(&key);
        knot.values[column] = key.value;
    }
    fits
}

fn is_linear(curve: &Curve) -> bool {
    let repeats = |mode| [WrapMode::LOOP, WrapMode::PING_PONG].contains(&mode);
    let is_straight = match &curve.keys {
        Keys::Linear(_) => true,
        Keys::Bezier(keys) => keys.iter().all(BezierKey::is_linear),
    };
    is_straight && !repeats(curve.pre_wrap) && !repeats(curve.post_wrap)
}

fn is_f32_safe(key: &LinearKey) -> bool {
    (key.time.abs() <= MAX_SAFE_VALUE) & (key.value.abs() <= MAX_SAFE_VALUE)
}

fn is_increasing(knots: &[VectorKey]) -> bool {
    knots[1].time - knots[0].time >= MIN_STEP_SECS
}
