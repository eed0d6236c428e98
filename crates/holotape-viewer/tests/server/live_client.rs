//! Those who record and watch over WebSockets, and the server they do it with.

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

/// So long that only what never comes is not waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that saves takes in a folder, until it is told to end.
pub struct Server {
    pub port: u16,
    end: oneshot::Sender<()>,
    thread: JoinHandle<holotape::Result<Vec<String>>>,
}

impl Server {
    pub fn start(takes: &Path) -> Self {
        Self::with(Viewer::new(options(takes)))
    }

    pub fn with(viewer: Viewer) -> Self {
        let bound = viewer.bind(0).expect("a free port");
        let port = bound.url().trim_end_matches('/').rsplit(':').next().expect("a port").parse().expect("a number");
        let (end, ended) = oneshot::channel();
        let thread = thread::spawn(|| bound.serve_until(async { drop(ended.await) }));
        Self { port, end, thread }
    }

    pub fn stop(self) {
        self.end.send(()).expect("it runs");
        self.thread.join().expect("no panic").expect("no failure");
    }

    /// Somebody who connects to a path, and wants this subprotocol.
    pub fn connect(&self, path: &str, protocol: Option<&str>) -> Result<Client, u16> {
        let mut request = format!("ws://127.0.0.1:{}{path}", self.port).into_client_request().expect("an address");
        if let Some(protocol) = protocol {
            request.headers_mut().insert("sec-websocket-protocol", protocol.parse().expect("a name"));
        }
        self.connect_with(request)
    }

    pub fn connect_with(&self, request: tungstenite::handshake::client::Request) -> Result<Client, u16> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a server");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Client { socket }),
            Err(tungstenite::HandshakeError::Failure(Error::Http(answer))) => Err(answer.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    pub fn recorder(&self) -> Client {
        self.connect("/api/live/record", None).expect("a connection")
    }

    /// One who has said hello.
    pub fn ready(&self, take: &str, records: u64) -> (Client, Value) {
        let mut client = self.recorder();
        client.say(json!({ "type": "hello", "take_id": take, "acked_records": records }));
        let ready = client.hear();
        assert_eq!(ready["type"], "ready", "{ready}");
        (client, ready)
    }

    pub fn session(&self) -> Value {
        let host = format!("GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", self.port);
        let answer = ask_raw(self.port, host.as_bytes());
        serde_json::from_str(answer.split_once("\r\n\r\n").expect("a body").1).expect("JSON")
    }
}

pub fn options(takes: &Path) -> ViewerOptions {
    ViewerOptions::new().with_record_dir(takes)
}

/// One end of a WebSocket.
pub struct Client {
    socket: WebSocket<TcpStream>,
}

impl Client {
    pub fn say(&mut self, json: Value) {
        self.send(json.to_string().into());
    }

    pub fn send(&mut self, message: Message) {
        self.try_to_send(message).expect("the server is there");
    }

    /// Sends what the server may hang up on.
    pub fn try_to_send(&mut self, message: Message) -> Result<(), Error> {
        self.socket.send(message)
    }

    pub fn send_frames(&mut self, frames: &[Frame]) {
        frames.iter().for_each(|frame| self.send(binary(frame)));
    }

    /// The next message; pings are answered on the way.
    pub fn next(&mut self) -> Result<Message, Error> {
        loop {
            match self.socket.read()? {
                Message::Ping(_) | Message::Pong(_) => {}
                message => return Ok(message),
            }
        }
    }

    /// Waits for the ping that a connection begins with.
    pub fn await_ping(&mut self) {
        while !self.socket.read().expect("the server is there").is_ping() {}
    }

    /// Waits for a message that says this.
    pub fn hear_until(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.hear();
            if is_it(&message) {
                return message;
            }
        }
    }

    /// The next message, which is JSON.
    #[track_caller]
    pub fn hear(&mut self) -> Value {
        match self.next() {
            Ok(Message::Text(text)) => serde_json::from_str(&text).expect("JSON"),
            other => panic!("{other:?}"),
        }
    }

    /// The next message that is no acknowledgement.
    #[track_caller]
    pub fn hear_news(&mut self) -> Value {
        loop {
            let message = self.hear();
            if message["type"] != "ack" {
                return message;
            }
        }
    }

    /// Waits until so many records are acknowledged.
    #[track_caller]
    pub fn await_received(&mut self, records: u64) {
        loop {
            let message = self.hear();
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
        self.say(json!({ "type": "stop" }));
        let saved = self.hear_news();
        assert_eq!(saved["type"], "saved", "{saved}");
        assert_eq!(self.closed_with(), 1000);
        saved
    }

    /// Expects to be refused.
    #[track_caller]
    pub fn refused(&mut self, code: &str, message: &str) {
        let error = self.hear_news();
        assert_eq!((&error["type"], &error["code"]), (&"error".into(), &code.into()), "{error}");
        let said = error["message"].as_str().expect("words");
        assert!(said.contains(message), "{message:?} is not in {said:?}");
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

/// What recording these frames gives.
pub fn recording_of(frames: &[Frame]) -> Recording {
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
