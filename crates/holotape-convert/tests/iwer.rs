//! IWER action recordings: round trips, and recordings by other programs.

use std::path::Path;

use holotape::demo::DemoOptions;
use holotape::{ErrorKind, Hand, Joint, LinearKey, Pose, Recording};
use holotape_convert::iwer::{self, IwerOptions};
use holotape_convert::{LossKind, Losses, Timing};
use serde_json::{Value, json};

fn written(recording: &Recording, options: &IwerOptions) -> (Vec<u8>, Losses) {
    let mut bytes = Vec::new();
    let losses = iwer::write(recording, options, &mut bytes).expect("written");
    (bytes, losses)
}

fn document(recording: &Recording) -> Value {
    serde_json::from_slice(&written(recording, &IwerOptions::new()).0).expect("JSON")
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
            for joint in Joint::ALL.into_iter().filter(|joint| joint.webxr_index().is_some()) {
                near(before.joint(joint), after.joint(joint), &format!("{hand} {joint}"));
            }
        }
    }
}

#[test]
fn recordings_round_trip_except_for_reported_losses() {
    let names = ["mrtk28_all.bin", "mrtk25_simulated.bin", "mrtk28_right_hand_markers.bin", "mrtk28_three_frames.bin"];
    for recording in names.map(testdata).into_iter().chain([demo()]) {
        let (bytes, _) = written(&recording, &IwerOptions::new());
        let (read_back, losses) = iwer::read(&bytes).expect("readable");
        assert_near(&recording, &read_back);
        assert_eq!(kinds(&losses), [LossKind::Invented], "only the palms: radii are ours, {losses:?}");
        assert_eq!(read_back.duration_secs(), recording.duration_secs());
    }
}

#[test]
fn times_round_trip_to_the_bit() {
    let recording = demo();
    let (read_back, _) = iwer::read(&written(&recording, &IwerOptions::new()).0).unwrap();
    let times = |recording: &Recording| -> Vec<_> {
        recording.camera.as_ref().unwrap().position[0].keys.iter().map(|key| key.time.to_bits()).collect()
    };
    assert_eq!(times(&read_back), times(&recording));
}

#[test]
fn palm_is_in_the_middle_of_the_metacarpal_bone() {
    let (read_back, _) = iwer::read(&written(&demo(), &IwerOptions::new()).0).unwrap();
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
    let (bytes, losses) = written(&recording, &IwerOptions::new().with_timing(Timing::Rate(10.0)));
    let document: Value = serde_json::from_slice(&bytes).unwrap();
    let times: Vec<_> =
        document["frames"].as_array().unwrap().iter().take(3).map(|frame| frame[0].as_f64().unwrap()).collect();
    assert_eq!(times, [0.0, 100.0, 200.0]);
    assert!(kinds(&losses).contains(&LossKind::Resampled));
    assert!(!kinds(&written(&recording, &IwerOptions::new()).1).contains(&LossKind::Resampled));
    let error = iwer::write(&recording, &IwerOptions::new().with_timing(Timing::Rate(-1.0)), Vec::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

#[test]
fn losses_are_reported() {
    let (_, losses) = written(&demo(), &IwerOptions::new());
    assert_eq!(
        kinds(&losses),
        [LossKind::Joints, LossKind::Joints, LossKind::Markers, LossKind::Rounded, LossKind::Invented],
        "palms, markers, rounding, radii"
    );
    let (_, losses) = written(&testdata("mrtk28_hands_only_simulated.bin"), &IwerOptions::new());
    assert!(
        messages_of(&losses, LossKind::Joints).iter().any(|message| message.starts_with("dropped the joint None (")),
        "{losses:?}"
    );
    assert!(messages_of(&losses, LossKind::Invented)[0].starts_with("invented a head"), "{losses:?}");

    let mut still = Recording::default();
    let constant = |value: f32| [LinearKey::new(0.0, value)].into_iter().collect();
    let camera = still.camera.insert(Default::default());
    (camera.position, camera.rotation) = ([0.5, 1.6, 0.0].map(constant), [0.0, 0.0, 0.0, 1.0].map(constant));
    assert!(written(&still, &IwerOptions::new()).1.is_empty(), "these values need no rounding");
}

#[test]
fn missing_joints_get_the_pose_of_the_previous_joint() {
    let mut recording = demo();
    for joint in [Joint::Palm, Joint::IndexMetacarpal, Joint::PinkyMetacarpal] {
        *recording.hand_mut(Hand::Left).joint_mut(joint) = Default::default();
    }
    *recording.hand_mut(Hand::Right).joint_mut(Joint::Wrist) = Default::default();
    let (bytes, losses) = written(&recording, &IwerOptions::new());
    let invented = &messages_of(&losses, LossKind::Invented)[0];
    assert!(invented.starts_with("invented IndexMetacarpal, PinkyMetacarpal of the left hand"), "{invented}");
    let message = "dropped the right hand: it has no wrist, which WebXR requires";
    assert_eq!(messages_of(&losses, LossKind::Joints), [message]);
    let (read_back, _) = iwer::read(&bytes).unwrap();
    let frame = read_back.sampler().frame_at(0.0);
    let left = frame.hand(Hand::Left).unwrap();
    assert_eq!(left.joint(Joint::IndexMetacarpal), left.joint(Joint::Wrist));
    assert!(read_back.hand(Hand::Right).tracked.keys.is_empty());
}

#[test]
fn frames_contain_only_tracked_hands() {
    let mut recording = demo();
    let keys = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)].map(|(time, value)| LinearKey::new(time, value));
    recording.hand_mut(Hand::Left).tracked.keys = keys.to_vec();
    recording.hand_mut(Hand::Left).pinching.keys = vec![LinearKey::new(0.0, 1.0)];
    let (bytes, losses) = written(&recording, &IwerOptions::new());
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
    let (read_back, _) = iwer::read(&written(&late, &IwerOptions::new()).0).unwrap();
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
    let (bytes, losses) = written(&recording, &IwerOptions::new());
    let dropped = frames_with(&demo(), 0) - frames_with(&recording, 0);
    assert!(dropped > 0, "a hand with such a joint is dropped");
    let message = format!("dropped poses and rays with non-finite values: {dropped}");
    assert_eq!(messages_of(&losses, LossKind::Unusable), [message]);
    assert!(iwer::read(&bytes).is_ok());

    let gaze = recording.gaze.as_mut().unwrap();
    gaze.direction.iter_mut().flat_map(|curve| curve.keys.iter_mut()).for_each(|(_, value)| *value = 0.0);
    *recording.camera.as_mut().unwrap().position[0].keys.iter_mut().next().unwrap().1 = f32::INFINITY;
    let (bytes, losses) = written(&recording, &IwerOptions::new());
    assert_eq!(messages_of(&losses, LossKind::Unusable).len(), 1);
    let (read_back, losses) = iwer::read(&bytes).unwrap();
    assert!(read_back.gaze.is_none(), "gaze without a direction");
    assert_eq!(kinds(&losses), [LossKind::Invented]);
}

