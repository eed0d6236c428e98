//! How takes end, and how they go on: over another connection, without one, or not at all.

use std::fs;
use std::thread;
use std::time::Duration;

use holotape::{Frame, Recording};
use holotape_viewer::{Viewer, ViewerOptions};
use serde_json::json;
use tempfile::tempdir;
use tungstenite::Message;

use crate::client::files_in;
use crate::live_client::{Server, frames, id, options, recording_of};

#[test]
fn a_silent_connection_is_taken_over_and_not_listened_to_any_more() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let frames = frames(30);
    // One that does not answer: nobody reads what comes.
    let (mut silent, _) = server.ready(&id(1), 0);
    silent.send_frames(&frames[..10]);
    silent.await_received(10);
    let (mut next, ready) = server.ready(&id(1), 10);
    assert_eq!(ready["record_count"], 10);
    silent.send_frames(&frames[20..]);
    next.send_frames(&frames[10..]);
    assert_eq!(silent.closed_with(), 1008);
    let saved = next.stop();
    assert_eq!(saved["frame_count"], 30);
    let recording = Recording::open(folder.path().join(saved["name"].as_str().unwrap())).unwrap();
    assert!(recording == recording_of(&frames));
    server.stop();
}

#[test]
fn a_take_that_is_being_recorded_is_nobody_elses() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let (mut first, _) = server.ready(&id(1), 0);
    first.send_frames(&frames(1));
    first.await_received(1);
    // It reads, and so it answers.
    let first = thread::spawn(move || first.hear());
    let mut second = server.recorder();
    second.say(json!({ "type": "hello", "take_id": id(1), "acked_records": 0 }));
    second.refused("busy", "over another connection");
    server.stop();
    let saved = first.join().unwrap();
    assert_eq!((&saved["type"], &saved["frame_count"]), (&"saved".into(), &1.into()), "nobody has disturbed it");
}

#[test]
fn what_cannot_be_gone_on_with_is_told() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut unknown = server.recorder();
    unknown.say(json!({ "type": "hello", "take_id": id(1), "acked_records": 7 }));
    unknown.refused("unknown-take", "holotape repair");
    let (mut client, _) = server.ready(&id(1), 0);
    client.send_frames(&frames(2));
    client.await_received(2);
    drop(client);
    let mut gap = server.recorder();
    gap.say(json!({ "type": "hello", "take_id": id(1), "acked_records": 3 }));
    gap.refused("missing-records", "3 records were acknowledged, but there are only 2");
    let (client, ready) = server.ready(&id(1), 2);
    assert_eq!(ready["record_count"], 2);
    assert_eq!(client.stop()["frame_count"], 2);
    server.stop();
}

#[test]
fn a_stop_that_is_said_again_has_the_same_answer() {
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
    // There is more of it, which has no place any more.
    let (mut late, _) = server.ready(&id(1), 5);
    late.send_frames(&frames(1));
    late.refused("unknown-take", &format!("is saved as {}", saved["name"].as_str().unwrap()));
    let (mut regret, _) = server.ready(&id(1), 5);
    regret.say(json!({ "type": "discard" }));
    regret.refused("unknown-take", "is saved as");
    server.stop();
    assert_eq!(files_in(folder.path()).len(), 1);
}

#[test]
fn a_take_that_is_discarded_leaves_nothing() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let (mut client, _) = server.ready(&id(1), 0);
    client.send_frames(&frames(5));
    client.await_received(5);
    assert_eq!(files_in(folder.path()).len(), 1, "the journal");
    client.say(json!({ "type": "discard" }));
    assert_eq!(client.hear_news(), json!({ "type": "discarded", "take_id": id(1) }));
    assert_eq!(client.closed_with(), 1000);
    assert!(files_in(folder.path()).is_empty());
    let (mut again, _) = server.ready(&id(1), 5);
    again.say(json!({ "type": "discard" }));
    assert_eq!(again.hear_news()["type"], "discarded");
    let (mut other, _) = server.ready(&id(1), 5);
    other.say(json!({ "type": "stop" }));
    other.refused("unknown-take", "begin another");
    assert!(server.session()["takes"].as_array().unwrap().is_empty());
    server.stop();
}

#[test]
fn nothing_is_saved_of_nothing() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let (mut client, _) = server.ready(&id(1), 0);
    client.say(json!({ "type": "stop" }));
    client.refused("save-failed", "nothing to save");
    let (_idle, _) = server.ready(&id(2), 0);
    server.stop();
    assert!(files_in(folder.path()).is_empty());
}

#[test]
fn a_take_that_nobody_comes_back_to_is_saved() {
    let folder = tempdir().unwrap();
    let server = Server::with(Viewer::new(options(folder.path()).with_reconnect_timeout(Duration::from_millis(50))));
    let mut news = server.connect("/api/live", None).unwrap();
    assert_eq!(news.hear(), json!({ "type": "live", "takes": [] }));
    let frames = frames(5);
    let (mut client, ready) = server.ready(&id(1), 0);
    client.send_frames(&frames);
    client.await_received(5);
    drop(client);
    let saved = loop {
        let message = news.hear();
        if message["type"] == "saved" {
            break message;
        }
    };
    assert_eq!(saved, json!({ "type": "saved", "take_id": id(1), "name": ready["name"], "recording_id": 1 }));
    let recording = Recording::open(folder.path().join(ready["name"].as_str().unwrap())).unwrap();
    assert!(recording == recording_of(&frames));
    server.stop();
}

