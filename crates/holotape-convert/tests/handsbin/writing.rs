//! Written files have the fields that Unity's reader and playback need.

use holotape::demo::DemoOptions;
use holotape::{BoolCurve, ErrorKind, Frame, Hand, HandFrame, Joint, LinearKey, Pose, PoseCurves, Recording};
use holotape_convert::handsbin::{self, HandsbinOptions, HandsbinVersion};
use holotape_convert::{FileFormat, LossKind, Timing, WriteOptions, from_frames};

use crate::handsbin::decode::{File, decode};
use crate::handsbin::{kinds, messages, written, written_with};

fn demo() -> Recording {
    DemoOptions::new().with_seconds(4.0).generate().unwrap()
}

fn decoded(recording: &Recording) -> File {
    decode(&written(recording, HandsbinVersion::V2).0)
}

/// Frames at 0, 1, 2 … s, in which the left hand is tracked or not.
fn with_left_hand(tracked: &[bool]) -> Recording {
    let frames = tracked.iter().enumerate().map(|(n, tracked)| {
        let mut left = HandFrame { tracked: *tracked, ..HandFrame::default() };
        if *tracked {
            left.joints = [Some(Pose { position: [n as f32, 0.0, 0.0], ..Pose::IDENTITY }); Joint::COUNT];
        }
        Frame { time: n as f64, left: Some(left), ..Frame::default() }
    });
    from_frames(frames).0
}

#[test]
fn header_has_the_fields_of_unity() {
    let file = decoded(&demo());
    assert_eq!((file.version, file.flags, file.options, file.name.as_str()), (2, 65, 0, "recording"));
    assert_eq!((file.layout_count, &file.layout[..], file.mesh), (26, &[0xff, 0xff, 0xff, 3][..], 1));
    assert_eq!(file.fingers[..4], [132.0, 162.0, 129.0, 180.0]);
    assert_eq!(file.fingers[16 + 12..16 + 16], [0.01, 0.045, 3.0, 18.0]);
    assert_eq!(file.fingers[76..], [0.01, 0.045, -1.0, -1.0]);
    assert_eq!(Some(file.duration), file.frames.last().map(|frame| frame.time));
}

#[test]
fn default_finger_shapes_are_those_of_unity() {
    let unity = decode(&crate::handsbin::sample("v2_gestures_aim.handsbin"));
    let ours = decoded(&demo());
    assert_eq!((ours.fingers, ours.layout, ours.mesh), (unity.fingers, unity.layout, unity.mesh));
}

#[test]
fn times_start_at_zero_and_increase() {
    for timing in [Timing::Keys, Timing::Rate(72.0)] {
        let file = decode(&written_with(&demo(), &HandsbinOptions::new().with_timing(timing)).0);
        assert_eq!(file.frames[0].time, 0.0);
        assert!(file.frames.windows(2).all(|pair| pair[0].time < pair[1].time));
    }
    let mut late = Recording::default();
    late.hand_mut(Hand::Left).tracked = BoolCurve::from_iter([LinearKey::new(-1.0, 0.0), LinearKey::new(2.0, 0.0)]);
    assert_eq!(decoded(&late).frames.iter().map(|frame| frame.time).collect::<Vec<_>>(), [0.0, 2.0]);
}

#[test]
fn tracked_hand_has_root_and_success() {
    let file = decoded(&demo());
    for frame in &file.frames {
        let tracked = [0, 1].map(|hand| frame.hands[hand].is_tracked());
        assert_eq!(frame.success, [i32::from(tracked[0]) * 3 + i32::from(tracked[1]) * 12]);
        assert_eq!((frame.head_state, frame.head.is_some()), (3, true));
        for hand in &frame.hands {
            let Some((flags, root, Some(joints))) = &hand.step else { continue };
            assert_eq!((*flags, *root), (3, Some(joints[0])));
        }
    }
}

#[test]
fn gaps_have_snapshots_only_between_tracked_spans() {
    let file = decoded(&with_left_hand(&[false, true, false, true, false]));
    let steps: Vec<_> = file.frames.iter().map(|frame| frame.hands[0].step.as_ref().map(|step| step.0)).collect();
    assert_eq!(steps, [None, Some(3), Some(0), Some(0), Some(3), None]);
    let (_, root, joints) = file.frames[2].hands[0].step.as_ref().unwrap();
    assert_eq!((root.map(|root| root[0]), joints.is_none()), (Some(1.0), true), "the last wrist pose");
    assert!(file.frames.iter().all(|frame| !frame.hands[1].has_snapshot && frame.flags & 2 == 0));
}

#[test]
fn long_gap_ends_with_an_additional_frame() {
    let times = |file: &File| file.frames.iter().map(|frame| frame.time).collect::<Vec<_>>();
    let file = decoded(&with_left_hand(&[true, false, false, false, true]));
    assert_eq!(times(&file), [0.0, 1.0, 4.0 - 1.0 / 60.0, 4.0]);
    let steps: Vec<_> = file.frames.iter().map(|frame| frame.hands[0].step.as_ref().map(|step| step.0)).collect();
    assert_eq!(steps, [Some(3), Some(0), Some(0), Some(3)]);
    let first = decoded(&with_left_hand(&[false, false, true]));
    assert_eq!(times(&first), [0.0, 2.0], "the hand was not tracked before");
}

