//! Round trips between versions, input animations and captures.

use std::fs;

use holotape::demo::DemoOptions;
use holotape::optimize::{OptimizeOptions, optimize};
use holotape::{Hand, HandFrame, Joint, Pose, PoseId, Recording};
use holotape_convert::handsbin::{HandsbinOptions, HandsbinVersion};
use holotape_convert::{LossKind, Timing, from_frames};
use proptest::prelude::*;

use crate::handsbin::decode::{Frame, decode};
use crate::handsbin::{is_same_pose, kinds, pose_key, read, sample, testdata, written, written_with};

#[test]
fn version_1_to_2_to_1_keeps_everything() {
    let original = sample("v1_gaps.handsbin");
    let recording = read(&original);
    let (upgraded, losses) = written(&recording, HandsbinVersion::V2);
    assert!(losses.is_empty(), "{losses:?}");
    assert_eq!(read(&upgraded), recording);
    let options = HandsbinOptions::new().with_version(HandsbinVersion::V1).with_name("Two hands, gaps");
    let (again, _) = written_with(&read(&upgraded), &options);
    assert_eq!(read(&again), recording);
    let [before, after] = [&original, &again].map(|bytes| decode(bytes));
    assert_eq!((&after.name, after.duration), (&before.name, before.duration));
    // Frames without any hand have no keys in a recording.
    let has_hand = |frame: &&Frame| frame.hands.iter().any(|hand| hand.joints().is_some());
    let [before, after] = [&before, &after].map(|file| file.frames.iter().filter(has_hand).collect::<Vec<_>>());
    assert_eq!(before.len(), after.len());
    for (before, after) in before.into_iter().zip(after) {
        assert_eq!(before.time, after.time);
        for (before, after) in before.hands.iter().zip(&after.hands) {
            assert_eq!(before.joints().is_some(), after.is_tracked());
            let poses = before.joints().into_iter().flatten().zip(after.joints().into_iter().flatten());
            poses.for_each(|(before, after)| assert!(is_same_pose(*before, *after)));
        }
    }
}

#[test]
fn version_2_to_2_keeps_everything_that_is_read() {
    for name in ["v2_gestures_aim.handsbin", "v2_before_render.handsbin", "v2_plain_gaps.handsbin"] {
        let recording = read(&sample(name));
        let (bytes, _) = written(&recording, HandsbinVersion::V2);
        let again = read(&bytes);
        assert_eq!(again.hands, recording.hands, "{name}");
        assert_eq!(again.duration_secs(), recording.duration_secs());
    }
}

/// Asserts that every key of a tracked hand is kept, at its time, with the same bits up to the sign of the quaternion.
fn assert_keys_kept(before: &Recording, after: &Recording, name: &str) -> usize {
    let mut count = 0;
    for time in Timing::Keys.times(before).unwrap().into_iter().filter(|time| *time >= 0.0) {
        let key_of = |recording: &Recording, id| recording.pose(id).and_then(|curves| pose_key(curves, time as f32));
        for hand in Hand::ALL {
            let flags = |recording: &Recording| {
                [&recording.hand(hand).tracked, &recording.hand(hand).pinching].map(|flag| flag.value_at(time))
            };
            assert_eq!(flags(before), flags(after), "{name}: {hand} at {time}");
            for joint in Joint::ALL.into_iter().skip(1).filter(|_| flags(before)[0]) {
                let id = PoseId::Joint(hand, joint);
                let Some(key) = key_of(before, id) else { continue };
                let length = key[3..].iter().map(|value| value * value).sum::<f32>();
                let kept = key_of(after, id).unwrap_or_else(|| panic!("{name}: {hand} {joint} at {time}"));
                assert_eq!(key[..3], kept[..3], "{name}: {hand} {joint} at {time}");
                // Others are normalized.
                if (length - 1.0).abs() < 1e-5 {
                    assert!(is_same_pose(key, kept), "{name}: {hand} {joint} at {time}: {key:?}, {kept:?}");
                    count += 1;
                }
            }
        }
    }
    count
}

#[test]
fn input_animations_round_trip() {
    let mut keys = 0;
    for entry in fs::read_dir(testdata("valid")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        // Curves with several keys at one time, and poses without w, cannot be compared by key.
        let is_comparable = name.starts_with("mrtk25") || name.starts_with("mrtk28");
        if path.extension().is_some_and(|extension| extension == "bin") && is_comparable {
            let recording = Recording::open(&path).unwrap();
            let again = read(&written(&recording, HandsbinVersion::V2).0);
            keys += assert_keys_kept(&recording, &again, &name);
        }
    }
    assert!(keys > 9_000, "only {keys} keys");
    let demo = DemoOptions::new().with_seconds(12.0).generate().unwrap();
    let again = read(&written(&demo, HandsbinVersion::V2).0);
    assert_keys_kept(&demo, &again, "demo");
    assert_eq!(again.duration_secs(), demo.duration_secs());
}

#[test]
fn empty_recording_round_trips() {
    for version in HandsbinVersion::ALL {
        let (bytes, losses) = written(&Recording::default(), version);
        assert!(losses.is_empty() && decode(&bytes).frames.is_empty());
        assert_eq!(read(&bytes), Recording::default());
    }
}

