//! Frames from one who connects, by the protocol of `docs/stream.md`: one take, over as many connections as it needs.

mod acceptor;
mod connection;
mod take;

use std::sync::mpsc::{Receiver, Sender};

use holotape::record::{Recorder, RecorderOptions};
use holotape::stream::{ErrorCode, Hello, ProtocolError, SavedTake, ServerMessage, TakeReceiver};
use tungstenite::Message;

use self::take::TakeServer;
use super::stdin::{RecordedTake, no_frames_error};
use crate::failure::Failure;
use crate::output;
use crate::rewrite::Diagnostics;
use crate::socket::IO_TIMEOUT;

/// What happens at the door.
enum ServerEvent {
    Hello {
        hello: Hello,
        link: ConnectionHandle,
    },
    MessageReceived {
        number: u64,
        message: Message,
    },
    /// A sign of life, of one that was asked for it.
    Alive(u64),
    Disconnected(u64),
    /// Ctrl-C.
    Stop,
}

/// The end of a connection that the take has.
struct ConnectionHandle {
    number: u64,
    notes: Sender<ConnectionCommand>,
    /// Hangs up when the connection has ended.
    gone: Receiver<()>,
}

/// What a connection is told to do.
enum ConnectionCommand {
    Send(ServerMessage),
    Probe,
}

impl ConnectionHandle {
    fn note(&self, note: ConnectionCommand) {
        // One that is lost says so itself.
        self.notes.send(note).ok();
    }

    fn say(&self, message: impl Into<ServerMessage>) {
        self.note(ConnectionCommand::Send(message.into()));
    }

    /// Says the last of all, and waits until it is heard, but not for ever.
    fn finish(self, message: impl Into<ServerMessage>) {
        self.say(message);
        // Nobody sends here: it hangs up, or it takes too long.
        self.gone.recv_timeout(IO_TIMEOUT).ok();
    }
}

/// Takes frames until whoever sends them, or whoever started this, has enough.
pub fn record(
    port: u16,
    allowed_origins: &[String],
    options: RecorderOptions,
    name: &str,
    diagnostics: &mut Diagnostics,
) -> Result<RecordedTake, Failure> {
    let recorder = Recorder::start(options)?;
    let door = acceptor::start_server(port, allowed_origins);
    let (url, events) = match door {
        Ok(open) => open,
        Err(failure) => {
            // Nothing is in it, and it would be in the way.
            recorder.discard()?;
            return Err(failure);
        }
    };
    output::print_labelled("serving", &url);
    let Some((hello, link)) = wait_for_hello(&events) else {
        recorder.discard()?;
        return Err(no_frames_error(&url));
    };
    let intake = TakeReceiver::new(hello.take_id.clone(), name, recorder);
    TakeServer::new(intake, &hello, link).record(events, &url, diagnostics)
}

/// Waits for one who begins a take; for ever, unless told to stop.
fn wait_for_hello(events: &Receiver<ServerEvent>) -> Option<(Hello, ConnectionHandle)> {
    loop {
        match events.recv().ok()? {
            ServerEvent::Hello { hello, link } if hello.acked_records == 0 => return Some((hello, link)),
            ServerEvent::Hello { link, .. } => link.say(unknown_take_error()),
            ServerEvent::Stop => return None,
            ServerEvent::MessageReceived { .. } | ServerEvent::Alive(_) | ServerEvent::Disconnected(_) => {}
        }
    }
}

fn unknown_take_error() -> ProtocolError {
    let message = "there is no such take: holotape was started anew. What it had is in a journal beside where the take would have \
                 been saved, and `holotape repair` gets it back";
    ProtocolError::new(ErrorCode::UnknownTake, message)
}

/// What is left to say to whoever recorded, when the recording is saved.
pub struct SaveNotifier {
    link: ConnectionHandle,
    saved: SavedTake,
}

impl SaveNotifier {
    /// Tells how it went.
    pub fn say(self, is_saved: bool) {
        let Self { link, saved } = self;
        if is_saved {
            link.finish(ServerMessage::Saved(saved));
        } else {
            let message = "the take could not be saved: where holotape runs, it is said why";
            link.finish(ProtocolError::new(ErrorCode::SaveFailed, message));
        }
    }
}
