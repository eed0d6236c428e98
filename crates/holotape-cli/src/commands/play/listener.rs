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
    received.or_else(|error| if socket::is_timeout(&error) { Ok(()) } else { Err(error) })?;
    // Fails if the listener does not read the pongs, which would be queued without limit otherwise.
    socket.flush()
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::{Ipv4Addr, TcpListener};
    use std::thread;

    use tungstenite::protocol::Role;

    use super::*;

    /// A masked ping with the maximum of 125 bytes.
    const PING: [u8; 131] = {
        let mut ping = [0; 131];
        (ping[0], ping[1]) = (0x89, 0x80 | 125);
        ping
    };

    /// More than socket buffers hold in both directions.
    const MAX_PINGS: usize = (1 << 30) / PING.len();

    #[test]
    fn listener_that_sends_pings_and_does_not_read_is_disconnected() {
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let mut client = TcpStream::connect(server.local_addr().expect("an address")).expect("connects");
        let (stream, _) = server.accept().expect("a connection");
        // Short, so that the test does not wait long. It passes with any value.
        stream.set_write_timeout(Some(Duration::from_millis(100))).expect("a limit");
        let pings = thread::spawn(move || (0..MAX_PINGS).take_while(|_| client.write_all(&PING).is_ok()).count());
        let mut socket = WebSocket::from_raw_socket(stream, Role::Server, None);
        while drain_inbound(&mut socket).is_ok() && !pings.is_finished() {}
        drop(socket);
        assert!(pings.join().expect("no panic") < MAX_PINGS);
    }
}
