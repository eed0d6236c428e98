//! Curves of every shape that a curve editor can make, and hostile ones.

use holotape::{BezierKey, BoolCurve, Curve, Keys, LinearKey, WeightedMode, WrapMode};
use proptest::prelude::*;

pub fn any_wrap() -> impl Strategy<Value = WrapMode> {
    prop::sample::select(vec![0, 1, 2, 4, 8, 77]).prop_map(WrapMode)
}

/// Times in any order, some repeated.
fn any_time() -> impl Strategy<Value = f32> {
    prop_oneof![-1.0..4.0_f32, prop::sample::select(vec![0.0, 1.0, 1.5, 3.0])]
}

fn any_tangent() -> impl Strategy<Value = f32> {
    prop_oneof![4 => -5.0..5.0_f32, 1 => Just(f32::INFINITY), 1 => Just(f32::NEG_INFINITY), 1 => Just(0.0)]
}

/// A key with weights up to a maximum, or without weights.
fn any_key(largest_weight: f32) -> impl Strategy<Value = BezierKey> {
    let weight = move || prop_oneof![3 => 0.0..=largest_weight, 1 => Just(0.0)];
    let sides = (any_tangent(), any_tangent(), weight(), weight());
    let modes = if largest_weight > 0.0 { 0..4 } else { 0..1 };
    (any_time(), -2.0..2.0_f32, sides, modes).prop_map(|(time, value, sides, mode)| {
        let (in_tangent, out_tangent, in_weight, out_weight) = sides;
        let weighted_mode = WeightedMode(mode);
        BezierKey { time, value, in_tangent, out_tangent, in_weight, out_weight, weighted_mode }
    })
}

fn any_linear_key() -> impl Strategy<Value = LinearKey> {
    (any_time(), -2.0..2.0_f32).prop_map(|(time, value)| LinearKey { time, value })
}

/// A curve with finite values, with weights up to a maximum, or without.
pub fn any_curve(largest_weight: f32) -> impl Strategy<Value = Curve> {
    let bezier = prop::collection::vec(any_key(largest_weight), 1..7).prop_map(Keys::Bezier);
    let linear = prop::collection::vec(any_linear_key(), 1..7).prop_map(Keys::Linear);
    let keys = prop_oneof![3 => bezier, 1 => linear];
    (any_wrap(), any_wrap(), keys).prop_map(|(pre_wrap, post_wrap, keys)| Curve { pre_wrap, post_wrap, keys })
}

pub fn any_flags() -> impl Strategy<Value = BoolCurve> {
    let key = (any_time(), prop::sample::select(vec![0.0, 0.4, 0.6, 1.0]))
        .prop_map(|(time, value)| LinearKey { time, value });
    let keys = prop::collection::vec(key, 0..7);
    (any_wrap(), any_wrap(), keys).prop_map(|(pre_wrap, post_wrap, keys)| BoolCurve { pre_wrap, post_wrap, keys })
}

/// Curves that may be empty, with arbitrary values at finite times.
pub fn any_hostile_curve() -> impl Strategy<Value = Curve> {
    let number = || prop_oneof![2 => any::<u32>().prop_map(f32::from_bits), 1 => -2.0..2.0_f32];
    let key = (any_time(), prop::array::uniform5(number()), any::<i32>()).prop_map(|(time, n, mode)| BezierKey {
        time,
        value: n[0],
        in_tangent: n[1],
        out_tangent: n[2],
        in_weight: n[3],
        out_weight: n[4],
        weighted_mode: WeightedMode(mode),
    });
    let keys = prop::collection::vec(key, 0..5).prop_map(Keys::Bezier);
    (any_wrap(), any_wrap(), keys).prop_map(|(pre_wrap, post_wrap, keys)| Curve { pre_wrap, post_wrap, keys })
}
