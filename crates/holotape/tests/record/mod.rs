//! A recorder stores every frame as one key at its time, and nothing else.

mod memory;

use holotape::format::Channels;
use holotape::record::{FinishedRecording, PushOutcome, Recorder, RecorderOptions};
use holotape::{CurveRef, ErrorKind, Frame, Hand, HandFrame, Joint, Pose, Ray, Recording};
use proptest::prelude::*;

use crate::common::motion::{device_frames, device_frames_for, recording_of};

/// Keeps all frames, whatever their rate.
fn uncapped() -> RecorderOptions {
    RecorderOptions::new().with_max_rate_hz(None)
}

fn record(options: RecorderOptions, frames: &[Frame]) -> FinishedRecording {
    let mut recorder = Recorder::start(options).expect("starts");
    for frame in frames {
        assert_eq!(recorder.push(frame).expect("records"), PushOutcome::Accepted, "at {}", frame.time);
    }
    recorder.stop()
}

fn at(time: f64, camera: Pose) -> Frame {
    Frame { time, camera: Some(camera), ..Frame::default() }
}

fn still(time: f64) -> Frame {
    at(time, Pose::IDENTITY)
}

fn camera_times(recording: &Recording) -> Vec<f32> {
    recording.camera.as_ref().expect("a camera").position[0].keys.iter().map(|key| key.time).collect()
}

#[test]
fn every_frame_becomes_one_key() {
    let frames = device_frames_for(12);
    let finished = record(uncapped(), &frames);
    assert_eq!(finished.frame_count, 720);
    assert!(finished.recording == recording_of(&frames));
}

#[test]
fn first_frame_is_time_zero_on_any_clock() {
    let frames: Vec<_> = (0..600).map(|n| still(1.7e9 + f64::from(n) / 64.0)).collect();
    let finished = record(uncapped(), &frames);
    let expected: Vec<_> = (0..600).map(|n| n as f32 / 64.0).collect();
    assert_eq!(camera_times(&finished.recording), expected);
}

#[test]
fn maximum_rate_limits_the_frames() {
    let mut recorder = Recorder::start(RecorderOptions::new()).expect("starts");
    let pushed: Vec<_> = (0..900).map(|n| recorder.push(&still(f64::from(n) / 90.0)).expect("records")).collect();
    assert_eq!(
        pushed[..4],
        [PushOutcome::Accepted, PushOutcome::Accepted, PushOutcome::OverRate, PushOutcome::Accepted]
    );
    let status = recorder.status();
    assert_eq!((status.frame_count, status.over_rate), (600, 300));
    assert_eq!(status.last_secs, Some(898.0 / 90.0));
    assert_eq!(recorder.stop().frame_count, 600);
}

#[test]
fn frames_out_of_order_are_dropped_and_recording_continues() {
    let mut recorder = Recorder::start(uncapped()).expect("starts");
    let mut push = |time| recorder.push(&still(time)).expect("goes on");
    let pushed = [5.0, 5.0, 4.0, 5.5, 5.25, 6.0].map(&mut push);
    use PushOutcome::{Accepted, OutOfOrder};
    assert_eq!(pushed, [Accepted, OutOfOrder, OutOfOrder, Accepted, OutOfOrder, Accepted]);
    assert_eq!(recorder.status().out_of_order, 3);
    assert_eq!(recorder.status().duration_secs, 1.0);
    assert_eq!(camera_times(&recorder.stop().recording), [0.0, 0.5, 1.0]);
}

#[test]
fn non_finite_time_is_an_error_and_changes_nothing() {
    let mut recorder = Recorder::start(uncapped()).expect("starts");
    assert_eq!(recorder.push(&still(1.0)).expect("records"), PushOutcome::Accepted);
    for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e39, -1e300] {
        assert_eq!(recorder.push(&still(time)).expect_err("no time").kind(), ErrorKind::InvalidArgument);
        assert_eq!(recorder.add_marker(time, "never").expect_err("no time").kind(), ErrorKind::InvalidArgument);
    }
    assert_eq!((recorder.status().frame_count, recorder.status().marker_count), (1, 0));
}

