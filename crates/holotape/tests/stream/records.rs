//! Records as bytes and JSON.

use super::*;

#[test]
fn frames_round_trip_through_bytes_and_json() {
    for mut frame in device_frames_for(2) {
        // Hands without any data are omitted.
        for hand in Hand::ALL {
            frame.hand_mut(hand).take_if(|hand| *hand == HandFrame::default());
        }
        let record = Record::Frame(Box::new(frame.clone()));
        assert_eq!(Record::decode(&encode_frame(&frame)).expect("a record"), record);
        assert_eq!(Record::from_json(record.to_json().as_bytes()).expect("a record"), record);
    }
}

/// The bytes that docs/stream.md specifies.
#[test]
fn encode_frame_writes_the_documented_bytes() {
    let pose = |n: f32| Pose { position: [n, n + 0.25, n + 0.5], rotation: [0.0, 0.0, n, 1.0] };
    let mut left = HandFrame { tracked: true, pinching: true, ..HandFrame::default() };
    left.joints[0] = Some(pose(2.0));
    let mut right = HandFrame { tracked: true, ..HandFrame::default() };
    right.joints[Joint::PinkyTip.index()] = Some(pose(3.0));
    let frame = Frame {
        time: 1.25,
        camera: Some(pose(1.0)),
        gaze: Some(Ray { origin: [4.0, 5.0, 6.0], direction: [0.0, 0.0, 1.0] }),
        left: Some(left),
        right: Some(right),
    };
    let bits = 1_u64 | 1 << 1 | 1 << 54 | 1 << 55 | 1 << 56 | 1 << 57 | 1 << 58;
    let mut bytes = vec![1];
    bytes.extend(1.25_f64.to_le_bytes());
    bytes.extend(bits.to_le_bytes());
    for n in [1.0_f32, 2.0, 3.0] {
        bytes.extend([n, n + 0.25, n + 0.5, 0.0, 0.0, n, 1.0].map(f32::to_le_bytes).concat());
    }
    bytes.extend([4.0_f32, 5.0, 6.0, 0.0, 0.0, 1.0].map(f32::to_le_bytes).concat());
    assert_eq!(encode_frame(&frame), bytes);
    assert_eq!(Record::decode(&bytes).expect("a frame"), Record::Frame(Box::new(frame)));

    let full = HandFrame { tracked: true, joints: [Some(Pose::IDENTITY); Joint::COUNT], ..HandFrame::default() };
    let gaze = Some(Ray { origin: [0.0; 3], direction: [0.0, 0.0, 1.0] });
    let (left, right) = (Some(full.clone()), Some(full));
    let everything = Frame { time: 0.0, camera: Some(Pose::IDENTITY), gaze, left, right };
    assert_eq!(encode_frame(&everything).len(), 1581);
}

#[test]
fn joints_of_untracked_hands_are_sent_but_not_recorded() {
    let hand = HandFrame { tracked: false, joints: [Some(Pose::IDENTITY); Joint::COUNT], ..HandFrame::default() };
    let frame = Frame { left: Some(hand), ..Frame::default() };
    let record = Record::decode(&encode_frame(&frame)).expect("a record");
    assert_eq!(record, Record::Frame(Box::new(frame.clone())));
    assert!(recording_of(&[frame]) == recording_of(&[Frame::default()]));
}

#[test]
fn decode_reports_why_bytes_are_not_a_record() {
    let frame = encode_frame(&Frame { time: 1.0, camera: Some(Pose::IDENTITY), ..Frame::default() });
    let changed = |at: usize, byte: u8| {
        let mut bytes = frame.clone();
        bytes[at] = byte;
        bytes
    };
    for (bytes, message) in [
        (vec![], "shorter than the header"),
        (vec![1, 0, 0], "shorter than the header"),
        (frame[..12].to_vec(), "the bit mask is missing"),
        (frame[..40].to_vec(), "does not match the mask"),
        ([&*frame, &[0; 4]].concat(), "does not match the mask"),
        ([&*frame, &[0]].concat(), "does not match the mask"),
        (changed(0, 0), "unknown kind"),
        (changed(0, 4), "unknown kind"),
        (changed(16, 0x80), "unknown bits"),
        (encode_marker(f64::NAN, "never"), "invalid time"),
        (encode_event(f64::INFINITY, "{}"), "invalid time"),
        (vec![2, 0, 0, 0, 0, 0, 0, 0, 0, 0xff], "not UTF-8"),
    ] {
        let error = Record::decode(&bytes).expect_err(message);
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().contains(message), "{message:?} is not in {error}");
    }
    let long = Record::decode(&encode_marker(0.0, &"x".repeat(65_528))).expect_err("too long");
    assert_eq!(long.kind(), ErrorKind::LimitExceeded);
    assert!(Record::decode(&encode_marker(0.0, &"x".repeat(65_527))).is_ok());
}

proptest! {
    #[test]
    fn decode_accepts_or_rejects_any_bytes(
        kind in 0..5_u8,
        time in prop_oneof![any::<f64>(), -1e3..1e3_f64],
        bits in prop_oneof![any::<u64>(), any::<u64>().prop_map(|bits| bits >> 4)],
        rest in prop::collection::vec(any::<u8>(), 0..64),
        is_right_length: bool,
    ) {
        let mut bytes = vec![kind];
        bytes.extend(time.to_le_bytes());
        bytes.extend(bits.to_le_bytes());
        bytes.extend(&rest);
        if is_right_length {
            let poses = (bits & ((1 << 55) - 1)).count_ones() as usize;
            let numbers = 7 * poses + if bits >> 55 & 1 == 1 { 6 } else { 0 };
            bytes.resize(17 + 4 * numbers, 0x3f);
        }
        for cut in [0, 1, 9, 17, bytes.len()] {
            records_round_trip(&bytes[..cut.min(bytes.len())]);
        }
    }
}
