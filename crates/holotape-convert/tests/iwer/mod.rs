//! IWER action recordings: round trips, and recordings by other programs.

mod reading;

use std::path::Path;

use holotape::demo::DemoOptions;
use holotape::{ErrorKind, Hand, Joint, LinearKey, Pose, Recording, Skeleton};
use holotape_convert::{LossKind, Losses, Timing, iwer};
use serde_json::{Value, json};

fn written(recording: &Recording, timing: Timing) -> (Vec<u8>, Losses) {
    let mut bytes = Vec::new();
    let losses = iwer::write(recording, timing, &mut bytes).expect("written");
    (bytes, losses)
}

fn document(recording: &Recording) -> Value {
    serde_json::from_slice(&written(recording, Timing::Keys).0).expect("JSON")
}

fn demo() -> Recording {
    DemoOptions::new().with_seconds(12.0).generate().expect("a demo")
}

fn testdata(name: &str) -> Recording {
    Recording::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/valid").join(name)).expect("readable")
}

fn kinds(losses: &Losses) -> Vec<LossKind> {
    losses.iter().map(holotape_convert::Loss::kind).collect()
}

fn messages_of(losses: &Losses, kind: LossKind) -> Vec<String> {
    losses.iter().filter(|loss| loss.kind() == kind).map(ToString::to_string).collect()
}

/// Asserts that everything WebXR supports is equal within rounding, at all key times.
fn assert_near(recording: &Recording, read_back: &Recording) {
    let (mut before, mut after) = (recording.sampler(), read_back.sampler());
    let times = Timing::Keys.times(recording).unwrap();
    for &time in times.iter().filter(|time| **time >= 0.0) {
        let (before, after) = (before.frame_at(time), after.frame_at(time));
        let near = |before: Option<Pose>, after: Option<Pose>, what: &str| {
            assert_eq!(before.is_some(), after.is_some(), "{what} at {time}");
            let Some((before, after)) = before.zip(after) else { return };
            assert!(before.distance_m(&after) < 1e-5, "{what} at {time}: {before:?} and {after:?}");
            assert!(before.angle_deg(&after) < 2e-3, "{what} at {time}: {before:?} and {after:?}");
        };
        if before.camera.is_some() {
            near(before.camera, after.camera, "head");
        }
        assert_eq!(before.gaze.is_some(), after.gaze.is_some());
        if let Some((before, after)) = before.gaze.zip(after.gaze) {
            assert!(before.distance_m(&after) < 1e-5 && before.angle_deg(&after) < 2e-3, "eyes at {time}");
        }
        for hand in Hand::ALL {
            let (Some(before), Some(after)) = (before.hand(hand), after.hand(hand)) else { continue };
            assert_eq!((before.tracked, before.pinching), (after.tracked, after.pinching), "{hand} hand at {time}");
            for joint in Skeleton::WebXr.joints() {
                near(before.joint(joint), after.joint(joint), &format!("{hand} {joint}"));
            }
        }
    }
}

#[test]
fn recordings_round_trip_except_for_reported_losses() {
    let names = ["mrtk28_all.bin", "mrtk25_simulated.bin", "mrtk28_right_hand_markers.bin", "mrtk28_three_frames.bin"];
    for recording in names.map(testdata).into_iter().chain([demo()]) {
        let (bytes, _) = written(&recording, Timing::Keys);
        let (read_back, losses) = iwer::read(&bytes).expect("readable");
        assert_near(&recording, &read_back);
        assert_eq!(kinds(&losses), [LossKind::Invented], "only the palms: radii are ours, {losses:?}");
        assert_eq!(read_back.duration_secs(), recording.duration_secs());
    }
}

#[test]
fn times_round_trip_to_the_bit() {
    let recording = demo();
    let (read_back, _) = iwer::read(&written(&recording, Timing::Keys).0).unwrap();
    let times = |recording: &Recording| -> Vec<_> {
        recording.camera.as_ref().unwrap().position[0].keys.iter().map(|key| key.time.to_bits()).collect()
    };
    assert_eq!(times(&read_back), times(&recording));
}

