//! hl2ss files: spatial input and the extended eye tracker.

use holotape::{ErrorKind, Hand, Joint};
use holotape_convert::{FileFormat, LossKind, from_slice, hl2ss};

use crate::import::build::hl2ss::{EYE, HEAD, LEFT, Packet, RIGHT, eye_packet, file, header, packet};
use crate::import::{assert_pose, camera_at, is_near, kinds, messages, times};

/// 1/30 s in ticks.
const STEP: u64 = 333_333;
const S: f32 = std::f32::consts::FRAC_1_SQRT_2;
const RADII: &str = "dropped the joint radii: not part of a recording";

fn packets(valid: &[u32]) -> Vec<Packet> {
    (0..).zip(valid).map(|(n, valid)| Packet::new(987_654_321_000 + n * STEP, *valid)).collect()
}

fn error(bytes: &[u8]) -> String {
    hl2ss::read(bytes).expect_err("something is wrong").to_string()
}

#[test]
fn head_that_looks_left_is_converted() {
    let mut packet = Packet::new(5, HEAD);
    packet.head = [0.25, 1.0, -2.0, -1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let (recording, losses) = hl2ss::read(&file(&[packet])).expect("valid");
    assert_pose(camera_at(&recording, 0.0), [0.25, 1.0, 2.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    assert!(recording.gaze.is_none());
    assert!(losses.is_empty());
}

#[test]
fn head_that_looks_down_is_converted() {
    let mut packet = Packet::new(5, HEAD);
    packet.head = [0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0];
    let (recording, _) = hl2ss::read(&file(&[packet])).expect("valid");
    assert_pose(camera_at(&recording, 0.0), [0.0; 3], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]);
}

#[test]
fn joints_are_mapped_and_converted() {
    let mut packet = Packet::new(5, LEFT | RIGHT);
    packet.hands[0][0].position = [0.1, 0.2, 0.3];
    packet.hands[0][1].position = [0.4, 0.5, 0.6];
    // Rotated left by 90°.
    packet.hands[1][10].rotation = [0.0, S, 0.0, S];
    let (recording, losses) = hl2ss::read(&file(&[packet])).expect("valid");
    let pose = |hand, joint| recording.hand(hand).joint(joint).pose_at(0.0).expect("every joint has a pose");
    assert_pose(pose(Hand::Left, Joint::Palm), [0.1, 0.2, -0.3], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    assert_pose(pose(Hand::Left, Joint::Wrist), [0.4, 0.5, -0.6], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    assert_pose(pose(Hand::Right, Joint::IndexTip), [0.6, 1.0, 0.5], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    assert_pose(pose(Hand::Right, Joint::PinkyTip), [0.75, 1.0, 0.5], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    assert!(recording.hand(Hand::Left).joint(Joint::None).pose_at(0.0).is_none());
    assert_eq!(messages(&losses), [RADII]);
}

#[test]
fn gaze_is_converted() {
    let mut packet = Packet::new(5, EYE);
    packet.eye = [0.1, 1.6, 0.2, 0.6, 0.0, -0.8];
    let (recording, _) = hl2ss::read(&file(&[packet])).expect("valid");
    let ray = recording.gaze.expect("valid").ray_at(0.0).expect("valid");
    assert!(is_near(ray.origin, [0.1, 1.6, -0.2]) && is_near(ray.direction, [0.6, 0.0, 0.8]), "{ray:?}");
}

#[test]
fn invalid_data_is_dropped() {
    let bytes = file(&packets(&[HEAD | LEFT, LEFT, HEAD, HEAD | LEFT | RIGHT, 0]));
    let (recording, losses) = hl2ss::read(&bytes).expect("valid");
    let step = |n: f64| (n * 0.033_333_3) as f32;
    let camera = recording.camera.as_ref().expect("valid at times");
    assert_eq!(times(&camera.position[0]), [0.0, 2.0, 3.0].map(step));
    let left = recording.hand(Hand::Left);
    assert_eq!(times(&left.joint(Joint::Wrist).position[0]), [0.0, 1.0, 3.0].map(step));
    let tracked: Vec<_> = left.tracked.keys.iter().map(|key| (key.time, key.value)).collect();
    assert_eq!(tracked, [(0.0, 1.0), (step(2.0), 0.0), (step(3.0), 1.0), (step(4.0), 0.0)]);
    assert_eq!(times(&recording.hand(Hand::Right).joint(Joint::Wrist).position[0]), [step(3.0)]);
    assert!(left.pinching.keys.is_empty(), "hl2ss has no pinching flag");
    assert!(recording.gaze.is_none());
    assert_eq!(recording.duration_secs(), step(4.0));
    let absent = "interpolated over rows with missing values: camera 1";
    assert_eq!(messages(&losses), [absent, RADII]);
}

#[test]
fn invalid_poses_are_dropped_and_counted() {
    let mut packets = packets(&[HEAD | EYE | LEFT, HEAD | EYE | LEFT]);
    packets[0].head[3..6].fill(0.0);
    packets[1].head[6..9].copy_from_slice(&[0.0, 0.0, 1.0]);
    packets[0].eye[3..].fill(0.0);
    packets[0].hands[0][3].rotation = [0.0; 4];
    packets[1].hands[0][4].position[1] = f32::NAN;
    packets[1].hands[0][5].accuracy = 1;
    let (recording, losses) = hl2ss::read(&file(&packets)).expect("valid");
    assert!(recording.camera.is_none());
    let expected = [
        "dropped poses and rays with non-finite values: camera 2, left 2, gaze 1",
        RADII,
        "dropped the accuracy of 1 approximate joints: not part of a recording",
    ];
    assert_eq!(messages(&losses), expected);
    assert_eq!(kinds(&losses), [LossKind::Unusable, LossKind::Unsupported, LossKind::Unsupported]);
}

#[test]
fn late_packets_are_dropped_and_counted() {
    let mut packets = packets(&[HEAD; 5]);
    packets[2].ticks = packets[1].ticks;
    packets[3].ticks = 1;
    let (recording, losses) = hl2ss::read(&file(&packets)).expect("valid");
    assert_eq!(times(&recording.camera.expect("valid").position[0]).len(), 3);
    assert_eq!(messages(&losses), ["dropped rows that are not after the one before: camera 2, left 2, right 2"]);
}

#[test]
fn older_files_are_read() {
    let packets = packets(&[HEAD | EYE | LEFT, HEAD | RIGHT]);
    let (new, _) = hl2ss::read(&file(&packets)).expect("valid");
    for magic in [b"X38HL2SS", b"HL2SSV23", b"HL2SSV99"] {
        let mut bytes = header(magic, 3812, b"");
        bytes.extend(packets.iter().flat_map(Packet::old_bytes));
        let imported = from_slice(&bytes).expect("valid");
        assert_eq!(imported.file_format, FileFormat::Hl2ss);
        assert_eq!(imported.recording, new);
    }
}

#[test]
fn truncated_last_packet_is_dropped() {
    let packets = packets(&[HEAD, HEAD | LEFT]);
    let complete = file(&packets);
    let first = file(&packets[..1]);
    let (expected, _) = hl2ss::read(&first).expect("valid");
    for end in first.len() + 1..complete.len() {
        let (recording, losses) = hl2ss::read(&complete[..end]).expect("only truncated");
        assert_eq!(recording, expected);
        assert_eq!(messages(&losses), ["dropped the last packet (2): truncated"]);
        assert_eq!(kinds(&losses), [LossKind::Unusable]);
    }
}

#[test]
fn file_without_packets_is_empty() {
    let (recording, losses) = hl2ss::read(&header(b"HL2SSV23", 3812, b"")).expect("valid");
    assert_eq!(recording, holotape::Recording::default());
    assert!(losses.is_empty());
}

#[test]
fn user_data_is_skipped_and_reported() {
    let mut bytes = header(b"HL2SSV23", 3812, b"subject 7");
    bytes.extend(Packet::new(5, HEAD).bytes());
    let (recording, losses) = hl2ss::read(&bytes).expect("valid");
    assert!(recording.camera.is_some());
    assert_eq!(messages(&losses), ["dropped 9 bytes of user data: not part of a recording"]);
}

#[test]
fn other_streams_are_rejected_by_name() {
    let named =
        [(3810, "video"), (3800, "a grey camera"), (3806, "the accelerometer"), (3811, "sound"), (1, "unknown stream")];
    for (port, name) in named {
        let expected = format!("unsupported hl2ss stream: port {port} ({name}); head, hands and gaze are on port 3812");
        assert_eq!(error(&header(b"HL2SSV23", port, b"")), expected);
    }
}

#[test]
fn errors_name_the_location() {
    let complete = file(&packets(&[HEAD, HEAD]));
    for end in 8..14 {
        assert_eq!(error(&complete[..end]), format!("the header is truncated at byte {end}"));
    }
    let mut declared = complete.clone();
    declared[10..14].copy_from_slice(&0x8000_0000_u32.to_le_bytes());
    assert_eq!(error(&declared), "the header is truncated: 3896 of 2147483648 bytes of user data");
    for size in [0_u32, 1935, 0x8000_0000, u32::MAX] {
        let mut bytes = complete.clone();
        bytes[14 + 1948 + 8..][..4].copy_from_slice(&size.to_le_bytes());
        let expected = format!("packet 2 at byte 1962: invalid size {size}; spatial input has 1936 or 1933");
        assert_eq!(error(&bytes), expected);
    }
    let not_hl2ss = hl2ss::read(b"GIF89a").expect_err("no magic");
    assert_eq!(not_hl2ss.kind(), ErrorKind::NotARecording);
}

/// For row vectors: a device at (1, 2, 3), rotated left by 90°.
const DEVICE: [f32; 16] = [0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 1.0];

fn eye_file(packets: &[Vec<u8>]) -> Vec<u8> {
    [&header(b"HL2SSV23", 3817, b"")[..], &[90], &packets.concat()].concat()
}

#[test]
fn eye_tracker_ray_is_converted_to_world_coordinates() {
    // 0.5 m in front of the device, looking ahead.
    let ray = [0.0, 0.0, -0.5, 0.0, 0.0, -1.0];
    let bytes = eye_file(&[eye_packet(10_000_000, 0b11, ray, DEVICE), eye_packet(20_000_000, 0b11, ray, DEVICE)]);
    let (recording, losses) = hl2ss::read(&bytes).expect("valid");
    let gaze = recording.gaze.expect("valid");
    assert_eq!(times(&gaze.origin[0]), [0.0, 1.0]);
    let ray = gaze.ray_at(0.0).expect("valid");
    // The device looks along -x: 0.5 m along that from (1, 2, 3), with z negated.
    assert!(is_near(ray.origin, [0.5, 2.0, -3.0]) && is_near(ray.direction, [-1.0, 0.0, 0.0]), "{ray:?}");
    assert!(recording.camera.is_none() && recording.hands.is_none());
    assert!(losses.is_empty());
}

#[test]
fn eye_tracker_valid_bits_are_respected() {
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
    let (recording, losses) = hl2ss::read(&bytes).expect("valid");
    assert_eq!(times(&recording.gaze.expect("one is valid").origin[0]), [3e-7]);
    let expected = [
        "dropped poses and rays with non-finite values: gaze 1",
        "dropped the ray of each eye, the openness of each eye, the vergence distance: not part of a recording",
        "dropped the uncalibrated flag of 1 ray: not part of a recording",
        "dropped the last packet (5): truncated",
    ];
    assert_eq!(messages(&losses), expected);
}

#[test]
fn eye_tracker_errors_name_the_location() {
    assert_eq!(error(&header(b"HL2SSV23", 3817, b"")), "the header is truncated at byte 14");
    let bytes = eye_file(&[packet(0, &[0; 91])]);
    assert_eq!(error(&bytes), "packet 1 at byte 15: invalid size 91; the extended eye tracker has 92");
}
