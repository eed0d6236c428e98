//! Takes that are recorded over WebSockets.

use holotape::Recording;
use holotape::record::Journal;
use serde_json::json;
use tempfile::tempdir;
use tungstenite::Message;

use crate::client::files_in;
use crate::live_client::{Server, binary, frames, id, record_frames, text};

#[test]
fn json_and_binary_frames_give_the_same_recording() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let frames = frames(60);
    for (n, form) in [(1, binary as fn(&_) -> Message), (2, text)] {
        let mut client = server.recorder();
        client.send_json(json!({ "type": "hello", "take_id": id(n), "acked_records": 0, "name": "grasping" }));
        let name = if n == 1 { "grasping.bin" } else { "grasping-2.bin" };
        assert_eq!(client.next_json(), json!({ "type": "ready", "take_id": id(n), "name": name, "record_count": 0 }));
        frames.iter().for_each(|frame| client.send(form(frame)));
        client.send_json(json!({ "time": 0.5, "marker": "grabbed" }));
        client.wait_for_ack(61);
        let saved = client.stop();
        let recording = Recording::open(folder.path().join(name)).unwrap();
        let expected = json!({
            "type": "saved", "take_id": id(n), "name": name, "frame_count": 60, "marker_count": 1,
            "duration_secs": saved["duration_secs"], "losses": [], "recording_id": n,
        });
        assert_eq!(saved, expected);
        assert_eq!(saved["duration_secs"].as_f64().unwrap() as f32, recording.duration_secs());
        assert_eq!(recording.markers.iter().map(|marker| &*marker.name).collect::<Vec<_>>(), ["grabbed"]);
        let without_marker = Recording { markers: Default::default(), ..recording };
        assert!(without_marker == record_frames(&frames));
    }
    let takes = server.session()["recordings"].clone();
    assert_eq!((&takes[0]["name"], &takes[1]["name"]), (&"grasping.bin".into(), &"grasping-2.bin".into()));
    server.stop();
    assert_eq!(files_in(folder.path()).len(), 2, "the journals are deleted");
}

#[test]
fn lost_connection_loses_and_repeats_no_frame() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let frames = frames(100);
    let (mut client, _) = server.ready(&id(1), 0);
    client.send_frames(&frames[..40]);
    client.wait_for_ack(40);
    drop(client);
    // The client has received the acknowledgement of 30 only.
    let (mut client, ready) = server.ready(&id(1), 30);
    assert_eq!(ready["record_count"], 40);
    client.send_frames(&frames[40..]);
    let saved = client.stop();
    assert_eq!(saved["frame_count"], 100);
    let recording = Recording::open(folder.path().join(saved["name"].as_str().unwrap())).unwrap();
    assert!(recording == record_frames(&frames));
    server.stop();
}

#[test]
fn stopping_server_saves_live_takes() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let frames = frames(20);
    let (mut client, ready) = server.ready(&id(1), 0);
    client.send_frames(&frames);
    client.wait_for_ack(20);
    let journal = folder.path().join(ready["name"].as_str().unwrap()).with_extension("journal");
    assert_eq!(Journal::open(&journal).unwrap().frame_count, 20, "acknowledged frames are in the journal");
    server.stop();
    assert_eq!(client.next_message()["type"], "saved");
    let recording = Recording::open(journal.with_extension("bin")).unwrap();
    assert!(recording == record_frames(&frames) && !journal.exists());
}