#[test]
fn invalid_options_are_rejected() {
    for number in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for options in [uncapped().with_keep_last_secs(Some(number)), uncapped().with_max_rate_hz(Some(number))] {
            assert_eq!(Recorder::start(options).expect_err("refused").kind(), ErrorKind::InvalidArgument);
        }
    }
}

#[test]
fn only_selected_channels_are_recorded() {
    let frames = device_frames_for(2);
    for bits in 0..8 {
        let channels = Channels { camera: bits & 1 != 0, hands: bits & 2 != 0, gaze: bits & 4 != 0 };
        let recording = record(uncapped().with_channels(channels), &frames).recording;
        let mut expected = recording_of(&frames);
        expected.camera = expected.camera.filter(|_| channels.camera);
        expected.hands = expected.hands.filter(|_| channels.hands);
        expected.gaze = expected.gaze.filter(|_| channels.gaze);
        assert!(recording == expected, "{channels:?}");
    }
}

#[test]
fn missing_gaze_falls_back_to_the_head_ray() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // A quarter turn to the right, not normalized.
    let head = Pose { position: [1.0, 2.0, 3.0], rotation: [0.0, 3.0 * half, 0.0, 3.0 * half] };
    let seen = Ray { origin: [4.0, 5.0, 6.0], direction: [0.0, 0.0, 1.0] };
    let frames = [at(0.0, head), Frame { gaze: Some(seen), ..at(1.0, head) }, Frame { time: 2.0, ..Frame::default() }];

    let recording = record(uncapped(), &frames).recording;
    let gaze = recording.gaze.as_ref().expect("a gaze");
    assert_eq!(gaze.origin[0].keys.len(), 2, "without a camera there is nothing to fall back to");
    let ahead = gaze.ray_at(0.0).expect("keys");
    assert_eq!(ahead.origin, head.position);
    assert!((ahead.direction[0] - 1.0).abs() < 1e-6, "{ahead:?}");
    assert_eq!(gaze.ray_at(1.0), Some(seen));

    let gaze_only = Channels { camera: false, hands: false, gaze: true };
    let same = record(uncapped().with_channels(gaze_only), &frames).recording;
    let same_gaze = same.gaze.as_ref().expect("a gaze");
    assert_eq!([0.0, 0.5, 1.0].map(|time| same_gaze.ray_at(time)), [0.0, 0.5, 1.0].map(|time| gaze.ray_at(time)));
    assert_eq!(same.duration_secs(), 2.0, "as long as its frames go on, and the camera need not be recorded");
    let camera_only = Channels { camera: true, hands: false, gaze: false };
    assert_eq!(record(uncapped().with_channels(camera_only), &frames).recording.duration_secs(), 2.0);

    let none = record(uncapped().with_gaze_fallback(false), &frames).recording;
    assert_eq!(none.gaze.expect("the channel").origin[0].keys.len(), 1);
}

#[test]
fn joints_are_recorded_only_while_tracked() {
    let mut hand = HandFrame { tracked: true, pinching: true, ..HandFrame::default() };
    hand.joints[Joint::Palm.index()] = Some(Pose::IDENTITY);
    let seen = |time, left: Option<HandFrame>| Frame { time, left, ..Frame::default() };
    let unseen = HandFrame { tracked: false, ..hand.clone() };
    let frames = [seen(0.0, Some(hand.clone())), seen(1.0, Some(unseen)), seen(2.0, None), seen(3.0, Some(hand))];
    let recording = record(uncapped(), &frames).recording;
    let left = recording.hand(Hand::Left);
    let keys = |keys: &[holotape::LinearKey]| keys.iter().map(|key| (key.time, key.value)).collect::<Vec<_>>();
    assert_eq!(keys(&left.tracked.keys), [(0.0, 1.0), (1.0, 0.0), (3.0, 1.0)]);
    assert_eq!(keys(&left.pinching.keys), [(0.0, 1.0), (2.0, 0.0), (3.0, 1.0)], "a flag is recorded as it is");
    let palm = left.joint(Joint::Palm).position[0].keys.iter().map(|key| key.time);
    assert_eq!(palm.collect::<Vec<_>>(), [0.0, 3.0]);
    assert_eq!(keys(&recording.hand(Hand::Right).tracked.keys), [(0.0, 0.0)], "a hand that never was there");
}

