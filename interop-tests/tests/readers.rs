//! The readers of EgoDex, Vision Pro and Aria MPS agree with the Python packages that people read these files with.

use std::path::PathBuf;

use holotape::{Frame, Hand, Joint, Pose, Recording, Skeleton};
use holotape_convert::{FileFormat, open};
use holotape_interop_tests::{json_output, python};
use serde_json::Value;

fn testdata(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../testdata/import").join(name)
}

/// A vector with z up, in Unity's coordinates.
fn unity(value: &Value) -> [f64; 3] {
    let [x, y, z] = [0, 1, 2].map(|index| value[index].as_f64().unwrap());
    [x, z, y]
}

#[track_caller]
fn assert_near(found: [f64; 3], expected: [f64; 3], tolerance: f64, what: &str) {
    let distance = found.iter().zip(expected).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    assert!(distance < tolerance, "{what}: {found:?} is not {expected:?}");
}

fn position(pose: &Pose) -> [f64; 3] {
    pose.position.map(f64::from)
}

/// An axis of a pose: column `n` of its rotation matrix.
fn axis(pose: &Pose, n: usize) -> [f64; 3] {
    let [x, y, z, w] = pose.rotation.map(f64::from);
    let columns = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    columns[n]
}

/// The name of a joint in avp_stream.
fn avp_name(joint: Joint) -> String {
    Skeleton::ArKit.joint_name(joint).unwrap().replace("Finger", "")
}

fn assert_arkit_hand(frame: &Frame, hand: Hand, joints: &Value) {
    let values = frame.hand(hand).unwrap();
    assert_eq!(values.tracked, joints.is_object(), "{hand} at {} s", frame.time);
    for joint in Skeleton::ArKit.joints().filter(|_| values.tracked) {
        let pose = values.joints[joint.index()].unwrap();
        let [at, x, y] = [0, 1, 2].map(|index| unity(&joints[avp_name(joint)][index]));
        // Left hands have x along the bone and y out of the palm, right hands the opposite.
        let sign = if hand == Hand::Left { 1.0 } else { -1.0 };
        let what = format!("{hand} {joint} at {} s", frame.time);
        assert_near(position(&pose), at, 1e-5, &what);
        assert_near(axis(&pose, 2), x.map(|value| value * sign), 1e-4, &what);
        assert_near(axis(&pose, 1), y.map(|value| -value * sign), 1e-4, &what);
    }
}

#[test]
fn avp_stream_reads_the_same_poses() {
    let path = testdata("vision_pro/tracking.jsonl");
    let frames = json_output(python("vision_pro.py").arg(&path));
    let recording = open(&path).unwrap().recording;
    let mut sampler = recording.sampler();
    let frames = frames.as_array().unwrap();
    assert_eq!(frames.len(), 5);
    for expected in frames {
        let time_secs = expected["time"].as_f64().unwrap() - frames[0]["time"].as_f64().unwrap();
        // A little later: flags change at a key, whose time has 32 bits.
        let frame = sampler.frame_at(time_secs + 1e-6);
        let head = frame.camera.unwrap();
        assert_near(position(&head), unity(&expected["head"][0]), 1e-5, "head");
        // avp_stream turns the head, so that y points forward.
        assert_near(axis(&head, 2), unity(&expected["head"][2]), 1e-4, "head");
        for hand in Hand::ALL {
            assert_arkit_hand(&frame, hand, &expected["hands"][hand.name()]);
        }
    }
}

#[test]
fn projectaria_tools_reads_the_same_positions_and_directions() {
    let folder = testdata("aria_mps");
    let tables = json_output(python("aria_mps.py").arg(&folder));
    let recording = open(&folder).unwrap().recording;
    let mut sampler = recording.sampler();
    let rows = tables["hands"].as_array().unwrap();
    let start_us = rows[0]["time_us"].as_i64().unwrap();
    let time_secs = |row: &Value| (row["time_us"].as_i64().unwrap() - start_us) as f64 * 1e-6;
    assert_eq!(rows.len(), 5);
    for row in rows {
        let frame = sampler.frame_at(time_secs(row) + 1e-6);
        for hand in Hand::ALL {
            let (values, landmarks) = (frame.hand(hand).unwrap(), &row["hands"][hand.name()]);
            assert_eq!(values.tracked, landmarks.is_array(), "{hand} at {} s", frame.time);
            for joint in Skeleton::Aria.joints().filter(|_| values.tracked) {
                let pose = values.joints[joint.index()].unwrap();
                let expected = unity(&landmarks[Skeleton::Aria.index(joint).unwrap()]);
                assert_near(position(&pose), expected, 1e-5, &format!("{hand} {joint} at {} s", frame.time));
            }
        }
    }
    let rays = tables["gaze"].as_array().unwrap();
    assert_eq!(rays.len(), 4);
    for row in rays {
        let frame = sampler.frame_at(time_secs(row));
        let (head, ray) = (frame.camera.unwrap(), frame.gaze.unwrap());
        // The central pupil frame has x left, where Unity has x right.
        let direction = [0, 1, 2].map(|index| row["direction"][index].as_f64().unwrap());
        let terms =
            [(0, -1.0), (1, 1.0), (2, 1.0)].map(|(n, sign)| axis(&head, n).map(|value| value * sign * direction[n]));
        let expected = [0, 1, 2].map(|index| terms.iter().map(|term| term[index]).sum());
        assert_near(ray.direction.map(f64::from), expected, 1e-5, &format!("gaze at {} s", frame.time));
    }
}

/// The largest distance between the joints of two recordings at the times of five frames.
fn max_distance_m(a: &Recording, b: &Recording) -> f64 {
    let (mut a, mut b) = (a.sampler(), b.sampler());
    let mut max_m: f64 = 0.0;
    for frame in 0..5 {
        // A little later: the frames of one recording have times in whole microseconds.
        let [a, b] = [&mut a, &mut b].map(|sampler| sampler.frame_at(f64::from(frame) / 30.0 + 2e-6));
        for hand in Hand::ALL {
            let [a, b] = [&a, &b].map(|frame| frame.hand(hand).unwrap());
            assert_eq!(a.tracked, b.tracked, "{hand} in frame {frame}");
            for joint in Skeleton::ArKit.joints().filter(|_| a.tracked) {
                let [a, b] = [a, b].map(|hand| hand.joints[joint.index()].unwrap());
                max_m = max_m.max(a.distance_m(&b));
            }
        }
    }
    max_m
}

#[test]
fn files_of_h5py_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("0.hdf5");
    let tip = json_output(python("egodex.py").arg(testdata("vision_pro/tracking.jsonl")).arg(&path));
    let imported = open(&path).unwrap();
    assert_eq!(imported.file_format, FileFormat::Egodex);
    let recording = imported.recording;
    let end_secs = f64::from(recording.duration_secs());
    let pose = recording.hand(Hand::Right).joint(Joint::IndexTip).pose_at(end_secs).unwrap();
    let [x, y, z] = [0, 1, 2].map(|index| tip[index].as_f64().unwrap());
    assert_near(position(&pose), [x, y, -z], 1e-6, "tip of the right index finger");
    let tracking = open(testdata("vision_pro")).unwrap().recording;
    let distance_m = max_distance_m(&recording, &tracking);
    assert!(distance_m < 1e-5, "{distance_m} m");
}
