//! psi and HoloAssist streams.

use std::fs;
use std::path::Path;

use holotape::{ErrorKind, Hand, Joint, Recording};
use holotape_convert::{FileFormat, LossKind, Losses, from_slice, psi};
use tempfile::TempDir;

use crate::import::build::Frame;
use crate::import::build::psi::{NO_JOINT, START, hand, joints, no_hand, row, secs_and_ticks, ticks};
use crate::import::{assert_pose, camera_at, is_near, kinds, messages, times};

/// In 100 ns.
const SECOND: u64 = 10_000_000;
const ALL: [f64; 26] = [1.0; 26];

/// x forward, y left, z up: rotated left by 90°.
const LEFT: Frame = Frame { x: [0.0, 1.0, 0.0], y: [-1.0, 0.0, 0.0], z: [0.0, 0.0, 1.0], position: [0.0; 3] };

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("within the folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn open(files: &[(&str, &str)]) -> (Recording, Losses) {
    psi::open(folder(files).path()).expect("valid")
}

/// The message without the path of the folder.
fn open_error(files: &[(&str, &str)], path: &str) -> String {
    let folder = folder(files);
    let error = psi::open(folder.path().join(path)).expect_err("something is wrong").to_string();
    error.replace(&folder.path().display().to_string(), "").replace('\\', "/").trim_start_matches('/').to_owned()
}

fn hand_rows(rows: &[Vec<f64>]) -> String {
    (0..).zip(rows).map(|(n, numbers)| row(&ticks(START + n * SECOND), numbers)).collect()
}

