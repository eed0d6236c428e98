//! Curves evaluate by Unity's rules: the examples of docs/format.md, and properties of all curves.

use holotape::{BezierKey, BoolCurve, Curve, Keys, LinearKey, WeightedMode, WrapMode};
use proptest::prelude::*;

fn key(time: f32, value: f32) -> BezierKey {
    BezierKey { weighted_mode: WeightedMode::NONE, ..BezierKey::from(LinearKey::new(time, value)) }
}

#[track_caller]
fn assert_values(curve: &Curve, expected: &[(f64, f64)]) {
    for &(time, value) in expected {
        let got = curve.value_at(time).expect("a value");
        assert!((got - value).abs() < 1e-6 * value.abs().max(1.0), "at {time}: {got}, expected {value}");
    }
}

#[test]
fn unweighted_keys_evaluate_as_hermite() {
    let ease = Curve::from_iter([key(0.0, 0.0), key(1.0, 1.0)]);
    assert_values(&ease, &[(0.1, 0.028), (0.25, 0.15625), (0.5, 0.5), (0.7, 0.784)]);
    let hill = Curve::from_iter([key(25.0, -30.0), key(50.0, 100.0), key(75.0, -30.0)]);
    assert_values(&hill, &[(30.0, -16.48), (37.5, 35.0), (60.0, 54.24)]);
}

#[test]
fn weighted_keys_evaluate_as_bezier() {
    let out = |weight, tangent| BezierKey {
        out_weight: weight,
        out_tangent: tangent,
        weighted_mode: WeightedMode::OUT,
        ..key(0.0, 0.0)
    };
    let into = |weight| BezierKey { in_weight: weight, weighted_mode: WeightedMode::IN, ..key(1.0, 1.0) };
    let both = Curve::from_iter([out(0.5, 0.0), into(0.5)]);
    assert_values(&both, &[(0.1, 0.014_621_9), (0.25, 0.105_892_5)]);
    let leaving = Curve::from_iter([out(0.5, 2.0), key(1.0, 1.0)]);
    assert_values(&leaving, &[(0.25, 0.464_649_1), (0.5, 0.814_962_6)]);
    let arriving = Curve::from_iter([key(0.0, 0.0), into(0.8)]);
    assert_values(&arriving, &[(0.25, 0.311_33), (0.5, 0.790_573_6)]);
}

#[test]
fn weights_above_one_use_the_last_root() {
    let curve = Curve::from_iter([
        BezierKey { out_tangent: -0.5, out_weight: 2.0, weighted_mode: WeightedMode::BOTH, ..key(0.0, 0.0) },
        BezierKey { in_weight: 1.75, out_tangent: 10.0, weighted_mode: WeightedMode::IN, ..key(2.0, 1.0) },
        BezierKey { in_tangent: -10.0, ..key(10.0, 0.0) },
    ]);
    assert_values(
        &curve,
        &[(0.25, -0.124_625), (0.5, -0.248_238), (0.75, -0.370_212), (2.0, 1.0), (5.0, 19.433_594), (10.0, 0.0)],
    );
}

#[test]
fn time_that_rounds_to_the_next_key_has_its_value() {
    let weighted = |key| BezierKey { weighted_mode: WeightedMode::BOTH, in_weight: 0.5, ..key };
    let curve = Curve::from_iter([weighted(key(-7.6e-6, 1.0)), weighted(key(1e-45, 2.0))]);
    assert_values(&curve, &[(0.0, 2.0)]);
}

#[test]
fn wrap_modes_clamp_loop_or_alternate() {
    let line = |pre_wrap, post_wrap| Curve {
        pre_wrap,
        post_wrap,
        ..Curve::from_iter([LinearKey::new(0.0, 0.0), LinearKey::new(1.0, 1.0)])
    };
    let looping = line(WrapMode::LOOP, WrapMode::LOOP);
    assert_values(&looping, &[(-0.25, 0.75), (1.25, 0.25), (1.0, 1.0), (2.0, 0.0), (-1.0, 0.0), (7.5, 0.5)]);
    let swinging = line(WrapMode::PING_PONG, WrapMode::PING_PONG);
    assert_values(&swinging, &[(-0.25, 0.25), (1.25, 0.75), (2.0, 0.0), (2.25, 0.25), (-1.5, 0.5)]);
    for mode in [0, 1, 8, 3, -1, i32::MAX].map(WrapMode) {
        assert_values(&line(mode, mode), &[(-9.0, 0.0), (9.0, 1.0)]);
    }
    assert_values(&line(WrapMode::LOOP, WrapMode::ONCE), &[(-0.25, 0.75), (1.25, 1.0)]);
}

