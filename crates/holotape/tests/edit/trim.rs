//! `trim` is exact at both ends.

use holotape::edit::{self, ConcatOptions};
use holotape::{BezierKey, Curve, CurveRef, ErrorKind, Hand, Keys, LinearKey, WeightedMode, WrapMode};

use crate::common::same::assert_same_motion;
use crate::edit::{curve_of, flags, kind, line, recording_of_x, recordings, times};

#[test]
fn trim_inserts_keys_at_both_ends() {
    let recording = recording_of_x(line([(0.0, 0.0), (2.0, 4.0), (3.0, 4.0), (8.0, 5.0)]));
    let part = edit::trim(&recording, 1.0..=4.0).expect("a part");
    assert_eq!(*curve_of(&part), line([(0.0, 2.0), (1.0, 4.0), (2.0, 4.0), (3.0, 4.2)]));
    let part = edit::trim(&recording, 2.0..=3.0).expect("a part");
    assert_eq!(*curve_of(&part), line([(0.0, 4.0), (1.0, 4.0)]), "existing keys are used");
    let instant = edit::trim(&recording, 1.0..=1.0).expect("a part");
    assert_eq!(*curve_of(&instant), line([(0.0, 2.0)]));
}

#[test]
fn trim_rounds_times_to_32_bits() {
    let recording = recording_of_x(line([(0.0, 0.0), (0.1, 1.0), (0.2, 0.0)]));
    assert_eq!(*curve_of(&edit::trim(&recording, 0.1..).expect("a part")), line([(0.0, 1.0), (0.2 - 0.1, 0.0)]));
}

#[test]
fn curves_outside_the_span_keep_their_value() {
    let mut recording = recording_of_x(line([(0.0, 0.0), (10.0, 1.0)]));
    let camera = recording.camera.as_mut().expect("a camera");
    camera.position[1] = line([(0.0, 3.0), (1.0, 4.0)]);
    camera.position[2] = line([(9.0, 5.0), (10.0, 6.0)]);
    let part = edit::trim(&recording, 5.0..=7.0).expect("a part");
    let [_, early, late] = part.camera.expect("a camera").position;
    assert_eq!((early, late), (line([(0.0, 4.0)]), line([(2.0, 5.0)])));
}

#[test]
fn duration_includes_flags() {
    let mut recording = recording_of_x(line([(0.0, 0.0), (1.0, 1.0)]));
    recording.hand_mut(Hand::Left).tracked = flags([(0.0, 1.0), (9.0, 0.0)]);
    let part = edit::trim(&recording, 0.5..=6.0).expect("a part");
    assert_eq!(part.duration_secs(), 5.5);
    assert_eq!(part.hand(Hand::Left).tracked, flags([(0.0, 1.0), (5.5, 1.0)]));
}

#[test]
fn earlier_states_are_set_at_the_start() {
    let mut recording = recording_of_x(line([(0.0, 0.0), (10.0, 1.0)]));
    recording.hand_mut(Hand::Right).pinching = flags([(0.0, 0.0), (2.0, 1.0), (6.0, 0.0)]);
    let part = edit::trim(&recording, 4.0..).expect("a part");
    assert_eq!(part.hand(Hand::Right).pinching, flags([(0.0, 1.0), (2.0, 0.0)]));
}

#[test]
fn markers_at_both_ends_are_kept() {
    let mut recording = recording_of_x(line([(0.0, 0.0), (10.0, 1.0)]));
    for (time, name) in [(0.5, "before"), (1.0, "start"), (2.0, "middle"), (3.0, "end"), (3.5, "after")] {
        recording.markers.add(time, name);
    }
    let part = edit::trim(&recording, 1.0..=3.0).expect("a part");
    let markers: Vec<_> = part.markers.iter().map(|marker| (marker.time, &*marker.name)).collect();
    assert_eq!(markers, [(0.0, "start"), (1.0, "middle"), (2.0, "end")]);
    let [first, second] =
        [edit::trim(&recording, ..3.0), edit::trim(&recording, 3.0..)].map(|part| part.expect("a part").markers);
    assert_eq!((first.len(), second.len()), (3, 2), "a marker at the split is in one of the two");
    recording.markers.add(11.0, "after the last key");
    assert_eq!(edit::trim(&recording, 9.0..).expect("a part").markers.len(), 1);
}

