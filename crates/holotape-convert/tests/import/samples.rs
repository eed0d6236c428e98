//! The small files in `testdata/import`: they match the builders, and are read correctly.

use std::fs;

use holotape::{Hand, Joint, Recording, Skeleton};
use holotape_convert::{FileFormat, LossKind, open};

use crate::import::build::hl2ss::{self, Packet};
use crate::import::build::psi::{hand, joints, no_hand, row, secs_and_ticks, ticks};
use crate::import::build::{Frame, psi, stream_recorder};
use crate::import::{assert_frames, assert_pose, camera_at, kinds, layouts, testdata};

/// Five frames at 30 Hz: the head looks ahead and then left, the left hand is tracked in the first three frames and the
/// right hand in the last three, the gaze is missing in the last one.
const FRAMES: u64 = 5;
const STEP: u64 = 333_333;
const PSI_LEFT: Frame = Frame { x: [0.0, 1.0, 0.0], y: [-1.0, 0.0, 0.0], z: [0.0, 0.0, 1.0], position: [0.0; 3] };

fn looks_left(n: u64) -> bool {
    n >= 2
}

fn has_hands(n: u64) -> [bool; 2] {
    [n <= 2, n >= 2]
}

fn has_eyes(n: u64) -> bool {
    n < 4
}

fn hl2ss_packet(n: u64) -> Packet {
    let [left, right] = has_hands(n);
    let bits = [(true, hl2ss::HEAD), (has_eyes(n), hl2ss::EYE), (left, hl2ss::LEFT), (right, hl2ss::RIGHT)];
    let valid = bits.into_iter().filter(|(is_set, _)| *is_set).map(|(_, bit)| bit).sum();
    let mut packet = Packet::new(1_234_567_890 + n * STEP, valid);
    if looks_left(n) {
        packet.head[3..6].copy_from_slice(&[-1.0, 0.0, 0.0]);
    }
    packet
}

fn table_row(n: u64) -> stream_recorder::Row {
    let mut row = stream_recorder::Row::new(stream_recorder::START + n * STEP);
    if looks_left(n) {
        row.head = Frame::LEFT.at(row.head.position);
    }
    let [left, right] = has_hands(n);
    row.hands = [
        left.then(|| stream_recorder::hand([-0.5, 1.0, -0.5])),
        right.then(|| stream_recorder::hand([0.5, 1.0, -0.5])),
    ];
    row.gaze = has_eyes(n).then_some(([0.0, 1.6, 0.0], [0.0, 0.0, -1.0]));
    row.distance = if has_eyes(n) { 2.5 } else { 0.0 };
    row
}

/// The texts of head, gaze, left and right hand, with the given times.
fn psi_texts(times: impl Fn(u64) -> Vec<String>) -> [String; 4] {
    let text = |numbers: &dyn Fn(u64) -> Vec<f64>| (0..FRAMES).map(|n| row(&times(n), &numbers(n))).collect::<String>();
    let head = |n| if looks_left(n) { PSI_LEFT } else { Frame::STILL }.at([0.0, 0.0, 1.6]).rows().to_vec();
    let eyes = |n| if has_eyes(n) { vec![0.0, 0.0, 1.6, 1.0, 0.0, 0.0] } else { vec![f64::NAN; 6] };
    let hands = |n, side: usize| {
        let joints = joints([0.5, [0.5, -0.5][side], 1.0]);
        if has_hands(n)[side] { hand(&[1.0], &joints, [1.0; 26], [1.0; 26]) } else { no_hand(&[0.0]) }
    };
    [text(&head), text(&eyes), text(&|n| hands(n, 0)), text(&|n| hands(n, 1))]
}

fn old_left_hand() -> String {
    let numbers = |n| match n {
        0..3 => [&[0.0, f64::from(u8::from(n == 1)), 1.0][..], joints([0.5, 0.5, 1.0]).as_flattened()].concat(),
        _ => vec![0.0; 3],
    };
    (0..FRAMES).map(|n| row(&ticks(psi::START + n * STEP), &numbers(n))).collect()
}

/// Consecutive frames of the demo, with the hands and the gaze of the other samples.
fn demo_frames() -> Vec<holotape::Frame> {
    let mut frames = layouts::frames(&layouts::demo(), 180);
    frames.drain(..layouts::first_with_hands(&frames));
    frames.truncate(FRAMES as usize);
    for (n, frame) in frames.iter_mut().enumerate() {
        let n = n as u64;
        frame.time = (n as f64 / 30.0 * 1e6).round() / 1e6;
        frame.gaze = frame.gaze.filter(|_| has_eyes(n));
        for (hand, is_tracked) in [&mut frame.left, &mut frame.right].into_iter().zip(has_hands(n)) {
            let hand = hand.as_mut().expect("hands");
            assert!(hand.tracked, "the demo has both hands");
            hand.tracked = is_tracked;
        }
    }
    frames
}

