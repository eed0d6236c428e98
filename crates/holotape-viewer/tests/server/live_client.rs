//! Test clients that record and watch over WebSockets, and a server for them.

use std::net::TcpStream;
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use holotape::stream::encode_frame;
use holotape::{Frame, Recording};
use holotape_viewer::{Viewer, ViewerOptions};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::CloseFrame;
use tungstenite::{Bytes, Error, Message, WebSocket};

use crate::client::ask_raw;

/// Fails a test that waits for a message that never comes.
const READ_TIMEOUT: Duration = Duration::from_secs(120);

/// A server that saves takes in a folder.
pub struct Server {
    pub port: u16,
    end: oneshot::Sender<()>,
    thread: JoinHandle<holotape::Result<Vec<String>>>,
}

impl Server {
    pub fn start(record_dir: &Path) -> Self {
        Self::with(Viewer::new(options(record_dir)))
    }

    pub fn with(viewer: Viewer) -> Self {
        let bound = viewer.bind(0).expect("a free port");
        let port = bound.port();
        let (end, ended) = oneshot::channel();
        let thread = thread::spawn(|| bound.serve_until(async { drop(ended.await) }));
        Self { port, end, thread }
    }

    pub fn stop(self) {
        self.end.send(()).expect("it runs");
        self.thread.join().expect("no panic").expect("no failure");
    }

    /// Connects to a path with a subprotocol. The error is the HTTP status.
    pub fn connect(&self, path: &str, protocol: Option<&str>) -> Result<Client, u16> {
        let mut request = format!("ws://127.0.0.1:{}{path}", self.port).into_client_request().expect("an address");
        if let Some(protocol) = protocol {
            request.headers_mut().insert("sec-websocket-protocol", protocol.parse().expect("a name"));
        }
        self.connect_with(request)
    }

    pub fn connect_with(&self, request: tungstenite::handshake::client::Request) -> Result<Client, u16> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a server");
        stream.set_read_timeout(Some(READ_TIMEOUT)).expect("a limit");
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Client { socket }),
            Err(tungstenite::HandshakeError::Failure(Error::Http(answer))) => Err(answer.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    pub fn recorder(&self) -> Client {
        self.connect("/api/live/record", None).expect("a connection")
    }

    /// Connects and sends `hello`. Returns the `ready` message, too.
    pub fn ready(&self, take: &str, records: u64) -> (Client, Value) {
        let mut client = self.recorder();
        client.send_json(json!({ "type": "hello", "take_id": take, "acked_records": records }));
        let ready = client.next_json();
        assert_eq!(ready["type"], "ready", "{ready}");
        (client, ready)
    }

    pub fn session(&self) -> Value {
        let host = format!("GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", self.port);
        let answer = ask_raw(self.port, host.as_bytes());
        serde_json::from_str(answer.split_once("\r\n\r\n").expect("a body").1).expect("JSON")
    }
}

pub fn options(record_dir: &Path) -> ViewerOptions {
    ViewerOptions::new().with_record_dir(record_dir).without_token()
}

/// One end of a WebSocket.
pub struct Client {
    socket: WebSocket<TcpStream>,
}

impl Client {
    pub fn send_json(&mut self, json: Value) {
        self.send(json.to_string().into());
    }

    pub fn send(&mut self, message: Message) {
        self.try_send(message).expect("a connection");
    }

    /// Sends a message although the server may close the connection.
    pub fn try_send(&mut self, message: Message) -> Result<(), Error> {
        self.socket.send(message)
    }

    pub fn send_frames(&mut self, frames: &[Frame]) {
        frames.iter().for_each(|frame| self.send(binary(frame)));
    }

    /// The next message. Answers pings.
    pub fn next(&mut self) -> Result<Message, Error> {
        loop {
            match self.socket.read()? {
                Message::Ping(_) | Message::Pong(_) => {}
                message => return Ok(message),
            }
        }
    }

    /// Waits for the first ping of a connection.
    pub fn wait_for_ping(&mut self) {
        while !self.socket.read().expect("a connection").is_ping() {}
    }

    /// Waits for a matching message.
    pub fn next_json_where(&mut self, predicate: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next_json();
            if predicate(&message) {
                return message;
            }
        }
    }

    /// The next message, which is JSON.
    #[track_caller]
    pub fn next_json(&mut self) -> Value {
        match self.next() {
            Ok(Message::Text(text)) => serde_json::from_str(&text).expect("JSON"),
            other => panic!("{other:?}"),
        }
    }

    /// The next message that is not an acknowledgement.
    #[track_caller]
    pub fn next_message(&mut self) -> Value {
        loop {
            let message = self.next_json();
            if message["type"] != "ack" {
                return message;
            }
        }
    }

    /// Waits until `records` records are acknowledged.
    #[track_caller]
    pub fn wait_for_ack(&mut self, records: u64) {
        loop {
            let message = self.next_json();
            assert_eq!(message["type"], "ack", "{message}");
            let received = message["record_count"].as_u64().expect("a number");
            assert!(received <= records, "{received} of {records}");
            if received == records {
                return;
            }
        }
    }

    #[track_caller]
    pub fn closed_with(&mut self) -> u16 {
        match self.next() {
            Ok(Message::Close(Some(CloseFrame { code, .. }))) => code.into(),
            other => panic!("{other:?}"),
        }
    }

    /// Stops the take and expects it to be saved.
    #[track_caller]
    pub fn stop(mut self) -> Value {
        self.send_json(json!({ "type": "stop" }));
        let saved = self.next_message();
        assert_eq!(saved["type"], "saved", "{saved}");
        assert_eq!(self.closed_with(), 1000);
        saved
    }

    /// Expects an error and the end of the connection.
    #[track_caller]
    pub fn expect_error(&mut self, code: &str, message: &str) {
        let error = self.next_message();
        assert_eq!((&error["type"], &error["code"]), (&"error".into(), &code.into()), "{error}");
        let actual = error["message"].as_str().expect("text");
        assert!(actual.contains(message), "{message:?} is not in {actual:?}");
        assert_eq!(self.closed_with(), 1008);
    }
}

pub fn binary(frame: &Frame) -> Message {
    Message::Binary(Bytes::from(encode_frame(frame)))
}

pub fn text(frame: &Frame) -> Message {
    Message::Text(serde_json::to_string(frame).expect("JSON").into())
}

/// Frames of a demo, as a headset would send them.
pub fn frames(count: usize) -> Vec<Frame> {
    let recording = crate::client::demo(12.0);
    let mut sampler = recording.sampler();
    (0..count).map(|n| sampler.frame_at(n as f64 / 90.0)).collect()
}

/// Records frames directly.
pub fn record_frames(frames: &[Frame]) -> Recording {
    let options = holotape::record::RecorderOptions::new().with_max_rate_hz(None);
    let mut recorder = holotape::record::Recorder::start(options).expect("starts");
    for frame in frames {
        recorder.push(frame).expect("records");
    }
    recorder.stop().recording
}

/// The id of a take.
pub fn id(n: u32) -> String {
    format!("take{n:016}")
}
