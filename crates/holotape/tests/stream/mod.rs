//! Records, and the server side of the recording protocol.
#![cfg(feature = "stream")]

mod records;
mod takes;

use std::collections::VecDeque;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use holotape::record::{Journal, Recorder, RecorderOptions};
use holotape::stream::protocol::{ACK_INTERVAL, PROBE_TIMEOUT, RECONNECT_TIMEOUT};
use holotape::stream::{
    ClientMessage, CloseReason, ConnectionId, ErrorCode, Hello, Outgoing, ProtocolError, Record, ServerMessage,
    TakeEnd, TakeEvent, TakeId, TakeInput, TakeServer, WireMessage, encode_event, encode_frame, encode_marker,
};
use holotape::{ErrorKind, Frame, Hand, HandFrame, Joint, Pose, Ray, Recording};
use proptest::prelude::*;
use tempfile::tempdir;

use crate::common::motion::device_frames_for;
use crate::common::properties::records_round_trip;
use crate::common::take_session::take_sessions_keep_their_records;

fn take_id() -> TakeId {
    "0123456789abcdef".to_owned().try_into().expect("an id")
}

fn hello(acked_records: u64) -> Hello {
    Hello { take_id: take_id(), acked_records, name: None }
}

fn options() -> RecorderOptions {
    RecorderOptions::new().with_max_rate_hz(None)
}

fn text(json: &str) -> WireMessage {
    WireMessage::Text(json.to_owned())
}

fn recording_of(frames: &[Frame]) -> Recording {
    let mut recorder = Recorder::start(options()).expect("starts");
    for frame in frames {
        recorder.push(frame).expect("records");
    }
    recorder.stop().recording
}

/// A server with a simulated clock.
struct Server {
    take: TakeServer,
    now: Instant,
    connection_count: u64,
}

/// One connection of a client.
struct Connection {
    id: ConnectionId,
    outgoing: mpsc::Receiver<Outgoing>,
}

impl Server {
    fn new(options: RecorderOptions) -> Self {
        let now = Instant::now();
        let recorder = Recorder::start(options).expect("starts");
        Self { take: TakeServer::new(take_id(), "take.bin", recorder, now), now, connection_count: 0 }
    }

    fn connect(&mut self, hello: Hello) -> Connection {
        let (outbox, outgoing) = mpsc::channel();
        let id = ConnectionId(self.connection_count);
        self.connection_count += 1;
        let outbox = Box::new(move |message| _ = outbox.send(message));
        self.take.handle(TakeInput::Hello { id, hello, outbox }, self.now);
        Connection { id, outgoing }
    }

    /// Connects, and takes over from a connection that does not answer.
    fn connect_and_take_over(&mut self, hello: Hello) -> Connection {
        let connection = self.connect(hello);
        self.advance(PROBE_TIMEOUT);
        connection
    }

    fn advance(&mut self, duration: Duration) -> Option<TakeEvent> {
        self.now += duration;
        self.take.handle(TakeInput::Tick, self.now)
    }

    fn receive(&mut self, connection: &Connection, message: &WireMessage) -> Option<TakeEvent> {
        self.take.handle(TakeInput::Message { id: connection.id, message: message.clone() }, self.now)
    }

    fn disconnect(&mut self, connection: &Connection) {
        self.take.handle(TakeInput::Disconnected(connection.id), self.now);
    }

    fn pong(&mut self, connection: &Connection) {
        self.take.handle(TakeInput::Pong(connection.id), self.now);
    }
}

impl Connection {
    #[track_caller]
    fn next(&self) -> Outgoing {
        self.outgoing.try_recv().expect("something to send")
    }

    #[track_caller]
    fn expect_ready(&self, expected: u64) {
        let next = self.next();
        assert!(
            matches!(next, Outgoing::Send(ServerMessage::Ready { record_count, .. }) if record_count == expected),
            "{next:?}"
        );
    }

    #[track_caller]
    fn expect_error(&self, expected: ErrorCode) {
        let next = self.next();
        assert!(matches!(next, Outgoing::Send(ServerMessage::Error { code, .. }) if code == expected), "{next:?}");
    }
}

/// A client that keeps unacknowledged records, as docs/stream.md requires.
struct Client {
    records: Vec<Vec<u8>>,
    acked_records: u64,
}

/// A connection that is cut at some point in each direction.
#[derive(Clone, Debug)]
struct Cut {
    /// The number of client messages that arrive, including `hello`, and how many of them arrive only after the `hello` of
    /// the next connection.
    sent: usize,
    late: usize,
    /// The number of server messages that arrive.
    replies: usize,
    /// The server acknowledges after this many messages.
    ack_period: usize,
}

fn any_cut() -> impl Strategy<Value = Cut> {
    (0..25_usize, 0..5_usize, 0..6_usize, 1..6_usize).prop_map(|(sent, late, replies, ack_period)| Cut {
        sent,
        late: late.min(sent),
        replies,
        ack_period,
    })
}

impl Client {
    /// Sends over a connection until it is cut. Returns the connection, and the messages that are still under way.
    fn connect(&mut self, server: &mut Server, cut: &Cut) -> Option<(Connection, VecDeque<WireMessage>)> {
        if cut.sent == 0 {
            return None;
        }
        let connection = server.connect_and_take_over(hello(self.acked_records));
        let Outgoing::Send(ServerMessage::Ready { record_count, .. }) = connection.next() else { panic!("not ready") };
        if cut.replies == 0 {
            return Some((connection, VecDeque::new()));
        }
        // Acknowledged records are dropped and cannot be sent again.
        assert!(record_count >= self.acked_records);
        let rest = self.records[usize::try_from(record_count).expect("few")..].iter().take(cut.sent - 1);
        let mut in_flight: VecDeque<_> = rest.cloned().map(WireMessage::Binary).collect();
        let mut replies = 1;
        for arrived in 1.. {
            if in_flight.len() <= cut.late {
                break;
            }
            let Some(message) = in_flight.pop_front() else { break };
            assert!(matches!(server.receive(&connection, &message), Some(TakeEvent::Record { .. })));
            if arrived % cut.ack_period == 0 {
                server.advance(ACK_INTERVAL);
            }
            for reply in connection.outgoing.try_iter() {
                replies += 1;
                let Outgoing::Send(ServerMessage::Ack { record_count }) = reply else { panic!("{reply:?}") };
                if replies <= cut.replies {
                    assert!(record_count > self.acked_records);
                    self.acked_records = record_count;
                }
            }
        }
        Some((connection, in_flight))
    }
}
