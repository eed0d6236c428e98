//! The server side of the recording protocol.

use super::*;

proptest! {
    #[test]
    fn any_session_keeps_its_records(
        // Mostly steps with one argument below 32, so that few of them end the take or consume the others as text.
        steps in prop::collection::vec((any::<u8>(), prop_oneof![4 => 0..32_u8, 1 => any::<u8>()]), 0..60),
    ) {
        let steps = steps.into_iter().flat_map(|(step, argument)| [step, argument]);
        take_sessions_keep_their_records(&[0, 0].into_iter().chain(steps).collect::<Vec<_>>());
    }

    #[test]
    fn server_counts_exactly_the_messages_that_are_records(
        messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..8),
        texts in prop::collection::vec("[{}\":a-z0-9,\\[\\]]{0,40}", 0..8),
    ) {
        let mut server = Server::new(options());
        let texts = texts.into_iter().map(WireMessage::Text);
        for message in messages.into_iter().map(WireMessage::Binary).chain(texts) {
            let client = server.connect_and_take_over(hello(0));
            let count = server.take.record_count();
            let event = server.receive(&client, &message);
            let is_record = matches!(event, Some(TakeEvent::Record { .. }));
            prop_assert_eq!(server.take.record_count(), count + u64::from(is_record));
            let is_control = matches!(&message, WireMessage::Text(text) if ClientMessage::from_json(text).is_ok());
            prop_assert!(!is_control || !matches!(event, Some(TakeEvent::Rejected(_))));
        }
    }

    #[test]
    fn every_record_is_stored_once_and_in_order_over_any_connections(cuts in prop::collection::vec(any_cut(), 0..12)) {
        let frames: Vec<_> =
            (0..40).map(|n| Frame { time: f64::from(n), camera: Some(Pose::IDENTITY), ..Frame::default() }).collect();
        let mut records: Vec<_> = frames.iter().map(encode_frame).collect();
        records.insert(20, encode_marker(19.5, "half way"));
        let mut client = Client { records, acked_records: 0 };
        let mut server = Server::new(options());
        let mut late: Option<(Connection, VecDeque<WireMessage>)> = None;
        let complete = Cut { sent: 100, late: 0, replies: 100, ack_period: 1 };
        for cut in cuts.iter().chain([&complete]) {
            let next = client.connect(&mut server, cut);
            // The last messages of the old connection are ignored if the new one has sent `hello`.
            if let Some((connection, messages)) = late {
                for message in &messages {
                    let event = server.receive(&connection, message);
                    prop_assert_eq!(event.is_none(), cut.sent > 0);
                }
            }
            late = next;
        }
        prop_assert_eq!(server.take.record_count(), 41);
        let ended = server.take.end(TakeEnd::Stop);
        prop_assert_eq!(ended.record_count, 41);
        let stopped = ended.content.expect("frames");
        prop_assert_eq!(stopped.saved.frame_count, 40);
        let recording = stopped.finished.recording;
        prop_assert_eq!(recording.markers.len(), 1);
        let without = Recording { markers: Default::default(), ..recording };
        let is_same = without == recording_of(&frames);
        prop_assert!(is_same);
    }
}

#[test]
fn acknowledged_records_are_in_the_journal() {
    let folder = tempdir().expect("a folder");
    let journal = folder.path().join("take.journal");
    let mut server = Server::new(options().with_journal(&journal));
    let client = server.connect(hello(0));
    client.expect_ready(0);
    let mut acked_records = 0;
    for n in 0..500 {
        let frame = Frame { time: f64::from(n), camera: Some(Pose::IDENTITY), ..Frame::default() };
        server.receive(&client, &WireMessage::Binary(encode_frame(&frame))).expect("a record");
        server.advance(ACK_INTERVAL);
        // The journal is written by another thread: waits for it after every 100 records.
        let min_acked = if (n + 1) % 100 == 0 { server.take.record_count() } else { 0 };
        let started = Instant::now();
        loop {
            for reply in client.outgoing.try_iter() {
                let Outgoing::Send(ServerMessage::Ack { record_count }) = reply else { panic!("{reply:?}") };
                assert!(record_count > acked_records && record_count <= server.take.record_count());
                acked_records = record_count;
                assert!(Journal::open(&journal).expect("a journal").frame_count >= record_count, "at {n}");
            }
            if acked_records >= min_acked {
                break;
            }
            assert!(started.elapsed() < Duration::from_secs(60), "{acked_records} of {min_acked} records");
            server.advance(ACK_INTERVAL);
        }
    }
    assert_eq!(acked_records, 500);
    assert_eq!(Journal::open(&journal).expect("a journal").frame_count, 500);
    let discarded = server.take.end(TakeEnd::Discard).content.err();
    assert_eq!(discarded, Some(ServerMessage::Discarded { take_id: take_id() }));
    assert!(!journal.exists());
}