/// A recording as IWER writes it: two hands with rays, grips and partial pinches, a controller, gaze.
fn foreign() -> Value {
    let names: Vec<_> = Joint::ALL.iter().rev().filter_map(|joint| joint.webxr_name()).collect();
    let hand = |side: &str| {
        json!({"handedness": side, "targetRayMode": "tracked-pointer", "profiles": ["oculus-hand"], "hasGrip": true,
               "hasHand": true, "jointSequence": names, "hasGamepad": true, "mapping": "", "numButtons": 1, "numAxes": 0})
    };
    let controller = json!({"handedness": "right", "targetRayMode": "tracked-pointer", "profiles": [], "hasGrip": true,
        "hasHand": false, "hasGamepad": true, "mapping": "xr-standard", "numButtons": 2, "numAxes": 1});
    let eyes = json!({"handedness": "none", "targetRayMode": "gaze", "profiles": [], "hasGrip": false, "hasHand": false,
        "hasGamepad": false});
    // Joint n in file order is n centimetres in front of the ray.
    let joints: Vec<_> = (0..25).flat_map(|n| [0.0, 0.0, -0.01 * f64::from(n), 0.0, 0.0, 0.0, 1.0, 0.01]).collect();
    let grip = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    // A rotation by 90° around y, rounded to 0.001: its forward direction is left.
    let left = json!([3, 1, 2, 3, 0, 0.707, 0, 0.707, grip, joints, [[1, 1, 0.5]]]);
    let other = json!([1, 0, 0, 0, 0, 0, 0, 1, grip, [null, [0, 0, 0], 0.25]]);
    let gaze = json!([2, 0, 1.6, 0, 0, 0.707, 0, 0.707]);
    json!({
        "schema": [[3, hand("left")], [1, controller], [2, eyes]],
        "frames": [
            [1000.5, 0, 1.6, 0, 0, 0, 0, 1, other, gaze],
            [1016.5, 0, 1.6, null, 0, 0, 0, 1, left, gaze],
            [1033.5, 0, 1.6, 0, 0, 0, 0, 1],
        ],
    })
}

fn read(document: &Value) -> holotape::Result<(Recording, Losses)> {
    iwer::read(&serde_json::to_vec(document).unwrap())
}

