//! Streams of psi and HoloAssist.

use std::fs;
use std::path::Path;

use holotape::{ErrorKind, Hand, Joint, Recording};
use holotape_convert::{FileFormat, LossKind, Losses, from_slice, psi};
use tempfile::TempDir;

use crate::build::Frame;
use crate::build::psi::{NO_JOINT, START, hand, joints, no_hand, row, secs_and_ticks, ticks};
use crate::{assert_pose, camera_at, is_near, kinds, times, words};

/// In 100 ns.
const SECOND: u64 = 10_000_000;
const ALL: [f64; 26] = [1.0; 26];

/// x forward, y left, z up: turned left by a quarter.
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
    psi::open(folder(files).path()).expect("sound")
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
fn a_head_a_metre_up_that_looks_left() {
    let text = row(&ticks(START), &LEFT.at([2.0, -0.25, 1.0]).rows());
    let (recording, losses) = psi::read(text.as_bytes()).expect("sound");
    assert_pose(camera_at(&recording, 0.0), [0.25, 1.0, 2.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    assert!(losses.is_empty());
}

#[test]
fn a_head_that_looks_up_and_one_that_is_tilted() {
    let up = Frame { x: [0.0, 0.0, 1.0], y: [0.0, 1.0, 0.0], z: [-1.0, 0.0, 0.0], position: [0.0; 3] };
    let tilted = Frame { x: [1.0, 0.0, 0.0], y: [0.0, 0.0, -1.0], z: [0.0, 1.0, 0.0], position: [0.0; 3] };
    let text = row(&ticks(START), &up.rows()) + &row(&ticks(START + SECOND), &tilted.rows());
    let (recording, _) = psi::read(text.as_bytes()).expect("sound");
    assert_pose(camera_at(&recording, 0.0), [0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]);
    // z, which is up, has gone to the left.
    assert_pose(camera_at(&recording, 1.0), [0.0; 3], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]);
}

#[test]
fn the_eyes_look_where_they_look() {
    let text = row(&ticks(START), &[0.2, -0.1, 1.6, 0.8, -0.6, 0.0])
        + &row(&ticks(START + 1), &[f64::NAN; 6])
        + &row(&ticks(START + SECOND), &[0.0, 0.0, 0.0, 0.7, 0.0, 0.0]);
    let (recording, losses) = psi::read(text.as_bytes()).expect("sound");
    let gaze = recording.gaze.expect("there");
    assert_eq!(times(&gaze.origin[0]), [0.0, 1.0]);
    let ray = gaze.ray_at(0.0).expect("there");
    assert!(is_near(ray.origin, [0.1, 1.6, 0.2]) && is_near(ray.direction, [0.6, 0.0, 0.8]), "{ray:?}");
    // What was made shorter by somebody who put values between is of length 1 again.
    assert_eq!(gaze.direction[2].value_at(1.0), Some(1.0));
    let expected = ["interpolated over rows with missing values: gaze 1"];
    assert_eq!(words(&losses), expected);
}

#[test]
fn eyes_that_are_not_calibrated_are_named() {
    let ray = |calibrated| [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, calibrated];
    let missing = [[f64::NAN; 6].as_slice(), &[0.0]].concat();
    let text = row(&ticks(START), &ray(0.0)) + &row(&ticks(START + 1), &ray(1.0)) + &row(&ticks(START + 2), &missing);
    let (recording, losses) = psi::read(text.as_bytes()).expect("sound");
    assert_eq!(times(&recording.gaze.expect("there").origin[0]), [0.0, 1e-7]);
    assert_eq!(words(&losses), ["that the eyes were not calibrated (1 rays): a recording does not say so"]);
    assert_eq!(kinds(&losses), [LossKind::Unsupported]);
}

#[test]
fn joints_are_where_they_belong() {
    let mut joints = joints([0.5, -0.5, 1.0]);
    joints[0] = Frame::STILL.at([0.1, 0.2, 0.3]).rows();
    joints[1] = Frame::STILL.at([0.4, 0.5, 0.6]).rows();
    joints[10] = LEFT.rows();
    let text = hand_rows(&[hand(&[1.0], &joints, ALL, ALL)]);
    for (name, side) in [("Hands/Left.txt", Hand::Left), ("Hands/Right.txt", Hand::Right)] {
        let (recording, losses) = open(&[(name, &text)]);
        let pose = |joint| recording.hand(side).joint(joint).pose_at(0.0).expect("every joint is there");
        assert_pose(pose(Joint::Palm), [-0.2, 0.3, 0.1], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
        assert_pose(pose(Joint::Wrist), [-0.5, 0.6, 0.4], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
        assert_pose(pose(Joint::IndexTip), [0.0; 3], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        assert_pose(pose(Joint::PinkyTip), [0.5, 1.0, 0.75], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
        assert!(recording.hand(side).tracked.value_at(0.0));
        assert!(recording.hand(side).pinching.keys.is_empty(), "this form says nothing about pinching");
        assert!(recording.hand(side.other()).tracked.keys.is_empty(), "nothing is known of the other hand");
        assert!(losses.is_empty());
    }
}

#[test]
fn joints_that_are_not_valid_are_left_out() {
    let mut valid = ALL;
    valid[1] = 0.0;
    let mut tracked = ALL;
    tracked[1..4].fill(0.0);
    let mut broken = joints([0.0; 3]);
    broken[5] = NO_JOINT;
    let text = hand_rows(&[
        hand(&[1.0], &joints([0.0; 3]), valid, tracked),
        no_hand(&[0.0]),
        hand(&[0.0], &joints([0.0; 3]), ALL, ALL),
        no_hand(&[1.0]),
        hand(&[1.0], &broken, ALL, ALL),
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
        "that joints were inferred and not seen (2 joints): a recording does not say so",
    ];
    assert_eq!(words(&losses), expected);
}

#[test]
fn the_older_form_knows_of_pinching_and_gripping() {
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
    assert_eq!(words(&losses), ["that hands gripped (1 rows): a recording does not say so"]);
    assert_eq!(kinds(&losses), [LossKind::Unsupported]);
}

#[test]
fn a_hand_that_was_never_tracked_is_one_if_the_name_says_so() {
    let text = hand_rows(&[vec![0.0; 3], vec![0.0; 3]]);
    let (recording, losses) = open(&[("Hands/Left.txt", &text)]);
    assert_eq!(recording.duration_secs(), 1.0);
    assert!(!recording.hand(Hand::Left).tracked.value_at(0.0));
    assert!(losses.is_empty());
    assert_eq!(
        open_error(&[("a.txt", &text)], "a.txt"),
        "a.txt: row 1: 4 columns, which are those of no stream that is known"
    );
}

#[test]
fn streams_share_a_clock_and_start_with_the_earliest() {
    let head = row(&ticks(START + SECOND), &Frame::STILL.rows());
    let eyes = row(&ticks(START + 3 * SECOND), &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let left = row(&ticks(START + 2 * SECOND), &hand(&[1.0], &joints([0.0; 3]), ALL, ALL));
    let right = row(&ticks(START), &no_hand(&[0.0]));
    let files =
        [("Head/Head.txt", &*head), ("Eyes/Eyes.txt", &eyes), ("Hands/Left.txt", &left), ("Hands/Right.txt", &right)];
    let (recording, losses) = open(&files);
    assert_eq!(times(&recording.camera.as_ref().expect("there").position[0]), [1.0]);
    assert_eq!(times(&recording.gaze.as_ref().expect("there").origin[0]), [3.0]);
    assert_eq!(times(&recording.hand(Hand::Left).joint(Joint::Palm).position[0]), [2.0]);
    assert_eq!(recording.hand(Hand::Right).tracked.keys[0].time, 0.0);
    assert!(losses.is_empty());
}

#[test]
fn holoassist_has_seconds_and_a_folder_of_its_own() {
    let times_of = |n: u32| secs_and_ticks(f64::from(n) / 32.0, START);
    let text = |numbers: &[f64]| row(&times_of(8), numbers) + &row(&times_of(9), numbers);
    let head = text(&Frame::STILL.at([0.0, 0.0, 1.6]).rows());
    let eyes = text(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let left = text(&hand(&[1.0], &joints([0.0; 3]), ALL, ALL));
    // As newer files have it: grips, pinches, is active.
    let right = text(&hand(&[0.0, 1.0, 1.0], &joints([0.0; 3]), ALL, ALL));
    let files = [
        ("Export_py/Head/Head_sync.txt", &*head),
        ("Export_py/Eyes/Eyes_sync.txt", &eyes),
        ("Export_py/Hands/Left_sync.txt", &left),
        ("Export_py/Hands/Right_sync.txt", &right),
    ];
    let folder = folder(&files);
    let (recording, losses) = psi::open(folder.path()).expect("sound");
    assert_eq!(times(&recording.camera.as_ref().expect("there").position[0]), [0.0, 1.0 / 32.0]);
    assert_eq!(camera_at(&recording, 0.0).position, [0.0, 1.6, 0.0]);
    assert!(recording.hand(Hand::Right).pinching.value_at(0.0));
    assert!(recording.hand(Hand::Left).joint(Joint::Palm).pose_at(0.0).is_some());
    assert!(recording.gaze.is_some());
    assert!(losses.is_empty());
    assert_eq!(psi::open(folder.path().join("Export_py")).expect("the same").0, recording);
    let opened = holotape_convert::open(folder.path()).expect("a folder is one of psi");
    assert_eq!((opened.file_format, opened.recording), (FileFormat::Psi, recording));
}

#[test]
fn three_and_four_flags_of_as_many_columns_are_told_apart() {
    let joints = joints([0.0; 3]);
    let three = row(&secs_and_ticks(0.5, START), &hand(&[1.0, 1.0, 1.0], &joints, ALL, ALL));
    let four = row(&ticks(START), &hand(&[1.0, 1.0, 0.0, 1.0], &joints, ALL, ALL));
    for text in [three, four] {
        assert_eq!(text.matches('\t').count(), 472);
        let (recording, losses) = open(&[("Hands/Left_sync.txt", &text)]);
        let left = recording.hand(Hand::Left);
        assert!(left.tracked.value_at(0.0) && left.pinching.value_at(0.0));
        assert_eq!(left.joint(Joint::PinkyTip).pose_at(0.0).expect("there").position, [0.0, 0.0, 0.25]);
        assert_eq!(words(&losses), ["that hands gripped (1 rows): a recording does not say so"]);
    }
}

#[test]
fn a_file_alone_is_told_by_its_name() {
    let text = hand_rows(&[hand(&[1.0], &joints([0.0; 3]), ALL, ALL)]);
    let folder = folder(&[("Right_sync.txt", &text)]);
    let opened = holotape_convert::open(folder.path().join("Right_sync.txt")).expect("sound");
    assert_eq!(opened.file_format, FileFormat::Psi);
    assert!(opened.recording.hand(Hand::Right).tracked.value_at(0.0));
    let expected =
        "row 1: 470 columns, which are those of a hand, and only a file called Left.txt or Right.txt says which";
    assert_eq!(from_slice(text.as_bytes()).expect_err("which hand?").to_string(), expected);
    assert_eq!(open_error(&[("hand.txt", &text)], "hand.txt"), format!("hand.txt: {expected}"));
    // Rows of the older form that have no joints could be anything.
    let old = hand_rows(&[vec![0.0; 3], vec![0.0; 419]]);
    let expected = expected.replace("row 1: 470", "row 2: 420");
    assert_eq!(psi::read(old.as_bytes()).expect_err("which hand?").to_string(), expected);
}

#[test]
fn line_ends_marks_and_tabs_at_the_end_do_not_matter() {
    let text: String = (0..3).map(|n| row(&ticks(START + n * SECOND), &LEFT.rows())).collect();
    let (expected, _) = psi::read(text.as_bytes()).expect("sound");
    let others = [
        text.replace('\n', "\r\n"),
        text.replace('\n', "\t\r\n"),
        format!("\u{feff}{text}\n \n"),
        text.trim_end().to_owned(),
    ];
    for text in others {
        assert_eq!(from_slice(text.as_bytes()).expect("sound").recording, expected, "{text:?}");
    }
}

#[test]
fn missing_and_broken_heads_are_not_the_same() {
    let mut stretched = LEFT.rows();
    stretched[1] = -2.0;
    let heads = [LEFT.rows(), NO_JOINT, stretched, LEFT.rows()];
    let text: String = (0..).zip(heads).map(|(n, head)| row(&ticks(START + n * SECOND), &head)).collect();
    let (recording, losses) = psi::read(text.as_bytes()).expect("sound");
    assert_eq!(times(&recording.camera.expect("there").position[0]), [0.0, 3.0]);
    let expected = [
        "dropped poses and rays with non-finite values: camera 1",
        "interpolated over rows with missing values: camera 1",
    ];
    assert_eq!(words(&losses), expected);
    assert_eq!(kinds(&losses), [LossKind::Unusable, LossKind::Invented]);
}

#[test]
fn rows_that_are_late_are_left_out_and_counted() {
    let text: String = [0, 2, 1, 2, 3].map(|n| row(&ticks(START + n * SECOND), &LEFT.rows())).concat();
    let (recording, losses) = psi::read(text.as_bytes()).expect("sound");
    assert_eq!(times(&recording.camera.expect("there").position[0]), [0.0, 2.0, 3.0]);
    assert_eq!(words(&losses), ["dropped rows that are not after the one before: camera 2"]);
}

#[test]
fn the_earliest_row_is_the_start_even_if_it_is_late() {
    let head = [5, 1].map(|n| row(&ticks(START + n * SECOND), &LEFT.rows())).concat();
    let (recording, losses) = psi::read(head.as_bytes()).expect("sound");
    assert_eq!(times(&recording.camera.expect("there").position[0]), [4.0]);
    assert_eq!(kinds(&losses), [LossKind::Unusable]);
}

#[test]
fn a_last_row_that_is_cut_is_left_out_with_its_file_named() {
    let head = hand_rows(&[LEFT.rows().to_vec(), LEFT.rows().to_vec()]);
    let left = hand_rows(&[no_hand(&[0.0]), hand(&[1.0], &joints([0.0; 3]), ALL, ALL)]);
    let folder = folder(&[("Head/Head.txt", &head), ("Hands/Left.txt", &left[..left.len() - 60])]);
    let (recording, losses) = psi::open(folder.path()).expect("only cut");
    assert!(recording.hand(Hand::Left).joint(Joint::Palm).pose_at(1.0).is_none());
    let path = folder.path().join("Hands").join("Left.txt");
    assert_eq!(words(&losses), [format!("{}: the last row (2), which is cut short: left out", path.display())]);
    assert_eq!(kinds(&losses), [LossKind::Unusable]);
    let (_, losses) = psi::read(&head.as_bytes()[..head.len() - 10]).expect("only cut");
    assert_eq!(words(&losses), ["the last row (2), which is cut short: left out"]);
}

#[test]
fn a_row_of_the_older_form_that_is_cut_is_left_out_wherever_the_cut_is() {
    let whole = [&[0.0, 0.0, 1.0], joints([0.0; 3]).as_flattened()].concat();
    for columns in [2, 3, 4, 100, 400, 418] {
        let text = hand_rows(&[vec![0.0; 3], whole[..columns].to_vec()]);
        let (recording, losses) = open(&[("Hands/Left.txt", text.trim_end())]);
        assert_eq!(recording.hand(Hand::Left).tracked.keys.len(), 1, "{columns} columns");
        assert_eq!(kinds(&losses), [LossKind::Unusable]);
    }
}

#[test]
fn a_stream_without_rows_is_absent() {
    let head = row(&ticks(START), &LEFT.rows());
    let (recording, losses) = open(&[("Head/Head.txt", &head), ("Eyes/Eyes.txt", "\r\n")]);
    assert!(recording.camera.is_some() && recording.gaze.is_none() && recording.hands.is_none());
    assert!(losses.is_empty());
}

#[test]
fn what_is_wrong_is_named() {
    let head = row(&ticks(START), &LEFT.rows());
    let wrong_cell = head.clone() + &head.replace("\t-1\t", "\tx\t") + &head;
    let wrong_time = head.clone() + &head.replace(&START.to_string(), "noon") + &head;
    let files: [(&str, &str, &str); 7] = [
        ("Head/Head.txt", &wrong_cell, "Head/Head.txt: row 2, column 3: \"x\" is no number"),
        ("Head/Head.txt", &wrong_time, "Head/Head.txt: row 2, column 1: \"noon\" is no number"),
        (
            "Head/Head.txt",
            &(head.clone() + "1\t2\n" + &head),
            "Head/Head.txt: row 2: 2 columns, where there should be 17",
        ),
        (
            "Eyes/Eyes.txt",
            &head,
            "Eyes/Eyes.txt: row 1: 17 columns, which are those of the head, and the name of the file is that of the eyes",
        ),
        (
            "Hands/Left.txt",
            &hand_rows(&[vec![0.0, 0.0, 1.0], vec![0.0; 419], vec![0.0; 3]]),
            "Hands/Left.txt: row 1: 4 columns, and the hand is tracked: its joints are missing",
        ),
        (
            "Hands/Left.txt",
            &hand_rows(&[hand(&[2.0], &joints([0.0; 3]), ALL, ALL), no_hand(&[0.0])]),
            "Hands/Left.txt: row 1, column 2: \"2\" is neither 0 nor 1",
        ),
        ("Head/Head.txt", "\n", "there are no rows"),
    ];
    for (name, text, message) in files {
        assert_eq!(open_error(&[(name, text)], ""), message);
    }
    let half = row(&ticks(START), &LEFT.rows()).replace(&START.to_string(), &format!("{START}.5"));
    assert_eq!(
        psi::read((head + &half + &half).as_bytes()).expect_err("half a tick").to_string(),
        format!("row 2, column 1: \"{START}.5\" is no time")
    );
}

#[test]
fn a_time_that_was_rounded_is_none() {
    let head = row(&ticks(START), &LEFT.rows()).replace(&START.to_string(), "6.378e17");
    let error = psi::read((head.clone() + &head).as_bytes()).expect_err("digits are missing");
    assert_eq!(error.to_string(), "row 1, column 1: \"6.378e17\" is no time");
}

#[test]
fn clocks_that_have_nothing_in_common_are_refused() {
    let head = row(&ticks(START), &LEFT.rows());
    let eyes = row(&["0.5".to_owned()], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let message = "some of these streams have times in seconds, others in ticks: no clock is common";
    assert_eq!(open_error(&[("Head/Head.txt", &head), ("Eyes/Eyes.txt", &eyes)], ""), message);
}

#[test]
fn ticks_are_the_clock_if_seconds_are_not_everywhere() {
    let head = row(&ticks(START), &LEFT.rows());
    let eyes = row(&secs_and_ticks(77.0, START + SECOND), &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let (recording, _) = open(&[("Head/Head.txt", &head), ("Eyes/Eyes_sync.txt", &eyes)]);
    assert_eq!(times(&recording.gaze.expect("there").origin[0]), [1.0]);
}

#[test]
fn a_folder_of_something_else_is_refused() {
    let folder = folder(&[("notes.txt", "nothing")]);
    let error = psi::open(folder.path()).expect_err("no streams");
    assert_eq!(error.kind(), ErrorKind::NotARecording);
    assert_eq!(error.path(), Some(folder.path()));
    let missing = psi::open(Path::new("no/such/Head.txt")).expect_err("no file");
    assert_eq!(missing.kind(), ErrorKind::Io);
}
