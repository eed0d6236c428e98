//! `holotape record --ws`: records one take over a WebSocket.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, Stdio};
use std::time::Duration;

use holotape::record::Journal;
use holotape::stream::encode_frame;
use holotape::{Frame, Pose, Recording};
use serde_json::{Value, json};
use tempfile::tempdir;
use tungstenite::http::StatusCode;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{ClientRequestBuilder, Error, Message, WebSocket};

use crate::common::{holotape, signals};

/// A `record --ws` process; killed at the end of the test.
struct Served {
    child: Child,
    url: String,
    stderr: BufReader<ChildStderr>,
}

impl Served {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let mut command = holotape();
        command.arg("record").args(args).args(["--ws", "0"]).current_dir(folder);
        let mut child =
            signals::interruptible(&mut command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
        let mut line = String::new();
        stderr.read_line(&mut line).expect("a line");
        let url = line.trim().strip_prefix("serving: ").unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { child, url, stderr }
    }

    fn connect(&self) -> Client {
        Client(tungstenite::connect(&self.url).expect("connects").0)
    }

    fn ready(&self, records: u64) -> (Client, Value) {
        let mut client = self.connect();
        client.send_json(json!({ "type": "hello", "take_id": TAKE, "acked_records": records, "name": "ignored" }));
        let ready = client.next_json();
        assert_eq!(ready["type"], "ready", "{ready}");
        (client, ready)
    }

    /// Waits for the end: exit code, the rest of stderr.
    fn end(mut self) -> (Option<i32>, String) {
        let code = self.child.wait().expect("ends").code();
        let mut stderr = String::new();
        self.stderr.read_to_string(&mut stderr).expect("UTF-8");
        (code, stderr)
    }

