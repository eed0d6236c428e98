//! Isaac Teleop: logs that it wrote, round trips, damaged logs, and recordings of its WebXR client.

mod hostile;
mod log;
mod reading;
mod webxr;

use std::collections::BTreeMap;
use std::path::Path;

use holotape::demo::DemoOptions;
use holotape::{Curve, Frame, Hand, HandFrame, Joint, LinearKey, Pose, PoseId, Recording};
use holotape_convert::{LossKind, Losses, Timing, isaac};

use crate::isaac::log::Log;

fn testdata(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)).expect("test data")
}

fn recording(name: &str) -> Recording {
    Recording::from_slice(&testdata(&format!("valid/{name}.bin"))).expect("a recording")
}

fn demo() -> Recording {
    DemoOptions::new().with_seconds(3.0).generate().expect("a recording")
}

fn written(recording: &Recording) -> (Vec<u8>, Losses) {
    let mut bytes = Vec::new();
    let losses = isaac::write(recording, Timing::Keys, &mut bytes).expect("written");
    (bytes, losses)
}

fn kinds(losses: &Losses) -> Vec<LossKind> {
    losses.iter().map(|loss| loss.kind()).collect()
}

fn messages(losses: &Losses) -> Vec<String> {
    losses.iter().map(ToString::to_string).collect()
}

/// The keys of a curve: the bits of times and values.
fn key_bits(curve: &Curve) -> Vec<(u32, u32)> {
    curve.keys.iter().map(|key| (key.time.to_bits(), key.value.to_bits())).collect()
}

fn frame(time: f64, position: [f32; 3]) -> Frame {
    let pose = Some(Pose { position, ..Pose::IDENTITY });
    let hand = HandFrame { tracked: true, joints: [pose; Joint::COUNT], ..HandFrame::default() };
    Frame { time, camera: pose, left: Some(hand.clone()), right: Some(hand), ..Frame::default() }
}

#[test]
fn log_of_isaac_teleop_is_read() {
    let (recording, losses) = isaac::read(&testdata("isaac/teleop_monado.mcap")).unwrap();
    let expected = [
        "dropped the joint radii: not part of a recording",
        "dropped the times at which samples were taken: a recording has those at which they became available",
        "left the pinches empty: Isaac Teleop does not record them",
    ];
    assert_eq!(messages(&losses), expected);
    assert_eq!(recording.duration_secs(), 2.048_746_6, "from 1562636393647 ns to 1564685140250 ns");
    let frame = recording.sampler().frame_at(0.0);
    assert_eq!(frame.camera.unwrap(), Pose { position: [0.1, 1.6, -0.2], rotation: [0.0, 0.0, 0.0, 1.0] });
    let [left, right] = [frame.left.unwrap(), frame.right.unwrap()];
    assert!(left.tracked && right.tracked);
    assert_eq!(left.joint(Joint::Palm).unwrap().position, [-0.196_709_3, 1.200_95, 0.464_431_85]);
    let tip = recording.hand(Hand::Left).joint(Joint::IndexTip);
    assert_eq!(tip.position[0].keys.len(), 120);
    let rotation = tip.rotation.each_ref().map(|curve| curve.keys.iter().next().unwrap().value);
    assert_eq!(rotation, [0.993_153_75, -0.003_397_945_3, -0.098_549_66, -0.062_626_84], "with z mirrored");
    assert_eq!(right.joint(Joint::IndexTip).unwrap().position, [0.156_997_14, 1.2, 0.568_687_14]);
    for hand in Hand::ALL {
        assert!(recording.hand(hand).pinching.keys.is_empty());
        let joints = Joint::ALL.into_iter().filter(|joint| recording.hand(hand).joint(*joint).pose_at(0.0).is_some());
        assert_eq!(joints.count(), 26, "all but the joint None");
    }
}

#[test]
fn log_of_isaac_teleop_is_written_again_with_the_same_messages() {
    let original = testdata("isaac/teleop_monado.mcap");
    let (bytes, _) = written(&isaac::read(&original).unwrap().0);
    let [original, ours] = [Log::open(&original), Log::open(&bytes)];
    assert_eq!(original.header.profile, ours.header.profile);
    assert_eq!(original.schemas, ours.schemas, "the same bytes, which Isaac Teleop compares");
    assert_eq!(original.topic_names(), ours.topic_names());
    for topic in ["hands/left_hand", "hands/right_hand", "head/head"] {
        let pairs = || original.topics[topic].iter().zip(&ours.topics[topic]);
        assert_eq!(pairs().count(), 120);
        let start = original.topics["head/head"][0].log_time;
        for (before, after) in pairs() {
            assert_eq!(before.sequence, after.sequence);
            assert!((before.log_time - start).abs_diff(after.log_time) <= 120, "32-bit times of up to 2 s");
        }
    }
}

/// The values of curves at the times at which all of them have a key.
fn shared_keys<const N: usize>(curves: &[Curve; N]) -> BTreeMap<u32, [f32; N]> {
    let maps = curves
        .each_ref()
        .map(|curve| curve.keys.iter().map(|key| (key.time.to_bits(), key.value)).collect::<BTreeMap<_, _>>());
    let values = |time: &u32| -> Option<[f32; N]> {
        let values: Vec<_> = maps.iter().filter_map(|map| map.get(time).copied()).collect();
        values.try_into().ok()
    };
    maps[0].keys().filter_map(|time| Some((*time, values(time)?))).collect()
}

