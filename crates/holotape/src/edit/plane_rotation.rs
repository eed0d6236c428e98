//! Two curves as the coordinates of one point, which is turned about the origin.

use super::align::align_keys;
use super::budget::KeyBudget;
use super::editable_curve::EditableCurve;
use super::split::{LINEAR_SUBDIVISIONS, split, subdivide_linear};
use super::tangents::{enable_in_weight, enable_out_weight, linearize_in, linearize_out};
use crate::curve::SegmentShape;
use crate::error::Result;
use crate::pose::to_f32;
use crate::{BezierKey, LinearKey, WeightedMode};

/// A turn from the second of two axes towards the first.
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

    /// Turns two curves, which get keys at the same times. If they repeat in different ways, they are written out over
    /// a span.
    pub(super) fn rotate_curves(
        self,
        curves: [&mut EditableCurve; 2],
        span: (f32, f32),
        budget: &mut KeyBudget,
    ) -> Result<()> {
        if curves.iter().any(|strand| strand.keys.is_empty()) {
            return Ok(()); // Without both there is no point.
        }
        let habits = curves.each_ref().map(|strand| (strand.pre_wrap, strand.post_wrap, strand.span()));
        let unroll = habits[0] != habits[1] && curves.iter().any(|strand| strand.repeats());
        let [a, b] = curves;
        if unroll {
            a.unroll(span.0, span.1, budget)?;
            b.unroll(span.0, span.1, budget)?;
        }
        let keys = self.rotate_keys(&subdivide_mismatched(align_keys(a, b), budget)?);
        let is_compact = a.is_compact && b.is_compact;
        for (n, strand) in [a, b].into_iter().enumerate() {
            strand.keys = keys.iter().map(|pair| pair[n]).collect();
            strand.is_compact = is_compact;
        }
        Ok(())
    }

    fn rotate_keys(self, keys: &[KeyPair]) -> Vec<KeyPair> {
        let turned_values = |pair: &KeyPair| {
            let [a, b] = to_f32(self.apply(pair.map(|key| key.value.into())));
            [BezierKey { value: a, ..pair[0] }, BezierKey { value: b, ..pair[1] }]
        };
        let mut turned: Vec<_> = keys.iter().map(turned_values).collect();
        for (n, ends) in keys.windows(2).enumerate() {
            if let ([k0, k1], [from, to]) = (ends, &mut turned[n..n + 2]) {
                self.rotate_tangents([k0, k1], [from, to]);
            }
        }
        turned
    }

    /// Turns the sides of keys that face each other. A line goes with any cubic: it is one itself, by its slope.
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

/// Makes these weights count between two keys, or none.
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

/// Adds keys where two curves run in ways that no curve can mix.
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

/// The keys by which the two ways from one pair to the next can be mixed.
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

/// Writes the step of one of two curves as a value that is held until just before it ends.
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
