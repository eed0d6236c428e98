//! Sessions of the recording protocol: arbitrary bytes are what several clients do, and the server keeps its invariants.

use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use holotape::format::Channels;
use holotape::record::{Recorder, RecorderOptions};
use holotape::stream::{
    ConnectionId, EndedTake, Hello, Outgoing, Record, ServerMessage, TakeEnd, TakeEvent, TakeId, TakeInput, TakeServer,
    WireMessage, encode_frame, encode_marker,
};
use holotape::{Frame, Pose, Ray, Recording};

const TAKE_ID: &str = "0123456789abcdef";
const OTHER_TAKE_ID: &str = "fedcba9876543210";
const CLIENT_COUNT: usize = 3;
const RECONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Small, so that short sessions reach it.
const MAX_TAKE_BYTES: usize = 2048;

/// The server stores each record of the active connection once and in order, has at most one active connection, sends
/// nothing to a closed one, acknowledges only records that it has, and ends the take only for the documented reasons.
pub fn take_sessions_keep_their_records(bytes: &[u8]) {
    let mut session = Session::new(bytes);
    let end = loop {
        let Some(op) = session.input.byte() else { break session.shut_down() };
        if let Some(end) = session.step(op) {
            break end;
        }
        session.check_connections();
    };
    session.finish(end);
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ClientState {
    /// The client has sent `hello` and waits for the answer.
    Waiting,
    Active,
    Closed,
}

struct Client {
    id: ConnectionId,
    outgoing: Receiver<Outgoing>,
    acked_records: u64,
    state: ClientState,
}

struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> u8 {
        self.byte().unwrap_or(0)
    }

    /// At most 255 bytes, after their count.
    fn block(&mut self) -> &'a [u8] {
        let count = usize::from(self.number()).min(self.0.len());
        let (block, rest) = self.0.split_at(count);
        self.0 = rest;
        block
    }
}

struct Session<'a> {
    input: Input<'a>,
    server: TakeServer,
    now: Instant,
    clients: [Option<Client>; CLIENT_COUNT],
    next_id: u64,
    frame_secs: f64,
    /// The records that the server has reported as stored.
    stored: Vec<Record>,
    disconnected_at: Option<Instant>,
}

/// Without hands: their 388 curves would take most of the time.
fn options() -> RecorderOptions {
    RecorderOptions::new().with_max_rate_hz(None).with_channels(Channels { hands: false, ..Channels::ALL })
}

fn take_id(id: &str) -> TakeId {
    id.to_owned().try_into().expect("an id")
}