/// Systems other than Unix do not let go of a folder in which a journal is being written.
#[cfg(unix)]
#[test]
fn why_a_take_was_not_saved_is_told_to_who_comes_back_for_it() {
    let root = tempdir().unwrap();
    let folder = root.path().join("takes");
    let viewer = Viewer::new(options(&folder).with_reconnect_timeout(Duration::from_millis(50)));
    let (tell, told) = std::sync::mpsc::channel();
    viewer.on_saved(move |recording| tell.send(recording.clone()).unwrap());
    let server = Server::with(viewer);
    let (mut client, ready) = server.ready(&id(1), 0);
    client.send_frames(&frames(5));
    client.await_received(5);
    fs::remove_dir_all(&folder).unwrap();
    drop(client);
    let error = told.recv().unwrap().error.expect("it is not saved");
    let journal = folder.join(ready["name"].as_str().unwrap()).with_extension("journal");
    assert!(error.contains(journal.to_str().unwrap()), "{error}");
    // It has heard of three, so that it still has the others, and is to keep them.
    let (mut late, ready) = server.ready(&id(1), 3);
    assert_eq!(ready["record_count"], 3);
    late.send_frames(&frames(1));
    late.refused("unknown-take", &error);
    server.stop();
}

#[test]
fn a_take_that_is_gone_on_with_in_time_is_not_saved_before() {
    let folder = tempdir().unwrap();
    let server = Server::with(Viewer::new(options(folder.path()).with_reconnect_timeout(Duration::from_secs(3))));
    let frames = frames(20);
    let (mut client, ready) = server.ready(&id(1), 0);
    let path = folder.path().join(ready["name"].as_str().unwrap());
    let mut has = 0;
    for end in [5, 10, 15, 20] {
        client.send_frames(&frames[has..end]);
        drop(client);
        let ready;
        (client, ready) = server.ready(&id(1), 0);
        has = usize::try_from(ready["record_count"].as_u64().unwrap()).unwrap();
    }
    client.send_frames(&frames[has..]);
    // Longer than each connection that was lost is waited for.
    thread::sleep(Duration::from_millis(3500));
    assert!(!path.exists());
    assert_eq!(client.stop()["frame_count"], 20);
    server.stop();
}

#[test]
fn what_makes_no_sense_ends_the_connection_and_not_the_take() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    for (first, message) in [
        (Message::from("hello"), "no hello: "),
        (Message::from("{\"type\":\"stop\"}"), "say hello first"),
        (
            Message::from("{\"type\":\"hello\",\"take_id\":\"../etc/passwd----\",\"acked_records\":0}"),
            "16 to 64 letters",
        ),
        (
            Message::from("{\"type\":\"hello\",\"take_id\":\"0123456789abcdef\",\"acked_records\":0,\"nam\":\"\"}"),
            "`nam`",
        ),
        (Message::from("{\"type\":\"hello\",\"take_id\":\"0123456789abcdef\",\"acked_records\":-1}"), "-1"),
        (Message::Binary(vec![1; 17].into()), "say hello first"),
    ] {
        let mut client = server.recorder();
        client.send(first);
        client.refused("invalid-message", message);
    }
    let (mut client, _) = server.ready(&id(1), 0);
    client.send_frames(&frames(3));
    client.send(Message::Binary(vec![1, 2, 3].into()));
    client.refused("invalid-message", "shorter than kind and time");
    let (mut client, ready) = server.ready(&id(1), 0);
    assert_eq!(ready["record_count"], 3);
    client.say(json!({ "time": 1.0, "handedness": "left" }));
    client.refused("invalid-message", "unknown field `handedness`");
    let (mut client, _) = server.ready(&id(1), 0);
    client.try_to_send(json!({ "time": 2.0, "marker": "x".repeat(2 << 20) }).to_string().into()).ok();
    // What it had may still be acknowledged; a message that long is not.
    while let Ok(Message::Text(words)) = client.next() {
        assert_eq!(words.as_str(), r#"{"type":"ack","record_count":3}"#);
    }
    let (client, _) = server.ready(&id(1), 0);
    assert_eq!(client.stop()["frame_count"], 3);
    server.stop();
}

#[test]
fn what_is_left_out_is_told_at_the_end() {
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
    client.say(json!({ "time": 9.0, "event": "pinch_start", "hand": "left" }));
    client.await_received(4);
    let saved = client.stop();
    assert_eq!(saved["frame_count"], 2);
    let losses = ["frames that are not after the one before: 1", "poses and rays with numbers that are none: 1"];
    assert_eq!(saved["losses"], json!(losses));
    server.stop();
}

#[test]
fn where_nothing_can_be_written_nothing_begins() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let server = Server::start(&folder.path().join("file/takes"));
    let mut client = server.recorder();
    client.say(json!({ "type": "hello", "take_id": id(1), "acked_records": 0 }));
    client.refused("save-failed", "takes");
    server.stop();
}

#[test]
fn a_take_that_the_viewer_has_no_room_for_is_saved_all_the_same() {
    let folder = tempdir().unwrap();
    let options = ViewerOptions::new().with_record_dir(folder.path()).with_upload_limit_bytes(1);
    let server = Server::with(Viewer::new(options));
    let (mut client, _) = server.ready(&id(1), 0);
    client.send_frames(&frames(5));
    let saved = client.stop();
    assert_eq!((&saved["frame_count"], saved.get("recording_id")), (&5.into(), None));
    server.stop();
    assert_eq!(files_in(folder.path()).len(), 1);
}
