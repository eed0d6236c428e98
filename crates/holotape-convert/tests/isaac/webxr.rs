//! Recordings of Isaac Teleop's WebXR client.

use holotape::{ErrorKind, Skeleton};
use holotape_convert::{FileFormat, from_slice};
use serde_json::{Value, json};

use super::*;

fn pose(x: f64) -> Value {
    json!({"px": x, "py": 1.0, "pz": -0.5, "ox": 0.0, "oy": 0.6, "oz": 0.0, "ow": 0.8})
}

fn joint(x: f64, radius: f64) -> Value {
    let mut joint = pose(x);
    joint["radius"] = json!(radius);
    joint
}

/// All joints of a hand by name, in a row along x.
fn by_name() -> Value {
    let entry = |(n, slot): (usize, Joint)| {
        (Skeleton::WebXr.joint_name(slot).unwrap().to_owned(), joint(n as f64 / 8.0, 0.005))
    };
    Value::Object(Skeleton::WebXr.joints().enumerate().map(entry).collect())
}

fn in_order() -> Value {
    (0..25).map(|n| joint(f64::from(n) / 8.0, 0.005)).collect()
}

fn button(is_pressed: bool, value: f64) -> Value {
    json!({"buttons": [{"value": value, "pressed": is_pressed, "touched": is_pressed}], "axes": []})
}

fn frame_at(time_ms: f64, left: Value) -> Value {
    json!({
        "timeMs": time_ms,
        "poses": {"leftGrip": null, "leftAim": null, "rightGrip": null, "rightAim": null},
        "gamepads": {"left": null, "right": null},
        "handJoints": {"left": left, "right": {}},
    })
}

fn document(frames: Value) -> Value {
    json!({"version": 1, "recordedAt": 1_763_000_000_000_u64, "frames": frames})
}

