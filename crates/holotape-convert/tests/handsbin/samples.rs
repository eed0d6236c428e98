//! Files of Unity's own recording code agree with their JSON in every field that a recording keeps.

use std::fs;

use holotape::{Hand, Joint, Recording};
use holotape_convert::{FileFormat, handsbin, open};
use serde_json::Value;

use crate::handsbin::decode::{File, decode, true_times};
use crate::handsbin::{is_same_pose, messages, pose_key, sample, testdata};

const SAMPLES: [&str; 6] = ["v1_gaps", "v2_gestures_aim", "v2_before_render", "v2_plain_gaps", "v1_empty", "v2_empty"];

fn expected(name: &str) -> Value {
    let json = fs::read(testdata("handsbin").join(format!("{name}.json"))).expect("each file has its JSON");
    serde_json::from_slice(&json).expect("JSON")
}

fn float(value: &Value) -> f32 {
    value.as_f64().expect("a number") as f32
}

fn pose(value: &Value) -> [f32; 7] {
    let values: Vec<_> = value.as_array().expect("a pose").iter().map(float).collect();
    values.try_into().expect("seven numbers")
}

/// Checks one hand of a frame. `value` is null if the frame says nothing of it.
fn assert_hand(recording: &Recording, hand: Hand, time: f32, value: &Value) {
    let curves = recording.hand(hand);
    let joints = value["joints"].as_array().filter(|_| value["tracked"] == true);
    let at = f64::from(time);
    assert_eq!(curves.tracked.value_at(at), joints.is_some(), "{hand} hand at {time}");
    assert_eq!(curves.pinching.value_at(at), value["pinching"] == true, "{hand} pinch at {time}");
    for (index, joint) in Joint::ALL.into_iter().enumerate() {
        let key = pose_key(curves.joint(joint), time);
        let expected = joints.and_then(|joints| joints.get(index.wrapping_sub(1))).map(pose);
        assert_eq!(key.is_some(), expected.is_some(), "{hand} {joint} at {time}");
        let is_same = key.zip(expected).is_none_or(|(key, expected)| is_same_pose(key, expected));
        assert!(is_same, "{hand} {joint} at {time}: {key:?}, not {expected:?}");
    }
}

fn assert_frame(recording: &Recording, time: f32, frame: &Value) {
    let head = (frame["head_state"] == 3).then(|| pose(&frame["head"]));
    let key = recording.camera.as_ref().and_then(|camera| pose_key(camera, time));
    assert_eq!(key.is_some(), head.is_some(), "head at {time}");
    assert!(key.zip(head).is_none_or(|(key, head)| is_same_pose(key, head)), "{key:?} at {time}, not {head:?}");
    for hand in Hand::ALL {
        assert_hand(recording, hand, time, &frame[hand.name()]);
    }
}

/// Checks that the second decoder, whose times the other tests rely on, agrees as well.
fn assert_decoded(file: &File, json: &Value) {
    assert_eq!(file.frames.len() as u64, json["frame_count"]);
    assert_eq!((file.name.as_str(), file.duration), (json["name"].as_str().unwrap(), float(&json["duration"])));
    for frame in json["frames"].as_array().unwrap() {
        let decoded = &file.frames[frame["index"].as_u64().unwrap() as usize];
        assert_eq!(decoded.time, float(&frame["time"]));
        for hand in Hand::ALL {
            let joints = frame[hand.name()]["joints"].as_array().map(|joints| joints.iter().map(pose).collect());
            assert_eq!(decoded.hands[hand as usize].joints().map(<[_]>::to_vec), joints);
        }
    }
}

#[test]
fn samples_agree_with_their_json() {
    for name in SAMPLES {
        let (bytes, json) = (sample(&format!("{name}.handsbin")), expected(name));
        let file = decode(&bytes);
        assert_decoded(&file, &json);
        let (recording, _) = handsbin::read(&bytes).unwrap();
        let times = true_times(&file);
        assert_eq!(recording.duration_secs(), float(&json["duration"]), "{name}");
        let frames = json["frames"].as_array().unwrap();
        assert_eq!(frames.is_empty(), file.frames.is_empty());
        for frame in frames {
            assert_frame(&recording, times[frame["index"].as_u64().unwrap() as usize], frame);
        }
    }
}