#[test]
fn recording_lasts_until_its_last_frame() {
    let frames = [still(0.0), still(1.0), Frame { time: 2.0, ..Frame::default() }];
    let recording = record(uncapped(), &frames).recording;
    assert_eq!(recording.duration_secs(), 2.0);
    for hand in Hand::ALL {
        assert_eq!(recording.hand(hand).tracked.keys.len(), 2, "at the start and at the end");
        assert!(!recording.hand(hand).tracked.value_at(2.0));
    }
    let one = record(uncapped(), &frames[2..]).recording;
    assert_eq!(one.hand(Hand::Left).tracked.keys.len(), 1);
}

#[test]
fn quaternions_keep_their_sign() {
    let frames = device_frames_for(12);
    let mut flipped = frames.clone();
    let mut random = 1_u32;
    for frame in &mut flipped[1..] {
        let hands = [&mut frame.left, &mut frame.right].into_iter().flatten();
        for pose in hands.flat_map(|hand| hand.joints.iter_mut()).flatten().chain(&mut frame.camera) {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if random >> 31 == 1 {
                pose.rotation = pose.rotation.map(|value| -value);
            }
        }
    }
    let recording = record(uncapped(), &flipped).recording;
    let flips = |keys: [Vec<f32>; 4]| {
        let dot = |n: usize| keys.iter().map(|curve| curve[n] * curve[n - 1]).sum::<f32>();
        (1..keys[0].len()).filter(|&n| dot(n) < 0.0).count()
    };
    for (id, pose) in recording.poses() {
        let keys = pose.rotation.each_ref().map(|curve| curve.keys.iter().map(|key| key.value).collect());
        assert_eq!(flips(keys), 0, "{id}");
    }
    let camera = |recording: &Recording| recording.camera.clone();
    assert!(camera(&recording) == camera(&recording_of(&frames)), "its first frame was not flipped");
}

#[test]
fn non_finite_values_are_dropped_and_counted() {
    let mut recorder = Recorder::start(uncapped()).expect("starts");
    let nan = Pose { position: [0.0, f32::NAN, 0.0], ..Pose::IDENTITY };
    let infinite = Pose { rotation: [0.0, 0.0, 0.0, f32::INFINITY], ..Pose::IDENTITY };
    let mut hand = HandFrame { tracked: true, ..HandFrame::default() };
    hand.joints[Joint::Wrist.index()] = Some(infinite);
    hand.joints[Joint::Palm.index()] = Some(Pose::IDENTITY);
    let ray = Ray { origin: [0.0; 3], direction: [f32::NAN; 3] };
    recorder.push(&Frame { right: Some(hand), ..at(0.0, nan) }).expect("records");
    assert_eq!(recorder.status().not_finite, 2, "nor is there a ray ahead of a head that is nowhere");
    recorder.push(&Frame { gaze: Some(ray), ..still(1.0) }).expect("records");
    assert_eq!(recorder.status().not_finite, 3);
    let recording = recorder.stop().recording;
    assert_eq!(camera_times(&recording), [1.0]);
    assert!(recording.gaze.as_ref().expect("the channel").origin[0].keys.is_empty());
    assert!(recording.hand(Hand::Right).joint(Joint::Wrist).position[0].keys.is_empty());
    assert_eq!(recording.hand(Hand::Right).joint(Joint::Palm).position[0].keys.len(), 1);
}

#[test]
fn frames_closer_than_key_time_precision_are_merged() {
    let frames = [0.0, 100_000.0, 100_000.001, 100_000.1].map(still);
    let finished = record(uncapped(), &frames);
    assert_eq!(finished.frame_count, 3);
    assert_eq!(camera_times(&finished.recording), [0.0, 100_000.0, 100_000.1]);
}

