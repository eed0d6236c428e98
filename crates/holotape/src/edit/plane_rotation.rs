//! Rotates two curves, which are the coordinates of a point, about the origin.

use super::align::align_keys;
use super::budget::KeyBudget;
use super::editable_curve::EditableCurve;
use super::split::{LINEAR_SUBDIVISIONS, split, subdivide_linear};
use super::tangents::{enable_in_weight, enable_out_weight, linearize_in, linearize_out};
use crate::curve::SegmentShape;
use crate::error::Result;
use crate::pose::to_f32;
use crate::{BezierKey, LinearKey, WeightedMode};

/// A rotation from the second of two axes towards the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneRotation {
    sin: f64,
    cos: f64,
}

/// Keys of two curves at one time.
type KeyPair = [BezierKey; 2];

impl PlaneRotation {
    pub(super) fn new(angle_deg: f64) -> Self {
        let (sin, cos) = angle_deg.to_radians().sin_cos();
        Self { sin, cos }
    }

    pub(super) fn apply(self, [a, b]: [f64; 2]) -> [f64; 2] {
        [self.cos * a + self.sin * b, self.cos * b - self.sin * a]
    }

    /// Rotates two curves, which get keys at the same times. If they repeat in different ways, they are unrolled over a
    /// span.
    pub(super) fn rotate_curves(
        self,
        curves: [&mut EditableCurve; 2],
        span: (f32, f32),
        budget: &mut KeyBudget,
    ) -> Result<()> {
        if curves.iter().any(|curve| curve.keys.is_empty()) {
            return Ok(()); // Without both coordinates there is no point.
        }
        let wraps = curves.each_ref().map(|curve| (curve.pre_wrap, curve.post_wrap, curve.span()));
        let unroll = wraps[0] != wraps[1] && curves.iter().any(|curve| curve.repeats());
        let [a, b] = curves;
        if unroll {
            a.unroll(span.0, span.1, budget)?;
            b.unroll(span.0, span.1, budget)?;
        }
        let keys = self.rotate_keys(&subdivide_mismatched(align_keys(a, b), budget)?);
        let is_compact = a.is_compact && b.is_compact;
        for (n, curve) in [a, b].into_iter().enumerate() {
            curve.keys = keys.iter().map(|pair| pair[n]).collect();
            curve.is_compact = is_compact;
        }
        Ok(())
    }

    fn rotate_keys(self, keys: &[KeyPair]) -> Vec<KeyPair> {
        let rotated_values = |pair: &KeyPair| {
            let [a, b] = to_f32(self.apply(pair.map(|key| key.value.into())));
            [BezierKey { value: a, ..pair[0] }, BezierKey { value: b, ..pair[1] }]
        };
        let mut rotated: Vec<_> = keys.iter().map(rotated_values).collect();
        for (n, ends) in keys.windows(2).enumerate() {
            if let ([k0, k1], [from, to]) = (ends, &mut rotated[n..n + 2]) {
                self.rotate_tangents([k0, k1], [from, to]);
            }
        }
        rotated
    }

    /// Rotates the tangents between two keys. A line can be mixed with any cubic, because it is a cubic as well.
    fn rotate_tangents(self, [k0, k1]: [&KeyPair; 2], [from, to]: [&mut KeyPair; 2]) {
        let shapes = shapes(k0, k1);
        if shapes == [SegmentShape::Step; 2] {
            from.iter_mut().for_each(|key| key.out_tangent = f32::INFINITY);
            return;
        }
        if shapes == [SegmentShape::Line; 2] || k0[0].time == k1[0].time {
            from.iter_mut().for_each(linearize_out);
            to.iter_mut().for_each(linearize_in);
            return;
        }
        let tangents = [0, 1].map(|n| tangents(shapes[n], &k0[n], &k1[n]));
        let [out, into] = [0, 1].map(|side| to_f32(self.apply(tangents.map(|tangents| tangents[side]))));
        let weights = shapes.into_iter().find_map(weights);
        for n in 0..2 {
            (from[n].out_tangent, to[n].in_tangent) = (out[n], into[n]);
            set_weights(&mut from[n], &mut to[n], weights);
        }
    }
}

/// Slopes out of one key and into the next.
fn tangents(shape: SegmentShape, k0: &BezierKey, k1: &BezierKey) -> [f64; 2] {
    match shape {
        SegmentShape::Line => {
            let [v0, v1, t0, t1] = [k0.value, k1.value, k0.time, k1.time].map(f64::from);
            [(v1 - v0) / (t1 - t0); 2]
        }
        _ => [k0.out_tangent, k1.in_tangent].map(f64::from),
    }
}

fn weights(shape: SegmentShape) -> Option<[f32; 2]> {
    match shape {
        SegmentShape::Bezier(w0, w1) => Some(to_f32([w0, w1])),
        SegmentShape::Step | SegmentShape::Line | SegmentShape::Hermite => None,
    }
}

/// Enables these weights between two keys, or disables both.
fn set_weights(from: &mut BezierKey, to: &mut BezierKey, weights: Option<[f32; 2]>) {
    if let Some(weights) = weights {
        [from.out_weight, to.in_weight] = weights;
        enable_out_weight(from);
        enable_in_weight(to);
    } else {
        from.weighted_mode.0 &= !WeightedMode::OUT.0;
        to.weighted_mode.0 &= !WeightedMode::IN.0;
    }
}

fn shapes(k0: &KeyPair, k1: &KeyPair) -> [SegmentShape; 2] {
    [0, 1].map(|n| SegmentShape::between(&k0[n], &k1[n]))
}

/// Adds keys where the shapes of two curves cannot be mixed.
fn subdivide_mismatched(pairs: Vec<KeyPair>, budget: &mut KeyBudget) -> Result<Vec<KeyPair>> {
    let mut all: Vec<KeyPair> = Vec::with_capacity(pairs.len());
    for mut next in pairs {
        if let Some(last) = all.last_mut().filter(|last| last[0].time < next[0].time) {
            let between = keys_between(last, &mut next, budget)?;
            all.extend(between);
        }
        all.push(next);
    }
    Ok(all)
}

/// The keys between two pairs that make the shapes mixable.
fn keys_between(last: &mut KeyPair, next: &mut KeyPair, budget: &mut KeyBudget) -> Result<Vec<KeyPair>> {
    Ok(match shapes(last, next) {
        [SegmentShape::Line, SegmentShape::Hermite | SegmentShape::Bezier(..)]
        | [SegmentShape::Hermite | SegmentShape::Bezier(..), SegmentShape::Line] => Vec::new(),
        [a, b] if a == b => Vec::new(),
        [SegmentShape::Step, _] => hold_step(last, next, 0),
        [_, SegmentShape::Step] => hold_step(last, next, 1),
        _ => {
            budget.spend(LINEAR_SUBDIVISIONS as f64)?;
            let [a, b] = [0, 1].map(|n| subdivide_linear(&mut last[n], &mut next[n]));
            a.into_iter().zip(b).map(|(a, b)| [a, b]).collect()
        }
    })
}

/// Replaces the step of one of two curves by a value that is held until just before the next key.
fn hold_step(last: &mut KeyPair, next: &mut KeyPair, step: usize) -> Vec<KeyPair> {
    let time = next[0].time.next_down();
    let held = LinearKey::new(time, last[step].value).into();
    linearize_out(&mut last[step]);
    linearize_in(&mut next[step]);
    if time <= last[0].time {
        return Vec::new();
    }
    let mut pair = [held; 2];
    pair[1 - step] = split(&mut last[1 - step], &mut next[1 - step], time);
    vec![pair]
}