    fn signal(&self, signal: &str) {
        signals::send(signal, &self.child);
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

const TAKE: &str = "0123456789abcdef";

struct Client(WebSocket<MaybeTlsStream<TcpStream>>);

impl Client {
    fn send_json(&mut self, json: Value) {
        self.0.send(json.to_string().into()).expect("sent");
    }

    fn send_frames(&mut self, numbers: std::ops::Range<u32>) {
        numbers.for_each(|n| self.0.send(Message::Binary(encode_frame(&frame(n)).into())).expect("sent"));
    }

    #[track_caller]
    fn next_json(&mut self) -> Value {
        loop {
            match self.0.read().expect("a message") {
                Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
                Message::Close(frame) => panic!("{frame:?}"),
                _ => {}
            }
        }
    }

    #[track_caller]
    fn next_message(&mut self) -> Value {
        loop {
            let message = self.next_json();
            if message["type"] != "ack" {
                return message;
            }
        }
    }

    /// Keeps sending events, which are not recorded, as a client does that has not received the end yet.
    #[track_caller]
    fn next_message_while_sending(&mut self) -> Value {
        let MaybeTlsStream::Plain(stream) = self.0.get_ref() else { panic!("not plain") };
        stream.set_read_timeout(Some(Duration::from_millis(1))).expect("a timeout");
        loop {
            self.send_json(json!({ "time": 101.0, "event": "pinch_start", "hand": "left" }));
            match self.0.read() {
                Ok(Message::Text(text)) => {
                    let message: Value = serde_json::from_str(&text).expect("JSON");
                    if message["type"] != "ack" {
                        return message;
                    }
                }
                Ok(Message::Close(frame)) => panic!("{frame:?}"),
                Err(Error::Io(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                other => _ = other.expect("a message"),
            }
        }
    }

    fn wait_for_ack(&mut self, records: u64) {
        while self.next_json()["record_count"] != records {}
    }

    #[track_caller]
    fn closed_with(&mut self) -> u16 {
        loop {
            match self.0.read().expect("a message") {
                Message::Close(frame) => return frame.expect("a code").code.into(),
                Message::Text(text) => panic!("{text}"),
                _ => {}
            }
        }
    }
}

fn frame(n: u32) -> Frame {
    let camera = Pose { position: [n as f32, 1.5, 0.0], ..Pose::IDENTITY };
    Frame { time: 100.0 + f64::from(n) / 64.0, camera: Some(camera), ..Frame::default() }
}

/// The camera's x position is the number of the frame.
#[track_caller]
fn assert_frames(path: &Path, count: usize) {
    let recording = Recording::open(path).expect("a recording");
    let camera = recording.camera.expect("a camera");
    let keys: Vec<_> = camera.position[0].keys.iter().map(|key| (key.time, key.value)).collect();
    assert_eq!(keys, (0..count).map(|n| (n as f32 / 64.0, n as f32)).collect::<Vec<_>>());
}

#[test]
fn saved_is_sent_after_the_recording_is_saved() {
    let folder = tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["out.bin"]);
    let (mut client, ready) = served.ready(0);
    assert_eq!((&ready["name"], &ready["record_count"]), (&"out.bin".into(), &0.into()));
    client.send_frames(0..50);
    client.send_json(json!({ "time": 100.25, "marker": "here" }));
    client.wait_for_ack(51);
    assert_eq!(Journal::open(folder.path().join("out.journal")).expect("a journal").frame_count, 50);
    client.send_json(json!({ "type": "stop" }));
    let saved = client.next_message();
    assert_frames(&folder.path().join("out.bin"), 50);
    let expected = json!({
        "type": "saved", "take_id": TAKE, "name": "out.bin", "frame_count": 50, "marker_count": 1,
        "duration_secs": 49.0 / 64.0, "losses": [],
    });
    assert_eq!(saved, expected);
    assert_eq!(client.closed_with(), 1000);
    assert_eq!(served.end(), (Some(0), "recorded: out.bin: 0.766 s, 50 frames, 1 marker\n".to_owned()));
    assert!(!folder.path().join("out.journal").exists());
}

#[test]
fn lost_connection_loses_no_frames_and_silent_one_is_replaced() {
    let folder = tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["out.bin"]);
    let (mut client, _) = served.ready(0);
    client.send_frames(0..10);
    client.wait_for_ack(10);
    drop(client);
    let (mut silent, ready) = served.ready(10);
    assert_eq!(ready["record_count"], 10);
    silent.send_frames(10..20);
    silent.wait_for_ack(20);
    // `silent` is connected but reads nothing, so it does not answer pings.
    let (mut next, ready) = served.ready(10);
    assert_eq!(ready["record_count"], 20);
    silent.send_frames(90..95);
    next.send_frames(20..30);
    assert_eq!(silent.closed_with(), 1008);
    next.send_json(json!({ "type": "stop" }));
    assert_eq!(next.next_message()["frame_count"], 30);
    drop(next);
    assert_eq!(served.end().0, Some(0));
    assert_frames(&folder.path().join("out.bin"), 30);
}

#[test]
fn invalid_clients_are_rejected_and_the_take_continues() {
    let folder = tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["out.bin"]);
    let rejected = |first: Value, code: &str| {
        let mut client = served.connect();
        client.send_json(first);
        let error = client.next_json();
        assert_eq!((&error["type"], &error["code"]), (&"error".into(), &code.into()), "{error}");
        assert_eq!(client.closed_with(), 1008);
    };
    rejected(json!({ "type": "hello", "take_id": TAKE, "acked_records": 5 }), "unknown-take");
    rejected(json!({ "type": "stop" }), "invalid-message");
    rejected(json!({ "time": 1.0 }), "invalid-message");
    let (mut client, _) = served.ready(0);
    client.send_frames(0..3);
    client.wait_for_ack(3);
    rejected(json!({ "type": "hello", "take_id": "fedcba9876543210", "acked_records": 0 }), "busy");
    rejected(json!({ "type": "hello", "take_id": "fedcba9876543210", "acked_records": 1 }), "unknown-take");
    client.0.send(Message::Binary(vec![9; 9].into())).expect("sent");
    assert_eq!(client.next_message()["code"], "invalid-message");
    drop(client);
    rejected(json!({ "type": "hello", "take_id": TAKE, "acked_records": 4 }), "missing-records");
    let (mut client, ready) = served.ready(3);
    assert_eq!(ready["record_count"], 3);
    client.send_json(json!({ "type": "stop" }));
    assert_eq!(client.next_message()["frame_count"], 3);
    drop(client);
    let (code, message) = served.end();
    assert_eq!(code, Some(0));
    assert!(message.starts_with("warning: closed a connection: not a record"), "{message}");
}

#[test]
fn take_with_only_markers_is_saved() {
    let folder = tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["out.bin"]);
    let (mut client, _) = served.ready(0);
    client.send_json(json!({ "time": 100.25, "marker": "here" }));
    client.send_json(json!({ "type": "stop" }));
    let saved = client.next_message();
    assert_eq!(
        (&saved["type"], &saved["frame_count"], &saved["marker_count"]),
        (&"saved".into(), &0.into(), &1.into()),
        "{saved}"
    );
    drop(client);
    assert_eq!(served.end().0, Some(0));
    let recording = Recording::open(folder.path().join("out.bin")).expect("a recording");
    assert_eq!(recording.markers.len(), 1);
}

