//! Differences between recordings are found, named and have times.

use holotape::Tolerance;
use holotape::diff::{Aspect, Diff};
use holotape::format::{Format, Layout};
use holotape::{BoolCurve, Hand, Joint, Keys, LinearKey, PoseCurves, PoseId, RayCurves, Recording};

use crate::common::motion::{device_frames, recording_of};

const NONE: Tolerance = Tolerance { position_m: 0.0, rotation_deg: 0.0 };

fn take() -> Recording {
    recording_of(&device_frames())
}

fn aspects(diff: &Diff) -> Vec<Aspect> {
    diff.differences.iter().map(|difference| difference.aspect).collect()
}

#[test]
fn recording_does_not_differ_from_itself() {
    for (name, bytes, _) in crate::common::valid_pairs() {
        let recording = Recording::from_slice(&bytes).expect(&name);
        let diff = Diff::between(&recording, &recording);
        assert!(diff.differences.is_empty() && diff.is_within(&NONE), "{name}: {diff:?}");
    }
}

#[test]
fn maximum_difference_of_each_pose_has_its_time() {
    let (a, mut b) = (take(), take());
    let Keys::Linear(keys) = &mut b.hand_mut(Hand::Right).joint_mut(Joint::ThumbTip).position[2].keys else {
        unreachable!("made of linear keys")
    };
    let time = f64::from(keys[40].time);
    keys[40].value += 0.25;
    keys[41].value -= 0.125;
    let diff = Diff::between(&a, &b);
    let largest: Vec<_> = diff.poses.iter().filter(|pose| pose.max_position_m.value > 0.0).collect();
    assert_eq!(largest.len(), 1);
    assert_eq!(largest[0].id, PoseId::Joint(Hand::Right, Joint::ThumbTip));
    assert!((largest[0].max_position_m.value - 0.25).abs() < 1e-6);
    assert_eq!(largest[0].max_position_m.time_secs, time);
    assert!(diff.is_within(&Tolerance { position_m: 0.2501, rotation_deg: 0.0 }));
    assert!(!diff.is_within(&Tolerance { position_m: 0.2499, rotation_deg: 0.0 }));
}

#[test]
fn flipped_signs_are_equal_and_non_finite_values_are_not() {
    let (a, mut b) = (take(), take());
    for curve in &mut b.camera.as_mut().expect("a camera").rotation {
        curve.keys.iter_mut().for_each(|(_, value)| *value = -*value);
    }
    assert!(Diff::between(&a, &b).is_within(&Tolerance { position_m: 0.0, rotation_deg: 1e-9 }));
    if let Some((_, value)) = b.gaze.as_mut().expect("eyes").origin[1].keys.iter_mut().nth(7) {
        *value = f32::NAN;
    }
    let diff = Diff::between(&a, &b);
    assert_eq!(diff.gaze.expect("eyes").max_origin_m.value, f64::INFINITY);
    assert!(Diff::between(&b, &b).is_within(&NONE), "the same NaN is no difference");
}

#[test]
fn different_storage_is_reported_as_the_same_motion() {
    let (a, mut b) = (take(), take());
    b.format = Format { layout: Layout::Full11, marker_list: false };
    let diff = Diff::between(&a, &b);
    assert_eq!(aspects(&diff), [Aspect::KeyLayout, Aspect::MarkerList]);
    assert!(diff.is_within(&NONE));
}

