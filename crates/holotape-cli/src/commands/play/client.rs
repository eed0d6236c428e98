//! One listener at the other end of a WebSocket.

use std::collections::VecDeque;
use std::io;
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::protocol::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message, WebSocket};

use crate::socket::{self, IO_TIMEOUT, MessageEncoding, close_frame};

/// How many lines a listener may be behind before frames are left out for it.
const SEND_QUEUE_CAPACITY: usize = 256;

/// How many events a listener may be behind, on top of that, before it is given up.
const MAX_PENDING_EVENTS: usize = 1024;

/// How often a listener is heard while there is nothing to say to it.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Listeners have nothing to say that is longer, or more of it at once.
const MAX_INBOUND_BYTES: usize = 1 << 16;
const MAX_INBOUND_MESSAGES: usize = 64;

/// The end of a listener that the player has.
pub struct ClientHandle {
    form: MessageEncoding,
    messages: SyncSender<Message>,
    /// Events that found no room.
    pending: VecDeque<Message>,
    /// Hangs up when the listener has gone.
    closed: Receiver<()>,
}

/// The end of a listener that its own thread has.
pub struct ClientConnection {
    socket: WebSocket<TcpStream>,
    messages: Receiver<Message>,
    _gone: mpsc::Sender<()>,
}

/// Shakes hands with whoever is at the other end.
pub fn accept(stream: TcpStream, allowed_origins: &[String]) -> Option<(ClientHandle, ClientConnection)> {
    let (socket, form) = socket::accept(stream, allowed_origins, MAX_INBOUND_BYTES)?;
    let (sender, messages) = mpsc::sync_channel(SEND_QUEUE_CAPACITY);
    let (_gone, gone) = mpsc::channel();
    Some((
        ClientHandle { form, messages: sender, pending: VecDeque::new(), closed: gone },
        ClientConnection { socket, messages, _gone },
    ))
}

impl ClientHandle {
    /// What the listener wants to hear.
    pub fn form(&self) -> MessageEncoding {
        self.form
    }

    /// Sends a frame, unless the listener is too far behind. Whether it is still there.
    pub fn try_send_frame(&mut self, frame: Message) -> bool {
        if !self.flush_pending() {
            return false;
        }
        if !self.pending.is_empty() {
            return true;
        }
        !matches!(self.messages.try_send(frame), Err(TrySendError::Disconnected(_)))
    }

    /// Sends an event, now or later. Whether the listener is still there, and not hopelessly behind.
    pub fn send_event(&mut self, event: Message) -> bool {
        self.pending.push_back(event);
        self.flush_pending() && self.pending.len() <= MAX_PENDING_EVENTS
    }

    /// Whether the listener is still there.
    fn flush_pending(&mut self) -> bool {
        while let Some(message) = self.pending.pop_front() {
            match self.messages.try_send(message) {
                Ok(()) => {}
                Err(TrySendError::Full(message)) => {
                    self.pending.push_front(message);
                    break;
                }
                Err(TrySendError::Disconnected(_)) => return false,
            }
        }
        true
    }

    /// Sends what there is left to send, says that this was all, and waits for the listener to go, but not for ever.
    pub fn finish(mut self) {
        self.pending.push_back(Message::Close(Some(close_frame(CloseCode::Normal, "the recording has ended"))));
        let begun = Instant::now();
        while self.flush_pending() && !self.pending.is_empty() && begun.elapsed() < IO_TIMEOUT {
            thread::sleep(POLL_INTERVAL);
        }
        if self.pending.is_empty() {
            // Nobody sends here: it hangs up, or it takes too long.
            self.closed.recv_timeout(IO_TIMEOUT).ok();
        }
    }
}

impl ClientConnection {
    /// Sends lines until there are no more, or nobody to have them.
    pub fn serve(mut self) {
        loop {
            let sent = match self.messages.recv_timeout(POLL_INTERVAL) {
                Ok(Message::Close(frame)) => return self.close(frame),
                Ok(message) => self.socket.send(message),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => {
                    return self.close(Some(close_frame(CloseCode::Policy, "too slow")));
                }
            };
            if sent.and_then(|()| self.drain_inbound()).is_err() {
                return;
            }
        }
    }

    /// Answers pings, and notices when the other end goes. What else it says does not matter.
    fn drain_inbound(&mut self) -> Result<(), Error> {
        self.socket.get_ref().set_nonblocking(true)?;
        let heard = (0..MAX_INBOUND_MESSAGES).try_for_each(|_| self.socket.read().map(drop));
        self.socket.get_ref().set_nonblocking(false)?;
        match heard {
            Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            heard => heard,
        }
    }

    /// Says goodbye and waits for the other end to say it too: to hang up at once could lose the last lines.
    fn close(mut self, frame: Option<CloseFrame>) {
        let begun = Instant::now();
        let mut closing = self.socket.close(frame);
        while closing.is_ok() && begun.elapsed() < IO_TIMEOUT {
            closing = self.socket.read().map(drop);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(room: usize) -> (ClientHandle, Receiver<Message>) {
        let (messages, receiver) = mpsc::sync_channel(room);
        (
            ClientHandle {
                form: MessageEncoding::Ndjson,
                messages,
                pending: VecDeque::new(),
                closed: mpsc::channel().1,
            },
            receiver,
        )
    }

    #[test]
    fn who_is_behind_misses_frames_and_no_events() {
        let (mut client, listener) = client(2);
        let mut heard = Vec::new();
        for step in ["0", "1", "2", "3"] {
            assert!(client.try_send_frame(step.into()));
        }
        assert!(client.send_event("event".into()) && client.send_event("another".into()));
        heard.extend(listener.try_recv());
        assert!(client.try_send_frame("4".into()), "there is room, but not before the events");
        heard.extend(listener.try_iter());
        assert!(client.try_send_frame("5".into()));
        heard.extend(listener.try_iter());
        assert_eq!(heard, ["0", "1", "event", "another", "5"].map(Message::from));
    }

    #[test]
    fn who_is_hopelessly_behind_or_gone_is_forgotten() {
        let (mut client, listener) = client(1);
        assert!((0..=MAX_PENDING_EVENTS).all(|_| client.send_event("event".into())));
        assert!(!client.send_event("one too many".into()));
        drop(listener);
        assert!(!client.try_send_frame("frame".into()));
        let (mut client, _) = self::client(1);
        assert!(!client.try_send_frame("frame".into()));
    }
}
