//! Records on a wire, and takes that are recorded over connections which come and go.
#![cfg(feature = "json")]

mod common;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use common::motion::device_frames_for;
use common::properties::records_come_back;
use holotape::record::{Journal, Recorder, RecorderOptions};
use holotape::stream::{
    ClientMessage, ConnectionId, ErrorCode, Hello, ReceiveOutcome, Record, ServerMessage, TakeId, TakeReceiver,
    WireMessage, encode_event, encode_frame, encode_marker,
};
use holotape::{ErrorKind, Frame, Hand, HandFrame, Joint, Pose, Ray, Recording};
use proptest::prelude::*;
use tempfile::tempdir;

fn take() -> TakeId {
    "0123456789abcdef".to_owned().try_into().expect("an id")
}

fn hello(records: u64) -> Hello {
    Hello { take_id: take(), acked_records: records, name: None }
}

fn options() -> RecorderOptions {
    RecorderOptions::new().with_max_rate_hz(None)
}

fn intake(options: RecorderOptions) -> TakeReceiver {
    TakeReceiver::new(take(), "take.bin", Recorder::start(options).expect("starts"))
}

fn recording_of(frames: &[Frame]) -> Recording {
    let mut recorder = Recorder::start(options()).expect("starts");
    for frame in frames {
        recorder.push(frame).expect("records");
    }
    recorder.stop().recording
}

// Records.

#[test]
fn frames_come_back_from_bytes_and_from_json() {
    for mut frame in device_frames_for(2) {
        // Of which there is nothing is left out.
        for hand in Hand::ALL {
            frame.hand_mut(hand).take_if(|hand| *hand == HandFrame::default());
        }
        let record = Record::Frame(Box::new(frame.clone()));
        assert_eq!(Record::decode(&encode_frame(&frame)).expect("a record"), record);
        assert_eq!(Record::from_json(record.to_json().as_bytes()).expect("a record"), record);
    }
}

/// The bytes of docs/stream.md, put together by hand.
#[test]
fn the_bytes_are_those_of_the_documentation() {
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
fn joints_of_hands_that_are_not_tracked_are_sent_and_not_recorded() {
    let hand = HandFrame { tracked: false, joints: [Some(Pose::IDENTITY); Joint::COUNT], ..HandFrame::default() };
    let frame = Frame { left: Some(hand), ..Frame::default() };
    let record = Record::decode(&encode_frame(&frame)).expect("a record");
    assert_eq!(record, Record::Frame(Box::new(frame.clone())));
    assert!(recording_of(&[frame]) == recording_of(&[Frame::default()]));
}

#[test]
fn what_is_no_record_is_refused_with_words() {
    let frame = encode_frame(&Frame { time: 1.0, camera: Some(Pose::IDENTITY), ..Frame::default() });
    let changed = |at: usize, byte: u8| {
        let mut bytes = frame.clone();
        bytes[at] = byte;
        bytes
    };
    for (bytes, message) in [
        (vec![], "shorter than kind and time"),
        (vec![1, 0, 0], "shorter than kind and time"),
        (frame[..12].to_vec(), "ends before it says what there is"),
        (frame[..40].to_vec(), "more or fewer numbers"),
        ([&*frame, &[0; 4]].concat(), "more or fewer numbers"),
        ([&*frame, &[0]].concat(), "more or fewer numbers"),
        (changed(0, 0), "none of 1, 2, 3"),
        (changed(0, 4), "none of 1, 2, 3"),
        (changed(16, 0x80), "bits that mean nothing"),
        (encode_marker(f64::NAN, "never"), "the time is no number"),
        (encode_event(f64::INFINITY, "{}"), "the time is no number"),
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
    fn any_bytes_are_a_record_or_refused(
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
            records_come_back(&bytes[..cut.min(bytes.len())]);
        }
    }

    #[test]
    fn any_bytes_are_heard_or_refused_and_counted_if_they_are_taken(
        messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..8),
        texts in prop::collection::vec("[{}\":a-z0-9,\\[\\]]{0,40}", 0..8),
    ) {
        let mut intake = intake(options());
        for bytes in &messages {
            let (voice, _) = intake.attach(&hello(0)).expect("the same take");
            let before = intake.record_count();
            let heard = intake.receive(voice, WireMessage::Binary(bytes));
            prop_assert_eq!(intake.record_count(), before + u64::from(heard.is_ok()));
        }
        for text in &texts {
            let (voice, _) = intake.attach(&hello(0)).expect("the same take");
            let before = intake.record_count();
            let heard = intake.receive(voice, WireMessage::Text(text));
            let is_record = matches!(heard, Ok(ReceiveOutcome::Record(_)));
            prop_assert_eq!(intake.record_count(), before + u64::from(is_record));
            prop_assert!(ClientMessage::from_json(text).is_err() || heard.is_ok());
        }
    }
}

