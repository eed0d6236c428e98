//! Files of version 2, built byte by byte.

use holotape::{Hand, Joint, Recording};
use holotape_convert::handsbin::{self, HandsbinVersion};
use holotape_convert::{LossKind, Losses};

use crate::handsbin::{kinds, messages, pose_key, written};

const NAME_LOSS: &str = "dropped the name \"recording\": not part of a recording";

/// The header of our own files without frames, up to the frame count.
fn header(options: i32, duration: f32) -> Vec<u8> {
    let (mut bytes, _) = written(&Recording::default(), HandsbinVersion::V2);
    bytes.truncate(bytes.len() - 4);
    bytes[8..12].copy_from_slice(&options.to_le_bytes());
    bytes[22..26].copy_from_slice(&duration.to_le_bytes());
    bytes
}

fn file(options: i32, duration: f32, frames: &[Vec<u8>]) -> Vec<u8> {
    [&header(options, duration)[..], &(frames.len() as i32).to_le_bytes(), &frames.concat()].concat()
}

fn ints(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn pose(x: f32) -> Vec<u8> {
    floats(&[x, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
}

/// A frame without head.
fn frame(flags: i32, time: f32, success: i32, blocks: &[Vec<u8>]) -> Vec<u8> {
    [ints(&[flags]), floats(&[time]), ints(&[0, success]), blocks.concat()].concat()
}

/// A hand with all joints at `x`.
fn step(flags: i32, root_x: f32, x: f32) -> Vec<u8> {
    [ints(&[flags]), pose(root_x), ints(&[26]), pose(x).repeat(26)].concat()
}

fn hand(flags: i32, x: f32) -> Vec<u8> {
    [ints(&[1]), step(flags, x, x)].concat()
}

fn read(bytes: &[u8]) -> (Recording, Losses) {
    handsbin::read(bytes).expect("valid")
}

fn wrist_times(recording: &Recording, hand: Hand) -> Vec<f32> {
    recording.hand(hand).joint(Joint::Wrist).position[0].keys.iter().map(|key| key.time).collect()
}

#[test]
fn untracked_hand_has_no_keys() {
    let frames =
        [frame(1, 0.0, 3, &[hand(3, 0.1)]), frame(1, 0.5, 3, &[hand(1, 0.1)]), frame(1, 1.0, 3, &[hand(3, 0.2)])];
    let (recording, losses) = read(&file(0, 1.0, &frames));
    assert_eq!(wrist_times(&recording, Hand::Left), [0.0, 1.0]);
    assert_eq!([0.0, 0.5, 1.0].map(|time| recording.hand(Hand::Left).tracked.value_at(time)), [true, false, true]);
    assert!(messages(&losses).contains(&"dropped poses of the left hand in 1 frame: not tracked".to_owned()));
}

#[test]
fn tracked_hand_without_joints_is_reported() {
    let no_joints = [ints(&[1, 2]), pose(0.0)].concat();
    let frames = [frame(2, 0.0, 0, &[no_joints]), frame(0, 0.5, 4, &[])];
    let (recording, losses) = read(&file(0, 0.5, &frames));
    assert!(!recording.hand(Hand::Right).tracked.value_at(0.0));
    let expected = "dropped the tracked flag of the right hand in 2 frames: joints are missing";
    assert_eq!(messages(&losses), [expected, NAME_LOSS]);
    assert_eq!(kinds(&losses), [LossKind::Flags, LossKind::Unsupported]);
}

/// A gestures block of the left hand.
fn gestures(flags: i32, values: &[u8]) -> Vec<u8> {
    [&ints(&[1, flags])[..], values].concat()
}

fn aim(flags: i32) -> Vec<u8> {
    let pose = if flags & 32 != 0 { pose(0.0) } else { Vec::new() };
    [ints(&[1, flags, 3, 0, 0]), floats(&[0.0; 4]), pose].concat()
}

#[test]
fn first_known_value_decides_the_pinch() {
    let value = |value: f32| floats(&[value]);
    let cases: [(Vec<u8>, Vec<u8>, bool); 7] = [
        (gestures(512 | 32, &[&value(0.0)[..], &[1]].concat()), aim(0), true),
        (gestures(512 | 32, &[&value(1.0)[..], &[0]].concat()), aim(2), false),
        (gestures(32, &value(0.75)), aim(0), true),
        (gestures(32, &value(0.5)), aim(2), false),
        (gestures(0, &[]), aim(2 | 32), true),
        (gestures(1024 | 1 << 20, &[]), aim(1 | 32), false),
        (gestures(128 | 256, &[1, 1]), aim(2), true),
    ];
    for (n, (gestures, aim, expected)) in cases.into_iter().enumerate() {
        let (recording, losses) = read(&file(0, 0.0, &[frame(1 | 4 | 16, 0.0, 3, &[hand(3, 0.1), gestures, aim])]));
        assert_eq!(recording.hand(Hand::Left).pinching.value_at(0.0), expected, "case {n}");
        assert!(!kinds(&losses).contains(&LossKind::Invented), "case {n}: {losses:?}");
    }
}

#[test]
fn unknown_pinch_is_false_and_reported() {
    let pinch = gestures(512, &[1]);
    let frames = [
        frame(1 | 4, 0.0, 3, &[hand(3, 0.1), pinch.clone()]),
        frame(1 | 4, 0.5, 3, &[hand(3, 0.1), gestures(0, &[])]),
        frame(1 | 4, 1.0, 3, &[hand(3, 0.1), pinch]),
    ];
    let (recording, losses) = read(&file(0, 1.0, &frames));
    assert_eq!([0.0, 0.5, 1.0].map(|time| recording.hand(Hand::Left).pinching.value_at(time)), [true, false, true]);
    let expected = "assumed that the left hand does not pinch in 1 frame: the file does not say";
    assert_eq!(messages(&losses), [expected, NAME_LOSS]);
}

#[test]
fn other_gestures_and_aim_are_reported() {
    let all = [pose(0.0), floats(&[0.5, 0.5]), pose(0.0).repeat(2), floats(&[0.5]), pose(0.0), vec![0, 1, 0]].concat();
    let blocks = [hand(3, 0.1), gestures(0x3ff, &all), aim(32)];
    let (recording, losses) = read(&file(0, 0.0, &[frame(1 | 4 | 16, 0.0, 3, &blocks)]));
    assert!(!recording.hand(Hand::Left).pinching.value_at(0.0));
    let expected = [
        "rounded pinch strengths: a recording has only a flag",
        "dropped the gestures other than pinches, the aim poses and buttons: not part of a recording",
        NAME_LOSS,
    ];
    assert_eq!(messages(&losses), expected);
}

#[test]
fn dynamic_step_is_read_and_the_other_reported() {
    let both = [ints(&[3]), step(3, 0.5, 0.1), step(3, 0.9, 0.9)].concat();
    let late_only = [ints(&[2]), step(3, 0.9, 0.9)].concat();
    let with_option = |frame: Vec<u8>| [&frame[..16], &ints(&[3]), &frame[16..]].concat();
    let frames = [with_option(frame(1, 0.0, 3, &[both])), with_option(frame(1, 0.5, 0, &[late_only]))];
    let (recording, losses) = read(&file(1, 0.5, &frames));
    let wrist = recording.hand(Hand::Left).joint(Joint::Wrist);
    assert_eq!(pose_key(wrist, 0.0).map(|pose| pose[0]), Some(0.1));
    assert_eq!(wrist_times(&recording, Hand::Left), [0.0]);
    assert!(!recording.hand(Hand::Left).tracked.value_at(0.5));
    let expected = "dropped the root poses, the poses before rendering: not part of a recording";
    assert!(messages(&losses).contains(&expected.to_owned()), "{losses:?}");
}

#[test]
fn head_needs_position_and_rotation() {
    let head = |time: f32, state: i32| {
        let pose = if state == 0 { Vec::new() } else { pose(time) };
        [ints(&[0]), floats(&[time]), ints(&[state]), pose, ints(&[0])].concat()
    };
    let frames = [head(0.0, 3), head(1.0, 1), head(2.0, 2), head(3.0, 0), head(4.0, 3)];
    let (recording, losses) = read(&file(0, 4.0, &frames));
    let times: Vec<_> = recording.camera.expect("a head").position[0].keys.iter().map(|key| key.time).collect();
    assert_eq!(times, [0.0, 4.0]);
    let expected = [
        "interpolated over rows with missing values: camera 3",
        "dropped the head in 2 frames: only its position or its rotation is valid",
        NAME_LOSS,
    ];
    assert_eq!(messages(&losses), expected);
}

#[test]
fn values_of_special_providers_are_reported() {
    let mut bytes = file(0, 0.0, &[]);
    // After the name and the duration: joint count, layout, mesh layout, finger shapes.
    bytes[30] = 0xfe;
    bytes[34] = 2;
    bytes[38..42].copy_from_slice(&1.0_f32.to_le_bytes());
    let (_, losses) = read(&bytes);
    let expected = "dropped the joint layout, the mesh layout, the finger shapes: not part of a recording";
    assert_eq!(messages(&losses), [expected, NAME_LOSS]);
}

#[test]
fn unknown_bits_are_accepted() {
    let mut bytes = file(
        1 << 8,
        0.0,
        &[frame(1 << 9 | 1, 0.0, 1 << 7, &[[ints(&[1 << 4 | 1]), step(1 << 6 | 3, 0.1, 0.1)].concat()])],
    );
    bytes[4..8].copy_from_slice(&(1_i32 << 20).to_le_bytes());
    let (recording, _) = read(&bytes);
    assert_eq!(wrist_times(&recording, Hand::Left), [0.0]);
}

#[test]
fn frames_out_of_order_are_dropped_and_reported() {
    let at = |time| frame(1, time, 3, &[hand(3, 0.1)]);
    let (recording, losses) = read(&file(0, 2.0, &[at(0.0), at(1.0), at(1.0), at(0.5), at(2.0)]));
    assert_eq!(wrist_times(&recording, Hand::Left), [0.0, 1.0, 2.0]);
    let expected = "dropped rows that are not after the one before: left 2, right 2";
    assert!(messages(&losses).contains(&expected.to_owned()), "{losses:?}");
}
