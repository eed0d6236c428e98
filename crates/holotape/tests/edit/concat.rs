//! `concat` joins recordings without interpolation at the seams.

use holotape::demo::DemoOptions;
use holotape::edit::{self, ConcatOptions};
use holotape::format::{Channels, Format, Layout};
use holotape::{BezierKey, Curve, ErrorKind, Hand, LinearKey, RayCurves, Recording, WeightedMode};

use crate::common::same::assert_same_motion;
use crate::edit::{curve_of, flags, kind, line, recording_of_x, recordings, times};

#[test]
fn seams_are_not_interpolated() {
    let [a, b] = [line([(0.0, 1.0), (0.5, 2.0), (1.0, 3.0)]), line([(0.25, 7.0), (1.0, 8.0)])].map(recording_of_x);
    let both = edit::concat(&[&a, &b], &ConcatOptions::new()).expect("both");
    let curve = curve_of(&both);
    let keys = [(0.0, 1.0), (0.5, 2.0), (1.0_f32.next_down(), 3.0), (1.0, 7.0), (1.25, 7.0), (2.0, 8.0)];
    assert_eq!(*curve, line(keys));
    for time in [0.0, 0.3, 0.75, 0.999_999] {
        assert!((curve.value_at(time).expect("a") - curve_of(&a).value_at(time).expect("a")).abs() < 1e-6, "{time}");
        assert_eq!(curve.value_at(1.0 + time), curve_of(&b).value_at(time), "{time}");
    }
}

#[test]
fn curves_that_end_early_hold_until_the_seam() {
    let mut a = recording_of_x(line([(0.0, 1.0), (0.5, 2.0)]));
    a.camera.as_mut().expect("a camera").position[1] = line([(0.0, 0.0), (4.0, 0.0)]);
    let b = recording_of_x(line([(0.0, 9.0), (1.0, 8.0)]));
    let both = edit::concat(&[&a, &b], &ConcatOptions::new()).expect("both");
    assert_eq!(*curve_of(&both), line([(0.0, 1.0), (0.5, 2.0), (4.0_f32.next_down(), 2.0), (4.0, 9.0), (5.0, 8.0)]));
}

#[test]
fn gaps_hold_the_head_and_untrack_hands() {
    let mut a = recording_of_x(line([(0.0, 1.0), (1.0, 3.0)]));
    a.hand_mut(Hand::Left).tracked = flags([(0.0, 1.0)]);
    let b = a.clone();
    let both = edit::concat(&[&a, &b], &ConcatOptions::new().with_gap_secs(2.0)).expect("both");
    assert_eq!(*curve_of(&both), line([(0.0, 1.0), (1.0, 3.0), (3.0_f32.next_down(), 3.0), (3.0, 1.0), (4.0, 3.0)]));
    assert_eq!(both.hand(Hand::Left).tracked, flags([(0.0, 1.0), (1.0, 0.0), (3.0, 1.0)]));
    assert!(both.hand(Hand::Right).tracked.keys.is_empty(), "an empty flag stays empty");
    a.hand_mut(Hand::Left).tracked = flags([(0.0, 0.0), (1.0, 1.0)]);
    let both = edit::concat(&[&a, &b], &ConcatOptions::new().with_gap_secs(2.0)).expect("both");
    assert_eq!(both.hand(Hand::Left).tracked, flags([(0.0, 0.0), (1.0, 0.0), (3.0, 1.0)]), "one key per time");
    for gap in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(kind(edit::concat(&[&a, &b], &ConcatOptions::new().with_gap_secs(gap))), ErrorKind::InvalidArgument);
    }
}

#[test]
fn result_has_all_channels() {
    let all = DemoOptions::new().with_seconds(1.0).generate().expect("a demo");
    let head = recording_of_x(line([(0.0, 0.0), (1.0, 1.0)]));
    let both = edit::concat(&[&head, &all, &head], &ConcatOptions::new()).expect("both");
    assert_eq!(both.channels(), Channels::ALL);
    let tracked = |time| both.hand(Hand::Right).tracked.value_at(time);
    assert_eq!([0.5, 1.0, 2.0].map(tracked), [false, true, false], "a missing hand is not tracked");
    assert_eq!(kind(edit::concat(&[], &ConcatOptions::new())), ErrorKind::InvalidArgument);
}

#[test]
fn format_is_the_first_lossless_one() {
    let full10 = Format { layout: Layout::Full10, marker_list: true };
    let no_markers = Format { marker_list: false, ..Format::default() };
    let joined = |formats: [Format; 2], recording: &Recording| {
        let recordings = formats.map(|format| Recording { format, ..recording.clone() });
        let joined = edit::concat(&[&recordings[0], &recordings[1]], &ConcatOptions::new()).expect("a recording");
        assert!(joined.losses().is_empty());
        joined.format
    };
    let mut recording = recording_of_x(line([(0.0, 0.0), (1.0, 1.0)]));
    assert_eq!(joined([full10, no_markers], &recording), full10);
    recording.markers.add(0.5, "halfway");
    assert_eq!(joined([no_markers, full10], &recording), full10);
    recording.gaze = Some(RayCurves::new());
    assert_eq!(joined([no_markers, full10], &recording), Format::default());
    let bent = BezierKey { weighted_mode: WeightedMode::NONE, ..BezierKey::from(LinearKey::new(0.0, 0.0)) };
    recording.camera.as_mut().expect("a camera").position[1] = Curve::from_iter([bent]);
    assert_eq!(joined([no_markers, full10], &recording), Format { layout: Layout::Full11, marker_list: true });
}

