//! `play --ws`: the same lines over a WebSocket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, Stdio};

use holotape::stream::Record;
use tungstenite::http::StatusCode;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{ClientRequestBuilder, Error, Message, WebSocket};

use crate::common::Run;
use crate::play::{play, recording};

/// A `play --ws` process; killed at the end of the test.
struct Served {
    child: Child,
    url: String,
    stderr: BufReader<ChildStderr>,
}

impl Served {
    fn new(path: &Path, args: &[&str]) -> Self {
        let mut command = play(path, &["--ws", "0"]);
        let mut child = command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
        let mut line = String::new();
        stderr.read_line(&mut line).expect("a line");
        let url = line.trim().strip_prefix("serving: ").expect("an address").to_owned();
        assert!(url.starts_with("ws://127.0.0.1:") && url.ends_with('/'), "{url}");
        Self { child, url, stderr }
    }

    fn client(&self) -> WebSocket<MaybeTlsStream<TcpStream>> {
        tungstenite::connect(&self.url).expect("connects").0
    }

    fn client_of(&self, origin: &str) -> Result<WebSocket<MaybeTlsStream<TcpStream>>, Error> {
        let request = ClientRequestBuilder::new(self.url.parse().expect("a URL")).with_header("Origin", origin);
        tungstenite::connect(request).map(|(socket, _)| socket)
    }

    /// Waits for the end: exit code, stdout, the rest of stderr.
    fn end(mut self) -> (Option<i32>, String, String) {
        let code = self.child.wait().expect("ends").code();
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.child.stdout.take().expect("piped").read_to_string(&mut stdout).expect("UTF-8");
        self.stderr.read_to_string(&mut stderr).expect("UTF-8");
        (code, stdout, stderr)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// All messages until the server closes the connection, and its close code.
fn messages(client: &mut WebSocket<MaybeTlsStream<TcpStream>>) -> (Vec<Message>, Option<CloseCode>) {
    let (mut messages, mut code) = (Vec::new(), None);
    loop {
        match client.read() {
            Ok(Message::Close(frame)) => code = frame.map(|frame| frame.code),
            Ok(message) => messages.push(message),
            Err(Error::ConnectionClosed) => return (messages, code),
            Err(error) => panic!("{error} after {} messages", messages.len()),
        }
    }
}

/// The lines among them.
fn received(client: &mut WebSocket<MaybeTlsStream<TcpStream>>) -> (Vec<String>, Option<CloseCode>) {
    let (messages, code) = messages(client);
    let lines = messages.into_iter().filter(Message::is_text).map(|message| message.to_string());
    (lines.collect(), code)
}

#[test]
fn websocket_listener_receives_the_printed_lines() {
    let (_folder, path, _) = recording();
    let args = ["--speed", "20", "--events"];
    let printed = Run::new(&mut play(&path, &args)).code(0);
    let served = Served::new(&path, &args);
    let (lines, code) = received(&mut served.client());
    assert_eq!(lines, printed.text().lines().collect::<Vec<_>>(), "playback starts with the first listener");
    assert_eq!(code, Some(CloseCode::Normal));
    assert_eq!(served.end(), (Some(0), String::new(), String::new()));
}

#[test]
fn binary_listener_receives_the_same_records() {
    let (_folder, path, _) = recording();
    let args = ["--speed", "20", "--events"];
    let printed = Run::new(&mut play(&path, &args)).code(0);
    let served = Served::new(&path, &args);
    let request = ClientRequestBuilder::new(served.url.parse().expect("a URL"))
        .with_sub_protocol("something.else")
        .with_sub_protocol("holotape.binary")
        .with_sub_protocol("holotape.ndjson");
    let (mut client, answer) = tungstenite::connect(request).expect("connects");
    assert_eq!(answer.headers()["sec-websocket-protocol"], "holotape.binary");
    let (messages, code) = messages(&mut client);
    assert_eq!(code, Some(CloseCode::Normal));
    let records: Vec<_> = messages.iter().map(|message| Record::decode(&message.clone().into_data())).collect();
    let lines: Vec<_> = printed.text().lines().map(|line| Record::from_json(line.as_bytes())).collect();
    assert_eq!(records.len(), lines.len());
    let mut kinds = [0; 3];
    for (record, line) in records.into_iter().zip(lines) {
        let (record, line) = (record.expect("a record"), line.expect("a line"));
        kinds[match &record {
            Record::Frame(_) => 0,
            Record::Marker { .. } => 1,
            Record::Event { .. } => 2,
        }] += 1;
        assert_eq!(record.encode(), line.encode());
    }
    assert!(kinds.iter().all(|count| *count > 1), "{kinds:?}");
    assert_eq!(served.end().0, Some(0));
}

#[test]
fn pages_from_other_origins_are_rejected_unless_allowed() {
    let (_folder, path, _) = recording();
    for accepted in ["https://example.org", "http://localhost:3000"] {
        let served = Served::new(&path, &["--speed", "20", "--allow-origin", "https://example.org"]);
        for foreign in ["https://example.com", "http://localhost.example.com", "null"] {
            match served.client_of(foreign) {
                Err(Error::Http(response)) => assert_eq!(response.status(), StatusCode::FORBIDDEN),
                other => panic!("{foreign}: {other:?}"),
            }
        }
        let mut client = served.client_of(accepted).expect("accepted");
        assert_eq!(received(&mut client).1, Some(CloseCode::Normal));
        let (code, _, message) = served.end();
        assert_eq!(code, Some(0));
        assert!(
            message.starts_with("note: rejected a page from https://example.com; to accept it, pass --allow-origin"),
            "{message}"
        );
        assert_eq!(message.lines().count(), 3, "{message}");
    }
}

#[test]
fn used_port_is_an_error_and_other_protocols_are_ignored() {
    let (_folder, path, _) = recording();
    let served = Served::new(&path, &["--speed", "20"]);
    let port = served.url.trim_end_matches('/').rsplit(':').next().expect("a port").to_owned();
    Run::new(&mut play(&path, &["--ws", &port])).code(1).assert_stderr_contains(&format!("127.0.0.1:{port}: "));
    let mut other = TcpStream::connect(("127.0.0.1", port.parse().expect("a number"))).expect("connects");
    other.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").expect("sent");
    let mut answer = Vec::new();
    other.read_to_end(&mut answer).ok();
    assert_eq!(received(&mut served.client()).1, Some(CloseCode::Normal), "other clients are not affected");
    assert_eq!(served.end().0, Some(0));
}

#[test]
fn missing_file_is_an_error_before_serving() {
    Run::new(&mut play(Path::new("nowhere.bin"), &["--ws", "0"])).code(1).assert_stderr_contains("nowhere.bin");
}