/// The text as the client writes it: the version comes first.
fn text(document: &Value) -> Vec<u8> {
    let frames = &document["frames"];
    format!(r#"{{"version":{},"recordedAt":1763000000000,"frames":{frames}}}"#, document["version"]).into_bytes()
}

fn read(document: &Value) -> holotape::Result<(Recording, Losses)> {
    isaac::read_webxr(&text(document))
}

const NO_HEAD: &str = "left the head empty: the recording has none";
const NO_PINCHES: &str = "left the pinches empty: the recording has no buttons of hands";
const PALMS: &str = "invented the palms: WebXR has none; placed in the middle of the metacarpal bones";
const RADII: &str = "dropped the joint radii: not part of a recording";

#[test]
fn joints_are_read_by_name_and_by_order() {
    let named = document(json!([frame_at(100.0, by_name()), frame_at(350.0, by_name()), frame_at(600.0, json!({}))]));
    let ordered =
        document(json!([frame_at(100.0, in_order()), frame_at(350.0, in_order()), frame_at(600.0, json!([]))]));
    let (recording, losses) = read(&named).unwrap();
    assert_eq!(read(&ordered).unwrap(), (recording.clone(), losses.clone()));
    assert_eq!(messages(&losses), [RADII, PALMS, NO_PINCHES, NO_HEAD]);
    assert_eq!(recording.duration_secs(), 0.5);
    let left = recording.hand(Hand::Left);
    assert_eq!(left.tracked.spans_secs(), [f64::NEG_INFINITY..0.5]);
    for (n, joint) in Skeleton::WebXr.joints().enumerate() {
        let pose = left.joint(joint).pose_at(0.25).unwrap();
        assert_eq!(pose.position, [n as f32 / 8.0, 1.0, 0.5], "{joint}");
        assert!((pose.rotation[1] + 0.6).abs() < 1e-6 && (pose.rotation[3] - 0.8).abs() < 1e-6, "{joint}");
    }
    let palm = left.joint(Joint::Palm).pose_at(0.0).unwrap();
    assert_eq!(palm.position, [10.5 / 8.0, 1.0, 0.5], "between the joints 10 and 11");
    assert!(!recording.hand(Hand::Right).tracked.value_at(0.1));
    let imported = from_slice(&text(&named)).unwrap();
    assert_eq!((imported.file_format, imported.recording), (FileFormat::IsaacWebxr, recording));
}

#[test]
fn head_and_the_other_name_of_the_time_are_read() {
    let frames = json!([
        {"t": 1000.0, "head": pose(0.25), "handJoints": {"left": by_name(), "right": null}},
        {"t": 1500.0, "head": pose(0.5), "handJoints": {"left": by_name(), "right": null}},
    ]);
    let (recording, losses) = read(&document(frames)).unwrap();
    assert_eq!(messages(&losses), [RADII, PALMS, NO_PINCHES]);
    assert_eq!(recording.camera.unwrap().pose_at(0.5).unwrap().position, [0.5, 1.0, 0.5]);
}

#[test]
fn frames_without_times_get_the_assumed_rate() {
    let frame = json!({"handJoints": {"left": by_name(), "right": []}});
    let (recording, losses) = read(&document(json!([frame, frame, frame]))).unwrap();
    assert_eq!(recording.duration_secs(), 2.0 / 72.0);
    let expected = "invented the times: the recording has none; 72 frames per second";
    assert_eq!(messages(&losses).last().unwrap(), expected);
    let mixed = document(json!([frame_at(0.0, by_name()), frame]));
    let error = read(&mixed).unwrap_err().to_string();
    assert!(error.starts_with("frame 1: missing timeMs"), "{error}");
}

#[test]
fn first_button_of_a_hand_is_a_pinch() {
    let frame = |time_ms: f64, joints: Value, gamepad: Value| {
        let mut frame = frame_at(time_ms, joints);
        frame["gamepads"]["left"] = gamepad;
        frame
    };
    let frames = json!([
        frame(0.0, by_name(), button(false, 0.0)),
        frame(250.0, by_name(), button(true, 1.0)),
        frame(500.0, by_name(), button(false, 0.5)),
        frame(750.0, json!({}), button(true, 1.0)),
    ]);
    let (recording, losses) = read(&document(frames)).unwrap();
    let left = recording.hand(Hand::Left);
    assert_eq!(left.pinching.spans_secs(), [0.25..0.5]);
    assert_eq!(left.tracked.spans_secs(), [f64::NEG_INFINITY..0.75]);
    let expected = [
        RADII,
        "dropped the buttons and axes of controllers, and all but the first button of hands: not part of a recording",
        "rounded pinch strengths: a recording has only a flag",
        PALMS,
        NO_HEAD,
    ];
    assert_eq!(messages(&losses), expected, "the last button is one of a controller");
}

#[test]
fn controllers_are_dropped_and_reported() {
    let mut frame = frame_at(0.0, json!({}));
    frame["poses"]["rightGrip"] = pose(0.0);
    frame["gamepads"]["right"] = json!({"buttons": [null], "axes": [0.5, null]});
    let (recording, losses) = read(&document(json!([frame]))).unwrap();
    let expected = [
        "dropped the grips and target rays of 1 frame: not part of a recording",
        "dropped the buttons and axes of controllers, and all but the first button of hands: not part of a recording",
        NO_HEAD,
    ];
    assert_eq!(messages(&losses), expected);
    assert!(!recording.hand(Hand::Right).tracked.value_at(0.0));
}

#[test]
fn missing_and_non_finite_joints_have_no_keys() {
    let mut missing = by_name();
    missing["wrist"] = Value::Null;
    missing["thumb-tip"]["px"] = Value::Null;
    let frames = json!([frame_at(0.0, by_name()), frame_at(1000.0, missing), frame_at(2000.0, by_name())]);
    let (recording, losses) = read(&document(frames)).unwrap();
    let times =
        |joint| recording.hand(Hand::Left).joint(joint).position[0].keys.iter().map(|key| key.time).collect::<Vec<_>>();
    assert_eq!(times(Joint::Wrist), [0.0, 2.0]);
    assert_eq!(times(Joint::ThumbTip), [0.0, 2.0]);
    assert_eq!(times(Joint::IndexTip), [0.0, 1.0, 2.0]);
    let expected =
        ["dropped poses and rays with non-finite values: left 1", "interpolated over rows with missing values: left 1"];
    assert_eq!(messages(&losses)[..2], expected);
}

#[test]
fn invalid_documents_are_errors_with_the_frame() {
    let good = frame_at(0.0, by_name());
    let mut unknown = by_name();
    unknown["sixth-finger-tip"] = pose(0.0);
    let many: Value = (0..26).map(|_| joint(0.0, 0.0)).collect();
    let cases = [
        (json!([good, frame_at(1.0, unknown)]), "frame 1: unknown WebXR joint \"sixth-finger-tip\""),
        (json!([good, good, frame_at(2.0, many)]), "frame 2: more than 25 joints"),
        (json!([good, 5]), "frame 1: invalid type"),
        (json!([{"timeMs": "now"}]), "frame 0: invalid type"),
        (json!({}), "invalid type: map, expected a list of frames"),
    ];
    for (frames, expected) in cases {
        let error = read(&document(frames)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().starts_with(expected), "{error}");
    }
    let missing = isaac::read_webxr(br#"{"version": 1}"#).unwrap_err();
    assert_eq!(missing.to_string(), "not an Isaac Teleop WebXR recording: missing frames");
    assert!(isaac::read_webxr(br#"{"version": 1, "frames": [], "frames": []}"#).is_err());
}

#[test]
fn other_versions_are_errors() {
    let mut document = document(json!([]));
    document["version"] = json!(2);
    let error = read(&document).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnsupportedVersion);
    assert!(error.to_string().starts_with("unsupported version 2 of an Isaac Teleop WebXR recording"), "{error}");
}

#[test]
fn truncated_documents_are_errors() {
    let bytes = text(&document(json!([frame_at(0.0, in_order()), frame_at(10.5, by_name())])));
    assert!(isaac::read_webxr(&bytes).is_ok());
    for end in 0..bytes.len() {
        let error = isaac::read_webxr(&bytes[..end]).unwrap_err();
        assert!([ErrorKind::Truncated, ErrorKind::Invalid].contains(&error.kind()), "{end}: {error}");
    }
    assert_eq!(isaac::read_webxr(&bytes[..bytes.len() / 2]).unwrap_err().kind(), ErrorKind::Truncated);
}