#[test]
fn dropped_records_are_acknowledged_and_reported() {
    let mut server = Server::new(options());
    let client = server.connect(hello(0));
    client.expect_ready(0);
    let mut bytes = encode_frame(&Frame { time: 5.0, camera: Some(Pose::IDENTITY), ..Frame::default() });
    bytes[17..21].copy_from_slice(&f32::NAN.to_le_bytes());
    for message in [
        text(r#"{"time":4}"#),
        text(r#"{"time":3}"#),
        text(r#"{"time":4,"event":"pinch_start","hand":"left"}"#),
        WireMessage::Binary(bytes),
    ] {
        assert!(matches!(server.receive(&client, &message), Some(TakeEvent::Record { .. })), "{message:?}");
    }
    server.advance(ACK_INTERVAL);
    server.advance(ACK_INTERVAL);
    assert_eq!(client.next(), Outgoing::Send(ServerMessage::Ack { record_count: 4 }));
    assert!(client.outgoing.try_recv().is_err());
    let saved = server.take.end(TakeEnd::Stop).content.expect("frames").saved;
    assert_eq!(saved.frame_count, 2);
    let losses = [
        "dropped frames whose time is not after the previous frame: 1",
        "dropped poses and rays with non-finite values: 1",
    ];
    assert_eq!(saved.losses, losses);
}

#[test]
fn records_after_an_invalid_record_are_ignored() {
    let mut server = Server::new(options());
    let client = server.connect(hello(0));
    server.receive(&client, &text(r#"{"time":1}"#)).expect("a frame");
    for invalid in [r#"{"time":2,"camra":{}}"#, r#"{"type":"hallo"}"#, "", r#"{"time":1e300}"#] {
        let client = server.connect_and_take_over(hello(0));
        client.expect_ready(1);
        let event = server.receive(&client, &text(invalid));
        assert!(matches!(event, Some(TakeEvent::Rejected(_))), "{invalid}: {event:?}");
        assert!(!server.take.is_connected());
        assert_eq!(server.receive(&client, &text(r#"{"time":3}"#)), None);
        let last = client.outgoing.iter().last();
        assert!(
            matches!(&last, Some(Outgoing::Send(ServerMessage::Error { code: ErrorCode::InvalidMessage, .. }))),
            "{last:?}"
        );
    }
    let client = server.connect_and_take_over(hello(1));
    let again = serde_json::to_string(&ClientMessage::Hello(hello(0))).expect("JSON");
    let message = "`hello` was already received on this connection";
    let rejected = TakeEvent::Rejected(ProtocolError::new(ErrorCode::InvalidMessage, message));
    assert_eq!(server.receive(&client, &text(&again)), Some(rejected));
}

#[test]
fn client_that_dropped_records_or_records_another_take_is_rejected() {
    let mut server = Server::new(options());
    server.connect_and_take_over(hello(1)).expect_error(ErrorCode::MissingRecords);
    let client = server.connect(hello(0));
    let other = Hello { take_id: "fedcba9876543210".to_owned().try_into().expect("an id"), ..hello(0) };
    server.connect(other.clone()).expect_error(ErrorCode::Busy);
    server.connect(Hello { acked_records: 1, ..other }).expect_error(ErrorCode::UnknownTake);
    let event = server.receive(&client, &text(r#"{"type":"stop"}"#));
    assert_eq!(event, Some(TakeEvent::End(TakeEnd::Stop)), "the active connection stays");
    assert_eq!(server.receive(&client, &text(r#"{"type":"discard"}"#)), Some(TakeEvent::End(TakeEnd::Discard)));
}

#[test]
fn silent_connection_is_replaced_after_the_probe_timeout() {
    let mut server = Server::new(options());
    let silent = server.connect(hello(0));
    silent.expect_ready(0);
    let next = server.connect(hello(0));
    assert_eq!(silent.next(), Outgoing::Ping);
    server.connect(hello(0)).expect_error(ErrorCode::Busy);
    server.advance(PROBE_TIMEOUT - Duration::from_millis(1));
    assert!(next.outgoing.try_recv().is_err());
    server.advance(Duration::from_millis(1));
    next.expect_ready(0);
    assert_eq!(silent.next(), Outgoing::Close(CloseReason::REPLACED));
    assert_eq!(server.receive(&silent, &text(r#"{"time":1}"#)), None);
    // The replaced connection closes: that does not concern the take.
    server.disconnect(&silent);
    assert!(server.take.is_connected());
}

#[test]
fn connection_that_answers_keeps_its_take() {
    let mut server = Server::new(options());
    let first = server.connect(hello(0));
    let second = server.connect(hello(0));
    server.pong(&second);
    assert!(second.outgoing.try_recv().is_err(), "only the active connection can answer");
    server.pong(&first);
    second.expect_error(ErrorCode::Busy);
    let third = server.connect(hello(0));
    assert!(server.receive(&first, &text(r#"{"time":1}"#)).is_some());
    third.expect_error(ErrorCode::Busy);
    server.advance(PROBE_TIMEOUT);
    assert!(server.receive(&first, &text(r#"{"time":2}"#)).is_some());
}

#[test]
fn lost_connection_is_replaced_at_once() {
    let mut server = Server::new(options());
    let lost = server.connect(hello(0));
    let gone = server.connect(hello(0));
    server.disconnect(&gone);
    let next = server.connect(hello(0));
    server.disconnect(&lost);
    next.expect_ready(0);
    assert!(server.receive(&next, &text(r#"{"time":1}"#)).is_some());
}

#[test]
fn take_without_a_connection_ends_after_the_reconnect_timeout() {
    let mut server = Server::new(options());
    let client = server.connect(hello(0));
    assert_eq!(server.advance(2 * RECONNECT_TIMEOUT), None, "it is connected");
    server.disconnect(&client);
    assert_eq!(server.advance(RECONNECT_TIMEOUT), None);
    let client = server.connect(hello(0));
    assert_eq!(server.advance(RECONNECT_TIMEOUT), None);
    server.disconnect(&client);
    let just_after = RECONNECT_TIMEOUT + Duration::from_millis(1);
    assert_eq!(server.advance(just_after), Some(TakeEvent::End(TakeEnd::Disconnected)));
}

#[test]
fn take_that_reaches_the_maximum_size_ends() {
    let mut server = Server::new(options());
    server.take = server.take.with_max_bytes(0);
    let client = server.connect(hello(0));
    assert_eq!(server.advance(ACK_INTERVAL), None, "it is empty");
    server.receive(&client, &text(r#"{"time":1}"#)).expect("a frame");
    assert_eq!(server.advance(ACK_INTERVAL), Some(TakeEvent::End(TakeEnd::TooLarge)));
}

#[test]
fn empty_take_is_not_saved() {
    for (end, is_error) in [(TakeEnd::Stop, true), (TakeEnd::Disconnected, false), (TakeEnd::Shutdown, false)] {
        let mut server = Server::new(options());
        let client = server.connect(hello(0));
        let ended = server.take.end(end);
        assert!(matches!(ended.connection, Some((id, _)) if id == client.id));
        let message = ended.content.expect_err("nothing to save");
        assert_eq!(
            matches!(message, ServerMessage::Error { code: ErrorCode::SaveFailed, .. }),
            is_error,
            "{message:?}"
        );
    }
}

#[test]
fn failed_journal_is_reported_once_and_acknowledges_nothing() {
    let folder = tempdir().expect("a folder");
    let journal = folder.path().join("take.journal");
    let mut server = Server::new(options().with_journal(&journal).with_keep_last_secs(Some(0.5)));
    let client = server.connect(hello(0));
    client.expect_ready(0);
    // The journal is rotated at the limit, which fails without its folder.
    drop(folder);
    let mut warnings = 0;
    for n in 0..100 {
        let event = server.receive(&client, &text(&format!("{{\"time\":{n}}}")));
        assert!(matches!(event, Some(TakeEvent::Record { .. })), "{event:?}");
        let event = server.advance(ACK_INTERVAL);
        for reply in client.outgoing.try_iter() {
            match reply {
                Outgoing::Send(ServerMessage::Warning { message }) => {
                    assert!(message.contains("without it"), "{message}");
                    assert_eq!(event, Some(TakeEvent::Warning(message)));
                    warnings += 1;
                }
                _ => assert_eq!(warnings, 0, "acknowledged without a journal"),
            }
        }
    }
    assert_eq!((server.take.record_count(), warnings), (100, 1));
    let stopped = server.take.end(TakeEnd::Stop).content.expect("frames");
    assert!(!stopped.finished.is_journal_complete());
}

#[test]
fn take_ids_are_letters_and_digits() {
    for invalid in ["", "short", "0123456789abcde", "0123456789abcde/", "0123456789abcdé", &"x".repeat(65)] {
        assert!(TakeId::try_from(invalid.to_owned()).is_err(), "{invalid}");
        let hello = format!(r#"{{"type":"hello","take_id":"{invalid}","acked_records":0}}"#);
        assert_eq!(ClientMessage::from_json(&hello).expect_err(invalid).code, ErrorCode::InvalidMessage);
    }
    assert!(TakeId::try_from("x".repeat(64)).is_ok());
}
