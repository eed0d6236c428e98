//! Tracking files of an Apple Vision Pro.

use std::fs;

use holotape::{ErrorKind, Frame, Hand, Joint, Skeleton};
use holotape_convert::{FileFormat, LossKind, from_slice, open, vision_pro};

use crate::import::layouts::vision_pro::{file, line};
use crate::import::layouts::{demo, first_with_hands, frames};
use crate::import::{PALMS, assert_frames, kinds, messages, testdata};

const PINCHES: &str = "left the pinches empty: VisionProTeleop does not record them";

fn frame_with_hands() -> Frame {
    let frames = frames(&demo(), 180);
    frames[first_with_hands(&frames)].clone()
}

#[test]
fn demo_returns_from_a_tracking_file() {
    let frames = frames(&demo(), 150);
    assert!(Hand::ALL.iter().all(|hand| frames.iter().any(|frame| frame.hand(*hand).is_some_and(|hand| hand.tracked))));
    let imported = from_slice(file(&frames, 9).as_bytes()).expect("valid");
    assert_eq!(imported.file_format, FileFormat::VisionPro);
    assert_eq!(messages(&imported.losses), [PALMS, PINCHES]);
    let angle_deg = assert_frames(&imported.recording, &frames, Skeleton::ArKit);
    assert!(angle_deg < 0.01, "{angle_deg}°");
}

#[test]
fn palms_are_close_to_those_of_the_demo() {
    let frames = frames(&demo(), 90);
    let (recording, _) = vision_pro::read(file(&frames, 9).as_bytes()).expect("valid");
    for frame in &frames {
        for hand in Hand::ALL.into_iter().filter(|hand| frame.hand(*hand).is_some_and(|hand| hand.tracked)) {
            let expected = frame.hand(hand).expect("tracked").joints[Joint::Palm.index()].expect("a palm");
            let palm = recording.hand(hand).joint(Joint::Palm).pose_at(frame.time).expect("a palm");
            assert!(palm.distance_m(&expected) < 1e-5 && palm.angle_deg(&expected) < 0.1, "{palm:?} {expected:?}");
        }
    }
}

#[test]
fn keys_may_be_in_any_order() {
    let text = br#"{"rightHand":null,"videoHeight":0,"headMatrix":[1,0,0,0,0,1,0,0,0,0,1,0,0.1,1.6,-0.5,1],"new":[{}],
        "timestamp":3}"#;
    let text: Vec<_> = text.iter().copied().filter(|byte| *byte != b'\n').collect();
    let imported = from_slice(&text).expect("valid");
    let camera = imported.recording.camera.expect("a head");
    assert_eq!(camera.pose_at(0.0).expect("a pose").position, [0.1, 1.6, 0.5]);
    assert!(imported.losses.is_empty());
}

#[test]
fn forearms_and_video_indexes_are_losses() {
    let frame = &frame_with_hands();
    let identity = "[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]";
    let text = line(frame, 0.0, 9, &format!(",\"forearmArm\":{identity},\"forearmWrist\":null"));
    let (_, losses) =
        vision_pro::read(text.replace("\"videoWidth\":0", "\"videoWidth\":640").as_bytes()).expect("valid");
    let expected = [
        "dropped the forearms of 1 hand: not part of a recording",
        "dropped the video indexes of 1 frame: not part of a recording",
        PALMS,
        PINCHES,
    ];
    assert_eq!(messages(&losses), expected);
}

