//! Files of hl2ss: spatial input and the extended eye tracker.

use holotape::{ErrorKind, Hand, Joint};
use holotape_convert::{FileFormat, LossKind, from_slice, hl2ss};

use crate::build::hl2ss::{EYE, HEAD, LEFT, Packet, RIGHT, eye_packet, file, header, packet};
use crate::{assert_pose, camera_at, is_near, kinds, times, words};

/// A thirtieth of a second.
const STEP: u64 = 333_333;
const S: f32 = std::f32::consts::FRAC_1_SQRT_2;
const RADII: &str = "radii of joints: a recording has no place for them";

fn packets(valid: &[u32]) -> Vec<Packet> {
    (0..).zip(valid).map(|(n, valid)| Packet::new(987_654_321_000 + n * STEP, *valid)).collect()
}

fn error(bytes: &[u8]) -> String {
    hl2ss::read(bytes).expect_err("something is wrong").to_string()
}

#[test]
fn a_head_a_metre_up_that_looks_left() {
    let mut packet = Packet::new(5, HEAD);
    packet.head = [0.25, 1.0, -2.0, -1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let (recording, losses) = hl2ss::read(&file(&[packet])).expect("sound");
    assert_pose(camera_at(&recording, 0.0), [0.25, 1.0, 2.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    assert!(recording.gaze.is_none());
    assert!(losses.is_empty());
}

#[test]
fn a_head_that_looks_down_and_is_tilted() {
    let mut packet = Packet::new(5, HEAD);
    packet.head = [0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0];
    let (recording, _) = hl2ss::read(&file(&[packet])).expect("sound");
    assert_pose(camera_at(&recording, 0.0), [0.0; 3], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]);
}

#[test]
fn joints_are_where_they_belong() {
    let mut packet = Packet::new(5, LEFT | RIGHT);
    packet.hands[0][0].position = [0.1, 0.2, 0.3];
    packet.hands[0][1].position = [0.4, 0.5, 0.6];
    // A quarter turn to the left.
    packet.hands[1][10].rotation = [0.0, S, 0.0, S];
    let (recording, losses) = hl2ss::read(&file(&[packet])).expect("sound");
    let pose = |hand, joint| recording.hand(hand).joint(joint).pose_at(0.0).expect("every joint is there");
    assert_pose(pose(Hand::Left, Joint::Palm), [0.1, 0.2, -0.3], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    assert_pose(pose(Hand::Left, Joint::Wrist), [0.4, 0.5, -0.6], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    assert_pose(pose(Hand::Right, Joint::IndexTip), [0.6, 1.0, 0.5], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    assert_pose(pose(Hand::Right, Joint::PinkyTip), [0.75, 1.0, 0.5], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    assert!(recording.hand(Hand::Left).joint(Joint::None).pose_at(0.0).is_none());
    assert_eq!(words(&losses), [RADII]);
}

#[test]
fn the_eyes_look_where_they_look() {
    let mut packet = Packet::new(5, EYE);
    packet.eye = [0.1, 1.6, 0.2, 0.6, 0.0, -0.8];
    let (recording, _) = hl2ss::read(&file(&[packet])).expect("sound");
    let ray = recording.gaze.expect("valid").ray_at(0.0).expect("valid");
    assert!(is_near(ray.origin, [0.1, 1.6, -0.2]) && is_near(ray.direction, [0.6, 0.0, 0.8]), "{ray:?}");
}

#[test]
fn what_is_stale_is_left_out() {
    let bytes = file(&packets(&[HEAD | LEFT, LEFT, HEAD, HEAD | LEFT | RIGHT, 0]));
    let (recording, losses) = hl2ss::read(&bytes).expect("sound");
    let step = |n: f64| (n * 0.033_333_3) as f32;
    let camera = recording.camera.as_ref().expect("valid at times");
    assert_eq!(times(&camera.position[0]), [0.0, 2.0, 3.0].map(step));
    let left = recording.hand(Hand::Left);
    assert_eq!(times(&left.joint(Joint::Wrist).position[0]), [0.0, 1.0, 3.0].map(step));
    let tracked: Vec<_> = left.tracked.keys.iter().map(|key| (key.time, key.value)).collect();
    assert_eq!(tracked, [(0.0, 1.0), (step(2.0), 0.0), (step(3.0), 1.0), (step(4.0), 0.0)]);
    assert_eq!(times(&recording.hand(Hand::Right).joint(Joint::Wrist).position[0]), [step(3.0)]);
    assert!(left.pinching.keys.is_empty(), "hl2ss says nothing about pinching");
    assert!(recording.gaze.is_none());
    assert_eq!(recording.duration_secs(), step(4.0));
    let absent = "interpolated over rows with missing values: camera 1";
    assert_eq!(words(&losses), [absent, RADII]);
}

#[test]
fn what_has_no_pose_is_left_out_and_counted() {
    let mut packets = packets(&[HEAD | EYE | LEFT, HEAD | EYE | LEFT]);
    packets[0].head[3..6].fill(0.0);
    packets[1].head[6..9].copy_from_slice(&[0.0, 0.0, 1.0]);
    packets[0].eye[3..].fill(0.0);
    packets[0].hands[0][3].rotation = [0.0; 4];
    packets[1].hands[0][4].position[1] = f32::NAN;
    packets[1].hands[0][5].accuracy = 1;
    let (recording, losses) = hl2ss::read(&file(&packets)).expect("sound");
    assert!(recording.camera.is_none());
    let expected = [
        "dropped poses and rays with non-finite values: camera 2, left 2, gaze 1",
        RADII,
        "accuracy of joints (1 are approximate): a recording has no place for it",
    ];
    assert_eq!(words(&losses), expected);
    assert_eq!(kinds(&losses), [LossKind::Unusable, LossKind::Unsupported, LossKind::Unsupported]);
}

#[test]
fn packets_that_are_late_are_left_out_and_counted() {
    let mut packets = packets(&[HEAD; 5]);
    packets[2].ticks = packets[1].ticks;
    packets[3].ticks = 1;
    let (recording, losses) = hl2ss::read(&file(&packets)).expect("sound");
    assert_eq!(times(&recording.camera.expect("valid").position[0]).len(), 3);
    assert_eq!(words(&losses), ["dropped rows that are not after the one before: camera 2, left 2, right 2"]);
}

#[test]
fn older_files_are_read_the_same() {
    let packets = packets(&[HEAD | EYE | LEFT, HEAD | RIGHT]);
    let (new, _) = hl2ss::read(&file(&packets)).expect("sound");
    for magic in [b"X38HL2SS", b"HL2SSV23", b"HL2SSV99"] {
        let mut bytes = header(magic, 3812, b"");
        bytes.extend(packets.iter().flat_map(Packet::old_bytes));
        let opened = from_slice(&bytes).expect("sound");
        assert_eq!(opened.file_format, FileFormat::Hl2ss);
        assert_eq!(opened.recording, new);
    }
}

#[test]
fn a_last_packet_that_is_cut_is_left_out_wherever_the_cut_is() {
    let packets = packets(&[HEAD, HEAD | LEFT]);
    let whole = file(&packets);
    let first = file(&packets[..1]);
    let (expected, _) = hl2ss::read(&first).expect("sound");
    for end in first.len() + 1..whole.len() {
        let (recording, losses) = hl2ss::read(&whole[..end]).expect("only cut");
        assert_eq!(recording, expected);
        assert_eq!(words(&losses), ["the last packet (2), which is cut short: left out"]);
        assert_eq!(kinds(&losses), [LossKind::Unusable]);
    }
}

#[test]
fn a_file_without_packets_is_empty() {
    let (recording, losses) = hl2ss::read(&header(b"HL2SSV23", 3812, b"")).expect("sound");
    assert_eq!(recording, holotape::Recording::default());
    assert!(losses.is_empty());
}

#[test]
fn the_user_s_data_are_passed_over_and_named() {
    let mut bytes = header(b"HL2SSV23", 3812, b"subject 7");
    bytes.extend(Packet::new(5, HEAD).bytes());
    let (recording, losses) = hl2ss::read(&bytes).expect("sound");
    assert!(recording.camera.is_some());
    assert_eq!(words(&losses), ["user data in the header (9 bytes): a recording has no place for it"]);
}

#[test]
fn other_streams_are_named() {
    let named =
        [(3810, "video"), (3800, "a grey camera"), (3806, "the accelerometer"), (3811, "sound"), (1, "unknown")];
    for (port, name) in named {
        let expected = format!(
            "this is the hl2ss stream of port {port} ({name}); spatial input, with head, hands and eyes, is port 3812"
        );
        assert_eq!(error(&header(b"HL2SSV23", port, b"")), expected);
    }
}

#[test]
fn what_is_wrong_is_named() {
    let whole = file(&packets(&[HEAD, HEAD]));
    for end in 8..14 {
        assert_eq!(error(&whole[..end]), format!("the header is cut short at byte {end}"));
    }
    let mut promising = whole.clone();
    promising[10..14].copy_from_slice(&0x8000_0000_u32.to_le_bytes());
    assert_eq!(error(&promising), "the header promises 2147483648 bytes of user data, and 3896 follow");
    for size in [0_u32, 1935, 0x8000_0000, u32::MAX] {
        let mut bytes = whole.clone();
        bytes[14 + 1948 + 8..][..4].copy_from_slice(&size.to_le_bytes());
        let expected = format!("packet 2 at byte 1962: {size} bytes, where spatial input has 1936 or 1933");
        assert_eq!(error(&bytes), expected);
    }
    let not_hl2ss = hl2ss::read(b"GIF89a").expect_err("no magic");
    assert_eq!(not_hl2ss.kind(), ErrorKind::NotARecording);
}

/// For row vectors: a device at (1, 2, 3) that is turned left by a quarter.
const DEVICE: [f32; 16] = [0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 1.0];

fn eye_file(packets: &[Vec<u8>]) -> Vec<u8> {
    [&header(b"HL2SSV23", 3817, b"")[..], &[90], &packets.concat()].concat()
}

#[test]
fn the_eye_tracker_s_ray_is_put_into_the_world() {
    // Half a metre ahead of the device and looking ahead.
    let ray = [0.0, 0.0, -0.5, 0.0, 0.0, -1.0];
    let bytes = eye_file(&[eye_packet(10_000_000, 0b11, ray, DEVICE), eye_packet(20_000_000, 0b11, ray, DEVICE)]);
    let (recording, losses) = hl2ss::read(&bytes).expect("sound");
    let gaze = recording.gaze.expect("valid");
    assert_eq!(times(&gaze.origin[0]), [0.0, 1.0]);
    let ray = gaze.ray_at(0.0).expect("valid");
    // Its left is -x: half a metre along that from (1, 2, 3), whose z is turned over.
    assert!(is_near(ray.origin, [0.5, 2.0, -3.0]) && is_near(ray.direction, [-1.0, 0.0, 0.0]), "{ray:?}");
    assert!(recording.camera.is_none() && recording.hands.is_none());
    assert!(losses.is_empty());
}

#[test]
fn the_eye_tracker_s_bits_are_honoured() {
    let ray = [0.0, 0.0, 0.0, 0.0, 0.0, -1.0];
    let mut stretched = DEVICE;
    stretched[5] = 3.0;
    let bytes = eye_file(&[
        eye_packet(0, 0b01, ray, DEVICE),
        eye_packet(1, 0b11, ray, [0.0; 16]),
        eye_packet(2, 0b11, ray, stretched),
        eye_packet(3, 0b0101_0110, ray, DEVICE),
        eye_packet(4, 0b11, ray, DEVICE)[..100].to_vec(),
    ]);
    let (recording, losses) = hl2ss::read(&bytes).expect("sound");
    assert_eq!(times(&recording.gaze.expect("one is valid").origin[0]), [3e-7]);
    let expected = [
        "dropped poses and rays with non-finite values: gaze 1",
        "the ray of each eye, how open each eye is, the distance the eyes meet at: a recording has no place for it",
        "that the eyes were not calibrated (1 rays): a recording does not say so",
        "the last packet (5), which is cut short: left out",
    ];
    assert_eq!(words(&losses), expected);
}

#[test]
fn the_eye_tracker_s_faults_are_named() {
    assert_eq!(error(&header(b"HL2SSV23", 3817, b"")), "the header is cut short at byte 14");
    let bytes = eye_file(&[packet(0, &[0; 91])]);
    assert_eq!(error(&bytes), "packet 1 at byte 15: 91 bytes, where the extended eye tracker has 92");
}