#[test]
fn infinite_tangents_are_steps() {
    for infinity in [f32::INFINITY, f32::NEG_INFINITY] {
        let leaving = BezierKey { out_tangent: infinity, ..key(0.0, 3.0) };
        let arriving = BezierKey { in_tangent: infinity, ..key(1.0, 5.0) };
        for keys in [[leaving, key(1.0, 5.0)], [key(0.0, 3.0), arriving]] {
            assert_values(&Curve::from_iter(keys), &[(0.0, 3.0), (0.999, 3.0), (1.0, 5.0)]);
        }
    }
}

#[test]
fn single_and_missing_keys_evaluate() {
    assert_eq!(Curve::new().value_at(0.0), None);
    let one = Curve { post_wrap: WrapMode::LOOP, ..Curve::from_iter([key(5.0, 2.0)]) };
    assert_values(&one, &[(-1e9, 2.0), (5.0, 2.0), (1e9, 2.0)]);
    assert_eq!(one.value_at(f64::NAN), Some(2.0));
}

#[test]
fn last_key_of_one_time_is_used_from_there_on() {
    let keys = [(0.0, 1.0), (1.0, 2.0), (1.0, 3.0), (1.0, 4.0), (2.0, 5.0)].map(|(t, v)| LinearKey::new(t, v));
    let curve = Curve::from_iter(keys);
    assert_values(&curve, &[(0.5, 1.5), (1.0, 4.0), (1.5, 4.5), (2.0, 5.0)]);
    let all_at_once = Curve { post_wrap: WrapMode::LOOP, ..Curve::from_iter([key(1.0, 2.0), key(1.0, 3.0)]) };
    assert_values(&all_at_once, &[(0.0, 2.0), (1.0, 3.0), (2.0, 3.0)]);
}

#[test]
fn nan_affects_only_its_segment() {
    let keys = [(0.0, 0.0), (1.0, f32::NAN), (2.0, 2.0), (3.0, 3.0)].map(|(t, v)| LinearKey::new(t, v));
    let curve = Curve::from_iter(keys);
    assert!(curve.value_at(0.5).expect("a value").is_nan());
    assert!(curve.value_at(1.5).expect("a value").is_nan());
    assert_values(&curve, &[(0.0, 0.0), (2.5, 2.5)]);

    let keys = [(0.0, 0.0), (f32::NAN, 1.0), (2.0, 2.0)].map(|(t, v)| LinearKey::new(t, v));
    let curve = Curve::from_iter(keys);
    assert!(curve.value_at(1.0).expect("a value").is_nan());
    assert_values(&curve, &[(-1.0, 0.0), (0.0, 0.0), (3.0, 2.0)]);
    for nan in [f32::NAN, -f32::NAN] {
        for at in 1..8 {
            let keys = (0..9).map(|n| LinearKey::new(if n == at { nan } else { n as f32 }, n as f32));
            let curve: Curve = keys.collect();
            assert!(curve.value_at(f64::from(at) - 0.5).expect("a value").is_nan());
            for time in (0..8).filter(|&n| n != at && n + 1 != at) {
                assert_values(&curve, &[(f64::from(time) + 0.5, f64::from(time) + 0.5)]);
            }
        }
    }
    assert!(Curve::from_iter([key(f32::NAN, 0.0), key(f32::NAN, 1.0)]).value_at(0.0).expect("a value").is_nan());
    let line = Curve::from_iter([key(0.0, 0.0), key(1.0, 1.0)]);
    assert!(line.value_at(f64::NAN).expect("a value").is_nan());
}

#[test]
fn infinite_key_times_evaluate() {
    let curve = Curve::from_iter(
        [(f32::NEG_INFINITY, 1.0), (0.0, 2.0), (f32::INFINITY, 3.0)].map(|(t, v)| LinearKey::new(t, v)),
    );
    assert!(curve.value_at(-1.0).expect("a value").is_nan());
    assert_values(&curve, &[(0.0, 2.0), (1.0, 2.0), (1e30, 2.0)]);
    let bent = Curve::from_iter([key(0.0, 2.0), key(f32::INFINITY, 3.0)]);
    assert!(bent.value_at(1.0).expect("a value").is_nan());
}

#[test]
fn unsorted_keys_are_sorted_stably() {
    let keys = [(2.0, 20.0), (0.0, 0.0), (-0.0, 1.0), (1.0, 10.0)].map(|(t, v)| LinearKey::new(t, v));
    let curve = Curve::from_iter(keys);
    assert_values(&curve, &[(0.0, 1.0), (0.5, 5.5), (1.5, 15.0)]);
    assert_eq!(curve.keys.iter().next(), Some(LinearKey::new(2.0, 20.0)), "the keys themselves stay as they are");
}