#[test]
fn palm_is_in_the_middle_of_the_metacarpal_bone() {
    let (read_back, _) = iwer::read(&written(&demo(), Timing::Keys).0).unwrap();
    let frame = read_back.sampler().frame_at(0.0);
    let joint = |joint| frame.hand(Hand::Right).unwrap().joint(joint).unwrap();
    let (palm, metacarpal, knuckle) = (joint(Joint::Palm), joint(Joint::MiddleMetacarpal), joint(Joint::MiddleKnuckle));
    assert_eq!(palm.rotation, metacarpal.rotation);
    assert!((palm.distance_m(&metacarpal) - palm.distance_m(&knuckle)).abs() < 1e-6);
    assert!((palm.distance_m(&metacarpal) * 2.0 - metacarpal.distance_m(&knuckle)).abs() < 1e-6);
}

#[test]
fn rate_is_applied_and_resampling_is_reported() {
    let recording = demo();
    let (bytes, losses) = written(&recording, Timing::Rate(10.0));
    let document: Value = serde_json::from_slice(&bytes).unwrap();
    let times: Vec<_> =
        document["frames"].as_array().unwrap().iter().take(3).map(|frame| frame[0].as_f64().unwrap()).collect();
    assert_eq!(times, [0.0, 100.0, 200.0]);
    assert!(kinds(&losses).contains(&LossKind::Resampled));
    assert!(!kinds(&written(&recording, Timing::Keys).1).contains(&LossKind::Resampled));
    let error = iwer::write(&recording, Timing::Rate(-1.0), Vec::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

#[test]
fn losses_are_reported() {
    let (_, losses) = written(&demo(), Timing::Keys);
    assert_eq!(
        kinds(&losses),
        [LossKind::Joints, LossKind::Joints, LossKind::Markers, LossKind::Rounded, LossKind::Invented],
        "palms, markers, rounding, radii"
    );
    let (_, losses) = written(&testdata("mrtk28_hands_only_simulated.bin"), Timing::Keys);
    assert!(
        messages_of(&losses, LossKind::Joints).iter().any(|message| message.starts_with("dropped the joint None (")),
        "{losses:?}"
    );
    assert!(messages_of(&losses, LossKind::Invented)[0].starts_with("invented a head"), "{losses:?}");

    let mut still = Recording::default();
    let constant = |value: f32| [LinearKey::new(0.0, value)].into_iter().collect();
    let camera = still.camera.insert(Default::default());
    (camera.position, camera.rotation) = ([0.5, 1.6, 0.0].map(constant), [0.0, 0.0, 0.0, 1.0].map(constant));
    assert!(written(&still, Timing::Keys).1.is_empty(), "these values need no rounding");
}

#[test]
fn missing_joints_are_constructed() {
    let mut recording = demo();
    for joint in [Joint::Palm, Joint::IndexMetacarpal, Joint::PinkyMetacarpal] {
        *recording.hand_mut(Hand::Left).joint_mut(joint) = Default::default();
    }
    *recording.hand_mut(Hand::Right).joint_mut(Joint::Wrist) = Default::default();
    let (bytes, losses) = written(&recording, Timing::Keys);
    let invented = &messages_of(&losses, LossKind::Invented)[0];
    assert!(invented.starts_with("invented IndexMetacarpal, PinkyMetacarpal of the left hand"), "{invented}");
    let message = "dropped the right hand: it has no wrist, which WebXR requires";
    assert_eq!(messages_of(&losses, LossKind::Joints), [message]);
    let (read_back, _) = iwer::read(&bytes).unwrap();
    let frame = read_back.sampler().frame_at(0.0);
    let left = frame.hand(Hand::Left).unwrap();
    let recorded = demo().sampler().frame_at(0.0).hand(Hand::Left).unwrap().joint(Joint::IndexMetacarpal).unwrap();
    let constructed = left.joint(Joint::IndexMetacarpal).unwrap();
    assert!(constructed.distance_m(&recorded) < 0.01, "{constructed:?} instead of {recorded:?}");
    assert!(constructed.angle_deg(&recorded) < 20.0, "{constructed:?} instead of {recorded:?}");
    assert!(read_back.hand(Hand::Right).tracked.keys.is_empty());
}

#[test]
fn frames_contain_only_tracked_hands() {
    let mut recording = demo();
    let keys = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)].map(|(time, value)| LinearKey::new(time, value));
    recording.hand_mut(Hand::Left).tracked.keys = keys.to_vec();
    recording.hand_mut(Hand::Left).pinching.keys = vec![LinearKey::new(0.0, 1.0)];
    let (bytes, losses) = written(&recording, Timing::Keys);
    assert!(messages_of(&losses, LossKind::Flags)[0].starts_with("dropped pinches in"));
    let document: Value = serde_json::from_slice(&bytes).unwrap();
    for frame in document["frames"].as_array().unwrap() {
        let is_present = frame.as_array().unwrap()[8..].iter().any(|input| input[0] == 0);
        assert_eq!(is_present, (1e3..2e3).contains(&frame[0].as_f64().unwrap()));
    }
    let (read_back, _) = iwer::read(&bytes).unwrap();
    assert_eq!(read_back.hand(Hand::Left).tracked.spans_secs().len(), 1);
    assert!(!read_back.hand(Hand::Left).tracked.value_at(0.0));
}

