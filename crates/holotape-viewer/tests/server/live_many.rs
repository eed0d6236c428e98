//! Several takes at once, watchers, and rejected connections.

use std::fs;
use std::sync::{Arc, Mutex};
use std::thread;

use holotape::Recording;
use holotape_viewer::Viewer;
use serde_json::{Value, json};
use tempfile::tempdir;
use tungstenite::Message;
use tungstenite::client::IntoClientRequest;

use crate::client::{ask_raw, files_in};
use crate::live_client::{Client, Server, binary, frames, id, options, record_frames, text};

#[test]
fn simultaneous_takes_are_independent() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let frames = frames(200);
    let (first, second) = frames.split_at(120);
    let saved: Vec<Value> = thread::scope(|scope| {
        let threads = [(1, first), (2, second)].map(|(n, part)| {
            let server = &server;
            scope.spawn(move || {
                let (mut client, _) = server.ready(&id(n), 0);
                client.send_frames(part);
                client.stop()
            })
        });
        threads.map(|thread| thread.join().unwrap()).into()
    });
    for (saved, part) in saved.iter().zip([first, second]) {
        let recording = Recording::open(folder.path().join(saved["name"].as_str().unwrap())).unwrap();
        assert!(recording == record_frames(part));
    }
    assert_ne!(saved[0]["name"], saved[1]["name"]);
    server.stop();
}

#[test]
fn ninth_take_is_rejected() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut clients: Vec<_> = (0..8).map(|n| server.ready(&id(n), 0).0).collect();
    let mut ninth = server.recorder();
    ninth.send_json(json!({ "type": "hello", "take_id": id(9), "acked_records": 0 }));
    ninth.expect_error("busy", "8 takes are being recorded");
    let mut first = clients.remove(0);
    first.send_json(json!({ "type": "discard" }));
    assert_eq!(first.next_message()["type"], "discarded");
    server.ready(&id(9), 0);
    server.stop();
}

#[test]
fn any_name_gives_a_new_file_in_the_folder() {
    let root = tempdir().unwrap();
    let folder = root.path().join("takes");
    fs::create_dir(&folder).unwrap();
    fs::write(root.path().join("secret.bin"), "not to be touched").unwrap();
    fs::write(folder.join("there.bin"), "not to be touched").unwrap();
    fs::write(folder.join("unsaved.journal"), "not to be touched").unwrap();
    // On Windows, links need a privilege that users do not have.
    #[cfg(unix)]
    std::os::unix::fs::symlink(root.path().join("elsewhere.bin"), folder.join("link.bin")).unwrap();
    let server = Server::start(&folder);
    let frames = frames(2);
    for (n, (requested, name)) in [
        ("../secret", "secret.bin"),
        ("/etc/passwd", "passwd.bin"),
        ("..\\..\\secret.bin", "secret-2.bin"),
        ("there.bin", "there-2.bin"),
        ("unsaved", "unsaved-2.bin"),
        (".hidden\0", "hidden.bin"),
        ("Ünïcode 手", "Ünïcode 手.bin"),
        #[cfg(unix)]
        ("link", "link-2.bin"),
    ]
    .into_iter()
    .enumerate()
    {
        let take = id(u32::try_from(n).unwrap());
        let mut client = server.recorder();
        client.send_json(json!({ "type": "hello", "take_id": take, "acked_records": 0, "name": requested }));
        assert_eq!(client.next_json()["name"], name, "{requested:?}");
        client.send_frames(&frames);
        assert_eq!(client.stop()["name"], name);
        assert!(Recording::open(folder.join(name)).unwrap() == record_frames(&frames));
    }
    // No name, and names without any valid character.
    for (n, name) in [(100, None), (101, Some("..")), (102, Some(""))] {
        let mut client = server.recorder();
        client.send_json(json!({ "type": "hello", "take_id": id(n), "acked_records": 0, "name": name }));
        let ready = client.next_json();
        assert!(ready["name"].as_str().unwrap().starts_with("InputAnimation-"), "{ready}");
        client.send_json(json!({ "type": "discard" }));
        assert_eq!(client.next_message()["type"], "discarded");
    }
    server.stop();
    assert_eq!(fs::read(root.path().join("secret.bin")).unwrap(), b"not to be touched");
    assert_eq!(fs::read(folder.join("there.bin")).unwrap(), b"not to be touched");
    assert_eq!(fs::read(folder.join("unsaved.journal")).unwrap(), b"not to be touched");
    assert!(!root.path().join("elsewhere.bin").exists());
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 2, "nothing outside the folder");
}