#[test]
fn rotations_stay_in_one_hemisphere() {
    let mut recording = demo();
    let flip = |curves: &mut PoseCurves| {
        for curve in &mut curves.rotation {
            curve.keys.iter_mut().skip(1).step_by(2).for_each(|(_, value)| *value = -*value);
        }
    };
    flip(recording.camera.as_mut().unwrap());
    flip(recording.hand_mut(Hand::Right).joint_mut(Joint::ThumbTip));
    let file = decoded(&recording);
    let rotations = |pose: &[f32; 7]| [pose[3], pose[4], pose[5], pose[6]];
    let heads: Vec<_> = file.frames.iter().filter_map(|frame| frame.head.as_ref()).map(rotations).collect();
    let tips = file.frames.iter().filter_map(|frame| frame.hands[1].joints()).map(|joints| rotations(&joints[5]));
    for rotations in [heads, tips.collect()] {
        assert!(rotations.len() > 100);
        assert!(rotations.windows(2).all(|pair| !holotape::is_sign_flip(pair[0], pair[1])));
    }
}

#[test]
fn pinch_is_value_and_flag_in_every_frame() {
    let recording = demo();
    let file = decoded(&recording);
    for frame in &file.frames {
        for (hand, written) in Hand::ALL.into_iter().zip(&frame.hands) {
            let pinching = recording.hand(hand).pinching.value_at(frame.time.into());
            let value = if pinching { 1.0 } else { 0.0 };
            assert_eq!(written.gestures, Some((hand as i32 + 1, 544, Some(value), Some(pinching))));
            assert_eq!(written.aim_flags, None);
        }
    }
    let mut unknown = recording.clone();
    Hand::ALL.into_iter().for_each(|hand| unknown.hand_mut(hand).pinching.keys.clear());
    let file = decoded(&unknown);
    assert_eq!(file.flags, 0);
    assert!(file.frames.iter().all(|frame| frame.hands.iter().all(|hand| hand.gestures.is_none())));
    let mut one_known = recording;
    one_known.hand_mut(Hand::Left).pinching.keys.clear();
    let file = decoded(&one_known);
    assert!(file.frames.iter().all(|frame| frame.hands[0].gestures == Some((1, 0, None, None))));
}

#[test]
fn name_is_that_of_the_source() {
    let name = |options: WriteOptions| {
        let mut bytes = Vec::new();
        let _ = options.write(&demo(), FileFormat::Handsbin, &mut bytes).unwrap();
        decode(&bytes).name
    };
    assert_eq!(name(WriteOptions::new()), "recording");
    for source in ["reach.bin", "reach.bin.zst"] {
        assert_eq!(name(WriteOptions::new().with_source(Some(source.to_owned()))), "reach");
    }
    let long = "手".repeat(50);
    assert_eq!(name(WriteOptions::new().with_source(Some(format!("{long}.csv")))), long);
}

#[test]
fn losses_are_reported() {
    let (_, losses) = written(&demo(), HandsbinVersion::V2);
    assert_eq!(kinds(&losses), [LossKind::Gaze, LossKind::Markers], "{losses:?}");
    let (_, losses) = written(&demo(), HandsbinVersion::V1);
    assert_eq!(kinds(&losses), [LossKind::Gaze, LossKind::Markers, LossKind::Head, LossKind::Flags], "{losses:?}");
    assert!(
        written(&with_left_hand(&[true, true]), HandsbinVersion::V2)
            .1
            .iter()
            .all(|loss| loss.kind() == LossKind::Joints)
    );
}

#[test]
fn missing_joints_are_constructed_and_reported() {
    let mut recording = demo();
    *recording.hand_mut(Hand::Left).joint_mut(Joint::Palm) = PoseCurves::new();
    *recording.hand_mut(Hand::Left).joint_mut(Joint::IndexTip) = PoseCurves::new();
    *recording.hand_mut(Hand::Right).joint_mut(Joint::Wrist) = PoseCurves::new();
    let (bytes, losses) = written(&recording, HandsbinVersion::V2);
    let file = decode(&bytes);
    let joints = file.frames.iter().find_map(|frame| frame.hands[0].joints()).expect("a left hand");
    assert_eq!(joints[10][..3], joints[9][..3], "the tip is at the joint before");
    let middle = std::array::from_fn(|n| joints[11][n].midpoint(joints[12][n]));
    let palm: [f32; 3] = [joints[1][0], joints[1][1], joints[1][2]];
    let is_near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(is_near(palm, middle), "{palm:?} is not in the middle of the metacarpal bone, {middle:?}");
    assert!(file.frames.iter().all(|frame| frame.hands[1].step.is_none()));
    assert_eq!(
        messages(&losses)[..2],
        [
            "invented Palm, IndexTip of the left hand: Unity XR Hands requires all joints",
            "dropped the right hand: it has no wrist, which Unity XR Hands requires",
        ]
    );
}

#[test]
fn non_finite_poses_are_dropped_and_counted() {
    let mut recording = demo();
    let before = decoded(&recording).frames.iter().filter(|frame| frame.hands[0].is_tracked()).count();
    let tip = recording.hand_mut(Hand::Left).joint_mut(Joint::IndexTip);
    *tip.position[1].keys.iter_mut().nth(30).unwrap().1 = f32::NAN;
    let (bytes, losses) = written(&recording, HandsbinVersion::V2);
    let after = decode(&bytes).frames.iter().filter(|frame| frame.hands[0].is_tracked()).count();
    assert!(after < before);
    assert!(messages(&losses).contains(&format!("dropped poses with non-finite values: {}", before - after)));
    assert!(handsbin::read(&bytes).is_ok());
}

#[test]
fn invalid_rate_is_rejected() {
    let options = HandsbinOptions::new().with_timing(Timing::Rate(-1.0));
    let error = handsbin::write(&demo(), &options, Vec::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}
