//! `record --ws`: records one take over WebSockets. [`TakeServer`] implements the protocol; this module moves messages.

mod connection;

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Instant;

use holotape::Error;
use holotape::record::{Recorder, RecorderOptions};
use holotape::stream::protocol::{CLOSE_TIMEOUT, MAX_MESSAGE_BYTES, SEND_TIMEOUT, TICK_INTERVAL};
use holotape::stream::{
    ConnectionId, EndedTake, ErrorCode, Hello, Outbox, Outgoing, ProtocolError, Record, SavedTake, ServerMessage,
    StoppedTake, TakeEnd, TakeEvent, TakeInput, TakeServer,
};

use self::connection::Connection;
use super::input;
use super::status::StatusLine;
use super::stdin::{RecordedTake, no_frames_error, report_losses};
use crate::failure::Failure;
use crate::output;
use crate::rewrite::Diagnostics;
use crate::socket::{self, Limits};

/// The active connection, one that takes over, and a few that will be rejected.
const LIMITS: Limits = Limits { connections: 8, message_bytes: MAX_MESSAGE_BYTES, send_timeout: SEND_TIMEOUT };

/// The maximum number of queued messages; above it, clients wait.
const INPUT_QUEUE_CAPACITY: usize = 64;

/// Records until the client or a signal ends the take.
pub fn record(
    port: u16,
    allowed_origins: &[String],
    options: RecorderOptions,
    name: &str,
    diagnostics: &mut Diagnostics,
) -> Result<RecordedTake, Failure> {
    let recorder = Recorder::start(options)?;
    let (url, inputs) = match start_server(port, allowed_origins) {
        Ok(started) => started,
        Err(failure) => {
            // An empty journal would block the next attempt.
            recorder.discard()?;
            return Err(failure);
        }
    };
    output::print_labelled("serving", &url);
    let Some((id, hello, outbox)) = wait_for_hello(&inputs) else {
        recorder.discard()?;
        return Err(no_frames_error(&url));
    };
    let now = Instant::now();
    let mut server = TakeServer::new(hello.take_id.clone(), name, recorder, now);
    server.handle(TakeInput::Hello { id, hello, outbox }, now);
    let end = run(&mut server, &inputs);
    finish(server, end, inputs, &url, diagnostics)
}

/// Starts to accept connections and to handle signals. Returns the URL and the inputs of the take.
fn start_server(port: u16, allowed_origins: &[String]) -> Result<(String, Receiver<TakeInput>), Failure> {
    let (sender, inputs) = mpsc::sync_channel(INPUT_QUEUE_CAPACITY);
    let stop = sender.clone();
    let connection_count = AtomicU64::new(0);
    let url = socket::serve(port, allowed_origins, LIMITS, move |socket, _| {
        let id = ConnectionId(connection_count.fetch_add(1, Ordering::Relaxed));
        Connection::new(id, socket, sender.clone()).serve();
    })?;
    input::on_stop_signal(move || _ = stop.send(TakeInput::Shutdown))?;
    Ok((url, inputs))
}

/// Waits for a client that starts a take; `None` if the command is interrupted first.
fn wait_for_hello(inputs: &Receiver<TakeInput>) -> Option<(ConnectionId, Hello, Outbox)> {
    loop {
        match inputs.recv().ok()? {
            TakeInput::Hello { id, hello, outbox } if hello.acked_records == 0 => return Some((id, hello, outbox)),
            TakeInput::Hello { outbox, .. } => outbox(ProtocolError::unknown_take().into()),
            TakeInput::Shutdown => return None,
            TakeInput::Message { .. } | TakeInput::Pong(_) | TakeInput::Disconnected(_) | TakeInput::Tick => {}
        }
    }
}

fn run(server: &mut TakeServer, inputs: &Receiver<TakeInput>) -> TakeEnd {
    let mut status = StatusLine::new();
    let end = loop {
        let input = match inputs.recv_timeout(TICK_INTERVAL) {
            Ok(input) => Some(input),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(TakeInput::Shutdown),
        };
        // A tick after every input, because inputs may arrive faster than the interval.
        let inputs = input.into_iter().chain([TakeInput::Tick]);
        let mut events = inputs.filter_map(|input| server.handle(input, Instant::now()));
        let end = events.find_map(|event| show_event(event, &mut status));
        if let Some(end) = end {
            break end;
        }
        status.show(server.recorder());
    };
    status.finish();
    end
}

fn show_event(event: TakeEvent, status: &mut StatusLine) -> Option<TakeEnd> {
    let warn = |message: &str| output::print_labelled("warning", &message);
    match event {
        TakeEvent::Record { record: Record::Frame(frame), .. } => status.observe(&frame),
        TakeEvent::Record { .. } => {}
        TakeEvent::Warning(message) => status.print_above(|| warn(&message)),
        TakeEvent::Rejected(error) => status.print_above(|| warn(&format!("closed a connection: {error}"))),
        TakeEvent::End(end) => {
            if end == TakeEnd::TooLarge {
                status.print_above(|| warn("the take reached the size limit; saving it"));
            }
            return Some(end);
        }
    }
    None
}

fn finish(
    server: TakeServer,
    end: TakeEnd,
    inputs: Receiver<TakeInput>,
    url: &str,
    diagnostics: &mut Diagnostics,
) -> Result<RecordedTake, Failure> {
    let status = server.recorder().status();
    let EndedTake { content, connection, .. } = server.end(end);
    let client = connection.map(|(id, outbox)| Client { id, outbox, inputs });
    let message = match content {
        Ok(StoppedTake { finished, saved }) => {
            report_losses(&status, diagnostics);
            return Ok(RecordedTake { finished, notifier: client.map(|client| SaveNotifier { client, saved }) });
        }
        Err(message) => message,
    };
    let failure = match &message {
        ServerMessage::Error { message, .. } => Error::from(io::Error::other(message.clone())).with_path(url).into(),
        _ if end == TakeEnd::Discard => {
            Error::from(io::Error::other("the client discarded the take: nothing to save")).with_path(url).into()
        }
        _ => no_frames_error(url),
    };
    if let Some(client) = client {
        client.finish(message);
    }
    Err(failure)
}

/// The client that waits for the end of the take.
struct Client {
    id: ConnectionId,
    outbox: Outbox,
    inputs: Receiver<TakeInput>,
}

impl Client {
    /// Sends the final message and waits until the connection is closed, at most [`CLOSE_TIMEOUT`].
    fn finish(self, message: ServerMessage) {
        (self.outbox)(Outgoing::Send(message));
        let deadline = Instant::now() + CLOSE_TIMEOUT;
        let remaining = || deadline.saturating_duration_since(Instant::now());
        // Draining the queue unblocks the connection's thread.
        while let Ok(input) = self.inputs.recv_timeout(remaining()) {
            if matches!(input, TakeInput::Disconnected(id) if id == self.id) {
                return;
            }
        }
    }
}

/// Notifies the client whether the take was saved.
pub struct SaveNotifier {
    client: Client,
    saved: SavedTake,
}

impl SaveNotifier {
    pub fn notify(self, is_saved: bool) {
        self.client.finish(if is_saved {
            ServerMessage::Saved(self.saved)
        } else {
            ProtocolError::new(
                ErrorCode::SaveFailed,
                "the take could not be saved; see the output of `holotape record`",
            )
            .into()
        });
    }
}
