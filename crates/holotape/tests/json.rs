//! The JSON document is lossless, and errors explain invalid text.
#![cfg(feature = "json")]

use holotape::{Frame, Recording};
use proptest::prelude::*;

use crate::common::arbitrary::any_recording;
use crate::common::valid_pairs;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arbitrary_values_round_trip_through_json(recording in any_recording()) {
        let mut json = Vec::new();
        recording.write_json_to(&mut json).expect("writes");
        let back = Recording::from_json_slice(&json).expect("reads");
        prop_assert_eq!(back.to_vec().expect("writes"), recording.to_vec().expect("writes"));
    }
}

#[test]
fn double_rounded_float_round_trips() {
    let odd = f32::from_bits(0x15ae_43fd);
    for time in [odd, -odd] {
        let mut recording = Recording::default();
        recording.markers.add(time, "");
        let mut json = Vec::new();
        recording.write_json_to(&mut json).expect("writes");
        assert_eq!(Recording::from_json_slice(&json).expect("reads"), recording);
    }
}

#[test]
fn every_file_round_trips_through_json() {
    for (name, bytes, _) in valid_pairs() {
        let mut json = Vec::new();
        Recording::from_slice(&bytes).expect(&name).write_json_to(&mut json).expect(&name);
        let (back, losses) = Recording::from_json_slice(&json).expect(&name).to_vec().expect(&name);
        assert!(losses.is_empty(), "{name}: {losses:?}");
        assert!(back == bytes, "{name}");
    }
}

#[test]
fn invalid_json_documents_report_the_reason() {
    let document = |version: &str, keys: &str, curves: &str| {
        format!(
            r#"{{"holotape":1,"version":{version},"key_layout":"{keys}","marker_list":true,
                "channels":{{"camera":true,"hands":false,"gaze":false}},"markers":[],"curves":{{{curves}}}}}"#
        )
    };
    let curve = |name: &str, keys: &str| format!(r#""{name}":{{"pre_wrap":8,"post_wrap":8,"keys":[{keys}]}}"#);
    let good = document("[1,1]", "compact", &curve("camera.position.x", r#"[0,1],[1,"-Infinity"],[2,"0x7fc00001"]"#));
    let recording = Recording::from_json_slice(good.as_bytes()).expect("reads");
    assert_eq!(recording.camera.expect("a camera").position[0].keys.len(), 3);
    for (json, message) in [
        (String::from("{"), "EOF"),
        (String::from("[]"), "not a holotape document"),
        (String::from(r#"{"a": 1}"#), "no field \"holotape\""),
        (String::from(r#"{"holotape": 1, }"#), "invalid JSON"),
        (String::from(r#"{"holotape":1}"#), "missing field"),
        (document("[1,0]", "compact", ""), "unsupported version 1.0 with \"compact\" keys"),
        (document("[3,1]", "full", ""), "unsupported version 3.1"),
        (document("[1,1]", "compact", &curve("camera.position.q", "")), "unknown curve \"camera.position.q\""),
        (document("[1,1]", "compact", &curve("left.tracked", "")), "a missing channel"),
        (
            document("[1,1]", "compact", &curve("camera.position.x", "[0,1,2]")),
            "invalid length 3, expected a key: [time, value]",
        ),
        (document("[1,1]", "full", &curve("camera.position.x", "[0,0,0,0,0,0,3,9]")), "invalid length 8"),
        (document("[1,1]", "full", &curve("camera.position.x", "[0,0,0,0,0,0,3.5]")), "expected i32"),
        (
            document("[1,1]", "compact", &curve("camera.position.x", r#"[0,"0x7fc0"]"#)),
            "invalid value: string \"0x7fc0\"",
        ),
        (document("[1,1]", "full", &curve("camera.position.x", "[0,1],[0,0,0,0,0,0,3]")), "mixes keys"),
        (
            document("[1,1]", "full", &[curve("camera.position.x", ""), curve("camera.position.x", "")].join(",")),
            "duplicate curve",
        ),
        (good.replace(r#""markers":[]"#, r#""markers":[{"time":1e39,"name":""}]"#), "too large"),
        (good.replace(r#""holotape":1"#, r#""holotape":2"#), "version 2"),
        (good.replace(r#""gaze":false"#, r#""gaze":false,"typo":true"#), "unknown field `typo`"),
        (good.replace(r#""markers":[]"#, r#""markers":[{"time":0,"name":"","colour":1}]"#), "unknown field `colour`"),
        (good.replace(r#""marker_list""#, r#""extra":1,"marker_list""#), "unknown field `extra`"),
    ] {
        let error = Recording::from_json_slice(json.as_bytes()).expect_err(message).to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn json_with_a_byte_order_mark_is_read() {
    let mut json = b"\xef\xbb\xbf".to_vec();
    Recording::default().write_json_to(&mut json).expect("writes");
    assert_eq!(Recording::from_json_slice(&json).expect("reads"), Recording::default());
}

#[test]
fn json_document_has_one_line_per_curve() {
    let (_, bytes, _) = valid_pairs().into_iter().find(|(name, ..)| name == "mrtk28_camera_only").expect("there");
    let mut json = Vec::new();
    Recording::from_slice(&bytes).expect("valid").write_json_to(&mut json).expect("writes");
    let text = String::from_utf8(json).expect("UTF-8");
    let curves: Vec<_> = text.lines().filter(|line| line.starts_with("\"camera.")).collect();
    assert_eq!(curves.len(), 7, "{text}");
}

#[test]
fn frames_round_trip_through_json() {
    for mut frame in crate::common::motion::device_frames() {
        frame.gaze = frame.gaze.map(|ray| holotape::Ray { origin: [f32::INFINITY, -0.0, 0.1], ..ray });
        let json = serde_json::to_string(&frame).expect("writes");
        assert_eq!(serde_json::from_str::<Frame>(&json).expect("reads"), frame);
    }
}

#[test]
fn invalid_frames_report_the_reason() {
    let pose = r#"{"position":[0,0,0],"rotation":[0,0,0,1]}"#;
    for (json, message) in [
        ("{}".to_owned(), "missing field `time`"),
        (r#"{"time":0,"head":{}}"#.to_owned(), "unknown field `head`"),
        (r#"{"time":0,"left":{"pinching":true}}"#.to_owned(), "missing field `tracked`"),
        (r#"{"time":0,"camera":{"position":[0,0],"rotation":[0,0,0,1]}}"#.to_owned(), "invalid length 2"),
        (format!(r#"{{"time":0,"left":{{"tracked":true,"joints":{{"Thumb":{pose}}}}}}}"#), "unknown joint \"Thumb\""),
        (
            format!(r#"{{"time":0,"left":{{"tracked":true,"joints":{{"Palm":{pose},"Palm":{pose}}}}}}}"#),
            "duplicate joint",
        ),
    ] {
        let error = serde_json::from_str::<Frame>(&json).expect_err(message).to_string();
        assert!(error.contains(message), "{error}");
    }
}
