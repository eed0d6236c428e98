//! Vectors whose components share their key times and are linear between them: one search serves all components.
//!
//! The layout is made for speed. The current segments of all vectors are contiguous, one cache line each. The keys are
//! read only when the time leaves a segment. Once there is an index of the keys, it replaces segments and keys.

use std::sync::Arc;

use glam::Vec4;

use super::key_time_index::{SharedKeys, TimeCursor};
use crate::vector::{VectorKey, align_sign, vector_keys};
use crate::{Curve, CurveRef, VectorKind};

/// Larger times and values, and smaller steps in time, could overflow 32-bit arithmetic. Devices record nothing close to
/// that; such vectors use the reference implementation.
const MAX_SAFE_VALUE: f32 = 1e18;
const MIN_STEP_SECS: f32 = 1e-12;

/// Later than any key: evaluation times are clamped to this.
const MAX_TIME_SECS: f64 = 1e19;

/// Vectors of one kind that are evaluated together.
#[derive(Clone, Debug)]
pub(super) struct SharedKeyTracks {
    pub(super) kind: VectorKind,
    /// The current segment of each vector; empty if there is an index of the keys, like the next two.
    segments: Vec<Segment>,
    keys: Vec<SharedKeys>,
    /// The number of keys up to the start of the segment.
    key_counts: Vec<usize>,
    /// The values at the last time; the fourth is 0 for vectors of three components.
    values: Vec<Vec4>,
    /// Vectors whose segment does not contain the time.
    stale: Vec<usize>,
}

/// A line between two keys, for times from `start` up to `end`.
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
        let (segments, keys, key_counts) = Default::default();
        Self { kind, segments, keys, key_counts, values: Vec::new(), stale: Vec::new() }
    }

    /// Adds a vector and returns its index; `None` if its curves cannot be evaluated together.
    pub(super) fn push(&mut self, curves: &[Curve]) -> Option<usize> {
        self.keys.push(Arc::new(shared_keys(curves)?));
        // No time is in this segment, so the first evaluation searches for one.
        self.segments.push(Segment { start: f64::NAN, ..Segment::constant(0.0, 0.0, [0.0; 4]) });
        self.key_counts.push(0);
        self.values.push(Vec4::ZERO);
        Some(self.keys.len() - 1)
    }

    /// The keys of each vector.
    pub(super) fn keys(&self) -> &[SharedKeys] {
        &self.keys
    }

    #[inline]
    pub(super) fn values(&self, vector: usize) -> [f32; 4] {
        self.values[vector].to_array()
    }

    /// Evaluates all vectors. In the key time index, their numbers start at `first`.
    pub(super) fn evaluate(&mut self, time: f64, cursor: &mut TimeCursor<'_>, first: usize) {
        let time = time.clamp(-MAX_TIME_SECS, MAX_TIME_SECS);
        if let Some(keys) = cursor.keys_around(first, self.values.len()) {
            if !self.keys.is_empty() {
                (self.segments, self.keys, self.key_counts) = Default::default();
            }
            return self.evaluate_between(keys, time);
        }
        self.find_stale(time);
        // First all counts, then all keys, so that memory accesses of different vectors overlap.
        for &vector in &self.stale {
            let (keys, key_count) = (&self.keys[vector], &mut self.key_counts[vector]);
            *key_count = next_count(keys, *key_count, time).unwrap_or_else(|| cursor.key_count(keys));
        }
        for &vector in &self.stale {
            self.segments[vector] = segment_after(&self.keys[vector], self.key_counts[vector], self.kind);
        }
        let each = self.segments.iter().zip(&mut self.values);
        match self.kind {
            VectorKind::Position => each.for_each(|(segment, values)| *values = segment.at(time)),
            VectorKind::Direction => each.for_each(|(segment, values)| *values = unit(segment.at(time), Vec4::ZERO)),
            VectorKind::Rotation => each.for_each(|(segment, values)| *values = unit(segment.at(time), Vec4::W)),
        }
    }

    /// Evaluates all vectors from the keys before and after a time.
    fn evaluate_between<'a>(&mut self, keys: impl Iterator<Item = [&'a VectorKey<4>; 2]>, time: f64) {
        let each = keys.zip(&mut self.values);
        match self.kind {
            VectorKind::Position => each.for_each(|([k0, k1], values)| *values = between(k0, k1, k1.values, time)),
            VectorKind::Direction => {
                each.for_each(|([k0, k1], values)| *values = unit(between(k0, k1, k1.values, time), Vec4::ZERO))
            }
            VectorKind::Rotation => each.for_each(|([k0, k1], values)| {
                *values = unit(between(k0, k1, align_sign(k0.values, k1.values), time), Vec4::W);
            }),
        }
    }

    fn find_stale(&mut self, time: f64) {
        // Always written, but kept only if stale: there is no branch to mispredict.
        self.stale.resize(self.segments.len(), 0);
        let mut count = 0;
        for (vector, segment) in self.segments.iter().enumerate() {
            self.stale[count] = vector;
            count += usize::from(!(segment.start <= time && time < segment.end));
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

/// The number of keys up to a time if it is one or two more than before, and `None` otherwise. The two cases are added
/// up without a branch: a misprediction would wait for the memory of every vector.
#[inline]
fn next_count(keys: &[VectorKey<4>], key_count: usize, time: f64) -> Option<usize> {
    let [next, second, third] = keys.get(key_count..)?.first_chunk()?;
    let [next, second, third] = [next, second, third].map(|key| f64::from(key.time) <= time);
    (next & !third).then_some(key_count + 1 + usize::from(second))
}

/// The value at a time between two keys, as [`Segment::at`] computes it. `to` is the value of the second key.
#[inline]
fn between(k0: &VectorKey<4>, k1: &VectorKey<4>, to: [f32; 4], time: f64) -> Vec4 {
    let [from, to] = [k0.values, to].map(Vec4::from_array);
    let per_sec = if k0.time < k1.time { 1.0 / (k1.time - k0.time) } else { 0.0 };
    // Before the first key, the difference is negative, and would change the sign of a zero.
    from + (to - from) * ((time - f64::from(k0.time)).abs() as f32 * per_sec)
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

/// Normalizes a vector; a zero vector becomes `otherwise`.
#[inline]
fn unit(values: Vec4, otherwise: Vec4) -> Vec4 {
    let square = values.length_squared();
    if (1e-20..1e20).contains(&square) { values / square.sqrt() } else { unit_f64(values, otherwise) }
}

/// For vectors whose squared length overflows or underflows 32 bits, zero vectors and NaN.
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

/// The keys of curves that share their times, are linear between them, and clamp outside; `None` for others.
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
