//! Where those come in who record.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use holotape::stream::protocol::MAX_MESSAGE_BYTES;

use super::ServerEvent;
use super::connection::Connection;
use crate::commands::record::input;
use crate::failure::Failure;
use crate::socket;

/// One that records, one that takes over from it, and a few that got it wrong.
const MAX_CONNECTIONS: usize = 8;

/// How many messages may wait. Then whoever sends them has to.
const EVENT_QUEUE_CAPACITY: usize = 64;

/// Lets those in who record from now on, and listens to signals. Gives the address, and what happens.
pub(super) fn start_server(port: u16, allowed_origins: &[String]) -> Result<(String, Receiver<ServerEvent>), Failure> {
    let (listener, url) = socket::listen(port)?;
    let (events, happened) = mpsc::sync_channel(EVENT_QUEUE_CAPACITY);
    let stop = events.clone();
    input::on_stop_signal(move || _ = stop.send(ServerEvent::Stop))?;
    let door = Arc::new(Acceptor { allowed_origins: allowed_origins.to_vec(), events });
    thread::spawn(move || door.accept_loop(&listener));
    Ok((url, happened))
}

struct Acceptor {
    allowed_origins: Vec<String>,
    events: SyncSender<ServerEvent>,
}

impl Acceptor {
    fn accept_loop(self: Arc<Self>, listener: &TcpListener) {
        // One that hung up before it was let in is no reason to close.
        for (number, stream) in (0..).zip(listener.incoming().flatten()) {
            // Everybody inside has hold of the door.
            if Arc::strong_count(&self) <= MAX_CONNECTIONS {
                let door = self.clone();
                thread::spawn(move || {
                    if let Some((socket, _)) = socket::accept(stream, &door.allowed_origins, MAX_MESSAGE_BYTES) {
                        Connection::new(number, socket, door.events.clone()).serve();
                    }
                });
            }
        }
    }
}
