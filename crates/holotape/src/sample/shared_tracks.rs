//! Curves that share their key times and run straight between them: one place in time serves them all.
//!
//! Made for speed, and laid out for it: what a time needs of every bundle lies together, one cache line each, apart from
//! the keys, which are looked at only when a time leaves the span between two of them.

use std::sync::Arc;

use glam::Vec4;

use super::key_time_index::{SharedKeys, TimeCursor};
use crate::vector::{VectorKey, align_sign, vector_keys};
use crate::{Curve, CurveRef, VectorKind};

/// Times and values beyond this, and steps in time below the other, could leave the range of 32 bits on the way. Nothing
/// that a device records comes near; what does is left to plain evaluation.
const MAX_SAFE_VALUE: f32 = 1e18;
const MIN_STEP_SECS: f32 = 1e-12;

/// Further than any key: times are held within.
const MAX_TIME_SECS: f64 = 1e19;

/// Bundles of one kind that are asked for together.
#[derive(Clone, Debug)]
pub(super) struct SharedKeyTracks {
    pub(super) kind: VectorKind,
    spans: Vec<Segment>,
    keys: Vec<SharedKeys>,
    /// How many keys there are up to the span.
    key_counts: Vec<usize>,
    /// At the last time, the fourth 0 for three curves.
    values: Vec<Vec4>,
    /// Bundles whose span the time has left.
    stale: Vec<usize>,
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
    pub(super) fn new(kind: VectorKind) -> Self {
        let (spans, keys, key_counts) = Default::default();
        Self { kind, spans, keys, key_counts, values: Vec::new(), stale: Vec::new() }
    }

    /// Adds the bundle of these curves, if they are one, and gives its number.
    pub(super) fn push(&mut self, curves: &[Curve]) -> Option<usize> {
        self.keys.push(Arc::new(shared_keys(curves)?));
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
            self.spans[bundle] = segment_after(&self.keys[bundle], self.key_counts[bundle], self.kind);
        }
        let each = self.spans.iter().zip(&mut self.values);
        match self.kind {
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
fn next_count(keys: &[VectorKey<4>], key_count: usize, time: f64) -> Option<usize> {
    let [next, second, third] = keys.get(key_count..)?.first_chunk()?;
    let [next, second, third] = [next, second, third].map(|key| f64::from(key.time) <= time);
    (next & !third).then_some(key_count + 1 + usize::from(second))
}

fn segment_after(keys: &[VectorKey<4>], key_count: usize, kind: VectorKind) -> Segment {
    let (before, after) = keys.split_at(key_count.min(keys.len()));
    match (before.last(), after.first()) {
        (Some(k0), Some(k1)) => {
            // Rotations take the short way.
            let to = if kind == VectorKind::Rotation { align_sign(k0.values, k1.values) } else { k1.values };
            let [from, to] = [k0.values, to].map(Vec4::from_array);
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

/// Whether the sampler evaluates these curves together. If they are a rotation, it then takes the short way.
pub(crate) fn have_shared_keys(curves: &[Curve]) -> bool {
    shared_keys(curves).is_some()
}

/// The keys of curves that share their times, are straight lines between them, and clamp outside; `None` for others.
fn shared_keys(curves: &[Curve]) -> Option<Vec<VectorKey<4>>> {
    let is_linear = |curve: &Curve| curve.keys.are_linear() && !CurveRef::Float(curve).repeats();
    let keys = if curves.iter().all(is_linear) { vector_keys(curves)? } else { return None };
    (!keys.is_empty() && are_f32_safe(&keys)).then_some(keys)
}

/// Whether times increase, and neither times nor values overflow in 32-bit arithmetic. No early exit, to be fast.
fn are_f32_safe(keys: &[VectorKey<4>]) -> bool {
    let mut last = f32::NEG_INFINITY;
    keys.iter().fold(true, |are_safe, key| {
        let is_later = key.time - std::mem::replace(&mut last, key.time) >= MIN_STEP_SECS;
        let largest = key.values.map(f32::abs);
        let is_small =
            (key.time.abs() <= MAX_SAFE_VALUE) & largest.iter().fold(true, |all, x| all & (*x <= MAX_SAFE_VALUE));
        are_safe & is_later & is_small
    })
}