#[test]
fn invalid_spans_are_rejected_and_long_ones_clamped() {
    let recording = recording_of_x(line([(-0.5, 0.0), (10.0, 1.0)]));
    for (from, to) in [(3.0, 2.0), (f64::NAN, 2.0), (1.0, f64::NAN), (10.5, 11.0), (-2.0, -1.0)] {
        assert_eq!(kind(edit::trim(&recording, from..=to)), ErrorKind::InvalidArgument, "{from} to {to}");
    }
    assert_eq!(edit::trim(&recording, 4.0..=99.0).expect("a part").duration_secs(), 6.0);
    let all = edit::trim(&recording, f64::NEG_INFINITY..=f64::INFINITY).expect("all");
    assert_eq!(*curve_of(&all), line([(0.0, 0.0), (10.5, 1.0)]), "a negative start keeps keys before 0");
    let from_0 = edit::trim(&recording, ..).expect("from 0");
    assert_eq!(from_0.duration_secs(), 10.0, "keys before 0 are dropped by default");
    assert_eq!(edit::trim(&recording, 0.0..).expect("from 0"), from_0);
}

#[test]
fn non_finite_key_times_are_rejected_where_times_matter() {
    for time in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let recording = recording_of_x(line([(0.0, 0.0), (time, 1.0), (2.0, 0.0)]));
        let error = edit::trim(&recording, 0.0..=1.0).expect_err("an error");
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(
            error.to_string().starts_with("invalid time ") && error.to_string().contains("camera position.x, key 1"),
            "{error}"
        );
        assert_eq!(kind(edit::concat(&[&recording], &ConcatOptions::new())), ErrorKind::Invalid);
        assert_eq!(kind(edit::resample(&recording, 10.0)), ErrorKind::Invalid);
    }
    let mut recording = recording_of_x(line([(0.0, 0.0)]));
    recording.markers.add(f32::NAN, "never");
    assert_eq!(kind(edit::trim(&recording, 0.0..=0.0)), ErrorKind::Invalid);
}

#[test]
fn excessive_repetitions_are_rejected() {
    let mut short = line([(0.0, 0.0), (1e-6, 1.0)]);
    short.post_wrap = WrapMode::LOOP;
    let mut recording = recording_of_x(short);
    recording.camera.as_mut().expect("a camera").position[1] = line([(0.0, 0.0), (1000.0, 1.0)]);
    assert_eq!(kind(edit::trim(&recording, ..)), ErrorKind::LimitExceeded);
    assert!(edit::trim(&recording, 0.0..=1e-5).is_ok(), "only the span is unrolled");
}

#[test]
fn small_file_does_not_become_a_large_one() {
    let mut short = line([(0.0, 0.0), (1e-3, 1.0)]);
    short.post_wrap = WrapMode::LOOP;
    let mut recording = recording_of_x(short);
    recording.camera.as_mut().expect("a camera").position[1] = line([(0.0, 0.0), (1000.0, 1.0)]);
    assert_eq!(kind(edit::trim(&recording, ..)), ErrorKind::LimitExceeded, "two million keys");
    assert!(edit::trim(&recording, 0.0..=100.0).is_ok());
}

#[test]
fn linear_keys_stay_linear_and_compact_ones_compact() {
    for (name, recording) in recordings().iter().filter(|(name, _)| name != "curves_every_rule") {
        let end = f64::from(recording.duration_secs());
        let halves =
            [edit::trim(recording, ..=end / 3.0), edit::trim(recording, end / 3.0..)].map(|half| half.expect(name));
        let whole = edit::concat(&[&halves[0], &halves[1]], &ConcatOptions::new().with_gap_secs(0.5)).expect(name);
        for edited in halves.iter().chain([&whole]) {
            for ((id, old), (_, new)) in recording.curves().zip(edited.curves()) {
                let (CurveRef::Float(old), CurveRef::Float(new)) = (old, new) else { continue };
                let is_kept = match (&old.keys, &new.keys) {
                    (Keys::Linear(_), Keys::Bezier(keys)) => keys.is_empty(),
                    (Keys::Bezier(old), Keys::Bezier(new)) => {
                        !old.iter().all(BezierKey::is_linear) || new.iter().all(BezierKey::is_linear)
                    }
                    _ => true,
                };
                assert!(is_kept, "{name} {id}");
            }
        }
    }
}