// Takes.

/// A client that keeps what is not acknowledged, as docs/stream.md says.
struct Client {
    records: Vec<Vec<u8>>,
    acknowledged: u64,
}

/// A connection that is cut somewhere in either direction.
#[derive(Clone, Debug)]
struct Cut {
    /// How many messages of the client arrive, hello included, and how many of them only after the next connection's hello.
    sent: usize,
    late: usize,
    /// How many replies arrive.
    replies: usize,
    /// After how many messages the server replies.
    pace: usize,
}

fn any_cut() -> impl Strategy<Value = Cut> {
    (0..25_usize, 0..5_usize, 0..6_usize, 1..6_usize).prop_map(|(sent, late, replies, pace)| Cut {
        sent,
        late: late.min(sent),
        replies,
        pace,
    })
}

impl Client {
    /// Speaks over a connection until it is cut. Gives what is still on its way.
    fn connect(&mut self, intake: &mut TakeReceiver, cut: &Cut) -> VecDeque<(ConnectionId, Vec<u8>)> {
        let nothing = VecDeque::new();
        if cut.sent == 0 {
            return nothing;
        }
        let (voice, ready) = intake.attach(&hello(self.acknowledged)).expect("the same take");
        let ServerMessage::Ready { record_count: records, .. } = ready else { panic!("{ready:?}") };
        if cut.replies == 0 {
            return nothing;
        }
        // What is acknowledged is forgotten: it can not be sent again.
        assert!(records >= self.acknowledged);
        let rest = self.records[usize::try_from(records).expect("few")..].iter().take(cut.sent - 1);
        let mut on_the_way: VecDeque<_> = rest.map(|record| (voice, record.clone())).collect();
        let mut replies = 1;
        let mut arrived = 0;
        while on_the_way.len() > cut.late {
            let Some((voice, record)) = on_the_way.pop_front() else { break };
            assert!(matches!(intake.receive(voice, WireMessage::Binary(&record)), Ok(ReceiveOutcome::Record(_))));
            arrived += 1;
            if arrived % cut.pace == 0 {
                let reply = intake.next_reply();
                replies += 1;
                if let Some(ServerMessage::Ack { record_count: records }) = reply.filter(|_| replies <= cut.replies) {
                    assert!(records > self.acknowledged);
                    self.acknowledged = records;
                }
            }
        }
        on_the_way
    }
}