#[test]
fn empty_recordings_contribute_markers() {
    let long = recording_of_x(line([(0.0, 1.0), (1.0, 2.0)]));
    let mut instant = recording_of_x(line([(0.0, 9.0)]));
    instant.markers.add(0.0, "now");
    let joined =
        edit::concat(&[&instant, &long, &instant, &long, &instant], &ConcatOptions::new()).expect("a recording");
    let seam = 1.0_f32.next_down();
    let end = 2.0_f32.next_down();
    assert_eq!(*curve_of(&joined), line([(0.0, 1.0), (seam, 2.0), (1.0, 1.0), (end, 2.0), (2.0, 9.0)]));
    assert_eq!(joined.markers.iter().map(|marker| marker.time).collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
}

#[test]
fn only_the_first_keeps_keys_before_zero() {
    let recording = recording_of_x(line([(-1.0, 0.0), (1.0, 2.0)]));
    let both = edit::concat(&[&recording, &recording], &ConcatOptions::new()).expect("both");
    assert_eq!(*curve_of(&both), line([(-1.0, 0.0), (1.0_f32.next_down(), 2.0), (1.0, 1.0), (2.0, 2.0)]));
}

#[test]
fn sign_flips_keep_the_short_way_next_to_unshared_keys() {
    let (_, flipping) = recordings().iter().find(|(name, _)| name == "flipping").expect("there");
    // Components with different key times, which the sampler evaluates separately.
    let plain = DemoOptions::new().with_seconds(1.0).generate().expect("a demo");
    let mut plain = Recording { hands: None, gaze: None, ..plain };
    let camera = plain.camera.as_mut().expect("a camera");
    camera.rotation[2] = Curve::from_iter([LinearKey::new(0.0, 0.0), LinearKey::new(0.31, 0.2)]);
    let both = edit::concat(&[flipping, &plain, flipping], &ConcatOptions::new()).expect("both");
    let end = f64::from(flipping.duration_secs());
    assert_same_motion("first", [flipping, &both], times(0.0, end - 1e-3, 999), |time| time);
    let camera = |recording: &Recording| Recording { camera: recording.camera.clone(), ..Recording::default() };
    assert_same_motion("plain", [&camera(&plain), &camera(&both)], times(0.0, 0.99, 99), |time| time + end);
}

#[test]
fn compact_keys_become_full_next_to_full_ones() {
    let bent = |time, value| BezierKey {
        in_tangent: 3.0,
        out_tangent: -2.0,
        weighted_mode: WeightedMode::NONE,
        ..BezierKey::from(LinearKey::new(time, value))
    };
    let straight = recording_of_x(line([(0.0, 1.0), (1.0, 2.0)]));
    let curved = recording_of_x(Curve::from_iter([bent(0.0, 5.0), bent(1.0, 6.0)]));
    for recordings in [[&straight, &curved], [&curved, &straight]] {
        let both = edit::concat(&recordings, &ConcatOptions::new()).expect("both");
        for time in times(0.0, 0.999, 20) {
            for (recording, start) in recordings.into_iter().zip([0.0, 1.0]) {
                let [old, new] =
                    [(recording, time), (&both, start + time)].map(|(recording, at)| curve_of(recording).value_at(at));
                assert!((old.expect("old") - new.expect("new")).abs() < 1e-5, "{old:?} became {new:?}");
            }
        }
    }
}

#[test]
fn negated_rotations_are_aligned_at_the_seam() {
    let recording = DemoOptions::new().with_seconds(2.0).generate().expect("a demo");
    let [first, second] =
        [edit::trim(&recording, ..=0.9), edit::trim(&recording, 0.9..)].map(|part| part.expect("a span"));
    let mut turned = second.clone();
    for (_, pose) in turned.poses_mut() {
        pose.rotation.iter_mut().flat_map(|curve| curve.keys.iter_mut()).for_each(|(_, value)| *value = -*value);
    }
    let [joined, same] = [&second, &turned].map(|second| edit::concat(&[&first, second], &ConcatOptions::new()));
    assert_eq!(joined.expect("a recording"), same.expect("the same"));
}

#[test]
fn trimmed_and_joined_flags_are_unchanged() {
    let mut recording = recording_of_x(line([(0.0, 0.0), (8.0, 1.0)]));
    recording.hand_mut(Hand::Left).tracked = flags([(0.0, 1.0), (4.0, 0.0), (6.0, 1.0)]);
    let parts = [0.0..=2.0, 2.0..=5.0, 5.0..=6.0, 6.0..=8.0].map(|span| edit::trim(&recording, span).expect("a span"));
    let joined = edit::concat(&parts.each_ref(), &ConcatOptions::new()).expect("a recording");
    assert_eq!(joined.hand(Hand::Left).tracked, recording.hand(Hand::Left).tracked);
    assert_eq!(*curve_of(&joined), line([(0.0, 0.0), (2.0, 0.25), (5.0, 0.625), (6.0, 0.75), (8.0, 1.0)]));
}