#[test]
fn unusual_recordings_are_written() {
    let empty = document(&Recording::default());
    assert_eq!(empty, json!({"schema": [], "frames": [[0, 0, 0, 0, 0, 0, 0, 1]]}), "the player needs a frame");
    let camera_only = testdata("mrtk28_camera_only.bin");
    assert_eq!(document(&camera_only)["schema"], json!([]));
    let gaze_only = testdata("mrtk28_gaze_only.bin");
    assert_eq!(document(&gaze_only)["schema"][0][1]["targetRayMode"], "gaze");
    let before_zero = document(&testdata("mrtk25_rolling_cutoff.bin"));
    let times: Vec<_> = before_zero["frames"].as_array().unwrap().iter().map(|frame| frame[0].as_f64()).collect();
    assert_eq!(times[0], Some(0.0), "nothing is played before time 0");
    assert!(times.is_sorted() && times.len() > 1);
    let one_key = DemoOptions::new().with_seconds(0.0).generate().unwrap();
    assert_eq!(document(&one_key)["frames"].as_array().unwrap().len(), 1);

    let mut late = demo();
    late.curves_mut().for_each(|curve| match curve {
        holotape::CurveMut::Float(curve) => curve.keys.iter_mut().for_each(|(time, _)| *time += 3.0),
        holotape::CurveMut::Bool(curve) => curve.keys.iter_mut().for_each(|key| key.time += 3.0),
    });
    let (read_back, _) = iwer::read(&written(&late, Timing::Keys).0).unwrap();
    assert_near(&late, &read_back);
}

fn frames_with(recording: &Recording, index: usize) -> usize {
    let has_input = |frame: &Value| frame.as_array().unwrap()[8..].iter().any(|input| input[0] == index);
    document(recording)["frames"].as_array().unwrap().iter().filter(|frame| has_input(frame)).count()
}

#[test]
fn non_finite_values_are_dropped() {
    let mut recording = demo();
    let tip = recording.hand_mut(Hand::Left).joint_mut(Joint::IndexTip);
    *tip.position[1].keys.iter_mut().nth(30).unwrap().1 = f32::NAN;
    let (bytes, losses) = written(&recording, Timing::Keys);
    let dropped = frames_with(&demo(), 0) - frames_with(&recording, 0);
    assert!(dropped > 0, "a hand with such a joint is dropped");
    let message = format!("dropped poses and rays with non-finite values: {dropped}");
    assert_eq!(messages_of(&losses, LossKind::Unusable), [message]);
    assert!(iwer::read(&bytes).is_ok());

    let gaze = recording.gaze.as_mut().unwrap();
    gaze.direction.iter_mut().flat_map(|curve| curve.keys.iter_mut()).for_each(|(_, value)| *value = 0.0);
    *recording.camera.as_mut().unwrap().position[0].keys.iter_mut().next().unwrap().1 = f32::INFINITY;
    let (bytes, losses) = written(&recording, Timing::Keys);
    assert_eq!(messages_of(&losses, LossKind::Unusable).len(), 1);
    let (read_back, losses) = iwer::read(&bytes).unwrap();
    assert!(read_back.gaze.is_none(), "gaze without a direction");
    assert_eq!(kinds(&losses), [LossKind::Invented]);
}
