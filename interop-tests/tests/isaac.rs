//! NVIDIA Isaac Teleop replays logs.

// Its packages are for Linux.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::path::Path;

use holotape::demo::DemoOptions;
use holotape::{Frame, Hand, HandFrame, Pose, Recording, Skeleton, Space};
use holotape_convert::{Timing, isaac};
use holotape_interop_tests::python;
use serde_json::{Value, json};

/// The values that Isaac Teleop returns in each update. It compares the schemas of the log with its own, and reports
/// differences on stderr.
fn replay(path: &Path, updates: usize) -> Vec<Value> {
    let output = python("isaac_replay.py").arg(path).arg(updates.to_string()).output().expect("runs");
    let [out, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{errors}");
    assert!(!errors.contains("schema"), "{errors}");
    let rows = out.lines().last().expect("a line");
    serde_json::from_str(rows).expect("a list")
}

fn testdata(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata").join(name)
}

fn numbers(pose: Pose) -> Vec<Value> {
    let pose = Space::RightHanded.pose(pose);
    pose.position.into_iter().chain(pose.rotation).map(|number| json!(f64::from(number))).collect()
}

fn hand_row(hand: Option<&HandFrame>) -> Value {
    let Some(hand) = hand.filter(|hand| hand.tracked) else { return Value::Null };
    let joint = |joint: holotape::Joint| {
        let pose = hand.joint(joint);
        let mut row = numbers(pose.unwrap_or(Pose::IDENTITY));
        row.push(pose.is_some().into());
        row.push(json!(f64::from(if pose.is_some() { joint.typical_radius_m() } else { 0.0 })));
        Value::Array(row)
    };
    Skeleton::OpenXr.joints().map(joint).collect()
}

fn head_row(head: Option<Pose>) -> Value {
    let flags = [json!(true), json!(true)];
    head.map_or(Value::Null, |pose| numbers(pose).into_iter().chain(flags).collect())
}

/// Asserts that two rows have the same flags, equal positions, and rotations that differ at most by rounding.
fn assert_same(found: &Value, expected: &Value, what: &str) {
    match (found, expected) {
        (Value::Array(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{what}");
            found.iter().zip(expected).for_each(|(found, expected)| assert_same(found, expected, what));
        }
        (Value::Number(found), Value::Number(expected)) => {
            let difference = found.as_f64().unwrap() - expected.as_f64().unwrap();
            assert!(difference.abs() <= 1e-7, "{what}: {found} is not {expected}");
        }
        _ => assert_eq!(found, expected, "{what}"),
    }
}

fn assert_replayed(recording: &Recording, name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reach.isaac.mcap");
    let _ = isaac::write(recording, Timing::Keys, File::create(&path).unwrap()).unwrap();
    let times = Timing::Keys.times(recording).unwrap();
    let rows = replay(&path, times.len());
    assert_eq!(rows.len(), times.len());
    let (mut sampler, mut frame) = (recording.sampler(), Frame::default());
    for (row, time_secs) in rows.iter().zip(times) {
        sampler.frame_into(time_secs, &mut frame);
        let hands = Hand::ALL.map(|hand| hand_row(frame.hand(hand)));
        let [left, right] = &hands;
        assert_same(row, &json!([left, right, head_row(frame.camera)]), &format!("{name} at {time_secs} s"));
    }
}

#[test]
fn isaac_teleop_replays_a_demo() {
    assert_replayed(&DemoOptions::new().with_seconds(5.0).generate().unwrap(), "demo");
}

#[test]
fn isaac_teleop_replays_recordings() {
    for name in ["mrtk28_all", "mrtk28_right_hand_markers", "mrtk28_camera_only"] {
        assert_replayed(&Recording::open(testdata(&format!("valid/{name}.bin"))).unwrap(), name);
    }
}

#[test]
fn isaac_teleop_replays_its_own_log_as_it_was_read() {
    let path = testdata("isaac/teleop_monado.mcap");
    let original = replay(&path, 120);
    let (recording, _) = isaac::read(&fs::read(path).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.isaac.mcap");
    let _ = isaac::write(&recording, Timing::Keys, File::create(&copy).unwrap()).unwrap();
    let without_radii = |rows: Vec<Value>| -> Vec<Value> {
        let mut rows = rows;
        for joint in rows.iter_mut().flat_map(|row| row.as_array_mut().unwrap()[..2].iter_mut()) {
            joint.as_array_mut().unwrap().iter_mut().for_each(|joint| joint[8] = Value::Null);
        }
        rows
    };
    assert_eq!(without_radii(replay(&copy, 120)), without_radii(original), "to the bit");
}
