//! One client connection, on its own thread: moves messages between the socket and the take.

use std::convert::Infallible;
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError};
use std::time::Instant;

use holotape::stream::protocol::{HELLO_TIMEOUT, IDLE_TIMEOUT, PING_INTERVAL, TICK_INTERVAL};
use holotape::stream::{
    CloseReason, ConnectionId, Hello, Outgoing, ProtocolError, ServerMessage, TakeInput, WireMessage,
};
use tungstenite::{Error, Message, WebSocket};

use crate::socket;

pub(super) struct Connection {
    id: ConnectionId,
    socket: WebSocket<TcpStream>,
    inputs: SyncSender<TakeInput>,
    opened: Instant,
    last_received: Instant,
    last_ping: Instant,
}

/// Why a connection ends: a reason to send, or `None` if the client has disconnected.
struct ConnectionEnd(Option<CloseReason>);

impl From<Error> for ConnectionEnd {
    fn from(_: Error) -> Self {
        Self(None)
    }
}

impl Connection {
    pub(super) fn new(id: ConnectionId, socket: WebSocket<TcpStream>, inputs: SyncSender<TakeInput>) -> Self {
        let now = Instant::now();
        Self { id, socket, inputs, opened: now, last_received: now, last_ping: now }
    }

    pub(super) fn serve(mut self) {
        let Err(ConnectionEnd(reason)) = self.run();
        if let Some(reason) = reason {
            socket::close(&mut self.socket, reason);
        }
        self.emit(TakeInput::Disconnected(self.id));
    }

    fn run(&mut self) -> Result<Infallible, ConnectionEnd> {
        self.socket.get_ref().set_read_timeout(Some(TICK_INTERVAL)).map_err(Error::Io)?;
        let hello = self.read_hello()?;
        let (sender, outgoing) = mpsc::channel();
        let outbox = Box::new(move |message| _ = sender.send(message));
        self.emit(TakeInput::Hello { id: self.id, hello, outbox });
        loop {
            match self.read()? {
                Some(Message::Pong(_)) => self.emit(TakeInput::Pong(self.id)),
                Some(message) => {
                    if let Some(message) = wire_message(message) {
                        self.emit(TakeInput::Message { id: self.id, message });
                    }
                }
                None => {}
            }
            self.send_pending(&outgoing)?;
        }
    }

    fn read_hello(&mut self) -> Result<Hello, ConnectionEnd> {
        let hello = loop {
            if let Some(message) = self.read()?.and_then(wire_message) {
                break Hello::from_message(&message);
            }
            if self.opened.elapsed() > HELLO_TIMEOUT {
                break Err(ProtocolError::hello_timeout());
            }
        };
        hello.or_else(|error| {
            let message = ServerMessage::from(error);
            self.send(&message)?;
            Err(ConnectionEnd(message.close_reason()))
        })
    }

    /// Waits up to [`TICK_INTERVAL`] for the next message. Keeps the connection alive.
    fn read(&mut self) -> Result<Option<Message>, ConnectionEnd> {
        if self.last_received.elapsed() > IDLE_TIMEOUT {
            return Err(ConnectionEnd(None));
        }
        if self.last_ping.elapsed() > PING_INTERVAL {
            self.ping()?;
        }
        match self.socket.read() {
            Ok(Message::Close(_)) => Err(ConnectionEnd(None)),
            Ok(message) => {
                self.last_received = Instant::now();
                Ok(Some(message))
            }
            Err(error) if socket::is_timeout(&error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn send_pending(&mut self, outgoing: &Receiver<Outgoing>) -> Result<(), ConnectionEnd> {
        loop {
            match outgoing.try_recv() {
                Ok(Outgoing::Send(message)) => self.send(&message)?,
                Ok(Outgoing::Ping) => self.ping()?,
                Ok(Outgoing::Close(reason)) => return Err(ConnectionEnd(Some(reason))),
                Err(TryRecvError::Disconnected) => return Err(ConnectionEnd(Some(CloseReason::TAKE_ENDED))),
                Err(TryRecvError::Empty) => return Ok(()),
            }
        }
    }

    fn send(&mut self, message: &ServerMessage) -> Result<(), ConnectionEnd> {
        self.socket.send(message.to_json().into())?;
        match message.close_reason() {
            Some(reason) => Err(ConnectionEnd(Some(reason))),
            None => Ok(()),
        }
    }

    fn ping(&mut self) -> Result<(), ConnectionEnd> {
        self.last_ping = Instant::now();
        Ok(self.socket.send(Message::Ping(Default::default()))?)
    }

    fn emit(&self, input: TakeInput) {
        // The receiver is dropped when the command exits.
        self.inputs.send(input).ok();
    }
}

fn wire_message(message: Message) -> Option<WireMessage> {
    match message {
        Message::Text(text) => Some(WireMessage::Text(text.as_str().to_owned())),
        Message::Binary(bytes) => Some(WireMessage::Binary(bytes.into())),
        _ => None,
    }
}