#[test]
fn boolean_keys_hold_until_the_next() {
    let keys = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.5), (3.0, 0.51), (4.0, f32::NAN)].map(|(t, v)| LinearKey::new(t, v));
    let curve = BoolCurve::from_iter(keys);
    let expected = [(-1.0, false), (0.999, false), (1.0, true), (1.999, true), (2.0, false), (3.5, true), (4.0, false)];
    for (time, value) in expected {
        assert_eq!(curve.value_at(time), value, "at {time}");
    }
    let looping = BoolCurve { post_wrap: WrapMode::LOOP, ..BoolCurve::from_iter(keys) };
    assert!(looping.value_at(5.5));
    assert!(!looping.value_at(4.5));
}

fn any_weighted_pair() -> impl Strategy<Value = (BezierKey, BezierKey)> {
    let number = || -10.0..10.0_f32;
    let weight = || prop_oneof![0.0..1.0_f32, 0.0..20.0_f32];
    // The start is a multiple of the last bit of the end; others make proptest panic once in 50 million draws.
    let secs = 1.0 / 128.0..5.0_f32;
    (number(), number(), number(), number(), weight(), weight(), secs).prop_map(|(v0, v1, m0, m1, w0, w1, dx)| {
        let out = BezierKey { out_tangent: m0, out_weight: w0, weighted_mode: WeightedMode::OUT, ..key(0.0, v0) };
        let into = BezierKey { in_tangent: m1, in_weight: w1, weighted_mode: WeightedMode::IN, ..key(dx, v1) };
        (out, into)
    })
}

/// The value by brute force: the last of many parameters at which time passes the given one.
fn brute_force((k0, k1): (BezierKey, BezierKey), s: f64) -> (f64, f64) {
    const STEPS: usize = 20_000;
    let dx = f64::from(k1.time);
    let (w0, w1) = (f64::from(k0.out_weight), f64::from(k1.in_weight));
    let (v0, v1) = (f64::from(k0.value), f64::from(k1.value));
    let inner = [v0 + w0 * dx * f64::from(k0.out_tangent), v1 - w1 * dx * f64::from(k1.in_tangent)];
    let cubic = |p: [f64; 4], u: f64| {
        let v = 1.0 - u;
        p[0] * v * v * v + 3.0 * p[1] * v * v * u + 3.0 * p[2] * v * u * u + p[3] * u * u * u
    };
    let time = |n: usize| cubic([0.0, w0, 1.0 - w1, 1.0], n as f64 / STEPS as f64);
    let value = |n: usize| cubic([v0, inner[0], inner[1], v1], n as f64 / STEPS as f64);
    let step = (0..STEPS).rev().find(|&n| (time(n) <= s) != (time(n + 1) <= s)).expect("a root");
    let (a, b) = (value(step), value(step + 1));
    (a.min(b), a.max(b))
}

proptest! {
    #[test]
    fn weighted_values_are_those_of_the_last_root(pair in any_weighted_pair(), s in 0.001..0.999_f64) {
        let curve = Curve::from_iter([pair.0, pair.1]);
        let value = curve.value_at(s * f64::from(pair.1.time)).expect("a value");
        let (low, high) = brute_force(pair, s);
        let slack = 1e-6 + 0.01 * (high - low);
        prop_assert!((low - slack..=high + slack).contains(&value), "{value} is not in {low}..{high}");
    }

    #[test]
    fn weights_of_one_third_equal_hermite(pair in any_weighted_pair(), s in 0.0..1.0_f64) {
        let (k0, k1) = pair;
        let time = s * f64::from(k1.time);
        let none = |key: BezierKey| BezierKey { weighted_mode: WeightedMode::NONE, ..key };
        let third = |key: BezierKey| {
            BezierKey { in_weight: 1.0 / 3.0, out_weight: 1.0 / 3.0, weighted_mode: WeightedMode::BOTH, ..key }
        };
        let hermite = Curve::from_iter([none(k0), none(k1)]).value_at(time).expect("a value");
        let bezier = Curve::from_iter([third(k0), third(k1)]).value_at(time).expect("a value");
        prop_assert!((hermite - bezier).abs() < 1e-5, "{hermite} {bezier}");
    }

    #[test]
    fn compact_keys_equal_linear_full_keys(
        keys in prop::collection::vec((-5.0..5.0_f32, -5.0..5.0_f32), 0..20),
        modes in prop::array::uniform2(prop::sample::select(vec![0, 1, 2, 4, 8])),
        time in -20.0..20.0_f64,
    ) {
        let keys: Vec<_> = keys.into_iter().map(|(time, value)| LinearKey { time, value }).collect();
        let [pre_wrap, post_wrap] = modes.map(WrapMode);
        let full = keys.iter().map(|key| BezierKey::from(*key)).collect();
        let compact = Curve { pre_wrap, post_wrap, keys: Keys::Linear(keys) };
        let full = Curve { keys: Keys::Bezier(full), ..compact.clone() };
        prop_assert_eq!(compact.value_at(time), full.value_at(time));
    }
}
