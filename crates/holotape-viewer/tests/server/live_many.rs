//! Several takes at once, those who watch them, and those who are not let in.

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
use crate::live_client::{Client, Server, binary, frames, id, options, recording_of, text};

#[test]
fn two_record_at_once_and_neither_gets_what_is_the_others() {
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
        assert!(recording == recording_of(part));
    }
    assert_ne!(saved[0]["name"], saved[1]["name"]);
    server.stop();
}

#[test]
fn no_more_than_eight_takes_at_once() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut clients: Vec<_> = (0..8).map(|n| server.ready(&id(n), 0).0).collect();
    let mut ninth = server.recorder();
    ninth.say(json!({ "type": "hello", "take_id": id(9), "acked_records": 0 }));
    ninth.refused("busy", "8 takes are being recorded");
    let mut first = clients.remove(0);
    first.say(json!({ "type": "discard" }));
    assert_eq!(first.hear_news()["type"], "discarded");
    server.ready(&id(9), 0);
    server.stop();
}

#[test]
fn whatever_a_take_is_to_be_called_it_is_a_new_file_in_the_folder() {
    let root = tempdir().unwrap();
    let folder = root.path().join("takes");
    fs::create_dir(&folder).unwrap();
    fs::write(root.path().join("secret.bin"), "not to be touched").unwrap();
    fs::write(folder.join("there.bin"), "not to be touched").unwrap();
    fs::write(folder.join("unsaved.journal"), "not to be touched").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(root.path().join("elsewhere.bin"), folder.join("link.bin")).unwrap();
    let server = Server::start(&folder);
    let frames = frames(2);
    for (n, (asked, name)) in [
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
        client.say(json!({ "type": "hello", "take_id": take, "acked_records": 0, "name": asked }));
        assert_eq!(client.hear()["name"], name, "{asked:?}");
        client.send_frames(&frames);
        assert_eq!(client.stop()["name"], name);
        assert!(Recording::open(folder.join(name)).unwrap() == recording_of(&frames));
    }
    // Without a name, and with none that is left of what was asked for.
    for (n, name) in [(100, None), (101, Some("..")), (102, Some(""))] {
        let mut client = server.recorder();
        client.say(json!({ "type": "hello", "take_id": id(n), "acked_records": 0, "name": name }));
        let ready = client.hear();
        assert!(ready["name"].as_str().unwrap().starts_with("InputAnimation-"), "{ready}");
        client.say(json!({ "type": "discard" }));
        assert_eq!(client.hear_news()["type"], "discarded");
    }
    server.stop();
    assert_eq!(fs::read(root.path().join("secret.bin")).unwrap(), b"not to be touched");
    assert_eq!(fs::read(folder.join("there.bin")).unwrap(), b"not to be touched");
    assert_eq!(fs::read(folder.join("unsaved.journal")).unwrap(), b"not to be touched");
    assert!(!root.path().join("elsewhere.bin").exists());
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 2, "nothing beside the folder");
}

#[test]
fn a_name_that_is_taken_meanwhile_is_left_to_who_took_it() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut client = server.recorder();
    client.say(json!({ "type": "hello", "take_id": id(1), "acked_records": 0, "name": "take" }));
    assert_eq!(client.hear()["name"], "take.bin");
    client.send_frames(&frames(2));
    fs::write(folder.path().join("take.bin"), "of somebody else").unwrap();
    assert_eq!(client.stop()["name"], "take-2.bin");
    server.stop();
    let names: Vec<_> = files_in(folder.path()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["take-2.bin", "take.bin"]);
    assert_eq!(fs::read(folder.path().join("take.bin")).unwrap(), b"of somebody else");
}

/// The next messages that are no news of the connection.
fn next_messages(client: &mut Client, count: usize) -> Vec<Message> {
    (0..count).map(|_| client.next().unwrap()).collect()
}

