//! [`TakeServer`]: the server side of the recording protocol for one take.

use std::time::{Duration, Instant};

use super::message::{CloseReason, ErrorCode, Hello, ProtocolError, SavedTake, ServerMessage, TakeId, WireMessage};
use super::protocol::{ACK_INTERVAL, MAX_TAKE_BYTES, PROBE_TIMEOUT, RECONNECT_TIMEOUT};
use super::record::Record;
use super::take_receiver::{ReceiveOutcome, TakeReceiver};
use crate::record::{FinishedRecording, Recorder, RecorderStatus};

/// The server side of the recording protocol for one take. It records over one connection at a time; a client that
/// reconnects continues where it was, and no record is lost or stored twice.
///
/// The caller owns the sockets: it passes in what happens to them, and sends what each connection's [`Outbox`] gets. Pings to
/// keep connections alive and their idle timeout are up to the caller, too.
///
/// ```
/// use std::sync::mpsc;
/// use std::time::Instant;
///
/// use holotape::record::{Recorder, RecorderOptions};
/// use holotape::stream::protocol::ACK_INTERVAL;
/// use holotape::stream::{
///     ConnectionId, Hello, Outgoing, ServerMessage, TakeEnd, TakeEvent, TakeInput, TakeServer, WireMessage, encode_marker,
/// };
///
/// let hello = Hello { take_id: "9f3b6c0d5e1a4827".to_owned().try_into()?, acked_records: 0, name: None };
/// let recorder = Recorder::start(RecorderOptions::new().with_max_rate_hz(None))?;
/// let now = Instant::now();
/// let mut server = TakeServer::new(hello.take_id.clone(), "grasping.bin", recorder, now);
///
/// let (sender, sent) = mpsc::channel();
/// let outbox = Box::new(move |outgoing| _ = sender.send(outgoing));
/// let id = ConnectionId(1);
/// server.handle(TakeInput::Hello { id, hello, outbox }, now);
/// assert!(matches!(sent.recv()?, Outgoing::Send(ServerMessage::Ready { record_count: 0, .. })));
/// let text = |json: &str| TakeInput::Message { id, message: WireMessage::Text(json.to_owned()) };
/// server.handle(text(r#"{"time":7.5}"#), now);
/// server.handle(TakeInput::Message { id, message: WireMessage::Binary(encode_marker(7.5, "here")) }, now);
/// server.handle(TakeInput::Tick, now + ACK_INTERVAL);
/// assert_eq!(sent.recv()?, Outgoing::Send(ServerMessage::Ack { record_count: 2 }));
///
/// assert_eq!(server.handle(text(r#"{"type":"stop"}"#), now), Some(TakeEvent::End(TakeEnd::Stop)));
/// let ended = server.end(TakeEnd::Stop);
/// assert_eq!(ended.content.map(|stopped| stopped.saved.frame_count), Ok(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TakeServer {
    take_id: TakeId,
    name: String,
    receiver: TakeReceiver,
    reconnect_timeout: Duration,
    probe_timeout: Duration,
    max_bytes: usize,
    active: Option<Connection>,
    takeover: Option<Takeover>,
    /// When the last connection was lost, if there is none.
    disconnected_at: Option<Instant>,
    last_ack: Instant,
}

/// Identifies one connection. The caller chooses it and does not reuse it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnectionId(pub u64);

/// Queues something for a connection. It must not block. The server drops it when the connection gets nothing more.
pub type Outbox = Box<dyn Fn(Outgoing) + Send>;

/// A request to the owner of a connection.
#[derive(Clone, Debug, PartialEq)]
pub enum Outgoing {
    /// Send a message, then close the connection if the message has a [`close_reason`](ServerMessage::close_reason).
    Send(ServerMessage),
    /// Send a ping.
    Ping,
    /// Close the connection.
    Close(CloseReason),
}

impl From<ProtocolError> for Outgoing {
    fn from(error: ProtocolError) -> Self {
        Self::Send(error.into())
    }
}

/// What happened to the connections of a take.
pub enum TakeInput {
    /// A connection sent `hello`.
    Hello {
        /// The connection.
        id: ConnectionId,
        /// Its first message.
        hello: Hello,
        /// Where the answers go.
        outbox: Outbox,
    },
    /// A connection sent another message.
    Message {
        /// The connection.
        id: ConnectionId,
        /// The message.
        message: WireMessage,
    },
    /// A connection answered a ping.
    Pong(ConnectionId),
    /// A connection was closed or lost.
    Disconnected(ConnectionId),
    /// [`TICK_INTERVAL`](super::protocol::TICK_INTERVAL) has passed.
    Tick,
    /// The server stops.
    Shutdown,
}

/// What happened to the take.
#[derive(Clone, Debug, PartialEq)]
pub enum TakeEvent {
    /// A record was stored.
    Record {
        /// The record.
        record: Record,
        /// The message that contained it.
        message: WireMessage,
    },
    /// The journal failed; recording continues. The client was notified if it is connected.
    Warning(String),
    /// The connection sent an invalid message. The client was notified.
    Rejected(ProtocolError),
    /// The caller must [end](TakeServer::end) the take.
    End(TakeEnd),
}

