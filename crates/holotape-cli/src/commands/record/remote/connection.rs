//! One connection to whoever records, on a thread of its own.

use std::io;
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError};
use std::time::{Duration, Instant};

use holotape::stream::terms::{PING, SILENCE};
use holotape::stream::{ClientMessage, Code, Hello, Refused, ServerMessage};
use tungstenite::protocol::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message, WebSocket};

use super::{Event, Link, Note};
use crate::socket::{PATIENCE, close_frame};

/// How long the other end is heard before there may be something to say to it.
const TURN: Duration = Duration::from_millis(100);

pub(super) struct Connection {
    number: u64,
    socket: WebSocket<TcpStream>,
    events: SyncSender<Event>,
    /// What is to be said, once hello was.
    notes: Option<Receiver<Note>>,
    begun: Instant,
    heard: Instant,
    pinged: Instant,
    is_probed: bool,
    /// Hangs up when this ends.
    gone: Option<mpsc::Sender<()>>,
}

/// Why a connection ends.
enum End {
    /// The other end has gone, or is not heard any more.
    Lost,
    /// All is said.
    Said(CloseFrame),
}

impl From<Error> for End {
    fn from(_: Error) -> Self {
        Self::Lost
    }
}

impl Connection {
    pub(super) fn new(number: u64, socket: WebSocket<TcpStream>, events: SyncSender<Event>) -> Self {
        let now = Instant::now();
        Self { number, socket, events, notes: None, begun: now, heard: now, pinged: now, is_probed: false, gone: None }
    }

    /// Passes everything on, both ways, until the end.
    pub(super) fn serve(mut self) {
        if self.socket.get_ref().set_read_timeout(Some(TURN)).is_err() {
            return;
        }
        let end = loop {
            if let Err(end) = self.hear().and_then(|()| self.speak()).and_then(|()| self.look_after()) {
                break end;
            }
        };
        self.tell(Event::Lost(self.number));
        if let End::Said(frame) = end {
            self.close(frame);
        }
    }

    fn hear(&mut self) -> Result<(), End> {
        let message = match self.socket.read() {
            Ok(message) => message,
            Err(Error::Io(error)) if is_turn(&error) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        self.heard = Instant::now();
        if std::mem::take(&mut self.is_probed) {
            self.tell(Event::Alive(self.number));
        }
        match message {
            Message::Text(text) if self.notes.is_none() => match ClientMessage::from_json(&text) {
                Ok(ClientMessage::Hello(hello)) => {
                    self.hello(hello);
                    Ok(())
                }
                Ok(_) => self.refuse("say hello first, with the id of a take"),
                Err(refused) => self.refuse(&format!("no hello: {refused}")),
            },
            Message::Binary(_) if self.notes.is_none() => self.refuse("say hello first, with the id of a take"),
            Message::Text(_) | Message::Binary(_) => {
                self.tell(Event::Said { number: self.number, message });
                Ok(())
            }
            Message::Close(_) => Err(End::Lost),
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => Ok(()),
        }
    }

    fn hello(&mut self, hello: Hello) {
        let (sender, notes) = mpsc::channel();
        let (gone, is_gone) = mpsc::channel();
        self.notes = Some(notes);
        self.gone = Some(gone);
        self.tell(Event::Hello { hello, link: Link { number: self.number, notes: sender, gone: is_gone } });
    }

    fn refuse(&mut self, words: &str) -> Result<(), End> {
        self.say(&Refused::new(Code::Invalid, words).into())
    }

    /// Nobody hears of it once the recording has ended: how it ended is still to be said, and that ends the connection.
    fn tell(&self, event: Event) {
        self.events.send(event).ok();
    }

    fn speak(&mut self) -> Result<(), End> {
        loop {
            match self.notes.as_ref().map(Receiver::try_recv) {
                Some(Ok(Note::Say(message))) => self.say(&message)?,
                Some(Ok(Note::Probe)) => {
                    self.is_probed = true;
                    self.socket.send(Message::Ping(Default::default()))?;
                }
                Some(Err(TryRecvError::Disconnected)) => {
                    return Err(End::Said(close_frame(CloseCode::Policy, "another connection has the take now")));
                }
                Some(Err(TryRecvError::Empty)) | None => return Ok(()),
            }
        }
    }

    fn say(&mut self, message: &ServerMessage) -> Result<(), End> {
        self.socket.send(message.to_json().into())?;
        match message {
            ServerMessage::Error { .. } => Err(End::Said(close_frame(CloseCode::Policy, "it cannot be done"))),
            message if message.is_last() => Err(End::Said(close_frame(CloseCode::Normal, "the take has ended"))),
            _ => Ok(()),
        }
    }

    fn look_after(&mut self) -> Result<(), End> {
        if self.heard.elapsed() > SILENCE {
            return Err(End::Lost);
        }
        if self.notes.is_none() && self.begun.elapsed() > PATIENCE {
            return self.refuse("nobody said hello");
        }
        if self.pinged.elapsed() > PING {
            self.pinged = Instant::now();
            self.socket.send(Message::Ping(Default::default()))?;
        }
        Ok(())
    }

    /// Says goodbye and waits for the other end to say it too: to hang up on what was not heard could lose what was said last.
    fn close(mut self, frame: CloseFrame) {
        let begun = Instant::now();
        let is_open = |result: &Result<(), Error>| match result {
            Err(Error::Io(error)) => is_turn(error),
            result => result.is_ok(),
        };
        let mut closing = self.socket.close(Some(frame));
        while is_open(&closing) && begun.elapsed() < PATIENCE {
            closing = self.socket.read().map(drop);
        }
    }
}

/// Whether nothing was heard for a turn.
fn is_turn(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
