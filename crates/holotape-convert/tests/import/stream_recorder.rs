//! StreamRecorder tables.

use holotape::{ErrorKind, Hand, Joint};
use holotape_convert::{FileFormat, LossKind, from_slice, stream_recorder};

use crate::import::build::Frame;
use crate::import::build::stream_recorder::{Row, START, file, hand};
use crate::import::{assert_pose, camera_at, is_near, kinds, messages, times};

/// 1/30 s in ticks.
const STEP: u64 = 333_333;

fn rows(count: u64) -> Vec<Row> {
    (0..count).map(|n| Row::new(START + n * STEP)).collect()
}

/// The table with some cells of a row replaced.
fn with_cells(rows: &[Row], row: usize, cells: &[(usize, &str)]) -> String {
    let mut lines: Vec<_> = rows.iter().map(Row::cells).collect();
    for (column, cell) in cells {
        lines[row][*column] = (*cell).to_owned();
    }
    lines.iter().map(|line| line.join(",") + "\n").collect()
}

fn error(text: &str) -> String {
    stream_recorder::read(text.as_bytes()).expect_err("something is wrong").to_string()
}

#[test]
fn head_that_looks_left_is_converted() {
    let mut row = Row::new(START);
    row.head = Frame::LEFT.at([0.25, 1.0, -2.0]);
    let (recording, losses) = stream_recorder::read(file(&[row]).as_bytes()).expect("valid");
    assert_pose(camera_at(&recording, 0.0), [0.25, 1.0, 2.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    assert!(recording.gaze.is_none());
    assert!(losses.is_empty());
}

#[test]
fn joints_are_mapped_and_converted() {
    let mut row = Row::new(START);
    let mut joints = hand([0.5, 1.0, -0.5]);
    joints[0].position = [0.1, 0.2, 0.3];
    joints[1].position = [0.4, 0.5, 0.6];
    // Bones point along -z: this one up, with its back towards the user.
    joints[10] = Frame { x: [1.0, 0.0, 0.0], y: [0.0, 0.0, 1.0], z: [0.0, -1.0, 0.0], position: [0.0; 3] };
    row.hands[1] = Some(joints);
    let (recording, losses) = stream_recorder::read(file(&[row]).as_bytes()).expect("valid");
    let pose = |joint| recording.hand(Hand::Right).joint(joint).pose_at(0.0).expect("every joint has a pose");
    assert_pose(pose(Joint::Palm), [0.1, 0.2, -0.3], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    assert_pose(pose(Joint::Wrist), [0.4, 0.5, -0.6], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    assert_pose(pose(Joint::IndexTip), [0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]);
    assert_pose(pose(Joint::PinkyTip), [0.75, 1.0, 0.5], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    assert!(recording.hand(Hand::Left).joint(Joint::Wrist).pose_at(0.0).is_none());
    assert!(losses.is_empty());
}

#[test]
fn flags_determine_tracked_hands_and_gaze() {
    let mut rows = rows(4);
    rows[1].hands[0] = Some(hand([0.0; 3]));
    rows[2].gaze = Some(([0.1, 1.6, 0.2], [0.6, 0.0, -0.8]));
    rows[2].distance = 2.5;
    // The distance of an invalid gaze is uninitialized.
    rows[3].distance = 1e30;
    let (recording, losses) = stream_recorder::read(file(&rows).as_bytes()).expect("valid");
    let step = |n: f64| (n * 0.033_333_3) as f32;
    let left = recording.hand(Hand::Left);
    let tracked: Vec<_> = left.tracked.keys.iter().map(|key| (key.time, key.value)).collect();
    assert_eq!(tracked, [(0.0, 0.0), (step(1.0), 1.0), (step(2.0), 0.0)]);
    assert_eq!(recording.duration_secs(), step(3.0));
    assert_eq!(times(&left.joint(Joint::ThumbTip).rotation[3]), [step(1.0)]);
    assert!(left.pinching.keys.is_empty(), "the table has no pinching flag");
    let gaze = recording.gaze.expect("there once");
    assert_eq!(times(&gaze.direction[0]), [step(2.0)]);
    let ray = gaze.ray_at(0.0).expect("there once");
    assert!(is_near(ray.origin, [0.1, 1.6, -0.2]) && is_near(ray.direction, [0.6, 0.0, 0.8]), "{ray:?}");
    assert_eq!(messages(&losses), ["dropped the gaze distance in 1 row: not part of a recording"]);
    assert_eq!(kinds(&losses), [LossKind::Unsupported]);
}

#[test]
fn shorter_rows_have_no_distance_or_gaze() {
    let mut row = Row::new(START);
    row.hands[0] = Some(hand([0.0; 3]));
    row.gaze = Some(([0.0, 1.6, 0.0], [0.0, 0.0, -1.0]));
    row.distance = 2.5;
    let (complete, _) = stream_recorder::read(file(std::slice::from_ref(&row)).as_bytes()).expect("valid");
    let shorter = |columns: usize| {
        let text = row.cells()[..columns].join(",") + "\n";
        let imported = from_slice(text.as_bytes()).expect("valid");
        assert_eq!(imported.file_format, FileFormat::StreamRecorder);
        assert!(imported.losses.is_empty());
        imported.recording
    };
    assert_eq!(shorter(860), complete);
    assert_eq!(shorter(851), holotape::Recording { gaze: None, ..complete });
}

#[test]
fn non_finite_values_drop_only_their_pose() {
    let mut rows = rows(2);
    rows[0].hands = [Some(hand([0.0; 3])); 2];
    rows[0].gaze = Some(([0.0; 3], [0.0, 0.0, -1.0]));
    let cells = [
        (1, "nan"),
        (18, "-nan(ind)"),
        (18 + 16 + 3, "inf"),
        (435 + 16 * 5, "1.#QNAN"),
        (435 + 16 * 6, "2"),
        (858, "-1.#IND"),
    ];
    let (recording, losses) = stream_recorder::read(with_cells(&rows, 0, &cells).as_bytes()).expect("valid");
    let step = 0.033_333_3;
    assert_eq!(times(&recording.camera.as_ref().expect("in row 2").position[0]), [step]);
    assert!(recording.hand(Hand::Left).joint(Joint::Palm).pose_at(0.0).is_none());
    assert!(recording.hand(Hand::Left).joint(Joint::Wrist).pose_at(0.0).is_none());
    assert!(recording.hand(Hand::Left).joint(Joint::ThumbMetacarpalJoint).pose_at(0.0).is_some());
    assert_eq!(messages(&losses), ["dropped poses and rays with non-finite values: camera 1, left 2, right 2, gaze 1"]);
}

#[test]
fn late_rows_are_dropped_and_counted() {
    let mut rows = rows(5);
    rows[2].ticks = rows[1].ticks;
    rows[3].ticks = START - 1;
    let (recording, losses) = stream_recorder::read(file(&rows).as_bytes()).expect("valid");
    assert_eq!(times(&recording.camera.expect("present").position[0]).len(), 3);
    assert_eq!(messages(&losses), ["dropped rows that are not after the one before: camera 2, left 2, right 2"]);
}

#[test]
fn truncated_last_row_is_dropped() {
    let mut rows = rows(2);
    rows[1].hands[0] = Some(hand([0.5, 0.0, -0.25]));
    let complete = file(&rows);
    let first = file(&rows[..1]);
    let (expected, _) = stream_recorder::read(first.as_bytes()).expect("valid");
    let last_comma = complete.rfind(',').expect("there are some");
    for end in (first.len() + 1..=last_comma).step_by(7).chain([last_comma + 1]) {
        for text in [complete[..end].to_owned(), complete[..end].to_owned() + "\r\n"] {
            if end == last_comma + 1 && text.ends_with('\n') {
                continue; // An empty cell in a complete line is invalid, not truncated.
            }
            let (recording, losses) = stream_recorder::read(text.as_bytes()).expect("only truncated");
            assert_eq!(recording, expected, "cut at {end}");
            assert_eq!(messages(&losses), ["dropped the last row (2): it is truncated"]);
            assert_eq!(kinds(&losses), [LossKind::Unusable]);
        }
    }
}

#[test]
fn line_ends_and_blank_lines_are_ignored() {
    let rows = rows(3);
    let text = file(&rows);
    let (expected, _) = stream_recorder::read(text.as_bytes()).expect("valid");
    for text in [text.replace('\n', "\r\n"), format!("\u{feff}{text}\n\n"), text.trim_end().to_owned()] {
        assert_eq!(from_slice(text.as_bytes()).expect("valid").recording, expected);
    }
}

#[test]
fn errors_name_the_location() {
    let rows = rows(3);
    let no_rows = stream_recorder::read(b" \n\r\n").expect_err("no rows");
    assert_eq!((no_rows.kind(), no_rows.to_string()), (ErrorKind::NotARecording, "the table has no rows".to_owned()));
    assert_eq!(error(&with_cells(&rows, 1, &[(16, "x")])), "row 2, column 17: \"x\" is not a number");
    assert_eq!(error(&with_cells(&rows, 1, &[(434, "")])), "row 2, column 435: \"\" is not a number");
    assert_eq!(error(&with_cells(&rows, 1, &[(17, "0.5")])), "row 2, column 18: \"0.5\" is not 0 or 1");
    assert_eq!(error(&with_cells(&rows, 2, &[(851, "nan")])), "row 3, column 852: \"nan\" is not 0 or 1");
    assert_eq!(error(&with_cells(&rows, 0, &[(0, "1.5e3")])), "row 1, column 1: \"1.5e3\" is not a timestamp");
    assert_eq!(error(&with_cells(&rows, 1, &[(5, "1,2")])), "row 2: 862 columns, expected 861");
    assert_eq!(
        error("132537342342342342,1,0,0\n"),
        "row 1: 4 columns, expected 861, 860 (no distance) or 851 (no gaze)"
    );
}
