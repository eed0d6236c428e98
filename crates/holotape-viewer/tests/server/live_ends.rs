//! How takes end and how they are resumed.

use std::fs;
use std::thread;
use std::time::Duration;

use holotape::{Frame, Recording};
use holotape_viewer::{Viewer, ViewerOptions};
use serde_json::json;
use tempfile::tempdir;
use tungstenite::Message;

use crate::client::files_in;
use crate::live_client::{Server, frames, id, options, record_frames};

#[test]
fn silent_connection_is_replaced_and_ignored() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let frames = frames(30);
    // `silent` reads nothing, so it does not answer pings.
    let (mut silent, _) = server.ready(&id(1), 0);
    silent.send_frames(&frames[..10]);
    silent.wait_for_ack(10);
    let (mut next, ready) = server.ready(&id(1), 10);
    assert_eq!(ready["record_count"], 10);
    silent.send_frames(&frames[20..]);
    next.send_frames(&frames[10..]);
    assert_eq!(silent.closed_with(), 1008);
    let saved = next.stop();
    assert_eq!(saved["frame_count"], 30);
    let recording = Recording::open(folder.path().join(saved["name"].as_str().unwrap())).unwrap();
    assert!(recording == record_frames(&frames));
    server.stop();
}

#[test]
fn active_take_cannot_be_taken_over() {
    let folder = tempdir().unwrap();
    // However long the answer to a ping takes.
    let server = Server::with(Viewer::new(options(folder.path()).with_probe_timeout(Duration::from_secs(3600))));
    let (mut first, _) = server.ready(&id(1), 0);
    first.send_frames(&frames(1));
    first.wait_for_ack(1);
    // `first` reads, so it answers pings.
    let first = thread::spawn(move || first.next_json());
    let mut second = server.recorder();
    second.send_json(json!({ "type": "hello", "take_id": id(1), "acked_records": 0 }));
    second.expect_error("busy", "over another connection");
    server.stop();
    let saved = first.join().unwrap();
    assert_eq!((&saved["type"], &saved["frame_count"]), (&"saved".into(), &1.into()), "the take is unaffected");
}

#[test]
fn take_that_cannot_be_resumed_is_rejected() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut unknown = server.recorder();
    unknown.send_json(json!({ "type": "hello", "take_id": id(1), "acked_records": 7 }));
    unknown.expect_error("unknown-take", "holotape repair");
    let (mut client, _) = server.ready(&id(1), 0);
    client.send_frames(&frames(2));
    client.wait_for_ack(2);
    drop(client);
    let mut gap = server.recorder();
    gap.send_json(json!({ "type": "hello", "take_id": id(1), "acked_records": 3 }));
    gap.expect_error("missing-records", "the client dropped 3, the server has 2");
    let (client, ready) = server.ready(&id(1), 2);
    assert_eq!(ready["record_count"], 2);
    assert_eq!(client.stop()["frame_count"], 2);
    server.stop();
}

#[test]
fn repeated_stop_has_the_same_answer() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let (mut client, _) = server.ready(&id(1), 0);
    client.send_frames(&frames(5));
    let saved = client.stop();
    for _ in 0..2 {
        let (client, ready) = server.ready(&id(1), 0);
        assert_eq!((&ready["record_count"], &ready["name"]), (&5.into(), &saved["name"]));
        assert_eq!(client.stop(), saved);
    }
    // More records cannot be added.
    let (mut late, _) = server.ready(&id(1), 5);
    late.send_frames(&frames(1));
    late.expect_error("unknown-take", &format!("is saved as {}", saved["name"].as_str().unwrap()));
    let (mut regret, _) = server.ready(&id(1), 5);
    regret.send_json(json!({ "type": "discard" }));
    regret.expect_error("unknown-take", "is saved as");
    server.stop();
    assert_eq!(files_in(folder.path()).len(), 1);
}

#[test]
fn discarded_take_leaves_no_files() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let (mut client, _) = server.ready(&id(1), 0);
    client.send_frames(&frames(5));
    client.wait_for_ack(5);
    assert_eq!(files_in(folder.path()).len(), 1, "the journal");
    client.send_json(json!({ "type": "discard" }));
    assert_eq!(client.next_message(), json!({ "type": "discarded", "take_id": id(1) }));
    assert_eq!(client.closed_with(), 1000);
    assert!(files_in(folder.path()).is_empty());
    let (mut again, _) = server.ready(&id(1), 5);
    again.send_json(json!({ "type": "discard" }));
    assert_eq!(again.next_message()["type"], "discarded");
    let (mut other, _) = server.ready(&id(1), 5);
    other.send_json(json!({ "type": "stop" }));
    other.expect_error("unknown-take", "start a new take");
    assert!(server.session()["recordings"].as_array().unwrap().is_empty());
    server.stop();
}

#[test]
fn empty_take_is_not_saved() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let (mut client, _) = server.ready(&id(1), 0);
    client.send_json(json!({ "type": "stop" }));
    client.expect_error("save-failed", "nothing to save");
    let (_idle, _) = server.ready(&id(2), 0);
    server.stop();
    assert!(files_in(folder.path()).is_empty());
}