#[test]
fn those_who_watch_see_what_comes_in_the_form_they_want() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let frames = frames(4);
    let (mut recorder, _) = server.ready(&id(1), 0);
    let path = format!("/api/live/{}", id(1));
    let mut records = server.connect(&path, Some("holotape.binary")).unwrap();
    let mut lines = server.connect(&path, Some("holotape.ndjson")).unwrap();
    let mut plain = server.connect(&path, None).unwrap();
    // Who is answered does not watch before the server has noted it: one that answers a ping has.
    for watcher in [&mut records, &mut lines, &mut plain] {
        watcher.await_ping();
    }
    recorder.send(binary(&frames[0]));
    recorder.send(text(&frames[1]));
    recorder.send(Message::from("{\"time\":9,\"event\":\"pinch_start\",\"hand\":\"left\"}"));
    recorder.send(Message::from("{\"time\":0.5,\"marker\":\"here\"}"));
    assert_eq!(next_messages(&mut records, 2), [binary(&frames[0]), binary(&frames[1])]);
    assert_eq!(records.next().unwrap().into_data()[0], 2);
    for watcher in [&mut lines, &mut plain] {
        assert_eq!(next_messages(watcher, 2), [text(&frames[0]), text(&frames[1])]);
        assert_eq!(watcher.hear(), json!({ "time": 0.5, "marker": "here" }));
    }
    recorder.stop();
    for watcher in [&mut records, &mut lines, &mut plain] {
        assert_eq!(watcher.closed_with(), 1000);
    }
    assert_eq!(server.connect(&path, None).err(), Some(404), "there is nothing to watch any more");
    server.stop();
}

#[test]
fn who_watches_and_does_not_look_keeps_nobody_waiting() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let (mut recorder, _) = server.ready(&id(1), 0);
    let path = format!("/api/live/{}", id(1));
    let _blind: Vec<_> = (0..4).map(|_| server.connect(&path, Some("holotape.ndjson")).unwrap()).collect();
    // As JSON, more than any socket holds.
    let frames = frames(900);
    recorder.send_frames(&frames);
    let saved = recorder.stop();
    assert_eq!(saved["frame_count"], 900);
    let recording = Recording::open(folder.path().join(saved["name"].as_str().unwrap())).unwrap();
    assert!(recording == recording_of(&frames));
    server.stop();
}

#[test]
fn what_is_being_recorded_is_told_to_who_asks() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut news = server.connect("/api/live", None).unwrap();
    assert_eq!(news.hear(), json!({ "type": "live", "takes": [] }));
    let mut client = server.recorder();
    client.say(json!({ "type": "hello", "take_id": id(1), "acked_records": 0, "name": "grasping" }));
    client.hear();
    client.send_frames(&frames(10));
    client.await_received(10);
    let told = news.hear_until(|news| news["takes"][0]["frame_count"] == 10);
    let take = &told["takes"][0];
    assert_eq!((&take["take_id"], &take["name"]), (&id(1).into(), &"grasping.bin".into()));
    assert_eq!(take["is_connected"], true);
    assert!((take["duration_secs"].as_f64().unwrap() - 0.1).abs() < 1e-6, "{take}");
    drop(client);
    news.hear_until(|news| news["takes"][0]["is_connected"] == false);
    let (client, _) = server.ready(&id(1), 10);
    news.hear_until(|news| news["takes"][0]["is_connected"] == true);
    client.stop();
    // Before it is gone from among the others: whoever watches it still knows that.
    let saved = news.hear_until(|news| news["type"] == "saved" || news["takes"] == json!([]));
    assert_eq!(saved, json!({ "type": "saved", "take_id": id(1), "name": "grasping.bin", "recording_id": 1 }));
    news.hear_until(|news| news["takes"] == json!([]));
    let mut late = server.connect("/api/live", None).unwrap();
    assert_eq!(late.hear(), json!({ "type": "live", "takes": [] }));
    server.stop();
    assert_eq!(late.hear(), json!({ "type": "live", "takes": [] }));
    assert_eq!(late.closed_with(), 1001);
}

#[test]
fn whoever_started_the_viewer_hears_of_what_is_saved() {
    let folder = tempdir().unwrap();
    let viewer = Viewer::new(options(folder.path()));
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = told.clone();
    viewer.on_saved(move |recording| tell.lock().unwrap().push(recording.clone()));
    let server = Server::with(viewer);
    for n in [1, 2] {
        let (mut client, _) = server.ready(&id(n), 0);
        client.send_frames(&frames(3));
        client.await_received(3);
        if n == 1 {
            client.stop();
        }
    }
    server.stop();
    let told = told.lock().unwrap();
    assert_eq!(told.len(), 2, "the one too that was saved at the end");
    for recording in told.iter() {
        assert_eq!((recording.frames, &recording.error), (3, &None));
        assert!(recording.path.exists() && recording.path.starts_with(folder.path()));
    }
}

#[test]
fn other_pages_are_not_let_in() {
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
        assert!(answer.starts_with("HTTP/1.1 426") && answer.contains("{\"error\":\"a WebSocket is here"), "{answer}");
    }
    for path in ["/api/live/nobody", "/api/live/0123456789abcdef", "/api/live/..%2frecord"] {
        assert_eq!(server.connect(path, None).err(), Some(404), "{path}");
    }
    server.stop();
}