#[test]
fn inserted_keys_have_the_tangents_of_the_curve() {
    let hermite = |time, value, tangent| BezierKey {
        in_tangent: tangent,
        out_tangent: tangent,
        weighted_mode: WeightedMode::NONE,
        ..BezierKey::from(LinearKey::new(time, value))
    };
    // t³ - t² from 0 to 1.
    let recording = recording_of_x(Curve::from_iter([hermite(0.0, 0.0, 0.0), hermite(1.0, 0.0, 1.0)]));
    let part = edit::trim(&recording, 0.5..).expect("a part");
    assert_eq!(*curve_of(&part), Curve::from_iter([hermite(0.0, -0.125, -0.25), hermite(0.5, 0.0, 1.0)]));
}

#[test]
fn several_keys_at_a_split_are_divided() {
    let recording = recording_of_x(line([(0.0, 0.0), (1.0, 1.0), (1.0, 3.0), (1.0, 5.0), (2.0, 6.0)]));
    assert_eq!(*curve_of(&edit::trim(&recording, 1.0..).expect("a part")), line([(0.0, 5.0), (1.0, 6.0)]));
    let first = edit::trim(&recording, ..=1.0).expect("a part");
    assert_eq!(*curve_of(&first), line([(0.0, 0.0), (1.0, 1.0), (1.0, 3.0), (1.0, 5.0)]));
}

#[test]
fn long_way_rotations_stay_long_way() {
    // Repeating curves are evaluated separately, so from a quaternion to almost its negative they recording the long way.
    let quaternions = [[0.0, 0.6, 0.0, 0.8], [0.0, -0.8, 0.0, -0.6], [0.1, 0.5, 0.3, 0.2]];
    let mut recording = recording_of_x(line([(0.0, 0.0), (9.0, 0.0)]));
    let camera = recording.camera.as_mut().expect("a camera");
    camera.position[1..].iter_mut().for_each(|curve| *curve = line([(0.0, 0.0)]));
    camera.rotation = [0, 1, 2, 3].map(|n| {
        let keys = [(0.0, quaternions[0][n]), (1.0, quaternions[1][n]), (3.0, quaternions[2][n])];
        Curve { post_wrap: WrapMode::LOOP, ..line(keys) }
    });
    let part = edit::trim(&recording, ..=7.5).expect("a part");
    assert_same_motion("part", [&recording, &part], times(0.0, 7.5, 200), |time| time);
}

#[test]
fn large_weights_are_reversed_as_many_lines() {
    // Time reverses between these two, so the value jumps.
    let key = |time, value| BezierKey::from(LinearKey::new(time, value));
    let keys = [
        BezierKey { out_tangent: -0.5, out_weight: 2.0, ..key(0.0, 0.0) },
        BezierKey { in_tangent: 0.0, in_weight: 1.75, ..key(2.0, 1.0) },
    ];
    let curve = Curve { post_wrap: WrapMode::PING_PONG, ..Curve::from_iter(keys) };
    let mut recording = recording_of_x(curve.clone());
    recording.camera.as_mut().expect("a camera").position[1] = line([(0.0, 0.0), (4.0, 0.0)]);
    let part = edit::trim(&recording, 2.5..).expect("a part");
    let jumps_at = |time: f64| {
        curve.value_at(time + 0.01).zip(curve.value_at(time - 0.01)).is_some_and(|(a, b)| (a - b).abs() > 0.1)
    };
    for time in times(2.5, 3.9, 50).filter(|time| !jumps_at(*time)) {
        let [old, new] =
            [curve.value_at(time), curve_of(&part).value_at(time - 2.5)].map(|value| value.expect("a value"));
        assert!((old - new).abs() < 1e-3, "at {time}: {old} became {new}");
    }
}
