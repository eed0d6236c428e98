//! One listener, connected over a WebSocket.

use std::net::TcpStream;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use holotape::stream::{CloseReason, MessageEncoding, SendQueue};
use tungstenite::{Error, Message, WebSocket};

use crate::socket;

/// The maximum number of queued frames; above it, the listener misses frames.
const MAX_QUEUED_FRAMES: usize = 256;

/// The period of reads while there is nothing to send.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Messages that are read at once. Their contents are ignored.
const MAX_INBOUND_MESSAGES: usize = 64;

pub struct Listener {
    pub encoding: MessageEncoding,
    queue: Mutex<SendQueue<Message>>,
    changed: Condvar,
}

impl Listener {
    pub fn new(encoding: MessageEncoding) -> Self {
        Self { encoding, queue: Mutex::new(SendQueue::new(MAX_QUEUED_FRAMES)), changed: Condvar::new() }
    }

    /// Changes the queue of messages to the listener.
    pub fn update_queue(&self, change: impl FnOnce(&mut SendQueue<Message>)) {
        change(&mut self.lock());
        self.changed.notify_one();
    }

    /// Sends queued messages until the queue is closed or the listener disconnects.
    pub fn serve(&self, mut socket: WebSocket<TcpStream>) {
        loop {
            let sent = match self.next() {
                Some(Ok(message)) => socket.send(message),
                Some(Err(reason)) => return socket::close(&mut socket, reason),
                None => Ok(()),
            };
            if sent.and_then(|()| drain_inbound(&mut socket)).is_err() {
                return;
            }
        }
    }

    /// Waits up to [`POLL_INTERVAL`] for the next message.
    fn next(&self) -> Option<Result<Message, CloseReason>> {
        let mut queue = self.lock();
        if let Some(next) = queue.pop() {
            return Some(next);
        }
        let (mut queue, _) = self.changed.wait_timeout(queue, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner);
        queue.pop()
    }

    fn lock(&self) -> MutexGuard<'_, SendQueue<Message>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers pings and detects when the listener disconnects.
fn drain_inbound(socket: &mut WebSocket<TcpStream>) -> Result<(), Error> {
    socket.get_ref().set_nonblocking(true)?;
    let received = (0..MAX_INBOUND_MESSAGES).try_for_each(|_| socket.read().map(drop));
    socket.get_ref().set_nonblocking(false)?;
    received.or_else(|error| if socket::is_timeout(&error) { Ok(()) } else { Err(error) })
}