#[test]
fn every_frame_of_the_samples_is_kept() {
    for name in SAMPLES {
        let bytes = sample(&format!("{name}.handsbin"));
        let (file, (recording, _)) = (decode(&bytes), handsbin::read(&bytes).unwrap());
        for (frame, time) in file.frames.iter().zip(true_times(&file)) {
            for hand in Hand::ALL {
                let hand_frame = &frame.hands[hand as usize];
                let expected = hand_frame.joints().filter(|_| hand_frame.tracked).map(|joints| joints[10]);
                let key = pose_key(recording.hand(hand).joint(Joint::IndexTip), time);
                assert!(expected.zip(key).is_none_or(|(expected, key)| is_same_pose(expected, key)));
                assert_eq!(expected.is_some(), key.is_some(), "{name}: {hand} at {time}");
            }
        }
    }
}

#[test]
fn late_times_of_version_2_are_corrected() {
    for name in ["v2_gestures_aim", "v2_before_render", "v2_plain_gaps"] {
        let bytes = sample(&format!("{name}.handsbin"));
        let file = decode(&bytes);
        assert_eq!([file.frames[0].time, file.frames[1].time], [0.0; 2], "{name}: as Unity writes them");
        let (recording, losses) = handsbin::read(&bytes).unwrap();
        assert_eq!(recording.duration_secs(), file.duration);
        assert!(!messages(&losses).iter().any(|message| message.contains("not after")), "{losses:?}");
        // The second frame is at the time that Unity stores for the third one.
        let curves = recording.hand(Hand::Left).joint(Joint::Wrist);
        let wrist = file.frames[1].hands[0].joints().map(|joints| joints[0]).expect("tracked");
        assert!(is_same_pose(pose_key(curves, file.frames[2].time).expect("a key"), wrist), "{name}");
    }
}

#[test]
fn losses_of_the_samples_are_reported() {
    let losses = |name: &str| messages(&handsbin::read(&sample(&format!("{name}.handsbin"))).unwrap().1);
    let expected = [
        "dropped the tracked flag of the left hand in 10 frames: joints are missing",
        "assumed that the left hand does not pinch in 171 frames: the file does not say",
        "dropped the tracked flag of the right hand in 6 frames: joints are missing",
        "assumed that the right hand does not pinch in 182 frames: the file does not say",
        "dropped the name \"Two hands, gaps\": not part of a recording",
    ];
    assert_eq!(losses("v1_gaps"), expected);
    let expected = [
        "interpolated over rows with missing values: camera 28",
        "dropped poses of the left hand in 15 frames: not tracked",
        "dropped the tracked flag of the left hand in 4 frames: joints are missing",
        "dropped the tracked flag of the right hand in 4 frames: joints are missing",
        "dropped the head in 14 frames: only its position or its rotation is valid",
        "rounded pinch strengths: a recording has only a flag",
        "dropped the gestures other than pinches, the aim poses and buttons: not part of a recording",
        "dropped the name \"Reach and pinch\": not part of a recording",
    ];
    assert_eq!(losses("v2_gestures_aim"), expected);
    let expected = [
        "interpolated over rows with missing values: camera 7",
        "dropped the tracked flag of the left hand in 4 frames: joints are missing",
        "assumed that the left hand does not pinch in 94 frames: the file does not say",
        "dropped poses of the right hand in 7 frames: not tracked",
        "assumed that the right hand does not pinch in 92 frames: the file does not say",
        "dropped the head in 7 frames: only its position or its rotation is valid",
        "dropped the poses before rendering: not part of a recording",
        "dropped the name \"Before render\": not part of a recording",
    ];
    assert_eq!(losses("v2_before_render"), expected);
    for name in ["v1_empty", "v2_empty"] {
        assert_eq!(losses(name), ["dropped the name \"empty\": not part of a recording"]);
    }
}

#[test]
fn samples_are_detected_and_open_by_path() {
    for name in SAMPLES {
        let path = testdata("handsbin").join(format!("{name}.handsbin"));
        let opened = open(&path).unwrap();
        assert_eq!(opened.file_format, FileFormat::Handsbin);
        assert_eq!(opened.recording, handsbin::read(&fs::read(&path).unwrap()).unwrap().0);
    }
}