/// Files of glasses and headsets, rounded to a micrometre.
fn demo_samples() -> Vec<(String, Vec<u8>)> {
    let frames = demo_frames();
    let metadata = format!("{{\"version\":\"1.0\",\"frameCount\":{FRAMES},\"hasVideo\":false}}\n");
    let files = [
        ("vision_pro/tracking.jsonl", layouts::vision_pro::file(&frames, 6)),
        ("vision_pro/metadata.json", metadata),
        ("aria_mps/hand_tracking/hand_tracking_results.csv", layouts::aria_mps::hands(&frames, 6)),
        ("aria_mps/slam/closed_loop_trajectory.csv", layouts::aria_mps::trajectory(&frames, 9)),
        ("aria_mps/eye_gaze/general_eye_gaze.csv", layouts::aria_mps::gaze(&frames, 9)),
    ];
    files.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes())).collect()
}

fn samples() -> Vec<(String, Vec<u8>)> {
    let packets: Vec<_> = (0..FRAMES).map(hl2ss_packet).collect();
    let rows: Vec<_> = (0..FRAMES).map(table_row).collect();
    let mut samples = vec![
        ("hl2ss_spatial_input.bin".to_owned(), hl2ss::file(&packets)),
        ("stream_recorder_head_hand_eye.csv".to_owned(), stream_recorder::file(&rows).into_bytes()),
        ("psi_stereokit/Hands/Left.txt".to_owned(), old_left_hand().into_bytes()),
    ];
    let names = ["Head/Head", "Eyes/Eyes", "Hands/Left", "Hands/Right"];
    let of_psi = psi_texts(|n| ticks(psi::START + n * STEP));
    let of_holoassist = psi_texts(|n| secs_and_ticks(n as f64 / 30.0, psi::START + n * STEP));
    for ((name, psi), holoassist) in names.into_iter().zip(of_psi).zip(of_holoassist) {
        samples.push((format!("psi/{name}.txt"), psi.into_bytes()));
        samples.push((format!("holoassist/Export_py/{name}_sync.txt"), holoassist.into_bytes()));
    }
    samples.extend(demo_samples());
    samples
}

#[test]
fn samples_match_the_builders() {
    for (name, bytes) in samples() {
        assert!(bytes.len() < 30_000, "{name} is not small");
        assert!(fs::read(testdata(&name)).is_ok_and(|stored| stored == bytes), "{name} differs: see write_samples");
    }
}

#[test]
#[ignore = "rewrites testdata/import"]
fn write_samples() {
    for (name, bytes) in samples() {
        let path = testdata(&name);
        fs::create_dir_all(path.parent().expect("within testdata")).expect("a folder");
        fs::write(path, bytes).expect("written");
    }
}

fn imported(name: &str, file_format: FileFormat, losses: &[LossKind]) -> Recording {
    let imported = open(testdata(name)).expect("valid");
    assert_eq!(imported.file_format, file_format);
    assert_eq!(kinds(&imported.losses), losses, "{name}");
    imported.recording
}

#[test]
fn all_samples_give_the_same_recording() {
    let recordings = [
        imported("hl2ss_spatial_input.bin", FileFormat::Hl2ss, &[LossKind::Unsupported]),
        imported("stream_recorder_head_hand_eye.csv", FileFormat::StreamRecorder, &[LossKind::Unsupported]),
        imported("psi", FileFormat::Psi, &[]),
        imported("holoassist", FileFormat::Psi, &[]),
    ];
    for recording in &recordings {
        let step = 1.0 / 30.0;
        assert!((recording.duration_secs() - 4.0 / 30.0).abs() < 1e-5);
        assert_pose(camera_at(recording, 0.0), [0.0, 1.6, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
        assert_pose(camera_at(recording, 3.0 * step), [0.0, 1.6, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        let tracked = |time: f64| Hand::ALL.map(|hand| recording.hand(hand).tracked.value_at(time));
        assert_eq!([0.5, 2.5, 3.5].map(|n| tracked(n * step)), [[true, false], [true, true], [false, true]]);
        assert_eq!(recording.gaze.as_ref().map(|gaze| gaze.origin[0].keys.len()), Some(4));
        let palm = recording.hand(Hand::Left).joint(Joint::Palm).pose_at(0.0).expect("present");
        assert_pose(palm, [-0.5, 1.0, 0.5], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    }
}

#[test]
fn samples_of_the_demo_give_its_frames() {
    let frames = demo_frames();
    for (name, file_format, skeleton) in
        [("vision_pro", FileFormat::VisionPro, Skeleton::ArKit), ("aria_mps", FileFormat::AriaMps, Skeleton::Aria)]
    {
        let imported = open(testdata(name)).expect("valid");
        assert_eq!(imported.file_format, file_format);
        assert_frames(&imported.recording, &frames, skeleton);
    }
}

#[test]
fn older_sample_has_pinches() {
    let recording = imported("psi_stereokit", FileFormat::Psi, &[]);
    let left = recording.hand(Hand::Left);
    let states = |n: f64| (left.tracked.value_at(n / 30.0), left.pinching.value_at(n / 30.0));
    assert_eq!([0.5, 1.5, 2.5, 3.5].map(states), [(true, false), (true, true), (true, false), (false, false)]);
}