/// Why a take ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeEnd {
    /// The client sent `stop`.
    Stop,
    /// The client sent `discard`.
    Discard,
    /// No client connected within the reconnect timeout.
    Disconnected,
    /// The take reached the maximum size.
    TooLarge,
    /// The server stops.
    Shutdown,
}

struct Connection {
    id: ConnectionId,
    outbox: Outbox,
}

impl Connection {
    fn send(&self, message: impl Into<ServerMessage>) {
        (self.outbox)(Outgoing::Send(message.into()));
    }
}

/// A connection that replaces the active one, unless that answers a ping before the deadline.
struct Takeover {
    connection: Connection,
    hello: Hello,
    deadline: Instant,
}

impl TakeServer {
    /// Starts a take that will be saved as `name`. The recorder should have no maximum rate unless the user sets one.
    #[must_use]
    pub fn new(take_id: TakeId, name: impl Into<String>, recorder: Recorder, now: Instant) -> Self {
        Self {
            take_id,
            name: name.into(),
            receiver: TakeReceiver::new(recorder),
            reconnect_timeout: RECONNECT_TIMEOUT,
            probe_timeout: PROBE_TIMEOUT,
            max_bytes: MAX_TAKE_BYTES,
            active: None,
            takeover: None,
            disconnected_at: Some(now),
            last_ack: now,
        }
    }

    /// Sets how long the take waits for a client; by default [`RECONNECT_TIMEOUT`].
    #[must_use]
    pub fn with_reconnect_timeout(self, reconnect_timeout: Duration) -> Self {
        Self { reconnect_timeout, ..self }
    }

    /// Sets how long a connection may take to answer a ping before another one replaces it; by default [`PROBE_TIMEOUT`].
    #[must_use]
    pub fn with_probe_timeout(self, probe_timeout: Duration) -> Self {
        Self { probe_timeout, ..self }
    }

    /// Sets the maximum size of the take in memory; by default [`MAX_TAKE_BYTES`].
    #[must_use]
    pub fn with_max_bytes(self, max_bytes: usize) -> Self {
        Self { max_bytes, ..self }
    }

    /// Processes what happened at the time `now`. Messages of connections that are not active are ignored.
    pub fn handle(&mut self, input: TakeInput, now: Instant) -> Option<TakeEvent> {
        match input {
            TakeInput::Hello { id, hello, outbox } => self.attach(id, hello, outbox, now),
            TakeInput::Message { id, message } if self.is_active(id) => return Some(self.receive(id, message, now)),
            TakeInput::Pong(id) if self.is_active(id) => self.reject_takeover(),
            TakeInput::Message { .. } | TakeInput::Pong(_) => {}
            TakeInput::Disconnected(id) => self.disconnect(id, now),
            TakeInput::Tick => return self.tick(now),
            TakeInput::Shutdown => return Some(TakeEvent::End(TakeEnd::Shutdown)),
        }
        None
    }

    /// Adds a connection. If another connection is active, that one is pinged first.
    fn attach(&mut self, id: ConnectionId, hello: Hello, outbox: Outbox, now: Instant) {
        let connection = Connection { id, outbox };
        let busy = |message| ProtocolError::new(ErrorCode::Busy, message);
        if hello.take_id != self.take_id {
            let is_new = hello.acked_records == 0;
            let other = || busy("another take is being recorded; only one is supported here");
            return connection.send(if is_new { other() } else { ProtocolError::unknown_take() });
        }
        match (&self.active, &self.takeover) {
            (None, _) => self.activate(&hello, connection),
            (Some(_), Some(_)) => connection.send(busy("another connection is about to take over this take")),
            (Some(active), None) => {
                (active.outbox)(Outgoing::Ping);
                self.takeover = Some(Takeover { connection, hello, deadline: now + self.probe_timeout });
            }
        }
    }

    fn activate(&mut self, hello: &Hello, connection: Connection) {
        if let Err(error) = self.receiver.resume(hello.acked_records) {
            return connection.send(error);
        }
        let (take_id, name) = (self.take_id.clone(), self.name.clone());
        connection.send(ServerMessage::Ready { take_id, name, record_count: self.receiver.record_count });
        self.disconnected_at = None;
        if let Some(replaced) = self.active.replace(connection) {
            (replaced.outbox)(Outgoing::Close(CloseReason::REPLACED));
        }
    }

    fn receive(&mut self, id: ConnectionId, message: WireMessage, now: Instant) -> TakeEvent {
        self.reject_takeover();
        match self.receiver.receive(&message) {
            Ok(ReceiveOutcome::Record(record)) => TakeEvent::Record { record, message },
            Ok(ReceiveOutcome::Stop) => TakeEvent::End(TakeEnd::Stop),
            Ok(ReceiveOutcome::Discard) => TakeEvent::End(TakeEnd::Discard),
            Err(error) => {
                // The client counts the rejected record, so later ones on this connection cannot be stored.
                self.send(error.clone());
                self.disconnect(id, now);
                TakeEvent::Rejected(error)
            }
        }
    }