impl<'a> Session<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let now = Instant::now();
        let recorder = Recorder::start(options()).expect("starts without a journal");
        let server = TakeServer::new(take_id(TAKE_ID), "take.bin", recorder, now)
            .with_reconnect_timeout(RECONNECT_TIMEOUT)
            .with_max_bytes(MAX_TAKE_BYTES);
        Self {
            input: Input(bytes),
            server,
            now,
            clients: [None, None, None],
            next_id: 0,
            frame_secs: 0.0,
            stored: Vec::new(),
            disconnected_at: Some(now),
        }
    }

    /// Does what a byte and the bytes after it encode.
    fn step(&mut self, op: u8) -> Option<TakeEnd> {
        let slot = usize::from(op >> 4) % CLIENT_COUNT;
        match op & 15 {
            0 | 1 => self.connect(slot),
            2 => {
                let text = String::from_utf8_lossy(self.input.block()).into_owned();
                return self.send(slot, WireMessage::Text(text));
            }
            3 => {
                let bytes = self.input.block().to_vec();
                return self.send(slot, WireMessage::Binary(bytes));
            }
            4..=6 => {
                let frame = encode_frame(&self.next_frame());
                return self.send(slot, WireMessage::Binary(frame));
            }
            7 => {
                let marker = encode_marker(self.frame_secs, &String::from_utf8_lossy(self.input.block()));
                return self.send(slot, WireMessage::Binary(marker));
            }
            8 => {
                self.frame_secs += f64::from(self.input.number()) / 64.0;
                let text = format!(r#"{{"time":{}}}"#, self.frame_secs);
                return self.send(slot, WireMessage::Text(text));
            }
            9 | 10 => self.disconnect(slot),
            11 => {
                let id = self.clients[slot].as_ref()?.id;
                assert_eq!(self.server.handle(TakeInput::Pong(id), self.now), None);
            }
            12 => return self.send(slot, WireMessage::Text(r#"{"type":"stop"}"#.to_owned())),
            13 => return self.send(slot, WireMessage::Text(r#"{"type":"discard"}"#.to_owned())),
            _ => {
                self.now += Duration::from_millis(16 * u64::from(self.input.number()));
                return self.tick();
            }
        }
        None
    }

    fn next_frame(&mut self) -> Frame {
        let parts = self.input.number();
        // Some frames are at the time of the previous one, and some before.
        self.frame_secs += (f64::from(parts >> 3) - 2.0) / 64.0;
        Frame {
            time: self.frame_secs,
            camera: (parts & 1 != 0).then_some(Pose::IDENTITY),
            gaze: (parts & 2 != 0).then_some(Ray { origin: [0.0, 1.6, 0.0], direction: [0.0, 0.0, 1.0] }),
            ..Frame::default()
        }
    }

    fn connect(&mut self, slot: usize) {
        self.disconnect(slot);
        let count = self.server.record_count();
        let (take, acked_records) = match self.input.number() {
            255 => (TAKE_ID, u64::MAX),
            254 => (TAKE_ID, count + 1),
            253 => (OTHER_TAKE_ID, 0),
            252 => (OTHER_TAKE_ID, 1),
            behind => (TAKE_ID, count.saturating_sub(behind.into())),
        };
        let (outbox, outgoing) = mpsc::channel();
        let id = ConnectionId(self.next_id);
        self.next_id += 1;
        self.clients[slot] = Some(Client { id, outgoing, acked_records, state: ClientState::Waiting });
        let hello = Hello { take_id: take_id(take), acked_records, name: None };
        let outbox = Box::new(move |outgoing| outbox.send(outgoing).expect("the client exists while it is connected"));
        assert_eq!(self.server.handle(TakeInput::Hello { id, hello, outbox }, self.now), None);
    }

    fn disconnect(&mut self, slot: usize) {
        let Some(client) = self.clients[slot].as_mut() else { return };
        client.state = ClientState::Closed;
        assert_eq!(self.server.handle(TakeInput::Disconnected(client.id), self.now), None);
        self.check_connections();
        self.clients[slot] = None;
    }

    fn send(&mut self, slot: usize, message: WireMessage) -> Option<TakeEnd> {
        let client = self.clients[slot].as_ref()?;
        let was_active = client.state == ClientState::Active;
        let count = self.server.record_count();
        let event = self.server.handle(TakeInput::Message { id: client.id, message: message.clone() }, self.now);
        assert_eq!(event.is_some(), was_active, "{event:?}");
        let end = match event? {
            TakeEvent::Record { record, message: stored } => {
                assert_eq!(stored, message);
                self.stored.push(record);
                None
            }
            TakeEvent::Rejected(error) => {
                assert!(!error.message.is_empty());
                self.check_connections();
                let state = self.clients[slot].as_ref()?.state;
                assert_eq!(state, ClientState::Closed, "{error}");
                None
            }
            TakeEvent::End(end @ (TakeEnd::Stop | TakeEnd::Discard)) => Some(end),
            event => panic!("{event:?} after {message:?}"),
        };
        let stored_count = self.stored.len() as u64;
        assert_eq!(self.server.record_count(), stored_count, "{count} before {message:?}");
        end
    }

    fn tick(&mut self) -> Option<TakeEnd> {
        let is_expired = self.disconnected_at.is_some_and(|since| self.now - since > RECONNECT_TIMEOUT);
        let is_too_large = self.server.recorder().byte_len() > MAX_TAKE_BYTES;
        match self.server.handle(TakeInput::Tick, self.now) {
            None => {
                assert!(!is_expired, "waits although the timeout has passed");
                None
            }
            Some(TakeEvent::End(end @ TakeEnd::Disconnected)) if is_expired => Some(end),
            Some(TakeEvent::End(end @ TakeEnd::TooLarge)) if is_too_large => Some(end),
            event => panic!("{event:?} after a tick"),
        }
    }

    fn shut_down(&mut self) -> TakeEnd {
        assert_eq!(self.server.handle(TakeInput::Shutdown, self.now), Some(TakeEvent::End(TakeEnd::Shutdown)));
        TakeEnd::Shutdown
    }

    /// Receives what the server has sent, and compares the states of the connections.
    fn check_connections(&mut self) {
        let record_count = self.server.record_count();
        for client in self.clients.iter_mut().flatten() {
            while let Ok(outgoing) = client.outgoing.try_recv() {
                client.receive(&outgoing, record_count);
            }
        }
        let count = |state| self.clients.iter().flatten().filter(|client| client.state == state).count();
        assert_eq!(count(ClientState::Active), usize::from(self.server.is_connected()));
        // A connection waits only while another one is pinged.
        assert!(count(ClientState::Waiting) <= count(ClientState::Active));
        let since = self.disconnected_at.unwrap_or(self.now);
        self.disconnected_at = (!self.server.is_connected()).then_some(since);
    }

    /// The recording has exactly the stored records.
    fn finish(mut self, end: TakeEnd) {
        self.check_connections();
        let active = self.clients.iter().flatten().find(|client| client.state == ClientState::Active);
        let EndedTake { record_count, content, connection, .. } = self.server.end(end);
        assert_eq!(record_count, self.stored.len() as u64);
        assert_eq!(connection.map(|(id, _)| id), active.map(|client| client.id));
        let expected = record_again(&self.stored);
        let status = expected.status();
        let is_empty = status.frame_count + status.marker_count == 0;
        match content {
            Ok(stopped) => {
                assert!(end != TakeEnd::Discard && !is_empty);
                assert_eq!(
                    (stopped.saved.frame_count, stopped.saved.marker_count),
                    (status.frame_count, status.marker_count)
                );
                assert!(stopped.saved.duration_secs.is_finite());
                let (bytes, losses) = stopped.finished.recording.to_vec().expect("fits into its format");
                assert!(losses.is_empty() && Recording::from_slice(&bytes).is_ok());
                assert!(bytes == expected.stop().recording.to_vec().expect("fits into its format").0);
            }
            Err(ServerMessage::Discarded { .. }) => {
                assert!(end == TakeEnd::Discard || (is_empty && end != TakeEnd::Stop))
            }
            Err(ServerMessage::Error { .. }) => assert!(end == TakeEnd::Stop && is_empty),
            Err(message) => panic!("{message:?} as the last message"),
        }
    }
}

fn record_again(records: &[Record]) -> Recorder {
    let mut recorder = Recorder::start(options()).expect("starts without a journal");
    for record in records {
        match record {
            Record::Frame(frame) => drop(recorder.push(frame).expect("a valid frame")),
            Record::Marker { time_secs, name } => recorder.add_marker(*time_secs, name).expect("a valid marker"),
            Record::Event { .. } => {}
        }
    }
    recorder
}

impl Client {
    fn receive(&mut self, outgoing: &Outgoing, record_count: u64) {
        assert_ne!(self.state, ClientState::Closed, "{outgoing:?}");
        match outgoing {
            Outgoing::Send(ServerMessage::Ready { take_id, record_count: ready_count, .. }) => {
                assert_eq!((self.state, take_id.as_str()), (ClientState::Waiting, TAKE_ID));
                assert_eq!(*ready_count, record_count);
                assert!(self.acked_records <= record_count);
                self.state = ClientState::Active;
            }
            Outgoing::Send(ServerMessage::Ack { record_count: acked_records }) => {
                assert_eq!(self.state, ClientState::Active);
                assert!((self.acked_records + 1..=record_count).contains(acked_records), "{acked_records}");
                self.acked_records = *acked_records;
            }
            Outgoing::Ping => assert_eq!(self.state, ClientState::Active),
            Outgoing::Close(_) | Outgoing::Send(ServerMessage::Error { .. }) => self.state = ClientState::Closed,
            Outgoing::Send(message) => panic!("{message:?} during the take"),
        }
    }
}
