//! Tables of Aria MPS.

use std::fs;
use std::path::Path;

use glam::Vec3;
use holotape::{ErrorKind, Frame, Hand, Skeleton};
use holotape_convert::{FileFormat, aria_mps, from_slice, open};

use crate::import::layouts::aria_mps::{gaze, hands, trajectory};
use crate::import::layouts::{demo, first_with_hands, frames};
use crate::import::{assert_frames, messages, testdata};

const DIMENSIONS: &str = "placed the eyes by the nominal dimensions of Aria Gen 1 glasses: MPS has no calibration";
const CONFIDENCES: &str = "dropped confidences, wrist rotations and normals of the hands: not part of a recording";
const ROTATIONS: &str = "invented rotations and metacarpals of the hands: Project Aria has positions of 21 joints";
const PINCHES: &str = "left the pinches empty: Project Aria does not record them";

fn write_folder(folder: &Path, frames: &[Frame], poses: &[Frame]) {
    let files = [
        ("hand_tracking/hand_tracking_results.csv", hands(frames, 9)),
        ("slam/closed_loop_trajectory.csv", trajectory(poses, 9)),
        ("eye_gaze/general_eye_gaze.csv", gaze(frames, 9)),
    ];
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(path, text).expect("written");
    }
}

/// Frames at 4 kHz, of which none is at the time of a hand.
fn poses(last_secs: f64) -> Vec<Frame> {
    let recording = demo();
    let mut sampler = recording.sampler();
    let count = (last_secs * 4000.0) as usize + 2;
    (0..count).map(|n| sampler.frame_at((n as f64 * 250e-6 - 100e-6).max(0.0))).collect()
}

#[test]
fn demo_returns_from_a_folder() {
    let frames = frames(&demo(), 120);
    let folder = tempfile::tempdir().expect("a folder");
    write_folder(folder.path(), &frames, &poses(4.0));
    let imported = open(folder.path()).expect("valid");
    assert_eq!(imported.file_format, FileFormat::AriaMps);
    let distances = "dropped the gaze distance in 120 rows: not part of a recording";
    assert_eq!(messages(&imported.losses), [CONFIDENCES, distances, ROTATIONS, PINCHES, DIMENSIONS]);
    // The roll of a finger about its bones does not follow from positions.
    let angle_deg = assert_frames(&imported.recording, &frames, Skeleton::Aria);
    assert!(angle_deg < 30.0, "{angle_deg}°");
    let mut sampler = imported.recording.sampler();
    for expected in &frames {
        let frame = sampler.frame_at(expected.time);
        assert!(frame.camera.expect("a head").angle_deg(&expected.camera.expect("a head")) < 0.01);
        let [ray, expected] = [&frame, expected].map(|frame| frame.gaze.expect("a gaze"));
        let angle = Vec3::from(ray.direction).angle_between(Vec3::from(expected.direction));
        assert!(angle < 1e-3, "{angle} rad at {} s", frame.time);
        assert!(Vec3::from(ray.origin).distance(frame.camera.expect("a head").position.into()) < 1e-5);
    }
}

#[test]
fn every_file_of_a_folder_stands_for_it() {
    let expected = open(testdata("aria_mps")).expect("valid");
    for name in ["hand_tracking/hand_tracking_results.csv", "slam/closed_loop_trajectory.csv", "eye_gaze", "slam"] {
        let imported = open(testdata("aria_mps").join(name)).expect("valid");
        assert_eq!((imported.file_format, &imported.recording), (FileFormat::AriaMps, &expected.recording), "{name}");
    }
}

#[test]
fn hands_without_a_trajectory_are_relative_to_the_head() {
    let frames = frames(&demo(), 180);
    let imported = from_slice(hands(&frames, 9).as_bytes()).expect("valid");
    let origin = "placed the head at the origin: there is no trajectory";
    assert_eq!(messages(&imported.losses), [CONFIDENCES, ROTATIONS, PINCHES, origin, DIMENSIONS]);
    assert!(imported.recording.camera.is_none());
    let frame = &frames[first_with_hands(&frames)];
    let head = frame.camera.expect("a head");
    let back = glam::Quat::from_array(head.rotation).inverse();
    for hand in Hand::ALL.into_iter().filter(|hand| frame.hand(*hand).is_some_and(|hand| hand.tracked)) {
        for joint in Skeleton::Aria.joints() {
            let world = frame.hand(hand).expect("tracked").joints[joint.index()].expect("a joint");
            let expected = back * (Vec3::from(world.position) - Vec3::from(head.position));
            let pose = imported.recording.hand(hand).joint(joint).pose_at(frame.time).expect("a joint");
            assert!(expected.distance(pose.position.into()) < 1e-5, "{hand} {joint}");
        }
    }
}

#[test]
fn rows_outside_the_trajectory_are_dropped() {
    let frames = frames(&demo(), 60);
    let folder = tempfile::tempdir().expect("a folder");
    write_folder(folder.path(), &frames, &frames[..40]);
    let (recording, losses) = aria_mps::open(folder.path()).expect("valid");
    let hands: usize = frames[40..]
        .iter()
        .map(|frame| Hand::ALL.iter().filter(|hand| frame.hand(**hand).is_some_and(|hand| hand.tracked)).count())
        .sum();
    let expected = [
        format!("dropped {hands} rows of the hands: outside the times of the trajectory"),
        "dropped 20 rows of the gaze: outside the times of the trajectory".to_owned(),
    ];
    assert_eq!(messages(&losses)[..2], expected);
    assert!(Hand::ALL.iter().all(|hand| !recording.hand(*hand).tracked.value_at(1.9)));
}