    /// The active connection is alive and keeps the take.
    fn reject_takeover(&mut self) {
        if let Some(Takeover { connection, .. }) = self.takeover.take() {
            connection.send(ProtocolError::new(ErrorCode::Busy, "this take is being recorded over another connection"));
        }
    }

    fn disconnect(&mut self, id: ConnectionId, now: Instant) {
        self.takeover.take_if(|takeover| takeover.connection.id == id);
        if self.is_active(id) {
            self.active = None;
            self.disconnected_at = Some(now);
            if let Some(Takeover { connection, hello, .. }) = self.takeover.take() {
                self.activate(&hello, connection);
            }
        }
    }

    /// Checks timeouts and acknowledges records.
    fn tick(&mut self, now: Instant) -> Option<TakeEvent> {
        if let Some(Takeover { connection, hello, .. }) = self.takeover.take_if(|takeover| now >= takeover.deadline) {
            self.activate(&hello, connection);
        }
        if let Some(message) = self.receiver.warning.take() {
            self.send(ServerMessage::Warning { message: message.clone() });
            return Some(TakeEvent::Warning(message));
        }
        if now.duration_since(self.last_ack) >= ACK_INTERVAL {
            self.last_ack = now;
            if let Some(record_count) = self.receiver.next_ack() {
                self.send(ServerMessage::Ack { record_count });
            }
            if self.recorder().byte_len() > self.max_bytes {
                return Some(TakeEvent::End(TakeEnd::TooLarge));
            }
        }
        let is_expired = self.disconnected_at.is_some_and(|since| now.duration_since(since) > self.reconnect_timeout);
        is_expired.then_some(TakeEvent::End(TakeEnd::Disconnected))
    }

    fn is_active(&self, id: ConnectionId) -> bool {
        self.active.as_ref().is_some_and(|active| active.id == id)
    }

    fn send(&self, message: impl Into<ServerMessage>) {
        if let Some(active) = &self.active {
            active.send(message);
        }
    }

    /// Whether a client is connected.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.active.is_some()
    }

    /// The recorder of the take.
    #[must_use]
    pub fn recorder(&self) -> &Recorder {
        &self.receiver.recorder
    }

    /// The number of records received.
    #[must_use]
    pub fn record_count(&self) -> u64 {
        self.receiver.record_count
    }

    /// Ends the take. Its journal stays until the recording is saved, unless there is nothing to save.
    #[must_use]
    pub fn end(self, end: TakeEnd) -> EndedTake {
        let Self { take_id, name, receiver, active, .. } = self;
        let TakeReceiver { recorder, record_count, .. } = receiver;
        let RecorderStatus { frame_count, marker_count, .. } = recorder.status();
        let content = if end == TakeEnd::Discard || frame_count + marker_count == 0 {
            Err(discard(recorder, end, take_id.clone()))
        } else {
            Ok(StoppedTake::new(recorder, take_id.clone(), name.clone()))
        };
        let connection = active.map(|Connection { id, outbox }| (id, outbox));
        EndedTake { take_id, name, record_count, content, connection }
    }
}

fn discard(recorder: Recorder, end: TakeEnd, take_id: TakeId) -> ServerMessage {
    let failed = |message: &str| ProtocolError::new(ErrorCode::SaveFailed, message).into();
    match recorder.discard() {
        Err(error) => failed(&error.to_string()),
        Ok(()) if end == TakeEnd::Stop => failed("no frames received: nothing to save"),
        Ok(()) => ServerMessage::Discarded { take_id },
    }
}

/// A take that has ended.
pub struct EndedTake {
    /// The take.
    pub take_id: TakeId,
    /// The file name that `ready` announced.
    pub name: String,
    /// The number of records received.
    pub record_count: u64,
    /// The recording to save; the final message if there is nothing to save.
    pub content: Result<StoppedTake, ServerMessage>,
    /// The active connection, which expects the final message.
    pub connection: Option<(ConnectionId, Outbox)>,
}

/// A recording that is not saved yet.
#[derive(Debug)]
pub struct StoppedTake {
    /// The recording and its journal.
    pub finished: FinishedRecording,
    /// The final message for when it is saved.
    pub saved: SavedTake,
}

impl StoppedTake {
    fn new(recorder: Recorder, take_id: TakeId, name: String) -> Self {
        let losses = recorder.status().losses().map(|(message, count)| format!("{message}: {count}")).collect();
        let finished = recorder.stop();
        let saved = SavedTake {
            take_id,
            name,
            frame_count: finished.frame_count,
            marker_count: finished.recording.markers.len() as u64,
            duration_secs: finished.recording.duration_secs(),
            losses,
            recording_id: None,
        };
        Self { finished, saved }
    }
}