proptest! {
    #[test]
    fn whatever_is_cut_every_record_is_there_once_and_in_order(cuts in prop::collection::vec(any_cut(), 0..12)) {
        let frames: Vec<_> =
            (0..40).map(|n| Frame { time: f64::from(n), camera: Some(Pose::IDENTITY), ..Frame::default() }).collect();
        let mut records: Vec<_> = frames.iter().map(encode_frame).collect();
        records.insert(20, encode_marker(19.5, "half way"));
        let mut client = Client { records, acknowledged: 0 };
        let mut intake = intake(options());
        let mut late: VecDeque<(ConnectionId, Vec<u8>)> = VecDeque::new();
        let whole = Cut { sent: 100, late: 0, replies: 100, pace: 1 };
        for cut in cuts.iter().chain([&whole]) {
            let next = client.connect(&mut intake, cut);
            // The old connection's last words, after somebody else has said hello: unless nobody has.
            for (voice, record) in late {
                let heard = intake.receive(voice, WireMessage::Binary(&record)).expect("a record");
                prop_assert!(heard == ReceiveOutcome::Ignored || cut.sent == 0);
                if let ReceiveOutcome::Record(_) = heard {
                    prop_assert!(intake.is_connected());
                }
            }
            late = next;
        }
        prop_assert_eq!(intake.record_count(), 41);
        let stopped = intake.stop();
        prop_assert_eq!((stopped.finished.frames, stopped.records), (40, 41));
        let recording = stopped.finished.recording;
        prop_assert_eq!(recording.markers.len(), 1);
        let without = Recording { markers: Default::default(), ..recording };
        let is_same = without == recording_of(&frames);
        prop_assert!(is_same);
    }
}

#[test]
fn what_is_acknowledged_is_in_the_journal() {
    let folder = tempdir().expect("a folder");
    let journal = folder.path().join("take.journal");
    let mut intake = intake(options().with_journal(&journal));
    let (voice, _) = intake.attach(&hello(0)).expect("a take");
    let mut acknowledged = 0;
    for n in 0..500 {
        let frame = Frame { time: f64::from(n), camera: Some(Pose::IDENTITY), ..Frame::default() };
        intake.receive(voice, WireMessage::Binary(&encode_frame(&frame))).expect("a record");
        if let Some(ServerMessage::Ack { record_count: records }) = intake.next_reply() {
            assert!(records > acknowledged && records <= intake.record_count());
            acknowledged = records;
            assert!(Journal::open(&journal).expect("a journal").frames >= records, "at {n}");
        }
    }
    assert!(acknowledged > 400, "{acknowledged}");
    // The last one takes a moment.
    let begun = Instant::now();
    while acknowledged < 500 && begun.elapsed() < Duration::from_secs(30) {
        if let Some(ServerMessage::Ack { record_count: records }) = intake.next_reply() {
            acknowledged = records;
        }
    }
    assert_eq!(Journal::open(&journal).expect("a journal").frames, 500);
    intake.discard().expect("gone");
    assert!(!journal.exists());
}