#[test]
fn file_that_appears_while_recording_is_not_overwritten() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut client = server.recorder();
    client.send_json(json!({ "type": "hello", "take_id": id(1), "acked_records": 0, "name": "take" }));
    assert_eq!(client.next_json()["name"], "take.bin");
    client.send_frames(&frames(2));
    fs::write(folder.path().join("take.bin"), "of another program").unwrap();
    assert_eq!(client.stop()["name"], "take-2.bin");
    server.stop();
    let names: Vec<_> = files_in(folder.path()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["take-2.bin", "take.bin"]);
    assert_eq!(fs::read(folder.path().join("take.bin")).unwrap(), b"of another program");
}

fn next_messages(client: &mut Client, count: usize) -> Vec<Message> {
    (0..count).map(|_| client.next().unwrap()).collect()
}

#[test]
fn watchers_receive_records_in_their_encoding() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let frames = frames(4);
    let (mut recorder, _) = server.ready(&id(1), 0);
    let path = format!("/api/live/{}", id(1));
    let mut records = server.connect(&path, Some("holotape.binary")).unwrap();
    let mut lines = server.connect(&path, Some("holotape.ndjson")).unwrap();
    let mut plain = server.connect(&path, None).unwrap();
    // The server sends the first ping after it has registered the watcher.
    for watcher in [&mut records, &mut lines, &mut plain] {
        watcher.wait_for_ping();
    }
    recorder.send(binary(&frames[0]));
    recorder.send(text(&frames[1]));
    recorder.send(Message::from("{\"time\":9,\"event\":\"pinch_start\",\"hand\":\"left\"}"));
    recorder.send(Message::from("{\"time\":0.5,\"marker\":\"here\"}"));
    assert_eq!(next_messages(&mut records, 2), [binary(&frames[0]), binary(&frames[1])]);
    assert_eq!(records.next().unwrap().into_data()[0], 2);
    for watcher in [&mut lines, &mut plain] {
        assert_eq!(next_messages(watcher, 2), [text(&frames[0]), text(&frames[1])]);
        assert_eq!(watcher.next_json(), json!({ "time": 0.5, "marker": "here" }));
    }
    recorder.stop();
    for watcher in [&mut records, &mut lines, &mut plain] {
        assert_eq!(watcher.closed_with(), 1000);
    }
    assert_eq!(server.connect(&path, None).err(), Some(404), "the take has ended");
    server.stop();
}

#[test]
fn slow_watchers_do_not_block_the_recording() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let (mut recorder, _) = server.ready(&id(1), 0);
    let path = format!("/api/live/{}", id(1));
    let _slow: Vec<_> = (0..4).map(|_| server.connect(&path, Some("holotape.ndjson")).unwrap()).collect();
    // As JSON, these are more than any socket buffer holds.
    let frames = frames(900);
    recorder.send_frames(&frames);
    let saved = recorder.stop();
    assert_eq!(saved["frame_count"], 900);
    let recording = Recording::open(folder.path().join(saved["name"].as_str().unwrap())).unwrap();
    assert!(recording == record_frames(&frames));
    server.stop();
}

