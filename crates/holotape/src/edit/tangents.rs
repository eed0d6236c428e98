//! One side of a key: how the curve runs into it, or out of it.

use crate::{BezierKey, WeightedMode};

/// Gives a key a straight line to the key before, if that one has a straight line out.
pub(super) fn linearize_in(key: &mut BezierKey) {
    (key.in_tangent, key.in_weight) = (0.0, 0.0);
    enable_in_weight(key);
}

/// Gives a key a straight line to the key after, if that one has a straight line in.
pub(super) fn linearize_out(key: &mut BezierKey) {
    (key.out_tangent, key.out_weight) = (0.0, 0.0);
    enable_out_weight(key);
}

/// Makes the weight before a key count.
pub(super) fn enable_in_weight(key: &mut BezierKey) {
    key.weighted_mode.0 |= WeightedMode::IN.0;
}

/// Makes the weight after a key count.
pub(super) fn enable_out_weight(key: &mut BezierKey) {
    key.weighted_mode.0 |= WeightedMode::OUT.0;
}

/// A key with the time, the value and the side after it of one, and the side before it of another.
pub(super) fn join_sides(before: &BezierKey, after: &BezierKey) -> BezierKey {
    BezierKey {
        in_tangent: before.in_tangent,
        in_weight: before.in_weight,
        weighted_mode: weighted_mode_from(before.weighted_mode.has_in_weight(), after.weighted_mode.has_out_weight()),
        ..*after
    }
}

/// The key as it is when time runs backwards.
pub(super) fn reversed(key: &BezierKey) -> BezierKey {
    BezierKey {
        time: -key.time,
        value: key.value,
        in_tangent: negated(key.out_tangent),
        out_tangent: negated(key.in_tangent),
        in_weight: key.out_weight,
        out_weight: key.in_weight,
        weighted_mode: weighted_mode_from(key.weighted_mode.has_out_weight(), key.weighted_mode.has_in_weight()),
    }
}

/// Turns a key's value, and the slopes with it, to the other side of zero.
pub(super) fn negate(key: &mut BezierKey) {
    key.value = -key.value;
    key.in_tangent = negated(key.in_tangent);
    key.out_tangent = negated(key.out_tangent);
}

/// A slope of zero stays as it is: with -0 a straight key would no longer be one.
fn negated(tangent: f32) -> f32 {
    if tangent == 0.0 { tangent } else { -tangent }
}

fn weighted_mode_from(is_in: bool, is_out: bool) -> WeightedMode {
    let bit = |is_set: bool, mode: WeightedMode| if is_set { mode.0 } else { 0 };
    WeightedMode(bit(is_in, WeightedMode::IN) | bit(is_out, WeightedMode::OUT))
}