#[test]
fn markers_keep_their_times() {
    let mut recorder = Recorder::start(uncapped()).expect("starts");
    recorder.add_marker(9.0, "before anything").expect("set");
    recorder.push(&still(10.0)).expect("records");
    recorder.add_marker(12.5, "ahead").expect("set");
    recorder.add_marker(11.0, "second").expect("set");
    recorder.add_marker(11.0, "third").expect("set");
    recorder.push(&still(11.5)).expect("records");
    let too_long = recorder.add_marker(11.0, &"x".repeat(65_528)).expect_err("too long");
    assert_eq!(too_long.kind(), ErrorKind::LimitExceeded);
    recorder.add_marker(11.5, &"x".repeat(65_527)).expect("just short enough");
    assert_eq!(recorder.status().marker_count, 5);
    let markers: Vec<_> = recorder.stop().recording.markers.iter().map(|it| (it.time, it.name.clone())).collect();
    let named = |name: &str| name.to_owned();
    let long = (1.5, "x".repeat(65_527));
    let expected =
        [(0.0, named("before anything")), (1.0, named("second")), (1.0, named("third")), long, (2.5, named("ahead"))];
    assert_eq!(markers, expected);
}

/// The frames with times relative to the first.
fn from_zero(frames: &[Frame]) -> Vec<Frame> {
    let start = frames[0].time;
    frames.iter().map(|frame| Frame { time: frame.time - start, ..frame.clone() }).collect()
}

#[test]
fn keep_last_records_only_the_last_seconds() {
    let frames = device_frames_for(40);
    let (first, last) = (frames[0].time, frames[frames.len() - 1].time);
    for limit in [0.001, 1.0, 7.3, 39.0, 39.99, 1e6] {
        let mut recorder = Recorder::start(uncapped().with_keep_last_secs(Some(limit))).expect("starts");
        recorder.add_marker(first - 1.0, "before").expect("set");
        for frame in &frames {
            recorder.push(frame).expect("records");
            if frame.time.fract() == 0.0 {
                recorder.add_marker(frame.time, &frame.time.to_string()).expect("set");
            }
        }
        assert_eq!(recorder.status().duration_secs, limit.min(last - first));
        let finished = recorder.stop();
        let kept: Vec<_> = frames.iter().filter(|frame| frame.time >= last - limit).cloned().collect();
        let mut expected = recording_of(&from_zero(&kept));
        if kept.len() == frames.len() {
            expected.markers.add(0.0, "before");
        }
        for frame in kept.iter().filter(|frame| frame.time.fract() == 0.0) {
            expected.markers.add((frame.time - kept[0].time) as f32, frame.time.to_string());
        }
        assert!(finished.recording == expected, "the last {limit} s");
        assert_eq!(finished.frame_count, kept.len() as u64);
    }
}

#[test]
fn recording_without_frames_starts_at_its_first_marker() {
    let mut recorder = Recorder::start(uncapped()).expect("starts");
    let unix_secs = 1_763_280_000.0;
    for (after_secs, name) in [(2.5, "second"), (0.0, "first"), (60.25, "third")] {
        recorder.add_marker(unix_secs + after_secs, name).expect("set");
    }
    let markers: Vec<_> = recorder.stop().recording.markers.iter().map(|it| (it.time, it.name.clone())).collect();
    assert_eq!(markers, [(0.0, "first".to_owned()), (2.5, "second".to_owned()), (60.25, "third".to_owned())]);
}

