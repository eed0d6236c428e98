//! Python's `mcap` and `mcap-protobuf-support` decode logs with the schemas they contain.

use std::fs::File;
use std::path::Path;

use holotape::demo::DemoOptions;
use holotape::{Hand, Joint, Recording};
use holotape_convert::mcap::{self, McapOptions};
use holotape_convert::{Space, Timing};
use holotape_interop_tests::{json_output, python};
use serde_json::{Value, json};

/// Writes the log of a recording and decodes it with Python.
fn decode(recording: &Recording) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reach.mcap");
    let _ = mcap::write(recording, &McapOptions::new(), File::create(&path).unwrap()).unwrap();
    json_output(python("mcap_decode.py").arg(path))
}

fn testdata(name: &str) -> Recording {
    Recording::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/valid").join(name)).unwrap()
}

fn assert_near(found: &Value, expected: [f32; 3], what: &str) {
    for (found, expected) in found.as_array().unwrap().iter().zip(expected) {
        let difference = found.as_f64().unwrap() - f64::from(expected);
        assert!(difference.abs() < 1e-6, "{what}: {found} is not {expected}");
    }
}

/// Asserts that the index finger tips match the sampler, both by poses and by transforms.
fn assert_tips(recording: &Recording, decoded: &Value, hands: &[Hand]) {
    assert_eq!(decoded["tips"].as_object().unwrap().len(), hands.len());
    for hand in hands {
        let tips = decoded["tips"][hand.name()].as_array().unwrap();
        assert_eq!(tips.len(), 10);
        for tip in tips {
            let time = tip[0].as_f64().unwrap() / 1e9;
            let frame = recording.sampler().frame_at(time);
            let expected = frame.hand(*hand).unwrap().joint(Joint::IndexTip).unwrap().position;
            let expected = Space::RightHanded.vector(expected);
            assert_near(&tip[1], expected, &format!("{hand} pose at {time}"));
            assert_near(&tip[2], expected, &format!("{hand} frame at {time}"));
        }
    }
}

/// The number of frames in which a hand is tracked, and pinching.
fn count_flags(recording: &Recording, hand: Hand) -> (usize, usize) {
    let mut sampler = recording.sampler();
    let frames = Timing::Keys.times(recording).unwrap().into_iter().map(|time| sampler.frame_at(time));
    frames
        .filter_map(|frame| frame.hand(hand).map(|hand| (hand.tracked, hand.pinching)))
        .fold((0, 0), |(tracked, pinching), flags| (tracked + usize::from(flags.0), pinching + usize::from(flags.1)))
}

#[test]
fn python_decodes_a_demo() {
    let recording = DemoOptions::new().with_seconds(20.0).generate().unwrap();
    let decoded = decode(&recording);
    let counts = &decoded["counts"];
    for topic in ["/tf", "/camera", "/gaze", "/left/state", "/right/state"] {
        assert_eq!(counts[topic], 1201, "{topic}");
    }
    assert_eq!(counts["/tf_static"], 1);
    for hand in Hand::ALL {
        let (tracked, pinching) = count_flags(&recording, hand);
        assert_eq!(counts[format!("/{hand}/joints")], tracked);
        assert_eq!(decoded["pinching"][hand.name()], pinching);
        assert!(pinching > 0);
    }
    assert_tips(&recording, &decoded, &Hand::ALL);
    let markers: Vec<_> = recording.markers.iter().map(|marker| marker.name.as_str()).collect();
    let decoded_markers: Vec<_> = decoded["markers"].as_array().unwrap().iter().map(|marker| &marker[1]).collect();
    assert_eq!(decoded_markers, markers);
    assert_eq!(decoded["metadata"]["holotape"]["duration_secs"], "20");
}

#[test]
fn python_decodes_recordings() {
    for name in ["mrtk28_all.bin", "mrtk25_simulated.bin", "mrtk28_hands_only_simulated.bin"] {
        let recording = testdata(name);
        assert_tips(&recording, &decode(&recording), &Hand::ALL);
    }
    let right = testdata("mrtk28_right_hand_markers.bin");
    assert_tips(&right, &decode(&right), &[Hand::Right]);
}

#[test]
fn python_decodes_sparse_recordings() {
    let empty = decode(&Recording::default());
    assert_eq!(empty["counts"], json!({}));
    let markers = decode(&testdata("mrtk28_no_channels.bin"));
    assert_eq!(markers["markers"], json!([[1.0, "only a marker"]]));
    let camera = decode(&testdata("mrtk28_camera_only.bin"));
    assert_eq!(camera["counts"]["/camera"], camera["counts"]["/tf"]);
}