#[test]
fn optimized_capture_stays_within_its_tolerances() {
    let mut recording = read(&sample("v2_gestures_aim.handsbin"));
    let before = recording.clone();
    optimize(&mut recording, &OptimizeOptions::default());
    let keys = |recording: &Recording| recording.curves().map(|(_, curve)| curve.key_count()).sum::<usize>();
    assert!(keys(&recording) < keys(&before) / 2, "{} keys", keys(&recording));
    let report = holotape::check::check(&recording, &holotape::check::CheckOptions::new());
    assert_eq!(report.iter().filter(|finding| finding.severity == holotape::check::Severity::Error).count(), 0);
    let (bytes, losses) = written(&recording, HandsbinVersion::V2);
    let again = read(&bytes);
    let (mut before, mut after) = (before.sampler(), again.sampler());
    for time in after.times_at_rate(60.0).collect::<Vec<_>>() {
        let (before, after) = (before.frame_at(time), after.frame_at(time));
        for hand in Hand::ALL {
            let [before, after] = [&before, &after].map(|frame| frame.hand(hand).unwrap());
            assert_eq!((before.tracked, before.pinching), (after.tracked, after.pinching), "{hand} at {time}");
            for (before, after) in before.joints.iter().zip(&after.joints) {
                let Some((before, after)) = before.zip(*after) else { continue };
                assert!(before.distance_m(&after) < 2.1e-3, "{hand} at {time}");
            }
        }
    }
    assert!(kinds(&losses).iter().all(|kind| *kind == LossKind::Resampled), "{losses:?}");
}

/// A recorded frame of a hand, and whether it is tracked there.
fn any_hand() -> impl Strategy<Value = Option<HandFrame>> {
    let component = -1.0_f32..1.0;
    let pose = (prop::array::uniform3(-2.0_f32..2.0), prop::array::uniform4(component));
    let hand =
        (any::<[bool; 2]>(), prop::collection::vec(pose, Joint::COUNT)).prop_map(|([tracked, pinching], poses)| {
            let mut joints = [None; Joint::COUNT];
            for (joint, (position, rotation)) in joints.iter_mut().zip(poses).skip(1).filter(|_| tracked) {
                let length = rotation.iter().map(|value| value * value).sum::<f32>().sqrt();
                let rotation =
                    if length > 0.1 { rotation.map(|value| value / length) } else { Pose::IDENTITY.rotation };
                *joint = Some(Pose { position, rotation });
            }
            HandFrame { tracked, pinching, joints }
        });
    prop::option::weighted(0.9, hand)
}

/// Up to seven frames with random hands, so that hands are missing at the start, in the middle and at the end.
fn any_recording() -> impl Strategy<Value = Recording> {
    let frame = (0.001_f64..0.5, any_hand(), any_hand());
    (prop::collection::vec(frame, 0..7), any::<[bool; 3]>()).prop_map(|(frames, [has_head, has_left, has_right])| {
        let mut time = 0.0;
        let frames = frames.into_iter().enumerate().map(|(n, (step_secs, left, right))| {
            time += if n == 0 { 0.0 } else { step_secs };
            let camera = has_head.then_some(Pose { position: [time as f32, 1.6, 0.0], ..Pose::IDENTITY });
            let (left, right) = (left.filter(|_| has_left), right.filter(|_| has_right));
            holotape::Frame { time, camera, left, right, ..holotape::Frame::default() }
        });
        from_frames(frames.collect::<Vec<_>>()).0
    })
}

fn assert_head_kept(before: &Recording, after: &Recording) {
    let times = before.camera.iter().flat_map(|camera| camera.position[0].keys.iter());
    for key in times {
        let [before, after] = [before, after].map(|recording| pose_key(recording.camera.as_ref().unwrap(), key.time));
        assert_eq!(before, after);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_recording_round_trips(recording in any_recording()) {
        let (bytes, _) = written(&recording, HandsbinVersion::V2);
        let again = read(&bytes);
        assert_keys_kept(&recording, &again, "random");
        assert_head_kept(&recording, &again);
        prop_assert_eq!(again.duration_secs(), recording.duration_secs());
        // Once more, nothing changes.
        prop_assert!(read(&written(&again, HandsbinVersion::V2).0) == again);
    }

    #[test]
    fn any_recording_survives_version_1(recording in any_recording()) {
        let mut without_pinches = recording;
        Hand::ALL.into_iter().for_each(|hand| without_pinches.hand_mut(hand).pinching.keys.clear());
        let again = read(&written(&without_pinches, HandsbinVersion::V1).0);
        assert_keys_kept(&without_pinches, &again, "random");
        prop_assert_eq!(again.duration_secs(), without_pinches.duration_secs());
    }

    #[test]
    fn any_gap_is_marked_between_tracked_spans_only(recording in any_recording()) {
        let file = decode(&written(&recording, HandsbinVersion::V2).0);
        for hand in Hand::ALL {
            let frames = || file.frames.iter().map(|frame| &frame.hands[hand as usize]);
            let first = frames().position(|hand| hand.is_tracked());
            let last = frames().rposition(|hand| hand.is_tracked());
            for (n, hand) in frames().enumerate() {
                let is_inside = first.zip(last).is_some_and(|(first, last)| (first..=last).contains(&n));
                prop_assert_eq!(hand.has_snapshot, is_inside);
            }
        }
    }
}