#[test]
fn different_events_never_match_whatever_the_tolerance() {
    let all = Tolerance { position_m: f64::INFINITY, rotation_deg: f64::INFINITY };
    let changed = |change: fn(&mut Recording)| {
        let (a, mut b) = (take(), take());
        change(&mut b);
        let diff = Diff::between(&a, &b);
        assert!(!diff.is_within(&all), "{diff:?}");
        aspects(&diff)
    };
    assert!(changed(|recording| recording.camera = None).contains(&Aspect::Channels));
    assert!(
        changed(|recording| *recording.hand_mut(Hand::Left).joint_mut(Joint::Palm) = PoseCurves::new())
            .contains(&Aspect::Poses)
    );
    // Channels without keys, as in every file of version 1.0.
    assert!(changed(|recording| recording.camera = Some(PoseCurves::new())).contains(&Aspect::Poses));
    assert!(changed(|recording| recording.gaze = Some(RayCurves::new())).contains(&Aspect::Poses));
    assert_eq!(changed(|recording| recording.markers.add(1.0, "here")), [Aspect::Markers]);
    assert_eq!(
        changed(|recording| recording.hand_mut(Hand::Right).pinching = BoolCurve::new()),
        [Aspect::KeyCount, Aspect::Flag]
    );
    let longer =
        |recording: &mut Recording| recording.hand_mut(Hand::Left).tracked.keys.push(LinearKey::new(14.0, 0.0));
    assert!(changed(longer).contains(&Aspect::Duration));
}

#[test]
fn moved_markers_and_flags_report_their_times() {
    let (mut a, mut b) = (take(), take());
    a.markers.add(1.0, "here");
    b.markers.add(1.5, "here");
    b.hand_mut(Hand::Right).tracked =
        [LinearKey::new(0.0, 1.0), LinearKey::new(2.0, 0.0), LinearKey::new(2.25, 1.0)].into_iter().collect();
    a.hand_mut(Hand::Right).tracked = [LinearKey::new(0.0, 1.0)].into_iter().collect();
    let message: Vec<_> = Diff::between(&a, &b).differences.iter().map(ToString::to_string).collect();
    assert!(message.contains(&"flag: right.tracked differs for 0.250 s, first at 2.000 s".to_owned()), "{message:?}");
    let marker = "markers: marker 0 is \"here\" at 1.000 s, and \"here\" at 1.500 s".to_owned();
    assert!(message.contains(&marker), "{message:?}");
}

#[test]
fn poses_are_compared_where_a_hand_is_found_between_keys() {
    let recording = |x: f32| {
        let mut recording = Recording::default();
        let hand = recording.hand_mut(Hand::Left);
        hand.tracked =
            [(0.0, 0.0), (4.0, 1.0), (6.0, 0.0)].map(|(time, on)| LinearKey::new(time, on)).into_iter().collect();
        let palm = hand.joint_mut(Joint::Palm);
        let line = |to| [LinearKey::new(0.0, 0.0), LinearKey::new(10.0, to)].into_iter().collect();
        palm.position = [x, 0.0, 0.0].map(line);
        palm.rotation = [0.0, 0.0, 0.0, 1.0].map(|value| [LinearKey::new(0.0, value)].into_iter().collect());
        recording
    };
    let diff = Diff::between(&recording(0.0), &recording(10.0));
    let largest = diff.poses[0].max_position_m;
    assert!((largest.value - 6.0).abs() < 1e-4 && largest.time_secs < 6.0, "{largest:?}");
}

#[test]
fn none_slot_does_not_affect_motion() {
    let (a, mut b) = (take(), take());
    *b.hand_mut(Hand::Left).joint_mut(Joint::None) = b.hand(Hand::Left).joint(Joint::Palm).clone();
    assert!(Diff::between(&a, &b).is_within(&NONE));
}

#[test]
fn non_linear_curves_are_compared_between_keys() {
    let bytes =
        crate::common::bin_files("valid").into_iter().find(|(name, _)| name == "curves_every_rule").expect("there").1;
    let a = Recording::from_slice(&bytes).expect("valid");
    let mut b = a.clone();
    for (_, pose) in b.poses_mut() {
        for curve in pose.position.iter_mut().chain(&mut pose.rotation) {
            let keys = curve.keys.iter().collect();
            curve.keys = Keys::Linear(keys);
        }
    }
    let diff = Diff::between(&a, &b);
    assert!(diff.poses.iter().any(|pose| pose.max_position_m.value > 0.01), "straight lines miss the bends: {diff:?}");
}