#[test]
fn abandoned_take_is_saved() {
    let folder = tempdir().unwrap();
    let server = Server::with(Viewer::new(options(folder.path()).with_reconnect_timeout(Duration::from_millis(50))));
    let mut list = server.connect("/api/live", None).unwrap();
    assert_eq!(list.next_json(), json!({ "type": "live", "takes": [] }));
    let frames = frames(5);
    let (mut client, ready) = server.ready(&id(1), 0);
    client.send_frames(&frames);
    client.wait_for_ack(5);
    drop(client);
    let saved = loop {
        let message = list.next_json();
        if message["type"] == "saved" {
            break message;
        }
    };
    assert_eq!(saved, json!({ "type": "saved", "take_id": id(1), "name": ready["name"], "recording_id": 1 }));
    let recording = Recording::open(folder.path().join(ready["name"].as_str().unwrap())).unwrap();
    assert!(recording == record_frames(&frames));
    server.stop();
}

/// Other systems do not remove a folder with an open file.
#[cfg(unix)]
#[test]
fn save_error_is_reported_on_reconnect() {
    let root = tempdir().unwrap();
    let folder = root.path().join("takes");
    let viewer = Viewer::new(options(&folder).with_reconnect_timeout(Duration::from_millis(50)));
    let (sender, saved) = std::sync::mpsc::channel();
    viewer.on_saved(move |recording| sender.send(recording.clone()).unwrap());
    let server = Server::with(viewer);
    let (mut client, ready) = server.ready(&id(1), 0);
    client.send_frames(&frames(5));
    client.wait_for_ack(5);
    fs::remove_dir_all(&folder).unwrap();
    drop(client);
    let error = saved.recv().unwrap().error.expect("it is not saved");
    let journal = folder.join(ready["name"].as_str().unwrap()).with_extension("journal");
    assert!(error.contains(journal.to_str().unwrap()), "{error}");
    // The client has received the acknowledgement of 3 only, and must keep the others.
    let (mut late, ready) = server.ready(&id(1), 3);
    assert_eq!(ready["record_count"], 3);
    late.send_frames(&frames(1));
    late.expect_error("unknown-take", &error);
    server.stop();
}

#[test]
fn invalid_message_ends_the_connection_but_not_the_take() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    for (first, message) in [
        (Message::from("hello"), "the first message must be `hello` with a take id: "),
        (Message::from("{\"type\":\"stop\"}"), "the first message must be `hello`"),
        (
            Message::from("{\"type\":\"hello\",\"take_id\":\"../etc/passwd----\",\"acked_records\":0}"),
            "16 to 64 letters",
        ),
        (
            Message::from("{\"type\":\"hello\",\"take_id\":\"0123456789abcdef\",\"acked_records\":0,\"nam\":\"\"}"),
            "`nam`",
        ),
        (Message::from("{\"type\":\"hello\",\"take_id\":\"0123456789abcdef\",\"acked_records\":-1}"), "-1"),
        (Message::Binary(vec![1; 17].into()), "the first message must be `hello`"),
    ] {
        let mut client = server.recorder();
        client.send(first);
        client.expect_error("invalid-message", message);
    }
    let (mut client, _) = server.ready(&id(1), 0);
    client.send_frames(&frames(3));
    client.send(Message::Binary(vec![1, 2, 3].into()));
    client.expect_error("invalid-message", "shorter than the header");
    let (mut client, ready) = server.ready(&id(1), 0);
    assert_eq!(ready["record_count"], 3);
    client.send_json(json!({ "time": 1.0, "handedness": "left" }));
    client.expect_error("invalid-message", "unknown field `handedness`");
    let (mut client, _) = server.ready(&id(1), 0);
    client.try_send(json!({ "time": 2.0, "marker": "x".repeat(2 << 20) }).to_string().into()).ok();
    // The earlier frames may still be acknowledged.
    while let Ok(Message::Text(message)) = client.next() {
        assert_eq!(message.as_str(), r#"{"type":"ack","record_count":3}"#);
    }
    let (client, _) = server.ready(&id(1), 0);
    assert_eq!(client.stop()["frame_count"], 3);
    server.stop();
}

#[test]
fn dropped_records_are_reported_at_the_end() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let (mut client, _) = server.ready(&id(1), 0);
    let mut nan = frames(1).remove(0);
    nan.time = 9.0;
    let Message::Binary(bytes) = crate::live_client::binary(&nan) else { panic!() };
    let mut bytes = bytes.to_vec();
    bytes[17..21].copy_from_slice(&f32::NAN.to_le_bytes());
    client.send_frames(&[Frame { time: 8.0, ..Frame::default() }, Frame { time: 7.0, ..Frame::default() }]);
    client.send(Message::Binary(bytes.into()));
    client.send_json(json!({ "time": 9.0, "event": "pinch_start", "hand": "left" }));
    client.wait_for_ack(4);
    let saved = client.stop();
    assert_eq!(saved["frame_count"], 2);
    let losses = [
        "dropped frames whose time is not after the previous frame: 1",
        "dropped poses and rays with non-finite values: 1",
    ];
    assert_eq!(saved["losses"], json!(losses));
    server.stop();
}

#[test]
fn unwritable_folder_rejects_the_take() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let server = Server::start(&folder.path().join("file/takes"));
    let mut client = server.recorder();
    client.send_json(json!({ "type": "hello", "take_id": id(1), "acked_records": 0 }));
    client.expect_error("save-failed", "takes");
    server.stop();
}

#[test]
fn take_is_saved_even_if_the_viewer_cannot_open_it() {
    let folder = tempdir().unwrap();
    let options = ViewerOptions::new().with_record_dir(folder.path()).without_token().with_upload_limit_bytes(1);
    let server = Server::with(Viewer::new(options));
    let (mut client, _) = server.ready(&id(1), 0);
    client.send_frames(&frames(5));
    let saved = client.stop();
    assert_eq!((&saved["frame_count"], saved.get("recording_id")), (&5.into(), None));
    server.stop();
    assert_eq!(files_in(folder.path()).len(), 1);
}
