//! Inserts a key between two keys without changing the curve.

use super::tangents::{enable_in_weight, enable_out_weight, join_sides, linearize_in, linearize_out};
use crate::curve::{SegmentShape, bezier_parameter, segment_value};
use crate::pose::to_f32;
use crate::{BezierKey, LinearKey, WeightedMode};

/// The number of lines that replace a segment that cannot be represented as one cubic.
pub(super) const LINEAR_SUBDIVISIONS: usize = 256;

/// Returns a key between two keys, at a time strictly between theirs. Changes the facing tangents of the two, so that
/// both halves together have the original shape.
pub(super) fn split(k0: &mut BezierKey, k1: &mut BezierKey, time: f32) -> BezierKey {
    let secs = f64::from(k1.time) - f64::from(k0.time);
    let fraction = (f64::from(time) - f64::from(k0.time)) / secs;
    let [value] = to_f32([segment_value(k0, k1, fraction)]);
    match SegmentShape::between(k0, k1) {
        SegmentShape::Line => LinearKey::new(time, value).into(),
        // Either tangent may be the one that makes it a step.
        SegmentShape::Step => BezierKey { time, value, ..join_sides(k1, k0) },
        SegmentShape::Hermite => {
            let [slope] = to_f32([hermite_slope(k0, k1, secs, fraction)]);
            let unweighted = BezierKey { weighted_mode: WeightedMode::NONE, ..*k0 };
            BezierKey { time, value, in_tangent: slope, out_tangent: slope, ..unweighted }
        }
        SegmentShape::Bezier(w0, w1) => split_bezier(k0, k1, [w0, w1], secs, fraction, LinearKey::new(time, value)),
    }
}

fn hermite_slope(k0: &BezierKey, k1: &BezierKey, secs: f64, s: f64) -> f64 {
    let [v0, v1] = [k0.value, k1.value].map(f64::from);
    let [t0, t1] = [k0.out_tangent, k1.in_tangent].map(f64::from);
    6.0 * s * (1.0 - s) * (v1 - v0) / secs + (1.0 - s) * (1.0 - 3.0 * s) * t0 + s * (3.0 * s - 2.0) * t1
}

/// By de Casteljau's algorithm: the halves of a cubic are cubics. With weights above 1, time may reverse; the value is
/// then that of the last parameter with that time. No parameter before the split is the last one for a later time, and
/// none after it for an earlier time, so the halves evaluate like the original.
fn split_bezier(
    k0: &mut BezierKey,
    k1: &mut BezierKey,
    [w0, w1]: [f64; 2],
    secs: f64,
    s: f64,
    at: LinearKey,
) -> BezierKey {
    let u = bezier_parameter(w0, w1, s);
    let [v0, v1] = [k0.value, k1.value].map(f64::from);
    let inner = [v0 + w0 * secs * f64::from(k0.out_tangent), v1 - w1 * secs * f64::from(k1.in_tangent)];
    let time_slope = slope([0.0, w0, 1.0 - w1, 1.0], u);
    let value_slope = slope([v0, inner[0], inner[1], v1], u);
    // From the key in the middle to the control points beside it, in time and value; `span` is the fraction of the half.
    let side = |along: f64, span: f64| {
        // A vertical tangent has weight 0. A very small weight with a very steep tangent approximates it.
        const MIN_WEIGHT: f64 = 1e-6;
        let weight = (along * time_slope / (3.0 * span)).max(MIN_WEIGHT);
        let tangent = along * value_slope / (3.0 * weight * span * secs);
        to_f32([tangent, weight])
    };
    let [in_tangent, in_weight] = side(u, s);
    let [out_tangent, out_weight] = side(1.0 - u, 1.0 - s);
    [k0.out_weight, k1.in_weight] = to_f32([w0 * u / s, w1 * (1.0 - u) / (1.0 - s)]);
    enable_out_weight(k0);
    enable_in_weight(k1);
    let LinearKey { time, value } = at;
    BezierKey { time, value, in_tangent, out_tangent, in_weight, out_weight, weighted_mode: WeightedMode::BOTH }
}

/// The derivative of a cubic with these control points.
fn slope(points: [f64; 4], u: f64) -> f64 {
    let v = 1.0 - u;
    let [a, b, c] = [points[1] - points[0], points[2] - points[1], points[3] - points[2]];
    3.0 * (a * v * v + 2.0 * b * u * v + c * u * u)
}

/// Replaces a segment by many lines, and returns the keys between them.
pub(super) fn subdivide_linear(k0: &mut BezierKey, k1: &mut BezierKey) -> Vec<BezierKey> {
    let [start, end] = [k0.time, k1.time].map(f64::from);
    let mut inner: Vec<BezierKey> = Vec::with_capacity(LINEAR_SUBDIVISIONS);
    for n in 1..LINEAR_SUBDIVISIONS {
        let time = (start + (end - start) * n as f64 / LINEAR_SUBDIVISIONS as f64) as f32;
        if time <= inner.last().map_or(k0.time, |key| key.time) || time >= k1.time {
            continue; // Below the resolution of times.
        }
        let [value] = to_f32([segment_value(k0, k1, (f64::from(time) - start) / (end - start))]);
        inner.push(LinearKey::new(time, value).into());
    }
    linearize_out(k0);
    linearize_in(k1);
    inner
}