#[test]
fn recordings_of_iwer_are_read() {
    let (recording, losses) = read(&foreign()).unwrap();
    assert_eq!(recording.duration_secs(), 0.033);
    let mut sampler = recording.sampler();
    let times = [0.0, 0.016, 0.033].map(f32::into);
    let tracked = times.map(|time| sampler.frame_at(time).hand(Hand::Left).unwrap().tracked);
    assert_eq!(tracked, [false, true, false]);
    let frame = sampler.frame_at(times[1]);
    let left = frame.hand(Hand::Left).unwrap();
    assert!(left.pinching);
    // The last joint of the sequence is the wrist, 24 cm in front of a ray at (1, 2, 3) that looks left. Unity's z is
    // negated.
    let wrist = left.joint(Joint::Wrist).unwrap();
    let expected = Pose { position: [0.76, 2.0, -3.0], rotation: [0.0, -0.5_f32.sqrt(), 0.0, 0.5_f32.sqrt()] };
    assert!(wrist.distance_m(&expected) < 1e-6 && wrist.angle_deg(&expected) < 1e-3, "{wrist:?}");
    let little_tip = left.joint(Joint::PinkyTip).unwrap();
    assert!(little_tip.distance_m(&Pose { position: [1.0, 2.0, -3.0], ..expected }) < 1e-6, "{little_tip:?}");
    assert!((frame.gaze.unwrap().direction[0] + 1.0).abs() < 1e-6, "the gaze is to the left: {:?}", frame.gaze);
    assert_eq!(recording.camera.as_ref().unwrap().position[0].keys.len(), 2, "no key where a number is null");
    assert!(recording.hand(Hand::Right).joints.iter().all(|joint| joint.position[0].keys.is_empty()));

    assert_eq!(messages_of(&losses, LossKind::Unusable).len(), 1, "the head with null: {losses:?}");
    let message = messages_of(&losses, LossKind::Unsupported);
    for part in ["input 1 (right tracked-pointer) in 1 frames", "radii", "rays and grips", "pinch strengths"] {
        assert!(message.iter().any(|message| message.contains(part)), "{part} in {message:?}");
    }
    assert_eq!(message.len(), 4, "{message:?}");
}

#[test]
fn missing_gaze_is_reported() {
    let mut foreign = foreign();
    let gaze = foreign["frames"][0][9].clone();
    foreign["frames"][1].as_array_mut().unwrap().pop();
    foreign["frames"][2].as_array_mut().unwrap().push(gaze);
    let (recording, losses) = read(&foreign).unwrap();
    assert_eq!(recording.gaze.unwrap().origin[0].keys.len(), 2);
    let absent = "interpolated over rows with missing values: gaze 1";
    assert!(messages_of(&losses, LossKind::Invented).iter().any(|message| message == absent), "{losses:?}");
}

#[test]
fn poses_without_rotation_are_dropped() {
    let frames = json!([[0, 0, 1.6, 0, 0, 0, 0, 1], [10, 0, 1.6, 0, 0, 0, 0, 0], [20, 0, 1.6, 0, 0, 0, 0, 1.0001]]);
    let (recording, losses) = read(&json!({"schema": [], "frames": frames})).unwrap();
    let times: Vec<_> = recording.camera.unwrap().rotation[3].keys.iter().map(|key| key.time).collect();
    assert_eq!(times, [0.0, 0.02]);
    assert_eq!(messages_of(&losses, LossKind::Unusable), ["dropped poses and rays with non-finite values: camera 1"]);

    let mut foreign = foreign();
    let ray = foreign["frames"][1][8].as_array_mut().unwrap();
    ray[4..8].fill(json!(0));
    let (recording, losses) = read(&foreign).unwrap();
    assert!(
        recording.hand(Hand::Left).joints.iter().all(|joint| joint.position[0].keys.is_empty()),
        "joints are relative to it"
    );
    assert!(messages_of(&losses, LossKind::Unusable)[0].contains("left 26"), "{losses:?}");
}

