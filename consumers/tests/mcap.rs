//! Python's `mcap` and `mcap-protobuf-support` read our logs by the schemas in them.

use std::fs::File;
use std::path::Path;

use holotape::demo::DemoOptions;
use holotape::{Hand, Joint, Recording};
use holotape_consumers::{answer, python};
use holotape_convert::mcap::{self, McapOptions};
use holotape_convert::{Space, Timing};
use serde_json::{Value, json};

/// What Python says of a recording's log.
fn ask(recording: &Recording) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("take.mcap");
    let _ = mcap::write(recording, &McapOptions::new(), File::create(&path).unwrap()).unwrap();
    answer(python("mcap_decode.py").arg(path))
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

/// The tips of the index fingers are where the sampler has them, by the poses and by the frames.
fn assert_tips(recording: &Recording, said: &Value, hands: &[Hand]) {
    assert_eq!(said["tips"].as_object().unwrap().len(), hands.len());
    for hand in hands {
        let tips = said["tips"][hand.name()].as_array().unwrap();
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

/// How many frames of a recording a hand is tracked in, and pinching in.
fn count_flags(recording: &Recording, hand: Hand) -> (usize, usize) {
    let mut sampler = recording.sampler();
    let frames = Timing::Keys.times(recording).unwrap().into_iter().map(|time| sampler.frame_at(time));
    frames
        .filter_map(|frame| frame.hand(hand).map(|hand| (hand.tracked, hand.pinching)))
        .fold((0, 0), |(tracked, pinching), flags| (tracked + usize::from(flags.0), pinching + usize::from(flags.1)))
}

#[test]
fn python_reads_a_take() {
    let recording = DemoOptions::new().with_seconds(20.0).generate().unwrap();
    let said = ask(&recording);
    let counts = &said["counts"];
    for topic in ["/tf", "/camera", "/gaze", "/left/state", "/right/state"] {
        assert_eq!(counts[topic], 1201, "{topic}");
    }
    assert_eq!(counts["/tf_static"], 1);
    for hand in Hand::ALL {
        let (tracked, pinching) = count_flags(&recording, hand);
        assert_eq!(counts[format!("/{hand}/joints")], tracked);
        assert_eq!(said["pinching"][hand.name()], pinching);
        assert!(pinching > 0);
    }
    assert_tips(&recording, &said, &Hand::ALL);
    let markers: Vec<_> = recording.markers.iter().map(|marker| marker.name.as_str()).collect();
    let said_markers: Vec<_> = said["markers"].as_array().unwrap().iter().map(|marker| &marker[1]).collect();
    assert_eq!(said_markers, markers);
    assert_eq!(said["metadata"]["holotape"]["duration_secs"], "20");
}

#[test]
fn python_reads_real_recordings() {
    for name in ["mrtk28_all.bin", "mrtk25_simulated.bin", "mrtk28_hands_only_simulated.bin"] {
        let recording = testdata(name);
        assert_tips(&recording, &ask(&recording), &Hand::ALL);
    }
    let right = testdata("mrtk28_right_hand_markers.bin");
    assert_tips(&right, &ask(&right), &[Hand::Right]);
}

#[test]
fn python_reads_what_has_little_in_it() {
    let nothing = ask(&Recording::default());
    assert_eq!(nothing["counts"], json!({}));
    let markers = ask(&testdata("mrtk28_no_channels.bin"));
    assert_eq!(markers["markers"], json!([[1.0, "only a marker"]]));
    let camera = ask(&testdata("mrtk28_camera_only.bin"));
    assert_eq!(camera["counts"]["/camera"], camera["counts"]["/tf"]);
}
