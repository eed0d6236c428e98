//! One connection to whoever records, on a thread of its own.

use std::io;
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError};
use std::time::{Duration, Instant};

use holotape::stream::protocol::{IDLE_TIMEOUT, PING_INTERVAL};
use holotape::stream::{ClientMessage, ErrorCode, Hello, ProtocolError, ServerMessage};
use tungstenite::protocol::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message, WebSocket};

use super::{ConnectionCommand, ConnectionHandle, ServerEvent};
use crate::socket::{IO_TIMEOUT, close_frame};

/// How long the other end is heard before there may be something to say to it.
const READ_TIMEOUT: Duration = Duration::from_millis(100);

pub(super) struct Connection {
    id: u64,
    socket: WebSocket<TcpStream>,
    events: SyncSender<ServerEvent>,
    /// What is to be said, once hello was.
    commands: Option<Receiver<ConnectionCommand>>,
    begun: Instant,
    heard: Instant,
    pinged: Instant,
    is_probed: bool,
    /// Hangs up when this ends.
    gone: Option<mpsc::Sender<()>>,
}

/// Why a connection ends.
enum ConnectionEnd {
    /// The other end has gone, or is not heard any more.
    Lost,
    /// All is said.
    Closed(CloseFrame),
}

impl From<Error> for ConnectionEnd {
    fn from(_: Error) -> Self {
        Self::Lost
    }
}

impl Connection {
    pub(super) fn new(number: u64, socket: WebSocket<TcpStream>, events: SyncSender<ServerEvent>) -> Self {
        let now = Instant::now();
        Self {
            id: number,
            socket,
            events,
            commands: None,
            begun: now,
            heard: now,
            pinged: now,
            is_probed: false,
            gone: None,
        }
    }

    /// Passes everything on, both ways, until the end.
    pub(super) fn serve(mut self) {
        if self.socket.get_ref().set_read_timeout(Some(READ_TIMEOUT)).is_err() {
            return;
        }
        let end = loop {
            if let Err(end) =
                self.read_message().and_then(|()| self.send_pending()).and_then(|()| self.check_timeouts())
            {
                break end;
            }
        };
        self.emit(ServerEvent::Disconnected(self.id));
        if let ConnectionEnd::Closed(frame) = end {
            self.close(frame);
        }
    }

    fn read_message(&mut self) -> Result<(), ConnectionEnd> {
        let message = match self.socket.read() {
            Ok(message) => message,
            Err(Error::Io(error)) if is_timeout(&error) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        self.heard = Instant::now();
        if std::mem::take(&mut self.is_probed) {
            self.emit(ServerEvent::Alive(self.id));
        }
        match message {
            Message::Text(text) if self.commands.is_none() => match ClientMessage::from_json(&text) {
                Ok(ClientMessage::Hello(hello)) => {
                    self.hello(hello);
                    Ok(())
                }
                Ok(_) => self.refuse("say hello first, with the id of a take"),
                Err(refused) => self.refuse(&format!("no hello: {refused}")),
            },
            Message::Binary(_) if self.commands.is_none() => self.refuse("say hello first, with the id of a take"),
            Message::Text(_) | Message::Binary(_) => {
                self.emit(ServerEvent::MessageReceived { number: self.id, message });
                Ok(())
            }
            Message::Close(_) => Err(ConnectionEnd::Lost),
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => Ok(()),
        }
    }

    fn hello(&mut self, hello: Hello) {
        let (sender, notes) = mpsc::channel();
        let (gone, is_gone) = mpsc::channel();
        self.commands = Some(notes);
        self.gone = Some(gone);
        self.emit(ServerEvent::Hello {
            hello,
            link: ConnectionHandle { number: self.id, notes: sender, gone: is_gone },
        });
    }

    fn refuse(&mut self, message: &str) -> Result<(), ConnectionEnd> {
        self.send(&ProtocolError::new(ErrorCode::InvalidMessage, message).into())
    }

    /// Nobody hears of it once the recording has ended: how it ended is still to be said, and that ends the connection.
    fn emit(&self, event: ServerEvent) {
        self.events.send(event).ok();
    }

    fn send_pending(&mut self) -> Result<(), ConnectionEnd> {
        loop {
            match self.commands.as_ref().map(Receiver::try_recv) {
                Some(Ok(ConnectionCommand::Send(message))) => self.send(&message)?,
                Some(Ok(ConnectionCommand::Probe)) => {
                    self.is_probed = true;
                    self.socket.send(Message::Ping(Default::default()))?;
                }
                Some(Err(TryRecvError::Disconnected)) => {
                    return Err(ConnectionEnd::Closed(close_frame(
                        CloseCode::Policy,
                        "another connection has the take now",
                    )));
                }
                Some(Err(TryRecvError::Empty)) | None => return Ok(()),
            }
        }
    }

    fn send(&mut self, message: &ServerMessage) -> Result<(), ConnectionEnd> {
        self.socket.send(message.to_json().into())?;
        match message {
            ServerMessage::Error { code, .. } => {
                Err(ConnectionEnd::Closed(close_frame(CloseCode::Policy, code.as_str())))
            }
            message if message.is_final() => {
                Err(ConnectionEnd::Closed(close_frame(CloseCode::Normal, "the take has ended")))
            }
            _ => Ok(()),
        }
    }

    fn check_timeouts(&mut self) -> Result<(), ConnectionEnd> {
        if self.heard.elapsed() > IDLE_TIMEOUT {
            return Err(ConnectionEnd::Lost);
        }
        if self.commands.is_none() && self.begun.elapsed() > IO_TIMEOUT {
            return self.refuse("nobody said hello");
        }
        if self.pinged.elapsed() > PING_INTERVAL {
            self.pinged = Instant::now();
            self.socket.send(Message::Ping(Default::default()))?;
        }
        Ok(())
    }

    /// Says goodbye and waits for the other end to say it too: to hang up on what was not heard could lose what was said last.
    fn close(mut self, frame: CloseFrame) {
        let begun = Instant::now();
        let is_open = |result: &Result<(), Error>| match result {
            Err(Error::Io(error)) => is_timeout(error),
            result => result.is_ok(),
        };
        let mut closing = self.socket.close(Some(frame));
        while is_open(&closing) && begun.elapsed() < IO_TIMEOUT {
            closing = self.socket.read().map(drop);
        }
    }
}

/// Whether nothing was heard for a turn.
fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