#[test]
fn invalid_matrices_are_dropped_and_counted() {
    let frame = &frame_with_hands();
    let text = line(frame, 0.0, 9, "");
    let start = text.find("\"indexTip\":[").expect("a joint") + "\"indexTip\":[".len();
    let scaled = format!("{}7{}", &text[..start], &text[start..]);
    let (recording, losses) = vision_pro::read(scaled.as_bytes()).expect("valid");
    assert_eq!(
        losses.iter().next().map(ToString::to_string).as_deref(),
        Some("dropped poses and rays with non-finite values: left 1")
    );
    assert!(recording.hand(Hand::Left).joint(Joint::IndexTip).pose_at(0.0).is_none());
    assert!(recording.hand(Hand::Left).joint(Joint::IndexDistalJoint).pose_at(0.0).is_some());

    // Without a wrist the hand is nowhere.
    let start = text.find("\"wrist\":[").expect("a wrist") + "\"wrist\":[".len();
    let scaled = format!("{}7{}", &text[..start], &text[start..]);
    let (recording, losses) = vision_pro::read(scaled.as_bytes()).expect("valid");
    assert_eq!(kinds(&losses)[0], LossKind::Unusable);
    assert!(!recording.hand(Hand::Left).tracked.value_at(0.0));
}

#[test]
fn truncated_last_line_is_dropped() {
    let frames = frames(&demo(), 3);
    let text = file(&frames, 9);
    let two = file(&frames[..2], 9);
    let (expected, _) = vision_pro::read(two.as_bytes()).expect("valid");
    for end in [two.len() + 1, two.len() + 40, text.len() - 2] {
        let (recording, losses) = vision_pro::read(&text.as_bytes()[..end]).expect("only truncated");
        assert!(messages(&losses).contains(&"dropped the last line (3): it is truncated".to_owned()), "{end}");
        assert_eq!(recording, expected);
    }
    let error = vision_pro::read(&text.as_bytes()[..40]).expect_err("no complete line");
    assert_eq!(error.kind(), ErrorKind::Truncated);
}

#[test]
fn invalid_lines_are_errors_with_line_and_column() {
    let first = line(&frames(&demo(), 1)[0], 0.0, 9, "");
    let wrong = [
        ("{\"timestamp\":1,\"headMatrix\":[1,2]}\n{}\n", 2, "invalid length 2, expected an array of length 16"),
        ("\n{\"timestamp\":\"now\"}\n", 3, "invalid type: string \"now\", expected f64"),
        ("{\"headMatrix\":null}\n", 2, "missing field `timestamp`"),
        ("1\n{}", 2, "invalid type: integer `1`, expected a frame: an object with timestamp"),
        ("{\"timestamp\":1,\"leftHand\":{\"indexTip\":[NaN]}}\n", 2, "expected value"),
        (
            "{\"timestamp\":1,\"leftHand\":[]}\n",
            2,
            "invalid type: sequence, expected a hand: an object with matrices of joints",
        ),
    ];
    for (text, line, message) in wrong {
        let error = vision_pro::read(format!("{first}{text}").as_bytes()).expect_err(text);
        assert_eq!(error.kind(), ErrorKind::Invalid);
        let location = error.to_string().strip_suffix(&format!(": {message}")).map(str::to_owned);
        let column = location.as_deref().and_then(|text| text.strip_prefix(&format!("line {line}, column ")));
        assert!(column.is_some_and(|column| column.parse::<usize>().is_ok()), "{error}");
    }
    let error = vision_pro::read(b" \n\n").expect_err("no lines");
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::NotARecording, "the file has no frames"));
}

#[test]
fn folder_and_file_give_the_same_recording() {
    let folder = open(testdata("vision_pro")).expect("valid");
    let file = open(testdata("vision_pro/tracking.jsonl")).expect("valid");
    assert_eq!((folder.file_format, &folder.recording), (FileFormat::VisionPro, &file.recording));
    assert_eq!(messages(&folder.losses), messages(&file.losses));
}

#[test]
fn frames_that_the_metadata_counts_are_missed() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::copy(testdata("vision_pro/tracking.jsonl"), folder.path().join("tracking.jsonl")).expect("copied");
    let losses = |metadata: &str| {
        fs::write(folder.path().join("metadata.json"), metadata).expect("written");
        messages(&open(folder.path()).expect("valid").losses)
    };
    assert!(
        losses("{\"frameCount\": 9}").contains(&"4 frames missing: metadata.json has more than the file".to_owned())
    );
    for complete in ["{\"frameCount\": 5}", "{}", "no JSON"] {
        assert_eq!(losses(complete), [PALMS, PINCHES], "{complete}");
    }
}