#[test]
fn joints_round_trip_to_the_bit() {
    let names = ["mrtk28_all", "mrtk25_simulated", "mrtk28_right_hand_markers", "mrtk28_three_frames"];
    for name in names {
        let recording = recording(name);
        let (read_back, losses) = isaac::read(&written(&recording).0).unwrap();
        assert!(kinds(&losses).iter().all(|kind| *kind == LossKind::Flags), "{name}: only pinches, {losses:?}");
        assert_eq!(read_back.duration_secs(), recording.duration_secs(), "{name}");
        let mut count = 0;
        for (id, before) in recording.poses() {
            let is_kept = |time: f64| match id {
                PoseId::Joint(_, Joint::None) => false,
                PoseId::Joint(hand, _) => recording.hand(hand).tracked.value_at(time),
                PoseId::Camera => true,
            };
            let after = read_back.pose(id).unwrap();
            let (positions, rotations) = (shared_keys(&after.position), shared_keys(&after.rotation));
            for (time, value) in shared_keys(&before.position) {
                if is_kept(f32::from_bits(time).into()) {
                    assert_eq!(positions.get(&time), Some(&value), "{name}: {id} at {} s", f32::from_bits(time));
                    count += 1;
                }
            }
            for (time, value) in shared_keys(&before.rotation) {
                if is_kept(f32::from_bits(time).into()) {
                    let is_same =
                        rotations.get(&time).is_some_and(|found| *found == value || found.map(|n| -n) == value);
                    assert!(
                        is_same,
                        "{name}: {id} at {} s: {:?} {value:?}",
                        f32::from_bits(time),
                        rotations.get(&time)
                    );
                }
            }
        }
        assert!(count > 20, "{name}: {count}");
    }
}

#[test]
fn keys_round_trip_to_the_bit() {
    let recording = demo();
    let (read_back, _) = isaac::read(&written(&recording).0).unwrap();
    for ((id, before), (_, after)) in recording.poses().zip(read_back.poses()) {
        for (before, after) in
            before.position.iter().chain(&before.rotation).zip(after.position.iter().chain(&after.rotation))
        {
            // The demo's hands have the same keys in all joints, but none while they are not tracked.
            assert_eq!(key_bits(before), key_bits(after), "{id}");
        }
    }
    for hand in Hand::ALL {
        assert_eq!(recording.hand(hand).tracked.spans_secs(), read_back.hand(hand).tracked.spans_secs());
    }
}

#[test]
fn losses_of_writing_are_reported() {
    let mut pinching = demo();
    pinching.hand_mut(Hand::Left).pinching = [LinearKey::new(0.0, 1.0)].into_iter().collect();
    let (_, losses) = written(&pinching);
    let expected = [LossKind::Gaze, LossKind::Markers, LossKind::Flags, LossKind::Invented];
    assert_eq!(kinds(&losses), expected, "{losses:?}");
    let (_, losses) = written(&recording("mrtk28_camera_only"));
    assert!(losses.is_empty(), "{losses:?}");
    let mut invalid = demo();
    invalid.camera.as_mut().unwrap().position[0] = Curve::from_iter([LinearKey::new(0.0, f32::NAN)]);
    let (bytes, losses) = written(&invalid);
    assert!(messages(&losses).iter().any(|message| message.starts_with("dropped poses with non-finite values: ")));
    assert!(isaac::read(&bytes).unwrap().0.camera.is_none(), "the messages are marked as invalid");
}

#[test]
fn untracked_hands_have_messages_without_data() {
    let mut untracked = frame(1.0, [0.0; 3]);
    untracked.left = Some(HandFrame { tracked: false, ..HandFrame::default() });
    let (recording, _) = holotape_convert::from_frames([frame(0.0, [0.0; 3]), untracked, frame(2.0, [1.0; 3])]);
    let (bytes, _) = written(&recording);
    let log = Log::open(&bytes);
    let sizes = |topic: &str| log.topics[topic].iter().map(|message| message.data.len()).collect::<Vec<_>>();
    assert_eq!(sizes("hands/left_hand"), [992, 40, 992]);
    assert_eq!(sizes("hands/right_hand"), [992; 3]);
    assert_eq!(sizes("head/head"), [92; 3]);
    let (read_back, _) = isaac::read(&bytes).unwrap();
    assert_eq!(read_back.hand(Hand::Left).tracked.keys, recording.hand(Hand::Left).tracked.keys);
}

#[test]
fn recording_without_hands_and_head_gives_a_log_without_messages() {
    for empty in [Recording::default(), recording("mrtk28_gaze_only")] {
        let (bytes, _) = written(&empty);
        assert!(Log::open(&bytes).topics.is_empty());
        let error = isaac::read(&bytes).unwrap_err().to_string();
        assert!(error.starts_with("the log has no messages of hands or of the head: it has no schemas"), "{error}");
    }
}

#[test]
fn first_frame_is_at_time_0() {
    let (late, _) = holotape_convert::from_frames([frame(0.5, [0.0; 3]), frame(1.0, [1.0; 3])]);
    let (read_back, _) = isaac::read(&written(&late).0).unwrap();
    let times: Vec<_> = read_back.camera.unwrap().position[0].keys.iter().map(|key| key.time).collect();
    assert_eq!(times, [0.0, 0.5, 1.0], "times stay in sync with the recording");
}

#[test]
fn frames_closer_than_a_nanosecond_are_dropped_and_reported() {
    let times = [0.0, 1e-10, 1e-9, 1.0];
    let (recording, _) = holotape_convert::from_frames(times.map(|time| frame(time, [0.0; 3])));
    let (bytes, losses) = written(&recording);
    assert!(
        messages(&losses).iter().any(|message| message.starts_with("dropped 1 frame less than 1 ns")),
        "{losses:?}"
    );
    assert_eq!(Log::open(&bytes).topics["head/head"].len(), 3);
}