#[test]
fn client_without_hello_is_rejected() {
    let folder = tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["out.bin"]);
    let mut silent = served.connect();
    let error = silent.next_json();
    assert_eq!(
        (&error["code"], &error["message"]),
        (&"invalid-message".into(), &"handshake timed out: no `hello` received within 10 s".into())
    );
    assert_eq!(silent.closed_with(), 1008);
}

#[test]
fn discarded_take_leaves_no_files() {
    let folder = tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["out.bin"]);
    let (mut client, _) = served.ready(0);
    client.send_frames(0..3);
    client.send_json(json!({ "type": "discard" }));
    assert_eq!(client.next_message(), json!({ "type": "discarded", "take_id": TAKE }));
    assert_eq!(client.closed_with(), 1000);
    drop(client);
    let (code, message) = served.end();
    assert_eq!(code, Some(1));
    assert!(message.contains("the client discarded the take"), "{message}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn signal_saves_the_take() {
    let folder = tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["out.bin", "--max-rate", "1"]);
    let (mut client, _) = served.ready(0);
    client.send_frames(0..10);
    client.wait_for_ack(10);
    served.signal("-INT");
    let saved = client.next_message_while_sending();
    assert_eq!((&saved["type"], &saved["frame_count"]), (&"saved".into(), &1.into()), "--max-rate applies");
    drop(client);
    let (code, message) = served.end();
    assert_eq!(code, Some(0));
    assert!(
        message.contains("dropped frames above the maximum rate: 9") && message.contains("recorded: out.bin"),
        "{message}"
    );
    // No client connected.
    let served = Served::start(folder.path(), &["other.bin"]);
    served.signal("-INT");
    let (code, message) = served.end();
    assert_eq!(code, Some(1));
    assert!(message.contains("no frames received: nothing to save"), "{message}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn pages_from_other_origins_are_rejected_unless_allowed() {
    let folder = tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["out.bin", "--allow-origin", "https://example.org"]);
    let connect = |origin: &str| {
        let request = ClientRequestBuilder::new(served.url.parse().expect("a URL")).with_header("Origin", origin);
        tungstenite::connect(request).map(|(socket, _)| socket)
    };
    match connect("https://example.com") {
        Err(Error::Http(response)) => assert_eq!(response.status(), StatusCode::FORBIDDEN),
        other => panic!("{other:?}"),
    }
    assert!(connect("https://example.org").is_ok() && connect("http://localhost:3000").is_ok());
}

#[test]
fn existing_file_or_journal_is_not_overwritten() {
    let folder = tempdir().expect("a folder");
    fs::write(folder.path().join("out.bin"), "").expect("written");
    fs::write(folder.path().join("unsaved.journal"), "").expect("written");
    for name in ["out.bin", "unsaved.bin"] {
        let output = holotape().args(["record", name, "--ws", "0"]).current_dir(folder.path()).output().expect("runs");
        assert_eq!(output.status.code(), Some(1), "{name}");
    }
}