#[test]
fn list_reports_live_and_saved_takes() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut list = server.connect("/api/live", None).unwrap();
    assert_eq!(list.next_json(), json!({ "type": "live", "takes": [] }));
    let mut client = server.recorder();
    client.send_json(json!({ "type": "hello", "take_id": id(1), "acked_records": 0, "name": "grasping" }));
    client.next_json();
    client.send_frames(&frames(10));
    client.wait_for_ack(10);
    let message = list.next_json_where(|message| message["takes"][0]["frame_count"] == 10);
    let take = &message["takes"][0];
    assert_eq!((&take["take_id"], &take["name"]), (&id(1).into(), &"grasping.bin".into()));
    assert_eq!(take["is_connected"], true);
    assert!((take["duration_secs"].as_f64().unwrap() - 0.1).abs() < 1e-6, "{take}");
    drop(client);
    list.next_json_where(|message| message["takes"][0]["is_connected"] == false);
    let (client, _) = server.ready(&id(1), 10);
    list.next_json_where(|message| message["takes"][0]["is_connected"] == true);
    client.stop();
    // `saved` comes before the take disappears from the list.
    let saved = list.next_json_where(|message| message["type"] == "saved" || message["takes"] == json!([]));
    assert_eq!(saved, json!({ "type": "saved", "take_id": id(1), "name": "grasping.bin", "recording_id": 1 }));
    list.next_json_where(|message| message["takes"] == json!([]));
    let mut late = server.connect("/api/live", None).unwrap();
    assert_eq!(late.next_json(), json!({ "type": "live", "takes": [] }));
    server.stop();
    assert_eq!(late.next_json(), json!({ "type": "live", "takes": [] }));
    assert_eq!(late.closed_with(), 1001);
}

#[test]
fn on_saved_is_called_for_every_take() {
    let folder = tempdir().unwrap();
    let viewer = Viewer::new(options(folder.path()));
    let saved = Arc::new(Mutex::new(Vec::new()));
    let sink = saved.clone();
    viewer.on_saved(move |recording| sink.lock().unwrap().push(recording.clone()));
    let server = Server::with(viewer);
    for n in [1, 2] {
        let (mut client, _) = server.ready(&id(n), 0);
        client.send_frames(&frames(3));
        client.wait_for_ack(3);
        if n == 1 {
            client.stop();
        }
    }
    server.stop();
    let saved = saved.lock().unwrap();
    assert_eq!(saved.len(), 2, "including the one that was saved at shutdown");
    for recording in saved.iter() {
        assert_eq!((recording.frame_count, &recording.error), (3, &None));
        assert!(recording.path.exists() && recording.path.starts_with(folder.path()));
    }
}

#[test]
fn pages_from_other_origins_are_rejected() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let own = format!("http://127.0.0.1:{}", server.port);
    for path in ["/api/live", "/api/live/record"] {
        let request = |header: &'static str, value: &str| {
            let mut request = format!("ws://127.0.0.1:{}{path}", server.port).into_client_request().unwrap();
            request.headers_mut().insert(header, value.parse().unwrap());
            server.connect_with(request).err()
        };
        assert_eq!(request("origin", &own), None);
        assert_eq!(request("sec-fetch-site", "same-origin"), None);
        assert_eq!(request("origin", "https://example.org"), Some(403));
        assert_eq!(request("origin", "null"), Some(403));
        assert_eq!(request("origin", "http://127.0.0.1:1"), Some(403));
        assert_eq!(request("sec-fetch-site", "cross-site"), Some(403));
        assert_eq!(request("sec-fetch-site", "same-site"), Some(403));
        assert_eq!(request("host", "example.org"), Some(421));
        let plain = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", server.port);
        let answer = ask_raw(server.port, plain.as_bytes());
        assert!(
            answer.starts_with("HTTP/1.1 426") && answer.contains("{\"message\":\"this path serves WebSockets only"),
            "{answer}"
        );
    }
    for path in ["/api/live/unknown", "/api/live/0123456789abcdef", "/api/live/..%2frecord"] {
        assert_eq!(server.connect(path, None).err(), Some(404), "{path}");
    }
    server.stop();
}

#[test]
fn names_are_numbered_up_to_a_limit() {
    let folder = tempdir().unwrap();
    for number in 1..=10_000 {
        let name = if number == 1 { "reach.bin".to_owned() } else { format!("reach-{number}.bin") };
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let server = Server::start(folder.path());
    let mut client = server.recorder();
    client.send_json(json!({ "type": "hello", "take_id": id(1), "acked_records": 0, "name": "reach" }));
    let error = client.next_json();
    assert_eq!((&error["type"], &error["code"]), (&"error".into(), &"save-failed".into()), "{error}");
    assert!(error["message"].as_str().unwrap().contains("10000 recordings have the name \"reach\""), "{error}");
    server.stop();
}
