//! Incoming and outgoing tangents of keys.

use crate::{BezierKey, WeightedMode};

/// Makes the incoming side linear. The segment is a line if the outgoing side of the previous key is linear too.
pub(super) fn linearize_in(key: &mut BezierKey) {
    (key.in_tangent, key.in_weight) = (0.0, 0.0);
    enable_in_weight(key);
}

/// Makes the outgoing side linear. The segment is a line if the incoming side of the next key is linear too.
pub(super) fn linearize_out(key: &mut BezierKey) {
    (key.out_tangent, key.out_weight) = (0.0, 0.0);
    enable_out_weight(key);
}

pub(super) fn enable_in_weight(key: &mut BezierKey) {
    key.weighted_mode.0 |= WeightedMode::IN.0;
}

pub(super) fn enable_out_weight(key: &mut BezierKey) {
    key.weighted_mode.0 |= WeightedMode::OUT.0;
}

/// Joins the incoming side of one key with time, value and outgoing side of another.
pub(super) fn join_sides(before: &BezierKey, after: &BezierKey) -> BezierKey {
    BezierKey {
        in_tangent: before.in_tangent,
        in_weight: before.in_weight,
        weighted_mode: weighted_mode_from(before.weighted_mode.has_in_weight(), after.weighted_mode.has_out_weight()),
        ..*after
    }
}

/// The key with time reversed.
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

/// Negates value and tangents.
pub(super) fn negate(key: &mut BezierKey) {
    key.value = -key.value;
    key.in_tangent = negated(key.in_tangent);
    key.out_tangent = negated(key.out_tangent);
}

/// 0 stays 0: with -0 a linear key would not be recognized as linear.
fn negated(tangent: f32) -> f32 {
    if tangent == 0.0 { tangent } else { -tangent }
}

fn weighted_mode_from(is_in: bool, is_out: bool) -> WeightedMode {
    let bit = |is_set: bool, mode: WeightedMode| if is_set { mode.0 } else { 0 };
    WeightedMode(bit(is_in, WeightedMode::IN) | bit(is_out, WeightedMode::OUT))
}