#[test]
fn poses_of_another_map_are_dropped() {
    let text = trajectory(&frames(&demo(), 10), 9);
    let (changed, kept) = text.rsplit_once("a-map").expect("rows");
    let (recording, losses) = aria_mps::read(format!("{changed}b-map{kept}").as_bytes()).expect("valid");
    assert_eq!(messages(&losses), ["dropped 1 row of the trajectory: in the coordinates of another map", DIMENSIONS]);
    assert_eq!(recording.camera.expect("a head").position[0].keys.len(), 9);
}

#[test]
fn open_loop_trajectory_is_read_if_there_is_no_other() {
    let text = trajectory(&frames(&demo(), 10), 9)
        .replace("_world_device", "_odometry_device")
        .replace("graph_uid", "session_uid");
    let (recording, losses) = aria_mps::read(text.as_bytes()).expect("valid");
    let drift = "used the open-loop trajectory, whose positions drift: there is no closed-loop trajectory";
    assert_eq!(messages(&losses), [drift, DIMENSIONS]);
    assert!(recording.camera.is_some());
}

#[test]
fn second_generation_is_recognized_by_its_upright_camera() {
    // The y axis of the device points down, its z axis ahead along x of the world.
    let text = "tracking_timestamp_us,tx_world_device,ty_world_device,tz_world_device,qx_world_device,qy_world_device,\
                qz_world_device,qw_world_device\n5,0,0,1.6,-0.5,0.5,-0.5,0.5\n";
    let (_, losses) = aria_mps::read(text.as_bytes()).expect("valid");
    assert_eq!(messages(&losses), [DIMENSIONS.replace("Gen 1", "Gen 2")]);
}

#[test]
fn gaze_without_angles_is_absent() {
    let text = "tracking_timestamp_us,yaw_rads_cpf,pitch_rads_cpf\n0,0,0\n10,,\n20,nan,0\n30,0,0\n";
    let (recording, losses) = aria_mps::read(text.as_bytes()).expect("valid");
    assert_eq!(recording.gaze.expect("a gaze").origin[0].keys.len(), 2);
    assert_eq!(messages(&losses)[0], "interpolated over rows with missing values: gaze 2");
}

#[test]
fn truncated_last_row_is_dropped() {
    let text = hands(&frames(&demo(), 3), 9);
    let two = hands(&frames(&demo(), 2), 9);
    let (expected, _) = aria_mps::read(two.as_bytes()).expect("valid");
    for end in [two.len() + 3, two.len() + 200] {
        let (recording, losses) = aria_mps::read(&text.as_bytes()[..end]).expect("only truncated");
        assert!(messages(&losses).contains(&"dropped the last row (4): it is truncated".to_owned()));
        assert_eq!(recording, expected);
    }
}

#[test]
fn invalid_tables_are_errors_with_row_and_column() {
    let gaze = "tracking_timestamp_us,yaw_rads_cpf,pitch_rads_cpf";
    let wrong = [
        (format!("{gaze}\n"), "the tables have no rows"),
        (format!("{gaze}\n0,0,0\n1,x,0\n2,0,0\n"), "row 3, column 2: \"x\" is not a number"),
        (format!("{gaze}\n0,0,0\n0.5,0,0\n2,0,0\n"), "row 3, column 1: \"0.5\" is not a time in microseconds"),
        (format!("{gaze}\n0,0\n1,0,0\n"), "row 2: 2 columns, expected 3"),
        ("tracking_timestamp_us,pitch_rads_cpf\n0,0\n".to_owned(), "missing column left_yaw_rads_cpf"),
        (
            "tracking_timestamp_us,left_tracking_confidence\n0,0\n".to_owned(),
            "missing column tx_left_landmark_0_device",
        ),
        ("tracking_timestamp_us,tx_world_device\n0,0\n".to_owned(), "missing column ty_world_device"),
        (
            "tracking_timestamp_us,x\n0,0\n".to_owned(),
            "unknown table of MPS: expected the columns of hands, of a trajectory or of eye gaze",
        ),
    ];
    for (text, message) in wrong {
        assert_eq!(from_slice(text.as_bytes()).expect_err(&text).to_string(), message);
    }
}

#[test]
fn errors_name_the_file_of_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    write_folder(folder.path(), &frames(&demo(), 3), &frames(&demo(), 3));
    let gaze = folder.path().join("eye_gaze/general_eye_gaze.csv");
    fs::write(&gaze, "tracking_timestamp_us,yaw_rads_cpf,pitch_rads_cpf\n0,x,0\n1,0,0\n").expect("written");
    assert_eq!(open(folder.path()).expect_err("invalid").path(), Some(gaze.as_path()));
    let error = open(testdata("..").join("motion")).expect_err("no recording");
    assert_eq!(error.kind(), ErrorKind::NotARecording);
}
