//! Where those come in who record.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use holotape::stream::terms::MOST_MESSAGE_BYTES;

use super::Event;
use super::connection::Connection;
use crate::commands::record::input;
use crate::failure::Failure;
use crate::socket;

/// One that records, one that takes over from it, and a few that got it wrong.
const MOST_CONNECTIONS: usize = 8;

/// How many messages may wait. Then whoever sends them has to.
const MOST_WAITING: usize = 64;

/// Lets those in who record from now on, and listens to signals. Gives the address, and what happens.
pub(super) fn open(port: u16, allowed_origins: &[String]) -> Result<(String, Receiver<Event>), Failure> {
    let (listener, url) = socket::listen(port)?;
    let (events, happened) = mpsc::sync_channel(MOST_WAITING);
    let stop = events.clone();
    input::when_told_to_stop(move || _ = stop.send(Event::Stop))?;
    let door = Arc::new(Door { allowed_origins: allowed_origins.to_vec(), events });
    thread::spawn(move || door.keep(&listener));
    Ok((url, happened))
}

struct Door {
    allowed_origins: Vec<String>,
    events: SyncSender<Event>,
}

impl Door {
    fn keep(self: Arc<Self>, listener: &TcpListener) {
        // One that hung up before it was let in is no reason to close.
        for (number, stream) in (0..).zip(listener.incoming().flatten()) {
            // Everybody inside has hold of the door.
            if Arc::strong_count(&self) <= MOST_CONNECTIONS {
                let door = self.clone();
                thread::spawn(move || {
                    if let Some((socket, _)) = socket::accept(stream, &door.allowed_origins, MOST_MESSAGE_BYTES) {
                        Connection::new(number, socket, door.events.clone()).serve();
                    }
                });
            }
        }
    }
}