#[test]
fn what_is_passed_over_counts_and_is_told() {
    let mut intake = intake(options());
    let (voice, _) = intake.attach(&hello(0)).expect("a take");
    let nan = Pose { position: [f32::NAN; 3], ..Pose::IDENTITY };
    let mut bytes = encode_frame(&Frame { time: 5.0, camera: Some(Pose::IDENTITY), ..Frame::default() });
    bytes[17..21].copy_from_slice(&nan.position[0].to_le_bytes());
    for said in [
        WireMessage::Text(r#"{"time":4}"#),
        WireMessage::Text(r#"{"time":3}"#),
        WireMessage::Text(r#"{"time":4,"event":"pinch_start","hand":"left"}"#),
        WireMessage::Binary(&bytes),
    ] {
        assert!(matches!(intake.receive(voice, said), Ok(ReceiveOutcome::Record(_))), "{said:?}");
    }
    assert_eq!(intake.next_reply(), Some(ServerMessage::Ack { record_count: 4 }));
    assert_eq!(intake.next_reply(), None);
    let stopped = intake.stop();
    assert_eq!(stopped.finished.frames, 2);
    let losses = ["frames that are not after the one before: 1", "poses and rays with numbers that are none: 1"];
    assert_eq!(stopped.losses, losses);
}

#[test]
fn behind_a_record_that_is_none_nothing_is_taken() {
    let mut intake = intake(options());
    let (voice, _) = intake.attach(&hello(0)).expect("a take");
    intake.receive(voice, WireMessage::Text(r#"{"time":1}"#)).expect("a frame");
    for wrong in [r#"{"time":2,"camra":{}}"#, r#"{"type":"hallo"}"#, "", r#"{"time":1e300}"#] {
        let (voice, ready) = intake.attach(&hello(0)).expect("a take");
        assert!(matches!(ready, ServerMessage::Ready { record_count: 1, .. }));
        let refused = intake.receive(voice, WireMessage::Text(wrong)).expect_err(wrong);
        assert_eq!(refused.code, ErrorCode::InvalidMessage, "{wrong}");
        assert!(!intake.is_connected() && intake.is_abandoned_by(voice));
        assert_eq!(intake.receive(voice, WireMessage::Text(r#"{"time":3}"#)), Ok(ReceiveOutcome::Ignored));
    }
    let (voice, _) = intake.attach(&hello(1)).expect("a take");
    let again = ClientMessage::Hello(hello(0));
    let again = serde_json::to_string(&again).expect("JSON");
    assert_eq!(intake.receive(voice, WireMessage::Text(&again)).expect_err("twice").message, "hello was said already");
}

#[test]
fn who_has_forgotten_too_much_or_means_another_take_is_refused() {
    let mut intake = intake(options());
    let (voice, _) = intake.attach(&hello(0)).expect("a take");
    assert_eq!(intake.attach(&hello(1)).expect_err("a gap").code, ErrorCode::MissingRecords);
    let other = Hello { take_id: "fedcba9876543210".to_owned().try_into().expect("an id"), ..hello(0) };
    assert_eq!(intake.attach(&other).expect_err("another").code, ErrorCode::UnknownTake);
    let stop = intake.receive(voice, WireMessage::Text(r#"{"type":"stop"}"#));
    assert_eq!(stop, Ok(ReceiveOutcome::Stop), "whoever records it is not disturbed");
    assert_eq!(intake.receive(voice, WireMessage::Text(r#"{"type":"discard"}"#)), Ok(ReceiveOutcome::Discard));
}

#[test]
fn a_journal_that_cannot_be_written_is_told_and_acknowledges_nothing() {
    let folder = tempdir().expect("a folder");
    let journal = folder.path().join("take.journal");
    let mut intake = intake(options().with_journal(&journal).with_keep_last_secs(Some(0.5)));
    let (voice, _) = intake.attach(&hello(0)).expect("a take");
    // The journal is begun anew when the limit is passed, which fails where its folder is gone.
    drop(folder);
    let mut warnings = 0;
    for n in 0..100 {
        let heard = intake.receive(voice, WireMessage::Text(&format!("{{\"time\":{n}}}")));
        assert!(matches!(heard, Ok(ReceiveOutcome::Record(_))), "{heard:?}");
        match intake.next_reply() {
            Some(ServerMessage::Warning { message: warning }) => {
                assert!(warning.contains("recording goes on without it"), "{warning}");
                warnings += 1;
            }
            Some(_) => assert_eq!(warnings, 0, "nothing is acknowledged that is in no journal"),
            None => {}
        }
    }
    assert_eq!((intake.record_count(), warnings), (100, 1));
    assert!(!intake.stop().finished.is_journal_complete());
}

#[test]
fn ids_are_letters_and_digits() {
    for wrong in ["", "short", "0123456789abcde", "0123456789abcde/", "0123456789abcdé", &"x".repeat(65)] {
        assert!(TakeId::try_from(wrong.to_owned()).is_err(), "{wrong}");
        let hello = format!(r#"{{"type":"hello","take_id":"{wrong}","acked_records":0}}"#);
        assert_eq!(ClientMessage::from_json(&hello).expect_err(wrong).code, ErrorCode::InvalidMessage);
    }
    assert!(TakeId::try_from("x".repeat(64)).is_ok());
}
