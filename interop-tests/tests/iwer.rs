//! IWER replays action recordings to a page in a browser in a WebXR session.

use std::fs::File;

use holotape::demo::DemoOptions;
use holotape::{Frame, Hand, Joint, Pose, Recording, Skeleton};
use holotape_convert::{Space, Timing, iwer};
use holotape_interop_tests::{json_output, node};
use serde_json::Value;

/// The error of 5 decimals: 0.005 mm on each axis, and 32-bit rounding in the page.
const TOLERANCE_M: f64 = 1e-5;
const TOLERANCE_DEG: f64 = 2e-3;

fn replayed(recording: &Recording) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reach.iwer.json");
    let _ = iwer::write(recording, Timing::Keys, File::create(&path).unwrap()).unwrap();
    let seen = json_output(node("iwer_replay.mjs").arg(&path));
    assert_eq!(seen["errors"], serde_json::json!([]));
    assert_eq!(seen["played"], seen["duration"], "plays to the end");
    seen
}

fn pose(numbers: &Value) -> Pose {
    let numbers: Vec<f32> = numbers.as_array().unwrap().iter().map(|n| n.as_f64().unwrap() as f32).collect();
    Pose { position: numbers[..3].try_into().unwrap(), rotation: numbers[3..7].try_into().unwrap() }
}

fn assert_near(seen: &Value, expected: &Pose, what: &str) {
    let seen = pose(seen);
    let (distance_m, angle_deg) = (seen.distance_m(expected), seen.angle_deg(expected));
    assert!(distance_m < TOLERANCE_M && angle_deg < TOLERANCE_DEG, "{what}: {distance_m} m, {angle_deg}° off");
}

fn frames(recording: &Recording) -> Vec<Frame> {
    let mut sampler = recording.sampler();
    let right_handed = |time| {
        let mut frame = sampler.frame_at(time);
        Space::RightHanded.convert_frame(&mut frame);
        frame
    };
    Timing::Keys.times(recording).unwrap().into_iter().map(right_handed).collect()
}

fn is_tracked(frame: &Frame, hand: Hand) -> bool {
    frame.hand(hand).is_some_and(|hand| hand.tracked)
}

#[test]
fn head_hands_and_gaze_match_the_recording() {
    let recording = DemoOptions::new().with_seconds(6.0).generate().unwrap();
    let seen = replayed(&recording);
    assert_eq!(seen["sources"], serde_json::json!(["gaze", "left", "right"]));
    let expected = frames(&recording);
    let frames = seen["frames"].as_array().unwrap();
    assert_eq!(frames.len(), expected.len());
    for (n, (seen, frame)) in frames.iter().zip(&expected).enumerate() {
        assert!((seen["time"].as_f64().unwrap() / 1e3 - frame.time).abs() < 1e-9);
        assert_near(&seen["viewer"], &frame.camera.unwrap(), &format!("head in frame {n}"));
        let gaze = frame.gaze.unwrap();
        let ray = pose(&seen["inputs"]["gaze"]["ray"]);
        let forward = Space::RightHanded.vector(Space::RightHanded.pose(ray).forward());
        let looks = holotape::Ray { origin: ray.position, direction: forward };
        assert!(looks.distance_m(&gaze) < TOLERANCE_M && looks.angle_deg(&gaze) < TOLERANCE_DEG, "gaze in frame {n}");
        // The player shows the hands of the next frame, with the poses of this frame if it has them.
        let next = expected.get(n + 1).unwrap_or(frame);
        for hand in Hand::ALL {
            let input = &seen["inputs"][hand.name()];
            assert_eq!(input.is_object(), is_tracked(next, hand), "{hand} hand in frame {n}");
            if !input.is_object() {
                continue;
            }
            let values = if is_tracked(frame, hand) { frame.hand(hand) } else { next.hand(hand) }.unwrap();
            for joint in Joint::ALL {
                let Some(index) = Skeleton::WebXr.index(joint) else { continue };
                let what = format!("{hand} {joint} in frame {n}");
                assert_near(&input["joints"][index], &values.joint(joint).unwrap(), &what);
            }
        }
    }
}

#[test]
fn pinches_are_select_events() {
    let recording = DemoOptions::new().with_seconds(6.0).generate().unwrap();
    let expected = frames(&recording);
    let seen = replayed(&recording);
    let events = seen["events"].as_array().unwrap();
    for hand in Hand::ALL {
        let times = |kind: &str| -> Vec<f64> {
            let of_hand = events.iter().filter(|event| event["type"] == kind && event["hand"] == hand.name());
            of_hand.map(|event| event["time"].as_f64().unwrap() / 1e3).collect()
        };
        let changes = |to: bool| -> Vec<f64> {
            let is_pinching = |frame: &Frame| frame.hand(hand).is_some_and(|hand| hand.pinching);
            let pairs = expected.windows(2).filter(|pair| pair.iter().all(|frame| is_tracked(frame, hand)));
            let changed = pairs.filter(|pair| is_pinching(&pair[0]) != to && is_pinching(&pair[1]) == to);
            changed.map(|pair| pair[1].time).collect()
        };
        for (kind, to) in [("select", true), ("selectstart", true), ("selectend", false)] {
            let (times, changes) = (times(kind), changes(to));
            assert_eq!(times.len(), changes.len(), "{kind} of the {hand} hand");
            assert!(times.iter().zip(&changes).all(|(seen, expected)| (seen - expected).abs() < 1e-9));
        }
    }
    assert!(events.iter().any(|event| event["type"] == "select"), "there are pinches");
}

#[test]
fn empty_recording_plays() {
    let seen = replayed(&Recording::default());
    assert_eq!(seen["frames"].as_array().unwrap().len(), 1);
    assert_eq!(seen["frames"][0]["inputs"], serde_json::json!({}));
    assert_near(&seen["frames"][0]["viewer"], &Pose::IDENTITY, "head");
}