#[test]
fn head_that_looks_left_is_converted() {
    let text = row(&ticks(START), &LEFT.at([2.0, -0.25, 1.0]).rows());
    let (recording, losses) = psi::read(text.as_bytes()).expect("valid");
    assert_pose(camera_at(&recording, 0.0), [0.25, 1.0, 2.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    assert!(losses.is_empty());
}

#[test]
fn head_that_looks_up_or_is_tilted_is_converted() {
    let up = Frame { x: [0.0, 0.0, 1.0], y: [0.0, 1.0, 0.0], z: [-1.0, 0.0, 0.0], position: [0.0; 3] };
    let tilted = Frame { x: [1.0, 0.0, 0.0], y: [0.0, 0.0, -1.0], z: [0.0, 1.0, 0.0], position: [0.0; 3] };
    let text = row(&ticks(START), &up.rows()) + &row(&ticks(START + SECOND), &tilted.rows());
    let (recording, _) = psi::read(text.as_bytes()).expect("valid");
    assert_pose(camera_at(&recording, 0.0), [0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]);
    // z, which is up, points left.
    assert_pose(camera_at(&recording, 1.0), [0.0; 3], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]);
}

#[test]
fn gaze_is_converted() {
    let text = row(&ticks(START), &[0.2, -0.1, 1.6, 0.8, -0.6, 0.0])
        + &row(&ticks(START + 1), &[f64::NAN; 6])
        + &row(&ticks(START + SECOND), &[0.0, 0.0, 0.0, 0.7, 0.0, 0.0]);
    let (recording, losses) = psi::read(text.as_bytes()).expect("valid");
    let gaze = recording.gaze.expect("present");
    assert_eq!(times(&gaze.origin[0]), [0.0, 1.0]);
    let ray = gaze.ray_at(0.0).expect("present");
    assert!(is_near(ray.origin, [0.1, 1.6, 0.2]) && is_near(ray.direction, [0.6, 0.0, 0.8]), "{ray:?}");
    // Directions that were shortened by interpolation are normalized.
    assert_eq!(gaze.direction[2].value_at(1.0), Some(1.0));
    let expected = ["interpolated over rows with missing values: gaze 1"];
    assert_eq!(messages(&losses), expected);
}

#[test]
fn uncalibrated_gaze_is_reported() {
    let ray = |calibrated| [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, calibrated];
    let missing = [[f64::NAN; 6].as_slice(), &[0.0]].concat();
    let text = row(&ticks(START), &ray(0.0)) + &row(&ticks(START + 1), &ray(1.0)) + &row(&ticks(START + 2), &missing);
    let (recording, losses) = psi::read(text.as_bytes()).expect("valid");
    assert_eq!(times(&recording.gaze.expect("present").origin[0]), [0.0, 1e-7]);
    assert_eq!(messages(&losses), ["dropped the uncalibrated flag of the gaze of 1 ray: not part of a recording"]);
    assert_eq!(kinds(&losses), [LossKind::Unsupported]);
}

#[test]
fn joints_are_mapped_and_converted() {
    let mut joints = joints([0.5, -0.5, 1.0]);
    joints[0] = Frame::STILL.at([0.1, 0.2, 0.3]).rows();
    joints[1] = Frame::STILL.at([0.4, 0.5, 0.6]).rows();
    joints[10] = LEFT.rows();
    let text = hand_rows(&[hand(&[1.0], &joints, ALL, ALL)]);
    for (name, side) in [("Hands/Left.txt", Hand::Left), ("Hands/Right.txt", Hand::Right)] {
        let (recording, losses) = open(&[(name, &text)]);
        let pose = |joint| recording.hand(side).joint(joint).pose_at(0.0).expect("every joint has a pose");
        assert_pose(pose(Joint::Palm), [-0.2, 0.3, 0.1], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
        assert_pose(pose(Joint::Wrist), [-0.5, 0.6, 0.4], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
        assert_pose(pose(Joint::IndexTip), [0.0; 3], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        assert_pose(pose(Joint::PinkyTip), [0.5, 1.0, 0.75], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
        assert!(recording.hand(side).tracked.value_at(0.0));
        assert!(recording.hand(side).pinching.keys.is_empty(), "this schema has no pinching flag");
        assert!(recording.hand(side.other()).tracked.keys.is_empty(), "the other hand has no stream");
        assert!(losses.is_empty());
    }
}

#[test]
fn invalid_joints_are_dropped() {
    let mut valid = ALL;
    valid[1] = 0.0;
    let mut tracked = ALL;
    tracked[1..4].fill(0.0);
    let mut invalid = joints([0.0; 3]);
    invalid[5] = NO_JOINT;
    let text = hand_rows(&[
        hand(&[1.0], &joints([0.0; 3]), valid, tracked),
        no_hand(&[0.0]),
        hand(&[0.0], &joints([0.0; 3]), ALL, ALL),
        no_hand(&[1.0]),
        hand(&[1.0], &invalid, ALL, ALL),
    ]);
    let (recording, losses) = open(&[("Hands/Right.txt", &text)]);
    let right = recording.hand(Hand::Right);
    assert_eq!(times(&right.joint(Joint::Palm).position[0]), [0.0, 4.0]);
    assert_eq!(times(&right.joint(Joint::Wrist).position[0]), [4.0]);
    assert_eq!(times(&right.joint(Joint::ThumbTip).position[0]), [0.0]);
    let states: Vec<_> = right.tracked.keys.iter().map(|key| (key.time, key.value)).collect();
    assert_eq!(states, [(0.0, 1.0), (1.0, 0.0), (4.0, 1.0)]);
    let expected = [
        "dropped poses and rays with non-finite values: right 1",
        "dropped the inferred flag of 2 joints: not part of a recording",
    ];
    assert_eq!(messages(&losses), expected);
}

#[test]
fn older_schema_has_pinching_and_gripping() {
    let old = |flags: [f64; 3], joints: &[[f64; 16]; 26]| [&flags, joints.as_flattened()].concat();
    let mut partly = joints([0.0; 3]);
    partly[7] = NO_JOINT;
    let text = hand_rows(&[
        vec![0.0, 0.0, 0.0],
        old([0.0, 1.0, 1.0], &joints([0.0; 3])),
        old([1.0, 0.0, 1.0], &partly),
        old([0.0, 0.0, 0.0], &[NO_JOINT; 26]),
    ]);
    let (recording, losses) = open(&[("Hands/Left.txt", &text)]);
    let left = recording.hand(Hand::Left);
    let keys = |curve: &holotape::BoolCurve| curve.keys.iter().map(|key| (key.time, key.value)).collect::<Vec<_>>();
    assert_eq!(keys(&left.tracked), [(0.0, 0.0), (1.0, 1.0), (3.0, 0.0)]);
    assert_eq!(keys(&left.pinching), [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]);
    assert_eq!(times(&left.joint(Joint::IndexTip).position[0]), [1.0, 2.0]);
    assert_eq!(times(&left.joint(Joint::IndexKnuckle).position[0]), [1.0]);
    assert_eq!(messages(&losses), ["dropped the grips of the hands of 1 row: not part of a recording"]);
    assert_eq!(kinds(&losses), [LossKind::Unsupported]);
}

#[test]
fn untracked_hand_is_recognized_by_file_name() {
    let text = hand_rows(&[vec![0.0; 3], vec![0.0; 3]]);
    let (recording, losses) = open(&[("Hands/Left.txt", &text)]);
    assert_eq!(recording.duration_secs(), 1.0);
    assert!(!recording.hand(Hand::Left).tracked.value_at(0.0));
    assert!(losses.is_empty());
    assert_eq!(open_error(&[("a.txt", &text)], "a.txt"), "a.txt: row 1: 4 columns, which is not a known stream");
}

#[test]
fn streams_share_a_start_time() {
    let head = row(&ticks(START + SECOND), &Frame::STILL.rows());
    let eyes = row(&ticks(START + 3 * SECOND), &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let left = row(&ticks(START + 2 * SECOND), &hand(&[1.0], &joints([0.0; 3]), ALL, ALL));
    let right = row(&ticks(START), &no_hand(&[0.0]));
    let files =
        [("Head/Head.txt", &*head), ("Eyes/Eyes.txt", &eyes), ("Hands/Left.txt", &left), ("Hands/Right.txt", &right)];
    let (recording, losses) = open(&files);
    assert_eq!(times(&recording.camera.as_ref().expect("present").position[0]), [1.0]);
    assert_eq!(times(&recording.gaze.as_ref().expect("present").origin[0]), [3.0]);
    assert_eq!(times(&recording.hand(Hand::Left).joint(Joint::Palm).position[0]), [2.0]);
    assert_eq!(recording.hand(Hand::Right).tracked.keys[0].time, 0.0);
    assert!(losses.is_empty());
}

#[test]
fn holoassist_folder_with_seconds_is_read() {
    let times_of = |n: u32| secs_and_ticks(f64::from(n) / 32.0, START);
    let text = |numbers: &[f64]| row(&times_of(8), numbers) + &row(&times_of(9), numbers);
    let head = text(&Frame::STILL.at([0.0, 0.0, 1.6]).rows());
    let eyes = text(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let left = text(&hand(&[1.0], &joints([0.0; 3]), ALL, ALL));
    // The flags of newer files: gripping, pinching, active.
    let right = text(&hand(&[0.0, 1.0, 1.0], &joints([0.0; 3]), ALL, ALL));
    let files = [
        ("Export_py/Head/Head_sync.txt", &*head),
        ("Export_py/Eyes/Eyes_sync.txt", &eyes),
        ("Export_py/Hands/Left_sync.txt", &left),
        ("Export_py/Hands/Right_sync.txt", &right),
    ];
    let folder = folder(&files);
    let (recording, losses) = psi::open(folder.path()).expect("valid");
    assert_eq!(times(&recording.camera.as_ref().expect("present").position[0]), [0.0, 1.0 / 32.0]);
    assert_eq!(camera_at(&recording, 0.0).position, [0.0, 1.6, 0.0]);
    assert!(recording.hand(Hand::Right).pinching.value_at(0.0));
    assert!(recording.hand(Hand::Left).joint(Joint::Palm).pose_at(0.0).is_some());
    assert!(recording.gaze.is_some());
    assert!(losses.is_empty());
    assert_eq!(psi::open(folder.path().join("Export_py")).expect("the same").0, recording);
    let imported = holotape_convert::open(folder.path()).expect("a folder is one of psi");
    assert_eq!((imported.file_format, imported.recording), (FileFormat::Psi, recording));
}

#[test]
fn three_and_four_flags_are_distinguished() {
    let joints = joints([0.0; 3]);
    let three = row(&secs_and_ticks(0.5, START), &hand(&[1.0, 1.0, 1.0], &joints, ALL, ALL));
    let four = row(&ticks(START), &hand(&[1.0, 1.0, 0.0, 1.0], &joints, ALL, ALL));
    for text in [three, four] {
        assert_eq!(text.matches('\t').count(), 472);
        let (recording, losses) = open(&[("Hands/Left_sync.txt", &text)]);
        let left = recording.hand(Hand::Left);
        assert!(left.tracked.value_at(0.0) && left.pinching.value_at(0.0));
        assert_eq!(left.joint(Joint::PinkyTip).pose_at(0.0).expect("present").position, [0.0, 0.0, 0.25]);
        assert_eq!(messages(&losses), ["dropped the grips of the hands of 1 row: not part of a recording"]);
    }
}

#[test]
fn single_file_is_recognized_by_its_name() {
    let text = hand_rows(&[hand(&[1.0], &joints([0.0; 3]), ALL, ALL)]);
    let folder = folder(&[("Right_sync.txt", &text)]);
    let imported = holotape_convert::open(folder.path().join("Right_sync.txt")).expect("valid");
    assert_eq!(imported.file_format, FileFormat::Psi);
    assert!(imported.recording.hand(Hand::Right).tracked.value_at(0.0));
    let expected = "row 1: 470 columns, as for a hand; the file name must be Left.txt or Right.txt";
    assert_eq!(from_slice(text.as_bytes()).expect_err("which hand?").to_string(), expected);
    assert_eq!(open_error(&[("hand.txt", &text)], "hand.txt"), format!("hand.txt: {expected}"));
    // Rows of the older schema without joints are ambiguous.
    let old = hand_rows(&[vec![0.0; 3], vec![0.0; 419]]);
    let expected = expected.replace("row 1: 470", "row 2: 420");
    assert_eq!(psi::read(old.as_bytes()).expect_err("which hand?").to_string(), expected);
}

#[test]
fn line_ends_byte_order_marks_and_trailing_tabs_are_ignored() {
    let text: String = (0..3).map(|n| row(&ticks(START + n * SECOND), &LEFT.rows())).collect();
    let (expected, _) = psi::read(text.as_bytes()).expect("valid");
    let others = [
        text.replace('\n', "\r\n"),
        text.replace('\n', "\t\r\n"),
        format!("\u{feff}{text}\n \n"),
        text.trim_end().to_owned(),
    ];
    for text in others {
        assert_eq!(from_slice(text.as_bytes()).expect("valid").recording, expected, "{text:?}");
    }
}

#[test]
fn missing_and_invalid_heads_are_distinguished() {
    let mut stretched = LEFT.rows();
    stretched[1] = -2.0;
    let heads = [LEFT.rows(), NO_JOINT, stretched, LEFT.rows()];
    let text: String = (0..).zip(heads).map(|(n, head)| row(&ticks(START + n * SECOND), &head)).collect();
    let (recording, losses) = psi::read(text.as_bytes()).expect("valid");
    assert_eq!(times(&recording.camera.expect("present").position[0]), [0.0, 3.0]);
    let expected = [
        "dropped poses and rays with non-finite values: camera 1",
        "interpolated over rows with missing values: camera 1",
    ];
    assert_eq!(messages(&losses), expected);
    assert_eq!(kinds(&losses), [LossKind::Unusable, LossKind::Invented]);
}

#[test]
fn late_rows_are_dropped_and_counted() {
    let text: String = [0, 2, 1, 2, 3].map(|n| row(&ticks(START + n * SECOND), &LEFT.rows())).concat();
    let (recording, losses) = psi::read(text.as_bytes()).expect("valid");
    assert_eq!(times(&recording.camera.expect("present").position[0]), [0.0, 2.0, 3.0]);
    assert_eq!(messages(&losses), ["dropped rows that are not after the one before: camera 2"]);
}

#[test]
fn earliest_row_is_the_start() {
    let head = [5, 1].map(|n| row(&ticks(START + n * SECOND), &LEFT.rows())).concat();
    let (recording, losses) = psi::read(head.as_bytes()).expect("valid");
    assert_eq!(times(&recording.camera.expect("present").position[0]), [4.0]);
    assert_eq!(kinds(&losses), [LossKind::Unusable]);
}

#[test]
fn truncated_last_row_is_dropped_and_reported() {
    let head = hand_rows(&[LEFT.rows().to_vec(), LEFT.rows().to_vec()]);
    let left = hand_rows(&[no_hand(&[0.0]), hand(&[1.0], &joints([0.0; 3]), ALL, ALL)]);
    let folder = folder(&[("Head/Head.txt", &head), ("Hands/Left.txt", &left[..left.len() - 60])]);
    let (recording, losses) = psi::open(folder.path()).expect("only truncated");
    assert!(recording.hand(Hand::Left).joint(Joint::Palm).pose_at(1.0).is_none());
    let path = folder.path().join("Hands").join("Left.txt");
    assert_eq!(messages(&losses), [format!("{}: dropped the last row (2): it is truncated", path.display())]);
    assert_eq!(kinds(&losses), [LossKind::Unusable]);
    let (_, losses) = psi::read(&head.as_bytes()[..head.len() - 10]).expect("only truncated");
    assert_eq!(messages(&losses), ["dropped the last row (2): it is truncated"]);
}

#[test]
fn truncated_row_of_the_older_schema_is_dropped() {
    let complete = [&[0.0, 0.0, 1.0], joints([0.0; 3]).as_flattened()].concat();
    for columns in [2, 3, 4, 100, 400, 418] {
        let text = hand_rows(&[vec![0.0; 3], complete[..columns].to_vec()]);
        let (recording, losses) = open(&[("Hands/Left.txt", text.trim_end())]);
        assert_eq!(recording.hand(Hand::Left).tracked.keys.len(), 1, "{columns} columns");
        assert_eq!(kinds(&losses), [LossKind::Unusable]);
    }
}

#[test]
fn stream_without_rows_is_ignored() {
    let head = row(&ticks(START), &LEFT.rows());
    let (recording, losses) = open(&[("Head/Head.txt", &head), ("Eyes/Eyes.txt", "\r\n")]);
    assert!(recording.camera.is_some() && recording.gaze.is_none() && recording.hands.is_none());
    assert!(losses.is_empty());
}

#[test]
fn errors_name_the_location() {
    let head = row(&ticks(START), &LEFT.rows());
    let wrong_cell = head.clone() + &head.replace("\t-1\t", "\tx\t") + &head;
    let wrong_time = head.clone() + &head.replace(&START.to_string(), "noon") + &head;
    let files: [(&str, &str, &str); 7] = [
        ("Head/Head.txt", &wrong_cell, "Head/Head.txt: row 2, column 3: \"x\" is not a number"),
        ("Head/Head.txt", &wrong_time, "Head/Head.txt: row 2, column 1: \"noon\" is not a number"),
        ("Head/Head.txt", &(head.clone() + "1\t2\n" + &head), "Head/Head.txt: row 2: 2 columns, expected 17"),
        (
            "Eyes/Eyes.txt",
            &head,
            "Eyes/Eyes.txt: row 1: 17 columns, as for the head, but the file name is that of the gaze",
        ),
        (
            "Hands/Left.txt",
            &hand_rows(&[vec![0.0, 0.0, 1.0], vec![0.0; 419], vec![0.0; 3]]),
            "Hands/Left.txt: row 1: 4 columns, but the hand is tracked: its joints are missing",
        ),
        (
            "Hands/Left.txt",
            &hand_rows(&[hand(&[2.0], &joints([0.0; 3]), ALL, ALL), no_hand(&[0.0])]),
            "Hands/Left.txt: row 1, column 2: \"2\" is not 0 or 1",
        ),
        ("Head/Head.txt", "\n", "the stream has no rows"),
    ];
    for (name, text, message) in files {
        assert_eq!(open_error(&[(name, text)], ""), message);
    }
    let half = row(&ticks(START), &LEFT.rows()).replace(&START.to_string(), &format!("{START}.5"));
    assert_eq!(
        psi::read((head + &half + &half).as_bytes()).expect_err("half a tick").to_string(),
        format!("row 2, column 1: \"{START}.5\" is not a valid time")
    );
}

#[test]
fn rounded_time_is_rejected() {
    let head = row(&ticks(START), &LEFT.rows()).replace(&START.to_string(), "6.378e17");
    let error = psi::read((head.clone() + &head).as_bytes()).expect_err("digits are missing");
    assert_eq!(error.to_string(), "row 1, column 1: \"6.378e17\" is not a valid time");
}

#[test]
fn streams_without_a_common_time_column_are_rejected() {
    let head = row(&ticks(START), &LEFT.rows());
    let eyes = row(&["0.5".to_owned()], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let message = "the streams have no common time column: some have seconds, others ticks";
    assert_eq!(open_error(&[("Head/Head.txt", &head), ("Eyes/Eyes.txt", &eyes)], ""), message);
}

#[test]
fn ticks_are_used_if_seconds_are_missing() {
    let head = row(&ticks(START), &LEFT.rows());
    let eyes = row(&secs_and_ticks(77.0, START + SECOND), &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let (recording, _) = open(&[("Head/Head.txt", &head), ("Eyes/Eyes_sync.txt", &eyes)]);
    assert_eq!(times(&recording.gaze.expect("present").origin[0]), [1.0]);
}

#[test]
fn unknown_folder_is_rejected() {
    let folder = folder(&[("notes.txt", "nothing")]);
    let error = psi::open(folder.path()).expect_err("no streams");
    assert_eq!(error.kind(), ErrorKind::NotARecording);
    assert_eq!(error.path(), Some(folder.path()));
    let missing = psi::open(Path::new("no/such/Head.txt")).expect_err("no file");
    assert_eq!(missing.kind(), ErrorKind::Io);
}