#[test]
fn markers_before_the_kept_span_are_dropped() {
    // A few of these fill a chunk, so that chunks start at different frames.
    let filler = "x".repeat(65_000);
    for limit in 1..20 {
        let mut recorder = Recorder::start(uncapped().with_keep_last_secs(Some(f64::from(limit)))).expect("starts");
        for n in 0..20 {
            recorder.push(&still(f64::from(n))).expect("records");
            recorder.add_marker(f64::from(n), &filler).expect("set");
        }
        recorder.add_marker(-1.0, "late").expect("set");
        let recording = recorder.stop().recording;
        let has_late = recording.markers.iter().any(|marker| marker.name == "late");
        assert_eq!(has_late, limit == 19, "of the last {limit} s");
        assert_eq!(recording.markers.len(), limit as usize + 1 + usize::from(has_late));
    }
}

#[test]
fn recording_with_a_real_clock_samples_back_exactly() {
    let frames = device_frames();
    let start = frames[0].time;
    let mut sampler = record(uncapped(), &frames).recording.sampler();
    for frame in &frames {
        let sampled = sampler.frame_at(f64::from((frame.time - start) as f32));
        let pairs = Joint::ALL
            .iter()
            .flat_map(|joint| Hand::ALL.map(|hand| (joint_of(frame, hand, *joint), joint_of(&sampled, hand, *joint))));
        for (pushed, sampled) in pairs.chain([(frame.camera, sampled.camera)]) {
            match (pushed, sampled) {
                (None, None) => {}
                (Some(a), Some(b)) => assert!(a.position == b.position && a.angle_deg(&b) < 1e-3, "{a:?} {b:?}"),
                other => panic!("{other:?}"),
            }
        }
    }
}

fn joint_of(frame: &Frame, hand: Hand, joint: Joint) -> Option<Pose> {
    frame.hand(hand)?.joint(joint)
}

fn any_pose() -> impl Strategy<Value = Option<Pose>> {
    let float = prop_oneof![4 => -2.0..2.0_f32, 1 => any::<u32>().prop_map(f32::from_bits)];
    let pose = (prop::array::uniform3(float.clone()), prop::array::uniform4(float))
        .prop_map(|(position, rotation)| Pose { position, rotation });
    prop::option::of(pose)
}

fn any_frame() -> impl Strategy<Value = Frame> {
    let time = prop_oneof![4 => 0.0..10.0_f64, 1 => any::<u64>().prop_map(f64::from_bits)];
    (time, any_pose(), any_pose(), any_pose(), any::<[bool; 3]>()).prop_map(|(time, camera, ray, joint, flags)| {
        let mut hand = HandFrame { tracked: flags[0], pinching: flags[1], ..HandFrame::default() };
        hand.joints[Joint::PinkyTip.index()] = joint;
        let gaze = ray.map(|pose| Ray { origin: pose.position, direction: [0, 1, 2].map(|n| pose.rotation[n]) });
        Frame { time, camera, gaze, left: flags[2].then_some(hand), right: None }
    })
}

proptest! {
    /// Arbitrary input gives finite keys at increasing times.
    #[test]
    fn arbitrary_frames_give_a_valid_recording(
        frames in prop::collection::vec(any_frame(), 0..40),
        keep_last_secs in prop::option::of(0.1..20.0_f64),
    ) {
        let mut recorder = Recorder::start(uncapped().with_keep_last_secs(keep_last_secs)).expect("starts");
        let accepted = frames.iter().filter(|frame| matches!(recorder.push(frame), Ok(PushOutcome::Accepted))).count();
        prop_assert_eq!(recorder.status().frame_count, accepted as u64);
        let FinishedRecording { recording, frame_count, .. } = recorder.stop();
        prop_assert!(frame_count <= accepted as u64 && (frame_count > 0) == (accepted > 0));
        for (id, curve) in recording.curves() {
            let keys: Vec<_> = match curve {
                CurveRef::Float(curve) => curve.keys.iter().collect(),
                CurveRef::Bool(curve) => curve.keys.clone(),
            };
            prop_assert!(keys.iter().all(|key| key.time.is_finite() && key.value.is_finite()), "{}", id);
            prop_assert!(keys.windows(2).all(|pair| pair[0].time < pair[1].time), "{}", id);
            prop_assert!(keys.first().is_none_or(|key| key.time >= 0.0), "{}", id);
        }
    }
}