#[test]
fn frames_may_precede_the_schema() {
    let document = foreign();
    let text = format!(r#"{{"frames":{},"more":[{{}}],"schema":{}}}"#, document["frames"], document["schema"]);
    assert_eq!(iwer::read(text.as_bytes()).unwrap(), read(&document).unwrap());
}

/// A change that makes a document invalid.
type Change = dyn Fn(&mut Value);

#[test]
fn errors_name_frame_and_input() {
    let change = |change: &Change| {
        let mut document = foreign();
        change(&mut document);
        let error = read(&document).expect_err("wrong");
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
        error.to_string()
    };
    let cases: [(&Change, &str); 16] = [
        (&|it| it["frames"][1][8][0] = json!(7), "frame 1, input 7: not in the schema"),
        (&|it| it["frames"][1][8][8] = json!([0, 0]), "frame 1, input 3: expected 7 numbers for the grip, found 2"),
        (
            &|it| it["frames"][1][8][9] = json!(vec![0.5; 199]),
            "frame 1, input 3: expected 200 numbers for the joints, found 199",
        ),
        (&|it| it["frames"][1][8][9] = json!(vec![0.5; 201]), "frame 1, input 3: too many items in the joints"),
        (&|it| it["frames"][0][8][9] = json!([[0, 0, 0]]), "frame 0, input 1: expected 2 buttons and 1 axes"),
        (&|it| it["frames"][0][8][9] = json!([[0, 0], null, 0]), "frame 0, input 1: invalid length 2"),
        (
            &|it| it["frames"][0][8] = json!([1, 0, 0, 0, 0, 0, 0, 1]),
            "frame 0, input 1: fewer fields than in the schema",
        ),
        (
            &|it| it["frames"][0][9] = json!([2, 0, 0, 0, 0, 0, 0, 1, []]),
            "frame 0, input 2: too many items in the input",
        ),
        (&|it| it["frames"][2] = json!([1, 2, 3]), "frame 2: expected 7 numbers for the pose of the head, found 2"),
        (&|it| it["frames"][2] = json!([null]), "frame 2: invalid type: null"),
        (&|it| it["frames"][2] = json!({}), "frame 2: invalid type: map"),
        (&|it| it["frames"][1][8][1] = json!("x"), "frame 1, input 3: invalid type: string"),
        (&|it| it["schema"][0][1]["jointSequence"][4] = json!("palm"), "schema: input 3: unknown WebXR joint \"palm\""),
        (&|it| it["schema"][0][1]["jointSequence"][4] = json!("wrist"), "duplicate joint \"wrist\" in jointSequence"),
        (&|it| it["schema"][0][1]["jointSequence"] = json!(null), "schema: invalid type: null"),
        (&|it| it["schema"] = json!(null), "schema: invalid type: null"),
    ];
    for (case, message) in cases {
        let error = change(case);
        assert!(
            error.contains(message) && error.contains(" at line 1 column "),
            "{error:?} does not contain {message:?}"
        );
    }
    assert!(change(&|it| _ = it.as_object_mut().unwrap().remove("frames")).contains("missing frames"));
    assert!(change(&|it| _ = it.as_object_mut().unwrap().remove("schema")).contains("missing schema"));
}

#[test]
fn truncated_documents_are_errors_with_a_location() {
    let bytes = serde_json::to_vec(&foreign()).unwrap();
    for end in 0..bytes.len() {
        let error = iwer::read(&bytes[..end]).expect_err("truncated");
        assert_eq!(error.kind(), ErrorKind::Truncated, "{end}: {error}");
    }
    let (bytes, _) = written(&demo(), &IwerOptions::new());
    let error = iwer::read(&bytes[..bytes.len() / 2]).unwrap_err().to_string();
    assert!(error.starts_with("frame 3"), "{error}");
}

#[test]
fn malicious_documents_do_not_panic() {
    let deep = "[".repeat(100_000);
    let texts = [
        format!(r#"{{"schema":[],"frames":{deep}"#),
        format!(r#"{{"schema":[],"more":{deep}"#),
        r#"{"schema":[[0,{"handedness":"left","targetRayMode":"","hasGrip":false,"hasHand":false,"hasGamepad":true,"numButtons":18446744073709551615,"numAxes":0}]],"frames":[[0,0,0,0,0,0,0,1,[0,0,0,0,0,0,0,1,[]]]]}"#.to_owned(),
        r#"{"schema":[],"frames":[[1e999,0,0,0,0,0,0,1]]}"#.to_owned(),
        "[]".to_owned(),
        r#"{"schema":[],"frames":[]} x"#.to_owned(),
    ];
    for text in texts {
        assert!(iwer::read(text.as_bytes()).is_err(), "{}", &text[..text.len().min(80)]);
    }
    let (recording, losses) = read(&json!({"schema": [], "frames": []})).unwrap();
    assert_eq!((recording, losses.is_empty()), (Recording::default(), true));
    let far = json!({"schema": [], "frames": [[0, 0, 0, 0, 0, 0, 0, 1], [1e300, 0, 0, 0, 0, 0, 0, 1], [5, 1e300, 0, 0, 0, 0, 0, 0]]});
    let (recording, losses) = read(&far).unwrap();
    assert_eq!(recording.duration_secs(), 0.0);
    let message = [
        "dropped rows that are not after the one before: camera 1",
        "dropped poses and rays with non-finite values: camera 1",
    ];
    assert_eq!(messages_of(&losses, LossKind::Unusable), message);
}
